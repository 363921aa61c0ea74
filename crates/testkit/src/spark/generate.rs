//! Random SPARK programs without inputs: a package whose procedure `Run` leaves numbers in `R0`, `R1`, `R2`, or ends in one of
//! Ada's checks or a failed assertion.
//!
//! Programs end: loops are counted, calls go to subprograms that were declared before. No expression is made of literals
//! alone, since compilers refuse those that leave their type instead of raising an exception. Arithmetic on
//! types with a narrow base is not nested: there compilers may compute in a wider one.

use base::rng::Rng;
use std::fmt::Write;

/// The files of a program: specification and body of the package `P<n>`.
pub struct SparkProgram {
    /// `p<n>.ads`
    pub spec: String,
    /// `p<n>.adb`
    pub body: String,
}

/// The program with this number.
pub fn spark_program(n: u64) -> SparkProgram {
    let spec = format!("package P{n} is\n   R0, R1, R2 : Integer := 0;\n   procedure Run;\nend P{n};\n");
    let mut g =
        Gen { rng: Rng::new(n.wrapping_mul(0x9e37_79b9) + 77), out: String::new(), loops: 0, in_function: false };
    _ = write!(g.out, "package body P{n} is\n{TYPES}");
    g.subprograms();
    g.line(1, "procedure Run is");
    g.locals();
    g.line(1, "begin");
    for _ in 0..3 + g.rng.below(6) {
        g.statement(2, 2);
    }
    let last = [g.int(1), g.int(1), "Integer (B) + Colour'Pos (C) * 7 + Integer (S) * 31 + Integer (N) * 3".to_owned()];
    for (i, e) in last.iter().enumerate() {
        g.line(2, &format!("R{i} := {e};"));
    }
    g.line(1, "end Run;");
    _ = writeln!(g.out, "end P{n};");
    SparkProgram { spec, body: g.out }
}

const TYPES: &str = "\
   subtype Small is Integer range -10 .. 20;
   type Narrow is range -100 .. 100;
   type Byte is mod 256;
   type Seven is mod 7;
   type Colour is (Red, Green, Blue, Black);
   subtype Warm is Colour range Red .. Green;
   type Row is array (1 .. 5) of Integer;
   type Count is array (Colour) of Small;
   type Grid is array (0 .. 2, 1 .. 3) of Small;
   type Pair is record
      Left  : Integer;
      Right : Small;
      Flag  : Boolean;
   end record;
   Limit : constant Integer := 12;
   Total : Integer := 5;
   Table : Row := (1, 2, 3, others => 4);
";

struct Gen {
    rng: Rng,
    out: String,
    loops: u32,
    in_function: bool,
}

impl Gen {
    fn line(&mut self, depth: usize, text: &str) {
        _ = writeln!(self.out, "{}{text}", "   ".repeat(depth));
    }

    fn pick(&mut self, items: &[&str]) -> String {
        (*self.rng.pick(items)).to_owned()
    }

    /// The same variables are declared everywhere, so that any expression fits any body.
    fn locals(&mut self) {
        let numbers: Vec<u64> = (0..4).map(|_| self.rng.below(20)).collect();
        let colour = self.pick(&["Red", "Green", "Blue", "Black"]);
        let text = format!(
            "      X : Integer := {};\n      Y : Integer := {};\n      S : Small := {};\n      N : Narrow := {};\n      \
             B : Byte := {};\n      M : Seven := {};\n      C : Colour := {colour};\n      F : Boolean := X > {};\n      \
             A : Row := (others => X);\n      K : Count := (Red => 1, Blue => 3, others => 2);\n      \
             G : Grid := (others => (others => S));\n      P : Pair := (Left => Y, Right => 3, Flag => F);\n      \
             Q : Pair := (1, 2, True);\n",
            numbers[0],
            numbers[1],
            numbers[2],
            numbers[3],
            self.rng.below(256),
            self.rng.below(7),
            self.rng.below(12),
        );
        self.out += &text;
    }

    fn subprograms(&mut self) {
        let bound = self.rng.below(30);
        let post = if self.rng.chance(40) {
            format!("\n     with Post => Clamp'Result <= V + {bound}")
        } else {
            String::new()
        };
        self.line(1, &format!("function Clamp (V : Integer) return Small{post} is"));
        self.locals();
        self.in_function = true;
        self.line(1, "begin");
        self.statement(2, 1);
        let (e, k) = (self.int(1), self.rng.below(40));
        self.line(2, &format!("if V > {k} then return 20; elsif V < -10 then return -10; end if;"));
        self.line(2, &format!("return (if V mod 2 = 0 then V else {e});"));
        self.line(1, "end Clamp;");
        self.in_function = false;
        let pre = if self.rng.chance(40) {
            format!("\n     with Pre => V < {}", 5 + self.rng.below(30))
        } else {
            String::new()
        };
        self.line(
            1,
            &format!("procedure Step (V : in Integer; W : in out Small; Z : out Integer; H : in out Row){pre} is"),
        );
        self.locals();
        self.line(1, "begin");
        self.line(2, "Z := V + 1;");
        for _ in 0..1 + self.rng.below(3) {
            self.statement(2, 1);
        }
        let e = self.int(1);
        self.line(2, &format!("W := W + (if V > 3 then 1 else 2); H (1 + V mod 5) := {e};"));
        self.line(2, "Z := Z - X;");
        self.line(1, "end Step;");
        let e = self.int(2);
        self.line(
            1,
            "function Twice (V : Pair) return Pair is (Left => V.Left * 2, Right => V.Right, Flag => not V.Flag);",
        );
        self.line(1, "procedure Change (V : in out Pair) is");
        self.locals();
        self.line(1, "begin");
        self.line(2, &format!("V.Left := V.Left + {e};"));
        self.line(2, "if V.Flag then V := Twice (V); end if;");
        self.line(1, "end Change;");
    }

    fn statement(&mut self, depth: usize, nest: u32) {
        match self.rng.below(if nest == 0 { 11 } else { 15 }) {
            0 => {
                let (v, e) = (self.pick(&["X", "Y"]), self.int(2));
                self.line(depth, &format!("{v} := {e};"));
            }
            1 => {
                let e = self.small();
                self.line(depth, &format!("S := {e};"));
            }
            2 => {
                let (v, e) = (self.pick(&["B", "M", "N"]), self.rng.below(4));
                let text = match v.as_str() {
                    "B" => self.byte(2),
                    "M" => self.seven(2),
                    _ => format!("N {} {}", self.pick(&["+", "-", "*"]), e + 1),
                };
                self.line(depth, &format!("{v} := {text};"));
            }
            3 => {
                let e = self.colour();
                self.line(depth, &format!("C := {e};"));
            }
            4 => {
                let e = self.bool(2);
                self.line(depth, &format!("F := {e};"));
            }
            5 => {
                let (i, e) = (self.index(), self.int(1));
                self.line(depth, &format!("A ({i}) := {e};"));
            }
            6 => {
                let e = self.small();
                let text = match self.rng.below(3) {
                    0 => format!("K (C) := {e};"),
                    1 => format!("G (X mod 3, 1 + Y mod 3) := {e};"),
                    _ => "P := (Left => P.Left, Right => S, Flag => F);".to_owned(),
                };
                self.line(depth, &text);
            }
            7 if !self.in_function => {
                let e = self.int(1);
                self.line(depth, &format!("Total := {e};"));
            }
            7 => self.line(depth, "null;"),
            8 => {
                let e = self.bool(1);
                let text = if self.rng.chance(50) {
                    format!("{e} or X < 1000")
                } else {
                    format!("S < {}", 10 + self.rng.below(20))
                };
                self.line(depth, &format!("pragma Assert ({text});"));
            }
            9 if depth == 2 && nest == 2 => {
                let (e, text) = (self.int(1), self.pick(&["Step", "Change", "Clamp"]));
                let text = match text.as_str() {
                    "Step" => format!("Step ({e}, S, Y, A);"),
                    "Change" => "Change (P);".to_owned(),
                    _ => format!("Y := Clamp ({e}) * 3;"),
                };
                self.line(depth, &text);
            }
            9 | 10 => self.line(depth, "P.Left := P.Left + Integer (P.Right); F := P = Q or A = Table;"),
            11 => {
                let cond = self.bool(2);
                self.line(depth, &format!("if {cond} then"));
                self.statement(depth + 1, nest - 1);
                if self.rng.chance(50) {
                    let other = self.bool(1);
                    self.line(depth, &format!("elsif {other} then"));
                    self.statement(depth + 1, nest - 1);
                }
                self.line(depth, "else");
                self.statement(depth + 1, nest - 1);
                self.line(depth, "end if;");
            }
            12 => self.case(depth, nest),
            _ => self.loops(depth, nest),
        }
    }

    fn case(&mut self, depth: usize, nest: u32) {
        let colour = self.rng.chance(50);
        let (of, first, second) = if colour { ("C", "Red | Blue", "Green") } else { ("X mod 5", "0 .. 1", "3") };
        self.line(depth, &format!("case {of} is"));
        for choice in [first, second, "others"] {
            self.line(depth + 1, &format!("when {choice} =>"));
            self.statement(depth + 2, nest - 1);
        }
        self.line(depth, "end case;");
    }

    fn loops(&mut self, depth: usize, nest: u32) {
        self.loops += 1;
        let i = format!("I{}", self.loops);
        match self.rng.below(4) {
            0 => {
                let reverse = if self.rng.chance(30) { "reverse " } else { "" };
                let range = self.pick(&["1 .. 4", "A'Range", "0 .. Limit / 4", "S .. 3", "2 .. 1"]);
                self.line(depth, &format!("for {i} in {reverse}{range} loop"));
                self.line(depth + 1, &format!("Y := Y + {i} mod 3;"));
                self.statement(depth + 1, nest - 1);
                if self.rng.chance(40) {
                    let e = self.bool(1);
                    self.line(depth + 1, &format!("exit when {e};"));
                }
                self.line(depth, "end loop;");
            }
            1 => {
                let range = self.pick(&["Colour", "Warm", "C .. Black"]);
                self.line(depth, &format!("for {i} in {range} loop"));
                self.line(depth + 1, &format!("K ({i}) := K ({i}) + 1;"));
                self.line(depth, "end loop;");
            }
            2 => {
                self.line(depth, "declare");
                self.line(depth + 1, &format!("{i} : Integer := 0;"));
                self.line(depth, "begin");
                let e = self.bool(1);
                self.line(depth + 1, &format!("while {i} < 4 and then {e} loop"));
                self.line(depth + 2, &format!("{i} := {i} + 1;"));
                self.statement(depth + 2, nest - 1);
                self.line(depth + 2, &format!("pragma Loop_Invariant ({i} <= 4);"));
                self.line(depth + 1, "end loop;");
                self.line(depth, "end;");
            }
            _ => {
                let e = self.int(1);
                let q = self.pick(&["all", "some"]);
                self.line(depth, &format!("F := (for {q} J in A'Range => A (J) > {e});"));
            }
        }
    }

    fn index(&mut self) -> String {
        self.pick(&["1", "5", "S", "1 + X mod 5", "1 + Y mod 5", "Integer (M)"])
    }

    /// An integer expression, never of literals alone.
    fn int(&mut self, depth: u32) -> String {
        match self.rng.below(if depth == 0 { 4 } else { 12 }) {
            0..=2 => self.pick(&["X", "Y", "S", "Total", "P.Left", "Limit + X"]).replace("Limit + X", "(Limit + X)"),
            3 => {
                self.pick(&["A (2)", "Table (3)", "K (C)", "G (1, 2)", "Integer (N)", "Integer (B)", "Colour'Pos (C)"])
            }
            4..=6 => {
                let op = self.pick(&["+", "-", "*"]);
                format!("({} {op} {})", self.int(depth - 1), self.rng.below(9))
            }
            7 => format!("({} {} {})", self.int(depth - 1), self.pick(&["+", "-"]), self.int(depth - 1)),
            8 => format!(
                "({} {} {})",
                self.int(depth - 1),
                self.pick(&["/", "mod", "rem"]),
                self.pick(&["3", "X", "S", "(-2)"])
            ),
            9 => format!("(abs {})", self.int(0)),
            10 => format!("(if {} then {} else {})", self.bool(0), self.int(depth - 1), self.int(0)),
            _ => {
                let f = self.pick(&["Integer'Max", "Integer'Min"]);
                format!("{f} ({}, {})", self.int(depth - 1), self.int(0))
            }
        }
    }

    fn small(&mut self) -> String {
        match self.rng.below(5) {
            0 => format!("S + {}", self.rng.below(4)),
            1 => "X".to_owned(),
            2 => "K (C)".to_owned(),
            3 => format!("S * {}", self.rng.below(3)),
            _ => "Small (X mod 20)".to_owned(),
        }
    }

    fn byte(&mut self, depth: u32) -> String {
        match self.rng.below(if depth == 0 { 2 } else { 7 }) {
            0 => "B".to_owned(),
            1 => "Byte (M)".to_owned(),
            2 => format!("(not {})", self.byte(0)),
            3 => format!("({} / {})", self.byte(0), 1 + self.rng.below(5)),
            _ => {
                let op = self.pick(&["+", "-", "*", "and", "or", "xor"]);
                format!(
                    "({} {op} {})",
                    self.byte(depth - 1),
                    if self.rng.chance(50) { "B".to_owned() } else { self.rng.below(256).to_string() }
                )
            }
        }
    }

    fn seven(&mut self, depth: u32) -> String {
        if depth == 0 {
            return "M".to_owned();
        }
        let op = self.pick(&["+", "-", "*"]);
        format!(
            "({} {op} {})",
            self.seven(depth - 1),
            if self.rng.chance(40) { "M".to_owned() } else { self.rng.below(7).to_string() }
        )
    }

    fn colour(&mut self) -> String {
        self.pick(&[
            "Red",
            "Black",
            "C",
            "Colour'Succ (C)",
            "Colour'Pred (C)",
            "Colour'Val (X mod 5)",
            "Warm'First",
            "Warm'(C)",
        ])
    }

    fn bool(&mut self, depth: u32) -> String {
        match self.rng.below(if depth == 0 { 3 } else { 9 }) {
            0 => "F".to_owned(),
            1 => self.pick(&["P.Flag", "X in Small", "C in Warm", "X not in 1 .. 9", "B > 100", "M = 3", "C > Green"]),
            2 => format!("{} {} {}", self.int(0), self.pick(&["<", "<=", "=", "/=", ">", ">="]), self.rng.below(12)),
            3 => format!("(not ({}))", self.bool(depth - 1)),
            4 => format!("(({}) and then ({}))", self.bool(depth - 1), self.bool(depth - 1)),
            5 => format!("(({}) or else ({}))", self.bool(depth - 1), self.bool(depth - 1)),
            6 => {
                format!("(({}) {} ({}))", self.bool(depth - 1), self.pick(&["and", "or", "xor"]), self.bool(depth - 1))
            }
            _ => format!("{} {} {}", self.int(depth - 1), self.pick(&["<", "<=", "=", ">="]), self.int(0)),
        }
    }
}

//! Small random C programs over floating-point numbers with a few bits of input and open checks: sums, products, quotients,
//! conversions between formats, among them `_Float16`, and to and from integers, comparisons, bounded loops, numbers in
//! arrays and structures, and now and then infinities and what is not a number.
//!
//! Invariants: every number is initialised; loops count to constants; a conversion to an integer stands behind a test that it
//! fits, so that no run meets an assumed-away event. Patterns of numbers are not looked at: C leaves open which NaN comes
//! out of an operation.
//!
//! Equal seeds give equal text.

use std::collections::BTreeSet;

use base::rng::Rng;
use ir::DataModel;

use crate::cgen::{CheckPoint, Draft, Program, check_mark};
use crate::ctext::CText;
use crate::ctypes::CType;

const INPUT: &str = "__VERIFIER_nondet_uchar";
/// Bits of each input.
const BITS: u32 = 4;

/// The program of this seed.
pub fn draft(seed: u64, model: DataModel) -> Draft {
    let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x00f1_07a7);
    rng.bits();
    let mut g = Gen { rng, out: CText::new("", &[]), checks: Vec::new(), numbers: Vec::new(), ints: Vec::new() };
    g.program();
    let fixed = ["get", "reach_error", "main", "pair", "clamp", "blend"];
    let program = Program {
        seed,
        source: g.out.text,
        model,
        names: fixed.into_iter().map(str::to_owned).collect(),
        inputs: vec![(INPUT, BITS)],
        features: BTreeSet::new(),
        notes: Vec::new(),
    };
    Draft { program, checks: g.checks }
}

struct Gen {
    rng: Rng,
    out: CText,
    checks: Vec<CheckPoint>,
    /// Names of numbers with their types.
    numbers: Vec<(String, &'static str)>,
    ints: Vec<String>,
}

const CONSTANTS: [&str; 14] =
    ["0.0", "1.0", "2.0", "0.5", "0.25", "3.0", "-1.0", "0.1", "10.0", "-0.75", "1.5", "1e3", "0.0625", "7.0"];

impl Gen {
    fn program(&mut self) {
        self.out.line(&format!("extern unsigned char {INPUT}(void);"));
        self.out.line("extern void reach_error(void);");
        self.out.line("struct pair { float x; double y; };");
        self.out.line(&format!("static int get(void) {{ return {INPUT}() & 15; }}"));
        self.out.line("static int clamp(double v) { return v > -1000.0 && v < 1000.0 ? (int)v : v != v ? 2000 : v > 0.0 ? 3000 : -3000; }");
        self.out.line("static double blend(double a, double b, double t) { return a + (b - a) * t; }");
        self.out.open("int main(void) {");
        for i in 0..2 {
            self.out.line(&format!("int i{i} = get();"));
            self.ints.push(format!("i{i}"));
        }
        for i in 0..2 {
            let ty = self.ty();
            let (offset, scale) = (self.rng.below(16), self.rng.pick(&["1", "2", "4", "8"]).to_string());
            let name = format!("v{i}");
            self.out.line(&format!("{ty} {name} = ({ty})(i{i} - {offset}) / {scale};"));
            self.numbers.push((name, ty));
        }
        for _ in 0..3 + self.rng.below(4) {
            self.statement();
        }
        self.check();
        if self.rng.chance(40) {
            self.check();
        }
        self.out.line("return 0;");
        self.out.close("}");
    }

    #[expect(clippy::explicit_auto_deref, reason = "without it the list is taken for one of `str`")]
    fn ty(&mut self) -> &'static str {
        *self.rng.pick(&["float", "float", "float", "double", "double", "_Float16"])
    }

    fn name(&mut self) -> String {
        self.rng.pick(&self.numbers).0.clone()
    }

    fn int(&mut self) -> String {
        self.rng.pick(&self.ints).clone()
    }

    fn constant(&mut self) -> String {
        let c = *self.rng.pick(&CONSTANTS);
        match self.rng.below(10) {
            0..=3 => format!("{c}f"),
            4 => format!("{c}f16"),
            _ => c.to_owned(),
        }
    }

    fn operand(&mut self) -> String {
        match self.rng.below(10) {
            0..=5 => self.name(),
            6 => {
                let i = self.int();
                format!("(float){i}")
            }
            _ => self.constant(),
        }
    }

    fn expr(&mut self) -> String {
        let (a, b) = (self.operand(), self.operand());
        match self.rng.below(12) {
            0..=2 => format!("{a} + {b}"),
            3..=4 => format!("{a} - {b}"),
            5..=7 => format!("{a} * {b}"),
            8 => {
                let c = *self.rng.pick(&["2.0", "4.0", "3.0f", "0.5f", "10.0"]);
                format!("{a} / {c}")
            }
            9 => format!("{a} / {b}"),
            10 => format!("blend({a}, {b}, 0.5)"),
            _ => format!("-({a})"),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.operand(), self.operand());
        let op = *self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.rng.below(5) {
            0 => format!("{a} {op} {b} && {a} == {a}"),
            1 => format!("!({a} {op} {b})"),
            _ => format!("{a} {op} {b}"),
        }
    }

    fn statement(&mut self) {
        match self.rng.below(10) {
            0..=2 => {
                let (ty, e) = (self.ty(), self.expr());
                let name = self.out.local("v");
                let name = format!("{name}_");
                self.out.line(&format!("{ty} {name} = {e};"));
                self.numbers.push((name, ty));
            }
            3..=4 => {
                let (c, x, e) = (self.condition(), self.name(), self.expr());
                self.out.line(&format!("if ({c}) {x} = {e};"));
            }
            5 => {
                let (c, x, e, y, f) = (self.condition(), self.name(), self.expr(), self.name(), self.expr());
                self.out.line(&format!("if ({c}) {x} = {e}; else {y} = {f};"));
            }
            6 => {
                let (n, k) = (2 + self.rng.below(2), self.out.local("k"));
                let (x, c) = (self.name(), self.constant());
                let op = *self.rng.pick(&["+=", "-=", "*="]);
                self.out.line(&format!("for (int {k} = 0; {k} < {n}; {k}++) {x} {op} {c};"));
            }
            7 => {
                let (p, e, f) = (self.out.local("p"), self.expr(), self.expr());
                self.out.line(&format!("struct pair {p} = {{ {e}, {f} }};"));
                self.numbers.push((format!("{p}.x"), "float"));
                self.numbers.push((format!("{p}.y"), "double"));
            }
            8 => {
                let (i, x) = (self.out.local("n"), self.name());
                self.out.line(&format!("int {i} = clamp({x});"));
                self.ints.push(i);
            }
            _ => {
                let (a, i, e) = (self.out.local("a"), self.int(), self.expr());
                let (x, y) = (self.name(), self.name());
                self.out.line(&format!("float {a}[2] = {{ {x}, {y} }};"));
                self.out.line(&format!("{a}[{i} & 1] = {e};"));
                self.numbers.push((format!("{a}[0]"), "float"));
            }
        }
    }

    fn check(&mut self) {
        let x = self.name();
        let scale = *self.rng.pick(&["1.0", "4.0", "16.0"]);
        let expr = format!("clamp({x} * {scale})");
        let mark = check_mark(self.checks.len());
        self.out.line(&mark);
        self.checks.push(CheckPoint { expr, ty: CType::Int });
    }
}

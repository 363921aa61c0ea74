//! Small random C programs over memory with a few bits of input and open checks: pointers to variables, fields, elements and
//! heap objects, structures, unions, casts, copies, function pointers, recursion with addresses of locals.
//!
//! Invariants: every object is initialised before it is read; pointers in variables point to live objects except inside
//! the statements that are about null and freed pointers; loops count to constants. A statement that may meet an
//! assumed-away event says before it which runs do not ([`Program::notes`](crate::cgen::Program)); that no other run
//! meets one is what the compiler's sanitizers check. Where two pointers are used together a note reports whether they
//! are equal, so that an oracle can show that it saw both.
//!
//! Equal seeds give equal text.

mod stmt;

use std::collections::BTreeSet;

use base::rng::Rng;
use ir::DataModel;

use crate::cgen::{CheckPoint, Draft, Program, check_mark, note_mark};
use crate::ctext::CText;
use crate::ctypes::CType;

/// A program with open checks, and the constructs it contains.
#[derive(Clone, Debug)]
pub struct Pointers {
    /// The program.
    pub draft: Draft,
    /// What it contains, by name.
    pub constructs: BTreeSet<&'static str>,
}

/// The constructs that the programs are made of; each must appear in a fair share of them.
pub const CONSTRUCTS: &[&str] = &[
    "array walk",
    "bit-field",
    "byte of an int",
    "call through a pointer",
    "container_of",
    "freed object",
    "heap object",
    "list",
    "malloc wrapper",
    "memcpy",
    "memmove",
    "memset",
    "null pointer",
    "out of bounds",
    "pointer as number",
    "pointer comparison",
    "pointer to element",
    "pointer to field",
    "pointer to pointer",
    "recursion with a local's address",
    "structure copy",
    "swap",
    "two pointers written",
    "union",
    "variable index",
];

/// The program of this seed.
pub fn draft(seed: u64, model: DataModel) -> Pointers {
    let mut g = Gen::new(seed);
    g.program(model);
    let fixed = ["node", "pun", "get", "reach_error", "main", "bump", "drop", "set", "make", "swap", "deep"];
    let names = fixed.into_iter().map(str::to_owned).chain(g.out.names);
    let program = Program {
        seed,
        source: g.out.text,
        model,
        names: names.collect(),
        inputs: vec![(INPUT, BITS)],
        features: BTreeSet::new(),
        notes: g.notes,
    };
    Pointers { draft: Draft { program, checks: g.checks }, constructs: g.out.constructs }
}

const INPUT: &str = "__VERIFIER_nondet_uchar";
/// Bits of each input.
const BITS: u32 = 3;

/// An integer that a program can read and write.
#[derive(Clone, Debug)]
struct Leaf {
    /// The expression, in parentheses where it needs them.
    place: String,
    /// It is an `int` whose address can be taken.
    int: bool,
}

struct Gen {
    rng: Rng,
    out: CText,
    notes: Vec<String>,
    checks: Vec<CheckPoint>,
    /// Fields of `struct node`, by kind.
    ints: Vec<String>,
    /// Other fields that can be read and written.
    others: Vec<String>,
    /// What can be named here.
    leaves: Vec<Leaf>,
    /// Pointers to `int` that are valid here.
    pointers: Vec<String>,
    /// Pointers to `struct node` that are valid here.
    nodes: Vec<String>,
    /// Objects of type `struct node`.
    records: Vec<String>,
    inputs: Vec<String>,
    /// Every check costs the engine; so many are left.
    checks_left: usize,
}

impl Gen {
    fn new(seed: u64) -> Gen {
        let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x9017_7e45);
        rng.bits();
        Gen {
            rng,
            out: CText::new("", CONSTRUCTS),
            notes: Vec::new(),
            checks: Vec::new(),
            ints: Vec::new(),
            others: Vec::new(),
            leaves: Vec::new(),
            pointers: Vec::new(),
            nodes: Vec::new(),
            records: Vec::new(),
            inputs: Vec::new(),
            checks_left: 2,
        }
    }

    /// A statement that only the compiled program has.
    fn note(&mut self, text: String) -> String {
        self.notes.push(text);
        note_mark(self.notes.len() - 1)
    }

    /// Runs in which `fine` is false here meet an assumed-away event next.
    fn risk(&mut self, fine: &str) {
        let mark = self.note(format!("if (!({fine})) hb_end(HB_DISCARD);"));
        self.out.line(&mark);
    }

    /// Reports whether two pointers are equal.
    fn meet(&mut self, p: &str, q: &str) {
        let mark = self.note(format!("hb_meet((void *)({p}) == (void *)({q}));"));
        self.out.line(&mark);
    }

    fn check(&mut self) {
        let expr = format!("({})", self.leaf().place);
        let mark = check_mark(self.checks.len());
        self.out.line(&mark);
        self.checks.push(CheckPoint { expr, ty: CType::Int });
    }

    fn program(&mut self, model: DataModel) {
        let size = if model == DataModel::Lp64 { "unsigned long" } else { "unsigned int" };
        for declaration in [
            format!("extern unsigned char {INPUT}(void);"),
            "extern void reach_error(void);".to_owned(),
            "extern void abort(void);".to_owned(),
            format!("extern void *malloc({size});"),
            format!("extern void *calloc({size}, {size});"),
            "extern void free(void *);".to_owned(),
            format!("extern void *memcpy(void *, const void *, {size});"),
            format!("extern void *memmove(void *, const void *, {size});"),
            format!("extern void *memset(void *, int, {size});"),
        ] {
            self.out.line(&declaration);
        }
        self.types();
        self.globals();
        self.functions();
        self.main();
    }

    fn types(&mut self) {
        self.out.line("typedef union { int i; unsigned u; short s[2]; unsigned char b[4]; } pun;");
        self.out.open("typedef struct node {");
        for i in 0..2 + self.rng.below(3) {
            let name = format!("m{i}");
            match self.rng.below(8) {
                0..=2 => {
                    self.out.line(&format!("int {name};"));
                    self.ints.push(name);
                }
                3 => {
                    self.out.line(&format!("unsigned char {name};"));
                    self.others.push(name);
                }
                4 => {
                    self.out.line(&format!("short {name};"));
                    self.others.push(name);
                }
                5 => {
                    self.out.line(&format!("int {name}[2];"));
                    self.ints.push(format!("{name}[0]"));
                    self.ints.push(format!("{name}[1]"));
                }
                6 => {
                    self.out.mark("bit-field");
                    let width = 2 + self.rng.below(7);
                    self.out.line(&format!("unsigned {name} : {width};"));
                    self.out.line(&format!("int {name}n : 5;"));
                    self.others.push(name.clone());
                    self.others.push(format!("{name}n"));
                }
                _ => {
                    self.out.mark("union");
                    self.out.line(&format!("pun {name};"));
                    self.ints.push(format!("{name}.i"));
                    self.others.push(format!("{name}.b[{}]", self.rng.below(4)));
                }
            }
        }
        self.out.line("int v;");
        self.ints.push("v".into());
        self.out.line("struct node *next;");
        self.out.close("} node;");
    }

    fn globals(&mut self) {
        for i in 0..2 {
            let (name, value) = (format!("g{i}"), self.rng.below(5));
            self.out.line(&format!("int {name} = {value};"));
            self.leaves.push(Leaf { place: name.clone(), int: true });
            self.out.names.push(name);
        }
        self.out.line("int a[4] = { 1, 2, 3 };");
        self.out.names.push("a".into());
        self.out.line("node s0;");
        self.out.names.push("s0".into());
        self.record("s0");
        self.out.line("int *gp = &g0;");
        self.out.names.push("gp".into());
        self.pointer("gp");
        for i in 0..4 {
            self.leaves.push(Leaf { place: format!("a[{i}]"), int: true });
        }
    }

    /// An object of type `node` can be named.
    fn record(&mut self, name: &str) {
        for field in self.ints.clone() {
            self.leaves.push(Leaf { place: format!("{name}.{field}"), int: true });
        }
        for field in self.others.clone() {
            self.leaves.push(Leaf { place: format!("{name}.{field}"), int: false });
        }
        self.records.push(name.to_owned());
    }

    fn pointer(&mut self, name: &str) {
        self.leaves.push(Leaf { place: format!("*{name}"), int: true });
        self.pointers.push(name.to_owned());
    }

    fn functions(&mut self) {
        self.out.line("static int bump(int x) { return x + 1; }");
        self.out.line("static int drop(int x) { return x & 3; }");
        self.out.line("static void set(node *n, int *p, int x) { n->v = x; *p = x + 1; }");
        self.out.line("static void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }");
        self.out.open("static node *make(int x) {");
        self.out.line("node *n = malloc(sizeof(node));");
        self.out.line("if (!n) abort();");
        self.out.line("memset(n, 0, sizeof *n);");
        self.out.line("n->v = x;");
        self.out.line("return n;");
        self.out.close("}");
        self.out.open("static int deep(int n, int *up) {");
        self.out.line("int here = n;");
        self.out.line("if (n > 0) deep(n - 1, &here);");
        self.out.line("*up = *up + 1;");
        self.out.line("return here;");
        self.out.close("}");
    }

    fn main(&mut self) {
        self.out.open("int main(void) {");
        for i in 0..2 + self.rng.index(2) {
            let (name, mask) = (format!("in{i}"), *self.rng.pick(&[1, 3, 7, 7]));
            self.out.line(&format!("int {name} = {INPUT}() & {mask};"));
            self.inputs.push(name);
        }
        self.out.line("int x = 0, y = 5;");
        self.leaves.push(Leaf { place: "x".into(), int: true });
        self.leaves.push(Leaf { place: "y".into(), int: true });
        self.out.line("int *p = &x, *q = &y;");
        self.pointer("p");
        self.pointer("q");
        self.out.line("node s1 = s0, *n = &s1;");
        self.record("s1");
        for field in self.ints.clone() {
            self.leaves.push(Leaf { place: format!("n->{field}"), int: true });
        }
        self.nodes.push("n".into());
        self.out.line("pun u;");
        self.out.line("u.i = 0;");
        self.leaves.push(Leaf { place: "u.i".into(), int: true });
        for k in 0..4 {
            self.leaves.push(Leaf { place: format!("u.b[{k}]"), int: false });
        }
        let (first, rest) = (2 + self.rng.below(2), 1 + self.rng.below(4));
        for _ in 0..first {
            self.statement(1);
        }
        if self.rng.chance(40) {
            self.checks_left -= 1;
            self.check();
        }
        for _ in 0..rest {
            self.statement(1);
        }
        self.check();
        self.out.line("return 0;");
        self.out.close("}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_programs() {
        let text = |seed| draft(seed, DataModel::Lp64).draft.program.source;
        assert_eq!(text(5), text(5));
        assert_ne!(text(5), text(6));
    }

    #[test]
    fn every_construct_appears() {
        let all: Vec<Pointers> = (0..400).map(|seed| draft(seed, DataModel::Lp64)).collect();
        for construct in CONSTRUCTS {
            let n = all.iter().filter(|o| o.constructs.contains(construct)).count();
            assert!(n >= 8, "only {n} of 400 programs have {construct}");
        }
    }
}

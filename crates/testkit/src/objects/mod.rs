//! Random closed C programs over memory and everything else that [`crate::cgen`] leaves out: structures, unions, bit-fields,
//! arrays, pointers, floating types, function pointers, variadic functions, structures passed by value, `switch` with
//! ranges, `goto`, complex numbers, vectors and GNU's other additions. They end with a checksum over all their objects.
//!
//! Invariants, beside those of `cgen`: every object is initialised as a whole; padding is never read; unions have no
//! padding and are read through integers only; a NaN is folded as one value, whatever its bits; indices are masked by
//! powers of two; loops count to constants; what is called with effects stands alone in its statement.

mod expr;
mod lanes;
mod stmt;
mod types;

use crate::cgen::Program;
use crate::ctext::CText;
use base::rng::Rng;
use ir::DataModel;
use std::collections::BTreeSet;
use types::{Leaf, Record};

/// A random program and the constructs it contains.
#[derive(Clone, Debug)]
pub struct Objects {
    /// The program.
    pub program: Program,
    /// What it contains, by name.
    pub constructs: BTreeSet<&'static str>,
}

/// The constructs that the programs are made of; each must appear in a fair share of them.
pub const CONSTRUCTS: &[&str] = &[
    "array",
    "bit-field",
    "wide bit-field",
    "union",
    "nested record",
    "packed",
    "float",
    "pointer",
    "pointer to member",
    "pointer walk",
    "record copy",
    "record argument",
    "record result",
    "function pointer",
    "variadic",
    "switch",
    "case range",
    "goto forward",
    "goto backward",
    "goto into a loop",
    "compound literal",
    "designated initialiser",
    "statement expression",
    "variable length array",
    "static local",
    "nested function",
    "computed goto",
    "int128",
    "string",
    "memcpy",
    "library",
    "complex",
    "vector",
];

const PRELUDE: &str = "typedef unsigned long long u64;\nu64 checksum;\n\
    static u64 fold_float(double d) { union { double d; u64 q; } u; u.d = d; return d != d ? 1 : u.q; }\n\
    static void fold(u64 x) { checksum = (checksum ^ x) * 1099511628211ull + (checksum >> 29); }\n\
    static void fold_parts(_Complex double z) { fold(fold_float(__real__ z)); fold(fold_float(__imag__ z)); }\n\
    static int one(int x) { return x * 3 - 1; }\nstatic int two(int x) { return (x ^ 77) >> 1; }\n\
    static int three(int x) { return x < 5 ? -x : x % 7; }\n\
    static int (*const table[4])(int) = { one, two, &three, one };\n\
    static u64 gather(int n, ...) {\n    __builtin_va_list ap, again;\n    u64 s = 0;\n    __builtin_va_start(ap, n);\n\
    \x20   __builtin_va_copy(again, ap);\n    for (int i = 0; i < n; i++) {\n        s = s * 5 + __builtin_va_arg(ap, int);\n\
    \x20       s += fold_float(__builtin_va_arg(ap, double));\n        s ^= __builtin_va_arg(ap, long long);\n    }\n\
    \x20   if (n) s += __builtin_va_arg(again, int);\n    __builtin_va_end(ap);\n    __builtin_va_end(again);\n    return s;\n}\n";

/// The program of this seed.
pub fn generate(seed: u64, model: DataModel) -> Objects {
    let mut g = Gen::new(seed, model);
    g.program();
    let names =
        ["u64", "checksum", "fold_float", "fold", "fold_parts", "one", "two", "three", "table", "gather", "main"];
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    names.append(&mut g.out.names);
    let (inputs, features, notes) = (Vec::new(), BTreeSet::new(), Vec::new());
    let program = Program { seed, source: g.out.text, model, names, inputs, features, notes };
    Objects { program, constructs: g.out.constructs }
}

/// The state of one generation.
struct Gen {
    rng: Rng,
    model: DataModel,
    out: CText,
    records: Vec<Record>,
    /// Places that can be read and written here, innermost last.
    leaves: Vec<Leaf>,
    /// Objects of each record type that can be named here: the expression and the record.
    objects: Vec<(String, usize)>,
    n_labels: usize,
    /// Functions on records: name and record.
    functions: Vec<(String, usize)>,
}

impl Gen {
    fn new(seed: u64, model: DataModel) -> Gen {
        let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x0b1e_c75e);
        rng.bits();
        Gen {
            rng,
            model,
            out: CText::new(PRELUDE, CONSTRUCTS),
            records: Vec::new(),
            leaves: Vec::new(),
            objects: Vec::new(),
            n_labels: 0,
            functions: Vec::new(),
        }
    }

    fn program(&mut self) {
        for _ in 0..2 + self.rng.below(3) {
            self.record();
        }
        for i in 0..2 + self.rng.index(3) {
            let record = self.rng.index(self.records.len());
            self.global_object(i, record);
        }
        for i in 0..3 {
            self.global_scalar(i);
        }
        for i in 0..1 + self.rng.index(3) {
            self.function(i);
        }
        self.main();
    }

    fn main(&mut self) {
        self.out.open("int main(void) {");
        let (leaves, objects) = (self.leaves.len(), self.objects.len());
        for _ in 0..5 + self.rng.below(6) {
            self.statement(2);
        }
        self.leaves.truncate(leaves);
        self.objects.truncate(objects);
        self.fold_everything();
        let value = self.int_expr(2);
        self.out.line(&format!("return ({value}) & 127;"));
        self.out.close("}");
    }

    /// A function that takes a record by value, changes its copy and some globals, and returns it.
    fn function(&mut self, i: usize) {
        let record = self.rng.index(self.records.len());
        let (name, ty) = (format!("work{i}"), self.records[record].name.clone());
        self.out.names.push(name.clone());
        self.out.open(&format!("{ty} {name}({ty} v, {ty} *p, int x, double y) {{"));
        let (leaves, objects) = (self.leaves.len(), self.objects.len());
        self.leaves.push(Leaf::int("x", "int"));
        self.leaves.push(Leaf::float("y", "double"));
        self.add_object("v", record);
        self.add_object("(*p)", record);
        if self.rng.chance(40) {
            self.out.mark("static local");
            let s = self.out.local("s");
            self.out.line(&format!("static unsigned {s} = 3;"));
            self.out.line(&format!("{s} += x & 15;"));
            self.leaves.push(Leaf::int(&s, "unsigned"));
        }
        for _ in 0..2 + self.rng.below(4) {
            self.statement(2);
        }
        self.out.line("return v;");
        self.out.close("}");
        self.leaves.truncate(leaves);
        self.objects.truncate(objects);
        self.functions.push((name, record));
    }

    fn fold_everything(&mut self) {
        let folds: Vec<String> = self.leaves.iter().map(Leaf::fold).collect();
        for fold in folds {
            self.out.line(&fold);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_programs() {
        assert_eq!(generate(5, DataModel::Lp64).program.source, generate(5, DataModel::Lp64).program.source);
        assert_ne!(generate(5, DataModel::Lp64).program.source, generate(6, DataModel::Lp64).program.source);
    }

    #[test]
    fn every_construct_appears() {
        let all: Vec<Objects> = (0..300).map(|seed| generate(seed, DataModel::Lp64)).collect();
        for construct in CONSTRUCTS {
            let n = all.iter().filter(|o| o.constructs.contains(construct)).count();
            assert!(n >= 15, "only {n} of 300 programs have {construct}");
        }
    }
}

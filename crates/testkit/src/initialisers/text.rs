//! The text of a program: types, objects with their initialisers, and the report on them.

use super::init::{Where, list};
use super::types::{TYPEDEF_NAMES, TYPEDEFS, Ty, Types};
use super::{Aligned, Initialised};
use base::rng::Rng;
use ir::DataModel;

const REPORT: &str = "unsigned char bytes[8192], values[16384];\nunsigned n_bytes, n_values, effects;\n\
    static void see(const void *p, unsigned n) {\n    for (unsigned i = 0; i < n && n_bytes < 8192; i++)\n\
    \x20       bytes[n_bytes++] = ((const unsigned char *)p)[i];\n}\n\
    static void say(unsigned long long x) {\n    for (int i = 0; i < 8 && n_values < 16384; i++)\n\
    \x20       values[n_values++] = x >> 8 * i;\n}\n\
    static int effect(int x) { effects += x * x + 1; return x; }\n\
    static void fill(void *p, int byte, unsigned n) {\n    for (unsigned i = 0; i < n; i++) ((unsigned char *)p)[i] = byte;\n}\n";

/// The state of one generation.
pub(super) struct Gen {
    pub(super) rng: Rng,
    pub(super) types: Types,
    /// What has been declared so far.
    pub(super) text: String,
    names: Vec<String>,
    main: String,
    n_objects: usize,
    aligned: Vec<Aligned>,
}

/// The program of this seed.
pub(super) fn generate(seed: u64, model: DataModel) -> Initialised {
    let mut g = Gen::new(seed);
    g.wholes();
    for _ in 0..2 + g.rng.below(3) {
        g.object();
    }
    let source = format!("{}int main(void) {{\n{}    say(effects);\n    return 0;\n}}\n", g.text, g.main);
    Initialised { seed, source, names: g.names, model, aligned: g.aligned }
}

impl Gen {
    /// Random types.
    pub(super) fn new(seed: u64) -> Gen {
        let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1217);
        let types = Types::random(&mut rng);
        let names = ["bytes", "values", "n_bytes", "n_values", "effects", "see", "say", "effect", "fill", "main"];
        let mut names: Vec<String> = names.iter().chain(&TYPEDEF_NAMES).map(|&n| n.to_owned()).collect();
        names.extend(types.tags());
        let text = format!("{REPORT}{TYPEDEFS}{}", types.text());
        Gen { rng, types, text, names, main: String::new(), n_objects: 0, aligned: Vec::new() }
    }

    /// An object of each record type, to be copied from.
    fn wholes(&mut self) {
        for tag in self.types.tags() {
            let r: usize = tag[1..].parse().expect("tags are numbered");
            let init = list(&mut self.rng, &self.types, &Ty::Record(r), Where::Static, 1);
            let name = format!("whole{r}");
            let declared = self.types.declare(&Ty::Record(r), &name);
            self.text.push_str(&format!("static {declared} = {init};\n"));
            self.names.push(name);
            self.layout(r);
        }
    }

    /// Size, alignment and offsets of a record.
    fn layout(&mut self, r: usize) {
        let ty = self.types.declare(&Ty::Record(r), "");
        let ty = ty.trim();
        self.main.push_str(&format!("    say(sizeof({ty})); say(_Alignof({ty})); say(__alignof__({ty}));\n"));
        for (name, _, bits) in self.types.named(r) {
            if !bits {
                self.main.push_str(&format!(
                    "    say(__builtin_offsetof({ty}, {name})); say(__alignof__(whole{r}.{name}));\n"
                ));
            }
        }
    }

    fn object(&mut self) {
        self.n_objects += 1;
        let record = Ty::Record(self.types.any_tagged(&mut self.rng));
        let ty = match self.rng.below(5) {
            0 => Ty::Array(Box::new(record), 1 + self.rng.below(3)),
            _ => record,
        };
        match self.rng.below(6) {
            0 => self.global(&ty),
            1 => self.in_function(&ty, "static "),
            2 => self.literal(&ty),
            _ => self.in_function(&ty, ""),
        }
    }

    fn global(&mut self, ty: &Ty) {
        let name = format!("g{}", self.n_objects);
        let init = list(&mut self.rng, &self.types, ty, Where::Static, 0);
        let declared = self.declared(ty, &name, None);
        let word = if self.rng.chance(50) { "static " } else { "" };
        self.text.push_str(&format!("{word}{declared} = {init};\n"));
        self.names.push(name.clone());
        let report = self.report(ty, &name);
        self.main.push_str(&report);
    }

    /// A declarator, now and then with an alignment.
    fn declared(&mut self, ty: &Ty, name: &str, function: Option<String>) -> String {
        let declared = self.types.declare(ty, name);
        if !self.rng.chance(15) {
            return declared;
        }
        let align = 1 << self.rng.below(6);
        self.aligned.push(Aligned { function, name: name.to_owned(), align });
        format!("{declared} __attribute__((aligned({align})))")
    }

    /// What is said about an object.
    fn report(&self, ty: &Ty, path: &str) -> String {
        let mut leaves = Vec::new();
        self.types.leaves(ty, path, &mut leaves);
        let mut out = format!("    see(&{path}, sizeof {path});\n    say(__alignof__({path}));\n");
        for (leaf, _) in leaves {
            out.push_str(&format!("    say((long long){leaf});\n"));
        }
        out
    }

    fn in_function(&mut self, ty: &Ty, storage: &str) {
        let k = self.n_objects;
        let place = if storage.is_empty() { Where::Function } else { Where::Static };
        let init = list(&mut self.rng, &self.types, ty, place, 0);
        // A static variable has another name in the program.
        let function = if storage.is_empty() { format!("f{k}") } else { String::new() };
        let declared = self.declared(ty, "x", Some(function));
        let mut body = format!("    {storage}{declared} = {init};\n{}", self.report(ty, "x"));
        if let (Ty::Record(r), "") = (ty, storage) {
            body.push_str(&self.stores(*r));
        }
        self.function(&format!("f{k}"), &body);
    }

    fn literal(&mut self, ty: &Ty) {
        let k = self.n_objects;
        let init = list(&mut self.rng, &self.types, ty, Where::Function, 0);
        let cast = self.types.declare(ty, "");
        let pointer = match ty {
            Ty::Array(elem, _) => self.types.declare(elem, "*p"),
            _ => self.types.declare(ty, "*p"),
        };
        let (address, object) = match ty {
            Ty::Array(_, n) => (String::new(), format!("see(p, {n} * sizeof *p);")),
            _ => ("&".to_owned(), "see(p, sizeof *p);".to_owned()),
        };
        let mut body = format!("    {pointer} = {address}({}){init};\n    {object}\n", cast.trim());
        if let Ty::Record(_) = ty {
            let mut leaves = Vec::new();
            self.types.leaves(ty, "(*p)", &mut leaves);
            leaves.iter().for_each(|(leaf, _)| body.push_str(&format!("    say((long long){leaf});\n")));
        }
        self.function(&format!("f{k}"), &body);
    }

    /// Copies, stores to members and what passing by value makes of an object `x`.
    fn stores(&mut self, r: usize) -> String {
        let k = self.n_objects;
        let (ty, mut out) = (Ty::Record(r), String::new());
        let named = self.types.declare(&ty, "y");
        match self.rng.below(5) {
            0 => out.push_str(&format!("    {named} = x;\n{}", self.report(&ty, "y"))),
            1 => {
                let (result, param) = (self.types.declare(&ty, &format!("pass{k}")), self.types.declare(&ty, "y"));
                self.text.push_str(&format!("static {result}({param}) {{ return y; }}\n"));
                self.names.push(format!("pass{k}"));
                out.push_str(&format!("    {named} = pass{k}(x);\n{}", self.report(&ty, "y")));
            }
            2 => {
                out.push_str(&format!("    {named};\n    fill(&y, {}, sizeof y);\n    y = x;\n", self.rng.below(256)));
                out.push_str(&self.report(&ty, "y"));
            }
            3 => {
                let mut leaves = Vec::new();
                self.types.leaves(&ty, "y", &mut leaves);
                // Bytes that every type can hold.
                out.push_str(&format!("    {named};\n    fill(&y, {}, sizeof y);\n", self.rng.below(2)));
                for (leaf, _) in leaves {
                    if self.rng.chance(60) {
                        out.push_str(&format!("    {leaf} = {};\n", self.rng.below(2)));
                    }
                }
                out.push_str("    see(&y, sizeof y);\n");
            }
            _ => {}
        }
        out
    }

    fn function(&mut self, name: &str, body: &str) {
        self.text.push_str(&format!("static void __attribute__((noinline)) {name}(int n) {{\n{body}}}\n"));
        self.names.push(name.to_owned());
        let n = self.rng.below(100);
        self.main.push_str(&format!("    hb_dirty();\n    {name}({n});\n"));
    }
}

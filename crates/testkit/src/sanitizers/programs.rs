//! Random closed programs with places at which they may go wrong.
//!
//! Invariants: a line has at most one such place, and everything else in it is defined in every order of evaluation that C
//! allows; a place works on variables of its own; nothing reads what was not written; what goes wrong does so by no more than
//! the red zones of the sanitizers.

use crate::ctext::CText;
use base::rng::Rng;
use ir::DataModel;
use std::collections::BTreeSet;

/// A random program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The text, and what the harness needs.
    pub text: crate::cgen::Program,
    /// Lines that may leave a part of an object and not the object.
    pub inner: Vec<u32>,
}

/// The program of this seed.
pub fn generate(seed: u64, model: DataModel) -> Program {
    let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5a71_71e5);
    rng.bits();
    let mut g = Gen { rng, model, out: CText::new("", &[]), inner: Vec::new(), inside: false };
    g.prelude();
    let n = 1 + g.rng.index(3);
    for i in 0..n {
        g.function(i);
    }
    g.main(n);
    let mut names: Vec<String> = NAMES.iter().map(|&n| n.to_owned()).collect();
    names.append(&mut g.out.names);
    let (inputs, features, notes) = (Vec::new(), BTreeSet::new(), Vec::new());
    let text = crate::cgen::Program { seed, source: g.out.text, model, names, inputs, features, notes };
    Program { text, inner: g.inner }
}

/// Names at file scope that every program has.
const NAMES: &[&str] = &[
    "main", "checksum", "rec", "node", "tab", "recs", "grid", "text", "fixed", "out", "zero", "one", "acc", "kept",
    "id", "add3", "load", "total", "leak", "member", "pick", "stop", "bump", "wide",
];

/// What every program begins with. `SIZE` stands for the type of sizes.
const PRELUDE: &str = "\
void *malloc(SIZE n);
void *calloc(SIZE n, SIZE m);
void free(void *p);
void *memcpy(void *d, const void *s, SIZE n);
void *memset(void *d, int c, SIZE n);
unsigned long long checksum;
struct rec { int x, y; short h; char c[6]; };
struct node { struct node *next; int v; };
static int tab[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
static struct rec recs[4] = { { 1, 2, 3, \"abcde\" }, { 4, 5, 6, \"fgh\" }, { 7, 8, 9, \"\" }, { 10, 11, 12, \"ij\" } };
static int grid[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
static char text[16] = \"hello, world\";
static const int fixed[4] = { 2, 3, 5, 7 };
static int out[8];
static int zero = 0, one = 1;
static unsigned acc;
static int *kept;
static int id(int x) { return x; }
static long long wide(long long x) { return x; }
static int add3(int a, int b, int c) { return (int)((unsigned)a + (unsigned)b * 3u + (unsigned)c * 5u); }
static int load(int *p, int by) {
    return p[by];
}
static int total(const int *p, int n) {
    unsigned s = 0;
    while (n-- > 0)
        s += (unsigned)*p++;
    return (int)s;
}
static int leak(int x) { int inside = x; kept = &inside; return *kept; }
static int member(struct rec *r) {
    return r++->y;
}
static int pick(int x) {
    switch (x & 3) {
    case 0: return 4;
    case 1: return 2;
    case 2: return 1;
    default: __builtin_unreachable();
    }
}
static void stop(int x) {
    if (x > 2) __builtin_unreachable();
}
static int bump(int *p) { *p = (int)((unsigned)*p + 2u); return *p; }
";

/// The state of one generation.
pub(super) struct Gen {
    pub(super) rng: Rng,
    pub(super) model: DataModel,
    pub(super) out: CText,
    inner: Vec<u32>,
    /// The place that is being made leaves only a part of an object.
    pub(super) inside: bool,
}

impl Gen {
    fn prelude(&mut self) {
        let size = match self.model {
            DataModel::Lp64 => "unsigned long",
            DataModel::Ilp32 => "unsigned int",
        };
        self.out.text = PRELUDE.replace("SIZE", size);
    }

    fn function(&mut self, i: usize) {
        let name = format!("work{i}");
        self.out.names.push(name.clone());
        self.out.open(&format!("static int {name}(int a, int b) {{"));
        self.out.line("int ci = a & 7, cj = b & 7, *cp = &out[b & 7];");
        self.out.line("(void)ci, (void)cj, (void)cp;");
        for _ in 0..1 + self.rng.index(3) {
            self.risk();
        }
        self.out.line("return ci + cj;");
        self.out.close("}");
    }

    fn main(&mut self, n: usize) {
        self.out.open("int main(void) {");
        self.out.line("int ci = 1, cj = 2, *cp = &out[3];");
        for i in 0..n {
            if self.rng.chance(50) {
                self.risk();
            }
            let (a, b) = (self.rng.below(20), self.rng.below(20));
            let e = format!("work{i}({a}, {b})");
            self.in_context(&e);
        }
        self.out.line("for (int k = 0; k < 8; k++) checksum = checksum * 31 + (unsigned)out[k] + (unsigned)tab[k];");
        self.out.line(
            "for (int k = 0; k < 4; k++) checksum = checksum * 31 + (unsigned)(recs[k].x ^ recs[k].y ^ recs[k].h);",
        );
        self.out.line("checksum = checksum * 31 + acc + (unsigned)text[0] + (unsigned)*cp;");
        self.out.line("return (ci + cj) & 63;");
        self.out.close("}");
    }

    /// A place that may go wrong, in a line of its own.
    fn risk(&mut self) {
        self.inside = false;
        let e = if self.rng.chance(55) { self.memory() } else { self.arithmetic() };
        let line = self.out.text.matches('\n').count() as u32 + 1;
        if std::mem::take(&mut self.inside) {
            self.inner.push(line);
        }
        self.in_context(&e);
    }

    /// Declares a variable with a value that the compiler does not look through.
    pub(super) fn variable(&mut self, ty: &str, value: &str) -> String {
        let name = self.out.local("v");
        self.out.line(&format!("{ty} {name} = {value};"));
        name
    }

    /// `one` or `zero`: a condition that is true in so many of 100 cases.
    pub(super) fn flag(&mut self, percent: u64) -> &'static str {
        if self.rng.chance(percent) { "one" } else { "zero" }
    }

    pub(super) fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.rng.index(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_programs() {
        let source = |seed| generate(seed, DataModel::Lp64).text.source;
        assert_eq!(source(5), source(5));
        assert_ne!(source(5), source(6));
    }
}

//! Random programs over memory - lists on the heap, arrays, structures with bit-fields, pointers to locals and members, calls that
//! pass them on - and random predicates about what they point to, as predicate files write them.
//!
//! The programs have no undefined behaviour: every variable is initialised, every dereference stands under a test for null and
//! every index is masked. Predicates are not so careful: they follow null and dangling pointers freely.

use base::rng::Rng;
use base::{FileId, Id};
use ir::{DataModel, Program};
use vc::Predicate;

use crate::compile::compile;

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    extern void *malloc(__SIZE_TYPE__);\n\
    struct node { int val; struct node *next; struct { short a; unsigned f : 3; int g : 5; } in; };\n\
    struct node *ghead; struct node gnode; int garr[4]; int gx;\n";

/// Pointers to nodes that every function has.
const NODES: [&str; 3] = ["p", "q", "r"];

/// What can be assigned to them.
const POINTERS: [&str; 10] = ["p", "q", "r", "p", "q", "r", "&s", "&gnode", "0", "ghead"];

/// Integers that every function has.
const INTS: [&str; 3] = ["x", "y", "i"];

/// The program of a seed, and those of its predicates that have a meaning.
pub(super) fn random(seed: u64) -> Result<(Program, Vec<Predicate>), String> {
    let rng = &mut Rng::new(seed ^ 0x6d65_6d6f);
    let model = if rng.chance(70) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let size = if model == DataModel::Lp64 { "unsigned long" } else { "unsigned int" };
    let mut gen_ = Gen { rng, out: PRELUDE.replace("__SIZE_TYPE__", size), depth: 0, loops: 0, calls: false };
    gen_.function("static int work(struct node *p, int *ip, int x)", &["q", "r"], &["y", "i"]);
    gen_.calls = true;
    gen_.function("int main(void)", &["p", "q", "r"], &["x", "y", "i"]);
    let source = gen_.out.clone();
    let program = compile("memory.c", &source, model, &lower::Options::default())?.program;
    let text = gen_.predicates();
    let file = FileId::from_index(0);
    // A predicate about memory that this program does not touch is refused; the others stay.
    let parsed = crate::predicates::read(&program, file, &text);
    let wrong = parsed.diagnostics.iter().find(|d| matches!(d.id, "syntax" | "undeclared" | "type"));
    match wrong {
        Some(d) => Err(format!("{}: {}\n{text}", d.id, d.message)),
        None => Ok((program, parsed.predicates)),
    }
}

struct Gen<'a> {
    rng: &'a mut Rng,
    out: String,
    depth: usize,
    loops: usize,
    /// `work` can be called.
    calls: bool,
}

impl Gen<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(&"    ".repeat(self.depth + 1));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn function(&mut self, head: &str, pointers: &[&str], ints: &[&str]) {
        self.out.push_str(&format!("{head} {{\n"));
        self.line("struct node s = { 1, 0, { 2, 3, -1 } };");
        self.line("int arr[4] = { 0, 1, 2, 3 };");
        for p in pointers {
            let start = *self.rng.pick(&["0", "&s", "&gnode", "ghead"]);
            self.line(&format!("struct node *{p} = {start};"));
        }
        for x in ints {
            let start = self.rng.below(4);
            self.line(&format!("int {x} = {start};"));
        }
        if self.calls {
            let start = *self.rng.pick(&["&x", "arr", "&gx", "&s.val"]);
            self.line(&format!("int *ip = {start};"));
            self.line("gx = 2; garr[1] = 2; gnode.in.f = 3; ghead = 0;");
        }
        for _ in 0..3 + self.rng.below(5) {
            self.statement();
        }
        if self.calls {
            self.line("x = work(q, ip, y);");
        }
        let cond = self.condition();
        self.line(&format!("if ({cond}) reach_error();"));
        self.line("ghead = 0;");
        self.line("return x;");
        self.out.push_str("}\n");
    }

    fn node(&mut self) -> &'static str {
        NODES[self.rng.index(NODES.len())]
    }

    fn pointer(&mut self) -> &'static str {
        POINTERS[self.rng.index(POINTERS.len())]
    }

    fn int(&mut self) -> &'static str {
        INTS[self.rng.index(INTS.len())]
    }

    fn expr(&mut self) -> String {
        let p = self.node();
        match self.rng.below(10) {
            0 => format!("({p} ? {p}->val : 7)"),
            1 => format!("({p} ? {p}->in.f : 1)"),
            2 => "arr[i & 3]".to_owned(),
            3 => "*ip".to_owned(),
            4 => "s.in.g".to_owned(),
            5 => "(__VERIFIER_nondet_int() & 7)".to_owned(),
            6 => format!("{} + 1", self.int()),
            7 | 8 => self.rng.below(6).to_string(),
            _ => self.int().to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (p, q) = (self.node(), self.pointer());
        let e = self.expr();
        match self.rng.below(6) {
            0 => format!("{p} == {q}"),
            1 => format!("{p} != 0 && {p}->val > {e}"),
            2 => format!("{p} && {p}->next == {q}"),
            3 => format!("{} < {e}", self.int()),
            4 => "ip == &x".to_owned(),
            _ => format!("*ip == {e}"),
        }
    }

    fn statement(&mut self) {
        let (p, q) = (self.node(), self.pointer());
        match self.rng.below(17) {
            // The second has a size that is not known.
            n @ (0 | 1) => self.line(&format!(
                "{p} = malloc(sizeof *{p}{more}); if (!{p}) return 0; {p}->val = 4; {p}->next = 0; {p}->in.a = 1; {p}->in.f = 2; \
                 {p}->in.g = 3;",
                more = ["", " + (x & 7)"][n as usize]
            )),
            2 => self.line(&format!("{p} = {q};")),
            3 => self.line(&format!("if ({p}) {p} = {p}->next;")),
            4 | 5 => self.line(&format!("if ({p}) {p}->next = {q};")),
            6 | 7 => {
                let field = *self.rng.pick(&["val", "val", "in.f", "in.g", "in.a"]);
                let e = self.expr();
                self.line(&format!("if ({p}) {p}->{field} = {e};"));
            }
            8 => {
                let to = *self.rng.pick(&["&x", "&arr[i & 3]", "&s.val", "&gx", "garr"]);
                self.line(&format!("ip = {to};"));
            }
            9 | 10 => {
                let (to, e) = (*self.rng.pick(&["*ip", "arr[i & 3]", "garr[x & 3]", "s.val", "gx"]), self.expr());
                self.line(&format!("{to} = {e};"));
            }
            11 => {
                let (x, e) = (self.int(), self.expr());
                self.line(&format!("{x} = {e};"));
            }
            12 => self.line(&format!("if ({p}) s = *{p};")),
            13 => self.line("ghead = p;"),
            14 if self.calls => {
                let ip = *self.rng.pick(&["ip", "&y", "arr"]);
                self.line(&format!("x = work({p}, {ip}, y);"));
            }
            15 if self.depth < 2 => self.counted_loop(),
            _ if self.depth < 3 => {
                let cond = self.condition();
                self.line(&format!("if ({cond}) {{"));
                self.block();
                self.line("} else {");
                self.block();
                self.line("}");
            }
            _ => self.line("x = x + 1;"),
        }
    }

    fn counted_loop(&mut self) {
        self.loops += 1;
        let k = format!("k{}", self.loops);
        self.line(&format!("for (int {k} = 0; {k} < 3; {k}++) {{"));
        self.block();
        self.line("}");
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.rng.below(3) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn predicates(&mut self) -> String {
        let mut text = String::from("global:\n");
        for _ in 0..self.rng.below(3) {
            let e = *self.rng.pick(&[
                "ghead == NULL",
                "ghead->val > 2",
                "garr[1] == gx",
                "gnode.in.f == 3",
                "gnode.next == ghead",
            ]);
            text.push_str(&format!("  {e}\n"));
        }
        for (function, entry) in [("work", true), ("main", false)] {
            text.push_str(&format!("{function}:\n"));
            for _ in 0..2 + self.rng.below(4) {
                let e = self.predicate(entry);
                text.push_str(&format!("  {e}\n"));
            }
        }
        text
    }

    fn predicate(&mut self, entry: bool) -> String {
        let place = |g: &mut Self| -> String {
            let p = g.node();
            match g.rng.below(9) {
                0 | 1 => format!("{p}->val"),
                2 => format!("{p}->next->val"),
                3 => format!("{p}->in.f"),
                4 => "arr[i]".to_owned(),
                5 => "*ip".to_owned(),
                6 => "s.val".to_owned(),
                7 => "garr[x]".to_owned(),
                _ => g.int().to_owned(),
            }
        };
        if entry && self.rng.chance(35) {
            let all = ["p->val == '(p->val)", "*'ip == '(*ip)", "*'ip == *ip", "'p->val == x", "x == 'x", "'gx == gx"];
            return (*self.rng.pick(&all)).to_owned();
        }
        match self.rng.below(7) {
            0 => format!("{} == NULL", self.node()),
            1 => format!("{} == {}", self.node(), self.node()),
            2 => format!("{}->next == {}", self.node(), self.node()),
            3 => format!("{} < {}", place(self), place(self)),
            4 => format!("{} == {}", place(self), self.rng.below(5)),
            5 => format!("{} & 1", place(self)),
            _ => format!("{} > {}", place(self), self.rng.below(5)),
        }
    }
}

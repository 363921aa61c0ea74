//! The papers' scalar examples. Programs are IR; "math" rows assume signed overflow away by the guard of the statement
//! itself, their twins wrap.
//!
//! Answers are compared as the papers mean them: on the valuations that `enforce` keeps and that pass the statement's
//! `assume`.

use base::{FileId, Id};
use boolprog::semantics::{Values, values_with};
use boolprog::{Expr, StmtKind, Var};
use ir::as_c::show;
use ir::{EdgeId, FuncId, Program};
use lower::annotation::{self, Arithmetic};
use predabs::{Abstraction, Cache, Options, abstract_program, complete, predfile};
use vc::{PredId, Predicate, Predicates, Scope, canonical};

struct Lab {
    program: Program,
    predicates: Predicates,
    abstraction: Abstraction,
}

/// The value of a predicate in a valuation, by its text.
type Value<'a> = &'a dyn Fn(&str) -> bool;
/// What a predicate's new value may be: `Some` if it is certain.
type Expected<'a> = &'a dyn Fn(Value<'_>) -> Option<bool>;

fn lab(ir: &str, predicates: &str) -> Lab {
    lab_with(ir, predicates, &Options::default())
}

fn lab_with(ir: &str, predicates: &str, options: &Options) -> Lab {
    let file = FileId::from_index(0);
    let program = ir::text::parse(file, ir).unwrap_or_else(|d| panic!("{d:?}\n{ir}"));
    assert_eq!(ir::validate::validate(&program), Ok(()));
    let parsed = predfile::predicates(&program, annotation::read(&program, file, predicates, Arithmetic::Exact));
    assert_eq!(parsed.diagnostics, []);
    let mut list = Predicates::new();
    for p in parsed.predicates {
        list.insert(p);
    }
    let analysis = analysis::Analysis::new(&program);
    complete(&analysis, &mut list);
    let abstraction =
        abstract_program(&analysis, &list, &[], &vc::LocationInvariants::new(), options, &mut Cache::new()).unwrap();
    Lab { program, predicates: list, abstraction }
}

impl Lab {
    fn func(&self, name: &str) -> FuncId {
        self.program.function(name).unwrap()
    }

    /// The tracked predicate that this text means. Texts here are spelled so that they have its sign.
    fn pred(&self, func: FuncId, text: &str) -> Option<PredId> {
        [Scope::Function(func), Scope::Global].into_iter().find_map(|scope| {
            let within = if let Scope::Function(f) = scope { Some(f) } else { None };
            let written = annotation::condition(&self.program, within, FileId::from_index(0), text).ok()?;
            let p = Predicate { scope, expr: canonical(&written).0 };
            assert!(!text.contains(['!', '>']), "a positive spelling is wanted");
            self.predicates.ids().find(|&id| *self.predicates.get(id) == p)
        })
    }

    fn var(&self, func: FuncId, text: &str) -> Var {
        if let Some(id) = self.pred(func, text) {
            return self.abstraction.var(func, id).unwrap();
        }
        let proc = self.abstraction.functions[func].as_ref().unwrap().proc;
        let found = self.abstraction.program.scope(proc).find(|&v| self.abstraction.program.var_name(proc, v) == text);
        found.unwrap_or_else(|| panic!("no variable {text} in\n{}", self.text()))
    }

    fn text(&self) -> String {
        boolprog::print(&self.abstraction.program)
    }

    /// The statements of an edge, up to the jump at its end.
    fn block(&self, func: FuncId, edge: usize) -> Vec<&StmtKind> {
        let map = self.abstraction.functions[func].as_ref().unwrap();
        let body = &self.abstraction.program.procs[map.proc].body;
        let first = map.edges[EdgeId::from_index(edge)].unwrap();
        let rest = body.iter_enumerated().filter(|(s, _)| *s >= first).map(|(_, s)| &s.kind);
        rest.take_while(|k| !matches!(k, StmtKind::Goto(_))).collect()
    }

    /// Compares the values that `pick` finds in an edge's statements, on all valuations that matter.
    fn compare(&self, func: &str, expr: &Expr, assumed: &[&Expr], with_enforce: bool, expected: Expected<'_>) {
        let func = self.func(func);
        let proc = self.abstraction.functions[func].as_ref().unwrap().proc;
        let vars: Vec<Var> = self.abstraction.program.scope(proc).collect();
        let enforce = self.abstraction.program.procs[proc].enforce.as_ref().filter(|_| with_enforce);
        let mut checked = 0;
        for valuation in 0..1u32 << vars.len() {
            let value = |v: Var| valuation >> vars.iter().position(|&w| w == v).unwrap() & 1 == 1;
            let holds = |e: &Expr| values_with(e, &value, &value).can_true;
            if !enforce.into_iter().chain(assumed.iter().copied()).all(holds) {
                continue;
            }
            checked += 1;
            let actual = values_with(expr, &value, &value);
            let wanted = match expected(&|text| value(self.var(func, text))) {
                Some(b) => Values::exactly(b),
                None => Values { can_true: true, can_false: true },
            };
            let shown: Vec<_> = vars.iter().map(|&v| (self.abstraction.program.var_name(proc, v), value(v))).collect();
            assert_eq!(
                actual,
                wanted,
                "{} in {shown:?}\n{}",
                boolprog::print_expr(&self.abstraction.program, proc, expr),
                self.text()
            );
        }
        assert!(checked > 0, "no valuation is left");
    }

    fn assumes(block: &[&StmtKind]) -> Vec<Expr> {
        block.iter().filter_map(|k| if let StmtKind::Assume(e) = k { Some(e.clone()) } else { None }).collect()
    }

    /// The new value of a predicate across an edge that is no call.
    fn update(&self, func: &str, edge: usize, pred: &str, expected: Expected<'_>) {
        let id = self.func(func);
        let block = self.block(id, edge);
        let var = self.var(id, pred);
        let assigned = block.iter().rev().find_map(|k| match k {
            StmtKind::Assign(pairs) => pairs.iter().find(|(v, _)| *v == Some(var)).map(|(_, e)| e),
            _ => None,
        });
        let unchanged = Expr::Var(var);
        // Behind a call the variables speak of different states: `enforce` does not hold between them.
        let call = block.iter().position(|k| matches!(k, StmtKind::Call { .. }));
        let assumes = Self::assumes(&block[call.unwrap_or(0)..]);
        let assumed: Vec<&Expr> = assumes.iter().collect();
        self.compare(func, assigned.unwrap_or(&unchanged), &assumed, call.is_none(), expected);
    }

    /// The states that pass the edge.
    fn assume(&self, func: &str, edge: usize, expected: &dyn Fn(Value<'_>) -> bool) {
        let assumes = Self::assumes(&self.block(self.func(func), edge));
        self.compare(func, &Expr::and(assumes), &[], true, &|v| Some(expected(v)));
    }

    /// The actual parameter of a call for the callee's formal.
    fn argument(&self, func: &str, edge: usize, callee: &str, formal: &str, expected: Expected<'_>) {
        let block = self.block(self.func(func), edge);
        let callee = self.func(callee);
        let map = self.abstraction.functions[callee].as_ref().unwrap();
        let id = self.pred(callee, formal).unwrap();
        let n = map.interface.formals.iter().position(|&p| p == id).unwrap_or_else(|| panic!("{formal} is no formal"));
        let args = block.iter().find_map(|k| if let StmtKind::Call { args, .. } = k { Some(args) } else { None });
        self.compare(func, &args.unwrap()[n], &[], true, expected);
    }

    fn shown(&self, func: &str, preds: impl IntoIterator<Item = PredId>) -> Vec<String> {
        let func = self.func(func);
        preds.into_iter().map(|p| show(&self.program, func, &self.predicates.get(p).expr)).collect()
    }

    fn formals(&self, func: &str) -> Vec<String> {
        let map = self.abstraction.functions[self.func(func)].as_ref().unwrap();
        self.shown(func, map.interface.formals.clone())
    }

    fn results(&self, func: &str) -> Vec<String> {
        let map = self.abstraction.functions[self.func(func)].as_ref().unwrap();
        self.shown(func, map.interface.results.iter().map(|(p, _)| *p))
    }

    /// The error edges that the boolean program reaches, by explicit search and by `reach`.
    fn errors(&self) -> Vec<usize> {
        let tabulated = boolprog::oracle::tabulate(&self.abstraction.program).unwrap();
        let analysis = reach::analyze(&self.abstraction.program, &[], &reach::Options::default()).unwrap();
        let mut reached = Vec::new();
        for t in &self.abstraction.targets {
            let found = tabulated.reaches((t.proc, t.stmt));
            assert_eq!(found, analysis.reaches(t.proc, t.stmt));
            if found {
                reached.push(t.edge.index());
            }
        }
        reached
    }
}

const MATH: &str = "ub signed-overflow assumed-away\n";

fn increment(math: bool) -> String {
    format!(
        "model LP64\nentry main\n{}func external main(x: i32) {{\n  locations 4 entry L0 exit L3\n  \
         e0: L0 -> L1: [signed-overflow: !add_overflows(x, 1:i32)] x := (x + 1:i32)\n  \
         e1: L1 -> L2: assume (x < 2:i32)\n  e2: L2 -> L3: return\n}}\n",
        if math { MATH } else { "" }
    )
}

/// TR00 §4.1, first example: the whole table, both polarities.
#[test]
fn tr00_table_of_x_plus_one() {
    let preds = "main: x = 1, x = 2, x <= 3";
    for math in [true, false] {
        let lab = lab(&increment(math), preds);
        let b = |v: &dyn Fn(&str) -> bool| (v("x == 1"), v("x == 2"), v("x <= 3"));
        lab.update("main", 0, "x == 1", &|v| {
            let (b1, b2, b3) = b(v);
            (b1 || b2 || !b3).then_some(false)
        });
        lab.update("main", 0, "x == 2", &|v| {
            let (b1, b2, b3) = b(v);
            assert!(!(b1 && (b2 || !b3)), "the table's two columns exclude each other");
            Some(b1)
        });
        lab.update("main", 0, "x <= 3", &|v| match b(v) {
            (b1, b2, _) if b1 || b2 => Some(true),
            // Where addition wraps, the greatest number becomes the least.
            (.., false) if math => Some(false),
            _ => None,
        });
    }
}

/// TR00 §4.1, second example.
#[test]
fn tr00_assert_y_less_z() {
    let ir = "model LP64\nentry main\nfunc external main(x: i32, y: i32, z: i32) {\n  locations 4 entry L0 exit L3\n  \
              e0: L0 -> L1: assume (y < z)\n  e1: L0 -> L2: assume !(y < z)\n  e2: L1 -> L3: return\n  \
              e3: L2 -> end: error assert \"y < z\"\n}\n";
    let lab = lab(ir, "main: x < y, x < z, y < z");
    let b = |v: &dyn Fn(&str) -> bool| (v("x < y"), v("x < z"), v("y < z"));
    // F(!(y<z)) = !b6 or (b4 & !b5).
    lab.assume("main", 0, &|v| {
        let (b4, b5, b6) = b(v);
        !(!b6 || b4 && !b5)
    });
    lab.assume("main", 1, &|v| !b(v).2);
    // The printed updates, on the states that passed.
    lab.update("main", 0, "x < y", &|v| Some(b(v).0));
    lab.update("main", 0, "x < z", &|v| match b(v) {
        (b4, b5, _) if b5 || b4 => Some(true),
        _ => Some(false),
    });
    lab.update("main", 0, "y < z", &|_| Some(true));
}

/// PLDI01 §4.1: F(x < 4) = {x == 2}; TOPLAS05 §4.3: both updates (math) and the assume.
#[test]
fn pldi01_and_toplas05_x_less_5() {
    let lab = lab(&increment(true), "main: x < 5, x = 2");
    lab.update("main", 0, "x < 5", &|v| match (v("x == 2"), v("x < 5")) {
        (true, _) => Some(true),
        (_, false) => Some(false),
        _ => None,
    });
    lab.update("main", 0, "x == 2", &|v| (v("x == 2") || !v("x < 5")).then_some(false));
    lab.assume("main", 1, &|v| v("x < 5") && !v("x == 2"));
    let wrap = self::lab(&increment(false), "main: x < 5, x = 2");
    wrap.update("main", 0, "x < 5", &|v| v("x == 2").then_some(true));
    wrap.update("main", 0, "x == 2", &|v| (v("x == 2") || !v("x < 5")).then_some(false));
    wrap.assume("main", 1, &|v| v("x < 5") && !v("x == 2"));
}

/// PLDI01 §5.1: enforce !(x==1 & x==2).
#[test]
fn pldi01_enforce() {
    let lab = lab(&increment(false), "main: x == 1, x == 2");
    let main = &lab.abstraction.program.procs[lab.abstraction.program.entry];
    let b = [lab.var(lab.func("main"), "x == 1"), lab.var(lab.func("main"), "x == 2")];
    for valuation in 0..4 {
        let value = |v: Var| valuation >> b.iter().position(|&w| w == v).unwrap() & 1 == 1;
        let enforced = values_with(main.enforce.as_ref().unwrap(), &value, &value);
        assert_eq!(enforced, Values::exactly(valuation != 3));
    }
    let none = lab_with(&increment(false), "main: x == 1, x == 2", &Options { enforce_cube: 0, ..Options::default() });
    assert_eq!(none.abstraction.program.procs[none.abstraction.program.entry].enforce, None);
}

/// TACAS01 fig 1: the assertion is unreachable from every calling context.
#[test]
fn tacas01_fig_1() {
    let ir = "model LP64\nentry foo\nglobal @x: i32 external = unknown\nglobal @y: i32 external = unknown\n\
              global @z: i32 external = unknown\nglobal @w: i32 external = unknown\nfunc external foo() {\n  \
              locations 11 entry L0 exit L10\n  e0: L0 -> L1: skip\n  e1: L1 -> L2: @z := 0:i32\n  e2: L2 -> L3: @x := @y\n  \
              e3: L3 -> L4: assume (@w != 0:i32)\n  e4: L3 -> L6: assume (@w == 0:i32)\n  e5: L4 -> L5: @x := (@x + 1:i32)\n  \
              e6: L5 -> L6: @z := 1:i32\n  e7: L6 -> L1: assume (@x != @y)\n  e8: L6 -> L7: assume (@x == @y)\n  \
              e9: L7 -> L9: assume (@z != 0:i32)\n  e10: L7 -> L8: assume (@z == 0:i32)\n  \
              e11: L9 -> end: error assert \"0\"\n  e12: L8 -> L10: return\n}\n";
    let lab = lab(ir, "global: z = 0, x = y");
    lab.update("foo", 1, "z == 0", &|_| Some(true));
    lab.update("foo", 2, "x == y", &|_| Some(true));
    lab.update("foo", 5, "x == y", &|v| v("x == y").then_some(false));
    lab.update("foo", 6, "z == 0", &|_| Some(false));
    lab.assume("foo", 3, &|_| true);
    // The loop goes on where x != y: the print has the opposite.
    lab.assume("foo", 7, &|v| !v("x == y"));
    lab.assume("foo", 9, &|v| !v("z == 0"));
    assert_eq!(lab.errors(), [0usize; 0]);
    assert_eq!(self::lab(ir, "global: z = 0").errors(), [11], "x == y is needed");
}

/// TOPLAS05 §1: one predicate proves both calls.
#[test]
fn toplas05_id() {
    let ir = "model LP64\nentry main\nfunc external id(x: i32) -> $result {\n  local $result: i32\n  \
              locations 2 entry L0 exit L1\n  e0: L0 -> L1: return x\n}\nfunc external main() {\n  local a: i32\n  \
              local b: i32\n  locations 6 entry L0 exit L5\n  e0: L0 -> L1: a := call id(5:i32)\n  \
              e1: L1 -> L2: b := call id(73:i32)\n  e2: L2 -> L3: assume !((a == 5:i32) && (b == 73:i32))\n  \
              e3: L2 -> L4: assume ((a == 5:i32) && (b == 73:i32))\n  e4: L3 -> end: error assert \"a == 5 && b == 73\"\n  e5: L4 -> L5: return\n}\n";
    let lab = lab(ir, "id: x = 'x\nmain: a = 5, b = 73");
    assert_eq!(lab.errors(), [0usize; 0], "{}", lab.text());
    assert_eq!(lab.results("id"), ["x == 'x", "$result == 'x"]);
    assert_eq!(self::lab(ir, "main: a = 5, b = 73").errors(), [4], "without it nothing is known of the results");
}

/// TOPLAS05 fig 1; `main` calls `foo` with 2, where `c` must be 4.
fn inc_foo(argument: i32, sum: i32) -> String {
    format!(
        "model LP64\nentry main\n{MATH}func external inc(x: i32) -> $result {{\n  local $result: i32\n  \
         locations 3 entry L0 exit L2\n  e0: L0 -> L1: [signed-overflow: !add_overflows(x, 1:i32)] x := (x + 1:i32)\n  \
         e1: L1 -> L2: return x\n}}\nfunc external foo(a: i32) -> $result {{\n  local $result: i32\n  local b: i32\n  local c: i32\n  \
         locations 4 entry L0 exit L3\n  e0: L0 -> L1: b := call inc(a)\n  e1: L1 -> L2: c := call inc(b)\n  \
         e2: L2 -> L3: return c\n}}\nfunc external main() {{\n  local r: i32\n  locations 5 entry L0 exit L4\n  \
         e0: L0 -> L1: r := call foo({argument}:i32)\n  e1: L1 -> L2: assume (r != {sum}:i32)\n  \
         e2: L1 -> L3: assume (r == {sum}:i32)\n  e3: L2 -> end: error assert \"r\"\n  e4: L3 -> L4: return\n}}\n"
    )
}

/// TOPLAS05 fig 2: monomorphic predicates.
#[test]
fn toplas05_fig_2() {
    let lab = lab(&inc_foo(2, 4), "inc: x = 2, x = 3, x = 4\nfoo: a = 2, b = 3, c = 4\nmain: r = 4");
    assert_eq!(lab.formals("inc"), ["x == 2", "x == 3", "x == 4"]);
    assert_eq!(lab.results("inc"), ["$result == 2", "$result == 3", "$result == 4"]);
    lab.update("inc", 0, "x == 2", &|v| (v("x == 2") || v("x == 3") || v("x == 4")).then_some(false));
    lab.update("inc", 0, "x == 3", &|v| Some(v("x == 2")));
    lab.update("inc", 0, "x == 4", &|v| Some(v("x == 3")));
    assert_eq!(lab.formals("foo"), ["a == 2"]);
    lab.argument("foo", 0, "inc", "x == 2", &|v| Some(v("a == 2")));
    lab.argument("foo", 0, "inc", "x == 3", &|v| v("a == 2").then_some(false));
    lab.argument("foo", 0, "inc", "x == 4", &|v| v("a == 2").then_some(false));
    lab.update("foo", 0, "b == 3", &|v| Some(v("ret2")));
    lab.argument("foo", 1, "inc", "x == 2", &|v| v("b == 3").then_some(false));
    lab.argument("foo", 1, "inc", "x == 3", &|v| Some(v("b == 3")));
    lab.argument("foo", 1, "inc", "x == 4", &|v| v("b == 3").then_some(false));
    lab.update("foo", 1, "c == 4", &|v| Some(v("ret3")));
    assert_eq!(lab.errors(), [0usize; 0], "{}", lab.text());
}

/// TOPLAS05 fig 3: polymorphic predicates; a new call needs no new abstraction of `inc`.
#[test]
fn toplas05_fig_3() {
    let poly = "inc: x = 'x, x = 'x + 1\n";
    let lab = lab(&inc_foo(2, 4), &format!("{poly}foo: a = 2, b = 3, c = 4\nmain: r = 4"));
    assert_eq!(lab.formals("inc"), [""; 0]);
    assert_eq!(lab.results("inc"), ["$result == 'x", "$result == 'x + 1"]);
    lab.update("inc", 0, "x == 'x", &|v| (v("x == 'x") || v("x == 'x + 1")).then_some(false));
    lab.update("inc", 0, "x == 'x + 1", &|v| Some(v("x == 'x")));
    for (edge, from, to) in [(0, "a == 2", "b == 3"), (1, "b == 3", "c == 4")] {
        lab.update("foo", edge, to, &|v| match (v(from), v("ret2")) {
            (true, true) => Some(true),
            (false, false) => None,
            _ => Some(false),
        });
    }
    assert_eq!(lab.errors(), [0usize; 0], "{}", lab.text());

    let other = self::lab(&inc_foo(5, 7), &format!("{poly}foo: a = 5, b = 6, c = 7\nmain: r = 7"));
    let inc =
        |l: &Lab| l.abstraction.program.procs[l.abstraction.functions[l.func("inc")].as_ref().unwrap().proc].clone();
    assert_eq!(inc(&lab), inc(&other), "one abstraction of inc serves both");
    assert_eq!(other.errors(), [0usize; 0]);

    let both = format!("{poly}foo: a = 'a, b = 'a + 1, c = 'a + 2\nmain: r = ");
    assert_eq!(self::lab(&inc_foo(2, 4), &format!("{both}4")).errors(), [0usize; 0]);
    assert_eq!(self::lab(&inc_foo(40, 42), &format!("{both}42")).errors(), [0usize; 0]);
    assert_eq!(self::lab(&inc_foo(40, 43), &format!("{both}43")).errors(), [3], "a wrong sum is not proved");
}

/// TOPLAS05 §4.4, PLDI01 §4.5.3 note 4: what is formal, returned, bound.
#[test]
fn interfaces() {
    let ir = "model LP64\nentry main\nglobal @g: i32 external = zero\nfunc external f(x: i32, y: i32) -> $result {\n  \
              local $result: i32\n  local l: i32\n  locations 4 entry L0 exit L3\n  e0: L0 -> L1: x := (x + y)\n  \
              e1: L1 -> L2: @g := l\n  e2: L2 -> L3: return l\n}\nfunc external main() {\n  locations 3 entry L0 exit L2\n  \
              e0: L0 -> L1: call f(1:i32, 2:i32)\n  e1: L1 -> L2: return\n}\n";
    let lab = lab(ir, "f: x > 0, y > 0, g > x, l > y, 'x > 3, x > 'x, g > 'g, $result > 'x + y, l == x");
    // x changes: what speaks of it cannot be returned. 'x > 3 is known at the entry by the caller alone.
    assert_eq!(lab.formals("f"), ["x < 1", "y < 1", "x < g", "'x < 4"]);
    let ids = lab.predicates.ids();
    let names: Vec<String> = ids.map(|p| show(&lab.program, lab.func("f"), &lab.predicates.get(p).expr)).collect();
    assert!(["x == 'x", "g == 'g"].iter().all(|b| names.iter().any(|n| n == b)), "{names:?}");
    assert!(!names.iter().any(|n| n == "y == 'y"), "y never changes: its binding is a fact");
    let mut results = lab.results("f");
    results.sort();
    // l is returned: `l > y` yields a predicate about the result.
    assert_eq!(results, ["'g < g", "'x < 4", "g == 'g", "y + 'x < $result", "y < $result", "y < 1"]);
}

/// TOPLAS05 §4.4.3: a local predicate about a global speaks of its original value after a call that changes it.
#[test]
fn no_stale_predicate_survives_a_call() {
    let ir = |set: &str| {
        format!(
            "model LP64\nentry main\nglobal @g: i32 external = zero\nfunc external f() {{\n  locations 3 entry L0 exit L2\n  \
             e0: L0 -> L1: @g := {set}\n  e1: L1 -> L2: return\n}}\nfunc external main() {{\n  local l: i32\n  locations 7 entry L0 exit L6\n  \
             e0: L0 -> L1: l := 0:i32\n  e1: L1 -> L2: call f()\n  e2: L2 -> L3: assume (l != @g)\n  e3: L2 -> L5: assume (l == @g)\n  \
             e4: L3 -> L4: skip\n  e5: L4 -> end: error assert \"l == g\"\n  e6: L5 -> L6: return\n}}\n"
        )
    };
    let stale = "main: l == g, g == 0, l == 0\n";
    assert_eq!(lab(&ir("1:i32"), stale).errors(), [5], "the call changes g");
    assert_eq!(lab(&ir("(@g + 1:i32)"), stale).errors(), [5]);
    let same = lab(&ir("@g"), stale);
    assert_eq!(same.errors(), [5], "nothing is known of what f does");
    same.update("main", 1, "l == g", &|_| None);
    // With a returned fact about the original value it is known again.
    let bound = lab(&ir("@g"), &format!("{stale}f: g = 'g"));
    assert_eq!(bound.errors(), [0usize; 0], "{}", bound.text());
    // PLDI01 §4.5: the result goes to a global; the global predicate follows.
    let ir = "model LP64\nentry main\nglobal @g: i32 external = zero\nfunc external one() -> $result {\n  local $result: i32\n  \
              locations 2 entry L0 exit L1\n  e0: L0 -> L1: return 1:i32\n}\nfunc external main() {\n  locations 5 entry L0 exit L4\n  \
              e0: L0 -> L1: @g := call one()\n  e1: L1 -> L2: assume (@g != 1:i32)\n  e2: L1 -> L3: assume (@g == 1:i32)\n  \
              e3: L2 -> end: error assert \"g == 1\"\n  e4: L3 -> L4: return\n}\n";
    assert_eq!(lab(ir, "global: g = 1\none: $result = 1").errors(), [0usize; 0]);
    assert_eq!(lab(ir, "global: g = 1").errors(), [3]);
}

/// The trace of a boolean program leads back to the IR path and to what it claims on the way.
#[test]
fn a_trace_lifts_to_a_path() {
    let lab = lab(&inc_foo(2, 4), "foo: a = 2\nmain: r = 4");
    let target = lab.abstraction.targets[0];
    let goal = boolprog::interp::Goal::At(target.proc, target.stmt);
    let mut analysis = reach::analyze(&lab.abstraction.program, &[goal], &reach::Options::default()).unwrap();
    let trace = analysis.trace(goal, 10_000).unwrap();
    let path = lab.abstraction.lift(&trace);
    let edges: Vec<(String, usize, usize)> =
        path.iter().map(|s| (lab.program.functions[s.func].name.clone(), s.edge.index(), s.depth)).collect();
    let expected = [
        ("main", 0, 0),
        ("foo", 0, 1),
        ("inc", 0, 2),
        ("inc", 1, 2),
        ("foo", 1, 1),
        ("inc", 0, 2),
        ("inc", 1, 2),
        ("foo", 2, 1),
        ("main", 1, 0),
        ("main", 3, 0),
    ];
    assert_eq!(edges, expected.map(|(f, e, d)| (f.to_owned(), e, d)));
    let r = lab.pred(lab.func("main"), "r == 4").unwrap();
    assert_eq!(path[0].after.as_ref().unwrap(), &[(r, false)], "main's call has returned");
    assert_eq!(path[9].after, None, "the run ends there");
    let a = lab.pred(lab.func("foo"), "a == 2").unwrap();
    assert_eq!(path[1].before, [(a, true)]);
}

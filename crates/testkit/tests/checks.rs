//! Undefined behaviour as a defect (`--check`): for each kind a program in which it does not happen, proved, and one in
//! which it does, broken with the right kind.

use ir::{DataModel, ErrorKind, Op, Ub, UbPolicy};
use testkit::compile::compile;
use verify::{Engine, Settings, Silent, Verdict, verify};

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void);\nextern void *malloc(unsigned long);\n\
    extern void free(void *);\nstruct node { int v; struct node *next; };\nint a[4];\nint g;\n";

/// A kind, a program in which it does not happen, and one in which it does.
const PAIRS: &[(Ub, &str, &str)] = &[
    (
        Ub::NullDeref,
        "int main(void) { int *p = __VERIFIER_nondet_int() ? &g : 0; if (p) *p = 1; return 0; }",
        "int main(void) { int *p = __VERIFIER_nondet_int() ? &g : 0; *p = 1; return 0; }",
    ),
    (
        Ub::NullDeref,
        "int main(void) { int *p = malloc(4); if (!p) return 0; *p = 1; return *p; }",
        "int main(void) { int *p = malloc(4); *p = 1; return *p; }",
    ),
    (
        Ub::NullDeref,
        "int get(struct node *n) { return n ? n->v : 0; }\n\
         int main(void) { struct node n = { 1, 0 }; return get(__VERIFIER_nondet_int() ? &n : 0); }",
        "int get(struct node *n) { return n->next->v; }\n\
         int main(void) { struct node n = { 1, 0 }; return get(&n); }",
    ),
    (
        Ub::OutOfBounds,
        "int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; a[i] = 1; return 0; }",
        "int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0; a[i] = 1; return 0; }",
    ),
    (
        Ub::OutOfBounds,
        "int main(void) { int i = __VERIFIER_nondet_int(); int *p = a; if (i < 0 || i > 3) return 0; p[i] = 1; return 0; }",
        "int main(void) { int i = __VERIFIER_nondet_int(); int *p = a; if (i < 0 || i > 4) return 0; p[i] = 1; return 0; }",
    ),
    (
        Ub::OutOfBounds,
        "int main(void) { int *p = malloc(8); if (!p) return 0; int i = __VERIFIER_nondet_int() & 1; p[i] = 1; return 0; }",
        "int main(void) { int *p = malloc(8); if (!p) return 0; int i = __VERIFIER_nondet_int() & 3; p[i] = 1; return 0; }",
    ),
    (
        Ub::OutOfBounds,
        "int main(void) { for (int i = 0; i < 4; i++) a[i] = i; return 0; }",
        "int main(void) { for (int i = 0; i < 5; i++) a[i] = i; return 0; }",
    ),
    (
        Ub::OutOfBounds,
        "int main(void) { int *p = malloc(12); if (!p) return 0; for (int i = 0; i < 3; i++) p[i] = i; return 0; }",
        "int main(void) { int *p = malloc(12); if (!p) return 0; for (int i = 0; i < 4; i++) p[i] = i; return 0; }",
    ),
    (
        Ub::OutOfBounds,
        "void set(int *p) { p[1] = 1; }\nint main(void) { set(a + 2); return 0; }",
        "void set(int *p) { p[1] = 1; }\nint main(void) { set(a + 3); return 0; }",
    ),
    (
        Ub::DivByZero,
        "int main(void) { int x = __VERIFIER_nondet_int(); return x ? 7 / x : 0; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); return 7 / x; }",
    ),
    (
        Ub::DivOverflow,
        "int main(void) { int x = __VERIFIER_nondet_int(); int *p = &x; return *p > 0 ? -2147483647 / *p : 0; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); int *p = &x; return *p ? (-2147483647 - 1) / *p : 0; }",
    ),
    (
        Ub::SignedOverflow,
        "int main(void) { g = __VERIFIER_nondet_int(); int *p = &g; if (*p < 100) *p = *p + 1; return g; }",
        "int main(void) { g = __VERIFIER_nondet_int(); int *p = &g; if (*p > 100) *p = *p + 1; return g; }",
    ),
    (
        Ub::ShiftCount,
        "int main(void) { a[1] = __VERIFIER_nondet_int() & 31; return 1u << a[1]; }",
        "int main(void) { a[1] = __VERIFIER_nondet_int() & 63; return 1u << a[1]; }",
    ),
    (
        Ub::UseAfterFree,
        "int main(void) { int *p = malloc(4); if (!p) return 0; *p = 1; int r = *p; free(p); return r; }",
        "int main(void) { int *p = malloc(4); if (!p) return 0; *p = 1; if (__VERIFIER_nondet_int()) free(p); return *p; }",
    ),
    (
        Ub::UseAfterFree,
        "int main(void) { int *p = malloc(4), *q = malloc(4); if (!p || !q) return 0; *q = 1; free(p); return *q; }",
        "int main(void) { int *p = malloc(4), *q = p; if (!p) return 0; *q = 1; free(p); return *q; }",
    ),
    (
        Ub::BadFree,
        "int main(void) { int *p = malloc(4); free(p); p = 0; free(p); return 0; }",
        "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }",
    ),
    (
        Ub::BadFree,
        "int main(void) { int *p = malloc(8); if (__VERIFIER_nondet_int()) free(p); else free(p); return 0; }",
        "int main(void) { int *p = malloc(8); if (!p) return 0; free(p + 1); return 0; }",
    ),
    (
        Ub::BadFree,
        "int main(void) { int *p = __VERIFIER_nondet_int() ? &g : malloc(4); if (p != &g) free(p); return 0; }",
        "int main(void) { int *p = __VERIFIER_nondet_int() ? &g : malloc(4); free(p); return 0; }",
    ),
];

/// What the engines say: `None` for no answer, otherwise the defect or none.
fn answer(ub: Ub, text: &str, engine: Engine) -> Result<Option<Ub>, String> {
    let mut options = lower::Options::default();
    options.ub.set(ub, UbPolicy::Checked);
    let program = compile("check.c", &format!("{PRELUDE}{text}"), DataModel::Lp64, &options).unwrap().program;
    assert_eq!(ir::validate::validate(&program), Ok(()));
    let settings = Settings { engines: vec![engine], ..Settings::default() };
    match verify(&analysis::Analysis::new(&program), &settings, &mut Silent).verdict {
        Verdict::Safe(_) => Ok(None),
        Verdict::Unknown(why) => Err(why.cause),
        Verdict::Unsafe(broken) => {
            let path = broken.get().path.clone().expect("a counterexample of these engines has a path");
            let &(func, edge) = path.edges.last().expect("a path to a defect has steps");
            match &program.functions[func].body.as_ref().unwrap().edges[edge].op {
                Op::Error(ErrorKind::Ub(found)) => Ok(Some(*found)),
                other => panic!("{text}: ends in {other:?}"),
            }
        }
    }
}

#[test]
fn every_kind_is_proved_absent_or_shown() {
    let mut missing = Vec::new();
    for (ub, safe, broken) in PAIRS {
        for (text, expected, engine) in [(safe, None, Engine::Abstraction), (broken, Some(*ub), Engine::Bounded)] {
            match answer(*ub, text, engine) {
                Ok(found) => assert_eq!(found, expected, "{engine:?}: {text}"),
                Err(why) => missing.push(format!("{} by {engine:?}: {why}\n  {text}", ub.name())),
            }
        }
    }
    assert!(missing.is_empty(), "{} without answer:\n{}", missing.len(), missing.join("\n"));
}

//! What refinement finds by itself: small programs, each with a step that one kind of predicate explains. Invariants are not
//! looked for here, which would explain some of them too.

use ir::{DataModel, Externs};
use testkit::compile::compile;
use verify::{Engine, Settings, Silent, Verdict, verify};

const HEAD: &str = "extern void reach_error(void); extern int nd(void);\n";

fn verdict_about(text: &str) -> Verdict {
    let options = lower::Options { externs: Externs::Pure, ..lower::Options::default() };
    let compiled = compile("program.c", &format!("{HEAD}{text}"), DataModel::Lp64, &options).expect("it compiles");
    let mut settings = Settings { engines: vec![Engine::Abstraction], ..Settings::default() };
    settings.abstraction.invgen = None;
    verify(&analysis::Analysis::new(&compiled.program), &settings, &mut Silent).verdict
}

fn proved(text: &str) {
    let verdict = verdict_about(text);
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
}

#[test]
fn words_that_lie_in_memory_as_bytes() {
    proved(
        "struct dev { char c; short s; int n; void *buf; }; extern struct dev *get(void); extern void *make(void);
        int main(void) { struct dev *d = get(); void *t = make(); d->c = 1; d->s = 2; d->n = 3; d->buf = t;
        while (nd()) { } if (t != 0 && d->buf == 0) reach_error(); return 0; }",
    );
}

#[test]
fn what_a_call_leaves_as_it_was() {
    proved(
        "int g; void step(int c) { if (c) g = nd(); }
        int main(void) { int x = nd(); g = x; while (nd()) step(0); if (g != x) reach_error(); return 0; }",
    );
    proved(
        "int g, h; void step(int *p, int c) { if (c) *p = nd(); }
        int main(void) { int x = nd(); h = nd(); g = x; while (nd()) step(h > 5 ? &g : &h, 0); if (g != x) reach_error();
        return 0; }",
    );
}

#[test]
fn pointers_as_numbers() {
    proved(
        "int g; extern void *make(void);
        int main(void) { void *p = make(); if ((unsigned long)p <= 4095) g = 1; while (nd()) { }
        if ((unsigned long)p > 4095 && g) reach_error(); return 0; }",
    );
}

#[test]
fn results_that_are_constants() {
    proved(
        "int pick(int k) { if (k) return nd(); return 7; }
        int main(void) { int a = pick(0), b; while (nd()) { } b = pick(0); while (nd()) { } if (a < b) reach_error(); return 0; }",
    );
}

#[test]
fn functions_as_values() {
    proved(
        "int one(void) { return 1; } int two(void) { return 2; } int (*other)(void) = two;
        int main(void) { int (*h)(void) = one; while (nd()) { } if (h() == 2) reach_error(); return 0; }",
    );
    proved(
        "int one(void) { return 1; } int two(void) { return 2; }
        int main(void) { int (*h)(void) = nd() ? one : two; while (nd()) { } if (h == one && h() == 2) reach_error(); return 0; }",
    );
}

/// The first error is reached by a null pointer's member only, so there is no proof; the second one by a run without.
#[test]
fn runs_are_found_behind_what_no_proof_can_rule_out() {
    let first =
        "struct s { int v; } o; int main(void) { struct s *p = &o; int x; o.v = nd(); if (nd()) p = 0; x = p->v;
        if (p == 0) reach_error();";
    let Verdict::Unknown(reason) = verdict_about(&format!("{first} return 0; }}")) else {
        panic!("there is no answer")
    };
    assert!(reason.cause.contains("null-deref, on which no proof may build"), "{}", reason.cause);
    let verdict = verdict_about(&format!("{first} if (x == 77) reach_error(); return 0; }}"));
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
}

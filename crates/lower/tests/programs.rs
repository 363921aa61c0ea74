//! Small C programs that check themselves, one per part of the language: lowered, validated and run in the interpreter in
//! both data models. Each calls `reach_error` if a result is not the one that gcc gives (`-O0 -fwrapv`); `order.c` alone
//! depends on what C leaves open.
#![expect(clippy::disallowed_methods, reason = "the programs are files beside this one")]

use crate::support::{lowered, run};
use cfront::Target;
use ir::interp::End;

fn check(name: &str) {
    check_for(name, &[Target::Ilp32, Target::Lp64]);
}

fn check_for(name: &str, targets: &[Target]) {
    let path = format!("{}/tests/run/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the program is there");
    for &target in targets {
        let program = lowered(&text, target, &lower::Options { malloc_may_fail: false, ..Default::default() });
        let end = run(&program.program).end;
        let fine = matches!(end, End::Exited(Some(v)) if v.bits == 0) || matches!(end, End::Halted { .. });
        assert!(fine, "{name} for {target:?} ends in {end:?}");
        let others = &program.unsupported;
        assert!(others.is_empty(), "{name} for {target:?}: {others:?}");
    }
}

#[test]
fn arithmetic() {
    check("arithmetic");
}

#[test]
fn control() {
    check("control");
}

#[test]
fn sequence() {
    check("sequence");
}

#[test]
fn order() {
    check("order");
}

#[test]
fn complex() {
    check("complex");
}

#[test]
fn vectors() {
    check("vectors");
}

#[test]
fn edges() {
    check("edges");
}

#[test]
fn memory() {
    check("memory");
}

#[test]
fn functions() {
    check("functions");
}

#[test]
fn rounding() {
    check("rounding");
}

#[test]
fn machine() {
    check("machine");
}

#[test]
fn wide() {
    check_for("wide", &[Target::Lp64]);
}

#[test]
fn printing() {
    check("printing");
}

#[test]
fn extensions() {
    check("extensions");
}

#[test]
fn floats() {
    check("floats");
}

#[test]
fn strings() {
    check("strings");
}

#[test]
fn builtins() {
    check("builtins");
}

#[test]
fn gnu() {
    check("gnu");
}

#[test]
fn library() {
    check("library");
}

/// A pointer to a nested function remembers its variables; two of them at a time are not followed.
#[test]
fn pointers_to_nested_functions() {
    let text = "int apply(int (*f)(int), int n) { return f(n); }
        int once(int k) { int g(int a) { return a * k; } return apply(g, 6); }
        int twice(int n, int (*last)(int)) { int k = n; int g(int a) { return a + k; } if (n) return twice(n - 1, g); return last(5); }
        int main(void) { return twice(TWICE, once) + once(5) + once(7); }";
    let options = lower::Options { malloc_may_fail: false, ..Default::default() };
    let one = lowered(&text.replace("TWICE", "0"), Target::Lp64, &options);
    assert!(
        matches!(run(&one.program).end, End::Exited(Some(v)) if v.bits == 30 + 30 + 42),
        "{:?}",
        run(&one.program).end
    );
    let two = lowered(&text.replace("TWICE", "2"), Target::Lp64, &options);
    assert!(matches!(run(&two.program).end, End::Unsupported { .. }), "{:?}", run(&two.program).end);
}

#[test]
fn overflow_of_the_widest_integers() {
    let text = "void reach_error(void);
        int main(void) {
          unsigned __int128 u; __int128 s;
          if (!__builtin_mul_overflow((unsigned char)4, -16, &u) || u != -(unsigned __int128)64) reach_error();
          if (__builtin_add_overflow(-1L, 1UL, &s) || s != 0) reach_error();
          if (!__builtin_add_overflow((__int128)1 << 126, (__int128)1 << 126, &s)) reach_error();
          if (__builtin_mul_overflow((unsigned __int128)1 << 90, 7u, &u)) reach_error();
          return 0;
        }";
    let program = lowered(text, Target::Lp64, &lower::Options::default());
    assert!(program.unsupported.is_empty(), "{:?}", program.unsupported);
    let end = run(&program.program).end;
    assert!(matches!(end, End::Exited(Some(v)) if v.bits == 0), "{end:?}");
}

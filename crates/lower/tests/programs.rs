//! Small C programs that check themselves, one per part of the language: lowered, validated and run in the interpreter in
//! both data models. Each calls `reach_error` if a result is not the one that gcc gives (`-O0 -fwrapv`); `order.c` alone
//! depends on what C leaves open.
#![expect(clippy::disallowed_methods, reason = "the programs are files beside this one")]

mod support;

use cfront::Target;
use ir::interp::End;
use support::{lowered, run};

fn check(name: &str) {
    let path = format!("{}/tests/run/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the program is there");
    for target in [Target::Ilp32, Target::Lp64] {
        let program = lowered(&text, target, &lower::Options { malloc_may_fail: false, ..Default::default() });
        let end = run(&program.program).end;
        let fine = matches!(end, End::Exited(Some(v)) if v.bits == 0) || matches!(end, End::Halted { .. });
        assert!(fine, "{name} for {target:?} ends in {end:?}");
        assert!(program.unsupported.is_empty(), "{name} for {target:?}: {:?}", program.unsupported);
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
fn memory() {
    check("memory");
}

#[test]
fn functions() {
    check("functions");
}

#[test]
fn floats() {
    check("floats");
}

#[test]
fn builtins() {
    check("builtins");
}

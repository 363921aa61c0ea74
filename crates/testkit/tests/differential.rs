//! Front end and interpreter against the compiler, in the normal budget.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use ir::DataModel;

fn check(model: DataModel) {
    let stats = testkit::normal::differential(model).unwrap_or_else(|e| panic!("{e}"));
    if let Some(why) = stats.skipped() {
        return eprintln!("{why}");
    }
    stats.demand(&[("programs", 196), ("programs that return", 100), ("programs that exit or abort", 5)]);
}

#[test]
fn interpreted_and_compiled_programs_agree_lp64() {
    check(DataModel::Lp64);
}

#[test]
fn interpreted_and_compiled_programs_agree_ilp32() {
    check(DataModel::Ilp32);
}

fn check_initialisers(model: DataModel) {
    let stats = testkit::normal::initialisers(model).unwrap_or_else(|e| panic!("{e}"));
    if let Some(why) = stats.skipped() {
        return eprintln!("{why}");
    }
    stats.demand(&[("programs", 450), ("values", 20_000), ("bytes", 30_000), ("open bytes", 1000)]);
}

#[test]
fn initialisers_and_layouts_are_those_of_the_compiler_lp64() {
    check_initialisers(DataModel::Lp64);
}

#[test]
fn initialisers_and_layouts_are_those_of_the_compiler_ilp32() {
    check_initialisers(DataModel::Ilp32);
}

#[test]
fn copies_of_volatile_structures_are_any_value() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let stats = testkit::initialisers::volatile_copies(model, 0, 150).unwrap_or_else(|e| panic!("{e}"));
        stats.demand(&[("programs", 150), ("members", 300)]);
    }
}

fn check_objects(model: DataModel) {
    let stats = testkit::normal::objects(model).unwrap_or_else(|e| panic!("{e}"));
    if let Some(why) = stats.skipped() {
        return eprintln!("{why}");
    }
    stats.demand(&[("programs", 145), ("with union", 40), ("with variadic", 40), ("with float", 100)]);
}

#[test]
fn interpreted_and_compiled_programs_over_memory_agree_lp64() {
    check_objects(DataModel::Lp64);
}

#[test]
fn interpreted_and_compiled_programs_over_memory_agree_ilp32() {
    check_objects(DataModel::Ilp32);
}

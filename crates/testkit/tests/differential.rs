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

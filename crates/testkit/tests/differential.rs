//! Front end and interpreter against the compiler, in the normal budget.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use ir::DataModel;
use testkit::differential::differential;
use testkit::gcc::Gcc;

fn check(model: DataModel, first: u64) {
    let gcc = match Gcc::find() {
        Ok(gcc) if gcc.supports(model) => gcc,
        Ok(_) => return eprintln!("SKIPPED: gcc makes no {model:?} binaries (install gcc-multilib)"),
        Err(why) => return eprintln!("SKIPPED: {why}"),
    };
    let stats = differential(&gcc, model, first, 200).unwrap_or_else(|e| panic!("{e}"));
    eprintln!("{stats}");
    stats.demand(&[("programs", 200), ("programs that return", 100), ("programs that exit or abort", 5)]);
}

#[test]
fn interpreted_and_compiled_programs_agree_lp64() {
    check(DataModel::Lp64, 50_000);
}

#[test]
fn interpreted_and_compiled_programs_agree_ilp32() {
    check(DataModel::Ilp32, 60_000);
}

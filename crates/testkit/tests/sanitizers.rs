//! Guards against gcc's sanitizers, in the normal budget.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use ir::DataModel;
use testkit::statistics::Statistics;

fn checked(stats: Result<Statistics, String>, least: &[(&str, u64)]) {
    let stats = stats.unwrap_or_else(|e| panic!("{e}"));
    match stats.skipped() {
        Some(why) => eprintln!("{why}"),
        None => stats.demand(least),
    }
}

#[test]
fn interpreter_and_sanitizers_agree_lp64() {
    checked(
        testkit::normal::sanitizers(DataModel::Lp64),
        &[("programs", 200), ("events in both", 100), ("programs that end", 20)],
    );
}

#[test]
fn interpreter_and_sanitizers_agree_ilp32() {
    checked(
        testkit::normal::sanitizers(DataModel::Ilp32),
        &[("programs", 200), ("events in both", 100), ("programs that end", 20)],
    );
}

#[test]
fn no_proof_where_a_sanitizer_reports() {
    let stats = testkit::normal::sanitized_verdicts(DataModel::Lp64);
    checked(stats, &[("programs with a defect", 12), ("UNSAFE", 5)]);
}

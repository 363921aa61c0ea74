//! Verdicts on random programs agree with what gcc's code does on all their inputs.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use ir::DataModel;
use testkit::agreement::agreement;
use testkit::gcc::Gcc;
use testkit::normal;
use verify::Engine;

#[test]
fn verdicts_agree_with_runs_on_all_inputs() {
    let gcc = match Gcc::find() {
        Ok(gcc) => gcc,
        Err(why) => return eprintln!("SKIPPED: {why}"),
    };
    let run = |engine, first, count| {
        agreement(&gcc, DataModel::Lp64, &[engine], first, count).unwrap_or_else(|e| panic!("{engine:?}: {e}"))
    };
    let stats = normal::verdicts().unwrap_or_else(|e| panic!("{e}"));
    stats.demand(&[("programs", 100), ("decided", 80), ("SAFE", 30), ("UNSAFE", 30)]);
    run(Engine::Bounded, 100, 16).demand(&[("programs", 16), ("UNSAFE", 4)]);
    run(Engine::Induction, 300, 40).demand(&[("programs", 40), ("SAFE", 1)]);
    run(Engine::Concrete, 200, 40).demand(&[("programs", 40), ("UNSAFE", 8)]);
}

#[test]
fn verdicts_over_memory_agree_with_sanitized_runs() {
    let stats = normal::memory_verdicts().unwrap_or_else(|e| panic!("{e}"));
    if let Some(why) = stats.skipped() {
        return eprintln!("{why}");
    }
    let least = stats.get("programs") * 6 / 10;
    stats.demand(&[("programs", 140), ("decided", least), ("SAFE", least / 3), ("UNSAFE", least / 3)]);
    stats.demand(&[("with aliasing", 20), ("without aliasing", 40), ("with both", 5), ("with discarded runs", 20)]);
}

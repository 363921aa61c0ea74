//! The generator against the compiler: its programs compile, end, are free of undefined behaviour and do not depend on
//! the order of evaluation; its verdict programs are balanced.
#![expect(clippy::print_stderr, reason = "a test that skips says so aloud")]

use ir::DataModel;
use testkit::cgen::{Knobs, Mode, Program, generate};
use testkit::gcc::{Build, Gcc, Observed};
use testkit::verdict::{Truth, judged};

/// The compiler, or `None` after saying what is skipped.
fn gcc_for(model: DataModel) -> Option<Gcc> {
    let gcc = match Gcc::find() {
        Ok(gcc) => gcc,
        Err(why) => {
            eprintln!("SKIPPED: {why}");
            return None;
        }
    };
    if !gcc.supports(model) {
        eprintln!("SKIPPED: gcc makes no {model:?} binaries (install gcc-multilib)");
        return None;
    }
    Some(gcc)
}

fn programs(model: DataModel, first: u64, count: u64) -> Vec<Program> {
    let knobs = Knobs::checksum(model);
    (first..first + count).map(|seed| generate(seed, &knobs)).collect()
}

/// All builds agree, and none crashes. A sanitizer ends the program at the first undefined operation.
fn builds_agree(model: DataModel, first: u64, count: u64, builds: &[Build]) {
    let Some(gcc) = gcc_for(model) else { return };
    let programs = programs(model, first, count);
    let reference = gcc.checksums(&programs, Build::O0).unwrap_or_else(|e| panic!("{e}"));
    for (p, r) in programs.iter().zip(&reference) {
        assert!(
            matches!(r, Observed::Ended { .. } | Observed::CompilerCrashed),
            "seed {}: {r:?}\n{}",
            p.seed,
            p.source
        );
    }
    for &build in builds {
        let other = gcc.checksums(&programs, build).unwrap_or_else(|e| panic!("{e}"));
        for ((p, r), o) in programs.iter().zip(&reference).zip(&other) {
            assert_eq!(r, o, "seed {} under {build:?}\n{}", p.seed, p.source);
        }
    }
}

#[test]
fn optimisation_changes_nothing_lp64() {
    builds_agree(DataModel::Lp64, 0, 150, &[Build::O2]);
}

#[test]
fn optimisation_changes_nothing_ilp32() {
    builds_agree(DataModel::Ilp32, 1000, 150, &[Build::O2]);
}

#[test]
fn sanitizers_find_nothing() {
    builds_agree(DataModel::Lp64, 2000, 100, &[Build::Sanitized]);
}

/// The sanitized build notices what it is there for: otherwise the test above could not fail.
#[test]
fn sanitizers_work() {
    let Some(gcc) = gcc_for(DataModel::Lp64) else { return };
    let mut p = programs(DataModel::Lp64, 0, 1).remove(0);
    for bad in ["1 << n", "1 / (n - 40)", "b"] {
        p.source = format!(
            "unsigned long long checksum;\nint main(void) {{ volatile int n = 40; _Bool b; *(volatile char *)&b = 2; \
             checksum = {bad}; return 0; }}\n"
        );
        p.names = vec!["main".into(), "checksum".into()];
        let seen = gcc.checksums(std::slice::from_ref(&p), Build::Sanitized).unwrap_or_else(|e| panic!("{e}"));
        let [Observed::Crashed(why)] = &seen[..] else { panic!("{bad} passes: {seen:?}") };
        assert!(why.contains("runtime error"), "{why}");
    }
}

/// Different programs have different checksums: the checksum sees what is computed.
#[test]
fn checksums_differ() {
    let Some(gcc) = gcc_for(DataModel::Lp64) else { return };
    let seen = gcc.checksums(&programs(DataModel::Lp64, 0, 150), Build::O0).unwrap_or_else(|e| panic!("{e}"));
    let mut sums: Vec<u64> = seen
        .iter()
        .filter_map(|o| match o {
            Observed::Ended { checksum, .. } => Some(*checksum),
            Observed::Crashed(_) | Observed::CompilerCrashed => None,
        })
        .collect();
    sums.sort_unstable();
    sums.dedup();
    assert!(sums.len() >= 148, "only {} different checksums in 150 programs", sums.len());
}

#[test]
fn verdicts_are_balanced_and_inputs_few() {
    for (model, risky) in [(DataModel::Lp64, false), (DataModel::Ilp32, true)] {
        let Some(gcc) = gcc_for(model) else { continue };
        let knobs = Knobs { mode: Mode::Verdict { bits: 8, risky }, ..Knobs::verdict(model) };
        let all = judged(&gcc, 0, 120, &knobs).unwrap_or_else(|e| panic!("{e}"));
        let safe = all.iter().filter(|j| j.truth == Truth::Safe).count();
        assert!((36..=84).contains(&safe), "{safe} of 120 programs are safe");
        assert!(all.iter().all(|j| j.runs <= 1 << 8));
        let varied = all.iter().filter(|j| j.runs > 4).count();
        assert!(varied >= 60, "only {varied} of 120 programs have more than four runs");
        let partial = all.iter().filter(|j| j.errors > 0 && j.errors < j.runs).count();
        assert!(partial >= 20, "only {partial} of 120 programs are unsafe on some inputs but not on all");
        let discarding = all.iter().filter(|j| j.discarded > 0).count();
        assert_eq!(risky, discarding > 0, "{discarding} programs meet an assumed-away event");
    }
}

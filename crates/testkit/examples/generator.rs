//! Shows and measures the generators: `generator show SEED`, `generator coverage N`, `generator builds N` (checksums
//! under several builds), `generator verdicts N`, `generator memory SEED N` (finished programs over memory).
#![expect(clippy::print_stdout, reason = "a program for people")]

use ir::DataModel;
use testkit::cgen::{Coverage, Knobs, Mode, draft, generate};
use testkit::gcc::{Build, Gcc};
use testkit::verdict::{Truth, judged};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let n: u64 = args.get(1).and_then(|a| a.parse().ok()).unwrap_or(100);
    match args.first().map(String::as_str) {
        Some("show") => println!("{}", generate(n, &Knobs::checksum(DataModel::Lp64)).source),
        Some("draft") => println!("{}", draft(n, &Knobs::verdict(DataModel::Lp64)).program.source),
        Some("coverage") => {
            let all: Vec<_> = (0..n).map(|s| generate(s, &Knobs::checksum(DataModel::Lp64)).features).collect();
            println!("{}", Coverage::of(&all));
            let all: Vec<_> = (0..n).map(|s| draft(s, &Knobs::verdict(DataModel::Lp64)).program.features).collect();
            println!("{}", Coverage::of(&all));
        }
        Some("builds") => builds(n),
        Some("verdicts") => verdicts(n),
        Some("memory") => memory(n, args.get(2).and_then(|a| a.parse().ok()).unwrap_or(1)),
        _ => {
            println!("usage: generator show|draft SEED, generator coverage|builds|verdicts N, generator memory SEED N");
        }
    }
}

fn builds(n: u64) {
    let gcc = Gcc::find().unwrap_or_else(|e| panic!("{e}"));
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        if !gcc.supports(model) {
            println!("{model:?}: not supported by this gcc");
            continue;
        }
        let programs: Vec<_> = (0..n).map(|seed| generate(10_000 + seed, &Knobs::checksum(model))).collect();
        let lines: usize = programs.iter().map(|p| p.source.lines().count()).sum();
        let reference = gcc.checksums(&programs, Build::O0).unwrap_or_else(|e| panic!("{e}"));
        for build in [Build::O1, Build::O2, Build::Sanitized] {
            let other = gcc.checksums(&programs, build).unwrap_or_else(|e| panic!("{e}"));
            let differing: Vec<_> = programs
                .iter()
                .zip(reference.iter().zip(&other))
                .filter(|(_, (a, b))| a != b)
                .map(|(p, _)| p.seed)
                .collect();
            println!("{model:?} {build:?}: {n} programs, {lines} lines, different: {differing:?}");
        }
    }
}

fn verdicts(n: u64) {
    let gcc = Gcc::find().unwrap_or_else(|e| panic!("{e}"));
    for (model, bits, risky) in [(DataModel::Lp64, 12, false), (DataModel::Ilp32, 8, true)] {
        let knobs = Knobs { mode: Mode::Verdict { bits, risky }, ..Knobs::verdict(model) };
        let all = judged(&gcc, 0, n as usize, &knobs).unwrap_or_else(|e| panic!("{e}"));
        let safe = all.iter().filter(|j| j.truth == Truth::Safe).count();
        let runs: u64 = all.iter().map(|j| j.runs).sum();
        let discarded = all.iter().filter(|j| j.discarded > 0).count();
        let partial = all.iter().filter(|j| j.errors > 0 && j.errors < j.runs).count();
        let lines: usize = all.iter().map(|j| j.program.source.lines().count()).sum();
        println!(
            "{model:?} {bits} bits: {n} programs, {safe} safe, {partial} unsafe on some inputs only, {runs} runs, {discarded} with discarded runs, {lines} lines"
        );
        for j in all.iter().take(2) {
            println!("// {:?}\n{}", j.truth, j.program.source);
        }
    }
}

fn memory(first: u64, n: u64) {
    let gcc = Gcc::find().unwrap_or_else(|e| panic!("{e}"));
    let drafts: Vec<_> = (first..first + n).map(|seed| testkit::pointers::draft(seed, DataModel::Lp64).draft).collect();
    for judged in testkit::verdict::judge(&gcc, &drafts, true).unwrap_or_else(|e| panic!("{e}")) {
        let truth = if judged.truth == Truth::Safe { "safe" } else { "unsafe" };
        println!("// seed {}: {truth}\n{}", judged.program.seed, judged.program.plain());
    }
}

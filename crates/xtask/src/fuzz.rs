//! `cargo xtask fuzz`: random tests by name. A fuzzer is a function from seeds to a result, so every failure is repeated
//! by its seed alone; a panic is a failure like any other. The fuzzers are listed in [`crate::fuzzers`].

use crate::fuzzers::FUZZERS;
use crate::results::{OracleRun, save, today};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use testkit::statistics::Statistics;

/// A random test.
pub(crate) struct Fuzzer {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// One line: what it compares with what.
    pub(crate) about: &'static str,
    /// How many seeds it is given at a time; more than one where starting costs more than a case.
    pub(crate) batch: u64,
    /// The cases of the seeds from `first` on, so many.
    pub(crate) cases: fn(first: u64, count: u64) -> Case,
    /// What a long run must have looked at: shares, in percent, of one count in another.
    pub(crate) shares: &'static [Share],
}

impl Fuzzer {
    /// A fuzzer of which no shares are demanded.
    pub(crate) const fn new(
        name: &'static str,
        batch: u64,
        cases: fn(first: u64, count: u64) -> Case,
        about: &'static str,
    ) -> Fuzzer {
        Fuzzer { name, about, batch, cases, shares: &[] }
    }

    /// The same with shares that a long run must reach.
    pub(crate) const fn with_shares(self, shares: &'static [Share]) -> Fuzzer {
        Fuzzer { shares, ..self }
    }
}

/// A share that a run of at least [`LONG`] cases must reach.
pub(crate) struct Share {
    /// What is counted,
    pub(crate) of: &'static str,
    /// among what,
    pub(crate) among: &'static str,
    /// at least so often in a hundred.
    pub(crate) percent: u64,
}

impl Share {
    pub(crate) const fn new(of: &'static str, among: &'static str, percent: u64) -> Share {
        Share { of, among, percent }
    }
}

/// With fewer cases a share is luck.
const LONG: u64 = 500;

/// What the cases of a batch came to.
pub(crate) enum Case {
    /// All passed; with what was counted.
    Passed(Statistics),
    /// They could not be tried, for this reason (a tool that is not installed).
    Skipped(String),
    /// One failed; the text is all that is needed to understand the failure.
    Failed(String),
}

/// The arguments of `cargo xtask fuzz`.
#[derive(clap::Args)]
pub(crate) struct FuzzArgs {
    /// The fuzzer's name.
    #[arg(required_unless_present = "list")]
    name: Option<String>,
    /// Show the fuzzers.
    #[arg(long)]
    list: bool,
    /// Seed of the first case; case n has this seed plus n.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of cases.
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// Go on for so many minutes, however many cases that makes.
    #[arg(long, conflicts_with = "count", value_name = "M")]
    minutes: Option<u64>,
    /// Add the run to this file (`docs/results/oracles.json`).
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Number of threads; the default is the number of cores.
    #[arg(short)]
    jobs: Option<usize>,
}

/// Runs a fuzzer; exit code 10 if a case failed.
pub(crate) fn fuzz(args: &FuzzArgs) -> anyhow::Result<ExitCode> {
    if args.list {
        for fuzzer in FUZZERS {
            println!("{:24} {}", fuzzer.name, fuzzer.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let name = args.name.as_deref().unwrap_or_default();
    let Some(fuzzer) = FUZZERS.iter().find(|f| f.name == name) else {
        anyhow::bail!("there is no fuzzer `{name}`; `cargo xtask fuzz --list` shows them");
    };
    let start = Instant::now();
    let end = args.minutes.map(|m| start + Duration::from_secs(60 * m));
    let count = if end.is_some() { u64::MAX } else { args.count };
    let summary = run(fuzzer, args.seed, count, end, super::corpus::jobs(args.jobs));
    println!("{name}: {summary}, {:.1} s", start.elapsed().as_secs_f64());
    if let Some(path) = &args.save {
        let clean = summary.failure.is_none() && summary.skipped == 0;
        let counts = summary.stats.counts().clone();
        let run = OracleRun { date: today(), seed: args.seed, passed: summary.passed, clean, counts };
        save(path, name, run)?;
    }
    if let Some((seed, text)) = &summary.failure {
        let count = fuzzer.batch.min(count);
        println!("FAILED: {text}\nrepeat with: cargo xtask fuzz {name} --seed {seed} --count {count}");
        return Ok(ExitCode::from(10));
    }
    let missing = missing_shares(fuzzer.shares, &summary);
    for what in &missing {
        println!("FAILED: {what}");
    }
    Ok(ExitCode::from(if missing.is_empty() { 0 } else { 10 }))
}

/// The shares that a long run did not reach.
fn missing_shares(shares: &[Share], summary: &Summary) -> Vec<String> {
    let stats = &summary.stats;
    let missing = |s: &&Share| summary.passed >= LONG && stats.get(s.of) * 100 < stats.get(s.among) * s.percent;
    let describe = |s: &Share| {
        format!("only {} {} among {} {}, not {} %", stats.get(s.of), s.of, stats.get(s.among), s.among, s.percent)
    };
    shares.iter().filter(missing).map(describe).collect()
}

/// How many cases came to what.
#[derive(Default)]
struct Summary {
    passed: u64,
    stats: Statistics,
    skipped: u64,
    skipped_because: Option<String>,
    /// The failure with the smallest seed.
    failure: Option<(u64, String)>,
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed", self.passed)?;
        if let Some(why) = &self.skipped_because {
            write!(f, ", {} SKIPPED ({why})", self.skipped)?;
        }
        let counts = self.stats.to_string();
        if !counts.is_empty() {
            write!(f, " ({counts})")?;
        }
        Ok(())
    }
}

/// Runs the batches in order of their seeds on `jobs` threads; after a failure no new batch starts, so the smallest
/// failing seed is the same on every machine. None starts after `end` either.
fn run(fuzzer: &Fuzzer, seed: u64, count: u64, end: Option<Instant>, jobs: usize) -> Summary {
    let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
    let summary = Mutex::new(Summary::default());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(fuzzer.batch, Ordering::Relaxed);
                    let over = end.is_some_and(|end| Instant::now() >= end);
                    if n >= count || over || failed.load(Ordering::Relaxed) {
                        return;
                    }
                    let (seed, cases) = (seed.wrapping_add(n), fuzzer.batch.min(count - n));
                    let case = catch_unwind(AssertUnwindSafe(|| (fuzzer.cases)(seed, cases)))
                        .unwrap_or_else(|_| Case::Failed("the case panicked".to_string()));
                    let mut summary = summary.lock().expect("no thread panics while it holds the lock");
                    match case {
                        Case::Passed(stats) => {
                            summary.passed += cases;
                            summary.stats.merge(&stats);
                        }
                        Case::Skipped(why) => {
                            summary.skipped += cases;
                            summary.skipped_because = Some(why);
                        }
                        Case::Failed(text) => {
                            failed.store(true, Ordering::Relaxed);
                            if summary.failure.as_ref().is_none_or(|(s, _)| seed < *s) {
                                summary.failure = Some((seed, text));
                            }
                        }
                    }
                }
            });
        }
    });
    summary.into_inner().expect("all threads have ended")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fuzzer(cases: fn(u64, u64) -> Case) -> Fuzzer {
        Fuzzer { name: "test", about: "", batch: 1, cases, shares: &[] }
    }

    fn passed(odd: u64) -> Case {
        let mut stats = Statistics::new();
        stats.add("cases", 1);
        stats.add("odd ones", odd % 2);
        Case::Passed(stats)
    }

    #[test]
    fn a_long_run_must_reach_its_shares() {
        let half = |percent| {
            let shares = Box::leak(Box::new([Share { of: "odd ones", among: "cases", percent }]));
            Fuzzer { shares, ..fuzzer(|s, _| passed(s)) }
        };
        let missing = |fuzzer: &Fuzzer, count| missing_shares(fuzzer.shares, &run(fuzzer, 1, count, None, 2)).len();
        assert_eq!((missing(&half(50), LONG), missing(&half(51), LONG), missing(&half(51), LONG - 1)), (0, 1, 0));
    }

    #[test]
    fn cases_are_counted_and_the_first_failure_is_kept() {
        let odd = fuzzer(|s, _| if s % 2 == 1 { passed(1) } else { Case::Skipped("even".to_string()) });
        let summary = run(&odd, 1, 10, None, 3);
        assert_eq!((summary.passed, summary.skipped, summary.failure), (5, 5, None));
        let failing = fuzzer(|s, _| if s >= 7 { Case::Failed(format!("at {s}")) } else { passed(1) });
        assert_eq!(run(&failing, 1, 1000, None, 3).failure, Some((7, "at 7".to_string())));
        let panicking = fuzzer(|s, _| if s == 3 { panic!("as asked") } else { passed(1) });
        assert_eq!(run(&panicking, 1, 5, None, 1).failure.map(|f| f.0), Some(3));
        let batched =
            Fuzzer { batch: 4, ..fuzzer(|_, n| if n <= 4 { passed(1) } else { Case::Failed(n.to_string()) }) };
        let summary = run(&batched, 1, 10, None, 2);
        assert_eq!((summary.passed, summary.failure), (10, None));
        assert_eq!(run(&batched, 1, u64::MAX, Some(Instant::now()), 2).passed, 0);
    }

    #[test]
    fn names_are_unique() {
        for (i, fuzzer) in FUZZERS.iter().enumerate() {
            assert!(FUZZERS[..i].iter().all(|f| f.name != fuzzer.name), "{}", fuzzer.name);
        }
    }
}

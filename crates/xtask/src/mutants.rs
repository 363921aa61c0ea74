//! `cargo xtask mutants`: every rule of the library with any part missing - a handler, an event, an `abort`, a condition of one - against
//! its test programs. A part that nobody misses is reported: the rule does not need it, or its tests do not look.

use spec::library;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::rules::Case;

/// The arguments of `cargo xtask mutants`.
#[derive(clap::Args)]
pub(crate) struct MutantsArgs {
    /// Rules (`linux/spinlock`) or groups (`posix`); all of them if none is named.
    #[arg(value_name = "RULE")]
    rules: Vec<String>,
    /// Number of threads; the default is the number of cores.
    #[arg(short)]
    jobs: Option<usize>,
}

/// Tries all mutants; exit code 10 if one is not noticed.
pub(crate) fn mutants(args: &MutantsArgs) -> anyhow::Result<ExitCode> {
    let mut entries: Vec<&library::Entry> = args.rules.iter().flat_map(|r| library::select(r)).collect();
    if args.rules.is_empty() {
        entries = library::ALL.iter().collect();
    }
    if entries.is_empty() {
        anyhow::bail!("there is no such rule; `hardbop rules list` shows them");
    }
    let (next, tried, found) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(0));
    std::thread::scope(|scope| {
        for _ in 0..super::corpus::jobs(args.jobs) {
            scope.spawn(|| {
                while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let unnoticed = of_rule(entry, &tried);
                    let mut found = found.lock().expect("no thread panics with it");
                    *found += unnoticed.len();
                    unnoticed.iter().for_each(|u| println!("{}: {u}", entry.name));
                }
            });
        }
    });
    let found = found.into_inner().expect("no thread panics with it");
    println!("{} rules, {} mutants, {found} not noticed", entries.len(), tried.into_inner());
    Ok(if found == 0 { ExitCode::SUCCESS } else { ExitCode::from(10) })
}

/// What nobody misses of a rule.
fn of_rule(entry: &'static library::Entry, tried: &AtomicUsize) -> Vec<String> {
    let case = match Case::read(entry) {
        Ok(case) => case,
        Err(e) => return vec![e],
    };
    let mutants = spec::mutants(&case.rule);
    tried.fetch_add(mutants.len(), Ordering::Relaxed);
    mutants.iter().filter_map(|(what, rule)| case.unnoticed(what, rule)).collect()
}

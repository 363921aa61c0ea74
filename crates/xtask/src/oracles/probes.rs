//! `cargo xtask probes`: locations that the interpreter visited become targets of real programs; none may be SAFE.

use super::{Bench, OracleArgs, child};
use base::rng::Rng;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use testkit::visits::{probe, visited};

/// The arguments of `cargo xtask probes`.
#[derive(clap::Args)]
pub(crate) struct ProbeArgs {
    #[command(flatten)]
    common: OracleArgs,
    /// Number of probes, spread over the tasks.
    #[arg(long, default_value_t = 500)]
    count: usize,
}

/// How far runs go: beyond, a counterexample would be too long for any search.
const STEPS: u64 = 400;

/// Exit code 10 if a visited location is proved unreachable.
pub(crate) fn probes(args: &ProbeArgs, root: &Path) -> anyhow::Result<ExitCode> {
    let bench = Bench::new(&args.common, root)?;
    let n = bench.tasks.len();
    let share = |index: usize| args.count / n + usize::from(index < args.count % n);
    let answers = bench.each(|index| of_task(&bench, index, share(index), args.common.seed));
    let (mut tally, mut failed): (BTreeMap<String, usize>, usize) = (BTreeMap::new(), 0);
    for (task, answers) in bench.tasks.iter().zip(answers) {
        for (place, answer) in answers {
            if answer.starts_with("SAFE") || answer.starts_with(child::FAILED) {
                failed += 1;
                println!("FAILED: {} {place}: {answer}", task.name);
            }
            let text: String = answer.chars().filter(|c| !c.is_ascii_digit()).take(70).collect();
            *tally.entry(text).or_default() += 1;
        }
    }
    let total: usize = tally.values().sum();
    let found = tally.get("UNSAFE").copied().unwrap_or(0);
    println!("probes: {total} over {n} tasks, {found} UNSAFE by abstraction, {failed} FAILED");
    for (answer, count) in &tally {
        println!("  {count:5} × {answer}");
    }
    Ok(ExitCode::from(if failed > 0 { 10 } else { 0 }))
}

/// Each probe of a task with its answer.
fn of_task(bench: &Bench, index: usize, count: usize, seed: u64) -> Vec<(String, String)> {
    let Ok(program) = bench.lower(index) else { return Vec::new() };
    let mut places = visited(&program, seed, 3, STEPS);
    let rng = &mut Rng::new(seed ^ index as u64);
    let mut answers = Vec::new();
    for k in 0..count.min(places.len()) {
        let at = places.swap_remove(rng.index(places.len()));
        let file = bench.scratch.join(format!("{index}-{k}.ir"));
        let asked = std::fs::write(&file, ir::text::print(&probe(&program, at))).map_err(|e| e.to_string());
        let asked = asked.and_then(|()| child::request(bench, "verdict", &file, seed));
        let _ = std::fs::remove_file(&file);
        let last = asked.map(|lines| lines.last().cloned());
        let answer = last.unwrap_or_else(Some).unwrap_or_else(|| "UNKNOWN time or memory".to_string());
        answers.push((format!("{} {}", program.functions[at.0].name, at.1), answer));
    }
    answers
}

//! `cargo xtask containment`: runs of real programs lie in the invariants of every round of the refinement loop.

use super::{Bench, OracleArgs, child};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use testkit::statistics::Statistics;

/// What became of a task.
enum Outcome {
    /// It has no program.
    NotLowered,
    /// All was well as long as it was looked at; the counts of the last report.
    Looked(Option<Statistics>),
    /// A run was outside of the invariants.
    Failed(String),
}

/// Exit code 10 if a run lies outside of an invariant.
pub(crate) fn containment(args: &OracleArgs, root: &Path) -> anyhow::Result<ExitCode> {
    let bench = Bench::new(args, root)?;
    let outcomes = bench.each(|index| one(&bench, index, args.seed));
    let (mut all, mut not_lowered, mut without_round, mut failed) = (Statistics::new(), 0, 0, 0);
    for (task, outcome) in bench.tasks.iter().zip(outcomes) {
        match outcome {
            Outcome::NotLowered => not_lowered += 1,
            Outcome::Looked(None) => without_round += 1,
            Outcome::Looked(Some(stats)) => all.merge(&stats),
            Outcome::Failed(why) => {
                failed += 1;
                println!("FAILED: {}: {why}", task.name);
            }
        }
    }
    println!(
        "containment: {} tasks, {not_lowered} do not lower, {without_round} without a finished round, {failed} FAILED\n{all}",
        bench.tasks.len()
    );
    Ok(ExitCode::from(if failed > 0 { 10 } else { 0 }))
}

fn one(bench: &Bench, index: usize, seed: u64) -> Outcome {
    let Ok(program) = bench.lower(index) else { return Outcome::NotLowered };
    let file = bench.scratch.join(format!("{index}.ir"));
    let asked = std::fs::write(&file, ir::text::print(&program)).map_err(|e| e.to_string());
    let asked = asked.and_then(|()| child::request(bench, "containment", &file, seed));
    let _ = std::fs::remove_file(&file);
    let lines = match asked {
        Ok(lines) => lines,
        Err(why) => return Outcome::Failed(why),
    };
    if let Some(why) = lines.iter().find_map(|l| l.strip_prefix(child::FAILED)) {
        return Outcome::Failed(serde_json::from_str(why).unwrap_or(why.to_string()));
    }
    // A line may be cut off where the child was ended.
    let counts = lines.iter().rev().find_map(|l| serde_json::from_str::<BTreeMap<String, u64>>(l).ok());
    Outcome::Looked(counts.map(|c| c.into_iter().collect()))
}

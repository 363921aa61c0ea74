//! `cargo xtask results`: writes `docs/results.md` from what was measured and saved in `docs/results/`.
//!
//! `tasks.json` is what `cargo xtask corpus … --out RUN.json` wrote, made small by `--tasks RUN.json`; `oracles.json` has a line for each long run of a random test
//! (`cargo xtask fuzz NAME --save docs/results/oracles.json`), `notes.md` what a person has to say about them. The page is made
//! of these alone, so that no figure in it can be older than its source.

use crate::corpus::{Run, TaskResult};
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The last long run of a random test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OracleRun {
    /// The day on which it ended.
    pub(crate) date: String,
    /// The first seed.
    pub(crate) seed: u64,
    /// Cases that passed.
    pub(crate) passed: u64,
    /// Whether none failed.
    pub(crate) clean: bool,
    /// What was counted.
    pub(crate) counts: BTreeMap<String, u64>,
}

/// Runs by the names of the random tests.
pub(crate) type OracleRuns = BTreeMap<String, OracleRun>;

/// The arguments of `cargo xtask results`.
#[derive(clap::Args)]
pub(crate) struct ResultsArgs {
    /// First keep this run over tasks (what `cargo xtask corpus --out` wrote), without what the page does not show.
    #[arg(long, value_name = "RUN.json")]
    tasks: Option<PathBuf>,
}

/// Writes the page.
pub(crate) fn results(args: &ResultsArgs, root: &Path) -> anyhow::Result<ExitCode> {
    if let Some(run) = &args.tasks {
        let text = serde_json::to_string(&compact(Run::read(run)?))?.replace("{\"task\"", "\n{\"task\"") + "\n";
        std::fs::write(root.join("docs/results/tasks.json"), text).context("cannot write docs/results/tasks.json")?;
    }
    let page = page(root)?;
    let path = root.join("docs/results.md");
    std::fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// A run without its details; files are named without their folders.
fn compact(mut run: Run) -> Run {
    for r in &mut run.results {
        r.phases.clear();
        let short = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
        r.reason = r.reason.split(' ').map(short).collect::<Vec<_>>().join(" ");
        r.time_s = (r.time_s * 100.0).round() / 100.0;
    }
    run
}

/// The page as the saved files make it.
pub(crate) fn page(root: &Path) -> anyhow::Result<String> {
    let folder = root.join("docs/results");
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let run: Run = serde_json::from_str(&read("tasks.json")?).context("docs/results/tasks.json")?;
    let oracles: OracleRuns = serde_json::from_str(&read("oracles.json")?).context("docs/results/oracles.json")?;
    Ok(format!(
        "# Measured results\n\n\
         Made by `cargo xtask results` from the files in `docs/results/`; do not edit.\n\n{}\n{}\n{}",
        tasks(&run),
        table_of_oracles(&oracles),
        read("notes.md")?
    ))
}

fn tasks(run: &Run) -> String {
    let mut out = format!(
        "## Public tasks, {}\n\n\
         SV-COMP programs with known answers, not part of this repository; {} and {} a task, {}, two at a time on two cores: \
         `cargo xtask corpus DIR {} --out docs/results/tasks.json`.\n\n\
         | set | tasks | solved | proofs | bugs | wrong | unknown | seconds |\n|---|---|---|---|---|---|---|---|\n",
        run.date,
        run.cpu_limit_s.map_or_else(|| format!("{} s", run.timeout_s), |s| format!("{s} s of processor time")),
        run.memory,
        run.engine.as_deref().map_or("all engines".to_owned(), |e| format!("engine {e}")),
        run.cpu_limit_s.map_or_else(|| format!("--timeout {}", run.timeout_s), |s| format!("--cpu {s}")),
    );
    let by_name: BTreeMap<&str, &TaskResult> = run.results.iter().map(|r| (r.task.as_str(), r)).collect();
    for (set, names) in &run.sets {
        let results: Vec<&TaskResult> = names.iter().filter_map(|n| by_name.get(n.as_str()).copied()).collect();
        row(&mut out, set, &results);
    }
    row(&mut out, "**all**", &run.results.iter().collect::<Vec<_>>());
    out.push_str("\nNot solved:\n\n| task | answer | why UNKNOWN |\n|---|---|---|\n");
    for r in run.results.iter().filter(|r| !r.is_solved()) {
        let answer = r.expected.map_or("?", |e| if e { "SAFE" } else { "UNSAFE" });
        let reason = r.reason.replace('|', "\\|");
        let _ = writeln!(out, "| {} | {answer} | {reason} |", r.task);
    }
    out
}

fn row(out: &mut String, set: &str, results: &[&TaskResult]) {
    let count = |which: &dyn Fn(&TaskResult) -> bool| results.iter().filter(|r| which(r)).count();
    let solved = |answer: bool| count(&|r| r.is_solved() && r.answer() == Some(answer));
    let _ = writeln!(
        out,
        "| {set} | {} | {} | {} | {} | {} | {} | {:.0} |",
        results.len(),
        count(&TaskResult::is_solved),
        solved(true),
        solved(false),
        count(&TaskResult::is_wrong),
        count(&|r| r.answer().is_none()),
        results.iter().map(|r| r.time_s).sum::<f64>()
    );
}

fn table_of_oracles(oracles: &OracleRuns) -> String {
    let mut out = String::from(
        "## Oracles, last long runs\n\n\
         `cargo xtask fuzz NAME --count N --save docs/results/oracles.json`; what each compares says `cargo xtask fuzz --list`.\n\n\
         | oracle | date | cases | failed | counted |\n|---|---|---|---|---|\n",
    );
    for (name, run) in oracles {
        let counts: Vec<String> = run.counts.iter().map(|(what, n)| format!("{n} {what}")).collect();
        let failed = if run.clean { "none" } else { "**yes**" };
        let _ = writeln!(out, "| {name} | {} | {} | {failed} | {} |", run.date, run.passed, counts.join(", "));
    }
    out
}

/// Adds a run to a file of runs.
pub(crate) fn save(path: &Path, name: &str, run: OracleRun) -> anyhow::Result<()> {
    let mut all: OracleRuns = match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).with_context(|| format!("{} has no runs", path.display()))?,
        Err(_) => OracleRuns::new(),
    };
    all.insert(name.to_owned(), run);
    let text = serde_json::to_string_pretty(&all)? + "\n";
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Today, as `2001-02-03` (in UTC).
pub(crate) fn today() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// The date of a day after 1970-01-01, in the Gregorian calendar.
fn date(mut day: u64) -> String {
    let leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_089), "2025-01-01");
    }

    /// The page is what the saved files make of it.
    #[test]
    fn the_page_is_up_to_date() {
        let root = crate::root();
        let written = std::fs::read_to_string(root.join("docs/results.md")).unwrap();
        assert!(page(&root).unwrap() == written, "run `cargo xtask results`");
    }
}

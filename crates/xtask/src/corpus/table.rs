//! The run as text: wrong answers first, then one block per set, then the total.

use super::record::{ProofCheck, Run, TaskResult, Verdict};
use super::tasks::Set;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Everything about a run that a person wants to see.
pub(crate) fn render(sets: &[Set], run: &Run) -> String {
    let mut out = alarms(&run.results);
    for set in sets {
        let results: Vec<&TaskResult> = set.tasks.iter().map(|&i| &run.results[i]).collect();
        block(&mut out, &set.name, &results);
    }
    if sets.len() > 1 {
        block(&mut out, "TOTAL", &run.results.iter().collect::<Vec<_>>());
    }
    out
}

/// One line for each task: right, wrong or unknown, the time, the name, and by what or why.
pub(crate) fn each(results: &[TaskResult]) -> String {
    let mut out = String::new();
    for r in results {
        let judged = if r.is_wrong() { "WRONG" } else { ["unknown", "right"][usize::from(r.is_solved())] };
        let why = if r.is_solved() { r.engine.as_deref().unwrap_or("?") } else { &r.reason };
        let _ = writeln!(out, "{judged:8}{:7} {:6.1} s  {:28} {why}", r.verdict.to_string(), r.time_s, r.task);
    }
    out
}

/// Wrong answers and crashes, one line each.
fn alarms(results: &[TaskResult]) -> String {
    let mut out = String::new();
    let wrong: Vec<&TaskResult> = results.iter().filter(|r| r.is_wrong()).collect();
    let broken: Vec<&TaskResult> = results.iter().filter(|r| r.is_broken()).collect();
    if wrong.is_empty() {
        out += "No wrong answers.\n";
    } else {
        let _ = writeln!(out, "!!! {} WRONG ANSWERS !!!", wrong.len());
        for r in wrong {
            let expected = r.expected.map_or(String::new(), |e| e.to_string());
            let engine = r.engine.as_deref().unwrap_or("?");
            let _ = writeln!(out, "  WRONG {} (expected {expected}, engine {engine}): {}", r.verdict, r.task);
        }
    }
    if !broken.is_empty() {
        let _ = writeln!(out, "{} tasks on which hardbop itself failed:", broken.len());
        for r in broken {
            let _ = writeln!(out, "  {}: {}", r.task, r.problem.as_deref().unwrap_or_default());
        }
    }
    out
}

/// What a second look at the proofs said, if it was asked for.
pub(crate) fn proofs(results: &[TaskResult]) -> String {
    let looked: Vec<(&str, ProofCheck)> = results.iter().filter_map(|r| Some((r.task.as_str(), r.proof?))).collect();
    if looked.is_empty() {
        return String::new();
    }
    let count = |which: fn(&ProofCheck) -> bool| looked.iter().filter(|(_, p)| which(p)).count();
    let mut out = format!("\n{} of {} proofs accepted in a new process", count(|p| p.accepted), looked.len());
    let (with, needed) = (count(|p| p.loop_heads > 0), count(|p| p.needed > 0));
    if with > 0 {
        let _ = write!(out, "; of {with} with invariants at loop heads, {needed} are rejected without one of them");
    }
    out.push('\n');
    for (task, _) in looked.iter().filter(|(_, p)| !p.accepted) {
        let _ = writeln!(out, "  NOT ACCEPTED: {task}");
    }
    out
}

/// The counts of one group of results.
#[derive(Default)]
struct Count {
    tasks: usize,
    solved_true: usize,
    solved_false: usize,
    wrong: usize,
    unknown: usize,
    time_s: f64,
}

impl Count {
    fn of<'a>(results: impl IntoIterator<Item = &'a TaskResult>) -> Count {
        let mut count = Count::default();
        for r in results {
            count.tasks += 1;
            count.time_s += r.time_s;
            count.wrong += usize::from(r.is_wrong());
            count.unknown += usize::from(r.verdict == Verdict::Unknown);
            count.solved_true += usize::from(r.is_solved() && r.verdict == Verdict::Safe);
            count.solved_false += usize::from(r.is_solved() && r.verdict == Verdict::Unsafe);
        }
        count
    }

    fn line(&self) -> String {
        format!(
            "{:4} tasks, solved {:4} (true {}, false {}), wrong {}, unknown {}, {:.1} s",
            self.tasks,
            self.solved_true + self.solved_false,
            self.solved_true,
            self.solved_false,
            self.wrong,
            self.unknown,
            self.time_s
        )
    }
}

fn block(out: &mut String, name: &str, results: &[&TaskResult]) {
    let _ = writeln!(out, "\n{name}\n  {:20}{}", "all", Count::of(results.iter().copied()).line());
    type Group = (&'static str, fn(&TaskResult) -> bool);
    const GROUPS: &[Group] = &[
        ("lower fully", |r| r.lowers_fully == Some(true)),
        ("do not lower fully", |r| r.lowers_fully == Some(false)),
        ("lowering unknown", |r| r.lowers_fully.is_none()),
        ("closed", |r| r.closed == Some(true)),
        ("open", |r| r.closed != Some(true)),
    ];
    for (label, belongs) in GROUPS {
        let count = Count::of(results.iter().copied().filter(|r| belongs(r)));
        if count.tasks > 0 {
            let _ = writeln!(out, "  {label:20}{}", count.line());
        }
    }
    let engines = tally(results.iter().filter(|r| r.is_solved()).map(|r| r.engine.clone().unwrap_or("?".into())));
    if !engines.is_empty() {
        let list: Vec<String> = engines.iter().map(|(e, n)| format!("{e} {n}")).collect();
        let _ = writeln!(out, "  solved by           {}", list.join(", "));
    }
    for (reason, n) in tally(results.iter().filter(|r| r.verdict == Verdict::Unknown).map(|r| normal(&r.reason))) {
        let _ = writeln!(out, "  {n:5} × {reason}");
    }
}

/// Counts equal texts; the most frequent first, then by text.
fn tally(lines: impl Iterator<Item = String>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for text in lines {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts
}

/// The reason without what differs from task to task: file names, numbers, quoted names.
fn normal(reason: &str) -> String {
    let words = reason.split(' ').map(|word| {
        let name = word.trim_start_matches(['(', '`', '"']).split([':', ',', ')', '`', '"']).next().unwrap_or("");
        if [".c", ".i", ".h"].iter().any(|e| name.ends_with(e)) { word.replace(name, "FILE") } else { word.to_string() }
    });
    let mut out = String::new();
    for c in words.collect::<Vec<_>>().join(" ").chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            // A digit inside a name is part of the name.
            '0'..='9' if !out.ends_with(|p: char| p.is_alphanumeric() || p == '_') => out.push('#'),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::record::sample;
    use super::*;

    #[test]
    fn wrong_answers_come_first_and_reasons_are_grouped() {
        let mut crashed = sample("d", true, Verdict::Unknown, "crash in phase x");
        crashed.problem = Some("crash in phase x".into());
        let run = Run {
            timeout_s: 1,
            memory: "1G".into(),
            engine: None,
            results: vec![
                sample("a", true, Verdict::Safe, ""),
                sample("b", true, Verdict::Unsafe, ""),
                sample("c", false, Verdict::Unknown, "time limit of 10 s reached in phase search, iteration 12"),
                crashed,
                sample("e", false, Verdict::Unknown, "time limit of 10 s reached in phase search, iteration 7"),
            ],
            ..Run::default()
        };
        let sets = [Set { name: "S".into(), tasks: vec![0, 1, 2, 3, 4] }, Set { name: "T".into(), tasks: vec![0] }];
        let text = render(&sets, &run);
        assert!(
            text.starts_with("!!! 1 WRONG ANSWERS !!!\n  WRONG UNSAFE (expected true, engine bounded): b\n"),
            "{text}"
        );
        assert!(text.contains("1 tasks on which hardbop itself failed:\n  d: crash in phase x\n"), "{text}");
        assert!(text.contains("   5 tasks, solved    1 (true 1, false 0), wrong 1, unknown 3, 5.0 s\n"), "{text}");
        assert!(text.contains("      2 × time limit of # s reached in phase search, iteration #\n"), "{text}");
        assert!(text.contains("\nTOTAL\n"), "{text}");
    }

    #[test]
    fn reasons_lose_what_differs() {
        for (reason, expected) in [
            ("time limit of 60 s", "time limit of # s"),
            ("front end: d/a-1.c:12:3: expected `;`", "front end: FILE:#:#: expected `;`"),
            ("unsupported: x86 call (a.i:3)", "unsupported: x86 call (FILE:#)"),
        ] {
            assert_eq!(normal(reason), expected);
        }
    }
}

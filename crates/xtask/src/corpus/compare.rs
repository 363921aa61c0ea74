//! Two runs side by side: what became wrong, what was lost, what was gained, and the time on what both solved.

use super::record::{Run, TaskResult};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The changes from `old` to `new`, the worst first.
pub(crate) fn render(old: &Run, new: &Run) -> String {
    let before: BTreeMap<&str, &TaskResult> = old.results.iter().map(|r| (r.task.as_str(), r)).collect();
    let pairs: Vec<(&TaskResult, &TaskResult)> =
        new.results.iter().filter_map(|r| Some((*before.get(r.task.as_str())?, r))).collect();
    let mut out = format!("\nComparison of {} tasks with the saved run", pairs.len());
    let limits = |r: &Run| (r.timeout_s, r.cpu_limit_s, r.memory.clone(), r.engine.clone());
    if limits(old) != limits(new) {
        let _ = write!(out, " (other limits: {} s, {}, engine {:?})", old.timeout_s, old.memory, old.engine);
    }
    out.push('\n');
    type Change = (&'static str, fn(&TaskResult, &TaskResult) -> bool);
    // Each changed task is listed under the first title that fits.
    const CHANGES: &[Change] = &[
        ("NEWLY WRONG", |a, b| !a.is_wrong() && b.is_wrong()),
        ("still wrong", |_, b| b.is_wrong()),
        ("newly failing", |a, b| !a.is_broken() && b.is_broken()),
        ("lost", |a, b| a.is_solved() && !b.is_solved()),
        ("no longer wrong", |a, _| a.is_wrong()),
        ("gained", |a, b| !a.is_solved() && b.is_solved()),
    ];
    let class = |(a, b): &(&TaskResult, &TaskResult)| CHANGES.iter().position(|(_, fits)| fits(a, b));
    for (index, (title, _)) in CHANGES.iter().enumerate() {
        let changed: Vec<_> = pairs.iter().filter(|p| class(p) == Some(index)).collect();
        if !changed.is_empty() {
            let _ = writeln!(out, "  {title}: {}", changed.len());
            for (a, b) in changed {
                let _ = writeln!(out, "    {}: {} -> {} ({})", b.task, a.verdict, b.verdict, b.reason);
            }
        }
    }
    let both: Vec<_> = pairs.iter().filter(|(a, b)| a.is_solved() && b.is_solved()).collect();
    // Processor time, where both runs measured it: the machine may have been busy in one of them.
    let by_cpu = both.iter().all(|(a, b)| a.cpu_s > 0.0 && b.cpu_s > 0.0);
    let of = |r: &TaskResult| if by_cpu { r.cpu_s } else { r.time_s };
    let what = if by_cpu { "processor time" } else { "time" };
    let (time_old, time_new): (f64, f64) = both.iter().fold((0.0, 0.0), |t, (a, b)| (t.0 + of(a), t.1 + of(b)));
    if time_old > 0.0 {
        let ratio = time_new / time_old;
        let n = both.len();
        let _ =
            writeln!(out, "  {what} on {n} tasks solved by both: {time_old:.1} s -> {time_new:.1} s (× {ratio:.2})");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::record::{Verdict, sample};
    use super::*;

    #[test]
    fn the_worst_change_comes_first() {
        let run = |results| Run { timeout_s: 1, memory: "1G".into(), engine: None, results, ..Run::default() };
        let old = run(vec![
            sample("a", true, Verdict::Safe, ""),
            sample("b", true, Verdict::Safe, ""),
            sample("c", true, Verdict::Unknown, ""),
            sample("d", true, Verdict::Safe, ""),
            sample("gone", true, Verdict::Safe, ""),
        ]);
        let mut slow = sample("d", true, Verdict::Safe, "");
        slow.cpu_s = 2.0;
        let new = run(vec![
            sample("a", true, Verdict::Unsafe, "x"),
            sample("b", true, Verdict::Unknown, "limit"),
            sample("c", true, Verdict::Safe, ""),
            slow,
            sample("new", true, Verdict::Safe, ""),
        ]);
        assert_eq!(
            render(&old, &new),
            "\nComparison of 4 tasks with the saved run\n  NEWLY WRONG: 1\n    a: SAFE -> UNSAFE (x)\n  lost: 1\n    b: SAFE -> UNKNOWN (limit)\n  gained: 1\n    c: UNKNOWN -> SAFE ()\n  processor time on 1 tasks solved by both: 1.0 s -> 2.0 s (× 2.00)\n"
        );
    }
}

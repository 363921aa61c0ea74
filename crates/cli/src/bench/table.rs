//! What came out of many tasks: a table for people, CSV and JSON.

use super::log::{Header, Record, Status};
use serde_json::{Value, json};
use std::fmt::Write;

/// One answer on one line, as it comes in.
pub(super) fn line(record: &Record) -> String {
    let status = match record.status {
        Status::Right => "right",
        Status::Wrong => "WRONG",
        Status::Unknown => "unknown",
        Status::Unjudged => "answer",
    };
    let witness = record.witness.as_ref().map_or(String::new(), |w| format!(", witness {w}"));
    let shown: String = record.verdict.chars().take(24).collect();
    format!("{status:<8} {shown:<24} {:>8.1} s  {}{witness}", record.cpu_s, record.task)
}

/// Counts of some answers.
#[derive(Default)]
struct Counts {
    tasks: usize,
    proved: usize,
    broken: usize,
    wrong: usize,
    unknown: usize,
    unjudged: usize,
    score: i64,
    cpu_s: f64,
    witnesses: usize,
    confirmed: usize,
}

impl Counts {
    fn of<'a>(records: impl Iterator<Item = &'a Record>) -> Counts {
        let mut counts = Counts::default();
        for record in records {
            counts.tasks += 1;
            match record.status {
                Status::Right if record.verdict == "true" => counts.proved += 1,
                Status::Right => counts.broken += 1,
                Status::Wrong => counts.wrong += 1,
                Status::Unknown => counts.unknown += 1,
                Status::Unjudged => counts.unjudged += 1,
            }
            counts.score += record.score;
            counts.cpu_s += record.cpu_s;
            counts.witnesses += usize::from(record.witness.is_some());
            counts.confirmed += usize::from(record.witness.as_deref() == Some("confirmed"));
        }
        counts
    }

    fn json(&self, name: &str) -> Value {
        json!({
            "set": name, "tasks": self.tasks, "right_true": self.proved, "right_false": self.broken, "wrong": self.wrong,
            "unknown": self.unknown, "unjudged": self.unjudged, "score": self.score, "cpu_s": self.cpu_s,
            "witnesses_checked": self.witnesses, "witnesses_confirmed": self.confirmed,
        })
    }
}

/// The counts of each set, and of all tasks; a task that is in several sets is in all counted once.
fn by_set(records: &[Record]) -> Vec<(String, Counts)> {
    let mut sets: Vec<&String> = records.iter().flat_map(|r| &r.sets).collect();
    sets.sort();
    sets.dedup();
    let mut out: Vec<(String, Counts)> = sets
        .into_iter()
        .map(|set| (set.clone(), Counts::of(records.iter().filter(|r| r.sets.contains(set)))))
        .collect();
    out.push(("(all)".to_owned(), Counts::of(records.iter())));
    out
}

/// Wrong answers, then a row for each set.
pub(super) fn text(records: &[Record]) -> String {
    let mut out = String::new();
    for r in records.iter().filter(|r| r.status == Status::Wrong) {
        let expected = r.expected.as_deref().unwrap_or("");
        let _ = writeln!(out, "WRONG: {} is {}, expected {expected} ({})", r.task, r.verdict, r.reason);
    }
    let rows = by_set(records);
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(3);
    let header = format!(
        "{:<width$} {:>6} {:>6} {:>6} {:>6} {:>8} {:>8} {:>7} {:>10}",
        "set", "tasks", "true", "false", "wrong", "unknown", "unjudged", "score", "cpu s"
    );
    let with_witnesses = rows.iter().any(|(_, c)| c.witnesses > 0);
    let _ = writeln!(out, "{header}{}", if with_witnesses { "  confirmed" } else { "" });
    for (name, c) in rows {
        let row = format!(
            "{name:<width$} {:>6} {:>6} {:>6} {:>6} {:>8} {:>8} {:>7} {:>10.1}",
            c.tasks, c.proved, c.broken, c.wrong, c.unknown, c.unjudged, c.score, c.cpu_s
        );
        let witnesses = if with_witnesses { format!("  {} of {}", c.confirmed, c.witnesses) } else { String::new() };
        let _ = writeln!(out, "{row}{witnesses}");
    }
    out
}

/// The last line.
pub(super) fn last_line(records: &[Record]) -> String {
    let all = Counts::of(records.iter());
    format!(
        "Bench: DONE ({} tasks, {} right, {} wrong, score {})\n",
        all.tasks,
        all.proved + all.broken,
        all.wrong,
        all.score
    )
}

/// A line for each task (RFC 4180).
pub(super) fn csv(records: &[Record]) -> String {
    let mut out = String::from(
        "task,property,expected,verdict,status,score,witness,engine,cpu_s,time_s,memory_bytes,exit_code,reason\n",
    );
    for r in records {
        let optional = |text: &Option<String>| text.clone().unwrap_or_default();
        let status = serde_json::to_value(r.status).ok().and_then(|v| v.as_str().map(str::to_owned));
        let cells = [
            r.task.clone(),
            optional(&r.property),
            optional(&r.expected),
            r.verdict.clone(),
            optional(&status),
            r.score.to_string(),
            optional(&r.witness),
            optional(&r.engine),
            format!("{:.3}", r.cpu_s),
            format!("{:.3}", r.time_s),
            r.memory_bytes.to_string(),
            r.exit_code.map_or(String::new(), |c| c.to_string()),
            r.reason.clone(),
        ];
        let cells: Vec<String> = cells.iter().map(|c| quoted(c)).collect();
        out += &cells.join(",");
        out.push('\n');
    }
    out
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

/// Everything.
pub(super) fn json(header: &Header, records: &[Record]) -> String {
    let sets: Vec<Value> = by_set(records).iter().map(|(name, counts)| counts.json(name)).collect();
    let document = json!({ "run": header, "sets": sets, "tasks": records });
    serde_json::to_string_pretty(&document).expect("records are plain data") + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::log::tests::{header, record};
    use super::*;

    fn some() -> Vec<Record> {
        vec![
            record("a.yml", "true", Status::Right, 2),
            record("b.yml", "false(unreach-call)", Status::Wrong, -16),
            Record { sets: vec!["Loops".into(), "Other".into()], ..record("c.yml", "unknown", Status::Unknown, 0) },
        ]
    }

    #[test]
    fn sets_are_counted_and_wrong_answers_come_first() {
        let shown = text(&some());
        assert!(shown.starts_with("WRONG: b.yml is false(unreach-call), expected true"), "{shown}");
        let row = |name: &str| {
            let line = shown.lines().find(|l| l.starts_with(name)).unwrap_or_else(|| panic!("{name} in {shown}"));
            line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(row("Loops")[..7], ["3", "1", "0", "1", "1", "0", "-14"]);
        assert_eq!(row("Other")[..7], ["1", "0", "0", "0", "1", "0", "0"]);
        assert_eq!(row("(all)")[..7], ["3", "1", "0", "1", "1", "0", "-14"]);
        assert_eq!(last_line(&some()), "Bench: DONE (3 tasks, 1 right, 1 wrong, score -14)\n");
    }

    #[test]
    fn cells_are_quoted_and_json_can_be_read() {
        let text = csv(&some());
        assert!(text.lines().nth(1).unwrap().ends_with(",\"a \"\"reason\"\", with commas\""), "{text}");
        let read: Value = serde_json::from_str(&json(&header(), &some())).unwrap();
        assert_eq!(read["sets"][2]["score"], -14);
        assert_eq!(read["tasks"][1]["status"], "wrong");
    }
}

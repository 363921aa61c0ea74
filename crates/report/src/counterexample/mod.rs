//! A run, above all a counterexample, as a report: the steps of the run, indented by call depth, each with its place, its source line and
//! the values that matter; the inputs at the end.
//!
//! The data is plain, so that it can cross the pipe; [`trace`] fills it.

mod abridge;
mod inputs;
mod names;
mod pointees;
mod trace;
mod values;
mod values_seen;

pub use trace::{CounterexampleReport, Run, describe, describe_run};
pub use values_seen::branch_taken;

use crate::counted;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    /// What happened, in order; the last line of a counterexample is the one that goes wrong.
    pub lines: Vec<RunLine>,
    /// Steps of the whole run.
    pub n_steps: u64,
    /// What the run read from outside, in order.
    pub inputs: Vec<RunInput>,
    /// How many inputs are missing in the middle of the list.
    pub inputs_left_out: usize,
    /// Remarks on the whole run: a signed value that wrapped, a compiled replay that agreed.
    pub remarks: Vec<String>,
    /// It is a counterexample.
    pub goes_wrong: bool,
}

/// One line of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RunLine {
    /// Steps of one line of the source.
    Step(RunStep),
    /// Something is left out here.
    Gap {
        /// How many calls deep.
        depth: u32,
        /// What is left out: "12 more rounds".
        text: String,
    },
}

/// What happened on one line of the source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunStep {
    /// How many calls deep the step is; the entry function is at 0.
    pub depth: u32,
    /// The user's file.
    pub file: String,
    /// The user's line.
    pub line: u32,
    /// The column of its first step.
    pub column: u32,
    /// The function around it.
    pub function: String,
    /// The source line.
    pub source_line: String,
    /// What the source does not say, in order: "x = 1", "calls f(x = 1)", "assertion fails".
    pub remarks: Vec<String>,
}

/// One value from outside.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunInput {
    /// The user's file.
    pub file: String,
    /// The user's line.
    pub line: u32,
    /// Where the value came from: `__VERIFIER_nondet_int()`, `uninitialised x`.
    pub what: String,
    /// The value.
    pub value: String,
}

/// Deeper calls are indented no further.
const MAX_INDENT: u32 = 16;

/// Lines are not longer than this, if that can be had by cutting source text and by putting remarks on a line of their own.
const WIDTH: usize = 100;

/// A longer name of a file is cut at its source.
const MAX_FILE: usize = 32;

/// The least of a source line that is shown.
const MIN_SOURCE: usize = 24;

/// The report as text; every line ends with a newline.
pub fn render(report: &RunReport) -> String {
    let files = Files::of(report);
    let whole = files.only().map_or(String::new(), |file| format!(" in {file}"));
    let what = if report.goes_wrong { "The run that goes wrong" } else { "The run" };
    let mut out = format!("{what}{whole} ({}):\n", counted(report.n_steps, "step"));
    let place = |line: &RunLine| match line {
        RunLine::Step(s) => format!("{}:{}", files.short(&s.file), s.line),
        RunLine::Gap { .. } => String::new(),
    };
    let width = report.lines.iter().map(|l| place(l).chars().count()).max().unwrap_or(0);
    for line in &report.lines {
        let head = format!("  {:width$}  ", place(line));
        match line {
            RunLine::Step(s) => step(&mut out, s, &head),
            RunLine::Gap { depth, text } => {
                let _ = writeln!(out, "{head}{}… {text} …", indent(*depth));
            }
        }
    }
    inputs(&mut out, report, &files);
    for remark in &report.remarks {
        let _ = writeln!(out, "Note: {remark}");
    }
    out
}

/// The files of a report.
struct Files<'a>(BTreeSet<&'a str>);

impl Files<'_> {
    fn of(report: &RunReport) -> Files<'_> {
        let steps = report.lines.iter().filter_map(|l| match l {
            RunLine::Step(s) => Some(s.file.as_str()),
            RunLine::Gap { .. } => None,
        });
        Files(steps.chain(report.inputs.iter().map(|i| i.file.as_str())).collect())
    }

    /// The only one.
    fn only(&self) -> Option<&str> {
        self.0.first().copied().filter(|_| self.0.len() == 1)
    }

    /// The name without its folder, unless two files have the same, and cut at its source if it is long.
    fn short(&self, file: &str) -> String {
        let last = |file: &str| file.rsplit('/').next().unwrap_or(file).to_string();
        let name = last(file);
        let name = if self.0.iter().any(|other| *other != file && last(other) == name) { file } else { &name };
        let n = name.chars().count();
        if n <= MAX_FILE {
            name.to_string()
        } else {
            ['…'].into_iter().chain(name.chars().skip(n - MAX_FILE + 1)).collect()
        }
    }
}

fn step(out: &mut String, step: &RunStep, head: &str) {
    let mut line = format!("{head}{}", indent(step.depth));
    if step.depth > MAX_INDENT {
        let _ = write!(line, "[{} calls deep] ", step.depth);
    }
    let before = line.chars().count();
    let source = cut(step.source_line.trim(), WIDTH.saturating_sub(before).max(MIN_SOURCE));
    line += &source;
    let remarks = step.remarks.join(", ");
    if remarks.is_empty() {
        let _ = writeln!(out, "{}", line.trim_end());
    } else if line.chars().count() + remarks.chars().count() + 6 <= WIDTH {
        let _ = writeln!(out, "{line}   // {remarks}");
    } else {
        let before = (before + 4).min(WIDTH / 2);
        let _ = writeln!(out, "{}", line.trim_end());
        for remarks in wrap(&step.remarks, WIDTH - before - 3) {
            let _ = writeln!(out, "{}// {remarks}", " ".repeat(before));
        }
    }
}

/// The remarks on lines of bounded length, as few as it takes; a remark that is longer is cut.
fn wrap(remarks: &[String], most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for remark in remarks {
        let remark = cut(remark, most);
        match lines.last_mut() {
            Some(line) if line.chars().count() + remark.chars().count() + 2 <= most => {
                line.push_str(", ");
                line.push_str(&remark);
            }
            _ => lines.push(remark),
        }
    }
    lines
}

fn inputs(out: &mut String, report: &RunReport, files: &Files<'_>) {
    if report.inputs.is_empty() {
        *out += "The run takes no input.\n";
        return;
    }
    *out += "Inputs, in order:\n";
    let gap = if report.inputs_left_out > 0 { report.inputs.len() / 2 } else { usize::MAX };
    let mut i = 0;
    while i < report.inputs.len() {
        if i == gap {
            let _ = writeln!(out, "  … {} …", counted(report.inputs_left_out as u64, "more input"));
        }
        let input = &report.inputs[i];
        // The same over and over is told once.
        let end = if i < gap { gap.min(report.inputs.len()) } else { report.inputs.len() };
        let n = report.inputs[i..end].iter().take_while(|other| *other == input).count();
        let times = if n > 1 { format!("   ({n} times)") } else { String::new() };
        let text = format!("  {}:{}  {} = {}", files.short(&input.file), input.line, input.what, input.value);
        let _ = writeln!(out, "{}{times}", cut(&text, WIDTH));
        i += n;
    }
}

fn indent(depth: u32) -> String {
    "  ".repeat(depth.min(MAX_INDENT) as usize)
}

/// Text on one line of bounded length.
fn cut(text: &str, most: usize) -> String {
    let one_line: String = text.chars().take(most + 1).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if one_line.chars().count() <= most {
        return one_line;
    }
    one_line.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn at(depth: u32, line: u32, source: &str, remarks: &[&str]) -> RunLine {
        RunLine::Step(RunStep {
            depth,
            file: "a.c".into(),
            line,
            column: 1,
            function: "f".into(),
            source_line: source.into(),
            remarks: remarks.iter().map(ToString::to_string).collect(),
        })
    }

    fn input(value: &str) -> RunInput {
        RunInput { file: "a.c".into(), line: 10, what: "__VERIFIER_nondet_int()".into(), value: value.into() }
    }

    #[test]
    fn a_report_reads_top_down() {
        let report = RunReport {
            lines: vec![
                at(0, 10, "\tint x = __VERIFIER_nondet_int();", &["x = 7"]),
                at(0, 11, "  f(x + 1, &x);", &["calls f(y = 8)"]),
                at(1, 3, "while (y > 7)", &["true", "y = 8", "*p = 7"]),
                RunLine::Gap { depth: 1, text: "12 more rounds".into() },
                at(1, 103, &"long + ".repeat(14), &["a = 1", "b = 2"]),
                at(1, 104, "assert(0);", &["assertion `0` fails"]),
            ],
            n_steps: 40,
            inputs: vec![input("7"), input("-1")],
            inputs_left_out: 1,
            remarks: vec!["the compiled program fails in the same way".into()],
            goes_wrong: true,
        };
        expect![[r#"
            The run that goes wrong in a.c (40 steps):
              a.c:10   int x = __VERIFIER_nondet_int();   // x = 7
              a.c:11   f(x + 1, &x);   // calls f(y = 8)
              a.c:3      while (y > 7)   // true, y = 8, *p = 7
                         … 12 more rounds …
              a.c:103    long + long + long + long + long + long + long + long + long + long + long + long + lo…
                             // a = 1, b = 2
              a.c:104    assert(0);   // assertion `0` fails
            Inputs, in order:
              a.c:10  __VERIFIER_nondet_int() = 7
              … 1 more input …
              a.c:10  __VERIFIER_nondet_int() = -1
            Note: the compiled program fails in the same way
        "#]]
        .assert_eq(&render(&report));
    }

    #[test]
    fn deep_and_wide_stories_stay_readable() {
        let value = "1".repeat(500);
        let lines = (0..100).map(|i| at(i, i + 1, &"f(".repeat(100), &[&value])).collect();
        let text = render(&RunReport { lines, n_steps: 1, ..RunReport::default() });
        assert!(text.lines().all(|l| l.chars().count() <= WIDTH), "no line is too wide: {text}");
        assert!(text.contains("[99 calls deep]"));
        assert!(text.ends_with("The run takes no input.\n"));
    }

    #[test]
    fn names_of_files_are_as_short_as_they_can_be() {
        let files = Files(["x/a.c", "y/a.c", "x/b.c"].into());
        assert_eq!(["x/a.c", "y/a.c", "x/b.c"].map(|f| files.short(f)), ["x/a.c", "y/a.c", "b.c"]);
        assert_eq!(files.short(&"x".repeat(50)).chars().count(), MAX_FILE);
        assert_eq!(files.only(), None);
    }
}

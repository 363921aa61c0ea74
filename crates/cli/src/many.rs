//! Several checks, one line each: every entry with every rule.
//!
//! ```text
//! PASS     entry  rule
//! DEFECT   entry  rule  (what the rule says, and where)
//! UNKNOWN  entry  rule  (why)
//! N/A      entry  rule  (what the program does not use)
//! ```
//!
//! The run of a defect stands under its line. What the answers rest on is said once, at the end.

use crate::display::{Display, Format};
use crate::format;
use crate::outcome::{Answer, Exit, Outcome};
use crate::report::{complain, one_line, show};
use crate::settings::{CheckSettings, Job};
use crate::supervise::Ended;
use crate::{stats_file, supervise};
use report::counterexample::{self, RunLine};
use report::targets::TargetReport;
use std::fs::File;
use std::io::Write;
use std::process::ExitCode;

/// How many checks ended how.
#[derive(Default)]
struct Counts {
    pass: usize,
    defect: usize,
    unknown: usize,
    not_applicable: usize,
    /// The worst that happened otherwise.
    trouble: Option<Exit>,
}

/// Does all checks and prints what comes out.
pub(crate) fn check(tasks: &[CheckSettings], display: &Display) -> ExitCode {
    supervise::SEVERAL.store(true, std::sync::atomic::Ordering::Relaxed);
    let width = |of: fn(&CheckSettings) -> &str| tasks.iter().map(|t| of(t).chars().count()).max().unwrap_or(0);
    let widths = (width(entry), width(rule));
    let (mut counts, mut assumptions) = (Counts::default(), Vec::new());
    // All answers are one document, which this process writes at the end.
    let mut answers = Vec::new();
    let mut file = match display.output.as_ref().map(|path| File::create(path).map_err(|e| (path, e))).transpose() {
        Ok(file) => file,
        Err((path, e)) => return crate::usage(&format!("cannot write {path}: {}", crate::input::reason(&e))),
    };
    let alone = Display { format: Format::Text, output: None, ..display.clone() };
    for task in tasks {
        let mut ended = match one(task, &alone) {
            Ok(ended) => ended,
            Err(message) => return crate::usage(&message),
        };
        let outcome = &ended.outcome;
        outcome.messages.iter().for_each(|m| complain(m));
        if display.shows_text() {
            show(lines(task, outcome, widths).as_bytes());
        }
        counts.add(outcome);
        for assumption in &outcome.assumptions {
            if !assumptions.contains(assumption) {
                assumptions.push(assumption.clone());
            }
        }
        let answer = outcome.answer;
        ended.outcome.targets.iter_mut().for_each(to_the_program);
        answers.push((Job::Check(task.clone()), ended));
        // What is wrong with the files is wrong with them for every rule.
        if tasks.len() > 1 && answer == Answer::BadUsage {
            break;
        }
    }
    if display.shows_text() {
        show(summary(&counts, &assumptions).as_bytes());
    }
    if display.format != Format::Text {
        let text = format::answers(display.format, &answers);
        match (&mut file, &display.output) {
            (Some(file), Some(path)) => {
                if let Err(e) = file.write_all(text.as_bytes()) {
                    complain(&format!("error: cannot write {path}: {e}"));
                }
            }
            _ => show(text.as_bytes()),
        }
    }
    counts.exit().into()
}

/// Does one check.
pub(crate) fn one(task: &CheckSettings, display: &Display) -> Result<Ended, String> {
    let job = Job::Check(task.clone());
    let outputs = stats_file::prepare(&job, display)?;
    let started = std::time::Instant::now();
    let run = std::panic::catch_unwind(|| supervise::supervise(&job, started));
    let ended = run.unwrap_or_else(|_| supervise::Ended::of_broken_parent(started));
    if let Err(message) = outputs.write(&ended, &job) {
        complain(&message);
    }
    Ok(ended)
}

/// A broken rule is found in the rule's text; the place that a reader of formats can go to is the last one before it that is in the
/// program.
fn to_the_program(target: &mut TargetReport) {
    let Some(run) = target.run.as_ref().filter(|_| target.rule == "rule") else { return };
    let last = run.lines.iter().rev().find_map(|l| match l {
        RunLine::Step(s) if s.file != target.file => Some(s.clone()),
        _ => None,
    });
    if let Some(step) = last {
        target.what = format!("{} (rule: {}:{})", target.what, target.file, target.line);
        (target.file, target.line, target.column) = (step.file, step.line, step.column);
        (target.function, target.source_line) = (step.function, step.source_line.trim().to_string());
    }
}

fn entry(task: &CheckSettings) -> &str {
    &task.program.entry
}

pub(crate) fn rule(task: &CheckSettings) -> &str {
    task.program.rule.as_ref().map_or("assertions", |r| &r.name)
}

/// The line of a check, and the run under it.
fn lines(task: &CheckSettings, outcome: &Outcome, widths: (usize, usize)) -> String {
    let word = word(outcome.answer);
    let (entry_width, rule_width) = widths;
    let (entry, rule) = (entry(task), rule(task));
    let reason = match outcome.answer {
        Answer::Safe => String::new(),
        _ => format!("({})", one_line(&outcome.reason)),
    };
    let line = format!("{word:8} {entry:entry_width$}  {rule:rule_width$}  {reason}");
    let mut text = format!("{}\n", line.trim_end());
    let of_target = || outcome.targets.iter().find_map(|t| t.run.as_ref());
    if let Some(run) = outcome.run.as_ref().or_else(of_target) {
        let shown = counterexample::render(run);
        let common = shown.lines().map(|l| l.len() - l.trim_start().len()).min().unwrap_or(0);
        for line in shown.lines() {
            text += &format!("    {}\n", &line[common..]);
        }
    }
    for advice in &outcome.advice {
        text += &format!("    to try next: {}\n", one_line(advice));
    }
    text
}

/// The word for an answer.
pub(crate) fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Safe => "PASS",
        Answer::Unsafe => "DEFECT",
        Answer::NotApplicable => "N/A",
        _ => "UNKNOWN",
    }
}

fn summary(counts: &Counts, assumptions: &[String]) -> String {
    let mut text = String::new();
    if !assumptions.is_empty() {
        text += "The answers rest on:\n";
        for assumption in assumptions {
            text += &format!("  {}\n", one_line(assumption));
        }
    }
    let Counts { pass, defect, unknown, not_applicable, .. } = counts;
    text + &format!("Rules: {pass} pass, {defect} defect, {unknown} unknown, {not_applicable} not applicable\n")
}

impl Counts {
    fn add(&mut self, outcome: &Outcome) {
        match outcome.answer {
            Answer::Safe => self.pass += 1,
            Answer::Unsafe => self.defect += 1,
            Answer::NotApplicable => self.not_applicable += 1,
            Answer::Unknown => self.unknown += 1,
            _ => {
                self.unknown += 1;
                self.trouble.get_or_insert(outcome.exit());
            }
        }
    }

    /// A defect counts most, then what could not be used, then what is not known.
    fn exit(&self) -> Exit {
        match (self.defect, self.trouble, self.unknown) {
            (1.., ..) => Exit::Defect,
            (0, Some(exit), _) => exit,
            (0, None, 1..) => Exit::Inconclusive,
            (0, None, 0) => Exit::Good,
        }
    }
}

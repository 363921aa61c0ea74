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

use crate::args::several::FailOn;
use crate::display::{Amount, Display, Format};
use crate::format;
use crate::outcome::{Answer, Exit, Outcome};
use crate::report::{complain, one_line, show};
use crate::settings::{CheckSettings, Job};
use crate::supervise::Ended;
use crate::tasks::{self, Several};
use crate::{known, rests_on, stats_file, supervise};
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
    /// Defects that are known, of those above.
    known: usize,
    /// Defects of rules that are only a warning and not known.
    warnings: usize,
    /// The worst that happened otherwise.
    trouble: Option<Exit>,
}

/// Does all checks and prints what comes out.
pub(crate) fn check(several: &Several, display: &Display) -> ExitCode {
    let tasks = &several.tasks;
    let labels = Labels::of(tasks);
    let (mut counts, mut assumptions) = (Counts::default(), Vec::new());
    // All answers are one document, which this process writes at the end.
    let mut answers = Vec::new();
    let mut file = match display.output.as_ref().map(|path| File::create(path).map_err(|e| (path, e))).transpose() {
        Ok(file) => file,
        Err((path, e)) => return crate::usage(&format!("cannot write {path}: {}", crate::input::reason(&e))),
    };
    let alone = Display { format: Format::Text, output: None, ..display.clone() };
    let (mut baseline, mut used) = (String::new(), vec![false; several.known.len()]);
    let done = tasks::run(several, &alone, |task, mut ended| {
        let outcome = &ended.outcome;
        outcome.messages.iter().for_each(|m| complain(m));
        let entry = labels.entry(task);
        let fits = |k: &known::Known| k.fits(rule(task), &entry, &outcome.reason);
        let is_known = outcome.answer == Answer::Unsafe && several.known.iter().any(fits);
        for (used, known) in used.iter_mut().zip(&several.known) {
            *used |= outcome.answer == Answer::Unsafe && fits(known);
        }
        if outcome.answer == Answer::Unsafe {
            baseline += &known::line(rule(task), &entry, &outcome.reason);
        }
        if display.shows_text() {
            let (head, rest) = lines(task, outcome, &labels, is_known);
            show(head.as_bytes());
            if display.amount != Amount::Quiet {
                show(rest.as_bytes());
            }
        }
        counts.add(task, outcome, is_known);
        for assumption in &outcome.assumptions {
            rests_on::merge(&mut assumptions, assumption);
        }
        let answer = outcome.answer;
        ended.outcome.targets.iter_mut().for_each(to_the_program);
        let job = Job::Check(CheckSettings { cache: None, ..task.clone() });
        answers.push((job, ended));
        // What is wrong with the files is wrong with them for every rule.
        tasks.len() == 1 || answer != Answer::BadUsage
    });
    if let Err(message) = done {
        return crate::usage(&message);
    }
    for known in several.known.iter().zip(&used).filter(|(_, used)| !**used).map(|(k, _)| k) {
        complain(&format!("note: {}: no defect of this run is meant by this line", known.place));
    }
    if let Some(path) = &several.write_baseline
        && let Err(e) = std::fs::write(path, &baseline)
    {
        complain(&format!("error: cannot write {path}: {}", crate::input::reason(&e)));
    }
    if display.shows_text() {
        if display.amount == Amount::Quiet {
            assumptions.clear();
        }
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
    counts.exit(several.fail_on).into()
}

/// How entries are called in the lines, and how wide the columns are.
struct Labels {
    /// Whether the tasks are about several programs, so that their files have to be said.
    with_files: bool,
    widths: (usize, usize),
}

impl Labels {
    fn of(tasks: &[CheckSettings]) -> Labels {
        let with_files = tasks.windows(2).any(|t| t[0].program.files != t[1].program.files);
        let mut labels = Labels { with_files, widths: (0, 0) };
        for task in tasks {
            let (entry, rule) = (labels.entry(task).chars().count(), rule(task).chars().count());
            labels.widths = (labels.widths.0.max(entry), labels.widths.1.max(rule));
        }
        labels
    }

    fn entry(&self, task: &CheckSettings) -> String {
        let file = task.program.files.first().filter(|_| self.with_files);
        let name = file.and_then(|f| std::path::Path::new(f).file_name()).map(|f| f.to_string_lossy());
        name.map_or_else(|| entry(task).to_owned(), |name| format!("{name}:{}", entry(task)))
    }
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
    crate::harness::entry_name(&task.program.entry)
}

pub(crate) fn rule(task: &CheckSettings) -> &str {
    task.program.rule.as_ref().map_or("assertions", |r| &r.name)
}

/// The line of a check, and what stands under it: the run, and what to try.
fn lines(task: &CheckSettings, outcome: &Outcome, labels: &Labels, is_known: bool) -> (String, String) {
    let word = word(outcome.answer);
    let (entry_width, rule_width) = labels.widths;
    let (entry, rule) = (labels.entry(task), rule(task));
    let mut notes = Vec::new();
    if outcome.answer != Answer::Safe {
        notes.push(one_line(&outcome.reason));
    }
    if outcome.answer == Answer::Safe && outcome.messages.iter().any(|m| m.contains(crate::rules::NEVER)) {
        notes.push(crate::rules::NEVER.to_owned());
    }
    notes.extend(is_known.then(|| "known".to_owned()));
    notes.extend(outcome.cached.clone());
    let reason = if notes.is_empty() { String::new() } else { format!("({})", notes.join("; ")) };
    let line = format!("{word:8} {entry:entry_width$}  {rule:rule_width$}  {reason}");
    let mut text = String::new();
    let of_target = || outcome.targets.iter().find_map(|t| t.run.as_ref());
    if let Some(run) = outcome.run.as_ref().or_else(of_target).filter(|_| !is_known) {
        let shown = counterexample::render(run);
        let common = shown.lines().map(|l| l.len() - l.trim_start().len()).min().unwrap_or(0);
        for line in shown.lines() {
            text += &format!("    {}\n", &line[common..]);
        }
    }
    for advice in &outcome.advice {
        text += &format!("    to try next: {}\n", one_line(advice));
    }
    (format!("{}\n", line.trim_end()), text)
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
    let Counts { pass, defect, unknown, not_applicable, known, .. } = counts;
    let known = if *known > 0 { format!(" ({known} known)") } else { String::new() };
    text + &format!("Rules: {pass} pass, {defect} defect{known}, {unknown} unknown, {not_applicable} not applicable\n")
}

impl Counts {
    fn add(&mut self, task: &CheckSettings, outcome: &Outcome, is_known: bool) {
        match outcome.answer {
            Answer::Safe => self.pass += 1,
            Answer::Unsafe => {
                self.defect += 1;
                self.known += usize::from(is_known);
                self.warnings += usize::from(!is_known && is_warning(task));
            }
            Answer::NotApplicable => self.not_applicable += 1,
            Answer::Unknown => self.unknown += 1,
            _ => {
                self.unknown += 1;
                self.trouble.get_or_insert(outcome.exit());
            }
        }
    }

    /// A defect counts most, then what could not be used, then what is not known.
    fn exit(&self, fail_on: FailOn) -> Exit {
        let counted = match fail_on {
            FailOn::Never => 0,
            FailOn::Error => self.defect - self.known - self.warnings,
            FailOn::Defect | FailOn::Unknown => self.defect - self.known,
        };
        match (counted, self.trouble, self.unknown) {
            (1.., ..) => Exit::Defect,
            (0, Some(exit), _) => exit,
            (0, None, 1..) if fail_on == FailOn::Unknown => Exit::Inconclusive,
            (0, None, _) => Exit::Good,
        }
    }
}

/// Whether to break the task's rule is only a warning.
fn is_warning(task: &CheckSettings) -> bool {
    let Some(text) = &task.program.rule else { return false };
    let mut map = base::SourceMap::new();
    let file = map.add(text.file.clone(), text.text.clone());
    spec::parse(&text.name, file, &text.text).is_ok_and(|r| r.severity == spec::syntax::Severity::Warning)
}

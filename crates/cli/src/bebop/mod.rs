//! `hardbop bebop`: boolean programs on their own. Reads a `.bp` file in any dialect and decides whether its targets are
//! reached, compares two programs, or prints one in another form.
//!
//! Every answer names what it rests on: a trace that the explicit interpreter replayed, path-edge sets that were checked to
//! be closed under every statement, or nothing but the search where the program was too large or the check was switched off.

mod args;
mod cartesian;
mod check;
mod equiv;
mod settings;
mod show;
mod three_valued;
mod trace;
mod view;

pub(crate) use args::{BebopArgs, lower};
pub(crate) use settings::{BebopSettings, Task};

use crate::front;
use crate::input::{Empty, read_text};
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::stats_file::verdict_word;
use base::{Diagnostic, FileId, SourceMap, Span};
use boolprog::{Dialect, Program, convert};
use report::counted;
use settings::{Form, Reading};

impl BebopSettings {
    /// The files that are read, in order.
    pub(crate) fn files(&self) -> Vec<String> {
        match &self.task {
            Task::Check(t) => vec![t.file.clone()],
            Task::Convert(file, ..) => vec![file.clone()],
            Task::Equiv(a, b) => vec![a.clone(), b.clone()],
        }
    }
}

/// The beginning of the answer line.
pub(crate) fn answer_word(settings: &BebopSettings, answer: Answer) -> String {
    match (&settings.task, answer) {
        (Task::Check(_), answer) => format!("Verdict: {}", verdict_word(answer)),
        (Task::Equiv(..), Answer::Equivalent) => "Programs: EQUIVALENT".to_string(),
        (Task::Equiv(..), Answer::Different) => "Programs: DIFFERENT".to_string(),
        (Task::Equiv(..), _) => "Programs: UNKNOWN".to_string(),
        // A comment, should it land in a file that is read again.
        (Task::Convert(..), _) => "// Conversion: UNKNOWN".to_string(),
    }
}

/// Does the job.
pub(crate) fn work(settings: &BebopSettings, progress: &mut Progress) -> Outcome {
    let mut map = SourceMap::new();
    let mut programs = Vec::new();
    for file in settings.files() {
        match read(&file, settings.dialect, &mut map, progress) {
            Ok(program) => programs.push(program),
            Err(outcome) => return *outcome,
        }
    }
    match (&settings.task, &programs[..]) {
        (Task::Check(task), [program]) => check::check(task, settings.limits, program, &map, progress),
        (Task::Convert(file, form, labels), [program]) => convert_to((file, *form, labels), program, &map),
        (Task::Equiv(..), [a, b]) => equiv::compare(a, b, &map, progress),
        _ => unreachable!("each task reads its own number of files"),
    }
}

/// The boolean program in `file`. The error is what the job ends in.
fn read(file: &str, reading: Reading, map: &mut SourceMap, progress: &mut Progress) -> Result<Program, Box<Outcome>> {
    progress.phase("read");
    let text = read_text(file, Empty::Refused).map_err(|e| Box::new(front::refused(e)))?;
    let text = text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text);
    progress.phase("parse");
    let dialect = match reading {
        Reading::Bebop => Dialect::Bebop,
        Reading::Boppo => Dialect::Boppo,
        Reading::Auto => Dialect::of_text(&text),
    };
    let id: FileId = map.add(file, text);
    let span = Span::new(id, 0, map.file(id).text.len() as u32);
    let program = boolprog::parse(map, span, dialect).map_err(|d| Box::new(refused(&d, map)))?;
    match boolprog::validate(&program).first() {
        None => Ok(program),
        Some(broken) => Err(Box::new(Outcome::internal(format!("parse: {}", broken.message)))),
    }
}

/// So many mistakes are shown at once.
const SHOWN: usize = 20;

fn refused(mistakes: &[Diagnostic], map: &SourceMap) -> Outcome {
    let (shown, more) = mistakes.split_at(mistakes.len().min(SHOWN));
    let mut outcome = front::refused_by_front_end(shown, map);
    if !more.is_empty() {
        outcome.messages.push(format!("and {}", counted(more.len() as u64, "more error")));
    }
    outcome
}

fn convert_to((file, form, labels): (&str, Form, &[String]), program: &Program, map: &SourceMap) -> Outcome {
    let targets = match check::targets(file, labels, &show::Names { program, map }) {
        Ok((found, _)) => found,
        Err(why) => return Outcome { messages: vec![format!("error: {why}")], ..Outcome::new(Answer::BadUsage, why) },
    };
    let text = match form {
        Form::Canonical => boolprog::print(program),
        Form::Slam => convert::slam(program),
        Form::Satabs => convert::satabs(program),
        Form::Moped => convert::moped(program),
        Form::Smtlib => convert::smtlib(program, &targets),
        Form::Smv => match convert::smv(program, &targets) {
            Ok(text) => text,
            Err(why) => return Outcome::unknown(why),
        },
    };
    Outcome { text: lines(&text).collect(), ..Outcome::new(Answer::Converted, "") }
}

/// The lines of `text`, as an outcome wants them.
fn lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(str::to_string)
}

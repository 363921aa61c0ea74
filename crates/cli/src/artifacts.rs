//! Files that a check writes on the way: intermediate forms, the proof, the tape; and what the engines report as they go.

use crate::input::reason;
use crate::message::Progress;
use crate::settings::{Dump, DumpForm};
use std::path::Path;

/// Writes a file, or says why not, as a message for the user.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("error: cannot write {}: {}", path.display(), reason(&e)))
}

/// Passes on what the engines report, and writes the intermediate forms that were asked for.
pub(crate) struct Reporter<'a> {
    progress: &'a mut Progress,
    dump: Option<&'a Dump>,
    name: String,
    /// Files that could not be written.
    pub(crate) problems: Vec<String>,
}

impl<'a> Reporter<'a> {
    /// Reports to `progress`; files are named after the program's first file.
    pub(crate) fn new(progress: &'a mut Progress, dump: Option<&'a Dump>, first_file: &str) -> Reporter<'a> {
        let stem = Path::new(first_file).file_stem().map_or("program".into(), |s| s.to_string_lossy().into_owned());
        Reporter { progress, dump, name: stem, problems: Vec::new() }
    }

    /// Writes an intermediate form if it was asked for. `round` is a part of the file's name.
    pub(crate) fn dump(&mut self, form: DumpForm, round: &str, text: &dyn Fn() -> String) {
        let Some(dump) = self.dump.filter(|d| d.forms.contains(&form)) else { return };
        let extension = match form {
            DumpForm::Ir => "ir",
            DumpForm::Bp => "bp",
            DumpForm::Facts => "facts",
            DumpForm::Preds => "preds",
            DumpForm::Trace => "trace",
        };
        let path = Path::new(&dump.dir).join(format!("{}{round}.{extension}", self.name));
        if let Err(problem) = write(&path, &text()) {
            self.problems.push(problem);
        }
    }
}

impl verify::Progress for Reporter<'_> {
    fn phase(&mut self, phase: &'static str) {
        self.progress.phase(phase);
    }

    fn reached(&mut self, count: u64) {
        self.progress.iteration(count);
    }

    fn artifact(&mut self, kind: &'static str, iteration: u64, text: &dyn Fn() -> String) {
        let form = match kind {
            "bp" => DumpForm::Bp,
            "facts" => DumpForm::Facts,
            "preds" => DumpForm::Preds,
            "trace" => DumpForm::Trace,
            _ => return,
        };
        self.dump(form, &format!(".{iteration}"), text);
    }
}

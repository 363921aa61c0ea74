//! Files that a check writes on the way: intermediate forms, the proof, the tape; and what the engines report as they go.

use crate::front::Front;
use crate::input::reason;
use crate::message::Progress;
use crate::settings::{Dump, DumpForm};
use crate::work::describe_reason;
use report::divergence;
use std::path::Path;
use std::time::{Duration, Instant};
use verify::Engine;

/// Writes a file, or says why not, as a message for the user.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("error: cannot write {}: {}", path.display(), reason(&e)))
}

/// The place of a path is reported at most this often.
const PLACE_INTERVAL: Duration = Duration::from_millis(100);

/// The text form of a path, each edge with its place and line of the source as a comment.
pub(crate) fn commented(front: &Front, path: &ir::Path) -> String {
    let lines = path.print(&front.program);
    let edges = path.edges.iter().zip(lines.lines()).map(|(&(func, edge), line)| {
        let span = front.edge(func, edge).span;
        format!("{line:24} // {}: {}\n", front.source().show(span), front.source().source_line(span).trim())
    });
    edges.collect()
}

/// Passes on what the engines report, and writes the intermediate forms that were asked for.
pub(crate) struct Reporter<'a> {
    progress: &'a mut Progress,
    front: &'a Front,
    dump: Option<&'a Dump>,
    name: String,
    /// The round of the engine at work, which stays the same while its phases change.
    round: Option<u64>,
    /// When the place of a path was reported last.
    placed: Option<Instant>,
    /// The predicates as they were not long before.
    predicates: String,
    /// The last boolean program and its predicates, if somebody wants to see them.
    pub(crate) kept: Option<(String, String)>,
    /// Files that could not be written.
    pub(crate) problems: Vec<String>,
}

impl<'a> Reporter<'a> {
    /// Reports to `progress`; files are named after the program's first file.
    pub(crate) fn new(
        progress: &'a mut Progress,
        front: &'a Front,
        dump: Option<&'a Dump>,
        first_file: &str,
    ) -> Reporter<'a> {
        let stem = Path::new(first_file).file_stem().map_or("program".into(), |s| s.to_string_lossy().into_owned());
        Reporter {
            progress,
            front,
            dump,
            name: stem,
            round: None,
            placed: None,
            predicates: String::new(),
            kept: None,
            problems: Vec::new(),
        }
    }

    /// Says where the path leads that is looked at.
    fn place(&mut self, path: &ir::Path) {
        // Looking at a long path takes longer than the line is worth.
        let now = Instant::now();
        if self.placed.is_none_or(|last| now - last >= PLACE_INTERVAL) {
            self.placed = Some(now);
            self.progress.place(&divergence::place_of(self.front.source(), path));
            self.progress.standing(divergence::describe_path(self.front.source(), path, &self.predicates));
        }
    }

    /// Writes an intermediate form if it was asked for. `round` is a part of the file's name.
    pub(crate) fn dump(&mut self, form: DumpForm, round: &str, text: &dyn Fn() -> String) {
        let Some(dump) = self.dump.filter(|d| d.forms.contains(&form)) else { return };
        let extension = match form {
            DumpForm::Ir => "ir",
            DumpForm::Bp => "bp",
            DumpForm::Invariants => "invariants",
            DumpForm::Preds => "preds",
            DumpForm::Trace => "trace",
        };
        let path = Path::new(&dump.dir).join(format!("{}{round}.{extension}", self.name));
        if let Err(problem) = write(&path, &text()) {
            self.problems.push(problem);
        }
    }
}

impl<'a> Reporter<'a> {
    /// Hears about a part of the program, which has further functions: copies of those that the reader knows.
    pub(crate) fn about<'r>(&'r mut self, copies: &'r ir::targets::Copies) -> About<'r, 'a> {
        About { reporter: self, copies: Some(copies) }
    }

    /// Hears which phase begins and how far it has come, nothing else.
    pub(crate) fn quiet(&mut self) -> About<'_, 'a> {
        About { reporter: self, copies: None }
    }

    /// What the child tells its parent.
    pub(crate) fn progress(&mut self) -> &mut Progress {
        self.progress
    }
}

/// Passes on what the engines report of a program that is made from the one the reader knows. No files are written.
pub(crate) struct About<'r, 'a> {
    reporter: &'r mut Reporter<'a>,
    copies: Option<&'r ir::targets::Copies>,
}

impl verify::Progress for About<'_, '_> {
    fn phase(&mut self, phase: &'static str) {
        self.reporter.phase(phase);
    }

    fn reached(&mut self, count: u64) {
        self.reporter.reached(count);
    }

    fn path(&mut self, _iteration: u64, path: &ir::Path) {
        if let Some(copies) = self.copies {
            let edges = path.edges.iter().map(|&(f, e)| (copies.original(f), e)).collect();
            self.reporter.place(&ir::Path { edges });
        }
    }
}

impl verify::Progress for Reporter<'_> {
    fn phase(&mut self, phase: &'static str) {
        self.progress.phase(phase);
        if Engine::ALL.iter().any(|e| e.name() == phase) {
            self.round = None;
            self.progress.place("");
        }
        if let Some(round) = self.round {
            self.progress.at_iteration(round);
        }
    }

    fn reached(&mut self, count: u64) {
        self.round = Some(count);
        self.progress.iteration(count);
    }

    fn path(&mut self, iteration: u64, path: &ir::Path) {
        let front = self.front;
        self.dump(DumpForm::Trace, &format!(".{iteration}"), &|| commented(front, path));
        self.place(path);
    }

    fn gave_up(&mut self, engine: Engine, reason: &verify::Reason) {
        let why = describe_reason(self.front.source(), reason);
        self.progress.record(|stats| {
            stats.engines.insert(engine.name().to_owned(), why);
        });
    }

    fn artifact(&mut self, kind: &'static str, iteration: u64, text: &dyn Fn() -> String) {
        if kind == "preds" && self.placed.is_none_or(|last| last.elapsed() >= PLACE_INTERVAL) {
            self.predicates = text();
        }
        if let Some((program, predicates)) = &mut self.kept {
            match kind {
                "bp" => *program = text(),
                "preds" => *predicates = text(),
                _ => {}
            }
        }
        let form = match kind {
            "bp" => DumpForm::Bp,
            "invariants" => DumpForm::Invariants,
            "preds" => DumpForm::Preds,
            _ => return,
        };
        self.dump(form, &format!(".{iteration}"), text);
    }
}

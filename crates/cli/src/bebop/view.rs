//! What becomes of targets, labels and assertions in a view of a boolean program that reaches what the program reaches, and more.

use super::lines;
use super::settings::CheckTask;
use super::show::Names;
use crate::outcome::{Answer, Outcome};
use boolprog::StmtKind;
use boolprog::interp::Goal;
use reach::Target;
use report::counted;
use std::fmt::Write;

/// What a view reaches.
pub(super) struct Seen<'v> {
    pub(super) reaches: &'v dyn Fn(Goal) -> bool,
    /// How many path edges were looked at.
    pub(super) edges: usize,
    /// What is said of a reached target: that executions may not follow.
    pub(super) beyond: &'static str,
}

impl Seen<'_> {
    /// The verdict, and every label and assertion if that is asked for.
    pub(super) fn outcome(&self, task: &CheckTask, names: &Names<'_>, targets: &[Target]) -> Outcome {
        let mut outcome = match targets.iter().find(|t| (self.reaches)(**t)) {
            Some(target) => Outcome::new(Answer::Unsafe, format!("{}{}", names.target(*target), self.beyond)),
            None => {
                let edges = counted(self.edges as u64, "path edge");
                Outcome::new(Answer::Safe, format!("no target is reached; {edges}"))
            }
        };
        if task.all {
            outcome.text = lines(&self.all(names)).collect();
        }
        outcome
    }

    /// Every label and assertion with what becomes of it, one line each.
    fn all(&self, names: &Names<'_>) -> String {
        let mut text = String::new();
        for (p, label, s) in names.labels() {
            let is = if (self.reaches)(Goal::At(p, s)) { "reached" } else { "unreached" };
            _ = writeln!(text, "{}: label `{label}` of `{}`: {is}", names.place(p, s), names.program.procs[p].name);
        }
        for (p, proc) in names.program.procs.iter_enumerated() {
            for (s, _) in proc.body.iter_enumerated().filter(|(_, s)| matches!(s.kind, StmtKind::Assert(_))) {
                let can = if (self.reaches)(Goal::Fails(p, s)) { "can fail" } else { "holds" };
                _ = writeln!(text, "{}: assertion: {can}", names.place(p, s));
            }
        }
        text
    }
}

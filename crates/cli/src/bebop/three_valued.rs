//! `hardbop bebop --three-valued`: TR00's semantics, in which a variable can hold `?`.
//!
//! It reaches whatever the choice semantics reaches and more, so an unreached target is unreachable in both; a reached one
//! need not be reached by a choice, which the answer says.

use super::lines;
use super::settings::CheckTask;
use super::show::Names;
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use boolprog::StmtKind;
use boolprog::interp::Goal;
use boolprog::three_valued::{self, No3, Reached3};
use reach::Target;
use std::fmt::Write;

/// More path edges than this are not looked at: states are explicit here.
const MOST_EDGES: usize = 2_000_000;

pub(super) fn check(task: &CheckTask, names: &Names<'_>, targets: &[Target], progress: &mut Progress) -> Outcome {
    progress.phase("search");
    let reached = match three_valued::reach(names.program, MOST_EDGES) {
        Ok(reached) => reached,
        Err(No3::Constrain(p, s)) => {
            let place = names.place(p, s);
            return Outcome::unknown(format!("the `constrain` at {place} has no meaning with three values"));
        }
        Err(No3::TooMany(n)) => return Outcome::unknown(format!("there are more than {n} path edges")),
    };
    let hit = targets.iter().find(|t| match **t {
        Goal::At(p, s) => reached.at.contains(&(p, s)),
        Goal::Fails(p, s) => reached.failing.contains(&(p, s)),
    });
    let mut outcome = match hit {
        Some(target) => {
            let place = names.target(*target);
            Outcome::new(Answer::Unsafe, format!("{place}; with stored `?`, which a choice may not follow"))
        }
        None => Outcome::new(Answer::Safe, format!("no target is reached; {} path edges", reached.edges)),
    };
    if task.all {
        outcome.text = lines(&all(names, &reached)).collect();
    }
    outcome
}

/// Every label and assertion with what becomes of it, one line each.
fn all(names: &Names<'_>, reached: &Reached3) -> String {
    let mut text = String::new();
    for (p, label, s) in names.labels() {
        let is = if reached.at.contains(&(p, s)) { "reached" } else { "unreached" };
        _ = writeln!(text, "{}: label `{label}` of `{}`: {is}", names.place(p, s), names.program.procs[p].name);
    }
    for (p, proc) in names.program.procs.iter_enumerated() {
        for (s, _) in proc.body.iter_enumerated().filter(|(_, s)| matches!(s.kind, StmtKind::Assert(_))) {
            let can = if reached.failing.contains(&(p, s)) { "can fail" } else { "holds" };
            _ = writeln!(text, "{}: assertion: {can}", names.place(p, s));
        }
    }
    text
}

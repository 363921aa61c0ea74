//! `hardbop bebop --cartesian`: TACAS01's view of a boolean program, with focus.
//!
//! It reaches whatever the program reaches and more, so an unreached target is unreachable; a reached one need not be, which
//! the answer says.

use super::lines;
use super::settings::{Cartesian, CheckTask};
use super::show::Names;
use super::view::Seen;
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use boolprog::cartesian::{self, NoC, ReachedC, View};
use boolprog::interp::Goal;
use boolprog::trivector::Trivector;
use boolprog::{ProcId, print_name};
use reach::Target;
use std::fmt::Write;

/// More path edges than this are not looked at: states are explicit here.
const MOST_EDGES: usize = 200_000;

pub(super) fn check(
    task: &CheckTask,
    how: &Cartesian,
    names: &Names<'_>,
    targets: &[Target],
    progress: &mut Progress,
) -> Outcome {
    progress.phase("search");
    let program = names.program;
    let has = |p: ProcId, name: &String| program.scope(p).any(|v| program.var_name(p, v) == name);
    if let Some(name) = how.focus.iter().find(|name| !program.procs.ids().any(|p| has(p, name))) {
        let why = format!("{} has no variable `{name}`", task.file);
        return Outcome { messages: vec![format!("error: {why}")], ..Outcome::new(Answer::BadUsage, why) };
    }
    let view = View { focus: how.focus.clone(), join: how.join, limit: MOST_EDGES };
    let reached = match cartesian::reach(program, &view) {
        Ok(reached) => reached,
        Err(NoC::Wide(p, s)) => {
            let place = names.place(p, s);
            return Outcome::unknown(format!("the statement at {place} depends on too many variables"));
        }
        Err(NoC::TooMany(n)) => return Outcome::unknown(format!("there are more than {n} path edges")),
    };
    let reaches = |goal: Goal| match goal {
        Goal::At(p, s) => reached.at.contains_key(&(p, s)),
        Goal::Fails(p, s) => reached.failing.contains(&(p, s)),
    };
    let view = Seen {
        reaches: &reaches,
        edges: reached.edges,
        beyond: " in the Cartesian view, which no execution may follow",
    };
    let mut outcome = view.outcome(task, names, targets);
    if task.invariants {
        outcome.text.extend(lines(&vectors(task, names, &reached)));
    }
    outcome
}

/// The set of trivectors at each label, or at those asked for.
fn vectors(task: &CheckTask, names: &Names<'_>, reached: &ReachedC) -> String {
    let mut text = String::new();
    for (p, label, s) in names.labels().filter(|(_, l, _)| task.labels.is_empty() || task.labels.iter().any(|m| m == l))
    {
        let scope: Vec<String> = names.program.scope(p).map(|v| print_name(names.program.var_name(p, v))).collect();
        let shown = |v: &Trivector| {
            let values: Vec<&str> = v.iter().map(|t| t.map_or("*", |b| if b { "1" } else { "0" })).collect();
            format!("<{}>", values.join(","))
        };
        let set: Vec<String> = reached.at.get(&(p, s)).into_iter().flatten().map(shown).collect();
        let name = &names.program.procs[p].name;
        let place = names.place(p, s);
        _ = writeln!(text, "{place}: at `{label}` of `{name}`: <{}> in {{{}}}", scope.join(","), set.join(", "));
    }
    text
}

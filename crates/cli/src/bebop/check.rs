//! Deciding whether targets are reached: search, check of the answer, and what the user asked to see.

use super::lines;
use super::settings::{Certify, CheckTask};
use super::show::{Names, all_places, invariants};
use super::{cartesian, three_valued, trace};
use crate::message::Progress;
use crate::outcome::{Answer, Outcome};
use crate::settings::Limits;
use base::SourceMap;
use boolprog::Program;
use boolprog::interp::{Goal, Trace, replay};
use reach::{NoTrace, Options, Reachability, Stats, Target};
use report::counted;

/// A search of at most so many visits of statements is small enough to be checked unasked.
const SMALL_SEARCH: u64 = 50_000;

/// The same for the text of the program.
const SMALL_PROGRAM: usize = 10_000;

/// Traces of more transitions are neither shown nor replayed: nobody reads them.
const LONGEST_TRACE: u64 = 1_000_000;

/// A trace made only to check the answer may be this long.
const LONGEST_UNASKED: u64 = 100_000;

pub(super) fn check(
    task: &CheckTask,
    limits: Limits,
    program: &Program,
    map: &SourceMap,
    progress: &mut Progress,
) -> Outcome {
    let names = Names { program, map };
    let (targets, warnings) = match targets(&task.file, &task.labels, &names) {
        Ok(found) => found,
        Err(why) => return Outcome { messages: vec![format!("error: {why}")], ..Outcome::new(Answer::BadUsage, why) },
    };
    if task.three_valued {
        let mut outcome = three_valued::check(task, &names, &targets, progress);
        outcome.messages.splice(0..0, warnings);
        return outcome;
    }
    if let Some(view) = &task.cartesian {
        let mut outcome = cartesian::check(task, view, &names, &targets, progress);
        outcome.messages.splice(0..0, warnings);
        return outcome;
    }
    let whole = task.all || task.invariants || task.wants_trace();
    let verdict = Options::verdict();
    let options = Options {
        restrict: !task.invariants,
        stop_at_first: !whole,
        // Without some of the variables the sets found are proofs, but not what is reached.
        project_after: verdict.project_after.filter(|_| !whole),
        // The rest is for everything that is not a decision diagram.
        memory: limits.memory / 2,
        ..verdict
    };
    progress.phase("search");
    let mut outcome = match reach::analyze(program, &targets, &options) {
        Err(why) => Outcome::unknown(format!("{why} in phase search")),
        Ok(mut analysis) => {
            progress.record(|stats| stats.counters.extend(counters(program, analysis.stats())));
            decide(task, &names, &targets, &mut analysis, progress)
        }
    };
    outcome.messages.splice(0..0, warnings);
    outcome
}

/// What must not be reached, and what there is to remark about it. The error complains about a label that is not there.
pub(super) fn targets(file: &str, labels: &[String], names: &Names<'_>) -> Result<(Vec<Target>, Vec<String>), String> {
    if labels.is_empty() {
        let found = reach::targets(names.program);
        let nothing = "warning: there is nothing to check: no label SLIC_ERROR, no label with ERROR in its name, no \
                       assertion (--label names another label)";
        let warnings = if found.is_empty() { vec![nothing.to_string()] } else { Vec::new() };
        return Ok((found, warnings));
    }
    let mut out = Vec::new();
    for label in labels {
        let places = names.program.find_label(label);
        if places.is_empty() {
            let known = names.labels().map(|(_, name, _)| name).find(|name| name.eq_ignore_ascii_case(label));
            let hint = known.map_or(String::new(), |name| format!("; there is `{name}`"));
            return Err(format!("{file} has no label `{label}`{hint}"));
        }
        out.extend(places.into_iter().map(|(p, s)| Goal::At(p, s)));
    }
    Ok((out, Vec::new()))
}

fn counters(program: &Program, stats: Stats) -> impl Iterator<Item = (String, u64)> {
    let locals = program.procs.iter().map(|p| p.locals.len()).max().unwrap_or(0);
    let counts = [
        ("bp_procedures", program.procs.len() as u64),
        ("bp_statements", program.n_stmts() as u64),
        ("bp_globals", program.globals.len() as u64),
        ("bp_most_locals", locals as u64),
        ("search_steps", stats.steps),
        ("peak_nodes", stats.peak_nodes as u64),
        ("nodes_made", stats.work),
        ("collections", stats.collections),
        ("hidden_variables", stats.hidden as u64),
    ];
    counts.into_iter().map(|(name, n)| (name.to_string(), n))
}

/// Turns the result of the search into an answer that was checked as far as it was asked for.
fn decide(
    task: &CheckTask,
    names: &Names<'_>,
    targets: &[Target],
    analysis: &mut Reachability<'_>,
    progress: &mut Progress,
) -> Outcome {
    let small = analysis.stats().steps <= SMALL_SEARCH && names.program.n_stmts() <= SMALL_PROGRAM;
    let certify = match task.certify {
        Certify::Always => true,
        Certify::WhenSmall => small,
        Certify::Never => false,
    };
    let mut text = String::new();
    if task.all {
        match all_places(names, analysis) {
            Ok(shown) => text += &shown,
            Err(why) => return Outcome::unknown(why.to_string()),
        }
    }
    if task.invariants {
        progress.phase("invariants");
        match invariants(names, analysis, &task.labels) {
            Ok(shown) => text += &shown,
            Err(why) => return Outcome::unknown(why.to_string()),
        }
    }
    let mut outcome = if analysis.hit().is_empty() {
        unreached(task, targets, analysis, certify, progress)
    } else {
        reached(task, names, analysis, certify, progress)
    };
    outcome.text.splice(0..0, lines(&text));
    outcome
}

fn unreached(
    task: &CheckTask,
    targets: &[Target],
    analysis: &Reachability<'_>,
    certify: bool,
    progress: &mut Progress,
) -> Outcome {
    let what = match targets {
        [] => "nothing to check".to_string(),
        [_] => "the target is unreachable".to_string(),
        _ => format!("all {} targets are unreachable", targets.len()),
    };
    if !certify {
        return Outcome::new(Answer::Safe, format!("{what}; not checked again"));
    }
    // The answer is there: nobody asked for the check, so a limit that ends it does not take the answer away.
    if task.certify == Certify::WhenSmall {
        progress.decided(Outcome::new(Answer::Safe, format!("{what}; not checked again")));
    }
    progress.phase("certify");
    match analysis.certify() {
        Ok(()) => Outcome::new(Answer::Safe, format!("{what}; the sets found are closed under every statement")),
        Err(reach::NotClosed::Unknown(why)) => {
            let why = why.map_or("the search stopped early".to_string(), |w| w.to_string());
            Outcome::unknown(format!("the answer could not be checked: {why}"))
        }
        Err(broken) => Outcome::internal(format!("the sets found are not closed: {broken:?}")),
    }
}

fn reached(
    task: &CheckTask,
    names: &Names<'_>,
    analysis: &mut Reachability<'_>,
    certify: bool,
    progress: &mut Progress,
) -> Outcome {
    let hits = analysis.hit().to_vec();
    let longest = if task.wants_trace() || task.certify == Certify::Always { LONGEST_TRACE } else { LONGEST_UNASKED };
    if !task.wants_trace() && !certify {
        return Outcome::new(Answer::Unsafe, format!("{}; not checked again", names.target(hits[0])));
    }
    if task.certify == Certify::WhenSmall && !task.wants_trace() {
        let place = names.target(hits[0]);
        progress.decided(Outcome::new(Answer::Unsafe, format!("{place}; not checked again")));
    }
    progress.phase("trace");
    let (target, trace) = match analysis.shortest(&hits, longest) {
        Ok(found) => found,
        Err(NoTrace::TooLong(n)) => {
            let place = names.target(hits[0]);
            let why = format!("its shortest trace has at least {n} steps, more than {longest}");
            if task.certify == Certify::Always {
                return Outcome::unknown(format!("{place} by the search, but the answer could not be checked: {why}"));
            }
            return Outcome::new(Answer::Unsafe, format!("{place}; not replayed: {why}"));
        }
        Err(NoTrace::Unreachable) => return Outcome::internal("a target that is reached has no trace"),
        Err(NoTrace::Unknown(why)) => return Outcome::unknown(format!("the answer could not be checked: {why}")),
    };
    if let Err(e) = replay(names.program, &trace, target) {
        return Outcome::internal(format!("the trace is no execution: step {}: {}", e.step, e.why));
    }
    let steps = counted(trace.n_transitions() as u64, "step");
    let mut outcome =
        Outcome::new(Answer::Unsafe, format!("{}; a trace of {steps} was replayed", names.target(target)));
    if let Some(depth) = task.trace {
        outcome.text = lines(&shown(names, target, &trace, depth)).collect();
    }
    if let Some(file) = &task.path
        && let Err(why) = crate::artifacts::write(std::path::Path::new(file), &trace::locations(names, &trace))
    {
        return Outcome { messages: vec![why.clone()], ..Outcome::new(Answer::BadInput, why) };
    }
    outcome
}

fn shown(names: &Names<'_>, target: Target, trace: &Trace, depth: usize) -> String {
    let steps = counted(trace.n_transitions() as u64, "step");
    format!("A shortest trace ({steps}): {}\n{}", names.target(target), trace::render(names, trace, depth))
}

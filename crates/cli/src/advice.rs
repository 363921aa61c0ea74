//! What the user can do when there is no verdict: one line per thing to try, the most promising first.

use crate::settings::{Params, ProgramSettings};
use ir::interp::{Data, Entry, Input, Kind, Pointer, Tape};
use std::time::Duration;
use verify::Reason;

/// A limit that ended the work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    /// Of time.
    Time(Duration),
    /// Of processor time.
    Processor(Duration),
    /// Of memory, in bytes.
    Memory(u64),
}

/// What was being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Reading the program.
    Reading,
    /// Looking for a verdict.
    Searching,
    /// Ruling out one path after another.
    Refining,
    /// Not looking for a verdict at all.
    Other,
}

const PREDICATES: &str = "--predicates FILE with an invariant of that loop or function (docs/predicates.md); --dump preds --out DIR \
                          writes the predicates that were found";

/// What to try when a limit ended the work.
pub(crate) fn of_limit(limit: Limit, work: Work) -> Vec<String> {
    let more = match limit {
        Limit::Time(time) => format!("--timeout {}s, to give it more time", 4 * time.as_secs().max(1)),
        Limit::Processor(time) => format!("--cpu-time {}s, to give it more time", 4 * time.as_secs().max(1)),
        Limit::Memory(bytes) => format!("--memory {}M, to give it more memory", (bytes >> 18).max(1)),
    };
    match work {
        Work::Reading | Work::Other => vec![more],
        Work::Searching => vec![more, "--engine abstraction, to spend everything on a proof".to_string()],
        Work::Refining => vec![PREDICATES.to_string(), more],
    }
}

/// What to try when the program has nothing that could go wrong.
pub(crate) fn of_nothing_to_check() -> Vec<String> {
    vec![
        "--check all, to look for undefined behaviour and blocks that are not freed".to_string(),
        "an `assert`, or a call of `reach_error()` where no run may come".to_string(),
        "--property FILE.prp with the function that must not be called".to_string(),
    ]
}

/// What to try if a run that goes wrong is one that nobody would make: the pointers that the entry function was given are null,
/// or point to objects of the program or to the same object.
pub(crate) fn of_parameters(settings: &ProgramSettings, tape: &Tape) -> Vec<String> {
    let given = |e: &Entry| match (e.kind, &e.data) {
        (Kind::Uninit, Data::Value(_, Input::Pointer(p))) => Some(*p),
        _ => None,
    };
    let pointers: Vec<Pointer> = tape.entries.iter().filter_map(given).collect();
    if settings.entry == "main" || settings.params != Params::Any {
        return Vec::new();
    }
    let mut advice = Vec::new();
    let entry = &settings.entry;
    if pointers.contains(&Pointer::Null) {
        advice.push(format!("--params nonnull, if `{entry}` is never given null pointers"));
    }
    let shared = |i: usize| matches!(pointers[i], Pointer::Object { .. }) || pointers[..i].contains(&pointers[i]);
    if (0..pointers.len()).any(|i| pointers[i] != Pointer::Null && shared(i)) {
        advice
            .push(format!("--params distinct, if `{entry}` is never given two pointers to one object, or to a global"));
    }
    advice
}

/// What to try when the engines gave up.
pub(crate) fn of_reason(reason: &Reason, all_engines: bool) -> Vec<String> {
    let mut advice = Vec::new();
    if reason.divergence.is_some() {
        advice.push(PREDICATES.to_string());
        if reason.cause.contains("limit of") {
            let more = 4 * reason.iteration.unwrap_or(1);
            advice.push(format!("--max-iterations {more}, to let the refinement go on"));
        }
    }
    if reason.cause.contains("not accepted") {
        advice.push("a report of this program to the authors: a proof that was found should hold".to_string());
    }
    if reason.cause.contains("not modelled") || reason.cause.contains("unsupported") {
        advice.push("to leave out the construct at that place, or to put it into a function without a body, which may return anything".to_string());
    }
    if !all_engines {
        advice.push("all engines: leave --engine out".to_string());
    }
    advice
}

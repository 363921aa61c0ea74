//! Reasons for which there is no verdict.

use super::{Code, Group};
use crate::outcome::{Answer, Outcome};

const fn reason(id: &'static str, title: &'static str, text: &'static str) -> Code {
    Code { id, group: Group::Reason, title, text, cwe: None }
}

pub(super) static REASONS: &[Code] = &[
    reason(
        "time-limit",
        "the time was up",
        "The limit of `--timeout` was reached. The answer names the phase, and the loop or path that the work was at. More time helps if the refinement was still finding something; an invariant as a predicate (`--predicates`) helps if it was going round in circles.",
    ),
    reason(
        "memory-limit",
        "the memory was used up",
        "The limit of `--memory` was reached. Nothing is lost but the answer.",
    ),
    reason(
        "interrupted",
        "somebody ended the run",
        "Ctrl-C or a signal to end. What had been found until then is shown.",
    ),
    reason(
        "refinement",
        "the refinement came to no end",
        "Each path that the abstraction believes in is ruled out, but the next one differs only in how often it goes round a loop: an invariant is needed that was not found. The answer names the loop. `--predicates FILE` gives the parts of the invariant, `--max-iterations N` more rounds.",
    ),
    reason(
        "unsupported-construct",
        "a construct that is not followed",
        "A run may come to something that has no exact meaning here, so neither proof nor counterexample can pass it. The answer names the place. What no run reaches costs nothing.",
    ),
    reason(
        "nothing-to-check",
        "there is nothing that could go wrong",
        "No assertion and no call of an error function can be reached from the entry. That is probably a mistake, so it is not called SAFE. `--check all` looks for undefined behaviour; `--property` names what must not happen.",
    ),
    reason(
        "work-limit",
        "a limit of work was reached",
        "An engine counts what it does, so that the same input gives the same answer on every machine. The answer names the count. Other engines or a predicate file may help.",
    ),
    reason(
        "solver",
        "the solver gave up",
        "A formula was too hard within the limit of work for one question; products and divisions of two unknowns are the usual cause.",
    ),
    reason(
        "not-accepted",
        "a proof was found that the checker does not accept",
        "Every proof is checked by code that had no part in finding it. A proof that it refuses is a bug of hardbop, of the harmless kind: please report the program.",
    ),
    reason("input", "the input cannot be used", "The front end refused the input; its messages say why."),
    reason(
        "crash",
        "hardbop itself failed",
        "A bug. The answer is never a verdict then. Please report the program and the text after `crash`.",
    ),
    reason(
        "undecided",
        "the engines gave up",
        "None of the engines found a proof or a run; the answer says what stood in the way of the last one.",
    ),
];

/// The code of the reason for which an outcome is no verdict, by what its text says.
pub(crate) fn of(outcome: &Outcome) -> &'static str {
    let text = outcome.reason.as_str();
    let has = |part: &str| text.contains(part);
    match outcome.answer {
        Answer::BadInput | Answer::BadUsage => "input",
        Answer::Internal => "crash",
        _ if has("time limit of") => "time-limit",
        _ if has("memory limit of") => "memory-limit",
        _ if has("interrupted by") => "interrupted",
        _ if has("nothing to check") => "nothing-to-check",
        _ if has("not accepted") => "not-accepted",
        _ if has("needs an invariant") || has("refinement: ") => "refinement",
        _ if has("unsupported") || has("not modelled") => "unsupported-construct",
        _ if has("solver gave up") || has("conflicts") => "solver",
        _ if has("limit of") => "work-limit",
        _ => "undecided",
    }
}

//! `hardbop bebop --three-valued`: TR00's semantics, in which a variable can hold `?`.
//!
//! It reaches whatever the choice semantics reaches and more, so an unreached target is unreachable in both; a reached one
//! need not be reached by a choice, which the answer says.

use super::settings::CheckTask;
use super::show::Names;
use super::view::Seen;
use crate::message::Progress;
use crate::outcome::Outcome;
use boolprog::interp::Goal;
use boolprog::three_valued::{self, No3};
use reach::Target;

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
    let reaches = |goal: Goal| match goal {
        Goal::At(p, s) => reached.at.contains(&(p, s)),
        Goal::Fails(p, s) => reached.failing.contains(&(p, s)),
    };
    let view =
        Seen { reaches: &reaches, edges: reached.edges, beyond: "; with stored `?`, which a choice may not follow" };
    view.outcome(task, names, targets)
}

//! Questions that are asked once, each in a context of its own: what was asked before plays no part in the answer.

use crate::context::{Answer, Context, GATES_PER_VARIABLE, Lit, MORE_BOXES, Undecided};
use crate::float::ranges::{self, Outcome};
use crate::sat::Config;
use crate::store::Store;
use crate::term::Term;

/// Do the hypotheses imply the goal? Asked in a fresh context, so the answer depends on nothing else, and of CaDiCaL:
/// what this function calls valid becomes part of a proof, while the engines that look for proofs mostly ask our own
/// SAT solver, so a mistake in the latter cannot pass here.
///
/// `Unsat` means valid, with the indices of hypotheses that suffice (not minimised; the index after the last hypothesis is
/// the negated goal); `Sat` gives a counterexample.
pub fn check_valid(store: &Store, hypotheses: &[Term], goal: Term, conflicts: u64) -> Answer {
    check_valid_within(store, hypotheses, goal, conflicts, u64::MAX)
}

/// [`check_valid`] unless the question has more than so many SAT variables.
pub fn check_valid_within(store: &Store, hypotheses: &[Term], goal: Term, conflicts: u64, variables: u64) -> Answer {
    let mut context = Context::with_config(Config::Full);
    let gates = variables.saturating_mul(GATES_PER_VARIABLE);
    let all = hypotheses.iter().map(|&t| context.lit_within(store, t, gates)).collect::<Option<Vec<Lit>>>();
    let negated = context.lit_within(store, goal, gates).map(|goal| !goal);
    if let (Some(mut lits), Some(negated)) = (all, negated) {
        lits.push(negated);
        if variables < u64::MAX && context.mentions_floats(store, &lits) {
            if let Some(answer @ Answer::Unsat(_)) = context.decide_by_ranges(store, &lits) {
                return answer;
            }
            context.translate_question(store, &lits);
        }
        if context.stats().variables <= variables {
            return context.decide(store, &lits, conflicts);
        }
    }
    let literals: Vec<(Term, bool)> = hypotheses.iter().map(|&t| (t, true)).chain([(goal, false)]).collect();
    match ranges::decide(store, &literals, MORE_BOXES) {
        Outcome::Refuted => Answer::Unsat((0..literals.len()).collect()),
        Outcome::Model(_) | Outcome::Open => Answer::Unknown(Undecided::Size(variables)),
    }
}

/// Can the terms hold together? Asked in a fresh context, so the answer depends on nothing else. The core is minimal as
/// for [`Context::check`].
pub fn check_sat(store: &Store, terms: &[Term], conflicts: u64) -> Answer {
    let mut context = Context::with_config(Config::Full);
    let lits: Vec<Lit> = terms.iter().map(|&t| context.lit(store, t)).collect();
    context.check(store, &lits, conflicts)
}

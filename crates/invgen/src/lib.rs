//! Invariant generation: what holds whenever execution stands at a cut point, guessed from runs, kept if they are inductive together.
//!
//! Refinement from counterexamples finds the predicates that one path needs; where a loop has no bound it may find
//! `x == 0`, `x == 1`, `x == 2`, … for ever. What all those paths have in common shows in runs of the program: this stage
//! runs it a few times on small inputs ([`sample`]), reads templates off the states at loop heads, entries and exits
//! ([`template`]: bounds, orders, remainders, linear equalities ([`affine`]), conditions of the program, equalities
//! that hold under a condition, and bounds of floating-point numbers ([`thresholds`])), and keeps the largest set of them that is inductive ([`houdini`]). That is predicate
//! abstraction where states are described by conjunctions only, so hundreds of candidates cost little; the loop of
//! abstraction and refinement builds its boolean combinations on top.
//!
//! What others imply is left out in the end. Nothing here is trusted: an invariant becomes part of a proof, and the proof is checked.

mod affine;
mod houdini;
mod inputs;
mod sample;
mod template;
mod thresholds;
mod vocabulary;

use analysis::Analysis;
use ir::{Expr, FuncId, Loc};
use std::collections::BTreeMap;
use vc::LocationInvariants;

/// How much is looked at; counts, so that the answer is the same everywhere.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Runs of the program.
    pub runs: u64,
    /// Steps of one run.
    pub run_steps: u64,
    /// Steps of all runs together.
    pub steps: u64,
    /// Quantities that are related at one location.
    pub quantities: usize,
    /// Variables with floating-point numbers that are bounded at one location.
    pub reals: usize,
    /// Candidates at one location.
    pub candidates: usize,
    /// Candidates in the whole program; when there are more, none is looked for.
    pub all_candidates: usize,
    /// Solver conflicts for a question about all candidates of a location together.
    pub conflicts: u64,
    /// Solver conflicts for a question about one candidate.
    pub single_conflicts: u64,
    /// Solver conflicts of all questions together.
    pub all_conflicts: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            runs: 60,
            run_steps: 20_000,
            steps: 300_000,
            quantities: 14,
            reals: 8,
            candidates: 400,
            all_candidates: 4_000,
            conflicts: 500,
            single_conflicts: 2_000,
            all_conflicts: 120_000,
        }
    }
}

/// What was done to find invariants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// States that were looked at.
    pub samples: u64,
    /// Candidates that all of them satisfied.
    pub candidates: u64,
    /// Candidates that turned out to be inductive together.
    pub inductive: u64,
    /// Questions to the solver.
    pub queries: u64,
}

/// Generates location invariants.
pub fn generate(analysis: &Analysis<'_>, limits: &Limits) -> (LocationInvariants, Stats) {
    let mut stats = Stats::default();
    let vocabulary = vocabulary::Vocabulary::new(analysis, limits);
    let samples = sample::collect(analysis.program, &vocabulary, limits);
    let mut candidates: BTreeMap<(FuncId, Loc), Vec<Expr>> = BTreeMap::new();
    for (&place, grammar) in &vocabulary.at {
        let rows = samples.get(&place).map_or(&[][..], Vec::as_slice);
        stats.samples += rows.len() as u64;
        let mut guesses =
            if rows.is_empty() { template::unvisited(grammar) } else { template::candidates(grammar, rows) };
        guesses.truncate(limits.candidates);
        stats.candidates += guesses.len() as u64;
        candidates.insert(place, guesses);
    }
    if stats.candidates > limits.all_candidates as u64 {
        return (LocationInvariants::new(), stats);
    }
    let inductive = houdini::inductive(analysis, candidates, limits, &mut stats);
    let mut invariants = LocationInvariants::new();
    for ((func, loc), list) in inductive {
        stats.inductive += list.len() as u64;
        for invariant in houdini::irredundant(analysis, func, list, limits, &mut stats) {
            invariants.add(func, loc, invariant);
        }
    }
    (invariants, stats)
}

//! Facts that hold whenever execution stands at a cut point: guessed from runs, kept if they are inductive together.
//!
//! Refinement from counterexamples finds the predicates that one path needs; where a loop has no bound it may find
//! `x == 0`, `x == 1`, `x == 2`, … for ever. What all those paths have in common shows in runs of the program: this stage
//! runs it a few times on small inputs ([`sample`]), reads templates off the states at loop heads, entries and exits
//! ([`template`]: bounds, orders, remainders, linear equalities ([`affine`]), conditions of the program, and equalities
//! that hold under a condition), and keeps the largest set of them that is inductive ([`houdini`]). That is predicate
//! abstraction where states are described by conjunctions only, so hundreds of candidates cost little; the loop of
//! abstraction and refinement builds its boolean combinations on top.
//!
//! What others imply is left out in the end. Nothing here is trusted: a fact becomes part of a proof, and the proof is checked.

pub mod affine;
mod houdini;
mod inputs;
mod sample;
mod template;
mod vocabulary;

use base::IndexVec;
use ir::cfg::{CallGraph, Graph};
use ir::{Expr, FuncId, GlobalId, Loc, Program};
use std::collections::BTreeMap;
use vc::Facts;

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
            candidates: 400,
            all_candidates: 4_000,
            conflicts: 500,
            single_conflicts: 2_000,
            all_conflicts: 120_000,
        }
    }
}

/// What was done to find facts.
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

/// The functions that take part and their cut points: entry, exit and loop heads of what the entry reaches.
pub(crate) struct Cuts {
    pub(crate) functions: Vec<FuncId>,
    pub(crate) graphs: IndexVec<FuncId, Option<Graph>>,
}

impl Cuts {
    fn new(program: &Program) -> Cuts {
        let reachable = CallGraph::new(program).reachable_from(program.entry);
        let has_body = |f: &FuncId| reachable[*f] && program.functions[*f].body.is_some();
        let functions: Vec<FuncId> = program.functions.ids().filter(has_body).collect();
        let mut graphs: IndexVec<FuncId, Option<Graph>> = program.functions.iter().map(|_| None).collect();
        for &f in &functions {
            graphs[f] = program.functions[f].body.as_ref().map(Graph::new);
        }
        Cuts { functions, graphs }
    }

    pub(crate) fn graph(&self, func: FuncId) -> &Graph {
        self.graphs[func].as_ref().expect("only functions that take part are asked about")
    }

    /// The cut points of a function, in order.
    pub(crate) fn of(&self, program: &Program, func: FuncId) -> Vec<Loc> {
        let body = program.functions[func].body.as_ref().expect("only functions that take part are asked about");
        let graph = self.graph(func);
        let is_cut = |l: &Loc| graph.reachable[*l] && (*l == body.entry || *l == body.exit || graph.loop_heads[*l]);
        body.locations.ids().filter(is_cut).collect()
    }
}

/// Looks for facts. `modifies` says which globals a function may change, itself or through what it calls.
pub fn find(program: &Program, limits: &Limits, modifies: &dyn Fn(FuncId, GlobalId) -> bool) -> (Facts, Stats) {
    let cuts = Cuts::new(program);
    let mut stats = Stats::default();
    let vocabulary = vocabulary::Vocabulary::new(program, &cuts, limits, modifies);
    let samples = sample::collect(program, &vocabulary, limits);
    let mut candidates: BTreeMap<(FuncId, Loc), Vec<Expr>> = BTreeMap::new();
    for (&place, words) in &vocabulary.at {
        let rows = samples.get(&place).map_or(&[][..], Vec::as_slice);
        stats.samples += rows.len() as u64;
        let mut guesses = if rows.is_empty() { template::unvisited(words) } else { template::candidates(words, rows) };
        guesses.truncate(limits.candidates);
        stats.candidates += guesses.len() as u64;
        candidates.insert(place, guesses);
    }
    if stats.candidates > limits.all_candidates as u64 {
        return (Facts::new(), stats);
    }
    let inductive = houdini::inductive(program, &cuts, candidates, modifies, limits, &mut stats);
    let mut facts = Facts::new();
    for ((func, loc), list) in inductive {
        stats.inductive += list.len() as u64;
        for fact in houdini::irredundant(program, func, list, limits, &mut stats) {
            facts.add(func, loc, fact);
        }
    }
    (facts, stats)
}

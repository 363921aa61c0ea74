//! Newton: is this path feasible? Inputs that take it, or predicates that rule it out.
//!
//! [`explain`] asks the solver about the whole path, one tagged assumption per condition. If the path is infeasible, the
//! minimal core says which conditions disagree, and [`backward`] carries them back over the path by weakest
//! preconditions: at each location the atoms that speak of what is still to come are candidates for predicates
//! (PLDI01's authors' Newton does the same forwards with strongest postconditions; see [`forward`] for that direction).
//! A predicate at a location mentions only what its activation can name: a caller's value appears as `'x` where it was
//! passed as an argument (TOPLAS05 §4).
//!
//! [`explain_suffix`] looks for the reason near the end of the path first: what is known at a loop head, and the steps from
//! there on, often contradict each other whatever came before. What rules out the end rules out all paths that end so.
//!
//! [`TransitionConstraints`] looks at single steps: where a step of the abstract trace has no concrete counterpart at all, no predicate
//! can help, and the remedy is a constraint on that edge.
//!
//! Nothing here is trusted: a useless predicate costs time, never an answer.

pub mod back;
mod backward;
mod bytes;
mod floats;
mod forward;
mod object_predicates;
mod suffix;
mod transition;
mod unmodified;

pub use suffix::explain_suffix;
pub use transition::{AbstractStep, TransitionConstraints};

use analysis::Analysis;
use ir::{EdgeId, Expr, FuncId, Ub};
use logic::{Answer, Context, GATES_PER_VARIABLE, Model, Term, Undecided};
use std::collections::BTreeSet;
use vc::path::{PathError, PathFormula, Walk, path_formula};
use vc::{AssumptionId, Cause, Encoder, Scope};

/// How hard to look for predicates. Each level adds to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Atoms of weakest preconditions over the core.
    Backward,
    /// Also values and equalities that hold along the path (strongest postconditions), of variables the core needs.
    Forward,
    /// Also the weakest preconditions unsplit.
    Unsplit,
}

/// An assumption of a path: the step that makes it, and which of the step's it is.
pub(crate) type PathAssumption = (usize, AssumptionId);

/// Cause a path can or cannot be taken.
pub enum Explanation<'p> {
    /// It can: the formula of the path, the encoder of its terms, and a model.
    Feasible(Box<Feasible<'p>>),
    /// It cannot.
    Infeasible(Infeasible),
    /// Not decided.
    Unknown(String),
}

/// A path that can be taken.
pub struct Feasible<'p> {
    /// The encoder that owns the formula's terms.
    pub encoder: Encoder<'p>,
    /// The formula.
    pub formula: PathFormula,
    /// Values for what it draws from outside.
    pub model: Model,
}

/// A path that cannot be taken, and causes.
#[derive(Clone, Debug)]
pub struct Infeasible {
    /// The steps (indices into the path) whose conditions disagree; minimal.
    pub core: Vec<usize>,
    /// The events without which they disagree: executions in which one happens do not count.
    pub without: BTreeSet<Ub>,
    /// Candidates for predicates, in the order of the path, not yet in canonical form.
    pub predicates: Vec<(Scope, Expr)>,
}

impl Infeasible {
    /// Whether a proof may build on it.
    pub fn for_proofs(&self) -> bool {
        self.without.iter().all(|u| u.is_for_proofs())
    }
}

/// Can the terms hold together? Cores are minimised by many small questions, which the solver that stays within a
/// question's cone answers fastest; a hard question goes to the stronger one.
fn decide(enc: &Encoder<'_>, terms: &[Term], conflicts: u64) -> Answer {
    let mut context = Context::new();
    let lits: Option<Vec<_>> = terms.iter().map(|&t| context.lit_within(&enc.store, t, MOST_GATES)).collect();
    let Some(lits) = lits else { return Answer::Unknown(Undecided::Size(MOST_GATES / GATES_PER_VARIABLE)) };
    match context.check(&enc.store, &lits, conflicts.min(EASY)) {
        Answer::Unknown(_) => logic::check_sat(&enc.store, terms, conflicts),
        answer => answer,
    }
}

/// The event that an assumption leaves out.
fn guard(cause: Cause) -> Option<Ub> {
    match cause {
        Cause::Guard(ub) => Some(ub),
        Cause::Branch => None,
    }
}

/// Which of the terms contradict each other; of several such sets, one that a proof may build on.
fn contradiction(enc: &Encoder<'_>, terms: &[Term], causes: &[Cause], all: Vec<usize>, conflicts: u64) -> Vec<usize> {
    let event = |i: &usize| causes.get(*i).and_then(|&w| guard(w)).is_some_and(|u| !u.is_for_proofs());
    if !all.iter().any(event) {
        return all;
    }
    let rest: Vec<usize> = (0..terms.len()).filter(|i| !event(i)).collect();
    let kept: Vec<Term> = rest.iter().map(|&i| terms[i]).collect();
    match decide(enc, &kept, conflicts) {
        Answer::Unsat(core) => core.into_iter().map(|i| rest[i]).collect(),
        Answer::Sat(_) | Answer::Unknown(_) => all,
    }
}

/// A path that needs a circuit with more gates is not decided: with many writes at variable indices it would fill the memory, and what
/// the other engines might still find would be lost.
const MOST_GATES: u64 = 12_000_000;

/// Conflicts after which a question counts as hard.
const EASY: u64 = 20_000;

/// Explains a path from the start of the program.
pub fn explain<'p>(
    analysis: &'p Analysis<'p>,
    path: &[(FuncId, EdgeId)],
    effort: Effort,
    conflicts: u64,
) -> Explanation<'p> {
    explain_at(analysis, path, effort, conflicts, &|step| step.is_some())
}

/// The same, with the candidates for predicates that stand at some places only: `wanted` says of a step whether it leads to one, and
/// of `None` whether the beginning is one.
pub fn explain_at<'p>(
    analysis: &'p Analysis<'p>,
    path: &[(FuncId, EdgeId)],
    effort: Effort,
    conflicts: u64,
    wanted: &dyn Fn(Option<usize>) -> bool,
) -> Explanation<'p> {
    let mut enc = Encoder::for_path(analysis);
    let formula = match path_formula(&mut enc, path) {
        Ok(formula) => formula,
        Err(e @ (PathError::Broken(_) | PathError::Unmodelled(..))) => return Explanation::Unknown(e.to_string()),
    };
    let mut tags = Vec::new();
    let (mut terms, mut causes) = (Vec::new(), Vec::new());
    for (i, step) in formula.steps.iter().enumerate() {
        for assumption in &step.effects.assumptions {
            tags.push((i, assumption.id));
            terms.push(assumption.term);
            causes.push(assumption.cause);
        }
    }
    match decide(&enc, &terms, conflicts) {
        Answer::Sat(model) => {
            let small = formula.small_objects(&mut enc);
            terms.extend(&small);
            let model = match small.is_empty() {
                true => model,
                false => decide(&enc, &terms, conflicts).model().unwrap_or(model),
            };
            Explanation::Feasible(Box::new(Feasible { encoder: enc, formula, model }))
        }
        Answer::Unknown(causes) => Explanation::Unknown(causes.to_string()),
        Answer::Unsat(core) => {
            let core = contradiction(&enc, &terms, &causes, core, conflicts);
            let without = core.iter().filter_map(|&i| guard(causes[i])).collect();
            let core: Vec<PathAssumption> = core.into_iter().map(|i| tags[i]).collect();
            let stores = match effort {
                Effort::Backward => Vec::new(),
                Effort::Forward | Effort::Unsplit => {
                    let mut enc = Encoder::for_path(analysis);
                    let (walk, _) = Walk::start(&mut enc);
                    forward::states(&mut enc, walk, path)
                }
            };
            let predicates = backward::predicates(analysis, path, &core, effort, &stores, wanted);
            let mut steps: Vec<usize> = core.iter().map(|&(i, _)| i).collect();
            steps.dedup();
            Explanation::Infeasible(Infeasible { core: steps, without, predicates })
        }
    }
}

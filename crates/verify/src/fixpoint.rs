//! One abstraction, without a loop around it: the boolean program of given predicates (C2bp), and what its model checking
//! says about every location (Bebop's invariants, PLDI01 §2).
//!
//! The invariants are true of every execution without an assumed-away event, whether or not the program is safe: they are the
//! fixpoint of an abstraction that simulates the program. They are no proof; nobody has checked them.

use crate::abstraction::Limits;
use crate::proof::{cut_points, invariants_at};
use crate::verdict::{Progress, Reason};
use analysis::Analysis;
use certify::FunctionProof;
use ir::{Body, EdgeId, FuncId};
use predabs::{Abstraction, Cache, Target, abstract_program, complete};
use vc::{LocationInvariants, Predicate, Predicates};

/// A boolean program and the predicates of its variables.
#[derive(Clone, Debug)]
pub struct Abstracted {
    /// The predicates given, and those that make them useful across calls (TOPLAS05 §4.4).
    pub predicates: Predicates,
    /// The boolean program and the way back.
    pub abstraction: Abstraction,
}

/// What holds in every state in which execution stands at a location.
#[derive(Clone, Debug)]
pub struct Fixpoint {
    /// The invariants by function and location, over the values now and at entry. A location that is not reached has the
    /// constant false, one that no edge leads to has none.
    pub functions: Vec<FunctionProof>,
    /// The targets that the abstraction reaches: with these predicates they are not excluded.
    pub reached: Vec<(FuncId, EdgeId)>,
    /// Visits of statements by the model checker.
    pub steps: u64,
}

/// The predicates with all that they need to be of use across calls.
pub fn completed(analysis: &Analysis<'_>, predicates: &[Predicate]) -> Predicates {
    let mut all = Predicates::new();
    for p in predicates {
        all.insert(p.clone());
    }
    complete(analysis, &mut all);
    all
}

/// The boolean program over `predicates`, which are completed first.
pub fn abstract_with(
    analysis: &Analysis<'_>,
    predicates: &[Predicate],
    options: &predabs::Options,
    progress: &mut dyn Progress,
) -> Result<Abstracted, Reason> {
    abstract_cached(analysis, predicates, options, &mut Cache::new(), progress)
}

/// The same with a cache, which may bring answers from other programs.
pub fn abstract_cached(
    analysis: &Analysis<'_>,
    predicates: &[Predicate],
    options: &predabs::Options,
    cache: &mut Cache,
    progress: &mut dyn Progress,
) -> Result<Abstracted, Reason> {
    progress.phase("abstract");
    let predicates = completed(analysis, predicates);
    let abstraction = abstract_program(analysis, &predicates, &[], &LocationInvariants::new(), options, cache)
        .map_err(|e| Reason::new(format!("abstraction: {e}")).in_phase("abstract"))?;
    Ok(Abstracted { predicates, abstraction })
}

/// What holds at the locations of the program, as far as the predicates can say it: at all of them, or only where a proof
/// has cut points.
pub fn fixpoint(
    analysis: &Analysis<'_>,
    abstracted: &Abstracted,
    limits: &Limits,
    everywhere: bool,
    progress: &mut dyn Progress,
) -> Result<Fixpoint, Reason> {
    progress.phase("reach");
    let Abstracted { predicates, abstraction } = abstracted;
    let options = reach::Options { memory: limits.bdd_memory, ..reach::Options::default() };
    let found = reach::analyze(&abstraction.program, &[], &options)
        .map_err(|e| Reason::new(format!("model checking: {e}")).in_phase("reach"))?;
    let locations =
        |_: FuncId, body: &Body| if everywhere { body.locations.ids().collect() } else { cut_points(body, false) };
    let functions = invariants_at(analysis, abstraction, &found, predicates, &LocationInvariants::new(), &locations);
    let is_reached = |t: &&Target| found.reaches(t.proc, t.stmt);
    let reached = abstraction.targets.iter().filter(is_reached).map(|t| (t.func, t.edge)).collect();
    Ok(Fixpoint { functions, reached, steps: found.stats().steps })
}

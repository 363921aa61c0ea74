//! Single abstract steps that no concrete step matches, and the constraints that rule them out.
//!
//! The constraint is derived from the edge and the invariants of its location alone (its formula from an arbitrary state), so it
//! is valid in all later iterations, whatever predicates are added.
//!
//! Most steps of most traces are possible, and the same edges come back in every round. So each function has one solver
//! context in which a predicate is translated once, and a step that turned out to be possible is not asked about again.
//! An impossible one is explained in a fresh context: its core does not depend on what was asked before.

use analysis::Analysis;
use base::sabotage::{self, Fault};
use ir::{EdgeId, FuncId};
use logic::{Answer, Context, Lit, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use vc::{Constraint, Encoder, Events, LocationInvariants, PredId, Predicates, State};

/// One step of an abstract trace: an edge and the values of predicates around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AbstractStep {
    /// The function.
    pub func: FuncId,
    /// The edge.
    pub edge: EdgeId,
    /// Predicates in scope before the step and their values.
    pub before: Vec<(PredId, bool)>,
    /// Predicates in scope after the step and their values; empty at calls and where the activation ends.
    pub after: Vec<(PredId, bool)>,
}

/// Tests the steps of one program, over the rounds of a loop in which predicates are added and none changes.
pub struct TransitionConstraints<'p> {
    analysis: &'p Analysis<'p>,
    /// What events on which no proof may build do.
    events: Events,
    functions: FxHashMap<FuncId, EdgeFormulas<'p>>,
    possible: FxHashSet<AbstractStep>,
}

/// Where the steps of one function are tested.
struct EdgeFormulas<'p> {
    enc: Encoder<'p>,
    context: Context,
    /// The state before every step.
    state: State,
    edges: FxHashMap<EdgeId, Option<Formula>>,
    terms: FxHashMap<(Moment, PredId), Option<Term>>,
}

/// When a predicate is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Moment {
    Before,
    After(EdgeId),
}

/// An edge: the state after it, and what holds if it was taken.
struct Formula {
    after: State,
    assumed: Vec<Term>,
}

impl<'p> TransitionConstraints<'p> {
    /// No step was tested yet. With [`Events::End`] the constraints are for finding runs only.
    pub fn new(analysis: &'p Analysis<'p>, events: Events) -> TransitionConstraints<'p> {
        TransitionConstraints { analysis, events, functions: FxHashMap::default(), possible: FxHashSet::default() }
    }

    /// The constraints that forbid those of `steps` that are impossible by themselves. Calls of functions with a body are
    /// passed over.
    pub fn find(
        &mut self,
        predicates: &Predicates,
        invariants: &LocationInvariants,
        steps: &[AbstractStep],
        conflicts: u64,
    ) -> Vec<Constraint> {
        let mut found = Vec::new();
        for step in steps {
            if self.possible.contains(step) {
                continue;
            }
            let (analysis, events) = (self.analysis, self.events);
            let formulas =
                self.functions.entry(step.func).or_insert_with(|| EdgeFormulas::new(analysis, step.func, events));
            match formulas.impossible(predicates, invariants, step, conflicts) {
                Some(constraint) if !found.contains(&constraint) => found.push(constraint),
                Some(_) => {}
                None => {
                    self.possible.insert(step.clone());
                }
            }
        }
        found
    }
}

impl<'p> EdgeFormulas<'p> {
    fn new(analysis: &'p Analysis<'p>, func: FuncId, events: Events) -> EdgeFormulas<'p> {
        // A constraint that builds on null pointers would end in a proof that does, which is none.
        let mut enc = Encoder::new(analysis, events);
        let state = enc.arbitrary(func);
        EdgeFormulas { enc, context: Context::new(), state, edges: FxHashMap::default(), terms: FxHashMap::default() }
    }

    /// Gives the edge its formula, if it has one.
    fn prepare(&mut self, invariants: &LocationInvariants, step: &AbstractStep) -> bool {
        let EdgeFormulas { enc, state, edges, .. } = self;
        let prepared = edges.entry(step.edge).or_insert_with(|| {
            let edge = enc.edge(state, step.edge);
            if enc.callee(edge).is_some() {
                return None;
            }
            let mut after = state.clone();
            let effects = enc.step(&mut after, edge).ok()?;
            let mut assumed: Vec<Term> = effects.assumptions.iter().map(|a| a.term).collect();
            assumed.extend(invariants.at(step.func, edge.from).iter().filter_map(|e| enc.eval(state, e).ok()));
            assumed.extend(enc.lifetime_invariant(state, edge.from));
            Some(Formula { after, assumed })
        });
        prepared.is_some()
    }

    /// The truth value of a predicate before or after the step.
    fn term(&mut self, predicates: &Predicates, moment: Moment, id: PredId) -> Option<Term> {
        let EdgeFormulas { enc, state, edges, terms, .. } = self;
        *terms.entry((moment, id)).or_insert_with(|| {
            let state = match moment {
                Moment::Before => state,
                Moment::After(edge) => &edges[&edge].as_ref()?.after,
            };
            enc.eval(state, &predicates.get(id).expr).ok()
        })
    }

    /// Why the step cannot happen: the values before and after that disagree with it.
    fn impossible(
        &mut self,
        predicates: &Predicates,
        invariants: &LocationInvariants,
        step: &AbstractStep,
        conflicts: u64,
    ) -> Option<Constraint> {
        if !self.prepare(invariants, step) {
            return None;
        }
        let mut values: Vec<(Term, bool)> = Vec::new();
        for &(id, value) in &step.before {
            values.push((self.term(predicates, Moment::Before, id)?, value));
        }
        for &(id, value) in &step.after {
            values.push((self.term(predicates, Moment::After(step.edge), id)?, value));
        }
        // What the edge itself conjuncts comes last: minimisation then drops as many values as it can in their order.
        let assumed = &self.edges[&step.edge].as_ref()?.assumed;
        values.extend(assumed.iter().map(|&t| (t, true)));
        let store = &self.enc.store;
        let lits = |context: &mut Context| -> Vec<Lit> {
            let lit = |&(t, value): &(Term, bool)| {
                let lit = context.lit(store, t);
                if value { lit } else { !lit }
            };
            values.iter().map(lit).collect()
        };
        let asked = lits(&mut self.context);
        if !self.context.decide(store, &asked, conflicts).is_unsat() {
            return None;
        }
        let mut fresh = Context::new();
        let asked = lits(&mut fresh);
        let Answer::Unsat(core) = fresh.check(store, &asked, conflicts) else { return None };
        let n_before = step.before.len();
        let n_values = n_before + step.after.len();
        let before = core.iter().filter(|&&i| i < n_before).map(|&i| step.before[i]).collect();
        let after = core.iter().filter(|&&i| i >= n_before && i < n_values).map(|&i| step.after[i - n_before]);
        let after = after.skip(usize::from(sabotage::active(Fault::TransitionConstraintDropsValue))).collect();
        Some(Constraint { func: step.func, edge: step.edge, before, after })
    }
}

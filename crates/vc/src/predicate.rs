//! Predicates: truth values over the variables that one function can name, and what is known of their steps.
//!
//! A predicate is an `ir::Expr` with a scope; it prints as C and parses back. Its canonical form has one polarity, the
//! constant on the right and no needless widening, so that `!(x == 0)`, `(int)x != 0` and `x != 0` are one predicate.

mod canonical;

pub use canonical::{canonical, simplify, split};

use crate::state::State;
use crate::step::Encoder;
use base::{Id, IndexVec, define_id};
use ir::{EdgeId, Expr, FuncId, LocalId, Var};
use rustc_hash::FxHashMap;
use std::rc::Rc;

define_id!(pub PredId, "p", "A predicate of a [`Predicates`].");

/// Where a predicate is tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Everywhere: it mentions globals only, and no entry values.
    Global,
    /// In one function: it may mention its locals, globals, and entry values of parameters and globals.
    Function(FuncId),
}

/// A tracked truth value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Predicate {
    /// Where it is tracked.
    pub scope: Scope,
    /// Of type `Bool`, in canonical form.
    pub expr: Expr,
}

/// A property of one edge that is no call, derived from the edge alone: no step across it leads from a state with the
/// valuation `before` to one with the valuation `after`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint {
    /// The function.
    pub func: FuncId,
    /// The edge.
    pub edge: EdgeId,
    /// Predicates and their values before the step.
    pub before: Vec<(PredId, bool)>,
    /// Predicates and their values after it.
    pub after: Vec<(PredId, bool)>,
}

/// A set of predicates with ids that stay.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    list: IndexVec<PredId, Predicate>,
    ids: FxHashMap<Predicate, PredId>,
}

impl Predicates {
    /// No predicates.
    pub fn new() -> Predicates {
        Predicates::default()
    }

    /// The predicate with this id.
    pub fn get(&self, id: PredId) -> &Predicate {
        &self.list[id]
    }

    /// All ids, in the order of their adding.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = PredId> + use<> {
        self.list.ids()
    }

    /// The number of predicates.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds a predicate in canonical form unless it is there; its id, and whether it is new.
    pub fn insert(&mut self, predicate: Predicate) -> (PredId, bool) {
        if let Some(&id) = self.ids.get(&predicate) {
            return (id, false);
        }
        let id = self.list.push(predicate.clone());
        self.ids.insert(predicate, id);
        (id, true)
    }

    /// The predicates that are tracked in `func`: the global ones and its own, in order.
    pub fn in_scope(&self, func: FuncId) -> impl Iterator<Item = PredId> + '_ {
        let tracked = move |p: &Predicate| p.scope == Scope::Global || p.scope == Scope::Function(func);
        self.list.iter_enumerated().filter(move |(_, p)| tracked(p)).map(|(id, _)| id)
    }
}

impl Encoder<'_> {
    /// A state as [`Encoder::arbitrary`] makes it, but for what an activation of `func` never changes: of parameters, globals
    /// and memory that stay the same, the entry values are the values now.
    pub fn arbitrary_keeping(&mut self, func: FuncId) -> State {
        let state = self.arbitrary(func);
        let analysis = self.analysis;
        let kept = |v: Var| !analysis.modified.var(func, v);
        let mut entry = (*state.frame.entry).clone();
        let shared = Rc::make_mut(&mut entry.shared);
        for (g, term) in shared.vars.iter_enumerated_mut().filter(|(g, _)| kept(Var::Global(*g))) {
            *term = state.shared.vars[g];
        }
        for (r, term) in shared.maps.iter_enumerated_mut().filter(|(r, _)| !analysis.modifies(func, *r)) {
            *term = state.shared.maps[r];
        }
        if !analysis.allocations.changed_by(func) {
            shared.ghosts.clone_from(&state.shared.ghosts);
        }
        for (i, term) in entry.params.iter_mut().enumerate() {
            let param = LocalId::from_index(i);
            if kept(Var::Local(param)) {
                *term = state.frame.vars[param];
            }
        }
        let mut frame = (*state.frame).clone();
        frame.entry = Rc::new(entry);
        State { shared: state.shared, frame: Rc::new(frame) }
    }
}

#[cfg(test)]
mod tests;

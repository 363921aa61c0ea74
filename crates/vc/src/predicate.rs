//! Predicates: truth values over the variables that one function can name, and what is known of their steps.
//!
//! A predicate is an `ir::Expr` with a scope; it prints as C and parses back. Its canonical form has one polarity, the
//! constant on the right and no needless widening, so that `!(x == 0)`, `(int)x != 0` and `x != 0` are one predicate.

mod canonical;

pub use canonical::{canonical, simplify, split};

use crate::state::{Entry, State};
use crate::step::Encoder;
use base::{Id, IndexVec, define_id};
use ir::{EdgeId, Expr, FuncId, Var};
use pointsto::RegionId;
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

/// A fact about one edge that is no call, derived from the edge alone: no step across it leads from a state with the
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
        let known = self.list.iter_enumerated().find(|(_, p)| **p == predicate).map(|(id, _)| id);
        match known {
            Some(id) => (id, false),
            None => (self.list.push(predicate), true),
        }
    }

    /// The predicates that are tracked in `func`: the global ones and its own, in order.
    pub fn in_scope(&self, func: FuncId) -> impl Iterator<Item = PredId> + '_ {
        let tracked = move |p: &Predicate| p.scope == Scope::Global || p.scope == Scope::Function(func);
        self.list.iter_enumerated().filter(move |(_, p)| tracked(p)).map(|(id, _)| id)
    }
}

impl Encoder<'_> {
    /// A state as [`Encoder::arbitrary`] makes it, but for the parameters and globals that `kept` names: their entry values
    /// are their values now, as it is for what an activation never changes.
    pub fn arbitrary_keeping(&mut self, func: FuncId, kept: impl Fn(Var) -> bool) -> State {
        let state = self.arbitrary(func);
        let mut globals = (*state.frame.entry.globals).clone();
        let n_globals = self.program.globals.len();
        for (i, term) in globals.iter_mut().enumerate() {
            let same = match i.checked_sub(n_globals) {
                None => kept(Var::Global(Id::from_index(i))),
                Some(region) if region < self.memory.regions().all.len() => {
                    !self.memory.modifies(func, RegionId::from_index(region))
                }
                Some(_) => !self.memory.life.changed_by(func),
            };
            if same {
                *term = state.globals[i];
            }
        }
        let mut params = state.frame.entry.params.clone();
        for (i, term) in params.iter_mut().enumerate() {
            if kept(Var::Local(Id::from_index(i))) {
                *term = state.frame.locals[i];
            }
        }
        let mut frame = (*state.frame).clone();
        frame.entry = Rc::new(Entry { globals: Rc::new(globals), params });
        State { globals: state.globals, frame: Rc::new(frame) }
    }
}

#[cfg(test)]
mod tests;

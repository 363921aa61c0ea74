//! The solver as the abstraction uses it: one store and one incremental context for the whole program, in which a
//! predicate is translated once per function and then is an assumption literal.
//!
//! Only canonical questions are asked here ("is this cube possible together with that?"), whose answers do not depend on
//! what was asked before; models are used to refute cubes and never reach an output.

use crate::options::{Options, Stats};
use logic::{Answer, Context, Lit, Model, Node, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use vc::Encoder;

/// What the solver says about a conjunction.
pub(crate) enum Verdict {
    Possible(Model),
    Impossible,
    /// Not decided within the limit: counts as possible, without a model.
    Undecided,
}

pub(crate) struct Prover<'p> {
    pub(crate) enc: Encoder<'p>,
    pub(crate) context: Context,
    supports: FxHashMap<Term, Rc<[Symbol]>>,
    pub(crate) options: Options,
    pub(crate) stats: Stats,
}

impl<'p> Prover<'p> {
    pub(crate) fn new(enc: Encoder<'p>, options: &Options) -> Prover<'p> {
        Prover {
            enc,
            context: Context::new(),
            supports: FxHashMap::default(),
            options: options.clone(),
            stats: Stats::default(),
        }
    }

    pub(crate) fn lit(&mut self, t: Term) -> Lit {
        self.context.lit(&self.enc.store, t)
    }

    /// Can all the literals hold together?
    pub(crate) fn ask(&mut self, lits: &[Lit]) -> Verdict {
        self.stats.queries += 1;
        match self.context.decide(&self.enc.store, lits, self.options.conflicts) {
            Answer::Sat(model) => Verdict::Possible(model),
            Answer::Unsat(_) => Verdict::Impossible,
            Answer::Unknown(_) => {
                self.stats.undecided += 1;
                Verdict::Undecided
            }
        }
    }

    /// Whether the terms cannot all hold.
    pub(crate) fn impossible(&mut self, terms: &[Term]) -> bool {
        if terms.iter().any(|&t| self.enc.store.bool_of(t) == Some(false)) {
            return true;
        }
        let lits: Vec<Lit> = terms.iter().map(|&t| self.lit(t)).collect();
        matches!(self.ask(&lits), Verdict::Impossible)
    }

    /// The value that `t` has in every state, if it has one.
    pub(crate) fn constant(&mut self, t: Term) -> Option<bool> {
        if let Some(b) = self.enc.store.bool_of(t) {
            return Some(b);
        }
        let not = self.enc.store.not(t);
        if self.impossible(&[not]) {
            Some(true)
        } else if self.impossible(&[t]) {
            Some(false)
        } else {
            None
        }
    }

    /// The symbols that occur in `t`, sorted.
    pub(crate) fn support(&mut self, t: Term) -> Rc<[Symbol]> {
        if let Some(known) = self.supports.get(&t) {
            return known.clone();
        }
        let store = &self.enc.store;
        let mut seen = FxHashSet::default();
        let mut symbols = Vec::new();
        let mut todo = vec![t];
        while let Some(t) = todo.pop() {
            if !seen.insert(t) {
                continue;
            }
            match store.node(t) {
                Node::Symbol(s) => symbols.push(s),
                node => todo.extend(node.args()),
            }
        }
        symbols.sort_unstable();
        let symbols: Rc<[Symbol]> = symbols.into();
        self.supports.insert(t, symbols.clone());
        symbols
    }

    /// The conjuncts of `t`.
    pub(crate) fn conjuncts(&self, t: Term) -> Vec<Term> {
        let mut out = Vec::new();
        let mut todo = vec![t];
        while let Some(t) = todo.pop() {
            match self.enc.store.node(t) {
                Node::And(a, b) => todo.extend([b, a]),
                Node::Bool(true) => {}
                _ => out.push(t),
            }
        }
        out
    }
}

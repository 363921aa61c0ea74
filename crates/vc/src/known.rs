//! What is known where a state stands: truth values that the condition of the state implies. Choices between values are
//! decided by them when a value is read, so that what was ruled out on the way does not come along: a pointer that was tested
//! is the address of its object, no longer null or that address.
//!
//! Invariant: every term that is made this way equals the one it stands for wherever the condition of the state holds; elsewhere
//! nobody asks.

use crate::bounds::Bounds;
use crate::state::State;
use crate::step::Encoder;
use ir::{BinOp, Expr, ExprKind, Place, Ty, UnOp};
use logic::{Node, Store, Term};
use rustc_hash::FxHashMap;

/// Nested conjunctions that are looked into.
const DEPTH: usize = 3;

/// Choices that are looked into for one address, and for one other value.
const CHOICES: [usize; 2] = [64, 8];

/// Longer conjunctions are not taken apart further.
const MOST_LITERALS: usize = 16;

/// The most conditions of which it is known that they do not hold together.
const MOST_REFUTED: usize = 12;

/// A truth value and which it is.
type Literal = (Term, bool);

/// Truth values that are known.
#[derive(Debug, Default)]
pub(crate) struct Truths {
    truths: FxHashMap<Term, bool>,
    /// Literals that do not all hold.
    refuted: Vec<Vec<Literal>>,
    bounds: Bounds,
}

impl Truths {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.truths.clear();
        self.refuted.clear();
        self.bounds.clear();
    }

    /// Learns that `t` holds, and with a conjunction each of its parts.
    pub(crate) fn learn(&mut self, store: &Store, t: Term) {
        for (atom, truth) in literals(store, t, true) {
            self.truths.insert(atom, truth);
            self.bounds.learn(store, atom, truth);
            if !truth && matches!(store.node(atom), Node::And(..)) && self.refuted.len() < MOST_REFUTED {
                let conjunction = literals(store, atom, true);
                // One that was not taken apart wholly would be matched too easily.
                if conjunction.len() < MOST_LITERALS {
                    self.refuted.push(conjunction);
                }
            }
        }
    }

    fn truth(&self, store: &Store, t: Term, depth: usize) -> Option<bool> {
        if let Some(&known) = self.truths.get(&t) {
            return Some(known);
        }
        match store.node(t) {
            Node::Bool(b) => Some(b),
            Node::Not(a) => self.truth(store, a, depth).map(|b| !b),
            Node::And(a, b) if depth > 0 => match (self.truth(store, a, depth - 1), self.truth(store, b, depth - 1)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether these literals cannot all hold.
    fn excludes(&self, path: &[Literal]) -> bool {
        let holds = |l: &Literal| path.contains(l) || self.truths.get(&l.0) == Some(&l.1);
        self.refuted.iter().any(|conjunction| conjunction.iter().all(holds))
    }
}

/// The literals that hold if `t` does (or does not): its own, and those of the parts of a conjunction.
fn literals(store: &Store, t: Term, truth: bool) -> Vec<Literal> {
    let (mut found, mut stack) = (Vec::new(), vec![(t, truth)]);
    while let Some((t, truth)) = stack.pop() {
        if found.len() >= MOST_LITERALS {
            break;
        }
        match store.node(t) {
            Node::Bool(_) => {}
            Node::Not(a) => stack.push((a, !truth)),
            Node::And(a, b) if truth => stack.extend([(a, true), (b, true)]),
            _ => found.push((t, truth)),
        }
    }
    found
}

impl Encoder<'_> {
    /// The same value, as far as what is known here decides its choices.
    pub(crate) fn under_known(&mut self, t: Term) -> Term {
        if self.known.truths.is_empty() {
            return t;
        }
        match self.store.sort(t) {
            logic::Sort::Bool => self.known.truth(&self.store, t, DEPTH).map_or(t, |truth| self.store.bool(truth)),
            logic::Sort::Bv(width) => {
                let is_address = width == u32::from(self.program.model.ptr_width());
                let mut left = CHOICES[usize::from(!is_address)];
                let chosen = self.choose_known(t, &mut Vec::new(), &mut left);
                self.known.bounds.narrow(&mut self.store, chosen)
            }
            logic::Sort::Map { .. } => t,
        }
    }

    /// The same value, on the way of these choices.
    fn choose_known(&mut self, t: Term, path: &mut Vec<Literal>, left: &mut usize) -> Term {
        let Node::Ite(c, a, b) = self.store.node(t) else { return t };
        let Some(less) = left.checked_sub(1) else { return t };
        *left = less;
        match self.known.truth(&self.store, c, DEPTH) {
            Some(true) => return self.choose_known(a, path, left),
            Some(false) => return self.choose_known(b, path, left),
            None => {}
        }
        let before = path.len();
        let mut sides = [(a, true), (b, false)].map(|(side, holds)| {
            path.extend(literals(&self.store, c, holds));
            // A conjunction that holds is a literal, too.
            path.push((c, holds));
            let value = (!self.known.excludes(path)).then(|| self.choose_known(side, path, left));
            path.truncate(before);
            value
        });
        match (sides[0].take(), sides[1].take()) {
            (Some(x), Some(y)) if (x, y) == (a, b) => t,
            (Some(x), Some(y)) => self.store.ite(c, x, y),
            (Some(one), None) | (None, Some(one)) => one,
            // Nobody comes here.
            (None, None) => t,
        }
    }

    /// Where a condition was assumed that says that a pointer is not null, what holds the pointer loses that case.
    pub(crate) fn narrow(&mut self, state: &mut State, condition: &Expr) {
        let Some(place) = not_null(condition, true) else { return };
        let Ok(value) = self.eval(state, &Expr { kind: ExprKind::Read(place.clone()), ty: place.ty }) else { return };
        let narrowed = self.store.without_null(value);
        if narrowed != value {
            // What has no formula stays as it is.
            let _ = self.assign(state, place, narrowed);
        }
    }
}

/// The pointer of which a condition says that it is not null, if it says no more.
fn not_null(e: &Expr, holds: bool) -> Option<&Place> {
    match &e.kind {
        ExprKind::Unary(UnOp::Not, a) if e.ty == Ty::Bool => not_null(a, !holds),
        ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b) if a.ty == Ty::Ptr && (*op == BinOp::Ne) == holds => {
            match (&a.kind, b.as_const()) {
                (ExprKind::Read(place), Some(0)) => Some(place),
                _ => None,
            }
        }
        ExprKind::Convert(a) if a.ty == Ty::Ptr && e.ty == Ty::Bool && holds => match &a.kind {
            ExprKind::Read(place) => Some(place),
            _ => None,
        },
        _ => None,
    }
}

//! What is known to hold at locations, whatever path led there.

use ir::{Expr, FuncId, Loc};
use std::collections::BTreeMap;

/// Truth values over what a function can name, each of which holds whenever execution stands at its location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocationInvariants {
    at: BTreeMap<(FuncId, Loc), Vec<Expr>>,
}

impl LocationInvariants {
    /// Nothing is known.
    pub fn new() -> LocationInvariants {
        LocationInvariants::default()
    }

    /// Something more is known at `loc` of `func`.
    pub fn add(&mut self, func: FuncId, loc: Loc, invariant: Expr) {
        self.at.entry((func, loc)).or_default().push(invariant);
    }

    /// What holds at `loc` of `func`.
    pub fn at(&self, func: FuncId, loc: Loc) -> &[Expr] {
        self.at.get(&(func, loc)).map_or(&[], Vec::as_slice)
    }

    /// All invariants with their places, in order.
    pub fn iter(&self) -> impl Iterator<Item = (FuncId, Loc, &Expr)> {
        self.at.iter().flat_map(|(&(f, l), invariants)| invariants.iter().map(move |e| (f, l, e)))
    }

    /// The number of invariants.
    pub fn len(&self) -> usize {
        self.at.values().map(Vec::len).sum()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }
}

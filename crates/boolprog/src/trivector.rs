//! TACAS01's views of abstract states: sets of bitvectors (the Boolean abstraction), trivectors (the Cartesian one), and
//! what lies between, as plain functions over explicit states.
//!
//! A trivector gives each variable 0, 1 or `*` and stands for all bitvectors that agree with it (§5). [`cartesian`] is the
//! best trivector for a set; it forgets how variables depend on each other. [`post`] is the Boolean post of a statement,
//! [`cartesian_post`] the Cartesian one; [`focus`] splits chosen variables before the step and joins nothing after it
//! (§9.3), and a set of trivectors instead of one is disjunctive completion (§9.1). `reach` keeps sets of bitvectors at
//! every location, that is, all of it.

use crate::program::{Proc, StmtId};
use crate::semantics::{Valuation, can_step};
use std::collections::BTreeSet;

/// The value of a variable in a trivector; `None` is `*`.
pub type Trit = Option<bool>;

/// One [`Trit`] per variable: globals first, then locals.
pub type Trivector = Vec<Trit>;

fn flatten(s: &Valuation) -> Vec<bool> {
    s.globals.iter().chain(&s.locals).copied().collect()
}

fn unflatten(n_globals: usize, bits: &[bool]) -> Valuation {
    Valuation { globals: bits[..n_globals].to_vec(), locals: bits[n_globals..].to_vec() }
}

/// The least trivector above all of `states`; `None` for the empty set (§5: the bottom element).
pub fn cartesian(states: &BTreeSet<Valuation>) -> Option<Trivector> {
    let mut members = states.iter().map(flatten);
    let mut out: Trivector = members.next()?.into_iter().map(Some).collect();
    for bits in members {
        for (t, b) in out.iter_mut().zip(bits) {
            if *t != Some(b) {
                *t = None;
            }
        }
    }
    Some(out)
}

/// All bitvectors below `v`.
pub fn concretize(n_globals: usize, v: &Trivector) -> BTreeSet<Valuation> {
    let mut all: Vec<Vec<bool>> = vec![Vec::new()];
    for t in v {
        let choices: &[bool] = match t {
            Some(true) => &[true],
            Some(false) => &[false],
            None => &[false, true],
        };
        all = all.iter().flat_map(|bits| choices.iter().map(move |&b| [&bits[..], &[b]].concat())).collect();
    }
    all.iter().map(|bits| unflatten(n_globals, bits)).collect()
}

/// The Boolean post of the statement at `at` (which must be neither call nor return) along the way to `to`.
pub fn post(proc: &Proc, at: StmtId, to: StmtId, states: &BTreeSet<Valuation>) -> BTreeSet<Valuation> {
    let Some(first) = states.first() else { return BTreeSet::new() };
    let candidates = concretize(first.globals.len(), &vec![None; first.globals.len() + first.locals.len()]);
    candidates.into_iter().filter(|new| states.iter().any(|old| can_step(proc, at, old, to, new))).collect()
}

/// The Cartesian post: of everything the trivector stands for, forgetting dependencies afterwards (§6).
pub fn cartesian_post(proc: &Proc, at: StmtId, to: StmtId, n_globals: usize, v: &Trivector) -> Option<Trivector> {
    cartesian(&post(proc, at, to, &concretize(n_globals, v)))
}

/// `v` with the variables at `positions` made definite in all ways: `focus[positions]` (§9.3).
pub fn focus(v: &Trivector, positions: &[usize]) -> BTreeSet<Trivector> {
    let mut out = BTreeSet::from([v.clone()]);
    for &i in positions {
        let split = |t: Trivector| match t[i] {
            Some(_) => vec![t],
            None => [false, true].map(|b| [&t[..i], &[Some(b)], &t[i + 1..]].concat()).to_vec(),
        };
        out = out.into_iter().flat_map(split).collect();
    }
    out
}

/// The Cartesian post of every member, kept apart: disjunctive completion (§9.1).
pub fn disjunctive_post(
    proc: &Proc,
    at: StmtId,
    to: StmtId,
    n_globals: usize,
    set: &BTreeSet<Trivector>,
) -> BTreeSet<Trivector> {
    set.iter().filter_map(|v| cartesian_post(proc, at, to, n_globals, v)).collect()
}

//! Where locals that begin and end ([`Op::Begin`], [`Op::End`]) are alive.
//!
//! The answer does not hang on the way: a valid body has, for each location but the exit, one set of locals that are alive
//! there ([`crate::validate`], rule 19). Locals that no operation begins are none of this module's business: they live as
//! long as their activation.

use crate::cfg::Graph;
use crate::syntax::*;
use crate::walk::{Visitor, walk_edge};
use base::IndexVec;
use std::collections::BTreeSet;

/// Where the locals of one function that begin are alive.
#[derive(Clone, Debug)]
pub struct LocalLifetimes {
    /// The locals that some operation begins.
    pub begun: BTreeSet<LocalId>,
    /// Those of them that are alive; none where the entry does not lead, and none at the exit.
    pub alive: IndexVec<Loc, BTreeSet<LocalId>>,
}

/// A place where lifetimes are not as they must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Misplaced {
    /// The edge.
    pub edge: EdgeId,
    /// The local.
    pub local: LocalId,
    /// What is wrong with it.
    pub what: &'static str,
}

/// The locals of a function that some operation begins.
pub fn begun(f: &Function) -> BTreeSet<LocalId> {
    let ops = f.body.iter().flat_map(|b| &b.edges).map(|e| &e.op);
    ops.filter_map(|op| if let Op::Begin(l) = op { Some(*l) } else { None }).collect()
}

impl LocalLifetimes {
    /// The lifetimes of a valid function.
    pub fn new(f: &Function) -> LocalLifetimes {
        LocalLifetimes::check(f).0
    }

    /// The lifetimes of a function whose ids exist, and what is wrong with them.
    pub(crate) fn check(f: &Function) -> (LocalLifetimes, Vec<Misplaced>) {
        let begun = begun(f);
        let n = f.body.as_ref().map_or(0, |b| b.locations.len());
        let mut lifetimes = LocalLifetimes { begun, alive: IndexVec::filled(BTreeSet::new(), n) };
        let mut wrong = Vec::new();
        if let Some(body) = &f.body {
            lifetimes.spread(body, &mut wrong);
        }
        (lifetimes, wrong)
    }

    /// Goes through the body once; the first way to a location says what is alive there.
    fn spread(&mut self, body: &Body, wrong: &mut Vec<Misplaced>) {
        let graph = Graph::new(body);
        let mut known = IndexVec::filled(false, body.locations.len());
        known[body.entry] = true;
        for &loc in &graph.order {
            for &e in &graph.out[loc] {
                let edge = &body.edges[e];
                let after = self.across(edge, e, wrong);
                let Some(to) = edge.to.filter(|&to| to != body.exit) else { continue };
                if !std::mem::replace(&mut known[to], true) {
                    self.alive[to] = after;
                } else if let Some(&local) = after.symmetric_difference(&self.alive[to]).next() {
                    wrong.push(Misplaced {
                        edge: e,
                        local,
                        what: "is alive on one way to a location and not on another",
                    });
                }
            }
        }
    }

    /// What is alive behind an edge.
    fn across(&self, edge: &Edge, id: EdgeId, wrong: &mut Vec<Misplaced>) -> BTreeSet<LocalId> {
        let mut alive = self.alive[edge.from].clone();
        if self.begun.is_empty() && !matches!(edge.op, Op::End(_)) {
            return alive;
        }
        let mut fail = |local, what| wrong.push(Misplaced { edge: id, local, what });
        let mut named = Named::default();
        walk_edge(edge, &mut named);
        for &l in named.0.intersection(&self.begun).filter(|l| !alive.contains(l)) {
            fail(l, "is named where it is not alive");
        }
        match edge.op {
            Op::Begin(l) if !alive.insert(l) => fail(l, "begins where it is alive"),
            Op::End(l) if !alive.remove(&l) => fail(l, "ends where it is not alive"),
            _ => {}
        }
        alive
    }
}

/// The locals that an edge names.
#[derive(Default)]
pub(crate) struct Named(pub(crate) BTreeSet<LocalId>);

impl Visitor for Named {
    fn address(&mut self, addr: &Address) {
        if let Base::Var(Var::Local(l)) = addr.base {
            self.0.insert(l);
        }
    }

    fn result(&mut self, var: Var) {
        if let Var::Local(l) = var {
            self.0.insert(l);
        }
    }
}

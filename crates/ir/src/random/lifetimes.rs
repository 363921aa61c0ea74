//! Random lifetimes: some locals of a finished body begin and end.
//!
//! A local gets a zone of locations where it is alive: all where an edge that names it starts, and some others. Whatever
//! edge goes into the zone begins the local, whatever edge goes out of it ends the local; so lifetimes need not be nested, and
//! may begin and end inside of loops, in branches, or on one way out of several.

use super::Gen;
use crate::lifetimes::Named;
use crate::syntax::*;
use crate::walk::walk_edge;
use base::{Id, IndexVec};
use std::collections::BTreeSet;

impl Gen<'_> {
    /// Lets some of the function's locals begin and end.
    pub(super) fn lifetimes(&mut self, func: FuncId, body: &mut Body) {
        let f = &self.program.functions[func];
        let own = (f.n_params..f.locals.len()).map(LocalId::from_index).filter(|&l| f.ret != Some(l));
        let objects: Vec<LocalId> = own.clone().filter(|&l| f.locals[l].shape.scalar().is_none()).collect();
        let own: Vec<LocalId> = own.collect();
        let mut chosen = BTreeSet::new();
        if self.rng.chance(50) && !objects.is_empty() {
            chosen.insert(*self.rng.pick(&objects));
        }
        if self.rng.chance(25) && !own.is_empty() {
            chosen.insert(*self.rng.pick(&own));
        }
        for l in chosen {
            let zone = self.zone(body, l);
            if !zone[body.entry] {
                bound(body, l, &zone);
            }
        }
    }

    /// Where a local is alive.
    fn zone(&mut self, body: &Body, l: LocalId) -> IndexVec<Loc, bool> {
        let percent = *self.rng.pick(&[0, 30, 70, 95]);
        let inner = |loc| loc != body.entry && loc != body.exit;
        let mut zone: IndexVec<Loc, bool> =
            body.locations.ids().map(|loc| inner(loc) && self.rng.chance(percent)).collect();
        for edge in &body.edges {
            let mut named = Named::default();
            walk_edge(edge, &mut named);
            zone[edge.from] |= named.0.contains(&l);
        }
        zone
    }
}

/// Begins a local on the edges into a zone and ends it on those that leave it.
fn bound(body: &mut Body, l: LocalId, zone: &IndexVec<Loc, bool>) {
    for i in 0..body.edges.len() {
        let e = EdgeId::from_index(i);
        let edge = &body.edges[e];
        let Some(to) = edge.to.filter(|&to| to != body.exit) else { continue };
        let op = match (zone[edge.from], zone[to]) {
            (false, true) => Op::Begin(l),
            (true, false) => Op::End(l),
            _ => continue,
        };
        let span = edge.span;
        let between = body.locations.push(Location { label: None, span });
        body.edges[e].to = Some(between);
        body.edges.push(Edge { from: between, to: Some(to), guards: Vec::new(), op, span });
    }
}

//! Large blocks: everything between two cut points as one block, with the branches and joins inside it decided by the solver.
//!
//! The formula of a block is `vc::block`'s, merged where ways meet. Cut points are the entry, the exit, the heads of loops, both ends
//! of calls, and the places from which a target is reached.

use super::{Block, NoTable, table_of};
use crate::prover::Prover;
use ir::cfg::Graph;
use ir::{Body, EdgeId, FuncId, Loc, Op};
use logic::Term;
use std::collections::BTreeMap;
use vc::block::{At, BlockError, Visitor, explore};
use vc::{Encoder, PredId, Predicates, State};

/// How the ways of a block end: at each location the condition and the merged state.
#[derive(Default)]
struct Ends(BTreeMap<Loc, (Term, State)>);

impl Visitor for Ends {
    type Error = BlockError;

    fn call(&mut self, _: &mut Encoder<'_>, at: At<'_>, _: &mut State) -> Result<Vec<Term>, BlockError> {
        Err(BlockError::Cycle(at.edge.from))
    }

    fn arrive(&mut self, enc: &mut Encoder<'_>, at: At<'_>, state: &State) -> Result<(), BlockError> {
        let Some(to) = at.edge.to else { return Ok(()) };
        let merged = match self.0.remove(&to) {
            None => (at.condition, state.clone()),
            Some((c, s)) => (enc.store.or(c, at.condition), enc.merge(at.condition, state, &s)),
        };
        self.0.insert(to, merged);
        Ok(())
    }
}

/// The blocks of a function with their tables.
pub(super) fn blocks(
    prover: &mut Prover<'_>,
    predicates: &Predicates,
    in_scope: &[PredId],
    func: FuncId,
    body: &Body,
) -> Vec<Block> {
    let graph = Graph::new(body);
    let calls = |e: EdgeId| prover.enc.callee(&body.edges[e]).is_some();
    let cut: Vec<Loc> = body.locations.ids().filter(|&l| is_cut(body, &graph, l, &calls)).collect();
    let calling: Vec<Loc> = cut.iter().copied().filter(|&l| graph.out[l].iter().any(|&e| calls(e))).collect();
    let is_cut = |l: Loc| cut.binary_search(&l).is_ok();
    let mut out = Vec::new();
    for &from in cut.iter().filter(|l| **l != body.exit && !calling.contains(l)) {
        prover.refresh();
        let start = prover.enc.arbitrary_keeping(func);
        let yes = prover.enc.store.bool(true);
        let mut ends = Ends::default();
        let explored = explore(&mut prover.enc, from, start.clone(), yes, is_cut, &mut ends);
        if let Err(why) = explored {
            let edges = graph.out[from].clone();
            out.push(Block { func, from, to: None, edges, table: Err(no_table(&why)) });
            continue;
        }
        for (to, (condition, end)) in ends.0 {
            let assumed = prover.conjuncts(condition);
            let table = table_of(prover, predicates, in_scope, &start, &end, &assumed);
            let edges = between(body, &graph, from, to, &is_cut);
            out.push(Block { func, from, to: Some(to), edges, table });
        }
    }
    out
}

fn is_cut(body: &Body, graph: &Graph, l: Loc, calls: &dyn Fn(EdgeId) -> bool) -> bool {
    let special = |e: EdgeId| calls(e) || matches!(body.edges[e].op, Op::Error(_) | Op::Unsupported(_));
    let after_call = || body.edges.iter_enumerated().any(|(id, e)| e.to == Some(l) && calls(id));
    graph.reachable[l]
        && (l == body.entry
            || l == body.exit
            || graph.loop_heads[l]
            || graph.out[l].iter().any(|&e| special(e))
            || after_call())
}

fn no_table(why: &BlockError) -> NoTable {
    match why {
        BlockError::Unmodelled(_, what) => NoTable::Unmodelled(*what),
        // Heads of loops and calls are cut points.
        BlockError::Cycle(_) => NoTable::TooLarge,
    }
}

/// The edges on some way from one cut point to the next.
fn between(body: &Body, graph: &Graph, from: Loc, to: Loc, is_cut: &impl Fn(Loc) -> bool) -> Vec<EdgeId> {
    let mut ahead = vec![from];
    let mut next = 0;
    while let Some(&l) = ahead.get(next) {
        next += 1;
        for &e in &graph.out[l] {
            if let Some(t) = body.edges[e].to.filter(|t| !is_cut(*t) && !ahead.contains(t)) {
                ahead.push(t);
            }
        }
    }
    let mut edges: Vec<EdgeId> = Vec::new();
    loop {
        let leads = |(id, e): &(EdgeId, &ir::Edge)| {
            let known = |t: Loc| !is_cut(t) && edges.iter().any(|&k| body.edges[k].from == t);
            !edges.contains(id) && ahead.contains(&e.from) && e.to.is_some_and(|t| t == to || known(t))
        };
        let new: Vec<EdgeId> = body.edges.iter_enumerated().filter(leads).map(|(id, _)| id).collect();
        if new.is_empty() {
            edges.sort_unstable();
            return edges;
        }
        edges.extend(new);
    }
}

//! Loop-free blocks: everything that can happen from one location until the next cut point, as one formula of linear
//! size. Where paths meet, their states are merged by choice; where a location has several ways to go, the choice is
//! made by fresh symbols unless the conditions exclude each other, so that overlapping ways lose nothing.

use crate::state::State;
use crate::step::Encoder;
use analysis::Unmodelled;
use base::{Id, IndexVec};
use ir::{Body, Edge, EdgeId, Loc};
use logic::{Sort, Term};

/// Why a block has no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockError {
    /// A cycle passes through this location and meets no cut point.
    Cycle(Loc),
    /// An edge does something that is not modelled.
    Unmodelled(EdgeId, Unmodelled),
}

/// One end of a block, or one call on its way.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The edge.
    pub id: EdgeId,
    /// The edge.
    pub edge: &'a Edge,
    /// What holds if execution got across the edge (at a call: up to the edge, its guards included).
    pub condition: Term,
}

/// What to do at the calls and ends of a block.
pub trait Visitor {
    /// The visitor's own failure.
    type Error: From<BlockError>;

    /// A call of a function with a body: takes the state across and says what may be assumed of it.
    fn call(&mut self, enc: &mut Encoder<'_>, at: At<'_>, state: &mut State) -> Result<Vec<Term>, Self::Error>;

    /// The block ends across this edge: at a cut point, or because the run ends.
    fn arrive(&mut self, enc: &mut Encoder<'_>, at: At<'_>, state: &State) -> Result<(), Self::Error>;

    /// A way out of a location of the block, and what holds if execution goes it. Of the ways out of one location at most one has a
    /// condition that holds, in every assignment of the symbols.
    fn way(&mut self, _id: EdgeId, _condition: Term) {}

    /// Execution comes to an edge without a formula. Who goes on must see to it that this does not happen: what lies behind the edge is
    /// not looked at.
    fn unmodelled(&mut self, _enc: &mut Encoder<'_>, at: At<'_>, why: Unmodelled) -> Result<(), Self::Error> {
        Err(Self::Error::from(BlockError::Unmodelled(at.id, why)))
    }
}

/// Explores the block that starts at `start` in `state` under the hypothesis `condition`. Cut points end it, `start`
/// itself included when it is met again.
pub fn explore<V: Visitor>(
    enc: &mut Encoder<'_>,
    start: Loc,
    state: State,
    condition: Term,
    is_cut: impl Fn(Loc) -> bool,
    visitor: &mut V,
) -> Result<(), V::Error> {
    let body = enc.program.body(state.func());
    let outs = out_edges(body);
    let order = topological(body, &outs, start, &is_cut).map_err(BlockError::Cycle)?;
    let mut arrived: IndexVec<Loc, Option<(Term, State)>> = IndexVec::filled(None, body.locations.len());
    arrived[start] = Some((condition, state));
    for loc in order {
        // An edge without a formula may have been all that leads here.
        let Some((condition, state)) = arrived[loc].take() else { continue };
        let mut ways = Vec::new();
        for &id in &outs[loc] {
            ways.extend(take(enc, visitor, id, &body.edges[id], condition, &state)?);
        }
        choose(enc, &mut ways);
        for (id, way_condition, way_state) in ways {
            let edge = &body.edges[id];
            visitor.way(id, way_condition);
            match edge.to {
                Some(to) if !is_cut(to) => {
                    let merged = match arrived[to].take() {
                        None => (way_condition, way_state),
                        Some((c, s)) => (enc.store.or(c, way_condition), enc.merge(way_condition, &way_state, &s)),
                    };
                    arrived[to] = Some(merged);
                }
                _ => visitor.arrive(enc, At { id, edge, condition: way_condition }, &way_state)?,
            }
        }
    }
    Ok(())
}

type Way = (EdgeId, Term, State);

/// The state and condition across one edge; `None` if it has no formula and the visitor goes on without it.
fn take<V: Visitor>(
    enc: &mut Encoder<'_>,
    visitor: &mut V,
    id: EdgeId,
    edge: &Edge,
    condition: Term,
    state: &State,
) -> Result<Option<Way>, V::Error> {
    let mut after = state.clone();
    let calls = enc.callee(edge).is_some();
    let effects = if calls { enc.enter(&mut state.clone(), id, edge) } else { enc.step(&mut after, edge) };
    let effects = match effects {
        Ok(effects) => effects,
        Err(why) => return visitor.unmodelled(enc, At { id, edge, condition }, why).map(|()| None),
    };
    let assumed: Vec<Term> = if calls {
        let guards = effects;
        let guards: Vec<Term> = guards.assumptions.iter().map(|a| a.term).collect();
        let condition = conjoin(enc, condition, &guards);
        let contract = visitor.call(enc, At { id, edge, condition }, &mut after)?;
        [guards, contract].concat()
    } else {
        effects.assumptions.iter().map(|a| a.term).collect()
    };
    Ok(Some((id, conjoin(enc, condition, &assumed), after)))
}

fn conjoin(enc: &mut Encoder<'_>, first: Term, rest: &[Term]) -> Term {
    rest.iter().fold(first, |all, &t| enc.store.and(all, t))
}

/// Makes the conditions of several ways out of one location exclude each other.
fn choose(enc: &mut Encoder<'_>, ways: &mut [Way]) {
    if ways.len() < 2 {
        return;
    }
    if let [a, b] = ways {
        let both = enc.store.and(a.1, b.1);
        if enc.store.bool_of(both) == Some(false) {
            return;
        }
    }
    let mut not_earlier = enc.store.bool(true);
    let last = ways.len() - 1;
    for (i, way) in ways.iter_mut().enumerate() {
        let this = if i == last { enc.store.bool(true) } else { enc.store.fresh("way", Sort::Bool) };
        let chosen = enc.store.and(not_earlier, this);
        way.1 = enc.store.and(way.1, chosen);
        let not_this = enc.store.not(this);
        not_earlier = enc.store.and(not_earlier, not_this);
    }
}

fn out_edges(body: &Body) -> IndexVec<Loc, Vec<EdgeId>> {
    let mut outs = IndexVec::filled(Vec::new(), body.locations.len());
    for (id, edge) in body.edges.iter_enumerated() {
        outs[edge.from].push(id);
    }
    outs
}

/// The locations of the block in an order in which each comes after all that lead to it, or a location on a cycle.
fn topological(
    body: &Body,
    outs: &IndexVec<Loc, Vec<EdgeId>>,
    start: Loc,
    is_cut: &impl Fn(Loc) -> bool,
) -> Result<Vec<Loc>, Loc> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks: IndexVec<Loc, Mark> = IndexVec::filled(Mark::New, body.locations.len());
    let mut order = Vec::new();
    let mut stack = vec![(start, 0)];
    marks[start] = Mark::Open;
    while let Some((loc, next)) = stack.last_mut() {
        let Some(&id) = outs[*loc].get(*next) else {
            marks[*loc] = Mark::Done;
            order.push(*loc);
            stack.pop();
            continue;
        };
        *next += 1;
        match body.edges[id].to {
            Some(to) if !is_cut(to) => match marks[to] {
                Mark::New => {
                    marks[to] = Mark::Open;
                    stack.push((to, 0));
                }
                Mark::Open => return Err(to),
                Mark::Done => {}
            },
            _ => {}
        }
    }
    order.reverse();
    debug_assert!(order.first().is_none_or(|l| l.index() == start.index()));
    Ok(order)
}

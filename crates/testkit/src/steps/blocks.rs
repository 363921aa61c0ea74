//! Loop-free blocks: whatever a run does between two cut points is among what the formula of the block allows. Calls in
//! the block may end in any state.

use analysis::Analysis;
use std::collections::BTreeMap;

use base::rng::Rng;
use ir::cfg::Graph;
use ir::interp::Step;
use ir::{EdgeId, FuncId, Loc, Program};
use logic::{Answer, Term, check_sat};
use vc::block::{At, BlockError, Visitor, explore};
use vc::{Encoder, State};

use super::bound::{Bound, entry_values, equals};
use super::record::{Event, Recorded, Snapshot};
use super::single::CONFLICTS;
use crate::statistics::Statistics;

/// What a run did between two cut points of one activation; `S` is what is known at its ends.
pub(super) struct Segment<'r, S> {
    pub(super) func: FuncId,
    pub(super) start: Loc,
    pub(super) pre: &'r S,
    pub(super) edge: EdgeId,
    /// The state at the end; none if the run ended.
    pub(super) post: Option<&'r S>,
}

/// When something was seen of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Before,
    After,
    Returned,
}

/// The formula of a block.
struct Block<'p> {
    enc: Encoder<'p>,
    begin: State,
    ends: Vec<(EdgeId, Term, State)>,
}

/// Collects where a block leads.
#[derive(Default)]
pub(super) struct Ends(pub(super) Vec<(EdgeId, Term, State)>);

impl Visitor for Ends {
    type Error = BlockError;

    fn call(&mut self, enc: &mut Encoder<'_>, at: At<'_>, state: &mut State) -> Result<Vec<Term>, BlockError> {
        enc.return_by_contract(state, at.edge, &every_global(enc.program))
            .map_err(|u| BlockError::Unmodelled(at.id, u))?;
        Ok(Vec::new())
    }

    fn arrive(&mut self, _: &mut Encoder<'_>, at: At<'_>, state: &State) -> Result<(), BlockError> {
        self.0.push((at.id, at.condition, state.clone()));
        Ok(())
    }
}

/// Checks some of the segments of a run.
pub(super) fn check(
    analysis: &Analysis<'_>,
    run: &Recorded,
    rng: &mut Rng,
    percent: u64,
    stats: &mut Statistics,
) -> Result<(), String> {
    let mut blocks: BTreeMap<(FuncId, Loc), Option<Block<'_>>> = BTreeMap::new();
    let moments = run.events.iter().map(|event| match event {
        Event::Before(step, s) => (When::Before, *step, s.func, s),
        Event::After(step, s) => (When::After, *step, s.func, s),
        Event::Returned(step, s) => (When::Returned, *step, s.func, s),
    });
    for s in segments(analysis.program, moments) {
        if !rng.chance(percent) {
            continue;
        }
        let block = blocks.entry((s.func, s.start)).or_insert_with(|| block(analysis, s.func, s.start));
        let Some(block) = block else {
            stats.add("blocks not modelled", 1);
            continue;
        };
        allowed(block, &s, stats)
            .map_err(|e| format!("the block from {} of {} to {}: {e}", s.start, s.func, s.edge))?;
    }
    Ok(())
}

/// Every global may have been changed.
pub(super) fn every_global(program: &Program) -> base::IndexVec<ir::GlobalId, bool> {
    base::IndexVec::filled(true, program.globals.len())
}

pub(super) fn cut_points(program: &Program, func: FuncId) -> impl Fn(Loc) -> bool + use<> {
    let body = program.body(func);
    let (heads, entry, exit) = (Graph::new(body).loop_heads, body.entry, body.exit);
    move |loc| loc == entry || loc == exit || heads[loc]
}

fn block<'a>(analysis: &'a Analysis<'a>, func: FuncId, start: Loc) -> Option<Block<'a>> {
    let program = analysis.program;
    let mut enc = Encoder::for_path(analysis);
    let mut begin = enc.arbitrary_at(func, start);
    let f = &program.functions[func];
    if f.body.as_ref().is_some_and(|b| b.entry == start) {
        begin = begin.begin_here(f.n_params);
    }
    let truth = enc.store.bool(true);
    let mut ends = Ends::default();
    explore(&mut enc, start, begin.clone(), truth, cut_points(program, func), &mut ends).ok()?;
    Some(Block { enc, begin, ends: ends.0 })
}

/// The segments of a run, in the order in which they end, from what was seen of its steps: when, which step, the function
/// of the state that was seen, and the state.
pub(super) fn segments<'r, S>(
    program: &Program,
    moments: impl Iterator<Item = (When, Step, FuncId, &'r S)>,
) -> Vec<Segment<'r, S>> {
    let is_cut: Vec<_> =
        program.functions.iter_enumerated().map(|(id, f)| f.body.as_ref().map(|_| cut_points(program, id))).collect();
    let mut open: Vec<(Loc, &S)> = Vec::new();
    let mut done = Vec::new();
    for (when, step, seen, s) in moments {
        let func = if when == When::Returned { seen } else { step.func };
        let body = program.body(func);
        let edge = &body.edges[step.edge];
        match when {
            When::Before => {
                if open.len() == step.depth {
                    open.push((body.entry, s));
                }
                if edge.to.is_none() {
                    let (start, pre) = open[step.depth];
                    done.push(Segment { func, start, pre, edge: step.edge, post: None });
                }
            }
            // After a call the state is the callee's.
            When::After if seen != func || is_entered(program, edge) => {}
            When::After | When::Returned => {
                let cut = is_cut[base::Id::index(func)].as_ref().expect("a run lies in bodies");
                if let Some(to) = edge.to.filter(|&to| cut(to)) {
                    open.truncate(step.depth + 1);
                    let (start, pre) = open[step.depth];
                    done.push(Segment { func, start, pre, edge: step.edge, post: Some(s) });
                    if to == body.exit {
                        open.truncate(step.depth);
                    } else {
                        open[step.depth] = (to, s);
                    }
                }
            }
        }
    }
    done
}

/// Whether the edge calls a function with a body.
fn is_entered(program: &Program, edge: &ir::Edge) -> bool {
    match &edge.op {
        ir::Op::Call(ir::Call { callee: ir::Callee::Direct(f), .. }) => program.functions[*f].body.is_some(),
        _ => false,
    }
}

fn allowed(block: &mut Block<'_>, s: &Segment<'_, Snapshot>, stats: &mut Statistics) -> Result<(), String> {
    let Some(&(_, condition, ref end)) = block.ends.iter().find(|(e, ..)| *e == s.edge) else {
        return Err("the block does not lead there".into());
    };
    let mut bound = Bound::default();
    bound.bind_state(&block.enc.store, &block.begin, s.pre)?;
    let mut terms = bound.equations(&mut block.enc.store);
    terms.push(condition);
    if let Some(post) = s.post {
        for var in post.vars() {
            if let (Some(t), Some(v)) = (end.get(var), post.get(var)) {
                terms.push(equals(&mut block.enc.store, t, v));
            }
        }
        for (t, v) in entry_values(end, post) {
            terms.push(equals(&mut block.enc.store, t, v));
        }
    }
    match check_sat(&block.enc.store, &terms, CONFLICTS) {
        Answer::Sat(_) => stats.add("blocks", 1),
        Answer::Unsat(_) => return Err("the formula does not allow what the run did".into()),
        Answer::Unknown(_) => stats.add("questions not decided", 1),
    }
    Ok(())
}

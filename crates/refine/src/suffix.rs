//! Cause the end of a path cannot be taken, whatever came before it.
//!
//! From a loop head or the entry of a function on, with nothing but the invariants known there, the rest of the path may
//! already be infeasible. The shortest such end gives predicates that speak of all paths with this end: one round of
//! refinement then rules out any number of turns of the loop, where the whole path rules out its own number only.

use crate::{Effort, Infeasible, PathAssumption, backward, decide, forward};
use analysis::Analysis;
use ir::cfg::Graph;
use ir::{EdgeId, FuncId, Loc, Program};
use logic::{Answer, Term};
use rustc_hash::FxHashMap;
use vc::path::Walk;
use vc::{Cause, Encoder, Events, LocationInvariants};

/// How many ends are tried: the shortest ones, then ever longer ones.
const TRIES: usize = 12;
/// The shortest ends that are all tried.
const NEAREST: usize = 6;

/// The shortest infeasible end of the path among those tried, if there is one; steps of the core count from the start of
/// the whole path. Unless `events` end executions, it does not build on those on which no proof may. Of the candidates for predicates only
/// those behind steps that are `wanted` are looked for.
pub fn explain_suffix(
    analysis: &Analysis<'_>,
    invariants: &LocationInvariants,
    path: &[(FuncId, EdgeId)],
    effort: Effort,
    events: Events,
    conflicts: u64,
    wanted: &dyn Fn(Option<usize>) -> bool,
) -> Option<Infeasible> {
    let starts = starts(analysis.program, path);
    let far = (0..).map(|k| NEAREST << k).take_while(|&n| n < starts.len());
    let tried = (0..NEAREST.min(starts.len())).chain(far).take(TRIES);
    for start in tried.map(|n| starts[n]) {
        if let Some(found) = infeasible_from(analysis, invariants, path, start, effort, conflicts, wanted)
            && (events == Events::End || found.for_proofs())
        {
            return Some(found);
        }
    }
    None
}

/// The positions at which an end can begin, last ones first: at loop heads and entries, in an activation that does not
/// return on the rest of the path. The first position is left out: that end is the path.
fn starts(program: &Program, path: &[(FuncId, EdgeId)]) -> Vec<usize> {
    let mut graphs: FxHashMap<FuncId, Graph> = FxHashMap::default();
    let depths = depths(program, path);
    let mut lowest = usize::MAX;
    let mut found = Vec::new();
    for (i, &(func, edge)) in path.iter().enumerate().skip(1).rev() {
        if depths[i] <= lowest {
            lowest = depths[i];
            let body = program.body(func);
            let graph = graphs.entry(func).or_insert_with(|| Graph::new(body));
            let from = body.edges[edge].from;
            if from == body.entry || graph.loop_heads[from] {
                found.push(i);
            }
        }
    }
    found
}

/// The number of activations below each step's.
fn depths(program: &Program, path: &[(FuncId, EdgeId)]) -> Vec<usize> {
    let body = |f: FuncId| program.body(f);
    // Where each waiting activation goes on.
    let mut waiting: Vec<(FuncId, Option<Loc>)> = Vec::new();
    let mut depths = Vec::with_capacity(path.len());
    for &(func, id) in path {
        depths.push(waiting.len());
        let edge = &body(func).edges[id];
        let mut at = (func, edge.to);
        if let ir::Op::Call(call) = &edge.op
            && let ir::Callee::Direct(callee) = call.callee
            && let Some(called) = &program.functions[callee].body
        {
            waiting.push((func, edge.to));
            at = (callee, Some(called.entry));
        }
        while at.1 == Some(body(at.0).exit) {
            match waiting.pop() {
                Some(back) => at = back,
                None => break,
            }
        }
    }
    depths
}

fn walk_from(enc: &mut Encoder<'_>, func: FuncId, edge: EdgeId) -> Walk {
    let body = enc.program.body(func);
    let from = body.edges[edge].from;
    let mut state = enc.arbitrary_at(func, from);
    if from == body.entry {
        state = enc.begin(&state);
    }
    Walk { state, at: Some(from) }
}

fn infeasible_from(
    analysis: &Analysis<'_>,
    invariants: &LocationInvariants,
    path: &[(FuncId, EdgeId)],
    start: usize,
    effort: Effort,
    conflicts: u64,
    wanted: &dyn Fn(Option<usize>) -> bool,
) -> Option<Infeasible> {
    let mut enc = Encoder::for_path(analysis);
    let end = &path[start..];
    let (func, edge) = end[0];
    let mut walk = walk_from(&mut enc, func, edge);
    let begin = walk.clone();
    let mut tags: Vec<Option<PathAssumption>> = Vec::new();
    let (mut terms, mut causes): (Vec<Term>, Vec<Cause>) = (Vec::new(), Vec::new());
    for (i, &(_, edge)) in end.iter().enumerate() {
        let effects = walk.take(&mut enc, edge).ok()?;
        for assumption in &effects.assumptions {
            tags.push(Some((i, assumption.id)));
            terms.push(assumption.term);
            causes.push(assumption.cause);
        }
    }
    for invariant in invariants.at(func, begin.at?) {
        tags.push(None);
        terms.push(enc.eval(&begin.state, invariant).ok()?);
    }
    let Answer::Unsat(core) = decide(&enc, &terms, conflicts) else { return None };
    let core = crate::contradiction(&enc, &terms, &causes, core, conflicts);
    let without = core.iter().filter_map(|&i| crate::guard(*causes.get(i)?)).collect();
    let core: Vec<PathAssumption> = core.into_iter().filter_map(|i| tags[i]).collect();
    let known = match effort {
        Effort::Backward => Vec::new(),
        Effort::Forward | Effort::Unsplit => {
            let mut enc = Encoder::for_path(analysis);
            let walk = walk_from(&mut enc, func, edge);
            forward::states(&mut enc, walk, end)
        }
    };
    let predicates =
        backward::predicates(analysis, end, &core, effort, &known, &|i| i.is_some_and(|i| wanted(Some(start + i))));
    let mut steps: Vec<usize> = core.iter().map(|&(i, _)| start + i).collect();
    steps.dedup();
    Some(Infeasible { core: steps, without, predicates })
}

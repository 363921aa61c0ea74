//! Why the end of a path cannot be taken, whatever came before it.
//!
//! From a loop head or the entry of a function on, with nothing but the facts known there, the rest of the path may
//! already be infeasible. The shortest such end gives predicates that speak of all paths with this end: one round of
//! refinement then rules out any number of turns of the loop, where the whole path rules out its own number only.

use crate::{Effort, Infeasible, backward, decide, forward};
use ir::cfg::Graph;
use ir::{EdgeId, FuncId, Loc, Program};
use logic::{Answer, Term};
use rustc_hash::FxHashMap;
use vc::path::Walk;
use vc::{Encoder, Facts, Why};

/// How many ends are tried: the shortest ones, then ever longer ones.
const TRIES: usize = 12;
/// The shortest ends that are all tried.
const NEAREST: usize = 6;

/// The shortest infeasible end of the path among those tried, if there is one; steps of the core count from the start of
/// the whole path. Unless `events` says so, it does not build on events on which no proof may.
pub fn explain_suffix(
    program: &Program,
    facts: &Facts,
    path: &[(FuncId, EdgeId)],
    effort: Effort,
    events: bool,
    conflicts: u64,
) -> Option<Infeasible> {
    let starts = starts(program, path);
    let far = (0..).map(|k| NEAREST << k).take_while(|&n| n < starts.len());
    let tried = (0..NEAREST.min(starts.len())).chain(far).take(TRIES);
    for start in tried.map(|n| starts[n]) {
        if let Some(found) = infeasible_from(program, facts, path, start, effort, conflicts)
            && (events || found.for_proofs())
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
            let body = program.functions[func].body.as_ref().expect("a path lies in bodies");
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
    let body = |f: FuncId| program.functions[f].body.as_ref().expect("a path lies in bodies");
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
    let function = &enc.program.functions[func];
    let body = function.body.as_ref().expect("a path lies in bodies");
    let from = body.edges[edge].from;
    let mut state = enc.arbitrary_at(func, from);
    if from == body.entry {
        state = enc.begin(&state);
    }
    Walk { state, at: Some(from) }
}

fn infeasible_from(
    program: &Program,
    facts: &Facts,
    path: &[(FuncId, EdgeId)],
    start: usize,
    effort: Effort,
    conflicts: u64,
) -> Option<Infeasible> {
    let mut enc = crate::encoder(program);
    let end = &path[start..];
    let (func, edge) = end[0];
    let mut walk = walk_from(&mut enc, func, edge);
    let begin = walk.clone();
    let mut tags: Vec<Option<(usize, usize)>> = Vec::new();
    let (mut terms, mut why): (Vec<Term>, Vec<Why>) = (Vec::new(), Vec::new());
    for (i, &(_, edge)) in end.iter().enumerate() {
        let effects = walk.take(&mut enc, edge).ok()?;
        for (k, assumption) in effects.assumptions.iter().enumerate() {
            tags.push(Some((i, k)));
            terms.push(assumption.term);
            why.push(assumption.why);
        }
    }
    for fact in facts.at(func, begin.at?) {
        tags.push(None);
        terms.push(enc.eval(&begin.state, fact).ok()?);
    }
    let Answer::Unsat(core) = decide(&enc, &terms, conflicts) else { return None };
    let core = crate::contradiction(&enc, &terms, &why, core, conflicts);
    let without = core.iter().filter_map(|&i| crate::guard(*why.get(i)?)).collect();
    let core: Vec<(usize, usize)> = core.into_iter().filter_map(|i| tags[i]).collect();
    let known = match effort {
        Effort::Backward => Vec::new(),
        Effort::Forward | Effort::Unsplit => {
            let mut enc = crate::encoder(program);
            let walk = walk_from(&mut enc, func, edge);
            forward::states(&mut enc, walk, end)
        }
    };
    let predicates = backward::predicates(program, end, &core, effort, &known);
    let mut steps: Vec<usize> = core.iter().map(|&(i, _)| start + i).collect();
    steps.dedup();
    Some(Infeasible { core: steps, without, predicates })
}

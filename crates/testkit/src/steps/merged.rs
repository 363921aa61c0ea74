//! Loop-free blocks over memory: states of paths that meet are merged, with objects that were allocated, freed, begun or
//! ended on some of the paths only, and pointers that may point to several of them.
//!
//! - Whatever a run does between two cut points is among what the block's formula allows, with the run's addresses, values and
//!   bytes at both ends ([`contained`]). The maps about the lifetime of objects are bound too, and what the formula says of the
//!   pointers' objects at the end must fit what the interpreter says.
//! - From the start of the program, the merged formula of a block reaches an end with a value of a variable exactly if the formula of one
//!   of its paths does ([`exact`]). Models of paths are replayed elsewhere ([`crate::replays`]).
//!
//! Sizes of allocations come from inputs as often as not, and allocations fail.

use analysis::Analysis;
use std::collections::BTreeMap;

use base::rng::Rng;
use ir::random::Knobs;
use ir::{EdgeId, Expr, ExprKind, FuncId, Loc, ObjectPredicate, Program, Ty, Ub, UbPolicy, Var};
use logic::{Answer, Term, check_sat};
use pointsto::Object;
use vc::block::{BlockError, explore};
use vc::path::path_formula;
use vc::{Encoder, Events, Ghost, State};

use super::blocks::{Ends, Segment, cut_points, segments};
use super::bound::equals;
use super::memory::{Moment, Watch, bind, global_bases, watch};
use super::single::CONFLICTS;
use crate::statistics::Statistics;

/// More paths than this through one block are not listed.
const MAX_PATHS: usize = 40;

/// Checks the programs of the seeds `first .. first + count`.
pub fn blocks_memory(first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for seed in first..first + count {
        one(seed, &mut stats).map_err(|e| format!("seed {seed}: {e}"))?;
    }
    Ok(stats)
}

fn one(seed: u64, stats: &mut Statistics) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let functions = if seed.is_multiple_of(3) { 3 } else { 1 };
    let knobs =
        Knobs { functions, statements: 9, memory: true, dense: true, odd_widths: false, depth: 2, ..Knobs::default() };
    let mut program = ir::random::program(&mut rng, &knobs);
    for ub in [Ub::NullDeref, Ub::OutOfBounds, Ub::UseAfterFree, Ub::ConstWrite, Ub::BadFree] {
        program.ub.set(ub, UbPolicy::AssumedAway);
    }
    stats.add("programs", 1);
    let analysis = Analysis::new(&program);
    let wrong = |e| format!("{e}\n{}", ir::text::print(&program));
    for k in 0..3 {
        let watch = watch(&analysis, seed * 4 + k, 80);
        contained(&analysis, &watch, &mut rng, stats).map_err(|e| wrong(format!("run {k}: {e}")))?;
    }
    if functions == 1 {
        exact(&analysis, &mut rng, stats).map_err(wrong)?;
    }
    Ok(())
}

/// The formula of a block.
struct Block<'p> {
    enc: Encoder<'p>,
    begin: State,
    ends: Vec<(EdgeId, Term, State)>,
}

fn block<'a>(analysis: &'a Analysis<'a>, func: FuncId, start: Loc, events: Events) -> Option<Block<'a>> {
    let program = analysis.program;
    let mut enc = Encoder::new(analysis, events);
    let mut begin = enc.arbitrary_at(func, start);
    let f = &program.functions[func];
    if f.body.as_ref().is_some_and(|b| b.entry == start) {
        begin = enc.begin(&begin);
    }
    let truth = enc.store.bool(true);
    let mut ends = Ends::default();
    explore(&mut enc, start, begin.clone(), truth, cut_points(program, func), &mut ends).ok()?;
    Some(Block { enc, begin, ends: ends.0 })
}

/// The segments of a run are models of their blocks.
fn contained(analysis: &Analysis<'_>, watch: &Watch<'_>, rng: &mut Rng, stats: &mut Statistics) -> Result<(), String> {
    let mut blocks: BTreeMap<(FuncId, Loc, bool), Option<Block<'_>>> = BTreeMap::new();
    for s in segments(analysis.program, watch.moments()) {
        let events_end = rng.chance(50);
        let events = if events_end { Events::End } else { Events::GoOn };
        let key = (s.func, s.start, events_end);
        let block = blocks.entry(key).or_insert_with(|| block(analysis, s.func, s.start, events));
        let Some(block) = block else {
            stats.add("blocks not modelled", 1);
            continue;
        };
        segment(block, &s, watch, stats)
            .map_err(|e| format!("the block from {} of {} to {}: {e}", s.start, s.func, s.edge))?;
    }
    Ok(())
}

fn segment(
    block: &mut Block<'_>,
    s: &Segment<'_, Moment>,
    watch: &Watch<'_>,
    stats: &mut Statistics,
) -> Result<(), String> {
    let Some(&(_, condition, ref end)) = block.ends.iter().find(|(e, ..)| *e == s.edge) else {
        return Err("the block does not lead there".into());
    };
    let enc = &mut block.enc;
    let mut terms = vec![condition];
    terms.extend(global_bases(enc, watch));
    terms.extend(bind(enc, &block.begin, s.pre, watch, stats));
    terms.extend(lifetimes(enc, &block.begin, s.pre, watch));
    if let Some(post) = s.post {
        terms.extend(bind(enc, end, post, watch, stats));
        terms.extend(lifetimes(enc, end, post, watch));
        terms.extend(answers(enc, end, post, stats));
    }
    match check_sat(&enc.store, &terms, CONFLICTS) {
        Answer::Sat(_) => stats.add("blocks", 1),
        Answer::Unsat(core) => {
            let show: Vec<String> = core.iter().take(8).map(|&i| logic::smtlib::term(&enc.store, terms[i])).collect();
            return Err(format!("the formula does not allow what the run did:\n{}", show.join("\n")));
        }
        Answer::Unknown(_) => stats.add("questions not decided", 1),
    }
    Ok(())
}

/// What the maps about the lifetime of objects say of those that the run has made by then.
pub(super) fn lifetimes(enc: &mut Encoder<'_>, state: &State, moment: &Moment, watch: &Watch<'_>) -> Vec<Term> {
    let ghosts = [Ghost::Owner, Ghost::Size, Ghost::Freed].map(|g| state.ghost(g));
    let [Some(owner), Some(sizes), Some(freed)] = ghosts else { return Vec::new() };
    let width = u32::from(enc.program.model.ptr_width());
    let mut terms = Vec::new();
    for (n, alive) in &moment.alive {
        let Some(&(object, base)) = watch.objects.get(n) else { continue };
        if !followed(enc.program, object) {
            continue;
        }
        let size = watch.sizes[n];
        let at = enc.store.bv(width, base);
        for i in [0, 1, size / 2, size.saturating_sub(1)].into_iter().filter(|&i| i < size) {
            let byte = enc.store.bv(width, base + i);
            let owned = enc.store.select(owner, byte);
            terms.push(equals(&mut enc.store, owned, u128::from(base)));
        }
        let (known, ended) = (enc.store.select(sizes, at), enc.store.select(freed, at));
        terms.push(equals(&mut enc.store, known, u128::from(size)));
        terms.push(equals(&mut enc.store, ended, u128::from(!alive)));
    }
    terms.retain(|&t| enc.store.bool_of(t) != Some(true));
    terms
}

/// Whether the maps follow an object whatever pointers there are: an allocation, or a local that begins.
fn followed(program: &Program, object: Object) -> bool {
    match object {
        Object::Site(_) => true,
        Object::Local(f, l) => ir::lifetimes::begun(&program.functions[f]).contains(&l),
        Object::Ext | Object::Global(_) | Object::Func(_) => false,
    }
}

/// What the formula answers about the pointers' objects: a yes must be one of the interpreter's.
fn answers(enc: &mut Encoder<'_>, state: &State, moment: &Moment, stats: &mut Statistics) -> Vec<Term> {
    let mut terms = Vec::new();
    for &(var, predicate, yes) in &moment.answers {
        let expr = Expr { ty: Ty::Bool, kind: ExprKind::ObjectPredicate(predicate, Box::new(Expr::var(var, Ty::Ptr))) };
        if yes {
            continue;
        }
        if let Ok(term) = enc.eval(state, &expr) {
            terms.push(enc.store.not(term));
            stats.add("object predicates", 1);
        }
    }
    terms
}

/// The questions that are asked of a pointer.
pub(super) const OBJECT_PREDICATES: [ObjectPredicate; 2] = [ObjectPredicate::Alive, ObjectPredicate::InBounds(1)];

/// The first block of the program, merged and path by path.
fn exact(analysis: &Analysis<'_>, rng: &mut Rng, stats: &mut Statistics) -> Result<(), String> {
    let program = analysis.program;
    let body = program.body(program.entry);
    let is_cut = cut_points(program, program.entry);
    let Some(paths) = paths(body, &is_cut) else { return Ok(()) };
    let mut enc = Encoder::for_proof(analysis);
    // A path goes through what it calls, a block does not.
    if body.edges.iter().any(|e| enc.callee(e).is_some()) {
        return Ok(());
    }
    let (begin, _) = enc.initial();
    let truth = enc.store.bool(true);
    let mut ends = Ends::default();
    let explored: Result<(), BlockError> = explore(&mut enc, body.entry, begin, truth, &is_cut, &mut ends);
    if explored.is_err() {
        return Ok(());
    }
    for (edge, condition, state) in ends.0 {
        let mut terms = vec![condition];
        let before = check_sat(&enc.store, &terms, CONFLICTS);
        let own = paths.iter().filter(|p| p.last() == Some(&edge));
        let mut value = None;
        if let Answer::Sat(model) = &before {
            // A value that the merged formula allows.
            let locals = program.functions[program.entry].locals.ids();
            let scalars: Vec<(Var, Term)> = locals
                .map(Var::Local)
                .filter_map(|v| Some((v, state.get(v)?)))
                .filter(|(_, t)| enc.store.sort(*t) != logic::Sort::Bool)
                .collect();
            if !scalars.is_empty() {
                let (var, term) = *rng.pick(&scalars);
                let bits = model.bits(&enc.store, term).to_u128().unwrap_or(0);
                terms.push(equals(&mut enc.store, term, bits));
                // A model says nothing of symbols that do not occur.
                if matches!(check_sat(&enc.store, &terms, CONFLICTS), Answer::Sat(_)) {
                    value = Some((var, bits));
                }
            }
        }
        let merged = matches!(before, Answer::Sat(_));
        let mut single = Vec::new();
        for path in own {
            single.push(along(analysis, path, value)?);
        }
        if matches!(before, Answer::Unknown(_)) || single.contains(&None) {
            stats.add("questions not decided", 1);
            continue;
        }
        let some = single.contains(&Some(true));
        if merged != some {
            let word = if merged { "reaches" } else { "does not reach" };
            return Err(format!("the merged block {word} {edge} with {value:?}, its paths say otherwise"));
        }
        stats.add(if merged { "ends reached" } else { "ends not reached" }, 1);
    }
    Ok(())
}

/// Whether a path from the start of the program can be taken, with this value of a variable behind it; `None` if that is not
/// decided.
fn along(analysis: &Analysis<'_>, path: &[EdgeId], value: Option<(Var, u128)>) -> Result<Option<bool>, String> {
    let program = analysis.program;
    let mut enc = Encoder::for_proof(analysis);
    let path: Vec<(FuncId, EdgeId)> = path.iter().map(|&e| (program.entry, e)).collect();
    let Ok(formula) = path_formula(&mut enc, &path) else { return Err("a path of a block has no formula".into()) };
    let mut terms: Vec<Term> =
        formula.steps.iter().flat_map(|s| s.effects.assumptions.iter().map(|a| a.term)).collect();
    if let Some((var, bits)) = value
        && let Some(term) = formula.end.state.get(var)
    {
        terms.push(equals(&mut enc.store, term, bits));
    }
    Ok(match check_sat(&enc.store, &terms, CONFLICTS) {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => Some(false),
        Answer::Unknown(_) => None,
    })
}

/// All paths of the block at the entry, each to its last edge; `None` if there are too many.
fn paths(body: &ir::Body, is_cut: &impl Fn(Loc) -> bool) -> Option<Vec<Vec<EdgeId>>> {
    let mut done = Vec::new();
    let mut open = vec![(body.entry, Vec::new())];
    while let Some((at, path)) = open.pop() {
        for (id, edge) in body.edges.iter_enumerated().filter(|(_, e)| e.from == at) {
            let mut longer: Vec<EdgeId> = path.clone();
            longer.push(id);
            match edge.to {
                Some(to) if !is_cut(to) => open.push((to, longer)),
                _ => done.push(longer),
            }
        }
        if done.len() + open.len() > MAX_PATHS {
            return None;
        }
    }
    Some(done)
}

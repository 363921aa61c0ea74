//! What certify's rule of unwinding builds on: whatever a run does between two cut points - locations of activations that are named by the
//! calls which make them - is among what the unwinding from the first of them allows.
//!
//! Cut points are any places that a run comes to, in whatever activation. Each block begins in an arbitrary state of the whole stack
//! ([`Encoder::arbitrary_within`]) that is bound to the run's - locals and addresses of all activations, memory, lifetimes of objects - or
//! at the start of the program. Sometimes the block is told what some variables are worth, as a claim does ([`Encoder::settle_in`]). Its
//! ends at the next cut point of the run must allow the run's state there, again with the whole stack.

use analysis::Analysis;
use std::collections::BTreeSet;

use base::rng::Rng;
use ir::interp::Step;
use ir::random::Knobs;
use ir::{Address, BinOp, Callee, DataModel, EdgeId, Expr, FuncId, Label, Op, Place, Program, Ty, Ub, UbPolicy, Var};
use logic::{Answer, Term, check_sat};
use pointsto::{Object, Query};
use vc::unwinding::{CutPoint, EndKind, Guide, Passing, start, unwind};
use vc::{Encoder, Events, State};

use super::blocks::When;
use super::memory::{Moment, Watch, bind, global_bases, watch};
use super::merged::lifetimes;
use super::single::CONFLICTS;
use crate::compile::compile;
use crate::statistics::Statistics;

/// The most edges of one block, the most rounds of one loop, and the most activations of one function that wait.
const EDGES: u32 = 400;
const ROUNDS: u32 = 3;

/// The most blocks of one run that are checked.
const MOST_BLOCKS: usize = 6;

/// Checks the programs of the seeds `first .. first + count`: random IR over memory and C about pointers by turns.
pub fn stacked(first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for seed in first..first + count {
        one(seed, &mut stats).map_err(|e| format!("seed {seed}: {e}"))?;
    }
    Ok(stats)
}

fn one(seed: u64, stats: &mut Statistics) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let mut program = if seed.is_multiple_of(3) {
        let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let text = crate::pointers::draft(seed, model).draft.unchecked();
        compile("program.c", &text, model, &lower::Options::default())?.program
    } else {
        let statements = if seed % 3 == 1 { 2 } else { 5 };
        let knobs = Knobs {
            functions: 4,
            statements,
            memory: true,
            dense: true,
            odd_widths: false,
            depth: 2,
            ..Knobs::default()
        };
        ir::random::program(&mut rng, &knobs)
    };
    for ub in [Ub::NullDeref, Ub::OutOfBounds, Ub::UseAfterFree, Ub::ConstWrite, Ub::BadFree] {
        program.ub.set(ub, UbPolicy::AssumedAway);
    }
    stats.add("programs", 1);
    let analysis = Analysis::new(&program);
    for k in 0..2 {
        let watch = watch(&analysis, seed * 4 + k, 120);
        run(&analysis, &watch, &mut rng, stats).map_err(|e| format!("run {k}: {e}\n{}", ir::text::print(&program)))?;
    }
    Ok(())
}

/// Goes on for a few rounds.
struct Few {
    edges: u32,
}

impl Guide for Few {
    fn afford(&mut self, _: &Encoder<'_>) -> bool {
        self.edges = self.edges.saturating_sub(1);
        self.edges > 0
    }

    fn go_on(&mut self, _: &mut Encoder<'_>, passing: &Passing) -> bool {
        passing.round <= ROUNDS
    }
}

/// The activations of a run at one of its steps, the newest last: the call that made each, and what is known of each - of one that
/// waits, when it began to.
#[derive(Clone)]
struct Stack<'r> {
    calls: Vec<EdgeId>,
    moments: Vec<&'r Moment>,
    step: Step,
}

impl Stack<'_> {
    fn place(&self, program: &Program) -> CutPoint {
        CutPoint { calls: self.calls.clone(), at: program.body(self.step.func).edges[self.step.edge].from }
    }
}

/// The stacks before each step.
fn stacks<'r>(watch: &'r Watch<'_>) -> Vec<Stack<'r>> {
    let mut all: Vec<Stack<'r>> = Vec::new();
    let mut open: Vec<(Step, &'r Moment)> = Vec::new();
    for (when, step, _, moment) in watch.moments() {
        if when != When::Before {
            continue;
        }
        open.truncate(step.depth);
        open.push((step, moment));
        let calls = open[..step.depth].iter().map(|(s, _)| s.edge).collect();
        all.push(Stack { calls, moments: open.iter().map(|(_, m)| *m).collect(), step });
    }
    all
}

fn is_called(program: &Program, func: FuncId) -> bool {
    let edges = program.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| b.edges.iter());
    let mut calls = edges.filter_map(|e| if let Op::Call(c) = &e.op { Some(&c.callee) } else { None });
    calls.any(|c| matches!(c, Callee::Direct(f) if *f == func) || !matches!(c, Callee::Direct(_)))
}

fn run(analysis: &Analysis<'_>, watch: &Watch<'_>, rng: &mut Rng, stats: &mut Statistics) -> Result<(), String> {
    let program = analysis.program;
    let stacks = stacks(watch);
    let cuts: BTreeSet<CutPoint> = match is_called(program, program.entry) {
        true => BTreeSet::new(),
        false => {
            let (below, inside) = *rng.pick(&[(4, 40), (10, 60), (30, 30)]);
            let chosen = stacks.iter().skip(1).filter(|s| rng.chance(if s.calls.is_empty() { below } else { inside }));
            chosen.map(|s| s.place(program)).collect()
        }
    };
    let mut from: Option<&Stack<'_>> = None;
    let mut blocks = 0;
    for (i, here) in stacks.iter().enumerate().skip(1) {
        let is_last = i + 1 == stacks.len();
        let ends = is_last && matches!(program.body(here.step.func).edges[here.step.edge].op, Op::Error(_));
        if !cuts.contains(&here.place(program)) && !ends {
            continue;
        }
        let inside = from.is_some_and(|s| !s.calls.is_empty()) || !here.calls.is_empty();
        if blocks < MOST_BLOCKS && rng.chance(if inside { 100 } else { 30 }) {
            blocks += 1;
            let begin = from.map_or_else(|| "the start".into(), |s| format!("{:?}", s.place(program)));
            block(analysis, watch, (from, here), &cuts, rng, stats)
                .map_err(|e| format!("from {begin} to {:?}, step {}: {e}", here.place(program), here.step.index))?;
        }
        from = Some(here);
    }
    Ok(())
}

/// What a run did from one cut point, or its start, to the next, or to the edge of an error.
fn block(
    analysis: &Analysis<'_>,
    watch: &Watch<'_>,
    (from, to): (Option<&Stack<'_>>, &Stack<'_>),
    cuts: &BTreeSet<CutPoint>,
    rng: &mut Rng,
    stats: &mut Statistics,
) -> Result<(), String> {
    let program = analysis.program;
    let mut enc = Encoder::new(analysis, if rng.chance(50) { Events::End } else { Events::GoOn });
    let truth = enc.store.bool(true);
    let (at, state, mut begin) = match from {
        None => (program.body(program.entry).entry, start(&mut enc), Vec::new()),
        Some(stack) => {
            let place = stack.place(program);
            let mut state =
                enc.arbitrary_within(&place.calls, place.at).ok_or("the calls do not follow one another")?;
            let mut terms = bound(&mut enc, &state, stack, watch, stats);
            if rng.chance(60) {
                settle(&mut enc, &mut state, stack, watch, rng, &mut terms, stats)?;
            }
            (place.at, state, terms)
        }
    };
    begin.extend(global_bases(&mut enc, watch));
    let hypothesis = if rng.chance(50) { enc.store.and_all(begin.iter().copied()) } else { truth };
    if enc.store.bool_of(hypothesis) == Some(false) {
        return Err("the block's beginning does not allow the run's state".into());
    }
    let unwound = unwind(&mut enc, at, state, hypothesis, cuts, &mut Few { edges: EDGES });
    let goal = to.place(program);
    let error = (to.step.func, to.step.edge);
    let (mut ways, mut open) = (Vec::new(), Vec::new());
    for end in unwound.ends {
        match end.kind {
            EndKind::CutPoint(cut, state) if cut == goal => {
                let mut terms = bound(&mut enc, &state, to, watch, stats);
                terms.push(end.condition);
                ways.push(enc.store.and_all(terms));
            }
            EndKind::Target if end.edge.map(|e| (end.func, e)) == Some(error) => ways.push(end.condition),
            EndKind::Stopped(_) | EndKind::Exhausted | EndKind::Unmodelled(_) => open.push(end.condition),
            _ => {}
        }
    }
    let reached = enc.store.or_all(ways);
    let mut terms = begin.clone();
    terms.push(reached);
    match check_sat(&enc.store, &terms, CONFLICTS) {
        Answer::Sat(_) => {
            stats.add("blocks", 1);
            let inside = from.is_some_and(|s| !s.calls.is_empty());
            stats.add("blocks that begin in a callee", u64::from(inside));
            stats.add("blocks that end in a callee", u64::from(!to.calls.is_empty()));
            stats.add("blocks that return", u64::from(from.is_some_and(|s| s.calls.len() > to.calls.len())));
            return Ok(());
        }
        Answer::Unknown(_) => {
            stats.add("questions not decided", 1);
            return Ok(());
        }
        Answer::Unsat(_) => {}
    }
    // The run may have gone further than the unwinding.
    terms.pop();
    let stopped = enc.store.or_all(open);
    terms.push(stopped);
    match check_sat(&enc.store, &terms, CONFLICTS) {
        Answer::Sat(_) => stats.add("blocks not followed", 1),
        Answer::Unknown(_) => stats.add("questions not decided", 1),
        Answer::Unsat(_) => return Err("the unwinding does not allow what the run did".into()),
    }
    Ok(())
}

/// What it means that a symbolic state, all activations that wait included, is the run's.
fn bound(
    enc: &mut Encoder<'_>,
    state: &State,
    stack: &Stack<'_>,
    watch: &Watch<'_>,
    stats: &mut Statistics,
) -> Vec<Term> {
    let mut terms = Vec::new();
    let newest = *stack.moments.last().expect("a run stands in an activation");
    for (out, moment) in stack.moments.iter().rev().enumerate() {
        let Some(seen) = state.seen_from(out as u32) else { continue };
        terms.extend(bind(enc, &seen, &newest.seen_by(moment), watch, stats));
    }
    terms.extend(lifetimes(enc, state, newest, watch));
    terms.retain(|&t| enc.store.bool_of(t) != Some(true));
    terms
}

/// Tells a state what some of its integers are worth, which it is bound to be worth.
fn settle(
    enc: &mut Encoder<'_>,
    state: &mut State,
    stack: &Stack<'_>,
    watch: &Watch<'_>,
    rng: &mut Rng,
    terms: &mut Vec<Term>,
    stats: &mut Statistics,
) -> Result<(), String> {
    let program = enc.program;
    let newest = *stack.moments.last().expect("a run stands in an activation");
    for (out, moment) in stack.moments.iter().rev().enumerate() {
        let f = &program.functions[moment.func()];
        let vars = program.globals.ids().map(Var::Global).chain(f.locals.ids().map(Var::Local));
        for var in vars.filter(|_| rng.chance(30)).collect::<Vec<_>>() {
            let Some(ty @ Ty::Int(_)) = program.shape(moment.func(), var).scalar() else { continue };
            let seen = newest.seen_by(moment);
            let object = Query::object(moment.func(), var);
            let Some(value) = seen.scalar(var).or_else(|| in_memory(&seen, watch, object, var, ty, program)) else {
                continue;
            };
            let place = Place { addr: Address::var(var), ty, bits: None, label: Label::default() };
            let claim = Expr::binary(BinOp::Eq, Expr::read(place), Expr::constant(ty, value));
            let Some(view) = state.seen_from(out as u32) else { continue };
            let Ok(term) = enc.eval(&view, &claim) else { continue };
            terms.push(term);
            enc.settle_in(state, out as u32, &claim);
            let view = state.seen_from(out as u32).ok_or("an activation is gone")?;
            let after = enc.eval(&view, &claim).map_err(|u| u.to_string())?;
            if enc.store.bool_of(after) == Some(true) {
                stats.add("variables settled", 1);
            }
        }
    }
    Ok(())
}

/// The value of a variable that lives in memory.
fn in_memory(moment: &Moment, watch: &Watch<'_>, object: Object, var: Var, ty: Ty, program: &Program) -> Option<u128> {
    let (&n, _) = watch.objects.iter().find(|&(n, &(o, base))| {
        let here = match var {
            Var::Local(l) => moment.base(l) == Some(base),
            Var::Global(_) => true,
        };
        o == object && here && moment.alive.get(n) == Some(&true)
    })?;
    let bytes: Option<Vec<u8>> = (0..ty.size(program.model)).map(|i| moment.byte(n, i)).collect();
    Some(bytes?.iter().rev().fold(0, |v, &b| v << 8 | u128::from(b)))
}

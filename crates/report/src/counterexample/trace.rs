//! Tells a run: repeats it in the interpreter and writes down what a person wants to see.
//!
//! Two runs: the first notes which edges were taken, from which the lines of the report are made and the ones to be told
//! are chosen; the second collects the values of those. So a run of millions of steps costs no more than the lines kept.
//!
//! A line of the report is a sequence of steps of one activation on one line of the source, in which no edge occurs twice.

use super::abridge::{Round, abridge, ends};
use super::inputs::NotedTape;
use super::pointees::Blocks;
use super::values_seen::ValueCollector;
use super::{RunReport, names, pointees};
use crate::{ProgramText, RulePart};
use certify::Counterexample;
use ir::cfg::Graph;
use ir::interp::{self, End, Execution, Inputs, Limits, Observer, StateView, Step, Tape, Unobserved};
use ir::{EdgeId, FuncId, Op, Path, Source, Ub, UbPolicy};
use std::collections::BTreeMap;

/// Lines that are shown of a long report, if not all are asked for.
const MOST_LINES: usize = 60;

/// Lines that are shown if all are asked for: more would cost the memory that the answer needs.
const MOST_LINES_OF_ALL: usize = 200_000;

/// Inputs at each end of a long list.
const MOST_INPUTS: usize = 15;

/// Steps of the run that are looked at, at each end.
const WINDOW: u64 = 1_000_000;

/// Places at which a signed value wrapped that are named.
const MOST_WRAPS: usize = 5;

/// A counterexample's report, and the end of its run in one line: "assertion `x > 0` fails at a.c:3:5".
pub struct CounterexampleReport {
    /// The run.
    pub report: RunReport,
    /// How it ends.
    pub ending: String,
}

/// More than any run that has been replayed before takes.
const NO_LIMITS: Limits = Limits { steps: 1 << 40, memory_bytes: 1 << 34, call_depth: 1 << 26 };

/// Tells a counterexample, all of it if `full` is set.
pub fn describe(source: ProgramText<'_>, cex: &Counterexample, full: bool) -> Result<CounterexampleReport, String> {
    let run = Run { source, path: cex.path.as_ref(), tape: &cex.tape, limits: NO_LIMITS };
    let (report, end) = describe_run(&run, full);
    let End::Error { kind, at: (func, edge) } = &end else {
        return Err(format!("the counterexample ends otherwise: {}", certify::replay::describe(source.program, &end)));
    };
    let only = [(*func, *edge)];
    let place = source.show_last(cex.path.as_ref().map_or(&only[..], |p| &p.edges));
    let ending = format!("{} at {place}", ProgramText::describe_error(kind));
    Ok(CounterexampleReport { report: RunReport { goes_wrong: true, ..report }, ending })
}

/// A run that can be repeated.
pub struct Run<'a> {
    /// The program.
    pub source: ProgramText<'a>,
    /// The edges it takes; otherwise those that are enabled first.
    pub path: Option<&'a Path>,
    /// All its inputs.
    pub tape: &'a Tape,
    /// How far it goes.
    pub limits: Limits,
}

impl Run<'_> {
    fn again<O: Observer>(&self, inputs: &mut dyn Inputs, observer: &mut O) -> Execution {
        match self.path {
            Some(path) => interp::follow(self.source.program, path, inputs, &self.limits, observer),
            None => interp::run(self.source.program, inputs, &self.limits, observer),
        }
    }
}

/// Tells a run, all of it if `full` is set, and says how it ends.
pub fn describe_run(run: &Run<'_>, full: bool) -> (RunReport, End) {
    let steps = match run.path {
        Some(path) => path.edges.len() as u64,
        None => run.again(&mut run.tape.inputs(), &mut Unobserved).steps,
    };
    let mut tracer = Tracer::new(run.source, steps);
    run.again(&mut run.tape.inputs(), &mut tracer);
    let lines = lines(&tracer);
    let rounds: Vec<Round> = lines.iter().map(|l| l.round).collect();
    let kept = if full { ends(lines.len(), MOST_LINES_OF_ALL) } else { abridge(&rounds, MOST_LINES) };
    let blocks = Blocks::default();
    let mut collector = ValueCollector::new(run.source, &tracer, &blocks, &lines, &kept);
    let most = if full { MOST_LINES_OF_ALL } else { MOST_INPUTS };
    let mut inputs = NotedTape::new(run.tape.inputs(), run.source, &blocks, most);
    let end = run.again(&mut inputs, &mut collector).end;
    let (inputs, inputs_left_out) = inputs.finish();
    let remarks = wraps(run.source, &tracer).into_iter().collect();
    let lines = collector.finish(&lines, &kept);
    (RunReport { lines, n_steps: steps, inputs, inputs_left_out, remarks, goes_wrong: false }, end)
}

/// What the report needs to know of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeInfo {
    /// Whether the edge is shown at all, and whether the return from its call is.
    kept: (bool, bool),
    /// It leaves a loop head.
    head: bool,
    /// The file, as an index, and the line.
    pub(super) place: (u32, u32),
    /// It has a guard against signed overflow that is ignored.
    may_wrap: bool,
}

/// What is known of edges, found when they are first needed.
pub(super) struct EdgeTable<'a> {
    source: ProgramText<'a>,
    pub(super) known: BTreeMap<(FuncId, EdgeId), EdgeInfo>,
    pub(super) graphs: BTreeMap<FuncId, Graph>,
    pub(super) files: Vec<String>,
}

impl EdgeTable<'_> {
    fn of(&mut self, func: FuncId, edge: EdgeId) -> EdgeInfo {
        if let Some(info) = self.known.get(&(func, edge)) {
            return *info;
        }
        let e = self.source.edge(func, edge);
        let graph = self.graphs.entry(func).or_insert_with(|| Graph::new(self.source.program.body(func)));
        let at = self.source.map.locate(e.span);
        let file = self.files.iter().position(|f| *f == at.file).unwrap_or_else(|| {
            self.files.push(at.file.clone());
            self.files.len() - 1
        });
        let wraps = |g: &ir::Guard| g.ub == Ub::SignedOverflow;
        let ignored = self.source.program.ub.get(Ub::SignedOverflow) == UbPolicy::Ignored;
        let info = EdgeInfo {
            kept: match self.source.rule_part(func, edge) {
                Some(part) => (is_shown_of_rule(self.source, (func, edge), part), false),
                None if is_event(self.source, func, e) => (true, false),
                None if is_preparation(self.source, func, e) => (false, false),
                None => is_shown(self.source, func, &e.op),
            },
            head: graph.loop_heads[e.from],
            place: (file as u32, at.line),
            may_wrap: ignored && e.guards.iter().any(wraps),
        };
        self.known.insert((func, edge), info);
        info
    }
}

/// Whether a step is the place of an event at which the rule does something.
fn is_event(source: ProgramText<'_>, func: FuncId, edge: &ir::Edge) -> bool {
    let Some(rule) = source.rule.filter(|_| matches!(edge.op, Op::Skip)) else { return false };
    let follows = |e: &ir::Edge| Some(e.from) == edge.to && e.span.file == rule.file;
    source.program.body(func).edges.iter().any(follows)
}

/// Whether a step of a rule is worth telling: what is chosen, that it is met, and what is done then.
fn is_shown_of_rule(source: ProgramText<'_>, (func, edge): (FuncId, EdgeId), part: RulePart) -> bool {
    let e = source.edge(func, edge);
    match part {
        RulePart::Watch => match &e.op {
            // `rule.r.object`, and not what is kept about it.
            Op::Assign(place, _) => match place.as_var() {
                Some(ir::Var::Global(g)) => source.program.globals[g].name.matches('.').count() == 2,
                _ => false,
            },
            _ => false,
        },
        // Of two ways the first is the one where it is met.
        RulePart::Guard => {
            let mut edges = source.program.body(func).edges.iter_enumerated();
            let first = edges.find(|(_, other)| other.from == e.from).map(|(id, _)| id);
            matches!(e.op, Op::Assume(_)) && first == Some(edge)
        }
        RulePart::Alias => false,
        RulePart::Statement => is_shown(source, func, &e.op).0,
    }
}

/// Whether a step only makes ready what the entry function is given: the inputs say what that is.
fn is_preparation(source: ProgramText<'_>, func: FuncId, edge: &ir::Edge) -> bool {
    let program = source.program;
    if func != program.entry || edge.span != program.functions[func].span {
        return false;
    }
    match &edge.op {
        Op::Assign(place, _) => matches!(place.addr.base, ir::Base::Ptr(_)),
        Op::Havoc(_, Source::Outside(name)) => pointees::is_room(name),
        Op::Alloc(alloc) => alloc.dst.as_var().is_some_and(|var| {
            names::variable(program, func, var)
                .is_none_or(|name| pointees::is_given(&program.sites[alloc.site].name, name))
        }),
        _ => false,
    }
}

/// Whether an operation is worth telling when it happens, and when its call returns.
fn is_shown(source: ProgramText<'_>, func: FuncId, op: &Op) -> (bool, bool) {
    let named = |place: &ir::Place| names::may_have(source.program, func, place);
    match op {
        Op::Skip | Op::Havoc(_, Source::Uninit | Source::Padding) | Op::Begin(_) | Op::End(_) | Op::Release(_) => {
            (false, false)
        }
        Op::Assign(place, _) => (named(place), false),
        Op::Call(call) => (true, call.dst.is_some()),
        Op::Return(value) => (value.is_some(), false),
        Op::Assume(_)
        | Op::Havoc(..)
        | Op::Alloc(_)
        | Op::Free(_)
        | Op::SetRange { .. }
        | Op::CopyRange { .. }
        | Op::Error(_)
        | Op::Halt
        | Op::Unsupported(_) => (true, false),
    }
}

/// Something that happened: a step, or the return from the call that a step made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) func: FuncId,
    pub(super) edge: EdgeId,
    pub(super) depth: u32,
    activation: u32,
    back: bool,
}

/// Notes what happened.
pub(super) struct Tracer<'a> {
    pub(super) edges_seen: EdgeTable<'a>,
    pub(super) moments: Vec<Moment>,
    activations: Activations,
    /// Which steps are looked at: before the first number, and from the second on.
    window: (u64, u64),
    /// How many moments came before the steps that were not looked at, if there are any.
    pub(super) skipped_at: Option<(usize, u64)>,
    /// Edges at which a signed value wrapped, in order.
    wrapped: Vec<(FuncId, EdgeId)>,
}

/// The numbers of the open activations.
struct Activations {
    open: Vec<u32>,
    next: u32,
}

impl Activations {
    /// The number of the activation at this depth, of which there may be a new one.
    fn at(&mut self, depth: usize) -> u32 {
        self.open.truncate(depth + 1);
        while self.open.len() <= depth {
            self.open.push(self.next);
            self.next += 1;
        }
        self.open[depth]
    }

    /// A call is about to open an activation above this depth.
    fn close_above(&mut self, depth: usize) {
        self.open.truncate(depth + 1);
    }
}

impl<'a> Tracer<'a> {
    fn new(source: ProgramText<'a>, steps: u64) -> Tracer<'a> {
        let edges_seen = EdgeTable { source, known: BTreeMap::new(), graphs: BTreeMap::new(), files: Vec::new() };
        let activations = Activations { open: Vec::new(), next: 0 };
        let window = (WINDOW, steps.saturating_sub(WINDOW));
        Tracer { edges_seen, moments: Vec::new(), activations, window, skipped_at: None, wrapped: Vec::new() }
    }

    /// Whether the step is looked at.
    fn sees(&self, step: Step) -> bool {
        step.index < self.window.0 || step.index >= self.window.1
    }

    /// Whether a step that was traced, or the return from its call, is a moment.
    pub(super) fn notes(&self, step: Step, back: bool) -> bool {
        let kept = |info: &EdgeInfo| if back { info.kept.1 } else { info.kept.0 };
        self.sees(step) && self.edges_seen.known.get(&(step.func, step.edge)).is_some_and(kept)
    }

    fn note(&mut self, step: Step, back: bool) {
        if !self.sees(step) {
            self.skipped_at.get_or_insert((self.moments.len(), self.window.1 - self.window.0));
            return;
        }
        let info = self.edges_seen.of(step.func, step.edge);
        if if back { info.kept.1 } else { info.kept.0 } {
            let activation = self.activations.at(step.depth);
            let depth = step.depth as u32;
            self.moments.push(Moment { func: step.func, edge: step.edge, depth, activation, back });
        }
    }
}

impl Observer for Tracer<'_> {
    fn before(&mut self, state: &StateView<'_>, step: Step) {
        self.note(step, false);
        self.activations.close_above(step.depth);
        if self.sees(step) && self.edges_seen.of(step.func, step.edge).may_wrap {
            let at = (step.func, step.edge);
            let edge = self.edges_seen.source.edge(step.func, step.edge);
            let mut guards = edge.guards.iter().filter(|g| g.ub == Ub::SignedOverflow);
            let wraps = guards.any(|g| state.eval(&g.cond).is_some_and(|v| !v.is_true()));
            if wraps && !self.wrapped.contains(&at) && self.wrapped.len() <= MOST_WRAPS {
                self.wrapped.push(at);
            }
        }
    }

    fn returned(&mut self, _state: &StateView<'_>, step: Step) {
        self.note(step, true);
    }
}

/// A line of the report: moments `from..to`.
pub(super) struct Line {
    pub(super) from: usize,
    pub(super) to: usize,
    round: Round,
}

/// Puts moments together to lines.
fn lines(tracer: &Tracer<'_>) -> Vec<Line> {
    let info = |m: &Moment| tracer.edges_seen.known[&(m.func, m.edge)];
    let mut lines: Vec<Line> = Vec::new();
    let mut edges: Vec<(EdgeId, bool)> = Vec::new();
    for (i, m) in tracer.moments.iter().enumerate() {
        let here = (m.activation, info(m).place);
        let gap = tracer.skipped_at.is_some_and(|(at, _)| at == i);
        let goes_on = i > 0 && !gap && {
            let before = &tracer.moments[i - 1];
            (before.activation, info(before).place) == here && !edges.contains(&(m.edge, m.back))
        };
        if !goes_on {
            lines.push(Line { from: i, to: i, round: None });
            edges.clear();
        }
        edges.push((m.edge, m.back));
        let line = lines.last_mut().expect("a line was just begun");
        line.to = i + 1;
        if info(m).head && !m.back {
            let from = tracer.edges_seen.source.edge(m.func, m.edge).from;
            line.round = line.round.or(Some((m.activation, base::Id::index(from) as u32)));
        }
    }
    lines
}

/// Where signed values wrapped.
fn wraps(source: ProgramText<'_>, tracer: &Tracer<'_>) -> Option<String> {
    let mut places: Vec<String> = tracer.wrapped.iter().map(|(f, e)| source.show_edge(*f, *e)).collect();
    if places.is_empty() {
        return None;
    }
    let more = if places.len() > MOST_WRAPS { " and elsewhere" } else { "" };
    places.truncate(MOST_WRAPS);
    places.dedup();
    Some(format!(
        "a signed value wraps around at {}{more}; C leaves that undefined (see --signed-overflow)",
        places.join(", ")
    ))
}

//! Tells a counterexample: re-runs it in the interpreter and writes down what a person wants to see.
//!
//! Two runs: the first notes which edges were taken, from which the lines of the story are made and the ones to be told
//! are chosen; the second collects the values of those. So a run of millions of steps costs no more than the lines told.
//!
//! A line of the story is a sequence of steps of one activation on one line of the source, in which no edge occurs twice.

use super::abridge::{Round, Told, abridge};
use super::inputs::{NotedTape, call};
use super::{Story, StoryLine, StoryStep, names, values};
use crate::front::Front;
use certify::Counterexample;
use ir::cfg::Graph;
use ir::interp::{self, End, Execution, Inputs, Limits, Observer, State, Step, Unobserved};
use ir::{Callee, EdgeId, FuncId, HavocDst, Op, Source, Ub, UbPolicy, Var};
use std::collections::BTreeMap;

/// Lines that are told of a long story, if not all are asked for.
const MOST_LINES: usize = 60;

/// Inputs at each end of a long list.
const MOST_INPUTS: usize = 15;

/// Steps of the run that are looked at, at each end.
const WINDOW: u64 = 1_000_000;

/// Places at which a signed value wrapped that are named.
const MOST_WRAPS: usize = 5;

/// A story, and the end of its run in one line: "assertion `x > 0` fails at a.c:3:5".
pub(crate) struct Tale {
    pub(crate) story: Story,
    pub(crate) ending: String,
}

/// Tells the counterexample, all of it if `full` is set.
pub(crate) fn tell(front: &Front, cex: &Counterexample, full: bool) -> Result<Tale, String> {
    let steps = match &cex.path {
        Some(path) => path.edges.len() as u64,
        None => rerun(front, cex, u64::MAX, &mut cex.tape.inputs(), &mut Unobserved).steps,
    };
    let mut tracer = Tracer::new(front, steps);
    rerun(front, cex, steps, &mut cex.tape.inputs(), &mut tracer);
    let lines = lines(&tracer);
    let rounds: Vec<Round> = lines.iter().map(|l| l.round).collect();
    let told = if full { (0..lines.len()).map(Told::Line).collect() } else { abridge(&rounds, MOST_LINES) };
    let mut teller = Teller::new(front, &tracer, &lines, &told);
    let mut inputs = NotedTape::new(cex.tape.inputs(), front, if full { usize::MAX } else { MOST_INPUTS });
    let end = rerun(front, cex, steps, &mut inputs, &mut teller).end;
    let End::Error { kind, at: (func, edge) } = &end else {
        return Err(format!("the counterexample ends otherwise: {}", certify::replay::describe(&front.program, &end)));
    };
    let (inputs, inputs_left_out) = inputs.finish();
    let ending = Front::describe_error(kind);
    let mut story = Story { inputs, inputs_left_out, ..Story::default() };
    story.remarks.extend(wraps(front, &tracer));
    story.lines = teller.finish(&lines, &told, tracer.skipped_at);
    story.n_steps = steps;
    Ok(Tale { story, ending: format!("{ending} at {}", front.show_edge(*func, *edge)) })
}

fn rerun<O: Observer>(
    front: &Front,
    cex: &Counterexample,
    steps: u64,
    inputs: &mut dyn Inputs,
    observer: &mut O,
) -> Execution {
    // The run has been replayed before: it is known to end.
    let limits = Limits { steps: steps.saturating_mul(2).max(1 << 40), memory_bytes: 1 << 34, call_depth: 1 << 26 };
    match &cex.path {
        Some(path) => interp::follow(&front.program, path, inputs, &limits, observer),
        None => interp::run(&front.program, inputs, &limits, observer),
    }
}

/// What the story needs to know of an edge.
#[derive(Clone, Copy, Debug)]
struct Fact {
    /// Whether the edge is told at all, and whether the return from its call is.
    told: (bool, bool),
    /// It leaves a loop head.
    head: bool,
    /// The file, as an index, and the line.
    place: (u32, u32),
    /// It has a guard against signed overflow that is ignored.
    may_wrap: bool,
}

/// Facts of edges, found when they are first needed.
struct Facts<'a> {
    front: &'a Front,
    known: BTreeMap<(FuncId, EdgeId), Fact>,
    graphs: BTreeMap<FuncId, Graph>,
    files: Vec<String>,
}

impl Facts<'_> {
    fn of(&mut self, func: FuncId, edge: EdgeId) -> Fact {
        if let Some(fact) = self.known.get(&(func, edge)) {
            return *fact;
        }
        let e = self.front.edge(func, edge);
        let graph = self.graphs.entry(func).or_insert_with(|| {
            Graph::new(self.front.program.functions[func].body.as_ref().expect("a run takes edges of bodies"))
        });
        let at = self.front.map.locate(e.span);
        let file = self.files.iter().position(|f| *f == at.file).unwrap_or_else(|| {
            self.files.push(at.file.clone());
            self.files.len() - 1
        });
        let wraps = |g: &ir::Guard| g.ub == Ub::SignedOverflow;
        let ignored = self.front.program.ub.get(Ub::SignedOverflow) == UbPolicy::Ignored;
        let fact = Fact {
            told: is_told(self.front, func, &e.op),
            head: graph.loop_heads[e.from],
            place: (file as u32, at.line),
            may_wrap: ignored && e.guards.iter().any(wraps),
        };
        self.known.insert((func, edge), fact);
        fact
    }
}

/// Whether an operation is worth telling when it happens, and when its call returns.
fn is_told(front: &Front, func: FuncId, op: &Op) -> (bool, bool) {
    let named = |place: &ir::Place| names::place(&front.program, func, place).is_some();
    match op {
        Op::Skip | Op::Havoc(_, Source::Uninit) => (false, false),
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
struct Moment {
    func: FuncId,
    edge: EdgeId,
    depth: u32,
    activation: u32,
    back: bool,
}

/// Notes what happened.
struct Tracer<'a> {
    facts: Facts<'a>,
    moments: Vec<Moment>,
    activations: Activations,
    /// Which steps are looked at: before the first number, and from the second on.
    window: (u64, u64),
    /// How many moments came before the steps that were not looked at, if there are any.
    skipped_at: Option<(usize, u64)>,
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
    fn new(front: &'a Front, steps: u64) -> Tracer<'a> {
        let facts = Facts { front, known: BTreeMap::new(), graphs: BTreeMap::new(), files: Vec::new() };
        let activations = Activations { open: Vec::new(), next: 0 };
        let window = (WINDOW, steps.saturating_sub(WINDOW));
        Tracer { facts, moments: Vec::new(), activations, window, skipped_at: None, wrapped: Vec::new() }
    }

    /// Whether the step is looked at.
    fn sees(&self, step: Step) -> bool {
        step.index < self.window.0 || step.index >= self.window.1
    }

    fn note(&mut self, step: Step, back: bool) {
        if !self.sees(step) {
            self.skipped_at.get_or_insert((self.moments.len(), self.window.1 - self.window.0));
            return;
        }
        let fact = self.facts.of(step.func, step.edge);
        if if back { fact.told.1 } else { fact.told.0 } {
            let activation = self.activations.at(step.depth);
            let depth = step.depth as u32;
            self.moments.push(Moment { func: step.func, edge: step.edge, depth, activation, back });
        }
    }
}

impl Observer for Tracer<'_> {
    fn before(&mut self, state: &State<'_>, step: Step) {
        self.note(step, false);
        self.activations.close_above(step.depth);
        if self.sees(step) && self.facts.of(step.func, step.edge).may_wrap {
            let at = (step.func, step.edge);
            let edge = self.facts.front.edge(step.func, step.edge);
            let mut guards = edge.guards.iter().filter(|g| g.ub == Ub::SignedOverflow);
            let wraps = guards.any(|g| state.eval(&g.cond).is_some_and(|v| !v.is_true()));
            if wraps && !self.wrapped.contains(&at) && self.wrapped.len() <= MOST_WRAPS {
                self.wrapped.push(at);
            }
        }
    }

    fn returned(&mut self, _state: &State<'_>, step: Step) {
        self.note(step, true);
    }
}

/// A line of the story: moments `from..to`.
struct Line {
    from: usize,
    to: usize,
    round: Round,
}

/// Puts moments together to lines.
fn lines(tracer: &Tracer<'_>) -> Vec<Line> {
    let fact = |m: &Moment| tracer.facts.known[&(m.func, m.edge)];
    let mut lines: Vec<Line> = Vec::new();
    let mut edges: Vec<(EdgeId, bool)> = Vec::new();
    for (i, m) in tracer.moments.iter().enumerate() {
        let here = (m.activation, fact(m).place);
        let gap = tracer.skipped_at.is_some_and(|(at, _)| at == i);
        let goes_on = i > 0 && !gap && {
            let before = &tracer.moments[i - 1];
            (before.activation, fact(before).place) == here && !edges.contains(&(m.edge, m.back))
        };
        if !goes_on {
            lines.push(Line { from: i, to: i, round: None });
            edges.clear();
        }
        edges.push((m.edge, m.back));
        let line = lines.last_mut().expect("a line was just begun");
        line.to = i + 1;
        if fact(m).head && !m.back {
            let from = tracer.facts.front.edge(m.func, m.edge).from;
            line.round = line.round.or(Some((m.activation, base::Id::index(from) as u32)));
        }
    }
    lines
}

/// Collects the values of the lines that are told.
struct Teller<'a> {
    front: &'a Front,
    tracer: &'a Tracer<'a>,
    /// For each moment the line it belongs to, as an index into `steps`.
    slots: Vec<Option<u32>>,
    steps: Vec<Told1>,
    /// The moment that comes next.
    next: usize,
}

/// A line while it is being told.
#[derive(Default)]
struct Told1 {
    step: StoryStep,
    /// Conditions and whether they held.
    conditions: Vec<(String, &'static str)>,
}

impl<'a> Teller<'a> {
    fn new(front: &'a Front, tracer: &'a Tracer<'a>, lines: &[Line], told: &[Told]) -> Teller<'a> {
        let mut slots = vec![None; tracer.moments.len()];
        let mut steps = Vec::new();
        for t in told {
            let Told::Line(i) = t else { continue };
            let line = &lines[*i];
            let first = &tracer.moments[line.from];
            let (file, number) = tracer.facts.known[&(first.func, first.edge)].place;
            let step = StoryStep {
                depth: first.depth,
                file: tracer.facts.files[file as usize].clone(),
                line: number,
                source_line: front.source_line(front.edge(first.func, first.edge).span),
                ..StoryStep::default()
            };
            slots[line.from..line.to].fill(Some(steps.len() as u32));
            steps.push(Told1 { step, conditions: Vec::new() });
        }
        Teller { front, tracer, slots, steps, next: 0 }
    }

    /// The line that the coming moment is told in. The caller has made sure that it is a moment.
    fn slot(&mut self, step: Step, back: bool) -> Option<usize> {
        if !self.tracer.sees(step) {
            return None;
        }
        let told = self.tracer.facts.known[&(step.func, step.edge)].told;
        if !(if back { told.1 } else { told.0 }) {
            return None;
        }
        self.next += 1;
        self.slots[self.next - 1].map(|s| s as usize)
    }

    /// Notes a value; a later one of the same name replaces it.
    fn value(&mut self, slot: usize, name: String, value: String) {
        let values = &mut self.steps[slot].step.values;
        values.retain(|(n, _)| *n != name);
        values.push((name, value));
    }

    fn text(&mut self, slot: usize, text: &str) {
        let old = &mut self.steps[slot].step.text;
        if !old.is_empty() {
            old.push_str(", ");
        }
        old.push_str(text);
    }

    /// The value of a variable, under the source's name or else under `instead`.
    fn variable(&mut self, state: &State<'_>, slot: usize, func: FuncId, var: Var, instead: Option<String>) {
        let name = names::variable(&self.front.program, func, var).map(str::to_string).or(instead);
        let ty = self.front.program.shape(func, var).scalar();
        if let (Some(name), Some(ty), Some(value)) = (name, ty, state.read(var)) {
            self.value(slot, name, values::show(ty, value));
        }
    }

    fn place(&mut self, state: &State<'_>, slot: usize, func: FuncId, place: &ir::Place, instead: Option<String>) {
        let name = names::place(&self.front.program, func, place).or(instead);
        if let (Some(name), Some(value)) = (name, state.eval(&ir::Expr::read(place.clone()))) {
            self.value(slot, name, values::show(place.ty, value));
        }
    }

    fn branch(&mut self, state: &State<'_>, slot: usize, step: Step, cond: &ir::Expr) {
        let front = self.front;
        let edge = front.edge(step.func, step.edge);
        let siblings = &self.tracer.facts.graphs[&step.func].out[edge.from];
        let same_span = |e: &&EdgeId| front.edge(step.func, **e).span == edge.span;
        let text: String = front.map.text(edge.span).split_whitespace().collect::<Vec<_>>().join(" ");
        match siblings.len() {
            1 => self.text(slot, "assumed"),
            2 if siblings.iter().filter(same_span).count() == 2 => {
                let held = if siblings[0] == step.edge { "true" } else { "false" };
                self.steps[slot].conditions.push((text, held));
            }
            _ => match text.split_once(':') {
                Some((case, _)) if case.starts_with("case") => self.text(slot, case),
                _ => self.text(slot, "no case fits"),
            },
        }
        for (name, place) in names::reads(&front.program, step.func, cond) {
            if let Some(value) = state.eval(&ir::Expr::read(place.clone())) {
                self.value(slot, name, values::show(place.ty, value));
            }
        }
    }

    fn calls(&mut self, state: &State<'_>, slot: usize, call: &ir::Call) {
        let Callee::Direct(callee) = call.callee else {
            self.text(slot, "calls through a pointer");
            return;
        };
        let function = &self.front.program.functions[callee];
        let args: Vec<String> = call
            .args
            .iter()
            .enumerate()
            .map(|(i, arg)| {
                let name = function.params().nth(i).and_then(|p| {
                    names::variable(&self.front.program, callee, Var::Local(p)).filter(|_| function.body.is_some())
                });
                let value = state.eval(arg).map_or("?".to_string(), |v| values::show(arg.ty, v));
                name.map_or(value.clone(), |name| format!("{name} = {value}"))
            })
            .collect();
        let what = if function.body.is_some() { "calls" } else { "calls undefined" };
        self.text(slot, &format!("{what} {}({})", function.name, args.join(", ")));
    }

    /// The lines in order, with gaps where something is left out.
    fn finish(self, lines: &[Line], told: &[Told], skipped_at: Option<(usize, u64)>) -> Vec<StoryLine> {
        let mut steps = self.steps.into_iter();
        let mut skipped = skipped_at;
        let mut out = Vec::new();
        let mut depth = 0;
        for t in told {
            match *t {
                Told::Line(i) => {
                    if let Some((_, n)) = skipped.take_if(|(at, _)| lines[i].from >= *at) {
                        out.push(StoryLine::Gap { depth, text: format!("{n} steps not looked at") });
                    }
                    let told = steps.next().expect("there is a step for each line that is told");
                    depth = told.step.depth;
                    out.push(StoryLine::Step(told.finish()));
                }
                Told::Rounds(n) => out.push(StoryLine::Gap { depth, text: format!("{n} more rounds") }),
                Told::Lines(n) => out.push(StoryLine::Gap { depth: 0, text: format!("{n} lines left out") }),
            }
        }
        out
    }
}

impl Told1 {
    fn finish(mut self) -> StoryStep {
        let conditions = match &self.conditions[..] {
            [] => None,
            [(_, held)] => Some((*held).to_string()),
            several => Some(several.iter().map(|(c, held)| format!("`{c}` {held}")).collect::<Vec<_>>().join(", ")),
        };
        let text = std::mem::take(&mut self.step.text);
        self.step.text =
            conditions.into_iter().chain((!text.is_empty()).then_some(text)).collect::<Vec<_>>().join(", ");
        self.step
    }
}

impl Observer for Teller<'_> {
    fn before(&mut self, state: &State<'_>, step: Step) {
        let Some(slot) = self.slot(step, false) else { return };
        match &self.front.edge(step.func, step.edge).op {
            Op::Assume(cond) => self.branch(state, slot, step, cond),
            Op::Call(call) => self.calls(state, slot, call),
            Op::Return(Some(value)) => {
                if let Some(v) = state.eval(value) {
                    self.text(slot, &format!("returns {}", values::show(value.ty, v)));
                }
            }
            Op::Error(kind) => {
                self.steps[slot].conditions.clear();
                self.text(slot, &Front::describe_error(kind));
            }
            Op::Free(_) => self.text(slot, "frees"),
            Op::Skip
            | Op::Assign(..)
            | Op::Havoc(..)
            | Op::Alloc(_)
            | Op::SetRange { .. }
            | Op::CopyRange { .. }
            | Op::Return(None)
            | Op::Halt
            | Op::Unsupported(_) => {}
        }
    }

    fn after(&mut self, state: &State<'_>, step: Step) {
        // `before` has moved on to the next moment.
        let Some(slot) = self.next.checked_sub(1).and_then(|i| self.slots[i]).map(|s| s as usize) else { return };
        if !self.tracer.sees(step) || !self.tracer.facts.known[&(step.func, step.edge)].told.0 {
            return;
        }
        match &self.front.edge(step.func, step.edge).op {
            Op::Assign(place, _) => self.place(state, slot, step.func, place, None),
            Op::Havoc(HavocDst::Place(place), Source::Nondet(name) | Source::Outside(name)) => {
                self.place(state, slot, step.func, place, Some(call(name)));
            }
            Op::Alloc(alloc) => self.place(state, slot, step.func, &alloc.dst, None),
            Op::Call(c) => {
                if let (Some(dst), Callee::Direct(f)) = (c.dst, &c.callee)
                    && self.front.program.functions[*f].body.is_none()
                {
                    let name = call(&self.front.program.functions[*f].name);
                    self.variable(state, slot, step.func, dst, Some(name));
                }
            }
            Op::Skip
            | Op::Assume(_)
            | Op::Havoc(..)
            | Op::Free(_)
            | Op::SetRange { .. }
            | Op::CopyRange { .. }
            | Op::Return(_)
            | Op::Error(_)
            | Op::Halt
            | Op::Unsupported(_) => {}
        }
    }

    fn returned(&mut self, state: &State<'_>, step: Step) {
        let Some(slot) = self.slot(step, true) else { return };
        if let Op::Call(c) = &self.front.edge(step.func, step.edge).op
            && let Some(dst) = c.dst
        {
            let name = match &c.callee {
                Callee::Direct(f) => call(&self.front.program.functions[*f].name),
                Callee::Indirect(_) => "result".to_string(),
            };
            self.variable(state, slot, step.func, dst, Some(name));
        }
    }
}

/// Where signed values wrapped.
fn wraps(front: &Front, tracer: &Tracer<'_>) -> Option<String> {
    let mut places: Vec<String> = tracer.wrapped.iter().map(|(f, e)| front.show_edge(*f, *e)).collect();
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

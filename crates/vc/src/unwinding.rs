//! Unwinding: everything that can happen from one state on, with calls followed into their callees and loops followed round
//! by round, as one graph whose states are merged where ways meet.
//!
//! Nothing is copied in the program: a followed call is [`Encoder::enter`] and [`Encoder::leave`], a further round of a loop is
//! its steps taken again from the state in which it begins. The locations of an activation are walked in a weak topological order
//! ([`ir::order`]), so each is left once in each round, after all that leads to it. How many rounds, and how deep recursion is
//! followed, a [`Guide`] decides; where it stops there is an end of the kind [`EndKind::Stopped`], and whoever proves something must
//! show that it is not reached.
//!
//! Invariants. *Complete*: every execution from the start goes along the ways of the graph until it meets an end (or the run
//! ends), and the conditions and states on its way are true of it. *Exclusive*: of the ways out of a node at most one has a
//! condition that holds, in every assignment of the symbols; so a model selects one path ([`Unwinding::path`]).
//!
//! An unwinding ends at cut points. A [`CutPoint`] names an activation by the calls that make it, so a loop in a callee has one for
//! every way of calls to it, and what waits further out is part of its state. An unwinding that begins there goes on, when the
//! activation returns, in the one that waits for it.
//!
//! The condition of a node is kept as a chain of what was assumed ([`Condition`]): where two ways meet, only what they do not
//! share decides between their states, and what either of them assumed alone is often all that there is, so that it vanishes.

use crate::state::State;
use crate::step::Encoder;
use analysis::Unmodelled;
use base::sabotage::{self, Fault};
use base::{Id, IndexVec, define_id};
use ir::cfg::Graph;
use ir::order::{Element, weak_order};
use ir::{Edge, EdgeId, FuncId, Loc, Op, Path};
use logic::{Model, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Recursion that constants decide is followed to this depth without a question.
const MOST_CERTAIN: u32 = 200;

/// So many of the newest assumptions decide choices.
const MOST_KNOWN: usize = 64;

define_id!(pub NodeId, "node", "A location in one round of one activation.");

/// A location of one activation: of the one that these calls make, the first of them in the entry function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CutPoint {
    /// The calls, the outermost first.
    pub calls: Vec<EdgeId>,
    /// The location, of the function that the last of them calls.
    pub at: Loc,
}

/// Where a loop or recursion could go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passing {
    /// The calls that make the activation.
    pub calls: Rc<[EdgeId]>,
    /// The function of the loop, or the one that is called again.
    pub func: FuncId,
    /// The head of the loop; for recursion, the entry of the function.
    pub head: Loc,
    /// Whether it is recursion.
    pub recursion: bool,
    /// The rounds before this one; for recursion, the activations of the function that wait.
    pub round: u32,
    /// Names the loop's place in the unwinding: the calls and rounds around it.
    pub context: u64,
    /// What holds here.
    pub condition: Term,
    /// In the last round constants alone decided not to leave the loop: going on costs no question.
    pub certain: bool,
}

/// Decides how far an unwinding goes.
pub trait Guide {
    /// Whether one more edge may be taken.
    fn afford(&mut self, enc: &Encoder<'_>) -> bool;

    /// Whether to go on at a loop head that is met again, or with a call of a function that is active.
    fn go_on(&mut self, enc: &mut Encoder<'_>, passing: &Passing) -> bool;
}

/// Goes as far as a script says: how often it is granted to go on where that is not certain, for each loop or recursive call in the
/// order in which they are first asked about. A script is no evidence, only a hint: where it ends there is something to be shown.
pub struct Scripted {
    script: std::vec::IntoIter<u32>,
    granted: FxHashMap<u64, u32>,
    edges: u64,
}

impl Scripted {
    /// Follows `script`, over at most so many edges.
    pub fn new(script: &[u32], edges: u64) -> Scripted {
        Scripted { script: Vec::from(script).into_iter(), granted: FxHashMap::default(), edges }
    }
}

impl Guide for Scripted {
    fn afford(&mut self, _: &Encoder<'_>) -> bool {
        self.edges = self.edges.saturating_sub(1);
        self.edges > 0
    }

    fn go_on(&mut self, _: &mut Encoder<'_>, passing: &Passing) -> bool {
        if passing.certain {
            return true;
        }
        let left = self.granted.entry(passing.context).or_insert_with(|| self.script.next().unwrap_or(0));
        let more = *left > 0;
        *left = left.saturating_sub(1);
        more
    }
}

/// Another guide whose decisions are written down as a script for [`Scripted`].
pub struct Recorder<'g, G> {
    guide: &'g mut G,
    entries: FxHashMap<u64, usize>,
    /// What was decided.
    pub script: Vec<u32>,
}

impl<'g, G: Guide> Recorder<'g, G> {
    /// Writes down what `guide` decides.
    pub fn new(guide: &'g mut G) -> Recorder<'g, G> {
        Recorder { guide, entries: FxHashMap::default(), script: Vec::new() }
    }
}

impl<G: Guide> Guide for Recorder<'_, G> {
    fn afford(&mut self, enc: &Encoder<'_>) -> bool {
        self.guide.afford(enc)
    }

    fn go_on(&mut self, enc: &mut Encoder<'_>, passing: &Passing) -> bool {
        if passing.certain {
            return true;
        }
        let entry = *self.entries.entry(passing.context).or_insert_with(|| {
            self.script.push(0);
            self.script.len() - 1
        });
        let more = self.guide.go_on(enc, passing);
        self.script[entry] += u32::from(more);
        more
    }
}

/// A location in one round of one activation.
#[derive(Clone, Debug)]
pub struct Node {
    /// The function.
    pub func: FuncId,
    /// The location.
    pub at: Loc,
    /// What holds if execution comes here.
    pub condition: Term,
    /// The ways out of it.
    pub ways: Vec<Way>,
}

/// A way out of a node.
#[derive(Clone, Debug)]
pub struct Way {
    /// The edge; none for the return from a followed call.
    pub edge: Option<EdgeId>,
    /// What holds if execution goes this way.
    pub condition: Term,
    /// Where it leads; none where it ends.
    pub to: Option<NodeId>,
}

/// Where an unwinding stops.
#[derive(Clone, Debug)]
pub struct End {
    /// The function.
    pub func: FuncId,
    /// The edge; none where a loop is not followed further.
    pub edge: Option<EdgeId>,
    /// What holds if execution comes here.
    pub condition: Term,
    /// Why it stops.
    pub kind: EndKind,
}

/// Why an unwinding stops.
#[derive(Clone, Debug)]
pub enum EndKind {
    /// The edge is a target.
    Target,
    /// The edge is not supported.
    Unsupported(String),
    /// The edge has no formula.
    Unmodelled(Unmodelled),
    /// The guide did not go on.
    Stopped(Passing),
    /// There was no room for another edge.
    Exhausted,
    /// A cut point is reached.
    CutPoint(CutPoint, Box<State>),
}

/// What can happen, until it ends.
#[derive(Clone, Debug, Default)]
pub struct Unwinding {
    /// The nodes; the first is where it starts.
    pub nodes: IndexVec<NodeId, Node>,
    /// Where it stops.
    pub ends: Vec<End>,
}

impl Unwinding {
    /// The path that a model of one of the ends takes, from the start until it ends, and the condition of its last way.
    pub fn path(&self, enc: &Encoder<'_>, model: &Model) -> Path {
        let mut evaluator = model.evaluator(&enc.store);
        let mut edges = Vec::new();
        let mut at = self.nodes.ids().next();
        while let Some(id) = at {
            let node = &self.nodes[id];
            let Some(way) = node.ways.iter().find(|w| evaluator.eval(w.condition).as_bool()) else { break };
            edges.extend(way.edge.map(|e| (node.func, e)));
            at = way.to;
        }
        Path { edges }
    }

    /// The conditions of the branches on the way that a model takes: with all of them, execution takes the same path.
    pub fn choices(&self, enc: &Encoder<'_>, model: &Model) -> Vec<Term> {
        let mut evaluator = model.evaluator(&enc.store);
        let mut chosen = Vec::new();
        let mut at = self.nodes.ids().next();
        while let Some(id) = at {
            let node = &self.nodes[id];
            let Some(way) = node.ways.iter().find(|w| evaluator.eval(w.condition).as_bool()) else { break };
            if node.ways.len() > 1 || way.to.is_none() {
                chosen.push(way.condition);
            }
            at = way.to;
        }
        chosen
    }
}

/// Unwinds from `start` of the current activation of `state` under the hypothesis `condition`, until cut points are reached. The
/// outermost activation must be that of the entry function.
pub fn unwind<G: Guide>(
    enc: &mut Encoder<'_>,
    start: Loc,
    state: State,
    condition: Term,
    cuts: &BTreeSet<CutPoint>,
    guide: &mut G,
) -> Unwinding {
    let func = state.func();
    enc.unwinds = true;
    let calls = state.calls();
    let mut by_calls: FxHashMap<Vec<EdgeId>, FxHashSet<Loc>> = FxHashMap::default();
    for cut in cuts {
        by_calls.entry(cut.calls.clone()).or_default().insert(cut.at);
    }
    let mut unwinder = Unwinder {
        guide,
        cuts: by_calls,
        shapes: FxHashMap::default(),
        active: Vec::new(),
        context: Vec::new(),
        result: Unwinding { nodes: IndexVec::new(), ends: Vec::new() },
    };
    let root = Condition::root(enc, condition);
    let node = unwinder.node(func, start, condition);
    unwinder.active.extend(calls.iter().map(|(waits, _)| (*waits, root.clone())));
    let edges: Rc<[EdgeId]> = calls.iter().map(|(_, call)| *call).collect();
    let mut here = unwinder.begun(enc, func, start, edges.clone());
    here.waiting.insert(start, Arrival { node, condition: root.clone(), state });
    unwinder.active.push((func, root));
    unwinder.activation(enc, &mut here);
    for (depth, &(waits, call)) in calls.iter().enumerate().rev() {
        let exit = here.waiting.remove(&enc.program.body(here.func).exit);
        let (Some(exit), Some(to)) = (exit, enc.program.body(waits).edges[call].to) else { break };
        if sabotage::active(Fault::ReturnEndsBlock) {
            break;
        }
        // Its loops are others than those of the activations inside of it.
        unwinder.context = vec![(u64::MAX, depth as u32)];
        here = unwinder.begun(enc, waits, to, edges[..depth].into());
        unwinder.come_back(enc, &mut here, to, call, exit);
        unwinder.activation(enc, &mut here);
    }
    enc.known.clear();
    enc.unwinds = false;
    unwinder.result
}

/// The initial state of the program, for an unwinding from its start.
pub fn start(enc: &mut Encoder<'_>) -> State {
    let (state, _) = enc.initial();
    let mut state = state.begin_here(enc.program.functions[enc.program.entry].n_params);
    enc.begin_activation(&mut state);
    state
}

/// The order in which the locations of a function are walked.
struct Shape {
    order: Vec<Element>,
    out: IndexVec<Loc, Vec<EdgeId>>,
    /// The locations of each loop, by its head.
    members: FxHashMap<Loc, Rc<FxHashSet<Loc>>>,
    /// The locations from which the function can return or go round a loop: others only lead to the end of the run.
    goes_on: IndexVec<Loc, bool>,
}

impl Shape {
    fn new(body: &ir::Body, start: Loc, is_cut: &impl Fn(Loc) -> bool) -> Shape {
        let order = weak_order(body, start, is_cut);
        let mut members = FxHashMap::default();
        order.iter().for_each(|e| loops_in(e, &mut members));
        let graph = Graph::new(body);
        let mut goes_on = graph.loop_heads.clone();
        goes_on[body.exit] = true;
        let mut stack: Vec<Loc> = body.locations.ids().filter(|&l| goes_on[l]).collect();
        while let Some(loc) = stack.pop() {
            for &e in &graph.into[loc] {
                let from = body.edges[e].from;
                if !std::mem::replace(&mut goes_on[from], true) {
                    stack.push(from);
                }
            }
        }
        Shape { order, out: graph.out, members, goes_on }
    }
}

fn loops_in(element: &Element, members: &mut FxHashMap<Loc, Rc<FxHashSet<Loc>>>) {
    if let Element::Loop { head, body } = element {
        members.insert(*head, Rc::new(element.locations().into_iter().collect()));
        body.iter().for_each(|e| loops_in(e, members));
    }
}

/// What was assumed on the way to a place, the newest last.
struct Condition {
    /// All of it.
    whole: Term,
    /// What was assumed last.
    last: Term,
    before: Option<Rc<Condition>>,
    length: u32,
}

impl Condition {
    fn root(enc: &Encoder<'_>, whole: Term) -> Rc<Condition> {
        Rc::new(Condition { whole, last: enc.store.bool(true), before: None, length: 0 })
    }

    fn and(self: &Rc<Condition>, enc: &mut Encoder<'_>, last: Term) -> Rc<Condition> {
        if enc.store.bool_of(last) == Some(true) {
            return self.clone();
        }
        let whole = enc.store.and(self.whole, last);
        Rc::new(Condition { whole, last, before: Some(self.clone()), length: self.length + 1 })
    }

    /// Lets the encoder know what was assumed last.
    fn make_known(self: &Rc<Condition>, enc: &mut Encoder<'_>) {
        enc.known.clear();
        let mut at = Some(self);
        for _ in 0..MOST_KNOWN {
            let Some(condition) = at else { break };
            enc.known.learn(&enc.store, condition.last);
            at = condition.before.as_ref();
        }
    }

    /// The condition that either holds, and what decides that it is the first (where one of them does).
    fn or(enc: &mut Encoder<'_>, first: &Rc<Condition>, second: &Rc<Condition>) -> (Rc<Condition>, Term) {
        let (mut a, mut b) = (first.clone(), second.clone());
        let truth = enc.store.bool(true);
        let (mut of_a, mut of_b) = (truth, truth);
        while !Rc::ptr_eq(&a, &b) {
            let (side, own) = if a.length >= b.length { (&mut a, &mut of_a) } else { (&mut b, &mut of_b) };
            *own = enc.store.and(side.last, *own);
            let before = side.before.clone().expect("all conditions of an unwinding have one root");
            *side = before;
        }
        let either = enc.store.or(of_a, of_b);
        (a.and(enc, either), of_a)
    }
}

/// Execution that has come to a location.
struct Arrival {
    node: NodeId,
    condition: Rc<Condition>,
    state: State,
}

/// An activation whose locations are walked.
struct Activation {
    func: FuncId,
    /// The calls that make it.
    calls: Rc<[EdgeId]>,
    shape: Rc<Shape>,
    cuts: FxHashSet<Loc>,
    waiting: FxHashMap<Loc, Arrival>,
}

impl Activation {
    fn cut_point(&self, at: Loc, state: State) -> EndKind {
        EndKind::CutPoint(CutPoint { calls: self.calls.to_vec(), at }, Box::new(state))
    }
}

struct Unwinder<'g, G> {
    guide: &'g mut G,
    cuts: FxHashMap<Vec<EdgeId>, FxHashSet<Loc>>,
    /// The orders of functions from their entries, without cut points.
    shapes: FxHashMap<FuncId, Rc<Shape>>,
    /// The functions of the activations that are walked, with what held where they began.
    active: Vec<(FuncId, Rc<Condition>)>,
    /// The calls and rounds around the current place.
    context: Vec<(u64, u32)>,
    result: Unwinding,
}

/// A way before it is decided where it leads.
struct Step<'p> {
    id: EdgeId,
    edge: &'p Edge,
    /// What the step assumes.
    assumed: Term,
    state: State,
    enters: bool,
}

impl<G: Guide> Unwinder<'_, G> {
    fn node(&mut self, func: FuncId, at: Loc, condition: Term) -> NodeId {
        self.result.nodes.push(Node { func, at, condition, ways: Vec::new() })
    }

    /// An activation in which nothing waits yet, to be walked from `start`.
    fn begun(&mut self, enc: &Encoder<'_>, func: FuncId, start: Loc, calls: Rc<[EdgeId]>) -> Activation {
        let body = enc.program.body(func);
        let cuts = self.cuts.get(&*calls).cloned().unwrap_or_default();
        let shape = if start == body.entry && cuts.is_empty() {
            let shape = self.shapes.entry(func);
            shape.or_insert_with(|| Rc::new(Shape::new(body, start, &|_| false))).clone()
        } else {
            Rc::new(Shape::new(body, start, &|l| cuts.contains(&l)))
        };
        Activation { func, calls, shape, cuts, waiting: FxHashMap::default() }
    }

    fn end(&mut self, func: FuncId, edge: Option<EdgeId>, condition: Term, kind: EndKind) {
        self.result.ends.push(End { func, edge, condition, kind });
    }

    fn context_of(&self, here: (u64, u32)) -> u64 {
        let mut hasher = FxHasher::default();
        self.context.hash(&mut hasher);
        here.hash(&mut hasher);
        hasher.finish()
    }

    /// Walks an activation from what waits in it.
    fn activation(&mut self, enc: &mut Encoder<'_>, here: &mut Activation) {
        let shape = here.shape.clone();
        self.elements(enc, here, &shape.order, None);
        self.active.pop();
    }

    /// Walks elements in order.
    fn elements(
        &mut self,
        enc: &mut Encoder<'_>,
        here: &mut Activation,
        order: &[Element],
        mut inside: Option<&mut Round>,
    ) {
        let exit = enc.program.body(here.func).exit;
        for element in order {
            match element {
                Element::Loc(loc) => {
                    if *loc != exit
                        && let Some(arrival) = here.waiting.remove(loc)
                    {
                        self.location(enc, here, *loc, arrival, inside.as_deref_mut());
                    }
                }
                Element::Loop { head, body } => self.rounds(enc, here, *head, body),
            }
        }
    }

    fn rounds(&mut self, enc: &mut Encoder<'_>, here: &mut Activation, head: Loc, body: &[Element]) {
        let members = here.shape.members[&head].clone();
        let place = ((head.index() as u64) << 1, 0);
        let context = self.context_of(place);
        let mut round = Round { members, decided: false, open: false };
        for number in 0.. {
            let waits = here.waiting.contains_key(&head);
            if number > 0 {
                let Some(arrival) = here.waiting.get(&head) else { return };
                let condition = arrival.condition.whole;
                let certain = round.decided && !round.open;
                let calls = here.calls.clone();
                let (func, recursion) = (here.func, false);
                let passing = Passing { calls, func, head, recursion, round: number, context, condition, certain };
                if !self.guide.go_on(enc, &passing) {
                    here.waiting.remove(&head);
                    if !sabotage::active(Fault::UnwoundEdgeDropped) {
                        self.end(here.func, None, condition, EndKind::Stopped(passing));
                    }
                    return;
                }
            } else if !waits && !round.members.iter().any(|l| here.waiting.contains_key(l)) {
                return;
            }
            (round.decided, round.open) = (false, false);
            self.context.push((place.0, number));
            if let Some(arrival) = here.waiting.remove(&head) {
                self.location(enc, here, head, arrival, Some(&mut round));
            }
            self.elements(enc, here, body, Some(&mut round));
            self.context.pop();
        }
    }

    /// Leaves a location by all its edges.
    fn location(
        &mut self,
        enc: &mut Encoder<'_>,
        here: &mut Activation,
        loc: Loc,
        arrival: Arrival,
        mut inside: Option<&mut Round>,
    ) {
        let Arrival { node, condition, state } = arrival;
        condition.make_known(enc);
        let ids = here.shape.out[loc].clone();
        let mut steps = Vec::new();
        let shape = here.shape.clone();
        let goes_on = |to: Option<Loc>| to.is_some_and(|to| shape.goes_on[to]);
        let leaves = |r: &Round, edge: &Edge| goes_on(edge.to) && edge.to.is_some_and(|to| !r.members.contains(&to));
        for &id in &ids {
            if !self.guide.afford(enc) {
                self.end(here.func, Some(id), condition.whole, EndKind::Exhausted);
                continue;
            }
            let edge = enc.edge(&state, id);
            match step(enc, id, edge, &state) {
                Ok(step) => {
                    let dead = enc.store.bool_of(step.assumed) == Some(false);
                    if let Some(round) = inside.as_deref_mut().filter(|r| leaves(r, edge)) {
                        *(if dead { &mut round.decided } else { &mut round.open }) = true;
                    }
                    if !dead {
                        steps.push(step);
                    }
                }
                Err(unmodelled) => self.end(here.func, Some(id), condition.whole, EndKind::Unmodelled(unmodelled)),
            }
        }
        drop(state);
        make_exclusive(enc, &mut steps);
        for step in steps {
            let holds = condition.and(enc, step.assumed);
            if enc.store.bool_of(holds.whole) != Some(false) {
                self.take(enc, here, node, step, holds);
            }
        }
    }

    /// Goes a way to where it leads.
    fn take(
        &mut self,
        enc: &mut Encoder<'_>,
        here: &mut Activation,
        from: NodeId,
        step: Step<'_>,
        holds: Rc<Condition>,
    ) {
        let Step { id, edge, state, enters, .. } = step;
        if enters {
            self.follow(enc, here, from, id, edge, state, holds);
            return;
        }
        let kind = match (&edge.op, edge.to) {
            (Op::Error(_), _) => Some(EndKind::Target),
            (Op::Unsupported(why), _) => Some(EndKind::Unsupported(why.clone())),
            (_, None) => None,
            (_, Some(to)) if here.cuts.contains(&to) => Some(here.cut_point(to, state.clone())),
            (_, Some(to)) => {
                self.arrive(enc, here, to, (from, Some(id)), holds, state);
                return;
            }
        };
        self.result.nodes[from].ways.push(Way { edge: Some(id), condition: holds.whole, to: None });
        if let Some(kind) = kind {
            self.end(here.func, Some(id), holds.whole, kind);
        }
    }

    /// Execution comes to a location of the activation.
    fn arrive(
        &mut self,
        enc: &mut Encoder<'_>,
        here: &mut Activation,
        to: Loc,
        (from, edge): (NodeId, Option<EdgeId>),
        holds: Rc<Condition>,
        state: State,
    ) {
        let condition = holds.whole;
        let arrival = match here.waiting.remove(&to) {
            None => Arrival { node: self.node(here.func, to, condition), condition: holds, state },
            Some(other) => {
                let (either, selector) = Condition::or(enc, &holds, &other.condition);
                let state = enc.merge(selector, &state, &other.state);
                self.result.nodes[other.node].condition = either.whole;
                Arrival { node: other.node, condition: either, state }
            }
        };
        self.result.nodes[from].ways.push(Way { edge, condition, to: Some(arrival.node) });
        here.waiting.insert(to, arrival);
    }

    /// Follows a call: `state` is that of the new activation.
    #[expect(clippy::too_many_arguments, reason = "a step and where it stands")]
    fn follow(
        &mut self,
        enc: &mut Encoder<'_>,
        here: &mut Activation,
        from: NodeId,
        id: EdgeId,
        edge: &Edge,
        state: State,
        holds: Rc<Condition>,
    ) {
        let callee = state.func();
        let body = enc.program.body(callee);
        let condition = holds.whole;
        let earlier = self.active.iter().rev().find(|(f, _)| *f == callee);
        if let Some((_, began)) = earlier {
            let waiting = self.active.iter().filter(|(f, _)| *f == callee).count() as u32;
            let certain = Rc::ptr_eq(began, &holds) && waiting < MOST_CERTAIN;
            let context = self.context_of(((id.index() as u64) << 1 | 1, waiting));
            let passing = Passing {
                calls: here.calls.clone(),
                func: callee,
                head: body.entry,
                recursion: true,
                round: waiting,
                context,
                condition,
                certain,
            };
            if !self.guide.go_on(enc, &passing) {
                self.result.nodes[from].ways.push(Way { edge: Some(id), condition, to: None });
                self.end(here.func, Some(id), condition, EndKind::Stopped(passing));
                return;
            }
        }
        let calls = here.calls.iter().copied().chain([id]).collect();
        let mut inner = self.begun(enc, callee, body.entry, calls);
        if inner.cuts.contains(&body.entry) {
            self.result.nodes[from].ways.push(Way { edge: Some(id), condition, to: None });
            self.end(callee, None, condition, inner.cut_point(body.entry, state));
            return;
        }
        let node = self.node(callee, body.entry, condition);
        self.result.nodes[from].ways.push(Way { edge: Some(id), condition, to: Some(node) });
        inner.waiting.insert(body.entry, Arrival { node, condition: holds.clone(), state });
        self.active.push((callee, holds));
        self.context.push(((id.index() as u64) << 1 | 1, 0));
        self.activation(enc, &mut inner);
        self.context.pop();
        let (Some(exit), Some(to)) = (inner.waiting.remove(&body.exit), edge.to) else { return };
        self.come_back(enc, here, to, id, exit);
    }

    /// A followed call returns.
    fn come_back(&mut self, enc: &mut Encoder<'_>, here: &mut Activation, to: Loc, call: EdgeId, exit: Arrival) {
        let Arrival { node, condition, mut state } = exit;
        condition.make_known(enc);
        if let Err(unmodelled) = enc.leave(&mut state) {
            self.end(here.func, Some(call), condition.whole, EndKind::Unmodelled(unmodelled));
        } else if here.cuts.contains(&to) {
            self.result.nodes[node].ways.push(Way { edge: None, condition: condition.whole, to: None });
            self.end(here.func, Some(call), condition.whole, here.cut_point(to, state));
        } else {
            self.arrive(enc, here, to, (node, None), condition, state);
        }
    }
}

/// A round of a loop.
struct Round {
    members: Rc<FxHashSet<Loc>>,
    /// Constants decided that a way out of the loop was not taken.
    decided: bool,
    /// A way out of the loop was taken in some executions.
    open: bool,
}

/// One edge from a state: what it assumes, and the state behind it (in a call, that of the callee).
fn step<'p>(enc: &mut Encoder<'p>, id: EdgeId, edge: &'p Edge, state: &State) -> Result<Step<'p>, Unmodelled> {
    let mut after = state.clone();
    let enters = enc.callee(edge).is_some();
    let effects = if enters { enc.enter(&mut after, id, edge)? } else { enc.step(&mut after, edge)? };
    if let Op::Assume(condition) = &edge.op {
        enc.narrow(&mut after, condition);
    }
    let assumed = enc.store.and_all(effects.assumptions.iter().map(|a| a.term));
    Ok(Step { id, edge, assumed, state: after, enters })
}

/// Makes what several ways out of one location assume exclude each other. Ways whose conditions overlap, as nondeterministic
/// choices do, are told apart by fresh symbols: nothing is lost.
fn make_exclusive(enc: &mut Encoder<'_>, steps: &mut [Step<'_>]) {
    if steps.len() < 2 {
        return;
    }
    if let [a, b] = steps {
        let both = enc.store.and(a.assumed, b.assumed);
        if enc.store.bool_of(both) == Some(false) {
            return;
        }
    }
    let mut not_earlier = enc.store.bool(true);
    let last = steps.len() - 1;
    for (i, step) in steps.iter_mut().enumerate() {
        let this = if i == last { enc.store.bool(true) } else { enc.store.fresh("way", Sort::Bool) };
        let chosen = enc.store.and(not_earlier, this);
        step.assumed = enc.store.and(step.assumed, chosen);
        let not_this = enc.store.not(this);
        not_earlier = enc.store.and(not_earlier, not_this);
    }
}

//! Puts a rule into a program: the events become the rule's steps.
//!
//! The state of the rule is a set of globals that nothing else names, so that no function of the program and nothing outside
//! changes them. They are called `rule.NAME.variable`, which no name of a program is. Where a step is an event
//! ([`lower::events`]), the steps of all handlers that it concerns stand in its place, in the order of the rule; before them an
//! object that is to be watched is chosen, or not. Events that concern no handler do nothing.
//!
//! **Watched objects.** Each object has a state of its own, which begins with the first event that offers it. One object is followed
//! in each run: when it is offered, it is chosen or passed over, and what was passed over is not chosen later. The objects that
//! were passed over last are remembered, [`PASSED`] of them; one that is forgotten can be chosen at a later event, as if its
//! history began there. So every object's true history is among those that are looked at, and some others may be.

use crate::again::separate;
use crate::compile::{PASSED, Site, Step, Symbols, Watched, global};
use crate::names::{KEPT, concerns};
use crate::nesting::{DEPTH, Group, counted, nested, once};
use crate::syntax::*;
use base::sabotage::{self, Fault};
use base::{Diagnostic, FileId, Span};
use ir::walk::substitute;
use ir::{
    BinOp, Body, Edge, EdgeId, ErrorKind, Exposure, Expr, FuncId, Global, GlobalId, HavocDst, Init, InitItem, Linkage,
    Loc, Local, LocalId, Location, Op, Place, Program, Shape, Source, Ty, Var,
};
use lower::events::{Event, EventId, Events, event_of};
use std::collections::BTreeMap;

/// A program with a rule in it.
#[derive(Clone, Debug)]
pub struct Woven {
    /// The program.
    pub program: Program,
    /// How many of its steps are events that the rule has something to do at.
    pub handled: usize,
    /// How many `abort`s there are in it.
    pub aborts: usize,
    /// The names of the values of enumerations in the rule's state, by the name of the global.
    pub values: BTreeMap<String, Vec<String>>,
}

/// The source of the arbitrary values by which an object is chosen.
pub const CHOICE: &str = "the rule watches this object";

/// The type of small counts.
const COUNT: Ty = Ty::Int(ir::IntTy { width: 8, signed: false });

/// Puts a rule, which was read from `text`, into a program.
pub fn weave(program: &Program, events: &Events, rule: &Rule, file: FileId, text: &str) -> Result<Woven, Diagnostic> {
    let mut woven = program.clone();
    separate(&mut woven, events, rule);
    let sites = sites(&woven);
    let symbols = declare(&mut woven, events, &sites, rule, file, text)?;
    let mut plans: BTreeMap<(FuncId, EventId), Vec<Step>> = BTreeMap::new();
    for &(func, _, id) in &sites {
        if let std::collections::btree_map::Entry::Vacant(slot) = plans.entry((func, id)) {
            slot.insert(plan(&symbols, &woven, func, &events[id])?);
        }
    }
    let (mut handled, mut aborts) = (0, 0);
    for (func, edge, id) in sites {
        let steps = &plans[&(func, id)];
        handled += usize::from(!steps.is_empty());
        let mut weaver = Weaver::new(&mut woven, func, edge, &events[id]);
        weaver.steps(steps);
        aborts += weaver.aborts;
        weaver.finish();
    }
    let values = enumerations(rule, &symbols.state, &woven);
    Ok(Woven { program: woven, handled, aborts, values })
}

fn enumerations(rule: &Rule, state: &[GlobalId], program: &Program) -> BTreeMap<String, Vec<String>> {
    let names = rule.state.iter().zip(state).filter_map(|(d, &id)| match &d.ty {
        StateType::Enum(names) => Some((program.globals[id].name.clone(), names.clone())),
        StateType::Int(_) | StateType::Pointer => None,
    });
    names.collect()
}

/// All events, in the order of functions and edges.
fn sites(program: &Program) -> Vec<(FuncId, EdgeId, EventId)> {
    let bodies = program.functions.iter_enumerated().filter_map(|(f, g)| Some((f, g.body.as_ref()?)));
    let edges = bodies.flat_map(|(f, b)| b.edges.iter_enumerated().map(move |(id, e)| (f, id, e)));
    edges.filter_map(|(f, id, e)| Some((f, id, event_of(&e.op)?))).collect()
}

/// What the rule does at an event: first what is chosen, then the handlers.
fn plan(symbols: &Symbols<'_>, program: &Program, func: FuncId, event: &Event) -> Result<Vec<Step>, Diagnostic> {
    let site = Site::new(symbols, program, event);
    let means = |e: &EventPattern| concerns(symbols.rule, program, func, event, (&e.target, e.moment));
    let mut steps = Vec::new();
    for (i, watch) in symbols.rule.watches.iter().enumerate() {
        for choice in watch.choices.iter().filter(|c| means(&c.event)) {
            let offer = vec![site.offer(i, choice)?];
            steps.extend(once(&symbols.groups, program, &choice.event.target, event, offer));
        }
    }
    let mut handlers: Vec<&Handler> = symbols.rule.handlers.iter().filter(|h| means(&h.event)).collect();
    // A value of another type is not the object.
    handlers.retain(|h| event.function != KEPT || h.guard.as_ref().is_none_or(|g| symbols.is_like(program, g, event)));
    if sabotage::active(Fault::RuleHandlersReplaced) {
        handlers.drain(..handlers.len().saturating_sub(1));
    }
    for handler in handlers {
        let done = if sabotage::active(Fault::RuleGuardForgotten) && handler.guard.is_some() {
            site.handler(&Handler { guard: None, ..handler.clone() })?
        } else {
            site.handler(handler)?
        };
        steps.extend(once(&symbols.groups, program, &handler.event.target, event, done));
    }
    Ok(counted(&symbols.groups, program, func, event, steps))
}

/// The globals of a rule.
fn declare<'r>(
    program: &mut Program,
    events: &Events,
    sites: &[(FuncId, EdgeId, EventId)],
    rule: &'r Rule,
    file: FileId,
    text: &'r str,
) -> Result<Symbols<'r>, Diagnostic> {
    let own = rule.name.rsplit('/').next().unwrap_or("");
    let own: String = own.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let nested = nested(rule, program, events, sites);
    let mut add = |name: &str, ty: Ty, value: i128, span: Span| {
        let value = match ty {
            Ty::Bool => Expr::bool(value != 0),
            ty => Expr::int(ty, value),
        };
        program.globals.push(Global {
            name: format!("rule.{own}.{name}"),
            shape: Shape::Scalar(ty),
            init: Init::Values(vec![InitItem { offset: 0, bits: None, value }]),
            linkage: Linkage::Internal,
            exposure: Exposure::Hidden,
            constant: false,
            span,
        })
    };
    let model = program.model;
    let state: Vec<GlobalId> = rule.state.iter().map(|d| add(&d.name, scalar(&d.ty, model), d.init, d.span)).collect();
    let mut watches = Vec::new();
    for watch in &rule.watches {
        // The type is known only from what is offered.
        let object = add(&watch.name, Ty::Ptr, 0, watch.span);
        let chosen = add(&format!("{}.chosen", watch.name), Ty::Bool, 0, watch.span);
        let passed = std::array::from_fn(|i| add(&format!("{}.passed{i}", watch.name), Ty::Ptr, 0, watch.span));
        let n_passed = add(&format!("{}.passed", watch.name), COUNT, 0, watch.span);
        watches.push(Watched { object, chosen, passed, n_passed });
    }
    let groups = nested.into_iter().map(|p| Group::new(rule, p, add(&format!("{}.open", p.text), DEPTH, 0, p.span)));
    let groups = groups.collect();
    let symbols = Symbols { rule, file, text, state, watches, groups };
    for (i, watch) in rule.watches.iter().enumerate() {
        if let Some(ty) = offered(&symbols, program, events, sites, watch)? {
            let Watched { object, passed, .. } = symbols.watches[i];
            for id in passed.into_iter().chain([object]) {
                let global = &mut program.globals[id];
                global.shape = Shape::Scalar(ty);
                global.init = Init::Values(vec![InitItem { offset: 0, bits: None, value: Expr::constant(ty, 0) }]);
            }
        }
    }
    Ok(symbols)
}

/// The type of what is offered to be watched.
fn offered(
    symbols: &Symbols<'_>,
    program: &Program,
    events: &Events,
    sites: &[(FuncId, EdgeId, EventId)],
    watch: &Watch,
) -> Result<Option<Ty>, Diagnostic> {
    for choice in &watch.choices {
        let means = |(func, _, id): &&(FuncId, EdgeId, EventId)| {
            concerns(symbols.rule, program, *func, &events[*id], (&choice.event.target, choice.event.moment))
        };
        if let Some((_, _, id)) = sites.iter().find(means) {
            let value = Site::new(symbols, program, &events[*id]).value(&choice.value)?;
            return match value.ty {
                Ty::Float(_) => {
                    let span = choice.value.span;
                    Err(Diagnostic::error("type", span, "floating-point values are not supported in rules"))
                }
                ty => Ok(Some(ty)),
            };
        }
    }
    Ok(None)
}

/// The type of the IR that a variable of the state has.
fn scalar(ty: &StateType, model: ir::DataModel) -> Ty {
    let int = Ty::int;
    match ty {
        StateType::Pointer => Ty::Ptr,
        StateType::Enum(_) => int(32, true),
        StateType::Int(t) => match *t {
            IntType::Bool => Ty::Bool,
            IntType::Char(signed) => int(8, signed),
            IntType::Short(signed) => int(16, signed),
            IntType::Int(signed) => int(32, signed),
            IntType::Long(signed) => int(model.ptr_width(), signed),
            IntType::LongLong(signed) => int(64, signed),
        },
    }
}

/// Puts steps in the place of an event.
struct Weaver<'p> {
    program: &'p mut Program,
    func: FuncId,
    event: &'p Event,
    /// Where control stands; none where the run has ended.
    at: Option<Loc>,
    /// Where it goes behind the event.
    end: Option<Loc>,
    /// The step of the event.
    edge: EdgeId,
    /// `abort`s put in.
    aborts: usize,
}

impl<'p> Weaver<'p> {
    fn new(program: &'p mut Program, func: FuncId, edge: EdgeId, event: &'p Event) -> Weaver<'p> {
        let Edge { to: end, span, .. } = *program.edge(func, edge);
        let mut weaver = Weaver { program, func, event, at: None, end, edge, aborts: 0 };
        let start = weaver.location(span);
        let step = &mut weaver.body().edges[edge];
        step.op = Op::Skip;
        step.to = Some(start);
        weaver.at = Some(start);
        weaver
    }

    fn body(&mut self) -> &mut Body {
        self.program.functions[self.func].body.as_mut().expect("events stand in bodies")
    }

    fn location(&mut self, span: Span) -> Loc {
        self.body().locations.push(Location { label: None, span })
    }

    fn edge(&mut self, from: Loc, to: Option<Loc>, op: Op, span: Span) {
        self.body().edges.push(Edge { from, to, guards: Vec::new(), op, span });
    }

    /// One step from here.
    fn emit(&mut self, op: Op, span: Span) {
        let Some(from) = self.at else { return };
        let to = if op.ends_run() { None } else { Some(self.location(span)) };
        self.edge(from, to, op, span);
        self.at = to;
    }

    /// With the values of the event for the placeholders.
    fn actual(&self, e: &Expr) -> Expr {
        let n = self.event.args.len();
        substitute(e, &mut |var| match var {
            Var::Local(l) if base::Id::index(l) < n => {
                self.event.args[base::Id::index(l)].as_ref().map(|a| a.value.clone())
            }
            Var::Local(_) => self.event.result.as_ref().map(|a| a.value.clone()),
            Var::Global(_) => None,
        })
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.step(step);
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Set(id, value, span) => {
                let ty = global(self.program, *id).ty;
                let value = self.actual(value);
                self.emit(Op::Assign(Place::var(Var::Global(*id), ty), value), *span);
            }
            Step::If(condition, then, otherwise, span) => {
                let condition = self.actual(condition);
                self.fork(condition, *span, |w| w.steps(then), |w| w.steps(otherwise));
            }
            Step::Offer(watched, value, differs, span) => self.offer(*watched, value, differs, *span),
            Step::Abort(message, span) => {
                if self.at.is_some() && !sabotage::active(Fault::RuleAbortForgotten) {
                    self.aborts += 1;
                    self.emit(Op::Error(ErrorKind::Rule(message.clone())), *span);
                }
            }
            Step::Halt(span) => self.emit(Op::Halt, *span),
        }
    }

    /// Two ways that come together again.
    fn fork(&mut self, condition: Expr, span: Span, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        let Some(from) = self.at else { return };
        let (yes, no) = (self.location(span), self.location(span));
        self.edge(from, Some(yes), Op::Assume(condition.clone()), span);
        self.edge(from, Some(no), Op::Assume(condition.negate()), span);
        self.at = Some(yes);
        then(self);
        let left = self.at;
        self.at = Some(no);
        otherwise(self);
        match (left, self.at) {
            (Some(left), Some(right)) => {
                // Whoever has nothing to do is there already.
                self.edge(left, Some(right), Op::Skip, span);
            }
            (Some(left), None) => self.at = Some(left),
            (None, _) => {}
        }
    }

    /// While nothing is chosen, the value may be, unless it was passed over.
    fn offer(&mut self, watched: Watched, value: &Expr, differs: &[Expr], span: Span) {
        let value = self.actual(value);
        let free = Expr::nonzero(global(self.program, watched.chosen)).negate();
        let differs: Vec<Expr> = differs.iter().map(|d| self.actual(d)).collect();
        let known = (0..PASSED).map(|i| {
            let there = Expr::binary(BinOp::Gt, global(self.program, watched.n_passed), Expr::int(COUNT, i as i128));
            let same = Expr::binary(BinOp::Eq, value.clone(), global(self.program, watched.passed[i]));
            Expr::binary(BinOp::And, there, same).negate()
        });
        let known: Vec<Expr> = if sabotage::active(Fault::RuleForgetsPassed) { Vec::new() } else { known.collect() };
        let may = differs.into_iter().chain(known).fold(free, |a, b| Expr::binary(BinOp::And, a, b));
        self.fork(may, span, |w| w.choose(watched, value, span), |_| {});
    }

    /// The value is chosen, or passed over.
    fn choose(&mut self, watched: Watched, value: Expr, span: Span) {
        let choice = self.local(span);
        let place = Place::var(Var::Local(choice), Ty::Bool);
        self.emit(Op::Havoc(HavocDst::Place(place), Source::Outside(CHOICE.to_owned())), span);
        let chosen = Expr::var(Var::Local(choice), Ty::Bool);
        let (taken, ty) = (value.clone(), value.ty);
        self.fork(
            chosen,
            span,
            |w| {
                w.emit(Op::Assign(Place::var(Var::Global(watched.object), ty), taken), span);
                w.emit(Op::Assign(Place::var(Var::Global(watched.chosen), Ty::Bool), Expr::bool(true)), span);
            },
            |w| {
                for i in (1..PASSED).rev() {
                    let before = global(w.program, watched.passed[i - 1]);
                    w.emit(Op::Assign(Place::var(Var::Global(watched.passed[i]), ty), before), span);
                }
                w.emit(Op::Assign(Place::var(Var::Global(watched.passed[0]), ty), value), span);
                let n = global(w.program, watched.n_passed);
                let more = Expr::binary(BinOp::Add, n.clone(), Expr::int(COUNT, 1));
                let all = Expr::int(COUNT, PASSED as i128);
                let n = Expr::ite(Expr::binary(BinOp::Lt, n.clone(), all), more, n);
                w.emit(Op::Assign(Place::var(Var::Global(watched.n_passed), COUNT), n), span);
            },
        );
    }

    fn local(&mut self, span: Span) -> LocalId {
        let locals = &mut self.program.functions[self.func].locals;
        let name = format!("$e{}", locals.len());
        locals.push(Local { name, shape: Shape::Scalar(Ty::Bool), constant: false, span })
    }

    /// Goes on behind the event.
    fn finish(mut self) {
        let (edge, end) = (self.edge, self.end);
        let span = self.body().edges[edge].span;
        let (at, first) = (self.at, self.body().edges[edge].to);
        match at {
            // Nothing was put in.
            Some(at) if first == Some(at) => {
                self.body().edges[edge].to = end;
                debug_assert_eq!(
                    base::Id::index(at) + 1,
                    self.body().locations.len(),
                    "the new location is the last one"
                );
                let n = base::Id::index(at);
                self.body().locations.truncate(n);
            }
            Some(at) => self.edge(at, end, Op::Skip, span),
            None => {}
        }
    }
}

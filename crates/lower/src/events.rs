//! Events: calls and returns that whoever watches a program wants to know of, by the names of the functions.
//!
//! What the IR does not say any more is said here: that a step belongs to a call of `fopen`, which became a few operations by
//! its model, with which arguments, and of which C types these are. An event is a step that does nothing - an arbitrary truth
//! value that nobody reads - and names an entry of a table ([`Event`]); `spec` puts the steps of a rule in its place.
//!
//! - A function with a body (also one that is made from a model) has its events inside: behind its parameters, and before
//!   each return.
//! - A function without a body has them around each call, outside of the call-backs that it makes.
//! - A function with a model has them around the operations that stand for a call of it.
//! - The end of the program is an event: the return of the entry function, behind what `atexit` was told, and `exit`.
//!
//! Arguments are what they were at the call, in an event at the return too.

use crate::context::Context;
use crate::expr::Want;
use crate::function::{Fun, Home};
use crate::graph::Graph;
use crate::link::Entity;
use crate::model::{Model, plain_name};
use base::sabotage::{self, Fault};
use base::{IndexVec, Span, define_id};
use cfront::tree::{self, ExprId};
use cfront::types::TypeId;
use ir::declared;
use ir::library::Library;
use ir::{
    Call, Callee, Edge, EdgeId, Expr, FuncId, HavocDst, Local, LocalId, Location, Op, Place, Program, Shape, Source,
    Ty, Var,
};

define_id!(pub EventId, "event", "An event of a lowered program.");

/// The functions whose calls and returns are events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    patterns: Vec<String>,
    /// Whether the entry function and the end are events, also where no other function is.
    entry: bool,
}

impl Watched {
    /// Functions by name; a name that ends with `*` stands for all that begin so.
    pub fn new(patterns: impl IntoIterator<Item = String>) -> Watched {
        Watched { patterns: patterns.into_iter().collect(), entry: false }
    }

    /// The same, and the entry function and the end of the program.
    pub fn with_entry(self) -> Watched {
        Watched { entry: true, ..self }
    }

    /// Whether nothing is watched, not even the entry function and the end.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty() && !self.entry
    }

    /// Whether calls of the function are events.
    pub fn contains(&self, name: &str) -> bool {
        self.patterns.iter().any(|p| matches(p, name))
    }
}

/// Whether a name, or what it is a compiler's name for, fits a pattern.
pub fn matches(pattern: &str, name: &str) -> bool {
    let fits = |name: &str| match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == pattern,
    };
    !name.starts_with('.') && (fits(name) || fits(plain_name(name)))
}

/// When an event happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// The function is called.
    Entry,
    /// It returns.
    Exit,
    /// The program ends.
    End,
}

/// A value that belongs to an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// What has it, at the step of the event.
    pub value: Expr,
    /// Its type in the source, if that is known.
    pub ty: Option<declared::TypeId>,
}

/// What the step of an event stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The function, by its name in the source; empty at the end of the program.
    pub function: String,
    /// When.
    pub moment: Moment,
    /// The arguments; none for one that is no scalar.
    pub args: Vec<Option<Argument>>,
    /// The result, at a return.
    pub result: Option<Argument>,
}

/// All events of a program.
pub type Events = IndexVec<EventId, Event>;

/// The name of the event that a value comes to where it outlives the entry function; the value is its argument. Nothing outlives `main`.
pub const KEPT: &str = "$kept";

/// What the sources of the arbitrary values that are events begin with.
const MARK: &str = ".event ";

/// The event that a step is.
pub fn event_of(op: &Op) -> Option<EventId> {
    match op {
        Op::Havoc(HavocDst::Place(_), Source::Outside(text)) => {
            text.strip_prefix(MARK)?.parse().ok().map(base::Id::from_index)
        }
        _ => None,
    }
}

fn mark(id: EventId, dst: Var) -> Op {
    let source = Source::Outside(format!("{MARK}{}", base::Id::index(id)));
    Op::Havoc(HavocDst::Place(Place::var(dst, Ty::Bool)), source)
}

impl Context<'_> {
    /// Whether calls of a function are events of the program.
    pub(crate) fn is_watched(&self, name: &str) -> bool {
        self.opts.watched.contains(name)
    }

    /// Locks of threads mean nothing to a program with one thread, but a rule can be about them.
    pub(crate) fn is_watched_lock(&self, name: &str) -> bool {
        const LOCKS: [&str; 6] =
            ["pthread_mutex", "pthread_rwlock", "pthread_spin", "pthread_cond", "mtx_", "pthread_barrier"];
        self.is_watched(name) && LOCKS.iter().any(|l| name.starts_with(l))
    }

    /// What the types of an undefined function's parameters are in the source.
    pub(crate) fn declare_parameters(&mut self, (u, f): Entity<tree::FuncId>, id: FuncId) {
        let unit = &self.units[u as usize];
        if self.opts.watched.is_empty() {
            return;
        }
        let Some(sig) = unit.types.signature(unit.funcs[f].ty) else { return };
        let function = &self.functions[id];
        let hidden = function.locals.iter().next().is_some_and(|l| l.name == "$dst");
        for (p, &ty) in function.params().skip(usize::from(hidden)).zip(sig.params.iter()) {
            self.declared.local(&function.name, &function.locals[p].name, u, ty, false);
        }
        if let Some(ret) = function.ret {
            self.declared.local(&function.name, &function.locals[ret].name, u, sig.ret, false);
        }
    }
}

impl Fun<'_, '_> {
    fn event(&mut self, event: Event, span: Span) {
        let id = self.cx.events.push(event);
        let dst = self.temp(Ty::Bool, span);
        self.emit(mark(id, dst), span);
    }

    fn argument(&mut self, value: Expr, ty: TypeId, span: Span) -> Argument {
        let value = self.keep(value, span);
        let ty = Some(self.cx.declared.ty(self.u, ty));
        Argument { value, ty }
    }

    /// The program ends behind this.
    pub(crate) fn end_event(&mut self, span: Span) {
        if !self.cx.opts.watched.is_empty() {
            let event = Event { function: String::new(), moment: Moment::End, args: Vec::new(), result: None };
            self.event(event, span);
        }
    }

    /// A model with its events around it.
    pub(crate) fn apply_watched(
        &mut self,
        model: Model,
        name: &str,
        args: (&[ExprId], &[Expr]),
        ret: (Option<Ty>, Option<TypeId>),
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let unit = self.unit;
        let mut kept = Vec::new();
        for (&e, value) in args.0.iter().zip(args.1) {
            kept.push(Some(self.argument(value.clone(), unit.exprs[e].ty, span)));
        }
        let values: Vec<Expr> = kept.iter().flatten().map(|a| a.value.clone()).collect();
        let entry = Event { function: name.to_owned(), moment: Moment::Entry, args: kept.clone(), result: None };
        self.event(entry, span);
        let wanted = if want == Want::Nothing && ret.0.is_some() { Want::Value } else { want };
        let result = self.apply(model, name, &values, ret.0, wanted, span);
        let given = match (&result, ret.1) {
            (Some(value), Some(ty)) => Some(self.argument(value.clone(), ty, span)),
            _ => None,
        };
        self.event(Event { function: name.to_owned(), moment: Moment::Exit, args: kept, result: given }, span);
        result.filter(|_| want != Want::Nothing)
    }

    /// The function is entered: its parameters have their values. Gives what belongs to the event at its return.
    pub(crate) fn entry_event(&mut self, def: &tree::Function, ret: TypeId) -> Event {
        let mut args = Vec::new();
        for &p in &def.params {
            let var = &self.unit.vars[p];
            let (ty, span) = (var.ty, var.span);
            let arg = match (self.scalar(ty), self.home(p)) {
                (Some(scalar), Home::At(at)) => {
                    let value = crate::place::unnamed(ir::Address::var(at), scalar);
                    let ty = Some(self.cx.declared.ty(self.u, ty));
                    // Parameters may be changed before the return, or be anything: the value is kept in any case.
                    let temp = self.temp(scalar, span);
                    self.emit(Op::Assign(Place::var(temp, scalar), Expr::read(value.clone())), span);
                    let stale = sabotage::active(Fault::EventArgumentsStale);
                    Some(Argument { value: if stale { Expr::read(value) } else { Expr::var(temp, scalar) }, ty })
                }
                _ => None,
            };
            args.push(arg);
        }
        let function = self.name.clone();
        self.event(
            Event { function: function.clone(), moment: Moment::Entry, args: args.clone(), result: None },
            def.span,
        );
        let result = self.result_argument(ret);
        Event { function, moment: Moment::Exit, args, result }
    }
}

impl Fun<'_, '_> {
    /// The same for a function whose body is its model: nobody changes its parameters.
    pub(crate) fn model_event(&mut self, params: &[TypeId], ret: TypeId, span: Span) -> Event {
        let mut args = Vec::new();
        for (i, &ty) in params.iter().enumerate() {
            let local: LocalId = base::Id::from_index(i);
            let scalar = self.locals.get(local).and_then(|l| l.shape.scalar());
            args.push(scalar.map(|scalar| {
                let ty = Some(self.cx.declared.ty(self.u, ty));
                Argument { value: Expr::var(Var::Local(local), scalar), ty }
            }));
        }
        let function = self.name.clone();
        self.event(Event { function: function.clone(), moment: Moment::Entry, args: args.clone(), result: None }, span);
        let result = self.result_argument(ret);
        Event { function, moment: Moment::Exit, args, result }
    }

    /// What the function returns, once it is there.
    fn result_argument(&mut self, ret: TypeId) -> Option<Argument> {
        let local = self.ret?;
        let ty = self.shape(Var::Local(local)).scalar()?;
        Some(Argument { value: Expr::var(Var::Local(local), ty), ty: Some(self.cx.declared.ty(self.u, ret)) })
    }
}

/// Puts the event of the return before each return.
pub(crate) fn before_returns(
    cx: &mut Context<'_>,
    graph: &mut Graph,
    locals: &mut IndexVec<LocalId, Local>,
    result: Option<LocalId>,
    event: Event,
    span: Span,
) {
    let id = cx.events.push(event);
    let dst = Var::Local(new_local(locals, Ty::Bool, span));
    let result = result.and_then(|r| Some((r, locals[r].shape.scalar()?)));
    let mut found = false;
    for i in 0..graph.edges.len() {
        let (set, done) = match &graph.edges[i].op {
            Op::Return(value) => (value.clone(), graph.edges[i].to),
            _ => continue,
        };
        if found && sabotage::active(Fault::ReturnEventsForgotten) {
            continue;
        }
        found = true;
        let (at, behind) = (graph.loc(), graph.loc());
        let edge = &mut graph.edges[i];
        let span = edge.span;
        edge.to = Some(at);
        edge.op = match (set, result) {
            (Some(value), Some((ret, ty))) => Op::Assign(Place::var(Var::Local(ret), ty), value),
            _ => Op::Skip,
        };
        let value = result.map(|(ret, ty)| Expr::var(Var::Local(ret), ty));
        let step = |from, to, op| Edge { from, to, guards: Vec::new(), op, span };
        graph.edges.push(step(at, Some(behind), mark(id, dst)));
        graph.edges.push(step(behind, done, Op::Return(value)));
    }
}

/// Puts events around the calls of functions without a body, and one at the end of the program.
pub(crate) fn around_calls(program: &mut Program, watched: &Watched, events: &mut Events) {
    if watched.is_empty() {
        return;
    }
    for func in program.functions.ids() {
        let Some(body) = &program.functions[func].body else { continue };
        let calls: Vec<(EdgeId, FuncId)> = body
            .edges
            .iter_enumerated()
            .filter_map(|(id, edge)| match &edge.op {
                Op::Call(Call { callee: Callee::Direct(f), .. }) => Some((id, *f)),
                _ => None,
            })
            .filter(|&(_, f)| {
                let callee = &program.functions[f];
                callee.body.is_none() && Library::of(callee).is_none() && watched.contains(&callee.name)
            })
            .collect();
        for (edge, callee) in calls {
            around_call(program, (func, edge), callee, events);
        }
    }
    at_the_end(program, events);
}

/// Puts an event where a value comes to what outlives the entry function: it is written to a global or through a pointer, it is given to
/// a function without a body that is neither of the library nor known to the rule, or the entry returns it.
pub(crate) fn at_keeps(program: &mut Program, watched: &Watched, quiet: &Watched, events: &mut Events) {
    if !watched.contains(KEPT) || program.functions[program.entry].name == "main" {
        return;
    }
    let is_value = |e: &Expr| matches!(e.ty, Ty::Ptr | Ty::Int(_)) && e.as_const().is_none();
    for func in program.functions.ids() {
        let Some(body) = &program.functions[func].body else { continue };
        let mut found: Vec<(EdgeId, Vec<Expr>, Vec<Expr>)> = Vec::new();
        for (id, edge) in body.edges.iter_enumerated() {
            let (mut before, mut behind) = (Vec::new(), Vec::new());
            match &edge.op {
                Op::Assign(place, value) if !is_local(place) => before.push(value),
                Op::Call(Call { callee: Callee::Direct(f), args, .. }) => {
                    let f = &program.functions[*f];
                    let known = || Library::of(f).is_some() || watched.contains(&f.name) || quiet.contains(&f.name);
                    if f.body.is_none() && !known() {
                        before.extend(args);
                    }
                }
                op => {
                    let event = event_of(op).map(|id| &events[id]);
                    if let Some(Event { function, moment: Moment::Exit, result: Some(result), .. }) = event {
                        if func == program.entry && *function == program.functions[func].name {
                            before.push(&result.value);
                        }
                        // The result may be at its place already.
                        behind.extend(read_outside(body, edge, &result.value));
                    }
                }
            }
            let values = |all: Vec<&Expr>| all.into_iter().filter(|v| is_value(v)).cloned().collect::<Vec<Expr>>();
            let (before, behind) = (values(before), values(behind));
            if !before.is_empty() || !behind.is_empty() {
                found.push((id, before, behind));
            }
        }
        for (id, before, behind) in found {
            let Edge { op, span, .. } = program.edge(func, id).clone();
            let mut kept = |program: &mut Program, value: Expr| {
                let args = vec![Some(Argument { value, ty: None })];
                let event = Event { function: KEPT.to_owned(), moment: Moment::Entry, args, result: None };
                let dst = temp(program, func, Ty::Bool, span);
                mark(events.push(event), dst)
            };
            let mut ops: Vec<Op> = before.into_iter().map(|value| kept(program, value)).collect();
            ops.push(op);
            ops.extend(behind.into_iter().map(|value| kept(program, value)));
            put(program, func, id, ops);
        }
    }
}

fn is_local(place: &Place) -> bool {
    matches!(place.addr.base, ir::Base::Var(Var::Local(_)))
}

/// The value of an event, if it is read where it outlives the function: in the event itself, or in the step before.
fn read_outside<'e>(body: &'e ir::Body, event: &Edge, value: &'e Expr) -> Option<&'e Expr> {
    let outside = |e: &Expr| matches!(&e.kind, ir::ExprKind::Read(place) if !is_local(place));
    let before = body.edges.iter().filter(|e| e.to == Some(event.from));
    let given = |e: &Edge| match &e.op {
        Op::Assign(place, e) => Expr::read(place.clone()) == *value && outside(e),
        _ => false,
    };
    (outside(value) || before.clone().any(given)).then_some(value)
}

/// Calls of functions without a body that only give a result are no more than that.
pub(crate) fn quieten(program: &mut Program, quiet: &Watched) {
    if quiet.is_empty() {
        return;
    }
    let is_quiet = |f: &ir::Function| f.body.is_none() && Library::of(f).is_none() && quiet.contains(&f.name);
    let names: IndexVec<FuncId, Option<String>> =
        program.functions.iter().map(|f| is_quiet(f).then(|| f.name.clone())).collect();
    for func in program.functions.ids() {
        let function = &program.functions[func];
        let Some(body) = &function.body else { continue };
        let mut changes = Vec::new();
        for (id, edge) in body.edges.iter_enumerated() {
            let Op::Call(Call { callee: Callee::Direct(f), dst, .. }) = &edge.op else { continue };
            let Some(name) = &names[*f] else { continue };
            let result = dst.and_then(|dst| Some(Place::var(dst, program.shape(func, dst).scalar()?)));
            let op = result.map_or(Op::Skip, |place| Op::Havoc(HavocDst::Place(place), Source::Outside(name.clone())));
            changes.push((id, op));
        }
        let body = program.functions[func].body.as_mut().expect("looked at above");
        for (id, op) in changes {
            body.edges[id].op = op;
        }
    }
}

/// A temporary of a function.
fn temp(program: &mut Program, func: FuncId, ty: Ty, span: Span) -> Var {
    Var::Local(new_local(&mut program.functions[func].locals, ty, span))
}

fn new_local(locals: &mut IndexVec<LocalId, Local>, ty: Ty, span: Span) -> LocalId {
    let name = format!("$e{}", locals.len());
    locals.push(Local { name, shape: Shape::Scalar(ty), constant: false, span })
}

/// Steps that take the place of one edge; its guards stand on the first of them.
fn put(program: &mut Program, func: FuncId, edge: EdgeId, ops: Vec<Op>) {
    let body = program.functions[func].body.as_mut().expect("only functions with a body have edges");
    let old = body.edges[edge].clone();
    let last = ops.len() - 1;
    let mut from = old.from;
    for (i, op) in ops.into_iter().enumerate() {
        let to = if i == last { old.to } else { Some(body.locations.push(Location { label: None, span: old.span })) };
        let guards = if i == 0 { old.guards.clone() } else { Vec::new() };
        let step = Edge { from, to, guards, op, span: old.span };
        if i == 0 {
            body.edges[edge] = step;
        } else {
            body.edges.push(step);
        }
        from = to.unwrap_or(from);
    }
}

fn around_call(program: &mut Program, (func, id): (FuncId, EdgeId), callee: FuncId, events: &mut Events) {
    let edge = program.edge(func, id).clone();
    let Op::Call(mut call) = edge.op else { return };
    let (span, mut ops, mut args) = (edge.span, Vec::new(), Vec::new());
    let f = &program.functions[callee];
    let (name, ret_ty, ret) = (f.name.clone(), f.ret_ty(), f.ret.map(|r| f.locals[r].name.clone()));
    let params: Vec<Option<String>> = f.params().map(|p| Some(f.locals[p].name.clone())).collect();
    let declared = program.declared.clone();
    let source = |param: Option<&String>| declared.local(&name, param?);
    let hidden = usize::from(params.first().is_some_and(|p| p.as_deref() == Some("$dst")));
    for (i, arg) in call.args.iter_mut().enumerate() {
        if arg.as_const().is_none() {
            let var = temp(program, func, arg.ty, span);
            let value = std::mem::replace(arg, Expr::var(var, arg.ty));
            ops.push(Op::Assign(Place::var(var, value.ty), value));
        }
        if i >= hidden {
            let ty = source(params.get(i).and_then(Option::as_ref));
            // A structure is passed by an address that the source does not know of.
            let record = ty.is_some_and(|t| matches!(declared.types[t], declared::Type::Record(_)));
            args.push((!record).then(|| Argument { value: arg.clone(), ty }));
        }
    }
    if let (None, Some(ty)) = (call.dst, ret_ty) {
        call.dst = Some(temp(program, func, ty, span));
    }
    let given = call.dst.zip(ret_ty).map(|(dst, ty)| Argument { value: Expr::var(dst, ty), ty: source(ret.as_ref()) });
    let entry = Event { function: name.clone(), moment: Moment::Entry, args: args.clone(), result: None };
    let exit = Event { function: name.clone(), moment: Moment::Exit, args, result: given };
    let [before, behind] = [0, 1].map(|_| temp(program, func, Ty::Bool, span));
    ops.extend([mark(events.push(entry), before), Op::Call(call)]);
    // One that does not return has no exit.
    let ends = |e: &Edge| Some(e.from) == edge.to && matches!(e.op, Op::Halt) && e.span == span;
    if !program.body(func).edges.iter().any(ends) {
        ops.push(mark(events.push(exit), behind));
    }
    put(program, func, id, ops);
}

/// The entry function returns, and nothing follows.
fn at_the_end(program: &mut Program, events: &mut Events) {
    let entry = program.entry;
    let event = Event { function: String::new(), moment: Moment::End, args: Vec::new(), result: None };
    let id = events.push(event);
    let returns: Vec<EdgeId> = program
        .body(entry)
        .edges
        .iter_enumerated()
        .filter(|(_, e)| matches!(e.op, Op::Return(_)))
        .map(|(id, _)| id)
        .collect();
    let result = program.functions[entry].ret.zip(program.functions[entry].ret_ty());
    for edge in returns {
        let Edge { op, span, .. } = program.edge(entry, edge).clone();
        let dst = temp(program, entry, Ty::Bool, span);
        let (set, value) = match (op, result) {
            (Op::Return(Some(value)), Some((ret, ty))) => {
                let place = Place::var(Var::Local(ret), ty);
                (Op::Assign(place.clone(), value), Some(Expr::read(place)))
            }
            _ => (Op::Skip, None),
        };
        put(program, entry, edge, vec![set, mark(id, dst), Op::Return(value)]);
    }
}

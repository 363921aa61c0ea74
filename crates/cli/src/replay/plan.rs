//! What the outside does in a run: which values it gives, to which call, and what it writes where.
//!
//! The run is repeated in the interpreter by someone who notes both its questions and its calls. What comes out speaks of C: the
//! n-th call of a function, its arguments, globals, blocks of the heap; no edge and no number of an object is left. What
//! no program from outside can bring about - what an uninitialised variable holds, where an object lies - is kept by name.

use super::pointers::{Known, Spot};
use crate::front::Front;
use certify::Counterexample;
use ir::interp::{self, Answer, At, End, InputCause, InputError, Inputs, Observer, Origin, Request, StateView, Step};
use ir::interp::{Data, Input, Limits, PatchData, Pointer, TapeInputs, Value, What};
use ir::{Address, Callee, Expr, FuncId, HavocDst, Op, Source, Ty, Var};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the outside does.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The calls of functions that the outside answers for, by name, in the order of the run.
    pub calls: BTreeMap<String, Vec<Call>>,
    /// What the entry function is given, by the number of the parameter.
    pub arguments: BTreeMap<usize, Given>,
    /// What is in memory before the run begins.
    pub before: Vec<Write>,
    /// Pointers that calls were given and that later calls use.
    pub saved: Vec<Saved>,
    /// Allocations that fail, by their number in the run.
    pub failing: BTreeSet<usize>,
    /// What fresh blocks of the heap hold.
    pub contents: Vec<Write>,
    /// The run reads something that was never written, and finds zero there.
    pub zeroes: bool,
    /// What a program from outside cannot bring about.
    pub open: Vec<String>,
}

/// One call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Call {
    /// What it writes before it returns.
    pub writes: Vec<Write>,
    /// What it returns, where anybody looks at that.
    pub result: Option<Given>,
}

/// A pointer that a call was given.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Saved {
    /// The function.
    pub function: String,
    /// Which of its calls, and which argument.
    pub call: usize,
    /// Which argument.
    pub argument: usize,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Given {
    /// A pattern of this type.
    Bits(Ty, u128),
    /// A pointer.
    Pointer(Spot),
    /// Bytes of an object.
    Bytes(Vec<u8>),
}

impl Given {
    /// Where it points, if it is a pointer.
    pub(super) fn pointer(&self) -> Option<&Spot> {
        match self {
            Given::Pointer(spot) => Some(spot),
            Given::Bits(..) | Given::Bytes(_) => None,
        }
    }
}

/// A value goes to a place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Write {
    /// The place.
    pub to: Spot,
    /// The value.
    pub value: Given,
}

/// Something that happened.
enum Event {
    /// A function that has no body, or that gives an input, is called with these arguments.
    Called(String, Vec<Value>),
    /// A range of bytes is about to be filled from outside; it begins here.
    Filled(Value),
    /// A block of the heap is about to be made by the allocation function of this name.
    Allocating(String),
    /// The program asked for something.
    Asked(Cause, Data),
}

impl Event {
    /// The address outside of the program that was looked at.
    fn outside(&self) -> Option<u64> {
        match self {
            Event::Asked(Cause::Unwritten(Origin::Ext { address }), _) => Some(*address),
            _ => None,
        }
    }
}

/// Why it asked.
enum Cause {
    /// It called the function that was called last.
    Call,
    /// A function writes to an object.
    Writes(u32),
    /// A function sets a global that does not live in memory.
    Global(ir::GlobalId),
    /// Something was never written.
    Unwritten(Origin),
    /// An allocation may fail.
    Fails,
    /// This, which is not asked of any function.
    Other(String),
}

/// What was seen of a run.
#[derive(Default)]
struct Log {
    events: Vec<Event>,
    known: Known,
    /// Blocks of the heap so far, also those that were not made.
    allocations: usize,
}

/// The plan of a run, and the end of the run.
pub(super) fn of(front: &Front, cex: &Counterexample, limits: &Limits) -> (Plan, End) {
    let log = Rc::new(RefCell::new(Log::default()));
    let mut inputs = Noting { tape: cex.tape.inputs(), log: Rc::clone(&log) };
    let mut observer = Watcher { front, log: Rc::clone(&log), started: false };
    let end = match &cex.path {
        Some(path) => interp::follow(&front.program, path, &mut inputs, limits, &mut observer).end,
        None => interp::run(&front.program, &mut inputs, limits, &mut observer).end,
    };
    drop((inputs, observer));
    let log = Rc::try_unwrap(log).map_or_else(|_| Log::default(), RefCell::into_inner);
    (
        Maker {
            front,
            known: &log.known,
            plan: Plan::default(),
            args: Vec::new(),
            name: None,
            passed: BTreeMap::new(),
            looked_at: BTreeSet::new(),
        }
        .make(log.events),
        end,
    )
}

/// Notes what a tape answers.
struct Noting<'a> {
    tape: TapeInputs<'a>,
    log: Rc<RefCell<Log>>,
}

impl Inputs for Noting<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let answer = self.tape.answer(request)?;
        let data = match (&answer, &request.what) {
            (Answer::Value(v), What::Value { ty, .. }) => Data::Value(*ty, *v),
            (Answer::Bytes(b), _) => Data::Bytes(b.clone()),
            (Answer::Fails(f), _) => Data::Fails(*f),
            (Answer::Writes(w), _) => Data::Writes(w.clone()),
            (Answer::Base(Some(b)), _) => Data::Base(*b),
            (Answer::Value(_) | Answer::Base(None), _) => return Ok(answer),
        };
        self.log.borrow_mut().events.push(Event::Asked(cause(request), data));
        Ok(answer)
    }

    fn finish(&mut self) -> Result<(), InputError> {
        self.tape.finish()
    }
}

fn cause(request: &Request<'_>) -> Cause {
    let named = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match &request.what {
        What::Value { from, .. } | What::Bytes { from, .. } => match from {
            InputCause::Source(Source::Nondet(name)) if named(name) => Cause::Call,
            InputCause::Source(Source::Outside(name)) if name == "volatile" => {
                Cause::Other("what a volatile object holds".into())
            }
            InputCause::Source(Source::Outside(name)) if named(name) && matches!(request.at, At::Edge(..)) => {
                Cause::Other(format!("what `{name}` does"))
            }
            InputCause::Source(Source::Nondet(name) | Source::Outside(name)) => Cause::Other(name.clone()),
            InputCause::Source(Source::Uninit) => Cause::Other("an uninitialised value".into()),
            InputCause::Source(Source::Padding) => Cause::Other("bits of padding".into()),
            InputCause::Uninit(origin) => Cause::Unwritten(*origin),
            InputCause::Result(_) => Cause::Call,
            InputCause::Global(_, g) => Cause::Global(*g),
        },
        What::Fails { .. } => Cause::Fails,
        What::Writes { object, .. } => Cause::Writes(*object),
        What::Base { .. } => Cause::Other("the address of an object".into()),
    }
}

/// Notes calls and objects.
struct Watcher<'a> {
    front: &'a Front,
    log: Rc<RefCell<Log>>,
    started: bool,
}

impl Watcher<'_> {
    /// Objects of the activation that has just begun.
    fn locals(&self, state: &StateView<'_>) {
        let func = state.func();
        let entry = func == self.front.program.entry && state.depth() == 0;
        let function = &self.front.program.functions[func];
        for (i, (id, local)) in function.locals.iter_enumerated().enumerate() {
            let Some(at) = state.eval(&Expr::addr(Address::var(Var::Local(id)))) else { continue };
            let Some(object) = at.provenance.as_object() else { continue };
            let mut log = self.log.borrow_mut();
            if entry && i < function.n_params {
                log.known.parameter(object, at.bits, i);
            } else {
                log.known.local(object, at.bits, &local.name);
            }
        }
    }

    fn globals(&self, state: &StateView<'_>) {
        for (id, global) in self.front.program.globals.iter_enumerated() {
            let at = state.eval(&Expr::addr(Address::var(Var::Global(id))));
            if let Some(at) = at
                && let Some(object) = at.provenance.as_object()
            {
                self.log.borrow_mut().known.global(object, at.bits, &global.name);
            }
        }
        for f in self.front.program.functions.ids() {
            if let Some(at) = state.eval(&Expr::func(f)) {
                self.log.borrow_mut().known.function(at.bits, &self.front.program.functions[f].name);
            }
        }
    }

    fn called(&self, state: &StateView<'_>, func: FuncId, args: &[Expr]) {
        let function = &self.front.program.functions[func];
        if function.body.is_some() || function.name.starts_with('.') && !ir::calls::is_foreign(function) {
            return;
        }
        let unknown = Value::plain(0);
        let args = args.iter().map(|a| state.eval(a).unwrap_or(unknown)).collect();
        self.log.borrow_mut().events.push(Event::Called(function.name.clone(), args));
    }
}

impl Observer for Watcher<'_> {
    fn before(&mut self, state: &StateView<'_>, step: Step) {
        if !self.started {
            self.started = true;
            self.globals(state);
            self.locals(state);
        }
        let mut log = self.log.borrow_mut();
        match &self.front.edge(step.func, step.edge).op {
            Op::Call(call) => {
                if let Callee::Direct(f) = call.callee {
                    drop(log);
                    self.called(state, f, &call.args);
                }
            }
            Op::Alloc(alloc) if !alloc.stack => {
                let site = self.front.program.sites[alloc.site].name.clone();
                log.events.push(Event::Allocating(site));
            }
            Op::Havoc(HavocDst::Place(_), Source::Nondet(name)) => {
                log.events.push(Event::Called(name.clone(), Vec::new()));
            }
            Op::Havoc(HavocDst::Range { dst, .. }, Source::Nondet(name)) => {
                log.events.push(Event::Called(name.clone(), Vec::new()));
                log.events.extend(state.eval(dst).map(Event::Filled));
            }
            _ => {}
        }
    }

    fn after(&mut self, state: &StateView<'_>, step: Step) {
        match &self.front.edge(step.func, step.edge).op {
            Op::Call(_) if state.depth() > step.depth => self.locals(state),
            Op::Begin(_) => self.locals(state),
            Op::Alloc(alloc) if !alloc.stack && is_wrapped(&self.front.program.sites[alloc.site].name) => {
                let at = alloc.dst.as_var().and_then(|v| state.read(v));
                let mut log = self.log.borrow_mut();
                let nth = log.allocations;
                log.allocations += 1;
                if let Some(at) = at
                    && let Some(object) = at.provenance.as_object()
                {
                    log.known.block(object, at.bits, nth);
                }
            }
            _ => {}
        }
    }
}

/// Allocation functions that a program from outside can stand in for.
pub(super) const WRAPPED: [&str; 3] = ["malloc", "calloc", "realloc"];

fn is_wrapped(site: &str) -> bool {
    site.split('.').any(|part| WRAPPED.contains(&part))
}

/// Makes a plan of what was seen.
struct Maker<'a> {
    front: &'a Front,
    known: &'a Known,
    plan: Plan,
    /// The arguments of the call at hand, and the function's name.
    args: Vec<Value>,
    name: Option<String>,
    /// Pointers that calls were given, by object: to which byte, and which call.
    passed: BTreeMap<u32, (u128, Saved)>,
    /// Addresses of the outside that the run looks at.
    looked_at: BTreeSet<u64>,
}

/// A pointer may be so far from what is accessed through it.
const NEAR: u64 = 1 << 12;

impl Maker<'_> {
    fn make(mut self, events: Vec<Event>) -> Plan {
        self.looked_at = events.iter().filter_map(Event::outside).collect();
        let mut allocation = (0, String::new());
        let mut filled = None;
        for event in events {
            match event {
                // A stand-in would need an address for the pointers that lead to it.
                Event::Called(name, _) if self.is_foreign(&name) => {
                    (self.args, self.name, filled) = (Vec::new(), None, None);
                    self.leave_open("what a function does that the outside gave a pointer to");
                }
                Event::Called(name, args) => {
                    self.plan.calls.entry(name.clone()).or_default().push(Call::default());
                    self.pass(&name, &args);
                    (self.args, self.name, filled) = (args, Some(name), None);
                }
                Event::Filled(at) => filled = Some(at),
                Event::Allocating(site) => allocation = (allocation.0 + usize::from(is_wrapped(&site)), site),
                Event::Asked(Cause::Fails, Data::Fails(true)) if is_wrapped(&allocation.1) => {
                    self.plan.failing.insert(allocation.0 - 1);
                }
                Event::Asked(Cause::Fails, Data::Fails(true)) => {
                    self.leave_open(&format!("that the allocation {} fails", allocation.1));
                }
                Event::Asked(Cause::Fails, _) => {}
                Event::Asked(Cause::Call, data) => self.answered(filled.take(), data),
                Event::Asked(Cause::Writes(object), Data::Writes(patches)) => {
                    for patch in patches {
                        let data = match patch.data {
                            PatchData::Bytes(bytes) => Data::Bytes(bytes),
                            PatchData::Pointer(p) => Data::Value(Ty::Ptr, Input::Pointer(p)),
                        };
                        self.written(object, patch.offset, data);
                    }
                }
                Event::Asked(Cause::Global(g), data) => {
                    if !matches!(data, Data::Writes(_)) {
                        let to = Spot::global(&self.front.program.globals[g].name, 0);
                        self.during(to, data);
                    }
                }
                Event::Asked(Cause::Unwritten(origin), data) => self.unwritten(origin, data),
                Event::Asked(Cause::Writes(_), _) => self.leave_open("what an undefined function writes"),
                Event::Asked(Cause::Other(what), _) => self.leave_open(&what),
            }
        }
        self.plan
    }

    fn is_foreign(&self, name: &str) -> bool {
        let program = &self.front.program;
        program.function(name).is_some_and(|f| ir::calls::is_foreign(&program.functions[f]))
    }

    /// Remembers which objects a call gets to know.
    fn pass(&mut self, name: &str, args: &[Value]) {
        let call = self.plan.calls.get(name).map_or(0, |c| c.len() - 1);
        for (argument, value) in args.iter().enumerate() {
            if let Some(object) = value.provenance.as_object() {
                let saved = Saved { function: name.to_string(), call, argument };
                self.passed.insert(object, (value.bits, saved));
            }
        }
    }

    /// A place in an object, by any name that a program from outside has for it.
    fn place(&mut self, object: u32, offset: i128) -> Option<Spot> {
        if let Some(spot) = self.known.inside(object, offset, &self.args) {
            return Some(spot);
        }
        let base = self.known.base(object)?;
        let (bits, saved) = self.passed.get(&object)?;
        let by = i64::try_from(offset - bits.wrapping_sub(base) as i128).ok()?;
        let k = self.plan.saved.iter().position(|s| s == saved).unwrap_or_else(|| {
            self.plan.saved.push(saved.clone());
            self.plan.saved.len() - 1
        });
        Some(Spot::Saved(k, by))
    }

    fn leave_open(&mut self, what: &str) {
        if !self.plan.open.iter().any(|o| o == what) {
            self.plan.open.push(what.to_string());
        }
    }

    fn call(&mut self) -> Option<&mut Call> {
        self.plan.calls.get_mut(self.name.as_ref()?)?.last_mut()
    }

    /// The result of the call at hand, or what it fills a range with.
    fn answered(&mut self, filled: Option<Value>, data: Data) {
        let Some(given) = self.given(data) else { return };
        let write = filled.map(|at| (self.known.spot(at, &self.args), at));
        match write {
            Some((Some(to), _)) => {
                // The range is the call's own first argument.
                let to = if self.args.is_empty() { Spot::Argument(0, 0) } else { to };
                if let Some(call) = self.call() {
                    call.writes.push(Write { to, value: given });
                }
            }
            Some((None, _)) => {
                if let Some(call) = self.call() {
                    call.writes.push(Write { to: Spot::Argument(0, 0), value: given });
                }
            }
            None => {
                if let Some(call) = self.call() {
                    call.result = Some(given);
                }
            }
        }
    }

    /// The function at hand writes to an object.
    fn written(&mut self, object: u32, offset: u64, data: Data) {
        match self.place(object, offset.into()) {
            Some(to) => self.during(to, data),
            None => {
                let what = self.known.name(object);
                self.leave_open(&format!("what an undefined function writes to {what}, which it was given earlier"));
            }
        }
    }

    fn during(&mut self, to: Spot, data: Data) {
        if let Some(value) = self.given(data)
            && let Some(call) = self.call()
        {
            call.writes.push(Write { to, value });
        }
    }

    /// Something was looked at that nobody in the program has written.
    fn unwritten(&mut self, origin: Origin, data: Data) {
        let program = &self.front.program;
        match origin {
            Origin::Local { func, local, since: None } if func == program.entry => {
                let n = base::Id::index(local);
                if n < program.functions[func].n_params {
                    if let Some(value) = self.given(data) {
                        self.plan.arguments.insert(n, value);
                    }
                    return;
                }
                self.indeterminate(&program.functions[func].locals[local].name, &data);
            }
            Origin::Local { func, local, .. } => {
                self.indeterminate(&program.functions[func].locals[local].name, &data);
            }
            Origin::Global { global, since: None } => {
                self.prepare(Spot::global(&program.globals[global].name, 0), data);
            }
            Origin::Global { global, .. } => self.indeterminate(&program.globals[global].name, &data),
            Origin::Ext { address } => {
                self.prepare(Spot::Outside(address.wrapping_sub(interp::ext_base(program))), data);
            }
            Origin::Object { padding: true, .. } => self.leave_open("what padding holds"),
            Origin::Object { object, offset, since, .. } => match self.known.inside(object, offset.into(), &[]) {
                Some(to @ Spot::Global(..)) if since.is_none() => self.prepare(to, data),
                Some(Spot::Parameter(n, 0)) if since.is_none() => {
                    if let Some(value) = self.given(data) {
                        self.plan.arguments.insert(n, value);
                    }
                }
                Some(to @ Spot::Block(..)) => {
                    if let Some(value) = self.given(data) {
                        self.plan.contents.push(Write { to, value });
                    }
                }
                _ => self.indeterminate(&self.known.name(object).clone(), &data),
            },
        }
    }

    /// An uninitialised variable: compilers can be told to make it zero, and nothing else.
    fn indeterminate(&mut self, name: &str, data: &Data) {
        let zero = match data {
            Data::Value(_, Input::Bits(0) | Input::Pointer(Pointer::Null)) => true,
            Data::Bytes(bytes) => bytes.iter().all(|b| *b == 0),
            _ => false,
        };
        if zero {
            self.plan.zeroes = true;
        } else {
            let name = name.split('.').next().unwrap_or(name);
            let name = name.trim_matches('`');
            let name = if name.starts_with('$') || name.is_empty() { "temporary" } else { name };
            self.leave_open(&format!("what uninitialised `{name}` holds"));
        }
    }

    fn prepare(&mut self, to: Spot, data: Data) {
        if let Some(value) = self.given(data) {
            self.plan.before.push(Write { to, value });
        }
    }

    fn given(&mut self, data: Data) -> Option<Given> {
        match data {
            Data::Value(ty, Input::Bits(bits)) => Some(Given::Bits(ty, bits)),
            Data::Bytes(bytes) => Some(Given::Bytes(bytes)),
            Data::Value(_, Input::Pointer(pointer)) => {
                let spot = match pointer {
                    Pointer::Null => Some(Spot::Number(0)),
                    Pointer::Raw(n) => {
                        let spot = self.known.number(n.into());
                        let near = n.saturating_sub(NEAR)..=n.saturating_add(NEAR);
                        if let (Spot::Number(_), Some(_)) = (&spot, self.looked_at.range(near).next()) {
                            // What lies there is the outside's, wherever that is in the compiled program.
                            return Some(Given::Pointer(Spot::Outside(
                                n.wrapping_sub(interp::ext_base(&self.front.program)),
                            )));
                        }
                        if let Spot::Number(1..) = spot {
                            self.leave_open(&format!("what lies at address {n:#x}"));
                        }
                        Some(spot)
                    }
                    Pointer::Ext(offset) => Some(Spot::Outside(offset)),
                    Pointer::Object { object, offset } => self.place(object, offset.into()),
                };
                if let (None, Pointer::Object { object, .. }) = (&spot, pointer) {
                    let what = self.known.name(object);
                    self.leave_open(&format!("a pointer from outside to {what}"));
                }
                spot.map(Given::Pointer)
            }
            Data::Fails(_) | Data::Writes(_) | Data::Base(_) => None,
        }
    }
}

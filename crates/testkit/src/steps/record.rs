//! A run of the interpreter written down: the values of all scalars around every step, and everything that was drawn.
//!
//! Invariant: a value that is `None` is arbitrary and nobody has looked at it so far. Whatever the run draws has a
//! [`Key`] that names the step that made it arbitrary, which is also how `vc` names it.

use std::cell::RefCell;
use std::rc::Rc;

use base::{Id, IndexVec};
use ir::interp::{
    self, Answer, Execution, Input, InputCause, InputError, Inputs, Limits, Observer, Origin, Pointer, Request, Step,
    What,
};
use ir::{FuncId, GlobalId, LocalId, Program, Var};

/// What an arbitrary value is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key {
    /// The value that this step drew.
    Step(u64),
    /// What a function without body left in a global at this step.
    Written(u64, GlobalId),
    /// A local that was not written since this step (`None`: since the start).
    Local(FuncId, LocalId, Option<u64>),
    /// A global that was not written since this step.
    Global(GlobalId, Option<u64>),
}

impl Key {
    /// The key of what a request asks for; `None` for what scalar programs do not ask.
    pub(crate) fn of(request: &Request<'_>) -> Option<Key> {
        let What::Value { from, .. } = &request.what else { return None };
        match from {
            InputCause::Source(_) | InputCause::Result(_) => Some(Key::Step(request.step)),
            InputCause::Global(_, g) => Some(Key::Written(request.step, *g)),
            InputCause::Uninit(Origin::Local { func, local, since }) => Some(Key::Local(*func, *local, *since)),
            InputCause::Uninit(Origin::Global { global, since }) => Some(Key::Global(*global, *since)),
            InputCause::Uninit(Origin::Object { .. } | Origin::Ext { .. }) => None,
        }
    }

    /// The variable of the activation at hand that was drawn because it was read, if this is one.
    pub(crate) fn variable(self) -> Option<Var> {
        match self {
            Key::Step(_) | Key::Written(..) => None,
            Key::Local(_, l, _) => Some(Var::Local(l)),
            Key::Global(g, _) => Some(Var::Global(g)),
        }
    }
}

/// One value that was drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn {
    pub(crate) key: Key,
    pub(crate) value: u128,
}

/// The scalars of a state.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) func: FuncId,
    pub(crate) globals: IndexVec<GlobalId, Option<u128>>,
    pub(crate) locals: IndexVec<LocalId, Option<u128>>,
    pub(crate) entry_globals: IndexVec<GlobalId, Option<u128>>,
    pub(crate) entry_params: Vec<Option<u128>>,
    /// How many values had been drawn by then.
    pub(crate) drawn: usize,
}

impl Snapshot {
    fn take(program: &Program, state: &interp::StateView<'_>, drawn: usize) -> Snapshot {
        let func = state.func();
        let f = &program.functions[func];
        let read = |v: Var| state.read(v).map(|v| v.bits);
        let entry = |v: Var| state.read_entry(v).map(|v| v.bits);
        Snapshot {
            func,
            globals: program.globals.ids().map(|g| read(Var::Global(g))).collect(),
            locals: f.locals.ids().map(|l| read(Var::Local(l))).collect(),
            entry_globals: program.globals.ids().map(|g| entry(Var::Global(g))).collect(),
            entry_params: f.params().map(|p| entry(Var::Local(p))).collect(),
            drawn,
        }
    }

    /// The value of a variable.
    pub(crate) fn get(&self, var: Var) -> Option<u128> {
        match var {
            Var::Global(g) => self.globals[g],
            Var::Local(l) => self.locals[l],
        }
    }

    /// All variables of the activation, globals first.
    pub(crate) fn vars(&self) -> impl Iterator<Item = Var> + use<> {
        let (globals, locals) = (self.globals.len(), self.locals.len());
        let globals = (0..globals).map(|i| Var::Global(GlobalId::from_index(i)));
        globals.chain((0..locals).map(|i| Var::Local(LocalId::from_index(i))))
    }
}

/// Something that happened, with the state at that moment.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// An edge is about to be taken.
    Before(Step, Snapshot),
    /// Its operation has been done.
    After(Step, Snapshot),
    /// The call of this step is over.
    Returned(Step, Snapshot),
}

impl Event {
    pub(crate) fn snapshot(&self) -> &Snapshot {
        match self {
            Event::Before(_, s) | Event::After(_, s) | Event::Returned(_, s) => s,
        }
    }
}

/// A run that was written down.
pub(crate) struct Recorded {
    pub(crate) execution: Execution,
    pub(crate) events: Vec<Event>,
    pub(crate) draws: Vec<Drawn>,
}

impl Recorded {
    /// The edges taken, in order.
    pub(crate) fn path(&self) -> ir::Path {
        let edges = self.events.iter().filter_map(|e| match e {
            Event::Before(step, _) => Some((step.func, step.edge)),
            Event::After(..) | Event::Returned(..) => None,
        });
        ir::Path { edges: edges.collect() }
    }
}

/// Runs a program and writes the run down.
pub(crate) fn record(program: &Program, inputs: &mut dyn Inputs, limits: &Limits) -> Recorded {
    let draws = Rc::new(RefCell::new(Vec::new()));
    let mut recorder = Recorder { program, events: Vec::new(), draws: draws.clone() };
    let mut inputs = Recording { inputs, draws: draws.clone() };
    let execution = interp::run(program, &mut inputs, limits, &mut recorder);
    let Recorder { events, .. } = recorder;
    let draws = draws.borrow().clone();
    Recorded { execution, events, draws }
}

struct Recorder<'p> {
    program: &'p Program,
    events: Vec<Event>,
    draws: Rc<RefCell<Vec<Drawn>>>,
}

impl Recorder<'_> {
    fn snapshot(&self, state: &interp::StateView<'_>) -> Snapshot {
        Snapshot::take(self.program, state, self.draws.borrow().len())
    }
}

impl Observer for Recorder<'_> {
    const ENTRY_VALUES: bool = true;

    fn before(&mut self, state: &interp::StateView<'_>, step: Step) {
        self.events.push(Event::Before(step, self.snapshot(state)));
    }

    fn after(&mut self, state: &interp::StateView<'_>, step: Step) {
        self.events.push(Event::After(step, self.snapshot(state)));
    }

    fn returned(&mut self, state: &interp::StateView<'_>, step: Step) {
        self.events.push(Event::Returned(step, self.snapshot(state)));
    }
}

struct Recording<'i> {
    inputs: &'i mut dyn Inputs,
    draws: Rc<RefCell<Vec<Drawn>>>,
}

impl Inputs for Recording<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let answer = self.inputs.answer(request)?;
        if let (Some(key), Answer::Value(input)) = (Key::of(request), &answer) {
            let value = match input {
                Input::Bits(bits) => *bits,
                Input::Pointer(Pointer::Raw(address)) => u128::from(*address),
                Input::Pointer(_) => 0,
            };
            self.draws.borrow_mut().push(Drawn { key, value });
        }
        Ok(answer)
    }

    fn finish(&mut self) -> Result<(), InputError> {
        self.inputs.finish()
    }
}

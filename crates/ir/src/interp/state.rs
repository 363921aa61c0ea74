//! The state of a run as an [`Observer`](super::Observer) sees it.

use super::code::Compiled;
use super::machine::Frame;
use super::memory::Memory;
use super::value::{Provenance, Value};
use crate::syntax::*;
use base::Id;

/// A look at the current activation and the globals. Looking draws nothing: what is arbitrary and was not drawn yet has
/// no value.
pub struct StateView<'m> {
    pub(super) program: &'m Program,
    pub(super) code: &'m Compiled,
    pub(super) memory: &'m Memory,
    pub(super) globals: &'m [Value],
    pub(super) slots: &'m [Value],
    pub(super) frame: &'m Frame,
    pub(super) depth: usize,
}

/// What entry values are taken from: the parameters and globals as an activation found them, and the contents of those
/// that live in memory and of what the others point to.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(super) slots: Vec<Value>,
    pub(super) globals: Vec<Value>,
    /// By object number, in order: the cells, `None` for those not drawn yet.
    pub(super) objects: Vec<(u32, Vec<Option<super::memory::Cell>>)>,
}

impl Snapshot {
    /// The snapshot at the start of the state's activation.
    pub(super) fn take(state: &StateView<'_>) -> Snapshot {
        let func = state.func();
        let n_params = state.program.functions[func].n_params;
        // A slot holds a value or the address of an object; either way it may lead to one.
        let slots = state.slots[..n_params].iter().chain(state.globals);
        let mut numbers: Vec<u32> = slots.filter_map(|v| v.provenance.as_object()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let objects = numbers
            .into_iter()
            .map(|number| {
                let target = super::memory::Target::Object { number, offset: 0 };
                let size = state.memory.live(number).map_or(0, |l| l.data.len() as u64);
                (number, (0..size).map(|i| state.memory.peek(target, i)).collect())
            })
            .collect();
        Snapshot { slots: state.slots[..n_params].to_vec(), globals: state.globals.to_vec(), objects }
    }
}

impl<'m> StateView<'m> {
    pub(super) fn of(
        program: &'m Program,
        code: &'m Compiled,
        memory: &'m Memory,
        globals: &'m [Value],
        slots: &'m [Value],
        frames: &'m [Frame],
    ) -> StateView<'m> {
        let frame = frames.last().expect("a state has an activation");
        StateView { program, code, memory, globals, slots: &slots[frame.base..], frame, depth: frames.len() - 1 }
    }

    /// The function that runs.
    pub fn func(&self) -> FuncId {
        FuncId::from_index(self.frame.func)
    }

    /// How many activations lie below the current one.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Whether the object with this number is alive.
    pub fn is_alive(&self, object: u32) -> bool {
        self.memory.live(object).is_some()
    }

    pub(super) fn in_memory(&self, var: Var) -> bool {
        self.code.taken.in_memory(self.program, self.func(), var)
    }

    /// The value of a scalar variable; `None` if it is arbitrary and was not drawn yet, or an object.
    pub fn read(&self, var: Var) -> Option<Value> {
        let ty = self.program.shape(self.func(), var).scalar()?;
        self.eval(&Expr::var(var, ty))
    }

    /// The value that a parameter or global had when the activation began. Needs
    /// [`Observer::ENTRY_VALUES`](super::Observer::ENTRY_VALUES).
    pub fn read_entry(&self, var: Var) -> Option<Value> {
        let ty = self.program.shape(self.func(), var).scalar()?;
        self.eval(&Expr::entry(Expr::var(var, ty)))
    }

    /// What a variable's slot holds: its value, or the address of its object.
    pub(super) fn slot(&self, var: Var, entry: Option<&Snapshot>) -> Option<Value> {
        let v = match (var, entry) {
            (Var::Local(l), None) => self.slots[l.index()],
            (Var::Global(g), None) => self.globals[g.index()],
            (Var::Local(l), Some(s)) => *s.slots.get(l.index())?,
            (Var::Global(g), Some(s)) => s.globals[g.index()],
        };
        (v.provenance != Provenance::UNDRAWN).then_some(v)
    }
}

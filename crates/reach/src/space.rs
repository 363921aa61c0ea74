//! Which decision-diagram variable stands for which program variable.
//!
//! Every *slot* has four variables next to each other, one per [`Role`]. A global has a slot of its own; locals of
//! different procedures share slots (only one activation is looked at at a time); the k-th value that a procedure returns
//! has a slot for all procedures. All renamings move values within their slot and keep the order.

use crate::order::arrange;
use base::{Id, IndexVec};
use bdd::{Bdd, Capacity, Manager, OutOfNodes, Rename, VarSet};
use boolprog::{ProcId, Program, Var};

/// What a decision-diagram variable says about its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The value when the activation began (globals and formals).
    Entry = 0,
    /// The value passed to a formal of the callee, while a call is joined with a summary.
    Passed = 1,
    /// The value now.
    Now = 2,
    /// The value after the statement, or handed back by a summary.
    Next = 3,
}

const ROLES: usize = 4;

/// The variables of a program as decision-diagram variables, and the manager that owns them.
#[derive(Debug)]
pub struct Space {
    /// The owner of all functions.
    pub manager: Manager,
    n_globals: usize,
    /// Position in the order, per slot: globals first, then returned values, then local slots.
    position: Vec<usize>,
    /// The inverse of `position`.
    slot_at: Vec<usize>,
    /// Slot per procedure and local, counted without the globals.
    local_slot: IndexVec<ProcId, Vec<usize>>,
}

impl Space {
    /// The space of `program`, in the order its affinities suggest.
    pub fn new(program: &Program, capacity: Capacity) -> Result<Space, OutOfNodes> {
        let n_globals = program.globals.len();
        let arrangement = arrange(program);
        let n_slots = arrangement.position.len();
        let mut slot_at = vec![0; n_slots];
        for (slot, &p) in arrangement.position.iter().enumerate() {
            slot_at[p] = slot;
        }
        let manager = Manager::new(ROLES * n_slots, capacity)?;
        Ok(Space { manager, n_globals, position: arrangement.position, slot_at, local_slot: arrangement.local_slot })
    }

    fn slot(&self, proc: ProcId, var: Var) -> usize {
        match var {
            Var::Global(g) => g.index(),
            Var::Local(l) => self.n_globals + self.local_slot[proc][l.index()],
        }
    }

    fn at(&self, slot: usize, role: Role) -> usize {
        ROLES * self.position[slot] + role as usize
    }

    /// The number of the decision-diagram variable for `var` of `proc` in `role`.
    pub fn index(&self, proc: ProcId, var: Var, role: Role) -> usize {
        self.at(self.slot(proc, var), role)
    }

    /// What variable `index` stands for in `proc`; `None` if for nothing.
    pub fn meaning(&self, program: &Program, proc: ProcId, index: usize) -> Option<(Var, Role)> {
        let slot = self.slot_at[index / ROLES];
        let role = [Role::Entry, Role::Passed, Role::Now, Role::Next][index % ROLES];
        program.scope(proc).find(|&v| self.slot(proc, v) == slot).map(|v| (v, role))
    }

    /// The function that is `var` of `proc` in `role`.
    pub fn var(&self, proc: ProcId, var: Var, role: Role) -> Bdd {
        self.manager.var(self.index(proc, var, role))
    }

    /// The variable in which the `k`-th returned value travels.
    pub fn returned(&self, k: usize, role: Role) -> usize {
        self.at(self.n_globals + k, role)
    }

    /// The set of `vars` of `proc` in `role`.
    pub fn set(&self, proc: ProcId, vars: impl IntoIterator<Item = Var>, role: Role) -> Result<VarSet, OutOfNodes> {
        self.manager.var_set(vars.into_iter().map(|v| self.index(proc, v, role)))
    }

    /// The renaming of `vars` of `proc` from one role to another.
    pub fn shift(&self, proc: ProcId, vars: impl IntoIterator<Item = Var>, from: Role, to: Role) -> Rename {
        Rename::new(vars.into_iter().map(|v| (self.index(proc, v, from), self.index(proc, v, to))))
    }
}

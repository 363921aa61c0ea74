//! What a solution says about expressions and places.

use crate::eval::{self, Loads, PointsToSets};
use crate::offsets::Offsets;
use crate::solution::{Object, Solution};
use crate::targets::Targets;
use base::sabotage::{self, Fault};
use ir::cfg::AddressTaken;
use ir::{Address, Callee, Expr, FuncId, Place, Program, Ty, Var};

/// A solution together with what it is about.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The program.
    pub program: &'a Program,
    /// Which of its variables live in memory.
    pub taken: &'a AddressTaken,
    /// What pointers may point to.
    pub solution: &'a Solution,
}

impl<'a> Query<'a> {
    /// Whether a variable lives in memory.
    pub fn in_memory(&self, func: FuncId, var: Var) -> bool {
        self.taken.in_memory(self.program, func, var)
    }

    /// The object that a variable is.
    pub fn object(func: FuncId, var: Var) -> Object {
        match var {
            Var::Global(g) => Object::Global(g),
            Var::Local(l) => Object::Local(func, l),
        }
    }

    /// The size of an object, if all that it stands for have the same.
    pub fn size(&self, object: Object) -> Option<u64> {
        match object {
            Object::Global(g) => Some(self.program.globals[g].shape.size(self.program.model)),
            Object::Local(f, l) => Some(self.program.functions[f].locals[l].shape.size(self.program.model)),
            Object::Ext | Object::Site(_) | Object::Func(_) => None,
        }
    }

    /// The pointers in a variable that does not live in memory.
    pub fn variable(&self, func: FuncId, var: Var) -> &'a Targets {
        match var {
            Var::Global(g) => &self.solution.globals[g],
            Var::Local(l) => &self.solution.locals[func][l],
        }
    }

    /// What an expression may point to; empty if it is no pointer.
    pub fn expr(&self, func: FuncId, e: &Expr) -> Targets {
        eval::expr(self, func, e)
    }

    /// What an address may point to.
    pub fn address(&self, func: FuncId, addr: &Address) -> Targets {
        eval::address(self, func, addr)
    }

    /// The objects that an access through a pointer with these targets may touch: a pointer of unknown origin reaches
    /// the outside and all that is known there.
    pub fn reached(&self, targets: &Targets) -> Targets {
        let named = self.named(targets);
        if !named.contains_key(&Object::Ext) {
            return named;
        }
        named.into_iter().chain(self.known_outside().map(|object| (object, Offsets::ANY))).collect()
    }

    /// The same, but that the outside stands for all that is known there.
    pub(crate) fn named(&self, targets: &Targets) -> Targets {
        let outside = targets.contains_key(&Object::Ext);
        targets.filter(|object, _| {
            !(matches!(object, Object::Func(_)) || outside && self.solution.escaped.contains(&object))
        })
    }

    /// What a pointer of unknown origin reaches besides the outside.
    pub(crate) fn known_outside(&self) -> impl Iterator<Item = Object> + use<'a> {
        let none = sabotage::active(Fault::NumbersReachNothing);
        self.solution.escaped.iter().copied().filter(move |_| !none)
    }

    /// The objects that an access of `size` bytes may touch, but for what would lie outside its object. The outside stands
    /// for all that is known there.
    pub fn accessed(&self, targets: &Targets, size: u64) -> Targets {
        self.named(targets).filter(|object, at| self.fits(object, at, size))
    }

    /// Whether an access of `size` bytes may lie in an object.
    pub(crate) fn fits(&self, object: Object, at: Offsets, size: u64) -> bool {
        let fits = |n: u64| at.start >= 0 && (at.start as u64).checked_add(size).is_some_and(|end| end <= n);
        at.stride != 0 || self.size(object).is_none_or(fits)
    }

    /// The pointers that a read of one at an address may give, and those that are taken apart by it, if they have not
    /// escaped anyway.
    pub fn load(&self, address: &Targets) -> (Targets, Targets) {
        let size = Ty::Ptr.size(self.program.model);
        let mut loads = Loads::default();
        for (object, at) in self.named(address) {
            if object == Object::Ext {
                loads.read_outside();
            } else if let Some(slots) = self.solution.contents.get(&object) {
                let near = slots.iter().filter(|(slot, _)| at.meet(size, slot.at, slot.size).overlap);
                loads.read(&near.collect::<Vec<_>>(), at, size);
            }
        }
        loads.result()
    }

    /// The functions that a call may run.
    pub fn callees(&self, func: FuncId, callee: &Callee, n_args: usize) -> Vec<FuncId> {
        match callee {
            Callee::Direct(f) => vec![*f],
            Callee::Indirect(p) => eval::callees(self.program, &self.expr(func, p), n_args),
        }
    }

    /// Whether an access of a place is one of memory.
    pub fn is_access(&self, func: FuncId, place: &Place) -> bool {
        place.as_var().is_none_or(|v| self.in_memory(func, v))
    }
}

impl PointsToSets for Query<'_> {
    fn program(&self) -> &Program {
        self.program
    }
    fn in_memory(&self, func: FuncId, var: Var) -> bool {
        Query::in_memory(self, func, var)
    }
    fn variable(&self, func: FuncId, var: Var) -> Targets {
        Query::variable(self, func, var).clone()
    }
    fn load(&self, address: &Targets) -> Targets {
        Query::load(self, address).0
    }
}

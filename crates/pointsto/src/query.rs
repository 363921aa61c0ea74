//! What a solution says about expressions and places. Pure: used while solving and afterwards.

use crate::offsets::{Offsets, power_of_two_part};
use crate::solution::{Object, Slot, Solution, Targets};
use base::sabotage::{self, Fault};
use ir::cfg::AddressTaken;
use ir::{Address, Base, Callee, DataModel, Expr, ExprKind, FuncId, Index, Place, Program, Ty, Var};
use std::collections::BTreeMap;

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

/// Adds a case to a set of targets. Stored pointers can be moved again and again, so their strides survive wrapping.
pub(crate) fn add(targets: &mut Targets, object: Object, offsets: Offsets) -> bool {
    let offsets = if object == Object::Ext { Offsets::ANY } else { offsets.wrapping() };
    match targets.get_mut(&object) {
        None => {
            targets.insert(object, offsets);
            true
        }
        Some(known) => {
            let join = known.join(offsets);
            join != std::mem::replace(known, join)
        }
    }
}

/// The targets of a pointer of unknown origin.
pub(crate) fn unknown() -> Targets {
    BTreeMap::from([(Object::Ext, Offsets::ANY)])
}

/// A constant as wide as a pointer, with its sign.
pub(crate) fn wrap(model: DataModel, n: i64) -> i64 {
    match model {
        DataModel::Ilp32 => i64::from(n as i32),
        DataModel::Lp64 => n,
    }
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
        match &e.kind {
            ExprKind::Const(c) if e.ty == Ty::Ptr && *c != 0 => unknown(),
            ExprKind::Const(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Ask(..) => Targets::new(),
            ExprKind::Read(place) if place.ty != Ty::Ptr => Targets::new(),
            ExprKind::Read(place) => match place.as_var().filter(|&v| !self.in_memory(func, v)) {
                Some(var) => self.variable(func, var).clone(),
                None => self.load(&self.address(func, &place.addr)).0,
            },
            ExprKind::Addr(addr) => {
                let mut targets = Targets::new();
                for (object, offsets) in self.address(func, addr) {
                    add(&mut targets, object, offsets);
                }
                targets
            }
            ExprKind::Func(f) => Targets::from([(Object::Func(*f), Offsets::exactly(0))]),
            ExprKind::Convert(a) => match (a.ty, e.ty) {
                (Ty::Ptr, Ty::Ptr) => self.expr(func, a),
                (_, Ty::Ptr) if a.as_const() != Some(0) => unknown(),
                _ => Targets::new(),
            },
            ExprKind::Ite(_, a, b) => {
                let mut targets = self.expr(func, a);
                if sabotage::active(Fault::AliasCaseDropped) && !targets.is_empty() {
                    return targets;
                }
                for (object, offsets) in self.expr(func, b) {
                    add(&mut targets, object, offsets);
                }
                targets
            }
            ExprKind::Entry(a) => self.expr(func, a),
        }
    }

    /// What an address may point to. Here a stride of a narrow index is kept as it is: the product cannot wrap.
    pub fn address(&self, func: FuncId, addr: &Address) -> Targets {
        let mut targets = match &addr.base {
            Base::Var(v) => Targets::from([(Self::object(func, *v), Offsets::exactly(0))]),
            Base::Ptr(p) => self.expr(func, p),
        };
        let model = self.program.model;
        for (object, offsets) in &mut targets {
            if *object == Object::Ext {
                continue;
            }
            let mut moved = offsets.shift(addr.offset);
            for index in &addr.indices {
                moved = match index.value.as_const() {
                    Some(c) => moved.shift(wrap(model, c as i64).wrapping_mul(index.stride)),
                    None => moved.spread(self.stride(index)),
                };
            }
            if moved.stride == 0 {
                moved.start = wrap(model, moved.start);
            }
            *offsets = moved;
        }
        targets
    }

    /// The stride that the multiples of an index keep.
    fn stride(&self, index: &Index) -> u64 {
        let stride = index.stride.unsigned_abs();
        let width = match &index.value.kind {
            ExprKind::Convert(a) => match a.ty {
                Ty::Int(i) => i.width,
                Ty::Bool => 1,
                Ty::Ptr | Ty::Float(_) => 128,
            },
            _ => 128,
        };
        let bits = 64 - stride.leading_zeros() + u32::from(width);
        // Three bits of room for the sum with other indices and the constant.
        if bits + 3 <= u32::from(self.program.model.ptr_width()) { stride } else { power_of_two_part(stride) }
    }

    /// The objects that an access through a pointer with these targets may touch: a pointer of unknown origin reaches
    /// the outside and all that is known there.
    pub fn reached(&self, targets: &Targets) -> Targets {
        let mut reached = targets.clone();
        if targets.contains_key(&Object::Ext) && !sabotage::active(Fault::NumbersReachNothing) {
            for &object in &self.solution.escaped {
                reached.insert(object, Offsets::ANY);
            }
        }
        reached.retain(|object, _| !matches!(object, Object::Func(_)));
        reached
    }

    /// The objects that an access of `size` bytes may touch: as [`Query::reached`], but for what would lie outside its
    /// object.
    pub fn accessed(&self, targets: &Targets, size: u64) -> Targets {
        let mut reached = self.reached(targets);
        reached.retain(|&object, at| {
            let fits = |n: u64| at.start >= 0 && (at.start as u64).checked_add(size).is_some_and(|end| end <= n);
            at.stride != 0 || self.size(object).is_none_or(fits)
        });
        reached
    }

    /// The slots of an object that may share bytes with `size` bytes at `at`.
    pub(crate) fn slots(
        &self,
        object: Object,
        at: Offsets,
        size: u64,
    ) -> impl Iterator<Item = (&'a Slot, &'a Targets)> + use<'a> {
        let slots = self.solution.contents.get(&object).into_iter().flatten();
        slots.filter(move |(slot, _)| at.meet(size, slot.at, slot.size).overlap)
    }

    /// The pointers that a read of one at an address may give, and those that are taken apart by it.
    pub fn load(&self, address: &Targets) -> (Targets, Targets) {
        let size = Ty::Ptr.size(self.program.model);
        let (mut targets, mut apart) = (Targets::new(), Targets::new());
        for (object, at) in self.reached(address) {
            if object == Object::Ext {
                add(&mut targets, Object::Ext, Offsets::ANY);
                continue;
            }
            let broken = self.slots(object, at, size).any(|(slot, _)| {
                let meet = at.meet(size, slot.at, slot.size);
                if slot.pointer { !meet.aligned } else { !meet.inside }
            });
            for (slot, held) in self.slots(object, at, size) {
                for (&o, &offsets) in held {
                    if !slot.pointer || at.meet(size, slot.at, slot.size).equal {
                        add(&mut targets, o, offsets);
                    }
                    if broken {
                        add(&mut apart, o, offsets);
                    }
                }
            }
            if broken {
                add(&mut targets, Object::Ext, Offsets::ANY);
            }
        }
        (targets, apart)
    }

    /// The functions that a call may run.
    pub fn callees(&self, func: FuncId, callee: &Callee, n_args: usize) -> Vec<FuncId> {
        let pointer = match callee {
            Callee::Direct(f) => return vec![*f],
            Callee::Indirect(p) => self.expr(func, p),
        };
        let all = pointer.contains_key(&Object::Ext);
        let functions = self.program.functions.iter_enumerated();
        functions
            .filter(|(f, _)| all || pointer.contains_key(&Object::Func(*f)))
            .filter(|(_, f)| f.n_params == n_args || (f.variadic && f.n_params < n_args))
            .map(|(f, _)| f)
            .collect()
    }

    /// Whether an access of a place is one of memory.
    pub fn is_access(&self, func: FuncId, place: &Place) -> bool {
        place.as_var().is_none_or(|v| self.in_memory(func, v))
    }
}

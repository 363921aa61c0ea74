//! What expressions point to, given what variables and memory hold: the same rules while solving ([`crate::solve`]) and
//! afterwards ([`crate::Query`]).

use crate::offsets::{Offsets, power_of_two_part};
use crate::solution::{Object, Slot};
use crate::targets::Targets;
use base::sabotage::{self, Fault};
use ir::{Address, Base, DataModel, Expr, ExprKind, FuncId, Index, Program, Ty, Var};

/// What is known of variables and memory.
pub(crate) trait PointsToSets {
    /// The program.
    fn program(&self) -> &Program;
    /// Whether a variable lives in memory.
    fn in_memory(&self, func: FuncId, var: Var) -> bool;
    /// The pointers in a variable that does not.
    fn variable(&self, func: FuncId, var: Var) -> Targets;
    /// The pointers that a read of one at an address may give.
    fn load(&self, address: &Targets) -> Targets;
}

/// The targets of a pointer of unknown origin.
pub(crate) fn unknown() -> Targets {
    Targets::from([(Object::Ext, Offsets::ANY)])
}

/// A constant as wide as a pointer, with its sign.
pub(crate) fn wrap(model: DataModel, n: i64) -> i64 {
    match model {
        DataModel::Ilp32 => i64::from(n as i32),
        DataModel::Lp64 => n,
    }
}

/// What an expression may point to; empty if it is no pointer.
pub(crate) fn expr(sets: &impl PointsToSets, func: FuncId, e: &Expr) -> Targets {
    match &e.kind {
        ExprKind::Const(c) if e.ty == Ty::Ptr && *c != 0 => unknown(),
        ExprKind::Const(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::ObjectPredicate(..) => {
            Targets::new()
        }
        ExprKind::Read(place) if place.ty != Ty::Ptr => Targets::new(),
        ExprKind::Read(place) => match place.as_var().filter(|&v| !sets.in_memory(func, v)) {
            Some(var) => sets.variable(func, var),
            None => sets.load(&address(sets, func, &place.addr)),
        },
        ExprKind::Addr(addr) => {
            let mut targets = Targets::new();
            targets.join(&address(sets, func, addr));
            targets
        }
        ExprKind::Func(f) => Targets::from([(Object::Func(*f), Offsets::exactly(0))]),
        ExprKind::Convert(a) => match (a.ty, e.ty) {
            (Ty::Ptr, Ty::Ptr) => expr(sets, func, a),
            (_, Ty::Ptr) if a.as_const() != Some(0) => unknown(),
            _ => Targets::new(),
        },
        ExprKind::Ite(_, a, b) => {
            let mut targets = expr(sets, func, a);
            if !sabotage::active(Fault::AliasCaseDropped) || targets.is_empty() {
                targets.join(&expr(sets, func, b));
            }
            targets
        }
        ExprKind::Entry(a) => expr(sets, func, a),
    }
}

/// What an address may point to. Here a stride of a narrow index is kept as it is: the product cannot wrap.
pub(crate) fn address(sets: &impl PointsToSets, func: FuncId, addr: &Address) -> Targets {
    let base = match &addr.base {
        Base::Var(Var::Global(g)) => Targets::from([(Object::Global(*g), Offsets::exactly(0))]),
        Base::Var(Var::Local(l)) => Targets::from([(Object::Local(func, *l), Offsets::exactly(0))]),
        Base::Ptr(p) => expr(sets, func, p),
    };
    if addr.offset == 0 && addr.indices.is_empty() {
        return base;
    }
    let model = sets.program().model;
    base.map(|object, offsets| {
        if object == Object::Ext {
            return offsets;
        }
        let mut moved = offsets.shift(addr.offset);
        for index in &addr.indices {
            moved = match index.value.as_const() {
                Some(c) => moved.shift(wrap(model, c as i64).wrapping_mul(index.stride)),
                None => moved.spread(stride(model, index)),
            };
        }
        if moved.stride == 0 {
            moved.start = wrap(model, moved.start);
        }
        moved
    })
}

/// The stride that the multiples of an index keep.
fn stride(model: DataModel, index: &Index) -> u64 {
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
    if bits + 3 <= u32::from(model.ptr_width()) { stride } else { power_of_two_part(stride) }
}

/// What reads of pointers may give, and the pointers that they take apart.
#[derive(Default)]
pub(crate) struct Loads<'a> {
    found: Vec<&'a Targets>,
    split: Vec<&'a Targets>,
    unknown: bool,
}

impl<'a> Loads<'a> {
    /// A read of `size` bytes, the size of a pointer, at `at`; `near` are the slots that it may share bytes with.
    pub(crate) fn read(&mut self, near: &[(&'a Slot, &'a Targets)], at: Offsets, size: u64) {
        let broken = near.iter().any(|(slot, _)| {
            let meet = at.meet(size, slot.at, slot.size);
            if slot.pointer { !meet.aligned } else { !meet.inside }
        });
        for (slot, held) in near {
            if !slot.pointer || at.meet(size, slot.at, slot.size).equal {
                self.found.push(held);
            }
            if broken {
                self.split.push(held);
            }
        }
        self.unknown |= broken;
    }

    /// A read from outside: all that is held there is meant by its result.
    pub(crate) fn read_outside(&mut self) {
        self.unknown = true;
    }

    /// What was read, and what was taken apart.
    pub(crate) fn result(self) -> (Targets, Targets) {
        let mut found = Targets::union(self.found);
        if self.unknown {
            found.join(&unknown());
        }
        (found, Targets::union(self.split))
    }
}

/// The functions that a call through a pointer may run.
pub(crate) fn callees(program: &Program, pointer: &Targets, n_args: usize) -> Vec<FuncId> {
    let all = pointer.contains_key(&Object::Ext);
    let functions = program.functions.iter_enumerated();
    functions
        .filter(|(f, _)| all || pointer.contains_key(&Object::Func(*f)))
        .filter(|(_, f)| f.n_params == n_args || (f.variadic && f.n_params < n_args))
        .map(|(f, _)| f)
        .collect()
}

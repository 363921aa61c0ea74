//! Rule 6: the analysis of pointers that `vc` builds on is closed under every operation, and its regions have no access
//! across their borders. The rules are written a second time here, as tests on one edge at a time: for each edge, what
//! it may write is contained in what the solution says is there. Nothing of the solver in `pointsto` is used, only its
//! data (what it found) and the arithmetic of offsets.
//!
//! The conditions, over the values that a run can have by the rules of provenance in `ir::interp`:
//! - *values*: what an assignment, argument, result, initialiser or copy moves is in the set of its destination;
//! - *numbers*: a pointer that is converted, or read as or mixed with other bytes, is of an object that has escaped;
//! - *escape*: what an escaped object holds, and what is passed or stored outside, has escaped;
//! - *regions*: each access has its cells, all in one region; cells that share bytes are in one region; in a region of
//!   words they have one size and begin together; what a range cuts is in a region of bytes; copies stay in regions;
//! - *writes*: what a function or its callees write is in its set of modified regions.

mod outside;
#[cfg(test)]
mod tests;

use analysis::Analysis;
use ir::cfg::AddressTaken;
use ir::library::Library;
use ir::walk::{Visitor, walk_edge};
use ir::{
    Address, Base, Call, Callee, Edge, Expr, ExprKind, Externs, FuncId, HavocDst, Init, Op, Place, Program, Shape, Ty,
    Var,
};
use outside::Outside;
use pointsto::{Cell, Object, Offsets, RegionId, Regions, Slot, Solution, Targets, Width};
use std::collections::BTreeSet;

/// What is not closed, as a sentence without a final stop.
pub(crate) type Open = String;
type Check = Result<(), Open>;

/// Checks the points-to sets and regions of an analysis.
pub(crate) fn check(analysis: &Analysis<'_>) -> Check {
    if !analysis.memory_applies() {
        // Then `vc` refuses whatever touches memory.
        return Ok(());
    }
    check_data(analysis.program, analysis.query().solution, &analysis.regions)
}

/// Checks one analysis of `program`: what is not closed, as a sentence without a final stop.
pub fn check_data(program: &Program, solution: &Solution, regions: &Regions) -> Check {
    let taken = AddressTaken::new(program);
    let rules = Rules { program, taken: &taken, solution, regions, outside: Outside::new(solution, regions) };
    rules.start()?;
    rules.outside()?;
    rules.borders()?;
    for (func, f) in program.functions.iter_enumerated() {
        for (id, edge) in f.body.iter().flat_map(|b| b.edges.iter_enumerated()) {
            rules.edge(func, edge).map_err(|e| format!("{id} of {}: {e}", f.name))?;
        }
    }
    Ok(())
}

struct Rules<'a> {
    program: &'a Program,
    taken: &'a AddressTaken,
    solution: &'a Solution,
    regions: &'a Regions,
    outside: Outside,
}

/// Whether every number in `a` is in `b`.
fn within(a: Offsets, b: Offsets) -> bool {
    match b.stride {
        0 => a == b,
        s => a.stride.is_multiple_of(s) && (i128::from(a.start) - i128::from(b.start)) % i128::from(s) == 0,
    }
}

/// Whether a pointer keeps pointing there however often it is moved.
fn stays(o: Offsets) -> Offsets {
    if o.stride == 0 || o.stride.is_power_of_two() { o } else { Offsets::new(o.start, 1 << o.stride.trailing_zeros()) }
}

fn anywhere() -> Targets {
    Targets::from([(Object::Ext, Offsets::ANY)])
}

impl Rules<'_> {
    fn is_in_memory(&self, func: FuncId, var: Var) -> bool {
        self.taken.in_memory(self.program, func, var)
    }

    fn object(func: FuncId, var: Var) -> Object {
        match var {
            Var::Global(g) => Object::Global(g),
            Var::Local(l) => Object::Local(func, l),
        }
    }

    /// Every way in which a value can be in `small` is one in `large`. What is of unknown origin may be a function, or point
    /// into anything that has escaped.
    fn contained(&self, small: &Targets, large: &Targets, what: &str) -> Check {
        let outside = large.contains_key(&Object::Ext);
        for (object, &offsets) in small {
            let offsets = if *object == Object::Ext { Offsets::ANY } else { stays(offsets) };
            let meant = outside && (matches!(object, Object::Func(_)) || self.solution.escaped.contains(object));
            if !meant && !large.get(object).is_some_and(|&l| within(offsets, l)) {
                return Err(format!("{what} may point to {object:?}, which is left out"));
            }
        }
        Ok(())
    }

    fn escaped(&self, targets: &Targets, what: &str) -> Check {
        match targets.keys().find(|o| !matches!(o, Object::Ext | Object::Func(_)) && !self.solution.escaped.contains(o))
        {
            Some(object) => Err(format!("{what} gives {object:?} away, which counts as not escaped")),
            None => Ok(()),
        }
    }

    /// The objects that can be touched through a pointer. [`Object::Ext`] stands for all that has escaped, too.
    fn touched(&self, pointer: &Targets) -> Vec<(Object, Offsets)> {
        let outside = pointer.contains_key(&Object::Ext);
        let named = |o: &Object| !(matches!(o, Object::Func(_)) || outside && self.solution.escaped.contains(o));
        pointer.iter().filter(|(o, _)| named(o)).map(|(&o, &at)| (o, at)).collect()
    }

    fn slots(&self, object: Object) -> impl Iterator<Item = (&Slot, &Targets)> {
        let slots = if object == Object::Ext { Some(&self.outside.slots) } else { self.solution.contents.get(&object) };
        slots.into_iter().flatten()
    }

    fn cells(&self, object: Object) -> &[(Cell, RegionId)] {
        match object {
            Object::Ext => &self.outside.cells,
            _ => self.regions.cells.get(&object).map_or(&[], Vec::as_slice),
        }
    }

    /// The objects that one stands for: itself, or the outside and all that has escaped.
    fn each(&self, object: Object) -> impl Iterator<Item = Object> {
        let escaped = self.solution.escaped.iter().copied().filter(move |_| object == Object::Ext);
        [object].into_iter().chain(escaped)
    }

    fn value(&self, func: FuncId, e: &Expr) -> Targets {
        if e.ty != Ty::Ptr {
            return Targets::new();
        }
        match &e.kind {
            ExprKind::Const(0) => Targets::new(),
            ExprKind::Func(f) => Targets::from([(Object::Func(*f), Offsets::exactly(0))]),
            ExprKind::Addr(addr) => self.address(func, addr),
            ExprKind::Convert(a) if a.ty == Ty::Ptr => self.value(func, a),
            ExprKind::Convert(a) if a.as_const() == Some(0) => Targets::new(),
            ExprKind::Ite(_, a, b) => {
                let mut both = self.value(func, a);
                both.extend(self.value(func, b));
                both
            }
            ExprKind::Read(place) => match place.as_var().filter(|&v| !self.is_in_memory(func, v)) {
                Some(Var::Global(g)) => self.solution.globals[g].clone(),
                Some(Var::Local(l)) => self.solution.locals[func][l].clone(),
                None => self.read(&self.address(func, &place.addr)).0,
            },
            _ => anywhere(),
        }
    }

    fn address(&self, func: FuncId, addr: &Address) -> Targets {
        let base = match &addr.base {
            Base::Var(v) => Targets::from([(Self::object(func, *v), Offsets::exactly(0))]),
            Base::Ptr(p) => self.value(func, p),
        };
        let pointer = u32::from(self.program.model.ptr_width());
        let sign = |n: i64| if pointer == 32 { i64::from(n as i32) } else { n };
        base.map(|object, mut at| {
            if object == Object::Ext {
                return at;
            }
            at = at.shift(addr.offset);
            for index in &addr.indices {
                if let Some(c) = index.value.as_const() {
                    at = at.shift(sign(c as i64).wrapping_mul(index.stride));
                    continue;
                }
                let stride = index.stride.unsigned_abs();
                let from = match &index.value.kind {
                    ExprKind::Convert(a) if matches!(a.ty, Ty::Int(_) | Ty::Bool) => {
                        a.ty.width(self.program.model).into()
                    }
                    _ => pointer,
                };
                // A product that cannot wrap keeps its stride; any other keeps what divides a power of two.
                let fits = from + 67 - stride.leading_zeros() <= pointer;
                at = at.spread(if fits || stride == 0 { stride } else { 1 << stride.trailing_zeros() });
            }
            if at.stride == 0 { Offsets::exactly(sign(at.start)) } else { at }
        })
    }

    /// What a pointer read at an address is, and the pointers of which only parts are read.
    fn read(&self, address: &Targets) -> (Targets, Targets) {
        let n = Ty::Ptr.size(self.program.model);
        let (mut found, mut parts) = (Targets::new(), Targets::new());
        for (object, at) in self.touched(address) {
            if object == Object::Ext {
                // What escaped objects hold has escaped, and is meant by this.
                found.join(&anywhere());
                continue;
            }
            let near: Vec<_> = self.slots(object).filter(|(s, _)| at.meet(n, s.at, s.size).overlap).collect();
            let split = near.iter().any(|(s, _)| {
                let meet = at.meet(n, s.at, s.size);
                !(if s.pointer { meet.aligned } else { meet.inside })
            });
            for (s, held) in near {
                if !s.pointer || at.meet(n, s.at, s.size).equal {
                    found.join(held);
                }
                if split {
                    parts.join(held);
                    found.join(&anywhere());
                }
            }
        }
        (found, parts)
    }

    /// Something that may be written to `size` bytes at `at` of an object is covered by its slots.
    fn holds(&self, object: Object, at: Offsets, size: u64, pointer: bool, value: &Targets) -> Check {
        if object == Object::Ext {
            self.escaped(value, "a store outside")?;
            return self.all_hold(size, pointer, value);
        }
        let covers = |s: &Slot, held: &Targets| {
            s.pointer == pointer && s.size == size && within(at, s.at) && self.contained(value, held, "").is_ok()
        };
        if self.slots(object).any(|(s, held)| covers(s, held)) {
            return Ok(());
        }
        Err(format!("what is written to {object:?} is not among its contents"))
    }

    /// The same of everything that has escaped.
    fn all_hold(&self, size: u64, pointer: bool, value: &Targets) -> Check {
        if self.solution.escaped.is_empty() {
            return Ok(());
        }
        let sets = self.outside.held.get(&(size, pointer)).ok_or("what is written outside is not held everywhere")?;
        sets.iter().try_for_each(|held| self.contained(value, held, "what is held outside"))
    }

    fn store(&self, address: &Targets, ty: Ty, value: &Targets, zero: bool) -> Check {
        let number = if zero { Targets::new() } else { anywhere() };
        let size = ty.size(self.program.model);
        self.touched(address).into_iter().try_for_each(|(object, at)| {
            self.holds(object, at, size, ty == Ty::Ptr, if ty == Ty::Ptr { value } else { &number })
        })
    }

    fn variable(&self, func: FuncId, var: Var, ty: Ty, value: &Targets, zero: bool) -> Check {
        if self.is_in_memory(func, var) {
            return self.store(&Targets::from([(Self::object(func, var), Offsets::exactly(0))]), ty, value, zero);
        }
        let known = match var {
            Var::Global(g) => &self.solution.globals[g],
            Var::Local(l) => &self.solution.locals[func][l],
        };
        if ty == Ty::Ptr { self.contained(value, known, "a variable") } else { Ok(()) }
    }

    fn start(&self) -> Check {
        let (program, main) = (self.program, self.program.entry);
        for (id, g) in program.globals.iter_enumerated() {
            let (var, memory) = (Var::Global(id), self.is_in_memory(main, Var::Global(id)));
            let here = |offset: i64| Targets::from([(Object::Global(id), Offsets::exactly(offset))]);
            if memory && program.known_outside(id) {
                self.escaped(&here(0), "what is known outside")?;
            }
            if program.read_outside(id) {
                self.escaped(&self.solution.globals[id], "a global that the outside can read")?;
                let mut held = self.slots(Object::Global(id));
                held.try_for_each(|(_, held)| self.escaped(held, "a global that the outside can read"))?;
            }
            match &g.init {
                Init::Zero => {}
                Init::Unknown if memory => {
                    let size = g.shape.size(program.model);
                    self.holds(Object::Global(id), Offsets::exactly(0), size, false, &anywhere())?;
                }
                Init::Unknown => self.variable(main, var, g.shape.scalar().unwrap_or(Ty::Bool), &anywhere(), false)?,
                Init::Values(items) => {
                    for item in items {
                        let (value, zero) = (self.value(main, &item.value), item.value.as_const() == Some(0));
                        match memory {
                            true => self.store(&here(item.offset as i64), item.value.ty, &value, zero)?,
                            false => self.variable(main, var, item.value.ty, &value, zero)?,
                        }
                    }
                }
            }
        }
        let entry = &program.functions[main];
        entry.params().try_for_each(|p| match entry.locals[p].shape {
            Shape::Scalar(ty) => self.variable(main, Var::Local(p), ty, &anywhere(), false),
            Shape::Object { .. } => Ok(()),
        })
    }

    /// What is known outside, and what functions without body do.
    fn outside(&self) -> Check {
        let known = || self.solution.escaped.iter().copied().chain([Object::Ext]);
        let regions: BTreeSet<RegionId> = known().flat_map(|o| self.regions.of_object(o)).collect();
        if regions != self.regions.outside {
            return Err("the regions that are known outside are not those of what has escaped".into());
        }
        let mut changed = known().filter(|o| !o.is_constant(self.program)).flat_map(|o| self.regions.of_object(o));
        if changed.any(|region| !self.regions.changed.contains(&region)) {
            return Err("a function without body may write a region that is left out".into());
        }
        let edges = self
            .program
            .functions
            .iter_enumerated()
            .flat_map(|(f, g)| g.body.iter().flat_map(|b| &b.edges).map(move |e| (f, e)));
        let mut called = edges.filter_map(|(f, e)| match &e.op {
            Op::Call(call) => Some((f, call)),
            _ => None,
        });
        let without_body = |g: FuncId| {
            let callee = &self.program.functions[g];
            callee.body.is_none() && Library::of(callee).is_none()
        };
        let calls = called.any(|(f, c)| self.callees(f, c).into_iter().any(without_body));
        for &object in &self.solution.escaped {
            self.slots(object).try_for_each(|(_, held)| self.escaped(held, "an escaped object"))?;
            let constant = object.is_constant(self.program);
            if calls && self.program.externs != Externs::Pure && !constant {
                self.holds(object, Offsets::ANY, 1, false, &anywhere())?;
            }
        }
        Ok(())
    }

    fn callees(&self, func: FuncId, call: &Call) -> Vec<FuncId> {
        let Callee::Indirect(p) = &call.callee else {
            let Callee::Direct(f) = call.callee else { unreachable!("a callee is one of two") };
            return vec![f];
        };
        let (targets, n) = (self.value(func, p), call.args.len());
        let fits = |f: &ir::Function| n == f.n_params || f.variadic && n > f.n_params;
        let known = |f: FuncId| targets.contains_key(&Object::Ext) || targets.contains_key(&Object::Func(f));
        self.program.functions.iter_enumerated().filter(|(id, f)| known(*id) && fits(f)).map(|(id, _)| id).collect()
    }

    fn edge(&self, func: FuncId, edge: &Edge) -> Check {
        let mut seen = Seen { rules: self, func, result: Ok(()) };
        walk_edge(edge, &mut seen);
        seen.result?;
        if let Op::Assign(place, _) | Op::Havoc(HavocDst::Place(place), _) = &edge.op
            && place.bits.is_some()
        {
            self.looked_at(func, place)?;
        }
        match &edge.op {
            Op::Skip | Op::Assume(_) | Op::Free(_) | Op::Release(_) | Op::Return(None) => Ok(()),
            // A local stands for all that it ever was; a life writes nothing.
            Op::Begin(_) | Op::End(_) => Ok(()),
            Op::Error(_) | Op::Halt | Op::Unsupported(_) => Ok(()),
            Op::Assign(place, e) => {
                self.place(func, place, &self.value(func, e), e.as_const() == Some(0) && place.bits.is_none())
            }
            Op::Havoc(HavocDst::Place(place), source) => {
                let wild = source.is_indeterminate() && place.bits.is_none();
                self.place(func, place, &if wild { Targets::new() } else { anywhere() }, wild)
            }
            Op::Havoc(HavocDst::Range { dst, len }, source) => {
                let value = if source.is_indeterminate() { Targets::new() } else { anywhere() };
                self.fill(func, dst, len, &value)
            }
            Op::SetRange { dst, value, len } => {
                self.fill(func, dst, len, &if value.as_const() == Some(0) { Targets::new() } else { anywhere() })
            }
            Op::CopyRange { dst, src, len } => self.copy(func, dst, src, len),
            Op::Alloc(alloc) => {
                let made = Targets::from([(Object::Site(alloc.site), Offsets::exactly(0))]);
                self.place(func, &alloc.dst, &made, false)?;
                self.writes(func, &self.regions.of_object(Object::Site(alloc.site)))
            }
            Op::Return(Some(e)) => {
                let ret = self.program.functions[func].ret.ok_or("a result without a place")?;
                self.variable(func, Var::Local(ret), e.ty, &self.value(func, e), e.as_const() == Some(0))
            }
            Op::Call(call) => self.call(func, call),
        }
    }

    fn place(&self, func: FuncId, place: &Place, value: &Targets, zero: bool) -> Check {
        match place.as_var().filter(|&v| !self.is_in_memory(func, v)) {
            Some(var) => self.variable(func, var, place.ty, value, zero),
            None => {
                let address = self.address(func, &place.addr);
                self.store(&address, place.ty, value, zero)?;
                let region = self.region(&address, place.ty.size(self.program.model))?;
                self.writes(func, &BTreeSet::from([region]))
            }
        }
    }

    fn writes(&self, func: FuncId, regions: &BTreeSet<RegionId>) -> Check {
        match regions.difference(&self.regions.modifies[func]).next() {
            Some(region) => Err(format!("a write to {region} is left out of what the function modifies")),
            None => Ok(()),
        }
    }

    /// The slot in which a range shows; one of unknown length may begin and end anywhere.
    fn range(at: Offsets, len: &Expr) -> (Offsets, u64) {
        let constant = len.as_const().and_then(|n| u64::try_from(n).ok()).filter(|&n| n < 1 << 40);
        constant.map_or((Offsets::ANY, 1), |n| (at, n))
    }

    fn fill(&self, func: FuncId, dst: &Expr, len: &Expr, value: &Targets) -> Check {
        for (object, at) in self.touched(&self.value(func, dst)) {
            let (at, n) = Self::range(stays(at), len);
            self.holds(object, at, n, false, value)?;
            self.whole(func, object, at, n, len.as_const().is_some(), true)?;
        }
        Ok(())
    }

    /// Cells that a range touches lie inside it, or are bytes; if it is written, the function modifies their regions.
    fn whole(&self, func: FuncId, object: Object, at: Offsets, n: u64, known: bool, written: bool) -> Check {
        for (cell, region) in self.cells(object) {
            let meet = cell.at.meet(cell.size, at, n);
            if !meet.overlap {
                continue;
            }
            let inside = if known { meet.inside } else { cell.size == 1 };
            if !inside && self.regions.all[*region].width != Width::Byte {
                return Err(format!("a range cuts a word of {region}"));
            }
            if written {
                self.writes(func, &BTreeSet::from([*region]))?;
            }
        }
        Ok(())
    }

    fn copy(&self, func: FuncId, dst: &Expr, src: &Expr, len: &Expr) -> Check {
        let known = len.as_const().is_some();
        let (to, from) = (self.touched(&self.value(func, dst)), self.touched(&self.value(func, src)));
        for &(target, to_at) in &to {
            let (to_at, n) = Self::range(stays(to_at), len);
            self.holds(target, to_at, n, false, &Targets::new())?;
            self.whole(func, target, to_at, n, known, true)?;
            for &(source, from_at) in &from {
                let (from_at, _) = Self::range(stays(from_at), len);
                self.whole(func, source, from_at, n, known, false)?;
                self.counterparts((target, to_at), (source, from_at), n, known)?;
                self.counterparts((source, from_at), (target, to_at), n, known)?;
                if source == Object::Ext {
                    self.holds(target, to_at, n, false, &anywhere())?;
                }
                for (s, held) in self.slots(source).filter(|(s, _)| s.at.meet(s.size, from_at, n).overlap) {
                    let moved = if known { to_at.moved(s.at, from_at) } else { Offsets::ANY };
                    self.moved(target, moved, s, held)?;
                    if !known || !s.at.meet(s.size, from_at, n).inside {
                        self.escaped(held, "a copy of a part of a pointer")?;
                        self.moved(target, Offsets::ANY, &Slot { size: 1, pointer: false, ..*s }, &anywhere())?;
                    }
                }
                // What was never written is one thing in both places: a number here is a number there.
                for (s, held) in self.slots(target).filter(|(s, _)| s.at.meet(s.size, to_at, n).overlap) {
                    if !s.pointer && !held.is_empty() {
                        self.moved(source, if known { from_at.moved(s.at, to_at) } else { Offsets::ANY }, s, held)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A slot's contents at another place. An object with very many slots may have them at any offset.
    fn moved(&self, object: Object, at: Offsets, slot: &Slot, held: &Targets) -> Check {
        self.holds(object, at, slot.size, slot.pointer, held)
    }

    /// Every cell in the range of `from` has its counterpart in `to`, in the same region.
    fn counterparts(&self, to: (Object, Offsets), from: (Object, Offsets), n: u64, known: bool) -> Check {
        for (cell, region) in self.cells(from.0) {
            if !cell.at.meet(cell.size, from.1, n).overlap {
                continue;
            }
            let moved = if known && to.0 != Object::Ext { to.1.moved(cell.at, from.1) } else { Offsets::ANY };
            let seen = (cell.size, *region);
            if to.0 == Object::Ext && self.outside.counterparts.borrow().contains(&seen) {
                continue;
            }
            let same = |(c, r): &(Cell, RegionId)| {
                *r == *region && within(moved, c.at) && (c.size == cell.size || c.size == 1 && c.at == Offsets::ANY)
            };
            for object in self.each(to.0) {
                if !self.regions.cells.get(&object).is_some_and(|cells| cells.iter().any(same)) {
                    return Err(format!("a copy leaves {region}"));
                }
            }
            if to.0 == Object::Ext {
                self.outside.counterparts.borrow_mut().insert(seen);
            }
        }
        Ok(())
    }

    fn call(&self, func: FuncId, call: &Call) -> Check {
        for callee in self.callees(func, call) {
            let f = &self.program.functions[callee];
            self.writes(func, &self.regions.modifies[callee])?;
            if let Some(lib) = Library::of(f) {
                // It reads only; what it gives is new, or lies where its first argument does.
                if let Some(dst) = call.dst {
                    let inside = call.args.first().filter(|_| lib.gives_argument()).map(|a| self.value(func, a));
                    let value = inside.map_or_else(anywhere, |t| t.map(|_, _| Offsets::ANY));
                    self.variable(func, dst, lib.result(self.program.model), &value, false)?;
                }
                continue;
            }
            if f.body.is_none() {
                call.args.iter().try_for_each(|a| self.escaped(&self.value(func, a), "an argument"))?;
                if let (Some(dst), Some(ty)) = (call.dst, f.ret_ty()) {
                    self.variable(func, dst, ty, &anywhere(), false)?;
                }
                self.outside_globals(func)?;
                continue;
            }
            for (p, arg) in f.params().zip(&call.args) {
                let zero = arg.as_const() == Some(0);
                self.variable(callee, Var::Local(p), arg.ty, &self.value(func, arg), zero)?;
                self.writes(callee, &self.regions.of_object(Object::Local(callee, p)))?;
            }
            if let (Some(dst), Some(ret), Some(ty)) = (call.dst, f.ret, f.ret_ty()) {
                let value = self.value(callee, &Expr::var(Var::Local(ret), ty));
                self.variable(func, dst, ty, &value, false)?;
            }
        }
        match call.dst {
            Some(dst) if self.is_in_memory(func, dst) => {
                self.writes(func, &self.regions.of_object(Self::object(func, dst)))
            }
            _ => Ok(()),
        }
    }

    fn outside_globals(&self, func: FuncId) -> Check {
        if self.program.externs != Externs::Pure {
            self.writes(func, &self.regions.changed)?;
            for (id, g) in self.program.globals.iter_enumerated() {
                let plain = !self.is_in_memory(func, Var::Global(id)) && self.program.known_outside(id);
                if let (true, Shape::Scalar(ty)) = (plain, g.shape) {
                    self.variable(func, Var::Global(id), ty, &anywhere(), false)?;
                }
            }
        }
        Ok(())
    }

    /// The region of an access: all its cells are there, in one region.
    fn region(&self, address: &Targets, size: u64) -> Result<RegionId, Open> {
        let mut found = None;
        for (object, at) in self.touched(address) {
            let fixed = match object {
                Object::Global(g) => Some(self.program.globals[g].shape),
                Object::Local(f, l) => Some(self.program.functions[f].locals[l].shape),
                Object::Ext | Object::Site(_) | Object::Func(_) => None,
            };
            let leaves = |s: Shape| {
                i128::from(at.start) < 0
                    || i128::from(at.start) + i128::from(size) > i128::from(s.size(self.program.model))
            };
            if at.stride == 0 && fixed.is_some_and(leaves) {
                continue;
            }
            let region = if object == Object::Ext { self.region_outside(size)? } else { self.own(object, at, size)? };
            if found.is_some_and(|f| f != region) {
                return Err(format!("an access is in {region} and in another region"));
            }
            found = Some(region);
        }
        Ok(found.unwrap_or(Regions::nowhere()))
    }

    /// The region of an object's cell for an access.
    fn own(&self, object: Object, at: Offsets, size: u64) -> Result<RegionId, Open> {
        let mut cells = self.regions.cells.get(&object).into_iter().flatten();
        let own = |c: &Cell| within(at, c.at) && (c.size == size || c.size == 1 && c.at == Offsets::ANY);
        let cell = cells.find(|(c, _)| own(c));
        cell.map(|&(_, region)| region).ok_or_else(|| format!("an access to {object:?} has no cell"))
    }

    /// The region of an access of unknown origin: the same in all that has escaped.
    fn region_outside(&self, size: u64) -> Result<RegionId, Open> {
        if let Some(&region) = self.outside.accessed.borrow().get(&size) {
            return Ok(region);
        }
        let region = self.own(Object::Ext, Offsets::ANY, size)?;
        for object in self.each(Object::Ext) {
            if self.own(object, Offsets::ANY, size)? != region {
                return Err(format!("an access is in {region} and in another region"));
            }
        }
        self.outside.accessed.borrow_mut().insert(size, region);
        Ok(region)
    }

    /// Cells that share bytes are in one region; words never overlap in part.
    fn borders(&self) -> Check {
        for (object, cells) in &self.regions.cells {
            for (i, (a, r)) in cells.iter().enumerate() {
                let word = self.regions.all[*r].width;
                if word != Width::Byte && word != Width::Word(a.size) {
                    return Err(format!("{r} has words of different sizes"));
                }
                for (b, s) in &cells[i..] {
                    let meet = a.at.meet(a.size, b.at, b.size);
                    if meet.overlap && (r != s || word != Width::Byte && !meet.aligned) {
                        return Err(format!("accesses to {object:?} overlap across a border"));
                    }
                }
                if let Object::Global(g) = object
                    && let Init::Values(items) = &self.program.globals[*g].init
                    && word != Width::Byte
                {
                    for item in items {
                        let n = item.value.ty.size(self.program.model);
                        let meet = a.at.meet(a.size, Offsets::exactly(item.offset as i64), n);
                        if meet.overlap && (!meet.aligned || n != a.size) {
                            return Err(format!("an initialiser cuts a word of {r}"));
                        }
                    }
                }
            }
        }
        self.private()
    }

    /// Private regions hold only locals of one function that no stored pointer points to.
    fn private(&self) -> Check {
        let s = self.solution;
        let stored =
            s.globals.iter().chain(s.locals.iter().flatten()).chain(s.contents.values().flat_map(|c| c.values()));
        let mut known: BTreeSet<Object> = stored.flat_map(Targets::keys).copied().collect();
        known.extend(&s.escaped);
        for (object, cells) in &self.regions.cells {
            for (_, id) in cells {
                let Some(owner) = self.regions.all[*id].private else { continue };
                let mine = matches!(object, Object::Local(f, _) if *f == owner);
                if !mine || known.contains(object) {
                    return Err(format!("{id} counts as private to {}", self.program.functions[owner].name));
                }
            }
        }
        Ok(())
    }

    /// A place is read.
    fn looked_at(&self, func: FuncId, place: &Place) -> Check {
        if place.as_var().is_some_and(|v| !self.is_in_memory(func, v)) {
            return Ok(());
        }
        let address = self.address(func, &place.addr);
        let size = place.ty.size(self.program.model);
        self.region(&address, size)?;
        if place.ty == Ty::Ptr {
            return self.escaped(&self.read(&address).1, "a read of parts of a pointer");
        }
        for (object, at) in self.touched(&address) {
            // What escaped objects hold has escaped.
            for (s, held) in self.slots(object).filter(|_| object != Object::Ext) {
                if s.pointer && at.meet(size, s.at, s.size).overlap {
                    self.escaped(held, "a read of a pointer as a number")?;
                }
            }
            // Bytes that were never written are a number once they were read as one.
            self.holds(object, at, size, false, &anywhere())?;
        }
        Ok(())
    }
}

struct Seen<'a> {
    rules: &'a Rules<'a>,
    func: FuncId,
    result: Check,
}

impl Visitor for Seen<'_> {
    fn expr(&mut self, e: &Expr) {
        if let (ExprKind::Convert(a), Ok(())) = (&e.kind, &self.result)
            && a.ty == Ty::Ptr
            && !matches!(e.ty, Ty::Ptr | Ty::Bool)
        {
            self.result = self.rules.escaped(&self.rules.value(self.func, a), "a conversion to a number");
        }
    }

    fn read(&mut self, place: &Place) {
        if self.result.is_ok() {
            self.result = self.rules.looked_at(self.func, place);
        }
    }
}

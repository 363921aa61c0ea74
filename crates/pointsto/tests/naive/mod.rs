//! The analysis as a plain fixpoint: every edge is looked at until nothing is added. Slow, and without anything that a fast
//! solver needs: what it has to find is what this finds.

use base::IndexVec;
use ir::cfg::AddressTaken;
use ir::library::Library;
use ir::walk::{Visitor, walk_edge};
use ir::{
    Call, Callee, Edge, Expr, ExprKind, Externs, FuncId, Global, GlobalId, HavocDst, Init, Op, Place, Program, Ty, Var,
};
use pointsto::{Object, Offsets, Query, Slot, Solution, Targets};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct Solver<'p> {
    program: &'p Program,
    taken: &'p AddressTaken,
    solution: Solution,
    changed: bool,
    /// A function without body is called.
    calls_outside: bool,
}

/// The least solution that this analysis has for `program`.
pub(crate) fn solve(program: &Program, taken: &AddressTaken) -> Solution {
    let solution = Solution {
        globals: IndexVec::filled(Targets::new(), program.globals.len()),
        locals: program.functions.iter().map(|f| IndexVec::filled(Targets::new(), f.locals.len())).collect(),
        contents: BTreeMap::new(),
        escaped: BTreeSet::new(),
        functions: BTreeSet::new(),
    };
    let mut solver = Solver { program, taken, solution, changed: true, calls_outside: false };
    solver.start();
    while std::mem::take(&mut solver.changed) {
        for (func, f) in program.functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                solver.edge(func, edge);
            }
        }
        solver.escapes();
    }
    solver.solution
}

impl<'p> Solver<'p> {
    fn query(&self) -> Query<'_> {
        Query { program: self.program, taken: self.taken, solution: &self.solution }
    }

    /// Globals as they start, and the entry function's parameters.
    fn start(&mut self) {
        for (id, global) in self.program.globals.iter_enumerated() {
            self.initialise(id, global);
        }
        let entry = &self.program.functions[self.program.entry];
        for p in entry.params() {
            if let Some(ty) = entry.locals[p].shape.scalar() {
                self.assign_var(self.program.entry, Var::Local(p), ty, &unknown(), false);
            }
        }
    }

    fn initialise(&mut self, id: GlobalId, global: &Global) {
        let (program, var) = (self.program, Var::Global(id));
        let memory = self.taken.in_memory(program, program.entry, var);
        if memory && program.known_outside(id) {
            self.escape(&Targets::from([(Object::Global(id), Offsets::ANY)]));
        }
        match &global.init {
            Init::Zero => {}
            Init::Unknown if memory => {
                let size = global.shape.size(program.model);
                self.write(Object::Global(id), Slot { at: Offsets::exactly(0), size, pointer: false }, &unknown());
            }
            Init::Unknown if global.shape.scalar() == Some(Ty::Ptr) => {
                self.flow_var(program.entry, var, &unknown());
            }
            Init::Unknown => {}
            Init::Values(items) => {
                for item in items {
                    let value = self.query().expr(program.entry, &item.value);
                    let at = Targets::from([(Object::Global(id), Offsets::exactly(item.offset as i64))]);
                    if memory {
                        self.store(&at, item.value.ty, &value, item.value.as_const() == Some(0));
                    } else if item.value.ty == Ty::Ptr {
                        self.flow_var(program.entry, var, &value);
                    }
                }
            }
        }
    }

    fn edge(&mut self, func: FuncId, edge: &Edge) {
        self.looks(func, edge);
        match &edge.op {
            Op::Skip | Op::Assume(_) | Op::Error(_) | Op::Halt | Op::Unsupported(_) | Op::Free(_) => {}
            // A local stands for all that it ever was, and no set ever shrinks.
            Op::Begin(_) | Op::End(_) | Op::Release(_) => {}
            Op::Assign(place, e) => {
                let value = self.query().expr(func, e);
                self.assign(func, place, &value, e.as_const() == Some(0));
            }
            Op::Havoc(HavocDst::Place(place), source) => {
                // What was never initialised points nowhere; a part of a container is drawn at once.
                let nothing = source.is_indeterminate() && place.bits.is_none();
                let value = if nothing { Targets::new() } else { unknown() };
                self.assign(func, place, &value, nothing);
            }
            Op::Havoc(HavocDst::Range { dst, len }, source) => {
                let value = if source.is_indeterminate() { Targets::new() } else { unknown() };
                self.fill(func, dst, len, &value);
            }
            Op::Alloc(alloc) => {
                let made = Targets::from([(Object::Site(alloc.site), Offsets::exactly(0))]);
                self.assign(func, &alloc.dst, &made, false);
            }
            Op::SetRange { dst, value, len } => {
                let value = if value.as_const() == Some(0) { Targets::new() } else { unknown() };
                self.fill(func, dst, len, &value);
            }
            Op::CopyRange { dst, src, len } => self.copy(func, dst, src, len),
            Op::Call(call) => self.call(func, call),
            Op::Return(None) => {}
            Op::Return(Some(e)) => {
                let value = self.query().expr(func, e);
                if let Some(ret) = self.program.functions[func].ret {
                    self.assign_var(func, Var::Local(ret), e.ty, &value, e.as_const() == Some(0));
                }
            }
        }
    }

    /// What merely looking at the expressions of an edge does: pointers become numbers.
    fn looks(&mut self, func: FuncId, edge: &Edge) {
        let mut looks = Looks { query: self.query(), func, escaping: Vec::new(), numbers: Vec::new() };
        walk_edge(edge, &mut looks);
        let Looks { escaping, numbers, .. } = looks;
        for targets in escaping {
            self.escape(&targets);
        }
        for (object, slot) in numbers {
            self.write(object, slot, &unknown());
        }
        // A part of a container is read before it is written.
        if let Op::Assign(place, _) | Op::Havoc(HavocDst::Place(place), _) = &edge.op
            && place.bits.is_some()
        {
            let mut looks = Looks { query: self.query(), func, escaping: Vec::new(), numbers: Vec::new() };
            looks.read(place);
            let Looks { escaping, numbers, .. } = looks;
            escaping.iter().for_each(|t| self.escape(t));
            numbers.into_iter().for_each(|(object, slot)| self.write(object, slot, &unknown()));
        }
    }

    fn assign(&mut self, func: FuncId, place: &Place, value: &Targets, zero: bool) {
        match place.as_var().filter(|&v| !self.query().in_memory(func, v)) {
            Some(var) if place.ty == Ty::Ptr => self.flow_var(func, var, value),
            Some(_) => {}
            None => {
                let address = self.query().address(func, &place.addr);
                self.store(&address, place.ty, value, zero && place.bits.is_none());
            }
        }
    }

    fn assign_var(&mut self, func: FuncId, var: Var, ty: Ty, value: &Targets, zero: bool) {
        if self.query().in_memory(func, var) {
            let at = Targets::from([(Query::object(func, var), Offsets::exactly(0))]);
            self.store(&at, ty, value, zero);
        } else if ty == Ty::Ptr {
            self.flow_var(func, var, value);
        }
    }

    fn flow_var(&mut self, func: FuncId, var: Var, value: &Targets) {
        let known = match var {
            Var::Global(g) => &mut self.solution.globals[g],
            Var::Local(l) => &mut self.solution.locals[func][l],
        };
        for (&object, &offsets) in value {
            self.changed |= known.add(object, offsets);
        }
    }

    fn store(&mut self, address: &Targets, ty: Ty, value: &Targets, zero: bool) {
        let size = ty.size(self.program.model);
        let number = if zero { Targets::new() } else { unknown() };
        for (object, at) in self.query().reached(address) {
            let pointer = ty == Ty::Ptr;
            self.write(object, Slot { at, size, pointer }, if pointer { value } else { &number });
        }
    }

    /// Something is written to an object.
    fn write(&mut self, object: Object, slot: Slot, value: &Targets) {
        if object == Object::Ext {
            return self.escape(value);
        }
        let slots = self.solution.contents.entry(object).or_default();
        self.changed |= !slots.contains_key(&slot);
        let held = slots.entry(slot).or_default();
        for (&o, &offsets) in value {
            self.changed |= held.add(o, offsets);
        }
    }

    /// Writes bytes that are no pointers.
    fn fill(&mut self, func: FuncId, dst: &Expr, len: &Expr, value: &Targets) {
        let dst = self.query().expr(func, dst);
        for (object, at) in self.query().reached(&dst) {
            self.write(object, range_slot(at, len), value);
        }
    }

    fn copy(&mut self, func: FuncId, dst: &Expr, src: &Expr, len: &Expr) {
        let query = self.query();
        let (to, from) = (query.reached(&query.expr(func, dst)), query.reached(&query.expr(func, src)));
        let mut writes: Vec<(Object, Slot, Targets)> = Vec::new();
        let mut cut = Vec::new();
        for (&target, &at) in &to {
            // A pointer of which only a part is overwritten is none any more.
            writes.push((target, range_slot(at, len), Targets::new()));
            for (&source, &start) in &from {
                if source == Object::Ext {
                    writes.push((target, range_slot(at, len), unknown()));
                    continue;
                }
                let range = range_slot(start, len);
                for (slot, held) in slots(query, source, range.at, range.size) {
                    let whole = len.as_const().is_some() && slot.at.meet(slot.size, range.at, range.size).inside;
                    if !whole {
                        cut.push(held.clone());
                        writes.push((target, Slot { at: Offsets::ANY, size: 1, pointer: false }, unknown()));
                    }
                    let moved = if len.as_const().is_some() { at.moved(slot.at, start) } else { Offsets::ANY };
                    writes.push((target, Slot { at: moved, ..*slot }, held.clone()));
                }
                // Bytes that were never written are copied as such: when the copy is read as a number, so was the
                // original.
                let range = range_slot(at, len);
                for (slot, held) in slots(query, target, range.at, range.size) {
                    if !slot.pointer && !held.is_empty() {
                        let moved = if len.as_const().is_some() { start.moved(slot.at, at) } else { Offsets::ANY };
                        writes.push((source, Slot { at: moved, ..*slot }, held.clone()));
                    }
                }
            }
        }
        for (object, slot, value) in writes {
            self.write(object, slot, &value);
        }
        for targets in cut {
            self.escape(&targets);
        }
    }

    fn call(&mut self, func: FuncId, call: &Call) {
        if let Callee::Indirect(p) = &call.callee
            && self.query().expr(func, p).contains_key(&Object::Ext)
        {
            let result = call.dst.and_then(|dst| self.program.shape(func, dst).scalar());
            self.undefined(func, call, result);
        }
        for callee in self.query().callees(func, &call.callee, call.args.len()) {
            let f = &self.program.functions[callee];
            if f.body.is_none() {
                self.outside(func, call, callee);
                continue;
            }
            for (p, arg) in f.params().zip(&call.args) {
                let value = self.query().expr(func, arg);
                self.assign_var(callee, Var::Local(p), arg.ty, &value, arg.as_const() == Some(0));
            }
            if let (Some(dst), Some(ret), Some(ty)) = (call.dst, f.ret, f.ret_ty()) {
                let value = self.query().expr(callee, &Expr::var(Var::Local(ret), ty));
                self.assign_var(func, dst, ty, &value, false);
            }
        }
    }

    /// A call of a library function: it only reads, and keeps nothing.
    fn library(&mut self, func: FuncId, call: &Call, lib: Library) {
        let Some(dst) = call.dst else { return };
        let value = match call.args.first() {
            Some(first) if lib.gives_argument() => self.query().expr(func, first).map(|_, _| Offsets::ANY),
            _ => unknown(),
        };
        self.assign_var(func, dst, lib.result(self.program.model), &value, false);
    }

    /// A call of a function without body.
    fn outside(&mut self, func: FuncId, call: &Call, callee: FuncId) {
        if let Some(lib) = Library::of(&self.program.functions[callee]) {
            return self.library(func, call, lib);
        }
        self.undefined(func, call, self.program.functions[callee].ret_ty());
    }

    fn undefined(&mut self, func: FuncId, call: &Call, result: Option<Ty>) {
        self.changed |= !std::mem::replace(&mut self.calls_outside, true);
        for arg in &call.args {
            let value = self.query().expr(func, arg);
            self.escape_argument(&value);
        }
        if let (Some(dst), Some(ty)) = (call.dst, result) {
            self.assign_var(func, dst, ty, &unknown(), false);
        }
        if self.program.externs != Externs::Pure {
            for (id, global) in self.program.globals.iter_enumerated() {
                let plain =
                    !self.taken.in_memory(self.program, func, Var::Global(id)) && self.program.known_outside(id);
                if plain && global.shape.scalar() == Some(Ty::Ptr) {
                    self.flow_var(func, Var::Global(id), &unknown());
                }
            }
        }
    }

    fn escape(&mut self, targets: &Targets) {
        for &object in targets.keys() {
            if let Object::Func(f) = object {
                self.changed |= self.solution.functions.insert(f);
            }
        }
        self.escape_argument(targets);
    }

    fn escape_argument(&mut self, targets: &Targets) {
        for &object in targets.keys() {
            if !matches!(object, Object::Ext | Object::Func(_)) {
                self.changed |= self.solution.escaped.insert(object);
            }
        }
    }

    /// What is reachable from what is known outside is known there too, and may be written.
    fn escapes(&mut self) {
        for g in self.program.globals.ids().filter(|&g| self.program.read_outside(g)) {
            let held = self.solution.contents.get(&Object::Global(g)).into_iter().flat_map(|slots| slots.values());
            let held: Vec<Targets> = held.chain([&self.solution.globals[g]]).cloned().collect();
            held.iter().for_each(|targets| self.escape(targets));
        }
        let all: Vec<Object> = self.solution.escaped.iter().copied().collect();
        for object in all {
            let held: Vec<Targets> =
                self.solution.contents.get(&object).into_iter().flat_map(|slots| slots.values().cloned()).collect();
            for targets in held {
                self.escape(&targets);
            }
            let constant = match object {
                Object::Global(g) => self.program.globals[g].constant,
                Object::Local(f, l) => self.program.functions[f].locals[l].constant,
                _ => false,
            };
            if self.calls_outside && self.program.externs != Externs::Pure && !constant {
                self.write(object, Slot { at: Offsets::ANY, size: 1, pointer: false }, &unknown());
            }
        }
    }
}

/// The slot of a range that starts at `at`.
fn range_slot(at: Offsets, len: &Expr) -> Slot {
    match len.as_const().and_then(|n| u64::try_from(n).ok()).filter(|&n| n < 1 << 40) {
        Some(size) => Slot { at, size, pointer: false },
        None => Slot { at: Offsets::ANY, size: 1, pointer: false },
    }
}

struct Looks<'a> {
    query: Query<'a>,
    func: FuncId,
    escaping: Vec<Targets>,
    /// Bytes that were read as numbers: what was never written is one from then on.
    numbers: Vec<(Object, Slot)>,
}

impl Visitor for Looks<'_> {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Convert(a) = &e.kind
            && a.ty == Ty::Ptr
            && !matches!(e.ty, Ty::Ptr | Ty::Bool)
        {
            self.escaping.push(self.query.expr(self.func, a));
        }
    }

    fn read(&mut self, place: &Place) {
        if !self.query.is_access(self.func, place) {
            return;
        }
        let address = self.query.address(self.func, &place.addr);
        if place.ty == Ty::Ptr {
            self.escaping.push(self.query.load(&address).1);
            return;
        }
        let size = place.ty.size(self.query.program.model);
        for (object, at) in self.query.reached(&address) {
            let pointers = slots(self.query, object, at, size).filter(|(slot, _)| slot.pointer);
            self.escaping.extend(pointers.map(|(_, held)| held.clone()));
            if object != Object::Ext {
                self.numbers.push((object, Slot { at, size, pointer: false }));
            }
        }
    }
}

/// The targets of a pointer of unknown origin.
fn unknown() -> Targets {
    Targets::from([(Object::Ext, Offsets::ANY)])
}

/// The slots of an object that may share bytes with `size` bytes at `at`.
fn slots(query: Query<'_>, object: Object, at: Offsets, size: u64) -> impl Iterator<Item = (&Slot, &Targets)> {
    let slots = query.solution.contents.get(&object).into_iter().flatten();
    slots.filter(move |(slot, _)| at.meet(size, slot.at, slot.size).overlap)
}

/// The solution with what goes without saying: that pointers which overlap each other can be read as anything. And without
/// what is said twice: functions and objects that have escaped in a set of unknown origin, and what a slot holds
/// that a wider one holds too, which only tells in which order edges were looked at.
pub(crate) fn shortened(mut solution: Solution) -> Solution {
    let (escaped, functions) = (solution.escaped.clone(), solution.functions.clone());
    let meant = |object: Object| match object {
        Object::Func(f) => functions.contains(&f),
        _ => escaped.contains(&object),
    };
    let says = |set: &Targets, object: Object, at: Offsets| {
        let outside = set.contains_key(&Object::Ext) && meant(object);
        outside || set.get(&object).is_some_and(|known| at.within(*known))
    };
    for (slot, held) in solution.contents.values_mut().flatten() {
        if slot.pointer && slot.at.stride != 0 && slot.at.stride < slot.size {
            held.join(&unknown());
        }
    }
    let variables = solution.globals.iter_mut().chain(solution.locals.iter_mut().flat_map(|l| l.iter_mut()));
    for set in variables.chain(solution.contents.values_mut().flat_map(BTreeMap::values_mut)) {
        if set.contains_key(&Object::Ext) {
            *set = set.filter(|object, _| !meant(object));
        }
    }
    for slots in solution.contents.values_mut() {
        let all = slots.clone();
        slots.retain(|a, held| {
            let around = |b: &Slot| a != b && (a.size, a.pointer) == (b.size, b.pointer) && a.at.within(b.at);
            let wider: Vec<&Targets> = all.iter().filter(|(b, _)| around(b)).map(|(_, held)| held).collect();
            *held = held.filter(|object, at| !wider.iter().any(|more| says(more, object, at)));
            wider.is_empty() || !held.is_empty()
        });
    }
    solution
}

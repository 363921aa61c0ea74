//! The fixpoint: an edge of the program is looked at, and looked at again when something that it looked at has grown, until
//! nothing has (Andersen's analysis, evaluated edge by edge rather than as a graph of constraints, so that a check of the
//! result is one more look at every edge).
//!
//! Edges are looked at in sweeps, callers before the functions they call: whatever has grown in the meantime, an edge is
//! looked at once in a sweep. Sets are shared between equal variables ([`Targets`]), so what goes round in a cycle costs
//! one comparison for each of its members when it comes round again.

use crate::eval::{self, PointsToSets, unknown, wrap};
use crate::known::{Known, Node};
use crate::offsets::Offsets;
use crate::query::Query;
use crate::solution::{Object, Slot, Solution};
use crate::targets::Targets;
use base::IndexVec;
use base::sabotage::{self, Fault};
use ir::cfg::AddressTaken;
use ir::library::Library;
use ir::walk::{Visitor, walk_edge};
use ir::{
    Call, Callee, Edge, Expr, ExprKind, Externs, FuncId, Global, GlobalId, HavocDst, Init, Op, Place, Program, Ty, Var,
};

/// The least solution that this analysis has for `program`.
pub(crate) fn solve(program: &Program, taken: &AddressTaken) -> Solution {
    let mut solver = Solver { program, known: Known::new(program, taken) };
    solver.start();
    solver.known.settle();
    let edges: Vec<(FuncId, &Edge)> = callers_first(program)
        .into_iter()
        .flat_map(|f| program.functions[f].body.iter().flat_map(|b| &b.edges).map(move |e| (f, e)))
        .collect();
    let mut agenda = Agenda::new(edges.len(), solver.known.n_nodes());
    while let Some(next) = agenda.next() {
        let (func, edge) = edges[next];
        solver.edge(func, edge);
        solver.known.settle();
        let (looked, grown) = solver.known.take();
        agenda.watch(next, looked);
        agenda.wake(&grown);
    }
    solver.known.into_solution()
}

/// Functions in reverse postorder of the calls by name, from the entry function and then from the others.
pub(crate) fn callers_first(program: &Program) -> Vec<FuncId> {
    let called = |f: FuncId| -> Vec<FuncId> {
        let edges = program.functions[f].body.iter().flat_map(|b| &b.edges);
        edges
            .filter_map(|e| match &e.op {
                Op::Call(Call { callee: Callee::Direct(g), .. }) => Some(*g),
                _ => None,
            })
            .collect()
    };
    let mut seen = IndexVec::<FuncId, bool>::filled(false, program.functions.len());
    let mut order = Vec::with_capacity(program.functions.len());
    for root in program.functions.ids().rev().chain([program.entry]).collect::<Vec<_>>().into_iter().rev() {
        let mut stack = vec![(root, None)];
        while let Some((f, rest)) = stack.pop() {
            let mut rest: std::vec::IntoIter<FuncId> = match rest {
                Some(rest) => rest,
                None if std::mem::replace(&mut seen[f], true) => continue,
                None => called(f).into_iter(),
            };
            match rest.next() {
                Some(g) => stack.extend([(f, Some(rest)), (g, None)]),
                None => order.push(f),
            }
        }
    }
    order.reverse();
    order
}

/// The edges that have to be looked at, and those that looked at each node.
struct Agenda {
    due: Vec<bool>,
    /// How many are due, and where the sweep is.
    left: usize,
    at: usize,
    watchers: Vec<Vec<u32>>,
    /// What each edge watches, sorted.
    watched: Vec<Vec<Node>>,
}

impl Agenda {
    fn new(n_edges: usize, n_nodes: usize) -> Agenda {
        Agenda {
            due: vec![true; n_edges],
            left: n_edges,
            at: 0,
            watchers: vec![Vec::new(); n_nodes],
            watched: vec![Vec::new(); n_edges],
        }
    }

    /// The next edge of the sweep that is due; it is not any more.
    fn next(&mut self) -> Option<usize> {
        if self.left == 0 {
            return None;
        }
        let behind = self.due[self.at..].iter().position(|&due| due).map(|i| self.at + i);
        let next = behind.or_else(|| self.due.iter().position(|&due| due))?;
        self.due[next] = false;
        self.left -= 1;
        self.at = next + 1;
        Some(next)
    }

    /// An edge looked at nodes.
    fn watch(&mut self, edge: usize, mut looked: Vec<Node>) {
        looked.sort_unstable();
        looked.dedup();
        let known = &mut self.watched[edge];
        looked.retain(|node| known.binary_search(node).is_err());
        if looked.is_empty() {
            return;
        }
        for &node in &looked {
            self.watchers[node as usize].push(edge as u32);
        }
        known.extend(looked);
        known.sort_unstable();
    }

    /// Nodes have grown.
    fn wake(&mut self, grown: &[Node]) {
        for &node in grown {
            for &edge in &self.watchers[node as usize] {
                self.left += usize::from(!std::mem::replace(&mut self.due[edge as usize], true));
            }
        }
    }
}

struct Solver<'p> {
    program: &'p Program,
    known: Known<'p>,
}

impl Solver<'_> {
    fn expr(&self, func: FuncId, e: &Expr) -> Targets {
        eval::expr(&self.known, func, e)
    }

    fn address(&self, func: FuncId, place: &Place) -> Targets {
        eval::address(&self.known, func, &place.addr)
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
        let memory = self.known.in_memory(program.entry, var);
        if memory && program.known_outside(id) {
            self.known.escape(&Targets::from([(Object::Global(id), Offsets::ANY)]));
        }
        match &global.init {
            Init::Zero => {}
            Init::Unknown if memory => {
                let size = global.shape.size(program.model);
                self.known.write(
                    Object::Global(id),
                    Slot { at: Offsets::exactly(0), size, pointer: false },
                    &unknown(),
                );
            }
            Init::Unknown if global.shape.scalar() == Some(Ty::Ptr) => {
                self.known.flow(program.entry, var, &unknown());
            }
            Init::Unknown => {}
            Init::Values(items) => {
                for item in items {
                    let value = self.expr(program.entry, &item.value);
                    let at = Targets::from([(
                        Object::Global(id),
                        Offsets::exactly(wrap(program.model, item.offset as i64)),
                    )]);
                    if memory {
                        self.store(&at, item.value.ty, &value, item.value.as_const() == Some(0));
                    } else if item.value.ty == Ty::Ptr {
                        self.known.flow(program.entry, var, &value);
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
                let value = self.expr(func, e);
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
                let value = self.expr(func, e);
                if let Some(ret) = self.program.functions[func].ret {
                    self.assign_var(func, Var::Local(ret), e.ty, &value, e.as_const() == Some(0));
                }
            }
        }
    }

    /// What merely looking at the expressions of an edge does: pointers become numbers.
    fn looks(&mut self, func: FuncId, edge: &Edge) {
        let mut looks = Looks { known: &self.known, func, escaping: Targets::new(), numbers: Vec::new() };
        walk_edge(edge, &mut looks);
        // A part of a container is read before it is written.
        if let Op::Assign(place, _) | Op::Havoc(HavocDst::Place(place), _) = &edge.op
            && place.bits.is_some()
        {
            looks.read(place);
        }
        let Looks { escaping, numbers, .. } = looks;
        self.known.escape(&escaping);
        for (object, slot) in numbers {
            self.known.write(object, slot, &unknown());
        }
    }

    fn assign(&mut self, func: FuncId, place: &Place, value: &Targets, zero: bool) {
        match place.as_var().filter(|&v| !self.known.in_memory(func, v)) {
            Some(var) if place.ty == Ty::Ptr => self.known.flow(func, var, value),
            Some(_) => {}
            None => {
                let address = self.address(func, place);
                self.store(&address, place.ty, value, zero && place.bits.is_none());
            }
        }
    }

    fn assign_var(&mut self, func: FuncId, var: Var, ty: Ty, value: &Targets, zero: bool) {
        if self.known.in_memory(func, var) {
            let at = Targets::from([(Query::object(func, var), Offsets::exactly(0))]);
            self.store(&at, ty, value, zero);
        } else if ty == Ty::Ptr {
            self.known.flow(func, var, value);
        }
    }

    fn store(&mut self, address: &Targets, ty: Ty, value: &Targets, zero: bool) {
        let size = ty.size(self.program.model);
        let number = if zero { Targets::new() } else { unknown() };
        for (object, at) in self.known.reached(address) {
            let pointer = ty == Ty::Ptr;
            self.known.write(object, Slot { at, size, pointer }, if pointer { value } else { &number });
        }
    }

    /// Writes bytes that are no pointers.
    fn fill(&mut self, func: FuncId, dst: &Expr, len: &Expr, value: &Targets) {
        let dst = self.expr(func, dst);
        for (object, at) in self.known.reached(&dst) {
            self.known.write(object, range_slot(at, len), value);
        }
    }

    fn copy(&mut self, func: FuncId, dst: &Expr, src: &Expr, len: &Expr) {
        let known = &self.known;
        let reach = |e: &Expr| known.reached(&eval::expr(known, func, e));
        let (to, from) = (reach(dst), reach(src));
        let mut writes: Vec<(Object, Slot, Targets)> = Vec::new();
        let mut cut = Vec::new();
        for (&target, &at) in &to {
            // A pointer of which only a part is overwritten is none any more.
            writes.push((target, range_slot(at, len), Targets::new()));
            for (&source, &start) in &from {
                if source == Object::Ext {
                    writes.push((target, range_slot(at, len), unknown()));
                }
                let range = range_slot(start, len);
                for (slot, held) in known.slots(source, range.at, range.size) {
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
                for (slot, held) in known.slots(target, range.at, range.size) {
                    if !slot.pointer && !held.is_empty() {
                        let moved = if len.as_const().is_some() { start.moved(slot.at, at) } else { Offsets::ANY };
                        writes.push((source, Slot { at: moved, ..*slot }, held.clone()));
                    }
                }
            }
        }
        for (object, slot, value) in writes {
            self.known.write(object, slot, &value);
        }
        for targets in cut {
            self.known.escape(&targets);
        }
    }

    /// The functions that a call may run.
    fn callees(&self, func: FuncId, call: &Call) -> Vec<FuncId> {
        match &call.callee {
            Callee::Direct(f) => vec![*f],
            Callee::Indirect(p) => eval::callees(self.program, &self.expr(func, p), call.args.len()),
        }
    }

    fn call(&mut self, func: FuncId, call: &Call) {
        // A pointer of unknown origin may be a function of the outside. (Where it is called, a call by name stands for it in the
        // end; the calls that are asked about here have none yet.)
        if let Callee::Indirect(p) = &call.callee
            && self.expr(func, p).contains_key(&Object::Ext)
        {
            let result = call.dst.and_then(|dst| self.known.program().shape(func, dst).scalar());
            self.undefined(func, call, result);
        }
        for callee in self.callees(func, call) {
            let f = &self.program.functions[callee];
            if f.body.is_none() {
                self.outside(func, call, callee);
                continue;
            }
            for (p, arg) in f.params().zip(&call.args) {
                let value = self.expr(func, arg);
                self.assign_var(callee, Var::Local(p), arg.ty, &value, arg.as_const() == Some(0));
            }
            if let (Some(dst), Some(ret), Some(ty), false) =
                (call.dst, f.ret, f.ret_ty(), sabotage::active(Fault::CallResultLost))
            {
                let value = self.expr(callee, &Expr::var(Var::Local(ret), ty));
                self.assign_var(func, dst, ty, &value, false);
            }
        }
    }

    /// A call of a library function: it only reads, and keeps nothing.
    fn library(&mut self, func: FuncId, call: &Call, lib: Library) {
        let Some(dst) = call.dst else { return };
        let value = match call.args.first() {
            Some(first) if lib.gives_argument() => self.expr(func, first).map(|_, _| Offsets::ANY),
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

    /// A call of some function without body, which gives this.
    fn undefined(&mut self, func: FuncId, call: &Call, result: Option<Ty>) {
        self.known.call_outside();
        for arg in &call.args {
            let value = self.expr(func, arg);
            if !sabotage::active(Fault::ArgumentsDoNotEscape) {
                self.known.escape_argument(&value);
            }
        }
        if let (Some(dst), Some(ty)) = (call.dst, result) {
            self.assign_var(func, dst, ty, &unknown(), false);
        }
        if self.program.externs != Externs::Pure {
            for (id, global) in self.program.globals.iter_enumerated() {
                let plain = !self.known.in_memory(func, Var::Global(id)) && self.program.known_outside(id);
                if plain && global.shape.scalar() == Some(Ty::Ptr) {
                    self.known.flow(func, Var::Global(id), &unknown());
                }
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
    known: &'a Known<'a>,
    func: FuncId,
    escaping: Targets,
    /// Bytes that were read as numbers: what was never written is one from then on.
    numbers: Vec<(Object, Slot)>,
}

impl Visitor for Looks<'_> {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Convert(a) = &e.kind
            && a.ty == Ty::Ptr
            && !matches!(e.ty, Ty::Ptr | Ty::Bool)
        {
            self.escaping.join(&eval::expr(self.known, self.func, a));
        }
    }

    fn read(&mut self, place: &Place) {
        if place.as_var().is_some_and(|v| !self.known.in_memory(self.func, v)) {
            return;
        }
        let address = eval::address(self.known, self.func, &place.addr);
        if place.ty == Ty::Ptr {
            self.escaping.join(&self.known.load_and_break(&address).1);
            return;
        }
        let size = place.ty.size(self.known.program().model);
        for (object, at) in self.known.reached(&address) {
            if object != Object::Ext {
                for (_, held) in self.known.slots(object, at, size).iter().filter(|(slot, _)| slot.pointer) {
                    self.escaping.join(held);
                }
            }
            self.numbers.push((object, Slot { at, size, pointer: false }));
        }
    }
}

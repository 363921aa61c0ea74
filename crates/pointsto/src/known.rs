//! What the solver knows so far, and who has to look again when it grows.
//!
//! Every variable, object and allocation site is a *node*: of a variable that does not live in memory the pointers in it
//! are known, of any other what its bytes hold. An edge that looked at a node is looked at again when the node grows.
//!
//! A pointer of unknown origin reaches all that has escaped. That is one more node, *the outside*: what is written through
//! such a pointer is kept once and goes to every escaped object, and what any of these holds is collected once for whoever
//! reads through one. So an edge costs the same however much has escaped.

use crate::eval::{self, Facts, unknown};
use crate::offsets::Offsets;
use crate::solution::{Object, Slot, Solution};
use crate::targets::Targets;
use base::sabotage::{self, Fault};
use base::{Id, IndexVec};
use ir::cfg::AddressTaken;
use ir::{Externs, FuncId, Program, Ty, Var};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// An object with more slots than this is no longer told apart by offsets.
const MAX_SLOTS: usize = 200;

/// A node's number.
pub(crate) type Node = u32;
type Slots = BTreeMap<Slot, Targets>;

pub(crate) struct Known<'p> {
    program: &'p Program,
    taken: &'p AddressTaken,
    numbers: Numbers,
    /// The pointers in each node that is a variable and does not live in memory.
    variables: Vec<Targets>,
    /// What each node holds that lives in memory. Of the outside: what escaped objects hold, offsets left aside.
    contents: Vec<Slots>,
    /// All pointers that escaped objects hold.
    held_outside: Targets,
    /// What is written through pointers of unknown origin.
    written_outside: Slots,
    escaped: BTreeSet<Object>,
    /// Escaped objects that have not been dealt with.
    escaping: Vec<Object>,
    /// A function without body is called.
    calls_outside: bool,
    /// The nodes that the edge at hand looked at.
    looked: RefCell<Vec<Node>>,
    /// The nodes that have grown since they were asked for.
    grown: Vec<Node>,
}

/// The numbers of nodes: globals, the locals of each function, sites, the outside.
struct Numbers {
    locals: IndexVec<FuncId, usize>,
    sites: usize,
    outside: usize,
}

impl Numbers {
    fn new(program: &Program) -> Numbers {
        let mut next = program.globals.len();
        let mut after = |n: usize| {
            next += n;
            next - n
        };
        let locals = program.functions.iter().map(|f| after(f.locals.len())).collect();
        let sites = after(program.sites.len());
        Numbers { locals, sites, outside: after(1) }
    }

    fn var(&self, func: FuncId, var: Var) -> usize {
        match var {
            Var::Global(g) => g.index(),
            Var::Local(l) => self.locals[func] + l.index(),
        }
    }

    /// The node of an object that has contents.
    fn object(&self, object: Object) -> usize {
        match object {
            Object::Global(g) => g.index(),
            Object::Local(f, l) => self.locals[f] + l.index(),
            Object::Site(s) => self.sites + s.index(),
            Object::Ext | Object::Func(_) => self.outside,
        }
    }
}

impl<'p> Known<'p> {
    pub(crate) fn new(program: &'p Program, taken: &'p AddressTaken) -> Known<'p> {
        let numbers = Numbers::new(program);
        let n = numbers.outside + 1;
        Known {
            program,
            taken,
            numbers,
            variables: vec![Targets::new(); n],
            contents: vec![Slots::new(); n],
            held_outside: Targets::new(),
            written_outside: Slots::new(),
            escaped: BTreeSet::new(),
            escaping: Vec::new(),
            calls_outside: false,
            looked: RefCell::default(),
            grown: Vec::new(),
        }
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.contents.len()
    }

    /// The nodes that were looked at since the last time, and those that have grown.
    pub(crate) fn take(&mut self) -> (Vec<Node>, Vec<Node>) {
        (self.looked.take(), std::mem::take(&mut self.grown))
    }

    fn look(&self, node: usize) {
        self.looked.borrow_mut().push(node as Node);
    }

    /// The objects that an access through a pointer may touch. The outside stands for all that is known there, which is
    /// not named again.
    pub(crate) fn reached(&self, targets: &Targets) -> Targets {
        let outside = targets.contains_key(&Object::Ext) && self.outside_is_reached();
        targets.filter(|object, _| !matches!(object, Object::Func(_)) && !(outside && self.escaped.contains(&object)))
    }

    fn outside_is_reached(&self) -> bool {
        !sabotage::active(Fault::NumbersReachNothing)
    }

    /// The slots of an object that may share bytes with `size` bytes at `at`.
    pub(crate) fn slots(&self, object: Object, at: Offsets, size: u64) -> impl Iterator<Item = (&Slot, &Targets)> {
        let node = self.numbers.object(object);
        self.look(node);
        eval::overlapping(&self.contents[node], at, size)
    }

    /// The pointers that a read of one at an address may give, and those that are taken apart by it.
    pub(crate) fn load_and_break(&self, address: &Targets) -> (Targets, Targets) {
        let size = Ty::Ptr.size(self.program.model);
        let (mut found, mut apart) = (Targets::new(), Targets::new());
        for (object, at) in self.reached(address) {
            let node = self.numbers.object(object);
            self.look(node);
            if object == Object::Ext {
                // What is known outside is taken apart there; it has escaped anyway.
                found.join(&unknown());
                found.join(&self.held_outside);
            } else {
                eval::load(&self.contents[node], at, size, &mut found, &mut apart);
            }
        }
        (found, apart)
    }

    /// A variable that does not live in memory may have these values too.
    pub(crate) fn flow(&mut self, func: FuncId, var: Var, value: &Targets) {
        let node = self.numbers.var(func, var);
        if self.variables[node].join(value) {
            self.grown.push(node as Node);
        }
    }

    /// Something may be written to an object.
    pub(crate) fn write(&mut self, object: Object, slot: Slot, value: &Targets) {
        if object == Object::Ext {
            self.escape(value);
            self.write_outside(slot, value);
            return;
        }
        let node = self.numbers.object(object);
        let slots = &mut self.contents[node];
        let full = slots.len() >= MAX_SLOTS && !slots.contains_key(&slot);
        let slot = if full { Slot { at: Offsets::ANY, ..slot } } else { slot };
        if !put(slots, slot, value) {
            return;
        }
        self.grown.push(node as Node);
        if self.escaped.contains(&object) {
            self.collect(slot, value);
        }
    }

    fn write_outside(&mut self, slot: Slot, value: &Targets) {
        let slot = Slot { at: Offsets::ANY, ..slot };
        if !self.outside_is_reached() || !put(&mut self.written_outside, slot, value) {
            return;
        }
        let all: Vec<Object> = self.escaped.iter().copied().collect();
        for object in all {
            self.write(object, slot, value);
        }
    }

    /// An escaped object holds something: it can be read from outside, and has escaped too.
    fn collect(&mut self, slot: Slot, value: &Targets) {
        self.escape(value);
        let (slot, outside) = (Slot { at: Offsets::ANY, ..slot }, self.numbers.outside);
        if slot.size == 0 || !self.outside_is_reached() {
            return;
        }
        let new = put(&mut self.contents[outside], slot, value);
        if new | self.held_outside.join(value) {
            self.grown.push(outside as Node);
        }
    }

    /// The objects are known outside, with all that is reachable from them, and may be written there.
    pub(crate) fn escape(&mut self, targets: &Targets) {
        for &object in targets.keys() {
            if !matches!(object, Object::Ext | Object::Func(_)) && self.escaped.insert(object) {
                self.escaping.push(object);
            }
        }
    }

    /// Deals with objects that have escaped, until none is left.
    pub(crate) fn settle(&mut self) {
        while let Some(object) = self.escaping.pop() {
            let held = self.contents[self.numbers.object(object)].clone();
            for (slot, value) in &held {
                self.collect(*slot, value);
            }
            let written = self.written_outside.clone();
            for (slot, value) in &written {
                self.write(object, *slot, value);
            }
            self.write_by_call(object);
        }
    }

    /// A function without body is called.
    pub(crate) fn call_outside(&mut self) {
        if !std::mem::replace(&mut self.calls_outside, true) {
            let all: Vec<Object> = self.escaped.iter().copied().collect();
            all.into_iter().for_each(|object| self.write_by_call(object));
        }
    }

    /// What a function without body may do to an escaped object.
    fn write_by_call(&mut self, object: Object) {
        let constant = matches!(object, Object::Global(g) if self.program.globals[g].constant);
        if self.calls_outside && self.program.externs != Externs::Pure && !constant {
            self.write(object, Slot { at: Offsets::ANY, size: 1, pointer: false }, &unknown());
        }
    }

    /// All that is known, as data.
    pub(crate) fn into_solution(mut self) -> Solution {
        let program = self.program;
        let variable = |node: usize| std::mem::take(&mut self.variables[node]);
        let mut variables = (0..self.numbers.sites).map(variable);
        let globals = variables.by_ref().take(program.globals.len()).collect();
        let locals = program.functions.iter().map(|f| variables.by_ref().take(f.locals.len()).collect()).collect();
        let functions = program.functions.iter_enumerated();
        let objects = program.globals.ids().map(Object::Global);
        let objects = objects.chain(functions.flat_map(|(f, g)| g.locals.ids().map(move |l| Object::Local(f, l))));
        let objects = objects.chain(program.sites.ids().map(Object::Site));
        let contents = objects.zip(self.contents).filter(|(_, slots)| !slots.is_empty());
        let contents = contents.map(|(object, slots)| (object, without_covered(slots))).collect();
        Solution { globals, locals, contents, escaped: self.escaped }
    }
}

impl Facts for Known<'_> {
    fn program(&self) -> &Program {
        self.program
    }
    fn in_memory(&self, func: FuncId, var: Var) -> bool {
        self.taken.in_memory(self.program, func, var)
    }
    fn variable(&self, func: FuncId, var: Var) -> Targets {
        let node = self.numbers.var(func, var);
        self.look(node);
        self.variables[node].clone()
    }
    fn load(&self, address: &Targets) -> Targets {
        self.load_and_break(address).0
    }
}

/// Adds to a slot; whether that was new.
fn put(slots: &mut Slots, slot: Slot, value: &Targets) -> bool {
    match slots.get_mut(&slot) {
        Some(held) => held.join(value),
        None => {
            let mut held = Targets::new();
            held.join(value);
            slots.insert(slot, held);
            true
        }
    }
}

/// Leaves out slots of which another one says all. They come from looking at an edge before all was known that its address
/// may be, so without this a solution would depend on the order of looking.
fn without_covered(slots: Slots) -> Slots {
    let covers = |(a, held): (&Slot, &Targets), (b, more): (&Slot, &Targets)| {
        a != b && a.size == b.size && a.pointer == b.pointer && a.at.within(b.at) && !more.clone().join(held)
    };
    let wide: Vec<(&Slot, &Targets)> = slots.iter().filter(|(slot, _)| slot.at.stride != 0).collect();
    let covered: Vec<Slot> =
        slots.iter().filter(|&a| wide.iter().any(|&b| covers(a, b))).map(|(slot, _)| *slot).collect();
    let mut slots = slots;
    covered.iter().for_each(|slot| drop(slots.remove(slot)));
    slots
}

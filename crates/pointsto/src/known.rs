//! What the solver knows so far, and who has to look again when it grows.
//!
//! Every variable, object and allocation site is a *node*: of a variable that does not live in memory the pointers in it
//! are known, of any other what its bytes hold. An edge that looked at a node is looked at again when the node grows.
//!
//! A pointer of unknown origin reaches all that has escaped. What is written through one is kept once, as what every
//! escaped object holds besides its own slots, and what any of them holds is collected once for whoever reads through one.
//! Sets with [`Object::Ext`] name neither that nor functions that can be read there. So an edge costs the same however much has escaped.

use crate::eval::{Loads, PointsToSets, unknown};
use crate::offsets::Offsets;
use crate::solution::{Object, Slot, Solution};
use crate::targets::Targets;
use base::sabotage::{self, Fault};
use base::{Id, IndexVec};
use ir::cfg::AddressTaken;
use ir::{Externs, FuncId, Program, Ty, Var};
use std::cell::RefCell;
use std::collections::BTreeMap;

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
    /// What each node holds that lives in memory: its own slots.
    contents: Vec<Slots>,
    /// What every escaped object holds besides: what is written through pointers of unknown origin.
    shared: Slots,
    /// What escaped objects hold, offsets left aside.
    collected: Slots,
    escaped: Vec<bool>,
    /// The functions whose addresses can be read outside.
    functions: IndexVec<FuncId, bool>,
    /// Globals at which the outside can look.
    read: Vec<bool>,
    /// Escaped objects that have not been dealt with, and those that have.
    escaping: Vec<Object>,
    outside: Vec<Object>,
    /// A function without body is called.
    calls_outside: bool,
    /// The nodes that the edge at hand looked at.
    looked: RefCell<Vec<Node>>,
    /// The nodes that have grown since they were asked for.
    grown: Vec<Node>,
}

/// The numbers of nodes: globals, the locals of each function, sites, and the two about what has escaped.
struct Numbers {
    locals: IndexVec<FuncId, usize>,
    sites: usize,
    shared: usize,
    collected: usize,
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
        Numbers { locals, sites, shared: after(1), collected: after(1) }
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
            Object::Ext | Object::Func(_) => unreachable!("what lies outside, and code, has no slots of its own"),
        }
    }
}

impl<'p> Known<'p> {
    pub(crate) fn new(program: &'p Program, taken: &'p AddressTaken) -> Known<'p> {
        let numbers = Numbers::new(program);
        let n = numbers.collected + 1;
        let mut read = vec![false; n];
        for g in program.globals.ids() {
            read[g.index()] = program.read_outside(g);
        }
        Known {
            program,
            taken,
            numbers,
            variables: vec![Targets::new(); n],
            contents: vec![Slots::new(); n],
            shared: Slots::new(),
            collected: Slots::new(),
            escaped: vec![false; n],
            functions: IndexVec::filled(false, program.functions.len()),
            read,
            escaping: Vec::new(),
            outside: Vec::new(),
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

    /// Whether a pointer of unknown origin may point there.
    fn is_outside(&self, object: Object) -> bool {
        match object {
            Object::Ext => false,
            Object::Func(f) => self.functions[f],
            _ => self.escaped[self.numbers.object(object)],
        }
    }

    /// The objects that an access through a pointer may touch. The outside stands for all that is known there.
    pub(crate) fn reached(&self, targets: &Targets) -> Targets {
        self.without_outside(targets).filter(|object, _| !matches!(object, Object::Func(_)))
    }

    /// The set without objects that are meant by its being of unknown origin.
    fn without_outside(&self, targets: &Targets) -> Targets {
        if targets.contains_key(&Object::Ext) && targets.keys().any(|&object| self.is_outside(object)) {
            return targets.filter(|object, _| !self.is_outside(object));
        }
        targets.clone()
    }

    /// `held` with more in it; `None` if that is nothing new.
    fn grow(&self, held: &Targets, more: &Targets) -> Option<Targets> {
        let mut new = held.clone();
        if !held.contains_key(&Object::Ext) && !more.contains_key(&Object::Ext) {
            return new.join(more).then_some(new);
        }
        let named = more.filter(|object, _| !self.is_outside(object));
        new.join(&named).then(|| self.without_outside(&new))
    }

    /// Adds to a slot; the slot's new contents if that was new.
    fn put(&self, slots: &Slots, slot: Slot, value: &Targets) -> Option<Targets> {
        let held = slots.get(&slot);
        let new = self.grow(held.unwrap_or(&Targets::new()), value);
        if held.is_some() {
            return new;
        }
        let mut new = new.unwrap_or_default();
        // Where pointers may overlap each other, whatever is read may be a mixture.
        if slot.pointer && slot.at.stride != 0 && slot.at.stride < slot.size {
            new.join(&unknown());
        }
        Some(self.without_outside(&new))
    }

    /// The slots of an object that may share bytes with `size` bytes at `at`.
    pub(crate) fn slots(&self, object: Object, at: Offsets, size: u64) -> Vec<(&Slot, &Targets)> {
        let (own, shared) = match object {
            Object::Ext => {
                self.look(self.numbers.collected);
                (None, Some(&self.collected))
            }
            _ => {
                let node = self.numbers.object(object);
                self.look(node);
                (Some(&self.contents[node]), self.escaped[node].then_some(&self.shared))
            }
        };
        if shared.is_some() {
            self.look(self.numbers.shared);
        }
        let slots = own.into_iter().chain(shared).flatten();
        slots.filter(|(slot, _)| at.meet(size, slot.at, slot.size).overlap).collect()
    }

    /// The pointers that a read of one at an address may give, and those that are taken apart by it.
    pub(crate) fn load_and_break(&self, address: &Targets) -> (Targets, Targets) {
        let size = Ty::Ptr.size(self.program.model);
        let mut loads = Loads::default();
        for (object, at) in self.reached(address) {
            match object {
                Object::Ext => loads.read_outside(),
                _ => loads.read(&self.slots(object, at, size), at, size),
            }
        }
        loads.result()
    }

    /// A variable that does not live in memory may have these values too.
    pub(crate) fn flow(&mut self, func: FuncId, var: Var, value: &Targets) {
        let node = self.numbers.var(func, var);
        if let Some(new) = self.grow(&self.variables[node], value) {
            self.variables[node] = new;
            self.grown.push(node as Node);
        }
        if self.read[node] {
            self.escape(value);
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
        let slots = &self.contents[node];
        let full = slots.len() >= MAX_SLOTS && !slots.contains_key(&slot);
        let slot = if full { Slot { at: Offsets::ANY, ..slot } } else { slot };
        if let Some(new) = self.put(slots, slot, value) {
            self.contents[node].insert(slot, new);
            self.grown.push(node as Node);
            if self.escaped[node] {
                self.collect(slot, value);
            }
        }
        if self.read[node] {
            self.escape(value);
        }
    }

    fn write_outside(&mut self, slot: Slot, value: &Targets) {
        let slot = Slot { at: Offsets::ANY, ..slot };
        if sabotage::active(Fault::NumbersReachNothing) {
            return;
        }
        if let Some(new) = self.put(&self.shared, slot, value) {
            self.shared.insert(slot, new);
            self.grown.push(self.numbers.shared as Node);
            if !self.outside.is_empty() {
                self.collect(slot, value);
            }
        }
    }

    /// An escaped object holds something: it can be read from outside, and has escaped too.
    fn collect(&mut self, slot: Slot, value: &Targets) {
        self.escape(value);
        if slot.size == 0 || sabotage::active(Fault::NumbersReachNothing) {
            return;
        }
        let slot = Slot { at: Offsets::ANY, ..slot };
        if let Some(new) = self.put(&self.collected, slot, value) {
            self.collected.insert(slot, new);
            self.grown.push(self.numbers.collected as Node);
        }
    }

    /// The objects are known outside, with all that is reachable from them, and may be written there.
    pub(crate) fn escape(&mut self, targets: &Targets) {
        for &object in targets.keys() {
            if let Object::Func(f) = object {
                self.functions[f] = true;
            }
        }
        self.escape_argument(targets);
    }

    /// The same for what is handed to a function without body: it knows functions among them, but can find them nowhere.
    pub(crate) fn escape_argument(&mut self, targets: &Targets) {
        for &object in targets.keys() {
            if !matches!(object, Object::Ext | Object::Func(_)) {
                let node = self.numbers.object(object);
                if !std::mem::replace(&mut self.escaped[node], true) {
                    self.escaping.push(object);
                    self.grown.push(node as Node);
                }
            }
        }
    }

    /// Deals with objects that have escaped, until none is left.
    pub(crate) fn settle(&mut self) {
        while let Some(object) = self.escaping.pop() {
            self.outside.push(object);
            let mut held = self.contents[self.numbers.object(object)].clone();
            if self.outside.len() == 1 {
                held.extend(self.shared.clone());
            }
            for (slot, value) in &held {
                self.collect(*slot, value);
            }
            self.write_by_call(object);
        }
    }

    /// A function without body is called.
    pub(crate) fn call_outside(&mut self) {
        if !std::mem::replace(&mut self.calls_outside, true) {
            for object in self.outside.clone() {
                self.write_by_call(object);
            }
        }
    }

    /// What a function without body may do to an escaped object.
    fn write_by_call(&mut self, object: Object) {
        let constant = object.is_constant(self.program);
        if self.calls_outside && self.program.externs != Externs::Pure && !constant {
            self.write(object, Slot { at: Offsets::ANY, size: 1, pointer: false }, &unknown());
        }
    }

    /// All that is known, as data.
    pub(crate) fn into_solution(mut self) -> Solution {
        let program = self.program;
        let variables: Vec<Targets> = self.variables.iter().map(|t| self.without_outside(t)).collect();
        let mut variables = variables.into_iter();
        let globals = variables.by_ref().take(program.globals.len()).collect();
        let locals = program.functions.iter().map(|f| variables.by_ref().take(f.locals.len()).collect()).collect();
        let functions = program.functions.iter_enumerated();
        let objects = program.globals.ids().map(Object::Global);
        let objects = objects.chain(functions.flat_map(|(f, g)| g.locals.ids().map(move |l| Object::Local(f, l))));
        let mut contents = BTreeMap::new();
        for object in objects.chain(program.sites.ids().map(Object::Site)) {
            let slots = self.all_slots(object);
            if !slots.is_empty() {
                contents.insert(object, self.without_covered(slots));
            }
        }
        let functions = self.functions.iter_enumerated().filter(|(_, kept)| **kept).map(|(f, _)| f).collect();
        Solution { globals, locals, contents, escaped: self.outside.into_iter().collect(), functions }
    }

    /// An object's own slots with the shared ones.
    fn all_slots(&mut self, object: Object) -> Slots {
        let node = self.numbers.object(object);
        let mut slots = std::mem::take(&mut self.contents[node]);
        if self.escaped[node] {
            for (slot, value) in &self.shared {
                if let Some(new) = self.put(&slots, *slot, value) {
                    slots.insert(*slot, new);
                }
            }
        }
        slots.values_mut().for_each(|held| *held = self.without_outside(held));
        slots
    }

    /// Leaves out slots of which another one says all. They come from looking at an edge before all was known that its
    /// address may be, so without this a solution would depend on the order of looking.
    fn without_covered(&self, mut slots: Slots) -> Slots {
        let covers = |(a, held): (&Slot, &Targets), (b, more): (&Slot, &Targets)| {
            let around = a != b && a.size == b.size && a.pointer == b.pointer && a.at.within(b.at);
            around && self.grow(more, held).is_none()
        };
        let wide: Vec<(&Slot, &Targets)> = slots.iter().filter(|(slot, _)| slot.at.stride != 0).collect();
        let covered = slots.iter().filter(|&a| wide.iter().any(|&b| covers(a, b)));
        for slot in covered.map(|(slot, _)| *slot).collect::<Vec<_>>() {
            slots.remove(&slot);
        }
        slots
    }
}

impl PointsToSets for Known<'_> {
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

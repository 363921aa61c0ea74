//! Objects, and what pointers may do with them.
//!
//! Memory is a set of objects at fixed, disjoint addresses that are never used again, and the outside: all other addresses
//! above the first page and the functions. Every byte remembers whether it is part of a pointer (and of which, so that
//! copied pointers keep their provenance) or was never written (and is then a symbol that the first read gives a value).
//! Nothing here draws inputs or ends a run: the machine does.

use super::inputs::Origin;
use super::value::{Provenance, Value};
use crate::syntax::{BinOp, DataModel, FuncId, ObjectPredicate, Program, Ub};
use base::Id;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// No object lies below: an access there is one through null.
const FIRST_PAGE: u64 = 0x1000;
/// Bytes between the addresses of functions.
const FUNCTION_STEP: u64 = 16;
/// Bytes between neighbouring objects, so that the end of one is never the start of another.
const GAP: u64 = 16;

const POINTER: u64 = 1 << 62;
const UNDRAWN: u64 = 1 << 63;

/// One byte of memory with what it remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) byte: u8,
    meta: u64,
}

impl Cell {
    pub(crate) fn plain(byte: u8) -> Cell {
        Cell { byte, meta: 0 }
    }

    /// Byte `index` of a pointer.
    pub(crate) fn pointer(byte: u8, provenance: Provenance, index: usize) -> Cell {
        Cell { byte, meta: POINTER | u64::from(provenance.to_bits()) << 8 | index as u64 }
    }

    fn undrawn(symbol: u64) -> Cell {
        Cell { byte: 0, meta: UNDRAWN | symbol }
    }

    /// The symbol of a byte that was never written.
    pub(crate) fn symbol(self) -> Option<u64> {
        (self.meta & UNDRAWN != 0).then_some(self.meta & !UNDRAWN)
    }

    /// The provenance of the pointer that this byte is part of, and which byte of it.
    pub(crate) fn part(self) -> Option<(Provenance, usize)> {
        (self.meta & POINTER != 0 && self.meta & UNDRAWN == 0)
            .then(|| (Provenance::from_bits((self.meta >> 8) as u32), (self.meta & 0xff) as usize))
    }
}

/// How an object ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// With its activation or the program, or by [`crate::Op::End`].
    Variable,
    /// With its activation or by [`crate::Op::Release`].
    Stack,
    /// By `free`.
    Heap,
}

/// The contents of an object that is alive.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) data: Vec<u8>,
    /// Parallel to `data`; empty if all bytes are plain.
    pub(crate) meta: Vec<u64>,
    pub(crate) storage: Storage,
    pub(crate) constant: bool,
    /// A constant of an activation: no function without body writes it.
    pub(crate) kept: bool,
    /// The outside may know its address.
    pub(crate) escaped: bool,
}

/// What stays of every object for ever.
#[derive(Clone, Copy, Debug)]
struct Info {
    base: u64,
    size: u64,
    slot: u32,
    /// It starts with what the outside left there: an uninitialised pointer in it may be a good one.
    from_outside: bool,
    /// Its address has been turned into a number.
    exposed: bool,
}

const DEAD: u32 = u32::MAX;

/// Where an access goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// Into a live object, inside its bounds.
    Object { number: u32, offset: u64 },
    /// By address alone, byte by byte: into whatever lies there.
    Flat { address: u64 },
}

/// The reference point of the outside of a program: where [`Pointer::Ext`](super::Pointer) begins to count.
pub fn ext_base(program: &Program) -> u64 {
    outside_of(program.model, program.addresses.range(program.model).0)
}

/// The same where objects lie from `low` on: behind all addresses that the interpreter chooses.
fn outside_of(model: DataModel, low: u64) -> u64 {
    match model {
        DataModel::Ilp32 => 0xe000_0000,
        DataModel::Lp64 => low / (1 << 63) * (1 << 63) + 0x7000_0000_0000,
    }
}

/// The address that a function of a program has in its runs.
pub fn function_address(program: &Program, f: FuncId) -> u64 {
    first_function(program) + FUNCTION_STEP * f.index() as u64
}

/// The address of the first function.
fn first_function(program: &Program) -> u64 {
    program.addresses.range(program.model).0.next_multiple_of(FIRST_PAGE) + before_functions(program.model)
}

#[derive(Debug)]
pub(crate) struct Memory {
    model: DataModel,
    /// Objects lie at addresses from the first on, before the second.
    space: (u64, u64),
    function_base: u64,
    n_functions: u64,
    infos: Vec<Info>,
    slots: Vec<Live>,
    free_slots: Vec<u32>,
    /// Live objects by address.
    by_base: BTreeMap<u64, u32>,
    /// Bases that inputs chose; never used again.
    chosen: Vec<(u64, u64)>,
    /// Where pointers from outside lead that were given as numbers and lay in no object.
    given: BTreeSet<u64>,
    first_base: u64,
    next_base: u64,
    /// Bytes of the outside that have been touched.
    outside: BTreeMap<u64, Cell>,
    /// Symbols that have a value by now.
    drawn: FxHashMap<u64, Cell>,
    origins: Vec<(u64, Origin)>,
    next_symbol: u64,
}

/// How far the first function lies behind the start of the space for objects: where few programs expect their devices,
/// which have constant addresses.
fn before_functions(model: DataModel) -> u64 {
    match model {
        DataModel::Ilp32 => 0x1655_4000,
        DataModel::Lp64 => 0x5555_5555_4000,
    }
}

/// Why an object cannot be made.
pub(crate) enum NoRoom {
    /// The address space is used up.
    Full,
    /// The chosen base is impossible, and why.
    Bad(&'static str),
}

impl Memory {
    pub(crate) fn new(program: &Program) -> Memory {
        let n_functions = program.functions.len() as u64;
        let space = program.addresses.range(program.model);
        let function_base = first_function(program);
        let first_base = (function_base + FUNCTION_STEP * n_functions).next_multiple_of(0x1_0000);
        Memory {
            model: program.model,
            space,
            function_base,
            n_functions,
            infos: Vec::new(),
            slots: Vec::new(),
            free_slots: Vec::new(),
            by_base: BTreeMap::new(),
            chosen: Vec::new(),
            given: BTreeSet::new(),
            first_base,
            next_base: first_base,
            outside: BTreeMap::new(),
            drawn: FxHashMap::default(),
            origins: Vec::new(),
            next_symbol: 0,
        }
    }

    /// The reference point of the outside, behind all addresses that the interpreter chooses.
    pub(crate) fn ext_base(&self) -> u64 {
        outside_of(self.model, self.space.0)
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.model.ptr_width())
    }

    pub(crate) fn n_objects(&self) -> u32 {
        self.infos.len() as u32
    }

    /// A new object with plain zero bytes.
    pub(crate) fn allocate(
        &mut self,
        size: u64,
        align: u64,
        storage: Storage,
        base: Option<u64>,
    ) -> Result<u32, NoRoom> {
        let base = match base {
            Some(base) => self.check_base(base, size, align)?,
            None => self.next_free(size, align)?,
        };
        if self.n_objects() >= Provenance::MAX_OBJECTS {
            return Err(NoRoom::Full);
        }
        let live = Live {
            data: vec![0; size as usize],
            meta: Vec::new(),
            storage,
            constant: false,
            kept: false,
            escaped: false,
        };
        let slot = match self.free_slots.pop() {
            Some(slot) => {
                self.slots[slot as usize] = live;
                slot
            }
            None => {
                self.slots.push(live);
                self.slots.len() as u32 - 1
            }
        };
        let number = self.n_objects();
        self.infos.push(Info { base, size, slot, from_outside: false, exposed: false });
        self.by_base.insert(base, number);
        Ok(number)
    }

    fn next_free(&mut self, size: u64, align: u64) -> Result<u64, NoRoom> {
        let align = align.max(16);
        let limit = self.ext_base();
        let mut base = self.next_base.next_multiple_of(align);
        loop {
            let end = base.checked_add(size.max(1)).filter(|&e| e < limit).ok_or(NoRoom::Full)?;
            match self.chosen.iter().find(|&&(b, n)| b < end + GAP && base < b + n + GAP) {
                Some(&(b, n)) => base = (b + n + GAP).next_multiple_of(align),
                None => {
                    self.next_base = end + GAP;
                    return Ok(base);
                }
            }
        }
    }

    fn check_base(&mut self, base: u64, size: u64, align: u64) -> Result<u64, NoRoom> {
        let end = base.checked_add(size.max(1)).filter(|&e| base >= self.space.0 && e <= self.space.1);
        let Some(end) = end else { return Err(NoRoom::Bad("no object lies there")) };
        let meets = |lo: u64, hi: u64| base < hi && lo < end;
        if !base.is_multiple_of(align) {
            return Err(NoRoom::Bad("it is not aligned"));
        }
        if meets(self.function_base, self.functions_end())
            || (self.next_base > self.first_base && meets(self.first_base, self.next_base))
            || self.chosen.iter().any(|&(b, n)| meets(b, b + n.max(1)))
        {
            return Err(NoRoom::Bad("another object or function lies or lay there"));
        }
        if self.given.range(base..end).next().is_some() {
            return Err(NoRoom::Bad("a pointer from outside leads there"));
        }
        self.chosen.push((base, size));
        Ok(base)
    }

    /// Whether an object can lie anywhere if there is no other.
    pub(crate) fn can_fit(&self, size: u64, align: u64) -> bool {
        let first = self.space.0.checked_next_multiple_of(align.max(1));
        first.and_then(|base| base.checked_add(size.max(1))).is_some_and(|end| end <= self.space.1)
    }

    fn functions_end(&self) -> u64 {
        self.function_base + FUNCTION_STEP * self.n_functions
    }

    /// Ends an object's lifetime.
    pub(crate) fn kill(&mut self, number: u32) {
        let info = &mut self.infos[number as usize];
        let slot = std::mem::replace(&mut info.slot, DEAD);
        if slot != DEAD {
            self.by_base.remove(&info.base);
            let live = &mut self.slots[slot as usize];
            (live.data, live.meta) = (Vec::new(), Vec::new());
            self.free_slots.push(slot);
        }
    }

    pub(crate) fn live(&self, number: u32) -> Option<&Live> {
        let slot = self.infos.get(number as usize)?.slot;
        (slot != DEAD).then(|| &self.slots[slot as usize])
    }

    pub(crate) fn live_mut(&mut self, number: u32) -> Option<&mut Live> {
        let slot = self.infos.get(number as usize)?.slot;
        if slot == DEAD { None } else { Some(&mut self.slots[slot as usize]) }
    }

    /// The object's first contents come from outside.
    pub(crate) fn set_from_outside(&mut self, number: u32) {
        self.infos[number as usize].from_outside = true;
    }

    /// Whether a pointer that was never written since then comes from outside rather than from nowhere.
    pub(crate) fn comes_from_outside(&self, origin: Origin) -> bool {
        match origin {
            Origin::Object { object, since, .. } => since.is_none() && self.infos[object as usize].from_outside,
            Origin::Ext { .. } => true,
            Origin::Local { since, .. } | Origin::Global { since, .. } => since.is_none(),
        }
    }

    pub(crate) fn size(&self, number: u32) -> u64 {
        self.infos[number as usize].size
    }

    /// The pointer to the start of an object.
    pub(crate) fn address_of(&self, number: u32) -> Value {
        let base = self.infos[number as usize].base;
        Value { bits: base.into(), provenance: Provenance::object(number) }
    }

    /// The numbers of all live objects, in order.
    pub(crate) fn all_live(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.by_base.values().copied().collect();
        all.sort_unstable();
        all
    }

    pub(crate) fn function_address(&self, index: usize) -> Value {
        let bits = self.function_base + FUNCTION_STEP * index as u64;
        Value { bits: bits.into(), provenance: Provenance::FUNCTION }
    }

    /// The index of the function whose address this is.
    pub(crate) fn function_at(&self, v: Value) -> Option<usize> {
        if v.provenance != Provenance::FUNCTION {
            return None;
        }
        self.function_index(v.bits as u64)
    }

    fn function_index(&self, address: u64) -> Option<usize> {
        let n = address.checked_sub(self.function_base)?;
        (n % FUNCTION_STEP == 0 && n / FUNCTION_STEP < self.n_functions).then_some((n / FUNCTION_STEP) as usize)
    }

    /// The live object that the byte at `address` lies in.
    fn object_at(&self, address: u64) -> Option<u32> {
        let (&base, &number) = self.by_base.range(..=address).next_back()?;
        (address - base < self.size(number)).then_some(number)
    }

    /// Whether `len` bytes from `address` on touch nothing but the outside.
    fn is_outside(&self, address: u64, len: u64) -> bool {
        let Some(end) = address.checked_add(len).filter(|&e| e <= self.mask()) else { return false };
        let in_functions = address < self.functions_end() && self.function_base < end;
        let before = self.by_base.range(..end).next_back();
        let in_object = before.is_some_and(|(&b, &n)| b + self.size(n) > address && len > 0);
        address >= FIRST_PAGE && !in_functions && !in_object
    }

    /// What an address that comes from a number points into: an object that the outside knows, or whose address has become a
    /// number before (or one past its end), such a one that has ended, a function, or nothing known.
    pub(crate) fn provenance_of_number(&self, address: u64) -> Provenance {
        if self.function_index(address).is_some() {
            return Provenance::FUNCTION;
        }
        if let Some((&base, &number)) = self.by_base.range(..=address).next_back()
            && address - base <= self.size(number)
        {
            let known = self.live(number).is_some_and(|l| l.escaped);
            let exposed = self.infos[number as usize].exposed || known;
            return if exposed { Provenance::object(number) } else { Provenance::NONE };
        }
        self.ended_at(address).map_or(Provenance::NONE, Provenance::object)
    }

    /// What an address points into that the outside gives as a number: as one that the program computes, but for that it is the
    /// outside's where nothing of the program lies.
    pub(crate) fn provenance_of_given(&self, address: u64) -> Provenance {
        match self.provenance_of_number(address) {
            Provenance::NONE if self.is_outside(address, 1) => Provenance::EXT,
            provenance => provenance,
        }
    }

    /// A pointer from outside leads to this address, which lies in no object that is not known there; or the number of the object that it
    /// is in. Where there is no object, none comes later.
    pub(crate) fn lead_outside(&mut self, address: u64) -> Result<(), u32> {
        if let Some((&base, &number)) = self.by_base.range(..=address).next_back()
            && address - base < self.size(number).max(1)
        {
            let known = self.live(number).is_some_and(|l| l.escaped);
            return if known { Ok(()) } else { Err(number) };
        }
        self.given.insert(address);
        Ok(())
    }

    /// An object's address has become a number: the outside knows it, and numbers lead to it, also after its end.
    pub(crate) fn expose(&mut self, number: u32) {
        self.infos[number as usize].exposed = true;
        if let Some(live) = self.live_mut(number) {
            live.escaped = true;
        }
    }

    /// The exposed object that lay at an address and has ended: addresses are not used again.
    fn ended_at(&self, address: u64) -> Option<u32> {
        let lay = |i: &Info| i.slot == DEAD && i.exposed && i.base <= address && address - i.base < i.size;
        let found = if self.chosen.is_empty() {
            // Objects follow each other.
            let i = self.infos.partition_point(|i| i.base <= address).checked_sub(1)?;
            lay(&self.infos[i]).then_some(i)?
        } else {
            self.infos.iter().position(lay)?
        };
        Some(found as u32)
    }

    /// The distance of a pointer from the start of its object.
    pub(crate) fn offset(&self, v: Value, number: u32) -> u64 {
        (v.bits as u64).wrapping_sub(self.infos[number as usize].base) & self.mask()
    }

    /// Where an access of `len` bytes goes, and which event it is, if any.
    pub(crate) fn access(&self, v: Value, len: u64, write: bool) -> (Target, Option<Ub>) {
        let address = v.bits as u64;
        let flat = Target::Flat { address };
        if let Some(number) = v.provenance.as_object() {
            let Some(live) = self.live(number) else { return (flat, Some(Ub::UseAfterFree)) };
            let offset = self.offset(v, number);
            let size = live.data.len() as u64;
            if offset > size || len > size - offset {
                return (flat, Some(Ub::OutOfBounds));
            }
            let event = (write && live.constant).then_some(Ub::ConstWrite);
            return (Target::Object { number, offset }, event);
        }
        let nowhere = v.provenance == Provenance::FUNCTION || v.provenance == Provenance::WILD;
        // A pointer from outside is not null, wherever it was moved: only its own value says that it is.
        let foreign = v.provenance == Provenance::FUNCTION || v.provenance == Provenance::EXT && address != 0;
        let event = if !foreign && address < FIRST_PAGE {
            Some(Ub::NullDeref)
        } else if nowhere || !self.is_outside(address, len) {
            Some(Ub::OutOfBounds)
        } else {
            None
        };
        (flat, event)
    }

    /// The cell at `target + i`, or `None` for a byte of the outside that was never touched.
    pub(crate) fn peek(&self, target: Target, i: u64) -> Option<Cell> {
        let (number, offset) = match target {
            Target::Object { number, offset } => (number, offset + i),
            Target::Flat { address } => {
                let address = address.wrapping_add(i) & self.mask();
                match self.object_at(address) {
                    Some(number) => (number, address - self.infos[number as usize].base),
                    None => return self.outside.get(&address).map(|&c| self.resolved(c)),
                }
            }
        };
        let live = self.live(number).expect("a target is alive");
        let offset = offset as usize;
        let meta = live.meta.get(offset).copied().unwrap_or(0);
        Some(self.resolved(Cell { byte: live.data[offset], meta }))
    }

    /// The cell with its drawn value, if its symbol has one by now.
    pub(crate) fn resolved(&self, cell: Cell) -> Cell {
        cell.symbol().and_then(|s| self.drawn.get(&s)).copied().unwrap_or(cell)
    }

    /// The cell at `target + i`; an untouched byte of the outside becomes a new symbol.
    pub(crate) fn cell(&mut self, target: Target, i: u64) -> Cell {
        if let Some(cell) = self.peek(target, i) {
            return cell;
        }
        let Target::Flat { address } = target else { unreachable!("cells of objects exist") };
        let address = address.wrapping_add(i) & self.mask();
        let cell = Cell::undrawn(self.symbols(1, Origin::Ext { address }));
        self.outside.insert(address, cell);
        cell
    }

    pub(crate) fn set_cell(&mut self, target: Target, i: u64, cell: Cell) {
        let (number, offset) = match target {
            Target::Object { number, offset } => (number, offset + i),
            Target::Flat { address } => {
                let address = address.wrapping_add(i) & self.mask();
                match self.object_at(address) {
                    Some(number) => (number, address - self.infos[number as usize].base),
                    None => {
                        // What is stored outside is known outside.
                        if let Some(number) = cell.part().and_then(|(p, _)| p.as_object())
                            && let Some(live) = self.live_mut(number)
                        {
                            live.escaped = true;
                        }
                        self.outside.insert(address, cell);
                        return;
                    }
                }
            }
        };
        let live = self.live_mut(number).expect("a target is alive");
        let offset = offset as usize;
        live.data[offset] = cell.byte;
        if cell.meta != 0 && live.meta.is_empty() {
            live.meta = vec![0; live.data.len()];
        }
        if let Some(meta) = live.meta.get_mut(offset) {
            *meta = cell.meta;
        }
    }

    /// New symbols for `n` bytes of this origin; the first of them.
    fn symbols(&mut self, n: u64, origin: Origin) -> u64 {
        let first = self.next_symbol;
        self.next_symbol += n;
        self.origins.push((first, origin));
        first
    }

    /// Makes `len` bytes arbitrary: to be drawn when they are read.
    pub(crate) fn forget(&mut self, target: Target, len: u64, since: Option<u64>) {
        self.leave(target, len, since, false);
    }

    /// The same, of bytes that may be padding.
    pub(crate) fn leave(&mut self, target: Target, len: u64, since: Option<u64>, padding: bool) {
        let origin = match target {
            Target::Object { number, offset } => Origin::Object { object: number, offset, since, padding },
            Target::Flat { address } => Origin::Ext { address },
        };
        let first = self.symbols(len, origin);
        for i in 0..len {
            self.set_cell(target, i, Cell::undrawn(first + i));
        }
    }

    /// The outside may have changed: all that is known of it is gone.
    pub(crate) fn forget_outside(&mut self) {
        self.outside.clear();
    }

    /// Where a symbol comes from.
    pub(crate) fn origin(&self, symbol: u64) -> Origin {
        let i = self.origins.partition_point(|&(first, _)| first <= symbol) - 1;
        let (first, origin) = self.origins[i];
        let by = symbol - first;
        match origin {
            Origin::Object { object, offset, since, padding } => {
                Origin::Object { object, offset: offset + by, since, padding }
            }
            Origin::Ext { address } => Origin::Ext { address: address.wrapping_add(by) },
            other => other,
        }
    }

    /// Gives a symbol its value, for all copies of the byte.
    pub(crate) fn set_drawn(&mut self, symbol: u64, cell: Cell) {
        self.drawn.insert(symbol, cell);
    }

    /// Marks what the outside can reach from the objects it knows, and from those that it can look at; returns what it
    /// knows, in order.
    pub(crate) fn spread_escape(&mut self, read: Vec<u32>) -> Vec<u32> {
        let mut reached: Vec<u32> =
            self.all_live().into_iter().filter(|&n| self.live(n).is_some_and(|l| l.escaped)).collect();
        let mut todo = read;
        todo.extend(&reached);
        while let Some(number) = todo.pop() {
            let Some(live) = self.live(number) else { continue };
            let cells = live.data.iter().zip(&live.meta).map(|(&byte, &meta)| Cell { byte, meta });
            let mut found: Vec<u32> =
                cells.filter_map(|c| self.resolved(c).part()).filter_map(|(p, _)| p.as_object()).collect();
            found.dedup();
            for next in found {
                if let Some(live) = self.live_mut(next)
                    && !std::mem::replace(&mut live.escaped, true)
                {
                    todo.push(next);
                    reached.push(next);
                }
            }
        }
        reached.sort_unstable();
        reached
    }

    /// What is known of a pointer's object.
    pub(crate) fn object_predicate(&self, predicate: ObjectPredicate, v: Value, program: &Program) -> bool {
        let address = v.bits as u64;
        let nowhere = v.provenance == Provenance::FUNCTION || v.provenance == Provenance::WILD;
        let outside = |len: u64| !nowhere && self.is_outside(address, len.max(1));
        match (predicate, v.provenance.as_object()) {
            (ObjectPredicate::InBounds(n), Some(number)) => {
                let (offset, size) = (self.offset(v, number), self.size(number));
                offset <= size && n <= size - offset
            }
            (ObjectPredicate::InBounds(0), None) => true,
            (ObjectPredicate::InBounds(n), None) => outside(n),
            (ObjectPredicate::Alive, Some(number)) => self.live(number).is_some(),
            // What points into no object points into none that has ended; null has none to ask about.
            (ObjectPredicate::Alive, None) => address != 0,
            (ObjectPredicate::Freeable, Some(number)) => {
                self.live(number).is_some_and(|l| l.storage == Storage::Heap) && self.offset(v, number) == 0
            }
            (ObjectPredicate::Freeable, None) => address == 0 || outside(1),
            (ObjectPredicate::Callable(n), _) => self.function_at(v).is_some_and(|i| {
                let f = &program.functions[Id::from_index(i)];
                f.n_params == n as usize || (f.variadic && f.n_params <= n as usize)
            }),
            (ObjectPredicate::Foreign, _) => v.provenance == Provenance::EXT && self.is_outside(address, 1),
            (ObjectPredicate::FitsInt(_), _) => unreachable!("asked of floats only"),
        }
    }

    /// Whether a pointer, as far as it may have left its object, has not left the address space, wherever the object lies.
    fn is_near(&self, v: Value) -> bool {
        let Some(number) = v.provenance.as_object() else { return true };
        let (before, behind) = (self.space.0, self.mask() - self.space.1);
        let reach = before.saturating_add(self.size(number)).saturating_add(behind);
        self.offset(v, number).wrapping_add(before) & self.mask() <= reach
    }

    /// Compares two pointers by address; also says whether the answer depends on where objects were put.
    pub(crate) fn compare(&self, op: BinOp, a: Value, b: Value) -> (bool, bool) {
        let (x, y) = (a.bits, b.bits);
        let holds = match op {
            BinOp::Eq => x == y,
            BinOp::Ne => x != y,
            BinOp::Lt => x < y,
            BinOp::Le => x <= y,
            BinOp::Gt => x > y,
            _ => x >= y,
        };
        let equality = matches!(op, BinOp::Eq | BinOp::Ne);
        let same = a.provenance == b.provenance && (equality || (self.is_near(a) && self.is_near(b)));
        // Inside its object a pointer differs from null and from all pointers into other objects, wherever they lie.
        let inside = |v: Value, end: u64| match v.provenance.as_object() {
            Some(n) => self.offset(v, n) < self.size(n) + end,
            None => v.provenance == Provenance::FUNCTION,
        };
        let null = |v: Value| v.bits == 0 && v.provenance == Provenance::NONE;
        let distinct = (inside(a, 0) && inside(b, 0)) || (null(a) && inside(b, 1)) || (null(b) && inside(a, 1));
        let certain = same || (equality && distinct);
        (holds, !certain)
    }
}

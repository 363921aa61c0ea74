//! Reading and writing memory, and drawing inputs.

use super::code::{Dst, Start, Where};
use super::inputs::*;
use super::machine::{Machine, R, Stop, since, undrawn};
use super::memory::{Cell, NoRoom, Storage, Target};
use super::tape::InputError;
use super::value::{Provenance, Value};
use super::{Observer, arith::wide};
use crate::syntax::*;
use base::Id;

/// Bytes of an access that carry the value: the 80-bit format leaves its padding alone.
fn value_bytes(ty: Ty, model: DataModel) -> u64 {
    match ty {
        Ty::Float(FloatTy::F80) => 10,
        _ => ty.size(model),
    }
}

/// The cells of a value.
fn cells_of(v: Value, n: u64) -> impl Iterator<Item = Cell> {
    (0..n as usize).map(move |i| {
        let byte = (v.bits >> (8 * i)) as u8;
        if v.provenance == Provenance::NONE { Cell::plain(byte) } else { Cell::pointer(byte, v.provenance, i) }
    })
}

/// What cells without symbols say together, read as `ty`. The flag says that the bytes of a pointer were taken apart;
/// their provenance is then lost.
pub(super) fn assemble(memory: &super::memory::Memory, ty: Ty, cells: &[Cell]) -> (Value, bool) {
    let bits = cells.iter().rev().fold(0u128, |bits, c| bits << 8 | u128::from(c.byte));
    match ty {
        Ty::Ptr => {
            let first = cells[0].part();
            let whole = first.is_some_and(|(p, _)| cells.iter().enumerate().all(|(i, c)| c.part() == Some((p, i))));
            match first {
                Some((provenance, _)) if whole => (Value { bits, provenance }, false),
                _ => {
                    let provenance = memory.provenance_of_number(bits as u64);
                    (Value { bits, provenance }, bits != 0)
                }
            }
        }
        Ty::Bool => (Value::plain((bits != 0).into()), cells.iter().any(|c| c.part().is_some())),
        Ty::Int(_) | Ty::Float(_) => (Value::plain(bits), cells.iter().any(|c| c.part().is_some())),
    }
}

/// The bits of a bit-field, extended to their type.
pub(super) fn extract(v: u128, ty: Ty, range: BitRange) -> u128 {
    let Ty::Int(int) = ty else { unreachable!("bit ranges are of integers") };
    let width = u32::from(range.width);
    wide::resize((v >> range.lo) & wide::mask(width), width, int.signed, int.width.into())
}

/// The container with its bit-field replaced.
fn insert(container: u128, value: u128, range: BitRange) -> u128 {
    let mask = wide::mask(range.width.into()) << range.lo;
    (container & !mask) | ((value << range.lo) & mask)
}

impl<'a, O: Observer> Machine<'a, O> {
    /// The address that a place stands for.
    pub(super) fn address(&mut self, at: &'a Where) -> R<Value> {
        let base = match &at.base {
            Start::Local(slot) => self.slots[self.base + *slot as usize],
            Start::Global(slot) => self.globals[*slot as usize],
            Start::Pointer(p) => self.general(p)?,
        };
        let mut bits = (base.bits as u64).wrapping_add(at.offset);
        for (index, stride) in &at.indices {
            bits = bits.wrapping_add(self.narrow(index)?.wrapping_mul(*stride));
        }
        let mask = u64::MAX >> (64 - self.program.model.ptr_width());
        Ok(base.moved_to(bits & mask))
    }

    /// Where an access goes; an event on the way may end the run. An empty access goes nowhere and is no event.
    fn target(&mut self, at: Value, len: u64, write: bool) -> R<Target> {
        let (target, event) = self.memory.access(at, len, write);
        if let Some(ub) = event {
            self.event(ub)?;
        }
        if let Target::Flat { .. } = target {
            // Whether an address without an object hits one depends on where that lies.
            self.layout = true;
        }
        Ok(target)
    }

    pub(super) fn load(&mut self, at: Value, ty: Ty, bits: Option<BitRange>) -> R<Value> {
        let n = value_bytes(ty, self.program.model);
        let target = self.target(at, ty.size(self.program.model), false)?;
        let v = self.load_target(target, n, ty)?;
        Ok(match bits {
            Some(range) => Value::plain(extract(v.bits, ty, range)),
            None => v,
        })
    }

    fn load_target(&mut self, target: Target, n: u64, ty: Ty) -> R<Value> {
        if let Target::Object { number, offset } = target
            && let Some(live) = self.memory.live(number)
            && live.meta.is_empty()
            && ty != Ty::Ptr
        {
            let offset = offset as usize;
            let bits = live.data[offset..offset + n as usize].iter().rev().fold(0, |v, &b| v << 8 | u128::from(b));
            return Ok(Value::plain(if ty == Ty::Bool { (bits != 0).into() } else { bits }));
        }
        let cells = self.drawn_cells(target, n, ty)?;
        let (v, split) = assemble(&self.memory, ty, &cells);
        if split {
            self.layout = true;
            for number in cells.iter().filter_map(|c| c.part()).filter_map(|(p, _)| p.as_object()) {
                self.expose(number);
            }
        }
        Ok(v)
    }

    /// The cells of an access, with all symbols drawn.
    fn drawn_cells(&mut self, target: Target, n: u64, ty: Ty) -> R<Vec<Cell>> {
        let mut cells: Vec<Cell> = (0..n).map(|i| self.memory.cell(target, i)).collect();
        let first = cells[0].symbol();
        let whole = first.is_some_and(|s| cells.iter().enumerate().all(|(i, c)| c.symbol() == Some(s + i as u64)));
        if let (true, Some(symbol)) = (whole, first) {
            let origin = self.memory.origin(symbol);
            let v = self.draw_uninit(ty, origin)?;
            for (cell, drawn) in cells.iter_mut().zip(cells_of(v, n)) {
                *cell = drawn;
            }
            self.remember(target, symbol, &cells)?;
            return Ok(cells);
        }
        let mut i = 0;
        while i < cells.len() {
            let Some(symbol) = cells[i].symbol() else {
                i += 1;
                continue;
            };
            let run = cells[i..].iter().enumerate().take_while(|(k, c)| c.symbol() == Some(symbol + *k as u64)).count();
            let origin = self.memory.origin(symbol);
            let bytes = self.draw_bytes(run as u64, InputCause::Uninit(origin), None)?;
            for (cell, byte) in cells[i..].iter_mut().zip(bytes) {
                *cell = Cell::plain(byte);
            }
            let part = offset_target(target, i as u64);
            self.remember(part, symbol, &cells[i..i + run])?;
            i += run;
        }
        Ok(cells)
    }

    /// Stores drawn cells in memory and under their symbols.
    fn remember(&mut self, target: Target, symbol: u64, cells: &[Cell]) -> R<()> {
        self.spend_memory(48 * cells.len() as u64)?;
        for (i, &cell) in cells.iter().enumerate() {
            self.memory.set_drawn(symbol + i as u64, cell);
            self.memory.set_cell(target, i as u64, cell);
        }
        Ok(())
    }

    pub(super) fn store(&mut self, at: Value, ty: Ty, bits: Option<BitRange>, value: Value) -> R<()> {
        let n = value_bytes(ty, self.program.model);
        let target = self.target(at, ty.size(self.program.model), true)?;
        if value.provenance == Provenance::UNDRAWN {
            return self.forget(target, n, since(value));
        }
        if let Ty::Float(f) = ty {
            // This is the one that operations give, or its negation; another was an input, which is on the tape.
            self.pattern |= super::float::is_made(f, value.bits);
        }
        let value = match bits {
            Some(range) => {
                let container = self.load_target(target, n, ty)?;
                Value::plain(insert(container.bits, value.bits, range))
            }
            None => value,
        };
        for (i, cell) in cells_of(value, n).enumerate() {
            self.memory.set_cell(target, i as u64, cell);
        }
        Ok(())
    }

    fn forget(&mut self, target: Target, len: u64, since: Option<u64>) -> R<()> {
        self.spend_memory(48)?;
        self.memory.forget(target, len, since);
        Ok(())
    }

    pub(super) fn expose(&mut self, number: u32) {
        self.memory.expose(number);
    }

    pub(super) fn havoc(&mut self, func: usize, e: u32, dst: &'a Dst, ty: Ty) -> R<()> {
        let Op::Havoc(HavocDst::Place(place), source) = &self.edge(func, e).op else {
            unreachable!("compiled from a havoc")
        };
        // A bit-field shares its bytes with others: it is drawn at once.
        let value = if source.is_indeterminate() && place.bits.is_none() {
            undrawn(Some(self.steps))
        } else {
            self.draw_value(ty, InputCause::Source(source))?
        };
        self.write(dst, value)
    }

    pub(super) fn havoc_range(&mut self, func: usize, e: u32, dst: Value, len: u64) -> R<()> {
        let Op::Havoc(_, source) = &self.edge(func, e).op else { unreachable!("compiled from a havoc") };
        if len == 0 {
            return Ok(());
        }
        let target = self.target(dst, len, true)?;
        self.spend_work(len)?;
        if source.is_indeterminate() {
            self.spend_memory(48)?;
            self.memory.leave(target, len, Some(self.steps), *source == Source::Padding);
            return Ok(());
        }
        let to = match target {
            Target::Object { number, offset } => {
                Some(Origin::Object { object: number, offset, since: None, padding: false })
            }
            Target::Flat { .. } => None,
        };
        let bytes = self.draw_bytes(len, InputCause::Source(source), to)?;
        for (i, byte) in bytes.into_iter().enumerate() {
            self.memory.set_cell(target, i as u64, Cell::plain(byte));
        }
        Ok(())
    }

    pub(super) fn set_range(&mut self, dst: Value, byte: u8, len: u64) -> R<()> {
        if len == 0 {
            return Ok(());
        }
        let target = self.target(dst, len, true)?;
        self.spend_work(len)?;
        if let Target::Flat { .. } = target {
            self.spend_memory(len.saturating_mul(48))?;
        }
        for i in 0..len {
            self.memory.set_cell(target, i, Cell::plain(byte));
        }
        Ok(())
    }

    pub(super) fn copy_range(&mut self, dst: Value, src: Value, len: u64) -> R<()> {
        if len == 0 {
            return Ok(());
        }
        let from = self.target(src, len, false)?;
        let to = self.target(dst, len, true)?;
        self.spend_work(len)?;
        if matches!((from, to), (Target::Flat { .. }, _) | (_, Target::Flat { .. })) {
            self.spend_memory(len.saturating_mul(96))?;
        }
        let cells: Vec<Cell> = (0..len).map(|i| self.memory.cell(from, i)).collect();
        for (i, cell) in cells.into_iter().enumerate() {
            self.memory.set_cell(to, i as u64, cell);
        }
        Ok(())
    }

    pub(super) fn alloc(&mut self, func: usize, e: u32, size: u64) -> R<Value> {
        let Op::Alloc(alloc) = &self.edge(func, e).op else { unreachable!("compiled from an allocation") };
        // What fits nowhere is not made: that is no choice.
        let fits = self.memory.can_fit(size, alloc.align.into());
        match (fits, alloc.may_fail) {
            (false, true) => return Ok(Value::plain(0)),
            (false, false) => return Err(Box::new(Stop::Ub(Ub::NoRoom))),
            (true, _) => {}
        }
        if alloc.may_fail {
            match self.request(What::Fails { site: alloc.site })? {
                Answer::Fails(true) => return Ok(Value::plain(0)),
                Answer::Fails(false) => {}
                other => return invalid(format!("{other:?} where an allocation may fail")),
            }
        }
        let storage = if alloc.stack { Storage::Stack } else { Storage::Heap };
        let number = self.new_object(size, alloc.align.into(), storage)?;
        if !alloc.zeroed {
            self.memory.forget(Target::Object { number, offset: 0 }, size, Some(self.steps));
        }
        if alloc.stack {
            self.frames.last_mut().expect("a step has an activation").objects.push(number);
        }
        Ok(self.memory.address_of(number))
    }

    /// A new object of zero bytes, where the inputs want it.
    pub(super) fn new_object(&mut self, size: u64, align: u64, storage: Storage) -> R<u32> {
        // Each byte may need a word to remember what it is part of.
        self.spend_memory(size.saturating_mul(9).saturating_add(96))?;
        let object = self.memory.n_objects();
        let base = match self.request(What::Base { object, size, align })? {
            Answer::Base(base) => base,
            other => return invalid(format!("{other:?} where a base was asked for")),
        };
        match self.memory.allocate(size, align, storage, base) {
            Ok(number) => Ok(number),
            Err(NoRoom::Full) => self.no_memory(),
            Err(NoRoom::Bad(why)) => invalid(format!("object#{object} cannot lie at {:#x}: {why}", base.unwrap_or(0))),
        }
    }

    pub(super) fn free(&mut self, p: Value) -> R<()> {
        if p.bits == 0 && p.provenance == Provenance::NONE {
            return Ok(());
        }
        if !self.memory.object_predicate(ObjectPredicate::Freeable, p, self.program) {
            return self.event(Ub::BadFree);
        }
        match p.provenance.as_object() {
            Some(number) => self.kill(number),
            None => self.layout = true,
        }
        Ok(())
    }

    /// Begins a local's lifetime: a new object, or an arbitrary value if it does not live in memory.
    pub(super) fn begin(&mut self, func: usize, slot: u32) -> R<()> {
        let activation = func;
        let func = Self::function_id(func);
        let local = LocalId::from_index(slot as usize);
        let since = Some(self.steps);
        let at = self.base + slot as usize;
        if !self.code.taken.in_memory(self.program, func, Var::Local(local)) {
            self.slots[at] = undrawn(since);
            return Ok(());
        }
        let shape = self.program.functions[func].locals[local].shape;
        let size = shape.size(self.program.model);
        let align = super::code::alignment(shape, self.program.model);
        let number = self.new_object(size, align, Storage::Variable)?;
        self.forget(Target::Object { number, offset: 0 }, size, since)?;
        self.frames.last_mut().expect("a step has an activation").objects.push(number);
        self.keep_constant(activation, slot, number);
        self.slots[at] = self.memory.address_of(number);
        Ok(())
    }

    /// Marks the object of a local that functions without body do not write.
    pub(super) fn keep_constant(&mut self, func: usize, slot: u32, number: u32) {
        let local = LocalId::from_index(slot as usize);
        let kept = self.program.functions[Self::function_id(func)].locals[local].constant;
        if let Some(live) = self.memory.live_mut(number) {
            live.kept = kept;
        }
    }

    /// Ends a local's lifetime. Its name means nothing until it begins again.
    pub(super) fn end_local(&mut self, func: usize, slot: u32) {
        let at = self.base + slot as usize;
        let local = Var::Local(LocalId::from_index(slot as usize));
        let in_memory = self.code.taken.in_memory(self.program, Self::function_id(func), local);
        let was = std::mem::replace(&mut self.slots[at], undrawn(Some(self.steps)));
        // The slot of a local that does not live in memory holds its value, which may point to something else.
        if let Some(number) = was.provenance.as_object().filter(|_| in_memory) {
            self.end_early(number);
        }
    }

    /// Ends a stack allocation.
    pub(super) fn release(&mut self, p: Value) -> R<()> {
        if p.bits == 0 && p.provenance == Provenance::NONE {
            return Ok(());
        }
        let number = p.provenance.as_object();
        let start =
            |n: u32| self.memory.live(n).is_some_and(|l| l.storage == Storage::Stack) && self.memory.offset(p, n) == 0;
        match number.filter(|&n| start(n)) {
            Some(number) => {
                self.end_early(number);
                Ok(())
            }
            None => self.event(Ub::BadFree),
        }
    }

    /// Ends an object of the current activation before the activation ends.
    fn end_early(&mut self, number: u32) {
        let objects = &mut self.frames.last_mut().expect("a step has an activation").objects;
        if let Some(i) = objects.iter().rposition(|&n| n == number) {
            objects.remove(i);
            self.kill(number);
        }
    }

    /// Ends an object and gives its memory back to the budget, but for what is kept of it for ever.
    pub(super) fn kill(&mut self, number: u32) {
        if let Some(live) = self.memory.live(number) {
            self.memory_left += live.data.len() as u64 * 9 + 64;
            self.memory.kill(number);
        }
    }

    /// Asks the inputs and writes the answer down.
    pub(super) fn request(&mut self, what: What<'_>) -> R<Answer> {
        let request = Request { at: self.at, step: self.steps, what, program: self.program };
        match self.inputs.answer(&request) {
            Ok(answer) => {
                let before = self.tape.entries.len();
                self.tape.record(&request, &answer);
                if self.tape.entries.len() > before {
                    let bytes = match &answer {
                        Answer::Bytes(b) => b.len(),
                        Answer::Writes(w) => 64 * w.len(),
                        _ => 0,
                    };
                    self.spend_memory(96 + bytes as u64)?;
                }
                Ok(answer)
            }
            Err(why) => Err(Box::new(Stop::Input(why))),
        }
    }

    pub(super) fn draw_value(&mut self, ty: Ty, from: InputCause<'_>) -> R<Value> {
        // Other arbitrary values are none that somebody outside has.
        let outside = match from {
            InputCause::Uninit(origin) => self.memory.comes_from_outside(origin),
            InputCause::Result(_) | InputCause::Global(..) => true,
            InputCause::Source(_) => false,
        };
        match self.request(What::Value { ty, from })? {
            Answer::Value(input) => {
                let value = self.input_value(ty, input)?;
                if outside {
                    self.lead_outside(input)?;
                }
                Ok(value)
            }
            other => invalid(format!("{other:?} where a value of {ty} was asked for")),
        }
    }

    /// A value that was never written. A pointer that no one made points to nothing.
    fn draw_uninit(&mut self, ty: Ty, origin: Origin) -> R<Value> {
        if self.memory.comes_from_outside(origin) {
            return self.draw_value(ty, InputCause::Uninit(origin));
        }
        self.wild(ty, origin)
    }

    fn wild(&mut self, ty: Ty, origin: Origin) -> R<Value> {
        let v = self.draw_value(ty, InputCause::Uninit(origin))?;
        let wild = ty == Ty::Ptr && v.bits != 0;
        Ok(if wild { Value { provenance: Provenance::WILD, ..v } } else { v })
    }

    pub(super) fn input_value(&mut self, ty: Ty, input: Input) -> R<Value> {
        match (input, ty) {
            (Input::Pointer(p), Ty::Ptr) => self.input_pointer(p),
            (Input::Bits(bits), Ty::Bool | Ty::Int(_) | Ty::Float(_)) => {
                let width = u32::from(ty.width(self.program.model));
                if bits & wide::mask(width) == bits {
                    Ok(Value::plain(bits))
                } else {
                    invalid(format!("{bits:#x} is no value of {ty}"))
                }
            }
            _ => invalid(format!("{input:?} is no value of {ty}")),
        }
    }

    /// A pointer from outside leads to an object that is known there, or to none.
    pub(super) fn lead_outside(&mut self, input: Input) -> R<()> {
        let Input::Pointer(Pointer::Raw(address)) = input else { return Ok(()) };
        if self.memory.lead_outside(address).is_err() {
            self.spread_escape();
            if let Err(number) = self.memory.lead_outside(address) {
                return invalid(format!("object#{number} is not known outside"));
            }
        }
        Ok(())
    }

    pub(super) fn input_pointer(&mut self, pointer: Pointer) -> R<Value> {
        let mask = u64::MAX >> (64 - self.program.model.ptr_width());
        Ok(match pointer {
            Pointer::Null => Value::plain(0),
            Pointer::Ext(offset) => {
                let address = self.memory.ext_base().checked_add(offset).filter(|&a| a <= mask);
                let Some(address) = address else { return invalid(format!("ext+{offset} wraps around")) };
                Value { bits: address.into(), provenance: Provenance::EXT }
            }
            Pointer::Raw(bits) if bits & mask == bits => {
                Value { bits: bits.into(), provenance: self.memory.provenance_of_given(bits) }
            }
            Pointer::Raw(bits) => return invalid(format!("{bits:#x} is no address")),
            Pointer::Object { object, offset } => {
                if object >= self.memory.n_objects() {
                    return invalid(format!("there is no object#{object} yet"));
                }
                let knows = |m: &Self| m.memory.live(object).is_some_and(|l| l.escaped);
                if !knows(self) {
                    self.spread_escape();
                    if !knows(self) {
                        return invalid(format!("object#{object} is not known outside"));
                    }
                }
                let base = self.memory.address_of(object);
                let bits = (base.bits as u64).wrapping_add(offset as u64) & mask;
                Value { bits: bits.into(), provenance: base.provenance }
            }
        })
    }

    pub(super) fn draw_bytes(&mut self, len: u64, from: InputCause<'_>, to: Option<Origin>) -> R<Vec<u8>> {
        self.spend_memory(len)?;
        match self.request(What::Bytes { len, from, to })? {
            Answer::Bytes(bytes) if bytes.len() as u64 == len => Ok(bytes),
            other => invalid(format!("{other:?} where {len} bytes were asked for")),
        }
    }

    #[cold]
    pub(super) fn draw_local(&mut self, slot: u32, ty: Ty) -> R<Value> {
        let at = self.base + slot as usize;
        let func = Self::function_id(self.frames.last().expect("slots belong to an activation").func);
        let local = LocalId::from_index(slot as usize);
        let origin = Origin::Local { func, local, since: since(self.slots[at]) };
        let param = slot < self.program.functions[func].n_params as u32;
        let v = match origin {
            Origin::Local { since: None, .. } if param => self.draw_value(ty, InputCause::Uninit(origin))?,
            Origin::Local { since: None, .. } => self.wild(ty, origin)?,
            _ => self.draw_uninit(ty, origin)?,
        };
        let old = std::mem::replace(&mut self.slots[at], v);
        // What was arbitrary at entry and is only now looked at had this value at entry.
        if let Some(entry) = self.frames.last_mut().and_then(|f| f.entry.as_mut())
            && let Some(kept) = entry.slots.get_mut(slot as usize)
            && *kept == old
        {
            *kept = v;
        }
        Ok(v)
    }

    #[cold]
    pub(super) fn draw_global(&mut self, slot: u32, ty: Ty) -> R<Value> {
        let global = GlobalId::from_index(slot as usize);
        let origin = Origin::Global { global, since: since(self.globals[slot as usize]) };
        let v = self.draw_uninit(ty, origin)?;
        let old = std::mem::replace(&mut self.globals[slot as usize], v);
        for entry in self.frames.iter_mut().filter_map(|f| f.entry.as_mut()) {
            if entry.globals[slot as usize] == old {
                entry.globals[slot as usize] = v;
            }
        }
        Ok(v)
    }
}

pub(super) fn invalid<T>(why: String) -> R<T> {
    Err(Box::new(Stop::Input(InputError::Invalid(why))))
}

fn offset_target(target: Target, by: u64) -> Target {
    match target {
        Target::Object { number, offset } => Target::Object { number, offset: offset + by },
        Target::Flat { address } => Target::Flat { address: address.wrapping_add(by) },
    }
}

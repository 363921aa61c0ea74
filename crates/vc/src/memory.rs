//! Memory in logic: a map for each region ([`pointsto::Regions`]), flat addresses, and objects whose addresses are symbols.
//!
//! Why this covers every run. A run gives each region's map its words (or bytes) at the addresses of the region's cells; at
//! all other addresses the map has whatever the formula gives it, which no access of the run sees, because accesses stay
//! in the region's cells. Addresses are never used twice, so an object's first contents are those that the map had at
//! its address all along: an allocation changes no map. All objects of a run are disjoint, which is what is assumed of
//! their addresses and all that is.
//!
//! Object predicates ([`ir::ObjectPredicate`]) are given their meaning in [`crate::allocation`].

use crate::allocation::Approximation;
use crate::bounds::within;
use crate::state::{Shared, State};
use crate::step::Encoder;
use analysis::Unmodelled;
use base::sabotage::{self, Fault};
use base::{Id, IndexVec};
use ir::{
    Address, Base, BitRange, Expr, ExprKind, FuncId, GlobalId, InitItem, LocalId, ObjectPredicate, Place, Program, Ty,
    Var,
};
use logic::{Sort, Term};
use pointsto::{Object, RegionId, Width};
use std::rc::Rc;

type Result<T> = std::result::Result<T, Unmodelled>;

/// More objects than this are not all stated to be disjoint: queries stay small.
const MAX_DISJOINT: usize = 600;

/// A region with more constants than this forgets them with everything else when a function without body is called.
const MAX_CONSTANTS: usize = 8;

/// Choices between addresses that are looked into for one access.
const MOST_CHOICES: usize = 64;

/// An object of at most so many bytes finds room beside others.
const MAX_SMALL: u128 = 1 << 24;

/// An object whose address has a symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) base: Term,
    pub(crate) object: Object,
    /// It stands for an object that a step makes, rather than for one that was there or for none.
    pub(crate) made: bool,
}

impl Encoder<'_> {
    /// How many objects have symbols for their addresses.
    pub fn n_objects(&self) -> usize {
        self.objects.len()
    }

    /// The locals and allocations that got their addresses since there were `n` of them, in order.
    pub fn made_since(&self, n: usize) -> Vec<(Object, Term)> {
        self.objects[n..].iter().filter(|k| k.made).map(|k| (k.object, k.base)).collect()
    }

    /// The map that has a byte of an object, and how many bytes its values have.
    pub fn map_of_byte(&self, state: &State, object: Object, offset: u64) -> Option<(Term, u64)> {
        let range = [(object, pointsto::Offsets::exactly(offset as i64))].into();
        let region = *self.analysis.regions.of_range(&range, Some(1)).first()?;
        let bytes = match self.analysis.regions.all[region].width {
            Width::Word(n) => n,
            Width::Byte => 1,
        };
        Some((self.map(state, region).ok()?, bytes))
    }

    /// How far a byte of an object lies behind the start of its word.
    pub fn word_start(&self, object: Object, offset: u64) -> Option<u64> {
        let byte = pointsto::Offsets::exactly(offset as i64);
        let (cell, region) =
            self.analysis.regions.cells.get(&object)?.iter().find(|(c, _)| byte.meet(1, c.at, c.size).overlap)?;
        match (self.analysis.regions.all[*region].width, cell.at.stride) {
            (Width::Byte, _) => Some(0),
            (Width::Word(_), 0) => (offset as i64).checked_sub(cell.at.start).and_then(|d| u64::try_from(d).ok()),
            (Width::Word(_), stride) => Some((offset as i64 - cell.at.start).rem_euclid(stride as i64) as u64),
        }
    }

    fn addr_width(&self) -> u32 {
        u32::from(self.program.model.ptr_width())
    }

    /// The sort of a region's map.
    pub fn map_sort(&self, region: RegionId) -> Sort {
        let value = match self.analysis.regions.all[region].width {
            Width::Word(n) => 8 * n as u32,
            Width::Byte => 8,
        };
        Sort::Map { addr: self.addr_width(), value }
    }

    /// An arbitrary map for a region.
    pub(crate) fn fresh_map(&mut self, region: RegionId) -> Term {
        let sort = self.map_sort(region);
        self.store.fresh(&format!("{region}"), sort)
    }

    /// What all activations see, with these globals and arbitrary maps.
    pub(crate) fn fresh_shared(&mut self, vars: IndexVec<GlobalId, Option<Term>>) -> Shared {
        let analysis = self.analysis;
        let shared = analysis.regions.all.ids().map(|r| analysis.private_index(r).is_none().then_some(r));
        let maps = shared.map(|r| r.map(|r| self.constant_map(r).unwrap_or_else(|| self.fresh_map(r)))).collect();
        Shared { vars, maps, ghosts: self.fresh_ghosts() }
    }

    /// Arbitrary maps for the private regions of a function.
    pub(crate) fn fresh_private(&mut self, func: FuncId) -> Vec<Option<Term>> {
        let analysis = self.analysis;
        let mut maps = vec![None; analysis.private_regions(func)];
        for (region, data) in analysis.regions.all.iter_enumerated() {
            if let (Some(owner), Some(i)) = (data.private, analysis.private_index(region))
                && owner == func
            {
                maps[i] = Some(self.fresh_map(region));
            }
        }
        maps
    }

    /// The map of a region in a state.
    pub fn map(&self, state: &State, region: RegionId) -> Result<Term> {
        let map = match self.analysis.private_index(region) {
            None => state.shared.maps[region],
            Some(i) if self.analysis.regions.all[region].private == Some(state.func()) => state.frame.maps[i],
            Some(_) => None,
        };
        map.ok_or(Unmodelled("the memory of another activation"))
    }

    pub(crate) fn set_map(&mut self, state: &mut State, region: RegionId, map: Term) {
        match self.analysis.private_index(region) {
            None => Rc::make_mut(&mut state.shared).maps[region] = Some(map),
            Some(i) => Rc::make_mut(&mut state.frame).maps[i] = Some(map),
        }
    }

    /// A new object's address, disjoint from all whose contents it may be confused with. Where the object does not `exist`, the
    /// address is that of a byte which no access uses.
    pub(crate) fn new_object(&mut self, name: &str, object: Object, size: Term, align: u64, exists: Term) -> Term {
        let base = self.store.object(name, size, align, exists);
        let regions = self.analysis.regions.of_object(object);
        if self.objects.len() < MAX_DISJOINT {
            for i in 0..self.objects.len() {
                let other = self.objects[i];
                let both_functions = matches!((object, other.object), (Object::Func(_), Object::Func(_)));
                if both_functions || !regions.is_disjoint(&self.analysis.regions.of_object(other.object)) {
                    self.store.disjoint(base, other.base);
                }
            }
        }
        if self.analysis.compared_with_strangers.contains(&object) {
            for i in 0..self.strangers.len() {
                self.store.outside(base, self.strangers[i]);
            }
        }
        let made = matches!(object, Object::Local(..) | Object::Site(_));
        self.objects.push(Known { base, object, made });
        base
    }

    /// A pointer that was drawn from outside leads to no object that never escapes. It does not depend on where objects lie.
    pub(crate) fn is_stranger(&mut self, pointer: Term) {
        let analysis = self.analysis;
        let compared = &analysis.compared_with_strangers;
        if compared.is_empty() {
            return;
        }
        for i in 0..self.objects.len() {
            if compared.contains(&self.objects[i].object) {
                self.store.outside(self.objects[i].base, pointer);
            }
        }
        self.strangers.push(pointer);
    }

    /// The address of a new object for a local of `func`.
    pub(crate) fn new_local(&mut self, func: FuncId, local: LocalId) -> Term {
        let l = &self.program.functions[func].locals[local];
        let size = self.store.bv(self.addr_width(), l.shape.size(self.program.model));
        let name = format!("&{}", l.name);
        let always = self.store.bool(true);
        self.new_object(&name, Object::Local(func, local), size, align_of(l.shape, self.program), always)
    }

    /// The address of a local that is not alive, or of which is not known whether it is: no step makes it.
    fn unmade_local(&mut self, func: FuncId, local: LocalId) -> Term {
        let base = self.new_local(func, local);
        if let Some(known) = self.objects.last_mut() {
            known.made = false;
        }
        base
    }

    /// The address of a global.
    pub fn global_base(&mut self, g: GlobalId) -> Term {
        if let Some(&base) = self.global_bases.get(&g) {
            return base;
        }
        let global = &self.program.globals[g];
        let size = self.store.bv(self.addr_width(), global.shape.size(self.program.model));
        let (align, always) = (align_of(global.shape, self.program), self.store.bool(true));
        let base = self.new_object(&format!("&{}", global.name), Object::Global(g), size, align, always);
        self.global_bases.insert(g, base);
        base
    }

    /// The globals whose addresses have symbols, with these.
    pub fn known_globals(&self) -> impl Iterator<Item = (GlobalId, Term)> + '_ {
        self.program.globals.ids().filter_map(|g| Some((g, *self.global_bases.get(&g)?)))
    }

    /// The functions whose addresses have symbols, with these.
    pub fn known_functions(&self) -> impl Iterator<Item = (FuncId, Term)> + '_ {
        self.program.functions.ids().filter_map(|f| Some((f, *self.function_bases.get(&f)?)))
    }

    /// The address of a function.
    pub(crate) fn function_base(&mut self, f: FuncId) -> Term {
        if let Some(&base) = self.function_bases.get(&f) {
            return base;
        }
        let (one, always) = (self.store.bv(self.addr_width(), 1), self.store.bool(true));
        let base = self.new_object(&format!("&{}", self.program.functions[f].name), Object::Func(f), one, 1, always);
        self.function_bases.insert(f, base);
        base
    }

    /// Addresses for the locals of a new activation that live in memory.
    pub(crate) fn local_bases(&mut self, func: FuncId) -> Rc<Vec<Option<Term>>> {
        if !self.is_once(func) {
            return self.new_bases(func);
        }
        let mut bases = self.entry_bases();
        let analysis = self.analysis;
        for &l in &analysis.lifetimes.of_function[func].begun {
            if bases[l.index()].is_some() {
                let base = self.unmade_local(func, l);
                Rc::make_mut(&mut bases)[l.index()] = Some(base);
            }
        }
        bases
    }

    /// The addresses of the entry function's locals, whose only activation lasts as long as the run.
    pub(crate) fn entry_bases(&mut self) -> Rc<Vec<Option<Term>>> {
        if self.entry_bases.is_none() {
            self.entry_bases = Some(self.new_bases(self.program.entry));
        }
        self.entry_bases.clone().expect("it was just made")
    }

    fn new_bases(&mut self, func: FuncId) -> Rc<Vec<Option<Term>>> {
        let f = &self.program.functions[func];
        if sabotage::active(Fault::ActivationsShareLocals) {
            let known = |id| self.objects.iter().find(|k| k.object == Object::Local(func, id)).map(|k| k.base);
            let known: Vec<_> = f.locals.ids().map(known).collect();
            if known.iter().any(Option::is_some) {
                return Rc::new(known);
            }
        }
        let bases = f.locals.ids().map(|id| {
            let in_memory = self.analysis.in_memory(func, Var::Local(id));
            in_memory.then(|| match self.analysis.lifetimes.begins(func, id) {
                true => self.unmade_local(func, id),
                false => self.new_local(func, id),
            })
        });
        Rc::new(bases.collect())
    }

    /// The value of an address.
    pub fn address(&mut self, state: &State, addr: &Address) -> Result<Term> {
        let mut sum = match &addr.base {
            Base::Var(v) if !self.analysis.in_memory(state.func(), *v) => {
                return Err(Unmodelled("the address of a variable whose address the program does not take"));
            }
            Base::Var(Var::Global(g)) => self.global_base(*g),
            Base::Var(Var::Local(l)) => state.base(*l).expect("a local in memory has an address"),
            Base::Ptr(p) => self.eval(state, p)?,
        };
        let width = self.addr_width();
        let wrong = i64::from(addr.offset > 0 && sabotage::active(Fault::FieldOffsetOffByOne));
        let offset = self.store.bv_signed(width, addr.offset + wrong);
        sum = self.store.bv_add(sum, offset);
        for index in &addr.indices {
            let value = self.eval(state, &index.value)?;
            let stride = self.store.bv_signed(width, index.stride);
            let scaled = self.store.bv_mul(value, stride);
            sum = self.store.bv_add(sum, scaled);
        }
        Ok(sum)
    }

    /// The bytes of a variable.
    pub(crate) fn size_of(&self, object: Object) -> Option<u64> {
        let model = self.program.model;
        match object {
            Object::Global(g) => Some(self.program.globals[g].shape.size(model)),
            Object::Local(f, l) => Some(self.program.functions[f].locals[l].shape.size(model)),
            Object::Site(_) | Object::Func(_) | Object::Ext => None,
        }
    }

    /// The address of a place that is accessed: where it is known to lie in bounds, one that does in any case.
    fn accessed(&mut self, state: &State, place: &Place) -> Result<Term> {
        let at = self.address(state, &place.addr)?;
        if !self.unwinds || self.store.is_inside(at) {
            return Ok(at);
        }
        let (e, n) =
            (Expr { kind: ExprKind::Addr(place.addr.clone()), ty: Ty::Ptr }, place.ty.size(self.program.model));
        let checked = self.object_predicate(state, ObjectPredicate::InBounds(n), &e, Approximation::Under);
        let is_known = checked.is_ok_and(|t| self.under_known(t) == self.store.bool(true));
        Ok(if is_known { self.keep_inside(at, n, &mut { MOST_CHOICES }) } else { at })
    }

    /// An address that equals this one where `n` bytes from it on lie in the object that it was made from, and that lies there.
    fn keep_inside(&mut self, at: Term, n: u64, left: &mut usize) -> Term {
        if let Some(base) = self.store.base_of(at) {
            let size = self.objects.iter().find(|k| k.base == base).and_then(|k| self.size_of(k.object));
            let Some(most) = size.and_then(|size| size.checked_sub(n)) else { return at };
            let offset = self.store.bv_sub(at, base);
            let offset = within(&mut self.store, offset, logic::Range { lo: 0, hi: most });
            return self.store.bv_add(base, offset);
        }
        match self.store.split_address(at) {
            Some((cond, x, y)) if *left > 0 => {
                *left -= 1;
                let (x, y) = (self.keep_inside(x, n, left), self.keep_inside(y, n, left));
                self.store.ite(cond, x, y)
            }
            _ => at,
        }
    }

    /// The value at a place in memory.
    pub(crate) fn load(&mut self, state: &State, place: &Place) -> Result<Term> {
        let region = self.analysis.region(state.func(), place)?;
        let at = self.accessed(state, place)?;
        let map = self.map(state, region)?;
        let word = self.load_word(region, map, at, place.ty.size(self.program.model));
        Ok(self.value_of_word(word, place.ty, place.bits))
    }

    fn load_word(&mut self, region: RegionId, map: Term, at: Term, size: u64) -> Term {
        self.note_address(region, at);
        if let Width::Word(n) = self.analysis.regions.all[region].width {
            debug_assert_eq!(n, size, "a region of words is read by words");
            return self.store.select(map, at);
        }
        let mut word = None;
        for i in 0..size {
            let offset = self.store.bv(self.addr_width(), i);
            let at = self.store.bv_add(at, offset);
            let byte = self.store.select(map, at);
            word = Some(match word {
                None => byte,
                Some(low) if sabotage::active(Fault::BytesInWrongOrder) => self.store.concat(low, byte),
                Some(low) => self.store.concat(byte, low),
            });
        }
        word.expect("an access has at least one byte")
    }

    fn value_of_word(&mut self, word: Term, ty: Ty, bits: Option<BitRange>) -> Term {
        if ty == Ty::Bool {
            let zero = self.store.bv(8, 0);
            let is_zero = self.store.eq(word, zero);
            return self.store.not(is_zero);
        }
        if let Ty::Float(f) = ty {
            return self.store.extract(word, u32::from(f.width()) - 1, 0);
        }
        match bits {
            None => word,
            Some(range) => {
                let width = self.store.width(word);
                let part = self.store.extract(word, u32::from(range.lo + range.width) - 1, u32::from(range.lo));
                self.store.resize(part, width, ty.is_signed())
            }
        }
    }

    /// Writes a value to a place in memory.
    pub(crate) fn store_to(&mut self, state: &mut State, place: &Place, value: Term) -> Result<()> {
        let region = self.analysis.region(state.func(), place)?;
        let at = self.accessed(state, place)?;
        let map = self.map(state, region)?;
        let map = self.store_word(region, map, at, place.ty, place.bits, value);
        self.set_map(state, region, map);
        Ok(())
    }

    fn store_word(
        &mut self,
        region: RegionId,
        mut map: Term,
        at: Term,
        ty: Ty,
        bits: Option<BitRange>,
        value: Term,
    ) -> Term {
        let size = ty.size(self.program.model);
        self.note_address(region, at);
        let mut word = match ty {
            Ty::Bool => {
                let (one, zero) = (self.store.bv(8, 1), self.store.bv(8, 0));
                self.store.ite(value, one, zero)
            }
            Ty::Float(f) => {
                let word = self.stored_float(f, value);
                self.padded(word, size)
            }
            Ty::Int(_) | Ty::Ptr => value,
        };
        if let Some(range) = bits {
            let old = self.load_word(region, map, at, size);
            word = self.insert(old, word, range);
        }
        if let Width::Word(_) = self.analysis.regions.all[region].width {
            return self.store.store(map, at, word);
        }
        for i in 0..size {
            let offset = self.store.bv(self.addr_width(), i);
            let at = self.store.bv_add(at, offset);
            let byte = self.store.extract(word, 8 * i as u32 + 7, 8 * i as u32);
            map = self.store.store(map, at, byte);
        }
        map
    }

    /// A number of the extended format has more bytes in memory than it fills. A store leaves those as they were or writes what it
    /// likes there: they become arbitrary.
    fn padded(&mut self, word: Term, size: u64) -> Term {
        let (have, want) = (self.store.width(word), 8 * size as u32);
        if have == want {
            return word;
        }
        let padding = self.store.fresh("padding", Sort::Bv(want - have));
        self.store.concat(padding, word)
    }

    /// A container with some of its bits replaced.
    fn insert(&mut self, old: Term, value: Term, range: BitRange) -> Term {
        let (lo, hi, width) = (u32::from(range.lo), u32::from(range.lo + range.width) - 1, self.store.width(old));
        let mut word = self.store.extract(value, u32::from(range.width) - 1, 0);
        if lo > 0 {
            let below = self.store.extract(old, lo - 1, 0);
            word = self.store.concat(word, below);
        }
        if hi + 1 < width {
            let mut above = self.store.extract(old, width - 1, hi + 1);
            if sabotage::active(Fault::NeighbourBitsLost) {
                above = self.store.bv(width - hi - 1, 0);
            }
            word = self.store.concat(above, word);
        }
        word
    }

    /// Writes a whole scalar variable, wherever it lives.
    pub(crate) fn write_var(&mut self, state: &mut State, var: Var, ty: Ty, value: Term) -> Result<()> {
        if self.analysis.in_memory(state.func(), var) {
            return self.store_to(state, &Place::var(var, ty), value);
        }
        state.set(var, value);
        Ok(())
    }

    /// `len` bytes from `dst` on become `byte`.
    pub(crate) fn set_bytes(&mut self, state: &mut State, dst: &Expr, len: &Expr, byte: &Expr) -> Result<()> {
        let regions = self.analysis.regions_of_range(state.func(), dst, len)?;
        let (dst, len, byte) = (self.eval(state, dst)?, self.eval(state, len)?, self.eval(state, byte)?);
        for region in regions {
            let map = self.map(state, region)?;
            let map = self.fill(region, map, dst, len, byte);
            self.set_map(state, region, map);
        }
        Ok(())
    }

    fn fill(&mut self, region: RegionId, map: Term, dst: Term, len: Term, byte: Term) -> Term {
        let n = match self.analysis.regions.all[region].width {
            Width::Word(n) => n,
            Width::Byte => 1,
        };
        let len = if sabotage::active(Fault::FillOneTooLong) {
            let one = self.store.bv(self.addr_width(), 1);
            self.store.bv_add(len, one)
        } else {
            len
        };
        let word = (1..n).fold(byte, |word, _| self.store.concat(word, byte));
        self.store.set_range(map, dst, len, word)
    }

    /// `len` bytes from `dst` on become arbitrary.
    pub(crate) fn forget_bytes(&mut self, state: &mut State, dst: &Expr, len: &Expr) -> Result<()> {
        let regions = self.analysis.regions_of_range(state.func(), dst, len)?;
        let (dst, len) = (self.eval(state, dst)?, self.eval(state, len)?);
        for region in regions {
            let (map, any) = (self.map(state, region)?, self.fresh_map(region));
            let map = self.store.copy_range(map, dst, len, any, dst);
            self.set_map(state, region, map);
        }
        Ok(())
    }

    /// `len` bytes from `src` on are copied to `dst`, as if through a buffer.
    pub(crate) fn copy_bytes(&mut self, state: &mut State, dst: &Expr, src: &Expr, len: &Expr) -> Result<()> {
        let regions = self.analysis.regions_of_range(state.func(), dst, len)?;
        let (dst, src, len) = (self.eval(state, dst)?, self.eval(state, src)?, self.eval(state, len)?);
        for region in regions {
            let map = self.map(state, region)?;
            let map = if sabotage::active(Fault::CopyOverlapsWrongly) {
                self.copy_in_halves(map, dst, src, len)
            } else {
                self.store.copy_range(map, dst, len, map, src)
            };
            self.set_map(state, region, map);
        }
        Ok(())
    }

    /// The seeded fault of block copies: the second half is read when the first is already written.
    fn copy_in_halves(&mut self, map: Term, dst: Term, src: Term, len: Term) -> Term {
        let one = self.store.bv(self.addr_width(), 1);
        let half = self.store.bv_lshr(len, one);
        let rest = self.store.bv_sub(len, half);
        let map = self.store.copy_range(map, dst, half, map, src);
        let (dst, src) = (self.store.bv_add(dst, half), self.store.bv_add(src, half));
        self.store.copy_range(map, dst, rest, map, src)
    }

    /// A new object of an allocation site, all zero if `zeroed`, that is there if it `exists`; else the state stays.
    pub(crate) fn allocate(&mut self, state: &mut State, alloc: &ir::Alloc, exists: Term) -> Result<Term> {
        if !self.analysis.memory_applies() {
            return Err(Unmodelled("memory where accesses outside of objects are allowed"));
        }
        let size = self.eval(state, &alloc.size)?;
        let object = Object::Site(alloc.site);
        let older = self.objects.iter().find(|k| k.object == object && sabotage::active(Fault::MallocNotFresh));
        let base = match older {
            Some(known) => known.base,
            None => self.new_object(&self.program.sites[alloc.site].name, object, size, alloc.align.into(), exists),
        };
        // Where it does not exist, the bytes behind its address may be anybody's.
        let none = self.store.bv(self.addr_width(), 0);
        // One of a size for which there is room anyway can be taken to exist.
        let small = alloc.size.as_const().is_some_and(|n| n <= MAX_SMALL);
        let size = if small { size } else { self.store.ite(exists, size, none) };
        self.fresh_for_variables(state, base);
        self.begin_object(state, base, size);
        if alloc.zeroed {
            let zero = self.store.bv(8, 0);
            for region in self.analysis.regions.of_object(object) {
                let map = self.map(state, region)?;
                let map = self.fill(region, map, base, size, zero);
                self.set_map(state, region, map);
            }
        }
        Ok(base)
    }

    /// A function without body may have written whatever is known outside.
    pub(crate) fn forget_outside(&mut self, state: &mut State) -> Result<()> {
        for region in self.analysis.regions.changed.clone() {
            let mut map = self.fresh_map(region);
            // Nobody writes constants.
            for g in self.constants_in(region) {
                let (base, before) = (self.global_base(g), self.map(state, region)?);
                let len = self.store.bv(self.addr_width(), self.program.globals[g].shape.size(self.program.model));
                map = self.store.copy_range(map, base, len, before, base);
            }
            self.set_map(state, region, map);
        }
        Ok(())
    }

    /// The constant globals of a region, unless they are too many to keep queries small.
    fn constants_in(&self, region: RegionId) -> Vec<GlobalId> {
        let objects = self.analysis.regions.all[region].objects.iter();
        let constants = objects.filter_map(|o| match o {
            Object::Global(g) if self.program.globals[*g].constant => Some(*g),
            _ => None,
        });
        let constants: Vec<GlobalId> = constants.collect();
        if constants.len() <= MAX_CONSTANTS { constants } else { Vec::new() }
    }

    /// Whether memory has formulas at all.
    pub(crate) fn memory_applies(&self) -> bool {
        self.analysis.memory_applies()
    }

    /// The contents that a global starts with.
    pub(crate) fn initialise(&mut self, state: &mut State, g: GlobalId, items: &[InitItem]) -> Result<()> {
        let regions = self.analysis.regions.of_object(Object::Global(g));
        if regions.is_empty() {
            return Ok(());
        }
        let base = self.global_base(g);
        let size = self.program.globals[g].shape.size(self.program.model);
        let (zero, len) = (self.store.bv(8, 0), self.store.bv(self.addr_width(), size));
        for &region in &regions {
            let map = self.map(state, region)?;
            let map = self.fill(region, map, base, len, zero);
            self.set_map(state, region, map);
        }
        for item in items {
            let width = item.value.ty.size(self.program.model);
            let at = [(Object::Global(g), pointsto::Offsets::exactly(item.offset as i64))];
            let touched = self.analysis.regions.of_range(&at.into(), Some(width));
            let value = self.eval(state, &item.value)?;
            // A store knows how to fill the bytes of a number.
            let fills = |t: Term| {
                let number = matches!(item.value.ty, Ty::Float(_));
                number || self.store.sort(t) == Sort::Bool || u64::from(self.store.width(t)) == 8 * width
            };
            if !fills(value) {
                return Err(Unmodelled("a value that does not fill its bytes"));
            }
            let offset = self.store.bv(self.addr_width(), item.offset);
            let at = self.store.bv_add(base, offset);
            for region in touched {
                let map = self.map(state, region)?;
                let map = self.store_word(region, map, at, item.value.ty, item.bits, value);
                self.set_map(state, region, map);
            }
        }
        Ok(())
    }
}

fn align_of(shape: ir::Shape, program: &Program) -> u64 {
    match shape {
        ir::Shape::Object { align, .. } => align.into(),
        // As compilers align them on x86: the size, but at most that of a pointer.
        ir::Shape::Scalar(ty) => {
            let size = ty.size(program.model);
            let most = u64::from(program.model.ptr_width()) / 8;
            if size.is_power_of_two() { size.min(most) } else { 1 }
        }
    }
}

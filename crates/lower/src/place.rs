//! Places: where an lvalue is, how it is accessed, and what must hold for that.
//!
//! Finding a place needs no guard; reading or writing it has guards that the pointer is not null, that its object is alive and
//! that the access lies inside. A constant offset into a variable that lies inside needs no guard at all.
//!
//! "The pointer" is the base of the address, which is a pointer that the source has: arithmetic inside one expression is
//! folded into the address, but a pointer that is moved by a side effect (`*p++`) is kept before. What became of null in
//! an earlier step is the matter of [`crate::moved`].

use crate::fold;
use crate::function::{Fun, Home};
use base::Span;
use base::sabotage::{self, Fault};
use cfront::tree::{ExprId, ExprKind, Unit, VarId};
use cfront::types::{BitRange, Lengths, Quals};
use ir::{Address, Base, BinOp, Expr, HavocDst, Label, ObjectPredicate, Op, Place, Source, Ty, Ub, Var};

/// No device lies below.
const FIRST_PAGE: u128 = 0x1000;

/// How a bit-field is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BitAccess {
    /// First byte of the access.
    pub(crate) start: u64,
    /// Width of the access in bits.
    pub(crate) width: u16,
    /// First bit of the field in the access.
    pub(crate) lo: u16,
}

/// An access of machine size that holds a bit-field, inside an object of `limit` bytes. `unit` is the size of the field's
/// declared type: fields of one unit share one access, which keeps memory in few classes.
pub(crate) fn bit_access(unit: u64, offset: u64, bits: BitRange, limit: u64) -> Option<BitAccess> {
    let (first, end) = (offset * 8 + u64::from(bits.lo), offset * 8 + u64::from(bits.lo) + u64::from(bits.width));
    let fits = |start: u64, bytes: u64| {
        (start * 8 <= first && end <= (start + bytes) * 8 && start + bytes <= limit).then(|| BitAccess {
            start,
            width: (bytes * 8) as u16,
            lo: (first - start * 8) as u16,
        })
    };
    if let Some(access) = fits(offset / unit.max(1) * unit.max(1), unit) {
        return Some(access);
    }
    // Packed fields may cross units: take the smallest access, moved back if it would leave the object.
    [1, 2, 4, 8, 16].into_iter().find_map(|bytes| fits(offset.min(limit.checked_sub(bytes)?), bytes))
}

/// The part of a bit-field that lies in one byte.
pub(crate) struct BytePart {
    /// Which byte, from the first one of the field.
    pub(crate) byte: i64,
    /// Which bits of it.
    pub(crate) range: ir::BitRange,
    /// Which bit of the value the lowest of them is.
    pub(crate) shift: u16,
}

/// A bit-field byte by byte.
pub(crate) fn bytewise(bits: BitRange) -> impl Iterator<Item = BytePart> {
    let (lo, end) = (u16::from(bits.lo), u16::from(bits.lo) + u16::from(bits.width));
    (0..end.div_ceil(8)).map(move |i| {
        let (from, to) = (lo.max(i * 8), end.min(i * 8 + 8));
        let range = ir::BitRange { lo: from - i * 8, width: to - from };
        BytePart { byte: i64::from(i), range, shift: from - lo }
    })
}

/// A scalar lvalue.
#[derive(Clone, Debug)]
pub(crate) struct Lv {
    /// The access.
    pub(crate) place: Place,
    /// The type of its value, which differs from the access for bit-fields.
    pub(crate) ty: Ty,
    /// Reads give arbitrary values from outside.
    nondet: bool,
    /// A bit-field that no machine access holds (in a packed record of odd size): its bits from the byte at the place on.
    split: Option<BitRange>,
}

impl Lv {
    /// The variable, if the place is the whole of a scalar variable.
    pub(crate) fn as_var(&self) -> Option<Var> {
        self.place.as_var().filter(|_| !self.nondet && self.ty == self.place.ty && self.split.is_none())
    }

    /// A scalar at an address that the source does not name.
    pub(crate) fn plain(place: Place) -> Lv {
        Lv { ty: place.ty, place, nondet: false, split: None }
    }

    /// A bit-field of type `ty` at `offset` in an object of `limit` bytes that starts at `object`.
    pub(crate) fn bit_field(object: &Address, offset: u64, bits: BitRange, limit: u64, unit: u64, ty: Ty) -> Lv {
        let at = |start: u64| Address { offset: object.offset.wrapping_add(start as i64), ..object.clone() };
        let (addr, access_ty, range, split) = match bit_access(unit, offset, bits, limit) {
            Some(a) => {
                let range = ir::BitRange { lo: a.lo, width: u16::from(bits.width) };
                (at(a.start), Ty::int(a.width, ty.is_signed()), range, None)
            }
            None => {
                let first = bytewise(bits).next().expect("a bit-field has bits");
                (at(offset), Ty::int(8, false), first.range, Some(bits))
            }
        };
        let place = Place { addr, ty: access_ty, bits: Some(range), label: Label(None) };
        Lv { place, ty, nondet: false, split }
    }

    /// The accesses of a split bit-field, each with the position of its lowest bit in the value.
    fn pieces(&self, bits: BitRange) -> impl Iterator<Item = (Place, u16)> + use<> {
        let place = self.place.clone();
        bytewise(bits).map(move |p| {
            let addr = Address { offset: place.addr.offset.wrapping_add(p.byte), ..place.addr.clone() };
            (Place { addr, bits: Some(p.range), ..place.clone() }, p.shift)
        })
    }

    /// Bytes that an access touches.
    fn bytes(&self, model: ir::DataModel) -> u64 {
        self.split.map_or_else(|| self.place.ty.size(model), BitRange::bytes)
    }
}

impl<'a> Fun<'a, '_> {
    /// The address of a place, or of an object that holds a record value.
    pub(crate) fn address(&mut self, e: ExprId) -> Address {
        let unit = self.unit;
        let x = &unit.exprs[e];
        match x.kind {
            ExprKind::Var(v) => self.variable(v, x.span),
            ExprKind::Deref(p) => {
                let depth = self.guards.len();
                self.last_step = None;
                let ptr = self.value(p);
                // Whether the place lies in its object is asked when it is accessed, if it is, but not whether it came there round the
                // address space.
                if matches!(unit.exprs[p].kind, ExprKind::Binary(cfront::tree::BinOp::PtrAdd, ..))
                    && !self.address_only
                    && let Some(step) = self.last_step.take()
                    && step.guard >= depth
                    && step.guard + 1 == self.guards.len()
                {
                    self.guards.pop();
                    if let Some(direct) = step.direct.filter(|_| !sabotage::active(Fault::ElementsComeRound)) {
                        self.guard(Ub::OutOfBounds, direct);
                    }
                }
                self.pointed(ptr)
            }
            ExprKind::Member(base, i) => {
                let addr = self.address(base);
                if let Some((_, offset)) = unit.types.lane(unit.exprs[base].ty, i) {
                    return self.advance(addr, offset as i64);
                }
                match unit.types.record(unit.exprs[base].ty) {
                    Some(r) if unit.types.records[r].lengths == Lengths::Fixed => {
                        let offset = unit.types.records[r].fields[i as usize].offset;
                        self.advance(addr, offset as i64)
                    }
                    _ => {
                        self.unsupported("structure of unknown size", x.span);
                        addr
                    }
                }
            }
            ExprKind::Str(s) => self.text_address(s, x.span),
            ExprKind::CompoundLiteral(v) => {
                if !crate::global::is_static(unit.vars[v].storage) {
                    self.declaration(v, x.span);
                }
                let own = self.variable(v, x.span);
                self.compound_address(v, own, x.span)
            }
            _ => self.record(e),
        }
    }

    fn variable(&mut self, v: VarId, span: Span) -> Address {
        let home = self.home(v);
        self.named_at_entry(v, home, span);
        match home {
            Home::At(var) => Address::var(var),
            Home::Behind(l) => Address::ptr(Expr::var(Var::Local(l), Ty::Ptr)),
            Home::Outside(g) => Address::ptr(Expr::var(Var::Global(g), Ty::Ptr)),
            Home::Trouble(why) => {
                self.unsupported(why, span);
                Address::ptr(Expr::null())
            }
        }
    }

    /// The value of a hidden variable that holds the length of an array.
    pub(crate) fn length(&mut self, v: VarId) -> Expr {
        match self.home(v) {
            Home::At(var) => Expr::var(var, self.scalar_of(var)),
            Home::Behind(l) => {
                let addr = Address::ptr(Expr::var(Var::Local(l), Ty::Ptr));
                Expr::read(unnamed(addr, self.model().size_ty()))
            }
            Home::Outside(_) | Home::Trouble(_) => {
                self.unsupported("array of unknown length", self.unit.vars[v].span);
                Expr::int(self.model().size_ty(), 0)
            }
        }
    }

    /// A scalar place. After something unsupported it is a dummy in unreachable code.
    pub(crate) fn lvalue(&mut self, e: ExprId) -> Lv {
        let unit = self.unit;
        let x = &unit.exprs[e];
        let Some(ty) = self.scalar(x.ty) else {
            self.no_value(e);
            return Lv::plain(Place::var(self.dummy_var(x.span), Ty::int(32, true)));
        };
        let label = crate::label::label(unit, e);
        let nondet =
            (self.cx.opts.volatile_nondet && unit.types.quals(x.ty).has(Quals::VOLATILE)) || is_register(unit, e);
        if let ExprKind::Member(base, i) = x.kind
            && let Some(r) = unit.types.record(unit.exprs[base].ty)
            && let Some(bits) = unit.types.records[r].fields[i as usize].bits
        {
            let record = &unit.types.records[r];
            let size = unit.types.size(x.ty).unwrap_or(1);
            let object = self.place_of(base, false);
            let mut lv = Lv::bit_field(&object, record.fields[i as usize].offset, bits, record.size, size, ty);
            lv.place.label = label;
            return Lv { nondet, ..lv };
        }
        let addr = self.place_of(e, false);
        Lv { place: Place { addr, ty, bits: None, label }, ty, nondet, split: None }
    }

    /// The address of a place, of which only that is wanted, or that is accessed.
    pub(crate) fn place_of(&mut self, e: ExprId, address_only: bool) -> Address {
        let outer = std::mem::replace(&mut self.address_only, address_only);
        let addr = self.address(e);
        self.address_only = outer;
        addr
    }

    /// A variable for code that cannot be reached.
    fn dummy_var(&mut self, span: Span) -> Var {
        self.temp(Ty::int(32, true), span)
    }

    /// Asks that an access of `size` bytes is fine.
    pub(crate) fn access(&mut self, addr: &Address, size: u64) {
        match &addr.base {
            Base::Var(v) => {
                let object = self.shape(*v).size(self.model());
                let inside = addr.indices.is_empty()
                    && u64::try_from(addr.offset).is_ok_and(|o| o.checked_add(size).is_some_and(|end| end <= object));
                if !inside {
                    let ptr = Expr::addr(addr.clone());
                    self.guard(Ub::OutOfBounds, object_predicate(ObjectPredicate::InBounds(size), ptr));
                }
            }
            // A constant address above the first page is a device's: nothing is known of its size or lifetime.
            Base::Ptr(p) if p.as_const().is_some_and(|at| at >= FIRST_PAGE) => {}
            Base::Ptr(p) => {
                if !self.is_capture(p) {
                    self.guard(Ub::NullDeref, fold::binary(BinOp::Ne, (**p).clone(), Expr::null()));
                    self.guard(Ub::UseAfterFree, object_predicate(ObjectPredicate::Alive, (**p).clone()));
                }
                let ptr = self.pointer(addr.clone());
                self.guard(Ub::OutOfBounds, object_predicate(ObjectPredicate::InBounds(size), ptr));
            }
        }
    }

    /// Asks that an access of `len` bytes, not known before, is fine; nothing is asked if there are none.
    pub(crate) fn access_range(&mut self, ptr: &Expr, len: &Expr) {
        let addr = self.pointed(ptr.clone());
        if let Some(n) = len.as_const() {
            if n > 0 {
                self.access(&addr, n as u64);
            }
            return;
        }
        let none = fold::binary(BinOp::Eq, len.clone(), Expr::int(len.ty, 0));
        if let Base::Ptr(p) = &addr.base {
            let there = fold::binary(BinOp::Ne, (**p).clone(), Expr::null());
            self.guard(Ub::NullDeref, fold::or(none.clone(), there));
            self.guard(
                Ub::UseAfterFree,
                fold::or(none.clone(), object_predicate(ObjectPredicate::Alive, (**p).clone())),
            );
        }
        // First and last byte lie in the object, and the way from one to the other does not wrap.
        let last = self.step(addr, len.clone(), 1);
        let last = self.advance(last, -1);
        let last = self.pointer(last);
        let ends = fold::and(
            object_predicate(ObjectPredicate::InBounds(1), ptr.clone()),
            object_predicate(ObjectPredicate::InBounds(1), last.clone()),
        );
        let forward = fold::binary(BinOp::Le, ptr.clone(), last);
        self.guard(Ub::OutOfBounds, fold::or(none, fold::and(ends, forward)));
    }

    /// The value at a place.
    pub(crate) fn read(&mut self, lv: Lv, span: Span) -> Expr {
        self.access(&lv.place.addr, lv.bytes(self.model()));
        if lv.nondet {
            let var = self.temp(lv.ty, span);
            let source = Source::Outside("volatile".to_owned());
            // Any value is also the one that was stored, which the outside need not know.
            if lv.ty == Ty::Ptr && self.cx.opts.volatile_nondet {
                self.emit(Op::Assign(Place::var(var, lv.ty), Expr::read(lv.place)), span);
                self.perhaps(span, |fun| {
                    fun.emit(Op::Havoc(HavocDst::Place(Place::var(var, Ty::Ptr)), source), span);
                });
                return Expr::var(var, Ty::Ptr);
            }
            self.emit(Op::Havoc(HavocDst::Place(Place::var(var, lv.ty)), source), span);
            // Any value that the place can hold: a bit-field has no more than its bits.
            return self.narrowed(&lv, Expr::var(var, lv.ty));
        }
        let Some(bits) = lv.split else { return fold::convert(lv.ty, Expr::read(lv.place), self.model()) };
        let wide = Ty::int(128, false);
        let parts = lv.pieces(bits).map(|(place, shift)| {
            let part = fold::convert(wide, Expr::read(place), self.model());
            fold::binary(BinOp::Shl, part, Expr::int(wide, i128::from(shift)))
        });
        let value = parts.reduce(|a, b| fold::binary(BinOp::Or, a, b)).expect("a bit-field has bits");
        self.narrowed(&lv, value)
    }

    /// Writes a value of the place's type.
    pub(crate) fn write(&mut self, lv: &Lv, value: Expr, span: Span) {
        let Some(bits) = lv.split else {
            self.access(&lv.place.addr, lv.place.ty.size(self.model()));
            let value = fold::convert(lv.place.ty, value, self.model());
            return self.emit(Op::Assign(lv.place.clone(), value), span);
        };
        // Several writes: neither the value nor the place may change on the way.
        let mut lv = lv.clone();
        let value = self.keep_if_memory(value, span);
        if !self.is_steady(&lv.place.addr) {
            let ptr = self.pointer(lv.place.addr);
            let ptr = self.keep(ptr, span);
            lv.place.addr = self.pointed(ptr);
        }
        self.access(&lv.place.addr, lv.bytes(self.model()));
        let wide = Ty::int(128, false);
        let value = fold::convert(wide, value, self.model());
        for (place, shift) in lv.pieces(bits) {
            let part = fold::binary(BinOp::Shr, value.clone(), Expr::int(wide, i128::from(shift)));
            let part = fold::convert(place.ty, part, self.model());
            self.emit(Op::Assign(place, part), span);
        }
    }

    /// Gives a place an arbitrary value.
    pub(crate) fn havoc(&mut self, lv: &Lv, source: &Source, span: Span) {
        self.access(&lv.place.addr, lv.bytes(self.model()));
        let places: Vec<Place> = match lv.split {
            None => vec![lv.place.clone()],
            Some(bits) => lv.pieces(bits).map(|(place, _)| place).collect(),
        };
        for place in places {
            self.emit(Op::Havoc(HavocDst::Place(place), source.clone()), span);
        }
    }

    /// Something that happens or not, as the outside chooses.
    pub(crate) fn perhaps(&mut self, span: Span, happens: impl FnOnce(&mut Self)) {
        let choice = self.temp(Ty::Bool, span);
        let source = Source::Outside("volatile".to_owned());
        self.emit(Op::Havoc(HavocDst::Place(Place::var(choice, Ty::Bool)), source), span);
        let (yes, done) = (self.graph.loc(), self.graph.loc());
        self.split(Expr::var(choice, Ty::Bool), yes, done, span);
        self.at(yes);
        happens(self);
        self.goto(done, span);
        self.at(done);
    }

    /// What the place holds after `value` was written: only some bits of it, for a bit-field.
    pub(crate) fn narrowed(&self, lv: &Lv, value: Expr) -> Expr {
        let width = match (lv.split, lv.place.bits) {
            (Some(bits), _) => u16::from(bits.width),
            (None, Some(bits)) => bits.width,
            (None, None) => return value,
        };
        match lv.ty {
            Ty::Bool => fold::truth(value),
            ty => fold::convert(ty, fold::convert(Ty::int(width, ty.is_signed()), value, self.model()), self.model()),
        }
    }

    /// The address and everything it depends on survive what `later` writes, and a write to the place itself.
    pub(crate) fn settle(&mut self, addr: Address, later: &[ExprId], span: Span) -> Address {
        let base = match addr.base {
            Base::Ptr(p) => Base::Ptr(Box::new(self.protect(*p, later, span))),
            base @ Base::Var(_) => base,
        };
        let mut indices = Vec::with_capacity(addr.indices.len());
        for mut index in addr.indices {
            index.value = self.protect(index.value, later, span);
            indices.push(index);
        }
        Address { base, offset: addr.offset, indices }
    }
}

/// An object predicate.
pub(crate) fn object_predicate(object_predicate: ObjectPredicate, ptr: Expr) -> Expr {
    Expr { ty: Ty::Bool, kind: ir::ExprKind::ObjectPredicate(object_predicate, Box::new(ptr)) }
}

/// Whether the place is a machine register that the program names.
fn is_register(unit: &Unit, e: ExprId) -> bool {
    let ExprKind::Var(v) = unit.exprs[e].kind else { return false };
    let var = &unit.vars[v];
    let Some(name) = var.attrs.asm_name.as_deref() else { return false };
    if !crate::global::is_static(var.storage) {
        return false;
    }
    let name = name.trim_start_matches('%');
    let plain = name.trim_start_matches(['e', 'r']);
    matches!(plain, "ax" | "bx" | "cx" | "dx" | "si" | "di" | "bp" | "sp")
        || name.strip_prefix('r').is_some_and(|n| n.parse::<u8>().is_ok())
}

/// A place without a name.
pub(crate) fn unnamed(addr: Address, ty: Ty) -> Place {
    Place { addr, ty, bits: None, label: Label(None) }
}

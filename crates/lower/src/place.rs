//! Places: where an lvalue is, how it is accessed, and what must hold for that.
//!
//! Finding a place asks for nothing; reading or writing it asks that the pointer is not null, that its object is alive and
//! that the access lies inside. A constant offset into a variable that lies inside needs no question at all.

use crate::fold;
use crate::function::{Fun, Home};
use base::Span;
use cfront::tree::{ExprId, ExprKind, Unit, VarId};
use cfront::types::{BitRange, Quals};
use ir::{Address, Ask, Base, BinOp, Expr, HavocDst, Label, Op, Place, Source, Ty, Ub, Var};

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

/// A scalar lvalue.
#[derive(Clone, Debug)]
pub(crate) struct Lv {
    /// The access.
    pub(crate) place: Place,
    /// The type of its value, which differs from the access for bit-fields.
    pub(crate) ty: Ty,
    /// Reads give arbitrary values from outside.
    nondet: bool,
}

impl Lv {
    /// The variable, if the place is the whole of a scalar variable.
    pub(crate) fn as_var(&self) -> Option<Var> {
        self.place.as_var().filter(|_| !self.nondet && self.ty == self.place.ty)
    }

    /// A scalar at an address that the source does not name.
    pub(crate) fn plain(place: Place) -> Lv {
        Lv { ty: place.ty, place, nondet: false }
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
                let ptr = self.value(p);
                self.pointed(ptr)
            }
            ExprKind::Member(base, i) => {
                let addr = self.address(base);
                match unit.types.record(unit.exprs[base].ty) {
                    Some(r) if !unit.types.records[r].variable => {
                        let offset = unit.types.records[r].fields[i as usize].offset;
                        self.advance(addr, offset as i64)
                    }
                    _ => {
                        self.unsupported("structure of unknown size", x.span);
                        addr
                    }
                }
            }
            ExprKind::Str(s) => Address::var(Var::Global(self.cx.string(self.u, s))),
            ExprKind::CompoundLiteral(v) => {
                if !crate::global::is_static(unit.vars[v].storage) {
                    self.declaration(v, x.span);
                }
                self.variable(v, x.span)
            }
            _ => self.record(e),
        }
    }

    fn variable(&mut self, v: VarId, span: Span) -> Address {
        match self.home(v) {
            Home::At(var) => Address::var(var),
            Home::Behind(l) => Address::ptr(Expr::var(Var::Local(l), Ty::Ptr)),
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
            Home::Behind(_) | Home::Trouble(_) => {
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
            let Some(access) = bit_access(size, record.fields[i as usize].offset, bits, record.size) else {
                self.unsupported("bit-field without a machine access", x.span);
                return Lv::plain(Place::var(self.dummy_var(x.span), ty));
            };
            let addr = self.address(base);
            let addr = self.advance(addr, access.start as i64);
            let bits = Some(ir::BitRange { lo: access.lo, width: u16::from(bits.width) });
            let place = Place { addr, ty: Ty::int(access.width, ty.is_signed()), bits, label };
            return Lv { place, ty, nondet };
        }
        let addr = self.address(e);
        Lv { place: Place { addr, ty, bits: None, label }, ty, nondet }
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
                    self.guard(Ub::OutOfBounds, ask(Ask::InBounds(size), ptr));
                }
            }
            Base::Ptr(p) => {
                self.guard(Ub::NullDeref, fold::binary(BinOp::Ne, (**p).clone(), Expr::null()));
                self.guard(Ub::UseAfterFree, ask(Ask::Alive, (**p).clone()));
                let ptr = self.pointer(addr.clone());
                self.guard(Ub::OutOfBounds, ask(Ask::InBounds(size), ptr));
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
            self.guard(Ub::UseAfterFree, fold::or(none.clone(), ask(Ask::Alive, (**p).clone())));
        }
        // First and last byte lie in the object, and the way from one to the other does not wrap.
        let last = self.step(addr, len.clone(), 1);
        let last = self.advance(last, -1);
        let last = self.pointer(last);
        let ends = fold::and(ask(Ask::InBounds(1), ptr.clone()), ask(Ask::InBounds(1), last.clone()));
        let forward = fold::binary(BinOp::Le, ptr.clone(), last);
        self.guard(Ub::OutOfBounds, fold::or(none, fold::and(ends, forward)));
    }

    /// The value at a place.
    pub(crate) fn read(&mut self, lv: Lv, span: Span) -> Expr {
        self.access(&lv.place.addr, lv.place.ty.size(self.model()));
        if lv.nondet {
            let var = self.temp(lv.ty, span);
            let source = Source::Outside("volatile".to_owned());
            self.emit(Op::Havoc(HavocDst::Place(Place::var(var, lv.ty)), source), span);
            return Expr::var(var, lv.ty);
        }
        fold::convert(lv.ty, Expr::read(lv.place), self.model())
    }

    /// Writes a value of the place's type.
    pub(crate) fn write(&mut self, lv: &Lv, value: Expr, span: Span) {
        self.access(&lv.place.addr, lv.place.ty.size(self.model()));
        let value = fold::convert(lv.place.ty, value, self.model());
        self.emit(Op::Assign(lv.place.clone(), value), span);
    }

    /// What the place holds after `value` was written: only some bits of it, for a bit-field.
    pub(crate) fn narrowed(&self, lv: &Lv, value: Expr) -> Expr {
        match lv.place.bits {
            Some(bits) if lv.ty != Ty::Bool => {
                let narrow = Ty::int(bits.width, lv.ty.is_signed());
                fold::convert(lv.ty, fold::convert(narrow, value, self.model()), self.model())
            }
            _ => value,
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

/// A question about a pointer's object.
pub(crate) fn ask(ask: Ask, ptr: Expr) -> Expr {
    Expr { ty: Ty::Bool, kind: ir::ExprKind::Ask(ask, Box::new(ptr)) }
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

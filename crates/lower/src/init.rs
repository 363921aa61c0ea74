//! Local variables come into being: fresh contents, then their initialisers.

use crate::fold;
use crate::function::{Fun, Home};
use crate::place::{Lv, unnamed};
use crate::types;
use base::Span;
use cfront::tree::{ExprKind, InitEntry, InitId, InitValue, VarId};
use ir::{Address, Alloc, Expr, LocalId, Op, Place, Shape, Source, Ty, Ub, Var};

/// `[a ... b] = x` with more elements than this is not lowered (unless it is a fill with zero).
const MAX_REPEAT: u64 = 4096;

impl Fun<'_, '_> {
    /// A declaration is passed.
    pub(crate) fn declaration(&mut self, v: VarId, span: Span) {
        let var = &self.unit.vars[v];
        if var.attrs.cleanup.is_some() && !self.cleanups.contains(&v) {
            self.cleanups.push(v);
        }
        match (self.home(v), var.init) {
            (Home::Outside(_), _) => {}
            (Home::Trouble(why), _) => self.unsupported(why, span),
            (Home::Behind(l), _) if crate::identity::is_empty(self.unit, v) => self.somewhere(l, span),
            (Home::Behind(l), _) => self.allocate_array(v, l, span),
            (Home::At(var), None) => self.fresh(var, span),
            (Home::At(var), Some(init)) => self.initialise(var, init, span),
        }
    }

    /// Arbitrary contents.
    fn fresh(&mut self, var: Var, span: Span) {
        match (var, self.shape(var)) {
            (Var::Local(_), Shape::Object { size: 0, .. }) => {}
            (Var::Local(l), _) => {
                let op = crate::definite::uninit(l, &self.locals[l], self.model());
                self.emit(op, span);
            }
            (Var::Global(_), _) => {}
        }
    }

    /// A variable length array.
    fn allocate_array(&mut self, v: VarId, l: LocalId, span: Span) {
        let var = &self.unit.vars[v];
        let Some(size) = types::size(&self.unit.types, var.ty) else {
            return self.unsupported("object of unknown size", span);
        };
        let mut bytes = self.bytes(size.bytes);
        for length in size.lengths {
            let n = self.length(length);
            // A negative number of elements is what no object has; none at all is GNU C.
            let signed = fold::convert(self.model().index_ty(), n.clone(), self.model());
            let none = Expr::int(signed.ty, 0);
            self.guard(Ub::OutOfBounds, fold::binary(ir::BinOp::Ge, signed, none));
            let n = fold::convert(bytes.ty, n, self.model());
            bytes = fold::binary(ir::BinOp::Mul, bytes, n);
        }
        let align = self.unit.types.align(var.ty).max(var.attrs.align.unwrap_or(1)).min(1 << 30) as u32;
        let name = var.name.map_or("array", |s| self.unit.name(s));
        let site = self.cx.site(format!("{}.{name}", self.name), span);
        let dst = Place::var(Var::Local(l), Ty::Ptr);
        let alloc = Alloc { dst, size: bytes, align, zeroed: false, may_fail: false, stack: true, site };
        self.emit(Op::Alloc(alloc), span);
    }

    fn initialise(&mut self, var: Var, init: InitId, span: Span) {
        let unit = self.unit;
        let init = &unit.inits[init];
        if let Some(why) = init.unsupported {
            return self.unsupported(&unit.reasons[why], span);
        }
        if let (Shape::Scalar(_), [entry]) = (self.shape(var), &init.entries[..])
            && let InitValue::Expr(e) = entry.value
        {
            return self.store_var(var, e);
        }
        let Shape::Object { size, .. } = self.shape(var) else {
            // `int x = {};`
            let ty = self.scalar_of(var);
            return self.emit(Op::Assign(Place::var(var, ty), Expr::constant(ty, 0)), span);
        };
        let whole_record = match &init.entries[..] {
            [InitEntry { offset: 0, value: InitValue::Expr(e), ty, .. }] if unit.types.is_aggregate(*ty) => {
                (unit.types.size(*ty) == Some(size)).then_some(*e)
            }
            _ => None,
        };
        if let Some(e) = whole_record {
            // A call's result may go straight to a variable that the callee cannot see.
            if matches!(unit.exprs[e].kind, ExprKind::Call(..)) && self.is_taken(var) {
                let src = self.address(e);
                return self.copy_record(Address::var(var), &src, unit.exprs[e].ty, span);
            }
            return self.record_to_variable(e, var);
        }
        if size > 0 {
            if init.zero {
                let (dst, len) = (Expr::addr(Address::var(var)), self.bytes(size));
                self.emit(Op::SetRange { dst, value: Expr::int(Ty::int(8, false), 0), len }, span);
            } else {
                self.fresh(var, span);
            }
        }
        for entry in &init.entries {
            self.init_entry(var, size, entry, init.zero, span);
        }
    }

    fn init_entry(&mut self, var: Var, size: u64, entry: &InitEntry, zeroed: bool, span: Span) {
        let unit = self.unit;
        let at = self.advance(Address::var(var), entry.offset as i64);
        let e = match entry.value {
            InitValue::Str(s) => {
                let lit = &unit.strings[s];
                let room = unit.types.size(entry.ty).unwrap_or(0);
                // With its final zero where there is room for it.
                let have = unit.types.size(lit.ty).unwrap_or(lit.bytes.len() as u64);
                let src = Expr::addr(Address::var(Var::Global(self.cx.string(self.u, s))));
                self.copy(at.clone(), src, have.min(room), span);
                if have < room && !zeroed {
                    let rest = self.advance(at, have as i64);
                    let (dst, len) = (self.pointer(rest), self.bytes(room - have));
                    self.emit(Op::SetRange { dst, value: Expr::int(Ty::int(8, false), 0), len }, span);
                }
                return;
            }
            InitValue::Expr(e) => e,
        };
        if unit.types.is_aggregate(entry.ty) {
            let src = self.address(e);
            let mut at = at;
            for _ in 0..entry.repeat.min(MAX_REPEAT) {
                self.copy_record(at.clone(), &src, entry.ty, span);
                at = self.advance(at, entry.stride as i64);
            }
            if entry.repeat > MAX_REPEAT {
                self.unsupported("very large initialiser", span);
            }
            return;
        }
        let Some(ty) = self.scalar(entry.ty) else {
            self.no_value(e);
            return;
        };
        let mut value = self.value(e);
        if entry.repeat > 1 {
            value = self.keep_if_memory(value, span);
        }
        let mut lv = match entry.bits {
            None => Lv::plain(unnamed(at, ty)),
            Some(bits) => {
                let unit_size = unit.types.size(entry.ty).unwrap_or(1);
                Lv::bit_field(&Address::var(var), entry.offset, bits, size, unit_size, ty)
            }
        };
        for _ in 0..entry.repeat.min(MAX_REPEAT) {
            self.write(&lv, value.clone(), span);
            lv.place.addr = self.advance(lv.place.addr, entry.stride as i64);
        }
        if entry.repeat > MAX_REPEAT {
            self.unsupported("very large initialiser", span);
        }
    }

    /// Arbitrary contents for the bytes behind a pointer.
    pub(crate) fn havoc_bytes(&mut self, dst: Expr, len: Expr, source: Source, span: Span) {
        self.emit(Op::Havoc(ir::HavocDst::Range { dst, len }, source), span);
    }
}

//! Local variables come into being: fresh contents, then their initialisers.

use crate::fold;
use crate::function::{Fun, Home};
use crate::place::{Lv, unnamed};
use crate::types;
use base::Span;
use cfront::tree::{ExprId, ExprKind, InitEntry, InitId, InitValue, StrId, VarId};
use cfront::types::TypeId;
use ir::{Address, Alloc, Expr, FloatTy, LocalId, Op, Place, Shape, Source, Ty, Ub, Var};

/// `[a ... b] = x` with more elements than this is not lowered.
const MAX_REPEAT: u64 = 4096;

impl Fun<'_, '_> {
    /// A declaration is passed.
    pub(crate) fn declaration(&mut self, v: VarId, span: Span) {
        let var = &self.unit.vars[v];
        if var.attrs.cleanup.is_some() && !self.cleanups.contains(&v) {
            self.cleanups.push(v);
        }
        let home = self.home(v);
        if let Home::At(Var::Local(l)) = home {
            self.graph.scopes.declare(l);
        }
        match (home, var.init) {
            (Home::Outside(_), _) => {}
            (Home::Trouble(why), _) => self.unsupported(why, span),
            (Home::Behind(l), _) if crate::identity::is_empty(self.unit, v) => self.somewhere(l, span),
            (Home::Behind(l), _) => self.allocate_array(v, l, span),
            (Home::At(var), None) => self.fresh(var, span),
            (Home::At(home), Some(init)) => self.initialise(home, var.ty, init, span),
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
        let mut lengths = Vec::new();
        types::lengths(&self.unit.types, var.ty, &mut lengths);
        for length in lengths {
            let n = self.length(length);
            // A negative number of elements is what no object has; none at all is GNU C.
            let signed = fold::convert(self.model().index_ty(), n, self.model());
            let none = Expr::int(signed.ty, 0);
            self.guard(Ub::OutOfBounds, fold::binary(ir::BinOp::Ge, signed, none));
        }
        let mut bytes = self.bytes(size.bytes);
        for length in size.lengths {
            let n = self.length(length);
            let n = fold::convert(bytes.ty, n, self.model());
            // As large as that is no object, and one that cannot fail finds no room.
            let overflows = crate::known::overflows(&bytes, &n);
            if overflows.as_const() != Some(0) {
                self.emit(Op::Assume(overflows.negate()), span);
            }
            bytes = fold::binary(ir::BinOp::Mul, bytes, n);
        }
        let align = self.unit.types.variable_align(var.ty, var.attrs.align).min(1 << 30) as u32;
        let name = var.name.map_or("array", |s| self.unit.name(s));
        let site = self.cx.site(format!("{}.{name}", self.name), span);
        let dst = Place::var(Var::Local(l), Ty::Ptr);
        let alloc = Alloc { dst, size: bytes, align, zeroed: false, may_fail: false, stack: true, site };
        self.emit(Op::Alloc(alloc), span);
        self.graph.scopes.array(l);
    }

    fn initialise(&mut self, var: Var, ty: TypeId, init: InitId, span: Span) {
        let unit = self.unit;
        let init = &unit.inits[init];
        if let Some(why) = init.unsupported {
            return self.unsupported(&unit.reasons[why], span);
        }
        if let (Shape::Scalar(_), [entry]) = (self.shape(var), &init.entries[..])
            && let InitValue::Expr(e) = entry.value
        {
            if self.is_taken(var) && self.scalar_of(var) == Ty::Float(FloatTy::F80) {
                // The format does not fill its bytes.
                self.fresh(var, span);
            }
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
                let src = self.record_read(e);
                self.copy_record(Address::var(var), &src, unit.exprs[e].ty, span);
                return self.blur_copied(&Address::var(var), ty, span);
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
        // Entries for one value stand together: a range of elements that was split by later initialisers.
        for group in init.entries.chunk_by(|a, b| a.value == b.value) {
            if group.iter().any(|e| e.repeat > MAX_REPEAT) {
                return self.unsupported("very large initialiser", span);
            }
            match group[0].value {
                InitValue::Str(s) => group.iter().for_each(|e| self.init_string(var, e, s, init.zero, span)),
                InitValue::Expr(e) if unit.types.is_aggregate(group[0].ty) => self.init_records(var, group, e, span),
                InitValue::Expr(e) => self.init_scalars(var, size, group, e, span),
            }
        }
        if init.zero {
            self.blur_initialised(var, ty, &init.members, span);
        }
    }

    fn init_string(&mut self, var: Var, entry: &InitEntry, s: StrId, zeroed: bool, span: Span) {
        let unit = self.unit;
        let lit = &unit.strings[s];
        let room = unit.types.size(entry.ty).unwrap_or(0);
        // With its final zero where there is room for it.
        let have = unit.types.size(lit.ty).unwrap_or(lit.bytes.len() as u64);
        let src = Expr::addr(Address::var(Var::Global(self.cx.string(self.u, s))));
        let mut at = self.advance(Address::var(var), entry.offset as i64);
        for _ in 0..entry.repeat {
            self.copy(at.clone(), src.clone(), have.min(room), span);
            if have < room && !zeroed {
                let rest = self.advance(at.clone(), have as i64);
                let (dst, len) = (self.pointer(rest), self.bytes(room - have));
                self.emit(Op::SetRange { dst, value: Expr::int(Ty::int(8, false), 0), len }, span);
            }
            at = self.advance(at, entry.stride as i64);
        }
    }

    fn init_records(&mut self, var: Var, group: &[InitEntry], e: ExprId, span: Span) {
        let src = self.record_read(e);
        for entry in group {
            let mut at = self.advance(Address::var(var), entry.offset as i64);
            for _ in 0..entry.repeat {
                self.copy_record(at.clone(), &src, entry.ty, span);
                at = self.advance(at, entry.stride as i64);
            }
        }
    }

    fn init_scalars(&mut self, var: Var, size: u64, group: &[InitEntry], e: ExprId, span: Span) {
        let Some(ty) = self.scalar(group[0].ty) else {
            self.no_value(e);
            return;
        };
        let mut value = self.value(e);
        if group.len() > 1 || group[0].repeat > 1 {
            value = self.keep_if_memory(value, span);
        }
        for entry in group {
            self.init_scalar(var, size, entry, ty, &value, span);
        }
    }

    fn init_scalar(&mut self, var: Var, size: u64, entry: &InitEntry, ty: Ty, value: &Expr, span: Span) {
        for i in 0..entry.repeat {
            let offset = entry.offset + i * entry.stride;
            let lv = match entry.bits {
                None => Lv::plain(unnamed(self.advance(Address::var(var), offset as i64), ty)),
                // The access that holds a bit-field is another one in each element: it must stay inside the object.
                Some(bits) => {
                    let unit_size = self.unit.types.size(entry.ty).unwrap_or(1);
                    Lv::bit_field(&Address::var(var), offset, bits, size, unit_size, ty)
                }
            };
            self.write(&lv, value.clone(), span);
        }
    }

    /// Arbitrary contents for the bytes behind a pointer.
    pub(crate) fn havoc_bytes(&mut self, dst: Expr, len: Expr, source: Source, span: Span) {
        self.emit(Op::Havoc(ir::HavocDst::Range { dst, len }, source), span);
    }
}

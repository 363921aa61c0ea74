//! The typing rules of operators (C11 6.5).

use super::convert::Purpose;
use super::{Parser, R};
use crate::tree::{BinOp, CastKind, ExprId, ExprKind, IncDec, UnOp};
use crate::types::{Quals, TypeId, basic};
use base::Span;

impl Parser<'_> {
    fn is_exotic(&self, e: ExprId) -> bool {
        self.u.types.is_exotic(self.ty(e))
    }

    fn is_int(&self, e: ExprId) -> bool {
        self.u.types.int_kind(self.ty(e)).is_some()
    }

    fn is_arith(&self, e: ExprId) -> bool {
        self.u.types.is_arithmetic(self.ty(e))
    }

    fn target_of(&self, e: ExprId) -> Option<TypeId> {
        self.u.types.pointee(self.ty(e))
    }

    pub(super) fn bad_operands<X>(&mut self, op: &str, a: ExprId, b: ExprId, span: Span) -> R<X> {
        let (x, y) = (self.show(self.ty(a)), self.show(self.ty(b)));
        self.error("type", span, format!("invalid operands to binary {op} (have '{x}' and '{y}')"))
    }

    /// `a op b` for the operators that want two values.
    pub(super) fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> R<ExprId> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        if self.is_exotic(a) || self.is_exotic(b) {
            return self.lanes_binary(op, a, b, span);
        }
        match op {
            BinOp::Add => self.add(a, b, span),
            BinOp::Sub => self.sub(a, b, span),
            BinOp::Mul | BinOp::Div => {
                if !self.is_arith(a) || !self.is_arith(b) {
                    return self.bad_operands(symbol(op), a, b, span);
                }
                self.arithmetic(op, a, b, span)
            }
            BinOp::Rem | BinOp::BitAnd | BinOp::BitXor | BinOp::BitOr => {
                if !self.is_int(a) || !self.is_int(b) {
                    return self.bad_operands(symbol(op), a, b, span);
                }
                self.arithmetic(op, a, b, span)
            }
            BinOp::Shl | BinOp::Shr => {
                if !self.is_int(a) || !self.is_int(b) {
                    return self.bad_operands(symbol(op), a, b, span);
                }
                let odd = self.odd_width(a);
                let (a, b) = (self.promote(a)?, self.promote(b)?);
                let ty = self.value_type(a);
                let e = self.expr(ExprKind::Binary(op, a, b), ty, span);
                Ok(odd.map_or(e, |width| self.narrowed(e, width)))
            }
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => self.compare(op, a, b, span),
            BinOp::PtrAdd | BinOp::PtrSub | BinOp::PtrDiff => unreachable!("the grammar has no pointer operators"),
        }
    }

    /// An operator on two arithmetic values, in their common type.
    fn arithmetic(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> R<ExprId> {
        let odd = self.common_odd_width(a, b);
        let half = self.usual_type(a, b) == basic::FLOAT16;
        let (a, b, ty) = self.usual(a, b)?;
        let e = self.expr(ExprKind::Binary(op, a, b), ty, span);
        if half && ty == basic::FLOAT {
            return Ok(self.with_excess(e));
        }
        Ok(odd.map_or(e, |width| self.narrowed(e, width)))
    }

    fn add(&mut self, a: ExprId, b: ExprId, span: Span) -> R<ExprId> {
        if self.is_arith(a) && self.is_arith(b) {
            return self.arithmetic(BinOp::Add, a, b, span);
        }
        if self.target_of(a).is_some() && self.is_int(b) {
            return self.pointer_step(BinOp::PtrAdd, a, b, span);
        }
        if self.target_of(b).is_some() && self.is_int(a) {
            return self.pointer_step(BinOp::PtrAdd, b, a, span);
        }
        self.bad_operands("+", a, b, span)
    }

    fn sub(&mut self, a: ExprId, b: ExprId, span: Span) -> R<ExprId> {
        if self.is_arith(a) && self.is_arith(b) {
            return self.arithmetic(BinOp::Sub, a, b, span);
        }
        match (self.target_of(a), self.target_of(b)) {
            (Some(_), None) if self.is_int(b) => self.pointer_step(BinOp::PtrSub, a, b, span),
            (Some(x), Some(y)) => {
                if !self.u.types.compatible_unqualified(x, y) {
                    return self.bad_operands("-", a, b, span);
                }
                self.complete_target(x, span)?;
                let to = self.value_type(a);
                let b = self.cast(b, to)?;
                let ty = self.u.types.ptrdiff_t();
                Ok(self.expr(ExprKind::Binary(BinOp::PtrDiff, a, b), ty, span))
            }
            _ => self.bad_operands("-", a, b, span),
        }
    }

    /// Pointer arithmetic needs to know how large the target is.
    fn complete_target(&mut self, target: TypeId, span: Span) -> R<()> {
        let t = &self.u.types;
        if t.is_void(target) || t.is_function(target) || t.is_complete(target) || t.is_vla(target) {
            return Ok(());
        }
        let what = self.show(target);
        self.error("type", span, format!("arithmetic on a pointer to an incomplete type '{what}'"))
    }

    fn pointer_step(&mut self, op: BinOp, p: ExprId, index: ExprId, span: Span) -> R<ExprId> {
        let target = self.target_of(p).expect("the caller has a pointer");
        self.complete_target(target, span)?;
        let ty = self.value_type(p);
        // A number too large for `ptrdiff_t` is not a negative one, and one of a wider type keeps all its bits.
        let types = &self.u.types;
        let (signed, unsigned) = (types.ptrdiff_t(), types.size_t());
        let own = self.value_type(index);
        let large = types.size(unsigned) <= types.size(own) && types.int_kind(own).is_some_and(|k| !k.signed());
        let wide = types.int_kind(own).is_some() && types.size(own) > types.size(signed);
        let index = if wide { index } else { self.cast(index, if large { unsigned } else { signed })? };
        Ok(self.expr(ExprKind::Binary(op, p, index), ty, span))
    }

    fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> R<ExprId> {
        let (mut a, mut b) = (a, b);
        match (self.target_of(a), self.target_of(b)) {
            (None, None) if self.is_arith(a) && self.is_arith(b) => (a, b, _) = self.usual(a, b)?,
            (Some(_), Some(_)) => {
                // Addresses compare as numbers whatever they point to; what matters is one type.
                let to = self.value_type(a);
                b = self.cast(b, to)?;
            }
            // gcc converts the integer, with a warning unless it is 0.
            (Some(_), None) if self.is_int(b) => {
                let to = self.value_type(a);
                b = self.cast(b, to)?;
            }
            (None, Some(_)) if self.is_int(a) => {
                let to = self.value_type(b);
                a = self.cast(a, to)?;
            }
            _ => return self.bad_operands(symbol(op), a, b, span),
        }
        Ok(self.expr(ExprKind::Binary(op, a, b), basic::INT, span))
    }

    /// `+a`, `-a`, `~a`, `!a`.
    pub(super) fn unary(&mut self, op: UnOp, a: ExprId, span: Span) -> R<ExprId> {
        if op == UnOp::Not {
            let c = self.condition(a)?;
            return Ok(self.expr(ExprKind::Unary(UnOp::Not, c), basic::INT, span));
        }
        let a = self.value(a)?;
        if self.is_exotic(a) {
            return self.lanes_unary(op, a, span);
        }
        let fine = if op == UnOp::BitNot { self.is_int(a) } else { self.is_arith(a) };
        if !fine {
            let what = self.show(self.ty(a));
            let word = match op {
                UnOp::Plus => "unary plus",
                UnOp::Neg => "unary minus",
                UnOp::BitNot => "bit-complement",
                UnOp::Not => "unary exclamation mark",
            };
            return self.error("type", span, format!("wrong type argument to {word} (have '{what}')"));
        }
        let odd = self.odd_width(a);
        let a = self.promote(a)?;
        let ty = self.computed_in(self.value_type(a));
        let wide = self.cast(a, ty)?;
        let e = self.expr(ExprKind::Unary(op, wide), ty, span);
        if wide != a {
            return Ok(self.with_excess(e));
        }
        Ok(odd.map_or(e, |width| self.narrowed(e, width)))
    }

    /// Stops unless the expression is a place that may be assigned to.
    pub(super) fn modifiable(&mut self, e: ExprId, what: &str) -> R<()> {
        let (ty, span) = (self.ty(e), self.span_at(e));
        let mut whole = e;
        while let ExprKind::Member(base, _) = self.u.exprs[whole].kind {
            whole = base;
        }
        if let ExprKind::Unsupported(_) = self.u.exprs[whole].kind {
            return Ok(());
        }
        if !self.u.is_place(e) {
            return self.error("lvalue", span, format!("lvalue required as {what}"));
        }
        if self.u.types.is_array(ty) {
            let shown = self.show(ty);
            return self.error("type", span, format!("{what} has array type '{shown}'"));
        }
        if self.u.types.quals(ty).has(Quals::CONST) {
            let message = match self.u.exprs[e].kind {
                ExprKind::Var(v) => {
                    let name = self.u.vars[v].name.map_or_else(String::new, |n| self.name(n).to_owned());
                    format!("assignment of read-only variable '{name}'")
                }
                ExprKind::Member(..) => "assignment of read-only member".to_owned(),
                _ => "assignment of read-only location".to_owned(),
            };
            return self.error("const", span, message);
        }
        Ok(())
    }

    /// `lhs = rhs`.
    pub(super) fn assign(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> R<ExprId> {
        self.modifiable(lhs, "left operand of assignment")?;
        let to = self.value_type(lhs);
        if !self.u.types.is_complete(to) {
            let what = self.show(to);
            return self.error("type", span, format!("assignment to an object of incomplete type '{what}'"));
        }
        let rhs = self.assign_cast(rhs, to, Purpose::Assign)?;
        Ok(self.expr(ExprKind::Assign(lhs, rhs), to, span))
    }

    /// `lhs op= rhs`.
    pub(super) fn assign_op(&mut self, op: BinOp, lhs: ExprId, rhs: ExprId, span: Span) -> R<ExprId> {
        self.modifiable(lhs, "left operand of assignment")?;
        let to = self.value_type(lhs);
        let rhs = self.value(rhs)?;
        if self.is_exotic(lhs) || self.is_exotic(rhs) {
            return self.lanes_assign_op(op, lhs, rhs, span);
        }
        let odd = self.odd_width(lhs).is_some() || self.odd_width(rhs).is_some();
        if odd && self.is_int(lhs) && self.is_int(rhs) {
            let (rhs, comp) = match op {
                // The left operand has to be narrowed first.
                BinOp::Div | BinOp::Rem if self.common_odd_width(lhs, rhs) != self.odd_width(lhs) => {
                    if self.is_plain(lhs) {
                        let value = self.binary(op, lhs, rhs, span)?;
                        return self.assign(lhs, value, span);
                    }
                    return Ok(self.unsupported_expr("division by a bit-field wider than int", to, span));
                }
                BinOp::Shl | BinOp::Shr => (self.promote(rhs)?, self.promoted(lhs)),
                _ => {
                    let (_, rhs, comp) = self.usual(lhs, rhs)?;
                    (rhs, comp)
                }
            };
            return Ok(self.expr(ExprKind::AssignOp { op, lhs, rhs, comp }, to, span));
        }
        // Typing the plain operation types the compound one; its node serves only to be taken apart.
        let plain = self.binary(op, lhs, rhs, span)?;
        let plain = self.as_computed(plain);
        let (op, rhs, comp) = match self.u.exprs[plain].kind {
            ExprKind::Binary(op @ (BinOp::PtrAdd | BinOp::PtrSub), p, index) if p == lhs => (op, index, to),
            ExprKind::Binary(op, _, rhs) if self.u.types.is_arithmetic(to) && self.is_arith(plain) => {
                (op, rhs, self.ty(plain))
            }
            _ => return self.bad_operands(symbol(op), lhs, rhs, span),
        };
        Ok(self.expr(ExprKind::AssignOp { op, lhs, rhs, comp }, to, span))
    }

    /// Whether finding the place has no effects, so that it can be written twice.
    fn is_plain(&self, e: ExprId) -> bool {
        match self.u.exprs[e].kind {
            ExprKind::Var(_) | ExprKind::Int(_) => true,
            ExprKind::Member(a, _) | ExprKind::Deref(a) | ExprKind::Cast(_, a, _) => self.is_plain(a),
            ExprKind::Binary(_, a, b) => self.is_plain(a) && self.is_plain(b),
            _ => false,
        }
    }

    /// `++` and `--`.
    pub(super) fn inc_dec(&mut self, op: IncDec, place: ExprId, span: Span) -> R<ExprId> {
        let word = if matches!(op, IncDec::PreInc | IncDec::PostInc) { "increment" } else { "decrement" };
        self.modifiable(place, &format!("{word} operand"))?;
        let ty = self.value_type(place);
        if self.is_exotic(place) {
            return self.lanes_inc_dec(op, place, span);
        }
        if !self.u.types.is_scalar(ty) {
            let what = self.show(ty);
            return self.error("type", span, format!("wrong type argument to {word} (have '{what}')"));
        }
        if let Some(target) = self.target_of(place) {
            self.complete_target(target, span)?;
        }
        let comp = self.computed_in(self.promoted(place));
        Ok(self.expr(ExprKind::IncDec { op, place, comp }, ty, span))
    }

    /// `c ? a : b`, the condition already tested.
    pub(super) fn conditional(&mut self, c: ExprId, a: ExprId, b: ExprId, span: Span) -> R<ExprId> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let (ta, tb) = (self.value_type(a), self.value_type(b));
        let types = &self.u.types;
        if types.is_exotic(ta) || types.is_exotic(tb) {
            let ty = self.lanes_common(a, b);
            let (a, b) = (self.cast(a, ty)?, self.cast(b, ty)?);
            return Ok(self.expr(ExprKind::Cond(c, a, b), ty, span));
        }
        if types.is_arithmetic(ta) && types.is_arithmetic(tb) {
            let odd = self.common_odd_width(a, b);
            let half = self.usual_type(a, b) == basic::FLOAT16;
            if half && [a, b].iter().any(|&e| self.as_computed(e) != e) {
                let (a, b) = (self.cast(a, basic::FLOAT)?, self.cast(b, basic::FLOAT)?);
                let e = self.expr(ExprKind::Cond(c, a, b), basic::FLOAT, span);
                return Ok(self.with_excess(e));
            }
            if half {
                let (a, b) = (self.cast(a, basic::FLOAT16)?, self.cast(b, basic::FLOAT16)?);
                return Ok(self.expr(ExprKind::Cond(c, a, b), basic::FLOAT16, span));
            }
            let types = &self.u.types;
            let (a, b, ty) = if ta == tb && types.float_kind(ta).is_some() { (a, b, ta) } else { self.usual(a, b)? };
            let e = self.expr(ExprKind::Cond(c, a, b), ty, span);
            self.odd.extend(odd.map(|width| (e, width)));
            return Ok(e);
        }
        if types.is_void(ta) || types.is_void(tb) {
            let (a, b) = (self.drop_value(a, false), self.drop_value(b, false));
            return Ok(self.expr(ExprKind::Cond(c, a, b), basic::VOID, span));
        }
        if ta == tb {
            return Ok(self.expr(ExprKind::Cond(c, a, b), ta, span));
        }
        let ty = match (self.target_of(a), self.target_of(b)) {
            (Some(x), Some(y)) => self.conditional_pointer(a, b, x, y),
            (Some(_), None) if self.is_int(b) => ta,
            (None, Some(_)) if self.is_int(a) => tb,
            _ => {
                let (x, y) = (self.show(ta), self.show(tb));
                let message = format!("type mismatch in conditional expression (have '{x}' and '{y}')");
                return self.error("type", span, message);
            }
        };
        let (a, b) = (self.cast(a, ty)?, self.cast(b, ty)?);
        Ok(self.expr(ExprKind::Cond(c, a, b), ty, span))
    }

    /// C11 6.5.15p6; gcc makes pointers to incompatible types `void *`, with a warning.
    fn conditional_pointer(&mut self, a: ExprId, b: ExprId, x: TypeId, y: TypeId) -> TypeId {
        let types = &self.u.types;
        let (qx, qy) = (types.quals(x), types.quals(y));
        if types.compatible_unqualified(x, y) {
            let both = self.u.types.composite(x, y);
            return self.qualified_pointer(both, qx.with(qy));
        }
        if self.is_null(a) && self.u.types.is_void(x) {
            return self.value_type(b);
        }
        if self.is_null(b) && self.u.types.is_void(y) {
            return self.value_type(a);
        }
        self.qualified_pointer(basic::VOID, qx.with(qy))
    }

    /// The value dropped.
    pub(super) fn drop_value(&mut self, e: ExprId, explicit: bool) -> ExprId {
        if self.u.types.is_void(self.ty(e)) && !explicit {
            return e;
        }
        let span = self.span_at(e);
        self.expr(ExprKind::Cast(CastKind::ToVoid, e, explicit), basic::VOID, span)
    }

    /// `*e`.
    pub(super) fn deref(&mut self, e: ExprId, span: Span) -> R<ExprId> {
        let e = self.value(e)?;
        let Some(target) = self.target_of(e) else {
            let what = self.show(self.ty(e));
            return self.error("type", span, format!("invalid type argument of unary '*' (have '{what}')"));
        };
        if self.annotation.is_some() && self.u.types.is_void(target) {
            let message = "what this pointer points to has no type here: cast it, as in `*(int *)p`";
            return self.error("type", span, message);
        }
        Ok(self.expr(ExprKind::Deref(e), target, span))
    }
}

/// How an operator is written.
pub(super) fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Add | BinOp::PtrAdd => "+",
        BinOp::Sub | BinOp::PtrSub | BinOp::PtrDiff => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::BitAnd => "&",
        BinOp::BitXor => "^",
        BinOp::BitOr => "|",
        BinOp::Lt => "<",
        BinOp::Gt => ">",
        BinOp::Le => "<=",
        BinOp::Ge => ">=",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
    }
}

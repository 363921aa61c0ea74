//! The grammar of expressions above postfix ones (C11 6.5): precedence climbing, with loops wherever a chain can be long.

use super::record::UNKNOWN_LAYOUT;
use super::scope::Binding;
use super::{Parser, R};
use crate::token::{T, Token};
use crate::tree::{BinOp, CastKind, ExprId, ExprKind, IncDec, Linkage, Storage, UnOp, VarId};
use crate::types::{ArrayLen, Lengths, Type, TypeId, basic};
use base::Span;

#[derive(Clone, Copy)]
enum Op {
    Binary(BinOp),
    And,
    Or,
}

/// Precedence and meaning of a binary operator token.
fn binary_operator(t: T) -> Option<(u8, Op)> {
    Some(match t {
        T::Star => (10, Op::Binary(BinOp::Mul)),
        T::Slash => (10, Op::Binary(BinOp::Div)),
        T::Percent => (10, Op::Binary(BinOp::Rem)),
        T::Plus => (9, Op::Binary(BinOp::Add)),
        T::Minus => (9, Op::Binary(BinOp::Sub)),
        T::Shl => (8, Op::Binary(BinOp::Shl)),
        T::Shr => (8, Op::Binary(BinOp::Shr)),
        T::Lt => (7, Op::Binary(BinOp::Lt)),
        T::Gt => (7, Op::Binary(BinOp::Gt)),
        T::Le => (7, Op::Binary(BinOp::Le)),
        T::Ge => (7, Op::Binary(BinOp::Ge)),
        T::EqEq => (6, Op::Binary(BinOp::Eq)),
        T::Ne => (6, Op::Binary(BinOp::Ne)),
        T::Amp => (5, Op::Binary(BinOp::BitAnd)),
        T::Caret => (4, Op::Binary(BinOp::BitXor)),
        T::Pipe => (3, Op::Binary(BinOp::BitOr)),
        T::AmpAmp => (2, Op::And),
        T::PipePipe => (1, Op::Or),
        _ => return None,
    })
}

fn assignment_operator(t: T) -> Option<BinOp> {
    Some(match t {
        T::StarEq => BinOp::Mul,
        T::SlashEq => BinOp::Div,
        T::PercentEq => BinOp::Rem,
        T::PlusEq => BinOp::Add,
        T::MinusEq => BinOp::Sub,
        T::ShlEq => BinOp::Shl,
        T::ShrEq => BinOp::Shr,
        T::AmpEq => BinOp::BitAnd,
        T::CaretEq => BinOp::BitXor,
        T::PipeEq => BinOp::BitOr,
        _ => return None,
    })
}

impl Parser<'_> {
    /// A full expression, commas included.
    pub(super) fn expression(&mut self) -> R<ExprId> {
        let mut e = self.assign_expr()?;
        // In annotations a comma separates.
        while self.annotation.is_none() && self.eat(T::Comma) {
            let b = self.assign_expr()?;
            let b = self.value(b)?;
            let span = self.span_at(e).to(self.span_at(b));
            let wide = self.as_computed(b);
            let ty = self.value_type(wide);
            let a = self.value(e)?;
            e = self.expr(ExprKind::Comma(a, wide), ty, span);
            if wide != b {
                e = self.with_excess(e);
            }
            self.check_height(e)?;
        }
        Ok(e)
    }

    /// An assignment expression.
    pub(super) fn assign_expr(&mut self) -> R<ExprId> {
        self.nested(|p| {
            let lhs = p.cond_expr()?;
            let op = assignment_operator(p.tok.kind);
            if op.is_none() && !p.at(T::Eq) {
                return Ok(lhs);
            }
            if p.annotation.is_some() {
                return p.no_effects(p.tok);
            }
            p.bump();
            let rhs = p.assign_expr()?;
            let span = p.span_at(lhs).to(p.span_at(rhs));
            let e = match op {
                None => p.assign(lhs, rhs, span)?,
                Some(op) => p.assign_op(op, lhs, rhs, span)?,
            };
            p.check_height(e)
        })
    }

    /// A conditional expression.
    pub(super) fn cond_expr(&mut self) -> R<ExprId> {
        let c = self.binary_expr(1)?;
        if !self.at(T::Question) || !self.goes_on() {
            return Ok(c);
        }
        self.nested(|p| {
            p.bump();
            if p.at(T::Colon) && p.annotation.is_some() {
                let span = p.since(p.tok.lo);
                return p.error("unsupported", span, "`?:` needs something between its signs here");
            }
            if p.eat(T::Colon) {
                return p.omitted_middle(c);
            }
            let c = p.condition(c)?;
            let a = p.expression()?;
            p.expect(T::Colon, "':'")?;
            let b = p.cond_expr()?;
            let span = p.span_at(c).to(p.span_at(b));
            let e = p.conditional(c, a, b, span)?;
            p.check_height(e)
        })
    }

    /// GNU `c ?: b`: the value of `c` is read once, into a hidden variable.
    fn omitted_middle(&mut self, c: ExprId) -> R<ExprId> {
        let half = self.value(c)?;
        let c = self.as_computed(half);
        let (ty, cspan) = (self.value_type(c), self.span_at(c));
        // The value has its promoted type if it was a bit-field, so that the variable can hold it.
        let ty = if self.bit_field_width(c).is_some() { self.promoted(c) } else { ty };
        let init = self.cast(c, ty)?;
        let var = self.hidden(ty, cspan);
        self.u.vars[var].storage = Storage::Auto;
        let test = self.expr(ExprKind::Var(var), ty, cspan);
        let test = self.condition(test)?;
        let mut again = self.expr(ExprKind::Var(var), ty, cspan);
        if c != half {
            again = self.with_excess(again);
        }
        let b = self.cond_expr()?;
        let span = cspan.to(self.span_at(b));
        let cond = self.conditional(test, again, b, span)?;
        let wide = self.as_computed(cond);
        let ty = self.value_type(wide);
        let mut e = self.expr(ExprKind::Let(var, init, wide), ty, span);
        if wide != cond {
            e = self.with_excess(e);
        }
        self.check_height(e)
    }

    fn binary_expr(&mut self, min: u8) -> R<ExprId> {
        let mut lhs = self.cast_expr()?;
        while let Some((prec, op)) = binary_operator(self.operator()) {
            if prec < min {
                break;
            }
            self.bump();
            let rhs = self.binary_expr(prec + 1)?;
            let span = self.span_at(lhs).to(self.span_at(rhs));
            lhs = match op {
                Op::Binary(op) => self.binary(op, lhs, rhs, span)?,
                Op::And | Op::Or => {
                    let (a, b) = (self.condition(lhs)?, self.condition(rhs)?);
                    let kind = if matches!(op, Op::And) { ExprKind::LogAnd(a, b) } else { ExprKind::LogOr(a, b) };
                    self.expr(kind, basic::INT, span)
                }
            };
            self.check_height(lhs)?;
        }
        Ok(lhs)
    }

    /// A cast expression: `(type) e`, or a unary one.
    pub(super) fn cast_expr(&mut self) -> R<ExprId> {
        if !self.at(T::LParen) {
            return self.unary_expr();
        }
        let next = self.peek(1);
        if !self.starts_type(next) && next.kind != T::Extension {
            return self.unary_expr();
        }
        if next.kind == T::Extension {
            // `(__extension__ …)` may be either; a type is rare.
            let after = self.peek(2);
            if !self.starts_type(after) {
                return self.unary_expr();
            }
        }
        self.nested(|p| {
            let lo = p.tok.lo;
            let (ty, lengths) = p.parenthesized_type()?;
            let e = if p.at(T::LBrace) && p.annotation.is_none() {
                let e = p.compound_literal(ty, lo)?;
                p.postfix_suffixes(e, lo)?
            } else {
                let operand = p.cast_expr()?;
                let span = p.since(lo);
                p.explicit_cast(operand, ty, span)?
            };
            let e = p.declare_lengths(e, lengths);
            p.check_height(e)
        })
    }

    /// `( type-name )`, and the array lengths it wants evaluated.
    pub(super) fn parenthesized_type(&mut self) -> R<(TypeId, Vec<VarId>)> {
        let open = self.bump();
        let mark = self.pending.len();
        let ty = self.nested(Self::type_name)?;
        self.close(T::RParen, "')'", open)?;
        Ok((ty, self.pending.split_off(mark)))
    }

    /// Wraps `e` so that the hidden variables of array lengths are set before it.
    pub(super) fn declare_lengths(&mut self, e: ExprId, lengths: Vec<VarId>) -> ExprId {
        let mut e = e;
        for var in lengths.into_iter().rev() {
            let init = self.u.vars[var].init.take();
            let Some(crate::tree::InitValue::Expr(value)) = init.map(|i| self.u.inits[i].entries[0].value) else {
                continue;
            };
            let (ty, span) = (self.ty(e), self.span_at(e));
            e = self.expr(ExprKind::Let(var, value, e), ty, span);
        }
        e
    }

    /// `(to) e` as the user wrote it.
    fn explicit_cast(&mut self, e: ExprId, to: TypeId, span: Span) -> R<ExprId> {
        if self.u.types.is_void(to) {
            let e = self.value(e)?;
            return Ok(self.expr(ExprKind::Cast(CastKind::ToVoid, e, true), basic::VOID, span));
        }
        let e = self.value(e)?;
        let to = self.u.types.unqualified(to);
        let e = self.as_computed(e);
        let from = self.value_type(e);
        if let Some(kind) = self.u.types.cast_kind(from, to) {
            return Ok(self.expr(ExprKind::Cast(kind, e, true), to, span));
        }
        if (self.u.types.is_exotic(from) || self.u.types.is_exotic(to))
            && let Some(converted) = self.lanes_cast(e, to, span)?
        {
            return Ok(converted);
        }
        let fields = self.u.types.record(to).map(|r| &self.u.types.records[r].fields);
        if fields.is_some_and(|f| f.iter().any(|f| self.u.types.compatible_unqualified(f.ty, from)))
            && self.u.types.record(to).is_some_and(|r| self.u.types.records[r].kind == crate::types::RecordKind::Union)
        {
            return Ok(self.expr(ExprKind::Cast(CastKind::ToUnion, e, true), to, span));
        }
        let (a, b) = (self.show(from), self.show(to));
        let message = if self.u.types.is_scalar(to) {
            format!("cannot convert a value of type '{a}' to '{b}'")
        } else {
            format!("conversion to non-scalar type '{b}' requested")
        };
        self.error("type", span, message)
    }

    /// A unary expression.
    fn unary_expr(&mut self) -> R<ExprId> {
        let t = self.tok;
        match t.kind {
            T::Plus => self.prefix(t, |p, e, s| p.unary(UnOp::Plus, e, s)),
            T::Minus => self.prefix(t, |p, e, s| p.unary(UnOp::Neg, e, s)),
            T::Tilde => self.prefix(t, |p, e, s| p.unary(UnOp::BitNot, e, s)),
            T::Bang => self.prefix(t, |p, e, s| p.unary(UnOp::Not, e, s)),
            T::Star => self.prefix(t, Self::deref),
            T::Amp => self.prefix(t, Self::address_of),
            T::PlusPlus | T::MinusMinus if self.annotation.is_some() => self.no_effects(t),
            T::Tick => self.nested(Self::value_at_entry),
            T::PlusPlus => self.prefix(t, |p, e, s| p.inc_dec(IncDec::PreInc, e, s)),
            T::MinusMinus => self.prefix(t, |p, e, s| p.inc_dec(IncDec::PreDec, e, s)),
            T::Extension => self.prefix(t, |_, e, _| Ok(e)),
            T::Real | T::Imag => self.prefix(t, |p, e, s| p.part(e, u32::from(t.kind == T::Imag), s)),
            T::Sizeof => self.nested(Self::sizeof),
            T::Alignof | T::GnuAlignof => self.nested(|p| p.alignof(t.kind == T::Alignof)),
            T::AmpAmp => {
                self.bump();
                let name = self.expect(T::Ident, "a label")?;
                let span = self.since(t.lo);
                if self.function.is_none() {
                    return self.error("label", span, "label address outside a function");
                }
                let label = self.label_reference(name)?;
                self.u.labels[label].address_taken = true;
                let ty = self.u.types.pointer(basic::VOID);
                Ok(self.expr(ExprKind::LabelAddr(label), ty, span))
            }
            _ => self.postfix_expr(),
        }
    }

    fn prefix(&mut self, t: Token, f: impl FnOnce(&mut Self, ExprId, Span) -> R<ExprId>) -> R<ExprId> {
        self.nested(|p| {
            p.bump();
            let e = p.cast_expr()?;
            let span = p.since(t.lo);
            let e = f(p, e, span)?;
            p.check_height(e)
        })
    }

    /// `&e`.
    fn address_of(&mut self, e: ExprId, span: Span) -> R<ExprId> {
        let ty = self.ty(e);
        if let ExprKind::Unsupported(_) = self.u.exprs[e].kind {
            let p = self.u.types.pointer(ty);
            return Ok(self.unsupported_expr("address of an unsupported expression", p, span));
        }
        if self.bit_field_width(e).is_some() {
            return self.error("type", span, "cannot take address of bit-field");
        }
        if !self.u.is_place(e) && !self.u.types.is_function(ty) {
            return self.error("lvalue", span, "lvalue required as unary '&' operand");
        }
        let p = self.u.types.pointer(ty);
        Ok(self.expr(ExprKind::AddrOf(e), p, span))
    }

    fn sizeof(&mut self) -> R<ExprId> {
        let t = self.bump();
        let (ty, lengths, operand) = self.operand_type()?;
        let span = self.since(t.lo);
        if let Some(e) = operand
            && matches!(self.u.exprs[e].kind, ExprKind::Member(..))
            && self.bit_field_width(e).is_some()
        {
            return self.error("type", span, "'sizeof' applied to a bit-field");
        }
        let e = self.size_of(ty, span)?;
        Ok(self.declare_lengths(e, lengths))
    }

    /// The operand of `sizeof` and `alignof`: a type name or an expression, which is not evaluated.
    fn operand_type(&mut self) -> R<(TypeId, Vec<VarId>, Option<ExprId>)> {
        if self.at(T::LParen) {
            let next = self.peek(1);
            if self.starts_type(next) {
                let lo = self.tok.lo;
                let (ty, lengths) = self.parenthesized_type()?;
                if !self.at(T::LBrace) || self.annotation.is_some() {
                    return Ok((ty, lengths, None));
                }
                let e = self.compound_literal(ty, lo)?;
                let e = self.postfix_suffixes(e, lo)?;
                return Ok((self.ty(e), lengths, Some(e)));
            }
        }
        let e = self.unary_expr()?;
        Ok((self.ty(e), Vec::new(), Some(e)))
    }

    /// The size of a type as an expression of type `size_t`.
    pub(super) fn size_of(&mut self, ty: TypeId, span: Span) -> R<ExprId> {
        let size_t = self.u.types.size_t();
        if let Some(n) = self.u.types.size(ty) {
            return Ok(self.int(n, size_t, span));
        }
        match *self.u.types.get(ty) {
            // GNU: arithmetic on `void *` counts bytes, and so does `sizeof(void)`.
            Type::Void | Type::Function(_) => Ok(self.int(1, size_t, span)),
            Type::Array(elem, len) if self.u.types.is_vla(ty) => {
                let a = self.size_of(elem, span)?;
                let b = match len {
                    ArrayLen::Variable(v) => self.expr(ExprKind::Var(v), size_t, span),
                    ArrayLen::Fixed(n) => self.int(n, size_t, span),
                    ArrayLen::Unknown | ArrayLen::Star => {
                        return Ok(self.unsupported_expr("size of an array of unknown length", size_t, span));
                    }
                };
                Ok(self.expr(ExprKind::Binary(BinOp::Mul, a, b), size_t, span))
            }
            Type::Record(r) if self.u.types.records[r].complete => match self.u.types.records[r].lengths {
                Lengths::Variable { size, .. } => Ok(self.expr(ExprKind::Var(size), size_t, span)),
                _ => Ok(self.unsupported_expr(UNKNOWN_LAYOUT, size_t, span)),
            },
            _ => {
                let what = self.show(ty);
                self.error("type", span, format!("invalid application of 'sizeof' to incomplete type '{what}'"))
            }
        }
    }

    /// `_Alignof` is the least alignment an object of the type can have, `__alignof__` the usual one (C11 and GNU differ
    /// for 8-byte scalars on i386).
    fn alignof(&mut self, standard: bool) -> R<ExprId> {
        let t = self.bump();
        let (ty, lengths, operand) = self.operand_type()?;
        let span = self.since(t.lo);
        let declared = operand.and_then(|e| self.declared_align(e));
        let types = &self.u.types;
        // gcc takes the two for the same if the operand is an expression.
        let natural = if standard && operand.is_none() { types.member_align(ty) } else { types.align(ty) };
        let align = declared.unwrap_or(natural);
        let size_t = types.size_t();
        let e = self.int(align, size_t, span);
        Ok(self.declare_lengths(e, lengths))
    }

    /// The alignment of what the expression names, where it is not that of its type: attributes of a variable can make it
    /// larger or smaller, and a member has what its place was chosen for.
    fn declared_align(&self, e: ExprId) -> Option<u64> {
        match self.u.exprs[e].kind {
            ExprKind::Var(v) => self.u.vars[v].attrs.align,
            ExprKind::Func(f) => self.u.funcs[f].attrs.align,
            ExprKind::Member(base, i) => {
                let record = self.u.types.record(self.ty(base))?;
                self.u.types.records[record].fields.get(i as usize).map(|f| f.align)
            }
            _ => None,
        }
    }

    /// `(type) { … }`, at its brace: a hidden variable with an initialiser.
    pub(super) fn compound_literal(&mut self, ty: TypeId, lo: u32) -> R<ExprId> {
        let var = self.hidden(ty, self.span(lo, self.last_end));
        self.u.vars[var].linkage = Linkage::None;
        self.initializer(var)?;
        let span = self.since(lo);
        let ty = self.u.vars[var].ty;
        self.u.vars[var].span = span;
        Ok(self.expr(ExprKind::CompoundLiteral(var), ty, span))
    }

    /// What an identifier that is neither keyword nor type means.
    pub(super) fn identifier(&mut self, t: Token) -> R<ExprId> {
        let span = self.span_of(t);
        match self.scopes.lookup(t.sym) {
            Some(Binding::Var(v)) => {
                let ty = self.u.vars[v].ty;
                Ok(self.expr(ExprKind::Var(v), ty, span))
            }
            Some(Binding::Func(f)) => {
                let ty = self.u.funcs[f].ty;
                Ok(self.expr(ExprKind::Func(f), ty, span))
            }
            Some(Binding::Enumerator(v, ty)) => Ok(self.int(v as u64, ty, span)),
            Some(Binding::Typedef(_)) => {
                let name = self.name(t.sym).to_owned();
                self.error("syntax", span, format!("expected an expression before type name '{name}'"))
            }
            None => {
                if let Some(f) = self.known_builtin(t.sym, span) {
                    let ty = self.u.funcs[f].ty;
                    return Ok(self.expr(ExprKind::Func(f), ty, span));
                }
                if self.at(T::LParen) {
                    // C89: a call declares its function.
                    let f = self.implicit_function(t.sym, span);
                    let ty = self.u.funcs[f].ty;
                    return Ok(self.expr(ExprKind::Func(f), ty, span));
                }
                let name = self.name(t.sym).to_owned();
                let place = if self.function.is_some() { "" } else { " (not in a function)" };
                self.error("undeclared", span, format!("'{name}' undeclared{place}"))
            }
        }
    }
}

//! Primary and postfix expressions (C11 6.5.1, 6.5.2), literals and GNU's statement expressions.

use super::record::UNKNOWN_LAYOUT;
use super::{Parser, R};
use crate::literal::{self, Encoding, Number};
use crate::token::{T, Token};
use crate::tree::{BinOp, CastKind, ExprId, ExprKind, FloatLit, IncDec, StmtKind, StrId, StrLit, VarId};
use crate::types::{ArrayLen, FloatKind, IntKind, Lengths, Quals, Type, TypeId, Types, basic};
use base::Span;

impl Parser<'_> {
    pub(super) fn postfix_expr(&mut self) -> R<ExprId> {
        let lo = self.tok.lo;
        let e = self.primary()?;
        self.postfix_suffixes(e, lo)
    }

    /// `[i]`, `(args)`, `.m`, `->m`, `++`, `--` behind `e`.
    pub(super) fn postfix_suffixes(&mut self, e: ExprId, lo: u32) -> R<ExprId> {
        let mut e = e;
        loop {
            e = match self.tok.kind {
                _ if !self.goes_on() => return Ok(e),
                T::LParen if self.annotation.is_some() => return self.no_call(e, lo),
                T::LBracket => {
                    let open = self.bump();
                    let index = self.nested(Self::expression)?;
                    self.close(T::RBracket, "']'", open)?;
                    let span = self.since(lo);
                    self.subscript(e, index, span)?
                }
                T::LParen => self.nested(|p| p.call(e, lo))?,
                T::Dot | T::Arrow => {
                    let arrow = self.bump().kind == T::Arrow;
                    let name = self.expect(T::Ident, "a member name")?;
                    let span = self.since(lo);
                    if self.annotation.is_some() {
                        self.dotted_member(e, name, arrow, span)?
                    } else {
                        self.member(e, name, arrow, span)?
                    }
                }
                T::PlusPlus | T::MinusMinus if self.annotation.is_some() => {
                    return self.no_effects(self.tok);
                }
                T::PlusPlus | T::MinusMinus => {
                    let op = if self.bump().kind == T::PlusPlus { IncDec::PostInc } else { IncDec::PostDec };
                    let span = self.since(lo);
                    self.inc_dec(op, e, span)?
                }
                _ => return Ok(e),
            };
            self.check_height(e)?;
        }
    }

    fn subscript(&mut self, a: ExprId, b: ExprId, span: Span) -> R<ExprId> {
        if let Type::Vector(..) = self.u.types.get(self.ty(a)) {
            return self.element(a, b, span);
        }
        let (a, b) = (self.value(a)?, self.value(b)?);
        let pointer = |p: &Self, e| p.u.types.pointee(p.ty(e)).is_some();
        if !pointer(self, a) && !pointer(self, b) {
            return self.error("type", span, "subscripted value is neither array nor pointer");
        }
        let index = if pointer(self, a) { b } else { a };
        if self.u.types.int_kind(self.ty(index)).is_none() {
            return self.error("type", span, "array subscript is not an integer");
        }
        let sum = self.binary(BinOp::Add, a, b, span)?;
        self.deref(sum, span)
    }

    pub(super) fn member(&mut self, e: ExprId, name: Token, arrow: bool, span: Span) -> R<ExprId> {
        let text = self.name(name.sym).to_owned();
        let mut base = e;
        if arrow {
            let e = self.value(e)?;
            let whole = self.span_at(e);
            if self.u.types.pointee(self.ty(e)).is_none() {
                let what = self.show(self.ty(e));
                return self.error("type", span, format!("invalid type argument of '->' (have '{what}')"));
            }
            base = self.deref(e, whole)?;
        }
        let ty = self.ty(base);
        let Some(record) = self.u.types.record(ty) else {
            let what = self.show(ty);
            let message = format!("request for member '{text}' in something not a structure or union (have '{what}')");
            return self.error("type", span, message);
        };
        if !self.u.types.records[record].complete {
            let what = self.show(ty);
            return self.error("type", span, format!("invalid use of undefined type '{what}'"));
        }
        let Some(way) = self.find_field(record, name.sym) else {
            let what = self.show(self.u.types.unqualified(ty));
            let at = self.span_of(name);
            return self.error("member", at, format!("'{what}' has no member named '{text}'"));
        };
        Ok(self.walk(base, &way, span))
    }

    /// A member of a record whose members have variable length: what lies at its offset.
    fn member_at(&mut self, base: ExprId, index: u32, offset: Option<VarId>, ty: TypeId, span: Span) -> ExprId {
        let (record, size_t) = (self.ty(base), self.u.types.size_t());
        let (ExprKind::Var(_) | ExprKind::Deref(_)) = self.u.exprs[base].kind else {
            return self.unsupported_expr("copy of a record with a member of variable length", ty, span);
        };
        let number = self.u.types.record(record).map_or(0, |r| self.u.types.records[r].fields[index as usize].offset);
        let offset = match offset {
            Some(v) => self.expr(ExprKind::Var(v), size_t, span),
            None => self.int(number, size_t, span),
        };
        let (whole, bytes) = (self.u.types.pointer(record), self.u.types.pointer(basic::UCHAR));
        let pointer = self.u.types.pointer(ty);
        let p = self.expr(ExprKind::AddrOf(base), whole, span);
        let p = self.expr(ExprKind::Cast(CastKind::Ptr, p, false), bytes, span);
        let p = self.expr(ExprKind::Binary(BinOp::PtrAdd, p, offset), bytes, span);
        let p = self.expr(ExprKind::Cast(CastKind::Ptr, p, false), pointer, span);
        self.expr(ExprKind::Deref(p), ty, span)
    }

    /// The member that a way of field indices leads to.
    pub(super) fn walk(&mut self, base: ExprId, way: &[u32], span: Span) -> ExprId {
        let mut e = base;
        for &index in way {
            let ty = self.ty(e);
            let record = self.u.types.record(ty).expect("a way to a member leads through records");
            let quals = self.u.types.quals(ty);
            let field = self.u.types.records[record].fields[index as usize].ty;
            let keep = Quals(quals.0 & (Quals::CONST.0 | Quals::VOLATILE.0));
            let ty = self.u.types.qualified(field, keep);
            e = match &self.u.types.records[record].lengths {
                Lengths::Fixed => self.expr(ExprKind::Member(e, index), ty, span),
                Lengths::Variable { offsets, .. } => {
                    let offset = offsets[index as usize];
                    self.member_at(e, index, offset, ty, span)
                }
                Lengths::Unknown => self.unsupported_expr(UNKNOWN_LAYOUT, ty, span),
            };
            if let ExprKind::Unsupported(_) = self.u.exprs[e].kind
                && self.u.types.record(ty).is_none()
            {
                break;
            }
        }
        e
    }

    pub(super) fn primary(&mut self) -> R<ExprId> {
        let t = self.tok;
        match t.kind {
            T::Ident | T::At | T::Str | T::FuncName | T::BuiltinVaArg if self.annotation.is_some() => {
                self.annotation_operand()
            }
            T::Ident => {
                if self.name(t.sym).starts_with("__")
                    && self.peek(1).kind == T::LParen
                    && let Some(special) = self.special_builtin(t.sym)
                {
                    return self.nested(|p| p.builtin_call(special));
                }
                self.bump();
                self.identifier(t)
            }
            T::Number => {
                self.bump();
                self.number(t)
            }
            T::Char => {
                self.bump();
                let span = self.span_of(t);
                match literal::character(self.lex.text(t), &self.u.types) {
                    Ok((value, ty)) => Ok(self.int(value, ty, span)),
                    Err(message) => self.error("syntax", span, message),
                }
            }
            T::Str => {
                let lo = t.lo;
                let id = self.string()?;
                let span = self.since(lo);
                let ty = self.u.strings[id].ty;
                Ok(self.expr(ExprKind::Str(id), ty, span))
            }
            T::LParen => {
                let open = self.bump();
                if self.at(T::LBrace) {
                    return self.statement_expression(open);
                }
                let e = self.expression()?;
                self.close(T::RParen, "')'", open)?;
                Ok(e)
            }
            T::Generic => self.nested(Self::generic),
            T::FuncName => {
                self.bump();
                self.function_name(t)
            }
            T::BuiltinVaArg => self.nested(Self::va_arg),
            T::BuiltinOffsetof => self.nested(Self::offsetof),
            T::BuiltinTypesCompatible => self.nested(Self::types_compatible),
            T::BuiltinChooseExpr => self.nested(Self::choose_expr),
            _ => self.expected("an expression"),
        }
    }

    fn number(&mut self, t: Token) -> R<ExprId> {
        let span = self.span_of(t);
        let text = self.lex.text(t).to_owned();
        self.number_text(&text, span)
    }

    /// `2.0i`: a complex number whose real part is zero.
    fn imaginary(&mut self, text: &str, span: Span) -> R<ExprId> {
        let mut real = text.to_owned();
        real.remove(text.rfind(['i', 'j', 'I', 'J']).expect("an imaginary constant has its letter"));
        let im = self.number_text(&real, span)?;
        let part = self.value_type(im);
        let zero = self.int(0, basic::INT, span);
        self.complex(part, zero, im, span)
    }

    fn number_text(&mut self, text: &str, span: Span) -> R<ExprId> {
        // Most numbers are small and plain.
        if text.len() <= 9 && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit()) {
            let value = text.bytes().fold(0u64, |v, b| v * 10 + u64::from(b - b'0'));
            return Ok(self.int(value, basic::INT, span));
        }
        if self.annotation.is_some() && literal::is_cut(text) {
            return self.error("syntax", span, format!("`{text}` fits no integer type"));
        }
        match literal::number(text, self.u.types.target) {
            Ok(Number::Int { value, kind: IntKind::Int128 }) => {
                let e = self.int(value, basic::ULONGLONG, span);
                self.cast(e, basic::INT128)
            }
            Ok(Number::Int { value, kind }) => Ok(self.int(value, Types::int(kind), span)),
            Ok(Number::Float { text, kind, double, single }) => {
                let id = self.u.floats.push(FloatLit { text: text.into(), double, single });
                let ty = match kind {
                    FloatKind::Float16 => self.computed_in(basic::FLOAT16),
                    FloatKind::Float => basic::FLOAT,
                    FloatKind::Double => basic::DOUBLE,
                    FloatKind::LongDouble => basic::LONGDOUBLE,
                    FloatKind::Float128 => basic::FLOAT128,
                    FloatKind::Decimal32 => basic::DECIMAL32,
                    FloatKind::Decimal64 => basic::DECIMAL64,
                    FloatKind::Decimal128 => basic::DECIMAL128,
                };
                let e = self.expr(ExprKind::Float(id), ty, span);
                Ok(if kind == FloatKind::Float16 && ty == basic::FLOAT { self.with_excess(e) } else { e })
            }
            Ok(Number::Imaginary) => self.imaginary(text, span),
            Ok(Number::Exotic(why)) => Ok(self.unsupported_expr(why, basic::DOUBLE, span)),
            Err(message) => self.error("syntax", span, message),
        }
    }

    /// One or more adjacent string literals.
    pub(super) fn string(&mut self) -> R<StrId> {
        // The widest prefix of all parts holds for all of them; parts are few, so they are kept as tokens.
        let mut parts = Vec::new();
        let mut encoding = Encoding::Plain;
        while self.at(T::Str) {
            let t = self.bump();
            let (e, _) = literal::split(self.lex.text(t));
            if e != Encoding::Plain {
                encoding = e.on_target(&self.u.types);
            }
            parts.push(t);
        }
        let mut bytes = Vec::new();
        for t in parts {
            if let Err(message) = literal::append(self.lex.text(t), encoding, &mut bytes) {
                let span = self.span_of(t);
                return self.error("syntax", span, message);
            }
        }
        let elem = encoding.element(&self.u.types);
        Ok(self.string_literal(bytes, elem))
    }

    fn string_literal(&mut self, bytes: Vec<u8>, elem: TypeId) -> StrId {
        let size = self.u.types.size(elem).unwrap_or(1);
        let ty = self.u.types.intern(Type::Array(elem, ArrayLen::Fixed(bytes.len() as u64 / size + 1)));
        self.u.strings.push(StrLit { bytes: bytes.into(), ty })
    }

    /// `__func__` and its kin: an array of constant characters.
    fn function_name(&mut self, t: Token) -> R<ExprId> {
        let span = self.span_of(t);
        let name = match &self.function {
            Some(f) => self.lex.symbols.name(self.u.funcs[f.func].name).as_bytes().to_vec(),
            None => Vec::new(),
        };
        let elem = self.u.types.qualified(basic::CHAR, Quals::CONST);
        let known = self.function.as_ref().and_then(|f| f.names.get(&(t.hi - t.lo))).copied();
        let id = known.unwrap_or_else(|| self.string_literal(name, elem));
        if let Some(f) = &mut self.function {
            f.names.insert(t.hi - t.lo, id);
        }
        let ty = self.u.strings[id].ty;
        Ok(self.expr(ExprKind::Str(id), ty, span))
    }

    /// GNU `({ … })`; the opening parenthesis is taken.
    fn statement_expression(&mut self, open: Token) -> R<ExprId> {
        if self.function.is_none() {
            let span = self.span_of(open);
            return self.error("syntax", span, "braced-group within expression allowed only inside a function");
        }
        let lengths = std::mem::take(&mut self.pending);
        self.scopes.push();
        let body = self.nested(Self::block_items)?;
        self.scopes.pop();
        self.pending = lengths;
        self.close(T::RParen, "')'", open)?;
        let span = self.since(open.lo);
        let mut items = body;
        let value = match items.last().map(|&s| &self.u.stmts[s].kind) {
            Some(&StmtKind::Expr(e)) => {
                items.pop();
                Some(e)
            }
            _ => None,
        };
        let block = self.stmt(StmtKind::Block(items.into()), span);
        let (value, ty) = match value {
            Some(e) => {
                let e = self.value(e)?;
                (Some(e), self.value_type(e))
            }
            None => (None, basic::VOID),
        };
        Ok(self.expr(ExprKind::StmtExpr(block, value), ty, span))
    }

    /// `_Generic(e, T: a, default: b)`.
    fn generic(&mut self) -> R<ExprId> {
        let t = self.bump();
        let open = self.expect(T::LParen, "'('")?;
        let control = self.assign_expr()?;
        let control = self.value(control)?;
        let have = self.value_type(control);
        let (mut chosen, mut default) = (None, None);
        self.expect(T::Comma, "','")?;
        loop {
            let matched = if self.eat(T::Default) {
                None
            } else {
                let mark = self.pending.len();
                let ty = self.type_name()?;
                self.pending.truncate(mark);
                Some(self.u.types.compatible(ty, have))
            };
            self.expect(T::Colon, "':'")?;
            let e = self.assign_expr()?;
            match matched {
                None => default = Some(e),
                Some(true) if chosen.is_none() => chosen = Some(e),
                Some(_) => {}
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.close(T::RParen, "')'", open)?;
        let span = self.since(t.lo);
        match chosen.or(default) {
            Some(e) => Ok(e),
            None => {
                let what = self.show(have);
                let message = format!("'_Generic' selector of type '{what}' is not compatible with any association");
                self.error("type", span, message)
            }
        }
    }
}

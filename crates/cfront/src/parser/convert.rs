//! Conversions (C11 6.3), each an explicit node of the tree.

use super::{Parser, R};
use crate::tree::{BinOp, CastKind, ExprId, ExprKind};
use crate::types::{FloatKind, IntKind, Quals, Type, TypeId, Types, basic};
use base::sabotage::{self, Fault};

/// Where a value is converted as if by assignment; only for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Assign,
    Init,
    Return,
    Argument(usize),
}

/// How many nodes a search for a null pointer constant looks at; it is written in a few.
const NULL_FUEL: u32 = 64;

impl Parser<'_> {
    /// The operand as a value: arrays and functions become pointers. A read of a place needs no node.
    pub(super) fn value(&mut self, e: ExprId) -> R<ExprId> {
        let ty = self.ty(e);
        let (kind, to) = match *self.u.types.get(ty) {
            Type::Array(elem, _) => (CastKind::ArrayDecay, elem),
            Type::Function(_) => (CastKind::FunctionDecay, ty),
            _ => return Ok(e),
        };
        let span = self.span_at(e);
        if let ExprKind::Unsupported(_) = self.u.exprs[e].kind {
            let to = self.u.types.pointer(to);
            self.u.exprs[e].ty = to;
            return Ok(e);
        }
        let to = self.u.types.pointer(to);
        Ok(self.expr(ExprKind::Cast(kind, e, false), to, span))
    }

    /// The type of the value an expression has: without qualifiers.
    pub(super) fn value_type(&self, e: ExprId) -> TypeId {
        self.u.types.unqualified(self.ty(e))
    }

    /// Converts a value to a type, implicitly. No node where nothing but qualifiers changes.
    pub(super) fn cast(&mut self, e: ExprId, to: TypeId) -> R<ExprId> {
        let to = self.u.types.unqualified(to);
        if self.value_type(e) == to {
            return Ok(e);
        }
        let e = self.as_computed(e);
        let from = self.value_type(e);
        let span = self.span_at(e);
        match self.u.types.cast_kind(from, to) {
            Some(CastKind::Same) => Ok(e),
            Some(kind) => Ok(self.expr(ExprKind::Cast(kind, e, false), to, span)),
            None => {
                if (self.u.types.is_exotic(from) || self.u.types.is_exotic(to))
                    && let Some(converted) = self.lanes_cast(e, to, span)?
                {
                    return Ok(converted);
                }
                let (a, b) = (self.show(from), self.show(to));
                self.error("type", span, format!("cannot convert a value of type '{a}' to '{b}'"))
            }
        }
    }

    /// The value of type `_Float16` as it was computed. gcc computes such expressions and constants in `float` (C11 5.2.4.2.2p9) and rounds
    /// them where they are stored, passed, returned or cast. In the tree each of them is narrowed at once, and this undoes it
    /// where its value is an operand.
    pub(super) fn as_computed(&self, e: ExprId) -> ExprId {
        match self.u.exprs[e].kind {
            ExprKind::Cast(CastKind::Float, wide, _) if self.excess.contains(&e) => wide,
            _ => e,
        }
    }

    /// A value that was computed in `float` as one of type `_Float16`.
    pub(super) fn with_excess(&mut self, wide: ExprId) -> ExprId {
        let span = self.span_at(wide);
        let e = self.expr(ExprKind::Cast(CastKind::Float, wide, false), basic::FLOAT16, span);
        self.excess.insert(e);
        e
    }

    /// The type in which values of a type are computed.
    pub(super) fn computed_in(&self, ty: TypeId) -> TypeId {
        if ty == basic::FLOAT16 && !sabotage::active(Fault::HalfRoundedAtOnce) { basic::FLOAT } else { ty }
    }

    /// Integer promotion (C11 6.3.1.1) of a value.
    pub(super) fn promote(&mut self, e: ExprId) -> R<ExprId> {
        let to = self.promoted(e);
        self.cast(e, to)
    }

    /// The width of a value that comes from a bit-field wider than `int` and narrower than its type. gcc computes with such
    /// values in the width of the field. In the tree they have the field's declared type, and results are narrowed.
    pub(super) fn odd_width(&self, e: ExprId) -> Option<u32> {
        let bits = self.u.types.int_kind(self.ty(e))?.bits(self.u.types.target);
        let width = self.odd.get(&e).copied().or_else(|| self.bit_field_width(e));
        width.filter(|&w| w > 32 && w < bits)
    }

    /// The width in which gcc computes with these two values, if no type of C has it: the larger one wins.
    pub(super) fn common_odd_width(&self, a: ExprId, b: ExprId) -> Option<u32> {
        let bits = |e| self.u.types.int_kind(self.promoted(e)).map(|k| k.bits(self.u.types.target));
        match (self.odd_width(a), self.odd_width(b)) {
            (None, None) => None,
            (Some(x), Some(y)) => Some(x.max(y)),
            (Some(x), None) => Some(x).filter(|&x| bits(b).is_some_and(|w| w < x)),
            (None, Some(y)) => Some(y).filter(|&y| bits(a).is_some_and(|w| w < y)),
        }
    }

    /// The integer value modulo 2^width, with the sign of its type.
    pub(super) fn narrowed(&mut self, e: ExprId, width: u32) -> ExprId {
        let (ty, span) = (self.value_type(e), self.span_at(e));
        let Some(kind) = self.u.types.int_kind(ty) else { return e };
        let unsigned = Types::int(Types::with_sign(kind, false));
        let count = u64::from(kind.bits(self.u.types.target) - width);
        let (left, right) = (self.int(count, basic::INT, span), self.int(count, basic::INT, span));
        let flat = if ty == unsigned { e } else { self.expr(ExprKind::Cast(CastKind::Int, e, false), unsigned, span) };
        let up = self.expr(ExprKind::Binary(BinOp::Shl, flat, left), unsigned, span);
        let signed = if ty == unsigned { up } else { self.expr(ExprKind::Cast(CastKind::Int, up, false), ty, span) };
        let down = self.expr(ExprKind::Binary(BinOp::Shr, signed, right), ty, span);
        self.odd.insert(down, width);
        down
    }

    /// The value as an operand of a computation in `width` bits.
    fn in_width(&mut self, e: ExprId, width: u32) -> ExprId {
        let unsigned = self.u.types.int_kind(self.ty(e)).is_some_and(|k| !k.signed());
        let fits = match crate::consteval::within(&self.u, e, NULL_FUEL) {
            Some(c) if unsigned => c >> width == 0,
            Some(c) => c >> (width - 1) == 0 || c >> (width - 1) == -1,
            None => false,
        };
        if fits || self.odd_width(e) == Some(width) { e } else { self.narrowed(e, width) }
    }

    /// The type integer promotion gives.
    pub(super) fn promoted(&self, e: ExprId) -> TypeId {
        let ty = self.value_type(e);
        let Some(kind) = self.u.types.int_kind(ty) else { return ty };
        if let Some(width) = self.bit_field_width(e)
            && kind.bits(self.u.types.target) >= 32
            && kind != IntKind::Bool
        {
            // A bit-field is as wide as its bits: `int` holds it if it is narrower, or as wide and signed.
            if width < 32 || width == 32 && kind.signed() {
                return basic::INT;
            }
            if width == 32 {
                return basic::UINT;
            }
        }
        match kind {
            IntKind::Bool
            | IntKind::Char
            | IntKind::PlainUChar
            | IntKind::SChar
            | IntKind::UChar
            | IntKind::Short
            | IntKind::UShort
            | IntKind::Int => basic::INT,
            IntKind::UInt
            | IntKind::Long
            | IntKind::ULong
            | IntKind::LongLong
            | IntKind::ULongLong
            | IntKind::Int128
            | IntKind::UInt128 => Types::int(kind),
            IntKind::Bits { width: 0..=31, .. } => basic::INT,
            IntKind::Bits { .. } => Types::int(kind),
        }
    }

    /// The width if the expression names a bit-field, or is the value of an assignment to one: for gcc that value is still
    /// as narrow as the field.
    pub(super) fn bit_field_width(&self, e: ExprId) -> Option<u32> {
        let mut e = e;
        loop {
            e = match self.u.exprs[e].kind {
                ExprKind::Member(base, index) => {
                    let record = self.u.types.record(self.ty(base))?;
                    return self.u.types.records[record].fields[index as usize].bits.map(|b| u32::from(b.width));
                }
                ExprKind::Assign(lhs, _) | ExprKind::AssignOp { lhs, .. } => lhs,
                ExprKind::IncDec { place, .. } => place,
                ExprKind::Comma(_, value) => value,
                _ => return None,
            };
        }
    }

    /// Default argument promotions: integers promoted, `float` to `double`.
    pub(super) fn default_promote(&mut self, e: ExprId) -> R<ExprId> {
        match self.u.types.float_kind(self.ty(e)) {
            Some(FloatKind::Float) => self.cast(e, basic::DOUBLE),
            _ => self.promote(e),
        }
    }

    /// Usual arithmetic conversions (C11 6.3.1.8) of two arithmetic values, to the type in which they are computed.
    pub(super) fn usual(&mut self, a: ExprId, b: ExprId) -> R<(ExprId, ExprId, TypeId)> {
        let ty = self.computed_in(self.usual_type(a, b));
        let odd = self.common_odd_width(a, b);
        let (mut a, mut b) = (self.cast(a, ty)?, self.cast(b, ty)?);
        if let Some(width) = odd {
            (a, b) = (self.in_width(a, width), self.in_width(b, width));
        }
        Ok((a, b, ty))
    }

    /// The common type of two arithmetic values.
    pub(super) fn usual_type(&self, a: ExprId, b: ExprId) -> TypeId {
        let types = &self.u.types;
        let (fa, fb) = (types.float_kind(self.ty(a)), types.float_kind(self.ty(b)));
        if let Some(kind) = fa.max(fb) {
            return match kind {
                FloatKind::Float16 => basic::FLOAT16,
                FloatKind::Float => basic::FLOAT,
                FloatKind::Double => basic::DOUBLE,
                FloatKind::LongDouble => basic::LONGDOUBLE,
                FloatKind::Float128 => basic::FLOAT128,
                FloatKind::Decimal32 => basic::DECIMAL32,
                FloatKind::Decimal64 => basic::DECIMAL64,
                FloatKind::Decimal128 => basic::DECIMAL128,
            };
        }
        let kind = |e| types.int_kind(self.promoted(e)).unwrap_or(IntKind::Int);
        let width = |e| self.odd_width(e).unwrap_or(kind(e).bits(types.target));
        if (self.odd_width(a).is_some() || self.odd_width(b).is_some()) && width(a) != width(b) {
            return Types::int(if width(a) > width(b) { kind(a) } else { kind(b) });
        }
        Types::int(common_int(kind(a), kind(b), types))
    }

    /// A condition: whether the value is unequal to 0.
    pub(super) fn condition(&mut self, e: ExprId) -> R<ExprId> {
        let e = self.value(e)?;
        let ty = self.value_type(e);
        let span = self.span_at(e);
        if let Type::Complex(_) = self.u.types.get(ty) {
            return self.complex_condition(e, span);
        }
        if !self.u.types.is_scalar(ty) {
            let what = self.show(ty);
            return self.error("type", span, format!("used value of type '{what}' where scalar is required"));
        }
        self.cast(e, basic::BOOL)
    }

    /// Converts as if by assignment to an object of type `to` (C11 6.5.16.1). What gcc only warns about is accepted.
    pub(super) fn assign_cast(&mut self, e: ExprId, to: TypeId, purpose: Purpose) -> R<ExprId> {
        let e = self.value(e)?;
        let (from, to) = (self.value_type(e), self.u.types.unqualified(to));
        let types = &self.u.types;
        if from == to || types.is_exotic(from) || types.is_exotic(to) {
            return self.cast(e, to);
        }
        if types.record(from).is_some() && types.record(from) == types.record(to) {
            return Ok(e);
        }
        let span = self.span_at(e);
        if types.is_void(from) {
            return self.error("type", span, "void value not ignored as it ought to be");
        }
        if types.cast_kind(from, to).is_some() && !types.is_void(to) {
            return self.cast(e, to);
        }
        if let Purpose::Argument(_) = purpose
            && let Some(converted) = self.transparent(e, to)?
        {
            return Ok(converted);
        }
        let (have, want) = (self.show(self.ty(e)), self.show(to));
        let message = match purpose {
            Purpose::Assign => format!("incompatible types when assigning to type '{want}' from type '{have}'"),
            Purpose::Init => format!("incompatible types when initializing type '{want}' using type '{have}'"),
            Purpose::Return => format!("incompatible types when returning type '{have}' but '{want}' was expected"),
            Purpose::Argument(n) => {
                format!("incompatible type for argument {n}: expected '{want}' but it is of type '{have}'")
            }
        };
        self.error("type", span, message)
    }

    /// A value as a transparent union: the first member of a matching type takes it.
    fn transparent(&mut self, e: ExprId, to: TypeId) -> R<Option<ExprId>> {
        let Some(r) = self.u.types.record(to).filter(|&r| self.u.types.records[r].transparent) else { return Ok(None) };
        let from = self.value_type(e);
        let fits = |p: &Self, m: TypeId| {
            let both_pointers = p.u.types.pointee(from).is_some() && p.u.types.pointee(m).is_some();
            p.u.types.compatible_unqualified(from, m) || both_pointers
        };
        let members: Vec<TypeId> = self.u.types.records[r].fields.iter().map(|f| f.ty).collect();
        let exact = members.iter().copied().find(|&m| self.u.types.compatible_unqualified(from, m));
        let Some(m) = exact.or_else(|| members.iter().copied().find(|&m| fits(self, m) || self.is_null(e))) else {
            return Ok(None);
        };
        let e = self.cast(e, m)?;
        let span = self.span_at(e);
        Ok(Some(self.expr(ExprKind::Cast(CastKind::ToUnion, e, false), to, span)))
    }

    /// The value of an integer constant expression, or an error that names `what` it is needed for.
    pub(super) fn constant(&mut self, e: ExprId, what: &str) -> R<i128> {
        let e = self.value(e)?;
        let span = self.span_at(e);
        if self.u.types.int_kind(self.ty(e)).is_none() {
            return self.error("constant", span, format!("{what} is not an integer constant expression"));
        }
        match crate::const_eval(&self.u, e) {
            Some(v) => Ok(v),
            None => self.error("constant", span, format!("{what} is not an integer constant")),
        }
    }

    /// Whether an expression is a null pointer constant: an integer constant 0, or that cast to `void *`.
    pub(super) fn is_null(&self, e: ExprId) -> bool {
        let ty = self.ty(e);
        if self.u.types.int_kind(ty).is_some() {
            return crate::consteval::within(&self.u, e, NULL_FUEL) == Some(0);
        }
        match self.u.exprs[e].kind {
            ExprKind::Cast(CastKind::IntToPtr, inner, _) => {
                let to_void = self.u.types.pointee(ty) == Some(basic::VOID);
                to_void && crate::consteval::within(&self.u, inner, NULL_FUEL) == Some(0)
            }
            _ => false,
        }
    }

    /// A pointer to `to`'s target with the qualifiers of both targets.
    pub(super) fn qualified_pointer(&mut self, target: TypeId, quals: Quals) -> TypeId {
        let t = self.u.types.qualified(target, quals);
        self.u.types.pointer(t)
    }
}

/// C11 6.3.1.8 for promoted integer kinds.
fn common_int(a: IntKind, b: IntKind, types: &Types) -> IntKind {
    if let (IntKind::Bits { .. }, _) | (_, IntKind::Bits { .. }) = (a, b) {
        return common_bits(a, b, types);
    }
    let rank = |k: IntKind| match Types::with_sign(k, true) {
        IntKind::Int => 0,
        IntKind::Long => 1,
        IntKind::LongLong => 2,
        _ => 3,
    };
    if a.signed() == b.signed() {
        return if rank(a) >= rank(b) { a } else { b };
    }
    let (signed, unsigned) = if a.signed() { (a, b) } else { (b, a) };
    if sabotage::active(Fault::MixedSignCompareSigned) && signed == IntKind::Int && unsigned == IntKind::UInt {
        return signed;
    }
    if rank(unsigned) >= rank(signed) {
        unsigned
    } else if signed.bits(types.target) > unsigned.bits(types.target) {
        signed
    } else {
        Types::with_sign(signed, false)
    }
}

/// The same where one of them has a width that no type of C has: the wider one, and no sign if they are equally wide and one
/// has none.
fn common_bits(a: IntKind, b: IntKind, types: &Types) -> IntKind {
    match a.bits(types.target).cmp(&b.bits(types.target)) {
        std::cmp::Ordering::Greater => a,
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Equal => Types::with_sign(a, a.signed() && b.signed()),
    }
}

//! Constructors that fold constants and undo conversions that cancel out.
//!
//! The IR's own constructors simplify nothing. Lowering folds where the tree's explicit conversions would otherwise hide
//! what the user wrote: `(int)(a < b) != 0` is `a < b`, `(long)5` is `5`. Every rule here is an equality of total
//! expressions, so guards can be built from unfolded or folded operands alike. Static initialisers rely on folding to
//! reach a constant or an address.

use ir::{Address, Base, BinOp, DataModel, Expr, ExprKind, FloatTy, IntTy, Ty, UnOp};

/// `e` converted to `to`, as C converts between scalar types.
pub(crate) fn convert(to: Ty, e: Expr, model: DataModel) -> Expr {
    if e.ty == to {
        return e;
    }
    if to == Ty::Bool {
        return truth(e);
    }
    match e.kind {
        ExprKind::Const(pattern) => {
            if let Some(c) = convert_constant(to, e.ty, pattern, model) {
                return c;
            }
            Expr::convert(to, e)
        }
        // A conversion that keeps every value, followed by another, is the other one alone.
        ExprKind::Convert(inner) if widens(inner.ty, e.ty) && !matches!(to, Ty::Float(_)) => convert(to, *inner, model),
        _ => Expr::convert(to, e),
    }
}

/// Whether converting from `from` to `to` keeps every value.
fn widens(from: Ty, to: Ty) -> bool {
    match (from, to) {
        (Ty::Bool, Ty::Int(i)) => i.width >= 8,
        (Ty::Int(f), Ty::Int(t)) => {
            (f.signed == t.signed && t.width >= f.width) || (!f.signed && t.signed && t.width > f.width)
        }
        _ => false,
    }
}

fn convert_constant(to: Ty, from: Ty, pattern: u128, model: DataModel) -> Option<Expr> {
    let value: i128 = match from {
        Ty::Bool => pattern as i128,
        Ty::Int(i) => i.extend(pattern),
        Ty::Ptr => (pattern & mask(model.ptr_width())) as i128,
        Ty::Float(f) => return convert_float(to, f, pattern),
    };
    Some(match to {
        Ty::Bool => Expr::bool(value != 0),
        Ty::Int(_) => Expr::int(to, value),
        Ty::Ptr => Expr::constant(to, value as u128 & mask(model.ptr_width())),
        // Unsigned 128-bit values do not fit `i128`; leave the rare case alone.
        Ty::Float(_) if matches!(from, Ty::Int(IntTy { width: 128, .. })) => return None,
        // What a double does not hold is infinite in binary16.
        Ty::Float(FloatTy::F16) => Expr::constant(to, ir::library::math::pattern(FloatTy::F16, value as f64)),
        Ty::Float(FloatTy::F32) => Expr::constant(to, u128::from((value as f32).to_bits())),
        Ty::Float(FloatTy::F64) => Expr::constant(to, u128::from((value as f64).to_bits())),
        Ty::Float(FloatTy::F80) => Expr::constant(to, f80_of_int(value)?),
        // A double is no other number only if it holds the integer.
        Ty::Float(FloatTy::F128) if value.unsigned_abs() <= 1 << 53 => Expr::constant(to, f128_of_f64(value as f64)),
        Ty::Float(FloatTy::F128) => return None,
    })
}

fn convert_float(to: Ty, from: FloatTy, pattern: u128) -> Option<Expr> {
    let value = match from {
        FloatTy::F16 => ir::library::math::number(from, pattern)?,
        FloatTy::F32 => f64::from(f32::from_bits(pattern as u32)),
        FloatTy::F64 => f64::from_bits(pattern as u64),
        FloatTy::F80 | FloatTy::F128 => return None,
    };
    match to {
        Ty::Float(FloatTy::F16) if !value.is_nan() => {
            Some(Expr::constant(to, ir::library::math::pattern(FloatTy::F16, value)))
        }
        Ty::Float(FloatTy::F32) => Some(Expr::constant(to, u128::from((value as f32).to_bits()))),
        Ty::Float(FloatTy::F64) => Some(Expr::constant(to, u128::from(value.to_bits()))),
        Ty::Float(FloatTy::F80) => f80_of_f64(value).map(|p| Expr::constant(to, p)),
        Ty::Float(FloatTy::F128) if !value.is_nan() => Some(Expr::constant(to, f128_of_f64(value))),
        Ty::Int(i) if value.is_finite() && value.abs() < 1e18 => {
            let whole = value.trunc() as i128;
            (i.extend(whole as u128) == whole).then(|| Expr::int(to, whole))
        }
        _ => None,
    }
}

/// All bits below `width` set.
pub(crate) fn mask(width: u16) -> u128 {
    u128::MAX >> (128 - u32::from(width))
}

/// The pattern of a whole number of at most 64 bits in the x87 format.
fn f80_of_int(value: i128) -> Option<u128> {
    if value == 0 {
        return Some(0);
    }
    let magnitude = value.unsigned_abs();
    let top = 127 - magnitude.leading_zeros();
    if top > 63 {
        return None;
    }
    let sign = u128::from(value < 0) << 79;
    Some(sign | u128::from(16383 + top) << 64 | magnitude << (63 - top))
}

/// The pattern of a `double` in binary128, which holds them all.
pub(crate) fn f128_of_f64(value: f64) -> u128 {
    ir::library::math::pattern(FloatTy::F128, value)
}

/// The pattern of a `double` in the x87 format, which holds them all.
pub(crate) fn f80_of_f64(value: f64) -> Option<u128> {
    let bits = value.to_bits();
    let sign = u128::from(bits >> 63) << 79;
    let fraction = u128::from(bits & ((1 << 52) - 1));
    Some(match (bits >> 52) & 0x7ff {
        0 if fraction == 0 => sign,
        0 => {
            let top = 127 - fraction.leading_zeros();
            // A denormal is fraction * 2^-1074; its leading one has the weight 2^(top - 1074).
            sign | u128::from(16383 + top - 1074) << 64 | fraction << (63 - top)
        }
        0x7ff if fraction == 0 => sign | 0x7fff << 64 | 1 << 63,
        0x7ff => return None,
        exponent => sign | u128::from(exponent + 16383 - 1023) << 64 | 1 << 63 | fraction << 11,
    })
}

/// The truth value that an integer is, if it is one that was converted, or 0 or 1.
pub(crate) fn as_truth(e: &Expr) -> Option<Expr> {
    match (&e.kind, e.ty) {
        (_, Ty::Bool) => Some(e.clone()),
        (ExprKind::Convert(inner), Ty::Int(_)) if inner.ty == Ty::Bool => Some((**inner).clone()),
        (ExprKind::Const(c @ (0 | 1)), Ty::Int(_)) => Some(Expr::bool(*c == 1)),
        _ => None,
    }
}

/// Whether a scalar differs from zero. A truth value that was converted to an integer comes back as it was.
pub(crate) fn truth(e: Expr) -> Expr {
    match e.kind {
        ExprKind::Const(c) if !matches!(e.ty, Ty::Float(_)) => Expr::bool(c != 0),
        ExprKind::Convert(inner) if inner.ty == Ty::Bool || widens(inner.ty, e.ty) => truth(*inner),
        ExprKind::Addr(Address { base: Base::Var(_), offset: 0, ref indices }) if indices.is_empty() => {
            Expr::bool(true)
        }
        ExprKind::Func(_) => Expr::bool(true),
        _ => Expr::nonzero(e),
    }
}

/// One operand.
pub(crate) fn unary(op: UnOp, e: Expr) -> Expr {
    match (op, e.as_const(), e.ty) {
        (UnOp::Not, _, Ty::Bool) => e.negate(),
        (UnOp::Neg, Some(c), Ty::Int(_)) => Expr::constant(e.ty, c.wrapping_neg()),
        (UnOp::Not, Some(c), Ty::Int(_)) => Expr::constant(e.ty, !c),
        (UnOp::Neg, Some(c), Ty::Float(f)) => Expr::constant(e.ty, c ^ 1 << (f.width() - 1)),
        _ => Expr::unary(op, e),
    }
}

/// Two operands of one type.
pub(crate) fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    match (a.as_const(), b.as_const()) {
        (Some(x), Some(y)) => match constant_binary(op, a.ty, x, y) {
            Some(c) => c,
            None => Expr::binary(op, a, b),
        },
        (None, Some(y)) if matches!(op, BinOp::Eq | BinOp::Ne) && y <= 1 => compare_with_bit(op, a, b, y == 1),
        (Some(x), None) if a.ty == Ty::Bool => bool_with_constant(op, x == 1, b),
        (None, Some(y)) if b.ty == Ty::Bool => bool_with_constant(op, y == 1, a),
        _ => Expr::binary(op, a, b),
    }
}

/// `a == 0`, `a != 1` and their like, where `a` may be a truth value in an integer's clothes.
fn compare_with_bit(op: BinOp, a: Expr, b: Expr, one: bool) -> Expr {
    match a.kind {
        ExprKind::Convert(inner) if inner.ty == Ty::Bool && matches!(a.ty, Ty::Int(_)) => {
            if (op == BinOp::Eq) == one {
                *inner
            } else {
                inner.negate()
            }
        }
        _ if a.ty == Ty::Bool => {
            if (op == BinOp::Eq) == one {
                a
            } else {
                a.negate()
            }
        }
        _ => Expr::binary(op, a, b),
    }
}

fn bool_with_constant(op: BinOp, c: bool, e: Expr) -> Expr {
    match (op, c) {
        (BinOp::And, true) | (BinOp::Or | BinOp::Xor | BinOp::Ne, false) | (BinOp::Eq, true) => e,
        (BinOp::And, false) => Expr::bool(false),
        (BinOp::Or, true) => Expr::bool(true),
        _ => e.negate(),
    }
}

fn constant_binary(op: BinOp, ty: Ty, x: u128, y: u128) -> Option<Expr> {
    match ty {
        Ty::Int(i) => int_binary(op, i, x, y),
        Ty::Bool => int_binary(op, IntTy { width: 1, signed: false }, x, y)
            .map(|e| if e.ty == Ty::Bool { e } else { Expr::bool(e.as_const() == Some(1)) }),
        Ty::Float(FloatTy::F64) => float_binary(op, f64::from_bits(x as u64), f64::from_bits(y as u64), |v| {
            Expr::constant(ty, u128::from(v.to_bits()))
        }),
        // The sum, difference, product or quotient of two floats, rounded to `double` and then to `float`, is the one
        // rounded once: a double has more than twice the bits.
        Ty::Float(FloatTy::F32) => {
            float_binary(op, f64::from(f32::from_bits(x as u32)), f64::from(f32::from_bits(y as u32)), |v| {
                Expr::constant(ty, u128::from((v as f32).to_bits()))
            })
        }
        // Comparisons and sums of these are made in `float`.
        Ty::Float(FloatTy::F16 | FloatTy::F80 | FloatTy::F128) => None,
        Ty::Ptr => match op {
            BinOp::Eq => Some(Expr::bool(x == y)),
            BinOp::Ne => Some(Expr::bool(x != y)),
            _ => None,
        },
    }
}

fn int_binary(op: BinOp, i: IntTy, x: u128, y: u128) -> Option<Expr> {
    let ty = Ty::Int(i);
    let (a, b) = (i.extend(x), i.extend(y));
    // Unsigned 128-bit values may look negative as `i128`; only the operations that do not care are folded for them.
    let huge = i.width == 128 && !i.signed;
    let fits = |r: Option<i128>| r.is_some_and(|r| i.extend(r as u128) == r);
    let value = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl if y < u128::from(i.width) => x << y,
        BinOp::Eq => return Some(Expr::bool(x == y)),
        BinOp::Ne => return Some(Expr::bool(x != y)),
        _ if huge => return None,
        BinOp::Shr if y < u128::from(i.width) => (a >> y) as u128,
        BinOp::Div if b != 0 => a.wrapping_div(b) as u128,
        BinOp::Rem if b != 0 => a.wrapping_rem(b) as u128,
        BinOp::Lt => return Some(Expr::bool(a < b)),
        BinOp::Le => return Some(Expr::bool(a <= b)),
        BinOp::Gt => return Some(Expr::bool(a > b)),
        BinOp::Ge => return Some(Expr::bool(a >= b)),
        BinOp::AddOverflows => return Some(Expr::bool(!fits(a.checked_add(b)))),
        BinOp::SubOverflows => return Some(Expr::bool(!fits(a.checked_sub(b)))),
        BinOp::MulOverflows => return Some(Expr::bool(!fits(a.checked_mul(b)))),
        BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr => return None,
    };
    Some(Expr::constant(ty, value))
}

fn float_binary(op: BinOp, x: f64, y: f64, pack: impl Fn(f64) -> Expr) -> Option<Expr> {
    let value = match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        BinOp::Mul => x * y,
        BinOp::Div => x / y,
        BinOp::Eq => return Some(Expr::bool(x == y)),
        BinOp::Ne => return Some(Expr::bool(x != y)),
        BinOp::Lt => return Some(Expr::bool(x < y)),
        BinOp::Le => return Some(Expr::bool(x <= y)),
        BinOp::Gt => return Some(Expr::bool(x > y)),
        BinOp::Ge => return Some(Expr::bool(x >= y)),
        _ => return None,
    };
    // The sign and payload of a NaN are left to whoever defines them.
    (!value.is_nan()).then(|| pack(value))
}

/// A choice.
pub(crate) fn ite(cond: Expr, then: Expr, els: Expr) -> Expr {
    match cond.as_const() {
        Some(0) => els,
        Some(_) => then,
        None if then == els => then,
        None => match (then.ty, then.as_const(), els.as_const()) {
            (Ty::Bool, Some(1), Some(0)) => cond,
            (Ty::Int(_), Some(1), Some(0)) => Expr::convert(then.ty, cond),
            (Ty::Int(_), Some(0), Some(1)) => Expr::convert(then.ty, cond.negate()),
            _ => Expr::ite(cond, then, els),
        },
    }
}

/// Both hold.
pub(crate) fn and(a: Expr, b: Expr) -> Expr {
    binary(BinOp::And, a, b)
}

/// One of them holds.
pub(crate) fn or(a: Expr, b: Expr) -> Expr {
    binary(BinOp::Or, a, b)
}

/// All hold, as a balanced tree: a `switch` may have thousands of cases and expressions must stay shallow.
pub(crate) fn all(mut terms: Vec<Expr>) -> Expr {
    if terms.is_empty() {
        return Expr::bool(true);
    }
    while terms.len() > 1 {
        let mut next = Vec::with_capacity(terms.len().div_ceil(2));
        let mut it = terms.into_iter();
        while let Some(a) = it.next() {
            next.push(match it.next() {
                Some(b) => and(a, b),
                None => a,
            });
        }
        terms = next;
    }
    terms.swap_remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_keep_their_value_in_the_x87_format() {
        // Sign and exponent in bits 64..80, explicit leading one in bit 63.
        assert_eq!(f80_of_f64(1.0), Some(0x3fff_8000_0000_0000_0000));
        assert_eq!(f80_of_f64(-2.5), Some(0xc000_a000_0000_0000_0000));
        assert_eq!(f80_of_f64(f64::from_bits(1)), Some(u128::from(16383u32 - 1074) << 64 | 1 << 63));
        assert_eq!(f80_of_f64(f64::INFINITY), Some(0x7fff_8000_0000_0000_0000));
        assert_eq!(f80_of_int(-3), f80_of_f64(-3.0));
        assert_eq!(f80_of_int(i128::from(u64::MAX)), Some(0x403e_ffff_ffff_ffff_ffff));
    }

    #[test]
    fn folding_agrees_with_machine_arithmetic_on_every_pair_of_bytes() {
        let ty = IntTy { width: 8, signed: true };
        for x in i8::MIN..=i8::MAX {
            for y in i8::MIN..=i8::MAX {
                let fold =
                    |op| binary(op, Expr::int(Ty::Int(ty), x.into()), Expr::int(Ty::Int(ty), y.into())).as_const();
                assert_eq!(fold(BinOp::Add), Some(u128::from(x.wrapping_add(y) as u8)));
                assert_eq!(fold(BinOp::Mul), Some(u128::from(x.wrapping_mul(y) as u8)));
                assert_eq!(fold(BinOp::MulOverflows), Some(u128::from(x.checked_mul(y).is_none())));
                assert_eq!(fold(BinOp::SubOverflows), Some(u128::from(x.checked_sub(y).is_none())));
                assert_eq!(fold(BinOp::Lt), Some(u128::from(x < y)));
                if y != 0 {
                    assert_eq!(fold(BinOp::Div), Some(u128::from(x.wrapping_div(y) as u8)));
                    assert_eq!(fold(BinOp::Rem), Some(u128::from(x.wrapping_rem(y) as u8)));
                }
            }
        }
    }

    #[test]
    fn a_truth_value_in_an_integer_comes_back() {
        let b = Expr::binary(
            BinOp::Lt,
            Expr::var(ir::Var::Local(base::Id::from_index(0)), Ty::int(32, true)),
            Expr::int(Ty::int(32, true), 3),
        );
        let int = Expr::convert(Ty::int(32, true), b.clone());
        assert_eq!(truth(int.clone()), b);
        assert_eq!(truth(convert(Ty::int(64, true), int.clone(), DataModel::Lp64)), b);
        assert_eq!(binary(BinOp::Eq, int, Expr::int(Ty::int(32, true), 0)), b.negate());
    }
}

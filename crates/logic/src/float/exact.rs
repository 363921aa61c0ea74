//! What floating-point operations mean, in integers of any size.
//!
//! A finite number is a sign, a natural number and a power of two. Sums and products of those are exact; quotients and square
//! roots are computed to more bits than any format has here, with a mark that something is left. One function rounds
//! ([`round`]), from the definition in IEEE 754, section 4.3. It shares nothing with the circuits: they are held against this,
//! and this against the hardware and a library.

use std::cmp::Ordering;

use base::sabotage::{self, Fault};

use super::natural::Natural;
use super::{FloatKind, FloatOp, Format, Rounding};
use crate::bits::Bits;
use crate::eval::Value;

/// What a pattern stands for.
enum Number {
    Nan,
    Infinite { negative: bool },
    Finite(Finite),
}

/// `magnitude * 2^exponent` with a sign, which a zero has as well.
#[derive(Clone)]
struct Finite {
    negative: bool,
    magnitude: Natural,
    exponent: i64,
}

fn read(format: Format, bits: &Bits) -> Number {
    let stored = format.stored();
    let negative = bits.bit(format.width() - 1);
    let field = bits.extract(format.width() - 2, stored).to_u64().expect("an exponent has at most 24 bits");
    let significand = Natural::from_words(bits.extract(stored - 1, 0).words());
    let leading = u64::from(format.precision) - 1;
    if format.explicit && field != 0 && !significand.bit(leading) {
        return Number::Nan;
    }
    if field == format.max_field() {
        let fraction = if format.explicit { significand.any_below(leading) } else { !significand.is_zero() };
        return if fraction { Number::Nan } else { Number::Infinite { negative } };
    }
    let magnitude =
        if format.explicit || field == 0 { significand } else { significand.add(&Natural::new(1).shl(leading)) };
    let exponent = format.min_exponent() + field.max(1) as i64 - 1 - leading as i64;
    Number::Finite(Finite { negative, magnitude, exponent })
}

/// Whether a number between a candidate and the next one away from zero becomes the latter. `half` and `rest`: the first bit
/// that is lost, and whether any bit after it is not zero.
fn away(rounding: Rounding, negative: bool, odd: bool, half: bool, rest: bool) -> bool {
    match rounding {
        Rounding::NearestEven => half && (rest || odd),
        Rounding::NearestAway => half,
        Rounding::Positive => !negative && (half || rest),
        Rounding::Negative => negative && (half || rest),
        Rounding::Zero => false,
    }
}

/// The number of the format that stands for `x`, or for a number a little (less than one unit) above its magnitude if `more`.
fn round(format: Format, rounding: Rounding, x: &Finite, more: bool) -> Bits {
    if x.magnitude.is_zero() {
        return format.zero(x.negative);
    }
    let leading = i64::from(format.precision) - 1;
    // The exponent of the last place that is kept: of a normal number, unless that is below what the format has.
    let top = x.exponent + x.magnitude.len() as i64 - 1;
    let last = top.max(format.min_exponent()) - leading;
    let lost = last - x.exponent;
    let (kept, up) = if lost <= 0 {
        assert!(!more, "what is left is below the last place");
        (x.magnitude.shl(lost.unsigned_abs()), false)
    } else {
        let lost = lost.unsigned_abs();
        let kept = x.magnitude.shr(lost);
        let (half, rest) = (x.magnitude.bit(lost - 1), more || x.magnitude.any_below(lost - 1));
        let up = away(rounding, x.negative, kept.bit(0), half, rest);
        (kept, up)
    };
    let kept = if up { kept.add(&Natural::new(1)) } else { kept };
    // Rounding up may have made one bit more.
    let (kept, last) = if kept.len() as i64 > leading + 1 { (kept.shr(1), last + 1) } else { (kept, last) };
    let normal = kept.len() as i64 == leading + 1;
    let field = if normal { last + leading - format.min_exponent() + 1 } else { 0 };
    if field >= format.max_field() as i64 {
        return overflow(format, rounding, x.negative);
    }
    let fraction = Bits::from_words(format.precision.into(), kept.words().to_vec());
    format.pattern(x.negative, field as u64, &fraction)
}

/// What a number beyond the largest becomes.
fn overflow(format: Format, rounding: Rounding, negative: bool) -> Bits {
    let infinite = match rounding {
        Rounding::NearestEven | Rounding::NearestAway => true,
        Rounding::Positive => !negative,
        Rounding::Negative => negative,
        Rounding::Zero => false,
    };
    if infinite { format.infinity(negative) } else { format.largest(negative) }
}

/// The sum of two finite numbers, exactly. The sign of a zero is that of both, or else by the rounding.
fn sum(a: &Finite, b: &Finite, rounding: Rounding) -> Finite {
    let exponent = a.exponent.min(b.exponent);
    let aligned = |x: &Finite| x.magnitude.shl((x.exponent - exponent) as u64);
    let (x, y) = (aligned(a), aligned(b));
    if a.negative == b.negative {
        return Finite { negative: a.negative, magnitude: x.add(&y), exponent };
    }
    let (negative, magnitude) = match x.compare(&y) {
        Ordering::Greater => (a.negative, x.sub(&y)),
        Ordering::Less => (b.negative, y.sub(&x)),
        Ordering::Equal => (rounding == Rounding::Negative, Natural::new(0)),
    };
    Finite { negative, magnitude, exponent }
}

fn product(a: &Finite, b: &Finite) -> Finite {
    let negative = a.negative != b.negative;
    Finite { negative, magnitude: a.magnitude.mul(&b.magnitude), exponent: a.exponent + b.exponent }
}

fn add(op: FloatOp, a: Number, b: Number) -> Bits {
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => op.format.nan(),
        (Number::Infinite { negative: a }, Number::Infinite { negative: b }) if a != b => op.format.nan(),
        (Number::Infinite { negative }, _) | (_, Number::Infinite { negative }) => op.format.infinity(negative),
        (Number::Finite(a), Number::Finite(b)) => round(op.format, op.rounding, &sum(&a, &b, op.rounding), false),
    }
}

/// The exact product, or what it is if it is not finite.
fn multiply(a: &Number, b: &Number) -> Number {
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinite { negative: a }, Number::Infinite { negative: b }) => Number::Infinite { negative: a != b },
        (Number::Infinite { negative }, Number::Finite(x)) | (Number::Finite(x), Number::Infinite { negative }) => {
            if x.magnitude.is_zero() { Number::Nan } else { Number::Infinite { negative: *negative != x.negative } }
        }
        (Number::Finite(a), Number::Finite(b)) => Number::Finite(product(a, b)),
    }
}

fn divide(op: FloatOp, a: &Number, b: &Number) -> Bits {
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) | (Number::Infinite { .. }, Number::Infinite { .. }) => op.format.nan(),
        (Number::Infinite { negative }, Number::Finite(b)) => op.format.infinity(*negative != b.negative),
        (Number::Finite(a), Number::Infinite { negative }) => op.format.zero(a.negative != *negative),
        (Number::Finite(a), Number::Finite(b)) => {
            let negative = a.negative != b.negative;
            match (a.magnitude.is_zero(), b.magnitude.is_zero()) {
                (true, true) => op.format.nan(),
                (true, false) => op.format.zero(negative),
                (false, true) => op.format.infinity(negative),
                (false, false) => {
                    let shift = u64::from(op.format.precision) + 2 + b.magnitude.len();
                    let (quotient, rest) = a.magnitude.shl(shift).divide(&b.magnitude);
                    let exponent = a.exponent - b.exponent - shift as i64;
                    let x = Finite { negative, magnitude: quotient, exponent };
                    round(op.format, op.rounding, &x, !rest.is_zero())
                }
            }
        }
    }
}

fn square_root(op: FloatOp, a: &Number) -> Bits {
    match a {
        Number::Nan | Number::Infinite { negative: true } => op.format.nan(),
        Number::Infinite { negative: false } => op.format.infinity(false),
        Number::Finite(a) if a.magnitude.is_zero() => op.format.zero(a.negative),
        Number::Finite(a) if a.negative => op.format.nan(),
        Number::Finite(a) => {
            // An even exponent, and twice as many bits as the root is to have.
            let shift = 2 * (u64::from(op.format.precision) + 2) + u64::from(a.exponent.rem_euclid(2) == 1);
            let (root, more) = a.magnitude.shl(shift).root();
            let exponent = (a.exponent - shift as i64).div_euclid(2);
            round(op.format, op.rounding, &Finite { negative: false, magnitude: root, exponent }, more)
        }
    }
}

/// The integer that rounding gives.
fn integer(x: &Finite, rounding: Rounding) -> Natural {
    if x.exponent >= 0 {
        return x.magnitude.shl(x.exponent.unsigned_abs());
    }
    let lost = x.exponent.unsigned_abs();
    let kept = x.magnitude.shr(lost);
    let (half, rest) = (x.magnitude.bit(lost - 1), x.magnitude.any_below(lost - 1));
    if away(rounding, x.negative, kept.bit(0), half, rest) { kept.add(&Natural::new(1)) } else { kept }
}

fn to_int(op: FloatOp, width: u32, signed: bool, a: &Number) -> Bits {
    let least = if signed { Bits::from_fn(width, |i| i == width - 1) } else { Bits::zero(width) };
    let greatest = if signed { least.not() } else { Bits::ones(width) };
    match a {
        Number::Nan => Bits::zero(width),
        Number::Infinite { negative } => {
            if *negative {
                least
            } else {
                greatest
            }
        }
        Number::Finite(x) => {
            // An integer of more bits than the type is far beyond it, whatever it is.
            if x.exponent + x.magnitude.len() as i64 > i64::from(width) + 1 {
                return if x.negative { least } else { greatest };
            }
            let magnitude = integer(x, op.rounding);
            let limit = match (signed, x.negative) {
                (true, true) => Natural::new(1).shl(u64::from(width) - 1),
                (true, false) => Natural::new(1).shl(u64::from(width) - 1).sub(&Natural::new(1)),
                (false, true) => Natural::new(0),
                (false, false) => Natural::new(1).shl(width.into()).sub(&Natural::new(1)),
            };
            if magnitude.compare(&limit) == Ordering::Greater {
                return if x.negative { least } else { greatest };
            }
            let bits = Bits::from_words(width, magnitude.words().to_vec());
            if x.negative { bits.neg() } else { bits }
        }
    }
}

fn from_int(op: FloatOp, signed: bool, a: &Bits) -> Bits {
    let negative = signed && a.sign();
    // The magnitude of the least number is its own pattern, read without sign.
    let magnitude = if negative { a.neg() } else { a.clone() };
    let x = Finite { negative, magnitude: Natural::from_words(magnitude.words()), exponent: 0 };
    round(op.format, op.rounding, &x, false)
}

/// The order of two numbers; `None` if one is a NaN.
fn order(a: &Number, b: &Number) -> Option<Ordering> {
    // Infinities lie beyond all finite numbers; a finite number against zero is its sign.
    let rank = |n: &Number| match n {
        Number::Nan => None,
        Number::Infinite { negative: true } => Some(-1),
        Number::Infinite { negative: false } => Some(1),
        Number::Finite(_) => Some(0),
    };
    let (first, second) = (rank(a)?, rank(b)?);
    match (a, b) {
        (Number::Finite(a), Number::Finite(b)) => {
            let flipped = Finite { negative: !b.negative, ..b.clone() };
            let difference = sum(a, &flipped, Rounding::NearestEven);
            Some(match (difference.magnitude.is_zero(), difference.negative) {
                (true, _) => Ordering::Equal,
                (false, true) => Ordering::Less,
                (false, false) => Ordering::Greater,
            })
        }
        _ => Some(first.cmp(&second)),
    }
}

/// The value of an operation.
pub fn apply(op: FloatOp, args: &[Bits]) -> Value {
    assert_eq!(args.len(), op.arity(), "an operation has its operands");
    let number = |i: usize| read(op.format, &args[i]);
    let flipped = |i: usize| match number(i) {
        Number::Nan => Number::Nan,
        Number::Infinite { negative } => Number::Infinite { negative: !negative },
        Number::Finite(x) => Number::Finite(Finite { negative: !x.negative, ..x }),
    };
    let rounded = |format: Format, a: Number| match a {
        Number::Nan => format.nan(),
        Number::Infinite { negative } => format.infinity(negative),
        Number::Finite(x) => round(format, op.rounding, &x, false),
    };
    Value::Bits(match op.kind {
        FloatKind::Add => add(op, number(0), number(1)),
        FloatKind::Sub => add(op, number(0), flipped(1)),
        FloatKind::Mul => rounded(op.format, multiply(&number(0), &number(1))),
        FloatKind::Div => divide(op, &number(0), &number(1)),
        FloatKind::Sqrt => square_root(op, &number(0)),
        FloatKind::Fma => add(op, multiply(&number(0), &number(1)), number(2)),
        FloatKind::Integral => match number(0) {
            Number::Finite(x) => {
                let whole = Finite { negative: x.negative, magnitude: integer(&x, op.rounding), exponent: 0 };
                rounded(op.format, Number::Finite(whole))
            }
            other => rounded(op.format, other),
        },
        FloatKind::Convert { to } => rounded(to, number(0)),
        FloatKind::FromInt { signed, .. } => from_int(op, signed, &args[0]),
        FloatKind::ToInt { width, signed } => to_int(op, width, signed, &number(0)),
        FloatKind::Eq | FloatKind::Lt | FloatKind::Le => return Value::Bool(compare(op, args)),
    })
}

fn compare(op: FloatOp, args: &[Bits]) -> bool {
    if sabotage::active(Fault::NanEqualsItself) && args[0] == args[1] && op.kind == FloatKind::Eq {
        return true;
    }
    let order = order(&read(op.format, &args[0]), &read(op.format, &args[1]));
    match op.kind {
        FloatKind::Eq => order == Some(Ordering::Equal),
        FloatKind::Lt => order == Some(Ordering::Less),
        _ => matches!(order, Some(Ordering::Less | Ordering::Equal)),
    }
}

/// Whether a pattern is not a number.
pub fn is_nan(format: Format, bits: &Bits) -> bool {
    matches!(read(format, bits), Number::Nan)
}

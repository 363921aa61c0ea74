//! What the floating operators compute, on bit patterns, rounding to nearest even.
//!
//! Binary32 and binary64 use the machine's own operations, which IEEE 754 defines exactly; the 80-bit format and every
//! conversion use `rustc_apfloat`. A result that is not a number is always the one quiet NaN with positive sign and empty
//! payload: C leaves the choice open and logic knows only one. (Moving, storing and negating a NaN keeps its bits.)

use crate::library::Library;
use crate::syntax::{BinOp, FloatTy, IntTy};
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended as Extended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

/// The pattern of the NaN that operations give.
pub(crate) fn nan(ty: FloatTy) -> u128 {
    match ty {
        FloatTy::F32 => 0x7fc0_0000,
        FloatTy::F64 => 0x7ff8_0000_0000_0000,
        FloatTy::F80 => 0x7fff_c000_0000_0000_0000,
    }
}

/// Whether a pattern is that of the NaN that operations give, whatever its sign.
pub(crate) fn is_made(ty: FloatTy, bits: u128) -> bool {
    let sign = match ty {
        FloatTy::F32 => 31,
        FloatTy::F64 => 63,
        FloatTy::F80 => 79,
    };
    bits & !(1 << sign) == nan(ty)
}

fn f32_bits(x: f32) -> u128 {
    if x.is_nan() { nan(FloatTy::F32) } else { x.to_bits().into() }
}

fn f64_bits(x: f64) -> u128 {
    if x.is_nan() { nan(FloatTy::F64) } else { x.to_bits().into() }
}

fn ap_bits<F: Float>(x: F, ty: FloatTy) -> u128 {
    if x.is_nan() { nan(ty) } else { x.to_bits() }
}

/// Sum, difference, product or quotient.
pub(crate) fn arithmetic(op: BinOp, ty: FloatTy, a: u128, b: u128) -> u128 {
    match ty {
        FloatTy::F32 => {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            f32_bits(match op {
                BinOp::Add => a + b,
                BinOp::Sub => a - b,
                BinOp::Mul => a * b,
                _ => a / b,
            })
        }
        FloatTy::F64 => {
            let (a, b) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            f64_bits(match op {
                BinOp::Add => a + b,
                BinOp::Sub => a - b,
                BinOp::Mul => a * b,
                _ => a / b,
            })
        }
        FloatTy::F80 => soft_arithmetic::<Extended>(op, ty, a, b),
    }
}

fn soft_arithmetic<F: Float>(op: BinOp, ty: FloatTy, a: u128, b: u128) -> u128 {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Mul => a * b,
        _ => a / b,
    };
    ap_bits(result.value, ty)
}

/// The order of two numbers; `None` if one is a NaN.
fn order(ty: FloatTy, a: u128, b: u128) -> Option<Ordering> {
    match ty {
        FloatTy::F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        FloatTy::F64 => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        FloatTy::F80 => Extended::from_bits(a).partial_cmp(&Extended::from_bits(b)),
    }
}

/// A comparison.
pub(crate) fn compare(op: BinOp, ty: FloatTy, a: u128, b: u128) -> bool {
    let order = order(ty, a, b);
    match op {
        BinOp::Eq => order == Some(Ordering::Equal),
        BinOp::Ne => order != Some(Ordering::Equal),
        BinOp::Lt => order == Some(Ordering::Less),
        BinOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinOp::Gt => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// The sign changed.
pub(crate) fn negate(ty: FloatTy, a: u128) -> u128 {
    a ^ (1 << (ty.width() - 1))
}

/// Whether the number differs from zero, as C's conversion to `_Bool` asks; a NaN does.
pub(crate) fn nonzero(ty: FloatTy, a: u128) -> bool {
    compare(BinOp::Ne, ty, a, 0)
}

/// The nearest number of another floating type.
pub(crate) fn resize(from: FloatTy, to: FloatTy, a: u128) -> u128 {
    fn into<F: Float + FloatConvert<Single> + FloatConvert<Double> + FloatConvert<Extended>>(
        a: F,
        to: FloatTy,
    ) -> u128 {
        let mut loses = false;
        match to {
            FloatTy::F32 => ap_bits(FloatConvert::<Single>::convert(a, &mut loses).value, to),
            FloatTy::F64 => ap_bits(FloatConvert::<Double>::convert(a, &mut loses).value, to),
            FloatTy::F80 => ap_bits(FloatConvert::<Extended>::convert(a, &mut loses).value, to),
        }
    }
    match from {
        FloatTy::F32 => into(Single::from_bits(a), to),
        FloatTy::F64 => into(Double::from_bits(a), to),
        FloatTy::F80 => into(Extended::from_bits(a), to),
    }
}

/// The nearest number to an integer, given as the pattern of a 128-bit one with this signedness.
pub(crate) fn from_int(to: FloatTy, signed: bool, a: u128) -> u128 {
    fn into<F: Float>(to: FloatTy, signed: bool, a: u128) -> u128 {
        ap_bits(if signed { F::from_i128(a as i128) } else { F::from_u128(a) }.value, to)
    }
    match to {
        FloatTy::F32 => into::<Single>(to, signed, a),
        FloatTy::F64 => into::<Double>(to, signed, a),
        FloatTy::F80 => into::<Extended>(to, signed, a),
    }
}

/// The number without its fraction, as a pattern of `to`; and whether it fits. What does not fit becomes the nearest
/// value of the type, and a NaN becomes 0.
pub(crate) fn to_int(from: FloatTy, to: IntTy, a: u128) -> (u128, bool) {
    fn into<F: Float>(a: F, to: IntTy) -> (u128, bool) {
        // First to 128 bits, where the library is exact or gives the nearest value, then to the narrower type.
        let mut exact = false;
        if to.signed {
            let r = a.to_i128_r(128, Round::TowardZero, &mut exact);
            let max = (to.mask() >> 1) as i128;
            let kept = r.value.clamp(-max - 1, max);
            (kept as u128 & to.mask(), kept == r.value && !r.status.contains(Status::INVALID_OP))
        } else {
            let r = a.to_u128_r(128, Round::TowardZero, &mut exact);
            let kept = r.value.min(to.mask());
            (kept, kept == r.value && !r.status.contains(Status::INVALID_OP))
        }
    }
    match from {
        FloatTy::F32 => into(Single::from_bits(a), to),
        FloatTy::F64 => into(Double::from_bits(a), to),
        FloatTy::F80 => into(Extended::from_bits(a), to),
    }
}

/// The library functions on floats that IEEE 754 or C defines exactly.
pub(crate) fn library(lib: Library, args: impl Iterator<Item = u128>) -> u128 {
    use Library as L;
    let bits: Vec<u128> = args.collect();
    let d = |i: usize| bits.get(i).map_or(0.0, |&b| f64::from_bits(b as u64));
    let f = |i: usize| bits.get(i).map_or(0.0, |&b| f32::from_bits(b as u32));
    match lib {
        L::Sqrt => f64_bits(d(0).sqrt()),
        L::Fmod => f64_bits(d(0) % d(1)),
        L::Sqrtf => f32_bits(f(0).sqrt()),
        L::Fmodf => f32_bits(f(0) % f(1)),
        other => unreachable!("{other:?} is no function on floats"),
    }
}

/// The pattern of a floating constant of C, decimal or hexadecimal and without suffix, rounded once to `ty`.
pub(crate) fn literal(text: &str, ty: FloatTy) -> Option<u128> {
    fn parse<F: Float>(text: &str) -> Option<u128> {
        F::from_str_r(text, Round::NearestTiesToEven).ok().map(|x| x.value.to_bits())
    }
    match ty {
        FloatTy::F32 => parse::<Single>(text),
        FloatTy::F64 => parse::<Double>(text),
        FloatTy::F80 => parse::<Extended>(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::float_pattern;
    use base::rng::Rng;

    #[test]
    fn the_machine_and_the_library_agree() {
        let mut rng = Rng::new(3);
        let mut pick = |ty| float_pattern(ty, rng.below(14), u128::from(rng.bits()) << 64 | u128::from(rng.bits()));
        for _ in 0..20_000 {
            for op in [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div] {
                let (a, b) = (pick(FloatTy::F32), pick(FloatTy::F32));
                assert_eq!(arithmetic(op, FloatTy::F32, a, b), soft_arithmetic::<Single>(op, FloatTy::F32, a, b));
                let (a, b) = (pick(FloatTy::F64), pick(FloatTy::F64));
                assert_eq!(arithmetic(op, FloatTy::F64, a, b), soft_arithmetic::<Double>(op, FloatTy::F64, a, b));
            }
            // Conversions of the library against the machine's.
            let d = f64::from_bits(pick(FloatTy::F64) as u64);
            let bits = u128::from(d.to_bits());
            assert_eq!(resize(FloatTy::F64, FloatTy::F32, bits), f32_bits(d as f32));
            let wide = resize(FloatTy::F64, FloatTy::F80, bits);
            assert_eq!(resize(FloatTy::F80, FloatTy::F64, wide), f64_bits(d), "80 bits hold every double");
            let i32_ty = IntTy { width: 32, signed: true };
            let u64_ty = IntTy { width: 64, signed: false };
            assert_eq!(to_int(FloatTy::F64, i32_ty, bits).0 as u32, (d as i32) as u32);
            assert_eq!(to_int(FloatTy::F64, u64_ty, bits).0 as u64, d as u64);
            let fits = d.trunc() >= f64::from(i32::MIN) && d.trunc() <= f64::from(i32::MAX);
            assert_eq!(to_int(FloatTy::F64, i32_ty, bits).1, fits, "{d}");
            let n = d.to_bits();
            assert_eq!(from_int(FloatTy::F64, false, n.into()), f64_bits(n as f64));
            assert_eq!(from_int(FloatTy::F32, true, n as i64 as i128 as u128), f32_bits(n as i64 as f32));
        }
    }

    #[test]
    fn borders() {
        let i32_ty = IntTy { width: 32, signed: true };
        let fits = |x: f64, ty| to_int(FloatTy::F64, ty, x.to_bits().into()).1;
        assert!(fits(2147483647.9, i32_ty) && !fits(2147483648.0, i32_ty));
        assert!(fits(-2147483648.9, i32_ty) && !fits(-2147483649.0, i32_ty));
        assert!(fits(-0.9, IntTy { width: 8, signed: false }) && !fits(f64::NAN, i32_ty));
        let one_bit = IntTy { width: 1, signed: true };
        assert!(fits(-1.0, one_bit) && fits(0.5, one_bit) && !fits(1.0, one_bit) && !fits(-2.0, one_bit));
        assert_eq!(to_int(FloatTy::F64, one_bit, 7f64.to_bits().into()).0, 0);
        let wide = IntTy { width: 128, signed: true };
        assert!(fits(-(2f64.powi(127)), wide) && !fits(2f64.powi(127), wide));
        assert!(!compare(BinOp::Lt, FloatTy::F80, nan(FloatTy::F80), 0) && nonzero(FloatTy::F64, nan(FloatTy::F64)));
        assert!(!nonzero(FloatTy::F32, 1 << 31), "minus zero is zero");
        assert_eq!(negate(FloatTy::F80, 0), 1 << 79);
    }
}

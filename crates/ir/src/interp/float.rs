//! What the floating operators compute, on bit patterns, rounding to nearest even.
//!
//! Binary32 and binary64 use the machine's own operations, which IEEE 754 defines exactly; the wider formats and every
//! conversion use `rustc_apfloat`. A result that is not a number is always the one quiet NaN with positive sign and empty
//! payload: C leaves the choice open and logic knows only one. (Moving, storing and negating a NaN keeps its bits.)

use crate::library::Library;
use crate::library::math::{Math, Mode, rounding_mode};
use crate::syntax::{BinOp, FloatTy, IntTy};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended as Extended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

/// The pattern of the NaN that operations give.
pub(crate) fn nan(ty: FloatTy) -> u128 {
    match ty {
        FloatTy::F16 => 0x7e00,
        FloatTy::F32 => 0x7fc0_0000,
        FloatTy::F64 => 0x7ff8_0000_0000_0000,
        FloatTy::F80 => 0x7fff_c000_0000_0000_0000,
        FloatTy::F128 => 0x7_fff8 << 108,
    }
}

/// The pattern of infinity.
pub(crate) fn infinity(ty: FloatTy) -> u128 {
    resize(FloatTy::F64, ty, f64::INFINITY.to_bits().into())
}

/// Whether a pattern is that of the NaN that operations give, whatever its sign.
pub(crate) fn is_made(ty: FloatTy, bits: u128) -> bool {
    bits & !(1 << (ty.width() - 1)) == nan(ty)
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
        FloatTy::F16 => soft_arithmetic::<Half>(op, ty, a, b),
        FloatTy::F80 => soft_arithmetic::<Extended>(op, ty, a, b),
        FloatTy::F128 => soft_arithmetic::<Quad>(op, ty, a, b),
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
        FloatTy::F16 => Half::from_bits(a).partial_cmp(&Half::from_bits(b)),
        FloatTy::F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        FloatTy::F64 => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        FloatTy::F80 => Extended::from_bits(a).partial_cmp(&Extended::from_bits(b)),
        FloatTy::F128 => Quad::from_bits(a).partial_cmp(&Quad::from_bits(b)),
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
    fn into<F>(a: F, to: FloatTy) -> u128
    where
        F: Float
            + FloatConvert<Half>
            + FloatConvert<Single>
            + FloatConvert<Double>
            + FloatConvert<Extended>
            + FloatConvert<Quad>,
    {
        let mut loses = false;
        match to {
            FloatTy::F16 => ap_bits(FloatConvert::<Half>::convert(a, &mut loses).value, to),
            FloatTy::F32 => ap_bits(FloatConvert::<Single>::convert(a, &mut loses).value, to),
            FloatTy::F64 => ap_bits(FloatConvert::<Double>::convert(a, &mut loses).value, to),
            FloatTy::F80 => ap_bits(FloatConvert::<Extended>::convert(a, &mut loses).value, to),
            FloatTy::F128 => ap_bits(FloatConvert::<Quad>::convert(a, &mut loses).value, to),
        }
    }
    match from {
        FloatTy::F16 => into(Half::from_bits(a), to),
        FloatTy::F32 => into(Single::from_bits(a), to),
        FloatTy::F64 => into(Double::from_bits(a), to),
        FloatTy::F80 => into(Extended::from_bits(a), to),
        FloatTy::F128 => into(Quad::from_bits(a), to),
    }
}

/// The nearest number to an integer, given as the pattern of a 128-bit one with this signedness.
pub(crate) fn from_int(to: FloatTy, signed: bool, a: u128) -> u128 {
    fn into<F: Float>(to: FloatTy, signed: bool, a: u128) -> u128 {
        ap_bits(if signed { F::from_i128(a as i128) } else { F::from_u128(a) }.value, to)
    }
    match to {
        FloatTy::F16 => into::<Half>(to, signed, a),
        FloatTy::F32 => into::<Single>(to, signed, a),
        FloatTy::F64 => into::<Double>(to, signed, a),
        FloatTy::F80 => into::<Extended>(to, signed, a),
        FloatTy::F128 => into::<Quad>(to, signed, a),
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
        FloatTy::F16 => into(Half::from_bits(a), to),
        FloatTy::F32 => into(Single::from_bits(a), to),
        FloatTy::F64 => into(Double::from_bits(a), to),
        FloatTy::F80 => into(Extended::from_bits(a), to),
        FloatTy::F128 => into(Quad::from_bits(a), to),
    }
}

/// A function of `math.h`: exactly where it is defined to the last bit, otherwise as the C library of the machine has it. `args` are
/// patterns.
pub(crate) fn library(lib: Library, args: &[u128]) -> u128 {
    let Some((math, ty)) = lib.math() else { unreachable!("{lib:?} is no function on floats") };
    if let Some(result) = in_mode(math, ty, args) {
        return result;
    }
    match ty {
        FloatTy::F32 => single(math, args),
        FloatTy::F64 => double(math, args),
        FloatTy::F80 => soft_library::<Extended>(math, ty, args),
        FloatTy::F16 | FloatTy::F128 => unreachable!("no function of the library is on this type"),
    }
}

fn double(math: Math, args: &[u128]) -> u128 {
    let d = |i: usize| f64::from_bits(args[i] as u64);
    f64_bits(match math {
        Math::Sqrt => d(0).sqrt(),
        Math::Fmod => d(0) % d(1),
        Math::Fma => d(0).mul_add(d(1), d(2)),
        Math::Floor => d(0).floor(),
        Math::Ceil => d(0).ceil(),
        Math::Trunc => d(0).trunc(),
        Math::Round => d(0).round(),
        Math::Rint => d(0).round_ties_even(),
        Math::Remainder | Math::Ldexp | Math::Frexp | Math::Exponent => {
            return soft_library::<Double>(math, FloatTy::F64, args);
        }
        Math::Sin => d(0).sin(),
        Math::Cos => d(0).cos(),
        Math::Tan => d(0).tan(),
        Math::Asin => d(0).asin(),
        Math::Acos => d(0).acos(),
        Math::Atan => d(0).atan(),
        Math::Sinh => d(0).sinh(),
        Math::Cosh => d(0).cosh(),
        Math::Tanh => d(0).tanh(),
        Math::Exp => d(0).exp(),
        Math::Exp2 => d(0).exp2(),
        Math::Expm1 => d(0).exp_m1(),
        Math::Log => d(0).ln(),
        Math::Log2 => d(0).log2(),
        Math::Log10 => d(0).log10(),
        Math::Log1p => d(0).ln_1p(),
        Math::Cbrt => d(0).cbrt(),
        Math::Atan2 => d(0).atan2(d(1)),
        Math::Pow => d(0).powf(d(1)),
        Math::Hypot => d(0).hypot(d(1)),
        Math::AddIn
        | Math::MulIn
        | Math::DivIn
        | Math::SqrtIn
        | Math::FmaIn
        | Math::RintIn
        | Math::LdexpIn
        | Math::NarrowIn => unreachable!("operations in a mode are looked at first"),
    })
}

fn single(math: Math, args: &[u128]) -> u128 {
    let f = |i: usize| f32::from_bits(args[i] as u32);
    f32_bits(match math {
        Math::Sqrt => f(0).sqrt(),
        Math::Fmod => f(0) % f(1),
        Math::Fma => f(0).mul_add(f(1), f(2)),
        Math::Floor => f(0).floor(),
        Math::Ceil => f(0).ceil(),
        Math::Trunc => f(0).trunc(),
        Math::Round => f(0).round(),
        Math::Rint => f(0).round_ties_even(),
        Math::Remainder | Math::Ldexp | Math::Frexp | Math::Exponent => {
            return soft_library::<Single>(math, FloatTy::F32, args);
        }
        Math::Sin => f(0).sin(),
        Math::Cos => f(0).cos(),
        Math::Tan => f(0).tan(),
        Math::Asin => f(0).asin(),
        Math::Acos => f(0).acos(),
        Math::Atan => f(0).atan(),
        Math::Sinh => f(0).sinh(),
        Math::Cosh => f(0).cosh(),
        Math::Tanh => f(0).tanh(),
        Math::Exp => f(0).exp(),
        Math::Exp2 => f(0).exp2(),
        Math::Expm1 => f(0).exp_m1(),
        Math::Log => f(0).ln(),
        Math::Log2 => f(0).log2(),
        Math::Log10 => f(0).log10(),
        Math::Log1p => f(0).ln_1p(),
        Math::Cbrt => f(0).cbrt(),
        Math::Atan2 => f(0).atan2(f(1)),
        Math::Pow => f(0).powf(f(1)),
        Math::Hypot => f(0).hypot(f(1)),
        Math::AddIn
        | Math::MulIn
        | Math::DivIn
        | Math::SqrtIn
        | Math::FmaIn
        | Math::RintIn
        | Math::LdexpIn
        | Math::NarrowIn => unreachable!("operations in a mode are looked at first"),
    })
}

/// The operations in a rounding mode.
fn in_mode(math: Math, ty: FloatTy, args: &[u128]) -> Option<u128> {
    use Math::{AddIn, DivIn, FmaIn, LdexpIn, MulIn, NarrowIn, RintIn, SqrtIn};
    if !matches!(math, AddIn | MulIn | DivIn | SqrtIn | FmaIn | RintIn | LdexpIn | NarrowIn) {
        return None;
    }
    let (mode, args) = args.split_last()?;
    let mode = rounding_mode(*mode);
    let round = match mode {
        Mode::Nearest => Round::NearestTiesToEven,
        Mode::Down => Round::TowardNegative,
        Mode::Up => Round::TowardPositive,
        Mode::Zero => Round::TowardZero,
    };
    if math == Math::NarrowIn {
        let x = Quad::from_bits(args[0]);
        let mut loses = false;
        return Some(match ty {
            FloatTy::F16 => ap_bits(FloatConvert::<Half>::convert_r(x, round, &mut loses).value, ty),
            FloatTy::F32 => ap_bits(FloatConvert::<Single>::convert_r(x, round, &mut loses).value, ty),
            FloatTy::F64 => ap_bits(FloatConvert::<Double>::convert_r(x, round, &mut loses).value, ty),
            FloatTy::F80 => ap_bits(FloatConvert::<Extended>::convert_r(x, round, &mut loses).value, ty),
            FloatTy::F128 => args[0],
        });
    }
    Some(match ty {
        FloatTy::F16 => rounded::<Half>(math, ty, args, round),
        FloatTy::F32 => rounded::<Single>(math, ty, args, round),
        FloatTy::F64 => rounded::<Double>(math, ty, args, round),
        FloatTy::F80 => rounded::<Extended>(math, ty, args, round),
        FloatTy::F128 => rounded::<Quad>(math, ty, args, round),
    })
}

fn rounded<F: Float>(math: Math, ty: FloatTy, args: &[u128], round: Round) -> u128 {
    let x = |i: usize| F::from_bits(args[i]);
    let value = match math {
        Math::AddIn => x(0).add_r(x(1), round).value,
        Math::MulIn => x(0).mul_r(x(1), round).value,
        Math::DivIn => x(0).div_r(x(1), round).value,
        Math::FmaIn => x(0).mul_add_r(x(1), x(2), round).value,
        Math::RintIn => x(0).round_to_integral(round).value,
        Math::LdexpIn => x(0).scalbn_r(args[1] as u32 as i32, round),
        Math::SqrtIn => return root_in(ty, x(0), args[0], round),
        other => unreachable!("{other:?} has no rounding mode"),
    };
    ap_bits(value, ty)
}

/// The root in a rounding mode: the nearest one, or its neighbour on the side that is asked for. On which side of the root itself the nearest
/// one lies, its square less the operand says, rounded away from zero so that it is none.
fn root_in<F: Float>(ty: FloatTy, x: F, bits: u128, round: Round) -> u128 {
    let near = match ty {
        FloatTy::F32 => f32_bits(f32::from_bits(bits as u32).sqrt()),
        FloatTy::F64 => f64_bits(f64::from_bits(bits as u64).sqrt()),
        _ => square_root(bits),
    };
    let root = F::from_bits(near);
    if round == Round::NearestTiesToEven || !root.is_finite_non_zero() {
        return near;
    }
    let rest = |round| root.mul_add_r(root, -x, round).value;
    let (above, below) = (rest(Round::TowardPositive), rest(Round::TowardNegative));
    let above = !above.is_zero() && !above.is_negative();
    let below = !below.is_zero() && below.is_negative();
    let root = match round {
        Round::TowardPositive if below => root.next_up().value,
        Round::TowardNegative | Round::TowardZero if above => root.next_down().value,
        _ => root,
    };
    ap_bits(root, ty)
}

/// The functions that are defined to the last bit, by `rustc_apfloat`.
fn soft_library<F: Float>(math: Math, ty: FloatTy, args: &[u128]) -> u128 {
    let x = |i: usize| F::from_bits(args[i]);
    let whole = |mode| x(0).round_to_integral(mode).value;
    let value = match math {
        Math::Sqrt => return square_root(args[0]),
        Math::Fmod => x(0).c_fmod(x(1)).value,
        Math::Remainder => x(0).ieee_rem(x(1)).value,
        Math::Fma => x(0).mul_add(x(1), x(2)).value,
        Math::Floor => whole(Round::TowardNegative),
        Math::Ceil => whole(Round::TowardPositive),
        Math::Trunc => whole(Round::TowardZero),
        Math::Round => whole(Round::NearestTiesToAway),
        Math::Rint => whole(Round::NearestTiesToEven),
        Math::Ldexp => x(0).scalbn(args[1] as u32 as i32),
        Math::Frexp => x(0).frexp(&mut 0),
        Math::Exponent => {
            let mut exponent = 0;
            x(0).frexp(&mut exponent);
            return u128::from(if x(0).is_finite_non_zero() { exponent as u32 } else { 0 });
        }
        other => unreachable!("{other:?} has no exact result"),
    };
    ap_bits(value, ty)
}

/// The root of a number of the 80-bit format, two bits of the operand at a time.
fn square_root(bits: u128) -> u128 {
    let ty = FloatTy::F80;
    let x = Extended::from_bits(bits);
    if x.is_nan() || (x.is_negative() && !x.is_zero()) {
        return nan(ty);
    }
    if !x.is_finite_non_zero() {
        return bits;
    }
    // An integer of 64 bits times a power of two, which is made even.
    let mut exponent = 0;
    let fraction = x.frexp(&mut exponent).scalbn(64);
    let mut exact = false;
    let mut operand = fraction.to_u128_r(128, Round::TowardZero, &mut exact).value;
    let mut power = exponent - 64;
    if power % 2 != 0 {
        (operand, power) = (operand << 1, power - 1);
    }
    let (mut root, mut rest) = (0u128, 0u128);
    // 33 pairs of the operand, then so many zeroes that the root has more than 64 bits.
    for i in (0..33 + 34).rev() {
        let pair = if i >= 34 { operand >> (2 * (i - 34)) & 3 } else { 0 };
        rest = rest << 2 | pair;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    // What is left makes a last bit, so that it is no tie. A root is never subnormal: the power changes no bit.
    let root = Extended::from_u128(root << 1 | u128::from(rest != 0)).value;
    ap_bits(root.scalbn(power / 2 - 35), ty)
}

/// Whether a number is one of a type, rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    Inside,
    /// It is rounded to the least normal number.
    AtLeast,
    /// It is too large, or so small that it loses bits.
    Outside,
}

/// Whether a number, as [`literal`] reads it, fits a type.
pub(super) fn range(text: &str, ty: FloatTy) -> Range {
    fn of<F: Float>(text: &str) -> Range {
        let Ok(read) = F::from_str_r(text, Round::NearestTiesToEven) else { return Range::Inside };
        if read.status.intersects(Status::OVERFLOW | Status::UNDERFLOW) {
            Range::Outside
        } else if read.status.contains(Status::INEXACT) && read.value == F::smallest_normalized() {
            Range::AtLeast
        } else {
            Range::Inside
        }
    }
    match ty {
        FloatTy::F16 => of::<Half>(text),
        FloatTy::F32 => of::<Single>(text),
        FloatTy::F64 => of::<Double>(text),
        FloatTy::F80 => of::<Extended>(text),
        FloatTy::F128 => of::<Quad>(text),
    }
}

/// The pattern of a floating constant of C, decimal or hexadecimal and without suffix, rounded once to `ty`.
pub(crate) fn literal(text: &str, ty: FloatTy) -> Option<u128> {
    fn parse<F: Float>(text: &str) -> Option<u128> {
        F::from_str_r(text, Round::NearestTiesToEven).ok().map(|x| x.value.to_bits())
    }
    match ty {
        FloatTy::F16 => parse::<Half>(text),
        FloatTy::F32 => parse::<Single>(text),
        FloatTy::F64 => parse::<Double>(text),
        FloatTy::F80 => parse::<Extended>(text),
        FloatTy::F128 => parse::<Quad>(text),
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

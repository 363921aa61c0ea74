//! Functions of `math.h` that are defined to the last bit, as operations on numbers ([`logic::float`]).
//!
//! Of the others, and of remainders whose quotient is large, a formula knows what their contract says ([`ir::library::math`]).

use ir::library::Library;
use ir::library::math::{MODES, Math, Mode};
use logic::float::exact;
use logic::{Bits, FloatKind, FloatOp, Format, Rounding, Store, Term};

use crate::float::format;

/// Quotients below two to this power are divided out exactly.
const NEAR_QUOTIENT: u32 = 6;

/// The result of a function of `math.h` that is defined to the last bit, or so far as it is.
pub(crate) fn function(store: &mut Store, lib: Library, args: &[Term], any: Term) -> Option<Term> {
    let (math, ty) = lib.math()?;
    let f = format(ty);
    let whole = |rounding| FloatOp { kind: FloatKind::Integral, format: f, rounding };
    let op = match math {
        Math::Sqrt => FloatOp::new(FloatKind::Sqrt, f),
        Math::Fma => FloatOp::new(FloatKind::Fma, f),
        Math::Floor => whole(Rounding::Negative),
        Math::Ceil => whole(Rounding::Positive),
        Math::Trunc => whole(Rounding::Zero),
        Math::Round => whole(Rounding::NearestAway),
        Math::Rint => whole(Rounding::NearestEven),
        Math::Fmod => return Some(near_remainder(store, f, args[0], args[1], any)),
        Math::Ldexp => return Some(scaled(store, f, args[0], args[1], Rounding::NearestEven)),
        Math::AddIn
        | Math::MulIn
        | Math::DivIn
        | Math::SqrtIn
        | Math::FmaIn
        | Math::RintIn
        | Math::LdexpIn
        | Math::NarrowIn => return Some(in_mode(store, math, f, args)),
        Math::Frexp => return Some(fraction(store, f, args[0])),
        Math::Exponent => return Some(exponent(store, f, args[0])),
        _ => return None,
    };
    Some(store.float(op, &args[..op.arity()]))
}

/// An operation in the mode that the last argument says: in each there is, unless it is known.
fn in_mode(store: &mut Store, math: Math, f: Format, args: &[Term]) -> Term {
    let (&mode, args) = args.split_last().expect("the mode is the last argument");
    let mut result = rounded(store, math, f, args, Rounding::NearestEven);
    for (number, other) in MODES {
        let rounding = match other {
            Mode::Nearest => continue,
            Mode::Down => Rounding::Negative,
            Mode::Up => Rounding::Positive,
            Mode::Zero => Rounding::Zero,
        };
        let number = store.bv(32, number as u64);
        let is = store.eq(mode, number);
        match store.bool_of(is) {
            Some(false) => {}
            Some(true) => return rounded(store, math, f, args, rounding),
            None => {
                let other = rounded(store, math, f, args, rounding);
                result = store.ite(is, other, result);
            }
        }
    }
    result
}

fn rounded(store: &mut Store, math: Math, f: Format, args: &[Term], rounding: Rounding) -> Term {
    let (kind, format) = match math {
        Math::AddIn => (FloatKind::Add, f),
        Math::MulIn => (FloatKind::Mul, f),
        Math::DivIn => (FloatKind::Div, f),
        Math::SqrtIn => (FloatKind::Sqrt, f),
        Math::FmaIn => (FloatKind::Fma, f),
        Math::RintIn => (FloatKind::Integral, f),
        Math::NarrowIn => (FloatKind::Convert { to: f }, Format::QUAD),
        _ => return scaled(store, f, args[0], args[1], rounding),
    };
    store.float(FloatOp { kind, format, rounding }, args)
}

/// `fmod`, where the quotient is small; `any` elsewhere, which the contract bounds.
///
/// As by hand: the divisor times powers of two is taken away from the largest on. Each difference is of two numbers of which none
/// is more than twice the other, so it is exact (Sterbenz), and so is each multiple, unless it is infinite and never taken away.
fn near_remainder(store: &mut Store, f: Format, x: Term, y: Term, any: Term) -> Term {
    let (mut rest, divisor) = (float_magnitude(store, f, x), float_magnitude(store, f, y));
    let mut multiples = vec![divisor];
    for _ in 0..NEAR_QUOTIENT {
        let last = *multiples.last().expect("there is a first one");
        multiples.push(store.float(FloatOp::new(FloatKind::Add, f), &[last, last]));
    }
    let beyond = multiples.pop().expect("there is a last one");
    let near = store.float(FloatOp::new(FloatKind::Lt, f), &[rest, beyond]);
    for &multiple in multiples.iter().rev() {
        let fits = store.float(FloatOp::new(FloatKind::Le, f), &[multiple, rest]);
        let less = store.float(FloatOp::new(FloatKind::Sub, f), &[rest, multiple]);
        rest = store.ite(fits, less, rest);
    }
    // The sign is that of the dividend, of a zero too. Where an operand is no number, the dividend infinite or the divisor zero,
    // nothing is near.
    let signed = with_sign_of(store, f, rest, x);
    store.ite(near, signed, any)
}

fn float_magnitude(store: &mut Store, f: Format, x: Term) -> Term {
    let top = f.width() - 1;
    let mask = store.constant(&Bits::from_fn(top + 1, |i| i < top));
    store.bv_and(x, mask)
}

/// A pattern without sign, with that of another.
fn with_sign_of(store: &mut Store, f: Format, magnitude: Term, other: Term) -> Term {
    let top = f.width() - 1;
    let mask = store.constant(&Bits::from_fn(top + 1, |i| i == top));
    let sign = store.bv_and(other, mask);
    store.bv_or(magnitude, sign)
}

/// Whether a pattern is a number that is not infinite.
fn is_finite(store: &mut Store, f: Format, x: Term) -> Term {
    let magnitude = float_magnitude(store, f, x);
    let largest = store.constant(&f.largest(false));
    store.float(FloatOp::new(FloatKind::Le, f), &[magnitude, largest])
}

/// Whether a pattern is a number that is neither zero nor infinite.
fn is_finite_non_zero(store: &mut Store, f: Format, x: Term) -> Term {
    let finite = is_finite(store, f, x);
    let zero = store.constant(&f.zero(false));
    let is_zero = store.float(FloatOp::new(FloatKind::Eq, f), &[x, zero]);
    let other = store.not(is_zero);
    store.and(finite, other)
}

/// The number in a format with so many more exponents that it is normal there, and still is after all that `ldexp` does.
fn in_wider(store: &mut Store, f: Format, x: Term) -> (Format, Term) {
    let wide = Format::new(f.exponent + 4, f.precision);
    (wide, store.float(FloatOp::new(FloatKind::Convert { to: wide }, f), &[x]))
}

/// The number, unless it is none: then the one that operations give.
fn itself(store: &mut Store, f: Format, x: Term) -> Term {
    let is_nan = store.float_is_nan(f, x);
    let nan = store.constant(&f.nan());
    store.ite(is_nan, nan, x)
}

/// `ldexp`: in a format with more exponents it is a sum of exponents, rounded once on the way back.
fn scaled(store: &mut Store, f: Format, x: Term, by: Term, rounding: Rounding) -> Term {
    let (wide, y) = in_wider(store, f, x);
    // More than twice the exponents that the format has: every number becomes zero or infinite.
    let most = 1i64 << (f.exponent + 1);
    let (low, high) = (store.constant(&Bits::from_signed(32, -most)), store.bv(32, most as u64));
    let (below, above) = (store.slt(by, low), store.slt(high, by));
    let by = store.ite(above, high, by);
    let by = store.ite(below, low, by);
    let by = resized_signed(store, by, wide.width());
    let places = store.bv(wide.width(), u64::from(wide.precision) - 1);
    let by = store.bv_shl(by, places);
    let moved = store.bv_add(y, by);
    let back = store.float(FloatOp { kind: FloatKind::Convert { to: f }, format: wide, rounding }, &[moved]);
    let (scales, own) = (is_finite_non_zero(store, f, x), itself(store, f, x));
    store.ite(scales, back, own)
}

fn resized_signed(store: &mut Store, t: Term, width: u32) -> Term {
    if store.width(t) > width { store.extract(t, width - 1, 0) } else { store.sign_ext(t, width) }
}

/// What `frexp` gives: the number with the exponent of those from a half up to one.
fn fraction(store: &mut Store, f: Format, x: Term) -> Term {
    let (wide, y) = in_wider(store, f, x);
    let (top, places) = (wide.width() - 1, u32::from(wide.precision) - 1);
    let kept = store.constant(&Bits::from_fn(top + 1, |i| i < places || i == top));
    let half = exact::apply(FloatOp::new(FloatKind::FromInt { width: 2, signed: false }, wide), &[Bits::new(2, 1)]);
    let half = half.as_bits().sub(&Bits::from_fn(top + 1, |i| i == places));
    let (kept, half) = (store.bv_and(y, kept), store.constant(&half));
    let made = store.bv_or(kept, half);
    let back = store.float(FloatOp::new(FloatKind::Convert { to: f }, wide), &[made]);
    let (splits, own) = (is_finite_non_zero(store, f, x), itself(store, f, x));
    store.ite(splits, back, own)
}

/// The exponent that `frexp` stores; 0 of what has none.
fn exponent(store: &mut Store, f: Format, x: Term) -> Term {
    let (wide, y) = in_wider(store, f, x);
    let places = u32::from(wide.precision) - 1;
    let field = store.extract(y, wide.width() - 2, places);
    let field = store.zero_ext(field, 32);
    let bias = (1u64 << (wide.exponent - 1)) - 2;
    let bias = store.bv(32, bias);
    let (exponent, zero) = (store.bv_sub(field, bias), store.bv(32, 0));
    let splits = is_finite_non_zero(store, f, x);
    store.ite(splits, exponent, zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::rng::Rng;
    use ir::FloatTy;
    use logic::oracle::random_number;

    /// The value of a function of constants, where it does not depend on what is not known.
    fn value(lib: Library, args: &[Bits]) -> Option<Bits> {
        let mut store = Store::new();
        let terms: Vec<Term> = args.iter().map(|a| store.constant(a)).collect();
        let width = match lib.math()? {
            (Math::Exponent, _) => 32,
            (_, ty) => format(ty).width(),
        };
        let any = store.symbol("any", logic::Sort::Bv(width));
        let result = function(&mut store, lib, &terms, any)?;
        store.constant_of(result)
    }

    /// Runs compute with the hardware and a library, formulas with exact arithmetic of our own.
    #[test]
    fn formulas_agree_with_runs() {
        let mut rng = Rng::new(11);
        let mut remainders = 0;
        for &lib in Library::ALL {
            let Some((math, ty)) = lib.math() else { continue };
            let f = format(ty);
            for _ in 0..if matches!(ty, FloatTy::F80 | FloatTy::F128) { 400 } else { 1_200 } {
                let operand = if math == Math::NarrowIn { Format::QUAD } else { f };
                let first = random_number(&mut rng, operand, None);
                let mut args = vec![first.clone()];
                match math {
                    Math::Ldexp | Math::LdexpIn => args.push(Bits::from_signed(
                        32,
                        match rng.below(3) {
                            0 => rng.below(100) as i64 - 50,
                            1 => rng.below(5_000) as i64 - 2_500,
                            _ => i64::from(rng.bits() as i32),
                        },
                    )),
                    Math::Fma | Math::FmaIn => args.extend([0, 1].map(|_| random_number(&mut rng, f, Some(&first)))),
                    Math::Fmod | Math::Remainder | Math::AddIn | Math::MulIn | Math::DivIn => {
                        args.push(random_number(&mut rng, f, Some(&first)));
                    }
                    _ => {}
                }
                if args.len() < lib.params(ir::DataModel::Lp64).len() {
                    // A mode, or a number that is none.
                    args.push(Bits::new(32, *rng.pick(&[0, 0x400, 0x800, 0xc00, 0xc00, 7])));
                }
                let Some(ours) = value(lib, &args) else { continue };
                remainders += u32::from(math == Math::Fmod);
                let patterns: Vec<u128> = args.iter().map(|a| a.to_u128().expect("at most 80 bits")).collect();
                let theirs = ir::float_function(lib, &patterns);
                assert_eq!(ours.to_u128(), Some(theirs), "{lib:?} of {args:?}");
            }
        }
        assert!(remainders > 1_000, "only {remainders} remainders are exact");
    }
}

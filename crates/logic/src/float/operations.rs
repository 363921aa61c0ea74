//! The circuit of each operation: what it does to the parts of its operands, before one rounding.

use base::sabotage::{self, Fault};

use super::circuit::{
    Parts, Unrounded, any, away, bits, compare, less_signed, round, select, shift_sticky, widen, with_sign, word,
};
use super::{FloatKind, FloatOp, Format, Rounding};
use crate::circuits::{add, choose, equal, less, multiply, negate_if, sub};
use crate::gates::{Bit, Gates};

/// The bits of an operation's result; a truth value is one bit.
pub(crate) fn apply(gates: &mut Gates, op: FloatOp, args: &[&[Bit]]) -> Vec<Bit> {
    let f = op.format;
    match op.kind {
        FloatKind::Add | FloatKind::Sub => {
            let (a, mut b) = (Parts::of(gates, f, args[0]), Parts::of(gates, f, args[1]));
            if op.kind == FloatKind::Sub {
                b.sign = !b.sign;
            }
            sum(gates, f, op.rounding, &a, &b)
        }
        FloatKind::Mul => {
            let (a, b) = (Parts::of(gates, f, args[0]), Parts::of(gates, f, args[1]));
            product(gates, f, op.rounding, &a, &b)
        }
        FloatKind::Div => {
            let (a, b) = (Parts::of(gates, f, args[0]), Parts::of(gates, f, args[1]));
            quotient(gates, f, op.rounding, &a, &b)
        }
        FloatKind::Sqrt => {
            let a = Parts::of(gates, f, args[0]);
            square_root(gates, f, op.rounding, &a)
        }
        FloatKind::Fma => {
            let parts: Vec<Parts> = args.iter().map(|a| Parts::of(gates, f, a)).collect();
            fused(gates, f, op.rounding, &parts[0], &parts[1], &parts[2])
        }
        FloatKind::Integral => integral(gates, f, op.rounding, args[0]),
        FloatKind::Convert { to } => {
            let a = Parts::of(gates, f, args[0]);
            convert(gates, f, to, op.rounding, &a)
        }
        FloatKind::FromInt { signed, .. } => from_int(gates, f, op.rounding, signed, args[0]),
        FloatKind::ToInt { width, signed } => {
            let a = Parts::of(gates, f, args[0]);
            to_int(gates, f, op.rounding, (width as usize, signed), &a)
        }
        FloatKind::Eq | FloatKind::Lt | FloatKind::Le => {
            let (a, b) = (Parts::of(gates, f, args[0]), Parts::of(gates, f, args[1]));
            let (same, below) = compare(gates, &a, &b);
            vec![match op.kind {
                FloatKind::Eq => same,
                FloatKind::Lt => below,
                _ => gates.or(same, below),
            }]
        }
    }
}

/// The sign of a sum that is exactly zero: that of both operands, or else by the rounding.
fn sign_of_zero(gates: &mut Gates, rounding: Rounding, a: Bit, b: Bit) -> Bit {
    if sabotage::active(Fault::SignedZeroLost) {
        return Bit::FALSE;
    }
    let otherwise = Bit::constant(rounding == Rounding::Negative);
    let same = !gates.xor(a, b);
    gates.mux(same, a, otherwise)
}

/// What a sum is where an operand is infinite or no number: not a number, or infinite with the first sign that is.
fn special_sum(gates: &mut Gates, f: Format, a: &Parts, b: &Parts) -> [(Bit, Vec<Bit>); 3] {
    let both = gates.and(a.infinite, b.infinite);
    let signs_differ = gates.xor(a.sign, b.sign);
    let opposite = gates.and(both, signs_differ);
    let nan = gates.or(a.nan, b.nan);
    let nan = gates.or(nan, opposite);
    [
        (nan, bits(&f.nan())),
        (a.infinite, with_sign(&f.infinity(false), a.sign)),
        (b.infinite, with_sign(&f.infinity(false), b.sign)),
    ]
}

fn sum(gates: &mut Gates, f: Format, rounding: Rounding, a: &Parts, b: &Parts) -> Vec<Bit> {
    let p = usize::from(f.precision);
    // The one of larger magnitude first; the difference is then not negative.
    let key = |x: &Parts| [&x.significand[..], &x.field].concat();
    let swap = less(gates, &key(a), &key(b));
    let large = choose(gates, swap, &key(b), &key(a));
    let small = choose(gates, swap, &key(a), &key(b));
    let sign = gates.mux(swap, b.sign, a.sign);
    let distance = sub(gates, &large[p..], &small[p..]);
    // Three bits below the last place: two that a shift by one can bring back, and one for all that is lost.
    let low = |v: &[Bit]| [&[Bit::FALSE; 3][..], &v[..p]].concat();
    let small = shift_sticky(gates, &low(&small), &distance);
    let width = p + 4;
    let differ = gates.xor(a.sign, b.sign);
    let small: Vec<Bit> = widen(&small, width).iter().map(|&x| gates.xor(x, differ)).collect();
    let magnitude = add(gates, &widen(&low(&large), width), &small, differ);
    let zero = !any(gates, &magnitude);
    let w = usize::from(f.exponent) + 2;
    let exponent = add(gates, &widen(&large[p..], w), &word(w, 1 - f.bias()), Bit::FALSE);
    let rounded = round(gates, f, rounding, Unrounded { sign, exponent, magnitude, tiny: false });
    let sign_zero = sign_of_zero(gates, rounding, a.sign, b.sign);
    let [nan, first, second] = special_sum(gates, f, a, b);
    select(gates, &[nan, first, second, (zero, with_sign(&f.zero(false), sign_zero))], rounded)
}

fn product(gates: &mut Gates, f: Format, rounding: Rounding, a: &Parts, b: &Parts) -> Vec<Bit> {
    let p = usize::from(f.precision);
    let w = usize::from(f.exponent) + 3;
    let sign = gates.xor(a.sign, b.sign);
    let magnitude = multiply(gates, &widen(&a.significand, 2 * p), &widen(&b.significand, 2 * p));
    let (x, y) = (a.exponent(gates, f, w), b.exponent(gates, f, w));
    let exponent = add(gates, &x, &y, Bit::TRUE);
    let magnitude =
        if sabotage::active(Fault::DoubleRounding) { rounded_early(gates, p, &magnitude) } else { magnitude };
    let rounded = round(gates, f, rounding, Unrounded { sign, exponent, magnitude, tiny: true });
    let (nan, infinite) = special_product(gates, a, b);
    let zero = gates.or(a.zero, b.zero);
    let cases = [
        (nan, bits(&f.nan())),
        (infinite, with_sign(&f.infinity(false), sign)),
        (zero, with_sign(&f.zero(false), sign)),
    ];
    select(gates, &cases, rounded)
}

/// The seeded fault: a magnitude rounded up at the bit after the next one that is kept.
fn rounded_early(gates: &mut Gates, p: usize, magnitude: &[Bit]) -> Vec<Bit> {
    let n = magnitude.len();
    let cut = n - p - 2;
    let kept = add(gates, &magnitude[cut..], &word(p + 2, 0), magnitude[cut - 1]);
    [vec![Bit::FALSE; cut], kept].concat()
}

/// Whether a product is not a number, and whether it is infinite unless it is not a number.
fn special_product(gates: &mut Gates, a: &Parts, b: &Parts) -> (Bit, Bit) {
    let (first, second) = (gates.and(a.infinite, b.zero), gates.and(a.zero, b.infinite));
    let invalid = gates.or(first, second);
    let nan = gates.or(a.nan, b.nan);
    (gates.or(nan, invalid), gates.or(a.infinite, b.infinite))
}

fn quotient(gates: &mut Gates, f: Format, rounding: Rounding, a: &Parts, b: &Parts) -> Vec<Bit> {
    let p = usize::from(f.precision);
    let w = usize::from(f.exponent) + usize::BITS as usize - p.leading_zeros() as usize + 3;
    let sign = gates.xor(a.sign, b.sign);
    let ((x, dividend), (y, divisor)) = (a.normalised(gates, f, w), b.normalised(gates, f, w));
    let exponent = sub(gates, &x, &y);
    // The quotient lies above one half and below two: one bit before the point, then as many as rounding can ask for.
    let divisor = widen(&divisor, p + 1);
    let mut rest = widen(&dividend, p + 1);
    let mut digits = Vec::new();
    for _ in 0..p + 3 {
        let fits = !less(gates, &rest, &divisor);
        let reduced = sub(gates, &rest, &divisor);
        rest = choose(gates, fits, &reduced, &rest);
        // Below the divisor, so the highest bit is zero and doubling keeps all.
        rest.pop();
        rest.insert(0, Bit::FALSE);
        digits.push(fits);
    }
    digits.push(any(gates, &rest));
    digits.reverse();
    let rounded = round(gates, f, rounding, Unrounded { sign, exponent, magnitude: digits, tiny: true });
    let (infinities, zeroes) = (gates.and(a.infinite, b.infinite), gates.and(a.zero, b.zero));
    let invalid = gates.or(infinities, zeroes);
    let nan = gates.or(a.nan, b.nan);
    let nan = gates.or(nan, invalid);
    let (infinite, zero) = (gates.or(a.infinite, b.zero), gates.or(a.zero, b.infinite));
    let cases = [
        (nan, bits(&f.nan())),
        (infinite, with_sign(&f.infinity(false), sign)),
        (zero, with_sign(&f.zero(false), sign)),
    ];
    select(gates, &cases, rounded)
}

fn square_root(gates: &mut Gates, f: Format, rounding: Rounding, a: &Parts) -> Vec<Bit> {
    let p = usize::from(f.precision);
    let w = usize::from(f.exponent) + usize::BITS as usize - p.leading_zeros() as usize + 3;
    let (x, significand) = a.normalised(gates, f, w);
    // With an even exponent the radicand lies between one and four, the root between one and two.
    let odd = x[0];
    let single = [&[Bit::FALSE][..], &significand, &[Bit::FALSE]].concat();
    let double = [&[Bit::FALSE; 2][..], &significand].concat();
    let radicand = choose(gates, odd, &double, &single);
    let half = widen(&x[1..], w);
    let mut exponent = half;
    exponent[w - 1] = x[w - 1];
    // Two digits of the radicand for each of the root, first those before the point.
    let n = p + 2;
    let mut digits: Vec<Bit> = radicand.iter().rev().copied().collect();
    digits.resize(2 * n, Bit::FALSE);
    let mut root: Vec<Bit> = Vec::new();
    let mut rest = vec![Bit::FALSE; n + 2];
    for pair in digits.chunks(2) {
        rest = [&[pair[1], pair[0]][..], &rest[..n]].concat();
        // Four times the root so far, plus one.
        let tried = widen(&[&[Bit::TRUE, Bit::FALSE][..], &root].concat(), n + 2);
        let fits = !less(gates, &rest, &tried);
        let reduced = sub(gates, &rest, &tried);
        rest = choose(gates, fits, &reduced, &rest);
        root.insert(0, fits);
    }
    let more = any(gates, &rest);
    root.insert(0, more);
    // The root of the smallest number is below the smallest normal one only in formats with few exponents.
    let tiny = (f.min_exponent() - p as i64 + 1).div_euclid(2) < f.min_exponent();
    let rounded = round(gates, f, rounding, Unrounded { sign: Bit::FALSE, exponent, magnitude: root, tiny });
    let negative = gates.and(a.sign, !a.zero);
    let nan = gates.or(a.nan, negative);
    let cases =
        [(nan, bits(&f.nan())), (a.infinite, bits(&f.infinity(false))), (a.zero, with_sign(&f.zero(false), a.sign))];
    select(gates, &cases, rounded)
}

fn fused(gates: &mut Gates, f: Format, rounding: Rounding, a: &Parts, b: &Parts, c: &Parts) -> Vec<Bit> {
    let p = usize::from(f.precision);
    let w = usize::from(f.exponent) + usize::BITS as usize - p.leading_zeros() as usize + 4;
    let ((x, first), (y, second), (z, third)) =
        (a.normalised(gates, f, w), b.normalised(gates, f, w), c.normalised(gates, f, w));
    // Product and summand in the same form: twice the precision, the highest bit weighing 2^exponent.
    let product = multiply(gates, &widen(&first, 2 * p), &widen(&second, 2 * p));
    let product_exponent = add(gates, &x, &y, Bit::TRUE);
    let summand = [vec![Bit::FALSE; p], third].concat();
    let product_sign = gates.xor(a.sign, b.sign);
    let product_zero = gates.or(a.zero, b.zero);
    // A zero has the other's exponent, so that nothing of the other is shifted out.
    let product_exponent = choose(gates, product_zero, &z, &product_exponent);
    let summand_exponent = choose(gates, c.zero, &product_exponent, &z);
    let later = less_signed(gates, &product_exponent, &summand_exponent);
    let ahead = sub(gates, &product_exponent, &summand_exponent);
    let behind = sub(gates, &summand_exponent, &product_exponent);
    let distance = choose(gates, later, &behind, &ahead);
    let top = choose(gates, later, &summand_exponent, &product_exponent);
    // Of the operand with the larger exponent at most one leading bit is zero: three bits below, as in a sum.
    let low = |v: &[Bit]| [&[Bit::FALSE; 3][..], v].concat();
    let (large, small) =
        (choose(gates, later, &low(&summand), &low(&product)), choose(gates, later, &low(&product), &low(&summand)));
    let small = shift_sticky(gates, &small, &distance);
    let large_sign = gates.mux(later, c.sign, product_sign);
    let differ = gates.xor(product_sign, c.sign);
    let width = 2 * p + 5;
    let complement: Vec<Bit> = widen(&small, width).iter().map(|&s| gates.xor(s, differ)).collect();
    let total = add(gates, &widen(&large, width), &complement, differ);
    let below = total[width - 1];
    let magnitude = negate_if(gates, below, &total);
    let sign = gates.xor(large_sign, below);
    let zero = !any(gates, &magnitude);
    // The two bits above the operands.
    let exponent = add(gates, &top, &word(w, 2), Bit::FALSE);
    let rounded = round(gates, f, rounding, Unrounded { sign, exponent, magnitude, tiny: true });
    let (nan, infinite) = special_product(gates, a, b);
    let product = Parts { nan, infinite, zero: product_zero, sign: product_sign, ..a.clone() };
    let sign_zero = sign_of_zero(gates, rounding, product_sign, c.sign);
    let [nan, first, second] = special_sum(gates, f, &product, c);
    select(gates, &[nan, first, second, (zero, with_sign(&f.zero(false), sign_zero))], rounded)
}

/// The integral part of a magnitude in `places` bits and a mark if it may have more: rounded, exactly one bit wider.
fn whole(gates: &mut Gates, f: Format, rounding: Rounding, a: &Parts, places: usize) -> (Vec<Bit>, Bit) {
    let w = usize::from(f.exponent).max(usize::BITS as usize - places.leading_zeros() as usize) + 2;
    let exponent = a.exponent(gates, f, w);
    // The leading bit stands at the top, as if it weighed 2^(places - 1), and moves down to where it belongs.
    let distance = sub(gates, &word(w, places as i64 - 1), &exponent);
    let beyond = distance[w - 1];
    let distance: Vec<Bit> = distance.iter().map(|&b| gates.and(b, !beyond)).collect();
    let p = a.significand.len();
    let mut start = vec![Bit::FALSE; (places + 2).saturating_sub(p)];
    start.extend_from_slice(&a.significand);
    let moved = shift_sticky(gates, &start, &distance);
    let n = moved.len();
    let (kept, half) = (&moved[n - places..], moved[n - places - 1]);
    let rest = any(gates, &moved[..n - places - 1]);
    let up = away(gates, rounding, a.sign, kept[0], half, rest);
    (add(gates, &widen(kept, places + 1), &word(places + 1, 0), up), beyond)
}

fn integral(gates: &mut Gates, f: Format, rounding: Rounding, pattern: &[Bit]) -> Vec<Bit> {
    let p = usize::from(f.precision);
    let a = Parts::of(gates, f, pattern);
    let (magnitude, beyond) = whole(gates, f, rounding, &a, p);
    let zero = !any(gates, &magnitude);
    let w = usize::from(f.exponent).max(usize::BITS as usize - p.leading_zeros() as usize) + 2;
    let rounded =
        round(gates, f, rounding, Unrounded { sign: a.sign, exponent: word(w, p as i64), magnitude, tiny: false });
    // What is beyond has no fraction; so it is with infinities. The pattern of a number is its own result there.
    let own = gates.or(beyond, a.infinite);
    let cases = [(a.nan, bits(&f.nan())), (own, pattern.to_vec()), (zero, with_sign(&f.zero(false), a.sign))];
    select(gates, &cases, rounded)
}

fn convert(gates: &mut Gates, from: Format, to: Format, rounding: Rounding, a: &Parts) -> Vec<Bit> {
    let w = usize::from(from.exponent) + 2;
    let exponent = a.exponent(gates, from, w);
    // Numbers that the smaller exponents of the target reach are never tiny, unless they have leading zeroes.
    let tiny = from.min_exponent() < to.min_exponent();
    let magnitude = a.significand.clone();
    let rounded = round(gates, to, rounding, Unrounded { sign: a.sign, exponent, magnitude, tiny });
    let cases = [
        (a.nan, bits(&to.nan())),
        (a.infinite, with_sign(&to.infinity(false), a.sign)),
        (a.zero, with_sign(&to.zero(false), a.sign)),
    ];
    select(gates, &cases, rounded)
}

fn from_int(gates: &mut Gates, f: Format, rounding: Rounding, signed: bool, x: &[Bit]) -> Vec<Bit> {
    let sign = if signed { x[x.len() - 1] } else { Bit::FALSE };
    let magnitude = negate_if(gates, sign, x);
    let zero = !any(gates, &magnitude);
    let w = usize::BITS as usize - x.len().leading_zeros() as usize + 2;
    let exponent = word(w, x.len() as i64 - 1);
    let rounded = round(gates, f, rounding, Unrounded { sign, exponent, magnitude, tiny: false });
    select(gates, &[(zero, bits(&f.zero(false)))], rounded)
}

fn to_int(gates: &mut Gates, f: Format, rounding: Rounding, ty: (usize, bool), a: &Parts) -> Vec<Bit> {
    let (width, signed) = ty;
    let (magnitude, beyond) = whole(gates, f, rounding, a, width + 1);
    let n = magnitude.len();
    let least: Vec<Bit> = (0..width).map(|i| Bit::constant(signed && i + 1 == width)).collect();
    let greatest: Vec<Bit> = (0..width).map(|i| Bit::constant(!signed || i + 1 < width)).collect();
    // The least number as a magnitude, and one more than the greatest.
    let limit = |power: usize| -> Vec<Bit> { (0..n).map(|i| Bit::constant(i == power)).collect() };
    let (too_low, too_high) = if signed {
        let at = limit(width - 1);
        let below = less(gates, &magnitude, &at);
        let at_limit = equal(gates, &magnitude, &at);
        (!gates.or(below, at_limit), !below)
    } else {
        let some = any(gates, &magnitude);
        (some, !less(gates, &magnitude, &limit(width)))
    };
    let far = gates.or(beyond, a.infinite);
    let out = gates.mux(a.sign, too_low, too_high);
    let zero = a.zero;
    let out = gates.or(out, far);
    let out = gates.and(out, !zero);
    let clamped = choose(gates, a.sign, &least, &greatest);
    let value = negate_if(gates, a.sign, &magnitude[..width]);
    select(gates, &[(a.nan, vec![Bit::FALSE; width]), (out, clamped)], value)
}

//! The two ends that all circuits share: taking a pattern apart, and rounding.
//!
//! Between them a magnitude is a vector of bits (lowest first) whose highest bit has the weight `2^exponent`; it may have
//! leading zeroes. Exponents are vectors in two's complement, wide enough never to wrap. [`round`] is the only place that
//! loses bits, but for shifts whose lost bits are gathered in the lowest one that is kept ([`shift_sticky`]).

use base::sabotage::{self, Fault};

use super::{Format, Rounding};
use crate::bits::Bits;
use crate::circuits::{add, choose, equal, less, sub};
use crate::gates::{Bit, Gates};

/// A pattern taken apart.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) nan: Bit,
    pub(crate) infinite: Bit,
    pub(crate) zero: Bit,
    pub(crate) sign: Bit,
    /// The field of the exponent, of a subnormal number 1: what its leading bit would weigh, above the bias.
    pub(crate) field: Vec<Bit>,
    /// The significand with its leading bit, which is zero only where the field was zero.
    pub(crate) significand: Vec<Bit>,
}

pub(crate) fn word(width: usize, value: i64) -> Vec<Bit> {
    (0..width).map(|i| Bit::constant(value >> i.min(63) & 1 == 1)).collect()
}

pub(crate) fn bits(value: &Bits) -> Vec<Bit> {
    (0..value.width()).map(|i| Bit::constant(value.bit(i))).collect()
}

pub(crate) fn any(gates: &mut Gates, v: &[Bit]) -> Bit {
    !gates.and_all(v.iter().map(|&b| !b).collect())
}

/// The vector with zeroes above, in all `width` bits.
pub(crate) fn widen(v: &[Bit], width: usize) -> Vec<Bit> {
    assert!(v.len() <= width, "a vector is widened, never cut");
    let mut out = v.to_vec();
    out.resize(width, Bit::FALSE);
    out
}

/// The vector with copies of its highest bit above, in all `width` bits.
pub(crate) fn widen_signed(v: &[Bit], width: usize) -> Vec<Bit> {
    let mut out = v.to_vec();
    out.resize(width, v.last().copied().unwrap_or(Bit::FALSE));
    out
}

/// Whether `x < y` in two's complement.
pub(crate) fn less_signed(gates: &mut Gates, x: &[Bit], y: &[Bit]) -> Bit {
    let (mut x, mut y) = (x.to_vec(), y.to_vec());
    for v in [&mut x, &mut y] {
        if let Some(sign) = v.last_mut() {
            *sign = !*sign;
        }
    }
    less(gates, &x, &y)
}

impl Parts {
    pub(crate) fn of(gates: &mut Gates, format: Format, pattern: &[Bit]) -> Parts {
        let (stored, p) = (format.stored() as usize, usize::from(format.precision));
        let sign = pattern[format.width() as usize - 1];
        let field = &pattern[stored..format.width() as usize - 1];
        let normal = any(gates, field);
        let special = gates.and_all(field.to_vec());
        let fraction = any(gates, &pattern[..p - 1]);
        let mut significand = pattern[..p - 1].to_vec();
        significand.push(if format.explicit { pattern[p - 1] } else { normal });
        let mut nan = gates.and(special, fraction);
        if format.explicit {
            let contradiction = gates.and(normal, !pattern[p - 1]);
            nan = gates.or(nan, contradiction);
        }
        let infinite = gates.and(special, !nan);
        let some = any(gates, &significand);
        let mut field = field.to_vec();
        field[0] = gates.or(field[0], !normal);
        Parts { nan, infinite, zero: gates.and(!some, !nan), sign, field, significand }
    }

    /// The weight of the leading bit, in `width` bits.
    pub(crate) fn exponent(&self, gates: &mut Gates, format: Format, width: usize) -> Vec<Bit> {
        add(gates, &widen(&self.field, width), &word(width, -format.bias()), Bit::FALSE)
    }

    /// Exponent and significand without leading zeroes (unless the number is zero, infinite or no number).
    pub(crate) fn normalised(&self, gates: &mut Gates, format: Format, width: usize) -> (Vec<Bit>, Vec<Bit>) {
        let exponent = self.exponent(gates, format, width);
        let (significand, count) = shift_out_zeroes(gates, &self.significand, None);
        let exponent = sub(gates, &exponent, &widen(&count, width));
        (exponent, significand)
    }
}

/// The vector shifted left until its highest bit is one, and by how much; at most by `limit`, if there is one.
fn shift_out_zeroes(gates: &mut Gates, v: &[Bit], limit: Option<&[Bit]>) -> (Vec<Bit>, Vec<Bit>) {
    let stages = (usize::BITS - (v.len() - 1).leading_zeros()) as usize;
    let mut v = v.to_vec();
    let mut left = limit.map(<[Bit]>::to_vec);
    let mut count = vec![Bit::FALSE; stages];
    for stage in (0..stages).rev() {
        let step = 1usize << stage;
        if step >= v.len() {
            continue;
        }
        let mut shift = !any(gates, &v[v.len() - step..]);
        if let Some(rest) = &mut left {
            let enough = any(gates, &rest[stage.min(rest.len())..]);
            shift = gates.and(shift, enough);
            let less = sub(gates, rest, &word(rest.len(), 1 << stage));
            *rest = choose(gates, shift, &less, rest);
        }
        let shifted: Vec<Bit> = (0..v.len()).map(|i| if i < step { Bit::FALSE } else { v[i - step] }).collect();
        v = choose(gates, shift, &shifted, &v);
        count[stage] = shift;
    }
    (v, count)
}

/// The vector shifted right; a one that is shifted out stays in the lowest bit. Amounts are not negative and as large as they
/// like.
pub(crate) fn shift_sticky(gates: &mut Gates, v: &[Bit], amount: &[Bit]) -> Vec<Bit> {
    let stages = (usize::BITS - v.len().leading_zeros()) as usize;
    let mut v = v.to_vec();
    let mut lost = Bit::FALSE;
    for (stage, &by) in amount.iter().enumerate().take(stages) {
        let step = (1usize << stage).min(v.len());
        let out = any(gates, &v[..step]);
        let out = gates.and(out, by);
        lost = gates.or(lost, out);
        let shifted: Vec<Bit> = (0..v.len()).map(|i| v.get(i + step).copied().unwrap_or(Bit::FALSE)).collect();
        v = choose(gates, by, &shifted, &v);
    }
    let far = any(gates, amount.get(stages..).unwrap_or_default());
    let rest = any(gates, &v);
    let out = gates.and(far, rest);
    lost = gates.or(lost, out);
    for b in &mut v {
        *b = gates.and(*b, !far);
    }
    v[0] = gates.or(v[0], lost);
    v
}

/// A magnitude to be rounded, not zero. The lowest bit may stand for anything that is not zero below it.
pub(crate) struct Unrounded {
    pub(crate) sign: Bit,
    /// The weight of the highest bit of the magnitude.
    pub(crate) exponent: Vec<Bit>,
    pub(crate) magnitude: Vec<Bit>,
    /// Whether the exponent can be below that of the smallest normal number.
    pub(crate) tiny: bool,
}

/// Whether to round away from zero, given the last bit that is kept, the next one, and whether something is left.
pub(crate) fn away(gates: &mut Gates, rounding: Rounding, sign: Bit, odd: Bit, half: Bit, rest: Bit) -> Bit {
    match rounding {
        Rounding::NearestEven => {
            let more = if sabotage::active(Fault::FloatTiesUp) { Bit::TRUE } else { gates.or(rest, odd) };
            gates.and(half, more)
        }
        Rounding::NearestAway => half,
        Rounding::Positive | Rounding::Negative => {
            let inexact = gates.or(half, rest);
            let towards = if rounding == Rounding::Negative { sign } else { !sign };
            gates.and(inexact, towards)
        }
        Rounding::Zero => Bit::FALSE,
    }
}

/// The pattern of the nearest number.
pub(crate) fn round(gates: &mut Gates, format: Format, rounding: Rounding, x: Unrounded) -> Vec<Bit> {
    let p = usize::from(format.precision);
    let mut magnitude = x.magnitude;
    if magnitude.len() < p + 2 {
        let mut low = vec![Bit::FALSE; p + 2 - magnitude.len()];
        low.append(&mut magnitude);
        magnitude = low;
    }
    // Above the smallest normal exponent: never negative once numbers below it have been shifted there.
    let width = x.exponent.len().max(usize::from(format.exponent) + 2) + 1;
    let exponent = widen_signed(&x.exponent, width);
    let mut above = sub(gates, &exponent, &word(width, format.min_exponent()));
    if x.tiny {
        let below = above[width - 1];
        let distance = sub(gates, &word(width, 0), &above);
        let distance: Vec<Bit> = distance.iter().map(|&b| gates.and(b, below)).collect();
        magnitude = shift_sticky(gates, &magnitude, &distance);
        above = above.iter().map(|&b| gates.and(b, !below)).collect();
    }
    let (magnitude, count) = shift_out_zeroes(gates, &magnitude, Some(&above));
    let above = sub(gates, &above, &widen(&count, width));
    let n = magnitude.len();
    let (kept, half) = (&magnitude[n - p..], magnitude[n - p - 1]);
    let rest = any(gates, &magnitude[..n - p - 1]);
    let up = away(gates, rounding, x.sign, kept[0], half, rest);
    // Fraction and field are one number: a carry out of the fraction is the next exponent, also from subnormal to normal.
    let normal = kept[p - 1];
    let field = add(gates, &above, &word(width, 1), Bit::FALSE);
    let field: Vec<Bit> = field.iter().map(|&b| gates.and(b, normal)).collect();
    let packed = [&kept[..p - 1], &field].concat();
    let packed = add(gates, &packed, &word(packed.len(), 0), up);
    let (fraction, field) = packed.split_at(p - 1);
    let flush = sabotage::active(Fault::SubnormalsFlushed);
    let fraction: Vec<Bit> = fraction.iter().map(|&b| if flush { gates.and(b, normal) } else { b }).collect();
    let too_large = !less(gates, field, &word(width, format.max_field() as i64));
    let packed = pack(gates, format, x.sign, field, &fraction);
    let beyond = overflow(gates, format, rounding, x.sign);
    choose(gates, too_large, &beyond, &packed)
}

fn pack(gates: &mut Gates, format: Format, sign: Bit, field: &[Bit], fraction: &[Bit]) -> Vec<Bit> {
    let field = &field[..usize::from(format.exponent)];
    let mut out = fraction.to_vec();
    if format.explicit {
        out.push(any(gates, field));
    }
    out.extend_from_slice(field);
    out.push(sign);
    out
}

/// What a number beyond the largest becomes.
fn overflow(gates: &mut Gates, format: Format, rounding: Rounding, sign: Bit) -> Vec<Bit> {
    let infinite = match rounding {
        Rounding::NearestEven | Rounding::NearestAway => Bit::TRUE,
        Rounding::Positive => !sign,
        Rounding::Negative => sign,
        Rounding::Zero => Bit::FALSE,
    };
    let (mut far, mut near) = (bits(&format.infinity(false)), bits(&format.largest(false)));
    for v in [&mut far, &mut near] {
        if let Some(top) = v.last_mut() {
            *top = sign;
        }
    }
    choose(gates, infinite, &far, &near)
}

/// A pattern with this sign in place of its own.
pub(crate) fn with_sign(pattern: &Bits, sign: Bit) -> Vec<Bit> {
    let mut out = bits(pattern);
    if let Some(top) = out.last_mut() {
        *top = sign;
    }
    out
}

/// The choice among patterns: of the first condition that holds, otherwise the last.
pub(crate) fn select(gates: &mut Gates, cases: &[(Bit, Vec<Bit>)], otherwise: Vec<Bit>) -> Vec<Bit> {
    cases.iter().rev().fold(otherwise, |rest, (condition, value)| choose(gates, *condition, value, &rest))
}

/// Whether two numbers are equal, and whether the first is less; both false if one is a NaN.
pub(crate) fn compare(gates: &mut Gates, a: &Parts, b: &Parts) -> (Bit, Bit) {
    let magnitude = |x: &Parts| [&x.significand[..], &x.field].concat();
    let (x, y) = (magnitude(a), magnitude(b));
    let nan = gates.or(a.nan, b.nan);
    let zeroes = gates.and(a.zero, b.zero);
    let same_sign = !gates.xor(a.sign, b.sign);
    let same = equal(gates, &x, &y);
    let same = gates.and(same, same_sign);
    let same = gates.or(same, zeroes);
    let (below, above) = (less(gates, &x, &y), less(gates, &y, &x));
    let ordered = gates.mux(a.sign, above, below);
    let differ = gates.mux(same_sign, ordered, a.sign);
    let differ = gates.and(differ, !zeroes);
    (gates.and(same, !nan), gates.and(differ, !nan))
}

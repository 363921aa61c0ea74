//! Arithmetic circuits over bit vectors, lowest bit first.

use crate::bits::Bits;
use crate::gates::{Bit, Gates};

/// Whether two vectors are equal.
pub(crate) fn equal(gates: &mut Gates, x: &[Bit], y: &[Bit]) -> Bit {
    let same = x.iter().zip(y).map(|(&a, &b)| !gates.xor(a, b)).collect();
    gates.and_all(same)
}

/// `x` where `cond` holds, otherwise `y`.
pub(crate) fn choose(gates: &mut Gates, cond: Bit, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    x.iter().zip(y).map(|(&a, &b)| gates.mux(cond, a, b)).collect()
}

/// The sum with a carry in: a ripple of full adders.
pub(crate) fn add(gates: &mut Gates, x: &[Bit], y: &[Bit], mut carry: Bit) -> Vec<Bit> {
    let mut sum = Vec::with_capacity(x.len());
    for (&a, &b) in x.iter().zip(y) {
        let half = gates.xor(a, b);
        sum.push(gates.xor(half, carry));
        carry = gates.maj(a, b, carry);
    }
    sum
}

/// `x - y`.
pub(crate) fn sub(gates: &mut Gates, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let y: Vec<Bit> = y.iter().map(|&b| !b).collect();
    add(gates, x, &y, Bit::TRUE)
}

/// Unsigned less-than: the borrow of `x - y`.
pub(crate) fn less(gates: &mut Gates, x: &[Bit], y: &[Bit]) -> Bit {
    let mut borrow = Bit::FALSE;
    for (&a, &b) in x.iter().zip(y) {
        borrow = gates.maj(!a, b, borrow);
    }
    borrow
}

/// `acc + x * c`, one addition or subtraction per digit of `c` in non-adjacent form (digits 0, 1, -1, no two adjacent
/// ones), the form with the fewest digits that are not zero.
pub(crate) fn add_multiple(gates: &mut Gates, acc: &[Bit], x: &[Bit], c: &Bits) -> Vec<Bit> {
    let width = acc.len();
    let mut acc = acc.to_vec();
    let bit = |i: usize| i < width && c.bit(i as u32);
    let mut carry = false;
    for i in 0..width {
        // Two bits from i on plus the carry decide the digit; beyond the width nothing matters.
        let here = bit(i) != carry;
        let next_carry = (bit(i) && carry) || (here && bit(i + 1));
        if here {
            let mut shifted = vec![Bit::FALSE; i];
            shifted.extend_from_slice(&x[..width - i]);
            acc = if bit(i + 1) { sub(gates, &acc, &shifted) } else { add(gates, &acc, &shifted, Bit::FALSE) };
        }
        carry = next_carry;
    }
    acc
}

/// The product: one addition per bit of the operand with more constant bits. The same numbers in any order and in words of any width
/// that holds their whole product share one circuit.
pub(crate) fn multiply(gates: &mut Gates, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let width = x.len();
    let (small_x, small_y) = in_order(significant(x), significant(y));
    if small_x.len() + small_y.len() <= width {
        return extended(multiply_signed(gates, small_x, small_y), width);
    }
    let (x, y) = in_order(x, y);
    let mut acc = vec![Bit::FALSE; width];
    for (i, &digit) in y.iter().enumerate() {
        if digit == Bit::FALSE {
            continue;
        }
        let part: Vec<Bit> = x[..width - i].iter().map(|&b| gates.and(b, digit)).collect();
        let sum = add(gates, &acc[i..], &part, Bit::FALSE);
        acc.truncate(i);
        acc.extend(sum);
    }
    acc
}

/// The operand with more constant bits last, and else one order for every two.
fn in_order<'a>(x: &'a [Bit], y: &'a [Bit]) -> (&'a [Bit], &'a [Bit]) {
    let constants = |v: &[Bit]| v.iter().filter(|&&b| b == Bit::FALSE || b == Bit::TRUE).count();
    if (constants(x), x) > (constants(y), y) { (y, x) } else { (x, y) }
}

/// The low bits of a signed number of which all above are copies of the last.
fn significant(x: &[Bit]) -> &[Bit] {
    let sign = x.last().expect("a bit-vector has a bit");
    let copies = x.iter().rev().take_while(|&b| b == sign).count();
    &x[..=x.len() - copies]
}

/// A signed number with more bits.
fn extended(mut x: Vec<Bit>, width: usize) -> Vec<Bit> {
    let sign = *x.last().expect("a bit-vector has a bit");
    x.resize(width, sign);
    x
}

/// The whole product of two signed numbers, as wide as both together. A row for each bit of `y` is added to what is above the bits
/// that are known already; that of the sign is subtracted.
fn multiply_signed(gates: &mut Gates, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let n = x.len();
    let mut known = Vec::with_capacity(n + y.len());
    let mut above = vec![Bit::FALSE; n];
    for (i, &digit) in y.iter().enumerate() {
        let row: Vec<Bit> = x.iter().map(|&b| gates.and(b, digit)).collect();
        let (row, sum) = (extended(row, n + 1), extended(above, n + 1));
        let is_sign = i + 1 == y.len();
        let sum = if is_sign { sub(gates, &sum, &row) } else { add(gates, &sum, &row, Bit::FALSE) };
        known.push(sum[0]);
        above = sum[1..].to_vec();
    }
    known.extend(above);
    known
}

/// Unsigned quotient and remainder by restoring division. For divisor zero it yields all ones and the dividend, as
/// SMT-LIB demands, without a case of its own.
pub(crate) fn divide(gates: &mut Gates, x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let width = x.len();
    let mut quotient = vec![Bit::FALSE; width];
    let mut rest = vec![Bit::FALSE; width];
    for i in (0..width).rev() {
        // The doubled remainder has one bit more; with that bit set the divisor certainly fits.
        let mut doubled = vec![x[i]];
        doubled.extend_from_slice(&rest[..width - 1]);
        let carry = rest[width - 1];
        let too_small = less(gates, &doubled, y);
        let fits = gates.or(carry, !too_small);
        let reduced = sub(gates, &doubled, y);
        rest = choose(gates, fits, &reduced, &doubled);
        quotient[i] = fits;
    }
    (quotient, rest)
}

/// Signed quotient, rounded towards zero, and remainder with the dividend's sign.
pub(crate) fn divide_signed(gates: &mut Gates, x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let (sx, sy) = (*x.last().expect("a bit-vector has a bit"), *y.last().expect("a bit-vector has a bit"));
    let (ax, ay) = (negate_if(gates, sx, x), negate_if(gates, sy, y));
    let (quotient, rest) = divide(gates, &ax, &ay);
    let signs_differ = gates.xor(sx, sy);
    (negate_if(gates, signs_differ, &quotient), negate_if(gates, sx, &rest))
}

/// `-x` where `cond` holds, otherwise `x`: complement and add the condition.
pub(crate) fn negate_if(gates: &mut Gates, cond: Bit, x: &[Bit]) -> Vec<Bit> {
    let mut carry = cond;
    let mut out = Vec::with_capacity(x.len());
    for &b in x {
        let flipped = gates.xor(b, cond);
        out.push(gates.xor(flipped, carry));
        carry = gates.and(flipped, carry);
    }
    out
}

/// `x` shifted right by `amount`, filled with `fill`: a stage per bit of the amount that matters, and the fill
/// everywhere when a higher bit is set.
pub(crate) fn shift_right(gates: &mut Gates, x: &[Bit], amount: &[Bit], fill: Bit) -> Vec<Bit> {
    let width = x.len();
    let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
    let mut out = x.to_vec();
    for (s, &by) in amount.iter().enumerate().take(stages) {
        let step = 1usize << s;
        out = (0..width)
            .map(|i| {
                let from = if i + step < width { out[i + step] } else { fill };
                gates.mux(by, from, out[i])
            })
            .collect();
    }
    // An amount of at least 2^stages is at least the width; one between the width and 2^stages shifted all bits out.
    let high: Vec<Bit> = amount.iter().skip(stages).map(|&b| !b).collect();
    let in_range = gates.and_all(high);
    out.iter().map(|&b| gates.mux(in_range, b, fill)).collect()
}

//! What the integer operators compute, on bit patterns.
//!
//! The same text gives two instances: `narrow` for types of up to 64 bits (nearly all of C), `wide` for those above.
//! Patterns have no bits above the width, before and after. Division and shifts are total as SMT-LIB's bit-vector operators.

use crate::syntax::{BinOp, UnOp};
use base::sabotage::{self, Fault};

macro_rules! integers {
    ($name:ident, $u:ty, $i:ty, $doc:literal) => {
        #[doc = $doc]
        pub(crate) mod $name {
            use super::*;

            /// All bits of the width set.
            #[inline(always)]
            pub(crate) fn mask(width: u32) -> $u {
                <$u>::MAX >> (<$u>::BITS - width)
            }

            /// The value of a pattern.
            #[inline(always)]
            fn signed(pattern: $u, width: u32) -> $i {
                let shift = <$u>::BITS - width;
                ((pattern << shift) as $i) >> shift
            }

            /// The operator's result: a pattern of the operands' width, or 0 or 1 for an operator that gives a truth
            /// value.
            #[inline(always)]
            pub(crate) fn binary(op: BinOp, width: u32, sign: bool, a: $u, b: $u) -> $u {
                let m = mask(width);
                let s = |p| signed(p, width);
                match op {
                    BinOp::Add => a.wrapping_add(b) & m,
                    BinOp::Sub => a.wrapping_sub(b) & m,
                    BinOp::Mul => a.wrapping_mul(b) & m,
                    BinOp::Div if b == 0 => {
                        if sign && s(a) < 0 {
                            1
                        } else {
                            m
                        }
                    }
                    BinOp::Div if sign => s(a).wrapping_div(s(b)) as $u & m,
                    BinOp::Div => a / b,
                    BinOp::Rem if b == 0 => a,
                    BinOp::Rem if sign => remainder(s(a), s(b)) as $u & m,
                    BinOp::Rem => a % b,
                    BinOp::And => a & b,
                    BinOp::Or => a | b,
                    BinOp::Xor => a ^ b,
                    BinOp::Shl => {
                        if b >= width as $u {
                            0
                        } else {
                            (a << b) & m
                        }
                    }
                    BinOp::Shr if sign => (s(a) >> b.min(width as $u - 1)) as $u & m,
                    BinOp::Shr => {
                        if b >= width as $u {
                            0
                        } else {
                            a >> b
                        }
                    }
                    BinOp::Eq => <$u>::from(a == b),
                    BinOp::Ne => <$u>::from(a != b),
                    BinOp::Lt => <$u>::from(if sign { s(a) < s(b) } else { a < b }),
                    BinOp::Le => <$u>::from(if sign { s(a) <= s(b) } else { a <= b }),
                    BinOp::Gt => <$u>::from(if sign { s(a) > s(b) } else { a > b }),
                    BinOp::Ge => <$u>::from(if sign { s(a) >= s(b) } else { a >= b }),
                    BinOp::AddOverflows | BinOp::SubOverflows | BinOp::MulOverflows => {
                        <$u>::from(overflows(op, width, sign, a, b))
                    }
                }
            }

            fn remainder(a: $i, b: $i) -> $i {
                let r = a.wrapping_rem(b);
                if sabotage::active(Fault::RemainderSignOfDivisor) && r != 0 && (r < 0) != (b < 0) {
                    r.wrapping_add(b)
                } else {
                    r
                }
            }

            fn overflows(op: BinOp, width: u32, sign: bool, a: $u, b: $u) -> bool {
                if sign {
                    let (x, y) = (signed(a, width), signed(b, width));
                    let exact = match op {
                        BinOp::AddOverflows => x.checked_add(y),
                        BinOp::SubOverflows => x.checked_sub(y),
                        _ => x.checked_mul(y),
                    };
                    exact.is_none_or(|r| signed(r as $u & mask(width), width) != r)
                } else {
                    let exact = match op {
                        BinOp::AddOverflows => a.checked_add(b),
                        BinOp::SubOverflows => a.checked_sub(b),
                        _ => a.checked_mul(b),
                    };
                    exact.is_none_or(|r| r > mask(width))
                }
            }

            /// The operator's result.
            #[inline(always)]
            pub(crate) fn unary(op: UnOp, width: u32, a: $u) -> $u {
                match op {
                    UnOp::Neg => a.wrapping_neg() & mask(width),
                    UnOp::Not => !a & mask(width),
                }
            }

            /// The pattern of the same value modulo 2^`to`, extended by the signedness of the type it comes from.
            #[inline(always)]
            pub(crate) fn resize(pattern: $u, from: u32, sign: bool, to: u32) -> $u {
                let sign = sign || (from > 1 && sabotage::active(Fault::ExtendsUnsignedWithSign));
                let extended = if sign { signed(pattern, from) as $u } else { pattern };
                extended & mask(to)
            }
        }
    };
}

integers!(narrow, u64, i64, "Types of 1 to 64 bits.");
integers!(wide, u128, i128, "Types of 1 to 128 bits.");

#[cfg(test)]
mod tests {
    //! Against an oracle that computes with mathematical integers (`i128`, wide enough for products of 8 bits) and
    //! follows the definitions in words, not the code above.

    use super::*;
    use base::rng::Rng;

    fn value(p: i128, w: u32, sign: bool) -> i128 {
        if sign && p >= 1 << (w - 1) { p - (1 << w) } else { p }
    }

    fn wrap(v: i128, w: u32) -> i128 {
        v.rem_euclid(1 << w)
    }

    fn oracle(op: BinOp, w: u32, sign: bool, pa: i128, pb: i128) -> i128 {
        let (a, b) = (value(pa, w, sign), value(pb, w, sign));
        let (min, max) = if sign { (-(1i128 << (w - 1)), (1i128 << (w - 1)) - 1) } else { (0, (1i128 << w) - 1) };
        let truth = i128::from;
        let trunc = |a: i128, b: i128| (a.abs() / b.abs()) * a.signum() * b.signum();
        match op {
            BinOp::Add => wrap(a + b, w),
            BinOp::Sub => wrap(a - b, w),
            BinOp::Mul => wrap(a * b, w),
            // SMT-LIB: x / 0 is all ones; signed division is defined by the unsigned one of the magnitudes.
            BinOp::Div if b == 0 => {
                if a < 0 {
                    1
                } else {
                    (1 << w) - 1
                }
            }
            BinOp::Div => wrap(trunc(a, b), w),
            BinOp::Rem if b == 0 => pa,
            BinOp::Rem => wrap(a - b * trunc(a, b), w),
            BinOp::And => (0..w).map(|i| ((pa >> i) & (pb >> i) & 1) << i).sum(),
            BinOp::Or => (0..w).map(|i| (((pa >> i) | (pb >> i)) & 1) << i).sum(),
            BinOp::Xor => (0..w).map(|i| (((pa >> i) + (pb >> i)) & 1) << i).sum(),
            BinOp::Shl => {
                if pb >= i128::from(w) {
                    0
                } else {
                    wrap(pa * (1 << pb), w)
                }
            }
            BinOp::Shr => wrap(a.div_euclid(1i128 << pb.min(100)), w),
            BinOp::Eq => truth(a == b),
            BinOp::Ne => truth(a != b),
            BinOp::Lt => truth(a < b),
            BinOp::Le => truth(a <= b),
            BinOp::Gt => truth(a > b),
            BinOp::Ge => truth(a >= b),
            BinOp::AddOverflows => truth(!(min..=max).contains(&(a + b))),
            BinOp::SubOverflows => truth(!(min..=max).contains(&(a - b))),
            BinOp::MulOverflows => truth(!(min..=max).contains(&(a * b))),
        }
    }

    fn check(w: u32, sign: bool, a: i128, b: i128) {
        for op in BinOp::ALL {
            let expected = oracle(op, w, sign, a, b);
            if w <= 64 {
                let got = narrow::binary(op, w, sign, a as u64, b as u64);
                assert_eq!(i128::from(got), expected, "{op:?} {a} {b} at width {w}, signed: {sign}");
            }
            let got = wide::binary(op, w, sign, a as u128, b as u128);
            assert_eq!(got as i128, expected, "wide {op:?} {a} {b} at width {w}, signed: {sign}");
        }
    }

    #[test]
    fn all_operators_at_small_widths() {
        for (w, sign) in (1..=5).flat_map(|w| [(w, false), (w, true)]) {
            for (a, b) in (0..1 << w).flat_map(|a| (0..1 << w).map(move |b| (a, b))) {
                check(w, sign, a, b);
            }
        }
        let mut rng = Rng::new(5);
        for w in 6..=62 {
            for _ in 0..200 {
                let mut pick = || match rng.below(5) {
                    0 => i128::from(rng.below(4)),
                    1 => (1i128 << w) - 1 - i128::from(rng.below(4)),
                    2 => (1i128 << (w - 1)) - i128::from(rng.below(2)),
                    3 => i128::from(rng.below(u64::from(w) + 2)),
                    _ => i128::from(rng.bits() >> (64 - w)),
                };
                let (a, b) = (pick(), pick());
                check(w, rng.chance(50), a, b);
            }
        }
    }

    /// At full width the two instances check each other: narrow at 64 bits against wide at 64, and wide at 128 against
    /// known answers.
    #[test]
    fn operators_at_full_width() {
        let mut rng = Rng::new(6);
        let edge = [0, 1, 2, 63, 64, u64::MAX, 1 << 63, (1 << 63) - 1, (1 << 63) + 1];
        for _ in 0..20_000 {
            let mut pick = || if rng.chance(50) { *rng.pick(&edge) } else { rng.bits() };
            let (a, b) = (pick(), pick());
            for (op, sign) in BinOp::ALL.into_iter().flat_map(|op| [(op, false), (op, true)]) {
                let w = wide::binary(op, 64, sign, a.into(), b.into());
                assert_eq!(u128::from(narrow::binary(op, 64, sign, a, b)), w, "{op:?} {a} {b}");
            }
        }
        let min = 1u128 << 127;
        assert_eq!(wide::binary(BinOp::Div, 128, true, min, u128::MAX), min, "the smallest by -1 wraps");
        assert_eq!(wide::binary(BinOp::Rem, 128, true, min, u128::MAX), 0);
        assert_eq!(wide::binary(BinOp::MulOverflows, 128, true, min, u128::MAX), 1);
        assert_eq!(wide::binary(BinOp::Shr, 128, true, min, 500), u128::MAX);
        assert_eq!(wide::binary(BinOp::Shl, 128, false, 1, 127), min);
        assert_eq!(wide::binary(BinOp::Lt, 128, true, min, 0), 1);
    }

    #[test]
    fn unary_operators_and_conversions_at_small_widths() {
        for (from, sign) in (1..=8).flat_map(|w| [(w, false), (w, true)]) {
            for p in 0..1i128 << from {
                let v = value(p, from, sign);
                assert_eq!(i128::from(narrow::unary(UnOp::Neg, from, p as u64)), wrap(-v, from));
                assert_eq!(i128::from(narrow::unary(UnOp::Not, from, p as u64)), (1 << from) - 1 - p);
                for to in (1..=10).chain([64]) {
                    let expected = wrap(v, to);
                    assert_eq!(i128::from(narrow::resize(p as u64, from, sign, to)), expected);
                    assert_eq!(wide::resize(p as u128, from, sign, to) as i128, expected);
                }
            }
        }
        assert_eq!(wide::resize(0xff, 8, true, 128), u128::MAX);
        assert_eq!(wide::resize(0xff, 8, false, 128), 0xff);
    }
}

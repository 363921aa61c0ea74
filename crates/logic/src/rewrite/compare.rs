//! Equality and order of bit-vectors.
//!
//! Normal form: `<=` is the negation of `<`; a constant stands on the right; two operands that both fit a narrower width
//! are compared there; an equality of sums has positive coefficients on both sides and the constant on the right.

use base::sabotage::{self, Fault};

use super::Rule;
use super::arith::Sum;
use crate::bits::{Bits, mask};
use crate::store::Store;
use crate::term::{BinOp, Node, Sort, Term};

/// The inverse of an odd number modulo 2^64: Newton's iteration doubles the number of right bits, starting with 3.
fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

/// The bits needed to write `value` as an unsigned number, at least 1.
fn unsigned_bits(value: &Bits) -> u32 {
    (0..value.width()).rev().find(|&i| value.bit(i)).map_or(1, |i| i + 1)
}

/// The bits needed to write `value` in two's complement.
fn signed_bits(value: &Bits) -> u32 {
    let sign = value.sign();
    (0..value.width()).rev().find(|&i| value.bit(i) != sign).map_or(1, |i| i + 2)
}

impl Store {
    /// A width such that `t` is the zero extension of its low bits of that width.
    pub(super) fn unsigned_width(&self, t: Term) -> u32 {
        match self.node(t) {
            Node::ZeroExt { arg, .. } => self.unsigned_width(arg),
            Node::Small { width, value } => (64 - value.leading_zeros()).clamp(1, width),
            Node::Wide(_) => unsigned_bits(&self.constant_of(t).expect("a constant has a value")),
            _ => match self.width(t) {
                width @ ..=64 => self.range(t).bits().min(width),
                width => width,
            },
        }
    }

    /// A width such that `t` is the sign extension of its low bits of that width.
    fn signed_width(&self, t: Term) -> u32 {
        match self.node(t) {
            Node::ZeroExt { arg, .. } => self.unsigned_width(arg) + 1,
            Node::SignExt { arg, .. } => self.signed_width(arg),
            Node::Small { .. } | Node::Wide(_) => signed_bits(&self.constant_of(t).expect("a constant has a value")),
            _ => match self.width(t) {
                width @ ..=64 => (self.range(t).bits() + 1).min(width),
                width => width,
            },
        }
    }

    /// Whether the ranges of two bit-vectors of at most 64 bits have no value in common.
    fn are_distinct(&self, a: Term, b: Term) -> bool {
        let (x, y) = (self.range(a), self.range(b));
        x.hi < y.lo || y.hi < x.lo
    }

    /// What ranges say of the order of two bit-vectors.
    fn order(&self, a: Term, b: Term) -> Option<bool> {
        if self.width(a) > 64 {
            return None;
        }
        let (x, y) = (self.range(a), self.range(b));
        if x.hi < y.lo { Some(true) } else { (x.lo >= y.hi).then_some(false) }
    }

    /// Equality of two truth values or two bit-vectors.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        if self.sort(a) == Sort::Bool {
            return self.iff(a, b);
        }
        let width = self.same_width(a, b);
        if a == b {
            return self.by(Rule::EqSame, self.bool(true));
        }
        if self.is_const(a) && self.is_const(b) {
            return self.by(Rule::Fold, self.bool(false));
        }
        if width <= 64 && self.are_distinct(a, b) {
            return self.by(Rule::CompareRange, self.bool(false));
        }
        if self.different_addresses(a, b) {
            return self.bool(false);
        }
        if let Some(t) = self.eq_choice(a, b).or_else(|| self.eq_choice(b, a)) {
            return self.by(Rule::EqIte, t);
        }
        let (mut a, mut b) = self.ordered(a, b);
        if width <= 64 && (self.is_linear(a) || (self.is_linear(b) && !self.is_const(b))) {
            match self.eq_linear(width, a, b) {
                Ok(pair) => (a, b) = pair,
                Err(t) => return self.by(Rule::EqLinear, t),
            }
        }
        if self.descend() {
            let split = self.eq_structural(a, b, width);
            self.ascend();
            if let Some(t) = split {
                return t;
            }
        }
        let (a, b) = self.ordered(a, b);
        self.intern(Node::Eq(a, b), Sort::Bool)
    }

    /// Disequality of two truth values or two bit-vectors.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// Normalises the equation of two sums: the two sides, or the answer.
    fn eq_linear(&mut self, width: u32, a: Term, b: Term) -> Result<(Term, Term), Term> {
        let m = mask(width);
        let mut difference = self.sum_of(width, &[(a, 1), (b, m)]);
        self.merge_choices(&mut difference);
        let Some(&(first, leading)) = difference.summands.first() else {
            return Err(self.bool(difference.constant == 0));
        };
        // Σ c·x + k = 0 with a common factor 2^s of all c needs 2^s to divide k.
        let shift = difference.summands.iter().map(|(_, c)| c.trailing_zeros()).min().expect("there is a summand");
        if difference.constant & mask(shift.max(1)) != 0 && shift > 0 {
            return Err(self.bool(false));
        }
        if difference.summands.len() == 1 {
            let right = difference.constant.wrapping_neg() & m;
            let value = (right >> shift).wrapping_mul(inverse(leading >> shift));
            let low = if shift == 0 { first } else { self.extract(first, width - 1 - shift, 0) };
            let value = self.bv(width - shift, value);
            if shift == 0 {
                return Ok((low, value));
            }
            return Err(self.eq(low, value));
        }
        // Coefficients above half count as negative; half is its own negation and counts as positive.
        let half = (m >> 1) + 1;
        if leading > half {
            for (_, c) in &mut difference.summands {
                *c = c.wrapping_neg() & m;
            }
            difference.constant = difference.constant.wrapping_neg() & m;
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for &(t, c) in &difference.summands {
            if c <= half {
                left.push((t, c));
            } else {
                right.push((t, c.wrapping_neg() & m));
            }
        }
        let constant = difference.constant.wrapping_neg() & m;
        let left = self.build_sum(&Sum { width, summands: left, constant: 0 });
        let right = self.build_sum(&Sum { width, summands: right, constant });
        Ok((left, right))
    }

    fn eq_structural(&mut self, a: Term, b: Term, width: u32) -> Option<Term> {
        if self.is_const(b) {
            let too_big =
                matches!(self.node(a), Node::ZeroExt { .. }) && self.unsigned_width(b) > self.unsigned_width(a);
            let too_far = matches!(self.node(a), Node::SignExt { .. }) && self.signed_width(b) > self.signed_width(a);
            if too_big || too_far {
                return Some(self.by(Rule::CompareRange, self.bool(false)));
            }
        }
        let unsigned = self.unsigned_width(a).max(self.unsigned_width(b));
        let signed = self.signed_width(a).max(self.signed_width(b));
        let narrow = unsigned.min(signed);
        if narrow < width {
            let (a, b) = (self.extract(a, narrow - 1, 0), self.extract(b, narrow - 1, 0));
            let t = self.eq(a, b);
            return Some(self.by(Rule::CompareNarrow, t));
        }
        match (self.node(a), self.node(b)) {
            (Node::Concat(x, y), Node::Small { .. } | Node::Wide(_)) => {
                let value = self.constant_of(b)?;
                let split = self.width(y);
                let (high, low) = (value.extract(width - 1, split), value.extract(split - 1, 0));
                let (high, low) = (self.constant(&high), self.constant(&low));
                let (p, q) = (self.eq(x, high), self.eq(y, low));
                let t = self.and(p, q);
                return Some(self.by(Rule::EqConcat, t));
            }
            (Node::Concat(x, y), Node::Concat(v, w)) if self.width(y) == self.width(w) => {
                let (p, q) = (self.eq(x, v), self.eq(y, w));
                let t = self.and(p, q);
                return Some(self.by(Rule::EqConcat, t));
            }
            (Node::BvNot(x), Node::Wide(_)) => {
                let value = self.constant_of(b)?.not();
                let value = self.constant(&value);
                let t = self.eq(x, value);
                return Some(self.by(Rule::EqNot, t));
            }
            (Node::BvNot(x), Node::BvNot(y)) => {
                let t = self.eq(x, y);
                return Some(self.by(Rule::EqNot, t));
            }
            _ => {}
        }
        // One side is a choice whose branch is the other side, or constants against a constant.
        for (choice, other) in [(a, b), (b, a)] {
            if let Node::Ite(c, x, y) = self.node(choice) {
                let decided = |s: &Store, t: Term| t == other || (s.is_const(t) && s.is_const(other));
                if decided(self, x) || decided(self, y) {
                    let (p, q) = (self.eq(x, other), self.eq(y, other));
                    let t = self.ite(c, p, q);
                    return Some(self.by(Rule::EqIte, t));
                }
            }
        }
        None
    }

    /// Unsigned less-than.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.by(Rule::LessSame, self.bool(false));
        }
        if let Some(less) = self.order(a, b) {
            return self.by(Rule::CompareRange, self.bool(less));
        }
        match (self.constant_of(a), self.constant_of(b)) {
            (Some(x), Some(y)) => return self.by(Rule::Fold, self.bool(x.ult(&y))),
            (Some(x), None) if x.is_ones() => return self.by(Rule::LessConst, self.bool(false)),
            (Some(x), None) => {
                // c < x is not (x < c + 1): the constant does not wrap, as it is not the greatest.
                let next = self.constant(&x.add(&Bits::new(width, 1)));
                let t = self.ult(b, next);
                let t = self.not(t);
                return self.by(Rule::LessConst, t);
            }
            (None, Some(y)) => {
                if let Some(t) = self.ult_const(a, b, &y) {
                    return self.by(Rule::LessConst, t);
                }
            }
            (None, None) => {}
        }
        if self.descend() {
            let known = self.ult_structural(a, b, width);
            self.ascend();
            if let Some(t) = known {
                return t;
            }
        }
        self.intern(Node::Bin(BinOp::Ult, a, b), Sort::Bool)
    }

    fn ult_const(&mut self, a: Term, b: Term, y: &Bits) -> Option<Term> {
        if y.is_zero() {
            return Some(self.bool(false));
        }
        if *y == Bits::new(y.width(), 1) {
            let zero = self.bv(y.width(), 0);
            return Some(self.eq(a, zero));
        }
        if y.is_ones() {
            return Some(self.ne(a, b));
        }
        // Below the sign bit's value: not negative.
        if y.power_of_two() == Some(y.width() - 1) {
            let zero = self.bv(y.width(), 0);
            let negative = self.slt(a, zero);
            return Some(self.not(negative));
        }
        None
    }

    fn ult_structural(&mut self, a: Term, b: Term, width: u32) -> Option<Term> {
        if self.is_const(b) && self.unsigned_width(b) > self.unsigned_width(a) {
            return Some(self.by(Rule::CompareRange, self.bool(true)));
        }
        let unsigned = self.unsigned_width(a).max(self.unsigned_width(b));
        // Sign extension keeps the unsigned order: the negative half moves up as a whole.
        let signed = self.signed_width(a).max(self.signed_width(b));
        let narrow = unsigned.min(signed);
        if narrow < width {
            let (a, b) = (self.extract(a, narrow - 1, 0), self.extract(b, narrow - 1, 0));
            let t = self.ult(a, b);
            return Some(self.by(Rule::CompareNarrow, t));
        }
        if width <= 64
            && let Some((a, b)) = self.less_offset(a, b)
        {
            let t = self.ult(a, b);
            return Some(self.by(Rule::LessOffset, t));
        }
        if width <= 64 && !self.is_const(b) && (self.is_linear(a) || self.is_linear(b)) {
            let difference = self.sum_of(width, &[(b, 1), (a, mask(width))]);
            if difference.summands.is_empty() {
                // a < a + c holds unless the sum wraps: a < 2^width - c. The difference of two terms that are not one
                // after rewriting may still be zero.
                if difference.constant == 0 {
                    return Some(self.by(Rule::LessSame, self.bool(false)));
                }
                if sabotage::active(Fault::RewriteForgetsWrap) {
                    return Some(self.bool(true));
                }
                let bound = self.bv(width, difference.constant.wrapping_neg());
                let t = self.ult(a, bound);
                return Some(self.by(Rule::LessDifference, t));
            }
        }
        self.less_ite(a, b, Store::ult)
    }

    /// Choices between constants, compared with a constant.
    fn less_ite(&mut self, a: Term, b: Term, less: fn(&mut Store, Term, Term) -> Term) -> Option<Term> {
        let Node::Ite(c, x, y) = self.node(a) else { return None };
        if !(self.is_const(b) && self.is_const(x) && self.is_const(y)) {
            return None;
        }
        let (p, q) = (less(self, x, b), less(self, y, b));
        let t = self.ite(c, p, q);
        Some(self.by(Rule::LessIte, t))
    }

    /// Signed less-than.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.by(Rule::LessSame, self.bool(false));
        }
        let least = Bits::ones(width).shl(&Bits::new(width, u64::from(width - 1)));
        match (self.constant_of(a), self.constant_of(b)) {
            (Some(x), Some(y)) => return self.by(Rule::Fold, self.bool(x.slt(&y))),
            (Some(x), None) if x == least.not() => return self.by(Rule::LessConst, self.bool(false)),
            (Some(x), None) => {
                let next = self.constant(&x.add(&Bits::new(width, 1)));
                let t = self.slt(b, next);
                let t = self.not(t);
                return self.by(Rule::LessConst, t);
            }
            (None, Some(y)) => {
                if y == least {
                    return self.by(Rule::LessConst, self.bool(false));
                }
                if y == least.add(&Bits::new(width, 1)) {
                    let least = self.constant(&least);
                    let t = self.eq(a, least);
                    return self.by(Rule::LessConst, t);
                }
                if y == least.not() {
                    let t = self.ne(a, b);
                    return self.by(Rule::LessConst, t);
                }
            }
            (None, None) => {}
        }
        if self.descend() {
            let known = self.slt_structural(a, b, width);
            self.ascend();
            if let Some(t) = known {
                return t;
            }
        }
        self.intern(Node::Bin(BinOp::Slt, a, b), Sort::Bool)
    }

    fn slt_structural(&mut self, a: Term, b: Term, width: u32) -> Option<Term> {
        // The sign of one is known, and the other is not negative, or is.
        if width <= 64 {
            let (x, y, sign) = (self.range(a), self.range(b), 1u64 << (width - 1));
            let both_negative = x.lo >= sign && y.lo >= sign;
            if both_negative {
                let t = self.ult(a, b);
                return Some(self.by(Rule::SltNegative, t));
            }
            if (x.hi < sign && y.lo >= sign) || (x.lo >= sign && y.hi < sign) {
                return Some(self.by(Rule::CompareRange, self.bool(x.lo >= sign)));
            }
        }
        if self.is_nonnegative(a) && self.is_nonnegative(b) {
            let t = self.ult(a, b);
            return Some(self.by(Rule::SltNonnegative, t));
        }
        if let Some(y) = self.constant_of(b)
            && self.signed_width(b) > self.signed_width(a)
        {
            return Some(self.by(Rule::CompareRange, self.bool(!y.sign())));
        }
        let narrow = self.signed_width(a).max(self.signed_width(b));
        if narrow < width {
            let (a, b) = (self.extract(a, narrow - 1, 0), self.extract(b, narrow - 1, 0));
            let t = self.slt(a, b);
            return Some(self.by(Rule::CompareNarrow, t));
        }
        self.less_ite(a, b, Store::slt)
    }

    /// Unsigned less-or-equal.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Unsigned greater-than.
    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    /// Unsigned greater-or-equal.
    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    /// Signed less-or-equal.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }
}

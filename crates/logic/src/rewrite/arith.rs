//! Sums and products modulo 2^width.
//!
//! Normal form up to 64 bits: a sum is a left-leaning chain of summands `x` or `x * c` in structural order with the
//! constant last; subtraction, negation, left shift by a constant and (inside sums) complement are linear too. A sum
//! of more than [`MAX_SUMMANDS`] summands is left as it is, so building long sums step by step stays linear.

use super::Rule;
use crate::bits::{Bits, mask};
use crate::store::Store;
use crate::term::{BinOp, Node, Sort, Term};

const MAX_SUMMANDS: usize = 16;

/// Conditions one behind the other in a choice between constants whose remainders are told apart.
const CHOICE_DEPTH: u32 = 3;

/// `constant + Σ coefficient * term` modulo 2^width, for widths up to 64; summands in structural order, no zero
/// coefficients.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub(super) width: u32,
    pub(super) summands: Vec<(Term, u64)>,
    pub(super) constant: u64,
}

impl Sum {
    fn add_const(&mut self, c: u64) {
        self.constant = self.constant.wrapping_add(c) & mask(self.width);
    }
}

impl Store {
    /// Whether `t` is a sum, a multiple, a complement or a constant: something linear arithmetic sees into.
    pub(super) fn is_linear(&self, t: Term) -> bool {
        match self.node(t) {
            Node::Small { .. } | Node::Bin(BinOp::Add, ..) | Node::BvNot(_) => true,
            Node::Bin(BinOp::Mul, _, c) => self.is_const(c),
            Node::Ite(_, x, y) => self.is_const(x) && self.is_const(y),
            _ => false,
        }
    }

    fn collect(&self, sum: &mut Sum, t: Term, factor: u64) {
        let mut stack = vec![(t, factor)];
        let mut visited = 0;
        while let Some((t, factor)) = stack.pop() {
            visited += 1;
            match self.node(t) {
                Node::Small { value, .. } => sum.add_const(value.wrapping_mul(factor)),
                Node::Bin(BinOp::Add, x, y) if visited <= 2 * MAX_SUMMANDS => {
                    stack.push((y, factor));
                    stack.push((x, factor));
                }
                Node::Bin(BinOp::Mul, x, c) if self.is_const(c) => {
                    let c = self.small(c).expect("sums are at most 64 bits wide");
                    stack.push((x, factor.wrapping_mul(c)));
                }
                Node::BvNot(x) => {
                    // The complement of x is -x - 1.
                    let minus = factor.wrapping_neg();
                    sum.add_const(minus);
                    stack.push((x, minus));
                }
                _ => sum.summands.push((t, factor)),
            }
        }
    }

    /// `Σ factor * term`, normalised.
    pub(super) fn sum_of(&self, width: u32, parts: &[(Term, u64)]) -> Sum {
        let mut sum = Sum { width, summands: Vec::new(), constant: 0 };
        for &(t, factor) in parts {
            self.collect(&mut sum, t, factor);
        }
        let mut all = std::mem::take(&mut sum.summands);
        all.sort_unstable_by(|a, b| {
            if a.0 == b.0 {
                std::cmp::Ordering::Equal
            } else if self.in_order(a.0, b.0) {
                std::cmp::Ordering::Less
            } else {
                std::cmp::Ordering::Greater
            }
        });
        for (t, c) in all {
            match sum.summands.last_mut() {
                Some((last, total)) if *last == t => *total = total.wrapping_add(c),
                _ => sum.summands.push((t, c)),
            }
        }
        for (_, c) in &mut sum.summands {
            *c &= mask(width);
        }
        sum.summands.retain(|&(_, c)| c != 0);
        sum
    }

    /// Joins summands that choose between constants by the same condition into one, and is normalised again: increments
    /// of several variables in the branches of one decision then cancel.
    pub(super) fn merge_choices(&mut self, sum: &mut Sum) {
        let choice = |store: &Store, t: Term| match store.node(t) {
            Node::Ite(c, x, y) => Some((c, store.small(x)?, store.small(y)?)),
            _ => None,
        };
        let conditions: Vec<Term> = sum.summands.iter().filter_map(|&(t, _)| Some(choice(self, t)?.0)).collect();
        let repeated = |c: &Term| conditions.iter().filter(|d| *d == c).count() > 1;
        let Some(&cond) = conditions.iter().find(|c| repeated(c)) else { return };
        let (mut then, mut other) = (0u64, 0u64);
        let mut parts = Vec::new();
        for &(t, factor) in &sum.summands {
            match choice(self, t) {
                Some((c, x, y)) if c == cond => {
                    then = then.wrapping_add(factor.wrapping_mul(x));
                    other = other.wrapping_add(factor.wrapping_mul(y));
                }
                _ => parts.push((t, factor)),
            }
        }
        let (then, other) = (self.bv(sum.width, then), self.bv(sum.width, other));
        let joined = self.ite(cond, then, other);
        parts.push((self.by(Rule::SumChoices, joined), 1));
        let constant = sum.constant;
        *sum = self.sum_of(sum.width, &parts);
        sum.add_const(constant);
        self.merge_choices(sum);
    }

    /// `ite(c, s + k, s + l)` as `s + ite(c, k, l)`, if the branches differ by a constant only.
    pub(super) fn ite_offset(&mut self, cond: Term, then: Term, other: Term) -> Option<Term> {
        let Sort::Bv(width @ ..=64) = self.sort(then) else { return None };
        if self.is_const(then) || self.is_const(other) || !(self.is_linear(then) || self.is_linear(other)) {
            return None;
        }
        let difference = self.sum_of(width, &[(then, 1), (other, mask(width))]);
        let mut common = self.sum_of(width, &[(then, 1)]);
        if !difference.summands.is_empty() {
            // Places of one object: the choice is between their offsets.
            let base = self.of_one_object(then, other)?;
            let (x, y) = (self.bv_sub(then, base), self.bv_sub(other, base));
            let choice = self.ite(cond, x, y);
            return Some(self.bv_add(base, choice));
        }
        if common.summands.len() > MAX_SUMMANDS {
            return None;
        }
        let k = std::mem::take(&mut common.constant);
        let (then, other) = (self.bv(width, k), self.bv(width, k.wrapping_sub(difference.constant)));
        let (base, choice) = (self.build_sum(&common), self.ite(cond, then, other));
        Some(self.bv_add(base, choice))
    }

    /// The term of a normalised sum.
    pub(super) fn build_sum(&mut self, sum: &Sum) -> Term {
        let sort = Sort::Bv(sum.width);
        let mut total = None;
        for &(t, c) in &sum.summands {
            let part = if c == 1 {
                t
            } else {
                let c = self.bv(sum.width, c);
                self.intern(Node::Bin(BinOp::Mul, t, c), sort)
            };
            total = Some(match total {
                None => part,
                Some(before) => self.intern(Node::Bin(BinOp::Add, before, part), sort),
            });
        }
        let constant = self.bv(sum.width, sum.constant);
        match total {
            None => constant,
            Some(t) if sum.constant == 0 => t,
            // A sum -x - 1 alone is the complement of x.
            Some(t) => {
                if let ([(x, c)], true) = (sum.summands.as_slice(), sum.constant == mask(sum.width))
                    && *c == mask(sum.width)
                    && sum.width > 1
                {
                    return self.intern(Node::BvNot(*x), sort);
                }
                self.intern(Node::Bin(BinOp::Add, t, constant), sort)
            }
        }
    }

    /// Sum modulo 2^width.
    pub fn bv_add(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let sort = Sort::Bv(width);
        if width > 64 {
            return self.add_wide(a, b);
        }
        if a != b && !self.is_linear(a) && !self.is_linear(b) {
            let (a, b) = self.ordered(a, b);
            return self.intern(Node::Bin(BinOp::Add, a, b), sort);
        }
        let mut sum = self.sum_of(width, &[(a, 1), (b, 1)]);
        self.merge_choices(&mut sum);
        if sum.summands.len() > MAX_SUMMANDS {
            let (a, b) = self.ordered(a, b);
            return self.intern(Node::Bin(BinOp::Add, a, b), sort);
        }
        let t = self.build_sum(&sum);
        self.by(Rule::Linear, t)
    }

    fn add_wide(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        let sort = self.sort(a);
        if let Some(y) = self.constant_of(b) {
            if y.is_zero() {
                return self.by(Rule::WideAdd, a);
            }
            if let Some(x) = self.constant_of(a) {
                let t = self.constant(&x.add(&y));
                return self.by(Rule::Fold, t);
            }
        }
        self.intern(Node::Bin(BinOp::Add, a, b), sort)
    }

    /// Difference modulo 2^width.
    pub fn bv_sub(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            let t = self.bv(width, 0);
            return self.by(Rule::SubSame, t);
        }
        if width > 64 {
            let minus = self.bv_neg(b);
            return self.bv_add(a, minus);
        }
        let mut sum = self.sum_of(width, &[(a, 1), (b, mask(width))]);
        self.merge_choices(&mut sum);
        if sum.summands.len() > MAX_SUMMANDS {
            let minus = self.bv_neg(b);
            let (a, b) = self.ordered(a, minus);
            return self.intern(Node::Bin(BinOp::Add, a, b), Sort::Bv(width));
        }
        let t = self.build_sum(&sum);
        self.by(Rule::Linear, t)
    }

    /// Two's complement negation.
    pub fn bv_neg(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let minus_one = self.constant(&Bits::ones(width));
        self.bv_mul(a, minus_one)
    }

    /// Product modulo 2^width.
    pub fn bv_mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let sort = Sort::Bv(width);
        let (a, b) = self.ordered(a, b);
        if width > 64 {
            return self.mul_wide(a, b);
        }
        if let Some(c) = self.small(b) {
            if c == 1 {
                return self.by(Rule::MulConst, a);
            }
            let sum = self.sum_of(width, &[(a, c)]);
            if sum.summands.len() > MAX_SUMMANDS {
                return self.intern(Node::Bin(BinOp::Mul, a, b), sort);
            }
            let t = self.build_sum(&sum);
            return self.by(Rule::MulConst, t);
        }
        // Constant factors go outside: (x * c) * y is (x * y) * c.
        let (mut x, mut y, mut factor) = (a, b, 1u64);
        for side in [&mut x, &mut y] {
            if let Node::Bin(BinOp::Mul, inner, c) = self.node(*side)
                && let Some(c) = self.small(c)
            {
                *side = inner;
                factor = factor.wrapping_mul(c);
            }
        }
        let (x, y) = self.ordered(x, y);
        let product = self.intern(Node::Bin(BinOp::Mul, x, y), sort);
        if factor == 1 {
            return product;
        }
        let t = self.build_sum(&Sum {
            width,
            summands: if factor & mask(width) == 0 { vec![] } else { vec![(product, factor & mask(width))] },
            constant: 0,
        });
        self.by(Rule::MulPull, t)
    }

    fn mul_wide(&mut self, a: Term, b: Term) -> Term {
        if let Some(y) = self.constant_of(b) {
            if let Some(x) = self.constant_of(a) {
                let t = self.constant(&x.mul(&y));
                return self.by(Rule::Fold, t);
            }
            if y.is_zero() {
                return self.by(Rule::WideMul, b);
            }
            if y == Bits::new(y.width(), 1) {
                return self.by(Rule::WideMul, a);
            }
            if let Node::Bin(BinOp::Mul, x, c) = self.node(a)
                && let Some(c) = self.constant_of(c)
            {
                let c = self.constant(&c.mul(&y));
                // At most one step down: the result of the inner product is normal already.
                if self.descend() {
                    let t = self.mul_wide(x, c);
                    self.ascend();
                    return self.by(Rule::WideMul, t);
                }
            }
        }
        let sort = self.sort(a);
        self.intern(Node::Bin(BinOp::Mul, a, b), sort)
    }

    /// Unsigned quotient; all ones where the divisor is zero.
    pub fn bv_udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(y) = self.constant_of(b) {
            if let Some(x) = self.constant_of(a) {
                let t = self.constant(&x.udiv(&y));
                return self.by(Rule::Fold, t);
            }
            if y.is_zero() {
                let t = self.constant(&Bits::ones(width));
                return self.by(Rule::DivZero, t);
            }
            if let Some(k) = y.power_of_two() {
                let t = self.shift_right(a, k, false);
                return self.by(Rule::DivPower, t);
            }
            let inner = self.unsigned_width(a);
            if inner < width {
                if !y.lshr(&Bits::new(width, u64::from(inner))).is_zero() {
                    let t = self.bv(width, 0);
                    return self.by(Rule::DivNarrow, t);
                }
                if self.descend() {
                    let (arg, y) = (self.extract(a, inner - 1, 0), self.constant(&y.extract(inner - 1, 0)));
                    let q = self.bv_udiv(arg, y);
                    let t = self.zero_ext(q, width);
                    self.ascend();
                    return self.by(Rule::DivNarrow, t);
                }
            }
        }
        self.intern(Node::Bin(BinOp::Udiv, a, b), Sort::Bv(width))
    }

    /// Unsigned remainder; the dividend where the divisor is zero.
    pub fn bv_urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(y) = self.constant_of(b) {
            if let Some(x) = self.constant_of(a) {
                let t = self.constant(&x.urem(&y));
                return self.by(Rule::Fold, t);
            }
            if y.is_zero() {
                return self.by(Rule::DivZero, a);
            }
            if let Some(k) = y.power_of_two() {
                let t = self.low_bits(a, k);
                return self.by(Rule::DivPower, t);
            }
            let inner = self.unsigned_width(a);
            if inner < width {
                if !y.lshr(&Bits::new(width, u64::from(inner))).is_zero() {
                    return self.by(Rule::DivNarrow, a);
                }
                if self.descend() {
                    let (arg, y) = (self.extract(a, inner - 1, 0), self.constant(&y.extract(inner - 1, 0)));
                    let r = self.bv_urem(arg, y);
                    let t = self.zero_ext(r, width);
                    self.ascend();
                    return self.by(Rule::DivNarrow, t);
                }
            }
        }
        if let Some(t) = self.remainder_of_sum(a, b) {
            return self.by(Rule::RemSum, t);
        }
        self.intern(Node::Bin(BinOp::Urem, a, b), Sort::Bv(width))
    }

    /// The remainder of `s + v` by a constant, where `v` is one or a choice between some, by that of `s`; that of `-s` likewise. Numbers
    /// that a program counts up by different steps then have one remainder, and no solver has to relate two divisions.
    fn remainder_of_sum(&mut self, a: Term, b: Term) -> Option<Term> {
        let (width, divisor) = (self.width(a), self.small(b)?);
        if !(3..=64).contains(&width) || divisor > 1 << (width - 2) || !self.is_linear(a) {
            return None;
        }
        let mut rest = self.sum_of(width, &[(a, 1)]);
        let mut part = Sum { width, summands: Vec::new(), constant: std::mem::take(&mut rest.constant) };
        if part.constant == 0 {
            match rest.summands.iter().position(|&(t, c)| c == 1 && self.is_choice_of_constants(t, CHOICE_DEPTH)) {
                Some(at) => part.summands.push(rest.summands.remove(at)),
                None if rest.summands.first().is_some_and(|s| s.1 > 1 << (width - 1)) => {
                    return self.remainder_of_negated(rest, divisor);
                }
                None => return None,
            }
        }
        if !self.descend() {
            return None;
        }
        let s = self.build_sum(&rest);
        let remainder = self.bv_urem(s, b);
        let v = self.build_sum(&part);
        let wraps = self.ult(a, v);
        let t = self.add_remainders(remainder, v, wraps, divisor);
        self.ascend();
        Some(t)
    }

    /// Whether `t` is a constant or a choice between constants, over so many conditions one behind the other.
    fn is_choice_of_constants(&self, t: Term, depth: u32) -> bool {
        match self.node(t) {
            Node::Small { .. } => true,
            Node::Ite(_, x, y) if depth > 0 => {
                self.is_choice_of_constants(x, depth - 1) && self.is_choice_of_constants(y, depth - 1)
            }
            _ => false,
        }
    }

    /// The remainder of `s + v`, where that of `s` is `r`, and `s + v` wraps around 2^width if `wraps`.
    fn add_remainders(&mut self, r: Term, v: Term, wraps: Term, divisor: u64) -> Term {
        if let Node::Ite(c, x, y) = self.node(v) {
            let (x, y) = (self.add_remainders(r, x, wraps, divisor), self.add_remainders(r, y, wraps, divisor));
            return self.ite(c, x, y);
        }
        let width = self.width(r);
        let added = self.small(v).expect("a choice between constants ends in constants") % divisor;
        // What is lost where the sum wraps around.
        let lost = (mask(width) % divisor + 1) % divisor;
        let [with, without] = [(added + divisor - lost) % divisor, added].map(|d| self.add_below(r, d, divisor));
        self.ite(wraps, with, without)
    }

    /// `r + d` modulo a divisor; both are less.
    fn add_below(&mut self, r: Term, d: u64, divisor: u64) -> Term {
        let width = self.width(r);
        let [limit, stays, back] = [divisor - d, d, d.wrapping_sub(divisor)].map(|n| self.bv(width, n & mask(width)));
        let fits = self.ult(r, limit);
        let (x, y) = (self.bv_add(r, stays), self.bv_add(r, back));
        if d == 0 { r } else { self.ite(fits, x, y) }
    }

    /// The remainder of a sum by that of its negation.
    fn remainder_of_negated(&mut self, mut sum: Sum, divisor: u64) -> Option<Term> {
        if !self.descend() {
            return None;
        }
        let width = sum.width;
        sum.summands.iter_mut().for_each(|(_, c)| *c = c.wrapping_neg() & mask(width));
        let s = self.build_sum(&sum);
        let by = self.bv(width, divisor);
        let r = self.bv_urem(s, by);
        // The negation of s is 2^width - s, but that of 0 is 0.
        let all = (mask(width) % divisor + 1) % divisor;
        let [zero, some, more] = [0, all, all + divisor].map(|n| self.bv(width, n));
        let (x, y) = (self.bv_sub(some, r), self.bv_sub(more, r));
        let reaches = self.ult(some, r);
        let (none, of_others) = (self.eq(s, zero), self.ite(reaches, y, x));
        let t = self.ite(none, zero, of_others);
        self.ascend();
        Some(t)
    }

    /// Whether the sign of `t` is known to be 0 by its form.
    pub(super) fn is_nonnegative(&self, t: Term) -> bool {
        match self.node(t) {
            Node::ZeroExt { width, arg } => self.width(arg) < width,
            Node::Wide(_) => self.constant_of(t).is_some_and(|c| !c.sign()),
            _ => match self.width(t) {
                width @ ..=64 => self.range(t).hi < 1 << (width - 1),
                _ => false,
            },
        }
    }

    /// Signed quotient, rounded towards zero; where the divisor is zero, 1 for a negative dividend and -1 otherwise.
    pub fn bv_sdiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(y) = self.constant_of(b) {
            if let Some(x) = self.constant_of(a) {
                let t = self.constant(&x.sdiv(&y));
                return self.by(Rule::Fold, t);
            }
            if y == Bits::new(width, 1) && width > 1 {
                return self.by(Rule::DivSigned, a);
            }
            if y.is_ones() {
                let t = self.bv_neg(a);
                return self.by(Rule::DivSigned, t);
            }
            // Rounding towards zero: a negative dividend is first raised by the divisor minus one.
            if let (Some(k), false) = (y.power_of_two(), y.sign()) {
                let zero = self.bv(width, 0);
                let negative = self.slt(a, zero);
                let below = self.constant(&y.sub(&Bits::new(width, 1)));
                let bias = self.ite(negative, below, zero);
                let raised = self.bv_add(a, bias);
                let t = self.shift_right(raised, k, true);
                return self.by(Rule::DivPowerSigned, t);
            }
        }
        if self.is_nonnegative(a) && self.is_nonnegative(b) {
            let t = self.bv_udiv(a, b);
            return self.by(Rule::DivSigned, t);
        }
        self.intern(Node::Bin(BinOp::Sdiv, a, b), Sort::Bv(width))
    }

    /// Signed remainder with the sign of the dividend, as C's `%`; the dividend where the divisor is zero.
    pub fn bv_srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(y) = self.constant_of(b) {
            if let Some(x) = self.constant_of(a) {
                let t = self.constant(&x.srem(&y));
                return self.by(Rule::Fold, t);
            }
            if y.is_zero() {
                return self.by(Rule::DivZero, a);
            }
            if y == Bits::new(width, 1) || y.is_ones() {
                let t = self.bv(width, 0);
                return self.by(Rule::DivSigned, t);
            }
            if let (Some(_), false) = (y.power_of_two(), y.sign()) {
                let quotient = self.bv_sdiv(a, b);
                let back = self.bv_mul(quotient, b);
                let t = self.bv_sub(a, back);
                return self.by(Rule::DivPowerSigned, t);
            }
            // The remainder does not depend on the divisor's sign (the least value is its own negation).
            if y.sign() && !y.neg().sign() {
                let b = self.constant(&y.neg());
                let t = self.bv_srem(a, b);
                return self.by(Rule::DivSigned, t);
            }
        }
        if self.is_nonnegative(a) && self.is_nonnegative(b) {
            let t = self.bv_urem(a, b);
            return self.by(Rule::DivSigned, t);
        }
        if (3..=64).contains(&width)
            && self.small(b).is_some_and(|divisor| divisor <= 1 << (width - 2))
            && self.descend()
        {
            let negated = self.bv_neg(a);
            let (below, of_negated) = (self.bv(width, 1 << (width - 1)), self.bv_urem(negated, b));
            let (x, y) = (self.bv_urem(a, b), self.bv_neg(of_negated));
            let positive = self.ult(a, below);
            let t = self.ite(positive, x, y);
            self.ascend();
            return self.by(Rule::RemSigned, t);
        }
        self.intern(Node::Bin(BinOp::Srem, a, b), Sort::Bv(width))
    }
}

#[cfg(test)]
mod tests {
    use crate::bits::Bits;
    use crate::eval::{Assignment, Value, eval};
    use crate::rewrite::Rule;
    use crate::store::Store;
    use crate::term::Sort;

    /// Remainders of `±x + v`, for all numbers of few bits, all divisors and all constants (or two that are chosen from), are what the
    /// evaluator computes of the operands themselves; and they have no division but those of `x`.
    #[test]
    fn remainders_of_sums_are_those_of_their_parts() {
        let mut applied = 0;
        for width in 3..=5 {
            for divisor in 0..1u64 << width {
                let mut s = Store::new();
                let (x, c) = (s.fresh("x", Sort::Bv(width)), s.fresh("c", Sort::Bool));
                let (by, minus) = (s.bv(width, divisor), s.bv_neg(x));
                for n in 0..1u64 << width {
                    let (n, m) = (s.bv(width, n), s.bv(width, (n * 7 + 3) & ((1 << width) - 1)));
                    let chosen = s.ite(c, n, m);
                    for (base, v) in [(x, n), (minus, n), (x, chosen), (minus, chosen)] {
                        let sum = s.bv_add(base, v);
                        let (unsigned, signed) = (s.bv_urem(sum, by), s.bv_srem(sum, by));
                        for (value, holds) in (0..1 << width).flat_map(|v| [(v, false), (v, true)]) {
                            let mut assignment = Assignment::new();
                            assignment.set(s.as_symbol(x).unwrap(), Value::Bits(Bits::new(width, value)));
                            assignment.set(s.as_symbol(c).unwrap(), Value::Bool(holds));
                            let of = |t| eval(&s, t, &assignment).as_bits().clone();
                            let (a, b) = (of(sum), of(by));
                            assert_eq!(of(unsigned), a.urem(&b), "width {width}: {a:?} % {b:?}");
                            assert_eq!(of(signed), a.srem(&b), "width {width}: {a:?} % {b:?}, signed");
                        }
                    }
                }
                applied += s.rules_applied().filter(|(r, _)| *r == Rule::RemSum).map(|(_, n)| n).sum::<u64>();
            }
        }
        assert!(applied > 1000, "{applied}");
    }
}

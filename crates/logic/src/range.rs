//! Ranges: the least and the greatest value, as unsigned numbers, that a bit-vector of at most 64 bits can have whatever the values of the
//! symbols. They are found from the operands' ranges when a term is made, and never need more than its node.
//!
//! Small quantities (indices, lengths, offsets of pointers in their objects) are mostly carried in wide words. Their ranges decide comparisons
//! or narrow them ([`crate::rewrite`]), say in which object an address lies ([`crate::objects`]), and leave the high bits out of circuits
//! ([`crate::blast`]).
//!
//! Invariant: every value that the evaluator gives a term lies in the term's range.

use crate::bits::mask;
use crate::store::Store;
use crate::term::{BinOp, Node, Sort, Term};
use base::sabotage::{self, Fault};

/// Unsigned values from `lo` to `hi`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least value.
    pub lo: u64,
    /// The greatest value.
    pub hi: u64,
}

impl Range {
    /// All numbers of so many bits.
    pub fn full(width: u32) -> Range {
        Range { lo: 0, hi: if width >= 64 { u64::MAX } else { mask(width) } }
    }

    fn exactly(value: u64) -> Range {
        Range { lo: value, hi: value }
    }

    /// The bits that its values need, at least 1.
    pub fn bits(self) -> u32 {
        (64 - self.hi.leading_zeros()).max(1)
    }

    fn union(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The sum modulo 2^width, if either none or all of the sums wrap around.
    fn add(self, other: Range, width: u32) -> Option<Range> {
        let all = u128::from(Range::full(width).hi) + 1;
        let (lo, hi) = (u128::from(self.lo) + u128::from(other.lo), u128::from(self.hi) + u128::from(other.hi));
        if hi < all {
            Some(Range { lo: lo as u64, hi: hi as u64 })
        } else if lo >= all || sabotage::active(Fault::RangeForgetsWrap) {
            Some(Range { lo: lo.wrapping_sub(all) as u64, hi: (hi - all) as u64 })
        } else {
            None
        }
    }

    /// The difference, if it is not negative.
    fn sub(self, other: Range) -> Option<Range> {
        Some(Range { lo: self.lo.checked_sub(other.hi)?, hi: self.hi - other.lo })
    }

    /// The product, if it does not wrap around.
    fn times(self, factor: u64, width: u32) -> Option<Range> {
        let hi = self.hi.checked_mul(factor).filter(|&hi| hi <= Range::full(width).hi)?;
        Some(Range { lo: self.lo * factor, hi })
    }
}

impl Store {
    /// The range of a bit-vector of at most 64 bits.
    pub fn range(&self, t: Term) -> Range {
        self.ranges[t]
    }

    /// The range of a node of this sort; of what is no bit-vector of at most 64 bits nothing is known.
    pub(crate) fn range_of(&self, node: &Node, sort: Sort) -> Range {
        let Sort::Bv(width @ ..=64) = sort else { return Range::full(64) };
        let narrow = |t: Term| matches!(self.sort(t), Sort::Bv(..=64));
        let of = |t: Term| self.ranges[t];
        let known = match *node {
            Node::Small { value, .. } => Some(Range::exactly(value)),
            Node::Ite(c, x, y) => Some(self.range_where(x, c, true).union(self.range_where(y, c, false))),
            Node::BvNot(x) => Some(Range { lo: mask(width) - of(x).hi, hi: mask(width) - of(x).lo }),
            Node::ZeroExt { arg, .. } => Some(of(arg)),
            Node::SignExt { arg, .. } => self.range_of_extended(of(arg), self.width(arg), width),
            Node::Extract { hi, lo, arg } if narrow(arg) => range_of_extract(of(arg), hi, lo),
            Node::Concat(x, y) => {
                let low = self.width(y);
                Some(Range { lo: of(x).lo << low | of(y).lo, hi: of(x).hi << low | of(y).hi })
            }
            Node::Bin(op, x, y) => self.range_of_binary(op, x, y, width),
            _ => None,
        };
        known.unwrap_or(Range::full(width))
    }

    /// The range of a term where a comparison of it with a constant holds, or does not.
    fn range_where(&self, t: Term, comparison: Term, holds: bool) -> Range {
        let mut range = self.ranges[t];
        match self.node(comparison) {
            Node::Bin(BinOp::Ult, x, c) if x == t => match (self.small(c), holds) {
                (Some(c), true) => range.hi = range.hi.min(c.saturating_sub(1)),
                (Some(c), false) => range.lo = range.lo.max(c),
                (None, _) => {}
            },
            Node::Eq(x, c) if x == t && !holds => {
                if let Some(c) = self.small(c).filter(|_| range.lo < range.hi) {
                    range.lo += u64::from(range.lo == c);
                    range.hi -= u64::from(range.hi == c);
                }
            }
            _ => {}
        }
        // Where the comparison holds, nothing is left: the choice is never made.
        if range.lo <= range.hi { range } else { self.ranges[t] }
    }

    fn range_of_extended(&self, arg: Range, from: u32, to: u32) -> Option<Range> {
        let sign = 1u64 << (from - 1);
        let above = mask(to) ^ mask(from);
        if arg.hi < sign {
            Some(arg)
        } else if arg.lo >= sign {
            Some(Range { lo: arg.lo | above, hi: arg.hi | above })
        } else {
            None
        }
    }

    fn range_of_binary(&self, op: BinOp, x: Term, y: Term, width: u32) -> Option<Range> {
        let (a, b) = (self.ranges[x], self.ranges[y]);
        match op {
            BinOp::And => Some(Range { lo: 0, hi: a.hi.min(b.hi) }),
            BinOp::Or => Some(Range { lo: a.lo.max(b.lo), hi: mask(a.bits().max(b.bits())) }),
            BinOp::Xor => Some(Range { lo: 0, hi: mask(a.bits().max(b.bits())) }),
            BinOp::Add if let Some(sum) = self.choice_added(x, y, width) => Some(sum),
            BinOp::Add => match (self.negative_multiple(x, width), self.negative_multiple(y, width)) {
                (None, Some(less)) => a.sub(less).or_else(|| a.add(b, width)),
                (Some(less), None) => b.sub(less).or_else(|| a.add(b, width)),
                _ => a.add(b, width),
            },
            BinOp::Mul => match (self.small(y), self.negative_multiple_of(x, y, width)) {
                (Some(c), None) => a.times(c, width),
                (_, Some(product)) if product.lo > 0 => Some(negative(product, width)),
                _ => a.times(b.hi, width).map(|product| Range { lo: a.lo.saturating_mul(b.lo), ..product }),
            },
            BinOp::Udiv if b.lo > 0 => Some(Range { lo: a.lo / b.hi, hi: a.hi / b.lo }),
            BinOp::Urem if a.hi < b.lo => Some(a),
            BinOp::Urem if b.lo > 0 => Some(Range { lo: 0, hi: a.hi.min(b.hi - 1) }),
            // The remainder by zero is the dividend.
            BinOp::Urem => Some(Range { lo: 0, hi: a.hi }),
            BinOp::Lshr => Some(Range { lo: 0, hi: if b.lo < 64 { a.hi >> b.lo } else { 0 } }),
            BinOp::Ashr if a.hi < 1 << (width - 1) => {
                Some(Range { lo: 0, hi: if b.lo < 64 { a.hi >> b.lo } else { 0 } })
            }
            BinOp::Shl if b.hi < u64::from(width) => {
                let product = a.times(1 << b.hi, width)?;
                Some(Range { lo: a.lo << b.lo, hi: product.hi })
            }
            _ => None,
        }
    }

    /// The range of `t + k` or `t + l`, as a comparison of `t` with a constant says.
    fn choice_added(&self, t: Term, choice: Term, width: u32) -> Option<Range> {
        let Node::Ite(c, k, l) = self.node(choice) else { return None };
        let [k, l] = [self.small(k)?, self.small(l)?].map(Range::exactly);
        let (then, other) = (self.range_where(t, c, true).add(k, width)?, self.range_where(t, c, false).add(l, width)?);
        Some(then.union(other))
    }

    /// The range of the sum of several terms of this width, if that is not all that the width allows.
    pub(crate) fn range_of_sum(&self, summands: &[Term], width: u32) -> Option<Range> {
        let mut total = Range::exactly(0);
        for &t in summands {
            let less = self.negative_multiple(t, width).and_then(|less| total.sub(less));
            total = less.or_else(|| total.add(self.ranges[t], width))?;
        }
        Some(total)
    }

    /// The range of `x * d` where `t` is `x * -d` and that does not wrap around.
    fn negative_multiple(&self, t: Term, width: u32) -> Option<Range> {
        let Node::Bin(BinOp::Mul, x, c) = self.node(t) else { return None };
        self.negative_multiple_of(x, c, width)
    }

    fn negative_multiple_of(&self, x: Term, c: Term, width: u32) -> Option<Range> {
        let c = self.small(c).filter(|c| c >> (width - 1) == 1)?;
        self.ranges[x].times(c.wrapping_neg() & mask(width), width)
    }
}

/// The negation of numbers that are not 0.
fn negative(of: Range, width: u32) -> Range {
    let minus = |n: u64| n.wrapping_neg() & mask(width);
    Range { lo: minus(of.hi), hi: minus(of.lo) }
}

/// Bits `hi` to `lo` of a number, if what lies above them is the same in the whole range.
fn range_of_extract(arg: Range, hi: u32, lo: u32) -> Option<Range> {
    let above = |n: u64| if hi >= 63 { 0 } else { n >> (hi + 1) };
    let part = |n: u64| (n & mask(hi + 1)) >> lo;
    (above(arg.lo) == above(arg.hi)).then(|| Range { lo: part(arg.lo), hi: part(arg.hi) })
}

//! Bitwise operations and shifts. A shift by a constant becomes a multiplication (left) or an extension of an extract
//! (right); masking low bits becomes an extension of an extract.

use super::Rule;
use crate::bits::Bits;
use crate::store::Store;
use crate::term::{BinOp, Node, Sort, Term};

impl Store {
    /// Bitwise complement.
    pub fn bv_not(&mut self, a: Term) -> Term {
        if let Some(x) = self.constant_of(a) {
            let t = self.constant(&x.not());
            return self.by(Rule::Fold, t);
        }
        if let Node::BvNot(x) = self.node(a) {
            return self.by(Rule::BvNotNot, x);
        }
        let sort = Sort::Bv(self.width(a));
        self.intern(Node::BvNot(a), sort)
    }

    fn complements(&self, a: Term, b: Term) -> bool {
        self.node(a) == Node::BvNot(b) || self.node(b) == Node::BvNot(a)
    }

    /// Bitwise and.
    pub fn bv_and(&mut self, a: Term, b: Term) -> Term {
        self.bitwise(BinOp::And, a, b)
    }

    /// Bitwise or.
    pub fn bv_or(&mut self, a: Term, b: Term) -> Term {
        self.bitwise(BinOp::Or, a, b)
    }

    /// Bitwise exclusive or.
    pub fn bv_xor(&mut self, a: Term, b: Term) -> Term {
        self.bitwise(BinOp::Xor, a, b)
    }

    fn bitwise(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let (a, b) = self.ordered(a, b);
        let fold = |x: &Bits, y: &Bits| match op {
            BinOp::And => x.and(y),
            BinOp::Or => x.or(y),
            _ => x.xor(y),
        };
        if a == b {
            let t = if op == BinOp::Xor { self.bv(width, 0) } else { a };
            return self.by(Rule::BitwiseSame, t);
        }
        if self.complements(a, b) {
            let value = if op == BinOp::And { Bits::zero(width) } else { Bits::ones(width) };
            let t = self.constant(&value);
            return self.by(Rule::BitwiseComplement, t);
        }
        if let Some(y) = self.constant_of(b) {
            if let Some(x) = self.constant_of(a) {
                let t = self.constant(&fold(&x, &y));
                return self.by(Rule::Fold, t);
            }
            if let Some(t) = self.bitwise_const(op, a, b, &y) {
                return t;
            }
            if let Node::Bin(inner, x, c) = self.node(a)
                && inner == op
                && let Some(c) = self.constant_of(c)
                && self.descend()
            {
                let c = self.constant(&fold(&c, &y));
                let t = self.bitwise(op, x, c);
                self.ascend();
                return self.by(Rule::BitwiseConsts, t);
            }
        }
        if let Some(t) = self.bitwise_extended(op, a, b) {
            return t;
        }
        if op == BinOp::Xor {
            // Complements go outside.
            let (mut x, mut y, mut negated) = (a, b, false);
            for side in [&mut x, &mut y] {
                if let Node::BvNot(inner) = self.node(*side) {
                    *side = inner;
                    negated = !negated;
                }
            }
            if (x, y) != (a, b) && self.descend() {
                let mut t = self.bitwise(op, x, y);
                if negated {
                    t = self.bv_not(t);
                }
                self.ascend();
                return self.by(Rule::XorNot, t);
            }
        }
        if op == BinOp::Or {
            for (low, high) in [(a, b), (b, a)] {
                if let Some(t) = self.or_disjoint(low, high) {
                    return t;
                }
            }
        }
        self.intern(Node::Bin(op, a, b), Sort::Bv(width))
    }

    /// Neutral and absorbing constants, and masks of low bits.
    fn bitwise_const(&mut self, op: BinOp, a: Term, b: Term, y: &Bits) -> Option<Term> {
        let (zero, ones) = (y.is_zero(), y.is_ones());
        match op {
            BinOp::And if zero => Some(self.by(Rule::BitwiseConst, b)),
            BinOp::And if ones => Some(self.by(Rule::BitwiseConst, a)),
            BinOp::And => {
                let k = y.add(&Bits::new(y.width(), 1)).power_of_two()?;
                let t = self.low_bits(a, k);
                Some(self.by(Rule::MaskLow, t))
            }
            BinOp::Or if zero => Some(self.by(Rule::BitwiseConst, a)),
            BinOp::Or if ones => Some(self.by(Rule::BitwiseConst, b)),
            BinOp::Xor if zero => Some(self.by(Rule::BitwiseConst, a)),
            BinOp::Xor if ones => {
                let t = self.bv_not(a);
                Some(self.by(Rule::BitwiseConst, t))
            }
            _ => None,
        }
    }

    /// Operations on two zero-extended operands happen below the extension; so does `and` with one.
    fn bitwise_extended(&mut self, op: BinOp, a: Term, b: Term) -> Option<Term> {
        let inner = |store: &Store, t: Term| match store.node(t) {
            Node::ZeroExt { arg, .. } => Some(store.width(arg)),
            _ => None,
        };
        let (x, y) = (inner(self, a), inner(self, b));
        let narrow = match (op, x, y) {
            (BinOp::And, Some(m), Some(n)) => m.min(n),
            (BinOp::And, Some(m), None) if self.is_const(b) => m,
            (_, Some(m), Some(n)) => m.max(n),
            (_, Some(m), None) => {
                let c = self.constant_of(b)?;
                if c.extract(c.width() - 1, m).is_zero() { m } else { return None }
            }
            _ => return None,
        };
        if !self.descend() {
            return None;
        }
        let width = self.width(a);
        let (a, b) = (self.extract(a, narrow - 1, 0), self.extract(b, narrow - 1, 0));
        let t = self.bitwise(op, a, b);
        let t = self.zero_ext(t, width);
        self.ascend();
        Some(self.by(Rule::BitwiseExtended, t))
    }

    /// `zero_ext(a) | y * 2^k`, where `a` has at most `k` bits, is a concatenation: how C puts bytes together.
    fn or_disjoint(&mut self, low: Term, high: Term) -> Option<Term> {
        let Node::ZeroExt { width, arg } = self.node(low) else { return None };
        let Node::Bin(BinOp::Mul, y, factor) = self.node(high) else { return None };
        let k = self.constant_of(factor)?.power_of_two()?;
        if k < self.width(arg) || !self.descend() {
            return None;
        }
        let top = self.extract(y, width - 1 - k, 0);
        let bottom = self.zero_ext(arg, k);
        let t = self.concat(top, bottom);
        self.ascend();
        Some(self.by(Rule::OrDisjoint, t))
    }

    /// `a` with all bits from `k` on cleared.
    pub(super) fn low_bits(&mut self, a: Term, k: u32) -> Term {
        let width = self.width(a);
        if k == 0 {
            return self.bv(width, 0);
        }
        let low = self.extract(a, k - 1, 0);
        self.zero_ext(low, width)
    }

    /// `a` shifted right by `k`, below the width.
    pub(super) fn shift_right(&mut self, a: Term, k: u32, signed: bool) -> Term {
        let width = self.width(a);
        let top = self.extract(a, width - 1, k);
        if signed { self.sign_ext(top, width) } else { self.zero_ext(top, width) }
    }

    /// Left shift; zero where the amount is not below the width.
    pub fn bv_shl(&mut self, a: Term, amount: Term) -> Term {
        let width = self.same_width(a, amount);
        if let Some(n) = self.constant_of(amount) {
            let factor = self.constant(&Bits::new(width, 1).shl(&n));
            let t = self.bv_mul(a, factor);
            return self.by(Rule::ShiftConst, t);
        }
        if let Some(t) = self.shift_of_zero(a) {
            return t;
        }
        self.intern(Node::Bin(BinOp::Shl, a, amount), Sort::Bv(width))
    }

    /// Right shift filling with zero; zero where the amount is not below the width.
    pub fn bv_lshr(&mut self, a: Term, amount: Term) -> Term {
        let width = self.same_width(a, amount);
        if let Some(n) = self.constant_of(amount) {
            let t = match n.to_u64() {
                Some(n) if n < u64::from(width) => self.shift_right(a, n as u32, false),
                _ => self.bv(width, 0),
            };
            return self.by(Rule::ShiftConst, t);
        }
        if let Some(t) = self.shift_of_zero(a) {
            return t;
        }
        self.intern(Node::Bin(BinOp::Lshr, a, amount), Sort::Bv(width))
    }

    /// Right shift filling with the sign; all sign bits where the amount is not below the width.
    pub fn bv_ashr(&mut self, a: Term, amount: Term) -> Term {
        let width = self.same_width(a, amount);
        if let Some(n) = self.constant_of(amount) {
            let n = n.to_u64().map_or(width - 1, |n| n.min(u64::from(width - 1)) as u32);
            let t = self.shift_right(a, n, true);
            return self.by(Rule::ShiftConst, t);
        }
        if let Some(t) = self.shift_of_zero(a) {
            return t;
        }
        if self.is_nonnegative(a) {
            let t = self.bv_lshr(a, amount);
            return self.by(Rule::AshrNonnegative, t);
        }
        self.intern(Node::Bin(BinOp::Ashr, a, amount), Sort::Bv(width))
    }

    fn shift_of_zero(&mut self, a: Term) -> Option<Term> {
        self.constant_of(a)?.is_zero().then(|| self.by(Rule::ShiftZero, a))
    }
}

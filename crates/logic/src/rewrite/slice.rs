//! Extraction, concatenation and extension: they are pushed towards the leaves where that removes them.

use super::Rule;
use crate::bits::Bits;
use crate::store::Store;
use crate::term::{BinOp, Node, Sort, Term};

impl Store {
    /// Bits `hi` down to `lo` of `a`, both included.
    pub fn extract(&mut self, a: Term, hi: u32, lo: u32) -> Term {
        let width = self.width(a);
        assert!(lo <= hi && hi < width, "an extract lies inside its operand");
        if hi - lo + 1 == width {
            return a;
        }
        if let Some(x) = self.constant_of(a) {
            let t = self.constant(&x.extract(hi, lo));
            return self.by(Rule::Fold, t);
        }
        if self.descend() {
            let pushed = self.push_extract(a, hi, lo);
            self.ascend();
            if let Some(t) = pushed {
                return t;
            }
        }
        self.intern(Node::Extract { hi, lo, arg: a }, Sort::Bv(hi - lo + 1))
    }

    fn push_extract(&mut self, a: Term, hi: u32, lo: u32) -> Option<Term> {
        let width = hi - lo + 1;
        match self.node(a) {
            Node::Extract { lo: below, arg, .. } => {
                let t = self.extract(arg, hi + below, lo + below);
                Some(self.by(Rule::ExtractExtract, t))
            }
            Node::Concat(x, y) => {
                let split = self.width(y);
                let t = if hi < split {
                    self.extract(y, hi, lo)
                } else if lo >= split {
                    self.extract(x, hi - split, lo - split)
                } else {
                    let top = self.extract(x, hi - split, 0);
                    let bottom = self.extract(y, split - 1, lo);
                    self.concat(top, bottom)
                };
                Some(self.by(Rule::ExtractConcat, t))
            }
            Node::ZeroExt { arg, .. } => {
                let inner = self.width(arg);
                let t = if hi < inner {
                    self.extract(arg, hi, lo)
                } else if lo >= inner {
                    self.bv(width, 0)
                } else {
                    let top = self.extract(arg, inner - 1, lo);
                    self.zero_ext(top, width)
                };
                Some(self.by(Rule::ExtractExtended, t))
            }
            Node::SignExt { arg, .. } => {
                let inner = self.width(arg);
                let t = if hi < inner {
                    self.extract(arg, hi, lo)
                } else {
                    let top = self.extract(arg, inner - 1, lo.min(inner - 1));
                    self.sign_ext(top, width)
                };
                Some(self.by(Rule::ExtractExtended, t))
            }
            Node::Ite(c, x, y) if self.sheds(x) && self.sheds(y) => {
                let (x, y) = (self.extract(x, hi, lo), self.extract(y, hi, lo));
                let t = self.ite(c, x, y);
                Some(self.by(Rule::ExtractIte, t))
            }
            Node::BvNot(x) if self.sheds(x) => {
                let x = self.extract(x, hi, lo);
                let t = self.bv_not(x);
                Some(self.by(Rule::ExtractBitwise, t))
            }
            Node::Bin(op @ (BinOp::And | BinOp::Or | BinOp::Xor), x, y) if self.sheds(y) || self.sheds(x) => {
                let (x, y) = (self.extract(x, hi, lo), self.extract(y, hi, lo));
                let t = match op {
                    BinOp::And => self.bv_and(x, y),
                    BinOp::Or => self.bv_or(x, y),
                    _ => self.bv_xor(x, y),
                };
                Some(self.by(Rule::ExtractBitwise, t))
            }
            Node::Bin(BinOp::Mul, x, c) if self.is_const(c) => self.extract_multiple(x, c, hi, lo),
            // The low bits of a sum or product depend on the low bits of its operands only.
            Node::Bin(op @ (BinOp::Add | BinOp::Mul), x, y) if lo == 0 && self.sheds_all(op, x) && self.sheds(y) => {
                let (x, y) = (self.extract(x, hi, 0), self.extract(y, hi, 0));
                let t = if op == BinOp::Add { self.bv_add(x, y) } else { self.bv_mul(x, y) };
                Some(self.by(Rule::ExtractArith, t))
            }
            _ => None,
        }
    }

    /// Extract of `x * c`: a power of two is a shift; otherwise the low bits of the product.
    fn extract_multiple(&mut self, x: Term, c: Term, hi: u32, lo: u32) -> Option<Term> {
        let factor = self.constant_of(c)?;
        if let Some(k) = factor.power_of_two() {
            let t = if hi < k {
                self.bv(hi - lo + 1, 0)
            } else if lo >= k {
                self.extract(x, hi - k, lo - k)
            } else {
                let top = self.extract(x, hi - k, 0);
                let zeroes = self.bv(k - lo, 0);
                self.concat(top, zeroes)
            };
            return Some(self.by(Rule::ExtractShifted, t));
        }
        if lo == 0 && self.sheds(x) {
            let x = self.extract(x, hi, 0);
            let c = self.constant(&factor.extract(hi, 0));
            let t = self.bv_mul(x, c);
            return Some(self.by(Rule::ExtractArith, t));
        }
        None
    }

    /// Whether an extract of `t` certainly becomes something no larger than `t`.
    fn sheds(&self, t: Term) -> bool {
        match self.node(t) {
            Node::Small { .. }
            | Node::Wide(_)
            | Node::ZeroExt { .. }
            | Node::SignExt { .. }
            | Node::Concat(..)
            | Node::Extract { .. } => true,
            Node::Bin(BinOp::Mul, x, c) => {
                self.is_const(c) && matches!(self.node(x), Node::ZeroExt { .. } | Node::SignExt { .. })
            }
            Node::Ite(_, x, y) => self.is_const(x) && self.is_const(y),
            _ => false,
        }
    }

    /// [`Store::sheds`] for all summands of the chain `t` of operation `op`.
    fn sheds_all(&self, op: BinOp, mut t: Term) -> bool {
        for _ in 0..16 {
            match self.node(t) {
                Node::Bin(o, x, y) if o == op && op == BinOp::Add => {
                    if !self.sheds(y) {
                        return false;
                    }
                    t = x;
                }
                _ => return self.sheds(t),
            }
        }
        false
    }

    /// `a` above `b`.
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a) + self.width(b);
        if let Some(x) = self.constant_of(a) {
            if let Some(y) = self.constant_of(b) {
                let t = self.constant(&x.concat(&y));
                return self.by(Rule::Fold, t);
            }
            if x.is_zero() {
                let t = self.zero_ext(b, width);
                return self.by(Rule::ConcatZero, t);
            }
        }
        if self.descend() {
            let joined = self.join(a, b, width);
            self.ascend();
            if let Some(t) = joined {
                return t;
            }
        }
        self.intern(Node::Concat(a, b), Sort::Bv(width))
    }

    fn join(&mut self, a: Term, b: Term, width: u32) -> Option<Term> {
        match (self.node(a), self.node(b)) {
            (Node::Extract { hi, lo, arg: x }, Node::Extract { hi: next, lo: low, arg: y })
                if x == y && next + 1 == lo =>
            {
                let t = self.extract(x, hi, low);
                return Some(self.by(Rule::ConcatExtracts, t));
            }
            (Node::Ite(c, x, y), Node::Ite(d, v, w)) if c == d => {
                let (then, other) = (self.concat(x, v), self.concat(y, w));
                let t = self.ite(c, then, other);
                return Some(self.by(Rule::ConcatIte, t));
            }
            (Node::ZeroExt { arg, .. }, _) => {
                let inner = self.concat(arg, b);
                let t = self.zero_ext(inner, width);
                return Some(self.by(Rule::ConcatExtended, t));
            }
            (Node::Concat(x, y), _) => {
                let low = self.concat(y, b);
                let t = self.concat(x, low);
                return Some(self.by(Rule::ConcatRight, t));
            }
            _ => {}
        }
        // a:(b:c) where a:b becomes one piece.
        if let Node::Concat(y, z) = self.node(b) {
            let one_piece = match (self.node(a), self.node(y)) {
                (Node::Extract { lo, arg, .. }, Node::Extract { hi, arg: other, .. }) => arg == other && hi + 1 == lo,
                (Node::Ite(c, ..), Node::Ite(d, ..)) => c == d,
                _ => self.is_const(a) && self.is_const(y),
            };
            if one_piece {
                let top = self.concat(a, y);
                let t = self.concat(top, z);
                return Some(self.by(Rule::ConcatExtracts, t));
            }
        }
        None
    }

    /// `a` with zeroes above, `width` bits in all; `a` itself where it has that width.
    pub fn zero_ext(&mut self, a: Term, width: u32) -> Term {
        self.extend(a, width, false)
    }

    /// `a` with copies of its sign above, `width` bits in all; `a` itself where it has that width.
    pub fn sign_ext(&mut self, a: Term, width: u32) -> Term {
        self.extend(a, width, true)
    }

    fn extend(&mut self, a: Term, width: u32, signed: bool) -> Term {
        let inner = self.width(a);
        assert!(width >= inner, "an extension does not shorten");
        if width == inner {
            return a;
        }
        let extended = |v: &Bits| if signed { v.sign_ext(width) } else { v.zero_ext(width) };
        if let Some(x) = self.constant_of(a) {
            let t = self.constant(&extended(&x));
            return self.by(Rule::Fold, t);
        }
        let node = |arg| if signed { Node::SignExt { width, arg } } else { Node::ZeroExt { width, arg } };
        match self.node(a) {
            Node::SignExt { arg, .. } if signed => {
                let t = self.intern(node(arg), Sort::Bv(width));
                self.by(Rule::ExtendExtended, t)
            }
            // The sign of what was extended by zeroes is zero.
            Node::ZeroExt { arg, .. } => {
                let t = self.intern(Node::ZeroExt { width, arg }, Sort::Bv(width));
                self.by(Rule::ExtendExtended, t)
            }
            Node::Ite(c, x, y) => match self.const_branches(x, y, extended) {
                Some((x, y)) => {
                    let t = self.ite(c, x, y);
                    self.by(Rule::ExtendIte, t)
                }
                None => self.intern(node(a), Sort::Bv(width)),
            },
            _ => self.intern(node(a), Sort::Bv(width)),
        }
    }

    /// `a` cut or extended to `width`: how C converts an integer of the given signedness.
    pub fn resize(&mut self, a: Term, width: u32, signed: bool) -> Term {
        if width < self.width(a) {
            self.extract(a, width - 1, 0)
        } else if signed {
            self.sign_ext(a, width)
        } else {
            self.zero_ext(a, width)
        }
    }

    /// The constants `f(x)` and `f(y)` where both are constants.
    fn const_branches(&mut self, x: Term, y: Term, f: impl Fn(&Bits) -> Bits) -> Option<(Term, Term)> {
        let (x, y) = (self.constant_of(x)?, self.constant_of(y)?);
        Some((self.constant(&f(&x)), self.constant(&f(&y))))
    }
}

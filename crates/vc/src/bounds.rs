//! Bounds that are known where a state stands: comparisons that the condition of the state implies say how large terms are there. What
//! is read is narrowed by them, so that the range of an index that was tested is that of the test from there on: where
//! objects are small, reads and writes at such an index concern few cells, and checks of bounds are decided ([`logic::Range`]).
//!
//! Invariant: as in [`crate::known`], a narrowed term equals the one it stands for wherever the condition of the state holds.

use logic::{BinOp, Node, Range, Sort, Store, Term};
use rustc_hash::FxHashMap;

/// Operands of operands that are narrowed.
const DEPTH: u32 = 4;

/// Numbers of at most so many bits are raised to their lower bound.
const MOST_RAISED: u32 = 16;

/// What comparisons say of a term: its unsigned value and its signed value lie between these.
#[derive(Clone, Copy, Debug)]
struct Bound {
    range: Range,
    least: i64,
    most: i64,
}

/// The terms of which comparisons say something.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    of: FxHashMap<Term, Bound>,
}

/// The signed value of a number of so many bits.
fn signed(value: u64, width: u32) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

impl Bounds {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.of.clear();
    }

    /// Learns that a comparison holds, or that it does not.
    pub(crate) fn learn(&mut self, store: &Store, atom: Term, truth: bool) {
        let (op, a, b) = match store.node(atom) {
            Node::Bin(op @ (BinOp::Ult | BinOp::Slt), a, b) => (Some(op), a, b),
            Node::Eq(a, b) => (None, a, b),
            _ => return,
        };
        let Sort::Bv(width @ ..=64) = store.sort(a) else { return };
        match (op, truth) {
            (Some(BinOp::Ult), true) => self.below(store, a, b),
            (Some(BinOp::Ult), false) => self.not_below(store, a, b),
            (Some(_), less) => self.signed_order(store, (a, b), less, width),
            (None, true) => {
                if let Some(c) = store.small(b) {
                    self.bound(store, a, |x| x.range = Range { lo: c, hi: c });
                }
            }
            (None, false) => {
                let Some(c) = store.small(b) else { return };
                self.bound(store, a, |x| {
                    x.range.lo += u64::from(x.range.lo == c && c < x.range.hi);
                    x.range.hi -= u64::from(x.range.hi == c && c > x.range.lo);
                });
            }
        }
    }

    fn below(&mut self, store: &Store, a: Term, b: Term) {
        let (least, most) = (store.range(a).lo, store.range(b).hi);
        self.bound(store, a, |x| x.range.hi = x.range.hi.min(most.saturating_sub(1)));
        self.bound(store, b, |y| y.range.lo = y.range.lo.max(least.saturating_add(1)));
    }

    fn not_below(&mut self, store: &Store, a: Term, b: Term) {
        let (most, least) = (store.range(a).hi, store.range(b).lo);
        self.bound(store, a, |x| x.range.lo = x.range.lo.max(least));
        self.bound(store, b, |y| y.range.hi = y.range.hi.min(most));
    }

    fn signed_order(&mut self, store: &Store, (a, b): (Term, Term), less: bool, width: u32) {
        let (x, y) = (Bound::new(store, a, width), Bound::new(store, b, width));
        if less {
            self.bound(store, a, |x| x.most = x.most.min(y.most.saturating_sub(1)));
            self.bound(store, b, |y| y.least = y.least.max(x.least.saturating_add(1)));
        } else {
            self.bound(store, a, |x| x.least = x.least.max(y.least));
            self.bound(store, b, |y| y.most = y.most.min(x.most));
        }
    }

    fn bound(&mut self, store: &Store, t: Term, change: impl FnOnce(&mut Bound)) {
        if !store.is_const(t) {
            change(self.of.entry(t).or_insert_with(|| Bound::new(store, t, store.width(t))));
        }
    }

    /// Where a term lies, if comparisons say more than the term itself.
    fn range(&self, store: &Store, t: Term) -> Option<Range> {
        let bound = self.of.get(&t)?;
        let sign = 1u64 << (store.width(t) - 1);
        let mut range = bound.range;
        if bound.least >= 0 || range.hi < sign {
            range.lo = range.lo.max(bound.least.max(0) as u64);
            range.hi = range.hi.min(u64::try_from(bound.most).ok()?);
        }
        // Otherwise nobody comes here.
        (range.lo <= range.hi).then_some(range)
    }

    /// A term that equals `t` where the bounds hold.
    pub(crate) fn narrow(&self, store: &mut Store, t: Term) -> Term {
        if self.of.is_empty() { t } else { self.narrow_within(store, t, DEPTH) }
    }

    fn narrow_within(&self, store: &mut Store, t: Term, depth: u32) -> Term {
        let Sort::Bv(width @ ..=64) = store.sort(t) else { return t };
        if let Some(range) = self.range(store, t) {
            return within(store, t, range);
        }
        let Some(depth) = depth.checked_sub(1) else { return t };
        match store.node(t) {
            Node::ZeroExt { arg, .. } => {
                let narrow = self.narrow_within(store, arg, depth);
                if narrow == arg { t } else { store.zero_ext(narrow, width) }
            }
            Node::SignExt { arg, .. } => {
                let narrow = self.narrow_within(store, arg, depth);
                if narrow == arg { t } else { store.sign_ext(narrow, width) }
            }
            Node::Bin(op @ (BinOp::Add | BinOp::Mul), a, b) => {
                let (x, y) = (self.narrow_within(store, a, depth), self.narrow_within(store, b, depth));
                match op {
                    _ if (x, y) == (a, b) => t,
                    BinOp::Add => store.bv_add(x, y),
                    _ => store.bv_mul(x, y),
                }
            }
            _ => t,
        }
    }
}

impl Bound {
    /// What is known of a term anyway.
    fn new(store: &Store, t: Term, width: u32) -> Bound {
        let range = store.range(t);
        let sign = 1u64 << (width - 1);
        // A range that contains both signs says nothing of the signed value.
        let (least, most) = match range.hi < sign || range.lo >= sign {
            true => (signed(range.lo, width), signed(range.hi, width)),
            false => (signed(sign, width), signed(sign - 1, width)),
        };
        Bound { range, least, most }
    }
}

/// A term that is in `range` and equals `t` where that is.
pub(crate) fn within(store: &mut Store, t: Term, range: Range) -> Term {
    let (width, now) = (store.width(t), store.range(t));
    if range.lo == range.hi {
        return store.bv(width, range.lo);
    }
    let range = Range { lo: range.lo.max(now.lo), hi: range.hi.min(now.hi) };
    if range.lo > range.hi {
        // Nobody comes here.
        return t;
    }
    let bits = range.bits();
    if range == now || bits >= now.bits() && bits > MOST_RAISED {
        return t;
    }
    let mut low = if bits < width { store.extract(t, bits - 1, 0) } else { t };
    if range.hi < store.range(low).hi {
        let (most, above) = (store.bv(bits, range.hi), store.bv(bits, range.hi.wrapping_add(1)));
        let fits = store.ult(low, above);
        low = store.ite(fits, low, most);
    }
    if range.lo > store.range(low).lo && bits <= MOST_RAISED {
        let least = store.bv(bits, range.lo);
        let too_low = store.ult(low, least);
        low = store.ite(too_low, least, low);
    }
    store.zero_ext(low, width)
}

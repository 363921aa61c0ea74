//! What is assumed, against ranges: truth values that they decide, and ranges that comparisons cut.

use super::order::{Range, cuts, is_plain, place};
use super::{DEPTH, Question, Reading, Space, has_range, integer};
use crate::float::{FloatKind, FloatOp, Format};
use crate::term::{BinOp, Node, Sort, Term};

impl Question<'_> {
    /// Whether a truth value is decided by the ranges.
    pub(super) fn status(&self, space: &Space, t: Term, depth: u32) -> Option<bool> {
        if let Some(&known) = space.assumed.get(&t) {
            return Some(known);
        }
        if let Some(&known) = space.memo.borrow().get(&t) {
            return known;
        }
        let found = self.evaluate(space, t, depth.checked_sub(1)?);
        space.memo.borrow_mut().insert(t, found);
        found
    }

    /// The same by what is below.
    fn evaluate(&self, space: &Space, t: Term, depth: u32) -> Option<bool> {
        match self.store.node(t) {
            Node::Bool(b) => Some(b),
            Node::Not(a) => self.status(space, a, depth).map(|b| !b),
            Node::And(a, b) => match (self.status(space, a, depth), self.status(space, b, depth)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Node::Eq(a, b) if self.store.sort(a) == Sort::Bool => {
                Some(self.status(space, a, depth)? == self.status(space, b, depth)?)
            }
            Node::Ite(c, a, b) => match self.status(space, c, depth) {
                Some(c) => self.status(space, if c { a } else { b }, depth),
                None => {
                    let (a, b) = (self.status(space, a, depth)?, self.status(space, b, depth)?);
                    (a == b).then_some(a)
                }
            },
            Node::Float2(op, a, b) => {
                let reading = Reading::Float(op.format);
                let (x, y) = (self.get(space, a, reading), self.get(space, b, reading));
                let numbers = !x.nan && !y.nan;
                let none = !x.has_numbers() || !y.has_numbers();
                let (yes, no) = match op.kind {
                    FloatKind::Lt => (x.high < y.low, x.low >= y.high),
                    FloatKind::Le => (x.high <= y.low, x.low > y.high),
                    FloatKind::Eq if a == b => (true, false),
                    FloatKind::Eq => {
                        (x.low == x.high && y.low == y.high && x.low == y.low, x.high < y.low || y.high < x.low)
                    }
                    _ => return None,
                };
                if none || no {
                    return Some(false);
                }
                (yes && numbers).then_some(true)
            }
            Node::Bin(op @ (BinOp::Ult | BinOp::Slt), a, b) => {
                let signed = op == BinOp::Slt;
                let (x, y) = (self.integers(space, a, signed)?, self.integers(space, b, signed)?);
                if x.high < y.low {
                    Some(true)
                } else if x.low >= y.high {
                    Some(false)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    fn integers(&self, space: &Space, t: Term, signed: bool) -> Option<Range> {
        if !has_range(self.store.width(t)) {
            return None;
        }
        if let Some(c) = self.store.constant_of(t) {
            return Some(Range::point(integer(&c, signed)));
        }
        if let Some(&i) = self.index.get(&(t, Reading::Int { signed })) {
            return Some(space.ranges[i]);
        }
        // What is not negative reads the same both ways.
        let &i = self.index.get(&(t, Reading::Int { signed: !signed }))?;
        let least_negative = 1 << (self.store.width(t) - 1);
        (space.ranges[i].low >= 0 && space.ranges[i].high < least_negative).then_some(space.ranges[i])
    }

    /// Cuts a cell; whether that changed something.
    fn cut(&self, space: &mut Space, t: Term, reading: Reading, to: Range) -> bool {
        let Some(&i) = self.index.get(&(t, reading)) else { return false };
        let new = space.ranges[i].meet(to);
        let changed = new != space.ranges[i];
        space.ranges[i] = new;
        changed
    }

    /// Cuts the ranges of what a literal compares.
    pub(super) fn assume(&self, space: &mut Space, t: Term, holds: bool) -> bool {
        match self.store.node(t) {
            Node::Float2(op, a, b) if is_plain(op.format) => self.assume_comparison(space, op, (a, b), holds),
            Node::Bin(op @ (BinOp::Ult | BinOp::Slt), a, b) => {
                let signed = op == BinOp::Slt;
                let (Some(x), Some(y)) = (self.integers(space, a, signed), self.integers(space, b, signed)) else {
                    return self.assume_below(space, (op, a, b), holds);
                };
                let reading = Reading::Int { signed };
                let less = |high| Range { low: i128::MIN / 2, high, nan: false };
                let more = |low| Range { low, high: i128::MAX / 2, nan: false };
                if holds {
                    self.cut(space, a, reading, less(y.high - 1)) | self.cut(space, b, reading, more(x.low + 1))
                } else {
                    self.cut(space, a, reading, more(y.low)) | self.cut(space, b, reading, less(x.high))
                }
            }
            Node::Eq(a, b) if holds && self.store.sort(a) != Sort::Bool => {
                let mut changed = false;
                for (x, y) in [(a, b), (b, a)] {
                    let Some(c) = self.store.constant_of(y) else { continue };
                    for signed in [false, true] {
                        if has_range(c.width()) {
                            changed |= self.cut(space, x, Reading::Int { signed }, Range::point(integer(&c, signed)));
                        }
                    }
                    let formats: Vec<Format> = [Format::SINGLE, Format::DOUBLE].into();
                    for f in formats.into_iter().filter(|f| f.width() == c.width()) {
                        let to = place(f, &c).map_or(Range { low: 1, high: 0, nan: true }, Range::point);
                        changed |= self.cut(space, x, Reading::Float(f), to);
                    }
                }
                changed
            }
            _ => false,
        }
    }

    /// An unsigned bound that is not negative as a signed number bounds the signed reading, too.
    fn assume_below(&self, space: &mut Space, (op, a, b): (BinOp, Term, Term), holds: bool) -> bool {
        let width = self.store.width(a);
        if op != BinOp::Ult || !holds || !has_range(width) {
            return false;
        }
        let Some(c) = self.store.constant_of(b) else { return false };
        let c = integer(&c, false);
        let fits = c <= 1 << (width - 1);
        fits && self.cut(space, a, Reading::Int { signed: true }, Range { low: 0, high: c - 1, nan: false })
    }

    fn assume_comparison(&self, space: &mut Space, op: FloatOp, (a, b): (Term, Term), holds: bool) -> bool {
        let reading = Reading::Float(op.format);
        let (x, y) = (self.get(space, a, reading), self.get(space, b, reading));
        let (first, second) = cuts(op, x, y, a == b, holds);
        self.cut(space, a, reading, first) | self.cut(space, b, reading, second)
    }

    /// Whether the ranges decide a literal, which is assumed itself.
    pub(super) fn decided(&self, space: &Space, t: Term) -> Option<bool> {
        match self.store.node(t) {
            Node::Float2(..) | Node::Bin(BinOp::Ult | BinOp::Slt, ..) => self.evaluate(space, t, DEPTH),
            _ => None,
        }
    }
}

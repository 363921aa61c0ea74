//! Ranges of terms by those of their operands.

use super::order::{Range, binary, compute, cuts, fused, is_plain, pattern, place};
use super::{DEPTH, Question, Reading, Space, everything, has_range, integer};
use crate::bits::Bits;
use crate::float::{FloatKind, FloatOp, Format};
use crate::term::{BinOp, Node, Term};

/// How many conditions of choices inside choices are kept in mind.
const MOST_CONDITIONS: usize = 5;

impl Question<'_> {
    /// What a term can be, by its operands.
    pub(super) fn forward(&self, space: &Space, t: Term, reading: Reading) -> Option<Range> {
        match reading {
            Reading::Float(f) => self.forward_float(space, t, f),
            Reading::Int { signed } => self.forward_int(space, t, signed),
        }
    }

    /// The range of a choice: of each branch what it can be where its conditions hold.
    fn choice(&self, space: &Space, t: Term, reading: Reading, given: &mut Vec<(Term, bool)>) -> Range {
        if let Node::Ite(c, a, b) = self.store.node(t)
            && given.len() < MOST_CONDITIONS
        {
            let mut branch = |t: Term, holds: bool| {
                given.push((c, holds));
                let range = self.choice(space, t, reading, given);
                given.pop();
                range
            };
            return match self.status(space, c, DEPTH) {
                Some(true) => self.choice(space, a, reading, given),
                Some(false) => self.choice(space, b, reading, given),
                None => branch(a, true).join(branch(b, false)),
            };
        }
        let mut range = self.get(space, t, reading);
        for &(c, holds) in given.iter() {
            range = range.meet(self.under(space, t, reading, (c, holds), DEPTH));
        }
        range
    }

    /// What a condition says about a term that it compares.
    fn under(&self, space: &Space, t: Term, reading: Reading, (c, holds): (Term, bool), depth: u32) -> Range {
        let anything = everything(self.store, t, reading);
        let Some(depth) = depth.checked_sub(1) else { return anything };
        match self.store.node(c) {
            Node::Not(a) => self.under(space, t, reading, (a, !holds), depth),
            Node::And(a, b) if holds => {
                let first = self.under(space, t, reading, (a, true), depth);
                first.meet(self.under(space, t, reading, (b, true), depth))
            }
            Node::And(a, b) => match (self.status(space, a, depth), self.status(space, b, depth)) {
                (Some(true), _) => self.under(space, t, reading, (b, false), depth),
                (_, Some(true)) => self.under(space, t, reading, (a, false), depth),
                _ => anything,
            },
            Node::Float2(op, a, b) if reading == Reading::Float(op.format) && (a == t || b == t) => {
                let (x, y) = (self.get(space, a, reading), self.get(space, b, reading));
                let (first, second) = cuts(op, x, y, a == b, holds);
                if a == t { first } else { second }
            }
            _ => anything,
        }
    }

    fn forward_float(&self, space: &Space, t: Term, f: Format) -> Option<Range> {
        let reading = Reading::Float(f);
        if let Some(c) = self.store.constant_of(t) {
            return Some(match place(f, &c) {
                Some(at) => Range::point(at),
                None => Range { low: 1, high: 0, nan: true },
            });
        }
        if let Some(a) = self.store.float_negated(f, t) {
            let x = self.get(space, a, reading);
            return Some(Range { low: -x.high, high: -x.low, nan: x.nan });
        }
        if let Some(a) = self.store.float_absolute_of(f, t) {
            let x = self.get(space, a, reading);
            let low = if x.low <= 0 && x.high >= 0 { 0 } else { x.low.abs().min(x.high.abs()) };
            let high = x.low.abs().max(x.high.abs());
            return Some(if x.has_numbers() { Range { low, high, nan: x.nan } } else { x });
        }
        match self.store.node(t) {
            Node::Ite(..) => Some(self.choice(space, t, reading, &mut Vec::new())),
            Node::Float1(op, a) => self.forward_unary(space, op, a),
            Node::Float2(op, a, b) => {
                let (x, y) = (self.get(space, a, reading), self.get(space, b, reading));
                Some(binary(op, x, y, a == b))
            }
            Node::Float3(op, a, b, c) => {
                let of = |t| self.get(space, t, reading);
                Some(fused(op, of(a), of(b), of(c)))
            }
            _ => None,
        }
    }

    fn forward_unary(&self, space: &Space, op: FloatOp, a: Term) -> Option<Range> {
        let f = op.format;
        match op.kind {
            FloatKind::FromInt { width, signed } if has_range(width) && is_plain(f) => {
                let x = self.get(space, a, Reading::Int { signed });
                let end = |v: i128| {
                    let bits = Bits::from_u128(width, v as u128);
                    place(f, &compute(op, &[bits])).expect("an integer is a number")
                };
                Some(Range { low: end(x.low), high: end(x.high), nan: false })
            }
            FloatKind::Convert { to } if is_plain(f) && is_plain(to) => {
                let x = self.get(space, a, Reading::Float(f));
                let end = |at| place(to, &compute(op, &[pattern(f, at)])).expect("a number stays one");
                Some(if x.has_numbers() { Range { low: end(x.low), high: end(x.high), nan: x.nan } } else { x })
            }
            FloatKind::Integral => {
                let x = self.get(space, a, Reading::Float(f));
                let end = |at| place(f, &compute(op, &[pattern(f, at)])).expect("a number stays one");
                Some(if x.has_numbers() { Range { low: end(x.low), high: end(x.high), nan: x.nan } } else { x })
            }
            FloatKind::Sqrt => {
                let x = self.get(space, a, Reading::Float(f));
                if x.high < 0 || !x.has_numbers() {
                    return Some(Range { low: 1, high: 0, nan: true });
                }
                let end =
                    |at: i128| place(f, &compute(op, &[pattern(f, at.max(0))])).expect("a root of a positive number");
                Some(Range { low: end(x.low), high: end(x.high), nan: x.nan || x.low < 0 })
            }
            _ => None,
        }
    }

    fn forward_int(&self, space: &Space, t: Term, signed: bool) -> Option<Range> {
        let reading = Reading::Int { signed };
        if let Some(c) = self.store.constant_of(t) {
            return Some(Range::point(integer(&c, signed)));
        }
        match self.store.node(t) {
            Node::Ite(..) => Some(self.choice(space, t, reading, &mut Vec::new())),
            // An extended number has zeroes above: it is the same with and without sign.
            Node::ZeroExt { arg, .. } => Some(self.get(space, arg, Reading::Int { signed: false })),
            Node::SignExt { arg, .. } if signed => Some(self.get(space, arg, reading)),
            Node::Bin(op @ (BinOp::Add | BinOp::Mul), a, b) => {
                if self.store.width(t) > 60 {
                    return None;
                }
                let (x, y) = (self.get(space, a, reading), self.get(space, b, reading));
                let exact = if op == BinOp::Add {
                    Range { low: x.low + y.low, high: x.high + y.high, nan: false }
                } else {
                    let ends = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high];
                    let (mut low, mut high) = (*ends.iter().min()?, *ends.iter().max()?);
                    if a == b && x.contains(0) {
                        low = 0;
                    } else if a == b {
                        (low, high) = ((x.low * x.low).min(x.high * x.high), (x.low * x.low).max(x.high * x.high));
                    }
                    Range { low, high, nan: false }
                };
                // What may wrap is anything.
                let all = everything(self.store, t, reading);
                (all.contains(exact.low) && all.contains(exact.high)).then_some(exact)
            }
            Node::Float1(op, a) => {
                let FloatKind::ToInt { signed: own, .. } = op.kind else { return None };
                if own != signed || !is_plain(op.format) {
                    return None;
                }
                let x = self.get(space, a, Reading::Float(op.format));
                let end = |at| integer(&compute(op, &[pattern(op.format, at)]), signed);
                let numbers = if x.has_numbers() {
                    Range { low: end(x.low), high: end(x.high), nan: false }
                } else {
                    Range { low: 1, high: 0, nan: false }
                };
                Some(if x.nan { numbers.join(Range::point(0)) } else { numbers })
            }
            _ => None,
        }
    }
}

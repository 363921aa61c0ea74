//! Numbers in the order of their format, and the ranges of operations.

use base::sabotage::{self, Fault};

use crate::bits::Bits;
use crate::float::{FloatKind, FloatOp, Format, Rounding, exact};

/// Numbers in order: of integers the values, of floats their place in the order of the format, both zeroes being 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: i128,
    pub(super) high: i128,
    pub(super) nan: bool,
}

impl Range {
    pub(super) fn point(at: i128) -> Range {
        Range { low: at, high: at, nan: false }
    }

    pub(super) fn is_empty(self) -> bool {
        self.low > self.high && !self.nan
    }

    pub(super) fn has_numbers(self) -> bool {
        self.low <= self.high
    }

    pub(super) fn contains(self, at: i128) -> bool {
        self.low <= at && at <= self.high
    }

    pub(super) fn meet(self, other: Range) -> Range {
        Range { low: self.low.max(other.low), high: self.high.min(other.high), nan: self.nan && other.nan }
    }

    pub(super) fn join(self, other: Range) -> Range {
        match (self.has_numbers(), other.has_numbers()) {
            (false, _) => Range { nan: self.nan || other.nan, ..other },
            (_, false) => Range { nan: self.nan || other.nan, ..self },
            _ => Range { low: self.low.min(other.low), high: self.high.max(other.high), nan: self.nan || other.nan },
        }
    }
}

/// Formats whose order this knows: those in which a number has one pattern.
pub(super) fn is_plain(f: Format) -> bool {
    !f.explicit && f.width() <= 127
}

pub(super) fn magnitude(f: Format, bits: &Bits) -> i128 {
    bits.extract(f.width() - 2, 0).to_u128().expect("plain formats have at most 127 bits") as i128
}

/// The place of a pattern in the order; `None` for a NaN.
pub(super) fn place(f: Format, bits: &Bits) -> Option<i128> {
    let m = magnitude(f, bits);
    if m > infinity(f) {
        return None;
    }
    Some(if bits.bit(f.width() - 1) { -m } else { m })
}

pub(super) fn infinity(f: Format) -> i128 {
    magnitude(f, &f.infinity(false))
}

/// The pattern at a place; of the zeroes the positive one.
pub(super) fn pattern(f: Format, at: i128) -> Bits {
    let m = Bits::from_u128(f.width(), at.unsigned_abs());
    if at < 0 { m.or(&Bits::from_fn(f.width(), |i| i == f.width() - 1)) } else { m }
}

/// An operation on patterns: by the machine where that has it, which the tests compare with the definition.
pub(super) fn compute(op: FloatOp, args: &[Bits]) -> Bits {
    if op.rounding == Rounding::NearestEven && op.format == Format::DOUBLE {
        let x = |i: usize| f64::from_bits(args[i].words()[0]);
        let result = match op.kind {
            FloatKind::Add => Some(x(0) + x(1)),
            FloatKind::Sub => Some(x(0) - x(1)),
            FloatKind::Mul => Some(x(0) * x(1)),
            FloatKind::Div => Some(x(0) / x(1)),
            _ => None,
        };
        if let Some(y) = result {
            return Bits::new(64, y.to_bits());
        }
    }
    if op.rounding == Rounding::NearestEven && op.format == Format::SINGLE {
        let x = |i: usize| f32::from_bits(args[i].words()[0] as u32);
        let result = match op.kind {
            FloatKind::Add => Some(x(0) + x(1)),
            FloatKind::Sub => Some(x(0) - x(1)),
            FloatKind::Mul => Some(x(0) * x(1)),
            FloatKind::Div => Some(x(0) / x(1)),
            _ => None,
        };
        if let Some(y) = result {
            return Bits::new(32, y.to_bits().into());
        }
    }
    exact::apply(op, args).as_bits().clone()
}

/// The range of an operation with two operands; `same`: they are one term.
pub(super) fn binary(op: FloatOp, x: Range, y: Range, same: bool) -> Range {
    let f = op.format;
    let far = infinity(f);
    if !x.has_numbers() || !y.has_numbers() {
        return Range { low: 1, high: 0, nan: true };
    }
    let at = |i: i128, j: i128| place(f, &compute(op, &[pattern(f, i), pattern(f, j)]));
    let infinite = |r: Range| r.contains(far) || r.contains(-far);
    let nan = x.nan || y.nan;
    // Where the corner of a product or quotient is not a number (an infinity by zero or by another), numbers beside it give zero.
    let hull = |ends: &[Option<i128>], nan: bool| {
        let ends: Vec<i128> = ends.iter().map(|end| end.unwrap_or(0)).collect();
        match (ends.iter().min(), ends.iter().max()) {
            (Some(&low), Some(&high)) => Range { low, high, nan },
            _ => Range { low: 1, high: 0, nan: true },
        }
    };
    let all = Range { low: -far, high: far, nan: true };
    match op.kind {
        FloatKind::Sub if same => Range { low: 0, high: 0, nan: nan || infinite(x) },
        FloatKind::Add | FloatKind::Sub => {
            let (low, high) = if op.kind == FloatKind::Add { (y.low, y.high) } else { (y.high, y.low) };
            let sum = (at(x.low, low), at(x.high, high));
            let (Some(bottom), Some(top)) = sum else { return all };
            let top = if sabotage::active(Fault::RangeEndsInwards) { top - 1 } else { top };
            Range { low: bottom, high: top.max(bottom), nan: nan || infinite(x) && infinite(y) }
        }
        FloatKind::Mul if same => {
            let (a, b) = (at(x.low, x.low), at(x.high, x.high));
            let ends = if x.contains(0) { [a, b, Some(0)] } else { [a, b, a] };
            hull(&ends, nan)
        }
        FloatKind::Mul => {
            let invalid = x.contains(0) && infinite(y) || y.contains(0) && infinite(x);
            hull(&[at(x.low, y.low), at(x.low, y.high), at(x.high, y.low), at(x.high, y.high)], nan || invalid)
        }
        FloatKind::Div if y.contains(0) => all,
        FloatKind::Div => {
            let invalid = infinite(x) && infinite(y);
            hull(&[at(x.low, y.low), at(x.low, y.high), at(x.high, y.low), at(x.high, y.high)], nan || invalid)
        }
        _ => all,
    }
}

/// The range of `a * b + c`.
pub(super) fn fused(op: FloatOp, a: Range, b: Range, c: Range) -> Range {
    let f = op.format;
    let far = infinity(f);
    let all = Range { low: -far, high: far, nan: true };
    let finite = |r: Range| !r.nan && r.has_numbers() && r.low > -far && r.high < far;
    if !(finite(a) && finite(b) && finite(c)) {
        return all;
    }
    let at = |i: i128, j: i128, k: i128| place(f, &compute(op, &[pattern(f, i), pattern(f, j), pattern(f, k)]));
    let corners = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
    let low = corners.iter().filter_map(|&(i, j)| at(i, j, c.low)).min();
    let high = corners.iter().filter_map(|&(i, j)| at(i, j, c.high)).max();
    match (low, high) {
        (Some(low), Some(high)) => Range { low, high, nan: false },
        _ => all,
    }
}

/// What a comparison that holds, or does not, leaves of the ranges of its operands; `same`: they are one term.
pub(super) fn cuts(op: FloatOp, x: Range, y: Range, same: bool, holds: bool) -> (Range, Range) {
    let far = infinity(op.format);
    let anything = Range { low: -far, high: far, nan: true };
    let less = |high: i128| Range { low: -far, high: high.min(far), nan: false };
    let more = |low: i128| Range { low: low.max(-far), high: far, nan: false };
    // Of numbers the negation is the opposite comparison.
    let numbers = !x.nan && !y.nan;
    match (op.kind, holds) {
        (FloatKind::Lt, true) => (less(y.high - 1), more(x.low + 1)),
        (FloatKind::Le, true) => (less(y.high), more(x.low)),
        (FloatKind::Eq, true) => {
            let both = Range { nan: false, ..x.meet(y) };
            (both, both)
        }
        (FloatKind::Eq, false) if same => {
            let none = Range { low: 1, high: 0, nan: true };
            (none, none)
        }
        (FloatKind::Lt, false) if numbers => (more(y.low), less(x.high)),
        (FloatKind::Le, false) if numbers => (more(y.low + 1), less(x.high - 1)),
        // The first may still be no number where only the second is known to be one.
        (FloatKind::Lt, false) if !y.nan => (Range { nan: true, ..more(y.low) }, anything),
        (FloatKind::Lt, false) if !x.nan => (anything, Range { nan: true, ..less(x.high) }),
        (FloatKind::Le, false) if !y.nan => (Range { nan: true, ..more(y.low + 1) }, anything),
        (FloatKind::Le, false) if !x.nan => (anything, Range { nan: true, ..less(x.high - 1) }),
        (FloatKind::Eq, false) if numbers && y.low == y.high => {
            let low = if x.low == y.low { more(x.low + 1) } else { anything };
            let high = if x.high == y.low { less(x.high - 1) } else { anything };
            (low.meet(high), anything)
        }
        _ => (anything, anything),
    }
}

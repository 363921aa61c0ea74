//! Floating-point operations.
//!
//! A rule must keep the pattern, not only the number: an operation on a NaN gives [`Format::nan`], so `x * 1` is `x` only
//! where that is a number.

use super::Rule;
use crate::bits::Bits;
use crate::eval::Value;
use crate::float::{FloatKind, FloatOp, Format, Rounding, exact};
use crate::store::Store;
use crate::term::{BinOp, Node, Term};

/// Whether every number of the first format is one of the second.
fn contained(a: Format, b: Format) -> bool {
    // Subnormal numbers of the first are normal ones of the second, or have the same last place.
    a.precision <= b.precision && a.exponent <= b.exponent
}

/// The constant in another format, rounded.
fn converted(c: &Bits, from: Format, to: Format, rounding: Rounding) -> Bits {
    let op = FloatOp { kind: FloatKind::Convert { to }, format: from, rounding };
    exact::apply(op, std::slice::from_ref(c)).as_bits().clone()
}

/// Whether a format holds every integer of a width, with or without sign.
fn holds_integers(format: Format, width: u32) -> bool {
    width <= u32::from(format.precision) && i64::from(width) < format.bias()
}

/// An integer that a number is known to be.
#[derive(Clone, Copy)]
struct Integer {
    term: Term,
    width: u32,
    signed: bool,
}

impl Store {
    /// A floating-point operation.
    pub fn float(&mut self, op: FloatOp, args: &[Term]) -> Term {
        assert_eq!(args.len(), op.arity(), "an operation has its operands");
        for &a in args {
            assert_eq!(self.sort(a), op.operand(), "an operand of {op:?} has its sort");
        }
        let values: Option<Vec<Bits>> = args.iter().map(|&a| self.constant_of(a)).collect();
        if let Some(values) = values {
            let t = match exact::apply(op, &values) {
                Value::Bool(b) => self.bool(b),
                Value::Bits(b) => self.constant(&b),
            };
            return self.by(Rule::Fold, t);
        }
        let simpler = if self.descend() {
            let t = match (op.kind, args) {
                (FloatKind::Eq | FloatKind::Lt | FloatKind::Le, &[a, b]) => self.float_compare(op, a, b),
                (FloatKind::Add | FloatKind::Sub | FloatKind::Mul | FloatKind::Div, &[a, b]) => {
                    self.float_neutral(op, a, b).or_else(|| self.float_int_sum(op, a, b))
                }
                (FloatKind::Convert { .. } | FloatKind::FromInt { .. }, &[a]) => self.float_conversion(op, a),
                _ => None,
            };
            self.ascend();
            t
        } else {
            None
        };
        simpler.unwrap_or_else(|| self.float_node(op, args))
    }

    fn float_node(&mut self, op: FloatOp, args: &[Term]) -> Term {
        let node = match (op.kind, args) {
            (FloatKind::Add | FloatKind::Mul | FloatKind::Eq, &[a, b]) => {
                let (a, b) = self.ordered(a, b);
                Node::Float2(op, a, b)
            }
            (FloatKind::Fma, &[a, b, c]) => {
                let (a, b) = self.ordered(a, b);
                Node::Float3(op, a, b, c)
            }
            (_, &[a]) => Node::Float1(op, a),
            (_, &[a, b]) => Node::Float2(op, a, b),
            _ => unreachable!("operations have one to three operands"),
        };
        self.intern(node, op.result())
    }

    /// Whether `x` is not a number.
    pub fn float_is_nan(&mut self, format: Format, x: Term) -> Term {
        let number = self.float(FloatOp::new(FloatKind::Eq, format), &[x, x]);
        self.not(number)
    }

    /// `x` with the other sign.
    pub fn float_neg(&mut self, format: Format, x: Term) -> Term {
        let top = format.width() - 1;
        let sign = self.constant(&Bits::from_fn(top + 1, |i| i == top));
        self.bv_xor(x, sign)
    }

    /// `x`, a result: where it is not a number, the one that operations give.
    fn float_result(&mut self, format: Format, x: Term) -> Term {
        let nan = self.float_is_nan(format, x);
        let canonical = self.constant(&format.nan());
        self.ite(nan, canonical, x)
    }

    fn float_compare(&mut self, op: FloatOp, a: Term, b: Term) -> Option<Term> {
        let format = op.format;
        let no_number = |s: &Store, t: Term| s.constant_of(t).is_some_and(|c| exact::is_nan(format, &c));
        if no_number(self, a) || no_number(self, b) {
            let never = self.bool(false);
            return Some(self.by(Rule::FloatSelf, never));
        }
        if a == b && op.kind != FloatKind::Eq {
            let t = match op.kind {
                FloatKind::Lt => self.bool(false),
                _ => self.float(FloatOp { kind: FloatKind::Eq, ..op }, &[a, a]),
            };
            return Some(self.by(Rule::FloatSelf, t));
        }
        self.float_compare_narrow(op, a, b).or_else(|| self.float_compare_int(op, a, b))
    }

    /// What was converted to a wider format is compared in its own.
    fn float_compare_narrow(&mut self, op: FloatOp, a: Term, b: Term) -> Option<Term> {
        let source = |s: &Store, t: Term| match s.node(t) {
            Node::Float1(FloatOp { kind: FloatKind::Convert { .. }, format, .. }, x)
                if contained(format, op.format) =>
            {
                Some((format, x))
            }
            _ => None,
        };
        let (left, right) = (source(self, a), source(self, b));
        let (from, x, y) = match (left, right) {
            (Some((f, x)), Some((g, y))) if f == g => (f, x, y),
            (Some((f, x)), None) => {
                let c = self.constant_of(b)?;
                (f, x, self.float_bound(op, &c, f, false)?)
            }
            (None, Some((f, y))) => {
                let c = self.constant_of(a)?;
                (f, self.float_bound(op, &c, f, true)?, y)
            }
            _ => return None,
        };
        let narrow = FloatOp { format: from, ..op };
        let t = self.float(narrow, &[x, y]);
        Some(self.by(Rule::FloatNarrow, t))
    }

    /// The constant of a comparison in a narrower format, which the other operand comes from. `left`: it stands on the left.
    fn float_bound(&mut self, op: FloatOp, c: &Bits, to: Format, left: bool) -> Option<Term> {
        let up = converted(c, op.format, to, Rounding::Positive);
        let down = converted(c, op.format, to, Rounding::Negative);
        let bound = match (op.kind, left) {
            // x < c holds below the next number, x <= c up to the one before, and the other way round.
            (FloatKind::Lt, false) | (FloatKind::Le, true) => up,
            (FloatKind::Le, false) | (FloatKind::Lt, true) => down,
            _ if up == down => up,
            _ => to.nan(),
        };
        Some(self.constant(&bound))
    }

    /// The integer that a number was converted from, if its format holds every integer of that width.
    fn float_integer(&self, format: Format, t: Term) -> Option<Integer> {
        match self.node(t) {
            Node::Float1(FloatOp { kind: FloatKind::FromInt { width, signed }, .. }, term)
                if holds_integers(format, width) =>
            {
                Some(Integer { term, width, signed })
            }
            _ => None,
        }
    }

    /// The integer that a number is: one that was converted, or a whole constant, but not minus zero.
    fn float_whole(&mut self, format: Format, t: Term) -> Option<Integer> {
        let Some(c) = self.constant_of(t) else { return self.float_integer(format, t) };
        let all = u32::from(format.precision);
        if !holds_integers(format, all) {
            return None;
        }
        let to = FloatOp::new(FloatKind::ToInt { width: all, signed: true }, format);
        let integer = exact::apply(to, std::slice::from_ref(&c)).as_bits().clone();
        let from = FloatOp::new(FloatKind::FromInt { width: all, signed: true }, format);
        if *exact::apply(from, std::slice::from_ref(&integer)).as_bits() != c {
            return None;
        }
        let width = (1..all).find(|&w| integer.extract(w - 1, 0).sign_ext(all) == integer)?;
        Some(Integer { term: self.constant(&integer.extract(width - 1, 0)), width, signed: true })
    }

    /// The integer in a width that holds it with a sign.
    fn float_widened(&mut self, x: Integer, width: u32) -> Term {
        if x.signed { self.sign_ext(x.term, width) } else { self.zero_ext(x.term, width) }
    }

    /// The sum of integers that the format holds as it holds their sum is the sum of the integers: nothing is rounded. A sum of
    /// opposite numbers is plus zero, but where it is rounded downwards.
    fn float_int_sum(&mut self, op: FloatOp, a: Term, b: Term) -> Option<Term> {
        if !matches!(op.kind, FloatKind::Add | FloatKind::Sub) || op.rounding == Rounding::Negative {
            return None;
        }
        let (x, y) = (self.float_whole(op.format, a)?, self.float_whole(op.format, b)?);
        let width = 1 + (x.width + u32::from(!x.signed)).max(y.width + u32::from(!y.signed));
        if !holds_integers(op.format, width) {
            return None;
        }
        let (x, y) = (self.float_widened(x, width), self.float_widened(y, width));
        let sum = if op.kind == FloatKind::Add { self.bv_add(x, y) } else { self.bv_sub(x, y) };
        let kind = FloatKind::FromInt { width, signed: true };
        let t = self.float(FloatOp { kind, ..op }, &[sum]);
        Some(self.by(Rule::FloatIntSum, t))
    }

    /// An integer that its format holds exactly against another or against a constant: a comparison of integers.
    fn float_compare_int(&mut self, op: FloatOp, a: Term, b: Term) -> Option<Term> {
        let (first, second) = (self.float_integer(op.format, a), self.float_integer(op.format, b));
        let (Integer { term: x, width, signed }, c, left) = match (first, second) {
            (Some(x), Some(y)) => {
                let width = 1 + x.width.max(y.width);
                let (x, y) = (self.float_widened(x, width), self.float_widened(y, width));
                let t = match op.kind {
                    FloatKind::Lt => self.slt(x, y),
                    FloatKind::Le => self.sle(x, y),
                    _ => self.eq(x, y),
                };
                return Some(self.by(Rule::FloatIntCompare, t));
            }
            (Some(x), None) => (x, self.constant_of(b)?, false),
            (None, Some(x)) => (x, self.constant_of(a)?, true),
            (None, None) => return None,
        };
        // Two bits more than the integer, so that a constant beyond its range stays beyond.
        let wide = width + 2;
        let integer = |rounding| {
            let op = FloatOp { kind: FloatKind::ToInt { width: wide, signed: true }, format: op.format, rounding };
            exact::apply(op, std::slice::from_ref(&c)).as_bits().clone()
        };
        let (up, down) = (integer(Rounding::Positive), integer(Rounding::Negative));
        let x = if signed { self.sign_ext(x, wide) } else { self.zero_ext(x, wide) };
        let t = match (op.kind, left) {
            (FloatKind::Lt, false) => {
                let c = self.constant(&up);
                self.slt(x, c)
            }
            (FloatKind::Le, false) => {
                let c = self.constant(&down);
                self.sle(x, c)
            }
            (FloatKind::Lt, true) => {
                let c = self.constant(&down);
                self.slt(c, x)
            }
            (FloatKind::Le, true) => {
                let c = self.constant(&up);
                self.sle(c, x)
            }
            _ if up == down => {
                let c = self.constant(&up);
                self.eq(x, c)
            }
            _ => self.bool(false),
        };
        Some(self.by(Rule::FloatIntCompare, t))
    }

    /// Operations with one, zero and powers of two.
    fn float_neutral(&mut self, op: FloatOp, a: Term, b: Term) -> Option<Term> {
        let commutes = matches!(op.kind, FloatKind::Add | FloatKind::Mul);
        let (x, c) = match (self.constant_of(a), self.constant_of(b)) {
            (_, Some(c)) => (a, c),
            (Some(c), _) if commutes => (b, c),
            _ => return None,
        };
        let format = op.format;
        let one =
            exact::apply(FloatOp::new(FloatKind::FromInt { width: 2, signed: false }, format), &[Bits::new(2, 1)]);
        let one = one.as_bits();
        let neutral = match op.kind {
            FloatKind::Mul | FloatKind::Div => c == *one,
            // Minus zero keeps the sign of a zero unless sums of opposite zeroes are negative.
            FloatKind::Add => op.rounding != Rounding::Negative && c == format.zero(true),
            _ => op.rounding != Rounding::Negative && c == format.zero(false),
        };
        // With a leading bit of its own a number has several patterns, of which results have one.
        if neutral && !format.explicit {
            let t = self.float_result(format, x);
            return Some(self.by(Rule::FloatNeutral, t));
        }
        if op.kind == FloatKind::Div {
            let inverse = self.inverse_power(format, &c, one)?;
            let inverse = self.constant(&inverse);
            let t = self.float(FloatOp { kind: FloatKind::Mul, ..op }, &[x, inverse]);
            return Some(self.by(Rule::FloatPower, t));
        }
        None
    }

    /// The inverse of a constant that is a power of two, if it is a number of the format: both ways of rounding agree and
    /// the inverse of the inverse is the constant.
    fn inverse_power(&mut self, format: Format, c: &Bits, one: &Bits) -> Option<Bits> {
        let divide = |x: &Bits, y: &Bits, rounding| {
            let op = FloatOp { kind: FloatKind::Div, format, rounding };
            exact::apply(op, &[x.clone(), y.clone()]).as_bits().clone()
        };
        let (up, down) = (divide(one, c, Rounding::Positive), divide(one, c, Rounding::Negative));
        let zero = format.zero(false);
        let is = |kind, x: &Bits, y: &Bits| exact::apply(FloatOp::new(kind, format), &[x.clone(), y.clone()]).as_bool();
        let finite =
            |x: &Bits| is(FloatKind::Le, x, &format.largest(false)) && is(FloatKind::Le, &format.largest(true), x);
        let good = up == down && finite(&up) && finite(c) && !is(FloatKind::Eq, &up, &zero);
        good.then_some(up)
    }

    fn float_conversion(&mut self, op: FloatOp, a: Term) -> Option<Term> {
        match (op.kind, self.node(a)) {
            (FloatKind::Convert { to }, _) if to == op.format && !to.explicit => {
                let t = self.float_result(to, a);
                Some(self.by(Rule::FloatBack, t))
            }
            (FloatKind::Convert { to }, Node::Float1(FloatOp { kind: FloatKind::Convert { .. }, format, .. }, x))
                if contained(format, op.format) =>
            {
                // The first conversion was exact.
                let t = self.float(FloatOp { format, ..op }, &[x]);
                debug_assert_eq!(self.width(t), to.width(), "both ways lead to one format");
                Some(self.by(Rule::FloatBack, t))
            }
            (FloatKind::FromInt { .. }, Node::ZeroExt { arg, .. }) => {
                let kind = FloatKind::FromInt { width: self.width(arg), signed: false };
                let t = self.float(FloatOp { kind, ..op }, &[arg]);
                Some(self.by(Rule::FloatExtended, t))
            }
            (FloatKind::FromInt { signed: true, .. }, Node::SignExt { arg, .. }) => {
                let kind = FloatKind::FromInt { width: self.width(arg), signed: true };
                let t = self.float(FloatOp { kind, ..op }, &[arg]);
                Some(self.by(Rule::FloatExtended, t))
            }
            _ => None,
        }
    }

    /// The number whose absolute value `x` is: all its bits but the sign.
    pub(crate) fn float_absolute_of(&self, format: Format, x: Term) -> Option<Term> {
        let Node::ZeroExt { width, arg } = self.node(x) else { return None };
        let Node::Extract { hi, lo: 0, arg } = self.node(arg) else { return None };
        let whole = width == format.width() && hi + 2 == width && self.width(arg) == width;
        whole.then_some(arg)
    }

    /// The number that `x` is the negation of, if it is one.
    pub fn float_negated(&self, format: Format, x: Term) -> Option<Term> {
        let Node::Bin(BinOp::Xor, y, c) = self.node(x) else { return None };
        let top = format.width() - 1;
        (self.constant_of(c)? == Bits::from_fn(top + 1, |i| i == top)).then_some(y)
    }
}

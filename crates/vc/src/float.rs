//! Floating-point operations in logic: each is one operation of [`logic::float`] on patterns, rounding to nearest even.
//!
//! **What is not a number.** C leaves open which of the many patterns an operation gives then. A number in a variable can only be
//! computed with, compared and copied, and nothing of that tells one quiet NaN from another; so the one that `logic` has stands
//! for all of them. Patterns can be seen in memory: what is stored there is, where it is the result of an operation and not a
//! number, any quiet NaN ([`Encoder::stored_float`]). Copies of what was read keep their pattern.

use crate::step::Encoder;
use base::sabotage::{self, Fault};
use ir::{BinOp, FloatTy, IntTy, Ty};
use logic::float::exact;
use logic::{Bits, FloatKind, FloatOp, Format, Node, Rounding, Sort, Term};

/// How the patterns of a type are read.
pub fn format(ty: FloatTy) -> Format {
    match ty {
        FloatTy::F16 => Format::HALF,
        FloatTy::F32 => Format::SINGLE,
        FloatTy::F64 => Format::DOUBLE,
        FloatTy::F80 => Format::EXTENDED,
        FloatTy::F128 => Format::QUAD,
    }
}

/// How many choices between values that are stored are looked into.
const MOST_CHOICES: u32 = 64;

impl Encoder<'_> {
    pub(crate) fn float_binary(&mut self, op: BinOp, ty: FloatTy, x: Term, y: Term) -> Term {
        let mut apply = |kind, x, y| self.store.float(FloatOp::new(kind, format(ty)), &[x, y]);
        match op {
            BinOp::Add => apply(FloatKind::Add, x, y),
            BinOp::Sub => apply(FloatKind::Sub, x, y),
            BinOp::Mul => apply(FloatKind::Mul, x, y),
            BinOp::Div => apply(FloatKind::Div, x, y),
            BinOp::Eq => apply(FloatKind::Eq, x, y),
            BinOp::Ne => {
                let same = apply(FloatKind::Eq, x, y);
                self.store.not(same)
            }
            BinOp::Lt => apply(FloatKind::Lt, x, y),
            BinOp::Le => apply(FloatKind::Le, x, y),
            BinOp::Gt => apply(FloatKind::Lt, y, x),
            BinOp::Ge => apply(FloatKind::Le, y, x),
            _ => unreachable!("the validator lets {op:?} take no floats"),
        }
    }

    /// C's conversion where one of the types is a floating one.
    pub(crate) fn float_convert(&mut self, t: Term, from: Ty, to: Ty) -> Term {
        let pointer = IntTy { width: self.program.model.ptr_width(), signed: true };
        match (from, to) {
            (Ty::Float(f), Ty::Float(g)) => {
                self.store.float(FloatOp::new(FloatKind::Convert { to: format(g) }, format(f)), &[t])
            }
            (Ty::Float(f), Ty::Bool) => {
                let zero = self.constant(from, 0);
                self.float_binary(BinOp::Ne, f, t, zero)
            }
            (Ty::Float(f), Ty::Int(i)) => self.float_to_int(f, i, t),
            (Ty::Float(f), Ty::Ptr) => self.float_to_int(f, pointer, t),
            (Ty::Bool, Ty::Float(f)) => {
                let bit = (self.store.bv(1, 1), self.store.bv(1, 0));
                let bit = self.store.ite(t, bit.0, bit.1);
                self.float_from_int(f, IntTy { width: 1, signed: false }, bit)
            }
            (Ty::Int(i), Ty::Float(f)) => self.float_from_int(f, i, t),
            (Ty::Ptr, Ty::Float(f)) => self.float_from_int(f, pointer, t),
            (Ty::Bool | Ty::Int(_) | Ty::Ptr, Ty::Bool | Ty::Int(_) | Ty::Ptr) => {
                unreachable!("one of the types is a floating one")
            }
        }
    }

    fn float_to_int(&mut self, from: FloatTy, to: IntTy, t: Term) -> Term {
        let kind = FloatKind::ToInt { width: to.width.into(), signed: to.signed };
        self.store.float(FloatOp { kind, format: format(from), rounding: Rounding::Zero }, &[t])
    }

    fn float_from_int(&mut self, to: FloatTy, from: IntTy, t: Term) -> Term {
        let kind = FloatKind::FromInt { width: from.width.into(), signed: from.signed };
        self.store.float(FloatOp::new(kind, format(to)), &[t])
    }

    /// Whether the integral part of a number is a value of the integer type: the number lies between one less than the least
    /// and one more than the greatest value.
    pub(crate) fn float_fits(&mut self, from: FloatTy, to: IntTy, t: Term) -> Term {
        let f = format(from);
        let wide = u32::from(to.width) + 2;
        let power = |n: u16| Bits::from_fn(wide, |i| i == u32::from(n));
        let (below, above) = if to.signed {
            (power(to.width - 1).neg().sub(&Bits::new(wide, 1)), power(to.width - 1))
        } else {
            (Bits::ones(wide), power(to.width))
        };
        // A bound that is no number of the format is replaced by the next one outside: no number lies between.
        let bound = |value, rounding| {
            let op = FloatOp { kind: FloatKind::FromInt { width: wide, signed: true }, format: f, rounding };
            exact::apply(op, &[value]).as_bits().clone()
        };
        let below = self.store.constant(&bound(below, Rounding::Negative));
        let above = self.store.constant(&bound(above, Rounding::Positive));
        let (low, high) = (self.float_binary(BinOp::Lt, from, below, t), self.float_binary(BinOp::Lt, from, t, above));
        self.store.and(low, high)
    }

    /// The pattern that a number leaves in memory.
    pub(crate) fn stored_float(&mut self, ty: FloatTy, t: Term) -> Term {
        let f = format(ty);
        if !self.may_be_made_here(f, t) {
            return t;
        }
        let nan = self.store.float_is_nan(f, t);
        if self.store.bool_of(nan) == Some(false) {
            return t;
        }
        // Any sign and any payload; the mark of a quiet NaN is always there.
        let any = self.store.fresh("nan", Sort::Bv(f.width()));
        let quiet = self.store.constant(&f.nan());
        let any = self.store.bv_or(any, quiet);
        self.store.ite(nan, any, t)
    }

    /// Whether a term may be the result of an operation that can give a NaN, as opposed to a copy. A constant may be what an
    /// operation was rewritten to, if it is the NaN that stands for all of them (or its negation).
    fn may_be_made_here(&self, f: Format, t: Term) -> bool {
        let made = |c: &Bits| {
            let sign = f.width() - 1;
            (0..sign).all(|i| c.bit(i) == f.nan().bit(i)) && !sabotage::active(Fault::FoldedNanKept)
        };
        let mut left = MOST_CHOICES;
        let mut todo = vec![t];
        while let Some(t) = todo.pop() {
            left -= 1;
            match self.store.node(t) {
                _ if left == 0 => return true,
                Node::Ite(_, a, b) => todo.extend([a, b]),
                Node::Bin(logic::BinOp::Xor, a, _) => todo.push(a),
                Node::Float1(op, _) if matches!(op.kind, FloatKind::FromInt { .. } | FloatKind::ToInt { .. }) => {}
                Node::Float1(..) | Node::Float2(..) | Node::Float3(..) => return true,
                _ if self.store.constant_of(t).is_some_and(|c| made(&c)) => return true,
                _ => {}
            }
        }
        false
    }
}

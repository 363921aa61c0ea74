//! Binary floating-point numbers (IEEE 754-2019) as bit-vectors: formats, rounding, and the operations that terms have.
//!
//! A number is a bit-vector as wide as its [`Format`]; there is no sort of its own, so copying, storing and changing a sign
//! are operations on bits. An operation is one node of a term ([`FloatOp`]), not its circuit: rewriting, predicates and
//! printers see `x + y`, and only what is asked of the solver becomes gates.
//!
//! - [`exact`] says what an operation means, in integers of any size; it is the evaluator's and the rewriter's.
//! - [`circuit`] and [`operations`] are the gates.
//! - [`ranges`] decides questions by intervals before they become gates.
//!
//! Every operation is total. One that gives a number that is not a number gives the one quiet NaN with positive sign and
//! empty payload ([`Format::nan`]): whoever wants the choice of C, which is any, puts it in (`vc` does). A conversion to an
//! integer gives the nearest value of the type where the number does not fit, and 0 for a NaN.

pub(crate) mod circuit;
pub mod exact;
mod natural;
pub(crate) mod operations;
pub mod ranges;

use crate::bits::Bits;
use crate::term::Sort;

/// A binary interchange format, or the extended format of the x87.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Format {
    /// Bits of the exponent, at least 2.
    pub exponent: u8,
    /// Bits of the significand, the leading one included; at least 2.
    pub precision: u8,
    /// Whether the leading bit of the significand is stored. Patterns in which it contradicts the exponent are not numbers,
    /// but for those with exponent field 0 (the x87 computes with them).
    pub explicit: bool,
}

impl Format {
    /// Binary16.
    pub const HALF: Format = Format::new(5, 11);
    /// Binary32.
    pub const SINGLE: Format = Format::new(8, 24);
    /// Binary64.
    pub const DOUBLE: Format = Format::new(11, 53);
    /// Binary128.
    pub const QUAD: Format = Format::new(15, 113);
    /// The 80 bits of the x87.
    pub const EXTENDED: Format = Format { exponent: 15, precision: 64, explicit: true };

    /// A format whose leading bit is implied.
    pub const fn new(exponent: u8, precision: u8) -> Format {
        assert!(exponent >= 2 && exponent <= 24 && precision >= 2, "a format has exponents and a significand");
        Format { exponent, precision, explicit: false }
    }

    /// Bits of a pattern.
    pub const fn width(self) -> u32 {
        self.exponent as u32 + self.precision as u32 + self.explicit as u32
    }

    /// What is added to an exponent in its field.
    pub(crate) fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the smallest normal number.
    pub(crate) fn min_exponent(self) -> i64 {
        1 - self.bias()
    }

    /// The largest field of an exponent, which marks what is infinite or not a number.
    pub(crate) fn max_field(self) -> u64 {
        (1 << self.exponent) - 1
    }

    /// Stored bits of the significand.
    pub(crate) fn stored(self) -> u32 {
        u32::from(self.precision) - u32::from(!self.explicit)
    }

    /// The pattern with this sign, exponent field and fraction (without leading bit; given as its low bits).
    pub(crate) fn pattern(self, negative: bool, field: u64, fraction: &Bits) -> Bits {
        let p = u32::from(self.precision);
        let head = Bits::new(1, u64::from(negative)).concat(&Bits::new(u32::from(self.exponent), field));
        let head = if self.explicit { head.concat(&Bits::new(1, u64::from(field != 0))) } else { head };
        head.concat(&fraction.extract(p - 2, 0))
    }

    fn fraction(self, value: u64) -> Bits {
        Bits::new(u32::from(self.precision) - 1, value)
    }

    /// The quiet NaN with positive sign and empty payload.
    pub fn nan(self) -> Bits {
        let top = u32::from(self.precision) - 2;
        let quiet = Bits::from_fn(top + 1, |i| i == top);
        self.pattern(false, self.max_field(), &quiet)
    }

    /// An infinity.
    pub fn infinity(self, negative: bool) -> Bits {
        self.pattern(negative, self.max_field(), &self.fraction(0))
    }

    /// A zero.
    pub fn zero(self, negative: bool) -> Bits {
        self.pattern(negative, 0, &self.fraction(0))
    }

    /// The number of largest magnitude.
    pub fn largest(self, negative: bool) -> Bits {
        self.pattern(negative, self.max_field() - 1, &Bits::ones(u32::from(self.precision) - 1))
    }
}

/// Where a result lies that is not a number of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rounding {
    /// To the nearest number, of two to the even one.
    NearestEven,
    /// To the nearest number, of two to the one of larger magnitude.
    NearestAway,
    /// Up.
    Positive,
    /// Down.
    Negative,
    /// To the number of smaller magnitude.
    Zero,
}

impl Rounding {
    /// All of them.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Positive, Rounding::Negative, Rounding::Zero];
}

/// What a floating-point operation computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatKind {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Square root.
    Sqrt,
    /// `a * b + c`, rounded once.
    Fma,
    /// The integer that the rounding gives, as a number of the format.
    Integral,
    /// The number in another format.
    Convert {
        /// That format.
        to: Format,
    },
    /// An integer as a number of the format.
    FromInt {
        /// Bits of the integer.
        width: u32,
        /// Whether it is in two's complement.
        signed: bool,
    },
    /// The integer that the rounding gives; the nearest one of the type if it does not fit, 0 for a NaN.
    ToInt {
        /// Bits of the integer.
        width: u32,
        /// Whether it is in two's complement.
        signed: bool,
    },
    /// Equality: a NaN equals nothing, the zeroes are equal.
    Eq,
    /// Less-than; false if an operand is a NaN.
    Lt,
    /// Less-or-equal; false if an operand is a NaN.
    Le,
}

/// An operation on numbers of a format. Operations that do not round (comparisons) have rounding [`Rounding::NearestEven`],
/// so that equal operations are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FloatOp {
    /// What it computes.
    pub kind: FloatKind,
    /// The format of its operands, but for [`FloatKind::FromInt`], where it is that of the result.
    pub format: Format,
    /// How the result is rounded.
    pub rounding: Rounding,
}

impl FloatOp {
    /// The operation with rounding to nearest even.
    pub fn new(kind: FloatKind, format: Format) -> FloatOp {
        FloatOp { kind, format, rounding: Rounding::NearestEven }
    }

    /// How many operands it has.
    pub fn arity(self) -> usize {
        match self.kind {
            FloatKind::Sqrt
            | FloatKind::Integral
            | FloatKind::Convert { .. }
            | FloatKind::FromInt { .. }
            | FloatKind::ToInt { .. } => 1,
            FloatKind::Add
            | FloatKind::Sub
            | FloatKind::Mul
            | FloatKind::Div
            | FloatKind::Eq
            | FloatKind::Lt
            | FloatKind::Le => 2,
            FloatKind::Fma => 3,
        }
    }

    /// The sort of its operands.
    pub fn operand(self) -> Sort {
        match self.kind {
            FloatKind::FromInt { width, .. } => Sort::Bv(width),
            _ => Sort::Bv(self.format.width()),
        }
    }

    /// The sort of its result.
    pub fn result(self) -> Sort {
        match self.kind {
            FloatKind::Eq | FloatKind::Lt | FloatKind::Le => Sort::Bool,
            FloatKind::ToInt { width, .. } => Sort::Bv(width),
            FloatKind::Convert { to } => Sort::Bv(to.width()),
            _ => Sort::Bv(self.format.width()),
        }
    }
}

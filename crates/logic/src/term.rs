//! What a term is: sorts, nodes, and the list of operations. Data only; [`crate::store`] builds terms.

use base::define_id;

use crate::float::FloatOp;

define_id!(pub Term, "t", "A term of one [`Store`](crate::Store): equal ids are equal terms, and only those are known to be equal.");
define_id!(pub Symbol, "s", "A symbol of one [`Store`](crate::Store).");

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A bit-vector of this many bits, at least 1.
    Bv(u32),
    /// A total function from addresses to values.
    Map {
        /// Bits of an address.
        addr: u32,
        /// Bits of a value.
        value: u32,
    },
}

impl Sort {
    /// The number of bits of a bit-vector sort; panics on others.
    pub fn width(self) -> u32 {
        match self {
            Sort::Bv(width) => width,
            Sort::Bool | Sort::Map { .. } => panic!("a bit-vector was expected, not {self:?}"),
        }
    }
}

/// One node of a term as it is stored, that is, after rewriting. Operations that have no node of their own are
/// expressed by others: `x - y` is `x + y * -1`, `x <= y` is `not (y < x)`, `a or b` is `not (not a and not b)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A truth value.
    Bool(bool),
    /// A constant of at most 64 bits.
    Small {
        /// Its width.
        width: u32,
        /// Its value; bits above the width are zero.
        value: u64,
    },
    /// A constant of more than 64 bits; [`Store::constant_of`](crate::Store::constant_of) gives its value.
    Wide(u32),
    /// A symbol of any sort.
    Symbol(Symbol),
    /// Boolean negation.
    Not(Term),
    /// Boolean conjunction.
    And(Term, Term),
    /// Equality of two truth values or of two bit-vectors.
    Eq(Term, Term),
    /// If-then-else at any sort.
    Ite(Term, Term, Term),
    /// Bitwise complement.
    BvNot(Term),
    /// A binary bit-vector operation or comparison.
    Bin(BinOp, Term, Term),
    /// A floating-point operation with one operand.
    Float1(FloatOp, Term),
    /// A floating-point operation with two operands.
    Float2(FloatOp, Term, Term),
    /// A floating-point operation with three operands.
    Float3(FloatOp, Term, Term, Term),
    /// The first operand above the second.
    Concat(Term, Term),
    /// Bits `hi` down to `lo` of `arg`.
    Extract {
        /// The highest bit taken.
        hi: u32,
        /// The lowest bit taken.
        lo: u32,
        /// What they are taken from.
        arg: Term,
    },
    /// `arg` with zeroes above, `width` bits in all.
    ZeroExt {
        /// The resulting width.
        width: u32,
        /// The extended term.
        arg: Term,
    },
    /// `arg` with copies of its sign above, `width` bits in all.
    SignExt {
        /// The resulting width.
        width: u32,
        /// The extended term.
        arg: Term,
    },
    /// The value of a map symbol at an address.
    Select(Term, Term),
    /// A map but for one address: map, address, value.
    Store(Term, Term, Term),
    /// A map but for the `n` addresses from `dst` on (modulo the address width), which all have value `value`.
    SetRange {
        /// The map outside the range.
        map: Term,
        /// First address of the range.
        dst: Term,
        /// Number of addresses, as wide as an address.
        n: Term,
        /// The value inside the range.
        value: Term,
    },
    /// A map but for the `n` addresses from `dst` on (modulo the address width), where `dst + i` has the value of
    /// `src_map` at `src + i`.
    CopyRange {
        /// The map outside the range.
        map: Term,
        /// First address of the range.
        dst: Term,
        /// Number of addresses, as wide as an address.
        n: Term,
        /// The map that is copied from.
        src_map: Term,
        /// First address copied from.
        src: Term,
    },
}

/// Binary bit-vector operations that have a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinOp {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Sum modulo 2^width.
    Add,
    /// Product modulo 2^width.
    Mul,
    /// Unsigned quotient.
    Udiv,
    /// Unsigned remainder.
    Urem,
    /// Signed quotient.
    Sdiv,
    /// Signed remainder.
    Srem,
    /// Left shift.
    Shl,
    /// Right shift filling with zero.
    Lshr,
    /// Right shift filling with the sign.
    Ashr,
    /// Unsigned less-than.
    Ult,
    /// Signed less-than.
    Slt,
}

impl Node {
    /// The operands, in order.
    pub fn args(&self) -> Args {
        let (list, len) = match *self {
            Node::Bool(_) | Node::Small { .. } | Node::Wide(_) | Node::Symbol(_) => ([None; 5], 0),
            Node::Not(a)
            | Node::BvNot(a)
            | Node::Float1(_, a)
            | Node::Extract { arg: a, .. }
            | Node::ZeroExt { arg: a, .. }
            | Node::SignExt { arg: a, .. } => ([Some(a), None, None, None, None], 1),
            Node::And(a, b)
            | Node::Eq(a, b)
            | Node::Bin(_, a, b)
            | Node::Float2(_, a, b)
            | Node::Concat(a, b)
            | Node::Select(a, b) => ([Some(a), Some(b), None, None, None], 2),
            Node::Ite(a, b, c) | Node::Store(a, b, c) | Node::Float3(_, a, b, c) => {
                ([Some(a), Some(b), Some(c), None, None], 3)
            }
            Node::SetRange { map, dst, n, value } => ([Some(map), Some(dst), Some(n), Some(value), None], 4),
            Node::CopyRange { map, dst, n, src_map, src } => {
                ([Some(map), Some(dst), Some(n), Some(src_map), Some(src)], 5)
            }
        };
        Args { list, next: 0, len }
    }
}

/// The operands of a node; see [`Node::args`].
#[derive(Clone, Debug)]
pub struct Args {
    list: [Option<Term>; 5],
    next: usize,
    len: usize,
}

impl Iterator for Args {
    type Item = Term;
    fn next(&mut self) -> Option<Term> {
        if self.next == self.len {
            return None;
        }
        self.next += 1;
        self.list[self.next - 1]
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len - self.next, Some(self.len - self.next))
    }
}

impl ExactSizeIterator for Args {}

/// Every operation on truth values and bit-vectors that a term can be built with, as SMT-LIB 2 names them; the
/// argument of [`Store::apply`](crate::Store::apply) and of [`eval::apply`](crate::eval::apply).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are SMT-LIB's")]
pub enum Op {
    Not,
    And,
    Or,
    Xor,
    Implies,
    /// Equality of truth values or bit-vectors.
    Eq,
    /// If-then-else of truth values or bit-vectors.
    Ite,
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    Concat,
    Extract {
        hi: u32,
        lo: u32,
    },
    /// Extension with zeroes *to* this width (SMT-LIB counts the added bits).
    ZeroExt {
        width: u32,
    },
    /// Extension with the sign *to* this width (SMT-LIB counts the added bits).
    SignExt {
        width: u32,
    },
    /// A floating-point operation.
    Float(FloatOp),
}

//! Word-level rewriting at construction.
//!
//! Every rule is an equality that holds for all values of its operands, modulo 2^width, bit for bit. Each is named in
//! [`Rule`] and counted when applied, and the tests demand that random terms exercise every one of them against the
//! direct evaluator. Rules that build new terms below the one under construction share a small amount of fuel per
//! outermost call, so construction takes bounded time and bounded stack whatever the shape of the operands; running out
//! of it gives a larger term, never a different one.

mod arith;
mod bitwise;
mod boolean;
mod compare;
mod float;
mod maps;
mod slice;

use crate::store::Store;
use crate::term::Term;

/// How many times rules may descend within one outermost construction.
const FUEL: u32 = 64;
/// How deep they may nest.
const DEPTH: u32 = 24;

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The rewrite rules.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule { $($(#[$doc])* $name,)* }
        impl Rule {
            /// All rules.
            pub const ALL: &'static [Rule] = &[$(Rule::$name,)*];
        }
    };
}

rules! {
    /// A choice between sums that differ by a constant is the sum and a choice between constants.
    IteOffset,
    /// Summands that choose between constants by one condition are one summand.
    SumChoices,
    /// An operation on constants is its value.
    Fold,
    /// A truth value as operand decides or vanishes.
    BoolConst,
    /// Double negation.
    NotNot,
    /// A conjunct implied by the other.
    AndAbsorbs,
    /// A conjunct that contradicts the other.
    AndContradiction,
    /// `a and not (a and b)` is `a and not b`.
    AndResolves,
    /// Equality of a term with itself or its negation.
    EqSame,
    /// Negations leave an equivalence.
    IffSign,
    /// A constant condition.
    IteConst,
    /// A negated condition swaps the branches.
    IteNot,
    /// A branch that asks the same condition again.
    IteSameCond,
    /// Equal branches.
    IteSame,
    /// A choice of truth values as conjunction, disjunction or equivalence.
    IteBool,
    /// `ite(c, a, ite(d, a, b))` is `ite(c or d, a, b)`.
    IteMerge,
    /// Sums are normalised.
    Linear,
    /// `x - x`.
    SubSame,
    /// Zero as summand of more than 64 bits.
    WideAdd,
    /// A constant factor enters a sum.
    MulConst,
    /// Constant factors leave a product.
    MulPull,
    /// Constant factors of more than 64 bits.
    WideMul,
    /// Division by zero.
    DivZero,
    /// Unsigned division by a power of two.
    DivPower,
    /// Division of an extended operand by a constant happens below the extension.
    DivNarrow,
    /// The remainder of a sum, by that of what is left without a constant, a choice between constants, or a minus.
    RemSum,
    /// The remainder of a signed number by a constant, by those of unsigned ones.
    RemSigned,
    /// Signed division by 1, -1, or of operands that are not negative; remainder by a negative constant.
    DivSigned,
    /// Signed division by a power of two.
    DivPowerSigned,
    /// Double complement.
    BvNotNot,
    /// Both operands the same.
    BitwiseSame,
    /// An operand and its complement.
    BitwiseComplement,
    /// All zeroes or all ones as operand.
    BitwiseConst,
    /// Two constants meet.
    BitwiseConsts,
    /// Bitwise operations below a zero extension.
    BitwiseExtended,
    /// Masking the low bits.
    MaskLow,
    /// Complements leave an exclusive or.
    XorNot,
    /// Or of operands without common bits is a concatenation.
    OrDisjoint,
    /// A shift by a constant.
    ShiftConst,
    /// A shift of zero.
    ShiftZero,
    /// An arithmetic shift of what is not negative.
    AshrNonnegative,
    /// Extract of extract.
    ExtractExtract,
    /// Extract of a concatenation.
    ExtractConcat,
    /// Extract of an extension.
    ExtractExtended,
    /// Extract of a choice between constants or the like.
    ExtractIte,
    /// Extract of a bitwise operation.
    ExtractBitwise,
    /// The low bits of a sum or product.
    ExtractArith,
    /// Extract of a multiple by a power of two.
    ExtractShifted,
    /// Zeroes above are an extension.
    ConcatZero,
    /// Adjacent pieces of one term.
    ConcatExtracts,
    /// Two choices with one condition.
    ConcatIte,
    /// An extension above.
    ConcatExtended,
    /// Concatenations lean to the right.
    ConcatRight,
    /// Extension of an extension.
    ExtendExtended,
    /// Extension of a choice between constants.
    ExtendIte,
    /// Equations of sums are normalised.
    EqLinear,
    /// A constant outside the range of an extended operand.
    CompareRange,
    /// Operands that fit a narrower width are compared there.
    CompareNarrow,
    /// Equality of concatenations.
    EqConcat,
    /// Equality of complements.
    EqNot,
    /// Equality with a choice that decides.
    EqIte,
    /// Order of a term with itself.
    LessSame,
    /// Order against extreme or left-hand constants.
    LessConst,
    /// Order of two places in one object.
    LessOffset,
    /// Order of two terms whose difference is constant.
    LessDifference,
    /// A choice between constants against a constant.
    LessIte,
    /// Signed order of operands that are not negative.
    SltNonnegative,
    /// Signed order of negative operands.
    SltNegative,
    /// A store overwrites one at the same address.
    StoreStore,
    /// Storing what is there.
    StoreBack,
    /// A range of no addresses.
    RangeEmpty,
    /// A range of one address.
    RangeOne,
    /// A read of a choice of maps.
    SelectIte,
    /// A read at one of a few places of an object.
    SelectCells,
    /// A read through a store.
    SelectStore,
    /// A read through a set range.
    SelectSetRange,
    /// A read through a copied range.
    SelectCopyRange,
    /// A floating-point number compared with itself or with what is not a number.
    FloatSelf,
    /// A floating-point operation with a neutral constant.
    FloatNeutral,
    /// Division by a power of two is multiplication.
    FloatPower,
    /// Comparison of numbers that came from a narrower format happens there.
    FloatNarrow,
    /// A sum of converted integers is the converted sum.
    FloatIntSum,
    /// Comparison of a converted integer with another or with a constant is one of integers.
    FloatIntCompare,
    /// Conversion of an extended integer is that of the integer.
    FloatExtended,
    /// A conversion to a wider format and back.
    FloatBack,
}

impl Store {
    /// Counts that `rule` produced `t`.
    fn by(&mut self, rule: Rule, t: Term) -> Term {
        self.fired[rule as usize] += 1;
        t
    }

    /// Takes fuel to build something below the term under construction; [`Store::ascend`] must follow if it was there.
    fn descend(&mut self) -> bool {
        if self.depth == 0 {
            self.fuel = FUEL;
        }
        if self.fuel == 0 || self.depth == DEPTH {
            return false;
        }
        self.fuel -= 1;
        self.depth += 1;
        true
    }

    fn ascend(&mut self) {
        self.depth -= 1;
    }

    fn same_width(&self, a: Term, b: Term) -> u32 {
        let (width, other) = (self.width(a), self.width(b));
        assert_eq!(width, other, "both operands have the same width");
        width
    }
}

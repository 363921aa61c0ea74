//! C's integer types as the generators see them: size, sign, rank, promotion, the usual arithmetic conversions, and
//! the type of a literal.
//!
//! This is a second writing of rules that `lower` also knows. It is kept apart on purpose: a generator that asked
//! `lower` for types would inherit its mistakes. It is used only to keep generated programs inside defined behaviour
//! (shift counts below the width, divisors that are neither 0 nor -1), never to predict a result: results come from a
//! compiler.

use ir::DataModel;

/// An integer type of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CType {
    /// `_Bool`
    Bool,
    /// `char`, which is signed on x86
    Char,
    /// `signed char`
    SChar,
    /// `unsigned char`
    UChar,
    /// `short`
    Short,
    /// `unsigned short`
    UShort,
    /// `int`
    Int,
    /// `unsigned int`
    UInt,
    /// `long`
    Long,
    /// `unsigned long`
    ULong,
    /// `long long`
    LLong,
    /// `unsigned long long`
    ULLong,
    /// An enumerated type. Gcc gives it `int` if it has a negative member, `unsigned int` otherwise.
    Enum {
        /// Which enumeration of the program.
        id: u8,
        /// It has a negative member.
        signed: bool,
    },
}

/// The types that every program can name.
pub const BASIC: [CType; 12] = [
    CType::Bool,
    CType::Char,
    CType::SChar,
    CType::UChar,
    CType::Short,
    CType::UShort,
    CType::Int,
    CType::UInt,
    CType::Long,
    CType::ULong,
    CType::LLong,
    CType::ULLong,
];

impl CType {
    /// Number of value bits including the sign; 1 for `_Bool`, although it fills a byte.
    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            CType::Bool => 1,
            CType::Char | CType::SChar | CType::UChar => 8,
            CType::Short | CType::UShort => 16,
            CType::Int | CType::UInt | CType::Enum { .. } => 32,
            CType::Long | CType::ULong => match model {
                DataModel::Ilp32 => 32,
                DataModel::Lp64 => 64,
            },
            CType::LLong | CType::ULLong => 64,
        }
    }

    /// Whether the type has negative values.
    pub fn signed(self) -> bool {
        match self {
            CType::Char | CType::SChar | CType::Short | CType::Int | CType::Long | CType::LLong => true,
            CType::Bool | CType::UChar | CType::UShort | CType::UInt | CType::ULong | CType::ULLong => false,
            CType::Enum { signed, .. } => signed,
        }
    }

    /// Conversion rank (C11 6.3.1.1).
    fn rank(self) -> u8 {
        match self {
            CType::Bool => 0,
            CType::Char | CType::SChar | CType::UChar => 1,
            CType::Short | CType::UShort => 2,
            CType::Int | CType::UInt | CType::Enum { .. } => 3,
            CType::Long | CType::ULong => 4,
            CType::LLong | CType::ULLong => 5,
        }
    }

    /// The integer promotions (C11 6.3.1.1p2): what fits `int` becomes `int`.
    pub fn promoted(self) -> CType {
        match self {
            CType::Enum { signed: true, .. } => CType::Int,
            CType::Enum { signed: false, .. } => CType::UInt,
            t if t.rank() < CType::Int.rank() => CType::Int,
            t => t,
        }
    }

    /// The unsigned type of the same rank, for a promoted type.
    fn to_unsigned(self) -> CType {
        match self {
            CType::Int => CType::UInt,
            CType::Long => CType::ULong,
            CType::LLong => CType::ULLong,
            t => t,
        }
    }

    /// The smallest value.
    pub fn min(self, model: DataModel) -> i128 {
        if self.signed() { -(1i128 << (self.bits(model) - 1)) } else { 0 }
    }

    /// The largest value.
    pub fn max(self, model: DataModel) -> i128 {
        let bits = self.bits(model) - u32::from(self.signed());
        (1i128 << bits) - 1
    }

    /// Whether the value can be represented.
    pub fn holds(self, value: i128, model: DataModel) -> bool {
        (self.min(model)..=self.max(model)).contains(&value)
    }

    /// The value after conversion to this type (modulo the width; to 0 or 1 for `_Bool`).
    pub fn convert(self, value: i128, model: DataModel) -> i128 {
        if self == CType::Bool {
            return i128::from(value != 0);
        }
        let bits = self.bits(model);
        let low = value & ((1i128 << bits) - 1);
        if self.signed() && low > self.max(model) { low - (1i128 << bits) } else { low }
    }

    /// The spelling that a declaration uses if nothing else is asked for; enumerations are spelled by their owner.
    pub fn keyword(self) -> &'static str {
        match self {
            CType::Bool => "_Bool",
            CType::Char => "char",
            CType::SChar => "signed char",
            CType::UChar => "unsigned char",
            CType::Short => "short",
            CType::UShort => "unsigned short",
            CType::Int => "int",
            CType::UInt => "unsigned int",
            CType::Long => "long",
            CType::ULong => "unsigned long",
            CType::LLong => "long long",
            CType::ULLong => "unsigned long long",
            CType::Enum { .. } => "unsigned",
        }
    }

    /// Other spellings of the same type, which a front end must read alike.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            CType::Bool => &["_Bool"],
            CType::Char => &["char"],
            CType::SChar => &["signed char", "char signed"],
            CType::UChar => &["unsigned char", "char unsigned"],
            CType::Short => &["short", "short int", "signed short", "int short"],
            CType::UShort => &["unsigned short", "unsigned short int", "short unsigned"],
            CType::Int => &["int", "signed", "signed int", "int signed"],
            CType::UInt => &["unsigned int", "unsigned", "int unsigned"],
            CType::Long => &["long", "long int", "signed long", "long signed int"],
            CType::ULong => &["unsigned long", "unsigned long int", "long unsigned"],
            CType::LLong => &["long long", "long long int", "signed long long", "long int long"],
            CType::ULLong => &["unsigned long long", "unsigned long long int", "long unsigned long"],
            CType::Enum { .. } => &["unsigned"],
        }
    }
}

/// The usual arithmetic conversions (C11 6.3.1.8) of two operand types.
pub fn common_type(a: CType, b: CType, model: DataModel) -> CType {
    let (a, b) = (a.promoted(), b.promoted());
    if a.signed() == b.signed() {
        return if a.rank() >= b.rank() { a } else { b };
    }
    let (s, u) = if a.signed() { (a, b) } else { (b, a) };
    if u.rank() >= s.rank() {
        u
    } else if s.bits(model) > u.bits(model) {
        s
    } else {
        s.to_unsigned()
    }
}

/// How a literal is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radix {
    /// `10`
    Decimal,
    /// `0x10`
    Hex,
    /// `010`
    Octal,
}

/// The type of an integer literal (C11 6.4.4.1p5), or `None` if no type of the list holds the value.
pub fn literal_type(value: u64, radix: Radix, unsigned: bool, longs: u8, model: DataModel) -> Option<CType> {
    let ladder = [[CType::Int, CType::UInt], [CType::Long, CType::ULong], [CType::LLong, CType::ULLong]];
    ladder[usize::from(longs)..].iter().find_map(|[s, u]| {
        if !unsigned && s.holds(i128::from(value), model) {
            Some(*s)
        } else if (unsigned || radix != Radix::Decimal) && u.holds(i128::from(value), model) {
            Some(*u)
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_follow_the_data_model() {
        let (m32, m64) = (DataModel::Ilp32, DataModel::Lp64);
        assert_eq!(common_type(CType::Long, CType::UInt, m64), CType::Long);
        assert_eq!(common_type(CType::Long, CType::UInt, m32), CType::ULong);
        assert_eq!(common_type(CType::UChar, CType::Short, m64), CType::Int);
        assert_eq!(literal_type(2_147_483_648, Radix::Decimal, false, 0, m64), Some(CType::Long));
        assert_eq!(literal_type(2_147_483_648, Radix::Decimal, false, 0, m32), Some(CType::LLong));
        assert_eq!(literal_type(2_147_483_648, Radix::Hex, false, 0, m32), Some(CType::UInt));
        assert_eq!(literal_type(u64::MAX, Radix::Decimal, false, 0, m64), None);
        assert_eq!(CType::SChar.convert(200, m64), -56);
    }
}

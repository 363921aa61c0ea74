//! What C leaves to the machine, for each machine that is known.
//!
//! Judge: Debian's cross compilers, by assertions about sizes, alignments, offsets and signs that they compile
//! (`tests/machines.rs`).

use crate::types::{IntKind, Target};

/// The choices of a machine's ABI. All machines here store numbers with their lowest byte first, and have a `short` of 16, an `int` of
/// 32 and a `long long` of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Abi {
    /// Bits of a pointer.
    pub pointer: u32,
    /// Bits of `long`.
    pub long: u32,
    /// Whether `char` is unsigned.
    pub unsigned_char: bool,
    /// Whether an enumeration has the smallest type that holds its values.
    pub short_enums: bool,
    /// The type of wide characters.
    pub wide_char: IntKind,
    /// The largest alignment of a scalar as a member, but for those of 16 bytes.
    pub member_align: u64,
    /// What `aligned` without a number asks for.
    pub most_align: u64,
    /// The largest alignment that a vector has by itself.
    pub vector_align: u64,
    /// What `long double` is.
    pub long_double: LongDouble,
    /// What `va_list` is.
    pub va_list: VaList,
    /// Whether bit-fields without a name count for the alignment of their record.
    pub unnamed_bits_align: bool,
    /// Whether bit-fields lie as Microsoft's compiler lays them out: only those of one size share a unit.
    pub runs_of_bits: bool,
}

/// The formats of `long double`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LongDouble {
    /// The x87 format, in so many bytes.
    X87 {
        /// 12 or 16.
        size: u64,
    },
    /// That of `double`.
    Double,
    /// IEEE binary128.
    Quad,
}

/// The forms of `va_list`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VaList {
    /// `char *`.
    CharPointer,
    /// `void *`.
    Pointer,
    /// An array of one structure: x86-64.
    Array,
    /// A structure with one pointer: 32-bit Arm.
    Record,
    /// A structure of five members: 64-bit Arm.
    Registers,
}

/// The machines that have a name, beside x86.
pub const MACHINES: [&str; 7] = ["arm-none-eabi", "aarch64", "riscv32", "riscv64", "i686", "x86_64", WINDOWS];

/// The name of 64-bit Windows, whose data model is LLP64: only `long long` and pointers have 64 bits.
pub const WINDOWS: &str = "x86_64-w64-mingw32";

impl Target {
    /// What it chooses.
    pub fn abi(self) -> Abi {
        match self {
            Target::Ilp32 => Abi {
                pointer: 32,
                long: 32,
                unsigned_char: false,
                short_enums: false,
                wide_char: IntKind::Long,
                member_align: 4,
                most_align: 16,
                vector_align: u64::MAX,
                long_double: LongDouble::X87 { size: 12 },
                va_list: VaList::CharPointer,
                unnamed_bits_align: false,
                runs_of_bits: false,
            },
            Target::Lp64 => Abi {
                pointer: 64,
                long: 64,
                wide_char: IntKind::Int,
                member_align: 16,
                long_double: LongDouble::X87 { size: 16 },
                va_list: VaList::Array,
                ..Target::Ilp32.abi()
            },
            Target::Other(abi) => abi,
        }
    }

    /// The machine of this name.
    pub fn named(name: &str) -> Option<Target> {
        let arm = Abi {
            unsigned_char: true,
            short_enums: true,
            wide_char: IntKind::UInt,
            member_align: 16,
            most_align: 8,
            vector_align: 8,
            long_double: LongDouble::Double,
            va_list: VaList::Record,
            unnamed_bits_align: true,
            ..Target::Ilp32.abi()
        };
        let aarch64 = Abi {
            pointer: 64,
            long: 64,
            short_enums: false,
            most_align: 16,
            vector_align: 16,
            long_double: LongDouble::Quad,
            va_list: VaList::Registers,
            ..arm
        };
        let riscv64 = Abi {
            wide_char: IntKind::Int,
            vector_align: u64::MAX,
            va_list: VaList::Pointer,
            unnamed_bits_align: false,
            ..aarch64
        };
        Some(match name {
            "i686" => Target::Ilp32,
            "x86_64" => Target::Lp64,
            WINDOWS => Target::Other(Abi {
                long: 32,
                wide_char: IntKind::UShort,
                va_list: VaList::CharPointer,
                runs_of_bits: true,
                ..Target::Lp64.abi()
            }),
            "arm-none-eabi" => Target::Other(arm),
            "aarch64" => Target::Other(aarch64),
            "riscv64" => Target::Other(riscv64),
            "riscv32" => Target::Other(Abi { pointer: 32, long: 32, wide_char: IntKind::Int, ..riscv64 }),
            _ => return None,
        })
    }

    /// The same machine with other choices: `-funsigned-char`, `-fshort-enums`, where they are given.
    #[must_use]
    pub fn with(self, unsigned_char: Option<bool>, short_enums: Option<bool>) -> Target {
        let own = self.abi();
        let abi = Abi {
            unsigned_char: unsigned_char.unwrap_or(own.unsigned_char),
            short_enums: short_enums.unwrap_or(own.short_enums),
            ..own
        };
        if abi == own { self } else { Target::Other(abi) }
    }
}

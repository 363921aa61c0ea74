//! C types, interned: equal types have equal [`TypeId`]s, so that "same type" is one comparison.
//!
//! Invariants: qualifiers belong to the id (`const int` and `int` are two ids; [`Types::unqualified`] leads from one to
//! the other); qualifiers of an array sit on its elements; a record or enum is one [`RecordId`] or [`EnumId`] for its
//! whole life, complete or not; a type that contains others has a larger id than they have, but for records.

use crate::abi::Abi;
use crate::symbol::Symbol;
use crate::tree::VarId;
use base::{IndexVec, Span, define_id};
use rustc_hash::FxHashMap;

define_id!(pub TypeId, "t", "An interned C type, with its qualifiers.");
define_id!(pub RecordId, "r", "A struct or union.");
define_id!(pub EnumId, "e", "An enumeration.");

/// What C leaves to the machine: by name for gcc on x86, by its [`Abi`] for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// `gcc -m32`: `long` and pointers have 32 bits.
    Ilp32,
    /// `gcc -m64`: `long` and pointers have 64 bits.
    Lp64,
    /// Another machine, or x86 with other choices.
    Other(Abi),
}

/// Qualifiers as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quals(pub u8);

impl Quals {
    /// No qualifier.
    pub const NONE: Quals = Quals(0);
    /// `const`.
    pub const CONST: Quals = Quals(1);
    /// `volatile`.
    pub const VOLATILE: Quals = Quals(2);
    /// `restrict`.
    pub(crate) const RESTRICT: Quals = Quals(4);
    /// `_Atomic`.
    pub(crate) const ATOMIC: Quals = Quals(8);

    /// Both sets together.
    #[must_use]
    pub fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }

    /// Whether all of `other` is in this set.
    pub fn has(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Integer types; `char` is a type of its own, signed ([`IntKind::Char`]) or not ([`IntKind::PlainUChar`]) by the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "named after the C types")]
pub enum IntKind {
    /// An integer of a width (1 to 128) that no type of C has: only [annotations](crate::annotation) name it. It is promoted
    /// as a bit-field of its width would be.
    Bits {
        width: u8,
        signed: bool,
    },
    Bool,
    Char,
    /// `char` where it is unsigned; it stands in the place of `Char` then, as [`basic::CHAR`].
    PlainUChar,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

/// Floating types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatKind {
    /// `_Float16`: 11 bits of precision.
    Float16,
    /// `float` and `_Float32` (told apart nowhere but in messages).
    Float,
    /// `double`, `_Float32x`, `_Float64`.
    Double,
    /// `long double`: the x87 format, 12 bytes in ILP32 and 16 in LP64; also `_Float64x`.
    LongDouble,
    /// `__float128`, `_Float128`: IEEE binary128.
    Float128,
    /// `_Decimal32`.
    Decimal32,
    /// `_Decimal64`.
    Decimal64,
    /// `_Decimal128`.
    Decimal128,
}

/// How many elements an array has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayLen {
    /// A constant number; 0 is GNU's zero-length array.
    Fixed(u64),
    /// `[]`: an incomplete type; as the last member of a struct, a flexible array.
    Unknown,
    /// A variable length array: the length is the value of this hidden variable of type `size_t`, which a
    /// [`StmtKind::Decl`](crate::tree::StmtKind::Decl) or [`ExprKind::Let`](crate::tree::ExprKind::Let) sets before the
    /// type is used.
    Variable(VarId),
    /// `[*]` in a prototype: never the type of an object.
    Star,
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// What it returns.
    pub ret: TypeId,
    /// Types of the parameters, arrays and functions already adjusted to pointers, without qualifiers.
    pub params: Box<[TypeId]>,
    /// Whether `...` follows.
    pub variadic: bool,
    /// False for `f()` and for K&R definitions: calls are then not checked and arguments are promoted by default.
    pub prototype: bool,
}

/// A type without its own qualifiers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// An integer type, `_Bool` included.
    Int(IntKind),
    /// A real floating type.
    Float(FloatKind),
    /// `_Complex` of a floating or (GNU) integer type. Operators on such values are operators on their parts.
    Complex(TypeId),
    /// A GNU vector (`vector_size`) of this many elements. Operators on such values are operators on their elements.
    Vector(TypeId, u64),
    /// A pointer.
    Pointer(TypeId),
    /// An array.
    Array(TypeId, ArrayLen),
    /// A function.
    Function(Signature),
    /// A struct or union.
    Record(RecordId),
    /// An enumeration; its values are those of [`EnumDef::underlying`].
    Enum(EnumId),
}

/// The bits of a bit-field: `width` bits from bit `lo` (0..8) of the byte at the field's offset, least significant first
/// (x86 is little-endian). May reach over several bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitRange {
    /// First bit within the byte at the field's offset.
    pub lo: u8,
    /// Number of bits; never 0 here.
    pub width: u8,
}

impl BitRange {
    /// The number of bytes, from the field's offset, that hold some of the bits.
    pub fn bytes(self) -> u64 {
        (u64::from(self.lo) + u64::from(self.width)).div_ceil(8)
    }
}

/// A member of a struct or union. Unnamed bit-fields are padding and have no entry.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name; `None` for an anonymous struct or union, whose members are found through it.
    pub name: Option<Symbol>,
    /// The declared type.
    pub ty: TypeId,
    /// Byte offset from the start of the record.
    pub offset: u64,
    /// The alignment that its offset was chosen for; of no meaning for a bit-field.
    pub align: u64,
    /// For a bit-field, its bits.
    pub bits: Option<BitRange>,
    /// Where it was declared.
    pub span: Span,
}

/// Struct or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after the C keywords")]
pub enum RecordKind {
    Struct,
    Union,
}

/// What is known of the places of a record's members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// [`RecordDef::size`] and [`Field::offset`].
    Fixed,
    /// A member of a struct has variable length (GNU). Size and offsets are the values of hidden variables of type `size_t`, which are set
    /// as that of [`ArrayLen::Variable`]; a member without such a variable lies at its [`Field::offset`].
    Variable {
        /// The size.
        size: VarId,
        /// The offsets of the members.
        offsets: Box<[Option<VarId>]>,
    },
    /// Nothing: a layout of another compiler, or a union or a struct with bit-fields whose members have variable length. Objects are `Unsupported`.
    Unknown,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct RecordDef {
    /// Which of the two.
    pub kind: RecordKind,
    /// The tag, if it has one.
    pub tag: Option<Symbol>,
    /// Whether the members are known.
    pub complete: bool,
    /// The members in order.
    pub fields: Vec<Field>,
    /// Size in bytes (0 while incomplete).
    pub size: u64,
    /// Alignment in bytes (1 while incomplete).
    pub align: u64,
    /// `__attribute__((transparent_union))`.
    pub transparent: bool,
    /// Whether size and offsets are constants.
    pub lengths: Lengths,
    /// Where it was first mentioned.
    pub span: Span,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// The tag, if it has one.
    pub tag: Option<Symbol>,
    /// Whether the enumerators are known.
    pub complete: bool,
    /// The compatible integer type: `unsigned int` unless a value is negative (`int`) or too large (the `long` types).
    pub underlying: TypeId,
    /// The enumerators in order.
    pub values: Vec<(Symbol, i128)>,
    /// Where it was first mentioned.
    pub span: Span,
}

#[derive(Clone, Debug)]
struct Entry {
    ty: Type,
    quals: Quals,
    /// Alignment given by `aligned` on a typedef, as its logarithm plus 1; 0 for none.
    align: u8,
    unqualified: TypeId,
    depth: u32,
}

/// All types of one translation unit.
#[derive(Clone, Debug)]
pub struct Types {
    /// The data model.
    pub target: Target,
    entries: IndexVec<TypeId, Entry>,
    index: FxHashMap<(Type, Quals, u8), TypeId>,
    /// Structs and unions.
    pub records: IndexVec<RecordId, RecordDef>,
    /// Enumerations.
    pub enums: IndexVec<EnumId, EnumDef>,
}

impl Types {
    /// The basic types of `target`.
    pub fn new(target: Target) -> Types {
        let mut types = Types {
            target,
            entries: IndexVec::new(),
            index: FxHashMap::default(),
            records: IndexVec::new(),
            enums: IndexVec::new(),
        };
        for (want, ty) in basic::ALL.iter().zip(basic::kinds()) {
            let ty = match ty {
                Type::Int(IntKind::Char) if target.abi().unsigned_char => Type::Int(IntKind::PlainUChar),
                ty => ty,
            };
            let got = types.intern(ty);
            assert!(got == *want, "basic types have fixed ids");
        }
        for (width, signed) in (1..=128).flat_map(|width| [(width, false), (width, true)]) {
            let got = types.intern(Type::Int(IntKind::Bits { width, signed }));
            assert!(got == basic::bits(width, signed), "integers of any width have fixed ids");
        }
        types
    }

    /// The id of an unqualified type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.index.get(&(ty.clone(), Quals::NONE, 0)) {
            return id;
        }
        let depth = match &ty {
            Type::Pointer(t) | Type::Array(t, _) | Type::Complex(t) | Type::Vector(t, _) => self.entries[*t].depth + 1,
            Type::Function(s) => {
                1 + s.params.iter().chain(std::iter::once(&s.ret)).map(|t| self.entries[*t].depth).max().unwrap_or(0)
            }
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Record(_) | Type::Enum(_) => 0,
        };
        let id = self.entries.next_id();
        self.entries.push(Entry { ty: ty.clone(), quals: Quals::NONE, align: 0, unqualified: id, depth });
        self.index.insert((ty, Quals::NONE, 0), id);
        id
    }

    /// `ty` with `quals` added; on an array they go to the elements.
    pub(crate) fn qualified(&mut self, ty: TypeId, quals: Quals) -> TypeId {
        let entry = &self.entries[ty];
        let all = entry.quals.with(quals);
        if all == entry.quals {
            return ty;
        }
        if let Type::Array(elem, len) = entry.ty {
            let elem = self.qualified(elem, quals);
            return self.intern(Type::Array(elem, len));
        }
        let align = entry.align;
        self.variant(ty, all, align)
    }

    /// `ty` with an alignment of its own (a power of two), as `aligned` on a typedef gives it.
    pub fn aligned(&mut self, ty: TypeId, align: u64) -> TypeId {
        let log = align.max(1).trailing_zeros() as u8 + 1;
        let quals = self.entries[ty].quals;
        self.variant(ty, quals, log)
    }

    /// The alignment that [`Types::aligned`] gave the type.
    pub(crate) fn own_align(&self, ty: TypeId) -> Option<u64> {
        self.entries[ty].align.checked_sub(1).map(|log| 1 << log)
    }

    fn variant(&mut self, ty: TypeId, quals: Quals, align: u8) -> TypeId {
        let entry = &self.entries[ty];
        let (kind, unqualified, depth) = (entry.ty.clone(), entry.unqualified, entry.depth);
        if let Some(&id) = self.index.get(&(kind.clone(), quals, align)) {
            return id;
        }
        let id = self.entries.push(Entry { ty: kind.clone(), quals, align, unqualified, depth });
        self.index.insert((kind, quals, align), id);
        id
    }

    /// The type without its own qualifiers and alignment (an array's elements keep theirs).
    pub fn unqualified(&self, ty: TypeId) -> TypeId {
        self.entries[ty].unqualified
    }

    /// The type's own qualifiers; an array has those of its elements.
    pub fn quals(&self, ty: TypeId) -> Quals {
        match self.entries[ty].ty {
            Type::Array(elem, _) => self.quals(elem),
            _ => self.entries[ty].quals,
        }
    }

    /// What the type is.
    pub fn get(&self, ty: TypeId) -> &Type {
        &self.entries[ty].ty
    }

    /// How deeply the type is nested in itself: recursion over a type is bounded by this.
    pub fn depth(&self, ty: TypeId) -> u32 {
        self.entries[ty].depth
    }

    /// A pointer to `ty`.
    pub fn pointer(&mut self, ty: TypeId) -> TypeId {
        self.intern(Type::Pointer(ty))
    }

    /// The integer kind of an integer type, `_Bool` and enumerations included.
    pub fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        match self.entries[ty].ty {
            Type::Int(k) => Some(k),
            Type::Enum(e) => self.int_kind(self.enums[e].underlying),
            _ => None,
        }
    }

    /// The floating kind of a real floating type.
    pub(crate) fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match self.entries[ty].ty {
            Type::Float(k) => Some(k),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.entries[ty].ty {
            Type::Pointer(t) => Some(t),
            _ => None,
        }
    }

    /// The signature of a function type.
    pub fn signature(&self, ty: TypeId) -> Option<&Signature> {
        match &self.entries[ty].ty {
            Type::Function(s) => Some(s),
            _ => None,
        }
    }

    /// The record of a struct or union type.
    pub fn record(&self, ty: TypeId) -> Option<RecordId> {
        match self.entries[ty].ty {
            Type::Record(r) => Some(r),
            _ => None,
        }
    }

    /// Integer, enumeration or real floating.
    pub(crate) fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.int_kind(ty).is_some() || self.float_kind(ty).is_some()
    }

    /// Arithmetic or pointer.
    pub(crate) fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || self.pointee(ty).is_some()
    }

    /// `void`, with whatever qualifiers.
    pub fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.entries[ty].ty, Type::Void)
    }

    /// An array.
    pub fn is_array(&self, ty: TypeId) -> bool {
        matches!(self.entries[ty].ty, Type::Array(..))
    }

    /// A function.
    pub fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.entries[ty].ty, Type::Function(_))
    }

    /// A value of this type is an object that is copied as a whole: a record, a complex number, a vector.
    pub fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.entries[ty].ty, Type::Record(_) | Type::Complex(_) | Type::Vector(..))
    }

    /// The type of the lane with this index of a complex number or vector, and the lane's byte offset.
    pub fn lane(&self, ty: TypeId, index: u32) -> Option<(TypeId, u64)> {
        let (Type::Complex(part) | Type::Vector(part, _)) = self.entries[ty].ty else { return None };
        Some((part, self.size(part)? * u64::from(index)))
    }

    /// Types whose operators are taken apart: complex and vector.
    pub(crate) fn is_exotic(&self, ty: TypeId) -> bool {
        matches!(self.entries[ty].ty, Type::Complex(_) | Type::Vector(..))
    }

    /// Whether some array in the type has a variable length (pointers are not followed).
    pub fn is_vla(&self, ty: TypeId) -> bool {
        match self.entries[ty].ty {
            Type::Array(_, ArrayLen::Variable(_)) => true,
            Type::Array(elem, _) => self.is_vla(elem),
            Type::Record(r) => matches!(self.records[r].lengths, Lengths::Variable { .. }),
            _ => false,
        }
    }
}

/// The ids of the basic types, the same in every [`Types`] table.
pub mod basic {
    use super::{FloatKind, IntKind, Type, TypeId};

    macro_rules! basics {
        ($($name:ident = $kind:expr;)*) => {
            /// Positions of the basic types.
            #[expect(clippy::upper_case_acronyms, reason = "private positions")]
            enum Position { $($name),* }
            $(
                #[doc = concat!("The basic type `", stringify!($name), "`.")]
                pub const $name: TypeId = TypeId(Position::$name as u32);
            )*
            /// All basic types in order.
            pub(super) const ALL: &[TypeId] = &[$($name),*];
            pub(super) fn kinds() -> Vec<Type> { vec![$($kind),*] }
        };
    }

    basics! {
        VOID = Type::Void;
        BOOL = Type::Int(IntKind::Bool);
        CHAR = Type::Int(IntKind::Char);
        SCHAR = Type::Int(IntKind::SChar);
        UCHAR = Type::Int(IntKind::UChar);
        SHORT = Type::Int(IntKind::Short);
        USHORT = Type::Int(IntKind::UShort);
        INT = Type::Int(IntKind::Int);
        UINT = Type::Int(IntKind::UInt);
        LONG = Type::Int(IntKind::Long);
        ULONG = Type::Int(IntKind::ULong);
        LONGLONG = Type::Int(IntKind::LongLong);
        ULONGLONG = Type::Int(IntKind::ULongLong);
        INT128 = Type::Int(IntKind::Int128);
        UINT128 = Type::Int(IntKind::UInt128);
        FLOAT16 = Type::Float(FloatKind::Float16);
        FLOAT = Type::Float(FloatKind::Float);
        DOUBLE = Type::Float(FloatKind::Double);
        LONGDOUBLE = Type::Float(FloatKind::LongDouble);
        FLOAT128 = Type::Float(FloatKind::Float128);
        DECIMAL32 = Type::Float(FloatKind::Decimal32);
        DECIMAL64 = Type::Float(FloatKind::Decimal64);
        DECIMAL128 = Type::Float(FloatKind::Decimal128);
    }

    /// The integer type of this width, which no type of C has: behind the basic types, in order.
    pub(crate) fn bits(width: u8, signed: bool) -> TypeId {
        TypeId(ALL.len() as u32 + 2 * (u32::from(width) - 1) + u32::from(signed))
    }
}

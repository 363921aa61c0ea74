//! Sizes, alignments and member offsets as gcc chooses them.
//!
//! The rules of the System V ABI: i386 for ILP32 (where `long long` and `double` have alignment 8 by themselves but 4 as
//! members), x86-64 for LP64; what other machines do otherwise is said by their [`Abi`](crate::abi::Abi). Bit-fields follow gcc's
//! `PCC_BITFIELD_TYPE_MATTERS`: a bit-field never crosses a boundary of its declared type unless it is packed, and its type's
//! alignment counts for the record if the field has a name (on Arm, also if it has none).

use crate::abi::LongDouble;
use crate::types::{
    ArrayLen, BitRange, Field, FloatKind, IntKind, Lengths, RecordKind, Target, Type, TypeId, Types, basic,
};
use base::sabotage::{self, Fault};

impl IntKind {
    /// Width in bits; `_Bool` has 8 bits of storage, of which 1 is used.
    pub fn bits(self, target: Target) -> u32 {
        match self {
            IntKind::Bool | IntKind::Char | IntKind::PlainUChar | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => target.abi().long,
            IntKind::LongLong | IntKind::ULongLong => 64,
            IntKind::Int128 | IntKind::UInt128 => 128,
            IntKind::Bits { width, .. } => u32::from(width),
        }
    }

    /// Whether values can be negative.
    pub fn signed(self) -> bool {
        match self {
            IntKind::Char
            | IntKind::SChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::LongLong
            | IntKind::Int128 => true,
            IntKind::Bool
            | IntKind::PlainUChar
            | IntKind::UChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULongLong
            | IntKind::UInt128 => false,
            IntKind::Bits { signed, .. } => signed,
        }
    }

    /// The value `bits` has in this type: reduced modulo its width, then read with its sign. (A 128-bit unsigned value above
    /// the range of `i128` comes out negative.)
    pub fn wrap(self, value: i128, target: Target) -> i128 {
        if self == IntKind::Bool {
            return i128::from(value != 0);
        }
        let shift = 128 - self.bits(target);
        if self.signed() { (value << shift) >> shift } else { (((value as u128) << shift) >> shift) as i128 }
    }
}

/// A member as declared, before it has a place.
#[derive(Clone, Debug)]
pub struct MemberDecl {
    /// Name, type and place; offset and bits are filled in.
    pub field: Field,
    /// Width of a bit-field, 0 for the separator `int : 0`.
    pub width: Option<u8>,
    /// Alignment asked for by `aligned` or `_Alignas`.
    pub align: Option<u64>,
    /// `packed` on the member.
    pub packed: bool,
}

/// What the record itself asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordAttrs {
    /// `packed`.
    pub packed: bool,
    /// `aligned(n)`.
    pub align: Option<u64>,
    /// `#pragma pack(n)`.
    pub pack: Option<u64>,
}

/// The layout of a record.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// The members that are more than padding.
    pub fields: Vec<Field>,
}

/// A number of bits: eight times the largest size does not fit into 64 bits.
fn round_up(n: u128, to: u64) -> u128 {
    n.div_ceil(u128::from(to)).saturating_mul(u128::from(to))
}

/// A size or offset in bytes; one that is too large stays so.
fn in_bytes(bits: u128) -> u64 {
    u64::try_from(bits.div_ceil(8)).unwrap_or(u64::MAX)
}

impl Types {
    /// Size of a pointer in bytes.
    pub(crate) fn pointer_size(&self) -> u64 {
        u64::from(self.target.abi().pointer) / 8
    }

    /// The largest size of an object in bytes: what `ptrdiff_t` can count.
    pub(crate) fn max_size(&self) -> u64 {
        if self.target.abi().pointer == 32 { i32::MAX as u64 } else { i64::MAX as u64 }
    }

    /// The type of `sizeof`.
    pub fn size_t(&self) -> TypeId {
        match (self.target.abi().pointer, self.target.abi().long) {
            (32, _) => basic::UINT,
            (_, 64) => basic::ULONG,
            _ => basic::ULONGLONG,
        }
    }

    /// The type of a difference of pointers.
    pub(crate) fn ptrdiff_t(&self) -> TypeId {
        match (self.target.abi().pointer, self.target.abi().long) {
            (32, _) => basic::INT,
            (_, 64) => basic::LONG,
            _ => basic::LONGLONG,
        }
    }

    /// The type of wide characters.
    pub(crate) fn wchar_t(&self) -> TypeId {
        Types::int(self.target.abi().wide_char)
    }

    /// Whether objects of the type have a size: false for `void`, functions, arrays of unknown length, unfinished tags.
    pub fn is_complete(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Void | Type::Function(_) => false,
            Type::Array(elem, len) => !matches!(len, ArrayLen::Unknown) && self.is_complete(*elem),
            Type::Record(r) => self.records[*r].complete,
            Type::Enum(e) => self.enums[*e].complete,
            Type::Int(_) | Type::Float(_) | Type::Complex(_) | Type::Vector(..) | Type::Pointer(_) => true,
        }
    }

    /// Size in bytes; `None` for incomplete types and variable lengths. GNU's `sizeof(void)` is not this function's affair.
    pub fn size(&self, ty: TypeId) -> Option<u64> {
        match self.get(ty) {
            Type::Void | Type::Function(_) => None,
            Type::Int(k) => Some(u64::from(k.bits(self.target).div_ceil(8))),
            Type::Float(k) => Some(match (k, self.target.abi().long_double) {
                (FloatKind::Float16, _) => 2,
                (FloatKind::Float | FloatKind::Decimal32, _) => 4,
                (FloatKind::Double | FloatKind::Decimal64, _) | (FloatKind::LongDouble, LongDouble::Double) => 8,
                (FloatKind::LongDouble, LongDouble::X87 { size }) => size,
                (FloatKind::LongDouble, LongDouble::Quad) | (FloatKind::Float128 | FloatKind::Decimal128, _) => 16,
            }),
            Type::Complex(t) => self.size(*t).map(|s| 2 * s),
            Type::Vector(t, n) => self.size(*t)?.checked_mul(*n),
            Type::Pointer(_) => Some(self.pointer_size()),
            Type::Array(elem, ArrayLen::Fixed(n)) => self.size(*elem)?.checked_mul(*n),
            Type::Array(..) => None,
            Type::Record(r) => {
                let r = &self.records[*r];
                (r.complete && r.lengths == Lengths::Fixed).then_some(r.size)
            }
            Type::Enum(e) => self.enums[*e].complete.then(|| self.size(self.enums[*e].underlying)).flatten(),
        }
    }

    /// Alignment of a variable of the type (`__alignof__`), in bytes.
    pub fn align(&self, ty: TypeId) -> u64 {
        if let Some(own) = self.own_align(ty) {
            return own;
        }
        match self.get(ty) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(k) => u64::from(k.bits(self.target).div_ceil(8).next_power_of_two()),
            Type::Float(FloatKind::LongDouble) if self.size(ty) == Some(12) => 4,
            Type::Float(_) => self.size(ty).unwrap_or(1),
            Type::Complex(t) => self.align(*t),
            Type::Vector(..) => {
                let natural = self.size(ty).unwrap_or(1).max(1).next_power_of_two();
                natural.min(self.target.abi().vector_align)
            }
            Type::Pointer(_) => self.pointer_size(),
            Type::Array(elem, _) => self.align(*elem),
            Type::Record(r) => self.records[*r].align,
            Type::Enum(e) => self.align(self.enums[*e].underlying),
        }
    }

    /// Alignment of a member of the type: on i386 the 8-byte scalars have 4.
    pub(crate) fn member_align(&self, ty: TypeId) -> u64 {
        if let Some(own) = self.own_align(ty) {
            return own;
        }
        match self.get(ty) {
            Type::Array(elem, _) => self.member_align(*elem),
            Type::Complex(t) => self.member_align(*t),
            Type::Enum(e) => self.member_align(self.enums[*e].underlying),
            Type::Int(IntKind::Int128 | IntKind::UInt128) | Type::Float(FloatKind::Float128) => self.align(ty),
            Type::Int(_) | Type::Float(_) => self.align(ty).min(self.target.abi().member_align),
            _ => self.align(ty),
        }
    }

    /// The alignment that gcc gives a variable of the type at least, given what its declaration asks for: that can be less
    /// than the type's. On the stack of i386 an 8-byte scalar may be aligned to 4 bytes only.
    pub fn variable_align(&self, ty: TypeId, asked: Option<u64>) -> u64 {
        if sabotage::active(Fault::LoweredAlignmentIgnored) {
            return self.unlowered_align(ty).max(asked.unwrap_or(1));
        }
        asked.unwrap_or_else(|| self.member_align(ty))
    }

    /// The seeded fault: no attribute makes an alignment smaller.
    fn unlowered_align(&self, ty: TypeId) -> u64 {
        self.align(ty).max(self.member_align(self.unqualified(ty)))
    }

    /// Gives every member its place.
    pub fn layout(&self, kind: RecordKind, members: Vec<MemberDecl>, attrs: RecordAttrs) -> Layout {
        let mut state = RecordLayout { types: self, kind, attrs, bit: 0, size_bits: 0, align: 1, run: None, left: 0 };
        let mut fields = Vec::with_capacity(members.len());
        for mut m in members {
            let keep = m.width != Some(0) && (m.field.name.is_some() || m.width.is_none());
            let at = state.place(&m);
            m.field.align = state.member_align(&m);
            m.field.offset = in_bytes(at - at % 8);
            m.field.bits = m.width.map(|width| BitRange { lo: (at % 8) as u8, width });
            if keep {
                fields.push(m.field);
            }
        }
        state.end_run();
        let align = state.align.max(attrs.align.unwrap_or(1));
        Layout { size: in_bytes(round_up(state.size_bits, align.saturating_mul(8))), align, fields }
    }
}

struct RecordLayout<'a> {
    types: &'a Types,
    kind: RecordKind,
    attrs: RecordAttrs,
    /// First free bit of a struct.
    bit: u128,
    size_bits: u128,
    align: u64,
    /// Microsoft's layout: the bits of the type of the bit-field before, and its width.
    run: Option<(u128, u128)>,
    /// And what is left of the unit that it lies in.
    left: u128,
}

impl RecordLayout<'_> {
    fn place(&mut self, m: &MemberDecl) -> u128 {
        if self.kind == RecordKind::Union {
            self.bit = 0;
            self.run = None;
        }
        let at = match m.width {
            Some(width) if self.types.target.abi().runs_of_bits => self.place_in_run(m, u128::from(width)),
            Some(width) => self.place_bits(m, u128::from(width)),
            None => {
                self.leave_run();
                self.place_whole(m)
            }
        };
        self.size_bits = self.size_bits.max(self.bit);
        at
    }

    /// What a member that is no bit-field is aligned to.
    fn member_align(&self, m: &MemberDecl) -> u64 {
        let mut align = self.types.member_align(m.field.ty);
        if self.attrs.packed || m.packed {
            align = 1;
        }
        align = align.max(m.align.unwrap_or(1));
        if let Some(pack) = self.attrs.pack {
            align = align.min(pack);
        }
        align
    }

    fn place_whole(&mut self, m: &MemberDecl) -> u128 {
        let align = self.member_align(m);
        self.align = self.align.max(align);
        let at = round_up(self.bit, align.saturating_mul(8));
        // A flexible array has size 0; incomplete types were refused before.
        self.bit = at + u128::from(self.types.size(m.field.ty).unwrap_or(0)) * 8;
        at
    }

    /// A bit-field in Microsoft's layout: it lies in the unit of the one before if their types have the same size and there is room. A
    /// width of zero ends a run, and does nothing where there is none. (Not under `#pragma pack`: such records are refused.)
    fn place_in_run(&mut self, m: &MemberDecl, width: u128) -> u128 {
        let packed = self.attrs.packed || m.packed;
        let unit = u128::from(self.types.size(m.field.ty).unwrap_or(1)) * 8;
        let type_align = if packed { 1 } else { self.types.member_align(m.field.ty) };
        let asked = m.align.unwrap_or(1);
        let follows = self.run.is_some_and(|(_, before)| before > 0);
        let counts = if width > 0 { !packed } else { follows };
        if counts {
            self.align = self.align.max(self.types.member_align(m.field.ty)).max(asked);
        }
        let goes_on = follows && width > 0 && self.run.is_some_and(|(bits, _)| bits == unit);
        if goes_on && self.left >= width {
            self.left -= width;
        } else if goes_on {
            self.bit += self.left;
            self.left = unit - width;
        } else {
            let starts = if follows { self.run.is_some_and(|(bits, _)| bits != unit) } else { width > 0 };
            self.leave_run();
            self.bit = round_up(self.bit, asked * 8);
            if starts {
                self.bit = round_up(self.bit, type_align * 8);
                self.left = unit - width;
            }
        }
        self.run = Some((unit, width));
        let at = self.bit;
        self.bit += width;
        if self.kind == RecordKind::Union && width > 0 && !packed {
            self.size_bits = self.size_bits.max(unit);
        }
        at
    }

    /// What comes next lies behind the unit of the bit-fields before.
    fn leave_run(&mut self) {
        if self.run.take().is_some_and(|(_, width)| width > 0) {
            self.bit += std::mem::take(&mut self.left);
        }
    }

    /// The last unit belongs to the record.
    fn end_run(&mut self) {
        if self.kind == RecordKind::Struct {
            self.leave_run();
            self.size_bits = self.size_bits.max(self.bit);
        }
    }

    fn place_bits(&mut self, m: &MemberDecl, width: u128) -> u128 {
        let packed = self.attrs.packed || m.packed;
        let unit = self.types.size(m.field.ty).unwrap_or(1) * 8;
        let type_align = self.types.member_align(m.field.ty);
        if width == 0 {
            // `int : 0` closes the unit, packed or not; it does not give the record its alignment, but on Arm.
            let align = type_align.max(m.align.unwrap_or(1));
            if self.types.target.abi().unnamed_bits_align {
                let natural = self.attrs.pack.map_or(type_align, |pack| type_align.min(pack));
                self.align = self.align.max(natural);
            }
            self.bit = round_up(self.bit, align * 8);
            return self.bit;
        }
        let mut asked = m.align.unwrap_or(1);
        if let Some(pack) = self.attrs.pack {
            asked = asked.min(pack);
        }
        if m.align.is_some() {
            self.bit = round_up(self.bit, asked * 8);
        }
        if !packed && self.attrs.pack.is_none() {
            // The field may not reach over more units of its type than its type itself would. Under `#pragma pack`, of
            // whatever value, gcc drops this rule.
            let align_bits = type_align * 8;
            let first = self.bit / u128::from(align_bits);
            let last = (self.bit + width).div_ceil(u128::from(align_bits));
            if last - first > u128::from(unit / align_bits) {
                self.bit = round_up(self.bit, align_bits);
            }
        }
        if m.field.name.is_some() || self.types.target.abi().unnamed_bits_align {
            let natural = match (self.attrs.pack, packed) {
                (Some(pack), _) => type_align.min(pack),
                (None, true) => 1,
                (None, false) => type_align,
            };
            self.align = self.align.max(natural).max(asked);
        }
        let at = self.bit;
        self.bit += width;
        at
    }
}

impl Types {
    /// What converting a value of type `from` to type `to` does; `None` where C has no such conversion or the tree cannot
    /// express it (complex, vector, records).
    pub(crate) fn cast_kind(&self, from: TypeId, to: TypeId) -> Option<crate::tree::CastKind> {
        use crate::tree::CastKind;
        let scalar = |t: TypeId| match self.get(t) {
            Type::Int(_) | Type::Enum(_) => Some(Scalar::Int),
            Type::Float(_) => Some(Scalar::Float),
            Type::Pointer(_) => Some(Scalar::Pointer),
            _ => None,
        };
        if self.is_void(to) {
            return Some(CastKind::ToVoid);
        }
        if self.unqualified(from) == self.unqualified(to) {
            return Some(CastKind::Same);
        }
        let from = scalar(from)?;
        if self.int_kind(to) == Some(IntKind::Bool) {
            return Some(CastKind::ToBool);
        }
        Some(match (from, scalar(to)?) {
            (Scalar::Int, Scalar::Int) => CastKind::Int,
            (Scalar::Int, Scalar::Float) => CastKind::IntToFloat,
            (Scalar::Int, Scalar::Pointer) => CastKind::IntToPtr,
            (Scalar::Float, Scalar::Int) => CastKind::FloatToInt,
            (Scalar::Float, Scalar::Float) => CastKind::Float,
            (Scalar::Pointer, Scalar::Int) => CastKind::PtrToInt,
            (Scalar::Pointer, Scalar::Pointer) => CastKind::Ptr,
            (Scalar::Float, Scalar::Pointer) | (Scalar::Pointer, Scalar::Float) => return None,
        })
    }
}

enum Scalar {
    Int,
    Float,
    Pointer,
}

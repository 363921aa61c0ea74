//! What C's types are in the IR: value types of scalars, sizes (also those known only at run time) and bit-field accesses.

use cfront::abi::LongDouble;
use cfront::types::{ArrayLen, FloatKind, IntKind, Lengths, Type, TypeId, Types};
use ir::{DataModel, FloatTy, Ty};

/// The value type of a scalar C type; `None` for everything else, and for the formats the IR does not have.
pub(crate) fn scalar(types: &Types, ty: TypeId) -> Option<Ty> {
    if let Some(kind) = types.int_kind(ty) {
        return Some(match kind {
            IntKind::Bool => Ty::Bool,
            _ => Ty::int(kind.bits(types.target) as u16, kind.signed()),
        });
    }
    match types.get(ty) {
        Type::Pointer(_) => Some(Ty::Ptr),
        Type::Float(FloatKind::Float16) => Some(Ty::Float(FloatTy::F16)),
        Type::Float(FloatKind::Float) => Some(Ty::Float(FloatTy::F32)),
        Type::Float(FloatKind::Double) => Some(Ty::Float(FloatTy::F64)),
        Type::Float(FloatKind::LongDouble) => match types.target.abi().long_double {
            LongDouble::X87 { .. } => Some(Ty::Float(FloatTy::F80)),
            LongDouble::Double => Some(Ty::Float(FloatTy::F64)),
            LongDouble::Quad => None,
        },
        Type::Float(FloatKind::Float128) => Some(Ty::Float(FloatTy::F128)),
        _ => None,
    }
}

/// Why a type has no values in the IR.
pub(crate) fn why_not(types: &Types, ty: TypeId) -> &'static str {
    match types.get(ty) {
        Type::Float(FloatKind::LongDouble) => "long double of 128 bits",
        Type::Float(_) => "decimal floating type",
        Type::Complex(_) => "complex arithmetic",
        Type::Vector(..) => "vector arithmetic",
        Type::Record(_) => "structure of unknown size",
        Type::Array(..) => "array as a value",
        Type::Enum(_) => "incomplete enumeration",
        _ => "value without a type",
    }
}

/// The data model of a target.
pub(crate) fn model(types: &Types) -> DataModel {
    if types.target.abi().pointer == 32 { DataModel::Ilp32 } else { DataModel::Lp64 }
}

/// A size in bytes: a constant times the values of variables (the lengths of variable length arrays).
pub(crate) struct Size {
    /// The constant factor.
    pub(crate) bytes: u64,
    /// The variable factors.
    pub(crate) lengths: Vec<cfront::tree::VarId>,
}

/// The size of an element that pointers count in: 1 for `void` and functions, as gcc has it.
pub(crate) fn size(types: &Types, ty: TypeId) -> Option<Size> {
    let mut lengths = Vec::new();
    let mut factor: u64 = 1;
    let mut ty = ty;
    loop {
        if let Some(bytes) = types.size(ty) {
            return Some(Size { bytes: bytes.checked_mul(factor)?, lengths });
        }
        match types.get(ty) {
            Type::Void | Type::Function(_) => return Some(Size { bytes: factor, lengths }),
            Type::Array(elem, ArrayLen::Fixed(n)) => {
                factor = factor.checked_mul(*n)?;
                ty = *elem;
            }
            Type::Array(elem, ArrayLen::Variable(v)) => {
                lengths.push(*v);
                ty = *elem;
            }
            Type::Record(r) => {
                let Lengths::Variable { size, .. } = types.records[*r].lengths else { return None };
                lengths.push(size);
                return Some(Size { bytes: factor, lengths });
            }
            _ => return None,
        }
    }
}

/// The variables whose values are numbers of elements in an object of this type.
pub(crate) fn lengths(types: &Types, ty: TypeId, found: &mut Vec<cfront::tree::VarId>) {
    match types.get(ty) {
        Type::Array(elem, len) => {
            if let ArrayLen::Variable(v) = len {
                found.push(*v);
            }
            lengths(types, *elem, found);
        }
        Type::Record(r) if types.is_vla(ty) => {
            types.records[*r].fields.iter().for_each(|f| lengths(types, f.ty, found));
        }
        _ => {}
    }
}

/// Whether a variable of this type that is aligned so lies better than the type asks for, or worse: the IR takes a scalar to
/// be aligned to its size, but at most to that of a pointer.
pub(crate) fn is_oddly_aligned(ty: ir::Ty, align: u64, model: ir::DataModel) -> bool {
    let size = ty.size(model);
    align > size.next_power_of_two() || align < size.min(Ty::Ptr.size(model))
}

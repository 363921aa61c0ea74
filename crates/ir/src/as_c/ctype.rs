//! C types as the printer needs them: what the source declared ([`crate::declared`]), pointers to it, and how integer types are
//! spelled.

use crate::declared::{Declared, Type, TypeId};
use crate::{DataModel, FloatTy, IntTy, Ty};

/// A C type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CTy {
    /// As the source declares it.
    Declared(TypeId),
    /// A pointer.
    Pointer(Box<CTy>),
}

impl CTy {
    /// A pointer to this.
    pub(super) fn pointer(self) -> CTy {
        CTy::Pointer(Box::new(self))
    }

    /// What a pointer points to.
    pub(super) fn pointee(&self, d: &Declared) -> Option<CTy> {
        match self {
            CTy::Declared(t) => d.pointee(*t).map(CTy::Declared),
            CTy::Pointer(to) => Some((**to).clone()),
        }
    }

    /// The type of its values, if they are scalars.
    pub(super) fn scalar(&self, d: &Declared) -> Option<Ty> {
        match self {
            CTy::Declared(t) => d.scalar(*t),
            CTy::Pointer(_) => Some(Ty::Ptr),
        }
    }

    /// Its size in bytes.
    pub(super) fn size(&self, d: &Declared, model: DataModel) -> Option<u64> {
        match self {
            CTy::Declared(t) => d.size(*t, model),
            CTy::Pointer(_) => Some(Ty::Ptr.size(model)),
        }
    }

    /// The bytes that a pointer to this counts in: 1 for `void` and functions, as gcc has it.
    pub(super) fn stride(&self, d: &Declared, model: DataModel) -> Option<u64> {
        match self {
            CTy::Declared(t) if d.types[*t] == Type::Other => Some(1),
            ty => ty.size(d, model),
        }
    }

    /// The elements of an array, and how many there are if that is known.
    pub(super) fn elements(&self, d: &Declared) -> Option<(CTy, Option<u64>)> {
        match self {
            CTy::Declared(t) => match d.types[*t] {
                Type::Array(elem, n) => Some((CTy::Declared(elem), n)),
                _ => None,
            },
            CTy::Pointer(_) => None,
        }
    }

    /// The record it is.
    pub(super) fn record(&self, d: &Declared) -> Option<TypeId> {
        match self {
            CTy::Declared(t) if matches!(d.types[*t], Type::Record(_)) => Some(*t),
            _ => None,
        }
    }
}

/// The declarations and the data model.
#[derive(Clone, Copy)]
pub(super) struct Layout<'a> {
    pub(super) declared: &'a Declared,
    pub(super) model: DataModel,
}

/// The name of a type in C; types that C does not have are named as in IR.
pub(super) fn type_name(model: DataModel, ty: Ty) -> String {
    let sign = |signed: bool, name: &str| if signed { name.to_owned() } else { format!("unsigned {name}") };
    match ty {
        Ty::Bool => "_Bool".to_owned(),
        Ty::Ptr => "void *".to_owned(),
        Ty::Int(IntTy { width: 8, signed: true }) => "signed char".to_owned(),
        Ty::Int(i) => match (i.width, model) {
            (8, _) => "unsigned char".to_owned(),
            (16, _) => sign(i.signed, "short"),
            (32, _) => sign(i.signed, "int"),
            (64, DataModel::Lp64) => sign(i.signed, "long"),
            (64, DataModel::Ilp32) => sign(i.signed, "long long"),
            (128, _) => sign(i.signed, "__int128"),
            (w, _) => format!("{}{w}", if i.signed { 'i' } else { 'u' }),
        },
        Ty::Float(FloatTy::F16) => "_Float16".to_owned(),
        Ty::Float(FloatTy::F32) => "float".to_owned(),
        Ty::Float(FloatTy::F64) => "double".to_owned(),
        Ty::Float(FloatTy::F80) => "long double".to_owned(),
        Ty::Float(FloatTy::F128) => "__float128".to_owned(),
    }
}

//! C types as predicates need them: what the source declared ([`ir::declared`]), and what casts and `&` make of it.

use super::types::named_type;
use ir::declared::{Declared, Type, TypeId};
use ir::{DataModel, Program, Ty};

/// A C type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CTy {
    /// As the source declares it.
    Declared(TypeId),
    /// A scalar that is no pointer to anything known.
    Scalar(Ty),
    /// A pointer.
    Pointer(Box<CTy>),
    /// `void`, and whatever a variable without declaration points to.
    Void,
}

impl CTy {
    /// A pointer to this.
    pub(super) fn pointer(self) -> CTy {
        CTy::Pointer(Box::new(self))
    }

    /// What a value of this type of the IR is, if nothing more is known.
    pub(super) fn of(ty: Ty) -> CTy {
        if ty == Ty::Ptr { CTy::Void.pointer() } else { CTy::Scalar(ty) }
    }

    /// What a pointer points to.
    pub(super) fn pointee(&self, d: &Declared) -> Option<CTy> {
        match self {
            CTy::Declared(t) => d.pointee(*t).map(CTy::Declared),
            CTy::Pointer(to) => Some((**to).clone()),
            CTy::Scalar(_) | CTy::Void => None,
        }
    }

    /// The type of its values, if they are scalars.
    pub(super) fn scalar(&self, d: &Declared) -> Option<Ty> {
        match self {
            CTy::Declared(t) => d.scalar(*t),
            CTy::Scalar(ty) => Some(*ty),
            CTy::Pointer(_) => Some(Ty::Ptr),
            CTy::Void => None,
        }
    }

    /// Its size in bytes.
    pub(super) fn size(&self, d: &Declared, model: DataModel) -> Option<u64> {
        match self {
            CTy::Declared(t) => d.size(*t, model),
            CTy::Scalar(ty) => Some(ty.size(model)),
            CTy::Pointer(_) => Some(Ty::Ptr.size(model)),
            CTy::Void => None,
        }
    }

    /// The bytes that a pointer to this counts in: 1 for `void` and functions, as gcc has it.
    pub(super) fn stride(&self, d: &Declared, model: DataModel) -> Option<u64> {
        match self {
            CTy::Void => Some(1),
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
            _ => None,
        }
    }

    /// The record it is.
    pub(super) fn record(&self, d: &Declared) -> Option<TypeId> {
        match self {
            CTy::Declared(t) if matches!(d.types[*t], Type::Record(_)) => Some(*t),
            _ => None,
        }
    }

    /// The type that words and stars name.
    pub(super) fn named(program: &Program, words: &[&str], stars: usize) -> Option<CTy> {
        let base = match words {
            [kind @ ("struct" | "union"), tag] => {
                CTy::Declared(*program.declared.records.get(&format!("{kind} {tag}"))?)
            }
            ["void"] if stars > 0 => CTy::Void,
            words => CTy::of(named_type(program.model, words, 0)?),
        };
        Some((0..stars).fold(base, |ty, _| ty.pointer()))
    }
}

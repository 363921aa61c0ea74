//! How the source declares what a program is made of: the C types behind variables, so that predicates can be written and
//! shown as the source writes them (`p->next`, `a[i].x`).
//!
//! This is for people. It takes no part in comparisons of programs, in their text form or in the meaning of anything;
//! a program that does not come from C has none of it, and one whose declarations were lost is still the same program.
//! Variables are known by name, so that passes may add, drop and renumber what they like.

use crate::syntax::{BitRange, Ty};
use base::{IndexVec, define_id};
use std::collections::BTreeMap;
use std::sync::Arc;

define_id!(pub TypeId, "t", "A C type of a [`Declared`].");

/// A C type, without qualifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `void`, functions, and what the IR has no values for.
    Other,
    /// An integer, enumeration or floating type.
    Scalar(Ty),
    /// A pointer.
    Pointer(TypeId),
    /// An array; the length where it is a constant.
    Array(TypeId, Option<u64>),
    /// A structure or union.
    Record(Record),
}

/// A structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// `struct s`, `union u`; `None` without a tag.
    pub name: Option<String>,
    /// Size in bytes; `None` while it is not known.
    pub size: Option<u64>,
    /// The members in order.
    pub fields: Vec<Field>,
}

/// A member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// `None` for an anonymous structure or union, whose members are found through it.
    pub name: Option<String>,
    /// First byte from the start of the record; for a bit-field, that of the access that holds it.
    pub offset: u64,
    /// Its type.
    pub ty: TypeId,
    /// For a bit-field the access that holds it and its bits there.
    pub bits: Option<(Ty, BitRange)>,
}

/// The declarations of a program.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// All types that are mentioned.
    pub types: IndexVec<TypeId, Type>,
    /// The types of globals, by name.
    pub globals: BTreeMap<String, TypeId>,
    /// The types of the parameters, locals and results of functions, by the names of both.
    pub locals: BTreeMap<String, BTreeMap<String, TypeId>>,
    /// Records by their names (`struct s`).
    pub records: BTreeMap<String, TypeId>,
    /// Enumerators.
    pub constants: BTreeMap<String, (Ty, u128)>,
}

/// Declarations that are shared by all copies of a program and equal to every other.
#[derive(Clone, Debug, Default)]
pub struct Declarations(pub Arc<Declared>);

impl PartialEq for Declarations {
    fn eq(&self, _: &Declarations) -> bool {
        true
    }
}

impl Eq for Declarations {}

impl std::ops::Deref for Declarations {
    type Target = Declared;

    fn deref(&self) -> &Declared {
        &self.0
    }
}

impl Declared {
    /// The type of a global.
    pub fn global(&self, name: &str) -> Option<TypeId> {
        self.globals.get(name).copied()
    }

    /// The type of a local of a function.
    pub fn local(&self, function: &str, name: &str) -> Option<TypeId> {
        self.locals.get(function)?.get(name).copied()
    }

    /// The size of a type in bytes; pointers have `pointer`.
    pub fn size(&self, ty: TypeId, model: crate::DataModel) -> Option<u64> {
        match &self.types[ty] {
            Type::Other => None,
            Type::Scalar(t) => Some(t.size(model)),
            Type::Pointer(_) => Some(Ty::Ptr.size(model)),
            Type::Array(elem, n) => self.size(*elem, model)?.checked_mul((*n)?),
            Type::Record(r) => r.size,
        }
    }

    /// The value type of a scalar.
    pub fn scalar(&self, ty: TypeId) -> Option<Ty> {
        match &self.types[ty] {
            Type::Scalar(t) => Some(*t),
            Type::Pointer(_) => Some(Ty::Ptr),
            Type::Other | Type::Array(..) | Type::Record(_) => None,
        }
    }

    /// What a pointer type points to.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.types[ty] {
            Type::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// The member with this name: its offset and declaration, also through anonymous members.
    pub fn field(&self, record: TypeId, name: &str) -> Option<(u64, &Field)> {
        let Type::Record(r) = &self.types[record] else { return None };
        r.fields.iter().find_map(|f| match &f.name {
            Some(n) => (n == name).then_some((f.offset, f)),
            None => self.field(f.ty, name).map(|(offset, inner)| (f.offset + offset, inner)),
        })
    }
}

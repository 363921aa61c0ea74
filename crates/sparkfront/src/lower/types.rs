//! Types of SPARK and how they are laid out.

use crate::parser::character;
use crate::syntax::Name;
use base::{Diagnostic, IndexVec, Span, define_id};
use ir::{DataModel, Shape, Ty};
use std::collections::BTreeMap;

define_id!(pub(crate) TypeId, "t", "A type of the program.");

/// A type, and of a discrete one the values that are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sub {
    pub(crate) ty: TypeId,
    pub(crate) low: i128,
    pub(crate) high: i128,
}

/// What a type is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Numbers of the text, which take the type of their context.
    Universal,
    /// Signed integers with a base range of so many bits.
    Int { width: u16 },
    /// Integers modulo a number.
    Mod { modulus: i128, width: u16 },
    /// `Boolean`
    Bool,
    /// An enumeration.
    Enum { values: Vec<String> },
    /// An array: index subtypes, and the elements. Arrays of one dimension with the same root are of one type in Ada's sense.
    Array { dims: Vec<Sub>, elem: Sub, root: Option<TypeId> },
    /// Arrays of one dimension with any bounds: the root of those that have some.
    Unconstrained { index: Sub, elem: Sub },
    /// A record: components with their offsets.
    Record { fields: Vec<(String, Sub, u64)> },
}

/// A type with its name and layout.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) size: u64,
    pub(crate) align: u32,
}

/// All types.
pub(crate) struct Types {
    all: IndexVec<TypeId, Type>,
    pub(crate) universal: Sub,
    pub(crate) boolean: Sub,
    pub(crate) integer: Sub,
    pub(crate) character: Sub,
    pub(crate) string: TypeId,
    /// Arrays by root and bounds.
    constrained: BTreeMap<(TypeId, i128, i128), TypeId>,
}

/// Objects may not be larger.
const MAX_SIZE: u64 = 1 << 24;

impl Types {
    pub(crate) fn new() -> Types {
        let mut all = IndexVec::new();
        let mut make =
            |name: &str, kind: Kind, size: u64| all.push(Type { name: name.into(), kind, size, align: size as u32 });
        let universal = make("universal integer", Kind::Universal, 8);
        let boolean = make("boolean", Kind::Bool, 1);
        let integer = make("integer", Kind::Int { width: 32 }, 4);
        let letters = (0..=u8::MAX).map(|c| character(char::from(c))).collect();
        let character = make("character", Kind::Enum { values: letters }, 1);
        let whole = |ty, low, high| Sub { ty, low, high };
        let positive = whole(integer, 1, i128::from(i32::MAX));
        let character = whole(character, 0, 255);
        let string = make("string", Kind::Unconstrained { index: positive, elem: character }, 1);
        Types {
            all,
            character,
            string,
            constrained: BTreeMap::new(),
            universal: whole(universal, i128::MIN, i128::MAX),
            boolean: whole(boolean, 0, 1),
            integer: whole(integer, i128::from(i32::MIN), i128::from(i32::MAX)),
        }
    }

    pub(crate) fn get(&self, ty: TypeId) -> &Type {
        &self.all[ty]
    }

    pub(crate) fn kind(&self, ty: TypeId) -> &Kind {
        &self.all[ty].kind
    }

    pub(crate) fn name(&self, ty: TypeId) -> &str {
        &self.all[ty].name
    }

    pub(crate) fn is_composite(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Kind::Array { .. } | Kind::Record { .. } | Kind::Unconstrained { .. })
    }

    /// All values of a discrete type that its representation and its operators know.
    pub(crate) fn base(&self, ty: TypeId) -> Sub {
        let (low, high) = match self.kind(ty) {
            Kind::Universal => (i128::MIN, i128::MAX),
            Kind::Int { width } => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            Kind::Mod { modulus, .. } => (0, modulus - 1),
            Kind::Bool => (0, 1),
            Kind::Enum { values } => (0, values.len() as i128 - 1),
            Kind::Array { .. } | Kind::Record { .. } | Kind::Unconstrained { .. } => (0, 0),
        };
        Sub { ty, low, high }
    }

    /// The IR type of a scalar.
    pub(crate) fn scalar(&self, ty: TypeId) -> Ty {
        match self.kind(ty) {
            Kind::Universal => Ty::int(64, true),
            Kind::Int { width } => Ty::int(*width, true),
            Kind::Mod { width, .. } => Ty::int(*width, false),
            Kind::Bool => Ty::Bool,
            Kind::Enum { values } => Ty::int(if values.len() <= 256 { 8 } else { 16 }, false),
            Kind::Array { .. } | Kind::Record { .. } | Kind::Unconstrained { .. } => {
                panic!("a composite type has no scalar type")
            }
        }
    }

    /// The values that the representation of a discrete type can hold.
    pub(crate) fn representable(&self, ty: TypeId) -> (i128, i128) {
        match self.scalar(ty) {
            Ty::Int(i) if i.signed => (-(1i128 << (i.width - 1)), (1i128 << (i.width - 1)) - 1),
            Ty::Int(i) => (0, (1i128 << i.width) - 1),
            _ => (0, 1),
        }
    }

    pub(crate) fn shape(&self, ty: TypeId) -> Shape {
        let t = self.get(ty);
        if self.is_composite(ty) {
            Shape::Object { size: t.size.max(1), align: t.align }
        } else {
            Shape::Scalar(self.scalar(ty))
        }
    }

    fn add(&mut self, name: &str, kind: Kind, size: u64, align: u32) -> TypeId {
        self.all.push(Type { name: name.to_owned(), kind, size, align })
    }

    /// `type T is range low .. high`: the smallest base type that GNAT has for it.
    pub(crate) fn signed(&mut self, name: &Name, low: i128, high: i128) -> Result<Sub, Diagnostic> {
        let fits = |w: &u16| low >= -(1i128 << (w - 1)) && high < (1i128 << (w - 1));
        let Some(width) = [8, 16, 32, 64].into_iter().find(fits) else {
            return Err(Diagnostic::error("range", name.span, "no base type has these bounds"));
        };
        let bytes = u64::from(width) / 8;
        Ok(Sub { ty: self.add(&name.text, Kind::Int { width }, bytes, bytes as u32), low, high })
    }

    pub(crate) fn modular(&mut self, name: &Name, modulus: i128) -> Result<Sub, Diagnostic> {
        if !(2..=1 << 64).contains(&modulus) {
            return Err(Diagnostic::error("range", name.span, "a modulus lies between 2 and 2 ** 64"));
        }
        let width = [8u16, 16, 32, 64].into_iter().find(|w| modulus <= 1i128 << w).expect("checked");
        let bytes = u64::from(width) / 8;
        let ty = self.add(&name.text, Kind::Mod { modulus, width }, bytes, bytes as u32);
        Ok(self.base(ty))
    }

    pub(crate) fn enumeration(&mut self, name: &Name, values: Vec<String>) -> Sub {
        let bytes = if values.len() <= 256 { 1 } else { 2 };
        let ty = self.add(&name.text, Kind::Enum { values }, bytes, bytes as u32);
        self.base(ty)
    }

    /// A type of its own with the representation of another.
    pub(crate) fn derived(&mut self, name: &Name, from: Sub) -> Sub {
        let Type { kind, size, align, .. } = self.get(from.ty).clone();
        Sub { ty: self.add(&name.text, kind, size, align), ..from }
    }

    pub(crate) fn array(&mut self, name: &Name, dims: Vec<Sub>, elem: Sub) -> Result<Sub, Diagnostic> {
        let mut size = self.get(elem.ty).size;
        for d in &dims {
            size = size.saturating_mul(u64::try_from((d.high - d.low + 1).max(0)).unwrap_or(u64::MAX));
        }
        let align = self.get(elem.ty).align;
        let root = match dims[..] {
            [d] => Some(self.unconstrained(name, Sub { ty: d.ty, ..self.base(d.ty) }, elem)),
            _ => None,
        };
        self.composite(name, Kind::Array { dims, elem, root }, size, align)
    }

    /// `array (I range <>) of T`
    pub(crate) fn unconstrained(&mut self, name: &Name, index: Sub, elem: Sub) -> TypeId {
        let Type { size, align, .. } = *self.get(elem.ty);
        self.add(&name.text, Kind::Unconstrained { index, elem }, size, align)
    }

    /// The arrays of a root that have these bounds.
    pub(crate) fn constrain(&mut self, root: TypeId, low: i128, high: i128, span: Span) -> Result<Sub, Diagnostic> {
        let Kind::Unconstrained { index, elem } = *self.kind(root) else { unreachable!("the root of arrays") };
        if low <= high && (low < index.low || high > index.high) {
            return Err(Diagnostic::error("range", span, "the bounds leave the index type"));
        }
        let ty = match self.constrained.get(&(root, low, high)) {
            Some(ty) => *ty,
            None => {
                let n = u64::try_from((high - low + 1).max(0)).unwrap_or(u64::MAX);
                let (size, align) = (self.get(elem.ty).size.saturating_mul(n), self.get(elem.ty).align);
                let name = Name { text: self.name(root).to_owned(), span };
                let dims = vec![Sub { ty: index.ty, low, high }];
                let sub = self.composite(&name, Kind::Array { dims, elem, root: Some(root) }, size, align)?;
                self.constrained.insert((root, low, high), sub.ty);
                sub.ty
            }
        };
        Ok(Sub { ty, low: 0, high: 0 })
    }

    /// The root of an array type of one dimension, or the type itself if it is one.
    pub(crate) fn root(&self, ty: TypeId) -> Option<TypeId> {
        match self.kind(ty) {
            Kind::Array { root, .. } => *root,
            Kind::Unconstrained { .. } => Some(ty),
            _ => None,
        }
    }

    /// Whether two types are one in Ada's sense.
    pub(crate) fn same(&self, a: TypeId, b: TypeId) -> bool {
        a == b || self.root(a).is_some_and(|r| self.root(b) == Some(r))
    }

    pub(crate) fn is_unconstrained(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Kind::Unconstrained { .. })
    }

    pub(crate) fn record(&mut self, name: &Name, fields: Vec<(String, Sub)>) -> Result<Sub, Diagnostic> {
        let (mut size, mut align, mut out) = (0u64, 1u32, Vec::new());
        for (field, sub) in fields {
            let t = self.get(sub.ty);
            size = size.next_multiple_of(u64::from(t.align));
            out.push((field, sub, size));
            size += t.size;
            align = align.max(t.align);
        }
        let size = size.next_multiple_of(u64::from(align));
        self.composite(name, Kind::Record { fields: out }, size, align)
    }

    fn composite(&mut self, name: &Name, kind: Kind, size: u64, align: u32) -> Result<Sub, Diagnostic> {
        if size > MAX_SIZE {
            let message = format!("objects of this type have {size} bytes, more than {MAX_SIZE}");
            return Err(Diagnostic::error("limit", name.span, message));
        }
        let ty = self.add(&name.text, kind, size, align);
        Ok(Sub { ty, low: 0, high: 0 })
    }

    /// The bytes between two elements of an array along each dimension.
    pub(crate) fn strides(&self, dims: &[Sub], elem: Sub) -> Vec<i64> {
        let mut stride = self.get(elem.ty).size as i64;
        let mut out: Vec<i64> = dims
            .iter()
            .rev()
            .map(|d| {
                let here = stride;
                stride = stride.saturating_mul((d.high - d.low + 1).max(0) as i64);
                here
            })
            .collect();
        out.reverse();
        out
    }

    /// The model decides nothing here: no type has pointers in it.
    pub(crate) const MODEL: DataModel = DataModel::Lp64;
}

/// A complaint about types.
pub(crate) fn mismatch(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("type", span, message)
}

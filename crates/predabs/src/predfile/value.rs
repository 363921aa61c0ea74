//! What the parts of a predicate denote while it is parsed: values with their C types, and objects (structures, unions,
//! arrays), which have no value of their own but an address.
//!
//! Places and addresses are built as `lower` builds them, so that a predicate speaks of the same memory as the program: an
//! address is a base, one constant and scaled indices, and an index is widened to the width of a pointer. The canonical form
//! takes constants out of the indices.

use super::Arithmetic;
use super::ctype::CTy;
use ir::declared::Declared;
use ir::{Address, BinOp, DataModel, Expr, ExprKind, Index, Label, Place, Ty};

/// What an operand denotes.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// A scalar and its C type.
    Value(Expr, CTy),
    /// An object of this type that begins at this address.
    Object(Address, CTy),
}

impl Val {
    /// A value of which no more is known than its type in the IR.
    pub(super) fn plain(e: Expr) -> Val {
        let ty = CTy::of(e.ty);
        Val::Value(e, ty)
    }
}

/// The operations that need to know layouts.
#[derive(Clone, Copy)]
pub(super) struct Layout<'a> {
    pub(super) declared: &'a Declared,
    pub(super) model: DataModel,
    pub(super) arithmetic: Arithmetic,
}

impl Layout<'_> {
    /// What stands at an address as something of this type; `None` if the type says nothing of what is there.
    pub(super) fn at(self, addr: Address, ty: CTy) -> Option<Val> {
        match ty.scalar(self.declared) {
            Some(scalar) => {
                let place = Place { addr, ty: scalar, bits: None, label: Label(None) };
                Some(Val::Value(Expr::read(place), ty))
            }
            None if ty.elements(self.declared).is_some() || ty.record(self.declared).is_some() => {
                Some(Val::Object(addr, ty))
            }
            None => None,
        }
    }

    /// The value of an operand: an array stands for a pointer to its first element, a structure has none.
    pub(super) fn value(self, v: Val) -> Option<(Expr, CTy)> {
        match v {
            Val::Value(e, ty) => Some((e, ty)),
            Val::Object(addr, ty) => {
                let (elem, _) = ty.elements(self.declared)?;
                Some((pointer(addr), elem.pointer()))
            }
        }
    }

    /// `pointer + index`, or minus.
    pub(super) fn step(self, p: Expr, to: &CTy, index: Expr, minus: bool) -> Option<Expr> {
        let size = i64::try_from(to.stride(self.declared, self.model)?).ok()?;
        if self.arithmetic == Arithmetic::Ignored {
            return Some(p);
        }
        let sign = if minus { -1 } else { 1 };
        let mut addr = pointed(p);
        let value = Expr::convert(self.model.index_ty(), index);
        addr.indices.push(Index { value, stride: size.wrapping_mul(sign) });
        Some(pointer(addr))
    }

    /// `a - b` of two pointers, in elements.
    pub(super) fn difference(self, a: Expr, b: Expr, to: &CTy) -> Option<Expr> {
        let size = to.stride(self.declared, self.model).filter(|&n| n > 0)?;
        let ty = self.model.index_ty();
        let bytes = Expr::binary(BinOp::Sub, Expr::convert(ty, a), Expr::convert(ty, b));
        Some(if size == 1 { bytes } else { Expr::binary(BinOp::Div, bytes, Expr::int(ty, size.into())) })
    }

    /// A member of an object.
    pub(super) fn member(self, mut addr: Address, record: &CTy, name: &str) -> Option<Val> {
        let (offset, field) = self.declared.field(record.record(self.declared)?, name)?;
        addr.offset = addr.offset.wrapping_add(offset as i64);
        let Some((access, range)) = field.bits else { return self.at(addr, CTy::Declared(field.ty)) };
        let place = Place { addr, ty: access, bits: Some(range), label: Label(None) };
        let declared = self.declared.scalar(field.ty)?;
        let value = Expr::convert(declared, Expr::read(place));
        // A bit-field that is narrower than `int` is promoted to it, whatever its sign.
        let narrow = matches!(declared, Ty::Int(i) if i.width <= 32 && range.width < 32);
        Some(Val::plain(if narrow { Expr::convert(Ty::int(32, true), value) } else { value }))
    }
}

/// Where a pointer value points.
pub(super) fn pointed(p: Expr) -> Address {
    match p.kind {
        ExprKind::Addr(addr) => addr,
        _ => Address::ptr(p),
    }
}

/// The pointer to an address.
pub(super) fn pointer(addr: Address) -> Expr {
    match addr {
        Address { base: ir::Base::Ptr(p), offset: 0, indices } if indices.is_empty() => *p,
        addr => Expr::addr(addr),
    }
}

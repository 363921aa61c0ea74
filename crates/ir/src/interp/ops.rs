//! Operators on values of any type. Shared by the machine and by the evaluator of predicates; the machine's fast path for
//! narrow integers is checked against this in tests.

use super::arith::wide;
use super::float;
use super::memory::Memory;
use super::value::{Provenance, Value};
use crate::syntax::*;

/// What an operator tells about addresses, besides its result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effect {
    /// The result depends on where objects were put.
    pub(crate) layout: bool,
    /// The address of this object has become a number.
    pub(crate) exposed: Option<u32>,
}

pub(crate) fn unary(op: UnOp, ty: Ty, a: u128) -> u128 {
    match ty {
        Ty::Float(f) => float::negate(f, a),
        Ty::Bool => a ^ 1,
        Ty::Int(i) => wide::unary(op, i.width.into(), a),
        Ty::Ptr => unreachable!("no operator with one operand takes a pointer"),
    }
}

/// The result of an operator on operands of type `ty`.
pub(crate) fn binary(memory: &Memory, op: BinOp, ty: Ty, a: Value, b: Value) -> (Value, Effect) {
    if let Some(bits) = numeric_binary(op, ty, a.bits, b.bits) {
        return (Value::plain(bits), Effect::default());
    }
    let (holds, layout) = memory.compare(op, a, b);
    (Value::plain(holds.into()), Effect { layout, exposed: None })
}

/// The same for all types but pointers.
pub(crate) fn numeric_binary(op: BinOp, ty: Ty, a: u128, b: u128) -> Option<u128> {
    Some(match ty {
        Ty::Bool => wide::binary(op, 1, false, a, b),
        Ty::Int(i) => wide::binary(op, i.width.into(), i.signed, a, b),
        Ty::Float(f) if op.is_comparison() => u128::from(float::compare(op, f, a, b)),
        Ty::Float(f) => float::arithmetic(op, f, a, b),
        Ty::Ptr => return None,
    })
}

/// A conversion, as C does it.
pub(crate) fn convert(memory: &Memory, model: DataModel, from: Ty, to: Ty, v: Value) -> (Value, Effect) {
    if from == to {
        return (v, Effect::default());
    }
    if let Some(bits) = numeric_convert(from, to, v.bits) {
        return (Value::plain(bits), Effect::default());
    }
    // Every integer-like source as its value in 128 bits, and whether that is signed. A pointer extends with its sign,
    // as gcc does it on x86.
    let (width, signed) = match from {
        Ty::Bool => (1, false),
        Ty::Int(i) => (i.width, i.signed),
        Ty::Ptr => (model.ptr_width(), true),
        Ty::Float(_) => (128, false),
    };
    let extended = wide::resize(v.bits, width.into(), signed, 128);
    match to {
        Ty::Bool => binary(memory, BinOp::Ne, Ty::Ptr, v, Value::plain(0)),
        Ty::Int(i) => {
            let layout = v.provenance != Provenance::NONE;
            (Value::plain(extended & i.mask()), Effect { layout, exposed: v.provenance.as_object() })
        }
        Ty::Float(f) => (Value::plain(float::from_int(f, signed, extended)), Effect::default()),
        Ty::Ptr => {
            let bits = extended & (u128::MAX >> (128 - model.ptr_width()));
            let provenance = memory.provenance_of_number(bits as u64);
            (Value { bits, provenance }, Effect { layout: bits != 0, exposed: None })
        }
    }
}

/// The same between all types but pointers.
pub(crate) fn numeric_convert(from: Ty, to: Ty, bits: u128) -> Option<u128> {
    let extended = |from: Ty| match from {
        Ty::Int(i) => wide::resize(bits, i.width.into(), i.signed, 128),
        _ => bits,
    };
    Some(match (from, to) {
        (Ty::Ptr, _) | (_, Ty::Ptr) => return None,
        _ if from == to => bits,
        (Ty::Float(f), Ty::Bool) => float::nonzero(f, bits).into(),
        (_, Ty::Bool) => (bits != 0).into(),
        (Ty::Float(f), Ty::Int(i)) => float::to_int(f, i, bits).0,
        (Ty::Float(f), Ty::Float(g)) => float::resize(f, g, bits),
        (_, Ty::Float(f)) => float::from_int(f, from.is_signed(), extended(from)),
        (_, Ty::Int(i)) => extended(from) & i.mask(),
    })
}

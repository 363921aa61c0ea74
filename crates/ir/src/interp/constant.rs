//! The value of an expression that reads nothing.

use super::ops;
use crate::syntax::*;

/// The pattern that an expression over constants other than pointers evaluates to; `None` if it reads anything.
pub fn constant(expr: &Expr) -> Option<u128> {
    match &expr.kind {
        ExprKind::Const(c) if expr.ty != Ty::Ptr => Some(*c),
        ExprKind::Unary(op, a) => Some(ops::unary(*op, a.ty, constant(a)?)),
        ExprKind::Binary(op, a, b) => {
            let (x, y) = (constant(a)?, constant(b)?);
            ops::numeric_binary(*op, a.ty, x, y)
        }
        ExprKind::Convert(a) => ops::numeric_convert(a.ty, expr.ty, constant(a)?),
        ExprKind::Ite(c, a, b) => constant(if constant(c)? != 0 { a } else { b }),
        _ => None,
    }
}

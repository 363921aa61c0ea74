//! Operators: their checks and their values.

use super::R;
use super::body::Body;
use super::condition::fold_binary;
use super::expr::Val;
use super::types::{Kind, TypeId, mismatch};
use crate::syntax::*;
use base::Diagnostic;
use ir::{BinOp as IrOp, Expr as IrExpr, Ty, UnOp as IrUnOp};

/// Powers are written out up to this exponent.
const MAX_EXPONENT: i128 = 64;

impl Body<'_, '_> {
    /// A comparison of scalars of one type.
    pub(crate) fn compare(&self, op: BinOp, a: IrExpr, b: IrExpr) -> IrExpr {
        let op = match op {
            BinOp::Eq => IrOp::Eq,
            BinOp::Ne => IrOp::Ne,
            BinOp::Lt => IrOp::Lt,
            BinOp::Le => IrOp::Le,
            BinOp::Gt => IrOp::Gt,
            _ => IrOp::Ge,
        };
        if a.ty == Ty::Bool && !matches!(op, IrOp::Eq | IrOp::Ne) {
            let byte = Ty::int(8, false);
            return IrExpr::binary(op, IrExpr::convert(byte, a), IrExpr::convert(byte, b));
        }
        IrExpr::binary(op, a, b)
    }

    pub(super) fn unary(&mut self, op: UnOp, a: &Expr, e: &Expr, want: Option<TypeId>) -> R<Val> {
        let v = self.expr(a, want.or_else(|| self.hint(a)))?;
        if let Some(n) = v.known
            && v.sub.ty == self.c.types.universal.ty
        {
            let n = match op {
                UnOp::Neg => -n,
                UnOp::Abs => n.abs(),
                UnOp::Plus => n,
                UnOp::Not => return Err(mismatch(e.span, "`not` of a number without a type")),
            };
            return self.expr(&Expr { kind: ExprKind::Int(n), span: e.span }, want);
        }
        let base = self.c.types.base(v.sub.ty);
        let result = |expr| Val { expr, sub: base, valid: true, known: None };
        match (op, self.c.types.kind(v.sub.ty).clone()) {
            (UnOp::Plus, Kind::Int { .. } | Kind::Mod { .. }) => Ok(v),
            (UnOp::Not, Kind::Bool) => Ok(result(v.expr.negate())),
            (UnOp::Not, Kind::Mod { modulus, .. }) => {
                self.power_of_two(modulus, e)?;
                Ok(result(IrExpr::binary(IrOp::Sub, IrExpr::int(v.expr.ty, modulus - 1), v.expr)))
            }
            (UnOp::Neg, Kind::Mod { .. }) => {
                let zero = self.constant(base, 0);
                self.modular(BinOp::Sub, zero, v, e)
            }
            (UnOp::Neg | UnOp::Abs, Kind::Int { .. }) => {
                if let Some(n) = v.known.filter(|n| *n != base.low) {
                    return Ok(self.constant(base, if op == UnOp::Neg { -n } else { n.abs() }));
                }
                let least = IrExpr::int(v.expr.ty, base.low);
                self.check(IrExpr::binary(IrOp::Ne, v.expr.clone(), least), "overflow check", e.span);
                let negated = IrExpr::unary(IrUnOp::Neg, v.expr.clone());
                if op == UnOp::Neg {
                    return Ok(result(negated));
                }
                let below = IrExpr::binary(IrOp::Lt, v.expr.clone(), IrExpr::int(v.expr.ty, 0));
                Ok(result(IrExpr::ite(below, negated, v.expr)))
            }
            (UnOp::Abs, Kind::Mod { .. }) => Ok(v),
            _ => Err(mismatch(e.span, "the operator is not defined for this type")),
        }
    }

    pub(super) fn binary(&mut self, op: BinOp, a: &Expr, b: &Expr, e: &Expr, want: Option<TypeId>) -> R<Val> {
        use BinOp::*;
        let compares = matches!(op, Eq | Ne | Lt | Le | Gt | Ge);
        let hint = self.hint(a).or_else(|| if op == Power { None } else { self.hint(b) });
        if let Some(ty) = hint.filter(|t| compares && self.c.types.is_composite(*t)) {
            return self.compare_composite(op, a, b, ty, e);
        }
        let ty = hint.or(if compares { None } else { want });
        let left = self.expr(a, ty)?;
        if op == Power {
            return self.power(&left, a, b, e, want);
        }
        let right = self.expr(b, ty)?;
        let universal = self.c.types.universal.ty;
        if left.sub.ty == universal && right.sub.ty == universal {
            return self.universal(op, &left, &right, e, want);
        }
        let target = if left.sub.ty == universal { right.sub.ty } else { left.sub.ty };
        let (left, right) = (self.typed(left, target, a)?, self.typed(right, target, b)?);
        if compares {
            let expr = self.compare(op, left.expr, right.expr);
            return Ok(self.truth(expr));
        }
        match self.c.types.kind(target).clone() {
            Kind::Bool => {
                let op = match op {
                    And => IrOp::And,
                    Or => IrOp::Or,
                    Xor => IrOp::Xor,
                    _ => return Err(mismatch(e.span, "the operator is not defined for Boolean")),
                };
                let expr = IrExpr::binary(op, left.expr, right.expr);
                Ok(Val { sub: self.c.types.base(target), ..self.truth(expr) })
            }
            Kind::Int { .. } => self.signed(op, left, right, e),
            Kind::Mod { .. } => self.modular(op, left, right, e),
            _ => Err(mismatch(e.span, "the operator is not defined for this type")),
        }
    }

    /// Two numbers of the text.
    fn universal(&mut self, op: BinOp, left: &Val, right: &Val, e: &Expr, want: Option<TypeId>) -> R<Val> {
        let (a, b) = (left.known.unwrap_or(0), right.known.unwrap_or(0));
        let holds = match op {
            BinOp::Eq => a == b,
            BinOp::Ne => a != b,
            BinOp::Lt => a < b,
            BinOp::Le => a <= b,
            BinOp::Gt => a > b,
            BinOp::Ge => a >= b,
            _ => {
                let Some(n) = fold_binary(op, a, b) else {
                    return Err(mismatch(e.span, "the operator is not defined for these numbers"));
                };
                return self.expr(&Expr { kind: ExprKind::Int(n), span: e.span }, want);
            }
        };
        Ok(self.truth(IrExpr::bool(holds)))
    }

    /// Signed arithmetic: no result leaves the base range.
    fn signed(&mut self, op: BinOp, a: Val, b: Val, e: &Expr) -> R<Val> {
        let base = self.c.types.base(a.sub.ty);
        if let (Some(x), Some(y)) = (a.known, b.known)
            && let Some(n) = fold_binary(op, x, y).filter(|n| (base.low..=base.high).contains(n))
        {
            return Ok(self.constant(base, n));
        }
        let ty = a.expr.ty;
        let number = |n| IrExpr::int(ty, n);
        let (x, y) = (a.expr, b.expr);
        let overflows = match op {
            BinOp::Add => Some((IrOp::Add, IrOp::AddOverflows)),
            BinOp::Sub => Some((IrOp::Sub, IrOp::SubOverflows)),
            BinOp::Mul => Some((IrOp::Mul, IrOp::MulOverflows)),
            _ => None,
        };
        let expr = if let Some((op, overflows)) = overflows {
            let cond = IrExpr::binary(overflows, x.clone(), y.clone()).negate();
            self.check(cond, "overflow check", e.span);
            IrExpr::binary(op, x, y)
        } else {
            if b.known.is_none_or(|n| n == 0) {
                self.check(IrExpr::binary(IrOp::Ne, y.clone(), number(0)), "division check", e.span);
            }
            match op {
                BinOp::Div => {
                    if b.known.is_none_or(|n| n == -1) {
                        let fine = IrExpr::binary(IrOp::Ne, x.clone(), number(base.low));
                        let fine = IrExpr::binary(IrOp::Or, fine, IrExpr::binary(IrOp::Ne, y.clone(), number(-1)));
                        self.check(fine, "overflow check", e.span);
                    }
                    IrExpr::binary(IrOp::Div, x, y)
                }
                BinOp::Rem => IrExpr::binary(IrOp::Rem, x, y),
                BinOp::Mod => {
                    // The remainder has the dividend's sign, `mod` the divisor's.
                    let r = IrExpr::binary(IrOp::Rem, x, y.clone());
                    let below = |v: &IrExpr| IrExpr::binary(IrOp::Lt, v.clone(), number(0));
                    let signs = IrExpr::binary(IrOp::Ne, below(&r), below(&y));
                    let moved = IrExpr::binary(IrOp::And, IrExpr::binary(IrOp::Ne, r.clone(), number(0)), signs);
                    IrExpr::ite(moved, IrExpr::binary(IrOp::Add, r.clone(), y), r)
                }
                _ => return Err(mismatch(e.span, "the operator is not defined for signed integers")),
            }
        };
        Ok(Val { expr, sub: base, valid: true, known: None })
    }

    pub(super) fn power_of_two(&self, modulus: i128, e: &Expr) -> R<()> {
        if modulus & (modulus - 1) == 0 {
            return Ok(());
        }
        let message = "logical operators and `'Mod` for a modulus that is no power of two are not supported";
        Err(Diagnostic::error("unsupported", e.span, message))
    }

    /// Modular arithmetic.
    pub(super) fn modular(&mut self, op: BinOp, a: Val, b: Val, e: &Expr) -> R<Val> {
        let Kind::Mod { modulus, width } = *self.c.types.kind(a.sub.ty) else { unreachable!("a modular type") };
        let base = self.c.types.base(a.sub.ty);
        let ty = a.expr.ty;
        let (x, y) = (a.expr, b.expr);
        let whole = modulus == 1i128 << width;
        let expr = match op {
            BinOp::And | BinOp::Or | BinOp::Xor => {
                self.power_of_two(modulus, e)?;
                let op = match op {
                    BinOp::And => IrOp::And,
                    BinOp::Or => IrOp::Or,
                    _ => IrOp::Xor,
                };
                IrExpr::binary(op, x, y)
            }
            BinOp::Div | BinOp::Mod | BinOp::Rem => {
                if b.known.is_none_or(|n| n == 0) {
                    self.check(IrExpr::binary(IrOp::Ne, y.clone(), IrExpr::int(ty, 0)), "division check", e.span);
                }
                IrExpr::binary(if op == BinOp::Div { IrOp::Div } else { IrOp::Rem }, x, y)
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul => {
                let ir_op = match op {
                    BinOp::Add => IrOp::Add,
                    BinOp::Sub => IrOp::Sub,
                    _ => IrOp::Mul,
                };
                if whole {
                    IrExpr::binary(ir_op, x, y)
                } else {
                    // In twice the width nothing is lost before the remainder.
                    let wide = Ty::int(2 * width, false);
                    let (x, y) = (IrExpr::convert(wide, x), IrExpr::convert(wide, y));
                    let m = IrExpr::int(wide, modulus);
                    let x = if op == BinOp::Sub { IrExpr::binary(IrOp::Add, x, m.clone()) } else { x };
                    IrExpr::convert(ty, IrExpr::binary(IrOp::Rem, IrExpr::binary(ir_op, x, y), m))
                }
            }
            _ => return Err(mismatch(e.span, "the operator is not defined for modular types")),
        };
        Ok(Val { expr, sub: base, valid: true, known: None })
    }

    /// `a ** n` with an exponent that is known.
    fn power(&mut self, base: &Val, a: &Expr, b: &Expr, e: &Expr, want: Option<TypeId>) -> R<Val> {
        let Some(n) = self.known(b, None).filter(|n| (0..=MAX_EXPONENT).contains(n)) else {
            let message = "exponents that are not known, or above 64, are not supported";
            return Err(Diagnostic::error("unsupported", b.span, message));
        };
        if let Some(x) = base.known
            && base.sub.ty == self.c.types.universal.ty
        {
            let Some(n) = fold_binary(BinOp::Power, x, n) else {
                return Err(mismatch(e.span, "this power is too large"));
            };
            return self.expr(&Expr { kind: ExprKind::Int(n), span: e.span }, want);
        }
        let whole = self.c.types.base(base.sub.ty);
        let mut out = self.constant(whole, 1);
        let modular = matches!(self.c.types.kind(base.sub.ty), Kind::Mod { .. });
        for i in 0..n {
            let factor = base.clone();
            out = match (i, modular) {
                (0, _) => factor,
                (_, true) => self.modular(BinOp::Mul, out, factor, e)?,
                (_, false) => self.signed(BinOp::Mul, out, factor, a)?,
            };
        }
        Ok(out)
    }
}

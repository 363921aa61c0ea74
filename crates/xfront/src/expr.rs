//! Expressions of X as expressions of IR: types are checked here, and operators get C's guards.

use crate::resolve::{Names, Type};
use crate::syntax::{Expr, ExprKind, Op};
use base::{Diagnostic, Id, Span};
use ir::{BinOp, Expr as IrExpr, GlobalId, Guard, LocalId, Ty, Ub, UnOp, Var};
use std::collections::BTreeMap;

/// Integers and enumerations are C's `int`.
pub(crate) const INT: Ty = Ty::int(32, true);

/// The IR type of values of a type.
pub(crate) fn ir_ty(ty: Type) -> Ty {
    match ty {
        Type::Bool => Ty::Bool,
        Type::Int | Type::Enum(_) => INT,
    }
}

/// The variables that can be seen.
pub(crate) struct Scope<'a> {
    pub(crate) names: &'a Names,
    pub(crate) globals: &'a BTreeMap<String, GlobalId>,
    pub(crate) locals: BTreeMap<String, (LocalId, Type)>,
}

/// An expression that was lowered.
#[derive(Default)]
pub(crate) struct Lowered {
    /// What must hold for its operators to have their mathematical result.
    pub(crate) guards: Vec<Guard>,
    /// One for each `?`, from left to right; the expression reads them.
    pub(crate) choices: Vec<(LocalId, Span)>,
}

type R<T> = Result<T, Diagnostic>;

impl Scope<'_> {
    /// The variable with this name and its type.
    pub(crate) fn variable(&self, name: &str) -> Option<(Var, Type)> {
        if let Some(&(local, ty)) = self.locals.get(name) {
            return Some((Var::Local(local), ty));
        }
        let ty = *self.names.globals.get(name)?;
        Some((Var::Global(self.globals[name]), ty))
    }

    /// The value of an expression. `choice` makes a new truth-value local for a `?`.
    pub(crate) fn lower(&self, e: &Expr, choice: &mut dyn FnMut() -> LocalId, out: &mut Lowered) -> R<(IrExpr, Type)> {
        Ok(match &e.kind {
            ExprKind::Int(n) if *n <= i32::MAX as u64 => (IrExpr::int(INT, i128::from(*n)), Type::Int),
            ExprKind::Int(_) => return Err(Diagnostic::error("range", e.span, "this number does not fit `int`")),
            ExprKind::Bool(b) => (IrExpr::bool(*b), Type::Bool),
            ExprKind::Unknown => {
                let local = choice();
                out.choices.push((local, e.span));
                (IrExpr::var(Var::Local(local), Ty::Bool), Type::Bool)
            }
            ExprKind::Name(name) => self.name(name, e.span)?,
            ExprKind::Not(a) => {
                let a = self.typed(a, Type::Bool, choice, out)?;
                (a.negate(), Type::Bool)
            }
            ExprKind::Neg(a) => {
                let a = self.typed(a, Type::Int, choice, out)?;
                let zero = IrExpr::int(INT, 0);
                overflow(BinOp::SubOverflows, &zero, &a, out);
                (IrExpr::unary(UnOp::Neg, a), Type::Int)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, choice, out)?,
        })
    }

    /// The value of an expression of this type.
    pub(crate) fn typed(
        &self,
        e: &Expr,
        want: Type,
        choice: &mut dyn FnMut() -> LocalId,
        out: &mut Lowered,
    ) -> R<IrExpr> {
        let (value, ty) = self.lower(e, choice, out)?;
        if ty == want {
            return Ok(value);
        }
        let message = format!("this is {}, where {} is wanted", describe(ty), describe(want));
        Err(Diagnostic::error("type", e.span, message))
    }

    fn name(&self, name: &str, span: Span) -> R<(IrExpr, Type)> {
        if let Some((var, ty)) = self.variable(name) {
            return Ok((IrExpr::var(var, ir_ty(ty)), ty));
        }
        if let Some(&(ty, n)) = self.names.values.get(name) {
            return Ok((IrExpr::int(INT, i128::from(n)), ty));
        }
        match name {
            "T" => Ok((IrExpr::bool(true), Type::Bool)),
            "F" => Ok((IrExpr::bool(false), Type::Bool)),
            _ => Err(Diagnostic::error("undeclared", span, format!("there is no variable `{name}`"))),
        }
    }

    fn binary(
        &self,
        op: Op,
        a: &Expr,
        b: &Expr,
        choice: &mut dyn FnMut() -> LocalId,
        out: &mut Lowered,
    ) -> R<(IrExpr, Type)> {
        let (ir_op, operands, result) = match op {
            Op::Or => (BinOp::Or, Some(Type::Bool), Type::Bool),
            Op::And => (BinOp::And, Some(Type::Bool), Type::Bool),
            Op::Eq => (BinOp::Eq, None, Type::Bool),
            Op::Ne => (BinOp::Ne, None, Type::Bool),
            Op::Lt => (BinOp::Lt, Some(Type::Int), Type::Bool),
            Op::Le => (BinOp::Le, Some(Type::Int), Type::Bool),
            Op::Gt => (BinOp::Gt, Some(Type::Int), Type::Bool),
            Op::Ge => (BinOp::Ge, Some(Type::Int), Type::Bool),
            Op::Add => (BinOp::Add, Some(Type::Int), Type::Int),
            Op::Sub => (BinOp::Sub, Some(Type::Int), Type::Int),
            Op::Mul => (BinOp::Mul, Some(Type::Int), Type::Int),
            Op::Div => (BinOp::Div, Some(Type::Int), Type::Int),
            Op::Rem => (BinOp::Rem, Some(Type::Int), Type::Int),
        };
        let (left, right) = match operands {
            Some(ty) => (self.typed(a, ty, choice, out)?, self.typed(b, ty, choice, out)?),
            None => {
                let (left, ty) = self.lower(a, choice, out)?;
                (left, self.typed(b, ty, choice, out)?)
            }
        };
        match ir_op {
            BinOp::Add => overflow(BinOp::AddOverflows, &left, &right, out),
            BinOp::Sub => overflow(BinOp::SubOverflows, &left, &right, out),
            BinOp::Mul => overflow(BinOp::MulOverflows, &left, &right, out),
            BinOp::Div | BinOp::Rem => quotient(&left, &right, out),
            _ => {}
        }
        Ok((IrExpr::binary(ir_op, left, right), result))
    }
}

fn overflow(op: BinOp, a: &IrExpr, b: &IrExpr, out: &mut Lowered) {
    let cond = IrExpr::binary(op, a.clone(), b.clone()).negate();
    out.guards.push(Guard { ub: Ub::SignedOverflow, cond });
}

fn quotient(a: &IrExpr, b: &IrExpr, out: &mut Lowered) {
    let is = |op, e: &IrExpr, n: i128| IrExpr::binary(op, e.clone(), IrExpr::int(INT, n));
    out.guards.push(Guard { ub: Ub::DivByZero, cond: is(BinOp::Ne, b, 0) });
    let fits = IrExpr::binary(BinOp::Or, is(BinOp::Ne, a, i128::from(i32::MIN)), is(BinOp::Ne, b, -1));
    out.guards.push(Guard { ub: Ub::DivOverflow, cond: fits });
}

fn describe(ty: Type) -> &'static str {
    match ty {
        Type::Int => "an integer",
        Type::Bool => "a truth value",
        Type::Enum(_) => "a value of an enumeration",
    }
}

/// Parameters and locals with ids in order.
pub(crate) fn numbered(locals: &[(String, Type)]) -> BTreeMap<String, (LocalId, Type)> {
    locals.iter().enumerate().map(|(i, (name, ty))| (name.clone(), (LocalId::from_index(i), *ty))).collect()
}

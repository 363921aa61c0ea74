//! Truth: conditions as branches, and `&&`, `||`, `?:` as expressions where nothing speaks against it.

use crate::fold;
use crate::function::Fun;
use base::Span;
use base::sabotage::{self, Fault};
use cfront::tree::{Builtin, CastKind, ExprId, ExprKind, UnOp};
use ir::{Expr, Loc, Op, Place, Ty, Var};

impl Fun<'_, '_> {
    /// Control goes to `then` if the scalar `e` is not zero, else to `els`.
    pub(crate) fn branch(&mut self, e: ExprId, then: Loc, els: Loc) {
        let unit = self.unit;
        let x = &unit.exprs[e];
        match x.kind {
            ExprKind::LogAnd(a, b) if !self.oracle().may_join(a, b) => {
                if sabotage::active(Fault::AndEvaluatesBothSides) {
                    let both = self.both_sides(a, b, x.span);
                    return self.split(both, then, els, x.span);
                }
                let right = self.graph.loc();
                self.branch(a, right, els);
                self.at(right);
                self.branch(b, then, els);
            }
            ExprKind::LogOr(a, b) if !self.oracle().may_join(a, b) => {
                let right = self.graph.loc();
                self.branch(a, then, right);
                self.at(right);
                self.branch(b, then, els);
            }
            ExprKind::Unary(UnOp::Not, a) => self.branch(a, els, then),
            ExprKind::Cast(CastKind::ToBool | CastKind::Same, a, _) => self.branch(a, then, els),
            ExprKind::Cast(CastKind::Int, a, _) if self.is_truth(a) => self.branch(a, then, els),
            ExprKind::Builtin(Builtin::Expect, list) if !unit.list(list).is_empty() => {
                let args = unit.list(list);
                // The hint is evaluated too; in practice it is a constant.
                for &hint in &args[1..] {
                    if self.effects(hint).edges {
                        let value = self.value(e);
                        return self.split(fold::truth(value), then, els, x.span);
                    }
                }
                self.branch(args[0], then, els);
            }
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.branch(b, then, els);
            }
            ExprKind::Cond(c, a, b) if !self.stays_choice(e) => {
                let (yes, no) = (self.graph.loc(), self.graph.loc());
                self.branch(c, yes, no);
                self.at(yes);
                self.branch(a, then, els);
                self.at(no);
                self.branch(b, then, els);
            }
            ExprKind::StmtExpr(block, Some(value)) => self.in_block(x.span, |fun| {
                fun.before_value(block);
                fun.branch(value, then, els);
            }),
            _ => {
                let cond = fold::truth(self.value(e));
                self.split(cond, then, els, x.span);
            }
        }
    }

    /// Control goes to `then` if `cond` holds, else to `els`.
    pub(crate) fn split(&mut self, cond: Expr, then: Loc, els: Loc, span: Span) {
        match cond.as_const() {
            Some(0) => self.goto(els, span),
            Some(_) => self.goto(then, span),
            None => {
                let from = self.cur;
                let guards = self.guards.clone();
                self.emit_to(Op::Assume(cond.clone()), then, span);
                self.cur = from;
                self.guards = guards;
                self.emit_to(Op::Assume(cond.negate()), els, span);
            }
        }
    }

    /// Whether the expression can only be 0 or 1.
    fn is_truth(&self, e: ExprId) -> bool {
        match self.unit.exprs[e].kind {
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) | ExprKind::Unary(UnOp::Not, _) => true,
            ExprKind::Cast(CastKind::ToBool, ..) => true,
            ExprKind::Cast(CastKind::Int | CastKind::Same, a, _) => self.is_truth(a),
            _ => self.scalar(self.unit.exprs[e].ty) == Some(Ty::Bool),
        }
    }

    /// Whether a `?:` stays an expression.
    pub(crate) fn stays_choice(&mut self, e: ExprId) -> bool {
        let unit = self.unit;
        let ExprKind::Cond(c, a, b) = unit.exprs[e].kind else { return false };
        self.scalar(unit.exprs[e].ty).is_some() && self.oracle().may_join(c, a) && self.oracle().may_join(c, b)
    }

    /// The wrong meaning of `&&`, for the oracles to find.
    fn both_sides(&mut self, a: ExprId, b: ExprId, span: Span) -> Expr {
        let left = fold::truth(self.value(a));
        let left = self.keep(left, span);
        let right = fold::truth(self.value(b));
        fold::and(left, right)
    }

    /// The value, of type `int`, of `a && b` or `a || b`.
    pub(crate) fn connective(&mut self, e: ExprId, and: bool, a: ExprId, b: ExprId) -> Expr {
        let span = self.unit.exprs[e].span;
        let int = Ty::int(32, true);
        if !self.oracle().may_join(a, b) {
            if and && sabotage::active(Fault::AndEvaluatesBothSides) {
                let both = self.both_sides(a, b, span);
                return fold::convert(int, both, self.model());
            }
            let var = self.temp(Ty::Bool, span);
            self.branch_into(e, var, Expr::bool(true), Expr::bool(false));
            return fold::convert(int, Expr::var(var, Ty::Bool), self.model());
        }
        let left = fold::truth(self.value(a));
        let skipped = if and { left.clone().negate() } else { left.clone() };
        let right = self.under(&skipped, |f| fold::truth(f.value(b)));
        let both = if and { fold::and(left, right) } else { fold::or(left, right) };
        fold::convert(int, both, self.model())
    }

    /// Lowers something that is not evaluated if `skipped` holds: its guards need not hold then, and what it has that cannot be
    /// followed is not met.
    fn under(&mut self, skipped: &Expr, lower: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let outer = std::mem::take(&mut self.guards);
        let (cur, refused) = (self.cur, self.refused);
        self.skipped.push(skipped.clone());
        let value = lower(self);
        self.skipped.pop();
        // A condition that takes steps is refused in the end.
        let stays = self.cur == cur || self.refused > refused || self.is_condition();
        assert!(stays, "an operand that may be skipped takes no step");
        let inner = std::mem::replace(&mut self.guards, outer);
        for g in inner {
            self.guard(g.ub, fold::or(skipped.clone(), g.cond));
        }
        value
    }

    /// The value of `c ? a : b`.
    pub(crate) fn choice(&mut self, e: ExprId, c: ExprId, a: ExprId, b: ExprId) -> Expr {
        let unit = self.unit;
        let (ty, span) = (unit.exprs[e].ty, unit.exprs[e].span);
        let Some(ty) = self.scalar(ty) else { return self.no_value(e) };
        if !self.stays_choice(e) {
            let var = self.temp(ty, span);
            self.store_choice(var, c, a, b, span);
            return Expr::var(var, ty);
        }
        let cond = fold::truth(self.value(c));
        let then = self.under(&cond.clone().negate(), |f| f.value(a));
        let els = self.under(&cond, |f| f.value(b));
        match (fold::as_truth(&then), fold::as_truth(&els)) {
            (Some(then), Some(els)) if self.is_condition() => {
                fold::convert(ty, fold::ite(cond, then, els), self.model())
            }
            _ => fold::ite(cond, then, els),
        }
    }

    /// `var = c ? a : b` as branches.
    pub(crate) fn store_choice(&mut self, var: Var, c: ExprId, a: ExprId, b: ExprId, span: Span) {
        let (yes, no, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.branch(c, yes, no);
        for (loc, side) in [(yes, a), (no, b)] {
            self.at(loc);
            self.store_var(var, side);
            self.goto(join, span);
        }
        self.at(join);
    }

    /// `var = e ? yes : no` as branches, for constants.
    pub(crate) fn branch_into(&mut self, e: ExprId, var: Var, yes: Expr, no: Expr) {
        let span = self.unit.exprs[e].span;
        let ty = yes.ty;
        let (then, els, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.branch(e, then, els);
        for (loc, value) in [(then, yes), (els, no)] {
            self.at(loc);
            self.emit_to(Op::Assign(Place::var(var, ty), value), join, span);
        }
        self.at(join);
    }

    /// A dummy for an expression that has no value; the location it is evaluated at is not reachable.
    pub(crate) fn no_value(&mut self, e: ExprId) -> Expr {
        let x = &self.unit.exprs[e];
        self.unsupported(crate::types::why_not(&self.unit.types, x.ty), x.span);
        self.dummy(e)
    }

    /// A constant of the expression's type, for code that cannot be reached.
    pub(crate) fn dummy(&self, e: ExprId) -> Expr {
        Expr::constant(self.scalar(self.unit.exprs[e].ty).unwrap_or(Ty::int(32, true)), 0)
    }
}

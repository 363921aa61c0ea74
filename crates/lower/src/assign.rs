//! Assignments in all forms.
//!
//! The place is found first, then the right side is evaluated, then the place is written: left to right. The value of an
//! assignment to a plain variable is the variable; to anything else it is the value that was written, kept in a temporary
//! if the write itself could change it.

use crate::expr::Want;
use crate::fold;
use crate::function::{Fun, Home};
use crate::place::Lv;
use base::Span;
use base::sabotage::{self, Fault};
use cfront::tree::{BinOp, CastKind, ExprId, ExprKind, IncDec};
use cfront::types::TypeId;
use ir::{BinOp as Ir, Expr, IntTy, Op, Place, Ty, Var};

impl Fun<'_, '_> {
    /// The scalar variable that a place is the whole of.
    fn plain_variable(&mut self, place: ExprId) -> Option<Var> {
        let ExprKind::Var(v) = self.unit.exprs[place].kind else { return None };
        match self.home(v) {
            Home::At(var) if self.shape(var).scalar().is_some() => Some(var),
            _ => None,
        }
    }

    /// `lhs = rhs`.
    pub(crate) fn assign(&mut self, lhs: ExprId, rhs: ExprId, want: Want, span: Span) -> Expr {
        let unit = self.unit;
        if unit.types.is_aggregate(unit.exprs[lhs].ty) {
            self.assign_record(lhs, rhs, span);
            return self.dummy(lhs);
        }
        if let Some(var) = self.plain_variable(lhs) {
            self.store_var(var, rhs);
            return Expr::var(var, self.scalar_of(var));
        }
        let mut lv = self.lvalue(lhs);
        lv.place.addr = self.settle(lv.place.addr, &[rhs], span);
        let padding = self.blurred_by(lhs, Some(&lv.place.addr), &[rhs], span);
        let value = self.value(rhs);
        let stored = self.store(&lv, value, want, span);
        self.blur(&padding, span);
        stored
    }

    /// Writes to a place that may be anywhere and returns what it holds then.
    fn store(&mut self, lv: &Lv, value: Expr, want: Want, span: Span) -> Expr {
        let value = if want == Want::Nothing { value } else { self.keep_if_memory(value, span) };
        self.write(lv, value.clone(), span);
        match lv.as_var() {
            Some(var) => Expr::var(var, lv.ty),
            None => self.narrowed(lv, value),
        }
    }

    /// The value, kept in a temporary if a write to memory could change it.
    pub(crate) fn keep_if_memory(&mut self, value: Expr, span: Span) -> Expr {
        // As an address it is steady exactly if no memory is read on the way to it.
        let mut probe = ir::Address::ptr(Expr::null());
        probe.indices.push(ir::Index { value: value.clone(), stride: 1 });
        if self.is_steady(&probe) { value } else { self.keep(value, span) }
    }

    /// `var = e`, without a temporary for the result of a call or of branches.
    pub(crate) fn store_var(&mut self, var: Var, e: ExprId) {
        let unit = self.unit;
        let x = &unit.exprs[e];
        let ty = self.scalar_of(var);
        match x.kind {
            ExprKind::Call(..) => {
                self.call(e, Want::Into(var));
            }
            ExprKind::Cond(c, a, b) if !self.stays_choice(e) => self.store_choice(var, c, a, b, x.span),
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) if self.branches(a, b) => {
                self.branch_into(e, var, Expr::int(ty, 1), Expr::int(ty, 0));
            }
            // A conversion that changes nothing in the IR (`char *p = malloc(n)`) does not stand in the way.
            ExprKind::Cast(CastKind::Ptr | CastKind::Same | CastKind::Int, inner, _)
                if self.scalar(unit.exprs[inner].ty) == Some(ty) =>
            {
                self.store_var(var, inner);
            }
            ExprKind::Cast(CastKind::ToBool | CastKind::Int, inner, _) if ty != Ty::Ptr => {
                match unit.exprs[inner].kind {
                    ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) if self.branches(a, b) => {
                        self.branch_into(inner, var, Expr::int(ty, 1), Expr::int(ty, 0));
                    }
                    _ => self.store_plain(var, e),
                }
            }
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.store_var(var, b);
            }
            ExprKind::StmtExpr(block, Some(value)) => self.in_block(x.span, |fun| {
                fun.before_value(block);
                fun.store_var(var, value);
            }),
            ExprKind::Let(v, init, body) => {
                self.bind(v, init, x.span);
                self.store_var(var, body);
            }
            _ => self.store_plain(var, e),
        }
    }

    /// Whether `&&` or `||` becomes branches.
    fn branches(&mut self, a: ExprId, b: ExprId) -> bool {
        !sabotage::active(Fault::AndEvaluatesBothSides) && !self.oracle().may_join(a, b)
    }

    fn store_plain(&mut self, var: Var, e: ExprId) {
        let ty = self.scalar_of(var);
        let value = self.value(e);
        // Declarations of one object in two units may differ in signedness or the like.
        let value = fold::convert(ty, value, self.model());
        self.emit(Op::Assign(Place::var(var, ty), value), self.unit.exprs[e].span);
    }

    /// `lhs op= rhs`.
    pub(crate) fn assign_op(
        &mut self,
        op: BinOp,
        lhs: ExprId,
        rhs: ExprId,
        comp: TypeId,
        want: Want,
        span: Span,
    ) -> Expr {
        let unit = self.unit;
        let lhs_ty = unit.exprs[lhs].ty;
        let mut lv = self.lvalue(lhs);
        lv.place.addr = self.settle(lv.place.addr, &[rhs], span);
        // Towards a call on the right side, reading and writing the place are one evaluation (C11 6.5.16.2): it is read last.
        let padding = self.blurred_by(lhs, Some(&lv.place.addr), &[rhs], span);
        let right = self.value(rhs);
        let old = self.read(lv.clone(), span);
        let new = match (op, unit.types.pointee(lhs_ty)) {
            (BinOp::PtrAdd | BinOp::PtrSub, Some(elem)) => {
                self.offset_pointer(old, right, elem, op == BinOp::PtrSub, span)
            }
            _ => {
                let Some(old) = self.convert_value(old, comp) else { return self.no_value(lhs) };
                let new = self.arith(op, old, right);
                let new = self.misnarrow(new, lv.ty);
                self.convert_value(new, lhs_ty).unwrap_or_else(|| Expr::constant(lv.ty, 0))
            }
        };
        let stored = self.store(&lv, new, want, span);
        self.blur(&padding, span);
        stored
    }

    /// The seeded fault: a value too large for the place ends up as the place's largest one.
    fn misnarrow(&self, value: Expr, ty: Ty) -> Expr {
        match (value.ty, ty) {
            (Ty::Int(from), Ty::Int(to))
                if sabotage::active(Fault::CompoundAssignNotNarrowed) && to.width < from.width =>
            {
                let there = fold::convert(value.ty, fold::convert(ty, value.clone(), self.model()), self.model());
                let largest = Expr::constant(value.ty, to.mask() >> u32::from(to.signed));
                fold::ite(fold::binary(Ir::Eq, there, value.clone()), value, largest)
            }
            _ => value,
        }
    }

    /// `++` and `--`.
    pub(crate) fn inc_dec(&mut self, op: IncDec, place: ExprId, comp: TypeId, want: Want, span: Span) -> Expr {
        let (minus, post) = match op {
            IncDec::PreInc => (false, false),
            IncDec::PreDec => (true, false),
            IncDec::PostInc => (false, true),
            IncDec::PostDec => (true, true),
        };
        let ty = self.unit.exprs[place].ty;
        let lv = self.lvalue(place);
        let old = self.read(lv.clone(), span);
        // The old value of an integer variable can be computed from the new one, without a temporary. That of a pointer is
        // kept: what an access through it asks, it asks of the pointer itself, not of one that was moved since.
        let computed = match lv.ty {
            Ty::Int(_) => true,
            Ty::Ptr => sabotage::active(Fault::GuardOnMovedPointer),
            Ty::Bool | Ty::Float(_) => false,
        };
        let undo = post && want != Want::Nothing && lv.as_var().is_some() && computed;
        let old = if post && want != Want::Nothing && !undo { self.keep(old, span) } else { old };
        let new = self.next(old.clone(), ty, comp, minus, span);
        let padding = self.blurred_by(place, Some(&lv.place.addr), &[], span);
        let stored = self.store(&lv, new, if post { Want::Nothing } else { want }, span);
        self.blur(&padding, span);
        if undo {
            let depth = self.guards.len();
            if sabotage::active(Fault::PostIncrementGivesNew) {
                return stored;
            }
            let before = self.previous(stored, ty, minus, span);
            self.guards.truncate(depth);
            return before;
        }
        if post { old } else { stored }
    }

    fn next(&mut self, old: Expr, ty: TypeId, comp: TypeId, minus: bool, span: Span) -> Expr {
        if let Some(elem) = self.unit.types.pointee(ty) {
            let one = Expr::int(self.model().index_ty(), 1);
            return self.offset_pointer(old, one, elem, minus, span);
        }
        if old.ty == Ty::Bool {
            return if minus { old.negate() } else { Expr::bool(true) };
        }
        let dummy = Expr::constant(old.ty, 0);
        let Some(wide) = self.convert_value(old, comp) else { return dummy };
        let one = fold::convert(wide.ty, Expr::int(Ty::int(32, true), 1), self.model());
        let new = self.arith(if minus { BinOp::Sub } else { BinOp::Add }, wide, one);
        self.convert_value(new, ty).unwrap_or(dummy)
    }

    /// The value before a step of one, modulo the width of the type.
    fn previous(&mut self, new: Expr, ty: TypeId, minus: bool, span: Span) -> Expr {
        match (self.unit.types.pointee(ty), new.ty) {
            (Some(elem), _) => {
                let one = Expr::int(self.model().index_ty(), 1);
                self.offset_pointer(new, one, elem, !minus, span)
            }
            (None, Ty::Int(IntTy { .. })) => {
                let one = Expr::int(new.ty, 1);
                fold::binary(if minus { Ir::Add } else { Ir::Sub }, new, one)
            }
            (None, _) => new,
        }
    }
}

//! `Contract_Cases` and loop variants.

use super::R;
use super::body::{Body, olds_of};
use super::names::{Home, Object};
use crate::syntax::*;
use base::Span;
use ir::{BinOp as IrOp, Expr as IrExpr, LocalId, Op, Place, Shape, Ty, Var};

/// What a loop variant was in the round before.
pub(crate) struct Before {
    /// Where the pragma stands.
    pub(crate) span: Span,
    /// There was a round before.
    pub(crate) begun: LocalId,
}

fn or(a: IrExpr, b: IrExpr) -> IrExpr {
    if a.as_const() == Some(0) { b } else { IrExpr::binary(IrOp::Or, a, b) }
}

impl Body<'_, '_> {
    /// Exactly one condition holds when the subprogram begins; which one is remembered, with what `'Old` stands for in its
    /// consequence.
    pub(crate) fn cases_begin(&mut self, spec: &Subprogram) -> R<()> {
        let mut any = IrExpr::bool(false);
        for (condition, consequence) in &spec.cases {
            let span = condition.as_ref().map_or(consequence.span, |c| c.span);
            let guard = match condition {
                Some(c) => self.condition(c)?,
                None => any.clone().negate(),
            };
            let guard = self.hold(guard, span);
            let both = IrExpr::binary(IrOp::And, any.clone(), guard.clone());
            self.must(both.negate(), &format!("contract cases of {} overlap", spec.name.text), span);
            any = or(any, guard.clone());
            self.guards.push(guard);
        }
        if !spec.cases.is_empty() {
            self.must(any, &format!("contract cases of {} are incomplete", spec.name.text), spec.name.span);
        }
        let first = self.guards.len() - spec.cases.len();
        for (i, (_, consequence)) in spec.cases.iter().enumerate() {
            let mut olds = Vec::new();
            olds_of(consequence, &mut olds);
            if olds.is_empty() {
                continue;
            }
            let guard = self.guards[first + i].clone();
            self.where_it_holds(guard, consequence.span, |b| {
                olds.iter().try_for_each(|(of, span)| b.remember(of, *span))
            })?;
        }
        Ok(())
    }

    /// The consequences of the conditions that held, those of the `first`-th guard on.
    pub(crate) fn cases_end(&mut self, spec: &Subprogram, first: usize) -> R<()> {
        for (i, (_, consequence)) in spec.cases.iter().enumerate() {
            let guard = self.guards[first + i].clone();
            let what = format!("contract case of {}: {}", spec.name.text, self.c.text(consequence.span));
            self.where_it_holds(guard, consequence.span, |b| {
                let cond = b.condition(consequence)?;
                b.must(cond, &what, consequence.span);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Steps that are made only where a condition holds.
    fn where_it_holds(&mut self, cond: IrExpr, span: Span, steps: impl FnOnce(&mut Self) -> R<()>) -> R<()> {
        let after = self.graph.loc(span);
        let (yes, no) = self.branch(cond, span);
        self.graph.jump(no, after, span);
        self.at = yes;
        steps(self)?;
        self.jump(after, span);
        self.at = after;
        Ok(())
    }

    /// Before a loop: its variants have not been looked at yet.
    pub(crate) fn variants_begin(&mut self, body: &[Stmt]) {
        for stmt in body.iter().filter(|s| matches!(s.kind, StmtKind::Variant(_))) {
            let begun = self.temporary(Ty::Bool, stmt.span);
            let place = Place::var(Var::Local(begun), Ty::Bool);
            self.step(Op::Assign(place, IrExpr::bool(false)), stmt.span);
            self.variants.push(Before { span: stmt.span, begun });
        }
    }

    /// From the second round on, the first of the variant's parts that has changed must have changed in its direction, and one has.
    pub(crate) fn variant(&mut self, parts: &[(bool, Expr)], span: Span) -> R<()> {
        let Some(begun) = self.variants.iter().find(|v| v.span == span).map(|v| v.begun) else {
            let message = "a loop variant stands among the statements of a loop, and not inside of one of them";
            return Err(base::Diagnostic::error("unsupported", span, message));
        };
        let mut now = Vec::new();
        for (_, e) in parts {
            let ty = self.hint(e).unwrap_or(self.c.types.integer.ty);
            let v = self.expr(e, Some(ty))?;
            let v = self.typed(v, ty, e)?;
            let scalar = self.c.types.scalar(ty);
            let local = self.local("$variant", Shape::Scalar(scalar), e.span);
            let object = Object { home: Home::Var(Var::Local(local)), sub: v.sub, variable: true, valid: true };
            now.push((self.hold(v.expr, e.span), self.path_of(&object)));
        }
        let mut progress = IrExpr::bool(false);
        for ((increases, _), (value, before)) in parts.iter().zip(&now).rev() {
            let old = IrExpr::read(self.place(before));
            let op = if *increases { BinOp::Gt } else { BinOp::Lt };
            let changed = self.compare(op, value.clone(), old.clone());
            let rest = IrExpr::binary(IrOp::And, IrExpr::binary(IrOp::Eq, value.clone(), old), progress.clone());
            progress = if progress.as_const() == Some(0) { changed } else { or(changed, rest) };
        }
        let text = self.c.text(span);
        self.where_it_holds(IrExpr::var(Var::Local(begun), Ty::Bool), span, |b| {
            b.must(progress, &format!("loop variant: {text}"), span);
            Ok(())
        })?;
        for (value, before) in now {
            self.write(&before, value, span);
        }
        self.step(Op::Assign(Place::var(Var::Local(begun), Ty::Bool), IrExpr::bool(true)), span);
        Ok(())
    }
}

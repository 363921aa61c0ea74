//! Expressions. What Ada checks on the way becomes steps before the value; the value itself is a pure expression.

use super::R;
use super::body::Body;
use super::condition::{differ, literal, names_subtype};
use super::names::Entity;
use super::place::Path;
use super::types::{Kind, Sub, TypeId, mismatch};
use crate::parser::dotted_text;
use crate::syntax::*;
use base::{Diagnostic, Span};
use ir::{BinOp as IrOp2, Expr as IrExpr, Loc, Op, Place, Var};

/// A scalar value.
#[derive(Clone, Debug)]
pub(crate) struct Val {
    pub(crate) expr: IrExpr,
    /// Its type, and a range in which it lies if it is valid.
    pub(crate) sub: Sub,
    pub(crate) valid: bool,
    /// The value, if it is known.
    pub(crate) known: Option<i128>,
}

/// What a quantifier goes over: values, or elements of an array with these indices.
struct Over<'e> {
    low: Val,
    high: Val,
    elements: Option<((Path, Sub, i64), &'e Expr)>,
}

/// Quantifiers over so many values are written out.
const WRITTEN_OUT: i128 = 32;

impl Body<'_, '_> {
    /// A value that is known.
    pub(crate) fn constant(&self, sub: Sub, n: i128) -> Val {
        let expr = match self.c.types.kind(sub.ty) {
            Kind::Bool => IrExpr::bool(n != 0),
            _ => IrExpr::int(self.c.types.scalar(sub.ty), n),
        };
        Val { expr, sub: Sub { low: n, high: n, ..sub }, valid: true, known: Some(n) }
    }

    /// A truth value.
    pub(crate) fn truth(&self, expr: IrExpr) -> Val {
        Val { expr, sub: self.c.types.boolean, valid: true, known: None }
    }

    /// The value of a condition.
    pub(crate) fn condition(&mut self, e: &Expr) -> R<IrExpr> {
        let boolean = self.c.types.boolean.ty;
        let v = self.expr(e, Some(boolean))?;
        Ok(self.typed(v, boolean, e)?.expr)
    }

    /// A number of the text takes the type of its context; anything else must have it.
    pub(crate) fn typed(&mut self, v: Val, ty: TypeId, e: &Expr) -> R<Val> {
        if v.sub.ty == ty {
            return Ok(v);
        }
        let (Some(n), true) = (v.known, v.sub.ty == self.c.types.universal.ty) else {
            return Err(differ(self, e, v.sub.ty, ty));
        };
        let base = self.c.types.base(ty);
        match self.c.types.kind(ty) {
            Kind::Int { .. } if (base.low..=base.high).contains(&n) => Ok(self.constant(base, n)),
            // Operators of a modular type wrap; a number of the text alone that is too large is no Ada.
            Kind::Mod { modulus, .. } if n.abs() <= *modulus => Ok(self.constant(base, n.rem_euclid(*modulus))),
            Kind::Int { .. } | Kind::Mod { .. } => {
                Err(mismatch(e.span, format!("{n} is no value of {}", self.c.types.name(ty))))
            }
            _ => Err(differ(self, e, v.sub.ty, ty)),
        }
    }

    /// The value must be one of a subtype.
    pub(crate) fn fit(&mut self, v: Val, to: Sub, e: &Expr, kind: &str) -> R<Val> {
        let v = self.typed(v, to.ty, e)?;
        let holds = match v.known {
            Some(n) => (to.low..=to.high).contains(&n),
            None => v.valid && v.sub.low >= to.low && v.sub.high <= to.high,
        };
        if !holds {
            let cond = match v.known {
                Some(_) => IrExpr::bool(false),
                None => self.within(&v.expr, to.low, to.high, to.ty),
            };
            self.check(cond, kind, e.span);
        }
        let (low, high) = if v.valid { (v.sub.low.max(to.low), v.sub.high.min(to.high)) } else { (to.low, to.high) };
        Ok(Val { sub: Sub { ty: to.ty, low, high }, valid: true, ..v })
    }

    /// The value of a scalar expression; `want` decides where the text does not.
    pub(crate) fn expr(&mut self, e: &Expr, want: Option<TypeId>) -> R<Val> {
        match &e.kind {
            ExprKind::Int(n) => {
                let universal = self.c.types.universal;
                // The IR has no such number; only `known` is looked at until it has a type.
                let expr = IrExpr::int(self.c.types.scalar(universal.ty), *n);
                Ok(Val { expr, sub: universal, valid: true, known: Some(*n) })
            }
            ExprKind::Name(_) | ExprKind::Select(..) => self.named(e, want),
            ExprKind::Apply(f, args) => self.applied(e, f, args),
            ExprKind::Attribute(of, name, args) => self.attribute(e, of, name, args, want),
            ExprKind::Qualified(t, v) => {
                let Some(sub) = names_subtype(self, t) else { return Err(mismatch(t.span, "this is no type")) };
                let value = self.expr(v, Some(sub.ty))?;
                self.fit(value, sub, v, "range check")
            }
            ExprKind::Unary(op, a) => self.unary(*op, a, e, want),
            ExprKind::Binary(BinOp::AndThen, a, b) => {
                let left = self.condition(a)?;
                self.choice(left, e.span, |s| s.condition(b).map(|c| s.truth(c)), |s| Ok(s.truth(IrExpr::bool(false))))
            }
            ExprKind::Binary(BinOp::OrElse, a, b) => {
                let left = self.condition(a)?;
                self.choice(left, e.span, |s| Ok(s.truth(IrExpr::bool(true))), |s| s.condition(b).map(|c| s.truth(c)))
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e, want),
            ExprKind::In(a, choices, negated) => {
                let hint = self.hint(a).or_else(|| self.hint_of_choices(choices));
                let value = self.expr(a, hint)?;
                let ty = hint.unwrap_or(self.c.types.integer.ty);
                let value = self.typed(value, ty, a)?;
                let cond = self.any_choice(&value, choices)?;
                Ok(self.truth(if *negated { cond.negate() } else { cond }))
            }
            ExprKind::If(arms, otherwise) => {
                let want = want.or_else(|| self.hint(e));
                self.if_expression(arms, otherwise.as_deref(), e.span, want)
            }
            ExprKind::Case(of, arms) => {
                let want = want.or_else(|| self.hint(e));
                let hint = self.hint(of);
                let value = self.expr(of, hint)?;
                let ty = hint.unwrap_or(self.c.types.integer.ty);
                let mut value = self.typed(value, ty, of)?;
                value.expr = self.hold(value.expr, of.span);
                self.case_expression(&value, arms, e.span, want)
            }
            ExprKind::Quantified(all, variable, over, body) => self.quantified(*all, variable, over, body, e.span),
            ExprKind::Aggregate(_) | ExprKind::Delta(..) | ExprKind::Slice(..) | ExprKind::Default => {
                Err(mismatch(e.span, "this cannot stand here: it is no scalar value"))
            }
        }
    }

    fn hint_of_choices(&self, choices: &[Choice]) -> Option<TypeId> {
        choices.iter().find_map(|c| match c {
            Choice::Value(e) => names_subtype(self, e).map(|s| s.ty).or_else(|| self.hint(e)),
            Choice::Range(a, b) => self.hint(a).or_else(|| self.hint(b)),
            Choice::Others => None,
        })
    }

    /// Whether a value is one of the choices of a membership test.
    fn any_choice(&mut self, value: &Val, choices: &[Choice]) -> R<IrExpr> {
        let mut out = IrExpr::bool(false);
        for choice in choices {
            let cond = match choice {
                Choice::Value(e) => match names_subtype(self, e) {
                    Some(sub) => self.within(&value.expr, sub.low, sub.high, value.sub.ty),
                    None => {
                        let one = self.expr(e, Some(value.sub.ty))?;
                        let one = self.typed(one, value.sub.ty, e)?;
                        IrExpr::binary(IrOp2::Eq, value.expr.clone(), one.expr)
                    }
                },
                Choice::Range(a, b) => {
                    let low = self.expr(a, Some(value.sub.ty))?;
                    let low = self.typed(low, value.sub.ty, a)?;
                    let high = self.expr(b, Some(value.sub.ty))?;
                    let high = self.typed(high, value.sub.ty, b)?;
                    let above = self.compare(BinOp::Ge, value.expr.clone(), low.expr);
                    IrExpr::binary(IrOp2::And, above, self.compare(BinOp::Le, value.expr.clone(), high.expr))
                }
                Choice::Others => return Err(Diagnostic::global("syntax", "`others` is no member")),
            };
            out = if out.as_const() == Some(0) { cond } else { IrExpr::binary(IrOp2::Or, out, cond) };
        }
        Ok(out)
    }

    /// One of two values. If neither needs steps of its own it is a choice in the expression, otherwise a branch.
    pub(crate) fn choice(
        &mut self,
        cond: IrExpr,
        span: Span,
        yes: impl FnOnce(&mut Self) -> R<Val>,
        no: impl FnOnce(&mut Self) -> R<Val>,
    ) -> R<Val> {
        let here = self.at;
        let (first, second) = (self.graph.loc(span), self.graph.loc(span));
        self.at = first;
        let a = yes(self)?;
        let after_a = self.at;
        self.at = second;
        let b = no(self)?;
        let after_b = self.at;
        let (a, b) = self.of_one_type(a, b, span)?;
        let sub = if a.valid && b.valid {
            Sub { ty: a.sub.ty, low: a.sub.low.min(b.sub.low), high: a.sub.high.max(b.sub.high) }
        } else {
            self.c.types.base(a.sub.ty)
        };
        let valid = a.valid && b.valid;
        if after_a == first && after_b == second {
            self.at = here;
            let expr = match (a.expr.as_const(), b.expr.as_const()) {
                (_, Some(0)) if b.expr.ty == ir::Ty::Bool => IrExpr::binary(IrOp2::And, cond, a.expr),
                (Some(1), _) if a.expr.ty == ir::Ty::Bool => IrExpr::binary(IrOp2::Or, cond, b.expr),
                _ => IrExpr::ite(cond, a.expr, b.expr),
            };
            return Ok(Val { expr, sub, valid, known: None });
        }
        let ty = a.expr.ty;
        let local = self.temporary(ty, span);
        let join = self.graph.loc(span);
        for (to, cond) in [(first, cond.clone()), (second, cond.negate())] {
            self.graph.edge(here, Some(to), Vec::new(), Op::Assume(cond), span);
        }
        for (end, value) in [(after_a, a.expr), (after_b, b.expr)] {
            let write = Op::Assign(Place::var(Var::Local(local), ty), value);
            self.graph.edge(end, Some(join), Vec::new(), write, span);
        }
        self.at = join;
        Ok(Val { expr: IrExpr::var(Var::Local(local), ty), sub, valid, known: None })
    }

    fn of_one_type(&mut self, a: Val, b: Val, span: Span) -> R<(Val, Val)> {
        let universal = self.c.types.universal.ty;
        let literal = Expr { kind: ExprKind::Int(0), span };
        let target = match (a.sub.ty == universal, b.sub.ty == universal) {
            (true, true) => self.c.types.integer.ty,
            (true, false) => b.sub.ty,
            _ => a.sub.ty,
        };
        Ok((self.typed(a, target, &literal)?, self.typed(b, target, &literal)?))
    }

    fn if_expression(
        &mut self,
        arms: &[(Expr, Expr)],
        otherwise: Option<&Expr>,
        span: Span,
        want: Option<TypeId>,
    ) -> R<Val> {
        let Some(((cond, value), rest)) = arms.split_first() else {
            return match otherwise {
                Some(e) => self.expr(e, want),
                None => Ok(self.truth(IrExpr::bool(true))),
            };
        };
        let cond = self.condition(cond)?;
        self.choice(cond, span, |s| s.expr(value, want), |s| s.if_expression(rest, otherwise, span, want))
    }

    fn case_expression(&mut self, of: &Val, arms: &[(Vec<Choice>, Expr)], span: Span, want: Option<TypeId>) -> R<Val> {
        let Some(((choices, value), rest)) = arms.split_first() else {
            return Err(mismatch(span, "a case expression has an alternative"));
        };
        if rest.is_empty() || matches!(choices[..], [Choice::Others]) {
            return self.expr(value, want);
        }
        let cond = self.any_choice(of, choices)?;
        self.choice(cond, span, |s| s.expr(value, want), |s| s.case_expression(of, rest, span, want))
    }

    /// `for all` and `for some`: a few values are written out, more are a loop.
    fn quantified(&mut self, all: bool, variable: &Name, over: &Indices, body: &Expr, span: Span) -> R<Val> {
        let over = match over {
            Indices::Elements(of) => {
                let elements = self.elements(of)?;
                let dim = elements.1;
                Over {
                    low: self.constant(dim, dim.low),
                    high: self.constant(dim, dim.high),
                    elements: Some((elements, of)),
                }
            }
            _ => {
                let (low, high) = self.bounds(over)?;
                Over { low, high, elements: None }
            }
        };
        self.scopes.push(std::collections::BTreeMap::new());
        let out = match (over.low.known, over.high.known) {
            (Some(a), Some(b)) if b - a < WRITTEN_OUT => self.written_out(all, variable, &over, (a, b), body, span),
            _ => self.quantifier_loop(all, variable, &over, body, span),
        };
        self.scopes.pop();
        out
    }

    /// The bound variable stands for one value or element.
    fn bind_nth(&mut self, variable: &Name, over: &Over<'_>, n: i128) {
        let entity = match &over.elements {
            Some((elements, _)) => Entity::Part(Box::new(self.nth_element(elements, n))),
            None => Entity::Value(self.c.types.base(over.low.sub.ty), n),
        };
        self.bind(variable, entity);
    }

    fn written_out(
        &mut self,
        all: bool,
        variable: &Name,
        over: &Over<'_>,
        (low, high): (i128, i128),
        body: &Expr,
        span: Span,
    ) -> R<Val> {
        let mut out = self.truth(IrExpr::bool(all));
        // From the last to the first, so that the first is asked first and the others only if it does not decide.
        for n in (low..=high).rev() {
            self.bind_nth(variable, over, n);
            let here = self.at;
            let start = self.graph.loc(span);
            self.at = start;
            let cond = self.condition(body)?;
            if self.at == start {
                self.at = here;
                let op = if all { IrOp2::And } else { IrOp2::Or };
                let alone = out.expr.as_const().is_some();
                out.expr = if alone { cond } else { IrExpr::binary(op, cond, out.expr) };
                continue;
            }
            // Checks inside: written out from the first on, with branches.
            self.at = here;
            return self.written_out_with_steps(all, variable, over, (low, high), body, span);
        }
        Ok(out)
    }

    fn written_out_with_steps(
        &mut self,
        all: bool,
        variable: &Name,
        over: &Over<'_>,
        (low, high): (i128, i128),
        body: &Expr,
        span: Span,
    ) -> R<Val> {
        let ty = ir::Ty::Bool;
        let local = self.temporary(ty, span);
        let end = self.graph.loc(span);
        let set = |value| Op::Assign(Place::var(Var::Local(local), ty), IrExpr::bool(value));
        for n in low..=high {
            self.bind_nth(variable, over, n);
            let cond = self.condition(body)?;
            let (yes, no) = self.branch(cond, span);
            let (decided, on) = if all { (no, yes) } else { (yes, no) };
            self.graph.edge(decided, Some(end), Vec::new(), set(!all), span);
            self.at = on;
        }
        self.graph.edge(self.at, Some(end), Vec::new(), set(all), span);
        self.at = end;
        Ok(self.truth(IrExpr::var(Var::Local(local), ty)))
    }

    fn quantifier_loop(&mut self, all: bool, variable: &Name, over: &Over<'_>, body: &Expr, span: Span) -> R<Val> {
        let ty = ir::Ty::Bool;
        let local = self.temporary(ty, span);
        let set = |value| Op::Assign(Place::var(Var::Local(local), ty), IrExpr::bool(value));
        self.step(set(all), span);
        let after = self.graph.loc(span);
        let round = |s: &mut Self| {
            let cond = s.condition(body)?;
            let (yes, no) = s.branch(cond, span);
            let (decided, on) = if all { (no, yes) } else { (yes, no) };
            s.graph.edge(decided, Some(after), Vec::new(), set(!all), span);
            s.at = on;
            Ok(())
        };
        match &over.elements {
            Some((_, of)) => self.over_elements(variable, false, of, (after, span), round)?,
            None => self.over(variable, false, &over.low, &over.high, after, span, round)?,
        }
        Ok(self.truth(IrExpr::var(Var::Local(local), ty)))
    }

    /// The first and last value that indices name.
    pub(crate) fn bounds(&mut self, over: &Indices) -> R<(Val, Val)> {
        match over {
            Indices::Range(a, b) => {
                let hint = self.hint(a).or_else(|| self.hint(b)).unwrap_or(self.c.types.integer.ty);
                let low = self.expr(a, Some(hint))?;
                let low = self.typed(low, hint, a)?;
                let high = self.expr(b, Some(hint))?;
                Ok((low, self.typed(high, hint, b)?))
            }
            Indices::Subtype(s) => {
                let (package, scopes) = (self.package.clone(), std::mem::take(&mut self.scopes));
                let sub = self.c.subtype(s, package.as_deref(), &scopes);
                self.scopes = scopes;
                let sub = sub?;
                Ok((self.constant(sub, sub.low), self.constant(sub, sub.high)))
            }
            Indices::Elements(e) => Err(mismatch(e.span, "elements have no bounds")),
            Indices::Of(e, n) => {
                let ty = names_subtype(self, e).map(|s| s.ty).or_else(|| self.hint(e));
                let n = n.as_ref().map_or(Some(1), |n| self.known(n, None)).unwrap_or(0);
                match ty.map(|t| self.c.types.kind(t).clone()) {
                    Some(Kind::Array { dims, .. }) if n >= 1 && (n as usize) <= dims.len() => {
                        let d = dims[n as usize - 1];
                        Ok((self.constant(d, d.low), self.constant(d, d.high)))
                    }
                    _ => Err(mismatch(e.span, "`'Range` is of an array and one of its dimensions")),
                }
            }
        }
    }

    /// A loop over the values from `low` to `high`, which ends at `after`.
    #[expect(clippy::too_many_arguments, reason = "all of them are parts of one loop")]
    pub(crate) fn over(
        &mut self,
        variable: &Name,
        reverse: bool,
        low: &Val,
        high: &Val,
        after: Loc,
        span: Span,
        body: impl FnOnce(&mut Self) -> R<()>,
    ) -> R<()> {
        let (low_e, high_e) = (self.hold(low.expr.clone(), span), self.hold(high.expr.clone(), span));
        if !matches!((low.known, high.known), (Some(a), Some(b)) if a <= b) {
            let empty = self.compare(BinOp::Gt, low_e.clone(), high_e.clone());
            let (none, some) = self.branch(empty, span);
            self.graph.jump(none, after, span);
            self.at = some;
        }
        let (first, last) = if reverse { (high_e, low_e) } else { (low_e, high_e) };
        // Both bounds are values of the type, so what lies between them is one of theirs.
        let valid = low.valid && high.valid;
        let sub = if valid {
            Sub { ty: low.sub.ty, low: low.sub.low, high: high.sub.high }
        } else {
            self.c.types.base(low.sub.ty)
        };
        let (local, object) = self.object(variable, sub, false, valid);
        let ty = self.c.types.scalar(sub.ty);
        let read = || IrExpr::var(Var::Local(local), ty);
        self.step(Op::Assign(Place::var(Var::Local(local), ty), first), span);
        self.bind(variable, Entity::Object(object));
        let head = self.graph.loc(span);
        self.jump(head, span);
        self.at = head;
        body(self)?;
        let (done, on) = self.branch(IrExpr::binary(IrOp2::Eq, read(), last), span);
        self.graph.jump(done, after, span);
        self.at = on;
        let next = self.neighbour(read(), reverse);
        self.step(Op::Assign(Place::var(Var::Local(local), ty), next), span);
        self.jump(head, span);
        self.at = after;
        Ok(())
    }

    /// The value before or after, where there is one.
    fn neighbour(&self, e: IrExpr, before: bool) -> IrExpr {
        match e.ty {
            ir::Ty::Bool => IrExpr::bool(!before),
            ty => IrExpr::binary(if before { IrOp2::Sub } else { IrOp2::Add }, e, IrExpr::int(ty, 1)),
        }
    }

    fn named(&mut self, e: &Expr, want: Option<TypeId>) -> R<Val> {
        if let Some(name) = dotted_text(&e.kind)
            && let Some(entity) = self.find(&name)
        {
            match entity {
                Entity::Value(sub, n) if sub.ty == self.c.types.universal.ty => {
                    return self.expr(&Expr { kind: ExprKind::Int(n), span: e.span }, want);
                }
                Entity::Value(sub, n) => return Ok(self.constant(sub, n)),
                Entity::Literals(all) => {
                    let Some((sub, n)) = literal(&all, want).or_else(|| literal(&all, None)) else {
                        return Err(mismatch(
                            e.span,
                            format!("`{name}` is a value of several types, none of them wanted"),
                        ));
                    };
                    return Ok(self.constant(sub, n));
                }
                Entity::Subprogram(i) => return self.scalar_call(i, &[], e),
                Entity::Object(_) | Entity::Parameter | Entity::Part(_) => {}
                Entity::Subtype(_) | Entity::Package => {
                    return Err(mismatch(e.span, format!("`{name}` is no value")));
                }
            }
        }
        let path = self.path(e)?;
        self.read(&path, e)
    }

    fn applied(&mut self, e: &Expr, f: &Expr, args: &[(Option<Name>, Expr)]) -> R<Val> {
        match dotted_text(&f.kind).and_then(|name| self.find(&name)) {
            Some(Entity::Subprogram(i)) => self.scalar_call(i, args, e),
            Some(Entity::Subtype(sub)) => match args {
                [(None, value)] => self.conversion(sub, value, e),
                _ => Err(mismatch(e.span, "a conversion has one operand")),
            },
            None if matches!(last_word(f), Some("shift_left" | "shift_right")) => self.shift(e, f, args),
            _ => {
                let path = self.path(e)?;
                self.read(&path, e)
            }
        }
    }

    /// `Interfaces.Shift_Left` and `Shift_Right` by an amount that is known.
    fn shift(&mut self, e: &Expr, f: &Expr, args: &[(Option<Name>, Expr)]) -> R<Val> {
        let [(None, value), (None, amount)] = args else { return Err(mismatch(e.span, "a shift has two operands")) };
        let v = self.expr(value, self.hint(value))?;
        let (Kind::Mod { modulus, width }, Some(n)) = (self.c.types.kind(v.sub.ty).clone(), self.known(amount, None))
        else {
            let message = "shifts of anything but modular values, by amounts that are known, are not supported";
            return Err(Diagnostic::error("unsupported", e.span, message));
        };
        if modulus != 1i128 << width || n < 0 {
            return Err(mismatch(e.span, "shifts are of the types of Interfaces, by amounts that are not negative"));
        }
        let base = self.c.types.base(v.sub.ty);
        if n >= i128::from(width) {
            return Ok(self.constant(base, 0));
        }
        let by = self.constant(base, 1i128 << n);
        let op = if last_word(f) == Some("shift_left") { BinOp::Mul } else { BinOp::Div };
        self.modular(op, v, by, e)
    }

    /// `T (e)`: the same number in another type.
    fn conversion(&mut self, to: Sub, value: &Expr, e: &Expr) -> R<Val> {
        let hint = self.hint(value);
        let v = self.expr(value, hint.or(Some(to.ty)))?;
        if v.sub.ty == self.c.types.universal.ty || v.sub.ty == to.ty {
            return self.fit(v, to, e, "range check");
        }
        let numeric = |s: &Self, ty| matches!(s.c.types.kind(ty), Kind::Int { .. } | Kind::Mod { .. });
        if !numeric(self, v.sub.ty) || !numeric(self, to.ty) {
            return Err(differ(self, value, v.sub.ty, to.ty));
        }
        let inside = v.valid && v.sub.low >= to.low && v.sub.high <= to.high;
        if !inside {
            let cond = match v.known {
                Some(_) => IrExpr::bool(false),
                None => self.within(&v.expr, to.low, to.high, v.sub.ty),
            };
            self.check(cond, "range check", e.span);
        }
        let expr = IrExpr::convert(self.c.types.scalar(to.ty), v.expr);
        Ok(Val { expr, sub: to, valid: true, known: v.known.filter(|_| inside) })
    }

    fn attribute(&mut self, e: &Expr, of: &Expr, name: &Name, args: &[Expr], want: Option<TypeId>) -> R<Val> {
        match name.text.as_str() {
            "result" => {
                let Some(result) = self.result.clone() else { return Err(mismatch(e.span, "there is no result here")) };
                let path = self.path_of(&result);
                self.read(&path, e)
            }
            "old" => {
                let Some((_, object)) = self.old.iter().find(|(span, _)| *span == e.span).cloned() else {
                    return Err(mismatch(e.span, "`'Old` stands in postconditions only"));
                };
                let path = self.path_of(&object);
                self.read(&path, e)
            }
            "mod" => self.modulo(e, of, args),
            "succ" | "pred" | "val" | "pos" | "min" | "max" => self.of_type(e, of, &name.text, args),
            "first" | "last" | "length" | "modulus" => {
                let Some(n) = self.known(e, None) else {
                    return Err(mismatch(e.span, format!("there is no `'{}` of this", name.text)));
                };
                match self.hint(e) {
                    Some(ty) => Ok(self.constant(self.c.types.base(ty), n)),
                    None => self.expr(&Expr { kind: ExprKind::Int(n), span: e.span }, want),
                }
            }
            other => {
                let message = format!("the attribute {other} is not in the subset of SPARK that is supported");
                Err(Diagnostic::error("unsupported", name.span, message))
            }
        }
    }

    /// `T'Mod (e)`: any integer in a modular type.
    fn modulo(&mut self, e: &Expr, of: &Expr, args: &[Expr]) -> R<Val> {
        let sub = names_subtype(self, of).unwrap_or(self.c.types.boolean);
        let (Kind::Mod { modulus, .. }, [value]) = (self.c.types.kind(sub.ty).clone(), args) else {
            return Err(mismatch(e.span, "`'Mod` is of a modular type and has one argument"));
        };
        let base = self.c.types.base(sub.ty);
        let hint = self.hint(value).unwrap_or(self.c.types.integer.ty);
        let v = self.expr(value, Some(hint))?;
        let v = self.typed(v, hint, value)?;
        self.power_of_two(modulus, e)?;
        // The low bits are the remainder, that of a negative number too.
        let low = IrExpr::convert(self.c.types.scalar(sub.ty), v.expr);
        let last = IrExpr::int(low.ty, modulus - 1);
        Ok(Val { expr: IrExpr::binary(IrOp2::And, low, last), sub: base, valid: true, known: None })
    }

    /// Attributes of types that are functions.
    fn of_type(&mut self, e: &Expr, of: &Expr, name: &str, args: &[Expr]) -> R<Val> {
        let Some(sub) = names_subtype(self, of).filter(|s| !self.c.types.is_composite(s.ty)) else {
            return Err(mismatch(of.span, format!("`'{name}` is of a discrete type")));
        };
        let base = self.c.types.base(sub.ty);
        let needed = if matches!(name, "min" | "max") { 2 } else { 1 };
        if args.len() != needed {
            return Err(mismatch(e.span, format!("`'{name}` has {needed} arguments")));
        }
        let integer = self.c.types.integer;
        if name == "val" {
            let hint = self.hint(&args[0]).unwrap_or(integer.ty);
            let v = self.expr(&args[0], Some(hint))?;
            let v = self.typed(v, hint, &args[0])?;
            let cond = self.within(&v.expr, base.low, base.high, hint);
            self.check(cond, "range check", e.span);
            let to = self.c.types.scalar(sub.ty);
            return Ok(Val { expr: IrExpr::convert(to, v.expr), sub: base, valid: true, known: None });
        }
        let v = self.expr(&args[0], Some(sub.ty))?;
        let v = self.typed(v, sub.ty, &args[0])?;
        if name == "pos" {
            // A position is a number of any size; here it is an `Integer`.
            let expr = IrExpr::convert(self.c.types.scalar(integer.ty), v.expr);
            let (low, high) = (v.sub.low.max(integer.low), v.sub.high.min(integer.high));
            return Ok(Val { expr, sub: Sub { ty: integer.ty, low, high }, valid: v.valid, known: None });
        }
        if needed == 2 {
            let w = self.expr(&args[1], Some(sub.ty))?;
            let w = self.typed(w, sub.ty, &args[1])?;
            let op = if name == "min" { BinOp::Le } else { BinOp::Ge };
            let first = self.compare(op, v.expr.clone(), w.expr.clone());
            return Ok(Val {
                expr: IrExpr::ite(first, v.expr, w.expr),
                sub: base,
                valid: v.valid && w.valid,
                known: None,
            });
        }
        let (before, end) = if name == "pred" { (true, base.low) } else { (false, base.high) };
        let last = self.constant(base, end).expr;
        let wraps = matches!(self.c.types.kind(sub.ty), Kind::Mod { .. });
        if !wraps {
            self.check(IrExpr::binary(IrOp2::Ne, v.expr.clone(), last.clone()), "range check", e.span);
            return Ok(Val { expr: self.neighbour(v.expr, before), sub: base, valid: true, known: None });
        }
        let other = self.constant(base, if before { base.high } else { base.low }).expr;
        let at_end = IrExpr::binary(IrOp2::Eq, v.expr.clone(), last);
        let expr = IrExpr::ite(at_end, other, self.neighbour(v.expr, before));
        Ok(Val { expr, sub: base, valid: true, known: None })
    }
}

/// The last part of a name.
fn last_word(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Select(_, name) => Some(&name.text),
        _ => None,
    }
}

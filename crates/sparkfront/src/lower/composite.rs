//! Arrays and records as wholes: copies, aggregates, equality, inputs, and what `'Old` remembers.

use super::R;
use super::body::Body;
use super::names::{Entity, Home, Object};
use super::place::{Path, Step};
use super::types::{Kind, Sub, TypeId, mismatch};
use crate::parser::dotted_text;
use crate::syntax::*;
use base::{Diagnostic, Span};
use ir::{BinOp as IrOp, Expr as IrExpr, HavocDst, Op, Shape, Source, Var};

/// So many scalars are compared, assumed or filled one by one.
const MOST_PARTS: usize = 1024;

impl Body<'_, '_> {
    /// A new object without name.
    pub(crate) fn scratch(&mut self, sub: Sub, span: Span) -> Object {
        let shape = self.c.types.shape(sub.ty);
        let local = self.local("$object", shape, span);
        Object { home: Home::Var(Var::Local(local)), sub, variable: true, valid: false }
    }

    /// `to := e` for a composite type.
    pub(crate) fn assign_composite(&mut self, to: &Path, e: &Expr) -> R<()> {
        if let ExprKind::Aggregate(_) | ExprKind::Delta(..) = &unqualified(e).kind {
            // The aggregate may read what is being assigned.
            let object = self.scratch(to.sub, e.span);
            let from = self.path_of(&object);
            self.fill(&from, e)?;
            return self.copy(to, &from, e.span);
        }
        let from = self.path(e)?;
        if !self.c.types.same(from.sub.ty, to.sub.ty) {
            return Err(super::condition::differ(self, e, from.sub.ty, to.sub.ty));
        }
        if !self.same_length(from.sub.ty, to.sub.ty, e.span) {
            return Ok(());
        }
        if to.may_overlap(&from) && !(to.steps.is_empty() && from.steps.is_empty()) {
            // What is read is read before anything is written.
            let object = self.scratch(to.sub, e.span);
            let between = self.path_of(&object);
            self.copy(&between, &from, e.span)?;
            return self.copy(to, &between, e.span);
        }
        self.copy(to, &from, e.span)
    }

    /// Gives an object without value what its type says it begins with; the rest holds any bytes.
    pub(crate) fn unset(&mut self, of: &Path, span: Span) -> R<()> {
        if !self.c.types.is_composite(of.sub.ty) {
            let place = self.place(of);
            self.step(Op::Havoc(HavocDst::Place(place), Source::Uninit), span);
            return Ok(());
        }
        let size = self.c.types.get(of.sub.ty).size;
        let len = IrExpr::int(super::types::Types::MODEL.size_ty(), i128::from(size));
        let dst = HavocDst::Range { dst: IrExpr::addr(of.address()), len };
        self.step(Op::Havoc(dst, Source::Uninit), span);
        if self.has_defaults(of.sub.ty) { self.set_defaults(of, span) } else { Ok(()) }
    }

    fn has_defaults(&self, ty: TypeId) -> bool {
        match self.c.types.kind(ty) {
            Kind::Record { fields } => {
                let own = |i| self.c.defaults.contains_key(&(ty, i));
                fields.iter().enumerate().any(|(i, (_, sub, _))| own(i) || self.has_defaults(sub.ty))
            }
            Kind::Array { elem, .. } => self.has_defaults(elem.ty),
            _ => false,
        }
    }

    /// Whether every scalar in an object has a value to begin with.
    pub(crate) fn all_defaults(&self, ty: TypeId) -> bool {
        match self.c.types.kind(ty) {
            Kind::Record { fields } => {
                let own = |i| self.c.defaults.contains_key(&(ty, i));
                fields.iter().enumerate().all(|(i, (_, sub, _))| own(i) || self.all_defaults(sub.ty))
            }
            Kind::Array { elem, .. } => self.all_defaults(elem.ty),
            _ => false,
        }
    }

    /// Gives a component what its record's type says it begins with. Whether that says something.
    fn set_default(&mut self, part: &Path, component: (TypeId, usize)) -> R<bool> {
        let Some(default) = self.c.defaults.get(&component).cloned() else { return Ok(false) };
        self.elsewhere(default.package.as_deref(), |b| {
            b.scopes.splice(0..0, default.scopes);
            b.fill(part, &default.value)
        })?;
        Ok(true)
    }

    fn set_defaults(&mut self, of: &Path, span: Span) -> R<()> {
        match self.c.types.kind(of.sub.ty).clone() {
            Kind::Record { fields } => {
                for (i, (name, sub, offset)) in fields.into_iter().enumerate() {
                    let mut part = of.clone();
                    part.offset += offset as i64;
                    part.sub = sub;
                    part.steps.push(Step::Field(name));
                    if self.set_default(&part, (of.sub.ty, i))? {
                        continue;
                    }
                    if self.has_defaults(sub.ty) {
                        self.set_defaults(&part, span)?;
                    }
                }
                Ok(())
            }
            Kind::Array { elem, .. } => {
                let (size, one) = (self.c.types.get(of.sub.ty).size, self.c.types.get(elem.ty).size.max(1));
                if size / one > MOST_PARTS as u64 {
                    let message = format!(
                        "arrays of more than {MOST_PARTS} elements with values to begin with are not supported"
                    );
                    return Err(Diagnostic::error("limit", span, message));
                }
                for k in 0..size / one {
                    let mut part = of.clone();
                    part.offset += (k * one) as i64;
                    part.sub = elem;
                    part.steps.push(Step::Element(Some((k * one) as i64)));
                    self.set_defaults(&part, span)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Gives a new object its value.
    pub(crate) fn fill(&mut self, to: &Path, e: &Expr) -> R<()> {
        if let ExprKind::Default = e.kind {
            return self.unset(to, e.span);
        }
        if !self.c.types.is_composite(to.sub.ty) {
            let v = self.expr(e, Some(to.sub.ty))?;
            let v = self.fit(v, to.sub, e, "range check")?;
            self.write(to, v.expr, e.span);
            return Ok(());
        }
        if let ExprKind::Delta(of, parts) = &unqualified(e).kind {
            return self.fill_delta(to, of, parts, e);
        }
        let ExprKind::Aggregate(parts) = &unqualified(e).kind else { return self.assign_composite(to, e) };
        match self.c.types.kind(to.sub.ty).clone() {
            Kind::Record { fields } => self.fill_record(to, &fields, parts, e),
            Kind::Array { dims, elem, .. } => {
                let strides = self.c.types.strides(&dims, elem);
                self.fill_array(to, &dims, &strides, elem, parts, e)
            }
            _ => unreachable!("a composite type"),
        }
    }

    /// `(of with delta c => v)`
    fn fill_delta(&mut self, to: &Path, of: &Expr, parts: &[(Vec<Choice>, Expr)], e: &Expr) -> R<()> {
        self.assign_composite(to, of)?;
        for (choices, value) in parts {
            let [Choice::Value(which)] = &choices[..] else {
                return Err(mismatch(e.span, "a delta aggregate names one component or element at a time"));
            };
            let part = match self.c.types.kind(to.sub.ty).clone() {
                Kind::Record { fields } => {
                    let name = dotted_text(&which.kind).unwrap_or_default();
                    let Some((name, sub, offset)) = fields.into_iter().find(|(f, ..)| *f == name) else {
                        return Err(mismatch(which.span, "there is no such component"));
                    };
                    let mut part = to.clone();
                    part.offset += offset as i64;
                    part.sub = sub;
                    part.steps.push(Step::Field(name));
                    part
                }
                _ => {
                    let part = self.element(to.clone(), &[which], which)?;
                    self.freeze(part, which.span)
                }
            };
            self.fill(&part, value)?;
        }
        Ok(())
    }

    fn fill_record(
        &mut self,
        to: &Path,
        fields: &[(String, Sub, u64)],
        parts: &[(Vec<Choice>, Expr)],
        e: &Expr,
    ) -> R<()> {
        for (i, (field, sub, offset)) in fields.iter().enumerate() {
            let named = parts.iter().find(|(choices, _)| {
                choices.iter().any(|c| matches!(c, Choice::Value(v) if dotted_text(&v.kind).as_ref() == Some(field)))
            });
            let positional = parts.get(i).filter(|(choices, _)| choices.is_empty());
            let others = parts.iter().find(|(choices, _)| matches!(choices[..], [Choice::Others]));
            let Some((_, value)) = named.or(positional).or(others) else {
                return Err(mismatch(e.span, format!("the aggregate has no value for `{field}`")));
            };
            let mut part = to.clone();
            part.offset += *offset as i64;
            part.sub = *sub;
            part.steps.push(Step::Field(field.clone()));
            if matches!(value.kind, ExprKind::Default) && self.set_default(&part, (to.sub.ty, i))? {
                continue;
            }
            self.fill(&part, value)?;
        }
        if parts.iter().filter(|(c, _)| c.is_empty()).count() > fields.len() {
            return Err(mismatch(e.span, "the aggregate has more values than the record has components"));
        }
        Ok(())
    }

    /// Fills the elements along the first dimension; aggregates inside fill the others.
    fn fill_array(
        &mut self,
        to: &Path,
        dims: &[Sub],
        strides: &[i64],
        elem: Sub,
        parts: &[(Vec<Choice>, Expr)],
        e: &Expr,
    ) -> R<()> {
        let (dim, stride) = (dims[0], strides[0]);
        let n = usize::try_from((dim.high - dim.low + 1).max(0)).unwrap_or(usize::MAX);
        if n > MOST_PARTS {
            let message = format!("aggregates of more than {MOST_PARTS} elements are not supported");
            return Err(Diagnostic::error("limit", e.span, message));
        }
        let mut values: Vec<Option<&Expr>> = vec![None; n];
        let mut others = None;
        for (i, (choices, value)) in parts.iter().enumerate() {
            if choices.is_empty() {
                let Some(slot) = values.get_mut(i) else {
                    return Err(mismatch(value.span, "the aggregate has more values than the array has elements"));
                };
                *slot = Some(value);
            }
            for choice in choices {
                let (low, high) = match choice {
                    Choice::Others => {
                        others = Some(value);
                        continue;
                    }
                    Choice::Value(v) => match super::condition::names_subtype(self, v) {
                        Some(sub) => (sub.low, sub.high),
                        None => {
                            let n = self.static_index(v, dim.ty)?;
                            (n, n)
                        }
                    },
                    Choice::Range(a, b) => (self.static_index(a, dim.ty)?, self.static_index(b, dim.ty)?),
                };
                for k in low..=high {
                    let slot = usize::try_from(k - dim.low).ok().and_then(|k| values.get_mut(k));
                    let Some(slot) = slot else { return Err(mismatch(value.span, "there is no such element")) };
                    *slot = Some(value);
                }
            }
        }
        for (k, value) in values.into_iter().enumerate() {
            let Some(value) = value.or(others) else {
                return Err(mismatch(e.span, "the aggregate does not give all elements a value"));
            };
            let mut part = to.clone();
            part.offset += k as i64 * stride;
            if dims.len() > 1 {
                let ExprKind::Aggregate(inner) = &value.kind else {
                    return Err(mismatch(value.span, "an aggregate of several dimensions has aggregates in it"));
                };
                self.fill_array(&part, &dims[1..], &strides[1..], elem, inner, value)?;
                continue;
            }
            part.sub = elem;
            part.steps.push(Step::Element(Some(k as i64 * stride)));
            self.fill(&part, value)?;
        }
        Ok(())
    }

    fn static_index(&self, e: &Expr, ty: TypeId) -> R<i128> {
        self.known(e, Some(ty)).ok_or_else(|| {
            Diagnostic::error("not-static", e.span, "choices of an aggregate must be known before the program runs")
        })
    }

    /// Copies a whole composite value.
    pub(crate) fn copy(&mut self, to: &Path, from: &Path, span: Span) -> R<()> {
        let size = self.c.types.get(to.sub.ty).size;
        let len = IrExpr::int(super::types::Types::MODEL.size_ty(), i128::from(size));
        let op = Op::CopyRange { dst: IrExpr::addr(to.address()), src: IrExpr::addr(from.address()), len };
        self.step(op, span);
        Ok(())
    }

    /// `a = b` and `a /= b` for composite types.
    pub(crate) fn compare_composite(
        &mut self,
        op: BinOp,
        a: &Expr,
        b: &Expr,
        ty: TypeId,
        e: &Expr,
    ) -> R<super::expr::Val> {
        let mut side = |x: &Expr| -> R<Path> {
            match &unqualified(x).kind {
                ExprKind::Aggregate(_) => {
                    // Its own bounds are its bounds here, not those of what it is compared with.
                    let open = self.c.types.root(ty).unwrap_or(ty);
                    let own = self.bounded(Sub { ty: open, low: 0, high: 0 }, Some(x), x.span);
                    self.constructed(own.map_or(ty, |sub| sub.ty), x)
                }
                _ => self.path(x),
            }
        };
        let (left, right) = (side(a)?, side(b)?);
        if !self.c.types.same(left.sub.ty, right.sub.ty) || !matches!(op, BinOp::Eq | BinOp::Ne) {
            return Err(mismatch(e.span, "these cannot be compared"));
        }
        if self.c.types.get(left.sub.ty).size != self.c.types.get(right.sub.ty).size {
            return Ok(self.truth(IrExpr::bool(op == BinOp::Ne)));
        }
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        self.scalars(&left, &mut xs, e.span)?;
        self.scalars(&right, &mut ys, e.span)?;
        let mut equal = IrExpr::bool(true);
        for (x, y) in xs.iter().zip(&ys) {
            let (x, y) = (IrExpr::read(self.place(x)), IrExpr::read(self.place(y)));
            let same = IrExpr::binary(IrOp::Eq, x, y);
            equal = if equal.as_const().is_some() { same } else { IrExpr::binary(IrOp::And, equal, same) };
        }
        Ok(self.truth(if op == BinOp::Eq { equal } else { equal.negate() }))
    }

    /// All scalar parts, in order.
    fn scalars(&self, of: &Path, out: &mut Vec<Path>, span: Span) -> R<()> {
        match self.c.types.kind(of.sub.ty) {
            Kind::Record { fields } => {
                for (name, sub, offset) in fields {
                    let mut part = of.clone();
                    part.offset += *offset as i64;
                    part.sub = *sub;
                    part.steps.push(Step::Field(name.clone()));
                    self.scalars(&part, out, span)?;
                }
            }
            Kind::Array { elem, .. } => {
                let (size, one) = (self.c.types.get(of.sub.ty).size, self.c.types.get(elem.ty).size.max(1));
                for k in 0..size / one {
                    let mut part = of.clone();
                    part.offset += (k * one) as i64;
                    part.sub = *elem;
                    part.steps.push(Step::Element(Some((k * one) as i64)));
                    self.scalars(&part, out, span)?;
                }
            }
            _ => out.push(of.clone()),
        }
        if out.len() > MOST_PARTS {
            let message = format!("objects of more than {MOST_PARTS} scalars cannot be compared or be inputs");
            return Err(Diagnostic::error("limit", span, message));
        }
        Ok(())
    }

    /// Gives an object any value of its subtype, from outside.
    pub(crate) fn draw(&mut self, object: &Object, name: &str, span: Span) -> R<()> {
        let path = self.path_of(object);
        let source = Source::Nondet(name.to_owned());
        if !self.c.types.is_composite(object.sub.ty) {
            let place = self.place(&path);
            let value = IrExpr::read(place.clone());
            self.step(Op::Havoc(HavocDst::Place(place), source), span);
            let cond = self.within(&value, object.sub.low, object.sub.high, object.sub.ty);
            self.assume(cond, span);
            return Ok(());
        }
        let size = self.c.types.get(object.sub.ty).size;
        let len = IrExpr::int(super::types::Types::MODEL.size_ty(), i128::from(size));
        self.step(Op::Havoc(HavocDst::Range { dst: IrExpr::addr(path.address()), len }, source), span);
        let mut parts = Vec::new();
        self.scalars(&path, &mut parts, span)?;
        for part in parts {
            let value = IrExpr::read(self.place(&part));
            let cond = self.within(&value, part.sub.low, part.sub.high, part.sub.ty);
            self.assume(cond, span);
        }
        Ok(())
    }

    /// Keeps a value for `'Old`.
    pub(crate) fn remember(&mut self, of: &Expr, at: Span) -> R<()> {
        let ty = self.hint(of).ok_or_else(|| mismatch(of.span, "the type of this is not known"))?;
        let object = if self.c.types.is_composite(ty) {
            let from = self.path(of)?;
            let object = self.scratch(from.sub, of.span);
            let to = self.path_of(&object);
            self.copy(&to, &from, of.span)?;
            Object { variable: false, valid: from.valid, ..object }
        } else {
            let v = self.expr(of, Some(ty))?;
            let v = self.typed(v, ty, of)?;
            let scalar = self.c.types.scalar(ty);
            let local = self.local("$old", Shape::Scalar(scalar), of.span);
            let object = Object { home: Home::Var(Var::Local(local)), sub: v.sub, variable: false, valid: v.valid };
            let path = self.path_of(&object);
            self.write(&path, v.expr, of.span);
            object
        };
        self.old.push((at, object));
        Ok(())
    }

    /// Whether a name is a subprogram's.
    pub(crate) fn names_subprogram(&self, e: &Expr) -> Option<usize> {
        match self.find(&dotted_text(&e.kind)?)? {
            Entity::Subprogram(i) => Some(i),
            _ => None,
        }
    }
}

/// Without `T'( )` around it.
pub(crate) fn unqualified(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Qualified(_, v) => unqualified(v),
        _ => e,
    }
}

//! What is known without running anything: static expressions, the types of expressions, and predicates.

use super::body::Body;
use super::names::Entity;
use super::types::{Kind, Sub, TypeId, mismatch};
use super::{Context, R};
use crate::parser::dotted_text;
use crate::syntax::*;
use base::Diagnostic;
use std::collections::BTreeMap;

type Scopes = [BTreeMap<String, Entity>];

/// Calls `visit` on the direct parts of an expression.
pub(crate) fn children<'e>(e: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Name(_) | ExprKind::Default => {}
        ExprKind::Select(a, _) | ExprKind::Unary(_, a) => visit(a),
        ExprKind::Apply(f, args) => {
            visit(f);
            args.iter().for_each(|(_, a)| visit(a));
        }
        ExprKind::Attribute(of, _, args) => {
            visit(of);
            args.iter().for_each(visit);
        }
        ExprKind::Qualified(a, b) | ExprKind::Binary(_, a, b) => {
            visit(a);
            visit(b);
        }
        ExprKind::In(a, choices, _) => {
            visit(a);
            choices.iter().for_each(|c| in_choice(c, visit));
        }
        ExprKind::If(arms, otherwise) => {
            for (c, v) in arms {
                visit(c);
                visit(v);
            }
            otherwise.iter().for_each(|o| visit(o));
        }
        ExprKind::Case(of, arms) => {
            visit(of);
            arms.iter().for_each(|(_, v)| visit(v));
        }
        ExprKind::Quantified(_, _, over, body) => {
            match &**over {
                Indices::Range(a, b) => {
                    visit(a);
                    visit(b);
                }
                Indices::Of(a, _) | Indices::Elements(a) => visit(a),
                Indices::Subtype(_) => {}
            }
            visit(body);
        }
        ExprKind::Aggregate(parts) => parts.iter().for_each(|(_, v)| visit(v)),
        ExprKind::Delta(of, parts) => {
            visit(of);
            parts.iter().for_each(|(_, v)| visit(v));
        }
        ExprKind::Slice(of, bounds) => {
            visit(of);
            visit(&bounds.0);
            visit(&bounds.1);
        }
    }
}

fn in_choice<'e>(c: &'e Choice, visit: &mut dyn FnMut(&'e Expr)) {
    match c {
        Choice::Value(e) => visit(e),
        Choice::Range(a, b) => {
            visit(a);
            visit(b);
        }
        Choice::Others => {}
    }
}

impl Context<'_> {
    /// The value of a static expression.
    pub(super) fn static_value(&self, e: &Expr, package: Option<&str>, inner: &Scopes) -> R<i128> {
        self.static_typed(e, None, package, inner)
    }

    /// The value of a static expression of a type, which decides between values of enumerations.
    pub(super) fn static_typed(&self, e: &Expr, ty: Option<TypeId>, package: Option<&str>, inner: &Scopes) -> R<i128> {
        let fold = Fold { c: self, package, inner };
        fold.value(e, ty).ok_or_else(|| {
            Diagnostic::error("not-static", e.span, "this is not known before the program runs, as it must be here")
        })
    }

    /// The type of a static expression, where it says one.
    pub(super) fn static_hint(&self, e: &Expr, package: Option<&str>, inner: &Scopes) -> Option<TypeId> {
        Fold { c: self, package, inner }.hint(e)
    }

    /// A condition over globals, for the abstraction.
    pub(super) fn predicate(&mut self, e: &Expr, package: Option<&str>) -> R<ir::Expr> {
        let func = base::Id::from_index(0);
        let mut b = Body::new(self, func, package.map(str::to_owned), e.span);
        b.quiet_condition(e)
    }
}

impl Body<'_, '_> {
    /// A condition without checks; what needs steps of its own is refused.
    pub(crate) fn quiet_condition(&mut self, e: &Expr) -> R<ir::Expr> {
        let here = self.at;
        self.quiet = true;
        let cond = self.condition(e);
        self.quiet = false;
        if self.at != here {
            return Err(Diagnostic::error("predicate", e.span, "a predicate has no calls and no quantifiers"));
        }
        cond
    }

    /// The type of an expression, where it says one.
    pub(crate) fn hint(&self, e: &Expr) -> Option<TypeId> {
        if let ExprKind::Attribute(_, name, _) = &e.kind
            && name.text == "result"
        {
            return self.result.as_ref().map(|r| r.sub.ty);
        }
        Fold { c: self.c, package: self.package.as_deref(), inner: &self.scopes }.hint(e)
    }

    /// The value of an expression that is static.
    pub(crate) fn known(&self, e: &Expr, ty: Option<TypeId>) -> Option<i128> {
        Fold { c: self.c, package: self.package.as_deref(), inner: &self.scopes }.value(e, ty)
    }
}

struct Fold<'f, 'a> {
    c: &'f Context<'a>,
    package: Option<&'f str>,
    inner: &'f Scopes,
}

impl Fold<'_, '_> {
    fn entity(&self, e: &Expr) -> Option<&Entity> {
        self.c.names.find(&dotted_text(&e.kind)?, self.package, self.inner)
    }

    fn subtype(&self, e: &Expr) -> Option<Sub> {
        match self.entity(e)? {
            Entity::Subtype(sub) => Some(*sub),
            _ => None,
        }
    }

    fn value(&self, e: &Expr, ty: Option<TypeId>) -> Option<i128> {
        match &e.kind {
            ExprKind::Int(n) => Some(*n),
            ExprKind::Name(_) | ExprKind::Select(..) => match self.entity(e)? {
                Entity::Value(_, n) => Some(*n),
                Entity::Literals(all) => literal(all, ty).map(|(_, n)| n),
                _ => None,
            },
            ExprKind::Unary(op, a) => {
                let a = self.value(a, ty)?;
                match op {
                    UnOp::Neg => a.checked_neg(),
                    UnOp::Plus => Some(a),
                    UnOp::Abs => a.checked_abs(),
                    UnOp::Not => None,
                }
            }
            ExprKind::Binary(op, a, b) => fold_binary(*op, self.value(a, ty)?, self.value(b, ty)?),
            ExprKind::Attribute(of, name, args) => self.attribute(of, &name.text, args),
            ExprKind::Qualified(t, v) => self.value(v, Some(self.subtype(t)?.ty)),
            ExprKind::Apply(f, args) => match (self.subtype(f), &args[..]) {
                (Some(sub), [(None, a)]) => self.value(a, None).filter(|n| (sub.low..=sub.high).contains(n)),
                _ => None,
            },
            _ => None,
        }
    }

    fn attribute(&self, of: &Expr, name: &str, args: &[Expr]) -> Option<i128> {
        let sub = self.subtype(of).or_else(|| match self.entity(of)? {
            Entity::Object(o) => Some(o.sub),
            Entity::Part(path) => Some(path.sub),
            _ => None,
        });
        // A component: its type has the bounds.
        let array = |ty: &TypeId| matches!(self.c.types.kind(*ty), Kind::Array { .. });
        let part = || self.hint(of).filter(array).map(|ty| Sub { ty, low: 0, high: 0 });
        let sub = sub.or_else(part)?;
        let ranged = match self.c.types.kind(sub.ty) {
            Kind::Array { dims, .. } => {
                let n = args.first().map_or(Some(1), |a| self.value(a, None))?;
                *dims.get(usize::try_from(n - 1).ok()?)?
            }
            Kind::Record { .. } | Kind::Unconstrained { .. } => return None,
            _ => sub,
        };
        match name {
            "first" => Some(ranged.low),
            "last" => Some(ranged.high),
            "length" if self.c.types.is_composite(sub.ty) => Some((ranged.high - ranged.low + 1).max(0)),
            "modulus" => match self.c.types.kind(sub.ty) {
                Kind::Mod { modulus, .. } => Some(*modulus),
                _ => None,
            },
            "pos" => self.value(args.first()?, Some(sub.ty)),
            "val" => self.value(args.first()?, None).filter(|n| (sub.low..=sub.high).contains(n)),
            _ => None,
        }
    }

    fn hint(&self, e: &Expr) -> Option<TypeId> {
        let boolean = Some(self.c.types.boolean.ty);
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Aggregate(_) | ExprKind::Default => None,
            ExprKind::Delta(of, _) => self.hint(of),
            ExprKind::Slice(of, _) => self.c.types.root(self.hint(of)?),
            ExprKind::Name(_) | ExprKind::Select(..) if self.entity(e).is_some() => match self.entity(e)? {
                Entity::Object(o) => Some(o.sub.ty),
                Entity::Part(path) => Some(path.sub.ty),
                Entity::Value(sub, _) => (sub.ty != self.c.types.universal.ty).then_some(sub.ty),
                Entity::Literals(all) => (all.len() == 1).then(|| all[0].0.ty),
                Entity::Subprogram(i) => self.c.subprograms[*i].result.map(|r| r.ty),
                Entity::Subtype(_) | Entity::Package | Entity::Parameter => None,
            },
            ExprKind::Name(_) => None,
            ExprKind::Select(of, field) => match self.c.types.kind(self.hint(of)?) {
                Kind::Record { fields } => fields.iter().find(|(n, ..)| *n == field.text).map(|(_, sub, _)| sub.ty),
                _ => None,
            },
            ExprKind::Apply(f, _) => {
                if let Some(sub) = self.subtype(f) {
                    return Some(sub.ty);
                }
                let of = self.hint(f)?;
                match (self.entity(f), self.c.types.kind(of)) {
                    (Some(Entity::Subprogram(_)), _) => Some(of),
                    (_, Kind::Array { elem, .. } | Kind::Unconstrained { elem, .. }) => Some(elem.ty),
                    _ => None,
                }
            }
            ExprKind::Attribute(of, name, _) => match name.text.as_str() {
                "first" | "last" | "succ" | "pred" | "val" | "min" | "max" | "mod" => {
                    let ty = self.subtype(of).map(|s| s.ty).or_else(|| self.hint(of))?;
                    match self.c.types.kind(ty) {
                        Kind::Array { dims, .. } => dims.first().map(|d| d.ty),
                        _ => Some(ty),
                    }
                }
                "old" => self.hint(of),
                _ => None,
            },
            ExprKind::Qualified(t, _) => self.subtype(t).map(|s| s.ty),
            ExprKind::Unary(_, a) => self.hint(a),
            ExprKind::Binary(op, a, b) => match op {
                BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => boolean,
                BinOp::AndThen | BinOp::OrElse => boolean,
                BinOp::Power => self.hint(a),
                _ => self.hint(a).or_else(|| self.hint(b)),
            },
            ExprKind::In(..) | ExprKind::Quantified(..) => boolean,
            ExprKind::If(arms, otherwise) => {
                let values = arms.iter().map(|(_, v)| v).chain(otherwise.iter().map(|o| &**o));
                values.into_iter().find_map(|v| self.hint(v))
            }
            ExprKind::Case(_, arms) => arms.iter().find_map(|(_, v)| self.hint(v)),
        }
    }
}

/// The value of an enumeration that is meant.
pub(crate) fn literal(all: &[(Sub, i128)], ty: Option<TypeId>) -> Option<(Sub, i128)> {
    match ty {
        Some(ty) => all.iter().copied().find(|(sub, _)| sub.ty == ty),
        None => (all.len() == 1).then(|| all[0]),
    }
}

/// An operator on numbers that are known.
pub(crate) fn fold_binary(op: BinOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div => a.checked_div(b),
        BinOp::Rem => a.checked_rem(b),
        BinOp::Mod => a.checked_rem(b).map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r }),
        BinOp::Power => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        _ => None,
    }
}

/// The subtype that an expression names.
pub(crate) fn names_subtype(b: &Body<'_, '_>, e: &Expr) -> Option<Sub> {
    match b.find(&dotted_text(&e.kind)?)? {
        Entity::Subtype(sub) => Some(sub),
        _ => None,
    }
}

/// Complains that two types differ.
pub(crate) fn differ(b: &Body<'_, '_>, e: &Expr, found: TypeId, wanted: TypeId) -> Diagnostic {
    let (found, wanted) = (b.c.types.name(found), b.c.types.name(wanted));
    mismatch(e.span, format!("this is of type {found}, where {wanted} is wanted"))
}

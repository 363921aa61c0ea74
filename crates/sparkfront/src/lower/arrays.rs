//! Arrays whose type leaves their bounds open. Every object has bounds that are known before the program runs, so a subprogram with such
//! a parameter is lowered once for each choice of bounds that it is called with.

use super::body::{Body, index_ty};
use super::names::{Entity, Home, Object};
use super::place::{Path, Step};
use super::types::{Kind, Sub, TypeId, mismatch};
use super::{Context, R, Unitless};
use crate::parser::dotted_text;
use crate::syntax::*;
use base::{Diagnostic, Span};
use ir::{Expr as IrExpr, Index, Loc};
use std::collections::BTreeMap;

type Scopes = [BTreeMap<String, Entity>];

/// A subprogram is lowered for at most so many choices of bounds.
const MOST_INSTANCES: usize = 1000;

impl Context<'_> {
    /// The subtype of an object: of an array type without bounds, that with the bounds of its value.
    pub(super) fn with_bounds(
        &mut self,
        sub: Sub,
        of: Option<&Expr>,
        at: Span,
        package: Option<&str>,
        inner: &Scopes,
    ) -> R<Sub> {
        if !self.types.is_unconstrained(sub.ty) {
            return Ok(sub);
        }
        let Some(value) = of else { return Err(mismatch(at, "an array of this type needs bounds here, or a value")) };
        let (low, high) = self.bounds_of(sub.ty, value, package, inner)?;
        self.types.constrain(sub.ty, low, high, value.span)
    }

    /// The bounds of an array value.
    fn bounds_of(&self, root: TypeId, e: &Expr, package: Option<&str>, inner: &Scopes) -> R<(i128, i128)> {
        let Kind::Unconstrained { index, .. } = *self.types.kind(root) else { unreachable!("the root of arrays") };
        let of_type = |ty: Option<TypeId>| match ty.map(|t| self.types.kind(t)) {
            Some(Kind::Array { dims, root: Some(r), .. }) if *r == root => Some((dims[0].low, dims[0].high)),
            _ => None,
        };
        let named = |t: &Expr| match self.names.find(&dotted_text(&t.kind)?, package, inner)? {
            Entity::Subtype(sub) => Some(*sub),
            _ => None,
        };
        let value = |e: &Expr| self.static_typed(e, Some(index.ty), package, inner);
        match &e.kind {
            ExprKind::Qualified(t, v) => match of_type(named(t).map(|s| s.ty)) {
                Some(bounds) => Ok(bounds),
                None => self.bounds_of(root, v, package, inner),
            },
            ExprKind::Delta(of, _) => self.bounds_of(root, of, package, inner),
            ExprKind::Slice(_, bounds) => Ok((value(&bounds.0)?, value(&bounds.1)?)),
            ExprKind::Aggregate(parts) if parts.iter().all(|(choices, _)| choices.is_empty()) => {
                Ok((index.low, index.low + parts.len() as i128 - 1))
            }
            ExprKind::Aggregate(parts) => {
                let mut all: Option<(i128, i128)> = None;
                for choice in parts.iter().flat_map(|(choices, _)| choices) {
                    let (low, high) = match choice {
                        Choice::Others => {
                            return Err(mismatch(e.span, "`others` does not say how many elements there are"));
                        }
                        Choice::Value(v) => match named(v) {
                            Some(sub) => (sub.low, sub.high),
                            None => value(v).map(|n| (n, n))?,
                        },
                        Choice::Range(a, b) => (value(a)?, value(b)?),
                    };
                    all = Some(all.map_or((low, high), |(l, h)| (l.min(low), h.max(high))));
                }
                all.ok_or_else(|| mismatch(e.span, "the bounds of this are not known"))
            }
            _ => of_type(self.static_hint(e, package, inner)).ok_or_else(|| {
                let message = "arrays whose bounds are not known before the program runs are not supported";
                Diagnostic::error("unsupported", e.span, message)
            }),
        }
    }

    /// Whether a subprogram is lowered for its callers' bounds only.
    pub(super) fn is_template(&self, index: usize) -> bool {
        self.subprograms[index].params.iter().any(|(_, _, sub)| self.types.is_unconstrained(sub.ty))
    }

    /// The subprogram with parameters of these subtypes.
    fn instance(&mut self, index: usize, subs: Vec<Sub>, span: Span) -> R<usize> {
        let key = (index, subs.iter().map(|s| s.ty).collect::<Vec<TypeId>>());
        if let Some(known) = self.instances.get(&key) {
            return Ok(*known);
        }
        if self.functions.len() != self.subprograms.len() || self.instances.len() == MOST_INSTANCES {
            let message =
                "a call with an array parameter without bounds cannot stand here, or there are too many of them";
            return Err(Diagnostic::error("unsupported", span, message));
        }
        let new = self.subprograms.len();
        let of = &self.subprograms[index];
        let name = format!("{}'{}", of.full, self.instances.len() + 1);
        let (full, package, spec, body, result) = (of.full.clone(), of.package.clone(), of.spec, of.body, of.result);
        let params: Vec<_> =
            of.params.iter().zip(subs).map(|((name, mode, _), sub)| (name.clone(), *mode, sub)).collect();
        let slots = params
            .iter()
            .zip(&spec.params)
            .map(|((p, mode, sub), text)| {
                let out = *mode != Mode::In && !self.types.is_composite(sub.ty);
                out.then(|| self.global(&format!("{name}.{p}'out"), *sub, &text.name))
            })
            .collect();
        self.functions.push(super::empty_function(name.clone(), spec.name.span));
        self.subprograms.push(Unitless { full, name, package, spec, body, params, result, slots });
        self.instances.insert(key, new);
        Ok(new)
    }
}

impl Body<'_, '_> {
    /// The subtype of an object with this value.
    pub(crate) fn bounded(&mut self, sub: Sub, value: Option<&Expr>, at: Span) -> R<Sub> {
        let (package, scopes) = (self.package.clone(), std::mem::take(&mut self.scopes));
        let sub = self.c.with_bounds(sub, value, at, package.as_deref(), &scopes);
        self.scopes = scopes;
        sub
    }

    /// The subprogram that a call means, with the bounds of its actual parameters.
    pub(crate) fn called(
        &mut self,
        index: usize,
        actuals: &[(Expr, bool)],
        home: Option<&str>,
        span: Span,
    ) -> R<usize> {
        if !self.c.is_template(index) {
            return Ok(index);
        }
        let formal: Vec<Sub> = self.c.subprograms[index].params.iter().map(|(_, _, sub)| *sub).collect();
        let mut subs = Vec::new();
        for (sub, (actual, is_default)) in formal.into_iter().zip(actuals) {
            subs.push(if *is_default {
                self.elsewhere(home, |b| b.bounded(sub, Some(actual), actual.span))?
            } else {
                self.bounded(sub, Some(actual), actual.span)?
            });
        }
        self.c.instance(index, subs, span)
    }

    /// Arrays of one type have the same length where one becomes the other; whether they have is known.
    pub(crate) fn same_length(&mut self, a: TypeId, b: TypeId, span: Span) -> bool {
        let same = self.c.types.get(a).size == self.c.types.get(b).size;
        if !same {
            self.check(IrExpr::bool(false), "length check", span);
        }
        same
    }

    /// `a (L .. H)`
    pub(crate) fn slice(&mut self, of: &Expr, (low, high): &(Expr, Expr), e: &Expr) -> R<Path> {
        let mut path = self.path(of)?;
        let Kind::Array { dims, elem, root: Some(root) } = self.c.types.kind(path.sub.ty).clone() else {
            return Err(mismatch(of.span, "this is no array of one dimension"));
        };
        let dim = dims[0];
        let (Some(a), Some(b)) = (self.known(low, Some(dim.ty)), self.known(high, Some(dim.ty))) else {
            let message = "slices whose bounds are not known before the program runs are not supported";
            return Err(Diagnostic::error("unsupported", e.span, message));
        };
        path.sub = self.c.types.constrain(root, a, b, e.span)?;
        path.steps.push(Step::Element(None));
        if a <= b && (a < dim.low || b > dim.high) {
            self.check(IrExpr::bool(false), "range check", e.span);
        } else if a <= b {
            path.offset += (a - dim.low) as i64 * self.c.types.get(elem.ty).size as i64;
        }
        Ok(path)
    }

    /// An array as one of another subtype of its type: `T (a)`.
    pub(crate) fn as_subtype(&mut self, to: Sub, value: &Expr, e: &Expr) -> R<Path> {
        // What is written to a scalar is checked against its own subtype, which this would hide.
        if !self.c.types.is_composite(to.ty) {
            return Err(mismatch(e.span, "a converted or qualified scalar is no object"));
        }
        let from = self.path(value)?;
        if !self.c.types.same(from.sub.ty, to.ty) {
            return Err(super::condition::differ(self, value, from.sub.ty, to.ty));
        }
        if self.c.types.is_unconstrained(to.ty) || !self.same_length(from.sub.ty, to.ty, e.span) {
            return Ok(from);
        }
        Ok(Path { sub: to, ..from })
    }

    /// An aggregate where an object is wanted: a new object with this value.
    pub(crate) fn constructed(&mut self, ty: TypeId, e: &Expr) -> R<Path> {
        let sub = self.bounded(Sub { ty, low: 0, high: 0 }, Some(e), e.span)?;
        let object: Object = self.scratch(sub, e.span);
        let path = self.path_of(&object);
        self.fill(&path, e)?;
        Ok(Path { valid: true, ..path })
    }

    /// The array whose elements are meant, with the bounds of its index and the bytes between elements.
    pub(crate) fn elements(&mut self, of: &Expr) -> R<(Path, Sub, i64)> {
        let path = self.path(of)?;
        let path = self.freeze(path, of.span);
        match self.c.types.kind(path.sub.ty).clone() {
            Kind::Array { dims, elem, .. } if dims.len() == 1 => {
                Ok((Path { sub: elem, ..path }, dims[0], self.c.types.get(elem.ty).size as i64))
            }
            _ => Err(mismatch(of.span, "this is no array of one dimension")),
        }
    }

    /// A loop over the elements of an array.
    pub(crate) fn over_elements(
        &mut self,
        variable: &Name,
        reverse: bool,
        of: &Expr,
        (after, span): (Loc, Span),
        body: impl FnOnce(&mut Self) -> R<()>,
    ) -> R<()> {
        let (mut path, dim, stride) = self.elements(of)?;
        let (low, high) = (self.constant(dim, dim.low), self.constant(dim, dim.high));
        self.over(variable, reverse, &low, &high, after, span, |b| {
            let Some(Entity::Object(Object { home: Home::Var(var), .. })) = b.find(&variable.text) else {
                unreachable!("the index is a variable")
            };
            let index = IrExpr::var(var, b.c.types.scalar(dim.ty));
            path.offset -= dim.low as i64 * stride;
            path.indices.push(Index { value: IrExpr::convert(index_ty(), index), stride });
            path.steps.push(Step::Element(None));
            b.bind(variable, Entity::Part(Box::new(path)));
            body(b)
        })
    }

    /// One element, whose index is known.
    pub(crate) fn nth_element(&self, (of, dim, stride): &(Path, Sub, i64), n: i128) -> Path {
        let mut path = of.clone();
        let bytes = (n - dim.low) as i64 * stride;
        path.offset += bytes;
        path.steps.push(Step::Element(Some(bytes)));
        path
    }
}

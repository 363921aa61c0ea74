//! Objects and their parts: where they are, and reading and writing them.

use super::R;
use super::body::{Body, index_ty};
use super::expr::Val;
use super::names::{Entity, Home, Object};
use super::types::{Kind, Sub, mismatch};
use crate::parser::dotted_text;
use crate::syntax::{Expr, ExprKind};
use base::Diagnostic;
use ir::{Address, Base, Expr as IrExpr, Index, Label, Op, Place, Shape, Ty, Var};

/// A part of an object.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) home: Home,
    pub(crate) offset: i64,
    pub(crate) indices: Vec<Index>,
    pub(crate) sub: Sub,
    pub(crate) variable: bool,
    pub(crate) valid: bool,
    /// The way from the object to the part, by which parts are distinct.
    pub(crate) steps: Vec<Step>,
}

/// One step into an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A component.
    Field(String),
    /// An element; its offset if it is known.
    Element(Option<i64>),
}

impl Path {
    pub(crate) fn address(&self) -> Address {
        let base = match self.home {
            Home::Var(var) => Base::Var(var),
            Home::Behind(local) => Base::Ptr(Box::new(IrExpr::var(Var::Local(local), Ty::Ptr))),
        };
        Address { base, offset: self.offset, indices: self.indices.clone() }
    }

    /// Whether two parts of objects can share a byte.
    pub(crate) fn may_overlap(&self, other: &Path) -> bool {
        let distinct = |(a, b): (&Step, &Step)| match (a, b) {
            (Step::Element(Some(a)), Step::Element(Some(b))) => a != b,
            (Step::Field(a), Step::Field(b)) => a != b,
            _ => false,
        };
        self.home == other.home && !self.steps.iter().zip(&other.steps).any(distinct)
    }
}

impl Body<'_, '_> {
    /// The whole of an object.
    pub(crate) fn path_of(&self, o: &Object) -> Path {
        let Object { home, sub, variable, valid } = o.clone();
        Path { home, offset: 0, indices: Vec::new(), sub, variable, valid, steps: Vec::new() }
    }

    /// A name that stands before the declaration it is found at means another declaration of that name, if there is one.
    fn is_declared_before(&self, o: &Object, name: &str, e: &Expr) -> R<()> {
        let Home::Var(Var::Global(g)) = o.home else { return Ok(()) };
        let Some(state) = self.c.state.iter().find(|s| s.global == g) else { return Ok(()) };
        let later = state.span.file == e.span.file && state.span.lo > e.span.lo;
        if later && self.c.names.has_homonym(name) {
            let message = format!("`{name}` is used before its declaration, and something else has this name");
            return Err(Diagnostic::error("undeclared", e.span, message));
        }
        Ok(())
    }

    /// The part of an object that an expression names; a call's result is an object of its own.
    pub(crate) fn path(&mut self, e: &Expr) -> R<Path> {
        if let Some(name) = dotted_text(&e.kind) {
            match self.find(&name) {
                Some(Entity::Object(o)) => {
                    self.is_declared_before(&o, &name, e)?;
                    return Ok(self.path_of(&o));
                }
                Some(Entity::Part(path)) => return Ok(*path),
                Some(Entity::Subprogram(i)) => return self.result_object(i, &[], e),
                Some(Entity::Parameter) => {
                    let message = format!(
                        "the parameter `{name}` of a subprogram, used in one inside of it, is not in the subset of SPARK that is \
                         supported: pass it on"
                    );
                    return Err(Diagnostic::error("unsupported", e.span, message));
                }
                Some(_) => return Err(mismatch(e.span, format!("`{name}` is no object"))),
                None => {}
            }
        }
        match &e.kind {
            ExprKind::Name(name) => Err(Diagnostic::error("undeclared", e.span, format!("there is no `{name}`"))),
            ExprKind::Select(of, field) => {
                let of_span = of.span;
                let mut path = self.path(of)?;
                let Kind::Record { fields } = self.c.types.kind(path.sub.ty) else {
                    return Err(mismatch(of_span, "this is no record"));
                };
                let Some((_, sub, offset)) = fields.iter().find(|(name, ..)| *name == field.text).cloned() else {
                    return Err(Diagnostic::error(
                        "undeclared",
                        field.span,
                        format!("there is no component `{}`", field.text),
                    ));
                };
                path.offset += offset as i64;
                path.sub = sub;
                path.steps.push(Step::Field(field.text.clone()));
                Ok(path)
            }
            ExprKind::Apply(f, args) => {
                if let Some(Entity::Subprogram(i)) = dotted_text(&f.kind).and_then(|n| self.find(&n)) {
                    return self.result_object(i, args, e);
                }
                if let (Some(sub), [(None, value)]) = (super::condition::names_subtype(self, f), &args[..]) {
                    return self.as_subtype(sub, value, e);
                }
                let path = self.path(f)?;
                let args: Vec<&Expr> = args.iter().map(|(_, a)| a).collect();
                self.element(path, &args, e)
            }
            ExprKind::Attribute(_, name, _) if name.text == "result" || name.text == "old" => {
                let object = if name.text == "result" {
                    self.result.clone()
                } else {
                    self.old.iter().find(|(span, _)| *span == e.span).map(|(_, o)| o.clone())
                };
                let Some(object) = object else { return Err(mismatch(e.span, "this attribute cannot stand here")) };
                Ok(self.path_of(&object))
            }
            ExprKind::Slice(of, bounds) => self.slice(of, bounds, e),
            ExprKind::Qualified(t, v) => match super::condition::names_subtype(self, t) {
                Some(sub) if matches!(v.kind, ExprKind::Aggregate(_) | ExprKind::Delta(..)) => {
                    self.constructed(sub.ty, v)
                }
                Some(sub) => self.as_subtype(sub, v, e),
                None => Err(mismatch(t.span, "this is no type")),
            },
            ExprKind::Delta(of, _) if self.hint(of).is_some() => {
                let ty = self.hint(of).expect("looked at");
                self.constructed(ty, e)
            }
            ExprKind::Binary(..) | ExprKind::Unary(..) => {
                Err(mismatch(e.span, "operators on arrays and records, but for comparisons, are not supported"))
            }
            ExprKind::If(..) | ExprKind::Case(..) => {
                Err(mismatch(e.span, "conditional expressions of arrays and records are not supported"))
            }
            _ => Err(mismatch(e.span, "this is no object")),
        }
    }

    /// An element of an array; its indices are checked.
    pub(crate) fn element(&mut self, mut path: Path, args: &[&Expr], e: &Expr) -> R<Path> {
        let Kind::Array { dims, elem, .. } = self.c.types.kind(path.sub.ty).clone() else {
            return Err(mismatch(e.span, "this is no array and no function"));
        };
        if dims.len() != args.len() {
            return Err(mismatch(e.span, format!("this array has {} dimensions", dims.len())));
        }
        let strides = self.c.types.strides(&dims, elem);
        let mut fixed = Some(0);
        for ((arg, dim), stride) in args.iter().zip(&dims).zip(strides) {
            let v = self.expr(arg, Some(dim.ty))?;
            let v = self.fit(v, *dim, arg, "index check")?;
            match v.known.filter(|n| (dim.low..=dim.high).contains(n)) {
                Some(n) => {
                    let bytes = (n - dim.low) as i64 * stride;
                    path.offset += bytes;
                    fixed = fixed.map(|f: i64| f + bytes);
                }
                None => {
                    path.offset -= dim.low as i64 * stride;
                    path.indices.push(Index { value: IrExpr::convert(index_ty(), v.expr), stride });
                    fixed = None;
                }
            }
        }
        path.sub = elem;
        path.steps.push(Step::Element(fixed));
        Ok(path)
    }

    /// The place of a scalar part.
    pub(crate) fn place(&self, path: &Path) -> Place {
        let ty = self.c.types.scalar(path.sub.ty);
        match path.home {
            Home::Var(var) if self.shape(var) == Shape::Scalar(ty) => Place::var(var, ty),
            _ => Place { addr: path.address(), ty, bits: None, label: Label(None) },
        }
    }

    fn shape(&self, var: Var) -> Shape {
        match var {
            Var::Global(g) => self.c.globals[g].shape,
            Var::Local(l) => self.locals[l].shape,
        }
    }

    /// The value of a scalar part.
    pub(crate) fn read(&mut self, path: &Path, e: &Expr) -> R<Val> {
        if self.c.types.is_composite(path.sub.ty) {
            return Err(mismatch(e.span, "this is no scalar value"));
        }
        let expr = IrExpr::read(self.place(path));
        let sub = if path.valid { path.sub } else { self.c.types.base(path.sub.ty) };
        Ok(Val { expr, sub, valid: path.valid, known: None })
    }

    /// Writes a scalar part.
    pub(crate) fn write(&mut self, path: &Path, value: IrExpr, span: base::Span) {
        let place = self.place(path);
        self.step(Op::Assign(place, value), span);
    }

    /// The same part, wherever its indices lead later.
    pub(crate) fn freeze(&mut self, mut path: Path, span: base::Span) -> Path {
        for index in &mut path.indices {
            index.value = self.hold(index.value.clone(), span);
        }
        path
    }
}

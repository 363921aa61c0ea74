//! Calls. Values go in as arguments and come out through the callee's own variables; composite parameters are pointers.

use super::R;
use super::body::Body;
use super::expr::Val;
use super::names::{Home, Object};
use super::place::Path;
use super::types::{Sub, mismatch};
use crate::syntax::*;
use base::{Diagnostic, Id};
use ir::{Call, Callee, Expr as IrExpr, FuncId, GlobalId, Op, Var};

/// A parameter that was passed.
struct Passed<'e> {
    actual: &'e Expr,
    path: Option<Path>,
    mode: Mode,
    composite: bool,
}

impl Body<'_, '_> {
    /// A procedure call.
    pub(crate) fn procedure_call(&mut self, index: usize, args: &[(Option<Name>, Expr)], e: &Expr) -> R<()> {
        if self.c.subprograms[index].result.is_some() {
            return Err(mismatch(e.span, "a function is called like a procedure"));
        }
        self.call(index, args, e, None)
    }

    /// A function call with a scalar result.
    pub(crate) fn scalar_call(&mut self, index: usize, args: &[(Option<Name>, Expr)], e: &Expr) -> R<Val> {
        let Some(sub) = self.c.subprograms[index].result else {
            return Err(mismatch(e.span, "a procedure has no value"));
        };
        if self.c.types.is_composite(sub.ty) {
            return Err(mismatch(e.span, "this is no scalar value"));
        }
        let ty = self.c.types.scalar(sub.ty);
        let local = self.temporary(ty, e.span);
        self.call(index, args, e, Some(Var::Local(local)))?;
        let expr = IrExpr::var(Var::Local(local), ty);
        // The callee has checked what it returns.
        let cond = self.within(&expr, sub.low, sub.high, sub.ty);
        self.assume(cond, e.span);
        Ok(Val { expr, sub, valid: true, known: None })
    }

    /// A function call with a composite result, which is a new object.
    pub(crate) fn result_object(&mut self, index: usize, args: &[(Option<Name>, Expr)], e: &Expr) -> R<Path> {
        let Some(sub) = self.c.subprograms[index].result else {
            return Err(mismatch(e.span, "a procedure has no value"));
        };
        if !self.c.types.is_composite(sub.ty) {
            let v = self.scalar_call(index, args, e)?;
            let object = self.scratch(sub, e.span);
            let path = self.path_of(&object);
            self.write(&path, v.expr, e.span);
            return Ok(Path { valid: true, ..path });
        }
        let object = self.scratch(sub, e.span);
        let Home::Var(var) = object.home else { unreachable!("a new object is a variable") };
        self.call(index, args, e, Some(var))?;
        Ok(Path { valid: true, variable: false, ..self.path_of(&object) })
    }

    /// A call whose result, if there is one, goes to `result`.
    fn call(&mut self, index: usize, args: &[(Option<Name>, Expr)], e: &Expr, result: Option<Var>) -> R<()> {
        let s = &self.c.subprograms[index];
        let (spec, params, home) = (s.spec, s.params.clone(), s.package.clone());
        let defaults: Vec<Option<Expr>> = spec.params.iter().map(|p| p.default.clone()).collect();
        let actuals = actuals(&params, &defaults, args, e)?;
        let index = self.called(index, &actuals, home.as_deref(), e.span)?;
        let callee: FuncId = Id::from_index(index);
        let s = &self.c.subprograms[index];
        let (params, slots, returns) = (s.params.clone(), s.slots.clone(), s.result);
        let composite_result = returns.filter(|r| self.c.types.is_composite(r.ty)).is_some();
        let mut values = Vec::new();
        if let (true, Some(var)) = (composite_result, result) {
            values.push(IrExpr::addr(ir::Address::var(var)));
        }
        let mut passed = Vec::new();
        for ((_, mode, sub), (actual, is_default)) in params.iter().zip(&actuals) {
            if *is_default {
                self.elsewhere(home.as_deref(), |b| b.pass(actual, *mode, *sub, &mut values, &mut passed))?;
            } else {
                self.pass(actual, *mode, *sub, &mut values, &mut passed)?;
            }
        }
        self.no_aliases(callee, &passed)?;
        let dst = if composite_result { None } else { result };
        self.step(Op::Call(Call { dst, callee: Callee::Direct(callee), args: values }), e.span);
        self.copy_out(&params, &slots, &passed)
    }

    /// Something whose names are those of a package, and not of this place.
    pub(crate) fn elsewhere<T>(&mut self, package: Option<&str>, steps: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        let scopes = std::mem::replace(&mut self.scopes, vec![std::collections::BTreeMap::new()]);
        let package = std::mem::replace(&mut self.package, package.map(str::to_owned));
        let done = steps(self);
        (self.scopes, self.package) = (scopes, package);
        done
    }

    fn pass<'e>(
        &mut self,
        actual: &'e Expr,
        mode: Mode,
        sub: Sub,
        values: &mut Vec<IrExpr>,
        passed: &mut Vec<Passed<'e>>,
    ) -> R<()> {
        let composite = self.c.types.is_composite(sub.ty);
        if mode == Mode::In && !composite {
            let v = self.expr(actual, Some(sub.ty))?;
            values.push(self.fit(v, sub, actual, "range check")?.expr);
            passed.push(Passed { actual, path: None, mode, composite });
            return Ok(());
        }
        let made =
            |e: &Expr| matches!(super::composite::unqualified(e).kind, ExprKind::Aggregate(_) | ExprKind::Delta(..));
        let path = if mode == Mode::In && made(actual) {
            let object: Object = self.scratch(sub, actual.span);
            let path = self.path_of(&object);
            self.fill(&path, actual)?;
            path
        } else {
            let path = self.path(actual)?;
            self.freeze(path, actual.span)
        };
        if !self.c.types.same(path.sub.ty, sub.ty) {
            return Err(super::condition::differ(self, actual, path.sub.ty, sub.ty));
        }
        if composite {
            self.same_length(path.sub.ty, sub.ty, actual.span);
        }
        if mode != Mode::In && !path.variable {
            return Err(mismatch(actual.span, "this cannot be changed, as the parameter will be"));
        }
        if composite {
            values.push(IrExpr::addr(path.address()));
        } else if mode == Mode::InOut {
            let v = self.read(&path, actual)?;
            values.push(self.fit(v, sub, actual, "range check")?.expr);
        }
        passed.push(Passed { actual, path: Some(path), mode, composite });
        Ok(())
    }

    /// Refuses calls in which one parameter is another's or a global that the callee uses.
    fn no_aliases(&mut self, callee: FuncId, passed: &[Passed<'_>]) -> R<()> {
        for (i, a) in passed.iter().enumerate() {
            let Some(path) = &a.path else { continue };
            if let Home::Var(Var::Global(g)) = path.home {
                self.c.passed.push((callee, g, a.actual.span));
            }
            for b in &passed[i + 1..] {
                let Some(other) = &b.path else { continue };
                let writes = a.mode != Mode::In || b.mode != Mode::In;
                // A scalar that only goes in is a copy.
                let copies = |p: &Passed<'_>| p.mode == Mode::In && !p.composite;
                if writes && !copies(a) && !copies(b) && path.may_overlap(other) {
                    let message = "two parameters may be the same object, one of which is written: aliases are refused";
                    let error = Diagnostic::error("alias", b.actual.span, message);
                    return Err(error.with_note("the other parameter", Some(a.actual.span)));
                }
            }
        }
        Ok(())
    }

    /// Scalars that come out are checked against what they go to.
    fn copy_out(&mut self, params: &[(String, Mode, Sub)], slots: &[Option<GlobalId>], passed: &[Passed<'_>]) -> R<()> {
        for (((_, _, sub), slot), p) in params.iter().zip(slots).zip(passed) {
            let (Some(slot), Some(path)) = (slot, &p.path) else { continue };
            let ty = self.c.types.scalar(sub.ty);
            let expr = IrExpr::var(Var::Global(*slot), ty);
            let v = Val { expr, sub: self.c.types.base(sub.ty), valid: false, known: None };
            let v = self.fit(v, path.sub, p.actual, "range check")?;
            self.write(path, v.expr, p.actual.span);
        }
        Ok(())
    }
}

/// One actual parameter for each formal, and whether it is the default, which means what it means where the subprogram stands.
fn actuals(
    params: &[(String, Mode, Sub)],
    defaults: &[Option<Expr>],
    args: &[(Option<Name>, Expr)],
    e: &Expr,
) -> R<Vec<(Expr, bool)>> {
    let mut out: Vec<Option<Expr>> = vec![None; params.len()];
    for (i, (name, value)) in args.iter().enumerate() {
        let slot = match name {
            None => i,
            Some(name) => params.iter().position(|(p, ..)| *p == name.text).ok_or_else(|| {
                Diagnostic::error("arguments", name.span, format!("there is no parameter `{}`", name.text))
            })?,
        };
        match out.get_mut(slot) {
            Some(free @ None) => *free = Some(value.clone()),
            _ => return Err(Diagnostic::error("arguments", value.span, "one parameter too many, or given twice")),
        }
    }
    let given = out.into_iter().zip(defaults).zip(params).map(|((given, default), (name, ..))| {
        let default = default.clone().map(|e| (e, true));
        given
            .map(|e| (e, false))
            .or(default)
            .ok_or_else(|| Diagnostic::error("arguments", e.span, format!("the parameter `{name}` is not given")))
    });
    given.collect()
}

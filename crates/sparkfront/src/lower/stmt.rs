//! Statements and declarations inside of subprograms.

use super::body::Body;
use super::names::{Entity, Object};
use super::types::mismatch;
use super::{PredicateNote, R};
use crate::parser::dotted_text;
use crate::syntax::*;
use base::{Diagnostic, Span};
use ir::{Expr as IrExpr, Op};
use std::collections::BTreeMap;

impl Body<'_, '_> {
    /// A declaration.
    pub(crate) fn item(&mut self, item: &Item) -> R<()> {
        let package = self.package.clone();
        match item {
            Item::Type(name, def) => {
                let scopes = std::mem::take(&mut self.scopes);
                let sub = self.c.type_definition(name, def, package.as_deref(), &scopes);
                self.scopes = scopes;
                let sub = sub?;
                if let TypeDef::Enumeration(values) = def {
                    for (i, value) in values.iter().enumerate() {
                        // Values of several types can have one name.
                        let mut all = match self.find(&value.text) {
                            Some(Entity::Literals(known)) => known,
                            _ => Vec::new(),
                        };
                        all.push((sub, i as i128));
                        self.bind(value, Entity::Literals(all));
                    }
                }
                self.bind(name, Entity::Subtype(sub));
            }
            Item::Number(name, value) => {
                let Some(n) = self.known(value, None) else {
                    return Err(Diagnostic::error("not-static", value.span, "a named number must be known"));
                };
                let universal = self.c.types.universal;
                self.bind(name, Entity::Value(universal, n));
            }
            Item::Object(object) => {
                let scopes = std::mem::take(&mut self.scopes);
                let sub = self.c.subtype(&object.ty, package.as_deref(), &scopes);
                self.scopes = scopes;
                let sub = self.bounded(sub?, object.value.as_ref(), object.ty.name.span)?;
                for name in &object.names {
                    self.declare(name, object, sub)?;
                }
            }
            Item::Subprogram(s) => {
                let message = "subprograms inside of a subprogram that is not the main one are not supported";
                return Err(Diagnostic::error("unsupported", s.name.span, message));
            }
            Item::Predicate(e) => self.note(e)?,
            Item::Package(p) => {
                let message = "packages among the declarations of a block are not supported";
                return Err(Diagnostic::error("unsupported", p.name.span, message));
            }
            Item::Renaming(name, ty, of) => {
                let scopes = std::mem::take(&mut self.scopes);
                let sub = self.c.subtype_named(ty, package.as_deref(), &scopes);
                self.scopes = scopes;
                let (sub, path) = (sub?, self.path(of)?);
                if !self.c.types.same(sub.ty, path.sub.ty) {
                    return Err(super::condition::differ(self, of, path.sub.ty, sub.ty));
                }
                let path = self.freeze(path, of.span);
                self.bind(name, Entity::Part(Box::new(path)));
            }
        }
        Ok(())
    }

    fn declare(&mut self, name: &Name, object: &crate::syntax::Object, sub: super::types::Sub) -> R<()> {
        let composite = self.c.types.is_composite(sub.ty);
        if object.constant
            && !composite
            && let Some(value) = &object.value
            && let Some(n) = self.known(value, Some(sub.ty))
            && (sub.low..=sub.high).contains(&n)
        {
            self.bind(name, Entity::Value(sub, n));
            return Ok(());
        }
        let valid = object.value.is_some();
        let (_, made) = self.object(name, sub, true, valid);
        let path = self.path_of(&made);
        match &object.value {
            Some(value) => self.fill(&path, value)?,
            None if object.constant => return Err(mismatch(name.span, "a constant has a value")),
            None => self.unset(&path, name.span)?,
        }
        self.bind(name, Entity::Object(Object { variable: !object.constant, ..made }));
        Ok(())
    }

    /// What a subprogram with others in it declares exists already; it gets its value now.
    pub(crate) fn initialise_outer(&mut self, item: &Item) -> R<()> {
        let object = match item {
            Item::Object(object) => object,
            Item::Package(p) => {
                let inside = self.package.as_ref().map_or(p.name.text.clone(), |q| format!("{q}.{}", p.name.text));
                let outer = self.package.replace(inside);
                super::order::ordered(p).into_iter().try_for_each(|item| self.initialise_outer(item))?;
                self.package = outer;
                return Ok(());
            }
            _ => return Ok(()),
        };
        for name in &object.names {
            let Some(Entity::Object(made)) = self.find(&name.text) else { continue };
            let path = self.path_of(&made);
            match &object.value {
                Some(value) => self.fill(&path, value)?,
                None => self.unset(&path, name.span)?,
            }
        }
        Ok(())
    }

    pub(crate) fn statements(&mut self, statements: &[Stmt]) -> R<()> {
        statements.iter().try_for_each(|s| self.statement(s))
    }

    fn statement(&mut self, stmt: &Stmt) -> R<()> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Null => {}
            StmtKind::Assign(to, value) => self.assign(to, value, span)?,
            StmtKind::Call(e) => {
                let (f, args) = match &e.kind {
                    ExprKind::Apply(f, args) => (&**f, &args[..]),
                    _ => (e, &[][..]),
                };
                let Some(index) = self.names_subprogram(f) else {
                    let name = dotted_text(&f.kind).unwrap_or_default();
                    return Err(Diagnostic::error("undeclared", f.span, format!("there is no procedure `{name}`")));
                };
                self.procedure_call(index, args, e)?;
            }
            StmtKind::If(arms, otherwise) => self.if_statement(arms, otherwise, span)?,
            StmtKind::Case(of, arms) => self.case_statement(of, arms, span)?,
            StmtKind::Loop(name, scheme, body) => self.loop_statement(name.as_ref(), scheme, body, span)?,
            StmtKind::Exit(name, when) => self.exit(name.as_ref(), when.as_ref(), span)?,
            StmtKind::Return(value) => self.returns(value.as_ref(), span)?,
            StmtKind::Block(items, statements) => self.block(items, statements, None)?,
            StmtKind::Assert(kind, e) => {
                let cond = self.condition(e)?;
                let text = self.c.text(e.span);
                let what = if kind.is_empty() { text } else { format!("{kind}: {text}") };
                self.must(cond, &what, span);
            }
            StmtKind::Assume(e) => {
                let cond = self.condition(e)?;
                self.assume(cond, span);
            }
            StmtKind::Predicate(e) => self.note(e)?,
            StmtKind::Variant(parts) => self.variant(parts, span)?,
            StmtKind::Raise(name) => {
                self.must(IrExpr::bool(false), &format!("raise {}", name.text), span);
            }
        }
        Ok(())
    }

    /// `--% predicate e;`
    fn note(&mut self, e: &Expr) -> R<()> {
        let expr = self.quiet_condition(e)?;
        let function = Some(self.func);
        self.c.predicates.push(PredicateNote { function, expr, span: e.span });
        Ok(())
    }

    fn assign(&mut self, to: &Expr, value: &Expr, span: Span) -> R<()> {
        let path = self.path(to)?;
        if !path.variable {
            return Err(mismatch(to.span, "this cannot be changed"));
        }
        if self.c.types.is_composite(path.sub.ty) {
            return self.assign_composite(&path, value);
        }
        let v = self.expr(value, Some(path.sub.ty))?;
        let v = self.fit(v, path.sub, value, "range check")?;
        self.write(&path, v.expr, span);
        Ok(())
    }

    fn if_statement(&mut self, arms: &[(Expr, Vec<Stmt>)], otherwise: &[Stmt], span: Span) -> R<()> {
        let after = self.graph.loc(span);
        for (cond, body) in arms {
            let value = self.condition(cond)?;
            let (yes, no) = self.branch(value, cond.span);
            self.at = yes;
            self.statements(body)?;
            self.jump(after, span);
            self.at = no;
        }
        self.statements(otherwise)?;
        self.jump(after, span);
        self.at = after;
        Ok(())
    }

    fn case_statement(&mut self, of: &Expr, arms: &[(Vec<Choice>, Vec<Stmt>)], span: Span) -> R<()> {
        let ty = self.hint(of).unwrap_or(self.c.types.integer.ty);
        let v = self.expr(of, Some(ty))?;
        let v = self.typed(v, ty, of)?;
        let value = self.hold(v.expr, of.span);
        let after = self.graph.loc(span);
        let mut seen: Vec<(i128, i128)> = Vec::new();
        let mut others = None;
        let here = self.at;
        let within = |b: &Self, ranges: &[(i128, i128)]| {
            let conds = ranges.iter().map(|&(low, high)| match low == high {
                true => IrExpr::binary(ir::BinOp::Eq, value.clone(), b.constant(b.c.types.base(ty), low).expr),
                false => b.within(&value, low, high, ty),
            });
            conds.reduce(|a, b| IrExpr::binary(ir::BinOp::Or, a, b)).unwrap_or_else(|| IrExpr::bool(false))
        };
        for (choices, body) in arms {
            let mut ranges = Vec::new();
            for choice in choices {
                match choice {
                    Choice::Others => others = Some(body),
                    _ => ranges.push(self.static_choice(choice, ty)?),
                }
            }
            if ranges.is_empty() {
                continue;
            }
            let start = self.graph.loc(span);
            let cond = within(self, &ranges);
            self.graph.edge(here, Some(start), Vec::new(), Op::Assume(cond), of.span);
            seen.extend(ranges);
            self.at = start;
            self.statements(body)?;
            self.jump(after, span);
        }
        // What no choice names is for `others`; without them it is a value that the type does not have.
        let rest = self.graph.loc(span);
        let cond = within(self, &seen).negate();
        self.graph.edge(here, Some(rest), Vec::new(), Op::Assume(cond), of.span);
        self.at = rest;
        match others {
            Some(body) => self.statements(body)?,
            None => self.check(IrExpr::bool(false), "range check", of.span),
        }
        self.jump(after, span);
        self.at = after;
        Ok(())
    }

    fn static_choice(&mut self, choice: &Choice, ty: super::types::TypeId) -> R<(i128, i128)> {
        let value = |b: &Self, e: &Expr| {
            b.known(e, Some(ty)).ok_or_else(|| {
                Diagnostic::error("not-static", e.span, "the choices of a case must be known before the program runs")
            })
        };
        match choice {
            Choice::Value(e) => match super::condition::names_subtype(self, e) {
                Some(sub) => Ok((sub.low, sub.high)),
                None => value(self, e).map(|n| (n, n)),
            },
            Choice::Range(a, b) => Ok((value(self, a)?, value(self, b)?)),
            Choice::Others => unreachable!("handled by the caller"),
        }
    }

    fn loop_statement(&mut self, name: Option<&Name>, scheme: &Scheme, body: &[Stmt], span: Span) -> R<()> {
        let after = self.graph.loc(span);
        self.loops.push((name.map(|n| n.text.clone()), after));
        self.scopes.push(BTreeMap::new());
        self.variants_begin(body);
        match scheme {
            Scheme::For(variable, reverse, Indices::Elements(of)) => {
                self.over_elements(variable, *reverse, of, (after, span), |b| b.statements(body))?;
            }
            Scheme::For(variable, reverse, over) => {
                let (low, high) = self.bounds(over)?;
                self.over(variable, *reverse, &low, &high, after, span, |b| b.statements(body))?;
            }
            Scheme::Forever | Scheme::While(_) => {
                let head = self.graph.loc(span);
                self.jump(head, span);
                self.at = head;
                if let Scheme::While(cond) = scheme {
                    let value = self.condition(cond)?;
                    let (yes, no) = self.branch(value, cond.span);
                    self.graph.jump(no, after, span);
                    self.at = yes;
                }
                self.statements(body)?;
                self.jump(head, span);
            }
        }
        self.scopes.pop();
        self.loops.pop();
        self.at = after;
        Ok(())
    }

    fn exit(&mut self, name: Option<&Name>, when: Option<&Expr>, span: Span) -> R<()> {
        let found = match name {
            Some(name) => self.loops.iter().rev().find(|(n, _)| n.as_deref() == Some(&name.text)),
            None => self.loops.last(),
        };
        let Some(&(_, after)) = found else { return Err(mismatch(span, "there is no such loop around this")) };
        match when {
            None => self.jump(after, span),
            Some(cond) => {
                let value = self.condition(cond)?;
                let (yes, no) = self.branch(value, cond.span);
                self.graph.jump(yes, after, span);
                self.at = no;
            }
        }
        Ok(())
    }

    /// `return e;`
    pub(crate) fn returns(&mut self, value: Option<&Expr>, span: Span) -> R<()> {
        match (value, self.result.clone()) {
            (None, None) => {}
            (Some(e), Some(result)) => {
                let path = self.path_of(&result);
                if self.c.types.is_composite(result.sub.ty) {
                    self.assign_composite(&path, e)?;
                } else {
                    self.fill(&path, e)?;
                }
            }
            (None, Some(_)) => return Err(mismatch(span, "a function returns a value")),
            (Some(e), None) => return Err(mismatch(e.span, "a procedure returns no value")),
        }
        let epilogue = self.epilogue;
        self.jump(epilogue, span);
        Ok(())
    }
}

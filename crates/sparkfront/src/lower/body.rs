//! One function on its way: its graph, its locals, its scopes; and from a subprogram to a function.

use super::names::{Entity, Home, Object, has_nested};
use super::types::{Sub, Types};
use super::{Context, R};
use crate::syntax::{Body as SyntaxBody, Expr, ExprKind, Item, Mode, Name, Stmt, Subprogram};
use base::{Diagnostic, IndexVec, Span};
use ir::assemble::Assembly;
use ir::{
    BinOp, ErrorKind, Expr as IrExpr, FuncId, Function, HavocDst, Linkage, Loc, Local, LocalId, Op, Place, Shape,
    Source, Ty, Var,
};
use std::collections::BTreeMap;

/// A function on its way.
pub(crate) struct Body<'c, 'a> {
    pub(crate) c: &'c mut Context<'a>,
    pub(crate) func: FuncId,
    pub(crate) locals: IndexVec<LocalId, Local>,
    pub(crate) graph: Assembly,
    /// Where the next step starts.
    pub(crate) at: Loc,
    /// Inner scopes, the innermost last.
    pub(crate) scopes: Vec<BTreeMap<String, Entity>>,
    pub(crate) package: Option<String>,
    /// Loops around this place: name, and where an `exit` leads.
    pub(crate) loops: Vec<(Option<String>, Loc)>,
    /// The function's result.
    pub(crate) result: Option<Object>,
    /// Where a `return` leads.
    pub(crate) epilogue: Loc,
    /// Values that `'Old` stands for, by the place of the attribute.
    pub(crate) old: Vec<(Span, Object)>,
    /// Checks are not wanted: the expression is for the abstraction.
    pub(crate) quiet: bool,
    /// The conditions of `Contract_Cases`, as they were at the entry.
    pub(crate) guards: Vec<IrExpr>,
    /// The variants of the loops around this place, and of those before.
    pub(crate) variants: Vec<super::contract::Before>,
    names_taken: BTreeMap<String, u32>,
}

impl<'c, 'a> Body<'c, 'a> {
    pub(crate) fn new(c: &'c mut Context<'a>, func: FuncId, package: Option<String>, end: Span) -> Body<'c, 'a> {
        let mut graph = Assembly::new(end);
        let epilogue = graph.loc(end);
        let at = graph.entry();
        Body {
            c,
            func,
            locals: IndexVec::new(),
            graph,
            at,
            scopes: vec![BTreeMap::new()],
            package,
            loops: Vec::new(),
            result: None,
            epilogue,
            old: Vec::new(),
            quiet: false,
            guards: Vec::new(),
            variants: Vec::new(),
            names_taken: BTreeMap::new(),
        }
    }

    /// A step to a new location.
    pub(crate) fn step(&mut self, op: Op, span: Span) {
        let to = self.graph.loc(span);
        self.graph.edge(self.at, Some(to), Vec::new(), op, span);
        self.at = to;
    }

    /// Goes to a location that others may come to as well.
    pub(crate) fn jump(&mut self, to: Loc, span: Span) {
        self.graph.jump(self.at, to, span);
        self.at = self.graph.loc(span);
    }

    /// Two branches on a condition: where it holds and where not.
    pub(crate) fn branch(&mut self, cond: IrExpr, span: Span) -> (Loc, Loc) {
        let (yes, no) = (self.graph.loc(span), self.graph.loc(span));
        self.graph.edge(self.at, Some(yes), Vec::new(), Op::Assume(cond.clone()), span);
        self.graph.edge(self.at, Some(no), Vec::new(), Op::Assume(cond.negate()), span);
        (yes, no)
    }

    /// The run goes wrong here unless the condition holds.
    pub(crate) fn must(&mut self, cond: IrExpr, what: &str, span: Span) {
        if self.quiet || cond.as_const() == Some(1) {
            return;
        }
        let (yes, no) = self.branch(cond, span);
        let op = Op::Error(ErrorKind::Assert(what.to_owned()));
        self.graph.edge(no, None, Vec::new(), op, span);
        self.at = yes;
    }

    /// A check that Ada makes: `kind: text of the place`.
    pub(crate) fn check(&mut self, cond: IrExpr, kind: &str, span: Span) {
        let what = format!("{kind}: {}", self.c.text(span));
        self.must(cond, &what, span);
    }

    pub(crate) fn assume(&mut self, cond: IrExpr, span: Span) {
        if cond.as_const() != Some(1) {
            self.step(Op::Assume(cond), span);
        }
    }

    /// A local with this name, or one that nobody has yet.
    pub(crate) fn local(&mut self, name: &str, shape: Shape, span: Span) -> LocalId {
        let n = self.names_taken.entry(name.to_owned()).or_insert(0);
        *n += 1;
        let name = if *n == 1 { name.to_owned() } else { format!("{name}.{n}") };
        self.locals.push(Local { name, shape, constant: false, span })
    }

    pub(crate) fn temporary(&mut self, ty: Ty, span: Span) -> LocalId {
        let name = format!("${}", self.locals.len());
        self.locals.push(Local { name, shape: Shape::Scalar(ty), constant: false, span })
    }

    /// A local for an object of the source.
    pub(crate) fn object(&mut self, name: &Name, sub: Sub, variable: bool, valid: bool) -> (LocalId, Object) {
        let shape = self.c.types.shape(sub.ty);
        let local = self.local(&name.text, shape, name.span);
        let shown = self.c.declared_type(sub);
        let function = self.c.functions[self.func].name.clone();
        let written = self.locals[local].name.clone();
        self.c.declared.locals.entry(function).or_default().insert(written, shown);
        (local, Object { home: Home::Var(Var::Local(local)), sub, variable, valid })
    }

    /// Stores a value in a new temporary and gives its name.
    pub(crate) fn hold(&mut self, value: IrExpr, span: Span) -> IrExpr {
        if value.as_const().is_some() {
            return value;
        }
        let ty = value.ty;
        let local = self.temporary(ty, span);
        self.step(Op::Assign(Place::var(Var::Local(local), ty), value), span);
        IrExpr::var(Var::Local(local), ty)
    }

    /// Draws anything.
    pub(crate) fn havoc(&mut self, var: Var, ty: Ty, source: Source, span: Span) {
        self.step(Op::Havoc(HavocDst::Place(Place::var(var, ty)), source), span);
    }

    /// `low <= e <= high`, without what the representation says anyway.
    pub(crate) fn within(&self, e: &IrExpr, low: i128, high: i128, ty: super::types::TypeId) -> IrExpr {
        let (least, most) = self.c.types.representable(ty);
        if low > high {
            return IrExpr::bool(false);
        }
        if e.ty == Ty::Bool {
            return match (low, high) {
                (0, 1) => IrExpr::bool(true),
                (0, _) => e.clone().negate(),
                _ => e.clone(),
            };
        }
        let side = |op, n| IrExpr::binary(op, e.clone(), IrExpr::int(e.ty, n));
        match (low > least, high < most) {
            (false, false) => IrExpr::bool(true),
            (true, false) => side(BinOp::Ge, low),
            (false, true) => side(BinOp::Le, high),
            (true, true) => IrExpr::binary(BinOp::And, side(BinOp::Ge, low), side(BinOp::Le, high)),
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<Entity> {
        self.c.names.find(name, self.package.as_deref(), &self.scopes).cloned()
    }

    pub(crate) fn bind(&mut self, name: &Name, entity: Entity) {
        self.scopes.last_mut().expect("a body has a scope").insert(name.text.clone(), entity);
    }

    /// The function.
    pub(crate) fn finish(self, name: String, n_params: usize, ret: Option<LocalId>, span: Span) -> Function {
        Function {
            name,
            linkage: Linkage::Internal,
            n_params,
            variadic: false,
            locals: self.locals,
            ret,
            body: Some(self.graph.finish()),
            span,
        }
    }
}

impl Context<'_> {
    /// The function of a subprogram.
    pub(super) fn subprogram(&mut self, index: usize) -> R<Function> {
        let s = &self.subprograms[index];
        let (spec, full, name, package) = (s.spec, s.full.clone(), s.name.clone(), s.package.clone());
        let (params, result, slots) = (s.params.clone(), s.result, s.slots.clone());
        let text: Option<&Subprogram> = s.body;
        if text.is_none() && !spec.imported {
            let message = format!("`{}` has no body in the files given, and is not imported", spec.name.text);
            return Err(Diagnostic::error("no-body", spec.name.span, message));
        }
        let func: FuncId = base::Id::from_index(index);
        if self.is_template(index) {
            return Ok(self.never_called(index, func));
        }
        let has_nested = text.is_some_and(|t| match &t.body {
            Some(SyntaxBody::Statements(items, _)) => has_nested(items),
            _ => false,
        });
        // What a subprogram with others in it declares was declared like a package's.
        let inside = if has_nested { Some(full.clone()) } else { package };
        if result.is_some() {
            self.pure.push((func, spec.name.span));
        }
        let mut b = Body::new(self, func, inside, spec.name.span);
        let names: Vec<Name> = spec.params.iter().map(|p| p.name.clone()).collect();
        let (n_params, ret) = b.parameters(&params, &names, result, spec.name.span);
        if has_nested {
            b.share_parameters(&params, &names, &full);
        }
        b.contract_begins(spec, text)?;
        match text.and_then(|t| t.body.as_ref()) {
            None => b.imported(&params, result, spec)?,
            Some(SyntaxBody::Expression(e)) => b.returns(Some(e), e.span)?,
            Some(SyntaxBody::Statements(items, statements)) => {
                b.block(if has_nested { &[] } else { items }, statements, has_nested.then_some(items))?;
                if result.is_some() {
                    b.must(
                        IrExpr::bool(false),
                        &format!("the function {} ends without return", spec.name.text),
                        spec.name.span,
                    );
                }
            }
        }
        let end = spec.name.span;
        let epilogue = b.epilogue;
        b.jump(epilogue, end);
        b.at = epilogue;
        b.contract_ends(spec, text)?;
        for (slot, name) in slots.iter().zip(&names) {
            if let Some(slot) = slot
                && let Some(Entity::Object(Object { home: Home::Var(var), sub, .. })) =
                    b.scopes[0].get(&name.text).cloned()
            {
                let ty = b.c.types.scalar(sub.ty);
                b.step(Op::Assign(Place::var(Var::Global(*slot), ty), IrExpr::var(var, ty)), end);
            }
        }
        let value = ret.map(|r| IrExpr::var(Var::Local(r), b.locals[r].shape.scalar().expect("results are scalars")));
        let exit = b.graph.exit();
        b.graph.edge(b.at, Some(exit), Vec::new(), Op::Return(value), end);
        Ok(b.finish(name, n_params, ret, spec.name.span))
    }

    /// In the place of a subprogram that exists only with the bounds of its callers' arrays.
    fn never_called(&mut self, index: usize, func: FuncId) -> Function {
        let (name, span) = (self.subprograms[index].name.clone(), self.subprograms[index].spec.name.span);
        let mut b = Body::new(self, func, None, span);
        let exit = b.graph.exit();
        b.graph.edge(b.at, Some(exit), Vec::new(), Op::Return(None), span);
        b.finish(name, 0, None, span)
    }
}

impl Body<'_, '_> {
    /// Declares the parameters, and the result's variable behind them; how many parameters the function has. A composite result is written where the first
    /// parameter points to.
    fn parameters(
        &mut self,
        params: &[(String, Mode, Sub)],
        names: &[Name],
        result: Option<Sub>,
        span: Span,
    ) -> (usize, Option<LocalId>) {
        let composite = |b: &Body<'_, '_>, sub: Sub| b.c.types.is_composite(sub.ty);
        if let Some(sub) = result.filter(|&sub| composite(self, sub)) {
            let local = self.local("$result", Shape::Scalar(Ty::Ptr), span);
            self.result = Some(Object { home: Home::Behind(local), sub, variable: true, valid: false });
        }
        let mut out_only = Vec::new();
        for ((_, mode, sub), name) in params.iter().zip(names) {
            if composite(self, *sub) {
                let local = self.local(&name.text, Shape::Scalar(Ty::Ptr), name.span);
                let home = Home::Behind(local);
                let object = Object { home, sub: *sub, variable: *mode != Mode::In, valid: *mode != Mode::Out };
                self.bind(name, Entity::Object(object));
            } else if *mode == Mode::Out {
                out_only.push((name, *sub));
            } else {
                let (_, object) = self.object(name, *sub, *mode != Mode::In, true);
                self.bind(name, Entity::Object(object));
            }
        }
        let n_params = self.locals.len();
        let ret = result.filter(|&sub| !composite(self, sub)).map(|sub| {
            let ty = self.c.types.scalar(sub.ty);
            let local = self.local("$r", Shape::Scalar(ty), span);
            self.result = Some(Object { home: Home::Var(Var::Local(local)), sub, variable: true, valid: false });
            local
        });
        debug_assert!(ret.is_none() || out_only.is_empty(), "functions have no `out` parameters");
        self.known_ranges(params, names);
        for (name, sub) in out_only {
            let (local, object) = self.object(name, sub, true, false);
            self.bind(name, Entity::Object(object));
            let ty = self.c.types.scalar(sub.ty);
            self.havoc(Var::Local(local), ty, Source::Uninit, name.span);
        }
        (n_params, ret)
    }

    /// Scalar parameters go where the subprograms inside of this one find them.
    fn share_parameters(&mut self, params: &[(String, Mode, Sub)], names: &[Name], full: &str) {
        for ((_, _, sub), name) in params.iter().zip(names) {
            let shared = self.c.names.get(&format!("{full}.{}", name.text)).cloned();
            let own = self.scopes[0].get(&name.text).cloned();
            if let (Some(Entity::Object(shared)), Some(Entity::Object(own))) = (shared, own) {
                let ty = self.c.types.scalar(sub.ty);
                let (Home::Var(to), Home::Var(from)) = (shared.home, own.home) else { continue };
                self.step(Op::Assign(Place::var(to, ty), IrExpr::var(from, ty)), name.span);
                self.bind(name, Entity::Object(shared));
            }
        }
    }

    /// Callers have checked what they pass: it lies within the subtypes.
    fn known_ranges(&mut self, params: &[(String, Mode, Sub)], names: &[Name]) {
        for ((_, mode, sub), name) in params.iter().zip(names) {
            if *mode == Mode::Out || self.c.types.is_composite(sub.ty) {
                continue;
            }
            if let Some(Entity::Object(Object { home: Home::Var(var), .. })) = self.scopes[0].get(&name.text).cloned() {
                let value = IrExpr::var(var, self.c.types.scalar(sub.ty));
                let cond = self.within(&value, sub.low, sub.high, sub.ty);
                self.assume(cond, name.span);
            }
        }
    }

    /// An imported subprogram gives anything of the right subtypes that its postcondition allows.
    fn imported(&mut self, params: &[(String, Mode, Sub)], result: Option<Sub>, spec: &Subprogram) -> R<()> {
        let outs = params.iter().filter(|(_, mode, _)| *mode != Mode::In).map(|(name, _, _)| name.clone());
        let mut given: Vec<Object> = Vec::new();
        for name in outs {
            if let Some(Entity::Object(object)) = self.scopes[0].get(&name).cloned() {
                given.push(object);
            }
        }
        if result.is_some() {
            given.extend(self.result.clone());
        }
        for object in given {
            self.draw(&object, &spec.name.text, spec.name.span)?;
        }
        for post in &spec.post {
            let cond = self.condition(post)?;
            self.assume(cond, post.span);
        }
        Ok(())
    }

    /// What `'Old` stands for is remembered, and the precondition must hold.
    fn contract_begins(&mut self, spec: &Subprogram, text: Option<&Subprogram>) -> R<()> {
        let also = text.filter(|t| !std::ptr::eq(*t, spec));
        for pre in spec.pre.iter().chain(also.into_iter().flat_map(|t| &t.pre)) {
            let cond = self.condition(pre)?;
            let what = format!("precondition of {}: {}", spec.name.text, self.c.text(pre.span));
            self.must(cond, &what, pre.span);
        }
        self.cases_begin(spec)?;
        also.map_or(Ok(()), |t| self.cases_begin(t))?;
        let mut olds = Vec::new();
        for post in spec.post.iter().chain(also.into_iter().flat_map(|t| &t.post)) {
            olds_of(post, &mut olds);
        }
        for (of, span) in olds {
            self.remember(of, span)?;
        }
        Ok(())
    }

    fn contract_ends(&mut self, spec: &Subprogram, text: Option<&Subprogram>) -> R<()> {
        if text.is_none() {
            return Ok(());
        }
        let also = text.filter(|t| !std::ptr::eq(*t, spec));
        for post in spec.post.iter().chain(also.into_iter().flat_map(|t| &t.post)) {
            let cond = self.condition(post)?;
            let what = format!("postcondition of {}: {}", spec.name.text, self.c.text(post.span));
            self.must(cond, &what, post.span);
        }
        self.cases_end(spec, 0)?;
        also.map_or(Ok(()), |t| self.cases_end(t, spec.cases.len()))
    }

    /// Declarations and statements in a scope of their own. Declarations that a package-like subprogram made known
    /// before are only given their initial values.
    pub(crate) fn block(&mut self, items: &[Item], statements: &[Stmt], outer: Option<&[Item]>) -> R<()> {
        self.scopes.push(BTreeMap::new());
        for item in outer.into_iter().flatten() {
            self.initialise_outer(item)?;
        }
        for item in items {
            self.item(item)?;
        }
        self.statements(statements)?;
        self.scopes.pop();
        Ok(())
    }
}

/// The operands of `'Old` in an expression.
pub(crate) fn olds_of<'e>(e: &'e Expr, out: &mut Vec<(&'e Expr, Span)>) {
    if let ExprKind::Attribute(of, name, _) = &e.kind
        && name.text == "old"
    {
        out.push((of, e.span));
        return;
    }
    super::condition::children(e, &mut |child| olds_of(child, out));
}

/// Pointers to objects are as wide as this model says, whatever the program's heading says.
pub(crate) fn index_ty() -> Ty {
    Types::MODEL.index_ty()
}

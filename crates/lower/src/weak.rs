//! Weak symbols that are defined nowhere: they may be absent, and their address is then null.
//!
//! A hidden constant of unknown value says whether such a function is there, and another one is the address of such an object, null
//! or outside the program. A static initialiser that names the function is an assignment before anything else: at the start
//! of the entry function. That also says that objects which are not weak are there.

use crate::context::{Context, GlobalHome};
use crate::fold;
use crate::function::Fun;
use crate::link::Entity;
use base::Span;
use base::sabotage::{self, Fault};
use cfront::tree;
use ir::walk::{Visitor, walk_edge, walk_expr, walk_op};
use ir::{BinOp, Callee, Expr, Global, GlobalId, Init, Linkage, Op, Place, Shape, Ty, Ub, Var};

impl Context<'_> {
    /// What says whether a function is there, if it may be absent.
    pub(crate) fn presence(&mut self, u: u32, f: tree::FuncId) -> Option<GlobalId> {
        let weak = self.units[u as usize].funcs[f].attrs.weak && !sabotage::active(Fault::WeakIsAlwaysThere);
        let entity = self.link.func(self.units, u, f);
        if !weak || self.has_body(entity) || self.opts.targets.contains(self.func_name(entity)) {
            return None;
        }
        let name = format!(".weak.{}", self.func_name(entity));
        if let Some(id) = self.globals.iter_enumerated().find(|(_, g)| g.name == name).map(|(id, _)| id) {
            return Some(id);
        }
        let (shape, span) = (Shape::Scalar(Ty::Bool), self.units[u as usize].funcs[f].span);
        Some(self.globals.push(Global {
            name,
            shape,
            init: Init::Unknown,
            linkage: Linkage::Internal,
            exposure: ir::Exposure::Hidden,
            constant: true,
            span,
        }))
    }

    /// Whether an object that is declared `extern` in unit `u` may be absent.
    pub(crate) fn is_weak_object(&self, u: u32, var: tree::VarId) -> bool {
        self.units[u as usize].vars[var].attrs.weak && !sabotage::active(Fault::WeakIsAlwaysThere)
    }

    /// Something is done before the entry function begins.
    pub(crate) fn before_start(&mut self, op: Op, span: Span) {
        self.first.push((op, span));
    }

    /// Whether anything names a function other than to call it.
    fn takes_address(&self, f: ir::FuncId) -> bool {
        let mut named = Names { f, found: false };
        for edge in self.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| &b.edges) {
            walk_edge(edge, &mut named);
        }
        self.first.iter().for_each(|(op, _)| walk_op(op, &mut named));
        for global in &self.globals {
            if let Init::Values(items) = &global.init {
                items.iter().for_each(|item| walk_expr(&item.value, &mut named));
            }
        }
        named.found
    }

    /// Puts what is done first at the start of the entry function.
    pub(crate) fn put_first(&mut self, entry: ir::FuncId) {
        if self.first.is_empty() {
            return;
        }
        let calls = |f: &ir::Function| {
            let mut edges = f.body.iter().flat_map(|b| &b.edges);
            edges.any(|e| matches!(&e.op, Op::Call(c) if c.callee == Callee::Direct(entry)))
        };
        // A call through a pointer runs a function whose address the program takes.
        let again = self.functions.iter().any(calls) || self.takes_address(entry);
        let sets = |op: &Op| matches!(op, Op::Assign(..)) && !crate::identity::finds_literal(&self.globals, op);
        if again && self.first.iter().any(|(op, _)| sets(op)) {
            let span = self.first[0].1;
            self.startup.push((span, "weak symbol in an initialiser, and calls that may begin anew".to_owned()));
            return;
        }
        let first = std::mem::take(&mut self.first);
        let body = self.functions[entry].body.as_mut().expect("the entry function has a body");
        let mut to = body.entry;
        for (op, span) in first.into_iter().rev() {
            let from = body.locations.push(ir::Location { label: None, span });
            body.edges.push(ir::Edge { from, to: Some(to), guards: Vec::new(), op, span });
            to = from;
        }
        body.entry = to;
    }
}

impl Fun<'_, '_> {
    /// The address of a function that may be absent.
    pub(crate) fn weak_address(&mut self, f: tree::FuncId, address: Expr) -> Expr {
        match self.cx.presence(self.u, f) {
            Some(there) => fold::ite(Expr::var(Var::Global(there), Ty::Bool), address, Expr::null()),
            None => address,
        }
    }

    /// A call of a function that may be absent.
    pub(crate) fn guard_presence(&mut self, f: tree::FuncId) {
        if let Some(there) = self.cx.presence(self.u, f) {
            self.guard(Ub::NullDeref, Expr::var(Var::Global(there), Ty::Bool));
        }
    }
}

/// Finds the address of a function.
struct Names {
    f: ir::FuncId,
    found: bool,
}

impl Visitor for Names {
    fn expr(&mut self, e: &Expr) {
        self.found |= matches!(e.kind, ir::ExprKind::Func(f) if f == self.f);
    }
}

/// The address of a function, or null: the function and what says that it is there.
pub(crate) fn as_weak(value: &Expr) -> bool {
    matches!(&value.kind, ir::ExprKind::Ite(c, a, b)
        if matches!(c.kind, ir::ExprKind::Read(_)) && matches!(a.kind, ir::ExprKind::Func(_)) && b.as_const() == Some(0))
}

/// An object that is outside, and not weak, is somewhere.
pub(crate) fn is_somewhere(cx: &mut Context<'_>, home: GlobalHome, entity: Entity<tree::VarId>) {
    if let GlobalHome::Behind(g) = home {
        let place = Expr::read(Place::var(Var::Global(g), Ty::Ptr));
        let span = cx.units[entity.0 as usize].vars[entity.1].span;
        cx.before_start(Op::Assume(fold::binary(BinOp::Ne, place, Expr::null())), span);
    }
}

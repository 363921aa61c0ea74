//! The values of conditions: each is lowered as if it stood in its function, and must need no step for it.

use super::Arithmetic;
use super::declare::Scopes;
use crate::context::Context;
use crate::function::{Fun, Home};
use crate::{Options, link};
use base::{Diagnostic, Id, IndexVec, Span};
use cfront::tree::{ExprId, Unit, VarId};
use ir::annotation::{Annotation, Annotations};
use ir::walk::{Visitor, height, walk_expr};
use ir::{Address, Base, Expr, ExprKind, FuncId, Local, LocalId, Op, Program, Var};
use rustc_hash::FxHashMap;

/// What is to be known of `'` while a condition is lowered.
#[derive(Default)]
pub(crate) struct AtEntry {
    /// What is lowered stands behind the `'` here.
    inside: Option<Span>,
    /// Locals from this one on are not there at the entry.
    n_params: usize,
    /// Such a local behind `'`, and where.
    missing: Option<(VarId, Span)>,
}

impl Fun<'_, '_> {
    /// The value that `e` had when the function was entered.
    pub(crate) fn at_entry(&mut self, e: ExprId, sign: Span) -> Expr {
        let outer = self.entry.inside.replace(sign);
        let value = self.value(e);
        self.entry.inside = outer;
        // Where a variable lies does not change.
        let fixed = matches!(&value.kind, ExprKind::Addr(a) if matches!(a.base, Base::Var(_)) && a.indices.is_empty());
        if outer.is_some() || fixed { value } else { Expr::entry(value) }
    }

    /// Remembers that a variable is named behind `'` that is not there yet.
    pub(crate) fn named_at_entry(&mut self, v: VarId, home: Home, span: Span) {
        if let (Some(sign), Home::At(Var::Local(l))) = (self.entry.inside, home)
            && l.index() >= self.entry.n_params
        {
            self.entry.missing.get_or_insert((v, sign.to(span)));
        }
    }
}

/// Lowers the conditions that were read.
pub(super) fn evaluate(
    program: &Program,
    unit: &Unit,
    scopes: &Scopes<'_>,
    found: &[(Option<FuncId>, ExprId, Span)],
    arithmetic: Arithmetic,
    out: &mut Annotations,
) {
    let options = Options { logical_memory: arithmetic == Arithmetic::Ignored, ..Options::default() };
    let mut cx = context(program, unit, scopes, &options);
    let vars = homes(scopes);
    for &(scope, e, span) in found {
        let locals = scope.map_or_else(IndexVec::new, |f| program.functions[f].locals.clone());
        match one(program, &mut cx, &vars, locals, (scope, e, span)) {
            Ok((condition, _)) => out.conditions.push(Annotation { scope, condition, span }),
            Err(d) => out.diagnostics.push(*d),
        }
    }
    out.diagnostics.sort_by_key(|d| d.span.map(|s| s.lo));
}

/// Lowers one expression over locals that need not be a function's; also whether C defines it for some values of the operands only.
pub(super) fn one_expression(
    program: &Program,
    unit: &Unit,
    scopes: &Scopes<'_>,
    locals: &IndexVec<LocalId, Local>,
    e: ExprId,
    span: Span,
) -> Result<(Expr, bool), Diagnostic> {
    let options = Options::default();
    let mut cx = context(program, unit, scopes, &options);
    one(program, &mut cx, &homes(scopes), locals.clone(), (None, e, span)).map_err(|d| *d)
}

/// A place to lower expressions about a program.
fn context<'a>(program: &Program, unit: &'a Unit, scopes: &Scopes<'_>, options: &'a Options) -> Context<'a> {
    let units = std::slice::from_ref(unit);
    let link = link::link(units).unwrap_or_else(|_| unreachable!("nothing that is declared has linkage"));
    let mut cx = Context::new(units, options, link);
    cx.adopt(program, &scopes.functions);
    cx
}

fn homes(scopes: &Scopes<'_>) -> FxHashMap<VarId, Home> {
    scopes.vars.iter().map(|(&v, &var)| (v, Home::At(var))).collect()
}

/// The value, and whether C defines it for some values of the operands only.
fn one<'a>(
    program: &Program,
    cx: &mut Context<'a>,
    vars: &FxHashMap<VarId, Home>,
    locals: IndexVec<LocalId, Local>,
    (scope, e, span): (Option<FuncId>, ExprId, Span),
) -> Result<(Expr, bool), Box<Diagnostic>> {
    let error = |id, span, message: String| Err(Box::new(Diagnostic::error(id, span, message)));
    let n_locals = locals.len();
    let mut fun = Fun::of_condition(cx, locals, vars.clone(), span);
    fun.entry.n_params = scope.map_or(0, |f| program.functions[f].n_params);
    let value = fun.value(e);
    let partial = fun.partial;
    if let (Some((v, at)), Some(f)) = (fun.entry.missing, scope) {
        let name = fun.unit.vars[v].name.map_or("", |n| fun.unit.name(n));
        let function = &program.functions[f].name;
        let message = format!("`'{name}` has no meaning: `{name}` is neither a parameter of `{function}` nor a global");
        return error("symbolic-constant", at, message);
    }
    let refused = fun.graph.edges.iter().find_map(|e| match &e.op {
        Op::Unsupported(why) => Some((e.span, why.clone())),
        _ => None,
    });
    if let Some((at, why)) = refused {
        return error("unsupported", at, format!("not supported in conditions: {why}"));
    }
    if !fun.graph.edges.is_empty() {
        return error("unsupported", span, "this cannot be evaluated in one step".to_owned());
    }
    if height(&value) > ir::text::MAX_EXPR_DEPTH {
        return error("syntax", span, "nested too deeply".to_owned());
    }
    let mut parts = Parts { strange: false, n_globals: program.globals.len(), n_locals };
    walk_expr(&value, &mut parts);
    match parts {
        Parts { strange: true, .. } => error("unsupported", span, "the program has no such object".to_owned()),
        _ => Ok((value, partial)),
    }
}

/// What a condition is made of.
struct Parts {
    /// A variable that is not the program's.
    strange: bool,
    n_globals: usize,
    n_locals: usize,
}

impl Visitor for Parts {
    fn address(&mut self, addr: &Address) {
        self.strange |= match addr.base {
            Base::Var(Var::Global(g)) => g.index() >= self.n_globals,
            Base::Var(Var::Local(l)) => l.index() >= self.n_locals,
            Base::Ptr(_) => false,
        };
    }
}

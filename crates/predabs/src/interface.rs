//! What a boolean procedure takes and gives: the union of PLDI01 §4.5.2's and TOPLAS05 §4.4.1's interfaces.
//!
//! - Formals `E_f`: predicates of the function over parameters, globals and entry values. The caller evaluates them in
//!   the state in which the callee begins, where `'x` is `x`. One that then has the same value in every state (`x == 'x`)
//!   is no formal but is set at the entry, as TOPLAS05's initialisation `'x := x` does.
//! - Results `E_r`: predicates over the result, globals, entry values and parameters that the function never changes
//!   (PLDI01 §4.5.3, note 4). The caller reads them in the state in which the callee ended, with `'x` the value at the call.
//! - Everything else is a local.

use crate::prover::Prover;
use analysis::{Analysis, result_is_set_by_return_only};
use base::Id;
use base::sabotage::{self, Fault};
use ir::walk::{Visitor, substitute, variables, walk_expr};
use ir::{BinOp, Expr, ExprKind, FuncId, LocalId, Op, Program, Var};
use vc::{PredId, Predicate, Predicates, Scope, State, Unmodelled};

/// The interface of one procedure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The predicates that are formal parameters, in order.
    pub formals: Vec<PredId>,
    /// The predicates whose value at the entry is always the same.
    pub initial: Vec<(PredId, bool)>,
    /// The predicates that are returned, in order, each in the form in which the caller reads it at the exit: parameters
    /// that never change stand for their entry values.
    pub results: Vec<(PredId, Expr)>,
}

/// The interface of `func`. `state` is an arbitrary state of the function.
pub(crate) fn interface(
    prover: &mut Prover<'_>,
    predicates: &Predicates,
    func: FuncId,
    state: &State,
) -> Result<Interface, (PredId, Unmodelled)> {
    let (analysis, program) = (prover.enc.analysis, prover.enc.program);
    let f = &analysis.program.functions[func];
    let begun = state.begin_here(f.n_params);
    let mut interface = Interface::default();
    for id in own(predicates, func) {
        let expr = &predicates.get(id).expr;
        if names_at_entry(program, func, expr) {
            let has_entry_values = mentions_entry(expr);
            let at_entry = prover.enc.eval(&begun, expr).map_err(|u| (id, u))?;
            match if has_entry_values { prover.constant(at_entry) } else { None } {
                Some(value) => interface.initial.push((id, value)),
                None => interface.formals.push(id),
            }
        }
        if let Some(seen) = seen_at_exit(analysis, func, expr) {
            interface.results.push((id, seen));
        }
    }
    Ok(interface)
}

/// The predicates of `func` itself.
pub(crate) fn own(predicates: &Predicates, func: FuncId) -> impl Iterator<Item = PredId> + '_ {
    predicates.ids().filter(move |&id| predicates.get(id).scope == Scope::Function(func))
}

/// Whether the expression names parameters and globals only, now or at entry.
fn names_at_entry(program: &Program, func: FuncId, expr: &Expr) -> bool {
    let n_params = program.functions[func].n_params;
    variables(expr)
        .into_iter()
        .all(|v| matches!(v, Var::Global(_)) || matches!(v, Var::Local(l) if l.index() < n_params))
}

/// Whether `'x` occurs for some `x`.
pub(crate) fn mentions_entry(expr: &Expr) -> bool {
    struct Finds(bool);
    impl Visitor for Finds {
        fn expr(&mut self, expr: &Expr) {
            self.0 |= matches!(expr.kind, ExprKind::Entry(_));
        }
    }
    let mut finds = Finds(false);
    walk_expr(expr, &mut finds);
    finds.0
}

/// The variables that the expression reads now, sorted; what stands under `'` is not counted.
fn read_now(expr: &Expr) -> Vec<Var> {
    let mut vars = Vec::new();
    let _ = substitute(expr, &mut |v| {
        vars.push(v);
        None
    });
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// The expression as a caller can read it in the exit state, if it can.
fn seen_at_exit(analysis: &Analysis<'_>, func: FuncId, expr: &Expr) -> Option<Expr> {
    let f = &analysis.program.functions[func];
    let changes = |l| analysis.modified.local(func, l) && !sabotage::active(Fault::ChangedParameterReturned);
    let kept = |v: Var| matches!(v, Var::Local(l) if l.index() < f.n_params && !changes(l));
    let seen = substitute(expr, &mut |v| {
        let Var::Local(l) = v else { return None };
        let ty = f.locals[l].shape.scalar()?;
        kept(v).then(|| Expr::entry(Expr::var(v, ty)))
    });
    let readable = |v: Var| matches!(v, Var::Global(_)) || Some(v) == f.ret.map(Var::Local);
    // A predicate that still reads something else of the callee now, or its address, means nothing to the caller.
    let all_known = variables(&seen).into_iter().all(|v| readable(v) || is_param(f.n_params, v));
    (all_known && read_now(&seen).into_iter().all(readable)).then_some(seen)
}

fn is_param(n_params: usize, v: Var) -> bool {
    matches!(v, Var::Local(l) if l.index() < n_params)
}

/// The predicates that mean something before any edge of `func`: all, but for those about a result that only `return`
/// sets.
pub(crate) fn meaningful(program: &Program, predicates: &Predicates, func: FuncId) -> Vec<PredId> {
    let result = program.functions[func].ret.filter(|_| result_is_set_by_return_only(program, func)).map(Var::Local);
    let names_result = |id: PredId| result.is_some_and(|r| variables(&predicates.get(id).expr).contains(&r));
    predicates.in_scope(func).filter(|&id| !names_result(id)).collect()
}

/// Adds the predicates that the given ones need to be of use across calls; gives their ids.
///
/// - TOPLAS05 §4.4.1: a *binding predicate* `x == 'x` for each `'x` that occurs, unless the function never changes `x`
///   (then it is a fact, and the abstraction knows it); §5.3: also `*'p == '(*p)` for each `'(*p)`.
/// - The papers return a variable, IR returns a value: where a function does `return x`, each of its predicates about `x`
///   yields the same predicate about the result, if a caller could read it.
pub fn complete(analysis: &Analysis<'_>, predicates: &mut Predicates) -> Vec<PredId> {
    let mut added = Vec::new();
    let mut next = 0;
    // What is added may itself need more.
    while let Some(id) = predicates.ids().nth(next) {
        next += 1;
        let Predicate { scope: Scope::Function(func), expr } = predicates.get(id).clone() else { continue };
        let mut wanted = bindings(analysis, func, &expr);
        wanted.extend(about_result(analysis, func, &expr));
        for expr in wanted {
            let (expr, _) = vc::canonical(&expr);
            if expr.as_const().is_some() {
                continue;
            }
            let (id, new) = predicates.insert(Predicate { scope: Scope::Function(func), expr });
            added.extend(new.then_some(id));
        }
    }
    added
}

/// The conditions of the program as predicates (SABS13 §11, first treatment): with them every branch is decided by one variable, and
/// there are as many more. Those that have no formula are left out.
pub fn conditions(analysis: &Analysis<'_>) -> Vec<Predicate> {
    let program = analysis.program;
    let mut enc = vc::Encoder::for_proof(analysis);
    let mut out: Vec<Predicate> = Vec::new();
    for &func in &analysis.cut_points().functions {
        let state = enc.arbitrary(func);
        for edge in &program.body(func).edges {
            let ir::Op::Assume(condition) = &edge.op else { continue };
            let (expr, _) = vc::canonical(condition);
            let is_local = |v: &Var| matches!(v, Var::Local(_));
            let scope = if variables(&expr).iter().any(is_local) { Scope::Function(func) } else { Scope::Global };
            let predicate = Predicate { scope, expr };
            if predicate.expr.as_const().is_none()
                && !out.contains(&predicate)
                && enc.eval(&state, &predicate.expr).is_ok()
            {
                out.push(predicate);
            }
        }
    }
    out
}

fn bindings(analysis: &Analysis<'_>, func: FuncId, expr: &Expr) -> Vec<Expr> {
    struct Entries(Vec<Var>);
    impl Visitor for Entries {
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::Entry(e) = &expr.kind {
                self.0.extend(variables(e));
            }
        }
    }
    let mut entries = Entries(Vec::new());
    walk_expr(expr, &mut entries);
    entries.0.sort_unstable();
    entries.0.dedup();
    let binding = |v: Var| {
        let ty = analysis.program.shape(func, v).scalar()?;
        let now = Expr::var(v, ty);
        (analysis.modified.var(func, v) && BinOp::Eq.takes(ty))
            .then(|| Expr::binary(BinOp::Eq, now.clone(), Expr::entry(now)))
    };
    let mut all: Vec<Expr> = entries.0.into_iter().filter_map(binding).collect();
    all.extend(memory_bindings(analysis, func, expr));
    all
}

/// For each `'(*p)` that occurs, `*'p == '(*p)`: what the first value of `p` points to is as it was.
fn memory_bindings(analysis: &Analysis<'_>, func: FuncId, expr: &Expr) -> Vec<Expr> {
    struct Reads(Vec<Expr>);
    impl Visitor for Reads {
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::Entry(e) = &expr.kind
                && let ExprKind::Read(place) = &e.kind
                && place.as_var().is_none()
                && BinOp::Eq.takes(e.ty)
                && !self.0.contains(e)
            {
                self.0.push((**e).clone());
            }
        }
    }
    let mut reads = Reads(Vec::new());
    walk_expr(expr, &mut reads);
    let at_entry = |v: Var| analysis.program.shape(func, v).scalar().map(|ty| Expr::entry(Expr::var(v, ty)));
    let mut wanted = Vec::new();
    for read in reads.0 {
        let now = substitute(&read, &mut |v| at_entry(v));
        let binding = Expr::binary(BinOp::Eq, now, Expr::entry(read));
        let mut enc = vc::Encoder::for_proof(analysis);
        let state = enc.arbitrary_keeping(func);
        // What the function never writes is as it was, and the abstraction knows it.
        if let Ok(term) = enc.eval(&state, &binding)
            && enc.store.bool_of(term).is_none()
        {
            wanted.push(binding);
        }
    }
    wanted
}

fn about_result(analysis: &Analysis<'_>, func: FuncId, expr: &Expr) -> Vec<Expr> {
    let f = &analysis.program.functions[func];
    let (Some(ret), Some(body)) = (f.ret, &f.body) else { return Vec::new() };
    let mut returned: Vec<LocalId> = Vec::new();
    for edge in &body.edges {
        if let Op::Return(Some(Expr { kind: ExprKind::Read(place), .. })) = &edge.op
            && let Some(Var::Local(l)) = place.as_var()
            && f.locals[l].shape == f.locals[ret].shape
        {
            returned.push(l);
        }
    }
    returned.sort_unstable();
    returned.dedup();
    let read = read_now(expr);
    let Some(ty) = f.ret_ty() else { return Vec::new() };
    let result = Expr::var(Var::Local(ret), ty);
    let instances = returned.into_iter().filter(|&l| read.contains(&Var::Local(l))).filter_map(|l| {
        let instance = substitute(expr, &mut |v| (v == Var::Local(l)).then(|| result.clone()));
        seen_at_exit(analysis, func, &instance).map(|_| instance)
    });
    instances.collect()
}

//! Path simulation (TR00 §4.2) and path projections (TR00 §5), on the paths that [`crate::paths`] makes.
//!
//! A context is a *store* (what variables hold now), a *history* (what they held before) and *conditions*, all in terms of
//! symbolic constants: `θx` is what x held when the path first used it. An `assert` on a path is a condition of it, as the
//! paper has it, and so is an `assume`.
//!
//! A projection leaves statements out. It is syntactically consistent (SCPP) if with a statement all those before it go
//! that use or define what it assigns (`del`); then it is consistent, and a projection that is infeasible explains why the path
//! is. [`greedy`] finds one from which nothing more can go; the last condition stays.

use crate::print::show;
use crate::syntax::{Expr, ExprKind, Program, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// What is known after some statements of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// What variables hold.
    pub store: BTreeMap<String, Expr>,
    /// What variables held before, in the order in which they lost it.
    pub history: Vec<(String, Expr)>,
    /// What must hold.
    pub conditions: Vec<Expr>,
}

/// The contexts after each statement of a path, from the empty one.
pub fn simulate(path: &[&Stmt]) -> Vec<Context> {
    let mut context = Context::default();
    let mut out = Vec::new();
    for stmt in path {
        for name in uses(stmt) {
            context.store.entry(name.clone()).or_insert_with(|| theta(&name, stmt));
        }
        match &stmt.kind {
            StmtKind::Assign(names, values) => {
                let values: Vec<Expr> = values.iter().map(|e| substituted(e, &context.store)).collect();
                for (name, value) in names.iter().zip(values) {
                    if let Some(old) = context.store.insert(name.text.clone(), value) {
                        context.history.push((name.text.clone(), old));
                    }
                }
            }
            StmtKind::Assert(e) | StmtKind::Assume(e) => {
                let condition = substituted(e, &context.store);
                context.conditions.push(condition);
            }
            _ => {}
        }
        out.push(context.clone());
    }
    out
}

/// The symbolic constant of a variable.
fn theta(name: &str, stmt: &Stmt) -> Expr {
    Expr::new(ExprKind::Name(format!("θ{name}")), stmt.span)
}

fn substituted(e: &Expr, store: &BTreeMap<String, Expr>) -> Expr {
    let inner = |e: &Expr| Box::new(substituted(e, store));
    let kind = match &e.kind {
        ExprKind::Name(name) => return store.get(name).cloned().unwrap_or_else(|| e.clone()),
        ExprKind::Neg(a) => ExprKind::Neg(inner(a)),
        ExprKind::Not(a) => ExprKind::Not(inner(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, inner(a), inner(b)),
        kind => kind.clone(),
    };
    Expr::new(kind, e.span)
}

/// The variables whose values a statement uses, in order.
pub(crate) fn uses(stmt: &Stmt) -> Vec<String> {
    fn of(e: &Expr, out: &mut Vec<String>) {
        match &e.kind {
            ExprKind::Name(name) if name != "T" && name != "F" && !out.contains(name) => out.push(name.clone()),
            ExprKind::Neg(a) | ExprKind::Not(a) => of(a, out),
            ExprKind::Binary(_, a, b) => {
                of(a, out);
                of(b, out);
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    match &stmt.kind {
        StmtKind::Assign(_, values) => values.iter().for_each(|e| of(e, &mut out)),
        StmtKind::Assert(e) | StmtKind::Assume(e) => of(e, &mut out),
        _ => {}
    }
    out
}

/// The variables that a statement assigns.
pub(crate) fn defines(stmt: &Stmt) -> Vec<&str> {
    match &stmt.kind {
        StmtKind::Assign(names, _) => names.iter().map(|n| n.text.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// For each statement, those that go with it (TR00 §5.2).
pub fn del_sets(path: &[&Stmt]) -> Vec<BTreeSet<usize>> {
    let mut out: Vec<BTreeSet<usize>> = Vec::new();
    for (j, stmt) in path.iter().enumerate() {
        let mut set = BTreeSet::from([j]);
        let assigned = defines(stmt);
        for (i, before) in path[..j].iter().enumerate() {
            if defines(before)
                .iter()
                .chain(&uses(before).iter().map(String::as_str).collect::<Vec<_>>())
                .any(|x| assigned.contains(x))
            {
                set.extend(&out[i]);
            }
        }
        out.push(set);
    }
    out
}

/// TR00 §5.3: the projections on the way from an infeasible path to one of which no statement can go any more, the last
/// condition excepted. `infeasible` says of positions whether the statements there cannot be executed one after the other.
pub fn greedy(path: &[&Stmt], backwards: bool, infeasible: &mut dyn FnMut(&[usize]) -> bool) -> Vec<Vec<usize>> {
    let mut kept: Vec<usize> = (0..path.len()).collect();
    let mut out = vec![kept.clone()];
    'again: loop {
        let here: Vec<&Stmt> = kept.iter().map(|&i| path[i]).collect();
        let sets = del_sets(&here);
        let last = here.iter().rposition(|s| defines(s).is_empty());
        let mut order: Vec<usize> = (0..here.len()).collect();
        if backwards {
            order.reverse();
        }
        for j in order {
            if last.is_some_and(|l| sets[j].contains(&l)) {
                continue;
            }
            let without: Vec<usize> =
                kept.iter().enumerate().filter(|(k, _)| !sets[j].contains(k)).map(|(_, &i)| i).collect();
            if infeasible(&without) {
                kept = without;
                out.push(kept.clone());
                continue 'again;
            }
        }
        return out;
    }
}

/// Statements of a path as a program of their own: `frame` has its variables (see [`crate::paths::Path::frame`]).
#[must_use]
pub fn projection(frame: &Program, path: &[&Stmt], kept: &[usize]) -> Program {
    let mut out = frame.clone();
    // A condition of a path is assumed: the path goes on if it holds.
    let as_condition = |s: &Stmt| match &s.kind {
        StmtKind::Assert(e) => Stmt::new(StmtKind::Assume(e.clone()), s.span),
        kind => Stmt::new(kind.clone(), s.span),
    };
    out.procs[0].body = kept.iter().map(|&i| as_condition(path[i])).collect();
    out
}

/// A statement on one line.
pub fn show_statement(stmt: &Stmt) -> String {
    match &stmt.kind {
        StmtKind::Assign(names, values) => {
            let names: Vec<&str> = names.iter().map(|n| n.text.as_str()).collect();
            format!("{} := {}", names.join(", "), values.iter().map(show).collect::<Vec<_>>().join(", "))
        }
        StmtKind::Assert(e) => format!("assert({})", show(e)),
        StmtKind::Assume(e) => format!("assume({})", show(e)),
        _ => "skip".to_owned(),
    }
}

/// An expression as text.
pub fn show_expression(e: &Expr) -> String {
    show(e)
}

//! The passes: each does away with one thing and keeps what is reached.

use super::exprs::{Hoist, free, has_free_condition, hoist, plain};
use super::rebuild::{Temporaries, local, rebuild};
use crate::program::{Expr, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Var};
use base::{Id, IndexVec};
use rustc_hash::FxHashSet;

fn assume(e: Expr) -> Stmt {
    Stmt::new(StmtKind::Assume(e))
}

/// A name that none of `taken` has.
pub(super) fn fresh(base: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = base.to_owned();
    let mut n = 0;
    while taken(&name) {
        n += 1;
        name = format!("{base}_{n}");
    }
    name
}

/// Initial values become assignments.
pub(super) fn initial_values(program: &mut Program) {
    let globals: Vec<_> = program
        .globals
        .iter_enumerated()
        .filter_map(|(g, d)| Some((Some(Var::Global(g)), Expr::Const(d.init?))))
        .collect();
    if !globals.is_empty() {
        let entry = program.entry;
        let called = |s: &Stmt| matches!(s.kind, StmtKind::Call { callee, .. } if callee == entry);
        if program.procs.iter().any(|p| p.body.iter().any(called)) {
            start_outside(program);
        }
        let entry = program.entry;
        rebuild(&mut program.procs[entry], vec![Stmt::new(StmtKind::Assign(globals))], |_, s| vec![s]);
        program.globals.iter_mut().for_each(|d| d.init = None);
    }
    for proc in program.procs.iter_mut() {
        let locals: Vec<_> = proc
            .locals
            .iter_enumerated()
            .filter_map(|(l, d)| Some((Some(Var::Local(l)), Expr::Const(d.init?))))
            .collect();
        if !locals.is_empty() {
            rebuild(proc, vec![Stmt::new(StmtKind::Assign(locals))], |_, s| vec![s]);
            proc.locals.iter_mut().for_each(|d| d.init = None);
        }
    }
}

/// A new entry procedure that calls the old one, for programs that call their `main` themselves.
fn start_outside(program: &mut Program) {
    let old = program.entry;
    let name = std::mem::take(&mut program.procs[old].name);
    let renamed = fresh(&format!("{name}_again"), |n| program.procs.iter().any(|p| p.name == n));
    program.procs[old].name = renamed;
    let call = StmtKind::Call { callee: old, args: Vec::new(), results: Vec::new() };
    program.entry = program.procs.push(Proc {
        name,
        locals: IndexVec::new(),
        n_formals: 0,
        n_returns: 0,
        enforce: None,
        body: [Stmt::new(call), Stmt::new(StmtKind::Return(Vec::new()))].into_iter().collect(),
        labels: Vec::new(),
    });
}

/// Which statements keep their `constrain`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Constraints {
    OnAssignments,
    Nowhere,
}

/// A `constrain` becomes an `assume` behind the statement, which compares with old values that were saved before it.
pub(super) fn constraints(program: &mut Program, keep: Constraints) {
    for proc in program.procs.iter_mut() {
        let mut temps = Temporaries::default();
        rebuild(proc, Vec::new(), |locals, mut stmt| {
            let assigns = matches!(stmt.kind, StmtKind::Assign(_));
            let Some(c) = stmt.constrain.take() else { return vec![stmt] };
            // A choice that must be made beforehand cannot speak of the new state.
            if assigns && keep == Constraints::OnAssignments && !has_free_condition(&c) {
                return vec![Stmt { constrain: Some(c), ..stmt }];
            }
            temps.release();
            let written = stmt.kind.written();
            let is_call = matches!(stmt.kind, StmtKind::Call { .. });
            let lost = |v: &Var| written.contains(v) || is_call && matches!(v, Var::Global(_));
            let saved: Vec<(Var, Var)> = c.vars().into_iter().filter(lost).map(|v| (v, temps.take(locals))).collect();
            let old = |v: Var| Expr::Var(saved.iter().find(|(w, _)| *w == v).map_or(v, |(_, t)| *t));
            let test = assume(c.substitute(&old, &Expr::Var));
            if !stmt.kind.falls_through() {
                // Nothing changes: what is true after the jump is true before it.
                return vec![test, stmt];
            }
            let save: Vec<_> = saved.iter().map(|&(v, t)| (Some(t), Expr::Var(v))).collect();
            let mut list = Vec::new();
            if !save.is_empty() {
                list.push(Stmt::new(StmtKind::Assign(save)));
            }
            list.extend([stmt, test]);
            list.extend(temps.reset());
            list
        });
    }
}

/// `enforce` becomes an `assume` at the start and behind every statement that can change something; with `keep`, only where
/// it contains a choice that must be made beforehand.
pub(super) fn enforced(program: &mut Program, keep: bool) {
    for proc in program.procs.iter_mut() {
        let Some(e) = proc.enforce.take_if(|e| !keep || has_free_condition(e)) else { continue };
        rebuild(proc, vec![assume(e.clone())], |_, stmt| {
            let changes = matches!(stmt.kind, StmtKind::Assign(_) | StmtKind::Dead(_) | StmtKind::Call { .. });
            if changes { vec![stmt, assume(e.clone())] } else { vec![stmt] }
        });
    }
}

const ERROR: &str = "SLIC_ERROR";

/// Assertions and labels `SLIC_ERROR` become calls of one procedure that has this label.
pub(super) fn errors(program: &mut Program) {
    let asserts = program.procs.iter().any(|p| p.body.iter().any(|s| matches!(s.kind, StmtKind::Assert(_))));
    if !asserts && program.find_label(ERROR).len() <= 1 {
        return;
    }
    let error = program.procs.push(Proc {
        name: fresh("slic_error", |n| program.procs.iter().any(|p| p.name == n)),
        locals: IndexVec::new(),
        n_formals: 0,
        n_returns: 0,
        enforce: None,
        body: [Stmt::new(StmtKind::Skip), Stmt::new(StmtKind::Return(Vec::new()))].into_iter().collect(),
        labels: vec![(ERROR.to_owned(), StmtId::from_index(0))],
    });
    let ids: Vec<ProcId> = program.procs.ids().filter(|&p| p != error).collect();
    for p in ids {
        let call = || Stmt::new(StmtKind::Call { callee: error, args: Vec::new(), results: Vec::new() });
        let proc = &mut program.procs[p];
        let labelled: Vec<StmtId> = proc.labels.iter().filter(|(n, _)| n == ERROR).map(|(_, s)| *s).collect();
        let mut at = StmtId::from_index(0);
        rebuild(proc, Vec::new(), |_, stmt| {
            let mut list = if labelled.contains(&at) { vec![call()] } else { Vec::new() };
            at = at.next();
            match stmt.kind {
                StmtKind::Assert(e) => {
                    let k = list.len();
                    list.push(Stmt::new(StmtKind::Branch(e, local(k + 3), local(k + 1))));
                    // A run in which an assertion failed does not go on.
                    list.extend([call(), assume(Expr::Const(false))]);
                    // Somewhere to go on to, should the assertion be the last statement of its list.
                    list.push(Stmt::new(StmtKind::Skip));
                }
                kind => list.push(Stmt { kind, ..stmt }),
            }
            list
        });
        let taken: FxHashSet<String> = proc.labels.iter().map(|(n, _)| n.clone()).collect();
        for (name, _) in proc.labels.iter_mut().filter(|(n, _)| n == ERROR) {
            *name = fresh("SLIC_ERROR_CALL", |n| taken.contains(n));
        }
    }
}

/// `print` becomes `skip`, `dead x` becomes `x := *`.
pub(super) fn hints(program: &mut Program) {
    for stmt in program.procs.iter_mut().flat_map(|p| p.body.iter_mut()) {
        match &stmt.kind {
            StmtKind::Print(_) => stmt.kind = StmtKind::Skip,
            StmtKind::Dead(vars) => {
                let mut vars = vars.clone();
                vars.sort_unstable();
                vars.dedup();
                stmt.kind = StmtKind::Assign(vars.into_iter().map(|v| (Some(v), Expr::Nondet)).collect());
            }
            _ => {}
        }
    }
}

/// Values that are discarded are not computed; results that are go to a temporary.
pub(super) fn discards(program: &mut Program) {
    for proc in program.procs.iter_mut() {
        let mut temps = Temporaries::default();
        rebuild(proc, Vec::new(), |locals, mut stmt| {
            temps.release();
            match &mut stmt.kind {
                StmtKind::Assign(pairs) => {
                    pairs.retain(|(v, _)| v.is_some());
                    if pairs.is_empty() {
                        stmt.kind = StmtKind::Skip;
                    }
                }
                StmtKind::Call { results, .. } => {
                    for r in results.iter_mut().filter(|r| r.is_none()) {
                        *r = Some(temps.take(locals));
                    }
                }
                _ => {}
            }
            let mut list = vec![stmt];
            list.extend(temps.reset());
            list
        });
    }
}

/// Choices inside expressions are made before the statement and kept in temporaries.
pub(super) fn nondeterminism(program: &mut Program, what: Hoist) {
    for proc in program.procs.iter_mut() {
        let mut temps = Temporaries::default();
        rebuild(proc, Vec::new(), |locals, mut stmt| {
            temps.release();
            let mut before: Vec<Stmt> = Vec::new();
            {
                let mut keep = |e: Expr| {
                    let t = temps.take(locals);
                    before.push(Stmt::new(StmtKind::Assign(vec![(Some(t), e)])));
                    t
                };
                let whole = matches!(stmt.kind, StmtKind::Assign(_));
                let branch = matches!(stmt.kind, StmtKind::Branch(..));
                stmt.map_exprs(&mut |e| match e {
                    Expr::Nondet if what == Hoist::Everything && whole => free(),
                    Expr::Nondet if branch => Expr::Nondet,
                    Expr::Choose(p, n) if whole => {
                        Expr::Choose(Box::new(hoist(*p, what, &mut keep)), Box::new(hoist(*n, what, &mut keep)))
                    }
                    e => hoist(e, what, &mut keep),
                });
            }
            finish(before, stmt, &temps)
        });
    }
}

/// The statement between what prepares its temporaries and what resets them.
fn finish(mut list: Vec<Stmt>, stmt: Stmt, temps: &Temporaries) -> Vec<Stmt> {
    let Some(reset) = temps.reset() else { return vec![stmt] };
    match stmt.kind {
        StmtKind::Branch(e, yes, no) => {
            let k = list.len();
            list.push(Stmt { kind: StmtKind::Branch(e, local(k + 1), local(k + 3)), ..stmt });
            for to in [yes, no] {
                list.extend([reset.clone(), Stmt::new(StmtKind::Goto(vec![to]))]);
            }
        }
        StmtKind::Return(_) | StmtKind::Goto(_) => list.push(stmt),
        _ => list.extend([stmt, reset]),
    }
    list
}

/// A jump to several targets becomes a chain of branches.
pub(super) fn jumps(program: &mut Program) {
    for proc in program.procs.iter_mut() {
        rebuild(proc, Vec::new(), |_, stmt| match &stmt.kind {
            StmtKind::Goto(to) if to.len() > 1 => {
                let (last, others) = to.split_last().expect("there are several targets");
                let branch = |(k, t): (usize, &StmtId)| Stmt::new(StmtKind::Branch(Expr::Nondet, *t, local(k + 1)));
                let mut list: Vec<Stmt> = others.iter().enumerate().map(branch).collect();
                list.push(Stmt::new(StmtKind::Goto(vec![*last])));
                list
            }
            _ => vec![stmt],
        });
    }
}

/// Only the operators that every tool has.
pub(super) fn plain_operators(program: &mut Program) {
    for proc in program.procs.iter_mut() {
        for stmt in proc.body.iter_mut() {
            stmt.map_exprs(&mut plain);
        }
        proc.enforce = proc.enforce.take().map(plain);
    }
}

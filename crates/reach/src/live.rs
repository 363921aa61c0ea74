//! Which variables can still be read: path edges need say nothing about the others.
//!
//! Backward, per procedure. At a return every global counts as live (unless nothing ever follows it: the entry procedure
//! when nobody calls it); a call reads every global. What `enforce` mentions is read everywhere in its procedure.

use base::{Id, IndexVec};
use boolprog::{ProcId, Program, StmtId, StmtKind, Var};
use std::collections::BTreeSet;

/// The variables live before each statement.
pub(crate) type Live = IndexVec<StmtId, BTreeSet<Var>>;

/// Which procedures are called by some statement.
pub(crate) fn called(program: &Program) -> IndexVec<ProcId, bool> {
    let mut called = IndexVec::filled(false, program.procs.len());
    for stmt in program.procs.iter().flat_map(|p| p.body.iter()) {
        if let StmtKind::Call { callee, .. } = stmt.kind {
            called[callee] = true;
        }
    }
    called
}

pub(crate) fn live(program: &Program, id: ProcId, is_called: bool) -> Live {
    let proc = &program.procs[id];
    let globals: Vec<Var> = program.globals.ids().map(Var::Global).collect();
    let always: BTreeSet<Var> = proc.enforce.iter().flat_map(boolprog::Expr::vars).collect();
    let mut live: Live = IndexVec::filled(BTreeSet::new(), proc.body.len());
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..proc.body.len()).rev().map(StmtId::from_index) {
            let stmt = &proc.body[at];
            let mut now: BTreeSet<Var> = BTreeSet::new();
            for s in proc.successors(at) {
                now.extend(live[s].iter().copied());
            }
            for v in stmt.kind.written() {
                now.remove(&v);
            }
            now.extend(stmt.kind.exprs().into_iter().flat_map(boolprog::Expr::vars));
            if let Some(c) = &stmt.constrain {
                let written = stmt.kind.written();
                now.extend(c.vars());
                now.extend(c.next_vars().into_iter().filter(|v| !written.contains(v)));
            }
            let reads_globals = match stmt.kind {
                StmtKind::Call { .. } => true,
                StmtKind::Return(_) => is_called,
                _ => false,
            };
            if reads_globals {
                now.extend(globals.iter().copied());
            }
            now.extend(always.iter().copied());
            if now != live[at] {
                live[at] = now;
                changed = true;
            }
        }
    }
    live
}

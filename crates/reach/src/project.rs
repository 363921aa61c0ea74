//! A program without some of its variables: reading one gives any value, writing one does nothing.
//!
//! The program left has all executions of the whole one, and more: a target that it does not reach is unreachable. It has
//! the same procedures, variables, statements and numbers, so that its sets are sets of the whole program too, whose
//! closure [`certify`](crate::Reachability::certify) checks against the statements as they were.

use crate::live::touched;
use crate::machine::Machine;
use crate::reachability::{Options, Reachability, Target, Unknown, capacity, search};
use crate::relevance::{Distances, distances};
use crate::space::Space;
use crate::transfer::Compiled;
use base::sabotage::{Fault, active};
use boolprog::{Expr, Program, Stmt, StmtKind, Var};
use std::rc::Rc;

/// Distances up to which variables are kept, one attempt after the other.
const KEPT: [u32; 3] = [1, 2, 4];

/// Nodes that one such attempt may make.
const ATTEMPT: u64 = 30_000_000;

/// Tries to show that no target is reached with the variables near the targets alone. `None` if it does not work out.
pub(crate) fn prove<'p>(
    program: &'p Program,
    targets: &[Target],
    options: &Options,
) -> Result<Option<Reachability<'p>>, Unknown> {
    let (distances, frames) = (distances(program, targets), touched(program));
    let options = Options { max_work: ATTEMPT.min(options.max_work), stop_at_first: true, ..*options };
    let mut before = 0;
    for within in KEPT {
        let (all, kept) = distances.count(within);
        if kept == before || kept == all {
            continue;
        }
        before = kept;
        let small = hide(program, &distances, within);
        // The whole program's frames: a procedure may read a variable only to assign it to one that is hidden.
        let space = Rc::new(Space::new(&small, capacity(&small, options.memory))?);
        let machine = Machine::with_frames(&small, space, &frames)?;
        match search(machine, &mut Compiled::new(&small), targets, &options) {
            Ok(found) if found.hit().is_empty() => {
                let Reachability { machine, sets, mut stats, .. } = found;
                stats.hidden = all - kept;
                let machine = Machine::with_frames(program, machine.space, &frames)?;
                return Ok(Some(Reachability::proof(program, machine, sets, targets, stats)));
            }
            Ok(_) => {}
            // More variables would take more.
            Err(Unknown::Work(_) | Unknown::OutOfNodes) => break,
            Err(why) => return Err(why),
        }
    }
    Ok(None)
}

/// `program` without the variables that are further than `within` from the targets.
fn hide(program: &Program, distances: &Distances, within: u32) -> Program {
    let mut out = program.clone();
    for g in program.globals.ids().filter(|&g| distances.get(program.entry, Var::Global(g)) > within) {
        out.globals[g].init = None;
    }
    for (p, proc) in program.procs.iter_enumerated() {
        let visible = |v: Var| distances.get(p, v) <= within;
        let left = &mut out.procs[p];
        for l in proc.locals.ids().filter(|&l| !visible(Var::Local(l))) {
            left.locals[l].init = None;
        }
        left.enforce = left.enforce.take().map(|e| blind(e, &visible));
        for stmt in left.body.iter_mut() {
            rewrite(stmt, &visible);
            let StmtKind::Call { callee, args, .. } = &mut stmt.kind else { continue };
            for (l, e) in program.procs[*callee].formals().zip(args) {
                if distances.get(*callee, Var::Local(l)) > within {
                    *e = Expr::Nondet;
                }
            }
        }
    }
    out
}

fn rewrite(stmt: &mut Stmt, visible: &dyn Fn(Var) -> bool) {
    match &mut stmt.kind {
        StmtKind::Assign(pairs) => pairs.retain(|(v, _)| v.is_some_and(visible)),
        StmtKind::Dead(vars) => vars.retain(|&v| visible(v)),
        StmtKind::Call { results, .. } => results.iter_mut().for_each(|v| *v = v.filter(|&v| visible(v))),
        _ => {}
    }
    stmt.map_exprs(&mut |e| blind(e, visible));
}

/// `e` with any value for what is not visible.
fn blind(e: Expr, visible: &dyn Fn(Var) -> bool) -> Expr {
    let any = if active(Fault::HiddenReadsFalse) { Expr::Const(false) } else { Expr::Nondet };
    let or_any = |v: Var, read: fn(Var) -> Expr| if visible(v) { read(v) } else { any.clone() };
    e.substitute(&|v| or_any(v, Expr::Var), &|v| or_any(v, Expr::Next))
}

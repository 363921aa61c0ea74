//! Reachability by explicit search, three ways and none of them with decision diagrams, to test `reach` against:
//! summaries tabulated from the entry on ([`mod@tabulate`]), CFL reachability on the whole exploded graph ([`mod@exploded`]),
//! and breadth-first search over configurations with their stacks, which also gives shortest traces ([`mod@shortest`]).
//! [`random_program`] makes the programs; [`damaged_programs`] is the oracle of the reader.
//!
//! All are exponential in the number of variables in scope, which must not exceed [`MAX_VARS`].

mod damaged;
mod exploded;
mod random;
mod shortest;
mod tabulate;

pub use damaged::damaged_programs;
pub use exploded::exploded;
pub use random::{Shape, random_program, random_programs};
pub use shortest::{Shortest, shortest};
pub use tabulate::{Tabulated, tabulate};

use crate::program::{Expr, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Var};
use crate::semantics::{Values, values_with};
use base::Id;

/// Most globals, and most locals of one procedure, that the oracles take.
pub const MAX_VARS: usize = 32;

/// A valuation: globals in the low half, formals and locals in the high half.
pub(crate) type Packed = u64;

pub(crate) const GLOBALS: Packed = 0xffff_ffff;

pub(crate) fn bit(v: Var) -> Packed {
    match v {
        Var::Global(g) => 1 << g.index(),
        Var::Local(l) => 1 << (32 + l.index()),
    }
}

pub(crate) fn eval(e: &Expr, old: Packed, new: Packed) -> Values {
    values_with(e, &|v| old & bit(v) != 0, &|v| new & bit(v) != 0)
}

pub(crate) fn fits(program: &Program) -> bool {
    program.globals.len() <= MAX_VARS && program.procs.iter().all(|p| p.locals.len() <= MAX_VARS)
}

/// All ways of giving `vars` the values that `allowed` permits, over `base`.
pub(crate) fn choices(base: Packed, vars: &[(Var, Values)]) -> Vec<Packed> {
    let mut out = vec![base];
    for (v, values) in vars {
        let mut next = Vec::with_capacity(out.len() * 2);
        for s in out {
            next.extend(values.iter().map(|b| if b { s | bit(*v) } else { s & !bit(*v) }));
        }
        out = next;
    }
    out
}

const FREE: Values = Values { can_true: true, can_false: true };

pub(crate) fn enforced(proc: &Proc, s: Packed) -> bool {
    proc.enforce.as_ref().is_none_or(|e| eval(e, s, s).can_true)
}

fn allowed(proc: &Proc, stmt: &Stmt, old: Packed, new: Packed) -> bool {
    stmt.constrain.as_ref().is_none_or(|c| eval(c, old, new).can_true) && enforced(proc, new)
}

/// The states in which `proc` can start when its globals and formals are those of `given`.
pub(crate) fn entries(proc: &Proc, given: Packed) -> Vec<Packed> {
    let free: Vec<_> = proc
        .locals
        .iter_enumerated()
        .skip(proc.n_formals)
        .map(|(l, d)| (Var::Local(l), d.init.map_or(FREE, Values::exactly)))
        .collect();
    choices(given, &free).into_iter().filter(|&s| enforced(proc, s)).collect()
}

/// Globals and formals of `proc` alone.
pub(crate) fn entry_part(proc: &Proc, s: Packed) -> Packed {
    let formals = ((1u64 << proc.n_formals) - 1) << 32;
    s & (GLOBALS | formals)
}

/// Every state in which the program can start.
pub(crate) fn starts(program: &Program) -> Vec<Packed> {
    let globals: Vec<_> = program
        .globals
        .iter_enumerated()
        .map(|(g, d)| (Var::Global(g), d.init.map_or(FREE, Values::exactly)))
        .collect();
    let entry = &program.procs[program.entry];
    choices(0, &globals).into_iter().flat_map(|g| entries(entry, g)).collect()
}

/// Successors of a statement that is neither call nor return.
pub(crate) fn steps(proc: &Proc, at: StmtId, s: Packed) -> Vec<(StmtId, Packed)> {
    let stmt = &proc.body[at];
    let to_all = |targets: &[StmtId], states: &[Packed]| -> Vec<(StmtId, Packed)> {
        let pairs = targets.iter().flat_map(|&t| states.iter().map(move |&n| (t, n)));
        pairs.filter(|&(_, n)| allowed(proc, stmt, s, n)).collect()
    };
    match &stmt.kind {
        StmtKind::Skip | StmtKind::Print(_) => to_all(&[at.next()], &[s]),
        StmtKind::Assume(e) | StmtKind::Assert(e) => {
            if eval(e, s, s).can_true {
                to_all(&[at.next()], &[s])
            } else {
                Vec::new()
            }
        }
        StmtKind::Dead(vars) => {
            let free: Vec<_> = vars.iter().map(|&v| (v, FREE)).collect();
            to_all(&[at.next()], &choices(s, &free))
        }
        StmtKind::Assign(pairs) => {
            let values: Vec<_> = pairs.iter().filter_map(|(v, e)| Some(((*v)?, eval(e, s, s)))).collect();
            to_all(&[at.next()], &choices(s, &values))
        }
        StmtKind::Branch(e, yes, no) => {
            let v = eval(e, s, s);
            let targets: Vec<_> = [(v.can_true, *yes), (v.can_false, *no)].into_iter().filter(|t| t.0).collect();
            to_all(&targets.into_iter().map(|t| t.1).collect::<Vec<_>>(), &[s])
        }
        StmtKind::Goto(to) => to_all(to, &[s]),
        StmtKind::Call { .. } | StmtKind::Return(_) => Vec::new(),
    }
}

/// What a call can pass: globals and formals of the callee.
pub(crate) fn passed(program: &Program, callee: ProcId, args: &[Expr], s: Packed) -> Vec<Packed> {
    let formals = program.procs[callee].formals();
    let values: Vec<_> = formals.zip(args).map(|(l, e)| (Var::Local(l), eval(e, s, s))).collect();
    choices(s & GLOBALS, &values)
}

/// What a return statement can hand back: globals in the low half, values in the high half.
pub(crate) fn returned(proc: &Proc, at: StmtId, s: Packed) -> Vec<Packed> {
    let StmtKind::Return(exprs) = &proc.body[at].kind else { return Vec::new() };
    if !proc.body[at].constrain.as_ref().is_none_or(|c| eval(c, s, s).can_true) {
        return Vec::new();
    }
    let values: Vec<_> =
        exprs.iter().enumerate().map(|(i, e)| (Var::Local(Id::from_index(i)), eval(e, s, s))).collect();
    choices(s & GLOBALS, &values)
}

/// The caller's state after the call `at` made in `before` has handed back `result`; `None` if it cannot exist.
pub(crate) fn resumed(proc: &Proc, at: StmtId, before: Packed, result: Packed) -> Option<Packed> {
    let StmtKind::Call { results, .. } = &proc.body[at].kind else { return None };
    let mut after = before & !GLOBALS | result & GLOBALS;
    for (i, target) in results.iter().enumerate() {
        if let Some(v) = target {
            let value = result >> (32 + i) & 1 == 1;
            after = if value { after | bit(*v) } else { after & !bit(*v) };
        }
    }
    allowed(proc, &proc.body[at], before, after).then_some(after)
}

/// Whether the assertion at `at` can fail in `s`.
pub(crate) fn fails(proc: &Proc, at: StmtId, s: Packed) -> bool {
    matches!(&proc.body[at].kind, StmtKind::Assert(e) if eval(e, s, s).can_false)
}

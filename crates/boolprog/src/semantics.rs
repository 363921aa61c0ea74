//! What boolean programs mean on explicit valuations: the reference that traces are replayed with and that the
//! explicit oracles use.
//!
//! Every textual `*` is a choice of its own and occurs once, so the sets of values that an expression's operands can
//! take are independent of each other and compose exactly: no enumeration of choices is needed.

use crate::program::{Expr, LocalId, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Var};
use base::Id;

/// The set of values an expression can take in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    /// Whether it can be true.
    pub can_true: bool,
    /// Whether it can be false.
    pub can_false: bool,
}

impl Values {
    /// The set with this one member.
    pub fn exactly(b: bool) -> Values {
        Values { can_true: b, can_false: !b }
    }

    /// Whether `b` is a member.
    pub fn has(self, b: bool) -> bool {
        if b { self.can_true } else { self.can_false }
    }

    /// The members, false first.
    pub fn iter(self) -> impl Iterator<Item = bool> {
        [false, true].into_iter().filter(move |&b| self.has(b))
    }
}

/// A valuation of the variables in scope: globals, then formals and locals of one procedure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Valuation {
    /// Values of the globals.
    pub globals: Vec<bool>,
    /// Values of the formals and locals.
    pub locals: Vec<bool>,
}

impl Valuation {
    /// The value of `var`.
    pub fn get(&self, var: Var) -> bool {
        match var {
            Var::Global(g) => self.globals[g.index()],
            Var::Local(l) => self.locals[l.index()],
        }
    }

    /// Sets `var` to `value`.
    pub fn set(&mut self, var: Var, value: bool) {
        match var {
            Var::Global(g) => self.globals[g.index()] = value,
            Var::Local(l) => self.locals[l.index()] = value,
        }
    }
}

/// The values `e` can take when `Var` reads `old` and `Next` reads `new`. Depth of recursion is the height of `e`.
pub fn values(e: &Expr, old: &Valuation, new: &Valuation) -> Values {
    values_with(e, &|v| old.get(v), &|v| new.get(v))
}

/// [`values`] over any representation of states.
pub fn values_with(e: &Expr, old: &dyn Fn(Var) -> bool, new: &dyn Fn(Var) -> bool) -> Values {
    let sub = |e: &Expr| values_with(e, old, new);
    let lift = |a: Values, b: Values, f: fn(bool, bool) -> bool| {
        let mut out = Values { can_true: false, can_false: false };
        for x in a.iter() {
            for y in b.iter() {
                if f(x, y) { out.can_true = true } else { out.can_false = true }
            }
        }
        out
    };
    match e {
        Expr::Const(b) => Values::exactly(*b),
        Expr::Nondet => Values { can_true: true, can_false: true },
        Expr::Var(v) => Values::exactly(old(*v)),
        Expr::Next(v) => Values::exactly(new(*v)),
        Expr::Not(a) => lift(sub(a), Values::exactly(true), |x, _| !x),
        Expr::And(v) => v.iter().fold(Values::exactly(true), |acc, a| lift(acc, sub(a), |x, y| x && y)),
        Expr::Or(v) => v.iter().fold(Values::exactly(false), |acc, a| lift(acc, sub(a), |x, y| x || y)),
        Expr::Xor(a, b) => lift(sub(a), sub(b), |x, y| x != y),
        Expr::Eq(a, b) => lift(sub(a), sub(b), |x, y| x == y),
        Expr::Implies(a, b) => lift(sub(a), sub(b), |x, y| !x || y),
        Expr::Ite(c, a, b) => {
            let (c, a, b) = (sub(c), sub(a), sub(b));
            Values {
                can_true: c.can_true && a.can_true || c.can_false && b.can_true,
                can_false: c.can_true && a.can_false || c.can_false && b.can_false,
            }
        }
        Expr::Choose(p, n) => {
            let (p, n) = (sub(p), sub(n));
            Values { can_true: p.can_true || n.can_false, can_false: p.can_false }
        }
    }
}

/// Whether `e`, read in `state` alone, can be true.
pub(crate) fn can_hold(e: &Expr, state: &Valuation) -> bool {
    values(e, state, state).can_true
}

/// Whether `state` may exist in `proc` at all.
pub fn enforced(proc: &Proc, state: &Valuation) -> bool {
    proc.enforce.as_ref().is_none_or(|e| can_hold(e, state))
}

/// Whether the (old, new) pair passes the statement's `constrain` and the owner's `enforce`.
pub fn allowed(proc: &Proc, stmt: &Stmt, old: &Valuation, new: &Valuation) -> bool {
    stmt.constrain.as_ref().is_none_or(|c| values(c, old, new).can_true) && enforced(proc, new)
}

/// Whether `at`, which is neither call nor return, can take `old` to `new` with control going to `to`.
pub(crate) fn can_step(proc: &Proc, at: StmtId, old: &Valuation, to: StmtId, new: &Valuation) -> bool {
    let stmt = &proc.body[at];
    let unchanged_but = |written: &[Var]| {
        let mut masked = new.clone();
        for &v in written {
            masked.set(v, old.get(v));
        }
        masked == *old
    };
    let flows = proc.successors(at).contains(&to);
    let effect = match &stmt.kind {
        StmtKind::Skip | StmtKind::Print(_) | StmtKind::Goto(_) => new == old,
        StmtKind::Assume(e) | StmtKind::Assert(e) => new == old && can_hold(e, old),
        StmtKind::Branch(e, yes, no) => {
            let v = values(e, old, old);
            new == old && (to == *yes && v.can_true || to == *no && v.can_false)
        }
        StmtKind::Dead(vars) => unchanged_but(vars),
        StmtKind::Assign(pairs) => {
            unchanged_but(&stmt.kind.written())
                && pairs.iter().all(|(v, e)| v.is_none_or(|v| values(e, old, old).has(new.get(v))))
        }
        StmtKind::Call { .. } | StmtKind::Return(_) => false,
    };
    flows && effect && allowed(proc, stmt, old, new)
}

/// Whether the assertion at `at` can fail in `state`.
pub fn can_fail(proc: &Proc, at: StmtId, state: &Valuation) -> bool {
    matches!(&proc.body[at].kind, StmtKind::Assert(e) if values(e, state, state).can_false)
}

/// Whether calling with these actuals in `caller` can enter `callee` in `entered`.
pub fn can_enter(program: &Program, callee: ProcId, args: &[Expr], caller: &Valuation, entered: &Valuation) -> bool {
    let p = &program.procs[callee];
    entered.globals == caller.globals
        && args.iter().zip(&entered.locals).all(|(e, &v)| values(e, caller, caller).has(v))
        && initial_locals(p, entered)
        && enforced(p, entered)
}

/// Whether the locals with an initial value have it.
pub(crate) fn initial_locals(proc: &Proc, state: &Valuation) -> bool {
    proc.locals.iter_enumerated().all(|(l, d): (LocalId, _)| d.init.is_none_or(|b| state.locals[l.index()] == b))
}

/// Whether the globals with an initial value have it.
pub(crate) fn initial_globals(program: &Program, state: &Valuation) -> bool {
    program.globals.iter_enumerated().all(|(g, d)| d.init.is_none_or(|b| state.globals[g.index()] == b))
}

/// Whether returning from `callee` at `at` in `inner` to the call `call` made in `before` can give `after`.
pub(crate) fn can_return(
    (callee, at): (&Proc, StmtId),
    inner: &Valuation,
    (caller, call): (&Proc, StmtId),
    before: &Valuation,
    after: &Valuation,
) -> bool {
    let StmtKind::Return(exprs) = &callee.body[at].kind else { return false };
    let StmtKind::Call { results, .. } = &caller.body[call].kind else { return false };
    let passes = callee.body[at].constrain.as_ref().is_none_or(|c| values(c, inner, inner).can_true);
    let mut expected = Valuation { globals: inner.globals.clone(), locals: before.locals.clone() };
    for (target, e) in results.iter().zip(exprs) {
        if let Some(v) = *target {
            if !values(e, inner, inner).has(after.get(v)) {
                return false;
            }
            expected.set(v, after.get(v));
        }
    }
    passes && expected == *after && allowed(caller, &caller.body[call], before, after)
}

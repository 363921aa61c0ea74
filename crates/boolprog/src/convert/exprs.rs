//! Rewriting expressions.

use crate::program::{Expr, Var};

/// Which choices are taken out of expressions, into assignments to temporaries before the statement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hoist {
    /// Conditions of `? :` that are no fixed value: they would have to be written twice.
    Conditions,
    /// Every `*` and every `schoose`.
    Everything,
}

/// Rebuilds `e` with `change` applied to its operands.
pub(super) fn map_operands(e: Expr, change: &mut dyn FnMut(Expr) -> Expr) -> Expr {
    let mut boxed = |e: Box<Expr>| Box::new(change(*e));
    match e {
        Expr::Const(_) | Expr::Nondet | Expr::Var(_) | Expr::Next(_) => e,
        Expr::Not(a) => Expr::Not(boxed(a)),
        Expr::And(v) => Expr::and(v.into_iter().map(change).collect::<Vec<_>>()),
        Expr::Or(v) => Expr::or(v.into_iter().map(change).collect::<Vec<_>>()),
        Expr::Xor(a, b) => Expr::Xor(boxed(a), boxed(b)),
        Expr::Eq(a, b) => Expr::Eq(boxed(a), boxed(b)),
        Expr::Implies(a, b) => Expr::Implies(boxed(a), boxed(b)),
        Expr::Ite(a, b, c) => Expr::Ite(boxed(a), boxed(b), boxed(c)),
        Expr::Choose(a, b) => Expr::Choose(boxed(a), boxed(b)),
    }
}

impl Expr {
    /// Replaces variables: old values by `old`, new values by `new`. Depth of recursion is the height of the expression.
    #[must_use]
    pub fn substitute(self, old: &dyn Fn(Var) -> Expr, new: &dyn Fn(Var) -> Expr) -> Expr {
        match self {
            Expr::Var(v) => old(v),
            Expr::Next(v) => new(v),
            e => map_operands(e, &mut |a| a.substitute(old, new)),
        }
    }
}

/// Takes choices out of `e`; each is handed to `keep`, which returns the variable that holds it.
pub(super) fn hoist(e: Expr, what: Hoist, keep: &mut dyn FnMut(Expr) -> Var) -> Expr {
    if !e.is_nondet() {
        return e;
    }
    match (what, e) {
        (Hoist::Conditions, Expr::Ite(c, a, b)) => {
            let c = hoist(*c, what, keep);
            let c = if c.is_nondet() { Expr::Var(keep(c)) } else { c };
            Expr::Ite(Box::new(c), Box::new(hoist(*a, what, keep)), Box::new(hoist(*b, what, keep)))
        }
        (Hoist::Everything, Expr::Nondet) => Expr::Var(keep(free())),
        (Hoist::Everything, e @ Expr::Choose(..)) => {
            let e = map_operands(e, &mut |a| hoist(a, what, keep));
            Expr::Var(keep(e))
        }
        (_, e) => map_operands(e, &mut |a| hoist(a, what, keep)),
    }
}

/// A value that is free, as a `schoose`.
pub(super) fn free() -> Expr {
    Expr::Choose(Box::new(Expr::Const(false)), Box::new(Expr::Const(false)))
}

/// The same with `!`, `&`, `|`, `=`, `!=` and `schoose` only. Conditions of `? :` must be fixed values.
pub(super) fn plain(e: Expr) -> Expr {
    match map_operands(e, &mut plain) {
        Expr::Not(a) => match *a {
            Expr::Not(b) => *b,
            Expr::Const(b) => Expr::Const(!b),
            a => Expr::not(a),
        },
        Expr::Implies(a, b) => Expr::or([plain(Expr::Not(a)), *b]),
        Expr::Ite(c, a, b) => {
            let no = plain(Expr::Not(c.clone()));
            Expr::or([Expr::and([*c, *a]), Expr::and([no, *b])])
        }
        e => e,
    }
}

/// Whether some `? :` has a condition that is no fixed value.
pub(super) fn has_free_condition(e: &Expr) -> bool {
    let mut found = false;
    e.walk(|e| found |= matches!(e, Expr::Ite(c, ..) if c.is_nondet()));
    found
}

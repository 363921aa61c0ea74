//! What a call leaves as it was. A caller's condition may relate a value of its own, which the callee cannot name, to a
//! global or to memory. Over the call it stays true because the callee leaves that global alone on this path; what the callee
//! can say about it is `g == 'g` (TOPLAS05 §4.4.3: values at entry relate the two states of a call).

use crate::back::to_expr;
use ir::{BinOp, Expr, ExprKind, Ty, Var};
use logic::{Node, Sort, Store, Symbol, Term};
use rustc_hash::FxHashSet;

/// For what the activation cannot name whole - atoms, and equations of words - that the globals and places in it are as they
/// were at entry.
pub(crate) fn candidates(
    store: &Store,
    atoms: &[Term],
    words: &[(Term, Term)],
    leaf: &dyn Fn(Symbol) -> Option<Expr>,
) -> Vec<Expr> {
    let scalar = |t: Term| matches!(store.sort(t), Sort::Bv(_) | Sort::Bool);
    let foreign = |s: &Symbol| scalar(store.symbol_term(*s)) && leaf(*s).is_none();
    let roots = atoms.iter().map(|&a| vec![a]).chain(words.iter().map(|&(a, b)| vec![a, b]));
    let mut found = Vec::new();
    for root in roots.filter(|r| store.symbols_of(r).iter().any(foreign)) {
        let (mut seen, mut stack) = (FxHashSet::default(), root);
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            let place = matches!(store.node(t), Node::Symbol(_) | Node::Select(..) | Node::Concat(..)) && scalar(t);
            match to_expr(store, t, leaf).filter(|_| place) {
                Some(now) => found.extend(at_entry(&now).map(|then| Expr::binary(BinOp::Eq, now, then))),
                None => stack.extend(store.node(t).args()),
            }
        }
    }
    found
}

/// What a global, or memory at an address that the caller gave, was at entry.
fn at_entry(now: &Expr) -> Option<Expr> {
    let ExprKind::Read(place) = &now.kind else { return None };
    match (place.as_var(), now.ty) {
        (_, Ty::Float(_)) | (Some(Var::Local(_)), _) => None,
        (Some(Var::Global(_)), _) => Some(Expr::entry(now.clone())),
        (None, _) => {
            let mut place = place.clone();
            place.addr = crate::back::entry_address(place.addr)?;
            Some(Expr::entry(Expr::read(place)))
        }
    }
}

//! The store along the path, forwards: what values variables have (TR00 §4.2, the store of the path simulator).
//!
//! A variable that the rest of the path depends on and whose value at a position is a constant, or that of another
//! variable there, gives the predicate that says so.

use crate::backward::scope_of;
use ir::{BinOp, EdgeId, Expr, ExprKind, FuncId, Shape, Ty, Var};
use logic::{Store, Term};
use vc::path::Walk;
use vc::{Encoder, Scope, State};

/// What is known at one position of the path: for each scalar that the activation can name, its constant value or the
/// class of equal variables it belongs to.
pub(crate) struct PathStore {
    values: Vec<(Var, Ty, Value)>,
}

enum Value {
    Constant(u128),
    /// Equal numbers, equal values.
    Class(Term),
}

impl PathStore {
    /// The constant value of a variable, if it has one.
    pub(crate) fn constant(&self, var: Var) -> Option<u128> {
        self.values.iter().find_map(|(v, _, value)| match value {
            Value::Constant(c) if *v == var => Some(*c),
            _ => None,
        })
    }
}

/// `e == value`, in the form that truth values have.
pub(crate) fn equals(e: Expr, value: u128) -> Option<Expr> {
    Some(match e.ty {
        Ty::Bool if value == 1 => e,
        Ty::Bool => e.negate(),
        Ty::Float(_) => return None,
        ty => Expr::binary(BinOp::Eq, e, Expr::constant(ty, value)),
    })
}

/// The constant in an equation that [`equals`] made.
pub(crate) fn constant_in(equal: &Expr) -> Option<u128> {
    match &equal.kind {
        ExprKind::Binary(BinOp::Eq, _, c) => c.as_const(),
        ExprKind::Read(_) => Some(1),
        _ => Some(0),
    }
}

/// The values at each position of the path, from before its first edge to behind its last.
pub(crate) fn states(enc: &mut Encoder<'_>, mut walk: Walk, path: &[(FuncId, EdgeId)]) -> Vec<PathStore> {
    let mut all = vec![store_of(enc, &walk.state)];
    for &(_, edge) in path {
        if walk.take(enc, edge).is_err() {
            break;
        }
        all.push(store_of(enc, &walk.state));
    }
    all
}

fn store_of(enc: &Encoder<'_>, state: &State) -> PathStore {
    let program = enc.program;
    let function = &program.functions[state.func()];
    let globals = program.globals.iter_enumerated().map(|(id, g)| (Var::Global(id), g.shape));
    let locals = function.locals.iter_enumerated().map(|(id, l)| (Var::Local(id), l.shape));
    let values = globals.chain(locals).filter_map(|(var, shape)| {
        let (Shape::Scalar(ty), Some(term)) = (shape, state.get(var)) else { return None };
        if matches!(ty, Ty::Float(_)) {
            return None;
        }
        let constant = match enc.store.bool_of(term) {
            Some(b) => Some(u128::from(b)),
            None => enc.store.constant_of(term).and_then(|bits| bits.to_u128()),
        };
        Some((var, ty, constant.map_or(Value::Class(term), Value::Constant)))
    });
    PathStore { values: values.collect() }
}

/// Adds equations of the variables that the conjuncts mention; `symbolic` is the activation's state of symbols.
pub(crate) fn collect(
    store: &Store,
    symbolic: &State,
    conjuncts: &[Term],
    known: &PathStore,
    found: &mut Vec<(Scope, Expr)>,
) {
    let needed = store.symbols_of(conjuncts);
    let is_needed =
        |var: Var| symbolic.get(var).and_then(|t| store.as_symbol(t)).is_some_and(|s| needed.binary_search(&s).is_ok());
    for (i, (var, ty, value)) in known.values.iter().enumerate() {
        if !is_needed(*var) {
            continue;
        }
        let left = Expr::var(*var, *ty);
        let predicate = match value {
            Value::Constant(c) => match equals(left, *c) {
                Some(predicate) => predicate,
                None => continue,
            },
            Value::Class(term) => {
                let equal = |(other, t, v): &(Var, Ty, Value)| {
                    other != var && t == ty && matches!(v, Value::Class(o) if o == term)
                };
                let before = known.values[..i].iter().find(|v| equal(v) && is_needed(v.0));
                let Some((other, _, _)) = before.or_else(|| known.values.iter().find(|v| equal(v))) else { continue };
                Expr::binary(BinOp::Eq, left, Expr::var(*other, *ty))
            }
        };
        found.push((scope_of(symbolic.func(), &predicate), predicate));
    }
}

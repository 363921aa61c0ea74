//! Object predicates ([`ir::ObjectPredicate`]) as predicates of the abstraction. What they mean is spread over several maps
//! that no program can name ([`vc::Ghost`]), so they are not read back from terms: where a conjunct speaks of the owner of an
//! address, the object predicates of that address are candidates, and so are those in the conditions on the path.

use crate::back::to_pointer;
use crate::backward::scope_of;
use ir::walk::{Visitor, walk_edge};
use ir::{Edge, Expr, ExprKind, FuncId, ObjectPredicate, Op, Ty};
use logic::{Node, Symbol, Term};
use rustc_hash::FxHashSet;
use vc::{Encoder, Ghost, Scope, State};

/// More sizes of allocations than this are not tried.
const MAX_SIZES: usize = 4;

fn object_predicate(predicate: ObjectPredicate, pointer: &Expr) -> Expr {
    Expr { ty: Ty::Bool, kind: ExprKind::ObjectPredicate(predicate, Box::new(pointer.clone())) }
}

/// The object predicates in an `assume`.
pub(crate) fn of_edge(enc: &Encoder<'_>, func: FuncId, edge: &Edge, found: &mut Vec<(Scope, Expr)>) {
    struct Found(Vec<Expr>);
    impl Visitor for Found {
        fn expr(&mut self, e: &Expr) {
            if matches!(e.kind, ExprKind::ObjectPredicate(predicate, _) if !matches!(predicate, ObjectPredicate::Callable(_) | ObjectPredicate::Foreign | ObjectPredicate::FitsInt(_)))
            {
                self.0.push(e.clone());
            }
        }
    }
    let Op::Assume(_) = &edge.op else { return };
    let bare = Edge { guards: Vec::new(), ..edge.clone() };
    let mut mentioned = Found(Vec::new());
    walk_edge(&bare, &mut mentioned);
    let covered = mentioned.0.into_iter().filter(|e| enc.analysis.covers(func, e));
    found.extend(covered.map(|e| (scope_of(func, &e), e)));
}

/// The object predicates of the addresses whose owners the conjuncts speak of.
pub(crate) fn of_conjuncts(
    enc: &Encoder<'_>,
    state: &State,
    conjuncts: &[Term],
    leaf: &dyn Fn(Symbol) -> Option<Expr>,
    found: &mut Vec<(Scope, Expr)>,
) {
    let Some(owner) = state.ghost(Ghost::Owner) else { return };
    let freed = state.ghost(Ghost::Freed);
    let (mut seen, mut stack) = (FxHashSet::default(), conjuncts.to_vec());
    let mut pointers: Vec<Expr> = Vec::new();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Node::Select(map, at) = enc.store.node(t)
            && (map == owner || Some(map) == freed)
            && let Some(pointer) = to_pointer(&enc.store, at, leaf)
            && !pointers.contains(&pointer)
        {
            pointers.push(pointer);
        }
        stack.extend(enc.store.node(t).args());
    }
    for pointer in pointers.iter().filter(|p| enc.analysis.covers(state.func(), p)) {
        let common = [ObjectPredicate::InBounds(1), ObjectPredicate::Alive, ObjectPredicate::Freeable].into_iter();
        for predicate in common.chain(sizes(enc).into_iter().map(ObjectPredicate::InBounds)) {
            let e = object_predicate(predicate, pointer);
            found.push((scope_of(state.func(), &e), e));
        }
    }
}

/// The constant sizes of what the program allocates.
fn sizes(enc: &Encoder<'_>) -> Vec<u64> {
    let mut sizes = Vec::new();
    for edge in enc.program.functions.iter().flat_map(|f| &f.body).flat_map(|b| &b.edges) {
        if let Op::Alloc(alloc) = &edge.op
            && let Some(n) = alloc.size.as_const().and_then(|n| u64::try_from(n).ok())
            && n > 1
            && !sizes.contains(&n)
        {
            sizes.push(n);
        }
    }
    sizes.truncate(MAX_SIZES);
    sizes
}

//! Questions about objects ([`ir::Ask`]) as predicates. What they mean is spread over several maps that no program can name
//! ([`vc::Ghost`]), so they are not read back from terms: where a demand speaks of the owner of an address, the questions
//! that can be asked about that address are candidates, and where a condition on the path asks one, so is that one.

use crate::back::to_pointer;
use crate::backward::scope_of;
use ir::walk::{Visitor, walk_edge};
use ir::{Ask, Edge, Expr, ExprKind, FuncId, Op, Ty};
use logic::{Node, Symbol, Term};
use rustc_hash::FxHashSet;
use vc::{Encoder, Ghost, Scope, State};

/// More sizes of allocations than this are not tried.
const MAX_SIZES: usize = 4;

fn question(ask: Ask, pointer: &Expr) -> Expr {
    Expr { ty: Ty::Bool, kind: ExprKind::Ask(ask, Box::new(pointer.clone())) }
}

/// The questions that an `assume` asks.
pub(crate) fn of_edge(enc: &Encoder<'_>, func: FuncId, edge: &Edge, found: &mut Vec<(Scope, Expr)>) {
    struct Asked(Vec<Expr>);
    impl Visitor for Asked {
        fn expr(&mut self, e: &Expr) {
            if matches!(e.kind, ExprKind::Ask(ask, _) if !matches!(ask, Ask::Callable(_) | Ask::FitsInt(_))) {
                self.0.push(e.clone());
            }
        }
    }
    let Op::Assume(_) = &edge.op else { return };
    let bare = Edge { guards: Vec::new(), ..edge.clone() };
    let mut asked = Asked(Vec::new());
    walk_edge(&bare, &mut asked);
    let covered = asked.0.into_iter().filter(|e| enc.analysis.covers(func, e));
    found.extend(covered.map(|e| (scope_of(func, &e), e)));
}

/// The questions about the addresses whose owners the conjuncts speak of.
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
        let asks = [Ask::InBounds(1), Ask::Alive, Ask::Freeable].into_iter();
        for ask in asks.chain(sizes(enc).into_iter().map(Ask::InBounds)) {
            let e = question(ask, pointer);
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

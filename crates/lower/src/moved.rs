//! Pointers that were made by moving null: an access through one is a null dereference too.
//!
//! `p++; p[-1]` and `y = &q->y; *y` go wrong because `p` and `q` are null, and a test of the pointer that is dereferenced
//! does not see it: it is not null any more. Where null dereferences are checked, each variable that may hold a moved
//! pointer gets a companion of type `Bool` that says whether it was made from null. An assignment to the variable is
//! preceded by one to its companion, anything else that gives it a value is followed by one, and a guard that asks whether
//! the variable is null asks its companion too.
//!
//! Only variables whose address is not taken have companions. What is moved, stored in memory or passed to a function and
//! accessed there counts as out of bounds (SOUNDNESS.md). The pass gives the program no other meaning: companions are read
//! by guards alone.

use crate::fold;
use crate::graph::Graph;
use base::{Id, IndexVec};
use ir::{Address, Base, BinOp, Edge, Expr, ExprKind, HavocDst, Local, LocalId, Op, Place, Shape, Ty, Ub, Var};

/// Numbers below are in the page that no object lies in.
const FIRST_PAGE: u128 = 0x1000;

/// Gives the locals of a graph that may hold a moved pointer their companions. `taken` says which locals have addresses.
pub(crate) fn track(graph: &mut Graph, locals: &mut IndexVec<LocalId, Local>, taken: &[bool]) {
    let plain =
        |l: LocalId| locals[l].shape == Shape::Scalar(Ty::Ptr) && !taken.get(l.index()).copied().unwrap_or(true);
    let mut companions = Companions { of: vec![None; locals.len()] };
    let candidates = find(graph, locals.len(), &plain);
    for l in candidates {
        let Local { name, span, .. } = &locals[l];
        let companion =
            Local { name: format!("$moved.{name}"), shape: Shape::Scalar(Ty::Bool), constant: false, span: *span };
        companions.of[l.index()] = Some(locals.push(companion));
    }
    if companions.of.iter().any(Option::is_some) {
        companions.add(graph, locals);
    }
}

/// The locals that may hold a moved pointer, by going round until no more are found.
fn find(graph: &Graph, n: usize, plain: &dyn Fn(LocalId) -> bool) -> Vec<LocalId> {
    let mut found = vec![false; n];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for edge in &graph.edges {
            let Op::Assign(place, value) = &edge.op else { continue };
            let Some(Var::Local(l)) = place.as_var() else { continue };
            if !found[l.index()] && plain(l) && may_be_moved(value, &found) {
                found[l.index()] = true;
                changed = true;
            }
        }
    }
    (0..n).filter(|&l| found[l]).map(LocalId::from_index).collect()
}

fn may_be_moved(e: &Expr, found: &[bool]) -> bool {
    match &e.kind {
        ExprKind::Const(c) => e.ty == Ty::Ptr && (1..FIRST_PAGE).contains(c),
        ExprKind::Read(place) => matches!(place.as_var(), Some(Var::Local(l)) if found[l.index()]),
        ExprKind::Addr(Address { base: Base::Ptr(p), offset, indices }) => {
            *offset != 0 || !indices.is_empty() || may_be_moved(p, found)
        }
        ExprKind::Ite(_, a, b) => may_be_moved(a, found) || may_be_moved(b, found),
        _ => false,
    }
}

/// The companion of each local that has one.
struct Companions {
    of: Vec<Option<LocalId>>,
}

impl Companions {
    fn get(&self, place: &Place) -> Option<LocalId> {
        let Some(Var::Local(l)) = place.as_var() else { return None };
        self.of.get(l.index()).copied().flatten()
    }

    /// Whether the value was made by moving null; `None` if it surely was not.
    fn moved(&self, e: &Expr) -> Option<Expr> {
        match &e.kind {
            ExprKind::Const(c) if e.ty == Ty::Ptr && (1..FIRST_PAGE).contains(c) => Some(Expr::bool(true)),
            ExprKind::Read(place) => self.get(place).map(|c| Expr::var(Var::Local(c), Ty::Bool)),
            ExprKind::Addr(Address { base: Base::Ptr(p), offset, indices }) => {
                let before = self.moved(p);
                if *offset == 0 && indices.is_empty() {
                    return before;
                }
                let null = fold::binary(BinOp::Eq, (**p).clone(), Expr::null());
                Some(before.map_or_else(|| null.clone(), |m| fold::or(m, null.clone())))
            }
            ExprKind::Ite(c, a, b) => match (self.moved(a), self.moved(b)) {
                (None, None) => None,
                (a, b) => {
                    let no = || Expr::bool(false);
                    Some(fold::ite((**c).clone(), a.unwrap_or_else(no), b.unwrap_or_else(no)))
                }
            },
            _ => None,
        }
    }

    fn add(&self, graph: &mut Graph, locals: &IndexVec<LocalId, Local>) {
        for i in 0..graph.edges.len() {
            for guard in graph.edges[i].guards.iter_mut().filter(|g| g.ub == Ub::NullDeref) {
                guard.cond = self.asked(&guard.cond);
            }
            self.follow(graph, i);
        }
        let no = |&l: &LocalId| (set(l, Expr::bool(false)), locals[l].span);
        graph.prepend(self.of.iter().flatten().map(no).collect());
    }

    /// A guard's condition in which every pointer that must not be null must not be a moved null either.
    fn asked(&self, cond: &Expr) -> Expr {
        match &cond.kind {
            ExprKind::Binary(BinOp::Ne, p, null) if p.ty == Ty::Ptr && null.as_const() == Some(0) => {
                match self.moved(p) {
                    Some(moved) => fold::and(cond.clone(), moved.negate()),
                    None => cond.clone(),
                }
            }
            ExprKind::Binary(BinOp::Or, a, b) if cond.ty == Ty::Bool => fold::or(self.asked(a), self.asked(b)),
            ExprKind::Binary(BinOp::And, a, b) if cond.ty == Ty::Bool => fold::and(self.asked(a), self.asked(b)),
            _ => cond.clone(),
        }
    }

    /// Lets the companion follow what edge `i` does to its variable.
    fn follow(&self, graph: &mut Graph, i: usize) {
        let edge = &graph.edges[i];
        let no = Expr::bool(false);
        let (companion, value) = match &edge.op {
            Op::Assign(place, value) => {
                let Some(companion) = self.get(place) else { return };
                let moved = self.moved(value).unwrap_or(no);
                // The companion is told by the state before. If that takes a look at memory, it needs the same guards.
                let guards = if reads_memory(&moved) { edge.guards.clone() } else { Vec::new() };
                let (from, span) = (edge.from, edge.span);
                let mid = graph.loc();
                graph.edges[i].from = mid;
                graph.edges.push(Edge { from, to: Some(mid), guards, op: set(companion, moved), span });
                return;
            }
            Op::Havoc(HavocDst::Place(place), _) => (self.get(place), no),
            Op::Begin(l) => (self.of.get(l.index()).copied().flatten(), no),
            Op::Alloc(alloc) => (self.get(&alloc.dst), no),
            Op::Call(call) => (call.dst.and_then(|v| self.get(&Place::var(v, Ty::Ptr))), no),
            _ => return,
        };
        let Some(companion) = companion else { return };
        let (to, span) = (edge.to, edge.span);
        let mid = graph.loc();
        graph.edges[i].to = Some(mid);
        graph.edges.push(Edge { from: mid, to, guards: Vec::new(), op: set(companion, value), span });
    }
}

fn set(companion: LocalId, value: Expr) -> Op {
    Op::Assign(Place::var(Var::Local(companion), Ty::Bool), value)
}

fn reads_memory(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Read(place) => place.as_var().is_none(),
        ExprKind::Addr(Address { base, indices, .. }) => {
            matches!(base, Base::Ptr(p) if reads_memory(p)) || indices.iter().any(|i| reads_memory(&i.value))
        }
        ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectPredicate(_, a) | ExprKind::Entry(a) => {
            reads_memory(a)
        }
        ExprKind::Binary(_, a, b) => reads_memory(a) || reads_memory(b),
        ExprKind::Ite(a, b, c) => reads_memory(a) || reads_memory(b) || reads_memory(c),
        ExprKind::Const(_) | ExprKind::Func(_) => false,
    }
}

//! Functions whose result is null or the start of an object that they allocated: `malloc` wrappers. What such a function
//! returns is as new to its caller as what `malloc` returns.
//!
//! A local is *fresh* if each value that it is given is null, an allocation, what a fresh-returning function returns, or a fresh local, and if
//! wherever it is read it has been given one. The largest sets of functions and locals that fit together are computed by
//! removing what does not.

use base::{Id, IndexVec};
use ir::walk::{Visitor, walk_edge};
use ir::{
    Alloc, Base, Body, Call, Callee, Edge, Expr, ExprKind, FuncId, Function, HavocDst, LocalId, Op, Place, Ty, Var,
};
use pointsto::Query;

type FreshLocals = IndexVec<LocalId, bool>;

/// Whether each function is one.
pub(crate) fn fresh_returning(query: Query<'_>) -> IndexVec<FuncId, bool> {
    let program = query.program;
    let candidate = |(id, f): (FuncId, &Function)| {
        let plain = f.ret.is_some_and(|r| !query.in_memory(id, Var::Local(r)) && r.index() >= f.n_params);
        f.body.is_some() && f.ret_ty() == Some(Ty::Ptr) && plain
    };
    let mut fresh_returning: IndexVec<FuncId, bool> = program.functions.iter_enumerated().map(candidate).collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (id, f) in program.functions.iter_enumerated() {
            if fresh_returning[id] && !returns_fresh(query, id, f, &fresh_returning) {
                fresh_returning[id] = false;
                changed = true;
            }
        }
    }
    fresh_returning
}

fn returns_fresh(query: Query<'_>, id: FuncId, f: &Function, fresh_returning: &IndexVec<FuncId, bool>) -> bool {
    let (Some(ret), Some(body)) = (f.ret, &f.body) else { return false };
    let plain = |(l, local): (LocalId, &ir::Local)| {
        let pointer = local.shape.scalar() == Some(Ty::Ptr);
        pointer && l.index() >= f.n_params && !query.in_memory(id, Var::Local(l))
    };
    let mut fresh: FreshLocals = f.locals.iter_enumerated().map(plain).collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for edge in &body.edges {
            if let Some((local, fits)) = given(edge, ret, &fresh, fresh_returning)
                && fresh[local]
                && !fits
            {
                fresh[local] = false;
                changed = true;
            }
        }
        if !changed {
            changed = drop_unset(body, ret, &mut fresh);
        }
    }
    fresh[ret]
}

/// The local that an edge gives a value, and whether that value fits.
fn given(
    edge: &Edge,
    ret: LocalId,
    fresh: &FreshLocals,
    fresh_returning: &IndexVec<FuncId, bool>,
) -> Option<(LocalId, bool)> {
    let local = |place: &Place| match place.addr.base {
        Base::Var(Var::Local(l)) => Some(l),
        _ => None,
    };
    let whole = |place: &Place| place.as_var().is_some() && place.ty == Ty::Ptr;
    match &edge.op {
        Op::Assign(place, e) => Some((local(place)?, whole(place) && fits(e, fresh))),
        Op::Havoc(HavocDst::Place(place), _) => Some((local(place)?, false)),
        Op::Begin(l) => Some((*l, false)),
        Op::Alloc(Alloc { dst, stack, .. }) => Some((local(dst)?, whole(dst) && !stack)),
        Op::Return(Some(e)) => Some((ret, fits(e, fresh))),
        Op::Call(Call { dst: Some(Var::Local(l)), callee, .. }) => {
            Some((*l, matches!(callee, Callee::Direct(g) if fresh_returning[*g])))
        }
        _ => None,
    }
}

fn fits(e: &Expr, fresh: &FreshLocals) -> bool {
    match &e.kind {
        ExprKind::Const(0) => e.ty == Ty::Ptr,
        ExprKind::Read(place) => matches!(place.as_var(), Some(Var::Local(l)) if fresh[l]),
        ExprKind::Convert(a) if e.ty == Ty::Ptr => (a.ty == Ty::Ptr && fits(a, fresh)) || a.as_const() == Some(0),
        ExprKind::Ite(_, a, b) => fits(a, fresh) && fits(b, fresh),
        _ => false,
    }
}

/// Removes fresh locals that may be read, or for the result returned, before they are given a value.
fn drop_unset(body: &Body, ret: LocalId, fresh: &mut FreshLocals) -> bool {
    // What may still be without a value at each location.
    let mut unset: IndexVec<ir::Loc, Option<Vec<bool>>> = IndexVec::filled(None, body.locations.len());
    unset[body.entry] = Some(fresh.iter().copied().collect());
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for edge in &body.edges {
            let (Some(before), Some(to)) = (unset[edge.from].clone(), edge.to) else { continue };
            let mut after = before;
            for l in written(edge, ret) {
                after[l.index()] = false;
            }
            match &mut unset[to] {
                None => {
                    unset[to] = Some(after);
                    changed = true;
                }
                Some(known) => {
                    for (k, a) in known.iter_mut().zip(after) {
                        changed |= a && !*k;
                        *k |= a;
                    }
                }
            }
        }
    }
    let mut dropped = false;
    let mut drop = |l: LocalId, fresh: &mut FreshLocals| dropped |= std::mem::replace(&mut fresh[l], false);
    for edge in &body.edges {
        let Some(before) = &unset[edge.from] else { continue };
        for l in read(edge).into_iter().filter(|l| before[l.index()]) {
            drop(l, fresh);
        }
    }
    if unset[body.exit].as_ref().is_some_and(|u| u[ret.index()]) {
        drop(ret, fresh);
    }
    dropped
}

fn written(edge: &Edge, ret: LocalId) -> Vec<LocalId> {
    match &edge.op {
        Op::Assign(place, _) | Op::Alloc(Alloc { dst: place, .. }) => match place.as_var() {
            Some(Var::Local(l)) => vec![l],
            _ => Vec::new(),
        },
        Op::Return(Some(_)) => vec![ret],
        Op::Call(Call { dst: Some(Var::Local(l)), .. }) => vec![*l],
        _ => Vec::new(),
    }
}

/// The locals that an edge reads.
fn read(edge: &Edge) -> Vec<LocalId> {
    struct Reads(Vec<LocalId>);
    impl Visitor for Reads {
        fn read(&mut self, place: &Place) {
            if let Some(Var::Local(l)) = place.as_var() {
                self.0.push(l);
            }
        }
    }
    let mut reads = Reads(Vec::new());
    walk_edge(edge, &mut reads);
    reads.0
}

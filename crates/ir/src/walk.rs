//! Walks over the parts of edges and expressions, so that an analysis names only the parts it cares about.
//!
//! Recursion here relies on the depth limit of expressions ([`crate::text::MAX_EXPR_DEPTH`]); only [`height`] may be
//! asked about an expression that was not validated yet.

use crate::syntax::*;

/// What an analysis wants to see. Every method is called before the parts of its argument are visited.
pub trait Visitor {
    /// An expression, at any depth.
    fn expr(&mut self, _expr: &Expr) {}
    /// A place that is read by an expression.
    fn read(&mut self, _place: &Place) {}
    /// A place that an operation writes.
    fn write(&mut self, _place: &Place) {}
    /// A variable that receives the result of a call.
    fn result(&mut self, _var: Var) {}
    /// An address: of a place that is read or written, or taken as a value.
    fn address(&mut self, _addr: &Address) {}
}

/// Visits the guards and the operation of an edge.
pub fn walk_edge(edge: &Edge, v: &mut impl Visitor) {
    for guard in &edge.guards {
        walk_expr(&guard.cond, v);
    }
    walk_op(&edge.op, v);
}

/// Visits all places and expressions of an operation.
pub fn walk_op(op: &Op, v: &mut impl Visitor) {
    match op {
        Op::Skip | Op::Error(_) | Op::Halt | Op::Unsupported(_) | Op::Return(None) => {}
        // That a local begins or ends is no mention of its value or address.
        Op::Begin(_) | Op::End(_) => {}
        Op::Assume(e) | Op::Free(e) | Op::Release(e) | Op::Return(Some(e)) => walk_expr(e, v),
        Op::Assign(place, e) => {
            walk_expr(e, v);
            walk_written(place, v);
        }
        Op::Havoc(HavocDst::Place(place), _) => walk_written(place, v),
        Op::Havoc(HavocDst::Range { dst, len }, _) => {
            walk_expr(dst, v);
            walk_expr(len, v);
        }
        Op::Alloc(a) => {
            walk_expr(&a.size, v);
            walk_written(&a.dst, v);
        }
        Op::SetRange { dst, value, len } => {
            walk_expr(dst, v);
            walk_expr(value, v);
            walk_expr(len, v);
        }
        Op::CopyRange { dst, src, len } => {
            walk_expr(dst, v);
            walk_expr(src, v);
            walk_expr(len, v);
        }
        Op::Call(call) => {
            if let Callee::Indirect(e) = &call.callee {
                walk_expr(e, v);
            }
            for arg in &call.args {
                walk_expr(arg, v);
            }
            if let Some(var) = call.dst {
                v.result(var);
            }
        }
    }
}

fn walk_written(place: &Place, v: &mut impl Visitor) {
    v.write(place);
    walk_address(&place.addr, v);
}

fn walk_address(addr: &Address, v: &mut impl Visitor) {
    v.address(addr);
    if let Base::Ptr(p) = &addr.base {
        walk_expr(p, v);
    }
    for index in &addr.indices {
        walk_expr(&index.value, v);
    }
}

/// Visits an expression and all its parts.
pub fn walk_expr(expr: &Expr, v: &mut impl Visitor) {
    v.expr(expr);
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Func(_) => {}
        ExprKind::Read(place) => {
            v.read(place);
            walk_address(&place.addr, v);
        }
        ExprKind::Addr(addr) => walk_address(addr, v),
        ExprKind::Unary(_, e) | ExprKind::Convert(e) | ExprKind::ObjectPredicate(_, e) | ExprKind::Entry(e) => {
            walk_expr(e, v);
        }
        ExprKind::Binary(_, a, b) => {
            walk_expr(a, v);
            walk_expr(b, v);
        }
        ExprKind::Ite(c, a, b) => {
            walk_expr(c, v);
            walk_expr(a, v);
            walk_expr(b, v);
        }
    }
}

/// The variables whose value or address an expression mentions, sorted, each once. Those inside
/// [`ExprKind::Entry`] count as well.
pub fn variables(expr: &Expr) -> Vec<Var> {
    struct Vars(Vec<Var>);
    impl Visitor for Vars {
        fn address(&mut self, addr: &Address) {
            if let Base::Var(v) = addr.base {
                self.0.push(v);
            }
        }
    }
    let mut vars = Vars(Vec::new());
    walk_expr(expr, &mut vars);
    vars.0.sort_unstable();
    vars.0.dedup();
    vars.0
}

/// Replaces reads of whole variables by what `f` gives for them (of the same type, or the variable stays). What stands
/// under [`ExprKind::Entry`] is about another state and stays, and so do addresses `&x`.
#[must_use]
pub fn substitute(expr: &Expr, f: &mut dyn FnMut(Var) -> Option<Expr>) -> Expr {
    let kind = match &expr.kind {
        ExprKind::Const(_) | ExprKind::Func(_) | ExprKind::Entry(_) => expr.kind.clone(),
        ExprKind::Read(place) => {
            if let Some(new) = place.as_var().and_then(&mut *f)
                && new.ty == expr.ty
            {
                return new;
            }
            let addr = substitute_in_address(&place.addr, f);
            ExprKind::Read(Place { addr, ty: place.ty, bits: place.bits, label: place.label.clone() })
        }
        ExprKind::Addr(addr) => ExprKind::Addr(substitute_in_address(addr, f)),
        ExprKind::Unary(op, e) => ExprKind::Unary(*op, Box::new(substitute(e, f))),
        ExprKind::Convert(e) => ExprKind::Convert(Box::new(substitute(e, f))),
        ExprKind::ObjectPredicate(predicate, e) => ExprKind::ObjectPredicate(*predicate, Box::new(substitute(e, f))),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, Box::new(substitute(a, f)), Box::new(substitute(b, f))),
        ExprKind::Ite(c, a, b) => {
            ExprKind::Ite(Box::new(substitute(c, f)), Box::new(substitute(a, f)), Box::new(substitute(b, f)))
        }
    };
    Expr { ty: expr.ty, kind }
}

/// [`substitute`] in the pointer and the indices of an address.
#[must_use]
pub(crate) fn substitute_in_address(addr: &Address, f: &mut dyn FnMut(Var) -> Option<Expr>) -> Address {
    Address {
        base: match &addr.base {
            Base::Var(v) => Base::Var(*v),
            Base::Ptr(p) => Base::Ptr(Box::new(substitute(p, f))),
        },
        offset: addr.offset,
        indices: addr.indices.iter().map(|i| Index { value: substitute(&i.value, f), stride: i.stride }).collect(),
    }
}

/// The height of the tree: 1 for a constant or a variable, one more than the highest part for all else. Uses no
/// recursion.
pub fn height(expr: &Expr) -> usize {
    let mut todo = vec![(expr, 1)];
    let mut max = 0;
    while let Some((e, h)) = todo.pop() {
        max = max.max(h);
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Func(_) => {}
            ExprKind::Read(Place { addr, .. }) | ExprKind::Addr(addr) => {
                if let Base::Ptr(p) = &addr.base {
                    todo.push((p, h + 1));
                }
                todo.extend(addr.indices.iter().map(|i| (&i.value, h + 1)));
            }
            ExprKind::Unary(_, e) | ExprKind::Convert(e) | ExprKind::ObjectPredicate(_, e) | ExprKind::Entry(e) => {
                todo.push((e, h + 1));
            }
            ExprKind::Binary(_, a, b) => todo.extend([(&**a, h + 1), (&**b, h + 1)]),
            ExprKind::Ite(c, a, b) => todo.extend([(&**c, h + 1), (&**a, h + 1), (&**b, h + 1)]),
        }
    }
    max
}

/// Whether an object predicate occurs in an expression.
pub fn mentions_object_predicate(e: &Expr) -> bool {
    let mut found = HasObjectPredicate(false);
    walk_expr(e, &mut found);
    found.0
}

/// Whether an object predicate occurs in an operation.
pub fn op_mentions_object_predicate(op: &Op) -> bool {
    let mut found = HasObjectPredicate(false);
    walk_op(op, &mut found);
    found.0
}

struct HasObjectPredicate(bool);

impl Visitor for HasObjectPredicate {
    fn expr(&mut self, e: &Expr) {
        // Whether a number fits an integer type is no question about an object.
        self.0 |= matches!(e.kind, ExprKind::ObjectPredicate(p, _) if !matches!(p, ObjectPredicate::FitsInt(_)));
    }
}

/// The expression with entry values taken for the values now: what it says of the state at entry.
pub fn without_entry(e: &Expr) -> Expr {
    without_entry_of(e, &|_| true)
}

/// The expression with the entry values of the variables that `kept` names taken for their values now.
pub fn without_entry_of(e: &Expr, kept: &dyn Fn(Var) -> bool) -> Expr {
    let again = |a: &Expr| Box::new(without_entry_of(a, kept));
    let kind = match &e.kind {
        ExprKind::Entry(a) if variables(a).into_iter().all(kept) => return without_entry_of(a, kept),
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, again(a)),
        ExprKind::Convert(a) => ExprKind::Convert(again(a)),
        ExprKind::ObjectPredicate(predicate, a) => ExprKind::ObjectPredicate(*predicate, again(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, again(a), again(b)),
        ExprKind::Ite(a, b, c) => ExprKind::Ite(again(a), again(b), again(c)),
        ExprKind::Read(place) => {
            ExprKind::Read(Place { addr: address_without_entry_of(&place.addr, kept), ..place.clone() })
        }
        ExprKind::Addr(addr) => ExprKind::Addr(address_without_entry_of(addr, kept)),
        ExprKind::Entry(_) | ExprKind::Const(_) | ExprKind::Func(_) => e.kind.clone(),
    };
    Expr { ty: e.ty, kind }
}

fn address_without_entry_of(addr: &Address, kept: &dyn Fn(Var) -> bool) -> Address {
    let base = match &addr.base {
        Base::Ptr(p) => Base::Ptr(Box::new(without_entry_of(p, kept))),
        Base::Var(v) => Base::Var(*v),
    };
    let index = |i: &Index| Index { value: without_entry_of(&i.value, kept), stride: i.stride };
    Address { base, offset: addr.offset, indices: addr.indices.iter().map(index).collect() }
}

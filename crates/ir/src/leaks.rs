//! Blocks of memory that are never freed, as ordinary errors: a counter of the live heap objects, which must be zero when the
//! program ends.
//!
//! The counter is exact in executions in which nothing but live heap objects is freed, and those are all that count: anything
//! else is [`Ub::BadFree`], which is checked for or assumed away. It has 64 bits and cannot wrap, because no memory
//! has room for so many objects.
//!
//! Must be done before [`crate::checks::expose`]: guards stay on the edges they were on.

use crate::cfg::{CallGraph, Graph};
use crate::syntax::*;
use base::Span;

/// The name of the counter; no name of C begins like that.
pub const COUNTER: &str = "$live";

/// What the target says that is reached when the entry function returns.
pub const AT_RETURN: &str = "every block of memory is freed when the program returns";

/// What the target says that is reached when the program is ended by a call.
pub const AT_END: &str = "every block of memory is freed when the program is ended";

/// Adds the counter and the targets, if the program allocates anything that counts. `counts` says which sites do.
///
/// Where the program cannot be followed (the entry function is called again, the result of an allocation does not go to a
/// variable), the edge becomes unsupported.
pub fn track(program: &mut Program, counts: &dyn Fn(&Site) -> bool) {
    let entered = CallGraph::new(program).reachable_from(program.entry);
    let sites = program.sites.clone();
    let is_heap = |op: &Op| matches!(op, Op::Alloc(a) if !a.stack && counts(&sites[a.site]));
    let bodies = program.functions.iter_enumerated().filter(|(f, _)| entered[*f]).filter_map(|(_, f)| f.body.as_ref());
    if !bodies.flat_map(|b| &b.edges).any(|e| is_heap(&e.op)) {
        return;
    }
    let recursive = CallGraph::new(program).is_recursive(program.entry);
    let entry = program.entry;
    let ty = Ty::int(64, false);
    let counter = program.globals.push(Global {
        name: COUNTER.to_string(),
        shape: Shape::Scalar(ty),
        init: Init::Zero,
        linkage: Linkage::Internal,
        exposure: Exposure::Hidden,
        constant: false,
        span: program.functions[entry].span,
    });
    let counter = Counter { var: Var::Global(counter), ty };
    for (func, function) in program.functions.iter_enumerated_mut() {
        let Some(body) = &mut function.body else { continue };
        let reachable = Graph::new(body).reachable;
        for e in body.edges.ids().collect::<Vec<_>>() {
            if !reachable[body.edges[e].from] {
                continue;
            }
            match body.edges[e].op.clone() {
                Op::Alloc(a) if is_heap(&Op::Alloc(a.clone())) => counter.count_up(body, e, &a),
                Op::Free(pointer) => counter.count_down(body, e, &pointer),
                Op::Return(_) if func == entry && recursive => {
                    unsupported(body, e, "memory that is not freed, where the entry function is called again");
                }
                Op::Return(_) if func == entry => counter.demand_zero(body, e, AT_RETURN),
                Op::Halt => counter.demand_zero(body, e, AT_END),
                _ => {}
            }
        }
    }
}

struct Counter {
    var: Var,
    ty: Ty,
}

impl Counter {
    fn value(&self) -> Expr {
        Expr::var(self.var, self.ty)
    }

    fn add(&self, n: i128) -> Op {
        let value = Expr::binary(BinOp::Add, self.value(), Expr::int(self.ty, n));
        Op::Assign(Place::var(self.var, self.ty), value)
    }

    /// Behind an allocation: one more, if it gave an object.
    fn count_up(&self, body: &mut Body, e: EdgeId, alloc: &Alloc) {
        let Some(var) = alloc.dst.as_var() else {
            return unsupported(
                body,
                e,
                "an allocation whose result does not go to a variable, where leaks are looked for",
            );
        };
        let (span, to) = (body.edges[e].span, body.edges[e].to.expect("an allocation goes on"));
        let made = location(body, span);
        body.edges[e].to = Some(made);
        let given = Expr::binary(BinOp::Ne, Expr::var(var, Ty::Ptr), Expr::null());
        self.if_then(body, span, made, given, self.add(1), to);
    }

    /// Before a block is freed: one less, if it is one.
    fn count_down(&self, body: &mut Body, e: EdgeId, pointer: &Expr) {
        let (span, from) = (body.edges[e].span, body.edges[e].from);
        let free = location(body, span);
        body.edges[e].from = free;
        let given = Expr::binary(BinOp::Ne, pointer.clone(), Expr::null());
        self.if_then(body, span, from, given, self.add(-1), free);
    }

    /// Before the run ends: nothing is left.
    fn demand_zero(&self, body: &mut Body, e: EdgeId, says: &str) {
        let (span, from) = (body.edges[e].span, body.edges[e].from);
        let (ends, fails) = (location(body, span), location(body, span));
        body.edges[e].from = ends;
        let zero = Expr::binary(BinOp::Eq, self.value(), Expr::int(self.ty, 0));
        edge(body, span, from, Some(ends), Op::Assume(zero.clone()));
        edge(body, span, from, Some(fails), Op::Assume(zero.negate()));
        edge(body, span, fails, None, Op::Error(ErrorKind::Assert(says.to_string())));
    }

    /// From one location to another, with `op` on the way if the condition holds.
    fn if_then(&self, body: &mut Body, span: Span, from: Loc, condition: Expr, op: Op, to: Loc) {
        let yes = location(body, span);
        edge(body, span, from, Some(yes), Op::Assume(condition.clone()));
        edge(body, span, from, Some(to), Op::Assume(condition.negate()));
        edge(body, span, yes, Some(to), op);
    }
}

fn location(body: &mut Body, span: Span) -> Loc {
    body.locations.push(Location { label: None, span })
}

fn edge(body: &mut Body, span: Span, from: Loc, to: Option<Loc>, op: Op) {
    body.edges.push(Edge { from, to, guards: Vec::new(), op, span });
}

fn unsupported(body: &mut Body, e: EdgeId, why: &str) {
    body.edges[e].op = Op::Unsupported(why.to_string());
    body.edges[e].to = None;
    body.edges[e].guards.clear();
}

/// Whether every location that a run may come to leads, as far as the graph tells, to an end of the run or of its function. Of
/// a program without endless loops, what is not lost when it ends was never lost.
pub fn can_always_end(program: &Program) -> bool {
    let entered = CallGraph::new(program).reachable_from(program.entry);
    program.functions.iter_enumerated().filter(|(f, _)| entered[*f]).filter_map(|(_, f)| f.body.as_ref()).all(|body| {
        let graph = Graph::new(body);
        let mut ends = base::IndexVec::filled(false, body.locations.len());
        let mut todo: Vec<Loc> = vec![body.exit];
        todo.extend(body.edges.iter().filter(|e| e.to.is_none()).map(|e| e.from));
        while let Some(loc) = todo.pop() {
            if !std::mem::replace(&mut ends[loc], true) {
                todo.extend(graph.into[loc].iter().map(|e| body.edges[*e].from));
            }
        }
        body.locations.ids().all(|loc| ends[loc] || !graph.reachable[loc])
    })
}

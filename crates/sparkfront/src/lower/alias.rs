//! What only the whole program shows: functions that change something, and globals that are passed to a subprogram which
//! uses them by their own name too (SPARK RM 6.4.2). Both are refused: they are what makes passing by copy and by
//! reference different, and the order of evaluation matter.

use base::{Diagnostic, IndexVec, Span};
use ir::{Address, Base, Callee, Expr, ExprKind, FuncId, GlobalId, HavocDst, Op, Place, Program, Var};
use std::collections::BTreeSet;

/// Globals that a function reads or writes, itself or by calls.
#[derive(Clone, Default, PartialEq)]
struct Uses {
    reads: BTreeSet<GlobalId>,
    writes: BTreeSet<GlobalId>,
}

pub(super) fn check(
    program: &Program,
    passed: &[(FuncId, GlobalId, Span)],
    pure: &[(FuncId, Span)],
    outers: &[(FuncId, Span)],
) -> Result<(), Vec<Diagnostic>> {
    let (uses, called) = uses(program);
    let mut errors = Vec::new();
    for (func, span) in outers {
        if called[*func].contains(func) {
            let message = "a recursive subprogram with others in it is not in the subset of SPARK that is supported";
            errors.push(Diagnostic::error("unsupported", *span, message));
        }
    }
    for (func, span) in pure {
        // What a function declares for the subprograms in it is its own.
        let own = format!("{}.", program.functions[*func].name);
        let foreign = |g: &GlobalId| !is_slot(program, *g) && !program.globals[*g].name.starts_with(&own);
        if let Some(&g) = uses[*func].writes.iter().find(|g| foreign(g)) {
            let message =
                format!("this function changes `{}`: functions have no side effects", program.globals[g].name);
            errors.push(Diagnostic::error("side-effect", *span, message));
        }
    }
    for (callee, global, span) in passed {
        let used = &uses[*callee];
        if used.reads.contains(global) || used.writes.contains(global) {
            let name = &program.globals[*global].name;
            let callee = &program.functions[*callee].name;
            let message = format!("`{callee}` also uses `{name}` by its own name: aliases are refused");
            errors.push(Diagnostic::error("alias", *span, message));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The variables through which parameters go out are not the program's.
fn is_slot(program: &Program, g: GlobalId) -> bool {
    program.globals[g].name.ends_with("'out")
}

/// What functions use, and which they call, directly or not.
fn uses(program: &Program) -> (IndexVec<FuncId, Uses>, IndexVec<FuncId, BTreeSet<FuncId>>) {
    let mut all: IndexVec<FuncId, Uses> = program.functions.iter().map(|_| Uses::default()).collect();
    let mut calls: IndexVec<FuncId, BTreeSet<FuncId>> = program.functions.iter().map(|_| BTreeSet::new()).collect();
    for (f, function) in program.functions.iter_enumerated() {
        for edge in function.body.iter().flat_map(|b| &b.edges) {
            of_op(&edge.op, &mut all[f], &mut calls[f]);
        }
    }
    loop {
        let before = (all.clone(), calls.clone());
        for f in program.functions.ids() {
            for callee in calls[f].clone() {
                let Uses { reads, writes } = all[callee].clone();
                all[f].reads.extend(reads);
                all[f].writes.extend(writes);
                let further = calls[callee].clone();
                calls[f].extend(further);
            }
        }
        if (&all, &calls) == (&before.0, &before.1) {
            return (all, calls);
        }
    }
}

fn of_op(op: &Op, out: &mut Uses, calls: &mut BTreeSet<FuncId>) {
    match op {
        Op::Assume(e) => of_expr(e, out),
        Op::Assign(place, e) => {
            of_written(place, out);
            of_expr(e, out);
        }
        Op::Havoc(HavocDst::Place(place), _) => of_written(place, out),
        Op::Havoc(HavocDst::Range { dst, .. }, _) => of_written_address(dst, out),
        Op::CopyRange { dst, src, .. } => {
            of_written_address(dst, out);
            of_expr(src, out);
        }
        Op::Call(call) => {
            if let Callee::Direct(f) = call.callee {
                calls.insert(f);
            }
            // The address of a global is no use of it by name: that is what the callee does with it.
            for e in call.args.iter().filter(|e| !matches!(e.kind, ExprKind::Addr(_))) {
                of_expr(e, out);
            }
        }
        Op::Return(Some(e)) => of_expr(e, out),
        _ => {}
    }
}

fn of_written(place: &Place, out: &mut Uses) {
    if let Base::Var(Var::Global(g)) = place.addr.base {
        out.writes.insert(g);
    }
    of_address(&place.addr, out, false);
}

fn of_written_address(e: &Expr, out: &mut Uses) {
    if let ExprKind::Addr(Address { base: Base::Var(Var::Global(g)), .. }) = &e.kind {
        out.writes.insert(*g);
    }
    of_expr(e, out);
}

fn of_address(a: &Address, out: &mut Uses, read: bool) {
    match &a.base {
        Base::Var(Var::Global(g)) if read => _ = out.reads.insert(*g),
        Base::Var(_) => {}
        Base::Ptr(p) => of_expr(p, out),
    }
    a.indices.iter().for_each(|i| of_expr(&i.value, out));
}

fn of_expr(e: &Expr, out: &mut Uses) {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Func(_) => {}
        ExprKind::Read(place) => of_address(&place.addr, out, true),
        ExprKind::Addr(a) => of_address(a, out, true),
        ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectPredicate(_, a) | ExprKind::Entry(a) => {
            of_expr(a, out);
        }
        ExprKind::Binary(_, a, b) => {
            of_expr(a, out);
            of_expr(b, out);
        }
        ExprKind::Ite(a, b, c) => [a, b, c].into_iter().for_each(|e| of_expr(e, out)),
    }
}

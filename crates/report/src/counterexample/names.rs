//! What the source calls the things of the program.

use super::pointees;
use ir::{Base, Expr, ExprKind, FuncId, Place, Program, Shape, Var};

/// The name of a variable as the source has it; none for a temporary.
pub(super) fn variable(program: &Program, func: FuncId, var: Var) -> Option<&str> {
    let name = program.var_name(func, var);
    if name.starts_with(['$', '.']) {
        return None;
    }
    Some(match var {
        // A shadowing local is `x.2`, a static local `f.x`: no name of C contains a dot.
        Var::Local(_) => name.split('.').next().unwrap_or(name),
        Var::Global(_) => name.rsplit('.').next().unwrap_or(name),
    })
}

/// The name of a place as the source has it; none if it takes the state of a run to say it.
pub(super) fn place(program: &Program, func: FuncId, place: &Place) -> Option<String> {
    match (whole(program, func, place), &place.label.0) {
        (Some(var), _) => variable(program, func, var).map(str::to_string),
        (None, Some(label)) => Some(label.to_string()),
        (None, None) => pointees::part(program, func, place),
    }
}

/// The variable that a place is, all of it.
fn whole(program: &Program, func: FuncId, place: &Place) -> Option<Var> {
    place.as_var().filter(|var| matches!(program.shape(func, *var), Shape::Scalar(_)))
}

/// Whether a place may have a name in some state of a run: it is none of the program's own variables.
pub(super) fn may_have(program: &Program, func: FuncId, place: &Place) -> bool {
    match &place.addr.base {
        Base::Var(var) => variable(program, func, *var).is_some(),
        Base::Ptr(_) => true,
    }
}

/// The places that an expression reads and the source has a name for, each once, in order.
pub(super) fn reads<'e>(program: &Program, func: FuncId, expr: &'e Expr) -> Vec<(String, &'e Place)> {
    let mut found: Vec<(String, &Place)> = Vec::new();
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        match &expr.kind {
            ExprKind::Read(p) => {
                if let Some(name) = place(program, func, p)
                    && found.iter().all(|(n, _)| *n != name)
                {
                    found.push((name, p));
                }
            }
            ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectPredicate(_, a) | ExprKind::Entry(a) => {
                todo.push(a);
            }
            ExprKind::Binary(_, a, b) => todo.extend([&**b, &**a]),
            ExprKind::Ite(a, b, c) => todo.extend([&**c, &**b, &**a]),
            ExprKind::Const(_) | ExprKind::Addr(_) | ExprKind::Func(_) => {}
        }
    }
    found
}

//! Calls through pointers become branches over the functions that they can reach.
//!
//! A call through a pointer runs a function whose address the program takes and whose parameters and result fit the call,
//! or it is [`Ub::BadCall`]. So the call is a branch: for each such function, "the pointer is its address", then a call by
//! name. Nothing else is needed of whoever looks at calls. A null pointer ends the run. What the pointer may be besides leads to an
//! unsupported edge: a run meets the undefined behaviour before it gets there, a proof has to show that it is not reached. So nobody
//! has to trust whoever says that only some of the functions need a branch, and a pointer that nothing was stored in needs none.

use crate::cfg::AddressTaken;
use crate::syntax::*;
use std::collections::BTreeMap;

/// Makes branches of all calls through pointers: over the functions that fit and that `found` has for the call, if it has the call,
/// or otherwise over all that fit. The guards of a call stand on each branch. Ids of edges and locations stay what they are; new
/// ones come after them.
pub fn resolve(program: &mut Program, found: &BTreeMap<(FuncId, EdgeId), Vec<FuncId>>) {
    let taken = AddressTaken::new(program);
    let signatures: Vec<(FuncId, Signature)> = program
        .functions
        .iter_enumerated()
        .filter(|(f, _)| taken.functions[*f])
        .map(|(id, f)| (id, Signature::of(f)))
        .collect();
    for func in program.functions.ids() {
        let Some(body) = &program.functions[func].body else { continue };
        let calls: Vec<(EdgeId, Vec<FuncId>)> = body
            .edges
            .iter_enumerated()
            .filter_map(|(id, edge)| match &edge.op {
                Op::Call(call @ Call { callee: Callee::Indirect(pointer), .. }) => {
                    let result = call.dst.map(|dst| program.shape(func, dst).scalar());
                    let fits = signatures.iter().filter(|(_, s)| s.fits(call, result)).map(|&(f, _)| f);
                    if let Some(found) = found.get(&(func, id)) {
                        return Some((id, fits.filter(|f| found.contains(f)).collect()));
                    }
                    let (fits, given) = (fits.collect::<Vec<_>>(), given(&taken, func, body, pointer));
                    let likely: Vec<FuncId> = fits.iter().copied().filter(|f| given.contains(f)).collect();
                    Some((id, if likely.is_empty() { fits } else { likely }))
                }
                _ => None,
            })
            .collect();
        let body = program.functions[func].body.as_mut().expect("looked at above");
        for (id, targets) in calls {
            branch(body, id, &targets);
        }
    }
}

/// What the pointer of a call may be besides the functions it can reach.
const UNKNOWN_TARGET: &str = "a call through a pointer to a function that is not known";

/// Whether an operation stands for a construct that could not be followed. (What remains of a call through a pointer is an
/// unsupported edge too, but no run gets there.)
pub fn is_unsupported_construct(op: &Op) -> bool {
    matches!(op, Op::Unsupported(why) if why != UNKNOWN_TARGET)
}

/// What a function takes and gives.
struct Signature {
    params: Vec<Option<Ty>>,
    variadic: bool,
    result: Option<Ty>,
}

impl Signature {
    fn of(f: &Function) -> Signature {
        let params = f.params().map(|p| f.locals[p].shape.scalar()).collect();
        Signature { params, variadic: f.variadic, result: f.ret_ty() }
    }

    /// Whether a call whose result goes to a variable of type `result` (if anywhere) may run such a function.
    fn fits(&self, call: &Call, result: Option<Option<Ty>>) -> bool {
        let n = self.params.len();
        let arity = call.args.len() == n || (self.variadic && call.args.len() > n);
        let types = self.params.iter().zip(&call.args).all(|(p, a)| *p == Some(a.ty));
        arity && types && result.is_none_or(|r| r.is_some() && r == self.result)
    }
}

/// The functions whose addresses a local is given, if it is given nothing else. (That is a guess about which branches are
/// worth having, not a promise: the pointer may still be something else, which is a branch of its own.)
fn given(taken: &AddressTaken, func: FuncId, body: &Body, pointer: &Expr) -> Vec<FuncId> {
    let ExprKind::Read(place) = &pointer.kind else { return Vec::new() };
    let Some(var @ Var::Local(_)) = place.as_var().filter(|&v| !taken.is_taken(func, v)) else { return Vec::new() };
    let mut functions = Vec::new();
    for edge in &body.edges {
        match &edge.op {
            Op::Assign(to, Expr { kind: ExprKind::Func(f), .. }) if to.as_var() == Some(var) => functions.push(*f),
            Op::Assign(to, _) | Op::Havoc(HavocDst::Place(to), _) if to.as_var() == Some(var) => return Vec::new(),
            Op::Call(Call { dst, .. }) if *dst == Some(var) => return Vec::new(),
            _ => {}
        }
    }
    functions
}

/// Replaces a call by branches over its targets, and one for what the pointer may be besides.
fn branch(body: &mut Body, id: EdgeId, targets: &[FuncId]) {
    let edge = body.edges[id].clone();
    let Op::Call(call) = &edge.op else { return };
    let Callee::Indirect(pointer) = &call.callee else { return };
    for (i, &target) in targets.iter().enumerate() {
        let reached = body.locations.push(Location { label: None, span: edge.span });
        let condition = Expr::binary(BinOp::Eq, pointer.clone(), Expr::func(target));
        let test = Edge { to: Some(reached), op: Op::Assume(condition), ..edge.clone() };
        if i == 0 {
            body.edges[id] = test;
        } else {
            body.edges.push(test);
        }
        let by_name = Call { callee: Callee::Direct(target), ..call.clone() };
        body.edges.push(Edge { from: reached, guards: Vec::new(), op: Op::Call(by_name), ..edge.clone() });
    }
    let differs = |&f: &FuncId| Expr::binary(BinOp::Ne, pointer.clone(), Expr::func(f));
    let none = targets.iter().map(differs).reduce(|a, b| Expr::binary(BinOp::And, a, b));
    // No function lies there, so these two and the branches above are all there is, each for itself.
    let is_null = Expr::binary(BinOp::Eq, pointer.clone(), Expr::null());
    let other = is_null.clone().negate();
    let other = none.map_or(other.clone(), |none| Expr::binary(BinOp::And, none, other));
    for (i, (condition, op)) in
        [(is_null, Op::Halt), (other, Op::Unsupported(UNKNOWN_TARGET.to_owned()))].into_iter().enumerate()
    {
        let end = body.locations.push(Location { label: None, span: edge.span });
        let test = Edge { to: Some(end), op: Op::Assume(condition), ..edge.clone() };
        if i == 0 && targets.is_empty() {
            body.edges[id] = test;
        } else {
            body.edges.push(test);
        }
        body.edges.push(Edge { from: end, to: None, guards: Vec::new(), op, ..edge.clone() });
    }
}

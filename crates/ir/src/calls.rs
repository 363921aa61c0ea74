//! Calls through pointers become branches over the functions that they can reach.
//!
//! A call through a pointer runs a function whose address the program takes and whose parameters and result fit the call,
//! or one of the outside, or it is [`Ub::BadCall`]. So the call is a branch:
//!
//! ```text
//! for each function f of the program that fits:   assume p == &f;   call f(…)
//! the pointer is null:                            assume p == null; halt
//! the outside, if the pointer may come from there: [bad-call: foreign(p)] assume p is none of these; call `.foreign(…)`(…)
//! what is left:                                   assume …;         unsupported
//! ```
//!
//! Nothing else is needed of whoever looks at calls.
//!
//! **A function of the outside** is represented by a function without a body that takes and gives what the call has
//! ([`is_foreign`]), and does what all such functions do under the program's [`Externs`]. The guard says when this branch counts: a run
//! goes there only with an address that the outside gave and at which nothing of the program lies ([`ObjectPredicate::Foreign`]); with
//! one of data, of a function that does not fit, or one made by the program of a number it ends in the event. A proof builds on no
//! more than the conditions: it covers the branch for every address that is none of the others.
//! So no address is that of a function of the program in one branch and of the outside in another. A function that gcc would run and C
//! would not, because only signs of numbers differ, is left to the last branch. Whoever makes the call must allow this branch by
//! naming `foreign(p)` in its guard: only then the arguments are all that a function of the outside gets, and the result all that it gives.
//!
//! **What is left** leads to an unsupported edge: a run meets the undefined behaviour before it gets there, a proof has to show that
//! it is not reached. So nobody has to trust whoever says that only some of the functions need a branch, or that a pointer does not come from
//! outside.

use crate::cfg::AddressTaken;
use crate::syntax::*;
use base::sabotage::{self, Fault};
use base::{Id, IndexVec, Span};
use std::collections::BTreeMap;

/// What is known of the pointer of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// It can be one of these functions.
    OneOf(Vec<FuncId>),
    /// It may come from outside.
    FromOutside,
}

/// Makes branches of all calls through pointers: over the functions that fit and that `found` has for the call, if it has the call,
/// or otherwise over all that fit. The guards of a call stand on each branch. Ids of edges and locations stay what they are; new
/// ones come after them.
pub fn resolve(program: &mut Program, found: &BTreeMap<(FuncId, EdgeId), Pointer>) {
    let taken = AddressTaken::new(program);
    let signatures: Vec<(FuncId, Signature)> = program
        .functions
        .iter_enumerated()
        .filter(|(f, _)| taken.functions[*f])
        .map(|(id, f)| (id, Signature::of(f)))
        .collect();
    let errno = program.globals.iter_enumerated().find(|(_, g)| g.name == ERRNO).map(|(id, _)| id);
    let mut foreign = BTreeMap::new();
    for func in program.functions.ids() {
        let Some(body) = &program.functions[func].body else { continue };
        let mut calls = Vec::new();
        for (id, edge) in body.edges.iter_enumerated() {
            let Op::Call(call @ Call { callee: Callee::Indirect(pointer), .. }) = &edge.op else { continue };
            let result = call.dst.map(|dst| program.shape(func, dst).scalar());
            let fits = signatures.iter().filter(|(_, s)| s.fits(call, result)).map(|&(f, _)| f);
            let numbers = is_made_of_numbers(&taken, func, &program.functions[func], pointer);
            let allowed = !numbers && edge.guards.iter().any(|g| names_foreign(&g.cond));
            let (functions, outside) = match found.get(&(func, id)) {
                Some(Pointer::OneOf(found)) => (fits.filter(|f| found.contains(f)).collect(), false),
                Some(Pointer::FromOutside) => (fits.collect(), allowed),
                None => {
                    let (fits, given) = (fits.collect::<Vec<_>>(), given(&taken, func, body, pointer));
                    let likely: Vec<FuncId> = fits.iter().copied().filter(|f| given.contains(f)).collect();
                    if likely.is_empty() { (fits, allowed) } else { (likely, false) }
                }
            };
            let near = signatures.iter().filter(|(f, s)| !functions.contains(f) && s.nearly_fits(call, result));
            let near = if outside { near.map(|&(f, _)| f).collect() } else { Vec::new() };
            let outside = outside.then(|| (call.args.iter().map(|a| a.ty).collect::<Vec<_>>(), result.flatten()));
            calls.push((id, functions, near, outside));
        }
        for (id, functions, near, outside) in calls {
            let outside = outside.map(|(params, result)| {
                let name = name_of(&params, result);
                let make =
                    || program.functions.push(stands_for_outside(&name, &params, result, program.functions[func].span));
                let function = *foreign.entry(name.clone()).or_insert_with(make);
                Outside { function, near, errno: errno.filter(|_| program.externs != Externs::Pure) }
            });
            let errno_ty = errno.and_then(|g| program.globals[g].shape.scalar());
            let body = program.functions[func].body.as_mut().expect("looked at above");
            branch(body, id, &functions, outside.as_ref(), errno_ty);
        }
    }
}

/// What begins the names of the functions that stand for those of the outside.
const FOREIGN: &str = ".foreign(";

/// What people read for such a function.
pub const FUNCTION_OF_THE_OUTSIDE: &str = "function of the outside";

/// What `errno` means.
const ERRNO: &str = ".errno";

/// Whether a function stands for those of the outside to which pointers lead.
pub fn is_foreign(f: &Function) -> bool {
    f.body.is_none() && f.name.starts_with(FOREIGN)
}

fn name_of(params: &[Ty], result: Option<Ty>) -> String {
    let params: Vec<String> = params.iter().map(Ty::to_string).collect();
    let result = result.map_or_else(String::new, |ty| format!(" -> {ty}"));
    format!("{FOREIGN}{}){result}", params.join(", "))
}

/// A function without a body with these parameters and this result.
fn stands_for_outside(name: &str, params: &[Ty], result: Option<Ty>, span: Span) -> Function {
    let local = |name: String, ty| Local { name, shape: Shape::Scalar(ty), constant: false, span };
    let mut locals: IndexVec<LocalId, Local> =
        params.iter().enumerate().map(|(i, &ty)| local(format!("$p{i}"), ty)).collect();
    let ret = result.map(|ty| locals.push(local("$result".to_owned(), ty)));
    let (name, n_params) = (name.to_owned(), params.len());
    Function { name, linkage: Linkage::External, n_params, variadic: false, locals, ret, body: None, span }
}

/// Whether a condition names `foreign(p)`.
fn names_foreign(cond: &Expr) -> bool {
    match &cond.kind {
        ExprKind::ObjectPredicate(predicate, _) => *predicate == ObjectPredicate::Foreign,
        ExprKind::Binary(BinOp::Or, a, b) => names_foreign(a) || names_foreign(b),
        _ => false,
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

    /// Whether it would fit if numbers of the same width were the same, whatever their signs.
    fn nearly_fits(&self, call: &Call, result: Option<Option<Ty>>) -> bool {
        let like = |a: Option<Ty>, b: Option<Ty>| match (a, b) {
            (Some(Ty::Int(a)), Some(Ty::Int(b))) => a.width == b.width,
            (a, b) => a == b,
        };
        let types = self.params.iter().zip(&call.args).all(|(p, a)| like(*p, Some(a.ty)));
        self.params.len() == call.args.len() && types && result.is_none_or(|r| like(r, self.result))
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

/// Whether a pointer is made of numbers by the program, as far as one can see: then it is none from outside.
fn is_made_of_numbers(taken: &AddressTaken, func: FuncId, function: &Function, pointer: &Expr) -> bool {
    let number = |e: &Expr| match &e.kind {
        ExprKind::Const(_) => true,
        ExprKind::Convert(a) => a.ty != Ty::Ptr,
        _ => false,
    };
    let ExprKind::Read(place) = &pointer.kind else { return number(pointer) };
    let Some(var @ Var::Local(local)) = place.as_var().filter(|&v| !taken.is_taken(func, v)) else { return false };
    let mut made = local.index() >= function.n_params;
    for edge in function.body.iter().flat_map(|b| &b.edges) {
        match &edge.op {
            Op::Assign(to, value) if to.as_var() == Some(var) => made &= number(value),
            Op::Havoc(HavocDst::Place(to), _) if to.as_var() == Some(var) => return false,
            Op::Call(Call { dst, .. }) if *dst == Some(var) => return false,
            _ => {}
        }
    }
    made
}

/// The branch for functions of the outside.
struct Outside {
    function: FuncId,
    /// Functions of the program that would fit but for signs.
    near: Vec<FuncId>,
    /// What such a function may set.
    errno: Option<GlobalId>,
}

/// Replaces a call by branches over its targets, one for functions of the outside, and one for what the pointer may be besides.
fn branch(body: &mut Body, id: EdgeId, targets: &[FuncId], outside: Option<&Outside>, errno: Option<Ty>) {
    let edge = body.edges[id].clone();
    let Op::Call(call) = &edge.op else { return };
    let Callee::Indirect(pointer) = &call.callee else { return };
    let span = edge.span;
    let mut first = true;
    // A way from the call under a condition.
    let mut way = |body: &mut Body, guards: Vec<Guard>, condition: Expr| -> Loc {
        let reached = body.locations.push(Location { label: None, span });
        let test = Edge { from: edge.from, to: Some(reached), guards, op: Op::Assume(condition), span };
        if std::mem::take(&mut first) {
            body.edges[id] = test;
        } else {
            body.edges.push(test);
        }
        reached
    };
    let step = |from, to, op| Edge { from, to, guards: Vec::new(), op, span };
    let is = |&f: &FuncId| Expr::binary(BinOp::Eq, pointer.clone(), Expr::func(f));
    let differs = |&f: &FuncId| Expr::binary(BinOp::Ne, pointer.clone(), Expr::func(f));
    let both = |a, b| Expr::binary(BinOp::And, a, b);
    for target in targets {
        let reached = way(body, edge.guards.clone(), is(target));
        let by_name = Call { callee: Callee::Direct(*target), ..call.clone() };
        body.edges.push(step(reached, edge.to, Op::Call(by_name)));
    }
    // No function lies there, so these two and the branches above are all there is, each for itself.
    let is_null = Expr::binary(BinOp::Eq, pointer.clone(), Expr::null());
    let end = way(body, edge.guards.clone(), is_null.clone());
    body.edges.push(step(end, None, Op::Halt));
    let near = outside.map_or(&[][..], |o| &o.near);
    let none = targets.iter().chain(near).map(differs).reduce(both);
    let other = is_null.negate();
    let other = none.map_or(other.clone(), |none| both(none, other));
    let Some(outside) = outside else {
        let end = way(body, edge.guards.clone(), other);
        body.edges.push(step(end, None, Op::Unsupported(UNKNOWN_TARGET.to_owned())));
        return;
    };
    let mut guards = edge.guards.clone();
    for guard in guards.iter_mut().filter(|g| names_foreign(&g.cond)) {
        let foreign = ExprKind::ObjectPredicate(ObjectPredicate::Foreign, Box::new(pointer.clone()));
        guard.cond = Expr { ty: Ty::Bool, kind: foreign };
    }
    let reached = way(body, guards, other);
    let mut call = Call { callee: Callee::Direct(outside.function), ..call.clone() };
    if sabotage::active(Fault::ForeignCallsTouchNothing) {
        call.args.iter_mut().filter(|a| a.ty == Ty::Ptr).for_each(|a| *a = Expr::null());
    }
    let errno = outside.errno.zip(errno);
    let done = errno.map(|_| body.locations.push(Location { label: None, span }));
    body.edges.push(step(reached, done.or(edge.to), Op::Call(call)));
    if let (Some(done), Some((errno, ty))) = (done, errno) {
        let place = Place::var(Var::Global(errno), ty);
        let op = Op::Havoc(HavocDst::Place(place), Source::Outside("errno".to_owned()));
        body.edges.push(step(done, edge.to, op));
    }
    if let Some(near) = near.iter().map(is).reduce(|a, b| Expr::binary(BinOp::Or, a, b)) {
        let end = way(body, edge.guards.clone(), near);
        body.edges.push(step(end, None, Op::Unsupported(UNKNOWN_TARGET.to_owned())));
    }
}

//! Call-backs: what undefined functions do with the functions of the program that they know.
//!
//! An undefined function that gets to know a function of the program may call it, any number of times, with any arguments
//! that it can have. That is said by ordinary operations, so that no other stage has to know of it. The call
//! `r := call f(a)` becomes
//!
//! ```text
//! t := a
//! again:  choice := havoc outside "call-back by f"
//!         if choice == 0 (and f knows g):  call f(t); x := havoc outside …; y := call g(x); give y away; goto again
//!         otherwise:  r := call f(t)
//! ```
//!
//! A call-back that ends in a jump ([`crate::jumps`]) ends `f` too: control goes on behind it, where the jump is asked for.
//!
//! The call of `f` inside the loop stands for what it does before it calls back; its result is dropped. Whatever the outside
//! can have - pointers into escaped objects too - is among the values of `x`. What `g` returns is known outside from then on: a
//! pointer is turned into a number, which is how the IR says that its object has escaped.
//!
//! **Which functions it may know** ([`Callbacks`]). One that is an argument of this call: the condition "an argument is its
//! address" is part of the branch. One whose address it can find in memory: such functions come from the analysis of
//! pointers ([`pointsto::Solution::functions`]), without a condition. With [`Callbacks::Later`] also one that was an argument of
//! an earlier call: a hidden global remembers that. The analysis is made of the program with the call-backs, until it finds
//! no more of them.

use base::sabotage::{self, Fault};
use base::{IndexVec, Span};
use ir::cfg::AddressTaken;
use ir::library::Library;
use ir::{
    BinOp, Body, Call, Callee, Edge, EdgeId, Expr, FuncId, Function, Global, GlobalId, Guard, HavocDst, Init, Linkage,
    Loc, Local, LocalId, Location, Op, Place, Program, Shape, Source, Ty, Var,
};
use pointsto::{Object, Query, Solution, Targets};
use std::collections::{BTreeMap, BTreeSet};

/// When undefined functions call the functions of the program that they know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Callbacks {
    /// Never.
    None,
    /// Only inside the call that gets the address, as an argument or in memory.
    #[default]
    During,
    /// Inside any call of an undefined function after that.
    Later,
    /// The same, and they call functions with external linkage by name: the outside knows those from the start.
    Named,
}

/// A call of an undefined function.
type Site = (FuncId, EdgeId);

/// How a function is called from outside.
struct Signature {
    /// The types of the parameters, or `None` if some of them are no plain values: then the call cannot be made from outside.
    params: Option<Vec<Ty>>,
    /// Whether it gives a pointer.
    gives_pointer: bool,
}

/// Which functions one call may call back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    /// If an argument is their address.
    arguments: BTreeSet<FuncId>,
    /// In any case.
    memory: BTreeSet<FuncId>,
}

/// What is known at each site, and what an argument of any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Plan {
    sites: BTreeMap<Site, Known>,
    given: BTreeSet<FuncId>,
}

/// Puts call-backs around the calls of undefined functions. Ids of edges and locations stay what they are.
pub(crate) fn add(program: &mut Program, mode: Callbacks) {
    if mode == Callbacks::None || sabotage::active(Fault::CallBacksForgotten) {
        return;
    }
    let candidates = candidates(program);
    let sites = sites(program);
    if candidates.is_empty() || sites.is_empty() {
        return;
    }
    let original = program.clone();
    let mut plan = Plan::default();
    loop {
        let next = find(&original, program, &sites, &candidates);
        if next == plan {
            return;
        }
        *program = original.clone();
        plan = next;
        put_in(program, &plan, mode);
    }
}

/// The calls of undefined functions.
fn sites(program: &Program) -> Vec<Site> {
    let undefined = |f: FuncId| {
        let callee = &program.functions[f];
        callee.body.is_none() && Library::of(callee).is_none()
    };
    let bodies = program.functions.iter_enumerated().filter_map(|(f, g)| Some((f, g.body.as_ref()?)));
    let edges = bodies.flat_map(|(f, body)| body.edges.iter_enumerated().map(move |(e, edge)| (f, e, edge)));
    let calls = edges.filter_map(|(f, e, edge)| match &edge.op {
        Op::Call(Call { callee: Callee::Direct(g), .. }) if undefined(*g) => Some((f, e)),
        // Nothing that the program takes the address of fits: there is no more to say about it here than there is elsewhere.
        _ => None,
    });
    calls.collect()
}

/// What undefined functions may know in `current`, which is `original` with call-backs.
fn find(original: &Program, current: &Program, sites: &[Site], candidates: &[FuncId]) -> Plan {
    let all: BTreeSet<FuncId> = candidates.iter().copied().collect();
    let taken = AddressTaken::new(current);
    let solution = pointsto::applies(current).then(|| pointsto::analyze(current, &taken));
    let query = solution.as_ref().map(|solution| Query { program: current, taken: &taken, solution });
    let memory = solution.as_ref().map_or_else(|| all.clone(), |s| all.intersection(&s.functions).copied().collect());
    let named = solution.as_ref().map_or_else(BTreeSet::new, |s| named_outside(current, s));
    let memory: BTreeSet<FuncId> = memory.union(&named).copied().filter(|f| all.contains(f)).collect();
    let mut plan = Plan::default();
    for &site in sites {
        let Op::Call(call) = &edge_of(original, site).op else { continue };
        // A pointer of unknown origin may be the address of any function.
        let may_be = |targets: &Targets, f: &FuncId| {
            targets.contains_key(&Object::Ext) || targets.contains_key(&Object::Func(*f))
        };
        let targets = |arg: &Expr| query.as_ref().map(|q| q.expr(site.0, arg));
        let passes = |f: &FuncId| {
            let mut pointers = call.args.iter().filter(|a| a.ty == Ty::Ptr);
            pointers.any(|a| targets(a).is_none_or(|t| may_be(&t, f)))
        };
        let arguments = all.iter().copied().filter(passes).collect::<BTreeSet<_>>();
        plan.given.extend(&arguments);
        plan.sites.insert(site, Known { arguments, memory: memory.clone() });
    }
    plan
}

/// The functions whose addresses are in globals at which the outside can look.
pub(crate) fn named_outside(program: &Program, solution: &Solution) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    for id in program.globals.ids().filter(|&g| program.read_outside(g)) {
        let slots = solution.contents.get(&Object::Global(id));
        let held = slots.into_iter().flat_map(BTreeMap::values).chain([&solution.globals[id]]);
        found.extend(held.flat_map(Targets::keys).filter_map(|object| match object {
            Object::Func(f) => Some(*f),
            _ => None,
        }));
    }
    found
}

/// The functions that some call hands to an undefined function.
pub(crate) fn given(program: &Program) -> BTreeSet<FuncId> {
    find(program, program, &sites(program), &candidates(program)).given
}

/// The functions of the program that can be called through pointers.
fn candidates(program: &Program) -> Vec<FuncId> {
    let taken = AddressTaken::new(program);
    let candidate = |f: &FuncId| taken.functions[*f] && program.functions[*f].body.is_some();
    program.functions.ids().filter(candidate).collect()
}

fn edge_of(program: &Program, (func, edge): Site) -> &Edge {
    program.edge(func, edge)
}

fn put_in(program: &mut Program, plan: &Plan, mode: Callbacks) {
    let mut given = BTreeMap::new();
    if mode >= Callbacks::Later {
        for &f in &plan.given {
            given.insert(f, program.globals.push(remembers(&program.functions[f])));
        }
    }
    let jump = program.global(crate::jumps::FRAME);
    for (&(func, edge), known) in &plan.sites {
        let mut functions: BTreeSet<FuncId> = known.arguments.union(&known.memory).copied().collect();
        functions.extend(given.keys());
        if functions.is_empty() {
            continue;
        }
        let signatures: BTreeMap<_, _> = functions.iter().map(|&f| (f, signature(&program.functions[f]))).collect();
        let Op::Call(Call { callee: Callee::Direct(callee), .. }) = edge_of(program, (func, edge)).op else { continue };
        let name = program.functions[callee].name.clone();
        let function = &mut program.functions[func];
        let body = function.body.as_mut().expect("a site lies in a body");
        let number = program.model.size_ty();
        let mut site = Put { body, locals: &mut function.locals, known, given: &given, name, number, jump };
        site.put(edge, &signatures);
    }
}

/// A hidden global: whether a function has been an argument of an undefined function.
fn remembers(f: &Function) -> Global {
    Global {
        name: format!(".given.{}", f.name),
        shape: Shape::Scalar(Ty::Bool),
        init: Init::Zero,
        linkage: Linkage::Internal,
        exposure: ir::Exposure::Hidden,
        constant: false,
        span: f.span,
    }
}

fn signature(f: &Function) -> Signature {
    let params = f.params().map(|p| {
        let local = &f.locals[p];
        // `$dst`, `$va`, `$s` for a structure, `$outer` for a variable of the enclosing function; `$p1` has no name.
        let unnamed = local.name.strip_prefix("$p").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
        local.shape.scalar().filter(|_| !local.name.starts_with('$') || unnamed)
    });
    let keeps = sabotage::active(Fault::CallBackResultsStay);
    Signature { params: params.collect(), gives_pointer: f.ret_ty() == Some(Ty::Ptr) && !keeps }
}

/// One call that gets its call-backs.
struct Put<'a> {
    body: &'a mut Body,
    locals: &'a mut IndexVec<LocalId, Local>,
    known: &'a Known,
    given: &'a BTreeMap<FuncId, GlobalId>,
    /// What is called.
    name: String,
    /// The integer type that holds a pointer.
    number: Ty,
    /// The hidden global that says whether a jump is on its way, if anything jumps.
    jump: Option<GlobalId>,
}

impl Put<'_> {
    fn put(&mut self, id: EdgeId, functions: &BTreeMap<FuncId, Signature>) {
        let edge = self.body.edges[id].clone();
        let Op::Call(call) = &edge.op else { return };
        let span = edge.span;
        // The edge itself begins: it keeps its guards and its id.
        let mut at = self.location(span);
        self.body.edges[id] = Edge { to: Some(at), op: Op::Skip, ..edge.clone() };
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(if arg.as_const().is_some() { arg.clone() } else { self.keep(&mut at, arg, span) });
        }
        self.remember(&mut at, &args, span);
        let choice = self.local("callback", Ty::int(32, false), span);
        let again = at;
        let source = Source::Outside(format!("call-back by {}", self.name));
        let chosen = self.location(span);
        self.step(again, chosen, Op::Havoc(HavocDst::Place(place(choice, Ty::int(32, false))), source.clone()), span);
        let mut none = Expr::bool(true);
        for (i, (&f, signature)) in functions.iter().enumerate() {
            let is = Expr::binary(BinOp::Eq, var(choice, Ty::int(32, false)), Expr::int(Ty::int(32, false), i as i128));
            let taken = match self.knows(f, &args) {
                Some(knows) => Expr::binary(BinOp::And, is, knows),
                None => is,
            };
            none = Expr::binary(BinOp::And, none, taken.clone().negate());
            let mut here = self.location(span);
            self.step(chosen, here, Op::Assume(taken), span);
            let before = Call { dst: None, callee: call.callee.clone(), args: args.clone() };
            self.go(&mut here, Op::Call(before), span);
            let back = self.unless_it_jumps(again, edge.to, span);
            self.call_back(here, back, f, signature, &source, span);
        }
        let done = self.location(span);
        self.step(chosen, done, Op::Assume(none), span);
        let last = Edge { from: done, guards: Vec::new(), op: Op::Call(Call { args, ..call.clone() }), ..edge.clone() };
        self.body.edges.push(last);
    }

    /// Where a call-back returns to: to `again`, but behind the call if it has ended in a jump.
    fn unless_it_jumps(&mut self, again: Loc, behind: Option<Loc>, span: Span) -> Loc {
        let (Some(jump), Some(behind)) = (self.jump, behind) else { return again };
        let ty = crate::jumps::NUMBER;
        let none = Expr::binary(BinOp::Eq, Expr::var(Var::Global(jump), ty), Expr::int(ty, 0));
        let back = self.location(span);
        self.step(back, again, Op::Assume(none.clone()), span);
        self.step(back, behind, Op::Assume(none.negate()), span);
        back
    }

    /// The call of one function, from `here` back to `again`.
    fn call_back(&mut self, mut here: Loc, again: Loc, f: FuncId, how: &Signature, why: &Source, span: Span) {
        let Some(params) = &how.params else {
            let op = Op::Unsupported("a call-back with structures or further arguments".to_owned());
            self.body.edges.push(Edge { from: here, to: None, guards: Vec::<Guard>::new(), op, span });
            return;
        };
        let mut args = Vec::new();
        for &ty in params {
            let arg = self.local("argument", ty, span);
            self.go(&mut here, Op::Havoc(HavocDst::Place(place(arg, ty)), why.clone()), span);
            args.push(var(arg, ty));
        }
        if !how.gives_pointer {
            self.step(here, again, Op::Call(Call { dst: None, callee: Callee::Direct(f), args }), span);
            return;
        }
        let given = self.local("given", Ty::Ptr, span);
        self.go(&mut here, Op::Call(Call { dst: Some(Var::Local(given)), callee: Callee::Direct(f), args }), span);
        let known = self.local("known", self.number, span);
        let number = Expr::convert(self.number, var(given, Ty::Ptr));
        self.step(here, again, Op::Assign(place(known, self.number), number), span);
    }

    /// The condition under which the function is known; `None` if it always is.
    fn knows(&self, f: FuncId, args: &[Expr]) -> Option<Expr> {
        if self.known.memory.contains(&f) {
            return None;
        }
        if let Some(&g) = self.given.get(&f) {
            return Some(Expr::var(Var::Global(g), Ty::Bool));
        }
        let mut is = Expr::bool(false);
        for arg in args.iter().filter(|a| a.ty == Ty::Ptr) {
            is = Expr::binary(BinOp::Or, is, Expr::binary(BinOp::Eq, arg.clone(), Expr::func(f)));
        }
        Some(is)
    }

    /// Sets the hidden globals of the functions that are arguments now.
    fn remember(&mut self, at: &mut Loc, args: &[Expr], span: Span) {
        let given: Vec<(FuncId, GlobalId)> = self.given.iter().map(|(&f, &g)| (f, g)).collect();
        for (f, g) in given.into_iter().filter(|(f, _)| self.known.arguments.contains(f)) {
            let global = Var::Global(g);
            let mut now = Expr::var(global, Ty::Bool);
            for arg in args.iter().filter(|a| a.ty == Ty::Ptr) {
                now = Expr::binary(BinOp::Or, now, Expr::binary(BinOp::Eq, arg.clone(), Expr::func(f)));
            }
            self.go(at, Op::Assign(Place::var(global, Ty::Bool), now), span);
        }
    }

    /// A value in a variable of its own: a call-back may change what it was computed from.
    fn keep(&mut self, at: &mut Loc, value: &Expr, span: Span) -> Expr {
        let local = self.local("kept", value.ty, span);
        self.go(at, Op::Assign(place(local, value.ty), value.clone()), span);
        var(local, value.ty)
    }

    fn local(&mut self, what: &str, ty: Ty, span: Span) -> LocalId {
        let name = format!("${what}{}", self.locals.len());
        self.locals.push(Local { name, shape: Shape::Scalar(ty), constant: false, span })
    }

    fn location(&mut self, span: Span) -> Loc {
        self.body.locations.push(Location { label: None, span })
    }

    /// A step to a new location, which becomes `at`.
    fn go(&mut self, at: &mut Loc, op: Op, span: Span) {
        let to = self.location(span);
        self.step(*at, to, op, span);
        *at = to;
    }

    fn step(&mut self, from: Loc, to: Loc, op: Op, span: Span) {
        self.body.edges.push(Edge { from, to: Some(to), guards: Vec::new(), op, span });
    }
}

fn place(local: LocalId, ty: Ty) -> Place {
    Place::var(Var::Local(local), ty)
}

fn var(local: LocalId, ty: Ty) -> Expr {
    Expr::var(Var::Local(local), ty)
}

//! One step of a program in logic, and the making and ending of activations.

use crate::state::{Entry, Frame, State};
use base::sabotage::{self, Fault};
use ir::{
    Call, Callee, Edge, EdgeId, Expr, ExprKind, Externs, FuncId, Global, GlobalId, HavocDst, Init, Linkage, Op,
    Program, Shape, Source, Ty, Ub, UbPolicy, Var,
};
use logic::{Store, Term};
use std::rc::Rc;

/// Turns IR into terms of one store. All states and terms it makes belong together.
pub struct Encoder<'p> {
    /// The program that is given meaning.
    pub program: &'p Program,
    /// Where the terms live.
    pub store: Store,
}

/// An operation that has no formula (yet): what it is, as a noun phrase. A question that meets one has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unmodelled(pub &'static str);

impl std::fmt::Display for Unmodelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is not modelled in logic", self.0)
    }
}

impl std::error::Error for Unmodelled {}

/// Why something was assumed on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The condition of an `assume`.
    Branch,
    /// The guard of an event that does not count.
    Guard(Ub),
}

/// Something that holds if the step was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// What holds.
    pub term: Term,
    /// Why.
    pub why: Why,
}

/// An arbitrary value that a step took from outside; its term is a fresh symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The value.
    pub term: Term,
    /// Its type.
    pub ty: Ty,
    /// What it is.
    pub kind: DrawKind,
}

/// What an arbitrary value is; together with the edge this names its entry on a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawKind {
    /// From [`Op::Havoc`], to this variable.
    Havoc(Source, Var),
    /// The result of a function without a body.
    ExternResult(FuncId),
    /// What a function without a body left in a global.
    ExternGlobal(FuncId, GlobalId),
    /// A parameter of the entry function, when the program starts.
    Argument(ir::LocalId),
    /// The start value of a global that is defined elsewhere.
    StartValue(GlobalId),
}

/// What a step assumed and drew, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// What holds if the step was taken.
    pub assumptions: Vec<Assumption>,
    /// What came from outside.
    pub draws: Vec<Draw>,
}

type Result<T> = std::result::Result<T, Unmodelled>;

impl<'p> Encoder<'p> {
    /// An encoder with an empty store.
    pub fn new(program: &'p Program) -> Encoder<'p> {
        Encoder { program, store: Store::new() }
    }

    /// A fresh value of type `ty`; the prefix is for people who read dumps.
    pub fn fresh(&mut self, prefix: &str, ty: Ty) -> Term {
        let sort = self.sort(ty);
        self.store.fresh(prefix, sort)
    }

    fn fresh_of_shape(&mut self, prefix: &str, shape: Shape) -> Option<Term> {
        shape.scalar().map(|ty| self.fresh(prefix, ty))
    }

    /// A state in which every scalar that `func` can name, and its value at entry, is an arbitrary value of its own.
    pub fn arbitrary(&mut self, func: FuncId) -> State {
        let program = self.program;
        let globals: Vec<_> = program.globals.iter().map(|g| self.fresh_of_shape(&g.name, g.shape)).collect();
        let now = self.activation(func, Rc::new(globals), |enc, l| enc.fresh_of_shape(&l.name, l.shape));
        let entry_globals: Vec<_> = program.globals.iter().map(|g| self.fresh_of_shape(&g.name, g.shape)).collect();
        let f = &program.functions[func];
        let params = f.params().map(|p| self.fresh_of_shape(&f.locals[p].name, f.locals[p].shape)).collect();
        let mut frame = (*now.frame).clone();
        frame.entry = Rc::new(Entry { globals: Rc::new(entry_globals), params });
        State { globals: now.globals, frame: Rc::new(frame) }
    }

    /// An arbitrary state of `func` whose globals are those of `shared`.
    pub fn arbitrary_in(&mut self, func: FuncId, shared: &State) -> State {
        let state = self.arbitrary(func);
        State { globals: shared.globals.clone(), frame: state.frame }
    }

    /// An activation of `func` that begins with these globals; `value` gives the locals.
    fn activation(
        &mut self,
        func: FuncId,
        globals: Rc<Vec<Option<Term>>>,
        mut value: impl FnMut(&mut Self, &ir::Local) -> Option<Term>,
    ) -> State {
        let f = &self.program.functions[func];
        let locals: Vec<_> = f.locals.iter().map(|l| value(self, l)).collect();
        let entry = Entry { globals: globals.clone(), params: locals[..f.n_params].to_vec() };
        State { globals, frame: Rc::new(Frame { func, locals, entry: Rc::new(entry), caller: None }) }
    }

    /// The state in which the program starts, and what it takes from outside: first the globals that are defined
    /// elsewhere, then the arguments of the entry function.
    pub fn initial(&mut self) -> (State, Effects) {
        let mut effects = Effects::default();
        let program = self.program;
        let globals = program
            .globals
            .iter_enumerated()
            .map(|(id, g)| g.shape.scalar().map(|ty| self.start_value(id, g, ty, &mut effects)))
            .collect();
        let state = self.activation(program.entry, Rc::new(globals), |enc, l| enc.fresh_of_shape(&l.name, l.shape));
        let f = &program.functions[program.entry];
        for p in f.params() {
            if let (Some(term), Some(ty)) = (state.get(Var::Local(p)), f.locals[p].shape.scalar()) {
                effects.draws.push(Draw { term, ty, kind: DrawKind::Argument(p) });
            }
        }
        (state, effects)
    }

    fn start_value(&mut self, id: GlobalId, g: &Global, ty: Ty, effects: &mut Effects) -> Term {
        match &g.init {
            Init::Zero => self.constant(ty, 0),
            Init::Values(items) => match items.last() {
                None => self.constant(ty, 0),
                Some(item) => match item.value.as_const() {
                    Some(c) if item.value.ty == ty && item.offset == 0 && item.bits.is_none() => self.constant(ty, c),
                    // An address: some value. Nothing can be written through it without meeting `Unmodelled`.
                    _ => self.fresh(&g.name, ty),
                },
            },
            Init::Unknown => {
                let term = self.fresh(&g.name, ty);
                effects.draws.push(Draw { term, ty, kind: DrawKind::StartValue(id) });
                term
            }
        }
    }

    /// Takes `state` across an edge of its function. Calls of functions with a body are not steps: [`enter`](Self::enter)
    /// them, or use a contract. The state is left as it was if there is no formula.
    pub fn step(&mut self, state: &mut State, edge: &Edge) -> Result<Effects> {
        let mut effects = self.guards(state, edge)?;
        match &edge.op {
            Op::Skip | Op::Error(_) | Op::Halt | Op::Unsupported(_) | Op::Return(None) => {}
            Op::Assume(cond) => {
                let term = self.eval(state, cond)?;
                if !sabotage::active(Fault::AssumeAddsNothing) {
                    effects.assumptions.push(Assumption { term, why: Why::Branch });
                }
            }
            Op::Assign(place, value) => {
                let var = self.whole_scalar(state, place)?;
                let term = self.eval(state, value)?;
                if !sabotage::active(Fault::AssignKeepsOldValue) || self.store.is_const(term) {
                    state.set(var, term);
                }
            }
            Op::Havoc(HavocDst::Place(place), source) => {
                let var = self.whole_scalar(state, place)?;
                let term = self.fresh(self.program.var_name(state.func(), var), place.ty);
                state.set(var, term);
                effects.draws.push(Draw { term, ty: place.ty, kind: DrawKind::Havoc(source.clone(), var) });
            }
            Op::Return(Some(value)) => {
                let ret =
                    self.program.functions[state.func()].ret.expect("a function that returns a value has a result");
                let term = self.eval(state, value)?;
                state.set(Var::Local(ret), term);
            }
            Op::Call(call) => self.extern_call(state, call, &mut effects)?,
            Op::Havoc(HavocDst::Range { .. }, _) | Op::SetRange { .. } | Op::CopyRange { .. } => {
                return Err(Unmodelled("a write to a range of memory"));
            }
            Op::Alloc(_) | Op::Free(_) => return Err(Unmodelled("dynamic allocation")),
        }
        Ok(effects)
    }

    /// The guards of an edge that the table of undefined behaviour turns into assumptions.
    fn guards(&mut self, state: &State, edge: &Edge) -> Result<Effects> {
        let mut effects = Effects::default();
        for guard in &edge.guards {
            match self.program.ub.get(guard.ub) {
                UbPolicy::Ignored => {}
                UbPolicy::AssumedAway | UbPolicy::Checked => {
                    let term = self.eval(state, &guard.cond)?;
                    effects.assumptions.push(Assumption { term, why: Why::Guard(guard.ub) });
                }
            }
        }
        Ok(effects)
    }

    /// A call of a function without a body: an arbitrary result, and arbitrary globals where the program says so.
    fn extern_call(&mut self, state: &mut State, call: &Call, effects: &mut Effects) -> Result<()> {
        let Callee::Direct(callee) = call.callee else { return Err(Unmodelled("a call through a pointer")) };
        assert!(self.program.functions[callee].body.is_none(), "a call of a function with a body is not a step");
        for arg in &call.args {
            self.eval(state, arg)?;
        }
        let externs = self.program.externs;
        if externs != Externs::Pure && call.args.iter().any(|a| a.ty == Ty::Ptr && !is_null(a)) {
            return Err(Unmodelled("an undefined function's writes through a pointer argument"));
        }
        if externs == Externs::Any {
            for (id, g) in self.program.globals.iter_enumerated() {
                if g.linkage != Linkage::External || g.constant {
                    continue;
                }
                let ty = g.shape.scalar().ok_or(Unmodelled("an undefined function's writes to an aggregate"))?;
                let term = self.fresh(&g.name, ty);
                state.set(Var::Global(id), term);
                effects.draws.push(Draw { term, ty, kind: DrawKind::ExternGlobal(callee, id) });
            }
        }
        // A result that is dropped is not drawn: no one can tell what it was.
        if let (Some(dst), Some(ty)) = (call.dst, self.program.functions[callee].ret_ty()) {
            let term = self.fresh(self.program.var_name(state.func(), dst), ty);
            state.set(dst, term);
            effects.draws.push(Draw { term, ty, kind: DrawKind::ExternResult(callee) });
        }
        Ok(())
    }

    /// The function with a body that `edge` calls, if it does.
    pub fn callee(&self, edge: &Edge) -> Option<FuncId> {
        match &edge.op {
            Op::Call(Call { callee: Callee::Direct(f), .. }) if self.program.functions[*f].body.is_some() => Some(*f),
            _ => None,
        }
    }

    /// Begins the activation that the call edge `edge` (with id `id`) of the current function makes: parameters have the
    /// values of the arguments, other locals are arbitrary. Gives the guards of the call.
    pub fn enter(&mut self, state: &mut State, id: EdgeId, edge: &Edge) -> Result<Effects> {
        let effects = self.guards(state, edge)?;
        let mut callee = self.callee_state(state, edge)?;
        let mut frame = (*callee.frame).clone();
        frame.caller = Some((state.frame.clone(), id));
        callee.frame = Rc::new(frame);
        *state = callee;
        Ok(effects)
    }

    /// The state in which the callee of a call edge begins, with no caller.
    pub fn callee_state(&mut self, state: &State, edge: &Edge) -> Result<State> {
        let callee = self.callee(edge).expect("only a direct call of a function with a body is entered");
        let Op::Call(call) = &edge.op else { unreachable!("only calls have a callee") };
        let args: Vec<Term> = call.args.iter().map(|a| self.eval(state, a)).collect::<Result<_>>()?;
        if args.len() > self.program.functions[callee].n_params {
            return Err(Unmodelled("variadic arguments"));
        }
        let mut args = args.into_iter();
        Ok(self.activation(callee, state.globals.clone(), |enc, l| match args.next() {
            Some(arg) => Some(arg),
            None => enc.fresh_of_shape(&l.name, l.shape),
        }))
    }

    /// Ends the current activation, which has reached its exit, and gives the caller its result. Panics in the outermost
    /// activation.
    pub fn leave(&mut self, state: &mut State) {
        let (caller, id) = state.frame.caller.clone().expect("the outermost activation has no caller");
        let callee = &self.program.functions[state.func()];
        let result = callee.ret.and_then(|r| state.get(Var::Local(r)));
        let body = self.program.functions[caller.func].body.as_ref().expect("a caller has a body");
        let Op::Call(call) = &body.edges[id].op else { unreachable!("a caller waits at a call") };
        if sabotage::active(Fault::ReturnLosesGlobals) {
            state.globals = state.frame.entry.globals.clone();
        }
        state.frame = caller;
        if let (Some(dst), Some(result)) = (call.dst, result) {
            state.set(dst, result);
        }
    }

    /// The state after a call of which only a contract is known: the globals in `modifies` and the result are arbitrary.
    /// Gives also the callee's state at its exit, of which the contract speaks.
    pub fn return_by_contract(
        &mut self,
        state: &mut State,
        edge: &Edge,
        modifies: impl Fn(GlobalId) -> bool,
    ) -> Result<State> {
        let mut callee = self.callee_state(state, edge)?;
        for (id, g) in self.program.globals.iter_enumerated() {
            if let (true, Shape::Scalar(ty)) = (modifies(id), g.shape) {
                let term = self.fresh(&g.name, ty);
                callee.set(Var::Global(id), term);
            }
        }
        let func = callee.func();
        // Parameters may have been assigned: at the exit they are as arbitrary as any other local.
        let locals = self.program.functions[func].locals.iter_enumerated();
        for (id, l) in locals {
            if let Shape::Scalar(ty) = l.shape {
                let term = self.fresh(&l.name, ty);
                callee.set(Var::Local(id), term);
            }
        }
        state.globals = callee.globals.clone();
        let Op::Call(call) = &edge.op else { unreachable!("only calls have a contract") };
        let result = self.program.functions[func].ret.and_then(|r| callee.get(Var::Local(r)));
        if let (Some(dst), Some(result)) = (call.dst, result) {
            state.set(dst, result);
        }
        Ok(callee)
    }

    /// The state that is `a` where `cond` holds and `b` where it does not. Both are in the same activation.
    pub fn merge(&mut self, cond: Term, a: &State, b: &State) -> State {
        debug_assert_eq!(a.frame.entry, b.frame.entry, "only states of one activation are merged");
        let mut pick = |xs: &[Option<Term>], ys: &[Option<Term>]| -> Vec<Option<Term>> {
            let pairs = xs.iter().zip(ys);
            pairs.map(|(x, y)| x.zip(*y).map(|(x, y)| if x == y { x } else { self.store.ite(cond, x, y) })).collect()
        };
        let globals =
            if Rc::ptr_eq(&a.globals, &b.globals) { a.globals.clone() } else { Rc::new(pick(&a.globals, &b.globals)) };
        let frame = if Rc::ptr_eq(&a.frame, &b.frame) {
            a.frame.clone()
        } else {
            Rc::new(Frame { locals: pick(&a.frame.locals, &b.frame.locals), ..(*a.frame).clone() })
        };
        State { globals, frame }
    }

    /// The edge with this id in the function of the current activation.
    pub fn edge(&self, state: &State, id: EdgeId) -> &'p Edge {
        &self.program.functions[state.func()].body.as_ref().expect("an activation has a body").edges[id]
    }
}

fn is_null(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Const(0))
}

//! One step of a program in logic, and the making and ending of activations.

use crate::allocation::{Approximation, only_in_polarity};
use crate::known::Truths;
use crate::math;
use crate::memory::Known;
use crate::state::{Entry, Frame, Ghosts, Shared, State};
use crate::strings::Strings;
use analysis::{Analysis, Unmodelled};
use base::sabotage::{self, Fault};
use base::{Id, IndexVec};
use ir::library::Library;
use ir::walk::{mentions_object_predicate, op_mentions_object_predicate};
use ir::{
    Address, Base, BinOp, Call, Callee, Edge, EdgeId, ErrorKind, Expr, ExprKind, Externs, FuncId, Global, GlobalId,
    HavocDst, Init, Loc, LocalId, Op, Place, Program, Shape, SiteId, Source, Ty, Ub, UbPolicy, Var,
};
use logic::{Sort, Store, Term};
use pointsto::RegionId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Turns IR into terms of one store. All states and terms it makes belong together.
pub struct Encoder<'p> {
    /// The program that is given meaning.
    pub program: &'p Program,
    /// Where the terms live.
    pub store: Store,
    /// What is known of it.
    pub analysis: &'p Analysis<'p>,
    /// What events on which no proof may build do.
    pub(crate) events: Events,
    /// All objects whose addresses have symbols.
    pub(crate) objects: Vec<Known>,
    pub(crate) global_bases: FxHashMap<GlobalId, Term>,
    pub(crate) function_bases: FxHashMap<FuncId, Term>,
    pub(crate) strings: Strings,
    /// The maps of regions that nothing writes.
    pub(crate) constant_maps: FxHashMap<RegionId, Term>,
    /// The addresses of variables that were compared.
    pub(crate) compared: Vec<Term>,
    /// Pointers of unknown origin that were drawn, if they are compared with objects that never escape.
    pub(crate) strangers: Vec<Term>,
    /// The addresses of the entry function's locals, if it has one activation only.
    pub(crate) entry_bases: Option<Rc<Vec<Option<Term>>>>,
    /// True where an execution is looked for that counts: see [`Events::Either`].
    run: Option<Term>,
    /// What is known where the state stands that is worked on.
    pub(crate) known: Truths,
    /// Whether everything is followed, so that values may be choices between many: see [`crate::unwinding`].
    pub(crate) unwinds: bool,
}

/// What happens to an execution that meets an event on which no proof may build: a null pointer dereferenced, an access
/// outside of an object that has no name or after its lifetime, a bad `free`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Events {
    /// It goes on with any value. What is shown so does not build on such events; formulas are smaller, too.
    GoOn,
    /// It ends, as the program's table says. This is what runs are found with.
    End,
    /// It ends where the literal [`Encoder::run`] holds, else it goes on: one formula for both questions.
    Either,
}

/// Why something was assumed on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
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
    pub cause: Cause,
    /// Which of its step's assumptions it is.
    pub id: AssumptionId,
}

/// Which of its edge's assumptions one is: the same in every encoder, also where another encoder leaves some out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssumptionId {
    /// The condition of an `assume`.
    Condition,
    /// The guard at this position.
    Guard(usize),
    /// An allocation that cannot fail finds room.
    Room,
    /// What a library function says about its strings, by position.
    Library(usize),
}

/// An arbitrary value that a step took from outside; its term is a fresh symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NondetInput {
    /// The value.
    pub term: Term,
    /// Its type.
    pub ty: Ty,
    /// What it is.
    pub kind: InputKind,
}

/// What an arbitrary value is; together with the edge this names its entry on a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// From [`Op::Havoc`], to this variable.
    Havoc(Source, Var),
    /// The result of a function without a body.
    ExternResult(FuncId),
    /// What a function without a body left in a global.
    ExternGlobal(FuncId, GlobalId),
    /// From [`Op::Havoc`], to a place in memory.
    HavocMemory(Source),
    /// Whether an allocation at this site fails.
    Fails(SiteId),
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
    pub inputs: Vec<NondetInput>,
}

impl Effects {
    pub(crate) fn assume(&mut self, id: AssumptionId, cause: Cause, term: Term) {
        self.assumptions.push(Assumption { term, cause, id });
    }
}

type Result<T> = std::result::Result<T, Unmodelled>;

/// A global with more initialised parts than this starts arbitrary in logic.
const MAX_ITEMS: usize = 1000;

impl<'p> Encoder<'p> {
    /// An encoder for proofs: what is shown with it does not build on events on which no proof may build.
    pub fn for_proof(analysis: &'p Analysis<'p>) -> Encoder<'p> {
        Encoder::new(analysis, Events::GoOn)
    }

    /// An encoder for paths: executions end where the program's table of undefined behaviour says so. Runs are found with it.
    pub fn for_path(analysis: &'p Analysis<'p>) -> Encoder<'p> {
        Encoder::new(analysis, Events::End)
    }

    /// An encoder with an empty store in which events on which no proof may build do this.
    pub fn new(analysis: &'p Analysis<'p>, events: Events) -> Encoder<'p> {
        let program = analysis.program;
        let mut store = Store::new();
        let (first, end) = program.addresses.range(program.model);
        store.set_space(logic::Space { first, end });
        let run = (events == Events::Either).then(|| store.fresh("run", Sort::Bool));
        Encoder {
            program,
            store,
            analysis,
            events,
            objects: Vec::new(),
            global_bases: FxHashMap::default(),
            function_bases: FxHashMap::default(),
            strings: Strings::default(),
            constant_maps: FxHashMap::default(),
            compared: Vec::new(),
            strangers: Vec::new(),
            entry_bases: None,
            run,
            known: Truths::default(),
            unwinds: false,
        }
    }

    /// An encoder for both: executions end as the program's table says where the literal [`run`](Self::run) holds.
    pub fn for_both(analysis: &'p Analysis<'p>) -> Encoder<'p> {
        Encoder::new(analysis, Events::Either)
    }

    /// The literal of [`Events::Either`]: assumed where runs are looked for. What is shown without it is shown for proofs.
    pub fn run(&self) -> Term {
        self.run.expect("an encoder for both questions has the literal")
    }

    /// A fresh value of type `ty`; the prefix is for people who read dumps.
    pub fn fresh(&mut self, prefix: &str, ty: Ty) -> Term {
        let sort = self.sort(ty);
        self.store.fresh(prefix, sort)
    }

    /// An arbitrary value for a local that does not live in memory.
    fn fresh_local(&mut self, func: FuncId, local: LocalId) -> Option<Term> {
        let l = &self.program.functions[func].locals[local];
        let plain = !self.analysis.in_memory(func, Var::Local(local));
        l.shape.scalar().filter(|_| plain).map(|ty| self.fresh(&l.name, ty))
    }

    /// Arbitrary globals and memory.
    fn arbitrary_shared(&mut self) -> Shared {
        let program = self.program;
        let plain = |enc: &Self, id| !enc.analysis.in_memory(program.entry, Var::Global(id));
        let vars = program
            .globals
            .iter_enumerated()
            .map(|(id, g)| g.shape.scalar().filter(|_| plain(self, id)).map(|ty| self.fresh(&g.name, ty)))
            .collect();
        self.fresh_shared(vars)
    }

    /// A state in which every scalar that `func` can name, and its value at entry, is an arbitrary value of its own.
    pub fn arbitrary(&mut self, func: FuncId) -> State {
        let shared = self.arbitrary_shared();
        let now = self.activation(func, Rc::new(shared), |enc, l| enc.fresh_local(func, l));
        let entry_shared = self.arbitrary_shared();
        let params: Vec<_> = self.program.functions[func].params().map(|p| self.fresh_local(func, p)).collect();
        self.fresh_for_parameters(func, &params, &now.frame.bases);
        let mut frame = (*now.frame).clone();
        frame.entry = Rc::new(Entry { shared: Rc::new(entry_shared), params });
        State { shared: now.shared, frame: Rc::new(frame) }
    }

    /// An arbitrary state of `func` at a location: of its locals is known which are alive.
    pub fn arbitrary_at(&mut self, func: FuncId, at: Loc) -> State {
        let mut state = self.arbitrary(func);
        self.begin_activation(&mut state);
        self.stand_at(&mut state, at);
        state
    }

    /// An arbitrary state at a location of the activation that these calls make, the first of them in the entry function. `None` if
    /// they do not follow one another.
    pub fn arbitrary_within(&mut self, calls: &[EdgeId], at: Loc) -> Option<State> {
        let mut func = self.program.entry;
        let mut stands: Vec<Loc> = Vec::new();
        let mut frame: Option<Rc<Frame>> = None;
        for call in calls.iter().map(Some).chain([None]) {
            let body = self.program.body(func);
            let edge = call.and_then(|&id| body.edges.get(id));
            let here = self.arbitrary(func);
            let mut own = (*here.frame).clone();
            own.caller = frame.take().zip(calls.get(stands.len().wrapping_sub(1)).copied());
            frame = Some(Rc::new(own));
            match (call, edge) {
                (None, _) => stands.push(at),
                (Some(_), edge) => {
                    stands.push(edge?.from);
                    func = self.callee(edge?)?;
                }
            }
        }
        let mut state = State { shared: Rc::new(self.arbitrary_shared()), frame: frame? };
        // All activations that wait are alive, and so is what lives in them.
        for (out, &at) in stands.iter().rev().enumerate() {
            let mut seen = state.seen_from(out as u32)?;
            self.begin_activation(&mut seen);
            self.stand_at(&mut seen, at);
            state = state.changed_in(out as u32, seen);
        }
        Some(state)
    }

    /// An arbitrary state of `func` whose globals are those of `shared`.
    pub fn arbitrary_in(&mut self, func: FuncId, shared: &State) -> State {
        let state = self.arbitrary(func);
        State { shared: shared.shared.clone(), frame: state.frame }
    }

    /// An activation of `func` that begins with these globals; `value` gives the locals.
    fn activation(
        &mut self,
        func: FuncId,
        shared: Rc<Shared>,
        mut value: impl FnMut(&mut Self, LocalId) -> Option<Term>,
    ) -> State {
        let f = &self.program.functions[func];
        let vars: IndexVec<LocalId, _> = f.locals.ids().map(|l| value(self, l)).collect();
        let params = vars.iter().take(f.n_params).copied().collect();
        let entry = Rc::new(Entry { shared: shared.clone(), params });
        let maps = self.fresh_private(func);
        let bases = self.local_bases(func);
        State { shared, frame: Rc::new(Frame { func, vars, maps, bases, entry, caller: None }) }
    }

    /// The state in which the program starts, and what it takes from outside: first the globals that are defined
    /// elsewhere, then the arguments of the entry function.
    pub fn initial(&mut self) -> (State, Effects) {
        let mut effects = Effects::default();
        let program = self.program;
        let plain = |enc: &Self, id| !enc.analysis.in_memory(program.entry, Var::Global(id));
        let vars = program
            .globals
            .iter_enumerated()
            .map(|(id, g)| {
                let ty = g.shape.scalar().filter(|_| plain(self, id));
                ty.map(|ty| self.start_value(id, g, ty, &mut effects))
            })
            .collect();
        let shared = self.fresh_shared(vars);
        let mut state = self.activation(program.entry, Rc::new(shared), |enc, l| enc.fresh_local(program.entry, l));
        if self.memory_applies() {
            self.initialise_globals(&mut state);
        }
        let f = &program.functions[program.entry];
        for p in f.params() {
            if let (Some(term), Some(ty)) = (state.get(Var::Local(p)), f.locals[p].shape.scalar()) {
                self.draw(&mut effects, NondetInput { term, ty, kind: InputKind::Argument(p) });
            }
        }
        (state, effects)
    }

    /// Gives the globals in memory their first contents; those of too many parts stay arbitrary.
    fn initialise_globals(&mut self, state: &mut State) {
        let program = self.program;
        for (id, g) in program.globals.iter_enumerated() {
            let items: &[ir::InitItem] = match &g.init {
                Init::Values(items) => items,
                Init::Zero => &[],
                Init::Unknown => continue,
            };
            if !self.analysis.in_memory(program.entry, Var::Global(id)) || items.len() > MAX_ITEMS {
                continue;
            }
            let mut with = state.clone();
            // What has no formula stays arbitrary.
            if self.initialise(&mut with, id, items).is_ok() {
                *state = with;
            }
        }
        *state = state.begin_here(program.functions[program.entry].n_params);
    }

    fn start_value(&mut self, id: GlobalId, g: &Global, ty: Ty, effects: &mut Effects) -> Term {
        match &g.init {
            Init::Zero => self.constant(ty, 0),
            Init::Values(items) => match items.last() {
                None => self.constant(ty, 0),
                Some(item) => match item.value.as_const() {
                    Some(c) if item.value.ty == ty && item.offset == 0 && item.bits.is_none() => self.constant(ty, c),
                    _ => self.start_address(&item.value).unwrap_or_else(|| self.fresh(&g.name, ty)),
                },
            },
            Init::Unknown => {
                let term = self.fresh(&g.name, ty);
                self.draw(effects, NondetInput { term, ty, kind: InputKind::StartValue(id) });
                term
            }
        }
    }

    /// The address that a global starts with.
    pub(crate) fn start_address(&mut self, value: &Expr) -> Option<Term> {
        match &value.kind {
            ExprKind::Func(f) => Some(self.function_base(*f)),
            ExprKind::Addr(Address { base: Base::Var(Var::Global(g)), offset, indices }) if indices.is_empty() => {
                let base = self.global_base(*g);
                let offset = self.store.bv_signed(self.store.width(base), *offset);
                Some(self.store.bv_add(base, offset))
            }
            _ => None,
        }
    }

    /// Takes `state` across an edge of its function. Calls of functions with a body are not steps: [`enter`](Self::enter)
    /// them, or use a contract. The state is left as it was if there is no formula.
    pub fn step(&mut self, state: &mut State, edge: &Edge) -> Result<Effects> {
        let mut effects = self.guards(state, edge)?;
        if !self.underapproximation_is_sound(state.func(), edge) {
            return Err(Unmodelled("an object predicate"));
        }
        match &edge.op {
            Op::Skip | Op::Error(_) | Op::Halt | Op::Unsupported(_) | Op::Return(None) => {}
            Op::Assume(cond) => {
                let term = self.eval(state, cond)?;
                if !sabotage::active(Fault::AssumeAddsNothing) {
                    effects.assume(AssumptionId::Condition, Cause::Branch, term);
                }
            }
            Op::Assign(place, value) => {
                let term = self.eval(state, value)?;
                if !sabotage::active(Fault::AssignKeepsOldValue) || self.store.is_const(term) {
                    self.assign(state, place, term)?;
                }
            }
            Op::Havoc(HavocDst::Place(place), source) => {
                let var = self.whole_scalar(state, place);
                let name = var.map_or("memory", |v| self.program.var_name(state.func(), v));
                let term = self.fresh(name, place.ty);
                let again = matches!(source, ir::Source::Uninit) && sabotage::active(Fault::LocalNotFreshAgain);
                if !again {
                    self.assign(state, place, term)?;
                }
                let kind = match var {
                    Some(var) => InputKind::Havoc(source.clone(), var),
                    None => InputKind::HavocMemory(source.clone()),
                };
                self.draw(&mut effects, NondetInput { term, ty: place.ty, kind });
            }
            Op::Return(Some(value)) => {
                let ret =
                    self.program.functions[state.func()].ret.expect("a function that returns a value has a result");
                let term = self.eval(state, value)?;
                self.write_var(state, Var::Local(ret), value.ty, term)?;
            }
            Op::Call(call) => self.extern_call(state, call, &mut effects)?,
            Op::Havoc(HavocDst::Range { dst, len }, _) => self.forget_bytes(state, dst, len)?,
            Op::SetRange { dst, value, len } => self.set_bytes(state, dst, len, value)?,
            Op::CopyRange { dst, src, len } => self.copy_bytes(state, dst, src, len)?,
            Op::Alloc(alloc) => {
                let mut after = state.clone();
                let fails = self.store.fresh("fails", Sort::Bool);
                let exists = self.store.not(fails);
                let mut pointer = self.allocate(&mut after, alloc, exists)?;
                if alloc.may_fail {
                    let null = self.constant(Ty::Ptr, 0);
                    pointer = self.store.ite(fails, null, pointer);
                    effects.inputs.push(NondetInput { term: fails, ty: Ty::Bool, kind: InputKind::Fails(alloc.site) });
                } else {
                    effects.assume(AssumptionId::Room, Cause::Guard(Ub::NoRoom), exists);
                }
                self.assign(&mut after, &alloc.dst, pointer)?;
                *state = after;
            }
            // Freed memory is not used again, by accesses that count or by other objects.
            Op::Free(p) | Op::Release(p) => {
                let address = self.eval(state, p)?;
                self.end_object(state, address);
            }
            Op::Begin(l) => self.begin_local(state, *l, &mut effects),
            Op::End(l) => self.end_local(state, *l),
        }
        Ok(effects)
    }

    /// Whether under-approximated object predicates in an operation leave out no run: the condition can hold only where they
    /// are false, or the edge beside it leads to the error that they stand for, so that a proof excludes it.
    fn underapproximation_is_sound(&self, func: FuncId, edge: &Edge) -> bool {
        let found = op_mentions_object_predicate(&edge.op);
        let Op::Assume(cond) = &edge.op else { return !found };
        let body = self.program.body(func);
        let is_error = |at: Loc| body.edges.iter().any(|e| e.from == at && matches!(e.op, Op::Error(ErrorKind::Ub(_))));
        let beside = || body.edges.iter().filter(|e| e.from == edge.from).filter_map(|e| e.to);
        !found || only_in_polarity(cond, false) || beside().any(is_error)
    }

    /// Writes a value to a place.
    pub(crate) fn assign(&mut self, state: &mut State, place: &Place, term: Term) -> Result<()> {
        match self.whole_scalar(state, place) {
            Some(var) => state.set(var, term),
            None => self.store_to(state, place, term)?,
        }
        Ok(())
    }

    /// Makes an equality between a scalar with a name and a constant, which the state satisfies, part of the state: writing what is
    /// there changes nothing, but what follows is simplified by it. Other conditions are left alone; so are truth values in memory,
    /// where every byte but zero is true.
    pub fn settle(&mut self, state: &mut State, e: &Expr) {
        let ExprKind::Binary(BinOp::Eq, place, value) = &e.kind else { return };
        let ExprKind::Read(place) = &place.kind else { return };
        let named = matches!(place.addr.base, Base::Var(_)) && place.addr.indices.is_empty();
        let constant = match &value.kind {
            ExprKind::Const(_) | ExprKind::Func(_) => true,
            ExprKind::Addr(addr) => matches!(addr.base, Base::Var(_)) && addr.indices.is_empty(),
            _ => false,
        };
        if !named || !constant || !matches!(place.ty, Ty::Int(_) | Ty::Ptr) {
            return;
        }
        let mut settled = state.clone();
        if let Ok(term) = self.eval(&settled, value)
            && self.assign(&mut settled, place, term).is_ok()
        {
            *state = settled;
        }
    }

    /// As [`settle`](Self::settle), of an expression of the activation that waits so many calls further out.
    pub fn settle_in(&mut self, state: &mut State, out: u32, e: &Expr) {
        let out = if sabotage::active(Fault::SettledInNewest) { 0 } else { out };
        let Some(mut seen) = state.seen_from(out) else { return };
        self.settle(&mut seen, e);
        *state = state.changed_in(out, seen);
    }

    /// The guards of an edge that the table of undefined behaviour turns into assumptions.
    fn guards(&mut self, state: &State, edge: &Edge) -> Result<Effects> {
        let mut effects = Effects::default();
        for (i, guard) in edge.guards.iter().enumerate() {
            let policy = self.program.ub.get(guard.ub);
            let over_objects = mentions_object_predicate(&guard.cond);
            // Events on which no proof may build: accesses through null, and what depends on an object without a name.
            let only_runs = policy == UbPolicy::AssumedAway && guard.ub == Ub::NullDeref
                || over_objects && !is_about_variable(&guard.cond);
            if policy == UbPolicy::Ignored || only_runs && self.events == Events::GoOn {
                continue;
            }
            // A guard over an object predicate that has no formula here is left out: more is allowed then.
            if over_objects && only_runs && !only_in_polarity(&guard.cond, true) {
                continue;
            }
            match self.eval_from(state, &guard.cond, Approximation::Over) {
                Ok(term) => {
                    let term = match self.run.filter(|_| only_runs && !sabotage::active(Fault::RunLiteralAssumed)) {
                        Some(run) => self.store.implies(run, term),
                        None => term,
                    };
                    effects.assume(AssumptionId::Guard(i), Cause::Guard(guard.ub), term);
                }
                Err(_) if over_objects => {}
                Err(unmodelled) => return Err(unmodelled),
            }
        }
        Ok(effects)
    }

    /// Notes what a step takes from outside.
    fn draw(&mut self, effects: &mut Effects, input: NondetInput) {
        // Other arbitrary values (of a variable that changed since `setjmp`, say) are none that somebody outside has.
        let outside = match &input.kind {
            InputKind::ExternResult(_)
            | InputKind::ExternGlobal(..)
            | InputKind::Argument(_)
            | InputKind::StartValue(_) => true,
            InputKind::Havoc(..) | InputKind::HavocMemory(_) | InputKind::Fails(_) => false,
        };
        if input.ty == Ty::Ptr && outside {
            self.is_stranger(input.term);
        }
        effects.inputs.push(input);
    }

    /// A call of a function without a body: an arbitrary result, and arbitrary globals where the program says so.
    fn extern_call(&mut self, state: &mut State, call: &Call, effects: &mut Effects) -> Result<()> {
        let Callee::Direct(callee) = call.callee else { return Err(Unmodelled("a call through a pointer")) };
        assert!(self.program.functions[callee].body.is_none(), "a call of a function with a body is not a step");
        for arg in &call.args {
            self.eval(state, arg)?;
        }
        if let Some(lib) = Library::of(&self.program.functions[callee]) {
            return self.library_call(state, lib, call, effects);
        }
        let externs = self.program.externs;
        if externs != Externs::Pure {
            if !self.memory_applies() && call.args.iter().any(|a| a.ty == Ty::Ptr && !is_null(a)) {
                return Err(Unmodelled("an undefined function's writes through a pointer argument"));
            }
            self.forget_outside(state)?;
            for (id, g) in self.program.globals.iter_enumerated() {
                if !self.program.known_outside(id) || g.constant {
                    continue;
                }
                if self.analysis.in_memory(state.func(), Var::Global(id)) {
                    continue;
                }
                let Some(ty) = g.shape.scalar() else { continue };
                let term = self.fresh(&g.name, ty);
                state.set(Var::Global(id), term);
                self.draw(effects, NondetInput { term, ty, kind: InputKind::ExternGlobal(callee, id) });
            }
        }
        // A result that is dropped is not drawn: no one can tell what it was.
        if let (Some(dst), Some(ty)) = (call.dst, self.program.functions[callee].ret_ty()) {
            let term = self.fresh(self.program.var_name(state.func(), dst), ty);
            self.write_var(state, dst, ty, term)?;
            self.draw(effects, NondetInput { term, ty, kind: InputKind::ExternResult(callee) });
        }
        Ok(())
    }

    /// A call of a library function, which changes nothing and draws nothing: what it gives is what the memory says, as far as
    /// that has a formula.
    fn library_call(&mut self, state: &mut State, lib: Library, call: &Call, effects: &mut Effects) -> Result<()> {
        let Some(dst) = call.dst else { return Ok(()) };
        let ty = lib.result(self.program.model);
        let term = self.fresh(self.program.var_name(state.func(), dst), ty);
        let args: Vec<Term> = call.args.iter().map(|a| self.eval(state, a)).collect::<Result<_>>()?;
        if let Some(exact) = math::function(&mut self.store, lib, &args, term) {
            return self.write_var(state, dst, ty, exact);
        }
        if lib == Library::Strlen
            && self.unwinds
            && let Some(length) = self.scanned_length(state, &call.args[0], term)
        {
            return self.write_var(state, dst, ty, length);
        }
        if lib == Library::Size
            && let Some(size) = self.size_of_block(state, &call.args[0], args[0])
        {
            return self.write_var(state, dst, ty, size);
        }
        // What cannot be said is not said.
        let _ = self.library_says(state, lib, call, term, effects);
        self.write_var(state, dst, ty, term)
    }

    /// The function with a body that `edge` calls, if it does.
    pub fn callee(&self, edge: &Edge) -> Option<FuncId> {
        match &edge.op {
            Op::Call(Call { callee: Callee::Direct(f), .. }) if self.program.functions[*f].body.is_some() => Some(*f),
            _ => None,
        }
    }

    /// The same state whose activation begins here.
    pub fn begin(&mut self, state: &State) -> State {
        let begun = state.begin_here(self.program.functions[state.func()].n_params);
        let (entry, bases) = (begun.frame.entry.clone(), begun.frame.bases.clone());
        self.fresh_for_parameters(begun.func(), &entry.params, &bases);
        begun
    }

    /// Begins the activation that the call edge `edge` (with id `id`) of the current function makes: parameters have the
    /// values of the arguments, other locals are arbitrary. Gives the guards of the call.
    pub fn enter(&mut self, state: &mut State, id: EdgeId, edge: &Edge) -> Result<Effects> {
        let effects = self.guards(state, edge)?;
        let mut callee = self.callee_state(state, edge)?;
        let mut frame = (*callee.frame).clone();
        frame.caller = Some((state.frame.clone(), id));
        if sabotage::active(Fault::EntryValueOfCaller) {
            frame.entry = Rc::new(Entry { shared: state.frame.entry.shared.clone(), ..(*frame.entry).clone() });
        }
        callee.frame = Rc::new(frame);
        *state = callee;
        Ok(effects)
    }

    /// The state in which the callee of a call edge begins, with no caller.
    pub fn callee_state(&mut self, state: &State, edge: &Edge) -> Result<State> {
        let callee = self.callee(edge).expect("only a direct call of a function with a body is entered");
        let Op::Call(call) = &edge.op else { unreachable!("only calls have a callee") };
        if !self.underapproximation_is_sound(state.func(), edge) {
            return Err(Unmodelled("an object predicate"));
        }
        let args: Vec<Term> = call.args.iter().map(|a| self.eval(state, a)).collect::<Result<_>>()?;
        if args.len() > self.program.functions[callee].n_params {
            return Err(Unmodelled("variadic arguments"));
        }
        let in_memory = |enc: &Self, l| enc.analysis.in_memory(callee, Var::Local(l));
        let mut begun = self.activation(callee, state.shared.clone(), |enc, l| match args.get(l.index()) {
            Some(&arg) => (!in_memory(enc, l)).then_some(arg),
            None => enc.fresh_local(callee, l),
        });
        let bases = begun.frame.bases.clone();
        self.fresh_for_parameters(callee, &args.iter().map(|&a| Some(a)).collect::<Vec<_>>(), &bases);
        self.begin_activation(&mut begun);
        let f = &self.program.functions[callee];
        let mut stored = false;
        for (p, &arg) in f.params().zip(&args) {
            if let (true, Shape::Scalar(ty)) = (in_memory(self, p), f.locals[p].shape) {
                self.write_var(&mut begun, Var::Local(p), ty, arg)?;
                stored = true;
            }
        }
        Ok(if stored { begun.begin_here(f.n_params) } else { begun })
    }

    /// Ends the current activation, which has reached its exit, and gives the caller its result. Panics in the outermost
    /// activation.
    pub fn leave(&mut self, state: &mut State) -> Result<()> {
        let (caller, id) = state.frame.caller.clone().expect("the outermost activation has no caller");
        let result = self.result(state)?;
        let body = self.program.body(caller.func);
        let Op::Call(call) = &body.edges[id].op else { unreachable!("a caller waits at a call") };
        if sabotage::active(Fault::ReturnLosesGlobals) {
            state.shared = state.frame.entry.shared.clone();
        }
        self.end_activation(state);
        state.frame = caller;
        if let (Some(dst), Some((ty, result))) = (call.dst, result) {
            self.write_var(state, dst, ty, result)?;
        }
        Ok(())
    }

    /// The result of an activation at its exit.
    pub(crate) fn result(&mut self, state: &State) -> Result<Option<(Ty, Term)>> {
        let f = &self.program.functions[state.func()];
        let Some((ret, ty)) = f.ret.zip(f.ret_ty()) else { return Ok(None) };
        let value = self.eval(state, &Expr::var(Var::Local(ret), ty))?;
        Ok(Some((ty, value)))
    }

    /// The state that is `a` where `cond` holds and `b` where it does not. Both are in the same activation.
    pub fn merge(&mut self, cond: Term, a: &State, b: &State) -> State {
        debug_assert_eq!(a.frame.entry, b.frame.entry, "only states of one activation are merged");
        let shared = match Rc::ptr_eq(&a.shared, &b.shared) {
            true => a.shared.clone(),
            false if sabotage::active(Fault::EffectLostAtMerge) => b.shared.clone(),
            false => Rc::new(self.merge_shared(cond, &a.shared, &b.shared)),
        };
        let frame = match Rc::ptr_eq(&a.frame, &b.frame) {
            true => a.frame.clone(),
            false => {
                let (x, y) = (&*a.frame, &*b.frame);
                let vars = self.pick(cond, &x.vars, &y.vars).collect();
                let maps = self.pick(cond, &x.maps, &y.maps).collect();
                let same = Rc::ptr_eq(&x.bases, &y.bases);
                let bases =
                    if same { x.bases.clone() } else { Rc::new(self.pick(cond, &*x.bases, &*y.bases).collect()) };
                Rc::new(Frame { vars, maps, bases, ..x.clone() })
            }
        };
        State { shared, frame }
    }

    fn merge_shared(&mut self, cond: Term, a: &Shared, b: &Shared) -> Shared {
        let vars = self.pick(cond, &a.vars, &b.vars).collect();
        let maps = self.pick(cond, &a.maps, &b.maps).collect();
        let ghosts = a.ghosts.as_ref().zip(b.ghosts.as_ref()).map(|(x, y)| Ghosts {
            owner: self.pick_one(cond, x.owner, y.owner),
            size: self.pick_one(cond, x.size, y.size),
            freed: self.pick_one(cond, x.freed, y.freed),
        });
        Shared { vars, maps, ghosts }
    }

    /// One by one the term of `a` where `cond` holds and that of `b` where it does not.
    fn pick<'t>(
        &mut self,
        cond: Term,
        a: impl IntoIterator<Item = &'t Option<Term>>,
        b: impl IntoIterator<Item = &'t Option<Term>>,
    ) -> impl Iterator<Item = Option<Term>> {
        a.into_iter().zip(b).map(move |(x, y)| x.zip(*y).map(|(x, y)| self.pick_one(cond, x, y)))
    }

    fn pick_one(&mut self, cond: Term, a: Term, b: Term) -> Term {
        if a == b { a } else { self.store.ite(cond, a, b) }
    }

    /// The edge with this id in the function of the current activation.
    pub fn edge(&self, state: &State, id: EdgeId) -> &'p Edge {
        &self.program.body(state.func()).edges[id]
    }
}

/// Whether a guard is an object predicate of a variable's own address.
fn is_about_variable(e: &Expr) -> bool {
    let ExprKind::ObjectPredicate(_, a) = &e.kind else { return false };
    matches!(a.kind, ExprKind::Addr(Address { base: Base::Var(_), .. }))
}

fn is_null(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Const(0))
}

//! One function being lowered: its graph, its locals, where control stands, and the guards of what has been evaluated but
//! not yet used.
//!
//! Invariants: `cur` is an open location (it has no edges yet) and everything emitted starts there; code that nothing
//! reaches gets an open location that nothing leads to. `guards` speak about the state at `cur` and go onto the next edge,
//! whatever it is; a branch puts them on both of its edges.

use crate::annotation::AtEntry;
use crate::context::{Context, GlobalHome, Passing};
use crate::effects::{EffectAnalysis, Effects};
use crate::graph::Graph;
use crate::jumps::Jumps;
use crate::link::Entity;
use crate::{definite, events, fold, global, moved, scopes, types};
use base::sabotage::{self, Fault};
use base::{Id, IndexVec, Span};
use cfront::tree::{self, CaseId, ExprId, LabelId, Storage, SwitchId, Unit, VarId};
use cfront::types::TypeId;
use ir::{Address, DataModel, ErrorKind, Expr, Guard, Index, Loc, Local, LocalId, Op, Place, Shape, Ty, Ub, Var};
use rustc_hash::FxHashMap;

/// Where a variable is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Home {
    /// In this variable.
    At(Var),
    /// In the object this pointer points to: a variable length array, or a variable of an enclosing function.
    Behind(LocalId),
    /// Outside the program, where the value of this global points.
    Outside(ir::GlobalId),
    /// Nowhere, for this reason.
    Trouble(&'static str),
}

/// A pointer was moved.
pub(crate) struct Step {
    /// The position of its guard.
    pub(crate) guard: usize,
    /// If it may come round the address space: that it does not, where it has to stay in its object.
    pub(crate) direct: Option<Expr>,
}

/// One function being lowered.
pub(crate) struct Fun<'a, 'c> {
    /// The program.
    pub(crate) cx: &'c mut Context<'a>,
    /// The unit the function stands in.
    pub(crate) unit: &'a Unit,
    /// Its position.
    pub(crate) u: u32,
    /// The function in the tree; `None` while a static initialiser is evaluated.
    pub(crate) func: Option<tree::FuncId>,
    /// Its name, for names of allocation sites.
    pub(crate) name: String,
    /// The graph so far.
    pub(crate) graph: Graph,
    /// Where control stands.
    pub(crate) cur: Loc,
    /// Guards for the next edge.
    pub(crate) guards: Vec<Guard>,
    /// The last pointer that was moved, if that has a guard.
    pub(crate) last_step: Option<Step>,
    /// Only the address of the place that is evaluated is wanted: nothing is accessed there.
    pub(crate) address_only: bool,
    /// When the operands that are being lowered are not evaluated; outermost first.
    pub(crate) skipped: Vec<Expr>,
    /// How often such an operand had something that cannot be followed.
    pub(crate) refused: u32,
    /// A condition about the program has a division or a shift that C does not define for all operands.
    pub(crate) partial: bool,
    /// All locals so far.
    pub(crate) locals: IndexVec<LocalId, Local>,
    /// Which of them [`definite`] looks at.
    tracked: Vec<bool>,
    /// Which of them pointers may point to.
    taken: Vec<bool>,
    names: FxHashMap<String, u32>,
    vars: FxHashMap<VarId, Home>,
    /// The locals that are variables of the source, and whether they only point to them.
    declared: Vec<(LocalId, VarId, bool)>,
    /// Locations of labels.
    pub(crate) labels: FxHashMap<LabelId, Loc>,
    /// Locations of cases.
    pub(crate) cases: FxHashMap<CaseId, Loc>,
    /// Locations of `default`.
    pub(crate) defaults: FxHashMap<SwitchId, Loc>,
    /// Where `break` leads, and how many cleanups are open there; innermost last.
    pub(crate) breaks: Vec<(Loc, usize)>,
    /// The same for `continue`.
    pub(crate) continues: Vec<(Loc, usize)>,
    /// Variables in scope whose `cleanup` function runs when they end.
    pub(crate) cleanups: Vec<VarId>,
    /// The local for the result.
    pub(crate) ret: Option<LocalId>,
    /// How the result is returned.
    pub(crate) returns: Passing,
    /// What it has of `setjmp` and `longjmp`.
    pub(crate) jumps: Jumps,
    /// The parameter with the further arguments.
    pub(crate) va: Option<LocalId>,
    n_temps: u32,
    /// The hidden parameters that point to variables of enclosing functions.
    captured: std::ops::Range<usize>,
    /// Where values at entry are spoken of, which only conditions do.
    pub(crate) entry: AtEntry,
}

impl<'a, 'c> Fun<'a, 'c> {
    fn new(cx: &'c mut Context<'a>, u: u32, name: String, end: Span) -> Fun<'a, 'c> {
        let unit = &cx.units[u as usize];
        let graph = Graph::new(end);
        Fun {
            unit,
            u,
            func: None,
            name,
            cur: graph.entry,
            graph,
            guards: Vec::new(),
            last_step: None,
            address_only: false,
            skipped: Vec::new(),
            refused: 0,
            partial: false,
            locals: IndexVec::new(),
            tracked: Vec::new(),
            taken: Vec::new(),
            names: FxHashMap::default(),
            vars: FxHashMap::default(),
            declared: Vec::new(),
            labels: FxHashMap::default(),
            cases: FxHashMap::default(),
            defaults: FxHashMap::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            cleanups: Vec::new(),
            ret: None,
            returns: Passing::Void,
            jumps: Jumps::default(),
            va: None,
            n_temps: 0,
            captured: 0..0,
            entry: AtEntry::default(),
            cx,
        }
    }

    /// A place to evaluate a condition of which the variables are known.
    pub(crate) fn of_condition(
        cx: &'c mut Context<'a>,
        locals: IndexVec<LocalId, Local>,
        vars: FxHashMap<VarId, Home>,
        span: Span,
    ) -> Fun<'a, 'c> {
        let known = vec![false; locals.len()];
        Fun { locals, vars, tracked: known.clone(), taken: known, ..Fun::new(cx, 0, String::new(), span) }
    }

    /// The value of an expression if evaluating it takes no step.
    pub(crate) fn constant(cx: &'c mut Context<'a>, u: u32, e: ExprId, span: Span) -> Option<Expr> {
        let mut fun = Fun::new(cx, u, String::new(), span);
        let value = fun.value(e);
        let fine = |g: &Guard| fun.cx.opts.ub.get(g.ub) == ir::UbPolicy::Ignored;
        (fun.graph.edges.is_empty() && fun.guards.iter().all(fine)).then_some(value)
    }

    /// Gives the declared function `id` its body.
    pub(crate) fn lower(cx: &'c mut Context<'a>, entity: Entity<tree::FuncId>, id: ir::FuncId) {
        let (u, f) = entity;
        let convention = cx.convention(entity);
        let unit = &cx.units[u as usize];
        let def = &unit.funcs[f];
        let end = def.body.map_or(def.span, |b| last_byte(unit.stmts[b].span));
        let mut fun = Fun::new(cx, u, unit.name(def.name).to_owned(), end);
        fun.func = Some(f);
        let declared = &fun.cx.functions[id];
        fun.locals = declared.locals.clone();
        fun.ret = declared.ret;
        fun.returns = convention.ret;
        let n = fun.locals.len();
        fun.tracked = vec![false; n];
        fun.taken = vec![false; n];
        for l in &fun.locals {
            fun.names.insert(l.name.clone(), 1);
        }
        let name = unit.name(def.name);
        let mut exit = None;
        if fun.cx.opts.targets.contains(name) {
            fun.finish_with(Op::Error(ErrorKind::Reached(name.to_owned())), def.span);
        } else if let Some(why) = convention.trouble.filter(|_| def.body.is_some()) {
            fun.unsupported(why, def.span);
        } else if let Some(why) = def.unsupported {
            fun.unsupported(&unit.reasons[why], def.span);
        } else if let Some(body) = def.body {
            let n_captures = fun.cx.n_captures(entity);
            let n_params = fun.cx.functions[id].n_params;
            fun.va = convention.variadic.then(|| LocalId::from_index(n_params - n_captures - 1));
            if fun.cx.entry == Some(entity) && fun.cx.opts.globals == crate::Globals::Initial {
                fun.run_constructors(def.span);
            }
            let prepared = fun.cx.entry == Some(entity) && fun.cx.is_prepared(entity);
            fun.enter(def, prepared);
            fun.enter_captures(entity, n_params - n_captures);
            let entered = fun.cx.entry == Some(entity) && !fun.cx.opts.watched.is_empty();
            if let (true, Some(sig)) = (entered || fun.cx.is_watched(name), unit.types.signature(def.ty)) {
                exit = Some(fun.entry_event(def, sig.ret));
            }
            // The scope of the outermost block is the activation.
            fun.open_block(body);
            fun.fall_off(end);
        } else {
            if let (true, Some(sig)) = (fun.cx.is_watched(name), unit.types.signature(def.ty)) {
                exit = Some(fun.model_event(&sig.params, sig.ret, def.span));
            }
            fun.wrapper(name, entity, &convention, def.span);
        }
        let is_entry = fun.cx.entry == Some(entity);
        fun.land(is_entry, def.span);
        let Fun { cx, mut graph, mut locals, tracked, taken, declared, .. } = fun;
        let name = cx.functions[id].name.clone();
        for (l, v, behind) in declared {
            cx.declared.local(&name, &locals[l].name, u, unit.vars[v].ty, behind);
        }
        if let (Some(ret), Some(sig)) = (cx.functions[id].ret, unit.types.signature(def.ty)) {
            cx.declared.local(&name, &locals[ret].name, u, sig.ret, false);
        }
        scopes::bound_lifetimes(&mut graph);
        definite::assign_before_use(&mut graph, &locals, &tracked, cx.model);
        let checked = cx.opts.ub.get(Ub::NullDeref) == ir::UbPolicy::Checked;
        if checked && !sabotage::active(Fault::GuardOnMovedPointer) {
            moved::track(&mut graph, &mut locals, &taken);
        }
        if let Some(event) = exit {
            let result = cx.functions[id].ret;
            events::before_returns(cx, &mut graph, &mut locals, result, event, end);
        }
        let body = graph.finish();
        let function = &mut cx.functions[id];
        function.locals = locals;
        function.body = Some(body);
    }

    /// What runs before the program's own beginning.
    fn run_constructors(&mut self, span: Span) {
        for entity in self.cx.constructors() {
            let id = self.cx.declare(entity);
            if self.cx.functions[id].n_params > 0 {
                self.unsupported("constructor function with parameters", span);
                return;
            }
            self.emit(Op::Call(ir::Call { dst: None, callee: ir::Callee::Direct(id), args: Vec::new() }), span);
        }
    }

    /// Parameters come into being. Where the start of the program is prepared ([`crate::start`]), pointers and structures have
    /// homes of their own, so that nothing is left of what a caller could pass.
    fn enter(&mut self, def: &'a tree::Function, prepared: bool) {
        let hidden = usize::from(matches!(self.returns, Passing::Record(..)));
        for (i, &p) in def.params.iter().enumerate() {
            let var = &self.unit.vars[p];
            let passed = LocalId::from_index(hidden + i);
            match crate::context::Convention::param(&self.unit.types, var.ty) {
                Passing::Scalar(Ty::Ptr) if prepared && self.cx.makes_objects() => {
                    let name = self.locals[passed].name.clone();
                    self.locals[passed].name = self.unique(&format!("${name}"));
                    let taken = self.cx.taken[self.u as usize][p.index()];
                    let own = self.add_local(name, Shape::Scalar(Ty::Ptr), var.span, false, taken);
                    self.declared.push((own, p, false));
                    self.vars.insert(p, Home::At(Var::Local(own)));
                    self.cx.prepared.push((passed, own, var.ty));
                }
                Passing::Scalar(ty) if self.is_oddly_aligned(p, ty) => {
                    let Home::At(own) = self.declare_parameter(p) else { continue };
                    let place = crate::place::unnamed(Address::var(own), ty);
                    self.emit(Op::Assign(place, Expr::var(Var::Local(passed), ty)), var.span);
                }
                Passing::Scalar(_) | Passing::Void => {
                    self.locals[passed].constant = is_constant(&self.unit.types, var.ty);
                    self.declared.push((passed, p, false));
                    self.vars.insert(p, Home::At(Var::Local(passed)));
                    self.taken[passed.index()] = self.cx.taken[self.u as usize][p.index()];
                }
                Passing::Record(size, _) => {
                    let Home::At(own) = self.declare_parameter(p) else { continue };
                    if let (true, Var::Local(own)) = (prepared, own) {
                        // What the start puts there is not to be forgotten again.
                        self.tracked[own.index()] = false;
                        self.cx.prepared.push((passed, own, var.ty));
                        continue;
                    }
                    let src = Expr::var(Var::Local(passed), Ty::Ptr);
                    self.copy(Address::var(own), src, size, var.span);
                    self.blur_copied(&Address::var(own), var.ty, var.span);
                }
            }
        }
    }

    /// Variables of enclosing functions are behind the hidden parameters from `first` on.
    fn enter_captures(&mut self, (u, f): Entity<tree::FuncId>, first: usize) {
        let vars: Vec<VarId> = self.cx.captures[u as usize].of(f).collect();
        for (i, v) in vars.into_iter().enumerate() {
            self.vars.insert(v, Home::Behind(LocalId::from_index(first + i)));
        }
        self.captured = first..first + self.cx.n_captures((u, f));
    }

    /// The variables of the source that have a home and whose block has not ended; whether the home only points to them.
    pub(crate) fn declared_here(&self) -> Vec<(LocalId, VarId, bool)> {
        self.declared.iter().copied().filter(|(local, ..)| self.graph.scopes.is_alive(*local)).collect()
    }

    /// Whether the pointer is a hidden parameter that points to a variable of an enclosing function.
    pub(crate) fn is_capture(&self, ptr: &Expr) -> bool {
        let ir::ExprKind::Read(place) = &ptr.kind else { return false };
        matches!(place.as_var(), Some(Var::Local(l)) if self.captured.contains(&l.index()))
    }

    /// The end of the body is reached without `return`.
    fn fall_off(&mut self, end: Span) {
        match self.ret {
            None => self.emit_to(Op::Return(None), self.graph.exit, end),
            Some(ret) => {
                let ty = self.scalar_of(Var::Local(ret));
                let value = if self.name == "main" {
                    Expr::constant(ty, 0)
                } else {
                    let op = definite::uninit(ret, &self.locals[ret], self.model());
                    self.emit(op, end);
                    Expr::var(Var::Local(ret), ty)
                };
                self.emit_to(Op::Return(Some(value)), self.graph.exit, end);
            }
        }
    }

    /// The data model.
    pub(crate) fn model(&self) -> DataModel {
        self.cx.model
    }

    /// Whether what is lowered is a condition about a program rather than a part of one.
    pub(crate) fn is_condition(&self) -> bool {
        self.cx.effects[self.u as usize].total
    }

    /// Effects of an expression as a value.
    pub(crate) fn effects(&mut self, e: ExprId) -> Effects {
        self.oracle().value(e)
    }

    /// The table of effects.
    pub(crate) fn oracle(&mut self) -> EffectAnalysis<'_, 'a> {
        EffectAnalysis { table: &mut self.cx.effects[self.u as usize], unit: self.unit, opts: self.cx.opts }
    }

    /// The value type of a C type.
    pub(crate) fn scalar(&self, ty: TypeId) -> Option<Ty> {
        types::scalar(&self.unit.types, ty)
    }

    /// What a variable is made of.
    pub(crate) fn shape(&self, var: Var) -> Shape {
        match var {
            Var::Global(g) => self.cx.globals[g].shape,
            Var::Local(l) => self.locals[l].shape,
        }
    }

    /// The type of a scalar variable.
    pub(crate) fn scalar_of(&self, var: Var) -> Ty {
        self.shape(var).scalar().expect("the variable is a scalar")
    }

    // Control.

    /// Adds a step from here to a new location.
    pub(crate) fn emit(&mut self, op: Op, span: Span) {
        let to = self.graph.loc();
        self.emit_to(op, to, span);
        self.cur = to;
    }

    /// Adds a step from here to `to`; what follows is unreachable until control is put somewhere.
    pub(crate) fn emit_to(&mut self, op: Op, to: Loc, span: Span) {
        let guards = std::mem::take(&mut self.guards);
        self.graph.edge(self.cur, Some(to), guards, op, span);
        self.cur = self.graph.loc();
    }

    /// The run ends here.
    pub(crate) fn finish_with(&mut self, op: Op, span: Span) {
        self.cx.targets += u64::from(matches!(op, Op::Error(_)));
        let guards = std::mem::take(&mut self.guards);
        self.graph.edge(self.cur, None, guards, op, span);
        self.cur = self.graph.loc();
    }

    /// What stands here cannot be followed.
    ///
    /// In an operand that may be skipped, only runs that evaluate it come here.
    pub(crate) fn unsupported(&mut self, why: &str, span: Span) {
        let op = Op::Unsupported(why.to_owned());
        let Some(skipped) = self.skipped.iter().cloned().reduce(fold::or) else { return self.finish_with(op, span) };
        self.refused += 1;
        let guards = std::mem::take(&mut self.guards);
        let (here, on) = (self.graph.loc(), self.graph.loc());
        self.split(skipped, on, here, span);
        self.at(here);
        self.finish_with(op, span);
        self.at(on);
        self.guards = guards;
    }

    /// Control goes to `to`.
    pub(crate) fn goto(&mut self, to: Loc, span: Span) {
        self.emit_to(Op::Skip, to, span);
    }

    /// Control stands at `loc` from now on.
    pub(crate) fn at(&mut self, loc: Loc) {
        assert!(self.guards.is_empty(), "guards belong to the location they were evaluated at");
        self.cur = loc;
        self.graph.scopes.arrive(loc);
    }

    /// What `lower` makes lies in a block of the source.
    pub(crate) fn in_block<T>(&mut self, span: Span, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.graph.scopes.open();
        let made = lower(self);
        // Guards may name what ends here.
        self.flush(span);
        self.graph.scopes.close(outer);
        made
    }

    /// The value of a statement expression is computed in its block. What can be told from outside is whether it still names
    /// what has ended: then it is kept.
    pub(crate) fn value_of_block(&mut self, span: Span, lower: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let outer = self.graph.scopes.open();
        let mut value = lower(self);
        let taken = &self.taken;
        if self.graph.scopes.has_any(outer, |l| taken[l.index()]) {
            value = self.keep(value, span);
            self.flush(span);
        }
        self.graph.scopes.close(outer);
        value
    }

    /// Guards left over from an expression whose value nobody uses get a step of their own.
    pub(crate) fn flush(&mut self, span: Span) {
        if !self.guards.is_empty() {
            self.emit(Op::Skip, span);
        }
    }

    /// Adds a guard; one that always holds is left out.
    pub(crate) fn guard(&mut self, ub: Ub, cond: Expr) {
        if cond.as_const() == Some(1) {
            return;
        }
        if self.is_condition() {
            self.partial |= matches!(ub, Ub::DivByZero | Ub::DivOverflow | Ub::ShiftCount);
            return;
        }
        let guard = Guard { ub, cond };
        // `p->a + p->b` asks for `p` once.
        if !self.guards.iter().rev().take(8).any(|g| *g == guard) {
            self.guards.push(guard);
        }
    }

    // Variables.

    /// A name that no other local has.
    fn unique(&mut self, name: &str) -> String {
        match self.names.get_mut(name) {
            None => {
                self.names.insert(name.to_owned(), 1);
                name.to_owned()
            }
            Some(n) => {
                *n += 1;
                format!("{name}.{n}")
            }
        }
    }

    fn add_local(&mut self, name: String, shape: Shape, span: Span, tracked: bool, taken: bool) -> LocalId {
        let id = self.locals.push(Local { name, shape, constant: false, span });
        self.tracked.push(tracked);
        self.taken.push(taken);
        id
    }

    /// A new temporary.
    pub(crate) fn temp(&mut self, ty: Ty, span: Span) -> Var {
        self.n_temps += 1;
        let name = format!("$t{}", self.n_temps);
        Var::Local(self.add_local(name, Shape::Scalar(ty), span, false, false))
    }

    /// A new object of the activation, without contents.
    pub(crate) fn temp_object(&mut self, size: u64, align: u32, span: Span) -> Var {
        self.n_temps += 1;
        let name = format!("$t{}", self.n_temps);
        let shape = Shape::Object { size, align: align.max(1) };
        Var::Local(self.add_local(name, shape, span, false, true))
    }

    /// The value, kept in a temporary.
    pub(crate) fn keep(&mut self, e: Expr, span: Span) -> Expr {
        if e.as_const().is_some() {
            return e;
        }
        let ty = e.ty;
        let var = self.temp(ty, span);
        self.emit(Op::Assign(Place::var(var, ty), e), span);
        Expr::var(var, ty)
    }

    /// Whether a pointer may point to the variable.
    pub(crate) fn is_taken(&self, var: Var) -> bool {
        match var {
            Var::Global(_) => true,
            Var::Local(l) => self.taken[l.index()],
        }
    }

    /// Whether a pointer to the parameter can tell that it is not aligned as the IR takes a scalar to be.
    fn is_oddly_aligned(&self, p: VarId, ty: Ty) -> bool {
        let var = &self.unit.vars[p];
        let align = self.unit.types.variable_align(var.ty, var.attrs.align);
        self.cx.taken[self.u as usize][p.index()] && align < ty.size(self.model()).min(self.word())
    }

    fn word(&self) -> u64 {
        Ty::Ptr.size(self.model())
    }

    /// A home for a parameter: arguments lie where the convention puts them, which is aligned to a word at best.
    fn declare_parameter(&mut self, p: VarId) -> Home {
        self.declare_aligned(p, self.word())
    }

    /// A home for a variable of the function, new unless it has one.
    pub(crate) fn declare_local(&mut self, v: VarId) -> Home {
        self.declare_aligned(v, 1 << 30)
    }

    fn declare_aligned(&mut self, v: VarId, most: u64) -> Home {
        if let Some(&home) = self.vars.get(&v) {
            return home;
        }
        let var = &self.unit.vars[v];
        let types = &self.unit.types;
        let align = types.variable_align(var.ty, var.attrs.align).min(most);
        let taken = self.cx.taken[self.u as usize][v.index()];
        let shape = match (types::scalar(types, var.ty), types.size(var.ty)) {
            // Alignment that is not the type's matters where there is an address.
            (Some(ty), _) if !taken || !types::is_oddly_aligned(ty, align, self.model()) => Some(Shape::Scalar(ty)),
            (_, Some(size)) => Some(Shape::Object { size, align: align as u32 }),
            (Some(ty), None) => Some(Shape::Scalar(ty)),
            (None, None) => None,
        };
        let name = var.name.map_or("$hidden", |s| self.unit.name(s));
        let name = self.unique(name);
        let home = match shape {
            Some(_) if taken && var.storage == Storage::Auto && crate::identity::is_empty(self.unit, v) => {
                Home::Behind(self.add_local(name, Shape::Scalar(Ty::Ptr), var.span, true, false))
            }
            Some(shape) => Home::At(Var::Local(self.add_local(name, shape, var.span, true, taken))),
            None if types.is_vla(var.ty) => {
                Home::Behind(self.add_local(name, Shape::Scalar(Ty::Ptr), var.span, true, false))
            }
            None => Home::Trouble(types::why_not(types, var.ty)),
        };
        match home {
            Home::At(Var::Local(l)) => {
                self.locals[l].constant = is_constant(types, var.ty);
                self.declared.push((l, v, false));
            }
            Home::Behind(l) => self.declared.push((l, v, true)),
            Home::At(Var::Global(_)) | Home::Outside(_) | Home::Trouble(_) => {}
        }
        self.vars.insert(v, home);
        home
    }

    /// Where a variable is.
    pub(crate) fn home(&mut self, v: VarId) -> Home {
        let var = &self.unit.vars[v];
        if global::is_static(var.storage) {
            return match self.cx.global(self.u, v) {
                GlobalHome::At(g) => Home::At(Var::Global(g)),
                GlobalHome::Behind(g) => Home::Outside(g),
                GlobalHome::Trouble(why) => Home::Trouble(why),
            };
        }
        match (var.storage, var.owner) {
            (Storage::Auto | Storage::Param, Some(f)) if Some(f) != self.func && !self.vars.contains_key(&v) => {
                Home::Trouble("variable of an enclosing function")
            }
            _ => self.declare_local(v),
        }
    }

    // Addresses.

    /// The address as a pointer value.
    pub(crate) fn pointer(&self, addr: Address) -> Expr {
        match addr {
            Address { base: ir::Base::Ptr(p), offset: 0, indices } if indices.is_empty() => *p,
            // `&((struct s *)0)->f` is a number.
            Address { base: ir::Base::Ptr(p), offset, indices } if indices.is_empty() && p.as_const().is_some() => {
                let at = p.as_const().unwrap_or(0).wrapping_add(offset as i128 as u128);
                Expr::constant(Ty::Ptr, at & fold::mask(self.model().ptr_width()))
            }
            addr => Expr::addr(addr),
        }
    }

    /// Where a pointer value points.
    pub(crate) fn pointed(&self, ptr: Expr) -> Address {
        match ptr.kind {
            ir::ExprKind::Addr(addr) => addr,
            _ => Address::ptr(ptr),
        }
    }

    /// `bytes` further on.
    pub(crate) fn advance(&self, mut addr: Address, bytes: i64) -> Address {
        addr.offset = addr.offset.wrapping_add(bytes);
        addr
    }

    /// `index * stride` bytes further on.
    pub(crate) fn step(&self, mut addr: Address, index: Expr, stride: i64) -> Address {
        let index = fold::convert(self.model().index_ty(), index, self.model());
        if let (Some(c), Ty::Int(i)) = (index.as_const(), index.ty) {
            addr.offset = addr.offset.wrapping_add((i.extend(c) as i64).wrapping_mul(stride));
        } else if stride != 0 {
            addr.indices.push(Index { value: index, stride });
        }
        addr
    }

    /// A number of bytes.
    pub(crate) fn bytes(&self, n: u64) -> Expr {
        Expr::constant(self.model().size_ty(), u128::from(n))
    }

    /// Copies an object; both sides are known to be there.
    pub(crate) fn copy(&mut self, dst: Address, src: Expr, size: u64, span: Span) {
        if size > 0 {
            let op = Op::CopyRange { dst: self.pointer(dst), src, len: self.bytes(size) };
            self.emit(op, span);
        }
    }
}

fn last_byte(span: Span) -> Span {
    Span::new(span.file, span.hi.saturating_sub(1), span.hi)
}

/// Whether an object of this type is a constant: nobody may write it once it has its value.
fn is_constant(types: &cfront::types::Types, ty: TypeId) -> bool {
    let quals = types.quals(ty);
    quals.has(cfront::types::Quals::CONST) && !quals.has(cfront::types::Quals::VOLATILE)
}

//! What the outside knows of the program's globals when the run begins ([`ir::Exposure`]).
//!
//! - Objects that are declared and never defined live outside.
//! - With `--externs any` the outside knows every global with external linkage, so it also knows what those hold that the program
//!   never mentions (their initialisers are read here), and what functions of the program give to whoever calls them: the
//!   address of a static that a function with external linkage returns or stores behind its parameters. Of functions that the
//!   run cannot reach only the outside can make use; every static whose address they have is known.
//! - An entry other than `main` is called by the outside, or by a part of the program that the run does not contain. If it can be
//!   given pointers, these may point to all globals with external linkage and to every static whose address is taken.

use crate::context::{Context, GlobalHome};
use crate::link::Entity;
use crate::{Globals, Params};
use base::sabotage::{self, Fault};
use base::{Id, IndexVec};
use cfront::tree::{self, ExprId, ExprKind, InitValue, Storage, Unit, VarId};
use cfront::types::{Type, TypeId, Types};
use ir::{
    Address, Base, Call, Callee, Exposure, Expr, Externs, FuncId, GlobalId, Init, Linkage, LocalId, Op, Place, Ty, Var,
};
use std::collections::BTreeSet;

impl Context<'_> {
    /// Marks what the outside knows, when everything has been lowered, and makes globals arbitrary where the run does not
    /// begin with the program.
    pub(crate) fn expose_globals(&mut self, entry: FuncId) {
        if !sabotage::active(Fault::ExternObjectsStay) {
            for entity in self.all_variables() {
                if self.is_outside(entity) {
                    self.expose(entity, Exposure::Known);
                }
            }
        }
        if self.opts.globals == Globals::Arbitrary && !sabotage::active(Fault::EntryFindsGlobalsInitial) {
            self.forget_globals();
        }
        let given = self.opts.entry != "main" && self.entry_is_given_pointers(entry);
        if given && !sabotage::active(Fault::ParametersPointOutside) {
            for entity in self.all_variables() {
                let external = self.variable(entity).linkage == tree::Linkage::External;
                if external || self.taken[entity.0 as usize][entity.1.index()] {
                    self.expose(entity, Exposure::Known);
                }
            }
            let texts: Vec<GlobalId> = self.strings.values().copied().collect();
            texts.into_iter().for_each(|g| self.globals[g].exposure = Exposure::Known);
        }
        if self.opts.externs == Externs::Any {
            self.expose_unmentioned();
            self.expose_unreached();
            self.expose_results();
        }
    }

    fn variable(&self, (u, var): Entity<VarId>) -> &tree::Var {
        &self.units[u as usize].vars[var]
    }

    /// All variables of static storage, each once.
    fn all_variables(&self) -> Vec<Entity<VarId>> {
        let all = self.units.iter().enumerate().flat_map(|(u, unit)| {
            let ours = unit.vars.iter_enumerated().filter(|(_, v)| lives_long(v));
            ours.map(move |(id, _)| (u as u32, id))
        });
        let all: BTreeSet<Entity<VarId>> = all.map(|(u, v)| self.link.var(self.units, u, v)).collect();
        all.into_iter().collect()
    }

    /// The outside knows this much of a variable, if the program has it.
    fn expose(&mut self, entity: Entity<VarId>, exposure: Exposure) {
        if let Some(GlobalHome::At(id)) = self.home_of(entity) {
            let global = &mut self.globals[id];
            global.exposure = global.exposure.max(exposure);
        }
    }

    /// Whether the entry function can be given pointers: by its parameters, or by globals that are arbitrary.
    fn entry_is_given_pointers(&self, entry: FuncId) -> bool {
        let f = &self.functions[entry];
        let hidden = |name: &str| name == "$dst";
        let passes = f.params().any(|p| f.locals[p].shape.scalar() == Some(Ty::Ptr) && !hidden(&f.locals[p].name));
        let numbers = || self.functions.iter().filter_map(|f| f.body.as_ref()).any(makes_pointers);
        let arbitrary = || {
            self.all_variables().into_iter().any(|entity| {
                let types = &self.units[entity.0 as usize].types;
                let unknown = |id: GlobalId| self.globals[id].init == Init::Unknown;
                let held = matches!(self.home_of(entity), Some(GlobalHome::At(id)) if unknown(id));
                held && holds_pointers(types, self.variable(entity).ty)
            })
        };
        passes && self.opts.params != Params::Distinct || numbers() || arbitrary()
    }

    /// Globals have any value, but for constants and statics that nothing in their unit can ever write.
    fn forget_globals(&mut self) {
        let written: Vec<Vec<bool>> = self.units.iter().map(written_variables).collect();
        for entity in self.all_variables() {
            let Some(GlobalHome::At(id)) = self.home_of(entity) else { continue };
            let (u, v) = (entity.0 as usize, entity.1.index());
            let hidden = self.globals[id].linkage == Linkage::Internal;
            let stays = hidden && !self.taken[u][v] && !written[u][v];
            if !self.globals[id].constant && !stays {
                self.globals[id].init = Init::Unknown;
            }
        }
    }

    /// Globals with external linkage that the program does not mention keep what they start with, for all it knows: what their
    /// initialisers name is known outside.
    fn expose_unmentioned(&mut self) {
        let external = |cx: &Self, e: &Entity<VarId>| cx.variable(*e).linkage == tree::Linkage::External;
        let mut todo: Vec<_> = self.all_variables().into_iter().filter(|e| external(self, e)).collect();
        let mut seen: BTreeSet<Entity<VarId>> = todo.iter().copied().collect();
        while let Some(entity) = todo.pop() {
            if self.home_of(entity).is_some() {
                // What the program has, with its contents, is followed there.
                self.expose(entity, Exposure::Known);
                continue;
            }
            let unit = &self.units[entity.0 as usize];
            let named = self.variable(entity).init.map_or_else(Vec::new, |init| named_by(unit, init));
            for v in named {
                let next = self.link.var(self.units, entity.0, v);
                if lives_long(self.variable(next)) && seen.insert(next) {
                    todo.push(next);
                }
            }
        }
    }

    /// Functions that the run does not reach are there for the outside alone.
    fn expose_unreached(&mut self) {
        for (u, unit) in self.units.iter().enumerate() {
            for (f, def) in unit.funcs.iter_enumerated().filter(|(_, f)| f.body.is_some()) {
                if self.is_declared((u as u32, f)) {
                    continue;
                }
                for i in def.exprs.0..def.exprs.1 {
                    let ExprKind::Var(v) = unit.exprs[Id::from_index(i as usize)].kind else { continue };
                    if lives_long(&unit.vars[v]) {
                        let entity = self.link.var(self.units, u as u32, v);
                        let taken = self.taken[u][v.index()];
                        self.expose(entity, if taken { Exposure::Known } else { Exposure::Read });
                    }
                }
            }
        }
    }

    /// What functions with external linkage return, or store behind their parameters.
    fn expose_results(&mut self) {
        let mut flow = Flow::new(&self.functions);
        while flow.round(&self.functions) {}
        for source in flow.given {
            match source {
                Source::Address(g) => self.globals[g].exposure = Exposure::Known,
                Source::Contents(g) => self.globals[g].exposure = self.globals[g].exposure.max(Exposure::Read),
                Source::Caller => {}
            }
        }
    }
}

/// Whether a variable is there from the start of the program.
fn lives_long(v: &tree::Var) -> bool {
    matches!(v.storage, Storage::Static | Storage::Thread)
}

/// Whether a body makes pointers from numbers.
fn makes_pointers(body: &ir::Body) -> bool {
    struct Finds(bool);
    impl ir::walk::Visitor for Finds {
        fn expr(&mut self, e: &Expr) {
            if let ir::ExprKind::Convert(a) = &e.kind {
                self.0 |= e.ty == Ty::Ptr && a.ty != Ty::Ptr && a.as_const().is_none();
            }
        }
    }
    let mut finds = Finds(false);
    body.edges.iter().for_each(|e| ir::walk::walk_edge(e, &mut finds));
    finds.0
}

/// Whether a value of the type has pointers in it.
pub(crate) fn holds_pointers(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Pointer(_) | Type::Function(_) | Type::Void => true,
        Type::Array(elem, _) => holds_pointers(types, *elem),
        Type::Record(r) => {
            let record = &types.records[*r];
            !record.complete || record.fields.iter().any(|f| holds_pointers(types, f.ty))
        }
        Type::Int(_) | Type::Float(_) | Type::Complex(_) | Type::Vector(..) | Type::Enum(_) => false,
    }
}

/// The variables that an initialiser names.
fn named_by(unit: &Unit, init: tree::InitId) -> Vec<VarId> {
    let mut todo: Vec<ExprId> = Vec::new();
    let mut named = Vec::new();
    let entries = |init: tree::InitId| {
        unit.inits[init].entries.iter().filter_map(|e| match e.value {
            InitValue::Expr(x) => Some(x),
            InitValue::Str(_) => None,
        })
    };
    todo.extend(entries(init));
    while let Some(e) = todo.pop() {
        match unit.exprs[e].kind {
            ExprKind::Var(v) => named.push(v),
            // The hidden variable is one of static storage with an initialiser of its own.
            ExprKind::CompoundLiteral(v) => named.push(v),
            ExprKind::AddrOf(x)
            | ExprKind::Deref(x)
            | ExprKind::Member(x, _)
            | ExprKind::Unary(_, x)
            | ExprKind::Cast(_, x, _) => todo.push(x),
            ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) => todo.extend([a, b]),
            ExprKind::Cond(c, a, b) => todo.extend([c, a, b]),
            _ => {}
        }
    }
    named
}

/// The variables that some expression or inline assembly of the unit writes by name.
fn written_variables(unit: &Unit) -> Vec<bool> {
    let mut written = vec![false; unit.vars.len()];
    let mut write = |mut place: ExprId| {
        while let ExprKind::Member(base, _) = unit.exprs[place].kind {
            place = base;
        }
        if let ExprKind::Var(v) = unit.exprs[place].kind {
            written[v.index()] = true;
        }
    };
    for e in &unit.exprs {
        match e.kind {
            ExprKind::Assign(place, _) | ExprKind::AssignOp { lhs: place, .. } | ExprKind::IncDec { place, .. } => {
                write(place);
            }
            ExprKind::Builtin(_, args) => unit.list(args).iter().for_each(|&a| write(a)),
            _ => {}
        }
    }
    unit.asms.iter().flat_map(|a| a.outputs.iter().chain(&a.inputs)).for_each(|o| write(o.expr));
    written
}

/// Where a pointer comes from, as far as that matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// It is the address of a global.
    Address(GlobalId),
    /// A global holds it, or something reached from there does.
    Contents(GlobalId),
    /// The caller of a function with external linkage gave it.
    Caller,
}

type Sources = BTreeSet<Source>;

/// Which pointers the outside gets by calling functions of the program: sets that only grow, whatever the order of steps.
struct Flow {
    locals: IndexVec<FuncId, IndexVec<LocalId, Sources>>,
    given: Sources,
    changed: bool,
}

impl Flow {
    fn new(functions: &IndexVec<FuncId, ir::Function>) -> Flow {
        let of = |f: &ir::Function| {
            let outside = |l: LocalId| f.linkage == Linkage::External && l.index() < f.n_params;
            f.locals.ids().map(|l| if outside(l) { [Source::Caller].into() } else { Sources::new() }).collect()
        };
        Flow { locals: functions.iter().map(of).collect(), given: Sources::new(), changed: false }
    }

    /// Looks at every edge once; whether anything was new.
    fn round(&mut self, functions: &IndexVec<FuncId, ir::Function>) -> bool {
        self.changed = false;
        for (func, f) in functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                match &edge.op {
                    Op::Assign(place, e) => self.assign(func, place, e),
                    Op::Return(Some(e)) => {
                        let sources = self.expr(func, e);
                        if let Some(ret) = f.ret {
                            self.add(func, ret, &sources);
                        }
                        if f.linkage == Linkage::External {
                            self.give(&sources);
                        }
                    }
                    Op::Call(call) => self.call(functions, func, call),
                    _ => {}
                }
            }
        }
        self.changed
    }

    fn add(&mut self, func: FuncId, local: LocalId, sources: &Sources) {
        let known = &mut self.locals[func][local];
        let before = known.len();
        known.extend(sources);
        self.changed |= known.len() > before;
    }

    fn give(&mut self, sources: &Sources) {
        let before = self.given.len();
        self.given.extend(sources);
        self.changed |= self.given.len() > before;
    }

    fn assign(&mut self, func: FuncId, place: &Place, e: &Expr) {
        let sources = self.expr(func, e);
        match &place.addr.base {
            Base::Var(Var::Local(l)) => self.add(func, *l, &sources),
            Base::Ptr(p) if self.expr(func, p).contains(&Source::Caller) => self.give(&sources),
            // What is stored in a global is followed by whoever looks at that.
            Base::Ptr(_) | Base::Var(Var::Global(_)) => {}
        }
    }

    fn call(&mut self, functions: &IndexVec<FuncId, ir::Function>, func: FuncId, call: &Call) {
        let Callee::Direct(callee) = call.callee else { return };
        let f = &functions[callee];
        for (p, arg) in f.params().zip(&call.args) {
            let sources = self.expr(func, arg);
            self.add(callee, p, &sources);
        }
        if let (Some(Var::Local(dst)), Some(ret)) = (call.dst, f.ret) {
            let sources = self.locals[callee][ret].clone();
            self.add(func, dst, &sources);
        }
    }

    fn expr(&self, func: FuncId, e: &Expr) -> Sources {
        use ir::ExprKind;
        match &e.kind {
            ExprKind::Addr(addr) => self.address(func, addr),
            ExprKind::Read(place) => match &place.addr.base {
                Base::Var(Var::Local(l)) => self.locals[func][*l].clone(),
                _ => self.address(func, &place.addr).into_iter().map(held).collect(),
            },
            ExprKind::Convert(a) => self.expr(func, a),
            ExprKind::Ite(_, a, b) => &self.expr(func, a) | &self.expr(func, b),
            _ => Sources::new(),
        }
    }

    fn address(&self, func: FuncId, addr: &Address) -> Sources {
        match &addr.base {
            Base::Var(Var::Global(g)) => [Source::Address(*g)].into(),
            Base::Var(Var::Local(l)) => self.locals[func][*l].clone(),
            Base::Ptr(p) => self.expr(func, p),
        }
    }
}

/// What is read where a pointer points.
fn held(source: Source) -> Source {
    match source {
        Source::Address(g) | Source::Contents(g) => Source::Contents(g),
        Source::Caller => Source::Caller,
    }
}

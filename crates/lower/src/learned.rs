//! What the outside may have learned from the program before the run begins.
//!
//! Where the run begins with another function than `main`, the outside may have called whatever it can name, in any order: it
//! has what these functions returned or stored outside, and what they told undefined functions. With `--externs any` it
//! has as much, from all functions but those that only `main` calls, and it can read every global with external linkage. So
//! statics may be known although the run never gives them away, and functions of the program may be called back although the
//! run never mentions them.
//!
//! All functions are lowered for this, reached or not, with one more that stands for the outside: it calls every function that
//! it can name and every one whose address is taken, with anything, and gives the results away. What has escaped then, in the
//! analysis of pointers, may be known. The analysis knows no order of steps, so neither does this. A function that was not
//! lowered fully tells all that it names.

use crate::context::{Context, GlobalHome};
use crate::link::{self, Entity};
use crate::outside::{has_static_lifetime, named_by};
use crate::{Callbacks, Options, Params, callbacks};
use base::sabotage::{self, Fault};
use base::{Diagnostic, Id, IndexVec, Span};
use cfront::tree::{self, ExprKind, Unit, VarId};
use ir::cfg::AddressTaken;
use ir::library::Library;
use ir::{
    Body, Call, Callee, Edge, Exposure, Expr, Externs, FuncId, Function, GlobalId, HavocDst, Init, Linkage, Loc, Local,
    LocalId, Location, Op, Place, Program, Shape, Source, Ty, Var,
};
use pointsto::{Object, Solution, Targets};
use std::collections::{BTreeMap, BTreeSet};

/// What the outside may know when the run begins.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    /// Variables, and how much of them.
    pub(crate) variables: BTreeMap<Entity<VarId>, Exposure>,
    /// Functions that it may call.
    pub(crate) functions: BTreeSet<Entity<tree::FuncId>>,
    /// Some string literal.
    pub(crate) strings: bool,
}

/// What the outside may know of a program that begins with `entry`.
pub(crate) fn learn(
    units: &[Unit],
    options: &Options,
    entry: Entity<tree::FuncId>,
) -> Result<Learned, Vec<Diagnostic>> {
    let from_main = options.entry == "main" && options.globals != crate::Globals::Arbitrary;
    let mut learned = Learned::default();
    if options.callbacks == Callbacks::Named {
        learned.functions = named_functions(units, options, entry);
    }
    if from_main && options.externs != Externs::Any || sabotage::active(Fault::OutsideLearnsNothing) {
        return Ok(learned);
    }
    let everything = Options { everything: true, params: Params::Any, ..options.clone() };
    let mut cx = Context::new(units, &everything, link::link(units)?);
    let (mut program, first, given) = cx.lower_everything(entry, options.params);
    let entry_id = cx.id_of(entry).filter(|_| from_main);
    let taken = AddressTaken::new(&program);
    let called: Vec<FuncId> = program
        .functions
        .iter_enumerated()
        .filter(|(id, f)| f.body.is_some() && (f.linkage == Linkage::External || taken.functions[*id]))
        .map(|(id, _)| id)
        .filter(|id| Some(*id) != entry_id)
        .collect();
    if from_main {
        forget_what_is_given_away(&mut program, &called);
    }
    call_all(&mut program, first, &called);
    if !pointsto::applies(&program) {
        cx.all_that_is_named(&mut learned, |_| true);
        return Ok(learned);
    }
    let partly: Vec<bool> = program.functions.iter().map(lowered_partly).collect();
    cx.all_that_is_named(&mut learned, |f| partly[f.index()] && Some(f) != entry_id);
    cx.all_that_initialisers_name(&mut learned);
    // What is named there is known as well as what was found out so far.
    for (&entity, &exposure) in &learned.variables {
        if let Some(GlobalHome::At(id)) = cx.home_of(entity) {
            program.globals[id].exposure = program.globals[id].exposure.max(exposure);
        }
    }
    let taken = AddressTaken::new(&program);
    let solution = pointsto::analyze(&program, &taken);
    cx.put_down(&mut learned, &solution, given);
    let mut functions = callbacks::named_outside(&program, &solution);
    functions.extend(&solution.functions);
    if options.callbacks >= Callbacks::Later {
        functions.extend(callbacks::given(&program));
    }
    cx.put_down_functions(&mut learned, &functions);
    Ok(learned)
}

/// The functions that the outside can name, but for the entry and those that must not be entered.
fn named_functions(units: &[Unit], options: &Options, entry: Entity<tree::FuncId>) -> BTreeSet<Entity<tree::FuncId>> {
    let mut all = BTreeSet::new();
    for (u, unit) in (0..).zip(units) {
        let external = |f: &tree::Function| f.linkage == tree::Linkage::External && f.body.is_some();
        let functions = unit.funcs.iter_enumerated().filter(|(_, f)| external(f));
        let ours = functions.filter(|(_, f)| !options.targets.contains(unit.name(f.name)));
        all.extend(ours.map(|(id, _)| (u, id)).filter(|&f| f != entry));
    }
    all
}

/// Whether a function has edges that stand for something that was not lowered: what comes behind is not there.
fn lowered_partly(f: &Function) -> bool {
    f.body.iter().flat_map(|b| &b.edges).any(|e| ir::calls::is_unsupported_construct(&e.op))
}

impl Context<'_> {
    /// All functions that are defined and all variables with external linkage; and whether the entry can be given pointers.
    fn lower_everything(&mut self, entry: Entity<tree::FuncId>, params: Params) -> (Program, Vec<Op>, bool) {
        let main = self.declare(entry);
        for (u, unit) in self.units.iter().enumerate() {
            for (f, _) in unit.funcs.iter_enumerated().filter(|(_, f)| f.body.is_some()) {
                let entity = self.link.func(self.units, u as u32, f);
                self.declare(entity);
            }
            for (v, var) in unit.vars.iter_enumerated() {
                if has_static_lifetime(var) && var.linkage == tree::Linkage::External && var.init.is_some() {
                    self.global(u as u32, v);
                }
            }
        }
        self.lower_pending();
        self.expose_outside();
        let given = self.opts.entry != "main" && self.entry_is_given_pointers(main, params);
        if given {
            self.expose_to_parameters();
        }
        let first = self.first.iter().map(|(op, _)| op.clone()).collect();
        (self.so_far(main), first, given)
    }

    /// Everything that functions name: statics, and functions other than to call them.
    fn all_that_is_named(&self, learned: &mut Learned, of: impl Fn(FuncId) -> bool) {
        for (u, unit) in self.units.iter().enumerate() {
            for (f, def) in unit.funcs.iter_enumerated().filter(|(_, f)| f.body.is_some()) {
                if !self.id_of((u as u32, f)).is_some_and(&of) {
                    continue;
                }
                for i in def.exprs.0..def.exprs.1 {
                    match unit.exprs[Id::from_index(i as usize)].kind {
                        ExprKind::Var(v) | ExprKind::CompoundLiteral(v) if has_static_lifetime(&unit.vars[v]) => {
                            let entity = self.link.var(self.units, u as u32, v);
                            let exposure = if self.taken[u][v.index()] { Exposure::Known } else { Exposure::Read };
                            learned.knows(entity, exposure);
                        }
                        ExprKind::Func(g) => {
                            learned.functions.insert(self.link.func(self.units, u as u32, g));
                        }
                        _ => {}
                    }
                }
            }
        }
        learned.functions.retain(|&entity| self.has_body(entity));
    }

    /// The same of initialisers that were not lowered.
    fn all_that_initialisers_name(&self, learned: &mut Learned) {
        for entity in self.all_variables() {
            let unit = &self.units[entity.0 as usize];
            let lost =
                matches!(self.home_of(entity), Some(GlobalHome::At(id)) if self.globals[id].init == Init::Unknown);
            if let (true, Some(init)) = (lost, unit.vars[entity.1].init) {
                let (variables, functions) = named_by(unit, init);
                for v in variables.into_iter().filter(|&v| has_static_lifetime(&unit.vars[v])) {
                    learned.knows(self.link.var(self.units, entity.0, v), Exposure::Known);
                }
                let functions = functions.into_iter().map(|f| self.link.func(self.units, entity.0, f));
                learned.functions.extend(functions.filter(|&f| self.has_body(f)));
            }
        }
    }

    /// The variables that have escaped, and those that lead to other objects which have: what they hold is known.
    fn put_down(&self, learned: &mut Learned, solution: &Solution, strings: bool) {
        let leading = leading_outside(solution);
        for entity in self.all_variables() {
            let Some(GlobalHome::At(id)) = self.home_of(entity) else { continue };
            if solution.escaped.contains(&Object::Global(id)) {
                learned.knows(entity, Exposure::Known);
            } else if leading.contains(&Object::Global(id)) {
                learned.knows(entity, Exposure::Read);
            }
        }
        let text = |g: GlobalId| solution.escaped.contains(&Object::Global(g));
        learned.strings = strings || self.strings.values().any(|&g| text(g));
    }

    fn put_down_functions(&self, learned: &mut Learned, functions: &BTreeSet<FuncId>) {
        for (u, unit) in self.units.iter().enumerate() {
            for (f, _) in unit.funcs.iter_enumerated().filter(|(_, f)| f.body.is_some()) {
                let entity = (u as u32, f);
                if self.id_of(entity).is_some_and(|id| functions.contains(&id)) {
                    learned.functions.insert(entity);
                }
            }
        }
    }
}

/// The objects from which pointers lead to allocations and locals that have escaped. They have no name by which they could be
/// known before the run makes them, so whatever leads there is read by the outside.
fn leading_outside(solution: &Solution) -> BTreeSet<Object> {
    let nameless = |o: &Object| matches!(o, Object::Site(_) | Object::Local(..));
    let mut leading = BTreeSet::new();
    if !solution.escaped.iter().any(nameless) {
        return leading;
    }
    loop {
        // A set of unknown origin does not name what has escaped.
        let leads = |targets: &Targets, known: &BTreeSet<Object>| {
            let to = |o: &Object| *o == Object::Ext || nameless(o) && solution.escaped.contains(o) || known.contains(o);
            targets.keys().any(to)
        };
        let plain = solution.globals.iter_enumerated().map(|(g, targets)| (Object::Global(g), targets));
        let held = solution.contents.iter().flat_map(|(&o, slots)| slots.values().map(move |targets| (o, targets)));
        let more: BTreeSet<Object> =
            plain.chain(held).filter(|(_, targets)| leads(targets, &leading)).map(|(o, _)| o).collect();
        if more.is_subset(&leading) {
            return leading;
        }
        leading.extend(more);
    }
}

impl Learned {
    fn knows(&mut self, entity: Entity<VarId>, exposure: Exposure) {
        let known = self.variables.entry(entity).or_default();
        *known = exposure.max(*known);
    }
}

/// Functions that only the start of the program calls store what they store, but what they tell the outside is told in the run.
fn forget_what_is_given_away(program: &mut Program, called: &[FuncId]) {
    let mut theirs = IndexVec::<FuncId, bool>::filled(false, program.functions.len());
    let mut todo: Vec<FuncId> = called.to_vec();
    while let Some(f) = todo.pop() {
        if std::mem::replace(&mut theirs[f], true) {
            continue;
        }
        for edge in program.functions[f].body.iter().flat_map(|b| &b.edges) {
            // A call through a pointer runs a function whose address is taken, and those are called by the outside, too.
            if let Op::Call(Call { callee: Callee::Direct(g), .. }) = edge.op {
                todo.push(g);
            }
        }
    }
    let undefined: IndexVec<FuncId, bool> =
        program.functions.iter().map(|f| f.body.is_none() && Library::of(f).is_none()).collect();
    let read: IndexVec<GlobalId, bool> = program.globals.ids().map(|g| program.read_outside(g)).collect();
    for (function, _) in program.functions.iter_mut().zip(&theirs).filter(|(_, theirs)| !**theirs) {
        for edge in function.body.iter_mut().flat_map(|b| b.edges.iter_mut()) {
            match &mut edge.op {
                Op::Call(Call { callee: Callee::Direct(g), args, .. }) if undefined[*g] => args.clear(),
                Op::Assign(place, _) if matches!(place.addr.base, ir::Base::Var(Var::Global(g)) if read[g]) => {
                    edge.op = Op::Skip;
                }
                _ => {}
            }
        }
    }
}

/// Adds a function that does what is done first, calls all of these with anything and gives their results away.
fn call_all(program: &mut Program, first: Vec<Op>, called: &[FuncId]) {
    let span = program.functions[program.entry].span;
    let number = program.model.size_ty();
    let mut outside = Caller { locals: IndexVec::new(), ops: first, span };
    for &f in called {
        let callee = &program.functions[f];
        let params: Vec<Ty> = callee.params().filter_map(|p| callee.locals[p].shape.scalar()).collect();
        let args = params.into_iter().map(|ty| outside.anything(ty)).collect();
        let pointer = callee.ret_ty() == Some(Ty::Ptr);
        let result = pointer.then(|| outside.local(Ty::Ptr));
        outside.ops.push(Op::Call(Call { dst: result.map(Var::Local), callee: Callee::Direct(f), args }));
        if let Some(result) = result {
            let known = outside.local(number);
            let value = Expr::convert(number, Expr::var(Var::Local(result), Ty::Ptr));
            outside.ops.push(Op::Assign(Place::var(Var::Local(known), number), value));
        }
    }
    program.functions.push(outside.function(".outside"));
}

/// A function under construction, without branches.
struct Caller {
    locals: IndexVec<LocalId, Local>,
    ops: Vec<Op>,
    span: Span,
}

impl Caller {
    fn local(&mut self, ty: Ty) -> LocalId {
        let name = format!("$outside{}", self.locals.len());
        self.locals.push(Local { name, shape: Shape::Scalar(ty), constant: false, span: self.span })
    }

    fn anything(&mut self, ty: Ty) -> Expr {
        let var = Var::Local(self.local(ty));
        let source = Source::Outside("argument from outside".to_owned());
        self.ops.push(Op::Havoc(HavocDst::Place(Place::var(var, ty)), source));
        Expr::var(var, ty)
    }

    fn function(self, name: &str) -> Function {
        let span = self.span;
        let n = self.ops.len();
        let at = Loc::from_index;
        let ops = self.ops.into_iter().chain([Op::Return(None)]).enumerate();
        let edges = ops.map(|(i, op)| Edge { from: at(i), to: Some(at(i + 1)), guards: Vec::new(), op, span });
        let locations = (0..n + 2).map(|_| Location { label: None, span }).collect();
        let body = Body { entry: at(0), exit: at(n + 1), locations, edges: edges.collect() };
        Function {
            name: name.to_owned(),
            linkage: Linkage::Internal,
            n_params: 0,
            variadic: false,
            locals: self.locals,
            ret: None,
            body: Some(body),
            span,
        }
    }
}

//! The program being built: which functions and globals it has so far, and what is still to be lowered.
//!
//! Entities enter on first mention, so a program holds exactly what its entry function can reach; their order is the order
//! of discovery, breadth first over functions, and depends on nothing else. A function's parameters and result are fixed
//! when it is declared ([`Convention`]); its body comes when the queue reaches it.

use crate::decays::Decays;
use crate::declared::Declarer;
use crate::effects::EffectTable;
use crate::exposure::Exposure;
use crate::function::Fun;
use crate::learned::Learned;
use crate::link::{Entity, Link};
use crate::model::Streams;
use crate::nested::Captures;
use crate::padding::HoleTable;
use crate::readable::STANDARD_STREAMS;
use crate::{Options, types};
use base::{IndexVec, Span};
use cfront::symbol::Symbol;
use cfront::tree::{self, CastKind, ExprKind, StrId, Unit, VarId};
use cfront::types::{TypeId, Types};
use ir::{DataModel, Function, Global, GlobalId, Linkage, Local, LocalId, Program, Shape, Site, SiteId, Ty};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// Symbols that GNU ld defines for the ends of the program's data, besides the `__start_s` and `__stop_s` of each section.
const LINKER: [&str; 7] = ["__bss_start", "__data_start", "_edata", "_end", "_etext", "__etext", "etext"];

/// How a value is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// No value.
    Void,
    /// As itself.
    Scalar(Ty),
    /// As a pointer to an object of this size and alignment.
    Record(u64, u32),
}

impl Passing {
    /// The type of a value that is passed as itself.
    pub(crate) fn scalar(self) -> Option<Ty> {
        match self {
            Passing::Scalar(ty) => Some(ty),
            Passing::Void | Passing::Record(..) => None,
        }
    }
}

/// How a function is called.
#[derive(Clone, Debug)]
pub(crate) struct Convention {
    /// The result.
    pub(crate) ret: Passing,
    /// The parameters of the source.
    pub(crate) params: Vec<Passing>,
    /// Further arguments are allowed.
    pub(crate) variadic: bool,
    /// Some type of the signature has no place in the IR.
    pub(crate) trouble: Option<&'static str>,
}

/// Where a variable of static storage is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GlobalHome {
    /// In this global.
    At(GlobalId),
    /// Outside, where the value of this global points: an `extern` object of unknown size.
    Behind(GlobalId),
    /// Nowhere, for this reason.
    Trouble(&'static str),
}

/// What [`Context::run`] makes.
pub(crate) struct Made {
    /// The program.
    pub(crate) program: Program,
    /// C statements in it.
    pub(crate) statements: u64,
    /// Targets in it.
    pub(crate) targets: u64,
    /// What was watched.
    pub(crate) events: crate::events::Events,
}

/// The program being built.
pub(crate) struct Context<'a> {
    /// The translation units.
    pub(crate) units: &'a [Unit],
    /// The entry function.
    pub(crate) entry: Option<Entity<tree::FuncId>>,
    /// What the caller wants.
    pub(crate) opts: &'a Options,
    /// The data model.
    pub(crate) model: DataModel,
    /// What names mean.
    pub(crate) link: Link,
    /// Effects of expressions, per unit.
    pub(crate) effects: Vec<EffectTable>,
    /// Variables whose address the source takes, per unit.
    pub(crate) taken: Vec<Vec<bool>>,
    /// What becomes of arrays, per unit.
    pub(crate) decays: Vec<Decays>,
    /// What nested functions take from outside, per unit.
    pub(crate) captures: Vec<Captures>,
    /// For each unit the names of its functions with bodies and of its variables outside of functions, once assembly is looked at.
    pub(crate) symbols: Vec<std::cell::OnceCell<BTreeSet<&'a str>>>,
    /// Whether any unit calls `longjmp`.
    pub(crate) jumps: std::cell::OnceCell<bool>,
    /// Whether any unit calls `fesetround`.
    pub(crate) rounding: std::cell::OnceCell<bool>,
    /// The globals so far.
    pub(crate) globals: IndexVec<GlobalId, Global>,
    /// The functions so far.
    pub(crate) functions: IndexVec<ir::FuncId, Function>,
    sites: IndexVec<SiteId, Site>,
    func_ids: FxHashMap<Entity<tree::FuncId>, ir::FuncId>,
    global_ids: FxHashMap<Entity<VarId>, GlobalHome>,
    pub(crate) strings: FxHashMap<(u32, StrId), GlobalId>,
    func_names: FxHashMap<String, u32>,
    global_names: FxHashMap<String, u32>,
    site_names: FxHashMap<String, u32>,
    /// The objects in which the labels of a function lie.
    pub(crate) label_objects: FxHashMap<(u32, tree::FuncId), GlobalId>,
    /// Library functions so far.
    pub(crate) libraries: FxHashMap<ir::library::Library, ir::FuncId>,
    /// The program looks at `errno`, which undefined functions may write.
    pub(crate) errno: bool,
    /// Whether it can see what streams do.
    pub(crate) streams: Streams,
    /// Whether it leaves `stdin`, `stdout` and `stderr` alone.
    pub(crate) standard_streams_stay: bool,
    /// Whether it has input: then strings that were printed may come back.
    pub(crate) reads_back: bool,
    /// What is done before the entry function begins.
    pub(crate) first: Vec<(ir::Op, Span)>,
    /// The literals that may share their storage.
    pub(crate) pieces: Vec<crate::identity::Piece>,
    queue: VecDeque<(Entity<tree::FuncId>, ir::FuncId)>,
    /// Globals whose initialisers are still to be evaluated.
    pub(crate) initialisers: VecDeque<(Entity<VarId>, GlobalId)>,
    /// C statements lowered so far.
    pub(crate) statements: u64,
    /// Targets lowered so far.
    pub(crate) targets: u64,
    /// What may run before any statement.
    pub(crate) interrupt: Option<Entity<tree::FuncId>>,
    /// What cannot be followed before the entry function begins.
    pub(crate) startup: Vec<(Span, String)>,
    /// Parameters of the entry function with the locals in which the start of the program puts them, and their types.
    pub(crate) prepared: Vec<(LocalId, LocalId, TypeId)>,
    /// How the source declares variables.
    pub(crate) declared: Declarer<'a>,
    /// Calls and returns that are watched.
    pub(crate) events: crate::events::Events,
    /// Whose padding can be seen.
    pub(crate) exposure: Exposure,
    /// The padding of types.
    pub(crate) holes: HoleTable,
}

impl<'a> Context<'a> {
    /// Nothing yet.
    pub(crate) fn new(units: &'a [Unit], opts: &'a Options, link: Link) -> Context<'a> {
        let captures: Vec<Captures> = units.iter().map(Captures::new).collect();
        let mut taken: Vec<Vec<bool>> = units.iter().map(taken_variables).collect();
        let standard_streams_stay = units.iter().zip(&taken).all(|(u, taken)| leaves_standard_streams(u, taken));
        for (taken, captures) in taken.iter_mut().zip(&captures) {
            captures.all().for_each(|v| taken[base::Id::index(v)] = true);
        }
        Context {
            units,
            entry: None,
            opts,
            model: types::model(&units[0].types),
            link,
            effects: units.iter().map(EffectTable::new).collect(),
            taken,
            decays: units.iter().map(Decays::new).collect(),
            captures,
            symbols: vec![std::cell::OnceCell::new(); units.len()],
            jumps: std::cell::OnceCell::new(),
            rounding: std::cell::OnceCell::new(),
            globals: IndexVec::new(),
            functions: IndexVec::new(),
            sites: IndexVec::new(),
            func_ids: FxHashMap::default(),
            global_ids: FxHashMap::default(),
            strings: FxHashMap::default(),
            func_names: FxHashMap::default(),
            global_names: FxHashMap::default(),
            site_names: FxHashMap::default(),
            label_objects: FxHashMap::default(),
            libraries: FxHashMap::default(),
            errno: units.iter().any(|u| mentions(u, "__errno_location") || u.vars.iter().any(|v| is_errno(u, v))),
            streams: if units.iter().any(sees_streams) { Streams::Open } else { Streams::Closed },
            standard_streams_stay,
            reads_back: units.iter().any(|u| INPUT.iter().any(|name| mentions(u, name))),
            first: Vec::new(),
            pieces: crate::identity::pieces(units),
            queue: VecDeque::new(),
            initialisers: VecDeque::new(),
            statements: 0,
            targets: 0,
            interrupt: None,
            startup: Vec::new(),
            prepared: Vec::new(),
            declared: Declarer::new(units),
            events: IndexVec::new(),
            exposure: Exposure::new(units, opts),
            holes: FxHashMap::default(),
        }
    }

    /// Takes what a program has that is lowered already, for conditions about it.
    pub(crate) fn adopt(&mut self, program: &Program, functions: &[(tree::FuncId, ir::FuncId)]) {
        self.globals = program.globals.clone();
        self.func_ids = functions.iter().map(|&(f, id)| ((0, f), id)).collect();
        self.effects[0].total = true;
    }

    /// Lowers everything reachable from `entry`.
    pub(crate) fn run(mut self, entry: Entity<tree::FuncId>, learned: &Learned) -> Made {
        self.entry = Some(entry);
        let id = self.declare(entry);
        if self.opts.callbacks != crate::Callbacks::None && self.opts.externs != ir::Externs::Pure {
            for &f in &learned.functions {
                self.declare(f);
            }
        }
        if self.opts.everything {
            for (u, unit) in self.units.iter().enumerate() {
                for (f, _) in unit.funcs.iter_enumerated().filter(|(_, f)| f.body.is_some()) {
                    let entity = self.link.func(self.units, u as u32, f);
                    self.declare(entity);
                }
            }
        }
        self.lower_pending();
        self.check_constructors();
        self.put_first(id);
        self.put_last(id);
        self.expose_globals(id, learned);
        self.prepare_start(entry, id);
        if !self.startup.is_empty() {
            self.refuse_start(id);
        }
        let program = Program {
            model: self.model,
            ub: self.opts.ub.clone(),
            externs: self.opts.externs,
            addresses: self.opts.addresses,
            globals: self.globals,
            functions: self.functions,
            sites: self.sites,
            entry: id,
            declared: self.declared.finish(),
        };
        Made { program, statements: self.statements, targets: self.targets, events: self.events }
    }

    /// Lowers all that was mentioned, and what that mentions.
    pub(crate) fn lower_pending(&mut self) {
        loop {
            if let Some((entity, global)) = self.initialisers.pop_front() {
                self.initialise(entity, global);
            } else if let Some((entity, func)) = self.queue.pop_front() {
                Fun::lower(self, entity, func);
            } else {
                break;
            }
        }
    }

    /// What there is of the program, as it is.
    pub(crate) fn so_far(&self, entry: ir::FuncId) -> Program {
        Program {
            model: self.model,
            ub: self.opts.ub.clone(),
            externs: self.opts.externs,
            addresses: self.opts.addresses,
            globals: self.globals.clone(),
            functions: self.functions.clone(),
            sites: self.sites.clone(),
            entry,
            declared: ir::declared::Declarations::default(),
        }
    }

    /// Whether the program can have signal handlers.
    pub(crate) fn has_handlers(&self) -> bool {
        let install = ["signal", "sigaction", "__sysv_signal", "bsd_signal", "sigset"];
        self.units.iter().any(|u| install.iter().any(|name| u.function(name).is_some()))
    }

    /// Functions that run before `main`, in order.
    pub(crate) fn constructors(&self) -> Vec<Entity<tree::FuncId>> {
        let all = self.units.iter().enumerate().flat_map(|(u, unit)| {
            let ours = unit.funcs.iter_enumerated().filter(|(_, f)| f.attrs.constructor && f.body.is_some());
            ours.map(move |(id, _)| (u as u32, id))
        });
        all.collect()
    }

    /// Functions that run after `main`, or in an order of their own, are not followed.
    fn check_constructors(&mut self) {
        for f in self.units.iter().flat_map(|u| u.funcs.iter()) {
            if f.attrs.startup && f.body.is_some() {
                self.startup.push((f.span, "destructor function".to_owned()));
            }
        }
    }

    /// Makes the entry function begin with what could not be followed before it.
    fn refuse_start(&mut self, entry: ir::FuncId) {
        let (span, why) = self.startup.swap_remove(0);
        let body = self.functions[entry].body.as_mut().expect("the entry function has a body");
        body.edges = std::iter::once(ir::Edge {
            from: body.entry,
            to: None,
            guards: Vec::new(),
            op: ir::Op::Unsupported(why),
            span,
        })
        .collect();
        let kept = [body.locations[body.entry].clone(), body.locations[body.exit].clone()];
        body.locations = kept.into_iter().collect();
        body.entry = base::Id::from_index(0);
        body.exit = base::Id::from_index(1);
        body.edges.iter_mut().for_each(|e| e.from = body.entry);
    }

    /// The function that stands for instructions that nobody knows.
    pub(crate) fn unknown_instructions(&mut self, span: Span) -> ir::FuncId {
        const NAME: &str = ".asm";
        if let Some((id, _)) = self.functions.iter_enumerated().find(|(_, f)| f.name == NAME) {
            return id;
        }
        // No function of C has this name.
        self.functions.push(Function {
            name: NAME.to_owned(),
            linkage: Linkage::External,
            n_params: 0,
            variadic: true,
            locals: IndexVec::new(),
            ret: None,
            body: None,
            span,
        })
    }

    /// A name that no other entity of the table has.
    fn unique(names: &mut FxHashMap<String, u32>, name: String) -> String {
        let n = names.entry(name.clone()).or_insert(0);
        *n += 1;
        if *n == 1 { name } else { format!("{name}.{n}") }
    }

    /// A new allocation site.
    pub(crate) fn site(&mut self, name: String, span: Span) -> SiteId {
        let name = Self::unique(&mut self.site_names, name);
        self.sites.push(Site { name, span })
    }

    /// The name of a function.
    pub(crate) fn func_name(&self, entity: Entity<tree::FuncId>) -> &'a str {
        let unit = &self.units[entity.0 as usize];
        unit.name(unit.funcs[entity.1].name)
    }

    /// Whether a body for the function exists in the program.
    pub(crate) fn has_body(&self, entity: Entity<tree::FuncId>) -> bool {
        self.units[entity.0 as usize].funcs[entity.1].body.is_some()
    }

    /// The IR function for an entity, declared on first mention.
    pub(crate) fn declare(&mut self, entity: Entity<tree::FuncId>) -> ir::FuncId {
        if let Some(&id) = self.func_ids.get(&entity) {
            return id;
        }
        let unit = &self.units[entity.0 as usize];
        let f = &unit.funcs[entity.1];
        let convention = Convention::of(&unit.types, f.ty);
        let source_name = unit.name(f.name);
        let bodied = f.body.is_some() || self.opts.targets.contains(source_name) || self.has_wrapper(entity);
        let captures = self.captures[entity.0 as usize].of(entity.1).map(|v| unit.vars[v].name).collect::<Vec<_>>();
        let (locals, ret) = formals(unit, f, &convention, &captures, bodied);
        let n_params = locals.len() - usize::from(ret.is_some());
        let name = Self::unique(&mut self.func_names, source_name.to_owned());
        let prototype = unit.types.signature(f.ty).is_some_and(|s| s.prototype);
        let id = self.functions.push(Function {
            name,
            linkage: if f.linkage == tree::Linkage::External { Linkage::External } else { Linkage::Internal },
            n_params,
            variadic: !bodied && (convention.variadic || !prototype),
            locals,
            ret,
            body: None,
            span: f.span,
        });
        self.func_ids.insert(entity, id);
        if bodied {
            self.queue.push_back((entity, id));
        } else {
            self.declare_parameters(entity, id);
        }
        id
    }

    /// Where a variable of static storage is; it enters the program on first mention.
    pub(crate) fn global(&mut self, u: u32, var: VarId) -> GlobalHome {
        let entity = self.link.var(self.units, u, var);
        if let Some(&home) = self.global_ids.get(&entity) {
            return home;
        }
        let home = match self.global_shape(entity) {
            // As programs declared it once, before it was a macro.
            Ok(_) if is_errno(&self.units[entity.0 as usize], &self.units[entity.0 as usize].vars[entity.1]) => {
                GlobalHome::At(
                    self.library_object("__errno_location", self.units[entity.0 as usize].vars[entity.1].span),
                )
            }
            _ if self.is_outside(entity) && self.is_of_the_linker(entity) => {
                GlobalHome::Trouble("symbol of the linker")
            }
            Ok(shape) if !self.is_behind(u, var, entity) => {
                let id = self.new_global(entity, shape, false);
                self.standard_stream(entity, id);
                // The bytes of a constant text are known at once and mention no other global; all others have their turn.
                if self.globals[id].constant && self.is_text(entity) {
                    self.initialise(entity, id);
                } else {
                    self.initialisers.push_back((entity, id));
                }
                GlobalHome::At(id)
            }
            Ok(_) | Err(_) if self.is_behind(u, var, entity) || self.is_outside(entity) => {
                let id = self.new_global(entity, Shape::Scalar(Ty::Ptr), true);
                self.globals[id].init = ir::Init::Unknown;
                self.globals[id].constant = true;
                self.globals[id].linkage = Linkage::Internal;
                let home = GlobalHome::Behind(id);
                if !self.is_weak_object(u, var) {
                    crate::weak::is_somewhere(self, home, entity);
                }
                home
            }
            Ok(_) => GlobalHome::Trouble("weak object"),
            Err(why) => GlobalHome::Trouble(why),
        };
        self.global_ids.insert(entity, home);
        home
    }

    /// Whether a variable lies where a hidden pointer says although its size is known: it may be absent, or it has no bytes and
    /// may lie anywhere.
    fn is_behind(&self, u: u32, var: VarId, entity: Entity<VarId>) -> bool {
        let taken =
            self.taken[entity.0 as usize][base::Id::index(entity.1)] || self.taken[u as usize][base::Id::index(var)];
        let empty = taken && crate::identity::is_empty(&self.units[entity.0 as usize], entity.1);
        empty || self.is_outside(entity) && self.is_weak_object(u, var)
    }

    /// Where a variable of static storage is, if the program mentions it.
    pub(crate) fn home_of(&self, entity: Entity<VarId>) -> Option<GlobalHome> {
        self.global_ids.get(&entity).copied()
    }

    /// The function for an entity, if the program has it.
    pub(crate) fn id_of(&self, entity: Entity<tree::FuncId>) -> Option<ir::FuncId> {
        self.func_ids.get(&entity).copied()
    }

    fn is_text(&self, (u, var): Entity<VarId>) -> bool {
        let unit = &self.units[u as usize];
        match unit.types.get(unit.vars[var].ty) {
            cfront::types::Type::Array(elem, _) => {
                types::scalar(&unit.types, *elem).is_some_and(|t| t.size(self.model) == 1)
            }
            _ => false,
        }
    }

    /// Whether the variable is declared `extern` and defined nowhere.
    pub(crate) fn is_outside(&self, (u, var): Entity<VarId>) -> bool {
        let v = &self.units[u as usize].vars[var];
        v.definition == tree::Definition::Declared && v.linkage == tree::Linkage::External
    }

    /// Whether the linker defines the symbol, as a place in the midst of the program's own objects.
    fn is_of_the_linker(&self, (u, var): Entity<VarId>) -> bool {
        let unit = &self.units[u as usize];
        let v = &unit.vars[var];
        let name = v.attrs.asm_name.as_deref().or_else(|| v.name.map(|n| unit.name(n))).unwrap_or("");
        LINKER.contains(&name) || name.starts_with("__start_") || name.starts_with("__stop_")
    }

    /// The variables that hold the standard streams are not null, and nobody changes them unless the program does.
    fn standard_stream(&mut self, entity: Entity<VarId>, id: GlobalId) {
        let outside = self.is_outside(entity);
        let global = &mut self.globals[id];
        let named = STANDARD_STREAMS.contains(&global.name.as_str()) && global.shape == Shape::Scalar(Ty::Ptr);
        if named && self.standard_streams_stay && outside {
            global.constant = true;
        }
    }

    fn new_global(&mut self, entity: Entity<VarId>, shape: Shape, behind: bool) -> GlobalId {
        let unit = &self.units[entity.0 as usize];
        let v = &unit.vars[entity.1];
        let own = v.name.map_or(".literal", |s| unit.name(s));
        let name = match v.owner {
            Some(f) if v.linkage != tree::Linkage::External => format!("{}.{own}", unit.name(unit.funcs[f].name)),
            _ => own.to_owned(),
        };
        let quals = unit.types.quals(v.ty);
        let constant = quals.has(cfront::types::Quals::CONST) && !quals.has(cfront::types::Quals::VOLATILE);
        let name = Self::unique(&mut self.global_names, name);
        self.declared.global(&name, entity, behind);
        self.globals.push(Global {
            name,
            shape,
            // Until its initialiser was lowered.
            init: ir::Init::Unknown,
            linkage: if v.linkage == tree::Linkage::External { Linkage::External } else { Linkage::Internal },
            exposure: ir::Exposure::Hidden,
            // What an undefined constant holds is not known, but nobody may write it all the same.
            constant,
            span: v.span,
        })
    }

    /// A constant global for a string literal.
    pub(crate) fn string(&mut self, u: u32, s: StrId) -> GlobalId {
        if let Some(&id) = self.strings.get(&(u, s)) {
            return id;
        }
        let id = self.string_global(u, s);
        self.strings.insert((u, s), id);
        id
    }

    /// What a direct call may rely on.
    pub(crate) fn convention(&self, entity: Entity<tree::FuncId>) -> Convention {
        let unit = &self.units[entity.0 as usize];
        Convention::of(&unit.types, unit.funcs[entity.1].ty)
    }
}

impl Convention {
    /// The convention for a function type.
    pub(crate) fn of(types: &Types, ty: TypeId) -> Convention {
        let mut trouble = None;
        let Some(sig) = types.signature(ty) else {
            return Convention {
                ret: Passing::Void,
                params: Vec::new(),
                variadic: true,
                trouble: Some("call of a non-function"),
            };
        };
        let mut pass = |ty: TypeId| {
            if types.is_void(ty) {
                return Passing::Void;
            }
            if let Some(ty) = types::scalar(types, ty) {
                return Passing::Scalar(ty);
            }
            if let (true, Some(size)) = (types.is_aggregate(ty), types.size(ty)) {
                return Passing::Record(size, types.align(ty) as u32);
            }
            trouble.get_or_insert(types::why_not(types, ty));
            // The number of parameters stays right, so that a call through a pointer still finds this function.
            Passing::Scalar(Ty::int(8, false))
        };
        let ret = pass(sig.ret);
        let params = sig.params.iter().map(|&p| pass(p)).collect();
        Convention { ret, params, variadic: sig.variadic, trouble }
    }
}

/// Parameters and result as locals.
fn formals(
    unit: &Unit,
    f: &tree::Function,
    convention: &Convention,
    captures: &[Option<Symbol>],
    bodied: bool,
) -> (IndexVec<LocalId, Local>, Option<LocalId>) {
    let mut locals: IndexVec<LocalId, Local> = IndexVec::new();
    let mut push =
        |name: String, ty: Ty, span: Span| locals.push(Local { name, shape: Shape::Scalar(ty), constant: false, span });
    if let Passing::Record(..) = convention.ret {
        push("$dst".to_owned(), Ty::Ptr, f.span);
    }
    // A definition has its own list of parameters; an old-style one says more than the type does.
    let passings = if f.body.is_some() {
        f.params.iter().map(|&p| Convention::param(&unit.types, unit.vars[p].ty)).collect()
    } else {
        convention.params.clone()
    };
    for (i, p) in passings.into_iter().enumerate() {
        let var = f.params.get(i).filter(|_| f.body.is_some()).map(|&v| &unit.vars[v]);
        let name = var.and_then(|v| v.name).map_or_else(|| format!("$p{}", i + 1), |s| unit.name(s).to_owned());
        let span = var.map_or(f.span, |v| v.span);
        match p {
            Passing::Void => {}
            Passing::Scalar(ty) => drop(push(name, ty, span)),
            Passing::Record(..) => drop(push(format!("${name}"), Ty::Ptr, span)),
        }
    }
    if bodied && convention.variadic && f.body.is_some() {
        push("$va".to_owned(), Ty::Ptr, f.span);
    }
    for (i, name) in captures.iter().enumerate() {
        let name = name.map_or_else(|| format!("$outer{i}"), |s| format!("$outer.{}.{i}", unit.name(s)));
        push(name, Ty::Ptr, f.span);
    }
    let ret = match convention.ret {
        Passing::Scalar(ty) => Some(push("$result".to_owned(), ty, f.span)),
        Passing::Void | Passing::Record(..) => None,
    };
    (locals, ret)
}

impl Convention {
    /// How a parameter of this type is passed.
    pub(crate) fn param(types: &Types, ty: TypeId) -> Passing {
        match (types::scalar(types, ty), types.is_aggregate(ty), types.size(ty)) {
            (Some(ty), ..) => Passing::Scalar(ty),
            (None, true, Some(size)) => Passing::Record(size, types.align(ty) as u32),
            _ => Passing::Scalar(Ty::int(8, false)),
        }
    }
}

/// Variables whose address occurs in the unit, unevaluated operands included.
fn taken_variables(unit: &Unit) -> Vec<bool> {
    let mut taken: Vec<bool> = unit.vars.iter().map(|v| v.attrs.cleanup.is_some()).collect();
    for e in &unit.exprs {
        let (ExprKind::AddrOf(mut place) | ExprKind::Cast(CastKind::ArrayDecay, mut place, _)) = e.kind else {
            continue;
        };
        while let ExprKind::Member(base, _) = unit.exprs[place].kind {
            place = base;
        }
        if let ExprKind::Var(v) | ExprKind::CompoundLiteral(v) = unit.exprs[place].kind {
            taken[base::Id::index(v)] = true;
        }
    }
    taken
}

/// Functions that make streams which lie in memory of the program or call its functions.
const IN_MEMORY: [&str; 5] = ["open_memstream", "open_wmemstream", "fmemopen", "fopencookie", "funopen"];

/// Functions that bring bytes into the program.
const INPUT: [&str; 30] = [
    "fgetc",
    "getc",
    "getchar",
    "fgets",
    "gets",
    "fread",
    "getline",
    "getdelim",
    "read",
    "pread",
    "readv",
    "recv",
    "recvfrom",
    "recvmsg",
    "readlink",
    "scanf",
    "fscanf",
    "sscanf",
    "vscanf",
    "vfscanf",
    "vsscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc99_sscanf",
    "mmap",
    "getenv",
    "fgetws",
    "getwchar",
    "getc_unlocked",
    "fread_unlocked",
];

/// Whether the unit names a member of what `FILE *` points to, or makes streams of its own.
fn sees_streams(unit: &Unit) -> bool {
    if IN_MEMORY.iter().any(|name| mentions(unit, name)) {
        return true;
    }
    let is_stream = |e: tree::ExprId| match unit.types.get(unit.exprs[e].ty) {
        cfront::types::Type::Record(r) => {
            let tag = unit.types.records[*r].tag.map(|tag| unit.name(tag));
            matches!(tag, Some("_IO_FILE" | "__sFILE" | "_iobuf"))
        }
        _ => false,
    };
    unit.exprs.iter().any(|e| matches!(e.kind, ExprKind::Member(base, _) if is_stream(base)))
}

/// Whether the unit neither writes the variables that hold the standard streams nor takes their addresses.
fn leaves_standard_streams(unit: &Unit, taken: &[bool]) -> bool {
    let written = crate::outside::written_variables(unit);
    let is_stream = |v: &tree::Var| v.name.is_some_and(|n| STANDARD_STREAMS.contains(&unit.name(n)));
    let streams = unit.vars.iter_enumerated().filter(|(_, v)| is_stream(v));
    streams.map(|(id, _)| base::Id::index(id)).all(|i| !written[i] && !taken[i])
}

/// Whether the variable is `extern int errno;`, defined nowhere.
fn is_errno(unit: &Unit, v: &tree::Var) -> bool {
    let named = v.name.is_some_and(|n| unit.name(n) == "errno") && v.linkage == tree::Linkage::External;
    let int = types::scalar(&unit.types, v.ty) == Some(Ty::int(32, true));
    named && int && v.definition == tree::Definition::Declared
}

/// Whether the unit mentions a function of this name that it does not define. (Headers declare many.)
pub(crate) fn mentions(unit: &Unit, name: &str) -> bool {
    let Some(f) = unit.function(name).filter(|f| unit.funcs[*f].body.is_none()) else { return false };
    unit.exprs.iter().any(|e| matches!(e.kind, ExprKind::Func(g) if g == f))
}

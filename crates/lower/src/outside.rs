//! What the outside knows of the program's globals when the run begins ([`ir::Exposure`]).
//!
//! - Objects that are declared and never defined live outside.
//! - With `--externs any` the outside knows every global with external linkage.
//! - An entry other than `main` is called by the outside, or by a part of the program that the run does not contain. If it can be
//!   given pointers, these may point to all globals with external linkage and to every static whose address is taken.
//! - In both cases the outside knows what it can have learned from functions of the program ([`crate::learned`]).

use crate::context::{Context, GlobalHome};
use crate::learned::Learned;
use crate::link::Entity;
use crate::readable::STANDARD_STREAMS;
use crate::{Callbacks, Globals, Params};
use base::Id;
use base::sabotage::{self, Fault};
use cfront::tree::{self, ExprId, ExprKind, InitValue, Storage, Unit, VarId};
use cfront::types::{Type, TypeId, Types};
use ir::{Base, Exposure, Expr, FuncId, GlobalId, Init, InitItem, Linkage, Op, Place, Ty, Var};
use std::collections::BTreeSet;

impl Context<'_> {
    /// Marks what the outside knows, when everything has been lowered, and makes globals arbitrary where the run does not
    /// begin with the program.
    pub(crate) fn expose_globals(&mut self, entry: FuncId, learned: &Learned) {
        self.expose_outside();
        self.place_streams();
        if self.opts.globals == Globals::Arbitrary && !sabotage::active(Fault::EntryFindsGlobalsInitial) {
            self.forget_globals();
        }
        let from_main = self.opts.entry == "main" && self.opts.globals != Globals::Arbitrary;
        if (!from_main || self.main_is_given_anything(entry)) && self.entry_is_given_pointers(entry, self.opts.params) {
            self.expose_to_parameters();
        }
        for (&entity, &exposure) in &learned.variables {
            self.expose(entity, exposure);
        }
        if learned.strings {
            self.expose_strings();
        }
        self.keep_functions(learned);
    }

    /// Objects that are declared and never defined.
    pub(crate) fn expose_outside(&mut self) {
        if sabotage::active(Fault::ExternObjectsStay) {
            return;
        }
        for entity in self.all_variables() {
            if self.is_outside(entity) {
                self.expose(entity, Exposure::Known);
            }
        }
    }

    /// The standard streams are not null. Where they point to is nobody's business: somewhere that no object of the program
    /// lies.
    fn place_streams(&mut self) {
        let first: u128 = if self.model.ptr_width() == 64 { 0xffff_8000_0000_1000 } else { 0xffff_1000 };
        for global in self.globals.iter_mut().filter(|g| g.constant && g.init == Init::Unknown) {
            let nth = STANDARD_STREAMS.iter().position(|s| *s == global.name);
            if let (Some(nth), true, ir::Shape::Scalar(Ty::Ptr)) = (nth, self.standard_streams_stay, global.shape) {
                let value = Expr::constant(Ty::Ptr, first + 0x1000 * nth as u128);
                global.init = Init::Values(vec![InitItem { offset: 0, bits: None, value }]);
            }
        }
    }

    /// All that pointers may point to which an entry is given.
    pub(crate) fn expose_to_parameters(&mut self) {
        if sabotage::active(Fault::ParametersPointOutside) {
            return;
        }
        for entity in self.all_variables() {
            let external = self.variable(entity).linkage == tree::Linkage::External;
            let captured = self.captures[entity.0 as usize].all().any(|v| v == entity.1);
            if external || captured || self.decays[entity.0 as usize].is_pointed(entity.1) {
                self.expose(entity, Exposure::Known);
            }
        }
        self.expose_strings();
    }

    fn expose_strings(&mut self) {
        let strings: Vec<GlobalId> = self.strings.values().copied().collect();
        strings.into_iter().for_each(|g| self.globals[g].exposure = Exposure::Known);
    }

    /// The functions that the outside knows from the start: a table at which only the outside looks.
    fn keep_functions(&mut self, learned: &Learned) {
        let known: Vec<FuncId> = learned.functions.iter().filter_map(|&f| self.id_of(f)).collect();
        let Some(&first) = known.first() else { return };
        let size = Ty::Ptr.size(self.model);
        let item = |(i, &f): (u64, &FuncId)| InitItem { offset: i * size, bits: None, value: Expr::func(f) };
        self.globals.push(ir::Global {
            name: if self.opts.callbacks == Callbacks::Named { ".named" } else { ".known" }.to_owned(),
            shape: ir::Shape::Object { size: size * known.len() as u64, align: size as u32 },
            init: Init::Values((0..).zip(&known).map(item).collect()),
            linkage: Linkage::Internal,
            exposure: Exposure::Read,
            constant: true,
            span: self.functions[first].span,
        });
    }

    fn variable(&self, (u, var): Entity<VarId>) -> &tree::Var {
        &self.units[u as usize].vars[var]
    }

    /// All variables of static storage, each once.
    pub(crate) fn all_variables(&self) -> Vec<Entity<VarId>> {
        let all = self.units.iter().enumerate().flat_map(|(u, unit)| {
            let ours = unit.vars.iter_enumerated().filter(|(_, v)| has_static_lifetime(v));
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
    pub(crate) fn entry_is_given_pointers(&self, entry: FuncId, params: Params) -> bool {
        if params == Params::Tree {
            return false;
        }
        let f = &self.functions[entry];
        let hidden = |name: &str| name == "$dst";
        let passes = f.params().any(|p| f.locals[p].shape.scalar() == Some(Ty::Ptr) && !hidden(&f.locals[p].name));
        let numbers = || self.functions.iter().filter_map(|f| f.body.as_ref()).any(makes_pointers);
        // An object of one's own may still hold pointers to anything.
        let inner = || self.functions.iter().any(reads_pointers) && !sabotage::active(Fault::InnerPointersPointOutside);
        let arbitrary = || {
            self.all_variables().into_iter().any(|entity| {
                let types = &self.units[entity.0 as usize].types;
                let unknown = |id: GlobalId| self.globals[id].init == Init::Unknown;
                let held = matches!(self.home_of(entity), Some(GlobalHome::At(id)) if unknown(id));
                held && holds_pointers(types, self.variable(entity).ty)
            })
        };
        let gets = || self.functions.iter().filter_map(|f| f.body.as_ref()).any(|body| self.gets_pointers(body));
        passes && (params != Params::Distinct || inner()) || numbers() || arbitrary() || gets()
    }

    /// Whether a `main` has parameters that are not prepared: it is called by the program, or has another form.
    fn main_is_given_anything(&self, entry: FuncId) -> bool {
        let prepared = self.entry.is_some_and(|entity| self.is_prepared(entity));
        self.functions[entry].n_params > 0 && !prepared
    }

    /// Whether a body gets pointers from undefined functions, from input or from devices.
    fn gets_pointers(&self, body: &ir::Body) -> bool {
        body.edges.iter().any(|e| match &e.op {
            Op::Call(ir::Call { dst: Some(_), callee: ir::Callee::Direct(f), .. }) => {
                let callee = &self.functions[*f];
                callee.body.is_none() && callee.ret_ty() == Some(Ty::Ptr) && ir::library::Library::of(callee).is_none()
            }
            Op::Havoc(ir::HavocDst::Place(place), ir::Source::Outside(_) | ir::Source::Nondet(_)) => {
                place.ty == Ty::Ptr
            }
            Op::Havoc(ir::HavocDst::Range { .. }, ir::Source::Outside(_) | ir::Source::Nondet(_)) => true,
            _ => false,
        })
    }

    /// Globals have any value, but for constants and statics that nothing in their unit can ever write.
    fn forget_globals(&mut self) {
        let written: Vec<Vec<bool>> = self.units.iter().map(written_variables).collect();
        for entity in self.all_variables() {
            let Some(GlobalHome::At(id)) = self.home_of(entity) else { continue };
            let (u, v) = (entity.0 as usize, entity.1.index());
            let hidden = self.globals[id].linkage == Linkage::Internal;
            // The address of an array whose elements are only accessed is known to nobody.
            let captured = self.captures[u].all().any(|c| c == entity.1);
            let kept = self.decays[u].is_pointed(entity.1) || captured;
            let stays = hidden && !kept && (!written[u][v] || sabotage::active(Fault::WrittenStaysInitial));
            if !self.globals[id].constant && !stays {
                self.globals[id].init = Init::Unknown;
            }
        }
    }
}

/// Whether a variable is there from the start of the program.
pub(crate) fn has_static_lifetime(v: &tree::Var) -> bool {
    matches!(v.storage, Storage::Static | Storage::Thread)
}

/// Whether a body makes pointers from numbers, or reads them from devices.
fn makes_pointers(body: &ir::Body) -> bool {
    struct Finds(bool);
    impl ir::walk::Visitor for Finds {
        fn read(&mut self, place: &Place) {
            let device = matches!(&place.addr.base, Base::Ptr(p) if p.as_const().is_some_and(|n| n != 0));
            self.0 |= device && place.ty == Ty::Ptr;
        }

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

/// Whether a body reads pointers from memory that was filled elsewhere: through pointers, from structures, or copies it.
pub(crate) fn reads_pointers(f: &ir::Function) -> bool {
    struct Finds<'a>(&'a ir::Function, bool);
    impl ir::walk::Visitor for Finds<'_> {
        fn read(&mut self, place: &Place) {
            let filled = match place.addr.base {
                Base::Ptr(_) => true,
                Base::Var(Var::Local(l)) => self.0.locals[l].shape.scalar().is_none(),
                Base::Var(Var::Global(_)) => false,
            };
            self.1 |= filled && place.ty == Ty::Ptr;
        }
    }
    let mut finds = Finds(f, false);
    let edges = || f.body.iter().flat_map(|b| &b.edges);
    edges().for_each(|e| ir::walk::walk_edge(e, &mut finds));
    finds.1 || edges().any(|e| matches!(e.op, Op::CopyRange { .. }))
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

/// The variables and functions that an initialiser names.
pub(crate) fn named_by(unit: &Unit, init: tree::InitId) -> (Vec<VarId>, Vec<tree::FuncId>) {
    let mut todo: Vec<ExprId> = Vec::new();
    let (mut named, mut functions) = (Vec::new(), Vec::new());
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
            ExprKind::Func(f) => functions.push(f),
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
    (named, functions)
}

/// The variables that some expression or inline assembly of the unit writes by name, or as elements of an array.
pub(crate) fn written_variables(unit: &Unit) -> Vec<bool> {
    let mut written = vec![false; unit.vars.len()];
    let mut write = |place: ExprId| {
        if let ExprKind::Var(v) = unit.exprs[crate::decays::whole(unit, place)].kind {
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

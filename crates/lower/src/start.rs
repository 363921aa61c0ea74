//! What the outside has prepared when the run begins, as steps in front of the entry function's own.
//!
//! - `main(argc, argv, envp)`: `argc` is not negative; `argv` points to room for `argc + 1` pointers, the last of which is null
//!   and the others point to terminated strings of any length; `envp` likewise. Only what the function looks at is made. The
//!   first few strings are made one by one behind a loop that makes all others, so that proofs about them need no invariant
//!   about all of them.
//! - A structure that an entry is given by value holds anything, and one that it returns has room.
//! - Pointer parameters of an entry other than `main` are as [`Params`] says.
//!
//! The steps stand in the function itself, so there are none if the program calls it: then its parameters stay arbitrary, and
//! assumptions about them that were asked for are not supported.

use crate::Params;
use crate::context::Context;
use crate::grown;
use crate::link::Entity;
use crate::outside::{holds_pointers, reads_pointers};
use base::{Id, IndexVec, Span};
use cfront::tree::{self, ExprKind};
use cfront::types::{ArrayLen, IntKind, Type, TypeId, Types};
use ir::{
    Address, Alloc, Base, BinOp, Body, DataModel, Edge, Exposure, Expr, Externs, FuncId, Function, GlobalId, HavocDst,
    Init, Linkage, Loc, Local, LocalId, Location, Op, Place, Shape, Source, Ty, Var,
};

/// At most so many strings of a vector are made one by one.
const MAX_STRINGS: u64 = 4;
/// At most so many pointers in what a parameter points to are drawn one by one.
const MAX_POINTERS: usize = 32;
/// A parameter that may point to more objects than this by name is not supported.
const MAX_CANDIDATES: usize = 64;

/// The source of what is drawn for an object behind a parameter.
pub(crate) const FILLED: &str = "what a parameter points to";
/// The source of choices between objects.
pub(crate) const WHERE: &str = "which object a pointer leads to";

/// How names of sites and sources begin that are made here.
pub(crate) const NAMES: [&str; 8] = [
    crate::libc::PROMISED,
    "argument ",
    "text in ",
    "room for a text in ",
    "number of environment variables",
    "length of what ",
    "which object ",
    "what a parameter points to",
];

/// What a pointer parameter points to.
struct Pointee {
    own: LocalId,
    /// Of its type, 0 if that is not known.
    size: u64,
    align: u32,
    /// There may be pointers in it; those in the first element are at these offsets.
    pointers: Option<Vec<u64>>,
}

impl Context<'_> {
    /// Whether the start prepares the pointers and structures that the entry function is given.
    pub(crate) fn is_prepared(&self, entity: Entity<tree::FuncId>) -> bool {
        (self.opts.entry != "main" || self.is_main(entity)) && !self.is_mentioned(entity)
    }

    /// Whether a function has the form of a `main` with arguments. One of another form is given anything.
    fn is_main(&self, (u, f): Entity<tree::FuncId>) -> bool {
        let unit = &self.units[u as usize];
        let params: Vec<TypeId> = unit.funcs[f].params.iter().map(|&p| unit.vars[p].ty).collect();
        let vector = |&ty: &TypeId| {
            let text = unit.types.pointee(ty).and_then(|text| unit.types.pointee(text));
            text.is_some_and(|c| matches!(unit.types.int_kind(c), Some(IntKind::Char | IntKind::PlainUChar)))
        };
        let int = params.first().is_some_and(|&ty| unit.types.int_kind(ty) == Some(IntKind::Int));
        int && matches!(params.len(), 2 | 3) && params[1..].iter().all(vector)
    }

    /// Whether the start makes what pointers that the entry function is given point to.
    pub(crate) fn makes_objects(&self) -> bool {
        self.opts.entry == "main" || matches!(self.opts.params, Params::Valid | Params::Distinct | Params::Tree)
    }

    /// Puts the steps in front of the entry function.
    pub(crate) fn prepare_start(&mut self, entity: Entity<tree::FuncId>, id: FuncId) {
        let main = self.opts.entry == "main";
        let def = &self.units[entity.0 as usize].funcs[entity.1];
        if def.body.is_none() || self.functions[id].body.is_none() {
            return;
        }
        let mut start = Start::new(self.model, def.span, &self.functions[id]);
        if let Some(what) = self.units.iter().flat_map(|u| &u.unsupported).next() {
            start.refuse(what);
        } else if self.has_two_definitions() {
            start.refuse("an inline definition beside another one in another file");
        } else if !self.is_prepared(entity) {
            if !main && self.opts.params != Params::Any {
                start.refuse("assumptions about the parameters of an entry that the program calls");
            }
        } else if main {
            self.prepare_main(&mut start, id);
        } else {
            self.prepare_parameters(&mut start, entity);
        }
        start.finish(&mut self.functions[id]);
    }

    /// Whether a function has an inline definition and one that is not inline in another unit: either may be called (C11 6.7.4).
    fn has_two_definitions(&self) -> bool {
        self.units.iter().enumerate().any(|(u, unit)| {
            unit.funcs.iter_enumerated().any(|(id, f)| {
                let inline = f.inline && f.body.is_some() && f.linkage == tree::Linkage::External;
                let (other, called) = self.link.func(self.units, u as u32, id);
                inline && other != u as u32 && !self.units[other as usize].funcs[called].inline
            })
        })
    }

    /// Whether the program mentions a function other than by defining it.
    fn is_mentioned(&self, entity: Entity<tree::FuncId>) -> bool {
        self.units.iter().enumerate().any(|(u, unit)| {
            unit.exprs.iter().any(|e| match e.kind {
                ExprKind::Func(f) => self.link.func(self.units, u as u32, f) == entity,
                _ => false,
            })
        })
    }

    fn prepare_main(&mut self, start: &mut Start, id: FuncId) {
        let f = &self.functions[id];
        let params: Vec<LocalId> = f.params().collect();
        let body = f.body.as_ref().expect("the entry function has a body");
        let home = |i: usize| {
            let prepared = self.prepared.iter().find(|(p, ..)| p.index() == i).map(|&(_, own, _)| own);
            prepared.map(|own| (own, use_of(body, own, self.model)))
        };
        let (argv, envp) = (home(1), home(2));
        let uses_argc = use_of(body, params[0], self.model).is_some();
        if uses_argc || matches!(argv, Some((_, Some(_)))) {
            let argc = Expr::var(Var::Local(params[0]), Ty::int(32, true));
            let most = start.most_elements() - 1;
            start.assume(Expr::binary(BinOp::Ge, argc.clone(), Expr::int(argc.ty, 0)));
            if most < i32::MAX as u64 {
                start.assume(Expr::binary(BinOp::Le, argc, Expr::int(Ty::int(32, true), most.into())));
            }
        }
        if let Some((own, Some(used))) = argv {
            let argc = Expr::var(Var::Local(params[0]), Ty::int(32, true));
            let count = start.keep(Expr::convert(self.model.size_ty(), argc));
            let seen = self.opts.externs == Externs::Any || self.has_extern_objects();
            self.prepare_vector(start, own, count, used, seen);
        }
        if let Some((own, Some(used))) = envp {
            let count = start.draw(self.model.size_ty(), "number of environment variables");
            let most = Expr::constant(count.ty, u128::from(start.most_elements() - 1));
            start.assume(Expr::binary(BinOp::Le, count.clone(), most));
            // `environ` and `getenv` lead there, too.
            self.prepare_vector(start, own, count, used, true);
        }
    }

    /// Whether something outside may hold pointers that it did not get from the program.
    fn has_extern_objects(&self) -> bool {
        let streams = ["stdin", "stdout", "stderr"];
        let outside = |g: &ir::Global| g.init == Init::Unknown && g.exposure == Exposure::Known;
        self.globals.iter().any(|g| outside(g) && !streams.contains(&g.name.as_str()))
    }

    /// A vector of so many strings and a null pointer; `seen` outside. All that can be told apart by name is made first, one by
    /// one; what else there is, if anybody looks, by a loop.
    fn prepare_vector(&mut self, start: &mut Start, own: LocalId, count: Expr, used: Use, seen: bool) {
        let name = start.locals[own].name.clone();
        let pointer = Ty::Ptr.size(self.model);
        let size = self.model.size_ty();
        let constant = |n: u64| Expr::constant(size, n.into());
        let by_name = used.elements.min(MAX_STRINGS);
        let text = self.site(format!("text in {name}"), start.span);
        let strings: Vec<Expr> = (0..by_name).map(|_| start.text(&name, text)).collect();
        let room = Expr::binary(BinOp::Add, count.clone(), constant(1));
        let room = Expr::binary(BinOp::Mul, room, constant(pointer));
        let site = self.site(format!("argument {name}"), start.span);
        let vector = Place::var(Var::Local(own), Ty::Ptr);
        start.alloc(vector.clone(), room, pointer as u32, site);
        if seen || used.otherwise || used.elements > by_name {
            let j = start.local(size);
            start.assign(j, constant(by_name));
            let (head, done) = (start.loc(), start.loc());
            start.go(head);
            start.at(head);
            let below = Expr::binary(BinOp::Lt, Expr::var(j, size), count.clone());
            let inside = start.branch(below, done);
            start.at(inside);
            let made = start.text(&name, text);
            let slot = start.element(&vector, Expr::var(j, size), pointer);
            start.emit(Op::Assign(slot, made));
            start.assign(j, Expr::binary(BinOp::Add, Expr::var(j, size), constant(1)));
            start.go(head);
            start.at(done);
        }
        // Behind the loop: who does not know its invariant forgets what it writes.
        for (i, made) in (0..).zip(strings) {
            let after = start.loc();
            let inside = start.branch(Expr::binary(BinOp::Lt, constant(i), count.clone()), after);
            start.at(inside);
            let slot = start.element(&vector, constant(i), pointer);
            start.edge(start.cur, Some(after), Op::Assign(slot, made));
            start.at(after);
        }
        let last = start.element(&vector, count, pointer);
        start.emit(Op::Assign(last, Expr::null()));
        if seen {
            start.give_away(Expr::read(vector));
        }
    }

    fn prepare_parameters(&mut self, start: &mut Start, entity: Entity<tree::FuncId>) {
        let unit = &self.units[entity.0 as usize];
        let def = &unit.funcs[entity.1];
        let hidden = usize::from(start.locals.iter().next().is_some_and(|l| l.name == "$dst"));
        if hidden == 1
            && let Some(size) = unit.types.signature(def.ty).and_then(|s| unit.types.size(s.ret))
        {
            let room = start.object(size, 16);
            start.emit(Op::Assign(Place::var(Var::Local(LocalId::from_index(0)), Ty::Ptr), room));
        }
        let mut pointees = Vec::new();
        for &(param, own, ty) in &self.prepared {
            if let Some(to) = unit.types.pointee(ty) {
                if unit.types.is_function(to) {
                    start.pass(param, own);
                }
                pointees.push(pointee(&unit.types, own, to));
            } else if let Some(size) = unit.types.size(ty) {
                let here = Expr::addr(Address::var(Var::Local(own)));
                start.fill(&here, Expr::constant(self.model.size_ty(), size.into()), &pointers_in(&unit.types, ty));
            }
        }
        match self.opts.params {
            Params::Any => {}
            Params::Nonnull => {
                for (i, &p) in def.params.iter().enumerate() {
                    if unit.types.pointee(unit.vars[p].ty).is_some() {
                        start.not_null(LocalId::from_index(hidden + i));
                    }
                }
            }
            Params::Valid | Params::Distinct => self.prepare_pointers(start, &pointees),
            Params::Tree => self.plant(start, &pointees),
        }
    }

    /// Gives every pointer parameter a variable of its own, from which other objects will grow.
    fn plant(&mut self, start: &mut Start, pointees: &[Pointee]) {
        for p in pointees {
            if p.size == u64::MAX {
                start.not_null(p.own);
                continue;
            }
            let name = format!("{}{}", grown::NAME, start.locals[p.own].name);
            let size = p.size.saturating_add(2 * grown::MIDDLE as u64);
            let root = self.globals.push(grown::object(name, size, self.opts.externs, start.span));
            let addr = Address { offset: grown::MIDDLE, ..Address::var(Var::Global(root)) };
            start.emit(Op::Assign(Place::var(Var::Local(p.own), Ty::Ptr), Expr::addr(addr)));
        }
    }

    /// Gives every pointer parameter an object, or, where they need not be distinct, one of those that are there.
    fn prepare_pointers(&mut self, start: &mut Start, pointees: &[Pointee]) {
        let mut made: Vec<(LocalId, Expr)> = Vec::new();
        for p in pointees {
            let name = start.locals[p.own].name.clone();
            if p.size == u64::MAX {
                start.not_null(p.own);
                continue;
            }
            let size_ty = self.model.size_ty();
            let (elem, n) = (p.size.max(1), start.draw(size_ty, &format!("length of what {name} points to")));
            let most = (1u128 << (self.model.ptr_width() - 1)) / u128::from(elem) - 1;
            let number = |n: u128| Expr::constant(size_ty, n);
            start.assume(Expr::binary(BinOp::Ge, n.clone(), number(1)));
            start.assume(Expr::binary(BinOp::Le, n.clone(), number(most)));
            let size = start.keep(Expr::binary(BinOp::Mul, n, number(elem.into())));
            let site = self.site(format!("argument {name}"), start.span);
            let place = Place::var(Var::Local(p.own), Ty::Ptr);
            // It may be a caller's local as well as an object of the heap: who frees it must not.
            if self.opts.ub.get(ir::Ub::BadFree) == ir::UbPolicy::Checked {
                start.alloc(place.clone(), size.clone(), p.align, site);
            } else {
                start.alloc_heap(place.clone(), size.clone(), p.align, site);
            }
            start.give_away(Expr::read(place));
            made.push((p.own, size));
        }
        // Each may hold pointers to all of them, so all are there first.
        let objects = || pointees.iter().filter(|p| p.size != u64::MAX).zip(&made).enumerate();
        // Whatever its type, an object may be looked at as one that holds pointers.
        let looks = self.functions.iter().any(reads_pointers);
        for (_, (p, (own, size))) in objects() {
            let pointers = p.pointers.clone().or(looks.then(Vec::new));
            start.fill(&Expr::var(Var::Local(*own), Ty::Ptr), size.clone(), &pointers);
        }
        for (i, (p, _)) in objects().filter(|_| self.opts.params == Params::Valid) {
            let (name, elem) = (start.locals[p.own].name.clone(), p.size.max(1));
            let known = self.known_objects(elem);
            if known.len() + i > MAX_CANDIDATES {
                return start.refuse("parameters that may point to very many objects");
            }
            start.choose(&name, Place::var(Var::Local(p.own), Ty::Ptr), elem, &known, &made[..i]);
        }
    }

    /// Globals that the outside knows and that have room for an object of this size.
    fn known_objects(&self, size: u64) -> Vec<GlobalId> {
        let any = self.opts.externs == Externs::Any;
        let known = |g: &ir::Global| g.exposure == Exposure::Known || any && g.linkage == Linkage::External;
        let all = self.globals.iter_enumerated().filter(|(_, g)| known(g) && g.shape.size(self.model) >= size);
        all.map(|(id, _)| id).collect()
    }
}

fn pointee(types: &Types, own: LocalId, to: TypeId) -> Pointee {
    // A function is no object, and so no array of them is one.
    let size = if types.is_function(to) { u64::MAX } else { types.size(to).unwrap_or(0) };
    Pointee { own, size, align: types.align(to).clamp(1, 16) as u32, pointers: pointers_in(types, to) }
}

/// Where in an object of the type pointers are, if there are any: all of them, or none if they are too many.
fn pointers_in(types: &Types, ty: TypeId) -> Option<Vec<u64>> {
    if !holds_pointers(types, ty) {
        return None;
    }
    let mut found = Vec::new();
    let complete = collect_pointers(types, ty, 0, &mut found);
    Some(if complete { found } else { Vec::new() })
}

fn collect_pointers(types: &Types, ty: TypeId, at: u64, found: &mut Vec<u64>) -> bool {
    match types.get(ty) {
        Type::Pointer(_) => {
            found.push(at);
            found.len() <= MAX_POINTERS
        }
        Type::Array(elem, ArrayLen::Fixed(n)) => {
            let size = types.size(*elem).unwrap_or(0);
            !holds_pointers(types, *elem)
                || *n <= MAX_POINTERS as u64 && (0..*n).all(|i| collect_pointers(types, *elem, at + i * size, found))
        }
        Type::Record(r) => types.records[*r].fields.iter().all(|f| collect_pointers(types, f.ty, at + f.offset, found)),
        _ => true,
    }
}

/// How a body uses a vector.
#[derive(Clone, Copy, Default)]
struct Use {
    /// So many elements by their number.
    elements: u64,
    /// In other ways.
    otherwise: bool,
}

/// How a body uses a parameter, if it does.
fn use_of(body: &Body, param: LocalId, model: DataModel) -> Option<Use> {
    struct Uses {
        param: LocalId,
        reads: u64,
        elements: u64,
        by_number: u64,
        pointer: u64,
    }
    impl Uses {
        fn is_param(&self, base: &Base) -> bool {
            matches!(base, Base::Var(Var::Local(l)) if *l == self.param)
        }
    }
    impl ir::walk::Visitor for Uses {
        fn address(&mut self, addr: &Address) {
            self.reads += u64::from(self.is_param(&addr.base));
            if let (Base::Ptr(p), true) = (&addr.base, addr.indices.is_empty())
                && let ir::ExprKind::Read(place) = &p.kind
                && self.is_param(&place.addr.base)
                && let Ok(offset) = u64::try_from(addr.offset)
            {
                self.elements = self.elements.max(offset / self.pointer + 1);
                self.by_number += 1;
            }
        }
    }
    let count = |guards: bool| {
        let mut uses = Uses { param, reads: 0, elements: 0, by_number: 0, pointer: Ty::Ptr.size(model) };
        for edge in &body.edges {
            match guards {
                true => ir::walk::walk_edge(edge, &mut uses),
                false => ir::walk::walk_op(&edge.op, &mut uses),
            }
        }
        uses
    };
    // Guards ask about the vector as a whole where only one element is meant.
    let (all, plain) = (count(true), count(false));
    let used = Use { elements: all.elements, otherwise: plain.reads > plain.by_number };
    (all.reads > 0).then_some(used)
}

/// Steps that will stand in front of a function's own.
struct Start {
    model: DataModel,
    span: Span,
    locals: IndexVec<LocalId, Local>,
    n_locs: usize,
    edges: Vec<Edge>,
    cur: Loc,
    refused: bool,
}

impl Start {
    fn new(model: DataModel, span: Span, function: &Function) -> Start {
        Start {
            model,
            span,
            locals: function.locals.clone(),
            n_locs: 1,
            edges: Vec::new(),
            cur: Loc::from_index(0),
            refused: false,
        }
    }

    /// The most pointers that fit into an object.
    fn most_elements(&self) -> u64 {
        (1u64 << (self.model.ptr_width() - 1)) / Ty::Ptr.size(self.model) - 1
    }

    fn loc(&mut self) -> Loc {
        self.n_locs += 1;
        Loc::from_index(self.n_locs - 1)
    }

    fn at(&mut self, loc: Loc) {
        self.cur = loc;
    }

    fn edge(&mut self, from: Loc, to: Option<Loc>, op: Op) {
        self.edges.push(Edge { from, to, guards: Vec::new(), op, span: self.span });
    }

    fn emit(&mut self, op: Op) {
        let to = self.loc();
        self.edge(self.cur, Some(to), op);
        self.cur = to;
    }

    fn go(&mut self, to: Loc) {
        self.edge(self.cur, Some(to), Op::Skip);
    }

    /// Goes on at a new location, which it gives, if the condition holds, and else at `otherwise`.
    fn branch(&mut self, cond: Expr, otherwise: Loc) -> Loc {
        let to = self.loc();
        self.edge(self.cur, Some(to), Op::Assume(cond.clone()));
        self.edge(self.cur, Some(otherwise), Op::Assume(cond.negate()));
        to
    }

    fn refuse(&mut self, why: &str) {
        self.edge(self.cur, None, Op::Unsupported(why.to_owned()));
        self.refused = true;
    }

    fn local(&mut self, ty: Ty) -> Var {
        let name = format!("$start{}", self.locals.len());
        Var::Local(self.locals.push(Local { name, shape: Shape::Scalar(ty), constant: false, span: self.span }))
    }

    fn assign(&mut self, var: Var, value: Expr) {
        self.emit(Op::Assign(Place::var(var, value.ty), value));
    }

    fn keep(&mut self, value: Expr) -> Expr {
        let (var, ty) = (self.local(value.ty), value.ty);
        self.assign(var, value);
        Expr::var(var, ty)
    }

    /// An arbitrary value from outside.
    fn draw(&mut self, ty: Ty, what: &str) -> Expr {
        let var = self.local(ty);
        self.emit(Op::Havoc(HavocDst::Place(Place::var(var, ty)), Source::Outside(what.to_owned())));
        Expr::var(var, ty)
    }

    fn assume(&mut self, cond: Expr) {
        self.emit(Op::Assume(cond));
    }

    /// A parameter is what it was given.
    fn pass(&mut self, param: LocalId, own: LocalId) {
        self.assign(Var::Local(own), Expr::var(Var::Local(param), Ty::Ptr));
    }

    fn not_null(&mut self, param: LocalId) {
        let p = Expr::var(Var::Local(param), Ty::Ptr);
        self.assume(Expr::binary(BinOp::Ne, p, Expr::null()));
    }

    fn alloc(&mut self, dst: Place, size: Expr, align: u32, site: ir::SiteId) {
        self.emit(Op::Alloc(Alloc { dst, size, align, zeroed: false, may_fail: false, stack: true, site }));
    }

    fn alloc_heap(&mut self, dst: Place, size: Expr, align: u32, site: ir::SiteId) {
        self.emit(Op::Alloc(Alloc { dst, size, align, zeroed: false, may_fail: false, stack: false, site }));
    }

    /// A new object of the activation; its address.
    fn object(&mut self, size: u64, align: u32) -> Expr {
        let name = format!("$start{}", self.locals.len());
        let shape = Shape::Object { size, align };
        let local = self.locals.push(Local { name, shape, constant: false, span: self.span });
        Expr::addr(Address::var(Var::Local(local)))
    }

    /// Element `i` of a vector of pointers.
    fn element(&self, vector: &Place, i: Expr, pointer: u64) -> Place {
        let mut addr = Address::ptr(Expr::read(vector.clone()));
        match i.as_const() {
            Some(n) => addr.offset = (n as i64) * pointer as i64,
            None => {
                let value = Expr::convert(self.model.index_ty(), i);
                addr.indices.push(ir::Index { value, stride: pointer as i64 });
            }
        }
        Place { addr, ty: Ty::Ptr, bits: None, label: ir::Label::default() }
    }

    /// A terminated text of any length; its address.
    fn text(&mut self, of: &str, site: ir::SiteId) -> Expr {
        let size = self.model.size_ty();
        let len = self.draw(size, &format!("room for a text in {of}"));
        let most = Expr::constant(size, (1u128 << (self.model.ptr_width() - 1)) - 1);
        let some = Expr::binary(BinOp::Ge, len.clone(), Expr::constant(size, 1));
        self.assume(Expr::binary(BinOp::And, some, Expr::binary(BinOp::Le, len.clone(), most)));
        let text = self.local(Ty::Ptr);
        self.alloc(Place::var(text, Ty::Ptr), len.clone(), 1, site);
        let mut last = Address::ptr(Expr::var(text, Ty::Ptr));
        last.offset = -1;
        last.indices.push(ir::Index { value: Expr::convert(self.model.index_ty(), len), stride: 1 });
        let char = Ty::int(8, true);
        let last = Place { addr: last, ty: char, bits: None, label: ir::Label::default() };
        self.emit(Op::Assign(last, Expr::constant(char, 0)));
        Expr::var(text, Ty::Ptr)
    }

    /// Makes an object hold anything from outside. Bytes that are no pointers are arbitrary anyway until they are written.
    fn fill(&mut self, at: &Expr, size: Expr, pointers: &Option<Vec<u64>>) {
        let Some(offsets) = pointers else { return };
        let from = || Source::Outside("what a parameter points to".to_owned());
        self.emit(Op::Havoc(HavocDst::Range { dst: at.clone(), len: size }, from()));
        for &offset in offsets {
            let mut addr = match &at.kind {
                ir::ExprKind::Addr(addr) => addr.clone(),
                _ => Address::ptr(at.clone()),
            };
            addr.offset += offset as i64;
            let place = Place { addr, ty: Ty::Ptr, bits: None, label: ir::Label::default() };
            self.emit(Op::Havoc(HavocDst::Place(place), from()));
        }
    }

    /// The outside knows what the pointer points to.
    fn give_away(&mut self, p: Expr) {
        let number = Expr::convert(self.model.size_ty(), p);
        self.keep(number);
    }

    /// Perhaps one of these objects instead, if it has room for `size` bytes.
    fn choose(&mut self, name: &str, place: Place, size: u64, known: &[GlobalId], made: &[(LocalId, Expr)]) {
        if known.is_empty() && made.is_empty() {
            return;
        }
        let ty = Ty::int(32, false);
        let which = self.draw(ty, &format!("which object {name} points to"));
        let is = |n: usize| Expr::binary(BinOp::Eq, which.clone(), Expr::constant(ty, n as u128 + 1));
        let mut value = Expr::read(place.clone());
        for (i, &g) in known.iter().enumerate() {
            value = Expr::ite(is(i), Expr::addr(Address::var(Var::Global(g))), value);
        }
        for (i, (param, room)) in made.iter().enumerate() {
            let fits = Expr::binary(BinOp::Ge, room.clone(), Expr::constant(room.ty, size.into()));
            let chosen = Expr::binary(BinOp::And, is(known.len() + i), fits);
            value = Expr::ite(chosen, Expr::var(Var::Local(*param), Ty::Ptr), value);
        }
        self.emit(Op::Assign(place, value));
    }

    /// Puts the steps in front of the function's own.
    fn finish(mut self, function: &mut Function) {
        if self.edges.is_empty() {
            return;
        }
        let body = function.body.as_mut().expect("the entry function has a body");
        let shift = self.n_locs;
        let moved = |l: Loc| Loc::from_index(l.index() + shift);
        if !self.refused {
            self.edge(self.cur, Some(moved(body.entry)), Op::Skip);
        }
        self.edges.sort_by_key(|e| e.from);
        let ours = (0..shift).map(|_| Location { label: None, span: self.span });
        let locations: IndexVec<Loc, Location> = ours.chain(body.locations.iter().cloned()).collect();
        for e in &body.edges {
            self.edges.push(Edge { from: moved(e.from), to: e.to.map(moved), ..e.clone() });
        }
        body.entry = Loc::from_index(0);
        body.exit = moved(body.exit);
        body.locations = locations;
        body.edges = self.edges.into_iter().collect();
        function.locals = self.locals;
    }
}

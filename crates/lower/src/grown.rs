//! `--params tree`: what the pointers that an entry finds lead to.
//!
//! A driver's operation gets a structure that holds a pointer to another one, and so on. Where such pointers lead is known to
//! nobody who looks at the operation alone; that any two of them may be the same, or may lead into the program's own variables, is
//! what makes most alarms about drivers false. Here each pointer in parameters, in what they point to, and in globals that hold
//! anything leads to an object of its own, or is null: these objects form a tree. Only the objects that the program looks at are made.
//!
//! Which those are is found by an analysis of pointers that knows no order ([`Growth`]): it follows every pointer from the roots,
//! and where one is read from an object that the outside has filled, an object grows there. Where the same read leads on from what it
//! gave before, the program walks along a list. A list that comes to its own read again ends there: in null, or at its head - where
//! the first of its pointers is held. So lists have few elements.
//!
//! The objects are variables, so their addresses are constants, and points-to sets keep them apart. Pointers lead [`MIDDLE`]
//! bytes behind their start, since programs step back from members to what contains them. What the program reads at a known offset is drawn at
//! the start of the run; an object that it reads otherwise is drawn as a whole, but for the pointers.

mod escaped;

use base::Span;
use base::sabotage::{self, Fault};
use escaped::{OUT, UNKNOWN};
use ir::walk::{self, Visitor};
use ir::{
    Address, Base, BinOp, Body, Callee, Edge, EdgeId, Expr, ExprKind, Externs, FuncId, Global, GlobalId, HavocDst,
    Init, Linkage, Loc, Local, Location, Op, Place, Program, Shape, Source, Ty, Var,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where in its object a pointer leads that the outside has made.
pub(crate) const MIDDLE: i64 = 1 << 16;
/// Bytes behind the last that is mentioned.
const BEHIND: i64 = 1 << 12;
/// The same where an offset is not known.
const FAR: i64 = 1 << 16;
/// Pointers from a root to the deepest object.
const DEPTH: usize = 12;
/// The most objects.
const OBJECTS: usize = 128;
/// Offsets that a variable may have into one object before it is any offset.
const OFFSETS: usize = 12;

/// Copies into one object that are looked at.
const COPIES: usize = 8;

/// How names of objects begin that are made here.
pub(crate) const NAME: &str = ".env.";

/// Where a pointer may lead: an object, and the offset if it is known.
type Targets = BTreeSet<(usize, Option<i64>)>;

/// A read: the step, and how many reads give its address. One step may follow several pointers in a row.
type At = (FuncId, EdgeId, usize);

/// An object.
struct Object {
    what: What,
    /// The pointer that leads here: the object that holds it, and where.
    held: Option<(usize, i64)>,
    depth: usize,
    /// The reads that made it.
    reads: BTreeSet<At>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// All that is outside or has escaped.
    Outside,
    /// A global that the program itself fills.
    Own(GlobalId),
    /// One that holds anything at the start.
    Filled(GlobalId),
    /// One that is yet to be made.
    Made,
    /// A local in memory.
    Local(FuncId, ir::LocalId),
    /// What an allocation makes.
    Site(ir::SiteId),
}

/// What an object that the outside has filled is asked for.
#[derive(Default)]
struct Asked {
    /// Values that are no pointers, at known offsets.
    values: BTreeSet<(i64, Ty)>,
    /// Other ways of reading it.
    otherwise: bool,
    /// It is accessed at all.
    accessed: bool,
    /// The bytes that are mentioned.
    low: i64,
    high: i64,
}

struct Growth<'p> {
    program: &'p Program,
    objects: Vec<Object>,
    ids: BTreeMap<What, usize>,
    /// Pointers that the outside has put into an object lead here.
    grown: BTreeMap<(usize, i64), usize>,
    /// Where lists end: other values of such pointers.
    ends: BTreeMap<(usize, i64), BTreeSet<(usize, i64)>>,
    variables: BTreeMap<(Option<FuncId>, Var), Targets>,
    cells: BTreeMap<(usize, Option<i64>), Targets>,
    /// Copies of known bytes: where to, how many, where from.
    copies: BTreeSet<(usize, i64, i64, usize, i64)>,
    /// Objects to which others may have pointers.
    escaped: BTreeSet<usize>,
    changed: bool,
}

/// Makes the objects that the program can come to.
pub(crate) fn grow(program: &mut Program) {
    let mut growth = Growth {
        program,
        objects: Vec::new(),
        ids: BTreeMap::new(),
        grown: BTreeMap::new(),
        ends: BTreeMap::new(),
        variables: BTreeMap::new(),
        cells: BTreeMap::new(),
        copies: BTreeSet::new(),
        escaped: BTreeSet::new(),
        changed: true,
    };
    growth.begin();
    while std::mem::take(&mut growth.changed) {
        growth.round();
        growth.spread();
    }
    let asked = growth.asked();
    let plan = growth.plan(&asked);
    plan.carry_out(program);
}

impl Growth<'_> {
    fn object(&mut self, what: What) -> usize {
        if let Some(&id) = self.ids.get(&what) {
            return id;
        }
        let id = self.objects.len();
        self.objects.push(Object { what, held: None, depth: 0, reads: BTreeSet::new() });
        self.ids.insert(what, id);
        id
    }

    fn global(&mut self, id: GlobalId) -> usize {
        let g = &self.program.globals[id];
        let filled = g.init == Init::Unknown && !g.constant || g.name.starts_with(NAME);
        self.object(if filled { What::Filled(id) } else { What::Own(id) })
    }

    fn is_filled(&self, object: usize) -> bool {
        matches!(self.objects[object].what, What::Filled(_) | What::Made)
    }

    /// Goes over all steps once.
    fn round(&mut self) {
        let program = self.program;
        for (func, function) in program.functions.iter_enumerated() {
            for (id, edge) in function.body.iter().flat_map(|b| b.edges.iter_enumerated()) {
                self.edge(func, id, edge);
            }
        }
    }

    fn edge(&mut self, func: FuncId, id: EdgeId, edge: &Edge) {
        let at = (func, id, 0);
        match &edge.op {
            Op::Assign(place, value) => {
                let targets = self.value(at, value);
                self.store(at, place, &targets);
            }
            Op::Alloc(alloc) => {
                let object = self.object(What::Site(alloc.site));
                self.store(at, &alloc.dst, &Targets::from([(object, Some(0))]));
            }
            Op::CopyRange { dst, src, len } => self.copy(at, dst, src, len),
            Op::Havoc(dst, source) => self.havoc(at, dst, source),
            Op::Call(call) => {
                let known = |f: &FuncId| self.program.functions[*f].body.is_some();
                let Callee::Direct(callee) = call.callee else { return self.call_outside(at, call) };
                if !known(&callee) {
                    return self.call_outside(at, call);
                }
                let args: Vec<Targets> = call.args.iter().map(|a| self.value(at, a)).collect();
                let function = &self.program.functions[callee];
                for (p, targets) in function.params().zip(args) {
                    self.flow((Some(callee), Var::Local(p)), targets);
                }
                if let (Some(dst), Some(ret)) = (call.dst, function.ret) {
                    let result = self.variables.get(&(Some(callee), Var::Local(ret))).cloned().unwrap_or_default();
                    self.store_var(at, dst, &result);
                }
            }
            Op::Return(Some(e)) => {
                let targets = self.value(at, e);
                if let Some(ret) = self.program.functions[func].ret {
                    self.flow((Some(func), Var::Local(ret)), targets);
                }
            }
            Op::Assume(e) | Op::Free(e) => {
                self.value(at, e);
            }
            _ => {}
        }
    }

    fn flow(&mut self, var: (Option<FuncId>, Var), targets: Targets) {
        if targets.is_empty() {
            return;
        }
        let set = self.variables.entry(var).or_default();
        self.changed |= add(set, targets);
    }

    fn store_var(&mut self, at: At, var: Var, targets: &Targets) {
        self.store(at, &Place::var(var, Ty::Ptr), targets);
    }

    fn store(&mut self, at: At, place: &Place, targets: &Targets) {
        if let Some(var @ Var::Local(_)) = place.as_var() {
            self.flow(key(at.0, var), targets.clone());
        }
        for (object, offset) in self.address(at, &place.addr) {
            if object == OUT {
                self.escape(targets);
            } else if !targets.is_empty() {
                let set = self.cells.entry((object, offset)).or_default();
                self.changed |= add(set, targets.clone());
            }
        }
    }

    /// Where a value may lead, if it is a pointer.
    fn value(&mut self, at: At, e: &Expr) -> Targets {
        match &e.kind {
            ExprKind::Read(place) => self.load(at, place),
            ExprKind::Addr(addr) => self.address(at, addr),
            ExprKind::Convert(inner) => {
                let mut targets = self.value(at, inner);
                let (from, to) = (inner.ty == Ty::Ptr, e.ty == Ty::Ptr);
                if from && !to && e.ty != Ty::Bool {
                    self.escape(&targets);
                }
                if to && !from && inner.as_const().is_none() {
                    targets.insert(UNKNOWN);
                }
                targets
            }
            ExprKind::Unary(_, e) => self.value(at, e),
            ExprKind::Binary(op, a, b) => {
                let (mut left, right) = (self.value(at, a), self.value(at, b));
                match op {
                    BinOp::Add | BinOp::Sub => {
                        left.extend(right);
                        left.into_iter().map(|(object, _)| (object, None)).collect()
                    }
                    _ => Targets::new(),
                }
            }
            ExprKind::Ite(c, a, b) => {
                self.value(at, c);
                let mut both = self.value(at, a);
                both.extend(self.value(at, b));
                both
            }
            ExprKind::ObjectPredicate(_, e) | ExprKind::Entry(e) => {
                self.value(at, e);
                Targets::new()
            }
            ExprKind::Const(_) | ExprKind::Func(_) => Targets::new(),
        }
    }

    fn address(&mut self, at: At, addr: &Address) -> Targets {
        let base = match &addr.base {
            Base::Var(Var::Global(g)) => Targets::from([(self.global(*g), Some(0))]),
            Base::Var(Var::Local(l)) => Targets::from([(self.object(What::Local(at.0, *l)), Some(0))]),
            Base::Ptr(p) => self.value(at, p),
        };
        for index in &addr.indices {
            self.value(at, &index.value);
        }
        let known = addr.indices.is_empty();
        base.into_iter().map(|(object, o)| (object, o.filter(|_| known).map(|o| o + addr.offset))).collect()
    }

    fn load(&mut self, at: At, place: &Place) -> Targets {
        let mut found = Targets::new();
        if let Some(var @ Var::Local(_)) = place.as_var() {
            found.extend(self.variables.get(&key(at.0, var)).into_iter().flatten().copied());
        }
        let at = (at.0, at.1, depth(&place.addr));
        for (object, offset) in self.address(at, &place.addr) {
            self.load_cell(at, (object, offset), place.ty == Ty::Ptr, 2, &mut found);
            let size = place.ty.size(self.program.model) as i64;
            let pieces = place.ty != Ty::Ptr && self.reads_pieces(object, offset, size);
            if pieces || object == OUT || self.escaped.contains(&object) {
                found.insert(UNKNOWN);
            }
        }
        found
    }

    fn load_cell(
        &mut self,
        at: At,
        (object, offset): (usize, Option<i64>),
        grows: bool,
        copies: u32,
        found: &mut Targets,
    ) {
        match offset {
            Some(_) => {
                for offset in [offset, None] {
                    found.extend(self.cells.get(&(object, offset)).into_iter().flatten().copied());
                }
            }
            None => {
                let all = self.cells.range((object, None)..=(object, Some(i64::MAX)));
                found.extend(all.flat_map(|(_, targets)| targets.iter().copied()));
            }
        }
        if grows && self.is_filled(object) {
            match offset {
                Some(offset) => found.extend(self.grown_at(at, object, offset).map(|o| (o, Some(MIDDLE)))),
                // Somewhere in it: what has grown there already.
                None => {
                    let all = self.grown.range((object, i64::MIN)..=(object, i64::MAX));
                    found.extend(all.map(|(_, &o)| (o, Some(MIDDLE))));
                }
            }
            let ends = self.ends.get(&(object, offset.unwrap_or(i64::MIN)));
            found.extend(ends.into_iter().flatten().map(|&(o, at)| (o, Some(at))));
        }
        if let (Some(offset), true) = (offset, copies > 0) {
            let all = self.copies.range((object, i64::MIN, 0, 0, 0)..=(object, offset, i64::MAX, usize::MAX, i64::MAX));
            let covers: Vec<_> = all.filter(|(_, to, len, ..)| offset < to + len).copied().collect();
            for (_, to, _, source, from) in covers {
                self.load_cell(at, (source, Some(offset - to + from)), grows, copies - 1, found);
            }
        }
    }

    /// The object to which a pointer leads that the outside has put here.
    fn grown_at(&mut self, at: At, object: usize, offset: i64) -> Option<usize> {
        if let Some(&there) = self.grown.get(&(object, offset)) {
            self.objects[there].reads.insert(at);
            return Some(there);
        }
        let Object { depth, .. } = self.objects[object];
        if self.is_again(at, object) {
            self.end_list(object, offset);
            return None;
        }
        if depth >= DEPTH || self.grown.len() >= OBJECTS {
            return None;
        }
        let there = self.objects.len();
        let held = Some((object, offset));
        self.objects.push(Object { what: What::Made, held, depth: depth + 1, reads: BTreeSet::from([at]) });
        self.grown.insert((object, offset), there);
        self.changed = true;
        Some(there)
    }

    /// Whether the read gave an object on the way to this one already.
    fn is_again(&self, at: At, mut object: usize) -> bool {
        loop {
            let o = &self.objects[object];
            if o.reads.contains(&at) {
                return true;
            }
            match o.held {
                Some((parent, _)) => object = parent,
                None => return false,
            }
        }
    }

    /// A list comes to its own read again: it ends at its head, as do shorter ones.
    fn end_list(&mut self, object: usize, offset: i64) {
        let link = offset - MIDDLE;
        let mut list = vec![(object, offset)];
        let mut top = (object, offset);
        while let Some(held) = self.objects[top.0].held {
            list.push(held);
            top = held;
            if held.1 != MIDDLE + link {
                break;
            }
        }
        let head = (top.0, top.1 - link);
        for holder in list {
            self.changed |= self.ends.entry(holder).or_default().insert(head);
        }
    }

    /// What is read of the objects.
    fn asked(&mut self) -> BTreeMap<usize, Asked> {
        let mut asked: BTreeMap<usize, Asked> = BTreeMap::new();
        let program = self.program;
        for (func, function) in program.functions.iter_enumerated() {
            for (id, edge) in function.body.iter().flat_map(|b| b.edges.iter_enumerated()) {
                let mut seen = Seen::default();
                walk::walk_op(&edge.op, &mut seen);
                for place in seen.places {
                    let written = seen.written.contains(&place);
                    for (object, offset) in self.address((func, id, 0), &place.addr) {
                        let a = asked.entry(object).or_default();
                        a.accessed = true;
                        match offset {
                            Some(o) if place.ty != Ty::Ptr && !written => {
                                a.values.insert((o, place.ty));
                            }
                            Some(_) => {}
                            None => a.otherwise |= !written,
                        }
                        a.mention(offset, place.ty.size(program.model));
                    }
                }
                for addr in seen.addresses {
                    for (object, offset) in self.address((func, id, 0), &addr) {
                        asked.entry(object).or_default().mention(offset, 1);
                    }
                }
                let ranges: Vec<&Expr> = match &edge.op {
                    Op::CopyRange { dst, src, .. } => vec![dst, src],
                    Op::SetRange { dst, .. } | Op::Havoc(HavocDst::Range { dst, .. }, _) => vec![dst],
                    Op::Call(call) if self.looks(&call.callee) => call.args.iter().collect(),
                    _ => Vec::new(),
                };
                for range in ranges {
                    for (object, offset) in self.value((func, id, 0), range) {
                        let a = asked.entry(object).or_default();
                        (a.otherwise, a.accessed) = (true, true);
                        a.mention(offset, FAR as u64);
                    }
                }
            }
        }
        self.read_escaped_whole(&mut asked);
        asked
    }

    /// Whether a function without a body may look at what its arguments point to, for all the program can see.
    fn looks(&self, callee: &Callee) -> bool {
        let Callee::Direct(f) = callee else { return true };
        let function = &self.program.functions[*f];
        function.body.is_none()
            && (self.program.externs != ir::Externs::Pure || ir::library::Library::of(function).is_some())
    }

    /// Which objects are made, and what is written into them.
    fn plan(&self, asked: &BTreeMap<usize, Asked>) -> Plan {
        // What nobody accesses and no pointer that is read leads to need not be there, unless something behind it is. A pointer that is
        // only compared leads to an object, too: without one it could only be null.
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        let accessed = asked.iter().filter(|(_, a)| a.accessed).map(|(&object, _)| object);
        let read = self.grown.values().copied().filter(|_| !sabotage::active(Fault::ComparedPointersAreNull));
        for object in accessed.chain(read) {
            let mut at = Some(object);
            while let Some(object) = at {
                needed.insert(object);
                at = self.objects[object].held.map(|(parent, _)| parent);
            }
        }
        let filled: Vec<usize> =
            (0..self.objects.len()).filter(|&o| self.is_filled(o) && needed.contains(&o)).collect();
        // A variable of the program whose pointers lead nowhere that matters stays as it is.
        let holds = |o: usize| self.grown.iter().any(|((holder, _), there)| *holder == o && needed.contains(there));
        let mut plan = Plan { objects: Vec::new() };
        for &object in &filled {
            let own = match self.objects[object].what {
                What::Filled(id) if self.program.globals[id].name.starts_with(NAME) || holds(object) => Some(id),
                What::Filled(_) => continue,
                _ => None,
            };
            let none = Asked::default();
            let a = asked.get(&object).unwrap_or(&none);
            let of = |(&(holder, at), &there): (&(usize, i64), &usize)| {
                let ends = || self.ends.get(&(holder, at)).into_iter().flatten().copied();
                (holder == object && needed.contains(&there)).then(|| (at, Some(there), ends().collect()))
            };
            let mut pointers: Vec<Pointer> = self.grown.iter().filter_map(of).collect();
            // The last of a list leads on to nothing new.
            for (&(holder, at), ends) in &self.ends {
                if holder == object && pointers.iter().all(|p| p.0 != at) {
                    pointers.push((at, None, ends.iter().copied().collect()));
                }
            }
            plan.objects.push(Planned {
                object,
                own,
                pointers,
                values: a.values.iter().copied().collect(),
                whole: a.otherwise,
                size: (a.high.clamp(0, FAR) + MIDDLE) as u64,
            });
        }
        plan
    }
}

impl Asked {
    /// Bytes that are mentioned, from the start of an object that grows.
    fn mention(&mut self, offset: Option<i64>, size: u64) {
        let size = i64::try_from(size).unwrap_or(FAR).min(FAR);
        let (low, high) = match offset {
            Some(o) => (o - MIDDLE, o - MIDDLE + size + BEHIND),
            None => (-FAR, FAR),
        };
        (self.low, self.high) = (self.low.min(low), self.high.max(high));
    }
}

/// Adds targets; whether there were new ones. Many offsets into one object are any offset.
fn add(set: &mut Targets, targets: Targets) -> bool {
    let before = set.len();
    let mut changed = false;
    for (object, offset) in targets {
        if set.contains(&(object, None)) {
            continue;
        }
        let own = set.range((object, None)..=(object, Some(i64::MAX))).count();
        if offset.is_none() || own >= OFFSETS && !set.contains(&(object, offset)) {
            set.retain(|t| t.0 != object);
            set.insert((object, None));
            changed = true;
        } else {
            set.insert((object, offset));
        }
    }
    changed || set.len() != before
}

/// How many reads of memory give an address.
fn depth(addr: &Address) -> usize {
    let mut seen = Seen::default();
    if let Base::Ptr(p) = &addr.base {
        walk::walk_expr(p, &mut seen);
    }
    seen.places.len()
}

fn key(func: FuncId, var: Var) -> (Option<FuncId>, Var) {
    match var {
        Var::Global(_) => (None, var),
        Var::Local(_) => (Some(func), var),
    }
}

/// The places and addresses in an operation.
#[derive(Default)]
struct Seen {
    places: Vec<Place>,
    written: Vec<Place>,
    addresses: Vec<Address>,
}

impl Visitor for Seen {
    fn read(&mut self, place: &Place) {
        self.places.push(place.clone());
    }

    fn write(&mut self, place: &Place) {
        // A bit-field's neighbours are kept.
        if place.bits.is_none() {
            self.written.push(place.clone());
        }
        self.places.push(place.clone());
    }

    fn address(&mut self, addr: &Address) {
        self.addresses.push(addr.clone());
    }
}

/// The objects that are made.
struct Plan {
    objects: Vec<Planned>,
}

/// A pointer in an object: where it is, where it leads, and what else it may be.
type Pointer = (i64, Option<usize>, Vec<(usize, i64)>);

struct Planned {
    object: usize,
    /// The variable, if there is one already.
    own: Option<GlobalId>,
    /// Where pointers are, where each leads, and what else it may be.
    pointers: Vec<Pointer>,
    values: Vec<(i64, Ty)>,
    /// It is drawn as a whole.
    whole: bool,
    size: u64,
}

impl Plan {
    fn carry_out(&self, program: &mut Program) {
        let entry = program.entry;
        if program.functions[entry].body.is_none() {
            return;
        }
        let span = program.functions[entry].span;
        let mut ids: BTreeMap<usize, GlobalId> = BTreeMap::new();
        for (n, planned) in self.objects.iter().enumerate() {
            let id = match planned.own {
                Some(id) => {
                    program.globals[id].init = Init::Zero;
                    if program.globals[id].name.starts_with(NAME) {
                        program.globals[id].shape = shape(planned.size);
                    }
                    id
                }
                None => {
                    let (name, externs) = (format!("{NAME}{n}"), program.externs);
                    program.globals.push(object(name, planned.size, externs, span))
                }
            };
            ids.insert(planned.object, id);
        }
        let mut steps: Vec<Op> = Vec::new();
        for planned in &self.objects {
            let id = ids[&planned.object];
            let (global, model) = (&program.globals[id], program.model);
            let size = global.shape.size(model) as i64;
            let place = |at: i64, ty: Ty| {
                let addr = Address { offset: at, ..Address::var(Var::Global(id)) };
                Place { addr, ty, bits: None, label: ir::Label::default() }
            };
            let draw = || Source::Outside(crate::start::FILLED.to_owned());
            let fits = |at: i64, ty: Ty| at >= 0 && at + ty.size(model) as i64 <= size;
            if let Shape::Scalar(ty) = global.shape {
                if ty != Ty::Ptr {
                    steps.push(Op::Havoc(HavocDst::Place(Place::var(Var::Global(id), ty)), draw()));
                }
            } else if planned.whole {
                let mut from = 0;
                let mut held: Vec<i64> = planned.pointers.iter().map(|p| p.0).filter(|&at| fits(at, Ty::Ptr)).collect();
                held.sort_unstable();
                held.push(size);
                for to in held {
                    if to > from {
                        let dst = Expr::addr(Address { offset: from, ..Address::var(Var::Global(id)) });
                        let len = Expr::constant(model.size_ty(), (to - from) as u128);
                        steps.push(Op::Havoc(HavocDst::Range { dst, len }, draw()));
                    }
                    from = from.max(to + Ty::Ptr.size(model) as i64);
                }
            } else {
                for &(at, ty) in planned.values.iter().filter(|v| fits(v.0, v.1)) {
                    steps.push(Op::Havoc(HavocDst::Place(place(at, ty)), draw()));
                }
            }
        }
        for planned in &self.objects {
            let id = ids[&planned.object];
            let size = program.globals[id].shape.size(program.model) as i64;
            for (at, there, ends) in &planned.pointers {
                if *at < 0 || at + Ty::Ptr.size(program.model) as i64 > size {
                    continue;
                }
                let lead = |object: &usize, offset: i64| {
                    let id = ids.get(object)?;
                    Some(Expr::addr(Address { offset, ..Address::var(Var::Global(*id)) }))
                };
                let mut value = Expr::null();
                let others = ends.iter().filter_map(|(o, offset)| lead(o, *offset));
                for other in others.chain(there.iter().filter_map(|o| lead(o, MIDDLE))) {
                    let locals = &mut program.functions[entry].locals;
                    let name = format!("$grown{}", locals.len());
                    let choice = locals.push(Local { name, shape: Shape::Scalar(Ty::Bool), constant: false, span });
                    let place = Place::var(Var::Local(choice), Ty::Bool);
                    steps.push(Op::Havoc(HavocDst::Place(place), Source::Outside(crate::start::WHERE.to_owned())));
                    value = Expr::ite(Expr::var(Var::Local(choice), Ty::Bool), other, value);
                }
                let addr = Address { offset: *at, ..Address::var(Var::Global(id)) };
                let place = Place { addr, ty: Ty::Ptr, bits: None, label: ir::Label::default() };
                steps.push(Op::Assign(place, value));
            }
        }
        if let Some(body) = &mut program.functions[entry].body {
            put_in_front(body, steps, span);
        }
    }
}

/// An object that the outside has made.
pub(crate) fn object(name: String, size: u64, externs: Externs, span: Span) -> Global {
    // Who calls the entry knows what it is given, and so does everybody else if functions without a body may do anything.
    let known = externs == Externs::Any && !sabotage::active(Fault::TreesAreNeverGivenAway);
    let exposure = if known { ir::Exposure::Known } else { ir::Exposure::Hidden };
    Global { name, shape: shape(size), init: Init::Zero, linkage: Linkage::Internal, exposure, constant: false, span }
}

fn shape(size: u64) -> Shape {
    Shape::Object { size, align: 16 }
}

fn put_in_front(body: &mut Body, steps: Vec<Op>, span: Span) {
    if steps.is_empty() {
        return;
    }
    let behind = body.entry;
    let mut at = body.locations.push(Location { label: None, span });
    body.entry = at;
    let last = steps.len() - 1;
    for (i, op) in steps.into_iter().enumerate() {
        let to: Loc = if i == last { behind } else { body.locations.push(Location { label: None, span }) };
        body.edges.push(Edge { from: at, to: Some(to), guards: Vec::new(), op, span });
        at = to;
    }
}

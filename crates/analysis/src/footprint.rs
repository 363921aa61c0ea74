//! What an activation may write, with all that it calls: for each region which bytes, as far as that can be said by the
//! arguments it was given, by globals, and by "objects that did not exist when it began". Its caller keeps the rest.
//!
//! A local that does not live in memory holds pointers of known origin: new ones (its own locals, what it allocates, what a
//! function that it calls made), pointers into what a parameter pointed to when the activation began, pointers into
//! globals. Whatever is read from memory is of unknown origin. Sets only grow until they fit together: neither the order of
//! statements nor that of calls plays a role.
//!
//! Moving a pointer does not take it to another object, as everywhere in this crate: an access outside of the object ends
//! the execution. A pointer that was never given a value accesses nothing (SOUNDNESS.md), so it adds no origin.

use crate::Analysis;
use base::{Id, IndexVec};
use ir::library::Library;
use ir::{
    Address, Base, Body, Call, Edge, Expr, ExprKind, Externs, FuncId, GlobalId, HavocDst, LocalId, Op, Place, Program,
    Ty, Var,
};
use pointsto::{Object, RegionId};
use std::collections::{BTreeMap, BTreeSet};

/// More places than this behind one anchor are all that is behind it.
const MAX_PLACES: usize = 6;

/// What a place is named by, seen from the function that writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Anchor {
    /// The value of a parameter when the activation began.
    Param(usize),
    /// The address of a global.
    Global(GlobalId),
}

/// Bytes that may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bytes {
    /// All of them.
    Anywhere,
    /// Those of objects that did not exist when the activation began.
    Fresh,
    /// From the anchor on, at least the first number of bytes and fewer than the second.
    Range(Anchor, i64, i64),
    /// Those of the object that the anchor points into.
    ObjectOf(Anchor),
}

/// Where a pointer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// From memory, from outside, or from nowhere that is known.
    Unknown,
    /// An object that did not exist when the activation began.
    Fresh,
    /// So many bytes behind the anchor.
    At(Anchor, i64),
    /// Somewhere in the object that the anchor points into.
    Within(Anchor),
}

impl Origin {
    fn moved(self, by: Option<i64>) -> Origin {
        match (self, by) {
            (Origin::At(anchor, at), Some(by)) => {
                at.checked_add(by).map_or(Origin::Within(anchor), |at| Origin::At(anchor, at))
            }
            (Origin::At(anchor, _), None) => Origin::Within(anchor),
            (Origin::Unknown | Origin::Fresh | Origin::Within(_), _) => self,
        }
    }

    /// The bytes that a write of `from..to` behind the pointer may touch; of unknown extent if there is none.
    fn bytes(self, range: Option<(i64, i64)>) -> Bytes {
        match (self, range) {
            (Origin::Unknown, _) => Bytes::Anywhere,
            (Origin::Fresh, _) => Bytes::Fresh,
            (Origin::At(anchor, at), Some((from, to))) => match (at.checked_add(from), at.checked_add(to)) {
                (Some(from), Some(to)) => Bytes::Range(anchor, from, to),
                _ => Bytes::ObjectOf(anchor),
            },
            (Origin::At(anchor, _) | Origin::Within(anchor), _) => Bytes::ObjectOf(anchor),
        }
    }
}

/// The origins of a pointer. None: it is null, or was never given a value.
pub type Origins = BTreeSet<Origin>;

/// The written of one region.
pub type ByteSet = BTreeSet<Bytes>;

/// What is known of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// What it may write, with all that it calls. Of a region that it is said to modify and that is not here, new objects.
    pub written: BTreeMap<RegionId, ByteSet>,
    /// A write without a region: nothing is known.
    pub lost: bool,
    /// Where what it returns comes from.
    pub result: Origins,
    /// Where the pointers in its locals come from, but for those that live in memory.
    pub locals: IndexVec<LocalId, Origins>,
}

impl Footprint {
    fn write(&mut self, region: RegionId, bytes: Bytes) {
        let written = self.written.entry(region).or_default();
        let within = |p: &Bytes, anchor: Anchor| matches!(p, Bytes::Range(r, ..) if *r == anchor);
        match bytes {
            _ if written.contains(&Bytes::Anywhere) => {}
            Bytes::Anywhere => *written = [Bytes::Anywhere].into(),
            Bytes::Fresh => {
                written.insert(bytes);
            }
            Bytes::Range(anchor, ..) if written.contains(&Bytes::ObjectOf(anchor)) => {}
            Bytes::Range(anchor, ..) => {
                written.insert(bytes);
                if written.iter().filter(|p| within(p, anchor)).count() > MAX_PLACES {
                    written.retain(|p| !within(p, anchor));
                    written.insert(Bytes::ObjectOf(anchor));
                }
            }
            Bytes::ObjectOf(anchor) => {
                written.retain(|p| !within(p, anchor));
                written.insert(bytes);
            }
        }
    }
}

fn add(origins: &mut Origins, origin: Origin) {
    let at = |o: &Origin, anchor: Anchor| matches!(o, Origin::At(r, _) if *r == anchor);
    match origin {
        _ if origins.contains(&Origin::Unknown) => {}
        Origin::Unknown => *origins = [origin].into(),
        Origin::Fresh => {
            origins.insert(origin);
        }
        Origin::At(anchor, _) if origins.contains(&Origin::Within(anchor)) => {}
        Origin::At(anchor, _) => {
            origins.insert(origin);
            if origins.iter().filter(|o| at(o, anchor)).count() > MAX_PLACES {
                origins.retain(|o| !at(o, anchor));
                origins.insert(Origin::Within(anchor));
            }
        }
        Origin::Within(anchor) => {
            origins.retain(|o| !at(o, anchor));
            origins.insert(origin);
        }
    }
}

/// What every function may write.
#[derive(Clone, Debug)]
pub struct Footprints {
    /// One by one; of a function without a body nothing.
    pub functions: IndexVec<FuncId, Footprint>,
}

impl Footprints {
    pub(crate) fn new(analysis: &Analysis<'_>) -> Footprints {
        let program = analysis.program;
        let mut functions = IndexVec::filled(Footprint::default(), program.functions.len());
        let order = callees_first(analysis);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &func in &order {
                let Some(body) = &program.functions[func].body else { continue };
                let found = Walk::new(analysis, func, &functions).body(body);
                changed |= functions[func] != found;
                functions[func] = found;
            }
        }
        Footprints { functions }
    }

    /// What an activation may write of a region that its function may write.
    pub fn written(&self, func: FuncId, region: RegionId) -> ByteSet {
        let summary = &self.functions[func];
        if summary.lost {
            return [Bytes::Anywhere].into();
        }
        // What is allocated and not written is new, with whatever it contains.
        summary.written.get(&region).cloned().unwrap_or_else(|| [Bytes::Fresh].into())
    }
}

/// The functions, most of them after those that they call.
fn callees_first(analysis: &Analysis<'_>) -> Vec<FuncId> {
    let (program, query) = (analysis.program, analysis.query());
    let callees = |func: FuncId| -> Vec<FuncId> {
        let edges = program.functions[func].body.iter().flat_map(|b| &b.edges);
        let calls = edges.filter_map(|e| match &e.op {
            Op::Call(call) => Some(query.callees(func, &call.callee, call.args.len())),
            _ => None,
        });
        calls.flatten().collect()
    };
    let mut seen: IndexVec<FuncId, bool> = IndexVec::filled(false, program.functions.len());
    let mut order = Vec::new();
    for start in program.functions.ids() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut stack = vec![(start, callees(start))];
        while let Some((func, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(callee) if !std::mem::replace(&mut seen[callee], true) => stack.push((callee, callees(callee))),
                Some(_) => {}
                None => {
                    order.push(*func);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// The walk over one body with what is known of all functions.
struct Walk<'a> {
    analysis: &'a Analysis<'a>,
    program: &'a Program,
    func: FuncId,
    functions: &'a IndexVec<FuncId, Footprint>,
    locals: IndexVec<LocalId, Origins>,
    summary: Footprint,
}

impl<'a> Walk<'a> {
    fn new(analysis: &'a Analysis<'a>, func: FuncId, functions: &'a IndexVec<FuncId, Footprint>) -> Walk<'a> {
        let program = analysis.program;
        let f = &program.functions[func];
        let origin = |l: LocalId| match l.index() < f.n_params {
            true => [Origin::At(Anchor::Param(l.index()), 0)].into(),
            false => Origins::new(),
        };
        let locals = f.locals.ids().map(origin).collect();
        Walk { analysis, program, func, functions, locals, summary: Footprint::default() }
    }

    fn body(mut self, body: &Body) -> Footprint {
        loop {
            let before = self.locals.clone();
            body.edges.iter().for_each(|edge| self.values(edge));
            if self.locals == before {
                break;
            }
        }
        body.edges.iter().for_each(|edge| self.writes(edge));
        let f = &self.program.functions[self.func];
        // The parameters and the result are written by calling and returning.
        for l in f.params().chain(f.ret) {
            if self.analysis.in_memory(self.func, Var::Local(l)) {
                self.object(Object::Local(self.func, l), Bytes::Fresh);
            }
        }
        if let Some(ret) = f.ret {
            let plain = !self.analysis.in_memory(self.func, Var::Local(ret));
            self.summary.result = if plain { self.locals[ret].clone() } else { [Origin::Unknown].into() };
        }
        self.summary.locals = self.locals;
        self.summary
    }

    /// What an edge gives to locals.
    fn values(&mut self, edge: &Edge) {
        match &edge.op {
            Op::Assign(place, e) => self.give(place, self.origins(e)),
            Op::Havoc(HavocDst::Place(_), source) if source.is_indeterminate() => {}
            Op::Havoc(HavocDst::Place(place), _) => self.give(place, [Origin::Unknown].into()),
            Op::Alloc(alloc) => self.give(&alloc.dst, [Origin::Fresh].into()),
            Op::Return(Some(e)) => {
                if let Some(ret) = self.program.functions[self.func].ret {
                    self.give(&Place::var(Var::Local(ret), e.ty), self.origins(e));
                }
            }
            Op::Call(call) => {
                if let Some(Var::Local(l)) = call.dst {
                    let ty = self.program.functions[self.func].locals[l].shape.scalar().unwrap_or(Ty::Ptr);
                    self.give(&Place::var(Var::Local(l), ty), self.results(call));
                }
            }
            _ => {}
        }
    }

    fn give(&mut self, place: &Place, origins: Origins) {
        let Base::Var(Var::Local(local)) = place.addr.base else { return };
        let whole = place.as_var().is_some() && place.ty == Ty::Ptr;
        for origin in if whole { origins } else { [Origin::Unknown].into() } {
            add(&mut self.locals[local], origin);
        }
    }

    /// What the functions that a call may run return.
    fn results(&self, call: &Call) -> Origins {
        let mut all = Origins::new();
        let query = self.analysis.query();
        for callee in query.callees(self.func, &call.callee, call.args.len()) {
            if self.program.functions[callee].body.is_none() {
                add(&mut all, Origin::Unknown);
            }
            for &origin in &self.functions[callee].result {
                match origin {
                    Origin::Unknown | Origin::Fresh => add(&mut all, origin),
                    Origin::At(anchor, by) => {
                        self.behind(call, anchor).iter().for_each(|o| add(&mut all, o.moved(Some(by))));
                    }
                    Origin::Within(anchor) => {
                        self.behind(call, anchor).iter().for_each(|o| add(&mut all, o.moved(None)));
                    }
                }
            }
        }
        all
    }

    /// What a callee's anchor is to its caller.
    fn behind(&self, call: &Call, anchor: Anchor) -> Origins {
        match anchor {
            Anchor::Global(_) => [Origin::At(anchor, 0)].into(),
            Anchor::Param(i) => call.args.get(i).map_or_else(|| [Origin::Unknown].into(), |arg| self.origins(arg)),
        }
    }

    fn origins(&self, e: &Expr) -> Origins {
        let unknown = || Origins::from([Origin::Unknown]);
        match &e.kind {
            ExprKind::Const(0) => Origins::new(),
            ExprKind::Read(place) => match place.as_var() {
                Some(v @ Var::Local(l)) if place.ty == Ty::Ptr && !self.analysis.in_memory(self.func, v) => {
                    self.locals[l].clone()
                }
                _ => unknown(),
            },
            ExprKind::Addr(addr) => self.address(addr),
            ExprKind::Convert(a) if e.ty == Ty::Ptr && (a.ty == Ty::Ptr || a.as_const() == Some(0)) => self.origins(a),
            ExprKind::Ite(_, a, b) => {
                let mut origins = self.origins(a);
                self.origins(b).into_iter().for_each(|o| add(&mut origins, o));
                origins
            }
            _ => unknown(),
        }
    }

    fn address(&self, addr: &Address) -> Origins {
        let base: Origins = match &addr.base {
            Base::Var(Var::Local(_)) => [Origin::Fresh].into(),
            Base::Var(Var::Global(g)) => [Origin::At(Anchor::Global(*g), 0)].into(),
            Base::Ptr(p) => self.origins(p),
        };
        let by = addr.indices.iter().try_fold(addr.offset, |sum, index| {
            let n = index.value.as_const().and_then(|c| i32::try_from(c).ok())?;
            sum.checked_add(index.stride.checked_mul(i64::from(n))?)
        });
        let mut moved = Origins::new();
        base.into_iter().for_each(|o| add(&mut moved, o.moved(by)));
        moved
    }

    /// What an edge writes.
    fn writes(&mut self, edge: &Edge) {
        match &edge.op {
            Op::Assign(place, _) | Op::Havoc(HavocDst::Place(place), _) => self.place(place),
            Op::Alloc(alloc) => {
                self.place(&alloc.dst);
                self.object(Object::Site(alloc.site), Bytes::Fresh);
            }
            Op::SetRange { dst, len, .. }
            | Op::CopyRange { dst, len, .. }
            | Op::Havoc(HavocDst::Range { dst, len }, _) => self.range(dst, len),
            Op::Call(call) => self.call(call),
            _ => {}
        }
    }

    fn object(&mut self, object: Object, bytes: Bytes) {
        for region in self.analysis.regions.of_object(object) {
            self.summary.write(region, bytes);
        }
    }

    fn place(&mut self, place: &Place) {
        let plain = place.as_var().is_some_and(|v| !self.analysis.in_memory(self.func, v));
        if plain {
            return;
        }
        let Ok(region) = self.analysis.region(self.func, place) else {
            self.summary.lost = true;
            return;
        };
        let size = place.ty.size(self.program.model) as i64;
        self.behind_pointer(&self.address(&place.addr), &[region].into(), Some((0, size)));
    }

    fn range(&mut self, dst: &Expr, len: &Expr) {
        let Ok(regions) = self.analysis.regions_of_range(self.func, dst, len) else {
            self.summary.lost = true;
            return;
        };
        let len = len.as_const().and_then(|n| i64::try_from(n).ok());
        self.behind_pointer(&self.origins(dst), &regions, len.map(|n| (0, n)));
    }

    fn behind_pointer(&mut self, origins: &Origins, regions: &BTreeSet<RegionId>, range: Option<(i64, i64)>) {
        for &region in regions {
            // A write through null is none of an execution that counts, but a proof should not build on that.
            if origins.is_empty() {
                self.summary.write(region, Bytes::Fresh);
            }
            for origin in origins {
                self.summary.write(region, origin.bytes(range));
            }
        }
    }

    fn call(&mut self, call: &Call) {
        if let Some(dst) = call.dst.filter(|&dst| self.analysis.in_memory(self.func, dst)) {
            match dst {
                Var::Local(l) => self.object(Object::Local(self.func, l), Bytes::Fresh),
                Var::Global(g) => self.object(Object::Global(g), Bytes::ObjectOf(Anchor::Global(g))),
            }
        }
        let functions = self.functions;
        for callee in self.analysis.query().callees(self.func, &call.callee, call.args.len()) {
            let f = &self.program.functions[callee];
            if f.body.is_none() {
                if self.program.externs != Externs::Pure && Library::of(f).is_none() {
                    for &region in &self.analysis.regions.changed {
                        self.summary.write(region, Bytes::Anywhere);
                    }
                }
                continue;
            }
            self.summary.lost |= functions[callee].lost;
            for (&region, written) in &functions[callee].written {
                for &bytes in written {
                    self.of_callee(call, region, bytes);
                }
            }
        }
    }

    fn of_callee(&mut self, call: &Call, region: RegionId, bytes: Bytes) {
        let (anchor, range) = match bytes {
            Bytes::Anywhere | Bytes::Fresh => return self.summary.write(region, bytes),
            Bytes::Range(anchor, from, to) => (anchor, Some((from, to))),
            Bytes::ObjectOf(anchor) => (anchor, None),
        };
        self.behind_pointer(&self.behind(call, anchor), &[region].into(), range);
    }
}

//! Memory as regions: no access of the program crosses the border of one, so each can be a map of its own in logic.
//!
//! A *cell* is what one access may touch of one object: offsets and a size. All cells of one access lie in one region,
//! and so do cells that may share a byte. What a copy moves lies in one region before and after it. A region whose
//! cells all have one size and never overlap in part is a map from addresses to words of that size, any other one from
//! addresses to bytes.
//!
//! A region is *private* to a function if it holds only locals of it whose address is never stored: no other activation
//! can reach them.

use crate::offsets::Offsets;
use crate::query::Query;
use crate::solution::Object;
use crate::targets::Targets;
use base::sabotage::{self, Fault};
use base::{Id, IndexVec, define_id};
use ir::library::Library;
use ir::walk::{Visitor, walk_edge};
use ir::{Call, Callee, Edge, Expr, Externs, FuncId, HavocDst, Init, Op, Place, Shape, Var};
use std::collections::{BTreeMap, BTreeSet};

define_id!(pub RegionId, "R", "A region of memory.");

/// What one access may touch of one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Of this object.
    pub object: Object,
    /// From here.
    pub at: Offsets,
    /// So many bytes.
    pub size: u64,
}

/// What the values of a region's map are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// Words of so many bytes, each at the address of its first.
    Word(u64),
    /// Bytes.
    Byte,
}

/// One region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// What its map maps to.
    pub width: Width,
    /// The function that alone can reach it.
    pub private: Option<FuncId>,
    /// The objects it has parts of.
    pub objects: BTreeSet<Object>,
}

/// The regions of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions {
    /// All regions. The first is where accesses go that cannot happen.
    pub all: IndexVec<RegionId, Region>,
    /// The cells of each object and their regions.
    pub cells: BTreeMap<Object, Vec<(Cell, RegionId)>>,
    /// The regions that each function, with all that it calls, may write.
    pub modifies: IndexVec<FuncId, BTreeSet<RegionId>>,
    /// The regions that a function without body may write.
    pub outside: BTreeSet<RegionId>,
}

/// Objects with more cells than this are one region, byte by byte.
const MAX_CELLS: usize = 300;

impl Regions {
    /// Where accesses go that cannot happen.
    pub fn nowhere() -> RegionId {
        RegionId::from_index(0)
    }

    /// The regions of the program that the solution is about.
    pub fn new(query: Query<'_>) -> Regions {
        let mut builder =
            Builder { query, cells: Vec::new(), index: BTreeMap::new(), parent: Vec::new(), bytes: Vec::new() };
        builder.accesses();
        builder.texts();
        builder.ranges();
        builder.overlaps();
        builder.finish()
    }

    /// The region of an access of `size` bytes at `accessed` ([`Query::accessed`]); `None` if the program itself makes no
    /// such access.
    pub fn of(&self, accessed: &Targets, size: u64) -> Option<RegionId> {
        let mut found = None;
        for (&object, &at) in accessed {
            for (cell, region) in self.cells.get(&object).into_iter().flatten() {
                let meet = at.meet(size, cell.at, cell.size);
                if !meet.overlap {
                    continue;
                }
                let fits = match self.all[*region].width {
                    Width::Byte => true,
                    Width::Word(n) => n == size && meet.aligned,
                };
                if !fits || found.is_some_and(|f| f != *region) {
                    return None;
                }
                found = Some(*region);
            }
        }
        Some(found.unwrap_or(Regions::nowhere()))
    }

    /// The regions that a range from `reached` on may touch; `None` as length is any.
    pub fn of_range(&self, reached: &Targets, len: Option<u64>) -> BTreeSet<RegionId> {
        let mut found = BTreeSet::new();
        for (&object, &at) in reached {
            let (at, len) = len.map_or((Offsets::ANY, 1), |n| (at, n));
            let len = if sabotage::active(Fault::RangeTooShort) { len / 2 } else { len };
            let cells = self.cells.get(&object).into_iter().flatten();
            found.extend(cells.filter(|(c, _)| at.meet(len, c.at, c.size).overlap).map(|&(_, r)| r));
        }
        found
    }

    /// The regions that have parts of an object.
    pub fn of_object(&self, object: Object) -> BTreeSet<RegionId> {
        self.cells.get(&object).into_iter().flatten().map(|&(_, r)| r).collect()
    }
}

/// A constant length.
pub(crate) fn constant_length(len: &Expr) -> Option<u64> {
    len.as_const().and_then(|n| u64::try_from(n).ok()).filter(|&n| n < 1 << 40)
}

struct Builder<'a> {
    query: Query<'a>,
    cells: Vec<Cell>,
    index: BTreeMap<Object, BTreeMap<(Offsets, u64), usize>>,
    parent: Vec<usize>,
    /// Cells that something touches a part of.
    bytes: Vec<usize>,
}

impl Builder<'_> {
    fn find(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low;
    }

    fn cell(&mut self, object: Object, at: Offsets, size: u64) -> usize {
        let known = self.index.entry(object).or_default();
        let full = known.len() >= MAX_CELLS && !known.contains_key(&(at, size));
        let (at, size) = if full { (Offsets::ANY, 1) } else { (at, size) };
        if let Some(&i) = known.get(&(at, size)) {
            return i;
        }
        let i = self.cells.len();
        known.insert((at, size), i);
        self.cells.push(Cell { object, at, size });
        self.parent.push(i);
        if full {
            self.bytes.push(i);
        }
        i
    }

    /// One access: its cells belong together.
    fn access(&mut self, address: &Targets, size: u64) {
        let mut first = None;
        for (object, at) in self.query.accessed(address, size) {
            let cell = self.cell(object, at, size);
            match first {
                None => first = Some(cell),
                Some(f) => self.union(f, cell),
            }
        }
    }

    fn variable(&mut self, func: FuncId, var: Var) {
        let shape = self.query.program.shape(func, var);
        if let (true, Shape::Scalar(ty)) = (self.query.in_memory(func, var), shape) {
            let at = Targets::from([(Query::object(func, var), Offsets::exactly(0))]);
            self.access(&at, ty.size(self.query.program.model));
        }
    }

    fn accesses(&mut self) {
        let program = self.query.program;
        for (func, f) in program.functions.iter_enumerated() {
            for p in f.params().chain(f.ret) {
                self.variable(func, Var::Local(p));
            }
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                let mut places = Places(Vec::new());
                walk_edge(edge, &mut places);
                for place in places.0 {
                    if self.query.is_access(func, &place) {
                        let address = self.query.address(func, &place.addr);
                        self.access(&address, place.ty.size(program.model));
                    }
                }
                if let Op::Call(Call { dst: Some(dst), .. }) = &edge.op {
                    self.variable(func, *dst);
                }
            }
        }
    }

    /// The bytes of a text belong together, so that a library function can speak of all of them. Objects that have anything
    /// but single bytes are left as they are: what else is in them is worth more.
    fn texts(&mut self) {
        let program = self.query.program;
        for (func, f) in program.functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                let Op::Call(Call { callee: Callee::Direct(callee), args, .. }) = &edge.op else { continue };
                let n = Library::of(&program.functions[*callee]).map_or(0, Library::texts);
                for text in &args[..n] {
                    let reached = self.query.reached(&self.query.expr(func, text));
                    let bytes = |object: &Object| {
                        self.index.get(object).into_iter().flat_map(BTreeMap::keys).all(|&(_, size)| size == 1)
                    };
                    if reached.keys().all(bytes) {
                        self.access(&reached.map(|_, _| Offsets::ANY), 1);
                    }
                }
            }
        }
    }

    /// Copies move cells to cells; ranges that cut a cell make its region one of bytes.
    fn ranges(&mut self) {
        let program = self.query.program;
        let mut copies: Vec<(Targets, Targets, Option<u64>)> = Vec::new();
        let mut fills: Vec<(Targets, Option<u64>)> = Vec::new();
        for (func, f) in program.functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                match &edge.op {
                    Op::CopyRange { dst, src, len } => {
                        let reach = |e| self.query.reached(&self.query.expr(func, e));
                        copies.push((reach(dst), reach(src), constant_length(len)));
                    }
                    Op::SetRange { dst, len, .. } | Op::Havoc(HavocDst::Range { dst, len }, _) => {
                        fills.push((self.query.reached(&self.query.expr(func, dst)), constant_length(len)));
                    }
                    _ => {}
                }
            }
        }
        copies.dedup();
        fills.dedup();
        let mut before = usize::MAX;
        while std::mem::replace(&mut before, self.cells.len()) != self.cells.len() {
            for (to, from, len) in &copies {
                self.copy(to, from, *len);
                self.copy(from, to, *len);
            }
        }
        for (at, len) in fills.iter().map(|(t, n)| (t, n)).chain(copies.iter().flat_map(|(t, f, n)| [(t, n), (f, n)])) {
            self.cut(at, *len);
        }
    }

    /// Every cell of `from` in the range has its counterpart in `to`.
    fn copy(&mut self, to: &Targets, from: &Targets, len: Option<u64>) {
        for (&source, &start) in from {
            let (at, n) = len.map_or((Offsets::ANY, 1), |n| (start, n));
            let cells: Vec<usize> = self.index.get(&source).into_iter().flat_map(|c| c.values().copied()).collect();
            for i in cells {
                let cell = self.cells[i];
                if !cell.at.meet(cell.size, at, n).overlap {
                    continue;
                }
                for (&target, &dst) in to {
                    let moved = if len.is_some() { dst.moved(cell.at, start) } else { Offsets::ANY };
                    let moved = if target == Object::Ext { Offsets::ANY } else { moved };
                    let counterpart = self.cell(target, moved, cell.size);
                    self.union(i, counterpart);
                }
            }
        }
    }

    /// Cells that a range may touch in part.
    fn cut(&mut self, range: &Targets, len: Option<u64>) {
        for (object, &start) in range {
            for &i in self.index.get(object).into_iter().flat_map(|c| c.values()) {
                let cell = self.cells[i];
                let whole = match len {
                    Some(n) => {
                        let meet = cell.at.meet(cell.size, start, n);
                        !meet.overlap || meet.inside
                    }
                    None => cell.size == 1,
                };
                if !whole {
                    self.bytes.push(i);
                }
            }
        }
    }

    fn overlaps(&mut self) {
        let objects: Vec<Vec<usize>> = self.index.values().map(|c| c.values().copied().collect()).collect();
        for cells in objects {
            for (k, &i) in cells.iter().enumerate() {
                for &j in &cells[k..] {
                    let (a, b) = (self.cells[i], self.cells[j]);
                    let meet = a.at.meet(a.size, b.at, b.size);
                    if meet.overlap {
                        self.union(i, j);
                    }
                    if meet.overlap && (!meet.aligned || a.size != b.size) {
                        self.bytes.push(i);
                    }
                }
            }
        }
        self.initialisers();
    }

    /// An initialiser that writes a part of a cell, or more than one.
    fn initialisers(&mut self) {
        for (id, global) in self.query.program.globals.iter_enumerated() {
            let Init::Values(items) = &global.init else { continue };
            let cells: Vec<usize> =
                self.index.get(&Object::Global(id)).into_iter().flat_map(|c| c.values().copied()).collect();
            for item in items {
                let (at, size) = (Offsets::exactly(item.offset as i64), item.value.ty.size(self.query.program.model));
                for &i in &cells {
                    let cell = self.cells[i];
                    let meet = at.meet(size, cell.at, cell.size);
                    if meet.overlap && (!meet.aligned || size != cell.size) {
                        self.bytes.push(i);
                    }
                }
            }
        }
    }

    fn finish(mut self) -> Regions {
        let nowhere = Region { width: Width::Byte, private: None, objects: BTreeSet::new() };
        let mut all: IndexVec<RegionId, Region> = IndexVec::new();
        all.push(nowhere);
        let bytes: BTreeSet<usize> = std::mem::take(&mut self.bytes).into_iter().map(|i| self.find(i)).collect();
        let mut ids: BTreeMap<usize, RegionId> = BTreeMap::new();
        let mut cells: BTreeMap<Object, Vec<(Cell, RegionId)>> = BTreeMap::new();
        for i in 0..self.cells.len() {
            let (root, cell) = (self.find(i), self.cells[i]);
            let region = *ids.entry(root).or_insert_with(|| {
                all.push(Region { width: Width::Word(cell.size), private: None, objects: BTreeSet::new() })
            });
            let r = &mut all[region];
            r.objects.insert(cell.object);
            let plain = matches!(cell.size, 1 | 2 | 4 | 8 | 16) && cell.object != Object::Ext;
            if bytes.contains(&root) || !plain || r.width != Width::Word(cell.size) {
                r.width = Width::Byte;
            }
            cells.entry(cell.object).or_default().push((cell, region));
        }
        let pointed = self.pointed();
        for region in all.iter_mut() {
            region.private = private(&region.objects, &pointed);
        }
        let mut regions = Regions { all, cells, modifies: IndexVec::new(), outside: BTreeSet::new() };
        let known = self.query.solution.escaped.iter().copied().chain([Object::Ext]);
        regions.outside = known.flat_map(|o| regions.of_object(o)).collect();
        regions.modifies = modifies(self.query, &regions);
        regions
    }

    /// The objects that some stored pointer may point to.
    fn pointed(&self) -> BTreeSet<Object> {
        let solution = self.query.solution;
        let variables = solution.globals.iter().chain(solution.locals.iter().flatten());
        let contents = solution.contents.values().flat_map(|slots| slots.values());
        let stored = variables.chain(contents).flat_map(|t| t.keys().copied());
        stored.chain(solution.escaped.iter().copied()).collect()
    }
}

fn private(objects: &BTreeSet<Object>, pointed: &BTreeSet<Object>) -> Option<FuncId> {
    let mut owner = None;
    for object in objects {
        match object {
            Object::Local(f, _) if !pointed.contains(object) && owner.is_none_or(|o| o == *f) => owner = Some(*f),
            _ => return None,
        }
    }
    owner
}

/// What each function may write, with all that it calls.
fn modifies(query: Query<'_>, regions: &Regions) -> IndexVec<FuncId, BTreeSet<RegionId>> {
    let program = query.program;
    let mut all: IndexVec<FuncId, BTreeSet<RegionId>> = IndexVec::filled(BTreeSet::new(), program.functions.len());
    let mut calls: Vec<(FuncId, FuncId)> = Vec::new();
    for (func, f) in program.functions.iter_enumerated() {
        let Some(body) = &f.body else {
            if program.externs != Externs::Pure && Library::of(f).is_none() {
                all[func].extend(&regions.outside);
            }
            continue;
        };
        for p in f.params().chain(f.ret).filter(|&p| query.in_memory(func, Var::Local(p))) {
            all[func].extend(regions.of_object(Object::Local(func, p)));
        }
        for edge in &body.edges {
            all[func].extend(written(query, regions, func, edge));
            if let Op::Call(call) = &edge.op {
                calls.extend(query.callees(func, &call.callee, call.args.len()).into_iter().map(|g| (func, g)));
            }
        }
    }
    calls.sort_unstable();
    calls.dedup();
    let mut changed = !sabotage::active(Fault::RegionsOfCalleesForgotten);
    while std::mem::take(&mut changed) {
        for &(caller, callee) in &calls {
            let more: Vec<RegionId> = all[callee].difference(&all[caller]).copied().collect();
            changed |= !more.is_empty();
            all[caller].extend(more);
        }
    }
    all
}

/// The regions that an edge itself writes, calls left aside.
pub(crate) fn written(query: Query<'_>, regions: &Regions, func: FuncId, edge: &Edge) -> BTreeSet<RegionId> {
    let mut found = BTreeSet::new();
    let mut place = |place: &Place| {
        if query.is_access(func, place) {
            let size = place.ty.size(query.program.model);
            found.extend(regions.of(&query.accessed(&query.address(func, &place.addr), size), size));
        }
    };
    match &edge.op {
        Op::Assign(p, _) | Op::Havoc(HavocDst::Place(p), _) => place(p),
        Op::Alloc(alloc) => {
            place(&alloc.dst);
            found.extend(regions.of_object(Object::Site(alloc.site)));
        }
        Op::SetRange { dst, len, .. } | Op::CopyRange { dst, len, .. } | Op::Havoc(HavocDst::Range { dst, len }, _) => {
            found.extend(regions.of_range(&query.reached(&query.expr(func, dst)), constant_length(len)));
        }
        Op::Call(Call { dst: Some(Var::Global(g)), .. }) => found.extend(regions.of_object(Object::Global(*g))),
        Op::Call(Call { dst: Some(Var::Local(l)), .. }) => found.extend(regions.of_object(Object::Local(func, *l))),
        _ => {}
    }
    found
}

struct Places(Vec<Place>);

impl Visitor for Places {
    fn read(&mut self, place: &Place) {
        self.0.push(place.clone());
    }
    fn write(&mut self, place: &Place) {
        self.0.push(place.clone());
    }
}

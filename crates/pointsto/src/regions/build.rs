//! How regions are found: cells of accesses, joined until nothing crosses a border.
//!
//! The outside, with all that is known there, is dealt with once for each size of access and each length of range, not once
//! for each access through a pointer of unknown origin.

use super::modifies::modifies;
use super::{Cell, Region, RegionId, Regions, Width, constant_length};
use crate::offsets::Offsets;
use crate::query::Query;
use crate::solution::Object;
use crate::targets::Targets;
use base::IndexVec;
use ir::library::Library;
use ir::walk::{Visitor, walk_edge};
use ir::{Call, Callee, FuncId, HavocDst, Init, Op, Place, Shape, Var};
use std::collections::{BTreeMap, BTreeSet};

/// Objects with more cells than this are one region, byte by byte.
const MAX_CELLS: usize = 300;

pub(super) fn build(query: Query<'_>) -> Regions {
    let mut builder = Builder {
        query,
        cells: Vec::new(),
        index: BTreeMap::new(),
        parent: Vec::new(),
        bytes: Vec::new(),
        outside: BTreeMap::new(),
    };
    builder.accesses();
    builder.string_arguments();
    builder.ranges();
    builder.overlaps();
    builder.finish()
}

struct Builder<'a> {
    query: Query<'a>,
    cells: Vec<Cell>,
    index: BTreeMap<Object, BTreeMap<(Offsets, u64), usize>>,
    parent: Vec<usize>,
    /// Cells that something touches a part of.
    bytes: Vec<usize>,
    /// For each size of accesses outside a cell of theirs.
    outside: BTreeMap<u64, usize>,
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
            let cell = self.cell_or_outside(object, at, size);
            match first {
                None => first = Some(cell),
                Some(f) => self.union(f, cell),
            }
        }
    }

    /// A cell; of the outside one that belongs together with those of all that is known there.
    fn cell_or_outside(&mut self, object: Object, at: Offsets, size: u64) -> usize {
        if object != Object::Ext {
            return self.cell(object, at, size);
        }
        if let Some(&cell) = self.outside.get(&size) {
            return cell;
        }
        let first = self.cell(Object::Ext, Offsets::ANY, size);
        self.outside.insert(size, first);
        for object in self.query.known_outside() {
            let cell = self.cell(object, Offsets::ANY, size);
            self.union(first, cell);
        }
        first
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
    fn string_arguments(&mut self) {
        let program = self.query.program;
        for (func, f) in program.functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                let Op::Call(Call { callee: Callee::Direct(callee), args, .. }) = &edge.op else { continue };
                let n = Library::of(&program.functions[*callee]).map_or(0, Library::string_arguments);
                for text in &args[..n] {
                    let reached = self.query.named(&self.query.expr(func, text));
                    let bytes = |object: &Object| self.sizes(*object).all(|size| size == 1);
                    let outside = || self.query.known_outside().all(|object| bytes(&object));
                    if reached.keys().all(bytes) && (!reached.contains_key(&Object::Ext) || outside()) {
                        self.access(&reached.map(|_, _| Offsets::ANY), 1);
                    }
                }
            }
        }
    }

    /// The sizes of an object's cells.
    fn sizes(&self, object: Object) -> impl Iterator<Item = u64> {
        self.index.get(&object).into_iter().flat_map(BTreeMap::keys).map(|&(_, size)| size)
    }

    /// Copies move cells to cells; ranges that cut a cell make its region one of bytes.
    fn ranges(&mut self) {
        let program = self.query.program;
        let mut copies: Vec<(Targets, Targets, Option<u64>)> = Vec::new();
        let mut ranges: Vec<(Targets, Option<u64>)> = Vec::new();
        for (func, f) in program.functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                match &edge.op {
                    Op::CopyRange { dst, src, len } => {
                        let reach = |e| self.query.named(&self.query.expr(func, e));
                        copies.push((reach(dst), reach(src), constant_length(len)));
                    }
                    Op::SetRange { dst, len, .. } | Op::Havoc(HavocDst::Range { dst, len }, _) => {
                        ranges.push((self.query.named(&self.query.expr(func, dst)), constant_length(len)));
                    }
                    _ => {}
                }
            }
        }
        ranges.extend(copies.iter().flat_map(|(to, from, len)| [(to.clone(), *len), (from.clone(), *len)]));
        copies.retain(|(to, from, len)| !to.is_empty() && !from.is_empty() && *len != Some(0));
        copies.dedup();
        let outside = copies.iter().any(|(t, f, _)| t.contains_key(&Object::Ext) || f.contains_key(&Object::Ext));
        let mut before = usize::MAX;
        while std::mem::replace(&mut before, self.cells.len()) != self.cells.len() {
            if outside {
                self.join_outside();
            }
            for (to, from, len) in &copies {
                self.copy(to, from, *len);
                self.copy(from, to, *len);
            }
        }
        let mut lengths = BTreeSet::new();
        for (range, len) in ranges {
            self.cut(&range, len);
            if range.contains_key(&Object::Ext) && lengths.insert(len) {
                self.cut(&self.query.known_outside().map(|object| (object, Offsets::ANY)).collect(), len);
            }
        }
    }

    /// Something is copied to or from outside: what is known there can be copied to anything else that is.
    fn join_outside(&mut self) {
        let known = self.query.known_outside().chain([Object::Ext]);
        let cells: Vec<usize> = known.filter_map(|o| self.index.get(&o)).flat_map(|c| c.values().copied()).collect();
        for i in cells {
            let other = self.cell_or_outside(Object::Ext, Offsets::ANY, self.cells[i].size);
            self.union(i, other);
        }
    }

    /// Every cell of `from` in the range has its counterpart in `to`. Those of the outside are one for each size.
    fn copy(&mut self, to: &Targets, from: &Targets, len: Option<u64>) {
        for (&source, &start) in from {
            let (at, n) = len.map_or((Offsets::ANY, 1), |n| (start, n));
            let cells: Vec<usize> = match source {
                Object::Ext => self.outside.values().copied().collect(),
                _ => self.index.get(&source).into_iter().flat_map(|c| c.values().copied()).collect(),
            };
            for i in cells {
                let cell = self.cells[i];
                if !cell.at.meet(cell.size, at, n).overlap {
                    continue;
                }
                for (&target, &dst) in to {
                    let moved = if len.is_some() { dst.moved(cell.at, start) } else { Offsets::ANY };
                    let counterpart = self.cell_or_outside(target, moved, cell.size);
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
        let mut regions =
            Regions { all, cells, modifies: IndexVec::new(), outside: BTreeSet::new(), changed: BTreeSet::new() };
        let program = self.query.program;
        let known = || self.query.solution.escaped.iter().copied().chain([Object::Ext]);
        regions.outside = known().flat_map(|o| regions.of_object(o)).collect();
        // Nobody writes constants.
        regions.changed = known().filter(|o| !o.is_constant(program)).flat_map(|o| regions.of_object(o)).collect();
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

struct Places(Vec<Place>);

impl Visitor for Places {
    fn read(&mut self, place: &Place) {
        self.0.push(place.clone());
    }
    fn write(&mut self, place: &Place) {
        self.0.push(place.clone());
    }
}

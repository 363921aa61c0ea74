//! What each function may write, with all that it calls.

use super::{RegionId, Regions, constant_length};
use crate::query::Query;
use crate::solution::Object;
use crate::targets::Targets;
use base::sabotage::{self, Fault};
use base::{Id, IndexVec};
use ir::library::Library;
use ir::{Call, Edge, Externs, FuncId, HavocDst, Op, Place, Var};
use std::collections::{BTreeMap, BTreeSet};

/// A set of regions, one bit each.
#[derive(Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, region: RegionId) {
        let word = region.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (region.index() % 64);
    }

    fn extend<'a>(&mut self, regions: impl IntoIterator<Item = &'a RegionId>) {
        regions.into_iter().for_each(|&region| self.insert(region));
    }

    /// Adds the regions of another set; whether one was new.
    fn join(&mut self, other: &Bits) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            new |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        new
    }

    fn regions(&self) -> impl Iterator<Item = RegionId> {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 != 0);
        self.0
            .iter()
            .enumerate()
            .flat_map(move |(i, &word)| bits(word).map(move |bit| RegionId::from_index(64 * i + bit)))
    }
}

pub(super) fn modifies(query: Query<'_>, regions: &Regions) -> IndexVec<FuncId, BTreeSet<RegionId>> {
    let program = query.program;
    let mut all: IndexVec<FuncId, Bits> = IndexVec::filled(Bits::default(), program.functions.len());
    let mut calls: BTreeMap<FuncId, BTreeSet<FuncId>> = BTreeMap::new();
    for (func, f) in program.functions.iter_enumerated() {
        let Some(body) = &f.body else {
            if program.externs != Externs::Pure && Library::of(f).is_none() {
                all[func].extend(&regions.changed);
            }
            continue;
        };
        for p in f.params().chain(f.ret).filter(|&p| query.in_memory(func, Var::Local(p))) {
            all[func].extend(&regions.of_object(Object::Local(func, p)));
        }
        let mut written = Written { query, regions, func, found: Bits::default(), outside: false };
        for edge in &body.edges {
            written.edge(edge);
            if let Op::Call(call) = &edge.op {
                let callees = query.callees(func, &call.callee, call.args.len());
                calls.entry(func).or_default().extend(callees);
            }
        }
        all[func].join(&written.found);
    }
    let order = crate::solve::callers_first(program);
    let mut changed = !sabotage::active(Fault::RegionsOfCalleesForgotten);
    while std::mem::take(&mut changed) {
        for caller in order.iter().rev() {
            let mut mine = std::mem::take(&mut all[*caller]);
            for callee in calls.get(caller).into_iter().flatten().filter(|callee| *callee != caller) {
                changed |= mine.join(&all[*callee]);
            }
            all[*caller] = mine;
        }
    }
    all.iter().map(|bits| bits.regions().collect()).collect()
}

/// The regions that edges of a function write themselves, calls left aside.
struct Written<'a> {
    query: Query<'a>,
    regions: &'a Regions,
    func: FuncId,
    found: Bits,
    /// All that is known outside is among them.
    outside: bool,
}

impl Written<'_> {
    fn edge(&mut self, edge: &Edge) {
        match &edge.op {
            Op::Assign(p, _) | Op::Havoc(HavocDst::Place(p), _) => self.place(p),
            Op::Alloc(alloc) => {
                self.place(&alloc.dst);
                self.object(Object::Site(alloc.site));
            }
            Op::SetRange { dst, len, .. }
            | Op::CopyRange { dst, len, .. }
            | Op::Havoc(HavocDst::Range { dst, len }, _) => {
                self.range(&self.query.expr(self.func, dst), constant_length(len));
            }
            Op::Call(Call { dst: Some(Var::Global(g)), .. }) => self.object(Object::Global(*g)),
            Op::Call(Call { dst: Some(Var::Local(l)), .. }) => self.object(Object::Local(self.func, *l)),
            _ => {}
        }
    }

    fn object(&mut self, object: Object) {
        self.found.extend(&self.regions.of_object(object));
    }

    /// All cells of an access lie in one region: one is enough.
    fn place(&mut self, place: &Place) {
        if !self.query.is_access(self.func, place) {
            return;
        }
        let size = place.ty.size(self.query.program.model);
        let accessed = self.query.accessed(&self.query.address(self.func, &place.addr), size);
        let one = accessed.into_iter().take(1).collect();
        self.found.extend(&self.regions.of(&one, size));
    }

    fn range(&mut self, range: &Targets, len: Option<u64>) {
        let named = self.query.named(range);
        if named.contains_key(&Object::Ext) && len != Some(0) && !std::mem::replace(&mut self.outside, true) {
            self.found.extend(&self.regions.outside);
        }
        self.found.extend(&self.regions.of_range(&named, len));
    }
}

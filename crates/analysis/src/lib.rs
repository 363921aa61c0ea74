//! What is known of a program before any formula is made: which variables live in memory, what pointers may point to,
//! memory as regions, what calls modify, which functions return fresh objects, and how long objects live.
//!
//! [`Analysis::new`] computes all of it once; invariant generation, abstraction, refinement and `vc` read it. Everything here
//! over-approximates: what an execution that counts does is among what is said. `certify` checks its own: points-to sets,
//! regions and write footprints are data that it re-establishes edge by edge before a proof is believed.

mod allocations;
mod cut_points;
mod footprint;
mod fresh;
mod lifetimes;
mod modified;
mod pointers;
mod strangers;

pub use allocations::Allocations;
pub use cut_points::CutPoints;
pub use footprint::{Anchor, ByteSet, Bytes, Footprint, Footprints, Origin, Origins};
pub use lifetimes::Lifetimes;
pub use modified::{Modified, result_is_set_by_return_only};

use base::{Id, IndexVec};
use ir::cfg::{AddressTaken, CallGraph};
use ir::walk::{Visitor, walk_expr};
use ir::{Address, Base, Expr, ExprKind, FuncId, Place, Program, Ty, Var};
use pointsto::{Object, Query, RegionId, Regions, Solution, Width};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

/// Something that has no formula (yet): what it is, as a noun phrase. A question that meets one has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unmodelled(pub &'static str);

impl std::fmt::Display for Unmodelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is not modelled in logic", self.0)
    }
}

impl std::error::Error for Unmodelled {}

type Result<T> = std::result::Result<T, Unmodelled>;

/// What is known of a program.
#[derive(Debug)]
pub struct Analysis<'p> {
    /// The program.
    pub program: &'p Program,
    /// Who calls whom.
    pub call_graph: CallGraph,
    /// Memory as regions that no access crosses.
    pub regions: Regions,
    /// Which variables functions may modify.
    pub modified: Modified,
    /// What is known of allocations.
    pub allocations: Allocations,
    /// How long locals and stack allocations live.
    pub lifetimes: Lifetimes,
    /// Functions that return null or an object that they allocated.
    pub fresh_returning: IndexVec<FuncId, bool>,
    /// Objects that never escape and are compared with pointers of unknown origin.
    pub compared_with_strangers: BTreeSet<Object>,
    taken: AddressTaken,
    solution: Solution,
    /// Whether accesses outside of objects do not count. Without this nothing in memory has a formula.
    applies: bool,
    /// The position of a private region among those of its function.
    private: Vec<Option<usize>>,
    /// How many private regions a function has.
    n_private: IndexVec<FuncId, usize>,
    /// The shared regions that nothing writes.
    constant: IndexVec<RegionId, bool>,
    /// Regions of accesses that were asked for.
    accesses: RefCell<FxHashMap<(FuncId, Address, u64), Option<RegionId>>>,
    /// What calls write, once somebody asks.
    footprints: OnceCell<Footprints>,
    cut_points: OnceCell<CutPoints>,
}

impl<'p> Analysis<'p> {
    /// Analyses a program.
    pub fn new(program: &'p Program) -> Analysis<'p> {
        let taken = AddressTaken::new(program);
        let solution = pointsto::analyze(program, &taken);
        let query = Query { program, taken: &taken, solution: &solution };
        let regions = Regions::new(query);
        let mut n_private = IndexVec::filled(0, program.functions.len());
        let private = regions.all.iter().map(|r| {
            r.private.map(|f| {
                n_private[f] += 1;
                n_private[f] - 1
            })
        });
        let private = private.collect();
        let applies = pointsto::applies(program);
        let modified: BTreeSet<RegionId> = regions.modifies.iter().flatten().chain(&regions.changed).copied().collect();
        let shared = regions
            .all
            .iter_enumerated()
            .map(|(r, data)| data.private.is_none() && r != Regions::nowhere() && !modified.contains(&r));
        let constant = shared.map(|c| c && applies).collect();
        let lifetimes = Lifetimes::new(query);
        let call_graph = CallGraph::new(program);
        Analysis {
            program,
            modified: Modified::new(program, &taken),
            allocations: Allocations::new(query, &call_graph, &lifetimes),
            call_graph,
            lifetimes,
            fresh_returning: fresh::fresh_returning(query),
            compared_with_strangers: if applies { strangers::find(query) } else { BTreeSet::new() },
            regions,
            taken,
            solution,
            applies,
            private,
            n_private,
            constant,
            accesses: RefCell::default(),
            footprints: OnceCell::new(),
            cut_points: OnceCell::new(),
        }
    }

    /// The points-to sets, to be asked.
    pub fn query(&self) -> Query<'_> {
        Query { program: self.program, taken: &self.taken, solution: &self.solution }
    }

    /// Whether a variable lives in memory.
    pub fn in_memory(&self, func: FuncId, var: Var) -> bool {
        self.taken.in_memory(self.program, func, var)
    }

    /// Whether memory has formulas at all: accesses outside of objects do not count.
    pub fn memory_applies(&self) -> bool {
        self.applies
    }

    /// Whether an activation of `func`, with all that it calls, may write a region.
    pub fn modifies(&self, func: FuncId, region: RegionId) -> bool {
        self.regions.modifies[func].contains(&region)
    }

    /// Whether nothing writes a shared region.
    pub fn is_constant(&self, region: RegionId) -> bool {
        self.constant[region]
    }

    /// The position of a private region among those of its function; `None` of a shared one.
    pub fn private_index(&self, region: RegionId) -> Option<usize> {
        self.private[region.index()]
    }

    /// How many private regions a function has.
    pub fn private_regions(&self, func: FuncId) -> usize {
        self.n_private[func]
    }

    /// What calls write.
    pub fn footprints(&self) -> &Footprints {
        self.footprints.get_or_init(|| Footprints::new(self))
    }

    /// The cut points of the functions that the entry reaches.
    pub fn cut_points(&self) -> &CutPoints {
        self.cut_points.get_or_init(|| CutPoints::new(self.program, &self.call_graph))
    }

    /// Whether every access and address in an expression of `func` has a formula.
    pub fn covers(&self, func: FuncId, e: &Expr) -> bool {
        let mut places = Places { analysis: self, func, all: true };
        walk_expr(e, &mut places);
        places.all
    }

    /// The type that the values of a region are best read as; for a region of bytes that of a pointer, if it has any.
    pub fn value_type(&self, region: RegionId) -> Ty {
        let holds_pointers = self.regions.all[region].objects.iter().any(|object| {
            let slots = self.solution.contents.get(object).into_iter().flatten();
            let cells = self.regions.cells.get(object).into_iter().flatten().filter(|(_, r)| *r == region);
            let pointers: Vec<_> = slots.filter(|(slot, _)| slot.pointer).map(|(slot, _)| slot).collect();
            cells.into_iter().any(|(c, _)| pointers.iter().any(|s| c.at.meet(c.size, s.at, s.size).overlap))
        });
        let ptr = Ty::Ptr.size(self.program.model);
        match self.regions.all[region].width {
            Width::Word(n) if n != ptr => Ty::int(8 * n as u16, true),
            Width::Word(_) | Width::Byte if holds_pointers => Ty::Ptr,
            Width::Word(n) => Ty::int(8 * n as u16, true),
            Width::Byte => Ty::int(8, true),
        }
    }

    /// The region of an access.
    pub fn region(&self, func: FuncId, place: &Place) -> Result<RegionId> {
        self.formulas_for_memory()?;
        let size = place.ty.size(self.program.model);
        let key = (func, place.addr.clone(), size);
        if let Some(known) = self.accesses.borrow().get(&key) {
            return known.ok_or(Unmodelled("an access that the program itself does not make"));
        }
        let query = self.query();
        let region = self.regions.of(&query.accessed(&query.address(func, &place.addr), size), size);
        self.accesses.borrow_mut().insert(key, region);
        region.ok_or(Unmodelled("an access that the program itself does not make"))
    }

    /// The regions that a range of bytes may touch.
    pub fn regions_of_range(&self, func: FuncId, at: &Expr, len: &Expr) -> Result<BTreeSet<RegionId>> {
        let len = len.as_const().and_then(|n| u64::try_from(n).ok()).filter(|&n| n < 1 << 40);
        self.regions_from(func, at, len)
    }

    /// The regions of so many bytes from a pointer on, or of any number of them.
    fn regions_from(&self, func: FuncId, at: &Expr, len: Option<u64>) -> Result<BTreeSet<RegionId>> {
        self.formulas_for_memory()?;
        let query = self.query();
        Ok(self.regions.of_range(&query.reached(&query.expr(func, at)), len))
    }

    /// The region of all bytes from a pointer on, if it is one of single bytes.
    pub fn string_region(&self, func: FuncId, string: &Expr) -> Option<RegionId> {
        let regions = self.regions_from(func, string, None).ok()?;
        let region = regions.first().copied().filter(|_| regions.len() == 1)?;
        matches!(self.regions.all[region].width, Width::Byte | Width::Word(1)).then_some(region)
    }

    fn formulas_for_memory(&self) -> Result<()> {
        match self.applies {
            true => Ok(()),
            false => Err(Unmodelled("memory where accesses outside of objects are allowed")),
        }
    }
}

struct Places<'a> {
    analysis: &'a Analysis<'a>,
    func: FuncId,
    all: bool,
}

impl Visitor for Places<'_> {
    fn read(&mut self, place: &Place) {
        let plain = place.as_var().is_some_and(|v| !self.analysis.in_memory(self.func, v));
        self.all &= plain || self.analysis.region(self.func, place).is_ok();
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Addr(Address { base: Base::Var(v), .. }) = &e.kind {
            self.all &= self.analysis.in_memory(self.func, *v);
        }
    }
}

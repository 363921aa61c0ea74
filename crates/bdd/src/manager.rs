//! The manager and the operations on functions.

use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, HasLevel, Manager as _, ManagerRef, Node,
};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// A boolean function. Cloning is cheap; equality is equality of functions (of one manager).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(pub(crate) BDDFunction);

impl std::fmt::Debug for Bdd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Node numbers depend on history and must not reach any output.
        f.write_str(if self.is_false() {
            "Bdd(false)"
        } else if self.is_true() {
            "Bdd(true)"
        } else {
            "Bdd(..)"
        })
    }
}

impl Bdd {
    /// Whether this is the constant false.
    pub fn is_false(&self) -> bool {
        !self.0.satisfiable()
    }

    /// Whether this is the constant true.
    pub fn is_true(&self) -> bool {
        self.0.valid()
    }
}

/// A set of variables to quantify over.
#[derive(Clone, Debug)]
pub struct VarSet {
    cube: Bdd,
    empty: bool,
}

impl VarSet {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.empty
    }
}

/// The answer when a manager has no room for another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfNodes;

impl std::fmt::Display for OutOfNodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("decision diagrams need more nodes than the memory budget allows")
    }
}

impl std::error::Error for OutOfNodes {}

/// How much a manager may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Nodes at any one time, garbage included.
    pub nodes: usize,
    /// Entries of the cache of operations; lost entries cost time only.
    pub cache: usize,
}

impl Capacity {
    /// What fits into `bytes` of memory (measured: about 30 bytes per node with its hash table, 24 per cache entry).
    pub fn from_memory(bytes: u64) -> Capacity {
        let nodes = usize::try_from(bytes / 40).unwrap_or(usize::MAX).clamp(1 << 10, (1 << 32) - 16);
        Capacity { nodes, cache: (nodes / 4).next_power_of_two().clamp(1 << 10, 1 << 22) }
    }
}

/// Owner of all nodes of its functions.
pub struct Manager {
    pub(crate) inner: BDDManagerRef,
    vars: Vec<Bdd>,
    bot: Bdd,
    top: Bdd,
    capacity: usize,
    /// Collect garbage when this many nodes are there.
    threshold: Cell<usize>,
    collections: Cell<u64>,
    peak: Cell<usize>,
    /// Nodes after the last [`maintain`](Self::maintain), and all that were made between any two.
    last: Cell<usize>,
    made: Cell<u64>,
}

impl std::fmt::Debug for Manager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Manager").field("vars", &self.vars.len()).field("capacity", &self.capacity).finish()
    }
}

/// What OxiDD reserves for its worker thread's stack: 1 GiB unless its environment variable says otherwise.
#[expect(
    clippy::disallowed_methods,
    reason = "the library below looks at it, and how much it will reserve must be known"
)]
fn thread_stack() -> usize {
    std::env::var("OXIDD_STACK_SIZE").ok().and_then(|n| n.parse().ok()).unwrap_or(1 << 30)
}

fn lift(r: AllocResult<BDDFunction>) -> Result<Bdd, OutOfNodes> {
    r.map(Bdd).map_err(|_| OutOfNodes)
}

impl Manager {
    /// A manager with `n_vars` variables, variable 0 on top.
    pub fn new(n_vars: usize, capacity: Capacity) -> Result<Manager, OutOfNodes> {
        let nodes = capacity.nodes.clamp(2 * n_vars + 64, (1 << 32) - 16);
        // The library reserves address space for all nodes and for the stack of a thread at once, and aborts when it gets
        // none: ask first.
        let mut probe: Vec<[u64; 2]> = Vec::new();
        let stack = thread_stack() / size_of::<[u64; 2]>();
        probe.try_reserve_exact(nodes + 2 * capacity.cache + stack).map_err(|_| OutOfNodes)?;
        drop(probe);
        let inner = oxidd::bdd::new_manager(nodes, capacity.cache, 1);
        let n = u32::try_from(n_vars).map_err(|_| OutOfNodes)?;
        let made = inner.with_manager_exclusive(|m| -> AllocResult<_> {
            m.add_vars(n);
            let vars = (0..n).map(|v| BDDFunction::var(m, v).map(Bdd)).collect::<AllocResult<Vec<_>>>()?;
            Ok((vars, Bdd(BDDFunction::f(m)), Bdd(BDDFunction::t(m))))
        });
        let (vars, bot, top) = made.map_err(|_| OutOfNodes)?;
        let threshold = Cell::new((nodes / 2).min(1 << 18));
        let (collections, peak) = (Cell::new(0), Cell::new(0));
        let (last, made) = (Cell::new(0), Cell::new(0));
        Ok(Manager { inner, vars, bot, top, capacity: nodes, threshold, collections, peak, last, made })
    }

    /// The number of variables.
    pub fn n_vars(&self) -> usize {
        self.vars.len()
    }

    /// The constant false.
    pub fn bot(&self) -> Bdd {
        self.bot.clone()
    }

    /// The constant true.
    pub fn top(&self) -> Bdd {
        self.top.clone()
    }

    /// The constant `b`.
    pub fn constant(&self, b: bool) -> Bdd {
        if b { self.top() } else { self.bot() }
    }

    /// The function that is variable `v`.
    pub fn var(&self, v: usize) -> Bdd {
        self.vars[v].clone()
    }

    /// The function that says that variable `v` has value `b`.
    pub fn literal(&self, v: usize, b: bool) -> Result<Bdd, OutOfNodes> {
        if b { Ok(self.var(v)) } else { self.not(&self.vars[v]) }
    }

    /// `!f`.
    pub fn not(&self, f: &Bdd) -> Result<Bdd, OutOfNodes> {
        lift(f.0.not())
    }

    /// `f & g`.
    pub fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        lift(f.0.and(&g.0))
    }

    /// `f | g`.
    pub fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        lift(f.0.or(&g.0))
    }

    /// `f & !g`.
    pub fn diff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        lift(g.0.imp_strict(&f.0))
    }

    /// `f ^ g`.
    pub fn xor(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        lift(f.0.xor(&g.0))
    }

    /// `f <=> g`.
    pub fn iff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        lift(f.0.equiv(&g.0))
    }

    /// `f => g`.
    pub fn implies(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        lift(f.0.imp(&g.0))
    }

    /// `c ? f : g`.
    pub fn ite(&self, c: &Bdd, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfNodes> {
        lift(c.0.ite(&f.0, &g.0))
    }

    /// The conjunction of literals.
    pub fn cube(&self, literals: impl IntoIterator<Item = (usize, bool)>) -> Result<Bdd, OutOfNodes> {
        let mut literals: Vec<_> = literals.into_iter().collect();
        // From the bottom up each step adds one node on top.
        literals.sort_unstable_by_key(|&(v, _)| std::cmp::Reverse(v));
        literals.into_iter().try_fold(self.top(), |acc, (v, b)| self.and(&self.literal(v, b)?, &acc))
    }

    /// The set of these variables.
    pub fn var_set(&self, vars: impl IntoIterator<Item = usize>) -> Result<VarSet, OutOfNodes> {
        let cube = self.cube(vars.into_iter().map(|v| (v, true)))?;
        Ok(VarSet { empty: cube.is_true(), cube })
    }

    /// `∃ vars. f`.
    pub fn exists(&self, f: &Bdd, vars: &VarSet) -> Result<Bdd, OutOfNodes> {
        if vars.empty { Ok(f.clone()) } else { lift(f.0.exists(&vars.cube.0)) }
    }

    /// `∃ vars. f & g`, without building the conjunction.
    pub fn and_exists(&self, f: &Bdd, g: &Bdd, vars: &VarSet) -> Result<Bdd, OutOfNodes> {
        if vars.empty { self.and(f, g) } else { lift(f.0.apply_exists(BooleanOperator::And, &g.0, &vars.cube.0)) }
    }

    /// Whether `f => g` is valid.
    pub fn is_subset(&self, f: &Bdd, g: &Bdd) -> Result<bool, OutOfNodes> {
        Ok(self.diff(f, g)?.is_false())
    }

    /// Replaces variables simultaneously: `to[v]` stands for `v` where given. Fast when the map keeps the order of the
    /// variables that occur in `f`, correct always.
    pub fn rename(&self, f: &Bdd, map: &Rename) -> Result<Bdd, OutOfNodes> {
        let mut memo = FxHashMap::default();
        self.rename_rec(f, map, &mut memo)
    }

    fn rename_rec(&self, f: &Bdd, map: &Rename, memo: &mut FxHashMap<Bdd, Bdd>) -> Result<Bdd, OutOfNodes> {
        // Recursion depth is the number of levels.
        let Some(level) = self.top_var(f) else { return Ok(f.clone()) };
        if level > map.last {
            return Ok(f.clone());
        }
        if let Some(done) = memo.get(f) {
            return Ok(done.clone());
        }
        let (hi, lo) = self.cofactors(f);
        let (hi, lo) = (self.rename_rec(&hi, map, memo)?, self.rename_rec(&lo, map, memo)?);
        let target = map.to.get(level).copied().flatten().unwrap_or(level);
        let result = self.ite(&self.vars[target], &hi, &lo)?;
        memo.insert(f.clone(), result.clone());
        Ok(result)
    }

    /// What `f` becomes when the variables that have a value in `values` have that value.
    pub fn restrict(&self, f: &Bdd, values: &[Option<bool>]) -> Result<Bdd, OutOfNodes> {
        let mut memo = FxHashMap::default();
        self.restrict_rec(f, values, &mut memo)
    }

    fn restrict_rec(
        &self,
        f: &Bdd,
        values: &[Option<bool>],
        memo: &mut FxHashMap<Bdd, Bdd>,
    ) -> Result<Bdd, OutOfNodes> {
        // As long as variables have values there is one way down; recursion depth is the number of the others.
        let mut f = f.clone();
        let level = loop {
            let Some(level) = self.top_var(&f) else { return Ok(f) };
            let Some(value) = values.get(level).copied().flatten() else { break level };
            let (hi, lo) = self.cofactors(&f);
            f = if value { hi } else { lo };
        };
        if let Some(done) = memo.get(&f) {
            return Ok(done.clone());
        }
        let (hi, lo) = self.cofactors(&f);
        let (hi, lo) = (self.restrict_rec(&hi, values, memo)?, self.restrict_rec(&lo, values, memo)?);
        let result = self.ite(&self.vars[level], &hi, &lo)?;
        memo.insert(f, result.clone());
        Ok(result)
    }

    /// The topmost variable of `f`; `None` for a constant.
    pub(crate) fn top_var(&self, f: &Bdd) -> Option<usize> {
        f.0.with_manager_shared(|m, e| match m.get_node(e) {
            Node::Inner(n) => Some(n.level() as usize),
            Node::Terminal(_) => None,
        })
    }

    /// The functions `f` becomes when its topmost variable is true and false; `f` must not be constant.
    pub(crate) fn cofactors(&self, f: &Bdd) -> (Bdd, Bdd) {
        let (hi, lo) = f.0.cofactors().expect("a constant function has no topmost variable");
        (Bdd(hi), Bdd(lo))
    }

    /// The value of `f` where variable `v` has value `env(v)`.
    pub fn eval(&self, f: &Bdd, env: impl Fn(usize) -> bool) -> bool {
        let mut f = f.clone();
        while let Some(v) = self.top_var(&f) {
            let (hi, lo) = self.cofactors(&f);
            f = if env(v) { hi } else { lo };
        }
        f.is_true()
    }

    /// A satisfying assignment of `f` that prefers false, as values of the variables it passes through; `None` when
    /// there is none. Variables not named are free.
    pub fn pick(&self, f: &Bdd) -> Option<Vec<(usize, bool)>> {
        if f.is_false() {
            return None;
        }
        let (mut f, mut out) = (f.clone(), Vec::new());
        while let Some(v) = self.top_var(&f) {
            let (hi, lo) = self.cofactors(&f);
            let value = lo.is_false();
            out.push((v, value));
            f = if value { hi } else { lo };
        }
        Some(out)
    }

    /// The number of inner nodes of `f`.
    pub fn node_count(&self, f: &Bdd) -> usize {
        // The library counts terminals too.
        let terminals = if f.is_false() || f.is_true() { 1 } else { 2 };
        f.0.node_count() - terminals
    }

    /// Nodes that exist now, garbage included.
    pub fn n_nodes(&self) -> usize {
        self.inner.with_manager_shared(|m| m.approx_num_inner_nodes())
    }

    /// The most nodes seen at a [`maintain`](Self::maintain).
    pub fn peak_nodes(&self) -> usize {
        self.peak.get()
    }

    /// Nodes made so far, as seen at [`maintain`](Self::maintain): a measure of work that does not depend on the machine.
    pub fn made(&self) -> u64 {
        self.made.get()
    }

    /// Garbage collections so far.
    pub fn n_collections(&self) -> u64 {
        self.collections.get()
    }

    /// To be called between steps of a computation: collects garbage when there is much, and says whether the manager
    /// ran out of nodes since the last call.
    pub fn maintain(&self) -> Result<(), OutOfNodes> {
        let nodes = self.n_nodes();
        self.peak.set(self.peak.get().max(nodes));
        self.made.set(self.made.get() + nodes.saturating_sub(self.last.get()) as u64);
        self.last.set(nodes);
        // Nodes first, collections second: had the background collector started in between, the second shows it.
        let background = self.inner.with_manager_shared(|m| m.gc_count()) != self.collections.get();
        if nodes >= self.capacity / 100 * 95 || background {
            return Err(OutOfNodes);
        }
        if nodes >= self.threshold.get() {
            self.collect();
            let left = self.n_nodes();
            let next = (left * 2).max(1 << 18).min(self.capacity / 100 * 80);
            if left > self.capacity / 100 * 75 {
                return Err(OutOfNodes);
            }
            self.threshold.set(next);
            self.last.set(left);
        }
        Ok(())
    }

    /// Removes all nodes that no function uses.
    pub fn collect(&self) {
        let before = self.inner.with_manager_shared(|m| m.gc_count());
        self.inner.with_manager_shared(|m| m.gc());
        let after = self.inner.with_manager_shared(|m| m.gc_count());
        self.collections.set(self.collections.get() + (after - before));
    }
}

/// A replacement of variables.
#[derive(Clone, Debug, Default)]
pub struct Rename {
    to: Vec<Option<usize>>,
    last: usize,
}

impl Rename {
    /// The replacement of the first of each pair by the second.
    pub fn new(pairs: impl IntoIterator<Item = (usize, usize)>) -> Rename {
        let mut r = Rename::default();
        for (from, to) in pairs {
            if r.to.len() <= from {
                r.to.resize(from + 1, None);
            }
            r.to[from] = Some(to);
            r.last = r.last.max(from);
        }
        r
    }

    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.to.is_empty()
    }
}

//! The front of the crate: running the search and asking its result.

use crate::machine::Machine;
use crate::project;
use crate::space::{Role, Space};
use crate::spine;
use crate::tabulation::{Sets, Tabulation};
use crate::transfer::{Compiled, Transfer, TransferError};
use base::Exhausted;
use bdd::{Bdd, Capacity, Dag, OutOfNodes};
use boolprog::interp::Goal;
use boolprog::{ProcId, Program, StmtId, StmtKind, Var};
use std::rc::Rc;

/// What to look for.
pub type Target = Goal;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Forget variables that are not read any more. Reachability is the same; invariants then say nothing about them.
    pub restrict: bool,
    /// Compute path edges for more entry states than there are where that makes them simpler. The sets found are the
    /// same; a [`Transfer`] may be asked for states that no execution has.
    pub enlarge_entries: bool,
    /// Do not follow calls to where they return if no target can be reached from there. Which targets are reached is the same;
    /// the sets found are incomplete.
    pub skip_dead_returns: bool,
    /// Stop when the first target is reached; invariants are then incomplete.
    pub stop_at_first: bool,
    /// Memory for decision diagrams, in bytes.
    pub memory: u64,
    /// Most visits of statements.
    pub max_steps: u64,
    /// Most nodes of decision diagrams made, a measure of time.
    pub max_work: u64,
    /// After so many nodes made, try to show that no target is reached without the variables that are far from deciding it.
    /// If that works out, the sets found contain what executions reach and no target, but may be larger.
    pub project_after: Option<u64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            restrict: false,
            enlarge_entries: false,
            skip_dead_returns: false,
            stop_at_first: false,
            memory: 2 << 30,
            max_steps: u64::MAX,
            max_work: u64::MAX,
            project_after: None,
        }
    }
}

impl Options {
    /// For who wants to know whether a target is reached, and nothing else.
    pub fn verdict() -> Options {
        Options {
            restrict: true,
            enlarge_entries: true,
            stop_at_first: true,
            project_after: Some(PROJECT_AFTER),
            ..Options::default()
        }
    }
}

/// A few seconds of work.
const PROJECT_AFTER: u64 = 3_000_000;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The decision diagrams need more memory than allowed.
    OutOfNodes,
    /// The limit on steps was reached.
    Steps(Exhausted),
    /// The limit on nodes made was reached.
    Work(Exhausted),
    /// A [`Transfer`] gave up.
    Transfer(String),
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unknown::OutOfNodes => OutOfNodes.fmt(f),
            Unknown::Steps(e) | Unknown::Work(e) => e.fmt(f),
            Unknown::Transfer(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unknown {}

impl From<OutOfNodes> for Unknown {
    fn from(_: OutOfNodes) -> Unknown {
        Unknown::OutOfNodes
    }
}

impl From<TransferError> for Unknown {
    fn from(why: TransferError) -> Unknown {
        match why {
            TransferError::OutOfNodes => Unknown::OutOfNodes,
            TransferError::GaveUp(why) => Unknown::Transfer(why),
        }
    }
}

/// Figures of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Visits of statements.
    pub steps: u64,
    /// Most decision-diagram nodes at one time.
    pub peak_nodes: usize,
    /// Garbage collections.
    pub collections: u64,
    /// Nodes made.
    pub work: u64,
    /// Variables that the proof does without; 0 for every other result.
    pub hidden: usize,
}

/// The result of a search that did not run out of anything.
pub struct Reachability<'p> {
    pub(crate) program: &'p Program,
    pub(crate) machine: Machine<'p>,
    pub(crate) sets: Sets,
    targets: Vec<Target>,
    hit: Vec<Target>,
    complete: bool,
    pub(crate) stats: Stats,
    /// What may be made for the search and its trace together.
    pub(crate) max_work: u64,
}

impl std::fmt::Debug for Reachability<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reachability").field("hit", &self.hit).field("stats", &self.stats).finish_non_exhaustive()
    }
}

/// The targets every tool knows: the label `SLIC_ERROR` and every assertion. A program with neither is asked for its
/// labels with `ERROR` in their name.
pub fn targets(program: &Program) -> Vec<Target> {
    let mut out: Vec<Target> = program.find_label("SLIC_ERROR").into_iter().map(|(p, s)| Goal::At(p, s)).collect();
    for (p, proc) in program.procs.iter_enumerated() {
        let asserts = proc.body.iter_enumerated().filter(|(_, s)| matches!(s.kind, StmtKind::Assert(_)));
        out.extend(asserts.map(|(s, _)| Goal::Fails(p, s)));
    }
    if out.is_empty() {
        for (p, proc) in program.procs.iter_enumerated() {
            let named = proc.labels.iter().filter(|(n, _)| n.contains("ERROR"));
            out.extend(named.map(|(_, s)| Goal::At(p, *s)));
        }
    }
    out
}

/// Computes the path edges of `program`, which must be valid, and which of `targets` are reached.
///
/// A hard search is tried in three ways: with everything, for a while; without the variables that seem to have no say; with
/// everything, to the end.
pub fn analyze<'p>(program: &'p Program, targets: &[Target], options: &Options) -> Result<Reachability<'p>, Unknown> {
    let transfer = &mut Compiled::new(program);
    let Some(first) = options.project_after.filter(|&n| n < options.max_work) else {
        return analyze_with(program, transfer, targets, options);
    };
    match analyze_with(program, transfer, targets, &Options { max_work: first, ..*options }) {
        Err(Unknown::Work(_)) => {}
        known => return known,
    }
    match project::prove(program, targets, options)? {
        Some(proof) => Ok(proof),
        None => analyze_with(program, &mut Compiled::new(program), targets, options),
    }
}

/// [`analyze`] with another meaning of statements.
pub fn analyze_with<'p>(
    program: &'p Program,
    transfer: &mut dyn Transfer,
    targets: &[Target],
    options: &Options,
) -> Result<Reachability<'p>, Unknown> {
    let space = Rc::new(Space::new(program, capacity(program, options.memory))?);
    let machine = if options.skip_dead_returns {
        let places: Vec<(ProcId, StmtId)> =
            targets.iter().map(|&(Goal::At(p, s) | Goal::Fails(p, s))| (p, s)).collect();
        Machine::remembering(program, space, options.restrict, &spine::kept(program, &places))?
    } else {
        Machine::new(program, space, options.restrict)?
    };
    search(machine, transfer, targets, options)
}

/// The search with a given machine.
pub(crate) fn search<'p>(
    mut machine: Machine<'p>,
    transfer: &mut dyn Transfer,
    targets: &[Target],
    options: &Options,
) -> Result<Reachability<'p>, Unknown> {
    let program = machine.program;
    let mut engine = Tabulation::new(&mut machine, transfer, options)?;
    let ending = engine.run(targets, options.stop_at_first)?;
    let (steps, sets) = (engine.budget.used(), engine.sets);
    let manager = &machine.space.manager;
    let stats = Stats {
        steps,
        peak_nodes: manager.peak_nodes(),
        collections: manager.n_collections(),
        work: manager.made(),
        hidden: 0,
    };
    let complete = !ending.stopped;
    let (targets, hit, max_work) = (targets.to_vec(), ending.hit, options.max_work);
    Ok(Reachability { program, machine, sets, targets, hit, complete, stats, max_work })
}

/// Small programs get small caches: setting one up costs time.
pub(crate) fn capacity(program: &Program, memory: u64) -> Capacity {
    let full = Capacity::from_memory(memory);
    let size = program.n_stmts() * (8 + program.globals.len());
    let cache = if size < 1000 { 1 << 12 } else { 1 << 20 };
    Capacity { cache: full.cache.min(cache), ..full }
}

/// A sum of cubes over named variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cubes {
    /// Each cube as variables with their values; no cubes means false, an empty cube means true.
    pub cubes: Vec<Vec<(Var, bool)>>,
}

/// What a decision variable of an exported graph stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SlotRole {
    /// The variable's value when the activation began.
    AtEntry(Var),
    /// The variable's value now.
    Now(Var),
    /// The k-th returned value (in a summary).
    Returned(usize),
}

/// A two-state invariant as a graph, one entry per node of the decision diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvariantDag {
    /// The graph; its `var` numbers index `vars`.
    pub dag: Dag,
    /// What each variable number stands for.
    pub vars: Vec<SlotRole>,
}

impl<'p> Reachability<'p> {
    /// Sets that contain everything reached and none of `targets`.
    pub(crate) fn proof(
        program: &'p Program,
        machine: Machine<'p>,
        sets: Sets,
        targets: &[Target],
        stats: Stats,
    ) -> Reachability<'p> {
        let (targets, hit, max_work) = (targets.to_vec(), Vec::new(), u64::MAX);
        Reachability { program, machine, sets, targets, hit, complete: true, stats, max_work }
    }

    /// The program that was analysed.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The targets that are reached, in the order in which they were met.
    pub fn hit(&self) -> &[Target] {
        &self.hit
    }

    /// The targets that were asked for.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// Whether the search went on to the fixpoint: only then is an unreached target unreachable.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Figures of the search.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// What was done until now, also for traces: nodes of decision diagrams made, and what else costs as much as they.
    pub fn work(&self) -> u64 {
        self.machine.work()
    }

    /// Whether control can come to `at` (of a complete search).
    pub fn reaches(&self, proc: ProcId, at: StmtId) -> bool {
        !self.sets.reached[proc][at].is_false()
    }

    /// Whether the assertion at `at` can fail.
    pub fn can_fail(&self, proc: ProcId, at: StmtId) -> Result<bool, Unknown> {
        Ok(self.machine.meets(Goal::Fails(proc, at), &self.sets.reached[proc][at])?)
    }

    /// Every label with whether it is reached, in program order.
    pub fn labels(&self) -> Vec<(ProcId, &'p str, bool)> {
        let procs = self.program.procs.iter_enumerated();
        procs.flat_map(|(p, proc)| proc.labels.iter().map(move |(n, s)| (p, n.as_str(), self.reaches(p, *s)))).collect()
    }

    /// The valuations of globals and locals at `at`, as an irredundant sum of at most `limit` cubes; `None` when there
    /// would be more. Without restriction (see [`Options`]) this is exact.
    pub fn invariant(&self, proc: ProcId, at: StmtId, limit: usize) -> Result<Option<Cubes>, Unknown> {
        let space = &self.machine.space;
        let now = self.without_entry(proc, &self.sets.reached[proc][at])?;
        let Some(cubes) = space.manager.isop(&now, limit)? else { return Ok(None) };
        let name = |(v, b): (usize, bool)| {
            let (var, _) = space.meaning(self.program, proc, v).expect("path edges mention variables in scope only");
            (var, b)
        };
        let mut cubes: Vec<Vec<(Var, bool)>> = cubes.into_iter().map(|c| c.into_iter().map(name).collect()).collect();
        for c in &mut cubes {
            c.sort_unstable();
        }
        cubes.sort_unstable();
        Ok(Some(Cubes { cubes }))
    }

    pub(crate) fn without_entry(&self, proc: ProcId, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        let space = &self.machine.space;
        let formals = self.program.procs[proc].formals().map(Var::Local);
        let interface = self.program.globals.ids().map(Var::Global).chain(formals);
        space.manager.exists(set, &space.set(proc, interface, Role::Entry)?)
    }

    /// Whether the valuation `now` (and the entry part, where given) is in the path edges at `at`.
    pub fn contains(
        &self,
        proc: ProcId,
        at: StmtId,
        entry: Option<&dyn Fn(Var) -> bool>,
        now: &dyn Fn(Var) -> bool,
    ) -> bool {
        let space = &self.machine.space;
        let set = &self.sets.reached[proc][at];
        let set = match entry {
            Some(_) => set.clone(),
            None => match self.without_entry(proc, set) {
                Ok(s) => s,
                // Saying yes is right for an over-approximation, and only a shortage of nodes leads here.
                Err(OutOfNodes) => return true,
            },
        };
        space.manager.eval(&set, |v| match space.meaning(self.program, proc, v) {
            Some((var, Role::Entry)) => entry.is_some_and(|e| e(var)),
            Some((var, _)) => now(var),
            None => false,
        })
    }

    /// The path edges at `at` as a graph over the state at entry and the state now. For a procedure that nobody calls the
    /// entry part is left free.
    pub fn path_edges(&self, proc: ProcId, at: StmtId) -> InvariantDag {
        self.export(&self.sets.reached[proc][at], |space, v| {
            match space.meaning(self.program, proc, v).expect("path edges mention variables in scope only") {
                (var, Role::Entry) => SlotRole::AtEntry(var),
                (var, _) => SlotRole::Now(var),
            }
        })
    }

    /// The summary of `proc` as a graph: globals and formals at entry, globals at exit, returned values. False when it
    /// never returns or is never called.
    pub fn summary(&self, proc: ProcId) -> InvariantDag {
        let n = self.program.procs[proc].n_returns;
        self.export(&self.sets.summaries[proc], |space, v| {
            if let Some(k) = (0..n).find(|&k| space.returned(k, Role::Next) == v) {
                return SlotRole::Returned(k);
            }
            match space.meaning(self.program, proc, v).expect("summaries mention the interface only") {
                (var @ Var::Global(_), Role::Next) => SlotRole::Now(var),
                (var, _) => SlotRole::AtEntry(var),
            }
        })
    }

    fn export(&self, set: &Bdd, role: impl Fn(&Space, usize) -> SlotRole) -> InvariantDag {
        let space = &self.machine.space;
        let mut dag = space.manager.dag([set]);
        let mut numbers: Vec<usize> = dag.nodes.iter().map(|n| n.var).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for node in &mut dag.nodes {
            node.var = numbers.binary_search(&node.var).expect("every number is listed");
        }
        InvariantDag { dag, vars: numbers.into_iter().map(|v| role(space, v)).collect() }
    }
}

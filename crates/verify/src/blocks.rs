//! Blocks as the statements of the boolean program: abstraction where execution comes back, and exactness in between (large-block
//! encoding: D. Beyer, A. Cimatti, A. Griggio, M. E. Keremoglu, R. Sebastiani, *Software Model Checking via Large-Block Encoding*,
//! FMCAD 2009; SABS13 §6 for basic blocks).
//!
//! The cut points are the entry, the exit, the heads of loops and both ends of calls of functions with a body ([`Graphs`]); a block is
//! all that can happen from one of them until the next, as one formula ([`mod@unit`]), which no predicate has any part in. The boolean
//! program ([`skeleton`]) has one statement for each pair of cut points, and what a statement does is found when the model checker asks
//! ([`images`]): the set of valuations behind the block that states with the given valuations lead to. A step of a trace that no
//! execution has is excluded by what the solver needs to see that; a trace whose steps are all possible becomes a path, block by block.
//!
//! Invariant: the formula of a block is the same in all rounds; only the predicates at its ends change.

mod images;
mod skeleton;
mod unit;

pub(crate) use skeleton::Skeleton;

use crate::verdict::Reason;
use analysis::{Analysis, Unmodelled};
use base::IndexVec;
use base::sabotage::{self, Fault};
use boolprog::Expr;
use boolprog::interp::Trace;
use images::{Literals, OnDemand};
use ir::cfg::Graph;
use ir::{Body, EdgeId, FuncId, Loc, Op, Path};
use predabs::direct::Granularity;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use unit::Unit;
use vc::{Encoder, Events, LocationInvariants, PredId, Predicates};

/// Where a block begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Start {
    /// In the first state of the program.
    Program,
    /// At a cut point.
    At(Loc),
    /// Where the function that is called at this edge has come to its exit.
    After(EdgeId),
}

/// Where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum End {
    /// At a cut point.
    At(Loc),
    /// Where the function that is called at this edge begins.
    Before(EdgeId),
    /// At an edge that must not be reached.
    Target(EdgeId),
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key {
    func: FuncId,
    start: Start,
    end: End,
}

/// What a boolean variable at an end of a block says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Tag {
    /// A predicate.
    Pred(PredId),
    /// A predicate of the function that is called, where it begins.
    Formal(PredId),
    /// One that it returned.
    Returned(PredId),
}

/// The cut points of a function and the ways between them.
struct Graphs {
    cuts: IndexVec<Loc, bool>,
    ways: BTreeMap<Loc, Vec<End>>,
}

impl Graphs {
    fn new(enc: &Encoder<'_>, body: &Body, size: Granularity, unmodelled: impl Fn(EdgeId) -> bool) -> Graphs {
        let graph = Graph::new(body);
        let mut cuts: IndexVec<Loc, bool> = graph.loop_heads.clone();
        (cuts[body.entry], cuts[body.exit]) = (true, true);
        for (id, edge) in body.edges.iter_enumerated() {
            if enc.callee(edge).is_some() && !unmodelled(id) {
                cuts[edge.from] = true;
                if let Some(to) = edge.to {
                    cuts[to] = true;
                }
            }
        }
        if size != Granularity::Large {
            for loc in body.locations.ids() {
                cuts[loc] |= size == Granularity::Statement || graph.into[loc].len() > 1 || graph.out[loc].len() > 1;
            }
        }
        let mut ways = BTreeMap::new();
        for start in body.locations.ids().filter(|&l| cuts[l] && l != body.exit && graph.reachable[l]) {
            let mut found = Vec::new();
            let mut seen: IndexVec<Loc, bool> = IndexVec::filled(false, body.locations.len());
            let mut work = vec![start];
            while let Some(at) = work.pop() {
                for &id in &graph.out[at] {
                    let edge = &body.edges[id];
                    let end = match (&edge.op, edge.to) {
                        (Op::Error(_) | Op::Unsupported(_), _) => End::Target(id),
                        _ if unmodelled(id) => End::Target(id),
                        _ if enc.callee(edge).is_some() => End::Before(id),
                        (_, None) => continue,
                        (_, Some(to)) if cuts[to] => End::At(to),
                        (_, Some(to)) => {
                            if !std::mem::replace(&mut seen[to], true) {
                                work.push(to);
                            }
                            continue;
                        }
                    };
                    if !found.contains(&end) {
                        found.push(end);
                    }
                }
            }
            found.sort_unstable();
            ways.insert(start, found);
        }
        Graphs { cuts, ways }
    }
}

/// How far questions go.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Solver conflicts of one.
    conflicts: u64,
}

/// What is kept from round to round: the formulas of blocks, and what was found about them.
pub(crate) struct Blocks<'p> {
    analysis: &'p Analysis<'p>,
    events: Events,
    limits: Limits,
    graphs: FxHashMap<FuncId, Graphs>,
    unmodelled: FxHashMap<(FuncId, EdgeId), Unmodelled>,
    units: FxHashMap<(FuncId, Start), Unit<'p>>,
    known: FxHashMap<Key, images::Known>,
    /// Questions to the solver.
    pub(crate) queries: u64,
}

/// What a trace comes to.
pub(crate) enum Followed {
    /// Each of its blocks can be taken by itself; this is a path that does.
    Path(Path),
    /// Some cannot, which is known from now on.
    Excluded,
}

impl<'p> Blocks<'p> {
    /// The blocks of a program.
    pub(crate) fn new(analysis: &'p Analysis<'p>, size: Granularity, events: Events, conflicts: u64) -> Blocks<'p> {
        let mut enc = Encoder::new(analysis, events);
        let mut unmodelled = FxHashMap::default();
        let mut graphs = FxHashMap::default();
        for &func in &analysis.cut_points().functions {
            let body = analysis.program.body(func);
            let state = enc.arbitrary_keeping(func);
            for (id, edge) in body.edges.iter_enumerated() {
                let mut after = state.clone();
                let calls = enc.callee(edge).is_some();
                let step = if calls { enc.enter(&mut after, id, edge) } else { enc.step(&mut after, edge) };
                if let Err(why) = step {
                    unmodelled.insert((func, id), why);
                }
            }
            graphs.insert(func, Graphs::new(&enc, body, size, |e| unmodelled.contains_key(&(func, e))));
        }
        let limits = Limits { conflicts };
        let (units, known) = (FxHashMap::default(), FxHashMap::default());
        Blocks { analysis, events, limits, graphs, unmodelled, units, known, queries: 0 }
    }

    /// From now on events on which no proof may build do this.
    pub(crate) fn change_events(&mut self, events: Events) {
        self.events = events;
        self.units.clear();
        self.known.clear();
    }

    /// Whether a location is a cut point.
    pub(crate) fn is_cut(&self, func: FuncId, loc: Loc) -> bool {
        self.graphs.get(&func).is_some_and(|g| g.cuts[loc])
    }

    /// The cut points of a function.
    pub(crate) fn cut_points(&self, func: FuncId) -> Vec<Loc> {
        self.graphs[&func].cuts.iter_enumerated().filter(|(_, c)| **c).map(|(l, _)| l).collect()
    }

    /// Whether the candidates for predicates behind a step of a path, or at its beginning, are of use.
    pub(crate) fn wants(&self, path: &Path, step: Option<usize>) -> bool {
        let Some(step) = step else { return true };
        let Some(&(func, id)) = path.edges.get(step) else { return false };
        let program = self.analysis.program;
        let edge = program.edge(func, id);
        let callee = match edge.op {
            Op::Call(ir::Call { callee: ir::Callee::Direct(f), .. }) => program.functions[f].body.as_ref(),
            _ => None,
        };
        callee.is_some() || edge.to.is_some_and(|to| self.is_cut(func, to))
    }

    /// The meaning of the statements of `skeleton`.
    pub(crate) fn transfer<'a>(
        &'a mut self,
        skeleton: &'a Skeleton,
        predicates: &'a Predicates,
        invariants: &'a LocationInvariants,
    ) -> OnDemand<'a, 'p> {
        OnDemand::new(self, skeleton, predicates, invariants)
    }

    fn unit(&mut self, func: FuncId, start: Start, invariants: &LocationInvariants) -> Result<&mut Unit<'p>, String> {
        if !self.units.contains_key(&(func, start)) {
            let graphs = &self.graphs[&func];
            let unit = Unit::new(self.analysis, self.events, (func, start), graphs, invariants)?;
            self.units.insert((func, start), unit);
        }
        Ok(self.units.get_mut(&(func, start)).expect("it is there now"))
    }

    /// The boolean program with what is known of its blocks: one that any checker can read.
    pub(crate) fn program(&self, skeleton: &Skeleton) -> boolprog::Program {
        let mut program = skeleton.abstraction.program.clone();
        for (&(proc, stmt), key) in skeleton.blocks.iter().collect::<BTreeMap<_, _>>() {
            let (Some(known), Some(unit)) = (self.known.get(key), self.units.get(&(key.func, key.start))) else {
                continue;
            };
            let sides = &skeleton.sides[key];
            let kept: Vec<Tag> = sides.after.iter().map(|a| a.0).filter(|&tag| unit.keeps(key.end, tag)).collect();
            let known = known.condition(sides, &kept);
            let at = &mut program.procs[proc].body[stmt];
            at.constrain = Some(Expr::and(at.constrain.take().into_iter().chain([known])));
        }
        debug_assert_eq!(boolprog::validate(&program), [], "blocks make a valid boolean program");
        program
    }

    /// Takes the blocks of a trace one by one.
    pub(crate) fn follow(
        &mut self,
        trace: &Trace,
        skeleton: &Skeleton,
        predicates: &Predicates,
        invariants: &LocationInvariants,
    ) -> Result<Followed, Reason> {
        let mut path = Path { edges: Vec::new() };
        let mut excluded = false;
        for steps in trace.steps.windows(2) {
            let [here, next] = steps else { unreachable!("windows of two have two") };
            let Some(&key) = skeleton.blocks.get(&(here.proc, here.stmt)) else { continue };
            let sides = &skeleton.sides[&key];
            let conflicts = self.limits.conflicts;
            self.queries += 1;
            let unit = self.unit(key.func, key.start, invariants).map_err(Reason::new)?;
            let values = |list: &[(Tag, boolprog::Var)], state: &boolprog::semantics::Valuation| -> Literals {
                list.iter().map(|&(tag, var)| (tag, state.get(var))).collect()
            };
            let (before, after) = (values(&sides.before, &here.state), values(&sides.after, &next.state));
            match unit.possible(key.end, &before, &after, (predicates, skeleton), conflicts) {
                unit::Possible::By(edges) => path.edges.extend(edges.into_iter().map(|e| (key.func, e))),
                unit::Possible::Not(before, after) => {
                    let wide = sabotage::active(Fault::ExcludedForAll);
                    let found = if wide { (Vec::new(), Vec::new()) } else { (before, after) };
                    self.known.entry(key).or_default().excluded.push(found);
                    excluded = true;
                }
                unit::Possible::Unknown(why) => return Err(Reason::new(why)),
            }
        }
        Ok(if excluded { Followed::Excluded } else { Followed::Path(path) })
    }
}

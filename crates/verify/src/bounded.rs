//! The bounded engine: explores paths breadth-first, inlining calls, and cuts prefixes that the solver shows to be
//! infeasible. The first target whose path has a model is turned into inputs and replayed.
//!
//! It finds bugs that need few decisions, whatever the values they need, and proves nothing: a search that ends without
//! a target is UNKNOWN, because there is no proof for `certify` to check.
//!
//! Invariants: a segment's `condition` holds exactly for the inputs that lead along it; segments name their parents, so
//! a path is read off backwards; the queue is first-in first-out, so paths with fewer decisions come first.

use crate::inputs::counterexample;
use crate::verdict::{Progress, Reason, Stats, Verdict};
use analysis::Analysis;
use base::{Budget, IndexVec, define_id};
use ir::{EdgeId, FuncId, Loc, Op, Path};
use logic::{Answer, Context, Model, Term};
use std::collections::VecDeque;
use vc::Encoder;
use vc::path::{PathFormula, Walk, path_formula};

define_id!(SegmentId, "segment", "A piece of a path between two decisions.");

/// How far the search goes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Segments of paths.
    pub segments: u64,
    /// Steps, over all paths.
    pub steps: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// Solver conflicts for one question.
    pub conflicts_per_query: u64,
    /// Solver conflicts in all.
    pub conflicts: u64,
    /// Solver variables in all: a measure of memory.
    pub variables: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            segments: 20_000,
            steps: 2_000_000,
            queries: 4_000,
            conflicts_per_query: 10_000,
            conflicts: 200_000,
            variables: 5_000_000,
        }
    }
}

impl Limits {
    /// Limits for a first look, where another engine follows: bugs that lie close to the start.
    pub fn quick() -> Limits {
        Limits {
            segments: 1_000,
            steps: 50_000,
            queries: 200,
            conflicts_per_query: 2_000,
            conflicts: 10_000,
            variables: 1_000_000,
        }
    }
}

/// Looks for a feasible path to a target.
pub fn search(analysis: &Analysis<'_>, limits: &Limits, progress: &mut dyn Progress, stats: &mut Stats) -> Verdict {
    let mut search = Search::new(analysis, limits);
    let found = search.run(progress);
    let solver = search.context.stats();
    stats.path_segments += search.segments.len() as u64;
    stats.solver_queries += solver.queries;
    stats.solver_conflicts += solver.conflicts;
    match found {
        Ok(verdict) => verdict,
        Err(end) => Verdict::Unknown(end),
    }
}

/// A piece of a path: the edges taken since the last decision.
struct Segment {
    parent: Option<SegmentId>,
    edges: Vec<(FuncId, EdgeId)>,
}

/// A point from which the search goes on.
struct Frontier {
    walk: Walk,
    condition: Term,
    segment: SegmentId,
}

struct Search<'p> {
    enc: Encoder<'p>,
    context: Context,
    outs: IndexVec<FuncId, IndexVec<Loc, Vec<EdgeId>>>,
    segments: IndexVec<SegmentId, Segment>,
    queue: VecDeque<Frontier>,
    segment_budget: Budget,
    step_budget: Budget,
    query_budget: Budget,
    conflicts_per_query: u64,
    conflicts: u64,
    variables: u64,
    /// The first thing on a feasible path that the search could not follow.
    lost: Option<Reason>,
}

impl<'p> Search<'p> {
    fn new(analysis: &'p Analysis<'p>, limits: &Limits) -> Search<'p> {
        let outs = analysis.program.functions.iter().map(|f| match &f.body {
            None => IndexVec::new(),
            Some(body) => {
                let mut outs = IndexVec::filled(Vec::new(), body.locations.len());
                for (id, edge) in body.edges.iter_enumerated() {
                    outs[edge.from].push(id);
                }
                outs
            }
        });
        let enc = Encoder::for_path(analysis);
        Search {
            enc,
            context: Context::new(),
            outs: outs.collect(),
            segments: IndexVec::new(),
            queue: VecDeque::new(),
            segment_budget: Budget::new("path segments", limits.segments),
            step_budget: Budget::new("steps along paths", limits.steps),
            query_budget: Budget::new("solver queries", limits.queries),
            conflicts_per_query: limits.conflicts_per_query,
            conflicts: limits.conflicts,
            variables: limits.variables,
            lost: None,
        }
    }

    fn run(&mut self, progress: &mut dyn Progress) -> Result<Verdict, Reason> {
        let (walk, _) = Walk::start(&mut self.enc);
        let segment = self.segments.push(Segment { parent: None, edges: Vec::new() });
        let condition = self.enc.store.bool(true);
        self.queue.push_back(Frontier { walk, condition, segment });
        while let Some(frontier) = self.queue.pop_front() {
            progress.reached(self.segment_budget.used());
            if let Some(verdict) = self.explore(frontier)? {
                return Ok(verdict);
            }
        }
        Err(self.lost.take().unwrap_or_else(|| {
            Reason::new(format!("all {} path segments explored, no target among them", self.segments.len()))
        }))
    }

    /// Goes on until the next decision, and queues what follows it.
    fn explore(&mut self, mut at: Frontier) -> Result<Option<Verdict>, Reason> {
        loop {
            let Some(loc) = at.walk.at else { return Ok(None) };
            let choices = self.outs[at.walk.state.func()][loc].clone();
            let mut ways = Vec::new();
            for id in choices {
                if let Some(way) = self.take(&at, id)? {
                    ways.push(way);
                }
            }
            if ways.len() == 1 {
                let (id, walk, condition) = ways.remove(0);
                let func = at.walk.state.func();
                self.segments[at.segment].edges.push((func, id));
                (at.walk, at.condition) = (walk, condition);
                if self.ends_here(&at, func, id) {
                    return Ok(None);
                }
                if let Some(verdict) = self.target(&at, func, id)? {
                    return Ok(Some(verdict));
                }
                continue;
            }
            for (id, walk, condition) in ways {
                self.segment_budget.spend(1).map_err(|e| Reason::new(e.to_string()))?;
                let edges = vec![(at.walk.state.func(), id)];
                let segment = self.segments.push(Segment { parent: Some(at.segment), edges });
                self.queue.push_back(Frontier { walk, condition, segment });
            }
            return Ok(None);
        }
    }

    /// Takes an edge if that is feasible, as far as the solver can tell.
    fn take(&mut self, at: &Frontier, id: EdgeId) -> Result<Option<(EdgeId, Walk, Term)>, Reason> {
        self.step_budget.spend(1).map_err(|e| Reason::new(e.to_string()))?;
        let func = at.walk.state.func();
        let mut walk = at.walk.clone();
        let effects = match walk.take(&mut self.enc, id) {
            Ok(effects) => effects,
            Err(unmodelled) => {
                if self.feasible(at.condition)? {
                    self.lost.get_or_insert_with(|| Reason::at(unmodelled.to_string(), func, id));
                }
                return Ok(None);
            }
        };
        let condition = effects.assumptions.iter().fold(at.condition, |c, a| self.enc.store.and(c, a.term));
        let decided = condition == at.condition;
        if decided || self.feasible(condition)? { Ok(Some((id, walk, condition))) } else { Ok(None) }
    }

    /// Whether the condition can hold; "perhaps" counts as yes.
    fn feasible(&mut self, condition: Term) -> Result<bool, Reason> {
        if let Some(b) = self.enc.store.bool_of(condition) {
            return Ok(b);
        }
        if self.context.stats().conflicts >= self.conflicts {
            return Err(Reason::new(format!("limit of {} solver conflicts reached", self.conflicts)));
        }
        self.query_budget.spend(1).map_err(|e| Reason::new(e.to_string()))?;
        let lit = self.context.lit(&self.enc.store, condition);
        if self.context.stats().variables > self.variables {
            return Err(Reason::new(format!("limit of {} solver variables reached", self.variables)));
        }
        Ok(!self.context.decide(&self.enc.store, &[lit], self.conflicts_per_query).is_unsat())
    }

    /// Whether the path ends with this edge for a reason that is no target; an unsupported one is remembered.
    fn ends_here(&mut self, at: &Frontier, func: FuncId, id: EdgeId) -> bool {
        let edge = self.enc.program.edge(func, id);
        if let Op::Unsupported(why) = &edge.op {
            self.lost.get_or_insert_with(|| Reason::at(format!("unsupported: {why}"), func, id));
        }
        at.walk.at.is_none() && !matches!(edge.op, Op::Error(_))
    }

    /// If the edge is a target, the verdict that its path is worth.
    fn target(&mut self, at: &Frontier, func: FuncId, id: EdgeId) -> Result<Option<Verdict>, Reason> {
        let edge = self.enc.program.edge(func, id);
        if !matches!(edge.op, Op::Error(_)) {
            return Ok(None);
        }
        let path = self.path_to(at.segment);
        match self.confirm(&path) {
            Ok(checked) => Ok(Some(Verdict::Unsafe(checked))),
            Err(why) => {
                self.lost.get_or_insert_with(|| Reason::at(why, func, id));
                Ok(None)
            }
        }
    }

    /// A model with small objects, if there is one.
    fn small_model(&self, enc: &mut Encoder<'_>, formula: &PathFormula, condition: Term, model: Model) -> Model {
        let small = formula.small_objects(enc);
        if small.is_empty() {
            return model;
        }
        let all = small.into_iter().fold(condition, |all, t| enc.store.and(all, t));
        logic::check_sat(&enc.store, &[all], self.conflicts_per_query * 10).model().unwrap_or(model)
    }

    /// Asks about the whole path in a fresh context, so that the inputs do not depend on the search so far.
    fn confirm(&self, path: &Path) -> Result<certify::Checked<certify::Counterexample>, String> {
        let mut enc = Encoder::for_path(self.enc.analysis);
        let formula = path_formula(&mut enc, &path.edges).map_err(|e| e.to_string())?;
        let assumptions = formula.steps.iter().flat_map(|s| s.effects.assumptions.iter().map(|a| a.term));
        let condition = assumptions.fold(enc.store.bool(true), |all, t| enc.store.and(all, t));
        match logic::check_sat(&enc.store, &[condition], self.conflicts_per_query * 10) {
            Answer::Sat(model) => {
                let model = self.small_model(&mut enc, &formula, condition, model);
                counterexample(&enc, &formula, &model, path)
                    .map_err(|e| format!("a path has a model but its replay fails: {e}"))
            }
            Answer::Unsat(_) => Err("a path to a target looked feasible but is not".into()),
            Answer::Unknown(why) => Err(why.to_string()),
        }
    }

    /// The path that ends with this segment.
    fn path_to(&self, last: SegmentId) -> Path {
        let mut chain = vec![last];
        while let Some(parent) = self.segments[*chain.last().expect("never empty")].parent {
            chain.push(parent);
        }
        Path { edges: chain.iter().rev().flat_map(|&s| self.segments[s].edges.iter().copied()).collect() }
    }
}

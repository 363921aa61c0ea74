//! The abstraction engine: abstract, check, refine, until there is a proof or a run (SLAM's loop; TR00 §1, PLDI01 §2).
//!
//! One iteration makes the boolean program of the predicates and constraints known so far (`predabs`), searches it
//! (`reach`), and either turns its fixpoint into a proof ([`crate::proof`]) or lifts its shortest trace to a path. A
//! path that can be executed is a counterexample. One that cannot gives constraints, where a single step of the trace
//! has no concrete counterpart, or else predicates (`refine`).
//!
//! Before the loop begins, location invariants are generated (`invgen`). If they are not the proof already, the abstraction
//! may use them at every edge, and the end of a path that contradicts them is explained by itself.
//!
//! Errors are looked for first; when none is reachable, edges that cannot be followed (unsupported or unmodelled) are
//! the targets, because a proof must exclude those as well. Every iteration adds a predicate or a constraint, or the
//! engine looks harder, or it ends in UNKNOWN: it never goes round in circles.

use crate::blocks::{Blocks, Followed, Skeleton};
use crate::divergence::Divergence;
use crate::families::Families;
use crate::inputs::{self, counterexample};
use crate::proof;
use crate::verdict::{Iteration, Progress, Reason, Stats, Verdict};
use analysis::{Analysis, Modified};
use boolprog::interp::Goal;
use certify::{CheckLimits, check_proof};
use ir::walk::{Visitor, walk_expr};
use ir::{Base, BinOp, Body, EdgeId, Expr, ExprKind, FuncId, Op, Path, Place, Program, Ty, Var};
use predabs::direct::Granularity;
use predabs::{Abstraction, Cache, Target, TargetKind, abstract_program};
use reach::{NoTrace, Reachability, analyze, analyze_with};
use refine::{
    AbstractStep, Effort, Explanation, Feasible, Infeasible, TransitionConstraints, explain_at, explain_suffix,
};
use rustc_hash::FxHashSet;
use vc::{Constraint, Events, LocationInvariants, Predicate, Predicates, Scope, canonical};

/// How far the engine goes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Rounds of the loop.
    pub iterations: u64,
    /// Predicates: with each the abstraction costs more.
    pub predicates: u64,
    /// Solver conflicts for the question whether a path is feasible.
    pub path_conflicts: u64,
    /// Solver conflicts for the question whether an end of a path is feasible.
    pub suffix_conflicts: u64,
    /// Solver conflicts for the question whether a single step is possible.
    pub step_conflicts: u64,
    /// The longest trace that is looked at.
    pub trace_length: u64,
    /// Bytes for decision diagrams.
    pub bdd_memory: u64,
    /// How far invariants are looked for before the loop; `None` to find everything by refinement.
    pub invgen: Option<invgen::Limits>,
    /// How much one statement of the boolean program is.
    pub block: Granularity,
    /// Limits and choices of the abstraction itself.
    pub predabs: predabs::Options,
    /// Limits of proof checking.
    pub certify: CheckLimits,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            iterations: 2_000,
            predicates: 10_000,
            path_conflicts: 2_000_000,
            suffix_conflicts: 20_000,
            step_conflicts: 100_000,
            trace_length: 100_000,
            bdd_memory: 1 << 30,
            invgen: Some(invgen::Limits::default()),
            block: Granularity::Statement,
            predabs: predabs::Options::default(),
            certify: CheckLimits::default(),
        }
    }
}

/// Cubes grow to this length where refinement finds nothing new.
const LONGEST_CUBE: usize = 5;

/// Looks for a proof or a run, starting from `initial` predicates.
pub fn search(
    analysis: &Analysis<'_>,
    limits: &Limits,
    initial: &[Predicate],
    progress: &mut dyn Progress,
    stats: &mut Stats,
) -> Verdict {
    let mut refinement = Loop::new(limits, initial);
    refinement.go_on(analysis, u64::MAX, progress, stats).expect("without a limit the loop ends with a verdict")
}

/// The loop, which can be left and gone on with.
pub(crate) struct Loop<'p> {
    limits: &'p Limits,
    initial: &'p [Predicate],
    engine: Option<Cegar<'p>>,
}

impl<'p> Loop<'p> {
    pub(crate) fn new(limits: &'p Limits, initial: &'p [Predicate]) -> Loop<'p> {
        Loop { limits, initial, engine: None }
    }

    /// Goes on for as many iterations as `work` pays for, which is counted in questions to the solver; `None` if there is no
    /// verdict by then. An iteration whose search of the boolean program needs more than is left begins anew the next time.
    /// Invariants are generated at the first call.
    pub(crate) fn go_on(
        &mut self,
        analysis: &'p Analysis<'p>,
        work: u64,
        progress: &mut dyn Progress,
        stats: &mut Stats,
    ) -> Option<Verdict> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            None => {
                let invariants = match &self.limits.invgen {
                    None => LocationInvariants::new(),
                    Some(limits) => {
                        let invariants = generate_invariants(analysis, limits, progress, stats);
                        if let Some(verdict) = by_invariants_alone(analysis, &invariants) {
                            return Some(verdict);
                        }
                        invariants
                    }
                };
                self.engine.insert(Cegar::new(analysis, self.limits, self.initial, invariants))
            }
        };
        let verdict = engine.run(work, progress, stats);
        stats.predicates = engine.predicates.len() as u64;
        stats.constraints = engine.constraints.len() as u64;
        verdict
    }
}

fn generate_invariants(
    analysis: &Analysis<'_>,
    limits: &invgen::Limits,
    progress: &mut dyn Progress,
    stats: &mut Stats,
) -> LocationInvariants {
    progress.phase("invgen");
    let (invariants, found) = invgen::generate(analysis, limits);
    stats.invariants = invariants.len() as u64;
    stats.solver_queries += found.queries;
    progress.artifact("invariants", 0, &|| show_invariants(analysis.program, &invariants));
    invariants
}

/// Solver conflicts that the question whether the generated invariants are a proof may cost, per obligation: if they are not,
/// the loop is to come.
const INVGEN_CONFLICTS: u64 = 20_000;
/// Solver variables of an obligation in that question.
const INVGEN_VARIABLES: u64 = 300_000;

/// Whether no more than the generated invariants is needed.
fn by_invariants_alone(analysis: &Analysis<'_>, invariants: &LocationInvariants) -> Option<Verdict> {
    let limits = CheckLimits { conflicts: INVGEN_CONFLICTS, variables: INVGEN_VARIABLES };
    check_proof(analysis.program, proof::from_invariants(analysis, invariants), &limits).ok().map(Verdict::Safe)
}

fn show_invariants(program: &Program, invariants: &LocationInvariants) -> String {
    let show = |(func, loc, e): (FuncId, ir::Loc, &ir::Expr)| {
        format!("{} {loc}: {}\n", program.functions[func].name, ir::text::show_expr(program, func, e))
    };
    invariants.iter().map(show).collect()
}

/// So many nodes of decision diagrams cost as much as one question to the solver.
const NODES_PER_QUESTION: u64 = 300;

/// A search of the boolean program may make so many nodes, however little is left of a turn.
const FEWEST_NODES: u64 = 1_000_000;

/// What the loop is after.
enum Mode {
    /// A proof or a run.
    Prove,
    /// Runs only: no proof will be found, for this reason.
    FindBugs(Box<Reason>),
}

struct Cegar<'p> {
    analysis: &'p Analysis<'p>,
    program: &'p Program,
    limits: &'p Limits,
    /// The iterations so far.
    iteration: u64,
    mode: Mode,
    predicates: Predicates,
    constraints: Vec<Constraint>,
    /// The same, to be asked.
    known_constraints: FxHashSet<Constraint>,
    cache: Cache,
    /// What is kept of blocks, if they are the statements.
    blocks: Option<Blocks<'p>>,
    options: predabs::Options,
    transitions: TransitionConstraints<'p>,
    families: Families,
    invariants: LocationInvariants,
    cursor: Cursor,
    /// Nodes that a search of the boolean program and its trace may make.
    nodes: u64,
}

/// The path at hand, and how far the ways to explain it were tried.
#[derive(Default)]
struct Cursor {
    path: Option<Path>,
    /// The steps of that path that disagree.
    core: Vec<usize>,
    /// An index into [`STRATEGIES`].
    strategy: usize,
}

impl Cursor {
    /// Stands at `path`: a new one is tried from the first strategy on.
    fn stand_at(&mut self, path: &Path) -> (Extent, Effort) {
        if self.path.as_ref() != Some(path) {
            *self = Cursor { path: Some(path.clone()), ..Cursor::default() };
        }
        STRATEGIES[self.strategy]
    }

    /// Goes on to the next strategy, if there is one.
    fn advance(&mut self) -> bool {
        let more = self.strategy + 1 < STRATEGIES.len();
        self.strategy += usize::from(more);
        more
    }
}

/// Ways to explain a path, tried in order as long as they bring nothing new.
const STRATEGIES: [(Extent, Effort); 5] = [
    (Extent::End, Effort::Backward),
    (Extent::Whole, Effort::Backward),
    (Extent::End, Effort::Forward),
    (Extent::Whole, Effort::Forward),
    (Extent::Whole, Effort::Unsplit),
];

/// Which part of a path is explained.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Its shortest infeasible end, if there is one.
    End,
    /// All of it.
    Whole,
}

/// How much a search of the boolean program finds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// Whether a target is reached.
    Open,
    /// Also all sets, but for what is no longer needed to decide that.
    Restricted,
    /// Everything.
    Full,
}

/// What an iteration searches: a boolean program whose statements are steps, or blocks.
enum Made {
    Steps(Box<Abstraction>),
    Blocks(Box<Skeleton>),
}

impl Made {
    fn abstraction(&self) -> &Abstraction {
        match self {
            Made::Steps(abstraction) => abstraction,
            Made::Blocks(skeleton) => &skeleton.abstraction,
        }
    }
}

/// What an iteration came to.
enum Round {
    Decided(Verdict),
    Refined,
    /// The search of the boolean program needs more than it may take now.
    Postponed,
}

impl<'p> Cegar<'p> {
    fn new(
        analysis: &'p Analysis<'p>,
        limits: &'p Limits,
        initial: &[Predicate],
        invariants: LocationInvariants,
    ) -> Cegar<'p> {
        let mut predicates = Predicates::new();
        for p in initial {
            predicates.insert(p.clone());
        }
        Cegar {
            analysis,
            program: analysis.program,
            limits,
            iteration: 0,
            mode: Mode::Prove,
            predicates,
            constraints: Vec::new(),
            known_constraints: FxHashSet::default(),
            cache: Cache::new(),
            blocks: (limits.block != Granularity::Statement)
                .then(|| Blocks::new(analysis, limits.block, limits.predabs.events, limits.step_conflicts)),
            options: limits.predabs.clone(),
            transitions: TransitionConstraints::new(analysis, limits.predabs.events),
            families: Families::new(analysis.program),
            invariants,
            cursor: Cursor::default(),
            nodes: u64::MAX,
        }
    }

    /// Iterates until there is a verdict, or `work` is spent.
    fn run(&mut self, work: u64, progress: &mut dyn Progress, stats: &mut Stats) -> Option<Verdict> {
        let mut spent = 0;
        while self.iteration < self.limits.iterations {
            if spent >= work {
                return None;
            }
            self.iteration += 1;
            progress.reached(self.iteration);
            let mut record = Iteration::default();
            self.nodes = (work - spent).saturating_mul(NODES_PER_QUESTION).max(FEWEST_NODES);
            let round = self.round(self.iteration, progress, &mut record);
            stats.iterations.push(record);
            spent += record.solver_queries + record.reach_nodes / NODES_PER_QUESTION + record.path_length;
            match round {
                Ok(Round::Refined) => {}
                Ok(Round::Postponed) => {
                    self.iteration -= 1;
                    return None;
                }
                Ok(Round::Decided(verdict)) => return Some(verdict),
                Err(mut reason) => {
                    reason.iteration = Some(self.iteration);
                    return Some(Verdict::Unknown(reason));
                }
            }
        }
        let mut reason = Reason::new(format!("refinement: limit of {} iterations reached", self.limits.iterations));
        reason.iteration = Some(self.limits.iterations);
        reason.divergence = self.divergence();
        Some(Verdict::Unknown(reason.in_phase("refine")))
    }

    /// What the loop is working on.
    fn divergence(&self) -> Option<Box<Divergence>> {
        let path = self.cursor.path.clone()?;
        let calls = &self.analysis.call_graph;
        Some(Box::new(Divergence::new(self.program, calls, path, self.cursor.core.clone(), &self.predicates)))
    }

    fn round(&mut self, number: u64, progress: &mut dyn Progress, record: &mut Iteration) -> Result<Round, Reason> {
        record.predicates = self.predicates.len() as u64;
        record.constraints = self.constraints.len() as u64;
        if record.predicates > self.limits.predicates {
            return Err(Reason::new(format!("limit of {} predicates reached", self.limits.predicates)));
        }
        progress.phase("abstract");
        let made = self.make(record).map_err(|e| Reason::new(format!("abstraction: {e}")).in_phase("abstract"))?;
        let abstraction = made.abstraction();
        progress.artifact("preds", number, &|| self.show_predicates());
        if let Made::Steps(abstraction) = &made {
            progress.artifact("bp", number, &|| boolprog::print(&abstraction.program));
            progress.abstracted(abstraction, &self.predicates);
        }
        progress.phase("reach");
        let is_error = |t: &&Target| t.kind == TargetKind::Error;
        let errors: Vec<Target> = abstraction.targets.iter().filter(is_error).copied().collect();
        let mut reached = match self.analyze(&made, &errors, Search::Open, record) {
            Ok(reached) => reached,
            Err(e) => return stopped(e),
        };
        if let (Made::Blocks(skeleton), Some(blocks)) = (&made, &self.blocks) {
            progress.artifact("bp", number, &|| boolprog::print(&blocks.program(skeleton)));
        }
        if reached.hit().is_empty()
            && let Mode::FindBugs(reason) = &self.mode
        {
            return Err((**reason).clone());
        }
        let mut targets = errors;
        if reached.hit().is_empty() && targets.len() < abstraction.targets.len() {
            // Two sets of decision diagrams at a time would be one too many.
            drop(reached);
            targets = abstraction.targets.iter().filter(|t| !is_error(t)).copied().collect();
            reached = match self.analyze(&made, &targets, Search::Open, record) {
                Ok(reached) => reached,
                Err(e) => return stopped(e),
            };
        }
        let Some(&hit) = reached.hit().first() else {
            // A proof needs all sets; and what the search forgot as no longer needed may be needed to see that they are
            // inductive.
            drop(reached);
            // There is nothing to be refined, so this may take what it takes.
            self.nodes = u64::MAX;
            match self.analyze(&made, &targets, Search::Restricted, record) {
                Ok(restricted) => {
                    if let Ok(verdict) = self.prove(abstraction, &restricted, progress) {
                        return Ok(Round::Decided(verdict));
                    }
                }
                Err(e) => return stopped(e),
            }
            return match self.analyze(&made, &targets, Search::Full, record) {
                Ok(full) => self.prove(abstraction, &full, progress).map(Round::Decided),
                Err(e) => stopped(e),
            };
        };
        let target = *targets.iter().find(|t| goal(t) == hit).expect("only targets are hit");
        self.follow(number, &made, &mut reached, target, progress, record)
    }

    /// The boolean program of the predicates.
    fn make(&mut self, record: &mut Iteration) -> Result<Made, predabs::Error> {
        let Cegar { predicates, constraints, invariants, cache, options, .. } = self;
        if let Some(blocks) = &self.blocks {
            return Skeleton::new(blocks, predicates, options).map(|s| Made::Blocks(Box::new(s)));
        }
        let made = abstract_program(self.analysis, predicates, constraints, invariants, options, cache)?;
        record.solver_queries = made.stats.queries;
        Ok(Made::Steps(Box::new(made)))
    }

    /// Searches the boolean program.
    fn analyze<'a>(
        &mut self,
        made: &'a Made,
        targets: &[Target],
        search: Search,
        record: &mut Iteration,
    ) -> Result<Reachability<'a>, reach::Unknown> {
        let goals: Vec<Goal> = targets.iter().map(goal).collect();
        let options = reach::Options {
            restrict: search != Search::Full,
            skip_dead_returns: search == Search::Open,
            stop_at_first: true,
            memory: self.limits.bdd_memory,
            max_work: self.nodes,
            ..reach::Options::default()
        };
        let reached = match (made, &mut self.blocks) {
            (Made::Blocks(skeleton), Some(blocks)) => {
                let before = blocks.queries;
                let mut transfer = blocks.transfer(skeleton, &self.predicates, &self.invariants);
                let reached = analyze_with(&skeleton.abstraction.program, &mut transfer, &goals, &options);
                record.solver_queries += blocks.queries - before;
                reached
            }
            _ => analyze(&made.abstraction().program, &goals, &options),
        };
        record.reach_nodes += reached.as_ref().map_or(0, Reachability::work);
        record.reach_steps += reached.as_ref().map_or(0, |r| r.stats().steps);
        reached
    }

    /// No target is reachable in the abstraction: the fixpoint is a proof, if the checker agrees.
    fn prove(
        &self,
        abstraction: &Abstraction,
        reached: &Reachability<'_>,
        progress: &mut dyn Progress,
    ) -> Result<Verdict, Reason> {
        progress.phase("certify");
        let cuts = |func: FuncId, body: &Body| match &self.blocks {
            Some(blocks) if self.invariants.is_empty() => blocks.cut_points(func),
            // A function without invariants of its own may be what makes those of another inductive.
            _ => proof::cut_points(body, !self.invariants.is_empty()),
        };
        let proof =
            proof::from_fixpoint(self.analysis, abstraction, reached, &self.predicates, &self.invariants, &cuts);
        match check_proof(self.program, proof, &self.limits.certify) {
            Ok(checked) => Ok(Verdict::Safe(checked)),
            Err(r) => {
                let what = if r.undecided { "could not be checked" } else { "was not accepted" };
                let mut reason = Reason::new(format!("the proof found {what}: {}: {}", r.rule, r.reason));
                reason.at = r.at;
                Err(reason.in_phase("certify"))
            }
        }
    }

    /// Looks at the trace to a target: a run, or something to learn.
    fn follow(
        &mut self,
        number: u64,
        made: &Made,
        reached: &mut Reachability<'_>,
        target: Target,
        progress: &mut dyn Progress,
        record: &mut Iteration,
    ) -> Result<Round, Reason> {
        progress.phase("trace");
        let searched = reached.work();
        let (goal, longest) = (goal(&target), self.limits.trace_length);
        let found = match (made, &mut self.blocks) {
            (Made::Blocks(skeleton), Some(blocks)) => {
                let before = blocks.queries;
                let mut transfer = blocks.transfer(skeleton, &self.predicates, &self.invariants);
                let found = reached.trace_with(&mut transfer, goal, longest);
                record.solver_queries += blocks.queries - before;
                found
            }
            _ => reached.trace(goal, longest),
        };
        record.reach_nodes += reached.work() - searched;
        let trace = match found {
            Ok(trace) => trace,
            Err(NoTrace::Unknown(e @ reach::Unknown::Work(_))) => return stopped(e),
            Err(e) => {
                let cause = format!("model checking: no trace: {e:?}");
                return Err(Reason::at(cause, target.func, target.edge).in_phase("reach"));
            }
        };
        let mut steps = Vec::new();
        let path = match (made, &mut self.blocks) {
            (Made::Blocks(skeleton), Some(blocks)) => {
                let before = blocks.queries;
                let followed = blocks.follow(&trace, skeleton, &self.predicates, &self.invariants);
                record.solver_queries += blocks.queries - before;
                match followed.map_err(|r| r.in_phase("refine"))? {
                    Followed::Path(path) => path,
                    Followed::Excluded => {
                        record.new_constraints = 1;
                        return Ok(Round::Refined);
                    }
                }
            }
            _ => {
                steps = made.abstraction().lift(&trace);
                if steps.last().is_none_or(|s| (s.func, s.edge) != (target.func, target.edge)) {
                    // The trace ends where the target's edge begins.
                    let (func, edge, before) = (target.func, target.edge, Vec::new());
                    steps.push(predabs::LiftedStep { func, edge, depth: 0, before, after: None });
                }
                Path { edges: steps.iter().map(|s| (s.func, s.edge)).collect() }
            }
        };
        record.path_length = path.edges.len() as u64;
        progress.path(number, &path);
        progress.phase("refine");
        let to = (target.func, target.edge);
        match target.kind {
            TargetKind::Error => {}
            // What happens across such an edge has no formula; the path up to it has.
            TargetKind::Unsupported | TargetKind::Unmodelled(_) => {
                let upto = Path { edges: path.edges[..path.edges.len() - 1].to_vec() };
                return match self.explain(&upto) {
                    Explanation::Feasible(_) => Err(beyond(self.program, target)),
                    Explanation::Unknown(why) => Err(Reason::at(why, to.0, to.1).in_phase("refine")),
                    Explanation::Infeasible(infeasible) => self.learn(&upto, infeasible, &steps, target, record),
                };
            }
        }
        match self.explain(&path) {
            Explanation::Feasible(feasible) => self.confirm(&feasible, &path, to).map(Round::Decided),
            Explanation::Unknown(why) => Err(Reason::at(why, to.0, to.1).in_phase("refine")),
            Explanation::Infeasible(infeasible) => self.learn(&path, infeasible, &steps, target, record),
        }
    }

    /// Explains a path by the strategy that it has come to.
    fn explain(&mut self, path: &Path) -> Explanation<'p> {
        let (extent, effort) = self.cursor.stand_at(path);
        let wanted = |step: Option<usize>| self.blocks.as_ref().map_or(step.is_some(), |b| b.wants(path, step));
        if extent == Extent::End {
            let (limit, events) = (self.limits.suffix_conflicts, self.options.events);
            let found = explain_suffix(self.analysis, &self.invariants, &path.edges, effort, events, limit, &wanted);
            if let Some(infeasible) = found {
                return Explanation::Infeasible(infeasible);
            }
        }
        explain_at(self.analysis, &path.edges, effort, self.limits.path_conflicts, &wanted)
    }

    fn confirm(&self, found: &Feasible<'_>, path: &Path, to: (FuncId, EdgeId)) -> Result<Verdict, Reason> {
        match counterexample(&found.encoder, &found.formula, &found.model, path) {
            Ok(checked) => Ok(Verdict::Unsafe(checked)),
            // Perhaps another model of the same path is a run.
            Err(_) => match inputs::confirm(self.analysis, path, self.limits.path_conflicts) {
                Ok(checked) => Ok(Verdict::Unsafe(checked)),
                Err(why) => Err(Reason::at(why, to.0, to.1).in_phase("replay")),
            },
        }
    }

    /// The path cannot be executed: adds constraints or predicates.
    fn learn(
        &mut self,
        path: &Path,
        mut infeasible: Infeasible,
        steps: &[predabs::LiftedStep],
        target: Target,
        record: &mut Iteration,
    ) -> Result<Round, Reason> {
        self.cursor.core.clone_from(&infeasible.core);
        if !infeasible.for_proofs() && self.options.events == Events::GoOn {
            self.only_find_bugs(path, &infeasible, target);
            return Ok(Round::Refined);
        }
        let n_before = self.constraints.len();
        let tested: Vec<AbstractStep> = steps.iter().filter_map(abstract_step).collect();
        for c in self.transitions.find(&self.predicates, &self.invariants, &tested, self.limits.step_conflicts) {
            if self.known_constraints.insert(c.clone()) {
                self.constraints.push(c);
            }
        }
        record.new_constraints = (self.constraints.len() - n_before) as u64;
        if self.constraints.len() > n_before {
            return Ok(Round::Refined);
        }
        loop {
            let new = infeasible.predicates.iter().filter(|(scope, e)| {
                let expr = canonical(e).0;
                expr.as_const().is_none()
                    && !never_modified(&self.analysis.modified, *scope, e)
                    && self.predicates.insert(Predicate { scope: *scope, expr }).1
            });
            record.new_predicates = new.count() as u64;
            if record.new_predicates > 0 {
                for p in self.families.complete(&self.predicates) {
                    record.new_predicates += u64::from(self.predicates.insert(p).1);
                }
                return Ok(Round::Refined);
            }
            if !self.cursor.advance() {
                record.new_predicates = self.complete();
                if record.new_predicates > 0 {
                    return Ok(Round::Refined);
                }
                // The cube size is a dial between cost and precision: longer cubes may rule out what shorter ones do not.
                if self.blocks.is_none() && self.options.max_cube < LONGEST_CUBE.min(self.predicates.len()) {
                    self.options.max_cube += 1;
                    return Ok(Round::Refined);
                }
                let reason = no_progress(path, &infeasible, target);
                return Err(Reason { divergence: self.divergence(), ..reason });
            }
            infeasible = match self.explain(path) {
                Explanation::Infeasible(infeasible) => infeasible,
                Explanation::Feasible(_) => unreachable!("a path does not become feasible"),
                Explanation::Unknown(why) => return Err(Reason::at(why, target.func, target.edge).in_phase("refine")),
            };
        }
    }

    /// Adds what the predicates need to be of use: what is known may be lost between a callee and its caller, and what is read
    /// through a pointer is of use where that is known not to be null.
    fn complete(&mut self) -> u64 {
        let read_through: Vec<(Scope, Var)> =
            self.predicates.ids().flat_map(|p| pointers_read(self.predicates.get(p))).collect();
        let mut added = 0;
        for (scope, var) in read_through {
            let expr = canonical(&Expr::binary(BinOp::Eq, Expr::var(var, Ty::Ptr), Expr::null())).0;
            added += u64::from(self.predicates.insert(Predicate { scope, expr }).1);
        }
        added + predabs::complete(self.analysis, &mut self.predicates).len() as u64
    }

    /// Only the end of executions with certain events rules the path out, so that no proof can. What is left to do is to look
    /// for runs without such events.
    fn only_find_bugs(&mut self, path: &Path, infeasible: &Infeasible, target: Target) {
        let reason = Reason { divergence: self.divergence(), ..only_events(path, infeasible, target) };
        self.mode = Mode::FindBugs(Box::new(reason));
        self.options.events = Events::End;
        self.transitions = TransitionConstraints::new(self.analysis, Events::End);
        if let Some(blocks) = &mut self.blocks {
            blocks.change_events(Events::End);
        }
        self.cursor.path = None;
    }

    fn show_predicates(&self) -> String {
        predabs::predfile::print(self.program, &self.predicates)
    }
}

/// The variables through which a predicate reads memory.
fn pointers_read(predicate: &Predicate) -> Vec<(Scope, Var)> {
    struct Pointers(Vec<Var>);
    impl Visitor for Pointers {
        fn read(&mut self, place: &Place) {
            if let Base::Ptr(p) = &place.addr.base
                && let ExprKind::Read(pointer) = &p.kind
            {
                self.0.extend(pointer.as_var());
            }
        }
    }
    let mut pointers = Pointers(Vec::new());
    walk_expr(&predicate.expr, &mut pointers);
    pointers.0.into_iter().map(|var| (predicate.scope, var)).collect()
}

/// Whether a predicate says that a global is as it was at entry, in a function that never changes it.
fn never_modified(modified: &Modified, scope: Scope, e: &Expr) -> bool {
    let (Scope::Function(func), ExprKind::Binary(BinOp::Eq, now, then)) = (scope, &e.kind) else { return false };
    let ExprKind::Read(place) = &now.kind else { return false };
    let global = place.as_var().is_some_and(|v| matches!(v, Var::Global(_)) && !modified.var(func, v));
    global && **then == Expr::entry((**now).clone())
}

/// The search of the boolean program did not come to its end.
fn stopped(why: reach::Unknown) -> Result<Round, Reason> {
    match why {
        reach::Unknown::Work(_) => Ok(Round::Postponed),
        why => Err(Reason::new(format!("model checking: {why}")).in_phase("reach")),
    }
}

fn goal(target: &Target) -> Goal {
    Goal::At(target.proc, target.stmt)
}

/// A step whose possibility can be tested alone.
fn abstract_step(step: &predabs::LiftedStep) -> Option<AbstractStep> {
    let (before, after) = (step.before.clone(), step.after.clone().unwrap_or_default());
    let tells = !(before.is_empty() && after.is_empty());
    tells.then_some(AbstractStep { func: step.func, edge: step.edge, before, after })
}

/// The path is infeasible, but nothing new was found that says so.
fn no_progress(path: &Path, infeasible: &Infeasible, target: Target) -> Reason {
    let why = format!(
        "refinement: a path of {} steps is infeasible because of {} of them, but none of the {} predicates found is new",
        path.edges.len(),
        infeasible.core.len(),
        infeasible.predicates.len()
    );
    Reason::at(why, target.func, target.edge).in_phase("refine")
}

/// The path is infeasible, but only because of events on which no proof may build.
fn only_events(path: &Path, infeasible: &Infeasible, target: Target) -> Reason {
    let events = infeasible.without.iter().filter(|u| !u.is_for_proofs());
    let events: Vec<&str> = events.map(|u| u.name()).collect();
    let why = format!(
        "a path of {} steps is ruled out only because executions end with {}, on which no proof may build; no run without was found",
        path.edges.len(),
        events.join(", ")
    );
    Reason::at(why, target.func, target.edge).in_phase("refine")
}

/// A feasible path leads to an edge that cannot be followed.
fn beyond(program: &Program, target: Target) -> Reason {
    let why = match (target.kind, &program.edge(target.func, target.edge).op) {
        (TargetKind::Unmodelled(what), _) => what.to_string(),
        (_, Op::Unsupported(what)) => format!("unsupported: {what}"),
        (TargetKind::Unsupported | TargetKind::Error, _) => "an edge that cannot be followed is reached".to_owned(),
    };
    Reason::at(why, target.func, target.edge)
}

//! The oracle for `vc`, `predabs`, `refine` and `reach` at once: whatever the interpreter does on random inputs lies in the
//! invariants that the model checker finds, at every location visited, in every round of the refinement loop.
//!
//! It needs no expected answer, so it works on any program. Each round's boolean program is searched to its fixpoint
//! here, once as it is and once forgetting what is not needed, as the engine does; a predicate that has a value in the
//! interpreter's state (entry values included) must have a state of the fixpoint that agrees, now and at the entry of the
//! activation. What was not drawn yet may have any value. Invariants that are guessed before the loop must hold in those runs as
//! well; half of the random programs do without, because invariants alone decide many. Behind an edge that has no formula nothing is claimed, so a run is
//! watched up to there.

mod invariants;
mod memory;
mod programs;
mod watch;

use analysis::Analysis;
use ir::Program;
use ir::interp::{self, RandomInputs, ZeroInputs};
use predabs::{Abstraction, Target};
use reach::Reachability;
use vc::{Predicate, Predicates};
use verify::{Engine, Progress, Settings};

use crate::statistics::Statistics;
use invariants::InvariantWatch;
use watch::{Invariants, Watch};

/// How much of one program is looked at.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Runs in each round: one on zeroes, the others on random inputs.
    pub runs: u64,
    /// Steps of a run.
    pub steps: u64,
    /// Bytes for decision diagrams.
    pub bdd_memory: u64,
    /// Visits of statements by the model checker.
    pub reach_steps: u64,
    /// Rounds of the refinement loop.
    pub iterations: u64,
    /// Whether invariants are guessed before the loop.
    pub invgen: bool,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { runs: 5, steps: 300, bdd_memory: 256 << 20, reach_steps: 200_000, iterations: 5, invgen: true }
    }
}

/// Random programs of the seeds `first .. first + count`.
pub fn containment(first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for seed in first..first + count {
        let (program, initial) = programs::random(seed)?;
        let budget = Budget { invgen: seed % 4 < 2, ..Budget::default() };
        let one = contained(&program, initial, seed, &budget, &mut |_| {});
        stats.merge(&one.map_err(|e| format!("seed {seed}: {e}\n{}", ir::text::print(&program)))?);
    }
    Ok(stats)
}

/// Random programs over memory of the seeds `first .. first + count`, each with random predicates about it.
pub fn memory_containment(first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for seed in first..first + count {
        let (program, initial) = memory::random(seed)?;
        let budget = Budget { runs: 4, iterations: 2, invgen: seed % 4 == 0, ..Budget::default() };
        let one = contained(&program, initial, seed, &budget, &mut |_| {});
        stats.merge(&one.map_err(|e| format!("seed {seed}: {e}\n{}", ir::text::print(&program)))?);
    }
    Ok(stats)
}

/// One program, with predicates to start from. `heard` is told the counts after each round.
pub fn contained(
    program: &Program,
    initial: Vec<Predicate>,
    seed: u64,
    budget: &Budget,
    heard: &mut dyn FnMut(&Statistics),
) -> Result<Statistics, String> {
    let mut settings = Settings { engines: vec![Engine::Abstraction], predicates: initial, ..Settings::default() };
    settings.abstraction.iterations = budget.iterations;
    settings.abstraction.bdd_memory = budget.bdd_memory;
    settings.abstraction.path_conflicts = 20_000;
    settings.abstraction.step_conflicts = 5_000;
    settings.abstraction.predabs.conflicts = 500;
    if !budget.invgen {
        settings.abstraction.invgen = None;
    }
    let analysis = Analysis::new(program);
    let mut rounds =
        Rounds { analysis: &analysis, program, seed, budget, stats: Statistics::new(), wrong: None, heard };
    rounds.stats.add("programs", 1);
    if let Some(limits) = &settings.abstraction.invgen {
        rounds.invariants(limits);
    }
    verify::verify(&analysis, &settings, &mut rounds);
    match rounds.wrong {
        Some(wrong) => Err(wrong),
        None => Ok(rounds.stats),
    }
}

/// Looks at each round's abstraction.
struct Rounds<'a> {
    analysis: &'a Analysis<'a>,
    program: &'a Program,
    seed: u64,
    budget: &'a Budget,
    stats: Statistics,
    wrong: Option<String>,
    heard: &'a mut dyn FnMut(&Statistics),
}

impl Progress for Rounds<'_> {
    fn phase(&mut self, _: &'static str) {}
    fn reached(&mut self, _: u64) {}

    fn abstracted(&mut self, abstraction: &Abstraction, predicates: &Predicates) {
        if self.wrong.is_some() {
            return;
        }
        self.stats.add("rounds", 1);
        for restrict in [false, true] {
            match self.search(abstraction, restrict) {
                Ok(analysis) => self.watch(abstraction, predicates, &analysis),
                Err(_) => self.stats.add("searches given up", 1),
            }
        }
        (self.heard)(&self.stats);
    }
}

impl Rounds<'_> {
    /// Runs the program beside the invariants that the engine will start with.
    fn invariants(&mut self, limits: &invgen::Limits) {
        let (found, _) = invgen::generate(self.analysis, limits);
        self.stats.add("invariants", found.len() as u64);
        let opaque = invariants::opaque(self.analysis);
        for k in 0..self.budget.runs {
            let mut watch = InvariantWatch::new(self.program, &found, &opaque);
            self.run(k, &mut watch);
            self.stats.add("invariants checked", watch.checked);
            self.wrong = self.wrong.take().or(watch.wrong);
        }
    }

    /// The `k`-th run: on zeroes, or on random inputs.
    fn run<O: interp::Observer>(&self, k: u64, observer: &mut O) {
        let limits = interp::Limits { steps: self.budget.steps, ..interp::Limits::default() };
        let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(k);
        if k == 0 {
            interp::run(self.program, &mut ZeroInputs, &limits, observer);
        } else {
            interp::run(self.program, &mut RandomInputs::new(seed), &limits, observer);
        }
    }

    fn search<'b>(&self, abstraction: &'b Abstraction, restrict: bool) -> Result<Reachability<'b>, reach::Unknown> {
        let goal = |t: &Target| boolprog::interp::Goal::At(t.proc, t.stmt);
        let goals: Vec<_> = abstraction.targets.iter().map(goal).collect();
        let options = reach::Options {
            restrict,
            stop_at_first: false,
            memory: self.budget.bdd_memory,
            max_steps: self.budget.reach_steps,
            ..reach::Options::default()
        };
        reach::analyze(&abstraction.program, &goals, &options)
    }

    fn watch(&mut self, abstraction: &Abstraction, predicates: &Predicates, analysis: &Reachability<'_>) {
        self.stats.add("fixpoints", 1);
        let invariants = Invariants::new(self.program, abstraction, predicates, analysis);
        for k in 0..self.budget.runs {
            let mut watch = Watch::new(self.program, &invariants);
            self.run(k, &mut watch);
            self.stats.add("runs", 1);
            self.stats.add("states", watch.states);
            self.stats.add("values", watch.values);
            self.stats.add("values over memory", watch.over_memory);
            self.stats.add("values that are not known", watch.unknown);
            self.stats.add("states in callees", watch.in_callees);
            self.stats.add("runs left at an edge without a formula", u64::from(watch.left));
            if let Some(wrong) = watch.wrong {
                let text = boolprog::print(&abstraction.program);
                self.wrong = Some(format!("run {k}: {wrong}\n{text}"));
                return;
            }
        }
    }
}

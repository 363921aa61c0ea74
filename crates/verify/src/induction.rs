//! The induction engine: invariants at loop heads, found by property-directed reachability (A. Bradley,
//! *SAT-Based Model Checking without Unrolling*, VMCAI 2011; N. Eén, A. Mishchenko, R. Brayton, *Efficient Implementation of
//! Property Directed Reachability*, FMCAD 2011) over blocks of the program.
//!
//! A step of the search is a whole block ([`blocks`]): all that can happen between two arrivals at cut points, calls followed.
//! States are described by cubes over the scalars that the activations can name ([`vocabulary`]). A state from which
//! something bad happens within one block is excluded by a lemma if no block leads there; otherwise its predecessors are
//! excluded first. Lemmas are as general as can be: literals that are not needed are dropped, values become bounds.
//!
//! Invariant of [`Lemma`]: one of level `i` holds at all arrivals at its cut point after at most `i` blocks. When all lemmas of
//! some level hold a block later, too, they are inductive, and a proof by rule 7 of `certify`, which checks it. A cube that the
//! start of the program leads to ends the search: it describes some states that can be reached, perhaps not only those meant. The
//! blocks from there on are followed as far as they go, and if that reaches a target in a replay, it is a run.

pub(crate) mod blocks;
mod codes;
mod describe;
mod proof;
pub(crate) mod vocabulary;

use crate::inputs;
use crate::verdict::{Progress, Reason, Stats, Turn, Verdict};
use analysis::Analysis;
use blocks::{AtomId, Atoms, Bad, Block, Blocks, Cut, Outcome};
use certify::CheckLimits;
use ir::{BinOp, Expr, IntTy, Path, Ty};
use logic::{Answer, Model, Term, Value};
use refine::{Effort, Explanation, explain};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use vc::path::path_formula;
use vc::unwinding::CutPoint;
use vc::{Encoder, Events, Scope, canonical};
use vocabulary::{Extent, Quantity, Vocabulary, Word};

/// How far the engine goes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How far blocks are unwound.
    pub blocks: blocks::Limits,
    /// Questions to the solver, with each vocabulary.
    pub queries: u64,
    /// Solver conflicts for one of them.
    pub conflicts: u64,
    /// Solver conflicts of all of them.
    pub all_conflicts: u64,
    /// Solver variables of all blocks: a measure of memory.
    pub variables: u64,
    /// Limits of proof checking.
    pub certify: CheckLimits,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            blocks: blocks::Limits::default(),
            queries: 1_000_000,
            conflicts: 20_000,
            all_conflicts: 20_000_000,
            variables: 1_200_000,
            certify: CheckLimits::default(),
        }
    }
}

impl Limits {
    /// These limits, or less in an early turn.
    #[must_use]
    pub(crate) fn for_turn(&self, turn: Turn) -> Limits {
        let mut limits = self.clone();
        limits.blocks.edges = turn.limit(6_000, 3, self.blocks.edges);
        limits.blocks.terms = turn.limit(200_000, 3, self.blocks.terms);
        limits.blocks.variables = turn.limit(100_000, 3, self.blocks.variables);
        limits.blocks.rounds = turn.small_limit(8, 2, self.blocks.rounds);
        limits.queries = turn.limit(3_000, 3, self.queries);
        limits.conflicts = turn.limit(2_000, 2, self.conflicts);
        limits.variables = turn.limit(600_000, 2, self.variables);
        limits.all_conflicts = turn.limit(20_000, 3, self.all_conflicts);
        limits
    }
}

/// A search with more solver variables is not kept from one turn to the next.
const MOST_KEPT: u64 = 400_000;

/// The engine, which can be left and gone on with.
pub(crate) struct Induction<'p> {
    analysis: &'p Analysis<'p>,
    search: Option<Search<'p>>,
    /// Why no proof will be found; then runs are looked for.
    no_proof: Option<Reason>,
}

impl<'p> Induction<'p> {
    pub(crate) fn new(analysis: &'p Analysis<'p>) -> Induction<'p> {
        Induction { analysis, search: None, no_proof: None }
    }

    /// Looks for inductive invariants at loop heads. Where more generous limits do not change the blocks, what was found before is
    /// kept. If only events on which no proof may build rule out a path to something bad, it looks for runs without such events.
    pub(crate) fn go_on(&mut self, limits: &Limits, progress: &mut dyn Progress, stats: &mut Stats) -> Verdict {
        let verdict = self.search_once(limits, progress, stats);
        match (&mut self.search, &mut self.no_proof, verdict) {
            (Some(search), no_proof @ None, Verdict::Unknown(reason)) if search.ended_by_events => {
                *no_proof = Some(reason);
                self.search = None;
                self.search_once(limits, progress, stats)
            }
            (_, _, verdict) => verdict,
        }
    }

    fn search_once(&mut self, limits: &Limits, progress: &mut dyn Progress, stats: &mut Stats) -> Verdict {
        // Two searches at a time take memory for both.
        let kept = self.search.take().and_then(|mut s| (s.spent().variables < MOST_KEPT).then_some(s));
        let events = if self.no_proof.is_some() { Events::End } else { Events::GoOn };
        let blocks = match Blocks::new(self.analysis, &limits.blocks, events) {
            Ok(blocks) => blocks,
            Err(reason) => return Verdict::Unknown(reason),
        };
        if blocks.cuts.is_empty() {
            return Verdict::Unknown(Reason::new("no loop needs an invariant"));
        }
        let search = match kept.filter(|s| s.blocks.are_like(&blocks)) {
            Some(search) => self.search.insert(Search { limits: limits.clone(), ..search }),
            None => self.search.insert(Search::new(self.analysis, blocks, limits.clone(), self.no_proof.clone())),
        };
        let before = search.spent();
        let verdict = search.with_growing_budgets(progress);
        let after = search.spent();
        stats.solver_queries += after.queries - before.queries;
        stats.solver_conflicts += after.conflicts - before.conflicts;
        verdict
    }
}

/// Looks for inductive invariants at loop heads.
pub fn search(analysis: &Analysis<'_>, limits: &Limits, progress: &mut dyn Progress, stats: &mut Stats) -> Verdict {
    Induction::new(analysis).go_on(limits, progress, stats)
}

/// Questions to the solver with each vocabulary at first: a richer one may need fewer than a poorer one that diverges.
const FIRST_QUERIES: u64 = 3_000;

/// One condition of a cube.
#[derive(Clone, Debug, PartialEq)]
struct Literal {
    atom: AtomId,
    /// The integer that it bounds, and how far out the activation waits that can name it.
    bounds: Option<(u32, Rc<Expr>)>,
    /// For the condition that it has a value: that.
    value: Option<(IntTy, u128)>,
}

type Cube = Vec<Literal>;

/// A cube without the values in it.
type Shape = Vec<Result<AtomId, (u32, Rc<Expr>)>>;

/// So many lemmas may differ in values only: what goes on for longer has no bound that the vocabulary can say.
const MOST_SIBLINGS: u64 = 24;

fn atoms(cube: &[Literal]) -> Vec<AtomId> {
    cube.iter().map(|l| l.atom).collect()
}

/// What excludes a cube at a cut point.
struct Lemma {
    cut: Cut,
    cube: Cube,
    atom: AtomId,
    level: usize,
}

/// A cube that must not be reached within so many blocks, because from there something bad can happen.
struct Obligation {
    level: usize,
    cut: Cut,
    cube: Cube,
    /// How it can.
    rest: Rc<Rest>,
}

/// A block that leads from a cube to the next, and what follows it until something bad happens.
struct Rest {
    cut: Cut,
    cube: Vec<AtomId>,
    /// The arrival, and the literals of the cube there; `None` where something bad happens.
    arrives: Option<(usize, Vec<AtomId>)>,
    /// One of its paths that do.
    path: Path,
    next: Option<Rc<Rest>>,
}

/// The path that begins with `first` and goes on through all blocks, each as in the model by which it was found.
fn whole_path(first: &Path, rest: Option<&Rc<Rest>>) -> Path {
    let mut edges = first.edges.clone();
    let mut at = rest;
    while let Some(rest) = at {
        edges.extend(&rest.path.edges);
        at = rest.next.as_ref();
    }
    Path { edges }
}

/// How a search with one vocabulary ends that has found no invariants.
enum Failed {
    /// Something bad happens in a state that cannot be told from one that is reached: this path from the start, and the blocks after it.
    Reached(Option<Bad>, Path, Option<Rc<Rest>>),
    Reason(Reason),
}

impl From<Reason> for Failed {
    fn from(reason: Reason) -> Failed {
        Failed::Reason(reason)
    }
}

struct Search<'p> {
    analysis: &'p Analysis<'p>,
    limits: Limits,
    blocks: Blocks<'p>,
    bounds: Vec<i128>,
    atoms: Atoms,
    vocabulary: Vec<Vocabulary>,
    lemmas: Vec<Lemma>,
    /// The last frame.
    frame: usize,
    /// How many lemmas differ only in values, by what they have in common.
    families: FxHashMap<(Cut, Shape), u64>,
    /// The ways to each cut point but those from the start of the program: the block and its arrival. What led to a cube last stands first.
    ways: Vec<Vec<(Cut, usize)>>,
    /// Questions with this vocabulary, and how many there may be.
    queries: u64,
    most_queries: u64,
    /// The searches with all vocabularies that may still find something.
    open: Vec<Paused>,
    /// Why nothing that is found is a proof, where events end executions in the blocks.
    no_proof: Option<Reason>,
    /// A path to something bad was met that only events on which no proof may build rule out.
    ended_by_events: bool,
}

/// A search with one vocabulary that has come to the end of its budget: it goes on from here with a larger one.
#[derive(Default)]
struct Paused {
    vocabulary: Vec<Vocabulary>,
    lemmas: Vec<Lemma>,
    frame: usize,
    families: FxHashMap<(Cut, Shape), u64>,
    queries: u64,
}

/// Whether a cube is unreachable within so many blocks.
enum Reach {
    /// It is; these of its literals suffice to see that.
    No(Vec<usize>),
    /// The start of the program leads to it, on this path.
    FromStart(Path),
    /// The block from this cut point does, by this arrival, in this model.
    From(Cut, usize, Model),
    Unknown(Reason),
}

impl<'p> Search<'p> {
    fn new(analysis: &'p Analysis<'p>, blocks: Blocks<'p>, limits: Limits, no_proof: Option<Reason>) -> Search<'p> {
        let ways_to = |cut| {
            let ways_from = |(from, block): (Cut, &Block<'_>)| {
                let arrivals = block.arrivals_at(cut).into_iter();
                arrivals.map(move |a| (from, a)).collect::<Vec<_>>()
            };
            (0..).zip(&blocks.from).flat_map(ways_from).collect()
        };
        let ways = (0..blocks.cuts.len()).map(ways_to).collect();
        let mut search = Search {
            analysis,
            limits,
            blocks,
            vocabulary: Vec::new(),
            bounds: vocabulary::bounds(analysis.program),
            atoms: Atoms::default(),
            lemmas: Vec::new(),
            frame: 0,
            families: FxHashMap::default(),
            ways,
            queries: 0,
            most_queries: FIRST_QUERIES,
            open: Vec::new(),
            no_proof,
            ended_by_events: false,
        };
        for extent in Extent::ALL {
            let vocabulary = search.words(extent);
            search.open.push(Paused { vocabulary, frame: 1, ..Paused::default() });
        }
        search
    }

    /// The words of this extent that mean something at the cut points.
    fn words(&mut self, extent: Extent) -> Vec<Vocabulary> {
        let program = self.analysis.program;
        let words = |cut: &CutPoint| Vocabulary::new(self.analysis, &blocks::stack(program, &cut.calls), extent);
        let mut vocabulary: Vec<Vocabulary> = self.blocks.cuts.iter().map(words).collect();
        for (all, block) in vocabulary.iter_mut().zip(&mut self.blocks.from) {
            all.words.retain_mut(|&mut Word { out, ref mut quantity }| match quantity {
                Quantity::Int(e, _) => block.is_meant(out, e),
                Quantity::Choice(list) => {
                    list.retain(|e| block.is_meant(out, e));
                    !list.is_empty()
                }
            });
        }
        vocabulary
    }

    /// Exchanges the search that is going on with one that was paused.
    fn exchange(&mut self, other: &mut Paused) {
        std::mem::swap(&mut self.vocabulary, &mut other.vocabulary);
        std::mem::swap(&mut self.lemmas, &mut other.lemmas);
        std::mem::swap(&mut self.frame, &mut other.frame);
        std::mem::swap(&mut self.families, &mut other.families);
        std::mem::swap(&mut self.queries, &mut other.queries);
    }

    /// Tries one vocabulary after the other, with more and more questions for each.
    fn with_growing_budgets(&mut self, progress: &mut dyn Progress) -> Verdict {
        let mut last = Reason::new("no vocabulary was tried");
        loop {
            for mut paused in std::mem::take(&mut self.open) {
                self.exchange(&mut paused);
                let reason = match self.decide(progress) {
                    Ok(verdict) => return verdict,
                    Err(reason) => reason,
                };
                self.exchange(&mut paused);
                if self.ended_by_events {
                    return Verdict::Unknown(reason);
                }
                if reason.by_limit {
                    self.open.push(paused);
                }
                last = Reason { by_limit: last.by_limit || reason.by_limit, ..reason };
            }
            if self.open.is_empty() || self.most_queries >= self.limits.queries || self.solver_limit().is_some() {
                return Verdict::Unknown(last);
            }
            self.most_queries = self.most_queries.saturating_mul(3).min(self.limits.queries);
        }
    }

    /// Searches with the vocabulary at hand. If a bad state cannot be told from one that is reached, and the path that says so
    /// cannot be executed, it gets the words that say why not.
    fn decide(&mut self, progress: &mut dyn Progress) -> Result<Verdict, Reason> {
        loop {
            let found = self.run(progress).and_then(|lemmas| match &self.no_proof {
                Some(reason) => Err(reason.clone().into()),
                None => Ok(self.prove(&lemmas)?),
            });
            match found {
                Ok(proof) => return Ok(Verdict::Safe(proof)),
                Err(Failed::Reason(reason)) => return Err(reason),
                Err(Failed::Reached(what, first, rest)) => {
                    let mut whole = whole_path(&first, rest.as_ref());
                    if what.as_ref().is_some_and(|bad| bad.target) {
                        let path = self.follow(first, rest).unwrap_or_else(|| whole.clone());
                        if let Ok(run) = inputs::confirm(self.analysis, &path, self.limits.conflicts) {
                            return Ok(Verdict::Unsafe(run));
                        }
                    } else if what.as_ref().is_some_and(|bad| bad.at.is_some()) {
                        // What happens across that edge has no formula.
                        whole.edges.pop();
                    }
                    self.count()?;
                    self.learn_words(&whole).map_err(|why| excluded_not(what, &why))?;
                }
            }
        }
    }

    /// Adds words to the vocabulary that tell states on this path from others, if it cannot be executed: predicates, as refinement
    /// finds them (A. Cimatti, A. Griggio, S. Mover, S. Tonetta, *IC3 Modulo Theories via Implicit Predicate Abstraction*, TACAS 2014).
    /// What the lemmas say so far stays true. If there is none that is new, why.
    fn learn_words(&mut self, path: &Path) -> Result<(), String> {
        let mut found = 0;
        for effort in [Effort::Backward, Effort::Forward, Effort::Unsplit] {
            let infeasible = match explain(self.analysis, &path.edges, effort, self.limits.conflicts) {
                Explanation::Infeasible(infeasible) => infeasible,
                Explanation::Feasible(_) => return Err("a path there has a model, but its replay fails".to_owned()),
                Explanation::Unknown(why) => return Err(format!("a path there is not decided: {why}")),
            };
            if !infeasible.for_proofs() && self.no_proof.is_none() {
                self.ended_by_events = true;
                return Err("a path there is ruled out only by events on which no proof may build".to_owned());
            }
            found = infeasible.predicates.len();
            let new = infeasible.predicates.iter().filter(|(scope, e)| self.learn_word(*scope, &canonical(e).0));
            if new.count() > 0 {
                return Ok(());
            }
        }
        let steps = path.edges.len();
        Err(format!(
            "a path of {steps} steps there is infeasible, but none of {found} predicates is new at a loop head"
        ))
    }

    fn learn_word(&mut self, scope: Scope, e: &Expr) -> bool {
        if e.as_const().is_some() {
            return false;
        }
        let mut new = false;
        for (cut, at) in self.blocks.cuts.iter().enumerate() {
            let stack = blocks::stack(self.analysis.program, &at.calls);
            for (out, &func) in (0..).zip(&stack) {
                let named = match scope {
                    Scope::Global => out == 0,
                    Scope::Function(f) => f == func,
                };
                let words = &mut self.vocabulary[cut].words;
                let known = |w: &Word| w.out == out && w.quantity.exprs() == std::slice::from_ref(e);
                if named && !words.iter().any(known) && self.blocks.from[cut].is_meant(out, e) {
                    // Before the words that are there already, it describes a state where it can.
                    words.insert(0, Word { out, quantity: Quantity::Choice(vec![e.clone()]) });
                    new = true;
                }
            }
        }
        new
    }

    /// What the solver has done so far.
    fn spent(&mut self) -> logic::Stats {
        let mut all = logic::Stats::default();
        for block in std::iter::once(&mut self.blocks.start).chain(&mut self.blocks.from) {
            let spent = block.spent();
            all.queries += spent.queries;
            all.conflicts += spent.conflicts;
            all.variables += spent.variables;
        }
        all
    }

    /// Inductive lemmas that exclude everything bad.
    fn run(&mut self, progress: &mut dyn Progress) -> Result<Vec<(Cut, AtomId)>, Failed> {
        match self.blocks.start.fails(&self.atoms, &[], self.limits.conflicts) {
            Answer::Unsat(_) => {}
            Answer::Sat(model) => {
                let start = &self.blocks.start;
                return Err(Failed::Reached(start.what_fails(&model).cloned(), start.path(&model), None));
            }
            Answer::Unknown(why) => return Err(Reason::limit(why.to_string()).into()),
        }
        loop {
            let frame = self.frame;
            progress.reached(frame as u64);
            self.exclude_bad(frame)?;
            if let Some(level) = self.propagate(frame)? {
                let inductive = self.lemmas.iter().filter(|l| l.level > level);
                return Ok(inductive.map(|l| (l.cut, l.atom)).collect());
            }
            self.frame += 1;
        }
    }

    /// Makes the lemmas of a frame exclude all states from which something bad happens in one block.
    fn exclude_bad(&mut self, frame: usize) -> Result<(), Failed> {
        for cut in 0..self.blocks.cuts.len() {
            loop {
                self.count()?;
                let assumed = self.frame(cut, frame);
                match self.blocks.from[cut].fails(&self.atoms, &assumed, self.limits.conflicts) {
                    Answer::Unsat(_) => break,
                    Answer::Sat(model) => {
                        let cube = self.describe(cut, &model, Outcome::Bad);
                        let block = &self.blocks.from[cut];
                        let what = block.what_fails(&model).cloned();
                        let path = block.path(&model);
                        let rest = Rc::new(Rest { cut, cube: atoms(&cube), arrives: None, path, next: None });
                        let obligation = Obligation { level: frame, cut, cube, rest };
                        if let Some((path, rest)) = self.exclude(obligation, frame)? {
                            return Err(Failed::Reached(what, path, Some(rest)));
                        }
                    }
                    Answer::Unknown(why) => return Err(Reason::limit(why.to_string()).into()),
                }
            }
        }
        Ok(())
    }

    /// Excludes a cube, and what leads to it; if the start of the program does, the path there and what follows.
    fn exclude(&mut self, first: Obligation, frame: usize) -> Result<Option<(Path, Rc<Rest>)>, Reason> {
        let mut todo: BTreeMap<(usize, u64), Obligation> = BTreeMap::new();
        let mut number = 0;
        todo.insert((first.level, number), first);
        while let Some((_, o)) = todo.pop_first() {
            self.count()?;
            if let Some(level) = self.excluded_up_to(&o, frame) {
                if level < frame {
                    number += 1;
                    let level = level + 1;
                    todo.insert((level, u64::MAX - number), Obligation { level, ..o });
                }
                continue;
            }
            match self.reach(&o.cube, o.cut, o.level) {
                Reach::FromStart(path) => return Ok(Some((path, o.rest))),
                Reach::Unknown(reason) => return Err(reason),
                Reach::From(cut, arrival, model) => {
                    let cube = self.describe(cut, &model, Outcome::Arrives(arrival, &atoms(&o.cube)));
                    number += 1;
                    let arrives = Some((arrival, atoms(&o.cube)));
                    let path = self.blocks.from[cut].path(&model);
                    let rest = Rc::new(Rest { cut, cube: atoms(&cube), arrives, path, next: Some(o.rest.clone()) });
                    let before = Obligation { level: o.level - 1, cut, cube, rest };
                    // The newest first: it leads to the others.
                    todo.insert((before.level, u64::MAX - number), before);
                    number += 1;
                    todo.insert((o.level, u64::MAX - number), o);
                }
                Reach::No(core) => {
                    let general = self.generalize(&o, &core);
                    let level = self.highest(&general, o.cut, o.level, frame);
                    self.learn(o.cut, general, level)?;
                    if o.level < frame && level < frame {
                        number += 1;
                        let level = level + 1;
                        todo.insert((level, u64::MAX - number), Obligation { level, ..o });
                    }
                }
            }
        }
        Ok(None)
    }

    /// The path that begins with `first` and goes on through blocks as they can from the states that it comes to, as far as they are
    /// described.
    fn follow(&mut self, first: Path, rest: Option<Rc<Rest>>) -> Option<Path> {
        let (mut path, mut at, conflicts) = (first, rest, self.limits.conflicts);
        while let Some(rest) = at {
            let here = self.description_after(&path, &rest)?;
            let block = &mut self.blocks.from[rest.cut];
            let answer = match &rest.arrives {
                Some((arrival, goal)) => block.leads_to(&self.atoms, (&here, None), *arrival, goal, conflicts),
                None => block.fails(&self.atoms, &here, conflicts),
            };
            path.edges.extend(block.path(&answer.model()?).edges);
            at = rest.next.clone();
        }
        Some(path)
    }

    /// What the vocabulary says of a state to which an execution of this path comes, one with the cube there.
    fn description_after(&mut self, path: &Path, rest: &Rest) -> Option<Vec<AtomId>> {
        let mut enc = Encoder::for_path(self.analysis);
        let formula = path_formula(&mut enc, &path.edges).ok()?;
        let mut conditions: Vec<Term> =
            formula.steps.iter().flat_map(|s| s.effects.assumptions.iter().map(|a| a.term)).collect();
        for &literal in &rest.cube {
            conditions.push(self.atoms.term(&mut enc, &formula.end.state, literal)?);
        }
        let model = logic::check_sat(&enc.store, &conditions, self.limits.conflicts).model()?;
        let mut literals = Vec::new();
        for &Word { out, ref quantity } in &self.vocabulary[rest.cut].words {
            let state = formula.end.state.seen_from(out)?;
            for e in quantity.exprs() {
                let Ok(term) = enc.eval(&state, e) else { continue };
                let literal = match (model.eval(&enc.store, term), e.ty) {
                    (Value::Bool(true), _) => e.clone(),
                    (Value::Bool(false), _) => e.clone().negate(),
                    (Value::Bits(bits), Ty::Int(ty)) => {
                        Expr::binary(BinOp::Eq, e.clone(), Expr::constant(Ty::Int(ty), bits.to_u128()?))
                    }
                    (Value::Bits(_), _) => continue,
                };
                literals.push(self.atoms.literal(out, literal));
            }
        }
        Some(literals)
    }

    /// The highest level at which lemmas exclude an obligation's cube, if they do at its own.
    fn excluded_up_to(&mut self, o: &Obligation, frame: usize) -> Option<usize> {
        let cube = atoms(&o.cube);
        let mut highest = None;
        for level in o.level..=frame {
            let assumed = self.frame(o.cut, level);
            if !self.blocks.from[o.cut].excludes(&self.atoms, &assumed, &cube, self.limits.conflicts) {
                break;
            }
            highest = Some(level);
        }
        highest
    }

    /// What is known at a cut point after at most so many blocks.
    fn frame(&self, cut: Cut, level: usize) -> Vec<AtomId> {
        self.lemmas.iter().filter(|l| l.cut == cut && l.level >= level).map(|l| l.atom).collect()
    }

    /// Whether a cube is unreachable within `level` blocks.
    fn reach(&mut self, cube: &[Literal], cut: Cut, level: usize) -> Reach {
        let goal = atoms(cube);
        let conflicts = self.limits.conflicts;
        let mut core: Vec<usize> = Vec::new();
        for arrival in self.blocks.start.arrivals_at(cut) {
            self.queries += 1;
            match self.blocks.start.leads_to(&self.atoms, (&[], None), arrival, &goal, conflicts) {
                Answer::Unsat(needed) => core.extend(needed),
                Answer::Sat(model) => return Reach::FromStart(self.blocks.start.path(&model)),
                Answer::Unknown(why) => return Reach::Unknown(Reason::limit(why.to_string())),
            }
        }
        if level > 1 {
            for i in 0..self.ways[cut].len() {
                let (from, arrival) = self.ways[cut][i];
                let assumed = self.frame(from, level - 1);
                let without = (from == cut).then(|| self.lemma(cube));
                self.queries += 1;
                match self.blocks.from[from].leads_to(&self.atoms, (&assumed, without), arrival, &goal, conflicts) {
                    Answer::Unsat(needed) => core.extend(needed),
                    Answer::Sat(model) => {
                        self.ways[cut][..=i].rotate_right(1);
                        return Reach::From(from, arrival, model);
                    }
                    Answer::Unknown(why) => return Reach::Unknown(Reason::limit(why.to_string())),
                }
            }
        }
        core.sort_unstable();
        core.dedup();
        Reach::No(core)
    }

    fn unreachable(&mut self, cube: &[Literal], cut: Cut, level: usize) -> Option<Vec<usize>> {
        match self.reach(cube, cut, level) {
            Reach::No(core) => Some(core),
            Reach::FromStart(_) | Reach::From(..) | Reach::Unknown(_) => None,
        }
    }

    /// A weaker cube that is unreachable as well.
    fn generalize(&mut self, o: &Obligation, core: &[usize]) -> Cube {
        let mut cube: Cube = core.iter().map(|&i| o.cube[i].clone()).collect();
        if self.unreachable(&cube, o.cut, o.level).is_none() {
            // The core was found with the whole cube excluded in the frame before, which says less.
            cube.clone_from(&o.cube);
        }
        let mut at = cube.len();
        while at > 0 {
            at -= 1;
            let mut fewer = cube.clone();
            fewer.remove(at);
            if let Some(core) = self.unreachable(&fewer, o.cut, o.level) {
                // What comes after was needed and is still: the rest of the core may be smaller.
                let kept = fewer.iter().enumerate().filter(|(i, _)| *i >= at || core.contains(i));
                let kept: Cube = kept.map(|(_, l)| l.clone()).collect();
                if kept.len() < fewer.len() && self.unreachable(&kept, o.cut, o.level).is_some() {
                    at -= fewer.len() - kept.len();
                    cube = kept;
                } else {
                    cube = fewer;
                }
            }
        }
        for at in 0..cube.len() {
            if cube[at].value.is_some() {
                self.widen(&mut cube, at, o);
            }
        }
        cube
    }

    /// Replaces the value of an integer by the widest bound with which the cube is unreachable still.
    fn widen(&mut self, cube: &mut Cube, at: usize, o: &Obligation) {
        for op in [BinOp::Ge, BinOp::Le] {
            let wider = self.bounded(&cube[at], op);
            let (mut low, mut high) = (0, wider.len());
            while low < high {
                // The narrowest first: mostly none is unreachable where that is not.
                let middle = if high == wider.len() { high - 1 } else { usize::midpoint(low, high) };
                let mut other = cube.clone();
                other[at] = wider[middle].clone();
                if self.unreachable(&other, o.cut, o.level).is_some() {
                    high = middle;
                } else if high == wider.len() {
                    break;
                } else {
                    low = middle + 1;
                }
            }
            if high < wider.len() {
                cube[at] = wider[high].clone();
                return;
            }
        }
    }

    /// What excludes a cube.
    fn lemma(&mut self, cube: &[Literal]) -> AtomId {
        self.atoms.not_all(&atoms(cube))
    }

    /// The highest level up to `frame` at which a cube is unreachable.
    fn highest(&mut self, cube: &[Literal], cut: Cut, mut level: usize, frame: usize) -> usize {
        while level < frame && self.unreachable(cube, cut, level + 1).is_some() {
            level += 1;
        }
        level
    }

    fn learn(&mut self, cut: Cut, cube: Cube, level: usize) -> Result<(), Reason> {
        let atom = self.lemma(&cube);
        let shape: Vec<_> = cube.iter().map(|l| l.bounds.clone().map_or(Ok(l.atom), Err)).collect();
        let siblings = self.families.entry((cut, shape)).or_default();
        *siblings += 1;
        let most = MOST_SIBLINGS.max(self.most_queries / 200);
        if *siblings > most && cube.iter().any(|l| l.bounds.is_some()) {
            return Err(Reason::limit(format!("{most} values were excluded one by one")));
        }
        // What it implies need not be said.
        self.lemmas.retain(|l| l.cut != cut || l.level > level || !cube.iter().all(|c| l.cube.contains(c)));
        self.lemmas.push(Lemma { cut, cube, atom, level });
        Ok(())
    }

    /// Moves lemmas on to the next level where they hold there; the level from which all have moved, if there is one.
    fn propagate(&mut self, frame: usize) -> Result<Option<usize>, Reason> {
        for level in 1..=frame {
            for i in 0..self.lemmas.len() {
                if self.lemmas[i].level != level {
                    continue;
                }
                self.count()?;
                let (cut, cube) = (self.lemmas[i].cut, self.lemmas[i].cube.clone());
                if self.unreachable(&cube, cut, level + 1).is_some() {
                    self.lemmas[i].level = level + 1;
                }
            }
            if self.lemmas.iter().all(|l| l.level != level) {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    fn count(&mut self) -> Result<(), Reason> {
        if self.queries > self.most_queries {
            return Err(Reason::limit(format!("limit of {} questions reached", self.most_queries)));
        }
        self.solver_limit().map_or(Ok(()), Err)
    }

    /// The limit on what the solver does for all vocabularies, if it is reached.
    fn solver_limit(&mut self) -> Option<Reason> {
        let (spent, limits) = (self.spent(), &self.limits);
        if spent.conflicts > limits.all_conflicts {
            return Some(Reason::limit(format!("limit of {} solver conflicts reached", limits.all_conflicts)));
        }
        if spent.variables > limits.variables {
            return Some(Reason::limit(format!("limit of {} solver variables reached", limits.variables)));
        }
        None
    }
}

fn reason_at(bad: &Bad, cause: &str) -> Reason {
    bad.at.map_or_else(|| Reason::new(cause), |(func, edge)| Reason::at(cause, func, edge))
}

/// The description of a bad state also describes states that are reached, and there are no words to tell them apart.
fn excluded_not(what: Option<Bad>, why: &str) -> Reason {
    match what {
        Some(bad) if bad.stopped => {
            Reason { by_limit: true, ..reason_at(&bad, &format!("an unwinding is too short: {}", bad.what)) }
        }
        Some(bad) => {
            reason_at(&bad, &format!("no invariant over scalars was found that excludes: {} ({why})", bad.what))
        }
        None => Reason::new(format!("no invariant over scalars was found ({why})")),
    }
}

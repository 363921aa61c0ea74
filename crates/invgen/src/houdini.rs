//! The largest inductive subset of a set of candidates (Flanagan and Leino's Houdini, FME 2001: start from all, drop what
//! does not follow, until everything does). It is also predicate abstraction with conjunctions only.
//!
//! Each loop-free block between cut points is translated once. A candidate that the block starts from, or that it uses as
//! part of a callee's contract, is an assumption that can be left out; the candidates where it leads are goals. A model
//! in which goals fail removes all of them at once. What the solver does not decide within its limit is removed too.

use crate::{Limits, Stats};
use analysis::Analysis;
use base::Budget;
use base::sabotage::{self, Fault};
use ir::{Expr, FuncId, Loc};
use logic::{Answer, Context, Lit, Model, Sort, Term, Undecided};
use std::collections::BTreeMap;
use vc::block::{At, BlockError, Visitor, explore};
use vc::{Encoder, State};

type Place = (FuncId, Loc);

/// So many variables in a question cost as much as a conflict.
const VARIABLES_PER_CONFLICT: u64 = 200;

/// What a question that ranges decide costs, as conflicts.
const RANGES: u64 = 20;

/// In a block with more variables than this only ranges decide questions about numbers of floating point.
const FEW_VARIABLES: u64 = 50_000;

/// A block with more variables than this is not asked about: each question costs more than what it brings.
const MAX_VARIABLES: u64 = 600_000;

/// Keeps those candidates that hold together whenever execution stands at their place.
pub(crate) fn inductive(
    analysis: &Analysis<'_>,
    candidates: BTreeMap<Place, Vec<Expr>>,
    limits: &Limits,
    stats: &mut Stats,
) -> BTreeMap<Place, Vec<Expr>> {
    let budget = Budget::new("solver conflicts", limits.all_conflicts);
    let alive = candidates.iter().map(|(&p, list)| (p, vec![true; list.len()])).collect();
    let mut search = Search { candidates, alive, limits, budget, stats };
    search.start(analysis);
    let mut blocks = Vec::new();
    let cuts = analysis.cut_points();
    for &func in &cuts.functions {
        for &loc in cuts.of(func) {
            match Block::new(analysis, &search.candidates, (func, loc)) {
                Ok(block) => blocks.push(block),
                // What the block leads to is not known: nothing is claimed there.
                Err(Unknown) => search.give_up(analysis, func),
            }
        }
    }
    // A block is asked again when something it relies on was dropped.
    while let Some(i) = (0..blocks.len()).find(|&i| blocks[i].dirty) {
        blocks[i].dirty = false;
        let dropped = search.drop_refuted(&mut blocks[i]);
        for block in &mut blocks {
            block.dirty |= dropped.iter().any(|p| block.relies_on.contains(p));
        }
    }
    search.survivors()
}

struct Search<'a> {
    candidates: BTreeMap<Place, Vec<Expr>>,
    alive: BTreeMap<Place, Vec<bool>>,
    limits: &'a Limits,
    budget: Budget,
    stats: &'a mut Stats,
}

/// One end of a block or one call in it: where it leads, and the candidates there as goals.
struct Goal {
    place: Place,
    condition: Term,
    terms: Vec<Term>,
}

/// A loop-free block as a formula.
struct Block<'p> {
    enc: Encoder<'p>,
    context: Context,
    /// Candidates that may be assumed: the symbol that switches each on.
    switches: Vec<(Place, usize, Term)>,
    relies_on: Vec<Place>,
    goals: Vec<Goal>,
    dirty: bool,
}

/// A block without a formula.
struct Unknown;

impl From<BlockError> for Unknown {
    fn from(_: BlockError) -> Unknown {
        Unknown
    }
}

impl<'p> Block<'p> {
    fn new(
        analysis: &'p Analysis<'p>,
        candidates: &BTreeMap<Place, Vec<Expr>>,
        (func, start): Place,
    ) -> Result<Block<'p>, Unknown> {
        let body = analysis.program.body(func);
        let mut enc = Encoder::for_proof(analysis);
        let mut state = enc.arbitrary_at(func, start);
        if start == body.entry {
            state = enc.begin(&state);
        }
        let mut gather = Gather { func, candidates, switches: Vec::new(), goals: Vec::new() };
        let condition = gather.assume(&mut enc, (func, start), &state)?;
        let cut_points = analysis.cut_points().of(func);
        explore(&mut enc, start, state, condition, |l| cut_points.contains(&l), &mut gather)?;
        let mut relies_on: Vec<Place> = gather.switches.iter().map(|s| s.0).collect();
        relies_on.dedup();
        let Gather { switches, goals, .. } = gather;
        Ok(Block { enc, context: Context::new(), switches, relies_on, goals, dirty: true })
    }
}

/// Collects the goals of a block while it is explored.
struct Gather<'a> {
    func: FuncId,
    candidates: &'a BTreeMap<Place, Vec<Expr>>,
    switches: Vec<(Place, usize, Term)>,
    goals: Vec<Goal>,
}

impl Gather<'_> {
    /// The candidates of a place, each under its switch.
    fn assume(&mut self, enc: &mut Encoder<'_>, place: Place, state: &State) -> Result<Term, Unknown> {
        let mut all = enc.store.bool(true);
        for (i, e) in self.candidates.get(&place).into_iter().flatten().enumerate() {
            let term = enc.eval(state, e).map_err(|_| Unknown)?;
            let switch = enc.store.fresh("on", Sort::Bool);
            let off = enc.store.not(switch);
            let either = enc.store.or(off, term);
            all = enc.store.and(all, either);
            self.switches.push((place, i, switch));
        }
        Ok(all)
    }

    fn goal(&mut self, enc: &mut Encoder<'_>, place: Place, condition: Term, state: &State) -> Result<(), Unknown> {
        let list = self.candidates.get(&place).map_or(&[][..], Vec::as_slice);
        let terms: Result<Vec<Term>, _> = list.iter().map(|e| enc.eval(state, e)).collect();
        self.goals.push(Goal { place, condition, terms: terms.map_err(|_| Unknown)? });
        Ok(())
    }
}

impl Visitor for Gather<'_> {
    type Error = Unknown;

    fn call(&mut self, enc: &mut Encoder<'_>, at: At<'_>, state: &mut State) -> Result<Vec<Term>, Unknown> {
        let callee = enc.callee(at.edge).ok_or(Unknown)?;
        let body = enc.program.functions[callee].body.as_ref().ok_or(Unknown)?;
        let begin = enc.callee_state(state, at.edge).map_err(|_| Unknown)?;
        if !sabotage::active(Fault::CallEntryNotChecked) {
            self.goal(enc, (callee, body.entry), at.condition, &begin)?;
        }
        let modified = enc.analysis.modified.globals(callee);
        let end = enc.return_by_contract(state, at.edge, modified).map_err(|_| Unknown)?;
        Ok(vec![self.assume(enc, (callee, body.exit), &end)?])
    }

    fn arrive(&mut self, enc: &mut Encoder<'_>, at: At<'_>, state: &State) -> Result<(), Unknown> {
        match at.edge.to {
            Some(loc) => self.goal(enc, (self.func, loc), at.condition, state),
            None => Ok(()),
        }
    }
}

impl Search<'_> {
    /// Drops what does not hold when the program starts.
    fn start(&mut self, analysis: &Analysis<'_>) {
        let program = analysis.program;
        let mut enc = Encoder::for_proof(analysis);
        let (state, _) = enc.initial();
        let main = program.entry;
        let function = &program.functions[main];
        let Some(body) = &function.body else { return };
        let state = state.begin_here(function.n_params);
        let place = (main, body.entry);
        let list = self.candidates.get(&place).cloned().unwrap_or_default();
        let condition = enc.store.bool(true);
        let terms: Result<Vec<Term>, _> = list.iter().map(|e| enc.eval(&state, e)).collect();
        let Ok(terms) = terms else {
            self.drop_all(place);
            return;
        };
        let goals = vec![Goal { place, condition, terms }];
        let context = Context::new();
        let mut block = Block { enc, context, switches: Vec::new(), relies_on: Vec::new(), goals, dirty: true };
        self.drop_refuted(&mut block);
    }

    fn drop_all(&mut self, place: Place) {
        if let Some(flags) = self.alive.get_mut(&place) {
            flags.fill(false);
        }
    }

    /// A block of `func` has no formula: nothing is claimed wherever it may lead.
    fn give_up(&mut self, analysis: &Analysis<'_>, func: FuncId) {
        let (program, cuts) = (analysis.program, analysis.cut_points());
        let body = program.body(func);
        for &loc in cuts.of(func).iter().filter(|&&l| l != body.entry) {
            self.drop_all((func, loc));
        }
        for edge in &body.edges {
            let ir::Op::Call(call) = &edge.op else { continue };
            let called: Vec<FuncId> = match call.callee {
                ir::Callee::Direct(g) => vec![g],
                ir::Callee::Indirect(_) => cuts.functions.clone(),
            };
            for g in called {
                if let Some(body) = &program.functions[g].body {
                    self.drop_all((g, body.entry));
                }
            }
        }
    }

    /// Drops the goals of a block that do not follow; the places where something was dropped.
    fn drop_refuted(&mut self, block: &mut Block<'_>) -> Vec<Place> {
        let mut dropped = Vec::new();
        let goals = std::mem::take(&mut block.goals);
        for goal in &goals {
            while let Some(failed) = self.failing(block, goal) {
                let flags = self.alive.get_mut(&goal.place).expect("goals are candidates");
                for i in failed {
                    flags[i] = false;
                }
                if !dropped.contains(&goal.place) {
                    dropped.push(goal.place);
                }
            }
        }
        block.goals = goals;
        dropped
    }

    /// Candidates at a goal that do not follow; `None` when all that are left do.
    ///
    /// All are asked about together first: a model then removes many. If that is too hard, each is asked about alone.
    fn failing(&mut self, block: &mut Block<'_>, goal: &Goal) -> Option<Vec<usize>> {
        let flags = self.alive.get(&goal.place)?;
        let store = &block.enc.store;
        let open: Vec<usize> =
            (0..goal.terms.len()).filter(|&i| flags[i] && store.bool_of(goal.terms[i]) != Some(true)).collect();
        if open.is_empty() || store.bool_of(goal.condition) == Some(false) {
            return None;
        }
        let mut assumed: Vec<Lit> = Vec::new();
        for (place, i, switch) in &block.switches {
            let lit = block.context.lit(store, *switch);
            assumed.push(if self.alive[place][*i] { lit } else { !lit });
        }
        assumed.push(block.context.lit(store, goal.condition));
        if self.budget.left() == 0 || block.context.stats().variables > MAX_VARIABLES {
            return Some(open);
        }
        // Questions about numbers of floating point are asked one by one: ranges decide them, which look at no clauses.
        let (floats, open): (Vec<usize>, Vec<usize>) =
            open.into_iter().partition(|&i| logic::speaks_of_floats(store, goal.terms[i]));
        let mut undecided = Vec::new();
        for &i in &floats {
            if self.budget.left() == 0 {
                undecided.push(i);
                continue;
            }
            match self.one_fails(block, &assumed, goal, i) {
                Answer::Unsat(_) => {}
                Answer::Sat(model) => return Some(failing_in(&model, block, goal, &[&floats[..], &open].concat())),
                Answer::Unknown(_) => undecided.push(i),
            }
        }
        if open.is_empty() {
            return (!undecided.is_empty()).then_some(undecided);
        }
        match self.some_fails(block, &assumed, goal, &open) {
            Answer::Unsat(_) => return (!undecided.is_empty()).then_some(undecided),
            Answer::Sat(model) => return Some(failing_in(&model, block, goal, &open)),
            Answer::Unknown(_) => {}
        }
        for &i in &open {
            if self.budget.left() == 0 {
                undecided.push(i);
                continue;
            }
            match self.some_fails(block, &assumed, goal, &[i]) {
                Answer::Unsat(_) => {}
                Answer::Sat(model) => return Some(failing_in(&model, block, goal, &open)),
                Answer::Unknown(_) if self.follows(block, goal, i) => {}
                Answer::Unknown(_) => undecided.push(i),
            }
        }
        (!undecided.is_empty()).then_some(undecided)
    }

    /// Can this goal of a block be false?
    fn one_fails(&mut self, block: &mut Block<'_>, assumed: &[Lit], goal: &Goal, i: usize) -> Answer {
        let lit = block.context.lit(&block.enc.store, goal.terms[i]);
        let assumed = [assumed, &[!lit]].concat();
        self.stats.queries += 1;
        if let Some(answer) = block.context.decide_by_ranges(&block.enc.store, &assumed) {
            let _ = self.budget.spend(RANGES.min(self.budget.left()));
            return answer;
        }
        // What ranges leave open circuits seldom decide within the limit, and large ones would use up the budget of all others.
        if block.context.stats().variables > FEW_VARIABLES {
            return Answer::Unknown(Undecided::Conflicts(0));
        }
        self.query(block, &assumed)
    }

    /// Can one of these goals of a block be false?
    fn some_fails(&mut self, block: &mut Block<'_>, assumed: &[Lit], goal: &Goal, open: &[usize]) -> Answer {
        let store = &block.enc.store;
        let mut assumed = assumed.to_vec();
        let act = block.context.activation();
        let clause: Vec<Lit> = open.iter().map(|&i| !block.context.lit(store, goal.terms[i])).collect();
        block.context.block(act, &clause);
        assumed.push(act);
        let answer = self.query(block, &assumed);
        block.context.retire(act);
        answer
    }

    fn query(&mut self, block: &mut Block<'_>, assumed: &[Lit]) -> Answer {
        self.stats.queries += 1;
        let before = block.context.stats().conflicts;
        let left = self.budget.left().min(self.limits.conflicts);
        let answer = block.context.decide(&block.enc.store, assumed, left);
        // A question costs the more the larger its circuit is, whether it meets conflicts or not.
        let stats = block.context.stats();
        let spent = stats.conflicts - before + stats.variables / VARIABLES_PER_CONFLICT;
        // What is over the budget shows in what is left for the next question.
        let _ = self.budget.spend((spent + 1).min(self.budget.left()));
        answer
    }

    /// Whether one goal follows, asked in a context of its own.
    fn follows(&mut self, block: &mut Block<'_>, goal: &Goal, i: usize) -> bool {
        if self.budget.spend(self.limits.single_conflicts).is_err() {
            return false;
        }
        self.stats.queries += 1;
        let store = &mut block.enc.store;
        let switched = block.switches.iter().map(|(place, n, switch)| {
            let symbol = store.as_symbol(*switch).expect("a switch is a symbol");
            (symbol, store.bool(self.alive[place][*n]))
        });
        let switched = switched.collect();
        let condition = store.substitute(goal.condition, &switched);
        logic::check_valid(store, &[condition], goal.terms[i], self.limits.single_conflicts).is_unsat()
    }

    fn survivors(self) -> BTreeMap<Place, Vec<Expr>> {
        let alive = self.alive;
        let keep = |(place, list): (Place, Vec<Expr>)| {
            let flags = &alive[&place];
            let kept: Vec<Expr> = list.into_iter().zip(flags).filter(|(_, f)| **f).map(|(e, _)| e).collect();
            (place, kept)
        };
        self.candidates.into_iter().map(keep).filter(|(_, list)| !list.is_empty()).collect()
    }
}

/// The goals that are false in a model; at least one is.
fn failing_in(model: &Model, block: &Block<'_>, goal: &Goal, open: &[usize]) -> Vec<usize> {
    let mut evaluator = model.evaluator(&block.enc.store);
    open.iter().copied().filter(|&i| !evaluator.eval(goal.terms[i]).as_bool()).collect()
}

/// The invariants of a place without those that others imply; later ones are left out first.
pub(crate) fn irredundant(
    analysis: &Analysis<'_>,
    func: FuncId,
    list: Vec<Expr>,
    limits: &Limits,
    stats: &mut Stats,
) -> Vec<Expr> {
    let mut enc = Encoder::for_proof(analysis);
    let state = enc.arbitrary(func);
    let terms: Result<Vec<Term>, _> = list.iter().map(|e| enc.eval(&state, e)).collect();
    let Ok(terms) = terms else { return list };
    let mut context = Context::new();
    let lits: Vec<Lit> = terms.iter().map(|&t| context.lit(&enc.store, t)).collect();
    let mut kept: Vec<bool> = vec![true; list.len()];
    for i in (0..list.len()).rev() {
        let others = (0..list.len()).filter(|&j| j != i && kept[j]).map(|j| lits[j]);
        let assumed: Vec<Lit> = others.chain([!lits[i]]).collect();
        stats.queries += 1;
        kept[i] = !context.decide(&enc.store, &assumed, limits.conflicts).is_unsat();
    }
    list.into_iter().zip(kept).filter(|(_, k)| *k).map(|(e, _)| e).collect()
}

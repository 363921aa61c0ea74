//! The solver as the abstraction uses it: one store and one incremental context for the whole program, in which a
//! predicate is translated once per function and then is an assumption literal.
//!
//! Only canonical questions are asked here ("is this cube possible together with that?"), whose answers do not depend on
//! what was asked before; models are used to refute cubes and never reach an output.

use crate::cube::Cube;
use crate::options::{Options, Stats};
use crate::pool::Pool;
use logic::{Answer, Config, Context, Lit, Model, Node, Store, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use vc::Encoder;

/// What the solver says about a conjunction.
pub(crate) enum Verdict {
    Possible(Model),
    /// Not possible; `by_others` if the literals behind the first are not possible by themselves. (They may not be, and nobody
    /// noticed.)
    Impossible {
        by_others: bool,
    },
    /// Not decided within the limit: counts as possible, without a model.
    Undecided,
}

/// What a search is about. Terms are those of one function: its steps all begin in the same symbolic state, so that equal
/// questions have equal terms, wherever they are asked.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    pub(crate) goal: Term,
    pub(crate) hypotheses: Vec<Term>,
    pub(crate) instances: Vec<Term>,
    pub(crate) impossible: Vec<Cube>,
}

/// What became of [`Prover::valuations`].
pub(crate) struct Enumerated {
    /// How many questions were asked.
    pub(crate) queries: u64,
    /// Whether there is no other valuation.
    pub(crate) complete: bool,
}

/// How large a context may grow before it is given up between two edges.
const MAX_VARIABLES: u64 = 10_000;

/// Conflicts that a question may cost in the long-lived context. Nearly all need none; for the others a fresh context of
/// a solver that simplifies first is the better place.
const FIRST_CONFLICTS: u64 = 300;

/// So many times the usual conflicts a patient question may cost: it is one for a whole table.
const PATIENCE: u64 = 20;

/// The size of a question for which [`Options::conflicts`] is meant; larger ones get fewer conflicts.
const USUAL_VARIABLES: u64 = 5_000;

pub(crate) struct Prover<'p> {
    pub(crate) enc: Encoder<'p>,
    context: Context,
    /// What the solver found in the current function.
    pub(crate) pool: Pool,
    /// What the pool's first states are to be about, while it has none.
    unguessed: Option<Vec<Term>>,
    supports: FxHashMap<Term, Rc<[Symbol]>>,
    /// What searches in the current function found.
    pub(crate) searched: FxHashMap<Question, Vec<Cube>>,
    pub(crate) options: Options,
    pub(crate) stats: Stats,
    /// What is left of [`Options::work`].
    work_left: u64,
}

impl<'p> Prover<'p> {
    pub(crate) fn new(enc: Encoder<'p>, options: &Options) -> Prover<'p> {
        Prover {
            enc,
            context: Context::new(),
            pool: Pool::default(),
            unguessed: None,
            supports: FxHashMap::default(),
            searched: FxHashMap::default(),
            options: options.clone(),
            stats: Stats::default(),
            work_left: options.work,
        }
    }

    /// Begins a new context if the old one holds much that the questions to come do not need: a model has to give a
    /// value to every variable, whether it matters or not. Literals must not be kept across this.
    pub(crate) fn refresh(&mut self) {
        if self.context.stats().variables > MAX_VARIABLES {
            self.context = Context::new();
        }
    }

    /// Forgets the states of another function; `terms` are what the questions to come are about.
    pub(crate) fn begin_function(&mut self, terms: Vec<Term>) {
        self.pool.clear();
        self.searched.clear();
        self.unguessed = Some(terms);
    }

    /// Begins the pool of the function at hand, unless that was done: a function whose answers are all known needs none.
    pub(crate) fn fill_pool(&mut self) {
        if !self.options.saves.models {
            return;
        }
        let Some(terms) = self.unguessed.take() else { return };
        let mut symbols: Vec<Symbol> = Vec::new();
        for t in terms {
            symbols.extend(self.support(t).iter());
        }
        symbols.sort_unstable();
        symbols.dedup();
        let store = &self.enc.store;
        let objects: Vec<Symbol> = symbols.iter().copied().filter(|&s| !store.object_axioms(&[s]).is_empty()).collect();
        let width = u32::from(self.enc.program.model.ptr_width());
        self.pool.guess(store, &symbols, &objects, width);
    }

    /// Can all the terms have these truth values together?
    pub(crate) fn check(&mut self, literals: &[(Term, bool)]) -> Verdict {
        self.stats.queries += 1;
        if self.work_left == 0 {
            self.stats.undecided += 1;
            return Verdict::Undecided;
        }
        let lits = |store: &Store, context: &mut Context| -> Vec<Lit> {
            let lit = |&(t, value): &(Term, bool)| {
                let lit = context.lit(store, t);
                if value { lit } else { !lit }
            };
            literals.iter().map(lit).collect()
        };
        let limit = self.options.conflicts;
        let assumed = lits(&self.enc.store, &mut self.context);
        let before = self.context.stats().solves;
        let mut answer = self.context.decide(&self.enc.store, &assumed, limit.min(FIRST_CONFLICTS));
        self.pay(before);
        if matches!(answer, Answer::Unknown(_)) && limit > FIRST_CONFLICTS {
            self.stats.hard_queries += 1;
            if self.impossible_by_equations(literals, limit) {
                return Verdict::Impossible { by_others: false };
            }
            let store = &self.enc.store;
            let mut fresh = Context::with_config(Config::Full);
            let assumed = lits(store, &mut fresh);
            // A conflict costs the more the larger the circuit is.
            let variables = fresh.stats().variables.max(USUAL_VARIABLES);
            answer =
                fresh.decide(store, &assumed, (limit.saturating_mul(USUAL_VARIABLES) / variables).max(FIRST_CONFLICTS));
            self.stats.sat_calls += fresh.stats().solves;
            self.work_left = self.work_left.saturating_sub(fresh.stats().solves.saturating_mul(variables));
        }
        match answer {
            Answer::Sat(model) => Verdict::Possible(model),
            Answer::Unsat(core) => Verdict::Impossible { by_others: !core.contains(&0) },
            Answer::Unknown(_) => {
                self.stats.undecided += 1;
                Verdict::Undecided
            }
        }
    }

    /// Adds to `known` the valuations of `instances` in which all `literals` can hold together, each by a question of its own, until
    /// there is no other, the solver gives up, or there were `limit` questions. Patient is who asks a solver that simplifies first
    /// where the long-lived one gives up.
    pub(crate) fn valuations(
        &mut self,
        literals: &[(Term, bool)],
        instances: &[Term],
        known: &mut Vec<u128>,
        limit: u64,
        patient: bool,
    ) -> Enumerated {
        let act = self.context.activation();
        let store = &self.enc.store;
        let mut assumed: Vec<Lit> = vec![act];
        for &(t, value) in literals {
            let lit = self.context.lit(store, t);
            assumed.push(if value { lit } else { !lit });
        }
        let instance_lits: Vec<Lit> = instances.iter().map(|&t| self.context.lit(store, t)).collect();
        let other_than = |v: u128| -> Vec<Lit> {
            let differs = |(i, &l): (usize, &Lit)| if v >> i & 1 == 1 { !l } else { l };
            instance_lits.iter().enumerate().map(differs).collect()
        };
        for &v in known.iter() {
            self.context.block(act, &other_than(v));
        }
        let before = self.context.stats().solves;
        let mut found = Enumerated { queries: 0, complete: false };
        while found.queries < limit {
            let stats = self.context.stats();
            if (stats.solves - before).saturating_mul(stats.variables) >= self.work_left {
                break;
            }
            found.queries += 1;
            match self.context.decide(store, &assumed, FIRST_CONFLICTS.min(self.options.conflicts)) {
                Answer::Sat(model) => {
                    let v = valuation(store, &model, instances);
                    known.push(v);
                    self.context.block(act, &other_than(v));
                    self.pool.add(model.assignment().clone());
                }
                Answer::Unsat(_) => {
                    found.complete = true;
                    break;
                }
                Answer::Unknown(_) if patient => {
                    let conflicts = self.options.conflicts.saturating_mul(PATIENCE);
                    let (answer, cost) = other(store, literals, instances, known, conflicts);
                    self.stats.hard_queries += 1;
                    self.stats.sat_calls += cost.solves;
                    self.work_left = self.work_left.saturating_sub(cost.solves.saturating_mul(cost.variables));
                    match answer {
                        Answer::Sat(model) => {
                            let v = valuation(store, &model, instances);
                            known.push(v);
                            self.context.block(act, &other_than(v));
                        }
                        Answer::Unsat(_) => {
                            found.complete = true;
                            break;
                        }
                        Answer::Unknown(_) => break,
                    }
                }
                Answer::Unknown(_) => break,
            }
        }
        self.context.retire(act);
        self.stats.queries += found.queries;
        self.pay(before);
        found
    }

    /// Counts what the context was asked since it had so many calls of the solver behind it.
    fn pay(&mut self, before: u64) {
        let (calls, variables) = (self.context.stats().solves - before, self.context.stats().variables);
        self.stats.sat_calls += calls;
        self.work_left = self.work_left.saturating_sub(calls.saturating_mul(variables));
    }

    /// Whether the terms cannot all hold.
    pub(crate) fn impossible(&mut self, terms: &[Term]) -> bool {
        if terms.iter().any(|&t| self.enc.store.bool_of(t) == Some(false)) {
            return true;
        }
        let literals: Vec<(Term, bool)> = terms.iter().map(|&t| (t, true)).collect();
        matches!(self.check(&literals), Verdict::Impossible { .. })
    }

    /// The value that `t` has in every state, if it has one.
    pub(crate) fn constant(&mut self, t: Term) -> Option<bool> {
        if let Some(b) = self.enc.store.bool_of(t) {
            return Some(b);
        }
        let not = self.enc.store.not(t);
        if self.impossible(&[not]) {
            Some(true)
        } else if self.impossible(&[t]) {
            Some(false)
        } else {
            None
        }
    }

    /// The symbols that occur in `t`, sorted.
    pub(crate) fn support(&mut self, t: Term) -> Rc<[Symbol]> {
        if let Some(known) = self.supports.get(&t) {
            return known.clone();
        }
        let store = &self.enc.store;
        let mut seen = FxHashSet::default();
        let mut symbols = Vec::new();
        let mut todo = vec![t];
        while let Some(t) = todo.pop() {
            if !seen.insert(t) {
                continue;
            }
            match store.node(t) {
                Node::Symbol(s) => symbols.push(s),
                node => todo.extend(node.args()),
            }
        }
        symbols.sort_unstable();
        let symbols: Rc<[Symbol]> = symbols.into();
        self.supports.insert(t, symbols.clone());
        symbols
    }

    /// What is known of the addresses of objects that the terms speak of. A model of a question that has these axioms keeps
    /// them for all the terms, also for those that were not asked about.
    pub(crate) fn object_axioms(&mut self, terms: &[Term]) -> Vec<Term> {
        let mut symbols: Vec<Symbol> = Vec::new();
        for &t in terms {
            symbols.extend(self.support(t).iter());
        }
        symbols.sort_unstable();
        symbols.dedup();
        self.enc.store.object_axioms(&symbols)
    }

    /// The disjuncts of `t`.
    pub(crate) fn disjuncts(&mut self, t: Term) -> Vec<Term> {
        let negated = self.enc.store.not(t);
        let parts = self.conjuncts(negated);
        parts.into_iter().map(|p| self.enc.store.not(p)).collect()
    }

    /// The conjuncts of `t`.
    pub(crate) fn conjuncts(&self, t: Term) -> Vec<Term> {
        let mut out = Vec::new();
        let mut todo = vec![t];
        while let Some(t) = todo.pop() {
            match self.enc.store.node(t) {
                Node::And(a, b) => todo.extend([b, a]),
                Node::Bool(true) => {}
                _ => out.push(t),
            }
        }
        out
    }
}

/// The values of terms in a model.
fn valuation(store: &Store, model: &Model, terms: &[Term]) -> u128 {
    let mut evaluator = model.evaluator(store);
    let bits = terms.iter().enumerate().map(|(i, &t)| u128::from(evaluator.eval(t).as_bool()) << i);
    bits.fold(0, |all, bit| all | bit)
}

/// Asks a fresh context of a solver that simplifies first for a model in which the instances have another valuation than the known ones;
/// also what it cost.
fn other(
    store: &Store,
    literals: &[(Term, bool)],
    instances: &[Term],
    known: &[u128],
    conflicts: u64,
) -> (Answer, logic::Stats) {
    let mut fresh = Context::with_config(Config::Full);
    let act = fresh.activation();
    let mut assumed: Vec<Lit> = vec![act];
    for &(t, value) in literals {
        let lit = fresh.lit(store, t);
        assumed.push(if value { lit } else { !lit });
    }
    let lits: Vec<Lit> = instances.iter().map(|&t| fresh.lit(store, t)).collect();
    for v in known {
        let differs = |(i, &l): (usize, &Lit)| if v >> i & 1 == 1 { !l } else { l };
        fresh.block(act, &lits.iter().enumerate().map(differs).collect::<Vec<Lit>>());
    }
    let answer = fresh.decide(store, &assumed, conflicts);
    (answer, fresh.stats())
}

//! All prime implicants of a formula over given predicates, up to a length limit: two engines, one answer.
//!
//! A cube is *possible* if it can hold together with the hypotheses and the negated goal; an implicant is a cube that
//! is not. Implicants that contradict the hypotheses by themselves are not answers: the statement's `assume` or the
//! procedure's `enforce` rules their states out already. Every answer is a set, sorted, so it does not matter in which
//! order an engine finds its members.
//!
//! Why this is sound whatever is cut short: the answer becomes the condition under which a predicate is surely true after a
//! step. An implicant that is missing makes the abstraction coarser, one too many would make it wrong. So a query that the
//! solver does not decide counts as refuted, a limit ends the search with what is known, and nothing enters `known` but what
//! was refuted together with the negated goal. Models only save queries: each refutes exactly the cubes that it satisfies.

use crate::connected::Connection;
use crate::cube::Cube;
use crate::lattice::Lattice;
use crate::options::CubeEngine;
use crate::prover::{Prover, Verdict};
use base::sabotage::{self, Fault};
use logic::{Context, Lit, Sort, Store, Term};

/// One computation of `F_V`: which cubes over `instances` imply the goal under the hypotheses?
pub(crate) struct Task {
    /// The predicates, at most [`crate::cube::MAX_INSTANCES`].
    pub(crate) instances: Vec<Term>,
    /// What holds anyway.
    pub(crate) hypotheses: Vec<Term>,
    /// The negation of what the cubes must imply; `None` stands for "true": the impossible cubes are asked for.
    pub(crate) negated_goal: Option<Term>,
    /// The longest cube that is asked for.
    pub(crate) max_len: usize,
    /// Implicants that are known; they are part of the answer.
    pub(crate) known: Vec<Cube>,
    /// Cubes that are known to be impossible by themselves.
    pub(crate) impossible: Vec<Cube>,
    /// Cubes whose variables all lie in one of these sets are decided: by `known`, or because they are not wanted.
    pub(crate) decided: Vec<u128>,
    /// Valuations that are known to be possible.
    pub(crate) models: Vec<u128>,
}

/// The prime implicants, sorted by length and then by their literals.
pub(crate) fn implicants(prover: &mut Prover<'_>, mut task: Task) -> Vec<Cube> {
    prover.fill_pool();
    let terms: Vec<Term> = task.negated_goal.iter().chain(&task.hypotheses).chain(&task.instances).copied().collect();
    let axioms = prover.object_axioms(&terms);
    task.hypotheses.extend(axioms);
    let all: Vec<Term> = task.negated_goal.iter().chain(&task.hypotheses).copied().collect();
    if prover.options.saves.models {
        task.models.extend(prover.pool.valuations(&prover.enc.store, &task.instances, &all));
    }
    let mut search = Search::new(prover, task);
    let finished = match search.prover.options.engine {
        CubeEngine::Cubes => search.by_length(),
        CubeEngine::Models => search.by_models(),
        CubeEngine::States => search.by_states(),
    };
    if finished.is_none() {
        search.prover.stats.cut_short += 1;
    }
    let mut answer = search.task.known;
    answer.sort_unstable_by_key(|c| (c.len(), c.mask(), *c));
    answer.dedup();
    let saves = &prover.options.saves;
    if !(saves.order && saves.priming && saves.pruning) {
        let all = answer.clone();
        answer.retain(|c| !all.iter().any(|shorter| shorter != c && c.contains(*shorter)));
    }
    answer
}

struct Search<'a, 'p> {
    prover: &'a mut Prover<'p>,
    task: Task,
    /// The valuations in `task.models` are all in which the goal can fail.
    complete: bool,
    /// Which cubes hang together; `None` where that is not to save questions.
    connection: Option<Connection>,
    /// Valuations that the hypotheses allow; filled when they are first asked for.
    allowed: Option<Vec<u128>>,
    queries_left: u64,
    undecided_left: u32,
}

/// After so many queries that the solver did not decide, a search ends: the formula is too hard.
const MAX_UNDECIDED: u32 = 3;

/// More predicates than this have too many valuations to be asked for one by one.
const MAX_STATE_INSTANCES: usize = 12;

/// After so many valuations that had to be asked for, cubes are asked about instead.
const MAX_STATES: u64 = 200;

/// What one cube turned out to be.
enum Fate {
    Refuted,
    Implicant,
    Impossible,
}

impl<'a, 'p> Search<'a, 'p> {
    fn new(prover: &'a mut Prover<'p>, task: Task) -> Self {
        let queries_left = prover.options.queries;
        let connection = prover
            .options
            .saves
            .cone
            .then(|| Connection::new(prover, &task.instances, &task.hypotheses, task.negated_goal));
        Search { prover, task, complete: false, connection, allowed: None, queries_left, undecided_left: MAX_UNDECIDED }
    }

    fn check(&mut self, cube: Cube, with_goal: bool) -> Option<Verdict> {
        self.queries_left = self.queries_left.checked_sub(1)?;
        let mut literals: Vec<(Term, bool)> = Vec::with_capacity(self.task.hypotheses.len() + cube.len() + 1);
        literals.extend(self.task.negated_goal.filter(|_| with_goal).map(|t| (t, true)));
        literals.extend(self.task.hypotheses.iter().map(|&t| (t, true)));
        literals.extend(cube.literals().map(|(i, value)| (self.task.instances[i], value)));
        let verdict = self.prover.check(&literals);
        if matches!(verdict, Verdict::Undecided) {
            self.undecided_left = self.undecided_left.checked_sub(1)?;
        }
        Some(verdict)
    }

    /// The valuation of the instances in a model.
    fn valuation(&self, model: &logic::Model) -> u128 {
        let mut evaluator = model.evaluator(&self.prover.enc.store);
        let bits = self.task.instances.iter().enumerate().map(|(i, &t)| u128::from(evaluator.eval(t).as_bool()) << i);
        bits.fold(0, |all, bit| all | bit)
    }

    /// Decides one cube; `None` when the limit of queries is reached. Undecided ones count as refuted.
    fn decide(&mut self, cube: Cube) -> Option<Fate> {
        if self.complete {
            return self.decide_by_states(cube);
        }
        match self.check(cube, true)? {
            Verdict::Possible(model) => {
                self.task.models.push(self.valuation(&model));
                self.prover.pool.add(model.assignment().clone());
                Some(Fate::Refuted)
            }
            Verdict::Undecided if sabotage::active(Fault::UndecidedTakenForImplicant) => Some(Fate::Implicant),
            Verdict::Undecided => Some(Fate::Refuted),
            // The cubes that cannot be are asked for, or they contradict the hypotheses and say nothing about the goal.
            Verdict::Impossible { .. } if self.task.negated_goal.is_none() => Some(Fate::Implicant),
            Verdict::Impossible { by_others: true } => Some(Fate::Impossible),
            Verdict::Impossible { by_others: false } => self.possible_at_all(cube),
        }
    }

    /// Whether a cube that implies the goal contradicts the hypotheses by itself.
    fn possible_at_all(&mut self, cube: Cube) -> Option<Fate> {
        if self.allowed.is_none() && self.prover.options.saves.models {
            let states =
                self.prover.pool.valuations(&self.prover.enc.store, &self.task.instances, &self.task.hypotheses);
            self.allowed = Some(states);
        }
        if self.allowed.iter().flatten().any(|&v| cube.holds_in(v)) {
            return Some(Fate::Implicant);
        }
        match self.check(cube, false)? {
            Verdict::Possible(model) => {
                let valuation = self.valuation(&model);
                self.allowed.get_or_insert_default().push(valuation);
                self.prover.pool.add(model.assignment().clone());
                Some(Fate::Implicant)
            }
            // Whether it contradicts the hypotheses or not: it implies the goal.
            Verdict::Undecided => Some(Fate::Implicant),
            Verdict::Impossible { .. } => Some(Fate::Impossible),
        }
    }

    fn is_decided(&self, cube: Cube) -> bool {
        self.task.decided.iter().any(|set| cube.mask() & !set == 0)
    }

    /// PLDI01 §5.2: cubes by increasing length; one that contains an implicant is pruned. A cube that some model
    /// satisfies needs no query. `None` when the limit of queries is reached.
    fn by_length(&mut self) -> Option<()> {
        let mut lattice = Lattice::new(self.task.instances.len());
        let saves = self.prover.options.saves;
        self.task.known.iter().filter(|_| saves.priming).for_each(|&c| lattice.cover(c));
        self.task.impossible.iter().filter(|_| saves.pruning).for_each(|&c| lattice.cover(c));
        lattice.refute(&self.task.models);
        if !lattice.covers_all() && !self.is_decided(Cube::TRUE) {
            let refuted = lattice.any(&lattice.satisfying(Cube::TRUE));
            self.leaf(&mut lattice, Cube::TRUE, refuted)?;
        }
        let longest = self.task.max_len.min(self.task.instances.len());
        if !saves.order {
            return self.in_depth(&mut lattice, Cube::TRUE, 0, longest);
        }
        for len in 1..=longest {
            self.extend(&mut lattice, Cube::TRUE, 0, len)?;
        }
        Some(())
    }

    /// Decides all cubes that add up to `most` literals over the instances from `first` on to `cube`, each before the next instance comes
    /// into play: what [`Optimisations::order`](crate::Optimisations::order) saves is seen by it.
    fn in_depth(&mut self, lattice: &mut Lattice, cube: Cube, first: usize, most: usize) -> Option<()> {
        if most == 0 {
            return Some(());
        }
        for (var, value) in (first..self.task.instances.len()).flat_map(|var| [(var, true), (var, false)]) {
            let longer = cube.with(var, value);
            if lattice.covers(longer, var, value) {
                continue;
            }
            if !self.is_decided(longer) {
                let satisfying = lattice.satisfying(cube);
                let refuted = lattice.refutes(&satisfying, var, value);
                self.leaf(lattice, longer, refuted)?;
            }
            if !lattice.covers(longer, var, value) {
                self.in_depth(lattice, longer, var + 1, most - 1)?;
            }
        }
        Some(())
    }

    /// Decides all cubes that add `missing` literals, one at least, over the instances from `first` on to `cube`, which is not covered.
    fn extend(&mut self, lattice: &mut Lattice, cube: Cube, first: usize, missing: usize) -> Option<()> {
        let mut satisfying = lattice.satisfying(cube);
        let joins = self.connection.as_ref().filter(|_| missing == 1).map_or(u128::MAX, |c| c.completing(cube));
        for var in (first..=self.task.instances.len() - missing).filter(|var| joins >> var & 1 == 1) {
            for value in [true, false] {
                // A leaf below may have found a model: it refutes cubes that are still to come in this very loop.
                if lattice.is_stale(&satisfying) {
                    satisfying = lattice.satisfying(cube);
                }
                let longer = cube.with(var, value);
                // What contains an implicant is one, but not a prime one; what contains an impossible cube says nothing.
                if lattice.covers(longer, var, value) {
                    continue;
                }
                let refuted = lattice.refutes(&satisfying, var, value);
                // A refuted cube is extended all the same: a longer one excludes the model that refuted it.
                if missing > 1 {
                    if !(refuted && sabotage::active(Fault::RefutedCubeNotExtended)) {
                        self.extend(lattice, longer, var + 1, missing - 1)?;
                    }
                } else if !self.is_decided(longer) {
                    self.leaf(lattice, longer, refuted)?;
                }
            }
        }
        Some(())
    }

    /// Decides a cube that is neither covered nor decided.
    fn leaf(&mut self, lattice: &mut Lattice, cube: Cube, refuted: bool) -> Option<()> {
        if refuted {
            self.prover.stats.refuted_by_model += 1;
            return Some(());
        }
        let fate = self.decide(cube)?;
        let saves = self.prover.options.saves;
        match fate {
            Fate::Refuted if saves.models => lattice.refute(&self.task.models),
            Fate::Refuted => {}
            Fate::Implicant => self.task.known.push(cube),
            Fate::Impossible => self.task.impossible.push(cube),
        }
        if matches!(fate, Fate::Implicant) && saves.priming || matches!(fate, Fate::Impossible) && saves.pruning {
            lattice.cover(cube);
        }
        Some(())
    }

    /// Finds every valuation in which the goal can fail before it looks at cubes.
    fn by_states(&mut self) -> Option<()> {
        if self.task.instances.len() <= MAX_STATE_INSTANCES {
            let mut literals: Vec<(Term, bool)> = self.task.negated_goal.iter().map(|&t| (t, true)).collect();
            literals.extend(self.task.hypotheses.iter().map(|&t| (t, true)));
            let limit = self.queries_left.min(MAX_STATES);
            let found = self.prover.valuations(&literals, &self.task.instances, &mut self.task.models, limit, false);
            self.queries_left = self.queries_left.saturating_sub(found.queries);
            self.complete = found.complete;
        }
        self.by_length()
    }

    /// A cube that no valuation in which the goal can fail satisfies: is it possible at all?
    fn decide_by_states(&mut self, cube: Cube) -> Option<Fate> {
        // All states in which the goal can fail are known, and none satisfies the cube (it would have been refuted before it
        // came here). So it implies the goal; what is left to say is whether any state at all satisfies it.
        if self.task.negated_goal.is_none() {
            return Some(Fate::Implicant);
        }
        self.possible_at_all(cube)
    }

    /// The map solver holds the cubes that nothing is known of: two variables per instance, one for each literal. A model
    /// of the negated goal decides every cube that it satisfies, an implicant every cube that contains it.
    fn by_models(&mut self) -> Option<()> {
        let mut map = Map::new(self.task.instances.len(), self.task.max_len);
        for cube in self.task.known.iter().chain(&self.task.impossible) {
            map.forbid_longer(*cube);
        }
        for valuation in &self.task.models {
            map.forbid_satisfied(*valuation);
        }
        for set in &self.task.decided {
            map.forbid_inside(*set);
        }
        while let Some(cube) = {
            let seed = map.seed();
            self.prover.stats.sat_calls += 1;
            seed
        } {
            let models = self.task.models.len();
            match self.decide(cube)? {
                Fate::Refuted => match self.task.models[models..] {
                    [valuation] => map.forbid_satisfied(valuation),
                    // Undecided: there is no model that would refute more than this cube.
                    _ => map.forbid_exactly(cube),
                },
                Fate::Implicant => {
                    let prime = self.shrink(cube, true)?;
                    map.forbid_longer(prime);
                    self.task.known.push(prime);
                }
                Fate::Impossible => {
                    let prime = self.shrink(cube, false)?;
                    map.forbid_longer(prime);
                    self.task.impossible.push(prime);
                }
            }
        }
        Some(())
    }

    /// Leaves out literals, in order, as long as the cube stays impossible (together with the negated goal).
    fn shrink(&mut self, mut cube: Cube, with_goal: bool) -> Option<Cube> {
        for (var, value) in cube.literals() {
            let bit = 1 << var;
            let shorter = Cube { pos: cube.pos & !bit, neg: cube.neg & !bit };
            debug_assert!(shorter.with(var, value) == cube);
            if self.task.models.iter().any(|&v| with_goal && shorter.holds_in(v)) {
                continue;
            }
            match self.check(shorter, with_goal)? {
                Verdict::Impossible { .. } => cube = shorter,
                Verdict::Possible(model) if with_goal => {
                    self.task.models.push(self.valuation(&model));
                    self.prover.pool.add(model.assignment().clone());
                }
                Verdict::Possible(_) | Verdict::Undecided => {}
            }
        }
        Some(cube)
    }
}

/// The cubes that are still to be decided, as the models of a formula: literal `i` is in the cube if its symbol is true.
struct Map {
    store: Store,
    context: Context,
    /// For each instance the symbols of the positive and the negated literal.
    symbols: Vec<[Term; 2]>,
    lits: Vec<[Lit; 2]>,
    rules: Lit,
    short: Lit,
}

impl Map {
    fn new(n: usize, max_len: usize) -> Map {
        let mut store = Store::new();
        let mut context = Context::new();
        let rules = context.activation();
        let mut symbols = Vec::new();
        let mut lits = Vec::new();
        let mut count = store.bv(16, 0);
        for i in 0..n {
            let pair = ["+", "-"].map(|sign| store.symbol(&format!("{sign}{i}"), Sort::Bool));
            let pair_lits = pair.map(|t| context.lit(&store, t));
            context.block(rules, &[!pair_lits[0], !pair_lits[1]]);
            for t in pair {
                let (one, zero) = (store.bv(16, 1), store.bv(16, 0));
                let unit = store.ite(t, one, zero);
                count = store.bv_add(count, unit);
            }
            symbols.push(pair);
            lits.push(pair_lits);
        }
        let limit = store.bv(16, max_len.min(n) as u64);
        let short = store.ule(count, limit);
        let short = context.lit(&store, short);
        Map { store, context, symbols, lits, rules, short }
    }

    fn lit(&self, var: usize, value: bool) -> Lit {
        self.lits[var][usize::from(!value)]
    }

    /// A cube of which nothing is known.
    fn seed(&mut self) -> Option<Cube> {
        match self.context.decide(&self.store, &[self.rules, self.short], u64::MAX) {
            logic::Answer::Sat(model) => {
                let mut evaluator = model.evaluator(&self.store);
                let mut cube = Cube::TRUE;
                for (i, pair) in self.symbols.iter().enumerate() {
                    for (t, value) in pair.iter().zip([true, false]) {
                        if evaluator.eval(*t).as_bool() {
                            cube = cube.with(i, value);
                        }
                    }
                }
                Some(cube)
            }
            logic::Answer::Unsat(_) | logic::Answer::Unknown(_) => None,
        }
    }

    fn forbid_longer(&mut self, cube: Cube) {
        let clause: Vec<Lit> = cube.literals().map(|(i, value)| !self.lit(i, value)).collect();
        self.context.block(self.rules, &clause);
    }

    fn forbid_satisfied(&mut self, valuation: u128) {
        let clause: Vec<Lit> = (0..self.lits.len()).map(|i| self.lit(i, valuation >> i & 1 == 0)).collect();
        self.context.block(self.rules, &clause);
    }

    fn forbid_inside(&mut self, set: u128) {
        let outside = (0..self.lits.len()).filter(|i| set >> i & 1 == 0);
        let clause: Vec<Lit> = outside.flat_map(|i| self.lits[i]).collect();
        self.context.block(self.rules, &clause);
    }

    fn forbid_exactly(&mut self, cube: Cube) {
        let literal = |i: usize, value: bool| if value { cube.pos >> i & 1 == 1 } else { cube.neg >> i & 1 == 1 };
        let all = (0..self.lits.len()).flat_map(|i| [(i, true), (i, false)]);
        let clause: Vec<Lit> = all.map(|(i, v)| if literal(i, v) { !self.lit(i, v) } else { self.lit(i, v) }).collect();
        self.context.block(self.rules, &clause);
    }
}

//! The embedded solver: terms become literals of one incremental SAT instance, questions are sets of assumptions.
//!
//! There is no push and pop, and nothing is ever asserted that is not valid by itself: definitions of gates, congruence
//! of map reads, what is known of objects' addresses ([`crate::objects`]), and clauses guarded by an activation literal of the caller. A term is translated once; asking about it
//! again costs only the search. Questions about floating-point numbers are first looked at by ranges ([`ranges`]).
//!
//! Invariants: a `Sat` answer carries a model under which the direct evaluator finds every assumption true (checked on
//! every answer; a mismatch is [`Undecided::Internal`], never an answer). An `Unsat` answer carries indices of assumptions that
//! are unsatisfiable together. The same sequence of calls gives the same answers.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::Bits;
use crate::blast::Blaster;
use crate::circuits;
use crate::eval::{Assignment, Evaluator, Leaves, Memo, Value};
use crate::float::ranges::{self, Outcome};
use crate::gates::{Bit, Gates};
use crate::sat::{Config, EitherSolver, SatSolver};
use crate::store::Store;
use crate::term::{Node, Sort, Symbol, Term};
use base::sabotage::{self, Fault};

/// A literal of one [`Context`]: a translated truth value or an activation literal, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    fn atom(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether this is the negation of what was translated.
    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// All assumptions hold in this model.
    Sat(Model),
    /// These assumptions (indices, ascending) cannot hold together.
    Unsat(Vec<usize>),
    /// Not decided.
    Unknown(Undecided),
}

impl Answer {
    /// Whether the assumptions cannot hold together.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }

    /// The model, if the answer is one.
    pub fn model(self) -> Option<Model> {
        match self {
            Answer::Sat(model) => Some(model),
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        }
    }

    /// Whether there is a model.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }
}

/// Why a question was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The given number of conflicts did not suffice.
    Conflicts(u64),
    /// The question has more variables than the given number.
    Size(u64),
    /// Two parts of the solver disagree: a bug here, which must not become an answer.
    Internal(String),
}

impl std::fmt::Display for Undecided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Undecided::Conflicts(n) => write!(f, "solver: limit of {n} conflicts reached"),
            Undecided::Size(n) => write!(f, "solver: limit of {n} variables reached"),
            Undecided::Internal(what) => write!(f, "solver: internal: {what}"),
        }
    }
}

/// Values for all symbols: those that mattered for the answer as found, all others false, zero, or zero everywhere.
#[derive(Clone, Debug, Default)]
pub struct Model {
    assignment: Assignment,
}

impl Model {
    /// The value of any term of the store the model is about, but for a map.
    pub fn eval(&self, store: &Store, t: Term) -> Value {
        self.evaluator(store).eval(t)
    }

    /// The truth value of `t`.
    pub fn holds(&self, store: &Store, t: Term) -> bool {
        self.eval(store, t).as_bool()
    }

    /// The value of the bit-vector `t`.
    pub fn bits(&self, store: &Store, t: Term) -> Bits {
        self.eval(store, t).as_bits().clone()
    }

    /// The value of the map `map` at `addr`.
    pub fn read(&self, store: &Store, map: Term, addr: &Bits) -> Bits {
        self.evaluator(store).read(map, addr)
    }

    /// An evaluator for many terms at once.
    pub fn evaluator<'a>(&'a self, store: &'a Store) -> Evaluator<'a> {
        Evaluator::new(store, &self.assignment)
    }

    /// The values as found.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }
}

/// Counts of what a context did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Questions asked by the caller.
    pub queries: u64,
    /// Calls of the SAT solver, those of refinement and core minimisation included.
    pub solves: u64,
    /// Conflicts of the SAT solver (clauses it learned).
    pub conflicts: u64,
    /// SAT variables.
    pub variables: u64,
    /// Congruence lemmas added.
    pub lemmas: u64,
    /// Unsatisfiable answers whose core could not be minimised fully within the limit.
    pub cores_cut_short: u64,
}

enum Atom {
    Term(Term),
    /// Clauses of the caller that hold where this literal is true.
    Activation(Clauses),
    Retired,
}

#[derive(Default)]
struct Clauses {
    clauses: Vec<Vec<Lit>>,
    /// The literals that occur, positive, each once.
    lits: Vec<Lit>,
    known: FxHashSet<Lit>,
}

/// An incremental solver for the terms of one store.
pub struct Context<S = EitherSolver> {
    sat: S,
    gates: Gates,
    blaster: Blaster,
    /// Each with its SAT literal, or 0 as long as it is not translated ([`Context::translate`]).
    atoms: Vec<(Atom, i32)>,
    /// Clauses of activation literals in which not all is translated.
    deferred: Vec<(Lit, Vec<Lit>)>,
    by_term: FxHashMap<Term, Lit>,
    /// Pairs of reads that have their congruence lemma, with the bit that says whether their addresses are equal.
    related: FxHashMap<(Term, Term), Bit>,
    memo: Memo,
    /// The addresses of objects that each asked term speaks of.
    objects: FxHashMap<Term, Vec<Symbol>>,
    /// The reads in each asked term.
    reads: FxHashMap<Term, Vec<Term>>,
    /// Whether each asked term speaks of floating-point numbers.
    floats: FxHashMap<Term, bool>,
    /// Boxes that the next hard question gets: fewer after each that stayed open.
    hard_boxes: u64,
    stats: Stats,
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    /// A context with the default configuration.
    pub fn new() -> Context {
        Context::with_config(Config::default())
    }

    /// A context over the SAT solver that `config` names.
    pub fn with_config(config: Config) -> Context {
        Context::with_solver(EitherSolver::new(config))
    }
}

/// A limit on variables is one on so many times as many gates, which are made first and mostly become variables.
pub const GATES_PER_VARIABLE: u64 = 4;

/// In questions with more reads than this lemmas are looked for anew: there are too many pairs.
const MAX_RECALLED: usize = 64;
/// Boxes of floating-point numbers that are looked at before the SAT solver is asked.
const FIRST_BOXES: u64 = 48;
/// Boxes that are looked at when the SAT solver has spent [`FIRST_CONFLICTS`] on a question about floating-point numbers.
pub(crate) const MORE_BOXES: u64 = 6_000;
const FIRST_CONFLICTS: u64 = 4_000;
/// Boxes that are looked at first where numbers that are not constant are multiplied: circuits of that are hard.
const HARD_BOXES: u64 = 2_000;

/// What [`Context::search`] found; a core is a set of positions in its literals.
enum Found {
    Model(Assignment),
    Core(Vec<usize>),
    /// A core that ranges of numbers gave, as small as they can show.
    Refuted(Vec<usize>),
    Unknown(Undecided),
}

impl<S: SatSolver> Context<S> {
    /// A context over this SAT solver, which must be empty.
    pub(crate) fn with_solver(mut sat: S) -> Context<S> {
        let gates = Gates::new(&mut sat);
        Context {
            sat,
            gates,
            blaster: Blaster::default(),
            atoms: Vec::new(),
            deferred: Vec::new(),
            by_term: FxHashMap::default(),
            related: FxHashMap::default(),
            memo: Memo::default(),
            objects: FxHashMap::default(),
            reads: FxHashMap::default(),
            floats: FxHashMap::default(),
            hard_boxes: HARD_BOXES,
            stats: Stats::default(),
        }
    }

    /// What was done so far.
    pub fn stats(&mut self) -> Stats {
        self.stats.conflicts = self.sat.conflicts();
        self.stats.variables = self.gates.n_vars() as u64;
        self.stats
    }

    fn new_atom(&mut self, atom: Atom, sat_lit: i32) -> Lit {
        let index = u32::try_from(self.atoms.len()).ok().filter(|&i| i < 1 << 31).expect("fewer than 2^31 literals");
        self.atoms.push((atom, sat_lit));
        Lit(index << 1)
    }

    fn sat_lit(&self, lit: Lit) -> i32 {
        let positive = self.atoms[lit.atom()].1;
        if lit.is_negated() { -positive } else { positive }
    }

    /// The literal that is equivalent to the truth value `t`; the same on every call.
    pub fn lit(&mut self, store: &Store, t: Term) -> Lit {
        if let Node::Not(inner) = store.node(t) {
            return !self.lit_positive(store, inner);
        }
        self.lit_positive(store, t)
    }

    /// [`Context::lit`], unless the circuit of all that was translated would have more than so many gates: a measure of memory. What was
    /// made of it until then stays.
    pub fn lit_within(&mut self, store: &Store, t: Term, gates: u64) -> Option<Lit> {
        let inner = if let Node::Not(inner) = store.node(t) { inner } else { t };
        let floats = *self.floats.entry(inner).or_insert_with(|| ranges::speaks_of_floats(store, inner));
        // Circuits of floating-point operations are made where a question comes to the solver.
        if !floats && !self.by_term.contains_key(&inner) {
            self.blaster.bits_within(store, &mut self.gates, inner, gates)?;
        }
        Some(self.lit(store, t))
    }

    fn lit_positive(&mut self, store: &Store, t: Term) -> Lit {
        if let Some(&lit) = self.by_term.get(&t) {
            return lit;
        }
        assert_eq!(store.sort(t), Sort::Bool, "a literal is a truth value");
        let floats = *self.floats.entry(t).or_insert_with(|| ranges::speaks_of_floats(store, t));
        let sat_lit = if floats { 0 } else { self.emit(store, t) };
        let lit = self.new_atom(Atom::Term(t), sat_lit);
        self.by_term.insert(t, lit);
        lit
    }

    fn emit(&mut self, store: &Store, t: Term) -> i32 {
        let bit = self.blaster.bits(store, &mut self.gates, t)[0];
        self.gates.emit(&mut self.sat, bit)
    }

    /// Gives a literal its place in the SAT solver. Circuits of floating-point operations are large, and most questions about them never
    /// reach the solver: they are built when one does.
    fn translate(&mut self, store: &Store, lit: Lit) {
        if let (Atom::Term(t), 0) = self.atoms[lit.atom()] {
            self.atoms[lit.atom()].1 = self.emit(store, t);
        }
    }

    /// Makes the SAT solver know all that a question speaks of.
    pub(crate) fn translate_question(&mut self, store: &Store, assumptions: &[Lit]) {
        for &lit in assumptions {
            self.translate(store, lit);
        }
        for (act, clause) in std::mem::take(&mut self.deferred) {
            if let Atom::Activation(_) = self.atoms[act.atom()].0 {
                for &l in &clause {
                    self.translate(store, l);
                }
                self.guard_clause(act, &clause);
            }
        }
    }

    /// Gives the SAT solver a clause that holds where an activation literal does.
    fn guard_clause(&mut self, act: Lit, clause: &[Lit]) {
        let mut sat_clause = vec![-self.sat_lit(act)];
        sat_clause.extend(clause.iter().map(|&l| self.sat_lit(l)));
        self.sat.add_clause(&sat_clause);
    }

    /// A new literal that means nothing yet: see [`Context::block`].
    pub fn activation(&mut self) -> Lit {
        let var = self.gates.new_var();
        self.new_atom(Atom::Activation(Clauses::default()), var)
    }

    /// Demands that one of `clause` holds wherever `act` is assumed.
    pub fn block(&mut self, act: Lit, clause: &[Lit]) {
        match &mut self.atoms[act.atom()].0 {
            Atom::Activation(guarded) if !act.is_negated() => {
                guarded.clauses.push(clause.to_vec());
                for &l in clause {
                    let positive = if l.is_negated() { !l } else { l };
                    if guarded.known.insert(positive) {
                        guarded.lits.push(positive);
                    }
                }
            }
            _ => panic!("clauses are guarded by an activation literal that is not retired"),
        }
        if clause.iter().all(|l| self.atoms[l.atom()].1 != 0) {
            self.guard_clause(act, clause);
        } else {
            self.deferred.push((act, clause.to_vec()));
        }
    }

    /// Gives up the clauses of `act`, which must not be assumed again.
    pub fn retire(&mut self, act: Lit) {
        assert!(
            matches!(self.atoms[act.atom()].0, Atom::Activation(_)) && !act.is_negated(),
            "only an activation literal is retired, once"
        );
        self.sat.add_clause(&[-self.sat_lit(act)]);
        self.atoms[act.atom()].0 = Atom::Retired;
    }

    /// Can all assumptions hold together? At most `conflicts` conflicts are spent, `u64::MAX` meaning no limit.
    ///
    /// The core of an `Unsat` answer is minimised by deletion in the order of the assumptions, with what is left of the
    /// limit; where that does not suffice for an element, the element stays (counted in [`Stats::cores_cut_short`]).
    pub fn check(&mut self, store: &Store, assumptions: &[Lit], conflicts: u64) -> Answer {
        let start = self.sat.conflicts();
        match self.search(store, assumptions, conflicts) {
            Found::Core(core) => {
                let spent = self.sat.conflicts() - start;
                Answer::Unsat(self.minimise(store, assumptions, core, conflicts.saturating_sub(spent), conflicts))
            }
            Found::Refuted(core) => Answer::Unsat(core),
            Found::Model(assignment) => Answer::Sat(Model { assignment }),
            Found::Unknown(why) => Answer::Unknown(why),
        }
    }

    /// Like [`Context::check`], but the core is as the SAT solver gave it: for callers that only ask whether.
    pub fn decide(&mut self, store: &Store, assumptions: &[Lit], conflicts: u64) -> Answer {
        match self.search(store, assumptions, conflicts) {
            Found::Core(core) | Found::Refuted(core) => Answer::Unsat(core),
            Found::Model(assignment) => Answer::Sat(Model { assignment }),
            Found::Unknown(why) => Answer::Unknown(why),
        }
    }

    /// The answer that ranges of floating-point numbers give, if they do: no circuit is built.
    pub fn decide_by_ranges(&self, store: &Store, assumptions: &[Lit]) -> Option<Answer> {
        match self.by_ranges(store, assumptions.len(), assumptions, HARD_BOXES)? {
            Found::Core(core) | Found::Refuted(core) => Some(Answer::Unsat(core)),
            Found::Model(assignment) => Some(Answer::Sat(Model { assignment })),
            Found::Unknown(why) => Some(Answer::Unknown(why)),
        }
    }

    /// Solves, adding congruence lemmas as long as the model breaks one.
    fn search(&mut self, store: &Store, assumptions: &[Lit], conflicts: u64) -> Found {
        self.stats.queries += 1;
        self.refine(store, assumptions, conflicts)
    }

    fn refine(&mut self, store: &Store, asked: &[Lit], conflicts: u64) -> Found {
        let mut assumptions = asked.to_vec();
        assumptions.extend(self.axioms(store, asked));
        let assumptions = &assumptions[..];
        let floats = self.mentions_floats(store, asked);
        if floats {
            let hard = ranges::is_hard(store, &self.asked(asked));
            let boxes = if hard { self.hard_boxes } else { FIRST_BOXES };
            let found = self.by_ranges(store, asked.len(), assumptions, boxes);
            if hard {
                self.hard_boxes = if found.is_some() { HARD_BOXES } else { (self.hard_boxes / 2).max(FIRST_BOXES) };
            }
            if let Some(found) = found {
                return found;
            }
        }
        self.translate_question(store, assumptions);
        let sat_lits: Vec<i32> = assumptions.iter().map(|&l| self.sat_lit(l)).collect();
        let (mut roots, guards) = self.roots(assumptions);
        self.recall(store, assumptions, &mut roots);
        let mut relevant = self.gates.cone(&roots);
        relevant.extend(&guards);
        let mut related: FxHashSet<(Term, Term)> = FxHashSet::default();
        let start = self.sat.conflicts();
        let mut more = floats;
        loop {
            let spent = self.sat.conflicts() - start;
            let left = (conflicts != u64::MAX).then(|| conflicts.saturating_sub(spent));
            self.stats.solves += 1;
            let first = if more { Some(left.map_or(FIRST_CONFLICTS, |n| n.min(FIRST_CONFLICTS))) } else { left };
            match self.sat.solve(&sat_lits, &relevant, first) {
                None if more => {
                    more = false;
                    if let Some(found) = self.by_ranges(store, asked.len(), assumptions, MORE_BOXES) {
                        return found;
                    }
                    continue;
                }
                None => return Found::Unknown(Undecided::Conflicts(conflicts)),
                Some(false) => {
                    let core = (0..asked.len()).filter(|&i| self.sat.failed(sat_lits[i])).collect();
                    return Found::Core(core);
                }
                Some(true) => {}
            }
            let (assignment, broken) = match self.read_model(store, assumptions) {
                Ok(found) => found,
                Err(why) => return Found::Unknown(why),
            };
            if broken.is_empty() {
                return Found::Model(assignment);
            }
            // A pair whose addresses are read from memory themselves may seem broken because those reads are.
            let before = related.len();
            related.extend(broken.iter().copied());
            if related.len() == before {
                let (first, second) = broken[0];
                let why = format!("the model found breaks the congruence of {first} and {second}");
                return Found::Unknown(Undecided::Internal(why));
            }
            for (first, second) in broken {
                self.relate(store, first, second, &mut roots);
            }
            relevant = self.gates.cone(&roots);
            relevant.extend(&guards);
        }
    }

    pub(crate) fn mentions_floats(&mut self, store: &Store, asked: &[Lit]) -> bool {
        let terms = self.asked(asked);
        let mut found = false;
        for t in terms {
            found |= *self.floats.entry(t).or_insert_with(|| ranges::speaks_of_floats(store, t));
        }
        found
    }

    /// The answer that ranges of floating-point numbers give, if they do. The first `asked` assumptions are the caller's.
    fn by_ranges(&self, store: &Store, asked: usize, assumptions: &[Lit], boxes: u64) -> Option<Found> {
        let literal = |lit: &Lit| match self.atoms[lit.atom()].0 {
            Atom::Term(t) => Some((t, !lit.is_negated())),
            Atom::Activation(_) | Atom::Retired => None,
        };
        let all: Vec<Option<(Term, bool)>> = assumptions.iter().map(literal).collect();
        let literals: Vec<(Term, bool)> = all.iter().copied().flatten().collect();
        match ranges::decide(store, &literals, boxes) {
            Outcome::Open => None,
            // What clauses of activation literals say was not looked at.
            Outcome::Model(model) => (literals.len() == all.len()).then_some(Found::Model(model)),
            Outcome::Refuted => {
                let mut core: Vec<usize> = (0..asked).filter(|&i| all[i].is_some()).collect();
                let mut next = 0;
                while next < core.len() {
                    let mut rest = core.clone();
                    rest.remove(next);
                    let kept = rest.iter().filter_map(|&i| all[i]).chain(all[asked..].iter().copied().flatten());
                    match ranges::decide(store, &kept.collect::<Vec<_>>(), boxes.min(FIRST_BOXES)) {
                        Outcome::Refuted => core = rest,
                        Outcome::Model(_) | Outcome::Open => next += 1,
                    }
                }
                Some(Found::Refuted(core))
            }
        }
    }

    /// The terms that the assumptions speak of, those in clauses of activation literals included.
    fn asked(&self, assumptions: &[Lit]) -> Vec<Term> {
        let mut atoms: Vec<usize> = Vec::new();
        for lit in assumptions {
            atoms.push(lit.atom());
            if let Atom::Activation(guarded) = &self.atoms[lit.atom()].0 {
                atoms.extend(guarded.lits.iter().map(|l| l.atom()));
            }
        }
        let term = |atom: usize| if let Atom::Term(t) = self.atoms[atom].0 { Some(t) } else { None };
        atoms.into_iter().filter_map(term).collect()
    }

    /// Makes the lemmas that earlier questions needed about pairs of reads part of this one where the reads occur in it: it
    /// would break them too.
    fn recall(&mut self, store: &Store, assumptions: &[Lit], roots: &mut Vec<Bit>) {
        if self.related.is_empty() {
            return;
        }
        let mut reads: Vec<Term> = Vec::new();
        for t in self.asked(assumptions) {
            reads.extend(self.reads.entry(t).or_insert_with(|| store.reads_in(t)).iter());
        }
        reads.sort_unstable();
        reads.dedup();
        if reads.len() > MAX_RECALLED {
            return;
        }
        for (i, &first) in reads.iter().enumerate() {
            for &second in &reads[i + 1..] {
                let Some(&same) = self.related.get(&(first, second)) else { continue };
                roots.push(same);
                for t in [first, second] {
                    roots.extend(self.blaster.known(t).expect("reads that are related are translated"));
                }
            }
        }
    }

    /// What is known of the addresses of objects that the assumptions speak of.
    fn axioms(&mut self, store: &Store, assumptions: &[Lit]) -> Vec<Lit> {
        if !store.has_objects() {
            return Vec::new();
        }
        let mut symbols: Vec<Symbol> = Vec::new();
        for t in self.asked(assumptions) {
            symbols.extend(self.objects.entry(t).or_insert_with(|| store.object_symbols(t)).iter());
        }
        symbols.sort_unstable();
        symbols.dedup();
        store.object_axioms(&symbols).into_iter().map(|t| self.lit(store, t)).collect()
    }

    /// What the values of the assumptions depend on: bits, and activation literals inside clauses.
    fn roots(&self, assumptions: &[Lit]) -> (Vec<Bit>, Vec<i32>) {
        let (mut roots, mut guards) = (Vec::new(), Vec::new());
        let bit = |t: &Term| self.blaster.known(*t).expect("a literal's term is translated")[0];
        for lit in assumptions {
            match &self.atoms[lit.atom()].0 {
                Atom::Term(t) => roots.push(bit(t)),
                Atom::Activation(guarded) if !lit.is_negated() => {
                    for l in &guarded.lits {
                        match &self.atoms[l.atom()] {
                            (Atom::Term(t), _) => roots.push(bit(t)),
                            (Atom::Activation(_) | Atom::Retired, var) => guards.push(*var),
                        }
                    }
                }
                Atom::Activation(_) | Atom::Retired => {}
            }
        }
        (roots, guards)
    }

    /// Takes the values of the symbols below the assumptions from the SAT solver, evaluates the assumptions with them,
    /// and returns the pairs of reads that give one address of one map two values. Without such pairs, all assumptions
    /// hold.
    fn read_model(&mut self, store: &Store, assumptions: &[Lit]) -> Result<(Assignment, Vec<(Term, Term)>), Undecided> {
        let mut memo = std::mem::take(&mut self.memo);
        memo.clear();
        let mut leaves = FromSat {
            sat: &mut self.sat,
            gates: &self.gates,
            blaster: &self.blaster,
            assignment: Assignment::new(),
            witness: FxHashMap::default(),
            broken: Vec::new(),
        };
        let mut wrong = None;
        for &lit in assumptions {
            let holds = match &self.atoms[lit.atom()].0 {
                Atom::Term(t) => memo.eval(store, &mut leaves, *t).as_bool() != lit.is_negated(),
                // The clauses demand nothing where the activation literal is false.
                Atom::Activation(_) | Atom::Retired if lit.is_negated() => true,
                Atom::Activation(guarded) => guarded.clauses.iter().all(|clause| {
                    clause.iter().any(|l| match &self.atoms[l.atom()].0 {
                        Atom::Term(t) => memo.eval(store, &mut leaves, *t).as_bool() != l.is_negated(),
                        Atom::Activation(_) | Atom::Retired => leaves.truth(self.atoms[l.atom()].1) != l.is_negated(),
                    })
                }),
                Atom::Retired => false,
            };
            if !holds && wrong.is_none() {
                wrong = Some(lit);
            }
        }
        let (assignment, broken) = (leaves.assignment, leaves.broken);
        self.memo = memo;
        match wrong {
            Some(lit) if broken.is_empty() => {
                let what = match &self.atoms[lit.atom()].0 {
                    Atom::Term(t) => format!("assumption {t}"),
                    Atom::Activation(_) | Atom::Retired => "a blocking clause".to_owned(),
                };
                Err(Undecided::Internal(format!("the model found does not satisfy {what}")))
            }
            _ => Ok((assignment, broken)),
        }
    }

    /// Adds the congruence lemma of two reads of one map, equal addresses have equal values, unless it is there; and
    /// makes all it speaks of relevant for the question.
    fn relate(&mut self, store: &Store, first: Term, second: Term, roots: &mut Vec<Bit>) {
        let (Node::Select(_, a), Node::Select(_, b)) = (store.node(first), store.node(second)) else {
            panic!("congruence relates two reads")
        };
        if sabotage::active(Fault::CongruenceLemmaMissing) {
            return;
        }
        let (a, b) = without_common_offset(store, a, b);
        let mut word = |t: Term| self.blaster.bits(store, &mut self.gates, t).to_vec();
        let (a, b, v, w) = (word(a), word(b), word(first), word(second));
        let pair = (first.min(second), first.max(second));
        if let std::collections::hash_map::Entry::Vacant(entry) = self.related.entry(pair) {
            self.stats.lemmas += 1;
            let same = circuits::equal(&mut self.gates, &a, &b);
            entry.insert(same);
            let same = self.gates.emit(&mut self.sat, same);
            for (&p, &q) in v.iter().zip(&w) {
                let (p, q) = (self.gates.emit(&mut self.sat, p), self.gates.emit(&mut self.sat, q));
                self.sat.add_clause(&[-same, -p, q]);
                self.sat.add_clause(&[-same, p, -q]);
            }
        }
        roots.push(self.related[&pair]);
        roots.extend(v);
        roots.extend(w);
    }

    /// Deletes from `core`, in order, what is not needed.
    fn minimise(
        &mut self,
        store: &Store,
        assumptions: &[Lit],
        mut core: Vec<usize>,
        mut left: u64,
        limit: u64,
    ) -> Vec<usize> {
        let mut cut_short = false;
        // Everything before `next` is needed (or could not be decided).
        let mut next = 0;
        while next < core.len() {
            let rest: Vec<usize> = core.iter().copied().filter(|&i| i != core[next]).collect();
            let lits: Vec<Lit> = rest.iter().map(|&i| assumptions[i]).collect();
            let start = self.sat.conflicts();
            match self.refine(store, &lits, if limit == u64::MAX { u64::MAX } else { left }) {
                // The SAT solver may have used even less; what was found needed stays needed in any smaller core.
                Found::Core(used) | Found::Refuted(used) => core = used.into_iter().map(|i| rest[i]).collect(),
                Found::Model(_) => next += 1,
                Found::Unknown(_) => {
                    cut_short = true;
                    next += 1;
                }
            }
            left = left.saturating_sub(self.sat.conflicts() - start);
        }
        self.stats.cores_cut_short += u64::from(cut_short);
        core
    }
}

/// The SAT solver's model as a source of values, recording what was asked.
struct FromSat<'a, S> {
    sat: &'a mut S,
    gates: &'a Gates,
    blaster: &'a Blaster,
    assignment: Assignment,
    /// The read that gave a map its value at an address.
    witness: FxHashMap<(Symbol, Bits), Term>,
    broken: Vec<(Term, Term)>,
}

impl<S: SatSolver> FromSat<'_, S> {
    fn truth(&mut self, sat_lit: i32) -> bool {
        self.sat.value(sat_lit).unwrap_or(false)
    }

    /// A bit's value; one that the SAT solver never saw is false.
    fn bit(&mut self, bit: Bit) -> Option<bool> {
        let lit = self.gates.known_lit(bit)?;
        self.sat.value(lit)
    }

    fn word(&mut self, t: Term, width: u32) -> Bits {
        match self.blaster.known(t) {
            Some(bits) => Bits::from_fn(width, |i| self.bit(bits[i as usize]).unwrap_or(false)),
            None => Bits::zero(width),
        }
    }
}

impl<S: SatSolver> Leaves for FromSat<'_, S> {
    fn symbol(&mut self, t: Term, symbol: Symbol, sort: Sort) -> Value {
        let value = match sort {
            Sort::Bool => Value::Bool(self.word(t, 1).bit(0)),
            Sort::Bv(width) => Value::Bits(self.word(t, width)),
            Sort::Map { .. } => panic!("a map is not a value"),
        };
        self.assignment.set(symbol, value.clone());
        value
    }

    fn read(&mut self, t: Term, map: Symbol, addr: &Bits, width: u32) -> Bits {
        let value = self.word(t, width);
        match self.assignment.entry(map, addr).cloned() {
            None => {
                self.assignment.set_entry(map, addr.clone(), value.clone());
                self.witness.insert((map, addr.clone()), t);
                value
            }
            Some(known) => {
                if known != value {
                    let first = self.witness[&(map, addr.clone())];
                    self.broken.push((first, t));
                }
                known
            }
        }
    }
}

/// Two addresses that are equal exactly if `a` and `b` are: a constant that both add (the offset of a field) is left out.
fn without_common_offset(store: &Store, a: Term, b: Term) -> (Term, Term) {
    match (store.node(a), store.node(b)) {
        (Node::Bin(crate::term::BinOp::Add, x, c), Node::Bin(crate::term::BinOp::Add, y, d))
            if c == d && store.is_const(c) =>
        {
            (x, y)
        }
        _ => (a, b),
    }
}

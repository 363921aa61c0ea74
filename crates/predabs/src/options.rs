//! What can be chosen about an abstraction, and what is counted while it is made.

use vc::Events;

/// How `F_V` is computed. All give the same answer: all prime implicants up to the length limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CubeEngine {
    /// Cubes by increasing length (PLDI01 §5.2); a model found on the way refutes every cube that it satisfies.
    Cubes,
    /// A map solver proposes cubes that neither a known implicant nor a known model decides.
    Models,
    /// First every valuation in which the goal can fail, one question for each that no earlier question found; then cubes by
    /// increasing length, which need no question any more. With many predicates, or where there are very many valuations,
    /// as [`CubeEngine::Cubes`].
    States,
}

/// What saves questions (PLDI01 §5.2). Each can be left out, to see what it saves. The paper has it that none changes what the
/// boolean program does on the states that `enforce` keeps; without `unchanged` there are more statements, and without
/// `syntactic` more implicants are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optimisations {
    /// First: shorter cubes are asked about before longer ones (by the engines that go through the cubes).
    pub order: bool,
    /// First: a cube that contains an implicant is not asked about, as only prime ones are wanted.
    pub priming: bool,
    /// First: a cube that contains one that implies the opposite, or that no state satisfies, is not asked about.
    pub pruning: bool,
    /// Second: a predicate that a step does not change is not computed anew.
    pub unchanged: bool,
    /// Third: only predicates in the cone of influence take part.
    pub cone: bool,
    /// Fourth: a constant, and a formula that is a tracked predicate, need no question.
    pub syntactic: bool,
    /// Fifth: what was found for the same formula at another place is not asked again.
    pub cache: bool,
    /// `F(φ ∧ ψ)` is `F(φ) ∧ F(ψ)`.
    pub conjuncts: bool,
    /// A state that the solver found refutes every cube that holds in it. (Not in the paper: its prover gave no models.)
    pub models: bool,
}

impl Optimisations {
    /// All of them.
    pub const ALL: Optimisations = Optimisations {
        order: true,
        priming: true,
        pruning: true,
        unchanged: true,
        cone: true,
        syntactic: true,
        cache: true,
        conjuncts: true,
        models: true,
    };
}

/// Limits and choices. Every limit that is reached makes the abstraction coarser and is counted; none makes it unsound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How `F_V` is computed.
    pub engine: CubeEngine,
    /// The longest cube that is looked at for `F_V`.
    pub max_cube: usize,
    /// The longest cube that `enforce` rules out; 0 means no `enforce`.
    pub enforce_cube: usize,
    /// The longest cube of returned and kept predicates that is ruled out after a call.
    pub return_cube: usize,
    /// Conflicts that one question may cost the solver; fewer for very large questions.
    pub conflicts: u64,
    /// Questions that one computation of `F_V` may ask.
    pub queries: u64,
    /// What all questions of one abstraction may cost together. A question costs as much as there are variables, for every time
    /// that the solver is called.
    pub work: u64,
    /// What saves questions.
    pub saves: Optimisations,
    /// Whether `F_V` of a disjunction is that of its parts, each by itself: fewer questions, and less precise.
    pub split_disjunctions: bool,
    /// What events on which no proof may build do, such as access through a null pointer. Where they end executions, what is left
    /// is enough to find a run that breaks the property, not to prove that there is none.
    pub events: Events,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            engine: CubeEngine::Cubes,
            max_cube: 3,
            enforce_cube: 3,
            return_cube: 2,
            conflicts: 5_000,
            queries: 1_000,
            work: u64::MAX,
            saves: Optimisations::ALL,
            split_disjunctions: false,
            events: Events::GoOn,
        }
    }
}

/// What one abstraction cost, and where limits made it coarser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Computations of `F_V` asked for.
    pub strengthenings: u64,
    /// Those answered by looking at the formula: a constant, or a tracked predicate.
    pub shortcuts: u64,
    /// Those answered from the cache.
    pub cache_hits: u64,
    /// Those that extended a cached answer by what new predicates add.
    pub cache_extended: u64,
    /// Searches answered by one for the same formula at another place.
    pub same_question: u64,
    /// Searches answered by one in another program.
    pub from_store: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// Calls of the SAT solver: at least one for each question, one more for each round of congruence lemmas, and those
    /// of the solver that proposes cubes.
    pub sat_calls: u64,
    /// Those that the long-lived context gave up and a fresh one was asked.
    pub hard_queries: u64,
    /// Cubes that needed no question because a known model refutes them.
    pub refuted_by_model: u64,
    /// Questions that the solver did not decide within its limit.
    pub undecided: u64,
    /// Computations that ended at the limit of questions.
    pub cut_short: u64,
    /// Cones of influence with more predicates than one search can combine.
    pub cones_cut: u64,
    /// Cubes in all answers.
    pub cubes: u64,
}

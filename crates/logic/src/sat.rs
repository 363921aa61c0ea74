//! The SAT solvers behind the embedded backend, and what they have in common.
//!
//! Variables are positive integers given out by the user of the trait; a literal is a variable or its negation, as in
//! DIMACS. Clauses are never removed.

use crate::cdcl::Cdcl;

/// What the embedded backend needs of an incremental SAT solver. `solve` must be deterministic.
pub trait SatSolver {
    /// Adds a clause for good.
    fn add_clause(&mut self, clause: &[i32]);
    /// Solves all clauses under the assumptions; `None` when `conflicts` conflicts did not suffice.
    ///
    /// `relevant` are the variables whose values decide: every assignment of them that breaks no clause made of them
    /// alone extends to all variables. A solver may answer `Some(true)` when those are assigned.
    fn solve(&mut self, assumptions: &[i32], relevant: &[i32], conflicts: Option<u64>) -> Option<bool>;
    /// After `Some(true)`: whether the literal is true; `None` where its value does not matter.
    fn value(&mut self, lit: i32) -> Option<bool>;
    /// After `Some(false)`: whether the assumption was used.
    fn failed(&mut self, assumption: i32) -> bool;
    /// Conflicts met so far.
    fn conflicts(&mut self) -> u64;
}

/// Which SAT solver a context uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Config {
    /// Our own small solver, which decides only what the question is about: for contexts that live long and answer many
    /// tiny questions.
    #[default]
    Cone,
    /// CaDiCaL with its own defaults: for one large question in a fresh context.
    Full,
    /// CaDiCaL without preprocessing.
    Plain,
}

/// One of the SAT solvers.
pub enum EitherSolver {
    /// Ours.
    Cone(Box<Cdcl>),
    /// CaDiCaL.
    Cadical(Cadical),
}

impl EitherSolver {
    /// The solver that `config` names, empty.
    pub fn new(config: Config) -> EitherSolver {
        match config {
            Config::Cone => EitherSolver::Cone(Box::default()),
            Config::Full => EitherSolver::Cadical(Cadical::new("default")),
            Config::Plain => EitherSolver::Cadical(Cadical::new("plain")),
        }
    }
}

impl SatSolver for EitherSolver {
    fn add_clause(&mut self, clause: &[i32]) {
        match self {
            EitherSolver::Cone(s) => s.add_clause(clause),
            EitherSolver::Cadical(s) => s.add_clause(clause),
        }
    }

    fn solve(&mut self, assumptions: &[i32], relevant: &[i32], conflicts: Option<u64>) -> Option<bool> {
        match self {
            EitherSolver::Cone(s) => s.solve(assumptions, relevant, conflicts),
            EitherSolver::Cadical(s) => s.solve(assumptions, relevant, conflicts),
        }
    }

    fn value(&mut self, lit: i32) -> Option<bool> {
        match self {
            EitherSolver::Cone(s) => s.value(lit),
            EitherSolver::Cadical(s) => s.value(lit),
        }
    }

    fn failed(&mut self, assumption: i32) -> bool {
        match self {
            EitherSolver::Cone(s) => s.failed(assumption),
            EitherSolver::Cadical(s) => s.failed(assumption),
        }
    }

    fn conflicts(&mut self) -> u64 {
        match self {
            EitherSolver::Cone(s) => s.conflicts(),
            EitherSolver::Cadical(s) => s.conflicts(),
        }
    }
}

/// CaDiCaL.
pub struct Cadical {
    solver: cadical::Solver<Count>,
}

/// Counts learned clauses: the crate shows no statistics, and each conflict learns one clause.
struct Count(u64);

impl cadical::Callbacks for Count {
    fn max_length(&self) -> i32 {
        i32::MAX
    }
    fn learn(&mut self, _: &[i32]) {
        self.0 += 1;
    }
}

impl Cadical {
    /// An empty solver with one of CaDiCaL's named configurations.
    fn new(name: &str) -> Cadical {
        let mut solver: cadical::Solver<Count> =
            cadical::Solver::with_config(name).expect("CaDiCaL knows its own configurations");
        solver.set_callbacks(Some(Count(0)));
        Cadical { solver }
    }
}

impl SatSolver for Cadical {
    fn add_clause(&mut self, clause: &[i32]) {
        self.solver.add_clause(clause.iter().copied());
    }

    fn solve(&mut self, assumptions: &[i32], _: &[i32], conflicts: Option<u64>) -> Option<bool> {
        // The limit holds for one call; a negative one is none.
        let limit = conflicts.map_or(-1, |n| i32::try_from(n).unwrap_or(i32::MAX));
        self.solver.set_limit("conflicts", limit).expect("CaDiCaL knows its own limits");
        self.solver.solve_with(assumptions.iter().copied())
    }

    fn value(&mut self, lit: i32) -> Option<bool> {
        self.solver.value(lit)
    }

    fn failed(&mut self, assumption: i32) -> bool {
        self.solver.failed(assumption)
    }

    fn conflicts(&mut self) -> u64 {
        self.solver.get_callbacks().expect("the callbacks were set").0
    }
}

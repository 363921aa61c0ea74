//! The SAT solver behind the embedded backend.
//!
//! Variables are positive integers given out by the user of the trait; a literal is a variable or its negation, as in
//! DIMACS. Clauses are never removed.

/// What the embedded backend needs of an incremental SAT solver. `solve` must be deterministic.
pub trait SatSolver {
    /// Adds a clause for good.
    fn add_clause(&mut self, clause: &[i32]);
    /// Solves all clauses under the assumptions; `None` when `conflicts` conflicts did not suffice.
    fn solve(&mut self, assumptions: &[i32], conflicts: Option<u64>) -> Option<bool>;
    /// After `Some(true)`: whether the literal is true; `None` where its value does not matter.
    fn value(&mut self, lit: i32) -> Option<bool>;
    /// After `Some(false)`: whether the assumption was used.
    fn failed(&mut self, assumption: i32) -> bool;
    /// Conflicts met so far.
    fn conflicts(&mut self) -> u64;
}

/// Which of CaDiCaL's configurations to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Config {
    /// CaDiCaL's own defaults, with preprocessing during the search.
    Full,
    /// No preprocessing: faster on many tiny incremental queries.
    #[default]
    Plain,
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
    /// An empty solver.
    pub fn new(config: Config) -> Cadical {
        let name = match config {
            Config::Full => "default",
            Config::Plain => "plain",
        };
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

    fn solve(&mut self, assumptions: &[i32], conflicts: Option<u64>) -> Option<bool> {
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

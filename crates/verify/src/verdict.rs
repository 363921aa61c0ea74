//! Verdicts with their evidence, and what engines share.

use crate::divergence::Divergence;
use certify::{Checked, Counterexample, Proof};
use ir::{EdgeId, FuncId, Path};
use predabs::Abstraction;
use vc::{Predicate, Predicates};

/// The answer to "can a target be reached?", with evidence that other code has checked.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No execution reaches a target.
    Safe(Checked<Proof>),
    /// This one does.
    Unsafe(Checked<Counterexample>),
    /// Not decided.
    Unknown(Reason),
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What stood in the way, as a phrase.
    pub cause: String,
    /// The phase in which it did.
    pub phase: Option<&'static str>,
    /// The round of the refinement loop in which it did.
    pub iteration: Option<u64>,
    /// Where in the program, if at one place.
    pub at: Option<(FuncId, EdgeId)>,
    /// What the refinement loop was working on.
    pub divergence: Option<Box<Divergence>>,
    /// A limit stood in the way: with more, there may be a verdict.
    pub by_limit: bool,
}

impl Reason {
    /// A reason without a place.
    pub fn new(cause: impl Into<String>) -> Reason {
        Reason { cause: cause.into(), phase: None, iteration: None, at: None, divergence: None, by_limit: false }
    }

    /// A limit that was reached.
    pub(crate) fn limit(cause: impl Into<String>) -> Reason {
        Reason { by_limit: true, ..Reason::new(cause) }
    }

    /// A reason at a place of the program.
    pub fn at(cause: impl Into<String>, func: FuncId, edge: EdgeId) -> Reason {
        Reason { at: Some((func, edge)), ..Reason::new(cause) }
    }

    pub(crate) fn in_phase(mut self, phase: &'static str) -> Reason {
        self.phase = self.phase.or(Some(phase));
        self
    }
}

/// A way of looking for a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// [`crate::concrete`].
    Concrete,
    /// [`crate::bounded`].
    Bounded,
    /// [`crate::induction`].
    Induction,
    /// [`crate::abstraction`].
    Abstraction,
}

impl Engine {
    /// All engines, in the order in which they are tried.
    pub const ALL: [Engine; 4] = [Engine::Concrete, Engine::Bounded, Engine::Induction, Engine::Abstraction];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Concrete => "concrete",
            Engine::Bounded => "bounded",
            Engine::Induction => "induction",
            Engine::Abstraction => "abstraction",
        }
    }
}

/// A turn of an engine: how much it may do before the others have theirs. Budgets grow from turn to turn, so that what is done
/// again costs little.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Turn(u32);

impl Turn {
    /// A first look.
    pub(crate) const FIRST: Turn = Turn(0);
    /// All that the settings allow.
    pub(crate) const LAST: Turn = Turn(8);

    /// All turns, in order.
    pub(crate) fn all() -> impl Iterator<Item = Turn> {
        (Turn::FIRST.0..=Turn::LAST.0).map(Turn)
    }

    /// How many turns there were before.
    pub(crate) fn number(self) -> u64 {
        self.0.into()
    }

    /// A limit in this turn: `first` in the first, `growth` times as much in each that follows, and never more than `most`.
    pub(crate) fn limit(self, first: u64, growth: u64, most: u64) -> u64 {
        if self == Turn::LAST { most } else { first.saturating_mul(growth.saturating_pow(self.0)).min(most) }
    }

    /// The same for a small limit.
    pub(crate) fn small_limit(self, first: u32, growth: u32, most: u32) -> u32 {
        self.limit(u64::from(first), u64::from(growth), u64::from(most)) as u32
    }
}

/// What the search is given.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The engines, in order.
    pub engines: Vec<Engine>,
    /// Whether a slice of the program is looked at first: of use where most of the program has nothing to do with its targets.
    pub slice: bool,
    /// Limits of the concrete engine.
    pub concrete: crate::concrete::Limits,
    /// Limits of the bounded engine.
    pub bounded: crate::bounded::Limits,
    /// Limits of the induction engine.
    pub induction: crate::induction::Limits,
    /// Limits of the abstraction engine.
    pub abstraction: crate::abstraction::Limits,
    /// Predicates that the abstraction engine starts with, in canonical form.
    pub predicates: Vec<Predicate>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            engines: Engine::ALL.to_vec(),
            slice: false,
            concrete: crate::concrete::Limits::default(),
            bounded: crate::bounded::Limits::default(),
            induction: crate::induction::Limits::default(),
            abstraction: crate::abstraction::Limits::default(),
            predicates: Vec::new(),
        }
    }
}

/// Hears what the search is doing; may not influence it.
pub trait Progress {
    /// A phase begins.
    fn phase(&mut self, phase: &'static str);
    /// The phase has come so far, in its own unit.
    fn reached(&mut self, count: u64);
    /// This round looks at this path.
    fn path(&mut self, _iteration: u64, _path: &Path) {}
    /// Something that can be looked at was made in this round: the predicates (`preds`) or the boolean program (`bp`);
    /// before the first round (0), the location invariants (`invariants`). The text is made only if it is wanted.
    fn artifact(&mut self, _kind: &'static str, _iteration: u64, _text: &dyn Fn() -> String) {}
    /// An engine has come to the end of its turn without a verdict, for this reason.
    fn gave_up(&mut self, _engine: Engine, _reason: &Reason) {}
    /// A round of the abstraction engine searches this boolean program, over these predicates: for oracles, which search
    /// it on their own.
    fn abstracted(&mut self, _abstraction: &Abstraction, _predicates: &Predicates) {}
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn phase(&mut self, _: &'static str) {}
    fn reached(&mut self, _: u64) {}
}

/// One round of the refinement loop, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Iteration {
    /// Predicates at its start.
    pub predicates: u64,
    /// Constraints at its start.
    pub constraints: u64,
    /// Questions that the abstraction asked the solver.
    pub solver_queries: u64,
    /// Visits of statements by the model checker.
    pub reach_steps: u64,
    /// Nodes of decision diagrams made.
    pub reach_nodes: u64,
    /// Edges of the path it looked at; 0 if there was none.
    pub path_length: u64,
    /// Predicates it added.
    pub new_predicates: u64,
    /// Constraints it added.
    pub new_constraints: u64,
}

/// What the search did, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Steps of the interpreter.
    pub interpreter_steps: u64,
    /// Runs of the interpreter.
    pub runs: u64,
    /// The program took nothing from outside in its only run.
    pub closed: bool,
    /// Paths (segments between branches) that the bounded engine looked at.
    pub path_segments: u64,
    /// Questions to the solver.
    pub solver_queries: u64,
    /// Conflicts of the solver.
    pub solver_conflicts: u64,
    /// Location invariants generated before the refinement loop.
    pub invariants: u64,
    /// The rounds of the refinement loop.
    pub iterations: Vec<Iteration>,
    /// Predicates in the end.
    pub predicates: u64,
    /// Constraints in the end.
    pub constraints: u64,
}

/// A verdict and how it came about.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The engine that found it; none for UNKNOWN.
    pub engine: Option<Engine>,
    /// What was done.
    pub stats: Stats,
}

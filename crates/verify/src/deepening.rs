//! How far an unwinding goes: loops are followed as far as they may be, and not into rounds that cannot begin.

use ir::{FuncId, Loc};
use logic::{Context, GATES_PER_VARIABLE};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use vc::Encoder;
use vc::unwinding::{Guide, Passing};

/// What one unwinding may cost.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    /// Edges.
    pub(crate) edges: u64,
    /// Terms: reads of memory behind many writes through unknown pointers make thousands for one edge.
    pub(crate) terms: u64,
    /// Questions to the solver.
    pub(crate) queries: u64,
    /// Solver conflicts for one of those.
    pub(crate) conflicts_per_query: u64,
    /// Solver variables of all of them: where formulas are large, a question costs much without a conflict.
    pub(crate) variables: u64,
    /// Rounds of a loop of which nothing else is said.
    pub(crate) first_rounds: u32,
    /// Whether every round is tested for whether it can begin; otherwise those whose number is a power of two.
    pub(crate) test_every_round: bool,
}

/// Follows loops as far as they may be followed in this unwinding, and not into rounds that cannot begin.
pub(crate) struct Deepening<'s> {
    bounds: &'s Bounds,
    /// How far loops are followed where that is more than at first.
    rounds: &'s BTreeMap<(FuncId, Loc), u32>,
    pub(crate) edges: u64,
    pub(crate) queries: u64,
    pub(crate) context: Context,
    /// The rounds that were shown not to begin, by the place of their loop in the unwinding.
    pub(crate) dead: FxHashMap<u64, u32>,
    /// How often it was granted to go on, by the place of the loop.
    pub(crate) granted: FxHashMap<u64, u32>,
}

impl<'s> Deepening<'s> {
    /// Begins with so many questions asked and rounds known to be dead from earlier unwindings.
    pub(crate) fn new(
        bounds: &'s Bounds,
        rounds: &'s BTreeMap<(FuncId, Loc), u32>,
        queries: u64,
        dead: FxHashMap<u64, u32>,
    ) -> Deepening<'s> {
        let (context, granted) = (Context::new(), FxHashMap::default());
        Deepening { bounds, rounds, edges: 0, queries, context, dead, granted }
    }

    /// Whether the solver can show that execution does not come here.
    fn is_dead(&mut self, enc: &Encoder<'_>, passing: &Passing) -> bool {
        if let Some(&round) = self.dead.get(&passing.context) {
            return passing.round >= round;
        }
        let tested = self.bounds.test_every_round || passing.round.is_power_of_two();
        if !tested || enc.store.bool_of(passing.condition).is_some() || self.queries >= self.bounds.queries {
            return false;
        }
        if self.context.stats().variables > self.bounds.variables {
            return false;
        }
        self.queries += 1;
        let gates = self.bounds.variables.saturating_mul(GATES_PER_VARIABLE);
        let Some(lit) = self.context.lit_within(&enc.store, passing.condition, gates) else { return false };
        let dead = self.context.decide(&enc.store, &[lit], self.bounds.conflicts_per_query).is_unsat();
        if dead {
            self.dead.insert(passing.context, passing.round);
        }
        dead
    }
}

impl Guide for Deepening<'_> {
    fn afford(&mut self, enc: &Encoder<'_>) -> bool {
        self.edges += 1;
        self.edges <= self.bounds.edges && enc.store.len() as u64 <= self.bounds.terms
    }

    fn go_on(&mut self, enc: &mut Encoder<'_>, passing: &Passing) -> bool {
        if self.edges >= self.bounds.edges || enc.store.len() as u64 > self.bounds.terms {
            return false;
        }
        let allowed = self.rounds.get(&(passing.func, passing.head)).copied().unwrap_or(self.bounds.first_rounds);
        let before = match passing.recursion {
            true => passing.round - 1,
            false => self.granted.get(&passing.context).copied().unwrap_or(0),
        };
        if !passing.certain && (before >= allowed || self.is_dead(enc, passing)) {
            return false;
        }
        *self.granted.entry(passing.context).or_default() += u32::from(!passing.certain);
        true
    }
}

/// Goes on as often as it was granted before.
pub(crate) struct Again {
    granted: FxHashMap<u64, u32>,
    edges: u64,
}

impl Again {
    /// Repeats what was granted, over at most so many edges.
    pub(crate) fn new(granted: FxHashMap<u64, u32>, edges: u64) -> Again {
        Again { granted, edges }
    }
}

impl Guide for Again {
    fn afford(&mut self, _: &Encoder<'_>) -> bool {
        self.edges = self.edges.saturating_sub(1);
        self.edges > 0
    }

    fn go_on(&mut self, _: &mut Encoder<'_>, passing: &Passing) -> bool {
        let left = self.granted.entry(passing.context).or_default();
        let more = *left > 0;
        *left = left.saturating_sub(1);
        more
    }
}

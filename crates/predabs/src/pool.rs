//! States that the solver found, kept for the questions that follow: a state in which a cube holds and the goal does not
//! refutes the cube without a question, whichever question the state was found for.

use logic::{Assignment, Evaluator, Store, Term};
use rustc_hash::FxHashMap;

/// How many states are kept.
const SIZE: usize = 1024;

/// States of one function, the newest replacing the oldest.
#[derive(Default)]
pub(crate) struct Pool {
    states: Vec<State>,
    next: usize,
}

struct State {
    values: Assignment,
    /// Truth values that were asked for.
    known: FxHashMap<Term, bool>,
}

impl State {
    fn holds(&mut self, store: &Store, t: Term) -> bool {
        *self.known.entry(t).or_insert_with(|| Evaluator::new(store, &self.values).eval(t).as_bool())
    }
}

impl Pool {
    /// Forgets all states: they mean nothing in another function.
    pub(crate) fn clear(&mut self) {
        *self = Pool::default();
    }

    pub(crate) fn add(&mut self, values: Assignment) {
        let state = State { values, known: FxHashMap::default() };
        if self.states.len() < SIZE {
            self.states.push(state);
        } else {
            self.states[self.next] = state;
            self.next = (self.next + 1) % SIZE;
        }
    }

    /// The valuations of `words` in the states in which all of `all` hold.
    pub(crate) fn valuations(&mut self, store: &Store, words: &[Term], all: &[Term]) -> Vec<u128> {
        let mut found = Vec::new();
        for state in &mut self.states {
            if all.iter().all(|&t| state.holds(store, t)) {
                let bits = words.iter().enumerate().map(|(i, &t)| u128::from(state.holds(store, t)) << i);
                found.push(bits.fold(0, |all, bit| all | bit));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

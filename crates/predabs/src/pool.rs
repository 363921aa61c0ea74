//! States that the solver found, kept for the questions that follow: a state in which a cube holds and the goal does not
//! refutes the cube without a question, whichever question the state was found for.
//!
//! A pool begins with a few states that nobody had to find: small numbers, and pointers that are null, equal or different.
//! Nothing depends on them but the number of questions: what is assumed is evaluated in every state before it refutes.

use base::rng::Rng;
use logic::{Assignment, Bits, Evaluator, Sort, Store, Symbol, Term, Value};
use rustc_hash::FxHashMap;

/// How many states are kept.
const SIZE: usize = 1024;

/// How many states a pool begins with.
const GUESSED: u64 = 48;

/// The addresses of guessed states lie so far apart.
const FAR: u64 = 0x1_0000;

/// Guessed maps have values at so many of them.
const MOST_PLACES: u64 = 6;

/// Offsets at which guessed maps have values.
const OFFSETS: [u64; 7] = [0, 4, 8, 12, 16, 20, 24];

/// States of one function, the newest replacing the oldest.
#[derive(Default)]
pub(crate) struct Pool {
    states: Vec<PooledState>,
    next: usize,
}

struct PooledState {
    values: Assignment,
    /// Truth values that were asked for.
    known: FxHashMap<Term, bool>,
}

impl PooledState {
    fn holds(&mut self, store: &Store, t: Term) -> bool {
        *self.known.entry(t).or_insert_with(|| Evaluator::new(store, &self.values).eval(t).as_bool())
    }
}

impl Pool {
    /// Forgets all states: they mean nothing in another function.
    pub(crate) fn clear(&mut self) {
        *self = Pool::default();
    }

    /// Adds states of the given symbols, `width` being that of a pointer. Those in `objects` are addresses of objects.
    pub(crate) fn guess(&mut self, store: &Store, symbols: &[Symbol], objects: &[Symbol], width: u32) {
        for seed in 0..GUESSED {
            let rng = &mut Rng::new(seed);
            let places = objects.len() as u64 + 1 + rng.below(3);
            let mut values = Assignment::new();
            let value = |rng: &mut Rng, bits: u32| {
                let n = match rng.below(8) {
                    0..=3 if bits == width => FAR * rng.below(places + 1),
                    0..=2 => 0,
                    3 | 4 => 1,
                    5 => u64::MAX,
                    _ => rng.below(16),
                };
                Bits::new(bits, n)
            };
            for &s in symbols {
                match (objects.iter().position(|&o| o == s), store.sort(store.symbol_term(s))) {
                    (Some(i), _) => values.set(s, Value::Bits(Bits::new(width, FAR * (i as u64 + 1)))),
                    (None, Sort::Bool) => values.set(s, Value::Bool(rng.chance(50))),
                    (None, Sort::Bv(bits)) => values.set(s, Value::Bits(value(rng, bits))),
                    (None, Sort::Map { value: bits, .. }) => {
                        for place in 0..=places.min(MOST_PLACES) {
                            for offset in OFFSETS {
                                let entry = value(rng, bits);
                                values.set_entry(s, Bits::new(width, FAR * place + offset), entry);
                            }
                        }
                    }
                }
            }
            self.add(values);
        }
    }

    pub(crate) fn add(&mut self, values: Assignment) {
        let state = PooledState { values, known: FxHashMap::default() };
        if self.states.len() < SIZE {
            self.states.push(state);
        } else {
            self.states[self.next] = state;
            self.next = (self.next + 1) % SIZE;
        }
    }

    /// The valuations of `instances` in the states in which all of `all` hold.
    pub(crate) fn valuations(&mut self, store: &Store, instances: &[Term], all: &[Term]) -> Vec<u128> {
        let mut found = Vec::new();
        for state in &mut self.states {
            if all.iter().all(|&t| state.holds(store, t)) {
                let bits = instances.iter().enumerate().map(|(i, &t)| u128::from(state.holds(store, t)) << i);
                found.push(bits.fold(0, |all, bit| all | bit));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

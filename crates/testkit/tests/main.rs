//! The oracles that cross crates, in their normal budget.
//!
//! One binary for all: every test binary links the whole tree. `cargo test -p testkit agreement::` runs one module.

mod agreement;
mod checks;
mod containment;
mod differential;
mod environments;
mod fixtures;
mod generator;
mod identity;
mod jumps;
mod library;
mod memory;
mod precision;
mod predicates;
mod proofs;
mod refinement;
mod replays;
mod rules;
#[cfg(feature = "sabotage")]
mod sabotage;
mod sanitizers;
mod spark;
mod steps;
mod unwinding;

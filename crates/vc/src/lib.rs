//! What IR means in logic. One evaluator gives it meaning, and nothing else does: a [`State`] has a term per variable,
//! [`Encoder::eval`] reads an expression in a state, [`Encoder::step`] takes a state across an edge and says what was
//! assumed, [`Encoder::enter`] and [`Encoder::leave`] make and end activations. All other formulas are made of these:
//!
//! - a path formula folds `step` over a path ([`path`]), one tagged assumption per edge;
//! - a loop-free block is `step` over a graph with states merged where paths meet ([`block`]);
//! - the weakest precondition of φ under an edge is `eval(φ, s')` after `step` from a symbolic `s`;
//! - a proof obligation is `eval(I, s) ∧ assumptions ⇒ eval(I', s')`.
//!
//! `step` is tested state by state against `ir::interp`; it is part of the trusted base. Where the encoding does not
//! cover an operation it says so with [`Unmodelled`]: no formula is ever weaker or stronger than the program in silence.

mod allocation;
pub mod block;
mod bounds;
mod constant;
mod contract;
mod eval;
pub mod float;
mod known;
mod lifetimes;
mod location_invariants;
mod math;
mod memory;
pub mod path;
pub mod predicate;
mod state;
mod step;
pub mod strings;
pub mod unwinding;

pub use analysis::Unmodelled;
pub use location_invariants::LocationInvariants;
pub use predicate::{Constraint, PredId, Predicate, Predicates, Scope, canonical, simplify, split};
pub use state::{Entry, Frame, Ghost, Ghosts, Shared, State};
pub use step::{Assumption, AssumptionId, Cause, Effects, Encoder, Events, InputKind, NondetInput};

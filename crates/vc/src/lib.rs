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

pub mod block;
mod constant;
mod contract;
mod eval;
mod facts;
mod life;
mod lives;
mod makers;
mod memory;
pub mod path;
pub mod predicate;
mod state;
mod step;
pub mod texts;
pub mod written;

pub use facts::Facts;
pub use life::Ghost;
pub use memory::Memory;
pub use predicate::{Constraint, PredId, Predicate, Predicates, Scope, canonical, simplify, split};
pub use state::{Entry, Frame, State};
pub use step::{Assumption, Draw, DrawKind, Effects, Encoder, Events, Unmodelled, Why};

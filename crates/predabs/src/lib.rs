//! Predicate abstraction (C2bp): IR and predicates to a boolean program that simulates it, and the map back.
//!
//! - [`abstract_program`] makes the boolean program: one procedure per function, one variable per predicate, statement by
//!   statement (PLDI01 §4, TOPLAS05 §4). [`Abstraction`] is the way back.
//! - [`complete`] adds the predicates that others need to be of use across calls; call it before.
//! - [`post`](post()) is one step seen through predicates, Boolean and Cartesian (TACAS01).
//! - [`predfile`] makes predicates of what a user wrote, and writes them so that they read back.
//!
//! Every limit ([`Options`]) makes the boolean program coarser, never unsound, and is counted ([`Stats`]).

mod abstraction;
mod answers;
mod cache;
mod call;
mod connected;
mod cube;
pub mod direct;
mod emit;
mod equations;
mod interface;
mod lattice;
mod options;
#[cfg(any(test, feature = "testing"))]
pub mod oracle;
mod pool;
mod post;
pub mod predfile;
mod procedure;
mod program;
mod prover;
mod search;
mod strengthen;

pub use abstraction::{Abstraction, FunctionMap, LiftedStep, Origin, Target, TargetKind};
pub use answers::Answers;
pub use cache::Cache;
pub use interface::{Interface, complete, conditions};
pub use options::{CubeEngine, Optimisations, Options, Stats};
pub use post::{Images, NoImages, post};
pub use program::{Error, abstract_program, interfaces};

//! Bebop: the model checker for sequential boolean programs with unbounded recursion.
//!
//! [`analyze`] computes, for every statement of every procedure that can be called, its *path edges*: the pairs of
//! (globals and formals when this activation began, globals and locals now) that executions produce (Ball and Rajamani,
//! "Bebop: a symbolic model checker for boolean programs", SPIN 2000; TR00 §3). Calls are joined with the callee's
//! *summary*, so recursion needs no stack and no bound.
//!
//! An [`Reachability`] answers: is a label reached, can an assertion fail ([`Reachability::reaches`]); the shortest trace to it
//! ([`Reachability::trace`]), which [`boolprog::interp::replay`] accepts; the invariant at any statement as a sum of cubes for
//! people ([`Reachability::invariant`]) and as a graph for proofs ([`Reachability::path_edges`]); the summary of a procedure. And
//! it checks itself: [`Reachability::certify`] shows that its sets are closed under every statement.
//!
//! [`equiv`](equiv()) compares two boolean programs statement by statement, modulo `enforce`.
//!
//! Nothing here knows C, files or clocks. Work is limited by counts; running out ends in [`Unknown`].

mod certify;
#[cfg(any(test, feature = "testing"))]
pub mod compare;
mod entries;
mod equiv;
mod expr;
mod live;
mod machine;
mod order;
mod project;
mod reachability;
mod relevance;
mod space;
mod spine;
mod tabulation;
mod trace;
mod transfer;

pub use certify::NotClosed;
pub use equiv::{Difference, equiv};
pub use reachability::{
    Cubes, InvariantDag, Options, Reachability, SlotRole, Stats, Target, Unknown, analyze, analyze_with, targets,
};
pub use space::{Role, Space};
pub use trace::NoTrace;
pub use transfer::{Compiled, EdgeId, Relation, Transfer, TransferError};

//! Canonical boolean functions: a thin wrapper over OxiDD's binary decision diagrams, so that nothing else sees its
//! generics, its locks or its threads.
//!
//! - A [`Manager`] owns the nodes; a [`Bdd`] is a handle to a function and keeps its nodes alive. Equal functions have
//!   equal handles.
//! - Running out of nodes is the value [`OutOfNodes`], never a panic, and is the same on every machine: the library's
//!   background collector starts near the capacity, so whoever crosses that mark has run out, whether or not the
//!   collector was quick ([`Manager::maintain`]).
//! - [`isop`](Manager::isop) gives people an irredundant sum of products, [`dag`](Manager::dag) gives proofs one entry
//!   per node.
//!
//! Variables are numbered from 0, the number is the level: the order is chosen before the manager is made, and stays.

#![expect(
    clippy::mutable_key_type,
    reason = "a handle's hash and equality depend on its node number, which never changes"
)]

mod dag;
mod isop;
mod manager;
#[cfg(test)]
mod tests;

pub use dag::{Dag, DagNode, DagRef};
pub use isop::{Cube, Literal};
pub use manager::{Bdd, Capacity, Manager, OutOfNodes, Rename, VarSet};

//! Re-checks a verdict without the engines that found it.
//!
//! A proof ([`proof`]) is checked edge by edge with fresh solver queries ([`check`]); a counterexample is run in the
//! interpreter ([`mod@replay`]). Only this crate can make a [`Checked`] value, and a verdict other than UNKNOWN needs one.
//!
//! This crate knows no predicates, no abstraction and no decision diagrams. What it trusts: the front end, `vc`, `logic`,
//! and the rules written here. Its rules are numbered as in ARCHITECTURE.md.

pub mod check;
mod footprint;
mod memory;
mod modifies;
pub mod proof;
pub mod replay;
pub mod text;
mod unwinding;

pub use check::{CheckLimits, Rejection, Rule, check_proof};
pub use memory::check_data as check_points_to;
pub use proof::{ActivationProof, FunctionProof, Node, NodeId, ProgramHash, Proof, ProofKind, UnwindingProof};
pub use replay::{Counterexample, REPLAY_LIMITS, ReplayError, replay};

/// A value that this crate has checked. It cannot be made elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked<T>(T);

impl<T> Checked<T> {
    pub(crate) fn new(value: T) -> Checked<T> {
        Checked(value)
    }

    /// What was checked.
    pub fn get(&self) -> &T {
        &self.0
    }

    /// What was checked, no longer marked as such.
    pub fn into_inner(self) -> T {
        self.0
    }
}

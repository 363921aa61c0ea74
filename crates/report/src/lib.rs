//! Answers for people: counterexamples, proofs, invariants and divergence reports, as data with renderers.
//!
//! Nothing here decides anything: a counterexample is told from the run that `certify` has replayed, a proof is shown from the
//! proof that it has checked. Nothing is printed here, and no file is read: `cli` does both, and whatever other formats there
//! are start from the same data.

pub mod counterexample;
pub mod divergence;
pub mod formula;
mod program_text;
pub mod proof;
pub mod targets;

pub use program_text::{ProgramText, RulePart, RuleText};

/// "1 step", "2 steps".
pub fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

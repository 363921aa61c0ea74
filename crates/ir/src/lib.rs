//! The program language: data ([`syntax`]), text form, validator and concrete interpreter.
//!
//! Everything that C does fits into these types, whether or not `lower` already produces it. No other crate gives IR a
//! meaning but `vc` (in logic), and `vc` is tested step by step against the interpreter here.

mod build;
pub mod syntax;
mod ub;

pub use syntax::*;

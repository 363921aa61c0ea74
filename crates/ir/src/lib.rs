//! The program language: data ([`syntax`]), text form ([`text`]), list of invariants ([`mod@validate`]), facts about
//! graphs and calls ([`mod@cfg`], [`walk`]), the C library ([`library`]), the concrete interpreter ([`interp`]) and
//! expressions as C for people ([`as_c`]).
//!
//! Everything that C does fits into these types, whether or not `lower` already produces it. No other crate gives IR a
//! meaning but `vc` (in logic), and `vc` is tested step by step against the interpreter here.

mod addresses;
pub mod annotation;
pub mod as_c;
pub mod assemble;
mod build;
pub mod calls;
pub mod cfg;
pub mod checks;
pub mod declared;
pub mod interp;
pub mod leaks;
pub mod library;
pub mod lifetimes;
pub mod order;
mod path;
#[cfg(any(test, feature = "testing"))]
pub mod random;
pub mod syntax;
pub mod targets;
pub mod text;
mod ub;
pub mod validate;
pub mod walk;

pub use declared::{Declarations, Declared};
pub use interp::{float_function, float_literal};
pub use path::Path;
pub use syntax::*;

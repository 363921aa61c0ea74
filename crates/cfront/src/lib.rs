//! C text to a resolved, typed tree; no input or output.

pub mod layout;
pub mod symbol;
pub mod tree;
pub mod types;

/// Greatest height of an expression and greatest nesting of statements in a [`tree::Unit`].
pub const MAX_DEPTH: usize = 10_000;

//! C text to a resolved, typed tree; no input or output.
//!
//! [`parse`] reads one preprocessed translation unit - C11 with GNU's extensions, and C89's habits - into a
//! [`tree::Unit`]: names resolved, every expression typed, every implicit conversion a node, initialisers flattened,
//! records laid out as gcc lays them out for the given [`Target`]. What gcc rejects is an error with one message; what gcc
//! accepts but the tree cannot express becomes an `Unsupported` node.
//!
//! Reading recurses with the nesting of the source, up to [`MAX_DEPTH`] levels: call it on a thread with a stack of
//! 256 MiB, as later stages need one anyway.

pub mod abi;
mod compat;
mod consteval;
pub mod layout;
mod lexer;
mod literal;
mod parser;
pub mod print;
mod runtime;
pub mod symbol;
mod token;
pub mod tree;
pub mod types;

pub use consteval::const_eval;
pub use parser::annotation;
pub use types::Target;

use base::{Diagnostic, FileId, SourceMap};

/// Greatest height of an expression and greatest nesting of statements in a [`tree::Unit`].
pub const MAX_DEPTH: usize = 10_000;

/// Reads a translation unit. The line marks found are recorded in `sources`, also when there are errors.
pub fn parse(sources: &mut SourceMap, file: FileId, target: Target) -> Result<tree::Unit, Vec<Diagnostic>> {
    let source = sources.file(file);
    let (result, marks) = parser::parse(file, &source.name, &source.text, target);
    sources.set_marks(file, marks);
    result
}

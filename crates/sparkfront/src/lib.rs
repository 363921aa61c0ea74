//! A subset of SPARK: text to tree ([`syntax`]) to IR ([`parse_and_lower`]).
//!
//! Ada's run-time checks - ranges, overflow, indices, division - and the assertions and contracts of SPARK become errors
//! that a run must not reach. The inputs of a program are the parameters of the subprogram it begins with, within
//! their subtypes, and what imported subprograms give. What is outside of the subset is refused by its name.
//!
//! - Scalar parameters go by copy: a value in, and out through a variable of the subprogram's own, which the caller reads
//!   right after the call. Composite ones go by reference. The two cannot be told apart, since aliased parameters are
//!   refused (`lower::alias`) and functions have no side effects.
//! - Integers have the base range that GNAT gives their type: 8, 16, 32 or 64 bits.
//! - A variable without initial value holds anything its representation can hold, so that what is read from it is
//!   checked like any other value.

mod lexer;
mod lower;
mod parser;
pub mod syntax;

pub use lower::{Globals, Lowered, Options, PredicateNote};

use base::{Diagnostic, FileId, SourceMap};

/// The program of these files, which must be in the map.
pub fn parse_and_lower(map: &SourceMap, files: &[FileId], options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    let mut units = Vec::new();
    let mut errors = Vec::new();
    for &file in files {
        match parser::parse(file, &map.file(file).text) {
            Ok(found) => units.extend(found),
            Err(e) => errors.push(e),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    lower::lower(map, &units, options)
}

//! What every stage shares and no language owns: typed ids and dense maps ([`ids`]), source text with positions
//! ([`source`]), messages to the user ([`diagnostic`]), counted limits ([`budget`]), a seeded random source ([`rng`]) and the
//! registry of faults that the oracles must catch ([`sabotage`]).
//!
//! Invariants of the crate: nothing here reads a file, prints, or looks at a clock, and no value depends on an address or on the order of a hash map.

pub mod budget;
pub mod diagnostic;
pub mod ids;
pub mod rng;
pub mod sabotage;
pub mod source;

pub use budget::{Budget, Exhausted};
pub use diagnostic::{Diagnostic, Note, Severity};
pub use ids::{Id, IndexVec};
pub use source::{FileId, LineMark, Location, SourceFile, SourceMap, Span};

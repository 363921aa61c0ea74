//! Predicate files for tests.

use base::FileId;
use ir::Program;
use lower::annotation::{Arithmetic, read as read_annotations};
use predabs::predfile::{Parsed, predicates};

/// The predicates of a text.
pub fn read(program: &Program, file: FileId, text: &str) -> Parsed {
    predicates(program, read_annotations(program, file, text, Arithmetic::Exact))
}

//! Conditions that a user wrote about a program, each in the scope whose names it uses. Data only: `lower::annotation` makes
//! them from text.

use crate::{Expr, FuncId};
use base::{Diagnostic, Span};

/// A condition about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The function whose variables it may name and whose entry `Entry` means; `None` if it names globals only.
    pub scope: Option<FuncId>,
    /// The condition, of type `Bool`.
    pub condition: Expr,
    /// Where it stands.
    pub span: Span,
}

/// What a text of conditions says.
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    /// The conditions in order.
    pub conditions: Vec<Annotation>,
    /// What is wrong with the text.
    pub diagnostics: Vec<Diagnostic>,
}

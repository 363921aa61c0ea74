//! The text form: lexer and parser for all dialects, lowering to the flat form, and the canonical printer.

mod lexer;
mod lower;
mod parser;
mod print;
mod syntax;
#[cfg(test)]
mod tests;

pub use print::{print, print_expr};

use crate::program::Program;
use base::{Diagnostic, SourceMap, Span};

/// How operators bind, the one thing that cannot be told from the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// `=` and `!=` bind tighter than `&`: Bebop, Moped, Getafix, WALi, Boom, Duet, BoPP and the papers.
    #[default]
    Bebop,
    /// `=>`, `=` and `!=` share the lowest level and associate to the right, `^` is below `|`, and names may contain
    /// `-`: SATABS's boppo.
    Boppo,
}

/// Reads the boolean program at `span` of `sources` (usually a whole file). Errors come as messages with places; a
/// concurrent program is refused by one message that names the construct.
pub fn parse(sources: &SourceMap, span: Span, dialect: Dialect) -> Result<Program, Vec<Diagnostic>> {
    let text = sources.text(span);
    if let Some(refusal) = parser::concurrency(text, span) {
        return Err(vec![refusal]);
    }
    let file = parser::parse_file(text, span, dialect).map_err(|e| vec![e])?;
    if let Some(refusal) = lower::concurrency(&file) {
        return Err(vec![refusal]);
    }
    lower::lower(file)
}

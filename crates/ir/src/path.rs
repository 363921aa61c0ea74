//! Paths: the edges that an execution takes, in order, those inside called functions included.
//!
//! The text form has one edge per line, `main e7`; `//` begins a comment.

use crate::syntax::*;
use crate::text::lexer::{Tok, lex, span_in};
use crate::text::show_name;
use base::{Diagnostic, FileId, Id, Span};

/// A path through the program from the start of its entry function.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    /// The edges in the order of execution.
    pub edges: Vec<(FuncId, EdgeId)>,
}

impl Path {
    /// The text form: one edge per line.
    pub fn print(&self, program: &Program) -> String {
        self.edges.iter().map(|&(f, e)| format!("{} {e}\n", show_name(&program.functions[f].name))).collect()
    }

    /// Reads the text form. Names and edges must exist; whether the edges fit together is for a replay to say.
    pub fn parse(program: &Program, file: FileId, text: &str) -> Result<Path, Diagnostic> {
        let at = Span::new(file, 0, 0);
        let tokens = lex(text, at)?;
        let mut words = tokens.iter();
        let mut path = Path::default();
        while let Some(token) = words.next() {
            let error = |t: &crate::text::lexer::Token, message: String| {
                Err(Diagnostic::error("syntax", span_in(at, t.lo, t.hi), message))
            };
            let name = match &token.tok {
                Tok::Eof => break,
                Tok::Newline => continue,
                Tok::Name { text, .. } => text,
                _ => return error(token, "expected the name of a function".into()),
            };
            let Some(func) = program.function(name) else {
                return error(token, format!("there is no function `{name}`"));
            };
            let n_edges = program.functions[func].body.as_ref().map_or(0, |b| b.edges.len());
            let next = words.next().unwrap_or(token);
            let number = match &next.tok {
                Tok::Name { text, quoted: false } => text.strip_prefix('e').and_then(|d| d.parse::<usize>().ok()),
                _ => None,
            };
            match number {
                Some(n) if n < n_edges => path.edges.push((func, EdgeId::from_index(n))),
                _ => return error(next, format!("expected an edge of `{name}`, such as `e0`")),
            }
            match words.next() {
                Some(end) if end.tok != Tok::Newline => return error(end, "expected the end of the line".into()),
                _ => {}
            }
        }
        Ok(path)
    }
}

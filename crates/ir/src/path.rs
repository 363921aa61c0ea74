//! Paths: the edges that an execution takes, in order, those inside called functions included.
//!
//! The text form has one edge per line, `main e7`; `//` begins a comment. Instead of edges the lines may name the locations that the
//! path passes, `main L3`, as those who only see a boolean program know them.

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
        let mut passed = Vec::new();
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
            let location = match &next.tok {
                Tok::Name { text, quoted: false } => text.strip_prefix('L').and_then(|d| d.parse::<usize>().ok()),
                _ => None,
            };
            let n_locations = program.functions[func].body.as_ref().map_or(0, |b| b.locations.len());
            match number {
                None if location.is_some_and(|l| l < n_locations) && path.edges.is_empty() => {
                    passed.push((func, Loc::from_index(location.unwrap_or(0)), span_in(at, token.lo, next.hi)));
                }
                Some(_) if !passed.is_empty() => {
                    return error(next, "expected a location, as in the lines before".into());
                }
                Some(n) if n < n_edges => path.edges.push((func, EdgeId::from_index(n))),
                _ => return error(next, format!("expected an edge of `{name}`, such as `e0`")),
            }
            match words.next() {
                Some(end) if end.tok != Tok::Newline => return error(end, "expected the end of the line".into()),
                _ => {}
            }
        }
        if passed.is_empty() { Ok(path) } else { Path::through(program, &passed) }
    }

    /// The path that passes these locations, the first of them the entry, with every call followed; it ends in an error if one stands
    /// at the last.
    fn through(program: &Program, passed: &[(FuncId, Loc, Span)]) -> Result<Path, Diagnostic> {
        let mut path = Path::default();
        let mut frames: Vec<(FuncId, Loc)> = Vec::new();
        for (i, &(func, to, span)) in passed.iter().enumerate() {
            let broken = |why: &str| Err(Diagnostic::error("syntax", span, why.to_owned()));
            let Some(&(here, at)) = frames.last() else {
                if i > 0 || func != program.entry || to != program.body(func).entry {
                    return broken("a path starts where the program starts");
                }
                frames.push((func, to));
                continue;
            };
            let edges = || program.body(here).edges.iter_enumerated().filter(move |(_, e)| e.from == at);
            let calls = |e: &Edge| matches!(&e.op, Op::Call(c) if matches!(c.callee, Callee::Direct(f) if f == func && program.functions[f].body.is_some()));
            let steps: Vec<EdgeId> = edges()
                .filter(|(_, e)| here == func && e.to == Some(to) && !defined_call(program, e))
                .map(|(id, _)| id)
                .collect();
            let entered = edges().find(|(_, e)| to == program.body(func).entry && calls(e));
            match (&steps[..], entered) {
                (&[step], _) => {
                    path.edges.push((here, step));
                    frames.last_mut().expect("there is a frame").1 = to;
                }
                (&[], Some((id, call))) => {
                    path.edges.push((here, id));
                    let Some(back) = call.to else { return broken("this call does not return") };
                    frames.last_mut().expect("there is a frame").1 = back;
                    frames.push((func, to));
                }
                (&[], None) => {
                    // A return: to where the caller goes on.
                    let exit = program.body(here).exit;
                    if at != exit {
                        let last: Vec<EdgeId> = edges().filter(|(_, e)| e.to == Some(exit)).map(|(id, _)| id).collect();
                        let &[last] = &last[..] else {
                            return broken("no step leads from the location before to this one");
                        };
                        path.edges.push((here, last));
                    }
                    frames.pop();
                    if frames.last() != Some(&(func, to)) {
                        return broken("no step leads from the location before to this one");
                    }
                }
                _ => return broken("several steps lead from the location before to this one: name the edge"),
            }
        }
        if let Some(&(here, at)) = frames.last() {
            let mut ends = program.body(here).edges.iter_enumerated().filter(|(_, e)| e.from == at);
            if let Some((id, _)) = ends.find(|(_, e)| matches!(e.op, Op::Error(_))) {
                path.edges.push((here, id));
            }
        }
        Ok(path)
    }
}

/// Whether the edge calls a function that has a body.
fn defined_call(program: &Program, edge: &Edge) -> bool {
    matches!(&edge.op, Op::Call(c) if matches!(c.callee, Callee::Direct(f) if program.functions[f].body.is_some()))
}

//! Reading on after an error, so that one run tells all errors of a function and not only the first.
//!
//! Nothing that is read behind an error is ever used: the unit is refused. So all that matters is that later messages are about
//! errors of their own: a statement with an error is skipped as a whole, and what it may have declared is not missed.

use super::{MOST_ERRORS, Parser, Stop};
use crate::token::T;
use crate::tree::FuncId;
use base::Diagnostic;

/// Where a statement or declaration of a block begins, and what is open there.
pub(super) struct Start {
    lo: u32,
    braces: u32,
    brackets: u32,
    scopes: u32,
    pending: usize,
    func: Option<FuncId>,
    loops: usize,
    breakables: usize,
    switches: usize,
    declares: bool,
}

impl Parser<'_> {
    /// The beginning of what comes next in a block.
    pub(super) fn start(&mut self) -> Start {
        let declares = self.starts_type(self.tok) || self.at(T::Ident) && self.peek(1).kind == T::Ident;
        let f = self.function.as_ref();
        Start {
            lo: self.tok.lo,
            braces: self.braces,
            brackets: self.brackets,
            scopes: self.scopes.depth(),
            pending: self.pending.len(),
            func: f.map(|f| f.func),
            loops: f.map_or(0, |f| f.loops),
            breakables: f.map_or(0, |f| f.breakables),
            switches: f.map_or(0, |f| f.switches.len()),
            declares,
        }
    }

    /// After an error in what began at `start`, goes to the end of it, if the text behind it can be trusted to be what it seems.
    pub(super) fn goes_on_at(&mut self, start: &Start) -> Result<(), Stop> {
        let here = self.function.as_ref().map(|f| f.func);
        if self.annotation.is_some() || here.is_none() || here != start.func || self.at(T::Eof) {
            return Err(Stop);
        }
        let forgotten = self.error.as_ref().is_some_and(|e| e.message.starts_with("expected ';'"));
        if !self.notes_error() {
            return Err(Stop);
        }
        // A semicolon that is forgotten at the end of a line: the next statement is there.
        if !(forgotten && self.tok.new_line && self.tok.lo > start.lo) {
            self.skip(start);
        }
        if start.declares {
            let text = self.lex.between(start.lo, self.last_end);
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
            self.missed.extend(words.map(str::to_owned));
        }
        self.brackets = start.brackets;
        while self.scopes.depth() > start.scopes {
            self.scopes.pop();
        }
        self.pending.truncate(start.pending);
        if let Some(f) = &mut self.function {
            (f.loops, f.breakables, f.failed) = (start.loops, start.breakables, true);
            f.switches.truncate(start.switches);
        }
        Ok(())
    }

    /// Takes tokens to the end of the statement.
    fn skip(&mut self, start: &Start) {
        loop {
            match self.tok.kind {
                T::Eof | T::Error => return,
                // The end of the block.
                T::RBrace if self.braces <= start.braces => return,
                T::Semi if self.braces == start.braces && self.brackets <= start.brackets => {
                    self.bump();
                    if !self.at(T::Else) {
                        return;
                    }
                }
                T::RBrace => {
                    self.bump();
                    let goes_on = matches!(self.tok.kind, T::Else | T::Comma | T::RParen | T::Semi);
                    if self.braces == start.braces && !goes_on {
                        return;
                    }
                    if self.braces == start.braces {
                        self.brackets = start.brackets;
                    }
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Whether there is a message about this place: another one follows from the same error.
    pub(super) fn is_told(&self, error: &Diagnostic) -> bool {
        self.errors.iter().any(|e| e.span == error.span)
    }

    /// Keeps the message of the error at hand; whether reading may go on.
    pub(super) fn notes_error(&mut self) -> bool {
        let trusted = self.tok.kind != T::Error && self.error.as_ref().is_some_and(|e| e.id != "depth");
        if !trusted || self.errors.len() + 1 >= MOST_ERRORS {
            return false;
        }
        let Some(error) = self.error.take() else { return false };
        // Each name is missed once, and not at all if its declaration was skipped.
        let quoted = || error.message.split('\'').nth(1).map(str::to_owned);
        let missing = quoted().filter(|_| matches!(error.id, "undeclared" | "unknown-type"));
        let known = missing.as_ref().is_some_and(|name| self.missed.contains(name));
        self.missed.extend(missing);
        if !known && !self.is_told(&error) || self.errors.is_empty() {
            self.errors.push(*error);
        }
        true
    }
}

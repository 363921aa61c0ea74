//! Text to tree. The parser stops at the first mistake of a file; what SPARK or the supported subset does not have is
//! refused by its name.

mod decl;
mod expr;
mod stmt;

use crate::lexer::{Token, lex};
use crate::syntax::{Name, Unit};
use base::{Diagnostic, FileId, Span};
pub(crate) use decl::dotted_text;
pub(crate) use expr::character;

pub(crate) type R<T> = Result<T, Diagnostic>;

/// Statements and expressions may nest this deep.
const MAX_DEPTH: usize = 150;

/// The compilation units of a text.
pub(crate) fn parse(file: FileId, text: &str) -> R<Vec<Unit>> {
    let mut p = Parser { tokens: lex(file, text)?, at: 0, depth: 0, withs: Vec::new(), partial: Vec::new() };
    let mut units = Vec::new();
    while *p.peek() != Token::End {
        units.extend(p.unit()?);
    }
    Ok(units)
}

pub(crate) struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
    /// The packages that the next unit is `with`.
    withs: Vec<String>,
    /// The private types that the package on its way has declared.
    partial: Vec<Name>,
}

/// What cannot begin or continue anything here, with the words for a message.
const REFUSED: [(&str, &str); 20] = [
    ("access", "access types"),
    ("aliased", "aliased objects"),
    ("task", "tasks"),
    ("protected", "protected types and objects"),
    ("entry", "entries"),
    ("accept", "accept statements"),
    ("select", "select statements"),
    ("delay", "delay statements"),
    ("abort", "abort statements"),
    ("requeue", "requeue statements"),
    ("tagged", "tagged types (object-oriented programming)"),
    ("interface", "interface types (object-oriented programming)"),
    ("overriding", "overriding operations (object-oriented programming)"),
    ("abstract", "abstract types and operations (object-oriented programming)"),
    ("generic", "generic units"),
    ("goto", "goto statements"),
    ("exception", "exceptions and their handlers"),
    ("separate", "subunits"),
    ("digits", "floating-point types"),
    ("delta", "fixed-point types"),
];

impl Parser {
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    pub(super) fn ahead(&self, n: usize) -> &Token {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)].0
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// From `start` to the last word read.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.tokens[self.at.saturating_sub(1)].1)
    }

    /// Refuses something that comes alone, by its name.
    pub(super) fn no<T>(&self, span: Span, what: &str) -> R<T> {
        Err(Diagnostic::error("unsupported", span, format!("{what} is not in the subset of SPARK that is supported")))
    }

    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn is(&self, sign: &'static str) -> bool {
        *self.peek() == Token::Sign(sign)
    }

    pub(super) fn is_key(&self, key: &'static str) -> bool {
        *self.peek() == Token::Key(key)
    }

    pub(super) fn take(&mut self, sign: &'static str) -> bool {
        let found = self.is(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn take_key(&mut self, key: &'static str) -> bool {
        let found = self.is_key(key);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expected<T>(&self, what: &str) -> R<T> {
        if let Token::Key(key) = self.peek()
            && let Some((_, words)) = REFUSED.iter().find(|(k, _)| k == key)
        {
            return self.unsupported(words);
        }
        let found = match self.peek() {
            Token::Name(w) => format!("`{w}`"),
            Token::Key(k) => format!("`{k}`"),
            Token::Int(n) => format!("`{n}`"),
            Token::Sign(s) => format!("`{s}`"),
            Token::Char(c) => format!("`'{c}'`"),
            Token::Str(_) => "a string".to_owned(),
            Token::Annotation => "`--%`".to_owned(),
            Token::End => "the end of the text".to_owned(),
        };
        Err(Diagnostic::error("syntax", self.span(), format!("expected {what}, found {found}")))
    }

    pub(super) fn unsupported<T>(&self, words: &str) -> R<T> {
        let message = format!("{words} are not in the subset of SPARK that is supported");
        Err(Diagnostic::error("unsupported", self.span(), message))
    }

    pub(super) fn expect(&mut self, sign: &'static str) -> R<()> {
        if self.take(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    pub(super) fn expect_key(&mut self, key: &'static str) -> R<()> {
        if self.take_key(key) { Ok(()) } else { self.expected(&format!("`{key}`")) }
    }

    pub(super) fn name(&mut self, what: &str) -> R<Name> {
        let Token::Name(text) = self.peek() else { return self.expected(what) };
        let name = Name { text: text.clone(), span: self.span() };
        self.advance();
        Ok(name)
    }

    /// A name with dots.
    pub(super) fn dotted(&mut self, what: &str) -> R<Name> {
        let mut name = self.name(what)?;
        while self.take(".") {
            let next = self.name("a name")?;
            name.text = format!("{}.{}", name.text, next.text);
            name.span = name.span.to(next.span);
        }
        Ok(name)
    }

    pub(super) fn nest<T>(&mut self, inner: impl FnOnce(&mut Parser) -> R<T>) -> R<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Diagnostic::error("limit", self.span(), format!("this nests more than {MAX_DEPTH} deep")));
        }
        let result = inner(self);
        self.depth -= 1;
        result
    }
}

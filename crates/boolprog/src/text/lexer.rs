//! Tokens, lexed on demand: only the parser knows whether `{` opens a block or a name.

use super::Dialect;
use base::{Diagnostic, Span};

/// A token. Operator synonyms of the dialects are one token each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    /// A plain identifier or keyword.
    Id(String),
    Num(String),
    Assign,
    And,
    Or,
    Not,
    Eq,
    /// The single `=`, which the papers' C notation also uses for assignment.
    SingleEq,
    Ne,
    Implies,
    Xor,
    Star,
    Question,
    Quote,
    Lt,
    Gt,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Semi,
    Colon,
    End,
}

impl Tok {
    /// How the token is called in messages.
    pub(super) fn describe(&self) -> String {
        let text = match self {
            Tok::Id(name) => return format!("`{name}`"),
            Tok::Num(n) => return format!("`{n}`"),
            Tok::End => return "the end of the text".to_owned(),
            Tok::Assign => ":=",
            Tok::And => "&",
            Tok::Or => "|",
            Tok::Not => "!",
            Tok::Eq => "==",
            Tok::SingleEq => "=",
            Tok::Ne => "!=",
            Tok::Implies => "=>",
            Tok::Xor => "^",
            Tok::Star => "*",
            Tok::Question => "?",
            Tok::Quote => "'",
            Tok::Lt => "<",
            Tok::Gt => ">",
            Tok::Open => "(",
            Tok::Close => ")",
            Tok::OpenBracket => "[",
            Tok::CloseBracket => "]",
            Tok::OpenBrace => "{",
            Tok::CloseBrace => "}",
            Tok::Comma => ",",
            Tok::Semi => ";",
            Tok::Colon => ":",
        };
        format!("`{text}`")
    }
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    whole: Span,
    dialect: Dialect,
    pos: usize,
}

/// Whether `c` may start an identifier.
pub(super) fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

/// Whether `c` may go on in an identifier.
pub(super) fn continues_name(c: char, dialect: Dialect) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#') || c == '-' && dialect == Dialect::Boppo
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, whole: Span, dialect: Dialect) -> Lexer<'a> {
        Lexer { text, whole, dialect, pos: 0 }
    }

    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    pub(super) fn seek(&mut self, pos: usize) {
        self.pos = pos;
    }

    pub(super) fn span(&self, lo: usize, hi: usize) -> Span {
        Span::new(self.whole.file, self.whole.lo + lo as u32, self.whole.lo + hi as u32)
    }

    /// Whether the text before position `hi` of the whole map ends in a closing parenthesis.
    pub(super) fn closes_before(&self, hi: u32) -> bool {
        self.text[..(hi - self.whole.lo) as usize].ends_with(')')
    }

    fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    fn skip_blank(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.pos += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.pos += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                match comment.find("*/") {
                    Some(end) => self.pos += end + 4,
                    None => {
                        let at = self.span(self.pos, self.pos + 2);
                        return Err(Diagnostic::error("syntax", at, "this comment is never closed"));
                    }
                }
            } else {
                return Ok(());
            }
        }
    }

    /// The next token and its place.
    pub(super) fn next(&mut self) -> Result<(Tok, Span), Diagnostic> {
        self.skip_blank()?;
        let lo = self.pos;
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return Ok((Tok::End, self.span(lo, lo))) };
        if starts_name(c) {
            let end = rest.find(|c| !continues_name(c, self.dialect)).unwrap_or(rest.len());
            self.pos += end;
            return Ok((Tok::Id(rest[..end].to_owned()), self.span(lo, self.pos)));
        }
        if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            self.pos += end;
            return Ok((Tok::Num(rest[..end].to_owned()), self.span(lo, self.pos)));
        }
        const TABLE: &[(&str, Tok)] = &[
            (":=", Tok::Assign),
            ("&&", Tok::And),
            ("||", Tok::Or),
            ("=>", Tok::Implies),
            ("->", Tok::Implies),
            ("==", Tok::Eq),
            ("!=", Tok::Ne),
            ("<>", Tok::Ne),
            ("&", Tok::And),
            ("|", Tok::Or),
            ("!", Tok::Not),
            ("~", Tok::Not),
            ("=", Tok::SingleEq),
            ("^", Tok::Xor),
            ("*", Tok::Star),
            ("?", Tok::Question),
            ("'", Tok::Quote),
            ("<", Tok::Lt),
            (">", Tok::Gt),
            ("(", Tok::Open),
            (")", Tok::Close),
            ("[", Tok::OpenBracket),
            ("]", Tok::CloseBracket),
            ("{", Tok::OpenBrace),
            ("}", Tok::CloseBrace),
            (",", Tok::Comma),
            (";", Tok::Semi),
            (":", Tok::Colon),
        ];
        match TABLE.iter().find(|(text, _)| rest.starts_with(text)) {
            Some((text, tok)) => {
                self.pos += text.len();
                Ok((tok.clone(), self.span(lo, self.pos)))
            }
            None => {
                let at = self.span(lo, lo + c.len_utf8());
                let error = Diagnostic::error("syntax", at, format!("stray character `{}`", c.escape_default()));
                Err(if c == '-' {
                    error.with_note("names may contain `-` in the dialect boppo only", None)
                } else {
                    error
                })
            }
        }
    }

    /// The name `{…}` whose opening brace has just been read at `open`: any text up to the matching brace on the same
    /// line, blanks at both ends removed. `None` when there is no such brace; then nothing is consumed.
    pub(super) fn braced(&mut self, open: Span) -> Option<(String, Span)> {
        let start = (open.hi - self.whole.lo) as usize;
        let mut depth = 1;
        for (i, c) in self.text[start..].char_indices() {
            match c {
                '\n' => return None,
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let name = self.text[start..start + i].trim();
                if name.is_empty() {
                    return None;
                }
                self.pos = start + i + 1;
                return Some((name.to_owned(), Span::new(open.file, open.lo, self.whole.lo + self.pos as u32)));
            }
        }
        None
    }
}

//! Words of a rule.

use base::{Diagnostic, FileId, Span};

/// A kind of word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name, a keyword or `$1`.
    Name,
    /// A number.
    Number,
    /// A text in double quotes.
    Text,
    /// One of C's punctuators.
    Sign,
    /// Nothing follows.
    End,
}

/// A word.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) kind: Kind,
    /// As it is written; of a text, what it means.
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Word {
    /// Whether it is this keyword or sign.
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Name | Kind::Sign) && self.text == text
    }

    /// How a message names it.
    pub(crate) fn shown(&self) -> String {
        match self.kind {
            Kind::End => "the end of the rule".to_owned(),
            Kind::Text => format!("\"{}\"", self.text),
            _ => format!("`{}`", self.text),
        }
    }
}

/// Longest first.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "{", "}", "(", ")", "[", "]", ";", ",", ".", "*", "&", "!", "~", "+", "-", "/", "%", "<",
    ">", "?", ":", "=", "^", "|",
];

/// Cuts a rule into words; the last one is the end.
pub(crate) fn words(file: FileId, text: &str) -> Result<Vec<Word>, Diagnostic> {
    let mut out = Vec::new();
    let mut at = 0;
    loop {
        at = skip_blanks(file, text, at)?;
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else {
            out.push(Word { kind: Kind::End, text: String::new(), span: Span::new(file, at as u32, at as u32) });
            return Ok(out);
        };
        let starts = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
        let (kind, len, meant) = if starts(first) {
            (Kind::Name, rest.find(|c: char| !starts(c) && !c.is_ascii_digit()).unwrap_or(rest.len()), None)
        } else if first.is_ascii_digit() {
            (Kind::Number, rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len()), None)
        } else if first == '"' {
            let (len, meant) = string(file, rest, at)?;
            (Kind::Text, len, Some(meant))
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            (Kind::Sign, sign.len(), None)
        } else {
            let span = Span::new(file, at as u32, (at + first.len_utf8()) as u32);
            let message = match first {
                '\'' => "characters in single quotes are not supported: write their number".to_owned(),
                '#' => "rules are not preprocessed: there are no `#` lines".to_owned(),
                _ => format!("`{first}` has no meaning in a rule"),
            };
            return Err(Diagnostic::error("syntax", span, message));
        };
        let word = meant.unwrap_or_else(|| rest[..len].to_owned());
        out.push(Word { kind, text: word, span: Span::new(file, at as u32, (at + len) as u32) });
        at += len;
    }
}

fn skip_blanks(file: FileId, text: &str, mut at: usize) -> Result<usize, Diagnostic> {
    loop {
        let rest = &text[at..];
        let blanks = rest.len() - rest.trim_start().len();
        at += blanks;
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            let Some(end) = rest.find("*/") else {
                let span = Span::new(file, at as u32, at as u32 + 2);
                return Err(Diagnostic::error("syntax", span, "this comment does not end"));
            };
            at += end + 2;
        } else {
            return Ok(at);
        }
    }
}

/// The length of a text with its quotes, and what it means.
fn string(file: FileId, rest: &str, at: usize) -> Result<(usize, String), Diagnostic> {
    let mut meant = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((i, c)) = chars.next() {
        match c {
            '"' => return Ok((i + 1, meant)),
            '\n' => break,
            '\\' => match chars.next() {
                Some((_, 'n')) => meant.push('\n'),
                Some((_, c @ ('"' | '\\'))) => meant.push(c),
                Some((j, c)) => {
                    let span = Span::new(file, (at + i) as u32, (at + j + c.len_utf8()) as u32);
                    return Err(Diagnostic::error("syntax", span, format!("`\\{c}` has no meaning in a text")));
                }
                None => break,
            },
            c => meant.push(c),
        }
    }
    let span = Span::new(file, at as u32, at as u32 + 1);
    Err(Diagnostic::error("syntax", span, "this text does not end on its line"))
}

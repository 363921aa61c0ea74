//! Words of the text form.
//!
//! The form is line-oriented: the end of a line that holds words is a word itself. Names are plain (`x.2`, `$t`) or, where they would be mistaken for something else, in backquotes. Never panics; bad characters
//! are a [`Diagnostic`].

use base::{Diagnostic, Span};

/// What a word is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tok {
    /// A name or keyword; `quoted` names are never keywords.
    Name { text: String, quoted: bool },
    /// A number without sign; `hex` ones are bit patterns.
    Int { value: u128, hex: bool },
    /// A string in double quotes, unescaped.
    Str(String),
    /// An operator or bracket.
    Punct(&'static str),
    /// The end of a line that holds words.
    Newline,
    /// The end of the text.
    Eof,
}

/// A word and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) lo: u32,
    pub(crate) hi: u32,
}

/// Longest first, so that the first that fits is the right one.
const PUNCTS: [&str; 38] = [
    "...", "->", ":=", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "(", ")", "[", "]", "{", "}", ",", ":", ";",
    "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "=", "'", "@", "#", "?", ".",
];

/// Whether `c` can begin a plain name.
fn begins_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

/// Whether `c` can stand inside a plain name.
fn continues_name(c: char) -> bool {
    begins_name(c) || c.is_ascii_digit() || c == '.'
}

/// Whether `name` can be written without quotes (if it is not a keyword).
pub(crate) fn is_plain(name: &str) -> bool {
    let body = name.strip_prefix('.').unwrap_or(name);
    body.chars().next().is_some_and(begins_name) && body.chars().all(continues_name)
}

/// Writes `text` between two `quote`s.
pub(crate) fn quote(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Cuts `text` into words. `at` is where its first byte lies; offsets of words are relative to the text.
pub(crate) fn lex(text: &str, at: Span) -> Result<Vec<Token>, Diagnostic> {
    Lexer { text, pos: 0, at, out: Vec::new() }.run()
}

struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    at: Span,
    out: Vec<Token>,
}

/// The span of bytes `lo..hi` of a text whose first byte lies at `at`.
pub(crate) fn span_in(at: Span, lo: u32, hi: u32) -> Span {
    Span::new(at.file, at.lo.saturating_add(lo), at.lo.saturating_add(hi))
}

impl Lexer<'_> {
    fn run(mut self) -> Result<Vec<Token>, Diagnostic> {
        if u32::try_from(self.text.len()).is_err() {
            return Err(Diagnostic::global("syntax", "the text is longer than 4 GiB"));
        }
        while let Some(c) = self.peek() {
            let lo = self.pos;
            match c {
                '\n' => {
                    self.pos += 1;
                    if !matches!(self.out.last().map(|t| &t.tok), None | Some(Tok::Newline)) {
                        self.push(Tok::Newline, lo);
                    }
                }
                ' ' | '\t' | '\r' => self.pos += 1,
                '/' if self.text[lo..].starts_with("//") => {
                    self.pos = self.text[lo..].find('\n').map_or(self.text.len(), |n| lo + n);
                }
                '"' | '`' => {
                    let text = self.quoted(c)?;
                    self.push(if c == '"' { Tok::Str(text) } else { Tok::Name { text, quoted: true } }, lo);
                }
                c if c.is_ascii_digit() => self.number()?,
                c if begins_name(c) || (c == '.' && self.second().is_some_and(begins_name)) => {
                    self.pos += 1;
                    while self.peek().is_some_and(continues_name) {
                        self.pos += 1;
                    }
                    let text = self.text[lo..self.pos].to_owned();
                    self.push(Tok::Name { text, quoted: false }, lo);
                }
                c => self.punct(c)?,
            }
        }
        let end = self.text.len();
        if !matches!(self.out.last().map(|t| &t.tok), None | Some(Tok::Newline)) {
            self.push(Tok::Newline, end);
        }
        self.push(Tok::Eof, end);
        Ok(self.out)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.pos..].chars().next()
    }

    fn second(&self) -> Option<char> {
        self.text[self.pos..].chars().nth(1)
    }

    fn push(&mut self, tok: Tok, lo: usize) {
        self.out.push(Token { tok, lo: lo as u32, hi: self.pos as u32 });
    }

    fn error(&self, lo: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error("syntax", span_in(self.at, lo as u32, self.pos as u32), message)
    }

    fn punct(&mut self, c: char) -> Result<(), Diagnostic> {
        let lo = self.pos;
        let Some(p) = PUNCTS.into_iter().find(|p| self.text[lo..].starts_with(p)) else {
            self.pos += c.len_utf8();
            return Err(self.error(lo, format!("unexpected character {c:?}")));
        };
        self.pos += p.len();
        self.push(Tok::Punct(p), lo);
        Ok(())
    }

    fn number(&mut self) -> Result<(), Diagnostic> {
        let lo = self.pos;
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric()) {
            self.pos += 1;
        }
        let digits = &self.text[lo..self.pos];
        let (value, hex) = match digits.strip_prefix("0x") {
            Some(h) => (u128::from_str_radix(h, 16), true),
            None => (digits.parse::<u128>(), false),
        };
        match value {
            Ok(value) => {
                self.push(Tok::Int { value, hex }, lo);
                Ok(())
            }
            Err(_) => Err(self.error(lo, format!("`{digits}` is not a number of at most 128 bits"))),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, Diagnostic> {
        let lo = self.pos;
        self.pos += 1;
        let mut out = String::new();
        loop {
            match self.peek() {
                None | Some('\n') => return Err(self.error(lo, "the closing quote is missing")),
                Some('\\') => {
                    self.pos += 1;
                    out.push(self.escape(quote)?);
                }
                Some(c) => {
                    self.pos += c.len_utf8();
                    if c == quote {
                        return Ok(out);
                    }
                    out.push(c);
                }
            }
        }
    }

    /// The character that the text after a backslash stands for.
    fn escape(&mut self, quote: char) -> Result<char, Diagnostic> {
        let lo = self.pos;
        let rest = &self.text[lo..];
        let c = self.peek().unwrap_or('\n');
        if c == 'u'
            && let Some(close) = rest.find('}')
            && let Some(digits) = rest[..close].strip_prefix("u{")
            && let Some(c) = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
        {
            self.pos += close + 1;
            return Ok(c);
        }
        self.pos += c.len_utf8().min(rest.len());
        match c {
            'n' => Ok('\n'),
            't' => Ok('\t'),
            '\\' => Ok('\\'),
            c if c == quote => Ok(c),
            _ => Err(self.error(lo, "unknown escape")),
        }
    }
}

//! The words of predicate files.

use base::{Diagnostic, FileId, Span};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    /// A name; quoted names keep no quotes.
    Name(String),
    /// A number, and its suffix in capitals.
    Number {
        value: u128,
        decimal: bool,
        suffix: String,
    },
    Sign(&'static str),
    Newline,
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) span: Span,
}

/// Longest first.
const SIGNS: [&str; 38] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "++", "--", "+=", "-=", "<", ">", "=", "!", "~", "+", "-",
    "*", "/", "%", "&", "|", "^", "?", ":", "(", ")", ",", ";", "'", "@", "{", "}", "[", "]",
];

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$' || c == '.'
}

fn in_name(c: char) -> bool {
    begins_name(c) || c.is_ascii_digit()
}

/// Whether a name can stand without quotes.
pub(super) fn is_plain(name: &str) -> bool {
    name.chars().next().is_some_and(begins_name) && name.chars().all(in_name)
}

/// The words of `text`, or the first thing that is none.
pub(super) fn lex(file: FileId, text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let lo = text.len() - rest.len();
        let (tok, len) = match c {
            '\n' => (Some(Tok::Newline), 1),
            c if c.is_whitespace() => (None, c.len_utf8()),
            _ if rest.starts_with("//") => (None, rest.find('\n').unwrap_or(rest.len())),
            _ if rest.starts_with("/*") => match rest.find("*/") {
                Some(end) => (None, end + 2),
                None => return Err(syntax(file, lo, text.len(), "a comment has no end")),
            },
            '`' => quoted(file, lo, rest)?,
            c if begins_name(c) => {
                let len = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
                (Some(Tok::Name(rest[..len].to_owned())), len)
            }
            c if c.is_ascii_digit() => {
                let len = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
                let number = number(&rest[..len]).ok_or_else(|| {
                    syntax(file, lo, lo + len, &format!("`{}` is not an integer that C knows", &rest[..len]))
                })?;
                (Some(number), len)
            }
            c => match SIGNS.iter().find(|s| rest.starts_with(**s)) {
                Some(sign) => (Some(Tok::Sign(sign)), sign.len()),
                None => {
                    let what = format!("`{}` has no meaning in a predicate", c.escape_default());
                    return Err(syntax(file, lo, lo + c.len_utf8(), &what));
                }
            },
        };
        let span = Span::new(file, lo as u32, (lo + len) as u32);
        tokens.extend(tok.map(|tok| Token { tok, span }));
        rest = &rest[len..];
    }
    let end = text.len() as u32;
    tokens.push(Token { tok: Tok::End, span: Span::new(file, end, end) });
    Ok(tokens)
}

fn syntax(file: FileId, lo: usize, hi: usize, what: &str) -> Diagnostic {
    Diagnostic::error("syntax", Span::new(file, lo as u32, hi as u32), what)
}

/// A name in backquotes; inside, a backslash takes the next character as it is.
fn quoted(file: FileId, lo: usize, rest: &str) -> Result<(Option<Tok>, usize), Diagnostic> {
    let mut name = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((i, c)) = chars.next() {
        match c {
            '`' => return Ok((Some(Tok::Name(name)), i + 1)),
            '\n' => break,
            '\\' => name.extend(chars.next().map(|(_, c)| c)),
            c => name.push(c),
        }
    }
    Err(syntax(file, lo, lo + 1, "a quoted name has no end"))
}

fn number(text: &str) -> Option<Tok> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.strip_prefix("0x") {
        Some(hex) => (hex, 16),
        None if lower.len() > 1 && lower.starts_with('0') => (&lower[1..], 8),
        None => (&lower[..], 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let suffix = digits[end..].to_ascii_uppercase();
    let known = ["", "U", "L", "LL", "UL", "LU", "ULL", "LLU"].contains(&suffix.as_str());
    // A lone `0` with a suffix has no digits left behind the octal sign.
    let value = if end == 0 && radix == 8 { Some(0) } else { u128::from_str_radix(&digits[..end], radix).ok() }?;
    known.then_some(Tok::Number { value, decimal: radix == 10, suffix })
}

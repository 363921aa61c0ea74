//! Words of X. Comments are `//` to the end of the line and `/* */`.

use base::{Diagnostic, FileId, Span};

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or keyword.
    Word(String),
    /// A number.
    Number(u64),
    /// A sign.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// Longer signs first. The second column is what a sign means where there are several for one thing.
const SIGNS: [(&str, &str); 37] = [
    (":=", ":="),
    ("...", "..."),
    ("==", "="),
    ("!=", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("&&", "&"),
    ("||", "|"),
    ("/\\", "&"),
    ("\\/", "|"),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("∧", "&"),
    ("∨", "|"),
    ("¬", "!"),
    ("…", "..."),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("&", "&"),
    ("|", "|"),
    ("!", "!"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("%", "%"),
    ("?", "?"),
    ("(", "("),
    (")", ")"),
    ("{", "{"),
    ("}", "}"),
    ("[", "["),
    ("]", "]"),
    (";", ";"),
    (":", ":"),
];

/// The words of a text, the last of which is [`Token::End`].
pub(crate) fn lex(file: FileId, text: &str) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let mut out = Vec::new();
    let mut at = 0;
    let span = |lo: usize, hi: usize| Span::new(file, lo as u32, hi as u32);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            let Some(end) = rest.find("*/") else {
                return Err(Diagnostic::error("syntax", span(start, text.len()), "a comment does not end"));
            };
            at += end + 2;
            continue;
        }
        let token = if c.is_ascii_digit() {
            at += rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = text[start..at].parse();
            Token::Number(number.map_err(|_| Diagnostic::error("syntax", span(start, at), "this number is too large"))?)
        } else if c.is_alphabetic() || c == '_' {
            at += rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            Token::Word(text[start..at].to_owned())
        } else if c == ',' {
            at += 1;
            Token::Sign(",")
        } else if let Some((sign, means)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            at += sign.len();
            Token::Sign(means)
        } else {
            let message = format!("`{c}` has no meaning in X");
            return Err(Diagnostic::error("syntax", span(start, start + c.len_utf8()), message));
        };
        out.push((token, span(start, at)));
    }
    out.push((Token::End, span(text.len(), text.len())));
    Ok(out)
}

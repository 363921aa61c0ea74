//! Words of SPARK. Names and keywords come in lower case. A comment that begins with `--%` is an annotation (SABS13 §4):
//! its words come like others, after a [`Token::Annotation`].

use base::{Diagnostic, FileId, Span};

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name, in lower case.
    Name(String),
    /// A keyword.
    Key(&'static str),
    /// A number.
    Int(i128),
    /// A sign.
    Sign(&'static str),
    /// `--%`
    Annotation,
    /// A character.
    Char(char),
    /// A string.
    Str(String),
    /// The end of the text.
    End,
}

const KEYWORDS: [&str; 74] = [
    "abort",
    "abs",
    "abstract",
    "accept",
    "access",
    "aliased",
    "all",
    "and",
    "array",
    "at",
    "begin",
    "body",
    "case",
    "constant",
    "declare",
    "delay",
    "delta",
    "digits",
    "do",
    "else",
    "elsif",
    "end",
    "entry",
    "exception",
    "exit",
    "for",
    "function",
    "generic",
    "goto",
    "if",
    "in",
    "interface",
    "is",
    "limited",
    "loop",
    "mod",
    "new",
    "not",
    "null",
    "of",
    "or",
    "others",
    "out",
    "overriding",
    "package",
    "parallel",
    "pragma",
    "private",
    "procedure",
    "protected",
    "raise",
    "range",
    "record",
    "rem",
    "renames",
    "requeue",
    "return",
    "reverse",
    "select",
    "separate",
    "some",
    "subtype",
    "synchronized",
    "tagged",
    "task",
    "terminate",
    "then",
    "type",
    "until",
    "use",
    "when",
    "while",
    "with",
    "xor",
];

const SIGNS: [&str; 25] = [
    ":=", "=>", "..", "/=", "<=", ">=", "**", "<>", "(", ")", ";", ":", ",", ".", "=", "<", ">", "+", "-", "*", "/",
    "'", "|", "&", "@",
];

/// The words of a text, the last of which is [`Token::End`].
pub(crate) fn lex(file: FileId, text: &str) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let mut out: Vec<(Token, Span)> = Vec::new();
    let mut at = 0;
    let span = |lo: usize, hi: usize| Span::new(file, lo as u32, hi as u32);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        let token = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("--%") {
            at += 3;
            Token::Annotation
        } else if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if c.is_ascii_digit() {
            let (value, len) = number(rest).map_err(|why| Diagnostic::error("syntax", span(start, start + 1), why))?;
            at += len;
            Token::Int(value)
        } else if c.is_alphabetic() {
            at += rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let word = text[start..at].to_lowercase();
            match KEYWORDS.iter().find(|k| **k == word) {
                // After a tick, `range` and its like are attributes.
                Some(key) if !matches!(out.last(), Some((Token::Sign("'"), _))) => Token::Key(key),
                _ => Token::Name(word),
            }
        } else if c == '"' {
            let (value, len) = string(rest).map_err(|why| Diagnostic::error("syntax", span(start, start + 1), why))?;
            at += len;
            Token::Str(value)
        } else if c == '\'' && !ends_a_name(&out) && rest.chars().nth(2) == Some('\'') {
            let value = rest.chars().nth(1).expect("there is a third");
            if !value.is_ascii() {
                return Err(Diagnostic::error("unsupported", span(start, start + 1), NOT_ASCII));
            }
            at += 2 + value.len_utf8();
            Token::Char(value)
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            at += sign.len();
            Token::Sign(sign)
        } else {
            let message = format!("`{c}` has no meaning in SPARK");
            return Err(Diagnostic::error("syntax", span(start, start + c.len_utf8()), message));
        };
        out.push((token, span(start, at)));
    }
    out.push((Token::End, span(text.len(), text.len())));
    Ok(out)
}

/// How many characters such a letter is depends on how the compiler reads the text.
const NOT_ASCII: &str = "literals with characters outside of ASCII are not in the subset of SPARK that is supported";

/// Whether a tick here is that of an attribute or a qualified expression.
fn ends_a_name(before: &[(Token, Span)]) -> bool {
    matches!(before.last(), Some((Token::Name(_) | Token::Sign(")") | Token::Key("all"), _)))
}

/// The text of a string literal and its length; a quotation mark in it is written twice.
fn string(text: &str) -> Result<(String, usize), &'static str> {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((i, c)) = chars.next() {
        match c {
            '\n' => break,
            '"' if chars.peek().is_some_and(|(_, next)| *next == '"') => {
                chars.next();
                out.push('"');
            }
            '"' => return Ok((out, i + 1)),
            _ if !c.is_ascii() => return Err(NOT_ASCII),
            _ => out.push(c),
        }
    }
    Err("this string does not end on its line")
}

/// An integer literal at the beginning of `text` and its length: `1_000`, `16#FF#`, `2E3`.
fn number(text: &str) -> Result<(i128, usize), &'static str> {
    let digits = |s: &str| s.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(s.len());
    let plain = text.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(text.len());
    let value =
        |s: &str, base: u32| i128::from_str_radix(&s.replace('_', ""), base).map_err(|_| "this number is too large");
    let first = value(&text[..plain], 10)?;
    let rest = &text[plain..];
    if let Some(based) = rest.strip_prefix('#') {
        let n = digits(based);
        if !based[n..].starts_with('#') || !(2..=16).contains(&first) {
            return Err("this based number is not well formed");
        }
        let value = value(&based[..n], first as u32).map_err(|_| "this based number is not well formed")?;
        return Ok((value, plain + 1 + n + 1));
    }
    if rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return Err("real numbers are not in the subset of SPARK that is supported");
    }
    if rest.starts_with(['e', 'E']) {
        let power = rest[1..].strip_prefix('+').unwrap_or(&rest[1..]);
        let n = power.find(|c: char| !c.is_ascii_digit()).unwrap_or(power.len());
        let exponent: u32 = power[..n].parse().map_err(|_| "this number is not well formed")?;
        let scale =
            10i128.checked_pow(exponent).and_then(|p| first.checked_mul(p)).ok_or("this number is too large")?;
        return Ok((scale, plain + (rest.len() - power.len()) + n));
    }
    Ok((first, plain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    #[test]
    fn a_tick_is_a_literal_or_an_attribute() {
        let words = |text: &str| -> Vec<Token> {
            let tokens = lex(Id::from_index(0), text).expect("these are words");
            tokens.into_iter().map(|(t, _)| t).filter(|t| *t != Token::End).collect()
        };
        use Token::{Char, Name, Sign, Str};
        assert_eq!(words("'('"), [Char('(')]);
        let qualified = [Name("c".into()), Sign("'"), Sign("("), Char('a'), Sign(")")];
        assert_eq!(words("C'('a')"), qualified);
        assert_eq!(words("'''"), [Char('\'')]);
        assert_eq!(words("\"a\"\"b\""), [Str("a\"b".into())]);
        assert!(lex(Id::from_index(0), "\"abc").is_err());
    }

    #[test]
    fn numbers_have_bases_and_exponents() {
        assert_eq!(number("1_000;"), Ok((1000, 5)));
        assert_eq!(number("16#FF# "), Ok((255, 6)));
        assert_eq!(number("2E3;"), Ok((2000, 3)));
        assert_eq!(number("1 .. 5"), Ok((1, 1)));
        assert!(number("1.5").is_err());
    }
}

//! Numbers as texts spell them, as `strtod` and its kin read them (C11 7.22.1.3) in the C locale.

use super::float::{self, Range};
use crate::library;
use crate::syntax::FloatTy;

/// What a text begins with.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Number {
    negative: bool,
    what: What,
}

#[derive(Debug, PartialEq, Eq)]
enum What {
    /// A number without sign, decimal or hexadecimal, as `rustc_apfloat` reads it.
    Finite(String),
    Infinite,
    /// What is not a number, with what stands in its parentheses.
    Nan(u128),
}

impl Number {
    /// The pattern of the number, rounded once, to nearest.
    pub(super) fn pattern(&self, ty: FloatTy) -> u128 {
        let bits = match &self.what {
            What::Finite(text) => float::literal(text, ty).unwrap_or(0),
            What::Infinite => float::infinity(ty),
            // The payload is what fits below the bit that says that it is quiet.
            What::Nan(payload) => {
                let quiet = 1 << (float::nan(ty).trailing_zeros());
                float::nan(ty) | payload & (quiet - 1)
            }
        };
        bits | u128::from(self.negative) << (ty.width() - 1)
    }

    /// What reading it says in `errno`: it is too large, or too small to be exact ([`library::MAYBE_RANGE`]).
    pub(super) fn error(&self, ty: FloatTy) -> u128 {
        let code = match &self.what {
            What::Finite(text) => match float::range(text, ty) {
                Range::Outside => library::ERANGE,
                Range::AtLeast => library::MAYBE_RANGE,
                Range::Inside => 0,
            },
            What::Infinite | What::Nan(_) => 0,
        };
        code as u128
    }
}

/// The number at the start of a text, and where it ends: zero and 0 if there is none.
pub(super) fn number(text: &[u8]) -> (Number, usize) {
    let mut i = text.iter().take_while(|b| matches!(b, b' ' | 9..=13)).count();
    let negative = text.get(i) == Some(&b'-');
    i += usize::from(matches!(text.get(i), Some(b'-' | b'+')));
    let rest = &text[i..];
    let found = infinite(rest).or_else(|| nan(rest)).or_else(|| hexadecimal(rest)).or_else(|| decimal(rest));
    match found {
        Some((what, length)) => (Number { negative, what }, i + length),
        None => (Number { negative: false, what: What::Finite("0".to_owned()) }, 0),
    }
}

fn begins(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|t| t.eq_ignore_ascii_case(word.as_bytes()))
}

fn infinite(text: &[u8]) -> Option<(What, usize)> {
    let word = ["infinity", "inf"].into_iter().find(|w| begins(text, w))?;
    Some((What::Infinite, word.len()))
}

fn nan(text: &[u8]) -> Option<(What, usize)> {
    if !begins(text, "nan") {
        return None;
    }
    let within = text[3..].strip_prefix(b"(").map(|rest| {
        let n = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        (&rest[..n], rest.get(n) == Some(&b')'))
    });
    match within {
        Some((tag, true)) => Some((What::Nan(payload(tag)), 3 + tag.len() + 2)),
        _ => Some((What::Nan(0), 3)),
    }
}

/// What glibc makes of the text in the parentheses: an integer in the notation of C, or nothing.
fn payload(tag: &[u8]) -> u128 {
    let text = String::from_utf8_lossy(tag).to_ascii_lowercase();
    let value = match (text.strip_prefix("0x"), text.strip_prefix('0')) {
        (Some(digits), _) => u64::from_str_radix(digits, 16),
        (None, Some(digits)) if !digits.is_empty() => u64::from_str_radix(digits, 8),
        _ => text.parse(),
    };
    value.unwrap_or(0).into()
}

/// Digits with a point somewhere among them or none: those before it, those behind it, and how many characters they are.
fn digits(text: &[u8], is_digit: fn(&u8) -> bool) -> Option<(String, String, usize)> {
    let run = |text: &[u8]| text.iter().take_while(|b| is_digit(b)).count();
    let whole = run(text);
    let fraction = if text.get(whole) == Some(&b'.') { Some(run(&text[whole + 1..])) } else { None };
    if whole + fraction.unwrap_or(0) == 0 {
        return None;
    }
    let length = whole + fraction.map_or(0, |n| n + 1);
    let part = |from: usize, n: usize| String::from_utf8_lossy(&text[from..from + n]).into_owned();
    Some((part(0, whole), fraction.map_or(String::new(), |n| part(whole + 1, n)), length))
}

/// The power behind a letter, and how many characters they are.
fn power(text: &[u8], letter: u8) -> (String, usize) {
    if text.first().map(u8::to_ascii_lowercase) != Some(letter) {
        return ("0".to_owned(), 0);
    }
    let sign = usize::from(matches!(text.get(1), Some(b'-' | b'+')));
    let n = text[1 + sign..].iter().take_while(|b| b.is_ascii_digit()).count();
    if n == 0 {
        return ("0".to_owned(), 0);
    }
    let minus = if text[1] == b'-' { "-" } else { "" };
    let digits = String::from_utf8_lossy(&text[1 + sign..1 + sign + n]).into_owned();
    (format!("{minus}{digits}"), 1 + sign + n)
}

fn hexadecimal(text: &[u8]) -> Option<(What, usize)> {
    if !begins(text, "0x") {
        return None;
    }
    let (whole, fraction, length) = digits(&text[2..], u8::is_ascii_hexdigit)?;
    let (power, more) = power(&text[2 + length..], b'p');
    Some((What::Finite(format!("0x0{whole}.{fraction}0p{power}")), 2 + length + more))
}

fn decimal(text: &[u8]) -> Option<(What, usize)> {
    let (whole, fraction, length) = digits(text, u8::is_ascii_digit)?;
    let (power, more) = power(&text[length..], b'e');
    Some((What::Finite(format!("0{whole}.{fraction}0e{power}")), length + more))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> (f64, usize) {
        let (number, end) = number(text.as_bytes());
        (f64::from_bits(number.pattern(FloatTy::F64) as u64), end)
    }

    #[test]
    fn numbers_are_read_as_c_does() {
        let cases: &[(&str, f64, usize)] = &[
            ("1.5e2x", 150.0, 5),
            ("  -0.25", -0.25, 7),
            (".5", 0.5, 2),
            ("5.", 5.0, 2),
            ("5.e", 5.0, 2),
            ("1e+", 1.0, 1),
            ("0x", 0.0, 1),
            ("0x.8p1", 1.0, 6),
            ("0x1.8", 1.5, 5),
            ("0xp1", 0.0, 1),
            ("1e400", f64::INFINITY, 5),
            ("1e-400", 0.0, 6),
            ("4.9e-324", f64::from_bits(1), 8),
            ("infinit", f64::INFINITY, 3),
            ("-INFINITY", f64::NEG_INFINITY, 9),
            (".", 0.0, 0),
            ("+", 0.0, 0),
            ("e5", 0.0, 0),
            ("", 0.0, 0),
            ("0.1", 0.1, 3),
            ("1e99999999999", f64::INFINITY, 13),
            ("1e-99999999999", 0.0, 14),
            ("9007199254740993", 9_007_199_254_740_992.0, 16),
        ];
        for &(text, value, end) in cases {
            assert_eq!(double(text), (value, end), "{text}");
        }
        assert!(double("-0").0.is_sign_negative());
        assert_eq!(number(b"nan(0x5)!").1, 8);
        assert_eq!(number(b"-nan(0x5)").0.pattern(FloatTy::F64), 0xfff8_0000_0000_0005);
        assert_eq!(number(b"nan(5").1, 3);
        let error = |text: &str| number(text.as_bytes()).0.error(FloatTy::F64);
        assert_eq!(
            ["1", "1e400", "-1e400", "inf", "1e-400", "0e-400", "4.9e-324", "0x1p-1074"].map(error),
            [0, 34, 34, 0, 34, 0, 34, 0]
        );
        assert_eq!(number(b"nan").0.pattern(FloatTy::F80), 0x7fff_c000_0000_0000_0000);
    }
}

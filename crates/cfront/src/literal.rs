//! What numbers, characters and strings in the text mean (C11 6.4.4, 6.4.5), typed as the target types them.

use crate::types::{FloatKind, IntKind, Target, TypeId, Types, basic};

/// A number of the source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Number {
    Int {
        value: u64,
        kind: IntKind,
    },
    Float {
        text: String,
        kind: FloatKind,
        double: f64,
        single: f32,
    },
    /// Imaginary, decimal or fixed-point: typed, but not represented.
    Exotic(&'static str),
    /// GNU: an imaginary number.
    Imaginary,
}

/// Reads a preprocessing number.
pub(crate) fn number(text: &str, target: Target) -> Result<Number, String> {
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let is_float =
        if hex { lower.contains(['.', 'p']) } else { lower.contains(['.', 'e']) && !lower.starts_with("0b") };
    if is_float { float(text, &lower, hex) } else { integer(text, &lower, target) }
}

/// Whether a decimal or hexadecimal integer needs more than 64 bits, so that gcc cuts it.
pub(crate) fn is_cut(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = lower.strip_prefix("0x").map_or((lower.as_str(), 10), |hex| (hex, 16));
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let whole = digits[end..].chars().all(|c| matches!(c, 'u' | 'l'));
    whole && end > 0 && u64::from_str_radix(&digits[..end], radix).is_err()
}

fn integer(text: &str, lower: &str, target: Target) -> Result<Number, String> {
    let (digits, radix) = if let Some(d) = lower.strip_prefix("0x") {
        (d, 16)
    } else if let Some(d) = lower.strip_prefix("0b") {
        (d, 2)
    } else if lower.len() > 1 && lower.starts_with('0') && lower.as_bytes()[1].is_ascii_digit() {
        (&lower[1..], 8)
    } else {
        (lower, 10)
    };
    let end = digits.find(|c: char| !c.is_digit(if radix == 16 { 16 } else { 10 })).unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    let bad_suffix = || Err(format!("invalid suffix '{}' on integer constant", &text[text.len() - suffix.len()..]));
    if number.is_empty() {
        return bad_suffix();
    }
    if let Some(c) = number.chars().find(|c| !c.is_digit(radix)) {
        let what = if radix == 8 { "octal" } else { "binary" };
        return Err(format!("invalid digit '{c}' in {what} constant"));
    }
    if suffix.contains(['i', 'j']) {
        return Ok(Number::Imaginary);
    }
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return bad_suffix(),
    };
    let mut value: u64 = 0;
    for c in number.chars() {
        let digit = u64::from(c.to_digit(radix).unwrap_or(0));
        // gcc cuts what does not fit into 64 bits, with a warning.
        value = value.wrapping_mul(u64::from(radix)).wrapping_add(digit);
    }
    Ok(Number::Int { value, kind: integer_kind(value, radix == 10, unsigned, longs, target) })
}

/// The first type of C11 6.4.4.1's list that can hold the value.
fn integer_kind(value: u64, decimal: bool, unsigned: bool, longs: u32, target: Target) -> IntKind {
    const LADDER: [(IntKind, IntKind); 3] =
        [(IntKind::Int, IntKind::UInt), (IntKind::Long, IntKind::ULong), (IntKind::LongLong, IntKind::ULongLong)];
    for (signed_kind, unsigned_kind) in LADDER.into_iter().skip(longs as usize) {
        let bits = signed_kind.bits(target);
        if !unsigned && u128::from(value) < 1 << (bits - 1) {
            return signed_kind;
        }
        if (unsigned || !decimal) && u128::from(value) < 1 << bits {
            return unsigned_kind;
        }
    }
    // A decimal constant beyond `long long`: gcc takes `__int128` where there is one.
    if target.abi().pointer == 64 { IntKind::Int128 } else { IntKind::LongLong }
}

fn float(text: &str, lower: &str, hex: bool) -> Result<Number, String> {
    // The number ends where its exponent ends (or, without one, its digits); the rest is the suffix.
    let bytes = lower.as_bytes();
    let mut end = if hex { 2 } else { 0 };
    while end < bytes.len()
        && (bytes[end] == b'.' || if hex { bytes[end].is_ascii_hexdigit() } else { bytes[end].is_ascii_digit() })
    {
        end += 1;
    }
    if bytes.get(end) == Some(if hex { &b'p' } else { &b'e' }) {
        let mut e = end + 1;
        e += usize::from(matches!(bytes.get(e), Some(b'+' | b'-')));
        let digits = bytes[e..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return Err("exponent has no digits".into());
        }
        end = e + digits;
    } else if hex {
        return Err("hexadecimal floating constants require an exponent".into());
    }
    let kind = match &lower[end..] {
        "" | "f64" | "f32x" | "d" => FloatKind::Double,
        "f" | "f32" => FloatKind::Float,
        "l" | "f64x" | "w" => FloatKind::LongDouble,
        "q" | "f128" => FloatKind::Float128,
        "f16" => FloatKind::Float16,
        imaginary if is_imaginary(imaginary) => return Ok(Number::Imaginary),
        "df" | "dd" | "dl" => return Ok(Number::Exotic("decimal floating constant")),
        _ => return Err(format!("invalid suffix '{}' on floating constant", &text[end..])),
    };
    let number = &lower[..end];
    let (double, single) = if hex {
        hex_float(number)?
    } else {
        let bad = |_| "malformed floating constant".to_owned();
        (
            number.parse::<f64>().map_err(bad)?,
            number.parse::<f32>().map_err(|_| "malformed floating constant".to_owned())?,
        )
    };
    Ok(Number::Float { text: text[..end].to_owned(), kind, double, single })
}

/// Whether a suffix is that of a real type with one `i` or `j` before or behind it.
fn is_imaginary(suffix: &str) -> bool {
    let rest = suffix.strip_prefix(['i', 'j']).or_else(|| suffix.strip_suffix(['i', 'j']));
    let real = ["", "f", "l", "d", "w", "q", "f16", "f32", "f64", "f128", "f32x", "f64x"];
    rest.is_some_and(|rest| real.contains(&rest))
}

/// The value of a hexadecimal floating constant, rounded once to each format.
fn hex_float(text: &str) -> Result<(f64, f32), String> {
    let (mantissa, exponent) = text[2..].split_once('p').ok_or("hexadecimal floating constants require an exponent")?;
    let mut exp: i64 = exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') { -100_000 } else { 100_000 });
    exp = exp.clamp(-100_000, 100_000);
    let (mut bits, mut sticky, mut seen_dot, mut any) = (0u128, false, false, false);
    for c in mantissa.chars() {
        let Some(d) = c.to_digit(16) else {
            if seen_dot {
                return Err("too many decimal points in number".into());
            }
            seen_dot = true;
            continue;
        };
        any = true;
        if bits >> 100 == 0 {
            bits = bits << 4 | u128::from(d);
            exp -= if seen_dot { 4 } else { 0 };
        } else {
            sticky |= d != 0;
            exp += if seen_dot { 0 } else { 4 };
        }
    }
    if !any {
        return Err("no digits in hexadecimal floating constant".into());
    }
    let bits = bits << 1 | u128::from(sticky);
    let double = round(bits, exp - 1, 53, -1074, 1023);
    let single = round(bits, exp - 1, 24, -149, 127);
    Ok((double, single as f32))
}

/// `bits * 2^exp` rounded to nearest even with `precision` bits, smallest step `2^min_exp`, largest exponent `max_exp`.
fn round(bits: u128, exp: i64, precision: i64, min_exp: i64, max_exp: i64) -> f64 {
    if bits == 0 {
        return 0.0;
    }
    let top = exp + 127 - i64::from(bits.leading_zeros());
    let step = (top - precision + 1).max(min_exp);
    let drop = step - exp;
    let rounded = if drop <= 0 {
        // Few bits: exact after the shift below.
        bits
    } else if drop > 126 {
        0
    } else {
        let (kept, rest, half) = (bits >> drop, bits & ((1 << drop) - 1), 1u128 << (drop - 1));
        kept + u128::from(rest > half || rest == half && kept & 1 == 1)
    };
    let scale = if drop <= 0 { exp } else { step };
    if rounded == 0 {
        return 0.0;
    }
    if scale + 127 - i64::from(rounded.leading_zeros()) > max_exp {
        return f64::INFINITY;
    }
    // Both factors are exact, and so is their product: it has at most 53 bits and lies in range. Two steps keep the power
    // of two itself in range.
    let half = scale / 2;
    rounded as f64 * 2f64.powi(half as i32) * 2f64.powi((scale - half) as i32)
}

/// The encoding prefix of a character or string literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Plain,
    Utf8,
    Wide,
    /// Wide characters of two bytes.
    ShortWide,
    Char16,
    Char32,
}

impl Encoding {
    /// The type of one element.
    pub(crate) fn element(self, types: &Types) -> TypeId {
        match self {
            Encoding::Plain | Encoding::Utf8 => basic::CHAR,
            Encoding::Wide | Encoding::ShortWide => types.wchar_t(),
            Encoding::Char16 => basic::USHORT,
            Encoding::Char32 => basic::UINT,
        }
    }

    /// The prefix by itself does not say how large wide characters are.
    pub(crate) fn on_target(self, types: &Types) -> Encoding {
        match self {
            Encoding::Wide if types.size(types.wchar_t()) == Some(2) => Encoding::ShortWide,
            other => other,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Encoding::Plain | Encoding::Utf8 => 1,
            Encoding::Char16 | Encoding::ShortWide => 2,
            Encoding::Wide | Encoding::Char32 => 4,
        }
    }
}

/// Appends the elements of a string literal, escapes resolved unless it is a raw one (`R"x(...)x"`).
pub(crate) fn append(text: &str, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), String> {
    let (_, body) = split(text);
    if text.find('"').is_some_and(|quote| text[..quote].ends_with('R')) {
        let open = body.find('(').unwrap_or(0);
        let raw = body.get(open + 1..body.len().saturating_sub(open + 1)).unwrap_or("");
        raw.chars().for_each(|c| encode(c, encoding, out));
        return Ok(());
    }
    decode(body, encoding, out)
}

/// Splits a literal into its prefix and what is between the quotes.
pub(crate) fn split(text: &str) -> (Encoding, &str) {
    let quote = text.find(['"', '\'']).unwrap_or(0);
    let encoding = match text[..quote].trim_end_matches('R') {
        "L" => Encoding::Wide,
        "u" => Encoding::Char16,
        "U" => Encoding::Char32,
        "u8" => Encoding::Utf8,
        _ => Encoding::Plain,
    };
    (encoding, text.get(quote + 1..text.len() - 1).unwrap_or(""))
}

/// Appends the elements of a literal's body, little-endian, in the given encoding.
pub(crate) fn decode(body: &str, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), String> {
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c != '\\' {
            encode(c, encoding, out);
            continue;
        }
        let Some(e) = rest.chars().next() else { break };
        rest = &rest[e.len_utf8()..];
        let unit = match e {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '0'..='7' => {
                let more = rest.bytes().take(2).take_while(|b| (b'0'..=b'7').contains(b)).count();
                let tail = rest[..more].bytes().fold(e as u32 - 48, |v, b| v * 8 + u32::from(b - b'0'));
                rest = &rest[more..];
                tail
            }
            'x' => {
                let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
                if digits == 0 {
                    return Err("\\x used with no following hex digits".into());
                }
                let value = rest[..digits].chars().fold(0u32, |v, c| v << 4 | c.to_digit(16).unwrap_or(0));
                rest = &rest[digits..];
                value
            }
            'u' | 'U' => {
                let want = if e == 'u' { 4 } else { 8 };
                let digits = rest.bytes().take(want).take_while(u8::is_ascii_hexdigit).count();
                let value = u32::from_str_radix(&rest[..digits], 16).ok().filter(|_| digits == want);
                let Some(c) = value.and_then(char::from_u32) else {
                    return Err(format!("incomplete universal character name \\{e}{}", &rest[..digits]));
                };
                rest = &rest[digits..];
                encode(c, encoding, out);
                continue;
            }
            // `\\`, `\'`, `\"`, `\?`; gcc takes an unknown escape as the character itself, with a warning.
            other => {
                encode(other, encoding, out);
                continue;
            }
        };
        out.extend_from_slice(&unit.to_le_bytes()[..encoding.bytes()]);
    }
    Ok(())
}

fn encode(c: char, encoding: Encoding, out: &mut Vec<u8>) {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        Encoding::Char16 | Encoding::ShortWide => {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|u| out.extend_from_slice(&u.to_le_bytes()));
        }
        Encoding::Wide | Encoding::Char32 => out.extend_from_slice(&(c as u32).to_le_bytes()),
    }
}

/// The value and type of a character constant.
pub(crate) fn character(text: &str, types: &Types) -> Result<(u64, TypeId), String> {
    let (encoding, body) = split(text);
    let encoding = encoding.on_target(types);
    let mut bytes = Vec::new();
    decode(body, encoding, &mut bytes)?;
    if bytes.is_empty() {
        return Err("empty character constant".into());
    }
    Ok(match encoding {
        // One byte is a `char`, sign-extended; several make gcc's multi-character constant, of which the last four count.
        Encoding::Plain | Encoding::Utf8 if bytes.len() == 1 && types.target.abi().unsigned_char => {
            (u64::from(bytes[0]), basic::INT)
        }
        Encoding::Plain | Encoding::Utf8 if bytes.len() == 1 => (bytes[0] as i8 as i64 as u64, basic::INT),
        Encoding::Plain | Encoding::Utf8 => {
            let value = bytes.iter().fold(0i32, |v, &b| v << 8 | i32::from(b));
            (i64::from(value) as u64, basic::INT)
        }
        Encoding::Char16 | Encoding::ShortWide => {
            let last = &bytes[bytes.len() - 2..];
            (u64::from(u16::from_le_bytes([last[0], last[1]])), encoding.element(types))
        }
        Encoding::Wide | Encoding::Char32 => {
            let last = &bytes[bytes.len() - 4..];
            let value = u32::from_le_bytes([last[0], last[1], last[2], last[3]]);
            let wide = encoding == Encoding::Wide;
            (if wide { i64::from(value as i32) as u64 } else { u64::from(value) }, encoding.element(types))
        }
    })
}

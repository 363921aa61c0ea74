//! `printf`'s formats (C11 7.21.6.1) in the C locale: the text that a format and its arguments make.

use super::Observer;
use super::decimal::Decimal;
use super::library::Further;
use super::machine::{Machine, R};
use super::value::Value;
use crate::syntax::*;

/// One conversion specification.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// No field is wider than this: a text that long is a mistake, and would only fill memory.
const MAX_FIELD: usize = 1 << 20;

/// The formatted text.
pub(super) fn format<O: Observer>(m: &mut Machine<'_, O>, format: &[u8], args: &mut dyn Further<O>) -> R<Vec<u8>> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < format.len() {
        if format[i] != b'%' {
            out.push(format[i]);
            i += 1;
            continue;
        }
        i += 1;
        let spec = read_spec(m, format, &mut i, args)?;
        let length = read_length(format, &mut i);
        let Some(&conversion) = format.get(i) else { return m.cannot("a format that ends in a conversion") };
        i += 1;
        let field = convert(m, &spec, length, conversion, args)?;
        m.spend_work(32 + field.len() as u64)?;
        out.extend(field);
    }
    Ok(out)
}

fn read_spec<O: Observer>(m: &mut Machine<'_, O>, format: &[u8], i: &mut usize, args: &mut dyn Further<O>) -> R<Spec> {
    let mut spec = Spec::default();
    while let Some(&b) = format.get(*i) {
        match b {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternative = true,
            b'0' => spec.zero = true,
            _ => break,
        }
        *i += 1;
    }
    let width = read_number(m, format, i, args)?;
    spec.left |= width < 0;
    spec.width = width.unsigned_abs() as usize;
    if format.get(*i) == Some(&b'.') {
        *i += 1;
        let precision = read_number(m, format, i, args)?;
        spec.precision = usize::try_from(precision).ok();
    }
    if spec.width > MAX_FIELD || spec.precision.is_some_and(|p| p > MAX_FIELD) {
        return m.cannot("a very wide field in a format");
    }
    Ok(spec)
}

/// A number in a format, or the argument that `*` stands for.
fn read_number<O: Observer>(m: &mut Machine<'_, O>, format: &[u8], i: &mut usize, args: &mut dyn Further<O>) -> R<i32> {
    if format.get(*i) == Some(&b'*') {
        *i += 1;
        return Ok(args.next(m, Ty::int(32, true))?.bits as u32 as i32);
    }
    let mut n: i32 = 0;
    while let Some(d) = format.get(*i).filter(|b| b.is_ascii_digit()) {
        n = n.saturating_mul(10).saturating_add(i32::from(d - b'0'));
        *i += 1;
    }
    Ok(n)
}

/// The length modifier: its letters.
fn read_length<'f>(format: &'f [u8], i: &mut usize) -> &'f [u8] {
    let rest = &format[*i..];
    let n = rest.iter().take_while(|b| b"hlqjztL".contains(b)).count().min(2);
    *i += n;
    &rest[..n]
}

fn convert<O: Observer>(
    m: &mut Machine<'_, O>,
    spec: &Spec,
    length: &[u8],
    conversion: u8,
    args: &mut dyn Further<O>,
) -> R<Vec<u8>> {
    let long = m.program.model.ptr_width();
    let width = match length {
        b"hh" => 8,
        b"h" => 16,
        b"ll" | b"q" | b"j" | b"L" => 64,
        b"l" | b"z" | b"t" => long,
        _ => 32,
    };
    let passed = width.max(32);
    match conversion {
        b'%' => Ok(vec![b'%']),
        b'd' | b'i' => {
            let value = args.next(m, Ty::int(passed, true))?;
            let value = IntTy { width, signed: true }.extend(value.bits & IntTy { width, signed: false }.mask());
            Ok(integer(spec, sign(spec, value < 0), value.unsigned_abs().to_string(), ""))
        }
        b'u' | b'o' | b'x' | b'X' => {
            let value = args.next(m, Ty::int(passed, false))?.bits & IntTy { width, signed: false }.mask();
            let (digits, prefix) = match conversion {
                b'u' => (value.to_string(), ""),
                b'o' => (format!("{value:o}"), if spec.alternative { "0" } else { "" }),
                b'x' => (format!("{value:x}"), if spec.alternative && value != 0 { "0x" } else { "" }),
                _ => (format!("{value:X}"), if spec.alternative && value != 0 { "0X" } else { "" }),
            };
            let prefix = if prefix == "0" && digits.starts_with('0') { "" } else { prefix };
            Ok(integer(spec, "", digits, prefix))
        }
        b'c' if length.is_empty() => {
            let c = args.next(m, Ty::int(32, true))?;
            Ok(pad(spec, vec![c.bits as u8]))
        }
        b's' if length.is_empty() => {
            let p = args.next(m, Ty::Ptr)?;
            if p == Value::plain(0) {
                return Ok(pad(spec, b"(null)".to_vec()));
            }
            let text = m.string(p, spec.precision.map_or(u64::MAX, |p| p as u64))?;
            Ok(pad(spec, text))
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if length != b"L" => {
            let x = f64::from_bits(args.next(m, Ty::Float(FloatTy::F64))?.bits as u64);
            // Texts show the sign of a NaN.
            m.pattern |= x.is_nan();
            Ok(floating(spec, conversion, &Number::double(x)))
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let bits = args.next(m, Ty::Float(FloatTy::F80))?.bits;
            let Some(x) = Number::extended(bits) else {
                return m.cannot("a pattern of long double that is no number of it");
            };
            if matches!((conversion, spec.precision), (b'a' | b'A', Some(_))) {
                return m.cannot("a long double in hexadecimal with a precision");
            }
            m.pattern |= matches!(x.value, Magnitude::Nan);
            Ok(floating(spec, conversion, &x))
        }
        // The address of an object is no number of C; a run that shows one depends on the machine.
        _ => m.cannot("an unusual conversion in a format"),
    }
}

fn sign(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ => "",
    }
}

fn integer(spec: &Spec, sign: &str, digits: String, prefix: &str) -> Vec<u8> {
    let digits = match spec.precision {
        Some(0) if digits == "0" => String::new(),
        Some(p) => format!("{digits:0>p$}"),
        None => digits,
    };
    let prefix = format!("{sign}{prefix}");
    if spec.zero && !spec.left && spec.precision.is_none() {
        let room = spec.width.saturating_sub(prefix.len());
        return format!("{prefix}{digits:0>room$}").into_bytes();
    }
    pad(spec, format!("{prefix}{digits}").into_bytes())
}

fn pad(spec: &Spec, mut text: Vec<u8>) -> Vec<u8> {
    let missing = spec.width.saturating_sub(text.len());
    if spec.left {
        text.extend(std::iter::repeat_n(b' ', missing));
        return text;
    }
    let mut out = vec![b' '; missing];
    out.append(&mut text);
    out
}

/// A number to be written.
#[derive(Clone, Copy)]
struct Number {
    negative: bool,
    value: Magnitude,
}

/// Its magnitude.
#[derive(Clone, Copy)]
enum Magnitude {
    Nan,
    Infinite,
    /// `mantissa * 2^exponent`; whether it is a `long double`.
    Finite {
        mantissa: u64,
        exponent: i32,
        wide: bool,
    },
}

impl Number {
    fn double(x: f64) -> Number {
        let (fraction, field) = (x.to_bits() & ((1 << 52) - 1), (x.to_bits() >> 52 & 0x7ff) as i32);
        let value = match (field, fraction) {
            (0x7ff, 0) => Magnitude::Infinite,
            (0x7ff, _) => Magnitude::Nan,
            _ => {
                let mantissa = fraction | u64::from(field > 0) << 52;
                Magnitude::Finite { mantissa, exponent: field.max(1) - 1075, wide: false }
            }
        };
        Number { negative: x.is_sign_negative(), value }
    }

    /// A number of the x87 format; `None` for patterns that the machine takes for no number.
    fn extended(bits: u128) -> Option<Number> {
        let (mantissa, field) = (bits as u64, (bits >> 64 & 0x7fff) as i32);
        if field > 0 && mantissa >> 63 == 0 {
            return None;
        }
        let value = match (field, mantissa << 1) {
            (0x7fff, 0) => Magnitude::Infinite,
            (0x7fff, _) => Magnitude::Nan,
            _ => Magnitude::Finite { mantissa, exponent: field.max(1) - 16_383 - 63, wide: true },
        };
        Some(Number { negative: bits >> 79 & 1 == 1, value })
    }
}

fn floating(spec: &Spec, conversion: u8, x: &Number) -> Vec<u8> {
    let sign = sign(spec, x.negative);
    let upper = conversion.is_ascii_uppercase();
    let (mantissa, exponent, wide) = match x.value {
        Magnitude::Finite { mantissa, exponent, wide } => (mantissa, exponent, wide),
        Magnitude::Nan | Magnitude::Infinite => {
            let word = if matches!(x.value, Magnitude::Nan) { "nan" } else { "inf" };
            let word = if upper { word.to_ascii_uppercase() } else { word.to_owned() };
            return pad(spec, format!("{sign}{word}").into_bytes());
        }
    };
    let precision = spec.precision.unwrap_or(6);
    let decimal = || Decimal::of(mantissa, exponent);
    let mut body = match conversion.to_ascii_lowercase() {
        b'f' => fixed(&decimal(), precision, spec.alternative),
        b'e' => scientific(&decimal(), precision, spec.alternative),
        b'a' if wide => extended_hexadecimal(mantissa, exponent, spec.alternative),
        b'a' => hexadecimal(mantissa, exponent, spec.precision, spec.alternative),
        _ => general(&decimal(), precision.max(1), spec.alternative),
    };
    if upper {
        body.make_ascii_uppercase();
    }
    if spec.zero && !spec.left {
        // Zeroes stand behind what says that the digits are hexadecimal.
        let (prefix, digits) = body.split_at(if conversion.eq_ignore_ascii_case(&b'a') { 2 } else { 0 });
        let room = spec.width.saturating_sub(sign.len() + prefix.len());
        return format!("{sign}{prefix}{digits:0>room$}").into_bytes();
    }
    pad(spec, format!("{sign}{body}").into_bytes())
}

fn fixed(x: &Decimal, precision: usize, point: bool) -> String {
    let text = x.fixed(precision);
    if point && precision == 0 { text + "." } else { text }
}

fn scientific(x: &Decimal, precision: usize, point: bool) -> String {
    let (digits, exponent) = x.scientific(precision);
    let point = if point && precision == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}{point}e{sign}{:02}", exponent.unsigned_abs())
}

/// `%La` without a precision: glibc writes four bits before the point.
fn extended_hexadecimal(mantissa: u64, exponent: i32, point: bool) -> String {
    let exponent = if mantissa == 0 { 0 } else { exponent + 60 };
    let digits = format!("{mantissa:016x}");
    let behind = digits[1..].trim_end_matches('0');
    let dot = if point || !behind.is_empty() { "." } else { "" };
    format!("0x{}{dot}{behind}p{exponent:+}", &digits[..1])
}

/// `%a`: as glibc has it, with one bit before the point, or none where the number is subnormal; ties go to the even digit.
fn hexadecimal(all: u64, exponent: i32, precision: Option<usize>, point: bool) -> String {
    let fraction = all & ((1 << 52) - 1);
    let exponent = if all == 0 { 0 } else { exponent + 52 };
    let (before, digits) = match precision {
        Some(p) if p < 13 => {
            let shift = 4 * (13 - p);
            let (kept, rest, half) = (all >> shift, all & ((1 << shift) - 1), 1 << (shift - 1));
            let kept = kept + u64::from(rest > half || rest == half && kept & 1 == 1);
            let digits = if p == 0 { String::new() } else { format!("{:0p$x}", kept & ((1 << (4 * p)) - 1)) };
            (kept >> (4 * p), digits)
        }
        Some(p) => (all >> 52, format!("{:0<p$}", format!("{fraction:013x}"))),
        None => (all >> 52, format!("{fraction:013x}").trim_end_matches('0').to_owned()),
    };
    let dot = if point || !digits.is_empty() { "." } else { "" };
    format!("0x{before}{dot}{digits}p{exponent:+}")
}

/// `%g`: the shorter form, without trailing zeroes.
fn general(x: &Decimal, precision: usize, keep: bool) -> String {
    let (_, exponent) = x.scientific(precision - 1);
    let small = exponent < -4 || exponent >= precision as i32;
    if small {
        let text = scientific(x, precision - 1, keep);
        let (digits, rest) = text.split_once('e').unwrap_or((&text, ""));
        return format!("{}e{rest}", if keep { digits } else { trimmed(digits) });
    }
    let text = fixed(x, (precision as i32 - 1 - exponent).max(0) as usize, keep);
    if keep { text } else { trimmed(&text).to_owned() }
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

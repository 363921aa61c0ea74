//! The conversions of formats that are known, as data: which arguments they take, and what is done with those (C11 7.21.6).

use ir::{DataModel, FloatTy, Ty};

/// A conversion of `printf`.
pub(crate) struct Conversion {
    /// Its letter.
    pub(crate) letter: u8,
    /// `%ls`, `%lc`, `%S`, `%C`.
    pub(crate) wide: bool,
    /// Its precision.
    pub(crate) precision: Precision,
    /// The arguments that it takes: for its width, its precision, and the value.
    pub(crate) args: Vec<Ty>,
}

/// The precision of a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precision {
    /// None.
    Absent,
    /// A number.
    Number(u64),
    /// An argument says it, the last but one.
    Argument,
}

/// A conversion of `scanf`.
pub(crate) struct Input {
    /// What it reads.
    pub(crate) what: What,
    /// The most characters.
    pub(crate) width: Option<u64>,
    /// `*`: nothing is stored, and it does not count.
    pub(crate) suppressed: bool,
}

/// What a conversion of `scanf` stores.
pub(crate) enum What {
    /// A value of this type.
    Value(Ty),
    /// Characters of a set and a zero.
    Text(Box<[bool; 256]>),
    /// Characters.
    Chars,
    /// How many characters there were so far: `%n`.
    Count(Ty),
}

/// The letters between `%` and the conversion that say how long an integer is.
fn length(text: &[u8]) -> &[u8] {
    let all: [&[u8]; 9] = [b"hh", b"h", b"ll", b"l", b"q", b"j", b"z", b"t", b"L"];
    all.into_iter().find(|name| text.starts_with(name)).unwrap_or(b"")
}

fn int_width(length: &[u8], model: DataModel) -> Option<u16> {
    Some(match length {
        b"" => 32,
        b"hh" => 8,
        b"h" => 16,
        b"l" | b"z" | b"t" => model.ptr_width(),
        b"ll" | b"q" | b"j" => 64,
        _ => return None,
    })
}

fn decimal(text: &[u8], i: &mut usize) -> Option<u64> {
    let from = *i;
    while text.get(*i).is_some_and(u8::is_ascii_digit) {
        *i += 1;
    }
    std::str::from_utf8(&text[from..*i]).ok()?.parse().ok()
}

/// The conversions of a format of `printf`; `None` if one is not known.
pub(crate) fn all(text: &[u8], model: DataModel) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut i = 0;
    while let Some(at) = text[i..].iter().position(|&b| b == b'%') {
        i += at + 1;
        if text.get(i) == Some(&b'%') {
            i += 1;
            continue;
        }
        found.push(one(text, &mut i, model)?);
    }
    Some(found)
}

fn one(text: &[u8], i: &mut usize, model: DataModel) -> Option<Conversion> {
    while text.get(*i).is_some_and(|b| b"-+ #0'I".contains(b)) {
        *i += 1;
    }
    let mut args = Vec::new();
    let mut number = |i: &mut usize| {
        if text.get(*i) == Some(&b'*') {
            *i += 1;
            args.push(Ty::int(32, true));
            return Precision::Argument;
        }
        decimal(text, i).map_or(Precision::Number(0), Precision::Number)
    };
    number(i);
    let mut precision = Precision::Absent;
    if text.get(*i) == Some(&b'.') {
        *i += 1;
        precision = number(i);
    }
    let long = length(&text[*i..]);
    *i += long.len();
    let letter = *text.get(*i)?;
    *i += 1;
    // Shorter integers are passed as `int`.
    let passed = || int_width(long, model).map(|width| width.max(32));
    let mut wide = false;
    match letter {
        b'd' | b'i' => args.push(Ty::int(passed()?, true)),
        b'u' | b'x' | b'X' | b'o' => args.push(Ty::int(passed()?, false)),
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            args.push(Ty::Float(if long == b"L" { FloatTy::F80 } else { FloatTy::F64 }));
        }
        b'c' | b'C' => {
            wide = letter == b'C' || long == b"l";
            args.push(Ty::int(32, true));
        }
        b's' | b'S' => {
            wide = letter == b'S' || long == b"l";
            args.push(Ty::Ptr);
        }
        b'p' => args.push(Ty::Ptr),
        b'n' => {
            int_width(long, model)?;
            args.push(Ty::Ptr);
        }
        b'm' => {}
        _ => return None,
    }
    Some(Conversion { letter, wide, precision, args })
}

/// The conversions of a format of `scanf`; `None` if one is not known.
pub(crate) fn inputs(text: &[u8], model: DataModel) -> Option<Vec<Input>> {
    let mut found = Vec::new();
    let mut i = 0;
    while let Some(at) = text[i..].iter().position(|&b| b == b'%') {
        i += at + 1;
        if text.get(i) == Some(&b'%') {
            i += 1;
            continue;
        }
        found.push(input(text, &mut i, model)?);
    }
    Some(found)
}

fn input(text: &[u8], i: &mut usize, model: DataModel) -> Option<Input> {
    let suppressed = text.get(*i) == Some(&b'*');
    *i += usize::from(suppressed);
    let width = match text.get(*i)? {
        b'0'..=b'9' => Some(decimal(text, i).filter(|n| (1..1 << 30).contains(n))?),
        _ => None,
    };
    let long = length(&text[*i..]);
    *i += long.len();
    let letter = *text.get(*i)?;
    *i += 1;
    let int = |signed| int_width(long, model).map(|width| Ty::int(width, signed));
    let what = match letter {
        b'd' | b'i' => What::Value(int(true)?),
        b'u' | b'x' | b'X' | b'o' => What::Value(int(false)?),
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => What::Value(Ty::Float(match long {
            b"" => FloatTy::F32,
            b"l" => FloatTy::F64,
            b"L" => FloatTy::F80,
            _ => return None,
        })),
        b'p' if long.is_empty() => What::Value(Ty::Ptr),
        b'n' if width.is_none() => What::Count(int(true)?),
        b'c' if long.is_empty() => What::Chars,
        b's' if long.is_empty() => {
            let mut set = [true; 256];
            [9, 10, 11, 12, 13, 32].into_iter().for_each(|space| set[space] = false);
            What::Text(Box::new(set))
        }
        b'[' if long.is_empty() => What::Text(Box::new(scan_set(text, i)?)),
        _ => return None,
    };
    Some(Input { what, width, suppressed })
}

/// The characters between `[` and `]`; a range is what glibc takes it for.
fn scan_set(text: &[u8], i: &mut usize) -> Option<[bool; 256]> {
    let negated = text.get(*i) == Some(&b'^');
    *i += usize::from(negated);
    let from = *i;
    // A bracket that comes first is a member.
    let end = from + 1 + text.get(from + 1..)?.iter().position(|&b| b == b']')?;
    let members = &text[from..end];
    *i = end + 1;
    let mut set = [negated; 256];
    let mut k = 0;
    while k < members.len() {
        match members[k..] {
            [lo, b'-', hi, ..] if lo <= hi => {
                (lo..=hi).for_each(|b| set[usize::from(b)] = !negated);
                k += 3;
            }
            [_, b'-', _, ..] => return None,
            [b, ..] => {
                set[usize::from(b)] = !negated;
                k += 1;
            }
            [] => break,
        }
    }
    Some(set)
}

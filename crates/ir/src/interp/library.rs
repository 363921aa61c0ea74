//! The exact half of the library functions ([`crate::library`]): what they compute from memory. Bytes are read one by one
//! through the ordinary access, so that undefined behaviour and undrawn bytes are met where they are.

use super::format;
use super::machine::{Machine, R, Stop};
use super::memory::Storage;
use super::value::Value;
use super::{Observer, float};
use crate::library::{self, Library};
use crate::syntax::*;

impl<O: Observer> Machine<'_, O> {
    /// The result of a library function.
    pub(super) fn library(&mut self, lib: Library, args: &[Value], types: &[Ty]) -> R<Value> {
        use Library as L;
        let number = |i: usize| args[i].bits as u64;
        Ok(match lib {
            L::Strlen => plain(self.string(args[0], u64::MAX)?.len()),
            L::Strnlen => plain(self.string(args[0], number(1))?.len()),
            L::Strcmp => self.compare(args[0], args[1], u64::MAX, true, false)?,
            L::Strncmp => self.compare(args[0], args[1], number(2), true, false)?,
            L::Strcasecmp => self.compare(args[0], args[1], u64::MAX, true, true)?,
            L::Strncasecmp => self.compare(args[0], args[1], number(2), true, true)?,
            L::Memcmp => self.compare(args[0], args[1], number(2), false, false)?,
            L::Memchr => self.find_byte(args[0], number(1) as u8, number(2))?,
            L::Strchr | L::Strrchr => {
                let mut text = self.string(args[0], u64::MAX)?;
                text.push(0);
                let wanted = number(1) as u8;
                let at = match lib {
                    L::Strchr => text.iter().position(|&b| b == wanted),
                    _ => text.iter().rposition(|&b| b == wanted),
                };
                self.inside(args[0], at)
            }
            L::Strstr => {
                let (text, part) = (self.string(args[0], u64::MAX)?, self.string(args[1], u64::MAX)?);
                let at = if part.is_empty() { Some(0) } else { text.windows(part.len()).position(|w| w == part) };
                self.inside(args[0], at)
            }
            L::Strpbrk | L::Strspn | L::Strcspn => {
                let (text, set) = (self.string(args[0], u64::MAX)?, self.string(args[1], u64::MAX)?);
                let at = text.iter().position(|b| set.contains(b) != (lib == L::Strspn));
                match lib {
                    L::Strpbrk => self.inside(args[0], at),
                    _ => plain(at.unwrap_or(text.len())),
                }
            }
            L::Sign => Value::plain((args[0].bits as u32 as i32).signum() as u32 as u128),
            L::Toupper | L::Tolower => Value::plain(change_case(lib, args[0].bits as u32).into()),
            L::StrtolError32 | L::StrtoulError32 | L::StrtolError64 | L::StrtoulError64 => {
                let text = self.string(args[0], u64::MAX)?;
                Value::plain(number_error(lib, &text, args[1].bits as u32))
            }
            L::Strtol32 | L::Strtoul32 | L::Strtol64 | L::Strtoul64 | L::StrtolEnd => self.strtol(lib, args)?,
            L::Strtod | L::Strtof | L::Strtold | L::StrtodEnd | L::StrtodError | L::StrtofError | L::StrtoldError => {
                let text = self.string(args[0], u64::MAX)?;
                let (number, end) = super::spelling::number(&text);
                match lib {
                    L::StrtodError => Value::plain(number.error(FloatTy::F64)),
                    L::StrtofError => Value::plain(number.error(FloatTy::F32)),
                    L::StrtoldError => Value::plain(number.error(FloatTy::F80)),
                    L::Strtod => Value::plain(number.pattern(FloatTy::F64)),
                    L::Strtof => Value::plain(number.pattern(FloatTy::F32)),
                    L::Strtold => Value::plain(number.pattern(FloatTy::F80)),
                    _ => self.offset(args[0], end as u64),
                }
            }
            L::Size => match args[0].provenance.as_object() {
                Some(object) => Value::plain(self.memory.size(object).into()),
                None => return self.cannot("the size of an object outside the program"),
            },
            L::Format | L::FormatLength => {
                let format = self.string(args[0], u64::MAX)?;
                let mut further = Listed { args: &args[1..], types: &types[1..] };
                let text = format::format(self, &format, &mut further)?;
                self.formatted(lib, &text)?
            }
            L::Vformat | L::VformatLength => {
                let format = self.string(args[0], u64::MAX)?;
                let mut further = InMemory { next: args[1] };
                let text = format::format(self, &format, &mut further)?;
                self.formatted(lib, &text)?
            }
            _ => match class(lib) {
                Some(class) => Value::plain(u128::from(class(args[0].bits as u32 as i32))),
                None => {
                    let args: Vec<u128> = args.iter().map(|a| a.bits).collect();
                    Value::plain(float::library(lib, &args))
                }
            },
        })
    }

    /// The run cannot be followed.
    pub(super) fn cannot<T>(&self, why: &str) -> R<T> {
        Err(Box::new(Stop::Unsupported(why.to_owned())))
    }

    fn formatted(&mut self, lib: Library, text: &[u8]) -> R<Value> {
        if i32::try_from(text.len()).is_err() {
            return self.cannot("a formatted text of 2 GiB");
        }
        if matches!(lib, Library::FormatLength | Library::VformatLength) {
            self.text = Some(text.to_vec());
            return Ok(plain(text.len()));
        }
        let number = self.new_object(text.len() as u64 + 1, 1, Storage::Heap)?;
        let at = self.memory.address_of(number);
        for (i, &b) in text.iter().enumerate() {
            self.store(self.offset(at, i as u64), Ty::int(8, false), None, Value::plain(b.into()))?;
        }
        Ok(at)
    }

    /// The pointer, so many bytes further on.
    pub(super) fn offset(&self, p: Value, by: u64) -> Value {
        let mask = u64::MAX >> (64 - self.program.model.ptr_width());
        Value { bits: ((p.bits as u64).wrapping_add(by) & mask).into(), ..p }
    }

    fn inside(&self, p: Value, at: Option<usize>) -> Value {
        at.map_or(Value::plain(0), |i| self.offset(p, i as u64))
    }

    /// The byte at a pointer plus an offset.
    pub(super) fn byte(&mut self, p: Value, i: u64) -> R<u8> {
        self.spend_work(32)?;
        Ok(self.load(self.offset(p, i), Ty::int(8, false), None)?.bits as u8)
    }

    /// The characters of a string, or the first `most` of them.
    pub(super) fn string(&mut self, p: Value, most: u64) -> R<Vec<u8>> {
        let mut text = Vec::new();
        while (text.len() as u64) < most {
            match self.byte(p, text.len() as u64)? {
                0 => break,
                b => text.push(b),
            }
        }
        Ok(text)
    }

    /// The difference at the first place where two ranges differ; C says only what its sign is, glibc's is -1, 0 or 1 for
    /// words and the difference of bytes elsewhere: this gives the sign.
    fn compare(&mut self, a: Value, b: Value, most: u64, strings: bool, fold: bool) -> R<Value> {
        let mut i = 0;
        while i < most {
            let (mut x, mut y) = (self.byte(a, i)?, self.byte(b, i)?);
            if fold {
                (x, y) = (x.to_ascii_lowercase(), y.to_ascii_lowercase());
            }
            if x != y {
                return Ok(Value::plain(if x < y { u32::MAX.into() } else { 1 }));
            }
            if strings && x == 0 {
                break;
            }
            i += 1;
        }
        Ok(Value::plain(0))
    }

    fn find_byte(&mut self, p: Value, wanted: u8, len: u64) -> R<Value> {
        for i in 0..len {
            if self.byte(p, i)? == wanted {
                return Ok(self.offset(p, i));
            }
        }
        Ok(Value::plain(0))
    }

    /// C11 7.22.1.4, in the C locale.
    fn strtol(&mut self, lib: Library, args: &[Value]) -> R<Value> {
        let text = self.string(args[0], u64::MAX)?;
        let base = args[1].bits as u32;
        // glibc gives 0 for a base that is none, and leaves the end at the start.
        let is_base = base != 1 && base <= 36;
        let (value, negative, end) = if is_base { parse_integer(&text, base) } else { (0, false, 0) };
        let at_most = |limit: u128| value.min(limit);
        Ok(match lib {
            Library::StrtolEnd => self.offset(args[0], end as u64),
            Library::Strtol32 => Value::plain(signed(value, negative, 32)),
            Library::Strtol64 => Value::plain(signed(value, negative, 64)),
            Library::Strtoul32 => Value::plain(unsigned(at_most(u32::MAX.into()), value, negative, 32)),
            _ => Value::plain(unsigned(at_most(u64::MAX.into()), value, negative, 64)),
        })
    }
}

/// Where a format takes its arguments from.
pub(super) trait Further<O: Observer> {
    /// The next argument, read as this type.
    fn next(&mut self, machine: &mut Machine<'_, O>, ty: Ty) -> R<Value>;
}

/// Arguments of a call.
struct Listed<'v> {
    args: &'v [Value],
    types: &'v [Ty],
}

impl<O: Observer> Further<O> for Listed<'_> {
    fn next(&mut self, machine: &mut Machine<'_, O>, ty: Ty) -> R<Value> {
        let (Some((&value, args)), Some((&has, types))) = (self.args.split_first(), self.types.split_first()) else {
            return machine.cannot("a format with too few arguments");
        };
        (self.args, self.types) = (args, types);
        let model = machine.program.model;
        let same = has == ty
            || has.width(model) == ty.width(model) && !matches!((has, ty), (Ty::Float(_), _) | (_, Ty::Float(_)));
        if same { Ok(value) } else { machine.cannot("a format that does not fit its arguments") }
    }
}

/// Arguments of a variadic function: `lower` puts them one after the other, each at a multiple of 8 bytes.
struct InMemory {
    next: Value,
}

impl<O: Observer> Further<O> for InMemory {
    fn next(&mut self, machine: &mut Machine<'_, O>, ty: Ty) -> R<Value> {
        let value = machine.load(self.next, ty, None)?;
        let size = ty.size(machine.program.model).next_multiple_of(8);
        self.next = machine.offset(self.next, size);
        Ok(value)
    }
}

fn plain(n: usize) -> Value {
    Value::plain(n as u128)
}

fn change_case(lib: Library, c: u32) -> u32 {
    match u8::try_from(c) {
        Ok(b) if lib == Library::Toupper => b.to_ascii_uppercase().into(),
        Ok(b) => b.to_ascii_lowercase().into(),
        Err(_) => c,
    }
}

/// The classes of characters in the C locale, with the values that glibc's table gives.
fn class(lib: Library) -> Option<fn(i32) -> u32> {
    use Library as L;
    macro_rules! test {
        ($value:literal, $of:expr) => {
            Some(|c| u8::try_from(c).map_or(0, |b| if $of(&b) { $value } else { 0 }))
        };
    }
    match lib {
        L::Isalpha => test!(1024, u8::is_ascii_alphabetic),
        L::Isdigit => test!(2048, u8::is_ascii_digit),
        L::Isspace => test!(8192, |b: &u8| matches!(b, b' ' | 9..=13)),
        L::Isupper => test!(256, u8::is_ascii_uppercase),
        L::Islower => test!(512, u8::is_ascii_lowercase),
        L::Isalnum => test!(8, u8::is_ascii_alphanumeric),
        L::Isxdigit => test!(4096, u8::is_ascii_hexdigit),
        L::Isprint => test!(16384, |b: &u8| (32..127).contains(b)),
        L::Ispunct => test!(4, u8::is_ascii_punctuation),
        L::Iscntrl => test!(2, u8::is_ascii_control),
        L::Isgraph => test!(32768, u8::is_ascii_graphic),
        L::Isblank => test!(1, |b: &u8| matches!(b, b' ' | 9)),
        _ => None,
    }
}

/// The value of a number at the start of a text, whether it has a minus, and where it ends (0 if there is none).
fn parse_integer(text: &[u8], base: u32) -> (u128, bool, usize) {
    let mut i = text.iter().take_while(|b| matches!(b, b' ' | 9..=13)).count();
    let negative = text.get(i) == Some(&b'-');
    i += usize::from(matches!(text.get(i), Some(b'-' | b'+')));
    let hex = matches!(text.get(i..), Some([b'0', b'x' | b'X', d, ..]) if d.is_ascii_hexdigit());
    let base = match base {
        0 if hex => 16,
        0 if text.get(i) == Some(&b'0') => 8,
        0 => 10,
        b => b,
    };
    if base == 16 && hex {
        i += 2;
    }
    let first = i;
    let mut value: u128 = 0;
    while let Some(d) = text.get(i).and_then(|&b| (b as char).to_digit(36)).filter(|&d| d < base) {
        value = value.saturating_mul(base.into()).saturating_add(d.into());
        i += 1;
    }
    if i == first { (0, false, 0) } else { (value, negative, i) }
}

/// What `strtol` and its kin say in `errno`: a base that is none, no number, or one that does not fit.
fn number_error(lib: Library, text: &[u8], base: u32) -> u128 {
    if base == 1 || base > 36 {
        return library::EINVAL as u128;
    }
    let (value, negative, end) = parse_integer(text, base);
    let fits = match lib {
        Library::StrtolError32 => value <= (1 << 31) - u128::from(!negative),
        Library::StrtolError64 => value <= (1 << 63) - u128::from(!negative),
        Library::StrtoulError32 => value <= u32::MAX.into(),
        _ => value <= u64::MAX.into(),
    };
    match (end, fits) {
        (0, _) => library::NO_NUMBER as u128,
        (_, false) => library::ERANGE as u128,
        (_, true) => 0,
    }
}

fn signed(value: u128, negative: bool, width: u32) -> u128 {
    let half = 1u128 << (width - 1);
    let mask = (1u128 << width) - 1;
    if negative { value.min(half).wrapping_neg() & mask } else { value.min(half - 1) }
}

fn unsigned(limited: u128, value: u128, negative: bool, width: u32) -> u128 {
    let mask = (1u128 << width) - 1;
    if negative && value <= mask { limited.wrapping_neg() & mask } else { limited }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_c_does() {
        assert_eq!(parse_integer(b"  -42x", 10), (42, true, 5));
        assert_eq!(parse_integer(b"0x1F", 0), (31, false, 4));
        assert_eq!(parse_integer(b"0x", 16), (0, false, 1));
        assert_eq!(parse_integer(b"077", 0), (63, false, 3));
        assert_eq!(parse_integer(b"+", 10), (0, false, 0));
        assert_eq!(signed(1 << 40, false, 32), 0x7fff_ffff);
        assert_eq!(signed(1 << 40, true, 32), 0x8000_0000);
        assert_eq!(unsigned(5, 5, true, 32), 0xffff_fffb);
        assert_eq!(unsigned(u32::MAX.into(), 1 << 40, true, 32), 0xffff_ffff);
    }
}

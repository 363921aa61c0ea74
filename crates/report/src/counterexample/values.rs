//! Values as a C programmer writes them.

use crate::counted;
use ir::interp::{Data, Input, Pointer};
use ir::{FloatTy, IntTy, Ty};

/// A bit pattern of a type that is not a pointer.
pub(super) fn show_bits(ty: Ty, bits: u128) -> String {
    match ty {
        Ty::Bool => (bits != 0).to_string(),
        Ty::Int(int) => show_int(int, bits),
        Ty::Float(FloatTy::F32) => format!("{:?}", f32::from_bits(bits as u32)),
        Ty::Float(FloatTy::F64) => format!("{:?}", f64::from_bits(bits as u64)),
        Ty::Float(ty) => match ir::library::math::number(ty, bits) {
            Some(value) => format!("{value:?}"),
            None => format!("{bits:#x}"),
        },
        Ty::Ptr => format!("{bits:#x}"),
    }
}

/// Decimal; characters also as such, and large unsigned numbers also in hexadecimal.
fn show_int(int: IntTy, bits: u128) -> String {
    if int.signed {
        let value = int.extend(bits);
        return match u8::try_from(value) {
            Ok(c) if int.width == 8 => format!("{value}{}", character(c)),
            _ => value.to_string(),
        };
    }
    match u8::try_from(bits) {
        Ok(c) if int.width == 8 => format!("{bits}{}", character(c)),
        _ if bits > i32::MAX as u128 => format!("{bits} ({bits:#x})"),
        _ => bits.to_string(),
    }
}

fn character(c: u8) -> String {
    match c {
        b'\n' => " '\\n'".to_string(),
        b'\t' => " '\\t'".to_string(),
        b'\'' | b'\\' => format!(" '\\{}'", c as char),
        b' '..=b'~' => format!(" '{}'", c as char),
        _ => String::new(),
    }
}

/// An answer on a tape; `object` names one, and the outside begins to count at `outside`.
pub(super) fn show_data(data: &Data, object: &dyn Fn(u32) -> String, outside: u64) -> String {
    match data {
        Data::Value(ty, Input::Bits(bits)) => show_bits(*ty, *bits),
        Data::Value(_, Input::Pointer(p)) => match p {
            Pointer::Null => "NULL".to_string(),
            Pointer::Object { object: number, offset } => {
                let sign = if *offset < 0 { '-' } else { '+' };
                let further = match offset.unsigned_abs() {
                    0 => String::new(),
                    n => format!(" {sign} {}", counted(n, "byte")),
                };
                format!("{}{further}", object(*number))
            }
            Pointer::Ext(offset) => {
                format!("{:#x}, in memory outside the program", outside.wrapping_add(*offset))
            }
            Pointer::Raw(bits) => format!("{bits:#x}"),
        },
        Data::Bytes(bytes) => show_bytes(bytes),
        Data::Fails(true) => "NULL".to_string(),
        Data::Fails(false) => "a new block".to_string(),
        Data::Writes(patches) if patches.is_empty() => "unchanged".to_string(),
        Data::Writes(patches) => counted(patches.len() as u64, "change"),
        Data::Base(base) => format!("{base:#x}"),
    }
}

fn show_bytes(bytes: &[u8]) -> String {
    const SHOWN: usize = 16;
    let shown: Vec<String> = bytes.iter().take(SHOWN).map(|b| format!("{b:02x}")).collect();
    let more = if bytes.len() > SHOWN { " …" } else { "" };
    format!("bytes {}{more}", shown.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_look_like_c() {
        let int = |width, signed| Ty::int(width, signed);
        for (ty, bits, text) in [
            (int(32, true), 0xffff_ffff, "-1"),
            (int(32, false), 0xffff_ffff, "4294967295 (0xffffffff)"),
            (int(32, false), 7, "7"),
            (int(8, true), 0x41, "65 'A'"),
            (int(8, true), 0xc8, "-56"),
            (int(8, false), 0xc8, "200"),
            (int(8, true), 0, "0"),
            (int(8, false), 0x5c, "92 '\\\\'"),
            (int(16, true), 0x8000, "-32768"),
            (int(64, true), 1 << 63, "-9223372036854775808"),
            (Ty::Bool, 1, "true"),
            (Ty::Float(FloatTy::F64), 0x3ff8_0000_0000_0000, "1.5"),
            (Ty::Float(FloatTy::F32), 0xff80_0000, "-inf"),
        ] {
            assert_eq!(show_bits(ty, bits), text);
        }
    }
}

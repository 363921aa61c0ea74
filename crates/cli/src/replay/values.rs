//! Values as C text.

use ir::{DataModel, FloatTy, Ty};

/// A value of a type that is not a pointer, as a constant expression; none for what C has no constants for.
pub(super) fn literal(ty: Ty, bits: u128) -> Option<String> {
    match ty {
        Ty::Bool => Some(u8::from(bits != 0).to_string()),
        Ty::Int(int) if int.width > 64 => {
            let (high, low) = ((bits >> 64) as u64, bits as u64);
            Some(format!("(((unsigned __int128){high:#x}ull << 64) | {low:#x}ull)"))
        }
        Ty::Int(int) if int.signed => Some(match int.extend(bits) {
            n if n == i128::from(i64::MIN) => "(-9223372036854775807ll - 1)".to_string(),
            n if n < i128::from(i32::MIN) || n > i128::from(i32::MAX) => format!("{n}ll"),
            n if n == i128::from(i32::MIN) => "(-2147483647 - 1)".to_string(),
            n => n.to_string(),
        }),
        Ty::Int(_) => Some(if bits > i32::MAX as u128 { format!("{bits}ull") } else { bits.to_string() }),
        Ty::Float(FloatTy::F16) => Some(float(ir::library::math::number(FloatTy::F16, bits)?, "f16")),
        Ty::Float(FloatTy::F32) => Some(float(f64::from(f32::from_bits(bits as u32)), "f")),
        Ty::Float(FloatTy::F64) => Some(float(f64::from_bits(bits as u64), "")),
        Ty::Float(FloatTy::F80 | FloatTy::F128) | Ty::Ptr => None,
    }
}

/// A floating constant. The shortest decimal form of a number is read back as the same number.
fn float(value: f64, suffix: &str) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        return format!("{sign}__builtin_nan{suffix}(\"\")");
    }
    if value.is_infinite() {
        return format!("{sign}__builtin_inf{suffix}()");
    }
    format!("{value:?}{suffix}")
}

/// The bytes of a value in memory.
pub(super) fn bytes_of(ty: Ty, bits: u128, model: DataModel) -> Vec<u8> {
    bits.to_le_bytes()[..(ty.size(model) as usize).min(16)].to_vec()
}

/// Bytes as a string literal.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let body: String = bytes.iter().map(|b| format!("\\{b:03o}")).collect();
    format!("\"{body}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_c() {
        for (ty, bits, text) in [
            (Ty::int(32, true), 0xffff_fff9, "-7"),
            (Ty::int(32, true), 0x8000_0000, "(-2147483647 - 1)"),
            (Ty::int(64, true), 1 << 63, "(-9223372036854775807ll - 1)"),
            (Ty::int(32, false), 0xffff_ffff, "4294967295ull"),
            (Ty::int(64, true), 1 << 40, "1099511627776ll"),
            (Ty::Bool, 1, "1"),
            (Ty::Float(FloatTy::F64), 0x3ff8_0000_0000_0000, "1.5"),
            (Ty::Float(FloatTy::F32), 0xff80_0000, "-__builtin_inff()"),
            (Ty::Float(FloatTy::F64), 0x8000_0000_0000_0000, "-0.0"),
        ] {
            assert_eq!(literal(ty, bits).as_deref(), Some(text));
        }
        assert_eq!(quoted(&[0, 255, b'a']), "\"\\000\\377\\141\"");
        assert_eq!(bytes_of(Ty::int(16, true), 0xfffe, DataModel::Lp64), [0xfe, 0xff]);
    }
}

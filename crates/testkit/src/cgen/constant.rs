//! Literals and constant expressions.
//!
//! A constant expression may not overflow (a compiler may reject it), so the generator carries its value along and only
//! keeps operations whose result fits their type.

use super::expr::Ex;
use super::{Feature, Gen};
use crate::ctypes::{CType, Radix, common_type, literal_type};

/// A constant expression and its value.
pub(super) struct Const {
    pub(super) ex: Ex,
    pub(super) value: i128,
}

impl Gen<'_> {
    /// A literal of any kind.
    pub(super) fn literal(&mut self) -> Const {
        let value = self.magnitude();
        if !self.knobs.plain && value < 256 && self.rng.chance(15) {
            return self.char_literal(value as u8);
        }
        self.literal_of(value)
    }

    /// A number: mostly small, sometimes near a power of two, rarely anything.
    fn magnitude(&mut self) -> u64 {
        if self.knobs.plain {
            return match self.rng.below(10) {
                0 => *self.rng.pick(&[127, 128, 255, 256, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]),
                1 | 2 => self.rng.below(64),
                _ => self.rng.below(9),
            };
        }
        match self.rng.below(10) {
            0..=4 => self.rng.below(20),
            5 | 6 => self.rng.below(300),
            7 | 8 => {
                let bit = 1u64 << self.rng.pick(&[7, 8, 15, 16, 31, 32, 62, 63]);
                bit.wrapping_add(self.rng.below(5)).wrapping_sub(2)
            }
            _ => self.rng.bits() >> self.rng.below(64),
        }
    }

    /// A literal with this value; it gets the suffix it needs.
    pub(super) fn literal_of(&mut self, value: u64) -> Const {
        let radix = self.weighted(&[(7, Radix::Decimal), (2, Radix::Hex), (1, Radix::Octal)]);
        let radix = if self.knobs.plain { Radix::Decimal } else { radix };
        let (mut unsigned, mut longs) = (self.rng.chance(12), 0u8);
        if !self.knobs.plain && self.rng.chance(15) {
            longs = 1 + self.rng.below(2) as u8;
        }
        let ty = loop {
            match literal_type(value, radix, unsigned, longs, self.knobs.model) {
                Some(t) => break t,
                None => unsigned = true,
            }
        };
        self.mark(match radix {
            Radix::Decimal => Feature::LiteralDecimal,
            Radix::Hex => Feature::LiteralHex,
            Radix::Octal => Feature::LiteralOctal,
        });
        if unsigned || longs > 0 {
            self.mark(Feature::LiteralSuffix);
        }
        if !CType::Int.holds(i128::from(value), self.knobs.model) {
            self.mark(Feature::LiteralWide);
        }
        let digits = match radix {
            Radix::Decimal => format!("{value}"),
            Radix::Hex => format!("0x{value:X}"),
            Radix::Octal => format!("0{value:o}"),
        };
        let long = ["", *self.rng.pick(&["l", "L"]), *self.rng.pick(&["ll", "LL"])][usize::from(longs)];
        let u = if unsigned { *self.rng.pick(&["u", "U"]) } else { "" };
        let text = if self.rng.chance(50) { format!("{digits}{u}{long}") } else { format!("{digits}{long}{u}") };
        Const { ex: Ex::atom(text, ty), value: i128::from(value) }
    }

    fn char_literal(&mut self, byte: u8) -> Const {
        self.mark(Feature::LiteralChar);
        let text = match byte {
            b'\n' => "'\\n'".to_string(),
            b'\t' => "'\\t'".to_string(),
            b'\\' => "'\\\\'".to_string(),
            b'\'' => "'\\''".to_string(),
            7 => "'\\a'".to_string(),
            b' '..=b'~' if self.rng.chance(80) => format!("'{}'", char::from(byte)),
            _ if self.rng.chance(50) => format!("'\\x{byte:02x}'"),
            _ => format!("'\\{byte:03o}'"),
        };
        // A character constant is an int with the value of a (signed) char.
        Const { ex: Ex::atom(text, CType::Int), value: i128::from(byte as i8) }
    }

    /// A constant expression of any integer type.
    pub(super) fn constant(&mut self, depth: u32) -> Const {
        if depth == 0 || self.rng.chance(30) {
            return self.literal();
        }
        match self.rng.below(10) {
            0..=5 => self.constant_binary(depth),
            6 => {
                let c = self.constant(depth - 1);
                let (op, value) = match self.rng.below(3) {
                    0 => ("-", -c.value),
                    1 => ("~", !c.value),
                    _ => ("!", i128::from(c.value == 0)),
                };
                let ty = if op == "!" { CType::Int } else { c.ex.ty.promoted() };
                // An unsigned operand wraps, by definition; a signed one must not.
                let value = if ty.signed() { value } else { ty.convert(value, self.knobs.model) };
                if !ty.holds(value, self.knobs.model) {
                    return c;
                }
                Const { ex: self.unary(op, c.ex, ty), value }
            }
            7 => {
                let c = self.constant(depth - 1);
                let ty = self.any_type();
                let value = ty.convert(c.value, self.knobs.model);
                Const { ex: self.cast(ty, c.ex), value }
            }
            8 => {
                let (c, a, b) = (self.literal(), self.constant(depth - 1), self.constant(depth - 1));
                let ty = common_type(a.ex.ty, b.ex.ty, self.knobs.model);
                let chosen = if c.value != 0 { a.value } else { b.value };
                let value = ty.convert(chosen, self.knobs.model);
                Const { ex: self.ternary(c.ex, a.ex, b.ex), value }
            }
            _ => {
                let ty = self.any_type();
                let size = i128::from(ty.bits(self.knobs.model).div_ceil(8));
                Const { ex: self.sizeof_type(ty), value: size }
            }
        }
    }

    fn constant_binary(&mut self, depth: u32) -> Const {
        let (a, b) = (self.constant(depth - 1), self.constant(depth - 1));
        let model = self.knobs.model;
        let op = *self.rng.pick(&["+", "-", "*", "&", "|", "^", "<", "==", "&&", "<<", ">>", "/", "%"]);
        let ty = match op {
            "<<" | ">>" => a.ex.ty.promoted(),
            "<" | "==" | "&&" => CType::Int,
            _ => common_type(a.ex.ty, b.ex.ty, model),
        };
        let wide = common_type(a.ex.ty, b.ex.ty, model);
        let (x, y) = (wide.convert(a.value, model), wide.convert(b.value, model));
        let shift_ok = a.value >= 0 && (0..i128::from(ty.bits(model))).contains(&b.value);
        let value = match op {
            "+" => x + y,
            "-" => x - y,
            "*" => x.saturating_mul(y),
            "&" => x & y,
            "|" => x | y,
            "^" => x ^ y,
            "<" => i128::from(x < y),
            "==" => i128::from(x == y),
            "&&" => i128::from(a.value != 0 && b.value != 0),
            "<<" if shift_ok => a.value << b.value,
            ">>" if shift_ok => a.value >> b.value,
            "/" if y > 0 => x / y,
            "%" if y > 0 => x % y,
            _ => return a,
        };
        let value = if ty.signed() { value } else { ty.convert(value, model) };
        if !ty.holds(value, model) || (op == "*" && x.checked_mul(y).is_none()) {
            return a;
        }
        Const { ex: self.binary(op, a.ex, b.ex), value }
    }

    /// Some way to write this value as a constant of `int` type.
    pub(super) fn int_constant(&mut self, value: i64) -> String {
        let k = self.rng.below(30) as i64;
        match self.rng.below(6) {
            0 => format!("{} + {k}", value - k),
            1 => format!("{} - {k}", value + k),
            2 if value >= 0 => format!("({} ^ {k})", value ^ k),
            3 if (32..127).contains(&value) && value != 39 && value != 92 => {
                self.mark(Feature::LiteralChar);
                format!("'{}'", char::from(value as u8))
            }
            4 => format!("(1 ? {value} : {k})"),
            _ => format!("{value}"),
        }
    }
}

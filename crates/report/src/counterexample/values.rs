//! Values as a C programmer writes them.

use super::inputs::object_name;
use super::names;
use ir::interp::{Data, Input, Pointer, Provenance, StateView, Value};
use ir::{Address, Expr, FloatTy, FuncId, GlobalId, IntTy, Program, Ty, Var};
use std::collections::BTreeMap;

/// What pointers point to, by the names of the source.
#[derive(Default)]
pub(super) struct Pointees {
    functions: BTreeMap<u128, FuncId>,
    /// By object, with the address of its first byte.
    globals: BTreeMap<u32, (u128, GlobalId)>,
}

impl Pointees {
    /// Functions and globals, which stay where they are during a run.
    pub(super) fn new(program: &Program, state: &StateView<'_>) -> Pointees {
        let functions = program.functions.ids().filter_map(|f| Some((state.eval(&Expr::func(f))?.bits, f)));
        let globals = program.globals.ids().filter_map(|g| {
            let at = state.eval(&Expr::addr(Address::var(Var::Global(g))))?;
            Some((at.provenance.as_object()?, (at.bits, g)))
        });
        Pointees { functions: functions.collect(), globals: globals.collect() }
    }

    /// A pointer as the source would name what it points to, as far as that has a name.
    fn show(&self, program: &Program, state: &StateView<'_>, value: Value) -> String {
        if value.bits == 0 {
            return "NULL".to_string();
        }
        if value.provenance == Provenance::FUNCTION {
            let function = self.functions.get(&value.bits).map(|f| program.functions[*f].name.clone());
            return function.unwrap_or_else(|| format!("{:#x}", value.bits));
        }
        let Some(object) = value.provenance.as_object() else { return format!("{:#x}", value.bits) };
        let func = state.func();
        let global = self.globals.get(&object).map(|(base, g)| (*base, Var::Global(*g)));
        let named = global.or_else(|| {
            program.functions[func].locals.ids().map(Var::Local).find_map(|var| {
                let at = state.eval(&Expr::addr(Address::var(var)))?;
                (at.provenance.as_object() == Some(object)).then_some((at.bits, var))
            })
        });
        let named = named.and_then(|(base, var)| Some((base, names::variable(program, func, var)?)));
        match named {
            Some((base, name)) if base == value.bits => format!("&{name}"),
            Some((base, name)) => format!("&{name} {:+} bytes", value.bits.wrapping_sub(base) as i128),
            None => format!("{:#x} (object#{object})", value.bits),
        }
    }
}

/// A value of the interpreter.
pub(super) fn show(ty: Ty, value: Value, program: &Program, state: &StateView<'_>, pointees: &Pointees) -> String {
    match ty {
        Ty::Ptr => pointees.show(program, state, value),
        Ty::Bool | Ty::Int(_) | Ty::Float(_) => show_bits(ty, value.bits),
    }
}

/// A bit pattern of a type that is not a pointer.
fn show_bits(ty: Ty, bits: u128) -> String {
    match ty {
        Ty::Bool => (bits != 0).to_string(),
        Ty::Int(int) => show_int(int, bits),
        Ty::Float(FloatTy::F32) => format!("{:?}", f32::from_bits(bits as u32)),
        Ty::Float(FloatTy::F64) => format!("{:?}", f64::from_bits(bits as u64)),
        Ty::Float(FloatTy::F80 | FloatTy::F128) | Ty::Ptr => format!("{bits:#x}"),
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

/// An answer on a tape.
pub(super) fn show_data(data: &Data, objects: &[String]) -> String {
    match data {
        Data::Value(ty, Input::Bits(bits)) => show_bits(*ty, *bits),
        Data::Value(_, Input::Pointer(p)) => match p {
            Pointer::Null => "NULL".to_string(),
            Pointer::Object { object, offset: 0 } => format!("&{}", object_name(objects, *object)),
            Pointer::Object { object, offset } => {
                format!("&{} {offset:+} bytes", object_name(objects, *object))
            }
            Pointer::Ext(offset) => format!("pointer to byte {offset} of memory outside the program"),
            Pointer::Raw(bits) => format!("{bits:#x}"),
        },
        Data::Bytes(bytes) => show_bytes(bytes),
        Data::Fails(true) => "NULL".to_string(),
        Data::Fails(false) => "memory".to_string(),
        Data::Writes(patches) if patches.is_empty() => "unchanged".to_string(),
        Data::Writes(patches) => format!("writes at {} places", patches.len()),
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

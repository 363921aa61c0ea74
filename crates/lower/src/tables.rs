//! Objects of the C library that programs see through macros: `errno`, and the tables of `ctype.h` in the C locale as
//! glibc lays them out (indices -128 to 255).

use crate::context::Context;
use base::Span;
use ir::library::Library;
use ir::{Address, Expr, FuncId, Global, GlobalId, Init, InitItem, Linkage, Shape, Ty, Var};

impl Context<'_> {
    /// The library function, declared on first mention.
    pub(crate) fn library(&mut self, lib: Library, span: Span) -> FuncId {
        if let Some(&id) = self.libraries.get(&lib) {
            return id;
        }
        let id = self.functions.push(lib.declare(self.model, span));
        self.libraries.insert(lib, id);
        id
    }

    /// The object whose address the function of this name gives.
    pub(crate) fn library_object(&mut self, name: &str, span: Span) -> GlobalId {
        let (own, table) = match name {
            "__ctype_b_loc" => (".ctype.b", Some((Ty::int(16, false), class_bits as fn(i32) -> i128))),
            "__ctype_toupper_loc" => (".ctype.toupper", Some((Ty::int(32, true), upper as fn(i32) -> i128))),
            "__ctype_tolower_loc" => (".ctype.tolower", Some((Ty::int(32, true), lower as fn(i32) -> i128))),
            _ => (".errno", None),
        };
        if let Some(id) = self.globals.iter_enumerated().find(|(_, g)| g.name == own).map(|(id, _)| id) {
            return id;
        }
        let Some((ty, value)) = table else {
            return self.globals.push(global(own, Shape::Scalar(Ty::int(32, true)), Init::Zero, false, span));
        };
        let step = ty.size(self.model);
        let items = (-128..256).map(|c| (c, value(c))).filter(|(_, v)| *v != 0).map(|(c, v)| InitItem {
            offset: (c + 128) as u64 * step,
            bits: None,
            value: Expr::int(ty, v),
        });
        let init = Init::Values(items.collect());
        let shape = Shape::Object { size: 384 * step, align: step as u32 };
        let table = self.globals.push(global(&format!("{own}.table"), shape, init, true, span));
        let mut middle = Address::var(Var::Global(table));
        middle.offset = 128 * step as i64;
        let item = InitItem { offset: 0, bits: None, value: Expr::addr(middle) };
        self.globals.push(global(own, Shape::Scalar(Ty::Ptr), Init::Values(vec![item]), true, span))
    }
}

fn global(name: &str, shape: Shape, init: Init, constant: bool, span: Span) -> Global {
    Global {
        name: name.to_owned(),
        shape,
        init,
        linkage: Linkage::Internal,
        exposure: ir::Exposure::Hidden,
        constant,
        span,
    }
}

/// The bits of `ctype.h`, as a little-endian machine has them.
fn class_bits(c: i32) -> i128 {
    let Ok(b) = u8::try_from(c) else { return 0 };
    let bits = [
        (b.is_ascii_uppercase(), 256),
        (b.is_ascii_lowercase(), 512),
        (b.is_ascii_alphabetic(), 1024),
        (b.is_ascii_digit(), 2048),
        (b.is_ascii_hexdigit(), 4096),
        (matches!(b, b' ' | 9..=13), 8192),
        ((32..127).contains(&b), 16384),
        (b.is_ascii_graphic(), 32768),
        (matches!(b, b' ' | 9), 1),
        (b.is_ascii_control(), 2),
        (b.is_ascii_punctuation(), 4),
        (b.is_ascii_alphanumeric(), 8),
    ];
    bits.iter().filter(|(is, _)| *is).map(|(_, bit)| bit).sum()
}

/// Values below 0 are those of the character as an `unsigned char`, but for `EOF`.
fn plain(c: i32) -> i128 {
    if (-128..-1).contains(&c) { (c + 256).into() } else { c.into() }
}

fn upper(c: i32) -> i128 {
    u8::try_from(c).map_or(plain(c), |b| b.to_ascii_uppercase().into())
}

fn lower(c: i32) -> i128 {
    u8::try_from(c).map_or(plain(c), |b| b.to_ascii_lowercase().into())
}

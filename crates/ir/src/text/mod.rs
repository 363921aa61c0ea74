//! The text form of programs and expressions: printer and parser. `docs/ir.md` has the grammar.
//!
//! Invariants: printing what was parsed from a printed text gives the same text; ids of edges and locations survive;
//! the parser never panics, nests at most [`MAX_EXPR_DEPTH`] deep and answers bad text with a
//! [`Diagnostic`](base::Diagnostic). [`print()`] without a source map is the canonical text that proofs are tied to by
//! its hash; it holds no spans. A parsed program's spans lie in the text it was parsed from.

mod expr;
pub(crate) mod lexer;
mod parser;
mod printer;

pub use expr::{Scope, parse_expr};
pub use parser::parse;
pub use printer::{print, print_with_sources, show_edge, show_expr, show_name, show_op};

/// How deeply an expression may nest. Everything that walks expressions may recurse, relying on this limit, which
/// [`crate::validate`] checks as well.
pub const MAX_EXPR_DEPTH: usize = 1000;

/// Names that cannot stand for a variable without quotes, because an expression or the right side of `:=` may begin
/// with them.
const RESERVED: [&str; 17] = [
    "true",
    "false",
    "null",
    "ite",
    "inbounds",
    "alive",
    "freeable",
    "callable",
    "foreign",
    "fits",
    "add_overflows",
    "sub_overflows",
    "mul_overflows",
    "fn",
    "call",
    "alloc",
    "havoc",
];

/// Whether `name` must be quoted.
fn needs_quotes(name: &str) -> bool {
    !lexer::is_plain(name) || RESERVED.contains(&name) || type_named(name).is_some()
}

/// The type with this name.
pub(crate) fn type_named(name: &str) -> Option<crate::Ty> {
    use crate::{FloatTy, Ty};
    match name {
        "bool" => Some(Ty::Bool),
        "ptr" => Some(Ty::Ptr),
        "f16" => Some(Ty::Float(FloatTy::F16)),
        "f32" => Some(Ty::Float(FloatTy::F32)),
        "f64" => Some(Ty::Float(FloatTy::F64)),
        "f80" => Some(Ty::Float(FloatTy::F80)),
        "f128" => Some(Ty::Float(FloatTy::F128)),
        _ => {
            let signed = name.starts_with('i');
            let digits = name.strip_prefix(['i', 'u'])?;
            // `i08` would be a second name of the same type.
            let width: u16 = if digits.starts_with(['0', '+']) { return None } else { digits.parse().ok()? };
            (1..=128).contains(&width).then_some(Ty::int(width, signed))
        }
    }
}

#[cfg(test)]
mod tests;

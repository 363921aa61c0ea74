//! The language X of TR00: what the paper's programs and boolean programs are written in.
//!
//! Text ([`parse`], [`print()`]) is inverse to itself on trees; [`normal_form`] is TR00 §4's; [`lower()`] makes IR of a tree
//! and complains about names and types on the way. Integers are C's `int` here, where the paper has all of them:
//! `--signed-overflow undefined` gives the paper's reading. `?` is a choice each time it is evaluated; TR00's stored third
//! value is in `boolprog::three_valued`.

mod expr;
mod lexer;
mod lower;
mod normal;
mod parser;
pub mod paths;
mod print;
pub mod resolve;
pub mod simulate;
pub mod symbolic;
pub mod syntax;

pub use lower::{Options, lower};
pub use normal::{is_normal, normal_form};
pub use parser::parse;
pub use print::print;

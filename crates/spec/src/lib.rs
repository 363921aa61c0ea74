//! Rules: what the users of an interface must obey, as a small state machine over calls and returns, and what that means for a
//! program. The language is the core of SLIC (Ball, Rajamani: SLIC: a specification language for interface checking,
//! MSR-TR-2001-21); `docs/rules.md` is its manual.
//!
//! [`parse()`] reads a rule, [`print()`] writes it, and [`weave()`] puts it into a program: the state becomes globals, and the steps of the
//! rule stand where the events happen ([`lower::events`]). What comes out is an ordinary program, in which a broken rule is an
//! [`ir::ErrorKind::Rule`]; engines, proofs and replays know nothing of rules.
//!
//! Invariants of the woven program: it is valid if the program was; it differs from it only by steps that write the rule's own
//! globals and temporaries, and by runs that end in the rule's `abort` or `halt`.

mod again;
mod compile;
pub mod contracts;
mod describe;
mod lexer;
pub mod library;
mod mutants;
mod names;
mod nesting;
#[cfg(any(test, feature = "testing"))]
pub mod oracle;
mod parse;
mod print;
mod statements;
pub mod syntax;
mod weave;

/// What the name of a function ends with that only calls an entry for the outside; messages name the entry itself.
pub const WRAPPER: &str = "__entry";

pub use describe::describe;
pub use mutants::mutants;
pub use names::{Applies, about_calls, applies, groups, may_hide, quiet, watched};
pub use parse::parse;
pub use print::print;
pub use weave::{CHOICE, Woven, weave};

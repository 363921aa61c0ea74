//! Boolean programs: data, dialect parsers, printer, validator, explicit-state semantics and oracles.
//!
//! A boolean program ([`Program`]) is what predicate abstraction produces and what `reach` decides; it is also a
//! language of its own, with a text form that several tools share ([`parse`], [`print`](fn@print)).
//!
//! - [`program`] holds the data types and says what each means.
//! - [`parse`] reads every dialect in use; [`print`](fn@print) writes the one canonical form; `parse(print(p)) == p`.
//! - [`convert`] writes the forms that other tools read.
//! - [`validate`](fn@validate) checks what the types cannot: scopes, arities, targets.
//! - [`semantics`] evaluates expressions and single steps on explicit valuations; [`interp`] replays traces with it.
//! - [`oracle`] decides reachability by explicit search, three ways, independently of `reach`.
//! - [`three_valued`] is TR00's semantics with a stored `?`, kept as a reference; `reach` has Bebop's, in which a `*`
//!   is a choice made when it is evaluated.
//! - [`cartesian`] is reachability in TACAS01's Cartesian view, with focus.
//! - [`trivector`] has TACAS01's views: Boolean and Cartesian post, focus, disjunctive completion.
//! - [`generate`] makes benchmark programs.

pub mod cartesian;
pub mod convert;
#[cfg(any(test, feature = "testing"))]
pub mod generate;
pub mod interp;
#[cfg(any(test, feature = "testing"))]
pub mod oracle;
pub mod program;
pub mod semantics;
mod text;
pub mod three_valued;
pub mod trivector;
pub mod validate;

pub use program::{Expr, GlobalId, LocalId, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Var, VarDecl};
pub use text::{Dialect, parse, print, print_expr, print_name, print_stmt};
pub use validate::validate;

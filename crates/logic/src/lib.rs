//! Interned sorted terms and a solver that answers with model, core or reason.
//!
//! - [`Store`] builds terms: truth values, bit-vectors of any width with the total operations of SMT-LIB 2, and maps from
//!   addresses to values. Building rewrites ([`rewrite`]).
//! - [`eval`](mod@eval) says what a term means; [`bits`] is the arithmetic of values, [`float`] that of floating-point numbers.
//! - [`Context`] decides sets of assumptions incrementally by bit-blasting onto a SAT solver ([`sat`]: our own, which decides
//!   only what a question is about, or CaDiCaL); [`check_valid`] and [`check_sat`] ask CaDiCaL one question in a fresh
//!   context.
//! - [`smtlib`] prints questions for any other solver.
//! - [`oracle`] holds the checks that catch a fault in any of these; the tests of this crate run them.
//!
//! ```
//! use logic::{Answer, Sort, Store, check_valid};
//! let mut s = Store::new();
//! let x = s.symbol("x", Sort::Bv(32));
//! let one = s.bv(32, 1);
//! let next = s.bv_add(x, one);
//! let grows = s.slt(x, next);
//! // Not valid: the greatest number wraps around.
//! let Answer::Sat(model) = check_valid(&s, &[], grows, u64::MAX) else { panic!() };
//! assert_eq!(model.bits(&s, x).to_u64(), Some(i32::MAX as u64));
//! ```

pub mod bits;
mod blast;
mod cdcl;
mod circuits;
mod context;
pub mod eval;
pub mod float;
mod gates;
mod heap;
mod objects;
mod once;
#[cfg(any(test, feature = "testing"))]
pub mod oracle;
mod range;
pub mod rewrite;
mod sat;
pub mod smtlib;
mod store;
mod substitute;
mod term;

pub use bits::Bits;
pub use context::{Answer, Context, GATES_PER_VARIABLE, Lit, Model, Stats, Undecided};
pub use eval::{Assignment, Evaluator, Value, eval};
pub use float::ranges::speaks_of_floats;
pub use float::{FloatKind, FloatOp, Format, Rounding};
pub use objects::Space;
pub use once::{check_sat, check_valid, check_valid_within};
pub use range::Range;
pub use sat::Config;
pub use store::Store;
pub use term::{Args, BinOp, Node, Op, Sort, Symbol, Term};

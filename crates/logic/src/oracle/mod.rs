//! The checks that catch a fault in terms, rewriting, evaluation, circuits or solving.
//!
//! They are part of the library so that the sabotage tests of any crate can ask whether a seeded fault is caught. Each
//! returns `Ok` with what it covered, or `Err` with a description of the first disagreement. All are deterministic.
//!
//! - [`exhaustive_ops`]: every operation on all values of small widths, evaluated, folded and solved.
//! - [`random_ops`]: the same on random values up to 200 bits.
//! - [`random_terms`]: random term graphs, rewritten against evaluated operation by operation.
//! - [`random_queries`]: answers, models, cores and enumerations against brute force.
//! - [`map_reads`]: reads through random writes against explicit arrays, and congruence against brute force.
//! - [`float_exhaustive`], [`float_circuits`]: circuits of floating-point operations against exact arithmetic; [`float_terms`]:
//!   their rewriting; [`float_against`], [`float_hardware`]: circuits against other ways to compute, on millions of operands.
//! - [`attached_axioms`]: what comes along with symbols can be satisfied whatever else holds, exhaustively.

mod axioms;
mod floats;
mod generate;
mod hardware;
mod ops;
mod queries;
mod reference;
mod terms;

pub use axioms::attached_axioms;
pub use floats::{
    MACHINE_FORMATS, SMALL_FORMATS, float_against, float_circuit, float_circuits, float_exhaustive, float_operations,
    float_queries, float_ranges, float_terms, random_number, special_numbers,
};
pub use generate::{Case, Shape};
pub use hardware::{by_hardware, float_hardware};
pub use ops::{exhaustive_ops, random_ops};
pub use queries::random_queries;
pub use terms::{map_reads, random_terms};

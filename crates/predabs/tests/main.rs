//! The abstraction: the papers' figures, simulation, direct abstraction.
//!
//! One binary for all: every test binary links the whole tree. `cargo test -p predabs direct::` runs one module.

mod direct;
mod papers;
mod post;
mod simulation;

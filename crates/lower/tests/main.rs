//! Lowering: what programs do afterwards, and its text.
//!
//! One binary for all: every test binary links the whole tree. `cargo test -p lower behaviour::` runs one module.

mod behaviour;
mod golden;
mod programs;
mod support;

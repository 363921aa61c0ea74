//! The interpreter: operators, memory, runs.
//!
//! One binary for all: every test binary links the whole tree. `cargo test -p ir memory::` runs one module.

mod memory;
mod operators;
mod runs;

//! Points-to sets against a naive solver and against runs.
//!
//! One binary for all: every test binary links the whole tree. `cargo test -p pointsto oracle::` runs one module.

mod naive;
mod oracle;
mod solver;

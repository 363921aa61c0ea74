//! The front end: trees, messages, damaged texts, and gcc as judge.
//!
//! One binary for all: every test binary links the whole tree. `cargo test -p cfront fuzz::` runs one module.

mod fuzz;
mod gcc;
mod machines;
mod messages;
mod tree;

//! Rules: their language, and woven into programs.
//!
//! One binary for all: every test binary links the whole tree. `cargo test -p spec language::` runs one module.

mod language;
mod weaving;

//! TR00's language X: runs and paths.
//!
//! One binary for all: every test binary links the whole tree. `cargo test -p xfront paths::` runs one module.

mod paths;
mod runs;
mod support;

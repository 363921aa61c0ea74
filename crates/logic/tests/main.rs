//! Terms and the solver against evaluation, brute force and z3, and seeded faults.
//!
//! One binary for all: every test binary links the whole tree. `cargo test -p logic floats::` runs one module.

mod floats;
mod oracles;
#[cfg(feature = "sabotage")]
mod sabotage;
mod terms;
mod z3;

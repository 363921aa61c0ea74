//! Reachability against other engines, the papers' figures, and seeded faults.
//!
//! One binary for all: every test binary links the whole tree. `cargo test -p reach convert::` runs one module.

mod convert;
mod oracle;
mod papers;
#[cfg(feature = "sabotage")]
mod sabotage;
mod transfer;

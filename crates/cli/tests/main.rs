//! The command, run as users run it. (The C programs with known verdicts are `c.rs`, which has a runner of its own.)
//!
//! One binary for all: every test binary links the whole tree. `cargo test -p cli asm_goto::` runs one module.
#![expect(clippy::disallowed_methods, reason = "the tests run the built binary on files")]

mod asm_goto;
mod bad_input;
mod bebop;
mod bench;
mod database;
mod formats;
mod formats_rules;
mod gallery;
mod languages;
mod limits;
mod lsp;
mod papers;
mod papers_memory;
mod papers_methods;
mod projects;
mod replay;
mod report;
mod rules;
mod stages;
mod support;
mod svcomp;
mod targets;
mod transcripts;
mod verdicts;
mod witness;

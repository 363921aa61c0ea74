//! `cargo xtask test`: the tests that must pass before anything is merged, as a literal list of steps.

use anyhow::Context;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The steps, each the arguments of one `cargo` command.
const STEPS: &[&[&str]] = &[
    // Every crate's unit and integration tests. Seeded faults are compiled in and off but in the tests that switch one on, so that
    // nothing is built twice. Examples are left to the linter.
    &["test", "--workspace", "--features", "sabotage", "--lib", "--bins", "--tests"],
    // The examples in the documentation.
    &["test", "--workspace", "--features", "sabotage", "--doc"],
];

/// Runs the steps until one fails.
pub(crate) fn test(root: &Path) -> anyhow::Result<ExitCode> {
    for step in STEPS {
        println!("$ cargo {}", step.join(" "));
        let status = Command::new("cargo").args(*step).current_dir(root).status().context("cannot start cargo")?;
        if !status.success() {
            println!("failed: cargo {}", step.join(" "));
            return Ok(ExitCode::from(1));
        }
    }
    Ok(ExitCode::SUCCESS)
}

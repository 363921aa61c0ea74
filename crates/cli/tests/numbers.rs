//! Programs over floating-point numbers (filters, interpolation, controllers, conversions of units, tolerances), each right and
//! broken: `numbers/NAME_safe.c` and `numbers/NAME_broken.c`, whose first line is `// expect: SAFE` or `// expect: UNSAFE`.
//!
//! The test runs those that take little time; `NUMBERS=all` runs all and says what each did.
#![allow(clippy::print_stderr, reason = "a run of all programs says what each did")]
#![allow(dead_code, reason = "the support of all tests")]

use crate::support::{Folder, Ran};
use std::path::PathBuf;

/// What is decided within a second.
const QUICK: [&str; 16] = [
    "absolute_broken",
    "absolute_safe",
    "celsius_safe",
    "counter_broken",
    "counter_safe",
    "horner_broken",
    "hysteresis_broken",
    "hysteresis_safe",
    "interpolation_broken",
    "moving_average_safe",
    "no_number_broken",
    "no_number_safe",
    "pixels_broken",
    "pixels_safe",
    "rounding_cast_broken",
    "rounding_cast_safe",
];

#[test]
fn programs_over_numbers_get_their_verdicts() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/numbers");
    let every = std::env::var("NUMBERS").is_ok();
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let scratch = Folder::new("numbers");
    let mut wrong = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
        if !every && !QUICK.contains(&stem.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let expect = text.lines().next().and_then(|l| l.strip_prefix("// expect: ")).expect("the first line says");
        let ran = Ran::of(&mut scratch.command(&["check", "--timeout", "60s", file.to_str().unwrap()]));
        let line = ran.out.lines().last().unwrap_or_default().to_owned();
        if every {
            eprintln!("{stem} {line}");
        }
        if !line.starts_with(&format!("Verdict: {expect} (")) {
            wrong.push(format!("{stem}: {expect} expected; {line}"));
        }
    }
    let unanswered = wrong.iter().filter(|w| w.contains("Verdict: UNKNOWN (")).count();
    assert!(wrong.is_empty() || every && wrong.len() == unanswered && unanswered <= 6, "{wrong:#?}");
}

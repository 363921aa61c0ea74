//! `cargo xtask bench points-to`: the points-to analysis on generated programs and files, one process each (`testkit`'s example
//! `points_to`), with CPU time of its parts, time per line and memory.

use anyhow::{Context, bail};
use std::path::Path;
use std::process::{Command, ExitCode};

/// Sizes of the generated programs, in lines, and how much more a line of the larger one may cost.
const SMALL: usize = 10_000;
const LARGE: usize = 100_000;
const GROWTH: f64 = 1.5;

/// What a line of a program costs, in microseconds.
struct Cost {
    /// The solver and the regions.
    analysis: f64,
    check: f64,
}

/// Measures all; exit code 10 if a line of a large program costs too much.
pub(crate) fn bench(root: &Path, files: &[String], runs: usize) -> anyhow::Result<ExitCode> {
    let build = ["build", "--quiet", "--release", "-p", "testkit", "--example", "points_to"];
    if !Command::new("cargo").args(build).current_dir(root).status().context("cannot start cargo")?.success() {
        bail!("the example does not build");
    }
    let example = root.join("target/release/examples/points_to");
    println!("CPU seconds, best of {runs}; MB of the program and with the analysis");
    println!(
        "{:>32} {:>8} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>8} {:>11}",
        "program", "lines", "edges", "constraints", "solve", "regions", "check", "query", "us/line", "MB"
    );
    let measure = |family: &str, name: &str| measure(&example, family, name, runs);
    for file in files {
        measure("file", file)?;
    }
    let mut kept = true;
    for family in ["apart", "nested"] {
        let (small, large) = (measure(family, &SMALL.to_string())?, measure(family, &LARGE.to_string())?);
        let (analysis, check) = (large.analysis / small.analysis, large.check / small.check);
        println!(
            "{family}: a line of the larger program costs {analysis:.2} times as much (at most {GROWTH}), its check {check:.2}"
        );
        kept &= analysis <= GROWTH;
    }
    Ok(ExitCode::from(if kept { 0 } else { 10 }))
}

fn measure(example: &Path, family: &str, name: &str, runs: usize) -> anyhow::Result<Cost> {
    let output = Command::new(example).arg(format!("{family}:{name}")).arg(runs.to_string()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().map_while(|n| n.parse().ok()).collect();
    let [lines, edges, constraints, solve, regions, check, query, program, peak] = numbers[..] else {
        bail!("{name}: {text}{}", String::from_utf8_lossy(&output.stderr));
    };
    let shown = Path::new(name).file_name().map_or(name.into(), |n| n.to_string_lossy());
    let shown: String = format!("{family} {shown}").chars().take(32).collect();
    let cost = Cost { analysis: (solve + regions) / lines * 1e6, check: check / lines * 1e6 };
    println!(
        "{shown:>32} {lines:>8} {edges:>8} {constraints:>8} {solve:>7.3} {regions:>7.3} {check:>7.3} {query:>7.3} {:>8.2} {program:>5}/{peak:>5}",
        cost.analysis
    );
    Ok(cost)
}

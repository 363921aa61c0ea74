//! `cargo xtask benchmarks`: `hardbop check` on the programs in `benchmarks/`, each safe and with a bug: drivers, and pieces of Debian's
//! packages, which are fetched, cut out and changed here and are no part of the tree. `--label` runs the programs instead.

mod cut;
mod definition;
mod label;

use crate::corpus::{Corpus, How, Task, measure};
use anyhow::Context;
use cut::Variant;
use definition::Definition;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The arguments of `cargo xtask benchmarks`.
#[derive(clap::Args)]
pub(crate) struct BenchmarksArgs {
    /// The sets: drivers, real. The default is both.
    #[arg(value_name = "SET")]
    sets: Vec<String>,
    /// Only the benchmarks with these names.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    only: Vec<String>,
    /// Compile the programs with sanitizers and run them, to see that the expected answers are right.
    #[arg(long)]
    label: bool,
    /// Number of runs of each variant for `--label`.
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    runs: u64,
    /// Print the command of each task and run nothing.
    #[arg(long)]
    commands: bool,
    #[command(flatten)]
    how: How,
}

/// What is asked about a piece of a package.
const CHECKS: &[&str] = &["--check", "null,bounds,div,overflow,shift,free"];

/// Runs or labels the benchmarks; exit codes as those of `corpus`, 10 also for a wrong label.
pub(crate) fn benchmarks(args: &BenchmarksArgs, root: &Path) -> anyhow::Result<ExitCode> {
    let mut sets = Vec::new();
    let all = ["drivers".to_owned(), "real".to_owned()];
    for set in if args.sets.is_empty() { &all[..] } else { &args.sets } {
        sets.push((set.clone(), definitions(&root.join("benchmarks").join(set), &args.only)?));
    }
    if args.label {
        return labels(&sets, args.runs, root);
    }
    let collect = || {
        let tasks = |set: &str, ds: &[Definition]| -> anyhow::Result<Vec<Task>> {
            let both = ds.iter().flat_map(|d| [(d, Variant::Safe), (d, Variant::Bug)]);
            both.map(|(d, v)| task(set, d, v, root)).collect()
        };
        let sets: anyhow::Result<Vec<_>> = sets.iter().map(|(n, ds)| Ok((n.clone(), tasks(n, ds)?))).collect();
        Ok(Corpus::of(sets?))
    };
    if args.commands {
        for task in collect()?.tasks {
            println!("hardbop check {} {}", task.files[0].display(), task.options.join(" "));
        }
        return Ok(ExitCode::SUCCESS);
    }
    measure(collect, &args.how, 30, root)
}

fn definitions(folder: &Path, only: &[String]) -> anyhow::Result<Vec<Definition>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("there is no set {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    let all: anyhow::Result<Vec<Definition>> = files.iter().map(|f| definition::read(f)).collect();
    let mut all = all?;
    all.retain(|d| only.is_empty() || only.contains(&d.name));
    Ok(all)
}

fn task(set: &str, definition: &Definition, variant: Variant, root: &Path) -> anyhow::Result<Task> {
    let mut options = cut::arguments(definition, variant, root)?;
    if definition.foreign.is_some() {
        options.extend(CHECKS.iter().map(|&o| o.to_owned()));
    }
    // Where memory can run out, a benchmark says so itself.
    options.extend(["--malloc".to_owned(), "succeeds".to_owned()]);
    options.extend(definition.options.iter().cloned());
    let (safe, name) = (variant == Variant::Safe, &definition.name);
    Ok(Task {
        name: format!("{set}/{name}{}", if safe { "" } else { "-bug" }),
        files: vec![definition.file.clone()],
        property: None,
        expected: Some(safe),
        data_model: Some("LP64".into()),
        options,
    })
}

fn labels(sets: &[(String, Vec<Definition>)], runs: u64, root: &Path) -> anyhow::Result<ExitCode> {
    let mut wrong = Vec::new();
    for definition in sets.iter().flat_map(|(_, ds)| ds) {
        match label::label(definition, root, runs) {
            Ok(report) => print!("{report}"),
            Err(e) => wrong.push(format!("{e:#}")),
        }
    }
    if wrong.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    println!("\n{}", wrong.join("\n\n"));
    Ok(ExitCode::from(10))
}

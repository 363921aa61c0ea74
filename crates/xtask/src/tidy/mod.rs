//! `cargo xtask tidy`: the rules of the tree that no compiler checks. A rule is a function from the tree to findings;
//! the rules are a literal list.

mod crates;
mod licences;
mod public;
mod rust_text;
mod text;
mod vocabulary;

use anyhow::{Context, bail};
use std::path::Path;
use std::process::{Command, ExitCode};

/// The files of the tree and what cargo says about its crates.
pub(crate) struct Tree {
    files: Vec<File>,
    metadata: serde_json::Value,
}

/// A text file.
pub(crate) struct File {
    /// The path from the root, with slashes.
    path: String,
    text: String,
}

/// Something that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    severity: Severity,
    place: String,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Severity {
    Warning,
    Error,
}

impl Finding {
    fn error(place: impl Into<String>, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Error, place: place.into(), message: message.into() }
    }

    fn warning(place: impl Into<String>, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Warning, ..Finding::error(place, message) }
    }
}

type Rule = fn(&Tree) -> Vec<Finding>;

/// Every rule, with the reason it exists.
const RULES: &[(&str, Rule)] = &[
    // A reader who opens a file learns its job and its invariants first.
    ("module docs", text::module_docs),
    // The file everyone edits is the file nobody understands.
    ("file sizes", text::file_sizes),
    // The same for functions.
    ("function lengths", text::function_lengths),
    // Nothing unfinished is merged, and no test is switched off.
    ("unfinished code", text::unfinished),
    // The tree does not know the machine it was written on.
    ("machine paths", text::machine_paths),
    // Who follows a document into the code arrives.
    ("named paths", text::named_paths),
    // Names say what the field says.
    ("vocabulary", vocabulary::vocabulary),
    // What is public is there for somebody.
    ("public items", public::unused),
    // Every crate says what it is and obeys the workspace's lints.
    ("manifests", crates::manifests),
    // A file in a folder of tests is one of the tests.
    ("tests are run", crates::tests_are_run),
    // The directions of the architecture.
    ("crate edges", crates::edges),
    // The map of the code names exactly the crates there are.
    ("ARCHITECTURE.md", crates::headings),
    // What others wrote is here for a reason.
    ("dependencies", crates::dependencies),
    // Users can ship what they build with us.
    ("licences", licences::licences),
];

/// Applies every rule; exit code 1 if one is broken.
pub(crate) fn tidy(root: &Path) -> anyhow::Result<ExitCode> {
    let tree = Tree { files: read_files(root)?, metadata: read_metadata(root)? };
    let mut n_errors = 0;
    for (name, rule) in RULES {
        for finding in rule(&tree) {
            let severity = match finding.severity {
                Severity::Warning => "warning",
                Severity::Error => "error",
            };
            n_errors += usize::from(finding.severity == Severity::Error);
            println!("{}: {severity}: {} [{name}]", finding.place, finding.message);
        }
    }
    println!("tidy: {} files, {} rules, {n_errors} errors", tree.files.len(), RULES.len());
    Ok(ExitCode::from(u8::from(n_errors > 0)))
}

/// The text files that git knows or would add.
fn read_files(root: &Path) -> anyhow::Result<Vec<File>> {
    let args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let output = Command::new("git").args(args).current_dir(root).output().context("cannot start git")?;
    if !output.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&output.stderr));
    }
    let mut paths: Vec<String> =
        output.stdout.split(|&b| b == 0).map(|p| String::from_utf8_lossy(p).into_owned()).collect();
    paths.sort();
    paths.dedup();
    // A file that is deleted but not yet committed is gone; one that is not UTF-8 is not text.
    let read = |path: String| std::fs::read_to_string(root.join(&path)).ok().map(|text| File { path, text });
    Ok(paths.into_iter().filter_map(read).collect())
}

fn read_metadata(root: &Path) -> anyhow::Result<serde_json::Value> {
    let args = ["metadata", "--format-version", "1", "--locked"];
    let output = Command::new("cargo").args(args).current_dir(root).output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    serde_json::from_slice(&output.stdout).context("cargo metadata prints JSON")
}

#[cfg(test)]
impl Tree {
    /// A tree of these files, without crates.
    fn of(files: &[(&str, &str)]) -> Tree {
        let files = files.iter().map(|(p, t)| File { path: (*p).into(), text: (*t).into() }).collect();
        Tree { files, metadata: serde_json::Value::Null }
    }
}

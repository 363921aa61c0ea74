//! Hand-written C programs with expected answers.
//!
//! The first lines of each file are annotations: `// expect: SAFE|UNSAFE`, `// data-model: LP64|ILP32|any`, and for an
//! unsafe program `// inputs: …`, inputs in the order drawn that reach the error (negative ones as 64-bit two's
//! complement), and optionally `// harmless: …`, inputs that do not. In `proofs`, lines that begin with `//@` give the
//! intended contracts (before a function: `requires`, `ensures` with `result`, `modifies`) and loop invariants (before
//! a loop). There `'x` is the value of `x` at the entry of the function.
#![expect(clippy::disallowed_methods, reason = "fixtures are files")]

use std::path::{Path, PathBuf};

use ir::DataModel;

/// The expected answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// No run reaches the error.
    Safe,
    /// These inputs do.
    Unsafe {
        /// In the order drawn.
        inputs: Vec<u64>,
        /// Inputs that end without error, if the file gives some.
        harmless: Option<Vec<u64>>,
    },
}

/// An annotated program.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// Name of the file without `.c`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Its text.
    pub source: String,
    /// The data models in which the answer holds.
    pub models: Vec<DataModel>,
    /// The expected answer.
    pub expect: Expect,
}

/// Programs whose verdict depends on one rule of C's arithmetic: `TOPIC.safe.c` is closed, `TOPIC.unsafe.c` reads
/// inputs.
pub fn precision() -> Vec<Fixture> {
    folder("precision")
}

/// Pairs of a safe program with intended invariants and an unsafe twin: `NAME.safe.c`, `NAME.unsafe.c`.
pub fn proofs() -> Vec<Fixture> {
    folder("proofs")
}

/// Pairs about memory: pointers, structures, unions, arrays, heap.
pub fn memory() -> Vec<Fixture> {
    folder("memory")
}

/// Pairs about memory for attacks on the proof checker; `// check: bounds` names undefined behaviour that is a defect.
pub fn attack() -> Vec<Fixture> {
    folder("attack")
}

fn folder(name: &str) -> Vec<Fixture> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    let entries = std::fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "c"));
    paths.sort();
    paths.into_iter().map(read).collect()
}

fn read(path: PathBuf) -> Fixture {
    let source = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let annotation = |key: &str| {
        let prefix = format!("// {key}: ");
        source.lines().find_map(|l| l.strip_prefix(&prefix)).map(str::to_string)
    };
    let must = |key: &str| annotation(key).unwrap_or_else(|| panic!("{}: no `{key}`", path.display()));
    let numbers = |text: String| -> Vec<u64> {
        let number = |w: &str| w.parse().unwrap_or_else(|e| panic!("{}: {w}: {e}", path.display()));
        text.split_whitespace().map(number).collect()
    };
    let models = match must("data-model").as_str() {
        "LP64" => vec![DataModel::Lp64],
        "ILP32" => vec![DataModel::Ilp32],
        "any" => vec![DataModel::Lp64, DataModel::Ilp32],
        other => panic!("{}: unknown data model {other}", path.display()),
    };
    let expect = match must("expect").as_str() {
        "SAFE" => Expect::Safe,
        "UNSAFE" => Expect::Unsafe { inputs: numbers(must("inputs")), harmless: annotation("harmless").map(numbers) },
        other => panic!("{}: unknown answer {other}", path.display()),
    };
    let name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    Fixture { name, path, source, models, expect }
}

//! The programs to read: their text after preprocessing, and their data model.

use crate::corpus::tasks;
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One preprocessed file.
pub(crate) struct Source {
    /// For messages.
    pub(crate) name: String,
    /// The set it belongs to.
    pub(crate) set: String,
    /// What the front end reads.
    pub(crate) text: String,
    /// The data model.
    pub(crate) target: cfront::Target,
    /// Where the file is.
    pub(crate) path: PathBuf,
}

/// Reads all files that the arguments name. With `suite`, folders are those of a compiler's tests.
pub(crate) fn collect(from: &[PathBuf], suite: bool) -> anyhow::Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in from {
        if suite {
            tests(path, &mut sources)?;
            continue;
        }
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        match extension {
            "json" => database(path, &mut sources)?,
            "c" | "i" => sources.push(read(path, "files", cfront::Target::Lp64, &[])?),
            _ => {
                let before = sources.len();
                task_set(path, &mut sources)?;
                if sources.len() == before && path.is_dir() {
                    folder(path, &mut sources)?;
                }
                if sources.len() == before {
                    bail!("{} holds no task definition and no C file", path.display());
                }
            }
        }
    }
    Ok(sources)
}

fn task_set(path: &Path, sources: &mut Vec<Source>) -> anyhow::Result<()> {
    let corpus = tasks::collect(&[path.to_path_buf()])?;
    for set in &corpus.sets {
        for &i in &set.tasks {
            let task = &corpus.tasks[i];
            let ilp32 = task.data_model.as_deref() == Some("ILP32");
            let target = if ilp32 { cfront::Target::Ilp32 } else { cfront::Target::Lp64 };
            for file in &task.files {
                sources.push(read(file, &set.name, target, &[])?);
            }
        }
    }
    Ok(())
}

/// The C files of a folder without task definitions, in the order of their names.
fn folder(path: &Path, sources: &mut Vec<Source>) -> anyhow::Result<()> {
    for file in c_files(path)? {
        sources.push(read(&file, "files", cfront::Target::Lp64, &[])?);
    }
    Ok(())
}

/// The files of a folder of compiler tests that gcc takes with no more than the choice of a standard and macros. A test that asks
/// for options that change the language, or that is to be refused, is left out.
fn tests(path: &Path, sources: &mut Vec<Source>) -> anyhow::Result<()> {
    for file in if path.is_dir() { c_files(path)? } else { vec![path.to_path_buf()] } {
        let text = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let Some(mut flags) = test_flags(&String::from_utf8_lossy(&text)) else { continue };
        flags.push("-w".to_owned());
        let mut gcc = Command::new("gcc");
        let taken = gcc.arg("-fsyntax-only").args(&flags).arg(&file).output().context("gcc cannot be started")?;
        // Where options are changed in the middle of a text, the preprocessor alone sees other macros than the compiler.
        if taken.status.success()
            && let Ok(source) = read(&file, "tests", cfront::Target::Lp64, &flags)
        {
            sources.push(source);
        }
    }
    Ok(())
}

/// The flags that a test needs to be preprocessed; none if it asks for a language that is not plain C.
fn test_flags(text: &str) -> Option<Vec<String>> {
    let asked = text.lines().filter(|l| l.contains("dg-options") || l.contains("dg-additional-options"));
    let mut flags = Vec::new();
    for line in asked.filter(|l| !l.contains("target")) {
        for word in line.split(['"', ' ', '{', '}', '\t']).filter(|w| w.starts_with('-')) {
            let foreign =
                ["-fopenmp", "-fopenacc", "-fgimple", "-fsanitize", "-m", "-fplugin", "-fshort", "-funsigned"];
            let other =
                ["-fplan9-extensions", "-fms-extensions", "-fgnu-tm", "-fpack-struct", "-flax-vector-conversions"];
            if foreign.iter().chain(&other).any(|f| word.starts_with(f)) {
                return None;
            }
            if word == "-ansi" {
                flags.push("-std=c89".to_owned());
            } else if word.starts_with("-std=") || word.starts_with("-D") {
                flags.push(word.to_owned());
            }
        }
    }
    Some(flags)
}

/// All files in a folder and below it whose names end in `.c`, in order.
pub(crate) fn c_files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let entry = entry?;
            match (entry.file_type()?.is_dir(), entry.path()) {
                (true, path) => folders.push(path),
                (false, path) if path.extension().is_some_and(|e| e == "c") => files.push(path),
                (false, _) => {}
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The C files of a compilation database, with their flags.
fn database(path: &Path, sources: &mut Vec<Source>) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let entries: Vec<serde_json::Value> = serde_json::from_str(&text)?;
    for entry in &entries {
        let text = |key: &str| entry[key].as_str().unwrap_or_default();
        let folder = PathBuf::from(text("directory"));
        let file = folder.join(text("file"));
        let words: Vec<String> = match entry["arguments"].as_array() {
            Some(list) => list.iter().filter_map(|a| a.as_str().map(str::to_owned)).collect(),
            None => text("command").split_whitespace().map(|w| w.replace("\\\"", "\"")).collect(),
        };
        let mut flags = vec![format!("-I{}", folder.display())];
        let mut words = words.iter();
        while let Some(w) = words.next() {
            if matches!(w.as_str(), "-I" | "-D" | "-U" | "-include" | "-isystem" | "-iquote") {
                flags.extend([w.clone(), words.next().cloned().unwrap_or_default()]);
            } else if ["-I", "-D", "-U", "-std", "-m32", "-m64", "-isystem"].iter().any(|p| w.starts_with(p)) {
                flags.push(w.clone());
            }
        }
        let target = if flags.iter().any(|f| f == "-m32") { cfront::Target::Ilp32 } else { cfront::Target::Lp64 };
        if file.extension().is_some_and(|e| e == "c") {
            sources.push(read_in(&folder, &file, "database", target, &flags)?);
        }
    }
    Ok(())
}

fn read(path: &Path, set: &str, target: cfront::Target, flags: &[String]) -> anyhow::Result<Source> {
    read_in(Path::new("."), path, set, target, flags)
}

fn read_in(folder: &Path, path: &Path, set: &str, target: cfront::Target, flags: &[String]) -> anyhow::Result<Source> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    let preprocessed = path.extension().is_some_and(|e| e == "i") && flags.is_empty();
    let directive = |l: &str| {
        let l = l.trim_start().strip_prefix('#').map(str::trim_start);
        l.is_some_and(|l| l.starts_with("include") || l.starts_with("define") || l.starts_with("if"))
    };
    // The compiler's own macros; a file with line marks has been preprocessed.
    let names_macro = || {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let inner = |w: &'_ str| w.strip_prefix("__")?.strip_suffix("__").map(str::to_owned);
        let upper = |w: String| w.chars().any(|c| c.is_ascii_uppercase()) && !w.chars().any(|c| c.is_ascii_lowercase());
        !text.lines().any(|l| l.starts_with("# ")) && text.split(|c| !word(c)).filter_map(inner).any(upper)
    };
    let has_directives = text.lines().any(directive) || names_macro();
    if !preprocessed && (has_directives || !flags.is_empty()) {
        let model = if target == cfront::Target::Ilp32 { "-m32" } else { "-m64" };
        let mut command = Command::new("cc");
        command.args(["-E", model]).args(flags).args(["-x", "c"]).arg(path).current_dir(folder);
        let output = command.output().context("the preprocessor `cc -E` cannot be started")?;
        if !output.status.success() {
            bail!("{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
        }
        text = String::from_utf8_lossy(&output.stdout).into_owned();
    }
    Ok(Source { name: path.display().to_string(), set: set.to_owned(), text, target, path: path.to_path_buf() })
}

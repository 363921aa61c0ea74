//! Task definitions (BenchExec's .yml) and task sets (.set: one path or glob per line).

use super::yaml::{self, Yaml};
use anyhow::{Context, anyhow, bail};
use std::path::{Path, PathBuf};

/// One program with one property and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Task {
    /// The definition's path below the folder it was found from; the same on every machine.
    pub(crate) name: String,
    /// The C files.
    pub(crate) files: Vec<PathBuf>,
    /// The property file; without one, what is asked is among the options.
    pub(crate) property: Option<PathBuf>,
    /// Whether the property holds, if that is known.
    pub(crate) expected: Option<bool>,
    /// `ILP32` or `LP64`.
    pub(crate) data_model: Option<String>,
    /// What else says which program it is and what is asked about it.
    pub(crate) options: Vec<String>,
}

/// Tasks that are counted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    /// The set file's or the folder's name.
    pub(crate) name: String,
    /// Positions in [`Corpus::tasks`].
    pub(crate) tasks: Vec<usize>,
}

/// All tasks, each once, and the sets they belong to.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    pub(crate) tasks: Vec<Task>,
    pub(crate) sets: Vec<Set>,
    /// The definitions' real paths, in the order of `tasks`.
    paths: Vec<PathBuf>,
}

/// Finds the tasks of folders and sets. Definitions without an unreach-call property are left out: there is nothing
/// about them to ask.
pub(crate) fn collect(from: &[PathBuf]) -> anyhow::Result<Corpus> {
    let mut corpus = Corpus::default();
    for path in from {
        if path.is_dir() {
            let mut sets: Vec<PathBuf> = entries(path)?.into_iter().filter(|p| has_extension(p, "set")).collect();
            sets.sort();
            for set in &sets {
                corpus.add_set_file(set)?;
            }
            let mut definitions = Vec::new();
            find_definitions(path, &mut definitions)?;
            definitions.sort();
            let name = if sets.is_empty() { folder_name(path) } else { "(in no set)".to_string() };
            corpus.add(name, path, &definitions, !sets.is_empty())?;
        } else if has_extension(path, "set") {
            corpus.add_set_file(path)?;
        } else if has_extension(path, "yml") {
            let base = path.parent().unwrap_or(Path::new("."));
            corpus.add(path.display().to_string(), base, std::slice::from_ref(path), false)?;
        } else {
            bail!("{} is neither a folder nor a .set nor a .yml file", path.display());
        }
    }
    Ok(corpus)
}

impl Corpus {
    /// Tasks that come from elsewhere, in sets by name.
    pub(crate) fn of(sets: Vec<(String, Vec<Task>)>) -> Corpus {
        let mut corpus = Corpus::default();
        for (name, tasks) in sets {
            let first = corpus.tasks.len();
            corpus.sets.push(Set { name, tasks: (first..first + tasks.len()).collect() });
            corpus.tasks.extend(tasks);
        }
        corpus
    }

    fn add_set_file(&mut self, set: &Path) -> anyhow::Result<()> {
        let text = std::fs::read_to_string(set).with_context(|| format!("cannot read {}", set.display()))?;
        let base = set.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut definitions = Vec::new();
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
            let found = glob(base, line)?;
            if found.is_empty() {
                bail!("{}: nothing matches {line}", set.display());
            }
            definitions.extend(found);
        }
        let name = set.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.add(name, base, &definitions, false)
    }

    /// Adds a set; with `only_new`, only the tasks that no set before it has.
    fn add(&mut self, name: String, base: &Path, definitions: &[PathBuf], only_new: bool) -> anyhow::Result<()> {
        let mut tasks = Vec::new();
        for path in definitions {
            let real = path.canonicalize().with_context(|| format!("cannot read {}", path.display()))?;
            if let Some(index) = self.paths.iter().position(|p| *p == real) {
                if !only_new && !tasks.contains(&index) {
                    tasks.push(index);
                }
            } else if let Some(task) = read_task(path, base)? {
                tasks.push(self.tasks.len());
                self.tasks.push(task);
                self.paths.push(real);
            }
        }
        if !tasks.is_empty() {
            self.sets.push(Set { name, tasks });
        }
        Ok(())
    }
}

fn read_task(path: &Path, base: &Path) -> anyhow::Result<Option<Task>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.strip_prefix(base).unwrap_or(path).display().to_string();
    let folder = path.parent().unwrap_or(Path::new("."));
    task_from(&text, name, folder).map_err(|e| anyhow!("{}: {e}", path.display()))
}

/// The task in a definition's text, if it asks for unreach-call.
fn task_from(text: &str, name: String, folder: &Path) -> Result<Option<Task>, String> {
    let yaml = yaml::parse(text)?;
    let properties = yaml.get("properties").map(Yaml::members).unwrap_or_default();
    let Some((property, file)) = properties.iter().find_map(|p| {
        let file = p.get("property_file")?.text()?;
        (Path::new(file).file_name()? == "unreach-call.prp").then_some((p, file))
    }) else {
        return Ok(None);
    };
    let expected = match property.get("expected_verdict").and_then(Yaml::text) {
        None => None,
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some(other) => return Err(format!("expected_verdict is `{other}`")),
    };
    let mut files = Vec::new();
    for pattern in yaml.get("input_files").ok_or("there are no input_files")?.members() {
        let pattern = pattern.text().ok_or("an input file is not a name")?;
        let found = glob(folder, pattern).map_err(|e| e.to_string())?;
        if found.is_empty() {
            return Err(format!("there is no input file {pattern}"));
        }
        files.extend(found);
    }
    let data_model = yaml.get("options").and_then(|o| o.get("data_model")).and_then(Yaml::text).map(str::to_string);
    // The conventions of the competition the tasks come from.
    let options = ["--externs", "pure", "--malloc", "succeeds"].map(str::to_owned).to_vec();
    Ok(Some(Task { name, files, property: Some(folder.join(file)), expected, data_model, options }))
}

/// The files that a pattern with `*` and `?` names, below `base`, sorted.
fn glob(base: &Path, pattern: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = vec![base.to_path_buf()];
    for part in pattern.split('/') {
        let mut next = Vec::new();
        for folder in found {
            if part.contains(['*', '?']) {
                let mut names: Vec<PathBuf> = entries(&folder)?;
                names.retain(|p| p.file_name().is_some_and(|n| matches(part.as_bytes(), n.as_encoded_bytes())));
                names.sort();
                next.extend(names);
            } else {
                next.extend(Some(folder.join(part)).filter(|p| p.exists()));
            }
        }
        found = next;
    }
    Ok(found)
}

/// Whether a name matches a pattern with `*` and `?`.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => (0..=name.len()).any(|n| matches(rest, &name[n..])),
        (Some((b'?', rest)), Some((_, tail))) => matches(rest, tail),
        (Some((p, rest)), Some((n, tail))) => p == n && matches(rest, tail),
        _ => false,
    }
}

fn find_definitions(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for path in entries(folder)? {
        if path.is_dir() {
            find_definitions(&path, found)?;
        } else if has_extension(&path, "yml") {
            found.push(path);
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    entries.map(|e| Ok(e?.path())).collect()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e == extension)
}

fn folder_name(path: &Path) -> String {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    real.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, name, expected) in [
            ("*.yml", "a.yml", true),
            ("a?.yml", "ab.yml", true),
            ("*a*b*", "xaxbx", true),
            ("a*", "b", false),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_folder_with_sets_is_counted_by_them() {
        let dir = std::env::temp_dir().join(format!("hardbop-xtask-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(dir.join("d")).unwrap();
        for name in ["a", "b", "c"] {
            std::fs::write(dir.join(format!("d/{name}.c")), "").unwrap();
            let yml = format!(
                "input_files: {name}.c\nproperties:\n  - property_file: p/unreach-call.prp\n    expected_verdict: {}\n",
                name == "a"
            );
            std::fs::write(dir.join(format!("d/{name}.yml")), yml).unwrap();
        }
        std::fs::write(dir.join("d/other.yml"), "input_files: a.c\nproperties:\n  - property_file: termination.prp\n")
            .unwrap();
        std::fs::write(dir.join("S.set"), "# c\nd/[x]*.yml\n".replace("[x]*", "a")).unwrap();
        std::fs::write(dir.join("T.set"), "d/?.yml\n").unwrap();
        std::fs::write(dir.join("U.set"), "d/b.yml\n").unwrap();
        let corpus = collect(std::slice::from_ref(&dir)).unwrap();
        let names: Vec<&str> = corpus.tasks.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["d/a.yml", "d/b.yml", "d/c.yml"]);
        let sets: Vec<(&str, &[usize])> = corpus.sets.iter().map(|s| (s.name.as_str(), s.tasks.as_slice())).collect();
        assert_eq!(sets, [("S", &[0][..]), ("T", &[0, 1, 2]), ("U", &[1])]);
        assert_eq!((corpus.tasks[0].expected, corpus.tasks[1].expected), (Some(true), Some(false)));
        std::fs::write(dir.join("S.set"), "d/none.yml\n").unwrap();
        assert!(collect(&[dir.join("S.set")]).is_err());
        std::fs::remove_dir_all(&dir).unwrap();
    }
}

//! Which tasks there are: sets, folders, task definitions, C files.

use crate::property;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One program with one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    /// Its path below the folder of the set that named it: the same on every machine.
    pub name: String,
    /// The definition, or the C file.
    pub path: PathBuf,
    /// The property file; none for a C file.
    pub property: Option<PathBuf>,
    /// `true`, `false` or `false(PART)`, if that is known.
    pub expected: Option<String>,
    /// The sets that it belongs to.
    pub sets: Vec<String>,
}

impl Task {
    /// The property's name, as its file is called.
    pub(super) fn property_name(&self) -> Option<String> {
        self.property.as_deref().map(stem)
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The tasks, by name and property; each once.
    pub tasks: Vec<Task>,
    /// What was left out, and why.
    pub left_out: Vec<String>,
}

/// The tasks of sets, folders and files; of those with several properties, one for each that is asked for and supported.
pub(super) fn collect(from: &[String], property: Option<&str>) -> Result<Found, String> {
    let mut definitions: BTreeMap<(String, PathBuf), Vec<String>> = BTreeMap::new();
    for given in from {
        let path = Path::new(given);
        let at = |e: std::io::Error| format!("{given}: {}", crate::input::reason(&e));
        let mut add = |root: &Path, file: PathBuf, set: &str| {
            let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
            let sets = definitions.entry((name, file)).or_default();
            if !sets.iter().any(|s| s == set) {
                sets.push(set.to_owned());
            }
        };
        if path.is_dir() {
            let mut files = Vec::new();
            below(path, &mut files).map_err(at)?;
            files.into_iter().for_each(|file| add(path, file, &stem(path)));
        } else if given.ends_with(".set") {
            let root = path.parent().unwrap_or(Path::new(""));
            for file in set_file(path, root)? {
                add(root, file, &stem(path));
            }
        } else {
            std::fs::metadata(path).map_err(at)?;
            add(path.parent().unwrap_or(Path::new("")), path.to_owned(), "files");
        }
    }
    let mut found = Found::default();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for ((name, path), sets) in definitions {
        for task in tasks_of(&name, &path, &sets, &mut refused)? {
            let wanted = property.is_none_or(|p| task.property_name().is_none_or(|own| own == p));
            if wanted && !found.tasks.contains(&task) {
                found.tasks.push(task);
            }
        }
    }
    found.left_out = refused.into_iter().map(|(why, n)| format!("left out {n}: {why}")).collect();
    if found.tasks.is_empty() {
        return Err(format!("there is no task in {}", from.join(", ")));
    }
    Ok(found)
}

/// A file's or folder's name without its ending.
fn stem(path: &Path) -> String {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    full.file_stem().map_or_else(|| full.display().to_string(), |s| s.to_string_lossy().into_owned())
}

/// One task for each property of a definition; those that cannot be checked are counted by their reason.
fn tasks_of(
    name: &str,
    path: &Path,
    sets: &[String],
    refused: &mut BTreeMap<String, usize>,
) -> Result<Vec<Task>, String> {
    let task = |property, expected| Task {
        name: name.to_owned(),
        path: path.to_owned(),
        property,
        expected,
        sets: sets.to_vec(),
    };
    if !is_definition(path) {
        return Ok(vec![task(None, None)]);
    }
    let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {}", crate::input::reason(&e)))?;
    let definition = match svcomp::task::parse(&text) {
        Ok(definition) => definition,
        Err(problem) => {
            *refused.entry(problem).or_default() += 1;
            return Ok(Vec::new());
        }
    };
    let mut out = Vec::new();
    for p in &definition.properties {
        let file = path.parent().unwrap_or(Path::new("")).join(&p.file);
        let content = std::fs::read_to_string(&file)
            .map_err(|e| format!("{name} names {}: {}", file.display(), crate::input::reason(&e)))?;
        match property::parse(&content) {
            Ok(_) => {
                let part = p.subproperty.as_ref().map_or(String::new(), |s| format!("({s})"));
                let expected = p.expected.map(|e| if e { "true".to_owned() } else { format!("false{part}") });
                out.push(task(Some(file), expected));
            }
            Err(why) => *refused.entry(format!("{}: {why}", stem(&file))).or_default() += 1,
        }
    }
    Ok(out)
}

fn is_definition(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "yml" || e == "yaml")
}

/// All task definitions below a folder.
fn below(folder: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            below(&entry, out)?;
        } else if is_definition(&entry) {
            out.push(entry);
        }
    }
    Ok(())
}

/// The definitions that a set names: a path or a pattern on each line, relative to the set; `#` begins a comment.
fn set_file(path: &Path, root: &Path) -> Result<Vec<PathBuf>, String> {
    let text =
        std::fs::read_to_string(path).map_err(|e| format!("{}: {}", path.display(), crate::input::reason(&e)))?;
    let mut out = Vec::new();
    for line in text.lines().map(|l| l.split('#').next().unwrap_or("").trim()).filter(|l| !l.is_empty()) {
        let mut found = vec![if line.starts_with('/') { PathBuf::from("/") } else { root.to_owned() }];
        for part in line.split('/').filter(|p| !p.is_empty() && *p != ".") {
            found = found.iter().flat_map(|folder| matching(folder, part)).collect();
        }
        found.retain(|f| is_definition(f));
        if found.is_empty() {
            return Err(format!("{}: no task definition is meant by `{line}`", path.display()));
        }
        out.extend(found);
    }
    Ok(out)
}

/// What one part of a path means in a folder.
fn matching(folder: &Path, part: &str) -> Vec<PathBuf> {
    if !part.contains(['*', '?']) {
        return Some(folder.join(part)).filter(|p| p.exists()).into_iter().collect();
    }
    let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = std::fs::read_dir(shown).into_iter().flatten().flatten().map(|e| e.file_name());
    let mut out: Vec<PathBuf> =
        names.filter(|n| fits(part.as_bytes(), n.to_string_lossy().as_bytes())).map(|n| folder.join(n)).collect();
    out.sort();
    out
}

/// Whether a name is one that a pattern with `*` and `?` means.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => fits(rest, name) || name.split_first().is_some_and(|(_, n)| fits(pattern, n)),
        (Some((b'?', rest)), Some((_, n))) => fits(rest, n),
        (Some((p, rest)), Some((c, n))) => p == c && fits(rest, n),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_names() {
        let fits = |p: &str, n: &str| fits(p.as_bytes(), n.as_bytes());
        assert!(fits("*.yml", "a.yml") && fits("a*-?.yml", "abc-1.yml") && fits("*", ""));
        assert!(!fits("*.yml", "a.yaml") && !fits("a?", "a") && !fits("a", "ab"));
    }
}

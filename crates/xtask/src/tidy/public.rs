//! What a library offers and nobody takes: public functions and constants that no other crate, test or example names.
//!
//! A rule by names only, so it finds less than there is; what it finds is private or gone. Types are left out: one that stands
//! in a signature is public although nobody writes its name.

use super::rust_text::{code_only, identifiers};
use super::{Finding, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// Crates that are no libraries.
const NO_LIBRARIES: &[&str] = &["cli", "testkit", "xtask"];

/// Every public function and constant of a library is named outside of its sources.
pub(super) fn unused(tree: &Tree) -> Vec<Finding> {
    let mut named: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut offered: Vec<(&str, String, String)> = Vec::new();
    for file in tree.files.iter().filter(|f| f.path.ends_with(".rs")) {
        let code = code_only(&file.text);
        let source_of = library(&file.path);
        for name in code.lines().flat_map(identifiers) {
            named.entry(name.to_owned()).or_default().insert(source_of.unwrap_or("elsewhere"));
        }
        if let Some(library) = source_of {
            offered.extend(public(&code).map(|(line, name)| (library, name, format!("{}:{line}", file.path))));
        }
    }
    offered.retain(|(library, name, _)| named[name].iter().all(|place| place == library));
    let finding = |(library, name, place): (&str, String, String)| {
        Finding::warning(place, format!("nobody but `{library}` itself names `{name}`: is it `pub(crate)`?"))
    };
    offered.into_iter().map(finding).collect()
}

/// The library that a file is a source of. Oracles behind a feature offer what fuzz runs of the day need.
fn library(path: &str) -> Option<&str> {
    let (name, rest) = path.strip_prefix("crates/")?.split_once('/')?;
    (rest.starts_with("src/") && !NO_LIBRARIES.contains(&name) && !rest.contains("oracle/")).then_some(name)
}

/// The public functions and constants in text that [`code_only`] returned, with their lines; those of tests are none.
fn public(code: &str) -> impl Iterator<Item = (usize, String)> {
    let end = code.find("#[cfg(test)]").unwrap_or(code.len());
    code[..end].lines().enumerate().filter_map(|(i, line)| {
        let item = line.trim_start().strip_prefix("pub ")?;
        let item = item.strip_prefix("const ").filter(|rest| rest.starts_with("fn ")).unwrap_or(item);
        let rest = item.strip_prefix("fn ").or_else(|| item.strip_prefix("const "))?;
        Some((i + 1, identifiers(rest).next()?.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_names_is_found() {
        let tree = Tree::of(&[
            (
                "crates/ir/src/a.rs",
                "pub fn used() {}\npub fn own() { own() }\npub const fn tested() {}\npub const K: u8 = 1;",
            ),
            ("crates/ir/tests/t.rs", "fn t() { ir::tested(); }"),
            ("crates/cli/src/b.rs", "fn f() { ir::used() }\npub fn command() {}"),
        ]);
        let found: Vec<String> = unused(&tree).into_iter().map(|f| f.place).collect();
        assert_eq!(found, ["crates/ir/src/a.rs:2", "crates/ir/src/a.rs:4"]);
    }
}

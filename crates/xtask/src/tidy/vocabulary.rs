//! Words that the field does not use, or uses for something else, are no parts of our names.
//!
//! An engineer who knows predicate abstraction must not need a dictionary. Each row says what to write instead. Comments are
//! not looked at: there, these are words of plain English.

use super::rust_text::{code_only, identifiers};
use super::{Finding, Tree};

/// What is not a part of a name, where (a crate, or all), and what to write instead.
const OLD: &[(&[&str], Option<&str>, &str)] = &[
    (&["ask", "asks"], None, "object predicate, query or check"),
    (&["questions"], None, "queries"),
    (&["fact", "facts"], None, "invariant, axiom, constraint or effect"),
    (&["apart"], None, "disjoint or distinct"),
    (&["newer"], None, "fresh"),
    (&["makers"], None, "fresh-returning"),
    (&["texts"], None, "strings, or what the text is: sources, programs"),
    (&["life", "lives"], None, "lifetime"),
    (&["cure", "cures", "workshop"], None, "transition constraint"),
    (&["hunt", "hunts"], None, "bug finding"),
    (&["story", "teller", "tale"], None, "counterexample"),
    (&["stuck", "standstill"], None, "divergence"),
    (&["word", "words"], Some("predabs"), "predicate instance"),
    (&["words"], Some("invgen"), "grammar"),
];

/// Types of which there were many, each meaning something else: the crate's own word says more.
const NAMELESS: &[&str] = &["Why", "Facts", "Fact", "Words", "Draw"];

/// No name has an old word in it, and no type has a name that says nothing.
pub(super) fn vocabulary(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|f| f.path.ends_with(".rs") && f.path.starts_with("crates/")) {
        let in_crate = file.path.split('/').nth(1).unwrap_or_default();
        for (index, line) in code_only(&file.text).lines().enumerate() {
            for name in identifiers(line) {
                if let Some(instead) = old(name, in_crate) {
                    let place = format!("{}:{}", file.path, index + 1);
                    findings.push(Finding::error(place, format!("`{name}` is not a name of the field: {instead}")));
                }
            }
        }
    }
    findings
}

/// What to write instead of a name, if it is an old one.
fn old(name: &str, in_crate: &str) -> Option<&'static str> {
    if NAMELESS.contains(&name) {
        return Some("say whose it is");
    }
    let parts = parts(name);
    let row = OLD.iter().find(|(words, only, _)| {
        only.is_none_or(|c| c == in_crate) && parts.iter().any(|p| words.contains(&p.as_str()))
    });
    row.map(|(_, _, instead)| *instead)
}

/// The words that a name is made of: `object_facts`, `ObjectFacts` and `OBJECT_FACTS` have the same.
fn parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![String::new()];
    let mut last_was_lower = false;
    for c in name.chars() {
        if c == '_' || (c.is_uppercase() && last_was_lower) {
            parts.push(String::new());
        }
        if c != '_' {
            parts.last_mut().expect("there is always a last one").extend(c.to_lowercase());
        }
        last_was_lower = c.is_lowercase() || c.is_numeric();
    }
    parts.retain(|p| !p.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_words() {
        for name in ["object_facts", "ObjectFacts", "OBJECT_FACTS"] {
            assert_eq!(parts(name), ["object", "facts"], "{name}");
        }
        assert_eq!(parts("artifacts"), ["artifacts"]);
    }

    #[test]
    fn old_words_are_found_in_code_alone() {
        let tree = Tree::of(&[
            ("crates/ir/src/a.rs", "// facts\nlet facts = \"asks\";\nfn artifacts() {}\nlet word = 1;\n"),
            ("crates/predabs/src/b.rs", "struct Word;\n"),
            ("crates/verify/src/c.rs", "enum Why {}\n"),
        ]);
        let found: Vec<String> = vocabulary(&tree).into_iter().map(|f| f.place).collect();
        assert_eq!(found, ["crates/ir/src/a.rs:2", "crates/predabs/src/b.rs:1", "crates/verify/src/c.rs:1"]);
    }
}

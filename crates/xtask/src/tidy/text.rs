//! Rules about the text of single files.

use super::rust_text::{code_only, functions};
use super::{File, Finding, Tree};

/// Rust files whose shape is ours to rule: tests are data and cases, and may be as long as they like.
fn rust_files(tree: &Tree) -> impl Iterator<Item = &File> {
    tree.files.iter().filter(|f| f.path.ends_with(".rs") && !f.path.split('/').any(|part| part == "tests"))
}

/// Every Rust file opens with a module doc.
pub(super) fn module_docs(tree: &Tree) -> Vec<Finding> {
    let opens_with_doc =
        |f: &&File| f.text.lines().find(|l| !l.trim().is_empty()).is_some_and(|l| l.starts_with("//!"));
    rust_files(tree)
        .filter(|f| !opens_with_doc(f))
        .map(|f| Finding::error(format!("{}:1", f.path), "the file does not open with `//!` saying its job"))
        .collect()
}

const MAX_LINES: usize = 800;

/// Marks a file that is one long table, with the reason after it.
const TABLE_MARK: &str = "// tidy: table: ";

/// Files stay short, but for tables with a reason.
pub(super) fn file_sizes(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in rust_files(tree).filter(|f| !has_reason(f.text.lines(), TABLE_MARK)) {
        let n = file.text.lines().count();
        if n > MAX_LINES {
            findings.push(Finding::error(&file.path, format!("{n} lines; {MAX_LINES} is the limit")));
        }
    }
    findings
}

const MAX_FUNCTION: usize = 120;

/// Marks a function that is one flat match, with the reason after it; on a line directly above the function's own lines.
const FLAT_MARK: &str = "// tidy: flat match: ";

/// Functions stay short, but for flat matches with a reason.
pub(super) fn function_lengths(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in rust_files(tree) {
        let lines: Vec<&str> = file.text.lines().collect();
        for f in functions(&code_only(&file.text)) {
            let n = f.last_line - f.first_line + 1;
            let head = lines[..f.first_line - 1].iter().rev().take_while(|l| {
                let l = l.trim_start();
                l.starts_with("//") || l.starts_with("#[")
            });
            if n > MAX_FUNCTION && !has_reason(head.copied(), FLAT_MARK) {
                let place = format!("{}:{}", file.path, f.first_line);
                findings.push(Finding::error(
                    place,
                    format!("`{}` has {n} lines; {MAX_FUNCTION} is the limit (or mark it `{FLAT_MARK}why`)", f.name),
                ));
            }
        }
    }
    findings
}

fn has_reason<'a>(mut lines: impl Iterator<Item = &'a str>, mark: &str) -> bool {
    lines.any(|l| l.trim_start().strip_prefix(mark).is_some_and(|reason| !reason.trim().is_empty()))
}

/// No macro that stands for missing code, and no test that is switched off, in code of any kind.
pub(super) fn unfinished(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|f| f.path.ends_with(".rs")) {
        for (index, line) in code_only(&file.text).lines().enumerate() {
            for word in ["todo!", "unimplemented!", "#[ignore"] {
                if line.contains(word) {
                    findings
                        .push(Finding::error(format!("{}:{}", file.path, index + 1), format!("`{word}` stands here")));
                }
            }
        }
    }
    findings
}

/// Paths of one machine and hosts of package registries; put together here so that the list does not find itself.
const FORBIDDEN: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/tmp/", "t-"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("../", "shared"),
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("npmjs", ".org"),
];

/// No text names the machine it was written on.
pub(super) fn machine_paths(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|f| f.path != "Cargo.lock") {
        for (index, line) in file.text.lines().enumerate() {
            for word in FORBIDDEN.iter().filter(|w| line.contains(**w)) {
                findings.push(Finding::error(format!("{}:{}", file.path, index + 1), format!("`{word}` stands here")));
            }
        }
    }
    findings
}

/// Every path into `crates/` that a document names exists. A part in capitals stands for any name.
pub(super) fn named_paths(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|f| f.path.ends_with(".md") && f.path != "CHANGELOG.md") {
        for (index, line) in file.text.lines().enumerate() {
            for path in line.split('`').skip(1).step_by(2).filter(|p| p.starts_with("crates/") && !p.contains(' ')) {
                let path = path.trim_end_matches('/');
                let any = |part: &str| part.contains('*') || part.chars().all(|c| c.is_ascii_uppercase());
                let inside = |f: &File| f.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
                let exists = || tree.files.iter().any(|f| f.path == path || inside(f));
                if !path.split('/').any(any) && !exists() {
                    findings
                        .push(Finding::error(format!("{}:{}", file.path, index + 1), format!("there is no `{path}`")));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(findings: &[Finding]) -> Vec<&str> {
        findings.iter().map(|f| f.place.as_str()).collect()
    }

    #[test]
    fn a_file_without_a_doc_is_found() {
        let tree = Tree::of(&[
            ("a.rs", "\n//! Doc.\n"),
            ("b.rs", "// Comment.\nfn f() {}\n"),
            ("empty.rs", ""),
            ("tests/c.rs", "fn f() {}"),
            ("d.md", "text"),
        ]);
        assert_eq!(places(&module_docs(&tree)), ["b.rs:1", "empty.rs:1"]);
    }

    #[test]
    fn long_files_are_found_unless_they_are_tables() {
        let (short, long) = ("x\n".repeat(800), "x\n".repeat(801));
        let table = format!("// tidy: table: one row per opcode\n{long}");
        let unreasoned = format!("// tidy: table: \n{long}");
        let tree = Tree::of(&[("a.rs", &short), ("b.rs", &long), ("c.rs", &table), ("d.rs", &unreasoned)]);
        assert_eq!(places(&file_sizes(&tree)), ["b.rs", "d.rs"]);
    }

    #[test]
    fn long_functions_are_found_unless_they_are_flat() {
        let body = "    x;\n".repeat(119);
        let (short, long) = (format!("fn f() {{\n{}}}\n", &body[7..]), format!("/// Doc.\nfn f() {{\n{body}}}\n"));
        let flat = format!("// tidy: flat match: one arm per op\n#[inline]\n{long}");
        let tree = Tree::of(&[("a.rs", &short), ("b.rs", &long), ("c.rs", &flat)]);
        assert_eq!(places(&function_lengths(&tree)), ["b.rs:2"]);
    }

    #[test]
    fn unfinished_code_is_found_and_talk_about_it_is_not() {
        let tree = Tree::of(&[
            ("a.rs", "// todo!()\nlet s = \"unimplemented!\";\n"),
            ("b.rs", "fn f() { todo!() }\n"),
            ("tests/c.rs", "#[test]\n#[ignore = \"slow\"]\n"),
        ]);
        assert_eq!(places(&unfinished(&tree)), ["b.rs:1", "tests/c.rs:2"]);
    }

    #[test]
    fn paths_that_do_not_exist_are_found() {
        let text = "`crates/ir/src/a.rs`, `crates/ir/` and `crates/ir/tests/TOPIC/`\n`crates/ir/src/b.rs`\n";
        let tree = Tree::of(&[("crates/ir/src/a.rs", "//! A.\n"), ("A.md", text)]);
        assert_eq!(places(&named_paths(&tree)), ["A.md:2"]);
    }

    #[test]
    fn machine_paths_are_found_but_in_the_lock_file() {
        let text = format!("fine\nsee {}x\n", FORBIDDEN[0]);
        let tree = Tree::of(&[("a.md", &text), ("Cargo.lock", FORBIDDEN[5])]);
        assert_eq!(places(&machine_paths(&tree)), ["a.md:2"]);
    }
}

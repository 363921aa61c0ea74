//! The gallery in `examples/`: each program says in its first line what the answer is, and gets it.
#![expect(clippy::disallowed_methods, reason = "a test of the command reads its examples and starts it")]

mod support;

use std::path::PathBuf;
use support::Folder;

#[test]
fn every_example_gets_the_answer_it_announces() {
    let gallery = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&gallery).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "c"));
    files.sort();
    assert!(files.len() >= 5, "the gallery is there");
    let folder = Folder::new("gallery");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let expected =
            text.lines().next().and_then(|l| l.strip_prefix("// expect: ")).expect("the first line announces");
        let limit = if expected == "UNKNOWN" { "3s" } else { "60s" };
        let ran = folder.run(&["check", "--timeout", limit, file.to_str().unwrap()]);
        let line = ran.out.lines().last().unwrap_or_default();
        assert!(line.starts_with(&format!("Verdict: {expected} (")), "{}: {ran:?}", file.display());
    }
}

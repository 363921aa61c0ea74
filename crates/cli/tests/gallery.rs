//! The gallery in `examples/`: each program says in its first line what the answer is, and gets it.

use crate::support::Folder;
use std::path::PathBuf;

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
        let options = text.lines().find_map(|l| l.strip_prefix("// options: ")).unwrap_or_default();
        let limit = if expected == "UNKNOWN" { "10s" } else { "60s" };
        let args = ["check", "--timeout", limit, file.to_str().unwrap()];
        let ran = folder.run(&args.into_iter().chain(options.split_whitespace()).collect::<Vec<_>>());
        let line = ran.out.lines().last().unwrap_or_default();
        assert!(line.starts_with(&format!("Verdict: {expected} (")), "{}: {ran:?}", file.display());
    }
}

#[test]
fn every_boolean_program_gets_the_answer_it_announces() {
    let gallery = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/bebop");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&gallery).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 10, "the gallery is there");
    let folder = Folder::new("bebop-gallery");
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let announced =
            text.lines().next().and_then(|l| l.strip_prefix("// expect: ")).expect("the first line announces");
        let (expected, options) = announced.split_once(' ').unwrap_or((announced, ""));
        let mut args = vec!["bebop", "--certify", file.to_str().unwrap()];
        args.extend(options.split_whitespace());
        let ran = folder.run(&args);
        let line = ran.out.lines().last().unwrap_or_default();
        match expected {
            "REFUSED" => assert!(ran.code == Some(2) && ran.err.contains("[concurrent]"), "{ran:?}"),
            _ => assert!(line.starts_with(&format!("Verdict: {expected} (")), "{}: {ran:?}", file.display()),
        }
    }
    // What predicates.bp says about itself.
    let text = std::fs::read_to_string(gallery.join("predicates.bp")).unwrap();
    let without = |start: &str| -> String {
        let cut = |l: &str| l.find(start).map_or(l.to_string(), |at| format!("{};", &l[..at]));
        text.lines().map(|l| if l.starts_with("//") { String::new() } else { cut(l) } + "\n").collect()
    };
    for (start, label) in [("enforce ", "predicates.bp:12"), (" constrain ", "predicates.bp:16")] {
        let ran = folder.file("predicates.bp", without(start)).run(&["bebop", "predicates.bp"]);
        assert!(ran.out.contains(&format!("the assertion at {label} can fail")), "{start}: {ran:?}");
    }
}

/// Whether the lines that are shown are among those that are said, in order; `…` stands for any text.
fn shows(shown: &str, said: &str) -> bool {
    let mut lines = said.lines();
    shown.lines().all(|line| match line.split_once('…') {
        Some((begin, end)) => lines.any(|l| l.starts_with(begin) && l.ends_with(end)),
        None => lines.any(|l| l == line),
    })
}

#[test]
fn the_readme_shows_what_the_command_says() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let folder = Folder::new("readme");
    let blocks: Vec<&str> = readme.split("```\n").collect();
    // The transcripts: commands behind `$`, and the last lines that they print.
    let tape = folder.0.join("average.tape");
    let proof = folder.0.join("lock.proof");
    let mut transcripts = 0;
    for block in blocks.iter().skip(1).step_by(2).filter(|b| b.starts_with("$ ")) {
        for part in block.split("$ hardbop ").skip(1) {
            let (args, shown) = part.split_once('\n').unwrap();
            let args =
                args.replace("average.tape", tape.to_str().unwrap()).replace("lock.proof", proof.to_str().unwrap());
            let args: Vec<&str> = args.split(' ').collect();
            let said = crate::support::Ran::of(folder.command(&args).current_dir(&root)).out;
            assert!(shows(shown, &said), "the README's transcript of {args:?}:\n{said}");
            transcripts += u32::from(!shown.is_empty());
        }
    }
    assert_eq!(transcripts, 9);
}

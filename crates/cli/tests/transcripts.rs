//! Documents that show what commands print: the tutorial and the papers' examples. A block ```` ```c lock.c ```` is a file, a line
//! `$ hardbop …` in a `console` block a command, and the lines behind it are its output; `…` stands for any lines. A `bp` block without a
//! name is a part of a file that a command wrote. `BLESS=1` writes those outputs anew that are shown whole.

use crate::support::Folder;
use std::path::{Path, PathBuf};

/// A fenced block: what it is, and its lines.
struct Block<'a> {
    info: &'a str,
    lines: Vec<&'a str>,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut out = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            out.push(Block { info, lines: lines.by_ref().take_while(|l| *l != "```").collect() });
        }
    }
    out
}

/// Whether the lines are those expected, where `…` is any number of lines.
fn fits(expected: &[&str], lines: &[&str]) -> bool {
    match (expected.split_first(), lines.split_first()) {
        (None, None) => true,
        (Some((&"…", rest)), _) => fits(rest, lines) || lines.split_first().is_some_and(|(_, l)| fits(expected, l)),
        (Some((e, rest)), Some((l, more))) => e == l && fits(rest, more),
        _ => false,
    }
}

/// Runs the commands of a document and compares what they print, on standard output and then on standard error; how many there are.
fn run(document: &Path, dir: &Folder) -> usize {
    let text = std::fs::read_to_string(document).unwrap();
    let bless = std::env::var_os("BLESS").is_some();
    let (mut commands, mut blessed) = (0, text.clone());
    let mut wrong = Vec::new();
    for block in blocks(&text) {
        if let Some((_, name)) = block.info.split_once(' ') {
            dir.file(name, block.lines.join("\n") + "\n");
        } else if block.info == "bp" {
            let written = std::fs::read_to_string(dir.0.join("one.bp")).unwrap();
            assert!(written.contains(&block.lines.join("\n")), "a part of one.bp:\n{written}");
        } else if block.info == "console" {
            let mut rest = &block.lines[..];
            while let Some((command, more)) = rest.split_first() {
                let words = command.strip_prefix("$ hardbop ").expect("a command").split_whitespace();
                let args: Vec<&str> = words.map(|w| w.trim_matches('\'')).collect();
                let end = more.iter().position(|l| l.starts_with("$ ")).unwrap_or(more.len());
                let ran = dir.run(&args);
                let printed: Vec<&str> = ran.out.lines().chain(ran.err.lines()).collect();
                if !fits(&more[..end], &printed) {
                    wrong.push(format!("{command} prints\n{}", printed.join("\n")));
                }
                if bless && !more[..end].contains(&"…") {
                    let (old, new) = ([&[*command], &more[..end]].concat(), [&[*command], &printed[..]].concat());
                    blessed = blessed.replacen(&old.join("\n"), &new.join("\n"), 1);
                }
                (rest, commands) = (&more[end..], commands + 1);
            }
        }
    }
    if bless {
        std::fs::write(document, blessed).unwrap();
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
    commands
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_tutorial_shows_what_the_commands_print() {
    let commands = run(&root().join("docs/tutorial.md"), &Folder::new("tutorial"));
    assert!(commands >= 10, "every stage has its command: {commands}");
}

/// Every row of the papers' examples.
#[test]
fn the_papers_examples_are_answered_as_shown() {
    let dir = Folder::new("papers-shown");
    for folder in ["papers", "bebop", "spark"] {
        for entry in std::fs::read_dir(root().join("examples").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, dir.0.join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    let commands = run(&root().join("docs/papers.md"), &dir);
    assert!(commands >= 90, "every row has its commands: {commands}");
}

#[test]
fn dots_stand_for_lines() {
    assert!(fits(&["a", "…", "c"], &["a", "b", "b", "c"]) && fits(&["…"], &[]));
    assert!(!fits(&["a"], &["b"]) && !fits(&["a", "…", "c"], &["a", "b"]) && !fits(&[], &["a"]));
}

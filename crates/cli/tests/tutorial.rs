//! The tutorial: what it shows is what the commands print. A block ```` ```c lock.c ```` is a file, a line `$ hardbop …` in a `console`
//! block a command, and the lines behind it are its output; `…` stands for any lines. A `bp` block is a part of a file that a
//! command wrote. `BLESS=1` writes the outputs anew.

use crate::support::Folder;
use std::path::PathBuf;

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

#[test]
fn the_tutorial_shows_what_the_commands_print() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let bless = std::env::var_os("BLESS").is_some();
    let (dir, mut commands, mut blessed) = (Folder::new("tutorial"), 0, text.clone());
    for block in blocks(&text) {
        if let Some((_, name)) = block.info.split_once(' ') {
            dir.file(name, block.lines.join("\n") + "\n");
        } else if block.info == "bp" {
            let written = std::fs::read_to_string(dir.0.join("one.bp")).unwrap();
            assert!(written.contains(&block.lines.join("\n")), "a part of one.bp:\n{written}");
        } else if block.info == "console" {
            let mut rest = &block.lines[..];
            while let Some((command, more)) = rest.split_first() {
                let args: Vec<&str> =
                    command.strip_prefix("$ hardbop ").expect("a command").split_whitespace().collect();
                let end = more.iter().position(|l| l.starts_with("$ ")).unwrap_or(more.len());
                let ran = dir.run(&args);
                let printed: Vec<&str> = ran.out.lines().collect();
                if bless {
                    let (old, new) = ([&[*command], &more[..end]].concat(), [&[*command], &printed[..]].concat());
                    blessed = blessed.replacen(&old.join("\n"), &new.join("\n"), 1);
                } else {
                    assert!(fits(&more[..end], &printed), "{command} prints\n{}{}", ran.out, ran.err);
                    assert_eq!(ran.err, "", "{command}");
                }
                (rest, commands) = (&more[end..], commands + 1);
            }
        }
    }
    assert!(commands >= 10, "every stage has its command: {commands}");
    if bless {
        std::fs::write(path, blessed).unwrap();
    }
}

#[test]
fn dots_stand_for_lines() {
    assert!(fits(&["a", "…", "c"], &["a", "b", "b", "c"]) && fits(&["…"], &[]));
    assert!(!fits(&["a"], &["b"]) && !fits(&["a", "…", "c"], &["a", "b"]) && !fits(&[], &["a"]));
}

//! Cuts the lines that a definition names out of a package's files, and makes the variants: the text as it is (with its fixes), with the
//! seeded bug, and with the mutant of the assertion.

use super::definition::{Change, Cut, Definition, Foreign, Range};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};

/// The release that the pieces are cut from.
const SUITE: &str = "bookworm";

/// What a program is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Safe,
    Bug,
    /// The assertion of the harness must fail; no task, but for labels.
    Mutant,
}

impl Variant {
    /// The name, which is also that of its folder.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Variant::Safe => "safe",
            Variant::Bug => "bug",
            Variant::Mutant => "mutant",
        }
    }
}

/// The preprocessor's arguments that make `definition` the variant; the code of a package is written to a folder of its own first.
pub(crate) fn arguments(definition: &Definition, variant: Variant, root: &Path) -> anyhow::Result<Vec<String>> {
    let Some(foreign) = &definition.foreign else {
        return Ok(if variant == Variant::Safe { vec![] } else { vec!["-DBUG".into()] });
    };
    let folder = root.join("target/benchmarks").join(&definition.name).join(variant.name());
    std::fs::create_dir_all(&folder)?;
    let tree = crate::debian::fetch(&foreign.package, SUITE)?;
    let text = text_of(foreign, variant, &tree).with_context(|| definition.file.display().to_string())?;
    write_if_new(&folder.join("cut.h"), &text)?;
    Ok(vec!["-I".into(), folder.display().to_string()])
}

/// The same text is not written again: other runs may be reading it.
fn write_if_new(path: &PathBuf, text: &str) -> anyhow::Result<()> {
    if std::fs::read_to_string(path).is_ok_and(|t| t == text) {
        return Ok(());
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn text_of(foreign: &Foreign, variant: Variant, tree: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    for cut in &foreign.cuts {
        let path = tree.join(&cut.file);
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let source = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        text += &lines(&source, cut)?;
        text.push('\n');
    }
    let hash = fnv(&text);
    match &foreign.text {
        Some(known) if *known == hash => {}
        Some(known) => bail!("the package's text is another one: its hash is {hash}, not {known}"),
        None => bail!("the definition needs the line `text: {hash}`"),
    }
    let seeded: &[Change] = match variant {
        Variant::Safe => &[],
        Variant::Bug => &foreign.bug,
        Variant::Mutant => &foreign.mutant,
    };
    for change in foreign.fixes.iter().chain(seeded) {
        if text.matches(&change.old).count() != 1 {
            bail!("`{}` occurs {} times", change.old, text.matches(&change.old).count());
        }
        text = text.replace(&change.old, &change.new);
    }
    Ok(text)
}

fn lines(source: &str, cut: &Cut) -> anyhow::Result<String> {
    let Range::Between { first, last, nth } = &cut.range else { return Ok(source.to_owned()) };
    let lines: Vec<&str> = source.lines().collect();
    let begins = (0..lines.len()).filter(|&i| lines[i].starts_with(first.as_str())).nth(*nth);
    let begin = begins.with_context(|| format!("{}: no line begins with `{first}`", cut.file))?;
    let end = (begin..lines.len()).find(|&i| lines[i].starts_with(last.as_str()));
    let end = end.with_context(|| format!("{}: no line after `{first}` begins with `{last}`", cut.file))?;
    Ok(lines[begin..=end].join("\n"))
}

/// The 64-bit hash of Fowler, Noll and Vo (FNV-1a): enough to see that a text is another one.
fn fnv(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(first: &str, last: &str, nth: usize) -> Cut {
        Cut { file: "f.c".into(), range: Range::Between { first: first.into(), last: last.into(), nth } }
    }

    #[test]
    fn lines_between_two_beginnings() {
        let source = "int f(int);\nint f(int x)\n{\n  if (x) {\n  }\n}\nint y;\n";
        assert_eq!(lines(source, &between("int f(", "}", 1)).unwrap(), "int f(int x)\n{\n  if (x) {\n  }\n}");
        assert_eq!(lines(source, &between("int f(", "int f(", 0)).unwrap(), "int f(int);");
        assert!(lines(source, &between("int g(", "}", 0)).is_err());
        assert!(lines(source, &between("int y", "}", 0)).is_err());
    }

    #[test]
    fn changes_need_the_known_text_and_one_place() {
        let dir = std::env::temp_dir().join(format!("hardbop-cut-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("f.c"), "int a = 1;\nint b = 1;\n").unwrap();
        let change = |old: &str, new: &str| Change { old: old.into(), new: new.into() };
        let mut foreign = Foreign {
            cuts: vec![Cut { file: "f.c".into(), range: Range::All }],
            bug: vec![change("b = 1", "b = 2")],
            ..Foreign::default()
        };
        assert!(text_of(&foreign, Variant::Safe, &dir).is_err(), "no hash");
        foreign.text = Some(fnv("int a = 1;\nint b = 1;\n\n"));
        assert_eq!(text_of(&foreign, Variant::Bug, &dir).unwrap(), "int a = 1;\nint b = 2;\n\n");
        foreign.fixes = vec![change("= 1", "= 3")];
        assert!(text_of(&foreign, Variant::Safe, &dir).is_err(), "two places");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}

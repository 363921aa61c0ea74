//! What the comment at the head of a benchmark says about it: lines ` * key: value`. benchmarks/README.md explains the keys.

use anyhow::{Context, bail};
use std::path::{Path, PathBuf};

/// A benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    /// The file's name without its ending.
    pub(crate) name: String,
    /// The program of a driver, or the harness of a piece.
    pub(crate) file: PathBuf,
    /// Where the code around which the harness stands comes from; a driver has none.
    pub(crate) foreign: Option<Foreign>,
    /// What is asked about it.
    pub(crate) options: Vec<String>,
    /// Whether its inputs are few enough to try all of them; otherwise they are random.
    pub(crate) all_inputs: bool,
    /// Characters that random inputs are often taken from.
    pub(crate) alphabet: String,
}

/// Code of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Foreign {
    pub(crate) package: String,
    pub(crate) cuts: Vec<Cut>,
    /// The hash of what is cut out, before any change: the labels hold for this text only.
    pub(crate) text: Option<String>,
    /// Changes of every variant.
    pub(crate) fixes: Vec<Change>,
    /// The seeded bug.
    pub(crate) bug: Vec<Change>,
    /// What makes the harness's own assertion fail, if the bug does not.
    pub(crate) mutant: Vec<Change>,
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) file: String,
    pub(crate) range: Range,
}

/// Which lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    All,
    /// From the `nth` line (from 0) that begins with `first` to the next that begins with `last`, which may be the same one.
    Between {
        first: String,
        last: String,
        nth: usize,
    },
}

/// A text that occurs exactly once, and what stands there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) old: String,
    pub(crate) new: String,
}

/// Reads the definition in a file.
pub(crate) fn read(file: &Path) -> anyhow::Result<Definition> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    parse(&text, file).with_context(|| file.display().to_string())
}

fn parse(text: &str, file: &Path) -> anyhow::Result<Definition> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (mut options, mut inputs, mut alphabet) = (None, None, String::new());
    let mut foreign = Foreign::default();
    for line in text.lines().take_while(|l| l.trim() != "*/") {
        let Some((key, value)) = line.trim().strip_prefix("* ").and_then(|l| l.split_once(':')) else { continue };
        let value = value.trim();
        match key {
            "package" => foreign.package = value.to_owned(),
            "cut" => foreign.cuts.push(cut(value)?),
            "text" => foreign.text = Some(value.to_owned()),
            "fix" => foreign.fixes.push(change(value)?),
            "bug" => foreign.bug.push(change(value)?),
            "mutant" => foreign.mutant.push(change(value)?),
            "options" => options = Some(value.split_whitespace().map(str::to_owned).collect()),
            "inputs" => inputs = Some(value),
            "alphabet" => alphabet = unescaped(value)?,
            _ => {}
        }
    }
    let all_inputs = match inputs {
        None | Some("random") => false,
        Some("all") => true,
        Some(other) => bail!("inputs are `{other}`, not all or random"),
    };
    let foreign = (!foreign.package.is_empty()).then_some(foreign);
    if let Some(f) = &foreign
        && (f.cuts.is_empty() || f.bug.is_empty())
    {
        bail!("a piece of a package needs `cut:` and `bug:`");
    }
    if foreign.is_none() && options.is_none() {
        bail!("there is neither `package:` nor `options:`");
    }
    Ok(Definition { name, file: file.to_owned(), foreign, options: options.unwrap_or_default(), all_inputs, alphabet })
}

/// `FILE all` or `FILE from "…" to "…"`, with `second`, `third` or `fourth` behind it.
fn cut(text: &str) -> anyhow::Result<Cut> {
    let (file, rest) = text.split_once(' ').context("a cut names a file and lines")?;
    let file = file.to_owned();
    if rest.trim() == "all" {
        return Ok(Cut { file, range: Range::All });
    }
    let rest = rest.trim().strip_prefix("from ").context("a cut is `all` or has `from`")?;
    let (first, rest) = quoted(rest)?;
    let rest = rest.trim().strip_prefix("to ").context("a cut has `to`")?;
    let (last, rest) = quoted(rest)?;
    let nth = match rest.trim() {
        "" => 0,
        "second" => 1,
        "third" => 2,
        "fourth" => 3,
        other => bail!("`{other}` stands behind a cut"),
    };
    Ok(Cut { file, range: Range::Between { first, last, nth } })
}

/// `"old" => "new"`.
fn change(text: &str) -> anyhow::Result<Change> {
    let (old, rest) = quoted(text)?;
    let rest = rest.trim().strip_prefix("=>").context("a change has `=>`")?;
    let (new, rest) = quoted(rest.trim())?;
    if !rest.trim().is_empty() {
        bail!("`{}` stands behind a change", rest.trim());
    }
    Ok(Change { old, new })
}

/// The text between quotes at the beginning, and what follows.
fn quoted(text: &str) -> anyhow::Result<(String, &str)> {
    let inner = text.strip_prefix('"').with_context(|| format!("`{text}` does not begin with a quote"))?;
    let mut escaped = false;
    for (i, c) in inner.char_indices() {
        match c {
            '"' if !escaped => return Ok((unescaped(&inner[..i])?, &inner[i + 1..])),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    bail!("the quote in `{text}` does not end")
}

/// The text that `\n`, `\t`, `\"`, `\\` and `\xNN` stand for.
fn unescaped(text: &str) -> anyhow::Result<String> {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some(c @ ('"' | '\\')) => out.push(c),
            Some('x') => {
                let digits: String = rest.by_ref().take(2).collect();
                out.push(u8::from_str_radix(&digits, 16).with_context(|| format!("\\x{digits} is no byte"))?.into());
            }
            other => bail!("\\{} is no escape", other.map_or(String::new(), String::from)),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_piece() {
        let text = "/*\n * Words: more.\n *\n * package: p\n * cut: a/b.c from \"int f(\" to \"}\" second\n * cut: t.h all\n * bug: \"a \\\"b\\\"\\n\" => \"\\\\\"\n * inputs: all\n * alphabet: a\\x01\n */\n * package: q\n";
        let got = parse(text, Path::new("x/name.c")).unwrap();
        let foreign = got.foreign.unwrap();
        assert_eq!((got.name.as_str(), foreign.package.as_str(), got.all_inputs), ("name", "p", true));
        assert_eq!(got.alphabet, "a\u{1}");
        let range = Range::Between { first: "int f(".into(), last: "}".into(), nth: 1 };
        assert_eq!(foreign.cuts[0], Cut { file: "a/b.c".into(), range });
        assert_eq!(foreign.cuts[1].range, Range::All);
        assert_eq!(foreign.bug, [Change { old: "a \"b\"\n".into(), new: "\\".into() }]);
    }

    #[test]
    fn what_is_missing_or_wrong_is_an_error() {
        for text in [
            "/* nothing */",
            "/*\n * package: p\n * cut: a.c all\n */",
            "/*\n * package: p\n * bug: \"a\" => \"b\"\n */",
            "/*\n * package: p\n * cut: a.c some\n * bug: \"a\" => \"b\"\n */",
            "/*\n * options: -x\n * bug: \"a\" -> \"b\"\n */",
            "/*\n * options: -x\n * inputs: some\n */",
        ] {
            assert!(parse(text, Path::new("x.c")).is_err(), "{text}");
        }
    }
}

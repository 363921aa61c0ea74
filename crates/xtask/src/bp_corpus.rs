//! `cargo xtask bp-corpus DIR`: `hardbop bebop` on every boolean program of `DIR/INDEX.tsv`, whose lines are file and
//! expected answer (`SAFE`, `UNSAFE`, or `CONCURRENT`: to be refused by name). Wrong answers come first and fail the run.

use anyhow::{Context, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// The arguments of `cargo xtask bp-corpus`.
#[derive(clap::Args)]
pub(crate) struct BpCorpusArgs {
    /// The folder with the programs and their INDEX.tsv.
    dir: PathBuf,
    /// Check every answer, whatever its size.
    #[arg(long, conflicts_with = "no_certify")]
    certify: bool,
    /// Check no answer.
    #[arg(long)]
    no_certify: bool,
    /// Time limit per program, in seconds.
    #[arg(long, default_value_t = 60, value_name = "S")]
    timeout: u64,
    /// Use this binary and build none.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// A program and what became of it.
struct Ran {
    file: String,
    expected: String,
    found: String,
    why: String,
    time: Duration,
}

/// Runs the programs one after the other; exit code 10 after a wrong answer.
pub(crate) fn bp_corpus(args: &BpCorpusArgs, root: &Path) -> anyhow::Result<ExitCode> {
    let index = args.dir.join("INDEX.tsv");
    let index = std::fs::read_to_string(&index).with_context(|| format!("cannot read {}", index.display()))?;
    let binary = match &args.binary {
        Some(binary) => std::path::absolute(binary)?,
        None => super::corpus::build(root)?,
    };
    let mut all = Vec::new();
    for line in index.lines().skip(1) {
        let mut fields = line.split('\t');
        let (Some(file), Some(expected)) = (fields.next(), fields.next()) else {
            bail!("a line of the index is not `file, expected answer`: {line}");
        };
        all.push(run(&binary, args, file, expected)?);
    }
    print!("{}", table(&all));
    Ok(ExitCode::from(if all.iter().any(|r| r.found != r.expected) { 10 } else { 0 }))
}

fn run(binary: &Path, args: &BpCorpusArgs, file: &str, expected: &str) -> anyhow::Result<Ran> {
    let mut command = Command::new(binary);
    command.arg("bebop").arg(args.dir.join(file)).arg("--timeout").arg(args.timeout.to_string());
    command.args(args.certify.then_some("--certify")).args(args.no_certify.then_some("--no-certify"));
    let start = Instant::now();
    let output = command.output().context("cannot start hardbop")?;
    let time = start.elapsed();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let (found, why) = judge(&out, &err, output.status.code());
    Ok(Ran { file: file.to_string(), expected: expected.to_string(), found, why, time })
}

/// The answer, and what there is to say about it. An answer counts only with the exit code that belongs to it.
fn judge(out: &str, err: &str, code: Option<i32>) -> (String, String) {
    let line = out.lines().last().unwrap_or_default();
    let answer = line.strip_prefix("Verdict: ").unwrap_or("none");
    let word = answer.split(' ').next().unwrap_or_default();
    let found = match (word, code) {
        ("SAFE", Some(0)) | ("UNSAFE", Some(10)) => word,
        ("UNKNOWN", Some(2)) if err.contains("[concurrent]") => "CONCURRENT",
        ("UNKNOWN", Some(2)) => "REFUSED",
        ("UNKNOWN", Some(5)) => "UNKNOWN",
        _ => "BROKEN",
    };
    (found.to_string(), answer.to_string())
}

/// The set a file belongs to: what stands before the first two underscores.
fn set(file: &str) -> &str {
    file.split("__").next().unwrap_or(file)
}

fn table(all: &[Ran]) -> String {
    let mut out = String::new();
    for r in all.iter().filter(|r| r.found != r.expected) {
        out += &format!("WRONG: {}: expected {}, found {}: {}\n", r.file, r.expected, r.found, r.why);
    }
    let mut sets: BTreeMap<&str, Vec<&Ran>> = BTreeMap::new();
    for r in all {
        sets.entry(set(&r.file)).or_default().push(r);
    }
    let row = |name: &str, runs: &[&Ran]| {
        let count = |what: &str| runs.iter().filter(|r| r.expected == what && r.found == what).count();
        let wrong = runs.iter().filter(|r| r.found != r.expected).count();
        let time: Duration = runs.iter().map(|r| r.time).sum();
        let slowest = runs.iter().map(|r| r.time).max().unwrap_or_default();
        let (safe, failing, refused) = (count("SAFE"), count("UNSAFE"), count("CONCURRENT"));
        let times = format!("{:8.2} {:9.3}", time.as_secs_f64(), slowest.as_secs_f64());
        format!("{name:24} {safe:5} {failing:7} {refused:8} {wrong:6} {times}\n")
    };
    let heads = ["set", "SAFE", "UNSAFE", "refused", "wrong", "seconds", "slowest"];
    let [a, b, c, d, e, f, g] = heads;
    out += &format!("{a:24} {b:>5} {c:>7} {d:>8} {e:>6} {f:>8} {g:>9}\n");
    for (name, runs) in &sets {
        out += &row(name, runs);
    }
    out + &row("all", &all.iter().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_needs_its_exit_code() {
        assert_eq!(judge("Verdict: SAFE (x)\n", "", Some(0)).0, "SAFE");
        assert_eq!(judge("Verdict: SAFE (x)\n", "", Some(10)).0, "BROKEN");
        assert_eq!(judge("trace\nVerdict: UNSAFE (x)\n", "", Some(10)).0, "UNSAFE");
        assert_eq!(judge("Verdict: UNKNOWN (x)\n", "t.bp:1:1: error: … [concurrent]", Some(2)).0, "CONCURRENT");
        assert_eq!(judge("Verdict: UNKNOWN (x)\n", "t.bp:1:1: error: … [syntax]", Some(2)).0, "REFUSED");
        assert_eq!(judge("", "", None).0, "BROKEN");
    }

    #[test]
    fn wrong_answers_come_first() {
        let ran = |file: &str, expected: &str, found: &str| Ran {
            file: file.to_string(),
            expected: expected.to_string(),
            found: found.to_string(),
            why: "why".to_string(),
            time: Duration::from_millis(500),
        };
        let text = table(&[ran("a__1.bp", "SAFE", "SAFE"), ran("b__1.bp", "SAFE", "UNSAFE")]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "WRONG: b__1.bp: expected SAFE, found UNSAFE: why");
        assert_eq!(lines[4], "all                          1       0        0      1     1.00     0.500");
    }
}

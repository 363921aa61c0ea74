//! Small programs whose right answer is known from outside: `trust/` about the kinds of mistake that the trusted base can
//! make, `annex_j/` about the items of C11's Annex J. Each runs with all engines and with the abstraction alone.
//!
//! A program's first comment lines say what is expected:
//! - `// expect: SAFE` or `// expect: UNSAFE`;
//! - `// options: --check null` (optional): further options of `hardbop check`;
//! - `// files: other.part` (optional): further files of the same program, beside it (not called `.c`: those are programs);
//! - `// unknown: all` or `// unknown: abstraction` (optional), and the reason: no answer is accepted there.
//!
//! `refused/` has programs that are not followed: `// expect: UNKNOWN`, with a `// reason:` that the answer names.
//!
//! `TRUST=words` runs only the programs whose name contains one of the words (separated by commas) and says what each did.
#![expect(clippy::disallowed_methods, reason = "the tests run the built binary on files, and a variable chooses some")]
#![allow(clippy::print_stderr, reason = "a run of chosen programs says what each did")]

mod support;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::Folder;

/// Announced UNKNOWNs that are accepted among a hundred programs.
const UNKNOWN_PER_HUNDRED: usize = 5;

/// What a program's first lines say.
struct Program {
    file: PathBuf,
    expect: String,
    options: Vec<String>,
    unknown: Option<String>,
    /// What an UNKNOWN that is expected has to name.
    reason: Option<String>,
}

/// The engines with which every program runs: the name for `// unknown:`, and the options.
const ENGINES: [(&str, &[&str]); 2] = [("all", &[]), ("abstraction", &["--engine", "abstraction"])];

impl Program {
    fn read(file: &Path) -> Program {
        let text = std::fs::read_to_string(file).unwrap();
        let header: Vec<&str> = text.lines().take_while(|l| l.starts_with("//")).collect();
        let field = |name: &str| header.iter().find_map(|l| l.strip_prefix(name)).map(|v| v.trim().to_string());
        let expect = field("// expect:").unwrap_or_else(|| panic!("{}: no `// expect:`", file.display()));
        let reason = field("// reason:");
        let refused = expect == "UNKNOWN" && reason.is_some();
        assert!(expect == "SAFE" || expect == "UNSAFE" || refused, "{}: `{expect}` is no verdict", file.display());
        let mut options: Vec<String> =
            field("// options:").unwrap_or_default().split_whitespace().map(str::to_string).collect();
        options.extend(field("// files:").unwrap_or_default().split_whitespace().map(str::to_string));
        Program { file: file.to_path_buf(), expect, options, unknown: field("// unknown:"), reason }
    }

    fn name(&self) -> &str {
        self.file.file_name().unwrap().to_str().unwrap()
    }

    /// Whether no answer is accepted with these engines; what `all` engines do not know, the abstraction alone need not.
    fn may_be_unknown(&self, engines: &str) -> bool {
        self.unknown.as_ref().is_some_and(|u| u.starts_with("all") || u.starts_with(engines))
    }
}

/// What came of one program with one choice of engines.
enum Outcome {
    Right,
    Announced,
    Wrong(String),
}

fn judge(folder: &Folder, program: &Program, engines: usize) -> Outcome {
    let (name, extra) = ENGINES[engines];
    let mut args = vec!["check", "--first", "--timeout", "30s", program.name()];
    args.extend(extra);
    args.extend(program.options.iter().map(String::as_str));
    let ran = support::Ran::of(folder.command(&args).current_dir(program.file.parent().unwrap()));
    let line = ran.out.lines().last().unwrap_or_default();
    if std::env::var("TRUST").is_ok() {
        eprintln!("{} [{name}] {:.1}s {line}", program.name(), ran.time.as_secs_f32());
    }
    let named = program.reason.as_ref().is_none_or(|reason| line.contains(&format!("(unsupported: {reason}")));
    if line.starts_with(&format!("Verdict: {} (", program.expect)) && named {
        return Outcome::Right;
    }
    if line.starts_with("Verdict: UNKNOWN (") && ran.code == Some(5) && program.may_be_unknown(name) {
        return Outcome::Announced;
    }
    Outcome::Wrong(format!("{} [{name}]: {} expected; {line} {}", program.name(), program.expect, ran.err))
}

/// The programs of a folder, those that `TRUST` asks for.
fn programs(folder: &str) -> Vec<Program> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "c"));
    files.sort();
    let chosen = std::env::var("TRUST").unwrap_or_default();
    files.retain(|p| chosen.split(',').any(|word| p.file_name().unwrap().to_str().unwrap().contains(word)));
    files.iter().map(|f| Program::read(f)).collect()
}

/// Runs all programs of a folder on all cores; mistakes are told together at the end.
fn run(folder: &str) -> Vec<Program> {
    let programs = programs(folder);
    let scratch = Folder::new(folder);
    let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let job = next.fetch_add(1, Ordering::Relaxed);
            let Some(program) = programs.get(job / ENGINES.len()) else { break };
            let outcome = judge(&scratch, program, job % ENGINES.len());
            outcomes.lock().unwrap().push((job, outcome));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap();
    outcomes.sort_by_key(|(job, _)| *job);
    let wrong: Vec<&str> =
        outcomes.iter().filter_map(|(_, o)| if let Outcome::Wrong(w) = o { Some(w.as_str()) } else { None }).collect();
    assert!(wrong.is_empty(), "{} of {} runs in {folder}:\n{}", wrong.len(), outcomes.len(), wrong.join("\n"));
    let announced = outcomes.iter().filter(|(_, o)| matches!(o, Outcome::Announced)).count();
    assert!(
        announced * 100 <= outcomes.len() * UNKNOWN_PER_HUNDRED || std::env::var("TRUST").is_ok(),
        "{announced} of {} runs in {folder} have no answer",
        outcomes.len()
    );
    programs
}

#[test]
fn the_trusted_base_is_right_about_c() {
    let programs = run("trust");
    // Demanded as soon as there are a hundred programs.
    if programs.len() >= 100 {
        for verdict in ["SAFE", "UNSAFE"] {
            let count = programs.iter().filter(|p| p.expect == verdict).count();
            assert!(count >= 50, "only {count} programs of {} are {verdict}", programs.len());
        }
    }
}

#[test]
fn the_items_of_annex_j_mean_what_the_table_says() {
    run("annex_j");
}

#[test]
fn what_is_not_followed_is_refused_by_name() {
    run("refused");
}

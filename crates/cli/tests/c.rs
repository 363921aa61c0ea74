//! One test for each C program in the folders of topics, `c/TOPIC`; among them `trust` (the kinds of mistake that the trusted
//! base can make), `annex_j` (the items of C11's Annex J), `refused` (what is not followed), `outside` (functions to which pointers from outside lead).
//!
//! A program's first comment lines say what is expected:
//! - `// expect: SAFE`, `UNSAFE` or `UNKNOWN`;
//! - `// options: --check null` (optional): further options of `hardbop check`;
//! - `// files: other.part` (optional): further files of the same program, beside it (not called `.c`: those are programs);
//! - `// reason: TEXT`: what the answer line says in its brackets; an UNKNOWN needs one;
//! - `// unknown: all` or `// unknown: abstraction` (optional), and why: no answer is accepted there;
//! - `// without: abstraction` (optional), and why: it does not go that way, which would end at its time limit;
//! - `// slow:` (optional), and why: only run on request (`-- --ignored`), with all engines; no answer is accepted.
//!
//! Each program goes several ways, which must agree:
//! - *plain*: `check` with all engines;
//! - *again*: the proof is checked by `certify`, or the tape is taken by `run`, in a process of its own;
//! - *ir*: the program is printed as IR, read back, and the same proof or tape holds for what was read;
//! - *abstraction*: `check` with that engine alone.
//!
//! `cargo test -p cli --test c -- padding` runs the programs whose names contain the word, `-- --list` shows them all.
#![expect(clippy::disallowed_methods, reason = "the tests run the built binary on files")]

mod support;

use base::SourceMap;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use support::{Folder, Ran};

/// Announced UNKNOWNs that are accepted among a hundred runs.
const UNKNOWN_PER_HUNDRED: usize = 6;

/// The stack on which a program that was read back is followed: expressions nest deeply.
const STACK: usize = 256 << 20;

/// What a program's first lines say.
#[derive(Clone)]
struct Program {
    topic: String,
    file: PathBuf,
    expect: String,
    options: Vec<String>,
    reason: Option<String>,
    unknown: Option<String>,
    without_abstraction: bool,
    slow: bool,
}

impl Program {
    fn read(topic: &str, file: &Path) -> Program {
        let text = std::fs::read_to_string(file).unwrap();
        let header: Vec<&str> = text.lines().take_while(|l| l.starts_with("//")).collect();
        let field = |name: &str| header.iter().find_map(|l| l.strip_prefix(name)).map(|v| v.trim().to_string());
        let expect = field("// expect:").unwrap_or_else(|| panic!("{}: no `// expect:`", file.display()));
        let reason = field("// reason:");
        let known = ["SAFE", "UNSAFE"].contains(&expect.as_str()) || expect == "UNKNOWN" && reason.is_some();
        assert!(known, "{}: `{expect}` is no verdict, or has no `// reason:`", file.display());
        let listed = |name: &str| field(name).unwrap_or_default();
        let options = [listed("// options:"), listed("// files:")].join(" ");
        let options = options.split_whitespace().map(str::to_string).collect();
        let (topic, file) = (topic.to_string(), file.to_path_buf());
        let slow = field("// slow:").is_some();
        let without = field("// without:");
        let without_abstraction = slow || without.as_ref().is_some_and(|w| w.starts_with("abstraction"));
        assert!(without.is_none() || without_abstraction, "{}: only `abstraction` can be left out", file.display());
        Program { topic, file, expect, options, reason, unknown: field("// unknown:"), without_abstraction, slow }
    }

    fn stem(&self) -> &str {
        self.file.file_stem().unwrap().to_str().unwrap()
    }

    /// Whether no answer is accepted with these engines; what `all` engines do not know, the abstraction alone need not.
    fn may_be_unknown(&self, engines: &str) -> bool {
        self.slow || self.unknown.as_ref().is_some_and(|u| u.starts_with("all") || u.starts_with(engines))
    }

    /// How many of its two runs of `check` need not have an answer.
    fn announced(&self) -> usize {
        let no_answer = self.without_abstraction || self.may_be_unknown("abstraction");
        usize::from(self.may_be_unknown("all")) + usize::from(no_answer)
    }

    fn hardbop(&self, scratch: &Folder, args: &[&str]) -> Ran {
        let mut args = args.to_vec();
        let searches = args[0] == "check";
        let mut options = self.options.iter().map(String::as_str);
        while let Some(option) = options.next() {
            // What looks for evidence has engines; what checks it has none.
            match option {
                "--engine" | "--block" if !searches => drop(options.next()),
                "--no-invgen" if !searches => {}
                option => args.push(option),
            }
        }
        Ran::of(scratch.command(&args).current_dir(self.file.parent().unwrap()))
    }

    /// Whether an answer is the expected one, or one that is accepted instead.
    fn judge(&self, engines: &str, ran: &Ran) -> Result<Judged, Failed> {
        let line = ran.out.lines().last().unwrap_or_default();
        let said = match &self.reason {
            Some(reason) if self.expect == "UNKNOWN" => {
                line.contains(&format!("(unsupported: {reason}")) || line.contains(&format!("({reason}"))
            }
            Some(reason) => line.contains(reason),
            None => true,
        };
        if line.starts_with(&format!("Verdict: {} (", self.expect)) && said {
            return Ok(Judged::Right);
        }
        if line.starts_with("Verdict: UNKNOWN (") && ran.code == Some(5) && self.may_be_unknown(engines) {
            return Ok(Judged::Announced);
        }
        let reason = self.reason.as_deref().unwrap_or_default();
        Err(format!("[{engines}] {} expected {reason}; {line}\n{}", self.expect, ran.err).into())
    }

    /// All ways.
    fn test(&self) -> Result<(), Failed> {
        let scratch = Folder::new(&format!("c-{}-{}", self.topic, self.stem()));
        let file = self.file.file_name().unwrap().to_str().unwrap();
        let made = |name: &str| scratch.0.join(name).to_str().unwrap().to_string();
        let (proof, tape, dumps) = (made("proof"), made("tape"), made("dumps"));
        let check = ["check", "--first", "--timeout", "60s", file];
        let keeping = ["--emit-proof", &proof, "--emit-tape", &tape, "--dump", "ir", "--out", &dumps];
        let plain = self.hardbop(&scratch, &[&check[..], &keeping].concat());
        if let Judged::Right = self.judge("all", &plain)? {
            let again = match self.expect.as_str() {
                "SAFE" => Some((self.hardbop(&scratch, &["certify", file, &proof]), 0, &proof)),
                "UNSAFE" => Some((self.hardbop(&scratch, &["run", file, "--tape", &tape]), 10, &tape)),
                _ => None,
            };
            if let Some((ran, code, evidence)) = again {
                if ran.code != Some(code) {
                    return Err(format!("[again] {}{}", ran.out, ran.err).into());
                }
                self.read_back(&Path::new(&dumps).join(format!("{}.ir", self.stem())), Path::new(evidence))?;
            }
        }
        if self.without_abstraction {
            return Ok(());
        }
        let alone = self.hardbop(&scratch, &[&check[..], &["--engine", "abstraction"]].concat());
        self.judge("abstraction", &alone).map(drop)
    }

    /// The program that its IR text means has the same proof or takes the same tape into a target.
    fn read_back(&self, dumped: &Path, evidence: &Path) -> Result<(), Failed> {
        let (text, evidence) = (std::fs::read_to_string(dumped)?, std::fs::read_to_string(evidence)?);
        let safe = self.expect == "SAFE";
        let follow = move || -> Result<(), String> {
            let mut map = SourceMap::new();
            let file = map.add("program.ir", text.as_str());
            let program = ir::text::parse(file, &text).map_err(|d| d.message)?;
            let file = map.add("evidence", evidence.as_str());
            if safe {
                let proof = certify::text::parse(&program, file, &evidence).map_err(|d| d.message)?;
                let checked = certify::check_proof(&program, proof, &certify::CheckLimits::default());
                checked.map(drop).map_err(|r| r.reason)
            } else {
                let tape = ir::interp::Tape::parse(&program, file, &evidence).map_err(|d| d.message)?;
                let replayed = certify::replay(&program, certify::Counterexample { path: None, tape });
                replayed.map(drop).map_err(|e| e.to_string())
            }
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(follow)?;
        thread.join().map_err(|_| Failed::from("[ir] a panic"))?.map_err(|e| format!("[ir] {e}").into())
    }
}

enum Judged {
    Right,
    Announced,
}

/// The programs of a topic, in order.
fn programs(folder: &Path) -> Vec<Program> {
    let topic = folder.file_name().unwrap().to_str().unwrap();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "c"));
    files.sort();
    files.iter().map(|f| Program::read(topic, f)).collect()
}

/// What must hold of the programs of every day together: few of them have no answer, and both answers are common.
fn balanced(programs: &[Program]) -> Result<(), Failed> {
    let programs: Vec<&Program> = programs.iter().filter(|p| !p.slow).collect();
    let announced: usize = programs.iter().map(|p| p.announced()).sum();
    let runs = 2 * programs.len();
    if announced * 100 > runs * UNKNOWN_PER_HUNDRED {
        return Err(format!("{announced} of {runs} runs need not have an answer").into());
    }
    for verdict in ["SAFE", "UNSAFE"] {
        let count = programs.iter().filter(|p| p.expect == verdict).count();
        if count < 50 {
            return Err(format!("only {count} of {} programs are {verdict}", programs.len()).into());
        }
    }
    Ok(())
}

fn main() {
    let topics = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let topics = std::fs::read_dir(topics).unwrap().map(|e| e.unwrap().path());
    let mut folders: Vec<PathBuf> = topics.filter(|p| p.is_dir()).collect();
    folders.sort();
    let all: Vec<Program> = folders.iter().flat_map(|folder| programs(folder)).collect();
    let mut trials: Vec<Trial> = Vec::new();
    for program in all.clone() {
        let (name, slow) = (format!("{}/{}", program.topic, program.stem()), program.slow);
        trials.push(Trial::test(name, move || program.test()).with_ignored_flag(slow));
    }
    trials.push(Trial::test("programs_are_balanced", move || balanced(&all)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

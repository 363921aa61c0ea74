//! `cargo xtask torture`: the programs of a folder, each compiled with gcc and run, and interpreted. Both must end alike:
//! `main` returns or `exit` is called with the same status, or both abort. Compilers' own test suites are such folders:
//! every program ends with status 0, and aborts if it was compiled wrongly.
//!
//! A program that gcc refuses, or whose compiled run fails by itself, says nothing. An interpreted run that ends in undefined
//! behaviour, at something unsupported or at the limit is counted as such, and named with `--list`.

use crate::front::source::c_files;
use anyhow::Context;
use base::SourceMap;
use ir::interp::{self, End, Limits, Unobserved, ZeroInputs};
use ir::{DataModel, ErrorKind};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

/// The arguments of `cargo xtask torture`.
#[derive(clap::Args)]
pub(crate) struct TortureArgs {
    /// Programs of one file each, or folders of them.
    #[arg(required = true, value_name = "FILE|DIR")]
    from: Vec<PathBuf>,
    /// Only this data model (LP64 or ILP32) instead of both.
    #[arg(long, value_name = "MODEL")]
    data_model: Option<String>,
    /// Print every program that is not equal.
    #[arg(long)]
    list: bool,
    /// Steps after which the interpreter gives up.
    #[arg(long, default_value_t = 30_000_000, value_name = "N")]
    steps: u64,
}

/// How a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// With this status.
    Exit(u8),
    /// By `abort` or a trap.
    Abort,
}

/// What became of one program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Case {
    Different(String),
    Refused(String),
    Undefined(String),
    Unsupported(String),
    Slow,
    /// The run ends otherwise, but took values from outside: an undefined function, inline assembly, what a variable holds
    /// before it is written.
    Open(String),
    /// Nothing to compare with.
    NotCompiled(String),
    Equal,
}

impl Case {
    fn title(&self) -> &'static str {
        match self {
            Case::Different(_) => "different",
            Case::Refused(_) => "refused by hardbop",
            Case::Undefined(_) => "undefined behaviour",
            Case::Unsupported(_) => "unsupported",
            Case::Slow => "too many steps",
            Case::Open(_) => "depends on values from outside",
            Case::NotCompiled(_) => "not to be compared",
            Case::Equal => "equal",
        }
    }

    fn detail(&self) -> &str {
        match self {
            Case::Different(w)
            | Case::Refused(w)
            | Case::Undefined(w)
            | Case::Unsupported(w)
            | Case::Open(w)
            | Case::NotCompiled(w) => w,
            Case::Slow | Case::Equal => "",
        }
    }
}

/// Compares; exit code 10 if a program is refused or ends differently.
pub(crate) fn torture(args: &TortureArgs) -> anyhow::Result<ExitCode> {
    std::thread::scope(|scope| {
        let work = std::thread::Builder::new().stack_size(1 << 30).spawn_scoped(scope, || run(args))?;
        work.join().unwrap_or_else(|_| anyhow::bail!("the front end or the interpreter panicked"))
    })
}

fn run(args: &TortureArgs) -> anyhow::Result<ExitCode> {
    let mut files = Vec::new();
    for path in &args.from {
        files.extend(if path.is_dir() { c_files(path)? } else { vec![path.clone()] });
    }
    let folder = std::env::temp_dir().join(format!("hardbop-torture-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut bad = false;
    for (name, model) in [("LP64", DataModel::Lp64), ("ILP32", DataModel::Ilp32)] {
        if args.data_model.as_deref().is_some_and(|m| m != name) {
            continue;
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut programs, mut listed) = (0, String::new());
        for file in &files {
            let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            if !String::from_utf8_lossy(&text).contains("main") {
                continue;
            }
            programs += 1;
            let case = compare(file, &String::from_utf8_lossy(&text), model, &folder, args.steps);
            *counts.entry(case.title()).or_default() += 1;
            bad |= matches!(case, Case::Different(_) | Case::Refused(_));
            if case != Case::Equal && (args.list || matches!(case, Case::Different(_) | Case::Refused(_))) {
                writeln!(listed, "{} {}: {}", case.title().to_uppercase(), file.display(), case.detail())?;
            }
        }
        println!("## {name}: {programs} programs\n\n{listed}\n| run | programs |\n|---|---|");
        let mut rows: Vec<_> = counts.into_iter().collect();
        rows.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        for (title, n) in rows {
            println!("| {title} | {n} |");
        }
        println!();
    }
    // A folder that cannot be removed is no reason to fail.
    let _ = std::fs::remove_dir_all(&folder);
    Ok(if bad { ExitCode::from(10) } else { ExitCode::SUCCESS })
}

fn output(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|e| format!("{}: {e}", command.get_program().to_string_lossy()))
}

/// Options that the test asks for, where they change what C means.
fn options(text: &str) -> Vec<&str> {
    let asked = text.lines().filter(|l| l.contains("dg-options") || l.contains("dg-additional-options"));
    let words = asked.flat_map(|l| l.split(['"', ' ']));
    words
        .filter(|w| ["-std=", "-fgnu89-inline", "-finput-charset", "-fno-builtin"].iter().any(|p| w.starts_with(p)))
        .collect()
}

fn compare(file: &Path, text: &str, model: DataModel, folder: &Path, steps: u64) -> Case {
    let flag = if model == DataModel::Lp64 { "-m64" } else { "-m32" };
    let asked = options(text);
    let exe = folder.join("a.exe");
    let expected = match compiled(file, flag, &asked, &exe) {
        Ok(status) => status,
        Err(why) => return Case::NotCompiled(why),
    };
    // A function with a body is never replaced; with this gcc does not replace library functions of the program either.
    let literally = || compiled(file, flag, &[&asked[..], &["-fno-builtin"]].concat(), &exe);
    let mut cc = Command::new("gcc");
    let plain = match output(cc.args(["-E", "-w", flag]).args(&asked).arg(file)) {
        Ok(plain) => text_of(&plain.stdout),
        Err(why) => return Case::NotCompiled(why),
    };
    match interpreted(&file.display().to_string(), &plain, model, steps) {
        Ok((seen, _)) if seen == expected || literally() == Ok(seen) => Case::Equal,
        Ok((seen, true)) => Case::Different(format!("compiled {expected:?}, interpreted {seen:?}")),
        Ok((seen, false)) => Case::Open(format!("compiled {expected:?}, interpreted {seen:?}")),
        Err(case) => case,
    }
}

/// How the compiled program ends.
fn compiled(file: &Path, flag: &str, asked: &[&str], exe: &Path) -> Result<Status, String> {
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-msse2", "-mfpmath=sse", flag]).args(asked);
    let built = output(gcc.arg(file).arg("-o").arg(exe).arg("-lm"))?;
    if !built.status.success() {
        return Err("gcc refuses it".to_owned());
    }
    let done = output(Command::new("timeout").arg("10").arg(exe))?;
    use std::os::unix::process::ExitStatusExt;
    // `timeout` gives the status of the program, with 128 added to the number of a signal.
    match (done.status.code(), done.status.signal()) {
        (Some(124), _) => Err("the compiled program does not end".to_owned()),
        (Some(132 | 134), _) | (_, Some(4 | 6)) => Ok(Status::Abort),
        (Some(n @ 0..128), _) => Ok(Status::Exit(n as u8)),
        (code, signal) => Err(format!("the compiled program ends with status {code:?}, signal {signal:?}")),
    }
}

/// The text, with bytes that are not UTF-8 as octal escapes: they stand in literals.
fn text_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|b| text.push_str(&format!("\\{b:03o}")));
    }
    text
}

const ABORTS: [&str; 3] = ["abort", "__builtin_abort", "__builtin_trap"];
const EXITS: [&str; 4] = ["exit", "_exit", "__builtin_exit", "__builtin__exit"];

/// How the interpreted program ends, and whether it took nothing from outside. The functions that end a run are its targets, so that they can be told apart.
fn interpreted(name: &str, text: &str, model: DataModel, steps: u64) -> Result<(Status, bool), Case> {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    let target = if model == DataModel::Lp64 { cfront::Target::Lp64 } else { cfront::Target::Ilp32 };
    let show = |map: &SourceMap, all: Vec<base::Diagnostic>| {
        let at = all.first().and_then(|d| d.span).map(|s| map.locate(s).to_string()).unwrap_or_default();
        Case::Refused(format!("{at}: {}", all.first().map_or("", |d| &d.message)))
    };
    let unit = cfront::parse(&mut map, file, target).map_err(|e| show(&map, e))?;
    let functions = ABORTS.iter().chain(&EXITS).map(|&f| f.to_owned()).collect();
    let targets = lower::Targets { functions, assertions: true };
    let options = lower::Options { targets, malloc_may_fail: false, ..lower::Options::default() };
    let program = lower::lower(&[unit], &options).map_err(|e| show(&map, e))?.program;
    ir::validate::validate(&program).map_err(|v| Case::Refused(format!("not valid: {}", v[0])))?;
    let limits = Limits { steps, ..Limits::default() };
    let run = interp::run(&program, &mut ZeroInputs, &limits, &mut Unobserved);
    let edge = |at: (ir::FuncId, ir::EdgeId)| {
        let body = program.body(at.0);
        body.edges[at.1].span
    };
    let closed = run.tape.entries.is_empty();
    let place = |span| map.locate(span).to_string();
    match run.end {
        End::Exited(Some(value)) => Ok((Status::Exit(value.bits as u8), closed)),
        End::Exited(None) => Err(Case::NotCompiled("`main` returns nothing".to_owned())),
        End::Error { kind: ErrorKind::Reached(f), at } if EXITS.contains(&f.as_str()) => {
            let span = edge(at);
            exit_status(&map.file(span.file).text[span.lo as usize..span.hi as usize])
                .map(|status| (status, closed))
                .ok_or_else(|| Case::NotCompiled("exit with a computed status".to_owned()))
        }
        End::Error { .. } => Ok((Status::Abort, closed)),
        End::Halted { at } => Err(Case::NotCompiled(format!("ends at {}", place(edge(at))))),
        End::Ub { ub, at, .. } => {
            let at = match at {
                interp::At::Start => "the start".to_owned(),
                interp::At::Edge(f, e) => place(edge((f, e))),
            };
            let what = format!("{} at {at}", ub.describe());
            Err(if closed { Case::Undefined(what) } else { Case::Open(what) })
        }
        End::Unsupported { why, at } => Err(Case::Unsupported(format!("{why} at {}", place(edge(at))))),
        End::Limit(_) => Err(Case::Slow),
        other => Err(Case::Different(format!("the run ends badly: {other:?}"))),
    }
}

/// The status in the text of a call `exit(0)`.
fn exit_status(call: &str) -> Option<Status> {
    let argument = call.split_once('(')?.1.rsplit_once(')')?.0.trim();
    argument.parse::<u8>().ok().map(Status::Exit)
}

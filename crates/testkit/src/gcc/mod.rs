//! The compiler as an oracle: many generated programs in one translation unit and one process.
//!
//! Starting a compiler costs more than compiling a small program, so the file-scope names of each program are renamed
//! by `#define` and hundreds of programs share one compilation. A program that crashes or hangs costs only itself: the
//! process reports each program before the next one starts, and is started again behind the one that broke it.
//!
//! This module starts processes and writes files, in a temporary folder that is removed with its owner.
#![expect(clippy::disallowed_methods, reason = "the oracle is a compiler: a process that reads files")]

mod batch;
mod checksum;
mod exhaustive;
mod images;
mod sanitized;
mod tape;

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use ir::DataModel;

pub use checksum::{End, Observed};
pub use exhaustive::{Exhausted, NondetInput, Probe};
pub use images::{Image, Pictured};
pub use sanitized::file_of;
pub use tape::TapeEnd;

/// Flags that give C the meaning the tool gives it.
const MEANING: [&str; 5] = ["-std=gnu11", "-fwrapv", "-fno-strict-aliasing", "-fno-builtin", "-w"];

/// How a compiled program is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// `-O0`
    O0,
    /// `-O1`
    O1,
    /// `-O2`
    O2,
    /// `-O0`, and equal constants share their storage wherever they can.
    MergedConstants,
    /// `-O2`, and no constants share their storage.
    SeparateConstants,
    /// `-O0`, and operations round as the mode says.
    Rounding,
    /// The same with `-O2`.
    RoundingO2,
    /// `-O0` with the address and undefined-behaviour sanitizers, except for what `-fwrapv` defines.
    Sanitized,
}

impl Build {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Build::O0 => &["-O0"],
            Build::O1 => &["-O1"],
            Build::O2 => &["-O2"],
            Build::MergedConstants => &["-O0", "-fmerge-all-constants"],
            Build::SeparateConstants => &["-O2", "-fno-merge-constants"],
            Build::Rounding => &["-O0", "-frounding-math"],
            Build::RoundingO2 => &["-O2", "-frounding-math"],
            Build::Sanitized => &[
                "-O0",
                "-fsanitize=undefined,address",
                "-fno-sanitize=signed-integer-overflow,shift-base",
                "-fno-sanitize-recover=all",
            ],
        }
    }
}

/// Why there is no compiled program or no answer from one.
#[derive(Debug)]
pub enum Failure {
    /// The process could not be started or its files not written.
    Environment(String),
    /// The compiler refused the text; with the beginning of its messages.
    Rejected(String),
    /// The compiler itself crashed on the text.
    CompilerCrashed(String),
    /// The compiler did not end in time.
    CompilerTimeout,
    /// The output of the program is not of the harness's form.
    Garbled(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Environment(why) => write!(f, "cannot run the compiler: {why}"),
            Failure::Rejected(why) => write!(f, "the compiler rejects the program:\n{why}"),
            Failure::CompilerCrashed(why) => write!(f, "the compiler crashes:\n{why}"),
            Failure::CompilerTimeout => f.write_str("the compiler takes too long"),
            Failure::Garbled(why) => write!(f, "unexpected output: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

/// An installed gcc.
#[derive(Clone, Debug)]
pub struct Gcc {
    /// It can make 32-bit binaries (gcc-multilib is installed).
    has_m32: bool,
    /// Compilations at a time.
    jobs: usize,
}

/// What a process said.
struct Said {
    stdout: String,
    stderr: String,
    /// `None` if it was ended because of its time, or by a signal.
    code: Option<i32>,
    timed_out: bool,
}

impl Gcc {
    /// The system's gcc, or why there is none.
    pub fn find() -> Result<Gcc, String> {
        let dir = Scratch::new().map_err(|e| e.to_string())?;
        let gcc = Gcc { has_m32: false, jobs: thread::available_parallelism().map_or(1, usize::from) };
        let trial = "#include <stdio.h>\nint main(void) { return 0; }\n";
        gcc.compile(&dir, trial, DataModel::Lp64, &["-O0"]).map_err(|e| format!("gcc does not work: {e}"))?;
        let has_m32 = gcc
            .compile(&dir, trial, DataModel::Ilp32, &["-O0"])
            .and_then(|exe| run(Command::new(exe), Duration::from_secs(10)))
            .is_ok_and(|said| said.code == Some(0));
        Ok(Gcc { has_m32, ..gcc })
    }

    /// Whether programs of this data model can be compiled and run.
    pub fn supports(&self, model: DataModel) -> bool {
        match model {
            DataModel::Lp64 => true,
            DataModel::Ilp32 => self.has_m32,
        }
    }

    /// Compiles a text to a program in the folder.
    fn compile(&self, dir: &Scratch, text: &str, model: DataModel, flags: &[&str]) -> Result<PathBuf, Failure> {
        let (source, exe) = (dir.path.join("unit.c"), dir.path.join("unit.exe"));
        std::fs::write(&source, text).map_err(|e| Failure::Environment(e.to_string()))?;
        let mut command = Command::new("gcc");
        command.args(MEANING).args(flags);
        command.arg(match model {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        });
        // Floating operations round to their type.
        command.args(["-msse2", "-mfpmath=sse"]);
        command.arg(&source).arg("-o").arg(&exe).arg("-lm");
        let said = run(command, Duration::from_secs(240))?;
        match said.code {
            Some(0) => Ok(exe),
            None if said.timed_out => Err(Failure::CompilerTimeout),
            _ => {
                let messages = said.stderr.lines().take(12).collect::<Vec<_>>().join("\n");
                let crashed = messages.contains("internal compiler error");
                Err(if crashed { Failure::CompilerCrashed(messages) } else { Failure::Rejected(messages) })
            }
        }
    }

    /// Compiles a program, runs it once, and reads the rows of numbers that it prints.
    pub fn rows(&self, text: &str, model: DataModel, build: Build) -> Result<Vec<Vec<u64>>, Failure> {
        let dir = Scratch::new()?;
        let exe = self.compile(&dir, text, model, build.flags())?;
        let said = run(Command::new(exe), Duration::from_secs(600))?;
        let row = |line: &str| line.split(' ').map(|n| n.parse().ok()).collect::<Option<Vec<u64>>>();
        said.stdout.lines().map(|line| row(line).ok_or_else(|| Failure::Garbled(line.to_owned()))).collect()
    }

    /// Works on batches of items at the same time; the answers come in the order of the items.
    fn in_batches<T: Sync, R: Send>(
        &self,
        items: &[T],
        size: usize,
        work: impl Fn(&[T]) -> Result<Vec<R>, Failure> + Sync,
    ) -> Result<Vec<R>, Failure> {
        let batches: Vec<&[T]> = items.chunks(size.max(1)).collect();
        let mut answers = Vec::new();
        for round in batches.chunks(self.jobs) {
            let done: Vec<_> = thread::scope(|s| {
                let running: Vec<_> = round.iter().map(|b| s.spawn(|| work(b))).collect();
                running.into_iter().map(|h| h.join().expect("a batch does not panic")).collect()
            });
            for r in done {
                answers.extend(r?);
            }
        }
        Ok(answers)
    }
}

/// A folder that is removed with its owner.
pub(crate) struct Scratch {
    pub(crate) path: PathBuf,
}

impl Scratch {
    pub(crate) fn new() -> Result<Scratch, Failure> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("hardbop-testkit-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|e| Failure::Environment(e.to_string()))?;
        Ok(Scratch { path })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that cannot be removed is no reason to fail a test.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Runs a process to its end or for the given time.
fn run(mut command: Command, limit: Duration) -> Result<Said, Failure> {
    let environment = |e: std::io::Error| Failure::Environment(e.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(environment)?;
    let (mut out, mut err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    // Read both while it runs: a full pipe would stop it.
    let (out, err) = (thread::spawn(move || text_of(&mut out)), thread::spawn(move || text_of(&mut err)));
    let tick = Duration::from_millis(2);
    let mut left = limit.as_millis() / tick.as_millis();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(environment)? {
            break Some(status);
        }
        if left == 0 {
            child.kill().map_err(environment)?;
            child.wait().map_err(environment)?;
            break None;
        }
        left -= 1;
        thread::sleep(tick);
    };
    Ok(Said {
        stdout: out.join().expect("reading does not panic"),
        stderr: err.join().expect("reading does not panic"),
        code: status.and_then(|s| s.code()),
        timed_out: status.is_none(),
    })
}

fn text_of(from: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    // What was read before an error still counts; a cut report is noticed by its reader.
    let _ = from.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `#define`s that give each name a prefix, and the `#undef`s that end them.
fn renaming<'a>(prefix: &str, names: impl IntoIterator<Item = &'a str>) -> (String, String) {
    let (mut on, mut off) = (String::new(), String::new());
    for n in names {
        on.push_str(&format!("#define {n} {prefix}{n}\n"));
        off.push_str(&format!("#undef {n}\n"));
    }
    (on, off)
}

/// Runs the program from item `start` on, again and again behind each item that broke it. `line` takes one line of
/// output; `broken` an item that ended the process, with the reason.
fn run_all(
    exe: &Path,
    environment: &[(&str, &str)],
    count: usize,
    limit: Duration,
    mut line: impl FnMut(&str) -> Result<usize, Failure>,
    mut broken: impl FnMut(usize, String),
) -> Result<(), Failure> {
    let mut start = 0;
    while start < count {
        let mut command = Command::new(exe);
        command.arg(start.to_string()).envs(environment.iter().copied());
        let said = run(command, limit)?;
        for text in said.stdout.lines() {
            start = line(text)? + 1;
        }
        if start < count {
            let why = if said.timed_out { "it does not end in time".to_string() } else { said.stderr };
            broken(start, why);
            start += 1;
        }
    }
    Ok(())
}

//! `check --replay-compiled`: compiles the program with the system's compiler and runs it on the inputs of a
//! counterexample. Whether it reaches a target there is decided by a reading of C that shares nothing with ours.

mod harness;

use crate::front::Front;
use crate::os;
use crate::settings::{DataModel, ProgramSettings};
use certify::{Counterexample, REPLAY_LIMITS};
use ir::interp::{self, End, Unobserved};
use ir::{ErrorKind, Op, Ub};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How the compiled program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Replayed {
    /// It reached a target.
    Reached,
    /// It did something else, namely this.
    Differs(String),
    /// There is no compiled program for this counterexample, or no answer from it, for this reason.
    DoesNotApply(String),
}

/// How long the compiled program may run.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs the compiled program on the counterexample.
pub(crate) fn replay(
    front: &Front,
    settings: &ProgramSettings,
    targets: &lower::Targets,
    cex: &Counterexample,
) -> Replayed {
    if front.units.is_empty() {
        return Replayed::DoesNotApply("the program is not in C".to_owned());
    }
    attempt(front, settings, targets, cex).unwrap_or_else(Replayed::DoesNotApply)
}

fn attempt(
    front: &Front,
    settings: &ProgramSettings,
    targets: &lower::Targets,
    cex: &Counterexample,
) -> Result<Replayed, String> {
    if !cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
        return Err("this machine is not an x86".into());
    }
    if settings.entry != "main" {
        return Err(format!("the run starts in `{}`, not in `main`", settings.entry));
    }
    if let Some(ub) = undefined_behaviour(front, cex) {
        return Err(format!("the run ends in undefined behaviour ({}), after which C promises nothing", ub.describe()));
    }
    let sources = harness::write(front, cex, targets)?;
    let folder = Folder::new().map_err(|e| format!("cannot create a temporary folder: {e}"))?;
    let program = compile(&folder.0, settings, &sources)?;
    let mut command = Command::new(program);
    command.current_dir(&folder.0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    os::without_limit(&mut command);
    let status = run_for(&mut command, PATIENCE).map_err(|e| format!("the compiled program cannot be started: {e}"))?;
    Ok(match status {
        None => return Err(format!("the compiled program still ran after {} s", PATIENCE.as_secs())),
        Some(status) => judge(status),
    })
}

/// The undefined behaviour that the run ends in, if that is the defect.
fn undefined_behaviour(front: &Front, cex: &Counterexample) -> Option<Ub> {
    let (func, edge) = match &cex.path {
        Some(path) => *path.edges.last()?,
        None => match interp::run(&front.program, &mut cex.tape.inputs(), &REPLAY_LIMITS, &mut Unobserved).end {
            End::Error { at, .. } => at,
            _ => return None,
        },
    };
    match front.program.functions[func].body.as_ref()?.edges[edge].op {
        Op::Error(ErrorKind::Ub(ub)) => Some(ub),
        _ => None,
    }
}

fn judge(status: ExitStatus) -> Replayed {
    match (status.signal(), status.code()) {
        (Some(harness::signal::REACHED), _) => Replayed::Reached,
        (Some(harness::signal::NO_VALUE), _) => Replayed::Differs("it asked for more inputs".into()),
        (Some(harness::signal::ASSUMPTION), _) => Replayed::Differs("an assumption failed".into()),
        (Some(signal), _) => Replayed::Differs(format!("it ended by signal {}", os::signal_name(signal))),
        (None, Some(code)) => Replayed::Differs(format!("it ended with exit code {code}")),
        (None, None) => Replayed::Differs("its end could not be observed".into()),
    }
}

/// Compiles and links; the path of the executable.
fn compile(folder: &Path, settings: &ProgramSettings, sources: &harness::Sources) -> Result<PathBuf, String> {
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).map_err(|e| format!("cannot write to the temporary folder: {e}"))
    };
    let mut command = Command::new("cc");
    // The meaning that verdicts give to C.
    command.args(["-O0", "-fwrapv", "-fno-strict-aliasing", "-fno-builtin", "-w", "-fpermissive"]);
    command.arg(if settings.data_model == DataModel::Ilp32 { "-m32" } else { "-m64" });
    command.args(settings.preprocessor.iter().filter(|a| a.starts_with("-std=")));
    // Functions that only unreachable code calls need no definition.
    command.args(["-no-pie", "-Wl,--unresolved-symbols=ignore-all", "-o", "program", "-x", "cpp-output"]);
    for (i, text) in sources.units.iter().enumerate() {
        let name = format!("unit{i}.i");
        write(&name, text)?;
        command.arg(name);
    }
    write("harness.c", &sources.harness)?;
    command.args(["-x", "c", "harness.c"]);
    command.current_dir(folder).env("LC_ALL", "C").stdin(Stdio::null());
    os::without_limit(&mut command);
    let output = command.output().map_err(|e| format!("the compiler `cc` cannot be started: {e}"))?;
    if output.status.success() {
        return Ok(folder.join("program"));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().find(|l| l.contains("error")).or(said.lines().next()).unwrap_or("it says nothing");
    Err(format!("the compiler refuses the program: {first}"))
}

/// Runs a command; `None` if it had to be ended.
pub(crate) fn run_for(command: &mut Command, patience: Duration) -> std::io::Result<Option<ExitStatus>> {
    let mut child = command.spawn()?;
    let deadline = Instant::now() + patience;
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// The temporary folder of the worker with this process id.
fn folder_of(worker: u32) -> PathBuf {
    std::env::temp_dir().join(format!("hardbop-replay-{worker}"))
}

/// Removes what a worker that was ended in the middle of its work may have left. Only for the worker's parent, which
/// knows that the number was its child's.
pub(crate) fn clean_up_after(worker: u32) {
    let folder = folder_of(worker);
    // A compiler that was killed with the worker may take a moment to end.
    for _ in 0..50 {
        if !folder.exists() || std::fs::remove_dir_all(&folder).is_ok() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A temporary folder, removed with its owner.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Makes the folder of this process.
    pub(crate) fn new() -> std::io::Result<Folder> {
        let path = folder_of(std::process::id());
        // Fails if there is something of that name: nothing that somebody else has put there is used.
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

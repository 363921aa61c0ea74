//! A check in a process of its own, which can be ended.

use crate::os;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A check at work.
pub(super) struct Running {
    /// Which one it is.
    pub number: u64,
    started: Instant,
    /// The process, until it has ended.
    process: Arc<Mutex<Process>>,
}

/// The state of the process.
enum Process {
    /// Not started yet.
    Waiting,
    /// The process has this number. As long as it has not been waited for, the number is its own.
    At(u32),
    /// Ended, or nobody wants to know any more.
    Over,
}

/// A check that has ended.
pub(super) struct Checked {
    /// The file.
    pub file: PathBuf,
    /// Which check it was.
    pub number: u64,
    /// The folder that relative names are meant from.
    pub folder: PathBuf,
    /// The answer (docs/formats.md), or why there is none.
    pub answer: Result<Value, String>,
}

/// Starts a check of `file`; `done` hears of its end, unless it was cancelled before it began.
pub(super) fn start(
    file: &Path,
    number: u64,
    arguments: &[String],
    folder: &Path,
    done: impl FnOnce(Checked) + Send + 'static,
) -> Running {
    let process = Arc::new(Mutex::new(Process::Waiting));
    let (shared, file, folder, arguments) =
        (Arc::clone(&process), file.to_path_buf(), folder.to_path_buf(), arguments.to_vec());
    std::thread::spawn(move || {
        let answer = run(&file, &arguments, &folder, &shared);
        done(Checked { file, number, folder, answer });
    });
    Running { number, started: Instant::now(), process }
}

fn run(file: &Path, arguments: &[String], folder: &Path, process: &Mutex<Process>) -> Result<Value, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(program);
    command.arg("check").args(arguments).args(["--format", "json", "--details"]).arg("--").arg(file);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    os::without_limit(&mut command);
    let mut child = {
        let mut state = process.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, Process::Over) {
            return Err("cancelled".to_string());
        }
        let child = command.spawn().map_err(|e| format!("cannot start hardbop: {e}"))?;
        *state = Process::At(child.id());
        child
    };
    let mut stderr = child.stderr.take().expect("stderr is piped");
    let said = std::thread::spawn(move || {
        let mut said = Vec::new();
        let _ = stderr.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    });
    let mut out = Vec::new();
    let read = child.stdout.take().expect("stdout is piped").read_to_end(&mut out);
    *process.lock().unwrap_or_else(PoisonError::into_inner) = Process::Over;
    let _ = child.wait();
    read.map_err(|e| e.to_string())?;
    let said = said.join().unwrap_or_default();
    serde_json::from_slice(&out).map_err(|_| {
        let first = said.lines().find(|l| !l.trim().is_empty());
        first.unwrap_or("hardbop ended without an answer").to_string()
    })
}

impl Running {
    /// The name of the check's progress.
    pub(super) fn token(&self) -> String {
        format!("hardbop-{}", self.number)
    }

    /// How long it has been going on.
    pub(super) fn seconds(&self) -> u64 {
        self.started.elapsed().as_secs()
    }

    /// Ends it: the process gets the signal on which it ends its own worker.
    pub(super) fn cancel(&self) {
        let mut state = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        if let Process::At(pid) = *state {
            os::request_end(pid);
        }
        *state = Process::Over;
    }
}

//! `cargo xtask containment` and `cargo xtask probes`: oracles that need no expected answer, over real programs.
//!
//! hardbop lowers each task (`check --dump ir`); what may take long or much memory happens in a child of this very program,
//! which has a limit for both ([`mod@child`]). A child that is ended because of its time has still looked at what it reported.

mod child;
mod containment;
mod probes;

pub(crate) use child::{ChildArgs, child};
pub(crate) use containment::containment;
pub(crate) use probes::{ProbeArgs, probes};

use crate::corpus::{self, Task, collect};
use anyhow::{Context, bail};
use ir::Program;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What both commands are given.
#[derive(clap::Args)]
pub(crate) struct OracleArgs {
    /// Folders with task definitions (.yml), or task sets (.set).
    #[arg(required = true, value_name = "DIR|SET")]
    from: Vec<PathBuf>,
    /// Time for one program, in seconds.
    #[arg(long, default_value_t = 10, value_name = "S")]
    timeout: u64,
    /// Number of programs at a time; the default is the number of cores.
    #[arg(short, value_name = "N")]
    jobs: Option<usize>,
    /// Seed of the random inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Use this binary to lower and build none.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// Tasks, and a folder for what is made of them, which is removed with its owner.
struct Bench {
    tasks: Vec<Task>,
    binary: PathBuf,
    timeout: Duration,
    jobs: usize,
    scratch: PathBuf,
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.scratch);
    }
}

impl Bench {
    fn new(args: &OracleArgs, root: &Path) -> anyhow::Result<Bench> {
        let tasks = collect(&args.from)?.tasks;
        if tasks.is_empty() {
            bail!("no task found");
        }
        let binary = match &args.binary {
            Some(binary) => std::path::absolute(binary)?,
            None => corpus::build(root)?,
        };
        let scratch = std::env::temp_dir().join(format!("hardbop-oracles-{}", std::process::id()));
        std::fs::create_dir_all(&scratch).with_context(|| format!("cannot create {}", scratch.display()))?;
        let timeout = Duration::from_secs(args.timeout);
        Ok(Bench { tasks, binary, timeout, jobs: corpus::jobs(args.jobs), scratch })
    }

    /// The program of a task, or why there is none.
    fn lower(&self, index: usize) -> Result<Program, String> {
        let out = self.scratch.join(index.to_string());
        let mut command = Command::new(&self.binary);
        corpus::program_arguments(&mut command, "check", &self.tasks[index], None);
        command.args(["--engine", "concrete", "--timeout", "1s", "--dump", "ir", "--out"]).arg(&out);
        corpus::run_with_limit(&mut command, Duration::from_secs(20)).map_err(|e| e.to_string())?;
        let entries = std::fs::read_dir(&out).map_err(|_| "it does not lower")?;
        let file = entries.filter_map(|e| Some(e.ok()?.path())).find(|p| p.extension().is_some_and(|e| e == "ir"));
        let program = read(&file.ok_or("it does not lower")?);
        let _ = std::fs::remove_dir_all(&out);
        program
    }

    /// Runs the oracle on every task, several at a time; the results are in the order of the tasks.
    fn each<T: Send>(&self, request: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let results: Vec<Mutex<Option<T>>> = self.tasks.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(slot) = results.get(index) else { return };
                        *slot.lock().expect("no thread panics while it holds the lock") = Some(request(index));
                    }
                });
            }
        });
        let taken = results.into_iter().map(|r| r.into_inner().expect("all threads have ended"));
        taken.map(|r| r.expect("every task was asked")).collect()
    }
}

/// Reads a program in its text form.
fn read(path: &Path) -> Result<Program, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut sources = base::SourceMap::new();
    let file = sources.add(path.display().to_string(), text.as_str());
    let program = ir::text::parse(file, &text).map_err(|d| format!("{}: {}", path.display(), d.message))?;
    ir::validate::validate(&program).map_err(|v| format!("{}: {}", path.display(), v[0]))?;
    Ok(program)
}

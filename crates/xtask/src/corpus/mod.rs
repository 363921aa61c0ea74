//! `cargo xtask corpus`: `hardbop check` on tasks with known answers, one process per task, counted per set. Wrong
//! answers come first and fail the run.

mod compare;
mod record;
mod reproof;
mod run;
mod table;
pub(crate) mod tasks;
mod yaml;

use anyhow::{Context, bail};
pub(crate) use record::{Run, TaskResult};
pub(crate) use run::{program_arguments, run_with_limit};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
pub(crate) use tasks::{Corpus, Task, collect};

/// The arguments of `cargo xtask corpus`.
#[derive(clap::Args)]
pub(crate) struct CorpusArgs {
    /// Folders with task definitions (.yml), or task sets (.set). A folder that contains sets is counted by them.
    #[arg(required = true, value_name = "DIR|SET")]
    from: Vec<PathBuf>,
    #[command(flatten)]
    how: How,
}

/// How tasks are run, and what becomes of the results.
#[derive(clap::Args)]
pub(crate) struct How {
    /// Time limit per task, in seconds; the default is 60 for tasks and 30 for benchmarks.
    #[arg(long, value_name = "S")]
    timeout: Option<u64>,
    /// Limit on the processor time of a task, in seconds: the same on a busy machine as on an idle one. Without --timeout the
    /// clock then allows ten times as much.
    #[arg(long, value_name = "S")]
    cpu: Option<u64>,
    /// Memory limit per task.
    #[arg(long, default_value = "4G", value_name = "SIZE")]
    memory: String,
    /// Number of tasks at a time; the default is the number of cores.
    #[arg(short, value_name = "N")]
    jobs: Option<usize>,
    /// Use only these engines.
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// Write the results to this file, in JSON.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Compare with the results in this file.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Check every proof again, in a new process.
    #[arg(long)]
    recertify: bool,
    /// Replace invariants at loop heads by `true`, and count the proofs that need them.
    #[arg(long)]
    weaken: bool,
    /// Use this binary and build none.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Print a line for each task.
    #[arg(long)]
    each: bool,
}

/// Runs the tasks; exit code 10 after a wrong answer or a proof that is not accepted again, 6 after a crash or a runner's problem, 0 otherwise.
pub(crate) fn corpus(args: &CorpusArgs, root: &Path) -> anyhow::Result<ExitCode> {
    measure(|| collect(&args.from), &args.how, 60, root)
}

/// Runs the tasks that `collect` finds, which is asked only when the arguments are known to be right; exit codes as above.
pub(crate) fn measure(
    collect: impl FnOnce() -> anyhow::Result<Corpus>,
    args: &How,
    usual_timeout: u64,
    root: &Path,
) -> anyhow::Result<ExitCode> {
    // What can be wrong with the arguments is found before hours of work.
    let old = args.compare.as_deref().map(Run::read).transpose()?;
    let out =
        args.out.as_deref().map(|p| std::fs::File::create(p).with_context(|| format!("cannot write {}", p.display())));
    let out = out.transpose()?;
    let corpus = collect()?;
    if corpus.tasks.is_empty() {
        bail!("no task found");
    }
    let binary = match &args.binary {
        Some(binary) => std::path::absolute(binary)?,
        None => build(root)?,
    };
    let usual = || args.cpu.map_or(usual_timeout, |cpu| cpu.saturating_mul(10).max(usual_timeout));
    let timeout_s = args.timeout.unwrap_or_else(usual);
    let options = run::Options {
        binary,
        timeout: std::time::Duration::from_secs(timeout_s),
        cpu: args.cpu.map(std::time::Duration::from_secs),
        memory: args.memory.clone(),
        engine: args.engine.clone(),
        jobs: jobs(args.jobs),
        proofs: reproof::Queries { recertify: args.recertify, weaken: args.weaken },
    };
    let results = run::run_all(&corpus.tasks, &options)?;
    let names = |set: &tasks::Set| set.tasks.iter().map(|&i| results[i].task.clone()).collect();
    let sets = corpus.sets.iter().map(|set| (set.name.clone(), names(set))).collect();
    let (memory, engine) = (args.memory.clone(), args.engine.clone());
    let run = Run { date: crate::results::today(), timeout_s, cpu_limit_s: args.cpu, memory, engine, sets, results };
    if let Some(out) = out {
        serde_json::to_writer_pretty(out, &run).context("cannot write the results")?;
    }
    if args.each {
        print!("{}", table::each(&run.results));
    }
    print!("{}", table::render(&corpus.sets, &run));
    print!("{}", table::proofs(&run.results));
    if let Some(old) = old {
        print!("{}", compare::render(&old, &run));
    }
    let refused = |r: &record::TaskResult| r.proof.is_some_and(|p| !p.accepted);
    Ok(ExitCode::from(if run.results.iter().any(|r| r.is_wrong() || refused(r)) {
        10
    } else if run.results.iter().any(record::TaskResult::is_broken) {
        6
    } else {
        0
    }))
}

/// The number of threads: what was asked for, or one per core.
pub(crate) fn jobs(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}

/// Builds the command in the profile of this very program and returns its path.
pub(crate) fn build(root: &Path) -> anyhow::Result<PathBuf> {
    let folder = std::env::current_exe()?.parent().context("a program lies in a folder")?.to_path_buf();
    let mut command = Command::new("cargo");
    command.args(["build", "--quiet", "--package", "cli"]).current_dir(root);
    if folder.ends_with("release") {
        command.arg("--release");
    }
    if !command.status().context("cannot start cargo")?.success() {
        bail!("hardbop does not build");
    }
    Ok(folder.join("hardbop"))
}

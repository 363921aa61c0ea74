//! The child process: one oracle on one program in its text form. It prints a line after each piece of work; the last one
//! counts.

use super::{Bench, read};
use crate::corpus;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use testkit::containment::{Budget, contained};
use verify::{Engine, Settings, Silent, Verdict};

/// What the child is asked.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Question {
    /// Do runs lie in the invariants of every round?
    Containment,
    /// The verdict of the abstraction engine.
    Verdict,
}

/// The arguments of the child.
#[derive(clap::Args)]
pub(crate) struct ChildArgs {
    question: Question,
    /// The program, in its text form.
    program: PathBuf,
    /// Seed of the random inputs.
    seed: u64,
}

/// Address space of a child, in KiB.
const MEMORY: u64 = 4 << 20;

/// The line that says that an oracle has failed begins so.
pub(super) const FAILED: &str = "FAILED ";

/// Does the child's work. The answer is its output, so it always succeeds.
pub(crate) fn child(args: &ChildArgs) -> ExitCode {
    // Interned terms and parsers nest deeply.
    let work = || -> Result<(), String> {
        let program = read(&args.program)?;
        match args.question {
            Question::Containment => {
                let budget = Budget { runs: 4, steps: 2_000, iterations: 30, ..Budget::default() };
                for invgen in [true, false] {
                    let budget = Budget { invgen, ..budget.clone() };
                    contained(&program, Vec::new(), args.seed, &budget, &mut |stats| {
                        println!("{}", serde_json::to_string(&stats.counts()).unwrap_or_default());
                    })?;
                }
            }
            Question::Verdict => {
                let settings = Settings { engines: vec![Engine::Abstraction], ..Settings::default() };
                match verify::verify(&analysis::Analysis::new(&program), &settings, &mut Silent).verdict {
                    Verdict::Safe(_) => println!("SAFE"),
                    Verdict::Unsafe(_) => println!("UNSAFE"),
                    Verdict::Unknown(why) => println!("UNKNOWN {}", why.cause),
                }
            }
        }
        Ok(())
    };
    let done = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 30).spawn_scoped(scope, work);
        thread.map_err(|e| e.to_string())?.join().unwrap_or_else(|_| Err("the child panicked".into()))
    });
    if let Err(why) = done {
        println!("{FAILED}{}", serde_json::to_string(&why).unwrap_or(why));
    }
    ExitCode::SUCCESS
}

/// The lines that a child prints about a program before its time is over.
pub(super) fn request(bench: &Bench, question: &str, program: &Path, seed: u64) -> Result<Vec<String>, String> {
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")).arg(this);
    command.args(["oracle-child", question]).arg(program).arg(seed.to_string());
    let ended = corpus::run_with_limit(&mut command, bench.timeout).map_err(|e| e.to_string())?;
    Ok(ended.out.lines().map(str::to_string).collect())
}

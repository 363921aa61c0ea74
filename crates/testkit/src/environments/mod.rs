//! The oracle "environments": verdicts about programs with undefined functions and objects against runs in which random code
//! plays the outside. It does whatever the mode allows: it writes through every pointer that it can reach or has kept, stores
//! and returns such pointers, changes the objects that live outside, calls functions that it was told of, hands in functions of its own that are called through pointers, and calls an entry other than `main` with the worst
//! arguments. Runs that a sanitizer ends do not count. A SAFE verdict must not be refuted.

mod harness;
mod program;

pub use program::{Entry, Program, program, tree_program};

use crate::agreement::settings;
use crate::compile::compile;
use crate::gcc::{Build, Gcc};
use crate::statistics::Statistics;
use analysis::Analysis;
use ir::DataModel;
use lower::{Callbacks, Globals, Params};
use verify::{Engine, Silent, Verdict};

/// How often each program is run, every time in another environment.
pub const RUNS: u64 = 20;

/// The text of a program on its own.
pub fn alone(program: &Program) -> String {
    format!("{}{}", program::HEAD, program.body).replace('@', "")
}

/// What the tool is told about a program.
pub fn options(program: &Program) -> lower::Options {
    let (entry, params, globals) = match program.entry {
        Entry::Main => ("main", Params::Any, Globals::Initial),
        Entry::Function(params) => ("f", params, Globals::Arbitrary),
    };
    let (externs, callbacks) = (program.externs, program.callbacks);
    lower::Options { entry: entry.to_owned(), externs, callbacks, params, globals, ..Default::default() }
}

/// Judges the programs of the seeds `first .. first + count`.
pub fn environments(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    judge(gcc, model, first, &(first..first + count).map(program).collect::<Vec<_>>())
}

/// The same for programs whose entry finds a tree of objects (`--params tree`). The environment makes one: each pointer that it puts into a
/// parameter, behind one or into a global is null or leads to an object of its own. Lists have one element behind their head, which no
/// reading of them takes for longer than what is promised. With `--externs any` it keeps pointers to all of them.
pub fn trees(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    judge(gcc, model, first, &(first..first + count).map(tree_program).collect::<Vec<_>>())
}

fn judge(gcc: &Gcc, model: DataModel, first: u64, programs: &[Program]) -> Result<Statistics, String> {
    let seen = gcc.rows(&harness::text(programs, RUNS), model, Build::Sanitized).map_err(|e| e.to_string())?;
    if seen.len() != programs.len() {
        return Err(format!("the environments ran {} of {} programs", seen.len(), programs.len()));
    }
    let mut stats = Statistics::new();
    let engines = [Engine::Concrete, Engine::Bounded, Engine::Abstraction];
    for (k, (program, row)) in programs.iter().zip(&seen).enumerate() {
        let [_, errors, discarded] = row[..] else { return Err(format!("{row:?} is no result")) };
        let text = alone(program);
        let lowered = compile("program.c", &text, model, &options(program))?.program;
        let seed = first + k as u64;
        stats.add("programs", 1);
        stats.add("runs", RUNS);
        stats.add("runs with an error", errors);
        let told = text.contains("  give(") || text.contains("  hook =");
        stats.add("programs with call-backs", u64::from(told && program.callbacks != Callbacks::None));
        let foreign = lowered.functions.iter().any(ir::calls::is_foreign);
        stats.add("programs that call functions of the outside through pointers", u64::from(foreign));
        stats.add("discarded runs", discarded);
        let verdict = verify::verify(&Analysis::new(&lowered), &settings(&engines), &mut Silent).verdict;
        let name = match &verdict {
            Verdict::Safe(_) => "SAFE",
            Verdict::Unsafe(_) => "UNSAFE",
            Verdict::Unknown(_) => "UNKNOWN",
        };
        stats.add(name, 1);
        match verdict {
            Verdict::Safe(_) if errors > 0 => {
                let about = format!("{:?} {:?} {:?}", program.externs, program.entry, program.callbacks);
                return Err(format!("seed {seed}: SAFE, but {errors} environments break it ({about})\n{text}"));
            }
            Verdict::Unsafe(_) if errors > 0 => stats.add("UNSAFE and broken", 1),
            Verdict::Unknown(why) => {
                stats.add(if errors > 0 { "UNKNOWN and broken" } else { "UNKNOWN and not broken" }, 1);
                let cause: String = why.cause.chars().filter(|c| !c.is_ascii_digit()).take(50).collect();
                stats.add(format!("UNKNOWN because: {cause}"), 1);
            }
            Verdict::Safe(_) | Verdict::Unsafe(_) => {}
        }
    }
    Ok(stats)
}

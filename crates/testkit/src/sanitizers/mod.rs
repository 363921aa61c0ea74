//! The oracle for guards: random C programs that run into undefined behaviour, or just not, compiled with gcc's sanitizers
//! and interpreted with every check on. Both must meet the same kind, by the one table in [`kinds`], in the same line; a
//! program that meets none ends alike.
//!
//! What goes wrong stands inside of an expression with other effects (increments, commas, choices, calls, compound
//! assignments): a guard that speaks of the state after one of them asks about another value than the one that is used.

mod arithmetic;
mod contexts;
pub mod kinds;
mod lifetimes;
mod memory;
mod programs;

use crate::compile::{Compiled, compile};
use crate::differential::Checksum;
use crate::gcc::{self, Gcc, Observed, file_of};
use crate::statistics::Statistics;
use analysis::Analysis;
use ir::interp::{self, At, End, Limits, ZeroInputs};
use ir::{DataModel, ErrorKind, Ub, UbPolicy};
use kinds::{Report, report};
use verify::{Engine, Silent, Verdict};

pub use programs::{Program, generate};

/// How a run ended here.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    /// With this value of `main` and of the checksum.
    Well(Option<u32>, Option<u128>),
    /// In this event, in this line.
    Badly(Ub, Option<u32>),
}

/// Compares the programs of the seeds `first .. first + count` in one data model, which gcc and its sanitizers must support.
pub fn sanitizers(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    let programs: Vec<Program> = (first..first + count).map(|seed| generate(seed, model)).collect();
    let sources: Vec<crate::cgen::Program> = programs.iter().map(|p| p.text.clone()).collect();
    let observed = gcc.sanitized(&sources).map_err(|e| e.to_string())?;
    let (mut stats, mut wrong) = (Statistics::new(), Vec::new());
    for (program, (index, seen)) in programs.iter().zip(&observed) {
        match compare(program, &file_of(*index), seen) {
            Ok(one) => stats.merge(&one),
            Err(e) => wrong.push((program, e)),
        }
    }
    match wrong.first() {
        None => Ok(stats),
        Some((program, _)) => {
            let all: Vec<String> = wrong.iter().map(|(p, e)| format!("seed {}: {e}", p.text.seed)).collect();
            Err(format!("in {model:?}: {}\n{}", all.join("\n"), numbered(&program.text.source)))
        }
    }
}

/// The same programs, asked of the engine that makes proofs: where a sanitizer reports a kind that is checked, there is none.
pub fn verdicts(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    let programs: Vec<Program> = (first..first + count).map(|seed| generate(seed, model)).collect();
    let sources: Vec<crate::cgen::Program> = programs.iter().map(|p| p.text.clone()).collect();
    let observed = gcc.sanitized(&sources).map_err(|e| e.to_string())?;
    let mut stats = Statistics::new();
    for (program, (index, seen)) in programs.iter().zip(&observed) {
        let Observed::Crashed(why) = seen else { continue };
        let Some(found) = report(why, &file_of(*index)) else { continue };
        let inside = found.line.is_some_and(|l| program.inner.contains(&l));
        if inside || !found.kinds.iter().any(|k| CHECKED.contains(k)) {
            continue;
        }
        let verdict = verdict_about(program).map_err(|e| format!("seed {}: {e}", program.text.seed))?;
        stats.add("programs with a defect", 1);
        stats.add(verdict, 1);
        if verdict == "SAFE" {
            let text = numbered(&program.text.source);
            return Err(format!("seed {} in {model:?}: SAFE, but {}\n{text}", program.text.seed, found.message));
        }
    }
    Ok(stats)
}

/// What `--check null,bounds,div,overflow,shift,free` makes a defect.
const CHECKED: [Ub; 8] = [
    Ub::NullDeref,
    Ub::OutOfBounds,
    Ub::DivByZero,
    Ub::DivOverflow,
    Ub::SignedOverflow,
    Ub::ShiftCount,
    Ub::UseAfterFree,
    Ub::BadFree,
];

fn verdict_about(program: &Program) -> Result<&'static str, String> {
    let compiled = lowered(program, &CHECKED)?;
    let mut settings = crate::agreement::settings(&[Engine::Abstraction]);
    // What needs many rounds over memory is left open.
    settings.abstraction.iterations = 6;
    settings.abstraction.predabs.conflicts = 150;
    settings.abstraction.predabs.queries = 50;
    Ok(match verify::verify(&Analysis::new(&compiled.program), &settings, &mut Silent).verdict {
        Verdict::Safe(_) => "SAFE",
        Verdict::Unsafe(_) => "UNSAFE",
        Verdict::Unknown(_) => "UNKNOWN",
    })
}

fn lowered(program: &Program, checked: &[Ub]) -> Result<Compiled, String> {
    let mut options = lower::Options::default();
    for &ub in checked {
        options.ub.set(ub, UbPolicy::Checked);
    }
    options.malloc_may_fail = false;
    let compiled = compile("random.c", &program.text.source, program.text.model, &options)?;
    match compiled.unsupported.first() {
        Some(why) => Err(format!("not supported: {why}")),
        None => Ok(compiled),
    }
}

/// Compares one program with what the sanitizers said.
fn compare(program: &Program, file: &str, seen: &Observed) -> Result<Statistics, String> {
    let ended = interpret(program)?;
    let mut stats = Statistics::new();
    stats.add("programs", 1);
    match (seen, &ended) {
        (Observed::Ended { checksum, end: gcc::End::Returned(code) }, Ended::Well(value, sum)) => {
            if *value != Some(*code as u32) || *sum != Some(u128::from(*checksum)) {
                return Err(format!("compiled: {seen:?}, interpreted: {ended:?}"));
            }
            stats.add("programs that end", 1);
        }
        (Observed::Crashed(why), ended) => {
            let found = report(why, file).ok_or_else(|| format!("no report, but {why}"))?;
            agree(program, &found, ended, &mut stats)?;
        }
        _ => return Err(format!("compiled: {seen:?}, interpreted: {ended:?}")),
    }
    Ok(stats)
}

/// Whether a report is what the interpreter found too.
fn agree(program: &Program, found: &Report, ended: &Ended, stats: &mut Statistics) -> Result<(), String> {
    let inner = found.line.is_some_and(|l| program.inner.contains(&l)) && found.kinds == [Ub::OutOfBounds];
    if inner && !matches!(ended, Ended::Badly(_, line) if *line == found.line) {
        stats.add("reports about the inside of an object", 1);
        return Ok(());
    }
    match ended {
        Ended::Badly(ub, line) if found.kinds.contains(ub) && (found.line.is_none() || *line == found.line) => {
            stats.add(format!("{} in both", ub.name()), 1);
            stats.add("events in both", 1);
            Ok(())
        }
        _ => Err(format!("the sanitizer says {}, line {:?}; interpreted: {ended:?}", found.message, found.line)),
    }
}

fn interpret(program: &Program) -> Result<Ended, String> {
    let all: Vec<Ub> = Ub::ALL.into_iter().filter(|ub| ub.has_guards()).collect();
    let compiled = lowered(program, &all)?;
    let lowered = &compiled.program;
    let global = lowered.global("checksum").ok_or("the program has no checksum")?;
    let mut watch = Checksum { global, value: None };
    let run = interp::run(lowered, &mut ZeroInputs, &Limits::default(), &mut watch);
    match run.end {
        End::Exited(code) => Ok(Ended::Well(code.map(|v| v.bits as u32), watch.value)),
        End::Error { kind: ErrorKind::Ub(ub), at: (f, e) } | End::Ub { ub, at: At::Edge(f, e), .. } => {
            let body = lowered.functions[f].body.as_ref().ok_or("an event in a function without a body")?;
            Ok(Ended::Badly(ub, Some(compiled.sources.locate(body.edges[e].span).line)))
        }
        other => Err(format!("the run ends badly: {}", certify::replay::describe(lowered, &other))),
    }
}

fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(i, l)| format!("{:3} {l}\n", i + 1)).collect()
}

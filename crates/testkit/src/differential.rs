//! The oracle for `cfront`, `lower` and the interpreter: random C programs, interpreted and compiled by gcc, end alike and
//! with the same checksum. The lowered program is also validated, and printed, parsed and printed again.

use ir::interp::{self, End, Kind, Limits, Observer, StateView, Step, ZeroInputs};
use ir::{DataModel, GlobalId, Var};

use crate::cgen::{Knobs, Program, generate};
use crate::compile::compile;
use crate::gcc::{self, Build, Gcc, Observed};
use crate::objects::Objects;
use crate::statistics::Statistics;

/// Compares the programs of the seeds `first .. first + count` in one data model, which gcc must support.
pub fn differential(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    let knobs = Knobs::checksum(model);
    let programs: Vec<Program> = (first..first + count).map(|seed| generate(seed, &knobs)).collect();
    differential_of(gcc, model, &programs)
}

/// The same for programs over memory ([`crate::objects`]).
pub fn objects(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Statistics, String> {
    let made: Vec<Objects> = (first..first + count).map(|seed| crate::objects::generate(seed, model)).collect();
    let programs: Vec<Program> = made.iter().map(|o| o.program.clone()).collect();
    let mut stats = differential_of(gcc, model, &programs)?;
    for construct in made.iter().flat_map(|o| &o.constructs) {
        stats.add(format!("with {construct}"), 1);
    }
    Ok(stats)
}

fn differential_of(gcc: &Gcc, model: DataModel, programs: &[Program]) -> Result<Statistics, String> {
    let count = programs.len() as u64;
    let compiled = gcc.checksums(programs, Build::O0).map_err(|e| e.to_string())?;
    let mut stats = Statistics::new();
    for (program, expected) in programs.iter().zip(&compiled) {
        let one = compare(program, expected);
        stats.merge(&one.map_err(|e| format!("seed {} in {model:?}: {e}\n{}", program.seed, program.source))?);
    }
    // Now and then a program meets a fault of gcc; if many do, something else is wrong.
    let crashed = stats.get("programs on which gcc crashes");
    if crashed * 50 > count.max(50) {
        return Err(format!("gcc crashes on {crashed} of {count} programs"));
    }
    Ok(stats)
}

/// Compares one program with what gcc's did.
pub fn compare(program: &Program, compiled: &Observed) -> Result<Statistics, String> {
    let (seen, steps) = interpret(program)?;
    if *compiled == Observed::CompilerCrashed {
        let mut stats = Statistics::new();
        stats.add("programs on which gcc crashes", 1);
        return Ok(stats);
    }
    if !agree(compiled, &seen) {
        return Err(format!("compiled: {compiled:?}, interpreted: {seen:?}"));
    }
    let mut stats = Statistics::new();
    stats.add("programs", 1);
    stats.add("steps", steps);
    let end = match seen.end {
        Ended::Returned(_) => "programs that return",
        Ended::Stopped => "programs that exit or abort",
    };
    stats.add(end, 1);
    for feature in &program.features {
        stats.add(format!("with {feature:?}"), 1);
    }
    Ok(stats)
}

/// What the interpreter saw.
#[derive(Debug)]
struct Seen {
    checksum: Option<u128>,
    end: Ended,
}

#[derive(Debug)]
enum Ended {
    /// `main` returned this value.
    Returned(Option<i32>),
    /// `exit` or `abort`; with what, the IR does not say.
    Stopped,
}

fn agree(compiled: &Observed, seen: &Seen) -> bool {
    let Observed::Ended { checksum, end } = compiled else { return false };
    let ends_agree = match (end, &seen.end) {
        (gcc::End::Returned(a), Ended::Returned(b)) => Some(*a) == *b,
        (gcc::End::Exited(_) | gcc::End::Aborted, Ended::Stopped) => true,
        _ => false,
    };
    ends_agree && seen.checksum == Some(u128::from(*checksum))
}

fn interpret(source: &Program) -> Result<(Seen, u64), String> {
    let compiled = compile("random.c", &source.source, source.model, &lower::Options::default())?;
    if let Some(why) = compiled.unsupported.first() {
        return Err(format!("not supported: {why}"));
    }
    let program = &compiled.program;
    let global = program.global("checksum").ok_or("the program has no checksum")?;
    let mut watch = Checksum { global, value: None };
    let limits = Limits { steps: 20_000_000, ..Limits::default() };
    let run = interp::run(program, &mut ZeroInputs, &limits, &mut watch);
    // Differences of pointers are numbers made of addresses, which are no input; bits of padding are drawn although no
    // program reads them.
    if run.tape.entries.iter().any(|e| e.kind != Kind::Padding) {
        return Err("a closed program took input".into());
    }
    let end = match run.end {
        End::Exited(code) => Ended::Returned(code.map(|v| v.bits as u32 as i32)),
        End::Halted { .. } => Ended::Stopped,
        other => return Err(format!("the run ends badly: {}", certify::replay::describe(program, &other))),
    };
    Ok((Seen { checksum: watch.value, end }, run.steps))
}

/// Remembers the checksum at the end of the run.
pub(crate) struct Checksum {
    pub(crate) global: GlobalId,
    pub(crate) value: Option<u128>,
}

impl Observer for Checksum {
    fn before(&mut self, state: &StateView<'_>, step: Step) {
        // The state before a step that ends the run is the last one seen.
        self.look(state, step);
    }

    fn after(&mut self, state: &StateView<'_>, step: Step) {
        self.look(state, step);
    }
}

impl Checksum {
    fn look(&mut self, state: &StateView<'_>, _: Step) {
        self.value = state.read(Var::Global(self.global)).map(|v| v.bits);
    }
}

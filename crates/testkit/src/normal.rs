//! The oracles in their normal budget: the seeds and counts that the tests use. The sabotage test uses the same, so
//! that "caught" means caught by what runs every day.

use std::sync::OnceLock;

use ir::DataModel;
use verify::Engine;

use crate::gcc::Gcc;
use crate::statistics::Statistics;
use crate::verdict::Judged;

/// `vc` against the interpreter.
pub fn steps() -> Result<Statistics, String> {
    crate::steps::steps(0, 400)
}

/// Front end and interpreter against gcc, in one data model. Where there is no compiler for it the statistics say why.
pub fn differential(model: DataModel) -> Result<Statistics, String> {
    match Gcc::find() {
        Ok(gcc) if gcc.supports(model) => {
            let first = if model == DataModel::Lp64 { 50_000 } else { 60_000 };
            crate::differential::differential(&gcc, model, first, 200)
        }
        Ok(_) => Ok(skipped(&format!("gcc makes no {model:?} binaries (install gcc-multilib)"))),
        Err(why) => Ok(skipped(&why)),
    }
}

/// The same on programs over memory.
pub fn objects(model: DataModel) -> Result<Statistics, String> {
    match Gcc::find() {
        Ok(gcc) if gcc.supports(model) => {
            let first = if model == DataModel::Lp64 { 70_000 } else { 80_000 };
            crate::differential::objects(&gcc, model, first, 150)
        }
        Ok(_) => Ok(skipped(&format!("gcc makes no {model:?} binaries (install gcc-multilib)"))),
        Err(why) => Ok(skipped(&why)),
    }
}

/// Verdicts about programs with undefined functions and objects against random code that plays the outside.
pub fn environments() -> Result<Statistics, String> {
    match Gcc::find() {
        Ok(gcc) => crate::environments::environments(&gcc, DataModel::Lp64, 1_000_000, 60),
        Err(why) => Ok(skipped(&why)),
    }
}

/// The same for entries that find a tree of objects.
pub fn trees() -> Result<Statistics, String> {
    match Gcc::find() {
        Ok(gcc) => crate::environments::trees(&gcc, DataModel::Lp64, 1_000_006, 6),
        Err(why) => Ok(skipped(&why)),
    }
}

/// Verdicts about programs with `setjmp` and `longjmp` against compiled runs.
pub fn jumps() -> Result<Statistics, String> {
    match Gcc::find() {
        Ok(gcc) => crate::jumps::jumps(&gcc, DataModel::Lp64, 1_000_000, 60),
        Err(why) => Ok(skipped(&why)),
    }
}

/// What is known of library functions against glibc: the kinds of calls that are decided fast, once each.
pub fn library() -> Result<Statistics, String> {
    let gcc = match Gcc::find() {
        Ok(gcc) => gcc,
        Err(why) => return Ok(skipped(&why)),
    };
    let mut stats = crate::library::library(&gcc, DataModel::Lp64, 0, 50)?;
    stats.merge(&crate::library::library(&gcc, DataModel::Lp64, 102, crate::library::KINDS - 102)?);
    Ok(stats)
}

/// The last kinds of these calls: functions on floats whose result is open for some numbers.
pub fn float_library() -> Result<Statistics, String> {
    let kinds = crate::library::KINDS;
    match Gcc::find() {
        Ok(gcc) => crate::library::library(&gcc, DataModel::Lp64, kinds - 9, 9),
        Err(why) => Ok(skipped(&why)),
    }
}

/// Addresses of literals, empty objects and weak symbols against gcc.
pub fn identity() -> Result<Statistics, String> {
    match Gcc::find() {
        Ok(gcc) => crate::identity::identity(&gcc, DataModel::Lp64, 0, 60),
        Err(why) => Ok(skipped(&why)),
    }
}

/// Patterns of what is not a number against gcc.
pub fn patterns() -> Result<Statistics, String> {
    match Gcc::find() {
        Ok(gcc) => crate::patterns::patterns(&gcc, DataModel::Lp64, 0, 60),
        Err(why) => Ok(skipped(&why)),
    }
}

/// Rounding modes against gcc.
pub fn modes() -> Result<Statistics, String> {
    match Gcc::find() {
        Ok(gcc) => crate::modes::modes(&gcc, DataModel::Lp64, 0, 100),
        Err(why) => Ok(skipped(&why)),
    }
}

/// Initialisers and layouts against gcc.
pub fn initialisers(model: DataModel) -> Result<Statistics, String> {
    match Gcc::find() {
        Ok(gcc) if gcc.supports(model) => {
            let first = if model == DataModel::Lp64 { 10_000 } else { 20_000 };
            crate::initialisers::initialisers(&gcc, model, first, 200)
        }
        Ok(_) => Ok(skipped(&format!("gcc makes no {model:?} binaries (install gcc-multilib)"))),
        Err(why) => Ok(skipped(&why)),
    }
}

/// Guards against gcc's sanitizers, in one data model.
pub fn sanitizers(model: DataModel) -> Result<Statistics, String> {
    let first = if model == DataModel::Lp64 { 110_000 } else { 120_000 };
    with_sanitizers(model, |gcc| crate::sanitizers::sanitizers(gcc, model, first, 200))
}

/// No proof for programs on which a sanitizer reports a kind that is checked.
pub fn sanitized_verdicts(model: DataModel) -> Result<Statistics, String> {
    with_sanitizers(model, |gcc| crate::sanitizers::verdicts(gcc, model, 130_000, 30))
}

fn with_sanitizers(
    model: DataModel,
    work: impl FnOnce(&Gcc) -> Result<Statistics, String>,
) -> Result<Statistics, String> {
    match Gcc::find() {
        Ok(gcc) => match gcc.lacks_sanitizers(model) {
            None => work(&gcc),
            Some(why) => Ok(skipped(&why)),
        },
        Err(why) => Ok(skipped(&why)),
    }
}

/// The proof checker against false proofs.
pub fn false_proofs() -> Result<Statistics, String> {
    crate::proofs::false_proofs(0, 200)
}

/// Replay against changed counterexamples.
pub fn replays() -> Result<Statistics, String> {
    crate::replays::replays(0, 600)
}

/// What runs do, against the invariants of every round.
pub fn containment() -> Result<Statistics, String> {
    crate::containment::containment(0, 100)
}

/// The same on programs over memory, with predicates about it.
pub fn memory_containment() -> Result<Statistics, String> {
    crate::containment::memory_containment(0, 40)
}

/// Verdicts of the abstraction engine against runs of the compiled program on all inputs.
pub fn verdicts() -> Result<Statistics, String> {
    match Gcc::find() {
        Ok(gcc) => crate::agreement::agreement(&gcc, DataModel::Lp64, &[Engine::Abstraction], 0, 100),
        Err(why) => Ok(skipped(&why)),
    }
}

/// The same on programs over memory. The programs are made once, whatever fault is switched on: making them costs more
/// than asking about them.
pub fn memory_verdicts() -> Result<Statistics, String> {
    static PROGRAMS: OnceLock<Result<Vec<Judged>, String>> = OnceLock::new();
    let gcc = match Gcc::find() {
        Ok(gcc) => gcc,
        Err(why) => return Ok(skipped(&why)),
    };
    let make = || {
        let mut all = crate::agreement::memory_programs(&gcc, DataModel::Lp64, 0, 140)?;
        if gcc.supports(DataModel::Ilp32) {
            all.extend(crate::agreement::memory_programs(&gcc, DataModel::Ilp32, 500, 60)?);
        }
        Ok(all)
    };
    // A thread of its own has no fault switched on.
    let without_faults = || std::thread::scope(|s| s.spawn(make).join().unwrap_or_else(|_| Err("a panic".to_owned())));
    let programs = PROGRAMS.get_or_init(without_faults);
    crate::agreement::agree_on_memory(programs.as_ref().map_err(Clone::clone)?, &[Engine::Abstraction])
}

/// The engines on programs that hang on one rule of arithmetic.
pub fn precision() -> Result<Statistics, String> {
    crate::precision::precision(Gcc::find().ok().as_ref())
}

/// Begins the name under which statistics count what was not tried.
pub const SKIPPED: &str = "SKIPPED: ";

fn skipped(why: &str) -> Statistics {
    let mut stats = Statistics::new();
    stats.add(format!("{SKIPPED}{why}"), 1);
    stats
}

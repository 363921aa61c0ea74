//! The oracle for whole verdicts: random C programs with few bits of input, run by the compiler's code on all inputs, must
//! get the verdict that those runs show. An UNKNOWN agrees with everything; how many there are is counted. But an engine that
//! found a proof which the checker refutes, or a path which the interpreter does not take, has made a mistake, and that
//! fails like a wrong verdict.

use analysis::Analysis;
use ir::DataModel;
use predabs::direct::Granularity;
use verify::{Engine, Settings, Silent, Verdict};

use crate::cgen::{Draft, Knobs};
use crate::compile::compile;
use crate::gcc::Gcc;
use crate::statistics::Statistics;
use crate::verdict::{Judged, Truth, judge, judged};
use crate::{numbers, pointers};

/// Causes of an UNKNOWN that only a mistake of an engine can have.
const MISTAKES: [&str; 2] = [REFUSED, "its replay fails"];

/// The cause when a proof was found that the checker refuses.
pub const REFUSED: &str = "the proof found was not accepted";

/// Whether an UNKNOWN with this cause is a mistake of an engine.
fn is_mistake(cause: &str) -> bool {
    MISTAKES.iter().any(|m| cause.contains(m))
}

/// Small programs that are not decided soon are not decided at all.
pub fn settings(engines: &[Engine]) -> Settings {
    let mut settings = Settings { engines: engines.to_vec(), ..Settings::default() };
    settings.abstraction.iterations = 20;
    settings.abstraction.predicates = 35;
    settings.abstraction.predabs.conflicts = 500;
    settings.abstraction.predabs.queries = 200;
    settings.abstraction.path_conflicts = 20_000;
    settings.abstraction.step_conflicts = 5_000;
    settings.abstraction.certify.conflicts = 100_000;
    settings.induction.blocks.edges = 5_000;
    settings.induction.blocks.rounds = 8;
    settings.induction.queries = 1_500;
    settings.induction.conflicts = 500;
    settings.induction.all_conflicts = 20_000;
    settings.induction.certify.conflicts = 100_000;
    settings.concrete.guided_steps = 200_000;
    settings.concrete.random_steps = 20_000_000;
    settings.bounded.edges = 50_000;
    settings.bounded.conflicts = 50_000;
    settings.bounded.variables = 3_000_000;
    settings.bounded.rounds = 64;
    settings.bounded.depth = 64;
    settings
}

/// Asks `engines` about the programs of the seeds `first .. first + count` in one data model, which gcc must support.
pub fn agreement(
    gcc: &Gcc,
    model: DataModel,
    engines: &[Engine],
    first: u64,
    count: u64,
) -> Result<Statistics, String> {
    let judged = judged(gcc, first, count as usize, &Knobs::verdict(model)).map_err(|e| e.to_string())?;
    let mut stats = Statistics::new();
    for j in &judged {
        agrees(j, &settings(engines), &mut stats)?;
    }
    Ok(stats)
}

/// The same for the abstraction over blocks of this size, without invariants from elsewhere.
pub fn in_blocks(gcc: &Gcc, model: DataModel, size: Granularity, first: u64, count: u64) -> Result<Statistics, String> {
    let judged = judged(gcc, first, count as usize, &Knobs::verdict(model)).map_err(|e| e.to_string())?;
    let mut settings = settings(&[Engine::Abstraction]);
    settings.abstraction.block = size;
    settings.abstraction.invgen = None;
    let mut stats = Statistics::new();
    for j in &judged {
        agrees(j, &settings, &mut stats)?;
    }
    Ok(stats)
}

/// The same for programs over memory ([`crate::pointers`]), compiled with sanitizers.
pub fn memory(gcc: &Gcc, model: DataModel, engines: &[Engine], first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = agree_on_memory(&memory_programs(gcc, model, first, count)?, engines)?;
    for construct in (first..first + count).flat_map(|seed| pointers::draft(seed, model).constructs) {
        stats.add(format!("with {construct}"), 1);
    }
    Ok(stats)
}

/// The same for programs over floating-point numbers ([`crate::numbers`]).
pub fn floats(gcc: &Gcc, model: DataModel, engines: &[Engine], first: u64, count: u64) -> Result<Statistics, String> {
    let drafts: Vec<Draft> = (first..first + count).map(|seed| numbers::draft(seed, model)).collect();
    let judged = judge(gcc, &drafts, false).map_err(|e| e.to_string())?;
    let mut settings = settings(engines);
    settings.abstraction.iterations = 8;
    let mut stats = Statistics::new();
    for j in &judged {
        agrees(j, &settings, &mut stats)?;
    }
    Ok(stats)
}

/// Random programs over memory with their verdicts.
pub fn memory_programs(gcc: &Gcc, model: DataModel, first: u64, count: u64) -> Result<Vec<Judged>, String> {
    let drafts: Vec<Draft> = (first..first + count).map(|seed| pointers::draft(seed, model).draft).collect();
    judge(gcc, &drafts, true).map_err(|e| e.to_string())
}

/// Asks `engines` about programs over memory. Counts also in how many of them two pointers that are used together were
/// equal, and in how many they were not.
pub fn agree_on_memory(programs: &[Judged], engines: &[Engine]) -> Result<Statistics, String> {
    let mut settings = settings(engines);
    // What needs the invariant of a list is not decided anyway, and costs more with each round.
    settings.abstraction.iterations = 6;
    // A few programs ask questions of hundreds of thousands of bits, and many of them: they are left open.
    settings.abstraction.predabs.conflicts = 150;
    settings.abstraction.predabs.queries = 50;
    settings.abstraction.predabs.work = 3_000_000;
    let mut stats = Statistics::new();
    for judged in programs {
        agrees(judged, &settings, &mut stats)?;
        stats.add("with discarded runs", u64::from(judged.discarded > 0));
        stats.add("with aliasing", u64::from(judged.together > 0));
        stats.add("without aliasing", u64::from(judged.distinct > 0));
        stats.add("with both", u64::from(judged.together > 0 && judged.distinct > 0));
    }
    Ok(stats)
}

/// Asks about one program.
fn agrees(judged: &Judged, settings: &Settings, stats: &mut Statistics) -> Result<(), String> {
    let program = &judged.program;
    let text = program.plain();
    let fail = |what: String| format!("seed {} in {:?}: {what}\n{text}", program.seed, program.model);
    let compiled = compile("program.c", &text, program.model, &lower::Options::default()).map_err(fail)?;
    let answer = verify::verify(&Analysis::new(&compiled.program), settings, &mut Silent);
    stats.add("programs", 1);
    stats.add("decided", u64::from(!matches!(answer.verdict, Verdict::Unknown(_))));
    match (&answer.verdict, &judged.truth) {
        (Verdict::Safe(_), Truth::Safe) => stats.add("SAFE", 1),
        (Verdict::Unsafe(_), Truth::Unsafe(_)) => stats.add("UNSAFE", 1),
        (Verdict::Unknown(why), _) if is_mistake(&why.cause) => {
            return Err(fail(why.cause.clone()));
        }
        (Verdict::Unknown(why), truth) => {
            stats.add("UNKNOWN", 1);
            stats.add(if *truth == Truth::Safe { "UNKNOWN of safe ones" } else { "UNKNOWN of unsafe ones" }, 1);
            let cause: String = why.cause.chars().filter(|c| !c.is_ascii_digit()).take(60).collect();
            stats.add(format!("UNKNOWN because: {cause}"), 1);
        }
        (Verdict::Safe(_), Truth::Unsafe(input)) => return Err(fail(format!("SAFE, but unsafe on {input:?}"))),
        (Verdict::Unsafe(_), Truth::Safe) => return Err(fail("UNSAFE, but safe on all inputs".into())),
    }
    Ok(())
}

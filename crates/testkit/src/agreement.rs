//! The oracle for whole verdicts: random C programs with few bits of input, run by the compiler's code on all inputs, must
//! get the verdict that those runs show. An UNKNOWN agrees with everything; how many there are is counted. But an engine that
//! found a proof which the checker refutes, or a path which the interpreter does not take, has made a mistake, and that
//! fails like a wrong verdict.

use ir::DataModel;
use verify::{Engine, Settings, Silent, Verdict};

use crate::cgen::Knobs;
use crate::compile::compile;
use crate::gcc::Gcc;
use crate::statistics::Statistics;
use crate::verdict::{Truth, judged};

/// Causes of an UNKNOWN that only a mistake of an engine can have.
const MISTAKES: [&str; 2] = ["the proof found was not accepted", "its replay fails"];

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
    let knobs = Knobs::verdict(model);
    let settings = settings(engines);
    let mut stats = Statistics::new();
    for judged in judged(gcc, first, count as usize, &knobs).map_err(|e| e.to_string())? {
        let program = &judged.program;
        let fail = |what: String| format!("seed {} in {model:?}: {what}\n{}", program.seed, program.source);
        let compiled = compile("program.c", &program.source, model, &lower::Options::default()).map_err(fail)?;
        let answer = verify::verify(&compiled.program, &settings, &mut Silent);
        stats.add("programs", 1);
        stats.add("decided", u64::from(!matches!(answer.verdict, Verdict::Unknown(_))));
        match (&answer.verdict, &judged.truth) {
            (Verdict::Safe(_), Truth::Safe) => stats.add("SAFE", 1),
            (Verdict::Unsafe(_), Truth::Unsafe(_)) => stats.add("UNSAFE", 1),
            (Verdict::Unknown(why), _) if MISTAKES.iter().any(|m| why.cause.contains(m)) => {
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
    }
    Ok(stats)
}

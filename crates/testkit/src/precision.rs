//! The programs whose verdict hangs on one rule of C's arithmetic, decided by the engines: the closed safe ones by their
//! run, the open unsafe ones by bounded search, whose inputs must break the compiled program as well.

use analysis::Analysis;
use ir::DataModel;
use ir::interp::{Data, Input, Kind, Tape};
use verify::{Engine, Settings, Silent, Verdict, verify};

use crate::compile::compile;
use crate::fixtures::{self, Expect, Fixture};
use crate::gcc::{Gcc, TapeEnd};
use crate::statistics::Statistics;

/// Decides every program in each of its data models. Without a compiler, or one for the data model, the inputs are not
/// tried there; the statistics count them as skipped.
pub fn precision(gcc: Option<&Gcc>) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    for f in fixtures::precision() {
        for &model in &f.models {
            one(gcc, &f, model, &mut stats).map_err(|e| format!("{} in {model:?}: {e}", f.name))?;
        }
    }
    Ok(stats)
}

fn one(gcc: Option<&Gcc>, f: &Fixture, model: DataModel, stats: &mut Statistics) -> Result<(), String> {
    let compiled = compile(&f.name, &f.source, model, &lower::Options::default())?;
    let engine = match f.expect {
        Expect::Safe => Engine::Concrete,
        Expect::Unsafe { .. } => Engine::Bounded,
    };
    let settings = Settings { engines: vec![engine], ..Settings::default() };
    let answer = verify(&Analysis::new(&compiled.program), &settings, &mut Silent);
    match (&f.expect, answer.verdict) {
        (Expect::Safe, Verdict::Safe(_)) => stats.add("safe programs", 1),
        (Expect::Unsafe { .. }, Verdict::Unsafe(cex)) => {
            stats.add("unsafe programs", 1);
            let inputs = inputs(&cex.get().tape)?;
            match gcc.filter(|g| g.supports(model)) {
                None => stats.add("SKIPPED: inputs not tried in a compiled program", 1),
                Some(gcc) => {
                    let ends = gcc.run_on_tapes(&f.source, model, std::slice::from_ref(&inputs));
                    if ends.map_err(|e| e.to_string())? != [TapeEnd::Error] {
                        return Err(format!("the inputs {inputs:?} do not break the compiled program"));
                    }
                    stats.add("inputs that break the compiled program", 1);
                }
            }
        }
        (expected, verdict) => return Err(format!("expected {expected:?}, the answer is {verdict:?}")),
    }
    Ok(())
}

/// The inputs of a tape, in order.
fn inputs(tape: &Tape) -> Result<Vec<u64>, String> {
    let input = |e: &ir::interp::Entry| match (e.kind, &e.data) {
        (Kind::Nondet, Data::Value(_, Input::Bits(bits))) => Ok(*bits as u64),
        other => Err(format!("an entry that a compiled program cannot be given: {other:?}")),
    };
    tape.entries.iter().map(input).collect()
}

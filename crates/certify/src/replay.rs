//! Counterexamples, replayed: the interpreter follows the path edge by edge and takes every input from the tape. What is
//! missing, left over or different fails the replay, and so does any event that does not count.

use crate::Checked;
use crate::check::{Rejection, Rule};
use ir::Path;
use ir::interp::{self, End, Limits, Tape, Unobserved, ZeroInputs};
use ir::{EdgeId, FuncId, Program};

/// A run that reaches a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The edges taken; the last one is the target. `None` for a run too long to write down: then it is the run that the
    /// tape determines.
    pub path: Option<Path>,
    /// Everything the run took from outside.
    pub tape: Tape,
}

/// Why a counterexample is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError(pub String);

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReplayError {}

/// More than any run that an engine can find.
pub const REPLAY_LIMITS: Limits = Limits { steps: 1 << 40, memory_bytes: 1 << 34, call_depth: 1 << 26 };

/// Replays a counterexample. It is accepted if the run ends in a target, took exactly the tape, and met no event that the
/// program's table assumes away.
pub fn replay(program: &Program, cex: Counterexample) -> Result<Checked<Counterexample>, ReplayError> {
    ir::validate::validate(program).map_err(|v| ReplayError(format!("the program is not well formed: {}", v[0])))?;
    let mut inputs = cex.tape.inputs();
    let run = match &cex.path {
        Some(path) => interp::follow(program, path, &mut inputs, &REPLAY_LIMITS, &mut Unobserved),
        None => interp::run(program, &mut inputs, &REPLAY_LIMITS, &mut Unobserved),
    };
    let last: Option<Option<(FuncId, EdgeId)>> = cex.path.as_ref().map(|p| p.edges.last().copied());
    match run.end {
        End::Error { at, .. } if last.is_none_or(|last| last == Some(at)) => {
            let whole = cex.path.as_ref().is_none_or(|p| p.edges.len() as u64 == run.steps);
            if whole { Ok(Checked::new(cex)) } else { Err(ReplayError("the run ends before its path does".into())) }
        }
        end => Err(ReplayError(format!("the run does not end in the target: {}", describe(program, &end)))),
    }
}

/// Rule *Run*: the program takes nothing from outside, and its only run ends after so many steps without a target.
pub(crate) fn check_run(program: &Program, steps: u64) -> Result<(), Rejection> {
    let reject = |reason: String| Err(Rejection { rule: Rule::Run, at: None, reason, undecided: false });
    // The limit is one of work: a step over a range of memory costs more than one. The number of steps is compared below.
    let work = steps.saturating_mul(64).saturating_add(1 << 28).min(REPLAY_LIMITS.steps);
    let limits = Limits { steps: work, ..REPLAY_LIMITS };
    let run = interp::run(program, &mut ZeroInputs, &limits, &mut Unobserved);
    match run.end {
        _ if !run.drew_nothing => reject("the program takes input, so it has more than one run".into()),
        End::Exited(_) | End::Halted { .. } | End::Blocked { .. } if run.steps == steps => Ok(()),
        End::Exited(_) | End::Halted { .. } | End::Blocked { .. } => {
            reject(format!("the run ends after {} steps, not {steps}", run.steps))
        }
        end => reject(format!("the run does not end well: {}", describe(program, &end))),
    }
}

/// How a run ended, in words.
pub fn describe(program: &Program, end: &End) -> String {
    let name = |f: FuncId| &program.functions[f].name;
    match end {
        End::Error { at: (f, e), .. } => format!("target {e} of {} is reached", name(*f)),
        End::Exited(_) => "the program returns".into(),
        End::Halted { at: (f, e) } => format!("the program stops at {e} of {}", name(*f)),
        End::Blocked { func, loc } => format!("an assumption fails at {loc} of {}", name(*func)),
        End::Ub { ub, at: interp::At::Edge(f, e), .. } => {
            format!("undefined behaviour at {e} of {}: {}", name(*f), ub.describe())
        }
        End::Ub { ub, at: interp::At::Start, .. } => format!("undefined behaviour: {}", ub.describe()),
        End::Unsupported { why, .. } => format!("unsupported: {why}"),
        End::Limit(limit) => limit.to_string(),
        End::BadInput { why, .. } => why.to_string(),
        End::Diverged { index, .. } => format!("step {} of the path cannot be taken", index + 1),
        End::PathEnd => "the path ends without a target".into(),
    }
}

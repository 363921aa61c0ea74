//! A proof about executions without undefined behaviour says little if there are none. A few runs show whether that may be
//! so; they cost less than printing the proof.

use crate::front::Front;
use ir::interp::{self, At, End, Inputs, Limits, RandomInputs, Unobserved, ZeroInputs};
use ir::{Ub, UbPolicy};

/// How many runs are tried.
const RUNS: u64 = 8;
const LIMITS: Limits = Limits { steps: 20_000, memory_bytes: 1 << 24, call_depth: 500 };

/// A warning, if every run that was tried ended in undefined behaviour that does not count.
pub(crate) fn note(front: &Front) -> Option<String> {
    let mut first: Option<(Ub, At)> = None;
    for seed in 0..RUNS {
        let inputs: &mut dyn Inputs = if seed == 0 { &mut ZeroInputs } else { &mut RandomInputs::new(seed) };
        match interp::run(&front.program, inputs, &LIMITS, &mut Unobserved).end {
            End::Ub { ub, policy: UbPolicy::AssumedAway, at } => _ = first.get_or_insert((ub, at)),
            _ => return None,
        }
    }
    let (ub, at) = first?;
    let place = front.source().show_at(at);
    Some(format!(
        "warning: {place}: the proof may say little: each of {RUNS} runs that were tried ended in undefined behaviour, \
         which does not count ({} here first)",
        ub.describe()
    ))
}

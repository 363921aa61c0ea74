//! Probes of any program: a location that a run of the interpreter visits becomes the target; SAFE is then wrong, and
//! UNSAFE is what a good engine says.

use std::collections::BTreeSet;

use ir::interp::{self, Limits, Observer, RandomInputs, StateView, Step, ZeroInputs};
use ir::{ErrorKind, FuncId, Loc, Location, Op, Program, UbPolicy};

/// The locations that one run on zeroes and `runs - 1` on random inputs visit, each once, in the order of the first visit.
/// The run must leave them: the exit of a function is not among them.
pub fn visited(program: &Program, seed: u64, runs: u64, steps: u64) -> Vec<(FuncId, Loc)> {
    let mut visits = Visits { program, seen: BTreeSet::new(), order: Vec::new() };
    let limits = Limits { steps, ..Limits::default() };
    for k in 0..runs {
        if k == 0 {
            interp::run(program, &mut ZeroInputs, &limits, &mut visits);
        } else {
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(k);
            interp::run(program, &mut RandomInputs::new(seed), &limits, &mut visits);
        }
    }
    visits.order
}

struct Visits<'a> {
    program: &'a Program,
    seen: BTreeSet<(FuncId, Loc)>,
    order: Vec<(FuncId, Loc)>,
}

impl Observer for Visits<'_> {
    fn before(&mut self, _: &StateView<'_>, step: Step) {
        let body = self.program.body(step.func);
        let at = (step.func, body.edges[step.edge].from);
        if self.seen.insert(at) {
            self.order.push(at);
        }
    }
}

/// The program whose only target is to stand at this location.
///
/// # Panics
/// If nothing leaves the location.
pub fn probe(program: &Program, (func, loc): (FuncId, Loc)) -> Program {
    let mut probe = program.clone();
    // Its errors are no targets any more: nothing is checked for.
    for (ub, policy) in program.ub.iter() {
        if policy == UbPolicy::Checked {
            probe.ub.set(ub, UbPolicy::AssumedAway);
        }
    }
    for body in probe.functions.iter_mut().filter_map(|f| f.body.as_mut()) {
        for edge in body.edges.iter_mut().filter(|e| matches!(e.op, Op::Error(_))) {
            edge.op = Op::Halt;
        }
    }
    let body = probe.functions[func].body.as_mut().expect("a location lies in a body");
    // What else leaves the location leaves another one, to which nothing leads.
    let span = body.locations[loc].span;
    let nowhere = body.locations.push(Location { label: None, span });
    let mut leaving = body.edges.iter_mut().filter(|e| e.from == loc);
    let first = leaving.next().expect("something leaves the location");
    (first.op, first.to) = (Op::Error(ErrorKind::Reached("probe".into())), None);
    first.guards.clear();
    leaving.for_each(|e| e.from = nowhere);
    probe
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::rng::Rng;
    use ir::random::Knobs;

    /// Whatever was visited is reached again as a target.
    #[test]
    fn a_probe_is_valid_and_reached() {
        let mut probes = 0;
        for seed in 0..40 {
            let program = ir::random::program(&mut Rng::new(seed), &Knobs::all());
            for at in visited(&program, seed, 1, 60) {
                let probe = probe(&program, at);
                ir::validate::validate(&probe).unwrap_or_else(|v| panic!("seed {seed}: {}", v[0]));
                let limits = Limits { steps: 70, ..Limits::default() };
                let run = interp::run(&probe, &mut ZeroInputs, &limits, &mut interp::Unobserved);
                assert!(matches!(run.end, interp::End::Error { .. }), "seed {seed}: {:?}", run.end);
                probes += 1;
            }
        }
        assert!(probes > 200, "{probes}");
    }
}

//! Whether a rule that holds was ever asked anything. A proof about a program in which no event happens says nothing.

use crate::front::{Front, WovenRule};
use ir::interp::{self, Inputs, Limits, Observer, RandomInputs, StateView, Step, ZeroInputs};
use ir::{Edge, ErrorKind, Op, Program};

/// How many runs are tried.
const RUNS: u64 = 8;
const LIMITS: Limits = Limits { steps: 20_000, memory_bytes: 1 << 24, call_depth: 500 };

/// What is said then.
pub(crate) const NEVER: &str = "the rule never triggered";

/// A warning, if no run comes to an event of the rule.
pub(crate) fn never_triggered(front: &Front) -> Option<String> {
    let rule = front.rule.as_ref()?;
    let name = &front.map.file(rule.file).name;
    // Where calls are forbidden, that nobody makes them is what is wanted.
    if rule.forbids_only {
        return None;
    }
    if rule.handled > 0 && (happens_in_a_run(front, rule) || !is_unreachable(&front.program, rule)) {
        return None;
    }
    Some(format!("warning: {name}: {NEVER}: no run comes to one of its events"))
}

/// Whether one of a few runs comes to an event.
fn happens_in_a_run(front: &Front, rule: &WovenRule) -> bool {
    (0..RUNS).any(|seed| {
        let inputs: &mut dyn Inputs = if seed == 0 { &mut ZeroInputs } else { &mut RandomInputs::new(seed) };
        let mut seen = Seen { program: &front.program, rule, yes: false };
        interp::run(&front.program, inputs, &LIMITS, &mut seen);
        seen.yes
    })
}

/// Whether a step is what the rule does at a call.
fn is_at_call(rule: &WovenRule, edge: &Edge) -> bool {
    edge.span.file == rule.file && rule.about_calls.iter().any(|r| r.contains(&edge.span.lo))
}

/// Looks for steps that stand in the rule.
struct Seen<'p> {
    program: &'p Program,
    rule: &'p WovenRule,
    yes: bool,
}

impl Observer for Seen<'_> {
    fn before(&mut self, _: &StateView<'_>, step: Step) {
        self.yes |= is_at_call(self.rule, self.program.edge(step.func, step.edge));
    }
}

/// Whether it is proved that no run comes to an event: the same program, in which every step of the rule is an error.
fn is_unreachable(program: &Program, rule: &WovenRule) -> bool {
    let mut probe = program.clone();
    for body in probe.functions.iter_mut().filter_map(|f| f.body.as_mut()) {
        for edge in body.edges.iter_mut() {
            let here = is_at_call(rule, edge);
            match edge.op {
                // What breaks the rule elsewhere is no matter here.
                Op::Error(_) if !here => (edge.op, edge.to) = (Op::Halt, None),
                // Of two ways both go on; what follows is a step of the rule again, or nothing.
                Op::Assume(_) | Op::Halt | Op::Error(_) | Op::Unsupported(_) => {}
                _ if here => {
                    (edge.op, edge.to) = (Op::Error(ErrorKind::Rule("the rule is triggered".to_owned())), None);
                }
                _ => {}
            }
        }
    }
    if ir::validate::validate(&probe).is_err() {
        return false;
    }
    let analysis = analysis::Analysis::new(&probe);
    let mut settings = verify::Settings { engines: vec![verify::Engine::Abstraction], ..verify::Settings::default() };
    settings.abstraction.iterations = 8;
    let answer = verify::verify(&analysis, &settings, &mut verify::Silent);
    matches!(answer.verdict, verify::Verdict::Safe(_))
}

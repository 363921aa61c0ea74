//! Probes: a step that a run of a random program with memory took becomes an error. The run breaks the changed program, so
//! SAFE would be wrong; UNKNOWN is no failure but counted.

use analysis::Analysis;
use base::rng::Rng;
use ir::interp::{self, End, Limits, Observer, RandomInputs, StateView, Step};
use ir::random::Knobs;
use ir::{Edge, EdgeId, ErrorKind, FuncId, Location, Op, Program, Ub, UbPolicy};
use verify::{Engine, Settings, Silent, Verdict, verify};

use crate::statistics::Statistics;

/// The steps that a run took and finished.
#[derive(Default)]
struct Taken(Vec<(FuncId, EdgeId)>);

impl Observer for Taken {
    fn before(&mut self, _: &StateView<'_>, _: Step) {}

    fn after(&mut self, _: &StateView<'_>, step: Step) {
        self.0.push((step.func, step.edge));
    }
}

const LIMITS: Limits = Limits { steps: 120, memory_bytes: 1 << 20, call_depth: 50 };

/// Probes the programs of the seeds `first .. first + count`.
pub fn memory(first: u64, count: u64) -> Result<Statistics, String> {
    let mut stats = Statistics::new();
    let mut settings = Settings { engines: vec![Engine::Abstraction], ..Settings::default() };
    settings.abstraction.iterations = 12;
    settings.abstraction.path_conflicts = 5_000;
    settings.abstraction.step_conflicts = 1_000;
    settings.abstraction.certify.conflicts = 50_000;
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let knobs = Knobs { functions: 2, statements: 6, memory: true, odd_widths: false, ..Knobs::default() };
        let mut program = ir::random::program(&mut rng, &knobs);
        for ub in [Ub::NullDeref, Ub::OutOfBounds, Ub::UseAfterFree, Ub::ConstWrite] {
            program.ub.set(ub, UbPolicy::AssumedAway);
        }
        let mut taken = Taken::default();
        interp::run(&program, &mut RandomInputs::new(seed), &LIMITS, &mut taken);
        let Some(probed) = probe(&program, &taken.0, &mut rng) else { continue };
        let run = interp::run(&probed, &mut RandomInputs::new(seed), &LIMITS, &mut interp::Unobserved);
        if !matches!(run.end, End::Error { .. }) {
            continue;
        }
        stats.add("probes", 1);
        match verify(&Analysis::new(&probed), &settings, &mut Silent).verdict {
            Verdict::Safe(_) => {
                return Err(format!("seed {seed}: SAFE, but a run breaks it\n{}", ir::text::print(&probed)));
            }
            Verdict::Unsafe(_) => stats.add("broken", 1),
            Verdict::Unknown(why) => {
                stats.add("UNKNOWN", 1);
                let cause: String = why.cause.chars().filter(|c| !c.is_ascii_digit()).take(50).collect();
                stats.add(format!("UNKNOWN because: {cause}"), 1);
            }
        }
    }
    Ok(stats)
}

/// The program with an error behind one of the steps; `None` if none is fit for it.
fn probe(program: &Program, taken: &[(FuncId, EdgeId)], rng: &mut Rng) -> Option<Program> {
    let plain = |&&(f, e): &&(FuncId, EdgeId)| {
        let edge = program.edge(f, e);
        !matches!(edge.op, Op::Call(_) | Op::Return(_)) && edge.to.is_some()
    };
    let fit: Vec<_> = taken.iter().filter(plain).copied().collect();
    if fit.is_empty() {
        return None;
    }
    let (func, id) = *rng.pick(&fit);
    let mut probed = program.clone();
    let body = probed.functions[func].body.as_mut().expect("a run lies in bodies");
    let span = body.edges[id].span;
    let behind = body.locations.push(Location { label: None, span });
    body.edges[id].to = Some(behind);
    let op = Op::Error(ErrorKind::Reached("probe".into()));
    body.edges.push(Edge { from: behind, to: None, guards: Vec::new(), op, span });
    Some(probed)
}

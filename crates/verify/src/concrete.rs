//! The concrete engine: runs the program on zero inputs and on a few random ones.
//!
//! A program that takes nothing from outside has one run. If it ends, that run decides: it reaches a target, or it is
//! the proof that none is reached. All other programs can only be shown to be unsafe here: by random runs in the first turn, and by
//! runs whose inputs are changed step by step towards what no run has done yet ([`guided`]), more and longer ones in each turn.

mod coverage;
mod dictionary;
mod guided;

use crate::verdict::{Progress, Reason, Stats, Turn, Verdict};
use certify::{CheckLimits, Counterexample, Proof, ProofKind, check_proof, replay};
use guided::Guided;
use ir::Program;
use ir::interp::{self, End, Execution, Inputs, PathRecorder, RandomInputs, RepeatingInputs, Unobserved, ZeroInputs};

/// How far the engine goes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Steps of the run of a program that takes nothing from outside.
    pub closed_steps: u64,
    /// Steps of each other run.
    pub run_steps: u64,
    /// Steps of all random runs together.
    pub random_steps: u64,
    /// Random runs.
    pub random_runs: u64,
    /// Where the seeds of random runs begin.
    pub first_seed: u64,
    /// Steps of all guided runs together.
    pub guided_steps: u64,
    /// Steps of each guided run.
    pub guided_run_steps: u64,
    /// Bytes that a run may use.
    pub memory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            closed_steps: 4_000_000_000,
            run_steps: 1_000_000_000,
            random_steps: 4_000_000_000,
            random_runs: 200,
            first_seed: 0,
            guided_steps: 200_000_000,
            guided_run_steps: 1_000_000,
            memory_bytes: 1 << 30,
        }
    }
}

impl Limits {
    /// Limits for a first look, where another engine follows.
    pub fn quick() -> Limits {
        Limits::default().for_turn(Turn::FIRST)
    }

    /// These limits, or less in an early turn.
    #[must_use]
    pub(crate) fn for_turn(&self, turn: Turn) -> Limits {
        Limits {
            // As the turns of the other engines grow: with four times as many steps a turn, one program spent 25 of 30 s here.
            closed_steps: turn.limit(20_000_000, 3, self.closed_steps),
            run_steps: turn.limit(1_000_000, 3, self.run_steps),
            random_steps: turn.limit(4_000_000, 3, self.random_steps),
            random_runs: if turn == Turn::FIRST || turn == Turn::LAST { self.random_runs } else { 2 },
            // Others than in the turns before.
            first_seed: if turn == Turn::FIRST { self.first_seed } else { self.random_runs + 2 * turn.number() },
            guided_steps: turn.limit(1_000_000, 4, self.guided_steps),
            guided_run_steps: turn.limit(4_000, 2, self.guided_run_steps),
            memory_bytes: self.memory_bytes,
        }
    }
}

/// One of so many random runs has inputs that mostly repeat.
const REPEATING: u64 = 2;

/// Runs longer than this are not written down as paths.
const LONGEST_PATH: u64 = 200_000;

/// Looks for a run that reaches a target, or decides a program that has only one.
pub fn search(program: &Program, limits: &Limits, progress: &mut dyn Progress, stats: &mut Stats) -> Verdict {
    Concrete::new(program).go_on(limits, progress, stats)
}

/// The engine, which can be left and gone on with.
pub(crate) struct Concrete<'p> {
    program: &'p Program,
    guided: Option<Guided<'p>>,
}

impl<'p> Concrete<'p> {
    pub(crate) fn new(program: &'p Program) -> Concrete<'p> {
        Concrete { program, guided: None }
    }

    /// Makes random runs, and after them guided ones, which go on where they were in the turn before.
    pub(crate) fn go_on(&mut self, limits: &Limits, progress: &mut dyn Progress, stats: &mut Stats) -> Verdict {
        let verdict = random_runs(self.program, limits, progress, stats);
        match verdict {
            Verdict::Unknown(reason) if !stats.closed => {
                let found = self.guided_runs(limits, progress, stats);
                found.unwrap_or(Verdict::Unknown(Reason { by_limit: true, ..reason }))
            }
            verdict => verdict,
        }
    }

    fn guided_runs(&mut self, limits: &Limits, progress: &mut dyn Progress, stats: &mut Stats) -> Option<Verdict> {
        let guided = self.guided.get_or_insert_with(|| Guided::new(self.program));
        let memory_bytes = limits.memory_bytes;
        let each = interp::Limits { steps: limits.guided_run_steps, memory_bytes, ..interp::Limits::default() };
        let mut spent = 0;
        while spent < limits.guided_steps && guided.can_go_on() {
            progress.reached(stats.runs);
            let (execution, cost) = guided.run(&each);
            stats.runs += 1;
            stats.interpreter_steps += execution.steps;
            spent += cost;
            if let End::Error { .. } = execution.end {
                return Some(unsafe_by(self.program, execution));
            }
        }
        None
    }
}

fn random_runs(program: &Program, limits: &Limits, progress: &mut dyn Progress, stats: &mut Stats) -> Verdict {
    let mut first = run(program, &mut ZeroInputs, limits, limits.run_steps, stats);
    if first.drew_nothing && matches!(first.end, End::Limit(_)) && limits.closed_steps > limits.run_steps {
        first = run(program, &mut ZeroInputs, limits, limits.closed_steps, stats);
    }
    stats.closed = first.drew_nothing;
    if let End::Error { .. } = first.end {
        return unsafe_by(program, first);
    }
    if first.drew_nothing {
        return only_run(program, &first);
    }
    let mut steps = 0;
    let mut cut = first.end.is_cut();
    for seed in (limits.first_seed..).take(limits.random_runs as usize) {
        progress.reached(seed);
        let inputs: &mut dyn Inputs = match seed % REPEATING {
            1 => &mut RepeatingInputs::new(seed),
            _ => &mut RandomInputs::new(seed),
        };
        let execution = run(program, inputs, limits, limits.run_steps, stats);
        steps += execution.steps;
        cut |= execution.end.is_cut();
        if let End::Error { .. } = execution.end {
            return unsafe_by(program, execution);
        }
        if steps > limits.random_steps {
            break;
        }
    }
    let cause = "no run on zero or random inputs reached a target";
    Verdict::Unknown(if cut { Reason::limit(cause) } else { Reason::new(cause) })
}

fn run(program: &Program, inputs: &mut dyn Inputs, limits: &Limits, steps: u64, stats: &mut Stats) -> Execution {
    let limits = interp::Limits { steps, memory_bytes: limits.memory_bytes, ..interp::Limits::default() };
    let execution = interp::run(program, inputs, &limits, &mut Unobserved);
    stats.runs += 1;
    stats.interpreter_steps += execution.steps;
    execution
}

/// The verdict that a run into a target is worth.
fn unsafe_by(program: &Program, execution: Execution) -> Verdict {
    let tape = execution.tape;
    let path = (execution.steps <= LONGEST_PATH).then(|| {
        let mut recorder = PathRecorder::default();
        // The same run again, which ended: no limit on its work.
        let limits = interp::Limits { steps: u64::MAX, memory_bytes: u64::MAX, ..interp::Limits::default() };
        interp::run(program, &mut tape.inputs(), &limits, &mut recorder);
        recorder.path
    });
    match replay(program, Counterexample { path, tape }) {
        Ok(checked) => Verdict::Unsafe(checked),
        Err(e) => Verdict::Unknown(Reason::new(format!("a run reached a target but its replay fails: {e}"))),
    }
}

/// The verdict that the only run of a closed program is worth; it has reached no target.
fn only_run(program: &Program, run: &Execution) -> Verdict {
    match &run.end {
        End::Exited(_) | End::Halted { .. } | End::Blocked { .. } => {
            let proof = Proof {
                program: certify::text::program_hash(program),
                ub: program.ub.clone(),
                kind: ProofKind::Run { steps: run.steps },
            };
            match check_proof(program, proof, &CheckLimits::default()) {
                Ok(checked) => Verdict::Safe(checked),
                Err(r) => Verdict::Unknown(Reason::new(format!("the only run failed its check: {}", r.reason))),
            }
        }
        End::Unsupported { why, at: (func, edge) } => {
            Verdict::Unknown(Reason::at(format!("unsupported: {why}"), *func, *edge))
        }
        end => {
            let how = certify::replay::describe(program, end);
            let cause = format!("the program takes no input, and its only run ends early: {how}");
            Verdict::Unknown(Reason { by_limit: end.is_cut(), ..Reason::new(cause) })
        }
    }
}

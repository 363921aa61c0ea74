//! The lowering against an interpreter of the tree, run by run; and X-normal form: each label is reached exactly if it
//! was before (TR00 §4).

use crate::support::{Machine, Next, random_program};
use base::rng::Rng;
use base::{FileId, Id};
use ir::interp::{
    Answer, End, Input, InputCause, InputError, Inputs, Limits, Observer, Request, StateView, Step, What,
};
use ir::{DataModel, Externs, Source, UbTable};
use std::collections::{BTreeSet, VecDeque};
use xfront::syntax::Program;
use xfront::{Options, is_normal, lower, normal_form, parse, print};

fn read(text: &str) -> Program {
    parse(FileId::from_index(0), text).unwrap_or_else(|d| panic!("{}\n{text}", d.message))
}

fn options() -> Options {
    Options { entry: "main".into(), model: DataModel::Lp64, externs: Externs::Args, ub: UbTable::default() }
}

fn lowered(program: &Program) -> ir::Program {
    let out = lower(program, &options()).unwrap_or_else(|d| panic!("{}\n{}", d[0].message, print(program)));
    assert_eq!(ir::validate::validate(&out), Ok(()), "{}", ir::text::print(&out));
    out
}

/// Random bits for `?`, zero for everything else.
struct Bits(Rng);

impl Inputs for Bits {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let chosen = matches!(&request.what, What::Value { from: InputCause::Source(Source::Nondet(_)), .. });
        Ok(Answer::Value(Input::Bits(if chosen { u128::from(self.0.bits() & 1) } else { 0 })))
    }
}

/// The labels that a run passes.
struct Labels<'a>(&'a ir::Program, Vec<String>);

impl Observer for Labels<'_> {
    fn before(&mut self, _: &StateView<'_>, step: Step) {
        let body = self.0.body(step.func);
        // A guard's test or a choice of the same statement starts at another location, which has no label.
        if let Some(label) = &body.locations[body.edges[step.edge].from].label {
            self.1.push(label.clone());
        }
    }
}

const STEPS: usize = 300;

fn run_of_tree(program: &Program, seed: u64) -> (Vec<String>, &'static str) {
    let machine = Machine::new(program);
    let mut rng = Rng::new(seed);
    let mut labels = Vec::new();
    let mut state = machine.start(0);
    for _ in 0..STEPS {
        if state.depth() > 40 {
            return (labels, "limit");
        }
        labels.extend(machine.ahead(&state).0.map(str::to_owned));
        match machine.step(&state, &mut || rng.bits() & 1 == 1) {
            Next::To(next) => state = next,
            Next::Error => return (labels, "error"),
            Next::Blocked => return (labels, "blocked"),
            Next::End => return (labels, "end"),
        }
    }
    (labels, "limit")
}

#[test]
fn the_lowering_runs_as_the_tree_does() {
    let mut ends = BTreeSet::new();
    for seed in 0..400 {
        let program = read(&random_program(seed));
        let ir = lowered(&program);
        for run in 0..4 {
            let (labels, end) = run_of_tree(&program, run);
            ends.insert(end);
            let mut seen = Labels(&ir, Vec::new());
            let limits = Limits { steps: 4 * STEPS as u64, ..Limits::default() };
            let execution = ir::interp::run(&ir, &mut Bits(Rng::new(run)), &limits, &mut seen);
            let ended = match execution.end {
                End::Error { .. } => "error",
                End::Exited(_) => "end",
                End::Blocked { .. } => "blocked",
                End::Limit(_) => "limit",
                other => panic!("seed {seed}: {other:?}"),
            };
            let n = labels.len().min(seen.1.len());
            assert_eq!(labels[..n], seen.1[..n], "seed {seed} run {run}\n{}", print(&program));
            if end != "limit" {
                assert_eq!((end, labels.len()), (ended, seen.1.len()), "seed {seed} run {run}\n{}", print(&program));
            }
        }
    }
    assert!(ends.contains("error") && ends.contains("end"), "{ends:?}");
}

/// All labels that are reached from zeros, and whether the error is; `None` if there are too many states.
fn reached(program: &Program) -> Option<(BTreeSet<String>, bool)> {
    let machine = Machine::new(program);
    let mut labels = BTreeSet::new();
    let (mut seen, mut queue, mut error) = (BTreeSet::new(), VecDeque::new(), false);
    queue.push_back(machine.start(0));
    while let Some(state) = queue.pop_front() {
        if seen.len() > 4_000 || state.depth() > 12 {
            return None;
        }
        if !seen.insert(state.clone()) {
            continue;
        }
        let (label, n) = machine.ahead(&state);
        labels.extend(label.map(str::to_owned));
        for bits in 0..1u32 << n {
            // The i-th choice is the i-th bit.
            let mut i = 0;
            let mut bit = || {
                i += 1;
                (bits >> (i - 1)) & 1 == 1
            };
            match machine.step(&state, &mut bit) {
                Next::To(next) => queue.push_back(next),
                Next::Error => error = true,
                Next::Blocked | Next::End => {}
            }
        }
    }
    Some((labels, error))
}

#[test]
fn normal_form_keeps_the_labels_that_are_reached() {
    let mut compared = 0;
    for seed in 0..300 {
        let program = read(&random_program(seed));
        let normal = normal_form(&program);
        assert!(is_normal(&normal), "seed {seed}\n{}", print(&normal));
        let (Some(before), Some(after)) = (reached(&program), reached(&normal)) else { continue };
        assert_eq!(before, after, "seed {seed}\n{}\n{}", print(&program), print(&normal));
        lowered(&normal);
        compared += 1;
    }
    assert!(compared > 100, "only {compared} programs were small enough");
}

#[test]
fn printing_and_parsing_are_inverse() {
    for seed in 0..200 {
        let program = read(&random_program(seed));
        for p in [&program, &normal_form(&program)] {
            let text = print(p);
            assert_eq!(read(&text), *p, "seed {seed}\n{text}");
        }
    }
}

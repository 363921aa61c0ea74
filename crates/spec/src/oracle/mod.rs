//! Rules in programs against a monitor that knows nothing of how they get there.
//!
//! A random program is run without a rule, and an observer of the interpreter writes down which functions are called and return,
//! with what. A random rule, as its generator made it, is followed along that sequence ([`rule`]). Then the rule's text is read and
//! put into the program, which is run on the same inputs: both must say the same, in the same words.
//!
//! The two programs differ in one thing: a function that the tool has a model for has a body in the first, so that there is a
//! call to be seen.

mod monitor;
mod program;
mod rule;

use base::SourceMap;
use base::rng::Rng;
use ir::interp::{self, Answer, End, Input, InputCause, InputError, Inputs, Limits, RandomInputs, Request, What};
use ir::{DataModel, ErrorKind, Program, Source};
use lower::events::Events;

const LIMITS: Limits = Limits { steps: 100_000, memory_bytes: 1 << 22, call_depth: 60 };

/// How many runs each pair of a program and a rule gets.
const RUNS: u64 = 6;

/// How many pairs a test compares: so many that every fault that is seeded into events and weaving shows.
pub const NORMAL: u64 = 350;

/// What was seen, so that a test can ask for enough of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Runs that were compared.
    pub runs: u64,
    /// Runs in which the rule is broken.
    pub aborts: u64,
    /// Runs that the rule gave up.
    pub halts: u64,
    /// Events in all runs.
    pub events: u64,
    /// Runs in which an object was chosen.
    pub chosen: u64,
    /// Runs of programs that call their entry.
    pub again: u64,
}

/// Compares `count` pairs from seed `first` on.
pub fn compare(first: u64, count: u64) -> Result<Seen, String> {
    let mut seen = Seen::default();
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let text = program::random(&mut rng);
        let rule = rule::random(&mut rng);
        one(seed, &text, &rule, &mut seen).map_err(|e| {
            format!("seed {seed}: {e}\nprogram:\n{}{}\nrule:\n{}", text.declared, text.rest, rule::print(&rule))
        })?;
    }
    Ok(seen)
}

fn one(seed: u64, text: &program::Text, rule: &rule::Rule, seen: &mut Seen) -> Result<(), String> {
    let (plain, _) = compile(&format!("{}{}", text.defined, text.rest), &lower::Options::default())?;
    let printed = rule::print(rule);
    let mut map = SourceMap::new();
    let file = map.add("rule.slic", printed.as_str());
    let parsed = crate::parse("random", file, &printed).map_err(|d| d.message)?;
    let options = lower::Options { watched: crate::watched(&parsed), ..lower::Options::default() };
    let (marked, events) = compile(&format!("{}{}", text.declared, text.rest), &options)?;
    let woven = crate::weave(&marked, &events, &parsed, file, &printed).map_err(|d| d.message)?.program;
    ir::validate::validate(&woven).map_err(|v| format!("the woven program is not valid: {}", v[0]))?;
    let shown = ir::text::print(&woven);
    let mut map = SourceMap::new();
    let file = map.add("woven.ir", shown.as_str());
    let again =
        ir::text::parse(file, &shown).map_err(|d| format!("the woven program is not read back: {}", d.message))?;
    if ir::text::print(&again) != shown {
        return Err("the woven program reads back as another".into());
    }
    for run in 0..RUNS {
        let inputs = seed * 100 + run;
        let trace = monitor::observe(&plain, &mut Steered { inner: RandomInputs::new(inputs), left: None }, &LIMITS);
        let Some(trace) = trace else { continue };
        let choice = run.checked_sub(1);
        let expected = rule::follow(rule, &trace, choice);
        let mut steered = Steered { inner: RandomInputs::new(inputs), left: choice };
        let end = interp::run(&woven, &mut steered, &LIMITS, &mut interp::Unobserved).end;
        let found = match &end {
            End::Error { kind: ErrorKind::Rule(message), .. } => rule::Outcome::Abort(message.clone()),
            End::Limit(_) | End::Ub { .. } | End::BadInput { .. } | End::Unsupported { .. } => {
                return Err(format!("run {run}: the woven program ends in {end:?}"));
            }
            _ => rule::Outcome::Obeyed,
        };
        if expected.outcome.without_halt() != found {
            return Err(format!("run {run}: expected {expected:?}, found {end:?}\n{trace:#?}"));
        }
        seen.runs += 1;
        seen.aborts += u64::from(matches!(found, rule::Outcome::Abort(_)));
        seen.halts += u64::from(expected.outcome == rule::Outcome::Halted);
        seen.events += trace.len() as u64;
        seen.chosen += u64::from(expected.chosen);
        seen.again += u64::from(text.rest.contains("= main()"));
    }
    Ok(())
}

fn compile(text: &str, options: &lower::Options) -> Result<(Program, Events), String> {
    let mut map = SourceMap::new();
    let file = map.add("random.c", text);
    let first = |all: Vec<base::Diagnostic>| format!("{:?}", all.first());
    let unit = cfront::parse(&mut map, file, cfront::Target::Lp64).map_err(first)?;
    let lowered = lower::lower(&[unit], options).map_err(first)?;
    let program = lowered.program;
    assert_eq!(program.model, DataModel::Lp64);
    ir::validate::validate(&program).map_err(|v| format!("the lowered program is not valid: {}", v[0]))?;
    Ok((program, lowered.events))
}

/// Random inputs, but for the choice of the object, which is made where it is told.
struct Steered {
    inner: RandomInputs,
    /// How many offers are refused before one is taken; none is if it is not given.
    left: Option<u64>,
}

impl Inputs for Steered {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        let of_rule =
            |why: &InputCause<'_>| matches!(why, InputCause::Source(Source::Outside(text)) if text == crate::CHOICE);
        match &request.what {
            What::Value { from, .. } if of_rule(from) => {
                let take = self.left == Some(0);
                self.left = self.left.map(|n| n.saturating_sub(1));
                Ok(Answer::Value(Input::Bits(u128::from(take))))
            }
            _ => self.inner.answer(request),
        }
    }
}

//! Programs with known verdicts: drafts from the generator, made tight by what a compiler saw on all inputs.
//!
//! A random condition is almost never true on all inputs, and a program that is safe by luck checks nothing. So each
//! draft runs twice. The first time its check points report the values their expressions take; from these a condition
//! is chosen that just holds, or just fails. The second time the finished program runs on all inputs, and this run
//! alone decides the verdict.

use base::rng::Rng;

use crate::cgen::{CheckPoint, Draft, Knobs, Program, check_mark, draft};
use crate::gcc::{Exhausted, Failure, Gcc, NondetInput, Probe};

/// The verdict over all inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// No run without an assumed-away event reaches the error.
    Safe,
    /// These inputs reach it.
    Unsafe(Vec<NondetInput>),
}

/// A program and its verdict.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The program.
    pub program: Program,
    /// Its verdict.
    pub truth: Truth,
    /// How many runs there are.
    pub runs: u64,
    /// How many of them reach the error.
    pub errors: u64,
    /// How many of them meet an assumed-away event.
    pub discarded: u64,
    /// How often two pointers that are used together were equal, and how often not.
    pub together: u64,
    /// See `together`.
    pub distinct: u64,
}

/// The programs of the seeds `first .. first + count`, each with its verdict.
pub fn judged(gcc: &Gcc, first: u64, count: usize, knobs: &Knobs) -> Result<Vec<Judged>, Failure> {
    let drafts: Vec<Draft> = (0..count as u64).map(|k| draft(first + k, knobs)).collect();
    judge(gcc, &drafts, false)
}

/// The programs that become of these drafts, each with its verdict. With `sanitize` no run may do what its notes do not
/// announce.
pub fn judge(gcc: &Gcc, drafts: &[Draft], sanitize: bool) -> Result<Vec<Judged>, Failure> {
    let probes = gcc.probe(drafts)?;
    let programs: Vec<Program> = drafts.iter().zip(&probes).map(|(d, (_, p))| finish(d, p)).collect();
    let answers = gcc.exhaust(&programs, sanitize)?;
    let mut all = Vec::new();
    for (program, answer) in programs.into_iter().zip(answers) {
        match answer {
            Exhausted::All { runs, errors, discarded, together, distinct, unsafe_input } => {
                let truth = unsafe_input.map_or(Truth::Safe, Truth::Unsafe);
                all.push(Judged { program, truth, runs, errors, discarded, together, distinct });
            }
            Exhausted::Failed(why) => {
                return Err(Failure::Garbled(format!("seed {}: {why}\n{}", program.seed, program.source)));
            }
        }
    }
    Ok(all)
}

/// Puts a condition at each check point: one that fails on some input at no more than one of them.
fn finish(draft: &Draft, probes: &[Probe]) -> Program {
    let mut rng = Rng::new(draft.program.seed ^ 0xc0de_cafe);
    let reached: Vec<usize> = (0..draft.checks.len()).filter(|&k| probes[k].range.is_some()).collect();
    let broken = if rng.chance(50) && !reached.is_empty() { Some(*rng.pick(&reached)) } else { None };
    let mut program = draft.program.clone();
    for (k, check) in draft.checks.iter().enumerate() {
        let text = match condition(&mut rng, check, &probes[k], broken == Some(k)) {
            Some(c) => format!("{{ if (!({c})) reach_error(); }}"),
            // No run comes here: the place itself must be unreachable.
            None => "reach_error();".to_string(),
        };
        program.source = program.source.replace(&check_mark(k), &text);
    }
    program
}

/// A condition that holds for the values seen, or fails for at least one of them. `None` if there was no value.
fn condition(rng: &mut Rng, check: &CheckPoint, probe: &Probe, fails: bool) -> Option<String> {
    let (lo, hi) = probe.range?;
    let e = &check.expr;
    let constant = |v: i64| format!("({}){v}", check.ty.keyword());
    let constant = |v: i64| if v == i64::MIN { format!("{} - 1", constant(v + 1)) } else { constant(v) };
    if fails {
        // A value that came late in the enumeration needs an input of its own more often than the first one.
        let late = &probe.values[probe.values.len() / 2..];
        let v = *rng.pick(late);
        return Some(match rng.below(4) {
            0 if lo < hi => format!("{e} < {}", constant(hi)),
            1 if lo < hi => format!("{e} > {}", constant(lo)),
            _ => format!("{e} != {}", constant(v)),
        });
    }
    let absent: Vec<i64> =
        [lo.wrapping_sub(1), hi.wrapping_add(1), 0, 1, lo.wrapping_add(1), hi.wrapping_sub(1), rng.below(16) as i64]
            .into_iter()
            .filter(|v| !probe.values.contains(v))
            .collect();
    Some(match rng.below(6) {
        0 => format!("{e} <= {}", constant(hi)),
        1 => format!("{e} >= {}", constant(lo)),
        2 if lo == hi => format!("{e} == {}", constant(lo)),
        3 if !probe.more && probe.values.len() <= 4 => {
            let cases: Vec<String> = probe.values.iter().map(|v| format!("{e} == {}", constant(*v))).collect();
            cases.join(" || ")
        }
        4 => format!("{e} >= {} && {e} <= {}", constant(lo), constant(hi)),
        _ if !probe.more && !absent.is_empty() => format!("{e} != {}", constant(*rng.pick(&absent))),
        _ => format!("{e} <= {}", constant(hi)),
    })
}

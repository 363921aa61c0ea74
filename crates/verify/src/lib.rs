//! Owns the verdict, the engines that look for one, and their order. The only crate that knows the order of stages.
//!
//! An engine may find what it likes: a verdict other than UNKNOWN needs a value that `certify` has checked
//! ([`certify::Checked`]), so a mistake in an engine costs an answer, never a wrong one.
//!
//! - [`concrete`] runs the program on zero and random inputs, and on inputs that are led to what is new; a program that takes
//!   nothing from outside is decided by its run.
//! - [`bounded`] follows calls and unwinds loops, all of it as one formula: runs, and proofs where that is all there is.
//! - [`induction`] looks for invariants of the loops in the entry function, with whole blocks as steps.
//! - [`abstraction`] abstracts, checks and refines until there is a proof or a run.
//!
//! The stages of that loop can be asked alone: [`abstract_with`], [`fixpoint()`], [`explain_path`].

pub mod abstraction;
mod aliases;
mod blocks;
pub mod bounded;
pub mod concrete;
mod deepening;
mod divergence;
mod families;
mod fixpoint;
pub mod induction;
mod inputs;
mod newton;
mod proof;
mod slice;
mod verdict;

pub use aliases::implied_aliases;
pub use divergence::{Divergence, Repeat};
pub use fixpoint::{Abstracted, Fixpoint, abstract_cached, abstract_with, completed, fixpoint};
pub use newton::{PathAnswer, explain_path};
pub use verdict::{Answer, Engine, Iteration, Progress, Reason, Settings, Silent, Stats, Verdict};

use analysis::Analysis;
use verdict::Turn;

/// Questions to the solver in the refinement loop's first turn.
const FIRST_QUERIES: u64 = 6_000;

/// Decides whether an execution of the program reaches a target. The program must be valid.
///
/// The engines take turns, in the order given, with budgets that grow; the first that decides ends the search. If it is asked for, the
/// abstraction looks at a slice of the program ([`mod@slice`]) as long as that may lead somewhere. If no engine decides, the
/// answer is the reason of the last one, because it looked hardest; `progress` hears all of them. Where one engine is asked alone, it
/// has all it can get at once.
pub fn verify(analysis: &Analysis<'_>, settings: &Settings, progress: &mut dyn Progress) -> Answer {
    let mut stats = Stats::default();
    let mut last = Reason::new("no engine was asked");
    let mut refinement = abstraction::Loop::new(&settings.abstraction, &settings.predicates);
    let mut concrete = concrete::Concrete::new(analysis.program);
    let mut inductive = induction::Induction::new(analysis);
    let alone = settings.engines.len() == 1;
    let mut done: Vec<Engine> = Vec::new();
    // Runs of the program get longer from turn to turn even where nobody else has one.
    let at_once = alone && settings.engines != [Engine::Concrete];
    let slice = (settings.slice && !alone).then(|| slice::Slice::of(analysis)).flatten();
    let sliced = slice.as_ref().map(|s| Analysis::new(&s.program));
    let parts = slice.as_ref().zip(sliced.as_ref());
    let mut on_slice = parts.map(|(slice, sliced)| slice::Search::new(slice, sliced, settings));
    for turn in Turn::all().filter(|&turn| !at_once || turn == Turn::LAST) {
        for &engine in &settings.engines {
            if done.contains(&engine) {
                continue;
            }
            progress.phase(engine.name());
            let verdict = match engine {
                Engine::Concrete => {
                    let limits = settings.concrete.for_turn(turn);
                    Some(concrete.go_on(&limits, progress, &mut stats))
                }
                Engine::Bounded => {
                    let limits = settings.bounded.for_turn(turn);
                    Some(bounded::search(analysis, &limits, progress, &mut stats))
                }
                Engine::Induction => {
                    let limits = settings.induction.for_turn(turn);
                    Some(inductive.go_on(&limits, progress, &mut stats))
                }
                Engine::Abstraction => {
                    let work = turn.limit(FIRST_QUERIES, 3, u64::MAX);
                    match on_slice.as_mut().map(|s| s.go_on(work, progress, &mut stats)) {
                        Some(slice::Found::Decided(verdict)) => Some(verdict),
                        Some(slice::Found::Nothing) => continue,
                        Some(slice::Found::Over) | None => {
                            on_slice = None;
                            refinement.go_on(analysis, work, progress, &mut stats)
                        }
                    }
                }
            };
            let reason = match verdict {
                None => continue,
                Some(Verdict::Unknown(reason)) => reason.in_phase(engine.name()),
                Some(verdict) => return Answer { verdict, engine: Some(engine), stats },
            };
            // The others may see more with more.
            if !reason.by_limit || engine == Engine::Abstraction {
                done.push(engine);
            }
            progress.gave_up(engine, &reason);
            // About rules the abstraction knows best what stood in the way, and induction has the last turn.
            if !(settings.slice && engine == Engine::Induction && done.contains(&Engine::Abstraction)) {
                last = reason;
            }
        }
        // Runs alone could go on for ever.
        if settings.engines.iter().all(|&e| done.contains(&e) || e == Engine::Concrete && !alone) {
            break;
        }
    }
    Answer { verdict: Verdict::Unknown(last), engine: None, stats }
}

//! Owns the verdict, the engines that look for one, and their order. The only crate that knows the order of stages.
//!
//! An engine may find what it likes: a verdict other than UNKNOWN needs a value that `certify` has checked
//! ([`certify::Checked`]), so a mistake in an engine costs an answer, never a wrong one.
//!
//! - [`concrete`] runs the program on zero and random inputs; a program that takes nothing from outside is decided by its
//!   run.
//! - [`bounded`] explores paths breadth-first and cuts infeasible ones with the solver.
//! - [`abstraction`] abstracts, checks and refines until there is a proof or a run.
//!
//! The stages of that loop can be asked alone: [`abstract_with`], [`fixpoint()`], [`explain_path`].

pub mod abstraction;
mod aliases;
pub mod bounded;
pub mod concrete;
mod divergence;
mod families;
mod fixpoint;
mod inputs;
mod newton;
mod proof;
mod verdict;

pub use aliases::implied_aliases;
pub use divergence::{Divergence, Repeat};
pub use fixpoint::{Abstracted, Fixpoint, abstract_with, completed, fixpoint};
pub use newton::{PathAnswer, explain_path};
pub use verdict::{Answer, Engine, Iteration, Progress, Reason, Settings, Silent, Stats, Verdict};

use analysis::Analysis;

/// Decides whether an execution of the program reaches a target. The program must be valid.
///
/// The engines run in the order given; the first that decides ends the search. If none does, the answer is the reason of
/// the last one, because it looked hardest. Bounded search in front of abstraction is only a first look; where
/// abstraction does not decide, it comes once more with all it has.
pub fn verify(analysis: &Analysis<'_>, settings: &Settings, progress: &mut dyn Progress) -> Answer {
    let mut stats = Stats::default();
    let mut reason = Reason::new("no engine was asked");
    let has = |engine| settings.engines.contains(&engine);
    let quick = has(Engine::Bounded) && has(Engine::Abstraction);
    for &engine in &settings.engines {
        let bounded = if quick { &bounded::Limits::quick() } else { &settings.bounded };
        match run_engine(analysis, engine, bounded, settings, progress, &mut stats) {
            Verdict::Unknown(why) => reason = why.in_phase(engine.name()),
            decided => return Answer { verdict: decided, engine: Some(engine), stats },
        }
    }
    if quick {
        let verdict = run_engine(analysis, Engine::Bounded, &settings.bounded, settings, progress, &mut stats);
        if !matches!(verdict, Verdict::Unknown(_)) {
            return Answer { verdict, engine: Some(Engine::Bounded), stats };
        }
    }
    Answer { verdict: Verdict::Unknown(reason), engine: None, stats }
}

fn run_engine(
    analysis: &Analysis<'_>,
    engine: Engine,
    bounded: &bounded::Limits,
    settings: &Settings,
    progress: &mut dyn Progress,
    stats: &mut Stats,
) -> Verdict {
    progress.phase(engine.name());
    match engine {
        Engine::Concrete => concrete::search(analysis.program, &settings.concrete, progress, stats),
        Engine::Bounded => bounded::search(analysis, bounded, progress, stats),
        Engine::Abstraction => {
            abstraction::search(analysis, &settings.abstraction, &settings.predicates, progress, stats)
        }
    }
}

//! Many checks: what they share, in which order they are done, and what of it is known already.
//!
//! The files of a program are read and preprocessed once, for all entries and rules. Checks are done by as many threads as
//! asked for, each with a child of its own at a time; what comes out is handed on in the order of the tasks, so that
//! the output does not depend on how many there are.

use crate::args::several::{FailOn, SeveralArgs};
use crate::display::Display;
use crate::input::{Source, read_program};
use crate::outcome::{Answer, Outcome};
use crate::settings::CheckSettings;
use crate::supervise::{Ended, SEVERAL};
use crate::{cache, known, many, os};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Tasks with what is asked of all of them.
#[derive(Debug)]
pub(crate) struct Several {
    /// The checks, in the order of their lines.
    pub tasks: Vec<CheckSettings>,
    /// How many at a time.
    pub jobs: usize,
    /// How long all together.
    pub total: Option<Duration>,
    /// Defects that do not count.
    pub known: Vec<known::Known>,
    /// Where to write all defects.
    pub write_baseline: Option<String>,
    /// What makes the exit code other than 0.
    pub fail_on: FailOn,
}

impl Several {
    /// The tasks as the options want them: with their texts, their cache, and without those that nothing changed for.
    pub(crate) fn new(mut tasks: Vec<CheckSettings>, args: &SeveralArgs) -> Result<Several, String> {
        let mut known = Vec::new();
        for file in &args.baseline {
            known.extend(known::read(file)?);
        }
        let cache = args.cache.as_ref().map(|dir| cache::open(dir, args.recertify)).transpose()?;
        if cache.is_some() || args.changed.is_some() || tasks.len() > 1 {
            share_sources(&mut tasks);
        }
        if let Some(list) = &args.changed {
            let changed = names(list)?;
            tasks.retain(|t| t.program.sources.is_empty() || is_touched(&t.program.sources, &changed));
        }
        for task in &mut tasks {
            // Predicates are read from a file that is no part of the key.
            let whole = task.predicates.is_none() && !task.program.sources.is_empty();
            task.cache = cache.clone().filter(|_| whole);
        }
        Ok(Several {
            tasks,
            jobs: args.jobs.unwrap_or(1) as usize,
            total: args.total_timeout,
            known,
            write_baseline: args.write_baseline.clone(),
            fail_on: args.fail_on.unwrap_or_default(),
        })
    }
}

/// Reads the files of each program once. Where they cannot be read, the task says so itself.
fn share_sources(tasks: &mut [CheckSettings]) {
    let mut read: BTreeMap<Vec<String>, Vec<Source>> = BTreeMap::new();
    for task in tasks {
        let plain = crate::settings::ProgramSettings { harness: None, ..task.program.clone() };
        let sources = read.entry(plain.files.clone()).or_insert_with(|| read_program(&plain).unwrap_or_default());
        task.program.sources.clone_from(sources);
        if let Some(harness) = &task.program.harness {
            crate::harness::append(&mut task.program.sources, harness);
        }
    }
}

/// The names in a file, one on each line.
fn names(file: &str) -> Result<Vec<String>, String> {
    let text = crate::input::read_text(file, crate::input::Empty::Allowed).map_err(|e| e.reason)?;
    Ok(text.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect())
}

/// Whether one of the files, or a header that it includes, is among those that changed.
fn is_touched(sources: &[Source], changed: &[String]) -> bool {
    let real = |name: &str| std::fs::canonicalize(name).unwrap_or_else(|_| name.into());
    let changed: Vec<_> = changed.iter().map(|c| real(c)).collect();
    sources.iter().any(|source| {
        // The preprocessor says where each line comes from: `# 12 "name"`.
        let marks = source.text.lines().filter(|l| l.starts_with("# "));
        let mut headers: Vec<&str> = marks.filter_map(|l| l.split('"').nth(1)).collect();
        headers.sort_unstable();
        headers.dedup();
        headers.into_iter().chain([source.name.as_str()]).any(|name| changed.contains(&real(name)))
    })
}

/// Does all tasks and hands on what each ends in, in their order. `on` says whether to go on.
pub(crate) fn run(
    several: &Several,
    display: &Display,
    mut on: impl FnMut(&CheckSettings, Ended) -> bool,
) -> Result<(), String> {
    SEVERAL.store(true, Ordering::Relaxed);
    // Before any thread exists, so that every thread inherits the mask.
    os::block_ending_signals();
    let deadline = several.total.map(|total| Instant::now() + total);
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        for _ in 0..several.jobs.min(several.tasks.len()) {
            let (sender, next, stopped) = (sender.clone(), &next, &stopped);
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = several.tasks.get(i) else { break };
                    let ended = one(task, display, deadline);
                    let interrupted = |e: &Ended| e.outcome.reason.starts_with("interrupted");
                    if ended.as_ref().is_ok_and(interrupted) {
                        stopped.store(true, Ordering::Relaxed);
                    }
                    if sender.send((i, ended)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut shown = 0;
        for (i, ended) in results {
            waiting.insert(i, ended);
            while let Some(ended) = waiting.remove(&shown) {
                let go_on = match ended {
                    Ok(ended) => on(&several.tasks[shown], ended),
                    Err(message) => {
                        stopped.store(true, Ordering::Relaxed);
                        return Err(message);
                    }
                };
                shown += 1;
                if !go_on {
                    stopped.store(true, Ordering::Relaxed);
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

/// Does one task, or takes the answer that it had before.
fn one(task: &CheckSettings, display: &Display, deadline: Option<Instant>) -> Result<Ended, String> {
    let started = Instant::now();
    let key = cache::key_of_task(task);
    let (known, damaged) = key.as_ref().map_or((None, false), |key| cache::answer(task, key));
    if let Some(outcome) = known {
        return Ok(Ended::at_once(outcome, started));
    }
    let mut limited = task.clone();
    if let Some(deadline) = deadline {
        let left = deadline.saturating_duration_since(started);
        if left.is_zero() {
            let outcome = Outcome::unknown("the time for all checks together is used up");
            return Ok(Ended::at_once(outcome, started));
        }
        limited.limits.timeout = limited.limits.timeout.min(left);
    }
    let mut ended = many::one(&limited, display)?;
    // An answer for want of the time that others took is not this task's.
    let cut = limited.limits != task.limits && ended.outcome.answer == Answer::Unknown;
    if let Some(key) = key.filter(|_| !cut) {
        cache::keep(task, &key, &ended.outcome);
    }
    if damaged {
        let warning = "warning: the cache is damaged where this answer was: it is made anew";
        ended.outcome.messages.push(warning.to_owned());
    }
    Ok(ended)
}

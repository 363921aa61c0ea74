//! Time per stage, for statistics only: no decision may depend on it.

use std::time::{Duration, Instant};

/// Times of named stages, in the order in which the stages first ran.
#[derive(Clone, Debug, Default)]
pub struct Timings {
    stages: Vec<(&'static str, Duration)>,
}

impl Timings {
    /// Runs `work` and adds the time it took to `stage`.
    #[expect(clippy::disallowed_methods, reason = "this is the one place where libraries may read the clock")]
    pub fn stage<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add(stage, start.elapsed());
        result
    }

    /// Adds `time` to `stage`.
    pub fn add(&mut self, stage: &'static str, time: Duration) {
        match self.stages.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, total)) => *total += time,
            None => self.stages.push((stage, time)),
        }
    }

    /// The stages with their total times.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Duration)> + '_ {
        self.stages.iter().copied()
    }
}

//! What an oracle did, in numbers. An oracle that passes says how much it looked at, so that a test can demand that it
//! was enough: an oracle that looks at nothing passes always.

use std::collections::BTreeMap;
use std::fmt;

/// Counters by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics(BTreeMap<String, u64>);

impl Statistics {
    /// No counts.
    pub fn new() -> Statistics {
        Statistics::default()
    }

    /// Counts `n` more of `what`.
    pub fn add(&mut self, what: impl Into<String>, n: u64) {
        *self.0.entry(what.into()).or_default() += n;
    }

    /// How often `what` was counted.
    pub fn get(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }

    /// All counts, by name.
    pub fn counts(&self) -> &BTreeMap<String, u64> {
        &self.0
    }

    /// Adds all counts of another.
    pub fn merge(&mut self, other: &Statistics) {
        for (what, n) in &other.0 {
            self.add(what.clone(), *n);
        }
    }

    /// What was not tried and why, if anything was not.
    pub fn skipped(&self) -> Option<&str> {
        self.0.keys().find(|k| k.starts_with(crate::normal::SKIPPED)).map(String::as_str)
    }

    /// Panics unless each of these was counted at least so often.
    ///
    /// # Panics
    /// If one was not.
    pub fn demand(&self, least: &[(&str, u64)]) {
        for (what, n) in least {
            assert!(self.get(what) >= *n, "only {} of {what}, not {n}: {self}", self.get(what));
        }
    }
}

impl FromIterator<(String, u64)> for Statistics {
    fn from_iter<I: IntoIterator<Item = (String, u64)>>(counts: I) -> Statistics {
        Statistics(counts.into_iter().collect())
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (what, n)) in self.0.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{n} {what}")?;
        }
        Ok(())
    }
}

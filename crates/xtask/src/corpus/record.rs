//! What is known about a finished run: plain data, which is also the machine-readable file.

use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// A run over a corpus.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The day of the run.
    #[serde(default)]
    pub(crate) date: String,
    pub(crate) timeout_s: u64,
    /// The limit on processor time, if that was the one that counted.
    #[serde(default)]
    pub(crate) cpu_limit_s: Option<u64>,
    pub(crate) memory: String,
    pub(crate) engine: Option<String>,
    /// The names of the tasks of each set.
    #[serde(default)]
    pub(crate) sets: BTreeMap<String, Vec<String>>,
    /// In the order of the tasks.
    pub(crate) results: Vec<TaskResult>,
}

/// The result of one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TaskResult {
    /// The task's name.
    pub(crate) task: String,
    /// Whether the property holds, if that is known.
    pub(crate) expected: Option<bool>,
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    pub(crate) engine: Option<String>,
    /// Whether no function reachable from the entry contains an unsupported construct; `None`: not known.
    pub(crate) lowers_fully: Option<bool>,
    /// Whether a run that took nothing from outside decided the program; `None`: not known.
    pub(crate) closed: Option<bool>,
    pub(crate) time_s: f64,
    /// Processor time.
    #[serde(default)]
    pub(crate) cpu_s: f64,
    pub(crate) exit_code: Option<i32>,
    pub(crate) phases: Vec<Phase>,
    /// What a second look at the proof said, if there is one and it was asked for.
    #[serde(default)]
    pub(crate) proof: Option<ProofCheck>,
    /// What went wrong with running hardbop itself: a crash, a missing verdict line, an end that had to be forced.
    pub(crate) problem: Option<String>,
}

/// A second look at a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProofCheck {
    /// `hardbop certify` accepts it in a new process.
    pub(crate) accepted: bool,
    /// Invariants at loop heads that were replaced by `true`, one at a time.
    pub(crate) loop_heads: usize,
    /// Those without which the proof is rejected.
    pub(crate) needed: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Verdict {
    Safe,
    Unsafe,
    Unknown,
}

/// Time spent in one phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Phase {
    pub(crate) name: String,
    pub(crate) time_s: f64,
}

impl Run {
    /// Reads a saved run.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Run> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is not a saved run", path.display()))
    }
}

impl TaskResult {
    /// The verdict as a truth value of the property, if there is one.
    pub(crate) fn answer(&self) -> Option<bool> {
        match self.verdict {
            Verdict::Safe => Some(true),
            Verdict::Unsafe => Some(false),
            Verdict::Unknown => None,
        }
    }

    /// The verdict contradicts the known answer.
    pub(crate) fn is_wrong(&self) -> bool {
        self.answer().zip(self.expected).is_some_and(|(a, e)| a != e)
    }

    /// There is a verdict, and nothing contradicts it.
    pub(crate) fn is_solved(&self) -> bool {
        self.answer().is_some() && !self.is_wrong()
    }

    /// hardbop itself failed.
    pub(crate) fn is_broken(&self) -> bool {
        self.problem.is_some()
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Verdict::Safe => "SAFE",
            Verdict::Unsafe => "UNSAFE",
            Verdict::Unknown => "UNKNOWN",
        })
    }
}

/// A result for the tests of tables.
#[cfg(test)]
pub(crate) fn sample(task: &str, expected: bool, verdict: Verdict, reason: &str) -> TaskResult {
    let decided = verdict != Verdict::Unknown;
    TaskResult {
        task: task.into(),
        expected: Some(expected),
        verdict,
        reason: reason.into(),
        engine: decided.then(|| "bounded".to_string()),
        lowers_fully: Some(true),
        closed: Some(false),
        time_s: 1.0,
        cpu_s: 1.0,
        exit_code: Some(0),
        phases: vec![],
        proof: None,
        problem: None,
    }
}

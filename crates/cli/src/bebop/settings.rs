//! What `hardbop bebop` is asked to do, as plain data.

use crate::settings::Limits;
use serde::{Deserialize, Serialize};

/// `hardbop bebop`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BebopSettings {
    /// What to do with which files.
    pub task: Task,
    /// How the text is to be read.
    pub dialect: Reading,
    /// Time and memory.
    pub limits: Limits,
    /// Where statistics go.
    pub stats: Option<String>,
}

/// The tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Decide whether targets are reached.
    Check(CheckTask),
    /// Compare two programs statement by statement.
    Equiv(String, String),
    /// Print a program in another form; the labels are those that it asks for, if it asks for any.
    Convert(String, Form, Vec<String>),
}

/// What to find out about a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CheckTask {
    /// The program.
    pub file: String,
    /// The labels that must not be reached; none: the usual targets.
    pub labels: Vec<String>,
    /// Say of every label and every assertion whether it is reached or can fail.
    pub all: bool,
    /// Show a shortest trace; calls deeper than this are stepped over.
    pub trace: Option<usize>,
    /// The file for the locations that a shortest trace passes.
    pub path: Option<String>,
    /// Show what is true at labels.
    pub invariants: bool,
    /// Variables can hold a third value.
    pub three_valued: bool,
    /// Sets of trivectors.
    pub cartesian: Option<Cartesian>,
    /// Whether the answer is checked.
    pub certify: Certify,
}

impl CheckTask {
    /// Whether a trace is asked for.
    pub(super) fn wants_trace(&self) -> bool {
        self.trace.is_some() || self.path.is_some()
    }
}

/// The Cartesian view of a program (TACAS01).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cartesian {
    /// The variables that are split before every step.
    pub focus: Vec<String>,
    /// One trivector for each statement.
    pub join: bool,
}

/// Whether an answer is checked by code that did not find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Certify {
    /// Whatever it takes.
    Always,
    /// Unless the search was so large that the check would take long.
    WhenSmall,
    /// Not at all.
    Never,
}

/// How the text of a program is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Reading {
    /// As boppo if the text says that SATABS wrote it, as Bebop otherwise.
    Auto,
    /// `=` binds tighter than `&`.
    Bebop,
    /// `=` binds looser than `|`, and names may contain `-`.
    Boppo,
}

/// Forms in which a program can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Form {
    /// hardbop's own: every statement, every label, full parentheses.
    Canonical,
    /// What SLAM and Static Driver Verifier write.
    Slam,
    /// What SATABS writes and boppo reads.
    Satabs,
    /// The part of the language that Moped and Getafix read.
    Moped,
    /// Horn clauses that ask for the targets, for z3.
    Smtlib,
    /// A module of NuSMV and nuXmv whose invariant says that no target is reached; calls are inlined.
    Smv,
}

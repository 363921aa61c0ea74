//! What a job ends in: the answer, the exit code, and everything the report needs. Plain data that crosses the pipe from
//! the child to the parent.

use crate::bebop::Task;
use crate::settings::Job;
use report::counterexample::RunReport;
use report::targets::TargetReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The exit codes, the same for every command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All safe, done, accepted, infeasible.
    Good = 0,
    /// Wrong usage, including an unsupported property.
    Usage = 1,
    /// The front end refuses the input; also an unreadable proof, or one for another program.
    BadInput = 2,
    /// Limits, Ctrl-C, nothing decided.
    Inconclusive = 5,
    /// A bug of hardbop.
    Internal = 6,
    /// A target is reached, a proof is rejected, a path is feasible.
    Defect = 10,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        std::process::ExitCode::from(exit as u8)
    }
}

/// The answer to a job. Which ones are possible depends on the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// `check`: no execution goes wrong, and the proof was checked.
    Safe,
    /// `check`: an execution goes wrong, and its replay was checked.
    Unsafe,
    /// `check --rule`: the program uses nothing of what the rule is about.
    NotApplicable,
    /// `certify`: the proof holds. `validate`: the witness shows what it claims.
    Accepted,
    /// `certify`: the proof does not hold. `validate`: the witness is wrong.
    Rejected,
    /// `run`: the program ended and nothing went wrong.
    Finished,
    /// `run`: the program went wrong.
    Failed,
    /// `replay`: the compiled program goes wrong as the run does.
    Shown,
    /// `replay`: it does not, although all inputs were given.
    NotShown,
    /// `abstract`, `invariants`: what was asked for is there.
    Done,
    /// `newton`: an execution takes the path.
    Feasible,
    /// `newton`: none does.
    Infeasible,
    /// `bebop --equiv`: the programs do the same.
    Equivalent,
    /// `bebop --equiv`: they do not.
    Different,
    /// `bebop --convert`: the text is there.
    Converted,
    /// Any command: not decided, within the meaning of the job.
    Unknown,
    /// Any command: the input is not a program, proof or tape that can be used.
    BadInput,
    /// Any command: an output file cannot be written, or options contradict the program.
    BadUsage,
    /// Any command: hardbop itself failed.
    Internal,
}

impl Answer {
    /// Whether a job of this kind can end in this answer.
    pub(crate) fn belongs_to(self, job: &Job) -> bool {
        match self {
            Answer::Safe | Answer::Unsafe => match job {
                Job::Check(_) => true,
                Job::Replay(_) => self == Answer::Safe,
                Job::Bebop(s) => matches!(s.task, Task::Check(_)),
                _ => false,
            },
            Answer::NotApplicable => matches!(job, Job::Check(s) if s.program.rule.is_some()),
            Answer::Equivalent | Answer::Different => matches!(job, Job::Bebop(s) if matches!(s.task, Task::Equiv(..))),
            Answer::Converted => matches!(job, Job::Bebop(s) if matches!(s.task, Task::Convert(..))),
            Answer::Accepted | Answer::Rejected => matches!(job, Job::Certify(_) | Job::Validate(_)),
            Answer::Finished | Answer::Failed => matches!(job, Job::Run(_)),
            Answer::Shown | Answer::NotShown => matches!(job, Job::Replay(_)),
            Answer::Done => matches!(job, Job::Abstract(_) | Job::Invariants(_) | Job::Compare(_)),
            Answer::Feasible | Answer::Infeasible => matches!(job, Job::Newton(_)),
            Answer::Unknown | Answer::BadInput | Answer::BadUsage | Answer::Internal => true,
        }
    }
}

/// What a job ends in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// The text in brackets on the answer line: what went wrong and where, or why nothing was decided. One line.
    pub reason: String,
    /// The engine that found the answer.
    pub engine: Option<String>,
    /// Messages about the input, rendered, in order; they go to stderr.
    pub messages: Vec<String>,
    /// The run in which the program goes wrong, where it is not that of a target.
    pub run: Option<RunReport>,
    /// The part of the property that is broken, as the competition calls it.
    pub breaks: Option<String>,
    /// Why a run that was found does not decide the property.
    pub open: Option<String>,
    /// What is known of each target of the program, by `check`.
    pub targets: Vec<TargetReport>,
    /// What else there is to read before the answer: a boolean program, invariants, a proof, why nothing was decided.
    pub text: Vec<String>,
    /// What the user can do about an answer that is none, one line each.
    pub advice: Vec<String>,
    /// How the answer comes from an earlier run, if it does.
    #[serde(default)]
    pub cached: Option<String>,
    /// What the answer rests on, one line each.
    pub assumptions: Vec<String>,
    /// What a page for a browser or an editor shows besides, if that was asked for.
    pub details: Option<Box<Details>>,
    /// Measurements.
    pub stats: Stats,
}

/// What only a page for a browser or an editor shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Details {
    /// The runs with all their steps, and what each ends in.
    pub runs: Vec<(String, RunReport)>,
    /// What a proof says at lines of the source.
    pub invariants: Vec<InvariantAt>,
    /// The last boolean program.
    pub boolean_program: Option<String>,
    /// The predicates in it.
    pub predicates: Option<String>,
    /// Functions with a body that the entry does not reach, with their places.
    pub unreached: Vec<String>,
    /// Texts that are no files: a rule of the library.
    pub sources: BTreeMap<String, String>,
    /// The state of the rule: for each variable the names of its values.
    pub rule_states: BTreeMap<String, Vec<String>>,
}

/// What holds at a line of the source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct InvariantAt {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// Of which point of the program it is said: "each round".
    pub what: String,
    /// The condition, as C.
    pub text: String,
}

/// Measurements and properties of the program, known so far. The child may send them before the answer is there, so that
/// they are not lost when a limit ends it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stats {
    /// Whether no function reachable from the entry contains an unsupported construct.
    pub lowers_fully: Option<bool>,
    /// Whether the program was decided by a run that took nothing from outside.
    pub closed: Option<bool>,
    /// What the compiled program did on the inputs of the counterexample, if that was asked for.
    pub compiled_replay: Option<String>,
    /// What stood in the way of each engine that ended its turn without a verdict: its name and the reason.
    #[serde(default)]
    pub engines: BTreeMap<String, String>,
    /// Counters by name: interpreter steps, solver queries, paths.
    pub counters: BTreeMap<String, u64>,
    /// The rounds of the refinement loop, each in numbers with names.
    pub iterations: Vec<BTreeMap<String, u64>>,
}

impl Outcome {
    /// An outcome with nothing but an answer and its reason.
    pub(crate) fn new(answer: Answer, reason: impl Into<String>) -> Outcome {
        Outcome {
            answer,
            reason: reason.into(),
            engine: None,
            messages: Vec::new(),
            run: None,
            breaks: None,
            open: None,
            targets: Vec::new(),
            text: Vec::new(),
            advice: Vec::new(),
            cached: None,
            assumptions: Vec::new(),
            details: None,
            stats: Stats::default(),
        }
    }

    /// Nothing was decided, for this reason.
    pub(crate) fn unknown(reason: impl Into<String>) -> Outcome {
        Outcome::new(Answer::Unknown, reason)
    }

    /// hardbop itself failed.
    pub(crate) fn internal(reason: impl Into<String>) -> Outcome {
        Outcome::new(Answer::Internal, reason)
    }

    /// The input cannot be used: `messages` go to stderr, `reason` to the answer line.
    pub(crate) fn bad_input(reason: impl Into<String>, messages: Vec<String>) -> Outcome {
        Outcome { messages, ..Outcome::new(Answer::BadInput, reason) }
    }

    /// The exit code that goes with the answer.
    pub(crate) fn exit(&self) -> Exit {
        match self.answer {
            Answer::Safe
            | Answer::NotApplicable
            | Answer::Accepted
            | Answer::Finished
            | Answer::Done
            | Answer::Infeasible
            | Answer::Equivalent
            | Answer::Converted => Exit::Good,
            Answer::Unsafe
            | Answer::Rejected
            | Answer::Failed
            | Answer::Shown
            | Answer::Feasible
            | Answer::Different => Exit::Defect,
            Answer::Unknown | Answer::NotShown => Exit::Inconclusive,
            Answer::BadInput => Exit::BadInput,
            Answer::BadUsage => Exit::Usage,
            Answer::Internal => Exit::Internal,
        }
    }
}

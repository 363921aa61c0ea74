//! What is known of each target of a program: which fail, with their runs, which are proved, and which nobody decided.
//!
//! The data is plain, so that it can cross the pipe, and every format of the answer starts from it.

use crate::ProgramText;
use crate::counted;
use crate::counterexample::{self, RunReport};
use ir::targets::Target;
use ir::{ErrorKind, Op};
use serde::{Deserialize, Serialize};

/// A place where the program can go wrong, and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TargetReport {
    /// The user's file.
    pub file: String,
    /// The user's line.
    pub line: u32,
    /// The column on it.
    pub column: u32,
    /// The function around it.
    pub function: String,
    /// The kind of defect: `assertion`, `error-call`, or the name of a kind of undefined behaviour.
    pub rule: String,
    /// What goes wrong there: "assertion `x > 0` fails".
    pub what: String,
    /// The line of the source.
    pub source_line: String,
    /// What is known.
    pub state: TargetState,
    /// The engine that found it out.
    pub engine: Option<String>,
    /// The run that goes wrong there.
    pub run: Option<RunReport>,
}

/// What is known of a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TargetState {
    /// A run reaches it.
    Fails,
    /// No run reaches it.
    Proved {
        /// Places of defects that come before it in some run: what is proved are the runs that do not end there.
        behind: Vec<String>,
    },
    /// No run even comes to where it is decided, and these places of defects come before it.
    CutOff {
        /// The places.
        behind: Vec<String>,
    },
    /// Nobody decided it, for this reason.
    Unknown(String),
    /// It was not looked at by itself.
    Open,
}

impl TargetState {
    /// One word for it.
    pub fn word(&self) -> &'static str {
        match self {
            TargetState::Fails => "fails",
            TargetState::Proved { .. } => "proved",
            TargetState::CutOff { .. } => "cut off",
            TargetState::Unknown(_) => "unknown",
            TargetState::Open => "open",
        }
    }
}

impl TargetReport {
    /// A target of which nothing is known yet.
    pub fn open(source: ProgramText<'_>, target: Target) -> TargetReport {
        let (func, edge) = target.place();
        let span = source.edge(func, edge).span;
        let at = source.map.locate(span);
        let kind = match &source.edge(target.func, target.edge).op {
            Op::Error(kind) => kind.clone(),
            _ => ErrorKind::Reached(String::new()),
        };
        // A function that reports for its callers is an assertion to them.
        let nameless = matches!(&kind, ErrorKind::Assert(text) if text.trim().is_empty());
        let what = match source.map.text(span) {
            text if (target.call.is_some() || nameless) && text.ends_with(')') => {
                format!("`{}` fails", shortened(text))
            }
            _ => ProgramText::describe_error(&kind),
        };
        TargetReport {
            file: at.file,
            line: at.line,
            column: at.column,
            function: source.program.functions[func].name.clone(),
            rule: rule(&kind).to_string(),
            what,
            source_line: source.source_line(span).trim().to_string(),
            state: TargetState::Open,
            engine: None,
            run: None,
        }
    }

    /// Whether no run reaches it.
    pub fn is_proved(&self) -> bool {
        matches!(self.state, TargetState::Proved { .. })
    }

    /// `file:line:column`.
    pub fn place(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }

    /// What it is about, whether or not it fails: "assertion `x > 0`".
    pub fn about(&self) -> &str {
        let what = self.what.as_str();
        if self.rule == "leak" {
            return what.strip_prefix("not ").unwrap_or(what);
        }
        what.strip_suffix(" fails").or_else(|| what.strip_suffix(" is called")).unwrap_or(what)
    }

    /// "assertion `x > 0` fails at a.c:3:5".
    pub fn ending(&self) -> String {
        format!("{} at {}", self.what, self.place())
    }
}

/// Characters of a call that are shown.
const MOST_OF_A_CALL: usize = 60;

/// Source text on one line of bounded length.
fn shortened(text: &str) -> String {
    let dense = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = dense.chars().take(MOST_OF_A_CALL).collect();
    if short.len() < dense.len() { short + "…" } else { short }
}

/// The name of a kind of defect, as formats and `hardbop explain` have it.
pub fn rule(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Reached(_) => "error-call",
        ErrorKind::Assert(text) if [ir::leaks::AT_RETURN, ir::leaks::AT_END].contains(&text.as_str()) => "leak",
        ErrorKind::Assert(_) => "assertion",
        ErrorKind::Rule(_) => "rule",
        ErrorKind::Ub(ub) => ub.name(),
    }
}

/// Targets that are listed one by one, where no more was asked for; the proved ones are only counted beyond that.
const MOST_LISTED: usize = 24;

/// The runs of all defects, then what is known of each target; every line ends with a newline. `all` lists every target.
pub fn render(targets: &[TargetReport], all: bool) -> String {
    let failing: Vec<&TargetReport> = targets.iter().filter(|t| t.state == TargetState::Fails).collect();
    let mut out = String::new();
    for (i, target) in failing.iter().enumerate() {
        if targets.len() > 1 && failing.len() > 1 {
            out += &format!("Defect {} of {}: {}\n", i + 1, failing.len(), target.ending());
        }
        out += &target.run.as_ref().map(counterexample::render).unwrap_or_default();
    }
    out + &table(targets, all)
}

/// One line for each target, if there are several and something is known of more than one.
fn table(targets: &[TargetReport], all: bool) -> String {
    let known = targets.iter().filter(|t| t.state != TargetState::Open).count();
    if targets.len() < 2 || known < 2 {
        return String::new();
    }
    let proved = |t: &&TargetReport| matches!(&t.state, TargetState::Proved { behind } if behind.is_empty());
    let brief = !all && targets.len() > MOST_LISTED;
    let listed: Vec<&TargetReport> = targets.iter().filter(|t| !(brief && proved(t))).collect();
    let mut out = format!("The {} of the program:\n", counted(targets.len() as u64, "target"));
    let place = listed.iter().map(|t| t.place().chars().count()).max().unwrap_or(0);
    // One line for all targets of a place about which the same is known, unless every target is asked for.
    let mut rows: Vec<(&TargetReport, Vec<(&str, u32)>)> = Vec::new();
    for target in &listed {
        let same = |(t, _): &&mut (&TargetReport, _)| t.place() == target.place() && t.state == target.state;
        match rows.iter_mut().rev().find(same).filter(|_| !all && target.state != TargetState::Fails) {
            Some((_, about)) => match about.iter_mut().find(|(a, _)| *a == target.about()) {
                Some((_, n)) => *n += 1,
                None => about.push((target.about(), 1)),
            },
            None => rows.push((target, vec![(target.about(), 1)])),
        }
    }
    for (target, about) in rows {
        let remark = match &target.state {
            TargetState::Proved { behind } if !behind.is_empty() => {
                format!("; behind the defect at {}: of runs that get past it", behind.join(", "))
            }
            TargetState::CutOff { behind } => format!("; no run comes here: they end before, at {}", behind.join(", ")),
            TargetState::Unknown(why) => format!("; {why}"),
            TargetState::Fails | TargetState::Proved { .. } | TargetState::Open => String::new(),
        };
        // An assertion is what holds, a kind of undefined behaviour what does not happen.
        let stated = matches!(target.rule.as_str(), "assertion" | "error-call" | "leak" | "rule");
        let no = if !stated && target.is_proved() { "no " } else { "" };
        let times = |(about, n): &(&str, u32)| {
            if *n == 1 { format!("{no}{about}") } else { format!("{no}{about} ({n} times)") }
        };
        let about = about.iter().map(times).collect::<Vec<_>>().join(", ");
        out += &format!("  {:place$}  {:7}  {about}{remark}\n", target.place(), target.state.word());
    }
    let left_out = targets.len() - listed.len();
    if left_out > 0 {
        out += &format!("  {} proved (-v lists them)\n", counted(left_out as u64, "more target"));
    }
    out
}

/// How many targets fail, are proved and are not decided, in words: "2 of 5 targets fail, 3 are proved".
pub fn count(targets: &[TargetReport]) -> Option<String> {
    let n = |word: &str| targets.iter().filter(|t| t.state.word() == word).count();
    if targets.len() < 2 || n("open") + 1 >= targets.len() {
        return None;
    }
    let verb = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let mut parts = Vec::new();
    let mut part = |word: &str, one: &str, many: &str| {
        if n(word) > 0 {
            parts.push(verb(n(word), one, many));
        }
    };
    part("fails", "fails", "fail");
    part("proved", "is proved", "are proved");
    part("cut off", "is cut off", "are cut off");
    part("unknown", "is not decided", "are not decided");
    part("open", "was not looked at", "were not looked at");
    Some(format!("of {} targets {}", targets.len(), parts.join(", ")))
}

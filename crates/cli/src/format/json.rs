//! The answer as JSON. docs/formats.md is its description; whatever changes there in a way that a reader notices changes
//! [`SCHEMA`].

use super::fingerprint::fingerprints;
use crate::codes::reasons;
use crate::outcome::Answer;
use crate::settings::Job;
use crate::stats_file::verdict_word;
use crate::supervise::Ended;
use report::counterexample::{RunLine, RunReport};
use report::targets::{TargetReport, TargetState};
use serde_json::{Value, json};

/// The version of the description.
const SCHEMA: &str = "hardbop-answer-1";

/// The document.
pub(super) fn document(job: &Job, ended: &Ended) -> Value {
    let outcome = &ended.outcome;
    let decided = matches!(outcome.answer, Answer::Safe | Answer::Unsafe);
    let names = fingerprints(&outcome.targets);
    let phases: Vec<Value> =
        ended.phases.iter().map(|(name, t)| json!({ "name": name, "time_s": t.as_secs_f64() })).collect();
    let mut document = json!({
        "schema": SCHEMA,
        "tool": { "name": "hardbop", "version": env!("CARGO_PKG_VERSION") },
        "files": job.files(),
        "verdict": verdict_word(outcome.answer),
        "reason": outcome.reason,
        "reason_code": (!decided).then(|| reasons::of(outcome)),
        "exit_code": outcome.exit() as u8,
        "engine": outcome.engine,
        "targets": outcome.targets.iter().zip(&names).map(|(t, name)| target(t, name)).collect::<Vec<_>>(),
        "notes": outcome.text,
        "assumptions": outcome.assumptions,
        "advice": outcome.advice,
        "messages": outcome.messages,
        "time_s": ended.time.as_secs_f64(),
        "peak_memory_bytes": ended.peak_memory,
        "phases": phases,
        "counters": outcome.stats.counters,
    });
    if let Some(details) = &outcome.details {
        let invariants = details
            .invariants
            .iter()
            .map(|i| json!({ "file": i.file, "line": i.line, "column": i.column, "what": i.what, "text": i.text }));
        document["invariants"] = invariants.collect();
    }
    document
}

/// Several answers, each with the entry and the rule that it is about.
pub(super) fn documents(all: &[(Job, Ended)]) -> Value {
    let answers: Vec<Value> = all
        .iter()
        .map(|(job, ended)| {
            let mut answer = document(job, ended);
            answer["entry"] = json!(super::entry_of(job));
            answer["rule"] = json!(super::rule_of(job));
            answer
        })
        .collect();
    json!({
        "schema": "hardbop-answers-1",
        "tool": { "name": "hardbop", "version": env!("CARGO_PKG_VERSION") },
        "answers": answers,
    })
}

fn target(target: &TargetReport, fingerprint: &str) -> Value {
    let (reason, behind) = match &target.state {
        TargetState::Unknown(why) => (Some(why), &Vec::new()),
        TargetState::Proved { behind } | TargetState::CutOff { behind } => (None, behind),
        TargetState::Fails | TargetState::Open => (None, &Vec::new()),
    };
    json!({
        "file": target.file,
        "line": target.line,
        "column": target.column,
        "function": target.function,
        "rule": target.rule,
        "what": target.what,
        "source": target.source_line,
        "state": target.state.word().replace(' ', "-"),
        "reason": reason,
        "behind": behind,
        "engine": target.engine,
        "fingerprint": fingerprint,
        "run": target.run.as_ref().map(run),
    })
}

fn run(run: &RunReport) -> Value {
    let lines: Vec<Value> = run.lines.iter().map(line).collect();
    let inputs: Vec<Value> = run
        .inputs
        .iter()
        .map(|i| json!({ "file": i.file, "line": i.line, "what": i.what, "value": i.value }))
        .collect();
    json!({
        "steps": run.n_steps,
        "lines": lines,
        "inputs": inputs,
        "inputs_left_out": run.inputs_left_out,
        "remarks": run.remarks,
    })
}

fn line(line: &RunLine) -> Value {
    match line {
        RunLine::Gap { depth, text } => json!({ "depth": depth, "left_out": text }),
        RunLine::Step(s) => json!({
            "depth": s.depth,
            "file": s.file,
            "line": s.line,
            "column": s.column,
            "function": s.function,
            "source": s.source_line.trim(),
            "remarks": s.remarks,
        }),
    }
}

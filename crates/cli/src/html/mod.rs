//! `check --report`: the answer as one HTML file that needs nothing else: the source beside the run with its values, the
//! invariants of a proof at their lines, the targets, the rounds of refinement and the last boolean program.
//!
//! The page is a fixed text with the answer in it as JSON; lists of steps and lines draw only what is in sight, so a run of
//! ten thousand steps costs as much as one of fifty.

use crate::format::escaped;
use crate::outcome::Outcome;
use crate::settings::Job;
use crate::stats_file::verdict_word;
use crate::supervise::Ended;
use report::counterexample::{RunLine, RunReport};
use report::targets::{TargetReport, TargetState};
use serde_json::{Value, json};

/// The whole file.
pub(crate) fn page(job: &Job, ended: &Ended) -> String {
    let outcome = &ended.outcome;
    let files = job.files().join(" ");
    let verdict = verdict_word(outcome.answer);
    // Inside of a script element, only its end tag and a comment's beginning mean something.
    let data = document(job, ended).to_string().replace("</", "<\\/").replace("<!--", "<\\u0021--");
    let mut out = String::new();
    let mut rest = include_str!("page.html");
    while let Some((before, after)) = rest.split_once('@') {
        let (name, after) = after.split_once('@').unwrap_or((after, ""));
        out += before;
        out += &match name {
            "TITLE" => escaped(&format!("{verdict}: {files}")),
            "CSS" => include_str!("page.css").to_string(),
            "JS" => include_str!("page.js").to_string(),
            "VERDICT" => verdict.to_string(),
            "FILES" => escaped(&files),
            "REASON" => escaped(&outcome.reason),
            _ => data.clone(),
        };
        rest = after;
    }
    out + rest
}

/// Names of files, each once, in the order in which they are met.
struct Files(Vec<String>);

impl Files {
    fn index(&mut self, name: &str) -> usize {
        self.0.iter().position(|f| f == name).unwrap_or_else(|| {
            self.0.push(name.to_string());
            self.0.len() - 1
        })
    }
}

fn document(job: &Job, ended: &Ended) -> Value {
    let outcome = &ended.outcome;
    let mut files = Files(job.files());
    let details = outcome.details.clone().unwrap_or_default();
    let runs = runs(outcome);
    let shown_runs: Vec<Value> = runs.iter().map(|(title, r)| run(title, r, &mut files)).collect();
    let failing = outcome.targets.iter().filter(|t| t.state == TargetState::Fails);
    let order: Vec<String> = failing.map(TargetReport::place).collect();
    let targets: Vec<Value> = outcome
        .targets
        .iter()
        .map(|t| {
            let run = order.iter().position(|p| *p == t.place()).filter(|i| *i < runs.len());
            json!({ "file": files.index(&t.file), "line": t.line, "state": t.state.word(), "what": t.what,
                    "note": note(t), "run": run })
        })
        .collect();
    let invariants: Vec<Value> = details
        .invariants
        .iter()
        .map(|i| json!({ "file": files.index(&i.file), "line": i.line, "what": i.what, "text": i.text }))
        .collect();
    let phases: Vec<Value> =
        ended.phases.iter().map(|(name, t)| json!({ "name": name, "time": t.as_secs_f64() })).collect();
    let text = |f: &String| details.sources.get(f).cloned().unwrap_or_else(|| text_of(f));
    let sources: Vec<Value> = files.0.iter().map(|f| json!({ "name": f, "text": text(f) })).collect();
    let rule = match job {
        Job::Check(s) => s.program.rule.as_ref(),
        _ => None,
    };
    json!({
        "files": sources,
        "runs": shown_runs,
        "targets": targets,
        "invariants": invariants,
        "phases": phases,
        "iterations": outcome.stats.iterations,
        "boolean_program": details.boolean_program,
        "predicates": details.predicates,
        "unreached": details.unreached,
        "rule": rule.map(|r| json!({ "name": r.name, "states": details.rule_states })),
        "assumptions": outcome.assumptions,
        "advice": outcome.advice,
        "messages": outcome.messages,
        "notes": outcome.text,
    })
}

/// The runs that go wrong, with all their steps where there are any, and what each ends in.
fn runs(outcome: &Outcome) -> Vec<(String, RunReport)> {
    let full = outcome.details.iter().flat_map(|d| &d.runs);
    let full: Vec<(String, RunReport)> = full.cloned().collect();
    if !full.is_empty() {
        return full;
    }
    let failing = outcome.targets.iter().filter_map(|t| Some((t.ending(), t.run.clone()?)));
    failing.chain(outcome.run.clone().map(|r| (outcome.reason.clone(), r))).collect()
}

fn run(title: &str, run: &RunReport, files: &mut Files) -> Value {
    let steps: Vec<Value> = run
        .lines
        .iter()
        .map(|l| match l {
            RunLine::Gap { depth, text } => json!({ "gap": text, "depth": depth }),
            RunLine::Step(s) => json!({ "depth": s.depth, "file": files.index(&s.file), "line": s.line,
                "function": s.function, "source": s.source_line.trim(), "remarks": s.remarks }),
        })
        .collect();
    let inputs: Vec<Value> =
        run.inputs.iter().map(|i| json!({ "line": i.line, "what": i.what, "value": i.value })).collect();
    json!({ "title": title, "steps": steps, "inputs": inputs, "remarks": run.remarks })
}

fn note(target: &TargetReport) -> String {
    match &target.state {
        TargetState::Proved { behind } if !behind.is_empty() => format!("of runs that get past {}", behind.join(", ")),
        TargetState::CutOff { behind } => format!("runs end before, at {}", behind.join(", ")),
        TargetState::Unknown(why) => why.clone(),
        TargetState::Proved { .. } | TargetState::Fails | TargetState::Open => String::new(),
    }
}

/// The text of a file as it is now; nothing, if it cannot be read any more.
fn text_of(file: &str) -> String {
    match std::fs::read(file) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => String::new(),
    }
}

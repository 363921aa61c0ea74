//! The answer as SARIF 2.1.0 (OASIS standard): a result for each target that fails, with its run as a code flow; what is not
//! decided is a notification, because readers of SARIF take every result for a finding.

use super::fingerprint::fingerprints;
use super::uri;
use crate::codes::{self, Code, Group, reasons};
use crate::outcome::Answer;
use crate::settings::Job;
use crate::supervise::Ended;
use report::counterexample::{RunLine, RunReport};
use report::targets::{TargetReport, TargetState};
use serde_json::{Value, json};

/// The document.
pub(super) fn document(job: &Job, ended: &Ended) -> Value {
    let outcome = &ended.outcome;
    let rules: Vec<&Code> = codes::all().filter(|c| c.group == Group::Defect).collect();
    let names = fingerprints(&outcome.targets);
    let failing = outcome.targets.iter().zip(&names).filter(|(t, _)| t.state == TargetState::Fails);
    let results: Vec<Value> = failing.map(|(t, name)| result(t, name, &rules)).collect();
    let works = !matches!(outcome.answer, Answer::BadInput | Answer::BadUsage | Answer::Internal);
    let counts = |word: &str| outcome.targets.iter().filter(|t| t.state.word() == word).count();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "hardbop",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|c| rule(c)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "artifacts": job.files().iter().map(|f| json!({
                "location": { "uri": uri::reference(f) }, "sourceLanguage": "c",
            })).collect::<Vec<_>>(),
            "invocations": [{
                "executionSuccessful": works,
                "exitCode": outcome.exit() as u8,
                "toolExecutionNotifications": notifications(ended),
            }],
            "results": results,
            "properties": {
                "verdict": crate::stats_file::verdict_word(outcome.answer),
                "reason": outcome.reason,
                "targets": outcome.targets.len(),
                "proved": counts("proved"),
                "assumptions": outcome.assumptions,
            },
        }],
    })
}

/// Several checks as one run: readers take two runs of one tool for two analyses of which the later replaces the earlier. A
/// rule of the user's is a rule of SARIF, and its defects are results of it.
pub(super) fn documents(all: &[(Job, Ended)]) -> Value {
    let mut whole = json!(null);
    let mut checks = Vec::new();
    for (job, ended) in all {
        let mut one = document(job, ended);
        let run = &mut one["runs"][0];
        let mut check = run["properties"].take();
        check["entry"] = json!(super::entry_of(job));
        check["rule"] = json!(super::rule_of(job));
        checks.push(check);
        if whole.is_null() {
            whole.clone_from(&one);
            whole["runs"][0]["results"] = json!([]);
            whole["runs"][0]["invocations"][0]["toolExecutionNotifications"] = json!([]);
        }
        let mut results = one["runs"][0]["results"].take();
        let index = super::rule_of(job).map(|name| (name, own_rule(&mut whole["runs"][0], name)));
        for result in results.as_array_mut().into_iter().flatten() {
            if let (Some((name, index)), Some("rule")) = (index, result["ruleId"].as_str()) {
                result["ruleId"] = json!(name);
                result["ruleIndex"] = json!(index);
            }
        }
        let invocation = one["runs"][0]["invocations"][0].take();
        let target = &mut whole["runs"][0];
        append(&mut target["results"], &results);
        let said = &mut target["invocations"][0];
        append(&mut said["toolExecutionNotifications"], &invocation["toolExecutionNotifications"]);
        let works = said["executionSuccessful"] == json!(true) && invocation["executionSuccessful"] == json!(true);
        said["executionSuccessful"] = json!(works);
        said["exitCode"] = json!(said["exitCode"].as_u64().max(invocation["exitCode"].as_u64()));
    }
    if !whole.is_null() {
        whole["runs"][0]["properties"] = json!({ "checks": checks });
    }
    whole
}

fn append(to: &mut Value, from: &Value) {
    if let (Some(to), Some(from)) = (to.as_array_mut(), from.as_array()) {
        to.extend(from.iter().cloned());
    }
}

/// The place of a user's rule among those of the run; it is added if it is not there.
fn own_rule(run: &mut Value, name: &str) -> usize {
    let Some(rules) = run["tool"]["driver"]["rules"].as_array_mut() else { return 0 };
    rules.iter().position(|r| r["id"] == json!(name)).unwrap_or_else(|| {
        rules.push(json!({
            "id": name,
            "shortDescription": { "text": format!("The rule {name}") },
            "help": { "text": format!("`hardbop rules show {name}` shows a rule of the library.") },
            "defaultConfiguration": { "level": "error" },
            "properties": { "tags": ["correctness"], "precision": "very-high" },
        }));
        rules.len() - 1
    })
}

fn rule(code: &Code) -> Value {
    let mut tags = vec!["correctness".to_string()];
    if let Some(cwe) = code.cwe {
        tags.extend(["security".to_string(), format!("external/cwe/cwe-{cwe}")]);
    }
    json!({
        "id": code.id,
        "name": pascal(code.id),
        "shortDescription": { "text": code.title },
        "fullDescription": { "text": code.text },
        "help": { "text": format!("{} See `hardbop explain {}`.", code.text, code.id) },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": tags, "precision": "very-high" },
    })
}

/// `NullDeref` of `null-deref`.
fn pascal(id: &str) -> String {
    let part = |p: &str| p.chars().take(1).map(|c| c.to_ascii_uppercase()).chain(p.chars().skip(1)).collect::<String>();
    id.split('-').map(part).collect()
}

fn result(target: &TargetReport, fingerprint: &str, rules: &[&Code]) -> Value {
    let mut result = json!({
        "ruleId": target.rule,
        "kind": "fail",
        "level": "error",
        "message": { "text": message(target) },
        "locations": [{
            "physicalLocation": physical(&target.file, target.line, target.column, &target.source_line),
            "logicalLocations": [{ "name": target.function, "kind": "function" }],
        }],
        "partialFingerprints": { "hardbopTarget/v1": fingerprint },
    });
    if let Some(index) = rules.iter().position(|r| r.id == target.rule) {
        result["ruleIndex"] = json!(index);
    }
    if let Some(run) = &target.run {
        result["codeFlows"] = json!([{
            "message": { "text": format!("The run that goes wrong ({})", report::counted(run.n_steps, "step")) },
            "threadFlows": [{ "locations": flow(run) }],
        }]);
    }
    result
}

/// What goes wrong, and on which inputs.
fn message(target: &TargetReport) -> String {
    let inputs: Vec<String> = target
        .run
        .iter()
        .flat_map(|r| &r.inputs)
        .take(4)
        .map(|i| format!("{} = {} (line {})", i.what, i.value, i.line))
        .collect();
    let on = if inputs.is_empty() { String::new() } else { format!(", for example with {}", inputs.join(", ")) };
    format!("In `{}`: {}{on}.", target.function, target.what)
}

fn physical(file: &str, line: u32, column: u32, source: &str) -> Value {
    // A line of the library's own headers may have no number.
    let mut region = json!({ "startLine": line.max(1), "startColumn": column.max(1) });
    if !source.is_empty() {
        region["snippet"] = json!({ "text": source });
    }
    json!({ "artifactLocation": { "uri": uri::reference(file) }, "region": region })
}

/// The steps of a run. What is left out is said at the step behind it.
fn flow(run: &RunReport) -> Vec<Value> {
    let mut left_out = String::new();
    let mut out = Vec::new();
    let last = run.lines.len().saturating_sub(1);
    for (i, line) in run.lines.iter().enumerate() {
        let step = match line {
            RunLine::Gap { text, .. } => {
                left_out = format!("({text} left out) ");
                continue;
            }
            RunLine::Step(step) => step,
        };
        let source = step.source_line.trim();
        let remarks = step.remarks.join(", ");
        let said = if remarks.is_empty() { source.to_string() } else { remarks };
        let text = std::mem::take(&mut left_out) + if said.is_empty() { "(a step without text)" } else { &said };
        out.push(json!({
            "location": {
                "physicalLocation": physical(&step.file, step.line, step.column, source),
                "message": { "text": text },
            },
            "nestingLevel": step.depth,
            "executionOrder": out.len() + 1,
            "importance": if i == last { "essential" } else { "important" },
        }));
    }
    out
}

/// Messages, and what was not decided.
fn notifications(ended: &Ended) -> Vec<Value> {
    let outcome = &ended.outcome;
    let mut out: Vec<Value> = Vec::new();
    for message in &outcome.messages {
        let level = if message.contains("warning: ") { "warning" } else { "error" };
        out.push(json!({ "level": level, "message": { "text": message } }));
    }
    if !matches!(outcome.answer, Answer::Safe | Answer::Unsafe | Answer::NotApplicable) {
        out.push(json!({
            "descriptor": { "id": reasons::of(outcome) },
            "level": if outcome.answer == Answer::Unknown { "warning" } else { "error" },
            "message": { "text": format!("UNKNOWN: {}", outcome.reason) },
        }));
    }
    for target in &outcome.targets {
        if let TargetState::Unknown(why) = &target.state {
            out.push(json!({
                "level": "warning",
                "message": { "text": format!("not decided: {}: {why}", target.what) },
                "locations": [{
                    "physicalLocation": physical(&target.file, target.line, target.column, &target.source_line),
                }],
            }));
        }
    }
    out
}

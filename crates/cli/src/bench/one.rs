//! One task: a `hardbop check` in a process of its own, and what its answer is worth.

use super::args::RunBench;
use super::log::{Record, Status};
use super::tasks::Task;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Checks one task; none if it was interrupted.
pub(super) fn check(task: &Task, args: &RunBench) -> Result<Option<Record>, String> {
    let stats = std::env::temp_dir().join(format!("hardbop-bench-{}-{}.json", std::process::id(), hash(task)));
    let witness = args.witnesses.as_ref().map(|dir| Path::new(dir).join(format!("{}.yml", file_name(task))));
    let mut command = hardbop("check", task)?;
    command.arg("--stats").arg(&stats);
    if let Some(path) = &witness {
        command.arg("--witness").arg(path);
    }
    let output = run(command.args(&args.options))?;
    let read = std::fs::read(&stats).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let _ = std::fs::remove_file(&stats);
    let said = String::from_utf8_lossy(&output.stdout);
    let mut record = Record { exit_code: output.status.code(), ..answer(task, &said, read.as_ref()) };
    if record.reason.starts_with("interrupted") {
        return Ok(None);
    }
    if output.status.code() == Some(1) {
        // An option that `check` does not take is one that no task can be checked with.
        return Err(format!("{}: {}", task.name, String::from_utf8_lossy(&output.stderr).trim()));
    }
    if let Some(path) = witness.filter(|p| args.validate && p.exists() && record.verdict != "unknown") {
        let mut command = hardbop("validate", task)?;
        let output = run(command.arg("--witness").arg(path).args(limits(&args.options)))?;
        let word = match output.status.code() {
            Some(0) => "confirmed",
            Some(10) => "rejected",
            _ => "unknown",
        };
        record.witness = Some(word.to_owned());
    }
    if args.validate && record.status == Status::Right && record.witness.as_deref() != Some("confirmed") {
        record.score = 0;
    }
    Ok(Some(record))
}

/// The command for a task, without its options.
fn hardbop(command: &str, task: &Task) -> Result<Command, String> {
    let exe = std::env::current_exe().map_err(|e| format!("cannot find this executable: {e}"))?;
    let mut out = Command::new(exe);
    out.args([command, "--svcomp", "-q", "--color", "never"]).arg(&task.path);
    if let Some(property) = &task.property {
        out.arg("--property").arg(property);
    }
    out.stdin(Stdio::null());
    Ok(out)
}

fn run(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|e| format!("cannot start a check: {}", crate::input::reason(&e)))
}

/// Those of the options that limit the work: a witness is checked within them too.
fn limits(options: &[String]) -> Vec<String> {
    let is_limit =
        |o: &str| ["--timeout", "--cpu-time", "--memory"].iter().any(|l| o == *l || o.starts_with(&format!("{l}=")));
    let mut out = Vec::new();
    let mut options = options.iter();
    while let Some(option) = options.next() {
        if is_limit(option) {
            out.push(option.clone());
            if !option.contains('=') {
                out.extend(options.next().cloned());
            }
        }
    }
    out
}

/// A name for files of this task.
fn file_name(task: &Task) -> String {
    let property = task.property_name().map_or(String::new(), |p| format!(".{p}"));
    // No name begins with a dot: such files are not listed.
    let parts = task.name.split(['/', '\\']).filter(|p| !p.is_empty() && *p != "." && *p != "..");
    format!("{}{property}", parts.collect::<Vec<_>>().join("_"))
}

fn hash(task: &Task) -> String {
    blake3::hash(file_name(task).as_bytes()).to_hex()[..16].to_owned()
}

/// The answer to a task, from what the check said and wrote.
fn answer(task: &Task, said: &str, stats: Option<&Value>) -> Record {
    let verdict = said.lines().rev().find_map(|l| l.strip_prefix("SV-COMP verdict: ")).unwrap_or("unknown").to_owned();
    let (status, score) = worth(task.expected.as_deref(), &verdict);
    let field = |name: &str| stats.map_or(&Value::Null, |s| &s[name]);
    Record {
        task: task.name.clone(),
        property: task.property_name(),
        sets: task.sets.clone(),
        expected: task.expected.clone(),
        verdict,
        status,
        score,
        witness: None,
        engine: field("engine").as_str().map(str::to_owned),
        cpu_s: field("cpu_s").as_f64().unwrap_or(0.0),
        time_s: field("time_s").as_f64().unwrap_or(0.0),
        memory_bytes: field("peak_memory_bytes").as_u64().unwrap_or(0),
        exit_code: None,
        reason: field("reason").as_str().unwrap_or("the check ended without an answer").to_owned(),
    }
}

/// What a verdict is worth: the points of SV-COMP. A violation of another part of the property than the expected one counts as
/// unknown there.
fn worth(expected: Option<&str>, verdict: &str) -> (Status, i64) {
    let holds = |v: &str| v == "true";
    match expected {
        _ if verdict == "unknown" => (Status::Unknown, 0),
        None => (Status::Unjudged, 0),
        Some(e) if holds(e) && holds(verdict) => (Status::Right, 2),
        Some(e) if holds(e) => (Status::Wrong, -16),
        Some(_) if holds(verdict) => (Status::Wrong, -32),
        Some(e) if e == verdict || e == "false" => (Status::Right, 1),
        Some(_) => (Status::Unknown, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_those_of_the_competition() {
        for (expected, verdict, status, score) in [
            (Some("true"), "true", Status::Right, 2),
            (Some("false"), "false(unreach-call)", Status::Right, 1),
            (Some("true"), "false(unreach-call)", Status::Wrong, -16),
            (Some("false"), "true", Status::Wrong, -32),
            (Some("false(valid-free)"), "false(valid-free)", Status::Right, 1),
            (Some("false(valid-free)"), "false(valid-deref)", Status::Unknown, 0),
            (Some("false(valid-free)"), "true", Status::Wrong, -32),
            (None, "true", Status::Unjudged, 0),
            (None, "unknown", Status::Unknown, 0),
            (Some("true"), "unknown", Status::Unknown, 0),
        ] {
            assert_eq!(worth(expected, verdict), (status, score), "{expected:?} {verdict}");
        }
    }

    #[test]
    fn only_limits_are_handed_to_the_validator() {
        let options = ["--first", "--cpu-time", "5s", "--memory=1G", "--engine", "bounded"].map(str::to_owned);
        assert_eq!(limits(&options), ["--cpu-time", "5s", "--memory=1G"]);
    }
}

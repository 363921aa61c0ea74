//! What the user sees: messages on standard error; the story, what the answer rests on, and the answer line on standard
//! output. A reader that goes away (a closed pipe) changes nothing about the exit code.

use crate::outcome::{Answer, Outcome};
use crate::settings::Job;
use crate::stats_file::verdict_word;
use crate::story;
use std::io::Write;

/// Prints everything about an outcome; the answer line is the last one.
pub(crate) fn print(job: &Job, outcome: &Outcome) {
    for message in &outcome.messages {
        complain(message);
    }
    let mut text = String::new();
    if let Some(story) = &outcome.story {
        text += &story::render(story);
    }
    if !outcome.assumptions.is_empty() {
        text += "The answer rests on:\n";
        for assumption in &outcome.assumptions {
            text += &format!("  {}\n", one_line(assumption));
        }
    }
    text += &answer_line(job, outcome);
    text.push('\n');
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes a message to standard error.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// `Verdict: UNKNOWN (time limit of 60 s reached in phase parse)` and its kin.
fn answer_line(job: &Job, outcome: &Outcome) -> String {
    let head = match (job, outcome.answer) {
        (Job::Check(_), answer) => format!("Verdict: {}", verdict_word(answer)),
        (Job::Certify(_), Answer::Accepted) => "Proof: ACCEPTED".to_string(),
        (Job::Certify(_), Answer::Rejected) => "Proof: REJECTED".to_string(),
        (Job::Certify(_), _) => "Proof: UNKNOWN".to_string(),
        (Job::Run(_), Answer::Finished) => "Run: FINISHED".to_string(),
        (Job::Run(_), Answer::Failed) => "Run: FAILED".to_string(),
        (Job::Run(_), _) => "Run: UNKNOWN".to_string(),
    };
    let engine = outcome.engine.as_ref().map(|e| format!("engine {e}"));
    let reason = Some(one_line(&outcome.reason)).filter(|r| !r.is_empty());
    let details: Vec<String> = reason.into_iter().chain(engine).collect();
    if details.is_empty() { head } else { format!("{head} ({})", details.join("; ")) }
}

/// The answer is one line, whatever a reason contains.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

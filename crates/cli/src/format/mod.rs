//! Answers for machines: JSON, SARIF and JUnit, all from the same data as the text. docs/formats.md describes them.

mod fingerprint;
mod json;
mod junit;
mod sarif;
mod uri;

pub(crate) use junit::escaped;

use crate::display::Format;
use crate::settings::Job;
use crate::supervise::Ended;

/// The answer in a format for machines; ends with a newline.
pub(crate) fn answer(format: Format, job: &Job, ended: &Ended) -> String {
    match format {
        // Nobody asks for it here: the text is made where it is shown.
        Format::Text => String::new(),
        Format::Json => pretty(&json::document(job, ended)),
        Format::Sarif => pretty(&sarif::document(job, ended)),
        Format::Junit => junit::document(job, ended),
    }
}

/// The answers to several checks in one document; ends with a newline.
pub(crate) fn answers(format: Format, all: &[(Job, Ended)]) -> String {
    match format {
        Format::Text => String::new(),
        Format::Json => pretty(&json::documents(all)),
        Format::Sarif => pretty(&sarif::documents(all)),
        Format::Junit => junit::documents(all),
    }
}

/// The rule that a check is about, if it is about one.
fn rule_of(job: &Job) -> Option<&str> {
    match job {
        Job::Check(s) => s.program.rule.as_ref().map(|r| r.name.as_str()),
        _ => None,
    }
}

/// The function where a check starts.
fn entry_of(job: &Job) -> &str {
    match job {
        Job::Check(s) => &s.program.entry,
        _ => "main",
    }
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).expect("a JSON value can be written") + "\n"
}

//! Answers for machines: JSON, SARIF and JUnit, all from the same data as the text. docs/formats.md describes them.

mod fingerprint;
mod json;
mod junit;
mod sarif;
mod uri;

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

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).expect("a JSON value can be written") + "\n"
}

//! What a job consists of: the stages in their order, from files to an outcome. Runs in the child process.
//!
//! This is the only place that joins the stages' libraries to the command; everything around it knows only [`Job`],
//! [`Progress`] and [`Outcome`].

use crate::excerpt;
use crate::input::{InputError, Source, read_program, read_text};
use crate::message::Progress;
use crate::outcome::Outcome;
use crate::settings::{CertifySettings, CheckSettings, Job, RunSettings};
use base::{Diagnostic, Severity, SourceMap};

/// Does the job.
pub(crate) fn work(job: &Job, progress: &mut Progress) -> Outcome {
    progress.phase("read");
    let sources = match read_program(job.program()) {
        Ok(sources) => sources,
        Err(e) => return refused(e),
    };
    match job {
        Job::Check(settings) => check(settings, &sources, progress),
        Job::Run(settings) => run(settings, &sources, progress),
        Job::Certify(settings) => certify(settings, &sources, progress),
    }
}

/// Decides whether the program can go wrong.
fn check(_settings: &CheckSettings, _sources: &[Source], progress: &mut Progress) -> Outcome {
    progress.record(|_| {});
    Outcome::unknown("no engine is built into this version")
}

/// Executes the program.
fn run(settings: &RunSettings, _sources: &[Source], _progress: &mut Progress) -> Outcome {
    if let Some(tape) = &settings.tape
        && let Err(e) = read_text(tape)
    {
        return refused(e);
    }
    Outcome::unknown("no interpreter is built into this version")
}

/// Re-checks a proof.
fn certify(settings: &CertifySettings, _sources: &[Source], _progress: &mut Progress) -> Outcome {
    if let Err(e) = read_text(&settings.proof) {
        return refused(e);
    }
    Outcome::unknown("no proof checker is built into this version")
}

fn refused(e: InputError) -> Outcome {
    Outcome::bad_input(format!("front end: {}", e.reason), vec![e.message])
}

/// The outcome when the front end found errors: all its messages, the first error on the answer line.
#[expect(dead_code, reason = "for the front end, which `check` does not call yet")]
fn refused_by_front_end(diagnostics: &[Diagnostic], map: &SourceMap) -> Outcome {
    let first = diagnostics.iter().find(|d| d.severity == Severity::Error);
    let reason = first.map_or_else(|| "no program".to_string(), |d| excerpt::one_line(d, map));
    let messages = diagnostics.iter().map(|d| excerpt::render(d, map)).collect();
    Outcome::bad_input(format!("front end: {reason}"), messages)
}

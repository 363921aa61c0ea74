//! Files that a command leaves behind: they are prepared before the work starts, so that a path that cannot be written is a
//! usage error and not the loss of an answer; the statistics are written by the parent, whatever became of the child.

use crate::display::{Display, Format};
use crate::format;
use crate::html;
use crate::outcome::Answer;
use crate::settings::Job;
use crate::supervise::Ended;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Output files that are open.
pub(crate) struct Outputs {
    stats: Option<(String, File)>,
    /// The answer in a format for machines.
    answer: Option<(String, File, Format)>,
    /// The page for a browser.
    page: Option<(String, File)>,
}

/// The statistics file.
#[derive(Serialize)]
struct StatsFile<'a> {
    tool: &'static str,
    version: &'static str,
    files: &'a [String],
    /// `SAFE`, `UNSAFE` or `UNKNOWN`; of a command that decides nothing, `DONE` or `UNKNOWN`.
    verdict: &'static str,
    reason: &'a str,
    exit_code: u8,
    engine: Option<&'a str>,
    lowers_fully: Option<bool>,
    closed: Option<bool>,
    compiled_replay: Option<&'a str>,
    time_s: f64,
    cpu_s: f64,
    peak_memory_bytes: u64,
    phases: Vec<Phase<'a>>,
    counters: &'a BTreeMap<String, u64>,
    iterations: &'a [BTreeMap<String, u64>],
    assumptions: &'a [String],
}

#[derive(Serialize)]
struct Phase<'a> {
    name: &'a str,
    time_s: f64,
}

/// Opens what will be written at the end, and checks that the rest can be written. Old files are gone afterwards: nobody
/// shall take them for those of this run.
pub(crate) fn prepare(job: &Job, display: &Display) -> Result<Outputs, String> {
    let cannot = |path: &str, e: &std::io::Error| format!("cannot write {path}: {}", crate::input::reason(e));
    let (dump, written) = match job {
        Job::Check(s) => {
            (s.dump.as_ref(), vec![&s.emit_proof, &s.emit_tape, &s.emit_test, &s.witness, &s.witness_graphml])
        }
        Job::Replay(s) => (None, vec![&s.check.emit_test]),
        Job::Abstract(s) => (None, vec![&s.out]),
        Job::Compare(s) => (None, vec![&s.json, &s.svg]),
        Job::Run(_) | Job::Certify(_) | Job::Validate(_) | Job::Invariants(_) | Job::Newton(_) | Job::Bebop(_) => {
            (None, Vec::new())
        }
    };
    if let Some(dump) = dump {
        std::fs::create_dir_all(&dump.dir).map_err(|e| cannot(&dump.dir, &e))?;
    }
    for path in written.into_iter().flatten() {
        let parent = Path::new(path).parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !parent.is_dir() {
            return Err(format!("cannot write {path}: there is no directory {}", parent.display()));
        }
        if Path::new(path).is_dir() {
            return Err(format!("cannot write {path}: it is a directory"));
        }
        // What an earlier run left there is not the result of this one.
        if Path::new(path).is_file() {
            std::fs::remove_file(path).map_err(|e| cannot(path, &e))?;
        }
        // Who would learn at the end that the file cannot be written has waited in vain.
        match Path::new(path).exists() {
            true => drop(File::options().append(true).open(path).map_err(|e| cannot(path, &e))?),
            false => {
                File::create_new(path).map_err(|e| cannot(path, &e))?;
                std::fs::remove_file(path).map_err(|e| cannot(path, &e))?;
            }
        }
    }
    let stats = match job.stats() {
        None => None,
        Some(path) => Some((path.clone(), File::create(path).map_err(|e| cannot(path, &e))?)),
    };
    let answer = match &display.output {
        None => None,
        Some(path) => Some((path.clone(), File::create(path).map_err(|e| cannot(path, &e))?, display.format)),
    };
    let page = match &display.report {
        None => None,
        Some(path) => Some((path.clone(), File::create(path).map_err(|e| cannot(path, &e))?)),
    };
    Ok(Outputs { stats, answer, page })
}

impl Outputs {
    /// Writes the answer and the statistics of a finished job.
    pub(crate) fn write(self, ended: &Ended, job: &Job) -> Result<(), String> {
        if let Some((path, mut file, format)) = self.answer {
            let text = format::answer(format, job, ended);
            file.write_all(text.as_bytes()).map_err(|e| format!("error: cannot write {path}: {e}"))?;
        }
        if let Some((path, mut file)) = self.page {
            let text = html::page(job, ended);
            file.write_all(text.as_bytes()).map_err(|e| format!("error: cannot write {path}: {e}"))?;
        }
        let Some((path, mut file)) = self.stats else {
            return Ok(());
        };
        let files = &job.files();
        let outcome = &ended.outcome;
        let content = StatsFile {
            tool: "hardbop",
            version: env!("CARGO_PKG_VERSION"),
            files,
            verdict: verdict_word(outcome.answer),
            reason: &outcome.reason,
            exit_code: outcome.exit() as u8,
            engine: outcome.engine.as_deref(),
            lowers_fully: outcome.stats.lowers_fully,
            closed: outcome.stats.closed,
            compiled_replay: outcome.stats.compiled_replay.as_deref(),
            time_s: ended.time.as_secs_f64(),
            cpu_s: ended.cpu.as_secs_f64(),
            peak_memory_bytes: ended.peak_memory,
            phases: ended.phases.iter().map(|(name, t)| Phase { name, time_s: t.as_secs_f64() }).collect(),
            counters: &outcome.stats.counters,
            iterations: &outcome.stats.iterations,
            assumptions: &outcome.assumptions,
        };
        serde_json::to_writer_pretty(&mut file, &content).map_err(|e| format!("error: cannot write {path}: {e}"))
    }
}

/// The verdict that an answer to `check` amounts to.
pub(crate) fn verdict_word(answer: Answer) -> &'static str {
    match answer {
        Answer::Safe => "SAFE",
        Answer::Unsafe => "UNSAFE",
        Answer::Done => "DONE",
        Answer::NotApplicable => "N/A",
        Answer::Accepted
        | Answer::Rejected
        | Answer::Finished
        | Answer::Failed
        | Answer::Shown
        | Answer::NotShown
        | Answer::Feasible
        | Answer::Infeasible
        | Answer::Equivalent
        | Answer::Different
        | Answer::Converted
        | Answer::Unknown
        | Answer::BadInput
        | Answer::BadUsage
        | Answer::Internal => "UNKNOWN",
    }
}

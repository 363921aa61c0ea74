//! `hardbop bench`: many tasks with known answers, one check each, counted and scored as in SV-COMP.
//!
//! Every task is a `hardbop check` in a process of its own, so that whatever happens to one costs nothing but its answer. What comes
//! out is a line in a log at once ([`log`]); the same command again takes the lines that are there and does the rest. There is no
//! scheduler here: `--shard` makes parts for several machines, `merge` puts their logs together, and [`generate`] writes what
//! BenchExec and SLURM want.

pub(crate) mod args;
mod generate;
mod log;
mod one;
mod table;
mod tasks;

use crate::outcome::Exit;
use crate::report::{complain, show};
use args::{BenchArgs, BenchCommand, Results, RunBench};
use log::{Header, Log, Record};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tasks::Task;

/// Does what was asked for.
pub(crate) fn run(args: BenchArgs) -> ExitCode {
    let done = match args.command {
        None => bench(&args.run),
        Some(BenchCommand::Merge { logs, results }) => merge(&logs, &results),
        Some(BenchCommand::Benchexec(a)) => generate::benchexec(&a).map(|text| printed(&text)),
        Some(BenchCommand::Slurm(a)) => generate::slurm(&a).map(|text| printed(&text)),
    };
    done.unwrap_or_else(|message| crate::usage(&message))
}

fn printed(text: &str) -> ExitCode {
    show(text.as_bytes());
    Exit::Good.into()
}

fn bench(args: &RunBench) -> Result<ExitCode, String> {
    let found = tasks::collect(&args.sets, args.property.as_deref())?;
    found.left_out.iter().for_each(|note| complain(&format!("note: {note}")));
    let mine: Vec<Task> = match args.shard {
        None => found.tasks,
        Some(shard) => shard.of(found.tasks),
    };
    if let Some(dir) = &args.witnesses {
        std::fs::create_dir_all(dir).map_err(|e| format!("--witnesses {dir}: {}", crate::input::reason(&e)))?;
    }
    let header = Header::of(args)?;
    let log = Log::open(&args.log, &header)?;
    let known = log.records.len();
    if known > 0 {
        complain(&format!("note: {} of {} tasks are in {} already", known.min(mine.len()), mine.len(), args.log));
    }
    let (records, complete) = all(args, &mine, log)?;
    finish(&header, &records, &args.results, complete)
}

/// Does the tasks that the log does not have, several at a time. The records in the order of the tasks, and whether all are there.
fn all(args: &RunBench, mine: &[Task], log: Log) -> Result<(Vec<Record>, bool), String> {
    let left: Vec<&Task> = mine.iter().filter(|t| !log.has(t)).collect();
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let shared = Mutex::new((log, Ok::<(), String>(())));
    std::thread::scope(|scope| {
        for _ in 0..(args.jobs as usize).min(left.len()) {
            scope.spawn(|| {
                while !stopped.load(Ordering::Relaxed) {
                    let Some(task) = left.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    let done = one::check(task, args);
                    let mut shared = shared.lock().expect("no thread panics with the log in its hands");
                    let written = match done {
                        // What was broken off has no answer: the next run asks again.
                        Ok(None) => {
                            stopped.store(true, Ordering::Relaxed);
                            continue;
                        }
                        Ok(Some(record)) => {
                            complain(&table::line(&record));
                            shared.0.add(record)
                        }
                        Err(problem) => Err(problem),
                    };
                    if written.is_err() {
                        stopped.store(true, Ordering::Relaxed);
                        shared.1 = written;
                    }
                }
            });
        }
    });
    let (log, done) = shared.into_inner().expect("all threads have ended");
    done?;
    let records: Vec<Record> = mine.iter().filter_map(|t| log.of(t).cloned()).collect();
    let complete = records.len() == mine.len();
    Ok((records, complete))
}

/// Puts the logs of several runs together.
fn merge(logs: &[String], results: &Results) -> Result<ExitCode, String> {
    let mut all: Option<(Header, Vec<Record>)> = None;
    for path in logs {
        let (header, records) = log::read(path)?;
        match &mut all {
            None => all = Some((header, records)),
            Some((first, merged)) => {
                if let Some(what) = first.differs(&header) {
                    return Err(format!("{path} and {} do not belong together: {what}", logs[0]));
                }
                for record in records {
                    match merged.iter().find(|r| r.is_same_task(&record)) {
                        None => merged.push(record),
                        Some(other) if other.verdict == record.verdict => {}
                        Some(other) => {
                            return Err(format!(
                                "{path}: {} is `{}` here and `{}` in an earlier log",
                                record.task, record.verdict, other.verdict
                            ));
                        }
                    }
                }
            }
        }
    }
    let (header, mut records) = all.ok_or("no log is given")?;
    records.sort_by(|a, b| (&a.task, &a.property).cmp(&(&b.task, &b.property)));
    finish(&header, &records, results, true)
}

/// Writes what was asked for and prints the table. A wrong answer is a defect; a run that was broken off is inconclusive.
fn finish(header: &Header, records: &[Record], results: &Results, complete: bool) -> Result<ExitCode, String> {
    for (path, text) in [
        (&results.csv, table::csv(records)),
        (&results.json, table::json(header, records)),
        (&results.merged_log, log::text(header, records)),
    ] {
        if let Some(path) = path {
            std::fs::write(path, text).map_err(|e| format!("cannot write {path}: {}", crate::input::reason(&e)))?;
        }
    }
    show(table::text(records).as_bytes());
    if !complete {
        show(b"Bench: INCOMPLETE (interrupted; the same command goes on from here)\n");
        return Ok(Exit::Inconclusive.into());
    }
    let wrong = records.iter().filter(|r| r.status == log::Status::Wrong).count();
    show(table::last_line(records).as_bytes());
    Ok(if wrong > 0 { Exit::Defect } else { Exit::Good }.into())
}

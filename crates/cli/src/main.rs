//! The `hardbop` command: arguments, files, the preprocessor, reports. The only crate that prints.
//!
//! A command that analyses a program does its work in a child process (`worker`), which the parent (`supervise`) keeps
//! within limits of time and memory; whatever becomes of the child, the parent prints one answer line and ends with one
//! of the documented exit codes ([`outcome::Exit`]).
//!
//! The way through: [`args`] turns the command line into a [`settings::Job`]; [`supervise`] starts the child and waits;
//! [`worker`] sets the child up and calls [`work`], the one place that knows what a job consists of; [`report`] prints
//! the [`outcome::Outcome`].
#![allow(clippy::disallowed_methods, reason = "this crate is where files, processes, clocks and the environment live")]

mod abstracting;
mod advice;
mod args;
mod artifacts;
mod bebop;
mod bench;
mod cache;
mod codes;
mod comparing;
mod compiled;
mod contracts;
mod ctext;
mod database;
mod details;
mod direct;
mod display;
mod each_target;
mod entries;
mod excerpt;
mod execute;
mod explain_path;
mod format;
mod front;
mod harness;
mod hooks;
mod html;
mod input;
mod invariants;
mod known;
mod language;
mod lsp;
mod many;
mod memory;
mod message;
mod near_miss;
mod os;
mod outcome;
mod posting;
mod preprocess;
mod progress_line;
mod property;
mod recheck;
mod replay;
mod report;
mod rests_on;
mod rules;
mod settings;
mod shorten;
mod shown;
mod simulating;
mod stats_file;
mod supervise;
mod tasks;
mod vacuous;
mod validate;
mod witness;
mod work;
mod worker;

use outcome::Exit;
use std::process::ExitCode;

/// Every allocation of the process; in the child, an allocation that fails ends the process with a message to the parent.
#[global_allocator]
static ALLOCATOR: memory::Reporting = memory::Reporting;

fn main() -> ExitCode {
    let started = std::time::Instant::now();
    if std::env::args_os().nth(1).is_some_and(|a| a == worker::COMMAND) {
        worker::main();
    }
    let (job, display) = match args::parse(std::env::args_os()) {
        Ok((args::Request::One(job), display)) => (*job, display),
        Ok((args::Request::Many(tasks), display)) => return many::check(&tasks, &display),
        Ok((args::Request::Rules(command), _)) => return rules::run(&command),
        Ok((args::Request::Lsp(arguments), _)) => return lsp::serve(&arguments),
        Ok((args::Request::Bench(args), _)) => return bench::run(*args),
        Err(exit) => return exit,
    };
    let outputs = match stats_file::prepare(&job, &display) {
        Ok(outputs) => outputs,
        Err(message) => return usage(&message),
    };
    // A bug of the parent itself must not cost the user the answer line either.
    let run = std::panic::catch_unwind(|| supervise::supervise(&job, started));
    let ended = run.unwrap_or_else(|_| supervise::Ended::of_broken_parent(started));
    report::print(&job, &display, &ended);
    if let Err(message) = outputs.write(&ended, &job) {
        report::complain(&message);
    }
    ended.outcome.exit().into()
}

/// Complains about how hardbop was called.
fn usage(message: &str) -> ExitCode {
    report::complain(&format!("error: {message}"));
    Exit::Usage.into()
}

//! The parent: starts the child, owns the clock, Ctrl-C and crashes, and always comes back with an outcome.
//!
//! Invariants: an outcome that the child sent counts, whatever happens to the child afterwards, and so does a verdict
//! whose report is cut; the child and everything
//! it started are gone when [`supervise`] returns; a child that ends without an outcome gives UNKNOWN, never a verdict.

use crate::message::Message;
use crate::outcome::{Answer, Outcome, Stats};
use crate::progress_line::ProgressLine;
use crate::settings::{Job, Limits};
use crate::worker::Order;
use crate::{advice, compiled, memory, os, worker};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How a job ended, with what the parent measured.
pub(crate) struct Ended {
    /// The answer.
    pub outcome: Outcome,
    /// The phases in order of first appearance, with the time spent in each.
    pub phases: Vec<(String, Duration)>,
    /// Wall-clock time from start to end.
    pub time: Duration,
    /// Processor time of the child and the tools it started.
    pub cpu: Duration,
    /// The child's largest resident memory, in bytes.
    pub peak_memory: u64,
}

impl Ended {
    /// What remains when the parent itself has a bug.
    pub(crate) fn of_broken_parent(started: Instant) -> Ended {
        Ended::at_once(Outcome::internal("crash of the supervising process"), started)
    }

    /// An answer for which no child was started.
    pub(crate) fn at_once(outcome: Outcome, started: Instant) -> Ended {
        Ended { outcome, phases: Vec::new(), time: started.elapsed(), cpu: Duration::ZERO, peak_memory: 0 }
    }
}

/// Whether one child follows another: then a signal that comes between two of them, or to the wrong listener, ends the process.
pub(crate) static SEVERAL: AtomicBool = AtomicBool::new(false);

/// Does `job` in a child process. The time limit counts from `started`.
pub(crate) fn supervise(job: &Job, started: Instant) -> Ended {
    // Before any thread exists, so that every thread inherits the mask and only the waiting one sees the signals.
    os::block_ending_signals();
    let before = os::processor_time_of_children();
    let mut log = Log::new(started, matches!(job, Job::Check(_)));
    let outcome = match Running::start(job) {
        Ok(running) => running.finish(job.limits(), &mut log, started),
        Err(e) => Outcome::internal(format!("cannot start the worker process: {}", crate::input::reason(&e))),
    };
    let mut outcome = if outcome.answer.belongs_to(job) {
        outcome
    } else {
        // Its exit code would be taken for an answer to the question that was asked.
        Outcome::internal(format!("the worker answered {:?}, which is no answer to this job", outcome.answer))
    };
    outcome.messages.splice(0..0, std::mem::take(&mut log.warnings));
    log.leave_phase();
    let cpu = os::processor_time_of_children().saturating_sub(before);
    Ended { outcome, phases: log.phases, time: started.elapsed(), cpu, peak_memory: os::peak_memory_of_children() }
}

/// Something that happened while the child worked.
enum Event {
    Message(Message),
    EndOfMessages,
    Signal(&'static str),
}

/// Why the parent stopped waiting.
enum Stop {
    ChildEnded,
    TimeLimit,
    Signal(&'static str),
}

/// A child at work.
struct Running {
    child: Child,
    events: Receiver<Event>,
    stderr: JoinHandle<String>,
}

impl Running {
    fn start(job: &Job) -> std::io::Result<Running> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(worker::COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // The decision-diagram library would reserve 1 GiB of the worker's address space for a stack that needs a
            // frame per variable.
            .env("OXIDD_STACK_SIZE", (64 << 20).to_string())
            // A group of its own: Ctrl-C at the terminal reaches only the parent, and the parent can kill all of it.
            .process_group(0)
            .spawn()?;
        let (sender, events) = channel();
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr = child.stderr.take().expect("stderr is piped");
        let for_signals = sender.clone();
        std::thread::spawn(move || read_messages(stdout, &sender));
        std::thread::spawn(move || {
            loop {
                let signal = os::wait_for_ending_signal();
                // Nobody waits for this child any more: where there are several, the next one is at work, and ends with its
                // parent.
                if for_signals.send(Event::Signal(signal)).is_err() && SEVERAL.load(Ordering::Relaxed) {
                    os::exit_now(crate::outcome::Exit::Inconclusive as i32);
                }
            }
        });
        let stderr = std::thread::spawn(move || read_last_words(stderr));
        let order = Order { job: job.clone(), parent: std::process::id() };
        let order = serde_json::to_vec(&order).expect("settings are plain data");
        // A child that died before it read its order is reported by its exit status.
        let _ = child.stdin.take().expect("stdin is piped").write_all(&order);
        Ok(Running { child, events, stderr })
    }

    /// Waits for the outcome or for the end of patience.
    fn finish(mut self, limits: Limits, log: &mut Log, started: Instant) -> Outcome {
        let mut line = ProgressLine::new(started);
        let deadline = started + limits.timeout;
        let stop = loop {
            let now = Instant::now();
            if now >= deadline {
                break Stop::TimeLimit;
            }
            match self.events.recv_timeout((deadline - now).min(ProgressLine::INTERVAL)) {
                Ok(Event::Message(message)) => {
                    log.take(message);
                    if log.outcome.is_some() {
                        break Stop::ChildEnded;
                    }
                }
                Ok(Event::EndOfMessages) | Err(RecvTimeoutError::Disconnected) => break Stop::ChildEnded,
                Ok(Event::Signal(name)) => break Stop::Signal(name),
                Err(RecvTimeoutError::Timeout) => {}
            }
            line.update(&log.place());
        };
        line.clear();
        log.leave_phase();
        let status = self.bury(log, matches!(stop, Stop::ChildEnded) && log.outcome.is_none());
        if let Some(outcome) = log.outcome.take() {
            return outcome;
        }
        let stderr = self.stderr.join().unwrap_or_default();
        let mut outcome = log.explain(&stop, status, &stderr, limits);
        outcome.stats = std::mem::take(&mut log.stats);
        match log.decided.take() {
            Some(decided) => without_report(decided, outcome),
            None => outcome,
        }
    }

    /// Ends the child and its group, takes the messages still in the pipe, and waits for the exit status. A child that
    /// has `closed` its pipe gets a moment to end by itself, so that its own exit status is seen.
    fn bury(&mut self, log: &mut Log, closed: bool) -> Option<ExitStatus> {
        let wait_until_ended = |ms: u64| {
            let patience = Instant::now() + Duration::from_millis(ms);
            while Instant::now() < patience && !os::has_ended(self.child.id()) {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        wait_until_ended(if closed { 500 } else { 0 });
        os::kill_group(self.child.id());
        wait_until_ended(500);
        // As long as the child has not been waited for, its number is its own.
        compiled::clean_up_after(self.child.id());
        let status = self.child.wait().ok();
        let patience = Instant::now() + Duration::from_millis(500);
        while !closed && log.outcome.is_none() {
            match self.events.recv_timeout(patience.saturating_duration_since(Instant::now())) {
                Ok(Event::Message(message)) => log.take(message),
                Ok(Event::Signal(_)) => {}
                Ok(Event::EndOfMessages) | Err(_) => break,
            }
        }
        status
    }
}

/// Hands the messages of the child on until its pipe closes.
fn read_messages(stdout: impl Read, sender: &Sender<Event>) {
    let mut reader = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.read_until(b'\n', &mut line) {
            Ok(n) if n > 0 => {
                if let Ok(message) = serde_json::from_slice(&line)
                    && sender.send(Event::Message(message)).is_err()
                {
                    return;
                }
            }
            _ => break,
        }
    }
    let _ = sender.send(Event::EndOfMessages);
}

/// The first 64 KiB of what the child wrote to its standard error: what the runtime says before it aborts.
fn read_last_words(mut stderr: impl Read) -> String {
    let mut kept = Vec::new();
    let _ = stderr.by_ref().take(1 << 16).read_to_end(&mut kept);
    let _ = std::io::copy(&mut stderr, &mut std::io::sink());
    String::from_utf8_lossy(&kept).into_owned()
}

/// What the child has said so far.
struct Log {
    phase: Option<String>,
    iteration: Option<u64>,
    /// Where in the program the work is.
    at: String,
    /// What a person should know if the work were ended now.
    standing: Vec<String>,
    /// The job is to find a verdict.
    is_check: bool,
    since: Instant,
    phases: Vec<(String, Duration)>,
    stats: Stats,
    out_of_memory: bool,
    panic: Option<String>,
    warnings: Vec<String>,
    /// The verdict, of which the report is still to come.
    decided: Option<Outcome>,
    outcome: Option<Outcome>,
}

impl Log {
    fn new(started: Instant, is_check: bool) -> Log {
        Log {
            phase: None,
            iteration: None,
            at: String::new(),
            standing: Vec::new(),
            is_check,
            since: started,
            phases: Vec::new(),
            stats: Stats::default(),
            out_of_memory: false,
            panic: None,
            warnings: Vec::new(),
            decided: None,
            outcome: None,
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Phase(name) => {
                self.leave_phase();
                self.phase = Some(name);
                self.iteration = None;
            }
            Message::Iteration(count) => self.iteration = Some(count),
            Message::Place(place) => {
                if place.is_empty() {
                    self.standing.clear();
                }
                self.at = place;
            }
            Message::Standing(lines) => self.standing = lines,
            Message::Output(text) => crate::report::show(&text),
            // A program that is read twice warns twice.
            Message::Warning(text) => {
                if !self.warnings.contains(&text) {
                    self.warnings.push(text);
                }
            }
            Message::Decided(outcome) => self.decided = Some(*outcome),
            Message::Stats(stats) => self.stats = stats,
            Message::Panic(text) => self.panic = Some(text),
            Message::OutOfMemory => self.out_of_memory = true,
            Message::Outcome(outcome) => self.outcome = Some(*outcome),
        }
    }

    /// Books the time since the last change of phase; the phase keeps its name for the messages.
    fn leave_phase(&mut self) {
        let now = Instant::now();
        let spent = now - std::mem::replace(&mut self.since, now);
        let name = self.phase.as_deref().unwrap_or(START);
        match self.phases.iter_mut().find(|(n, _)| n == name) {
            Some((_, time)) => *time += spent,
            None => self.phases.push((name.to_string(), spent)),
        }
    }

    /// `parse`, `bounded, iteration 12`, or `reach, iteration 3, at the loop at a.c:7`.
    fn place(&self) -> String {
        let phase = self.phase.as_deref().unwrap_or(START);
        let mut place = self.iteration.map_or_else(|| phase.to_string(), |k| format!("{phase}, iteration {k}"));
        if !self.at.is_empty() {
            place += &format!(", {}", self.at);
        }
        place
    }

    /// What kind of work the child was doing.
    fn at_work(&self) -> advice::Work {
        match self.phase.as_deref() {
            _ if !self.is_check => advice::Work::Other,
            None | Some("read" | "parse" | "lower") => advice::Work::Reading,
            Some(_) if !self.at.is_empty() => advice::Work::Refining,
            Some(_) => advice::Work::Searching,
        }
    }

    /// The outcome of a child that did not send one.
    fn explain(&self, stop: &Stop, status: Option<ExitStatus>, stderr: &str, limits: Limits) -> Outcome {
        let place = self.place();
        let out_of_memory = || {
            let mut outcome =
                Outcome::unknown(format!("memory limit of {} reached in phase {place}", size(limits.memory)));
            outcome.advice = advice::of_limit(advice::Limit::Memory(limits.memory), self.at_work());
            outcome.text.clone_from(&self.standing);
            outcome
        };
        let out_of_time = |kind: &str, limit: Duration, advise: fn(Duration) -> advice::Limit| {
            let mut outcome = Outcome::unknown(format!("{kind} limit of {} reached in phase {place}", duration(limit)));
            outcome.advice = advice::of_limit(advise(limit), self.at_work());
            outcome.text.clone_from(&self.standing);
            outcome
        };
        let crash = |what: &str| Outcome::internal(format!("crash in phase {place}: {what}"));
        match stop {
            Stop::TimeLimit => return out_of_time("time", limits.timeout, advice::Limit::Time),
            Stop::Signal(name) => {
                let mut outcome = Outcome::unknown(format!("interrupted by {name} in phase {place}"));
                outcome.text.clone_from(&self.standing);
                return outcome;
            }
            Stop::ChildEnded => {}
        }
        let (code, signal) = (status.and_then(|s| s.code()), status.and_then(|s| s.signal()));
        if let Some(cpu) = limits.cpu.filter(|_| signal == Some(os::PROCESSOR_TIME)) {
            return out_of_time("processor time", cpu, advice::Limit::Processor);
        }
        if self.out_of_memory || code == Some(memory::OUT_OF_MEMORY) || worker::speaks_of_memory(stderr) {
            return out_of_memory();
        }
        if let Some(text) = &self.panic {
            return crash(text);
        }
        let mut outcome = match (signal, code) {
            _ if stderr.contains("has overflowed its stack") => crash("stack overflow"),
            // A library without error handling that cannot get memory dies in one of these ways.
            (Some(libc::SIGSEGV | libc::SIGABRT | libc::SIGBUS), _) if near_limit(limits.memory) => out_of_memory(),
            (Some(signal), _) => crash(&format!("signal {}", os::signal_name(signal))),
            (None, Some(code)) => crash(&format!("the worker ended with status {code} and no answer")),
            (None, None) => crash("the worker's end could not be observed"),
        };
        if outcome.answer == Answer::Internal && !stderr.trim().is_empty() {
            outcome.messages.push(format!("the worker said:\n{}", stderr.trim_end()));
        }
        outcome
    }
}

/// What stands of an outcome that was handed over before the job was cut for the reason that `end` has.
fn without_report(decided: Outcome, end: Outcome) -> Outcome {
    if decided.answer == Answer::Unknown {
        // Some targets may be decided, the program is not.
        return Outcome { targets: decided.targets, assumptions: decided.assumptions, ..end };
    }
    let mut outcome = Outcome { stats: end.stats, ..decided };
    let told = outcome.targets.iter().any(|t| t.run.is_some());
    outcome.text.push(if told {
        format!("Note: the search for further defects was cut: {}", end.reason)
    } else {
        format!("Note: the report was cut, not the verdict: {}; files that were asked for may be missing", end.reason)
    });
    outcome.messages.extend(end.messages);
    outcome
}

/// The phase before the child has named one.
const START: &str = "start";

/// Whether the child used nearly all the memory it was allowed.
fn near_limit(memory: u64) -> bool {
    os::peak_memory_of_children() >= memory / 16 * 15
}

/// `60 s`, `500 ms`.
fn duration(time: Duration) -> String {
    let ms = time.as_millis();
    if ms.is_multiple_of(1000) { format!("{} s", ms / 1000) } else { format!("{ms} ms") }
}

/// `4 GiB`, `1536 MiB`.
fn size(bytes: u64) -> String {
    [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        .into_iter()
        .find(|(shift, _)| bytes.trailing_zeros() >= *shift)
        .map_or_else(|| format!("{bytes} bytes"), |(shift, unit)| format!("{} {unit}", bytes >> shift))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_print_as_a_person_would_write_them() {
        assert_eq!(size(4 << 30), "4 GiB");
        assert_eq!(size(1536 << 20), "1536 MiB");
        assert_eq!(size(1_000_000), "1000000 bytes");
        assert_eq!(duration(Duration::from_secs(60)), "60 s");
        assert_eq!(duration(Duration::from_millis(1500)), "1500 ms");
    }

    #[test]
    fn a_line_cut_by_exhaustion_does_not_hide_it() {
        let (sender, events) = channel();
        let bytes = [b"\"Phase".as_slice(), crate::message::OUT_OF_MEMORY_LINE].concat();
        read_messages(bytes.as_slice(), &sender);
        drop(sender);
        let got: Vec<bool> = events.iter().map(|e| matches!(e, Event::Message(Message::OutOfMemory))).collect();
        assert_eq!(got, [true, false], "the exhaustion, then the end of messages");
    }

    #[test]
    fn phase_times_add_up_by_name() {
        let mut log = Log::new(Instant::now(), true);
        for phase in ["parse", "search", "parse"] {
            log.take(Message::Phase(phase.into()));
        }
        log.leave_phase();
        let names: Vec<&str> = log.phases.iter().map(|(n, _)| n.as_str()).collect();
        assert_eq!(names, ["start", "parse", "search"]);
        log.take(Message::Iteration(3));
        assert_eq!(log.place(), "parse, iteration 3");
    }
}

//! The protocol from the child to the parent: one JSON value per line on the child's standard output.
//!
//! Phases are sent the moment they begin, so that the parent can name the phase in which a child died; a verdict
//! is sent as soon as it is checked, before its report is made; the outcome, with the report, is the last message. A line that is not a message is skipped: a child that runs out of memory in the middle of a line starts
//! a new one.

use crate::outcome::{Outcome, Stats};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::time::{Duration, Instant};

/// One line of the protocol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Message {
    /// A phase begins.
    Phase(String),
    /// The current phase has come to this iteration.
    Iteration(u64),
    /// The place of the program that the work is at; empty if there is none.
    Place(String),
    /// What a person should know if the work were ended now, as lines of text.
    Standing(Vec<String>),
    /// What is known so far.
    Stats(Stats),
    /// Something about the input that the user should know, whatever the answer is.
    Warning(String),
    /// The verdict is known and checked; a report of it follows, which may be cut by a limit.
    Decided(Box<Outcome>),
    /// The program that runs prints this.
    Output(Vec<u8>),
    /// The child is about to end because of a bug, with the text of the panic and its place.
    Panic(String),
    /// The child is about to end because memory is used up.
    OutOfMemory,
    /// The job is done.
    Outcome(Box<Outcome>),
}

/// [`Message::OutOfMemory`] in a form that can be written when no memory is left, on a line of its own.
pub(crate) const OUT_OF_MEMORY_LINE: &[u8] = b"\n\"OutOfMemory\"\n";

/// The child's end of the pipe, as the stages see it: they say what they are doing and what they know.
pub(crate) struct Progress {
    last_iteration: Option<Instant>,
    stats: Stats,
}

impl Progress {
    /// An iteration is reported at most this often; a phase always.
    const INTERVAL: Duration = Duration::from_millis(50);

    /// A reporter that has not reported anything.
    pub(crate) fn new() -> Progress {
        Progress { last_iteration: None, stats: Stats::default() }
    }

    /// Says that a phase begins; its name completes "in phase …".
    pub(crate) fn phase(&mut self, name: &str) {
        self.last_iteration = None;
        send(&Message::Phase(name.to_string()));
    }

    /// Says how far the current phase has come.
    pub(crate) fn iteration(&mut self, count: u64) {
        let now = Instant::now();
        if self.last_iteration.is_none_or(|last| now - last >= Progress::INTERVAL) {
            self.last_iteration = Some(now);
            send(&Message::Iteration(count));
        }
    }

    /// Says how far the current phase has come, at once.
    pub(crate) fn at_iteration(&mut self, count: u64) {
        self.last_iteration = Some(Instant::now());
        send(&Message::Iteration(count));
    }

    /// Says where in the program the work is.
    pub(crate) fn place(&mut self, place: &str) {
        send(&Message::Place(place.to_string()));
    }

    /// Tells the user something about the input.
    pub(crate) fn warn(&mut self, warning: String) {
        send(&Message::Warning(warning));
    }

    /// Hands the verdict over before its report is made: from now on nothing can take it back but the report itself.
    pub(crate) fn decided(&mut self, outcome: Outcome) {
        send(&Message::Decided(Box::new(Outcome { stats: self.stats.clone(), ..outcome })));
    }

    /// Says what a person should know if the work were ended now.
    pub(crate) fn standing(&mut self, lines: Vec<String>) {
        send(&Message::Standing(lines));
    }

    /// Changes what is known so far, and makes sure that it is not lost if a limit ends the child.
    pub(crate) fn record(&mut self, change: impl FnOnce(&mut Stats)) {
        change(&mut self.stats);
        send(&Message::Stats(self.stats.clone()));
    }

    /// What is known so far.
    pub(crate) fn stats(&self) -> &Stats {
        &self.stats
    }
}

/// Sends one message. A parent that is gone does not want it: then the child ends.
pub(crate) fn send(message: &Message) {
    let mut line = serde_json::to_vec(message).expect("messages are plain data");
    line.push(b'\n');
    let mut out = std::io::stdout().lock();
    if out.write_all(&line).and_then(|()| out.flush()).is_err() {
        crate::os::exit_now(crate::outcome::Exit::Internal as i32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_written_without_memory_is_a_message() {
        let text = std::str::from_utf8(OUT_OF_MEMORY_LINE).unwrap();
        assert_eq!(serde_json::from_str::<Message>(text.trim()).unwrap(), Message::OutOfMemory);
    }

    #[test]
    fn messages_survive_the_pipe() {
        let outcome = Outcome::unknown("line\nbreak \"quoted\" é");
        for message in [Message::Phase("parse".into()), Message::Iteration(7), Message::Outcome(Box::new(outcome))] {
            let line = serde_json::to_string(&message).unwrap();
            assert!(!line.contains('\n'), "one line each");
            assert_eq!(serde_json::from_str::<Message>(&line).unwrap(), message);
        }
    }
}

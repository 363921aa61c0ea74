//! The progress line: one line on a terminal that is rewritten in place and wiped before the answer. Where standard error
//! is not a terminal, nothing is written at all.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// A line of progress, or its absence.
pub(crate) struct ProgressLine {
    started: Instant,
    /// When to write again; `None` without a terminal.
    next: Option<Instant>,
    shown: bool,
}

impl ProgressLine {
    /// The line changes this often.
    pub(crate) const INTERVAL: Duration = Duration::from_millis(100);

    /// Runs shorter than this show no line, so that quick answers do not flicker.
    const QUIET: Duration = Duration::from_millis(300);

    /// A line that is not shown yet.
    pub(crate) fn new(started: Instant) -> ProgressLine {
        let next = std::io::stderr().is_terminal().then(|| started + ProgressLine::QUIET);
        ProgressLine { started, next, shown: false }
    }

    /// Shows where the work is, if it is time to.
    pub(crate) fn update(&mut self, place: &str) {
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        self.next = Some(now + ProgressLine::INTERVAL);
        self.shown = true;
        let _ = write!(std::io::stderr(), "\r\x1b[K{}", text(place, now - self.started));
    }

    /// Wipes the line.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// At most 79 columns, so that the line never wraps on an ordinary terminal.
fn text(place: &str, elapsed: Duration) -> String {
    let time = format!("{:.1} s", elapsed.as_secs_f64());
    let place: String = place.chars().filter(|c| !c.is_control()).take(79 - 2 - time.len()).collect();
    format!("{place}  {time}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_never_wraps() {
        assert_eq!(
            text("bounded search, iteration 7", Duration::from_millis(1234)),
            "bounded search, iteration 7  1.2 s"
        );
        assert_eq!(text(&"x".repeat(500), Duration::from_secs(100_000)).len(), 79);
    }
}

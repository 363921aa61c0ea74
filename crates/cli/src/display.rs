//! How an answer is shown: how much of it, in which format, with or without colours. Only the parent knows; the work is the same.

use crate::os;

/// How much is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Amount {
    /// The answer line, and errors.
    Quiet,
    /// What a person wants to see first.
    #[default]
    Normal,
    /// Also what is usually counted or left out: every target, and how long each phase took.
    Verbose,
}

/// The format of an answer to `check`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// All that is known, as JSON (docs/formats.md).
    Json,
    /// Static Analysis Results Interchange Format 2.1.0.
    Sarif,
    /// A test case for each target, as test runners write them.
    Junit,
}

/// Whether colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless the environment variable NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How an answer is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Display {
    /// How much.
    pub amount: Amount,
    /// The format on standard output, or in the file.
    pub format: Format,
    /// Where it goes; then the text goes to standard output.
    pub output: Option<String>,
    /// Where the report for a browser goes.
    pub report: Option<String>,
    /// Colours.
    pub color: Color,
}

impl Display {
    /// Whether what goes to this stream is coloured.
    pub(crate) fn colors(&self, stream: Stream) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && os::is_terminal(stream),
        }
    }

    /// Whether standard output gets the text for people.
    pub(crate) fn shows_text(&self) -> bool {
        self.format == Format::Text || self.output.is_some()
    }
}

/// A stream that people may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// A text with the words that matter in colour: what fails in red, what is proved in green, what is not known in yellow.
pub(crate) fn colored(text: &str) -> String {
    text.split_inclusive('\n').map(colored_line).collect()
}

const RED: &str = "\x1b[1;31m";
const GREEN: &str = "\x1b[1;32m";
const YELLOW: &str = "\x1b[1;33m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// Words at known places of a line, and their colours. A line of the user's source is never at the start of a line.
const WORDS: [(&str, &str, &str); 14] = [
    ("Verdict: ", "UNSAFE", RED),
    ("Verdict: ", "SAFE", GREEN),
    ("Verdict: ", "UNKNOWN", YELLOW),
    ("Proof: ", "ACCEPTED", GREEN),
    ("Proof: ", "REJECTED", RED),
    ("Run: ", "FAILED", RED),
    ("Run: ", "FINISHED", GREEN),
    ("Witness: ", "CONFIRMED", GREEN),
    ("Witness: ", "REJECTED", RED),
    ("Witness: ", "UNKNOWN", YELLOW),
    ("", "Defect ", RED),
    ("", "error:", RED),
    ("", "warning:", YELLOW),
    ("", "Note:", BOLD),
];

fn colored_line(line: &str) -> String {
    for (before, word, color) in WORDS {
        if let Some(rest) = line.strip_prefix(before).and_then(|l| l.strip_prefix(word)) {
            return format!("{before}{color}{word}{PLAIN}{rest}");
        }
    }
    for (word, color) in [(": error: ", RED), (": warning: ", YELLOW)] {
        if let Some((place, rest)) = line.split_once(word) {
            return format!("{BOLD}{place}:{PLAIN} {color}{}{PLAIN} {rest}", word[2..].trim_end());
        }
    }
    for (word, color) in
        [("  fails    ", RED), ("  proved   ", GREEN), ("  cut off  ", YELLOW), ("  unknown  ", YELLOW)]
    {
        if let Some((place, rest)) = line.split_once(word).filter(|_| line.starts_with("  ")) {
            return format!("{place}  {color}{}{PLAIN}{rest}", &word[2..]);
        }
    }
    line.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_change_nothing_but_colours() {
        let text = "Verdict: UNSAFE (x)\na.c:3:1: error: no\n  a.c:3:1  fails    assertion\nNote: x\nplain\n";
        let shown = colored(text);
        assert!(shown.contains("\x1b[1;31mUNSAFE\x1b[0m") && shown.contains("\x1b[1;31merror:\x1b[0m"), "{shown:?}");
        let mut plain = shown;
        for code in [RED, GREEN, YELLOW, BOLD, PLAIN] {
            plain = plain.replace(code, "");
        }
        assert_eq!(plain, text);
    }

    #[test]
    fn colours_on_demand() {
        let of = |color| Display { color, ..Display::default() }.colors(Stream::Out);
        assert_eq!((of(Color::Always), of(Color::Never)), (true, false));
    }
}

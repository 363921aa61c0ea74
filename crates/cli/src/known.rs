//! Known defects: a file of lines `RULE ENTRY MESSAGE`, each of which takes the defects that fit it out of the count. The same file
//! is a list of suppressions, written by hand, or a baseline, written by `--write-baseline`.
//!
//! ```text
//! # The lock is handed to the interrupt handler.
//! linux/spinlock  my_probe  *
//! linux/*         old_*     the lock is still held
//! ```

use crate::input::{Empty, read_text};

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    rule: String,
    entry: String,
    message: String,
    /// `file:line`, for messages about it.
    pub place: String,
}

/// Reads a file of known defects.
pub(crate) fn read(file: &str) -> Result<Vec<Known>, String> {
    let text = read_text(file, Empty::Allowed).map_err(|e| e.message.replacen(": error: ", ": ", 1))?;
    let mut all = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut words = line.splitn(3, char::is_whitespace).map(str::trim);
        let (rule, entry, message) = (words.next(), words.next(), words.next());
        // Blanks may be more than one.
        let (entry, message) = match (entry, message) {
            (Some(""), Some(rest)) => {
                let mut rest = rest.trim_start().splitn(2, char::is_whitespace);
                (rest.next(), rest.next().map(str::trim))
            }
            other => other,
        };
        let place = format!("{file}:{}", i + 1);
        let (Some(rule), Some(entry)) = (rule, entry.filter(|e| !e.is_empty())) else {
            return Err(format!("{place}:1: a line has a rule, an entry and a message, or `*` for any of them"));
        };
        if rule.contains('/') && !rule.contains('*') && spec::library::find(rule).is_none() {
            return Err(format!("{place}:1: there is no rule `{rule}`; `hardbop rules list` shows them"));
        }
        let message = message.filter(|m| !m.is_empty()).unwrap_or("*");
        all.push(Known { rule: rule.into(), entry: entry.into(), message: message.into(), place });
    }
    Ok(all)
}

/// The line for a defect.
pub(crate) fn line(rule: &str, entry: &str, reason: &str) -> String {
    format!("{rule}  {entry}  {}\n", message(reason))
}

/// What a rule says, without the place: lines move.
fn message(reason: &str) -> &str {
    reason.rsplit_once(" at ").map_or(reason, |(what, _)| what)
}

impl Known {
    /// Whether a defect is this one.
    pub(crate) fn fits(&self, rule: &str, entry: &str, reason: &str) -> bool {
        fits(&self.rule, rule) && fits(&self.entry, entry) && fits(&self.message, message(reason))
    }
}

/// Whether a text is what a pattern with `*` for any text means.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or("")) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_what_they_mean() {
        for (pattern, text, yes) in [
            ("*", "", true),
            ("a*", "abc", true),
            ("a*c", "abc", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "acb", false),
            ("abc", "abcd", false),
            ("*b", "ab", true),
            ("ab*b", "ab", false),
        ] {
            assert_eq!(fits(pattern, text), yes, "{pattern} {text}");
        }
    }

    #[test]
    fn a_written_line_fits_its_defect_wherever_the_line_moves() {
        let text = line("linux/spinlock", "probe", "the lock is still held at a.c:7:3");
        let known = Known {
            rule: "linux/*".into(),
            entry: "probe".into(),
            message: "the lock is still held".into(),
            place: String::new(),
        };
        assert_eq!(text, "linux/spinlock  probe  the lock is still held\n");
        assert!(known.fits("linux/spinlock", "probe", "the lock is still held at a.c:9:3"));
        assert!(!known.fits("linux/spinlock", "remove", "the lock is still held at a.c:9:3"));
    }
}

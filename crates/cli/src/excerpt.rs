//! Diagnostics as text, the way compilers print them: `file:line:column: error: message [id]`, the source line, a caret.
//!
//! File and line are the user's (line marks are followed); the excerpt is the text that was read, which is the user's
//! line unless a macro was expanded in it. An excerpt is cut around the caret: a line of ten megabytes prints as one
//! of a hundred characters.

use base::{Diagnostic, Severity, SourceMap, Span};
use std::fmt::Write;

/// The most characters of a source line that are shown.
const WIDTH: usize = 100;

/// The message, its excerpt and its notes; lines end with a newline, but for the last.
pub(crate) fn render(diagnostic: &Diagnostic, map: &SourceMap) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut out = String::new();
    let message = format!("{} [{}]", diagnostic.message, diagnostic.id);
    put(&mut out, map, diagnostic.span, severity, &message, &diagnostic.label);
    for note in &diagnostic.notes {
        put(&mut out, map, note.span, "note", &note.message, "");
    }
    out.pop();
    out
}

/// The message and its place on one line, for the answer line.
pub(crate) fn one_line(diagnostic: &Diagnostic, map: &SourceMap) -> String {
    match diagnostic.span {
        Some(span) => format!("{}: {}", map.locate(span), diagnostic.message),
        None => diagnostic.message.clone(),
    }
}

fn put(out: &mut String, map: &SourceMap, span: Option<Span>, severity: &str, message: &str, label: &str) {
    let Some(span) = span else {
        let _ = writeln!(out, "{severity}: {message}");
        return;
    };
    let location = map.locate(span);
    let _ = writeln!(out, "{location}: {severity}: {message}");
    let excerpt = Excerpt::around(map, span);
    let number = location.line.to_string();
    let gutter = " ".repeat(number.len());
    let _ = writeln!(out, " {number} | {}", excerpt.text);
    let indent = " ".repeat(excerpt.before);
    let _ = writeln!(out, "{}", format!(" {gutter} | {indent}{} {label}", excerpt.underline()).trim_end());
}

/// The part of a source line around a span.
struct Excerpt {
    /// The text, without characters that would move the caret.
    text: String,
    /// Characters before the span.
    before: usize,
    /// Characters of the span that are shown; at least 1.
    marked: usize,
}

impl Excerpt {
    fn around(map: &SourceMap, span: Span) -> Excerpt {
        let file = map.file(span.file);
        let (start, line) = file.line_text(file.physical_line(span.lo));
        let lo = floor_boundary(line, (span.lo - start) as usize);
        let hi = floor_boundary(line, (span.hi - start) as usize).max(lo);
        // The window starts so far left of the span that a third of it is context.
        let mut from = line[..lo].char_indices().rev().take(WIDTH / 3).last().map_or(lo, |(i, _)| i);
        let to_end = line[from..].chars().take(WIDTH + 1).count();
        if to_end < WIDTH {
            // Near the end of the line there is room for more context on the left.
            from = line[..from].char_indices().rev().take(WIDTH - to_end).last().map_or(from, |(i, _)| i);
        }
        let to = line[from..].char_indices().nth(WIDTH).map_or(line.len(), |(i, _)| from + i);
        let (left, right) = (if from > 0 { "…" } else { "" }, if to < line.len() { "…" } else { "" });
        Excerpt {
            text: format!("{left}{}{right}", line[from..to].chars().map(printable).collect::<String>()),
            before: line[from..lo.max(from)].chars().count() + left.chars().count(),
            marked: line[lo.min(to)..hi.min(to)].chars().count().max(1),
        }
    }

    fn underline(&self) -> String {
        format!("^{}", "~".repeat(self.marked - 1))
    }
}

/// One column per character: tabs become a space, other control characters become visible.
fn printable(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// The largest character boundary of `text` that is not after `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::LineMark;
    use expect_test::{Expect, expect};

    /// Renders an error at the text between `⟦` and `⟧`.
    fn check(source: &str, marks: Vec<LineMark>, make: impl FnOnce(Span) -> Diagnostic, expected: &Expect) {
        let lo = source.find('⟦').expect("the place is marked");
        let hi = source.find('⟧').expect("the place is marked") - '⟦'.len_utf8();
        let mut map = SourceMap::new();
        let file = map.add("a.c", source.replace(['⟦', '⟧'], ""));
        map.set_marks(file, marks);
        let text = render(&make(Span::new(file, lo as u32, hi as u32)), &map);
        expected.assert_eq(&format!("{text}\n"));
    }

    #[test]
    fn an_error_with_a_label_and_a_note() {
        check(
            "int main(void) {\n\tint x = ⟦foo⟧;\n}\n",
            vec![],
            |span| {
                Diagnostic::error("undeclared", span, "`foo` is not declared")
                    .with_label("not found here")
                    .with_note("did you mean `for`?", None)
                    .with_note("the block starts here", Some(Span::new(span.file, 15, 16)))
            },
            &expect![[r#"
                a.c:2:10: error: `foo` is not declared [undeclared]
                 2 |  int x = foo;
                   |          ^~~ not found here
                note: did you mean `for`?
                a.c:1:16: note: the block starts here
                 1 | int main(void) {
                   |                ^
            "#]],
        );
    }

    #[test]
    fn an_error_about_the_whole_input() {
        let map = SourceMap::new();
        expect!["error: the program has no function `main` [no-main]"]
            .assert_eq(&render(&Diagnostic::global("no-main", "the program has no function `main`"), &map));
    }

    #[test]
    fn line_marks_name_the_users_place() {
        check(
            "# 41 \"user.c\"\nint é = ⟦$⟧;\n",
            vec![LineMark { offset: 14, line: 41, file: "user.c".into() }],
            |span| Diagnostic::error("syntax", span, "unexpected `$`"),
            &expect![[r#"
                user.c:41:9: error: unexpected `$` [syntax]
                 41 | int é = $;
                    |         ^
            "#]],
        );
    }

    #[test]
    fn the_end_of_the_file_and_spans_over_lines() {
        check(
            "int x⟦⟧",
            vec![],
            |span| Diagnostic::error("syntax", span, "expected `;`"),
            &expect![[r#"
                a.c:1:6: error: expected `;` [syntax]
                 1 | int x
                   |      ^
            "#]],
        );
        check(
            "f(⟦a,\n  b⟧);\n",
            vec![],
            |span| Diagnostic::warning("odd", span, "odd arguments"),
            &expect![[r#"
                a.c:1:3: warning: odd arguments [odd]
                 1 | f(a,
                   |   ^~
            "#]],
        );
    }

    #[test]
    fn a_huge_line_is_cut_around_the_caret() {
        let (before, after) = ("x+".repeat(2_500_000), "+x".repeat(2_500_000));
        check(
            &format!("int y = {before}⟦$⟧{after};\n"),
            vec![],
            |span| Diagnostic::error("syntax", span, "unexpected `$`"),
            &expect![[r#"
                a.c:1:5000009: error: unexpected `$` [syntax]
                 1 | …+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+$+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x…
                   |                                   ^
            "#]],
        );
        check(
            &format!("{before}⟦$⟧"),
            vec![],
            |span| Diagnostic::error("syntax", span, "unexpected `$`"),
            &expect![[r#"
                a.c:1:5000001: error: unexpected `$` [syntax]
                 1 | …+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+$
                   |                                                                                                     ^
            "#]],
        );
    }

    #[test]
    fn a_span_that_covers_a_huge_line_is_cut_too() {
        let mut map = SourceMap::new();
        let file = map.add("a.c", "y".repeat(1_000_000));
        let text = render(&Diagnostic::error("x", Span::new(file, 0, 1_000_000), "all of it"), &map);
        assert!(text.len() < 400, "{} bytes", text.len());
    }

    #[test]
    fn no_span_makes_it_fail() {
        let mut map = SourceMap::new();
        let file = map.add("a.c", "é\n\u{1}\r\n𝄞𝄞");
        for lo in 0..14 {
            for hi in lo..14 {
                let text = render(&Diagnostic::error("x", Span::new(file, lo, hi), "m"), &map);
                assert_eq!(text.lines().count(), 3, "{text}");
            }
        }
    }
}

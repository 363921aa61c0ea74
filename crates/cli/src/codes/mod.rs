//! Every code that a message can carry, with a title and an explanation: kinds of defects, messages about the input, and reasons
//! for which there is no verdict. `hardbop explain` prints them, and formats for machines take their rules from here.

mod defects;
mod messages;
pub(crate) mod reasons;

/// What a code is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Something that goes wrong in a run.
    Defect,
    /// Something about the input.
    Message,
    /// Why there is no verdict.
    Reason,
}

/// A code and what there is to say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    /// The code, as messages have it in square brackets.
    pub id: &'static str,
    /// What it is about.
    pub group: Group,
    /// One line.
    pub title: &'static str,
    /// A few sentences; lines are broken where they are shown.
    pub text: &'static str,
    /// The entry of the Common Weakness Enumeration that fits best.
    pub cwe: Option<u32>,
}

/// All codes: defects, messages, reasons.
pub(crate) fn all() -> impl Iterator<Item = &'static Code> {
    defects::DEFECTS.iter().chain(messages::MESSAGES).chain(reasons::REASONS)
}

/// The code with this name; brackets around it do not matter.
pub(crate) fn find(id: &str) -> Option<&'static Code> {
    let id = id.trim_start_matches('[').trim_end_matches(']');
    all().find(|c| c.id.eq_ignore_ascii_case(id))
}

/// The kinds of defects that are looked for with `--check NAME`, as their explanations say.
pub(crate) fn looked_for_with(name: &str) -> impl Iterator<Item = &'static Code> {
    let option = format!("`--check {name}`");
    all().filter(move |c| c.group == Group::Defect && c.text.contains(&option))
}

/// What `hardbop explain` prints about a code.
pub(crate) fn explain(code: &Code) -> String {
    let group = match code.group {
        Group::Defect => "a kind of defect",
        Group::Message => "a message about the input",
        Group::Reason => "a reason for UNKNOWN",
    };
    let mut out = format!("{}: {} ({group})\n\n{}\n", code.id, code.title, wrapped(code.text));
    if let Some(cwe) = code.cwe {
        out += &format!("\nCWE-{cwe}: https://cwe.mitre.org/data/definitions/{cwe}.html\n");
    }
    out
}

/// The list that `hardbop explain` prints without a code.
pub(crate) fn list() -> String {
    let width = all().map(|c| c.id.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (group, head) in [
        (Group::Defect, "Kinds of defects:"),
        (Group::Message, "Messages about the input:"),
        (Group::Reason, "Reasons for UNKNOWN:"),
    ] {
        out += &format!("{head}\n");
        for code in all().filter(|c| c.group == group) {
            out += &format!("  {:width$}  {}\n", code.id, code.title);
        }
    }
    out + "`hardbop explain CODE` says more about one of them.\n"
}

/// The text on lines of at most 80 characters; an empty line stays one.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    for paragraph in text.split("\n\n") {
        let mut column = 0;
        if !out.is_empty() {
            out += "\n\n";
        }
        for word in paragraph.split_whitespace() {
            let n = word.chars().count();
            if column > 0 && column + 1 + n > 80 {
                out.push('\n');
                column = 0;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out += word;
            column += n;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_and_explained() {
        let mut seen = BTreeSet::new();
        for code in all() {
            assert!(seen.insert(code.id), "{} twice", code.id);
            assert!(code.text.len() > 40, "{} deserves more words", code.id);
            assert!(explain(code).lines().all(|l| l.chars().count() <= 120), "{}", code.id);
        }
    }

    #[test]
    fn every_kind_of_undefined_behaviour_is_there() {
        for ub in ir::Ub::ALL {
            assert_eq!(find(ub.name()).map(|c| c.group), Some(Group::Defect), "{}", ub.name());
        }
        for kind in [ir::ErrorKind::Assert(String::new()), ir::ErrorKind::Reached(String::new())] {
            assert!(find(report::targets::rule(&kind)).is_some());
        }
    }

    /// The codes in calls of the constructors of messages, as the source has them.
    fn codes_in(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for call in ["Diagnostic::error(", "Diagnostic::warning(", "Diagnostic::global(", ".error("] {
            for (at, _) in text.match_indices(call) {
                let rest = text[at + call.len()..].trim_start();
                if let Some(code) = rest.strip_prefix('"').and_then(|r| r.split_once('"')).map(|(code, _)| code) {
                    // What else stands in quotes is a sentence.
                    if code.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') {
                        found.push(code.to_string());
                    }
                }
            }
        }
        found
    }

    /// All Rust files below a folder.
    fn sources(folder: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") {
                out.push(path);
            }
        }
    }

    #[test]
    fn every_message_that_a_stage_can_give_is_there() {
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut missing = BTreeSet::new();
        let mut n = 0;
        for name in ["boolprog", "certify", "cfront", "ir", "lower", "predabs"] {
            let mut files = Vec::new();
            sources(&crates.join(name).join("src"), &mut files);
            for file in files {
                for code in codes_in(&std::fs::read_to_string(&file).unwrap()) {
                    n += 1;
                    if find(&code).is_none_or(|c| c.group != Group::Message) {
                        missing.insert(code);
                    }
                }
            }
        }
        assert!(n > 100, "the search finds the messages: {n}");
        assert!(missing.is_empty(), "codes without an explanation: {missing:?}");
    }
}

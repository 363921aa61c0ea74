//! The answer as a JUnit report: a test case for each target, which passes if it is proved, fails if a run reaches it, and is
//! skipped if it was not decided. A job without targets is one test case.

use crate::outcome::{Answer, Outcome};
use crate::settings::Job;
use crate::supervise::Ended;
use report::counterexample;
use report::targets::{TargetReport, TargetState};
use std::collections::BTreeMap;

/// What a test case says besides its name.
enum Said {
    Passes,
    Fails { message: String, kind: String, text: String },
    Skipped(String),
    Error(String),
}

/// A suite of tests as text, and how many tests it has of which kind: all, failures, errors, skipped.
struct Suite {
    text: String,
    counts: [usize; 4],
    time: f64,
}

/// The document.
pub(super) fn document(job: &Job, ended: &Ended) -> String {
    whole(&[suite(&job.files().join(" "), job, ended)])
}

/// Several checks, a suite for each.
pub(super) fn documents(all: &[(Job, Ended)]) -> String {
    let named = |(job, ended): &(Job, Ended)| {
        let rule = super::rule_of(job).unwrap_or("assertions");
        suite(&format!("{} {} {rule}", job.files().join(" "), super::entry_of(job)), job, ended)
    };
    whole(&all.iter().map(named).collect::<Vec<_>>())
}

fn whole(suites: &[Suite]) -> String {
    let sum = |i: usize| suites.iter().map(|s| s.counts[i]).sum::<usize>();
    let time: f64 = suites.iter().map(|s| s.time).sum();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hardbop\" {} time=\"{time:.3}\">\n{}</testsuites>\n",
        counted([sum(0), sum(1), sum(2), sum(3)]),
        suites.iter().map(|s| s.text.as_str()).collect::<String>()
    )
}

fn counted([tests, failures, errors, skipped]: [usize; 4]) -> String {
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

fn suite(suite_name: &str, job: &Job, ended: &Ended) -> Suite {
    let outcome = &ended.outcome;
    let files = job.files().join(" ");
    let mut cases: Vec<String> = Vec::new();
    let mut seen = BTreeMap::new();
    let (mut failures, mut errors, mut skipped) = (0, 0, 0);
    let mut add = |class: &str, name: &str, place: Option<(&str, u32)>, said: Said| {
        match &said {
            Said::Passes => {}
            Said::Fails { .. } => failures += 1,
            Said::Skipped(_) => skipped += 1,
            Said::Error(_) => errors += 1,
        }
        cases.push(case(class, name, place, &said));
    };
    for target in &outcome.targets {
        let class = format!("{}.{}", target.file, target.function);
        let name = numbered(&mut seen, &class, target.about());
        add(&class, &name, Some((&target.file, target.line)), of_target(target));
    }
    if let Some(said) = of_whole(outcome) {
        add(&files, "hardbop check", None, said);
    }
    let counts = [cases.len(), failures, errors, skipped];
    let time = ended.time.as_secs_f64();
    let text = format!(
        "  <testsuite name=\"{}\" {} time=\"{time:.3}\">\n{}  </testsuite>\n",
        escaped(suite_name),
        counted(counts),
        cases.concat()
    );
    Suite { text, counts, time }
}

/// The name of a test, which stays when lines move: the second of a name in its class is `name (2)`.
fn numbered(seen: &mut BTreeMap<(String, String), u32>, class: &str, name: &str) -> String {
    let n = seen.entry((class.to_owned(), name.to_owned())).or_insert(0);
    *n += 1;
    if *n == 1 { name.to_owned() } else { format!("{name} ({n})") }
}

fn of_target(target: &TargetReport) -> Said {
    match &target.state {
        TargetState::Proved { .. } => Said::Passes,
        TargetState::Fails => Said::Fails {
            message: target.ending(),
            kind: target.rule.clone(),
            text: target.run.as_ref().map(counterexample::render).unwrap_or_default(),
        },
        TargetState::CutOff { behind } => {
            Said::Skipped(format!("no run comes here: they end at {}", behind.join(", ")))
        }
        TargetState::Unknown(why) => Said::Skipped(format!("not decided: {why}")),
        TargetState::Open => Said::Skipped("not looked at by itself".to_string()),
    }
}

/// What the targets do not say: that there are none, or that the input cannot be used.
fn of_whole(outcome: &Outcome) -> Option<Said> {
    let all = |outcome: &Outcome| {
        let mut lines = outcome.messages.clone();
        lines.push(outcome.reason.clone());
        lines.join("\n")
    };
    match outcome.answer {
        Answer::Safe => outcome.targets.is_empty().then_some(Said::Passes),
        Answer::Unsafe => {
            let told = outcome.targets.iter().any(|t| t.state == TargetState::Fails);
            let text = outcome.run.as_ref().map(counterexample::render).unwrap_or_default();
            (!told).then(|| Said::Fails { message: outcome.reason.clone(), kind: "defect".to_string(), text })
        }
        Answer::NotApplicable => Some(Said::Skipped(format!("not applicable: {}", outcome.reason))),
        Answer::Unknown => Some(Said::Skipped(format!("UNKNOWN: {}", outcome.reason))),
        _ => Some(Said::Error(all(outcome))),
    }
}

fn case(class: &str, name: &str, place: Option<(&str, u32)>, said: &Said) -> String {
    let place = place.map_or(String::new(), |(file, line)| format!(" file=\"{}\" line=\"{line}\"", escaped(file)));
    let head = format!("    <testcase classname=\"{}\" name=\"{}\"{place}", escaped(class), escaped(name));
    match said {
        Said::Passes => format!("{head}/>\n"),
        Said::Fails { message, kind, text } => format!(
            "{head}>\n      <failure message=\"{}\" type=\"{}\">{}</failure>\n    </testcase>\n",
            escaped(message),
            escaped(kind),
            escaped(text)
        ),
        Said::Skipped(why) => format!("{head}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", escaped(why)),
        Said::Error(why) => {
            let first = why.lines().next().unwrap_or_default();
            format!(
                "{head}>\n      <error message=\"{}\" type=\"input\">{}</error>\n    </testcase>\n",
                escaped(first),
                escaped(why)
            )
        }
    }
}

/// Text inside of XML. Characters that XML cannot have are shown as a replacement.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            '\n' => out += "&#10;",
            '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a < \"b\" && c\u{1}\n"), "a &lt; &quot;b&quot; &amp;&amp; c\u{fffd}&#10;");
    }
}

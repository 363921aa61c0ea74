//! A counterexample as a story: the steps of the run, indented by call depth, each with its place, its source line and
//! the values that matter; the inputs at the end.
//!
//! The data is plain, so that it can cross the pipe; whoever fills it decides which steps and values matter.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A run that goes wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Story {
    /// What happened, in order; the last step is the one that goes wrong.
    pub steps: Vec<StoryStep>,
    /// What the run read from outside, in order.
    pub inputs: Vec<StoryInput>,
    /// Remarks on the whole run: a signed value that wrapped, a compiled replay that agreed.
    pub remarks: Vec<String>,
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoryStep {
    /// How many calls deep the step is; the entry function is at 0.
    pub depth: u32,
    /// The user's file.
    pub file: String,
    /// The user's line.
    pub line: u32,
    /// The source line, or as much of it as the step executes.
    pub source_line: String,
    /// What happens here if the source does not say it: "calls f", "assertion fails"; may be empty.
    pub text: String,
    /// The values that matter after the step, by what the source calls them.
    pub values: Vec<(String, String)>,
}

/// One value from outside.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoryInput {
    /// The user's file.
    pub file: String,
    /// The user's line.
    pub line: u32,
    /// Where the value came from: `__VERIFIER_nondet_int()`, `uninitialised x`.
    pub what: String,
    /// The value.
    pub value: String,
}

/// Steps shown at each end of a long story, and inputs shown at each end of a long list.
const SHOWN: usize = 150;

/// Deeper calls are indented no further.
const MAX_INDENT: u32 = 20;

/// Source text longer than this is cut.
const MAX_SOURCE: usize = 80;

/// The story as text; every line ends with a newline.
pub(crate) fn render(story: &Story) -> String {
    let mut out = format!("Counterexample, {}:\n", counted(story.steps.len(), "step"));
    let places: Vec<String> = story.steps.iter().map(|s| format!("{}:{}", s.file, s.line)).collect();
    let width = shown(story.steps.len()).0.into_iter().map(|i| places[i].chars().count()).max().unwrap_or(0);
    each_shown(&mut out, story.steps.len(), "steps", |out, i| {
        step(out, &story.steps[i], &format!("{:width$}", places[i]));
    });
    if story.inputs.is_empty() {
        out += "The run takes no inputs.\n";
    } else {
        out += "Inputs, in order:\n";
        each_shown(&mut out, story.inputs.len(), "inputs", |out, i| {
            let input = &story.inputs[i];
            let _ = writeln!(out, "  {}:{}: {} = {}", input.file, input.line, input.what, input.value);
        });
    }
    for remark in &story.remarks {
        let _ = writeln!(out, "Note: {remark}");
    }
    out
}

fn step(out: &mut String, step: &StoryStep, place: &str) {
    let mut line = format!("  {place}  {}", "  ".repeat(step.depth.min(MAX_INDENT) as usize));
    if step.depth > MAX_INDENT {
        let _ = write!(line, "[{} calls deep] ", step.depth);
    }
    line += &cut(step.source_line.trim());
    let values: Vec<String> = step.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let remarks: Vec<String> = Some(step.text.clone()).filter(|t| !t.is_empty()).into_iter().chain(values).collect();
    if !remarks.is_empty() {
        let _ = write!(line, "   // {}", remarks.join(", "));
    }
    let _ = writeln!(out, "{}", line.trim_end());
}

/// The indices at the two ends of a list that are shown, and how many in between are not.
fn shown(len: usize) -> (Vec<usize>, usize) {
    if len <= 2 * SHOWN {
        return ((0..len).collect(), 0);
    }
    ((0..SHOWN).chain(len - SHOWN..len).collect(), len - 2 * SHOWN)
}

/// Prints the ends of a list, and says how much in the middle is left out.
fn each_shown(out: &mut String, len: usize, what: &str, mut print: impl FnMut(&mut String, usize)) {
    let (indices, left_out) = shown(len);
    for i in indices {
        if left_out > 0 && i == len - SHOWN {
            let _ = writeln!(out, "  … {left_out} {what} left out …");
        }
        print(out, i);
    }
}

/// Source text on one line of bounded length.
fn cut(text: &str) -> String {
    let one_line: String = text.chars().take(MAX_SOURCE + 1).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if one_line.chars().count() <= MAX_SOURCE {
        return one_line;
    }
    one_line.chars().take(MAX_SOURCE - 1).chain(['…']).collect()
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("{n} {what}") } else { format!("{n} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn at(depth: u32, line: u32, source: &str, text: &str, values: &[(&str, &str)]) -> StoryStep {
        StoryStep {
            depth,
            file: "a.c".into(),
            line,
            source_line: source.into(),
            text: text.into(),
            values: values.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect(),
        }
    }

    #[test]
    fn a_story_reads_top_down() {
        let story = Story {
            steps: vec![
                at(0, 9, "int main(void) {", "", &[]),
                at(0, 10, "\tint x = __VERIFIER_nondet_int();", "", &[("x", "7")]),
                at(0, 11, "  f(x + 1, &x);", "calls f", &[]),
                at(1, 3, "if (y > 7)", "true", &[("y", "8"), ("*p", "7")]),
                at(1, 104, "assert(0);", "assertion fails", &[]),
            ],
            inputs: vec![StoryInput {
                file: "a.c".into(),
                line: 10,
                what: "__VERIFIER_nondet_int()".into(),
                value: "7".into(),
            }],
            remarks: vec!["the compiled program fails in the same way".into()],
        };
        expect![[r#"
            Counterexample, 5 steps:
              a.c:9    int main(void) {
              a.c:10   int x = __VERIFIER_nondet_int();   // x = 7
              a.c:11   f(x + 1, &x);   // calls f
              a.c:3      if (y > 7)   // true, y = 8, *p = 7
              a.c:104    assert(0);   // assertion fails
            Inputs, in order:
              a.c:10: __VERIFIER_nondet_int() = 7
            Note: the compiled program fails in the same way
        "#]]
        .assert_eq(&render(&story));
    }

    #[test]
    fn deep_long_and_wide_stories_stay_readable() {
        let steps = (0..100_000).map(|i| at(i, i + 1, &"f(".repeat(100), "", &[])).collect();
        let text = render(&Story { steps, inputs: vec![], remarks: vec![] });
        assert_eq!(text.lines().count(), 2 * SHOWN + 3);
        assert!(text.lines().all(|l| l.chars().count() < 160), "no line is too wide");
        assert!(text.contains("  … 99700 steps left out …"));
        assert!(text.contains("[99999 calls deep]"));
        assert!(text.ends_with("The run takes no inputs.\n"));
    }
}

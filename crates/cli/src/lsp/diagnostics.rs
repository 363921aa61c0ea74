//! From an answer of `check` to what an editor shows.

use super::checking::Checked;
use super::position::{Encoding, uri_of};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Severities of the protocol.
const ERROR: u8 = 1;
const WARNING: u8 = 2;
const INFORMATION: u8 = 3;

/// Steps of a run that are shown with its defect: its last ones.
const MOST_STEPS: usize = 40;

/// What a check found.
pub(super) struct Found {
    /// By file.
    pub diagnostics: BTreeMap<PathBuf, Vec<Value>>,
    /// Of a proof.
    pub invariants: Vec<Invariant>,
    /// In one line.
    pub summary: String,
}

/// What holds at a line.
pub(super) struct Invariant {
    /// The file.
    pub file: PathBuf,
    /// The line, from one.
    pub line: u32,
    /// Of which point of the program it is said.
    pub what: String,
    /// The condition, as C.
    pub text: String,
}

/// The texts of files, for columns.
pub(super) struct Text {
    encoding: Encoding,
    read: BTreeMap<PathBuf, String>,
}

impl Text {
    /// Nothing is read yet.
    pub(super) fn new(encoding: Encoding) -> Text {
        Text { encoding, read: BTreeMap::new() }
    }

    fn range(&mut self, file: &Path, line: u32, column: u32) -> Value {
        let read = || std::fs::read(file).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
        let text = self.read.entry(file.to_path_buf()).or_insert_with(read);
        self.encoding.range(text, line, column)
    }
}

impl Found {
    /// What an answer says.
    pub(super) fn of(checked: &Checked, related: bool, text: &mut Text) -> Found {
        let found = Found { diagnostics: BTreeMap::new(), invariants: Vec::new(), summary: String::new() };
        let mut making = Making { found, checked, related, text };
        match &checked.answer {
            Ok(answer) => match answer["answers"].as_array() {
                Some(answers) => answers.iter().for_each(|a| making.answer(a)),
                None => making.answer(answer),
            },
            Err(why) => making.at(&checked.file.clone(), 1, 1, ERROR, "failed", why),
        }
        making.found
    }

    /// The files that it says something of.
    pub(super) fn files(&self) -> BTreeSet<PathBuf> {
        self.diagnostics.keys().cloned().collect()
    }
}

struct Making<'a> {
    found: Found,
    checked: &'a Checked,
    related: bool,
    text: &'a mut Text,
}

impl Making<'_> {
    fn answer(&mut self, answer: &Value) {
        let verdict = answer["verdict"].as_str().unwrap_or("UNKNOWN");
        let reason = answer["reason"].as_str().unwrap_or_default();
        self.found.summary = format!("{verdict} ({reason})");
        let told = self.messages(answer);
        let targets = answer["targets"].as_array().map_or(&[][..], Vec::as_slice);
        let mut open = false;
        for target in targets {
            match target["state"].as_str() {
                Some("fails") => self.defect(target),
                Some("unknown") => {
                    open = true;
                    self.undecided(target);
                }
                _ => {}
            }
        }
        if verdict == "UNKNOWN" && !told && !open {
            let advice = answer["advice"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let advice: String = advice.map(|a| format!("\ntry {a}")).collect();
            let code = answer["reason_code"].as_str().unwrap_or("unknown");
            let file = self.checked.file.clone();
            self.at(&file, 1, 1, INFORMATION, code, &format!("not decided: {reason}{advice}"));
        }
        for invariant in answer["invariants"].as_array().into_iter().flatten() {
            let (file, line, _) = self.place(invariant);
            let word = |key: &str| invariant[key].as_str().unwrap_or_default().to_string();
            self.found.invariants.push(Invariant { file, line, what: word("what"), text: word("text") });
        }
    }

    /// What the front end says: `file:line:column: error: text [code]`. Whether there is an error.
    fn messages(&mut self, answer: &Value) -> bool {
        let mut errors = false;
        for message in answer["messages"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let first = message.lines().next().unwrap_or_default();
            for (word, severity) in [(": error: ", ERROR), (": warning: ", WARNING)] {
                let Some((place, said)) = first.split_once(word) else { continue };
                let mut parts = place.rsplitn(3, ':');
                let number = |part: Option<&str>| part.and_then(|p| p.parse::<u32>().ok());
                let (column, line) = (number(parts.next()), number(parts.next()));
                let (Some(column), Some(line), Some(file)) = (column, line, parts.next()) else { continue };
                let file = self.checked.folder.join(file);
                self.at(&file, line, column, severity, "front-end", said);
                errors |= severity == ERROR;
                break;
            }
        }
        errors
    }

    fn place(&self, of: &Value) -> (PathBuf, u32, u32) {
        let number = |key: &str| of[key].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(1);
        (self.checked.folder.join(of["file"].as_str().unwrap_or_default()), number("line"), number("column"))
    }

    fn defect(&mut self, target: &Value) {
        let (file, line, column) = self.place(target);
        let inputs = target["run"]["inputs"].as_array().into_iter().flatten().take(4);
        let inputs: Vec<String> =
            inputs.filter_map(|i| Some(format!("{} = {}", i["what"].as_str()?, i["value"].as_str()?))).collect();
        let with = if inputs.is_empty() { String::new() } else { format!(", for example with {}", inputs.join(", ")) };
        let what = target["what"].as_str().unwrap_or("goes wrong");
        let rule = target["rule"].as_str().unwrap_or("defect");
        self.at(&file, line, column, ERROR, rule, &format!("{what}{with}"));
        if self.related {
            let steps = self.steps(&target["run"]);
            if let Some(last) = self.found.diagnostics.get_mut(&file).and_then(|d| d.last_mut()) {
                last["relatedInformation"] = json!(steps);
            }
        }
    }

    /// The run, step by step.
    fn steps(&mut self, run: &Value) -> Vec<Value> {
        let lines = run["lines"].as_array().map_or(&[][..], Vec::as_slice);
        let steps: Vec<&Value> = lines.iter().filter(|l| l["file"].is_string()).collect();
        let mut out = Vec::new();
        for step in &steps[steps.len().saturating_sub(MOST_STEPS)..] {
            let (file, line, column) = self.place(step);
            let remarks: Vec<&str> =
                step["remarks"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let source = step["source"].as_str().unwrap_or_default();
            let said = if remarks.is_empty() { source.to_string() } else { remarks.join(", ") };
            let range = self.text.range(&file, line, column);
            out.push(json!({ "location": { "uri": uri_of(&file), "range": range }, "message": said }));
        }
        out
    }

    fn undecided(&mut self, target: &Value) {
        let (file, line, column) = self.place(target);
        let what = target["what"].as_str().unwrap_or_default();
        let why = target["reason"].as_str().unwrap_or_default();
        let rule = target["rule"].as_str().unwrap_or("unknown");
        self.at(&file, line, column, INFORMATION, rule, &format!("not decided whether {what}: {why}"));
    }

    fn at(&mut self, file: &Path, line: u32, column: u32, severity: u8, code: &str, message: &str) {
        let range = self.text.range(file, line, column);
        let diagnostic =
            json!({ "range": range, "severity": severity, "code": code, "source": "hardbop", "message": message });
        self.found.diagnostics.entry(file.to_path_buf()).or_default().push(diagnostic);
    }
}

//! The log of a run over tasks: a line of JSON for what was asked, then one for each answer, written as soon as it is there.
//!
//! A crash can cost the last line, which is then only a part of one: it is dropped, and its task done again. A log of other options
//! or of another tool is never added to.

use super::args::RunBench;
use super::tasks::Task;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::Write;

const SCHEMA: &str = "hardbop-bench-1";

/// What was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    schema: String,
    /// The version of hardbop.
    pub version: String,
    /// The hash of the executable.
    tool: String,
    /// Options of `check`.
    pub options: Vec<String>,
    /// Whether witnesses were checked.
    pub validate: bool,
}

impl Header {
    pub(super) fn of(args: &RunBench) -> Result<Header, String> {
        let exe = std::env::current_exe().and_then(std::fs::read);
        let exe = exe.map_err(|e| format!("cannot read this executable: {}", crate::input::reason(&e)))?;
        Ok(Header {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            tool: blake3::hash(&exe).to_hex()[..16].to_owned(),
            options: args.options.clone(),
            validate: args.validate,
        })
    }

    /// What keeps answers of the two from being counted together.
    pub(super) fn differs(&self, other: &Header) -> Option<String> {
        if self.schema != other.schema {
            return Some(format!("the formats are {} and {}", self.schema, other.schema));
        }
        if self.tool != other.tool {
            return Some("they are of different builds of hardbop".to_owned());
        }
        let shown =
            |h: &Header| format!("`{}`{}", h.options.join(" "), if h.validate { " with --validate" } else { "" });
        (self != other).then(|| format!("the options are {} and {}", shown(self), shown(other)))
    }
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// As expected.
    Right,
    /// The opposite of what is expected.
    Wrong,
    /// No verdict, or one about another part of the property.
    Unknown,
    /// A verdict where none is expected.
    Unjudged,
}

/// The answer to one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    pub task: String,
    pub property: Option<String>,
    pub sets: Vec<String>,
    pub expected: Option<String>,
    /// As SV-COMP writes it.
    pub verdict: String,
    pub status: Status,
    pub score: i64,
    /// What `validate` said of the witness: `confirmed`, `rejected`, `unknown`.
    pub witness: Option<String>,
    pub engine: Option<String>,
    pub cpu_s: f64,
    pub time_s: f64,
    pub memory_bytes: u64,
    pub exit_code: Option<i32>,
    pub reason: String,
}

impl Record {
    pub(super) fn is_same_task(&self, other: &Record) -> bool {
        (&self.task, &self.property) == (&other.task, &other.property)
    }
}

/// A log that is written.
pub(super) struct Log {
    path: String,
    file: File,
    /// The answers so far.
    pub records: Vec<Record>,
}

impl Log {
    /// Opens a log, with what an earlier run of the same left there.
    pub(super) fn open(path: &str, header: &Header) -> Result<Log, String> {
        let cannot = |e: std::io::Error| format!("cannot write {path}: {}", crate::input::reason(&e));
        let mut records = Vec::new();
        if std::fs::metadata(path).is_ok_and(|m| m.len() > 0) {
            let (old, known) = read(path)?;
            if let Some(what) = header.differs(&old) {
                return Err(format!(
                    "{path} is the log of another run ({what}): remove it, or name another with --log"
                ));
            }
            records = known;
        }
        // Written anew, so that half a line at its end is gone; under another name, so that a crash here costs nothing.
        let next = format!("{path}.new");
        std::fs::write(&next, text(header, &records)).map_err(cannot)?;
        std::fs::rename(&next, path).map_err(cannot)?;
        let file = OpenOptions::new().append(true).open(path).map_err(cannot)?;
        Ok(Log { path: path.to_owned(), file, records })
    }

    /// The answer to a task, if there is one.
    pub(super) fn of(&self, task: &Task) -> Option<&Record> {
        let property = task.property_name();
        self.records.iter().find(|r| r.task == task.name && r.property == property && r.expected == task.expected)
    }

    pub(super) fn has(&self, task: &Task) -> bool {
        self.of(task).is_some()
    }

    /// Adds an answer.
    pub(super) fn add(&mut self, record: Record) -> Result<(), String> {
        let written = self.file.write_all(line(&record).as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|e| format!("cannot write {}: {}", self.path, crate::input::reason(&e)))?;
        self.records.push(record);
        Ok(())
    }
}

fn line<T: Serialize>(of: &T) -> String {
    serde_json::to_string(of).expect("records are plain data") + "\n"
}

/// A whole log.
pub(super) fn text(header: &Header, records: &[Record]) -> String {
    records.iter().fold(line(header), |text, record| text + &line(record))
}

/// What is in a log. Half a line at its end is not.
pub(super) fn read(path: &str) -> Result<(Header, Vec<Record>), String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{path}: {}", crate::input::reason(&e)))?;
    parse(&String::from_utf8_lossy(&bytes)).map_err(|e| format!("{path}: {e}"))
}

fn parse(text: &str) -> Result<(Header, Vec<Record>), String> {
    let (first, rest) = text.split_once('\n').ok_or("this is no log of `hardbop bench`")?;
    let header: Header = serde_json::from_str(first).map_err(|_| "this is no log of `hardbop bench`")?;
    if header.schema != SCHEMA {
        return Err(format!("logs of the format {} are not read", header.schema));
    }
    let mut records = Vec::new();
    for (i, whole) in rest.split_inclusive('\n').enumerate() {
        match serde_json::from_str(whole) {
            Ok(record) if whole.ends_with('\n') => records.push(record),
            _ if !whole.ends_with('\n') => {}
            Ok(_) => {}
            Err(e) => return Err(format!("line {} is damaged: {e}", i + 2)),
        }
    }
    Ok((header, records))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn record(task: &str, verdict: &str, status: Status, score: i64) -> Record {
        Record {
            task: task.into(),
            property: Some("unreach-call".into()),
            sets: vec!["Loops".into()],
            expected: Some("true".into()),
            verdict: verdict.into(),
            status,
            score,
            witness: None,
            engine: Some("bounded".into()),
            cpu_s: 1.25,
            time_s: 2.5,
            memory_bytes: 1 << 20,
            exit_code: Some(0),
            reason: "a \"reason\", with commas".into(),
        }
    }

    pub(in super::super) fn header() -> Header {
        Header { schema: SCHEMA.into(), version: "0".into(), tool: "ab".into(), options: Vec::new(), validate: false }
    }

    #[test]
    fn half_a_line_is_dropped_and_damage_is_said() {
        let records = vec![record("a.yml", "true", Status::Right, 2), record("b.yml", "unknown", Status::Unknown, 0)];
        let whole = text(&header(), &records);
        assert_eq!(parse(&whole), Ok((header(), records.clone())));
        let ends: Vec<usize> = whole.match_indices('\n').map(|(i, _)| i + 1).collect();
        for cut in ends[0]..whole.len() {
            let complete = ends.iter().filter(|e| **e <= cut).count() - 1;
            let (_, read) = parse(&whole[..cut]).expect("a log that breaks off is one");
            assert_eq!(read, records[..complete], "cut at {cut}");
        }
        let damaged = whole.replacen("\"task\"", "\"tusk\"", 1);
        assert!(parse(&damaged).unwrap_err().contains("line 2 is damaged"));
        assert!(parse("x\n").is_err() && parse("").is_err());
    }

    #[test]
    fn runs_that_differ_are_not_mixed() {
        let other = Header { options: vec!["--first".into()], ..header() };
        assert!(header().differs(&header()).is_none());
        assert!(header().differs(&other).unwrap().contains("--first"));
        assert!(header().differs(&Header { tool: "cd".into(), ..header() }).unwrap().contains("builds"));
    }
}

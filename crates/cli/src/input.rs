//! Reading the user's files. Each thing that can be wrong with one has one message.

use crate::ctext;
use crate::database::{self, Flags};
use crate::language::Language;
use crate::preprocess::preprocess;
use crate::settings::ProgramSettings;
use serde::{Deserialize, Serialize};
use std::io::Read;

/// The text of one file, preprocessed if it had to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Source {
    /// The file's name as the user gave it.
    pub name: String,
    /// The text that the front end reads.
    pub text: String,
    /// The text before preprocessing, where that changed it.
    pub original: Option<String>,
    /// What its build chooses.
    pub choices: Choices,
}

/// What compilers let the user choose: nothing said, or yes or no.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Choices {
    /// `-funsigned-char`.
    pub unsigned_char: Option<bool>,
    /// `-fshort-enums`.
    pub short_enums: Option<bool>,
}

/// Why a file cannot be used: the message for the user, and the same in short for the answer line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InputError {
    /// The rendered message, which may have several lines.
    pub message: String,
    /// One line.
    pub reason: String,
}

impl InputError {
    /// `place: error: text`, like a compiler.
    pub(crate) fn new(place: &str, text: &str) -> InputError {
        InputError { message: format!("{place}: error: {text}"), reason: format!("{place}: {text}") }
    }
}

/// Offsets into a file are 32-bit numbers.
const MAX_SIZE: u64 = u32::MAX as u64;

/// Reads the files of a program, and preprocesses those that need it.
pub(crate) fn read_program(settings: &ProgramSettings) -> Result<Vec<Source>, InputError> {
    if !settings.sources.is_empty() {
        return Ok(settings.sources.clone());
    }
    let mut sources = read_files(settings)?;
    if let Some(harness) = &settings.harness {
        crate::harness::append(&mut sources, harness);
    }
    Ok(sources)
}

fn read_files(settings: &ProgramSettings) -> Result<Vec<Source>, InputError> {
    if let Some(twice) = given_twice(&settings.files) {
        return Err(InputError::new(twice, "the file is given twice; all files together are one program"));
    }
    let Some(path) = &settings.compile_commands else {
        return settings.files.iter().map(|name| read_source(name, settings, None)).collect();
    };
    let database = database::read(path)?;
    let files = if settings.files.is_empty() { database.files() } else { settings.files.clone() };
    if files.is_empty() {
        return Err(InputError::new(path, "the compilation database names no C file"));
    }
    files.iter().map(|name| read_source(name, settings, Some(&database.flags(name, settings)?))).collect()
}

/// A file that is named more than once, in whatever way.
fn given_twice(files: &[String]) -> Option<&str> {
    let real = |name: &String| std::fs::canonicalize(name).unwrap_or_else(|_| name.into());
    let mut seen = std::collections::BTreeSet::new();
    files.iter().find(|name| !seen.insert(real(name))).map(String::as_str)
}

fn read_source(name: &str, settings: &ProgramSettings, build: Option<&Flags>) -> Result<Source, InputError> {
    let mut bytes = read_file(name)?;
    if let Some(at) = bytes.iter().position(|&b| b == 0) {
        return Err(InputError::new(&place(name, &bytes, at), "this is a binary file (it contains a NUL byte)"));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    if bytes.is_empty() {
        return Err(InputError::new(&format!("{name}:1:1"), "the file is empty"));
    }
    let mut original = None;
    // Flags may matter to a file without directives: macros, headers to read first.
    let matters = |f: &String| ["-D", "-U", "-include", "-imacros"].iter().any(|p| f.starts_with(p));
    let flagged = build.is_some_and(|b| !b.flags.is_empty()) || settings.preprocessor.iter().any(matters);
    let is_c = Language::of(name) == Language::C;
    if is_c && !name.ends_with(".i") && (flagged || ctext::needs_preprocessing(&bytes)) {
        original = Some(String::from_utf8_lossy(&bytes).into_owned());
        bytes = preprocess(name, settings, build)?;
        if let Some(trouble) = build.and_then(|b| b.trouble(&bytes)) {
            return Err(InputError::new(name, &trouble));
        }
    }
    let text = decode(name, bytes)?;
    Ok(Source { name: name.to_string(), text, original, choices: build.map_or(Choices::default(), |b| b.choices) })
}

/// Whether an empty file makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Empty {
    Allowed,
    Refused,
}

/// Reads a text file that is not C: a proof, a tape, predicates.
pub(crate) fn read_text(name: &str, empty: Empty) -> Result<String, InputError> {
    let bytes = read_file(name)?;
    if bytes.is_empty() && empty == Empty::Refused {
        return Err(InputError::new(&format!("{name}:1:1"), "the file is empty"));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        InputError::new(&place(name, e.as_bytes(), at), "this is not a text file (not UTF-8)")
    })
}

fn read_file(name: &str) -> Result<Vec<u8>, InputError> {
    let fail = |e: std::io::Error| InputError::new(name, &format!("cannot read the file: {}", reason(&e)));
    let too_large = || InputError::new(name, "the file is larger than 4 GiB");
    let file = std::fs::File::open(name).map_err(fail)?;
    let metadata = file.metadata().map_err(fail)?;
    if metadata.is_dir() {
        return Err(InputError::new(name, "cannot read the file: it is a directory"));
    }
    if metadata.len() > MAX_SIZE {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(MAX_SIZE + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > MAX_SIZE { Err(too_large()) } else { Ok(bytes) }
}

fn decode(name: &str, bytes: Vec<u8>) -> Result<String, InputError> {
    let shown = name.to_string();
    let copy = if std::str::from_utf8(&bytes).is_ok() { Vec::new() } else { bytes.clone() };
    let text = ctext::decode(bytes).map_err(|at| {
        InputError::new(&place(&shown, &copy, at), "a backslash before a byte that is not UTF-8 has no defined meaning")
    })?;
    if text.len() as u64 > MAX_SIZE {
        return Err(InputError::new(name, "the preprocessed file is larger than 4 GiB"));
    }
    Ok(text)
}

/// `name:line:column` of the byte at `at`.
fn place(name: &str, bytes: &[u8], at: usize) -> String {
    let before = &bytes[..at];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    format!("{name}:{line}:{column}")
}

/// An error of the system as a person would say it, without the number.
pub(crate) fn reason(e: &std::io::Error) -> String {
    match e.kind() {
        std::io::ErrorKind::NotFound => "no such file or directory".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        std::io::ErrorKind::IsADirectory => "it is a directory".into(),
        std::io::ErrorKind::NotADirectory => "a part of the path is not a directory".into(),
        std::io::ErrorKind::InvalidData => "this is not a text file (not UTF-8)".into(),
        _ => e.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        assert_eq!(place("a", "x\né\0".as_bytes(), 4), "a:2:2");
        assert_eq!(place("a", b"\0", 0), "a:1:1");
    }
}

//! Source text and positions in it.
//!
//! A [`Span`] is a range of bytes of one file. Where the file is the output of a preprocessor, line marks
//! (`# 12 "user.c"`) say which line of which file the user wrote; [`SourceMap::locate`] follows them, so messages name
//! the user's place and never the preprocessed one.

use crate::define_id;
use crate::ids::IndexVec;
use std::fmt;

define_id!(pub FileId, "f", "A source file of a [`SourceMap`].");

/// A range of bytes `lo..hi` of one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// The span `lo..hi` of `file`.
    pub fn new(file: FileId, lo: u32, hi: u32) -> Span {
        Span { file, lo, hi: hi.max(lo) }
    }

    /// The smallest span that holds both; `self` when they are in different files.
    #[must_use]
    pub fn to(self, end: Span) -> Span {
        if self.file == end.file {
            Span { file: self.file, lo: self.lo.min(end.lo), hi: self.hi.max(end.hi) }
        } else {
            self
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file, self.lo, self.hi)
    }
}

/// "From byte `offset` on, lines count as `line`, `line`+1, … of `file`": one `#line` or `# n "file"` directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMark {
    /// First byte of the line after the directive.
    pub offset: u32,
    /// The line number that this line has for the user.
    pub line: u32,
    /// The file that this line has for the user.
    pub file: String,
}

/// One file of source text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as the user gave it.
    pub name: String,
    /// The whole text.
    pub text: String,
    line_starts: Vec<u32>,
    marks: Vec<LineMark>,
}

/// A position as a person reads it: lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file's name, after line marks.
    pub file: String,
    /// The line, after line marks.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// All source text of a run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: IndexVec<FileId, SourceFile>,
}

impl SourceMap {
    /// No files.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file. Text beyond 4 GiB cannot be addressed and is refused by the caller.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let newlines = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        self.files.push(SourceFile { name: name.into(), text, line_starts, marks: Vec::new() })
    }

    /// Records the line marks found while lexing `file`, in order of their offsets.
    pub fn set_marks(&mut self, file: FileId, marks: Vec<LineMark>) {
        debug_assert!(marks.is_sorted_by_key(|m| m.offset), "line marks come in order");
        self.files[file].marks = marks;
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }

    /// The text a span covers.
    pub fn text(&self, span: Span) -> &str {
        self.files[span.file].text.get(span.lo as usize..span.hi as usize).unwrap_or("")
    }

    /// Where the first byte of `span` is, in the user's terms.
    pub fn locate(&self, span: Span) -> Location {
        self.files[span.file].locate(span.lo)
    }
}

impl SourceFile {
    /// The position of byte `offset`, in the user's terms.
    pub fn locate(&self, offset: u32) -> Location {
        let line = self.physical_line(offset);
        let start = self.line_starts[line] as usize;
        let upto = (offset as usize).min(self.text.len());
        let column = self.text.get(start..upto).map_or(1, |s| s.chars().count() as u32 + 1);
        let mark = self.marks.partition_point(|m| m.offset <= offset).checked_sub(1).map(|i| &self.marks[i]);
        match mark {
            None => Location { file: self.name.clone(), line: line as u32 + 1, column },
            Some(m) => {
                let since = line - self.physical_line(m.offset);
                Location { file: m.file.clone(), line: m.line + since as u32, column }
            }
        }
    }

    /// The index (from 0) of the physical line that holds byte `offset`.
    pub fn physical_line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&s| s <= offset) - 1
    }

    /// The text of physical line `index` (from 0) without its end of line, and the byte it starts at.
    pub fn line_text(&self, index: usize) -> (u32, &str) {
        let start = self.line_starts[index];
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&e| e as usize);
        (start, self.text[start as usize..end].trim_end_matches(['\n', '\r']))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_follow_line_marks() {
        let mut map = SourceMap::new();
        let f = map.add("a.i", "int x;\n# 7 \"a.c\"\nint y;\n\nint é = z;\n");
        map.set_marks(f, vec![LineMark { offset: 17, line: 7, file: "a.c".into() }]);
        let at = |needle: &str| {
            let lo = map.file(f).text.find(needle).unwrap() as u32;
            map.locate(Span::new(f, lo, lo + 1)).to_string()
        };
        assert_eq!(at("x;"), "a.i:1:5");
        assert_eq!(at("y;"), "a.c:7:5");
        assert_eq!(at("z;"), "a.c:9:9");
        assert_eq!(map.file(f).line_text(2), (17, "int y;"));
    }

    #[test]
    fn the_end_of_a_file_is_a_place() {
        let mut map = SourceMap::new();
        let f = map.add("e.c", "");
        assert_eq!(map.locate(Span::new(f, 0, 0)).to_string(), "e.c:1:1");
    }
}

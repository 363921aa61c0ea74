//! Places as the protocol has them: `file:` addresses, lines and columns from zero, columns in units that are agreed upon.

use serde_json::{Value, json};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// What every client understands.
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The unit that hardbop counts in, if the client knows it.
    pub(super) fn negotiate(offered: &Value) -> Encoding {
        let offers = |name: &str| offered.as_array().is_some_and(|o| o.iter().any(|e| e == name));
        [Encoding::Utf32, Encoding::Utf8].into_iter().find(|e| offers(e.name())).unwrap_or(Encoding::Utf16)
    }

    /// Its name in the protocol.
    pub(super) fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        }
    }

    /// The units before the character with this number, from zero.
    fn units(self, line: &str, characters: usize) -> usize {
        let of = |c: char| match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        };
        line.chars().take(characters).map(of).sum()
    }

    /// From a line and column that count from one to the end of that line.
    pub(super) fn range(self, text: &str, line: u32, column: u32) -> Value {
        let at = line.max(1) - 1;
        let text = text.lines().nth(at as usize).unwrap_or("").trim_end();
        let start = self.units(text, column.max(1) as usize - 1);
        let end = self.units(text, usize::MAX).max(start);
        json!({ "start": { "line": at, "character": start }, "end": { "line": at, "character": end } })
    }
}

/// The path of a `file:` address.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // A host other than this one names no file here.
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    if !rest.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::new();
    let mut left = rest.as_bytes();
    while let Some((&first, after)) = left.split_first() {
        let code = (first == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|d| std::str::from_utf8(d).ok()).and_then(|d| u8::from_str_radix(d, 16).ok());
        bytes.push(code.unwrap_or(first));
        left = if code.is_some() { &after[2..] } else { after };
    }
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

/// The address of a file.
pub(super) fn uri_of(path: &Path) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-._~".contains(&b);
    let part = |b: &u8| if plain(*b) { char::from(*b).to_string() } else { format!("%{b:02X}") };
    format!("file://{}", path.as_os_str().as_bytes().iter().map(part).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_inverse() {
        for path in ["/a/b.c", "/my files/größe 100%.c", "/x/#?.c"] {
            let uri = uri_of(Path::new(path));
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)), "{uri}");
        }
        assert_eq!(uri_of(Path::new("/a b/ü.c")), "file:///a%20b/%C3%BC.c");
        assert_eq!([path_of("untitled:1"), path_of("file://host/a.c")], [None, None]);
    }

    #[test]
    fn columns_are_in_the_agreed_unit() {
        let text = "int a;\n/* ü𝄞 */ x();\n";
        let start = |e: Encoding| e.range(text, 2, 10)["start"]["character"].clone();
        assert_eq!(text.lines().nth(1).unwrap().chars().nth(9), Some('x'));
        assert_eq!([Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].map(start), [13, 10, 9]);
        assert_eq!(Encoding::negotiate(&json!(["utf-16", "utf-8"])), Encoding::Utf8);
        assert_eq!(Encoding::negotiate(&Value::Null), Encoding::Utf16);
        assert_eq!(Encoding::Utf16.range(text, 90, 4)["start"], json!({ "line": 89, "character": 0 }));
    }
}

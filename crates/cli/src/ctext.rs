//! As much of C's lexical structure as reading a file needs: which bytes are comment, literal or code.
//!
//! It decides whether a file has to be preprocessed, and what a byte that is not UTF-8 means. Line splices end nothing;
//! an unterminated literal ends with its line, so that a stray apostrophe cannot hide the rest of a file.

/// What a byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// Neither comment nor literal.
    Code,
    /// A comment, its delimiters included.
    Comment,
    /// A string or character literal, its quotes included.
    Literal,
}

/// Goes through C text byte by byte.
pub(crate) struct Regions<'a> {
    bytes: &'a [u8],
    at: usize,
    state: Mode,
}

enum Mode {
    Code,
    /// In a block comment whose text starts at this byte.
    Block(usize),
    Line,
    Literal {
        quote: u8,
        escaped: bool,
    },
}

impl Regions<'_> {
    pub(crate) fn new(bytes: &[u8]) -> Regions<'_> {
        Regions { bytes, at: 0, state: Mode::Code }
    }

    /// Whether the next byte of a literal follows a backslash that is itself not escaped.
    pub(crate) fn escaped(&self) -> bool {
        matches!(self.state, Mode::Literal { escaped: true, .. })
    }
}

impl Iterator for Regions<'_> {
    type Item = Region;

    fn next(&mut self) -> Option<Region> {
        let (at, byte) = (self.at, *self.bytes.get(self.at)?);
        self.at += 1;
        Some(match &mut self.state {
            Mode::Code => match (byte, self.bytes.get(self.at)) {
                (b'/', Some(b'*')) => {
                    self.state = Mode::Block(at + 2);
                    Region::Comment
                }
                (b'/', Some(b'/')) => {
                    self.state = Mode::Line;
                    Region::Comment
                }
                (b'"' | b'\'', _) => {
                    self.state = Mode::Literal { quote: byte, escaped: false };
                    Region::Literal
                }
                _ => Region::Code,
            },
            Mode::Block(text) => {
                if byte == b'/' && at > *text && self.bytes[at - 1] == b'*' {
                    self.state = Mode::Code;
                }
                Region::Comment
            }
            Mode::Line if byte == b'\n' && !spliced(self.bytes, at) => {
                self.state = Mode::Code;
                Region::Code
            }
            Mode::Line => Region::Comment,
            Mode::Literal { escaped, .. } if *escaped => {
                // The newline of a splice in a CRLF file is the second byte after the backslash.
                *escaped = byte == b'\r';
                Region::Literal
            }
            Mode::Literal { quote, escaped } => {
                match byte {
                    b'\\' => *escaped = true,
                    b'\n' => {
                        self.state = Mode::Code;
                        return Some(Region::Code);
                    }
                    _ if byte == *quote => self.state = Mode::Code,
                    _ => {}
                }
                Region::Literal
            }
        })
    }
}

/// Whether the newline at `at` is spliced away by a backslash.
fn spliced(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].strip_suffix(b"\r").unwrap_or(&bytes[..at]);
    before.ends_with(b"\\")
}

/// Whether the text contains a directive that only a preprocessor can obey (any but line marks, `#pragma` and `#ident`), or
/// names a macro that the compiler defines (`__INT_MAX__`) although no line mark says that it has been preprocessed.
pub(crate) fn needs_preprocessing(bytes: &[u8]) -> bool {
    let (mut only_space_so_far, mut in_word) = (true, false);
    let (mut marked, mut names_macro) = (false, false);
    for (at, region) in Regions::new(bytes).enumerate() {
        let word = region == Region::Code && is_word(bytes[at]);
        if word && !in_word && bytes[at] == b'_' {
            names_macro |= is_predefined(&bytes[at..]);
        }
        in_word = word;
        match (region, bytes[at]) {
            (Region::Code, b'\n') => only_space_so_far = true,
            (Region::Comment, _) | (Region::Code, b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => {}
            (Region::Code, b'#') if only_space_so_far => {
                if !is_harmless(&bytes[at + 1..]) {
                    return true;
                }
                marked |= is_line_mark(&bytes[at + 1..]);
                only_space_so_far = false;
            }
            (Region::Code, b'%') if only_space_so_far && bytes.get(at + 1) == Some(&b':') => return true,
            _ => only_space_so_far = false,
        }
    }
    names_macro && !marked
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether the identifier at the start of the text has the form of the macros that compilers define: `__UPPER_CASE__`.
/// The two of that form which are variables are none.
fn is_predefined(text: &[u8]) -> bool {
    let end = text.iter().position(|&b| !is_word(b)).unwrap_or(text.len());
    let inner = text[..end].strip_prefix(b"__").and_then(|w| w.strip_suffix(b"__")).unwrap_or_default();
    let upper = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    !inner.is_empty() && inner.iter().all(upper) && !matches!(inner, b"FUNCTION" | b"PRETTY_FUNCTION")
}

/// Whether the directive whose text follows the `#` is one that preprocessors leave behind.
fn is_line_mark(rest: &[u8]) -> bool {
    let line = rest.split(|&b| b == b'\n').next().unwrap_or(rest).trim_ascii();
    line.strip_prefix(b"line").unwrap_or(line).trim_ascii().first().is_some_and(u8::is_ascii_digit)
}

/// Whether the directive whose text follows the `#` can stay in preprocessed text.
fn is_harmless(rest: &[u8]) -> bool {
    let line = rest.split(|&b| b == b'\n').next().unwrap_or(rest).trim_ascii();
    let word = line.split(|b| !b.is_ascii_alphanumeric() && *b != b'_').next().unwrap_or(line);
    line.is_empty()
        || word.first().is_some_and(u8::is_ascii_digit)
        || matches!(word, b"line" | b"pragma" | b"ident" | b"sccs")
}

/// The text as a string. Bytes that are not UTF-8 keep their meaning: in a literal, where each stands for itself, they
/// become octal escapes; in a comment they mean nothing and become replacement characters, as they do in code, where the
/// lexer will refuse them. The error is the offset of a byte whose meaning cannot be kept.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<String, usize> {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(e) => e.into_bytes(),
    };
    let mut regions = Regions::new(&bytes);
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 16);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for _ in chunk.valid().bytes() {
            regions.next();
        }
        for byte in chunk.invalid() {
            let (at, escaped) = (regions.at, regions.escaped());
            match regions.next() {
                Some(Region::Literal) if escaped => return Err(at),
                Some(Region::Literal) => text.push_str(&format!("\\{byte:03o}")),
                _ => text.push(char::REPLACEMENT_CHARACTER),
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The regions as letters.
    fn regions(text: &str) -> String {
        Regions::new(text.as_bytes())
            .map(|r| match r {
                Region::Code => '.',
                Region::Comment => 'c',
                Region::Literal => 'l',
            })
            .collect()
    }

    #[test]
    fn comments_and_literals_are_distinguished() {
        for (text, expected) in [
            ("a/b", "..."),
            ("/*/ */x", "cccccc."),
            ("/**/x", "cccc."),
            ("//c\nx", "ccc.."),
            ("//c\\\nc\nx", "cccccc.."),
            ("\"/*\"x", "llll."),
            ("\"\\\"\"x", "llll."),
            ("'\"'x", "lll."),
            ("'a\nx", "ll.."),
            ("\"a\\\nb\"x", "llllll."),
            ("\"a\\\r\nb\"x", "lllllll."),
        ] {
            assert_eq!(regions(text), expected, "{text:?}");
        }
    }

    #[test]
    fn only_real_directives_need_a_preprocessor() {
        for text in [
            "int x;",
            "# 1 \"a.c\"\nint x;",
            "#line 3 \"a.c\"\n",
            "#pragma once\n #\n#ident \"x\"\n",
            "/* \n#include <a.h>\n*/",
            "char *s = \"\\\n#define\";",
            "int x; #include",
            "// \\\n#include <a.h>",
            "void f() { __FUNCTION__; __PRETTY_FUNCTION__; __func__; }",
            "int __x__, ____, x__INT_MAX__; // __INT_MAX__",
            "# 1 \"a.c\"\nint __INT_MAX__;",
        ] {
            assert!(!needs_preprocessing(text.as_bytes()), "{text}");
        }
        for text in [
            "#include <a.h>",
            "int x;\n  # define A 1\n",
            "/* c */ #if 1\n#endif",
            "%:define A 1",
            "#define_this 1",
            "char c = 'a\n#define A\n",
            "int x = __INT_MAX__;",
            "__INT_LEAST8_TYPE__ x;",
            "int x =__LINE__;",
        ] {
            assert!(needs_preprocessing(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn bytes_of_other_encodings_keep_their_meaning() {
        let decode = |b: &[u8]| decode(b.to_vec());
        assert_eq!(decode("é".as_bytes()), Ok("é".into()));
        assert_eq!(decode(b"/* \xe9 */ x"), Ok("/* \u{fffd} */ x".into()));
        assert_eq!(decode(b"\"\xe91\" '\xff'"), Ok("\"\\3511\" '\\377'".into()));
        assert_eq!(decode(b"int \xe9;"), Ok("int \u{fffd};".into()));
        assert_eq!(decode(b"\"\\\xe9\""), Err(2));
        assert_eq!(decode(b"\"\\\\\xe9\""), Ok("\"\\\\\\351\"".into()));
        assert_eq!(decode(b"\xc3\"\xc3"), Ok("\u{fffd}\"\\303".into()));
    }

    #[test]
    fn any_bytes_are_scanned_to_their_end() {
        let mut rng = base::rng::Rng::new(1);
        for _ in 0..20_000 {
            let bytes: Vec<u8> = (0..rng.below(12)).map(|_| *rng.pick(b"/*\"'\\\n\r#% a:\xc3\xa9\xff")).collect();
            assert_eq!(Regions::new(&bytes).count(), bytes.len());
            needs_preprocessing(&bytes);
            if let Ok(text) = super::decode(bytes.clone()) {
                // The line structure stays, and nothing that is text changes.
                assert_eq!(text.matches('\n').count(), bytes.iter().filter(|&&b| b == b'\n').count());
                assert!(String::from_utf8(bytes).is_err() || super::decode(text.clone().into_bytes()) == Ok(text));
            }
        }
    }
}

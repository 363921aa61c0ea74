//! As much of Rust's lexical structure as the rules need: text without comments and literals, and where functions end.

/// The text with comments and the contents of literals blanked out; line breaks stay, so lines keep their numbers.
pub(crate) fn code_only(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut i = 0;
    while i < chars.len() {
        let end = match chars[i] {
            '/' if chars.get(i + 1) == Some(&'/') => until(&chars, i, |c| c == '\n'),
            '/' if chars.get(i + 1) == Some(&'*') => block_comment_end(&chars, i),
            '"' => string_end(&chars, i),
            '\'' => char_end(&chars, i),
            'r' if !follows_word(&chars, i) || follows_literal_prefix(&chars, i) => raw_string_end(&chars, i),
            _ => i,
        };
        if end == i {
            out.push(chars[i]);
            i += 1;
        } else {
            out.extend(chars[i..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            i = end;
        }
    }
    out
}

/// The index of the first character from `from` on for which `stop` holds.
fn until(chars: &[char], from: usize, stop: impl Fn(char) -> bool) -> usize {
    chars[from..].iter().position(|&c| stop(c)).map_or(chars.len(), |n| from + n)
}

fn block_comment_end(chars: &[char], from: usize) -> usize {
    let (mut depth, mut i) = (0, from);
    while i < chars.len() {
        match (chars[i], chars.get(i + 1)) {
            ('/', Some('*')) => (depth, i) = (depth + 1, i + 2),
            ('*', Some('/')) if depth == 1 => return i + 2,
            ('*', Some('/')) => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
    }
    i
}

fn string_end(chars: &[char], from: usize) -> usize {
    let mut i = from + 1;
    while i < chars.len() {
        match chars[i] {
            '\\' => i += 2,
            '"' => return i + 1,
            _ => i += 1,
        }
    }
    chars.len()
}

/// A character literal ends after its quote; a lifetime is left alone.
fn char_end(chars: &[char], from: usize) -> usize {
    match chars.get(from + 1) {
        Some('\\') => until(chars, from + 3, |c| c == '\'') + 1,
        Some(_) if chars.get(from + 2) == Some(&'\'') => from + 3,
        _ => from,
    }
    .min(chars.len())
}

fn raw_string_end(chars: &[char], from: usize) -> usize {
    let hashes = chars[from + 1..].iter().take_while(|&&c| c == '#').count();
    let open = from + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return from;
    }
    let closes =
        |i: usize| chars[i] == '"' && chars[i + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes;
    (open + 1..chars.len()).find(|&i| closes(i)).map_or(chars.len(), |i| i + 1 + hashes)
}

fn follows_word(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

/// `br"…"` and `cr"…"`.
fn follows_literal_prefix(chars: &[char], at: usize) -> bool {
    at > 0 && matches!(chars[at - 1], 'b' | 'c') && !follows_word(chars, at - 1)
}

/// The names in a line of text that [`code_only`] returned.
pub(crate) fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|w| !w.is_empty() && !w.starts_with(|c: char| c.is_ascii_digit()))
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: String,
    /// The line of `fn`, from 1.
    pub(crate) first_line: usize,
    /// The line of the closing brace, from 1.
    pub(crate) last_line: usize,
}

/// The functions in text that [`code_only`] returned.
pub(crate) fn functions(code: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let before = code[..at].chars().next_back();
        let name: String =
            code[at + 3..].trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') || name.is_empty() {
            continue;
        }
        if let Some(end) = body_end(&code[at..]) {
            let first_line = code[..at].matches('\n').count() + 1;
            let last_line = first_line + code[at..at + end].matches('\n').count();
            found.push(Function { name, first_line, last_line });
        }
    }
    found
}

/// The offset of the brace that closes the body, or `None` for a declaration.
fn body_end(code: &str) -> Option<usize> {
    let (mut brackets, mut braces) = (0_i32, 0_i32);
    for (i, c) in code.char_indices() {
        match c {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            '{' => braces += 1,
            '}' if braces == 1 && brackets == 0 => return Some(i),
            '}' => braces -= 1,
            ';' if braces == 0 && brackets == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_vanish_and_code_stays() {
        for (text, expected) in [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            ("f(\"x\\\"y\", 'z', '\\'', '\\u{7f}')", "f(      ,    ,     ,         )"),
            ("<'a>(&'a str)", "<'a>(&'a str)"),
            ("r#\"a\"b\"# c", "         c"),
            ("br\"a\\\" c", "b      c"),
            ("for r in x", "for r in x"),
            ("var\"x\"", "var   "),
        ] {
            assert_eq!(code_only(text), expected, "{text}");
        }
    }

    #[test]
    fn functions_end_where_their_braces_do() {
        let code = code_only(
            "trait T { fn a(&self); }\nfn b(x: [u8; 3]) -> fn(u8) {\n    if x { '}' } else { \"{\" }\n}\nfn c() {}\n",
        );
        let found: Vec<(String, usize, usize)> =
            functions(&code).into_iter().map(|f| (f.name, f.first_line, f.last_line)).collect();
        assert_eq!(found, [("b".into(), 2, 4), ("c".into(), 5, 5)]);
    }
}

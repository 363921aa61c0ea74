//! Text to tokens, on demand.
//!
//! Line marks and `#pragma pack` are taken out here and remembered with their offsets. Lines joined by a backslash are
//! joined before lexing; positions are then translated back, so that all spans are in bytes of the text as given.
//! After an error the lexer yields `T::Error` and holds the message; the parser reports it when it gets there.

use crate::symbol::Symbols;
use crate::token::{self, T, Token};
use base::{Diagnostic, FileId, LineMark, Span};
use std::borrow::Cow;

/// `#pragma pack` in force from an offset on.
#[derive(Clone, Copy, Debug)]
struct Pack {
    offset: u32,
    value: Option<u64>,
}

/// The state of lexing one file.
pub(crate) struct Lexer<'s> {
    file: FileId,
    /// The file's own name, for marks that give only a line.
    name: &'s str,
    text: Cow<'s, str>,
    /// (offset in `text`, bytes left out before it), for joined lines.
    joins: Vec<(u32, u32)>,
    pos: usize,
    line_start: bool,
    /// The names seen so far.
    pub(crate) symbols: Symbols,
    /// Line marks found so far.
    pub(crate) marks: Vec<LineMark>,
    packs: Vec<Pack>,
    /// `#pragma weak`: names, and what they are then another name of.
    pub(crate) weak: Vec<(String, Option<String>)>,
    /// What `#pragma pack(push)` saved, with the name that it gave.
    pack_stack: Vec<(Option<String>, Option<u64>)>,
    /// Pragmas that change what the unit means and are not followed.
    pub(crate) unsupported: Vec<String>,
    /// What was wrong, after a `T::Error`.
    pub(crate) error: Option<Box<Diagnostic>>,
    /// Where everything is said to be: the text is none of the user's.
    stands_for: Option<Span>,
    /// Whether the words of annotations are read rather than those of C.
    annotation: bool,
    /// Whether a line ended before the token at hand.
    new_line: bool,
    /// Whether the last token ends an operand, so that a dot behind it asks for a member.
    after_operand: bool,
}

fn is_ident(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80
}

/// Joins lines that end in a backslash.
fn join_lines(text: &str) -> (Cow<'_, str>, Vec<(u32, u32)>) {
    if !text.contains("\\\n") && !text.contains("\\\r\n") {
        return (Cow::Borrowed(text), Vec::new());
    }
    let (mut out, mut joins, mut rest, mut removed) = (String::with_capacity(text.len()), Vec::new(), text, 0u32);
    while let Some(at) = rest.find('\\') {
        let len = if rest[at..].starts_with("\\\n") {
            2
        } else if rest[at..].starts_with("\\\r\n") {
            3
        } else {
            out.push_str(&rest[..=at]);
            rest = &rest[at + 1..];
            continue;
        };
        out.push_str(&rest[..at]);
        rest = &rest[at + len..];
        removed += len as u32;
        joins.push((out.len() as u32, removed));
    }
    out.push_str(rest);
    (Cow::Owned(out), joins)
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(file: FileId, name: &'s str, text: &'s str) -> Lexer<'s> {
        let (text, joins) = join_lines(text);
        let pos = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Lexer {
            file,
            name,
            text,
            joins,
            pos,
            line_start: true,
            symbols: token::symbols(),
            marks: Vec::new(),
            packs: Vec::new(),
            weak: Vec::new(),
            pack_stack: Vec::new(),
            unsupported: Vec::new(),
            error: None,
            stands_for: None,
            annotation: false,
            new_line: false,
            after_operand: false,
        }
    }

    /// A lexer for annotations: there are no directives and no characters; `'` and `@` are signs; a name may have dots and
    /// may stand in backquotes.
    pub(crate) fn of_annotations(file: FileId, text: &'s str) -> Lexer<'s> {
        Lexer { annotation: true, ..Lexer::new(file, "", text) }
    }

    /// Goes on with another text, all of which is said to be at one place of this file.
    pub(crate) fn go_on_with(&mut self, text: &str, place: Span) {
        let (text, joins) = join_lines(text);
        (self.text, self.joins) = (text.into_owned().into(), joins);
        (self.pos, self.line_start, self.stands_for) = (0, true, Some(place));
        (self.packs, self.pack_stack) = (Vec::new(), Vec::new());
    }

    /// Whether a line ends between two places.
    pub(crate) fn has_line_end(&self, from: u32, to: u32) -> bool {
        self.text.get(from as usize..to as usize).is_some_and(|s| s.contains('\n'))
    }

    /// The text of a token.
    pub(crate) fn text(&self, t: Token) -> &str {
        &self.text[t.lo as usize..t.hi as usize]
    }

    /// The text between two places where tokens begin or end.
    pub(crate) fn between(&self, lo: u32, hi: u32) -> &str {
        self.text.get(lo as usize..hi as usize).unwrap_or_default()
    }

    fn original(&self, pos: u32) -> u32 {
        match self.joins.partition_point(|j| j.0 <= pos).checked_sub(1) {
            None => pos,
            Some(i) => pos + self.joins[i].1,
        }
    }

    /// The span of a range of lexer positions in the text as given.
    pub(crate) fn span(&self, lo: u32, hi: u32) -> Span {
        if let Some(place) = self.stands_for {
            return place;
        }
        if self.joins.is_empty() {
            return Span::new(self.file, lo, hi);
        }
        // The last byte is translated, not the end: a join right behind the token is not part of it.
        let end = if hi > lo { self.original(hi - 1) + 1 } else { self.original(hi) };
        Span::new(self.file, self.original(lo), end)
    }

    /// The alignment limit that `#pragma pack` sets at a position.
    pub(crate) fn pack_at(&self, pos: u32) -> Option<u64> {
        self.packs.partition_point(|p| p.offset <= pos).checked_sub(1).and_then(|i| self.packs[i].value)
    }

    fn at(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn fail(&mut self, lo: usize, message: impl Into<String>, label: &str) -> Token {
        let span = self.span(lo as u32, self.pos.max(lo) as u32);
        self.error = Some(Box::new(Diagnostic::error("lexical", span, message).with_label(label)));
        let end = self.text.len();
        self.pos = end;
        Token { sym: self.symbols.intern("auto"), ..self.token(T::Error, lo) }
    }

    /// The next token; `T::Eof` for ever at the end.
    pub(crate) fn next(&mut self) -> Token {
        let t = self.scan();
        self.after_operand = matches!(t.kind, T::Ident | T::Number | T::RParen | T::RBracket);
        t
    }

    fn scan(&mut self) -> Token {
        loop {
            match self.skip_blank() {
                Ok(true) => {}
                Ok(false) => break,
                Err(t) => return t,
            }
        }
        let lo = self.pos;
        let b = self.at(0);
        (self.new_line, self.line_start) = (self.line_start, false);
        if lo >= self.text.len() {
            return self.token(T::Eof, lo);
        }
        if self.annotation
            && let Some(t) = self.annotation_word(lo, b)
        {
            return t;
        }
        if is_ident(b) && !b.is_ascii_digit() {
            return self.word(lo);
        }
        if b.is_ascii_digit() || b == b'.' && self.at(1).is_ascii_digit() {
            return self.number(lo);
        }
        if b == b'"' || b == b'\'' {
            return self.quoted(lo);
        }
        if universal(&self.text[lo..]) > 0 {
            return self.word_with_names(lo);
        }
        self.punctuation(lo)
    }

    fn token(&self, kind: T, lo: usize) -> Token {
        use base::Id;
        let sym = crate::symbol::Symbol::from_index(0);
        Token { kind, lo: lo as u32, hi: self.pos as u32, sym, new_line: self.new_line }
    }

    /// A token that C does not have.
    fn annotation_word(&mut self, lo: usize, b: u8) -> Option<Token> {
        let in_name = |b: u8| is_ident(b) || b == b'.';
        let dotted = b == b'.' && !self.after_operand && is_ident(self.at(1)) && !self.at(1).is_ascii_digit();
        let sign = match b {
            b'\'' => T::Tick,
            b'@' => T::At,
            b'`' => return Some(self.quoted_name(lo)),
            b if dotted || is_ident(b) && !b.is_ascii_digit() => {
                let rest = &self.text.as_bytes()[lo..];
                self.pos += rest.iter().position(|&b| !in_name(b)).unwrap_or(rest.len());
                let sym = self.symbols.intern(&self.text[lo..self.pos]);
                return Some(Token { sym, ..self.token(token::word(sym), lo) });
            }
            _ => return None,
        };
        self.pos += 1;
        Some(self.token(sign, lo))
    }

    /// A name in backquotes; inside, a backslash takes the next character as it is.
    fn quoted_name(&mut self, lo: usize) -> Token {
        let mut name = String::new();
        let mut chars = self.text[lo..].char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '`' => {
                    self.pos = lo + i + 1;
                    let sym = self.symbols.intern(&name);
                    return Token { sym, ..self.token(T::Ident, lo) };
                }
                '\n' => break,
                '\\' => name.extend(chars.next().map(|(_, c)| c)),
                c => name.push(c),
            }
        }
        self.pos += 1;
        self.fail(lo, "a quoted name has no end", "the name starts here")
    }

    /// Skips some white space, one comment or one directive; false when there is none.
    fn skip_blank(&mut self) -> Result<bool, Token> {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        while let Some(b) = bytes.get(self.pos) {
            match b {
                // gcc ignores a NUL, with a warning.
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => {}
                b'\n' => self.line_start = true,
                _ => break,
            }
            self.pos += 1;
        }
        let rest = &bytes[self.pos..];
        if rest.starts_with(b"//") {
            self.pos += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            return Ok(true);
        }
        if rest.starts_with(b"/*") {
            let lo = self.pos;
            let Some(len) = find(&rest[2..], b"*/") else {
                self.pos += 2;
                return Err(self.fail(lo, "unterminated comment", "the comment starts here"));
            };
            self.pos += 2 + len + 2;
            return Ok(true);
        }
        if rest.first() == Some(&b'[')
            && !self.annotation
            && let Some(len) = attribute_length(rest)
        {
            let lo = self.pos;
            self.pos += len;
            if let Some(word) = has_effect(&bytes[lo..lo + len]) {
                let message = format!("attribute '{word}' in double brackets is not supported");
                return Err(self.fail(lo, message, "write it as __attribute__"));
            }
            return Ok(true);
        }
        if self.line_start && !self.annotation && (rest.first() == Some(&b'#') || rest.starts_with(b"%:")) {
            self.directive()?;
            return Ok(true);
        }
        Ok(self.pos > start)
    }

    fn word(&mut self, lo: usize) -> Token {
        let bytes = self.text.as_bytes();
        while self.pos < bytes.len() && is_ident(bytes[self.pos]) {
            self.pos += 1;
        }
        if universal(&self.text[self.pos..]) > 0 {
            self.pos = lo;
            return self.word_with_names(lo);
        }
        let text = &self.text[lo..self.pos];
        if matches!(self.at(0), b'"' | b'\'') && matches!(text, "L" | "u" | "U" | "u8") {
            return self.quoted(lo);
        }
        if self.at(0) == b'"' && matches!(text, "R" | "LR" | "uR" | "UR" | "u8R") {
            return self.raw(lo);
        }
        if text == "_Pragma" {
            return self.pragma_operator();
        }
        let sym = self.symbols.intern(text);
        Token { sym, ..self.token(token::word(sym), lo) }
    }

    /// `_Pragma("…")` (C11 6.10.9) is the pragma line, and no token. Anything else behind the word is left to the parser.
    fn pragma_operator(&mut self) -> Token {
        let open = self.next();
        if open.kind != T::LParen {
            return open;
        }
        let text = self.next();
        if text.kind != T::Str {
            return text;
        }
        let body = self.text(text).trim_matches(['"', 'L']).replace("\\\"", "\"");
        self.pragma(&body);
        let close = self.next();
        if close.kind == T::RParen { self.next() } else { close }
    }

    /// A word with universal character names (C11 6.4.3): it is the same name as with the characters themselves.
    fn word_with_names(&mut self, lo: usize) -> Token {
        let mut text = String::new();
        loop {
            let digits = universal(&self.text[self.pos..]);
            if digits > 0 {
                let code = u32::from_str_radix(&self.text[self.pos + 2..self.pos + 2 + digits], 16).unwrap_or(0);
                text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                self.pos += 2 + digits;
            } else if let Some(c) = self.text[self.pos..].chars().next().filter(|c| !c.is_ascii() || is_ident(*c as u8))
            {
                text.push(c);
                self.pos += c.len_utf8();
            } else {
                let sym = self.symbols.intern(&text);
                return Token { sym, ..self.token(T::Ident, lo) };
            }
        }
    }

    fn number(&mut self, lo: usize) -> Token {
        loop {
            let b = self.at(0);
            if matches!(b, b'e' | b'E' | b'p' | b'P') && matches!(self.at(1), b'+' | b'-') {
                self.pos += 2;
            } else if b == b'.' || is_ident(b) {
                self.pos += 1;
            } else {
                return self.token(T::Number, lo);
            }
        }
    }

    fn quoted(&mut self, lo: usize) -> Token {
        let quote = self.at(0);
        self.pos += 1;
        let what = if quote == b'"' { "string" } else { "character constant" };
        loop {
            match self.at(0) {
                b'\n' | 0 if self.pos >= self.text.len() || self.at(0) == b'\n' => {
                    let message = format!("missing terminating {} character", quote as char);
                    return self.fail(lo, message, &format!("this {what} does not end on its line"));
                }
                b'\\' => self.pos += 1 + usize::from(self.pos + 1 < self.text.len() && self.at(1) < 0x80),
                b if b == quote => break,
                _ => self.pos += 1,
            }
        }
        self.pos += 1;
        self.token(if quote == b'"' { T::Str } else { T::Char }, lo)
    }

    /// GNU's `R"x(...)x"`, at the quote: it may go over lines, and a backslash is one.
    fn raw(&mut self, lo: usize) -> Token {
        let body = &self.text[self.pos + 1..];
        let open = body.find('(').filter(|&n| n <= 16);
        let end = open.and_then(|open| {
            let close = format!("){}\"", &body[..open]);
            body[open..].find(&close).map(|at| open + at + close.len())
        });
        match end {
            Some(end) => {
                self.pos += 1 + end;
                self.token(T::Str, lo)
            }
            None => self.fail(lo, "unterminated raw string", "this string does not end"),
        }
    }

    #[rustfmt::skip]
    fn punctuation(&mut self, lo: usize) -> Token {
        let (kind, len) = match (self.at(0), self.at(1), self.at(2)) {
            (b'(', ..) => (T::LParen, 1), (b')', ..) => (T::RParen, 1),
            (b'[', ..) => (T::LBracket, 1), (b']', ..) => (T::RBracket, 1),
            (b'{', ..) => (T::LBrace, 1), (b'}', ..) => (T::RBrace, 1),
            (b';', ..) => (T::Semi, 1), (b',', ..) => (T::Comma, 1), (b'?', ..) => (T::Question, 1), (b'~', ..) => (T::Tilde, 1),
            (b'.', b'.', b'.') => (T::Ellipsis, 3), (b'.', ..) => (T::Dot, 1),
            (b'-', b'>', _) => (T::Arrow, 2), (b'-', b'-', _) => (T::MinusMinus, 2), (b'-', b'=', _) => (T::MinusEq, 2), (b'-', ..) => (T::Minus, 1),
            (b'+', b'+', _) => (T::PlusPlus, 2), (b'+', b'=', _) => (T::PlusEq, 2), (b'+', ..) => (T::Plus, 1),
            (b'&', b'&', _) => (T::AmpAmp, 2), (b'&', b'=', _) => (T::AmpEq, 2), (b'&', ..) => (T::Amp, 1),
            (b'|', b'|', _) => (T::PipePipe, 2), (b'|', b'=', _) => (T::PipeEq, 2), (b'|', ..) => (T::Pipe, 1),
            (b'*', b'=', _) => (T::StarEq, 2), (b'*', ..) => (T::Star, 1),
            (b'/', b'=', _) => (T::SlashEq, 2), (b'/', ..) => (T::Slash, 1),
            (b'%', b'=', _) => (T::PercentEq, 2), (b'%', b'>', _) => (T::RBrace, 2), (b'%', b':', _) => (T::Hash, 2), (b'%', ..) => (T::Percent, 1),
            (b'^', b'=', _) => (T::CaretEq, 2), (b'^', ..) => (T::Caret, 1),
            (b'!', b'=', _) => (T::Ne, 2), (b'!', ..) => (T::Bang, 1),
            (b'=', b'=', _) => (T::EqEq, 2), (b'=', ..) => (T::Eq, 1),
            (b'<', b'<', b'=') => (T::ShlEq, 3), (b'<', b'<', _) => (T::Shl, 2), (b'<', b'=', _) => (T::Le, 2),
            (b'<', b':', _) => (T::LBracket, 2), (b'<', b'%', _) => (T::LBrace, 2), (b'<', ..) => (T::Lt, 1),
            (b'>', b'>', b'=') => (T::ShrEq, 3), (b'>', b'>', _) => (T::Shr, 2), (b'>', b'=', _) => (T::Ge, 2), (b'>', ..) => (T::Gt, 1),
            (b':', b'>', _) => (T::RBracket, 2), (b':', ..) => (T::Colon, 1),
            (b'#', ..) => (T::Hash, 1),
            (b, ..) => {
                self.pos += 1;
                let shown = if b.is_ascii_graphic() { (b as char).to_string() } else { format!("\\x{b:02x}") };
                return self.fail(lo, format!("stray '{shown}' in program"), "this character has no meaning in C");
            }
        };
        self.pos += len;
        self.token(kind, lo)
    }

    /// One `#` line. Marks and pragmas are taken; anything else means that the text was not preprocessed.
    fn directive(&mut self) -> Result<(), Token> {
        let lo = self.pos;
        let rest = &self.text[lo..];
        let len = rest.find('\n').unwrap_or(rest.len());
        let line = rest[..len].trim_start_matches(['#', '%', ':', ' ', '\t']).trim_end().to_owned();
        self.pos += len;
        let body = line.strip_prefix("line").map_or(line.as_str(), str::trim_start);
        if body.starts_with(|c: char| c.is_ascii_digit()) {
            self.line_mark(body);
        } else if let Some(p) = line.strip_prefix("pragma") {
            self.pragma(p.trim());
        } else if !line.is_empty() && !line.starts_with("ident") && !line.starts_with("sccs") {
            let name: String = line.chars().take_while(char::is_ascii_alphanumeric).collect();
            let message = format!("'#{name}' in input that should be preprocessed");
            return Err(self.fail(lo, message, "run the preprocessor first"));
        }
        Ok(())
    }

    fn line_mark(&mut self, body: &str) {
        let digits = body.find(|c: char| !c.is_ascii_digit()).unwrap_or(body.len());
        let Ok(line) = body[..digits].parse() else { return };
        let name = body[digits..].trim_start();
        let file = match name.strip_prefix('"').and_then(|n| n.rfind('"').map(|end| &n[..end])) {
            Some(file) => file.replace("\\\\", "\\").replace("\\\"", "\""),
            None => self.marks.last().map_or_else(|| self.name.to_owned(), |m| m.file.clone()),
        };
        let offset = self.original((self.pos + 1).min(self.text.len()) as u32);
        self.marks.push(LineMark { offset, line, file });
    }

    /// `weak name`, `weak name = other`.
    fn weak_pragma(&mut self, body: &str) {
        let (name, other) = match body.split_once('=') {
            Some((name, other)) => (name.trim(), Some(other.trim().to_owned())),
            None => (body.trim(), None),
        };
        self.weak.push((name.to_owned(), other));
    }

    /// `pack …` and `weak …` are followed; pragmas that change layouts, names or rounding in other ways are not; all others say
    /// nothing about what a program means.
    fn pragma(&mut self, body: &str) {
        let name: String = body.chars().take_while(|&c| is_ident(c as u8) && c.is_ascii()).collect();
        let rest = body[name.len()..].trim_start();
        match name.as_str() {
            "weak" => self.weak_pragma(rest),
            "pack" => self.pack_pragma(rest),
            "scalar_storage_order"
            | "redefine_extname"
            | "extern_prefix"
            | "ms_struct"
            | "options"
            | "init"
            | "fini" => {
                self.unsupported.push(format!("#pragma {name}"));
            }
            "STDC" if rest.starts_with("FENV_ROUND") => self.unsupported.push("#pragma STDC FENV_ROUND".to_owned()),
            _ => {}
        }
    }

    /// `pack(n)`, `pack()`, `pack(push[, name][, n])`, `pack(pop[, name])`. Popping a name undoes all that was pushed since then.
    fn pack_pragma(&mut self, rest: &str) {
        let Some(args) = rest.strip_prefix('(').and_then(|a| a.split(')').next()) else { return };
        let args: Vec<&str> = args.split(',').map(str::trim).collect();
        let number = |n: &&str| n.parse::<u64>().ok();
        let name = args.get(1).filter(|n| number(n).is_none());
        let mut value = self.packs.last().and_then(|p| p.value);
        match args[0] {
            "push" => self.pack_stack.push((name.map(|&n| n.to_owned()), value)),
            "pop" => {
                let same = |(pushed, _): &(Option<String>, _)| name.is_some_and(|n| pushed.as_deref() == Some(n));
                // A name that nobody pushed pops what was pushed last, as without a name.
                let at = self.pack_stack.iter().rposition(same).or(self.pack_stack.len().checked_sub(1));
                value = at.and_then(|at| self.pack_stack[at].1);
                self.pack_stack.truncate(at.unwrap_or(0));
            }
            "" => value = None,
            _ => {}
        }
        if let Some(n) = args.last().and_then(number) {
            value = matches!(n, 1 | 2 | 4 | 8 | 16).then_some(n);
        }
        self.packs.push(Pack { offset: self.pos as u32, value });
    }
}

/// The number of digits of the universal character name that the text starts with, or 0.
/// The length of an attribute in double brackets (C23, which gcc takes in C of any year) at the start of the text. Two opening
/// brackets have no other meaning in C.
fn attribute_length(text: &[u8]) -> Option<usize> {
    let inner = 1 + text[1..].iter().position(|b| !b.is_ascii_whitespace())?;
    if text[inner] != b'[' {
        return None;
    }
    let (mut depth, mut quoted) = (0, false);
    for (i, &b) in text.iter().enumerate() {
        match b {
            b'"' => quoted = !quoted,
            b'[' | b'(' if !quoted => depth += 1,
            b']' | b')' if !quoted => depth -= 1,
            b';' | b'{' | b'}' if !quoted => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(i + 1);
        }
    }
    None
}

/// An attribute that changes what a declaration means; all others only speak to the compiler's warnings.
fn has_effect(attributes: &[u8]) -> Option<&'static str> {
    const EFFECTS: [&str; 12] = [
        "packed",
        "aligned",
        "vector_size",
        "mode",
        "alias",
        "cleanup",
        "constructor",
        "destructor",
        "transparent_union",
        "weakref",
        "ifunc",
        "scalar_storage_order",
    ];
    let text = String::from_utf8_lossy(attributes);
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.find_map(|w| EFFECTS.into_iter().find(|&e| w.trim_matches('_') == e))
}

fn universal(text: &str) -> usize {
    let digits = match text.as_bytes() {
        [b'\\', b'u', ..] => 4,
        [b'\\', b'U', ..] => 8,
        _ => return 0,
    };
    let all = text.as_bytes().get(2..2 + digits).is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit));
    if all { digits } else { 0 }
}

fn find(haystack: &[u8], needle: &[u8; 2]) -> Option<usize> {
    let mut from = 0;
    while let Some(i) = haystack[from..].iter().position(|&b| b == needle[0]) {
        if haystack.get(from + i + 1) == Some(&needle[1]) {
            return Some(from + i);
        }
        from += i + 1;
    }
    None
}

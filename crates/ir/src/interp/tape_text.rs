//! The text form of tapes; `docs/tape.md` is its manual. Printing what was parsed from a printed text gives the same text.

use super::inputs::{At, Input, Patch, PatchData, Pointer};
use super::tape::{Data, Entry, Kind, Tape};
use crate::syntax::*;
use crate::text::lexer::{Tok, Token, lex, span_in};
use crate::text::{show_name, type_named};
use base::{Diagnostic, FileId, Id, Span};
use std::fmt::Write;

impl Tape {
    /// The text form: one entry per line.
    pub fn print(&self, program: &Program) -> String {
        let mut out = String::new();
        for entry in &self.entries {
            match entry.at {
                At::Start => out.push_str("start: "),
                At::Edge(f, e) => {
                    let _ = write!(out, "{} {e}: ", show_name(&program.functions[f].name));
                }
            }
            match entry.kind {
                Kind::Nondet => out.push_str("nondet"),
                Kind::Outside => out.push_str("outside"),
                Kind::Uninit => out.push_str("uninit"),
                Kind::Padding => out.push_str("padding"),
                Kind::Result => out.push_str("result"),
                Kind::Global(g) => {
                    let _ = write!(out, "global @{}", show_name(&program.globals[g].name));
                }
                Kind::Malloc => out.push_str("malloc"),
                Kind::Writes(object) => {
                    let _ = write!(out, "writes object#{object}");
                }
                Kind::Base(object) => {
                    let _ = write!(out, "base object#{object}");
                }
            }
            print_data(&mut out, &entry.data);
            out.push('\n');
        }
        out
    }

    /// Reads the text form. Functions, edges and globals must exist in `program`; whether the entries fit a run is for the
    /// run to say.
    pub fn parse(program: &Program, file: FileId, text: &str) -> Result<Tape, Diagnostic> {
        let at = Span::new(file, 0, 0);
        let tokens = lex(text, at)?;
        let mut p = TapeParser { program, tokens: &tokens, pos: 0, at };
        let mut tape = Tape::default();
        loop {
            match p.tok() {
                Tok::Eof => return Ok(tape),
                Tok::Newline => p.pos += 1,
                _ => {
                    tape.entries.push(p.entry()?);
                    match p.tok() {
                        Tok::Newline => p.pos += 1,
                        _ => return Err(p.expected("the end of the line")),
                    }
                }
            }
        }
    }
}

fn print_data(out: &mut String, data: &Data) {
    let result = match data {
        Data::Value(ty, Input::Bits(bits)) => match ty {
            Ty::Bool => write!(out, " bool = {}", *bits != 0),
            Ty::Int(i) if i.signed => write!(out, " {ty} = {}", i.extend(*bits)),
            Ty::Int(_) => write!(out, " {ty} = {bits}"),
            Ty::Float(_) | Ty::Ptr => write!(out, " {ty} = {bits:#x}"),
        },
        Data::Value(ty, Input::Pointer(p)) => write!(out, " {ty} = {}", show_pointer(*p)),
        Data::Bytes(bytes) => write!(out, " bytes = {}", show_bytes(bytes)),
        Data::Fails(fails) => write!(out, " = {}", if *fails { "fails" } else { "succeeds" }),
        Data::Base(base) => write!(out, " = {base:#x}"),
        Data::Writes(patches) if patches.is_empty() => write!(out, " = unchanged"),
        Data::Writes(patches) => {
            out.push_str(" = {");
            for (i, Patch { offset, data }) in patches.iter().enumerate() {
                let _ = write!(out, "{}+{offset} = ", if i == 0 { " " } else { "; " });
                out.push_str(&match data {
                    PatchData::Bytes(bytes) => format!("bytes {}", show_bytes(bytes)),
                    PatchData::Pointer(p) => show_pointer(*p),
                });
            }
            write!(out, " }}")
        }
    };
    result.expect("writing to a string does not fail");
}

fn show_bytes(bytes: &[u8]) -> String {
    // One word, so that its length is the number of bytes: `x00ff`.
    bytes.iter().fold("x".to_owned(), |mut s, b| {
        let _ = write!(s, "{b:02x}");
        s
    })
}

fn show_pointer(p: Pointer) -> String {
    match p {
        Pointer::Null => "NULL".into(),
        Pointer::Object { object, offset } => format!("object#{object}+{offset}"),
        Pointer::Ext(offset) => format!("ext+{offset}"),
        Pointer::Raw(bits) => format!("raw {bits:#x}"),
    }
}

struct TapeParser<'a> {
    program: &'a Program,
    tokens: &'a [Token],
    pos: usize,
    at: Span,
}

type R<T> = Result<T, Diagnostic>;

impl TapeParser<'_> {
    fn tok(&self) -> &Tok {
        &self.tokens[self.pos.min(self.tokens.len() - 1)].tok
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let t = &self.tokens[self.pos.min(self.tokens.len() - 1)];
        Diagnostic::error("syntax", span_in(self.at, t.lo, t.hi), format!("expected {what}"))
    }

    fn take(&mut self, punct: &str) -> bool {
        let hit = matches!(self.tok(), Tok::Punct(p) if *p == punct);
        self.pos += usize::from(hit);
        hit
    }

    fn need(&mut self, punct: &str) -> R<()> {
        if self.take(punct) { Ok(()) } else { Err(self.expected(&format!("`{punct}`"))) }
    }

    fn take_word(&mut self, word: &str) -> bool {
        let hit = matches!(self.tok(), Tok::Name { text, quoted: false } if text == word);
        self.pos += usize::from(hit);
        hit
    }

    fn name(&mut self, what: &str) -> R<String> {
        match self.tok() {
            Tok::Name { text, .. } => {
                let text = text.clone();
                self.pos += 1;
                Ok(text)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn number<T: TryFrom<u128>>(&mut self, what: &str) -> R<T> {
        if let Tok::Int { value, .. } = self.tok()
            && let Ok(n) = T::try_from(*value)
        {
            self.pos += 1;
            return Ok(n);
        }
        Err(self.expected(what))
    }

    fn entry(&mut self) -> R<Entry> {
        let starts = matches!(self.tok(), Tok::Name { text, quoted: false } if text == "start");
        // A function called `start` is followed by its edge.
        let alone = matches!(self.tokens.get(self.pos + 1).map(|t| &t.tok), Some(Tok::Punct(":")));
        let at = if starts && alone {
            self.pos += 1;
            At::Start
        } else {
            self.edge()?
        };
        self.need(":")?;
        let (kind, data) = self.kind_and_data()?;
        Ok(Entry { at, kind, data })
    }

    fn edge(&mut self) -> R<At> {
        let start = self.pos;
        let name = self.name("`start` or the name of a function")?;
        let Some(func) = self.program.function(&name) else {
            self.pos = start;
            return Err(self.expected("the name of a function of the program"));
        };
        let n = self.program.functions[func].body.as_ref().map_or(0, |b| b.edges.len());
        let number = match self.tok() {
            Tok::Name { text, quoted: false } => text.strip_prefix('e').and_then(|d| d.parse::<usize>().ok()),
            _ => None,
        };
        match number.filter(|&e| e < n) {
            Some(e) => {
                self.pos += 1;
                Ok(At::Edge(func, EdgeId::from_index(e)))
            }
            None => Err(self.expected(&format!("an edge of `{name}`, such as `e0`"))),
        }
    }

    fn object(&mut self) -> R<u32> {
        if !self.take_word("object") {
            return Err(self.expected("an object such as `object#0`"));
        }
        self.need("#")?;
        self.number("the number of an object")
    }

    fn kind_and_data(&mut self) -> R<(Kind, Data)> {
        let simple = [
            ("nondet", Kind::Nondet),
            ("outside", Kind::Outside),
            ("uninit", Kind::Uninit),
            ("padding", Kind::Padding),
            ("result", Kind::Result),
        ];
        for (word, kind) in simple {
            if self.take_word(word) {
                return Ok((kind, self.value_or_bytes()?));
            }
        }
        if self.take_word("global") {
            self.need("@")?;
            let name = self.name("the name of a global")?;
            let Some(g) = self.program.global(&name) else {
                self.pos -= 1;
                return Err(self.expected("the name of a global of the program"));
            };
            let unchanged = self.take("=");
            let data = if unchanged { self.writes()? } else { self.value_or_bytes()? };
            return Ok((Kind::Global(g), data));
        }
        if self.take_word("malloc") {
            self.need("=")?;
            let fails = self.take_word("fails");
            if !fails && !self.take_word("succeeds") {
                return Err(self.expected("`fails` or `succeeds`"));
            }
            return Ok((Kind::Malloc, Data::Fails(fails)));
        }
        if self.take_word("writes") {
            let object = self.object()?;
            self.need("=")?;
            return Ok((Kind::Writes(object), self.writes()?));
        }
        if self.take_word("base") {
            let object = self.object()?;
            self.need("=")?;
            return Ok((Kind::Base(object), Data::Base(self.number("an address")?)));
        }
        Err(self.expected("`nondet`, `outside`, `uninit`, `result`, `global`, `malloc`, `writes` or `base`"))
    }

    fn writes(&mut self) -> R<Data> {
        if self.take_word("unchanged") {
            return Ok(Data::Writes(Vec::new()));
        }
        self.need("{")?;
        let mut patches = Vec::new();
        while self.take("+") {
            let offset = self.number("a byte offset")?;
            self.need("=")?;
            let data = if self.take_word("bytes") {
                PatchData::Bytes(self.bytes()?)
            } else {
                PatchData::Pointer(self.pointer()?)
            };
            patches.push(Patch { offset, data });
            if !self.take(";") {
                break;
            }
        }
        self.need("}")?;
        Ok(Data::Writes(patches))
    }

    fn bytes(&mut self) -> R<Vec<u8>> {
        let digits = match self.tok() {
            Tok::Name { text, quoted: false } => text.strip_prefix('x'),
            _ => None,
        };
        let bytes = digits.filter(|d| d.len() % 2 == 0 && d.bytes().all(|b| b.is_ascii_hexdigit())).map(|d| {
            d.as_bytes()
                .chunks(2)
                .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
                .collect::<Vec<u8>>()
        });
        match bytes {
            Some(bytes) => {
                self.pos += 1;
                Ok(bytes)
            }
            None => Err(self.expected("bytes such as `x00ff`")),
        }
    }

    fn value_or_bytes(&mut self) -> R<Data> {
        if self.take_word("bytes") {
            self.need("=")?;
            return Ok(Data::Bytes(self.bytes()?));
        }
        let ty = match self.tok() {
            Tok::Name { text, quoted: false } => type_named(text),
            _ => None,
        };
        let Some(ty) = ty else { return Err(self.expected("a type or `bytes`")) };
        self.pos += 1;
        self.need("=")?;
        let value = match ty {
            Ty::Ptr => Input::Pointer(self.pointer()?),
            Ty::Bool if self.take_word("true") => Input::Bits(1),
            Ty::Bool if self.take_word("false") => Input::Bits(0),
            Ty::Bool => return Err(self.expected("`true` or `false`")),
            Ty::Float(_) | Ty::Int(_) => {
                let start = self.pos;
                let negative = self.take("-");
                let magnitude: u128 = self.number("a number")?;
                let pattern = if negative { magnitude.wrapping_neg() } else { magnitude };
                let fits = match ty {
                    Ty::Int(i) => {
                        let kept = pattern & i.mask();
                        let same = if i.signed { i.extend(kept) as u128 == pattern } else { kept == pattern };
                        // `-x` must be negative, `x` must not.
                        same && (!i.signed || magnitude == 0 || (i.extend(kept) < 0) == negative)
                            && (i.signed || !negative)
                    }
                    _ => {
                        !negative && pattern & (u128::MAX >> (128 - u32::from(ty.width(self.program.model)))) == pattern
                    }
                };
                if !fits {
                    self.pos = start;
                    return Err(self.expected(&format!("a value of {ty}")));
                }
                Input::Bits(match ty {
                    Ty::Int(i) => pattern & i.mask(),
                    _ => pattern,
                })
            }
        };
        Ok(Data::Value(ty, value))
    }

    fn pointer(&mut self) -> R<Pointer> {
        if self.take_word("NULL") {
            return Ok(Pointer::Null);
        }
        if self.take_word("raw") {
            return Ok(Pointer::Raw(self.number("an address")?));
        }
        if self.take_word("ext") {
            self.need("+")?;
            return Ok(Pointer::Ext(self.number("a number of bytes")?));
        }
        if !matches!(self.tok(), Tok::Name { text, .. } if text == "object") {
            return Err(self.expected("`NULL`, `object#k+off`, `ext+off` or `raw`"));
        }
        let object = self.object()?;
        self.need("+")?;
        let negative = self.take("-");
        let n: u64 = self.number("a number of bytes")?;
        let n = if negative { -i128::from(n) } else { i128::from(n) };
        match i64::try_from(n) {
            Ok(offset) => Ok(Pointer::Object { object, offset }),
            Err(_) => Err(self.expected("a number of bytes that fits 64 bits")),
        }
    }
}

//! Which variable a name of the source means at a place: C's scopes. Where two loops count with a variable of the same name, a witness says
//! `i` of both. The tree that the program was made of is gone, so blocks are looked for in the text.

use crate::front::Front;
use base::{Id, Span};
use ir::declared::TypeId;
use ir::{FuncId, LocalId, Var};
use lower::annotation::{Name, Names};
use std::collections::{BTreeMap, BTreeSet};

/// The locals of a function that a place may name.
pub(crate) struct Scope<'a> {
    front: &'a Front,
    func: FuncId,
    /// By the name that the source has for them.
    locals: BTreeMap<String, LocalId>,
}

impl<'a> Scope<'a> {
    /// What may be named where the span begins, in a function.
    pub(crate) fn at(front: &'a Front, func: FuncId, span: Span) -> Scope<'a> {
        let function = &front.program.functions[func];
        let mut locals = BTreeMap::new();
        // By offset, so that of two that are open the inner one comes last.
        let mut declared: Vec<(u32, LocalId)> = Vec::new();
        for (id, local) in function.locals.iter_enumerated() {
            if local.name.starts_with(['$', '.']) || Some(id) == function.ret {
                continue;
            }
            if id.index() < function.n_params {
                locals.insert(source_name(&local.name).to_string(), id);
            } else if local.span.file == span.file && local.span.lo < span.lo {
                declared.push((local.span.lo, id));
            }
        }
        declared.sort_unstable();
        if let Some(&(first, _)) = declared.first() {
            let text = &front.map.file(span.file).text;
            let start = if function.span.file == span.file { function.span.lo.min(first) } else { first };
            let offsets: Vec<usize> = declared.iter().map(|(at, _)| (at - start) as usize).collect();
            let open =
                text.get(start as usize..span.lo as usize).map_or_else(BTreeSet::new, |t| still_open(t, &offsets));
            for (_, (_, id)) in declared.iter().enumerate().filter(|(i, _)| open.contains(i)) {
                locals.insert(source_name(&function.locals[*id].name).to_string(), *id);
            }
        }
        Scope { front, func, locals }
    }

    /// Whether the variable's name in the source means it here.
    pub(crate) fn names(&self, var: Var) -> bool {
        match var {
            Var::Local(l) => {
                let name = source_name(&self.front.program.functions[self.func].locals[l].name);
                self.locals.get(name) == Some(&l)
            }
            // A static local is `f.x`, a static variable of a second file `x.2`.
            Var::Global(g) => {
                let name = &self.front.program.globals[g].name;
                !name.contains('.') && !self.locals.contains_key(name)
            }
        }
    }

    /// The names, for who reads a condition.
    pub(crate) fn for_reading(&self) -> Names {
        let program = &self.front.program;
        let function = &program.functions[self.func];
        let ty = |l: LocalId| -> Option<TypeId> { program.declared.local(&function.name, &function.locals[l].name) };
        let name = |(name, &l): (&String, &LocalId)| Name { name: name.clone(), var: Var::Local(l), ty: ty(l) };
        Names {
            variables: self.locals.iter().map(name).collect(),
            locals: function.locals.clone(),
            constants: Vec::new(),
        }
    }
}

/// The source's name of a local: a second one of the same name is `x.2`.
pub(super) fn source_name(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// A condition over variables that all mean what the source's names say, with these names: `i.2 < n` as `i < n`, `@n` (a global) as `n`, and
/// a name that stands in quotes because it is a word of ours without them.
pub(super) fn with_source_names(condition: &str) -> String {
    let mut out = String::new();
    let mut rest = condition;
    while let Some(first) = rest.chars().next() {
        let quoted = rest.strip_prefix('`').and_then(|r| r.split_once('`'));
        if let Some((name, behind)) = quoted.filter(|(n, _)| n.chars().all(|c| c.is_alphanumeric() || c == '_')) {
            out += name;
            rest = behind;
            continue;
        }
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let taken = word.max(first.len_utf8());
        out += rest[..taken].trim_start_matches('@');
        rest = &rest[taken..];
        if word > 0 && !first.is_ascii_digit() {
            let number = rest.strip_prefix('.').map_or(0, |r| r.bytes().take_while(u8::is_ascii_digit).count());
            rest = &rest[if number > 0 { number + 1 } else { 0 }..];
        }
    }
    out
}

/// What is open at some point of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Brace,
    Bracket,
    /// The bracket behind `for`, whose declarations go on in the loop.
    ForBracket,
    /// The statement that a `for` repeats.
    ForBody,
}

/// Which of the declarations at these offsets (in order) are in scope at the end of the text. It is text of C behind the preprocessor.
fn still_open(text: &str, declarations: &[usize]) -> BTreeSet<usize> {
    let bytes = text.as_bytes();
    let mut open: Vec<(Open, usize)> = Vec::new();
    // For each declaration, what was open around it.
    let mut around: Vec<Option<usize>> = Vec::new();
    let (mut number, mut i, mut behind_for) = (0, 0, false);
    while i < bytes.len() {
        while around.len() < declarations.len() && declarations[around.len()] <= i {
            around.push(open.last().map(|(_, n)| *n));
        }
        let rest = &bytes[i..];
        if let Some(n) = blank(rest) {
            i += n;
            continue;
        }
        let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_' || !b.is_ascii()).count();
        if word > 0 {
            behind_for = &rest[..word] == b"for";
            i += word;
            continue;
        }
        let mut push = |what| {
            number += 1;
            open.push((what, number));
        };
        match rest[0] {
            b'{' => push(Open::Brace),
            b'(' => push(if behind_for { Open::ForBracket } else { Open::Bracket }),
            b')' => match open.pop() {
                Some((Open::ForBracket, n)) => open.push((Open::ForBody, n)),
                Some((Open::Bracket, _)) | None => {}
                Some(other) => open.push(other),
            },
            b'}' => {
                while let Some((what, _)) = open.pop()
                    && what != Open::Brace
                {}
                end_of_statement(&mut open, &bytes[i + 1..]);
            }
            b';' => end_of_statement(&mut open, &bytes[i + 1..]),
            _ => {}
        }
        behind_for = false;
        i += 1;
    }
    around.resize(declarations.len(), open.last().map(|(_, n)| *n));
    let is_open = |n: &Option<usize>| n.is_none_or(|n| open.iter().any(|(_, o)| *o == n));
    around.iter().enumerate().filter(|(_, n)| is_open(n)).map(|(i, _)| i).collect()
}

/// A statement has ended: with it end the loops that repeat it, unless it goes on with `else`.
fn end_of_statement(open: &mut Vec<(Open, usize)>, mut rest: &[u8]) {
    while let Some(n) = blank(rest) {
        rest = &rest[n..];
    }
    if rest.starts_with(b"else") {
        return;
    }
    while open.last().is_some_and(|(what, _)| *what == Open::ForBody) {
        open.pop();
    }
}

/// How many bytes at the beginning are no part of the program: white space, a comment, a line for the preprocessor, a literal.
fn blank(rest: &[u8]) -> Option<usize> {
    let until =
        |end: &[u8]| rest.windows(end.len()).skip(2).position(|w| w == end).map_or(rest.len(), |n| n + 2 + end.len());
    match rest {
        [b' ' | b'\t' | b'\n' | b'\r', ..] => Some(1),
        [b'/', b'/', ..] | [b'#', ..] => Some(rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())),
        [b'/', b'*', ..] => Some(until(b"*/")),
        [quote @ (b'"' | b'\''), ..] => {
            let mut n = 1;
            while n < rest.len() && rest[n] != *quote {
                n += if rest[n] == b'\\' { 2 } else { 1 };
            }
            Some((n + 1).min(rest.len()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the declarations marked `@` are in scope at the end.
    fn open(text: &str) -> Vec<usize> {
        let parts: Vec<&str> = text.split('@').collect();
        let mut offsets = Vec::new();
        let mut plain = String::new();
        for (i, part) in parts.iter().enumerate() {
            plain += part;
            if i + 1 < parts.len() {
                offsets.push(plain.len());
            }
        }
        still_open(&plain, &offsets).into_iter().collect()
    }

    #[test]
    fn scopes_are_those_of_c() {
        for (text, expected) in [
            ("f(int p) { int @a; { int @b; } ", &[0][..]),
            ("f() { int @a; { int @b; while (", &[0, 1]),
            ("f() { for (int @i = 0; ", &[0]),
            ("f() { for (int @i = 0; i < 3; i++) { int @j; ", &[0, 1]),
            ("f() { for (int @i = 0; i < 3; i++) { int @j; } ", &[]),
            ("f() { for (int @i = 0; i < 3; i++) g(i); for (int @i = 0; ", &[1]),
            ("f() { for (int @i = 0; i < 3; i++) if (i) g(i); else h(); k(", &[]),
            ("f() { for (int @i = 0; i < 3; i++) if (i) { g(i); } else while (", &[0]),
            ("f() { for (int @i = 0;;) for (int @j = 0;;) ; ", &[]),
            ("f() { for (int @i = 0;;) for (int @j = 0;;) h(", &[0, 1]),
            ("f() { for (int @i = 0;;) { { } int @j; h(", &[0, 1]),
            ("f() { int @a; char *s = \"}\"; char c = '}'; /* } */ // }\n# 3 \"}\"\n h(", &[0]),
            ("f() { int @a = ({ int @b = 3; b; }); h(", &[0]),
        ] {
            assert_eq!(open(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_behind_names_are_ours() {
        assert_eq!(with_source_names("i.2 < n && 1.5 > x_1.13 || s.y == p->z.3"), "i < n && 1.5 > x_1 || s.y == p->z");
        assert_eq!(with_source_names("größe.2 == @i"), "größe == i");
        assert_eq!(with_source_names("`i1` < `a.b` + n"), "i1 < `a.b` + n");
    }
}

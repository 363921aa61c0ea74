//! Places of the program as witnesses name them: the keyword of a loop, the bracket at which a call ends. The tree that the
//! program was made of is gone, so they are looked for in the text around what the program remembers.

use crate::front::Front;
use base::Span;
use ir::{Body, FuncId, Loc, Op};
use svcomp::witness::Place;

/// The place of a byte of the text.
fn at(front: &Front, func: FuncId, span: Span, offset: u32) -> Place {
    let location = front.map.locate(Span::new(span.file, offset, offset));
    let name = &front.program.functions[func].name;
    Place { file: location.file, line: location.line, column: Some(location.column), function: Some(name.clone()) }
}

/// Where something begins.
pub(crate) fn start(front: &Front, func: FuncId, span: Span) -> Place {
    at(front, func, span, span.lo)
}

/// The closing bracket of a call, if the span is one of a call.
pub(crate) fn end_of_call(front: &Front, func: FuncId, span: Span) -> Option<Place> {
    front.map.text(span).ends_with(')').then(|| at(front, func, span, span.hi - 1))
}

/// What is looked at first at the head of a loop: its condition, if it has one there.
pub(crate) fn head(body: &Body, head: Loc) -> Span {
    let condition = body.edges.iter().find(|e| e.from == head && matches!(e.op, Op::Assume(_)));
    condition.map_or(body.locations[head].span, |e| e.span)
}

/// The keyword of the loop whose head this is, if it is a `while` or `for` whose condition is looked at here.
pub(crate) fn keyword(front: &Front, func: FuncId, body: &Body, head: Loc) -> Option<Place> {
    let condition = body.edges.iter().find(|e| e.from == head && matches!(e.op, Op::Assume(_)))?.span;
    let text = &front.map.file(condition.file).text;
    let before = text.get(..condition.lo as usize)?;
    let open = opening(before)?;
    let words = before[..open].trim_end();
    ["while", "for"].into_iter().find_map(|word| {
        let rest = words.strip_suffix(word)?;
        let whole = !rest.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        whole.then(|| at(front, func, condition, rest.len() as u32))
    })
}

/// The keyword of the `if`, `while` or `for` whose whole condition this is; none for a part of a condition.
pub(crate) fn branch(front: &Front, func: FuncId, condition: Span) -> Option<Place> {
    let text = &front.map.file(condition.file).text;
    let before = text.get(..condition.lo as usize)?;
    let bracket = opening(before.trim_end_matches(['!', ' ', '\t']))?;
    let rest = text.get(condition.hi as usize..)?;
    let parts = |t: &str| t.contains("&&") || t.contains("||") || t.contains('?');
    let tail = rest.split([';', '{', '\n']).next().unwrap_or("");
    if parts(before.get(bracket..)?) || parts(tail.split(')').next().unwrap_or("")) {
        return None;
    }
    let words = before[..bracket].trim_end();
    ["while", "for", "if"].into_iter().find_map(|word| {
        let rest = words.strip_suffix(word)?;
        let whole = !rest.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        whole.then(|| at(front, func, condition, rest.len() as u32))
    })
}

/// The bracket that is open at the end of a text: the one around the condition of a loop, or around the three parts of a `for`.
fn opening(text: &str) -> Option<usize> {
    let mut closed = 0;
    for (i, b) in text.bytes().enumerate().rev() {
        match b {
            b')' => closed += 1,
            b'(' if closed == 0 => return Some(i),
            b'(' => closed -= 1,
            // Beyond these there is no condition of a loop any more.
            b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_matched_backwards() {
        assert_eq!(opening("while ("), Some(6));
        assert_eq!(opening("for (int i = f(3); "), Some(4));
        assert_eq!(opening("f(x); } "), None);
        assert_eq!(opening("f(x)"), None);
    }
}

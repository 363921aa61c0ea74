//! Properties, and the files that SV-COMP writes them in.
//!
//! A property file has one `CHECK( init(ENTRY()), LTL(FORMULA) )` per line. Supported are `G ! call(FUNCTION())`, `G ! overflow` and
//! the properties of memory. Anything else is refused by the name the competition gives it, so that no property is ever silently
//! replaced by another one.

use ir::{ErrorKind, Ub};
use serde::{Deserialize, Serialize};

/// What must not happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Property {
    /// A call of `reach_error` or `__VERIFIER_error`, or a failing `assert`.
    Default,
    /// A call of one of these functions, nothing else.
    Unreachable(Vec<String>),
    /// What breaks one of these properties of memory.
    Memory(Vec<Memory>),
    /// A signed operation whose result does not fit its type.
    NoOverflow,
}

/// A property of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Memory {
    /// Only live heap objects are freed.
    Free,
    /// Every access lies inside of a live object.
    Deref,
    /// No block is lost: each is freed, or a pointer leads to it.
    Track,
    /// Every block is freed when the program ends.
    Cleanup,
}

impl Memory {
    /// What the competition calls it.
    fn name(self) -> &'static str {
        match self {
            Memory::Free => "valid-free",
            Memory::Deref => "valid-deref",
            Memory::Track => "valid-memtrack",
            Memory::Cleanup => "valid-memcleanup",
        }
    }
}

/// What a defect means for a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Breaks {
    /// It is broken; which part of it.
    Yes(&'static str),
    /// That is not known, for this reason.
    Unknown(&'static str),
}

impl Property {
    /// It as a property file has it; the default is the part of it that the competition knows.
    pub(crate) fn specification(&self, entry: &str) -> String {
        let formulas: Vec<String> = match self {
            Property::Default => vec!["G ! call(reach_error())".to_string()],
            Property::Unreachable(functions) => functions.iter().map(|f| format!("G ! call({f}())")).collect(),
            Property::Memory(parts) => parts.iter().map(|p| format!("G {}", p.name())).collect(),
            Property::NoOverflow => vec!["G ! overflow".to_string()],
        };
        let lines: Vec<String> = formulas.iter().map(|f| format!("CHECK( init({entry}()), LTL({f}) )")).collect();
        lines.join("\n")
    }

    /// The kinds of undefined behaviour that break it.
    pub(crate) fn kinds(&self) -> Vec<Ub> {
        match self {
            Property::Default | Property::Unreachable(_) => Vec::new(),
            Property::NoOverflow => vec![Ub::SignedOverflow, Ub::DivOverflow],
            Property::Memory(parts) => {
                let kinds = parts.iter().flat_map(|p| match p {
                    Memory::Free => &[Ub::BadFree][..],
                    Memory::Deref => &[Ub::NullDeref, Ub::OutOfBounds, Ub::UseAfterFree],
                    Memory::Track | Memory::Cleanup => &[],
                });
                kinds.copied().collect()
            }
        }
    }

    /// Whether it speaks of blocks that are not freed.
    pub(crate) fn is_about_leaks(&self) -> bool {
        matches!(self, Property::Memory(parts) if parts.iter().any(|p| matches!(p, Memory::Track | Memory::Cleanup)))
    }

    /// What a defect of this kind means for it.
    pub(crate) fn breaks(&self, kind: &ErrorKind) -> Breaks {
        let has = |part| matches!(self, Property::Memory(parts) if parts.contains(&part));
        match (self, kind) {
            (Property::Default | Property::Unreachable(_), _) => Breaks::Yes("unreach-call"),
            (Property::NoOverflow, _) => Breaks::Yes("no-overflow"),
            (Property::Memory(_), ErrorKind::Ub(Ub::BadFree)) => Breaks::Yes(Memory::Free.name()),
            (Property::Memory(_), ErrorKind::Ub(_)) => Breaks::Yes(Memory::Deref.name()),
            (Property::Memory(_), ErrorKind::Assert(text)) if text == ir::leaks::AT_RETURN && has(Memory::Cleanup) => {
                Breaks::Yes(Memory::Cleanup.name())
            }
            (Property::Memory(_), ErrorKind::Assert(text)) if text == ir::leaks::AT_RETURN => Breaks::Unknown(
                "a block is not freed when the program ends; whether a pointer to it is left is not decided",
            ),
            (Property::Memory(_), _) => Breaks::Unknown(
                "a block is not freed when the program is ended by a call, of which the property says nothing",
            ),
        }
    }

    /// What a proof that no target is reached leaves open of the property.
    pub(crate) fn left_open(&self, program: &ir::Program) -> Option<&'static str> {
        match self {
            Property::NoOverflow if shifts_signed(program) => {
                Some("left shifts of signed values, whose results may not fit, are not looked at")
            }
            Property::Memory(parts)
                if parts.contains(&Memory::Track)
                    && program.global(ir::leaks::COUNTER).is_some()
                    && !ir::leaks::can_always_end(program) =>
            {
                Some("runs that never end may lose blocks of memory")
            }
            _ => None,
        }
    }
}

/// Whether a signed value is shifted to the left.
fn shifts_signed(program: &ir::Program) -> bool {
    struct Shifts(bool);
    impl ir::walk::Visitor for Shifts {
        fn expr(&mut self, e: &ir::Expr) {
            if let ir::ExprKind::Binary(ir::BinOp::Shl, a, _) = &e.kind {
                self.0 |= a.ty.is_signed() && e.as_const().is_none();
            }
        }
    }
    let mut shifts = Shifts(false);
    for edge in program.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| &b.edges) {
        ir::walk::walk_edge(edge, &mut shifts);
    }
    shifts.0
}

/// The content of a property file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PropertyFile {
    /// The function where execution starts.
    pub entry: String,
    /// What must not happen.
    pub property: Property,
}

/// Reads the text of a property file; the error is one sentence that names what is not supported.
pub(crate) fn parse(text: &str) -> Result<PropertyFile, String> {
    let mut file: Option<PropertyFile> = None;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let (entry, formula) = check_line(line).map_err(|e| format!("line {}: {e}", index + 1))?;
        let property = property(&formula).ok_or_else(|| {
            let name = name_of(&formula);
            format!("property `{name}` is not supported (unreach-call, no-overflow, valid-memsafety and valid-memcleanup are)")
        })?;
        file = Some(match file {
            None => PropertyFile { entry, property },
            Some(f) if f.entry != entry => {
                return Err(format!("two entry functions, `{}` and `{entry}`, are not supported", f.entry));
            }
            Some(f) => PropertyFile { entry, property: both(f.property, property)? },
        });
    }
    file.ok_or_else(|| "the file names no property".to_string())
}

/// Two properties at once, where that makes sense.
fn both(a: Property, b: Property) -> Result<Property, String> {
    match (a, b) {
        (Property::Unreachable(mut a), Property::Unreachable(b)) => {
            a.extend(b);
            Ok(Property::Unreachable(a))
        }
        (Property::Memory(mut a), Property::Memory(b)) => {
            a.extend(b);
            Ok(Property::Memory(a))
        }
        (a, b) if a == b => Ok(a),
        _ => Err("properties of different kinds in one file are not supported".to_string()),
    }
}

/// The property that a formula is, if it is supported.
fn property(formula: &str) -> Option<Property> {
    Some(match formula {
        "Gvalid-free" => Property::Memory(vec![Memory::Free]),
        "Gvalid-deref" => Property::Memory(vec![Memory::Deref]),
        "Gvalid-memtrack" => Property::Memory(vec![Memory::Track]),
        "Gvalid-memcleanup" => Property::Memory(vec![Memory::Cleanup]),
        "G!overflow" => Property::NoOverflow,
        _ => Property::Unreachable(vec![unreachable_function(formula)?]),
    })
}

/// Takes `CHECK( init(ENTRY()), LTL(FORMULA) )` apart; the formula comes back without spaces, which have no meaning in
/// it. A line that checks something else than LTL comes back whole, to be refused by name.
fn check_line(line: &str) -> Result<(String, String), String> {
    let dense: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let malformed = || format!("expected `CHECK( init(main()), LTL(...) )`, found `{}`", shorten(line.trim()));
    if dense.starts_with("COVER(") {
        return Ok(("main".to_string(), dense));
    }
    let inner = dense.strip_prefix("CHECK(init(").and_then(|s| s.strip_suffix(')')).ok_or_else(malformed)?;
    let (entry, rest) = inner.split_once("()),").ok_or_else(malformed)?;
    if !is_identifier(entry) {
        return Err(malformed());
    }
    let formula = rest.strip_prefix("LTL(").and_then(|s| s.strip_suffix(')')).ok_or_else(malformed)?;
    Ok((entry.to_string(), formula.to_string()))
}

/// The `f` of `G!call(f())`.
fn unreachable_function(formula: &str) -> Option<String> {
    let name = formula.strip_prefix("G!call(")?.strip_suffix("())")?;
    is_identifier(name).then(|| name.to_string())
}

/// What the competition calls this property.
fn name_of(formula: &str) -> String {
    match formula {
        "G!data-race" => "no-data-race".into(),
        "Fend" => "termination".into(),
        f if f.starts_with("COVER(") => "coverage".into(),
        f => shorten(f),
    }
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// At most 60 characters: a property file may be any file.
fn shorten(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    if short.len() < text.len() { short + "…" } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreach_call_with_any_function_and_spacing() {
        for (text, entry, unreachable) in [
            ("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", "main", "reach_error"),
            ("CHECK(init(start()),LTL(G!call(__VERIFIER_error())))", "start", "__VERIFIER_error"),
            ("\n  CHECK( init( main() ), LTL( G ! call( f() ) ) )", "main", "f"),
        ] {
            let property = Property::Unreachable(vec![unreachable.into()]);
            let expected = PropertyFile { entry: entry.into(), property };
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn memory_and_overflow() {
        let file = |property| Ok(PropertyFile { entry: "main".into(), property });
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        assert_eq!(parse(memory), file(Property::Memory(vec![Memory::Free, Memory::Deref, Memory::Track])));
        let cleanup = "CHECK( init(main()), LTL(G valid-memcleanup) )";
        assert_eq!(parse(cleanup), file(Property::Memory(vec![Memory::Cleanup])));
        assert_eq!(parse("CHECK( init(main()), LTL(G ! overflow) )"), file(Property::NoOverflow));
    }

    #[test]
    fn properties_are_written_as_they_are_read() {
        for property in [
            Property::Unreachable(vec!["f".into()]),
            Property::NoOverflow,
            Property::Memory(vec![Memory::Free, Memory::Deref, Memory::Track]),
        ] {
            assert_eq!(parse(&property.specification("start")).map(|f| f.property), Ok(property));
        }
    }

    #[test]
    fn defects_are_called_by_the_part_they_break() {
        let safety = Property::Memory(vec![Memory::Free, Memory::Deref, Memory::Track]);
        assert_eq!(safety.breaks(&ErrorKind::Ub(Ub::BadFree)), Breaks::Yes("valid-free"));
        assert_eq!(safety.breaks(&ErrorKind::Ub(Ub::NullDeref)), Breaks::Yes("valid-deref"));
        let leak = ErrorKind::Assert(ir::leaks::AT_RETURN.into());
        assert!(matches!(safety.breaks(&leak), Breaks::Unknown(_)), "the block may still be reachable");
        let cleanup = Property::Memory(vec![Memory::Cleanup]);
        assert_eq!(cleanup.breaks(&leak), Breaks::Yes("valid-memcleanup"));
        assert!(matches!(cleanup.breaks(&ErrorKind::Assert(ir::leaks::AT_END.into())), Breaks::Unknown(_)));
        assert_eq!(Property::NoOverflow.breaks(&ErrorKind::Ub(Ub::DivOverflow)), Breaks::Yes("no-overflow"));
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        let refused = |name: &str| {
            format!(
                "property `{name}` is not supported (unreach-call, no-overflow, valid-memsafety and valid-memcleanup are)"
            )
        };
        for (text, name) in [
            ("CHECK( init(main()), LTL(F end) )", "termination"),
            ("CHECK( init(main()), LTL(G ! data-race) )", "no-data-race"),
            ("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", "coverage"),
            ("CHECK( init(main()), LTL(G ! call(f(int))) )", "G!call(f(int))"),
        ] {
            assert_eq!(parse(text), Err(refused(name)), "{text}");
        }
        for (text, message) in [
            (
                "CHECK( init(main()), LTL(G ! call(f())) )\nCHECK( init(main()), LTL(G ! overflow) )",
                "properties of different kinds in one file are not supported",
            ),
            ("", "the file names no property"),
            ("int main() {}", "line 1: expected `CHECK( init(main()), LTL(...) )`, found `int main() {}`"),
            (
                "CHECK( init(a()), LTL(G ! call(f())) )\nCHECK( init(b()), LTL(G ! call(f())) )",
                "two entry functions, `a` and `b`, are not supported",
            ),
        ] {
            assert_eq!(parse(text), Err(message.to_string()), "{text}");
        }
    }
}

//! Properties, and the files that SV-COMP writes them in.
//!
//! A property file has one `CHECK( init(ENTRY()), LTL(FORMULA) )` per line. Supported is
//! `G ! call(FUNCTION())`: the function is never called. Anything else is refused by the name the competition gives it,
//! so that no property is ever silently replaced by another one.

use serde::{Deserialize, Serialize};

/// What must not happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Property {
    /// A call of `reach_error` or `__VERIFIER_error`, or a failing `assert`.
    Default,
    /// A call of one of these functions, nothing else.
    Unreachable(Vec<String>),
}

/// The content of a property file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PropertyFile {
    /// The function where execution starts.
    pub entry: String,
    /// Functions that must not be called; not empty.
    pub unreachable: Vec<String>,
}

/// Reads the text of a property file; the error is one sentence that names what is not supported.
pub(crate) fn parse(text: &str) -> Result<PropertyFile, String> {
    let mut file: Option<PropertyFile> = None;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let (entry, formula) = check_line(line).map_err(|e| format!("line {}: {e}", index + 1))?;
        let function = unreachable_function(&formula)
            .ok_or_else(|| format!("property `{}` is not supported (only unreach-call is)", name_of(&formula)))?;
        match &mut file {
            None => file = Some(PropertyFile { entry, unreachable: vec![function] }),
            Some(f) if f.entry == entry => f.unreachable.push(function),
            Some(f) => return Err(format!("two entry functions, `{}` and `{entry}`, are not supported", f.entry)),
        }
    }
    file.ok_or_else(|| "the file names no property".to_string())
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
        "Gvalid-free" => "valid-free".into(),
        "Gvalid-deref" => "valid-deref".into(),
        "Gvalid-memtrack" => "valid-memtrack".into(),
        "Gvalid-memcleanup" => "valid-memcleanup".into(),
        "G!overflow" => "no-overflow".into(),
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
            let expected = PropertyFile { entry: entry.into(), unreachable: vec![unreachable.into()] };
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        for (text, message) in [
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )",
                "property `valid-free` is not supported (only unreach-call is)",
            ),
            (
                "CHECK( init(main()), LTL(G ! call(f())) )\nCHECK( init(main()), LTL(G ! overflow) )",
                "property `no-overflow` is not supported (only unreach-call is)",
            ),
            ("CHECK( init(main()), LTL(F end) )", "property `termination` is not supported (only unreach-call is)"),
            (
                "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
                "property `coverage` is not supported (only unreach-call is)",
            ),
            (
                "CHECK( init(main()), LTL(G ! call(f(int))) )",
                "property `G!call(f(int))` is not supported (only unreach-call is)",
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

//! Names that occur as macros only. A rule about `spin_lock_irqsave` hears nothing of a program in which that is a macro: what
//! the program calls has another name. To say "not applicable" then would be wrong, so it is an error.

use crate::input::InputError;
use crate::preprocess;
use crate::settings::ProgramSettings;
use base::Diagnostic;
use cfront::tree::Unit;
use spec::syntax::Rule;
use std::collections::BTreeSet;

/// The first name of the rule that the sources use as a macro, while neither it nor an alias of it is a function.
pub(crate) fn only(rule: &Rule, settings: &ProgramSettings, units: &[Unit]) -> Result<Option<Diagnostic>, InputError> {
    let is_function = |name: &String| match name.strip_suffix('*') {
        Some(start) => units.iter().any(|u| u.funcs.iter().any(|f| u.name(f.name).starts_with(start))),
        None => units.iter().any(|u| u.function(name).is_some()),
    };
    let missing: Vec<_> = spec::groups(rule)
        .into_iter()
        .filter(|(p, names)| !p.text.ends_with('*') && !names.iter().any(is_function))
        .collect();
    if missing.is_empty() {
        return Ok(None);
    }
    let mut used = BTreeSet::new();
    for file in &settings.files {
        used.extend(identifiers(&std::fs::read_to_string(file).unwrap_or_default()));
    }
    let mut candidates = missing.iter().filter(|(p, _)| used.contains(&p.text)).peekable();
    if candidates.peek().is_none() {
        return Ok(None);
    }
    let defined = preprocess::macros(settings)?;
    let found = candidates.find_map(|(p, _)| defined.iter().find(|(name, _)| *name == p.text).map(|m| (p, m)));
    Ok(found.map(|(p, (name, text))| {
        let message = format!("`{name}` is a macro in this program, not a function: the rule would hear nothing of it");
        let note = format!("it stands for `{}`; `alias {name} = …;` names the functions that it calls", text.trim());
        Diagnostic::error("macro", p.span, message).with_note(note, None)
    }))
}

/// The names in a C text, outside of comments and strings.
fn identifiers(text: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let rest = &text[i..];
        if rest.starts_with("//") {
            while chars.next_if(|(_, c)| *c != '\n').is_some() {}
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let end = comment.find("*/").map_or(text.len(), |n| i + n + 4);
            while chars.next_if(|(j, _)| *j < end).is_some() {}
        } else if c == '"' || c == '\'' {
            let mut escaped = false;
            for (_, d) in chars.by_ref() {
                if d == '\n' || d == c && !escaped {
                    break;
                }
                escaped = d == '\\' && !escaped;
            }
        } else if c.is_ascii_alphabetic() || c == '_' {
            let mut end = i + 1;
            while let Some((j, d)) = chars.next_if(|(_, d)| d.is_ascii_alphanumeric() || *d == '_') {
                end = j + d.len_utf8();
            }
            out.insert(text[i..end].to_owned());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::identifiers;

    #[test]
    fn names_are_found_outside_of_comments_and_strings() {
        let text = "a /* b */ = \"c\\\"d\" + 'e'; // f\n g2(_h)";
        assert_eq!(identifiers(text).into_iter().collect::<Vec<_>>(), ["_h", "a", "g2"]);
    }
}

//! Assembly outside of functions. What it may do to a unit is anything - define, rename or replace symbols - unless it is known to
//! leave alone all that C speaks of: it says nothing, or it puts data into sections of its own, as the kernel does with the tables of
//! the symbols that a module exports.

/// What is said of all other.
pub(super) const ASSEMBLY: &str = "assembly outside of functions";

/// Sections that are nobody's code, data or start-up, by how their names begin; all without a dot are so as well.
const ASIDE: [&str; 4] = [".discard", ".modinfo", ".note", ".comment"];

/// Directives for data and its place in a section.
const DATA: [&str; 16] = [
    ".asciz", ".ascii", ".string", ".byte", ".2byte", ".short", ".long", ".int", ".4byte", ".quad", ".8byte",
    ".balign", ".align", ".p2align", ".zero", ".skip",
];

/// The names that the data refers to, if there is nothing but data in sections aside.
pub(super) fn data(template: &str) -> Option<Vec<String>> {
    let (mut names, mut aside) = (Vec::new(), false);
    for line in statements(template) {
        let line = line.trim();
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        match word {
            "" | ".ident" | ".file" => {}
            _ if line.starts_with('#') => {}
            ".section" | ".pushsection" if !aside && is_aside(rest) => aside = true,
            ".previous" | ".popsection" if aside => aside = false,
            _ if !aside => return None,
            _ if DATA.contains(&word) => names.extend(symbols(rest)),
            // A label: the name of a place in that data. Whatever C takes it for has no definition there.
            _ if word.ends_with(':') && rest.is_empty() && symbols(&word[..word.len() - 1]).len() == 1 => {}
            _ => return None,
        }
    }
    (!aside).then_some(names)
}

/// Whether a section, with its flags, holds nothing that runs and nothing that C's objects lie in.
fn is_aside(section: &str) -> bool {
    let mut parts = section.split(',').map(|p| p.trim().trim_matches('"'));
    let (name, flags) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let known = !name.is_empty() && (!name.starts_with('.') || ASIDE.iter().any(|a| name.starts_with(a)));
    known && !flags.contains('x')
}

/// Statements, which end with lines or semicolons outside of strings.
fn statements(template: &str) -> Vec<String> {
    let (mut all, mut quoted, mut escaped) = (vec![String::new()], false, false);
    for c in template.chars() {
        match c {
            '\n' | ';' if !quoted => all.push(String::new()),
            _ => all.last_mut().expect("there is a statement").push(c),
        }
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
    }
    all
}

/// The names in an operand, outside of strings.
fn symbols(operand: &str) -> Vec<String> {
    let outside: String = operand.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let words = outside.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.' | '$'));
    words.filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_data_in_sections_of_its_own_is_harmless() {
        let table = "\t.section \"___ksymtab+f\", \"a\"\t\n\t.balign 4\n__ksymtab_f:\n\t.long\tf- .\n\t.previous\n";
        assert_eq!(data(table), Some(vec!["f".to_owned()]));
        assert_eq!(data(".section \"s\",\"aMS\",%progbits,1\nx:\n.asciz \"a;b\"\n.previous"), Some(Vec::new()));
        assert_eq!(data(""), Some(Vec::new()));
        for text in [
            ".globl f\n.set f, g",
            ".section .text\nf:\n.byte 1\n.previous",
            ".section s,\"ax\"\nf:\n.byte 1\n.previous",
            ".section s,\"a\"\nf:\n.byte 1\n",
            ".section s,\"a\"\n.set f, g\n.previous",
            ".section s,\"a\"\nf: ret\n.previous",
            ".section .init_array,\"a\"\n.quad f\n.previous",
            "f:",
        ] {
            assert_eq!(data(text), None, "{text}");
        }
    }
}

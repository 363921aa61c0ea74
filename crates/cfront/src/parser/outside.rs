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

/// Those of them that are texts with an end of their own, and those that are texts.
const ENDED: [&str; 2] = [".asciz", ".string"];
const TEXT: [&str; 3] = [".asciz", ".ascii", ".string"];

/// Directives that may make no bytes.
const GAPS: [&str; 6] = [".balign", ".align", ".p2align", ".zero", ".skip", ".ascii"];

/// What there is to know of data in sections aside.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Data {
    /// The names that it refers to.
    pub(super) names: Vec<String>,
    /// The names of its places.
    pub(super) labels: Vec<String>,
    /// Each label has bytes of its own.
    pub(super) distinct: bool,
}

/// The data in assembly, if there is nothing else in it than data in sections aside.
pub(super) fn data(template: &str) -> Option<Data> {
    let mut data = Data { distinct: true, ..Data::default() };
    let (mut aside, mut bare) = (false, false);
    for line in statements(template)? {
        let line = line.trim();
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        match word {
            "" | ".ident" | ".file" => {}
            ".section" | ".pushsection" if !aside && is_aside(rest) => aside = true,
            ".previous" | ".popsection" if aside => aside = false,
            _ if !aside => return None,
            // A symbol may stand in quotes.
            _ if DATA.contains(&word) && rest.contains('"') && !TEXT.contains(&word) => return None,
            _ if DATA.contains(&word) => {
                data.names.extend(symbols(rest));
                bare &= GAPS.contains(&word) || rest.is_empty() && !ENDED.contains(&word);
            }
            // A label: the name of a place in that data.
            _ if word.ends_with(':') && rest.is_empty() && symbols(&word[..word.len() - 1]).len() == 1 => {
                data.distinct &= !bare;
                bare = true;
                data.labels.push(word[..word.len() - 1].to_owned());
            }
            _ => return None,
        }
    }
    data.distinct &= !bare;
    (!aside).then_some(data)
}

/// Whether a section, with its flags, holds nothing that runs and nothing that C's objects lie in.
fn is_aside(section: &str) -> bool {
    let mut parts = section.split(',').map(|p| p.trim().trim_matches('"'));
    let (name, flags) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let known = !name.is_empty() && (!name.starts_with('.') || ASIDE.iter().any(|a| name.starts_with(a)));
    known && !flags.contains('x')
}

/// Statements, which end with lines or semicolons outside of strings; lines of comment are left out. None where an assembler might see
/// other ones: comments within a line, strings of several lines, quoted characters.
fn statements(template: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    for line in template.lines().filter(|l| !l.trim_start().starts_with('#')) {
        let (mut statement, mut quoted, mut escaped) = (String::new(), false, false);
        let mut before = ' ';
        for c in line.chars() {
            match c {
                ';' if !quoted => all.push(std::mem::take(&mut statement)),
                '#' | '\'' | '\\' if !quoted => return None,
                '/' | '*' if !quoted && before == '/' => return None,
                _ => statement.push(c),
            }
            quoted ^= c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            before = c;
        }
        if quoted {
            return None;
        }
        all.push(statement);
    }
    Some(all)
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
        let all = |names: &[&str], labels: &[&str], distinct| {
            let [names, labels] = [names, labels].map(|l| l.iter().map(|&n| n.to_owned()).collect());
            Some(Data { names, labels, distinct })
        };
        let table = "\t.section \"___ksymtab+f\", \"a\"\t\n\t.balign 4\n__ksymtab_f:\n\t.long\tf- .\n\t.previous\n";
        assert_eq!(data(table), all(&["f"], &["__ksymtab_f"], true));
        assert_eq!(data(".section \"s\",\"aMS\",%progbits,1\nx:\n.asciz \"a;b\"\n.previous"), all(&[], &["x"], true));
        assert_eq!(data(".section s,\"a\"\nx:\ny:\n.long 1\n.previous"), all(&[], &["x", "y"], false));
        assert_eq!(data(".section s,\"a\"\nx:\n.balign 4\n.previous"), all(&[], &["x"], false));
        assert_eq!(data(""), all(&[], &[], true));
        assert_eq!(data("# it is \"data\" \n"), all(&[], &[], true));
        for text in [
            ".globl f\n.set f, g",
            ".section .text\nf:\n.byte 1\n.previous",
            ".section s,\"ax\"\nf:\n.byte 1\n.previous",
            ".section s,\"a\"\nf:\n.byte 1\n",
            ".section s,\"a\"\n.set f, g\n.previous",
            ".section s,\"a\"\nf: ret\n.previous",
            ".section .init_array,\"a\"\n.quad f\n.previous",
            "f:",
            "# \"\n.globl y\n.set y, x\n# \"\n",
            ".section s,\"a\"\n.byte 1 # ; .previous",
            ".section s,\"a\"\n.byte '\"\n.set y, x\n.byte '\"\n.previous",
            ".section s,\"a\"\n.byte '\"; .set y, x; .byte '\"\n.previous",
            ".section s,\"a\"\n.quad \"f\"\n.previous",
            ".section s,\"a\"\n.byte 1 /* \"\n.set y, x\n\" */\n.previous",
        ] {
            assert_eq!(data(text), None, "{text}");
        }
    }
}

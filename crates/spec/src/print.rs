//! Rule to text. What is printed reads back as the same rule; comments are lost.

use crate::syntax::*;
use std::fmt::Write;

/// Words that a blank does not belong behind, and before.
const TIGHT_BEHIND: [&str; 5] = ["(", "[", "->", ".", "!"];
const TIGHT_BEFORE: [&str; 6] = [")", "]", "->", ".", "[", ","];

/// Stands for a sign that belongs to what follows.
const PREFIX: &str = "\u{1}";

/// The text of a rule.
pub fn print(rule: &Rule) -> String {
    let mut out = String::new();
    if let Some(title) = &rule.title {
        let _ = writeln!(out, "title {};", quoted(title));
    }
    if rule.severity == Severity::Warning {
        out += "severity warning;\n";
    }
    if let Some(doc) = &rule.doc {
        let lines: Vec<String> = doc.split_inclusive('\n').map(quoted).collect();
        let _ = writeln!(out, "doc {};", lines.join("\n    "));
    }
    if !rule.applies.is_empty() {
        let _ = writeln!(out, "applies {};", patterns(&rule.applies));
    }
    if !rule.quiet.is_empty() {
        let _ = writeln!(out, "quiet {};", patterns(&rule.quiet));
    }
    for alias in &rule.aliases {
        let _ = writeln!(out, "alias {} = {};", alias.name.text, patterns(&alias.others));
    }
    if !rule.state.is_empty() {
        out += "\nstate {\n";
        for d in &rule.state {
            let init = d.init_text.as_ref().map_or(String::new(), |t| format!(" = {t}"));
            let _ = writeln!(out, "    {}{}{init};", state_type(&d.ty), d.name);
        }
        out += "}\n";
    }
    for watch in &rule.watches {
        let name = if watch.named { format!("{} = ", watch.name) } else { String::new() };
        let choices: Vec<String> =
            watch.choices.iter().map(|c| format!("{}.{}", event(&c.event), expression(&c.value))).collect();
        let _ = writeln!(out, "watch {name}{};", choices.join(", "));
    }
    for handler in &rule.handlers {
        let guard = handler.guard.as_ref().map_or(String::new(), |g| {
            let which = g.watch.as_ref().map_or(String::new(), |w| format!(" is {w}"));
            format!(" [guard {}{which}]", expression(&g.value))
        });
        let _ = writeln!(out, "\n{}{guard} {{", event(&handler.event));
        statements(&mut out, &handler.body, 1);
        out += "}\n";
    }
    out.trim_start().to_owned()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

fn patterns(all: &[Pattern]) -> String {
    all.iter().map(|p| p.text.as_str()).collect::<Vec<_>>().join(", ")
}

/// A type with the blank behind it.
fn state_type(ty: &StateType) -> String {
    let signed = |signed: &bool, name: &str| if *signed { format!("{name} ") } else { format!("unsigned {name} ") };
    match ty {
        StateType::Pointer => "void *".to_owned(),
        StateType::Enum(names) => format!("enum {{ {} }} ", names.join(", ")),
        StateType::Int(int) => match int {
            IntType::Bool => "bool ".to_owned(),
            IntType::Char(s) => signed(s, "char"),
            IntType::Short(s) => signed(s, "short"),
            IntType::Int(s) => signed(s, "int"),
            IntType::Long(s) => signed(s, "long"),
            IntType::LongLong(s) => signed(s, "long long"),
        },
    }
}

/// How an event is written.
pub(crate) fn event(e: &EventPattern) -> String {
    let moment = match e.moment {
        Moment::Entry => "entry",
        Moment::Exit => "exit",
        Moment::End => return "$end".to_owned(),
    };
    match &e.target {
        Target::Functions(one) if one.len() == 1 && one[0].text == crate::names::KEPT => one[0].text.clone(),
        Target::Functions(one) if one.len() == 1 => format!("{}.{moment}", one[0].text),
        Target::Functions(all) => format!("[{}].{moment}", patterns(all)),
        Target::EntryPoint => format!("$entry.{moment}"),
        Target::Program => "$end".to_owned(),
    }
}

fn statements(out: &mut String, body: &[Statement], depth: usize) {
    let indent = "    ".repeat(depth);
    for statement in body {
        match &statement.kind {
            StatementKind::Assign { name, operator, value: None } => {
                let _ = writeln!(out, "{indent}{name}{operator}{operator};");
            }
            StatementKind::Assign { name, operator, value: Some(value) } => {
                let _ = writeln!(out, "{indent}{name} {operator}= {};", expression(value));
            }
            StatementKind::Abort(message) => {
                let _ = writeln!(out, "{indent}abort {};", quoted(message));
            }
            StatementKind::Halt => {
                let _ = writeln!(out, "{indent}halt;");
            }
            StatementKind::If { condition, then, otherwise } => {
                let _ = writeln!(out, "{indent}if ({}) {{", expression(condition));
                statements(out, then, depth + 1);
                if !otherwise.is_empty() {
                    let _ = writeln!(out, "{indent}}} else {{");
                    statements(out, otherwise, depth + 1);
                }
                let _ = writeln!(out, "{indent}}}");
            }
        }
    }
}

/// An expression with blanks where a person puts them.
fn expression(text: &Text) -> String {
    let mut out = String::new();
    let mut before = "(";
    for word in text.words.split(' ') {
        let operand = |c: char| c.is_ascii_alphanumeric() || ['_', '$', ')', ']'].contains(&c);
        let operator = |w: &str| !w.starts_with(operand);
        // A sign behind an operator or an opening bracket belongs to what follows.
        let tight = TIGHT_BEHIND.contains(&before) || TIGHT_BEFORE.contains(&word);
        let call = word == "(" && !operator(before);
        // Two signs that would be read as one.
        let joined = out.ends_with(['-', '&', '+']) && word.starts_with(['-', '&', '+']);
        if joined || !out.is_empty() && !tight && !call && before != PREFIX {
            out.push(' ');
        }
        out += word;
        let prefix = ["*", "&", "-", "~"].contains(&word) && operator(before);
        before = if prefix { PREFIX } else { word };
    }
    out
}

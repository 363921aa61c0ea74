//! A rule in words, for `rules explain`.

use crate::print;
use crate::syntax::*;
use std::fmt::Write;

/// What a rule remembers and what it does at which events, one line each.
pub fn describe(rule: &Rule) -> String {
    let mut out = String::new();
    for d in &rule.state {
        let init = d.init_text.as_deref().unwrap_or("0");
        let values = match &d.ty {
            StateType::Enum(names) => format!(": one of {}", names.join(", ")),
            StateType::Int(_) | StateType::Pointer => String::new(),
        };
        let _ = writeln!(out, "It remembers `{}`{values}; at first {init}.", d.name);
    }
    for watch in &rule.watches {
        let events: Vec<String> =
            watch.choices.iter().map(|c| format!("`{}` of {}", c.value.words, print::event(&c.event))).collect();
        let _ = writeln!(out, "It is about one object at a time, any of those that are {}.", events.join(" or "));
    }
    for handler in &rule.handlers {
        let guard = handler.guard.as_ref().map_or(String::new(), |g| match &g.watch {
            Some(name) => format!(", if `{}` is `{name}`", g.value.words),
            None => format!(", if `{}` is that object", g.value.words),
        });
        let mut aborts = Vec::new();
        messages(&handler.body, &mut aborts);
        let says = match aborts.is_empty() {
            true => "changes what it remembers".to_owned(),
            false => format!("may say {}", aborts.iter().map(|m| format!("\"{m}\"")).collect::<Vec<_>>().join(", ")),
        };
        let _ = writeln!(out, "At {}{guard}: {says}.", print::event(&handler.event));
    }
    for alias in &rule.aliases {
        let others: Vec<&str> = alias.others.iter().map(|p| p.text.as_str()).collect();
        let _ = writeln!(out, "`{}` is also {}.", alias.name.text, others.join(", "));
    }
    out
}

fn messages<'r>(body: &'r [Statement], out: &mut Vec<&'r str>) {
    for statement in body {
        match &statement.kind {
            StatementKind::Abort(message) => out.push(message),
            StatementKind::If { then, otherwise, .. } => {
                messages(then, out);
                messages(otherwise, out);
            }
            StatementKind::Assign { .. } | StatementKind::Halt => {}
        }
    }
}

//! Rules with one part missing. A rule whose tests do not notice has a part that nobody needs, or tests that look at nothing.

use crate::print;
use crate::syntax::{Rule, Statement, StatementKind, Target};

/// All rules that lack one handler, one event of those of a handler, one choice of a watched object, one `abort` or one condition of an
/// `abort` of this one, each with what it lacks.
pub fn mutants(rule: &Rule) -> Vec<(String, Rule)> {
    let mut out = Vec::new();
    for (i, watch) in rule.watches.iter().enumerate().filter(|(_, w)| w.choices.len() > 1) {
        for (n, choice) in watch.choices.iter().enumerate() {
            let mut less = rule.clone();
            less.watches[i].choices.remove(n);
            out.push((format!("without watching at {}", print::event(&choice.event)), less));
        }
    }
    for (i, handler) in rule.handlers.iter().enumerate() {
        let Target::Functions(names) = &handler.event.target else { continue };
        for (n, name) in names.iter().enumerate().filter(|_| names.len() > 1) {
            let mut less = rule.clone();
            if let Target::Functions(names) = &mut less.handlers[i].event.target {
                names.remove(n);
            }
            out.push((format!("without `{}` at {}", name.text, print::event(&handler.event)), less));
        }
    }
    for (i, handler) in rule.handlers.iter().enumerate() {
        let event = print::event(&handler.event);
        let mut less = rule.clone();
        less.handlers.remove(i);
        out.push((format!("without the handler of {event}"), less));
        for (what, change) in
            [("without an abort of", Change::DropAbort), ("without a condition of", Change::DropCondition)]
        {
            for n in 0.. {
                let mut left = n;
                let Some(body) = changed(&handler.body, change, &mut left) else { break };
                let mut less = rule.clone();
                less.handlers[i].body = body;
                out.push((format!("{what} {event} ({})", n + 1), less));
            }
        }
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// An `abort` does nothing.
    DropAbort,
    /// What stands before an `abort` is always true.
    DropCondition,
}

/// The statements with the change at the place with number `left`, if there is such a place.
fn changed(body: &[Statement], change: Change, left: &mut usize) -> Option<Vec<Statement>> {
    let mut out = Vec::new();
    let mut done = false;
    for statement in body {
        if done {
            out.push(statement.clone());
            continue;
        }
        match (&statement.kind, change) {
            (StatementKind::Abort(_), Change::DropAbort) => {
                done = *left == 0;
                if !done {
                    *left -= 1;
                    out.push(statement.clone());
                }
            }
            (StatementKind::If { condition, then, otherwise }, _) => {
                let aborts = matches!(then.first().map(|s| &s.kind), Some(StatementKind::Abort(_)));
                if change == Change::DropCondition && aborts {
                    if *left == 0 {
                        done = true;
                        out.extend(then.iter().cloned());
                        continue;
                    }
                    *left -= 1;
                }
                let (first, second) = (changed(then, change, left), None);
                let second = if first.is_none() { changed(otherwise, change, left) } else { second };
                done = first.is_some() || second.is_some();
                let kind = StatementKind::If {
                    condition: condition.clone(),
                    then: first.unwrap_or_else(|| then.clone()),
                    otherwise: second.unwrap_or_else(|| otherwise.clone()),
                };
                out.push(Statement { kind, span: statement.span });
            }
            _ => out.push(statement.clone()),
        }
    }
    done.then_some(out)
}

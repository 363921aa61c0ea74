//! A trace as text: one line per step, indented by the depth of calls, with what the step changed.
//!
//! Jumps that the text does not have are left out. Calls deeper than the given depth are stepped over: their line says how many steps it took and what it changed.

use super::show::Names;
use boolprog::interp::{Step, Trace};
use boolprog::{Expr, ProcId, StmtKind, Var, print_expr, print_name, print_stmt};
use std::fmt::Write;

/// Statements longer than this are cut.
const WIDTH: usize = 60;

/// The steps of `trace` whose depth is at most `depth`.
pub(super) fn render(names: &Names<'_>, trace: &Trace, depth: usize) -> String {
    let mut out = String::new();
    let Some(first) = trace.steps.first() else { return out };
    let start = values(names, first, names.program.scope(first.proc));
    if !start.is_empty() {
        let _ = writeln!(out, "  at the start: {start}");
    }
    let place_width = trace.steps.iter().map(|s| names.place(s.proc, s.stmt).len()).max().unwrap_or(0);
    let mut i = 0;
    while let Some(step) = trace.steps.get(i) {
        if made_up_jump(names, step) && i + 1 < trace.steps.len() {
            i += 1;
            continue;
        }
        let is_call = matches!(names.program.procs[step.proc].body[step.stmt].kind, StmtKind::Call { .. });
        let over = is_call && step.depth >= depth && i + 1 < trace.steps.len();
        // A call that never returns before the end cannot be stepped over.
        let next = if over { trace.step_over(i).unwrap_or(i + 1) } else { i + 1 };
        let effect = trace.steps.get(next).map_or(String::new(), |then| changed(names, step, then));
        let inside = if next > i + 1 { format!("  [{} steps inside]", next - i - 1) } else { String::new() };
        let indent = "  ".repeat(step.depth.min(20));
        let what = format!("{indent}{}{inside}", statement(names, step, trace.steps.get(next)));
        let place = names.place(step.proc, step.stmt);
        let line = format!("  {place:place_width$}  {what:40}  {effect}");
        let _ = writeln!(out, "{}", line.trim_end());
        i = next;
    }
    out
}

/// The locations of the program behind the boolean one that a trace passes, one on each line: `abstract` gives each its label.
pub(super) fn locations(names: &Names<'_>, trace: &Trace) -> String {
    let mut out = String::new();
    for step in &trace.steps {
        let is_location = |l: &&str| l.strip_prefix('L').is_some_and(|n| n.parse::<usize>().is_ok());
        for label in names.labels_at(step.proc, step.stmt).filter(is_location) {
            let _ = writeln!(out, "{} {label}", print_name(&names.program.procs[step.proc].name));
        }
    }
    out
}

/// Whether the step is a jump that the text does not have: the end of an arm or of a loop's body.
fn made_up_jump(names: &Names<'_>, step: &Step) -> bool {
    match &names.program.procs[step.proc].body[step.stmt].kind {
        StmtKind::Goto(to) => matches!(to[..], [to] if names.labels_at(step.proc, to).next().is_none()),
        _ => false,
    }
}

/// The labels and the text of a step's statement.
fn statement(names: &Names<'_>, step: &Step, then: Option<&Step>) -> String {
    let program = names.program;
    let proc = &program.procs[step.proc];
    let labels: String = names.labels_at(step.proc, step.stmt).map(|l| format!("{l}: ")).collect();
    let text = match &proc.body[step.stmt].kind {
        StmtKind::Branch(e, yes, no) => {
            let goes = then.map(|t| (t.stmt == *yes, t.stmt == *no));
            let way = match goes {
                Some((true, false)) => " is true",
                Some((false, true)) => " is false",
                _ => "",
            };
            format!("if ({}){way}", cut(&print_expr(program, step.proc, e)))
        }
        StmtKind::Return(list) if list.iter().all(|e| *e == Expr::Nondet) => format!("end of {}", proc.name),
        _ => cut(&print_stmt(program, step.proc, step.stmt)),
    };
    labels + &text
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}

/// What is different after the step, as values of variables in the scope after it.
fn changed(names: &Names<'_>, now: &Step, then: &Step) -> String {
    let program = names.program;
    let entered = then.depth > now.depth;
    let left = then.depth < now.depth;
    let differs = |v: &Var| match v {
        Var::Global(_) => now.state.get(*v) != then.state.get(*v),
        // A new activation has all its locals new; after a return only what the call assigned is worth saying.
        Var::Local(_) if entered => true,
        Var::Local(_) if left => false,
        Var::Local(_) => now.state.get(*v) != then.state.get(*v),
    };
    let written =
        if now.depth == then.depth { program.procs[now.proc].body[now.stmt].kind.written() } else { Vec::new() };
    let mut vars: Vec<Var> = program.scope(then.proc).filter(|v| differs(v) || written.contains(v)).collect();
    if left {
        let received = received(names, then);
        vars.extend(received.into_iter().filter(|v| !vars.contains(v)).collect::<Vec<_>>());
    }
    values(names, then, vars.into_iter())
}

/// The variables that the call before `then` assigned.
fn received(names: &Names<'_>, then: &Step) -> Vec<Var> {
    let body = &names.program.procs[then.proc].body;
    let before = base::Id::index(then.stmt).checked_sub(1).map(base::Id::from_index);
    match before.and_then(|s| body.get(s)).map(|s| &s.kind) {
        Some(StmtKind::Call { results, .. }) => results.iter().filter_map(|v| *v).collect(),
        _ => Vec::new(),
    }
}

/// `x=1 y=0`.
fn values(names: &Names<'_>, step: &Step, vars: impl Iterator<Item = Var>) -> String {
    let one = |v: Var| format!("{}={}", name(names, step.proc, v), u8::from(step.state.get(v)));
    vars.map(one).collect::<Vec<_>>().join(" ")
}

fn name(names: &Names<'_>, proc: ProcId, v: Var) -> String {
    print_name(names.program.var_name(proc, v))
}

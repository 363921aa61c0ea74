//! Places, labels and sets of a boolean program in its author's words.

use base::SourceMap;
use boolprog::interp::Goal;
use boolprog::{ProcId, Program, StmtId, StmtKind, print_name, print_stmt};
use reach::{Reachability, Target, Unknown};
use std::fmt::Write;

/// More cubes than this are no help to anybody.
const MOST_CUBES: usize = 1000;

/// A program with its text.
pub(super) struct Names<'a> {
    pub(super) program: &'a Program,
    pub(super) map: &'a SourceMap,
}

impl<'a> Names<'a> {
    /// `file:line` of a statement.
    pub(super) fn place(&self, proc: ProcId, at: StmtId) -> String {
        match self.program.procs[proc].body[at].span {
            Some(span) => {
                let l = self.map.locate(span);
                format!("{}:{}", l.file, l.line)
            }
            None => format!("{}, statement {at}", self.program.procs[proc].name),
        }
    }

    /// The labels of the text in program order; those that the reader made up for jump targets are left out.
    pub(super) fn labels(&self) -> impl Iterator<Item = (ProcId, &'a str, StmtId)> {
        let made_up = |name: &str, at: StmtId| name == at.to_string();
        let program = self.program;
        let in_proc = move |(p, proc): (ProcId, &'a boolprog::Proc)| {
            proc.labels.iter().map(move |(name, s)| (p, name.as_str(), *s))
        };
        program.procs.iter_enumerated().flat_map(in_proc).filter(move |(_, name, s)| !made_up(name, *s))
    }

    /// The names of the labels of the text at `at`.
    pub(super) fn labels_at(&self, proc: ProcId, at: StmtId) -> impl Iterator<Item = &'a str> {
        let made_up = at.to_string();
        self.program.procs[proc].labels_at(at).filter(move |l| *l != made_up)
    }

    /// What happens at a target: "label `L` of `f` is reached at t.bp:3".
    pub(super) fn target(&self, target: Target) -> String {
        match target {
            Goal::At(p, s) => {
                let proc = &self.program.procs[p];
                let label = proc.labels_at(s).find(|l| *l == "SLIC_ERROR").or_else(|| proc.labels_at(s).next());
                let what = label.map_or_else(|| format!("statement {s}"), |l| format!("label `{l}`"));
                format!("{what} of `{}` is reached at {}", proc.name, self.place(p, s))
            }
            Goal::Fails(p, s) => format!("the assertion at {} can fail", self.place(p, s)),
        }
    }
}

/// Every label and assertion with what becomes of it, one line each.
pub(super) fn all_places(names: &Names<'_>, analysis: &Reachability<'_>) -> Result<String, Unknown> {
    let mut out = String::new();
    for (p, name, s) in names.labels() {
        let what = if analysis.reaches(p, s) { "reached" } else { "not reached" };
        let proc = &names.program.procs[p].name;
        let _ = writeln!(out, "{what:12} {}  label `{name}` of `{proc}`", names.place(p, s));
    }
    for (p, proc) in names.program.procs.iter_enumerated() {
        for (s, _) in proc.body.iter_enumerated().filter(|(_, s)| matches!(s.kind, StmtKind::Assert(_))) {
            let what = if analysis.can_fail(p, s)? { "can fail" } else { "holds" };
            let _ = writeln!(out, "{what:12} {}  {}", names.place(p, s), print_stmt(names.program, p, s));
        }
    }
    Ok(out)
}

/// The reachable states at labels: all of them, or those named.
pub(super) fn invariants(names: &Names<'_>, analysis: &Reachability<'_>, only: &[String]) -> Result<String, Unknown> {
    let mut out = String::new();
    for (p, name, s) in names.labels() {
        if !only.is_empty() && !only.iter().any(|l| l == name) {
            continue;
        }
        let proc = &names.program.procs[p].name;
        let _ = write!(out, "{}: at `{name}` of `{proc}`:", names.place(p, s));
        match analysis.invariant(p, s, MOST_CUBES)? {
            None => out.push_str(" a sum of more than 1000 cubes\n"),
            Some(sum) if sum.cubes.is_empty() => out.push_str(" false (not reached)\n"),
            Some(sum) => out.push_str(&cubes(names, p, &sum.cubes)),
        }
    }
    Ok(out)
}

/// One cube on the same line; more below each other.
fn cubes(names: &Names<'_>, proc: ProcId, cubes: &[Vec<(boolprog::Var, bool)>]) -> String {
    let literal = |&(v, b): &(boolprog::Var, bool)| {
        let name = print_name(names.program.var_name(proc, v));
        if b { name } else { format!("!{name}") }
    };
    let cube = |c: &Vec<(boolprog::Var, bool)>| match c.is_empty() {
        true => "true".to_string(),
        false => c.iter().map(literal).collect::<Vec<_>>().join(" & "),
    };
    match cubes {
        [one] => format!(" {}\n", cube(one)),
        many => {
            let lines = many.iter().enumerate();
            let line = |(i, c)| format!("  {} {}\n", if i == 0 { " " } else { "|" }, cube(c));
            format!("\n{}", lines.map(line).collect::<String>())
        }
    }
}

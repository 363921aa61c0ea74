//! Horn clauses in SMT-LIB: one predicate for each statement over the values at entry and the values now, one for each procedure's
//! summary. A solver of Horn clauses says `sat` if no target is reached, `unsat` if one is; recursion is no obstacle.

use super::formulas::{Names, Prefix, formula, possible};
use crate::interp::Goal;
use crate::program::{Expr, ProcId, Program, StmtId, StmtKind, Var};
use base::Id;
use std::fmt::Write;

/// One clause: variables `e…` are values at entry, `v…` values now, `n…` values after, `r…` and `h…` results and globals of a callee.
struct Writer<'p> {
    program: &'p Program,
    out: String,
}

/// The program as Horn clauses that ask for the targets.
pub(super) fn print(program: &Program, targets: &[Goal]) -> String {
    let mut w = Writer { program, out: "; sat: no target is reached; unsat: one is\n(set-logic HORN)\n".to_owned() };
    for (p, proc) in program.procs.iter_enumerated() {
        let state = "Bool ".repeat(w.entry_width(p) + w.width(p));
        for s in proc.body.ids() {
            _ = writeln!(w.out, "(declare-fun {} ({}) Bool)", at(p, s), state.trim_end());
        }
        let summary = "Bool ".repeat(w.entry_width(p) + program.globals.len() + proc.n_returns);
        _ = writeln!(w.out, "(declare-fun {} ({}) Bool)", sum(p), summary.trim_end());
    }
    w.start();
    for (p, proc) in program.procs.iter_enumerated() {
        for s in proc.body.ids() {
            w.stmt(p, s);
        }
    }
    for t in targets {
        let (Goal::At(p, s) | Goal::Fails(p, s)) = *t;
        let mut names = Names { old: &|v| w.value('v', v), new: &|v| w.value('v', v), choices: 0 };
        let fails = match (&program.procs[p].body[s].kind, t) {
            (StmtKind::Assert(e), Goal::Fails(..)) => Some(format!("(not {})", formula(e, &Prefix, &mut names))),
            _ => None,
        };
        let mut body = vec![w.now(p, s)];
        body.extend(fails);
        w.clause(p, names_used(names.choices), &body, "false");
    }
    w.out += "(check-sat)\n";
    w.out
}

fn names_used(choices: usize) -> Vec<String> {
    (0..choices).map(|i| format!("any{i}")).collect()
}

fn at(p: ProcId, s: StmtId) -> String {
    format!("at_{}_{}", p.index(), s.index())
}

fn sum(p: ProcId) -> String {
    format!("ends_{}", p.index())
}

fn applied(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("({name} {})", args.join(" ")) }
}

impl Writer<'_> {
    /// Globals and formals.
    fn entry_width(&self, p: ProcId) -> usize {
        self.program.globals.len() + self.program.procs[p].n_formals
    }

    fn width(&self, p: ProcId) -> usize {
        self.program.globals.len() + self.program.procs[p].locals.len()
    }

    fn value(&self, kind: char, v: Var) -> String {
        let i = match v {
            Var::Global(g) => g.index(),
            Var::Local(l) => self.program.globals.len() + l.index(),
        };
        format!("{kind}{i}")
    }

    fn numbered(kind: char, n: usize) -> Vec<String> {
        (0..n).map(|i| format!("{kind}{i}")).collect()
    }

    fn now(&self, p: ProcId, s: StmtId) -> String {
        let args = [Self::numbered('e', self.entry_width(p)), Self::numbered('v', self.width(p))].concat();
        applied(&at(p, s), &args)
    }

    fn then(&self, p: ProcId, s: StmtId, new: &[String]) -> String {
        applied(&at(p, s), &[&Self::numbered('e', self.entry_width(p)), new].concat())
    }

    fn clause(&mut self, p: ProcId, more: Vec<String>, body: &[String], head: &str) {
        let mut bound = [Self::numbered('e', self.entry_width(p)), Self::numbered('v', self.width(p))].concat();
        bound.extend(Self::numbered('n', self.width(p)));
        bound.extend(more);
        self.forall(&bound, body, head);
    }

    fn forall(&mut self, bound: &[String], body: &[String], head: &str) {
        let body = match body {
            [] => "true".to_owned(),
            [one] => one.clone(),
            _ => format!("(and {})", body.join(" ")),
        };
        let rule = format!("(=> {body} {head})");
        let bound: Vec<String> = bound.iter().map(|b| format!("({b} Bool)")).collect();
        if bound.is_empty() {
            _ = writeln!(self.out, "(assert {rule})");
        } else {
            _ = writeln!(self.out, "(assert (forall ({}) {rule}))", bound.join(" "));
        }
    }

    /// What is known of the values with which locals begin, and of `enforce`, for values named `kind`.
    fn begins(&self, p: ProcId, kind: char) -> Vec<String> {
        let proc = &self.program.procs[p];
        let first = self.program.globals.len();
        let is = |i: usize, b: bool| if b { format!("{kind}{i}") } else { format!("(not {kind}{i})") };
        let locals = proc.locals.iter().enumerate().skip(proc.n_formals);
        let mut out: Vec<String> = locals.filter_map(|(i, d)| d.init.map(|b| is(first + i, b))).collect();
        out.extend(self.enforced(p, kind));
        out
    }

    fn enforced(&self, p: ProcId, kind: char) -> Option<String> {
        let e = self.program.procs[p].enforce.as_ref()?;
        Some(possible(e, true, &Prefix, &|v| self.value(kind, v)))
    }

    fn start(&mut self) {
        let p = self.program.entry;
        let values = Self::numbered('v', self.width(p));
        let mut body: Vec<String> = Vec::new();
        for (g, d) in self.program.globals.iter_enumerated() {
            let name = format!("v{}", g.index());
            body.extend(d.init.map(|b| if b { name } else { format!("(not {name})") }));
        }
        body.extend(self.begins(p, 'v'));
        let head = applied(&at(p, StmtId::from_index(0)), &[&values[..self.entry_width(p)], &values[..]].concat());
        self.forall(&values, &body, &head);
    }

    fn stmt(&mut self, p: ProcId, s: StmtId) {
        let program = self.program;
        let stmt = &program.procs[p].body[s];
        match &stmt.kind {
            StmtKind::Skip | StmtKind::Print(_) => self.goes(p, s, s.next(), &[], None),
            StmtKind::Goto(to) => to.iter().for_each(|&t| self.goes(p, s, t, &[], None)),
            StmtKind::Assume(e) | StmtKind::Assert(e) => self.goes(p, s, s.next(), &[], Some((e, true))),
            StmtKind::Branch(e, yes, no) => {
                self.goes(p, s, *yes, &[], Some((e, true)));
                self.goes(p, s, *no, &[], Some((e, false)));
            }
            StmtKind::Dead(vars) => {
                let pairs: Vec<(Option<Var>, Expr)> = vars.iter().map(|v| (Some(*v), Expr::Nondet)).collect();
                self.goes(p, s, s.next(), &pairs, None);
            }
            StmtKind::Assign(pairs) => self.goes(p, s, s.next(), pairs, None),
            StmtKind::Call { callee, args, results } => self.call(p, s, (*callee, args, results)),
            StmtKind::Return(values) => {
                let (globals, entry) = (program.globals.len(), self.entry_width(p));
                let mut args = Self::numbered('e', entry);
                args.extend(Self::numbered('v', globals));
                let (values, choices) = self.evaluated(values);
                args.extend(values);
                let head = applied(&sum(p), &args);
                let body = vec![self.now(p, s)];
                self.clause(p, names_used(choices), &body, &head);
            }
        }
    }

    fn evaluated(&self, exprs: &[Expr]) -> (Vec<String>, usize) {
        let mut names = Names { old: &|v| self.value('v', v), new: &|v| self.value('n', v), choices: 0 };
        let values = exprs.iter().map(|e| formula(e, &Prefix, &mut names)).collect();
        (values, names.choices)
    }

    /// A step to `to` that assigns, under a condition with the value that it needs.
    fn goes(&mut self, p: ProcId, s: StmtId, to: StmtId, pairs: &[(Option<Var>, Expr)], on: Option<(&Expr, bool)>) {
        let program = self.program;
        let (body, choices) = {
            let mut names = Names { old: &|v| self.value('v', v), new: &|v| self.value('n', v), choices: 0 };
            let mut body = vec![self.now(p, s)];
            body.extend(on.map(|(e, value)| {
                let f = formula(e, &Prefix, &mut names);
                if value { f } else { format!("(not {f})") }
            }));
            for v in program.scope(p) {
                let value = match pairs.iter().find(|(w, _)| *w == Some(v)) {
                    Some((_, e)) => formula(e, &Prefix, &mut names),
                    None => self.value('v', v),
                };
                body.push(format!("(= {} {value})", self.value('n', v)));
            }
            body.extend(program.procs[p].body[s].constrain.as_ref().map(|c| formula(c, &Prefix, &mut names)));
            body.extend(self.enforced(p, 'n'));
            (body, names.choices)
        };
        let head = self.then(p, to, &Self::numbered('n', self.width(p)));
        self.clause(p, names_used(choices), &body, &head);
    }

    fn call(&mut self, p: ProcId, s: StmtId, (callee, args, results): (ProcId, &[Expr], &[Option<Var>])) {
        let program = self.program;
        let globals = program.globals.len();
        let (args, choices) = self.evaluated(args);
        // The callee begins: its values are named `c…`.
        let first: Vec<String> = Self::numbered('v', globals).into_iter().chain(args.iter().cloned()).collect();
        let inside = Self::numbered('c', self.width(callee));
        let mut body = vec![self.now(p, s)];
        body.extend(inside.iter().zip(&first).map(|(c, a)| format!("(= {c} {a})")));
        body.extend(self.begins(callee, 'c'));
        let entry = &inside[..self.entry_width(callee)];
        let head = applied(&at(callee, StmtId::from_index(0)), &[entry, &inside[..]].concat());
        let more = [names_used(choices), inside.clone()].concat();
        self.clause(p, more, &body, &head);
        // It has ended: its globals are `h…`, its results `r…`.
        let ended: Vec<String> =
            [first, Self::numbered('h', globals), Self::numbered('r', program.procs[callee].n_returns)].concat();
        let mut body = vec![self.now(p, s), applied(&sum(callee), &ended)];
        for v in program.scope(p) {
            let result = results.iter().position(|r| *r == Some(v)).map(|i| format!("r{i}"));
            let value = result.unwrap_or_else(|| match v {
                Var::Global(g) => format!("h{}", g.index()),
                Var::Local(_) => self.value('v', v),
            });
            body.push(format!("(= {} {value})", self.value('n', v)));
        }
        let constraint = {
            // Choices of the constraint follow those of the arguments.
            let mut names = Names { old: &|v| self.value('v', v), new: &|v| self.value('n', v), choices };
            let c = program.procs[p].body[s].constrain.as_ref().map(|c| formula(c, &Prefix, &mut names));
            (c, names.choices)
        };
        body.extend(constraint.0);
        body.extend(self.enforced(p, 'n'));
        let more = [
            names_used(constraint.1),
            Self::numbered('h', globals),
            Self::numbered('r', program.procs[callee].n_returns),
        ]
        .concat();
        let head = self.then(p, s.next(), &Self::numbered('n', self.width(p)));
        self.clause(p, more, &body, &head);
    }
}

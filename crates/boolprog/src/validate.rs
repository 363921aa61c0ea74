//! Checks what the types of [`program`](crate::program) cannot: its invariants, one rule per function.
//!
//! A program that comes from [`parse`](crate::parse()) satisfies them; one that another stage made is checked here.

use crate::program::{Expr, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Var};
use base::{Diagnostic, Id};

/// Every broken invariant as a message that names procedure and statement; empty when the program is valid.
pub fn validate(program: &Program) -> Vec<Diagnostic> {
    let mut v = Validator { program, errors: Vec::new() };
    match program.procs.get(program.entry) {
        None => v.errors.push(Diagnostic::global("entry", "the entry procedure does not exist")),
        Some(p) if p.n_formals > 0 => {
            v.errors.push(Diagnostic::global("entry", format!("the entry procedure `{}` has parameters", p.name)));
        }
        Some(_) => {}
    }
    for (id, proc) in program.procs.iter_enumerated() {
        v.proc(id, proc);
    }
    v.errors
}

struct Validator<'a> {
    program: &'a Program,
    errors: Vec<Diagnostic>,
}

impl Validator<'_> {
    fn report(&mut self, proc: &Proc, at: Option<StmtId>, id: &'static str, what: &str) {
        let place = at.map_or(String::new(), |s| format!(", statement {s}"));
        let message = format!("in `{}`{place}: {what}", proc.name);
        let span = at.and_then(|s| proc.body.get(s)).and_then(|s| s.span);
        self.errors.push(match span {
            Some(span) => Diagnostic::error(id, span, message),
            None => Diagnostic::global(id, message),
        });
    }

    fn proc(&mut self, id: ProcId, proc: &Proc) {
        if self.program.procs.iter_enumerated().any(|(other, p)| other < id && p.name == proc.name) {
            self.report(proc, None, "duplicate", "another procedure has the same name");
        }
        if proc.n_formals > proc.locals.len() {
            self.report(proc, None, "formals", "more formals than locals");
        }
        if proc.locals.iter().take(proc.n_formals).any(|d| d.init.is_some()) {
            self.report(proc, None, "formals", "a formal parameter has an initial value");
        }
        if proc.body.iter().last().is_none_or(|s| s.kind.falls_through()) {
            self.report(proc, None, "falls-off", "the body is empty or its last statement falls through");
        }
        if let Some(e) = &proc.enforce {
            self.expr(proc, None, e, false);
        }
        if proc.labels.iter().any(|(_, s)| proc.body.get(*s).is_none()) {
            self.report(proc, None, "missing-label", "a label stands at a statement that does not exist");
        }
        for (at, stmt) in proc.body.iter_enumerated() {
            self.stmt(proc, at, stmt);
        }
    }

    fn expr(&mut self, proc: &Proc, at: Option<StmtId>, e: &Expr, primes: bool) {
        let known = |v: &Var| match v {
            Var::Global(g) => self.program.globals.get(*g).is_some(),
            Var::Local(l) => proc.locals.get(*l).is_some(),
        };
        let (mut unknown, mut prime, mut short) = (false, false, false);
        e.walk(|e| match e {
            Expr::Var(v) => unknown |= !known(v),
            Expr::Next(v) => {
                unknown |= !known(v);
                prime = true;
            }
            Expr::And(v) | Expr::Or(v) => short |= v.len() < 2,
            _ => {}
        });
        if unknown {
            self.report(proc, at, "undeclared", "an expression reads a variable that does not exist");
        }
        if prime && !primes {
            self.report(proc, at, "next-state", "the next state is read outside `constrain`");
        }
        if short {
            self.report(proc, at, "operands", "a conjunction or disjunction has fewer than two operands");
        }
    }

    fn stmt(&mut self, proc: &Proc, at: StmtId, stmt: &Stmt) {
        for e in stmt.kind.exprs() {
            self.expr(proc, Some(at), e, false);
        }
        if let Some(c) = &stmt.constrain {
            self.expr(proc, Some(at), c, true);
        }
        let mut written = stmt.kind.written();
        let n = written.len();
        written.sort_unstable();
        written.dedup();
        if written.len() < n && !matches!(stmt.kind, StmtKind::Dead(_)) {
            self.report(proc, Some(at), "assigned-twice", "a variable is assigned twice");
        }
        if proc.body.len() <= self.program_targets(stmt).map(Id::index).max().unwrap_or(0) {
            self.report(proc, Some(at), "missing-label", "a target does not exist");
        }
        for v in written {
            self.expr(proc, Some(at), &Expr::Var(v), false);
        }
        match &stmt.kind {
            StmtKind::Goto(to) if to.is_empty() => self.report(proc, Some(at), "missing-label", "a goto to nowhere"),
            StmtKind::Return(exprs) if exprs.len() != proc.n_returns => {
                self.report(proc, Some(at), "return-count", "the number of returned values differs");
            }
            StmtKind::Call { callee, args, results } => match self.program.procs.get(*callee) {
                None => self.report(proc, Some(at), "undefined", "the called procedure does not exist"),
                Some(c) => {
                    if args.len() != c.n_formals {
                        self.report(proc, Some(at), "argument-count", "the number of arguments differs");
                    }
                    if !results.is_empty() && results.len() != c.n_returns {
                        self.report(proc, Some(at), "return-count", "the number of results differs");
                    }
                }
            },
            _ => {}
        }
    }

    fn program_targets<'s>(&self, stmt: &'s Stmt) -> impl Iterator<Item = StmtId> + use<'s> {
        let (list, pair) = match &stmt.kind {
            StmtKind::Goto(to) => (&to[..], None),
            StmtKind::Branch(_, yes, no) => (&[][..], Some([*yes, *no])),
            _ => (&[][..], None),
        };
        list.iter().copied().chain(pair.into_iter().flatten())
    }
}

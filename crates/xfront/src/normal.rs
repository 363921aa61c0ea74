//! X-normal form (TR00 §4): what the paper's abstraction and path simulation start from.
//!
//! In normal form
//! - all conditions of `if` and `while` are `?`, and what they were is assumed on either side;
//! - every `assume` is followed by a `skip`;
//! - every assignment has one variable;
//! - an `assert` is `assert(false)`: the error itself.
//!
//! The paper writes `assert` for what is assumed here, which would make `err` reachable wherever a condition can be false. So a
//! user's `assert(e)` becomes a choice between assuming `e` and assuming its opposite before the error. Every label of the
//! program keeps its statement; new statements have none. A label is reached exactly if it was before.

use crate::syntax::*;
use base::Span;
use std::collections::BTreeSet;

/// The program in normal form.
#[must_use]
pub fn normal_form(program: &Program) -> Program {
    let procs = program.procs.iter().map(|proc| normal_proc(program, proc)).collect();
    Program { procs, ..program.clone() }
}

/// Whether the program is in normal form.
pub fn is_normal(program: &Program) -> bool {
    program.procs.iter().all(|p| is_normal_body(&p.body))
}

fn is_normal_body(body: &[Stmt]) -> bool {
    let skips = |i: usize| body.get(i + 1).is_some_and(|s| s.kind == StmtKind::Skip);
    body.iter().enumerate().all(|(i, stmt)| match &stmt.kind {
        StmtKind::If(cond, yes, no) => cond.kind == ExprKind::Unknown && is_normal_body(yes) && is_normal_body(no),
        StmtKind::While(cond, body) => cond.kind == ExprKind::Unknown && is_normal_body(body),
        StmtKind::Assign(names, _) => names.len() == 1,
        StmtKind::Assume(_) => skips(i),
        StmtKind::Assert(e) => e.kind == ExprKind::Bool(false),
        StmtKind::Skip | StmtKind::Call(..) | StmtKind::Return => true,
    })
}

struct Normal<'a> {
    program: &'a Program,
    proc: &'a Proc,
    /// Names that are taken.
    taken: BTreeSet<&'a str>,
    temporaries: Vec<Decl>,
}

fn normal_proc(program: &Program, proc: &Proc) -> Proc {
    let decls = program.globals.iter().chain(&proc.params).chain(&proc.locals).map(|d| d.name.text.as_str());
    let values = program.enums.iter().flat_map(|e| &e.values).map(|v| v.text.as_str());
    let taken = decls.chain(values).chain(["T", "F"]).collect();
    let mut normal = Normal { program, proc, taken, temporaries: Vec::new() };
    let body = normal.body(&proc.body);
    let mut locals = proc.locals.clone();
    locals.append(&mut normal.temporaries);
    Proc { body, locals, ..proc.clone() }
}

fn unknown(span: Span) -> Expr {
    Expr::new(ExprKind::Unknown, span)
}

/// `assume(e); skip;`
fn assumed(e: Expr, span: Span) -> [Stmt; 2] {
    [Stmt::new(StmtKind::Assume(e), span), Stmt::new(StmtKind::Skip, span)]
}

impl Normal<'_> {
    fn body(&mut self, body: &[Stmt]) -> Vec<Stmt> {
        let mut out: Vec<Stmt> = Vec::new();
        for stmt in body {
            let first = out.len();
            self.statement(stmt, &mut out);
            if let Some(new) = out.get_mut(first) {
                new.label.clone_from(&stmt.label);
            }
        }
        out
    }

    fn statement(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => {
                let (cond, opposite) = self.decided(cond, out);
                let mut side = |e: Expr, body: &[Stmt]| {
                    let mut all = assumed(e, span).to_vec();
                    all.extend(self.body(body));
                    all
                };
                let (yes, no) = (side(cond, yes), side(opposite, no));
                out.push(Stmt::new(StmtKind::If(unknown(span), yes, no), span));
            }
            StmtKind::While(cond, body) => {
                // A choice inside the condition is made anew in each round: before the loop and at its end.
                let mut before = Vec::new();
                let (cond, opposite) = self.decided(cond, &mut before);
                let mut inner = assumed(cond, span).to_vec();
                inner.extend(self.body(body));
                inner.extend(before.iter().cloned());
                out.extend(before);
                out.push(Stmt::new(StmtKind::While(unknown(span), inner), span));
                out.extend(assumed(opposite, span));
            }
            StmtKind::Assert(e) if e.kind == ExprKind::Bool(false) => out.push(Stmt::new(stmt.kind.clone(), span)),
            StmtKind::Assert(e) => {
                let (cond, opposite) = self.decided(e, out);
                let mut fails = assumed(opposite, span).to_vec();
                fails.push(Stmt::new(StmtKind::Assert(Expr::new(ExprKind::Bool(false), span)), span));
                let holds = assumed(cond, span).to_vec();
                out.push(Stmt::new(StmtKind::If(unknown(span), holds, fails), span));
            }
            StmtKind::Assume(e) => out.extend(assumed(e.clone(), span)),
            StmtKind::Assign(names, values) if names.len() > 1 => self.parallel(names, values, span, out),
            StmtKind::Assign(..) | StmtKind::Skip | StmtKind::Call(..) | StmtKind::Return => {
                out.push(Stmt::new(stmt.kind.clone(), span));
            }
        }
    }

    /// A condition and its opposite that agree on each `?` in it: such a condition is first stored.
    fn decided(&mut self, cond: &Expr, out: &mut Vec<Stmt>) -> (Expr, Expr) {
        if cond.kind == ExprKind::Unknown {
            let free = Expr::new(ExprKind::Bool(true), cond.span);
            return (free.clone(), free);
        }
        if !chooses(cond) {
            return (cond.clone(), cond.clone().negated());
        }
        let held = self.temporary("bool", cond.span);
        let read = Expr::new(ExprKind::Name(held.text.clone()), cond.span);
        out.push(Stmt::new(StmtKind::Assign(vec![held], vec![cond.clone()]), cond.span));
        (read.clone(), read.negated())
    }

    /// `x, y := e, f` is `t := e; u := f; x := t; y := u`.
    fn parallel(&mut self, names: &[Name], values: &[Expr], span: Span, out: &mut Vec<Stmt>) {
        let mut later = Vec::new();
        for (name, value) in names.iter().zip(values) {
            let ty = self.type_name(&name.text);
            let held = self.temporary(&ty, span);
            let read = Expr::new(ExprKind::Name(held.text.clone()), span);
            out.push(Stmt::new(StmtKind::Assign(vec![held], vec![value.clone()]), span));
            later.push(Stmt::new(StmtKind::Assign(vec![name.clone()], vec![read]), span));
        }
        out.append(&mut later);
    }

    fn type_name(&self, variable: &str) -> String {
        let mut inner = self.proc.params.iter().chain(&self.proc.locals);
        let found = inner.find(|d| d.name.text == variable);
        let found = found.or_else(|| self.program.globals.iter().find(|d| d.name.text == variable));
        found.map_or_else(|| "int".to_owned(), |d| d.ty.text.clone())
    }

    fn temporary(&mut self, ty: &str, span: Span) -> Name {
        let mut n = self.temporaries.len() + 1;
        while self.taken.contains(format!("tmp{n}").as_str())
            || self.temporaries.iter().any(|d| d.name.text == format!("tmp{n}"))
        {
            n += 1;
        }
        let name = Name { text: format!("tmp{n}"), span };
        self.temporaries.push(Decl { name: name.clone(), ty: Name { text: ty.to_owned(), span } });
        name
    }
}

/// Whether a `?` stands in the expression.
fn chooses(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Unknown => true,
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Name(_) => false,
        ExprKind::Not(a) | ExprKind::Neg(a) => chooses(a),
        ExprKind::Binary(_, a, b) => chooses(a) || chooses(b),
    }
}

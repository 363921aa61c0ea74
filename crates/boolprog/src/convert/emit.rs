//! Printing in the styles of other tools.

use crate::program::{Expr, Proc, ProcId, Program, StmtId, StmtKind, Var};
use crate::text::{print_label, print_name};
use std::fmt::Write;

/// What differs between the styles.
pub(super) struct Style {
    /// `T` and `F`, or `1` and `0`.
    letters: bool,
    /// Whether a statement may have more than one label.
    several_labels: bool,
    /// Whether every statement has a label `PCn`.
    counters: bool,
    /// Whether a `;` follows `fi`.
    semicolon_after_fi: bool,
}

pub(super) const SLAM: Style =
    Style { letters: true, several_labels: true, counters: false, semicolon_after_fi: false };
pub(super) const SATABS: Style =
    Style { letters: false, several_labels: true, counters: true, semicolon_after_fi: true };
pub(super) const MOPED: Style =
    Style { letters: true, several_labels: false, counters: false, semicolon_after_fi: false };

pub(super) fn emit(program: &Program, style: &Style) -> String {
    let mut labelled = program.clone();
    labelled.label_targets();
    let program = &labelled;
    let mut out = String::new();
    for g in &program.globals {
        let _ = writeln!(out, "decl {};", print_name(&g.name));
    }
    for (id, proc) in program.procs.iter_enumerated() {
        let _ = writeln!(out);
        Emitter { program, style, id, proc, out: &mut out }.proc();
    }
    out
}

struct Emitter<'a> {
    program: &'a Program,
    style: &'a Style,
    id: ProcId,
    proc: &'a Proc,
    out: &'a mut String,
}

impl Emitter<'_> {
    fn proc(&mut self) {
        let result = match self.proc.n_returns {
            0 => "void".to_owned(),
            1 => "bool".to_owned(),
            n => format!("bool<{n}>"),
        };
        let formals: Vec<String> = self.proc.formals().map(|l| print_name(&self.proc.locals[l].name)).collect();
        let _ = writeln!(self.out, "{result} {}({})\nbegin", print_name(&self.proc.name), formals.join(", "));
        for (_, d) in self.proc.locals.iter_enumerated().skip(self.proc.n_formals) {
            let _ = writeln!(self.out, "  decl {};", print_name(&d.name));
        }
        if let Some(e) = &self.proc.enforce {
            let text = self.expr(e);
            let _ = writeln!(self.out, "  enforce {text};");
        }
        for at in self.proc.body.ids() {
            self.labels(at);
            let text = self.stmt(at);
            let _ = writeln!(self.out, "  {text}");
        }
        self.out.push_str("end\n");
    }

    fn labels(&mut self, at: StmtId) {
        let taken = |n: &str| self.proc.labels.iter().any(|(l, _)| l == n);
        let counter = format!("PC{}", base::Id::index(at));
        let mut labels: Vec<&str> = self.proc.labels_at(at).collect();
        if self.style.counters && !taken(&counter) {
            labels.insert(0, &counter);
        }
        for (i, label) in labels.iter().enumerate() {
            let lonely = !self.style.several_labels && i + 1 < labels.len();
            let _ = writeln!(self.out, "{}:{}", print_label(label), if lonely { " skip;" } else { "" });
        }
    }

    fn target(&self, s: StmtId) -> String {
        print_label(self.proc.labels_at(s).next().expect("every target has a label"))
    }

    fn var(&self, v: Var) -> String {
        print_name(self.program.var_name(self.id, v))
    }

    fn targets(&self, targets: impl Iterator<Item = Option<Var>>) -> String {
        targets.map(|t| t.map_or("_".to_owned(), |v| self.var(v))).collect::<Vec<_>>().join(", ")
    }

    fn exprs<'e>(&self, exprs: impl Iterator<Item = &'e Expr>) -> String {
        exprs.map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn stmt(&self, at: StmtId) -> String {
        let stmt = &self.proc.body[at];
        let text = match &stmt.kind {
            StmtKind::Skip => "skip".to_owned(),
            StmtKind::Assign(pairs) => {
                let (to, values) = (pairs.iter().map(|(v, _)| *v), pairs.iter().map(|(_, e)| e));
                format!("{} := {}", self.targets(to), self.exprs(values))
            }
            StmtKind::Assume(e) => format!("assume({})", self.expr(e)),
            StmtKind::Assert(e) => format!("assert({})", self.expr(e)),
            StmtKind::Dead(vars) => format!("dead {}", self.targets(vars.iter().map(|v| Some(*v)))),
            StmtKind::Print(exprs) => format!("print({})", self.exprs(exprs.iter())),
            StmtKind::Branch(e, yes, no) => {
                let e = self.expr(e);
                let text = format!("if ({e}) then goto {}; else goto {}; fi", self.target(*yes), self.target(*no));
                return text + if self.style.semicolon_after_fi { ";" } else { "" };
            }
            StmtKind::Goto(to) => {
                format!("goto {}", to.iter().map(|&s| self.target(s)).collect::<Vec<_>>().join(", "))
            }
            StmtKind::Call { callee, args, results } => {
                let call = format!("{}({})", print_name(&self.program.procs[*callee].name), self.exprs(args.iter()));
                if results.is_empty() { call } else { format!("{} := {call}", self.targets(results.iter().copied())) }
            }
            StmtKind::Return(values) if values.is_empty() => "return".to_owned(),
            StmtKind::Return(values) => format!("return {}", self.exprs(values.iter())),
        };
        match &stmt.constrain {
            Some(c) => format!("{text} constrain ({});", self.expr(c)),
            None => format!("{text};"),
        }
    }

    fn operand(&self, e: &Expr) -> String {
        match e {
            Expr::Const(_) | Expr::Nondet | Expr::Var(_) | Expr::Next(_) | Expr::Not(_) | Expr::Choose(..) => {
                self.expr(e)
            }
            _ => format!("({})", self.expr(e)),
        }
    }

    /// Depth of recursion is the height of the expression.
    fn expr(&self, e: &Expr) -> String {
        let infix = |op: &str| e.operands().into_iter().map(|a| self.operand(a)).collect::<Vec<_>>().join(op);
        match e {
            Expr::Const(b) => match (self.style.letters, b) {
                (true, true) => "T",
                (true, false) => "F",
                (false, true) => "1",
                (false, false) => "0",
            }
            .to_owned(),
            Expr::Nondet => "*".to_owned(),
            Expr::Var(v) => self.var(*v),
            Expr::Next(v) => format!("'{}", self.var(*v)),
            Expr::Not(a) => format!("!{}", self.operand(a)),
            Expr::And(_) => infix(" & "),
            Expr::Or(_) => infix(" | "),
            Expr::Xor(..) => infix(" != "),
            Expr::Eq(..) => infix(" = "),
            Expr::Implies(..) => infix(" => "),
            Expr::Ite(c, a, b) => format!("{} ? {} : {}", self.operand(c), self.operand(a), self.operand(b)),
            Expr::Choose(p, n) => format!("schoose[{}, {}]", self.expr(p), self.expr(n)),
        }
    }
}

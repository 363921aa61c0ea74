//! The canonical print: `begin`/`end` keywords, one statement per line, full parentheses, a label on every jump target.

use super::parser::is_plain_name;
use crate::program::{Expr, Proc, ProcId, Program, Stmt, StmtId, StmtKind, Var};
use std::fmt::Write;

/// The canonical text of `program`; reads back as the same program (with labels on its jump targets).
pub fn print(program: &Program) -> String {
    let mut labelled = program.clone();
    labelled.label_targets();
    let program = &labelled;
    let mut out = String::new();
    for g in &program.globals {
        let _ = writeln!(out, "decl {}{};", name(&g.name), init(g.init));
    }
    for (id, proc) in program.procs.iter_enumerated() {
        if !out.is_empty() {
            out.push('\n');
        }
        print_proc(program, id, proc, &mut out);
    }
    out
}

/// The text of `e` as it stands in `proc`.
pub fn print_expr(program: &Program, proc: ProcId, e: &Expr) -> String {
    let mut out = String::new();
    Printer { program, proc, out: &mut out }.expr(e);
    out
}

/// The text of statement `at` of `proc`, without its labels; a target without a label prints as `s<number>`.
pub fn print_stmt(program: &Program, proc: ProcId, at: StmtId) -> String {
    let mut out = String::new();
    let owner = &program.procs[proc];
    Printer { program, proc, out: &mut out }.stmt(owner, &owner.body[at]);
    out
}

/// `name` as it must be written in a program: in braces unless it is a plain identifier.
pub fn print_name(name: &str) -> String {
    self::name(name)
}

fn init(value: Option<bool>) -> &'static str {
    match value {
        None => "",
        Some(true) => " := 1",
        Some(false) => " := 0",
    }
}

/// The words that mean something and are no names.
const WORDS: &[&str] = &[
    "T",
    "F",
    "true",
    "false",
    "_",
    "begin",
    "end",
    "decl",
    "if",
    "then",
    "else",
    "elsif",
    "fi",
    "while",
    "do",
    "od",
    "return",
    "goto",
    "skip",
    "assume",
    "assert",
    "abortif",
    "constrain",
    "enforce",
    "print",
    "dead",
    "void",
    "bool",
    "boolean",
    "dfs",
    "choose",
    "schoose",
    "unknown",
    "thread_local",
    "start_thread",
    "end_thread",
    "atomic_begin",
    "atomic_end",
    "sync",
    "wait",
    "broadcast",
];

/// Whether `text` is a word of the language.
pub(crate) fn is_word(text: &str) -> bool {
    WORDS.contains(&text)
}

/// A name as it must be written: in braces unless it is a plain identifier that is no word of the language.
fn name(text: &str) -> String {
    if is_plain_name(text) && !is_word(text) { text.to_owned() } else { format!("{{{text}}}") }
}

/// A label as it must be written: also numbers are labels, and words of the language where they are.
pub(crate) fn label_name(text: &str) -> String {
    let plain = is_plain_name(text) || text.bytes().all(|b| b.is_ascii_digit());
    if plain { text.to_owned() } else { format!("{{{text}}}") }
}

fn print_proc(program: &Program, id: ProcId, proc: &Proc, out: &mut String) {
    let result = match proc.n_returns {
        0 => "void".to_owned(),
        1 => "bool".to_owned(),
        n => format!("bool<{n}>"),
    };
    let formals: Vec<String> = proc.formals().map(|l| name(&proc.locals[l].name)).collect();
    let _ = writeln!(out, "{result} {}({}) begin", name(&proc.name), formals.join(", "));
    for (_, d) in proc.locals.iter_enumerated().skip(proc.n_formals) {
        let _ = writeln!(out, "  decl {}{};", name(&d.name), init(d.init));
    }
    if let Some(e) = &proc.enforce {
        let _ = writeln!(out, "  enforce {};", print_expr(program, id, e));
    }
    let mut labels = proc.labels.iter().peekable();
    for (at, stmt) in proc.body.iter_enumerated() {
        while let Some((label, _)) = labels.next_if(|(_, s)| *s == at) {
            let _ = writeln!(out, "{}:", label_name(label));
        }
        out.push_str("  ");
        Printer { program, proc: id, out }.stmt(proc, stmt);
        out.push('\n');
    }
    out.push_str("end\n");
}

struct Printer<'a> {
    program: &'a Program,
    proc: ProcId,
    out: &'a mut String,
}

impl Printer<'_> {
    fn var(&mut self, v: Var) {
        let text = name(self.program.var_name(self.proc, v));
        self.out.push_str(&text);
    }

    fn list(&mut self, exprs: &[Expr]) {
        for (i, e) in exprs.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.expr(e);
        }
    }

    fn targets(&mut self, targets: impl Iterator<Item = Option<Var>>) {
        for (i, t) in targets.enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            match t {
                Some(v) => self.var(v),
                None => self.out.push('_'),
            }
        }
    }

    fn stmt(&mut self, proc: &Proc, stmt: &Stmt) {
        let label = |s: StmtId| proc.labels_at(s).next().map_or_else(|| s.to_string(), label_name);
        match &stmt.kind {
            StmtKind::Skip => self.out.push_str("skip"),
            StmtKind::Assign(pairs) => {
                self.targets(pairs.iter().map(|(v, _)| *v));
                self.out.push_str(" := ");
                for (i, (_, e)) in pairs.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.expr(e);
                }
            }
            StmtKind::Assume(e) => self.wrapped("assume(", e, ")"),
            StmtKind::Assert(e) => self.wrapped("assert(", e, ")"),
            StmtKind::Dead(vars) => {
                self.out.push_str("dead ");
                self.targets(vars.iter().map(|v| Some(*v)));
            }
            StmtKind::Print(exprs) => {
                self.out.push_str("print(");
                self.list(exprs);
                self.out.push(')');
            }
            StmtKind::Branch(e, yes, no) => {
                let ending = format!(") then goto {}; else goto {}; fi", label(*yes), label(*no));
                self.wrapped("if (", e, &ending);
            }
            StmtKind::Goto(to) => {
                let names: Vec<String> = to.iter().map(|&s| label(s)).collect();
                let _ = write!(self.out, "goto {}", names.join(", "));
            }
            StmtKind::Call { callee, args, results } => {
                if !results.is_empty() {
                    self.targets(results.iter().copied());
                    self.out.push_str(" := ");
                }
                self.out.push_str(&name(&self.program.procs[*callee].name));
                self.out.push('(');
                self.list(args);
                self.out.push(')');
            }
            StmtKind::Return(exprs) => {
                self.out.push_str("return");
                if !exprs.is_empty() {
                    self.out.push(' ');
                    self.list(exprs);
                }
            }
        }
        if let Some(c) = &stmt.constrain {
            self.wrapped(" constrain (", c, ")");
        }
        self.out.push(';');
    }

    fn wrapped(&mut self, before: &str, e: &Expr, after: &str) {
        self.out.push_str(before);
        self.expr(e);
        self.out.push_str(after);
    }

    /// An operand: in parentheses unless it is atomic. Depth of recursion is the height of the expression.
    fn operand(&mut self, e: &Expr) {
        match e {
            Expr::Const(_) | Expr::Nondet | Expr::Var(_) | Expr::Next(_) | Expr::Not(_) | Expr::Choose(..) => {
                self.expr(e);
            }
            _ => self.wrapped("(", e, ")"),
        }
    }

    fn infix(&mut self, operands: &[&Expr], op: &str) {
        for (i, e) in operands.iter().enumerate() {
            if i > 0 {
                self.out.push_str(op);
            }
            self.operand(e);
        }
    }

    fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Const(b) => self.out.push(if *b { 'T' } else { 'F' }),
            Expr::Nondet => self.out.push('*'),
            Expr::Var(v) => self.var(*v),
            Expr::Next(v) => {
                self.out.push('\'');
                self.var(*v);
            }
            Expr::Not(a) => {
                self.out.push('!');
                self.operand(a);
            }
            Expr::And(_) => self.infix(&e.operands(), " & "),
            Expr::Or(_) => self.infix(&e.operands(), " | "),
            Expr::Xor(..) => self.infix(&e.operands(), " ^ "),
            Expr::Eq(..) => self.infix(&e.operands(), " = "),
            Expr::Implies(..) => self.infix(&e.operands(), " => "),
            Expr::Ite(c, a, b) => {
                self.operand(c);
                self.out.push_str(" ? ");
                self.operand(a);
                self.out.push_str(" : ");
                self.operand(b);
            }
            Expr::Choose(p, n) => {
                self.out.push_str("schoose[");
                self.expr(p);
                self.out.push_str(", ");
                self.expr(n);
                self.out.push(']');
            }
        }
    }
}

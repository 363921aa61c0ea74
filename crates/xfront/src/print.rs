//! Tree to text. What is printed parses to the same tree.

use crate::syntax::*;
use std::fmt::Write;

/// The program as text, in the style of TR00 fig 1.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    for e in &program.enums {
        let values: Vec<&str> = e.values.iter().map(|v| v.text.as_str()).collect();
        _ = writeln!(out, "enum {} {{ {} }};", e.name.text, values.join(", "));
    }
    for g in &program.globals {
        _ = writeln!(out, "{};", declaration(g));
    }
    for proc in &program.procs {
        let params: Vec<String> = proc.params.iter().map(declaration).collect();
        _ = writeln!(out, "{}({}) {{", proc.name.text, params.join("; "));
        for local in &proc.locals {
            _ = writeln!(out, "  {};", declaration(local));
        }
        statements(&mut out, &proc.body, 1);
        out += "}\n";
    }
    out
}

fn declaration(d: &Decl) -> String {
    format!("{}: {}", d.name.text, d.ty.text)
}

fn statements(out: &mut String, body: &[Stmt], depth: usize) {
    let indent = "  ".repeat(depth);
    for stmt in body {
        let label = stmt.label.as_ref().map_or(String::new(), |l| format!("[{}] ", l.text));
        _ = write!(out, "{indent}{label}");
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => {
                _ = writeln!(out, "if ({}) {{", show(cond));
                statements(out, yes, depth + 1);
                if !no.is_empty() {
                    _ = writeln!(out, "{indent}}} else {{");
                    statements(out, no, depth + 1);
                }
                _ = writeln!(out, "{indent}}}");
            }
            StmtKind::While(cond, body) => {
                _ = writeln!(out, "while ({}) {{", show(cond));
                statements(out, body, depth + 1);
                _ = writeln!(out, "{indent}}}");
            }
            kind => _ = writeln!(out, "{};", simple(kind)),
        }
    }
}

fn simple(kind: &StmtKind) -> String {
    let list = |es: &[Expr]| es.iter().map(show).collect::<Vec<_>>().join(", ");
    match kind {
        StmtKind::Skip => "skip".to_owned(),
        StmtKind::Assign(names, values) => {
            let names: Vec<&str> = names.iter().map(|n| n.text.as_str()).collect();
            format!("{} := {}", names.join(", "), list(values))
        }
        StmtKind::Assert(e) => format!("assert({})", show(e)),
        StmtKind::Assume(e) => format!("assume({})", show(e)),
        StmtKind::Call(name, args) => format!("{}({})", name.text, list(args)),
        StmtKind::Return => "return".to_owned(),
        StmtKind::If(..) | StmtKind::While(..) => unreachable!("structured statements are printed over several lines"),
    }
}

/// An expression, with parentheses around every operand that has operators itself.
pub(crate) fn show(e: &Expr) -> String {
    let operand = |e: &Expr| match &e.kind {
        ExprKind::Binary(..) => format!("({})", show(e)),
        _ => show(e),
    };
    match &e.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Bool(true) => "true".to_owned(),
        ExprKind::Bool(false) => "false".to_owned(),
        ExprKind::Unknown => "?".to_owned(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Neg(e) => format!("-{}", operand(e)),
        ExprKind::Not(e) => format!("!{}", operand(e)),
        ExprKind::Binary(op, a, b) => format!("{} {} {}", operand(a), op.text(), operand(b)),
    }
}

//! Expressions of boolean programs as formulas of other tools: each `*` is a variable of its own that may have any value.

use crate::program::{Expr, Var};

/// How a tool writes formulas.
pub(super) trait Notation {
    fn constant(&self, value: bool) -> String;
    fn not(&self, a: String) -> String;
    /// `op` is one of `and`, `or`, `xor`, `=`, `=>`.
    fn joined(&self, op: &'static str, parts: Vec<String>) -> String;
    fn ite(&self, c: String, a: String, b: String) -> String;
}

/// SMT-LIB's.
pub(super) struct Prefix;

impl Notation for Prefix {
    fn constant(&self, value: bool) -> String {
        value.to_string()
    }
    fn not(&self, a: String) -> String {
        format!("(not {a})")
    }
    fn joined(&self, op: &'static str, parts: Vec<String>) -> String {
        format!("({op} {})", parts.join(" "))
    }
    fn ite(&self, c: String, a: String, b: String) -> String {
        format!("(ite {c} {a} {b})")
    }
}

/// SMV's.
pub(super) struct Infix;

impl Notation for Infix {
    fn constant(&self, value: bool) -> String {
        value.to_string().to_uppercase()
    }
    fn not(&self, a: String) -> String {
        format!("!{a}")
    }
    fn joined(&self, op: &'static str, parts: Vec<String>) -> String {
        let op = match op {
            "and" => " & ",
            "or" => " | ",
            "=" => " <-> ",
            "=>" => " -> ",
            other => return format!("({})", parts.join(&format!(" {other} "))),
        };
        format!("({})", parts.join(op))
    }
    fn ite(&self, c: String, a: String, b: String) -> String {
        format!("({c} ? {a} : {b})")
    }
}

/// Names of variables, and of the choices that are made on the way.
pub(super) struct Names<'a> {
    pub(super) old: &'a dyn Fn(Var) -> String,
    pub(super) new: &'a dyn Fn(Var) -> String,
    /// How many choices there were.
    pub(super) choices: usize,
}

/// The formula of an expression.
pub(super) fn formula(e: &Expr, how: &dyn Notation, names: &mut Names<'_>) -> String {
    let choice = |names: &mut Names<'_>| {
        names.choices += 1;
        format!("any{}", names.choices - 1)
    };
    match e {
        Expr::Const(b) => how.constant(*b),
        Expr::Nondet => choice(names),
        Expr::Var(v) => (names.old)(*v),
        Expr::Next(v) => (names.new)(*v),
        Expr::Not(a) => how.not(formula(a, how, names)),
        Expr::And(v) => how.joined("and", v.iter().map(|a| formula(a, how, names)).collect()),
        Expr::Or(v) => how.joined("or", v.iter().map(|a| formula(a, how, names)).collect()),
        Expr::Xor(a, b) => how.joined("xor", vec![formula(a, how, names), formula(b, how, names)]),
        Expr::Eq(a, b) => how.joined("=", vec![formula(a, how, names), formula(b, how, names)]),
        Expr::Implies(a, b) => how.joined("=>", vec![formula(a, how, names), formula(b, how, names)]),
        Expr::Ite(c, a, b) => how.ite(formula(c, how, names), formula(a, how, names), formula(b, how, names)),
        Expr::Choose(p, n) => {
            let (p, n) = (formula(p, how, names), formula(n, how, names));
            let free = choice(names);
            how.joined("or", vec![p, how.joined("and", vec![free, how.not(n)])])
        }
    }
}

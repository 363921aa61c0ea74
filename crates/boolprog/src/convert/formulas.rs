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

/// Whether an expression can have a value in a state: its choices, counted from 0, have some values.
pub(super) fn possible(e: &Expr, value: bool, how: &dyn Notation, read: &dyn Fn(Var) -> String) -> String {
    let mut names = Names { old: read, new: read, choices: 0 };
    let text = formula(e, how, &mut names);
    // More choices than these count as free: then the value is possible.
    if names.choices > 10 {
        return how.constant(true);
    }
    let way = |bits: usize| {
        // Later names first: `any1` is a part of `any10`.
        let chosen = |t: String, i: usize| t.replace(&format!("any{i}"), &how.constant(bits >> i & 1 == 1));
        let text = (0..names.choices).rev().fold(text.clone(), chosen);
        if value { text } else { how.not(text) }
    };
    let mut ways: Vec<String> = (0..1usize << names.choices).map(way).collect();
    if ways.len() == 1 { ways.remove(0) } else { how.joined("or", ways) }
}

//! What the path simulator found, for the boolean program (TR00 §4.3, §4.5): the conditions with their scopes, the annotations,
//! and the program in which symbolic constants are variables.
//!
//! An annotation ⟨l, x = θx⟩ makes `x = θx` true before l and forgets what was known about θx. That is what an assignment `θx := x` there
//! does to predicates, so a program that has it, abstracted as any other, is the paper's B(P, E, A). The paper's reading of F by
//! strongest postconditions is the one by hypotheses: what an `assert` found to hold may be used for what holds after it.

use crate::paths::Path;
use crate::print::show;
use crate::simulate::{defines, simulate, uses};
use crate::syntax::{Decl, Expr, ExprKind, Name, Op, Program, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// Whose variable a predicate becomes in the boolean program (TR00 §4.5).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Everybody's: a condition over symbolic constants alone, or about a global.
    Global,
    /// A formal parameter of this procedure.
    Formal(String),
    /// A local of this procedure.
    Local(String),
}

/// One of the conditions E that the path needs, and its scope.
pub type Condition = (Scope, Expr);

/// E: what store, history and conditions say at the end, invocations of a procedure counted together.
pub fn conditions(path: &Path, steps: &[&Stmt]) -> Vec<Condition> {
    let Some(last) = simulate(steps).pop() else { return Vec::new() };
    let mut out: Vec<Condition> = Vec::new();
    let mut add = |condition: Condition| {
        if !out.contains(&condition) {
            out.push(condition);
        }
    };
    let pairs = last.store.iter().chain(last.history.iter().map(|(x, e)| (x, e)));
    for (x, e) in pairs {
        let origin = path.variables.get(x);
        let name = origin.map_or(x.clone(), |o| o.name.clone());
        let scope = match origin.and_then(|o| o.proc.clone().map(|p| (p, o.formal))) {
            None => Scope::Global,
            Some((proc, true)) => Scope::Formal(proc),
            Some((proc, false)) => Scope::Local(proc),
        };
        let left = Box::new(Expr::new(ExprKind::Name(name), e.span));
        add((scope, Expr::new(ExprKind::Binary(Op::Eq, left, Box::new(e.clone())), e.span)));
    }
    last.conditions.into_iter().for_each(|c| add((Scope::Global, c)));
    out.sort_by(|a, b| a.0.cmp(&b.0));
    out
}

/// A: before which statement (by its index) which variables get their symbolic constants: those that it uses and nothing before it
/// uses or defines (*upex*, TR00 §4.3).
pub fn annotations(steps: &[&Stmt]) -> Vec<(usize, String)> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut out = Vec::new();
    for (i, stmt) in steps.iter().enumerate() {
        for x in uses(stmt) {
            if seen.insert(x.clone()) {
                out.push((i, x));
            }
        }
        seen.extend(defines(stmt).into_iter().map(str::to_owned));
    }
    out
}

/// A program in which the path shows to be infeasible, and the predicates for it as a predicate file.
pub struct Annotated {
    /// The program: `assert` has become `assume`, and where the path ends stands the only `assert(false)`.
    pub program: Program,
    /// The predicates.
    pub predicates: String,
    /// Whether it is the program itself, or the path alone, written out: because it goes round a loop, leaves branches aside, or
    /// an annotation would stand where it passes twice.
    pub whole: bool,
}

/// Writes symbolic constants as variables. `through` says that the path is all of the entry procedure.
pub fn annotated(program: &Program, entry: &str, path: &Path, kept: &[usize], through: bool) -> Annotated {
    let steps: Vec<&Stmt> = kept.iter().map(|&i| &path.steps[i]).collect();
    let marks = annotations(&steps);
    let passes = |i: usize| path.from.iter().filter(|s| **s == path.from[kept[i]]).count();
    let all = kept.len() == path.steps.len();
    let whole = through && all && !path.loops && marks.iter().all(|(i, _)| passes(*i) == 1);
    let constants = Constants::new(path, &marks);
    let mut out = if whole { program.clone() } else { path.frame.clone() };
    let assigned = |x: &str, at: &Stmt, original: bool| {
        let origin = path.variables.get(x).filter(|_| original);
        let read = origin.map_or(x.to_owned(), |o| o.name.clone());
        let target = Name { text: constants.name(x), span: at.span };
        Stmt::new(StmtKind::Assign(vec![target], vec![Expr::new(ExprKind::Name(plain(&read)), at.span)]), at.span)
    };
    if whole {
        for proc in &mut out.procs {
            proc.body = proc
                .body
                .iter()
                .flat_map(|stmt| {
                    let mine = |(i, _): &&(usize, String)| path.from[kept[*i]] == stmt.span;
                    let mut new: Vec<Stmt> = marks.iter().filter(mine).map(|(_, x)| assigned(x, stmt, true)).collect();
                    new.push(assumed(stmt));
                    new
                })
                .collect();
        }
    } else {
        let mut body = Vec::new();
        for (i, stmt) in steps.iter().enumerate() {
            let mine = marks.iter().filter(|(at, _)| *at == i);
            body.extend(mine.map(|(_, x)| assigned(x, stmt, false)));
            body.push(assumed(&plain_statement(stmt)));
        }
        out.procs[0].body = body;
        out.procs[0].locals.iter_mut().for_each(|d| d.name.text = plain(&d.name.text));
    }
    for p in out.procs.iter_mut().filter(|p| p.name.text == entry) {
        let span = p.name.span;
        p.body.push(Stmt::new(StmtKind::Assert(Expr::new(ExprKind::Bool(false), span)), span));
    }
    out.globals.extend(constants.declarations(path, program, &marks));
    let predicates = constants.predicates(entry, path, &steps, whole);
    Annotated { program: out, predicates, whole }
}

/// The names of symbolic constants as variables.
struct Constants {
    names: BTreeMap<String, String>,
}

impl Constants {
    fn new(path: &Path, marks: &[(usize, String)]) -> Constants {
        let mut names = BTreeMap::new();
        for (_, x) in marks {
            let mut name = format!("theta_{}", plain(x));
            while path.variables.keys().any(|taken| plain(taken) == name) {
                name.push('_');
            }
            names.insert(x.clone(), name);
        }
        Constants { names }
    }

    fn name(&self, x: &str) -> String {
        self.names.get(x).cloned().unwrap_or_else(|| plain(x))
    }

    fn declarations(&self, path: &Path, program: &Program, marks: &[(usize, String)]) -> Vec<Decl> {
        let entry = &path.frame.procs[0];
        let all = || program.globals.iter().chain(&entry.params).chain(&entry.locals);
        let of = |x: &str| all().rev().find(|d| d.name.text == x).map(|d| d.ty.clone());
        let declared = marks.iter().filter_map(|(_, x)| {
            let ty = of(x)?;
            Some(Decl { name: Name { text: self.name(x), span: ty.span }, ty })
        });
        declared.collect()
    }

    /// One line for each condition, in C, as predicate files have them.
    fn predicates(&self, entry: &str, path: &Path, steps: &[&Stmt], whole: bool) -> String {
        let mut out = String::new();
        if whole {
            for (scope, e) in conditions(path, steps) {
                let scope = match scope {
                    Scope::Global => "global".to_owned(),
                    Scope::Formal(proc) | Scope::Local(proc) => proc,
                };
                out += &format!("{scope}: {}\n", self.as_c(&e));
            }
            return out;
        }
        let Some(last) = simulate(steps).pop() else { return out };
        let pairs = last.store.into_iter().chain(last.history);
        let mut lines: BTreeSet<String> =
            pairs.map(|(x, e)| format!("{entry}: {} == {}\n", plain(&x), self.as_c(&e))).collect();
        lines.extend(last.conditions.iter().map(|c| format!("{entry}: {}\n", self.as_c(c))));
        lines.into_iter().collect()
    }

    fn as_c(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Name(n) => match n.strip_prefix('θ') {
                Some(x) => self.name(x),
                None => plain(n),
            },
            ExprKind::Neg(a) => format!("-({})", self.as_c(a)),
            ExprKind::Not(a) => format!("!({})", self.as_c(a)),
            ExprKind::Binary(op, a, b) => {
                let op = match op {
                    Op::Or => "||",
                    Op::And => "&&",
                    Op::Eq => "==",
                    op => op.text(),
                };
                let operand = |e: &Expr| match e.kind {
                    ExprKind::Binary(..) => format!("({})", self.as_c(e)),
                    _ => self.as_c(e),
                };
                format!("{} {op} {}", operand(a), operand(b))
            }
            ExprKind::Bool(b) => u8::from(*b).to_string(),
            ExprKind::Int(_) | ExprKind::Unknown => show(e),
        }
    }
}

/// A name that X has: `b.2` is written `b_2`.
fn plain(name: &str) -> String {
    name.replace('.', "_")
}

fn plain_expression(e: &Expr) -> Expr {
    let inner = |e: &Expr| Box::new(plain_expression(e));
    let kind = match &e.kind {
        ExprKind::Name(n) => ExprKind::Name(plain(n)),
        ExprKind::Neg(a) => ExprKind::Neg(inner(a)),
        ExprKind::Not(a) => ExprKind::Not(inner(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, inner(a), inner(b)),
        kind => kind.clone(),
    };
    Expr::new(kind, e.span)
}

fn plain_statement(stmt: &Stmt) -> Stmt {
    let kind = match &stmt.kind {
        StmtKind::Assign(names, values) => {
            let names = names.iter().map(|n| Name { text: plain(&n.text), span: n.span }).collect();
            StmtKind::Assign(names, values.iter().map(plain_expression).collect())
        }
        StmtKind::Assert(e) => StmtKind::Assert(plain_expression(e)),
        StmtKind::Assume(e) => StmtKind::Assume(plain_expression(e)),
        kind => kind.clone(),
    };
    Stmt::new(kind, stmt.span)
}

/// TR00's `assert` is a condition of the path.
fn assumed(stmt: &Stmt) -> Stmt {
    match &stmt.kind {
        StmtKind::Assert(e) => Stmt { label: stmt.label.clone(), kind: StmtKind::Assume(e.clone()), span: stmt.span },
        _ => stmt.clone(),
    }
}

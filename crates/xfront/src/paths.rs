//! Paths of X programs as statements one after the other (TR00 §4.2, §4.5).
//!
//! A path is chosen by the labels that it passes; a procedure without branches is a path by itself. What a branch needs is a
//! condition of the path. A call becomes a parallel assignment to the formal parameters, and every invocation has
//! parameters and locals of its own: `b.2` is `b` in the second one. So loops are unrolled and calls inlined as often as the path
//! goes through them.

use crate::syntax::{Decl, Expr, ExprKind, Name, Proc, Program, Stmt, StmtKind};
use base::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The most statements of a path.
const LONGEST: usize = 10_000;

/// Where a variable of a path comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its name in the program.
    pub name: String,
    /// The procedure whose variable it is; `None` for globals.
    pub proc: Option<String>,
    /// Whether it is a formal parameter.
    pub formal: bool,
}

/// A path.
#[derive(Clone, Debug)]
pub struct Path {
    /// Its statements: assignments, assertions and assumptions.
    pub steps: Vec<Stmt>,
    /// For each of them, where the statement stands that it comes from.
    pub from: Vec<Span>,
    /// Its variables.
    pub variables: BTreeMap<String, Origin>,
    /// Whether the same statement of one invocation stands twice on it: the path goes round a loop.
    pub loops: bool,
    /// A program whose entry has the variables of the path; its body is empty.
    pub frame: Program,
}

/// The path from the start of `proc` past these labels, to the last of them; without labels to the end, if no branch is on the way.
pub fn path(program: &Program, proc: &str, labels: Option<&[String]>) -> Result<Path, String> {
    let entry = program.procs.iter().find(|p| p.name.text == proc).ok_or("there is no such procedure")?;
    let mut frame = Program { procs: Vec::new(), ..program.clone() };
    frame.procs.push(Proc { body: Vec::new(), ..entry.clone() });
    let mut variables = BTreeMap::new();
    for g in &program.globals {
        variables.insert(g.name.text.clone(), Origin { name: g.name.text.clone(), proc: None, formal: false });
    }
    let path = Path { steps: Vec::new(), from: Vec::new(), variables, loops: false, frame };
    let mut walk = Walk { program, labels, at: 0, invoked: BTreeMap::new(), seen: BTreeSet::new(), calls: 0, path };
    let scope = walk.enter(entry);
    let end = walk.body(&entry.body, &scope)?;
    if let (Some(labels), End::Falls | End::Returns) = (labels, end)
        && walk.at < labels.len()
    {
        return Err(format!("the path ends before [{}]", labels[walk.at]));
    }
    Ok(walk.path)
}

/// An invocation of a procedure.
struct Scope<'p> {
    proc: &'p Proc,
    number: usize,
    /// The names of its parameters and locals on the path.
    renamed: BTreeMap<&'p str, String>,
}

/// How statements end.
enum End {
    Falls,
    Returns,
    /// All labels are passed.
    Over,
}

struct Walk<'p> {
    program: &'p Program,
    labels: Option<&'p [String]>,
    at: usize,
    /// How often each procedure was entered.
    invoked: BTreeMap<&'p str, usize>,
    seen: BTreeSet<(usize, u32, u32)>,
    calls: usize,
    path: Path,
}

impl<'p> Walk<'p> {
    /// Begins an invocation; the first one of the entry keeps its names.
    fn enter(&mut self, proc: &'p Proc) -> Scope<'p> {
        let number = self.calls;
        self.calls += 1;
        let invocation = self.invoked.entry(proc.name.text.as_str()).or_default();
        *invocation += 1;
        let invocation = *invocation;
        let mut renamed = BTreeMap::new();
        for (i, d) in proc.params.iter().chain(&proc.locals).enumerate() {
            let name = if number == 0 { d.name.text.clone() } else { format!("{}.{invocation}", d.name.text) };
            let origin =
                Origin { name: d.name.text.clone(), proc: Some(proc.name.text.clone()), formal: i < proc.params.len() };
            if number != 0 {
                let decl = Decl { name: Name { text: name.clone(), span: d.name.span }, ty: d.ty.clone() };
                self.path.frame.procs[0].locals.push(decl);
            }
            self.path.variables.insert(name.clone(), origin);
            renamed.insert(d.name.text.as_str(), name);
        }
        Scope { proc, number, renamed }
    }

    fn body(&mut self, body: &'p [Stmt], scope: &Scope<'p>) -> Result<End, String> {
        for stmt in body {
            match self.statement(stmt, scope)? {
                End::Falls => {}
                end => return Ok(end),
            }
        }
        Ok(End::Falls)
    }

    /// Whether all labels are passed.
    fn over(&self) -> bool {
        self.labels.is_some_and(|l| self.at == l.len())
    }

    fn statement(&mut self, stmt: &'p Stmt, scope: &Scope<'p>) -> Result<End, String> {
        if let (Some(labels), Some(label)) = (self.labels, &stmt.label) {
            let wanted = &labels[self.at];
            if *wanted != label.text {
                return Err(format!(
                    "after {} statements comes [{}], not [{wanted}]",
                    self.path.steps.len(),
                    label.text
                ));
            }
            self.at += 1;
        }
        let end = match &stmt.kind {
            StmtKind::Skip => End::Falls,
            StmtKind::Return => End::Returns,
            StmtKind::Assert(e) | StmtKind::Assume(e) => {
                let e = renamed(e, scope);
                let asserts = matches!(stmt.kind, StmtKind::Assert(_));
                self.push(if asserts { StmtKind::Assert(e) } else { StmtKind::Assume(e) }, stmt.span, scope)?;
                End::Falls
            }
            StmtKind::Assign(names, values) => {
                let names = names.iter().map(|n| Name { text: name(&n.text, scope), span: n.span }).collect();
                let values = values.iter().map(|e| renamed(e, scope)).collect();
                self.push(StmtKind::Assign(names, values), stmt.span, scope)?;
                End::Falls
            }
            StmtKind::If(..) | StmtKind::While(..) if self.over() => End::Over,
            StmtKind::If(cond, yes, no) => {
                let way = self.way(yes, no)?;
                self.condition(cond, way, stmt.span, scope)?;
                self.body(if way { yes } else { no }, scope)?
            }
            StmtKind::While(cond, inner) => self.rounds(stmt, cond, inner, scope)?,
            StmtKind::Call(callee, args) => self.call(callee, args, stmt.span, scope)?,
        };
        Ok(if self.over() { End::Over } else { end })
    }

    fn rounds(&mut self, stmt: &'p Stmt, cond: &Expr, inner: &'p [Stmt], scope: &Scope<'p>) -> Result<End, String> {
        loop {
            let again = self.way(inner, &[])?;
            self.condition(cond, again, stmt.span, scope)?;
            if !again {
                return Ok(End::Falls);
            }
            match self.body(inner, scope)? {
                End::Falls if self.over() => return Ok(End::Over),
                End::Falls => {}
                end => return Ok(end),
            }
            // The loop's own label may be given again for each round.
            if let (Some(labels), Some(own)) = (self.labels, &stmt.label)
                && labels[self.at] == own.text
            {
                self.at += 1;
                if self.over() {
                    return Ok(End::Over);
                }
            }
        }
    }

    fn call(&mut self, callee: &Name, args: &[Expr], span: Span, scope: &Scope<'p>) -> Result<End, String> {
        let found = self.program.procs.iter().find(|p| p.name.text == callee.text);
        let proc = found.ok_or_else(|| format!("there is no procedure `{}`", callee.text))?;
        let values: Vec<Expr> = args.iter().map(|e| renamed(e, scope)).collect();
        let inner = self.enter(proc);
        let names = proc.params.iter().map(|d| Name { text: name(&d.name.text, &inner), span: d.name.span });
        let names: Vec<Name> = names.collect();
        if !names.is_empty() {
            self.push(StmtKind::Assign(names, values), span, scope)?;
        }
        if self.over() {
            return Ok(End::Over);
        }
        Ok(match self.body(&proc.body, &inner)? {
            End::Over => End::Over,
            End::Falls | End::Returns => End::Falls,
        })
    }

    /// Whether the next label stands in the first of two bodies, or in the second.
    fn way(&self, yes: &[Stmt], no: &[Stmt]) -> Result<bool, String> {
        let Some(labels) = self.labels else {
            return Err("there are branches: labels have to say which way the path goes".to_owned());
        };
        let next = &labels[self.at];
        let labels_of = |body: &[Stmt]| {
            let mut out = BTreeSet::new();
            self.labels_in(body, &mut BTreeSet::new(), &mut out);
            out
        };
        let (yes, no) = (labels_of(yes), labels_of(no));
        match (yes.contains(next), no.contains(next)) {
            (true, _) => Ok(true),
            (false, true) => Ok(false),
            // The label comes later: the way without labels was taken.
            (false, false) if !yes.is_empty() && no.is_empty() => Ok(false),
            (false, false) if yes.is_empty() && !no.is_empty() => Ok(true),
            _ => Err(format!("which way a branch before [{next}] goes does not follow from the labels")),
        }
    }

    fn labels_in(&self, body: &[Stmt], procs: &mut BTreeSet<String>, out: &mut BTreeSet<String>) {
        for stmt in body {
            out.extend(stmt.label.iter().map(|l| l.text.clone()));
            match &stmt.kind {
                StmtKind::If(_, yes, no) => {
                    self.labels_in(yes, procs, out);
                    self.labels_in(no, procs, out);
                }
                StmtKind::While(_, inner) => self.labels_in(inner, procs, out),
                StmtKind::Call(callee, _) if procs.insert(callee.text.clone()) => {
                    let found = self.program.procs.iter().find(|p| p.name.text == callee.text);
                    found.into_iter().for_each(|p| self.labels_in(&p.body, procs, out));
                }
                _ => {}
            }
        }
    }

    fn condition(&mut self, cond: &Expr, way: bool, span: Span, scope: &Scope<'p>) -> Result<(), String> {
        if cond.kind == ExprKind::Unknown {
            return Ok(());
        }
        let cond = renamed(cond, scope);
        self.push(StmtKind::Assume(if way { cond } else { cond.negated() }), span, scope)
    }

    fn push(&mut self, kind: StmtKind, span: Span, scope: &Scope<'p>) -> Result<(), String> {
        if self.path.steps.len() == LONGEST {
            return Err(format!("the path in `{}` has more than {LONGEST} statements", scope.proc.name.text));
        }
        self.path.loops |= !self.seen.insert((scope.number, span.lo, span.hi));
        self.path.steps.push(Stmt::new(kind, span));
        self.path.from.push(span);
        Ok(())
    }
}

fn name(name: &str, scope: &Scope<'_>) -> String {
    scope.renamed.get(name).cloned().unwrap_or_else(|| name.to_owned())
}

fn renamed(e: &Expr, scope: &Scope<'_>) -> Expr {
    let inner = |e: &Expr| Box::new(renamed(e, scope));
    let kind = match &e.kind {
        ExprKind::Name(n) => ExprKind::Name(name(n, scope)),
        ExprKind::Neg(a) => ExprKind::Neg(inner(a)),
        ExprKind::Not(a) => ExprKind::Not(inner(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, inner(a), inner(b)),
        kind => kind.clone(),
    };
    Expr::new(kind, e.span)
}

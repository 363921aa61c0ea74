//! Replacing statements by lists of statements.
//!
//! In a list, a target below [`LOCAL`] is a statement of the old body and stands for the start of what replaces it;
//! [`local`]`(k)` is the k-th statement of the list itself, and the one after its last is where control would fall to.

use crate::program::{Expr, LocalId, Proc, Stmt, StmtId, StmtKind, Var, VarDecl};
use base::{Id, IndexVec};

const LOCAL: usize = 1 << 30;

/// The k-th statement of the list that is being made.
pub(super) fn local(k: usize) -> StmtId {
    StmtId::from_index(LOCAL + k)
}

/// Temporaries of one procedure, shared by all its statements.
#[derive(Default)]
pub(super) struct Temporaries {
    made: Vec<LocalId>,
    in_use: usize,
}

impl Temporaries {
    /// One that this statement does not use yet.
    pub(super) fn take(&mut self, locals: &mut IndexVec<LocalId, VarDecl>) -> Var {
        if self.in_use == self.made.len() {
            let taken = |name: &str| locals.iter().any(|d| d.name == name);
            let mut name = format!("tmp{}", self.in_use);
            while taken(&name) {
                name.push('_');
            }
            self.made.push(locals.push(VarDecl::new(name)));
        }
        self.in_use += 1;
        Var::Local(self.made[self.in_use - 1])
    }

    /// The next statement may use all of them again.
    pub(super) fn release(&mut self) {
        self.in_use = 0;
    }

    /// Sets those in use back to false; nothing if there are none.
    pub(super) fn reset(&self) -> Option<Stmt> {
        let pairs: Vec<_> =
            self.made[..self.in_use].iter().map(|&l| (Some(Var::Local(l)), Expr::Const(false))).collect();
        if pairs.is_empty() { None } else { Some(Stmt::new(StmtKind::Assign(pairs))) }
    }
}

/// Puts `replace(statement)` in the place of every statement, and `before` in front of all.
pub(super) fn rebuild(
    proc: &mut Proc,
    before: Vec<Stmt>,
    mut replace: impl FnMut(&mut IndexVec<LocalId, VarDecl>, Stmt) -> Vec<Stmt>,
) {
    let old = std::mem::take(&mut proc.body);
    let mut lists: Vec<Vec<Stmt>> = Vec::with_capacity(old.len());
    for stmt in old {
        let span = stmt.span;
        let mut list = replace(&mut proc.locals, stmt);
        list.iter_mut().for_each(|s| s.span = s.span.or(span));
        lists.push(list);
    }
    let mut starts = Vec::with_capacity(lists.len());
    let mut n = before.len();
    for list in &lists {
        starts.push(n);
        n += list.len();
    }
    proc.body = before.into_iter().collect();
    for (list, &start) in lists.into_iter().zip(&starts) {
        let moved = |t: StmtId| {
            let i = t.index();
            StmtId::from_index(if i >= LOCAL { start + i - LOCAL } else { starts[i] })
        };
        for mut stmt in list {
            match &mut stmt.kind {
                StmtKind::Goto(to) => to.iter_mut().for_each(|t| *t = moved(*t)),
                StmtKind::Branch(_, yes, no) => (*yes, *no) = (moved(*yes), moved(*no)),
                _ => {}
            }
            proc.body.push(stmt);
        }
    }
    for (_, at) in &mut proc.labels {
        *at = StmtId::from_index(starts[at.index()]);
    }
}

impl Stmt {
    /// Changes the expressions of the statement, the constraint included.
    pub fn map_exprs(&mut self, change: &mut dyn FnMut(Expr) -> Expr) {
        let mut each = |e: &mut Expr| {
            let old = std::mem::replace(e, Expr::Const(true));
            *e = change(old);
        };
        match &mut self.kind {
            StmtKind::Skip | StmtKind::Dead(_) | StmtKind::Goto(_) => {}
            StmtKind::Assign(pairs) => pairs.iter_mut().for_each(|(_, e)| each(e)),
            StmtKind::Assume(e) | StmtKind::Assert(e) | StmtKind::Branch(e, ..) => each(e),
            StmtKind::Print(v) | StmtKind::Return(v) => v.iter_mut().for_each(&mut each),
            StmtKind::Call { args, .. } => args.iter_mut().for_each(&mut each),
        }
        if let Some(c) = &mut self.constrain {
            each(c);
        }
    }
}

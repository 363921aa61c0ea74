//! Statement-wise equivalence of two boolean programs modulo `enforce`.
//!
//! Two programs are equivalent when they have the same globals, procedures, formals, locals and labels (by name), their
//! statements pair up in order, and each pair has the same relation on the states that both `enforce`s keep. (The papers
//! print functions without the unsatisfiable cubes that their definitions contain, and several optimisations are equal
//! only on satisfiable valuations.) The programs' `enforce`s themselves are not compared.

use crate::expr::Reader;
use crate::reachability::Unknown;
use crate::space::{Role, Space};
use bdd::{Bdd, Capacity, OutOfNodes};
use boolprog::{Expr, Proc, ProcId, Program, StmtId, StmtKind, Var};

/// Where two programs differ first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The declarations of globals differ.
    Globals,
    /// A procedure is there in one program only, or its interface, locals or labels differ.
    Procedure(String),
    /// The statements have different shapes: kinds, targets, callees or the number of statements.
    Shape(String, StmtId),
    /// The statements' relations differ; a pair of states that only one of them has, as (variable, old, new).
    Relation {
        /// The procedure.
        proc: String,
        /// The statement.
        at: StmtId,
        /// Which program has the pair: the first or the second.
        only_in_first: bool,
        /// The variables with their old and new values (a returned value or an argument has no old one).
        witness: Vec<(String, Option<bool>, Option<bool>)>,
    },
    /// The comparison ran out of something.
    Unknown(Unknown),
}

impl From<OutOfNodes> for Difference {
    fn from(e: OutOfNodes) -> Difference {
        Difference::Unknown(e.into())
    }
}

/// Compares `a` and `b`; both must be valid.
pub fn equiv(a: &Program, b: &Program) -> Result<(), Difference> {
    let names = |p: &Program| p.globals.iter().cloned().collect::<Vec<_>>();
    if names(a) != names(b) {
        return Err(Difference::Globals);
    }
    let space = Space::new(a, Capacity { nodes: 1 << 22, cache: 1 << 14 })?;
    for (pa, proc_a) in a.procs.iter_enumerated() {
        let missing = || Difference::Procedure(proc_a.name.clone());
        let pb = b.find_proc(&proc_a.name).ok_or_else(missing)?;
        let proc_b = &b.procs[pb];
        let interface = |p: &Proc| (p.locals.clone(), p.n_formals, p.n_returns, sorted_labels(p));
        if interface(proc_a) != interface(proc_b) {
            return Err(missing());
        }
        let pair = Pair { a, b, pa, proc_a, proc_b, space: &space };
        let longest = proc_a.body.len().max(proc_b.body.len());
        for at in (0..longest).map(base::Id::from_index) {
            pair.stmt(at)?;
        }
    }
    match b.procs.iter().find(|p| a.find_proc(&p.name).is_none()) {
        Some(p) => Err(Difference::Procedure(p.name.clone())),
        None => Ok(()),
    }
}

/// Labels by place; names that the printer makes up for jump targets do not count.
fn sorted_labels(p: &Proc) -> Vec<(String, StmtId)> {
    let made_up = |n: &str| n.strip_prefix('s').is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()));
    let mut labels: Vec<_> = p.labels.iter().filter(|(n, _)| !made_up(n)).cloned().collect();
    labels.sort_unstable();
    labels
}

struct Pair<'a> {
    a: &'a Program,
    b: &'a Program,
    pa: ProcId,
    proc_a: &'a Proc,
    proc_b: &'a Proc,
    space: &'a Space,
}

impl Pair<'_> {
    fn stmt(&self, at: StmtId) -> Result<(), Difference> {
        let shape = || Difference::Shape(self.proc_a.name.clone(), at);
        let (Some(sa), Some(sb)) = (self.proc_a.body.get(at), self.proc_b.body.get(at)) else { return Err(shape()) };
        let same_shape = match (&sa.kind, &sb.kind) {
            (StmtKind::Goto(x), StmtKind::Goto(y)) => x == y,
            (StmtKind::Branch(_, x1, x2), StmtKind::Branch(_, y1, y2)) => (x1, x2) == (y1, y2),
            (StmtKind::Call { callee: x, results: rx, .. }, StmtKind::Call { callee: y, results: ry, .. }) => {
                self.a.procs[*x].name == self.b.procs[*y].name && rx == ry
            }
            (StmtKind::Return(_), StmtKind::Return(_)) => true,
            // What does not touch control is compared by what it does.
            (x, y) => {
                x.falls_through() && y.falls_through() && is_assert(x) == is_assert(y) && is_call(x) == is_call(y)
            }
        };
        if !same_shape {
            return Err(shape());
        }
        for (ra, rb) in self.relations(at, true)?.into_iter().zip(self.relations(at, false)?) {
            let m = &self.space.manager;
            for (more, less, first) in [(&ra, &rb, true), (&rb, &ra, false)] {
                if let Some(picked) = m.pick(&m.diff(more, less)?) {
                    return Err(self.witness(at, first, &picked));
                }
            }
        }
        Ok(())
    }

    fn witness(&self, at: StmtId, only_in_first: bool, picked: &[(usize, bool)]) -> Difference {
        let value = |v: usize| picked.iter().find(|p| p.0 == v).map(|p| p.1);
        let vars = self.a.scope(self.pa).map(|v| {
            let name = self.a.var_name(self.pa, v).to_owned();
            let at = |role| value(self.space.index(self.pa, v, role));
            (name, at(Role::Now), at(Role::Next))
        });
        let proc = self.proc_a.name.clone();
        Difference::Relation {
            proc,
            at,
            only_in_first,
            witness: vars.filter(|w| w.1.is_some() || w.2.is_some()).collect(),
        }
    }

    /// The relations of the statement, one per way control can go, on the states that both `enforce`s keep. Values passed
    /// or returned are in `Passed` of the slots.
    fn relations(&self, at: StmtId, first: bool) -> Result<Vec<Bdd>, OutOfNodes> {
        let m = &self.space.manager;
        let proc = if first { self.proc_a } else { self.proc_b };
        let stmt = &proc.body[at];
        let now = |v: Var| self.space.var(self.pa, v, Role::Now);
        let next = |v: Var| self.space.var(self.pa, v, Role::Next);
        let reader = Reader { manager: m, old: &now, new: &next, within: m.top() };
        let mut keeps = m.top();
        for e in [&self.proc_a.enforce, &self.proc_b.enforce].into_iter().flatten() {
            keeps = m.and(&keeps, &Reader { manager: m, old: &now, new: &now, within: m.top() }.poss(e)?.yes)?;
            keeps = m.and(&keeps, &Reader { manager: m, old: &next, new: &next, within: m.top() }.poss(e)?.yes)?;
        }
        if let Some(c) = &stmt.constrain {
            keeps = m.and(&keeps, &reader.poss(c)?.yes)?;
        }
        let written = stmt.kind.written();
        let call = matches!(stmt.kind, StmtKind::Call { .. });
        for v in self.a.scope(self.pa).filter(|v| !written.contains(v)) {
            // What a call does to the globals is its callee's affair.
            if !(call && matches!(v, Var::Global(_))) {
                keeps = m.and(&keeps, &m.iff(&now(v), &next(v))?)?;
            }
        }
        let values = |exprs: &[Expr]| -> Result<Bdd, OutOfNodes> {
            let mut all = m.top();
            for (k, e) in exprs.iter().enumerate() {
                all = m.and(&all, &reader.takes(&m.var(self.space.returned(k, Role::Passed)), e)?)?;
            }
            Ok(all)
        };
        let ways = match &stmt.kind {
            StmtKind::Skip | StmtKind::Print(_) | StmtKind::Dead(_) | StmtKind::Goto(_) => vec![m.top()],
            StmtKind::Assume(e) => vec![reader.poss(e)?.yes],
            StmtKind::Assert(e) | StmtKind::Branch(e, ..) => {
                let p = reader.poss(e)?;
                vec![p.yes, p.no]
            }
            StmtKind::Assign(pairs) => {
                let mut all = m.top();
                for (v, e) in pairs {
                    if let Some(v) = v {
                        all = m.and(&all, &reader.takes(&next(*v), e)?)?;
                    }
                }
                vec![all]
            }
            StmtKind::Call { args, .. } => vec![values(args)?],
            StmtKind::Return(exprs) => vec![values(exprs)?],
        };
        ways.into_iter().map(|w| m.and(&w, &keeps)).collect()
    }
}

fn is_assert(k: &StmtKind) -> bool {
    matches!(k, StmtKind::Assert(_))
}

fn is_call(k: &StmtKind) -> bool {
    matches!(k, StmtKind::Call { .. })
}

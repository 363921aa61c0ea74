//! What a statement does to a set of states.
//!
//! [`Transfer`] is the seam between the search and the meaning of statements: [`Compiled`] reads `boolprog` statements;
//! another implementation may compute the relation of a large block on demand. Calls and returns are not asked for: they
//! belong to the search.

use crate::expr::{Reader, many_variables};
use crate::space::{Role, Space};
use base::sabotage::{Fault, active};
use bdd::{Bdd, OutOfNodes};
use boolprog::{Expr, Proc, ProcId, Program, StmtId, StmtKind, Var};
use rustc_hash::FxHashMap;

/// An edge of a procedure's control flow that is neither call nor return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId {
    /// The procedure.
    pub proc: ProcId,
    /// The statement executed.
    pub stmt: StmtId,
    /// Where control goes.
    pub to: StmtId,
}

/// A set of transitions of one edge.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The variables that may change; all others keep their values.
    pub written: Vec<Var>,
    /// The transitions. Old values are in [`Role::Now`]; new values of written variables are in [`Role::Next`] if `primed`,
    /// otherwise in [`Role::Now`] too, which is possible where no old value of a written variable is read.
    pub pairs: Bdd,
    /// See `pairs`.
    pub primed: bool,
    /// Whether `pairs` holds the transitions from all states; then the edge is not asked for again.
    pub total: bool,
}

/// Why a relation could not be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransferError {
    /// The diagrams ran out of nodes.
    OutOfNodes,
    /// The implementation gave up, with its reason.
    GaveUp(String),
}

impl From<OutOfNodes> for TransferError {
    fn from(_: OutOfNodes) -> TransferError {
        TransferError::OutOfNodes
    }
}

/// The meaning of edges. An implementation is asked only for states it was not asked for before on that edge, and its
/// answers are never revised; it must respect `constrain` and the owner's `enforce`.
pub trait Transfer {
    /// The transitions of `edge` from the states `from` (over [`Role::Now`]); more may be returned.
    fn image(&mut self, space: &Space, edge: EdgeId, from: &Bdd) -> Result<Relation, TransferError>;
}

/// The meaning of `boolprog` statements. One value serves one [`Space`].
#[derive(Debug)]
pub struct Compiled<'p> {
    program: &'p Program,
    /// What has been found out about a procedure's `enforce`.
    enforced: FxHashMap<ProcId, Option<Enforced>>,
}

/// An `enforce` as a function of the state now.
#[derive(Clone, Debug)]
struct Enforced {
    now: Bdd,
    vars: Vec<Var>,
}

impl<'p> Compiled<'p> {
    /// The statements of `program`.
    pub fn new(program: &'p Program) -> Compiled<'p> {
        Compiled { program, enforced: FxHashMap::default() }
    }

    /// The `enforce` of `proc`; computed once, for it can be large and every assignment needs it.
    fn enforced(&mut self, space: &Space, proc: ProcId) -> Result<Option<Enforced>, OutOfNodes> {
        if let Some(known) = self.enforced.get(&proc) {
            return Ok(known.clone());
        }
        let now = |v: Var| space.var(proc, v, Role::Now);
        let found = enforce(self.program, space, proc, &now)?.map(|now| {
            let own = self.program.procs[proc].enforce.iter().flat_map(Expr::vars);
            // A seeded fault may have put more into it than the procedure's own.
            let vars = if active(Fault::EnforceTooStrong) { self.program.scope(proc).collect() } else { own.collect() };
            Enforced { now, vars }
        });
        self.enforced.insert(proc, found.clone());
        Ok(found)
    }
}

impl Transfer for Compiled<'_> {
    fn image(&mut self, space: &Space, edge: EdgeId, _from: &Bdd) -> Result<Relation, TransferError> {
        let enforced = self.enforced(space, edge.proc)?;
        Ok(compile(self.program, space, edge, enforced.as_ref())?)
    }
}

/// The `enforce` of `proc` over the values in `role_of`.
pub(crate) fn enforce(
    program: &Program,
    space: &Space,
    proc: ProcId,
    value: &dyn Fn(Var) -> Bdd,
) -> Result<Option<Bdd>, OutOfNodes> {
    let reader = Reader { manager: &space.manager, old: value, new: value, within: space.manager.top() };
    let mut out = None;
    if let Some(e) = &program.procs[proc].enforce {
        out = Some(reader.poss(e)?.yes);
    }
    if active(Fault::EnforceTooStrong)
        && proc != program.entry
        && let Some(e) = &program.procs[program.entry].enforce
    {
        let known = |v: Var| match v {
            Var::Global(_) => value(v),
            Var::Local(_) => space.manager.bot(),
        };
        let wrong =
            Reader { manager: &space.manager, old: &known, new: &known, within: space.manager.top() }.poss(e)?.yes;
        out = Some(match out {
            Some(o) => space.manager.and(&o, &wrong)?,
            None => wrong,
        });
    }
    Ok(out)
}

fn compile(
    program: &Program,
    space: &Space,
    edge: EdgeId,
    enforced: Option<&Enforced>,
) -> Result<Relation, OutOfNodes> {
    let proc = &program.procs[edge.proc];
    let stmt = &proc.body[edge.stmt];
    let m = &space.manager;
    let mut written = stmt.kind.written();
    written.sort_unstable();
    written.dedup();
    let primed = reads_written(proc, edge.stmt, &written);
    let now = |v: Var| space.var(edge.proc, v, Role::Now);
    let after = |v: Var| {
        let role = if primed && written.contains(&v) { Role::Next } else { Role::Now };
        space.var(edge.proc, v, role)
    };
    let exprs = stmt.kind.exprs().into_iter().chain(&stmt.constrain);
    let within = enforced.filter(|_| many_variables(exprs)).map(|e| e.now.clone());
    let reader = Reader { manager: m, old: &now, new: &after, within: within.unwrap_or_else(|| m.top()) };
    let mut pairs = match &stmt.kind {
        StmtKind::Skip | StmtKind::Print(_) | StmtKind::Goto(_) | StmtKind::Dead(_) => m.top(),
        StmtKind::Assume(e) | StmtKind::Assert(e) => reader.poss(e)?.yes,
        StmtKind::Branch(e, yes, no) => {
            let p = reader.poss(e)?;
            let mut way = m.bot();
            if *yes == edge.to {
                way = m.or(&way, &p.yes)?;
            }
            if *no == edge.to {
                way = m.or(&way, &p.no)?;
            }
            way
        }
        StmtKind::Assign(list) => {
            let mut all = m.top();
            for (target, e) in list {
                if let Some(v) = target {
                    all = m.and(&all, &reader.takes(&after(*v), e)?)?;
                }
            }
            all
        }
        StmtKind::Call { .. } | StmtKind::Return(_) => unreachable!("calls and returns belong to the search"),
    };
    if let Some(c) = &stmt.constrain {
        let wrong = Reader { manager: m, old: &now, new: &now, within: m.top() };
        let reader = if active(Fault::ConstrainReadsOld) { wrong } else { reader };
        pairs = m.and(&pairs, &reader.poss(c)?.yes)?;
    }
    // The old state satisfies `enforce`; the new one need be asked only if something changed that it speaks of.
    if let Some(e) = enforced.filter(|e| written.iter().any(|v| e.vars.contains(v))) {
        let holds = if primed {
            let moved = written.iter().copied().filter(|v| e.vars.contains(v));
            m.rename(&e.now, &space.shift(edge.proc, moved, Role::Now, Role::Next))?
        } else {
            e.now.clone()
        };
        pairs = m.and(&pairs, &holds)?;
    }
    Ok(Relation { written, pairs, primed, total: true })
}

/// Whether the statement reads the old value of a variable that it writes.
fn reads_written(proc: &Proc, at: StmtId, written: &[Var]) -> bool {
    let stmt = &proc.body[at];
    let reads = |e: &Expr| e.vars().iter().any(|v| written.contains(v));
    stmt.kind.exprs().into_iter().any(reads) || stmt.constrain.as_ref().is_some_and(reads)
}

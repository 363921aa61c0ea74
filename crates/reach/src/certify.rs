//! Checks that the sets of a finished search are closed: that they contain the initial states and everything that any
//! statement, call or return makes of what they contain.
//!
//! Written without the operations of the search: no image, no quantification, no frontier. Each rule is one implication
//! over whole transitions, whose frame is spelled out, and holds iff a conjunction is empty.

use crate::expr::Reader;
use crate::machine::first;
use crate::reachability::{Reachability, Unknown};
use crate::space::{Role, Space};
use bdd::{Bdd, OutOfNodes, Rename};
use boolprog::interp::Goal;
use boolprog::{ProcId, StmtId, StmtKind, Var};

/// A rule that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotClosed {
    /// An initial state is missing.
    Initial,
    /// A transition of this statement leads out of the sets.
    Step(ProcId, StmtId),
    /// A state that this call enters its callee with is missing.
    Entry(ProcId, StmtId),
    /// What this return hands back is missing in the summary.
    Summary(ProcId, StmtId),
    /// What this call can come back with is missing.
    Return(ProcId, StmtId),
    /// This statement changes a global that its procedure is said not to touch.
    Frame(ProcId, StmtId),
    /// A target that was reported as unreached is in the sets.
    Target(ProcId, StmtId),
    /// The check itself ran out of something, or the search had stopped early.
    Unknown(Option<Unknown>),
}

impl From<OutOfNodes> for NotClosed {
    fn from(e: OutOfNodes) -> NotClosed {
        NotClosed::Unknown(Some(e.into()))
    }
}

impl Reachability<'_> {
    /// Checks that the sets are closed under every statement and that no target is in them but those reported. Only for
    /// searches with the meaning of `boolprog` statements.
    pub fn certify(&self) -> Result<(), NotClosed> {
        if !self.is_complete() {
            return Err(NotClosed::Unknown(None));
        }
        let c = Checker { analysis: self, space: &self.machine.space };
        c.frames()?;
        c.initial()?;
        for (p, proc) in self.program.procs.iter_enumerated() {
            for (s, stmt) in proc.body.iter_enumerated() {
                if self.sets.reached[p][s].is_false() {
                    continue;
                }
                self.machine.space.manager.maintain()?;
                match &stmt.kind {
                    StmtKind::Call { callee, .. } => c.call(p, s, *callee)?,
                    StmtKind::Return(_) => c.ret(p, s)?,
                    _ => {
                        for to in proc.successors(s) {
                            c.step(p, s, to)?;
                        }
                    }
                }
            }
        }
        for &t in self.targets() {
            let (Goal::At(p, s) | Goal::Fails(p, s)) = t;
            let inside = match t {
                Goal::At(..) => self.reaches(p, s),
                Goal::Fails(..) => self.can_fail(p, s).map_err(|e| NotClosed::Unknown(Some(e)))?,
            };
            if inside != self.hit().contains(&t) {
                return Err(NotClosed::Target(p, s));
            }
        }
        Ok(())
    }
}

struct Checker<'a> {
    analysis: &'a Reachability<'a>,
    space: &'a Space,
}

type Checked = Result<(), NotClosed>;

impl Checker<'_> {
    fn reached(&self, p: ProcId, s: StmtId) -> &Bdd {
        &self.analysis.sets.reached[p][s]
    }

    fn empty(&self, set: &Bdd, outside: &Bdd, otherwise: NotClosed) -> Checked {
        if self.space.manager.is_subset(set, outside)? { Ok(()) } else { Err(otherwise) }
    }

    fn enforce(&self, p: ProcId, value: &dyn Fn(Var) -> Bdd) -> Result<Bdd, OutOfNodes> {
        let m = &self.space.manager;
        match &self.analysis.program.procs[p].enforce {
            Some(e) => Ok(Reader { manager: m, old: value, new: value, within: m.top() }.poss(e)?.yes),
            None => Ok(m.top()),
        }
    }

    /// Everything that can be true when `p` starts, given globals and formals over `Now`.
    fn started(&self, p: ProcId, given: &Bdd) -> Result<Bdd, OutOfNodes> {
        let (m, program) = (&self.space.manager, self.analysis.program);
        let now = |v: Var| self.space.var(p, v, Role::Now);
        let mut set = m.and(given, &self.enforce(p, &now)?)?;
        for (l, d) in program.procs[p].locals.iter_enumerated() {
            if let Some(b) = d.init {
                set = m.and(&set, &m.literal(self.space.index(p, Var::Local(l), Role::Now), b)?)?;
            }
        }
        if self.analysis.machine.info[p].keep_entry {
            for v in program.globals.ids().map(Var::Global).chain(program.procs[p].formals().map(Var::Local)) {
                set = m.and(&set, &m.iff(&self.space.var(p, v, Role::Entry), &now(v))?)?;
            }
        }
        Ok(set)
    }

    fn frame(&self, p: ProcId) -> &[Var] {
        &self.analysis.machine.info[p].frame
    }

    /// What a procedure is said not to touch is written neither by it nor by anything it calls.
    fn frames(&self) -> Checked {
        for (p, proc) in self.analysis.program.procs.iter_enumerated() {
            for (s, stmt) in proc.body.iter_enumerated() {
                let mut written = stmt.kind.written();
                if let StmtKind::Call { callee, .. } = stmt.kind {
                    written.extend(self.frame(callee));
                }
                let outside = |v: &Var| matches!(v, Var::Global(_)) && !self.frame(p).contains(v);
                if written.iter().any(outside) {
                    return Err(NotClosed::Frame(p, s));
                }
            }
        }
        Ok(())
    }

    fn initial(&self) -> Checked {
        let (m, program) = (&self.space.manager, self.analysis.program);
        let mut given = m.top();
        for (g, d) in program.globals.iter_enumerated() {
            if let Some(b) = d.init {
                let v = self.space.index(program.entry, Var::Global(g), Role::Now);
                given = m.and(&given, &m.literal(v, b)?)?;
            }
        }
        let set = self.started(program.entry, &given)?;
        self.empty(&set, self.reached(program.entry, first()), NotClosed::Initial)
    }

    fn step(&self, p: ProcId, s: StmtId, to: StmtId) -> Checked {
        let (m, program) = (&self.space.manager, self.analysis.program);
        let stmt = &program.procs[p].body[s];
        let now = |v: Var| self.space.var(p, v, Role::Now);
        let next = |v: Var| self.space.var(p, v, Role::Next);
        let reader = Reader { manager: m, old: &now, new: &next, within: self.reached(p, s).clone() };
        let mut way = match &stmt.kind {
            StmtKind::Assume(e) | StmtKind::Assert(e) => reader.poss(e)?.yes,
            StmtKind::Branch(e, yes, no) => {
                let c = reader.poss(e)?;
                let yes = if *yes == to { c.yes } else { m.bot() };
                let no = if *no == to { c.no } else { m.bot() };
                m.or(&yes, &no)?
            }
            _ => m.top(),
        };
        way = m.and(&way, self.reached(p, s))?;
        let written = stmt.kind.written();
        if let StmtKind::Assign(pairs) = &stmt.kind {
            for (v, e) in pairs {
                if let Some(v) = v {
                    let value = reader.poss(e)?;
                    let fits = m.or(&m.and(&next(*v), &value.yes)?, &m.and(&m.not(&next(*v))?, &value.no)?)?;
                    way = m.and(&way, &fits)?;
                }
            }
        }
        for v in program.scope(p).filter(|v| !written.contains(v)) {
            way = m.and(&way, &m.iff(&now(v), &next(v))?)?;
        }
        if let Some(c) = &stmt.constrain {
            way = m.and(&way, &reader.poss(c)?.yes)?;
        }
        way = m.and(&way, &self.enforce(p, &next)?)?;
        let shift = self.space.shift(p, program.scope(p), Role::Now, Role::Next);
        let target = m.rename(self.reached(p, to), &shift)?;
        self.empty(&way, &target, NotClosed::Step(p, s))
    }

    fn call(&self, p: ProcId, s: StmtId, callee: ProcId) -> Checked {
        let (m, program) = (&self.space.manager, self.analysis.program);
        let stmt = &program.procs[p].body[s];
        let StmtKind::Call { args, results, .. } = &stmt.kind else { unreachable!("only calls come here") };
        let now = |v: Var| self.space.var(p, v, Role::Now);
        let reader = Reader { manager: m, old: &now, new: &now, within: self.reached(p, s).clone() };
        // Entering: the callee's formals in `Next` and its globals as they are; then everything else is forgotten, which
        // is the one quantification here, and the start of the callee must be reached.
        let mut passed = self.reached(p, s).clone();
        let mut before = self.reached(p, s).clone();
        for (l, e) in program.procs[callee].formals().zip(args) {
            let value = reader.poss(e)?;
            let formal = |role| self.space.var(callee, Var::Local(l), role);
            passed = m.and(&passed, &m.ite(&formal(Role::Next), &value.yes, &value.no)?)?;
            before = m.and(&before, &m.ite(&formal(Role::Passed), &value.yes, &value.no)?)?;
        }
        let interface = || program.globals.ids().map(Var::Global).chain(program.procs[p].formals().map(Var::Local));
        let locals = program.procs[p].locals.ids().map(Var::Local);
        let others = interface()
            .map(|v| self.space.index(p, v, Role::Entry))
            .chain(locals.map(|v| self.space.index(p, v, Role::Now)));
        let passed = m.exists(&passed, &m.var_set(others)?)?;
        let formals = program.procs[callee].formals().map(Var::Local);
        let passed = m.rename(&passed, &self.space.shift(callee, formals, Role::Next, Role::Now))?;
        self.empty(&self.started(callee, &passed)?, self.reached(callee, first()), NotClosed::Entry(p, s))?;
        // Returning: the state after the call is spread over the summary's exit globals, the returned values and the
        // caller's own locals; the set at the return point is asked at exactly those.
        let place = |v: Var| match results.iter().position(|r| *r == Some(v)) {
            Some(k) => self.space.returned(k, Role::Next),
            None => self.space.index(p, v, if self.frame(callee).contains(&v) { Role::Next } else { Role::Now }),
        };
        let after = |v: Var| m.var(place(v));
        let mut way = m.and(&before, &self.analysis.sets.summaries[callee])?;
        if let Some(c) = &stmt.constrain {
            way = m.and(&way, &Reader { manager: m, old: &now, new: &after, within: m.top() }.poss(c)?.yes)?;
        }
        way = m.and(&way, &self.enforce(p, &after)?)?;
        let moved = Rename::new(program.scope(p).map(|v| (self.space.index(p, v, Role::Now), place(v))));
        let target = m.rename(self.reached(p, s.next()), &moved)?;
        self.empty(&way, &target, NotClosed::Return(p, s))
    }

    fn ret(&self, p: ProcId, s: StmtId) -> Checked {
        if !self.analysis.machine.info[p].keep_entry {
            return Ok(());
        }
        let (m, program) = (&self.space.manager, self.analysis.program);
        let stmt = &program.procs[p].body[s];
        let StmtKind::Return(exprs) = &stmt.kind else { unreachable!("only returns come here") };
        let now = |v: Var| self.space.var(p, v, Role::Now);
        let reader = Reader { manager: m, old: &now, new: &now, within: self.reached(p, s).clone() };
        let mut way = self.reached(p, s).clone();
        for (k, e) in exprs.iter().enumerate() {
            let value = reader.poss(e)?;
            way = m.and(&way, &m.ite(&m.var(self.space.returned(k, Role::Next)), &value.yes, &value.no)?)?;
        }
        if let Some(c) = &stmt.constrain {
            way = m.and(&way, &reader.poss(c)?.yes)?;
        }
        for v in program.globals.ids().map(Var::Global) {
            way = m.and(&way, &m.iff(&now(v), &self.space.var(p, v, Role::Next))?)?;
        }
        let globals = program.globals.ids().map(Var::Global).map(|v| (v, Role::Now));
        let formals = program.procs[p].formals().map(Var::Local).map(|v| (v, Role::Passed));
        let back =
            globals.chain(formals).map(|(v, r)| (self.space.index(p, v, r), self.space.index(p, v, Role::Entry)));
        let summary = m.rename(&self.analysis.sets.summaries[p], &Rename::new(back))?;
        self.empty(&way, &summary, NotClosed::Summary(p, s))
    }
}

//! What a search may forget: variables that are not read any more, and globals that a procedure does not touch.
//!
//! *Touched*: the globals that a procedure or anything it calls reads or writes. A callee's path edges and summaries speak
//! of those only; the caller keeps the others. *Live*: backward over all procedures. What is live after a return is what is
//! live after some call of the procedure; a call reads what its callee's start reads. What `enforce` mentions is read
//! everywhere in its procedure.

use base::sabotage::{Fault, active};
use base::{Id, IndexVec};
use boolprog::{Expr, GlobalId, Proc, ProcId, Program, StmtId, StmtKind, Var};

/// A set of small numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    fn new(n: usize) -> Bits {
        Bits(vec![0; n.div_ceil(64)])
    }

    pub(crate) fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    /// Adds all of `other`; says whether anything was new.
    fn extend(&mut self, other: &Bits) -> bool {
        let mut grown = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            grown |= *b & !*a != 0;
            *a |= b;
        }
        grown
    }
}

/// Which procedures are called by some statement.
pub(crate) fn called(program: &Program) -> IndexVec<ProcId, bool> {
    let mut called = IndexVec::filled(false, program.procs.len());
    for stmt in program.procs.iter().flat_map(|p| p.body.iter()) {
        if let StmtKind::Call { callee, .. } = stmt.kind {
            called[callee] = true;
        }
    }
    called
}

/// The globals that each procedure touches.
pub(crate) fn touched(program: &Program) -> IndexVec<ProcId, Bits> {
    closed_over_calls(program, |proc, add| {
        proc.enforce.iter().flat_map(Expr::vars).for_each(&mut *add);
        for stmt in &proc.body {
            stmt.kind.written().into_iter().for_each(&mut *add);
            stmt.kind.exprs().into_iter().flat_map(Expr::vars).for_each(&mut *add);
            stmt.constrain.iter().flat_map(|c| [c.vars(), c.next_vars()].concat()).for_each(&mut *add);
        }
    })
}

/// The globals that `own` adds for each procedure, with those of all that it calls.
pub(crate) fn closed_over_calls(program: &Program, own: impl Fn(&Proc, &mut dyn FnMut(Var))) -> IndexVec<ProcId, Bits> {
    let mut sets: IndexVec<ProcId, Bits> = IndexVec::filled(Bits::new(program.globals.len()), program.procs.len());
    for (p, proc) in program.procs.iter_enumerated() {
        own(proc, &mut |v| {
            if let Var::Global(g) = v {
                sets[p].insert(g.index());
            }
        });
    }
    let callers = callers(program);
    let mut work: Vec<ProcId> = program.procs.ids().collect();
    while let Some(p) = work.pop() {
        let own = sets[p].clone();
        for &c in &callers[p] {
            if sets[c].extend(&own) {
                work.push(c);
            }
        }
    }
    sets
}

/// The procedures that call each procedure, one entry per call.
fn callers(program: &Program) -> IndexVec<ProcId, Vec<ProcId>> {
    let mut callers: IndexVec<ProcId, Vec<ProcId>> = IndexVec::filled(Vec::new(), program.procs.len());
    for (p, proc) in program.procs.iter_enumerated() {
        for stmt in &proc.body {
            if let StmtKind::Call { callee, .. } = stmt.kind {
                callers[callee].push(p);
            }
        }
    }
    callers
}

/// The variables live before each statement of each procedure; a set member is a [`number`].
pub(crate) type Live = IndexVec<ProcId, IndexVec<StmtId, Bits>>;

/// The number of `v` in sets: globals first.
pub(crate) fn number(program: &Program, v: Var) -> usize {
    match v {
        Var::Global(g) => g.index(),
        Var::Local(l) => program.globals.len() + l.index(),
    }
}

struct Liveness<'a> {
    program: &'a Program,
    touched: &'a IndexVec<ProcId, Bits>,
    live: Live,
    /// Globals live after a return of each procedure.
    at_exit: IndexVec<ProcId, Bits>,
    /// What each procedure's `enforce` reads.
    always: IndexVec<ProcId, Bits>,
    callers: IndexVec<ProcId, Vec<ProcId>>,
}

pub(crate) fn live(program: &Program, touched: &IndexVec<ProcId, Bits>) -> Live {
    let size = |p: &Proc| program.globals.len() + p.locals.len();
    let always = program.procs.iter().map(|p| {
        let mut bits = Bits::new(size(p));
        p.enforce.iter().flat_map(Expr::vars).for_each(|v| bits.insert(number(program, v)));
        bits
    });
    let mut l = Liveness {
        program,
        touched,
        always: always.collect(),
        live: program.procs.iter().map(|p| IndexVec::filled(Bits::new(size(p)), p.body.len())).collect(),
        at_exit: IndexVec::filled(Bits::new(program.globals.len()), program.procs.len()),
        callers: callers(program),
    };
    let mut work: std::collections::BTreeSet<ProcId> = program.procs.ids().collect();
    while let Some(p) = work.pop_first() {
        l.procedure(p, &mut work);
    }
    l.live
}

impl Liveness<'_> {
    fn procedure(&mut self, p: ProcId, work: &mut std::collections::BTreeSet<ProcId>) {
        let proc = &self.program.procs[p];
        let start = StmtId::from_index(0);
        let before = self.live[p][start].clone();
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..proc.body.len()).rev().map(StmtId::from_index) {
                let now = self.before(p, proc, at);
                changed |= self.live[p][at].extend(&now);
            }
        }
        if self.live[p][start] != before {
            work.extend(&self.callers[p]);
        }
        for (at, stmt) in proc.body.iter_enumerated() {
            let StmtKind::Call { callee, results, .. } = &stmt.kind else { continue };
            let mut after = self.globals(&self.live[p][at.next()]);
            for v in results.iter().flatten() {
                if let Var::Global(g) = v {
                    after.remove(g.index());
                }
            }
            if let Some(c) = &stmt.constrain {
                c.next_vars().into_iter().for_each(|v| self.insert_global(&mut after, v));
            }
            if self.at_exit[*callee].extend(&after) {
                work.insert(*callee);
            }
        }
    }

    fn insert_global(&self, bits: &mut Bits, v: Var) {
        if let Var::Global(g) = v {
            bits.insert(g.index());
        }
    }

    fn globals(&self, bits: &Bits) -> Bits {
        let mut out = Bits::new(self.program.globals.len());
        (0..self.program.globals.len()).filter(|&g| bits.has(g)).for_each(|g| out.insert(g));
        out
    }

    fn before(&self, p: ProcId, proc: &Proc, at: StmtId) -> Bits {
        let stmt = &proc.body[at];
        let mut now = self.always[p].clone();
        for s in proc.successors(at) {
            now.extend(&self.live[p][s]);
        }
        let written = stmt.kind.written();
        let number = |v: Var| number(self.program, v);
        written.iter().for_each(|&v| now.remove(number(v)));
        let all_globals = 0..self.program.globals.len();
        match &stmt.kind {
            StmtKind::Call { callee, .. } => {
                let start = &self.live[*callee][StmtId::from_index(0)];
                for g in all_globals {
                    if self.touched[*callee].has(g) {
                        now.remove(g);
                    }
                    if start.has(g) {
                        now.insert(g);
                    }
                }
            }
            StmtKind::Return(_) => all_globals.filter(|&g| self.at_exit[p].has(g)).for_each(|g| now.insert(g)),
            _ => {}
        }
        stmt.kind.exprs().into_iter().flat_map(Expr::vars).for_each(|v| now.insert(number(v)));
        if let Some(c) = &stmt.constrain {
            c.vars().into_iter().for_each(|v| now.insert(number(v)));
            let forgotten = active(Fault::DeadBeforeConstrain);
            let kept = c.next_vars().into_iter().filter(|v| !written.contains(v) && !forgotten);
            kept.for_each(|v| now.insert(number(v)));
        }
        now.extend(&self.always[p]);
        now
    }
}

/// The globals in `bits`.
pub(crate) fn globals_of(program: &Program, bits: &Bits) -> Vec<Var> {
    program.globals.ids().filter(|g: &GlobalId| bits.has(g.index())).map(Var::Global).collect()
}

/// All globals.
pub(crate) fn every_global(program: &Program) -> Bits {
    let mut bits = Bits::new(program.globals.len());
    (0..program.globals.len()).for_each(|g| bits.insert(g));
    bits
}

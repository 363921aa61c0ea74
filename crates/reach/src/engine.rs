//! The fixpoint: path edges at every statement, worked off by frontiers.
//!
//! Callees are worked off before their callers and each procedure in reverse postorder, so that a summary is nearly
//! complete when the caller goes on and most statements are visited once per loop.

use crate::analysis::Unknown;
use crate::live::{live, number, touched};
use crate::machine::{Machine, first};
use crate::space::Role;
use crate::transfer::{EdgeId, Transfer};
use base::sabotage::{Fault, active};
use base::{Budget, Id, IndexVec};
use bdd::{Bdd, OutOfNodes, VarSet};
use boolprog::{ProcId, Program, StmtId, StmtKind};
use std::collections::BTreeSet;

/// The sets of a search, finished or not.
pub(crate) struct Sets {
    /// Path edges before each statement.
    pub(crate) reached: IndexVec<ProcId, IndexVec<StmtId, Bdd>>,
    /// Entry states of each procedure, over `Now`.
    pub(crate) entries: IndexVec<ProcId, Bdd>,
    /// Summaries of each procedure, in the form in which calls use them.
    pub(crate) summaries: IndexVec<ProcId, Bdd>,
}

pub(crate) struct Engine<'a, 'p> {
    pub(crate) machine: &'a mut Machine<'p>,
    transfer: &'a mut dyn Transfer,
    pub(crate) sets: Sets,
    delta: IndexVec<ProcId, IndexVec<StmtId, Bdd>>,
    work: BTreeSet<(u32, u32, ProcId, StmtId)>,
    rank: IndexVec<ProcId, u32>,
    order: IndexVec<ProcId, IndexVec<StmtId, u32>>,
    callers: IndexVec<ProcId, Vec<(ProcId, StmtId)>>,
    /// Variables not read any more before each statement; empty without restriction.
    dead: IndexVec<ProcId, IndexVec<StmtId, VarSet>>,
    pub(crate) budget: Budget,
}

impl<'a, 'p> Engine<'a, 'p> {
    pub(crate) fn new(
        machine: &'a mut Machine<'p>,
        transfer: &'a mut dyn Transfer,
        restrict: bool,
        budget: Budget,
    ) -> Result<Engine<'a, 'p>, OutOfNodes> {
        let program = machine.program;
        let bot = machine.space.manager.bot();
        let empty = || -> IndexVec<ProcId, IndexVec<StmtId, Bdd>> {
            program.procs.iter().map(|p| IndexVec::filled(bot.clone(), p.body.len())).collect()
        };
        let mut callers: IndexVec<ProcId, Vec<(ProcId, StmtId)>> = IndexVec::filled(Vec::new(), program.procs.len());
        for (p, proc) in program.procs.iter_enumerated() {
            for (s, stmt) in proc.body.iter_enumerated() {
                if let StmtKind::Call { callee, .. } = stmt.kind {
                    callers[callee].push((p, s));
                }
            }
        }
        let mut dead: IndexVec<ProcId, IndexVec<StmtId, VarSet>> =
            program.procs.iter().map(|_| IndexVec::new()).collect();
        if restrict {
            let live = live(program, &touched(program));
            for (p, proc) in program.procs.iter_enumerated() {
                for s in proc.body.ids() {
                    let gone = program.scope(p).filter(|&v| !live[p][s].has(number(program, v)));
                    let set = machine.space.set(p, gone, Role::Now)?;
                    dead[p].push(set);
                }
            }
        }
        let n = program.procs.len();
        let sets = Sets {
            reached: empty(),
            entries: IndexVec::filled(bot.clone(), n),
            summaries: IndexVec::filled(bot.clone(), n),
        };
        let order = program.procs.iter().map(statement_order).collect();
        let (rank, delta, work) = (callee_first(program), empty(), BTreeSet::new());
        Ok(Engine { machine, transfer, sets, delta, work, rank, order, callers, dead, budget })
    }

    /// Runs until nothing is new, or `stop` says so after a statement got new path edges.
    pub(crate) fn run(
        &mut self,
        stop: &mut dyn FnMut(&Machine<'p>, ProcId, StmtId, &Bdd) -> bool,
    ) -> Result<(), Unknown> {
        let entry = self.machine.program.entry;
        let initial = self.machine.initial()?;
        self.add_entry(entry, &initial)?;
        while let Some((_, _, proc, at)) = self.work.pop_first() {
            self.budget.spend(1).map_err(Unknown::Steps)?;
            self.machine.space.manager.maintain()?;
            let bot = self.machine.space.manager.bot();
            let delta = std::mem::replace(&mut self.delta[proc][at], bot);
            if stop(self.machine, proc, at, &delta) {
                return Ok(());
            }
            self.expand(proc, at, &delta)?;
        }
        Ok(self.machine.space.manager.maintain()?)
    }

    fn expand(&mut self, proc: ProcId, at: StmtId, delta: &Bdd) -> Result<(), Unknown> {
        match &self.machine.program.procs[proc].body[at].kind {
            StmtKind::Call { callee, .. } => {
                let callee = *callee;
                let entered = self.machine.enter(proc, at, delta)?;
                self.add_entry(callee, &entered)?;
                let summary = self.sets.summaries[callee].clone();
                if !summary.is_false() {
                    let after = self.machine.join(proc, at, delta, &summary)?;
                    self.add(proc, at.next(), &after)?;
                }
            }
            StmtKind::Return(_) => {
                if self.machine.info[proc].keep_entry {
                    let found = self.machine.summarise(proc, at, delta)?;
                    self.add_summary(proc, &found)?;
                }
            }
            _ => {
                for to in self.machine.program.procs[proc].successors(at) {
                    let edge = EdgeId { proc, stmt: at, to };
                    let image = self.machine.image(self.transfer, edge, delta)?;
                    self.add(proc, to, &image)?;
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, proc: ProcId, at: StmtId, set: &Bdd) -> Result<(), OutOfNodes> {
        if set.is_false() {
            return Ok(());
        }
        let m = &self.machine.space.manager;
        let set = match self.dead[proc].get(at) {
            Some(dead) => m.exists(set, dead)?,
            None => set.clone(),
        };
        let reached = &mut self.sets.reached[proc][at];
        let new = m.diff(&set, reached)?;
        if new.is_false() {
            return Ok(());
        }
        *reached = m.or(reached, &new)?;
        let delta = &mut self.delta[proc][at];
        *delta = m.or(delta, &new)?;
        self.work.insert((self.rank[proc], self.order[proc][at], proc, at));
        Ok(())
    }

    fn add_entry(&mut self, proc: ProcId, entered: &Bdd) -> Result<(), OutOfNodes> {
        let m = &self.machine.space.manager;
        let new = m.diff(entered, &self.sets.entries[proc])?;
        if new.is_false() || active(Fault::EntryNotRevisited) && !self.sets.entries[proc].is_false() {
            return Ok(());
        }
        self.sets.entries[proc] = m.or(&self.sets.entries[proc], &new)?;
        let begin = self.machine.begin(proc, &new)?;
        self.add(proc, first(), &begin)
    }

    /// A new summary wakes every call that has been reached; calls still waiting will see it anyway.
    fn add_summary(&mut self, proc: ProcId, found: &Bdd) -> Result<(), OutOfNodes> {
        let m = &self.machine.space.manager;
        let new = m.diff(found, &self.sets.summaries[proc])?;
        if new.is_false() {
            return Ok(());
        }
        self.sets.summaries[proc] = m.or(&self.sets.summaries[proc], &new)?;
        if active(Fault::SummaryNotRepropagated) && self.sets.summaries[proc] != new {
            return Ok(());
        }
        for i in 0..self.callers[proc].len() {
            let (caller, at) = self.callers[proc][i];
            let from = self.sets.reached[caller][at].clone();
            if !from.is_false() {
                let after = self.machine.join(caller, at, &from, &new)?;
                self.add(caller, at.next(), &after)?;
            }
        }
        Ok(())
    }
}

/// Numbers procedures in postorder of the call graph: callees get smaller numbers than their callers, cycles apart.
fn callee_first(program: &Program) -> IndexVec<ProcId, u32> {
    let callees = |p: ProcId| -> Vec<ProcId> {
        let calls = program.procs[p].body.iter().filter_map(|s| match s.kind {
            StmtKind::Call { callee, .. } => Some(callee),
            _ => None,
        });
        calls.collect()
    };
    let mut rank = IndexVec::filled(u32::MAX, program.procs.len());
    let mut next = 0;
    let mut seen = IndexVec::filled(false, program.procs.len());
    let mut stack = vec![(program.entry, callees(program.entry), 0)];
    seen[program.entry] = true;
    while let Some((p, list, i)) = stack.last_mut() {
        if let Some(&c) = list.get(*i) {
            *i += 1;
            if !seen[c] {
                seen[c] = true;
                stack.push((c, callees(c), 0));
            }
        } else {
            rank[*p] = next;
            next += 1;
            stack.pop();
        }
    }
    rank
}

/// Numbers statements in reverse postorder of the control flow.
fn statement_order(proc: &boolprog::Proc) -> IndexVec<StmtId, u32> {
    let n = proc.body.len();
    let mut order = IndexVec::filled(u32::MAX, n);
    let mut seen = IndexVec::filled(false, n);
    let mut next = n as u32;
    let mut stack = vec![(first(), proc.successors(first()), 0)];
    seen[first()] = true;
    while let Some((at, list, i)) = stack.last_mut() {
        if let Some(&s) = list.get(*i) {
            *i += 1;
            if s.index() < n && !seen[s] {
                seen[s] = true;
                stack.push((s, proc.successors(s), 0));
            }
        } else {
            next -= 1;
            order[*at] = next;
            stack.pop();
        }
    }
    order
}

//! The fixpoint: path edges at every statement, worked off by frontiers.
//!
//! Callees are worked off before their callers and each procedure in reverse postorder, so that a summary is nearly
//! complete when the caller goes on and most statements are visited once per loop.

use crate::entries::hull;
use crate::live::{live, number, touched};
use crate::machine::{Machine, first};
use crate::reachability::{Options, Target, Unknown};
use crate::space::Role;
use crate::transfer::{EdgeId, Transfer};
use base::sabotage::{Fault, active};
use base::{Budget, Id, IndexVec};
use bdd::{Bdd, OutOfNodes, VarSet};
use boolprog::interp::Goal;
use boolprog::{ProcId, Program, StmtId, StmtKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The sets of a search, finished or not.
pub(crate) struct Sets {
    /// Path edges before each statement.
    pub(crate) reached: IndexVec<ProcId, IndexVec<StmtId, Bdd>>,
    /// Entry states of each procedure, over `Now`; during a search possibly more than executions have.
    pub(crate) entries: IndexVec<ProcId, Bdd>,
    /// Summaries of each procedure, in the form in which calls use them.
    pub(crate) summaries: IndexVec<ProcId, Bdd>,
}

/// How a search ended.
pub(crate) struct Ending {
    /// The targets reached.
    pub(crate) hit: Vec<Target>,
    /// Whether it stopped before everything was known.
    pub(crate) stopped: bool,
}

/// The number of arrivals of new entry states from which on a procedure's entry states are widened to their hull.
const ARRIVALS_EXACT: u32 = 1;

pub(crate) struct Tabulation<'a, 'p> {
    pub(crate) machine: &'a mut Machine<'p>,
    transfer: &'a mut dyn Transfer,
    pub(crate) sets: Sets,
    delta: IndexVec<ProcId, IndexVec<StmtId, Bdd>>,
    work: BTreeSet<(u32, u32, ProcId, StmtId)>,
    pub(crate) rank: IndexVec<ProcId, u32>,
    order: IndexVec<ProcId, IndexVec<StmtId, u32>>,
    callers: IndexVec<ProcId, Vec<(ProcId, StmtId)>>,
    /// The calls in each procedure.
    pub(crate) calls: IndexVec<ProcId, Vec<(StmtId, ProcId)>>,
    /// How often each procedure got new entry states; none are counted when entries are never widened.
    arrivals: Option<IndexVec<ProcId, u32>>,
    /// Whether entry states have been taken in that may be none of any execution.
    pub(crate) widened: bool,
    /// Variables not read any more before each statement; empty without restriction.
    dead: IndexVec<ProcId, IndexVec<StmtId, VarSet>>,
    pub(crate) budget: Budget,
    max_work: u64,
}

impl<'a, 'p> Tabulation<'a, 'p> {
    pub(crate) fn new(
        machine: &'a mut Machine<'p>,
        transfer: &'a mut dyn Transfer,
        options: &Options,
    ) -> Result<Tabulation<'a, 'p>, OutOfNodes> {
        let program = machine.program;
        let bot = machine.space.manager.bot();
        let empty = || -> IndexVec<ProcId, IndexVec<StmtId, Bdd>> {
            program.procs.iter().map(|p| IndexVec::filled(bot.clone(), p.body.len())).collect()
        };
        let mut callers: IndexVec<ProcId, Vec<(ProcId, StmtId)>> = IndexVec::filled(Vec::new(), program.procs.len());
        let mut calls: IndexVec<ProcId, Vec<(StmtId, ProcId)>> = IndexVec::filled(Vec::new(), program.procs.len());
        for (p, proc) in program.procs.iter_enumerated() {
            for (s, stmt) in proc.body.iter_enumerated() {
                if let StmtKind::Call { callee, .. } = stmt.kind {
                    callers[callee].push((p, s));
                    calls[p].push((s, callee));
                }
            }
        }
        let mut dead: IndexVec<ProcId, IndexVec<StmtId, VarSet>> =
            program.procs.iter().map(|_| IndexVec::new()).collect();
        if options.restrict {
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
        let arrivals = options.enlarge_entries.then(|| IndexVec::filled(0, n));
        let budget = Budget::new("visits of statements", options.max_steps);
        let widened = false;
        Ok(Tabulation {
            machine,
            transfer,
            sets,
            delta,
            work,
            rank,
            order,
            callers,
            calls,
            arrivals,
            widened,
            dead,
            budget,
            max_work: options.max_work,
        })
    }

    /// Runs until nothing is new and cuts the sets to what executions reach, or stops when a target is reached and
    /// `stop_at_first` asks for it. The targets reached come in the order in which they were met.
    pub(crate) fn run(&mut self, targets: &[Target], stop_at_first: bool) -> Result<Ending, Unknown> {
        let mut by_place: FxHashMap<(ProcId, StmtId), Vec<Target>> = FxHashMap::default();
        for &t in targets {
            let (Goal::At(p, s) | Goal::Fails(p, s)) = t;
            by_place.entry((p, s)).or_default().push(t);
        }
        let mut met: Vec<Target> = Vec::new();
        // Whether a target is really reached is looked at when the first one is met, then ever more rarely.
        let (mut n_met, mut look_at) = (0u64, 1);
        let entry = self.machine.program.entry;
        let initial = self.machine.initial()?;
        self.add_entry(entry, &initial)?;
        while let Some((_, _, proc, at)) = self.work.pop_first() {
            self.budget.spend(1).map_err(Unknown::Steps)?;
            self.machine.space.manager.maintain()?;
            self.machine.visit(self.max_work)?;
            let bot = self.machine.space.manager.bot();
            let delta = std::mem::replace(&mut self.delta[proc][at], bot);
            for &t in by_place.get(&(proc, at)).into_iter().flatten() {
                if self.machine.meets(t, &delta)? {
                    n_met += 1;
                    if !met.contains(&t) {
                        met.push(t);
                    }
                }
            }
            if stop_at_first && n_met >= look_at {
                look_at = n_met * 2;
                let hit = self.really(&met)?;
                if !hit.is_empty() {
                    self.settle()?;
                    return Ok(Ending { hit, stopped: true });
                }
            }
            self.expand(proc, at, &delta)?;
        }
        self.machine.space.manager.maintain()?;
        let hit = self.really(&met)?;
        self.settle()?;
        Ok(Ending { hit, stopped: false })
    }

    /// Those of the targets met that executions reach.
    fn really(&mut self, met: &[Target]) -> Result<Vec<Target>, OutOfNodes> {
        if !self.widened || met.is_empty() {
            return Ok(met.to_vec());
        }
        let real = self.real_entries()?;
        let mut hit = Vec::new();
        for &t in met {
            let (Goal::At(p, s) | Goal::Fails(p, s)) = t;
            let part = self.machine.at_entry(p, &real[p])?;
            let set = self.machine.space.manager.and(&self.sets.reached[p][s], &part)?;
            if self.machine.meets(t, &set)? {
                hit.push(t);
            }
        }
        Ok(hit)
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
        let mut new = m.diff(entered, &self.sets.entries[proc])?;
        if new.is_false() || active(Fault::EntryNotRevisited) && !self.sets.entries[proc].is_false() {
            return Ok(());
        }
        if let Some(n) = self.arrivals.as_mut().map(|all| &mut all[proc]) {
            *n += 1;
            if *n >= ARRIVALS_EXACT && self.machine.info[proc].keep_entry {
                let around = hull(m, &m.or(&self.sets.entries[proc], &new)?, self.machine.interface(proc))?;
                let more = m.diff(&around, &self.sets.entries[proc])?;
                self.widened |= more != new;
                new = more;
            }
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

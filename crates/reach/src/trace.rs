//! Shortest traces, as a second pass after the fixpoint.
//!
//! Every reached entry starts at length 0, whatever it took to get there. Path edges get their distance from the entry of
//! their activation, layer by layer; a call costs 2 (the call and the return) plus the length of its summary (Knuth's
//! generalisation of Dijkstra's algorithm to grammars). Then the distance of each entry from the start of the program is
//! found in the same way over calls that do not return. The trace is read off backwards. Among equally short traces the
//! one through the lowest statement numbers and, where free, false values is taken.
//!
//! Procedures whose activations stay open on every trace ([`crate::spine`]) have no entry part: they are searched from the start of
//! the program on, and their distances count from there.

mod extract;

use crate::machine::{Machine, first};
use crate::reachability::{Reachability, Target, Unknown};
use crate::space::Role;
use crate::spine;
use crate::transfer::{Compiled, EdgeId, Transfer};
use base::IndexVec;
use base::sabotage::{Fault, active};
use bdd::{Bdd, OutOfNodes};
use boolprog::interp::{Goal, Trace};
use boolprog::{ProcId, StmtId, StmtKind, Var};
use std::collections::BTreeMap;

/// Why there is no trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTrace {
    /// The target is not reached.
    Unreachable,
    /// The shortest trace has this many transitions (at least), more than asked for.
    TooLong(u64),
    /// The search for it ran out of something.
    Unknown(Unknown),
}

impl<E: Into<Unknown>> From<E> for NoTrace {
    fn from(e: E) -> NoTrace {
        NoTrace::Unknown(e.into())
    }
}

/// Lengths beyond this are not told apart.
const FAR: u64 = u64::MAX / 4;

/// The steps of a call besides those of its callee: the call itself and the return.
fn call_cost() -> u64 {
    if active(Fault::ReturnCostsNothing) { 1 } else { 2 }
}

/// Sets by distance, ascending.
type Layers = Vec<(u64, Bdd)>;

pub(super) struct Search<'a, 'p> {
    machine: &'a mut Machine<'p>,
    entries: &'a IndexVec<ProcId, Bdd>,
    pending: BTreeMap<u64, BTreeMap<(ProcId, StmtId), Bdd>>,
    seen: IndexVec<ProcId, IndexVec<StmtId, Bdd>>,
    layers: IndexVec<ProcId, IndexVec<StmtId, Layers>>,
    summaries: IndexVec<ProcId, Layers>,
    summaries_seen: IndexVec<ProcId, Bdd>,
    callers: IndexVec<ProcId, Vec<(ProcId, StmtId)>>,
    /// The statements from which control can come to each, in order.
    predecessors: IndexVec<ProcId, IndexVec<StmtId, Vec<StmtId>>>,
    /// Entry states by distance from the start of the program, over `Now`.
    arrivals: IndexVec<ProcId, Layers>,
    /// Nodes that may have been made.
    max_work: u64,
}

impl Reachability<'_> {
    /// A shortest trace to `target`, of at most `max_length` transitions. If the search stopped at the first target, the
    /// trace is as short as what was seen until then allows.
    pub fn trace(&mut self, target: Target, max_length: u64) -> Result<Trace, NoTrace> {
        self.shortest(&[target], max_length).map(|(_, trace)| trace)
    }

    /// A shortest trace to any of `targets`, and which of them it leads to; the first one where several are as near.
    pub fn shortest(&mut self, targets: &[Target], max_length: u64) -> Result<(Target, Trace), NoTrace> {
        let mut transfer = Compiled::new(self.program);
        self.shortest_with(&mut transfer, targets, max_length)
    }

    /// [`Reachability::trace`] with the meaning of statements that the search had.
    pub fn trace_with(
        &mut self,
        transfer: &mut dyn Transfer,
        target: Target,
        max_length: u64,
    ) -> Result<Trace, NoTrace> {
        self.shortest_with(transfer, &[target], max_length).map(|(_, trace)| trace)
    }

    fn shortest_with(
        &mut self,
        transfer: &mut dyn Transfer,
        targets: &[Target],
        max_length: u64,
    ) -> Result<(Target, Trace), NoTrace> {
        let mut ends: Vec<End> = Vec::new();
        for &target in targets {
            let (Goal::At(proc, at) | Goal::Fails(proc, at)) = target;
            let reached = match target {
                Goal::At(..) => self.reaches(proc, at),
                Goal::Fails(..) => self.can_fail(proc, at)?,
            };
            if reached {
                let goal = match target {
                    Goal::At(..) => self.machine.space.manager.top(),
                    Goal::Fails(..) => self.machine.failing(proc, at)?,
                };
                ends.push(End { target, proc, at, goal });
            }
        }
        if ends.is_empty() {
            return Err(NoTrace::Unreachable);
        }
        // Traces speak of all variables, whatever the search left out; its entry states then stand for more than are
        // reached, which costs time and nothing else.
        let places: Vec<(ProcId, StmtId)> = ends.iter().map(|e| (e.proc, e.at)).collect();
        let kept = spine::kept(self.program, &places);
        let mut machine = Machine::remembering(self.program, self.machine.space.clone(), false, &kept)?;
        machine.share_relations(&mut self.machine);
        machine.visits = self.machine.visits;
        let found = nearest(&mut machine, &self.sets.entries, transfer, &ends, (max_length, self.max_work));
        machine.share_relations(&mut self.machine);
        self.machine.visits = machine.visits;
        found
    }
}

/// A shortest trace to one of `ends`, of which one is reached.
fn nearest(
    machine: &mut Machine<'_>,
    entries: &IndexVec<ProcId, Bdd>,
    transfer: &mut dyn Transfer,
    ends: &[End],
    (max_length, max_work): (u64, u64),
) -> Result<(Target, Trace), NoTrace> {
    let mut search = Search::new(machine, entries)?;
    search.max_work = max_work;
    // Distances beyond the best total found cannot matter: extend the horizon until it covers the best.
    let mut horizon = 32;
    let best = loop {
        search.run(transfer, horizon)?;
        match search.arrive(ends)? {
            Some(best) if best.total <= horizon || search.pending.is_empty() => break best,
            Some(best) => horizon = best.total,
            None if search.pending.is_empty() => unreachable!("a reached target has a distance"),
            None => horizon = search.next_horizon(horizon),
        }
    };
    if best.total > max_length || best.total >= FAR {
        return Err(NoTrace::TooLong(best.total));
    }
    let end = &ends[best.end];
    let trace = search.extract(end, best.total - best.arrival, best.arrival)?;
    Ok((end.target, trace))
}

/// Where a trace may end: at a statement, in one of the states `goal`.
pub(super) struct End {
    target: Target,
    proc: ProcId,
    at: StmtId,
    goal: Bdd,
}

/// The nearest end found.
struct Best {
    /// Its distance from the start of the program.
    total: u64,
    /// The part of it that lies before the end's activation.
    arrival: u64,
    /// Which end.
    end: usize,
}

impl<'a, 'p> Search<'a, 'p> {
    fn new(machine: &'a mut Machine<'p>, entries: &'a IndexVec<ProcId, Bdd>) -> Result<Search<'a, 'p>, OutOfNodes> {
        let program = machine.program;
        let bot = machine.space.manager.bot();
        let n = program.procs.len();
        let mut callers: IndexVec<ProcId, Vec<(ProcId, StmtId)>> = IndexVec::filled(Vec::new(), n);
        let mut pending: BTreeMap<(ProcId, StmtId), Bdd> = BTreeMap::new();
        for (p, proc) in program.procs.iter_enumerated() {
            for (s, stmt) in proc.body.iter_enumerated() {
                if let StmtKind::Call { callee, .. } = stmt.kind {
                    callers[callee].push((p, s));
                }
            }
            if machine.info[p].keep_entry || p == program.entry {
                pending.insert((p, first()), machine.begin(p, &entries[p])?);
            }
        }
        let predecessors = program.procs.iter().map(|proc| {
            let mut before: IndexVec<StmtId, Vec<StmtId>> = IndexVec::filled(Vec::new(), proc.body.len());
            for q in proc.body.ids() {
                proc.successors(q).into_iter().for_each(|s| before[s].push(q));
            }
            before
        });
        Ok(Search {
            seen: program.procs.iter().map(|p| IndexVec::filled(bot.clone(), p.body.len())).collect(),
            layers: program.procs.iter().map(|p| IndexVec::filled(Vec::new(), p.body.len())).collect(),
            summaries: IndexVec::filled(Vec::new(), n),
            summaries_seen: IndexVec::filled(bot, n),
            callers,
            predecessors: predecessors.collect(),
            arrivals: IndexVec::filled(Vec::new(), n),
            pending: BTreeMap::from([(0, pending)]),
            max_work: u64::MAX,
            machine,
            entries,
        })
    }

    fn next_horizon(&self, horizon: u64) -> u64 {
        let next = self.pending.keys().next().copied().unwrap_or(0);
        (horizon * 2).max(next)
    }

    fn later(&mut self, distance: u64, at: (ProcId, StmtId), set: Bdd) -> Result<(), OutOfNodes> {
        if set.is_false() {
            return Ok(());
        }
        let m = &self.machine.space.manager;
        let slot = self.pending.entry(distance.min(FAR)).or_default();
        let sum = match slot.get(&at) {
            Some(old) => m.or(old, &set)?,
            None => set,
        };
        slot.insert(at, sum);
        Ok(())
    }

    /// Settles all path edges at distances up to `horizon` from their entries.
    fn run(&mut self, transfer: &mut dyn Transfer, horizon: u64) -> Result<(), Unknown> {
        while let Some(entry) = self.pending.first_entry() {
            if *entry.key() > horizon {
                return Ok(());
            }
            let (distance, sets) = entry.remove_entry();
            for ((proc, at), set) in sets {
                self.machine.visit(self.max_work)?;
                let m = &self.machine.space.manager;
                m.maintain()?;
                let new = m.diff(&set, &self.seen[proc][at])?;
                if new.is_false() {
                    continue;
                }
                self.seen[proc][at] = m.or(&self.seen[proc][at], &new)?;
                self.layers[proc][at].push((distance, new.clone()));
                self.expand(transfer, (proc, at), distance, &new)?;
            }
        }
        Ok(())
    }

    fn expand(
        &mut self,
        transfer: &mut dyn Transfer,
        (proc, at): (ProcId, StmtId),
        distance: u64,
        new: &Bdd,
    ) -> Result<(), Unknown> {
        match &self.machine.program.procs[proc].body[at].kind {
            StmtKind::Call { callee, .. } => {
                for (length, summary) in self.summaries[*callee].clone() {
                    let after = self.machine.join(proc, at, new, &summary)?;
                    self.later(distance.saturating_add(call_cost() + length), (proc, at.next()), after)?;
                }
                if !self.machine.info[*callee].keep_entry {
                    let entered = self.machine.enter(proc, at, new)?;
                    let begun = self.machine.begin(*callee, &entered)?;
                    self.later(distance + 1, (*callee, first()), begun)?;
                }
            }
            StmtKind::Return(_) => {
                if !self.machine.info[proc].keep_entry {
                    return Ok(());
                }
                let found = self.machine.summarise(proc, at, new)?;
                let m = &self.machine.space.manager;
                let summary = m.diff(&found, &self.summaries_seen[proc])?;
                if summary.is_false() {
                    return Ok(());
                }
                self.summaries_seen[proc] = m.or(&self.summaries_seen[proc], &summary)?;
                self.summaries[proc].push((distance, summary.clone()));
                for (caller, call) in self.callers[proc].clone() {
                    for (before, set) in self.layers[caller][call].clone() {
                        let after = self.machine.join(caller, call, &set, &summary)?;
                        self.later(before.saturating_add(call_cost() + distance), (caller, call.next()), after)?;
                    }
                }
            }
            _ => {
                for to in self.machine.program.procs[proc].successors(at) {
                    let image = self.machine.image(transfer, EdgeId { proc, stmt: at, to }, new)?;
                    self.later(distance + 1, (proc, to), image)?;
                }
            }
        }
        Ok(())
    }

    /// The path edges in `set` whose activation began in one of `entries` (over `Now`).
    fn begun_in(&self, proc: ProcId, set: &Bdd, entries: &Bdd) -> Result<Bdd, OutOfNodes> {
        if !self.machine.info[proc].keep_entry {
            return Ok(set.clone());
        }
        let program = self.machine.program;
        let interface: Vec<Var> =
            program.globals.ids().map(Var::Global).chain(program.procs[proc].formals().map(Var::Local)).collect();
        let space = &self.machine.space;
        let at_entry = space.manager.rename(entries, &space.shift(proc, interface, Role::Now, Role::Entry))?;
        space.manager.and(set, &at_entry)
    }

    /// The end that is nearest to the start of the program over the layers settled so far.
    fn arrive(&mut self, ends: &[End]) -> Result<Option<Best>, OutOfNodes> {
        let program = self.machine.program;
        for p in program.procs.ids() {
            self.arrivals[p].clear();
        }
        let mut seen: IndexVec<ProcId, Bdd> = IndexVec::filled(self.machine.space.manager.bot(), program.procs.len());
        // Distances on the spine are those from the start of the program already.
        let on_spine = |p: &ProcId| !self.machine.info[*p].keep_entry;
        let mut begun: BTreeMap<ProcId, Bdd> =
            program.procs.ids().filter(on_spine).map(|p| (p, self.machine.space.manager.top())).collect();
        begun.insert(program.entry, self.machine.initial()?);
        let mut pending: BTreeMap<u64, BTreeMap<ProcId, Bdd>> = BTreeMap::from([(0, begun)]);
        let mut best: Option<Best> = None;
        while let Some((distance, sets)) = pending.pop_first() {
            if best.as_ref().is_some_and(|b| distance > b.total) {
                break;
            }
            for (proc, set) in sets {
                let m = &self.machine.space.manager;
                let kept = self.machine.info[proc].keep_entry || proc == program.entry;
                let known = if kept { m.and(&set, &self.entries[proc])? } else { set };
                let new = m.diff(&known, &seen[proc])?;
                if new.is_false() {
                    continue;
                }
                seen[proc] = m.or(&seen[proc], &new)?;
                self.arrivals[proc].push((distance, new.clone()));
                for (end, e) in ends.iter().enumerate().filter(|(_, e)| e.proc == proc) {
                    for (d, layer) in &self.layers[proc][e.at] {
                        let total = distance.saturating_add(*d);
                        if best.as_ref().is_some_and(|b| (total, end) >= (b.total, b.end)) {
                            break;
                        }
                        let hit = self.begun_in(proc, layer, &new)?;
                        if !self.machine.space.manager.and(&hit, &e.goal)?.is_false() {
                            best = Some(Best { total, arrival: distance, end });
                            break;
                        }
                    }
                }
                for (call, stmt) in program.procs[proc].body.iter_enumerated() {
                    let StmtKind::Call { callee, .. } = stmt.kind else { continue };
                    if !self.machine.info[callee].keep_entry {
                        continue;
                    }
                    for (d, layer) in self.layers[proc][call].clone() {
                        let from = self.begun_in(proc, &layer, &new)?;
                        let entered = self.machine.enter(proc, call, &from)?;
                        if entered.is_false() {
                            continue;
                        }
                        let slot = pending.entry(distance.saturating_add(d + 1).min(FAR)).or_default();
                        let m = &self.machine.space.manager;
                        let sum = match slot.get(&callee) {
                            Some(old) => m.or(old, &entered)?,
                            None => entered,
                        };
                        slot.insert(callee, sum);
                    }
                }
            }
        }
        Ok(best)
    }
}

//! Entry states: those that path edges are computed for, and those that executions have.
//!
//! A procedure that many callers enter, each with a little more, would have its body worked off as often, and unions of
//! a few entry states have larger diagrams than the whole. So from a certain number of arrivals on, path edges are computed
//! for the *hull* of what arrived: the smallest cube around it. Path edges for an entry state do not depend on the other
//! entry states; when the search is over, the entry states of executions are found from the start of the program down the
//! calls, and the sets are cut back to them. What is left is what a search without hulls would have found.

use crate::machine::Machine;
use crate::tabulation::Tabulation;
use base::IndexVec;
use base::sabotage::{Fault, active};
use bdd::{Bdd, Manager, OutOfNodes};
use boolprog::ProcId;

/// The smallest cube over the variables `vars` that contains `set`, which must not be empty.
pub(crate) fn hull(m: &Manager, set: &Bdd, vars: impl IntoIterator<Item = usize>) -> Result<Bdd, OutOfNodes> {
    let mut fixed = Vec::new();
    for v in vars {
        if m.and(set, &m.literal(v, true)?)?.is_false() {
            fixed.push((v, false));
        } else if m.and(set, &m.literal(v, false)?)?.is_false() {
            fixed.push((v, true));
        }
    }
    m.cube(fixed)
}

impl Tabulation<'_, '_> {
    /// The entry states of executions, as far as the path edges found up to now show them.
    pub(crate) fn real_entries(&mut self) -> Result<IndexVec<ProcId, Bdd>, OutOfNodes> {
        let program = self.machine.program;
        let bot = self.machine.space.manager.bot();
        let mut real = IndexVec::filled(bot.clone(), program.procs.len());
        let mut new = real.clone();
        let initial = self.machine.initial()?;
        (real[program.entry], new[program.entry]) = (initial.clone(), initial);
        // Callers first: the call graph without its cycles is then gone through once.
        let mut work: std::collections::BTreeSet<_> =
            [(std::cmp::Reverse(self.rank[program.entry]), program.entry)].into();
        while let Some((_, proc)) = work.pop_first() {
            let delta = std::mem::replace(&mut new[proc], bot.clone());
            let part = self.machine.at_entry(proc, &delta)?;
            for &(at, callee) in &self.calls[proc] {
                self.machine.space.manager.maintain()?;
                let from = self.machine.space.manager.and(&self.sets.reached[proc][at], &part)?;
                if from.is_false() {
                    continue;
                }
                let entered = self.machine.enter(proc, at, &from)?;
                let m = &self.machine.space.manager;
                let more = m.diff(&entered, &real[callee])?;
                if !more.is_false() {
                    real[callee] = m.or(&real[callee], &more)?;
                    new[callee] = m.or(&new[callee], &more)?;
                    work.insert((std::cmp::Reverse(self.rank[callee]), callee));
                }
            }
        }
        Ok(real)
    }

    /// Cuts all sets back to the entry states of executions.
    pub(crate) fn settle(&mut self) -> Result<(), OutOfNodes> {
        if !self.widened || active(Fault::EntriesNotCutBack) {
            return Ok(());
        }
        let real = self.real_entries()?;
        for (proc, real) in real.iter_enumerated() {
            if *real != self.sets.entries[proc] {
                self.cut(proc, real)?;
            }
        }
        self.sets.entries = real;
        self.widened = false;
        Ok(())
    }

    fn cut(&mut self, proc: ProcId, real: &Bdd) -> Result<(), OutOfNodes> {
        let (path_edges, summaries) = (self.machine.at_entry(proc, real)?, self.machine.at_call(proc, real)?);
        let m = &self.machine.space.manager;
        for set in self.sets.reached[proc].iter_mut() {
            m.maintain()?;
            *set = m.and(set, &path_edges)?;
        }
        self.sets.summaries[proc] = m.and(&self.sets.summaries[proc], &summaries)?;
        Ok(())
    }
}

impl Machine<'_> {
    /// Entry states of `proc` (over `Now`) as the entry part of its path edges; anything where they have none.
    pub(crate) fn at_entry(&self, proc: ProcId, entries: &Bdd) -> Result<Bdd, OutOfNodes> {
        let m = &self.space.manager;
        match (self.info[proc].keep_entry, entries.is_false()) {
            (true, _) => m.rename(entries, &self.info[proc].now_to_entry),
            (false, none) => Ok(m.constant(!none)),
        }
    }

    /// Entry states of `proc` (over `Now`) as summaries speak of them.
    fn at_call(&self, proc: ProcId, entries: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.space.manager.rename(entries, &self.info[proc].formals_to_passed)
    }
}

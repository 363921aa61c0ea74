//! Reading a trace off the layers, backwards and without recursion: unfinished work is a stack of calls to come back to.

use super::{End, NoTrace, Search, call_cost};
use crate::expr::Reader;
use crate::machine::first;
use crate::space::Role;
use crate::transfer::EdgeId;
use bdd::{Bdd, OutOfNodes};
use boolprog::interp::{Step, Trace};
use boolprog::semantics::Valuation;
use boolprog::{ProcId, StmtId, StmtKind, Var};

/// A configuration within an activation, with its distance from the activation's entry.
#[derive(Clone)]
struct Place {
    proc: ProcId,
    at: StmtId,
    distance: u64,
    state: Valuation,
    /// Globals and formals when the activation began.
    entry: Valuation,
}

/// What lies before a place in its activation.
enum Before {
    Step(Place),
    /// The call, and the configuration at the callee's return.
    Call(Place, Place),
}

impl Search<'_, '_> {
    /// The trace to `end` at `distance` from an entry that is itself at `arrival` from the start.
    pub(super) fn extract(&mut self, end: &End, distance: u64, arrival: u64) -> Result<Trace, NoTrace> {
        let (proc, at) = (end.proc, end.at);
        let mut backwards: Vec<Place> = Vec::new();
        let entries = layer(&self.arrivals[proc], arrival).expect("the arrival was found").clone();
        let set = layer(&self.layers[proc][at], distance).expect("the distance was found").clone();
        let m = &self.machine.space.manager;
        let hit = m.and(&self.begun_in(proc, &set, &entries)?, &end.goal)?;
        // A procedure that nobody calls has no entry part: its start is found by walking back to it.
        let mut place = self.pick_place(proc, at, distance, &hit, None);
        let mut arrival = arrival;
        loop {
            let start = self.walk_back(place, &mut backwards)?;
            if arrival == 0 && start.proc == self.machine.program.entry {
                break;
            }
            (place, arrival) = self.caller_of(&start, arrival)?;
        }
        let places = backwards.into_iter().rev();
        let mut steps: Vec<Step> =
            places.map(|p| Step { proc: p.proc, stmt: p.at, state: p.state, depth: 0 }).collect();
        count_depths(self.machine.program, &mut steps);
        Ok(Trace { steps })
    }

    /// Emits the configurations from `place` back to the start of its activation, calls included; returns the start.
    fn walk_back(&mut self, place: Place, out: &mut Vec<Place>) -> Result<Place, OutOfNodes> {
        let mut waiting: Vec<Place> = Vec::new();
        let mut here = place;
        loop {
            out.push(here.clone());
            if here.distance == 0 {
                match waiting.pop() {
                    None => return Ok(here),
                    Some(call) => {
                        here = call;
                        continue;
                    }
                }
            }
            here = match self.before(&here)? {
                Before::Step(p) => p,
                Before::Call(call, inner) => {
                    waiting.push(call);
                    inner
                }
            };
        }
    }

    fn before(&mut self, here: &Place) -> Result<Before, OutOfNodes> {
        if let Some(call) = self.before_entry(here)? {
            return Ok(Before::Step(call));
        }
        let proc = &self.machine.program.procs[here.proc];
        for q in self.predecessors[here.proc][here.at].clone() {
            let found = match proc.body[q].kind {
                StmtKind::Call { callee, .. } => self.before_call(here, q, callee)?,
                _ => self.before_step(here, q)?.map(Before::Step),
            };
            if let Some(before) = found {
                return Ok(before);
            }
        }
        unreachable!("a path edge at a positive distance has a predecessor one layer down")
    }

    /// The call that leads to `here`, if that is where an activation on the spine begins.
    fn before_entry(&mut self, here: &Place) -> Result<Option<Place>, OutOfNodes> {
        if self.machine.info[here.proc].keep_entry
            || here.at != first()
            || !self.machine.can_begin(here.proc, &here.state)
        {
            return Ok(None);
        }
        for (caller, q) in self.callers[here.proc].clone() {
            let Some(set) = layer(&self.layers[caller][q], here.distance - 1).cloned() else { continue };
            let found = self.passing(caller, q, &set, here)?;
            if !found.is_false() {
                return Ok(Some(self.pick_place(caller, q, here.distance - 1, &found, None)));
            }
        }
        Ok(None)
    }

    /// A configuration at `q` from which a step leads to `here`. All but the old values of what the step writes is known,
    /// so only those are left in the diagrams that are built.
    fn before_step(&mut self, here: &Place, q: StmtId) -> Result<Option<Place>, OutOfNodes> {
        let Some(set) = layer(&self.layers[here.proc][q], here.distance - 1) else { return Ok(None) };
        let edge = EdgeId { proc: here.proc, stmt: q, to: here.at };
        let Some((pairs, written, role)) = self.machine.relation(edge) else { return Ok(None) };
        let space = &self.machine.space;
        let m = &space.manager;
        let index = |v: Var, role: Role| space.index(here.proc, v, role);
        let mut known = vec![None; m.n_vars()];
        for v in self.machine.program.scope(here.proc) {
            known[index(v, Role::Entry)] = Some(here.entry.get(v));
            known[index(v, Role::Now)] = Some(here.state.get(v));
        }
        let mut after = known.clone();
        for &v in written {
            (known[index(v, Role::Now)], after[index(v, Role::Now)]) = (None, None);
            after[index(v, role)] = Some(here.state.get(v));
        }
        let set = m.restrict(set, &known)?;
        if set.is_false() {
            return Ok(None);
        }
        let Some(picked) = m.pick(&m.and(&set, &m.restrict(pairs, &after)?)?) else { return Ok(None) };
        let mut state = here.state.clone();
        for &v in written {
            state.set(v, picked.binary_search(&(index(v, Role::Now), true)).is_ok());
        }
        Ok(Some(Place { proc: here.proc, at: q, distance: here.distance - 1, state, entry: here.entry.clone() }))
    }

    fn before_call(&mut self, here: &Place, q: StmtId, callee: ProcId) -> Result<Option<Before>, OutOfNodes> {
        for (length, summary) in self.summaries[callee].clone() {
            let Some(distance) = here.distance.checked_sub(call_cost() + length) else { break };
            let Some(set) = layer(&self.layers[here.proc][q], distance) else { continue };
            let set = self.machine.space.manager.and(set, &self.entry_cube(here)?)?;
            let both = self.machine.rejoin(here.proc, q, &set, &summary, &here.state)?;
            let Some(picked) = self.machine.space.manager.pick(&both) else { continue };
            let call = self.pick_place(here.proc, q, distance, &both, Some(&here.entry));
            let value = |v: usize| picked.iter().any(|&(w, b)| w == v && b);
            let inner = self.at_return(&call, callee, length, &value)?;
            return Ok(Some(Before::Call(call, inner)));
        }
        Ok(None)
    }

    /// The configuration at the callee's return that gave the summary picked (`value`) for `call`.
    fn at_return(
        &mut self,
        call: &Place,
        callee: ProcId,
        length: u64,
        value: &dyn Fn(usize) -> bool,
    ) -> Result<Place, OutOfNodes> {
        let program = self.machine.program;
        let space = &self.machine.space;
        let m = &space.manager;
        let proc = &program.procs[callee];
        let mut entry = Valuation { globals: call.state.globals.clone(), locals: vec![false; proc.locals.len()] };
        for l in proc.formals() {
            entry.set(Var::Local(l), value(space.index(callee, Var::Local(l), Role::Passed)));
        }
        let globals = program.globals.ids().map(Var::Global);
        let exit =
            m.cube(globals.map(|v| (space.index(callee, v, Role::Now), value(space.index(callee, v, Role::Next)))))?;
        for (r, stmt) in proc.body.iter_enumerated() {
            let StmtKind::Return(exprs) = &stmt.kind else { continue };
            let Some(set) = layer(&self.layers[callee][r], length) else { continue };
            let now = |v: Var| space.var(callee, v, Role::Now);
            let reader = Reader { manager: m, old: &now, new: &now, within: m.top() };
            let mut found = m.and(&m.and(set, &exit)?, &self.interface_cube(callee, &entry, Role::Entry)?)?;
            for (k, e) in exprs.iter().enumerate() {
                let p = reader.poss(e)?;
                let can = if value(space.returned(k, Role::Next)) { p.yes } else { p.no };
                found = m.and(&found, &can)?;
            }
            if let Some(c) = &stmt.constrain {
                found = m.and(&found, &reader.poss(c)?.yes)?;
            }
            if !found.is_false() {
                return Ok(self.pick_place(callee, r, length, &found, Some(&entry)));
            }
        }
        unreachable!("a summary of this length comes from a return at this distance")
    }

    /// The call that entered `start`'s activation, on a shortest way from the start of the program.
    fn caller_of(&mut self, start: &Place, arrival: u64) -> Result<(Place, u64), OutOfNodes> {
        for (caller, q) in self.callers[start.proc].clone() {
            for (k, entries) in self.arrivals[caller].clone() {
                let Some(distance) = arrival.checked_sub(k + 1) else { break };
                let Some(set) = layer(&self.layers[caller][q], distance) else { continue };
                let from = self.begun_in(caller, set, &entries)?;
                let found = self.passing(caller, q, &from, start)?;
                if !found.is_false() {
                    return Ok((self.pick_place(caller, q, distance, &found, None), k));
                }
            }
        }
        unreachable!("an entry at a positive distance has a caller")
    }

    /// The path edges of `from` at the call `q` that can pass what `start` was entered with.
    fn passing(&self, caller: ProcId, q: StmtId, from: &Bdd, start: &Place) -> Result<Bdd, OutOfNodes> {
        let program = self.machine.program;
        let StmtKind::Call { args, .. } = &program.procs[caller].body[q].kind else {
            unreachable!("callers are calls")
        };
        let space = &self.machine.space;
        let m = &space.manager;
        let now = |v: Var| space.var(caller, v, Role::Now);
        let reader = Reader { manager: m, old: &now, new: &now, within: m.top() };
        let globals = program.globals.ids().map(Var::Global);
        let cube = m.cube(globals.map(|v| (space.index(caller, v, Role::Now), start.state.get(v))))?;
        let mut found = m.and(from, &cube)?;
        for (l, e) in program.procs[start.proc].formals().zip(args) {
            let p = reader.poss(e)?;
            let can = if start.state.get(Var::Local(l)) { p.yes } else { p.no };
            found = m.and(&found, &can)?;
        }
        Ok(found)
    }

    fn interface_cube(&self, proc: ProcId, entry: &Valuation, role: Role) -> Result<Bdd, OutOfNodes> {
        let space = &self.machine.space;
        if !self.machine.info[proc].keep_entry {
            return Ok(space.manager.top());
        }
        let program = self.machine.program;
        let vars = program.globals.ids().map(Var::Global).chain(program.procs[proc].formals().map(Var::Local));
        space.manager.cube(vars.map(|v| (space.index(proc, v, role), entry.get(v))))
    }

    fn entry_cube(&self, here: &Place) -> Result<Bdd, OutOfNodes> {
        self.interface_cube(here.proc, &here.entry, Role::Entry)
    }

    /// Some member of `set`, which is not empty, as a place; free variables are false.
    fn pick_place(&self, proc: ProcId, at: StmtId, distance: u64, set: &Bdd, entry: Option<&Valuation>) -> Place {
        let space = &self.machine.space;
        let picked = space.manager.pick(set).expect("a place is picked from a set with members");
        let value = |v: usize| picked.binary_search(&(v, true)).is_ok();
        let read = |role: Role| {
            let mut s = Valuation {
                globals: vec![false; self.machine.program.globals.len()],
                locals: vec![false; self.machine.program.procs[proc].locals.len()],
            };
            for v in self.machine.program.scope(proc) {
                s.set(v, value(space.index(proc, v, role)));
            }
            s
        };
        let entry = entry.cloned().unwrap_or_else(|| read(Role::Entry));
        Place { proc, at, distance, state: read(Role::Now), entry }
    }
}

fn layer(layers: &[(u64, Bdd)], distance: u64) -> Option<&Bdd> {
    layers.binary_search_by_key(&distance, |l| l.0).ok().map(|i| &layers[i].1)
}

/// Counts unfinished calls from the start of the trace on.
fn count_depths(program: &boolprog::Program, steps: &mut [Step]) {
    let mut depth = 0;
    for i in 0..steps.len() {
        steps[i].depth = depth;
        let kind = &program.procs[steps[i].proc].body[steps[i].stmt].kind;
        match kind {
            StmtKind::Call { .. } if i + 1 < steps.len() => {
                debug_assert_eq!(steps[i + 1].stmt, first());
                depth += 1;
            }
            StmtKind::Return(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
}

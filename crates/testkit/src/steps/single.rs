//! One step at a time: from the concrete state before it, the formula of the step gives the concrete state after it,
//! and (asked of the solver) no other.

use base::rng::Rng;
use ir::interp::{End, Step};
use ir::{Body, Edge, EdgeId, GlobalId, Loc, Op, Program, Var};
use logic::{Answer, Term, check_valid, eval};
use vc::{Assumption, Effects, Encoder, InputKind, State};

use super::bound::{Bound, compare, equals};
use super::record::{Drawn, Event, Key, Recorded, Snapshot};
use crate::statistics::Statistics;

/// More than any question about one step needs.
pub(super) const CONFLICTS: u64 = 100_000;

pub(super) struct Single<'p, 's> {
    pub(super) program: &'p Program,
    pub(super) enc: Encoder<'p>,
    pub(super) rng: Rng,
    pub(super) stats: &'s mut Statistics,
    /// In how many of 100 cases the solver is asked.
    pub(super) predicate: u64,
}

impl Single<'_, '_> {
    /// Checks every step of a run.
    pub(super) fn run(&mut self, run: &Recorded) -> Result<(), String> {
        let mut calls: Vec<&Snapshot> = Vec::new();
        for (i, event) in run.events.iter().enumerate() {
            let wrong = |step: &Step, e| format!("step {} ({} of {}): {e}", step.index, step.edge, step.func);
            match event {
                Event::Before(step, pre) => {
                    let post = match run.events.get(i + 1) {
                        Some(Event::After(_, post)) => Some(post),
                        _ => None,
                    };
                    if self.enc.callee(&body(self.program, step).edges[step.edge]).is_some() {
                        calls.push(pre);
                    }
                    self.step(run, step, pre, post).map_err(|e| wrong(step, e))?;
                }
                Event::After(..) => {}
                Event::Returned(step, post) => {
                    let pre = calls.pop().ok_or_else(|| wrong(step, "a return without a call".into()))?;
                    let exit = run.events[i - 1].snapshot();
                    self.contract(run, step, [pre, exit, post]).map_err(|e| wrong(step, e))?;
                }
            }
        }
        self.end(run)
    }

    /// A step that was taken: what was refused before it, what it assumes, and where it leads.
    fn step(&mut self, run: &Recorded, step: &Step, pre: &Snapshot, post: Option<&Snapshot>) -> Result<(), String> {
        let body = body(self.program, step);
        let edge = &body.edges[step.edge];
        let (state, mut bound) = self.arbitrary(pre)?;
        let earlier = body.edges.iter_enumerated().filter(|(id, e)| e.from == edge.from && *id < step.edge);
        for (id, other) in earlier {
            self.refused(&state, &bound, id, other)?;
        }
        let drawn = &run.draws[pre.drawn..post.map_or(run.draws.len(), |p| p.drawn)];
        self.bind_read(&state, &mut bound, drawn)?;
        let mut after = state.clone();
        let effects = if self.enc.callee(edge).is_some() {
            self.enc.enter(&mut after, step.edge, edge)
        } else {
            self.enc.step(&mut after, edge)
        };
        let Ok(effects) = effects else {
            self.stats.add("steps not modelled", 1);
            return Ok(());
        };
        if let Some(a) =
            effects.assumptions.iter().find(|a| !eval(&self.enc.store, a.term, &bound.assignment).as_bool())
        {
            return Err(format!("it was taken, but its assumption {:?} is false", a.cause));
        }
        self.stats.add("steps", 1);
        let Some(post) = post else { return Ok(()) };
        self.bind_draws(step, edge, &effects, post, drawn, &mut bound)?;
        let entered = self.enc.callee(edge).is_some();
        if !entered {
            bound.bind_entry(&self.enc.store, &state, pre, post)?;
        }
        compare(&self.enc.store, &after, post, &bound)?;
        if entered {
            self.stats.add("entries of functions", 1);
            if after.call_site() != Some((step.func, step.edge)) || after.depth() != 1 {
                return Err("the activation does not know its caller".into());
            }
        }
        if self.rng.chance(self.predicate) {
            self.only_successor(&after, post, &effects, &bound)?;
        }
        Ok(())
    }

    /// A symbolic state whose symbols have the values of the snapshot.
    fn arbitrary(&mut self, pre: &Snapshot) -> Result<(State, Bound), String> {
        let state = self.enc.arbitrary(pre.func);
        let mut bound = Bound::default();
        bound.bind_state(&self.enc.store, &state, pre)?;
        Ok((state, bound))
    }

    /// Variables that had no value before the step and were read by it have the value that was drawn.
    fn bind_read(&self, state: &State, bound: &mut Bound, drawn: &[Drawn]) -> Result<(), String> {
        for d in drawn {
            if let Some(term) = d.key.variable().and_then(|v| state.get(v)) {
                bound.bind(&self.enc.store, term, d.value)?;
            }
        }
        Ok(())
    }

    /// What the step draws in logic is what it drew in the run, and has the value found in the state after it.
    fn bind_draws(
        &self,
        step: &Step,
        edge: &Edge,
        effects: &Effects,
        post: &Snapshot,
        drawn: &[Drawn],
        bound: &mut Bound,
    ) -> Result<(), String> {
        let mut expected = Vec::new();
        for draw in &effects.inputs {
            let (var, key) = match &draw.kind {
                InputKind::Havoc(ir::Source::Uninit, var) => (Some(*var), None),
                InputKind::Havoc(_, var) => (Some(*var), Some(Key::Step(step.index))),
                InputKind::ExternResult(_) => (result_variable(edge), Some(Key::Step(step.index))),
                InputKind::ExternGlobal(_, g) => (Some(Var::Global(*g)), Some(Key::Written(step.index, *g))),
                InputKind::Argument(_) | InputKind::StartValue(_) => return Err("a step draws a start value".into()),
                InputKind::HavocMemory(_) | InputKind::Fails(_) => return Err("a draw of memory without any".into()),
            };
            expected.extend(key);
            if let Some(v) = var.and_then(|v| post.get(v)) {
                bound.bind(&self.enc.store, draw.term, v)?;
            }
        }
        let mut happened: Vec<Key> = drawn.iter().map(|d| d.key).filter(|k| k.variable().is_none()).collect();
        expected.sort_unstable();
        happened.sort_unstable();
        if expected != happened {
            return Err(format!("the formula draws {expected:?}, the run {happened:?}"));
        }
        Ok(())
    }

    /// An edge that the interpreter refused has an assumption that is false.
    fn refused(&mut self, state: &State, bound: &Bound, id: EdgeId, edge: &Edge) -> Result<(), String> {
        let mut after = state.clone();
        let effects = if self.enc.callee(edge).is_some() {
            self.enc.enter(&mut after, id, edge)
        } else {
            self.enc.step(&mut after, edge)
        };
        let Ok(effects) = effects else { return Ok(()) };
        if !effects.assumptions.iter().any(|a| !eval(&self.enc.store, a.term, &bound.assignment).as_bool()) {
            return Err(format!("{id} was refused, but all its assumptions are true"));
        }
        self.stats.add("refused edges", 1);
        if self.rng.chance(self.predicate) {
            let mut terms = bound.equations(&mut self.enc.store);
            terms.extend(effects.assumptions.iter().map(|a| a.term));
            let falsum = self.enc.store.bool(false);
            self.valid(&terms, falsum, "a refused edge can be taken")?;
        }
        Ok(())
    }

    /// Asks the solver whether the step can lead anywhere else than it did, but for what it draws.
    fn only_successor(
        &mut self,
        after: &State,
        post: &Snapshot,
        effects: &Effects,
        bound: &Bound,
    ) -> Result<(), String> {
        let mut hypotheses = bound.equations(&mut self.enc.store);
        hypotheses.extend(effects.assumptions.iter().map(|a: &Assumption| a.term));
        let mut goal = self.enc.store.bool(true);
        for var in post.vars() {
            if let (Some(t), Some(v)) = (after.get(var), post.get(var)) {
                let equal = equals(&mut self.enc.store, t, v);
                goal = self.enc.store.and(goal, equal);
            }
        }
        self.valid(&hypotheses, goal, "the step has another successor")
    }

    fn valid(&mut self, hypotheses: &[Term], goal: Term, what: &str) -> Result<(), String> {
        match check_valid(&self.enc.store, hypotheses, goal, CONFLICTS) {
            Answer::Unsat(_) => self.stats.add("successors shown to be the only ones", 1),
            Answer::Sat(_) => return Err(what.into()),
            Answer::Unknown(_) => self.stats.add("questions not decided", 1),
        }
        Ok(())
    }

    /// A call by contract: with the callee's values at its exit, the caller goes on in the state in which it did. Globals
    /// outside the `modifies` set keep their values; the set is what changed and some more.
    fn contract(&mut self, run: &Recorded, step: &Step, [pre, exit, post]: [&Snapshot; 3]) -> Result<(), String> {
        let edge = &body(self.program, step).edges[step.edge];
        let (mut state, mut bound) = self.arbitrary(pre)?;
        // The arguments were evaluated before anything else was drawn.
        let entered = run.events.iter().find_map(|e| match e {
            Event::After(s, snapshot) if s.index == step.index => Some(snapshot),
            _ => None,
        });
        let entered = entered.ok_or("a call that was not entered")?;
        self.bind_read(&state, &mut bound, &run.draws[pre.drawn..entered.drawn])?;
        // What was arbitrary at the call and drawn in the callee is known as the callee's entry value.
        for (g, v) in exit.entry_globals.iter_enumerated() {
            if let (None, Some(v), Some(t)) = (pre.globals[g], v, state.get(Var::Global(g))) {
                bound.bind(&self.enc.store, t, *v)?;
            }
        }
        let kept = |g: GlobalId| pre.globals[g].is_some() && pre.globals[g] == post.globals[g];
        let modifies: Vec<GlobalId> = self.program.globals.ids().filter(|&g| !kept(g) || self.rng.chance(20)).collect();
        let modified = self.program.globals.ids().map(|g| modifies.contains(&g)).collect();
        let Ok(end) = self.enc.return_by_contract(&mut state, edge, &modified) else { return Ok(()) };
        for &g in &modifies {
            if let (Some(t), Some(v)) = (end.get(Var::Global(g)), exit.globals[g]) {
                bound.bind(&self.enc.store, t, v)?;
            }
        }
        for (l, v) in exit.locals.iter_enumerated() {
            if let (Some(t), Some(v)) = (end.get(Var::Local(l)), v) {
                bound.bind(&self.enc.store, t, *v)?;
            }
        }
        bound.bind_entry(&self.enc.store, &state, pre, post)?;
        compare(&self.enc.store, &end, exit, &bound).map_err(|e| format!("the callee's end by contract: {e}"))?;
        compare(&self.enc.store, &state, post, &bound).map_err(|e| format!("after the call by contract: {e}"))?;
        self.stats.add("calls by contract", 1);
        Ok(())
    }

    /// Where the run stopped because no edge was enabled, every edge is refused by its formula.
    fn end(&mut self, run: &Recorded) -> Result<(), String> {
        let (func, loc): (_, Loc) = match run.execution.end {
            End::Blocked { func, loc } => (func, loc),
            End::Ub { at: ir::interp::At::Edge(func, edge), .. } => {
                let body = self.program.body(func);
                (func, body.edges[edge].from)
            }
            _ => return Ok(()),
        };
        let Some(last) = run.events.last().map(Event::snapshot) else { return Ok(()) };
        if last.func != func {
            return Err("the run stopped in another function than it was in".into());
        }
        let (state, mut bound) = self.arbitrary(last)?;
        self.bind_read(&state, &mut bound, &run.draws[last.drawn..])?;
        let body = self.program.body(func);
        for (id, edge) in body.edges.iter_enumerated().filter(|(_, e)| e.from == loc) {
            self.refused(&state, &bound, id, edge).map_err(|e| format!("where the run stopped, {loc}: {e}"))?;
        }
        self.stats.add("dead ends", 1);
        Ok(())
    }
}

fn body<'p>(program: &'p Program, step: &Step) -> &'p Body {
    program.body(step.func)
}

/// The variable that receives the result of a call.
fn result_variable(edge: &Edge) -> Option<Var> {
    match &edge.op {
        Op::Call(call) => call.dst,
        _ => None,
    }
}

//! A concrete execution, made of `vc`'s steps, and the boolean execution that an abstraction owes to it (TOPLAS05, appendix B,
//! theorem 1).

use crate::Abstraction;
use analysis::Analysis;
use base::rng::Rng;
use base::{Id, IndexVec};
use boolprog::interp::{Goal, Step, Trace, replay};
use boolprog::semantics::Valuation;
use boolprog::{ProcId, StmtId, StmtKind, Var as BoolVar};
use ir::{Body, EdgeId, FuncId, Loc, Op, Program};
use logic::{Assignment, Bits, Evaluator, Sort, Term, Value};
use vc::{Encoder, PredId, Predicates, State};

/// What a run did, for statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ran {
    /// Edges taken.
    pub steps: usize,
    /// Calls of functions with a body.
    pub calls: usize,
    /// Calls that were over before the run ended.
    pub returns: usize,
}

/// Runs the program with random inputs and demands that the boolean program can do the same, every predicate having its
/// true value at every step.
pub fn simulate(
    rng: &mut Rng,
    analysis: &Analysis<'_>,
    predicates: &Predicates,
    abstraction: &Abstraction,
    max_steps: usize,
) -> Result<Ran, String> {
    let (trace, ran) = traced(rng, analysis, predicates, abstraction, max_steps);
    let last = trace.steps.last().expect("a run begins");
    let goal = Goal::At(last.proc, last.stmt);
    match replay(&abstraction.program, &trace, goal) {
        Ok(()) => Ok(ran),
        Err(rejected) => {
            let step = &trace.steps[rejected.step];
            let proc = &abstraction.program.procs[step.proc];
            let next = trace.steps.get(rejected.step + 1);
            Err(format!(
                "{} at step {} of {}: {} {}: {:?}\nfrom {:?}\nto {:?}\n{}",
                rejected.why,
                rejected.step,
                trace.steps.len(),
                proc.name,
                step.stmt,
                proc.body[step.stmt].kind,
                step.state,
                next.map(|s| (s.stmt, &s.state)),
                boolprog::print(&abstraction.program),
            ))
        }
    }
}

/// The run that [`simulate`] checks, as the trace of the boolean program that it claims.
pub fn traced(
    rng: &mut Rng,
    analysis: &Analysis<'_>,
    predicates: &Predicates,
    abstraction: &Abstraction,
    max_steps: usize,
) -> (Trace, Ran) {
    let program = analysis.program;
    let mut enc = Encoder::for_proof(analysis);
    let (state, _) = enc.initial();
    let mut run = Run {
        rng,
        program,
        predicates,
        abstraction,
        enc,
        state,
        assignment: Assignment::new(),
        trace: Trace::default(),
        frames: Vec::new(),
        ran: Ran::default(),
    };
    run.draw();
    run.start();
    run.go(max_steps);
    (run.trace, run.ran)
}

/// An activation: the call edge that its caller waits at, and its boolean locals.
struct Frame {
    proc: ProcId,
    locals: Vec<bool>,
    /// The call statement at which the caller waits.
    call: Option<(StmtId, EdgeId)>,
}

struct Run<'a> {
    rng: &'a mut Rng,
    program: &'a Program,
    predicates: &'a Predicates,
    abstraction: &'a Abstraction,
    enc: Encoder<'a>,
    state: State,
    assignment: Assignment,
    trace: Trace,
    frames: Vec<Frame>,
    ran: Ran,
}

impl Run<'_> {
    /// Gives every new symbol of the state a value.
    fn draw(&mut self) {
        let terms: Vec<Term> = self.state.shared().terms().chain(self.state.frame_terms()).flatten().collect();
        for t in terms {
            let Some(symbol) = self.enc.store.as_symbol(t) else { continue };
            if self.assignment.get(symbol).is_none() {
                let small = self.rng.below(8).wrapping_sub(3);
                let bits = if self.rng.chance(80) { small } else { self.rng.bits() };
                let value = match self.enc.store.sort(t) {
                    Sort::Bool => Value::Bool(bits & 1 == 1),
                    Sort::Bv(width) if width > 64 => Value::Bits(Bits::from_signed(width, bits as i64)),
                    Sort::Bv(width) => Value::Bits(Bits::new(width, bits)),
                    // Zero everywhere, as the evaluator takes it.
                    Sort::Map { .. } => continue,
                };
                self.assignment.set(symbol, value);
            }
        }
    }

    fn holds(&self, t: Term) -> bool {
        Evaluator::new(&self.enc.store, &self.assignment).eval(t).as_bool()
    }

    fn value(&mut self, pred: PredId) -> bool {
        let t = self.enc.eval(&self.state, &self.predicates.get(pred).expr).expect("predicates are modelled");
        self.holds(t)
    }

    fn globals(&mut self) -> Vec<bool> {
        let preds: Vec<PredId> = self.abstraction.globals.iter().copied().collect();
        preds.into_iter().map(|p| self.value(p)).collect()
    }

    /// The boolean locals of the current function in the current state; temporaries keep what they have.
    fn locals(&mut self, old: Option<&[bool]>) -> Vec<bool> {
        let map = self.abstraction.functions[self.state.func()].as_ref().expect("only reachable functions run");
        let preds: IndexVec<boolprog::LocalId, Option<PredId>> = map.locals.clone();
        let kept = |i: usize| old.is_some_and(|o| o[i]);
        preds.iter().enumerate().map(|(i, p)| p.map_or(kept(i), |p| self.value(p))).collect()
    }

    fn config(&mut self, stmt: StmtId, globals: Vec<bool>) {
        let frame = self.frames.last().expect("a run has an activation");
        let state = Valuation { globals, locals: frame.locals.clone() };
        self.trace.steps.push(Step { proc: frame.proc, stmt, state, depth: self.frames.len() - 1 });
    }

    fn start(&mut self) {
        let a = self.abstraction;
        let globals = self.globals();
        let map = a.functions[self.program.entry].as_ref().expect("the entry is reachable");
        if a.program.entry != map.proc {
            self.frames.push(Frame { proc: a.program.entry, locals: Vec::new(), call: None });
            let mut at = StmtId::from_index(0);
            self.config(at, globals.clone());
            while !matches!(a.program.procs[a.program.entry].body[at].kind, StmtKind::Call { .. }) {
                at = at.next();
                self.config(at, globals.clone());
            }
        }
        self.begin(None);
    }

    /// The current state is that of an activation that begins.
    fn begin(&mut self, call: Option<(StmtId, EdgeId)>) {
        let func = self.state.func();
        let map = self.abstraction.functions[func].as_ref().expect("only reachable functions run");
        let locals = self.locals(None);
        let globals = self.globals();
        self.frames.push(Frame { proc: map.proc, locals, call });
        let entry = self.program.body(func).entry;
        let location = map.locations[entry].expect("an entry is reachable");
        for at in 0..=location.index() {
            self.config(StmtId::from_index(at), globals.clone());
        }
    }

    fn go(&mut self, max_steps: usize) {
        let mut at = self.program.body(self.state.func()).entry;
        while self.ran.steps < max_steps {
            let func = self.state.func();
            let body = self.program.body(func);
            if at == body.exit {
                let Some(back) = self.leave() else { return };
                at = back;
                continue;
            }
            let Some(edge) = self.pick(body, at) else { return };
            let Some(to) = self.take(func, body, edge) else { return };
            at = to;
        }
    }

    /// An edge that can be taken here.
    fn pick(&mut self, body: &Body, at: Loc) -> Option<EdgeId> {
        let mut enabled = Vec::new();
        for (id, edge) in body.edges.iter_enumerated().filter(|(_, e)| e.from == at) {
            let mut scratch = self.state.clone();
            let effects = match self.enc.callee(edge) {
                Some(_) => self.enc.enter(&mut scratch, id, edge),
                None => self.enc.step(&mut scratch, edge),
            };
            // What has no formula is a target: the boolean program need not follow.
            let Ok(effects) = effects else { return None };
            if effects.assumptions.iter().all(|a| self.holds(a.term)) {
                enabled.push(id);
            }
        }
        (!enabled.is_empty()).then(|| *self.rng.pick(&enabled))
    }

    fn take(&mut self, func: FuncId, body: &Body, id: EdgeId) -> Option<Loc> {
        self.ran.steps += 1;
        let edge = &body.edges[id];
        let map = self.abstraction.functions[func].as_ref().expect("it runs");
        let first = map.edges[id].expect("the edge is reachable");
        if map.locations[edge.from] != Some(first) {
            let globals = self.globals();
            self.config(first, globals);
        }
        if let Some(callee) = self.enc.callee(edge) {
            let call = self.walk(func, first, |kind| matches!(kind, StmtKind::Call { .. }));
            self.enc.enter(&mut self.state, id, edge).expect("it was enabled");
            self.draw();
            self.begin(Some((call, id)));
            self.ran.calls += 1;
            return Some(self.program.body(callee).entry);
        }
        let update = self.walk(func, first, |kind| matches!(kind, StmtKind::Assign(_) | StmtKind::Goto(_)));
        self.enc.step(&mut self.state, edge).expect("it was enabled");
        self.draw();
        if matches!(edge.op, Op::Error(_) | Op::Unsupported(_) | Op::Halt) {
            return None;
        }
        self.finish(func, update, edge.to)
    }

    /// Goes on through statements that change nothing, up to the first that `stop` names.
    fn walk(&mut self, func: FuncId, mut at: StmtId, stop: impl Fn(&StmtKind) -> bool) -> StmtId {
        let proc = self.abstraction.functions[func].as_ref().expect("it runs").proc;
        while !stop(&self.abstraction.program.procs[proc].body[at].kind) {
            at = at.next();
            let globals = self.globals();
            self.config(at, globals);
        }
        at
    }

    /// The state is that after the step: the assignment at `at`, if it is one, gives the predicates their values, and the
    /// jump behind it leads to the next location.
    fn finish(&mut self, func: FuncId, mut at: StmtId, to: Option<Loc>) -> Option<Loc> {
        let a = self.abstraction;
        let map = a.functions[func].as_ref().expect("it runs");
        let old = self.frames.last().expect("it runs").locals.clone();
        let new = self.locals(Some(&old));
        self.frames.last_mut().expect("it runs").locals = new;
        let globals = self.globals();
        while !matches!(a.program.procs[map.proc].body[at].kind, StmtKind::Goto(_)) {
            at = at.next();
            self.config(at, globals.clone());
        }
        let location = map.locations[to?].expect("it is reached");
        self.config(location, globals);
        to
    }

    /// The current activation stands at its exit.
    fn leave(&mut self) -> Option<Loc> {
        let a = self.abstraction;
        let callee = self.state.func();
        let frame = self.frames.pop().expect("it runs");
        let (call, edge) = frame.call?;
        self.ran.returns += 1;
        let globals = self.globals();
        let returned: Vec<bool> = {
            let map = a.functions[callee].as_ref().expect("it ran");
            let preds: Vec<PredId> = map.interface.results.iter().map(|(p, _)| *p).collect();
            preds.into_iter().map(|p| self.value(p)).collect()
        };
        self.enc.leave(&mut self.state).expect("results are plain variables");
        let func = self.state.func();
        let proc = a.functions[func].as_ref().expect("it runs").proc;
        let StmtKind::Call { results, .. } = &a.program.procs[proc].body[call].kind else {
            unreachable!("a caller waits at a call")
        };
        for (target, value) in results.iter().zip(returned) {
            if let Some(BoolVar::Local(l)) = target {
                self.frames.last_mut().expect("it runs").locals[l.index()] = value;
            }
        }
        // The caller's own predicates still speak of the state before the call.
        let mut at = call.next();
        self.config(at, globals.clone());
        while matches!(a.program.procs[proc].body[at].kind, StmtKind::Assume(_)) {
            at = at.next();
            self.config(at, globals.clone());
        }
        let body = self.program.body(func);
        self.finish(func, at, body.edges[edge].to)
    }
}

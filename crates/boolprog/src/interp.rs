//! Replays traces step by step with the explicit semantics: a trace that passes is an execution of the program.

use crate::program::{ProcId, Program, StmtId, StmtKind};
use crate::semantics::{
    Valuation, can_enter, can_fail, can_return, can_step, enforced, initial_globals, initial_locals,
};

/// One configuration of a trace: about to execute `stmt` of `proc` in `state`, under `depth` unfinished calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The procedure.
    pub proc: ProcId,
    /// The statement about to be executed.
    pub stmt: StmtId,
    /// The valuation of globals and of this activation's formals and locals.
    pub state: Valuation,
    /// How many calls are unfinished: a debugger steps over a call by going on to the next step of the same depth.
    pub depth: usize,
}

/// An execution from the start of the program; the last step is the configuration that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The configurations, in order.
    pub steps: Vec<Step>,
}

impl Trace {
    /// The number of transitions.
    pub fn n_transitions(&self) -> usize {
        self.steps.len().saturating_sub(1)
    }

    /// The index of the configuration after `at` when calls are stepped over.
    pub fn step_over(&self, at: usize) -> Option<usize> {
        let depth = self.steps[at].depth;
        (at + 1..self.steps.len()).find(|&i| self.steps[i].depth <= depth)
    }
}

/// Why a trace is no execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The index of the step that cannot be taken, or of the configuration that cannot exist.
    pub step: usize,
    /// What is wrong with it.
    pub why: &'static str,
}

/// What the end of a trace shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The last configuration is at this statement.
    At(ProcId, StmtId),
    /// The last configuration is at this assertion, and it can fail there.
    Fails(ProcId, StmtId),
}

/// Checks that `trace` is an execution of `program` that ends in `goal`.
pub fn replay(program: &Program, trace: &Trace, goal: Goal) -> Result<(), Rejected> {
    let reject = |step, why| Err(Rejected { step, why });
    let Some(first) = trace.steps.first() else { return reject(0, "the trace is empty") };
    let entry = &program.procs[program.entry];
    let starts = first.proc == program.entry && first.stmt == base::Id::from_index(0) && first.depth == 0;
    if !starts || first.state.locals.len() != entry.locals.len() {
        return reject(0, "a trace starts at the entry procedure");
    }
    if !initial_globals(program, &first.state) || !initial_locals(entry, &first.state) {
        return reject(0, "the initial values do not hold");
    }
    if !enforced(entry, &first.state) {
        return reject(0, "the start violates `enforce`");
    }
    let mut stack: Vec<&Step> = Vec::new();
    for (i, pair) in trace.steps.windows(2).enumerate() {
        let (now, then) = (&pair[0], &pair[1]);
        if let Err(why) = transition(program, &mut stack, now, then) {
            return reject(i, why);
        }
    }
    let last = trace.steps.last().unwrap_or(first);
    let end = trace.steps.len() - 1;
    match goal {
        Goal::At(p, s) if (last.proc, last.stmt) == (p, s) => Ok(()),
        Goal::Fails(p, s) if (last.proc, last.stmt) == (p, s) => {
            if can_fail(&program.procs[p], s, &last.state) {
                Ok(())
            } else {
                reject(end, "the assertion cannot fail")
            }
        }
        Goal::At(..) | Goal::Fails(..) => reject(end, "the trace ends elsewhere"),
    }
}

fn transition<'a>(
    program: &Program,
    stack: &mut Vec<&'a Step>,
    now: &'a Step,
    then: &Step,
) -> Result<(), &'static str> {
    let proc = &program.procs[now.proc];
    if then.state.locals.len() != program.procs[then.proc].locals.len() {
        return Err("the number of locals is wrong");
    }
    match &proc.body[now.stmt].kind {
        StmtKind::Call { callee, args, .. } => {
            if then.proc != *callee || then.stmt != base::Id::from_index(0) || then.depth != now.depth + 1 {
                return Err("a call goes to the first statement of the callee");
            }
            if !can_enter(program, *callee, args, &now.state, &then.state) {
                return Err("the call cannot enter its callee in this state");
            }
            stack.push(now);
            Ok(())
        }
        StmtKind::Return(_) => {
            let Some(call) = stack.pop() else { return Err("the entry procedure has nowhere to return to") };
            let caller = &program.procs[call.proc];
            if (then.proc, then.stmt, then.depth) != (call.proc, call.stmt.next(), call.depth) {
                return Err("a return goes to the statement after the call");
            }
            if can_return((proc, now.stmt), &now.state, (caller, call.stmt), &call.state, &then.state) {
                Ok(())
            } else {
                Err("the return cannot lead to this state")
            }
        }
        _ => {
            if then.proc != now.proc || then.depth != now.depth {
                return Err("only calls and returns change the procedure");
            }
            if can_step(proc, now.stmt, &now.state, then.stmt, &then.state) {
                Ok(())
            } else {
                Err("the statement cannot lead to this state")
            }
        }
    }
}

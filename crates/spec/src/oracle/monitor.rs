//! What happens in a run, as an observer of the interpreter sees it.

use ir::interp::{self, End, Inputs, Limits, Observer, StateView, Step};
use ir::{Call, Callee, Expr, FuncId, Op, Program, Var};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Happened {
    /// A function is called with this first argument.
    Entry(String, i32),
    /// It returns: its first argument at the call, and its result.
    Exit(String, i32, Option<i32>),
    /// The entry function returns.
    Returned,
    /// The program ends.
    End,
}

/// The functions that are looked at.
pub(super) const FUNCTIONS: [&str; 5] = ["ua", "ub", "da", "db", "abs"];

/// What happens in a run, if it comes to an end.
pub(super) fn observe(program: &Program, inputs: &mut dyn Inputs, limits: &Limits) -> Option<Vec<Happened>> {
    let mut monitor = Monitor { program, seen: Vec::new(), open: Vec::new() };
    let end = interp::run(program, inputs, limits, &mut monitor).end;
    let mut seen = monitor.seen;
    match end {
        End::Exited(_) => seen.extend([Happened::Returned, Happened::End]),
        End::Halted { .. } => seen.push(Happened::End),
        _ => return None,
    }
    Some(seen)
}

struct Monitor<'p> {
    program: &'p Program,
    seen: Vec<Happened>,
    /// The first arguments of calls that are not over.
    open: Vec<i32>,
}

impl Monitor<'_> {
    fn call(&self, step: Step) -> Option<(&Call, FuncId)> {
        match &self.program.edge(step.func, step.edge).op {
            Op::Call(call) => match call.callee {
                Callee::Direct(f) if FUNCTIONS.contains(&self.program.functions[f].name.as_str()) => Some((call, f)),
                _ => None,
            },
            _ => None,
        }
    }

    fn name(&self, f: FuncId) -> String {
        self.program.functions[f].name.clone()
    }

    fn exit(&mut self, state: &StateView<'_>, step: Step) {
        let Some((call, f)) = self.call(step) else { return };
        let value = |dst: Var| {
            let ty = self.program.shape(step.func, dst).scalar()?;
            state.eval(&Expr::var(dst, ty)).map(|v| v.bits as u32 as i32)
        };
        let result = call.dst.and_then(value);
        let name = self.name(f);
        let argument = self.open.pop().unwrap_or(0);
        self.seen.push(Happened::Exit(name, argument, result));
    }
}

impl Observer for Monitor<'_> {
    fn before(&mut self, state: &StateView<'_>, step: Step) {
        let Some((call, f)) = self.call(step) else { return };
        let argument = call.args.first().and_then(|a| state.eval(a)).map_or(0, |v| v.bits as u32 as i32);
        let name = self.name(f);
        self.open.push(argument);
        self.seen.push(Happened::Entry(name, argument));
    }

    fn after(&mut self, state: &StateView<'_>, step: Step) {
        if self.call(step).is_some_and(|(_, f)| self.program.functions[f].body.is_none()) {
            self.exit(state, step);
        }
    }

    fn returned(&mut self, state: &StateView<'_>, step: Step) {
        self.exit(state, step);
    }
}

//! An interpreter's run beside the invariants that were guessed and found inductive: each holds whenever its location is
//! visited.

use analysis::Analysis;
use base::IndexVec;
use ir::interp::{Observer, StateView, Step};
use ir::{EdgeId, FuncId, Loc, Op, Program};
use vc::{Encoder, LocationInvariants};

/// Watches one run.
pub(super) struct InvariantWatch<'a> {
    program: &'a Program,
    invariants: &'a LocationInvariants,
    opaque: &'a IndexVec<FuncId, Vec<EdgeId>>,
    left: bool,
    pub(super) checked: u64,
    pub(super) wrong: Option<String>,
}

/// The edges of each function that have no formula: behind them nothing is claimed.
pub(super) fn opaque(analysis: &Analysis<'_>) -> IndexVec<FuncId, Vec<EdgeId>> {
    let program = analysis.program;
    let mut enc = Encoder::for_proof(analysis);
    let ids: Vec<FuncId> = program.functions.ids().collect();
    let edges = ids.into_iter().map(|func| {
        let Some(body) = &program.functions[func].body else { return Vec::new() };
        let state = enc.arbitrary(func);
        let mut without = |(id, edge): (EdgeId, &ir::Edge)| {
            let stepped = enc.callee(edge).is_some() || enc.step(&mut state.clone(), edge).is_ok();
            (!stepped).then_some(id)
        };
        body.edges.iter_enumerated().filter_map(&mut without).collect()
    });
    edges.collect()
}

impl<'a> InvariantWatch<'a> {
    pub(super) fn new(
        program: &'a Program,
        invariants: &'a LocationInvariants,
        opaque: &'a IndexVec<FuncId, Vec<EdgeId>>,
    ) -> InvariantWatch<'a> {
        InvariantWatch { program, invariants, opaque, left: false, checked: 0, wrong: None }
    }

    fn look(&mut self, state: &StateView<'_>, func: FuncId, loc: Loc) {
        for invariant in self.invariants.at(func, loc) {
            self.checked += 1;
            if state.eval_defined(invariant).is_some_and(|v| v.bits == 0) {
                let shown = ir::text::show_expr(self.program, func, invariant);
                let name = &self.program.functions[func].name;
                self.wrong = Some(format!("{name} {loc} is visited, but `{shown}` does not hold there"));
            }
        }
    }
}

impl Observer for InvariantWatch<'_> {
    const ENTRY_VALUES: bool = true;

    fn before(&mut self, state: &StateView<'_>, step: Step) {
        if self.left || self.wrong.is_some() {
            return;
        }
        let body = self.program.body(step.func);
        self.look(state, step.func, body.edges[step.edge].from);
        self.left |= self.opaque[step.func].contains(&step.edge);
    }

    fn after(&mut self, state: &StateView<'_>, step: Step) {
        let body = self.program.body(step.func);
        if !self.left && self.wrong.is_none() && matches!(body.edges[step.edge].op, Op::Return(_)) {
            self.look(state, step.func, body.exit);
        }
    }
}

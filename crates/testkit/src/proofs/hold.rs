//! Whether the invariants of a proof hold in concrete runs: what an accepted proof claims must be so.

use ir::interp::{self, Limits, Observer, RandomInputs, StateView, Step};
use ir::{Loc, Program};

use certify::{FunctionProof, Node, NodeId, Proof, ProofKind};

/// Runs the program a few times and evaluates every invariant that is passed; how many there were.
pub(super) fn holds(program: &Program, proof: &Proof, seed: u64) -> Result<u64, String> {
    let ProofKind::Invariants(functions) = &proof.kind else { return Ok(0) };
    let mut watch = Watch { program, functions, seen: 0, broken: None };
    for k in 0..6 {
        let limits = Limits { steps: 400, ..Limits::default() };
        interp::run(program, &mut RandomInputs::new(seed.wrapping_add(k)), &limits, &mut watch);
    }
    match watch.broken {
        None => Ok(watch.seen),
        Some(why) => Err(why),
    }
}

struct Watch<'a> {
    program: &'a Program,
    functions: &'a [FunctionProof],
    seen: u64,
    broken: Option<String>,
}

impl Watch<'_> {
    fn at(&mut self, state: &StateView<'_>, loc: Loc) {
        let name = &self.program.functions[state.func()].name;
        let Some(f) = self.functions.iter().find(|f| f.func == state.func()) else {
            self.broken = Some(format!("{name} runs, which the proof leaves out"));
            return;
        };
        if let Some(&node) = f.invariants.get(&loc) {
            self.seen += 1;
            if value(state, f, node) == Some(false) {
                self.broken = Some(format!("the invariant at {loc} of {name} does not hold in a run"));
            }
        }
    }
}

/// The value of a formula; `None` if it depends on what was not drawn.
fn value(state: &StateView<'_>, f: &FunctionProof, node: NodeId) -> Option<bool> {
    match &f.nodes[node] {
        Node::Const(b) => Some(*b),
        Node::Outer(..) => None,
        Node::Atom(e) => state.eval(e).map(interp::Value::is_true),
        Node::Not(a) => value(state, f, *a).map(|b| !b),
        Node::And(all) => {
            let values: Vec<_> = all.iter().map(|&n| value(state, f, n)).collect();
            if values.contains(&Some(false)) { Some(false) } else { values.iter().all(Option::is_some).then_some(true) }
        }
        Node::Or(all) => {
            let values: Vec<_> = all.iter().map(|&n| value(state, f, n)).collect();
            if values.contains(&Some(true)) { Some(true) } else { values.iter().all(Option::is_some).then_some(false) }
        }
        Node::Ite(c, a, b) => {
            if value(state, f, *c)? {
                value(state, f, *a)
            } else {
                value(state, f, *b)
            }
        }
    }
}

impl Observer for Watch<'_> {
    const ENTRY_VALUES: bool = true;

    fn before(&mut self, state: &StateView<'_>, step: Step) {
        let body = self.program.body(step.func);
        self.at(state, body.edges[step.edge].from);
    }

    fn after(&mut self, state: &StateView<'_>, step: Step) {
        let body = self.program.body(step.func);
        if state.func() == step.func && body.edges[step.edge].to == Some(body.exit) {
            self.at(state, body.exit);
        }
    }
}

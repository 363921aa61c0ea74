//! Single abstract steps that no concrete step matches, and the constraints that cure them.
//!
//! The constraint is derived from the edge and the facts of its location alone (its formula from an arbitrary state), so it
//! is valid in all later iterations, whatever predicates are added.

use ir::{EdgeId, FuncId, Program};
use logic::{Answer, Context};
use vc::{Constraint, Encoder, Facts, PredId, Predicates};

/// One step of an abstract trace: an edge and the values of predicates around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbstractStep {
    /// The function.
    pub func: FuncId,
    /// The edge.
    pub edge: EdgeId,
    /// Predicates in scope before the step and their values.
    pub before: Vec<(PredId, bool)>,
    /// Predicates in scope after the step and their values; empty at calls and where the activation ends.
    pub after: Vec<(PredId, bool)>,
}

/// The constraints that forbid those of `steps` that are impossible by themselves. Calls of functions with a body are
/// passed over.
pub fn cure(
    program: &Program,
    predicates: &Predicates,
    facts: &Facts,
    steps: &[AbstractStep],
    conflicts: u64,
) -> Vec<Constraint> {
    let mut found = Vec::new();
    let mut seen: Vec<&AbstractStep> = Vec::new();
    for step in steps {
        if seen.contains(&step) {
            continue;
        }
        seen.push(step);
        if let Some(constraint) = impossible(program, predicates, facts, step, conflicts)
            && !found.contains(&constraint)
        {
            found.push(constraint);
        }
    }
    found
}

/// Why the step cannot happen: the values before and after that disagree with it.
fn impossible(
    program: &Program,
    predicates: &Predicates,
    facts: &Facts,
    step: &AbstractStep,
    conflicts: u64,
) -> Option<Constraint> {
    let mut enc = Encoder::new(program);
    let mut state = enc.arbitrary(step.func);
    let edge = enc.edge(&state, step.edge);
    if enc.callee(edge).is_some() {
        return None;
    }
    let mut context = Context::new();
    let mut lits = Vec::new();
    // What the edge itself demands comes last: minimisation then drops as many values as it can in their order.
    for (id, value) in &step.before {
        let term = enc.eval(&state, &predicates.get(*id).expr).ok()?;
        let lit = context.lit(&enc.store, term);
        lits.push(if *value { lit } else { !lit });
    }
    let known: Vec<_> = facts.at(step.func, edge.from).iter().filter_map(|e| enc.eval(&state, e).ok()).collect();
    let effects = enc.step(&mut state, edge).ok()?;
    for (id, value) in &step.after {
        let term = enc.eval(&state, &predicates.get(*id).expr).ok()?;
        let lit = context.lit(&enc.store, term);
        lits.push(if *value { lit } else { !lit });
    }
    for assumption in &effects.assumptions {
        lits.push(context.lit(&enc.store, assumption.term));
    }
    lits.extend(known.into_iter().map(|t| context.lit(&enc.store, t)));
    let Answer::Unsat(core) = context.check(&enc.store, &lits, conflicts) else { return None };
    let n_before = step.before.len();
    let n_values = n_before + step.after.len();
    let before = core.iter().filter(|&&i| i < n_before).map(|&i| step.before[i]).collect();
    let after = core.iter().filter(|&&i| i >= n_before && i < n_values).map(|&i| step.after[i - n_before]).collect();
    Some(Constraint { func: step.func, edge: step.edge, before, after })
}

//! The random programs: C drafts with random checks, and IR with random predicates to start from.

use base::rng::Rng;
use ir::{DataModel, Program};
use vc::Predicate;

use crate::cgen::{CheckPoint, Knobs, check_mark, draft};
use crate::compile::compile;

/// The program of a seed and predicates about it: C for even seeds, IR for odd ones.
pub(super) fn random(seed: u64) -> Result<(Program, Vec<Predicate>), String> {
    if seed.is_multiple_of(2) { from_c(seed).map(|p| (p, Vec::new())) } else { Ok(from_ir(seed)) }
}

fn from_ir(seed: u64) -> (Program, Vec<Predicate>) {
    let rng = &mut Rng::new(seed);
    let program = predabs::oracle::program(rng);
    let predicates = predabs::oracle::predicates(rng, &program, 3);
    let initial = predicates.ids().map(|id| predicates.get(id).clone()).collect();
    (program, initial)
}

fn from_c(seed: u64) -> Result<Program, String> {
    let rng = &mut Rng::new(seed ^ 0x00c0_ffee);
    let model = if rng.chance(50) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let draft = draft(seed, &Knobs::verdict(model));
    let mut source = draft.program.source;
    for (k, check) in draft.checks.iter().enumerate() {
        source = source.replace(&check_mark(k), &format!("{{ if ({}) reach_error(); }}", condition(rng, check)));
    }
    let compiled = compile("random.c", &source, model, &lower::Options::default())?;
    Ok(compiled.program)
}

/// A condition that is now true, now false; some need more than one predicate.
fn condition(rng: &mut Rng, check: &CheckPoint) -> String {
    let (e, ty) = (&check.expr, check.ty.keyword());
    let constant = format!("({ty}){}", rng.below(12));
    match rng.below(5) {
        0 => format!("{e} > {constant}"),
        1 => format!("{e} < {constant}"),
        2 => format!("{e} == {constant} || {e} == ({ty}){}", rng.below(200)),
        3 => format!("({e} & 1) == 1 && {e} > {constant}"),
        _ => format!("{e} == {constant}"),
    }
}

//! Claims about functions: what each requires and ensures, and what holds at its loops in every activation, which may speak of values at
//! entry. Of what the witness does not say nothing is claimed. What functions may write is a fact about the program, which the analysis
//! gives.

use super::{Reads, condition, head_of};
use crate::front::Front;
use crate::witness::places;
use analysis::Analysis;
use base::Span;
use certify::{FunctionProof, Node, Proof, ProofKind};
use ir::cfg::Graph;
use ir::{FuncId, Loc};
use std::collections::BTreeMap;
use svcomp::witness::{Invariant, InvariantKind, Place};

/// Whether a claim is one that only this kind of proof can make.
pub(super) fn is_about_function(claim: &Invariant) -> bool {
    claim.is_extended() || matches!(claim.kind, InvariantKind::Requires | InvariantKind::Ensures)
}

/// The claims as invariants of functions.
pub(super) fn proof(front: &Front, claims: &[Invariant]) -> Result<Proof, String> {
    let mut claimed: BTreeMap<(FuncId, Loc), Vec<ir::Expr>> = BTreeMap::new();
    for claim in claims {
        let (func, loc, at) = point(front, claim)?;
        let claim = condition(front, func, at, &claim.value, Reads::Variables)?;
        claimed.entry((func, loc)).or_default().push(claim);
    }
    let analysis = Analysis::new(&front.program);
    let mut functions = Vec::new();
    for &func in &analysis.cut_points().functions {
        let body = front.program.body(func);
        let graph = Graph::new(body);
        let mut proof = FunctionProof::new(func);
        proof.modifies = analysis.modified.globals_of(func).collect();
        let is_cut = |l: &Loc| *l == body.entry || *l == body.exit || graph.loop_heads[*l];
        for loc in body.locations.ids().filter(is_cut) {
            let conditions = claimed.remove(&(func, loc)).unwrap_or_default();
            let atoms = conditions.into_iter().map(|e| proof.nodes.push(Node::Atom(e))).collect();
            let all = proof.nodes.push(Node::And(atoms));
            proof.invariants.insert(loc, all);
        }
        functions.push(proof);
    }
    Ok(Proof {
        program: certify::text::program_hash(&front.program),
        ub: front.program.ub.clone(),
        kind: ProofKind::Invariants(functions),
    })
}

/// Where a claim holds, and where its names mean what they mean.
fn point(front: &Front, claim: &Invariant) -> Result<(FuncId, Loc, Span), String> {
    let of = |func: FuncId| (front.program.body(func), front.program.functions[func].span);
    match claim.kind {
        InvariantKind::Requires => function_at(front, &claim.place).map(|f| (f, of(f).0.entry, of(f).1)),
        InvariantKind::Ensures => function_at(front, &claim.place).map(|f| (f, of(f).0.exit, of(f).1)),
        InvariantKind::Loop | InvariantKind::Location => {
            let (func, head) = head_of(front, claim)?;
            Ok((func, head, places::head(front.program.body(func), head)))
        }
    }
}

/// The function that a contract is about: the one of its name, or the one that begins on its line.
fn function_at(front: &Front, place: &Place) -> Result<FuncId, String> {
    let last = |file: &str| file.rsplit('/').next().unwrap_or(file).to_string();
    let found: Vec<FuncId> = front
        .program
        .functions
        .iter_enumerated()
        .filter(|(id, f)| {
            let begins = || places::start(front, *id, f.span);
            let is = match &place.function {
                Some(name) => f.name == *name,
                None => begins().line == place.line,
            };
            f.body.is_some() && is && last(&begins().file) == last(&place.file)
        })
        .map(|(id, _)| id)
        .collect();
    match found[..] {
        [one] => Ok(one),
        _ => Err(format!("there is no one function at line {} of {}", place.line, place.file)),
    }
}

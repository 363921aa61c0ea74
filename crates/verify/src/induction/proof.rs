//! The proof that lemmas at the cut points are: invariants there, and how far the blocks between them are unwound (rule 7 of `certify`).

use super::Search;
use super::blocks::{self, Atom, AtomId, Atoms, Cut, Scoped};
use crate::verdict::Reason;
use certify::{ActivationProof, FunctionProof, Node, NodeId, Proof, ProofKind, UnwindingProof};
use std::collections::BTreeSet;
use vc::unwinding::CutPoint;

impl Search<'_> {
    /// The proof with these lemmas at the cut points, checked.
    pub(super) fn prove(&mut self, lemmas: &[(Cut, AtomId)]) -> Result<certify::Checked<Proof>, Reason> {
        let program = self.analysis.program;
        let edges = self.limits.blocks.edges;
        let cuts: BTreeSet<CutPoint> = self.blocks.cuts.iter().cloned().collect();
        let from_start = self.blocks.start.script(self.analysis, None, &cuts, (&self.atoms, &[]), edges);
        // Cut points of one activation stand beside each other.
        let mut activations: Vec<ActivationProof> =
            vec![ActivationProof { calls: Vec::new(), invariants: FunctionProof::new(program.entry), scripts: vec![] }];
        for (cut, at) in self.blocks.cuts.iter().enumerate() {
            if activations.last().is_none_or(|a| a.calls != at.calls) {
                let func = blocks::stack(program, &at.calls)[0];
                let (calls, invariants) = (at.calls.clone(), FunctionProof::new(func));
                activations.push(ActivationProof { calls, invariants, scripts: Vec::new() });
            }
            let activation = activations.last_mut().expect("there is the one of the entry function");
            let block = &self.blocks.from[cut];
            let settled = block.settled.iter().map(|s| self.atoms.literal(s.out, s.expr.clone()));
            let all: Vec<AtomId> = settled.chain(lemmas.iter().filter(|(c, _)| *c == cut).map(|(_, e)| *e)).collect();
            activation.scripts.push(block.script(self.analysis, Some(at), &cuts, (&self.atoms, &all), edges));
            let claims = &mut activation.invariants;
            let nodes = all.into_iter().map(|atom| node(&self.atoms, atom, claims)).collect();
            let all = claims.nodes.push(Node::And(nodes));
            claims.invariants.insert(at.at, all);
        }
        let entry = activations.remove(0);
        let scripts = std::iter::once(from_start).chain(entry.scripts).collect();
        let unwinding = UnwindingProof { invariants: entry.invariants, scripts, inner: activations };
        let proof = Proof {
            program: certify::text::program_hash(program),
            ub: program.ub.clone(),
            kind: ProofKind::Unwinding(unwinding),
        };
        certify::check_proof(program, proof, &self.limits.certify).map_err(|r| {
            let what = if r.undecided { "could not be checked" } else { "was not accepted" };
            Reason::new(format!("the proof found {what}: {}: {}", r.rule, r.reason))
        })
    }
}

/// A condition as a formula of a proof.
fn node(atoms: &Atoms, id: AtomId, claims: &mut FunctionProof) -> NodeId {
    let node = match atoms.get(id) {
        Atom::Literal(Scoped { out: 0, expr }) => Node::Atom(expr.clone()),
        Atom::Literal(Scoped { out, expr }) => Node::Outer(*out, expr.clone()),
        Atom::Clause(list) => Node::Or(list.iter().map(|&a| node(atoms, a, claims)).collect()),
    };
    claims.nodes.push(node)
}

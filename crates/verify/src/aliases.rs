//! What an invariant says about aliases (PLDI01 §2.2): pairs of pointers that are never equal at a location, or always,
//! because the invariant implies it. A flow-insensitive analysis cannot know this; the values of fields decide it.
//!
//! The solver decides; what it does not decide within its limit is not reported. Only what the invariant adds is: not what
//! holds anyway, and not what it says in so many words.

use analysis::Analysis;
use certify::{FunctionProof, Node, NodeId};
use ir::walk::{Visitor, walk_expr};
use ir::{BinOp, Expr, FuncId, Loc, Place, Program, Ty, Var};
use logic::{Answer, Term};
use vc::{Encoder, State};

/// More pointers than this are not compared with each other.
const MAX_POINTERS: usize = 12;

/// The comparisons of pointer variables (`p != q`, `p == q`) that the invariant at `loc` implies, in order.
pub fn implied_aliases(analysis: &Analysis<'_>, proof: &FunctionProof, loc: Loc, conflicts: u64) -> Vec<Expr> {
    let Some(&root) = proof.invariants.get(&loc) else { return Vec::new() };
    let mut pointers = mentioned(analysis.program, proof, root);
    pointers.truncate(MAX_POINTERS);
    if pointers.len() < 2 {
        return Vec::new();
    }
    let mut enc = Encoder::for_proof(analysis);
    let state = enc.arbitrary(proof.func);
    let Some(invariant) = formula(&mut enc, &state, proof, root) else { return Vec::new() };
    // A location that is not reached has no aliases to report.
    let nothing = enc.store.bool(false);
    if implied(&enc, &[invariant], nothing, conflicts) {
        return Vec::new();
    }
    let stated = atoms(proof, root);
    let mut aliases = Vec::new();
    for (i, &p) in pointers.iter().enumerate() {
        for &q in &pointers[i + 1..] {
            let equal = Expr::binary(BinOp::Eq, Expr::var(p, Ty::Ptr), Expr::var(q, Ty::Ptr));
            if stated.contains(&vc::canonical(&equal).0) {
                continue;
            }
            let Ok(same) = enc.eval(&state, &equal) else { continue };
            let different = enc.store.not(same);
            for (alias, term) in [(equal.clone().negate(), different), (equal, same)] {
                if implied(&enc, &[invariant], term, conflicts) && !implied(&enc, &[], term, conflicts) {
                    aliases.push(alias);
                    break;
                }
            }
        }
    }
    aliases
}

fn implied(enc: &Encoder<'_>, hypotheses: &[Term], goal: Term, conflicts: u64) -> bool {
    matches!(logic::check_valid(&enc.store, hypotheses, goal, conflicts), Answer::Unsat(_))
}

/// The nodes below `root`, each once, operands first.
fn below(proof: &FunctionProof, root: NodeId) -> Vec<NodeId> {
    let mut wanted = base::IndexVec::filled(false, proof.nodes.len());
    wanted[root] = true;
    let ids: Vec<NodeId> = proof.nodes.ids().collect();
    for &id in ids.iter().rev() {
        if wanted[id] {
            proof.nodes[id].operands().into_iter().for_each(|o| wanted[o] = true);
        }
    }
    ids.into_iter().filter(|&id| wanted[id]).collect()
}

fn atoms(proof: &FunctionProof, root: NodeId) -> Vec<Expr> {
    let atom = |id: NodeId| match &proof.nodes[id] {
        Node::Atom(e) => Some(vc::canonical(e).0),
        _ => None,
    };
    below(proof, root).into_iter().filter_map(atom).collect()
}

/// The invariant as a formula.
fn formula(enc: &mut Encoder<'_>, state: &State, proof: &FunctionProof, root: NodeId) -> Option<Term> {
    let mut terms: base::IndexVec<NodeId, Option<Term>> = base::IndexVec::filled(None, proof.nodes.len());
    for id in below(proof, root) {
        let get = |o: &NodeId| terms[*o].expect("operands come first");
        let term = match &proof.nodes[id] {
            Node::Const(b) => enc.store.bool(*b),
            Node::Outer(..) => return None,
            Node::Atom(e) => enc.eval(state, e).ok()?,
            Node::Not(a) => enc.store.not(get(a)),
            Node::And(list) => list.iter().fold(enc.store.bool(true), |all, a| enc.store.and(all, get(a))),
            Node::Or(list) => list.iter().fold(enc.store.bool(false), |any, a| enc.store.or(any, get(a))),
            Node::Ite(c, a, b) => enc.store.ite(get(c), get(a), get(b)),
        };
        terms[id] = Some(term);
    }
    terms[root]
}

/// The pointer variables that the invariant speaks of, in order.
fn mentioned(program: &Program, proof: &FunctionProof, root: NodeId) -> Vec<Var> {
    let mut pointers = Pointers::new(program, proof.func);
    for atom in atoms(proof, root) {
        walk_expr(&atom, &mut pointers);
    }
    pointers.found.sort_unstable();
    pointers.found.dedup();
    pointers.found
}

struct Pointers<'a> {
    program: &'a Program,
    func: FuncId,
    found: Vec<Var>,
}

impl<'a> Pointers<'a> {
    fn new(program: &'a Program, func: FuncId) -> Pointers<'a> {
        Pointers { program, func, found: Vec::new() }
    }
}

impl Visitor for Pointers<'_> {
    fn read(&mut self, place: &Place) {
        let whole = |v: &Var| self.program.shape(self.func, *v).scalar() == Some(Ty::Ptr);
        self.found.extend(place.as_var().filter(whole));
    }
}

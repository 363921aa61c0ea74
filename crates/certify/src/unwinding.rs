//! Rule 7: a proof that follows what happens ([`UnwindingProof`]). From the initial state, and from every state that satisfies
//! the invariant at a cut point of the entry function, all that can happen is unwound ([`vc::unwinding`]) until it meets a cut
//! point, the end of the run, or something that must not be reached: a target, an unsupported edge, an edge without a formula, and
//! every place where the unwinding was not continued.
//!
//! Why this is enough: the entry function is called by nobody, so it has one activation. By induction over its arrivals at cut
//! points, the invariant holds at each of them; between two of them an execution goes along the unwinding, whose ends are not
//! reached. The scripts only say how far to unwind: too short a script leaves an end that can be reached.
//!
//! Where a claim says that a variable has a constant value, the block begins with that value written to it ([`Encoder::settle`]): that changes
//! no state that satisfies the claim, and what cannot happen with this value drops out of the unwinding.
//!
//! All that must not happen in one block is asked in one question, and piece by piece only if that is too hard.

use crate::check::{CheckLimits, Rejection, Rule, formula, well_formed};
use crate::proof::{Node, UnwindingProof};
use analysis::Analysis;
use base::sabotage::{self, Fault};
use ir::{EdgeId, Expr, FuncId, Loc, Op, Program};
use logic::{Answer, Model, Term};
use vc::unwinding::{EndKind, Scripted, start, unwind};
use vc::{Encoder, State, Unmodelled};

/// The most edges that are followed in one block.
const MOST_EDGES: u64 = 20_000_000;

/// Checks the proof; the analysis must have been checked already.
pub(crate) fn check(analysis: &Analysis<'_>, proof: &UnwindingProof, limits: &CheckLimits) -> Result<(), Rejection> {
    let program = analysis.program;
    let reject = |reason: String| Err(Rejection { rule: Rule::Unwinding, at: None, reason, undecided: false });
    well_formed(program, &proof.invariants)?;
    if proof.invariants.func != program.entry {
        return reject("an unwinding begins in the entry function".into());
    }
    if !proof.invariants.invariants.is_empty() && is_called(program, program.entry) {
        return reject("the entry function is called, so its cut points have no invariants of their own".into());
    }
    if proof.scripts.len() != 1 + proof.invariants.invariants.len() {
        return reject("an unwinding has one script for the start and one for each cut point".into());
    }
    let checker = Checker { analysis, proof, limits };
    let starts = std::iter::once(None).chain(proof.invariants.invariants.keys().copied().map(Some));
    for (at, script) in starts.zip(&proof.scripts) {
        if at.is_none() && sabotage::active(Fault::InductionBaseSkipped) {
            continue;
        }
        checker.block(at, script)?;
    }
    Ok(())
}

fn is_called(program: &Program, func: FuncId) -> bool {
    let edges = program.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| b.edges.iter());
    let mut calls = edges.filter_map(|e| if let Op::Call(c) = &e.op { Some(&c.callee) } else { None });
    calls.any(|c| matches!(c, ir::Callee::Direct(f) if *f == func) || !matches!(c, ir::Callee::Direct(_)))
}

struct Checker<'a> {
    analysis: &'a Analysis<'a>,
    proof: &'a UnwindingProof,
    limits: &'a CheckLimits,
}

/// Something that must not happen.
struct Bad {
    condition: Term,
    at: Option<(FuncId, EdgeId)>,
    what: String,
}

impl Checker<'_> {
    /// What begins at the start of the program, or at a cut point.
    fn block(&self, at: Option<Loc>, script: &[u32]) -> Result<(), Rejection> {
        let program = self.analysis.program;
        let mut enc = Encoder::for_proof(self.analysis);
        let truth = enc.store.bool(true);
        let (loc, state, hypothesis) = match at {
            None => (program.body(program.entry).entry, start(&mut enc), truth),
            Some(loc) => {
                let mut state = enc.arbitrary_at(program.entry, loc);
                let claim = self.invariant(&mut enc, loc, &state).map_err(|u| undecided(u.to_string()))?;
                for e in self.conjuncts(loc) {
                    enc.settle(&mut state, e);
                }
                (loc, state, claim)
            }
        };
        if enc.store.bool_of(hypothesis) == Some(false) {
            return Ok(());
        }
        let cuts = &self.proof.invariants.invariants;
        let mut guide = Scripted::new(script, MOST_EDGES);
        let unwound = unwind(&mut enc, loc, state, hypothesis, |l| cuts.contains_key(&l), &mut guide);
        let mut bad = Vec::new();
        for end in unwound.ends {
            let (condition, what) = match end.kind {
                EndKind::Target => (end.condition, "a target can be reached".to_owned()),
                EndKind::Unsupported(why) => (end.condition, format!("an unsupported operation can be reached: {why}")),
                EndKind::Unmodelled(u) => (end.condition, format!("what has no formula can be reached: {u}")),
                EndKind::Exhausted => (end.condition, "the unwinding is too large".to_owned()),
                EndKind::Stopped(p) => (end.condition, format!("{} of {} can be passed again", p.head, p.func)),
                EndKind::CutPoint(cut, state) => {
                    let claim = self.invariant(&mut enc, cut, &state).map_err(|u| undecided(u.to_string()))?;
                    let broken = enc.store.not(claim);
                    (enc.store.and(end.condition, broken), format!("the invariant at {cut} does not follow"))
                }
            };
            bad.push(Bad { condition, at: end.edge.map(|e| (end.func, e)), what });
        }
        self.none_of(&mut enc, &bad)
    }

    /// What is claimed at a cut point.
    fn invariant(&self, enc: &mut Encoder<'_>, loc: Loc, state: &State) -> Result<Term, Unmodelled> {
        let claims = &self.proof.invariants;
        formula(enc, &claims.nodes, claims.invariants[&loc], state)
    }

    /// The expressions that must all hold for the claim at a cut point to hold.
    fn conjuncts(&self, loc: Loc) -> Vec<&Expr> {
        let claims = &self.proof.invariants;
        let mut found = Vec::new();
        let mut nodes = vec![claims.invariants[&loc]];
        while let Some(id) = nodes.pop() {
            match &claims.nodes[id] {
                Node::And(list) => nodes.extend(list.iter().rev()),
                Node::Atom(e) => found.push(e),
                Node::Const(_) | Node::Not(_) | Node::Or(_) | Node::Ite(..) => {}
            }
        }
        found
    }

    /// None of these can happen: one question, or one for each.
    fn none_of(&self, enc: &mut Encoder<'_>, bad: &[Bad]) -> Result<(), Rejection> {
        let any = enc.store.or_all(bad.iter().map(|b| b.condition));
        match self.possible(enc, any) {
            Answer::Unsat(_) => return Ok(()),
            Answer::Sat(model) => return Err(happens(enc, bad, &model)),
            Answer::Unknown(_) => {}
        }
        for b in bad {
            match self.possible(enc, b.condition) {
                Answer::Unsat(_) => {}
                Answer::Sat(model) => return Err(happens(enc, bad, &model)),
                Answer::Unknown(why) => {
                    let reason = format!("undecided whether {}: {why}", b.what);
                    return Err(Rejection { rule: Rule::Unwinding, at: b.at, reason, undecided: true });
                }
            }
        }
        Ok(())
    }

    fn possible(&self, enc: &Encoder<'_>, condition: Term) -> Answer {
        let CheckLimits { conflicts, variables } = *self.limits;
        logic::check_valid_within(&enc.store, &[condition], enc.store.bool(false), conflicts, variables)
    }
}

fn undecided(reason: String) -> Rejection {
    Rejection { rule: Rule::Unwinding, at: None, reason, undecided: true }
}

/// The first of several things that happens in a model.
fn happens(enc: &Encoder<'_>, bad: &[Bad], model: &Model) -> Rejection {
    let found = bad.iter().find(|b| model.holds(&enc.store, b.condition));
    let (at, what) = found.map_or((None, "something that must not happen does"), |b| (b.at, b.what.as_str()));
    Rejection { rule: Rule::Unwinding, at, reason: what.to_owned(), undecided: false }
}

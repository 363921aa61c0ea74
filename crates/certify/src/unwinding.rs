//! Rule 7: a proof that follows what happens ([`UnwindingProof`]). From the initial state, and from every state that satisfies
//! the invariant at a cut point, all that can happen is unwound ([`vc::unwinding`]) until it meets a cut point, the end of the
//! run, or something that must not be reached: a target, an unsupported edge, an edge without a formula, and every place where
//! the unwinding was not continued.
//!
//! A cut point belongs to one activation, named by all calls that make it. The entry function is called by nobody, so its own
//! activation is the only one without calls, and with the calls the whole stack of activations is known: what a block begins with
//! is any state of that stack that satisfies the claim ([`Encoder::arbitrary_within`]), activations that wait included.
//!
//! Why this is enough: by induction over the arrivals of an execution at cut points, the invariant holds at each of them; between
//! two of them an execution goes along the unwinding, whose ends are not reached. The scripts only say how far to unwind: too
//! short a script leaves an end that can be reached.
//!
//! Where a claim says that a variable has a constant value, the block begins with that value written to it ([`Encoder::settle`]): that changes
//! no state that satisfies the claim, and what cannot happen with this value drops out of the unwinding.
//!
//! All that must not happen in one block is asked in one question, and piece by piece only if that is too hard.

use crate::check::{CheckLimits, Rejection, Rule, formula, well_formed};
use crate::proof::{FunctionProof, Node, NodeId, UnwindingProof};
use analysis::Analysis;
use base::sabotage::{self, Fault};
use ir::{EdgeId, Expr, FuncId, Op, Program};
use logic::{Answer, Model, Term};
use std::collections::{BTreeMap, BTreeSet};
use vc::unwinding::{CutPoint, EndKind, Scripted, start, unwind};
use vc::{Encoder, State, Unmodelled};

/// The most edges that are followed in one block.
const MOST_EDGES: u64 = 20_000_000;

/// Checks the proof; the analysis must have been checked already.
pub(crate) fn check(analysis: &Analysis<'_>, proof: &UnwindingProof, limits: &CheckLimits) -> Result<(), Rejection> {
    let program = analysis.program;
    let reject = |reason: String| Err(Rejection { rule: Rule::Unwinding, at: None, reason, undecided: false });
    let entry = &proof.invariants;
    well_formed(program, entry, &[])?;
    if entry.func != program.entry {
        return reject("an unwinding begins in the entry function".into());
    }
    if !(entry.invariants.is_empty() && proof.inner.is_empty()) && is_called(program, program.entry) {
        return reject("the entry function is called, so its cut points have no invariants of their own".into());
    }
    let Some((from_start, scripts)) = proof.scripts.split_first() else {
        return reject("an unwinding has a script for the start".into());
    };
    let mut checker = Checker { analysis, cuts: BTreeSet::new(), claims: BTreeMap::new(), limits };
    let mut all = checker.activation(&[], entry, scripts)?;
    for inner in &proof.inner {
        let waiting = called_by(program, &inner.calls);
        let Some((&func, waiting)) = waiting.as_deref().and_then(<[FuncId]>::split_first) else {
            return reject("the calls of an activation do not follow one another".into());
        };
        if func != inner.invariants.func || inner.calls.is_empty() {
            return reject("the calls of an activation do not make it".into());
        }
        well_formed(program, &inner.invariants, waiting)?;
        all.extend(checker.activation(&inner.calls, &inner.invariants, &inner.scripts)?);
    }
    if !sabotage::active(Fault::InductionBaseSkipped) {
        checker.block(None, from_start)?;
    }
    for (cut, script) in all {
        checker.block(Some(&cut), script)?;
    }
    Ok(())
}

/// The functions of the activations that these calls make, the newest first and the entry function last; `None` if they do not
/// follow one another.
pub(crate) fn called_by(program: &Program, calls: &[EdgeId]) -> Option<Vec<FuncId>> {
    let mut stack = vec![program.entry];
    for &call in calls {
        let edge = program.body(stack[0]).edges.get(call)?;
        let Op::Call(ir::Call { callee: ir::Callee::Direct(f), .. }) = &edge.op else { return None };
        program.functions[*f].body.as_ref()?;
        stack.insert(0, *f);
    }
    Some(stack)
}

fn is_called(program: &Program, func: FuncId) -> bool {
    let edges = program.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| b.edges.iter());
    let mut calls = edges.filter_map(|e| if let Op::Call(c) = &e.op { Some(&c.callee) } else { None });
    calls.any(|c| matches!(c, ir::Callee::Direct(f) if *f == func) || !matches!(c, ir::Callee::Direct(_)))
}

struct Checker<'a> {
    analysis: &'a Analysis<'a>,
    cuts: BTreeSet<CutPoint>,
    /// What is claimed at each of them.
    claims: BTreeMap<CutPoint, (&'a FunctionProof, NodeId)>,
    limits: &'a CheckLimits,
}

/// Solver conflicts for the question whether anything at all goes wrong, before it is asked place by place.
const CONFLICTS_FOR_ALL: u64 = 20_000;

/// Something that must not happen.
struct Bad {
    condition: Term,
    at: Option<(FuncId, EdgeId)>,
    what: String,
}

impl<'a> Checker<'a> {
    /// The cut points of an activation, each with its script.
    fn activation(
        &mut self,
        calls: &[EdgeId],
        claims: &'a FunctionProof,
        scripts: &'a [Vec<u32>],
    ) -> Result<Vec<(CutPoint, &'a [u32])>, Rejection> {
        let reject = |reason: &str| {
            Err(Rejection { rule: Rule::Unwinding, at: None, reason: reason.to_owned(), undecided: false })
        };
        if scripts.len() != claims.invariants.len() {
            return reject("an unwinding has one script for the start and one for each cut point");
        }
        let mut all = Vec::new();
        for ((&at, &root), script) in claims.invariants.iter().zip(scripts) {
            let cut = CutPoint { calls: calls.to_vec(), at };
            if self.claims.insert(cut.clone(), (claims, root)).is_some() {
                return reject("an activation is spoken of twice");
            }
            self.cuts.insert(cut.clone());
            all.push((cut, script.as_slice()));
        }
        Ok(all)
    }

    /// What begins at the start of the program, or at a cut point.
    fn block(&self, at: Option<&CutPoint>, script: &[u32]) -> Result<(), Rejection> {
        let program = self.analysis.program;
        let mut enc = Encoder::for_proof(self.analysis);
        let truth = enc.store.bool(true);
        let (loc, state, hypothesis) = match at {
            None => (program.body(program.entry).entry, start(&mut enc), truth),
            Some(cut) => {
                let state = enc.arbitrary_within(&cut.calls, cut.at);
                let mut state = state.ok_or_else(|| undecided("the calls of an activation do not make it".into()))?;
                let claim = self.invariant(&mut enc, cut, &state).map_err(|u| undecided(u.to_string()))?;
                for (out, e) in self.conjuncts(cut) {
                    enc.settle_in(&mut state, out, e);
                }
                (cut.at, state, claim)
            }
        };
        if enc.store.bool_of(hypothesis) == Some(false) {
            return Ok(());
        }
        let mut guide = Scripted::new(script, MOST_EDGES);
        let unwound = unwind(&mut enc, loc, state, hypothesis, &self.cuts, &mut guide);
        let mut bad = Vec::new();
        for end in unwound.ends {
            let (condition, what) = match end.kind {
                EndKind::Target => (end.condition, "a target can be reached".to_owned()),
                EndKind::Unsupported(why) => (end.condition, format!("an unsupported operation can be reached: {why}")),
                EndKind::Unmodelled(u) => (end.condition, format!("what has no formula can be reached: {u}")),
                EndKind::Exhausted => (end.condition, "the unwinding is too large".to_owned()),
                EndKind::Stopped(p) => (end.condition, format!("{} of {} can be passed again", p.head, p.func)),
                EndKind::CutPoint(cut, state) => {
                    let claim = self.invariant(&mut enc, &cut, &state).map_err(|u| undecided(u.to_string()))?;
                    let broken = enc.store.not(claim);
                    if sabotage::active(Fault::CalleeClaimSkipped) && !cut.calls.is_empty() {
                        continue;
                    }
                    (enc.store.and(end.condition, broken), format!("the invariant at {} does not follow", cut.at))
                }
            };
            bad.push(Bad { condition, at: end.edge.map(|e| (end.func, e)), what });
        }
        self.none_of(&mut enc, &bad)
    }

    /// What is claimed at a cut point.
    fn invariant(&self, enc: &mut Encoder<'_>, cut: &CutPoint, state: &State) -> Result<Term, Unmodelled> {
        let (claims, root) = self.claims[cut];
        formula(enc, &claims.nodes, root, state)
    }

    /// The expressions that must all hold for the claim at a cut point to hold, each with how far out its activation waits.
    fn conjuncts(&self, cut: &CutPoint) -> Vec<(u32, &'a Expr)> {
        let (claims, root) = self.claims[cut];
        let mut found = Vec::new();
        let mut nodes = vec![root];
        while let Some(id) = nodes.pop() {
            match &claims.nodes[id] {
                Node::And(list) => nodes.extend(list.iter().rev()),
                Node::Atom(e) => found.push((0, e)),
                Node::Outer(out, e) => found.push((*out, e)),
                Node::Const(_) | Node::Not(_) | Node::Or(_) | Node::Ite(..) => {}
            }
        }
        found
    }

    /// None of these can happen: one question, or one for each place in order, where those before it are known not to happen.
    fn none_of(&self, enc: &mut Encoder<'_>, bad: &[Bad]) -> Result<(), Rejection> {
        let any = enc.store.or_all(bad.iter().map(|b| b.condition));
        match self.possible(enc, &[any], self.limits.conflicts.min(CONFLICTS_FOR_ALL)) {
            Answer::Unsat(_) => return Ok(()),
            Answer::Sat(model) => return Err(happens(enc, bad, &model)),
            Answer::Unknown(_) => {}
        }
        let mut places: Vec<Option<(FuncId, EdgeId)>> = Vec::new();
        for b in bad {
            if !places.contains(&b.at) {
                places.push(b.at);
            }
        }
        let mut asked = Vec::new();
        for place in places {
            let here = || bad.iter().filter(|b| b.at == place);
            let condition = enc.store.or_all(here().map(|b| b.condition));
            asked.push(condition);
            match self.possible(enc, &asked, self.limits.conflicts) {
                Answer::Unsat(_) => {}
                Answer::Sat(model) => return Err(happens(enc, bad, &model)),
                Answer::Unknown(why) => {
                    let what = here().next().map_or("something happens", |b| b.what.as_str());
                    let reason = format!("undecided whether {what}: {why}");
                    return Err(Rejection { rule: Rule::Unwinding, at: place, reason, undecided: true });
                }
            }
            asked.pop();
            asked.push(enc.store.not(condition));
        }
        Ok(())
    }

    fn possible(&self, enc: &Encoder<'_>, conditions: &[Term], conflicts: u64) -> Answer {
        let variables = self.limits.variables;
        logic::check_valid_within(&enc.store, conditions, enc.store.bool(false), conflicts, variables)
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

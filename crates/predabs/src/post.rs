//! One step of the concrete program, seen through predicates: TACAS01's abstract images as functions of an edge.
//!
//! An abstract state is a set of trivectors over the predicates in scope, each standing for the states that agree with it
//! (§5). The *Boolean* image is the set of bitvectors of the states that one step leads to (§4); the *Cartesian* image of a
//! trivector gives each predicate the value that it has in all of them, or `*` (§6). What C2bp prints computes the Cartesian
//! one; it loses what the predicates have to do with each other after the step (§8, example 1).
//!
//! Both are computed from the step's meaning in `vc` with the solver and share no query: the Boolean image is enumerated
//! bitvector by bitvector, the Cartesian one asks for each predicate by itself.

use crate::options::Options;
use crate::prover::{Prover, Verdict};
use analysis::Analysis;
use boolprog::trivector::{Trit, Trivector};
use ir::{EdgeId, FuncId};
use logic::Term;
use std::collections::BTreeSet;
use vc::{Encoder, PredId, Predicates, Unmodelled};

/// What one step makes of an abstract state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Images {
    /// The predicates that the vectors speak of, in order: those in scope.
    pub predicates: Vec<PredId>,
    /// The bitvectors of the states that the abstract state stands for: some combinations of predicates no state has.
    pub before: BTreeSet<Vec<bool>>,
    /// The Boolean image.
    pub boolean: BTreeSet<Vec<bool>>,
    /// The Cartesian image of each trivector that a step is possible from, kept apart (§9.1).
    pub cartesian: BTreeSet<Trivector>,
}

/// Why there are no images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoImages {
    /// A trivector does not have one value for each predicate in scope; how many there are.
    Arity(usize),
    /// The edge is a call: a step into another function.
    Call,
    /// The step or a predicate has no formula.
    Unmodelled(Unmodelled),
    /// The solver did not decide a question within its limit.
    Undecided,
}

impl std::fmt::Display for NoImages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoImages::Arity(n) => write!(f, "an abstract state has one value for each of the {n} predicates in scope"),
            NoImages::Call => f.write_str("a call is no single step"),
            NoImages::Unmodelled(what) => what.fmt(f),
            NoImages::Undecided => f.write_str("the solver did not decide a question within its limit"),
        }
    }
}

impl std::error::Error for NoImages {}

impl From<Unmodelled> for NoImages {
    fn from(what: Unmodelled) -> NoImages {
        NoImages::Unmodelled(what)
    }
}

/// The images of the abstract state `from` under the edge `edge` of `func`.
pub fn post(
    analysis: &Analysis<'_>,
    predicates: &Predicates,
    (func, edge): (FuncId, EdgeId),
    from: &BTreeSet<Trivector>,
    options: &Options,
) -> Result<Images, NoImages> {
    let in_scope: Vec<PredId> = predicates.in_scope(func).collect();
    if from.iter().any(|v| v.len() != in_scope.len()) {
        return Err(NoImages::Arity(in_scope.len()));
    }
    let mut prover = Prover::new(Encoder::for_proof(analysis), options);
    let edge = analysis.program.edge(func, edge);
    if prover.enc.callee(edge).is_some() {
        return Err(NoImages::Call);
    }
    let before = prover.enc.arbitrary_keeping(func);
    let mut after = before.clone();
    let assumed = prover.enc.step(&mut after, edge)?.assumptions.into_iter().map(|a| (a.term, true));
    let mut step = Step { assumed: assumed.collect(), before: Vec::new(), after: Vec::new(), prover };
    for &id in &in_scope {
        let expr = &predicates.get(id).expr;
        step.before.push(step.prover.enc.eval(&before, expr)?);
        step.after.push(step.prover.enc.eval(&after, expr)?);
    }
    let none = BTreeSet::new();
    let mut images = Images { predicates: in_scope, before: none.clone(), boolean: none, cartesian: BTreeSet::new() };
    for v in from {
        let given = step.definite(v);
        step.bitvectors(&given, When::Before, &mut Vec::new(), &mut images.before)?;
        let given = [&given[..], &step.assumed].concat();
        step.bitvectors(&given, When::After, &mut Vec::new(), &mut images.boolean)?;
        images.cartesian.extend(step.cartesian(&given)?);
    }
    Ok(images)
}

/// A step with the meaning of the predicates before and after it.
struct Step<'p> {
    assumed: Vec<(Term, bool)>,
    before: Vec<Term>,
    after: Vec<Term>,
    prover: Prover<'p>,
}

/// Which values of the predicates are asked for.
#[derive(Clone, Copy)]
enum When {
    Before,
    After,
}

impl Step<'_> {
    /// "The state before is one that `v` stands for."
    fn definite(&self, v: &Trivector) -> Vec<(Term, bool)> {
        self.before.iter().zip(v).filter_map(|(&t, &trit)| Some((t, trit?))).collect()
    }

    fn possible(&mut self, given: &[(Term, bool)], more: &[(Term, bool)]) -> Result<bool, NoImages> {
        match self.prover.check(&[given, more].concat()) {
            Verdict::Possible(_) => Ok(true),
            Verdict::Impossible { .. } => Ok(false),
            Verdict::Undecided => Err(NoImages::Undecided),
        }
    }

    /// Adds the bitvectors that begin with `bits`. Depth of recursion is the number of predicates.
    fn bitvectors(
        &mut self,
        given: &[(Term, bool)],
        when: When,
        bits: &mut Vec<bool>,
        out: &mut BTreeSet<Vec<bool>>,
    ) -> Result<(), NoImages> {
        let terms = match when {
            When::Before => &self.before,
            When::After => &self.after,
        };
        let so_far: Vec<(Term, bool)> = terms.iter().copied().zip(bits.iter().copied()).collect();
        if !self.possible(given, &so_far)? {
            return Ok(());
        }
        if bits.len() == self.after.len() {
            out.insert(bits.clone());
            return Ok(());
        }
        for value in [false, true] {
            bits.push(value);
            self.bitvectors(given, when, bits, out)?;
            bits.pop();
        }
        Ok(())
    }

    fn cartesian(&mut self, given: &[(Term, bool)]) -> Result<Option<Trivector>, NoImages> {
        if !self.possible(given, &[])? {
            return Ok(None);
        }
        let mut out: Trivector = Vec::new();
        for t in self.after.clone() {
            let can = (self.possible(given, &[(t, false)])?, self.possible(given, &[(t, true)])?);
            let trit: Trit = match can {
                (true, true) => None,
                (_, yes) => Some(yes),
            };
            out.push(trit);
        }
        Ok(Some(out))
    }
}

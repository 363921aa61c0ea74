//! The formula of all blocks that begin at one place.

use super::images::Literals;
use super::skeleton::Skeleton;
use super::{End, Graphs, Start, Tag};
use analysis::{Analysis, Unmodelled};
use ir::{EdgeId, Expr, FuncId, Loc, Op};
use logic::{Answer, Context, Lit, Model, Node, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use vc::block::{At, BlockError, Visitor, explore};
use vc::{Encoder, Events, LocationInvariants, PredId, Predicates, Scope, State};

/// All that can happen from a place until the next cut points.
pub(super) struct Unit<'p> {
    pub(super) enc: Encoder<'p>,
    pub(super) context: Context,
    func: FuncId,
    start: Start,
    /// Where it begins: the state of which predicates of the function speak, and the one of which global ones and what was returned do.
    own: State,
    shared: State,
    ends: BTreeMap<End, (Term, State)>,
    /// The ways out of locations; of those out of one at most one has a condition that holds.
    ways: Vec<(EdgeId, Term)>,
    before: FxHashMap<Tag, Option<Term>>,
    after: FxHashMap<(End, Tag), Option<Term>>,
    supports: FxHashMap<Term, Rc<FxHashSet<Symbol>>>,
}

/// Whether a block can lead from one valuation to another.
pub(super) enum Possible {
    /// It can, on this path.
    By(Vec<EdgeId>),
    /// It cannot, because of these values before and after it.
    Not(Literals, Literals),
    Unknown(String),
}

impl<'p> Unit<'p> {
    pub(super) fn new(
        analysis: &'p Analysis<'p>,
        events: Events,
        (func, start): (FuncId, Start),
        graphs: &Graphs,
        invariants: &LocationInvariants,
    ) -> Result<Unit<'p>, String> {
        let mut enc = Encoder::new(analysis, events);
        let program = analysis.program;
        let body = program.body(func);
        let truth = enc.store.bool(true);
        let mut walk = Walk { start: None, ends: BTreeMap::new(), ways: Vec::new() };
        let (own, shared) = match start {
            Start::Program => {
                let (state, _) = enc.initial();
                let state = state.begin_here(program.functions[func].n_params);
                walk.ends.insert(End::At(body.entry), (truth, state.clone()));
                (state.clone(), state)
            }
            Start::At(loc) => {
                let mut state = enc.arbitrary_keeping(func);
                if loc == body.entry {
                    state = enc.begin(&state);
                }
                let known = known(&mut enc, func, loc, &state, invariants);
                walk.start = Some(loc);
                explore(&mut enc, loc, state.clone(), known, |l| graphs.cuts[l], &mut walk).map_err(|e| show(&e))?;
                (state.clone(), state)
            }
            Start::After(call) => {
                let edge = &body.edges[call];
                let before = enc.arbitrary_keeping(func);
                let known = known(&mut enc, func, edge.from, &before, invariants);
                let guards = enc.enter(&mut before.clone(), call, edge).map_err(|u| u.to_string())?;
                let assumed = guards.assumptions.iter().map(|a| a.term).chain([known]);
                let condition = enc.store.and_all(assumed);
                let callee = enc.callee(edge).expect("only calls of functions with a body have ends");
                let mut after = before.clone();
                let modified = analysis.modified.globals(callee);
                let ended = enc.return_by_contract(&mut after, edge, modified).map_err(|u| u.to_string())?;
                if let Some(to) = edge.to {
                    walk.ends.insert(End::At(to), (condition, after));
                }
                (before, ended)
            }
        };
        Ok(Unit {
            enc,
            context: Context::new(),
            func,
            start,
            own,
            shared,
            ends: walk.ends,
            ways: walk.ways,
            before: FxHashMap::default(),
            after: FxHashMap::default(),
            supports: FxHashMap::default(),
        })
    }

    /// What holds if execution comes to an end of the block; `None` if it does not.
    pub(super) fn condition(&self, end: End) -> Option<Term> {
        self.ends.get(&end).map(|(condition, _)| *condition)
    }

    /// What a variable means before the block; `None` if that has no formula.
    pub(super) fn before(&mut self, tag: Tag, (predicates, skeleton): (&Predicates, &Skeleton)) -> Option<Term> {
        if let Some(&known) = self.before.get(&tag) {
            return known;
        }
        let pred = |p: PredId| predicates.get(p);
        let term = match (self.start, tag) {
            (Start::Program, _) | (_, Tag::Formal(_)) => None,
            (Start::At(_), Tag::Pred(p)) => self.enc.eval(&self.own, &pred(p).expr).ok(),
            (Start::After(_), Tag::Pred(p)) => {
                let state = if pred(p).scope == Scope::Global { &self.shared } else { &self.own };
                self.enc.eval(state, &pred(p).expr).ok()
            }
            (_, Tag::Returned(p)) => {
                let seen: Option<&Expr> = skeleton.returned(self.shared.func(), p);
                seen.and_then(|e| self.enc.eval(&self.shared, e).ok())
            }
        };
        self.before.insert(tag, term);
        term
    }

    /// What a variable means at an end of the block.
    pub(super) fn after(&mut self, end: End, tag: Tag, predicates: &Predicates) -> Option<Term> {
        if let Some(&known) = self.after.get(&(end, tag)) {
            return known;
        }
        let term = match (self.ends.get(&end), tag) {
            (Some((_, state)), Tag::Pred(p) | Tag::Formal(p)) => self.enc.eval(state, &predicates.get(p).expr).ok(),
            (None, _) | (_, Tag::Returned(_)) => None,
        };
        self.after.insert((end, tag), term);
        term
    }

    /// Whether a variable was found to say the same before the block and behind it.
    pub(super) fn keeps(&self, end: End, tag: Tag) -> bool {
        let before = self.before.get(&tag).copied().flatten();
        before.is_some() && before == self.after.get(&(end, tag)).copied().flatten()
    }

    /// The symbols in a term.
    pub(super) fn support(&mut self, term: Term) -> Rc<FxHashSet<Symbol>> {
        if let Some(known) = self.supports.get(&term) {
            return known.clone();
        }
        let mut symbols = FxHashSet::default();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut work = vec![term];
        while let Some(t) = work.pop() {
            if !seen.insert(t) {
                continue;
            }
            symbols.extend(self.enc.store.as_symbol(t));
            let node: Node = self.enc.store.node(t);
            work.extend(node.args());
        }
        let symbols = Rc::new(symbols);
        self.supports.insert(term, symbols.clone());
        symbols
    }

    /// The literal that a term has a value.
    pub(super) fn lit(&mut self, term: Term, value: bool) -> Lit {
        let lit = self.context.lit(&self.enc.store, term);
        if value { lit } else { !lit }
    }

    /// Whether the block can lead from one valuation to another.
    pub(super) fn possible(
        &mut self,
        end: End,
        before: &Literals,
        after: &Literals,
        (predicates, skeleton): (&Predicates, &Skeleton),
        conflicts: u64,
    ) -> Possible {
        let Some(condition) = self.condition(end) else { return Possible::Not(Vec::new(), Vec::new()) };
        let mut assumed = Vec::new();
        // What was assumed, by its place: in which of the lists, and where.
        let mut places = Vec::new();
        for (i, &(tag, value)) in before.iter().enumerate() {
            if let Some(term) = self.before(tag, (predicates, skeleton)) {
                assumed.push(self.lit(term, value));
                places.push((true, i));
            }
        }
        for (i, &(tag, value)) in after.iter().enumerate() {
            if let Some(term) = self.after(end, tag, predicates) {
                assumed.push(self.lit(term, value));
                places.push((false, i));
            }
        }
        assumed.push(self.lit(condition, true));
        match self.context.check(&self.enc.store, &assumed, conflicts) {
            Answer::Sat(model) => Possible::By(self.path(end, &model)),
            Answer::Unsat(core) => {
                let taken = |first: bool, list: &Literals| -> Literals {
                    let needed = core.iter().filter_map(|&i| places.get(i)).filter(|p| p.0 == first);
                    needed.map(|&(_, i)| list[i]).collect()
                };
                Possible::Not(taken(true, before), taken(false, after))
            }
            Answer::Unknown(why) => Possible::Unknown(format!("a step of the trace is undecided: {why}")),
        }
    }

    /// The path that a model takes to an end.
    fn path(&self, end: End, model: &Model) -> Vec<EdgeId> {
        let body = self.enc.program.body(self.func);
        let mut edges = Vec::new();
        let Start::At(mut loc) = self.start else { return edges };
        if let End::Before(call) = end {
            return vec![call];
        }
        let mut evaluator = model.evaluator(&self.enc.store);
        loop {
            if let End::Target(e) = end
                && body.edges[e].from == loc
            {
                edges.push(e);
                return edges;
            }
            let mut ways = self.ways.iter().filter(|(e, _)| body.edges[*e].from == loc);
            let Some(&(id, _)) = ways.find(|(_, condition)| evaluator.eval(*condition).as_bool()) else { return edges };
            edges.push(id);
            match body.edges[id].to {
                Some(to) if end != End::At(to) => loc = to,
                _ => return edges,
            }
        }
    }
}

/// The invariants at a location that have a formula, and which locals are alive there.
fn known(enc: &mut Encoder<'_>, func: FuncId, loc: Loc, state: &State, invariants: &LocationInvariants) -> Term {
    let invariants = invariants.at(func, loc).iter();
    let mut known: Vec<Term> = invariants.filter_map(|e| enc.eval(state, e).ok()).collect();
    known.extend(enc.lifetime_invariant(state, loc));
    enc.store.and_all(known)
}

fn show(e: &BlockError) -> String {
    match e {
        BlockError::Cycle(loc) => format!("a cycle through {loc} meets no cut point"),
        BlockError::Unmodelled(edge, why) => format!("{edge}: {why}"),
    }
}

/// Collects the ends of blocks.
struct Walk {
    start: Option<Loc>,
    ends: BTreeMap<End, (Term, State)>,
    ways: Vec<(EdgeId, Term)>,
}

impl Walk {
    fn end(&mut self, enc: &mut Encoder<'_>, end: End, condition: Term, state: &State) {
        let merged = match self.ends.remove(&end) {
            None => (condition, state.clone()),
            Some((other, earlier)) => (enc.store.or(other, condition), enc.merge(condition, state, &earlier)),
        };
        self.ends.insert(end, merged);
    }
}

impl Visitor for Walk {
    type Error = BlockError;

    fn call(&mut self, enc: &mut Encoder<'_>, at: At<'_>, state: &mut State) -> Result<Vec<Term>, BlockError> {
        debug_assert!(self.start == Some(at.edge.from), "calls begin at cut points");
        let begun = enc.callee_state(state, at.edge).map_err(|u| BlockError::Unmodelled(at.id, u))?;
        self.ends.insert(End::Before(at.id), (at.condition, begun));
        // What happens behind the call is another block.
        Ok(vec![enc.store.bool(false)])
    }

    fn arrive(&mut self, enc: &mut Encoder<'_>, at: At<'_>, state: &State) -> Result<(), BlockError> {
        match (&at.edge.op, at.edge.to) {
            (Op::Error(_) | Op::Unsupported(_), _) => self.end(enc, End::Target(at.id), at.condition, state),
            (_, Some(to)) if enc.callee(at.edge).is_none() => self.end(enc, End::At(to), at.condition, state),
            _ => {}
        }
        Ok(())
    }

    fn way(&mut self, id: EdgeId, condition: Term) {
        self.ways.push((id, condition));
    }

    fn unmodelled(&mut self, enc: &mut Encoder<'_>, at: At<'_>, _: Unmodelled) -> Result<(), BlockError> {
        self.ends.insert(End::Target(at.id), (at.condition, enc.arbitrary(enc.program.entry)));
        Ok(())
    }
}

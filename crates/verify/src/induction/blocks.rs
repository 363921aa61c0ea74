//! Blocks: what can happen between two arrivals at cut points, each as one formula over merged states ([`vc::unwinding`]).
//!
//! The cut points are those loop heads of the entry function whose rounds constants do not count, and heads of loops in callees that
//! go round more often than they are unwound, each with the calls that lead there. Recursion is unwound; where that stops there
//! is an end that must not be reached, like a target.

use super::vocabulary;
use crate::deepening::{Again, Bounds, Deepening};
use crate::verdict::Reason;
use analysis::Analysis;
use base::{IndexVec, define_id};
use ir::{BinOp, Call, Callee, EdgeId, Expr, FuncId, IntTy, Loc, Op, Path, Program, Ty};
use logic::{Answer, Context, Lit, Model, Sort, Symbol, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vc::unwinding::{CutPoint, EndKind, Recorder, Unwinding, start, unwind};
use vc::{Encoder, Events, State};

/// How far blocks are unwound.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Edges of one block.
    pub edges: u64,
    /// Terms of one block.
    pub terms: u64,
    /// Rounds of a loop inside a block.
    pub rounds: u32,
    /// Activations of one function at a time.
    pub depth: u32,
    /// Questions to the solver while unwinding a block.
    pub queries: u64,
    /// Solver conflicts for one of those.
    pub conflicts_per_query: u64,
    /// Solver variables of all of those.
    pub variables: u64,
    /// Cut points.
    pub cut_points: usize,
    /// Calls that lead to one of them.
    pub calls: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            edges: 500_000,
            terms: 4_000_000,
            rounds: 64,
            depth: 8,
            queries: 400,
            conflicts_per_query: 300,
            variables: 2_000_000,
            cut_points: 12,
            calls: 6,
        }
    }
}

/// A block is asked many questions: it may be so much larger than what is asked while it is unwound.
const GATES_PER_BLOCK_VARIABLE: u64 = 20;

define_id!(pub(crate) AtomId, "atom", "A condition that the search has spoken of.");

/// An expression about the activation that waits so many calls further out than the current one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Scoped {
    pub(crate) out: u32,
    pub(crate) expr: Expr,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Atom {
    /// That an expression is true.
    Literal(Scoped),
    /// That one of several conditions holds.
    Clause(Vec<AtomId>),
}

/// The conditions that the search has spoken of.
#[derive(Default)]
pub(crate) struct Atoms {
    all: IndexVec<AtomId, Atom>,
    ids: FxHashMap<Atom, AtomId>,
}

impl Atoms {
    /// The condition with this id.
    pub(crate) fn get(&self, id: AtomId) -> &Atom {
        &self.all[id]
    }

    /// The id of a condition.
    pub(crate) fn id(&mut self, atom: Atom) -> AtomId {
        if let Some(&id) = self.ids.get(&atom) {
            return id;
        }
        let id = self.all.push(atom.clone());
        self.ids.insert(atom, id);
        id
    }

    /// The id of the condition that an expression is true.
    pub(crate) fn literal(&mut self, out: u32, expr: Expr) -> AtomId {
        self.id(Atom::Literal(Scoped { out, expr }))
    }

    /// The condition that not all of these literals hold.
    pub(crate) fn not_all(&mut self, literals: &[AtomId]) -> AtomId {
        let negated: Vec<AtomId> = literals
            .iter()
            .map(|&l| match self.get(l).clone() {
                Atom::Literal(Scoped { out, expr }) => self.literal(out, expr.negate()),
                Atom::Clause(_) => unreachable!("cubes consist of literals"),
            })
            .collect();
        match negated[..] {
            [only] => only,
            _ => self.id(Atom::Clause(negated)),
        }
    }

    /// A condition as a term over a state; `None` if it has no meaning there.
    pub(crate) fn term(&self, enc: &mut Encoder<'_>, state: &State, id: AtomId) -> Option<Term> {
        match self.get(id) {
            Atom::Literal(Scoped { out, expr }) => enc.eval(&state.seen_from(*out)?, expr).ok(),
            Atom::Clause(list) => {
                let terms: Vec<Term> = list.iter().map(|&a| self.term(enc, state, a)).collect::<Option<_>>()?;
                Some(enc.store.or_all(terms))
            }
        }
    }
}

/// A cut point, by its place in the list of all.
pub(crate) type Cut = usize;

/// What happens from the start of the program, or from a cut point, until the next one.
pub(crate) struct Block<'p> {
    enc: Encoder<'p>,
    context: Context,
    state: State,
    /// The unwinding, without its ends, which are below.
    unwound: Unwinding,
    /// The equalities that are part of that state.
    pub(crate) settled: Vec<Scoped>,
    arrivals: Vec<Arrival>,
    /// Something that must not happen does.
    bad: Lit,
    /// The same, one by one, with where it does.
    bads: Vec<(Term, Bad)>,
    /// The literals of conditions in the state where the block begins, and where it arrives.
    here: FxHashMap<AtomId, Option<Lit>>,
    there: FxHashMap<(usize, AtomId), Option<Lit>>,
    /// How often loops were followed, by their places.
    granted: FxHashMap<u64, u32>,
}

/// A way of a block to a cut point.
struct Arrival {
    cut: Cut,
    condition: Term,
    lit: Lit,
    state: State,
}

/// Something that must not happen.
#[derive(Clone, Debug)]
pub(crate) struct Bad {
    pub(crate) at: Option<(FuncId, EdgeId)>,
    pub(crate) what: String,
    /// A target is reached.
    pub(crate) target: bool,
    /// An unwinding was not continued.
    pub(crate) stopped: bool,
}

/// What a block does in a model.
#[derive(Clone, Copy)]
pub(crate) enum Outcome<'a> {
    /// Something that must not happen.
    Bad,
    /// It arrives by this way, in a state with these literals.
    Arrives(usize, &'a [AtomId]),
}

/// Which literals of a cube make a block do what it does in a model.
pub(crate) struct Lifted {
    /// Their places in the cube.
    pub(crate) needed: Vec<usize>,
    /// That what the cube does not speak of is as in the model, and that the block does something else.
    fixed: Vec<Lit>,
}

/// All blocks of a program.
pub(crate) struct Blocks<'p> {
    pub(crate) cuts: Vec<CutPoint>,
    pub(crate) start: Block<'p>,
    /// One for each cut point.
    pub(crate) from: Vec<Block<'p>>,
}

impl<'p> Blocks<'p> {
    /// Unwinds all blocks. The cut points are found on the way, and of the `scalars` those that always have one constant value there:
    /// that is assumed where a block begins, and given up where one arrives with another value.
    pub(crate) fn new(analysis: &'p Analysis<'p>, limits: &Limits, events: Events) -> Result<Blocks<'p>, Reason> {
        let mut cuts: BTreeSet<CutPoint> = BTreeSet::new();
        'again: loop {
            if cuts.len() > limits.cut_points {
                return Err(Reason::limit(format!("more than {} loop heads need an invariant", limits.cut_points)));
            }
            let list: Vec<CutPoint> = cuts.iter().cloned().collect();
            let scalars: Vec<Vec<Scalar>> =
                list.iter().map(|cut| vocabulary::scalars(analysis, &stack(analysis.program, &cut.calls))).collect();
            let (mut start, open) = Block::new((analysis, events), limits, None, &[], &cuts)?;
            if !open.is_empty() {
                cuts.extend(open);
                continue 'again;
            }
            // What holds at each cut point; nothing is known of one that no block has arrived at.
            let mut settled: Vec<Option<Vec<Scoped>>> = vec![None; list.len()];
            start.meet(&mut settled, &scalars);
            let mut from: Vec<Option<Block<'p>>> = list.iter().map(|_| None).collect();
            while let Some(cut) = (0..list.len()).find(|&c| match (&settled[c], &from[c]) {
                (Some(now), Some(block)) => block.settled.len() != now.len(),
                (Some(_), None) => true,
                (None, _) => false,
            }) {
                let known = settled[cut].clone().unwrap_or_default();
                let (mut block, open) = Block::new((analysis, events), limits, Some(&list[cut]), &known, &cuts)?;
                if !open.is_empty() {
                    cuts.extend(open);
                    continue 'again;
                }
                block.meet(&mut settled, &scalars);
                from[cut] = Some(block);
            }
            if let Some(cut) = from.iter().position(Option::is_none) {
                // No block arrives there.
                cuts.remove(&list[cut]);
                continue 'again;
            }
            return Ok(Blocks { cuts: list, start, from: from.into_iter().flatten().collect() });
        }
    }
}

impl Blocks<'_> {
    /// Whether other blocks of the same program are the same.
    pub(crate) fn are_like(&self, other: &Blocks<'_>) -> bool {
        let same = |a: &Block<'_>, b: &Block<'_>| {
            a.granted == b.granted
                && a.settled == b.settled
                && a.bads.len() == b.bads.len()
                && a.arrivals.len() == b.arrivals.len()
        };
        let mut pairs = self.from.iter().zip(&other.from);
        self.cuts == other.cuts && same(&self.start, &other.start) && pairs.all(|(a, b)| same(a, b))
    }
}

/// The functions of the activations that these calls make, the newest first and the entry function last.
pub(crate) fn stack(program: &Program, calls: &[EdgeId]) -> Vec<FuncId> {
    let mut stack = vec![program.entry];
    for &call in calls {
        let Op::Call(Call { callee: Callee::Direct(f), .. }) = program.edge(stack[0], call).op else {
            unreachable!("cut points are in activations that direct calls make")
        };
        stack.insert(0, f);
    }
    stack
}

/// A scalar of the activation that waits so many calls further out, which may have one constant value.
pub(crate) enum Scalar {
    /// An integer.
    Int(u32, Rc<Expr>, IntTy),
    /// A pointer, with all that it may be equal to.
    Pointer(u32, Vec<Expr>),
}

impl<'p> Block<'p> {
    /// The block that begins `at` a cut point where some equalities are known to hold, and the heads of loops that it cannot leave
    /// behind.
    fn new(
        (analysis, events): (&'p Analysis<'p>, Events),
        limits: &Limits,
        at: Option<&CutPoint>,
        settled: &[Scoped],
        cuts: &BTreeSet<CutPoint>,
    ) -> Result<(Block<'p>, BTreeSet<CutPoint>), Reason> {
        let program = analysis.program;
        let mut enc = match events {
            Events::GoOn => Encoder::for_proof(analysis),
            Events::End => Encoder::for_path(analysis),
            Events::Either => Encoder::for_both(analysis),
        };
        let (loc, mut state) = begin(&mut enc, at);
        for Scoped { out, expr } in settled {
            enc.settle_in(&mut state, *out, expr);
        }
        // Loops of the entry function are cut where constants do not decide; those of callees if they go round too often.
        let entry = program.entry;
        let rounds: BTreeMap<(FuncId, Loc), u32> =
            program.body(entry).locations.ids().map(|l| ((entry, l), 0)).collect();
        let bounds = Bounds {
            edges: limits.edges,
            terms: limits.terms,
            queries: limits.queries,
            conflicts_per_query: limits.conflicts_per_query,
            variables: limits.variables,
            first_rounds: limits.rounds,
            test_every_round: false,
        };
        let mut guide = Deepening::new(&bounds, &rounds, 0, FxHashMap::default());
        let truth = enc.store.bool(true);
        let unwound = unwind(&mut enc, loc, state.clone(), truth, cuts, &mut guide);
        let granted = guide.granted;
        let mut open = BTreeSet::new();
        for end in &unwound.ends {
            match &end.kind {
                EndKind::Exhausted => {
                    let Limits { edges, terms, .. } = limits;
                    let cause = format!("limit of {edges} edges, or {terms} terms, reached in one block");
                    return Err(Reason::limit(cause));
                }
                EndKind::Stopped(p) if !p.recursion && end.edge.is_none() && p.calls.len() <= limits.calls => {
                    open.insert(CutPoint { calls: p.calls.to_vec(), at: p.head });
                }
                _ => {}
            }
        }
        let mut block = Block {
            enc,
            context: Context::new(),
            state,
            unwound: Unwinding::default(),
            settled: settled.to_vec(),
            arrivals: Vec::new(),
            bad: Context::new().activation(),
            bads: Vec::new(),
            here: FxHashMap::default(),
            there: FxHashMap::default(),
            granted,
        };
        let list: Vec<&CutPoint> = cuts.iter().collect();
        let gates = limits.variables.saturating_mul(GATES_PER_BLOCK_VARIABLE);
        if !block.take_ends(unwound, &list, gates) {
            return Err(Reason::limit(format!("limit of {gates} gates reached in one block")));
        }
        Ok((block, open))
    }

    /// Keeps of what is settled at cut points what holds where this block arrives; at a cut point that is new, that is all that
    /// holds there.
    fn meet(&mut self, settled: &mut [Option<Vec<Scoped>>], scalars: &[Vec<Scalar>]) {
        for arrival in 0..self.arrivals.len() {
            let cut = self.arrivals[arrival].cut;
            let known = settled[cut].take();
            let candidates = known.unwrap_or_else(|| self.constants(arrival, &scalars[cut]));
            let state = &self.arrivals[arrival].state;
            let enc = &mut self.enc;
            let mut holds = |e: &Scoped| {
                let seen = state.seen_from(e.out);
                seen.and_then(|s| enc.eval(&s, &e.expr).ok()).is_some_and(|t| enc.store.bool_of(t) == Some(true))
            };
            settled[cut] = Some(candidates.into_iter().filter(|e| holds(e)).collect());
        }
    }

    /// The scalars that have a constant value where the block arrives, as equalities.
    fn constants(&mut self, arrival: usize, scalars: &[Scalar]) -> Vec<Scoped> {
        let mut found = Vec::new();
        for scalar in scalars {
            match scalar {
                &Scalar::Int(out, ref e, ty) => {
                    let seen = self.arrivals[arrival].state.seen_from(out);
                    let term = seen.and_then(|s| self.enc.eval(&s, e).ok());
                    let value = term.and_then(|t| self.enc.store.constant_of(t)).and_then(|bits| bits.to_u128());
                    let equals = |v| Expr::binary(BinOp::Eq, (**e).clone(), Expr::constant(Ty::Int(ty), v));
                    found.extend(value.map(|v| Scoped { out, expr: equals(v) }));
                }
                Scalar::Pointer(out, list) => {
                    found.extend(list.iter().map(|e| Scoped { out: *out, expr: e.clone() }));
                }
            }
        }
        found
    }

    /// Sorts the ends of the unwinding into arrivals and what must not happen; `false` if that needs more than so many gates.
    fn take_ends(&mut self, mut unwound: Unwinding, cuts: &[&CutPoint], gates: u64) -> bool {
        let program = self.enc.program;
        for end in std::mem::take(&mut unwound.ends) {
            let (target, stopped) = (matches!(end.kind, EndKind::Target), matches!(end.kind, EndKind::Stopped(_)));
            let what = match end.kind {
                EndKind::CutPoint(at, state) => {
                    let cut = cuts.iter().position(|&c| *c == at).expect("blocks end at cut points");
                    let Some(lit) = self.context.lit_within(&self.enc.store, end.condition, gates) else {
                        return false;
                    };
                    self.arrivals.push(Arrival { cut, condition: end.condition, lit, state: *state });
                    continue;
                }
                EndKind::Target => "the target is reached".to_owned(),
                EndKind::Unsupported(why) => format!("unsupported: {why}"),
                EndKind::Unmodelled(what) => what.to_string(),
                EndKind::Stopped(p) if p.recursion => {
                    format!("recursion of `{}` goes deeper than it is followed", program.functions[p.func].name)
                }
                EndKind::Stopped(p) => {
                    format!("a loop in `{}` goes round more often than it is followed", program.functions[p.func].name)
                }
                EndKind::Exhausted => "the block is too large".to_owned(),
            };
            self.bads.push((end.condition, Bad { at: end.edge.map(|e| (end.func, e)), what, target, stopped }));
        }
        let any = self.enc.store.or_all(self.bads.iter().map(|(condition, _)| *condition));
        let Some(bad) = self.context.lit_within(&self.enc.store, any, gates) else { return false };
        self.bad = bad;
        self.unwound = unwound;
        true
    }

    /// The path through the block that a model takes.
    pub(crate) fn path(&self, model: &Model) -> Path {
        self.unwound.path(&self.enc, model)
    }

    /// Whether the block can lead to something bad from a state that satisfies what is assumed.
    pub(crate) fn fails(&mut self, atoms: &Atoms, assumed: &[AtomId], conflicts: u64) -> Answer {
        let mut lits = self.all_here(atoms, assumed);
        lits.push(self.bad);
        self.context.decide(&self.enc.store, &lits, conflicts)
    }

    /// Whether what is assumed excludes a cube where the block begins.
    pub(crate) fn excludes(&mut self, atoms: &Atoms, assumed: &[AtomId], cube: &[AtomId], conflicts: u64) -> bool {
        let mut lits = self.all_here(atoms, assumed);
        lits.extend(self.all_here(atoms, cube));
        self.context.decide(&self.enc.store, &lits, conflicts).is_unsat()
    }

    /// What of the bad happens in a model.
    pub(crate) fn what_fails(&self, model: &Model) -> Option<&Bad> {
        self.bads.iter().find(|(condition, _)| model.holds(&self.enc.store, *condition)).map(|(_, bad)| bad)
    }

    /// The ways of the block to a cut point.
    pub(crate) fn arrivals_at(&self, cut: Cut) -> Vec<usize> {
        (0..self.arrivals.len()).filter(|&a| self.arrivals[a].cut == cut).collect()
    }

    /// Whether the block can arrive in a state with all of `goal`, from one that satisfies what is assumed and `without`. The core of
    /// the answer "no" is in indices of `goal`.
    pub(crate) fn leads_to(
        &mut self,
        atoms: &Atoms,
        (assumed, without): (&[AtomId], Option<AtomId>),
        arrival: usize,
        goal: &[AtomId],
        conflicts: u64,
    ) -> Answer {
        // What changes least from question to question comes first: the solver keeps what follows from it.
        let mut lits: Vec<(Lit, Option<usize>)> =
            self.all_here(atoms, assumed).into_iter().map(|l| (l, None)).collect();
        lits.push((self.arrivals[arrival].lit, None));
        lits.extend(without.and_then(|a| self.here(atoms, a)).map(|l| (l, None)));
        for (i, &e) in goal.iter().enumerate() {
            lits.extend(self.there(atoms, arrival, e).map(|l| (l, Some(i))));
        }
        let only: Vec<Lit> = lits.iter().map(|(l, _)| *l).collect();
        match self.context.decide(&self.enc.store, &only, conflicts) {
            Answer::Unsat(core) => Answer::Unsat(core.into_iter().filter_map(|c| lits[c].1).collect()),
            other => other,
        }
    }

    /// The values of expressions in the state where the block begins.
    pub(crate) fn values<'e>(
        &mut self,
        all: impl IntoIterator<Item = (u32, &'e Expr)>,
        model: &Model,
    ) -> Vec<Option<Value>> {
        let mut term = |(out, e)| self.enc.eval(&self.state.seen_from(out)?, e).ok();
        let terms: Vec<Option<Term>> = all.into_iter().map(&mut term).collect();
        let mut evaluator = model.evaluator(&self.enc.store);
        terms.into_iter().map(|t| t.map(|t| evaluator.eval(t))).collect()
    }

    /// What of a cube, which describes where the block begins in a model, makes it do what it does there: with the inputs of the
    /// model, and what it has in memory that the cube does not speak of, that happens from every state with these literals.
    pub(crate) fn needed(
        &mut self,
        atoms: &Atoms,
        cube: &[AtomId],
        model: &Model,
        what: Outcome<'_>,
        conflicts: u64,
    ) -> Option<Lifted> {
        let outcome = match what {
            Outcome::Bad => self.enc.store.or_all(self.bads.iter().map(|(condition, _)| *condition)),
            Outcome::Arrives(arrival, goal) => {
                let mut all = self.arrivals[arrival].condition;
                for &e in goal {
                    let term = atoms.term(&mut self.enc, &self.arrivals[arrival].state, e)?;
                    all = self.enc.store.and(all, term);
                }
                all
            }
        };
        let own: FxHashSet<Symbol> = self.own_symbols();
        let mut lits = Vec::new();
        for symbol in self.enc.store.symbols_of(&[outcome]) {
            let term = self.enc.store.symbol_term(symbol);
            if !own.contains(&symbol) && !matches!(self.enc.store.sort(term), Sort::Map { .. }) {
                lits.push(self.as_in(model, term));
            }
        }
        let inputs = lits.len();
        let mut places = Vec::new();
        for (i, &e) in cube.iter().enumerate() {
            if let Some(lit) = self.here(atoms, e) {
                lits.push(lit);
                places.push(i);
            }
        }
        let happens_not = !self.context.lit(&self.enc.store, outcome);
        let mut fixed = lits[..inputs].to_vec();
        fixed.push(happens_not);
        lits.push(happens_not);
        let mut answer = self.context.decide(&self.enc.store, &lits, conflicts);
        if answer.is_sat() {
            lits.pop();
            for read in self.enc.store.reads_in(outcome) {
                let same = self.as_in(model, read);
                lits.push(same);
                fixed.push(same);
            }
            lits.push(happens_not);
            answer = self.context.decide(&self.enc.store, &lits, conflicts);
        }
        match answer {
            Answer::Unsat(core) => {
                let needed = core.into_iter().filter_map(|c| places.get(c.checked_sub(inputs)?).copied()).collect();
                Some(Lifted { needed, fixed })
            }
            Answer::Sat(_) | Answer::Unknown(_) => None,
        }
    }

    /// Whether another cube suffices as well.
    pub(crate) fn suffices(&mut self, atoms: &Atoms, cube: &[AtomId], lifted: &Lifted, conflicts: u64) -> bool {
        let mut lits = lifted.fixed.clone();
        lits.extend(self.all_here(atoms, cube));
        self.context.decide(&self.enc.store, &lits, conflicts).is_unsat()
    }

    /// That a term has the value that it has in a model.
    fn as_in(&mut self, model: &Model, term: Term) -> Lit {
        let same = match model.eval(&self.enc.store, term) {
            Value::Bool(true) => term,
            Value::Bool(false) => self.enc.store.not(term),
            Value::Bits(bits) => {
                let value = self.enc.store.constant(&bits);
                self.enc.store.eq(term, value)
            }
        };
        self.context.lit(&self.enc.store, same)
    }

    /// The symbols of the state where the block begins.
    fn own_symbols(&self) -> FxHashSet<Symbol> {
        let frames = (0..).map_while(|out| self.state.seen_from(out));
        let locals = frames.flat_map(|s| s.frame_terms().collect::<Vec<_>>());
        let terms = self.state.shared().terms().chain(locals).flatten();
        terms.filter_map(|t| self.enc.store.as_symbol(t)).collect()
    }

    /// Whether an expression has a meaning in the state where the block begins.
    pub(crate) fn is_meant(&mut self, out: u32, e: &Expr) -> bool {
        self.state.seen_from(out).is_some_and(|s| self.enc.eval(&s, e).is_ok())
    }

    fn all_here(&mut self, atoms: &Atoms, all: &[AtomId]) -> Vec<Lit> {
        all.iter().filter_map(|&e| self.here(atoms, e)).collect()
    }

    fn here(&mut self, atoms: &Atoms, id: AtomId) -> Option<Lit> {
        if let Some(&lit) = self.here.get(&id) {
            return lit;
        }
        let term = atoms.term(&mut self.enc, &self.state, id);
        let lit = term.map(|t| self.context.lit(&self.enc.store, t));
        self.here.insert(id, lit);
        lit
    }

    fn there(&mut self, atoms: &Atoms, arrival: usize, id: AtomId) -> Option<Lit> {
        if let Some(&lit) = self.there.get(&(arrival, id)) {
            return lit;
        }
        let term = atoms.term(&mut self.enc, &self.arrivals[arrival].state, id);
        let lit = term.map(|t| self.context.lit(&self.enc.store, t));
        self.there.insert((arrival, id), lit);
        lit
    }

    /// What the solver has done so far.
    pub(crate) fn spent(&mut self) -> logic::Stats {
        self.context.stats()
    }

    /// The script of this block's unwinding under hypotheses about where it begins.
    pub(crate) fn script(
        &self,
        analysis: &Analysis<'_>,
        at: Option<&CutPoint>,
        cuts: &BTreeSet<CutPoint>,
        (atoms, hypotheses): (&Atoms, &[AtomId]),
        edges: u64,
    ) -> Vec<u32> {
        let mut enc = Encoder::for_proof(analysis);
        let (loc, mut state) = begin(&mut enc, at);
        let mut assumed = enc.store.bool(true);
        for &h in hypotheses {
            if let Some(term) = atoms.term(&mut enc, &state, h) {
                assumed = enc.store.and(assumed, term);
            }
        }
        for &h in hypotheses {
            if let Atom::Literal(Scoped { out, expr }) = atoms.get(h) {
                enc.settle_in(&mut state, *out, expr);
            }
        }
        let mut again = Again::new(self.granted.clone(), edges);
        let mut recorder = Recorder::new(&mut again);
        unwind(&mut enc, loc, state, assumed, cuts, &mut recorder);
        recorder.script
    }
}

/// Where a block begins.
fn begin(enc: &mut Encoder<'_>, at: Option<&CutPoint>) -> (Loc, State) {
    let program = enc.program;
    match at {
        None => (program.body(program.entry).entry, start(enc)),
        Some(cut) => {
            let state = enc.arbitrary_within(&cut.calls, cut.at);
            (cut.at, state.expect("the calls of a cut point follow one another"))
        }
    }
}

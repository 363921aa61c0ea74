//! The bounded engine: everything that can happen until loops and recursion have gone round so often, as one formula over merged
//! states ([`vc::unwinding`]).
//!
//! Two questions are asked of it. *Is a target reached?* A model selects a path of the program, whose own formula is
//! solved again; the inputs come from there and are replayed. *Is any end of the unwinding reached?* If not, what was unwound is all
//! there is, and the script of the unwinding is a proof. Else the loops that can go on are followed twice as far.
//!
//! Loops whose bounds are constants are followed without a question; of others the solver says round by round whether they
//! can go on. A path whose replay fails is excluded, and the search goes on: what is excluded plays no part in a proof.

use crate::deepening::{Again, Bounds, Deepening};
use crate::inputs;
use crate::verdict::{Progress, Reason, Stats, Turn, Verdict};
use analysis::Analysis;
use certify::{CheckLimits, Checked, FunctionProof, Proof, ProofKind, UnwindingProof};
use ir::{EdgeId, FuncId, Loc};
use logic::{Answer, Config, Context, GATES_PER_VARIABLE, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use vc::Encoder;
use vc::unwinding::{End, EndKind, Recorder, Unwinding, start, unwind};

/// How far the search goes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Edges of one unwinding.
    pub edges: u64,
    /// Terms of one unwinding.
    pub terms: u64,
    /// Edges of all unwindings together, after which there is no deeper one.
    pub all_edges: u64,
    /// Questions to the solver while unwinding, in all.
    pub queries: u64,
    /// Solver conflicts for one of those.
    pub conflicts_per_query: u64,
    /// Solver conflicts for one question about a whole unwinding, if it is small: each costs more in a large one.
    pub conflicts: u64,
    /// The same for all of those questions together.
    pub all_conflicts: u64,
    /// Solver variables of one question: a measure of memory.
    pub variables: u64,
    /// Rounds of a loop that the first unwinding follows where constants do not decide.
    pub first_rounds: u32,
    /// The most rounds of a loop.
    pub rounds: u32,
    /// The most activations of one function at a time.
    pub depth: u32,
    /// The most paths that are excluded because their replay fails.
    pub excluded: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            edges: 2_000_000,
            terms: 20_000_000,
            all_edges: 20_000_000,
            queries: 20_000,
            conflicts_per_query: 2_000,
            conflicts: 2_000_000,
            all_conflicts: u64::MAX,
            variables: 20_000_000,
            first_rounds: 4,
            rounds: 1 << 20,
            depth: 1 << 10,
            excluded: 16,
        }
    }
}

impl Limits {
    /// Limits for a first look, where another engine follows: what lies close to the start.
    pub fn quick() -> Limits {
        Limits::default().for_turn(Turn::FIRST)
    }

    /// These limits, or less in an early turn.
    #[must_use]
    pub(crate) fn for_turn(&self, turn: Turn) -> Limits {
        // What doubles costs three times as much, mostly in the solver: as the turns of the other engines grow.
        let edges = turn.limit(4_000, 2, self.edges);
        Limits {
            edges,
            terms: turn.limit(100_000, 2, self.terms),
            all_edges: turn.limit(2 * edges, 1, self.all_edges),
            queries: turn.limit(60, 3, self.queries),
            conflicts_per_query: turn.limit(200, 2, self.conflicts_per_query),
            conflicts: turn.limit(6_000, 3, self.conflicts),
            all_conflicts: turn.limit(6_000, 3, self.all_conflicts),
            variables: turn.limit(200_000, 2, self.variables),
            rounds: turn.small_limit(16, 3, self.rounds),
            depth: turn.small_limit(8, 2, self.depth),
            excluded: turn.small_limit(4, 2, self.excluded),
            first_rounds: self.first_rounds,
        }
    }
}

/// Where all loops end in the unwinding, what stands in the way of an answer is only the solver: there it may have so many times more
/// conflicts and variables, as the other engines seldom find what is then left.
const FINITE: u64 = 16;

/// In a question with so many more solver variables each conflict counts once more.
const SMALL_QUESTION: u64 = 20_000;

/// Looks for a run that reaches a target, or for a proof that there is none.
pub fn search(analysis: &Analysis<'_>, limits: &Limits, progress: &mut dyn Progress, stats: &mut Stats) -> Verdict {
    let mut search = Search {
        analysis,
        limits,
        rounds: BTreeMap::new(),
        dead: FxHashMap::default(),
        lost: None,
        more: 1,
        edges: 0,
        queries: 0,
        conflicts: 0,
    };
    loop {
        match search.unwind_once(progress, stats) {
            Step::Verdict(verdict) => return verdict,
            Step::Deeper => {}
            Step::Stop(reason) => {
                let by_limit = reason.by_limit;
                return Verdict::Unknown(Reason { by_limit, ..search.lost.unwrap_or(reason) });
            }
        }
    }
}

/// What an unwinding came to.
enum Step {
    Verdict(Verdict),
    /// Loops can go on, and may be followed further.
    Deeper,
    Stop(Reason),
}

struct Search<'p> {
    analysis: &'p Analysis<'p>,
    limits: &'p Limits,
    /// How far loops are followed where that is more than at first.
    rounds: BTreeMap<(FuncId, Loc), u32>,
    /// The rounds that were shown not to begin, by the place of their loop in the unwinding.
    dead: FxHashMap<u64, u32>,
    /// The first thing that stood in the way of an answer and will stand there in deeper unwindings, too.
    lost: Option<Reason>,
    /// How many times more the questions about this unwinding may cost.
    more: u64,
    /// Edges and questions of all unwindings so far.
    edges: u64,
    queries: u64,
    /// Conflicts in the questions about whole unwindings, by their weight.
    conflicts: u64,
}

impl Search<'_> {
    fn unwind_once(&mut self, progress: &mut dyn Progress, stats: &mut Stats) -> Step {
        let program = self.analysis.program;
        let entry = program.body(program.entry).entry;
        let mut enc = Encoder::for_both(self.analysis);
        let (state, truth) = (start(&mut enc), enc.store.bool(true));
        let bounds = Bounds {
            edges: self.limits.edges,
            terms: self.limits.terms,
            queries: self.limits.queries,
            conflicts_per_query: self.limits.conflicts_per_query,
            variables: self.limits.variables,
            first_rounds: self.limits.first_rounds,
            test_every_round: true,
        };
        let mut guide = Deepening::new(&bounds, &self.rounds, self.queries, self.dead.clone());
        let unwound = unwind(&mut enc, entry, state, truth, &BTreeSet::new(), &mut guide);
        let (edges, queries) = (guide.edges, guide.queries);
        let (mut spent, granted, dead) = (guide.context.stats(), guide.granted, guide.dead);
        (self.edges, self.queries, self.dead) = (self.edges + edges, queries, dead);
        stats.path_segments += unwound.nodes.len() as u64;
        progress.reached(stats.path_segments);
        let mut context = Context::with_config(Config::Full);
        let goes_on = |end: &End| matches!(end.kind, EndKind::Stopped(_) | EndKind::Exhausted);
        self.more = if unwound.ends.iter().any(goes_on) { 1 } else { FINITE };
        let step = self.decide(&mut enc, &unwound, &mut context, &granted);
        spent.queries += context.stats().queries;
        spent.conflicts += context.stats().conflicts;
        stats.solver_queries += spent.queries;
        stats.solver_conflicts += spent.conflicts;
        step
    }

    /// Asks the two questions.
    fn decide(
        &mut self,
        enc: &mut Encoder<'_>,
        unwound: &Unwinding,
        context: &mut Context,
        granted: &FxHashMap<u64, u32>,
    ) -> Step {
        if let Some(verdict) = self.find_run(enc, unwound, context) {
            return Step::Verdict(verdict);
        }
        let ends = by_edge(enc, unwound.ends.iter());
        match self.any_possible(enc, context, &ends, &[]) {
            Answer::Unsat(_) => match self.prove(granted) {
                Ok(proof) => Step::Verdict(Verdict::Safe(proof)),
                Err(reason) => Step::Stop(reason),
            },
            Answer::Unknown(why) => Step::Stop(Reason::limit(why.to_string())),
            Answer::Sat(_) => self.deepen(enc, unwound, context),
        }
    }

    fn possible(&mut self, enc: &Encoder<'_>, context: &mut Context, conditions: &[Term]) -> Answer {
        if conditions.iter().any(|&c| enc.store.bool_of(c) == Some(false)) {
            return Answer::Unsat(Vec::new());
        }
        let variables = self.limits.variables.saturating_mul(self.more);
        let gates = variables.saturating_mul(GATES_PER_VARIABLE);
        let lits = conditions.iter().map(|&c| context.lit_within(&enc.store, c, gates)).collect::<Option<Vec<_>>>();
        match lits {
            Some(lits) if context.stats().variables <= variables => {
                let before = context.stats();
                let weight = 1 + before.variables / SMALL_QUESTION;
                let left = self.limits.all_conflicts.saturating_mul(self.more).saturating_sub(self.conflicts);
                let most = self.limits.conflicts.saturating_mul(self.more).min(left);
                let answer = context.decide(&enc.store, &lits, most / weight);
                self.conflicts += (context.stats().conflicts - before.conflicts) * weight;
                answer
            }
            _ => Answer::Unknown(logic::Undecided::Size(variables)),
        }
    }

    /// Whether one of several conditions can hold beside others. They are asked in order, each with those before it excluded: what
    /// was shown of the first steps of an execution is known in the questions about later ones.
    fn any_possible(&mut self, enc: &mut Encoder<'_>, context: &mut Context, any: &[Term], with: &[Term]) -> Answer {
        let mut asked = with.to_vec();
        let mut open = None;
        for &condition in any {
            asked.push(condition);
            let answer = self.possible(enc, context, &asked);
            asked.pop();
            match answer {
                Answer::Unsat(_) => asked.push(enc.store.not(condition)),
                Answer::Sat(model) => return Answer::Sat(model),
                Answer::Unknown(why) => open = Some(why),
            }
        }
        open.map_or(Answer::Unsat(Vec::new()), Answer::Unknown)
    }

    /// A run that reaches a target of the unwinding.
    fn find_run(&mut self, enc: &mut Encoder<'_>, unwound: &Unwinding, context: &mut Context) -> Option<Verdict> {
        let targets = unwound.ends.iter().filter(|e| matches!(e.kind, EndKind::Target));
        let reached = by_edge(enc, targets);
        let mut with = vec![enc.run()];
        for _ in 0..=self.limits.excluded {
            let model = match self.any_possible(enc, context, &reached, &with) {
                Answer::Sat(model) => model,
                Answer::Unsat(_) => return None,
                Answer::Unknown(why) => {
                    self.lost.get_or_insert_with(|| Reason::new(why.to_string()));
                    return None;
                }
            };
            let path = unwound.path(enc, &model);
            let why = match inputs::confirm(self.analysis, &path, self.limits.conflicts) {
                Ok(checked) => return Some(Verdict::Unsafe(checked)),
                Err(why) => why,
            };
            let at = path.edges.last().copied();
            let reason = at.map_or_else(|| Reason::new(&why), |(func, edge)| Reason::at(&why, func, edge));
            self.lost.get_or_insert(reason);
            let choices = unwound.choices(enc, &model);
            let same = enc.store.and_all(choices);
            with.push(enc.store.not(same));
        }
        None
    }

    /// Loops that can go on are to be followed twice as far.
    fn deepen(&mut self, enc: &mut Encoder<'_>, unwound: &Unwinding, context: &mut Context) -> Step {
        let mut again: BTreeMap<(FuncId, Loc), Vec<(Term, u64)>> = BTreeMap::new();
        for end in &unwound.ends {
            match &end.kind {
                EndKind::Stopped(p) => again.entry((p.func, p.head)).or_default().push((end.condition, p.context)),
                EndKind::Target | EndKind::CutPoint(..) => {}
                EndKind::Exhausted => return Step::Stop(self.too_large()),
                EndKind::Unsupported(_) | EndKind::Unmodelled(_) => self.lose(enc, end, context),
            }
        }
        if self.edges >= self.limits.all_edges {
            return Step::Stop(self.too_large());
        }
        let mut deeper = false;
        for (key @ (func, head), ends) in again {
            let any = enc.store.or_all(ends.iter().map(|e| e.0));
            if self.possible(enc, context, &[any]).is_unsat() {
                continue;
            }
            // Rounds that could not begin while loops before them were followed less far.
            for (_, context) in &ends {
                self.dead.remove(context);
            }
            let is_call = head == self.analysis.program.body(func).entry;
            let most = if is_call { self.limits.depth } else { self.limits.rounds };
            let rounds = self.rounds.entry(key).or_insert(self.limits.first_rounds.min(most));
            if *rounds >= most {
                return Step::Stop(self.goes_on(func, head, most));
            }
            *rounds = rounds.saturating_mul(2).min(most);
            deeper = true;
        }
        match deeper {
            true => Step::Deeper,
            false => Step::Stop(self.no_proof(enc, unwound, context)),
        }
    }

    /// What was unwound is all there is, and yet there is neither a run nor a proof.
    fn no_proof(&mut self, enc: &mut Encoder<'_>, unwound: &Unwinding, context: &mut Context) -> Reason {
        for end in unwound.ends.iter().filter(|e| matches!(e.kind, EndKind::Target)) {
            if !self.possible(enc, context, &[end.condition]).is_unsat() {
                let cause = "the target is reached only in executions that end before, with an event (an access through null, \
                             outside of an object or after its life) on which no proof may build";
                return end.edge.map_or_else(|| Reason::new(cause), |edge| Reason::at(cause, end.func, edge));
            }
        }
        Reason::new("what was unwound is all there is, but it cannot all be followed")
    }

    fn too_large(&self) -> Reason {
        let far = self.rounds.values().max().copied().unwrap_or(self.limits.first_rounds);
        let (edges, terms) = (self.edges, self.limits.terms);
        let cause =
            format!("limit reached at {edges} edges (at most {terms} terms), with loops followed for {far} rounds");
        Reason::limit(cause)
    }

    fn goes_on(&self, func: FuncId, head: Loc, most: u32) -> Reason {
        let body = self.analysis.program.body(func);
        let edge = body.edges.iter_enumerated().find(|(_, e)| e.from == head).map(|(id, _)| id);
        let cause = match head == body.entry {
            true => format!("recursion goes deeper than {most} activations"),
            false => format!("a loop can go round more than {most} times"),
        };
        let reason = edge.map_or_else(|| Reason::new(&cause), |edge| Reason::at(&cause, func, edge));
        Reason { by_limit: true, ..reason }
    }

    /// Something that can be reached has no formula.
    fn lose(&mut self, enc: &Encoder<'_>, end: &End, context: &mut Context) {
        if self.lost.is_some() || self.possible(enc, context, &[end.condition]).is_unsat() {
            return;
        }
        let cause = match &end.kind {
            EndKind::Unsupported(why) => format!("unsupported: {why}"),
            EndKind::Unmodelled(what) => what.to_string(),
            EndKind::Target | EndKind::Stopped(_) | EndKind::Exhausted | EndKind::CutPoint(..) => return,
        };
        self.lost = Some(end.edge.map_or_else(|| Reason::new(&cause), |edge| Reason::at(&cause, end.func, edge)));
    }

    /// The proof that follows as far as the last unwinding did, checked.
    fn prove(&self, granted: &FxHashMap<u64, u32>) -> Result<Checked<Proof>, Reason> {
        let program = self.analysis.program;
        let mut enc = Encoder::for_proof(self.analysis);
        let (state, truth) = (start(&mut enc), enc.store.bool(true));
        let mut again = Again::new(granted.clone(), self.limits.edges);
        let mut recorder = Recorder::new(&mut again);
        unwind(&mut enc, program.body(program.entry).entry, state, truth, &BTreeSet::new(), &mut recorder);
        let (invariants, scripts) = (FunctionProof::new(program.entry), vec![recorder.script]);
        drop(enc);
        let proof = Proof {
            program: certify::text::program_hash(program),
            ub: program.ub.clone(),
            kind: ProofKind::Unwinding(UnwindingProof { invariants, scripts, inner: Vec::new() }),
        };
        let limits =
            CheckLimits { variables: self.limits.variables.saturating_mul(2 * self.more), ..CheckLimits::default() };
        certify::check_proof(program, proof, &limits).map_err(|r| {
            let what = if r.undecided { "could not be checked" } else { "was not accepted" };
            Reason::new(format!("the proof found {what}: {}: {}", r.rule, r.reason))
        })
    }
}

/// The conditions of ends, those at one edge together, in the order in which the unwinding comes to them.
fn by_edge<'e>(enc: &mut Encoder<'_>, ends: impl Iterator<Item = &'e End>) -> Vec<Term> {
    let mut places: FxHashMap<(FuncId, Option<EdgeId>), usize> = FxHashMap::default();
    let mut all: Vec<Term> = Vec::new();
    for end in ends {
        if enc.store.bool_of(end.condition) == Some(false) {
            continue;
        }
        let at = *places.entry((end.func, end.edge)).or_insert(all.len());
        match all.get(at) {
            Some(&others) => all[at] = enc.store.or(others, end.condition),
            None => all.push(end.condition),
        }
    }
    all
}

//! Direct (existential) abstraction of blocks (SABS13 §6-§9): which valuations of the predicates before a block can become
//! which after it, decided for all predicates at once where the Cartesian method asks for each by itself.
//!
//! A block is a chain of edges; its meaning is that of `vc`'s steps, one after the other. The *assignment table*
//! (definition 2) is found row by row, each by one question whose answer is a new row, until there is none: the paper's
//! 2^(2n) questions become as many as there are rows, and one. Its improvements are in this: unsatisfiable and
//! unattainable post-states cost nothing, and the pre-state is asked only about predicates that the block depends on
//! (definition 5; a predicate over something that the block does not assign counts as dependent, as it must). What the
//! block does not depend on may have any value before it, also one that no state has: so `x := 10` gives `x >= 0` and
//! `x <= 100` the value true whatever they were.
//!
//! From a table come, for each predicate, the pre-states that force it true (ON), force it false (OFF) or leave it open
//! (UNDET), and covers of the first two by prime implicants. Only
//! pre-states without a row are free to be covered: no state has them, or none of theirs gets through the block.

mod blockwise;
mod large;
pub(crate) mod primes;

pub use blockwise::{Blocks, Form, by_blocks, condition_sets};

use crate::cube::Cube;
use crate::options::Options;
use crate::prover::Prover;
use analysis::Analysis;
use boolprog::{Expr, Proc, StmtId, StmtKind, Var};
use ir::cfg::Graph;
use ir::{Body, EdgeId, FuncId, Loc, Op};
use logic::Term;
use std::collections::{BTreeMap, BTreeSet};
use vc::{Encoder, PredId, Predicates, State, Unmodelled};

/// How much one block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// One edge.
    Statement,
    /// Edges that always follow each other, up to a branch, a join or a call.
    Basic,
    /// Everything between two cut points: heads of loops, calls, targets, entry and exit.
    Large,
}

/// A block with its table.
#[derive(Clone, Debug)]
pub struct Block {
    /// The function.
    pub func: FuncId,
    /// Where it begins.
    pub from: Loc,
    /// Where it ends; `None` for a large block without a table, whose ways may end in several places.
    pub to: Option<Loc>,
    /// The edges in order; of a large block all that lie on some way through it.
    pub edges: Vec<EdgeId>,
    /// What it does to the predicates.
    pub table: Result<Table, NoTable>,
}

/// Why a block has no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTable {
    /// A step or a predicate has no formula.
    Unmodelled(Unmodelled),
    /// There are more rows than allowed, or a question was too hard.
    TooLarge,
    /// More predicates than a row has room for.
    TooManyPredicates(usize),
}

/// An assignment table over the predicates in scope. Predicates are numbered by their place in `predicates`, valuations are
/// sets of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The predicates in scope, in order.
    pub predicates: Vec<PredId>,
    /// Those that the block depends on; rows say nothing about the value of the others before it.
    pub dependent: u128,
    /// Values before, of the dependent predicates, and after.
    pub rows: BTreeSet<(u128, u128)>,
    /// Calls of the SAT solver.
    pub calls: u64,
}

/// What a block does to one predicate: disjunctions of cubes over the predicates before it, each a list of the places of
/// predicates and their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Where it becomes true.
    pub on: Vec<Vec<(usize, bool)>>,
    /// Where it becomes false.
    pub off: Vec<Vec<(usize, bool)>>,
    /// Whether it is one of both everywhere that the block can be passed.
    pub complete: bool,
}

/// One cube of a relation: places of predicates with their values before and after the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cubes {
    /// Before.
    pub before: Vec<(usize, bool)>,
    /// After.
    pub after: Vec<(usize, bool)>,
}

/// Relations over more variables or rows are not made smaller.
const MINIMISED_BITS: usize = 12;
const MINIMISED_ROWS: usize = 200;

/// Sets of valuations of more variables are not complemented.
const COMPLEMENTED_BITS: usize = 10;

/// The most rows of one table.
const MAX_ROWS: u64 = 20_000;

/// The tables of all blocks of a function.
pub fn blocks(
    analysis: &Analysis<'_>,
    predicates: &Predicates,
    func: FuncId,
    granularity: Granularity,
    options: &Options,
) -> Vec<Block> {
    blocks_of(analysis, predicates, func, granularity, options, &|_| true)
}

/// The same, of small blocks only those all of whose operations are `wanted`.
fn blocks_of(
    analysis: &Analysis<'_>,
    predicates: &Predicates,
    func: FuncId,
    granularity: Granularity,
    options: &Options,
    wanted: &dyn Fn(&Op) -> bool,
) -> Vec<Block> {
    let in_scope: Vec<PredId> = predicates.in_scope(func).collect();
    let program = analysis.program;
    let Some(body) = &program.functions[func].body else { return Vec::new() };
    let mut prover = Prover::new(Encoder::for_proof(analysis), options);
    if granularity == Granularity::Large {
        return large::blocks(&mut prover, predicates, &in_scope, func, body);
    }
    let mut out = Vec::new();
    for edges in chains(body, granularity) {
        if edges.iter().any(|&e| prover.enc.callee(&body.edges[e]).is_some() || !wanted(&body.edges[e].op)) {
            continue;
        }
        prover.refresh();
        let table = table(&mut prover, predicates, &in_scope, func, body, &edges);
        let (from, to) = (body.edges[edges[0]].from, body.edges[edges[edges.len() - 1]].to);
        out.push(Block { func, from, to, edges, table });
    }
    out
}

/// The blocks of a body: every edge that goes on is in exactly one of them.
fn chains(body: &Body, granularity: Granularity) -> Vec<Vec<EdgeId>> {
    let graph = Graph::new(body);
    let goes_on = |e: EdgeId| body.edges[e].to.is_some() && !matches!(body.edges[e].op, Op::Call(_) | Op::Return(_));
    let alone = |e: EdgeId| !goes_on(e) || granularity == Granularity::Statement;
    // The edge that always comes before this one in a block.
    let before = |e: EdgeId| -> Option<EdgeId> {
        let from = body.edges[e].from;
        let mut into = body.edges.iter_enumerated().filter(|(_, b)| b.to == Some(from)).map(|(id, _)| id);
        let only = into.next().filter(|_| into.next().is_none())?;
        let single = graph.out[from].len() == 1 && from != body.entry;
        (single && !alone(only) && !alone(e)).then_some(only)
    };
    let mut out = Vec::new();
    for (e, edge) in body.edges.iter_enumerated() {
        if edge.to.is_none() || before(e).is_some() {
            continue;
        }
        let mut chain = vec![e];
        let mut last = e;
        while let Some(to) = body.edges[last].to.filter(|_| !alone(last)) {
            let Some(&next) = graph.out[to].first().filter(|&&n| before(n) == Some(last) && !chain.contains(&n)) else {
                break;
            };
            chain.push(next);
            last = next;
        }
        out.push(chain);
    }
    out
}

fn table(
    prover: &mut Prover<'_>,
    predicates: &Predicates,
    in_scope: &[PredId],
    func: FuncId,
    body: &Body,
    edges: &[EdgeId],
) -> Result<Table, NoTable> {
    let start = prover.enc.arbitrary_keeping(func);
    let mut end = start.clone();
    let mut assumed = Vec::new();
    for &e in edges {
        let effects = prover.enc.step(&mut end, &body.edges[e]).map_err(NoTable::Unmodelled)?;
        assumed.extend(effects.assumptions.iter().map(|a| a.term));
    }
    table_of(prover, predicates, in_scope, &start, &end, &assumed)
}

/// The table of what leads from `start` to `end` under what is assumed.
fn table_of(
    prover: &mut Prover<'_>,
    predicates: &Predicates,
    in_scope: &[PredId],
    start: &State,
    end: &State,
    assumed: &[Term],
) -> Result<Table, NoTable> {
    let n = in_scope.len();
    if 2 * n > 128 {
        return Err(NoTable::TooManyPredicates(n));
    }
    let (mut pre, mut post) = (Vec::new(), Vec::new());
    for &id in in_scope {
        let expr = &predicates.get(id).expr;
        pre.push(prover.enc.eval(start, expr).map_err(NoTable::Unmodelled)?);
        post.push(prover.enc.eval(end, expr).map_err(NoTable::Unmodelled)?);
    }
    let dependent = dependent(prover, &pre, &post, assumed);
    let used: Vec<usize> = (0..n).filter(|i| dependent >> i & 1 == 1).collect();
    let before = prover.stats.sat_calls;
    let instances: Vec<Term> = used.iter().map(|&i| pre[i]).chain(post.iter().copied()).collect();
    let mut given: Vec<(Term, bool)> = assumed.iter().map(|&t| (t, true)).collect();
    let axioms = prover.object_axioms(&instances);
    given.extend(axioms.into_iter().map(|t| (t, true)));
    let mut found = Vec::new();
    if !prover.valuations(&given, &instances, &mut found, MAX_ROWS, true).complete {
        return Err(NoTable::TooLarge);
    }
    let spread = |v: u128| used.iter().enumerate().fold(0, |all, (k, &i)| all | (v >> k & 1) << i);
    let low = primes::mask(used.len());
    let rows: BTreeSet<(u128, u128)> = found.iter().map(|v| (spread(v & low), v >> used.len())).collect();
    let calls = prover.stats.sat_calls - before;
    Ok(Table { predicates: in_scope.to_vec(), dependent, rows, calls })
}

/// The predicates whose value before the block says something about what the block does: they share a symbol of the state
/// before with what is assumed on the way or with a predicate after it, or with another such predicate. (Without the last,
/// as the paper has it, `x == 5` before `x := 0` would count for nothing, although together with `x == y` it says what y is.)
fn dependent(prover: &mut Prover<'_>, pre: &[Term], post: &[Term], assumed: &[Term]) -> u128 {
    let mut read = BTreeSet::new();
    for &t in post.iter().chain(assumed) {
        read.extend(prover.support(t).iter().copied());
    }
    let mut found = 0u128;
    loop {
        let before = found;
        for (i, &t) in pre.iter().enumerate() {
            let support = prover.support(t);
            if found >> i & 1 == 0 && support.iter().any(|s| read.contains(s)) {
                found |= 1 << i;
                read.extend(support.iter().copied());
            }
        }
        if found == before {
            return found;
        }
    }
}

impl Table {
    /// The number of predicates.
    pub fn width(&self) -> usize {
        self.predicates.len()
    }

    /// All rows in full: the predicates that the block does not depend on have every value before it (algorithm 1's
    /// `interpolate` and `addAllCombinationsFor`). `None` if there are more than `limit`.
    pub fn full_rows(&self, limit: usize) -> Option<Vec<(u128, u128)>> {
        let free: Vec<usize> = (0..self.width()).filter(|i| self.dependent >> i & 1 == 0).collect();
        if free.len() >= 20 || self.rows.len() << free.len() > limit {
            return None;
        }
        let mut out = Vec::new();
        for &(before, after) in &self.rows {
            for k in 0..1u128 << free.len() {
                let chosen = free.iter().enumerate().fold(0, |all, (j, &i)| all | (k >> j & 1) << i);
                out.push((before | chosen, after));
            }
        }
        out.sort_unstable();
        Some(out)
    }

    /// Whether the block can lead from one valuation to another.
    pub fn allows(&self, before: u128, after: u128) -> bool {
        self.rows.contains(&(before & self.dependent, after))
    }

    /// The values before the block, of the predicates it depends on, from which it can be passed: a sum of cubes without those that
    /// could be left out, over places of predicates and their values.
    pub(crate) fn passable(&self) -> Vec<Vec<(usize, bool)>> {
        let (used, gather) = self.used();
        let on: BTreeSet<u128> = self.rows.iter().map(|&(before, _)| gather(before)).collect();
        let cubes = primes::cover(used.len(), &on, &BTreeSet::new());
        cubes.iter().map(|c| c.literals().map(|(k, value)| (used[k], value)).collect()).collect()
    }

    /// The values before the block from which it cannot be passed, likewise; none of more than ten predicates.
    pub(crate) fn blocked(&self) -> Vec<Vec<(usize, bool)>> {
        let (used, gather) = self.used();
        if used.len() > COMPLEMENTED_BITS {
            return Vec::new();
        }
        let on: BTreeSet<u128> = self.rows.iter().map(|&(before, _)| gather(before)).collect();
        let off: BTreeSet<u128> = (0..1u128 << used.len()).filter(|v| !on.contains(v)).collect();
        let cubes = primes::cover(used.len(), &off, &BTreeSet::new());
        cubes.iter().map(|c| c.literals().map(|(k, value)| (used[k], value)).collect()).collect()
    }

    /// The places of the predicates that the block depends on, and how their values are put side by side.
    fn used(&self) -> (Vec<usize>, impl Fn(u128) -> u128 + use<>) {
        let used: Vec<usize> = (0..self.width()).filter(|i| self.dependent >> i & 1 == 1).collect();
        let places = used.clone();
        (used, move |v| places.iter().enumerate().fold(0, |all, (k, &i)| all | (v >> i & 1) << k))
    }

    /// What the block does to the predicate at this place (SABS13 §9): covers of ON and OFF by primes.
    pub fn assignment(&self, place: usize) -> Assignment {
        let (used, gather) = self.used();
        let mut values: BTreeMap<u128, (bool, bool)> = BTreeMap::new();
        for &(before, after) in &self.rows {
            let entry = values.entry(gather(before)).or_default();
            if after >> place & 1 == 1 {
                entry.1 = true;
            } else {
                entry.0 = true;
            }
        }
        let free: BTreeSet<u128> = if used.len() <= COMPLEMENTED_BITS {
            (0..1u128 << used.len()).filter(|v| !values.contains_key(v)).collect()
        } else {
            BTreeSet::new()
        };
        let only = |want: (bool, bool)| -> BTreeSet<u128> {
            values.iter().filter(|(_, v)| **v == want).map(|(k, _)| *k).collect()
        };
        let (on, off) = (only((false, true)), only((true, false)));
        let complete = on.len() + off.len() == values.len();
        let show = |cubes: Vec<Cube>| -> Vec<Vec<(usize, bool)>> {
            cubes.iter().map(|c| c.literals().map(|(k, value)| (used[k], value)).collect()).collect()
        };
        let cover = |set: &BTreeSet<u128>| show(primes::cover(used.len(), set, &free));
        Assignment { on: cover(&on), off: cover(&off), complete }
    }

    /// The table as a sum of cubes over the values before and after: pairs of lists of places and values. Made small by
    /// primes where that is cheap.
    pub fn relation(&self) -> Vec<Cubes> {
        let n = self.width();
        let (used, gather) = self.used();
        let bits = used.len() + n;
        let rows: BTreeSet<u128> =
            self.rows.iter().map(|&(before, after)| gather(before) | after << used.len()).collect();
        let cubes = if bits <= MINIMISED_BITS && rows.len() <= MINIMISED_ROWS {
            primes::cover(bits, &rows, &BTreeSet::new())
        } else {
            rows.iter().map(|&v| Cube { pos: v, neg: !v & primes::mask(bits) }).collect()
        };
        let show = |c: &Cube| -> Cubes {
            let (before, after): (Vec<_>, Vec<_>) = c.literals().partition(|(k, _)| *k < used.len());
            let before = before.into_iter().map(|(k, v)| (used[k], v)).collect();
            Cubes { before, after: after.into_iter().map(|(k, v)| (k - used.len(), v)).collect() }
        };
        cubes.iter().map(show).collect()
    }

    /// What the paper's direct method would ask: 2^(2n) questions.
    pub fn papers_direct(&self) -> u128 {
        1u128.checked_shl(2 * self.width() as u32).unwrap_or(u128::MAX)
    }

    /// What its Cartesian method would ask: 2n * 2^n questions.
    pub fn papers_cartesian(&self) -> u128 {
        let n = self.width() as u32;
        1u128.checked_shl(n).and_then(|p| p.checked_mul(2 * u128::from(n))).unwrap_or(u128::MAX)
    }
}

/// What [`constrain`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Constrained {
    /// Statements that were given a relation.
    pub statements: u64,
    /// Rows of all tables.
    pub rows: u64,
    /// Calls of the SAT solver.
    pub calls: u64,
}

/// The statement of a step that changes values: an edge is an assumption, an assignment, or both in this order, and only the
/// last of them sees the values before and after it. `None` if the edge is neither.
fn last_of_step(proc: &Proc, first: StmtId) -> Option<StmtId> {
    let kind = |at: StmtId| proc.body.get(at).map(|s| &s.kind);
    let same = |at: StmtId| proc.body.get(at).is_some_and(|s| s.tag == proc.body[first].tag);
    match kind(first)? {
        StmtKind::Assign(_) => Some(first),
        StmtKind::Assume(_) if matches!(kind(first.next()), Some(StmtKind::Assign(_))) && same(first.next()) => {
            Some(first.next())
        }
        StmtKind::Assume(_) => Some(first),
        _ => None,
    }
}

/// Gives each statement of a boolean program the relation of its edge's table: then it is the existential abstraction of
/// its statements, where the assignments alone are the Cartesian one. Calls keep what they have.
pub fn constrain(
    analysis: &Analysis<'_>,
    predicates: &Predicates,
    abstraction: &mut crate::Abstraction,
    options: &Options,
) -> Constrained {
    let mut done = Constrained::default();
    for func in analysis.program.functions.ids() {
        let Some(map) = abstraction.functions[func].clone() else { continue };
        for block in blocks(analysis, predicates, func, Granularity::Statement, options) {
            let ([edge], Ok(table)) = (&block.edges[..], &block.table) else { continue };
            done.calls += table.calls;
            done.rows += table.rows.len() as u64;
            let Some(first) = map.edges[*edge] else { continue };
            let Some(stmt) = last_of_step(&abstraction.program.procs[map.proc], first) else { continue };
            let vars: Vec<Option<Var>> = table.predicates.iter().map(|&p| abstraction.var(func, p)).collect();
            let Some(vars) = vars.into_iter().collect::<Option<Vec<Var>>>() else { continue };
            let relation = blockwise::relation(&vars, &table.relation());
            let at = &mut abstraction.program.procs[map.proc].body[stmt];
            at.constrain = Some(match at.constrain.take() {
                Some(old) => Expr::and([old, relation]),
                None => relation,
            });
            done.statements += 1;
        }
    }
    done
}

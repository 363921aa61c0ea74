//! Questions about floating-point numbers decided by ranges, before any circuit: interval constraint propagation, and
//! branch and prune.
//!
//! Every pattern that is used as a number has a range: all numbers between two of the format, and perhaps what is not a number.
//! Ranges go forward through operations - rounding is monotone, so the ends of a sum's range are the rounded sums of ends, exactly
//! as the operation itself computes them - and are cut by the comparisons that are assumed. If one becomes empty, the assumptions
//! contradict each other. If none does, the cases of a disjunction, or the halves of the range of a leaf, are asked one by one ([`decide`]); the middle of a
//! box is tried as a model on the way.
//!
//! What is shown here becomes part of proofs: every range must contain every value that its term can have where the assumptions
//! hold. A term of which nothing is known has the full range. The oracle (`float_ranges`) evaluates.

mod assume;
mod climb;
mod forward;
mod order;

use std::cell::RefCell;

use base::sabotage::{self, Fault};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{FloatKind, FloatOp, Format, exact};
use crate::bits::Bits;
use crate::eval::{Assignment, Evaluator, Value};
use crate::store::Store;
use crate::term::{BinOp, Node, Term};
use order::{Range, infinity, is_plain, pattern, place};

/// What was found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The literals contradict each other.
    Refuted,
    /// Values under which the literals hold.
    Model(Assignment),
    /// Nothing within the budget.
    Open,
}

/// A term as a number of a format, or as an integer with or without sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Reading {
    Float(Format),
    Int { signed: bool },
}

/// The full range of a reading.
fn everything(store: &Store, t: Term, reading: Reading) -> Range {
    match reading {
        Reading::Float(f) => Range { low: -infinity(f), high: infinity(f), nan: true },
        Reading::Int { signed } => {
            let width = store.width(t);
            if signed {
                Range { low: -(1 << (width - 1)), high: (1 << (width - 1)) - 1, nan: false }
            } else {
                Range { low: 0, high: (1 << width) - 1, nan: false }
            }
        }
    }
}

/// Whether integers of this width have ranges.
fn has_range(width: u32) -> bool {
    width <= 120
}

fn integer(bits: &Bits, signed: bool) -> i128 {
    let value = bits.to_u128().expect("integers with ranges have at most 120 bits") as i128;
    if signed && bits.sign() { value - (1 << bits.width()) } else { value }
}

/// A question: terms with their readings, and what is assumed of them.
struct Question<'a> {
    store: &'a Store,
    /// In the order of terms: operands before what is made of them.
    cells: Vec<(Term, Reading)>,
    index: FxHashMap<(Term, Reading), usize>,
    /// What is assumed, as it was asked.
    asked: Vec<(Term, bool)>,
    /// The cells of symbols and reads, whose ranges are cut in two.
    leaves: Vec<usize>,
}

/// A part of all valuations: where these ranges hold and this is assumed.
#[derive(Clone)]
struct Space {
    /// The range of each cell.
    ranges: Vec<Range>,
    assumed: FxHashMap<Term, bool>,
    /// What is assumed of comparisons and the like.
    literals: Vec<(Term, bool)>,
    /// Disjunctions: one of each holds.
    clauses: Vec<Vec<(Term, bool)>>,
    /// Truth values that were asked for since the ranges went forward last.
    memo: RefCell<FxHashMap<Term, Option<bool>>>,
}

/// How many parts of a disjunction are looked at.
const MOST_DISJUNCTS: usize = 64;
/// Disjunctions with more parts than this are not cases to tell apart.
const MOST_PARTS: usize = 12;
/// How deep truth values are evaluated.
const DEPTH: u32 = 24;
/// How often ranges go forward before a box is cut.
const ROUNDS: usize = 6;

impl<'a> Question<'a> {
    fn new(store: &'a Store, literals: &[(Term, bool)]) -> Question<'a> {
        let mut q = Question {
            store,
            cells: Vec::new(),
            index: FxHashMap::default(),
            asked: literals.to_vec(),
            leaves: Vec::new(),
        };
        q.collect(&literals.iter().map(|&(t, _)| t).collect::<Vec<_>>());
        q
    }

    /// All valuations under which the literals may hold; `None` if they contradict each other as they stand.
    fn start(&self) -> Option<Space> {
        let ranges = self.cells.iter().map(|&(t, reading)| everything(self.store, t, reading)).collect();
        let mut space = Space {
            ranges,
            assumed: FxHashMap::default(),
            literals: Vec::new(),
            clauses: Vec::new(),
            memo: RefCell::default(),
        };
        self.asked.iter().all(|&(t, holds)| self.add(&mut space, t, holds)).then_some(space)
    }

    /// Assumes a truth value; false if that is a contradiction as it stands.
    fn add(&self, space: &mut Space, t: Term, holds: bool) -> bool {
        let mut todo = vec![(t, holds)];
        while let Some((t, holds)) = todo.pop() {
            match space.assumed.insert(t, holds) {
                Some(known) if known == holds => continue,
                Some(_) => return false,
                None => {}
            }
            match self.store.node(t) {
                Node::Bool(b) if b != holds => return false,
                Node::Bool(_) => {}
                Node::Not(a) => todo.push((a, !holds)),
                Node::And(a, b) if holds => todo.extend([(a, true), (b, true)]),
                Node::And(..) => space.clauses.push(self.disjuncts(t)),
                _ => space.literals.push((t, holds)),
            }
        }
        true
    }

    /// What the negation of a conjunction is a disjunction of.
    fn disjuncts(&self, t: Term) -> Vec<(Term, bool)> {
        let (mut out, mut todo) = (Vec::new(), vec![t]);
        while let Some(t) = todo.pop() {
            match self.store.node(t) {
                Node::And(a, b) if out.len() + todo.len() < MOST_DISJUNCTS => todo.extend([a, b]),
                Node::Not(a) => out.push((a, true)),
                _ => out.push((t, false)),
            }
        }
        out
    }

    fn collect(&mut self, terms: &[Term]) {
        let store = self.store;
        let mut todo: Vec<(Term, Reading)> = Vec::new();
        store.each_part(terms, |t, node| {
            let (Node::Float1(op, ..) | Node::Float2(op, ..) | Node::Float3(op, ..)) = node else { return };
            let operand = match op.kind {
                FloatKind::FromInt { signed, .. } => Reading::Int { signed },
                _ => Reading::Float(op.format),
            };
            todo.extend(node.args().map(|a| (a, operand)));
            match op.kind {
                FloatKind::Eq | FloatKind::Lt | FloatKind::Le => {}
                FloatKind::ToInt { signed, .. } => todo.push((t, Reading::Int { signed })),
                FloatKind::Convert { to } => todo.push((t, Reading::Float(to))),
                _ => todo.push((t, Reading::Float(op.format))),
            }
        });
        let mut seen: FxHashSet<(Term, Reading)> = FxHashSet::default();
        while let Some((t, reading)) = todo.pop() {
            let known = match reading {
                Reading::Float(f) => is_plain(f) && store.width(t) == f.width(),
                Reading::Int { .. } => has_range(store.width(t)),
            };
            if !known || !seen.insert((t, reading)) {
                continue;
            }
            self.cells.push((t, reading));
            match (store.node(t), reading) {
                (Node::Ite(_, a, b), _) => todo.extend([(a, reading), (b, reading)]),
                (_, Reading::Float(f)) => {
                    let below = store.float_negated(f, t).or_else(|| store.float_absolute_of(f, t));
                    todo.extend(below.map(|a| (a, reading)));
                }
                (Node::ZeroExt { arg, .. }, _) => todo.push((arg, Reading::Int { signed: false })),
                (Node::SignExt { arg, .. }, Reading::Int { signed: true }) => todo.push((arg, reading)),
                (Node::Bin(BinOp::Add | BinOp::Mul, a, b), _) => todo.extend([(a, reading), (b, reading)]),
                _ => {}
            }
        }
        self.cells.sort_unstable();
        self.index = self.cells.iter().enumerate().map(|(i, &cell)| (cell, i)).collect();
        let is_leaf = |&(t, _): &(Term, Reading)| matches!(store.node(t), Node::Symbol(_) | Node::Select(..));
        self.leaves = (0..self.cells.len()).filter(|&i| is_leaf(&self.cells[i])).collect();
    }

    fn get(&self, space: &Space, t: Term, reading: Reading) -> Range {
        match self.index.get(&(t, reading)) {
            Some(&i) => space.ranges[i],
            None => match reading {
                Reading::Float(f) if !is_plain(f) => Range { low: i128::MIN / 4, high: i128::MAX / 4, nan: true },
                Reading::Int { .. } if !has_range(self.store.width(t)) => {
                    Range { low: i128::MIN / 4, high: i128::MAX / 4, nan: false }
                }
                _ => everything(self.store, t, reading),
            },
        }
    }

    /// Makes the ranges as small as this can; false if they show a contradiction.
    fn contract(&self, space: &mut Space) -> bool {
        for _ in 0..ROUNDS {
            let mut changed = false;
            space.memo.get_mut().clear();
            for (i, &(t, reading)) in self.cells.iter().enumerate() {
                if let Some(new) = self.forward(space, t, reading) {
                    let new = space.ranges[i].meet(new);
                    changed |= new != space.ranges[i];
                    space.ranges[i] = new;
                }
                if space.ranges[i].is_empty() {
                    return false;
                }
            }
            for k in 0..space.literals.len() {
                let (t, holds) = space.literals[k];
                if self.decided(space, t) == Some(!holds) {
                    return false;
                }
                changed |= self.assume(space, t, holds);
            }
            space.memo.get_mut().clear();
            for clause in std::mem::take(&mut space.clauses) {
                let value = |&(t, holds): &(Term, bool)| self.status(space, t, DEPTH).map(|b| b == holds);
                if clause.iter().any(|d| value(d) == Some(true)) {
                    continue;
                }
                let open: Vec<(Term, bool)> = clause.iter().copied().filter(|d| value(d).is_none()).collect();
                match open[..] {
                    [] => return false,
                    [(t, holds)] => {
                        changed = true;
                        if !self.add(space, t, holds) {
                            return false;
                        }
                    }
                    _ => space.clauses.push(open),
                }
            }
            if !changed {
                break;
            }
        }
        !space.ranges.iter().any(|r| r.is_empty())
    }

    /// Parts that make up the space: by the shortest disjunction, or in halves by the range of a leaf. `None` if there is nothing
    /// to tell apart.
    fn parts(&self, space: &Space, first: &[f64]) -> Option<Vec<Space>> {
        let shortest = (0..space.clauses.len()).min_by_key(|&k| space.clauses[k].len());
        if let Some(k) = shortest.filter(|&k| space.clauses[k].len() <= MOST_PARTS) {
            let mut parts = Vec::new();
            for &(t, holds) in &space.clauses[k] {
                let mut part = space.clone();
                part.clauses.remove(k);
                if self.add(&mut part, t, holds) {
                    parts.push(part);
                }
            }
            return Some(parts);
        }
        let halves = self.halves(&space.ranges, first)?;
        let kept = if sabotage::active(Fault::BoxLost) { 1 } else { 2 };
        Some(halves.into_iter().take(kept).map(|ranges| Space { ranges, ..space.clone() }).collect())
    }

    /// The box in halves: at the leaf whose range is widest, measured against what it was at first.
    fn halves(&self, ranges: &[Range], first: &[f64]) -> Option<[Vec<Range>; 2]> {
        let open = |i: &usize| ranges[*i].low < ranges[*i].high || ranges[*i].nan && ranges[*i].has_numbers();
        let share = |i: usize| if ranges[i].nan { 2.0 } else { self.extent(ranges[i], i) / first[i] };
        let mut best: Option<(f64, usize)> = None;
        for i in self.leaves.iter().copied().filter(open) {
            let share = share(i);
            if best.is_none_or(|(most, _)| share > most) {
                best = Some((share, i));
            }
        }
        let (_, i) = best?;
        let (mut a, mut b) = (ranges.to_vec(), ranges.to_vec());
        if ranges[i].nan {
            a[i].nan = false;
            b[i] = Range { low: 1, high: 0, nan: true };
        } else {
            let middle = self.middle(ranges[i], i);
            a[i].high = middle;
            b[i].low = middle + 1;
        }
        Some([a, b])
    }

    /// The value at a place, nearly.
    fn value(&self, at: i128, cell: usize) -> f64 {
        match self.cells[cell].1 {
            Reading::Int { .. } => at as f64,
            Reading::Float(f) => {
                let op = FloatOp::new(FloatKind::Convert { to: Format::DOUBLE }, f);
                f64::from_bits(exact::apply(op, &[pattern(f, at)]).as_bits().words()[0])
            }
        }
    }

    fn extent(&self, range: Range, cell: usize) -> f64 {
        let extent = self.value(range.high, cell) - self.value(range.low, cell);
        if extent.is_finite() { extent } else { f64::MAX }
    }

    /// A place in the middle, below the highest: halfway between the values, or else halfway in the order.
    fn middle(&self, range: Range, cell: usize) -> i128 {
        let in_order = range.low + (range.high - range.low) / 2;
        let Reading::Float(f) = self.cells[cell].1 else { return in_order };
        let value = self.value(range.low, cell) / 2.0 + self.value(range.high, cell) / 2.0;
        let op = FloatOp::new(FloatKind::Convert { to: f }, Format::DOUBLE);
        let bits = exact::apply(op, &[Bits::new(64, value.to_bits())]).as_bits().clone();
        place(f, &bits).filter(|&at| range.low <= at && at < range.high).unwrap_or(in_order)
    }

    /// The middle of a box as values of all symbols, if the literals hold there.
    fn sample(&self, space: &Space) -> Option<Assignment> {
        self.centre(space).filter(|assignment| self.holds(assignment))
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let mut evaluator = Evaluator::new(self.store, assignment);
        self.asked.iter().all(|&(t, holds)| evaluator.eval(t).as_bool() == holds)
    }

    /// The middle of a box as values of all symbols, with truth values as they are assumed; `None` if a leaf is no symbol.
    fn centre(&self, space: &Space) -> Option<Assignment> {
        let ranges = &space.ranges;
        let mut assignment = Assignment::new();
        for &(t, holds) in &space.literals {
            if let Some(symbol) = self.store.as_symbol(t) {
                assignment.set(symbol, Value::Bool(holds));
            }
        }
        for &i in &self.leaves {
            let (t, reading) = self.cells[i];
            let symbol = self.store.as_symbol(t)?;
            let range = ranges[i];
            let value = match reading {
                Reading::Float(f) if !range.has_numbers() => f.nan(),
                Reading::Float(f) => {
                    pattern(f, if range.low == range.high { range.low } else { self.middle(range, i) })
                }
                Reading::Int { .. } => Bits::from_u128(self.store.width(t), self.middle(range, i) as u128),
            };
            if assignment.get(symbol).is_none() {
                assignment.set(symbol, Value::Bits(value));
            }
        }
        Some(assignment)
    }
}

/// How many boxes are tried as models.
const SAMPLES: u64 = 24;

/// Whether numbers that are not constant are multiplied or divided: what ranges decide better than circuits.
pub(crate) fn is_hard(store: &Store, terms: &[Term]) -> bool {
    let mut found = false;
    store.each_part(terms, |_, node| {
        found |= match node {
            Node::Float2(op, a, b) => {
                matches!(op.kind, FloatKind::Mul | FloatKind::Div) && !store.is_const(a) && !store.is_const(b)
            }
            Node::Float1(op, _) => op.kind == FloatKind::Sqrt,
            Node::Float3(..) => true,
            _ => false,
        };
    });
    found
}

/// Whether a term has an operation on floating-point numbers.
pub fn speaks_of_floats(store: &Store, t: Term) -> bool {
    let mut found = false;
    store.each_part(&[t], |_, node| {
        found |= matches!(node, Node::Float1(..) | Node::Float2(..) | Node::Float3(..));
    });
    found
}

/// Can the literals (terms with the truth value that they have) hold together? At most `boxes` boxes are looked at.
pub fn decide(store: &Store, literals: &[(Term, bool)], boxes: u64) -> Outcome {
    let q = Question::new(store, literals);
    let Some(mut start) = q.start() else { return Outcome::Refuted };
    if q.cells.is_empty() {
        return Outcome::Open;
    }
    if !q.contract(&mut start) {
        return Outcome::Refuted;
    }
    let first: Vec<f64> = (0..q.cells.len()).map(|i| q.extent(start.ranges[i], i).max(f64::MIN_POSITIVE)).collect();
    let mut todo = vec![start];
    let mut looked_at = 0;
    while let Some(mut space) = todo.pop() {
        looked_at += 1;
        if looked_at > boxes {
            return Outcome::Open;
        }
        if !q.contract(&mut space) {
            continue;
        }
        let parts = q.parts(&space, &first);
        // Where nothing is left to tell apart, the only values that there are decide.
        if (looked_at <= SAMPLES || parts.is_none())
            && let Some(model) = q.sample(&space)
        {
            return Outcome::Model(model);
        }
        if looked_at == 1
            && let Some(model) = q.climb(&space)
        {
            return Outcome::Model(model);
        }
        let Some(parts) = parts else { return Outcome::Open };
        todo.extend(parts.into_iter().rev());
    }
    Outcome::Refuted
}

//! Questions about floating-point numbers decided by ranges, before any circuit: interval constraint propagation, and
//! branch and prune.
//!
//! Every pattern that is used as a number has a range: all numbers between two of the format, and perhaps what is not a number.
//! Ranges go forward through operations - rounding is monotone, so the ends of a sum's range are the rounded sums of ends, exactly
//! as the operation itself computes them - and are cut by the comparisons that are assumed. If one becomes empty, the assumptions
//! contradict each other. If none does, the range of a leaf is cut in two and each half is asked ([`decide`]); the middle of a
//! box is tried as a model on the way.
//!
//! What is shown here becomes part of proofs: every range must contain every value that its term can have where the assumptions
//! hold. A term of which nothing is known has the full range. The oracle ([`crate::oracle::float_ranges`]) evaluates.

use base::sabotage::{self, Fault};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{FloatKind, FloatOp, Format, Rounding, exact};
use crate::bits::Bits;
use crate::eval::{Assignment, Evaluator, Value};
use crate::store::Store;
use crate::term::{BinOp, Node, Sort, Term};

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

/// Numbers in order: of integers the values, of floats their place in the order of the format, both zeroes being 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    low: i128,
    high: i128,
    nan: bool,
}

impl Range {
    fn point(at: i128) -> Range {
        Range { low: at, high: at, nan: false }
    }

    fn is_empty(self) -> bool {
        self.low > self.high && !self.nan
    }

    fn has_numbers(self) -> bool {
        self.low <= self.high
    }

    fn contains(self, at: i128) -> bool {
        self.low <= at && at <= self.high
    }

    fn meet(self, other: Range) -> Range {
        Range { low: self.low.max(other.low), high: self.high.min(other.high), nan: self.nan && other.nan }
    }

    fn join(self, other: Range) -> Range {
        match (self.has_numbers(), other.has_numbers()) {
            (false, _) => Range { nan: self.nan || other.nan, ..other },
            (_, false) => Range { nan: self.nan || other.nan, ..self },
            _ => Range { low: self.low.min(other.low), high: self.high.max(other.high), nan: self.nan || other.nan },
        }
    }
}

/// Formats whose order this knows: those in which a number has one pattern.
fn is_plain(f: Format) -> bool {
    !f.explicit && f.width() <= 127
}

fn magnitude(f: Format, bits: &Bits) -> i128 {
    bits.extract(f.width() - 2, 0).to_u128().expect("plain formats have at most 127 bits") as i128
}

/// The place of a pattern in the order; `None` for a NaN.
fn place(f: Format, bits: &Bits) -> Option<i128> {
    let m = magnitude(f, bits);
    if m > infinity(f) {
        return None;
    }
    Some(if bits.bit(f.width() - 1) { -m } else { m })
}

fn infinity(f: Format) -> i128 {
    magnitude(f, &f.infinity(false))
}

/// The pattern at a place; of the zeroes the positive one.
fn pattern(f: Format, at: i128) -> Bits {
    let m = Bits::from_u128(f.width(), at.unsigned_abs());
    if at < 0 { m.or(&Bits::from_fn(f.width(), |i| i == f.width() - 1)) } else { m }
}

/// An operation on patterns: by the machine where that has it, which the tests compare with the definition.
fn compute(op: FloatOp, args: &[Bits]) -> Bits {
    if op.rounding == Rounding::NearestEven && op.format == Format::DOUBLE {
        let x = |i: usize| f64::from_bits(args[i].words()[0]);
        let result = match op.kind {
            FloatKind::Add => Some(x(0) + x(1)),
            FloatKind::Sub => Some(x(0) - x(1)),
            FloatKind::Mul => Some(x(0) * x(1)),
            FloatKind::Div => Some(x(0) / x(1)),
            _ => None,
        };
        if let Some(y) = result {
            return Bits::new(64, y.to_bits());
        }
    }
    if op.rounding == Rounding::NearestEven && op.format == Format::SINGLE {
        let x = |i: usize| f32::from_bits(args[i].words()[0] as u32);
        let result = match op.kind {
            FloatKind::Add => Some(x(0) + x(1)),
            FloatKind::Sub => Some(x(0) - x(1)),
            FloatKind::Mul => Some(x(0) * x(1)),
            FloatKind::Div => Some(x(0) / x(1)),
            _ => None,
        };
        if let Some(y) = result {
            return Bits::new(32, y.to_bits().into());
        }
    }
    exact::apply(op, args).as_bits().clone()
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
    /// What is assumed of comparisons and the like.
    literals: Vec<(Term, bool)>,
    /// Disjunctions: one of each holds.
    clauses: Vec<Vec<(Term, bool)>>,
    assumed: FxHashMap<Term, bool>,
    /// The cells of symbols and reads, whose ranges are cut in two.
    leaves: Vec<usize>,
    contradiction: bool,
}

/// How many parts of a disjunction are looked at.
const MOST_DISJUNCTS: usize = 64;
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
            literals: Vec::new(),
            clauses: Vec::new(),
            assumed: FxHashMap::default(),
            leaves: Vec::new(),
            contradiction: false,
        };
        let mut todo = literals.to_vec();
        while let Some((t, holds)) = todo.pop() {
            if q.assumed.insert(t, holds) == Some(!holds) {
                q.contradiction = true;
            }
            match store.node(t) {
                Node::Bool(b) => q.contradiction |= b != holds,
                Node::Not(a) => todo.push((a, !holds)),
                Node::And(a, b) if holds => todo.extend([(a, true), (b, true)]),
                Node::And(..) => q.clauses.push(q.disjuncts(t)),
                _ => q.literals.push((t, holds)),
            }
        }
        q.collect(&literals.iter().map(|&(t, _)| t).collect::<Vec<_>>());
        q
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

    fn start(&self) -> Vec<Range> {
        self.cells.iter().map(|&(t, reading)| everything(self.store, t, reading)).collect()
    }

    fn get(&self, ranges: &[Range], t: Term, reading: Reading) -> Range {
        match self.index.get(&(t, reading)) {
            Some(&i) => ranges[i],
            None => match reading {
                Reading::Float(f) if !is_plain(f) => Range { low: i128::MIN / 4, high: i128::MAX / 4, nan: true },
                Reading::Int { .. } if !has_range(self.store.width(t)) => {
                    Range { low: i128::MIN / 4, high: i128::MAX / 4, nan: false }
                }
                _ => everything(self.store, t, reading),
            },
        }
    }

    /// What a term can be, by its operands.
    fn forward(&self, ranges: &[Range], t: Term, reading: Reading) -> Option<Range> {
        match reading {
            Reading::Float(f) => self.forward_float(ranges, t, f),
            Reading::Int { signed } => self.forward_int(ranges, t, signed),
        }
    }

    fn choice(&self, ranges: &[Range], reading: Reading, node: Node) -> Option<Range> {
        let Node::Ite(c, a, b) = node else { return None };
        let (x, y) = (self.get(ranges, a, reading), self.get(ranges, b, reading));
        Some(match self.status(ranges, c, DEPTH) {
            Some(true) => x,
            Some(false) => y,
            None => x.join(y),
        })
    }

    fn forward_float(&self, ranges: &[Range], t: Term, f: Format) -> Option<Range> {
        let reading = Reading::Float(f);
        if let Some(c) = self.store.constant_of(t) {
            return Some(match place(f, &c) {
                Some(at) => Range::point(at),
                None => Range { low: 1, high: 0, nan: true },
            });
        }
        if let Some(a) = self.store.float_negated(f, t) {
            let x = self.get(ranges, a, reading);
            return Some(Range { low: -x.high, high: -x.low, nan: x.nan });
        }
        if let Some(a) = self.store.float_absolute_of(f, t) {
            let x = self.get(ranges, a, reading);
            let low = if x.low <= 0 && x.high >= 0 { 0 } else { x.low.abs().min(x.high.abs()) };
            let high = x.low.abs().max(x.high.abs());
            return Some(if x.has_numbers() { Range { low, high, nan: x.nan } } else { x });
        }
        match self.store.node(t) {
            node @ Node::Ite(..) => self.choice(ranges, reading, node),
            Node::Float1(op, a) => self.forward_unary(ranges, op, a),
            Node::Float2(op, a, b) => {
                let (x, y) = (self.get(ranges, a, reading), self.get(ranges, b, reading));
                Some(binary(op, x, y, a == b))
            }
            Node::Float3(op, a, b, c) => {
                let of = |t| self.get(ranges, t, reading);
                Some(fused(op, of(a), of(b), of(c)))
            }
            _ => None,
        }
    }

    fn forward_unary(&self, ranges: &[Range], op: FloatOp, a: Term) -> Option<Range> {
        let f = op.format;
        match op.kind {
            FloatKind::FromInt { width, signed } if has_range(width) && is_plain(f) => {
                let x = self.get(ranges, a, Reading::Int { signed });
                let end = |v: i128| {
                    let bits = Bits::from_u128(width, v as u128);
                    place(f, &compute(op, &[bits])).expect("an integer is a number")
                };
                Some(Range { low: end(x.low), high: end(x.high), nan: false })
            }
            FloatKind::Convert { to } if is_plain(f) && is_plain(to) => {
                let x = self.get(ranges, a, Reading::Float(f));
                let end = |at| place(to, &compute(op, &[pattern(f, at)])).expect("a number stays one");
                Some(if x.has_numbers() { Range { low: end(x.low), high: end(x.high), nan: x.nan } } else { x })
            }
            FloatKind::Integral => {
                let x = self.get(ranges, a, Reading::Float(f));
                let end = |at| place(f, &compute(op, &[pattern(f, at)])).expect("a number stays one");
                Some(if x.has_numbers() { Range { low: end(x.low), high: end(x.high), nan: x.nan } } else { x })
            }
            FloatKind::Sqrt => {
                let x = self.get(ranges, a, Reading::Float(f));
                if x.high < 0 || !x.has_numbers() {
                    return Some(Range { low: 1, high: 0, nan: true });
                }
                let end =
                    |at: i128| place(f, &compute(op, &[pattern(f, at.max(0))])).expect("a root of a positive number");
                Some(Range { low: end(x.low), high: end(x.high), nan: x.nan || x.low < 0 })
            }
            _ => None,
        }
    }

    fn forward_int(&self, ranges: &[Range], t: Term, signed: bool) -> Option<Range> {
        let reading = Reading::Int { signed };
        if let Some(c) = self.store.constant_of(t) {
            return Some(Range::point(integer(&c, signed)));
        }
        match self.store.node(t) {
            node @ Node::Ite(..) => self.choice(ranges, reading, node),
            // An extended number has zeroes above: it is the same with and without sign.
            Node::ZeroExt { arg, .. } => Some(self.get(ranges, arg, Reading::Int { signed: false })),
            Node::SignExt { arg, .. } if signed => Some(self.get(ranges, arg, reading)),
            Node::Bin(op @ (BinOp::Add | BinOp::Mul), a, b) => {
                if self.store.width(t) > 60 {
                    return None;
                }
                let (x, y) = (self.get(ranges, a, reading), self.get(ranges, b, reading));
                let exact = if op == BinOp::Add {
                    Range { low: x.low + y.low, high: x.high + y.high, nan: false }
                } else {
                    let ends = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high];
                    let (mut low, mut high) = (*ends.iter().min()?, *ends.iter().max()?);
                    if a == b && x.contains(0) {
                        low = 0;
                    } else if a == b {
                        (low, high) = ((x.low * x.low).min(x.high * x.high), (x.low * x.low).max(x.high * x.high));
                    }
                    Range { low, high, nan: false }
                };
                // What may wrap is anything.
                let all = everything(self.store, t, reading);
                (all.contains(exact.low) && all.contains(exact.high)).then_some(exact)
            }
            Node::Float1(op, a) => {
                let FloatKind::ToInt { signed: own, .. } = op.kind else { return None };
                if own != signed || !is_plain(op.format) {
                    return None;
                }
                let x = self.get(ranges, a, Reading::Float(op.format));
                let end = |at| integer(&compute(op, &[pattern(op.format, at)]), signed);
                let numbers = if x.has_numbers() {
                    Range { low: end(x.low), high: end(x.high), nan: false }
                } else {
                    Range { low: 1, high: 0, nan: false }
                };
                Some(if x.nan { numbers.join(Range::point(0)) } else { numbers })
            }
            _ => None,
        }
    }

    /// Whether a truth value is decided by the ranges.
    fn status(&self, ranges: &[Range], t: Term, depth: u32) -> Option<bool> {
        if let Some(&known) = self.assumed.get(&t) {
            return Some(known);
        }
        self.evaluate(ranges, t, depth.checked_sub(1)?)
    }

    /// The same by what is below.
    fn evaluate(&self, ranges: &[Range], t: Term, depth: u32) -> Option<bool> {
        match self.store.node(t) {
            Node::Bool(b) => Some(b),
            Node::Not(a) => self.status(ranges, a, depth).map(|b| !b),
            Node::And(a, b) => match (self.status(ranges, a, depth), self.status(ranges, b, depth)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Node::Float2(op, a, b) => {
                let reading = Reading::Float(op.format);
                let (x, y) = (self.get(ranges, a, reading), self.get(ranges, b, reading));
                let numbers = !x.nan && !y.nan;
                let none = !x.has_numbers() || !y.has_numbers();
                let (yes, no) = match op.kind {
                    FloatKind::Lt => (x.high < y.low, x.low >= y.high),
                    FloatKind::Le => (x.high <= y.low, x.low > y.high),
                    FloatKind::Eq if a == b => (true, false),
                    FloatKind::Eq => {
                        (x.low == x.high && y.low == y.high && x.low == y.low, x.high < y.low || y.high < x.low)
                    }
                    _ => return None,
                };
                if none || no {
                    return Some(false);
                }
                (yes && numbers).then_some(true)
            }
            Node::Bin(op @ (BinOp::Ult | BinOp::Slt), a, b) => {
                let signed = op == BinOp::Slt;
                let (x, y) = (self.integers(ranges, a, signed)?, self.integers(ranges, b, signed)?);
                if x.high < y.low {
                    Some(true)
                } else if x.low >= y.high {
                    Some(false)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    fn integers(&self, ranges: &[Range], t: Term, signed: bool) -> Option<Range> {
        if !has_range(self.store.width(t)) {
            return None;
        }
        if let Some(c) = self.store.constant_of(t) {
            return Some(Range::point(integer(&c, signed)));
        }
        if let Some(&i) = self.index.get(&(t, Reading::Int { signed })) {
            return Some(ranges[i]);
        }
        // What is not negative reads the same both ways.
        let &i = self.index.get(&(t, Reading::Int { signed: !signed }))?;
        let least_negative = 1 << (self.store.width(t) - 1);
        (ranges[i].low >= 0 && ranges[i].high < least_negative).then_some(ranges[i])
    }

    /// Cuts a cell; whether that changed something.
    fn cut(&self, ranges: &mut [Range], t: Term, reading: Reading, to: Range) -> bool {
        let Some(&i) = self.index.get(&(t, reading)) else { return false };
        let new = ranges[i].meet(to);
        let changed = new != ranges[i];
        ranges[i] = new;
        changed
    }

    /// Cuts the ranges of what a literal compares.
    fn assume(&self, ranges: &mut [Range], t: Term, holds: bool) -> bool {
        match self.store.node(t) {
            Node::Float2(op, a, b) if is_plain(op.format) => self.assume_comparison(ranges, op, (a, b), holds),
            Node::Bin(op @ (BinOp::Ult | BinOp::Slt), a, b) => {
                let signed = op == BinOp::Slt;
                let (Some(x), Some(y)) = (self.integers(ranges, a, signed), self.integers(ranges, b, signed)) else {
                    return self.assume_below(ranges, (op, a, b), holds);
                };
                let reading = Reading::Int { signed };
                let less = |high| Range { low: i128::MIN / 2, high, nan: false };
                let more = |low| Range { low, high: i128::MAX / 2, nan: false };
                if holds {
                    self.cut(ranges, a, reading, less(y.high - 1)) | self.cut(ranges, b, reading, more(x.low + 1))
                } else {
                    self.cut(ranges, a, reading, more(y.low)) | self.cut(ranges, b, reading, less(x.high))
                }
            }
            Node::Eq(a, b) if holds && self.store.sort(a) != Sort::Bool => {
                let mut changed = false;
                for (x, y) in [(a, b), (b, a)] {
                    let Some(c) = self.store.constant_of(y) else { continue };
                    for signed in [false, true] {
                        if has_range(c.width()) {
                            changed |= self.cut(ranges, x, Reading::Int { signed }, Range::point(integer(&c, signed)));
                        }
                    }
                    let formats: Vec<Format> = [Format::SINGLE, Format::DOUBLE].into();
                    for f in formats.into_iter().filter(|f| f.width() == c.width()) {
                        let to = place(f, &c).map_or(Range { low: 1, high: 0, nan: true }, Range::point);
                        changed |= self.cut(ranges, x, Reading::Float(f), to);
                    }
                }
                changed
            }
            _ => false,
        }
    }

    /// An unsigned bound that is not negative as a signed number bounds the signed reading, too.
    fn assume_below(&self, ranges: &mut [Range], (op, a, b): (BinOp, Term, Term), holds: bool) -> bool {
        let width = self.store.width(a);
        if op != BinOp::Ult || !holds || !has_range(width) {
            return false;
        }
        let Some(c) = self.store.constant_of(b) else { return false };
        let c = integer(&c, false);
        let fits = c <= 1 << (width - 1);
        fits && self.cut(ranges, a, Reading::Int { signed: true }, Range { low: 0, high: c - 1, nan: false })
    }

    fn assume_comparison(&self, ranges: &mut [Range], op: FloatOp, (a, b): (Term, Term), holds: bool) -> bool {
        let reading = Reading::Float(op.format);
        let (x, y) = (self.get(ranges, a, reading), self.get(ranges, b, reading));
        let far = infinity(op.format);
        let less = |high: i128| Range { low: -far, high: high.min(far), nan: false };
        let more = |low: i128| Range { low: low.max(-far), high: far, nan: false };
        match (op.kind, holds) {
            (FloatKind::Lt, true) => {
                self.cut(ranges, a, reading, less(y.high - 1)) | self.cut(ranges, b, reading, more(x.low + 1))
            }
            (FloatKind::Le, true) => {
                self.cut(ranges, a, reading, less(y.high)) | self.cut(ranges, b, reading, more(x.low))
            }
            (FloatKind::Eq, true) => {
                let both = x.meet(y);
                let numbers = Range { nan: false, ..both };
                self.cut(ranges, a, reading, numbers) | self.cut(ranges, b, reading, numbers)
            }
            (FloatKind::Eq, false) if a == b => self.cut(ranges, a, reading, Range { low: 1, high: 0, nan: true }),
            // Of numbers the negation is the opposite comparison.
            (FloatKind::Lt, false) if !x.nan && !y.nan => {
                self.cut(ranges, b, reading, less(x.high)) | self.cut(ranges, a, reading, more(y.low))
            }
            (FloatKind::Le, false) if !x.nan && !y.nan => {
                self.cut(ranges, b, reading, less(x.high - 1)) | self.cut(ranges, a, reading, more(y.low + 1))
            }
            (FloatKind::Eq, false) if !x.nan && !y.nan && y.low == y.high => {
                let mut changed = false;
                if x.low == y.low {
                    changed |= self.cut(ranges, a, reading, more(x.low + 1));
                }
                if x.high == y.low {
                    changed |= self.cut(ranges, a, reading, less(x.high - 1));
                }
                changed
            }
            _ => false,
        }
    }

    /// Makes the ranges as small as this can; false if they show a contradiction.
    fn contract(&self, ranges: &mut [Range]) -> bool {
        for _ in 0..ROUNDS {
            let mut changed = false;
            for (i, &(t, reading)) in self.cells.iter().enumerate() {
                if let Some(new) = self.forward(ranges, t, reading) {
                    let new = ranges[i].meet(new);
                    changed |= new != ranges[i];
                    ranges[i] = new;
                }
                if ranges[i].is_empty() {
                    return false;
                }
            }
            for &(t, holds) in &self.literals {
                if self.decided(ranges, t) == Some(!holds) {
                    return false;
                }
                changed |= self.assume(ranges, t, holds);
            }
            for clause in &self.clauses {
                let open: Vec<(Term, bool)> = clause
                    .iter()
                    .copied()
                    .filter(|&(t, holds)| self.status(ranges, t, DEPTH) != Some(!holds))
                    .collect();
                match open[..] {
                    [] => return false,
                    [(t, holds)] => changed |= self.assume(ranges, t, holds),
                    _ => {}
                }
            }
            if !changed {
                break;
            }
        }
        !ranges.iter().any(|r| r.is_empty())
    }

    /// Whether the ranges decide a literal, which is assumed itself.
    fn decided(&self, ranges: &[Range], t: Term) -> Option<bool> {
        match self.store.node(t) {
            Node::Float2(..) | Node::Bin(BinOp::Ult | BinOp::Slt, ..) => self.evaluate(ranges, t, DEPTH),
            _ => None,
        }
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
    fn sample(&self, ranges: &[Range]) -> Option<Assignment> {
        let mut assignment = Assignment::new();
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
        let mut evaluator = Evaluator::new(self.store, &assignment);
        let all = self.asked.iter().all(|&(t, holds)| evaluator.eval(t).as_bool() == holds);
        all.then_some(assignment)
    }
}

/// How many boxes are tried as models.
const SAMPLES: u64 = 24;

/// Whether a term has an operation on floating-point numbers.
pub(crate) fn speaks_of_floats(store: &Store, t: Term) -> bool {
    let mut found = false;
    store.each_part(&[t], |_, node| {
        found |= matches!(node, Node::Float1(..) | Node::Float2(..) | Node::Float3(..));
    });
    found
}

/// Can the literals (terms with the truth value that they have) hold together? At most `boxes` boxes are looked at.
pub fn decide(store: &Store, literals: &[(Term, bool)], boxes: u64) -> Outcome {
    let q = Question::new(store, literals);
    if q.contradiction {
        return Outcome::Refuted;
    }
    if q.cells.is_empty() {
        return Outcome::Open;
    }
    let mut start = q.start();
    if !q.contract(&mut start) {
        return Outcome::Refuted;
    }
    let first: Vec<f64> = (0..start.len()).map(|i| q.extent(start[i], i).max(f64::MIN_POSITIVE)).collect();
    let mut todo = vec![start];
    let mut looked_at = 0;
    while let Some(mut ranges) = todo.pop() {
        looked_at += 1;
        if looked_at > boxes {
            return Outcome::Open;
        }
        if !q.contract(&mut ranges) {
            continue;
        }
        if looked_at <= SAMPLES
            && let Some(model) = q.sample(&ranges)
        {
            return Outcome::Model(model);
        }
        let Some([a, b]) = q.halves(&ranges, &first) else { return Outcome::Open };
        todo.extend([b, a]);
    }
    Outcome::Refuted
}

/// The range of an operation with two operands; `same`: they are one term.
fn binary(op: FloatOp, x: Range, y: Range, same: bool) -> Range {
    let f = op.format;
    let far = infinity(f);
    if !x.has_numbers() || !y.has_numbers() {
        return Range { low: 1, high: 0, nan: true };
    }
    let at = |i: i128, j: i128| place(f, &compute(op, &[pattern(f, i), pattern(f, j)]));
    let infinite = |r: Range| r.contains(far) || r.contains(-far);
    let nan = x.nan || y.nan;
    // Where the corner of a product or quotient is not a number (an infinity by zero or by another), numbers beside it give zero.
    let hull = |ends: &[Option<i128>], nan: bool| {
        let ends: Vec<i128> = ends.iter().map(|end| end.unwrap_or(0)).collect();
        match (ends.iter().min(), ends.iter().max()) {
            (Some(&low), Some(&high)) => Range { low, high, nan },
            _ => Range { low: 1, high: 0, nan: true },
        }
    };
    let all = Range { low: -far, high: far, nan: true };
    match op.kind {
        FloatKind::Sub if same => Range { low: 0, high: 0, nan: nan || infinite(x) },
        FloatKind::Add | FloatKind::Sub => {
            let (low, high) = if op.kind == FloatKind::Add { (y.low, y.high) } else { (y.high, y.low) };
            let sum = (at(x.low, low), at(x.high, high));
            let (Some(bottom), Some(top)) = sum else { return all };
            let top = if sabotage::active(Fault::RangeEndsInwards) { top - 1 } else { top };
            Range { low: bottom, high: top.max(bottom), nan: nan || infinite(x) && infinite(y) }
        }
        FloatKind::Mul if same => {
            let (a, b) = (at(x.low, x.low), at(x.high, x.high));
            let ends = if x.contains(0) { [a, b, Some(0)] } else { [a, b, a] };
            hull(&ends, nan)
        }
        FloatKind::Mul => {
            let invalid = x.contains(0) && infinite(y) || y.contains(0) && infinite(x);
            hull(&[at(x.low, y.low), at(x.low, y.high), at(x.high, y.low), at(x.high, y.high)], nan || invalid)
        }
        FloatKind::Div if y.contains(0) => all,
        FloatKind::Div => {
            let invalid = infinite(x) && infinite(y);
            hull(&[at(x.low, y.low), at(x.low, y.high), at(x.high, y.low), at(x.high, y.high)], nan || invalid)
        }
        _ => all,
    }
}

/// The range of `a * b + c`.
fn fused(op: FloatOp, a: Range, b: Range, c: Range) -> Range {
    let f = op.format;
    let far = infinity(f);
    let all = Range { low: -far, high: far, nan: true };
    let finite = |r: Range| !r.nan && r.has_numbers() && r.low > -far && r.high < far;
    if !(finite(a) && finite(b) && finite(c)) {
        return all;
    }
    let at = |i: i128, j: i128, k: i128| place(f, &compute(op, &[pattern(f, i), pattern(f, j), pattern(f, k)]));
    let corners = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
    let low = corners.iter().filter_map(|&(i, j)| at(i, j, c.low)).min();
    let high = corners.iter().filter_map(|&(i, j)| at(i, j, c.high)).max();
    match (low, high) {
        (Some(low), Some(high)) => Range { low, high, nan: false },
        _ => all,
    }
}

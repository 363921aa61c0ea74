//! Random term graphs, built through the rewriter and at the same time evaluated operation by operation on a list of
//! assignments: the raw values never pass through a term.

use base::rng::Rng;

use super::ops::random_bits;
use crate::bits::Bits;
use crate::eval::{self, Assignment, Value};
use crate::store::Store;
use crate::term::{Op, Sort, Term};

/// What to generate.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Widths of the bit-vector symbols, one symbol each.
    pub symbols: Vec<u32>,
    /// Number of truth-value symbols.
    pub bools: usize,
    /// Number of map symbols, with the bits of their addresses and values.
    pub maps: (usize, u32, u32),
    /// Operations to apply.
    pub steps: usize,
    /// No term is wider than this.
    pub max_width: u32,
    /// Evaluate on all assignments, or on this many random ones.
    pub assignments: Option<usize>,
}

struct Entry {
    term: Term,
    /// The value under each assignment, by applying operations to values.
    raw: Vec<Value>,
}

struct MapEntry {
    term: Term,
    /// The cells under each assignment.
    raw: Vec<Vec<Bits>>,
}

/// A generated graph.
pub struct Case {
    /// The store of its terms.
    pub store: Store,
    /// The assignments it was evaluated on.
    pub assignments: Vec<Assignment>,
    entries: Vec<Entry>,
    maps: Vec<MapEntry>,
    rng: Rng,
    shape: Shape,
}

impl Case {
    /// Generates a graph.
    pub fn generate(rng: &mut Rng, shape: Shape) -> Case {
        let mut case = Case {
            store: Store::new(),
            assignments: Vec::new(),
            entries: Vec::new(),
            maps: Vec::new(),
            rng: Rng::new(rng.bits()),
            shape,
        };
        case.leaves();
        for _ in 0..case.shape.steps {
            case.step();
        }
        case
    }

    /// The terms that are not maps with their raw values, one per assignment.
    pub fn terms(&self) -> impl Iterator<Item = (Term, &[Value])> {
        self.entries.iter().map(|e| (e.term, e.raw.as_slice()))
    }

    /// The truth values among the terms.
    pub fn formulas(&self) -> Vec<(Term, &[Value])> {
        self.terms().filter(|(t, _)| self.store.sort(*t) == Sort::Bool).collect()
    }

    /// The maps with the raw values of their cells, per assignment.
    pub fn maps(&self) -> impl Iterator<Item = (Term, &[Vec<Bits>])> {
        self.maps.iter().map(|e| (e.term, e.raw.as_slice()))
    }

    fn leaves(&mut self) {
        let Shape { symbols, bools, maps: (n_maps, addr, value), assignments, .. } = self.shape.clone();
        let cells = if n_maps > 0 { 1u32 << addr } else { 0 };
        // A source of bits per assignment: all numbers of so many bits, or random ones.
        let total: u32 = symbols.iter().sum::<u32>() + bools as u32 + n_maps as u32 * cells * value;
        let n = assignments.unwrap_or_else(|| {
            assert!(total <= 16, "too many assignments to try all");
            1 << total
        });
        self.assignments = vec![Assignment::new(); n];
        let mut offset = 0;
        let mut draw = |case: &mut Case, width: u32| -> Vec<Bits> {
            let all = assignments.is_none();
            let drawn = (0..n as u64)
                .map(|k| if all { Bits::new(width, k >> offset) } else { random_bits(&mut case.rng, width) });
            let drawn = drawn.collect();
            offset += width;
            drawn
        };
        for (i, &width) in symbols.iter().enumerate() {
            let term = self.store.symbol(&format!("v{i}"), Sort::Bv(width));
            let raw: Vec<Value> = draw(self, width).into_iter().map(Value::Bits).collect();
            self.enter(term, raw);
        }
        for i in 0..bools {
            let term = self.store.symbol(&format!("b{i}"), Sort::Bool);
            let raw: Vec<Value> = draw(self, 1).into_iter().map(|b| Value::Bool(b.bit(0))).collect();
            self.enter(term, raw);
        }
        for i in 0..n_maps {
            let term = self.store.symbol(&format!("m{i}"), Sort::Map { addr, value });
            let symbol = self.store.as_symbol(term).expect("just made");
            let mut raw = vec![Vec::new(); n];
            for cell in 0..cells {
                for (k, v) in draw(self, value).into_iter().enumerate() {
                    self.assignments[k].set_entry(symbol, Bits::new(addr, u64::from(cell)), v.clone());
                    raw[k].push(v);
                }
            }
            self.maps.push(MapEntry { term, raw });
        }
    }

    /// Adds a symbol with its values.
    fn enter(&mut self, term: Term, raw: Vec<Value>) {
        let symbol = self.store.as_symbol(term).expect("leaves are symbols");
        for (assignment, v) in self.assignments.iter_mut().zip(&raw) {
            assignment.set(symbol, v.clone());
        }
        self.entries.push(Entry { term, raw });
    }

    /// Some entry of this sort, often a recent one.
    fn some(&mut self, sort: Sort) -> Option<usize> {
        let fit: Vec<usize> =
            (0..self.entries.len()).filter(|&i| self.store.sort(self.entries[i].term) == sort).collect();
        if fit.is_empty() {
            return None;
        }
        let recent = fit.len().min(6);
        Some(if self.rng.chance(50) { fit[fit.len() - 1 - self.rng.index(recent)] } else { *self.rng.pick(&fit) })
    }

    fn some_word(&mut self) -> usize {
        loop {
            let i = self.rng.index(self.entries.len());
            if matches!(self.store.sort(self.entries[i].term), Sort::Bv(_)) {
                return i;
            }
        }
    }

    /// Some entry of this width or a constant.
    fn word_or_constant(&mut self, width: u32) -> usize {
        if self.rng.chance(30) {
            return self.constant(width);
        }
        self.some(Sort::Bv(width)).unwrap_or_else(|| self.constant(width))
    }

    fn constant(&mut self, width: u32) -> usize {
        let value = random_bits(&mut self.rng, width);
        let term = self.store.constant(&value);
        self.entries.push(Entry { term, raw: vec![Value::Bits(value); self.assignments.len()] });
        self.entries.len() - 1
    }

    fn truth(&mut self) -> usize {
        if self.rng.chance(3) {
            let value = self.rng.chance(50);
            let term = self.store.bool(value);
            self.entries.push(Entry { term, raw: vec![Value::Bool(value); self.assignments.len()] });
            return self.entries.len() - 1;
        }
        match self.some(Sort::Bool) {
            Some(i) => i,
            None => {
                let i = self.some_word();
                let width = self.store.width(self.entries[i].term);
                let j = self.word_or_constant(width);
                self.apply(Op::BvUlt, &[i, j])
            }
        }
    }

    fn apply(&mut self, op: Op, args: &[usize]) -> usize {
        let terms: Vec<Term> = args.iter().map(|&i| self.entries[i].term).collect();
        let term = self.store.apply(op, &terms);
        let raw = (0..self.assignments.len())
            .map(|k| {
                let values: Vec<Value> = args.iter().map(|&i| self.entries[i].raw[k].clone()).collect();
                eval::apply(op, &values)
            })
            .collect();
        self.entries.push(Entry { term, raw });
        self.entries.len() - 1
    }

    fn step(&mut self) {
        let n_maps = self.shape.maps.0;
        match self.rng.below(if n_maps > 0 { 20 } else { 12 }) {
            0 => {
                let (a, b) = (self.truth(), self.truth());
                match self.rng.below(6) {
                    0 => self.apply(Op::Not, &[a]),
                    1 => self.apply(Op::And, &[a, b]),
                    2 => self.apply(Op::Or, &[a, b]),
                    3 => self.apply(Op::Implies, &[a, b]),
                    4 => self.apply(Op::Xor, &[a, b]),
                    _ => self.apply(Op::Eq, &[a, b]),
                };
            }
            1 | 2 => {
                let a = self.some_word();
                let width = self.store.width(self.entries[a].term);
                let b = self.word_or_constant(width);
                let op = *self.rng.pick(&[Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle]);
                if self.rng.chance(50) {
                    self.apply(op, &[a, b])
                } else {
                    self.apply(op, &[b, a])
                };
            }
            3 | 4 => self.choice(),
            5 | 6 => self.slice(),
            7 => self.idiom(),
            8..=11 => self.arithmetic(),
            12..=15 => self.write(),
            _ => self.read(),
        }
    }

    fn arithmetic(&mut self) {
        let a = self.some_word();
        let width = self.store.width(self.entries[a].term);
        let b = self.word_or_constant(width);
        let (a, b) = if self.rng.chance(20) { (b, a) } else { (a, b) };
        let op = *self.rng.pick(&[
            Op::BvNot,
            Op::BvNeg,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvAdd,
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ]);
        match op {
            Op::BvNot | Op::BvNeg => self.apply(op, &[a]),
            _ => self.apply(op, &[a, b]),
        };
    }

    fn choice(&mut self) {
        let c = self.truth();
        if self.rng.chance(25) {
            let (a, b) = (self.truth(), self.truth());
            self.apply(Op::Ite, &[c, a, b]);
            return;
        }
        let a = self.some_word();
        let width = self.store.width(self.entries[a].term);
        let (a, b) = if self.rng.chance(30) { (self.constant(width), self.constant(width)) } else { (a, a) };
        let b = if a == b { self.word_or_constant(width) } else { b };
        self.apply(Op::Ite, &[c, a, b]);
    }

    fn slice(&mut self) {
        let a = self.some_word();
        let width = self.store.width(self.entries[a].term);
        let room = self.shape.max_width.saturating_sub(width);
        match self.rng.below(4) {
            0 => {
                let hi = self.rng.below(u64::from(width)) as u32;
                let lo = if self.rng.chance(40) { 0 } else { self.rng.below(u64::from(hi) + 1) as u32 };
                self.apply(Op::Extract { hi, lo }, &[a]);
            }
            1 => {
                let b = self.some_word();
                if self.store.width(self.entries[b].term) <= room {
                    self.apply(Op::Concat, &[a, b]);
                }
            }
            k => {
                let width = width + self.rng.below(u64::from(room) + 1) as u32;
                self.apply(if k == 2 { Op::ZeroExt { width } } else { Op::SignExt { width } }, &[a]);
            }
        }
    }

    /// Combinations that C programs make and chance seldom does.
    fn idiom(&mut self) {
        let a = self.some_word();
        let width = self.store.width(self.entries[a].term);
        let c = self.constant(width);
        match self.rng.below(10) {
            // x against x + c
            0 => {
                let b = self.apply(Op::BvAdd, &[a, c]);
                let op = *self.rng.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt, Op::Eq]);
                if self.rng.chance(50) {
                    self.apply(op, &[a, b])
                } else {
                    self.apply(op, &[b, a])
                };
            }
            // bytes put together with shift and or
            1 if 2 * width <= self.shape.max_width => {
                let b = self.word_or_constant(width);
                let (high, low) = (
                    self.apply(Op::ZeroExt { width: 2 * width }, &[a]),
                    self.apply(Op::ZeroExt { width: 2 * width }, &[b]),
                );
                let value = Bits::new(2 * width, u64::from(width));
                let term = self.store.constant(&value);
                self.entries.push(Entry { term, raw: vec![Value::Bits(value); self.assignments.len()] });
                let by = self.entries.len() - 1;
                let shifted = self.apply(Op::BvShl, &[high, by]);
                self.apply(Op::BvOr, &[shifted, low]);
            }
            // a word taken apart and put together
            2 if width > 1 => {
                let cut = 1 + self.rng.below(u64::from(width) - 1) as u32;
                let high = self.apply(Op::Extract { hi: width - 1, lo: cut }, &[a]);
                let low = self.apply(Op::Extract { hi: cut - 1, lo: 0 }, &[a]);
                self.apply(Op::Concat, &[high, low]);
            }
            // narrow arithmetic done wide
            3 if width < self.shape.max_width => self.narrow_done_wide(a, width),
            // two choices on one condition, side by side
            4 if 2 * width <= self.shape.max_width => {
                let p = self.truth();
                let (x, y) = (self.word_or_constant(width), self.word_or_constant(width));
                let first = self.apply(Op::Ite, &[p, a, x]);
                let second = self.apply(Op::Ite, &[p, y, c]);
                let both = self.apply(Op::Concat, &[first, second]);
                self.apply(Op::Concat, &[both, a]);
            }
            // complements on both sides
            5 => {
                let b = self.word_or_constant(width);
                let (x, y) = (self.apply(Op::BvNot, &[a]), self.apply(Op::BvNot, &[b]));
                let op = *self.rng.pick(&[Op::Eq, Op::BvXor, Op::BvAnd, Op::BvOr]);
                self.apply(op, &[x, y]);
                self.apply(op, &[a, x]);
            }
            // an extended operand against a constant
            6 if width < self.shape.max_width => self.extended_against_constant(a, width),
            // products with constant factors inside
            7 => {
                let b = self.word_or_constant(width);
                let x = self.apply(Op::BvMul, &[a, c]);
                let t = self.apply(Op::BvMul, &[x, b]);
                let hi = self.rng.below(u64::from(width)) as u32;
                self.apply(Op::Extract { hi, lo: hi / 2 }, &[t]);
                self.apply(Op::Extract { hi, lo: hi / 2 }, &[x]);
            }
            // increments of two words in the branches of one decision
            8 => {
                let p = self.truth();
                let b = self.word_or_constant(width);
                let mut changed = [a, b].map(|x| {
                    let (k, l) = (self.constant(width), self.constant(width));
                    let (then, other) = (self.apply(Op::BvAdd, &[x, k]), self.apply(Op::BvSub, &[x, l]));
                    self.apply(Op::Ite, &[p, then, other])
                });
                if self.rng.chance(50) {
                    changed[1] = self.apply(Op::BvMul, &[changed[1], c]);
                }
                let op = *self.rng.pick(&[Op::BvAdd, Op::BvSub, Op::Eq, Op::BvUlt]);
                self.apply(op, &changed);
            }
            // the same constant operation twice
            _ => {
                let d = self.constant(width);
                let op =
                    *self.rng.pick(&[Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvMul, Op::BvAdd, Op::BvSrem, Op::BvSdiv]);
                let x = self.apply(op, &[a, c]);
                let t = self.apply(op, &[x, d]);
                let hi = self.rng.below(u64::from(width)) as u32;
                self.apply(Op::Extract { hi, lo: 0 }, &[t]);
            }
        }
    }

    fn narrow_done_wide(&mut self, a: usize, width: u32) {
        let wide = width + 1 + self.rng.below(u64::from(self.shape.max_width - width)) as u32;
        let b = self.word_or_constant(width);
        let ext = if self.rng.chance(50) { Op::ZeroExt { width: wide } } else { Op::SignExt { width: wide } };
        let (x, y) = (self.apply(ext, &[a]), self.apply(ext, &[b]));
        let op = *self.rng.pick(&[
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvUlt,
            Op::BvSlt,
            Op::Eq,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvAshr,
        ]);
        let t = self.apply(op, &[x, y]);
        if self.store.sort(self.entries[t].term) != Sort::Bool {
            self.apply(Op::Extract { hi: width - 1, lo: 0 }, &[t]);
        }
    }

    fn extended_against_constant(&mut self, a: usize, width: u32) {
        let wide = width + 1 + self.rng.below(u64::from(self.shape.max_width - width)) as u32;
        let ext = if self.rng.chance(50) { Op::ZeroExt { width: wide } } else { Op::SignExt { width: wide } };
        let x = self.apply(ext, &[a]);
        let c = self.constant(wide);
        let op = *self.rng.pick(&[
            Op::Eq,
            Op::BvUlt,
            Op::BvUle,
            Op::BvSlt,
            Op::BvSle,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvAnd,
            Op::BvOr,
        ]);
        if self.rng.chance(70) {
            self.apply(op, &[x, c])
        } else {
            self.apply(op, &[c, x])
        };
    }

    fn write(&mut self) {
        let (_, addr, value) = self.shape.maps;
        let map = self.rng.index(self.maps.len());
        let (at, n) = (self.word_or_constant(addr), self.word_or_constant(addr));
        let v = self.word_or_constant(value);
        let entry = |case: &Case, i: usize, k: usize| case.entries[i].raw[k].as_bits().clone();
        let number = |b: Bits| b.to_u64().expect("addresses are small");
        let cells = 1u64 << addr;
        let mut raw = self.maps[map].raw.clone();
        let below = self.maps[map].term;
        let term = |case: &Case, i: usize| case.entries[i].term;
        let made = match self.rng.below(4) {
            0 => {
                for (k, m) in raw.iter_mut().enumerate() {
                    m[number(entry(self, at, k)) as usize] = entry(self, v, k);
                }
                let (at, v) = (term(self, at), term(self, v));
                self.store.store(below, at, v)
            }
            1 => {
                for (k, m) in raw.iter_mut().enumerate() {
                    for i in 0..number(entry(self, n, k)) {
                        m[((number(entry(self, at, k)) + i) % cells) as usize] = entry(self, v, k);
                    }
                }
                let (at, n, v) = (term(self, at), term(self, n), term(self, v));
                self.store.set_range(below, at, n, v)
            }
            2 => {
                let from = self.rng.index(self.maps.len());
                let src = self.word_or_constant(addr);
                for (k, m) in raw.iter_mut().enumerate() {
                    let (dst, src) = (number(entry(self, at, k)), number(entry(self, src, k)));
                    for i in 0..number(entry(self, n, k)) {
                        m[((dst + i) % cells) as usize] = self.maps[from].raw[k][((src + i) % cells) as usize].clone();
                    }
                }
                let (at, n, src) = (term(self, at), term(self, n), term(self, src));
                let from = self.maps[from].term;
                self.store.copy_range(below, at, n, from, src)
            }
            _ => {
                let other = self.rng.index(self.maps.len());
                let c = self.truth();
                for (k, m) in raw.iter_mut().enumerate() {
                    if !self.entries[c].raw[k].as_bool() {
                        *m = self.maps[other].raw[k].clone();
                    }
                }
                let (c, other) = (term(self, c), self.maps[other].term);
                self.store.ite(c, below, other)
            }
        };
        self.maps.push(MapEntry { term: made, raw });
        if self.rng.chance(10) {
            // Store what is there already.
            let (m, at) = (self.maps.len() - 1, at);
            let term = self.store.select(self.maps[m].term, self.entries[at].term);
            let back = self.store.store(self.maps[m].term, self.entries[at].term, term);
            let raw = self.maps[m].raw.clone();
            self.maps.push(MapEntry { term: back, raw });
        }
    }

    fn read(&mut self) {
        let (_, addr, _) = self.shape.maps;
        let recent = self.maps.len().min(4);
        let map = if self.rng.chance(60) {
            self.maps.len() - 1 - self.rng.index(recent)
        } else {
            self.rng.index(self.maps.len())
        };
        let at = self.word_or_constant(addr);
        let term = self.store.select(self.maps[map].term, self.entries[at].term);
        let raw = (0..self.assignments.len())
            .map(|k| {
                let i = self.entries[at].raw[k].as_bits().to_u64().expect("addresses are small");
                Value::Bits(self.maps[map].raw[k][i as usize].clone())
            })
            .collect();
        self.entries.push(Entry { term, raw });
    }
}

//! Maps: five constructors (symbol, `store`, `set_range`, `copy_range`, `ite`) and reads, which never survive over
//! anything but a symbol.
//!
//! Reading through a write becomes `ite`s, exactly and without quantifiers: `select(store(m, a, v), i)` is
//! `ite(i = a, v, select(m, i))`, which is Morris' axiom of assignment, and a range is left through one unsigned
//! comparison of the offset, which also gives ranges that wrap around the end of the address space their meaning. A read at an
//! address that is chosen between known places is a choice between reads, each of which knows which writes it misses. The
//! walk keeps its own stack and remembers every read but those that only pass by writes which surely miss, so it is linear in the number
//! of distinct (map, address) pairs.

use super::Rule;
use crate::store::Store;
use crate::term::{Node, Sort, Symbol, Term};

/// A read at one of so many places of one object is a choice between reads at each of them.
const MAX_CELLS: u64 = 64;

/// So many writes that miss an address are passed by to see that two maps differ only by them.
const MAX_SKIPPED: usize = 64;

/// So far apart such places may lie.
const MAX_BYTES: u64 = 1 << 13;

/// The places `base + first + i * 2^step`, where `i * 2^step` is the index and `i` is less than `count`.
struct Cells {
    base: Term,
    index: Term,
    first: u64,
    step: u32,
    count: u64,
}

impl Store {
    fn map_sort(&self, map: Term) -> (u32, u32) {
        match self.sort(map) {
            Sort::Map { addr, value } => (addr, value),
            other => panic!("a map was expected, not {other:?}"),
        }
    }

    /// `map` but for `addr`, where it has `value`.
    pub fn store(&mut self, map: Term, addr: Term, value: Term) -> Term {
        let (addr_width, value_width) = self.map_sort(map);
        assert_eq!(self.width(addr), addr_width, "an address has the width of the map's addresses");
        assert_eq!(self.width(value), value_width, "a stored value has the width of the map's values");
        let base = match self.node(map) {
            Node::Store(below, same, _) if same == addr => self.by(Rule::StoreStore, below),
            _ => map,
        };
        if self.node(value) == Node::Select(base, addr) {
            return self.by(Rule::StoreBack, base);
        }
        self.intern(Node::Store(base, addr, value), self.sort(map))
    }

    /// `map` but for the `n` addresses from `dst` on, where it has `value`. Addresses wrap around.
    pub fn set_range(&mut self, map: Term, dst: Term, n: Term, value: Term) -> Term {
        let (addr_width, value_width) = self.map_sort(map);
        assert_eq!(self.same_width(dst, n), addr_width, "a range has the width of the map's addresses");
        assert_eq!(self.width(value), value_width, "a stored value has the width of the map's values");
        match self.constant_of(n) {
            Some(c) if c.is_zero() => return self.by(Rule::RangeEmpty, map),
            Some(c) if c.to_u64() == Some(1) => {
                let t = self.store(map, dst, value);
                return self.by(Rule::RangeOne, t);
            }
            _ => {}
        }
        self.intern(Node::SetRange { map, dst, n, value }, self.sort(map))
    }

    /// `map` but for the `n` addresses from `dst` on, where `dst + i` has the value of `src_map` at `src + i`.
    /// Addresses wrap around; ranges may overlap, as everything is read from `src_map` as it is now.
    pub fn copy_range(&mut self, map: Term, dst: Term, n: Term, src_map: Term, src: Term) -> Term {
        let (addr_width, _) = self.map_sort(map);
        assert_eq!(self.sort(map), self.sort(src_map), "both maps have the same sort");
        assert_eq!(self.same_width(dst, n), addr_width, "a range has the width of the map's addresses");
        assert_eq!(self.width(src), addr_width, "an address has the width of the map's addresses");
        match self.constant_of(n) {
            Some(c) if c.is_zero() => return self.by(Rule::RangeEmpty, map),
            Some(c) if c.to_u64() == Some(1) => {
                let value = self.select(src_map, src);
                let t = self.store(map, dst, value);
                return self.by(Rule::RangeOne, t);
            }
            _ => {}
        }
        self.intern(Node::CopyRange { map, dst, n, src_map, src }, self.sort(map))
    }

    /// The value of `map` at `addr`.
    pub fn select(&mut self, map: Term, addr: Term) -> Term {
        let (addr_width, _) = self.map_sort(map);
        assert_eq!(self.width(addr), addr_width, "an address has the width of the map's addresses");
        let map = self.skip(map, addr);
        let mut stack = vec![(map, addr)];
        while let Some(&(map, addr)) = stack.last() {
            if self.reads.contains_key(&(map, addr)) {
                stack.pop();
                continue;
            }
            match self.read_once(map, addr) {
                Ok(value) => {
                    self.reads.insert((map, addr), value);
                    stack.pop();
                }
                Err(needed) => stack.extend(needed),
            }
        }
        self.reads[&(map, addr)]
    }

    /// The map below all writes on top of it that surely miss the address. Where one map was chosen from two that differ only by such
    /// writes, what they have in common.
    fn skip(&self, map: Term, addr: Term) -> Term {
        let mut at = self.skip_writes(map, addr);
        while let Node::Ite(_, x, y) = self.node(at)
            && let Some(below) = self.common_below(x, y, addr)
        {
            at = self.skip_writes(below, addr);
        }
        at
    }

    /// A map that has the same value at the address as both of these, if it lies close below them.
    fn common_below(&self, x: Term, y: Term, addr: Term) -> Option<Term> {
        // One of them is mostly the other before it was written to.
        let below = |from: Term, to: Option<Term>| {
            let mut at = from;
            for _ in 0..MAX_SKIPPED {
                match self.skip_write(at, addr) {
                    Some(below) if Some(at) != to => at = below,
                    _ => break,
                }
            }
            at
        };
        if below(x, Some(y)) == y {
            return Some(y);
        }
        let q = below(y, Some(x));
        (q == x || q == below(x, Some(q))).then_some(q)
    }

    fn skip_writes(&self, mut map: Term, addr: Term) -> Term {
        while let Some(below) = self.skip_write(map, addr) {
            map = below;
        }
        map
    }

    /// The map below one write that surely misses the address.
    fn skip_write(&self, map: Term, addr: Term) -> Option<Term> {
        match self.node(map) {
            Node::Store(below, at, _) if self.compare_places(addr, at) == Some(false) => Some(below),
            Node::SetRange { map: below, dst, n, .. } | Node::CopyRange { map: below, dst, n, .. }
                if self.is_beside(addr, dst, n) =>
            {
                Some(below)
            }
            _ => None,
        }
    }

    /// A choice between two reads, or those of them that are not known.
    fn choose_read(&mut self, cond: Term, [x, y]: [(Term, Term); 2]) -> Result<Term, Vec<(Term, Term)>> {
        let (x, y) = ((self.skip(x.0, x.1), x.1), (self.skip(y.0, y.1), y.1));
        match (self.reads.get(&x).copied(), self.reads.get(&y).copied()) {
            (Some(v), Some(w)) => {
                let t = self.ite(cond, v, w);
                Ok(self.by(Rule::SelectIte, t))
            }
            (v, w) => Err([v.is_none().then_some(x), w.is_none().then_some(y)].into_iter().flatten().collect()),
        }
    }

    /// The read, if all reads below it are known; otherwise those that are not.
    fn read_once(&mut self, map: Term, addr: Term) -> Result<Term, Vec<(Term, Term)>> {
        // A map and an address that were merged at one place are chosen by the same conditions.
        if let Node::Ite(c, x, y) = self.node(map) {
            let (p, q) = (self.restrict_places(addr, c, true), self.restrict_places(addr, c, false));
            return self.choose_read(c, [(x, p), (y, q)]);
        }
        if let Some(cells) = self.cells(map, addr) {
            return self.read_cells(map, &cells);
        }
        if let Some((cond, x, y)) = self.split_places(addr) {
            return self.choose_read(cond, [(map, x), (map, y)]);
        }
        match self.node(map) {
            Node::Symbol(_) => {
                let (_, value) = self.map_sort(map);
                Ok(self.intern(Node::Select(map, addr), Sort::Bv(value)))
            }
            Node::Store(m, at, value) => {
                let hit = self.eq(addr, at);
                self.read_past(hit, value, m, addr, Rule::SelectStore)
            }
            Node::SetRange { map: m, dst, n, value } => {
                let offset = self.bv_sub(addr, dst);
                let hit = self.ult(offset, n);
                self.read_past(hit, value, m, addr, Rule::SelectSetRange)
            }
            Node::CopyRange { map: m, dst, n, src_map, src } => {
                let offset = self.bv_sub(addr, dst);
                let hit = self.ult(offset, n);
                let from = self.bv_add(src, offset);
                if self.bool_of(hit) == Some(false) {
                    return self.read_past(hit, addr, m, addr, Rule::SelectCopyRange);
                }
                let source = (self.skip(src_map, from), from);
                match self.reads.get(&source).copied() {
                    Some(value) => self.read_past(hit, value, m, addr, Rule::SelectCopyRange),
                    None => Err(vec![source]),
                }
            }
            node => panic!("not a map: {node:?}"),
        }
    }

    /// The few places of one object that an address can be, if it is not one.
    fn cells(&mut self, map: Term, addr: Term) -> Option<Cells> {
        let width = self.width(addr);
        let (symbol, offset) = self.place(addr)?;
        if offset.lo == offset.hi || width > 64 || offset.hi - offset.lo >= MAX_BYTES {
            return None;
        }
        let (_, offset) = self.base_and_offset(addr)?;
        let sum = self.sum_of(width, &[(offset, 1)]);
        let step = sum.summands.iter().map(|(_, c)| c.trailing_zeros()).min()?;
        // All offsets are the constant modulo the step.
        let range = self.range(offset);
        let behind = sum.constant.wrapping_sub(range.lo) & ((1 << step) - 1);
        let first = range.lo.checked_add(behind).filter(|&n| n <= range.hi)?;
        let count = ((range.hi - first) >> step) + 1;
        if count > MAX_CELLS && !self.is_table(map, symbol, count) {
            return None;
        }
        let from = self.bv(width, first);
        let index = self.bv_sub(offset, from);
        Some(Cells { base: self.symbol_term(symbol), index, first, step, count })
    }

    /// Whether so many cells of an object are what was written last.
    fn is_table(&self, mut map: Term, symbol: Symbol, count: u64) -> bool {
        (0..count / 2).all(|_| match self.node(map) {
            Node::Store(below, at, _) => {
                map = below;
                self.place(at).is_some_and(|(s, offset)| s == symbol && offset.lo == offset.hi)
            }
            _ => false,
        })
    }

    /// A read at one of several places: a choice by the bits of the index.
    fn read_cells(&mut self, map: Term, cells: &Cells) -> Result<Term, Vec<(Term, Term)>> {
        let width = self.width(cells.base);
        let (mut values, mut missing) = (Vec::new(), Vec::new());
        for i in 0..cells.count {
            let offset = self.bv(width, cells.first.wrapping_add(i << cells.step));
            let addr = self.bv_add(cells.base, offset);
            let read = (self.skip(map, addr), addr);
            match self.reads.get(&read) {
                Some(&value) => values.push(value),
                None => missing.push(read),
            }
        }
        if !missing.is_empty() {
            return Err(missing);
        }
        let one = self.bv(1, 1);
        let mut bit = cells.step;
        while values.len() > 1 {
            let of_index = self.extract(cells.index, bit, bit);
            let odd = self.eq(of_index, one);
            // The index is none of the numbers behind the last: what is chosen there does not matter.
            values = values.chunks(2).map(|v| if let &[x, y] = v { self.ite(odd, y, x) } else { v[0] }).collect();
            bit += 1;
        }
        Ok(self.by(Rule::SelectCells, values[0]))
    }

    /// `value` where `hit` holds, otherwise the read of the map below.
    fn read_past(
        &mut self,
        hit: Term,
        value: Term,
        below: Term,
        addr: Term,
        rule: Rule,
    ) -> Result<Term, Vec<(Term, Term)>> {
        if self.bool_of(hit) == Some(true) {
            return Ok(self.by(rule, value));
        }
        let below = (self.skip(below, addr), addr);
        let Some(&rest) = self.reads.get(&below) else { return Err(vec![below]) };
        let t = if self.bool_of(hit) == Some(false) { rest } else { self.ite(hit, value, rest) };
        Ok(self.by(rule, t))
    }
}

#[cfg(test)]
mod tests {
    use crate::bits::Bits;
    use crate::eval::{Assignment, Value, eval};
    use crate::store::Store;
    use crate::term::{Sort, Term};

    const WIDTH: u32 = 8;
    const CELLS: u64 = 4;

    /// Writes some cells of an object, each as a number says.
    fn written(s: &mut Store, base: Term, mut map: Term, values: &[Term], mut which: u64) -> Term {
        for &value in values {
            let cell = which % (CELLS + 1);
            which /= CELLS + 1;
            if cell < CELLS {
                let offset = s.bv(WIDTH, cell);
                let at = s.bv_add(base, offset);
                map = s.store(map, at, value);
            }
        }
        map
    }

    /// A read of a map that was merged from two, which were written to at known places, is what the evaluator finds in the side that was
    /// chosen, for all ways to write.
    #[test]
    fn merged_writes_that_miss_are_passed_by() {
        let mut read = 0;
        for ways in 0..(CELLS + 1).pow(4) {
            let mut s = Store::new();
            let (size, truth) = (s.bv(WIDTH, CELLS), s.bool(true));
            let base = s.object("object", size, 1, truth);
            let first = s.fresh("map", Sort::Map { addr: WIDTH, value: WIDTH });
            let cond = s.fresh("cond", Sort::Bool);
            let values: Vec<Term> = (0..4).map(|i| s.bv(WIDTH, 100 + i)).collect();
            let (one, other) = (ways / 25, ways % 25);
            let sides = [(one, &values[..2]), (other, &values[2..])].map(|(w, v)| written(&mut s, base, first, v, w));
            let merged = s.ite(cond, sides[0], sides[1]);
            for cell in 0..CELLS {
                let offset = s.bv(WIDTH, cell);
                let at = s.bv_add(base, offset);
                let value = s.select(merged, at);
                let hit = |ways: u64| ways % (CELLS + 1) == cell || ways / (CELLS + 1) == cell;
                // Nobody wrote there: what decides between the sides plays no part.
                let open = s.symbols_of(&[value]).contains(&s.as_symbol(cond).expect("a symbol"));
                assert!(hit(one) || hit(other) || !open, "ways {ways} cell {cell}");
                for holds in [false, true] {
                    let mut assignment = Assignment::new();
                    let symbol = |t: Term| s.as_symbol(t).expect("a symbol");
                    assignment.set(symbol(cond), Value::Bool(holds));
                    assignment.set(symbol(base), Value::Bits(Bits::new(WIDTH, 16)));
                    assignment.set_entry(symbol(first), Bits::new(WIDTH, 16 + cell), Bits::new(WIDTH, cell + 1));
                    // The last write of the cell counts.
                    let (mut which, mut expected) = (if holds { one } else { other }, cell + 1);
                    for i in 0..2 {
                        if which % (CELLS + 1) == cell {
                            expected = if holds { 100 + i } else { 102 + i };
                        }
                        which /= CELLS + 1;
                    }
                    let found = eval(&s, value, &assignment);
                    assert_eq!(found.as_bits().to_u64(), Some(expected), "ways {ways} cell {cell} {holds}");
                    read += 1;
                }
            }
        }
        assert_eq!(read, 5000);
    }
}

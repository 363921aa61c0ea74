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
use crate::term::{Node, Sort, Term};

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
                Err(needed) => stack.extend(needed.into_iter().flatten()),
            }
        }
        self.reads[&(map, addr)]
    }

    /// The map below all writes on top of it that surely miss the address.
    fn skip(&self, mut map: Term, addr: Term) -> Term {
        loop {
            map = match self.node(map) {
                Node::Store(below, at, _) if self.compare_places(addr, at) == Some(false) => below,
                Node::SetRange { map: below, dst, n, .. } | Node::CopyRange { map: below, dst, n, .. }
                    if self.is_beside(addr, dst, n) =>
                {
                    below
                }
                _ => return map,
            };
        }
    }

    /// A choice between two reads, or those of them that are not known.
    fn choose_read(&mut self, cond: Term, [x, y]: [(Term, Term); 2]) -> Result<Term, [Option<(Term, Term)>; 2]> {
        let (x, y) = ((self.skip(x.0, x.1), x.1), (self.skip(y.0, y.1), y.1));
        match (self.reads.get(&x).copied(), self.reads.get(&y).copied()) {
            (Some(v), Some(w)) => {
                let t = self.ite(cond, v, w);
                Ok(self.by(Rule::SelectIte, t))
            }
            (v, w) => Err([v.is_none().then_some(x), w.is_none().then_some(y)]),
        }
    }

    /// The read, if all reads below it are known; otherwise those that are not.
    fn read_once(&mut self, map: Term, addr: Term) -> Result<Term, [Option<(Term, Term)>; 2]> {
        // A map and an address that were merged at one place are chosen by the same conditions.
        if let Node::Ite(c, x, y) = self.node(map) {
            let (p, q) = (self.restrict_places(addr, c, true), self.restrict_places(addr, c, false));
            return self.choose_read(c, [(x, p), (y, q)]);
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
                    None => Err([Some(source), None]),
                }
            }
            node => panic!("not a map: {node:?}"),
        }
    }

    /// `value` where `hit` holds, otherwise the read of the map below.
    fn read_past(
        &mut self,
        hit: Term,
        value: Term,
        below: Term,
        addr: Term,
        rule: Rule,
    ) -> Result<Term, [Option<(Term, Term)>; 2]> {
        if self.bool_of(hit) == Some(true) {
            return Ok(self.by(rule, value));
        }
        let below = (self.skip(below, addr), addr);
        let Some(&rest) = self.reads.get(&below) else { return Err([Some(below), None]) };
        let t = if self.bool_of(hit) == Some(false) { rest } else { self.ite(hit, value, rest) };
        Ok(self.by(rule, t))
    }
}

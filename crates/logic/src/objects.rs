//! Symbols that come with axioms: above all, the addresses of objects.
//!
//! An object's address is a symbol of which is known that the object lies in the part of the address space where objects
//! can lie ([`Store::set_space`]), aligned; two objects that are told apart share no byte. Nothing else is known of where
//! objects lie. These axioms are part of every question in which their symbols occur ([`Context`](crate::Context) adds
//! them), so they need not be carried along; a model keeps them.
//!
//! **Axioms must not constrain anything but the symbols they come with.** A question may speak of an object that was never
//! made, on a path on which nothing was allocated or on which the allocation failed; if the axioms about it could not be
//! satisfied, the question would be answered as if that path did not exist. Hence the invariant: *whatever the values of
//! all other symbols, there are values of the symbols with axioms that satisfy all axioms together.* Two rules keep it:
//!
//! - The axioms about an object whose size is not a constant speak of its full size only where a literal says that it
//!   exists; else of one byte, which finds room anywhere.
//! - Each axiom forbids a share of an object's possible addresses. The shares of all axioms are added up ([`Room`]); a axiom
//!   with which the sum would reach 1/2 is not stated. Below 1 some placement violates none of them (a random one
//!   violates each axiom with at most the probability of its share), in whatever order the symbols depend on each other;
//!   below 1/2 most placements do not, so that solvers find one quickly.

use base::sabotage::{self, Fault};

use crate::bits::mask;
use crate::range::Range;
use crate::store::Store;
use crate::term::{BinOp, Node, Sort, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// A comparison with a choice between more places than this is not taken apart.
const MAX_PLACES: usize = 200;

/// Choices between offsets behind choices that are taken apart.
const OFFSETS: usize = 4;

/// Summands of a place that are looked at.
const MAX_SUMMANDS: usize = 16;

/// What is added to a choice between places, if it has more bits than this, stays outside.
const MAX_OFFSET: u32 = 40;

/// Choices behind choices that are looked into.
const MAX_CHOICES: usize = 6;

/// The axioms of a store's object symbols.
#[derive(Default)]
pub(crate) struct Objects {
    /// For each symbol, the symbols (itself among them) with which it has a axiom.
    axioms: FxHashMap<Symbol, Vec<(Symbol, Term)>>,
    objects: FxHashMap<Symbol, Object>,
    /// The pairs of objects that share no byte, the smaller symbol first.
    disjoint: FxHashSet<(Symbol, Symbol)>,
    /// Whether terms are choices between places: see [`Store::split_places`].
    places: FxHashMap<Term, bool>,
    /// Choices between places under conditions: see [`Store::restrict_places`].
    restricted: FxHashMap<(Term, Term, bool), Term>,
    /// Choices between places without null: see [`Store::without_null`].
    nonnull: FxHashMap<Term, Term>,
    /// Addresses that are known to lie outside of objects.
    outside: FxHashSet<(Symbol, Term)>,
    /// The addresses of the objects whose existence a symbol says.
    possible: FxHashMap<Symbol, Symbol>,
    /// Where objects can lie, if not anywhere.
    space: Option<Space>,
    room: Room,
}

/// What is known of an object.
#[derive(Clone, Copy)]
struct Object {
    /// The bytes that it takes, at least 1: where it does not exist, 1.
    size: Term,
    /// The bytes that it takes if nothing need exist.
    least: u64,
    /// How many addresses it can have.
    positions: u64,
    align: u64,
}

/// The addresses that objects can have: from `first` on, before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// The lowest address of a byte; not 0.
    pub first: u64,
    /// The first address behind all objects.
    pub end: u64,
}

impl Space {
    /// Everywhere but at 0; the end of an object is an address, too.
    pub fn anywhere(width: u32) -> Space {
        Space { first: 1, end: mask(width) }
    }

    /// How many addresses an object of this size and alignment can have.
    pub fn positions(self, size: u64, align: u64) -> u64 {
        let first = self.first.checked_next_multiple_of(align);
        match (first, self.end.checked_sub(size)) {
            (Some(first), Some(last)) if first <= last => (last - first) / align + 1,
            _ => 0,
        }
    }
}

/// The share of placements that the axioms forbid together, in units of 2^-[`Room::UNIT`].
#[derive(Default)]
struct Room {
    taken: u128,
}

impl Room {
    const UNIT: u32 = 60;

    /// Takes the share `forbidden / positions`, if then less than half is taken.
    fn take(&mut self, forbidden: u128, positions: u64) -> bool {
        let share = (forbidden << Room::UNIT).div_ceil(u128::from(positions.max(1)));
        let fits = self.taken + share < 1 << (Room::UNIT - 1);
        if fits {
            self.taken += share;
        }
        fits
    }
}

impl Store {
    /// Says where the objects that are made from now on can lie.
    pub fn set_space(&mut self, space: Space) {
        assert!(space.first > 0, "no object lies at 0");
        self.objects.space = Some(space);
    }

    /// A new symbol for the address of an object of `size` bytes, as wide as `size`, aligned to a power of two. `exists` is true,
    /// or a literal of a symbol that is used for nothing else. Of an object that does not `exist`, nothing is known but that its address is that of a byte which no other object has; an object
    /// of constant size that finds room beside all others is taken to exist always.
    pub fn object(&mut self, prefix: &str, size: Term, align: u64, exists: Term) -> Term {
        let width = self.width(size);
        let align = if sabotage::active(Fault::ObjectsTooAligned) { 1024 } else { align };
        let base = self.fresh(prefix, Sort::Bv(width));
        let symbol = self.as_symbol(base).expect("a fresh term is a symbol");
        let space = self.objects.space.unwrap_or(Space::anywhere(width));
        let constant = self.small(size).map(|n| n.max(1)).filter(|&n| space.positions(n, align) > 0);
        let (object, axiom) = match constant {
            Some(n) => {
                let object = Object { size: self.bv(width, n), least: n, positions: space.positions(n, align), align };
                (object, self.lies_in(base, object.size, space))
            }
            None => self.possible_object(base, size, align, exists, space),
        };
        let aligned = self.is_aligned(base, align);
        let axiom = self.and(axiom, aligned);
        if object.positions > 0 {
            self.objects.axioms.insert(symbol, vec![(symbol, axiom)]);
        }
        self.objects.objects.insert(symbol, object);
        base
    }

    /// An object that takes one byte unless it exists.
    fn possible_object(&mut self, base: Term, size: Term, align: u64, exists: Term, space: Space) -> (Object, Term) {
        let width = self.width(size);
        let (zero, one) = (self.bv(width, 0), self.bv(width, 1));
        // An object without bytes has an address of its own nevertheless.
        let empty = self.eq(size, zero);
        let full = self.ite(empty, one, size);
        let size = match self.bool_of(exists) {
            // Nobody can say that it does not exist: then less is known of it.
            Some(_) => one,
            None if sabotage::active(Fault::ObjectsExistAlways) => full,
            None => self.ite(exists, full, one),
        };
        let object = Object { size, least: 1, positions: space.positions(1, align), align };
        let most = self.bv(width, space.end.wrapping_sub(space.first));
        let fits = self.ule(size, most);
        // A question may speak of whether the object exists and not of where it lies.
        let positive = if let Node::Not(positive) = self.node(exists) { positive } else { exists };
        if let (Some(says), Some(symbol)) = (self.as_symbol(positive), self.as_symbol(base)) {
            self.attach(positive, fits);
            self.objects.possible.insert(says, symbol);
        }
        let lies = self.lies_in(base, size, space);
        (object, self.and(fits, lies))
    }

    /// `size` bytes (not more than there are) from `base` on lie in the space.
    fn lies_in(&mut self, base: Term, size: Term, space: Space) -> Term {
        let width = self.width(base);
        let (first, end) = (self.bv(width, space.first), self.bv(width, space.end));
        let last = self.bv_sub(end, size);
        let (above, below) = (self.ule(first, base), self.ule(base, last));
        self.and(above, below)
    }

    fn is_aligned(&mut self, base: Term, align: u64) -> Term {
        if align <= 1 {
            return self.bool(true);
        }
        let low = self.extract(base, align.trailing_zeros() - 1, 0);
        let zeroes = self.bv(align.trailing_zeros(), 0);
        self.eq(low, zeroes)
    }

    /// A axiom that comes along wherever this symbol occurs. It must be satisfiable whatever the values of all other symbols.
    pub fn attach(&mut self, symbol: Term, axiom: Term) {
        let symbol = self.as_symbol(symbol).expect("axioms are attached to symbols");
        if self.bool_of(axiom) != Some(true) {
            self.objects.axioms.entry(symbol).or_default().push((symbol, axiom));
        }
    }

    /// The object that a symbol is the address of. Of an address that is chosen from several, where states were merged,
    /// nothing is known as of one object.
    fn object_of(&self, base: Term) -> Option<(Symbol, Object)> {
        let symbol = self.as_symbol(base)?;
        Some((symbol, *self.objects.objects.get(&symbol)?))
    }

    /// Takes the share of an object's addresses that are lost to an obstacle of so many bytes.
    fn take_room(&mut self, object: Object, obstacle: u64) -> bool {
        // The object may not begin in the obstacle, nor less than its own size before it.
        let bytes = u128::from(obstacle) + u128::from(object.least) - 1;
        let forbidden = bytes.div_ceil(u128::from(object.align.max(1)));
        object.positions > 0 && self.objects.room.take(forbidden, object.positions)
    }

    /// Two objects share no byte.
    pub fn disjoint(&mut self, a: Term, b: Term) {
        let (Some((x, first)), Some((y, second))) = (self.object_of(a), self.object_of(b)) else { return };
        if x == y || self.are_disjoint(x, y) || first.positions == 0 || !self.take_room(second, first.least) {
            return;
        }
        let (a_end, b_end) = (self.bv_add(a, first.size), self.bv_add(b, second.size));
        let (before, behind) = (self.ule(a_end, b), self.ule(b_end, a));
        let axiom = self.or(before, behind);
        self.objects.disjoint.insert((x.min(y), x.max(y)));
        for (one, other) in [(x, y), (y, x)] {
            self.objects.axioms.entry(one).or_default().push((other, axiom));
        }
    }

    /// An address, which does not depend on where the object lies, lies outside of it. The axiom is part of every question with
    /// the object's symbol.
    pub fn outside(&mut self, object: Term, address: Term) {
        let Some((x, known)) = self.object_of(object) else { return };
        if self.different_addresses(object, address) || object == address {
            return;
        }
        if self.surely_outside(object, address, MAX_CHOICES) {
            self.objects.outside.insert((x, address));
            return;
        }
        if !self.take_room(known, 1) {
            return;
        }
        self.objects.outside.insert((x, address));
        let end = self.bv_add(object, known.size);
        let (before, behind) = (self.ult(address, object), self.ule(end, address));
        let axiom = self.or(before, behind);
        self.objects.axioms.entry(x).or_default().push((x, axiom));
    }

    /// Whether an address, or each of those it is chosen from, is known to be different.
    fn surely_outside(&self, object: Term, address: Term, depth: usize) -> bool {
        self.different_addresses(object, address)
            || matches!(self.node(address), Node::Ite(_, a, b)
                if depth > 0 && self.surely_outside(object, a, depth - 1) && self.surely_outside(object, b, depth - 1))
    }

    fn are_disjoint(&self, x: Symbol, y: Symbol) -> bool {
        self.objects.disjoint.contains(&(x.min(y), x.max(y)))
    }

    /// Whether any symbol comes with axioms.
    pub(crate) fn has_objects(&self) -> bool {
        !self.objects.axioms.is_empty()
    }

    /// The object symbols in `t`.
    pub(crate) fn object_symbols(&self, t: Term) -> Vec<Symbol> {
        self.symbols_of(&[t]).into_iter().filter(|s| self.objects.axioms.contains_key(s)).collect()
    }

    /// The axioms about a set of symbols.
    pub fn object_axioms(&self, symbols: &[Symbol]) -> Vec<Term> {
        let mut axioms = Vec::new();
        let mut symbols = symbols.to_vec();
        symbols.extend(symbols.clone().iter().filter_map(|s| self.objects.possible.get(s)));
        symbols.sort_unstable();
        symbols.dedup();
        for (i, s) in symbols.iter().enumerate() {
            let known = self.objects.axioms.get(s).into_iter().flatten();
            axioms.extend(known.filter(|(o, _)| symbols[..=i].contains(o)).map(|&(_, t)| t));
        }
        axioms
    }

    /// Whether two addresses are surely different: both lie inside their objects, which are apart, or one is null.
    pub(crate) fn different_addresses(&self, a: Term, b: Term) -> bool {
        if !self.has_objects() {
            return false;
        }
        // Before the first address of the space there are no objects.
        let first = self.objects.space.map_or(1, |s| s.first);
        let low = |t: Term| self.small(t).is_some_and(|n| n < first);
        if low(a) || low(b) {
            let (small, other) = if low(a) { (a, b) } else { (b, a) };
            return !low(other) && small != other && self.place(other).is_some_and(|p| self.does_not_wrap(other, p));
        }
        let inside = |t: Term| self.inside(t).map(|(symbol, _)| symbol);
        match (inside(a), inside(b)) {
            (Some(x), Some(y)) => x != y && self.are_disjoint(x, y),
            (Some(x), None) => self.objects.outside.contains(&(x, b)),
            (None, Some(y)) => self.objects.outside.contains(&(y, a)),
            (None, None) => false,
        }
    }

    /// Whether a place, in or behind its object, is surely not so far behind it that the sum wraps around.
    fn does_not_wrap(&self, t: Term, (symbol, offset): (Symbol, Range)) -> bool {
        let width = self.width(t);
        let Some(object) = self.objects.objects.get(&symbol).filter(|o| o.positions > 0) else { return false };
        // The object ends in the space.
        let end = self.objects.space.unwrap_or(Space::anywhere(width)).end;
        end.checked_sub(object.least).and_then(|last| last.checked_add(offset.hi)).is_some_and(|far| far <= mask(width))
    }

    /// Whether an address surely lies in an object.
    pub fn is_inside(&self, t: Term) -> bool {
        self.inside(t).is_some()
    }

    /// The object in which a place surely lies, and how far behind its start. (An object's first byte is its own whether it exists
    /// or not.)
    fn inside(&self, t: Term) -> Option<(Symbol, Range)> {
        let (symbol, offset) = self.place(t)?;
        let object = self.objects.objects.get(&symbol).filter(|o| o.positions > 0)?;
        (offset.hi < object.least).then_some((symbol, offset))
    }

    /// An object's address plus something, with the range of that.
    pub(crate) fn place(&self, t: Term) -> Option<(Symbol, Range)> {
        let exactly = |n: u64| Range { lo: n, hi: n };
        let is_object = |s: &Symbol| self.objects.objects.contains_key(s);
        match self.node(t) {
            Node::Symbol(s) => Some((s, exactly(0))).filter(|(s, _)| is_object(s)),
            Node::Bin(BinOp::Add, x, c) => match (self.as_symbol(x), self.small(c)) {
                (Some(s), Some(n)) => Some((s, exactly(n))).filter(|(s, _)| is_object(s)),
                _ => self.place_of_sum(t),
            },
            _ => None,
        }
    }

    /// [`Store::place`] of a chain of summands.
    fn place_of_sum(&self, t: Term) -> Option<(Symbol, Range)> {
        let (mut summands, mut base, mut rest) = (Vec::new(), None, t);
        loop {
            let (below, last) = match self.node(rest) {
                Node::Bin(BinOp::Add, x, y) if summands.len() < MAX_SUMMANDS => (Some(x), y),
                _ => (None, rest),
            };
            match self.as_symbol(last).filter(|s| self.objects.objects.contains_key(s)) {
                Some(_) if base.is_some() => return None,
                Some(symbol) => base = Some(symbol),
                None => summands.push(last),
            }
            match below {
                Some(below) => rest = below,
                None => break,
            }
        }
        summands.reverse();
        let width = self.width(t);
        Some((base?, self.range_of_sum(&summands, width).unwrap_or(Range::full(width))))
    }

    /// A place as the address of its object and what is added to it.
    pub(crate) fn base_and_offset(&mut self, t: Term) -> Option<(Symbol, Term)> {
        let (symbol, _) = self.place(t)?;
        let base = self.symbol_term(symbol);
        Some((symbol, self.bv_sub(t, base)))
    }

    /// The order of two places of one object is that of their offsets, if neither wraps around.
    pub(crate) fn less_offset(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let (p, q) = (self.place(a)?, self.place(b)?);
        if p.0 != q.0 || !self.does_not_wrap(a, p) || !self.does_not_wrap(b, q) {
            return None;
        }
        let base = self.symbol_term(p.0);
        Some((self.bv_sub(a, base), self.bv_sub(b, base)))
    }

    /// Whether an address is that of an object, plus something or not.
    pub(crate) fn of_one_object(&self, a: Term, b: Term) -> Option<Term> {
        if self.objects.objects.is_empty() {
            return None;
        }
        let (p, q) = (self.place(a)?, self.place(b)?);
        (p.0 == q.0).then(|| self.symbol_term(p.0))
    }

    /// Whether an address is surely none of the `n` from `dst` on, because those lie in another object.
    pub(crate) fn is_beside(&self, addr: Term, dst: Term, n: Term) -> bool {
        let (Some((y, offset)), Some(n)) = (self.inside(dst), self.small(n)) else { return false };
        let within = offset.hi.checked_add(n).is_some_and(|end| end <= self.objects.objects[&y].least);
        let low = self.small(addr).is_some_and(|n| n < self.objects.space.map_or(1, |s| s.first));
        within && (low || self.inside(addr).is_some_and(|(x, _)| x != y && self.are_disjoint(x, y)))
    }

    /// Whether two places are surely the same or surely different, found without building a term.
    pub(crate) fn compare_places(&self, a: Term, b: Term) -> Option<bool> {
        let ((x, i), (y, j)) = (self.place(a)?, self.place(b)?);
        if x == y {
            let exact = i.lo == i.hi && j.lo == j.hi;
            let disjoint = i.hi < j.lo || j.hi < i.lo;
            return (exact || disjoint).then_some(!disjoint);
        }
        (self.inside(a).is_some() && self.inside(b).is_some() && self.are_disjoint(x, y)).then_some(false)
    }

    /// Whether an address is a place, null, or chosen between such.
    fn is_place_choice(&mut self, t: Term) -> bool {
        if let Some(&known) = self.objects.places.get(&t) {
            return known;
        }
        let is = match self.node(t) {
            Node::Symbol(s) => self.objects.objects.contains_key(&s),
            Node::Small { .. } => true,
            Node::Bin(BinOp::Add, x, y) => {
                self.place(t).is_some()
                    || self.is_offset(y) && !self.is_const(x) && self.is_place_choice(x)
                    || self.is_offset(x) && !self.is_const(y) && self.is_place_choice(y)
            }
            Node::Ite(_, x, y) => self.is_place_choice(x) && self.is_place_choice(y),
            _ => false,
        };
        self.objects.places.insert(t, is);
        is
    }

    /// Whether something can be added to each of the places that are chosen from: it is a constant, or small.
    fn is_offset(&self, t: Term) -> bool {
        self.is_const(t) || self.range(t).hi < 1 << MAX_OFFSET
    }

    /// Whether a term chooses between constants, by choices that are not too deep.
    fn is_constant_choice(&self, t: Term, depth: usize) -> bool {
        match self.node(t) {
            Node::Small { .. } => true,
            Node::Ite(_, x, y) => {
                depth > 0 && self.is_constant_choice(x, depth - 1) && self.is_constant_choice(y, depth - 1)
            }
            _ => false,
        }
    }

    /// The condition and the two sides of a choice between places; what is added to the choice is added to both.
    pub(crate) fn split_places(&mut self, t: Term) -> Option<(Term, Term, Term)> {
        if self.objects.objects.is_empty() || !self.is_place_choice(t) {
            return None;
        }
        match self.node(t) {
            Node::Ite(cond, x, y) => Some((cond, x, y)),
            Node::Bin(BinOp::Add, x, y) => {
                if let Node::Ite(cond, p, q) = self.node(y)
                    && self.is_constant_choice(y, OFFSETS)
                {
                    return Some((cond, self.bv_add(x, p), self.bv_add(x, q)));
                }
                let (choice, offset) = if self.is_offset(y) { (x, y) } else { (y, x) };
                let (cond, p, q) = self.split_places(choice)?;
                Some((cond, self.bv_add(p, offset), self.bv_add(q, offset)))
            }
            _ => None,
        }
    }

    /// A choice between places where a condition is known to hold, or not to.
    pub(crate) fn restrict_places(&mut self, t: Term, cond: Term, holds: bool) -> Term {
        if self.objects.objects.is_empty() || !self.is_place_choice(t) {
            return t;
        }
        if let Some(&known) = self.objects.restricted.get(&(t, cond, holds)) {
            return known;
        }
        let restricted = match self.node(t) {
            Node::Ite(c, x, y) => match self.implied(c, cond, holds) {
                Some(true) => self.restrict_places(x, cond, holds),
                Some(false) => self.restrict_places(y, cond, holds),
                None => {
                    let (p, q) = (self.restrict_places(x, cond, holds), self.restrict_places(y, cond, holds));
                    if (p, q) == (x, y) { t } else { self.ite(c, p, q) }
                }
            },
            Node::Bin(BinOp::Add, x, y) => {
                let (p, q) = (self.restrict_places(x, cond, holds), self.restrict_places(y, cond, holds));
                if (p, q) == (x, y) { t } else { self.bv_add(p, q) }
            }
            _ => t,
        };
        self.objects.restricted.insert((t, cond, holds), restricted);
        restricted
    }

    /// The address of the object from which an address was made by adding to it.
    pub fn base_of(&self, t: Term) -> Option<Term> {
        self.place(t).map(|(symbol, _)| self.symbol_term(symbol))
    }

    /// The condition and the sides of a choice between addresses, to which something may have been added.
    pub fn split_address(&mut self, t: Term) -> Option<(Term, Term, Term)> {
        match self.node(t) {
            Node::Ite(cond, x, y) => Some((cond, x, y)),
            Node::Bin(BinOp::Add, x, y) if self.is_place_choice(t) => {
                let (choice, offset) = if self.is_offset(y) { (x, y) } else { (y, x) };
                let (cond, p, q) = self.split_address(choice)?;
                Some((cond, self.bv_add(p, offset), self.bv_add(q, offset)))
            }
            _ => None,
        }
    }

    /// An address that is equal to this one wherever this one is not 0: of a choice between places, null is left out.
    pub fn without_null(&mut self, t: Term) -> Term {
        let Node::Ite(cond, x, y) = self.node(t) else { return t };
        if !self.is_place_choice(t) {
            return t;
        }
        if let Some(&known) = self.objects.nonnull.get(&t) {
            return known;
        }
        let is_null = |store: &Store, t: Term| store.small(t) == Some(0);
        let (x, y) = (self.without_null(x), self.without_null(y));
        let answer = match (is_null(self, x), is_null(self, y)) {
            (true, _) => y,
            (false, true) => x,
            (false, false) => self.ite(cond, x, y),
        };
        self.objects.nonnull.insert(t, answer);
        answer
    }

    /// What follows for `c` from `cond` being true (or false), as far as that is seen at once.
    fn implied(&self, c: Term, cond: Term, holds: bool) -> Option<bool> {
        if c == cond {
            return Some(holds);
        }
        if self.opposite(c, cond) {
            return Some(!holds);
        }
        match (self.node(cond), holds) {
            (Node::Not(inner), _) => self.implied(c, inner, !holds),
            (Node::And(a, b), true) => self.implied(c, a, true).or_else(|| self.implied(c, b, true)),
            _ => None,
        }
    }

    /// Whether a choice between places is this place, if that is decided for all that it chooses from (and those are few).
    pub(crate) fn eq_choice(&mut self, choice: Term, place: Term) -> Option<Term> {
        self.split_places(choice)?;
        let is_one = self.is_const(place) || self.inside(place).is_some();
        if !is_one {
            return None;
        }
        let mut known = FxHashMap::default();
        self.eq_choice_within(choice, place, &mut known)
    }

    fn eq_choice_within(&mut self, t: Term, place: Term, known: &mut FxHashMap<Term, Term>) -> Option<Term> {
        if let Some(&answer) = known.get(&t) {
            return Some(answer);
        }
        if known.len() > MAX_PLACES {
            return None;
        }
        let answer = match self.split_places(t) {
            Some((cond, x, y)) => {
                let (p, q) = (self.eq_choice_within(x, place, known)?, self.eq_choice_within(y, place, known)?);
                self.ite(cond, p, q)
            }
            None => {
                let same = t == place || self.is_const(t) && self.is_const(place) && self.small(t) == self.small(place);
                if !same && self.of_one_object(t, place).is_some() {
                    let offsets = self.eq(t, place);
                    known.insert(t, offsets);
                    return Some(offsets);
                }
                let other = self.compare_places(t, place) == Some(false) || self.different_addresses(t, place);
                let decided = same || other || self.is_const(t) && self.is_const(place);
                if !decided {
                    return None;
                }
                self.bool(same)
            }
        };
        known.insert(t, answer);
        Some(answer)
    }
}

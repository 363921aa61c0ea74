//! Symbols that come with facts: above all, the addresses of objects.
//!
//! An object's address is a symbol of which is known that it is not zero, aligned, and that the object does not wrap
//! around the end of the address space; two objects that are told apart share no byte. Nothing else is known of where
//! objects lie. These facts are part of every question in which their symbols occur ([`Context`](crate::Context) adds
//! them), so they need not be carried along; a model keeps them.

use base::sabotage::{self, Fault};

use crate::store::Store;
use crate::term::{BinOp, Node, Sort, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Choices behind choices that are looked into.
const MAX_CHOICES: usize = 6;

/// The facts of a store's object symbols.
#[derive(Default)]
pub(crate) struct Objects {
    /// For each symbol, the symbols (itself among them) with which it has a fact.
    facts: FxHashMap<Symbol, Vec<(Symbol, Term)>>,
    /// The sizes of objects, at least 1.
    sizes: FxHashMap<Symbol, Term>,
    /// Addresses that are known to lie outside of objects.
    outside: FxHashSet<(Symbol, Term)>,
}

impl Store {
    /// A new symbol for the address of an object of `size` bytes, as wide as `size`, aligned to a power of two.
    pub fn object(&mut self, prefix: &str, size: Term, align: u64) -> Term {
        let width = self.width(size);
        let align = if sabotage::active(Fault::ObjectsTooAligned) { 1024 } else { align };
        let base = self.fresh(prefix, Sort::Bv(width));
        let (zero, one) = (self.bv(width, 0), self.bv(width, 1));
        // An object without bytes has an address of its own nevertheless.
        let empty = self.eq(size, zero);
        let size = self.ite(empty, one, size);
        let null = self.eq(base, zero);
        let not_null = self.not(null);
        let last = self.bv_not(size);
        let ends = self.ule(base, last);
        let mut fact = self.and(not_null, ends);
        if align > 1 {
            let low = self.extract(base, align.trailing_zeros() - 1, 0);
            let zeroes = self.bv(align.trailing_zeros(), 0);
            let aligned = self.eq(low, zeroes);
            fact = self.and(fact, aligned);
        }
        let symbol = self.as_symbol(base).expect("a fresh term is a symbol");
        self.objects.sizes.insert(symbol, size);
        self.objects.facts.insert(symbol, vec![(symbol, fact)]);
        base
    }

    /// A fact that comes along wherever this symbol occurs. It must be satisfiable whatever the values of all other symbols.
    pub fn attach(&mut self, symbol: Term, fact: Term) {
        let symbol = self.as_symbol(symbol).expect("facts are attached to symbols");
        if self.bool_of(fact) != Some(true) {
            self.objects.facts.entry(symbol).or_default().push((symbol, fact));
        }
    }

    /// Two objects share no byte.
    pub fn apart(&mut self, a: Term, b: Term) {
        let symbol = |t| self.as_symbol(t).filter(|s| self.objects.sizes.contains_key(s));
        let (Some(x), Some(y)) = (symbol(a), symbol(b)) else { panic!("only objects are told apart") };
        if x == y || self.are_apart(x, y) {
            return;
        }
        let (n, m) = (self.objects.sizes[&x], self.objects.sizes[&y]);
        let (a_end, b_end) = (self.bv_add(a, n), self.bv_add(b, m));
        let (before, behind) = (self.ule(a_end, b), self.ule(b_end, a));
        let fact = self.or(before, behind);
        for (one, other) in [(x, y), (y, x)] {
            self.objects.facts.entry(one).or_default().push((other, fact));
        }
    }

    /// An address lies outside of an object. The fact is part of every question with the object's symbol.
    pub fn outside(&mut self, object: Term, address: Term) {
        let symbol = self.as_symbol(object).filter(|s| self.objects.sizes.contains_key(s));
        let x = symbol.expect("only of objects is known what lies outside");
        if self.different_addresses(object, address) || object == address {
            return;
        }
        let known = self.surely_outside(object, address, MAX_CHOICES);
        self.objects.outside.insert((x, address));
        if known {
            return;
        }
        let end = self.bv_add(object, self.objects.sizes[&x]);
        let (before, behind) = (self.ult(address, object), self.ule(end, address));
        let fact = self.or(before, behind);
        self.objects.facts.entry(x).or_default().push((x, fact));
    }

    /// Whether an address, or each of those it is chosen from, is known to be different.
    fn surely_outside(&self, object: Term, address: Term, depth: usize) -> bool {
        self.different_addresses(object, address)
            || matches!(self.node(address), Node::Ite(_, a, b)
                if depth > 0 && self.surely_outside(object, a, depth - 1) && self.surely_outside(object, b, depth - 1))
    }

    fn are_apart(&self, x: Symbol, y: Symbol) -> bool {
        let (few, other) = match (self.objects.facts.get(&x), self.objects.facts.get(&y)) {
            (Some(f), Some(g)) if f.len() <= g.len() => (f, y),
            (_, Some(g)) => (g, x),
            _ => return false,
        };
        few.iter().any(|(s, _)| *s == other)
    }

    /// Whether any symbol comes with facts.
    pub(crate) fn has_objects(&self) -> bool {
        !self.objects.facts.is_empty()
    }

    /// The object symbols in `t`.
    pub(crate) fn object_symbols(&self, t: Term) -> Vec<Symbol> {
        self.symbols_of(&[t]).into_iter().filter(|s| self.objects.facts.contains_key(s)).collect()
    }

    /// The facts about a set of symbols.
    pub fn object_facts(&self, symbols: &[Symbol]) -> Vec<Term> {
        let mut facts = Vec::new();
        for (i, s) in symbols.iter().enumerate() {
            let known = self.objects.facts.get(s).into_iter().flatten();
            facts.extend(known.filter(|(o, _)| symbols[..=i].contains(o)).map(|&(_, t)| t));
        }
        facts
    }

    /// Whether two addresses are surely different: both lie inside their objects, which are apart, or one is null.
    pub(crate) fn different_addresses(&self, a: Term, b: Term) -> bool {
        if !self.has_objects() {
            return false;
        }
        let inside = |t: Term| -> Option<Symbol> {
            let (symbol, offset) = match self.node(t) {
                Node::Symbol(s) => (s, 0),
                Node::Bin(BinOp::Add, x, c) => (self.as_symbol(x)?, self.small(c)?),
                _ => return None,
            };
            let size = self.small(*self.objects.sizes.get(&symbol)?)?;
            (offset < size).then_some(symbol)
        };
        match (inside(a), inside(b)) {
            (Some(x), Some(y)) => x != y && self.are_apart(x, y),
            (Some(x), None) => self.small(b) == Some(0) || self.objects.outside.contains(&(x, b)),
            (None, Some(y)) => self.small(a) == Some(0) || self.objects.outside.contains(&(y, a)),
            (None, None) => false,
        }
    }
}

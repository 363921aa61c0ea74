//! The store of hash-consed terms: interning, symbols, constants, and generic construction.
//!
//! Invariants: a node's operands have smaller ids than the node; equal nodes have equal ids; the sort of every term is
//! known and every node is well-sorted (construction asserts it). Commutative operations order their operands by a
//! structural key, not by id, so the shape of a term does not depend on what else was built before it.
//!
//! Construction rewrites ([`crate::rewrite`]); [`Store::intern`] is the only place that adds a node.

use base::{Id, IndexVec};
use rustc_hash::FxHashMap;

use crate::bits::{Bits, mask};
use crate::float::{FloatKind, FloatOp, Format};
use crate::objects::Objects;
use crate::range::Range;
use crate::rewrite::Rule;
use crate::term::{Node, Op, Sort, Symbol, Term};

/// All terms of one worker. Building a term needs `&mut Store`; everything else reads it.
pub struct Store {
    nodes: IndexVec<Term, Node>,
    sorts: IndexVec<Term, Sort>,
    keys: IndexVec<Term, u64>,
    pub(crate) ranges: IndexVec<Term, Range>,
    table: FxHashMap<Node, Term>,
    symbols: IndexVec<Symbol, SymbolData>,
    by_name: FxHashMap<(Box<str>, Sort), Term>,
    fresh: FxHashMap<Box<str>, u32>,
    wide: Vec<Bits>,
    wide_table: FxHashMap<Bits, u32>,
    /// Reads already resolved, by map and address: maps share their tails, so a read through a diamond of `ite`s would
    /// otherwise take exponential time.
    pub(crate) reads: FxHashMap<(Term, Term), Term>,
    pub(crate) objects: Objects,
    pub(crate) fired: Vec<u64>,
    pub(crate) depth: u32,
    pub(crate) fuel: u32,
}

struct SymbolData {
    name: Box<str>,
    term: Term,
}

impl Default for Store {
    fn default() -> Self {
        Self::new()
    }
}

fn mix(seed: u64, value: u64) -> u64 {
    let mut z = seed.rotate_left(23) ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 29)
}

/// A number for an operation, the same for equal ones.
fn float_key(op: FloatOp) -> u64 {
    let format = |f: Format| u64::from(f.exponent) << 16 | u64::from(f.precision) << 8 | u64::from(f.explicit);
    let kind = match op.kind {
        FloatKind::Add => 0,
        FloatKind::Sub => 1,
        FloatKind::Mul => 2,
        FloatKind::Div => 3,
        FloatKind::Sqrt => 4,
        FloatKind::Fma => 5,
        FloatKind::Integral => 6,
        FloatKind::Eq => 7,
        FloatKind::Lt => 8,
        FloatKind::Le => 9,
        FloatKind::Convert { to } => mix(10, format(to)),
        FloatKind::FromInt { width, signed } => mix(11, u64::from(width) << 1 | u64::from(signed)),
        FloatKind::ToInt { width, signed } => mix(12, u64::from(width) << 1 | u64::from(signed)),
    };
    mix(mix(mix(19, kind), format(op.format)), op.rounding as u64)
}

impl Store {
    /// An empty store.
    pub fn new() -> Store {
        let mut store = Store {
            nodes: IndexVec::new(),
            sorts: IndexVec::new(),
            keys: IndexVec::new(),
            ranges: IndexVec::new(),
            table: FxHashMap::default(),
            symbols: IndexVec::new(),
            by_name: FxHashMap::default(),
            fresh: FxHashMap::default(),
            wide: Vec::new(),
            wide_table: FxHashMap::default(),
            reads: FxHashMap::default(),
            objects: Objects::default(),
            fired: vec![0; Rule::ALL.len()],
            depth: 0,
            fuel: 0,
        };
        // The two truth values have fixed ids: `bool` need not look them up.
        store.intern(Node::Bool(false), Sort::Bool);
        store.intern(Node::Bool(true), Sort::Bool);
        store
    }

    /// The node of `t`.
    pub fn node(&self, t: Term) -> Node {
        self.nodes[t]
    }

    /// The sort of `t`.
    pub fn sort(&self, t: Term) -> Sort {
        self.sorts[t]
    }

    /// The number of bits of `t`, a bit-vector.
    pub fn width(&self, t: Term) -> u32 {
        self.sorts[t].width()
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing but the two truth values was built.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 2
    }

    /// How often each rewrite rule was applied, for the tests that demand that each one is exercised.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn rules_applied(&self) -> impl Iterator<Item = (Rule, u64)> + '_ {
        Rule::ALL.iter().map(|&r| (r, self.fired[r as usize]))
    }

    /// Adds `node` unless it is there. The only place that makes a term; does not rewrite.
    pub(crate) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(&t) = self.table.get(&node) {
            debug_assert_eq!(self.sorts[t], sort, "equal nodes have equal sorts");
            return t;
        }
        let key = self.key_of(&node, sort);
        let range = self.range_of(&node, sort);
        let t = self.nodes.push(node);
        self.sorts.push(sort);
        self.keys.push(key);
        self.ranges.push(range);
        self.table.insert(node, t);
        t
    }

    fn key_of(&self, node: &Node, sort: Sort) -> u64 {
        let tag = match *node {
            Node::Bool(b) => mix(1, u64::from(b)),
            Node::Small { width, value } => mix(mix(2, u64::from(width)), value),
            Node::Wide(i) => self.wide[i as usize].words().iter().fold(mix(3, 0), |k, &w| mix(k, w)),
            Node::Symbol(s) => self.symbols[s].name.bytes().fold(mix(4, 0), |k, b| mix(k, u64::from(b))),
            Node::Not(_) => 5,
            Node::And(..) => 6,
            Node::Eq(..) => 7,
            Node::Ite(..) => 8,
            Node::BvNot(_) => 9,
            Node::Bin(op, ..) => mix(10, op as u64),
            Node::Concat(..) => 11,
            Node::Extract { hi, lo, .. } => mix(mix(12, u64::from(hi)), u64::from(lo)),
            Node::ZeroExt { width, .. } => mix(13, u64::from(width)),
            Node::SignExt { width, .. } => mix(14, u64::from(width)),
            Node::Select(..) => 15,
            Node::Store(..) => 16,
            Node::SetRange { .. } => 17,
            Node::CopyRange { .. } => 18,
            Node::Float1(op, ..) | Node::Float2(op, ..) | Node::Float3(op, ..) => float_key(op),
        };
        let sort = match sort {
            Sort::Bool => 0,
            Sort::Bv(w) => u64::from(w) << 1,
            Sort::Map { addr, value } => u64::from(addr) << 32 | u64::from(value) << 1 | 1,
        };
        node.args().fold(mix(tag, sort), |k, a| mix(k, self.keys[a]))
    }

    /// The order of operands: constants last, otherwise by structure. Only equal keys (which never happened) would make
    /// the order depend on history.
    pub(crate) fn in_order(&self, a: Term, b: Term) -> bool {
        let rank = |t: Term| (self.is_const(t), self.keys[t], t);
        rank(a) <= rank(b)
    }

    /// The pair in the order of [`Store::in_order`].
    pub(crate) fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        if self.in_order(a, b) { (a, b) } else { (b, a) }
    }

    // Symbols.

    /// The symbol with this name and sort; the same term on every call.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term {
        match sort {
            Sort::Bool => {}
            Sort::Bv(w) => assert!(w >= 1, "a bit-vector has at least one bit"),
            Sort::Map { addr, value } => assert!(addr >= 1 && value >= 1, "a bit-vector has at least one bit"),
        }
        if let Some(&t) = self.by_name.get(&(Box::from(name), sort)) {
            return t;
        }
        let id = self.symbols.next_id();
        // The data comes first: interning computes the structural key from the name.
        self.symbols.push(SymbolData { name: name.into(), term: Term::from_index(0) });
        let term = self.intern(Node::Symbol(id), sort);
        self.symbols[id].term = term;
        self.by_name.insert((name.into(), sort), term);
        term
    }

    /// A symbol that did not exist before, named `prefix!0`, `prefix!1`, …
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let counter = self.fresh.entry(prefix.into()).or_insert(0);
            let name = format!("{prefix}!{counter}");
            *counter += 1;
            if !self.by_name.contains_key(&(Box::from(name.as_str()), sort)) {
                return self.symbol(&name, sort);
            }
        }
    }

    /// The name of a symbol.
    pub(crate) fn symbol_name(&self, s: Symbol) -> &str {
        &self.symbols[s].name
    }

    /// The term of a symbol.
    pub fn symbol_term(&self, s: Symbol) -> Term {
        self.symbols[s].term
    }

    /// The symbol that `t` is, if it is one.
    pub fn as_symbol(&self, t: Term) -> Option<Symbol> {
        match self.nodes[t] {
            Node::Symbol(s) => Some(s),
            _ => None,
        }
    }

    // Constants.

    /// A truth value.
    pub fn bool(&self, value: bool) -> Term {
        Term::from_index(usize::from(value))
    }

    /// The constant `value` modulo 2^`width`.
    pub fn bv(&mut self, width: u32, value: u64) -> Term {
        if (1..=64).contains(&width) {
            self.intern(Node::Small { width, value: value & mask(width) }, Sort::Bv(width))
        } else {
            self.constant(&Bits::new(width, value))
        }
    }

    /// The constant `value` modulo 2^`width`, negative numbers in two's complement.
    pub fn bv_signed(&mut self, width: u32, value: i64) -> Term {
        if (1..=64).contains(&width) {
            self.bv(width, value as u64)
        } else {
            self.constant(&Bits::from_signed(width, value))
        }
    }

    /// The constant with this value.
    pub fn constant(&mut self, value: &Bits) -> Term {
        let width = value.width();
        if width <= 64 {
            return self.bv(width, value.words()[0]);
        }
        let index = match self.wide_table.get(value) {
            Some(&i) => i,
            None => {
                let i = u32::try_from(self.wide.len()).expect("fewer than 2^32 wide constants");
                self.wide.push(value.clone());
                self.wide_table.insert(value.clone(), i);
                i
            }
        };
        self.intern(Node::Wide(index), Sort::Bv(width))
    }

    /// Whether `t` is a truth value or a bit-vector constant.
    pub fn is_const(&self, t: Term) -> bool {
        matches!(self.nodes[t], Node::Bool(_) | Node::Small { .. } | Node::Wide(_))
    }

    /// The value of a bit-vector constant.
    pub fn constant_of(&self, t: Term) -> Option<Bits> {
        match self.nodes[t] {
            Node::Small { width, value } => Some(Bits::new(width, value)),
            Node::Wide(i) => Some(self.wide[i as usize].clone()),
            _ => None,
        }
    }

    /// The value of a constant of at most 64 bits.
    pub fn small(&self, t: Term) -> Option<u64> {
        match self.nodes[t] {
            Node::Small { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The truth value that `t` is, if it is one.
    pub fn bool_of(&self, t: Term) -> Option<bool> {
        match self.nodes[t] {
            Node::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// Builds `op(args)`; the same as calling the method named after the operation.
    pub fn apply(&mut self, op: Op, args: &[Term]) -> Term {
        match (op, args) {
            (Op::Not, &[a]) => self.not(a),
            (Op::And, &[a, b]) => self.and(a, b),
            (Op::Or, &[a, b]) => self.or(a, b),
            (Op::Xor, &[a, b]) => self.xor(a, b),
            (Op::Implies, &[a, b]) => self.implies(a, b),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Ite, &[a, b, c]) => self.ite(a, b, c),
            (Op::BvNot, &[a]) => self.bv_not(a),
            (Op::BvNeg, &[a]) => self.bv_neg(a),
            (Op::BvAnd, &[a, b]) => self.bv_and(a, b),
            (Op::BvOr, &[a, b]) => self.bv_or(a, b),
            (Op::BvXor, &[a, b]) => self.bv_xor(a, b),
            (Op::BvAdd, &[a, b]) => self.bv_add(a, b),
            (Op::BvSub, &[a, b]) => self.bv_sub(a, b),
            (Op::BvMul, &[a, b]) => self.bv_mul(a, b),
            (Op::BvUdiv, &[a, b]) => self.bv_udiv(a, b),
            (Op::BvUrem, &[a, b]) => self.bv_urem(a, b),
            (Op::BvSdiv, &[a, b]) => self.bv_sdiv(a, b),
            (Op::BvSrem, &[a, b]) => self.bv_srem(a, b),
            (Op::BvShl, &[a, b]) => self.bv_shl(a, b),
            (Op::BvLshr, &[a, b]) => self.bv_lshr(a, b),
            (Op::BvAshr, &[a, b]) => self.bv_ashr(a, b),
            (Op::BvUlt, &[a, b]) => self.ult(a, b),
            (Op::BvUle, &[a, b]) => self.ule(a, b),
            (Op::BvSlt, &[a, b]) => self.slt(a, b),
            (Op::BvSle, &[a, b]) => self.sle(a, b),
            (Op::Concat, &[a, b]) => self.concat(a, b),
            (Op::Extract { hi, lo }, &[a]) => self.extract(a, hi, lo),
            (Op::ZeroExt { width }, &[a]) => self.zero_ext(a, width),
            (Op::SignExt { width }, &[a]) => self.sign_ext(a, width),
            (Op::Float(op), args) => self.float(op, args),
            _ => panic!("{op:?} does not take {} operands", args.len()),
        }
    }
}

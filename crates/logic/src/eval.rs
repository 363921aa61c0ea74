//! The direct evaluator: what a term means, by structure, one operation at a time.
//!
//! It shares nothing with the rewriter and the bit-blaster but the arithmetic of [`Bits`], and is their oracle: every
//! model the solver finds is evaluated here before it is believed. Terms are walked on an explicit stack.

use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::float::exact;
use crate::store::Store;
use crate::term::{BinOp, Node, Op, Sort, Symbol, Term};

/// The value of a term that is not a map.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bits(Bits),
}

impl Value {
    /// The truth value; panics on a bit-vector.
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            Value::Bits(_) => panic!("a truth value was expected"),
        }
    }

    /// The bit-vector; panics on a truth value.
    pub fn as_bits(&self) -> &Bits {
        match self {
            Value::Bits(b) => b,
            Value::Bool(_) => panic!("a bit-vector was expected"),
        }
    }

    /// False, or all bits zero.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bv(width) => Value::Bits(Bits::zero(width)),
            Sort::Map { .. } => panic!("a map is not a value"),
        }
    }
}

/// What `op` means on values: the definition the rewriter and the bit-blaster are held against.
pub fn apply(op: Op, args: &[Value]) -> Value {
    let b = |i: usize| args[i].as_bool();
    let v = |i: usize| args[i].as_bits();
    match op {
        Op::Not => Value::Bool(!b(0)),
        Op::And => Value::Bool(b(0) && b(1)),
        Op::Or => Value::Bool(b(0) || b(1)),
        Op::Xor => Value::Bool(b(0) != b(1)),
        Op::Implies => Value::Bool(!b(0) || b(1)),
        Op::Eq => Value::Bool(args[0] == args[1]),
        Op::Ite => args[if b(0) { 1 } else { 2 }].clone(),
        Op::BvNot => Value::Bits(v(0).not()),
        Op::BvNeg => Value::Bits(v(0).neg()),
        Op::BvAnd => Value::Bits(v(0).and(v(1))),
        Op::BvOr => Value::Bits(v(0).or(v(1))),
        Op::BvXor => Value::Bits(v(0).xor(v(1))),
        Op::BvAdd => Value::Bits(v(0).add(v(1))),
        Op::BvSub => Value::Bits(v(0).sub(v(1))),
        Op::BvMul => Value::Bits(v(0).mul(v(1))),
        Op::BvUdiv => Value::Bits(v(0).udiv(v(1))),
        Op::BvUrem => Value::Bits(v(0).urem(v(1))),
        Op::BvSdiv => Value::Bits(v(0).sdiv(v(1))),
        Op::BvSrem => Value::Bits(v(0).srem(v(1))),
        Op::BvShl => Value::Bits(v(0).shl(v(1))),
        Op::BvLshr => Value::Bits(v(0).lshr(v(1))),
        Op::BvAshr => Value::Bits(v(0).ashr(v(1))),
        Op::BvUlt => Value::Bool(v(0).ult(v(1))),
        Op::BvUle => Value::Bool(!v(1).ult(v(0))),
        Op::BvSlt => Value::Bool(v(0).slt(v(1))),
        Op::BvSle => Value::Bool(!v(1).slt(v(0))),
        Op::Concat => Value::Bits(v(0).concat(v(1))),
        Op::Extract { hi, lo } => Value::Bits(v(0).extract(hi, lo)),
        Op::ZeroExt { width } => Value::Bits(v(0).zero_ext(width)),
        Op::SignExt { width } => Value::Bits(v(0).sign_ext(width)),
        Op::Float(op) => {
            let args: Vec<Bits> = (0..args.len()).map(|i| v(i).clone()).collect();
            exact::apply(op, &args)
        }
    }
}

/// Values of symbols; what is not mentioned is false, zero, or the map that is zero everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    values: FxHashMap<Symbol, Value>,
    maps: FxHashMap<Symbol, FxHashMap<Bits, Bits>>,
}

impl Assignment {
    /// The assignment that makes everything zero.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Gives a symbol that is not a map a value.
    pub fn set(&mut self, symbol: Symbol, value: Value) {
        self.values.insert(symbol, value);
    }

    /// Gives a map symbol a value at one address.
    pub fn set_entry(&mut self, map: Symbol, addr: Bits, value: Bits) {
        self.maps.entry(map).or_default().insert(addr, value);
    }

    /// The value given to a symbol that is not a map, if any was given.
    pub fn get(&self, symbol: Symbol) -> Option<&Value> {
        self.values.get(&symbol)
    }

    /// The value given to a map symbol at an address, if any was given.
    pub fn entry(&self, map: Symbol, addr: &Bits) -> Option<&Bits> {
        self.maps.get(&map)?.get(addr)
    }

    /// The addresses at which a map symbol was given a value, with the values, in ascending order.
    pub fn entries(&self, map: Symbol) -> Vec<(&Bits, &Bits)> {
        let mut list: Vec<_> = self.maps.get(&map).map(|m| m.iter().collect()).unwrap_or_default();
        list.sort_unstable();
        list
    }

    /// The symbols that are not maps and were given a value, in the order of their creation.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut list: Vec<Symbol> = self.values.keys().copied().collect();
        list.sort_unstable();
        list
    }

    /// The map symbols that were given a value somewhere, in the order of their creation.
    pub fn maps(&self) -> Vec<Symbol> {
        let mut list: Vec<Symbol> = self.maps.keys().copied().collect();
        list.sort_unstable();
        list
    }
}

/// Where the evaluator finds the values of symbols.
pub(crate) trait Leaves {
    /// The value of a symbol that is not a map.
    fn symbol(&mut self, term: Term, symbol: Symbol, sort: Sort) -> Value;
    /// The value of the map symbol `map` at `addr`; `term` is the read.
    fn read(&mut self, term: Term, map: Symbol, addr: &Bits, width: u32) -> Bits;
}

impl Leaves for &Assignment {
    fn symbol(&mut self, _: Term, symbol: Symbol, sort: Sort) -> Value {
        self.get(symbol).cloned().unwrap_or_else(|| Value::zero(sort))
    }
    fn read(&mut self, _: Term, map: Symbol, addr: &Bits, width: u32) -> Bits {
        self.entry(map, addr).cloned().unwrap_or_else(|| Bits::zero(width))
    }
}

/// Values already computed. An entry belongs to the epoch in which it was made, so that starting anew costs nothing.
#[derive(Default)]
pub(crate) struct Memo {
    epoch: u32,
    values: FxHashMap<Term, (u32, Value)>,
    stack: Vec<Term>,
}

impl Memo {
    /// Forgets all values.
    pub(crate) fn clear(&mut self) {
        match self.epoch.checked_add(1) {
            Some(next) => self.epoch = next,
            None => {
                self.values.clear();
                self.epoch = 0;
            }
        }
    }

    fn get(&self, t: Term) -> Option<&Value> {
        self.values.get(&t).filter(|(epoch, _)| *epoch == self.epoch).map(|(_, v)| v)
    }

    /// The value of `t`, which is not a map.
    pub(crate) fn eval(&mut self, store: &Store, leaves: &mut impl Leaves, t: Term) -> Value {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(t);
        while let Some(&top) = stack.last() {
            if self.get(top).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let node = store.node(top);
            for arg in node.args() {
                // The map of a read is a symbol: it has no value of its own.
                if !matches!(store.sort(arg), Sort::Map { .. }) && self.get(arg).is_none() {
                    stack.push(arg);
                }
            }
            if stack.len() == before {
                let value = self.step(store, leaves, top, &node);
                self.values.insert(top, (self.epoch, value));
                stack.pop();
            }
        }
        self.stack = stack;
        self.get(t).expect("the root was evaluated").clone()
    }

    fn step(&self, store: &Store, leaves: &mut impl Leaves, t: Term, node: &Node) -> Value {
        let get = |a: Term| self.get(a).expect("operands are evaluated first");
        let b = |a: Term| get(a).as_bool();
        let v = |a: Term| get(a).as_bits();
        match *node {
            Node::Bool(value) => Value::Bool(value),
            Node::Small { width, value } => Value::Bits(Bits::new(width, value)),
            Node::Wide(_) => Value::Bits(store.constant_of(t).expect("a wide constant has a value")),
            Node::Symbol(s) => leaves.symbol(t, s, store.sort(t)),
            Node::Not(a) => Value::Bool(!b(a)),
            Node::And(x, y) => Value::Bool(b(x) && b(y)),
            Node::Eq(x, y) => Value::Bool(get(x) == get(y)),
            Node::Ite(c, x, y) => get(if b(c) { x } else { y }).clone(),
            Node::BvNot(a) => Value::Bits(v(a).not()),
            Node::Bin(op, x, y) => binary(op, v(x), v(y)),
            Node::Float1(op, x) => exact::apply(op, &[v(x).clone()]),
            Node::Float2(op, x, y) => exact::apply(op, &[v(x).clone(), v(y).clone()]),
            Node::Float3(op, x, y, z) => exact::apply(op, &[v(x).clone(), v(y).clone(), v(z).clone()]),
            Node::Concat(x, y) => Value::Bits(v(x).concat(v(y))),
            Node::Extract { hi, lo, arg } => Value::Bits(v(arg).extract(hi, lo)),
            Node::ZeroExt { width, arg } => Value::Bits(v(arg).zero_ext(width)),
            Node::SignExt { width, arg } => Value::Bits(v(arg).sign_ext(width)),
            Node::Select(m, a) => {
                let map = store.as_symbol(m).expect("only map symbols are read");
                Value::Bits(leaves.read(t, map, v(a), store.width(t)))
            }
            Node::Store(..) | Node::SetRange { .. } | Node::CopyRange { .. } => {
                panic!("a map is not evaluated as a whole: read it at an address")
            }
        }
    }

    /// The value of the map `map` at `addr`, by the definition of the five map constructors.
    pub(crate) fn read(&mut self, store: &Store, leaves: &mut impl Leaves, map: Term, addr: &Bits) -> Bits {
        let Sort::Map { value: width, .. } = store.sort(map) else { panic!("only a map can be read") };
        let (mut map, mut addr) = (map, addr.clone());
        loop {
            match store.node(map) {
                Node::Symbol(s) => return leaves.read(map, s, &addr, width),
                Node::Ite(c, x, y) => map = if self.eval(store, leaves, c).as_bool() { x } else { y },
                Node::Store(m, a, v) => {
                    if *self.eval(store, leaves, a).as_bits() == addr {
                        return self.eval(store, leaves, v).as_bits().clone();
                    }
                    map = m;
                }
                Node::SetRange { map: m, dst, n, value } => {
                    let offset = addr.sub(self.eval(store, leaves, dst).as_bits());
                    if offset.ult(self.eval(store, leaves, n).as_bits()) {
                        return self.eval(store, leaves, value).as_bits().clone();
                    }
                    map = m;
                }
                Node::CopyRange { map: m, dst, n, src_map, src } => {
                    let offset = addr.sub(self.eval(store, leaves, dst).as_bits());
                    if offset.ult(self.eval(store, leaves, n).as_bits()) {
                        addr = self.eval(store, leaves, src).as_bits().add(&offset);
                        map = src_map;
                    } else {
                        map = m;
                    }
                }
                node => panic!("not a map: {node:?}"),
            }
        }
    }
}

fn binary(op: BinOp, x: &Bits, y: &Bits) -> Value {
    let op = match op {
        BinOp::And => Bits::and,
        BinOp::Or => Bits::or,
        BinOp::Xor => Bits::xor,
        BinOp::Add => Bits::add,
        BinOp::Mul => Bits::mul,
        BinOp::Udiv => Bits::udiv,
        BinOp::Urem => Bits::urem,
        BinOp::Sdiv => Bits::sdiv,
        BinOp::Srem => Bits::srem,
        BinOp::Shl => Bits::shl,
        BinOp::Lshr => Bits::lshr,
        BinOp::Ashr => Bits::ashr,
        BinOp::Ult => return Value::Bool(x.ult(y)),
        BinOp::Slt => return Value::Bool(x.slt(y)),
    };
    Value::Bits(op(x, y))
}

/// Evaluates many terms under one assignment, each shared subterm once.
pub struct Evaluator<'a> {
    store: &'a Store,
    assignment: &'a Assignment,
    memo: Memo,
}

impl<'a> Evaluator<'a> {
    /// An evaluator for the terms of `store` under `assignment`.
    pub fn new(store: &'a Store, assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { store, assignment, memo: Memo::default() }
    }

    /// The value of `t`, which is not a map.
    pub fn eval(&mut self, t: Term) -> Value {
        self.memo.eval(self.store, &mut self.assignment, t)
    }

    /// The value of the map `map` at `addr`.
    pub fn read(&mut self, map: Term, addr: &Bits) -> Bits {
        self.memo.read(self.store, &mut self.assignment, map, addr)
    }
}

/// The value of `t`, which is not a map, under `assignment`.
pub fn eval(store: &Store, t: Term, assignment: &Assignment) -> Value {
    Evaluator::new(store, assignment).eval(t)
}

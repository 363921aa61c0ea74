//! From terms to gates: one vector of bits per term, lowest first, computed once and kept.
//!
//! Terms are walked on an explicit stack. Map terms have no bits: reads are inputs here, and what relates two reads of
//! one map is added on demand by [`crate::context`].

use base::sabotage::{self, Fault};
use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::circuits;
use crate::float::operations;
use crate::gates::{Bit, Gates};
use crate::store::Store;
use crate::term::{BinOp, Node, Sort, Term};

/// Bits of all terms translated so far.
#[derive(Default)]
pub(crate) struct Blaster {
    /// Where the bits of a term lie in `bits`.
    spans: FxHashMap<Term, (u32, u32)>,
    bits: Vec<Bit>,
    stack: Vec<Term>,
}

/// `(x, c)` where `t` is `x * c` for a constant `c`.
fn multiple(store: &Store, t: Term) -> Option<(Term, Bits)> {
    match store.node(t) {
        Node::Bin(BinOp::Mul, x, c) => Some((x, store.constant_of(c)?)),
        _ => None,
    }
}

impl Blaster {
    /// The bits of a term already translated.
    pub(crate) fn known(&self, t: Term) -> Option<&[Bit]> {
        let &(start, len) = self.spans.get(&t)?;
        Some(&self.bits[start as usize..(start + len) as usize])
    }

    /// The bits of `t`, a truth value (one bit) or a bit-vector.
    pub(crate) fn bits(&mut self, store: &Store, gates: &mut Gates, t: Term) -> &[Bit] {
        self.bits_within(store, gates, t, u64::MAX).expect("there is no limit")
    }

    /// The same unless there are more than so many gates then; what was made stays for the next term.
    pub(crate) fn bits_within(&mut self, store: &Store, gates: &mut Gates, t: Term, most: u64) -> Option<&[Bit]> {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(t);
        while let Some(&top) = stack.last() {
            if self.spans.contains_key(&top) {
                stack.pop();
                continue;
            }
            if gates.len() > most {
                stack.clear();
                break;
            }
            let before = stack.len();
            let node = store.node(top);
            for arg in node.args() {
                let arg = match node {
                    Node::Bin(BinOp::Add, ..) => multiple(store, arg).map_or(arg, |(inner, _)| inner),
                    _ => arg,
                };
                if !matches!(store.sort(arg), Sort::Map { .. }) && !self.spans.contains_key(&arg) {
                    stack.push(arg);
                }
            }
            if stack.len() == before {
                let mut bits = self.translate(store, gates, top, &node);
                if bits.len() <= 64 && matches!(store.sort(top), Sort::Bv(_)) {
                    let used = store.range(top).bits() as usize;
                    bits.iter_mut().skip(used).for_each(|b| *b = Bit::FALSE);
                }
                let start = u32::try_from(self.bits.len()).expect("fewer than 2^32 bits");
                self.spans.insert(top, (start, bits.len() as u32));
                self.bits.extend_from_slice(&bits);
                stack.pop();
            }
        }
        self.stack = stack;
        self.known(t)
    }

    fn translate(&self, store: &Store, gates: &mut Gates, t: Term, node: &Node) -> Vec<Bit> {
        let of = |a: Term| self.known(a).expect("operands are translated first");
        match *node {
            Node::Bool(b) => vec![Bit::constant(b)],
            Node::Small { .. } | Node::Wide(_) => {
                let value = store.constant_of(t).expect("a constant has a value");
                (0..value.width()).map(|i| Bit::constant(value.bit(i))).collect()
            }
            Node::Symbol(_) | Node::Select(..) => {
                let n = match store.sort(t) {
                    Sort::Bool => 1,
                    Sort::Bv(width) => width,
                    Sort::Map { .. } => panic!("a map has no bits"),
                };
                (0..n).map(|_| gates.input()).collect()
            }
            Node::Not(a) => vec![!of(a)[0]],
            Node::And(a, b) => vec![gates.and(of(a)[0], of(b)[0])],
            Node::Eq(a, b) => vec![circuits::equal(gates, of(a), of(b))],
            Node::Ite(c, x, y) => circuits::choose(gates, of(c)[0], of(x), of(y)),
            Node::BvNot(a) => of(a).iter().map(|&b| !b).collect(),
            Node::Bin(op, a, b) => self.binary(store, gates, op, a, b),
            Node::Float1(op, a) => operations::apply(gates, op, &[of(a)]),
            Node::Float2(op, a, b) => operations::apply(gates, op, &[of(a), of(b)]),
            Node::Float3(op, a, b, c) => operations::apply(gates, op, &[of(a), of(b), of(c)]),
            Node::Concat(a, b) => [of(b), of(a)].concat(),
            Node::Extract { hi, lo, arg } => of(arg)[lo as usize..=hi as usize].to_vec(),
            Node::ZeroExt { width, arg } => {
                let mut bits = of(arg).to_vec();
                bits.resize(width as usize, Bit::FALSE);
                bits
            }
            Node::SignExt { width, arg } => {
                let mut bits = of(arg).to_vec();
                let sign = *bits.last().expect("a bit-vector has a bit");
                bits.resize(width as usize, sign);
                bits
            }
            Node::Store(..) | Node::SetRange { .. } | Node::CopyRange { .. } => panic!("a map has no bits"),
        }
    }

    /// A summand that is a multiple is added digit by digit: `x - y` is one adder, not three.
    fn sum(&self, store: &Store, gates: &mut Gates, a: Term, b: Term) -> Vec<Bit> {
        let of = |t: Term| self.known(t).expect("operands are translated first");
        match (multiple(store, a), multiple(store, b)) {
            (None, None) => circuits::add(gates, of(a), of(b), Bit::FALSE),
            (None, Some((x, c))) => circuits::add_multiple(gates, of(a), of(x), &c),
            (Some((x, c)), None) => circuits::add_multiple(gates, of(b), of(x), &c),
            (Some((x, c)), Some((y, d))) => {
                let first = circuits::add_multiple(gates, &vec![Bit::FALSE; of(x).len()], of(x), &c);
                circuits::add_multiple(gates, &first, of(y), &d)
            }
        }
    }

    fn binary(&self, store: &Store, gates: &mut Gates, op: BinOp, a: Term, b: Term) -> Vec<Bit> {
        if op == BinOp::Add {
            return self.sum(store, gates, a, b);
        }
        let (x, y) = (self.known(a).expect("operands are translated first"), self.known(b).expect("as above"));
        match op {
            BinOp::And => x.iter().zip(y).map(|(&p, &q)| gates.and(p, q)).collect(),
            BinOp::Or => x.iter().zip(y).map(|(&p, &q)| gates.or(p, q)).collect(),
            BinOp::Xor => x.iter().zip(y).map(|(&p, &q)| gates.xor(p, q)).collect(),
            BinOp::Add => unreachable!("sums are translated above"),
            BinOp::Mul => match store.constant_of(b) {
                Some(c) => circuits::add_multiple(gates, &vec![Bit::FALSE; x.len()], x, &c),
                None => circuits::multiply(gates, x, y),
            },
            BinOp::Udiv => circuits::divide(gates, x, y).0,
            BinOp::Urem => circuits::divide(gates, x, y).1,
            BinOp::Sdiv => circuits::divide_signed(gates, x, y).0,
            BinOp::Srem => circuits::divide_signed(gates, x, y).1,
            BinOp::Shl => {
                let reversed: Vec<Bit> = x.iter().rev().copied().collect();
                let mut bits = circuits::shift_right(gates, &reversed, y, Bit::FALSE);
                bits.reverse();
                bits
            }
            BinOp::Lshr => circuits::shift_right(gates, x, y, Bit::FALSE),
            BinOp::Ashr => {
                let sign = *x.last().expect("a bit-vector has a bit");
                let fill = if sabotage::active(Fault::ArithmeticShiftFillsZero) { Bit::FALSE } else { sign };
                circuits::shift_right(gates, x, y, fill)
            }
            BinOp::Ult => vec![circuits::less(gates, x, y)],
            BinOp::Slt => {
                if sabotage::active(Fault::SignedCompareAsUnsigned) {
                    return vec![circuits::less(gates, x, y)];
                }
                // Two's complement order is unsigned order with the signs exchanged.
                let (mut x, mut y) = (x.to_vec(), y.to_vec());
                for v in [&mut x, &mut y] {
                    let sign = v.last_mut().expect("a bit-vector has a bit");
                    *sign = !*sign;
                }
                vec![circuits::less(gates, &x, &y)]
            }
        }
    }
}

//! Substitution of terms for symbols. What comes out is built through the rewriter again, so it is as simple as if it
//! had been built that way at first. Terms are walked on an explicit stack and shared parts are visited once.

use rustc_hash::FxHashMap;

use crate::store::Store;
use crate::term::{BinOp, Node, Symbol, Term};

impl Store {
    /// `t` with the given terms in place of symbols; all at once. Each has the sort of its symbol.
    pub fn substitute(&mut self, t: Term, by: &FxHashMap<Symbol, Term>) -> Term {
        self.substitute_memo(t, by, &mut FxHashMap::default())
    }

    /// Like [`Store::substitute`], for many terms under one substitution: `memo` keeps what has been done.
    pub fn substitute_memo(&mut self, t: Term, by: &FxHashMap<Symbol, Term>, memo: &mut FxHashMap<Term, Term>) -> Term {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            let node = self.node(top);
            let before = stack.len();
            stack.extend(node.args().filter(|a| !memo.contains_key(a)));
            if stack.len() == before {
                stack.pop();
                let new = self.rebuild(top, node, by, memo);
                memo.insert(top, new);
            }
        }
        memo[&t]
    }

    fn rebuild(&mut self, t: Term, node: Node, by: &FxHashMap<Symbol, Term>, memo: &FxHashMap<Term, Term>) -> Term {
        if let Node::Symbol(s) = node {
            let new = by.get(&s).copied().unwrap_or(t);
            debug_assert_eq!(self.sort(new), self.sort(t), "a symbol is replaced by a term of its sort");
            return new;
        }
        let new: Vec<Term> = node.args().map(|a| memo[&a]).collect();
        if node.args().eq(new.iter().copied()) {
            return t;
        }
        match node {
            Node::Bool(_) | Node::Small { .. } | Node::Wide(_) | Node::Symbol(_) => t,
            Node::Not(_) => self.not(new[0]),
            Node::And(..) => self.and(new[0], new[1]),
            Node::Eq(..) => self.eq(new[0], new[1]),
            Node::Ite(..) => self.ite(new[0], new[1], new[2]),
            Node::BvNot(_) => self.bv_not(new[0]),
            Node::Bin(op, ..) => self.rebuild_bin(op, new[0], new[1]),
            Node::Float1(op, ..) | Node::Float2(op, ..) | Node::Float3(op, ..) => self.float(op, &new),
            Node::Concat(..) => self.concat(new[0], new[1]),
            Node::Extract { hi, lo, .. } => self.extract(new[0], hi, lo),
            Node::ZeroExt { width, .. } => self.zero_ext(new[0], width),
            Node::SignExt { width, .. } => self.sign_ext(new[0], width),
            Node::Select(..) => self.select(new[0], new[1]),
            Node::Store(..) => self.store(new[0], new[1], new[2]),
            Node::SetRange { .. } => self.set_range(new[0], new[1], new[2], new[3]),
            Node::CopyRange { .. } => self.copy_range(new[0], new[1], new[2], new[3], new[4]),
        }
    }

    fn rebuild_bin(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        match op {
            BinOp::And => self.bv_and(a, b),
            BinOp::Or => self.bv_or(a, b),
            BinOp::Xor => self.bv_xor(a, b),
            BinOp::Add => self.bv_add(a, b),
            BinOp::Mul => self.bv_mul(a, b),
            BinOp::Udiv => self.bv_udiv(a, b),
            BinOp::Urem => self.bv_urem(a, b),
            BinOp::Sdiv => self.bv_sdiv(a, b),
            BinOp::Srem => self.bv_srem(a, b),
            BinOp::Shl => self.bv_shl(a, b),
            BinOp::Lshr => self.bv_lshr(a, b),
            BinOp::Ashr => self.bv_ashr(a, b),
            BinOp::Ult => self.ult(a, b),
            BinOp::Slt => self.slt(a, b),
        }
    }

    /// The symbols in `terms`, each once, in order.
    pub fn symbols_of(&self, terms: &[Term]) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        self.each_part(terms, |_, node| {
            if let Node::Symbol(s) = node {
                symbols.push(s);
            }
        });
        symbols.sort_unstable();
        symbols
    }

    /// The reads of maps in `t`.
    pub fn reads_in(&self, t: Term) -> Vec<Term> {
        let mut reads = Vec::new();
        self.each_part(&[t], |part, node| {
            if let Node::Select(..) = node {
                reads.push(part);
            }
        });
        reads
    }

    /// Visits every term that the given ones are made of, each once.
    pub fn each_part(&self, terms: &[Term], mut visit: impl FnMut(Term, Node)) {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = terms.to_vec();
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                visit(t, self.node(t));
                stack.extend(self.node(t).args());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn substitution_is_simultaneous_and_rewrites() {
        let mut s = Store::new();
        let (x, y) = (s.symbol("x", Sort::Bv(8)), s.symbol("y", Sort::Bv(8)));
        let one = s.bv(8, 1);
        let t = s.bv_sub(x, y);
        let swap: FxHashMap<_, _> = [(s.as_symbol(x).unwrap(), y), (s.as_symbol(y).unwrap(), x)].into_iter().collect();
        let swapped = s.substitute(t, &swap);
        assert_eq!(swapped, s.bv_sub(y, x));
        let same: FxHashMap<_, _> = [(s.as_symbol(x).unwrap(), y)].into_iter().collect();
        assert_eq!(s.substitute(t, &same), s.bv(8, 0));
        let sum = s.bv_add(t, one);
        assert_eq!(s.substitute(sum, &same), one);
        assert_eq!(s.symbols_of(&[sum]).len(), 2);
    }
}

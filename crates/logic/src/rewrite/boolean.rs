//! Truth values: negation, conjunction, equivalence, if-then-else at every sort.
//!
//! Normal form: negation is pushed nowhere but cancels; disjunction is a negated conjunction; an `ite` has a positive
//! condition; equality of truth values has at most an outer negation.

use super::Rule;
use crate::store::Store;
use crate::term::{Node, Sort, Term};

impl Store {
    /// Boolean negation.
    pub fn not(&mut self, a: Term) -> Term {
        match self.node(a) {
            Node::Bool(b) => self.by(Rule::BoolConst, self.bool(!b)),
            Node::Not(x) => self.by(Rule::NotNot, x),
            _ => {
                assert_eq!(self.sort(a), Sort::Bool, "not takes a truth value");
                self.intern(Node::Not(a), Sort::Bool)
            }
        }
    }

    /// Boolean conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        assert!(self.sort(a) == Sort::Bool && self.sort(b) == Sort::Bool, "and takes truth values");
        for (x, y) in [(a, b), (b, a)] {
            match self.node(x) {
                Node::Bool(true) => return self.by(Rule::BoolConst, y),
                Node::Bool(false) => return self.by(Rule::BoolConst, x),
                // a and (a and b), (not a) and (a and b)
                Node::And(p, q) => {
                    if p == y || q == y {
                        return self.by(Rule::AndAbsorbs, x);
                    }
                    if self.opposite(p, y) || self.opposite(q, y) {
                        return self.by(Rule::AndContradiction, self.bool(false));
                    }
                }
                // not (a and b) and a is a and not b; not (a and b) and not a is not a
                Node::Not(inner) => {
                    if let Node::And(p, q) = self.node(inner) {
                        if self.opposite(p, y) || self.opposite(q, y) {
                            return self.by(Rule::AndAbsorbs, y);
                        }
                        if p == y || q == y {
                            let other = if p == y { q } else { p };
                            let not_other = self.not(other);
                            if self.descend() {
                                let t = self.and(y, not_other);
                                self.ascend();
                                return self.by(Rule::AndResolves, t);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        if a == b {
            return self.by(Rule::AndAbsorbs, a);
        }
        if self.opposite(a, b) {
            return self.by(Rule::AndContradiction, self.bool(false));
        }
        let (a, b) = self.ordered(a, b);
        self.intern(Node::And(a, b), Sort::Bool)
    }

    /// Whether one is the negation of the other.
    pub(crate) fn opposite(&self, a: Term, b: Term) -> bool {
        self.node(a) == Node::Not(b) || self.node(b) == Node::Not(a)
    }

    /// Boolean disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (na, nb) = (self.not(a), self.not(b));
        let both = self.and(na, nb);
        self.not(both)
    }

    /// `a` implies `b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let nb = self.not(b);
        let broken = self.and(a, nb);
        self.not(broken)
    }

    /// Exclusive or of truth values.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let same = self.iff(a, b);
        self.not(same)
    }

    /// Equality of truth values.
    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        assert!(self.sort(a) == Sort::Bool && self.sort(b) == Sort::Bool, "iff takes truth values");
        if a == b {
            return self.by(Rule::EqSame, self.bool(true));
        }
        if self.opposite(a, b) {
            return self.by(Rule::EqSame, self.bool(false));
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.node(x) {
                Node::Bool(true) => return self.by(Rule::BoolConst, y),
                Node::Bool(false) => {
                    let t = self.not(y);
                    return self.by(Rule::BoolConst, t);
                }
                _ => {}
            }
        }
        let (mut a, mut b, mut negated) = (a, b, false);
        for side in [&mut a, &mut b] {
            if let Node::Not(inner) = self.node(*side) {
                *side = inner;
                negated = !negated;
            }
        }
        let (a, b) = self.ordered(a, b);
        let t = self.intern(Node::Eq(a, b), Sort::Bool);
        if negated {
            let t = self.not(t);
            self.by(Rule::IffSign, t)
        } else {
            t
        }
    }

    /// Conjunction of all; true for none.
    pub fn and_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut all = self.bool(true);
        for t in terms {
            all = self.and(all, t);
        }
        all
    }

    /// Disjunction of all; false for none.
    pub fn or_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut any = self.bool(false);
        for t in terms {
            any = self.or(any, t);
        }
        any
    }

    /// `then` where `cond` holds and `other` elsewhere, at any sort.
    pub fn ite(&mut self, cond: Term, then: Term, other: Term) -> Term {
        let sort = self.sort(then);
        assert_eq!(self.sort(cond), Sort::Bool, "the condition of an ite is a truth value");
        assert_eq!(sort, self.sort(other), "both branches of an ite have the same sort");
        match self.node(cond) {
            Node::Bool(true) => return self.by(Rule::IteConst, then),
            Node::Bool(false) => return self.by(Rule::IteConst, other),
            _ => {}
        }
        let (cond, mut then, mut other) = match self.node(cond) {
            Node::Not(c) => (self.by(Rule::IteNot, c), other, then),
            _ => (cond, then, other),
        };
        if let Node::Ite(c, x, _) = self.node(then)
            && c == cond
        {
            then = self.by(Rule::IteSameCond, x);
        }
        if let Node::Ite(c, _, y) = self.node(other)
            && c == cond
        {
            other = self.by(Rule::IteSameCond, y);
        }
        if then == other {
            return self.by(Rule::IteSame, then);
        }
        if sort == Sort::Bool {
            return self.ite_bool(cond, then, other);
        }
        // ite(c, a, ite(d, a, b)) is ite(c or d, a, b)
        if let Node::Ite(d, x, y) = self.node(other)
            && x == then
        {
            let either = self.or(cond, d);
            if self.descend() {
                let t = self.ite(either, then, y);
                self.ascend();
                return self.by(Rule::IteMerge, t);
            }
        }
        if let Some(t) = self.ite_offset(cond, then, other) {
            return self.by(Rule::IteOffset, t);
        }
        self.intern(Node::Ite(cond, then, other), sort)
    }

    fn ite_bool(&mut self, cond: Term, then: Term, other: Term) -> Term {
        match (self.node(then), self.node(other)) {
            (Node::Bool(true), _) => {
                let t = self.or(cond, other);
                return self.by(Rule::IteBool, t);
            }
            (Node::Bool(false), _) => {
                let nc = self.not(cond);
                let t = self.and(nc, other);
                return self.by(Rule::IteBool, t);
            }
            (_, Node::Bool(true)) => {
                let t = self.implies(cond, then);
                return self.by(Rule::IteBool, t);
            }
            (_, Node::Bool(false)) => {
                let t = self.and(cond, then);
                return self.by(Rule::IteBool, t);
            }
            _ => {}
        }
        if then == cond {
            let t = self.or(cond, other);
            return self.by(Rule::IteBool, t);
        }
        if other == cond {
            let t = self.and(cond, then);
            return self.by(Rule::IteBool, t);
        }
        if self.opposite(then, other) {
            let t = self.iff(cond, then);
            return self.by(Rule::IteBool, t);
        }
        self.intern(Node::Ite(cond, then, other), Sort::Bool)
    }
}

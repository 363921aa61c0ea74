//! TR00 §2: the semantics with a stored third value `?`, as a small reference.
//!
//! Here a variable can *hold* `?`; a condition that evaluates to `?` goes both ways, and the state is then split so that
//! it agrees with the way taken (function S, TR00 fig 4). In Bebop's semantics, which `reach` has, a `*` is a choice made
//! when it is evaluated, and what is stored is always true or false. The two differ: after `x := ?; y := x` TR00's x and
//! y are both unknown and independent, Bebop's are equal.
//!
//! Fig 4 as printed drops the states in which the expression already has the wanted value and garbles conjunction; the
//! definition here keeps them (otherwise executions are lost) and restores S(e1 & e2, true) = S(S(O, e1, true), e2, true).
//!
//! [`reachable`] is one procedure without calls, as small as can be; [`reach`] is whole programs.

mod calls;

pub use calls::{No3, Reached3, reach};

use crate::program::{Expr, Proc, StmtId, StmtKind, Var};
use std::collections::BTreeSet;

/// A truth value of Kleene's logic (TR00 fig 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kleene {
    /// False.
    False,
    /// Unknown, printed `?`.
    Unknown,
    /// True.
    True,
}

impl Kleene {
    /// Conjunction.
    #[must_use]
    pub fn and(self, other: Kleene) -> Kleene {
        self.min(other)
    }

    /// Disjunction.
    #[must_use]
    pub fn or(self, other: Kleene) -> Kleene {
        self.max(other)
    }

    /// Negation.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "stands beside `and` and `or`")]
    pub fn not(self) -> Kleene {
        match self {
            Kleene::False => Kleene::True,
            Kleene::Unknown => Kleene::Unknown,
            Kleene::True => Kleene::False,
        }
    }

    /// The definite value `b`.
    pub fn definite(b: bool) -> Kleene {
        if b { Kleene::True } else { Kleene::False }
    }
}

/// A valuation: globals first, then locals.
pub type State3 = Vec<Kleene>;

/// Evaluates expressions over a fixed numbering of the variables.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// The number of globals.
    pub n_globals: usize,
}

impl Scope {
    /// The position of `v` in a [`State3`].
    pub fn index(self, v: Var) -> usize {
        use base::Id;
        match v {
            Var::Global(g) => g.index(),
            Var::Local(l) => self.n_globals + l.index(),
        }
    }

    /// The value of `e` in `state`; `None` where TR00's language has no such expression.
    pub fn eval(self, e: &Expr, state: &State3) -> Option<Kleene> {
        Some(match e {
            Expr::Const(b) => Kleene::definite(*b),
            Expr::Nondet => Kleene::Unknown,
            Expr::Var(v) => state[self.index(*v)],
            Expr::Not(a) => self.eval(a, state)?.not(),
            Expr::And(v) => v.iter().try_fold(Kleene::True, |acc, a| Some(acc.and(self.eval(a, state)?)))?,
            Expr::Or(v) => v.iter().try_fold(Kleene::False, |acc, a| Some(acc.or(self.eval(a, state)?)))?,
            _ => return None,
        })
    }

    /// TR00 fig 4, corrected: the most general states below those of `states` in which `e` has the value `b`.
    pub fn split(self, states: &BTreeSet<State3>, e: &Expr, b: bool) -> Option<BTreeSet<State3>> {
        let want = Kleene::definite(b);
        match e {
            // Choosing the value of a `?` that stands in the text says nothing about the state.
            Expr::Nondet => Some(states.clone()),
            Expr::Const(c) => Some(if *c == b { states.clone() } else { BTreeSet::new() }),
            Expr::Var(v) => {
                let i = self.index(*v);
                let agreeing = states.iter().filter(|s| s[i] == want || s[i] == Kleene::Unknown);
                Some(
                    agreeing
                        .cloned()
                        .map(|mut s| {
                            s[i] = want;
                            s
                        })
                        .collect(),
                )
            }
            Expr::Not(a) => self.split(states, a, !b),
            Expr::And(v) | Expr::Or(v) => {
                // `and` to true and `or` to false need all operands; the other two need one.
                if matches!(e, Expr::And(_)) == b {
                    v.iter().try_fold(states.clone(), |acc, a| self.split(&acc, a, b))
                } else {
                    let mut out = BTreeSet::new();
                    for a in v {
                        out.extend(self.split(states, a, b)?);
                    }
                    Some(out)
                }
            }
            _ => None,
        }
    }
}

/// The statements of `proc` that are reached from `start` in TR00's semantics; `None` if `proc` uses more of the language
/// than TR00 has (calls are left out as well).
pub fn reachable(n_globals: usize, proc: &Proc, start: State3) -> Option<BTreeSet<StmtId>> {
    let scope = Scope { n_globals };
    let mut seen: BTreeSet<(StmtId, State3)> = BTreeSet::new();
    let mut work = vec![(base::Id::from_index(0), start)];
    while let Some((at, state)) = work.pop() {
        if !seen.insert((at, state.clone())) {
            continue;
        }
        let conditional = |e: &Expr, b: bool| -> Option<BTreeSet<State3>> {
            let one: BTreeSet<State3> = [state.clone()].into();
            match scope.eval(e, &state)? {
                Kleene::Unknown => scope.split(&one, e, b),
                v => Some(if v == Kleene::definite(b) { one } else { BTreeSet::new() }),
            }
        };
        match &proc.body[at].kind {
            StmtKind::Skip | StmtKind::Print(_) => work.push((at.next(), state)),
            StmtKind::Goto(to) => work.extend(to.iter().map(|&t| (t, state.clone()))),
            StmtKind::Assign(pairs) => {
                let mut next = state.clone();
                for (v, e) in pairs {
                    if let Some(v) = v {
                        next[scope.index(*v)] = scope.eval(e, &state)?;
                    }
                }
                work.push((at.next(), next));
            }
            StmtKind::Assume(e) | StmtKind::Assert(e) => {
                work.extend(conditional(e, true)?.into_iter().map(|s| (at.next(), s)));
            }
            StmtKind::Branch(e, yes, no) => {
                work.extend(conditional(e, true)?.into_iter().map(|s| (*yes, s)));
                work.extend(conditional(e, false)?.into_iter().map(|s| (*no, s)));
            }
            StmtKind::Return(_) => {}
            StmtKind::Dead(_) | StmtKind::Call { .. } => return None,
        }
    }
    Some(seen.into_iter().map(|(at, _)| at).collect())
}

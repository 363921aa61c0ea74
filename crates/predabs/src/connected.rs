//! Which predicates share symbols, so that cubes that cannot be prime implicants are never looked at.
//!
//! PLDI01 §5.2 leaves predicates out that lie outside of the goal's cone of influence. Within the cone the same argument holds of every
//! single cube: if a cube, the hypotheses and the negated goal contradict each other, and no literal can go, then they hang together
//! by shared symbols. If they fell apart into two sets that share none, one of the two would be a contradiction by itself, and
//! the literals of the other could go. So the last literal of a cube has to join its parts with the goal. A cube that is left out by this is
//! no prime implicant, or contradicts the hypotheses by itself.

use crate::cube::Cube;
use crate::prover::Prover;
use logic::{Symbol, Term};
use rustc_hash::FxHashMap;

/// The instances of a search as a graph: two are neighbours if they share a symbol, or hypotheses lead from one to the other.
pub(crate) struct Connection {
    /// The neighbours of each instance, itself among them.
    near: Vec<u128>,
    /// The neighbours of the goal, if there is one.
    goal: Option<u128>,
}

/// Sets of symbols that hypotheses join, each by one member.
#[derive(Default)]
struct Joined(FxHashMap<Symbol, Symbol>);

impl Joined {
    fn find(&self, symbol: Symbol) -> Symbol {
        let mut at = symbol;
        while let Some(&up) = self.0.get(&at) {
            at = up;
        }
        at
    }

    fn join(&mut self, symbols: &[Symbol]) {
        for pair in symbols.windows(2) {
            let (a, b) = (self.find(pair[0]), self.find(pair[1]));
            if a != b {
                self.0.insert(a, b);
            }
        }
    }
}

impl Connection {
    pub(crate) fn new(
        prover: &mut Prover<'_>,
        instances: &[Term],
        hypotheses: &[Term],
        goal: Option<Term>,
    ) -> Connection {
        let mut joined = Joined::default();
        for &t in hypotheses {
            joined.join(&prover.support(t));
        }
        let mut sets: FxHashMap<Symbol, u128> = FxHashMap::default();
        let of = |prover: &mut Prover<'_>, t: Term| -> Vec<Symbol> {
            prover.support(t).iter().map(|&s| joined.find(s)).collect()
        };
        let supports: Vec<Vec<Symbol>> = instances.iter().map(|&t| of(prover, t)).collect();
        for (i, support) in supports.iter().enumerate() {
            support.iter().for_each(|&s| *sets.entry(s).or_default() |= 1 << i);
        }
        let around = |support: &[Symbol]| support.iter().fold(0, |all, s| all | sets.get(s).copied().unwrap_or(0));
        let near = supports.iter().enumerate().map(|(i, support)| around(support) | 1 << i).collect();
        Connection { near, goal: goal.map(|t| around(&of(prover, t))) }
    }

    /// The variables of which one alone, added to the cube, makes it hang together with the goal, or by itself where there is no goal.
    pub(crate) fn completing(&self, cube: Cube) -> u128 {
        let mut rest = cube.mask();
        let mut allowed = u128::MAX;
        if let Some(goal) = self.goal {
            allowed &= self.part(goal, &mut rest);
        }
        while rest != 0 {
            let first = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            allowed &= self.part(self.near[first], &mut rest);
        }
        allowed
    }

    /// Takes from `rest` what hangs together with variables around which `around` lies, and gives all that lies around them then.
    fn part(&self, mut around: u128, rest: &mut u128) -> u128 {
        loop {
            let reached = *rest & around;
            if reached == 0 {
                return around;
            }
            around |= self.near[reached.trailing_zeros() as usize];
            *rest &= !(1 << reached.trailing_zeros());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of four instances, the goal at its first: 0 - 1 - 2 - 3.
    #[test]
    fn the_last_literal_joins_the_parts() {
        let near = vec![0b0011, 0b0111, 0b1110, 0b1100];
        let with_goal = Connection { near: near.clone(), goal: Some(0b0001) };
        let cube = |vars: &[usize]| vars.iter().fold(Cube::TRUE, |c, &v| c.with(v, true));
        assert_eq!(with_goal.completing(Cube::TRUE), 0b0001);
        assert_eq!(with_goal.completing(cube(&[0])), 0b0011);
        assert_eq!(with_goal.completing(cube(&[0, 2])) & !0b101, 0b0010);
        assert_eq!(with_goal.completing(cube(&[1])) & !0b10, 0b0001);
        assert_eq!(with_goal.completing(cube(&[2, 3])), 0);
        let alone = Connection { near, goal: None };
        assert_eq!(alone.completing(Cube::TRUE) & 0b1111, 0b1111);
        assert_eq!(alone.completing(cube(&[1, 3])) & !0b1010, 0b0100);
    }
}

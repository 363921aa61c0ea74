//! Cubes over at most [`MAX_INSTANCES`] boolean variables, as two bit masks.

/// The most predicates one search may combine; a cone of influence that is larger is cut (and counted).
pub(crate) const MAX_INSTANCES: usize = 128;

/// A conjunction of literals: the variables that are true in it and those that are false. No variable is both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cube {
    /// The variables that occur positively.
    pub(crate) pos: u128,
    /// The variables that occur negated.
    pub(crate) neg: u128,
}

impl Cube {
    /// The conjunction of nothing.
    pub(crate) const TRUE: Cube = Cube { pos: 0, neg: 0 };

    /// The number of literals.
    pub(crate) fn len(self) -> usize {
        (self.pos.count_ones() + self.neg.count_ones()) as usize
    }

    /// The variables that occur.
    pub(crate) fn mask(self) -> u128 {
        self.pos | self.neg
    }

    /// This cube and one more literal.
    #[must_use]
    pub(crate) fn with(self, var: usize, value: bool) -> Cube {
        let bit = 1 << var;
        if value { Cube { pos: self.pos | bit, ..self } } else { Cube { neg: self.neg | bit, ..self } }
    }

    /// Whether every literal of `part` is one of this cube, so that this cube implies `part`.
    pub(crate) fn contains(self, part: Cube) -> bool {
        self.pos & part.pos == part.pos && self.neg & part.neg == part.neg
    }

    /// Whether the valuation satisfies the cube.
    pub(crate) fn holds_in(self, valuation: u128) -> bool {
        valuation & self.pos == self.pos && valuation & self.neg == 0
    }

    /// The literals, in the order of the variables.
    pub(crate) fn literals(self) -> impl Iterator<Item = (usize, bool)> {
        let mut rest = self.mask();
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let var = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                (var, self.pos >> var & 1 == 1)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_know_their_literals() {
        let c = Cube::TRUE.with(3, true).with(127, false);
        assert_eq!(c.literals().collect::<Vec<_>>(), [(3, true), (127, false)]);
        assert!(c.contains(Cube::TRUE.with(3, true)) && !c.contains(Cube::TRUE.with(3, false)));
        assert!(c.holds_in(8) && !c.holds_in(0) && !c.holds_in(8 | 1 << 127));
        assert_eq!((c.len(), Cube::TRUE.len()), (2, 0));
    }
}

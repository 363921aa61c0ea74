//! What is known about the cubes over a set of predicates, so that a cube is looked up and not compared with everything known.
//!
//! A cube is *covered* if it contains a known cube. While cubes are built literal by literal in the order of the words, only known
//! cubes that end with the literal just added can cover what the shorter cube did not contain. A cube is *refuted* if some
//! valuation satisfies it: a column of bits for each literal says in which valuations it holds.

use crate::cube::Cube;

/// The known cubes and valuations over some number of words.
pub(crate) struct Lattice {
    /// Known cubes by their last literal; the empty cube is in no list.
    ends_with: Vec<Vec<Cube>>,
    /// Whether the empty cube is known.
    all: bool,
    /// For each literal, the valuations in which it holds.
    columns: Vec<Vec<u64>>,
    n_valuations: usize,
}

/// The valuations that satisfy a cube, and how many were known then.
pub(crate) struct Satisfying {
    bits: Vec<u64>,
    of: usize,
}

fn column(var: usize, value: bool) -> usize {
    2 * var + usize::from(value)
}

impl Lattice {
    pub(crate) fn new(instances: usize) -> Lattice {
        let (ends_with, columns) = (vec![Vec::new(); 2 * instances], vec![Vec::new(); 2 * instances]);
        Lattice { ends_with, all: false, columns, n_valuations: 0 }
    }

    /// Everything that contains this cube is covered.
    pub(crate) fn cover(&mut self, cube: Cube) {
        match cube.literals().last() {
            Some((var, value)) => self.ends_with[column(var, value)].push(cube),
            None => self.all = true,
        }
    }

    /// Everything that one of these valuations satisfies is refuted; the first ones are known already.
    pub(crate) fn refute(&mut self, valuations: &[u128]) {
        for (i, &valuation) in valuations.iter().enumerate().skip(self.n_valuations) {
            for (c, bits) in self.columns.iter_mut().enumerate() {
                bits.resize(i / 64 + 1, 0);
                let holds = (valuation >> (c / 2) & 1 == 1) == (c % 2 == 1);
                bits[i / 64] |= u64::from(holds) << (i % 64);
            }
        }
        self.n_valuations = self.n_valuations.max(valuations.len());
    }

    /// Whether a cube that ends with this literal is covered, if it was not without the literal.
    pub(crate) fn covers(&self, cube: Cube, var: usize, value: bool) -> bool {
        self.all || self.ends_with[column(var, value)].iter().any(|c| cube.contains(*c))
    }

    /// Whether every cube is covered.
    pub(crate) fn covers_all(&self) -> bool {
        self.all
    }

    /// The valuations that satisfy a cube.
    pub(crate) fn satisfying(&self, cube: Cube) -> Satisfying {
        let mut bits = vec![u64::MAX; self.n_valuations.div_ceil(64)];
        if let (Some(last), rest @ 1..) = (bits.last_mut(), self.n_valuations % 64) {
            *last = (1 << rest) - 1;
        }
        for (var, value) in cube.literals() {
            bits.iter_mut().zip(&self.columns[column(var, value)]).for_each(|(b, c)| *b &= c);
        }
        Satisfying { bits, of: self.n_valuations }
    }

    /// Whether more valuations have come to be known since.
    pub(crate) fn is_stale(&self, satisfying: &Satisfying) -> bool {
        satisfying.of != self.n_valuations
    }

    /// Whether one of the valuations satisfies this literal too.
    pub(crate) fn refutes(&self, satisfying: &Satisfying, var: usize, value: bool) -> bool {
        satisfying.bits.iter().zip(&self.columns[column(var, value)]).any(|(b, c)| b & c != 0)
    }

    /// Whether there is one.
    pub(crate) fn any(&self, satisfying: &Satisfying) -> bool {
        satisfying.bits.iter().any(|&b| b != 0)
    }
}

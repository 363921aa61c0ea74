//! Irredundant sums of products: how a function is shown to people.
//!
//! Minato's algorithm (S. Minato, "Fast generation of irredundant sum-of-products forms from binary decision
//! diagrams", SASIMI 1992): a cover between a lower and an upper bound, split at the topmost variable.

use crate::manager::{Bdd, Manager, OutOfNodes};

/// A variable and the value it must have.
pub type Literal = (usize, bool);
/// A conjunction of literals, sorted by variable.
pub type Cube = Vec<Literal>;

impl Manager {
    /// Cubes whose disjunction is `f`; none can be left out. At most `limit` cubes, otherwise `None`.
    pub fn isop(&self, f: &Bdd, limit: usize) -> Result<Option<Vec<Cube>>, OutOfNodes> {
        self.isop_within(f, f, limit)
    }

    /// Cubes whose disjunction lies between `lower` and `upper` (`lower => upper` must hold).
    pub fn isop_within(&self, lower: &Bdd, upper: &Bdd, limit: usize) -> Result<Option<Vec<Cube>>, OutOfNodes> {
        let mut cover = Cover { manager: self, cubes: Vec::new(), limit, prefix: Vec::new(), overflow: false };
        cover.split(lower, upper)?;
        if cover.overflow {
            return Ok(None);
        }
        let mut cubes = cover.cubes;
        for cube in &mut cubes {
            cube.sort_unstable();
        }
        Ok(Some(cubes))
    }
}

struct Cover<'a> {
    manager: &'a Manager,
    cubes: Vec<Cube>,
    limit: usize,
    prefix: Cube,
    overflow: bool,
}

impl Cover<'_> {
    /// Emits cubes (under `prefix`) between the bounds and returns their disjunction without the prefix.
    fn split(&mut self, lower: &Bdd, upper: &Bdd) -> Result<Bdd, OutOfNodes> {
        let m = self.manager;
        if lower.is_false() || self.overflow {
            return Ok(m.bot());
        }
        if upper.is_true() {
            if self.cubes.len() == self.limit {
                self.overflow = true;
            } else {
                self.cubes.push(self.prefix.clone());
            }
            return Ok(m.top());
        }
        let var = match (m.top_var(lower), m.top_var(upper)) {
            (Some(a), Some(b)) => a.min(b),
            (Some(a), None) | (None, Some(a)) => a,
            (None, None) => unreachable!("lower bound true, upper bound false: the bounds do not nest"),
        };
        let ((l1, l0), (u1, u0)) = (self.cofactor(lower, var), self.cofactor(upper, var));
        let only = |s: &mut Self, value, l: &Bdd, u: &Bdd| {
            s.prefix.push((var, value));
            let r = s.split(l, u);
            s.prefix.pop();
            r
        };
        // What the other half does not allow must be covered with the literal.
        let f0 = only(self, false, &m.diff(&l0, &u1)?, &u0)?;
        let f1 = only(self, true, &m.diff(&l1, &u0)?, &u1)?;
        let (rest0, rest1) = (m.diff(&l0, &f0)?, m.diff(&l1, &f1)?);
        let both = self.split(&m.or(&rest0, &rest1)?, &m.and(&u0, &u1)?)?;
        m.or(&m.ite(&m.var(var), &f1, &f0)?, &both)
    }

    fn cofactor(&self, f: &Bdd, var: usize) -> (Bdd, Bdd) {
        if self.manager.top_var(f) == Some(var) { self.manager.cofactors(f) } else { (f.clone(), f.clone()) }
    }
}

//! Expressions as functions: for each, where it can be true and where it can be false.
//!
//! Each textual `*` is a choice of its own and occurs once, so the two functions compose operand by operand and no
//! variable is needed for the choice: this is the quantification of each `*` within its statement, done in advance.

use bdd::{Bdd, Manager, OutOfNodes};
use boolprog::{Expr, Var};

/// Where an expression can take which value.
#[derive(Clone)]
pub(crate) struct Poss {
    pub(crate) yes: Bdd,
    pub(crate) no: Bdd,
}

/// How variables are read: in the old and in the new state.
pub(crate) struct Reader<'a> {
    pub(crate) manager: &'a Manager,
    pub(crate) old: &'a dyn Fn(Var) -> Bdd,
    pub(crate) new: &'a dyn Fn(Var) -> Bdd,
}

impl Reader<'_> {
    fn exactly(&self, yes: Bdd) -> Result<Poss, OutOfNodes> {
        Ok(Poss { no: self.manager.not(&yes)?, yes })
    }

    /// Depth of recursion is the height of `e`.
    pub(crate) fn poss(&self, e: &Expr) -> Result<Poss, OutOfNodes> {
        let m = self.manager;
        Ok(match e {
            Expr::Const(b) => Poss { yes: m.constant(*b), no: m.constant(!*b) },
            Expr::Nondet => Poss { yes: m.top(), no: m.top() },
            Expr::Var(v) => self.exactly((self.old)(*v))?,
            Expr::Next(v) => self.exactly((self.new)(*v))?,
            Expr::Not(a) => {
                let a = self.poss(a)?;
                Poss { yes: a.no, no: a.yes }
            }
            Expr::And(v) => {
                let mut acc = Poss { yes: m.top(), no: m.bot() };
                for a in v {
                    let a = self.poss(a)?;
                    acc = Poss { yes: m.and(&acc.yes, &a.yes)?, no: m.or(&acc.no, &a.no)? };
                }
                acc
            }
            Expr::Or(v) => {
                let mut acc = Poss { yes: m.bot(), no: m.top() };
                for a in v {
                    let a = self.poss(a)?;
                    acc = Poss { yes: m.or(&acc.yes, &a.yes)?, no: m.and(&acc.no, &a.no)? };
                }
                acc
            }
            Expr::Xor(a, b) => {
                let eq = self.equal(a, b)?;
                Poss { yes: eq.no, no: eq.yes }
            }
            Expr::Eq(a, b) => self.equal(a, b)?,
            Expr::Implies(a, b) => {
                let (a, b) = (self.poss(a)?, self.poss(b)?);
                Poss { yes: m.or(&a.no, &b.yes)?, no: m.and(&a.yes, &b.no)? }
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (self.poss(c)?, self.poss(a)?, self.poss(b)?);
                let pick = |a: &Bdd, b: &Bdd| m.or(&m.and(&c.yes, a)?, &m.and(&c.no, b)?);
                Poss { yes: pick(&a.yes, &b.yes)?, no: pick(&a.no, &b.no)? }
            }
            Expr::Choose(p, n) => {
                let (p, n) = (self.poss(p)?, self.poss(n)?);
                Poss { yes: m.or(&p.yes, &n.no)?, no: p.no }
            }
        })
    }

    fn equal(&self, a: &Expr, b: &Expr) -> Result<Poss, OutOfNodes> {
        let m = self.manager;
        let (a, b) = (self.poss(a)?, self.poss(b)?);
        let yes = m.or(&m.and(&a.yes, &b.yes)?, &m.and(&a.no, &b.no)?)?;
        let no = m.or(&m.and(&a.yes, &b.no)?, &m.and(&a.no, &b.yes)?)?;
        Ok(Poss { yes, no })
    }

    /// "`target` has a value that `e` can take."
    pub(crate) fn takes(&self, target: &Bdd, e: &Expr) -> Result<Bdd, OutOfNodes> {
        let p = self.poss(e)?;
        self.manager.ite(target, &p.yes, &p.no)
    }
}

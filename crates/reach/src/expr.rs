//! Expressions as functions: for each, where it can be true and where it can be false.
//!
//! Each textual `*` is a choice of its own and occurs once, so the two functions compose operand by operand and no
//! variable is needed for the choice: this is the quantification of each `*` within its statement, done in advance.
//! Everything is computed within a given set of states.

use base::sabotage::{Fault, active};
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
    /// The states in which the expression is read: no others are in what comes out.
    pub(crate) within: Bdd,
}

/// Expressions over fewer variables have small diagrams whatever the states are.
const FEW_VARIABLES: usize = 8;

/// Whether expressions are so large that they are better read within the states that `enforce` keeps. A sum such as
/// `x1 & y1 | x2 & y2 | …` has a diagram of exponential size when the xs stand above the ys, and a small one where at
/// most one of the xs and one of the ys is true.
pub(crate) fn many_variables<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> bool {
    exprs.into_iter().any(|e| e.vars().len() > FEW_VARIABLES)
}

impl Reader<'_> {
    fn exactly(&self, yes: &Bdd) -> Result<Poss, OutOfNodes> {
        let m = self.manager;
        Ok(Poss { no: m.diff(&self.within, yes)?, yes: m.and(&self.within, yes)? })
    }

    /// Depth of recursion is the height of `e`.
    pub(crate) fn poss(&self, e: &Expr) -> Result<Poss, OutOfNodes> {
        let m = self.manager;
        Ok(match e {
            Expr::Const(true) => Poss { yes: self.within.clone(), no: m.bot() },
            Expr::Const(false) => Poss { yes: m.bot(), no: self.within.clone() },
            Expr::Nondet => Poss { yes: self.within.clone(), no: self.within.clone() },
            Expr::Var(v) => self.exactly(&(self.old)(*v))?,
            Expr::Next(v) => self.exactly(&(self.new)(*v))?,
            Expr::Not(a) => {
                let a = self.poss(a)?;
                Poss { yes: a.no, no: a.yes }
            }
            Expr::And(v) => {
                let mut acc = Poss { yes: self.within.clone(), no: m.bot() };
                for a in v {
                    let a = self.poss(a)?;
                    acc = Poss { yes: m.and(&acc.yes, &a.yes)?, no: m.or(&acc.no, &a.no)? };
                }
                acc
            }
            Expr::Or(v) => {
                let mut acc = Poss { yes: m.bot(), no: self.within.clone() };
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
                if active(Fault::ChooseNegativeFirst) {
                    return Ok(Poss { yes: n.no, no: m.or(&n.yes, &p.no)? });
                }
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

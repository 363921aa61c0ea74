//! Families of predicates: a variable that holds one of a few constants, as the state of a state machine does.
//!
//! Refinement asks for `state == 3`, then for `state == 4`, and so on, one round each. Once a few of a family were needed,
//! the rest of it is added at once: the constants that can get into the variable by assignments and copies. Rounds are
//! what a state machine costs; predicates that exclude each other are cheap.

use ir::{BinOp, Expr, ExprKind, FuncId, Op, Program, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use vc::{Predicate, Predicates, Scope};

/// So many members of a family must have been needed.
const NEEDED: usize = 4;
/// A larger family is not completed.
const LARGEST: usize = 40;

/// A variable wherever it is seen from: locals belong to a function.
type Owner = (Option<FuncId>, Var);

/// The constants that assignments and copies bring into variables.
pub(crate) struct Families {
    constants: FxHashMap<Owner, BTreeSet<u128>>,
}

fn owner(func: FuncId, var: Var) -> Owner {
    match var {
        Var::Global(_) => (None, var),
        Var::Local(_) => (Some(func), var),
    }
}

impl Families {
    /// Looks through the whole program.
    pub(crate) fn new(program: &Program) -> Families {
        let mut constants: FxHashMap<Owner, BTreeSet<u128>> = FxHashMap::default();
        let mut copies: Vec<(Owner, Owner)> = Vec::new();
        for (func, f) in program.functions.iter_enumerated() {
            for edge in f.body.iter().flat_map(|b| &b.edges) {
                let Op::Assign(place, value) = &edge.op else { continue };
                let Some(to) = place.as_var().map(|v| owner(func, v)) else { continue };
                match (&value.kind, value.as_const()) {
                    (_, Some(c)) => {
                        constants.entry(to).or_default().insert(c);
                    }
                    (ExprKind::Read(from), None) => copies.extend(from.as_var().map(|v| (to, owner(func, v)))),
                    _ => {}
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(to, from) in &copies {
                let more = constants.get(&from).cloned().unwrap_or_default();
                let have = constants.entry(to).or_default();
                let before = have.len();
                have.extend(more);
                changed |= have.len() > before;
            }
        }
        Families { constants }
    }

    /// What is missing of the families of which enough is there.
    pub(crate) fn complete(&self, predicates: &Predicates) -> Vec<Predicate> {
        let mut members: Vec<((Scope, Var), Vec<Expr>)> = Vec::new();
        for p in predicates.ids().map(|id| predicates.get(id)) {
            let Some(var) = member(&p.expr) else { continue };
            match members.iter_mut().find(|(of, _)| *of == (p.scope, var)) {
                Some((_, list)) => list.push(p.expr.clone()),
                None => members.push(((p.scope, var), vec![p.expr.clone()])),
            }
        }
        let mut missing = Vec::new();
        for ((scope, var), list) in members.into_iter().filter(|(_, list)| list.len() >= NEEDED) {
            let of = match scope {
                Scope::Function(func) => owner(func, var),
                Scope::Global => (None, var),
            };
            let Some(constants) = self.constants.get(&of).filter(|c| c.len() <= LARGEST) else { continue };
            let ExprKind::Binary(_, left, _) = &list[0].kind else { continue };
            for &c in constants {
                let expr = Expr::binary(BinOp::Eq, (**left).clone(), Expr::constant(left.ty, c));
                let expr = vc::canonical(&expr).0;
                if expr.as_const().is_none() && !list.contains(&expr) {
                    missing.push(Predicate { scope, expr });
                }
            }
        }
        missing
    }
}

/// The variable of a predicate `x == c`.
fn member(e: &Expr) -> Option<Var> {
    match &e.kind {
        ExprKind::Binary(BinOp::Eq, a, b) => match &a.kind {
            ExprKind::Read(place) if b.as_const().is_some() => place.as_var(),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{FileId, Id};
    use ir::Ty;

    /// `x` gets 1, 2, 3, 4, 5; `y` is a copy of it. Four members of y's family bring the fifth, three bring nothing.
    #[test]
    fn a_family_is_completed_through_copies() {
        let mut text = "model LP64\nexterns args\nentry main\n
func external main() {
  local x: i32
  local y: i32
  locations 8 entry L0 exit L7\n"
            .to_owned();
        for c in 1..=5 {
            text += &format!("  e{}: L{} -> L{c}: x := {c}:i32\n", c - 1, c - 1);
        }
        text += "  e5: L5 -> L6: y := x\n  e6: L6 -> L7: return\n}\n";
        let program = ir::text::parse(FileId::from_index(0), &text).unwrap_or_else(|d| panic!("{d:?}"));
        let families = Families::new(&program);
        let y = Expr::var(Var::Local(Id::from_index(1)), Ty::int(32, true));
        let mut predicates = Predicates::new();
        for c in 1..=4 {
            assert_eq!(families.complete(&predicates), []);
            let expr = Expr::binary(BinOp::Eq, y.clone(), Expr::int(y.ty, c));
            predicates.insert(Predicate { scope: Scope::Function(program.entry), expr });
        }
        let missing = families.complete(&predicates);
        assert_eq!(missing.len(), 1);
        assert_eq!(ir::text::show_expr(&program, program.entry, &missing[0].expr).to_string(), "(y == 5:i32)");
    }
}

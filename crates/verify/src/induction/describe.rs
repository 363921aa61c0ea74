//! From a model to a cube: what of a state makes a block do what it does there. Values become bounds where the block does the same for
//! all of them.

use super::blocks::{Cut, Lifted, Outcome};
use super::vocabulary::{Quantity, Word};
use super::{Cube, Literal, Search, atoms};
use ir::{BinOp, Expr, Ty};
use logic::Model;

impl Search<'_> {
    /// Describes the state of a model where a block begins: all of it that makes the block do what it does.
    pub(super) fn describe(&mut self, cut: Cut, model: &Model, outcome: Outcome<'_>) -> Cube {
        let words = &self.vocabulary[cut].words;
        let exprs = words.iter().flat_map(|w| w.quantity.exprs().iter().map(|e| (w.out, e)));
        let mut values = self.blocks.from[cut].values(exprs, model).into_iter();
        let mut cube = Cube::new();
        for &Word { out, ref quantity } in words {
            let mut add = |e: Expr, bounds, value| {
                cube.push(Literal { atom: self.atoms.literal(out, e), bounds, value });
            };
            match quantity {
                Quantity::Int(e, ty) => {
                    let value = values.next().flatten();
                    if let Some(pattern) = value.and_then(|v| v.as_bits().to_u128()) {
                        let equal = Expr::binary(BinOp::Eq, (**e).clone(), Expr::constant(Ty::Int(*ty), pattern));
                        add(equal, Some((out, e.clone())), Some((*ty, pattern)));
                    }
                }
                Quantity::Choice(list) => {
                    let holds: Vec<bool> =
                        values.by_ref().take(list.len()).map(|v| v.is_some_and(|v| v.as_bool())).collect();
                    match holds.iter().position(|h| *h) {
                        Some(i) => add(list[i].clone(), None, None),
                        None => list.iter().for_each(|e| add(e.clone().negate(), None, None)),
                    }
                }
            }
        }
        let all = atoms(&cube);
        let block = &mut self.blocks.from[cut];
        let Some(lifted) = block.needed(&self.atoms, &all, model, outcome, self.limits.conflicts) else { return cube };
        let mut cube: Cube = lifted.needed.iter().map(|&i| cube[i].clone()).collect();
        for at in 0..cube.len() {
            self.lift_to_bound(cut, &mut cube, at, &lifted);
        }
        cube
    }

    /// Replaces the value of an integer by the widest bound with which the block does the same: which of many values a model has is
    /// an accident.
    fn lift_to_bound(&mut self, cut: Cut, cube: &mut Cube, at: usize, lifted: &Lifted) {
        for op in [BinOp::Ge, BinOp::Le] {
            let wider = self.bounded(&cube[at], op);
            let (mut low, mut high) = (0, wider.len());
            while low < high {
                // The narrowest first: where that does not suffice, none does.
                let middle = if high == wider.len() { high - 1 } else { usize::midpoint(low, high) };
                let mut other = atoms(cube);
                other[at] = wider[middle].atom;
                if self.blocks.from[cut].suffices(&self.atoms, &other, lifted, self.limits.conflicts) {
                    high = middle;
                } else if high == wider.len() {
                    break;
                } else {
                    low = middle + 1;
                }
            }
            if high < wider.len() {
                cube[at] = wider[high].clone();
                return;
            }
        }
    }

    /// Bounds that a value fulfils instead of the literal that says so, the widest first.
    pub(super) fn bounded(&mut self, literal: &Literal, op: BinOp) -> Vec<Literal> {
        let Literal { bounds: Some((out, e)), value: Some((ty, pattern)), .. } = literal else { return Vec::new() };
        let value = ty.extend(*pattern);
        let fits = |n: &i128| ty.signed || *n >= 0;
        let numbers = self.bounds.iter().copied().filter(fits);
        let mut bounds: Vec<i128> = match op {
            BinOp::Ge => numbers.filter(|&n| n <= value && (ty.signed || n > 0)).collect(),
            _ => numbers.rev().filter(|&n| n >= value).collect(),
        };
        bounds.push(value);
        bounds.dedup();
        let mut literals = Vec::new();
        for n in bounds {
            let bound = Expr::binary(op, (**e).clone(), Expr::int(Ty::Int(*ty), n));
            let atom = self.atoms.literal(*out, bound);
            literals.push(Literal { atom, bounds: Some((*out, e.clone())), value: None });
        }
        literals
    }
}

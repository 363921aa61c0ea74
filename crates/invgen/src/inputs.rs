//! Inputs for runs whose states are looked at: mostly small numbers and numbers that stand in the program, so that runs
//! pass the conditions in front of loops, and loops end.

use base::rng::Rng;
use ir::interp::{Answer, Input, InputError, Inputs, RandomInputs, Request, What};
use ir::{IntTy, Ty};

pub(crate) struct SmallInputs<'a> {
    rng: Rng,
    /// Numbers that stand in the program.
    constants: &'a [i128],
    /// For what is no integer.
    others: RandomInputs,
}

impl<'a> SmallInputs<'a> {
    pub(crate) fn new(seed: u64, constants: &'a [i128]) -> SmallInputs<'a> {
        SmallInputs { rng: Rng::new(seed), constants, others: RandomInputs::new(seed) }
    }

    fn value(&mut self, ty: IntTy) -> u128 {
        let small = i128::from(self.rng.below(12));
        let value = match self.rng.below(16) {
            0..=3 => small % 3,
            4..=9 => small,
            10..=11 => i128::from(self.rng.below(60)),
            12 => -1 - small,
            13..=14 if !self.constants.is_empty() => *self.rng.pick(self.constants) + i128::from(self.rng.below(3)) - 1,
            _ => i128::from(self.rng.bits()),
        };
        value as u128 & ty.mask()
    }
}

impl Inputs for SmallInputs<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        match request.what {
            What::Value { ty: Ty::Int(ty), .. } => Ok(Answer::Value(Input::Bits(self.value(ty)))),
            _ => self.others.answer(request),
        }
    }
}

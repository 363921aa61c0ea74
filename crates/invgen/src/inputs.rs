//! Inputs for runs whose states are looked at: mostly small numbers and numbers that stand in the program, integers and others, so that runs
//! pass the conditions in front of loops, and loops end.

use base::rng::Rng;
use ir::interp::{Answer, Input, InputError, Inputs, RandomInputs, Request, What};
use ir::{FloatTy, IntTy, Ty};

pub(crate) struct SmallInputs<'a> {
    rng: Rng,
    /// Numbers that stand in the program.
    constants: &'a [i128],
    /// The same of floating-point numbers, sorted.
    reals: &'a [f64],
    /// For what is no integer.
    others: RandomInputs,
}

impl<'a> SmallInputs<'a> {
    pub(crate) fn new(seed: u64, constants: &'a [i128], reals: &'a [f64]) -> SmallInputs<'a> {
        SmallInputs { rng: Rng::new(seed), constants, reals, others: RandomInputs::new(seed) }
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

impl SmallInputs<'_> {
    /// A floating-point number: mostly small, or one that stands in the program, its negation, or between two of them.
    fn real(&mut self) -> f64 {
        let part = self.rng.below(1 << 20) as f64 / f64::from(1 << 20);
        let mut constant = || if self.reals.is_empty() { 1.0 } else { *self.rng.pick(self.reals) };
        let (a, b) = (constant(), constant());
        match self.rng.below(16) {
            0 => 0.0,
            1..=3 => part,
            4..=5 => -part,
            6..=7 => self.rng.below(12) as f64,
            8..=9 => a,
            10 => -a,
            11..=12 => a + (b - a) * part,
            13 => a * part,
            14 => -a * part,
            _ => f64::from_bits(self.rng.bits()),
        }
    }
}

impl Inputs for SmallInputs<'_> {
    fn answer(&mut self, request: &Request<'_>) -> Result<Answer, InputError> {
        match request.what {
            What::Value { ty: Ty::Int(ty), .. } => Ok(Answer::Value(Input::Bits(self.value(ty)))),
            What::Value { ty: Ty::Float(FloatTy::F64), .. } => {
                Ok(Answer::Value(Input::Bits(self.real().to_bits().into())))
            }
            What::Value { ty: Ty::Float(FloatTy::F32), .. } => {
                Ok(Answer::Value(Input::Bits((self.real() as f32).to_bits().into())))
            }
            _ => self.others.answer(request),
        }
    }
}

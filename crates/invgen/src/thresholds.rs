//! Numbers that may bound a floating-point variable: those of the program, what one operation makes of two of them, and a ladder
//! of round ones (the thresholds of Blanchet and others, PLDI 2003). A variable that is multiplied by `a` and moved by at most `b` stays within `b / (1 - a)`;
//! as the sums are rounded, the next round number is often the bound that is inductive.

use ir::{Expr, ExprKind, FloatTy, Ty};

/// Constants of a function that are used.
const MOST: usize = 24;
/// Constants that are combined in pairs.
const PAIRED: usize = 12;
/// Integer constants beyond this bound no floating-point number.
const LARGEST: i128 = 1 << 40;

/// The floating-point constants of a text, without their signs, in the order in which they stand there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants(Vec<f64>);

impl Constants {
    /// Takes an expression that is one.
    pub(crate) fn read(&mut self, e: &Expr) {
        if let (ExprKind::Const(bits), Ty::Float(ty)) = (&e.kind, e.ty)
            && let Some(x) = widened(ty, *bits)
        {
            self.add(x);
        }
    }

    pub(crate) fn extend(&mut self, other: &Constants) {
        other.0.iter().for_each(|&x| self.add(x));
    }

    fn add(&mut self, x: f64) {
        if x.is_finite() && self.0.len() < MOST && !self.0.contains(&x.abs()) {
            self.0.push(x.abs());
        }
    }

    pub(crate) fn sorted(mut self) -> Vec<f64> {
        self.0.sort_by(f64::total_cmp);
        self.0
    }
}

/// The numbers that are tried as bounds, sorted.
pub(crate) fn thresholds(reals: &Constants, integers: &[i128]) -> Vec<f64> {
    let small = integers.iter().filter(|c| c.abs() <= LARGEST).map(|&c| (c as f64).abs());
    let mut all: Vec<f64> = reals.0.iter().copied().chain(small.take(MOST)).collect();
    let pairs = &reals.0[..reals.0.len().min(PAIRED)];
    for &a in pairs {
        for &b in pairs {
            all.extend([a + b, a * b, a - b, b / (1.0 - a)]);
        }
    }
    // Bounds that hold for the numbers before rounding hold for a little more after it.
    let beyond: Vec<f64> = all.iter().map(|x| x * (1.0 + 1e-6)).collect();
    all.extend(beyond);
    all.extend((-6..=9).flat_map(|n| [1.0, 2.0, 5.0].map(|d| d * 10f64.powi(n))));
    all.extend([0.0, f64::MAX]);
    let mut both: Vec<f64> = all.iter().flat_map(|&x| [x, -x]).filter(|x| x.is_finite()).map(|x| x + 0.0).collect();
    both.sort_by(f64::total_cmp);
    both.dedup();
    both
}

/// A number of binary16, binary32 or binary64 as one of binary64.
pub(crate) fn widened(ty: FloatTy, bits: u128) -> Option<f64> {
    match ty {
        FloatTy::F16 => ir::library::math::number(ty, bits),
        FloatTy::F32 => Some(f32::from_bits(bits as u32).into()),
        FloatTy::F64 => Some(f64::from_bits(bits as u64)),
        FloatTy::F80 | FloatTy::F128 => None,
    }
}

/// A constant of the type, where the type has the number nearly.
pub(crate) fn narrowed(ty: FloatTy, x: f64) -> Option<Expr> {
    let bits = match ty {
        FloatTy::F16 if x.abs() < 65_520.0 => ir::library::math::pattern(ty, x),
        FloatTy::F32 if (x as f32).is_finite() => u128::from((x as f32).to_bits()),
        FloatTy::F64 => x.to_bits().into(),
        FloatTy::F16 | FloatTy::F32 | FloatTy::F80 | FloatTy::F128 => return None,
    };
    Some(Expr::constant(Ty::Float(ty), bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_points_are_thresholds() {
        let mut constants = Constants::default();
        for x in [0.5, -3.0] {
            constants.add(x);
        }
        let all = thresholds(&constants, &[-7]);
        for wanted in [6.0, -6.0, 3.0, 0.5, 7.0, -7.0, 3.5, 1.5, 0.0] {
            assert!(all.contains(&wanted), "{wanted} in {all:?}");
        }
        assert!(all.is_sorted());
    }
}

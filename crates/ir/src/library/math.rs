//! The functions of `math.h` that are operations of the library here: which are exact, and what is always true of the others.
//!
//! Some are defined to the last bit, by IEEE 754 or by C: roots, fused products, roundings to whole numbers, remainders, powers of two
//! as factors. Those are computed exactly by runs and by formulas (`vc::float`). Of the elementary functions a formula knows a contract
//! of this file: where the result is no number, its sign, and bounds. Bounds between which a function rises are stated at a few points and
//! widened by far more than the error that glibc documents (a few units in the last place). Bounds that are numbers of the format
//! themselves (1 for a sine) are not widened: a result that is wrong by less than one unit does not pass them.
//!
//! Runs compute elementary functions with the C library of the machine.

use super::Library;
use crate::syntax::{BinOp, Expr, FloatTy, Ty, UnOp};

/// A function on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after the functions of C")]
pub enum Math {
    Sqrt,
    Fmod,
    Remainder,
    Fma,
    Floor,
    Ceil,
    Trunc,
    Round,
    Rint,
    Ldexp,
    Frexp,
    /// The exponent that `frexp` stores.
    Exponent,
    /// A sum in a rounding mode: the last argument, as `fegetround` on x86 gives it ([`rounding_mode`]). So are those that follow.
    AddIn,
    MulIn,
    DivIn,
    SqrtIn,
    FmaIn,
    RintIn,
    LdexpIn,
    /// A number of binary128 in a narrower type.
    NarrowIn,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Cbrt,
    Atan2,
    Pow,
    Hypot,
}

const NAMES: &[(&str, Math)] = &[
    (".sqrt", Math::Sqrt),
    (".fmod", Math::Fmod),
    (".remainder", Math::Remainder),
    (".fma", Math::Fma),
    (".floor", Math::Floor),
    (".ceil", Math::Ceil),
    (".trunc", Math::Trunc),
    (".round", Math::Round),
    (".rint", Math::Rint),
    (".ldexp", Math::Ldexp),
    (".frexp", Math::Frexp),
    (".exponent", Math::Exponent),
    (".in.add", Math::AddIn),
    (".in.mul", Math::MulIn),
    (".in.div", Math::DivIn),
    (".in.sqrt", Math::SqrtIn),
    (".in.fma", Math::FmaIn),
    (".in.rint", Math::RintIn),
    (".in.ldexp", Math::LdexpIn),
    (".in.narrow", Math::NarrowIn),
    (".sin", Math::Sin),
    (".cos", Math::Cos),
    (".tan", Math::Tan),
    (".asin", Math::Asin),
    (".acos", Math::Acos),
    (".atan", Math::Atan),
    (".sinh", Math::Sinh),
    (".cosh", Math::Cosh),
    (".tanh", Math::Tanh),
    (".exp", Math::Exp),
    (".exp2", Math::Exp2),
    (".expm1", Math::Expm1),
    (".log", Math::Log),
    (".log2", Math::Log2),
    (".log10", Math::Log10),
    (".log1p", Math::Log1p),
    (".cbrt", Math::Cbrt),
    (".atan2", Math::Atan2),
    (".pow", Math::Pow),
    (".hypot", Math::Hypot),
];

impl Library {
    /// The function of `math.h` that it is, and on numbers of which type.
    pub fn math(self) -> Option<(Math, FloatTy)> {
        let find = |name: &str| NAMES.iter().find(|(n, _)| *n == name).map(|(_, math)| *math);
        let name = self.name();
        let of_type = |suffix, ty| Some((find(name.strip_suffix(suffix)?)?, ty));
        find(name)
            .map(|math| (math, FloatTy::F64))
            .or_else(|| of_type('f', FloatTy::F32))
            .or_else(|| of_type('l', FloatTy::F80))
            .or_else(|| of_type('q', FloatTy::F128))
            .or_else(|| (self == Library::NarrowInh).then_some((Math::NarrowIn, FloatTy::F16)))
    }

    /// The function on numbers of this type, if it is there.
    pub fn of_math(math: Math, ty: FloatTy) -> Option<Library> {
        Library::ALL.iter().copied().find(|l| l.math() == Some((math, ty)))
    }
}

/// How operations round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To nearest, ties to even.
    Nearest,
    /// Towards minus infinity.
    Down,
    /// Towards infinity.
    Up,
    /// Towards zero.
    Zero,
}

/// The numbers that x86 gives the modes.
pub const MODES: [(i128, Mode); 4] = [(0, Mode::Nearest), (0x400, Mode::Down), (0x800, Mode::Up), (0xc00, Mode::Zero)];

/// The mode of a number; every other number means to nearest.
pub(crate) fn rounding_mode(number: u128) -> Mode {
    MODES.iter().find(|(n, _)| *n == number as i128).map_or(Mode::Nearest, |(_, mode)| *mode)
}

/// The pattern of a number that every floating type has.
pub fn pattern(ty: FloatTy, value: f64) -> u128 {
    match ty {
        FloatTy::F32 => (value as f32).to_bits().into(),
        FloatTy::F64 => value.to_bits().into(),
        FloatTy::F16 | FloatTy::F80 | FloatTy::F128 => {
            crate::interp::float_resized(FloatTy::F64, ty, value.to_bits().into())
        }
    }
}

/// The number that a pattern stands for, where `f64` has it (every binary16, binary32 and binary64 has one).
pub fn number(ty: FloatTy, bits: u128) -> Option<f64> {
    let wide = crate::interp::float_resized(ty, FloatTy::F64, bits);
    let value = f64::from_bits(wide as u64);
    let same = value.is_nan() || crate::interp::float_resized(FloatTy::F64, ty, wide) == bits;
    same.then_some(value)
}

/// The operands of a contract, with its words.
struct Say<'a> {
    float: FloatTy,
    x: &'a Expr,
    r: &'a Expr,
}

impl Say<'_> {
    fn number(&self, value: f64) -> Expr {
        Expr::constant(Ty::Float(self.float), pattern(self.float, value))
    }

    fn largest(&self) -> Expr {
        let bits = match self.float {
            FloatTy::F16 => 0x7bff,
            FloatTy::F32 => f32::MAX.to_bits().into(),
            FloatTy::F64 => f64::MAX.to_bits().into(),
            FloatTy::F80 => 0x7ffe_ffff_ffff_ffff_ffff,
            FloatTy::F128 => 0x7ffe_ffff_ffff_ffff_ffff_ffff_ffff_ffff,
        };
        Expr::constant(Ty::Float(self.float), bits)
    }

    fn within(&self, e: &Expr, low: f64, high: f64) -> Expr {
        both(cmp(BinOp::Ge, e, &self.number(low)), cmp(BinOp::Le, e, &self.number(high)))
    }

    fn finite(&self, e: &Expr) -> Expr {
        let most = self.largest();
        both(cmp(BinOp::Le, e, &most), cmp(BinOp::Ge, e, &minus(&most)))
    }

    /// The result is a number where `valid` holds, and only there.
    fn number_where(&self, valid: Expr) -> Expr {
        Expr::binary(BinOp::Eq, cmp(BinOp::Eq, self.r, self.r), valid)
    }

    /// Where the operand is on this side of `at`, the result is on that side of `bound`.
    fn side(&self, op: BinOp, at: f64, to: BinOp, bound: f64) -> Expr {
        implies(cmp(op, self.x, &self.number(at)), cmp(to, self.r, &self.number(bound)))
    }

    /// Equal signs, but for results that are rounded to zero.
    fn same_sign(&self) -> Expr {
        both(self.side(BinOp::Ge, 0.0, BinOp::Ge, 0.0), self.side(BinOp::Le, 0.0, BinOp::Le, 0.0))
    }

    /// What a function that rises is at these points, widened, bounds it on both sides of each.
    fn rises(&self, f: fn(f64) -> f64, points: &[f64]) -> Expr {
        let slack = if self.float == FloatTy::F32 { 2f64.powi(-18) } else { 2f64.powi(-40) };
        let at = |&c: &f64| {
            let v = f(c);
            let (low, high) = (v - v.abs() * slack, v + v.abs() * slack);
            both(self.side(BinOp::Le, c, BinOp::Le, high), self.side(BinOp::Ge, c, BinOp::Ge, low))
        };
        all(points.iter().map(at))
    }
}

fn cmp(op: BinOp, a: &Expr, b: &Expr) -> Expr {
    Expr::binary(op, a.clone(), b.clone())
}

fn both(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinOp::And, a, b)
}

fn implies(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinOp::Or, a.negate(), b)
}

fn minus(e: &Expr) -> Expr {
    Expr::unary(UnOp::Neg, e.clone())
}

fn all(list: impl Iterator<Item = Expr>) -> Expr {
    list.reduce(both).unwrap_or(Expr::bool(true))
}

/// The magnitude, by comparison: a zero keeps its sign.
fn magnitude(e: &Expr, zero: &Expr) -> Expr {
    Expr::ite(cmp(BinOp::Lt, e, zero), minus(e), e.clone())
}

const ANGLES: &[f64] = &[-10.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 10.0];
const POWERS: &[f64] = &[-50.0, -10.0, -5.0, -2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 50.0, 80.0];
const POSITIVE: &[f64] = &[1e-30, 1e-10, 1e-6, 1e-3, 0.01, 0.1, 0.5, 2.0, 3.0, 5.0, 10.0, 100.0, 1e3, 1e6, 1e10, 1e30];
const CUBES: &[f64] = &[-1e6, -1e3, -8.0, -1.0, 1.0, 8.0, 27.0, 1e3, 1e6];

/// What always holds of the result; nothing where a formula has the function itself.
pub(super) fn contract((math, float): (Math, FloatTy), args: &[Expr], result: &Expr) -> Option<Expr> {
    use std::f64::consts::{FRAC_PI_2, PI};
    let x = &args[0];
    let say = Say { float, x, r: result };
    let some = cmp(BinOp::Eq, x, x);
    let inside = |low: f64, high: f64| say.within(x, low, high);
    let results = |low: f64, high: f64| say.within(result, low, high);
    // The floats next to π/2 and π lie above them.
    let quarter = f64::from(FRAC_PI_2 as f32);
    let half = f64::from(PI as f32);
    Some(match math {
        Math::Sqrt
        | Math::Fma
        | Math::Floor
        | Math::Ceil
        | Math::Trunc
        | Math::Round
        | Math::Rint
        | Math::Ldexp
        | Math::Frexp
        | Math::Exponent
        | Math::AddIn
        | Math::MulIn
        | Math::DivIn
        | Math::SqrtIn
        | Math::FmaIn
        | Math::RintIn
        | Math::LdexpIn
        | Math::NarrowIn => return None,
        Math::Fmod | Math::Remainder => return Some(remainder(math, &say, &args[1])),
        Math::Sin | Math::Cos => {
            let finite = say.finite(x);
            let bounded = implies(finite.clone(), results(-1.0, 1.0));
            let small = if math == Math::Sin {
                // Below π the sine is not negative, and never above its positive argument.
                let rising = implies(inside(0.0, 3.125), both(results(0.0, 1.0), cmp(BinOp::Le, result, x)));
                let falling = implies(inside(-3.125, 0.0), both(results(-1.0, 0.0), cmp(BinOp::Ge, result, x)));
                both(rising, falling)
            } else {
                implies(inside(-1.57, 1.57), results(0.0, 1.0))
            };
            all([say.number_where(finite), bounded, small].into_iter())
        }
        Math::Tan => {
            let small = implies(inside(0.0, 1.57), cmp(BinOp::Ge, result, x));
            let other = implies(inside(-1.57, 0.0), cmp(BinOp::Le, result, x));
            all([say.number_where(say.finite(x)), small, other].into_iter())
        }
        Math::Asin => {
            let valid = inside(-1.0, 1.0);
            let bounded = implies(valid.clone(), results(-quarter, quarter));
            // Outside the result is no number, of which no bound may be said.
            let more = implies(valid.clone(), both(say.same_sign(), say.rises(f64::asin, &[-0.5, 0.5])));
            all([say.number_where(valid), bounded, more].into_iter())
        }
        Math::Acos => {
            let valid = inside(-1.0, 1.0);
            let bounded = implies(valid.clone(), results(0.0, half));
            let right = implies(inside(0.0, 1.0), results(0.0, quarter));
            all([say.number_where(valid), bounded, right].into_iter())
        }
        Math::Atan => {
            let bounded = implies(some.clone(), results(-quarter, quarter));
            all([say.number_where(some), bounded, say.same_sign(), say.rises(f64::atan, ANGLES)].into_iter())
        }
        Math::Sinh => all([say.number_where(some), say.same_sign(), say.rises(f64::sinh, ANGLES)].into_iter()),
        Math::Cosh => {
            let least = implies(some.clone(), cmp(BinOp::Ge, result, &say.number(1.0)));
            both(say.number_where(some), least)
        }
        Math::Tanh => {
            let bounded = implies(some.clone(), results(-1.0, 1.0));
            all([say.number_where(some), bounded, say.same_sign(), say.rises(f64::tanh, ANGLES)].into_iter())
        }
        Math::Exp | Math::Exp2 => {
            let least = implies(some.clone(), cmp(BinOp::Ge, result, &say.number(0.0)));
            let one = both(say.side(BinOp::Le, 0.0, BinOp::Le, 1.0), say.side(BinOp::Ge, 0.0, BinOp::Ge, 1.0));
            let f = if math == Math::Exp { f64::exp } else { f64::exp2 };
            all([say.number_where(some), least, one, say.rises(f, POWERS)].into_iter())
        }
        Math::Expm1 => {
            let least = implies(some.clone(), cmp(BinOp::Ge, result, &say.number(-1.0)));
            all([say.number_where(some), least, say.same_sign(), say.rises(f64::exp_m1, POWERS)].into_iter())
        }
        Math::Log | Math::Log2 | Math::Log10 => {
            let valid = cmp(BinOp::Ge, x, &say.number(0.0));
            let one = both(say.side(BinOp::Le, 1.0, BinOp::Le, 0.0), say.side(BinOp::Ge, 1.0, BinOp::Ge, 0.0));
            let one = implies(valid.clone(), one);
            let f = match math {
                Math::Log => f64::ln,
                Math::Log2 => f64::log2,
                _ => f64::log10,
            };
            all([say.number_where(valid.clone()), one, implies(valid, say.rises(f, POSITIVE))].into_iter())
        }
        Math::Log1p => {
            let valid = cmp(BinOp::Ge, x, &say.number(-1.0));
            let rises = say.rises(f64::ln_1p, &[-0.5, 0.5, 1.0, 10.0, 1e3, 1e6]);
            all([say.number_where(valid.clone()), implies(valid, both(say.same_sign(), rises))].into_iter())
        }
        Math::Cbrt => all([say.number_where(some), say.same_sign(), say.rises(f64::cbrt, CUBES)].into_iter()),
        Math::Atan2 => {
            let valid = both(some, cmp(BinOp::Eq, &args[1], &args[1]));
            // Of a zero the result may be ±π.
            let sign = both(say.side(BinOp::Gt, 0.0, BinOp::Ge, 0.0), say.side(BinOp::Lt, 0.0, BinOp::Le, 0.0));
            let bounded = implies(valid.clone(), both(results(-half, half), sign));
            both(say.number_where(valid), bounded)
        }
        Math::Pow => power(&say, &args[1]),
        Math::Hypot => {
            let valid = both(some, cmp(BinOp::Eq, &args[1], &args[1]));
            let zero = say.number(0.0);
            let over = |e: &Expr| cmp(BinOp::Ge, result, &magnitude(e, &zero));
            implies(valid, both(over(x), over(&args[1])))
        }
    })
}

/// `fmod` and `remainder`: a number unless the dividend is infinite or the divisor zero, smaller than the divisor (at most half of it),
/// and not larger than the dividend.
fn remainder(math: Math, say: &Say<'_>, y: &Expr) -> Expr {
    let zero = say.number(0.0);
    let valid = both(say.finite(say.x), both(cmp(BinOp::Eq, y, y), cmp(BinOp::Ne, y, &zero)));
    let [x, y, r] = [say.x, y, say.r].map(|e| magnitude(e, &zero));
    let mut says = vec![cmp(BinOp::Le, &r, &x)];
    if math == Math::Fmod {
        says.extend([cmp(BinOp::Lt, &r, &y), say.same_sign()]);
    } else {
        let twice = |e: &Expr| cmp(BinOp::Add, e, e);
        says.push(cmp(BinOp::Le, &twice(&r), &y));
        says.push(implies(cmp(BinOp::Lt, &twice(&x), &y), cmp(BinOp::Eq, say.r, say.x)));
    }
    both(say.number_where(valid.clone()), implies(valid, all(says.into_iter())))
}

/// `pow` at the borders of what it can be: of positive bases, and for a few exponents. (Of a zero with its sign it can be any infinity.)
fn power(say: &Say<'_>, y: &Expr) -> Expr {
    let (x, r) = (say.x, say.r);
    let [zero, one, two] = [0.0, 1.0, 2.0].map(|c| say.number(c));
    let is = |e: &Expr, c: &Expr| cmp(BinOp::Eq, e, c);
    let at_least = |e: &Expr, c: &Expr| cmp(BinOp::Ge, e, c);
    let at_most = |e: &Expr, c: &Expr| cmp(BinOp::Le, e, c);
    let [rising, falling] = [at_least(y, &zero), at_most(y, &zero)];
    let large = at_least(x, &one);
    let positive = cmp(BinOp::Gt, x, &zero);
    let small = both(positive.clone(), at_most(x, &one));
    all([
        implies(both(is(y, &zero), is(x, x)), is(r, &one)),
        implies(both(is(x, &one), is(y, y)), is(r, &one)),
        implies(both(is(y, &one), is(x, x)), is(r, x)),
        implies(both(positive, is(y, y)), at_least(r, &zero)),
        implies(both(is(y, &two), is(x, x)), at_least(r, &zero)),
        implies(both(large.clone(), rising.clone()), at_least(r, &one)),
        implies(both(large.clone(), at_least(y, &one)), at_least(r, x)),
        implies(both(large, falling.clone()), both(at_most(r, &one), at_least(r, &zero))),
        implies(both(small.clone(), rising), both(at_most(r, &one), at_least(r, &zero))),
        implies(both(small, falling), at_least(r, &one)),
    ]
    .into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::{constant, float_function, float_pattern};
    use base::rng::Rng;

    fn operand(rng: &mut Rng, ty: FloatTy) -> u128 {
        let random = u128::from(rng.bits()) << 64 | u128::from(rng.bits());
        match rng.below(4) {
            0 => float_pattern(ty, rng.below(14), random),
            1 => pattern(ty, rng.below(2_001) as f64 / 1_000.0 - 1.0),
            2 => pattern(ty, *rng.pick(&[ANGLES, POWERS, POSITIVE, CUBES].concat())),
            _ => pattern(ty, (rng.below(200_001) as f64 - 100_000.0) / 997.0),
        }
    }

    /// What the library of the machine gives fulfils the contract, and other results mostly do not.
    #[test]
    fn results_fulfil_their_contracts() {
        let mut rng = Rng::new(9);
        for &lib in Library::ALL {
            let Some((math, ty)) = lib.math() else { continue };
            let (mut said, mut excluded) = (0, 0);
            for _ in 0..3_000 {
                let patterns = [operand(&mut rng, ty), operand(&mut rng, ty)];
                let args = patterns.map(|p| Expr::constant(Ty::Float(ty), p));
                let holds = |result: u128| {
                    let result = Expr::constant(Ty::Float(ty), result);
                    contract((math, ty), &args, &result).map(|c| constant(&c) == Some(1))
                };
                let Some(fulfilled) = holds(float_function_of(lib, math, patterns)) else { break };
                assert!(fulfilled, "{lib:?} of {patterns:x?}");
                said += 1;
                excluded += u32::from(holds(operand(&mut rng, ty)) == Some(false));
            }
            assert!(said == 0 || excluded > 700, "{lib:?}: only {excluded} of {said} other results are excluded");
        }
    }

    fn float_function_of(lib: Library, math: Math, patterns: [u128; 2]) -> u128 {
        // What is computed exactly has no contract.
        let in_mode = lib.name().starts_with(".in.");
        if in_mode || math == Math::Fma { 0 } else { float_function(lib, &patterns) }
    }
}

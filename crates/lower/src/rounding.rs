//! Functions on floats that are a few operations: rounding to whole numbers, the smaller and the larger of two, the class of a
//! number, numbers taken apart.

use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::place::unnamed;
use base::Span;
use base::sabotage::{self, Fault};
use ir::library::Library;
use ir::library::math::Math;
use ir::library::recipe::{FloatOp, Recipe};
use ir::{BinOp, Expr, FloatTy, HavocDst, IntTy, Op, Place, Source, Ty, UnOp};

/// More than twice the exponents of every type.
const MOST_SCALE: i128 = 100_000;

impl Fun<'_, '_> {
    /// A call of one of these functions, if it is one and its arguments fit.
    pub(crate) fn float_call(
        &mut self,
        model: Recipe,
        args: &[Expr],
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Option<Expr>> {
        let value = match (model, args) {
            (Recipe::Compare(_) | Recipe::IsUnordered | Recipe::IsLessGreater, [a, b]) => {
                self.compare_floats(model, a.clone(), b.clone())
            }
            (Recipe::IsNormal | Recipe::FpClassify | Recipe::FpClass, [.., x]) if matches!(x.ty, Ty::Float(_)) => {
                let mut answers: Vec<Expr> = args.to_vec();
                if model == Recipe::FpClass {
                    // The constants of `math.h`: no number, infinite, normal, subnormal, zero.
                    answers.splice(0..0, [0, 1, 4, 3, 2].map(|n| Expr::int(Ty::int(32, true), n)));
                }
                self.classified(&answers, span)?
            }
            (Recipe::Float(float), _) if args.len() >= float.arguments() && args.iter().all(|a| a.ty != Ty::Ptr) => {
                let Some(Ty::Float(f)) = ret else {
                    self.unsupported("library function that is declared otherwise", span);
                    return Some(ret.map(|ty| Expr::constant(ty, 0)));
                };
                self.float_model(float, f, args, span)
            }
            (Recipe::ScaleLong | Recipe::Frexp | Recipe::Modf, [x, second]) => {
                let (Ty::Float(_), Some(Ty::Float(f))) = (x.ty, ret) else { return None };
                let pointer = second.ty == Ty::Ptr;
                match (model, second.ty) {
                    (Recipe::ScaleLong, Ty::Int(_)) => self.scaled_long(f, args, span),
                    (Recipe::Frexp | Recipe::Modf, _) if pointer => self.decomposed(model, f, args, span),
                    _ => return None,
                }
            }
            (Recipe::RoundToInt(float), [x]) => {
                let (Ty::Float(f), Some(Ty::Int(i))) = (x.ty, ret) else { return None };
                let value = self.float_model(float, f, args, span);
                self.whole_number(value, f, i, span)
            }
            _ => return None,
        };
        Some(self.finish_pure(value, ret, want, span))
    }

    /// The integer that a whole number is. Where it fits none the result is open, but the call is not undefined (C11 7.12.9.5,
    /// 7.12.9.7): any integer.
    fn whole_number(&mut self, value: Expr, float: FloatTy, int: IntTy, span: Span) -> Expr {
        let ty = Ty::Int(int);
        let value = self.named_value(value, span);
        let bound = |n: f64| number(float, n);
        let (least, beyond) = if int.signed {
            (-f64::from(int.width - 1).exp2(), f64::from(int.width - 1).exp2())
        } else {
            (0.0, f64::from(int.width).exp2())
        };
        let above = fold::binary(BinOp::Ge, value.clone(), bound(least));
        let below = fold::binary(BinOp::Lt, value.clone(), bound(beyond));
        let any = self.temp(ty, span);
        let source = Source::Outside("a whole number that fits no integer".to_owned());
        self.emit(Op::Havoc(HavocDst::Place(Place::var(any, ty)), source), span);
        let exact = fold::convert(ty, value, self.model());
        fold::ite(fold::and(above, below), exact, Expr::var(any, ty))
    }

    /// Comparisons of floats; both operands get the wider type.
    fn compare_floats(&mut self, model: Recipe, a: Expr, b: Expr) -> Expr {
        let wider = if a.ty.size(self.model()) >= b.ty.size(self.model()) { a.ty } else { b.ty };
        let (a, b) = (fold::convert(wider, a, self.model()), fold::convert(wider, b, self.model()));
        let cmp = |op, a: &Expr, b: &Expr| fold::binary(op, a.clone(), b.clone());
        match model {
            Recipe::Compare(op) => cmp(op, &a, &b),
            Recipe::IsLessGreater => fold::or(cmp(BinOp::Lt, &a, &b), cmp(BinOp::Gt, &a, &b)),
            _ => fold::or(cmp(BinOp::Ne, &a, &a), cmp(BinOp::Ne, &b, &b)),
        }
    }

    /// The function on numbers of type `float`.
    pub(crate) fn float_model(&mut self, model: FloatOp, float: FloatTy, args: &[Expr], span: Span) -> Expr {
        let ty = Ty::Float(float);
        let mut kept = Vec::with_capacity(2);
        for arg in args {
            let arg = fold::convert(ty, arg.clone(), self.model());
            kept.push(self.named_value(arg, span));
        }
        match (model, &kept[..]) {
            (FloatOp::Dim, [x, y, ..]) => {
                let less = self.computed(BinOp::Sub, x.clone(), y.clone());
                fold::ite(fold::binary(BinOp::Le, x.clone(), y.clone()), Expr::constant(ty, 0), less)
            }
            (FloatOp::Min | FloatOp::Max, [x, y, ..]) => self.of_two(model, x, y, span),
            (_, [x, ..]) => self.rounded(model, float, x, span),
            _ => Expr::constant(ty, 0),
        }
    }

    /// The smaller or the larger of two. What is no number gives way to one that is; which of two zeroes is given is open (C11
    /// 7.12.12.2 and F.10.9.2).
    fn of_two(&mut self, model: FloatOp, x: &Expr, y: &Expr, span: Span) -> Expr {
        let binary = |op, a: &Expr, b: &Expr| fold::binary(op, a.clone(), b.clone());
        let op = if model == FloatOp::Min { BinOp::Lt } else { BinOp::Gt };
        let any = self.temp(Ty::Bool, span);
        let source = Source::Outside("which of two equal numbers".to_owned());
        self.emit(Op::Havoc(HavocDst::Place(Place::var(any, Ty::Bool)), source), span);
        let either = fold::and(binary(BinOp::Eq, x, y), Expr::var(any, Ty::Bool));
        let first = fold::or(binary(op, x, y), binary(BinOp::Ne, y, y));
        let first = if sabotage::active(Fault::SecondOfTwoZeroes) { first } else { fold::or(first, either) };
        fold::ite(first, x.clone(), y.clone())
    }

    /// The value in a variable of its own, unless it is short.
    fn named_value(&mut self, value: Expr, span: Span) -> Expr {
        if value.as_const().is_some() {
            return value;
        }
        let (ty, var) = (value.ty, self.temp(value.ty, span));
        self.emit(Op::Assign(Place::var(var, ty), value), span);
        Expr::var(var, ty)
    }

    /// The whole number that the function gives.
    fn rounded(&mut self, model: FloatOp, float: FloatTy, x: &Expr, span: Span) -> Expr {
        let math = match model {
            FloatOp::Trunc => Math::Trunc,
            FloatOp::Floor => Math::Floor,
            FloatOp::Ceil => Math::Ceil,
            FloatOp::Round => Math::Round,
            _ => Math::Rint,
        };
        self.math(math, float, std::slice::from_ref(x), span)
    }

    /// A function that numbers of every type have.
    fn math(&mut self, math: Math, float: FloatTy, args: &[Expr], span: Span) -> Expr {
        match Library::of_math(math, float) {
            Some(lib) => self.library_call(lib, args, span),
            None => {
                self.unsupported("mathematical function", span);
                Expr::constant(Ty::Float(float), 0)
            }
        }
    }

    /// `scalbln`: exponents beyond those of every type are as good as the first of them.
    pub(crate) fn scaled_long(&mut self, float: FloatTy, args: &[Expr], span: Span) -> Expr {
        let int = Ty::int(32, true);
        let by = self.named_value(args[1].clone(), span);
        let most = |n: i128| Expr::int(by.ty, n);
        let least = fold::ite(fold::binary(BinOp::Lt, by.clone(), most(-MOST_SCALE)), most(-MOST_SCALE), by.clone());
        let by = fold::ite(fold::binary(BinOp::Gt, by.clone(), most(MOST_SCALE)), most(MOST_SCALE), least);
        let by = fold::convert(int, by, self.model());
        self.math(Math::Ldexp, float, &[args[0].clone(), by], span)
    }

    /// `frexp` and `modf`: a fraction is given, and what is left of the number is stored.
    pub(crate) fn decomposed(&mut self, model: Recipe, float: FloatTy, args: &[Expr], span: Span) -> Expr {
        let ty = Ty::Float(float);
        let x = fold::convert(ty, args[0].clone(), self.model());
        let x = self.named_value(x, span);
        let to = fold::convert(Ty::Ptr, args[1].clone(), self.model());
        let to = self.keep_if_memory(to, span);
        let (fraction, stored) = if model == Recipe::Frexp {
            let exponent = self.math(Math::Exponent, float, std::slice::from_ref(&x), span);
            (self.math(Math::Frexp, float, std::slice::from_ref(&x), span), exponent)
        } else {
            let whole = self.math(Math::Trunc, float, std::slice::from_ref(&x), span);
            // The difference is exact; a zero has the sign of the number, as has what is left of an infinity.
            let zero = number(float, 0.0);
            let negative = fold::binary(BinOp::Lt, x.clone(), zero.clone());
            let none = fold::ite(negative, fold::unary(UnOp::Neg, zero.clone()), zero);
            let whole_number = fold::binary(BinOp::Eq, x.clone(), whole.clone());
            let is_zero = fold::binary(BinOp::Eq, x.clone(), number(float, 0.0));
            let signed = fold::ite(is_zero, x.clone(), none);
            let less = fold::binary(BinOp::Sub, x.clone(), whole.clone());
            (fold::ite(whole_number, signed, less), whole)
        };
        let addr = self.pointed(to);
        self.access(&addr, stored.ty.size(self.model()));
        let fraction = self.named_value(fraction, span);
        self.emit(Op::Assign(unnamed(addr, stored.ty), stored), span);
        fraction
    }

    /// `isnormal(x)`, or `__builtin_fpclassify` with its five answers and the number.
    pub(crate) fn classified(&mut self, args: &[Expr], span: Span) -> Option<Expr> {
        let (x, answers) = args.split_last()?;
        let Ty::Float(float) = x.ty else { return None };
        let x = self.named_value(x.clone(), span);
        let binary = |op, a: &Expr, b: &Expr| fold::binary(op, a.clone(), b.clone());
        let least = least_normal(float);
        let infinity = crate::libc::infinity(float);
        let minus = |e: &Expr| fold::unary(UnOp::Neg, e.clone());
        let large = fold::or(binary(BinOp::Ge, &x, &least), binary(BinOp::Le, &x, &minus(&least)));
        let infinite = fold::or(binary(BinOp::Eq, &x, &infinity), binary(BinOp::Eq, &x, &minus(&infinity)));
        let [nan, inf, normal, subnormal, zero] = answers else {
            return Some(fold::and(large, infinite.negate()));
        };
        let is_zero = binary(BinOp::Eq, &x, &number(float, 0.0));
        let small = fold::ite(is_zero, zero.clone(), subnormal.clone());
        let finite = fold::ite(large, normal.clone(), small);
        let some = fold::ite(infinite, inf.clone(), finite);
        Some(fold::ite(binary(BinOp::Ne, &x, &x), nan.clone(), some))
    }
}

/// The least normal number of a type.
pub(crate) fn least_normal(float: FloatTy) -> Expr {
    let bits = match float {
        FloatTy::F16 => 1 << 10,
        FloatTy::F32 => 1 << 23,
        FloatTy::F64 => 1 << 52,
        FloatTy::F80 => 1 << 64 | 1 << 63,
        FloatTy::F128 => 1 << 112,
    };
    Expr::constant(Ty::Float(float), bits)
}

/// A constant.
fn number(float: FloatTy, value: f64) -> Expr {
    let bits = match float {
        FloatTy::F32 => u128::from((value as f32).to_bits()),
        FloatTy::F64 => value.to_bits().into(),
        FloatTy::F16 => ir::library::math::pattern(FloatTy::F16, value),
        FloatTy::F80 => fold::f80_of_f64(value).expect("no constant here is infinite"),
        FloatTy::F128 => fold::f128_of_f64(value),
    };
    Expr::constant(Ty::Float(float), bits)
}

//! Functions on floats that are a few operations: rounding to whole numbers, the smaller and the larger of two, the class of a
//! number. Sums round to nearest even, so adding and taking away the least number without fraction bits rounds to a whole number.

use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::place::object_predicate;
use base::Span;
use ir::library::recipe::{FloatOp, Recipe};
use ir::{BinOp, Expr, FloatTy, ObjectPredicate, Op, Place, Ty, Ub, UnOp};

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
            (Recipe::RoundToInt(float), [x]) => {
                let (Ty::Float(f), Some(Ty::Int(i))) = (x.ty, ret) else { return None };
                let value = self.float_model(float, f, args, span);
                self.guard(Ub::FloatToInt, object_predicate(ObjectPredicate::FitsInt(i), value.clone()));
                value
            }
            _ => return None,
        };
        Some(self.finish_pure(value, ret, want, span))
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
            (FloatOp::Min | FloatOp::Max | FloatOp::Dim, [x, y, ..]) => of_two(model, x, y),
            (_, [x, ..]) => self.rounded(model, float, x, span),
            _ => Expr::constant(ty, 0),
        }
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

    fn rounded(&mut self, model: FloatOp, float: FloatTy, x: &Expr, span: Span) -> Expr {
        let bits = match float {
            FloatTy::F32 => 23,
            FloatTy::F64 => 52,
            FloatTy::F80 => 63,
        };
        let (zero, one, half) = (number(float, 0.0), number(float, 1.0), number(float, 0.5));
        let whole = number(float, (1u64 << bits) as f64);
        let binary = |op, a: &Expr, b: &Expr| fold::binary(op, a.clone(), b.clone());
        let negative = binary(BinOp::Lt, x, &zero);
        let size = fold::ite(negative.clone(), fold::unary(UnOp::Neg, x.clone()), x.clone());
        let size = self.named_value(size, span);
        let near = binary(BinOp::Sub, &binary(BinOp::Add, &size, &whole), &whole);
        let near = self.named_value(near, span);
        let down = || fold::ite(binary(BinOp::Gt, &near, &size), binary(BinOp::Sub, &near, &one), near.clone());
        let up = || fold::ite(binary(BinOp::Lt, &near, &size), binary(BinOp::Add, &near, &one), near.clone());
        let magnitude = match model {
            FloatOp::Trunc => down(),
            FloatOp::Floor => fold::ite(negative.clone(), up(), down()),
            FloatOp::Ceil => fold::ite(negative.clone(), down(), up()),
            FloatOp::Round => {
                let down = self.named_value(down(), span);
                let far = binary(BinOp::Ge, &binary(BinOp::Sub, &size, &down), &half);
                fold::ite(far, binary(BinOp::Add, &down, &one), down)
            }
            _ => near,
        };
        let magnitude = self.named_value(magnitude, span);
        // A zero gets the sign of the number.
        let none = binary(BinOp::Eq, &magnitude, &zero);
        let signed = fold::ite(negative, fold::unary(UnOp::Neg, magnitude.clone()), magnitude);
        let result = fold::ite(none, binary(BinOp::Mul, x, &zero), signed);
        // Large numbers are whole, and the rest are infinities and what is no number.
        fold::ite(binary(BinOp::Lt, &size, &whole), result, x.clone())
    }

    /// `isnormal(x)`, or `__builtin_fpclassify` with its five answers and the number.
    pub(crate) fn classified(&mut self, args: &[Expr], span: Span) -> Option<Expr> {
        let (x, answers) = args.split_last()?;
        let Ty::Float(float) = x.ty else { return None };
        let x = self.named_value(x.clone(), span);
        let binary = |op, a: &Expr, b: &Expr| fold::binary(op, a.clone(), b.clone());
        let least = match float {
            FloatTy::F32 => Expr::constant(x.ty, 1 << 23),
            FloatTy::F64 => Expr::constant(x.ty, 1 << 52),
            FloatTy::F80 => Expr::constant(x.ty, 1 << 64 | 1 << 63),
        };
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

/// What is no number gives way to one that is.
fn of_two(model: FloatOp, x: &Expr, y: &Expr) -> Expr {
    let binary = |op, a: &Expr, b: &Expr| fold::binary(op, a.clone(), b.clone());
    if model == FloatOp::Dim {
        let none = Expr::constant(x.ty, 0);
        return fold::ite(binary(BinOp::Le, x, y), none, binary(BinOp::Sub, x, y));
    }
    let op = if model == FloatOp::Min { BinOp::Lt } else { BinOp::Gt };
    let first = fold::or(binary(op, x, y), binary(BinOp::Ne, y, y));
    fold::ite(first, x.clone(), y.clone())
}

/// A constant.
fn number(float: FloatTy, value: f64) -> Expr {
    let bits = match float {
        FloatTy::F32 => u128::from((value as f32).to_bits()),
        FloatTy::F64 => value.to_bits().into(),
        FloatTy::F80 => fold::f80_of_f64(value).expect("no constant here is infinite"),
    };
    Expr::constant(Ty::Float(float), bits)
}

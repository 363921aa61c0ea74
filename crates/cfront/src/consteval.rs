//! Integer constant expressions, with the exact arithmetic of the target's types.
//!
//! Accepts what gcc folds: besides C11 6.6's integer constant expressions also casts of floating constants, `&((T *)0)->m`
//! and comparisons of such addresses, and conditionals whose untaken side is not constant. Division by zero, and shifts by
//! a count out of range, have no value. Overflow wraps, as gcc folds it.

use crate::tree::{BinOp, Builtin, CastKind, ExprId, ExprKind, UnOp, Unit};
use crate::types::{FloatKind, IntKind, TypeId};

/// A folded value. Pointers are integers here: only addresses built from constants are folded.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Int(i128),
    Float(f64),
}

/// The value of an expression of integer type (or of a pointer made from one), if it is constant.
pub fn const_eval(unit: &Unit, e: ExprId) -> Option<i128> {
    within(unit, e, u32::MAX)
}

/// As [`const_eval`], but gives up after `fuel` nodes.
pub(crate) fn within(unit: &Unit, e: ExprId, fuel: u32) -> Option<i128> {
    match (Eval { unit, fuel }).value(e)? {
        Value::Int(v) => Some(v),
        Value::Float(_) => None,
    }
}

struct Eval<'u> {
    unit: &'u Unit,
    fuel: u32,
}

impl Eval<'_> {
    fn value(&mut self, e: ExprId) -> Option<Value> {
        self.fuel = self.fuel.checked_sub(1)?;
        let expr = &self.unit.exprs[e];
        let ty = expr.ty;
        match expr.kind {
            ExprKind::Int(v) => Some(Value::Int(self.wrap(i128::from(v), ty)?)),
            ExprKind::Float(f) => {
                let lit = &self.unit.floats[f];
                match self.unit.types.float_kind(ty)? {
                    FloatKind::Float => Some(Value::Float(f64::from(lit.single))),
                    FloatKind::Double => Some(Value::Float(lit.double)),
                    FloatKind::Float16 => Some(Value::Float(half(lit.single.into()))),
                    // A wider literal has no exact `double`, unless it is a small whole number.
                    FloatKind::LongDouble
                    | FloatKind::Float128
                    | FloatKind::Decimal32
                    | FloatKind::Decimal64
                    | FloatKind::Decimal128 => {
                        let whole = lit.double.fract() == 0.0 && lit.double.abs() < 1e15;
                        whole.then_some(Value::Float(lit.double))
                    }
                }
            }
            ExprKind::AddrOf(place) => self.address(place).map(Value::Int),
            ExprKind::Unary(op, a) => self.unary(op, a, ty),
            ExprKind::Binary(op, a, b) => self.binary(op, a, b, ty),
            ExprKind::LogAnd(a, b) => {
                if self.int(a)? == 0 {
                    return Some(Value::Int(0));
                }
                Some(Value::Int(i128::from(self.int(b)? != 0)))
            }
            ExprKind::LogOr(a, b) => {
                if self.int(a)? != 0 {
                    return Some(Value::Int(1));
                }
                Some(Value::Int(i128::from(self.int(b)? != 0)))
            }
            ExprKind::Cond(c, a, b) => {
                if self.int(c)? != 0 {
                    self.value(a)
                } else {
                    self.value(b)
                }
            }
            ExprKind::Cast(kind, a, _) => self.cast(kind, a, ty),
            ExprKind::Builtin(Builtin::Expect, args) => self.value(self.unit.list(args)[0]),
            ExprKind::Var(_)
            | ExprKind::Func(_)
            | ExprKind::Deref(_)
            | ExprKind::Member(..)
            | ExprKind::Str(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::Assign(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Call(..)
            | ExprKind::Builtin(..)
            | ExprKind::Comma(..)
            | ExprKind::StmtExpr(..)
            | ExprKind::Let(..)
            | ExprKind::Unsupported(_) => None,
        }
    }

    fn int(&mut self, e: ExprId) -> Option<i128> {
        match self.value(e)? {
            Value::Int(v) => Some(v),
            Value::Float(_) => None,
        }
    }

    /// The integer kind a value of this type has; pointers count as unsigned.
    fn kind(&self, ty: TypeId) -> Option<IntKind> {
        let types = &self.unit.types;
        types.int_kind(ty).or_else(|| types.pointee(ty).and_then(|_| types.int_kind(types.size_t())))
    }

    fn wrap(&self, v: i128, ty: TypeId) -> Option<i128> {
        Some(self.kind(ty)?.wrap(v, self.unit.types.target))
    }

    /// The address of a place whose address is a number.
    fn address(&mut self, place: ExprId) -> Option<i128> {
        self.fuel = self.fuel.checked_sub(1)?;
        match self.unit.exprs[place].kind {
            ExprKind::Deref(p) => self.int(p),
            ExprKind::Member(base, index) => {
                let record = self.unit.types.record(self.unit.exprs[base].ty)?;
                let offset = self.unit.types.records[record].fields.get(index as usize)?.offset;
                self.address(base)?.checked_add(i128::from(offset))
            }
            _ => None,
        }
    }

    fn unary(&mut self, op: UnOp, a: ExprId, ty: TypeId) -> Option<Value> {
        let v = self.value(a)?;
        Some(match (op, v) {
            (UnOp::Plus, v) => v,
            (UnOp::Neg, Value::Int(v)) => Value::Int(self.wrap(v.wrapping_neg(), ty)?),
            (UnOp::Neg, Value::Float(v)) => Value::Float(-v),
            (UnOp::BitNot, Value::Int(v)) => Value::Int(self.wrap(!v, ty)?),
            (UnOp::Not, Value::Int(v)) => Value::Int(i128::from(v == 0)),
            (UnOp::BitNot | UnOp::Not, Value::Float(_)) => return None,
        })
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, ty: TypeId) -> Option<Value> {
        let operand = self.unit.exprs[a].ty;
        match (self.value(a)?, self.value(b)?) {
            (Value::Int(x), Value::Int(y)) => self.int_binary(op, x, y, operand, ty).map(Value::Int),
            (Value::Float(x), Value::Float(y)) => self.float_binary(op, x, y, ty),
            _ => None,
        }
    }

    fn int_binary(&self, op: BinOp, x: i128, y: i128, operand: TypeId, ty: TypeId) -> Option<i128> {
        let kind = self.kind(operand)?;
        let wide_unsigned = kind == IntKind::UInt128;
        // Values of the 128-bit unsigned type are kept modulo 2^128.
        let less = |x: i128, y: i128| if wide_unsigned { (x as u128) < y as u128 } else { x < y };
        let bits = kind.bits(self.unit.types.target);
        let count = || u32::try_from(y).ok().filter(|&n| n < bits);
        let result = match op {
            BinOp::Add => x.wrapping_add(y),
            BinOp::Sub => x.wrapping_sub(y),
            BinOp::Mul => x.wrapping_mul(y),
            BinOp::Div | BinOp::Rem if y == 0 => return None,
            BinOp::Div if wide_unsigned => ((x as u128) / (y as u128)) as i128,
            BinOp::Rem if wide_unsigned => ((x as u128) % (y as u128)) as i128,
            BinOp::Div => x.wrapping_div(y),
            BinOp::Rem => x.wrapping_rem(y),
            BinOp::Shl => x.wrapping_shl(count()?),
            BinOp::Shr if wide_unsigned => ((x as u128) >> count()?) as i128,
            BinOp::Shr => x >> count()?,
            BinOp::BitAnd => x & y,
            BinOp::BitXor => x ^ y,
            BinOp::BitOr => x | y,
            BinOp::Lt => return Some(i128::from(less(x, y))),
            BinOp::Gt => return Some(i128::from(less(y, x))),
            BinOp::Le => return Some(i128::from(!less(y, x))),
            BinOp::Ge => return Some(i128::from(!less(x, y))),
            BinOp::Eq => return Some(i128::from(x == y)),
            BinOp::Ne => return Some(i128::from(x != y)),
            BinOp::PtrAdd => x.wrapping_add(y.wrapping_mul(self.stride(operand)?)),
            BinOp::PtrSub => x.wrapping_sub(y.wrapping_mul(self.stride(operand)?)),
            BinOp::PtrDiff => x.wrapping_sub(y).checked_div(self.stride(operand)?)?,
        };
        self.wrap(result, ty)
    }

    fn stride(&self, pointer: TypeId) -> Option<i128> {
        let types = &self.unit.types;
        let target = types.pointee(pointer)?;
        let one = types.is_void(target) || types.is_function(target);
        Some(if one { 1 } else { i128::from(types.size(target)?) })
    }

    fn float_binary(&self, op: BinOp, x: f64, y: f64, ty: TypeId) -> Option<Value> {
        let truth = |b: bool| Some(Value::Int(i128::from(b)));
        let result = match op {
            BinOp::Add => x + y,
            BinOp::Sub => x - y,
            BinOp::Mul => x * y,
            BinOp::Div => x / y,
            BinOp::Lt => return truth(x < y),
            BinOp::Gt => return truth(x > y),
            BinOp::Le => return truth(x <= y),
            BinOp::Ge => return truth(x >= y),
            BinOp::Eq => return truth(x == y),
            BinOp::Ne => return truth(x != y),
            _ => return None,
        };
        self.round(result, ty)
    }

    /// A `double` result in the type it has; formats wider than `double` are not folded.
    fn round(&self, v: f64, ty: TypeId) -> Option<Value> {
        match self.unit.types.float_kind(ty)? {
            // Rounding twice is harmless: one operation on `float` operands is exact enough in `double`.
            FloatKind::Float => Some(Value::Float(f64::from(v as f32))),
            FloatKind::Double => Some(Value::Float(v)),
            FloatKind::Float16 => Some(Value::Float(half(v))),
            FloatKind::LongDouble
            | FloatKind::Float128
            | FloatKind::Decimal32
            | FloatKind::Decimal64
            | FloatKind::Decimal128 => None,
        }
    }

    fn cast(&mut self, kind: CastKind, a: ExprId, ty: TypeId) -> Option<Value> {
        if kind == CastKind::ArrayDecay {
            return self.address(a).map(Value::Int);
        }
        let v = self.value(a)?;
        match (kind, v) {
            (CastKind::Same, v) => Some(v),
            (CastKind::ToBool, Value::Int(v)) => Some(Value::Int(i128::from(v != 0))),
            (CastKind::ToBool, Value::Float(v)) => Some(Value::Int(i128::from(v != 0.0))),
            (CastKind::Int | CastKind::PtrToInt | CastKind::IntToPtr | CastKind::Ptr, Value::Int(v)) => {
                Some(Value::Int(self.wrap(v, ty)?))
            }
            (CastKind::IntToFloat, Value::Int(v)) => {
                let exact = v.unsigned_abs() < 1 << 53;
                match self.unit.types.float_kind(ty)? {
                    FloatKind::Float => Some(Value::Float(f64::from(v as f32))),
                    FloatKind::Double => Some(Value::Float(v as f64)),
                    FloatKind::Float16 => Some(Value::Float(half(v as f64))),
                    _ => exact.then_some(Value::Float(v as f64)),
                }
            }
            (CastKind::FloatToInt, Value::Float(v)) => {
                let v = v.trunc();
                if !v.is_finite() || v.abs() >= 1e38 {
                    return None;
                }
                let n = v as i128;
                (self.wrap(n, ty)? == n).then_some(Value::Int(n))
            }
            (CastKind::Float, Value::Float(v)) => self.round(v, ty).or_else(|| {
                let whole = v.fract() == 0.0 && v.abs() < 1e15;
                whole.then_some(Value::Float(v))
            }),
            _ => None,
        }
    }
}

/// The nearest number of `_Float16`.
fn half(v: f64) -> f64 {
    if v.is_nan() || v.is_infinite() {
        return v;
    }
    // The distance between such numbers near `v`, a power of two; dividing by it and multiplying with it is exact.
    let exponent = ((v.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(-14);
    let step = 2f64.powi(exponent - 10);
    let near = (v / step).round_ties_even() * step;
    if near.abs() > 65_504.0 { f64::INFINITY.copysign(v) } else { near }
}

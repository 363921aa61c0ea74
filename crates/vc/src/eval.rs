//! The value of an expression in a state.
//!
//! Sorts: `Bool` is logic's `Bool`; integers, pointers and floats are bit-vectors as wide as their type. Arithmetic on
//! floats is in [`crate::float`]; [`crate::memory`] reads memory.

use crate::allocation::Approximation;
use crate::state::State;
use crate::step::Encoder;
use analysis::Unmodelled;
use ir::{BinOp, Expr, ExprKind, IntTy, ObjectPredicate, Place, Shape, Ty, UnOp};
use logic::{Bits, Sort, Term};

type Result<T> = std::result::Result<T, Unmodelled>;

impl Encoder<'_> {
    /// The sort that values of this type have.
    pub fn sort(&self, ty: Ty) -> Sort {
        match ty {
            Ty::Bool => Sort::Bool,
            Ty::Int(_) | Ty::Float(_) | Ty::Ptr => Sort::Bv(u32::from(ty.width(self.program.model))),
        }
    }

    /// The value of `e` in `state`; object predicates in it are under-approximated.
    pub fn eval(&mut self, state: &State, e: &Expr) -> Result<Term> {
        self.eval_from(state, e, Approximation::Under)
    }

    /// The value of `e` in `state` with object predicates approximated from this side.
    pub(crate) fn eval_from(&mut self, state: &State, e: &Expr, side: Approximation) -> Result<Term> {
        match &e.kind {
            ExprKind::Const(pattern) => Ok(self.constant(e.ty, *pattern)),
            ExprKind::Read(place) => self.read(state, place),
            ExprKind::Addr(addr) => self.address(state, addr),
            ExprKind::Func(f) => Ok(self.function_base(*f)),
            ExprKind::Unary(op, a) => {
                let t = self.eval_from(state, a, side)?;
                Ok(self.unary(*op, a.ty, t))
            }
            ExprKind::Binary(op, a, b) => {
                if a.ty == Ty::Ptr {
                    self.make_operands_disjoint(state, a, b);
                }
                let (x, y) = (self.eval_from(state, a, side)?, self.eval_from(state, b, side)?);
                Ok(self.binary(*op, a.ty, x, y))
            }
            ExprKind::Convert(a) => {
                let t = self.eval_from(state, a, side)?;
                Ok(self.convert(t, a.ty, e.ty))
            }
            ExprKind::Ite(c, a, b) => {
                let c = self.eval_from(state, c, side)?;
                let (a, b) = (self.eval_from(state, a, side)?, self.eval_from(state, b, side)?);
                Ok(self.store.ite(c, a, b))
            }
            ExprKind::ObjectPredicate(ObjectPredicate::FitsInt(int), a) => {
                let Ty::Float(f) = a.ty else { unreachable!("the validator asks this of floats only") };
                let t = self.eval_from(state, a, side)?;
                Ok(self.float_fits(f, *int, t))
            }
            ExprKind::ObjectPredicate(predicate, a) => self.object_predicate(state, *predicate, a, side),
            ExprKind::Entry(a) => self.eval_from(&state.at_entry(), a, side),
        }
    }

    /// The term of a constant of an IR type.
    pub fn constant(&mut self, ty: Ty, pattern: u128) -> Term {
        match self.sort(ty) {
            Sort::Bool => self.store.bool(pattern != 0),
            Sort::Bv(width) => self.store.constant(&Bits::from_u128(width, pattern)),
            Sort::Map { .. } => unreachable!("no IR type is a map"),
        }
    }

    fn read(&mut self, state: &State, place: &Place) -> Result<Term> {
        let value = match self.whole_scalar(state, place) {
            Some(var) => state.get(var).expect("a scalar of a state has a term"),
            None => self.load(state, place)?,
        };
        Ok(self.under_known(value))
    }

    /// The scalar variable that a place is the whole of, if it does not live in memory.
    pub(crate) fn whole_scalar(&self, state: &State, place: &Place) -> Option<ir::Var> {
        let var = place.as_var()?;
        let whole = self.program.shape(state.func(), var) == Shape::Scalar(place.ty);
        (whole && !self.analysis.in_memory(state.func(), var)).then_some(var)
    }

    fn unary(&mut self, op: UnOp, ty: Ty, t: Term) -> Term {
        match (op, ty) {
            (_, Ty::Float(f)) => self.store.float_neg(crate::float::format(f), t),
            (UnOp::Not, Ty::Bool) => self.store.not(t),
            (UnOp::Not, _) => self.store.bv_not(t),
            (UnOp::Neg, _) => self.store.bv_neg(t),
        }
    }

    fn binary(&mut self, op: BinOp, ty: Ty, x: Term, y: Term) -> Term {
        match ty {
            Ty::Float(f) => self.float_binary(op, f, x, y),
            Ty::Bool => self.bool_binary(op, x, y),
            Ty::Int(_) | Ty::Ptr => self.bv_binary(op, ty, x, y),
        }
    }

    fn bool_binary(&mut self, op: BinOp, x: Term, y: Term) -> Term {
        match op {
            BinOp::And => self.store.and(x, y),
            BinOp::Or => self.store.or(x, y),
            BinOp::Xor | BinOp::Ne => self.store.xor(x, y),
            BinOp::Eq => self.store.eq(x, y),
            _ => unreachable!("the validator lets {op:?} take no Bool"),
        }
    }

    fn bv_binary(&mut self, op: BinOp, ty: Ty, x: Term, y: Term) -> Term {
        let signed = ty.is_signed();
        let s = &mut self.store;
        match op {
            BinOp::Add => s.bv_add(x, y),
            BinOp::Sub => s.bv_sub(x, y),
            BinOp::Mul => s.bv_mul(x, y),
            BinOp::Div if signed => s.bv_sdiv(x, y),
            BinOp::Div => s.bv_udiv(x, y),
            BinOp::Rem if signed => s.bv_srem(x, y),
            BinOp::Rem => s.bv_urem(x, y),
            BinOp::And => s.bv_and(x, y),
            BinOp::Or => s.bv_or(x, y),
            BinOp::Xor => s.bv_xor(x, y),
            BinOp::Shl => s.bv_shl(x, y),
            BinOp::Shr if signed => s.bv_ashr(x, y),
            BinOp::Shr => s.bv_lshr(x, y),
            BinOp::Eq => s.eq(x, y),
            BinOp::Ne => {
                let eq = s.eq(x, y);
                s.not(eq)
            }
            BinOp::Lt if signed => s.slt(x, y),
            BinOp::Lt => s.ult(x, y),
            BinOp::Le if signed => s.sle(x, y),
            BinOp::Le => s.ule(x, y),
            BinOp::Gt if signed => s.slt(y, x),
            BinOp::Gt => s.ult(y, x),
            BinOp::Ge if signed => s.sle(y, x),
            BinOp::Ge => s.ule(y, x),
            BinOp::AddOverflows | BinOp::SubOverflows | BinOp::MulOverflows => self.overflows(op, signed, x, y),
        }
    }

    /// Whether the exact result does not fit: computed with enough bits to be exact, then compared with what the
    /// narrow result extends to.
    fn overflows(&mut self, op: BinOp, signed: bool, x: Term, y: Term) -> Term {
        let width = self.store.width(x);
        let wide = if op == BinOp::MulOverflows { 2 * width } else { width + 1 };
        let (x, y) = (self.extend(x, wide, signed), self.extend(y, wide, signed));
        let exact = match op {
            BinOp::AddOverflows => self.store.bv_add(x, y),
            BinOp::SubOverflows => self.store.bv_sub(x, y),
            _ => self.store.bv_mul(x, y),
        };
        let narrow = self.store.extract(exact, width - 1, 0);
        let back = self.extend(narrow, wide, signed);
        let fits = self.store.eq(exact, back);
        self.store.not(fits)
    }

    fn extend(&mut self, t: Term, width: u32, signed: bool) -> Term {
        if signed { self.store.sign_ext(t, width) } else { self.store.zero_ext(t, width) }
    }

    /// C's conversion of a value of type `from` to type `to`.
    fn convert(&mut self, t: Term, from: Ty, to: Ty) -> Term {
        if from == to {
            return t;
        }
        match (from, to) {
            (Ty::Float(_), _) | (_, Ty::Float(_)) => self.float_convert(t, from, to),
            (_, Ty::Bool) => {
                let zero = self.constant(from, 0);
                let is_zero = self.store.eq(t, zero);
                self.store.not(is_zero)
            }
            (Ty::Bool, _) => {
                let (one, zero) = (self.constant(to, 1), self.constant(to, 0));
                self.store.ite(t, one, zero)
            }
            (Ty::Int(_) | Ty::Ptr, Ty::Int(_) | Ty::Ptr) => {
                // gcc sign-extends a pointer that is converted to a wider integer, and so does `ir::interp`.
                let signed = matches!(from, Ty::Int(IntTy { signed: true, .. }) | Ty::Ptr);
                let (have, want) = (self.store.width(t), u32::from(to.width(self.program.model)));
                if want > have {
                    self.extend(t, want, signed)
                } else if want < have {
                    self.store.extract(t, want - 1, 0)
                } else {
                    t
                }
            }
        }
    }
}

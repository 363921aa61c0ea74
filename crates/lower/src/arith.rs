//! Operators on values: what they compute and which guards they need.
//!
//! The IR's operators are total; that C's are not is said by guards, which are always made, whatever the table of
//! undefined behaviour says about their kind.

use crate::fold;
use crate::function::{Fun, Step};
use base::Span;
use cfront::tree::{BinOp, UnOp};
use cfront::types::TypeId;
use ir::{Addresses, BinOp as Ir, Expr, IntTy, Ty, Ub};

impl Fun<'_, '_> {
    /// `a op b` on arithmetic values or, for comparisons, pointers. Both have one type, but for shifts.
    pub(crate) fn arith(&mut self, op: BinOp, a: Expr, b: Expr) -> Expr {
        match op {
            BinOp::Add => self.wrapping(Ir::Add, Ir::AddOverflows, a, b),
            BinOp::Sub => self.wrapping(Ir::Sub, Ir::SubOverflows, a, b),
            BinOp::Mul => self.wrapping(Ir::Mul, Ir::MulOverflows, a, b),
            BinOp::Div => self.division(Ir::Div, a, b),
            BinOp::Rem => self.division(Ir::Rem, a, b),
            BinOp::Shl => self.shift(Ir::Shl, a, b),
            BinOp::Shr => self.shift(Ir::Shr, a, b),
            BinOp::BitAnd => fold::binary(Ir::And, a, b),
            BinOp::BitXor => fold::binary(Ir::Xor, a, b),
            BinOp::BitOr => fold::binary(Ir::Or, a, b),
            BinOp::Lt => self.comparison(Ir::Lt, a, b),
            BinOp::Gt => self.comparison(Ir::Gt, a, b),
            BinOp::Le => self.comparison(Ir::Le, a, b),
            BinOp::Ge => self.comparison(Ir::Ge, a, b),
            BinOp::Eq => self.comparison(Ir::Eq, a, b),
            BinOp::Ne => self.comparison(Ir::Ne, a, b),
            BinOp::PtrAdd | BinOp::PtrSub | BinOp::PtrDiff => {
                unreachable!("operators on pointers need the type they point to")
            }
        }
    }

    fn wrapping(&mut self, op: Ir, overflows: Ir, a: Expr, b: Expr) -> Expr {
        if a.ty.is_signed() {
            let fits = fold::binary(overflows, a.clone(), b.clone()).negate();
            self.guard(Ub::SignedOverflow, fits);
        }
        self.computed(op, a, b)
    }

    fn division(&mut self, op: Ir, a: Expr, b: Expr) -> Expr {
        if let Ty::Int(IntTy { width, signed }) = a.ty {
            let ty = a.ty;
            self.guard(Ub::DivByZero, fold::binary(Ir::Ne, b.clone(), Expr::int(ty, 0)));
            if signed {
                let smallest = Expr::constant(ty, 1 << (width - 1));
                let not_smallest = fold::binary(Ir::Ne, a.clone(), smallest);
                let not_minus_one = fold::binary(Ir::Ne, b.clone(), Expr::int(ty, -1));
                self.guard(Ub::DivOverflow, fold::or(not_smallest, not_minus_one));
            }
        }
        self.computed(op, a, b)
    }

    /// The count keeps its own type in the guard and gets the left operand's for the operator.
    fn shift(&mut self, op: Ir, a: Expr, b: Expr) -> Expr {
        let width = i128::from(a.ty.width(self.model()));
        let below = fold::binary(Ir::Lt, b.clone(), Expr::int(b.ty, width));
        let fine = if b.ty.is_signed() {
            fold::and(fold::binary(Ir::Ge, b.clone(), Expr::int(b.ty, 0)), below)
        } else {
            below
        };
        self.guard(Ub::ShiftCount, fine);
        let count = fold::convert(a.ty, b, self.model());
        fold::binary(op, a, count)
    }

    fn comparison(&mut self, op: Ir, a: Expr, b: Expr) -> Expr {
        let (a, b) = if self.is_condition() { truths(op, a, b) } else { (a, b) };
        fold::convert(Ty::int(32, true), fold::binary(op, a, b), self.model())
    }

    /// `op a`, of the type of `a`.
    pub(crate) fn unary(&mut self, op: UnOp, a: Expr) -> Expr {
        match op {
            UnOp::Plus => a,
            UnOp::Neg => {
                if a.ty.is_signed() {
                    let fits = fold::binary(Ir::SubOverflows, Expr::int(a.ty, 0), a.clone()).negate();
                    self.guard(Ub::SignedOverflow, fits);
                }
                fold::unary(ir::UnOp::Neg, a)
            }
            UnOp::BitNot => fold::unary(ir::UnOp::Not, a),
            UnOp::Not => fold::convert(Ty::int(32, true), fold::truth(a).negate(), self.model()),
        }
    }

    /// `ptr + index` or `ptr - index` elements of type `elem`.
    pub(crate) fn offset_pointer(&mut self, ptr: Expr, index: Expr, elem: TypeId, minus: bool, span: Span) -> Expr {
        let Some(size) = crate::types::size(&self.unit.types, elem) else {
            self.unsupported("pointer to an object of unknown size", span);
            return Expr::null();
        };
        self.last_step = None;
        if self.cx.opts.logical_memory {
            return ptr;
        }
        let mut index = index;
        for v in size.lengths {
            // The number of elements of the innermost type.
            let length = self.length(v);
            let ty = self.wide(index.ty);
            let [rows, length] = [index, length].map(|e| fold::convert(ty, e, self.model()));
            self.guard(Ub::PointerWrap, fold::binary(Ir::MulOverflows, rows.clone(), length.clone()).negate());
            index = fold::binary(Ir::Mul, rows, length);
        }
        let stride = size.bytes as i64;
        // A constant pointer plus constants is a number; anything else keeps its base.
        let addr = self.pointed(ptr.clone());
        let addr = self.step(addr, index.clone(), if minus { stride.wrapping_neg() } else { stride });
        let moved = self.pointer(addr);
        self.stays_in_address_space(&ptr, &moved, &index, size.bytes, minus);
        moved
    }

    /// A type as wide as a pointer at least that has all values of an integer type.
    fn wide(&self, ty: Ty) -> Ty {
        let width = self.model().ptr_width();
        match ty {
            Ty::Int(int) if int.width > width => ty,
            Ty::Int(int) if int.signed || int.width < width => self.model().index_ty(),
            _ => self.model().size_ty(),
        }
    }

    /// Asks that moving a pointer by `index` elements of `stride` bytes does not leave the address space.
    fn stays_in_address_space(&mut self, from: &Expr, to: &Expr, index: &Expr, stride: u64, minus: bool) {
        let Ty::Int(int) = index.ty else { return };
        let number = from.as_const().is_some() && to.as_const().is_some();
        if stride == 0 || number {
            return;
        }
        let stays = |backward: bool| fold::binary(if backward { Ir::Le } else { Ir::Ge }, to.clone(), from.clone());
        let cond = match index.as_const() {
            Some(c) => {
                let steps = int.extend(c);
                if is_near(steps, stride, self.cx.opts) {
                    return;
                }
                let exact = Expr::bool(reach(steps, stride) >> self.model().ptr_width() == 0);
                fold::and(exact, stays((steps < 0) != minus))
            }
            None => {
                let exact = is_exact(index, int, stride, self.model().ptr_width());
                let way = if int.signed {
                    let negative = fold::binary(Ir::Lt, index.clone(), Expr::int(index.ty, 0));
                    fold::ite(negative, stays(!minus), stays(minus))
                } else {
                    stays(minus)
                };
                fold::and(exact, way)
            }
        };
        let guard = self.guards.len();
        self.guard(Ub::PointerWrap, cond);
        if self.guards.len() > guard {
            let round = may_come_round(index, stride, self.model().ptr_width());
            self.last_step = Some(Step { guard, direct: round.then(|| self.inside(from, index, stride)) });
        }
    }

    /// An index that does not leave the object. Of a variable whose elements are counted from a known place, it is one of theirs, or the
    /// next; nothing is as large as half of the address space.
    fn inside(&self, from: &Expr, index: &Expr, stride: u64) -> Expr {
        let stride = i128::from(stride);
        let (before, behind) = match &from.kind {
            ir::ExprKind::Addr(ir::Address { base: ir::Base::Var(v), offset, indices }) if indices.is_empty() => {
                let size = i128::from(self.shape(*v).size(self.model()));
                (i128::from(*offset), size - i128::from(*offset))
            }
            _ => [(1i128 << (self.model().ptr_width() - 1)) - 1; 2].into(),
        };
        let below = fold::binary(Ir::Le, index.clone(), Expr::int(index.ty, behind.max(0) / stride));
        if !index.ty.is_signed() {
            return below;
        }
        let above = fold::binary(Ir::Ge, index.clone(), Expr::int(index.ty, -(before.max(0) / stride)));
        fold::and(above, below)
    }

    /// `a - b` in elements of type `elem`.
    pub(crate) fn pointer_difference(&mut self, a: Expr, b: Expr, elem: TypeId, span: Span) -> Expr {
        let ty = self.model().index_ty();
        let size = crate::types::size(&self.unit.types, elem).filter(|s| s.bytes > 0);
        let Some(size) = size else {
            self.unsupported("difference of pointers to objects of unknown size", span);
            return Expr::int(ty, 0);
        };
        let bytes = match distance(&a, &b) {
            Some(n) => Expr::int(ty, n.into()),
            None => {
                let (a, b) = (fold::convert(ty, a, self.model()), fold::convert(ty, b, self.model()));
                fold::binary(Ir::Sub, a, b)
            }
        };
        let mut unit = Expr::int(ty, i128::from(size.bytes));
        for v in size.lengths {
            let length = self.length(v);
            let length = fold::convert(ty, length, self.model());
            unit = fold::binary(Ir::Mul, unit, length);
        }
        if unit.as_const().is_none() {
            self.guard(Ub::DivByZero, fold::binary(Ir::Ne, unit.clone(), Expr::int(ty, 0)));
        }
        if unit.as_const() == Some(1) { bytes } else { fold::binary(Ir::Div, bytes, unit) }
    }
}

/// Two truth values are compared as such, whatever C converts them to.
fn truths(op: Ir, a: Expr, b: Expr) -> (Expr, Expr) {
    match (fold::as_truth(&a), fold::as_truth(&b)) {
        (Some(x), Some(y)) if matches!(op, Ir::Eq | Ir::Ne) => (x, y),
        _ => (a, b),
    }
}

/// Adding less than this to a pointer into an object never leaves the address space: no object lies in the first page or
/// in the last, unless objects lie anywhere.
const PAGE: u128 = 0x1000;

/// Whether moving a pointer by so many elements is never looked at.
pub(crate) fn is_near(steps: i128, stride: u64, opts: &crate::Options) -> bool {
    reach(steps, stride) < PAGE && opts.addresses != Addresses::Anywhere
}

/// Whether some index of the type moves a pointer by so many bytes that it may come back from the other end of the address space, to where it
/// was or before.
pub(crate) fn may_come_round(index: &Expr, stride: u64, width: u16) -> bool {
    // What was converted from a narrower type has the values of that one.
    let narrower = |inner: &Expr| matches!((inner.ty, index.ty), (Ty::Int(a), Ty::Int(b)) if a.width < b.width);
    let index = match &index.kind {
        ir::ExprKind::Convert(inner) if narrower(inner) => inner.as_ref(),
        _ => index,
    };
    let Ty::Int(int) = index.ty else { return false };
    let steps = match index.as_const() {
        Some(c) => int.extend(c),
        None if int.signed => -1 << (int.width.min(64) - 1),
        None => (1 << int.width.min(64)) - 1,
    };
    reach(steps, stride) >= (1 << (width - 1)) + u128::from(steps < 0)
}

/// The bytes that so many elements take.
fn reach(steps: i128, stride: u64) -> u128 {
    steps.unsigned_abs().saturating_mul(u128::from(stride))
}

/// `index * stride` is less than 2^`width` in both directions.
fn is_exact(index: &Expr, int: IntTy, stride: u64, width: u16) -> Expr {
    let limit = ((1u128 << width) - 1) as i128 / i128::from(stride);
    // The most negative number is one more than the largest.
    let most = (1i128 << (int.width.min(126) - u16::from(int.signed))) - i128::from(!int.signed);
    if most <= limit {
        return Expr::bool(true);
    }
    let below = fold::binary(Ir::Le, index.clone(), Expr::int(index.ty, limit));
    if !int.signed {
        return below;
    }
    fold::and(below, fold::binary(Ir::Ge, index.clone(), Expr::int(index.ty, -limit)))
}

/// The bytes between two constant places of one variable.
fn distance(a: &Expr, b: &Expr) -> Option<i64> {
    let (ir::ExprKind::Addr(a), ir::ExprKind::Addr(b)) = (&a.kind, &b.kind) else { return None };
    let plain = a.indices.is_empty() && b.indices.is_empty() && matches!(a.base, ir::Base::Var(_));
    (plain && a.base == b.base).then(|| a.offset.wrapping_sub(b.offset))
}

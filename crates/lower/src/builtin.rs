//! Built-in operations of the tree: hints, variable arguments, arithmetic that reports overflow.

use crate::call::va_slot;
use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::place::{Lv, unnamed};
use base::Span;
use cfront::tree::{Builtin, ExprId, ExprList};
use ir::{Address, BinOp, Expr, IntTy, Op, Ty, Ub, UnOp, Var};

impl Fun<'_, '_> {
    /// A built-in operation; gives its value if it has one.
    pub(crate) fn builtin(&mut self, e: ExprId, b: Builtin, list: ExprList, want: Want) -> Option<Expr> {
        let unit = self.unit;
        let args = unit.list(list);
        let span = unit.exprs[e].span;
        match (b, args) {
            (Builtin::Expect, [x, rest @ ..]) => {
                let value = self.value(*x);
                let value = self.protect(value, rest, span);
                for &hint in rest {
                    self.effect(hint);
                }
                Some(value)
            }
            (Builtin::Unreachable, _) => {
                self.guard(Ub::Unreachable, Expr::bool(false));
                self.finish_with(Op::Halt, span);
                None
            }
            // A handler may see it.
            (Builtin::Trap, _) if self.cx.has_handlers() => {
                self.unsupported("signals", span);
                None
            }
            (Builtin::Trap, _) => {
                self.finish_with(Op::Halt, span);
                None
            }
            (Builtin::Fence | Builtin::VaEnd, _) => {
                for &a in args {
                    if unit.is_place(a) {
                        self.address(a);
                    } else {
                        self.effect(a);
                    }
                }
                self.flush(span);
                None
            }
            (Builtin::VaStart, [ap, ..]) => {
                match self.va {
                    Some(va) => self.set_list(*ap, Expr::var(Var::Local(va), Ty::Ptr), span),
                    None => self.unsupported("va_start outside a variadic function", span),
                }
                None
            }
            (Builtin::VaCopy, [dst, src]) => {
                let from = self.list_place(*src, span);
                let value = self.read(from, span);
                self.set_list(*dst, value, span);
                None
            }
            (Builtin::VaArg, [ap]) => {
                let Some(ty) = self.scalar(unit.exprs[e].ty) else {
                    self.va_arg_record(e, list);
                    return None;
                };
                let at = self.next_argument(*ap, ty.size(self.model()), span);
                let value = self.read(Lv::plain(unnamed(at, ty)), span);
                if want == Want::Nothing { None } else { Some(value) }
            }
            (Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow, &[x, y, p]) => {
                self.checked_store(e, overflow_op(b), x, y, p, span)
            }
            (Builtin::AddOverflowP | Builtin::SubOverflowP | Builtin::MulOverflowP, &[x, y, c]) => {
                let Some(Ty::Int(to)) = self.scalar(unit.exprs[c].ty) else { return Some(self.no_value(e)) };
                let op = overflow_op(b);
                let (x, y) = self.pair(x, y, &[c], span);
                self.effect(c);
                match self.exact(op, x, y, to) {
                    Some((_, lost)) => Some(lost),
                    None => Some(self.refuse(e, "overflow arithmetic on wide types")),
                }
            }
            (Builtin::AtEntry, &[x]) => Some(self.at_entry(x, span)),
            _ => self.atomic(e, b, args, span),
        }
    }

    fn pair(&mut self, a: ExprId, b: ExprId, later: &[ExprId], span: Span) -> (Expr, Expr) {
        let x = self.value(a);
        let mut rest = vec![b];
        rest.extend_from_slice(later);
        let x = self.protect(x, &rest, span);
        let y = self.value(b);
        let y = self.protect(y, later, span);
        (x, y)
    }

    fn checked_store(&mut self, e: ExprId, op: BinOp, a: ExprId, b: ExprId, p: ExprId, span: Span) -> Option<Expr> {
        let unit = self.unit;
        let (x, y) = self.pair(a, b, &[p], span);
        let ptr = self.value(p);
        let to = unit.types.pointee(unit.exprs[p].ty).and_then(|t| self.scalar(t));
        let Some(Ty::Int(to)) = to else { return Some(self.refuse(e, "overflow arithmetic on wide types")) };
        let Some((value, lost)) = self.exact(op, x, y, to) else {
            return Some(self.refuse(e, "overflow arithmetic on wide types"));
        };
        // The store may change what the operands read.
        let lost = self.keep_if_memory(lost, span);
        let at = self.pointed(ptr);
        self.write(&Lv::plain(unnamed(at, Ty::Int(to))), value, span);
        Some(lost)
    }

    /// The result of `x op y` in `to`, and whether the exact result differs from it; `None` if no IR type can tell.
    fn exact(&self, op: BinOp, x: Expr, y: Expr, to: IntTy) -> Option<(Expr, Expr)> {
        let (Ty::Int(xi), Ty::Int(yi)) = (x.ty, y.ty) else { return None };
        let model = self.model();
        if xi == to && yi == to {
            let overflows = match op {
                BinOp::Add => BinOp::AddOverflows,
                BinOp::Sub => BinOp::SubOverflows,
                _ => BinOp::MulOverflows,
            };
            return Some((fold::binary(op, x.clone(), y.clone()), fold::binary(overflows, x, y)));
        }
        // Bits that hold every value of an operand with a sign.
        let bits = |i: IntTy| i.width + u16::from(!i.signed);
        let needed = if op == BinOp::Mul { bits(xi) + bits(yi) } else { bits(xi).max(bits(yi)) + 1 };
        let wide = Ty::int(128, true);
        if needed > 128 || bits(to) > 128 {
            return Some(self.exact_wide(op, &x, &y, to));
        }
        let sum = fold::binary(op, fold::convert(wide, x, model), fold::convert(wide, y, model));
        let value = fold::convert(Ty::Int(to), sum.clone(), model);
        let lost = fold::binary(BinOp::Ne, fold::convert(wide, value.clone(), model), sum);
        Some((value, lost))
    }

    /// The same where 128 bits do not hold every result: it is `high * 2^128 + low`, `high` being a small number. A product's
    /// magnitude that does not fit 128 bits fits no type.
    fn exact_wide(&self, op: BinOp, x: &Expr, y: &Expr, to: IntTy) -> (Expr, Expr) {
        let model = self.model();
        let (word, small) = (Ty::int(128, false), Ty::int(8, true));
        let low = |e: &Expr| fold::convert(word, e.clone(), model);
        let negative = |e: &Expr| match e.ty {
            Ty::Int(i) if i.signed => fold::binary(BinOp::Lt, e.clone(), Expr::constant(e.ty, 0)),
            _ => Expr::bool(false),
        };
        let high = |e: &Expr| fold::ite(negative(e), Expr::int(small, -1), Expr::int(small, 0));
        let (a, b) = (low(x), low(y));
        let sum = fold::binary(op, a.clone(), b.clone());
        let value = fold::convert(Ty::Int(to), sum.clone(), model);
        let same = fold::binary(BinOp::Eq, low(&value), sum.clone());
        if op == BinOp::Mul {
            let size = |e: &Expr, w: &Expr| fold::ite(negative(e), fold::unary(UnOp::Neg, w.clone()), w.clone());
            let (p, q) = (size(x, &a), size(y, &b));
            let large = fold::binary(BinOp::MulOverflows, p, q);
            let sign = fold::binary(BinOp::Ne, negative(x), negative(y));
            let below = fold::and(sign, fold::binary(BinOp::Ne, sum, Expr::constant(word, 0)));
            let agrees = fold::binary(BinOp::Eq, negative(&value), below);
            let fits = fold::and(same, agrees);
            return (value, fold::or(large, fits.negate()));
        }
        let overflows = if op == BinOp::Add { BinOp::AddOverflows } else { BinOp::SubOverflows };
        let carry = fold::convert(small, fold::binary(overflows, a, b), model);
        let above = fold::binary(op, fold::binary(op, high(x), high(y)), carry);
        let fits = fold::and(same, fold::binary(BinOp::Eq, high(&value), above));
        (value, fits.negate())
    }

    /// The place in which a `va_list` keeps the address of the next argument.
    pub(crate) fn list_place(&mut self, ap: ExprId, span: Span) -> Lv {
        let unit = self.unit;
        let ty = unit.exprs[ap].ty;
        // A parameter of array type has become a pointer to the list, which the record below it tells apart from the
        // plain pointer that a list is in the other data model.
        let behind = unit.types.pointee(ty).is_some_and(|t| unit.types.record(t).is_some());
        let addr = if behind || !unit.is_place(ap) {
            let ptr = self.value(ap);
            self.pointed(ptr)
        } else {
            self.address(ap)
        };
        let addr = if self.is_steady(&addr) {
            addr
        } else {
            let ptr = self.pointer(addr);
            let ptr = self.keep(ptr, span);
            self.pointed(ptr)
        };
        Lv::plain(unnamed(addr, Ty::Ptr))
    }

    fn set_list(&mut self, ap: ExprId, value: Expr, span: Span) {
        let lv = self.list_place(ap, span);
        self.write(&lv, value, span);
    }

    /// The address of the next argument; the list moves on.
    fn next_argument(&mut self, ap: ExprId, size: u64, span: Span) -> Address {
        let lv = self.list_place(ap, span);
        let at = self.read(lv.clone(), span);
        let at = self.keep(at, span);
        let next = self.advance(self.pointed(at.clone()), va_slot(size) as i64);
        let next = self.pointer(next);
        self.write(&lv, next, span);
        self.pointed(at)
    }

    /// `va_arg` of a record: the object among the arguments.
    pub(crate) fn va_arg_record(&mut self, e: ExprId, list: ExprList) -> Address {
        let unit = self.unit;
        let span = unit.exprs[e].span;
        match (unit.types.size(unit.exprs[e].ty), unit.list(list)) {
            (Some(size), &[ap]) => self.next_argument(ap, size, span),
            _ => {
                self.no_value(e);
                Address::ptr(Expr::null())
            }
        }
    }
}

fn overflow_op(b: Builtin) -> BinOp {
    match b {
        Builtin::AddOverflow | Builtin::AddOverflowP => BinOp::Add,
        Builtin::SubOverflow | Builtin::SubOverflowP => BinOp::Sub,
        _ => BinOp::Mul,
    }
}

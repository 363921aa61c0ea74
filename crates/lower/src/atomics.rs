//! Atomic built-ins: in a sequential program each is a read, a computation and a write.

use crate::fold;
use crate::function::Fun;
use crate::place::{Lv, unnamed};
use base::Span;
use cfront::tree::{Builtin, ExprId};
use ir::{BinOp, Expr, Op, Place, Ty, UnOp};

impl Fun<'_, '_> {
    /// An atomic built-in: its first argument is a pointer, the others are values.
    pub(crate) fn atomic(&mut self, e: ExprId, b: Builtin, args: &[ExprId], span: Span) -> Option<Expr> {
        let unit = self.unit;
        let mut values = Vec::with_capacity(args.len());
        for (i, &a) in args.iter().enumerate() {
            let value = self.value(a);
            values.push(self.protect(value, &args[i + 1..], span));
        }
        let pointee = args.first().and_then(|&p| unit.types.pointee(unit.exprs[p].ty));
        let Some(ty) = pointee.and_then(|t| self.scalar(t)) else {
            return Some(self.refuse(e, "atomic operation on a structure"));
        };
        let mut values = values.into_iter();
        let ptr = values.next()?;
        // The object is read and written: the pointer must not change in between.
        let ptr = self.keep_if_memory(ptr, span);
        let lv = Lv::plain(unnamed(self.pointed(ptr), ty));
        let model = self.model();
        let mut operand = || values.next().map(|v| fold::convert(ty, v, model));
        match b {
            Builtin::AtomicLoad => Some(self.read(lv, span)),
            Builtin::AtomicStore => {
                let value = operand()?;
                self.write(&lv, value, span);
                None
            }
            Builtin::LockRelease => {
                self.write(&lv, Expr::constant(ty, 0), span);
                None
            }
            Builtin::Exchange => {
                let value = operand()?;
                let old = self.old(&lv, span);
                self.write(&lv, value, span);
                Some(old)
            }
            Builtin::BoolCas | Builtin::ValCas => {
                let (expected, new) = (operand()?, operand()?);
                let old = self.old(&lv, span);
                let same = fold::binary(BinOp::Eq, old.clone(), expected);
                let same = self.keep(same, span);
                self.swap_if(&lv, same.clone(), old.clone(), new, span);
                Some(if b == Builtin::BoolCas { same } else { old })
            }
            Builtin::AtomicCas => {
                let (expected, new) = (values.next()?, values.next()?);
                let new = fold::convert(ty, new, model);
                let expected = self.keep_if_memory(expected, span);
                let expected = Lv::plain(unnamed(self.pointed(expected), ty));
                let want = self.read(expected.clone(), span);
                let old = self.old(&lv, span);
                let same = fold::binary(BinOp::Eq, old.clone(), want);
                let same = self.keep(same, span);
                let (yes, no, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
                self.split(same.clone(), yes, no, span);
                self.at(yes);
                self.write(&lv, new, span);
                self.goto(join, span);
                self.at(no);
                self.write(&expected, old, span);
                self.goto(join, span);
                self.at(join);
                Some(same)
            }
            _ => {
                let Some(value) = operand() else {
                    return Some(self.refuse(e, "unusual atomic operation"));
                };
                let Some((op, gives_old)) = read_modify_write(b) else {
                    return Some(self.refuse(e, "unusual atomic operation"));
                };
                let old = self.old(&lv, span);
                let new = modified(op, old.clone(), value);
                let new = if gives_old { new } else { self.keep(new, span) };
                self.write(&lv, new.clone(), span);
                Some(if gives_old { old } else { new })
            }
        }
    }

    /// The value before the operation, in a temporary.
    fn old(&mut self, lv: &Lv, span: Span) -> Expr {
        let old = self.read(lv.clone(), span);
        self.keep(old, span)
    }

    fn swap_if(&mut self, lv: &Lv, same: Expr, old: Expr, new: Expr, span: Span) {
        self.access(&lv.place.addr, lv.place.ty.size(self.model()));
        let value = fold::ite(same, new, old);
        let place: Place = lv.place.clone();
        self.emit(Op::Assign(place, value), span);
    }
}

/// What is done to the old value; `None` stands for "not and".
fn read_modify_write(b: Builtin) -> Option<(Option<BinOp>, bool)> {
    Some(match b {
        Builtin::FetchAdd => (Some(BinOp::Add), true),
        Builtin::FetchSub => (Some(BinOp::Sub), true),
        Builtin::FetchOr => (Some(BinOp::Or), true),
        Builtin::FetchAnd => (Some(BinOp::And), true),
        Builtin::FetchXor => (Some(BinOp::Xor), true),
        Builtin::FetchNand => (None, true),
        Builtin::AddFetch => (Some(BinOp::Add), false),
        Builtin::SubFetch => (Some(BinOp::Sub), false),
        Builtin::OrFetch => (Some(BinOp::Or), false),
        Builtin::AndFetch => (Some(BinOp::And), false),
        Builtin::XorFetch => (Some(BinOp::Xor), false),
        Builtin::NandFetch => (None, false),
        _ => return None,
    })
}

fn modified(op: Option<BinOp>, old: Expr, value: Expr) -> Expr {
    match (op, old.ty) {
        (Some(op), Ty::Int(_)) => fold::binary(op, old, value),
        (None, Ty::Int(_)) => fold::unary(UnOp::Not, fold::binary(BinOp::And, old, value)),
        // Pointers and truth values are computed with as numbers.
        (op, ty) => {
            let bits = Ty::int(64, false);
            let (a, b) = (Expr::convert(bits, old), Expr::convert(bits, value));
            let new = modified(op, a, b);
            if ty == Ty::Bool { fold::truth(new) } else { Expr::convert(ty, new) }
        }
    }
}

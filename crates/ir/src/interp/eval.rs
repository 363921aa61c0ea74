//! Evaluates expressions - predicates above all, entry values included - on the state of a run.
//!
//! Written for clarity, walks the program's own expressions, and shares only the operators with the machine: tests compare the
//! two. Total: an access that would be undefined behaviour goes by address alone.

use super::access::{assemble, extract};
use super::float;
use super::memory::{Cell, Target};
use super::ops;
use super::state::{Snapshot, StateView};
use super::value::Value;
use crate::syntax::*;
use base::Id;

impl StateView<'_> {
    /// The value of an expression over the variables of the current activation; `None` if it depends on something that was
    /// not drawn yet, or on an entry value that was not kept.
    pub fn eval(&self, expr: &Expr) -> Option<Value> {
        self.eval_in(expr, None)
    }

    /// The same; also `None` if the expression reads memory that it must not: through a null pointer, outside of an object,
    /// after its lifetime. What a predicate says there is not known.
    pub fn eval_defined(&self, expr: &Expr) -> Option<Value> {
        if self.is_defined(expr, None)? { self.eval(expr) } else { None }
    }

    /// Whether everything that an expression reads is there; `None` where that is not known.
    fn is_defined(&self, expr: &Expr, entry: Option<&Snapshot>) -> Option<bool> {
        let address = |addr: &Address| -> Option<bool> {
            let mut all = match &addr.base {
                Base::Var(_) => true,
                Base::Ptr(p) => self.is_defined(p, entry)?,
            };
            for index in &addr.indices {
                all &= self.is_defined(&index.value, entry)?;
            }
            Some(all)
        };
        let all = |parts: &[&Expr]| -> Option<bool> {
            parts.iter().try_fold(true, |all, e| Some(all & self.is_defined(e, entry)?))
        };
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Func(_) => Some(true),
            ExprKind::Read(place) => {
                if place.as_var().is_some() {
                    return Some(true);
                }
                let there = address(&place.addr)?;
                let at = self.address(&place.addr, entry)?;
                Some(there && self.memory.access(at, place.ty.size(self.program.model), false).1.is_none())
            }
            ExprKind::Addr(addr) => address(addr),
            ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectPredicate(_, a) => all(&[a]),
            ExprKind::Binary(_, a, b) => all(&[a, b]),
            ExprKind::Ite(c, a, b) => all(&[c, a, b]),
            ExprKind::Entry(a) => self.is_defined(a, Some(self.frame.entry.as_deref()?)),
        }
    }

    /// In the current state, or in that of the snapshot.
    fn eval_in(&self, expr: &Expr, entry: Option<&Snapshot>) -> Option<Value> {
        let truth = |b: bool| Some(Value::plain(b.into()));
        match &expr.kind {
            ExprKind::Const(c) => Some(Value::plain(*c)),
            ExprKind::Read(place) => self.read_place(place, entry),
            ExprKind::Addr(addr) => self.address(addr, entry),
            ExprKind::Func(f) => Some(self.memory.function_address(f.index())),
            ExprKind::Unary(op, a) => Some(Value::plain(ops::unary(*op, a.ty, self.eval_in(a, entry)?.bits))),
            // One operand may decide although the other has no value.
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) if a.ty == Ty::Bool => {
                let decides = *op == BinOp::Or;
                let (a, b) = (self.eval_in(a, entry), self.eval_in(b, entry));
                match (a.map(Value::is_true), b.map(Value::is_true)) {
                    (Some(x), _) if x == decides => truth(decides),
                    (_, Some(y)) if y == decides => truth(decides),
                    (Some(_), Some(_)) => truth(!decides),
                    _ => None,
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.eval_in(a, entry)?, self.eval_in(b, entry)?);
                Some(ops::binary(self.memory, *op, a.ty, x, y).0)
            }
            ExprKind::Convert(a) => {
                let v = self.eval_in(a, entry)?;
                Some(ops::convert(self.memory, self.program.model, a.ty, expr.ty, v).0)
            }
            ExprKind::Ite(c, a, b) => match self.eval_in(c, entry)?.is_true() {
                true => self.eval_in(a, entry),
                false => self.eval_in(b, entry),
            },
            ExprKind::ObjectPredicate(ObjectPredicate::FitsInt(int), a) => match a.ty {
                Ty::Float(f) => truth(float::to_int(f, *int, self.eval_in(a, entry)?.bits).1),
                _ => None,
            },
            ExprKind::ObjectPredicate(predicate, a) => {
                truth(self.memory.object_predicate(*predicate, self.eval_in(a, entry)?, self.program))
            }
            ExprKind::Entry(a) => self.eval_in(a, Some(self.frame.entry.as_deref()?)),
        }
    }

    fn address(&self, addr: &Address, entry: Option<&Snapshot>) -> Option<Value> {
        let base = match &addr.base {
            Base::Var(var) => self.slot(*var, entry).filter(|_| self.in_memory(*var))?,
            Base::Ptr(p) => self.eval_in(p, entry)?,
        };
        let mut bits = (base.bits as u64).wrapping_add(addr.offset as u64);
        for index in &addr.indices {
            let value = self.eval_in(&index.value, entry)?.bits as u64;
            bits = bits.wrapping_add(value.wrapping_mul(index.stride as u64));
        }
        let mask = u64::MAX >> (64 - self.program.model.ptr_width());
        Some(base.moved_to(bits & mask))
    }

    fn read_place(&self, place: &Place, entry: Option<&Snapshot>) -> Option<Value> {
        if let Some(var) = place.as_var()
            && !self.in_memory(var)
        {
            return self.slot(var, entry);
        }
        let at = self.address(&place.addr, entry)?;
        let n = match place.ty {
            Ty::Float(FloatTy::F80) => 10,
            ty => ty.size(self.program.model),
        };
        let (target, _) = self.memory.access(at, n, false);
        let cells: Option<Vec<Cell>> = (0..n).map(|i| self.cell(target, i, entry)).collect();
        let cells = cells?;
        if cells.iter().any(|c| c.symbol().is_some()) {
            return None;
        }
        let (v, _) = assemble(self.memory, place.ty, &cells);
        Some(match place.bits {
            Some(range) => Value::plain(extract(v.bits, place.ty, range)),
            None => v,
        })
    }

    fn cell(&self, target: Target, i: u64, entry: Option<&Snapshot>) -> Option<Cell> {
        let Some(snapshot) = entry else { return self.memory.peek(target, i) };
        // Of the state at entry only the variables' own objects are kept.
        let Target::Object { number, offset } = target else { return None };
        let at = snapshot.objects.binary_search_by_key(&number, |(n, _)| *n).ok()?;
        let cell = *snapshot.objects[at].1.get((offset + i) as usize)?;
        cell.map(|c| self.memory.resolved(c))
    }
}

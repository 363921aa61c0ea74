//! Structures and unions as values: they are never in expressions, only in objects that other objects are copied from.

use crate::expr::Want;
use crate::function::{Fun, Home};
use crate::place::{Lv, unnamed};
use crate::types;
use base::Span;
use cfront::tree::{Builtin, CastKind, ExprId, ExprKind, StmtId};
use cfront::types::{RecordKind, Type, TypeId, Types};
use ir::{Address, Expr, HavocDst, Op, Source, Ty, Var};

impl Fun<'_, '_> {
    /// The address of an object that holds the record value `e` until the next write.
    pub(crate) fn record(&mut self, e: ExprId) -> Address {
        let unit = self.unit;
        let x = &unit.exprs[e];
        match x.kind {
            ExprKind::Call(..) | ExprKind::Cond(..) => {
                let Some((size, align)) = self.record_layout(x.ty) else { return self.no_record(e) };
                let var = self.temp_object(size, align, x.span);
                self.record_to_variable(e, var);
                Address::var(var)
            }
            ExprKind::Assign(lhs, rhs) => self.assign_record(lhs, rhs, x.span),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.record_read(b)
            }
            ExprKind::StmtExpr(block, Some(value)) => self.record_of_block(e, block, value),
            ExprKind::Let(v, init, body) => {
                self.bind(v, init, x.span);
                self.record_read(body)
            }
            ExprKind::Cast(CastKind::Same, a, _) => self.address(a),
            ExprKind::Cast(CastKind::ToUnion, a, _) => self.cast_to_union(e, a),
            ExprKind::Builtin(Builtin::VaArg, list) => self.va_arg_record(e, list),
            ExprKind::Unsupported(why) => {
                self.unsupported(&unit.reasons[why], x.span);
                Address::ptr(Expr::null())
            }
            _ => self.no_record(e),
        }
    }

    /// The value of a statement expression, in an object that lives on when the block has ended.
    fn record_of_block(&mut self, e: ExprId, block: StmtId, value: ExprId) -> Address {
        let x = &self.unit.exprs[e];
        let Some((size, align)) = self.record_layout(x.ty) else { return self.no_record(e) };
        self.in_block(x.span, |fun| {
            fun.before_value(block);
            let from = fun.record_read(value);
            let var = fun.temp_object(size, align, x.span);
            fun.copy_record(Address::var(var), &from, x.ty, x.span);
            Address::var(var)
        })
    }

    fn no_record(&mut self, e: ExprId) -> Address {
        self.no_value(e);
        Address::ptr(Expr::null())
    }

    /// Size and alignment of a record.
    pub(crate) fn record_layout(&self, ty: TypeId) -> Option<(u64, u32)> {
        let size = self.unit.types.size(ty)?;
        Some((size, self.unit.types.align(ty).min(1 << 30) as u32))
    }

    /// Puts the record value `e` into a variable that nothing in `e` mentions.
    pub(crate) fn record_to_variable(&mut self, e: ExprId, var: Var) {
        let x = &self.unit.exprs[e];
        match x.kind {
            ExprKind::Call(..) => {
                self.call(e, Want::Into(var));
            }
            ExprKind::Cond(c, a, b) => {
                let (yes, no, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
                self.branch(c, yes, no);
                for (loc, side) in [(yes, a), (no, b)] {
                    self.at(loc);
                    self.record_to_variable(side, var);
                    self.goto(join, x.span);
                }
                self.at(join);
            }
            _ => {
                let src = self.record_read(e);
                self.copy_record(Address::var(var), &src, x.ty, x.span);
                self.blur_copied(&Address::var(var), x.ty, x.span);
            }
        }
    }

    /// Copies an object of type `ty` after asking for both sides.
    pub(crate) fn copy_record(&mut self, dst: Address, src: &Address, ty: TypeId, span: Span) {
        let Some(size) = self.unit.types.size(ty) else {
            return self.unsupported("structure of unknown size", span);
        };
        self.access(src, size);
        self.access(&dst, size);
        let src = self.pointer(src.clone());
        self.copy(dst, src, size, span);
        self.flush(span);
    }

    /// The same for a copy that goes outside, whose padding nobody compares: member by member where they are few, so that the copy, which
    /// the outside may change, and the original have nothing in common.
    fn copy_to_outside(&mut self, dst: Address, src: &Address, ty: TypeId, span: Span) {
        let mut members = Vec::new();
        let plain = plain_members(&self.unit.types, ty, 0, &mut members);
        let (true, Some(size)) = (plain, self.unit.types.size(ty)) else { return self.copy_record(dst, src, ty, span) };
        self.access(src, size);
        let src = self.pointer(src.clone());
        let src = self.keep(src, span);
        for (offset, ty) in members {
            let from = self.advance(self.pointed(src.clone()), offset as i64);
            let to = self.advance(dst.clone(), offset as i64);
            self.emit(Op::Assign(unnamed(to, ty), Expr::read(unnamed(from, ty))), span);
        }
        self.flush(span);
    }

    /// A copy of a structure for a function without a body.
    pub(crate) fn copy_for_outside(&mut self, src: &Address, ty: TypeId, size: u64, align: u32, span: Span) -> Address {
        let copy = Address::var(self.temp_object(size, align, span));
        self.copy_to_outside(copy.clone(), src, ty, span);
        copy
    }

    /// `lhs = rhs` for records; the address of the left side.
    pub(crate) fn assign_record(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> Address {
        let unit = self.unit;
        // The result of a call may go straight to a variable that the callee cannot see.
        if let (ExprKind::Var(v), ExprKind::Call(..)) = (unit.exprs[lhs].kind, unit.exprs[rhs].kind)
            && let Home::At(var @ Var::Local(_)) = self.home(v)
            && !self.is_taken(var)
            && !self.mentions(rhs, lhs)
        {
            self.call(rhs, Want::Into(var));
            return Address::var(var);
        }
        let dst = self.address(lhs);
        let dst = self.settle(dst, &[rhs], span);
        let src = self.record_read(rhs);
        // The address must mean the same after the copy, which may be read again.
        let dst = if self.is_steady(&dst) {
            dst
        } else {
            let ptr = self.pointer(dst);
            let ptr = self.keep(ptr, span);
            self.pointed(ptr)
        };
        let padding = self.blurred_by(lhs, Some(&dst), &[], span);
        self.copy_record(dst.clone(), &src, unit.exprs[lhs].ty, span);
        self.blur_copied(&dst, unit.exprs[lhs].ty, span);
        self.blur(&padding, span);
        dst
    }

    /// Whether the arguments of a call read the variable that receives its result.
    fn mentions(&self, call: ExprId, var: ExprId) -> bool {
        let (ExprKind::Call(_, args), ExprKind::Var(v)) = (self.unit.exprs[call].kind, self.unit.exprs[var].kind)
        else {
            return true;
        };
        let mut todo: Vec<ExprId> = self.unit.list(args).to_vec();
        let mut left = 100;
        while let Some(e) = todo.pop() {
            left -= 1;
            match self.unit.exprs[e].kind {
                _ if left == 0 => return true,
                ExprKind::Var(w) if w == v => return true,
                ExprKind::Var(_) | ExprKind::Int(_) | ExprKind::Func(_) | ExprKind::Str(_) | ExprKind::Float(_) => {}
                ExprKind::Deref(a)
                | ExprKind::Member(a, _)
                | ExprKind::AddrOf(a)
                | ExprKind::Unary(_, a)
                | ExprKind::Cast(_, a, _) => todo.push(a),
                ExprKind::Binary(_, a, b) => todo.extend([a, b]),
                _ => return true,
            }
        }
        false
    }

    fn cast_to_union(&mut self, e: ExprId, a: ExprId) -> Address {
        let unit = self.unit;
        let (ty, span) = (unit.exprs[e].ty, unit.exprs[e].span);
        let Some((size, align)) = self.record_layout(ty) else { return self.no_record(e) };
        let var = self.temp_object(size, align, span);
        let dst = Address::var(var);
        if unit.types.is_aggregate(unit.exprs[a].ty) {
            let src = self.record_read(a);
            self.havoc_object(&dst, size, Source::Uninit, span);
            self.copy_record(dst.clone(), &src, unit.exprs[a].ty, span);
            return dst;
        }
        let value = self.value(a);
        let value = self.keep_if_memory(value, span);
        self.havoc_object(&dst, size, Source::Uninit, span);
        let place = Lv::plain(unnamed(dst.clone(), value.ty));
        self.write(&place, value, span);
        dst
    }

    /// The library's `creal` and `cimag`.
    pub(crate) fn complex_part(&mut self, z: ExprId, index: u32, want: Want, span: Span) -> Option<Expr> {
        let value = self.lane(z, index, span)?;
        self.deliver(value, want, span)
    }

    /// The lane of a complex number or vector, read now.
    fn lane(&mut self, z: ExprId, index: u32, span: Span) -> Option<Expr> {
        let types = &self.unit.types;
        let lane = types.lane(self.unit.exprs[z].ty, index).and_then(|(ty, at)| Some((self.scalar(ty)?, at)));
        let Some((ty, at)) = lane else { return Some(self.no_value(z)) };
        let whole = self.address(z);
        let whole = self.advance(whole, at as i64);
        Some(self.read(Lv::plain(unnamed(whole, ty)), span))
    }

    /// The library's `conj`.
    pub(crate) fn conjugate(&mut self, z: ExprId, want: Want, span: Span) -> Option<Expr> {
        let ty = self.unit.exprs[z].ty;
        let part = self.unit.types.lane(ty, 1).and_then(|(ty, at)| Some((self.scalar(ty)?, at)));
        let (Some((part, at)), Some((size, align))) = (part, self.record_layout(ty)) else {
            return Some(self.no_value(z));
        };
        let src = self.record_read(z);
        let var = match want {
            Want::Into(var) => var,
            Want::Value | Want::Nothing => self.temp_object(size, align, span),
        };
        let dst = Address::var(var);
        self.copy_record(dst.clone(), &src, ty, span);
        let im = Lv::plain(unnamed(self.advance(dst.clone(), at as i64), part));
        let value = self.read(im.clone(), span);
        let value = crate::fold::unary(ir::UnOp::Neg, value);
        self.write(&im, value, span);
        Some(Expr::addr(dst))
    }

    /// Gives an object arbitrary contents.
    pub(crate) fn havoc_object(&mut self, addr: &Address, size: u64, source: Source, span: Span) {
        if size > 0 {
            let range = HavocDst::Range { dst: self.pointer(addr.clone()), len: self.bytes(size) };
            self.emit(Op::Havoc(range, source), span);
        }
    }
}

/// The members of a structure of few plain ones, with their offsets, as pointers or as numbers of their sizes.
fn plain_members(types: &Types, ty: TypeId, at: u64, members: &mut Vec<(u64, Ty)>) -> bool {
    const MOST: usize = 8;
    let fits = match *types.get(ty) {
        Type::Record(r) if types.records[r].kind == RecordKind::Struct => {
            let mut fields = types.records[r].fields.iter();
            fields.all(|f| f.bits.is_none() && plain_members(types, f.ty, at + f.offset, members))
        }
        _ => match (types.pointee(ty), types::scalar(types, ty), types.size(ty)) {
            (Some(_), ..) => {
                members.push((at, Ty::Ptr));
                true
            }
            (None, Some(_), Some(size @ (1 | 2 | 4 | 8))) => {
                members.push((at, Ty::int(8 * size as u16, false)));
                true
            }
            _ => false,
        },
    };
    fits && members.len() <= MOST
}

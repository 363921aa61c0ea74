//! Functions of the library that have no recipe of their own: what their rows ([`ir::library::c`]) say, as operations.

use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::place::unnamed;
use crate::types;
use base::Span;
use cfront::types::{TypeId, Types};
use ir::library::c::{Gives, Most, Row, Write};
use ir::{BinOp, Expr, Op, Source, Ty};

/// Whether a function of this type is the one with this signature ([`Row::signature`]). Where nobody takes what it gives, it need not
/// say that it gives something.
pub(crate) fn is_meant(signature: &str, types: &Types, ty: TypeId) -> bool {
    let Some(sig) = types.signature(ty).filter(|_| !signature.is_empty()) else { return signature.is_empty() };
    let is = |letter: u8, ty: TypeId| match letter {
        b'?' => true,
        b'v' => types.is_void(ty),
        b'p' => types.pointee(ty).is_some(),
        b't' => types.pointee(ty).is_some_and(|to| types.is_void(to) || types.size(to) == Some(1)),
        b's' => types.pointee(ty).is_some_and(|to| types.is_void(to) || types.record(to).is_some()),
        b'i' => matches!(types::scalar(types, ty), Some(Ty::Int(_) | Ty::Bool)),
        b'd' => matches!(types::scalar(types, ty), Some(Ty::Float(_))),
        _ => false,
    };
    let (letters, variadic) = match signature.strip_suffix('.') {
        Some(fixed) => (fixed, true),
        None => (signature, false),
    };
    let (result, params) = letters.as_bytes().split_first().expect("a signature begins with the result");
    (types.is_void(sig.ret) || is(*result, sig.ret))
        && variadic == sig.variadic
        && params.len() == sig.params.len()
        && params.iter().zip(&sig.params).all(|(&l, &p)| is(l, p))
}

impl Fun<'_, '_> {
    /// A call of a function with a row; its arguments are as many as the row says.
    pub(crate) fn by_row(&mut self, row: &Row, args: &[Expr], ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        self.streams_there(row.name, args, span);
        let mut args = args.to_vec();
        for arg in &mut args {
            *arg = self.keep_if_memory(arg.clone(), span);
        }
        self.read_by_row(row, &args, span);
        let stores_result = row.writes.iter().any(|w| matches!(w.most, Most::Result | Most::Text(_)));
        let wanted = want != Want::Nothing || stores_result;
        let result = ret.filter(|_| wanted).map(|ty| self.given(row, &args, ty, span));
        for write in row.writes {
            self.written_outside(row, *write, &args, result.as_ref(), span);
        }
        self.finish_pure(result?, ret, want, span)
    }

    /// The result that a row allows.
    fn given(&mut self, row: &Row, args: &[Expr], ty: Ty, span: Span) -> Expr {
        if let Gives::ArgumentOrNull(i) = row.gives {
            let fails = self.outside_value(Ty::Bool, row.name, span);
            let argument = fold::convert(ty, args[i].clone(), self.model());
            return self.keep(fold::ite(fails, Expr::constant(ty, 0), argument), span);
        }
        let value = self.outside_value(ty, row.name, span);
        let at_least = |n: i64| fold::binary(BinOp::Ge, value.clone(), Expr::int(ty, n.into()));
        let at_most = |e: Expr| fold::binary(BinOp::Le, value.clone(), e);
        let argument = |f: &Self, i: usize| fold::convert(ty, args[i].clone(), f.model());
        let error = fold::binary(BinOp::Eq, value.clone(), Expr::int(ty, -1));
        let said = match row.gives {
            Gives::Any | Gives::By(_) | Gives::ArgumentOrNull(_) => return value,
            Gives::Between(least, most) => fold::and(at_least(least), at_most(Expr::int(ty, most.into()))),
            Gives::CountOrError => fold::or(error, at_least(0)),
            Gives::AtMost(i) => fold::and(at_least(0), at_most(argument(self, i))),
            Gives::Elements(size, n) => {
                let empty = fold::truth(args[size].clone()).negate();
                let most = fold::ite(empty, Expr::int(ty, 0), argument(self, n));
                fold::and(at_least(0), at_most(most))
            }
            Gives::AtMostOrError(i) => fold::or(error, fold::and(at_least(0), at_most(argument(self, i)))),
            Gives::AtMostUnless(i, flags, bits) => {
                let flag = fold::binary(BinOp::And, args[flags].clone(), Expr::int(args[flags].ty, bits.into()));
                let most = fold::or(at_most(argument(self, i)), fold::truth(flag));
                fold::or(error, fold::and(at_least(0), most))
            }
            Gives::CharOrError(i) => {
                let byte = fold::convert(Ty::int(8, false), args[i].clone(), self.model());
                let char = fold::convert(ty, byte, self.model());
                fold::or(error, fold::binary(BinOp::Eq, value.clone(), char))
            }
        };
        self.emit(Op::Assume(said), span);
        value
    }

    /// Some of the bytes from a pointer on become arbitrary.
    fn written_outside(&mut self, row: &Row, write: Write, args: &[Expr], result: Option<&Expr>, span: Span) {
        let (name, nullable) = (row.name, row.nullable.contains(&write.to));
        let (model, size) = (self.model(), self.model().size_ty());
        let to = fold::convert(Ty::Ptr, args[write.to].clone(), model);
        let most = match write.most {
            Most::Argument(i) | Most::Text(i) => self.not_negative(&args[i]),
            Most::Product(i, j) => {
                let [n, each] = [i, j].map(|i| fold::convert(size, args[i].clone(), model));
                self.product(n, each)
            }
            Most::Longs(n) => Expr::int(size, i128::from(n * u64::from(model.ptr_width() / 8))),
            Most::Bytes(n) => Expr::int(size, n.into()),
            Most::Result => Expr::int(size, 0),
        };
        if !nullable && self.checks_memory() {
            // Whatever it writes, the pointer is a valid one, unless there is nothing to write.
            let none = fold::binary(BinOp::Eq, most.clone(), Expr::int(size, 0));
            self.access_range(&to, &fold::ite(none, Expr::int(size, 0), Expr::int(size, 1)));
            self.flush(span);
        }
        let (there, join) = (self.graph.loc(), self.graph.loc());
        self.split(fold::binary(BinOp::Ne, to.clone(), Expr::null()), there, join, span);
        self.at(there);
        match (write.most, result) {
            (Most::Result, Some(result)) => {
                let addr = self.pointed(to);
                self.access(&addr, result.ty.size(model));
                self.emit(Op::Assign(unnamed(addr, result.ty), result.clone()), span);
            }
            (Most::Text(_), Some(result)) => {
                let (text, nothing) = (self.graph.loc(), self.graph.loc());
                self.split(fold::binary(BinOp::Ne, result.clone(), Expr::null()), text, nothing, span);
                self.at(text);
                let n = self.outside_value(size, name, span);
                self.emit(Op::Assume(fold::binary(BinOp::Lt, n.clone(), most.clone())), span);
                self.access_range(&to, &n);
                self.havoc_bytes(to.clone(), n.clone(), Source::Outside(name.to_owned()), span);
                self.end_string(self.plus(&to, &n), span);
                self.goto(join, span);
                self.at(nothing);
                self.some_bytes(name, to, most, span);
            }
            _ => self.some_bytes(name, to, most, span),
        }
        self.goto(join, span);
        self.at(join);
    }

    /// No more than so many bytes from a pointer on become arbitrary.
    pub(crate) fn some_bytes(&mut self, name: &str, to: Expr, most: Expr, span: Span) {
        let n = self.outside_value(self.model().size_ty(), name, span);
        self.emit(Op::Assume(fold::binary(BinOp::Le, n.clone(), most)), span);
        self.access_range(&to, &n);
        self.havoc_bytes(to, n, Source::Outside(name.to_owned()), span);
    }

    /// The bytes of so many elements: more than there are, if that is no size.
    pub(crate) fn product(&self, n: Expr, each: Expr) -> Expr {
        let size = n.ty;
        let most = Expr::constant(size, u128::MAX);
        fold::ite(overflows(&n, &each), most, fold::binary(BinOp::Mul, n, each))
    }

    /// A number of bytes that may be given as a signed number: none, if it is negative.
    fn not_negative(&self, n: &Expr) -> Expr {
        let size = self.model().size_ty();
        let bytes = fold::convert(size, n.clone(), self.model());
        match n.ty {
            Ty::Int(i) if i.signed => {
                let negative = fold::binary(BinOp::Lt, n.clone(), Expr::int(n.ty, 0));
                fold::ite(negative, Expr::int(size, 0), bytes)
            }
            _ => bytes,
        }
    }
}

/// Whether the size of so many elements is none; both numbers are sizes. One element, or none, always has one.
pub(crate) fn overflows(n: &Expr, each: &Expr) -> Expr {
    let most = |c: u128| Expr::constant(n.ty, u128::from(u64::MAX >> (64 - width(n.ty))) / c);
    match (n.as_const(), each.as_const()) {
        (Some(0 | 1), _) | (_, Some(0 | 1)) => Expr::bool(false),
        (_, Some(c)) => fold::binary(BinOp::Gt, n.clone(), most(c)),
        (Some(c), _) => fold::binary(BinOp::Gt, each.clone(), most(c)),
        _ => fold::binary(BinOp::MulOverflows, n.clone(), each.clone()),
    }
}

fn width(ty: Ty) -> u32 {
    let Ty::Int(int) = ty else { unreachable!("a size is an integer") };
    u32::from(int.width)
}

//! `%f`: a `double` printed with a few digits behind the point, exactly, as an integer in units of the last digit.
//!
//! C rounds the number itself, not its product with a power of ten. So the product is taken with what it loses: `p = x * 10^k`
//! rounded, and `e = x * 10^k - p`, which a fused multiply-add gives exactly. While `p` is below 10^15 one half is a multiple of its last
//! place, so `p` rounded to an integer is right but where `p` lies in the middle of two and `e` is not zero: there `e`
//! decides. Where nothing is lost the even one is taken, as the C library does. (Of numbers so small that `e` is not exact, the
//! product is nowhere near a middle.)
//!
//! What is larger, infinite or no number is printed by the library function that has no formula.

use crate::fold;
use crate::format::{Part, byte};
use crate::function::Fun;
use crate::place::unnamed;
use base::Span;
use ir::library::Library;
use ir::{Address, BinOp, Expr, FloatTy, Op, Place, Ty, UnOp};

/// The most digits behind the point.
pub(crate) const MOST_DIGITS: u64 = 9;
/// The digits of the integers that are printed.
const DIGITS: u32 = 15;

const NUMBER: Ty = Ty::Float(FloatTy::F64);
const WORD: Ty = Ty::int(64, false);

fn constant(x: f64) -> Expr {
    Expr::constant(NUMBER, x.to_bits().into())
}

fn op(op: BinOp, a: &Expr, b: &Expr) -> Expr {
    fold::binary(op, a.clone(), b.clone())
}

impl Fun<'_, '_> {
    /// The text of a number with so many digits behind the point.
    pub(crate) fn fixed(&mut self, arg: &Expr, behind: u64, span: Span) -> Part {
        let x = self.keep_if_memory(arg.clone(), span);
        let (start, length) = (self.temp(Ty::Ptr, span), self.temp(self.model().size_ty(), span));
        let bound = constant(10f64.powi(DIGITS as i32 - 1 - behind as i32));
        let small = fold::and(op(BinOp::Lt, &x, &bound), op(BinOp::Gt, &x, &fold::unary(UnOp::Neg, bound)));
        let (exact, other, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.split(small, exact, other, span);
        self.at(exact);
        let (text, n) = self.small_fixed(&x, behind, span);
        self.emit(Op::Assign(Place::var(length, n.ty), n), span);
        self.emit_to(Op::Assign(Place::var(start, Ty::Ptr), text), join, span);
        self.at(other);
        let format = self.own_format(behind, span);
        let text = self.library_call(Library::Format, &[format.clone(), x.clone()], span);
        let n = self.library_call(Library::FormatLength, &[format, x], span);
        let n = fold::convert(self.model().size_ty(), n, self.model());
        self.emit(Op::Assign(Place::var(length, n.ty), n), span);
        self.emit_to(Op::Assign(Place::var(start, Ty::Ptr), text), join, span);
        self.at(join);
        Part::Text(Expr::var(start, Ty::Ptr), Expr::var(length, self.model().size_ty()))
    }

    /// A format that prints one number like this.
    fn own_format(&mut self, behind: u64, span: Span) -> Expr {
        let text = [b'%', b'.', b'0' + behind as u8, b'f', 0];
        let object = Address::var(self.temp_object(text.len() as u64, 1, span));
        for (i, b) in text.into_iter().enumerate() {
            let at = self.advance(object.clone(), i as i64);
            self.emit(Op::Assign(unnamed(at, Ty::int(8, false)), byte(b)), span);
        }
        Expr::addr(object)
    }

    /// The number in units of its last digit, rounded as C does, without its sign.
    fn in_units(&mut self, x: &Expr, behind: u64, span: Span) -> Expr {
        let ten = constant(10f64.powi(behind as i32));
        let product = self.kept(op(BinOp::Mul, x, &ten), span);
        let minus = fold::unary(UnOp::Neg, product.clone());
        let lost = self.library_call(Library::Fma, &[x.clone(), ten, minus], span);
        let whole = self.library_call(Library::Rint, std::slice::from_ref(&product), span);
        let rest = self.kept(op(BinOp::Sub, &product, &whole), span);
        let (half, zero) = (constant(0.5), constant(0.0));
        let up = fold::and(op(BinOp::Eq, &rest, &half), op(BinOp::Gt, &lost, &zero));
        let down = fold::and(op(BinOp::Eq, &rest, &fold::unary(UnOp::Neg, half)), op(BinOp::Lt, &lost, &zero));
        let one = constant(1.0);
        let lower = fold::ite(down, op(BinOp::Sub, &whole, &one), whole.clone());
        let whole = self.kept(fold::ite(up, op(BinOp::Add, &whole, &one), lower), span);
        let size = fold::ite(op(BinOp::Lt, &whole, &zero), fold::unary(UnOp::Neg, whole.clone()), whole);
        let units = fold::convert(WORD, size, self.model());
        self.kept(units, span)
    }

    /// Where the text of a number that is not large begins, and how long it is.
    fn small_fixed(&mut self, x: &Expr, behind: u64, span: Span) -> (Expr, Expr) {
        let units = self.in_units(x, behind, span);
        // A zero has a sign too.
        let zero = constant(0.0);
        let below = op(BinOp::Lt, &op(BinOp::Div, &constant(1.0), x), &zero);
        let negative = fold::or(op(BinOp::Lt, x, &zero), fold::and(op(BinOp::Eq, x, &zero), below));
        let negative = self.kept(negative, span);
        let power = |n: u32| Expr::constant(WORD, 10u128.pow(n));
        let before = op(BinOp::Div, &units, &power(behind as u32));
        let before = self.kept(before, span);
        let count = self.digit_count(&before, 10);
        let count = self.kept(count, span);
        // Digits and sign stand before the point, the last digit next to it.
        let point = u64::from(behind > 0);
        let most = u64::from(DIGITS) + 1;
        let object = Address::var(self.temp_object(most + point + behind, 1, span));
        let small = Ty::int(8, false);
        let put = |f: &mut Self, at: u64, value: Expr| {
            let at = f.advance(object.clone(), at as i64);
            f.emit(Op::Assign(unnamed(at, small), value), span);
        };
        let ten = Expr::constant(WORD, 10);
        for i in 0..most {
            let digit = op(BinOp::Rem, &op(BinOp::Div, &before, &power(i as u32)), &ten);
            let digit = op(BinOp::Add, &fold::convert(small, digit, self.model()), &byte(b'0'));
            let is_sign = fold::and(op(BinOp::Eq, &count, &self.bytes(i)), negative.clone());
            put(self, most - 1 - i, fold::ite(is_sign, byte(b'-'), digit));
        }
        if point > 0 {
            put(self, most, byte(b'.'));
        }
        for i in 0..behind {
            let digit = op(BinOp::Rem, &op(BinOp::Div, &units, &power(i as u32)), &ten);
            let digit = op(BinOp::Add, &fold::convert(small, digit, self.model()), &byte(b'0'));
            put(self, most + point + behind - 1 - i, digit);
        }
        let signed = fold::ite(negative, self.bytes(1), self.bytes(0));
        let head = self.kept(op(BinOp::Add, &count, &signed), span);
        let from = op(BinOp::Sub, &self.bytes(most), &head);
        let start = self.plus(&Expr::addr(object), &from);
        (start, op(BinOp::Add, &head, &self.bytes(point + behind)))
    }
}

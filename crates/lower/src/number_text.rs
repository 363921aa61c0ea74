//! Texts of numbers: `strtod` and its kin, and the floating conversions of formats.
//!
//! A run computes both exactly ([`ir::interp`]). In logic, what is read has the value of its text where that is one or two digits, and a sign;
//! `%f` of numbers below 1e9 is said digit by digit: wide formats hold its fraction times a power of ten exactly, and what is left of that
//! tells how it is rounded. Of all else a formula knows between which lengths its text lies.

use crate::expr::Want;
use crate::fold;
use crate::format::{Part, Piece, byte, joined};
use crate::function::Fun;
use crate::place::unnamed;
use base::Span;
use base::sabotage::{self, Fault};
use ir::library::math::pattern;
use ir::library::{ERANGE, Library, MAYBE_RANGE};
use ir::{Address, BinOp, Expr, FloatTy, Global, Init, InitItem, Linkage, Op, Place, Shape, Ty, UnOp, Var};

const BYTE: Ty = Ty::int(8, false);
/// Numbers below this are printed digit by digit.
const MOST: f64 = 1e9;
/// With more digits behind the point nothing is printed digit by digit.
const MOST_PLACES: u64 = 9;

/// A floating conversion of a format.
pub(crate) struct FloatPiece<'e> {
    pub(crate) arg: &'e Expr,
    /// In lower case.
    pub(crate) letter: u8,
    /// The whole conversion, from `%` on.
    pub(crate) text: Vec<u8>,
}

fn number(ty: Ty, value: f64) -> Expr {
    match ty {
        Ty::Float(f) => Expr::constant(ty, pattern(f, value)),
        _ => Expr::int(ty, value as i128),
    }
}

fn compare(op: BinOp, a: &Expr, b: &Expr) -> Expr {
    fold::binary(op, a.clone(), b.clone())
}

fn implies(a: Expr, b: Expr) -> Expr {
    fold::or(a.negate(), b)
}

impl Fun<'_, '_> {
    /// `strtod` and its kin, with the place for where the number ends, and `atof`.
    pub(crate) fn string_to_float(
        &mut self,
        text: &Expr,
        end: Option<&Expr>,
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let (lib, error) = match ret? {
            Ty::Float(FloatTy::F32) => (Library::Strtof, Library::StrtofError),
            Ty::Float(FloatTy::F64) => (Library::Strtod, Library::StrtodError),
            Ty::Float(FloatTy::F80) => (Library::Strtold, Library::StrtoldError),
            ty => {
                self.unsupported("library function that is declared otherwise", span);
                return Some(Expr::constant(ty, 0));
            }
        };
        let text = self.string_argument(text);
        let text = self.keep_if_memory(text, span);
        let value = self.library_call(lib, std::slice::from_ref(&text), span);
        let end = end.map(|e| fold::convert(Ty::Ptr, e.clone(), self.model())).filter(|e| e.as_const() != Some(0));
        let behind = end.is_some().then(|| self.library_call(Library::StrtodEnd, std::slice::from_ref(&text), span));
        self.short_number(&text, &value, behind.as_ref(), span);
        if let (Some(end), Some(behind)) = (end, behind) {
            let end = self.keep_if_memory(end, span);
            let (store, join) = (self.graph.loc(), self.graph.loc());
            self.split(fold::binary(BinOp::Ne, end.clone(), Expr::null()), store, join, span);
            self.at(store);
            let addr = self.pointed(end);
            self.access(&addr, Ty::Ptr.size(self.model()));
            self.emit_to(Op::Assign(unnamed(addr, Ty::Ptr), behind), join, span);
            self.at(join);
        }
        self.errno_of_float(error, &text, &value, span);
        self.finish_pure(value, ret, want, span)
    }

    /// What the first characters say about a number.
    fn short_number(&mut self, text: &Expr, value: &Expr, behind: Option<&Expr>, span: Span) {
        let ty = value.ty;
        let is = |c: &Expr, b: u8| fold::binary(BinOp::Eq, c.clone(), byte(b));
        let digit = |c: &Expr| fold::and(compare(BinOp::Ge, c, &byte(b'0')), compare(BinOp::Le, c, &byte(b'9')));
        let ends = |c: &Expr| {
            let more = b".eExX".iter().map(|b| is(c, *b)).fold(digit(c), fold::or);
            more.negate()
        };
        let at = |f: &mut Self, i: u64| {
            let place = f.pointed(f.plus(text, &f.bytes(i)));
            f.keep(Expr::read(unnamed(place, BYTE)), span)
        };
        let stops = |f: &Self, i: u64| match behind {
            Some(behind) => fold::binary(BinOp::Eq, behind.clone(), f.plus(text, &f.bytes(i))),
            None => Expr::bool(true),
        };
        let units = |f: &Self, c: &Expr| {
            let n = fold::binary(BinOp::Sub, c.clone(), byte(b'0'));
            fold::convert(Ty::int(32, true), n, f.model())
        };
        let zero = number(ty, 0.0);
        let first = at(self, 0);
        let (one, other, two, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.split(digit(&first), one, other, span);
        self.at(other);
        let minus = implies(is(&first, b'-'), compare(BinOp::Gt, value, &zero).negate());
        let nothing = fold::and(compare(BinOp::Eq, value, &zero), stops(self, 0));
        self.emit(Op::Assume(fold::and(minus, implies(is(&first, 0), nothing))), span);
        self.goto(join, span);
        self.at(one);
        let second = at(self, 1);
        let n = units(self, &first);
        let exact = fold::binary(BinOp::Eq, value.clone(), fold::convert(ty, n.clone(), self.model()));
        let said = implies(ends(&second), fold::and(exact, stops(self, 1)));
        self.emit(Op::Assume(fold::and(said, compare(BinOp::Ge, value, &zero))), span);
        self.split(digit(&second), two, join, span);
        self.at(two);
        let third = at(self, 2);
        let tens = fold::binary(BinOp::Mul, n, Expr::int(Ty::int(32, true), 10));
        let n = fold::binary(BinOp::Add, tens, units(self, &second));
        let exact = fold::binary(BinOp::Eq, value.clone(), fold::convert(ty, n, self.model()));
        self.emit(Op::Assume(implies(ends(&third), fold::and(exact, stops(self, 2)))), span);
        self.goto(join, span);
        self.at(join);
    }

    /// `errno` after such a call. What is too large has become infinite, what is too small at most the least normal number.
    fn errno_of_float(&mut self, error: Library, text: &Expr, value: &Expr, span: Span) {
        let (Some(place), Ty::Float(float)) = (self.errno(span), value.ty) else { return };
        let error = self.library_call(error, std::slice::from_ref(text), span);
        let is = |n: i128| fold::binary(BinOp::Eq, error.clone(), Expr::int(error.ty, n));
        let (infinity, least) = (crate::libc::infinity(float), crate::rounding::least_normal(float));
        let minus = |e: &Expr| fold::unary(UnOp::Neg, e.clone());
        let large = fold::or(compare(BinOp::Eq, value, &infinity), compare(BinOp::Eq, value, &minus(&infinity)));
        let small = fold::and(compare(BinOp::Le, value, &least), compare(BinOp::Ge, value, &minus(&least)));
        self.emit(Op::Assume(fold::or(is(0), fold::or(large, small))), span);
        // Only where it is open is anything drawn: what else a run does is certain.
        let ty = place.ty;
        let (open, certain, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.split(is(MAYBE_RANGE), open, certain, span);
        let set = |f: &mut Self, cond: Expr| {
            let new = fold::ite(cond, Expr::int(ty, ERANGE), Expr::read(place.clone()));
            f.emit_to(Op::Assign(place.clone(), new), join, span);
        };
        self.at(open);
        let choice = self.outside_value(Ty::Bool, "errno", span);
        set(self, choice);
        self.at(certain);
        set(self, is(ERANGE));
        self.at(join);
    }

    /// The parts of the text that a floating conversion makes.
    pub(crate) fn float_parts(&mut self, piece: &Piece<'_>, float: &FloatPiece<'_>, parts: &mut Vec<Part>, span: Span) {
        let value = self.keep(float.arg.clone(), span);
        let Some((_, sign, top)) = self.bits_of(value.clone(), span) else { return };
        let negative = fold::binary(BinOp::And, Expr::read(sign.clone()), top);
        let negative = fold::binary(BinOp::Ne, negative, Expr::constant(sign.ty, 0));
        let negative = self.keep(negative, span);
        let places = piece.precision.unwrap_or(6);
        let exact = float.letter == b'f' && places <= MOST_PLACES && !self.cx.changes_rounding();
        let size = self.model().size_ty();
        let (text, length) = (self.temp(Ty::Ptr, span), self.temp(size, span));
        let join = self.graph.loc();
        if exact {
            // The extended format holds a double times 5^4.
            let narrow = value.ty == Ty::Float(FloatTy::F64) && places <= 4;
            let wide = Ty::Float(if narrow { FloatTy::F80 } else { FloatTy::F128 });
            let wide = fold::convert(wide, value.clone(), self.model());
            let magnitude = fold::ite(negative.clone(), fold::unary(UnOp::Neg, wide.clone()), wide);
            let magnitude = self.keep(magnitude, span);
            let small = self.keep(fold::binary(BinOp::Lt, magnitude.clone(), number(magnitude.ty, MOST)), span);
            self.fixed(piece, &magnitude, (&small, &negative), places, parts, span);
            let (by_digits, other) = (self.graph.loc(), self.graph.loc());
            self.split(small, by_digits, other, span);
            self.at(by_digits);
            self.emit(Op::Assign(Place::var(text, Ty::Ptr), Expr::null()), span);
            self.emit_to(Op::Assign(Place::var(length, size), self.bytes(0)), join, span);
            self.at(other);
        }
        let format = Expr::addr(Address::var(Var::Global(self.format_text(&float.text, span))));
        let args = [format, value.clone()];
        let made = self.library_call(Library::Format, &args, span);
        let n = self.library_call(Library::FormatLength, &args, span);
        let within = self.lengths(piece, float.letter, &value, &negative, &n);
        self.emit(Op::Assume(within), span);
        self.emit(Op::Assign(Place::var(text, Ty::Ptr), made), span);
        let n = fold::convert(size, n, self.model());
        self.emit_to(Op::Assign(Place::var(length, size), n), join, span);
        self.at(join);
        parts.push(Part::Text(Expr::var(text, Ty::Ptr), Expr::var(length, size)));
    }

    /// Between which lengths the text of a conversion lies that is not said digit by digit.
    fn lengths(&self, piece: &Piece<'_>, letter: u8, value: &Expr, negative: &Expr, n: &Expr) -> Expr {
        let long = value.ty != Ty::Float(FloatTy::F64);
        let places = piece.precision.unwrap_or(6);
        let point = u64::from(places > 0 || piece.alternative);
        let (least, most) = match letter {
            b'f' => (1 + point + places, (if long { 4_933 } else { 309 }) + point + places),
            b'e' => (1 + point + places + 4, 1 + point + places + if long { 6 } else { 5 }),
            b'g' => (1, places.max(1) + 8),
            _ => (6, piece.precision.unwrap_or(28) + 13),
        };
        let signed = fold::or(negative.clone(), Expr::bool(piece.sign.is_some()));
        let between = |least: u64, most: u64| {
            let bounds = |by: u64| {
                let bound =
                    |op, k: u64| fold::binary(op, n.clone(), Expr::int(n.ty, i128::from((k + by).max(piece.width))));
                fold::and(bound(BinOp::Ge, least), bound(BinOp::Le, most))
            };
            fold::ite(signed.clone(), bounds(1), bounds(0))
        };
        let Ty::Float(f) = value.ty else { return Expr::bool(true) };
        let infinity = crate::libc::infinity(f);
        let minus = fold::unary(UnOp::Neg, infinity.clone());
        let inside =
            |low: &Expr, high: &Expr| fold::and(compare(BinOp::Gt, value, low), compare(BinOp::Lt, value, high));
        let finite = inside(&minus, &infinity);
        let mut says = fold::ite(finite, between(least, most), between(3, 3));
        if letter == b'e' {
            // Exponents of two digits.
            let [low, high] = [1e-98, 1e98].map(|x| number(value.ty, x));
            let [minus_low, minus_high] = [&low, &high].map(|x| fold::unary(UnOp::Neg, x.clone()));
            let near = fold::or(inside(&low, &high), inside(&minus_high, &minus_low));
            let near = if f == FloatTy::F32 { Expr::bool(false) } else { near };
            let zero = compare(BinOp::Eq, value, &number(value.ty, 0.0));
            says = fold::and(says, implies(fold::or(near, zero), between(least, least)));
        }
        says
    }

    /// `%f`, digit by digit: all lengths are zero unless the number is small.
    fn fixed(
        &mut self,
        piece: &Piece<'_>,
        magnitude: &Expr,
        (small, negative): (&Expr, &Expr),
        places: u64,
        parts: &mut Vec<Part>,
        span: Span,
    ) {
        let word = Ty::int(32, false);
        let ty = magnitude.ty;
        let power = 10f64.powi(places as i32);
        // What stands before the point, what is left, and that times the power of ten: all of it exact.
        let known = fold::ite(small.clone(), magnitude.clone(), number(ty, 0.0));
        let known = self.keep(known, span);
        let before = self.keep(Expr::convert(word, known.clone()), span);
        let left = fold::binary(BinOp::Sub, known, fold::convert(ty, before.clone(), self.model()));
        let scaled = self.keep(fold::binary(BinOp::Mul, left, number(ty, power)), span);
        let after = self.keep(Expr::convert(word, scaled.clone()), span);
        let rest = fold::binary(BinOp::Sub, scaled, fold::convert(ty, after.clone(), self.model()));
        let rest = self.keep(rest, span);
        let one = Expr::int(word, 1);
        let last = if places == 0 { &before } else { &after };
        let odd = fold::binary(BinOp::And, last.clone(), one.clone());
        let odd = fold::binary(BinOp::Eq, odd, one.clone());
        let middle = number(ty, 0.5);
        let odd = if sabotage::active(Fault::PrintedTiesUp) { Expr::bool(true) } else { odd };
        let up = fold::or(compare(BinOp::Gt, &rest, &middle), fold::and(compare(BinOp::Eq, &rest, &middle), odd));
        let up = fold::convert(word, up, self.model());
        let after = self.keep(fold::binary(BinOp::Add, after, up), span);
        // All nines become the next number.
        let carry = fold::binary(BinOp::Eq, after.clone(), Expr::int(word, power as i128));
        let carry = self.keep(carry, span);
        let next = fold::binary(BinOp::Add, before.clone(), one);
        let before = self.keep(fold::ite(carry.clone(), next, before), span);
        let after = self.keep(fold::ite(carry, Expr::int(word, 0), after), span);
        let choose = |f: &Self, n: Expr| fold::ite(small.clone(), n, f.bytes(0));
        let count = self.digit_count(&before, 10);
        let count = self.keep(choose(self, count), span);
        let signed = fold::or(negative.clone(), Expr::bool(piece.sign.is_some()));
        let signs = fold::ite(signed, self.bytes(1), self.bytes(0));
        let signs = self.keep(choose(self, signs), span);
        let point = choose(self, self.bytes(u64::from(places > 0 || piece.alternative)));
        let behind = choose(self, self.bytes(places));
        let body = self.sum([&signs, &count, &point, &behind].into_iter());
        let body = self.keep(body, span);
        let pad = self.missing(piece.width, &body).map(|n| choose(self, n));
        let zeroes = piece.zero && !piece.minus;
        let sign = fold::ite(negative.clone(), byte(b'-'), byte(piece.sign.unwrap_or(b'+')));
        let mut own = vec![Part::Fill(sign, signs)];
        own.extend(pad.clone().filter(|_| zeroes).map(|n| Part::Fill(byte(b'0'), n)));
        own.push(self.digits(&before, count, 10, false, span));
        own.push(Part::Fill(byte(b'.'), point));
        if places > 0 {
            own.push(self.digits(&after, behind, 10, false, span));
        }
        let blanks = pad.filter(|_| !zeroes).map(|n| Part::Fill(byte(b' '), n));
        parts.extend(if piece.minus { own.into_iter().chain(blanks).collect() } else { joined(blanks, own) });
    }

    /// A constant text of our own.
    fn format_text(&mut self, text: &[u8], span: Span) -> ir::GlobalId {
        let name = format!(".format.{}", String::from_utf8_lossy(text));
        if let Some((id, _)) = self.cx.globals.iter_enumerated().find(|(_, g)| g.name == name) {
            return id;
        }
        let item = |(i, b): (usize, &u8)| InitItem { offset: i as u64, bits: None, value: byte(*b) };
        self.cx.globals.push(Global {
            name,
            shape: Shape::Object { size: text.len() as u64 + 1, align: 1 },
            init: Init::Values(text.iter().enumerate().map(item).collect()),
            linkage: Linkage::Internal,
            exposure: ir::Exposure::Hidden,
            constant: true,
            span,
        })
    }
}

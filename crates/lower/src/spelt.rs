//! String functions without a contract: where one of the strings is a constant, or lies in a small object of the program,
//! the result is an expression over the bytes, byte by byte. It says exactly what C says, so nothing is lost in a proof.
//!
//! Choices are evaluated by need: no byte behind the end of a string is read.
//! Comparisons end in `.sign`, which gives any number with the sign of its argument: C promises no more.

use crate::fold;
use crate::function::Fun;
use crate::place::unnamed;
use base::Span;
use ir::library::Library;
use ir::{Address, Base, BinOp, Expr, Ty, Ub, Var};

/// The most bytes that are spelt out.
const MOST: u64 = 64;

/// Where a comparison ends.
#[derive(Clone, Copy)]
enum End {
    /// At the end of both strings.
    Zero,
    /// After so many bytes.
    Count(u64),
    /// At whichever comes first.
    Either(u64),
}

impl Fun<'_, '_> {
    /// The result of a library function as an expression, where it has one that is not long. Its arguments have the
    /// types of the parameters.
    pub(crate) fn spelt_out(&mut self, lib: Library, args: &[Expr], span: Span) -> Option<Expr> {
        let count = |i: usize| args.get(i).and_then(Expr::as_const).and_then(|n| u64::try_from(n).ok());
        match lib {
            Library::Strlen => self.spelt_length(&args[0], None, span),
            Library::Strnlen => self.spelt_length(&args[0], Some(count(1).filter(|&n| n <= MOST)?), span),
            Library::Strcmp => self.spelt_comparison(&args[0], &args[1], End::Zero, span),
            Library::Strncmp => self.spelt_comparison(&args[0], &args[1], End::Either(count(2)?), span),
            Library::Memcmp => {
                let n = count(2).filter(|&n| n <= MOST)?;
                self.spelt_comparison(&args[0], &args[1], End::Count(n), span)
            }
            _ => None,
        }
    }

    fn spelt_length(&mut self, text: &Expr, most: Option<u64>, span: Span) -> Option<Expr> {
        let within = self.extent(text);
        let n = match (within, most) {
            (Some(a), Some(b)) => a.min(b),
            (Some(n), None) | (None, Some(n)) => n,
            (None, None) => return None,
        };
        let text = self.keep_if_memory(text.clone(), span);
        let ends = |at: Expr| fold::binary(BinOp::Eq, at.clone(), Expr::int(at.ty, 0));
        // Past the last byte there is only what `most` allows.
        let limited = most.is_some_and(|m| within.is_none_or(|w| m <= w));
        let mut length = self.bytes(n);
        let mut stops = Expr::bool(limited);
        for i in (0..n).rev() {
            let end = ends(self.byte_at(&text, i));
            length = fold::ite(end.clone(), self.bytes(i), length);
            stops = fold::ite(end, Expr::bool(true), stops);
        }
        self.guard(Ub::OutOfBounds, stops);
        Some(self.keep(length, span))
    }

    fn spelt_comparison(&mut self, a: &Expr, b: &Expr, end: End, span: Span) -> Option<Expr> {
        let shortest = [self.extent(a), self.extent(b)].into_iter().flatten().min();
        let (n, stops_at_zero, limited) = match end {
            End::Zero => (shortest?, true, false),
            End::Count(n) => (n, false, true),
            End::Either(n) => match shortest {
                Some(s) if s < n => (s, true, false),
                _ => (Some(n).filter(|&n| n <= MOST)?, true, true),
            },
        };
        let a = self.keep_if_memory(a.clone(), span);
        let b = self.keep_if_memory(b.clone(), span);
        let int = Ty::int(32, true);
        let mut difference = Expr::int(int, 0);
        let mut stops = Expr::bool(limited);
        for i in (0..n).rev() {
            let (x, y) = (self.byte_at(&a, i), self.byte_at(&b, i));
            let differ = fold::binary(BinOp::Ne, x.clone(), y.clone());
            let by = |e: &Expr| fold::convert(int, e.clone(), self.model());
            let here = fold::binary(BinOp::Sub, by(&x), by(&y));
            if stops_at_zero {
                // One of two equal bytes says whether both are zero: the constant one, if there is one.
                let known = if x.as_const().is_some() { x } else { y };
                let zero = fold::binary(BinOp::Eq, known.clone(), Expr::int(known.ty, 0));
                difference = fold::ite(zero.clone(), Expr::int(int, 0), difference);
                stops = fold::ite(zero, Expr::bool(true), stops);
            }
            difference = fold::ite(differ.clone(), here, difference);
            stops = fold::ite(differ, Expr::bool(true), stops);
        }
        self.guard(Ub::OutOfBounds, stops);
        let difference = self.keep(difference, span);
        if difference.as_const().is_some_and(|d| d == 0) {
            return Some(difference);
        }
        Some(self.library_call(Library::Sign, &[difference], span))
    }

    /// How many bytes there are from a pointer to the end of its object, where both are known and these are few.
    fn extent(&self, ptr: &Expr) -> Option<u64> {
        let ir::ExprKind::Addr(Address { base: Base::Var(v), offset, indices }) = &ptr.kind else { return None };
        let ir::Shape::Object { size, .. } = self.shape(*v) else { return None };
        let from = u64::try_from(*offset).ok().filter(|&o| o < size && indices.is_empty())?;
        let extent = match self.literal_length(ptr) {
            Some(n) => n + 1,
            None => size - from,
        };
        (extent <= MOST).then_some(extent)
    }

    /// A byte behind a pointer; a constant where the program says what it is.
    fn byte_at(&self, ptr: &Expr, i: u64) -> Expr {
        let byte = Ty::int(8, false);
        let addr = self.advance(self.pointed(ptr.clone()), i as i64);
        if let (Base::Var(Var::Global(g)), true) = (&addr.base, self.literal_length(ptr).is_some()) {
            return Expr::int(byte, self.constant_byte(*g, addr.offset as u64).into());
        }
        Expr::read(unnamed(addr, byte))
    }
}

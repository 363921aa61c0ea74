//! `errno`: what the functions of the library do to it ([`ir::library::c::Errno`]). Only programs that look at it have it.

use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use base::Span;
use ir::library::c::Errno;
use ir::library::{EINVAL, ENOMEM, ERANGE, Library, NO_NUMBER};
use ir::{BinOp, Expr, HavocDst, Op, Place, Source, Ty, Var};

impl Fun<'_, '_> {
    /// Where `errno` is, if the program looks at it.
    pub(crate) fn errno(&mut self, span: Span) -> Option<Place> {
        if !self.cx.errno {
            return None;
        }
        let errno = Var::Global(self.cx.library_object("__errno_location", span));
        Some(Place::var(errno, self.scalar_of(errno)))
    }

    /// Whether a result is wanted in `errno` itself: then it gets there after what the call does to it.
    pub(crate) fn is_errno(&mut self, want: Want, span: Span) -> bool {
        let errno = self.errno(span).and_then(|place| place.as_var());
        matches!(want, Want::Into(var) if errno == Some(var))
    }

    /// Whether a call that gives null has failed to find memory; kept, because it is asked when the call is over.
    pub(crate) fn asked_for_memory(&mut self, what: Errno, args: &[Expr], span: Span) -> Expr {
        let sizes = if let Errno::Memory(sizes) = what { sizes } else { &[] };
        let asked = sizes.iter().filter_map(|&i| args.get(i)).map(|n| fold::truth(n.clone()));
        let all = asked.fold(Expr::bool(true), fold::and);
        if all.as_const().is_some() { all } else { self.keep(all, span) }
    }

    /// What a call with this result has done to `errno`.
    pub(crate) fn errno_after(&mut self, what: Errno, asked: Expr, result: Option<&Expr>, span: Span) {
        match (what, result) {
            (Errno::Keeps | Errno::Exact, _) => {}
            (Errno::Memory(_), Some(p)) if p.ty == Ty::Ptr => {
                let none = fold::binary(BinOp::Eq, p.clone(), Expr::null());
                self.errno_may_be(Some(fold::and(none, asked)), ENOMEM, span);
            }
            (Errno::May | Errno::Memory(_), _) => self.errno_may_be(None, 0, span),
        }
    }

    /// `errno` is `code` if `certain` holds, and otherwise stays or becomes anything but zero.
    fn errno_may_be(&mut self, certain: Option<Expr>, code: i128, span: Span) {
        let Some(place) = self.errno(span) else { return };
        let ty = place.ty;
        let new = self.outside_value(ty, "errno", span);
        let is_set = fold::binary(BinOp::Ne, new.clone(), Expr::int(ty, 0));
        let maybe = fold::ite(is_set, new, Expr::read(place.clone()));
        let value = match certain {
            Some(certain) => fold::ite(certain, Expr::int(ty, code), maybe),
            None => maybe,
        };
        self.emit(Op::Assign(place, value), span);
    }

    /// `errno` after `strtol` and its kin. Without a number POSIX lets it stay or be `EINVAL`; glibc leaves it.
    pub(crate) fn errno_of_number(&mut self, lib: Library, text: &Expr, base: &Expr, value: &Expr, span: Span) {
        let Some(place) = self.errno(span) else { return };
        let error = match lib {
            Library::Strtol32 => Library::StrtolError32,
            Library::Strtoul32 => Library::StrtoulError32,
            Library::Strtol64 => Library::StrtolError64,
            _ => Library::StrtoulError64,
        };
        let error = self.library_call(error, &[text.clone(), base.clone()], span);
        let is = |n: i128| fold::binary(BinOp::Eq, error.clone(), Expr::int(error.ty, n));
        // A number that does not fit is one of the ends of the type; without a number the value is zero.
        let Ty::Int(int) = value.ty else { return };
        let (least, most) =
            if int.signed { (-(1i128 << (int.width - 1)), (1i128 << (int.width - 1)) - 1) } else { (-1, -1) };
        let value_is = |n: i128| fold::binary(BinOp::Eq, value.clone(), Expr::int(value.ty, n));
        let limit = fold::or(value_is(least), value_is(most));
        let none = fold::or(is(EINVAL), is(NO_NUMBER));
        let said = fold::and(fold::or(is(ERANGE).negate(), limit), fold::or(none.negate(), value_is(0)));
        self.emit(Op::Assume(said), span);
        let choice = self.outside_value(Ty::Bool, "errno", span);
        let ty = place.ty;
        let old = Expr::read(place.clone());
        let maybe = fold::ite(fold::and(is(NO_NUMBER), choice), Expr::int(ty, EINVAL), old);
        let new = fold::ite(is(ERANGE), Expr::int(ty, ERANGE), fold::ite(is(EINVAL), Expr::int(ty, EINVAL), maybe));
        self.emit(Op::Assign(place, new), span);
    }

    /// An arbitrary value that comes from outside.
    pub(crate) fn outside_value(&mut self, ty: Ty, what: &str, span: Span) -> Expr {
        let var = self.temp(ty, span);
        let source = Source::Outside(what.to_owned());
        self.emit(Op::Havoc(HavocDst::Place(Place::var(var, ty)), source), span);
        Expr::var(var, ty)
    }
}

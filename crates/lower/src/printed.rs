//! What printing functions do with their arguments besides making a text: strings that they read are asked for, pointers that they print
//! leave the program, and where their format is not known they are not followed if that matters.

use crate::call::va_slot;
use crate::conversion::{self, Conversion, Precision};
use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::place::{Lv, unnamed};
use base::Span;
use cfront::tree::ExprId;
use ir::library::Library;
use ir::{BinOp, Expr, Ty};

impl Fun<'_, '_> {
    /// The length of what a format and its arguments make, if it is wanted, after all that printing it does besides.
    pub(crate) fn printed(&mut self, format: &[Expr], want: Want, span: Span) -> Option<Expr> {
        let all = self.conversions(&format[0]);
        let counts = all.iter().flatten().any(|c| c.letter == b'n');
        let needed = want != Want::Nothing || self.checks_memory() || counts;
        let exact = if needed { self.printed_length(format, span) } else { None };
        if counts && exact.is_none() {
            self.unsupported("format that writes a count", span);
        }
        self.arguments_read(all.as_deref().unwrap_or_default(), &format[1..], needed && exact.is_none(), span);
        needed.then(|| exact.unwrap_or_else(|| self.library_call(Library::FormatLength, format, span)))
    }

    /// The conversions of a format, if it is known.
    pub(crate) fn conversions(&self, format: &Expr) -> Option<Vec<Conversion>> {
        conversion::all(&self.known_text(format)?, self.model())
    }

    /// What conversions do with their arguments: pointers and strings leave; strings are asked for if `checks` says that nobody has.
    pub(crate) fn arguments_read(&mut self, all: &[Conversion], args: &[Expr], checks: bool, span: Span) {
        let mut next = 0;
        for c in all {
            let own = args.get(next..next + c.args.len()).unwrap_or_default();
            next += c.args.len();
            let Some(value) = own.last().filter(|v| v.ty == Ty::Ptr) else { continue };
            match c.letter {
                b'p' => self.pointer_leaves(value, span),
                b's' | b'S' if c.wide && self.checks_memory() => self.unsupported("wide text that is printed", span),
                b's' if !c.wide && (checks || self.cx.reads_back) => {
                    let precision = match c.precision {
                        Precision::Absent => None,
                        Precision::Number(n) => Some(self.bytes(n)),
                        Precision::Argument => Some(own[own.len() - 2].clone()),
                    };
                    self.text_read(value, precision, span);
                }
                _ => {}
            }
        }
    }

    /// A text of no more bytes than the precision, if that is not negative.
    fn text_read(&mut self, text: &Expr, precision: Option<Expr>, span: Span) {
        let text = self.keep_if_memory(text.clone(), span);
        let Some(most) = precision else { return self.printed_text(&text, span) };
        let most = self.keep_if_memory(most, span);
        let size = self.model().size_ty();
        let negative = match most.ty {
            Ty::Int(i) if i.signed => fold::binary(BinOp::Lt, most.clone(), Expr::int(most.ty, 0)),
            _ => Expr::bool(false),
        };
        let (whole, part, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.split(negative, whole, part, span);
        self.at(whole);
        self.printed_text(&text, span);
        self.goto(join, span);
        self.at(part);
        let most = fold::convert(size, most, self.model());
        self.printed_part(&text, &most, span);
        self.goto(join, span);
        self.at(join);
    }

    /// The arguments in a list: pointers among them leave the program.
    pub(crate) fn list_leaves(&mut self, format: &Expr, next: &Expr, span: Span) {
        let Some(all) = self.conversions(format) else {
            // Any of them may.
            if self.cx.reads_back && !self.checks_memory() {
                let i = self.outside_value(self.model().size_ty(), "byte that leaves the program", span);
                let at = self.pointed(self.plus(next, &i));
                let byte = self.read(Lv::plain(unnamed(at, Ty::int(8, false))), span);
                self.keep(byte, span);
            }
            return;
        };
        if all.iter().all(|c| !matches!(c.letter, b'p' | b's')) {
            return;
        }
        let next = self.keep_if_memory(next.clone(), span);
        let mut offset = 0;
        for c in &all {
            for (i, &ty) in c.args.iter().enumerate() {
                if i + 1 == c.args.len() && c.letter == b'p' {
                    let at = self.advance(self.pointed(next.clone()), offset as i64);
                    let value = self.read(Lv::plain(unnamed(at, ty)), span);
                    self.pointer_leaves(&value, span);
                }
                offset += va_slot(ty.size(self.model()));
            }
        }
    }

    /// What a list of arguments leads to is read by a format which nobody could take apart.
    pub(crate) fn list_readable(&mut self, format: &Expr, span: Span) {
        if !self.checks_memory() {
            return;
        }
        self.library_call(Library::Strlen, std::slice::from_ref(format), span);
        let plain = |c: &Conversion| !matches!(c.letter, b's' | b'S' | b'n');
        if !self.conversions(format).is_some_and(|all| all.iter().all(plain)) {
            self.unsupported("strings that a list of arguments leads to are not checked", span);
        }
    }

    /// A call with a format that nobody knows, where accesses are asked for: the format is, and then there is no more to say.
    pub(crate) fn unknown_format(
        &mut self,
        e: ExprId,
        format: Option<ExprId>,
        args: &[ExprId],
        span: Span,
    ) -> Option<Expr> {
        for &a in args {
            let value = self.unit.types.is_aggregate(self.unit.exprs[a].ty);
            if value || Some(a) != format {
                self.effect(a);
                continue;
            }
            let text = self.value(a);
            let text = self.keep_if_memory(text, span);
            self.library_call(Library::Strlen, std::slice::from_ref(&text), span);
        }
        Some(self.refuse(e, "accesses by a format that is not known"))
    }
}

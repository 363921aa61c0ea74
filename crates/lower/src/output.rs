//! What the program prints, for an interpreter that shows it ([`Options::output`](crate::Options::output)): before its
//! ordinary model, a printing function is a call of the library's formatting function whose result nobody takes.

use crate::fold;
use crate::function::Fun;
use base::Span;
use ir::library::Library;
use ir::library::recipe::Recipe;
use ir::{Address, Call, Callee, Expr, Op, Ty, Var};

impl Fun<'_, '_> {
    /// The call of a printing function with these arguments; those of the checking versions have been taken out.
    pub(crate) fn print(&mut self, recipe: Option<Recipe>, name: &str, args: &[Expr], span: Span) {
        match (recipe, crate::model::plain_name(name), args) {
            (Some(Recipe::Format(0)), _, [_, ..]) => self.print_formatted(Library::FormatLength, args, span),
            (Some(Recipe::Format(1)), _, [stream, rest @ ..])
                if self.is_standard_output(stream) && !rest.is_empty() =>
            {
                self.print_formatted(Library::FormatLength, rest, span);
            }
            (_, "puts", [text]) => self.print_as("%s\n", text, span),
            (_, "putchar", [c]) => self.print_as("%c", c, span),
            (_, "fputs", [text, stream]) if self.is_standard_output(stream) => self.print_as("%s", text, span),
            (_, "fputc" | "putc", [c, stream]) if self.is_standard_output(stream) => self.print_as("%c", c, span),
            _ => {}
        }
    }

    /// The text of a format and its arguments is printed.
    pub(crate) fn print_formatted(&mut self, lib: Library, args: &[Expr], span: Span) {
        let mut args = args.to_vec();
        for (value, ty) in args.iter_mut().zip(lib.params(self.model())) {
            *value = fold::convert(ty, value.clone(), self.model());
        }
        let callee = Callee::Direct(self.cx.library(lib, span));
        self.emit(Op::Call(Call { dst: None, callee, args }), span);
    }

    fn print_as(&mut self, format: &str, value: &Expr, span: Span) {
        let format = Expr::addr(Address::var(Var::Global(self.cx.text(format, span))));
        self.print_formatted(Library::FormatLength, &[format, value.clone()], span);
    }

    /// Whether the expression is the C library's variable `stdout`.
    pub(crate) fn is_standard_output(&self, stream: &Expr) -> bool {
        let ir::ExprKind::Read(place) = &stream.kind else { return false };
        let Some(Var::Global(g)) = place.as_var() else { return false };
        self.cx.globals[g].name == "stdout" && place.ty == Ty::Ptr
    }
}

//! What library functions read, asked before they read it: that texts end inside their objects, and that ranges lie inside.
//!
//! Only where an access that is not fine is a defect (`--check null,bounds,free`): then a proof has to say that none happens
//! inside of a library function either. Otherwise a library function gives some result wherever its arguments point to,
//! which leaves out no execution. Pointers to constant texts of the program are fine without asking.

use crate::fold;
use crate::function::Fun;
use crate::place::ask;
use base::Span;
use ir::library::Library;
use ir::{Ask, BinOp, Expr, Ty, Ub, UbPolicy};

/// What a function reads behind an argument.
#[derive(Clone, Copy)]
enum Reads {
    /// A text with the zero at its end.
    Text(usize),
    /// The same, but no more bytes than the other argument says.
    TextUpTo(usize, usize),
    /// As many bytes as the other argument says.
    Range(usize, usize),
    /// As many bytes as the product of the others.
    Product(usize, usize, usize),
}

/// What the library function reads. Of those with results that the questions need, and of those that come with another
/// that reads the same, nothing is said here.
fn reads(lib: Library) -> &'static [Reads] {
    use Library::*;
    match lib {
        Strcmp | Strcasecmp | Strstr | Strpbrk | Strspn | Strcspn => &[Reads::Text(0), Reads::Text(1)],
        Strncmp | Strncasecmp => &[Reads::TextUpTo(0, 2), Reads::TextUpTo(1, 2)],
        Memcmp => &[Reads::Range(0, 2), Reads::Range(1, 2)],
        Strchr | Strrchr | Strtol32 | Strtoul32 | Strtol64 | Strtoul64 => &[Reads::Text(0)],
        Format | FormatLength | Vformat | VformatLength => &[Reads::Text(0)],
        _ => &[],
    }
}

/// What a function of the library without a recipe reads, by its name.
fn row_reads(name: &str) -> &'static [Reads] {
    match name {
        "puts" | "fputs" | "remove" | "unlink" | "mkdir" | "rmdir" | "chdir" | "access" | "creat" | "open"
        | "getenv" | "readlink" => &[Reads::Text(0)],
        "fopen" | "rename" => &[Reads::Text(0), Reads::Text(1)],
        "fwrite" => &[Reads::Product(0, 1, 2)],
        "write" | "send" => &[Reads::Range(1, 2)],
        _ => &[],
    }
}

impl Fun<'_, '_> {
    fn is_checked(&self, ub: Ub) -> bool {
        self.cx.opts.ub.get(ub) == UbPolicy::Checked
    }

    /// Whether an access that is not fine is a defect.
    pub(crate) fn checks_memory(&self) -> bool {
        [Ub::NullDeref, Ub::UseAfterFree, Ub::OutOfBounds].iter().any(|&ub| self.is_checked(ub))
    }

    /// Asks for what a library function is about to read.
    pub(crate) fn readable(&mut self, lib: Library, args: &[Expr], span: Span) {
        self.all_readable(reads(lib), args, span);
    }

    /// The same for a function with a row.
    pub(crate) fn readable_by_row(&mut self, name: &str, args: &[Expr], span: Span) {
        self.all_readable(row_reads(name), args, span);
    }

    fn all_readable(&mut self, all: &[Reads], args: &[Expr], span: Span) {
        if !self.checks_memory() {
            return;
        }
        let size = |f: &Self, i: usize| fold::convert(f.model().size_ty(), args[i].clone(), f.model());
        for read in all {
            match *read {
                Reads::Text(i) => _ = self.library_call(Library::Strlen, &args[i..=i], span),
                Reads::TextUpTo(i, n) => {
                    _ = self.library_call(Library::Strnlen, &[args[i].clone(), size(self, n)], span);
                }
                Reads::Range(i, n) => self.access_range(&args[i], &size(self, n)),
                Reads::Product(i, a, b) => {
                    let n = fold::binary(BinOp::Mul, size(self, a), size(self, b));
                    self.access_range(&args[i], &n);
                }
            }
            self.flush(span);
        }
    }

    /// Asks before the length of a text is looked for that its first byte is there.
    pub(crate) fn begins_readable(&mut self, lib: Library, args: &[Expr], span: Span) {
        if !self.checks_memory() {
            return;
        }
        match lib {
            Library::Strlen => _ = self.string_argument(&args[0]),
            Library::Strnlen | Library::Memchr => {
                let n = args.last().expect("the number of bytes comes last");
                let none = fold::binary(BinOp::Eq, n.clone(), Expr::int(n.ty, 0));
                let one = fold::ite(none, Expr::int(n.ty, 0), Expr::int(n.ty, 1));
                self.access_range(&args[0], &one);
            }
            _ => return,
        }
        self.flush(span);
    }

    /// Asks afterwards that all bytes up to the one that decided are there.
    pub(crate) fn ends_readable(&mut self, lib: Library, args: &[Expr], result: &Expr, span: Span) {
        if !self.is_checked(Ub::OutOfBounds) {
            return;
        }
        // The first byte has been asked for, and no object is so large that the way to the last one could wrap.
        match lib {
            Library::Strlen => {
                let last = ask(Ask::InBounds(1), self.plus(&args[0], result));
                self.guard(Ub::OutOfBounds, last);
            }
            Library::Strnlen => {
                let n = &args[1];
                let none = fold::binary(BinOp::Eq, n.clone(), Expr::int(n.ty, 0));
                let before = fold::binary(BinOp::Sub, n.clone(), Expr::int(n.ty, 1));
                let last = self.least(result, &before);
                let last = ask(Ask::InBounds(1), self.plus(&args[0], &last));
                self.guard(Ub::OutOfBounds, fold::or(none, last));
            }
            Library::Memchr => {
                let nowhere = fold::binary(BinOp::Eq, result.clone(), Expr::null());
                let n = &args[2];
                self.access_range(&args[0], &fold::ite(nowhere.clone(), n.clone(), Expr::int(n.ty, 0)));
                let there = ask(Ask::InBounds(1), fold::convert(Ty::Ptr, result.clone(), self.model()));
                self.guard(Ub::OutOfBounds, fold::or(nowhere, there));
            }
            _ => return,
        }
        self.flush(span);
    }
}

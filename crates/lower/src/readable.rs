//! What library functions read, asked before they read it: that strings end inside their objects, and that ranges lie inside. And
//! what of it leaves the program: the pointers among those bytes can come back as input.
//!
//! Only where an access that is not fine is a defect (`--check null,bounds,free`): then a proof has to say that none happens
//! inside of a library function either. Otherwise a library function gives some result wherever its arguments point to,
//! which leaves out no execution. Pointers to constant strings of the program are fine without asking.

use crate::fold;
use crate::function::Fun;
use crate::model::plain_name;
use crate::place::{Lv, object_predicate, unnamed};
use base::Span;
use ir::library::Library;
use ir::library::c::{self, Read, Row};
use ir::{BinOp, Expr, ObjectPredicate, Op, Ty, Ub, UbPolicy};

/// The variables of the library that hold streams.
pub(crate) const STANDARD_STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// So many words that leave the program are looked at one by one.
const MOST_WORDS: u64 = 8;

/// What a function of [`Library`] reads behind an argument.
#[derive(Clone, Copy)]
enum Reads {
    /// A text with the zero at its end.
    Text(usize),
    /// The same, but no more bytes than the other argument says.
    TextUpTo(usize, usize),
    /// As many bytes as the other argument says.
    Range(usize, usize),
}

/// What the library function reads. Of those with results that the questions need, and of those that come with another
/// that reads the same, nothing is said here.
fn reads(lib: Library) -> &'static [Reads] {
    use Library::*;
    match lib {
        Strcmp | Strcasecmp | Strstr | Strpbrk | Strspn | Strcspn => &[Reads::Text(0), Reads::Text(1)],
        Strncmp | Strncasecmp => &[Reads::TextUpTo(0, 2), Reads::TextUpTo(1, 2)],
        Memcmp => &[Reads::Range(0, 2), Reads::Range(1, 2)],
        Strchr | Strrchr | Strtol32 | Strtoul32 | Strtol64 | Strtoul64 | Strtod | Strtof | Strtold => &[Reads::Text(0)],
        Format | FormatLength | Vformat | VformatLength => &[Reads::Text(0)],
        _ => &[],
    }
}

impl Fun<'_, '_> {
    /// Whether this kind of undefined behaviour is a defect.
    pub(crate) fn is_checked(&self, ub: Ub) -> bool {
        self.cx.opts.ub.get(ub) == UbPolicy::Checked
    }

    /// Whether an access that is not fine is a defect.
    pub(crate) fn checks_memory(&self) -> bool {
        self.cx.checks_memory()
    }

    /// Asks for what a library function is about to read.
    pub(crate) fn readable(&mut self, lib: Library, args: &[Expr], span: Span) {
        self.all_readable(reads(lib), args, span);
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
            }
            self.flush(span);
        }
    }

    /// Asks for the streams of a function with a row: they are not null. (What else can be wrong with one is not looked at.) The
    /// arguments are as the call has them, so that the standard streams are seen, which are not null from the start.
    pub(crate) fn streams_there(&mut self, name: &str, args: &[Expr], span: Span) {
        let Some(row) = c::row(plain_name(name)).filter(|_| self.is_checked(Ub::NullDeref)) else { return };
        for stream in row.streams().filter_map(|i| args.get(i)) {
            if self.cx.standard_streams_stay && self.is_standard_stream(stream) {
                continue;
            }
            let there = fold::binary(BinOp::Ne, fold::convert(Ty::Ptr, stream.clone(), self.model()), Expr::null());
            self.guard(Ub::NullDeref, there);
        }
        self.flush(span);
    }

    fn is_standard_stream(&self, stream: &Expr) -> bool {
        let ir::ExprKind::Read(place) = &stream.kind else { return false };
        let Some(ir::Var::Global(g)) = place.as_var() else { return false };
        place.ty == Ty::Ptr && STANDARD_STREAMS.contains(&self.cx.globals[g].name.as_str())
    }

    /// What a function with a row reads: it is asked for, and what leaves the program has left it.
    pub(crate) fn read_by_row(&mut self, row: &Row, args: &[Expr], span: Span) {
        for &read in row.reads {
            let ptr = fold::convert(Ty::Ptr, args[read.from()].clone(), self.model());
            if !row.nullable.contains(&read.from()) {
                self.read_outside(read, &ptr, args, span);
                continue;
            }
            let (there, join) = (self.graph.loc(), self.graph.loc());
            self.split(fold::binary(BinOp::Ne, ptr.clone(), Expr::null()), there, join, span);
            self.at(there);
            self.read_outside(read, &ptr, args, span);
            self.goto(join, span);
            self.at(join);
        }
    }

    fn read_outside(&mut self, read: Read, ptr: &Expr, args: &[Expr], span: Span) {
        let size = self.model().size_ty();
        let number = |f: &Self, i: usize| fold::convert(size, args[i].clone(), f.model());
        match read {
            Read::Text(_) if self.checks_memory() => {
                _ = self.library_call(Library::Strlen, std::slice::from_ref(ptr), span);
            }
            Read::Text(_) => {}
            Read::Printed(_) => self.printed_text(ptr, span),
            Read::Sent(_, n) => {
                let n = number(self, n);
                self.sent(ptr, n, span);
            }
            Read::SentProduct(_, a, b) => {
                let n = self.product(number(self, a), number(self, b));
                self.sent(ptr, n, span);
            }
            Read::Longs(_, n) => {
                let bytes = n * u64::from(self.model().ptr_width() / 8);
                self.access_range(ptr, &Expr::int(size, bytes.into()));
                self.flush(span);
            }
        }
    }

    /// A text is printed.
    pub(crate) fn printed_text(&mut self, ptr: &Expr, span: Span) {
        let leaves = self.cx.reads_back && self.literal_length(ptr).is_none();
        if leaves || self.checks_memory() {
            let n = self.library_call(Library::Strlen, std::slice::from_ref(ptr), span);
            if leaves {
                self.leaves(ptr, &n, span);
            }
        }
    }

    /// No more than so many bytes of a text are printed.
    pub(crate) fn printed_part(&mut self, ptr: &Expr, most: &Expr, span: Span) {
        if self.cx.reads_back || self.checks_memory() {
            let n = self.library_call(Library::Strnlen, &[ptr.clone(), most.clone()], span);
            if self.cx.reads_back {
                self.leaves(ptr, &n, span);
            }
        }
    }

    fn sent(&mut self, ptr: &Expr, n: Expr, span: Span) {
        let n = self.keep_if_memory(n, span);
        if self.checks_memory() {
            self.access_range(ptr, &n);
            self.flush(span);
        }
        self.leaves(ptr, &n, span);
    }

    /// So many bytes leave the program: if one of them belongs to a pointer, that is a number now, which can come back. Any
    /// of them is read as a number, which is how memory says such a thing; all of them, where they are few.
    fn leaves(&mut self, ptr: &Expr, n: &Expr, span: Span) {
        let word = u64::from(self.model().ptr_width() / 8);
        if let Some(n) = n.as_const().and_then(|n| u64::try_from(n).ok()).filter(|n| *n <= MOST_WORDS * word) {
            let mut at = 0;
            while at < n {
                let bytes = if at + word <= n { word } else { 1 };
                let place = self.advance(self.pointed(ptr.clone()), at as i64);
                let value = self.read(Lv::plain(unnamed(place, Ty::int(8 * bytes as u16, false))), span);
                self.keep(value, span);
                at += bytes;
            }
            return;
        }
        let (some, join) = (self.graph.loc(), self.graph.loc());
        self.split(fold::binary(BinOp::Ne, n.clone(), Expr::int(n.ty, 0)), some, join, span);
        self.at(some);
        let i = self.outside_value(n.ty, "byte that leaves the program", span);
        self.emit(Op::Assume(fold::binary(BinOp::Lt, i.clone(), n.clone())), span);
        let at = self.plus(ptr, &i);
        let byte = self.read(Lv::plain(unnamed(self.pointed(at), Ty::int(8, false))), span);
        self.keep(byte, span);
        self.goto(join, span);
        self.at(join);
    }

    /// A pointer is printed: it is a number now.
    pub(crate) fn pointer_leaves(&mut self, ptr: &Expr, span: Span) {
        if ptr.ty == Ty::Ptr && ptr.as_const().is_none() {
            let number = fold::convert(self.model().size_ty(), ptr.clone(), self.model());
            self.keep(number, span);
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
                let last = object_predicate(ObjectPredicate::InBounds(1), self.plus(&args[0], result));
                self.guard(Ub::OutOfBounds, last);
            }
            Library::Strnlen => {
                let n = &args[1];
                let none = fold::binary(BinOp::Eq, n.clone(), Expr::int(n.ty, 0));
                let before = fold::binary(BinOp::Sub, n.clone(), Expr::int(n.ty, 1));
                let last = self.least(result, &before);
                let last = object_predicate(ObjectPredicate::InBounds(1), self.plus(&args[0], &last));
                self.guard(Ub::OutOfBounds, fold::or(none, last));
            }
            Library::Memchr => {
                let nowhere = fold::binary(BinOp::Eq, result.clone(), Expr::null());
                let n = &args[2];
                self.access_range(&args[0], &fold::ite(nowhere.clone(), n.clone(), Expr::int(n.ty, 0)));
                let there = object_predicate(
                    ObjectPredicate::InBounds(1),
                    fold::convert(Ty::Ptr, result.clone(), self.model()),
                );
                self.guard(Ub::OutOfBounds, fold::or(nowhere, there));
            }
            _ => return,
        }
        self.flush(span);
    }
}

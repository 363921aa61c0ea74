//! `getline` and `getdelim`: a line of any length comes in, into memory that the function gets or makes larger, as glibc has it.

use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::libc::AllocKind;
use crate::place::{Lv, object_predicate, unnamed};
use base::Span;
use ir::{BinOp, Expr, ObjectPredicate, Op, Place, Source, Ty, Ub, Var};

/// Of so many characters of a line it is said that they do not end it.
const SAID: u64 = 32;

/// The memory of a line.
struct Buffer {
    /// Where the program keeps its address.
    at: Expr,
    /// Where it keeps its size.
    size_at: Expr,
    /// Its address by now.
    ptr: Var,
    /// Its size by now.
    size: Var,
}

impl Fun<'_, '_> {
    /// `getdelim(at, size_at, delimiter, stream)`, or `getline` without the delimiter.
    pub(crate) fn get_line(
        &mut self,
        name: &str,
        args: &[Expr],
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let (model, word) = (self.model(), self.model().size_ty());
        let int = Ty::int(model.ptr_width(), true);
        self.streams_there(name, args, span);
        let mut args = args.to_vec();
        for arg in &mut args {
            *arg = self.keep_if_memory(arg.clone(), span);
        }
        let delimiter = if args.len() > 3 { args[2].clone() } else { Expr::int(Ty::int(32, true), 10) };
        let [at, size_at] = [0, 1].map(|i| fold::convert(Ty::Ptr, args[i].clone(), model));
        let old = self.read(Lv::plain(unnamed(self.pointed(at.clone()), Ty::Ptr)), span);
        let had = self.read(Lv::plain(unnamed(self.pointed(size_at.clone()), word)), span);
        let (ptr, size, result) = (self.temp(Ty::Ptr, span), self.temp(word, span), self.temp(int, span));
        self.emit(Op::Assign(Place::var(ptr, Ty::Ptr), old), span);
        self.emit(Op::Assign(Place::var(size, word), had), span);
        let n = self.outside_value(int, name, span);
        let is = |op: BinOp, k: i128| fold::binary(op, n.clone(), Expr::int(int, k));
        self.emit(Op::Assume(fold::or(is(BinOp::Eq, -1), is(BinOp::Ge, 1))), span);
        self.emit(Op::Assign(Place::var(result, int), n.clone()), span);
        let done = self.graph.loc();
        // Where nothing comes in there may be memory for it already, or not.
        let (room, failed) = (self.graph.loc(), self.graph.loc());
        let at_once = self.outside_value(Ty::Bool, name, span);
        self.split(fold::and(is(BinOp::Eq, -1), at_once), done, room, span);
        self.at(room);
        let need = fold::ite(is(BinOp::Eq, -1), self.bytes(1), self.one_more(&fold::convert(word, n.clone(), model)));
        let buffer = Buffer { at, size_at, ptr, size };
        self.make_room(name, &buffer, &need, failed, span);
        let (line, nothing) = (self.graph.loc(), self.graph.loc());
        self.split(is(BinOp::Ge, 1), line, nothing, span);
        self.at(line);
        self.line(name, &Expr::var(ptr, Ty::Ptr), &fold::convert(word, n, model), &delimiter, span);
        self.goto(done, span);
        self.at(nothing);
        self.some_bytes(name, Expr::var(ptr, Ty::Ptr), Expr::var(size, word), span);
        self.goto(done, span);
        self.at(failed);
        self.emit_to(Op::Assign(Place::var(result, int), Expr::int(int, -1)), done, span);
        self.at(done);
        self.finish_pure(Expr::var(result, int), ret, want, span)
    }

    /// Sees to it that the buffer has so many bytes; goes to `failed` where there is no memory.
    fn make_room(&mut self, name: &str, buffer: &Buffer, need: &Expr, failed: ir::Loc, span: Span) {
        let word = self.model().size_ty();
        let (ptr, size) = (Expr::var(buffer.ptr, Ty::Ptr), Expr::var(buffer.size, word));
        let there = fold::binary(BinOp::Ne, ptr.clone(), Expr::null());
        let fits = fold::and(there.clone(), fold::binary(BinOp::Ge, size, need.clone()));
        let (grow, ready, made) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.split(fits, ready, grow, span);
        self.at(grow);
        let more = self.outside_value(word, name, span);
        self.emit(Op::Assume(fold::binary(BinOp::Ge, more.clone(), need.clone())), span);
        let new = self.temp(Ty::Ptr, span);
        self.allocate_to(new, more.clone(), AllocKind::Heap, name, span);
        let new = Expr::var(new, Ty::Ptr);
        self.split(fold::binary(BinOp::Ne, new.clone(), Expr::null()), made, failed, span);
        self.at(made);
        let (drop, store) = (self.graph.loc(), self.graph.loc());
        self.split(there, drop, store, span);
        self.at(drop);
        self.guard(Ub::BadFree, object_predicate(ObjectPredicate::Freeable, ptr.clone()));
        self.emit_to(Op::Free(ptr), store, span);
        self.at(store);
        for (to, value) in [(&buffer.at, &new), (&buffer.size_at, &more)] {
            let addr = self.pointed(to.clone());
            self.access(&addr, value.ty.size(self.model()));
            self.emit(Op::Assign(unnamed(addr, value.ty), value.clone()), span);
        }
        self.emit(Op::Assign(Place::var(buffer.ptr, Ty::Ptr), new), span);
        self.emit_to(Op::Assign(Place::var(buffer.size, word), more), ready, span);
        self.at(ready);
    }

    /// So many characters come in, of which only the last can end the line, and a zero behind them.
    fn line(&mut self, name: &str, to: &Expr, n: &Expr, delimiter: &Expr, span: Span) {
        self.access_range(to, &self.one_more(n));
        self.havoc_bytes(to.clone(), n.clone(), Source::Outside(name.to_owned()), span);
        let small = Ty::int(8, false);
        let end = fold::convert(small, delimiter.clone(), self.model());
        for i in 0..SAID {
            let byte = unnamed(self.pointed(self.plus(to, &self.bytes(i))), small);
            let last = fold::binary(BinOp::Le, n.clone(), self.bytes(i + 1));
            self.emit(Op::Assume(fold::or(last, fold::binary(BinOp::Ne, Expr::read(byte), end.clone()))), span);
        }
        self.end_string(self.plus(to, n), span);
    }
}

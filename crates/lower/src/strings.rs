//! Models made of library calls that only read ([`ir::library`]) and of operations on ranges: strings, formatted text, and
//! memory that changes its size. None has a loop: how far a string goes is the result of a call.

use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::libc::AllocKind;
use crate::place::{object_predicate, unnamed};
use base::Span;
use ir::library::Library;
use ir::library::recipe::Recipe;
use ir::{Address, BinOp, Call, Callee, Expr, ObjectPredicate, Op, Place, Ty, Ub, Var};

impl Fun<'_, '_> {
    /// Calls a library function. The result is in a temporary of its own, and its contract is assumed.
    pub(crate) fn library_call(&mut self, lib: Library, args: &[Expr], span: Span) -> Expr {
        let model = self.model();
        if let (Library::Strlen, Some(n)) = (lib, args.first().and_then(|a| self.literal_length(a))) {
            return self.bytes(n);
        }
        let params = lib.params(model);
        let mut values: Vec<Expr> = args.to_vec();
        for (value, ty) in values.iter_mut().zip(&params) {
            *value = fold::convert(*ty, value.clone(), model);
        }
        if !lib.is_variadic() {
            values.truncate(params.len());
        }
        self.readable(lib, &values, span);
        self.begins_readable(lib, &values, span);
        let result = self.library_result(lib, &values, span);
        self.ends_readable(lib, &values, &result, span);
        result
    }

    /// The result of a library function whose arguments have the types of its parameters.
    fn library_result(&mut self, lib: Library, values: &[Expr], span: Span) -> Expr {
        let model = self.model();
        if let Some(result) = self.spelt_out(lib, values, span) {
            return result;
        }
        let callee = Callee::Direct(self.cx.library(lib, span));
        let ty = lib.result(model);
        let var = self.temp(ty, span);
        self.emit(Op::Call(Call { dst: Some(var), callee, args: values.to_vec() }), span);
        let result = Expr::var(var, ty);
        if let Some(contract) = lib.contract(values, &result, model) {
            self.emit(Op::Assume(contract), span);
        }
        result
    }

    /// The length of a string that is a constant of the program.
    pub(crate) fn literal_length(&self, ptr: &Expr) -> Option<u64> {
        let ptr = self.own_storage(ptr);
        let ir::ExprKind::Addr(Address { base: ir::Base::Var(Var::Global(g)), offset, indices }) = &ptr.kind else {
            return None;
        };
        let global = &self.cx.globals[*g];
        let (ir::Shape::Object { size, .. }, true, true) = (global.shape, global.constant, indices.is_empty()) else {
            return None;
        };
        let from = u64::try_from(*offset).ok().filter(|&o| o < size)?;
        let items: &[ir::InitItem] = match &global.init {
            ir::Init::Zero => &[],
            ir::Init::Values(items) => items,
            ir::Init::Unknown => return None,
        };
        let narrow =
            |i: &ir::InitItem| i.value.ty.size(self.model()) == 1 && i.value.as_const().is_some() && i.bits.is_none();
        if !items.iter().all(narrow) {
            return None;
        }
        let mut bytes = vec![0; size as usize];
        for item in items {
            bytes[item.offset as usize] = item.value.as_const().unwrap_or(0);
        }
        bytes[from as usize..].iter().position(|&b| b == 0).map(|n| n as u64)
    }

    /// A byte of a global with values of single bytes.
    pub(crate) fn constant_byte(&self, g: ir::GlobalId, at: u64) -> u8 {
        let ir::Init::Values(items) = &self.cx.globals[g].init else { return 0 };
        items.iter().rfind(|i| i.offset == at).and_then(|i| i.value.as_const()).unwrap_or(0) as u8
    }

    /// Asks that the first byte of a string is there; the others are the callee's affair.
    pub(crate) fn string_argument(&mut self, ptr: &Expr) -> Expr {
        let ptr = fold::convert(Ty::Ptr, ptr.clone(), self.model());
        let addr = self.pointed(ptr.clone());
        self.access(&addr, 1);
        ptr
    }

    /// A library function called with the program's arguments.
    pub(crate) fn plain_library(
        &mut self,
        lib: Library,
        args: &[Expr],
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let params = lib.params(self.model());
        // Without a declaration anything can be passed, a pointer for a floating-point number too.
        let misfit = |(arg, ty): (&Expr, &Ty)| {
            let is_float = |t: Ty| matches!(t, Ty::Float(_));
            (arg.ty == Ty::Ptr && is_float(*ty)) || (*ty == Ty::Ptr && is_float(arg.ty))
        };
        if args.len() < params.len() || args.iter().zip(&params).any(misfit) {
            self.unsupported("call of a library function with other arguments than it takes", span);
            return ret.map(|ty| Expr::constant(ty, 0));
        }
        let result = self.library_call(lib, args, span);
        self.finish_pure(result, ret, want, span)
    }

    pub(crate) fn plus(&self, ptr: &Expr, by: &Expr) -> Expr {
        let at = self.step(self.pointed(ptr.clone()), by.clone(), 1);
        self.pointer(at)
    }

    pub(crate) fn copy_checked(&mut self, dst: Expr, src: Expr, len: Expr, span: Span) {
        self.access_range(&dst, &len);
        self.access_range(&src, &len);
        self.emit(Op::CopyRange { dst, src, len }, span);
    }

    pub(crate) fn end_string(&mut self, at: Expr, span: Span) {
        let addr = self.pointed(at);
        self.access(&addr, 1);
        let byte = Ty::int(8, false);
        self.emit(Op::Assign(unnamed(addr, byte), Expr::int(byte, 0)), span);
    }

    pub(crate) fn one_more(&self, n: &Expr) -> Expr {
        fold::binary(BinOp::Add, n.clone(), Expr::int(n.ty, 1))
    }

    pub(crate) fn least(&self, a: &Expr, b: &Expr) -> Expr {
        fold::ite(fold::binary(BinOp::Lt, a.clone(), b.clone()), a.clone(), b.clone())
    }

    /// `strcpy` and its kin.
    pub(crate) fn string_copy(
        &mut self,
        model: Recipe,
        args: &[Expr],
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let [dst, src, rest @ ..] = args else { return None };
        let size = self.model().size_ty();
        let dst = fold::convert(Ty::Ptr, dst.clone(), self.model());
        let dst = self.keep_if_memory(dst, span);
        let src = self.string_argument(src);
        let src = self.keep_if_memory(src, span);
        let mut result = dst.clone();
        match (model, rest) {
            (Recipe::Strcpy | Recipe::Stpcpy, _) => {
                let n = self.library_call(Library::Strlen, std::slice::from_ref(&src), span);
                self.copy_checked(dst.clone(), src, self.one_more(&n), span);
                if model == Recipe::Stpcpy {
                    result = self.plus(&dst, &n);
                }
            }
            (Recipe::Strncpy | Recipe::Stpncpy, [most, ..]) => {
                let most = fold::convert(size, most.clone(), self.model());
                let most = self.keep_if_memory(most, span);
                let n = self.library_call(Library::Strnlen, &[src.clone(), most.clone()], span);
                self.copy_checked(dst.clone(), src, n.clone(), span);
                let (rest, left) = (self.plus(&dst, &n), fold::binary(BinOp::Sub, most, n.clone()));
                self.access_range(&rest, &left);
                self.emit(Op::SetRange { dst: rest.clone(), value: Expr::int(Ty::int(8, false), 0), len: left }, span);
                if model == Recipe::Stpncpy {
                    result = rest;
                }
            }
            (Recipe::Strcat, _) => {
                let end = self.library_call(Library::Strlen, std::slice::from_ref(&dst), span);
                let n = self.library_call(Library::Strlen, std::slice::from_ref(&src), span);
                let at = self.plus(&dst, &end);
                self.copy_checked(at, src, self.one_more(&n), span);
            }
            (Recipe::Strncat, [most, ..]) => {
                let end = self.library_call(Library::Strlen, std::slice::from_ref(&dst), span);
                let n = self.library_call(Library::Strnlen, &[src.clone(), most.clone()], span);
                let at = self.plus(&dst, &end);
                self.copy_checked(at.clone(), src, n.clone(), span);
                let behind = self.plus(&at, &n);
                self.end_string(behind, span);
            }
            _ => self.unsupported("unusual call of a string function", span),
        }
        self.finish_pure(result, ret, want, span)
    }

    /// `strdup` and `strndup`.
    pub(crate) fn string_duplicate(
        &mut self,
        name: &str,
        args: &[Expr],
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let src = self.string_argument(args.first()?);
        let src = self.keep_if_memory(src, span);
        let n = match args.get(1) {
            Some(most) => self.library_call(Library::Strnlen, &[src.clone(), most.clone()], span),
            None => self.library_call(Library::Strlen, std::slice::from_ref(&src), span),
        };
        let var = self.temp(Ty::Ptr, span);
        self.allocate_to(var, self.one_more(&n), AllocKind::Heap, name, span);
        let new = Expr::var(var, Ty::Ptr);
        let (good, join) = (self.graph.loc(), self.graph.loc());
        self.split(fold::binary(BinOp::Ne, new.clone(), Expr::null()), good, join, span);
        self.at(good);
        self.copy_checked(new.clone(), src, n.clone(), span);
        let behind = self.plus(&new, &n);
        self.end_string(behind, span);
        self.goto(join, span);
        self.at(join);
        self.finish_pure(new, ret, want, span)
    }

    /// `realloc`, as glibc has it: of size 0 it frees and gives null.
    pub(crate) fn reallocate(
        &mut self,
        name: &str,
        args: &[Expr],
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let [old, size, ..] = args else { return None };
        let model = self.model();
        let old = fold::convert(Ty::Ptr, old.clone(), model);
        let old = self.keep_if_memory(old, span);
        let size = fold::convert(model.size_ty(), size.clone(), model);
        let size = self.keep_if_memory(size, span);
        let var = self.temp(Ty::Ptr, span);
        let new = Expr::var(var, Ty::Ptr);
        let there = fold::binary(BinOp::Ne, old.clone(), Expr::null());
        let nothing = fold::binary(BinOp::Eq, size.clone(), Expr::int(size.ty, 0));
        let (drop, go_on, copy, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.split(fold::and(there.clone(), nothing), drop, go_on, span);
        self.at(drop);
        self.guard(Ub::BadFree, object_predicate(ObjectPredicate::Freeable, old.clone()));
        self.emit(Op::Free(old.clone()), span);
        self.emit_to(Op::Assign(Place::var(var, Ty::Ptr), Expr::null()), join, span);
        self.at(go_on);
        self.allocate_to(var, size.clone(), AllocKind::Heap, name, span);
        let moves = fold::and(fold::binary(BinOp::Ne, new.clone(), Expr::null()), there);
        self.split(moves, copy, join, span);
        self.at(copy);
        self.guard(Ub::BadFree, object_predicate(ObjectPredicate::Freeable, old.clone()));
        let had = self.library_call(Library::Size, std::slice::from_ref(&old), span);
        let len = self.least(&had, &size);
        self.emit(Op::CopyRange { dst: new.clone(), src: old.clone(), len }, span);
        self.emit_to(Op::Free(old), join, span);
        self.at(join);
        self.finish_pure(new, ret, want, span)
    }

    /// `reallocarray`: null, and nothing is done, where the product is too large.
    pub(crate) fn reallocate_array(
        &mut self,
        name: &str,
        old: &Expr,
        [n, each]: &[Expr; 2],
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let [old, n, each] = [old, n, each].map(|e| self.keep_if_memory(e.clone(), span));
        let result = self.temp(Ty::Ptr, span);
        let (bad, good, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.split(fold::binary(BinOp::MulOverflows, n.clone(), each.clone()), bad, good, span);
        self.at(bad);
        self.emit_to(Op::Assign(Place::var(result, Ty::Ptr), Expr::null()), join, span);
        self.at(good);
        let args = [old, fold::binary(BinOp::Mul, n, each)];
        self.reallocate(name, &args, Some(Ty::Ptr), Want::Into(result), span);
        self.goto(join, span);
        self.at(join);
        self.finish_pure(Expr::var(result, Ty::Ptr), ret, want, span)
    }

    /// `aligned_alloc` and `memalign`.
    pub(crate) fn allocate_aligned(
        &mut self,
        align: &Expr,
        size: Expr,
        name: &str,
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let var = self.temp(Ty::Ptr, span);
        match self.alignment(align) {
            Some(align) => {
                let site = self.cx.site(format!("{}.{name}", self.name), span);
                self.allocate_at(var, size, AllocKind::Heap, align, site, span);
            }
            None => self.unsupported("alignment that is not a known power of two", span),
        }
        self.finish_pure(Expr::var(var, Ty::Ptr), ret, want, span)
    }

    /// `posix_memalign`: where it fails, glibc leaves the pointer alone.
    pub(crate) fn memalign(
        &mut self,
        to: Expr,
        align: &Expr,
        size: Expr,
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let int = Ty::int(32, true);
        let least = u32::from(self.model().ptr_width() / 8);
        let Some(align) = self.alignment(align).filter(|&a| a >= least) else {
            self.unsupported("alignment that is not a known power of two", span);
            return self.finish_pure(Expr::int(int, 0), ret, want, span);
        };
        let to = self.keep_if_memory(to, span);
        let (new, result) = (self.temp(Ty::Ptr, span), self.temp(int, span));
        let site = self.cx.site(format!("{}.posix_memalign", self.name), span);
        self.allocate_at(new, size, AllocKind::Heap, align, site, span);
        let new = Expr::var(new, Ty::Ptr);
        let (good, bad, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.split(fold::binary(BinOp::Ne, new.clone(), Expr::null()), good, bad, span);
        self.at(good);
        let addr = self.pointed(to);
        self.access(&addr, Ty::Ptr.size(self.model()));
        self.emit(Op::Assign(unnamed(addr, Ty::Ptr), new), span);
        self.emit_to(Op::Assign(Place::var(result, int), Expr::int(int, 0)), join, span);
        self.at(bad);
        self.emit_to(Op::Assign(Place::var(result, int), Expr::int(int, ir::library::ENOMEM)), join, span);
        self.at(join);
        self.finish_pure(Expr::var(result, int), ret, want, span)
    }

    /// An alignment that is known: no less than any memory has.
    fn alignment(&self, align: &Expr) -> Option<u32> {
        let align = u32::try_from(align.as_const()?).ok().filter(|a| a.is_power_of_two() && *a <= 1 << 20)?;
        Some(align.max(crate::libc::heap_align(self.unit.types.target)))
    }

    /// `strtol` and its kin: the value, and where the number ends.
    pub(crate) fn string_number(&mut self, args: &[Expr], ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let ty = ret?;
        let text = self.string_argument(args.first()?);
        let text = self.keep_if_memory(text, span);
        let base = args.get(2).cloned().unwrap_or(Expr::int(Ty::int(32, true), 10));
        let base = self.keep_if_memory(base, span);
        let lib = match ty {
            Ty::Int(i) if i.width == 32 && i.signed => Library::Strtol32,
            Ty::Int(i) if i.width == 32 => Library::Strtoul32,
            Ty::Int(i) if i.signed => Library::Strtol64,
            _ => Library::Strtoul64,
        };
        let value = self.library_call(lib, &[text.clone(), base.clone()], span);
        let end = args.get(1).map(|e| fold::convert(Ty::Ptr, e.clone(), self.model()));
        if let Some(end) = end.filter(|e| args.len() > 2 && e.as_const() != Some(0)) {
            let end = self.keep_if_memory(end, span);
            let behind = self.library_call(Library::StrtolEnd, &[text.clone(), base.clone()], span);
            let (store, join) = (self.graph.loc(), self.graph.loc());
            let there = fold::binary(BinOp::Ne, end.clone(), Expr::null());
            self.split(fold::and(there, is_base(&base)), store, join, span);
            self.at(store);
            let addr = self.pointed(end);
            self.access(&addr, Ty::Ptr.size(self.model()));
            self.emit_to(Op::Assign(unnamed(addr, Ty::Ptr), behind), join, span);
            self.at(join);
        }
        self.errno_of_number(lib, &text, &base, &value, span);
        self.finish_pure(value, ret, want, span)
    }

    /// `atoi` and its kin: glibc's are `strtol` cut to their type.
    pub(crate) fn string_to_int(&mut self, args: &[Expr], ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let text = self.string_argument(args.first()?);
        let long = matches!(ret, Some(Ty::Int(i)) if i.width == 64) || self.model().ptr_width() == 64;
        let lib = if long { Library::Strtol64 } else { Library::Strtol32 };
        let value = self.library_call(lib, &[text, Expr::int(Ty::int(32, true), 10)], span);
        self.finish_pure(value, ret, want, span)
    }

    /// `sprintf` and its kin, on their arguments without those of the checking versions. `bounded`: the second argument says
    /// how large the object is; `list`: the last one is a list of arguments.
    pub(crate) fn print_to_memory(
        &mut self,
        bounded: bool,
        list: bool,
        args: &[Expr],
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let model = self.model();
        let n_first = if bounded { 2 } else { 1 };
        if args.len() <= n_first {
            self.unsupported("call of a printing function with too few arguments", span);
            return ret.map(|ty| Expr::constant(ty, 0));
        }
        let (first, format) = args.split_at(n_first);
        let (text, length) =
            if list { (Library::Vformat, Library::VformatLength) } else { (Library::Format, Library::FormatLength) };
        let dst = fold::convert(Ty::Ptr, first[0].clone(), model);
        let dst = self.keep_if_memory(dst, span);
        if !list && let Some(n) = self.print_parts(&dst, first.get(1), format, span) {
            return self.finish_pure(n, ret, want, span);
        }
        if !list {
            let all = self.conversions(&format[0]);
            if all.iter().flatten().any(|c| c.letter == b'n') {
                self.unsupported("format that writes a count", span);
            }
            if all.is_none() && self.checks_memory() {
                self.library_call(Library::Strlen, &format[..1], span);
                self.unsupported("accesses by a format that is not known", span);
            }
            self.arguments_read(all.as_deref().unwrap_or_default(), &format[1..], true, span);
        }
        let text = self.library_call(text, format, span);
        let n = self.library_call(length, format, span);
        let len = fold::convert(model.size_ty(), n.clone(), model);
        match first.get(1) {
            None => self.copy_checked(dst, text, self.one_more(&len), span),
            Some(room) => {
                let room = fold::convert(model.size_ty(), room.clone(), model);
                let (write, join) = (self.graph.loc(), self.graph.loc());
                self.split(fold::binary(BinOp::Ne, room.clone(), Expr::int(room.ty, 0)), write, join, span);
                self.at(write);
                let last = fold::binary(BinOp::Sub, room.clone(), Expr::int(room.ty, 1));
                let fits = self.least(&len, &last);
                self.copy_checked(dst.clone(), text, fits.clone(), span);
                let behind = self.plus(&dst, &fits);
                self.end_string(behind, span);
                self.goto(join, span);
                self.at(join);
            }
        }
        self.finish_pure(n, ret, want, span)
    }

    /// The address of `errno`, or of a pointer into one of the tables behind the macros of `ctype.h`.
    pub(crate) fn library_object(&mut self, name: &str, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let global = self.cx.library_object(name, span);
        self.finish_pure(Expr::addr(ir::Address::var(Var::Global(global))), ret, want, span)
    }
}

/// Whether `strtol` and its kin know the base; with another one glibc leaves the end alone.
fn is_base(base: &Expr) -> Expr {
    let is = |op: BinOp, n: i128| fold::binary(op, base.clone(), Expr::int(base.ty, n));
    let within = fold::and(is(BinOp::Ge, 2), is(BinOp::Le, 36));
    fold::or(is(BinOp::Eq, 0), within)
}

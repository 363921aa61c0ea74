//! What the known functions do, on evaluated arguments. No model has a loop.

use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::model::{Model, plain_name};
use crate::place::{object_predicate, unnamed};
use base::Span;
use ir::library::c::Errno;
use ir::library::recipe::Recipe;
use ir::{
    Address, Alloc, BinOp, Expr, FloatTy, HavocDst, IntTy, ObjectPredicate, Op, Place, Source, Ty, Ub, UnOp, Var,
};

/// How the names of sites begin that stand for memory which a contract promises.
pub(crate) const PROMISED: &str = "by contract.";

/// What `malloc` aligns to. On small machines other than x86 libraries promise no more than the largest scalar needs.
pub(crate) fn heap_align(target: cfront::Target) -> u32 {
    match target {
        cfront::Target::Other(abi) if abi.pointer == 32 => 8,
        _ => 16,
    }
}

impl Fun<'_, '_> {
    /// Applies a model, and what the library's table says of `errno`. `ret` is the declared type of the result.
    pub(crate) fn apply(
        &mut self,
        model: Model,
        name: &str,
        args: &[Expr],
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let errno = ir::library::c::row(plain_name(name)).map_or(Errno::Keeps, |row| row.errno);
        if errno == Errno::Keeps || !self.cx.errno {
            return self.do_model(model, name, args, ret, want, span);
        }
        // The result gets into `errno` after the call is over.
        let first = match want {
            Want::Into(_) if self.is_errno(want, span) => Want::Value,
            Want::Nothing if matches!(errno, Errno::Memory(_)) => Want::Value,
            other => other,
        };
        let asked = self.asked_for_memory(errno, args, span);
        let result = self.do_model(model, name, args, ret, first, span);
        self.errno_after(errno, asked, result.as_ref(), span);
        if first == want { result } else { self.deliver(result?, want, span) }
    }

    fn do_model(
        &mut self,
        model: Model,
        name: &str,
        args: &[Expr],
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        match (model, args) {
            (Model::By(recipe), _) => return self.do_recipe(recipe, name, args, ret, want, span),
            (Model::Nondet, _) => return self.havoc_result(Source::Nondet(name.to_owned()), ret, want, span),
            (Model::Row(row), _) => {
                self.show_printed(None, name, args, span);
                return self.by_row(row, args, ret, want, span);
            }
            (Model::NondetMemory, [ptr, len]) => {
                let ptr = fold::convert(Ty::Ptr, ptr.clone(), self.model());
                let len = fold::convert(self.model().size_ty(), len.clone(), self.model());
                self.access_range(&ptr, &len);
                self.havoc_bytes(ptr, len, Source::Nondet(name.to_owned()), span);
            }
            (Model::Block, [n, each, zeroed]) => {
                let [n, each] = [n, each].map(|e| fold::convert(self.model().size_ty(), e.clone(), self.model()));
                let kind = if zeroed.as_const() == Some(0) { AllocKind::Heap } else { AllocKind::Zeroed };
                return self.promised_block([n, each], kind, ret, want, span);
            }
            (Model::NondetMemory | Model::Block | Model::Unchecked, _) => self.refuse_model(model, name, span),
        }
        self.no_result(ret, want, span)
    }

    /// Zero where a value is wanted of a function that gives none.
    pub(crate) fn no_result(&mut self, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        match want {
            Want::Nothing => None,
            Want::Value | Want::Into(_) => self.deliver(Expr::constant(ret?, 0), want, span),
        }
    }

    /// What a printing function prints, where a run is shown.
    fn show_printed(&mut self, recipe: Option<Recipe>, name: &str, args: &[Expr], span: Span) {
        if !self.cx.opts.output {
            return;
        }
        let at = if let Some(Recipe::Format(at)) = recipe { at } else { args.len() };
        let mut printed = args.to_vec();
        printed.drain(at.min(args.len())..(at + checking(name)).min(args.len()));
        self.print(recipe, name, &printed, span);
    }

    // tidy: flat match: one arm for each recipe
    fn do_recipe(
        &mut self,
        model: Recipe,
        name: &str,
        args: &[Expr],
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let size = self.model().size_ty();
        let convert = |f: &Self, ty: Ty, e: &Expr| fold::convert(ty, e.clone(), f.model());
        self.show_printed(Some(model), name, args, span);
        if let Some(result) = self.float_call(model, args, ret, want, span) {
            return result;
        }
        match (model, args) {
            // Nobody may want the length, but what is printed is read.
            (Recipe::Format(at), _) if args.len() > at + checking(name) => {
                self.streams_there(name, args, span);
                let n = self.printed(&args[at + checking(name)..], want, span)?;
                let n = self.or_failed(n, span);
                return self.finish_pure(n, ret, want, span);
            }
            // The contents of such a buffer are arbitrary from then on.
            (Recipe::StreamBuffer, [_, buffer, ..]) if buffer.as_const() == Some(0) => {
                return self.havoc_result(Source::Outside(name.to_owned()), ret, want, span);
            }
            (Recipe::StreamBuffer, _) => self.unsupported("buffer for a stream", span),
            (Recipe::Lib(lib), _) => return self.plain_library(lib, args, ret, want, span),
            (
                Recipe::Strcpy | Recipe::Stpcpy | Recipe::Strncpy | Recipe::Stpncpy | Recipe::Strcat | Recipe::Strncat,
                [_, _, ..],
            ) => {
                return self.string_copy(model, args, ret, want, span);
            }
            (Recipe::Strdup, [_] | [_, _]) => return self.string_duplicate(name, args, ret, want, span),
            (Recipe::Realloc, [_, _]) => return self.reallocate(name, args, ret, want, span),
            (Recipe::Line, [_, _, _] | [_, _, _, _]) => return self.get_line(name, args, ret, want, span),
            (Recipe::ReallocArray, [old, n, each]) => {
                let (n, each) = (convert(self, size, n), convert(self, size, each));
                return self.reallocate_array(name, old, &[n, each], ret, want, span);
            }
            (Recipe::AlignedAlloc, [align, n]) => {
                let n = convert(self, size, n);
                return self.allocate_aligned(align, n, name, ret, want, span);
            }
            (Recipe::PosixMemalign, [to, align, n]) => {
                let (to, n) = (convert(self, Ty::Ptr, to), convert(self, size, n));
                return self.memalign(to, align, n, ret, want, span);
            }
            (Recipe::Strtol, [_, _, _]) => return self.string_number(args, ret, want, span),
            (Recipe::Atoi, [_]) => return self.string_to_int(args, ret, want, span),
            (Recipe::PrintTo(bounded, _), _) => {
                let mut args = args.to_vec();
                let first = 1 + usize::from(bounded);
                if name.ends_with("_chk") && args.len() > first + 2 {
                    args.drain(first..first + 2);
                }
                return self.print_to_memory(bounded, false, &args, ret, want, span);
            }
            (Recipe::Object, _) => return self.library_object(name, ret, want, span),
            (Recipe::Nan, _) => {
                let Some(Ty::Float(f)) = ret else { return None };
                let text = args.first().and_then(|tag| self.known_text(tag)).unwrap_or_default();
                return self.finish_pure(nan(f, payload(&text)), ret, want, span);
            }
            (Recipe::Signal, _) if is_followed(name, args) => {
                return self.havoc_result(Source::Outside(name.to_owned()), ret, want, span);
            }
            (Recipe::Signal, _) => self.unsupported("signals", span),
            (Recipe::RoundingMode, [mode]) => return self.set_rounding(mode, ret, want, span),
            (Recipe::RoundingModeNow, _) => return self.rounding_now(ret, want, span),
            (Recipe::Strtod, [text, ..]) => return self.string_to_float(text, args.get(1), ret, want, span),
            (Recipe::First, [x, ..]) => return self.finish_pure(x.clone(), ret, want, span),
            (Recipe::Format(_) | Recipe::FormatList(_), _) => {
                return self.havoc_result(Source::Outside(name.to_owned()), ret, want, span);
            }
            (Recipe::Sort, [base, n, size, compare]) => {
                self.sort(&[base.clone(), n.clone(), size.clone(), compare.clone()], span);
            }
            (Recipe::Search, [key, base, n, size, compare]) => {
                let args = [key.clone(), base.clone(), n.clone(), size.clone(), compare.clone()];
                return self.search(&args, ret, want, span);
            }
            (Recipe::SetJmp, [buffer, ..]) => return self.set_jump(buffer, ret, want, span),
            (Recipe::LongJmp, [buffer, value]) => self.long_jump(buffer, value, span),
            (Recipe::AtExit, [f]) => return self.at_exit(f, ret, want, span),
            (Recipe::Exit, _) => {
                self.run_exit_functions(span);
                self.end_event(span);
                self.finish_with(Op::Halt, span);
            }
            (Recipe::Halt, _) => self.finish_with(Op::Halt, span),
            (Recipe::Unreachable, _) => {
                self.guard(Ub::Unreachable, Expr::bool(false));
                self.finish_with(Op::Halt, span);
            }
            (Recipe::Nothing, _) => {}
            (Recipe::Malloc, [n]) => {
                let n = convert(self, size, n);
                return self.allocate(n, AllocKind::Heap, name, ret, want, span);
            }
            (Recipe::Calloc, [n, each]) => {
                let (n, each) = (convert(self, size, n), convert(self, size, each));
                return self.calloc(n, each, name, ret, want, span);
            }
            (Recipe::Alloca, [n]) => {
                let n = convert(self, size, n);
                return self.allocate(n, AllocKind::Stack, name, ret, want, span);
            }
            (Recipe::Free, [ptr]) => {
                let ptr = convert(self, Ty::Ptr, ptr);
                self.guard(Ub::BadFree, object_predicate(ObjectPredicate::Freeable, ptr.clone()));
                self.emit(Op::Free(ptr), span);
            }
            (Recipe::Memset, [dst, byte, len, ..]) => {
                let (dst, len) = (convert(self, Ty::Ptr, dst), convert(self, size, len));
                let byte = convert(self, Ty::int(8, false), byte);
                return self.fill(dst, byte, len, ret, want, span);
            }
            (Recipe::Bzero, [dst, len]) => {
                let (dst, len) = (convert(self, Ty::Ptr, dst), convert(self, size, len));
                return self.fill(dst, Expr::int(Ty::int(8, false), 0), len, ret, want, span);
            }
            (Recipe::Memcpy | Recipe::Memmove | Recipe::Mempcpy, [dst, src, len, ..]) => {
                let (dst, src) = (convert(self, Ty::Ptr, dst), convert(self, Ty::Ptr, src));
                let len = convert(self, size, len);
                return self.copy_bytes(model, dst, src, len, ret, want, span);
            }
            (Recipe::Bcopy, [src, dst, len]) => {
                let (dst, src) = (convert(self, Ty::Ptr, dst), convert(self, Ty::Ptr, src));
                let len = convert(self, size, len);
                return self.copy_bytes(Recipe::Memmove, dst, src, len, ret, want, span);
            }
            (Recipe::ObjectSize, [object, kind]) => {
                // Of what is named there a compiler knows the size, or not; of what a pointer leads to it knows nothing without optimisation.
                if matches!(&object.kind, ir::ExprKind::Addr(a) if matches!(a.base, ir::Base::Var(_))) {
                    self.unsupported("size of an object that the compiler may know", span);
                }
                let least = kind.as_const().is_some_and(|k| k & 2 != 0);
                return self.finish_pure(Expr::int(size, if least { 0 } else { -1 }), ret, want, span);
            }
            (Recipe::Infinity, _) => {
                let Some(Ty::Float(f)) = ret else { return None };
                let inf = infinity(f);
                return self.finish_pure(inf, ret, want, span);
            }
            (Recipe::Clz | Recipe::Ctz, [x]) if matches!(x.ty, Ty::Int(_)) => {
                return self.count_zeroes(model, x.clone(), ret, want, span);
            }
            (Recipe::CopySign, [x, y]) if matches!(x.ty, Ty::Float(_)) && x.ty == y.ty => {
                return self.copy_sign(x.clone(), y.clone(), ret, want, span);
            }
            (Recipe::Fabs | Recipe::SignBit, [x]) if matches!(x.ty, Ty::Float(_)) => {
                return self.sign(model, x.clone(), ret, want, span);
            }
            (_, [x]) => {
                if let Some(value) = self.pure_model(model, x.clone()) {
                    return self.finish_pure(value, ret, want, span);
                }
                self.refuse_model(Model::By(model), name, span);
            }
            _ => self.refuse_model(Model::By(model), name, span),
        }
        self.no_result(ret, want, span)
    }

    /// The length of what was printed, or a negative number: all output may fail. Where a run is shown it did not.
    pub(crate) fn or_failed(&mut self, n: Expr, span: Span) -> Expr {
        if self.cx.opts.output {
            return n;
        }
        let other = self.outside_value(n.ty, "output", span);
        let failed = fold::binary(BinOp::Lt, other.clone(), Expr::int(n.ty, 0));
        fold::ite(failed, other, n)
    }

    pub(crate) fn refuse_model(&mut self, model: Model, name: &str, span: Span) {
        match model {
            Model::By(Recipe::Refused(why)) => self.unsupported(why, span),
            Model::Unchecked => self.unsupported(&format!("accesses of `{name}` are not checked"), span),
            _ => self.unsupported(&format!("unusual call of {name}"), span),
        }
    }

    /// A value as the result of a call.
    pub(crate) fn finish_pure(&mut self, value: Expr, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let value = fold::convert(ret?, value, self.model());
        self.deliver(value, want, span)
    }

    /// The variable that receives a result of type `ty`, and the result as wanted once it is there.
    fn receiver(&mut self, ty: Ty, want: Want, span: Span) -> Var {
        match want {
            Want::Into(var) if self.shape(var).scalar() == Some(ty) => var,
            _ => self.temp(ty, span),
        }
    }

    fn havoc_result(&mut self, source: Source, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let ty = ret?;
        if want == Want::Nothing {
            return None;
        }
        let var = self.receiver(ty, want, span);
        self.emit(Op::Havoc(HavocDst::Place(Place::var(var, ty)), source), span);
        self.deliver(Expr::var(var, ty), want, span)
    }

    fn allocate(
        &mut self,
        size: Expr,
        kind: AllocKind,
        name: &str,
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let var = if ret == Some(Ty::Ptr) { self.receiver(Ty::Ptr, want, span) } else { self.temp(Ty::Ptr, span) };
        self.allocate_to(var, size, kind, name, span);
        self.finish_pure(Expr::var(var, Ty::Ptr), ret, want, span)
    }

    /// Allocates memory whose address goes to a variable.
    pub(crate) fn allocate_to(&mut self, var: Var, size: Expr, kind: AllocKind, name: &str, span: Span) {
        let site = self.cx.site(format!("{}.{name}", self.name), span);
        self.allocate_at(var, size, kind, heap_align(self.unit.types.target), site, span);
    }

    pub(crate) fn allocate_at(
        &mut self,
        var: Var,
        size: Expr,
        kind: AllocKind,
        align: u32,
        site: ir::SiteId,
        span: Span,
    ) {
        let stack = kind == AllocKind::Stack;
        let alloc = Alloc {
            dst: Place::var(var, Ty::Ptr),
            size,
            align,
            zeroed: kind == AllocKind::Zeroed,
            may_fail: !stack && self.cx.opts.malloc_may_fail,
            stack,
            site,
        };
        self.emit(Op::Alloc(alloc), span);
    }

    fn calloc(&mut self, n: Expr, each: Expr, name: &str, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let may_fail = self.cx.opts.malloc_may_fail;
        let site = self.cx.site(format!("{}.{name}", self.name), span);
        self.allocate_product([n, each], (AllocKind::Zeroed, may_fail, site), ret, want, span)
    }

    /// Memory that the function around it promises, by a contract. Whether it may fail is said there.
    fn promised_block(
        &mut self,
        size: [Expr; 2],
        kind: AllocKind,
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let site = self.cx.site(format!("{PROMISED}{}", self.name), span);
        self.allocate_product(size, (kind, true, site), ret, want, span)
    }

    /// Some elements of some size: null if the product is too large, even where memory never ends.
    fn allocate_product(
        &mut self,
        [n, each]: [Expr; 2],
        (kind, may_fail, site): (AllocKind, bool, ir::SiteId),
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let align = heap_align(self.unit.types.target);
        let alloc = |var: Var, size: Expr| {
            let (dst, zeroed) = (Place::var(var, Ty::Ptr), kind == AllocKind::Zeroed);
            Op::Alloc(Alloc { dst, size, align, zeroed, may_fail, stack: false, site })
        };
        let total = fold::binary(BinOp::Mul, n.clone(), each.clone());
        let overflows = crate::known::overflows(&n, &each);
        let var = if ret == Some(Ty::Ptr) { self.receiver(Ty::Ptr, want, span) } else { self.temp(Ty::Ptr, span) };
        match overflows.as_const() {
            Some(0) => self.emit(alloc(var, total), span),
            _ => {
                let (bad, good, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
                self.split(overflows, bad, good, span);
                self.at(bad);
                self.emit_to(Op::Assign(Place::var(var, Ty::Ptr), Expr::null()), join, span);
                self.at(good);
                self.emit(alloc(var, total), span);
                self.goto(join, span);
                self.at(join);
            }
        }
        self.finish_pure(Expr::var(var, Ty::Ptr), ret, want, span)
    }

    fn fill(&mut self, dst: Expr, byte: Expr, len: Expr, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let dst = if want == Want::Nothing { dst } else { self.keep_if_memory(dst, span) };
        self.access_range(&dst, &len);
        self.emit(Op::SetRange { dst: dst.clone(), value: byte, len }, span);
        self.finish_pure(dst, ret, want, span)
    }

    #[expect(clippy::too_many_arguments, reason = "the three arguments of memcpy and where its result goes")]
    fn copy_bytes(
        &mut self,
        model: Recipe,
        dst: Expr,
        src: Expr,
        len: Expr,
        ret: Option<Ty>,
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let dst = if want == Want::Nothing { dst } else { self.keep_if_memory(dst, span) };
        let len = if model == Recipe::Mempcpy { self.keep_if_memory(len, span) } else { len };
        self.access_range(&dst, &len);
        self.access_range(&src, &len);
        let end = |f: &Self, p: &Expr| {
            let at = f.step(f.pointed(p.clone()), len.clone(), 1);
            f.pointer(at)
        };
        if model != Recipe::Memmove && !different_variables(&dst, &src) {
            let before = fold::binary(BinOp::Le, end(self, &dst), src.clone());
            let behind = fold::binary(BinOp::Le, end(self, &src), dst.clone());
            let none = fold::binary(BinOp::Eq, len.clone(), Expr::int(len.ty, 0));
            self.guard(Ub::Overlap, fold::or(none, fold::or(before, behind)));
        }
        let result = if model == Recipe::Mempcpy { end(self, &dst) } else { dst.clone() };
        self.emit(Op::CopyRange { dst, src, len }, span);
        self.finish_pure(result, ret, want, span)
    }

    /// Models that are expressions of their one argument.
    fn pure_model(&mut self, model: Recipe, x: Expr) -> Option<Expr> {
        let zero = Expr::constant(x.ty, 0);
        Some(match (model, x.ty) {
            (Recipe::Abs, Ty::Int(_)) => {
                let negative = fold::binary(BinOp::Lt, x.clone(), zero.clone());
                let fits = fold::binary(BinOp::SubOverflows, zero, x.clone()).negate();
                self.guard(Ub::SignedOverflow, fold::or(negative.clone().negate(), fits));
                fold::ite(negative, fold::unary(UnOp::Neg, x.clone()), x)
            }
            (Recipe::Popcount, Ty::Int(i)) => popcount(x, i),
            (Recipe::Parity, Ty::Int(i)) => {
                let ones = popcount(x, i);
                let one = Expr::int(ones.ty, 1);
                fold::binary(BinOp::And, ones, one)
            }
            (Recipe::Ffs, Ty::Int(i)) => {
                let none = fold::binary(BinOp::Eq, x.clone(), zero);
                let position = trailing_zeroes(x, i);
                let one = Expr::int(position.ty, 1);
                let found = fold::binary(BinOp::Add, position, one);
                fold::ite(none, Expr::constant(found.ty, 0), found)
            }
            (Recipe::Bswap, Ty::Int(i)) => bswap(x, i),
            (Recipe::Clrsb, Ty::Int(i)) => {
                // What differs from the sign, moved up over the sign's own bit.
                let sign = fold::binary(BinOp::Shr, x.clone(), Expr::int(x.ty, i128::from(i.width) - 1));
                let differs = Expr::convert(unsigned(i), fold::binary(BinOp::Xor, x, sign));
                let one = Expr::int(differs.ty, 1);
                let moved = fold::binary(BinOp::Or, fold::binary(BinOp::Shl, differs, one.clone()), one);
                leading_zeroes(moved, i)
            }
            (Recipe::IsInfSign, Ty::Float(f)) => {
                let int = Ty::int(32, true);
                let minus = fold::binary(BinOp::Eq, x.clone(), fold::unary(UnOp::Neg, infinity(f)));
                let plus = fold::binary(BinOp::Eq, x, infinity(f));
                fold::ite(plus, Expr::int(int, 1), fold::ite(minus, Expr::int(int, -1), Expr::int(int, 0)))
            }
            (Recipe::IsNan, Ty::Float(_)) => fold::binary(BinOp::Ne, x.clone(), x),
            (Recipe::IsInf | Recipe::IsFinite, Ty::Float(f)) => {
                let plus = infinity(f);
                let minus = fold::unary(UnOp::Neg, plus.clone());
                if model == Recipe::IsInf {
                    fold::or(fold::binary(BinOp::Eq, x.clone(), plus), fold::binary(BinOp::Eq, x, minus))
                } else {
                    fold::and(fold::binary(BinOp::Lt, x.clone(), plus), fold::binary(BinOp::Gt, x, minus))
                }
            }
            _ => return None,
        })
    }

    /// `clz` and `ctz`: for zero the result is arbitrary.
    fn count_zeroes(&mut self, model: Recipe, x: Expr, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let Ty::Int(i) = x.ty else { return None };
        let int = Ty::int(32, true);
        let var = self.temp(int, span);
        let value = match model {
            Recipe::Clz => leading_zeroes(x.clone(), i),
            _ => trailing_zeroes(x.clone(), i),
        };
        let value = fold::convert(int, value, self.model());
        let none = fold::binary(BinOp::Eq, x, Expr::constant(Ty::Int(i), 0));
        let (bad, good, join) = (self.graph.loc(), self.graph.loc(), self.graph.loc());
        self.split(none, bad, good, span);
        self.at(bad);
        let source = Source::Outside("bits of zero".to_owned());
        self.emit_to(Op::Havoc(HavocDst::Place(Place::var(var, int)), source), join, span);
        self.at(good);
        self.emit_to(Op::Assign(Place::var(var, int), value), join, span);
        self.at(join);
        self.finish_pure(Expr::var(var, int), ret, want, span)
    }

    /// `fabs` and `signbit`; for them and `copysign` the sign of zeroes and NaNs counts, so the bits are looked at in memory.
    fn sign(&mut self, model: Recipe, x: Expr, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let float = x.ty;
        let (object, sign, top) = self.bits_of(x, span)?;
        let pattern = Expr::read(sign.clone());
        if model == Recipe::SignBit {
            let set = fold::binary(BinOp::Ne, fold::binary(BinOp::And, pattern, top), Expr::constant(sign.ty, 0));
            return self.finish_pure(set, ret, want, span);
        }
        let cleared = fold::binary(BinOp::And, pattern, fold::unary(UnOp::Not, top));
        self.emit(Op::Assign(sign, cleared), span);
        self.finish_pure(Expr::read(unnamed(object, float)), ret, want, span)
    }

    fn copy_sign(&mut self, x: Expr, y: Expr, ret: Option<Ty>, want: Want, span: Span) -> Option<Expr> {
        let float = x.ty;
        let (_, from, top) = self.bits_of(y, span)?;
        let (object, to, _) = self.bits_of(x, span)?;
        let rest = fold::binary(BinOp::And, Expr::read(to.clone()), fold::unary(UnOp::Not, top.clone()));
        let sign = fold::binary(BinOp::And, Expr::read(from), top);
        self.emit(Op::Assign(to, fold::binary(BinOp::Or, rest, sign)), span);
        self.finish_pure(Expr::read(unnamed(object, float)), ret, want, span)
    }

    /// An object that holds a float, the integer in it that has the sign, and which of its bits that is.
    pub(crate) fn bits_of(&mut self, x: Expr, span: Span) -> Option<(Address, Place, Expr)> {
        let Ty::Float(f) = x.ty else { return None };
        // The sign of the extended format is in the last two of its ten bytes.
        let (width, offset) = if f == FloatTy::F80 { (16, 8) } else { (f.width(), 0) };
        let (float, bits) = (x.ty, Ty::int(width, false));
        let bytes = float.size(self.model());
        let object = Address::var(self.temp_object(bytes, 16.min(bytes.next_power_of_two()) as u32, span));
        self.emit(Op::Assign(unnamed(object.clone(), float), x), span);
        let sign = self.advance(object.clone(), offset);
        Some((object, unnamed(sign, bits), Expr::constant(bits, 1 << (width - 1))))
    }
}

/// What is allocated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AllocKind {
    Heap,
    Zeroed,
    Stack,
}

/// Whether two addresses lie in different variables.
fn different_variables(a: &Expr, b: &Expr) -> bool {
    let base = |e: &Expr| match &e.kind {
        ir::ExprKind::Addr(Address { base: ir::Base::Var(v), .. }) => Some(*v),
        _ => None,
    };
    matches!((base(a), base(b)), (Some(a), Some(b)) if a != b)
}

/// Whether nothing that counts happens when the signal comes: it is ignored or ends the run, or it comes only after undefined
/// behaviour (SIGILL, SIGBUS, SIGFPE, SIGSEGV), a trap or a call of `raise`, which are not followed where there are handlers.
fn is_followed(name: &str, args: &[Expr]) -> bool {
    const SYNCHRONOUS: [u128; 4] = [4, 7, 8, 11];
    let is = |i: usize, values: &[u128]| args.get(i).and_then(Expr::as_const).is_some_and(|c| values.contains(&c));
    match name {
        "sigaction" => is(0, &SYNCHRONOUS) && is(2, &[0]),
        _ => is(0, &SYNCHRONOUS) || is(1, &[0, 1]),
    }
}

/// How many arguments the checking version of a printing function has before its format, besides those before them.
pub(crate) fn checking(name: &str) -> usize {
    usize::from(name.ends_with("_chk"))
}

/// The quiet NaN with this payload, as far as there is room for it.
fn nan(f: FloatTy, payload: u64) -> Expr {
    let (pattern, room) = match f {
        FloatTy::F16 => (0x7e00, 9),
        FloatTy::F32 => (0x7fc0_0000, 22),
        FloatTy::F64 => (0x7ff8_0000_0000_0000, 51),
        FloatTy::F80 => (0x7fff_c000_0000_0000_0000, 62),
        FloatTy::F128 => (0x7_fff8 << 108, 63),
    };
    Expr::constant(Ty::Float(f), pattern | u128::from(payload & ((1 << room) - 1)))
}

/// The payload that the text of `nan` names: a number as C writes it, or else none.
fn payload(text: &[u8]) -> u64 {
    let text = std::str::from_utf8(text).unwrap_or_default().trim_end_matches('\0');
    let number = match (text.strip_prefix("0x").or(text.strip_prefix("0X")), text.strip_prefix('0')) {
        (Some(digits), _) => u64::from_str_radix(digits, 16),
        (None, Some(digits)) => u64::from_str_radix(digits, 8),
        (None, None) => text.parse(),
    };
    number.unwrap_or(0)
}

pub(crate) fn infinity(f: FloatTy) -> Expr {
    let pattern = match f {
        FloatTy::F16 => 0x7c00,
        FloatTy::F32 => u128::from(f32::INFINITY.to_bits()),
        FloatTy::F64 => u128::from(f64::INFINITY.to_bits()),
        FloatTy::F80 => 0x7fff_8000_0000_0000_0000,
        FloatTy::F128 => 0x7fff << 112,
    };
    Expr::constant(Ty::Float(f), pattern)
}

fn unsigned(i: IntTy) -> Ty {
    Ty::int(i.width, false)
}

/// `(x >> k) & mask`.
fn field(x: Expr, k: u32, mask: u128) -> Expr {
    let ty = x.ty;
    fold::binary(BinOp::And, fold::binary(BinOp::Shr, x, Expr::constant(ty, u128::from(k))), Expr::constant(ty, mask))
}

/// Sums of neighbouring fields, doubling their width until one is left.
fn popcount(x: Expr, i: IntTy) -> Expr {
    let mut x = Expr::convert(unsigned(i), x);
    let all = i.mask();
    let mut width = 1;
    while width < u32::from(i.width) {
        // Ones in the lower half of each pair of fields.
        let mask = all / ((1 << width) + 1);
        x = fold::binary(BinOp::Add, field(x.clone(), 0, mask), field(x, width, mask));
        width *= 2;
    }
    x
}

/// For x other than zero: the ones of `(x & -x) - 1`.
fn trailing_zeroes(x: Expr, i: IntTy) -> Expr {
    let x = Expr::convert(unsigned(i), x);
    let lowest = fold::binary(BinOp::And, x.clone(), fold::unary(UnOp::Neg, x));
    let one = Expr::int(lowest.ty, 1);
    popcount(fold::binary(BinOp::Sub, lowest, one), IntTy { signed: false, ..i })
}

/// For x other than zero: a sum over halving steps, each seen from the bits above it.
fn leading_zeroes(x: Expr, i: IntTy) -> Expr {
    let ty = unsigned(i);
    let mut x = Expr::convert(ty, x);
    let mut count = Expr::constant(ty, 0);
    let mut step = u32::from(i.width) / 2;
    while step > 0 {
        let limit = Expr::constant(ty, 1 << (u32::from(i.width) - step));
        let low = fold::binary(BinOp::Lt, x.clone(), limit);
        let moved = fold::binary(BinOp::Shl, x.clone(), Expr::constant(ty, u128::from(step)));
        let more = fold::binary(BinOp::Add, count.clone(), Expr::constant(ty, u128::from(step)));
        count = fold::ite(low.clone(), more, count);
        x = fold::ite(low, moved, x);
        step /= 2;
    }
    count
}

fn bswap(x: Expr, i: IntTy) -> Expr {
    let ty = unsigned(i);
    let x = Expr::convert(ty, x);
    let bytes = u32::from(i.width) / 8;
    (0..bytes)
        .map(|b| {
            let byte = field(x.clone(), 8 * b, 0xff);
            fold::binary(BinOp::Shl, byte, Expr::constant(ty, u128::from(8 * (bytes - 1 - b))))
        })
        .reduce(|a, b| fold::binary(BinOp::Or, a, b))
        .unwrap_or(x)
}

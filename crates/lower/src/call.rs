//! Calls: arguments, results, the conventions for structures and variadic functions ([`crate`] documents them).

use crate::context::{Convention, Passing};
use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::link::Entity;
use crate::place::{Lv, object_predicate, unnamed};
use base::Span;
use cfront::tree::{self, ExprId, ExprKind};
use ir::{Address, BinOp, Call, Callee, ErrorKind, Expr, ObjectPredicate, Op, Place, Source, Ty, Ub, Var};

/// Whether structures that are arguments are copied before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copies {
    /// Only where a later argument may change them.
    Needless,
    /// With all their bytes.
    Whole,
    /// For a function without a body.
    ForOutside,
}

/// An evaluated argument.
pub(crate) enum Arg {
    /// A scalar.
    Scalar(Expr),
    /// An object of this size.
    Record(Address, u64),
}

/// Bytes from one further argument to the next.
pub(crate) fn va_slot(size: u64) -> u64 {
    size.next_multiple_of(8).max(8)
}

impl<'a> Fun<'a, '_> {
    /// A call. Gives the result if it is wanted and a scalar; [`Want::Into`] may name an object for a record result.
    pub(crate) fn call(&mut self, e: ExprId, want: Want) -> Option<Expr> {
        let unit = self.unit;
        let x = &unit.exprs[e];
        let ExprKind::Call(callee, list) = x.kind else { return None };
        let args = unit.list(list);
        let Some(f) = unit.direct_callee(callee) else { return self.call_pointer(e, callee, args, want) };
        let entity = self.cx.link.func(self.cx.units, self.u, f);
        let name = self.cx.func_name(entity);
        if self.cx.opts.targets.contains(name) {
            for &a in args {
                self.effect(a);
            }
            self.finish_with(Op::Error(ErrorKind::Reached(name.to_owned())), x.span);
            return Some(self.dummy(e));
        }
        self.guard_presence(f);
        if !self.cx.has_body(entity)
            && let Some(result) = self.model_call(name, entity, e, args, want)
        {
            return result;
        }
        self.call_function(entity, e, args, want)
    }

    /// Evaluates arguments from left to right.
    pub(crate) fn arguments(&mut self, args: &[ExprId], copies: Copies, span: Span) -> Vec<Arg> {
        let unit = self.unit;
        let mut out = Vec::with_capacity(args.len());
        for (i, &a) in args.iter().enumerate() {
            let ty = unit.exprs[a].ty;
            let later = &args[i + 1..];
            if unit.types.is_aggregate(ty) {
                let addr = self.record_read(a);
                let Some((size, align)) = self.record_layout(ty) else {
                    self.unsupported("structure of unknown size", span);
                    continue;
                };
                let writes = later.iter().any(|&l| self.effects(l).writes);
                let addr = if copies == Copies::ForOutside {
                    self.copy_for_outside(&addr, ty, size, align, span)
                } else if copies == Copies::Whole || writes {
                    let copy = self.temp_object(size, align, span);
                    self.copy_record(Address::var(copy), &addr, ty, span);
                    Address::var(copy)
                } else {
                    self.access(&addr, size);
                    addr
                };
                out.push(Arg::Record(addr, size));
            } else {
                let value = self.value(a);
                out.push(Arg::Scalar(self.protect(value, later, span)));
            }
        }
        out
    }

    fn call_function(&mut self, entity: Entity<tree::FuncId>, e: ExprId, args: &[ExprId], want: Want) -> Option<Expr> {
        let span = self.unit.exprs[e].span;
        let convention = self.cx.convention(entity);
        let bodied = self.cx.has_body(entity);
        let id = self.cx.declare(entity);
        // A callee with a body copies its structure parameters before it does anything else; others get a copy.
        let args = self.arguments(args, if bodied { Copies::Needless } else { Copies::ForOutside }, span);
        let n_captures = self.cx.n_captures(entity);
        let declared = &self.cx.functions[id];
        let hidden = usize::from(matches!(convention.ret, Passing::Record(..)));
        let n_hidden_last = usize::from(bodied && convention.variadic) + n_captures;
        let expected: Vec<Ty> =
            declared.params().map(|p| declared.locals[p].shape.scalar().unwrap_or(Ty::Ptr)).collect();
        let expected = &expected[hidden..expected.len() - n_hidden_last];
        if args.len() < expected.len() {
            self.unsupported("call with too few arguments", span);
            return Some(self.dummy(e));
        }
        let mut values = Vec::new();
        let result = self.result_object(&convention, want, &mut values, (!bodied).then_some(entity), span);
        let mut args = args.into_iter();
        for &ty in expected {
            let Some(arg) = args.next() else { break };
            let value = self.passed(arg);
            if matches!(value.ty, Ty::Float(_)) != matches!(ty, Ty::Float(_)) {
                self.unsupported("call with mismatched arguments", span);
                return Some(self.dummy(e));
            }
            values.push(fold::convert(ty, value, self.model()));
        }
        if bodied && convention.variadic {
            let va = self.further_arguments(args.collect(), span);
            values.push(va);
        } else if !bodied && self.cx.functions[id].variadic {
            for arg in args {
                let value = self.passed(arg);
                values.push(value);
            }
        }
        if n_captures > 0 {
            values.extend(self.captured_arguments(entity, span));
        }
        let result = self.emit_call(Callee::Direct(id), values, &convention, want, result, span);
        if !bodied && self.cx.opts.externs != ir::Externs::Pure {
            self.outside_errno(span);
        }
        let f = &self.cx.units[entity.0 as usize].funcs[entity.1];
        if f.attrs.noreturn && f.body.is_none() {
            self.finish_with(Op::Halt, span);
        }
        result
    }

    /// An undefined function may have set `errno`.
    fn outside_errno(&mut self, span: Span) {
        let Some(place) = self.errno(span) else { return };
        self.emit(Op::Havoc(ir::HavocDst::Place(place), Source::Outside("errno".to_owned())), span);
    }

    fn call_pointer(&mut self, e: ExprId, callee: ExprId, args: &[ExprId], want: Want) -> Option<Expr> {
        let unit = self.unit;
        let span = unit.exprs[e].span;
        let ptr = self.value(callee);
        let ptr = self.protect(ptr, args, span);
        let Some(ty) = unit.types.pointee(unit.exprs[callee].ty) else {
            self.unsupported("call of a non-function", span);
            return Some(self.dummy(e));
        };
        let convention = Convention::of(&unit.types, ty);
        if let Some(why) = convention.trouble {
            self.unsupported(why, span);
            return Some(self.dummy(e));
        }
        let args = self.arguments(args, Copies::Whole, span);
        let plain =
            !matches!(convention.ret, Passing::Record(..)) && !args.iter().any(|a| matches!(a, Arg::Record(..)));
        let prototype = unit.types.signature(ty).is_some_and(|s| s.prototype);
        let n_fixed = if prototype { convention.params.len().min(args.len()) } else { args.len() };
        let mut values = Vec::new();
        let result = self.result_object(&convention, want, &mut values, None, span);
        let mut args = args.into_iter();
        for arg in args.by_ref().take(n_fixed) {
            let value = self.passed(arg);
            values.push(value);
        }
        if convention.variadic {
            let va = self.further_arguments(args.collect(), span);
            values.push(va);
        }
        self.guard(Ub::NullDeref, fold::binary(BinOp::Ne, ptr.clone(), Expr::null()));
        let callable = object_predicate(ObjectPredicate::Callable(values.len() as u32), ptr.clone());
        // How functions of the outside take and give structures is not said here.
        let callable = match plain {
            true => fold::or(callable, object_predicate(ObjectPredicate::Foreign, ptr.clone())),
            false => callable,
        };
        self.guard(Ub::BadCall, callable);
        self.emit_call(Callee::Indirect(ptr), values, &convention, want, result, span)
    }

    /// The value that stands for an argument.
    fn passed(&self, arg: Arg) -> Expr {
        match arg {
            Arg::Scalar(value) => value,
            Arg::Record(addr, ..) => self.pointer(addr),
        }
    }

    /// The object that receives a record result, whose address is the first argument.
    fn result_object(
        &mut self,
        convention: &Convention,
        want: Want,
        values: &mut Vec<Expr>,
        undefined: Option<Entity<tree::FuncId>>,
        span: Span,
    ) -> Option<Var> {
        let Passing::Record(size, align) = convention.ret else { return None };
        let var = match want {
            Want::Into(var) => var,
            Want::Value | Want::Nothing => self.temp_object(size, align, span),
        };
        if let Some(entity) = undefined {
            // Whatever undefined functions may write elsewhere, their result is arbitrary.
            let source = Source::Outside(self.cx.func_name(entity).to_owned());
            self.havoc_object(&Address::var(var), size, source, span);
        }
        values.push(Expr::addr(Address::var(var)));
        Some(var)
    }

    fn emit_call(
        &mut self,
        callee: Callee,
        args: Vec<Expr>,
        convention: &Convention,
        want: Want,
        object: Option<Var>,
        span: Span,
    ) -> Option<Expr> {
        let (dst, ty) = match (convention.ret, want) {
            // Of a call that a jump ends nothing is assigned.
            (Passing::Scalar(ty), Want::Into(var)) if self.shape(var).scalar() == Some(ty) && !self.cx.has_jumps() => {
                (Some(var), ty)
            }
            (Passing::Scalar(ty), Want::Into(_) | Want::Value) => (Some(self.temp(ty, span)), ty),
            (Passing::Scalar(ty), Want::Nothing) => (None, ty),
            (Passing::Void | Passing::Record(..), _) => (None, Ty::Ptr),
        };
        self.emit(Op::Call(Call { dst, callee, args }), span);
        if let Some(var) = object {
            return Some(Expr::addr(Address::var(var)));
        }
        let result = Expr::var(dst?, ty);
        if want == Want::Value { Some(result) } else { self.deliver(result, want, span) }
    }

    /// Brings a result where it is wanted.
    pub(crate) fn deliver(&mut self, value: Expr, want: Want, span: Span) -> Option<Expr> {
        match want {
            Want::Nothing => None,
            Want::Value => Some(value),
            Want::Into(var) => {
                let ty = self.scalar_of(var);
                if value != Expr::var(var, ty) {
                    let value = fold::convert(ty, value, self.model());
                    self.emit(Op::Assign(Place::var(var, ty), value), span);
                }
                Some(Expr::var(var, ty))
            }
        }
    }

    /// The address of an object with the further arguments of a variadic function.
    fn further_arguments(&mut self, args: Vec<Arg>, span: Span) -> Expr {
        let sizes: Vec<u64> = args
            .iter()
            .map(|a| match a {
                Arg::Scalar(v) => va_slot(v.ty.size(self.model())),
                Arg::Record(_, size) => va_slot(*size),
            })
            .collect();
        let total: u64 = sizes.iter().sum();
        if total == 0 {
            return Expr::null();
        }
        let object = self.temp_object(total, 16, span);
        let mut at = Address::var(object);
        for (arg, size) in args.into_iter().zip(sizes) {
            match arg {
                Arg::Scalar(value) => {
                    let lv = Lv::plain(unnamed(at.clone(), value.ty));
                    self.write(&lv, value, span);
                }
                Arg::Record(addr, bytes) => {
                    let src = self.pointer(addr);
                    self.copy(at.clone(), src, bytes, span);
                }
            }
            at = self.advance(at, size as i64);
        }
        Expr::addr(Address::var(object))
    }
}

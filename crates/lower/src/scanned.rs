//! `scanf` and `fscanf` with a format that is known: what comes in is arbitrary, so the result is any number that the format allows, and the
//! arguments of as many conversions get any value of their type (C11 7.21.6.2).

use crate::context::Passing;
use crate::conversion::{self, Input, What};
use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::link::Entity;
use crate::place::unnamed;
use base::Span;
use cfront::tree::{self, ExprId};
use ir::library::c::Errno;
use ir::{BinOp, Expr, Externs, HavocDst, Op, Source, Ty};

/// Of so many characters of a text it is said which they can be.
const SAID: u64 = 32;

/// One call.
struct Scan<'a> {
    name: &'a str,
    result: Expr,
    span: Span,
}

impl Fun<'_, '_> {
    /// A call whose format is argument `at`; `None` if it is an undefined function.
    #[expect(clippy::too_many_arguments, reason = "a call, and what is known of it")]
    pub(crate) fn scan(
        &mut self,
        name: &str,
        e: ExprId,
        entity: Entity<tree::FuncId>,
        format: Option<&str>,
        at: usize,
        args: &[ExprId],
        want: Want,
    ) -> Option<Option<Expr>> {
        let span = self.unit.exprs[e].span;
        let Some(inputs) = format.and_then(|f| conversion::inputs(f.as_bytes(), self.model())) else {
            if self.cx.checks_memory() {
                return Some(self.unknown_format(e, args.get(at).copied(), args, span));
            }
            let pure = self.cx.opts.externs == Externs::Pure;
            return pure.then(|| Some(self.refuse(e, "input function")));
        };
        let Passing::Scalar(ret) = self.cx.convention(entity).ret else { return Some(None) };
        let mut values = Vec::new();
        for arg in self.arguments(args, crate::call::Copies::Needless, span) {
            let crate::call::Arg::Scalar(value) = arg else {
                return Some(Some(self.refuse(e, "structure passed to a library function")));
            };
            values.push(value);
        }
        self.streams_there(name, &values, span);
        for value in &mut values {
            *value = self.keep_if_memory(value.clone(), span);
        }
        let targets = values.get(at + 1..).unwrap_or_default();
        let stored = inputs.iter().filter(|i| !i.suppressed).count();
        if targets.len() < stored || targets[..stored].iter().any(|t| t.ty != Ty::Ptr) {
            return Some(Some(self.refuse(e, "call of an input function with too few arguments")));
        }
        let counted = inputs.iter().filter(|i| !i.suppressed && !matches!(i.what, What::Count(_))).count();
        let result = self.outside_value(Ty::int(32, true), name, span);
        let within = |op: BinOp, n: i128| fold::binary(op, result.clone(), Expr::int(result.ty, n));
        self.emit(Op::Assume(fold::and(within(BinOp::Ge, -1), within(BinOp::Le, counted as i128))), span);
        let scan = Scan { name, result, span };
        self.stored(&scan, &inputs, targets);
        self.errno_after(Errno::May, Expr::bool(true), None, span);
        Some(self.finish_pure(scan.result, Some(ret), want, span))
    }

    fn stored(&mut self, scan: &Scan<'_>, inputs: &[Input], targets: &[Expr]) {
        let span = scan.span;
        let mut done = 0i128;
        for (input, target) in inputs.iter().filter(|i| !i.suppressed).zip(targets) {
            let (there, join) = (self.graph.loc(), self.graph.loc());
            let reached = fold::binary(BinOp::Gt, scan.result.clone(), Expr::int(scan.result.ty, done));
            // A count has been stored for certain if something behind it was, and characters may have come before the input ended.
            let partly = matches!(input.what, What::Count(_)) || input.is_several_chars();
            let reached = if partly {
                let choice = self.outside_value(Ty::Bool, scan.name, span);
                fold::or(reached, choice)
            } else {
                reached
            };
            self.split(reached, there, join, span);
            self.at(there);
            self.store_input(scan, input, target);
            self.goto(join, span);
            self.at(join);
            done += i128::from(!matches!(input.what, What::Count(_)));
        }
    }

    fn store_input(&mut self, scan: &Scan<'_>, input: &Input, target: &Expr) {
        let (span, size) = (scan.span, self.model().size_ty());
        let source = Source::Outside(scan.name.to_owned());
        match &input.what {
            What::Value(ty) | What::Count(ty) => {
                let addr = self.pointed(target.clone());
                self.access(&addr, ty.size(self.model()));
                let value = self.outside_value(*ty, scan.name, span);
                if matches!(input.what, What::Count(_)) {
                    self.emit(Op::Assume(fold::binary(BinOp::Ge, value.clone(), Expr::int(*ty, 0))), span);
                }
                self.emit(Op::Assign(unnamed(addr, *ty), value), span);
            }
            What::Chars if input.is_several_chars() => {
                self.some_bytes(scan.name, target.clone(), self.bytes(input.width.unwrap_or(1)), span);
            }
            What::Chars => {
                let addr = self.pointed(target.clone());
                self.access(&addr, 1);
                self.emit(Op::Havoc(HavocDst::Place(unnamed(addr, Ty::int(8, true))), source), span);
            }
            What::Text(set) => {
                let n = self.outside_value(size, scan.name, span);
                let least = fold::binary(BinOp::Ge, n.clone(), self.bytes(1));
                // No text is as long as half of the address space: with its end it would be longer than any object.
                let longest = (1 << (self.model().ptr_width() - 1)) - 1;
                let most = fold::binary(BinOp::Le, n.clone(), self.bytes(input.width.unwrap_or(longest).min(longest)));
                self.emit(Op::Assume(fold::and(least, most)), span);
                self.access_range(target, &self.one_more(&n));
                self.havoc_bytes(target.clone(), n.clone(), source, span);
                for i in 0..input.width.unwrap_or(SAID).min(SAID) {
                    let byte = unnamed(self.pointed(self.plus(target, &self.bytes(i))), Ty::int(8, false));
                    let beyond = fold::binary(BinOp::Le, n.clone(), self.bytes(i));
                    self.emit(Op::Assume(fold::or(beyond, member(set, &Expr::read(byte)))), span);
                }
                self.end_string(self.plus(target, &n), span);
            }
        }
    }
}

impl Input {
    fn is_several_chars(&self) -> bool {
        matches!(self.what, What::Chars) && self.width.is_some_and(|w| w > 1)
    }
}

/// Whether a byte is one of a set.
fn member(set: &[bool; 256], byte: &Expr) -> Expr {
    let mut is = Expr::bool(false);
    let mut i = 0;
    while i < 256 {
        let end = (i..256).find(|&k| set[k] != set[i]).unwrap_or(256);
        if set[i] {
            let bound = |op: BinOp, n: usize| fold::binary(op, byte.clone(), Expr::int(byte.ty, n as i128));
            is = fold::or(is, fold::and(bound(BinOp::Ge, i), bound(BinOp::Le, end - 1)));
        }
        i = end;
    }
    is
}

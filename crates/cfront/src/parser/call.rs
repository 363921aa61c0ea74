//! Calls of functions (C11 6.5.2.2), and functions that come into being by being called.

use super::convert::Purpose;
use super::scope::{Binding, Linked};
use super::{Parser, R};
use crate::runtime::{Operation, runtime};
use crate::symbol::Symbol;
use crate::token::T;
use crate::tree::{DeclAttrs, ExprId, ExprKind, FuncId, Function, Linkage};
use crate::types::{Signature, Type, TypeId, basic};
use base::{Diagnostic, Span};

impl Parser<'_> {
    /// `callee(arguments)`, at the parenthesis.
    pub(super) fn call(&mut self, callee: ExprId, lo: u32) -> R<ExprId> {
        let new_line = self.lex.has_line_end(self.last_end, self.tok.lo);
        let callee = self.value(callee)?;
        let ty = self.ty(callee);
        let signature = self.u.types.pointee(ty).and_then(|f| self.u.types.signature(f)).cloned();
        if signature.is_none() && new_line {
            // Most likely a statement that is not finished.
            return self.expected("';'");
        }
        let open = self.bump();
        let Some(sig) = signature else {
            let span = self.span_at(callee);
            let name = match self.u.exprs[callee].kind {
                ExprKind::Var(v) => self.u.vars[v].name.map(|n| self.name(n).to_owned()),
                _ => None,
            };
            let what = name.map_or_else(|| "called object".to_owned(), |n| format!("called object '{n}'"));
            let shown = self.show(ty);
            return self.error(
                "type",
                span,
                format!("{what} is not a function or function pointer (it has type '{shown}')"),
            );
        };
        let mut args = Vec::new();
        if !self.at(T::RParen) {
            loop {
                let e = self.assign_expr()?;
                args.push(e);
                if !self.eat(T::Comma) {
                    break;
                }
            }
        }
        self.close(T::RParen, "')'", open)?;
        let span = self.since(lo);
        self.check_argument_count(callee, &sig, args.len(), span)?;
        let (generic, compares) = (self.is_generic(callee), self.is_comparison(callee));
        for (i, arg) in args.iter_mut().enumerate() {
            if compares {
                *arg = self.as_computed(*arg);
            }
            *arg = if generic && i >= sig.params.len() { self.value(*arg)? } else { self.argument(*arg, i, &sig)? };
        }
        if !self.u.types.is_void(sig.ret) && !self.u.types.is_complete(sig.ret) {
            let what = self.show(sig.ret);
            return self.error("type", span, format!("call of a function that returns an incomplete type '{what}'"));
        }
        let args = self.list(&args);
        Ok(self.expr(ExprKind::Call(callee, args), sig.ret, span))
    }

    /// Whether the function is a built-in that looks at a number in the type that it has: which numbers are normal differs between
    /// formats, and a conversion need not keep the sign of what is not a number.
    fn is_generic(&self, callee: ExprId) -> bool {
        let name = self.u.direct_callee(callee).map(|f| self.name(self.u.funcs[f].name));
        name.is_some_and(|n| matches!(n, "__builtin_isnormal" | "__builtin_fpclassify" | "__builtin_signbit"))
    }

    /// Whether the function is a built-in comparison, which gcc makes of the values as they were computed.
    fn is_comparison(&self, callee: ExprId) -> bool {
        let name = self.u.direct_callee(callee).map(|f| self.name(self.u.funcs[f].name));
        let name = name.and_then(|n| n.strip_prefix("__builtin_is"));
        name.is_some_and(|n| {
            matches!(n, "greater" | "greaterequal" | "less" | "lessequal" | "lessgreater" | "unordered")
        })
    }

    fn argument(&mut self, e: ExprId, i: usize, sig: &Signature) -> R<ExprId> {
        let e = match sig.params.get(i).filter(|_| sig.prototype) {
            Some(&to) => return self.assign_cast(e, to, Purpose::Argument(i + 1)),
            None => self.value(e)?,
        };
        let ty = self.value_type(e);
        let span = self.span_at(e);
        if self.u.types.is_void(ty) {
            return self.error("type", span, "invalid use of void expression");
        }
        if !self.u.types.is_complete(ty) {
            let what = self.show(ty);
            return self.error("type", span, format!("argument {} has incomplete type '{what}'", i + 1));
        }
        self.default_promote(e)
    }

    fn check_argument_count(&mut self, callee: ExprId, sig: &Signature, n: usize, span: Span) -> R<()> {
        // A library function that is not declared: gcc takes the call as it is.
        if self.u.direct_callee(callee).is_some_and(|f| self.u.funcs[f].implicit) {
            return Ok(());
        }
        let want = sig.params.len();
        if !sig.prototype || n == want || n > want && sig.variadic {
            return Ok(());
        }
        let few = if n < want { "few" } else { "many" };
        let (name, place) = match self.u.direct_callee(callee) {
            Some(f) => (format!("function '{}'", self.name(self.u.funcs[f].name)), Some(self.u.funcs[f].span)),
            None => ("function".to_owned(), None),
        };
        let d =
            Diagnostic::error("arguments", span, format!("too {few} arguments to {name}: expected {want}, have {n}"));
        self.fail(match place {
            Some(_) => d.with_note("declared here", place),
            None => d,
        })
    }

    /// Declares a function that the source only calls: `int name()`.
    pub(super) fn implicit_function(&mut self, name: Symbol, span: Span) -> FuncId {
        self.warn_of_implicit(name, span);
        let sig = Signature { ret: basic::INT, params: Box::default(), variadic: false, prototype: false };
        let ty = self.u.types.intern(Type::Function(sig));
        self.declare_implicitly(name, ty, span)
    }

    /// Compilers warn of functions that are called without a declaration, but not of their own built-ins.
    pub(super) fn warn_of_implicit(&mut self, name: Symbol, span: Span) {
        let text = self.name(name);
        let own = ["__builtin_", "__sync_", "__atomic_"].iter().any(|own| text.starts_with(own));
        if !own && !self.scopes.linked.contains_key(&name) {
            let message = format!("implicit declaration of function '{text}'");
            self.u.warnings.push(Diagnostic::warning("implicit-function-declaration", span, message));
        }
    }

    /// A function with linkage that no declaration of the source has introduced.
    pub(super) fn declare_implicitly(&mut self, name: Symbol, ty: TypeId, span: Span) -> FuncId {
        if let Some(Linked::Func(f)) = self.scopes.linked.get(&name).copied() {
            self.scopes.bind(name, Binding::Func(f));
            return f;
        }
        let f = self.u.funcs.push(Function {
            name,
            ty,
            params: Vec::new(),
            body: None,
            linkage: Linkage::External,
            inline: false,
            implicit: true,
            runtime: false,
            parent: None,
            exprs: (0, 0),
            unsupported: None,
            span,
            attrs: DeclAttrs::default(),
        });
        self.scopes.linked.insert(name, Linked::Func(f));
        self.scopes.bind(name, Binding::Func(f));
        f
    }

    /// A call of a function of the runtime library, on the parts of two complex numbers; none for types that it does not know.
    pub(super) fn runtime_call(
        &mut self,
        operation: Operation,
        ty: TypeId,
        parts: [ExprId; 4],
        span: Span,
    ) -> Option<ExprId> {
        let part = self.value_type(parts[0]);
        let runtime = runtime(operation, part).filter(|_| self.function.is_some())?;
        if !self.runtime.iter().any(|(r, _)| *r == runtime) {
            self.runtime.push((runtime, span));
        }
        let name = self.lex.symbols.intern(&runtime.name());
        let sig = Signature { ret: ty, params: [part; 4].into(), variadic: false, prototype: true };
        let function = self.u.types.intern(Type::Function(sig));
        let f = self.declare_implicitly(name, function, span);
        self.u.funcs[f].linkage = Linkage::Internal;
        self.u.funcs[f].runtime = true;
        let callee = self.expr(ExprKind::Func(f), function, span);
        let callee = self.value(callee).ok()?;
        let args = self.list(&parts);
        Some(self.expr(ExprKind::Call(callee, args), ty, span))
    }
}

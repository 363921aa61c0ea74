//! Declarators: pointers, arrays, functions and the name in the middle (C11 6.7.6).
//!
//! A declarator reads inside out. The parts are collected from the name outwards and applied to the base type in the
//! opposite order, so that no type has to be patched afterwards.

use super::attribute::Attrs;
use super::scope::Binding;
use super::specifier::Class;
use super::{Parser, R};
use crate::symbol::Symbol;
use crate::token::T;
use crate::tree::{Definition, Init, InitEntry, InitValue, Linkage, Storage, Var, VarId};
use crate::types::{ArrayLen, Quals, Signature, Type, TypeId, basic};
use base::Span;

/// Deepest nesting of one type in itself (pointers to arrays of functions ...): recursion over types is bounded by it.
const MAX_TYPE_DEPTH: u32 = 1000;

/// A parameter as its function declarator names it.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: Option<Symbol>,
    pub(super) var: VarId,
}

/// A declarator with its type.
#[derive(Clone, Debug)]
pub(super) struct Declarator {
    pub(super) name: Option<Symbol>,
    pub(super) ty: TypeId,
    pub(super) span: Span,
    /// The parameters, if the name itself is declared as a function here.
    pub(super) params: Option<Vec<Param>>,
    /// The names of a K&R parameter list.
    pub(super) old_style: Vec<(Symbol, Span)>,
    pub(super) attrs: Attrs,
}

enum Part {
    Pointer(Quals),
    Array(ArrayLen),
    Function { params: Vec<Param>, variadic: bool, prototype: bool, old_style: Vec<(Symbol, Span)> },
}

struct Parts {
    parts: Vec<Part>,
    name: Option<(Symbol, Span)>,
    attrs: Attrs,
}

impl Parser<'_> {
    /// Reads a declarator for `base`; `abstract_ok` says that the name may be missing.
    pub(super) fn declarator(&mut self, base: TypeId, abstract_ok: bool) -> R<Declarator> {
        let lo = self.tok.lo;
        let mut parts = Parts { parts: Vec::new(), name: None, attrs: Attrs::default() };
        self.declarator_parts(&mut parts, abstract_ok)?;
        self.asm_name_and_attributes(&mut parts.attrs)?;
        let (name, span) = match parts.name {
            Some((name, span)) => (Some(name), span),
            None => (None, self.since(lo)),
        };
        let mut d = Declarator { name, ty: base, span, params: None, old_style: Vec::new(), attrs: parts.attrs };
        let n = parts.parts.len();
        for (i, part) in parts.parts.into_iter().rev().enumerate() {
            let innermost = i + 1 == n;
            d.ty = self.apply(part, d.ty, span, innermost.then_some(&mut d))?;
            if self.u.types.depth(d.ty) > MAX_TYPE_DEPTH {
                return self.error("depth", span, "type nested too deeply");
            }
        }
        Ok(d)
    }

    fn apply(&mut self, part: Part, ty: TypeId, span: Span, outermost: Option<&mut Declarator>) -> R<TypeId> {
        match part {
            Part::Pointer(quals) => {
                let p = self.u.types.pointer(ty);
                Ok(self.u.types.qualified(p, quals))
            }
            Part::Array(len) => {
                if self.u.types.is_function(ty) || self.u.types.is_void(ty) {
                    let what = self.show(ty);
                    return self.error("type", span, format!("declaration of an array of '{what}'"));
                }
                if !self.u.types.is_complete(ty) && !matches!(self.u.types.get(ty), Type::Enum(_)) {
                    let what = self.show(ty);
                    return self.error("type", span, format!("array type has incomplete element type '{what}'"));
                }
                if let (ArrayLen::Fixed(n), Some(size)) = (len, self.u.types.size(ty))
                    && size.checked_mul(n).is_none_or(|s| s > self.u.types.max_size())
                {
                    return self.error("type", span, "size of array is too large");
                }
                Ok(self.u.types.intern(Type::Array(ty, len)))
            }
            Part::Function { params, variadic, prototype, old_style } => {
                if self.u.types.is_function(ty) || self.u.types.is_array(ty) {
                    let what = self.show(ty);
                    return self.error("type", span, format!("function declared as returning '{what}'"));
                }
                let types = if prototype {
                    params.iter().map(|p| self.u.types.unqualified(self.u.vars[p.var].ty)).collect()
                } else {
                    Box::default()
                };
                if let Some(d) = outermost {
                    d.params = Some(params);
                    d.old_style = old_style;
                }
                let ret = self.u.types.unqualified(ty);
                Ok(self.u.types.intern(Type::Function(Signature { ret, params: types, variadic, prototype })))
            }
        }
    }

    fn declarator_parts(&mut self, out: &mut Parts, abstract_ok: bool) -> R<()> {
        self.attributes(&mut out.attrs)?;
        let mut pointers = Vec::new();
        while self.eat(T::Star) {
            let mut quals = Quals::NONE;
            loop {
                match self.tok.kind {
                    T::Const => quals = quals.with(Quals::CONST),
                    T::Volatile => quals = quals.with(Quals::VOLATILE),
                    T::Restrict => quals = quals.with(Quals::RESTRICT),
                    T::Atomic => quals = quals.with(Quals::ATOMIC),
                    T::Attribute => {
                        self.attributes(&mut out.attrs)?;
                        continue;
                    }
                    _ => break,
                }
                self.bump();
            }
            pointers.push(Part::Pointer(quals));
            if pointers.len() > MAX_TYPE_DEPTH as usize {
                let span = self.span_of(self.tok);
                return self.error("depth", span, "type nested too deeply");
            }
        }
        let mut suffixes = true;
        if self.at(T::LParen) && self.nested_declarator(abstract_ok) {
            let open = self.bump();
            self.nested(|p| p.declarator_parts(out, abstract_ok))?;
            self.close(T::RParen, "')'", open)?;
        } else if self.at(T::Ident) {
            let t = self.bump();
            out.name = Some((t.sym, self.span_of(t)));
        } else if !abstract_ok {
            return self.expected("an identifier or '('");
        } else {
            suffixes = self.at(T::LParen) || self.at(T::LBracket);
        }
        loop {
            if !suffixes {
                break;
            }
            if self.at(T::LBracket) {
                let part = self.nested(Self::array_part)?;
                out.parts.push(part);
            } else if self.at(T::LParen) {
                let part = self.nested(Self::function_part)?;
                out.parts.push(part);
            } else if self.at(T::Attribute) {
                self.attributes(&mut out.attrs)?;
            } else {
                break;
            }
        }
        out.parts.extend(pointers.into_iter().rev());
        Ok(())
    }

    /// Whether a `(` encloses a declarator rather than parameters.
    fn nested_declarator(&mut self, abstract_ok: bool) -> bool {
        if !abstract_ok {
            return true;
        }
        let t = self.peek(1);
        match t.kind {
            T::RParen | T::Ellipsis => false,
            // `int (__attribute__((x)) *p)`: an attribute inside is taken for part of the declarator.
            T::Attribute => true,
            _ => !self.starts_type(t),
        }
    }

    fn array_part(&mut self) -> R<Part> {
        let open = self.bump();
        // `static` and qualifiers speak of the pointer that a parameter becomes; they change nothing we model.
        while matches!(self.tok.kind, T::Const | T::Volatile | T::Restrict | T::Static | T::Atomic) {
            self.bump();
        }
        self.skip_attributes()?;
        let len = if self.at(T::RBracket) {
            ArrayLen::Unknown
        } else if self.at(T::Star) && self.peek(1).kind == T::RBracket {
            self.bump();
            ArrayLen::Star
        } else {
            let e = self.assign_expr()?;
            self.array_length(e)?
        };
        self.close(T::RBracket, "']'", open)?;
        Ok(Part::Array(len))
    }

    fn array_length(&mut self, e: crate::tree::ExprId) -> R<ArrayLen> {
        let e = self.value(e)?;
        let span = self.span_at(e);
        if self.u.types.int_kind(self.ty(e)).is_none() {
            return self.error("type", span, "size of array has non-integer type");
        }
        if let Some(n) = crate::const_eval(&self.u, e) {
            if n < 0 {
                return self.error("type", span, "size of array is negative");
            }
            return Ok(ArrayLen::Fixed(u64::try_from(n).unwrap_or(u64::MAX)));
        }
        let size_t = self.u.types.size_t();
        let value = self.cast(e, size_t)?;
        Ok(ArrayLen::Variable(self.length_variable(value, span)))
    }

    /// A hidden variable of type `size_t`, to be set to this value before the type that is being read is used.
    pub(super) fn length_variable(&mut self, value: crate::tree::ExprId, span: Span) -> VarId {
        let size_t = self.u.types.size_t();
        let var = self.hidden(size_t, span);
        self.u.vars[var].storage = Storage::Auto;
        let entry =
            InitEntry { offset: 0, ty: size_t, bits: None, value: InitValue::Expr(value), repeat: 1, stride: 0 };
        let init =
            self.u.inits.push(Init { zero: false, entries: vec![entry], members: Vec::new(), unsupported: None });
        self.u.vars[var].init = Some(init);
        self.pending.push(var);
        var
    }

    fn function_part(&mut self) -> R<Part> {
        let open = self.bump();
        if self.eat(T::RParen) {
            return Ok(Part::Function { params: Vec::new(), variadic: false, prototype: false, old_style: Vec::new() });
        }
        if self.at(T::Ident) && !self.starts_type(self.tok) {
            return self.old_style_names();
        }
        self.scopes.push();
        let result = self.parameters(open);
        self.scopes.pop();
        result
    }

    fn old_style_names(&mut self) -> R<Part> {
        let next = self.peek(1).kind;
        if !matches!(next, T::Comma | T::RParen) {
            return self.unknown_type();
        }
        let mut old_style = Vec::new();
        loop {
            let t = self.expect(T::Ident, "a parameter name")?;
            let span = self.span_of(t);
            old_style.push((t.sym, span));
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::RParen, "')'")?;
        Ok(Part::Function { params: Vec::new(), variadic: false, prototype: false, old_style })
    }

    fn parameters(&mut self, open: crate::token::Token) -> R<Part> {
        let (mut params, mut variadic) = (Vec::new(), false);
        // GNU: `(int n; int a[n], int n)` declares `n` ahead.
        let mut ahead: Vec<Param> = Vec::new();
        loop {
            if self.eat(T::Ellipsis) {
                variadic = true;
                break;
            }
            while self.eat(T::Extension) {}
            if !self.starts_type(self.tok) {
                return self.unknown_type();
            }
            let s = self.specifiers()?;
            let d = self.declarator(s.ty, true)?;
            let mut attrs = s.attrs.clone();
            attrs.merge(d.attrs);
            let ty = self.apply_type_attributes(d.ty, &attrs);
            if self.u.types.is_void(ty) {
                if params.is_empty() && d.name.is_none() && self.at(T::RParen) {
                    break;
                }
                return self.error("type", d.span, "a parameter has type 'void'");
            }
            if !matches!(s.class, None | Some(Class::Register)) {
                return self.error("specifier", d.span, "storage class specified for a parameter");
            }
            let ty = self.adjusted(ty);
            let known = ahead.iter().find(|p| d.name.is_some() && p.name == d.name).map(|p| p.var);
            let var = known.unwrap_or_else(|| self.param_var(d.name, ty, d.span));
            if let Some(name) = d.name {
                ahead.retain(|p| p.var != var);
                if known.is_none() && self.scopes.lookup_here(name).is_some() {
                    let text = self.name(name).to_owned();
                    return self.error("redefinition", d.span, format!("redefinition of parameter '{text}'"));
                }
                self.scopes.bind(name, Binding::Var(var));
            }
            params.push(Param { name: d.name, var });
            if self.eat(T::Semi) {
                ahead.append(&mut params);
                continue;
            }
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.close(T::RParen, "')'", open)?;
        Ok(Part::Function { params, variadic, prototype: true, old_style: Vec::new() })
    }

    pub(super) fn param_var(&mut self, name: Option<Symbol>, ty: TypeId, span: Span) -> VarId {
        self.u.vars.push(Var {
            name,
            ty,
            storage: Storage::Param,
            linkage: Linkage::None,
            definition: Definition::Defined,
            init: None,
            owner: None,
            span,
            attrs: crate::tree::DeclAttrs::default(),
        })
    }

    /// The type a parameter of type `ty` has: arrays and functions become pointers.
    pub(super) fn adjusted(&mut self, ty: TypeId) -> TypeId {
        match *self.u.types.get(ty) {
            Type::Array(elem, _) => self.u.types.pointer(elem),
            Type::Function(_) => self.u.types.pointer(ty),
            Type::Void => basic::VOID,
            _ => ty,
        }
    }
}

//! Declarations and function definitions (C11 6.7, 6.9), at file scope and in blocks, with linkage and redeclaration.

use super::convert::Purpose;
use super::declarator::{Declarator, Param};
use super::scope::{Binding, Linked};
use super::specifier::{Class, Specifiers};
use super::{FnContext, Parser, R, Stop, outside};
use crate::symbol::Symbol;
use crate::token::T;
use crate::tree::{
    DeclAttrs, Definition, FuncId, Function, Init, InitEntry, InitValue, Linkage, StmtId, StmtKind, Storage, Var, VarId,
};
use crate::types::{ArrayLen, Quals, Type, TypeId, basic};
use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

impl Parser<'_> {
    /// Types that gcc knows without a declaration.
    pub(super) fn predeclare(&mut self) {
        let ms_list = self.u.types.pointer(basic::CHAR);
        let known = [("__int128_t", basic::INT128), ("__uint128_t", basic::UINT128), ("__builtin_ms_va_list", ms_list)];
        for (name, ty) in known {
            let s = self.lex.symbols.intern(name);
            self.scopes.bind(s, Binding::Typedef(ty));
        }
    }

    /// The program, and the functions of the runtime library that it needs.
    pub(super) fn translation_unit(&mut self) -> R<()> {
        self.declarations()?;
        if !self.errors.is_empty() {
            return Ok(());
        }
        for (runtime, place) in std::mem::take(&mut self.runtime) {
            self.lex.go_on_with(&runtime.text(), place);
            self.bump();
            self.declarations()?;
        }
        self.finish_assembly();
        self.finish_tentative()
    }

    fn declarations(&mut self) -> R<()> {
        while !self.at(T::Eof) {
            match self.tok.kind {
                T::Semi => {
                    self.bump();
                }
                T::Asm => {
                    if let StmtKind::Asm(asm) = self.asm_statement()? {
                        let template = &self.u.asms[asm].template;
                        match outside::data(template) {
                            Some(data) => self.assembled.push(data),
                            None => self.u.unsupported.push(outside::ASSEMBLY.to_owned()),
                        }
                    }
                    self.expect(T::Semi, "';'")?;
                }
                T::StaticAssert => self.static_assert()?,
                _ => {
                    let mut none = Vec::new();
                    self.declaration(&mut none)?;
                }
            }
        }
        Ok(())
    }

    /// Data in assembly may hold addresses of what others can name, which is no news; not those of what is static. Where C looks at the data
    /// itself, it must be constants that lie apart and hold no addresses: others C takes for objects of their own, which they are not.
    fn finish_assembly(&mut self) {
        let named = |n: Symbol, name: &String| self.lex.symbols.name(n) == name;
        let is_static = |name: &String| {
            let function = |f: &Function| named(f.name, name) && f.linkage != Linkage::External;
            let variable = |v: &Var| v.name.is_some_and(|n| named(n, name)) && v.linkage != Linkage::External;
            self.u.funcs.iter().any(function) || self.u.vars.iter().any(variable)
        };
        let renames = |attrs: &DeclAttrs, name: &String| attrs.asm_name.as_deref() == Some(name.as_str());
        let seen = |name: &String, may: &dyn Fn(&Var) -> bool| {
            let function = |f: &Function| named(f.name, name) || renames(&f.attrs, name);
            let variable = |v: &Var| v.name.is_some_and(|n| named(n, name)) || renames(&v.attrs, name);
            self.u.funcs.iter().any(function) || self.u.vars.iter().any(|v| variable(v) && !may(v))
        };
        let constant = |v: &Var| {
            let quals = self.u.types.quals(v.ty);
            quals.has(Quals::CONST) && !quals.has(Quals::VOLATILE)
        };
        let wrong = |data: &outside::Data| {
            let plain = data.distinct && data.names.is_empty();
            data.names.iter().any(is_static) || data.labels.iter().any(|l| seen(l, &|v| plain && constant(v)))
        };
        if self.assembled.iter().any(wrong) {
            self.u.unsupported.push(outside::ASSEMBLY.to_owned());
        }
    }

    /// `int a[];` without more becomes an array of one element; other tentative definitions must be complete by now.
    fn finish_tentative(&mut self) -> R<()> {
        for v in self.u.vars.ids() {
            let var = &self.u.vars[v];
            if var.definition != Definition::Tentative {
                continue;
            }
            if let Type::Array(elem, ArrayLen::Unknown) = *self.u.types.get(var.ty) {
                self.u.vars[v].ty = self.u.types.intern(Type::Array(elem, ArrayLen::Fixed(1)));
            } else if !self.u.types.is_complete(var.ty) {
                let (span, name) = (var.span, var.name.map_or_else(String::new, |n| self.name(n).to_owned()));
                return self.error("type", span, format!("storage size of '{name}' isn't known"));
            }
        }
        Ok(())
    }

    /// One declaration, with its semicolon or function body; local variables leave statements in `out`.
    pub(super) fn declaration(&mut self, out: &mut Vec<StmtId>) -> R<()> {
        while self.eat(T::Extension) {}
        if self.at(T::StaticAssert) {
            return self.static_assert();
        }
        let vars_before = self.u.vars.len();
        let mark = self.pending.len();
        let spec = self.specifiers()?;
        if spec.implicit && self.at(T::Ident) && matches!(self.peek(1).kind, T::Ident | T::Star) {
            return self.unknown_type();
        }
        if self.at(T::Semi) {
            self.flush_lengths(mark, out);
            self.bump();
            return Ok(());
        }
        if spec.implicit && !self.at(T::Ident) && !self.at(T::Star) && !self.at(T::LParen) {
            return self.expected("a declaration");
        }
        let mut first = true;
        loop {
            let d = self.declarator(spec.ty, false)?;
            let is_function = self.u.types.is_function(d.ty) && spec.class != Some(Class::Typedef);
            if first && is_function && d.params.is_some() && self.starts_body(&d) {
                return self.function_definition(&spec, d, mark);
            }
            if is_function {
                self.function_declaration(&spec, &d, vars_before)?;
                self.pending.truncate(mark);
            } else {
                self.declare(&spec, d, mark, out)?;
            }
            first = false;
            if !self.eat(T::Comma) {
                break;
            }
            if self.at(T::Attribute) {
                // `int a, __attribute__((x)) b`: the declarator reads it.
                continue;
            }
        }
        if !self.at(T::Semi) {
            let what = if self.at(T::Eq) || !first { "';'" } else { "'=', ',', ';', 'asm' or '__attribute__'" };
            return self.expected(what);
        }
        self.bump();
        Ok(())
    }

    fn starts_body(&self, d: &Declarator) -> bool {
        self.at(T::LBrace) || !d.old_style.is_empty() && self.starts_type(self.tok)
    }

    /// Turns array lengths that have been read into statements that set their hidden variables.
    pub(super) fn flush_lengths(&mut self, mark: usize, out: &mut Vec<StmtId>) {
        for var in self.pending.split_off(mark.min(self.pending.len())) {
            let span = self.u.vars[var].span;
            out.push(self.stmt(StmtKind::Decl(var), span));
        }
    }

    /// A declarator that does not declare a function.
    fn declare(&mut self, spec: &Specifiers, mut d: Declarator, mark: usize, out: &mut Vec<StmtId>) -> R<()> {
        let mut attrs = spec.attrs.clone();
        attrs.merge(d.attrs.clone());
        d.ty = self.apply_type_attributes(d.ty, &attrs);
        let name = d.name.expect("a declaration has a name");
        if spec.class == Some(Class::Typedef) {
            if let Some(align) = attrs.align {
                d.ty = self.u.types.aligned(d.ty, align);
            }
            self.flush_lengths(mark, out);
            return self.declare_typedef(name, &d);
        }
        if self.u.types.is_void(d.ty) && spec.class != Some(Class::Extern) {
            let text = self.name(name).to_owned();
            return self.error("type", d.span, format!("variable '{text}' declared void"));
        }
        if self.scopes.depth() == 0 && (self.u.types.is_vla(d.ty) || self.pending.len() > mark) {
            let text = self.name(name).to_owned();
            return self.error("type", d.span, format!("variably modified '{text}' at file scope"));
        }
        self.flush_lengths(mark, out);
        let var = self.declare_variable(spec, &d, name, &attrs)?;
        if self.eat(T::Eq) {
            self.initialized(spec, var, name, d.span)?;
        } else if spec.auto_type {
            return self.expected("'=' (the type comes from the initializer)");
        }
        let v = &self.u.vars[var];
        let local = matches!(v.storage, Storage::Auto);
        let needs_size = v.definition == Definition::Defined && self.scopes.depth() > 0;
        if needs_size && !self.u.types.is_complete(v.ty) {
            let text = self.name(name).to_owned();
            return self.error("type", d.span, format!("storage size of '{text}' isn't known"));
        }
        if local {
            let span = self.u.vars[var].span;
            out.push(self.stmt(StmtKind::Decl(var), span));
        }
        Ok(())
    }

    fn initialized(&mut self, spec: &Specifiers, var: VarId, name: Symbol, span: Span) -> R<()> {
        let v = &self.u.vars[var];
        let (first, first_init) = (v.span, v.init);
        let extern_local = spec.class == Some(Class::Extern) && self.scopes.depth() > 0;
        if extern_local {
            let text = self.name(name).to_owned();
            return self.error("init", span, format!("'{text}' has both 'extern' and initializer"));
        }
        if first_init.is_some() {
            return self.redefinition(name, span, first);
        }
        if spec.auto_type {
            let e = self.assign_expr()?;
            let e = self.value(e)?;
            let ty = self.value_type(e);
            let quals = self.u.types.quals(spec.ty);
            self.u.vars[var].ty = self.u.types.qualified(ty, quals);
            let e = self.assign_cast(e, ty, Purpose::Init)?;
            let entry = InitEntry { offset: 0, ty, bits: None, value: InitValue::Expr(e), repeat: 1, stride: 0 };
            let init =
                self.u.inits.push(Init { zero: false, entries: vec![entry], members: Vec::new(), unsupported: None });
            self.u.vars[var].init = Some(init);
        } else {
            self.initializer(var)?;
        }
        self.u.vars[var].definition = Definition::Defined;
        Ok(())
    }

    fn declare_typedef(&mut self, name: Symbol, d: &Declarator) -> R<()> {
        match self.scopes.lookup_here(name) {
            Some(Binding::Typedef(old)) if self.u.types.compatible(old, d.ty) || self.u.types.is_vla(old) => {}
            Some(_) => {
                let text = self.name(name).to_owned();
                return self.error(
                    "redefinition",
                    d.span,
                    format!("'{text}' redeclared as a different kind of name or type"),
                );
            }
            None => {}
        }
        self.scopes.bind(name, Binding::Typedef(d.ty));
        Ok(())
    }

    fn redefinition<X>(&mut self, name: Symbol, span: Span, first: Span) -> R<X> {
        let text = self.name(name).to_owned();
        let d = Diagnostic::error("redefinition", span, format!("redefinition of '{text}'"));
        self.fail(if first == span { d } else { d.with_note("previously defined here", Some(first)) })
    }

    fn conflict<X>(&mut self, name: Symbol, span: Span, first: Span, new: TypeId, old: TypeId) -> R<X> {
        let (text, have, had) = (self.name(name).to_owned(), self.show(new), self.show(old));
        let d = Diagnostic::error("conflict", span, format!("conflicting types for '{text}'; have '{have}'"));
        self.fail(d.with_note(format!("previously declared here with type '{had}'"), Some(first)))
    }

    /// Enters a variable into its scope, or merges it with an earlier declaration of the same object.
    fn declare_variable(
        &mut self,
        spec: &Specifiers,
        d: &Declarator,
        name: Symbol,
        attrs: &super::attribute::Attrs,
    ) -> R<VarId> {
        let file_scope = self.scopes.depth() == 0;
        let linked = file_scope || spec.class == Some(Class::Extern);
        if let Some(here) = self.scopes.lookup_here(name) {
            let same = match here {
                Binding::Var(v) => linked && self.u.vars[v].linkage != Linkage::None,
                _ => false,
            };
            if !same {
                let text = self.name(name).to_owned();
                let message = match here {
                    Binding::Var(_) => format!("redeclaration of '{text}' with no linkage"),
                    _ => format!("'{text}' redeclared as different kind of symbol"),
                };
                let d2 = Diagnostic::error("redefinition", d.span, message);
                let first = match here {
                    Binding::Var(v) => Some(self.u.vars[v].span),
                    Binding::Func(f) => Some(self.u.funcs[f].span),
                    _ => None,
                };
                return self.fail(match first {
                    Some(_) => d2.with_note("previously declared here", first),
                    None => d2,
                });
            }
        }
        if linked {
            return self.linked_variable(spec, d, name, attrs);
        }
        let owner = self.function.as_ref().map(|f| f.func);
        let is_static = spec.class == Some(Class::Static);
        let storage = match (spec.thread, is_static) {
            (true, _) => Storage::Thread,
            (false, true) => Storage::Static,
            (false, false) => Storage::Auto,
        };
        let var = self.u.vars.push(Var {
            name: Some(name),
            ty: d.ty,
            storage,
            linkage: Linkage::None,
            definition: Definition::Defined,
            init: None,
            owner,
            span: d.span,
            attrs: attrs.for_decl(),
        });
        self.scopes.bind(name, Binding::Var(var));
        Ok(var)
    }

    fn linked_variable(
        &mut self,
        spec: &Specifiers,
        d: &Declarator,
        name: Symbol,
        attrs: &super::attribute::Attrs,
    ) -> R<VarId> {
        let is_extern = spec.class == Some(Class::Extern);
        let definition = if is_extern { Definition::Declared } else { Definition::Tentative };
        let storage = if spec.thread { Storage::Thread } else { Storage::Static };
        let linkage = if spec.class == Some(Class::Static) { Linkage::Internal } else { Linkage::External };
        match self.scopes.linked.get(&name).copied() {
            Some(Linked::Var(v)) => {
                let (old, first) = (self.u.vars[v].ty, self.u.vars[v].span);
                if !self.u.types.compatible(old, d.ty) {
                    return self.conflict(name, d.span, first, d.ty, old);
                }
                let ty = self.u.types.composite(old, d.ty);
                let natural = self.u.types.align(ty);
                let var = &mut self.u.vars[v];
                var.ty = ty;
                if var.definition == Definition::Declared && definition == Definition::Tentative {
                    var.definition = Definition::Tentative;
                    var.span = d.span;
                }
                // A declaration that asks for nothing wants what the type has.
                var.attrs.align = match (var.attrs.align, attrs.align) {
                    (None, None) => None,
                    (a, b) => Some(a.unwrap_or(natural).max(b.unwrap_or(natural))),
                };
                var.attrs.weak |= attrs.weak;
                if attrs.alias.is_some() {
                    var.attrs.alias.clone_from(&attrs.alias);
                }
                self.scopes.bind(name, Binding::Var(v));
                Ok(v)
            }
            Some(Linked::Func(f)) => {
                let (old, first) = (self.u.funcs[f].ty, self.u.funcs[f].span);
                self.conflict(name, d.span, first, d.ty, old)
            }
            None => {
                let var = self.u.vars.push(Var {
                    name: Some(name),
                    ty: d.ty,
                    storage,
                    linkage,
                    definition,
                    init: None,
                    owner: None,
                    span: d.span,
                    attrs: attrs.for_decl(),
                });
                self.scopes.linked.insert(name, Linked::Var(var));
                self.scopes.bind(name, Binding::Var(var));
                Ok(var)
            }
        }
    }

    // ---- Functions.

    fn function_declaration(&mut self, spec: &Specifiers, d: &Declarator, vars_before: usize) -> R<()> {
        let name = d.name.expect("a declaration has a name");
        self.declare_function(spec, d, name, false)?;
        if self.at(T::Eq) {
            let text = self.name(name).to_owned();
            return self.error("init", d.span, format!("function '{text}' is initialized like a variable"));
        }
        // The parameters of a prototype serve nothing any more, unless lengths of its arrays are tied to them.
        let prototype_only = self.u.vars.as_slice()[vars_before..].iter().all(|v| v.storage == Storage::Param);
        let counted = d.params.as_ref().map_or(0, Vec::len) == self.u.vars.len() - vars_before;
        if prototype_only && counted {
            self.u.vars.truncate(vars_before);
        }
        Ok(())
    }

    /// Enters a function into its scope, or merges it with earlier declarations.
    fn declare_function(&mut self, spec: &Specifiers, d: &Declarator, name: Symbol, definition: bool) -> R<FuncId> {
        let mut attrs = spec.attrs.clone();
        attrs.merge(d.attrs.clone());
        let nested =
            definition && self.scopes.depth() > 0 || self.scopes.depth() > 0 && spec.class == Some(Class::Auto);
        if let Some(here) = self.scopes.lookup_here(name)
            && !matches!(here, Binding::Func(_))
        {
            let text = self.name(name).to_owned();
            return self.error("redefinition", d.span, format!("'{text}' redeclared as different kind of symbol"));
        }
        let known = if nested {
            match self.scopes.lookup_here(name) {
                Some(Binding::Func(f)) if self.u.funcs[f].parent.is_some() => Some(f),
                _ => None,
            }
        } else {
            match self.scopes.linked.get(&name).copied() {
                Some(Linked::Func(f)) => Some(f),
                Some(Linked::Var(v)) => {
                    let (old, first) = (self.u.vars[v].ty, self.u.vars[v].span);
                    return self.conflict(name, d.span, first, d.ty, old);
                }
                None => None,
            }
        };
        let f = match known {
            Some(f) => {
                self.merge_function(f, spec, d, name, definition)?;
                f
            }
            None => {
                let is_static = spec.class == Some(Class::Static) || nested;
                let parent = if nested { self.function.as_ref().map(|f| f.func) } else { None };
                let f = self.u.funcs.push(Function {
                    name,
                    ty: d.ty,
                    params: Vec::new(),
                    body: None,
                    linkage: if is_static { Linkage::Internal } else { Linkage::External },
                    inline: spec.inline,
                    implicit: false,
                    runtime: false,
                    parent,
                    exprs: (0, 0),
                    unsupported: None,
                    span: d.span,
                    attrs: attrs.for_decl(),
                });
                if !nested {
                    self.scopes.linked.insert(name, Linked::Func(f));
                }
                f
            }
        };
        let merged = &mut self.u.funcs[f].attrs;
        merged.noreturn |= attrs.noreturn;
        merged.returns_twice |= attrs.returns_twice;
        merged.weak |= attrs.weak;
        merged.startup |= attrs.startup;
        merged.constructor |= attrs.constructor;
        merged.alias = attrs.alias.or(merged.alias.take());
        merged.asm_name = attrs.asm_name.or(merged.asm_name.take());
        self.scopes.bind(name, Binding::Func(f));
        Ok(f)
    }

    fn merge_function(
        &mut self,
        f: FuncId,
        spec: &Specifiers,
        d: &Declarator,
        name: Symbol,
        definition: bool,
    ) -> R<()> {
        let old = &self.u.funcs[f];
        let (old_ty, first, implicit, has_body) = (old.ty, old.span, old.implicit, old.body.is_some());
        // GNU: an `extern inline` body may be followed by the real one.
        if definition && has_body && !old.inline {
            return self.redefinition(name, d.span, first);
        }
        // gcc takes `f(int x) {...}` behind `void f(int);` with a warning: the type that is not written is no conflict.
        let forgotten = spec.implicit && definition && self.same_but_for_result(old_ty, d.ty);
        let ty = if implicit {
            d.ty
        } else if forgotten {
            old_ty
        } else if self.u.types.compatible(old_ty, d.ty) {
            if definition && !self.u.types.signature(d.ty).is_some_and(|s| s.prototype) {
                old_ty
            } else {
                self.u.types.composite(old_ty, d.ty)
            }
        } else {
            return self.conflict(name, d.span, first, d.ty, old_ty);
        };
        let f = &mut self.u.funcs[f];
        f.ty = ty;
        f.implicit = false;
        f.inline |= spec.inline;
        if spec.class == Some(Class::Static) {
            f.linkage = Linkage::Internal;
        }
        if definition || implicit {
            f.span = d.span;
        }
        Ok(())
    }

    /// Whether two functions differ in that only the first returns nothing.
    fn same_but_for_result(&mut self, old: TypeId, new: TypeId) -> bool {
        let Some(old) = self.u.types.signature(old).cloned() else { return false };
        let Some(mut new) = self.u.types.signature(new).cloned() else { return false };
        if !self.u.types.is_void(old.ret) {
            return false;
        }
        new.ret = old.ret;
        let (old, new) = (self.u.types.intern(Type::Function(old)), self.u.types.intern(Type::Function(new)));
        self.u.types.compatible(old, new)
    }

    fn function_definition(&mut self, spec: &Specifiers, mut d: Declarator, mark: usize) -> R<()> {
        let name = d.name.expect("a declaration has a name");
        let nested = self.scopes.depth() > 0;
        let func = self.declare_function(spec, &d, name, true)?;
        let ret = self.u.types.signature(self.u.funcs[func].ty).map_or(basic::INT, |s| s.ret);
        if !self.u.types.is_void(ret) && !self.u.types.is_complete(ret) {
            return self.error("type", d.span, "return type is an incomplete type");
        }
        let first_expr = self.u.exprs.len() as u32;
        self.scopes.push();
        let context = FnContext {
            func,
            ret,
            labels: FxHashMap::default(),
            switches: Vec::new(),
            names: FxHashMap::default(),
            loops: 0,
            breakables: 0,
            failed: false,
        };
        let outer = self.function.replace(context);
        let mut params = d.params.take().unwrap_or_default();
        if !d.old_style.is_empty() {
            params = self.old_style_params(&d.old_style)?;
        }
        for p in &params {
            self.u.vars[p.var].owner = Some(func);
            let (ty, span) = (self.u.vars[p.var].ty, self.u.vars[p.var].span);
            if !self.u.types.is_complete(ty) {
                return self.error("type", span, "a parameter has incomplete type");
            }
            match p.name {
                Some(n) if d.old_style.is_empty() => self.scopes.bind(n, Binding::Var(p.var)),
                _ => {}
            }
        }
        self.u.funcs[func].params = params.iter().map(|p| p.var).collect();
        let mut items = Vec::new();
        for &v in &self.pending[mark..] {
            self.u.vars[v].owner = Some(func);
        }
        self.flush_lengths(mark, &mut items);
        let lo = self.tok.lo;
        if !self.at(T::LBrace) {
            return self.expected("'{'");
        }
        let (braces, depth) = (self.braces, self.scopes.depth());
        if !nested {
            self.missed.clear();
        }
        let body = match self.nested(Self::block_items) {
            Ok(body) => body,
            Err(Stop) if !nested && self.goes_on_behind(braces) => {
                while self.scopes.depth() >= depth {
                    self.scopes.pop();
                }
                self.function = outer;
                self.pending.truncate(mark);
                return Ok(());
            }
            Err(Stop) => return Err(Stop),
        };
        items.extend(body);
        let span = self.since(lo);
        let body = self.stmt(StmtKind::Block(items.into()), span);
        self.scopes.pop();
        let context = std::mem::replace(&mut self.function, outer).expect("the context was set above");
        let mut undefined: Vec<_> = context.labels.values().filter(|s| !s.defined).map(|s| s.id).collect();
        undefined.sort();
        if let Some(&label) = undefined.first().filter(|_| !context.failed) {
            if !nested {
                let stop = self.undefined_label(label);
                return if self.notes_error() { Ok(()) } else { stop };
            }
            let why = self.unsupported("goto out of a nested function");
            self.u.funcs[func].unsupported = Some(why);
        }
        self.u.funcs[func].body = Some(body);
        self.u.funcs[func].implicit = false;
        self.u.funcs[func].exprs = (first_expr, self.u.exprs.len() as u32);
        Ok(())
    }

    /// The declarations between a K&R parameter list and the body; a name without one is an `int`.
    fn old_style_params(&mut self, names: &[(Symbol, Span)]) -> R<Vec<Param>> {
        let mut declared: FxHashMap<Symbol, VarId> = FxHashMap::default();
        while !self.at(T::LBrace) {
            while self.eat(T::Extension) {}
            if !self.starts_type(self.tok) {
                return self.expected("'{'");
            }
            let spec = self.specifiers()?;
            while !self.at(T::Semi) {
                let d = self.declarator(spec.ty, false)?;
                let name = d.name.expect("a declaration has a name");
                let Some(&(_, span)) = names.iter().find(|(n, _)| *n == name) else {
                    let text = self.name(name).to_owned();
                    return self.error(
                        "undeclared",
                        d.span,
                        format!("declaration for parameter '{text}' but no such parameter"),
                    );
                };
                let ty = self.apply_type_attributes(d.ty, &d.attrs);
                let ty = self.adjusted(ty);
                let var = self.param_var(Some(name), ty, span);
                if declared.insert(name, var).is_some() {
                    return self.redefinition(name, d.span, d.span);
                }
                self.scopes.bind(name, Binding::Var(var));
                if !self.eat(T::Comma) {
                    break;
                }
            }
            self.expect(T::Semi, "';'")?;
        }
        let mut params = Vec::new();
        for &(name, span) in names {
            let var = match declared.get(&name) {
                Some(&v) => v,
                None => {
                    let v = self.param_var(Some(name), basic::INT, span);
                    self.scopes.bind(name, Binding::Var(v));
                    v
                }
            };
            params.push(Param { name: Some(name), var });
        }
        Ok(params)
    }
}

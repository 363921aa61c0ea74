//! The operands of predicates: names, literals, casts, members, elements, and values at entry.
//!
//! A name may contain dots (`x.2` is the second `x` of a function, `f.x` a static one), and a dot is also C's member
//! operator: the longest beginning of a dotted name that is a variable's is that variable, the rest are members.

use super::ctype::CTy;
use super::expr::{ExprParser, R};
use super::lexer::Tok;
use super::types::begins_type;
use super::value::{Val, pointed, pointer};
use base::{Id, Span};
use ir::{Address, Base, BinOp, DataModel, Expr, ExprKind, FuncId, Ty, Var};
use vc::Scope;

/// How many members and elements may be asked of each other's values.
const MAX_LINKS: usize = 100;

impl ExprParser<'_> {
    /// An operand, and the members and elements that are asked of it.
    pub(super) fn postfix(&mut self) -> R<Val> {
        let at = self.span();
        let v = self.operand(at)?;
        self.continued(v)
    }

    fn continued(&mut self, mut v: Val) -> R<Val> {
        let mut links = 0;
        loop {
            let here = self.span();
            links += 1;
            if links > MAX_LINKS {
                return Err(self.error("syntax", here, "the predicate nests too deeply"));
            }
            match self.tok().clone() {
                Tok::Sign("[") => {
                    self.pos += 1;
                    self.open += 1;
                    let i = self.conditional()?;
                    let index = self.value(i, here)?.0;
                    self.expect("]")?;
                    self.open -= 1;
                    v = self.element(v, index, here)?;
                }
                Tok::Sign("->") => {
                    self.pos += 1;
                    let Tok::Name(names) = self.tok().clone() else { return Err(self.unexpected("a member's name")) };
                    self.pos += 1;
                    v = self.dereference(v, here)?;
                    v = self.members(v, &names, here)?;
                }
                Tok::Name(names)
                    if names
                        .strip_prefix('.')
                        .is_some_and(|n| n.starts_with(|c: char| c.is_alphabetic() || c == '_')) =>
                {
                    self.pos += 1;
                    v = self.members(v, &names[1..], here)?;
                }
                Tok::Sign(sign @ ("++" | "--")) => {
                    return Err(self.error("unsupported", here, format!("`{sign}` is not supported in predicates")));
                }
                _ => return Ok(v),
            }
        }
    }

    fn operand(&mut self, at: Span) -> R<Val> {
        let tok = self.tok().clone();
        self.pos += 1;
        match tok {
            Tok::Sign("(") => self.parenthesis(),
            Tok::Sign("@") => match self.tok().clone() {
                Tok::Name(name) => {
                    self.pos += 1;
                    self.dotted(&name, at, true)
                }
                _ => Err(self.unexpected("a global's name")),
            },
            Tok::Name(name) if name == "NULL" => Ok(Val::plain(Expr::null())),
            Tok::Name(name) if *self.tok() == Tok::Sign("(") => self.builtin(&name, at).map(Val::plain),
            Tok::Name(name) => self.dotted(&name, at, false),
            Tok::Number { value, decimal, suffix } => self.number(value, decimal, &suffix, at).map(Val::plain),
            _ => {
                self.pos -= 1;
                Err(self.unexpected("an expression"))
            }
        }
    }

    /// A cast or an expression in parentheses, whose first is taken.
    fn parenthesis(&mut self) -> R<Val> {
        self.open += 1;
        if let Tok::Name(word) = self.tok()
            && (begins_type(word) || matches!(word.as_str(), "struct" | "union"))
            && self.lookup(word, false).is_none()
        {
            let at = self.span();
            let ty = self.type_name()?;
            self.open -= 1;
            let v = self.unary()?;
            let (e, _) = self.value(v, at)?;
            return match ty.scalar(&self.program.declared) {
                Some(Ty::Float(_)) | None => Err(self.error("type", at, "this conversion is not supported")),
                Some(scalar) => Ok(Val::Value(Expr::convert(scalar, e), ty)),
            };
        }
        let v = self.conditional()?;
        self.expect(")")?;
        self.open -= 1;
        Ok(v)
    }

    fn type_name(&mut self) -> R<CTy> {
        let at = self.span();
        let mut words: Vec<&str> = Vec::new();
        while let Tok::Name(word) = self.tok() {
            words.push(word);
            self.pos += 1;
        }
        let mut stars = 0;
        while self.take("*") {
            stars += 1;
        }
        self.expect(")")?;
        CTy::named(self.program, &words, stars)
            .ok_or_else(|| self.error("type", at, format!("`{}` is not a type that predicates know", words.join(" "))))
    }

    /// What a pointer points to.
    pub(super) fn dereference(&mut self, v: Val, at: Span) -> R<Val> {
        let (p, ty) = self.value(v, at)?;
        if p.ty != Ty::Ptr {
            return Err(self.error("type", at, "this is no pointer"));
        }
        let to = ty.pointee(&self.program.declared).unwrap_or(CTy::Void);
        self.layout().at(pointed(p), to).ok_or_else(|| {
            let message = "what this pointer points to has no type here: cast it, as in `*(int *)p`";
            self.error("type", at, message)
        })
    }

    fn element(&mut self, v: Val, index: Expr, at: Span) -> R<Val> {
        let (p, ty) = self.value(v, at)?;
        let (Ty::Ptr, Ty::Int(_) | Ty::Bool) = (p.ty, index.ty) else {
            return Err(self.error("type", at, "`[` needs an array or a pointer before it and an integer behind it"));
        };
        let to = ty.pointee(&self.program.declared).unwrap_or(CTy::Void);
        match self.layout().step(p, &to, super::types::promote(index), false) {
            Some(e) => self.dereference(Val::Value(e, ty), at),
            None => Err(self.error("type", at, "the size of the elements is not known")),
        }
    }

    /// `v.name`, or a chain of members.
    fn members(&mut self, mut v: Val, names: &str, at: Span) -> R<Val> {
        for name in names.split('.') {
            let Val::Object(addr, ty) = v else {
                return Err(self.error("type", at, format!("there is no member `{name}` here: this is no structure")));
            };
            v = match self.layout().member(addr, &ty, name) {
                Some(member) => member,
                None if ty.record(&self.program.declared).is_none() => {
                    return Err(self.error("type", at, format!("an array has no member `{name}`")));
                }
                None => {
                    return Err(self.error("undeclared", at, format!("there is no member `{name}` that can be read")));
                }
            };
        }
        Ok(v)
    }

    /// `&` of a place, whose sign is taken.
    pub(super) fn address_of(&mut self, at: Span) -> R<Val> {
        let v = self.unary()?;
        match v {
            Val::Object(addr, ty) => Ok(Val::Value(pointer(addr), ty.pointer())),
            Val::Value(Expr { kind: ExprKind::Read(place), .. }, ty) if place.bits.is_none() => {
                if let (ir::Base::Var(var), Scope::Function(f)) = (&place.addr.base, self.scope)
                    && !ir::cfg::AddressTaken::new(self.program).in_memory(self.program, f, *var)
                {
                    let name = self.program.var_name(f, *var);
                    let message = format!("the program does not take the address of `{name}`: no pointer equals it");
                    return Err(self.error("address", at, message));
                }
                Ok(Val::Value(pointer(place.addr), ty.pointer()))
            }
            Val::Value(e @ Expr { kind: ExprKind::Func(_), .. }, ty) => Ok(Val::Value(e, ty)),
            Val::Value(..) => Err(self.error("type", at, "`&` needs something that has an address")),
        }
    }

    /// What stands behind `'`: the value that it had when the function was entered (TOPLAS05 §4, §5.3). Before the name of
    /// a scalar the sign belongs to the name alone; `'*p`, `'(e)` and `'s.f` are read at entry as a whole.
    pub(super) fn entry_value(&mut self, at: Span) -> R<Val> {
        let Scope::Function(_) = self.scope else {
            let name = match &self.tokens[self.pos].tok {
                Tok::Name(name) => format!("`'{name}`"),
                _ => "`'`".to_owned(),
            };
            let message = format!("{name} has no meaning in a global predicate: it belongs to one call of a function");
            return Err(self.error("symbolic-constant", at, message));
        };
        let outer = self.at_entry.replace(at);
        let scalar = self.names_scalar();
        let whole = matches!(self.tok(), Tok::Sign("(" | "*" | "&" | "@") | Tok::Name(_));
        if !whole {
            self.at_entry = outer;
            return Err(self.unexpected("a name, `(` or `*` behind `'`"));
        }
        // `'p->f`: the member now of what `p` was then.
        let read = if scalar {
            let here = self.span();
            self.operand(here)
        } else {
            self.unary()
        };
        self.at_entry = outer;
        let (e, ty) = self.value(read?, at)?;
        // Where a variable lies does not change.
        let fixed = matches!(&e.kind, ExprKind::Addr(a) if matches!(a.base, Base::Var(_)) && a.indices.is_empty());
        let e = if outer.is_some() || fixed { e } else { Expr::entry(e) };
        let v = Val::Value(e, ty);
        if scalar { self.continued(v) } else { Ok(v) }
    }

    /// Whether the word at hand is the name of a scalar variable, with `@` or without.
    fn names_scalar(&mut self) -> bool {
        let global = *self.tok() == Tok::Sign("@");
        match self.tokens.get(self.pos + usize::from(global)).map(|t| &t.tok) {
            Some(Tok::Name(name)) => self.lookup(name, global).is_none_or(|(_, shape)| shape.scalar().is_some()),
            _ => false,
        }
    }

    /// A call, which no predicate may contain, but for the compiler's questions about overflow.
    fn builtin(&mut self, name: &str, at: Span) -> R<Expr> {
        let op = match name {
            "__builtin_add_overflow_p" => BinOp::AddOverflows,
            "__builtin_sub_overflow_p" => BinOp::SubOverflows,
            "__builtin_mul_overflow_p" => BinOp::MulOverflows,
            _ => return Err(self.error("call", at, format!("a predicate cannot call a function (`{name}`)"))),
        };
        self.expect("(")?;
        self.open += 1;
        let mut operands = Vec::new();
        for sign in [",", ",", ")"] {
            let v = self.conditional()?;
            operands.push(self.value(v, at)?.0);
            self.expect(sign)?;
        }
        self.open -= 1;
        let [a, b, c] = &operands[..] else { unreachable!("three operands were read") };
        // The operands are values of the third one's type, or of narrower ones.
        let fits = |e: &Expr| match (e.ty, c.ty) {
            (Ty::Int(x), Ty::Int(_)) => x.width <= 128,
            (Ty::Bool, Ty::Int(_)) => true,
            _ => false,
        };
        if !fits(a) || !fits(b) {
            return Err(self.error("type", at, format!("the operands of `{name}` do not fit")));
        }
        Ok(Expr::binary(op, Expr::convert(c.ty, a.clone()), Expr::convert(c.ty, b.clone())))
    }

    fn number(&mut self, value: u128, decimal: bool, suffix: &str, at: Span) -> R<Expr> {
        let long: u16 = if self.program.model == DataModel::Lp64 { 64 } else { 32 };
        let least = match suffix.matches('L').count() {
            0 => 32,
            1 => long,
            _ => 64,
        };
        let only_unsigned = suffix.contains('U');
        for width in [32, 64, 128].into_iter().filter(|&w| w >= least) {
            for signed in [true, false] {
                let allowed = if signed { !only_unsigned } else { only_unsigned || !decimal || width == 128 };
                let Ty::Int(i) = Ty::int(width, signed) else { unreachable!("an integer type") };
                let greatest = if signed { i.mask() >> 1 } else { i.mask() };
                if allowed && value <= greatest {
                    return Ok(Expr::constant(Ty::Int(i), value));
                }
            }
        }
        Err(self.error("syntax", at, format!("{value} fits no integer type")))
    }

    fn lookup(&self, name: &str, global: bool) -> Option<(Var, ir::Shape)> {
        let local = match self.scope {
            Scope::Function(f) if !global => {
                let mut locals = self.program.functions[f].locals.iter_enumerated();
                locals.find(|(_, l)| l.name == name).map(|(id, l)| (Var::Local(id), l.shape))
            }
            _ => None,
        };
        local.or_else(|| {
            let id = self.program.global(name)?;
            Some((Var::Global(id), self.program.globals[id].shape))
        })
    }

    /// A name with its members.
    fn dotted(&mut self, name: &str, at: Span, global: bool) -> R<Val> {
        let dots = name.char_indices().filter(|&(i, c)| c == '.' && i > 0).map(|(i, _)| i);
        let mut ends: Vec<usize> = dots.chain([name.len()]).collect();
        ends.reverse();
        for end in ends {
            if let Some((var, shape)) = self.lookup(&name[..end], global) {
                let v = self.variable(&name[..end], var, shape, at)?;
                return if end == name.len() { Ok(v) } else { self.members(v, &name[end + 1..], at) };
            }
        }
        if let Some(&(ty, value)) = self.program.declared.constants.get(name).filter(|_| !global) {
            return Ok(Val::plain(Expr::constant(ty, value)));
        }
        if let Some(f) = self.program.function(name).filter(|_| !global) {
            return Ok(Val::plain(Expr::func(f)));
        }
        if global {
            return Err(self.error("undeclared", at, format!("there is no global `{name}`")));
        }
        Err(self.unknown_name(name, at))
    }

    fn unknown_name(&self, name: &str, at: Span) -> Box<base::Diagnostic> {
        let has = |f: FuncId| self.program.functions[f].locals.iter().any(|l| l.name == name);
        let owner = self.program.functions.ids().find(|&f| has(f)).map(|f| &self.program.functions[f].name);
        match (owner, self.scope) {
            (Some(owner), Scope::Global) => {
                let message = format!("a global predicate cannot name `{name}`, a local of `{owner}`");
                self.error("local-in-global", at, message)
            }
            (Some(owner), Scope::Function(f)) => {
                let here = &self.program.functions[f].name;
                self.error("out-of-scope", at, format!("`{name}` is a local of `{owner}`, not of `{here}`"))
            }
            (None, _) => self.error("undeclared", at, format!("`{name}` is not declared")),
        }
    }

    fn variable(&self, name: &str, var: Var, shape: ir::Shape, at: Span) -> R<Val> {
        if let (Some(sign), Scope::Function(f), Var::Local(l)) = (self.at_entry, self.scope, var)
            && l.index() >= self.program.functions[f].n_params
        {
            let message = format!(
                "`'{name}` has no meaning: `{name}` is neither a parameter of `{}` nor a global",
                self.program.functions[f].name
            );
            return Err(self.error("symbolic-constant", sign.to(at), message));
        }
        let declared = match (var, self.scope) {
            (Var::Global(_), _) => self.program.declared.global(name),
            (Var::Local(_), Scope::Function(f)) => self.program.declared.local(&self.program.functions[f].name, name),
            (Var::Local(_), Scope::Global) => None,
        };
        match (shape.scalar(), declared) {
            (Some(Ty::Float(_)), _) => {
                Err(self.error("unsupported", at, format!("`{name}` is a floating-point variable")))
            }
            (Some(ty), declared) => {
                // A declaration that does not fit the variable says nothing.
                let fits = |t: &ir::declared::TypeId| self.program.declared.scalar(*t) == Some(ty);
                Ok(Val::Value(Expr::var(var, ty), declared.filter(fits).map_or(CTy::of(ty), CTy::Declared)))
            }
            (None, Some(t)) => Ok(Val::Object(Address::var(var), CTy::Declared(t))),
            (None, None) => {
                Err(self.error("unsupported", at, format!("`{name}` is an object whose declaration is not known")))
            }
        }
    }
}

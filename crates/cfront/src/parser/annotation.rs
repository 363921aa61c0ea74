//! Annotations: C conditions about a program that need not come from C, in sections headed by the names of its functions.
//!
//! The grammar of expressions is C's, read by the same parser and typed by the same rules; this file has what is added and
//! what is left out. [`Reader`] gives the pieces of a text one by one, and whoever asks declares what the next one may name.
//!
//! ```text
//! file      = { separator | section }
//! section   = name ":" { condition separator }  |  name "{" { condition separator } "}"
//! separator = "," | ";" | end of line
//! ```
//!
//! - Inside parentheses, between `?` and `:` and behind an operator the end of a line is a blank.
//! - Added: `=` is `==`; `'e` is the value that `e` had when the function was entered; `@x` is the global `x`, whatever hides
//!   it; names may have dots, of which the longest beginning that names a variable is that variable and the rest are members;
//!   a name in backquotes may have any characters; `NULL`, `bool`, and the integer types `i1` to `i128` and `u1` to `u128`.
//! - Left out: everything that has an effect or makes an object (assignments, `++`, calls, literals of strings and compound
//!   ones), character constants, the comma operator, new types.

use super::scope::{Binding, Tag};
use super::{Parser, R, Stop, parser};
use crate::lexer::Lexer;
use crate::symbol::Symbol;
use crate::token::{T, Token};
use crate::tree::{Builtin, CastKind, DeclAttrs, Definition, ExprId, ExprKind, FuncId, Function, Linkage};
use crate::tree::{Storage, Unit, Var, VarId};
use crate::types::{IntKind, RecordId, Signature, Target, Type, TypeId, Types, basic};
use base::{Diagnostic, FileId, Span};
use rustc_hash::FxHashMap;

/// How deeply a condition may nest: small enough for the stack of any thread.
const MAX_DEPTH: usize = 250;

/// How high its tree may be, which grows with the number of operands in a row.
const MAX_HEIGHT: usize = 600;

/// What the parser knows while it reads annotations.
#[derive(Default)]
pub(super) struct Mode {
    /// Brackets and `?` that are open: inside, the end of a line is a blank.
    open: usize,
    /// Whether there is an entry whose values `'` could mean.
    entry: bool,
    /// What names mean outside of functions.
    globals: FxHashMap<Symbol, Binding>,
    /// The name that the last condition uses and nothing declares.
    unknown: Option<String>,
}

impl Mode {
    pub(super) fn taken(&mut self, kind: T) {
        match kind {
            T::LParen | T::LBracket | T::Question => self.open += 1,
            T::RParen | T::RBracket | T::Colon => self.open = self.open.saturating_sub(1),
            _ => {}
        }
    }
}

/// A piece of a text of annotations.
#[derive(Debug)]
pub enum Piece {
    /// What follows belongs to the function of this name, or to what else the name heads.
    Heading {
        /// The name.
        name: String,
        /// Whether it stands in backquotes, so that it means a function whatever it is.
        quoted: bool,
        /// Where it stands.
        span: Span,
    },
    /// A condition, of type `_Bool`, or what is wrong with it, and where it stands.
    Condition(Result<ExprId, Box<Diagnostic>>, Span),
}

/// A text of annotations while it is read.
pub struct Reader<'s> {
    p: Parser<'s>,
}

impl<'s> Reader<'s> {
    /// Nothing is read and nothing is declared.
    pub fn new(file: FileId, text: &'s str, target: Target) -> Reader<'s> {
        let mut p = parser(Lexer::of_annotations(file, text), file, target);
        (p.max_depth, p.max_height) = (MAX_DEPTH, MAX_HEIGHT);
        p.annotation = Some(Mode::default());
        p.predeclare();
        let mut reader = Reader { p };
        reader.bind("bool", Binding::Typedef(basic::BOOL));
        for (width, signed) in (1..=128).flat_map(|width| [(width, false), (width, true)]) {
            let name = format!("{}{width}", if signed { 'i' } else { 'u' });
            reader.bind(&name, Binding::Typedef(Types::int(integer(target, width, signed))));
        }
        reader.p.tok = reader.p.lex.next();
        reader
    }

    /// The types that declarations may use.
    pub fn types(&mut self) -> &mut Types {
        &mut self.p.u.types
    }

    /// The symbol of a name, of a member or a tag.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.p.lex.symbols.intern(name)
    }

    fn bind(&mut self, name: &str, binding: Binding) {
        let s = self.symbol(name);
        self.p.scopes.bind(s, binding);
        if self.p.scopes.depth() == 0
            && let Some(mode) = &mut self.p.annotation
        {
            mode.globals.insert(s, binding);
        }
    }

    /// Declares a variable in the scope at hand.
    pub fn variable(&mut self, name: &str, ty: TypeId) -> VarId {
        let symbol = self.symbol(name);
        let var = self.p.u.vars.push(Var {
            name: Some(symbol),
            ty,
            storage: Storage::Auto,
            linkage: Linkage::None,
            definition: Definition::Defined,
            init: None,
            owner: None,
            span: Span::new(self.p.u.file, 0, 0),
            attrs: DeclAttrs::default(),
        });
        self.bind(name, Binding::Var(var));
        var
    }

    /// Declares a function, of which nothing is known but its name.
    pub fn function(&mut self, name: &str) -> FuncId {
        let symbol = self.symbol(name);
        let sig = Signature { ret: basic::VOID, params: Box::default(), variadic: false, prototype: false };
        let ty = self.p.u.types.intern(Type::Function(sig));
        let id = self.p.u.funcs.push(Function {
            name: symbol,
            ty,
            params: Vec::new(),
            body: None,
            linkage: Linkage::None,
            inline: false,
            implicit: false,
            runtime: false,
            parent: None,
            exprs: (0, 0),
            unsupported: None,
            span: Span::new(self.p.u.file, 0, 0),
            attrs: DeclAttrs::default(),
        });
        self.bind(name, Binding::Func(id));
        id
    }

    /// Declares an enumerator.
    pub fn constant(&mut self, name: &str, value: i128, ty: TypeId) {
        self.bind(name, Binding::Enumerator(value, ty));
    }

    /// Declares the tag of a record.
    pub fn tag(&mut self, tag: &str, record: RecordId) {
        let s = self.symbol(tag);
        self.p.scopes.bind_tag(s, Tag::Record(record));
    }

    /// From now on declarations belong to a function, and `'` means the values with which it was entered.
    pub fn enter(&mut self) {
        self.leave();
        self.p.scopes.push();
        self.entry(true);
    }

    /// What was declared since [`Reader::enter`] is gone.
    pub fn leave(&mut self) {
        if self.p.scopes.depth() > 0 {
            self.p.scopes.pop();
        }
        self.entry(false);
    }

    fn entry(&mut self, there: bool) {
        if let Some(mode) = &mut self.p.annotation {
            mode.entry = there;
        }
    }

    /// The next piece, if there is one. Behind an error reading goes on with the next condition.
    #[expect(clippy::should_implement_trait, reason = "what it gives depends on what is declared between two calls")]
    pub fn next(&mut self) -> Option<Piece> {
        while matches!(self.p.tok.kind, T::Comma | T::Semi | T::RBrace) {
            self.p.bump();
        }
        let t = self.p.tok;
        match t.kind {
            T::Eof => None,
            T::Ident if matches!(self.p.peek(1).kind, T::Colon | T::LBrace) => {
                let quoted = self.p.lex.text(t).starts_with('`');
                self.p.bump();
                self.p.bump();
                Some(Piece::Heading { name: self.p.name(t.sym).to_owned(), quoted, span: self.p.span_of(t) })
            }
            _ => {
                let condition = self.condition();
                Some(Piece::Condition(condition, self.p.since(t.lo)))
            }
        }
    }

    /// The one condition that the whole text is.
    pub fn only(&mut self) -> Result<ExprId, Box<Diagnostic>> {
        let condition = self.condition()?;
        self.whole(condition)
    }

    /// The one expression that the whole text is, as a value of its own type.
    pub fn only_value(&mut self) -> Result<ExprId, Box<Diagnostic>> {
        let value = self.expression(Parser::value)?;
        self.whole(value)
    }

    fn whole(&self, e: ExprId) -> Result<ExprId, Box<Diagnostic>> {
        match self.p.tok.kind {
            T::Eof => Ok(e),
            _ => {
                let here = self.p.span_of(self.p.tok);
                Err(Box::new(Diagnostic::error("syntax", here, "the condition ends here, but its text does not")))
            }
        }
    }

    fn condition(&mut self) -> Result<ExprId, Box<Diagnostic>> {
        self.expression(Parser::condition)
    }

    fn expression(
        &mut self,
        used: impl FnOnce(&mut Parser<'s>, ExprId) -> R<ExprId>,
    ) -> Result<ExprId, Box<Diagnostic>> {
        let p = &mut self.p;
        let start = p.tok.lo;
        let read = p.assign_expr().and_then(|e| used(p, e)).and_then(|e| p.check_height(e));
        let read = read.and_then(|e| if p.ends() { Ok(e) } else { p.not_ended() });
        p.pending.clear();
        p.depth = 0;
        read.map_err(|Stop| {
            let message = p.message();
            p.recover(start);
            Box::new(message)
        })
    }

    /// The name that made the last condition an error because nothing declares it.
    pub fn unknown(&mut self) -> Option<String> {
        self.p.annotation.as_mut().and_then(|mode| mode.unknown.take())
    }

    /// Everything that was declared and read.
    pub fn finish(self) -> Unit {
        let Parser { lex, mut u, .. } = self.p;
        u.symbols = lex.symbols;
        u
    }
}

/// The words that a name can only be in backquotes.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    crate::token::keywords()
}

/// The integer type of a width: C's own where there is one.
pub fn integer(target: Target, width: u8, signed: bool) -> IntKind {
    let kind = match (width, target) {
        (8, _) => IntKind::SChar,
        (16, _) => IntKind::Short,
        (32, _) => IntKind::Int,
        (64, target) if target.abi().long == 64 => IntKind::Long,
        (64, _) => IntKind::LongLong,
        (128, _) => IntKind::Int128,
        _ => IntKind::Bits { width, signed },
    };
    Types::with_sign(kind, signed)
}

impl Parser<'_> {
    /// Whether the token at hand can go on with what stands before it: a line end ends a condition.
    pub(super) fn goes_on(&self) -> bool {
        self.annotation.as_ref().is_none_or(|mode| mode.open > 0 || !self.tok.new_line)
    }

    /// The token at hand as an operator between two operands.
    pub(super) fn operator(&self) -> T {
        match (self.tok.kind, &self.annotation) {
            _ if !self.goes_on() => T::Eof,
            // As the papers write it.
            (T::Eq, Some(_)) => T::EqEq,
            (kind, _) => kind,
        }
    }

    /// Whether a condition ends before the token at hand.
    fn ends(&self) -> bool {
        matches!(self.tok.kind, T::Eof | T::Comma | T::Semi | T::RBrace) || !self.goes_on()
    }

    fn not_ended<X>(&mut self) -> R<X> {
        let here = self.span_of(self.tok);
        self.error("syntax", here, "expected an operator, or `,`, `;` or a new line behind the condition")
    }

    /// Goes to the end of a condition that could not be read and that begins at `start`.
    fn recover(&mut self, start: u32) {
        let mut braces = 0_u32;
        loop {
            let t = self.tok;
            let inside = t.kind == T::Comma && self.is_open() || t.kind != T::Eof && braces > 0;
            if t.new_line && t.lo > start || matches!(t.kind, T::Eof | T::Comma | T::Semi | T::RBrace) && !inside {
                break;
            }
            match t.kind {
                T::LBrace => braces += 1,
                T::RBrace => braces -= 1,
                _ => {}
            }
            self.bump();
        }
        if let Some(mode) = &mut self.annotation {
            mode.open = 0;
        }
    }

    /// Refuses an operator that changes something.
    pub(super) fn no_effects<X>(&mut self, t: Token) -> R<X> {
        let (sign, span) = (self.lex.text(t).to_owned(), self.span_of(t));
        self.error("unsupported", span, format!("`{sign}` changes something, which a condition cannot"))
    }

    /// Refuses a call of `e`, which begins at `lo`.
    pub(super) fn no_call<X>(&mut self, e: ExprId, lo: u32) -> R<X> {
        let name = match self.u.exprs[e].kind {
            ExprKind::Func(f) => format!(" (`{}`)", self.name(self.u.funcs[f].name)),
            _ => String::new(),
        };
        let span = self.since(lo);
        self.error("call", span, format!("a condition cannot call a function{name}"))
    }

    /// Whether a tag stands behind the keyword at hand that is declared, and no list of members behind that.
    pub(super) fn names_tag(&mut self) -> bool {
        let (tag, after) = (self.peek(1), self.peek(2));
        tag.kind == T::Ident && self.scopes.lookup_tag(tag.sym).is_some() && after.kind != T::LBrace
    }

    pub(super) fn unknown_tag<X>(&mut self) -> R<X> {
        let (word, tag) = (self.tok, self.peek(1));
        let span = self.span_of(word).to(self.span_of(tag));
        let shown = format!("{} {}", self.lex.text(word), self.lex.text(tag));
        self.error("type", span, format!("`{shown}` is not a type that the program declares"))
    }

    /// A name, `@name` or the built-ins that have no effects.
    pub(super) fn annotation_operand(&mut self) -> R<ExprId> {
        let t = self.tok;
        let next = self.peek(1);
        match t.kind {
            T::At => {
                self.bump();
                let name = self.expect(T::Ident, "a global's name")?;
                self.program_name(name, true)
            }
            T::Ident if next.kind == T::LParen && (!next.new_line || self.is_open()) => self.annotation_call(t),
            T::Ident => {
                self.bump();
                self.program_name(t, false)
            }
            _ => {
                let (word, span) = (self.lex.text(t).to_owned(), self.span_of(t));
                self.error("unsupported", span, format!("`{word}` is not supported in conditions"))
            }
        }
    }

    fn is_open(&self) -> bool {
        self.annotation.as_ref().is_some_and(|mode| mode.open > 0)
    }

    fn annotation_call(&mut self, t: Token) -> R<ExprId> {
        let name = self.name(t.sym).to_owned();
        let overflow_predicates = ["__builtin_add_overflow_p", "__builtin_sub_overflow_p", "__builtin_mul_overflow_p"];
        match self.special_builtin(t.sym) {
            Some(special) if overflow_predicates.contains(&name.as_str()) => self.nested(|p| p.builtin_call(special)),
            _ => {
                let span = self.span_of(t);
                self.error("call", span, format!("a condition cannot call a function (`{name}`)"))
            }
        }
    }

    fn meaning(&self, name: &str, global: bool) -> Option<Binding> {
        let s = self.lex.symbols.get(name)?;
        match &self.annotation {
            Some(mode) if global => mode.globals.get(&s).copied(),
            _ => self.scopes.lookup(s),
        }
    }

    /// The variable that the longest possible beginning of a dotted name is, and how long that is.
    fn beginning(&self, name: &str, global: bool) -> Option<(VarId, usize)> {
        let dots = name.char_indices().filter(|&(i, c)| c == '.' && i > 0).map(|(i, _)| i);
        let ends: Vec<usize> = dots.chain([name.len()]).collect();
        ends.into_iter().rev().find_map(|end| match self.meaning(&name[..end], global)? {
            Binding::Var(v) => Some((v, end)),
            _ => None,
        })
    }

    /// What a name of the program means, with the members behind its dots.
    fn program_name(&mut self, t: Token, global: bool) -> R<ExprId> {
        let (name, span) = (self.name(t.sym).to_owned(), self.span_of(t));
        if name == "NULL" && !global && !self.lex.text(t).starts_with('`') {
            let zero = self.int(0, basic::INT, span);
            let ty = self.u.types.pointer(basic::VOID);
            return Ok(self.expr(ExprKind::Cast(CastKind::IntToPtr, zero, true), ty, span));
        }
        if let Some((v, end)) = self.beginning(&name, global) {
            let ty = self.u.vars[v].ty;
            let e = self.expr(ExprKind::Var(v), ty, span);
            return self.members(e, name[end..].split('.').skip(1), t, span);
        }
        match self.meaning(&name, global) {
            Some(_) if !global => self.identifier(t),
            _ if global => self.error("undeclared", span, format!("there is no global `{name}`")),
            _ => {
                let message = format!("`{name}` is not declared");
                if let Some(mode) = &mut self.annotation {
                    mode.unknown = Some(name);
                }
                self.error("undeclared", span, message)
            }
        }
    }

    fn members<'n>(&mut self, e: ExprId, names: impl Iterator<Item = &'n str>, t: Token, span: Span) -> R<ExprId> {
        let mut e = e;
        for name in names {
            let sym = self.lex.symbols.intern(name);
            e = self.member(e, Token { sym, ..t }, false, span)?;
            self.check_height(e)?;
        }
        Ok(e)
    }

    /// `e.m` or `e->m`, where `m` may go on with dots.
    pub(super) fn dotted_member(&mut self, e: ExprId, name: Token, arrow: bool, span: Span) -> R<ExprId> {
        let text = self.name(name.sym).to_owned();
        let mut names = text.split('.');
        let sym = self.lex.symbols.intern(names.next().unwrap_or(""));
        let e = self.member(e, Token { sym, ..name }, arrow, span)?;
        self.members(e, names, name, span)
    }

    /// `'e` (TOPLAS05 §4, §5.3). Before the name of a scalar the sign belongs to the name alone: `'p->f` is the member now of
    /// what `p` pointed to then. `'*p`, `'(e)` and `'s.f` are read at entry as a whole.
    pub(super) fn value_at_entry(&mut self) -> R<ExprId> {
        let tick = self.bump();
        let global = self.at(T::At);
        let name = if global { self.peek(1) } else { self.tok };
        let name = (name.kind == T::Ident).then(|| self.name(name.sym).to_owned());
        if !self.annotation.as_ref().is_some_and(|mode| mode.entry) {
            let (shown, span) = (name.unwrap_or_default(), self.span_of(tick));
            let message = format!("`'{shown}` has no meaning outside of a function: it belongs to one call of it");
            return self.error("symbolic-constant", span, message);
        }
        if !matches!(self.tok.kind, T::LParen | T::Star | T::Amp | T::At | T::Ident) {
            return self.expected("a name, `(` or `*` behind `'`");
        }
        let scalar = name.is_some_and(|name| {
            let var = self.beginning(&name, global);
            var.is_none_or(|(v, _)| self.u.types.is_scalar(self.u.vars[v].ty))
        });
        let e = if scalar { self.primary()? } else { self.cast_expr()? };
        let e = self.value(e)?;
        let e = if self.bit_field_width(e).is_some() { self.promote(e)? } else { e };
        let (ty, span) = (self.value_type(e), self.since(tick.lo));
        if !self.u.types.is_scalar(ty) {
            let what = self.show(ty);
            return self.error("type", span, format!("a value of type '{what}' cannot be compared"));
        }
        let e = self.builtin(Builtin::AtEntry, &[e], ty, span);
        self.check_height(e)?;
        if scalar { self.postfix_suffixes(e, tick.lo) } else { Ok(e) }
    }
}

//! The parser: recursive descent over tokens that arrive one by one, resolving names and typing expressions as it goes.
//!
//! One file per part of the language: [`specifier`], [`declarator`], [`record`], [`attribute`] and [`external`] read
//! declarations, [`initializer`] flattens initialisers, [`stmt`] and [`expr`] read bodies; [`convert`], [`operator`],
//! [`call`] and [`builtin`] are the typing rules. [`scope`] knows what names mean where.
//!
//! Invariants: reading stops at the first error, so no later message can be a consequence of an earlier one; there is no
//! backtracking (at most two tokens of lookahead), so time is linear; every recursive function that the input can drive
//! calls [`Parser::nested`], so the stack is bounded; trees built by loops are bounded by the height that
//! [`Parser::expr`] tracks.

pub mod annotation;
mod attribute;
mod builtin;
mod call;
mod convert;
mod declarator;
mod expr;
mod external;
mod init_tree;
mod initializer;
mod lanes;
mod operator;
mod outside;
mod postfix;
mod record;
mod recover;
mod scope;
mod specifier;
mod stmt;

use crate::MAX_DEPTH;
use crate::lexer::Lexer;
use crate::runtime::Runtime;
use crate::symbol::{Symbol, Symbols};
use crate::token::{T, Token};
use crate::tree::*;
use crate::types::{Target, TypeId, Types};
use base::{Diagnostic, FileId, IndexVec, LineMark, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scopes;

/// Reading has ended with an error; the message is in the parser.
pub(crate) struct Stop;

/// The result of everything that reads input.
pub(crate) type R<T> = Result<T, Stop>;

/// What is known about the function whose body is being read.
struct FnContext {
    func: FuncId,
    ret: TypeId,
    /// Labels by name: where first mentioned, and whether defined.
    labels: FxHashMap<Symbol, LabelState>,
    switches: Vec<SwitchContext>,
    /// `__func__` and its kin, by the lengths of their names: each is one object, however often it is mentioned.
    names: FxHashMap<u32, StrId>,
    /// Innermost last: what `break` and `continue` would leave.
    loops: usize,
    breakables: usize,
    /// A statement was skipped because of an error: labels may be missing.
    failed: bool,
}

#[derive(Clone, Copy)]
struct LabelState {
    id: LabelId,
    defined: bool,
}

struct SwitchContext {
    id: SwitchId,
    /// Type of the controlling value.
    ty: TypeId,
    default: Option<Span>,
    /// Lower bound to (upper bound, place) of the cases so far: duplicates are errors.
    ranges: std::collections::BTreeMap<i128, (i128, Span)>,
}

pub(crate) struct Parser<'s> {
    lex: Lexer<'s>,
    tok: Token,
    ahead: [Token; 2],
    n_ahead: usize,
    /// End of the last token taken.
    last_end: u32,
    u: Unit,
    /// Heights of expressions, for the bound on depth.
    heights: Vec<u16>,
    depth: usize,
    scopes: Scopes,
    function: Option<FnContext>,
    /// Hidden variables of array lengths read but not yet declared by a statement.
    pending: Vec<VarId>,
    /// Offset of the end of the token before which an `else` was looked for; only for messages.
    error: Option<Box<Diagnostic>>,
    /// Errors in the bodies of functions that were left out because of them.
    errors: Vec<Diagnostic>,
    /// Braces that are open.
    braces: u32,
    /// Round brackets that are open.
    brackets: u32,
    /// Names that errors of this function have told of, or that its skipped declarations may have declared.
    missed: FxHashSet<String>,
    /// `struct __va_list_tag` (LP64) once it is needed.
    va_list: Option<TypeId>,
    reasons: FxHashMap<String, ReasonId>,
    /// Values whose width is no type's: see [`Parser::odd_width`].
    odd: FxHashMap<ExprId, u32>,
    /// Values of type `_Float16` that are known in `float`: see [`Parser::as_computed`].
    excess: FxHashSet<ExprId>,
    /// Functions of the runtime library that the unit needs, and where the first is needed.
    runtime: Vec<(Runtime, Span)>,
    /// Greatest depth to which the text may nest.
    max_depth: usize,
    /// Greatest height of an expression.
    max_height: usize,
    /// Data in assembly outside of functions.
    assembled: Vec<outside::Data>,
    /// What else there is to know while annotations are read.
    annotation: Option<annotation::Mode>,
}

/// Errors of one file that are told.
const MOST_ERRORS: usize = 20;

/// Reads a whole translation unit. The marks found are returned whatever happens.
pub(crate) fn parse(
    file: FileId,
    name: &str,
    text: &str,
    target: Target,
) -> (Result<Unit, Vec<Diagnostic>>, Vec<LineMark>) {
    let mut p = parser(Lexer::new(file, name, text), file, target);
    p.tok = p.lex.next();
    p.predeclare();
    if let Err(Stop) = p.translation_unit() {
        let last = p.message();
        if !p.is_told(&last) {
            p.errors.push(last);
        }
    }
    let Parser { lex, mut u, errors, .. } = p;
    u.symbols = lex.symbols;
    weaken(&mut u, &lex.weak);
    u.unsupported.extend(lex.unsupported);
    (if errors.is_empty() { Ok(u) } else { Err(errors) }, lex.marks)
}

/// A parser that has read nothing yet.
fn parser(lex: Lexer<'_>, file: FileId, target: Target) -> Parser<'_> {
    let eof = Token { kind: T::Eof, lo: 0, hi: 0, sym: base::Id::from_index(0), new_line: false };
    Parser {
        lex,
        tok: eof,
        ahead: [eof; 2],
        n_ahead: 0,
        last_end: 0,
        u: Unit {
            file,
            symbols: Symbols::default(),
            types: Types::new(target),
            exprs: IndexVec::new(),
            lists: Vec::new(),
            stmts: IndexVec::new(),
            vars: IndexVec::new(),
            funcs: IndexVec::new(),
            labels: IndexVec::new(),
            switches: IndexVec::new(),
            cases: IndexVec::new(),
            strings: IndexVec::new(),
            floats: IndexVec::new(),
            inits: IndexVec::new(),
            asms: IndexVec::new(),
            reasons: IndexVec::new(),
            warnings: Vec::new(),
            unsupported: Vec::new(),
        },
        heights: Vec::new(),
        depth: 0,
        scopes: Scopes::default(),
        function: None,
        pending: Vec::new(),
        error: None,
        errors: Vec::new(),
        braces: 0,
        brackets: 0,
        missed: FxHashSet::default(),
        va_list: None,
        odd: FxHashMap::default(),
        excess: FxHashSet::default(),
        runtime: Vec::new(),
        reasons: FxHashMap::default(),
        max_depth: MAX_DEPTH,
        max_height: MAX_DEPTH,
        assembled: Vec::new(),
        annotation: None,
    }
}

/// `#pragma weak`, which may stand before or behind the declarations that it is about.
fn weaken(u: &mut Unit, names: &[(String, Option<String>)]) {
    for (name, other) in names {
        let Unit { funcs, vars, symbols, .. } = &mut *u;
        let is = |s: crate::symbol::Symbol| symbols.name(s) == name;
        let functions = funcs.iter_mut().filter(|f| is(f.name)).map(|f| &mut f.attrs);
        let variables = vars.iter_mut().filter(|v| v.name.is_some_and(is) && v.owner.is_none()).map(|v| &mut v.attrs);
        for attrs in functions.chain(variables) {
            attrs.weak = true;
            attrs.alias = other.as_deref().map(Into::into).or(attrs.alias.take());
        }
    }
}

impl Parser<'_> {
    // ---- Tokens.

    fn at(&self, kind: T) -> bool {
        self.tok.kind == kind
    }

    /// The token `n` (1 or 2) behind the current one.
    fn peek(&mut self, n: usize) -> Token {
        while self.n_ahead < n {
            self.ahead[self.n_ahead] = self.lex.next();
            self.n_ahead += 1;
        }
        self.ahead[n - 1]
    }

    fn bump(&mut self) -> Token {
        let t = self.tok;
        self.last_end = t.hi;
        match t.kind {
            T::LBrace => self.braces += 1,
            T::RBrace => self.braces = self.braces.saturating_sub(1),
            T::LParen => self.brackets += 1,
            T::RParen => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        if let Some(mode) = &mut self.annotation {
            mode.taken(t.kind);
        }
        if self.n_ahead > 0 {
            self.tok = self.ahead[0];
            self.ahead[0] = self.ahead[1];
            self.n_ahead -= 1;
        } else {
            self.tok = self.lex.next();
        }
        t
    }

    fn eat(&mut self, kind: T) -> bool {
        let yes = self.at(kind);
        if yes {
            self.bump();
        }
        yes
    }

    /// Takes a token of this kind, or says that `what` was expected where the last token ended.
    fn expect(&mut self, kind: T, what: &str) -> R<Token> {
        if self.at(kind) { Ok(self.bump()) } else { self.expected(what) }
    }

    /// Takes the closing partner of `open`.
    fn close(&mut self, kind: T, what: &str, open: Token) -> R<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let note = self.span_of(open);
        let d = self.expected_message(what).with_note("to match this", Some(note));
        self.fail(d)
    }

    fn expected<X>(&mut self, what: &str) -> R<X> {
        let d = self.expected_message(what);
        self.fail(d)
    }

    fn expected_message(&self, what: &str) -> Diagnostic {
        let before = match self.tok.kind {
            T::Eof => "end of input".to_owned(),
            _ => format!("'{}'", shorten(self.lex.text(self.tok))),
        };
        let span = self.span(self.last_end.saturating_sub(1).min(self.tok.lo), self.last_end.min(self.tok.lo));
        let span = if self.tok.lo == 0 { self.span_of(self.tok) } else { span };
        Diagnostic::error("syntax", span, format!("expected {what} before {before}"))
            .with_label(format!("expected {what}"))
    }

    // ---- Messages.

    fn fail<X>(&mut self, d: Diagnostic) -> R<X> {
        self.error.get_or_insert_with(|| Box::new(d));
        Err(Stop)
    }

    /// After an error in the body of a function, goes to the end of that body, if the rest of the file can be trusted to mean
    /// what it would without the error: the function itself is declared, and whatever its body declares ends with it.
    fn goes_on_behind(&mut self, braces: u32) -> bool {
        if !self.notes_error() {
            return false;
        }
        while self.braces > braces && !self.at(T::Eof) && !self.at(T::Error) {
            self.bump();
        }
        true
    }

    /// Why the parser stopped.
    fn message(&mut self) -> Diagnostic {
        let lexical = self.lex.error.take().filter(|_| self.tok.kind == T::Error);
        *lexical.or(self.error.take()).expect("a parser that stops has a message")
    }

    fn error<X>(&mut self, id: &'static str, span: Span, message: impl Into<String>) -> R<X> {
        self.fail(Diagnostic::error(id, span, message))
    }

    fn show(&self, ty: TypeId) -> String {
        self.u.types.display(ty, &self.lex.symbols)
    }

    fn name(&self, s: Symbol) -> &str {
        self.lex.symbols.name(s)
    }

    fn unsupported(&mut self, why: impl Into<String>) -> ReasonId {
        let why = why.into();
        if let Some(&id) = self.reasons.get(&why) {
            return id;
        }
        let id = self.u.reasons.push(why.clone().into_boxed_str());
        self.reasons.insert(why, id);
        id
    }

    // ---- Positions.

    fn span(&self, lo: u32, hi: u32) -> Span {
        self.lex.span(lo, hi)
    }

    fn span_of(&self, t: Token) -> Span {
        self.lex.span(t.lo, t.hi)
    }

    /// From `lo` to the end of the last token taken.
    fn since(&self, lo: u32) -> Span {
        self.lex.span(lo, self.last_end.max(lo))
    }

    // ---- Depth.

    /// Runs `f` one level deeper, or stops with "nested too deeply".
    fn nested<X>(&mut self, f: impl FnOnce(&mut Self) -> R<X>) -> R<X> {
        self.depth += 1;
        if self.depth > self.max_depth {
            let (span, most) = (self.span_of(self.tok), self.max_depth);
            return self.error("depth", span, format!("nested too deeply (more than {most} levels)"));
        }
        let result = f(self);
        self.depth -= 1;
        result
    }

    // ---- Nodes.

    /// Makes an expression. Its height is checked by [`Parser::check_height`] where loops build trees.
    fn expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        let h = |p: &Self, e: ExprId| p.heights[base::Id::index(e)];
        let height = match kind {
            ExprKind::Deref(a) | ExprKind::Member(a, _) | ExprKind::AddrOf(a) => h(self, a),
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a, _) | ExprKind::IncDec { place: a, .. } => h(self, a),
            ExprKind::Binary(_, a, b) | ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => h(self, a).max(h(self, b)),
            ExprKind::Assign(a, b) | ExprKind::Comma(a, b) | ExprKind::Let(_, a, b) => h(self, a).max(h(self, b)),
            ExprKind::AssignOp { lhs, rhs, .. } => h(self, lhs).max(h(self, rhs)),
            ExprKind::Cond(a, b, c) => h(self, a).max(h(self, b)).max(h(self, c)),
            ExprKind::Call(f, args) => self.u.list(args).iter().map(|&a| h(self, a)).max().unwrap_or(0).max(h(self, f)),
            ExprKind::Builtin(_, args) => self.u.list(args).iter().map(|&a| h(self, a)).max().unwrap_or(0),
            ExprKind::StmtExpr(_, Some(a)) => h(self, a),
            ExprKind::StmtExpr(_, None)
            | ExprKind::Var(_)
            | ExprKind::Func(_)
            | ExprKind::Str(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::Unsupported(_) => 0,
        };
        self.heights.push(height.saturating_add(1));
        self.u.exprs.push(Expr { kind, ty, span })
    }

    /// Stops when an expression has become too high for recursion over it.
    fn check_height(&mut self, e: ExprId) -> R<ExprId> {
        if usize::from(self.heights[base::Id::index(e)]) > self.max_height {
            let (span, most) = (self.u.exprs[e].span, self.max_height);
            return self.error("depth", span, format!("expression nested too deeply (more than {most} levels)"));
        }
        Ok(e)
    }

    fn stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.u.stmts.push(Stmt { kind, span })
    }

    fn ty(&self, e: ExprId) -> TypeId {
        self.u.exprs[e].ty
    }

    fn span_at(&self, e: ExprId) -> Span {
        self.u.exprs[e].span
    }

    fn list(&mut self, items: &[ExprId]) -> ExprList {
        let start = u32::try_from(self.u.lists.len()).expect("fewer arguments than bytes of source");
        self.u.lists.extend_from_slice(items);
        ExprList { start, len: items.len() as u32 }
    }

    fn int(&mut self, value: u64, ty: TypeId, span: Span) -> ExprId {
        self.expr(ExprKind::Int(value), ty, span)
    }

    fn unsupported_expr(&mut self, why: impl Into<String>, ty: TypeId, span: Span) -> ExprId {
        let why = self.unsupported(why);
        self.expr(ExprKind::Unsupported(why), ty, span)
    }

    /// A variable without a name.
    fn hidden(&mut self, ty: TypeId, span: Span) -> VarId {
        let owner = self.function.as_ref().map(|f| f.func);
        self.u.vars.push(Var {
            name: None,
            ty,
            storage: if owner.is_some() { Storage::Auto } else { Storage::Static },
            linkage: Linkage::None,
            definition: Definition::Defined,
            init: None,
            owner,
            span,
            attrs: DeclAttrs::default(),
        })
    }
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 30 { text.to_owned() } else { text.chars().take(27).chain("...".chars()).collect() }
}

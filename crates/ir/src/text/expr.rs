//! Parses expressions, places and addresses in the scope of a function.
//!
//! The printer writes every parenthesis; the parser also takes C's precedence, and number literals without a type
//! where the other operand or the context has one (`x < 10`): proofs and predicates are written by hand.
//! Every expression built here is well typed: each construction checks its operands first.

use super::lexer::{Tok, Token, lex, span_in};
use super::{MAX_EXPR_DEPTH, RESERVED, type_named};
use crate::syntax::*;
use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// Parser results; the error is boxed because deep recursion carries it through every frame.
pub(super) type R<T> = Result<T, Box<Diagnostic>>;

/// Parses an expression over the locals of `func` and the globals. `at` says where the text's first byte lies, for
/// messages.
pub fn parse_expr(program: &Program, func: FuncId, text: &str, at: Span) -> Result<Expr, Diagnostic> {
    Scope::new(program, func).parse(text, at)
}

/// The names that expressions in one function can use; made once to parse many expressions.
#[derive(Debug)]
pub struct Scope {
    pub(super) model: DataModel,
    pub(super) globals: FxHashMap<String, (GlobalId, Shape)>,
    pub(super) locals: FxHashMap<String, (LocalId, Shape)>,
    pub(super) functions: FxHashMap<String, FuncId>,
}

impl Scope {
    /// The scope of `func`.
    pub fn new(program: &Program, func: FuncId) -> Scope {
        Scope {
            model: program.model,
            globals: program.globals.iter_enumerated().map(|(id, g)| (g.name.clone(), (id, g.shape))).collect(),
            locals: locals_of(&program.functions[func]),
            functions: program.functions.iter_enumerated().map(|(id, f)| (f.name.clone(), id)).collect(),
        }
    }

    /// Parses one expression; the whole text must be it.
    pub fn parse(&self, text: &str, at: Span) -> Result<Expr, Diagnostic> {
        let mut tokens = lex(text, at)?;
        tokens.retain(|t| t.tok != Tok::Newline);
        let mut p = ExprParser { tokens: &tokens, pos: 0, at, scope: self, depth: 0, height: 0 };
        let parsed = p.expr(None).and_then(|e| match p.tok() {
            Tok::Eof => Ok(e),
            _ => Err(p.unexpected("the end of the expression")),
        });
        parsed.map_err(|d| *d)
    }
}

/// A function's locals by name.
pub(super) fn locals_of(func: &Function) -> FxHashMap<String, (LocalId, Shape)> {
    func.locals.iter_enumerated().map(|(id, l)| (l.name.clone(), (id, l.shape))).collect()
}

/// An operand: typed, or a number literal that waits for a type.
enum Operand {
    Typed(Expr),
    Literal { value: i128, span: Span },
}

pub(super) struct ExprParser<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) pos: usize,
    pub(super) at: Span,
    pub(super) scope: &'a Scope,
    /// Nested calls of the parser.
    pub(super) depth: usize,
    /// The height of the expression read last: a chain `a + b + …` is a deep tree although it does not nest.
    pub(super) height: usize,
}

/// Binary operators by their sign: the operator, C's precedence, and whether it is for truth values only.
fn operator(sign: &str) -> Option<(BinOp, u8, Option<bool>)> {
    Some(match sign {
        "||" => (BinOp::Or, 1, Some(true)),
        "&&" => (BinOp::And, 2, Some(true)),
        "|" => (BinOp::Or, 3, Some(false)),
        "^" => (BinOp::Xor, 4, None),
        "&" => (BinOp::And, 5, Some(false)),
        "==" => (BinOp::Eq, 6, None),
        "!=" => (BinOp::Ne, 6, None),
        "<" => (BinOp::Lt, 7, None),
        "<=" => (BinOp::Le, 7, None),
        ">" => (BinOp::Gt, 7, None),
        ">=" => (BinOp::Ge, 7, None),
        "<<" => (BinOp::Shl, 8, None),
        ">>" => (BinOp::Shr, 8, None),
        "+" => (BinOp::Add, 9, None),
        "-" => (BinOp::Sub, 9, None),
        "*" => (BinOp::Mul, 10, None),
        "/" => (BinOp::Div, 10, None),
        "%" => (BinOp::Rem, 10, None),
        _ => return None,
    })
}

/// Words and messages.
impl ExprParser<'_> {
    pub(super) fn tok(&self) -> &Tok {
        &self.tokens[self.pos.min(self.tokens.len() - 1)].tok
    }

    pub(super) fn tok_at(&self, ahead: usize) -> &Tok {
        &self.tokens[(self.pos + ahead).min(self.tokens.len() - 1)].tok
    }

    pub(super) fn span(&self) -> Span {
        let t = &self.tokens[self.pos.min(self.tokens.len() - 1)];
        span_in(self.at, t.lo, t.hi)
    }

    /// From the word at `start` to the last word taken.
    pub(super) fn since(&self, start: usize) -> Span {
        let last = &self.tokens[self.pos.saturating_sub(1).max(start).min(self.tokens.len() - 1)];
        span_in(self.at, self.tokens[start.min(self.tokens.len() - 1)].lo, last.hi)
    }

    pub(super) fn error<T>(&self, span: Span, message: impl Into<String>) -> R<T> {
        Err(Box::new(Diagnostic::error("syntax", span, message)))
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Box<Diagnostic> {
        let found = match self.tok() {
            Tok::Name { text, .. } => format!("`{text}`"),
            Tok::Int { .. } => "a number".into(),
            Tok::Str(_) => "a string".into(),
            Tok::Punct(p) => format!("`{p}`"),
            Tok::Newline => "the end of the line".into(),
            Tok::Eof => "the end of the text".into(),
        };
        Box::new(Diagnostic::error("syntax", self.span(), format!("expected {wanted}, found {found}")))
    }

    pub(super) fn is(&self, punct: &str) -> bool {
        matches!(self.tok(), Tok::Punct(p) if *p == punct)
    }

    pub(super) fn is_at(&self, ahead: usize, punct: &str) -> bool {
        matches!(self.tok_at(ahead), Tok::Punct(p) if *p == punct)
    }

    pub(super) fn take(&mut self, punct: &str) -> bool {
        let hit = self.is(punct);
        self.pos += usize::from(hit);
        hit
    }

    pub(super) fn need(&mut self, punct: &str) -> R<()> {
        if self.take(punct) { Ok(()) } else { Err(self.unexpected(&format!("`{punct}`"))) }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.tok(), Tok::Name { text, quoted: false } if text == word)
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let hit = self.is_word(word);
        self.pos += usize::from(hit);
        hit
    }

    pub(super) fn need_word(&mut self, word: &str) -> R<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// Any name, quoted or not; plain reserved words are not names.
    pub(super) fn name(&mut self, what: &str) -> R<String> {
        match self.tok() {
            Tok::Name { text, quoted } if *quoted || !is_reserved(text) => {
                let text = text.clone();
                self.pos += 1;
                Ok(text)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    pub(super) fn string(&mut self, what: &str) -> R<String> {
        match self.tok() {
            Tok::Str(text) => {
                let text = text.clone();
                self.pos += 1;
                Ok(text)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// A number without sign that fits `T`.
    pub(super) fn number<T: TryFrom<u128>>(&mut self, what: &str) -> R<T> {
        if let Tok::Int { value, .. } = self.tok()
            && let Ok(n) = T::try_from(*value)
        {
            self.pos += 1;
            return Ok(n);
        }
        Err(self.unexpected(what))
    }

    /// A number with an optional sign that fits 64 bits.
    fn signed(&mut self, what: &str) -> R<i64> {
        let start = self.pos;
        let negative = self.take("-");
        let n: u64 = self.number(what)?;
        let n = if negative { -i128::from(n) } else { i128::from(n) };
        i64::try_from(n).or_else(|_| self.error(self.since(start), "the number does not fit 64 bits"))
    }

    pub(super) fn ty(&mut self) -> R<Ty> {
        if let Tok::Name { text, quoted: false } = self.tok()
            && let Some(ty) = type_named(text)
        {
            self.pos += 1;
            return Ok(ty);
        }
        Err(self.unexpected("a type"))
    }

    /// `#lo+width`, if it stands here.
    pub(super) fn bits(&mut self) -> R<Option<BitRange>> {
        if !self.take("#") {
            return Ok(None);
        }
        let lo = self.number("the lowest bit")?;
        self.need("+")?;
        Ok(Some(BitRange { lo, width: self.number("a number of bits")? }))
    }
}

/// Whether a plain name is a keyword or type in expressions.
fn is_reserved(text: &str) -> bool {
    RESERVED.contains(&text) || type_named(text).is_some()
}

/// Expressions.
impl ExprParser<'_> {
    /// An expression; `expected` is the type a bare literal takes.
    pub(super) fn expr(&mut self, expected: Option<Ty>) -> R<Expr> {
        let start = self.pos;
        let operand = self.binary()?;
        match (operand, expected) {
            (Operand::Typed(e), Some(ty)) if e.ty != ty => {
                self.error(self.since(start), format!("this has type {}, but {ty} is needed here", e.ty))
            }
            (Operand::Typed(e), _) => Ok(e),
            (Operand::Literal { value, span }, Some(ty)) => self.literal(value, ty, span),
            (Operand::Literal { span, .. }, None) => {
                self.error(span, "the type of this number is not known here; write it as in `1:i32`")
            }
        }
    }

    fn literal(&self, value: i128, ty: Ty, span: Span) -> R<Expr> {
        let Ty::Int(i) = ty else { return self.error(span, format!("a number is no value of type {ty}")) };
        if i.extend(value as u128 & i.mask()) != value {
            return self.error(span, format!("the number does not fit {ty}"));
        }
        Ok(Expr::int(ty, value))
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        // A printed expression needs one level per level of its tree, and one for what stands around it.
        if self.depth > MAX_EXPR_DEPTH + 8 {
            return self.too_deep();
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn too_deep<T>(&self) -> R<T> {
        self.error(self.span(), format!("the expression nests more than {MAX_EXPR_DEPTH} deep"))
    }

    /// The expression read last is one level above parts of height `parts`.
    fn above(&mut self, parts: usize) -> R<()> {
        self.height = parts + 1;
        if self.height > MAX_EXPR_DEPTH { self.too_deep() } else { Ok(()) }
    }

    /// Operands and the operators between them.
    fn binary(&mut self) -> R<Operand> {
        self.nested(|p| {
            let start = p.pos;
            let left = p.operand()?;
            p.operators(left, start, 0)
        })
    }

    /// The operators of precedence above `min` that follow `left`, which begins at `start`: precedence climbing.
    fn operators(&mut self, mut left: Operand, start: usize, min: u8) -> R<Operand> {
        while let Some((op, prec, truth)) = self.next_operator()
            && prec > min
        {
            self.pos += 1;
            let height = self.height;
            let at = self.pos;
            let mut right = self.operand()?;
            if self.next_operator().is_some_and(|(_, next, _)| next > prec) {
                right = self.operators(right, at, prec)?;
            }
            let span = self.since(start);
            left = Operand::Typed(self.make_binary(op, truth, left, right, span)?);
            self.above(height.max(self.height))?;
        }
        Ok(left)
    }

    fn next_operator(&self) -> Option<(BinOp, u8, Option<bool>)> {
        match self.tok() {
            Tok::Punct(sign) => operator(sign),
            _ => None,
        }
    }

    fn make_binary(&self, op: BinOp, truth: Option<bool>, a: Operand, b: Operand, span: Span) -> R<Expr> {
        let (a, b) = match (a, b) {
            (Operand::Typed(a), Operand::Typed(b)) => (a, b),
            (Operand::Typed(a), Operand::Literal { value, span }) => {
                let b = self.literal(value, a.ty, span)?;
                (a, b)
            }
            (Operand::Literal { value, span }, Operand::Typed(b)) => (self.literal(value, b.ty, span)?, b),
            (Operand::Literal { span, .. }, Operand::Literal { .. }) => {
                return self.error(span, "one of two numbers needs a type, as in `1:i32`");
            }
        };
        if a.ty != b.ty {
            return self.error(span, format!("operands of one type are needed, not {} and {}", a.ty, b.ty));
        }
        if !op.takes(a.ty) || truth.is_some_and(|t| t != (a.ty == Ty::Bool)) {
            return self.error(span, format!("this operator does not take operands of type {}", a.ty));
        }
        Ok(Expr::binary(op, a, b))
    }

    /// A signed, negated or plain operand.
    fn operand(&mut self) -> R<Operand> {
        let start = self.pos;
        match *self.tok() {
            Tok::Punct("-") if matches!(self.tok_at(1), Tok::Int { .. }) => {
                self.pos += 1;
                self.constant(start, true)
            }
            Tok::Int { .. } => self.constant(start, false),
            Tok::Punct(sign @ ("-" | "~" | "!" | "'")) => {
                self.pos += 1;
                let inner = self.nested(Self::operand)?;
                self.above(self.height)?;
                let span = self.since(start);
                let Operand::Typed(e) = inner else {
                    return self.error(span, "the type of this number is not known here; write it as in `1:i32`");
                };
                let fits = match sign {
                    "-" => matches!(e.ty, Ty::Int(_) | Ty::Float(_)),
                    "~" => matches!(e.ty, Ty::Int(_)),
                    "!" => e.ty == Ty::Bool,
                    _ => true,
                };
                if !fits {
                    return self.error(span, format!("`{sign}` does not take an operand of type {}", e.ty));
                }
                Ok(Operand::Typed(match sign {
                    "-" => Expr::unary(UnOp::Neg, e),
                    "'" => Expr::entry(e),
                    _ => Expr::unary(UnOp::Not, e),
                }))
            }
            Tok::Punct("(") => {
                self.pos += 1;
                let inner = self.binary()?;
                self.need(")")?;
                Ok(inner)
            }
            _ => self.primary().map(Operand::Typed),
        }
    }

    /// A number with or without type; the sign has been read.
    fn constant(&mut self, start: usize, negative: bool) -> R<Operand> {
        self.height = 1;
        let Tok::Int { value: magnitude, hex } = *self.tok() else { return Err(self.unexpected("a number")) };
        self.pos += 1;
        let typed = self.is(":") && matches!(self.tok_at(1), Tok::Name { text, .. } if type_named(text).is_some());
        if !typed {
            return match i128::try_from(magnitude) {
                Ok(n) => Ok(Operand::Literal { value: if negative { -n } else { n }, span: self.since(start) }),
                Err(_) => self.error(self.since(start), "a number of this size needs a type"),
            };
        }
        self.pos += 1;
        let ty = self.ty()?;
        let span = self.since(start);
        let bad = || format!("the number does not fit {ty}");
        let pattern = if negative { magnitude.wrapping_neg() } else { magnitude };
        let e = Expr::constant(ty, pattern);
        let kept = e.as_const() == Some(pattern);
        let fits = match ty {
            Ty::Bool => false,
            Ty::Int(i) if i.signed => {
                let limit = 1u128 << (i.width - 1);
                if negative { magnitude <= limit } else { magnitude < limit || (hex && kept) }
            }
            Ty::Int(_) => kept && (!negative || magnitude == 0),
            Ty::Float(_) => kept && hex && !negative,
            Ty::Ptr => pattern < 1u128 << self.scope.model.ptr_width() && !negative,
        };
        if fits { Ok(Operand::Typed(e)) } else { self.error(span, bad()) }
    }

    /// A name, a place, an address, or something written like a function.
    fn primary(&mut self) -> R<Expr> {
        let start = self.pos;
        match self.tok() {
            Tok::Punct("*") => self.place().map(Expr::read),
            Tok::Punct("&") => self.address_expr(),
            Tok::Punct("@") => self.place().map(Expr::read),
            Tok::Name { text, quoted: false } if is_reserved(text) => {
                let word = text.clone();
                self.pos += 1;
                self.word(&word, start)
            }
            Tok::Name { .. } => self.place().map(Expr::read),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn address_expr(&mut self) -> R<Expr> {
        self.need("&")?;
        if self.take("[") {
            let addr = self.inside()?;
            return Ok(Expr::addr(addr));
        }
        self.height = 1;
        if self.take_word("fn") {
            let span = self.span();
            let name = self.name("the name of a function")?;
            return match self.scope.functions.get(&name) {
                Some(&f) => Ok(Expr::func(f)),
                None => self.error(span, format!("there is no function `{name}`")),
            };
        }
        Ok(Expr::addr(Address::var(self.var()?.0)))
    }

    /// An expression that begins with a reserved word, which has been read.
    fn word(&mut self, word: &str, start: usize) -> R<Expr> {
        match word {
            "true" | "false" | "null" => self.height = 1,
            _ => {}
        }
        match word {
            "true" => return Ok(Expr::bool(true)),
            "false" => return Ok(Expr::bool(false)),
            "null" => return Ok(Expr::null()),
            "fn" | "call" | "alloc" | "havoc" => {
                self.pos = start;
                return Err(self.unexpected("an expression"));
            }
            _ => {}
        }
        self.need("(")?;
        let e = if let Some(to) = type_named(word) {
            let e = self.expr(None)?;
            self.above(self.height)?;
            let crosses = matches!((e.ty, to), (Ty::Float(_), Ty::Ptr) | (Ty::Ptr, Ty::Float(_)));
            if crosses {
                return self.error(self.since(start), format!("{} cannot be converted to {to}", e.ty));
            }
            Expr { ty: to, kind: ExprKind::Convert(Box::new(e)) }
        } else {
            self.applied(word, start)?
        };
        self.need(")")?;
        Ok(e)
    }

    /// The arguments of a word written like a function.
    fn applied(&mut self, word: &str, start: usize) -> R<Expr> {
        let overflow = match word {
            "add_overflows" => Some(BinOp::AddOverflows),
            "sub_overflows" => Some(BinOp::SubOverflows),
            "mul_overflows" => Some(BinOp::MulOverflows),
            _ => None,
        };
        if overflow.is_some() || word == "ite" {
            let mut height = 0;
            let cond = if overflow.is_none() {
                let c = self.expr(Some(Ty::Bool))?;
                height = self.height;
                self.need(",")?;
                Some(c)
            } else {
                None
            };
            let a = self.binary()?;
            height = height.max(self.height);
            self.need(",")?;
            let b = self.binary()?;
            self.above(height.max(self.height))?;
            let span = self.since(start);
            return match (overflow, cond) {
                (Some(op), _) => self.make_binary(op, Some(false), a, b, span),
                // Typed as a comparison of both sides would be: one type, literals take the other's.
                (None, cond) => match self.make_binary(BinOp::Eq, None, a, b, span)?.kind {
                    ExprKind::Binary(_, a, b) => Ok(Expr::ite(cond.unwrap_or_else(|| Expr::bool(true)), *a, *b)),
                    _ => Err(self.unexpected("two operands")),
                },
            };
        }
        let e = self.expr(None)?;
        self.above(self.height)?;
        let wants_float = word == "fits";
        if matches!(e.ty, Ty::Float(_)) != wants_float || (!wants_float && e.ty != Ty::Ptr) {
            return self.error(self.since(start), format!("`{word}` does not take a value of type {}", e.ty));
        }
        let predicate = match word {
            "alive" => ObjectPredicate::Alive,
            "freeable" => ObjectPredicate::Freeable,
            "foreign" => ObjectPredicate::Foreign,
            _ => {
                self.need(",")?;
                match word {
                    "inbounds" => ObjectPredicate::InBounds(self.number("a number of bytes")?),
                    "callable" => ObjectPredicate::Callable(self.number("a number of arguments")?),
                    _ => match self.ty()? {
                        Ty::Int(i) => ObjectPredicate::FitsInt(i),
                        ty => return self.error(self.since(start), format!("{ty} is not an integer type")),
                    },
                }
            }
        };
        Ok(Expr { ty: Ty::Bool, kind: ExprKind::ObjectPredicate(predicate, Box::new(e)) })
    }

    /// `x` or `@g`.
    pub(super) fn var(&mut self) -> R<(Var, Shape)> {
        let start = self.pos;
        let global = self.take("@");
        let name = self.name("a variable")?;
        let hit = if global {
            self.scope.globals.get(&name).map(|&(g, shape)| (Var::Global(g), shape))
        } else {
            self.scope.locals.get(&name).map(|&(l, shape)| (Var::Local(l), shape))
        };
        match hit {
            Some(hit) => Ok(hit),
            None => self.error(
                self.since(start),
                if global {
                    format!("there is no global `{name}`")
                } else {
                    format!("there is no local `{name}` here")
                },
            ),
        }
    }

    /// A whole scalar variable, or `*[address]:type`.
    pub(super) fn place(&mut self) -> R<Place> {
        let start = self.pos;
        if !self.take("*") {
            self.height = 1;
            let (var, shape) = self.var()?;
            return match shape {
                Shape::Scalar(ty) => Ok(Place::var(var, ty)),
                Shape::Object { .. } => {
                    self.error(self.since(start), "an object is read in parts, as in `*[&x + 4]:i32`")
                }
            };
        }
        self.need("[")?;
        let addr = self.inside()?;
        self.need(":")?;
        let ty = self.ty()?;
        let bits = self.bits()?;
        let label = match self.tok() {
            Tok::Str(s) => Label::new(s.clone()),
            _ => Label::default(),
        };
        self.pos += usize::from(label.0.is_some());
        Ok(Place { addr, ty, bits, label })
    }

    /// The inside of an address, with its closing bracket.
    fn inside(&mut self) -> R<Address> {
        let start = self.pos;
        let mut height = 0;
        let variable = self.is("&")
            && !self.is_at(1, "[")
            && !matches!(self.tok_at(1), Tok::Name { text, quoted: false } if text == "fn");
        let base = if variable {
            self.pos += 1;
            Base::Var(self.var()?.0)
        } else {
            let base = self.nested(Self::operand)?;
            height = self.height;
            match base {
                Operand::Typed(e) if e.ty == Ty::Ptr => Base::Ptr(Box::new(e)),
                _ => return self.error(self.since(start), "the base of an address is a variable or a pointer"),
            }
        };
        let mut addr = Address { base, offset: 0, indices: Vec::new() };
        while self.take("+") {
            let number = self.signed("a number of bytes")?;
            if self.take("*") {
                let at = self.pos;
                let ty = self.scope.model.index_ty();
                let index = self.nested(Self::operand)?;
                height = height.max(self.height);
                let value = match index {
                    Operand::Typed(e) if e.ty == ty => e,
                    Operand::Typed(e) => {
                        return self.error(self.since(at), format!("an index has type {ty}, not {}", e.ty));
                    }
                    Operand::Literal { value, span } => self.literal(value, ty, span)?,
                };
                addr.indices.push(Index { value, stride: number });
            } else if addr.offset == 0 && addr.indices.is_empty() {
                addr.offset = number;
            } else {
                return self.error(self.since(start), "an address has one constant offset, before its indices");
            }
        }
        self.need("]")?;
        self.above(height)?;
        Ok(addr)
    }
}

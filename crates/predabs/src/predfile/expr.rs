//! Parses one C expression over what a scope can name, with C's promotions and conversions: the operators. Their operands
//! are in [`super::operand`].
//!
//! Truth values of comparisons keep the type `Bool` until arithmetic needs an `int`. Every expression built is well typed.

use super::Arithmetic;
use super::ctype::CTy;
use super::lexer::{Tok, Token};
use super::types::{balance, promote};
use super::value::{Layout, Val};
use base::{Diagnostic, Span};
use ir::{BinOp, Expr, Program, Ty, UnOp};
use vc::Scope;

/// How deeply a predicate may nest.
const MAX_DEPTH: usize = 200;

pub(super) type R<T> = Result<T, Box<Diagnostic>>;

pub(super) struct ExprParser<'a> {
    pub(super) program: &'a Program,
    arithmetic: Arithmetic,
    pub(super) scope: Scope,
    pub(super) tokens: &'a [Token],
    pub(super) pos: usize,
    /// Open parentheses: inside, a line end is a blank.
    pub(super) open: usize,
    depth: usize,
    /// Where the `'` stands inside which everything is read in the state in which the activation began.
    pub(super) at_entry: Option<Span>,
}

impl<'a> ExprParser<'a> {
    pub(super) fn new(
        program: &'a Program,
        arithmetic: Arithmetic,
        scope: Scope,
        tokens: &'a [Token],
        pos: usize,
    ) -> ExprParser<'a> {
        ExprParser { program, arithmetic, scope, tokens, pos, open: 0, depth: 0, at_entry: None }
    }

    /// A predicate: an expression that is true or false.
    pub(super) fn predicate(&mut self) -> R<Expr> {
        let start = self.span();
        let v = self.conditional()?;
        self.truth(v, start)
    }

    pub(super) fn layout(&self) -> Layout<'a> {
        Layout { declared: &self.program.declared, model: self.program.model, arithmetic: self.arithmetic }
    }

    pub(super) fn tok(&mut self) -> &'a Tok {
        while self.open > 0 && self.tokens[self.pos].tok == Tok::Newline {
            self.pos += 1;
        }
        &self.tokens[self.pos].tok
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.pos].span
    }

    fn skip_lines(&mut self) {
        while self.tokens[self.pos].tok == Tok::Newline {
            self.pos += 1;
        }
    }

    pub(super) fn take(&mut self, sign: &'static str) -> bool {
        let found = *self.tok() == Tok::Sign(sign);
        self.pos += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, sign: &'static str) -> R<()> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    pub(super) fn error(&self, id: &'static str, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(id, span, message))
    }

    pub(super) fn unexpected(&mut self, wanted: &str) -> Box<Diagnostic> {
        let found = match self.tok() {
            Tok::Name(n) => format!("`{n}`"),
            Tok::Number { value, .. } => format!("`{value}`"),
            Tok::Sign(s) => format!("`{s}`"),
            Tok::Newline => "the end of the line".to_owned(),
            Tok::End => "the end of the file".to_owned(),
        };
        self.error("syntax", self.span(), format!("expected {wanted}, found {found}"))
    }

    /// The value of an operand.
    pub(super) fn value(&self, v: Val, at: Span) -> R<(Expr, CTy)> {
        match self.layout().value(v) {
            Some((e, _)) if matches!(e.ty, Ty::Float(_)) => {
                Err(self.error("unsupported", at, "floating-point values in predicates are not supported"))
            }
            Some(value) => Ok(value),
            None => Err(self.error("type", at, "a structure or union has no truth value: name one of its members")),
        }
    }

    /// C's test of a scalar.
    fn truth(&self, v: Val, at: Span) -> R<Expr> {
        Ok(Expr::nonzero(self.value(v, at)?.0))
    }

    pub(super) fn conditional(&mut self) -> R<Val> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("syntax", self.span(), "the predicate nests too deeply"));
        }
        let start = self.span();
        let cond = self.binary(1)?;
        let v = if self.take("?") {
            let cond = self.truth(cond, start)?;
            self.open += 1;
            let a = self.conditional()?;
            self.expect(":")?;
            self.open -= 1;
            let b = self.conditional()?;
            self.choice(cond, a, b, start)?
        } else {
            cond
        };
        self.depth -= 1;
        Ok(v)
    }

    fn choice(&mut self, cond: Expr, a: Val, b: Val, at: Span) -> R<Val> {
        let ((a, mut ty), (b, other)) = (self.value(a, at)?, self.value(b, at)?);
        let (a, b) = (null_beside(a, &b), b);
        let (a, b) = (a.clone(), null_beside(b, &a));
        if a.as_const().is_some() {
            ty = other;
        }
        let (a, b) = if a.ty == b.ty { (a, b) } else { balance(a, b) };
        if a.ty != b.ty {
            return Err(self.error("type", at, "the two results of `?:` have no common type"));
        }
        let ty = if a.ty == Ty::Ptr { ty } else { CTy::Scalar(a.ty) };
        Ok(Val::Value(Expr::ite(cond, a, b), ty))
    }

    /// The operator at hand with its precedence; `=` is read as `==`, as the papers write it.
    fn operator(&mut self) -> Option<(&'static str, u8)> {
        let Tok::Sign(sign) = *self.tok() else { return None };
        let level = match sign {
            "||" => 1,
            "&&" => 2,
            "|" => 3,
            "^" => 4,
            "&" => 5,
            "==" | "!=" | "=" => 6,
            "<" | "<=" | ">" | ">=" => 7,
            "<<" | ">>" => 8,
            "+" | "-" => 9,
            "*" | "/" | "%" => 10,
            _ => return None,
        };
        Some((sign, level))
    }

    fn binary(&mut self, least: u8) -> R<Val> {
        let start = self.span();
        let mut left = self.unary()?;
        let mut operands = 0;
        while let Some((sign, level)) = self.operator()
            && level >= least
        {
            operands += 1;
            if operands > MAX_DEPTH {
                return Err(self.error("syntax", self.span(), "the predicate has too many operands"));
            }
            self.pos += 1;
            self.skip_lines();
            let right = self.binary(level + 1)?;
            left = self.combine(sign, left, right, start)?;
        }
        Ok(left)
    }

    fn combine(&mut self, sign: &'static str, a: Val, b: Val, at: Span) -> R<Val> {
        if let "||" | "&&" = sign {
            let op = if sign == "||" { BinOp::Or } else { BinOp::And };
            return Ok(Val::plain(Expr::binary(op, self.truth(a, at)?, self.truth(b, at)?)));
        }
        let ((a, a_ty), (b, b_ty)) = (self.value(a, at)?, self.value(b, at)?);
        if let "+" | "-" = sign
            && (a.ty == Ty::Ptr || b.ty == Ty::Ptr)
        {
            return self.pointer_sum(sign, (a, a_ty), (b, b_ty), at);
        }
        let op = match sign {
            "|" => BinOp::Or,
            "^" => BinOp::Xor,
            "&" => BinOp::And,
            "==" | "=" => BinOp::Eq,
            "!=" => BinOp::Ne,
            "<" => BinOp::Lt,
            "<=" => BinOp::Le,
            ">" => BinOp::Gt,
            ">=" => BinOp::Ge,
            "<<" => BinOp::Shl,
            ">>" => BinOp::Shr,
            "+" => BinOp::Add,
            "-" => BinOp::Sub,
            "*" => BinOp::Mul,
            "/" => BinOp::Div,
            _ => BinOp::Rem,
        };
        let (a, b) = match (a.ty, b.ty) {
            (Ty::Bool, Ty::Bool) if matches!(op, BinOp::Eq | BinOp::Ne) => (a, b),
            (Ty::Ptr, _) | (_, Ty::Ptr) => (null_beside(a.clone(), &b), null_beside(b, &a)),
            // A shift has the type of its left operand; the count is read as unsigned of that type.
            _ if matches!(op, BinOp::Shl | BinOp::Shr) => {
                let a = promote(a);
                let ty = a.ty;
                (a, Expr::convert(ty, promote(b)))
            }
            _ => balance(a, b),
        };
        if a.ty != b.ty || !op.takes(a.ty) {
            return Err(self.error("type", at, format!("the operands of `{sign}` do not fit")));
        }
        Ok(Val::plain(Expr::binary(op, a, b)))
    }

    /// A sum of a pointer and an index, or a difference of two pointers.
    fn pointer_sum(&mut self, sign: &'static str, a: (Expr, CTy), b: (Expr, CTy), at: Span) -> R<Val> {
        let minus = sign == "-";
        let pointer_first = a.0.ty == Ty::Ptr;
        let ((p, ty), (n, n_ty)) = if pointer_first { (a, b) } else { (b, a) };
        let fits = matches!(n.ty, Ty::Int(_) | Ty::Bool) && (pointer_first || !minus);
        let to = ty.pointee(&self.program.declared).unwrap_or(CTy::Void);
        let made = if minus && n.ty == Ty::Ptr {
            let to = if to == CTy::Void { n_ty.pointee(&self.program.declared).unwrap_or(CTy::Void) } else { to };
            self.layout().difference(p, n, &to).map(Val::plain)
        } else if fits {
            self.layout().step(p, &to, promote(n), minus).map(|e| Val::Value(e, ty))
        } else {
            None
        };
        made.ok_or_else(|| self.error("type", at, format!("the operands of `{sign}` do not fit")))
    }

    pub(super) fn unary(&mut self) -> R<Val> {
        self.skip_lines();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("syntax", self.span(), "the predicate nests too deeply"));
        }
        let v = self.prefix();
        self.depth -= 1;
        v
    }

    /// A prefix operator and its operand, or an operand with what stands behind it.
    fn prefix(&mut self) -> R<Val> {
        let at = self.span();
        let Tok::Sign(sign @ ("!" | "-" | "~" | "+" | "*" | "&" | "'")) = *self.tok() else {
            return self.postfix();
        };
        self.pos += 1;
        match sign {
            "*" => {
                let v = self.unary()?;
                self.dereference(v, at)
            }
            "&" => self.address_of(at),
            "'" => self.entry_value(at),
            "!" => {
                let v = self.unary()?;
                Ok(Val::plain(Expr::unary(UnOp::Not, self.truth(v, at)?)))
            }
            _ => {
                let v = self.unary()?;
                let (e, _) = self.value(v, at)?;
                if e.ty == Ty::Ptr {
                    return Err(self.error("type", at, "this operator takes an integer"));
                }
                let e = promote(e);
                Ok(Val::plain(match sign {
                    "-" => Expr::unary(UnOp::Neg, e),
                    "~" => Expr::unary(UnOp::Not, e),
                    _ => e,
                }))
            }
        }
    }
}

/// The null pointer if `e` is the literal 0 and the other operand a pointer.
fn null_beside(e: Expr, other: &Expr) -> Expr {
    let zero = e.as_const() == Some(0) && matches!(e.ty, Ty::Int(_));
    if zero && other.ty == Ty::Ptr { Expr::null() } else { e }
}

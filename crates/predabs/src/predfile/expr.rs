//! Parses one C expression over the variables that a scope can name, with C's promotions and conversions.
//!
//! Truth values of comparisons keep the type `Bool` until arithmetic needs an `int`. Every expression built is well typed.

use super::lexer::{Tok, Token};
use super::types::{balance, begins_type, named_type, promote};
use base::{Diagnostic, Id, Span};
use ir::{BinOp, DataModel, Expr, FuncId, Program, Ty, UnOp, Var};
use vc::Scope;

/// How deeply a predicate may nest.
const MAX_DEPTH: usize = 200;

type R<T> = Result<T, Box<Diagnostic>>;

pub(super) struct ExprParser<'a> {
    pub(super) program: &'a Program,
    pub(super) scope: Scope,
    pub(super) tokens: &'a [Token],
    pub(super) pos: usize,
    /// Open parentheses: inside, a line end is a blank.
    open: usize,
    depth: usize,
}

impl<'a> ExprParser<'a> {
    pub(super) fn new(program: &'a Program, scope: Scope, tokens: &'a [Token], pos: usize) -> ExprParser<'a> {
        ExprParser { program, scope, tokens, pos, open: 0, depth: 0 }
    }

    /// A predicate: an expression that is true or false.
    pub(super) fn predicate(&mut self) -> R<Expr> {
        let start = self.span();
        let e = self.conditional()?;
        self.truth(e, start)
    }

    fn tok(&mut self) -> &'a Tok {
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

    fn take(&mut self, sign: &'static str) -> bool {
        let found = *self.tok() == Tok::Sign(sign);
        self.pos += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &'static str) -> R<()> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn error(&self, id: &'static str, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(id, span, message))
    }

    fn unexpected(&mut self, wanted: &str) -> Box<Diagnostic> {
        let found = match self.tok() {
            Tok::Name(n) => format!("`{n}`"),
            Tok::Number { value, .. } => format!("`{value}`"),
            Tok::Sign(s) => format!("`{s}`"),
            Tok::Newline => "the end of the line".to_owned(),
            Tok::End => "the end of the file".to_owned(),
        };
        self.error("syntax", self.span(), format!("expected {wanted}, found {found}"))
    }

    /// C's test of a scalar.
    fn truth(&self, e: Expr, at: Span) -> R<Expr> {
        match e.ty {
            Ty::Float(_) => Err(self.error("unsupported", at, "floating-point values in predicates are not supported")),
            _ => Ok(Expr::nonzero(e)),
        }
    }

    fn conditional(&mut self) -> R<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("syntax", self.span(), "the predicate nests too deeply"));
        }
        let start = self.span();
        let cond = self.binary(1)?;
        let e = if self.take("?") {
            let cond = self.truth(cond, start)?;
            self.open += 1;
            let a = self.conditional()?;
            self.expect(":")?;
            self.open -= 1;
            let b = self.conditional()?;
            let (a, b) = if a.ty == b.ty { (a, b) } else { balance(a, b) };
            if a.ty != b.ty {
                return Err(self.error("type", start, "the two results of `?:` have no common type"));
            }
            Expr::ite(cond, a, b)
        } else {
            cond
        };
        self.depth -= 1;
        Ok(e)
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

    fn binary(&mut self, least: u8) -> R<Expr> {
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

    fn combine(&mut self, sign: &'static str, a: Expr, b: Expr, at: Span) -> R<Expr> {
        if matches!(a.ty, Ty::Float(_)) || matches!(b.ty, Ty::Float(_)) {
            return Err(self.error("unsupported", at, "floating-point values in predicates are not supported"));
        }
        let op = match sign {
            "||" => return Ok(Expr::binary(BinOp::Or, self.truth(a, at)?, self.truth(b, at)?)),
            "&&" => return Ok(Expr::binary(BinOp::And, self.truth(a, at)?, self.truth(b, at)?)),
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
        let null = |e: Expr| if e.as_const() == Some(0) && matches!(e.ty, Ty::Int(_)) { Expr::null() } else { e };
        let (a, b) = match (a.ty, b.ty) {
            (Ty::Bool, Ty::Bool) if matches!(op, BinOp::Eq | BinOp::Ne) => (a, b),
            (Ty::Ptr, _) => (a, null(b)),
            (_, Ty::Ptr) => (null(a), b),
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
        Ok(Expr::binary(op, a, b))
    }

    fn unary(&mut self) -> R<Expr> {
        self.skip_lines();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("syntax", self.span(), "the predicate nests too deeply"));
        }
        let e = self.unary_inner();
        self.depth -= 1;
        e
    }

    fn unary_inner(&mut self) -> R<Expr> {
        let at = self.span();
        let arithmetic = |p: &Self, e: Expr| match e.ty {
            Ty::Ptr | Ty::Float(_) => Err(p.error("type", at, "this operator takes an integer")),
            _ => Ok(promote(e)),
        };
        let tok = self.tok().clone();
        self.pos += 1;
        match tok {
            Tok::Sign("!") => {
                let e = self.unary()?;
                Ok(Expr::unary(UnOp::Not, self.truth(e, at)?))
            }
            Tok::Sign("-") => {
                let e = self.unary()?;
                Ok(Expr::unary(UnOp::Neg, arithmetic(self, e)?))
            }
            Tok::Sign("~") => {
                let e = self.unary()?;
                Ok(Expr::unary(UnOp::Not, arithmetic(self, e)?))
            }
            Tok::Sign("+") => {
                let e = self.unary()?;
                arithmetic(self, e)
            }
            Tok::Sign("*" | "&") => Err(self.error("unsupported", at, "pointers are not followed in predicates")),
            Tok::Sign("(") => self.parenthesis(),
            Tok::Sign("'") => self.entry_value(at),
            Tok::Sign("@") => match self.tok().clone() {
                Tok::Name(name) => {
                    self.pos += 1;
                    self.global(&name, at)
                }
                _ => Err(self.unexpected("a global's name")),
            },
            Tok::Name(name) if name == "NULL" => Ok(Expr::null()),
            Tok::Name(name) if *self.tok() == Tok::Sign("(") => self.builtin(&name, at),
            Tok::Name(name) => {
                let e = self.variable(&name, at)?;
                match self.tok() {
                    Tok::Sign(sign @ ("[" | "->" | "++" | "--")) => {
                        Err(self.error("unsupported", self.span(), format!("`{sign}` is not supported in predicates")))
                    }
                    _ => Ok(e),
                }
            }
            Tok::Number { value, decimal, suffix } => self.number(value, decimal, &suffix, at),
            _ => {
                self.pos -= 1;
                Err(self.unexpected("an expression"))
            }
        }
    }

    /// A cast or an expression in parentheses, whose first is taken.
    fn parenthesis(&mut self) -> R<Expr> {
        self.open += 1;
        if let Tok::Name(word) = self.tok()
            && begins_type(word)
            && self.lookup(word).is_none()
        {
            let at = self.span();
            let ty = self.type_name()?;
            self.open -= 1;
            let e = self.unary()?;
            let fits = !matches!(e.ty, Ty::Float(_));
            return if fits {
                Ok(Expr::convert(ty, e))
            } else {
                Err(self.error("type", at, "this conversion is not supported"))
            };
        }
        let e = self.conditional()?;
        self.expect(")")?;
        self.open -= 1;
        Ok(e)
    }

    fn type_name(&mut self) -> R<Ty> {
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
        named_type(self.program.model, &words, stars)
            .ok_or_else(|| self.error("type", at, format!("`{}` is not a type that predicates know", words.join(" "))))
    }

    /// A symbolic constant: the value that a parameter or global had when the function was entered (TOPLAS05 §4).
    fn entry_value(&mut self, at: Span) -> R<Expr> {
        let global = self.take("@");
        let Tok::Name(name) = self.tok().clone() else { return Err(self.unexpected("a name behind `'`")) };
        let span = at.to(self.span());
        self.pos += 1;
        let Scope::Function(func) = self.scope else {
            let message =
                format!("`'{name}` has no meaning in a global predicate: it belongs to one call of a function");
            return Err(self.error("symbolic-constant", span, message));
        };
        let e = if global { self.global(&name, span)? } else { self.variable(&name, span)? };
        let of_entry = ir::walk::variables(&e).into_iter().all(|v| match v {
            Var::Global(_) => true,
            Var::Local(l) => l.index() < self.program.functions[func].n_params,
        });
        if !of_entry {
            let message = format!(
                "`'{name}` has no meaning: `{name}` is neither a parameter of `{}` nor a global",
                self.program.functions[func].name
            );
            return Err(self.error("symbolic-constant", span, message));
        }
        Ok(Expr::entry(e))
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
        let a = self.conditional()?;
        self.expect(",")?;
        let b = self.conditional()?;
        self.expect(",")?;
        let c = self.conditional()?;
        self.expect(")")?;
        self.open -= 1;
        // The operands are values of the third one's type, or of narrower ones.
        let fits = |e: &Expr| match (e.ty, c.ty) {
            (Ty::Int(x), Ty::Int(_)) => x.width <= 128,
            (Ty::Bool, Ty::Int(_)) => true,
            _ => false,
        };
        if !fits(&a) || !fits(&b) {
            return Err(self.error("type", at, format!("the operands of `{name}` do not fit")));
        }
        Ok(Expr::binary(op, Expr::convert(c.ty, a), Expr::convert(c.ty, b)))
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

    fn lookup(&self, name: &str) -> Option<(Var, ir::Shape)> {
        let local = match self.scope {
            Scope::Global => None,
            Scope::Function(f) => {
                let mut locals = self.program.functions[f].locals.iter_enumerated();
                locals.find(|(_, l)| l.name == name).map(|(id, l)| (Var::Local(id), l.shape))
            }
        };
        local.or_else(|| self.lookup_global(name))
    }

    fn lookup_global(&self, name: &str) -> Option<(Var, ir::Shape)> {
        let id = self.program.global(name)?;
        Some((Var::Global(id), self.program.globals[id].shape))
    }

    fn global(&self, name: &str, at: Span) -> R<Expr> {
        let found = self.lookup_global(name);
        found.map_or_else(
            || Err(self.error("undeclared", at, format!("there is no global `{name}`"))),
            |(var, shape)| self.read(name, var, shape, at),
        )
    }

    fn variable(&self, name: &str, at: Span) -> R<Expr> {
        if let Some((var, shape)) = self.lookup(name) {
            return self.read(name, var, shape, at);
        }
        let has = |f: FuncId| self.program.functions[f].locals.iter().any(|l| l.name == name);
        let owner = self.program.functions.ids().find(|&f| has(f)).map(|f| &self.program.functions[f].name);
        Err(match (owner, self.scope) {
            (Some(owner), Scope::Global) => {
                let message = format!("a global predicate cannot name `{name}`, a local of `{owner}`");
                self.error("local-in-global", at, message)
            }
            (Some(owner), Scope::Function(f)) => {
                let here = &self.program.functions[f].name;
                self.error("out-of-scope", at, format!("`{name}` is a local of `{owner}`, not of `{here}`"))
            }
            (None, _) => self.error("undeclared", at, format!("`{name}` is not declared")),
        })
    }

    fn read(&self, name: &str, var: Var, shape: ir::Shape, at: Span) -> R<Expr> {
        match shape.scalar() {
            Some(Ty::Float(_)) => Err(self.error("unsupported", at, format!("`{name}` is a floating-point variable"))),
            Some(ty) => Ok(Expr::var(var, ty)),
            None => Err(self.error("unsupported", at, format!("`{name}` is a structure, union or array"))),
        }
    }
}

//! Expressions.

use super::{Parser, R};
use crate::lexer::Token;
use crate::syntax::*;
use base::Diagnostic;

impl Parser {
    /// Relations joined by logical operators, which may not be mixed without parentheses.
    pub(crate) fn expr(&mut self) -> R<Expr> {
        self.nest(|p| {
            let start = p.span();
            let mut left = p.relation()?;
            let mut first: Option<BinOp> = None;
            while let Some(op) = p.logical()? {
                if first.is_some_and(|f| f != op) {
                    let message = "logical operators are mixed: parentheses are needed";
                    return Err(Diagnostic::error("syntax", p.span(), message));
                }
                first = Some(op);
                let right = p.relation()?;
                left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span: p.since(start) };
            }
            Ok(left)
        })
    }

    fn logical(&mut self) -> R<Option<BinOp>> {
        Ok(if self.take_key("and") {
            Some(if self.take_key("then") { BinOp::AndThen } else { BinOp::And })
        } else if self.take_key("or") {
            Some(if self.take_key("else") { BinOp::OrElse } else { BinOp::Or })
        } else if self.take_key("xor") {
            Some(BinOp::Xor)
        } else {
            None
        })
    }

    fn relation(&mut self) -> R<Expr> {
        let start = self.span();
        let left = self.simple()?;
        let op = match self.peek() {
            Token::Sign("=") => BinOp::Eq,
            Token::Sign("/=") => BinOp::Ne,
            Token::Sign("<") => BinOp::Lt,
            Token::Sign("<=") => BinOp::Le,
            Token::Sign(">") => BinOp::Gt,
            Token::Sign(">=") => BinOp::Ge,
            Token::Key("in") => {
                self.advance();
                let choices = self.choices()?;
                return Ok(Expr { kind: ExprKind::In(Box::new(left), choices, false), span: self.since(start) });
            }
            Token::Key("not") if *self.ahead(1) == Token::Key("in") => {
                self.advance();
                self.advance();
                let choices = self.choices()?;
                return Ok(Expr { kind: ExprKind::In(Box::new(left), choices, true), span: self.since(start) });
            }
            _ => return Ok(left),
        };
        self.advance();
        let right = self.simple()?;
        Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span: self.since(start) })
    }

    /// Sums. A sign in front binds looser than a product, as Ada has it.
    pub(super) fn simple(&mut self) -> R<Expr> {
        let start = self.span();
        let sign = match self.peek() {
            Token::Sign("-") => Some(UnOp::Neg),
            Token::Sign("+") => Some(UnOp::Plus),
            _ => None,
        };
        if sign.is_some() {
            self.advance();
        }
        let mut left = self.term()?;
        if let Some(op) = sign {
            left = Expr { kind: ExprKind::Unary(op, Box::new(left)), span: self.since(start) };
        }
        loop {
            let op = match self.peek() {
                Token::Sign("+") => BinOp::Add,
                Token::Sign("-") => BinOp::Sub,
                Token::Sign("&") => return self.unsupported("concatenations"),
                _ => return Ok(left),
            };
            self.advance();
            let right = self.term()?;
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span: self.since(start) };
        }
    }

    fn term(&mut self) -> R<Expr> {
        let start = self.span();
        let mut left = self.factor()?;
        loop {
            let op = match self.peek() {
                Token::Sign("*") => BinOp::Mul,
                Token::Sign("/") => BinOp::Div,
                Token::Key("mod") => BinOp::Mod,
                Token::Key("rem") => BinOp::Rem,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.factor()?;
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span: self.since(start) };
        }
    }

    fn factor(&mut self) -> R<Expr> {
        let start = self.span();
        let op = match self.peek() {
            Token::Key("abs") => Some(UnOp::Abs),
            Token::Key("not") => Some(UnOp::Not),
            _ => None,
        };
        if let Some(op) = op {
            self.advance();
            let operand = self.primary()?;
            return Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span: self.since(start) });
        }
        let left = self.primary()?;
        if self.take("**") {
            let right = self.primary()?;
            let kind = ExprKind::Binary(BinOp::Power, Box::new(left), Box::new(right));
            return Ok(Expr { kind, span: self.since(start) });
        }
        Ok(left)
    }

    pub(super) fn primary(&mut self) -> R<Expr> {
        let start = self.span();
        match self.peek() {
            Token::Int(n) => {
                let kind = ExprKind::Int(*n);
                self.advance();
                Ok(Expr { kind, span: start })
            }
            Token::Char(c) => {
                let kind = ExprKind::Name(character(*c));
                self.advance();
                Ok(Expr { kind, span: start })
            }
            Token::Str(text) => {
                let letter = |c| (Vec::new(), Expr { kind: ExprKind::Name(character(c)), span: start });
                let kind = ExprKind::Aggregate(text.chars().map(letter).collect());
                self.advance();
                Ok(Expr { kind, span: start })
            }
            Token::Name(_) => self.prefix(),
            Token::Sign("(") => self.nest(Parser::parenthesised),
            Token::Key("null") => self.unsupported("null values (access types)"),
            Token::Key("new") => self.unsupported("allocators (access types)"),
            Token::Key("raise") => self.unsupported("raise expressions"),
            Token::Sign("@") => self.unsupported("target names (`@`)"),
            _ => self.expected("an expression"),
        }
    }

    /// A name with selections, arguments and attributes.
    pub(super) fn prefix(&mut self) -> R<Expr> {
        let start = self.span();
        let name = self.name("a name")?;
        let mut e = Expr { kind: ExprKind::Name(name.text), span: start };
        loop {
            let kind = if self.take(".") {
                if self.is_key("all") {
                    return self.unsupported("dereferences (access types)");
                }
                let component = self.name("a component")?;
                ExprKind::Select(Box::new(e), component)
            } else if self.conditional_ahead() {
                let only = self.primary()?;
                ExprKind::Apply(Box::new(e), vec![(None, only)])
            } else if self.take("(") {
                self.arguments(e)?
            } else if self.take("'") {
                if self.is("(") {
                    let value = self.primary()?;
                    ExprKind::Qualified(Box::new(e), Box::new(value))
                } else {
                    let attribute = self.name("an attribute")?;
                    if attribute.text == "access" || attribute.text == "unchecked_access" {
                        return self.unsupported("access values");
                    }
                    let mut args = Vec::new();
                    // What follows these is an index.
                    let is_value = matches!(attribute.text.as_str(), "old" | "result");
                    if !is_value && self.take("(") {
                        args.push(self.expr()?);
                        while self.take(",") {
                            args.push(self.expr()?);
                        }
                        self.expect(")")?;
                    }
                    ExprKind::Attribute(Box::new(e), attribute, args)
                }
            } else {
                return Ok(e);
            };
            e = Expr { kind, span: self.since(start) };
        }
    }

    /// Whether a conditional or quantified expression comes in parentheses, which need not be doubled.
    pub(super) fn conditional_ahead(&self) -> bool {
        self.is("(") && matches!(self.ahead(1), Token::Key("if" | "case" | "for"))
    }

    /// What follows a parenthesis behind a name: arguments and indices, or the bounds of a slice.
    fn arguments(&mut self, of: Expr) -> R<ExprKind> {
        let mut out = Vec::new();
        loop {
            let name = match (self.peek(), self.ahead(1)) {
                (Token::Name(_), Token::Sign("=>")) => {
                    let name = self.name("a parameter")?;
                    self.advance();
                    Some(name)
                }
                _ => None,
            };
            let value = self.expr()?;
            if self.is("..") && out.is_empty() && name.is_none() {
                self.advance();
                let high = self.simple()?;
                self.expect(")")?;
                return Ok(ExprKind::Slice(Box::new(of), Box::new((value, high))));
            }
            out.push((name, value));
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(ExprKind::Apply(Box::new(of), out))
    }

    /// The value of a component in an aggregate.
    fn component(&mut self) -> R<Expr> {
        let start = self.span();
        if self.take("<>") {
            return Ok(Expr { kind: ExprKind::Default, span: start });
        }
        self.expr()
    }

    /// What begins with a parenthesis: an expression, a conditional or quantified one, or an aggregate.
    fn parenthesised(&mut self) -> R<Expr> {
        let start = self.span();
        self.expect("(")?;
        let kind = match self.peek() {
            Token::Key("if") => self.if_expression()?,
            Token::Key("case") => self.case_expression()?,
            Token::Key("for") => self.quantified()?,
            Token::Key("declare") => return self.unsupported("declare expressions"),
            Token::Key("others") => self.aggregate(Vec::new())?,
            _ => {
                let first = self.expr()?;
                if self.is_key("with") && *self.ahead(1) == Token::Key("delta") {
                    self.advance();
                    self.advance();
                    let ExprKind::Aggregate(parts) = self.aggregate(Vec::new())? else { unreachable!("an aggregate") };
                    self.expect(")")?;
                    return Ok(Expr { kind: ExprKind::Delta(Box::new(first), parts), span: self.since(start) });
                }
                if self.is_key("with") {
                    return self.unsupported("extension aggregates (object-oriented programming)");
                }
                if self.is(")") {
                    self.advance();
                    return Ok(Expr { kind: first.kind, span: self.since(start) });
                }
                let choice = if self.take("..") { Choice::Range(first, self.simple()?) } else { choice(first) };
                self.aggregate_from(choice)?
            }
        };
        self.expect(")")?;
        Ok(Expr { kind, span: self.since(start) })
    }

    fn if_expression(&mut self) -> R<ExprKind> {
        self.expect_key("if")?;
        let mut arms = Vec::new();
        loop {
            let cond = self.expr()?;
            self.expect_key("then")?;
            arms.push((cond, self.expr()?));
            if !self.take_key("elsif") {
                break;
            }
        }
        let otherwise = if self.take_key("else") { Some(Box::new(self.expr()?)) } else { None };
        Ok(ExprKind::If(arms, otherwise))
    }

    fn case_expression(&mut self) -> R<ExprKind> {
        self.expect_key("case")?;
        let of = self.expr()?;
        self.expect_key("is")?;
        let mut arms = Vec::new();
        loop {
            self.expect_key("when")?;
            let choices = self.choices()?;
            self.expect("=>")?;
            arms.push((choices, self.expr()?));
            if !self.take(",") {
                return Ok(ExprKind::Case(Box::new(of), arms));
            }
        }
    }

    fn quantified(&mut self) -> R<ExprKind> {
        self.expect_key("for")?;
        let all = self.take_key("all");
        if !all {
            self.expect_key("some")?;
        }
        let variable = self.name("a bound variable")?;
        let over = if self.take_key("of") {
            Indices::Elements(self.prefix()?)
        } else {
            self.expect_key("in")?;
            self.indices()?
        };
        self.expect("=>")?;
        Ok(ExprKind::Quantified(all, variable, Box::new(over), Box::new(self.expr()?)))
    }

    /// `a | b .. c | others`
    pub(super) fn choices(&mut self) -> R<Vec<Choice>> {
        let mut out = Vec::new();
        loop {
            if self.take_key("others") {
                out.push(Choice::Others);
            } else {
                let low = self.simple()?;
                out.push(if self.take("..") { Choice::Range(low, self.simple()?) } else { choice(low) });
            }
            if !self.take("|") {
                return Ok(out);
            }
        }
    }

    /// An aggregate whose first expression or choice has been read.
    fn aggregate_from(&mut self, first: Choice) -> R<ExprKind> {
        if self.is("=>") || self.is("|") {
            let mut choices = vec![first];
            if self.take("|") {
                choices.extend(self.choices()?);
            }
            self.expect("=>")?;
            let value = self.component()?;
            let parts = vec![(choices, value)];
            return if self.take(",") { self.aggregate(parts) } else { Ok(ExprKind::Aggregate(parts)) };
        }
        let Choice::Value(value) = first else { return self.expected("`=>`") };
        self.expect(",")?;
        self.aggregate(vec![(Vec::new(), value)])
    }

    fn aggregate(&mut self, mut parts: Vec<(Vec<Choice>, Expr)>) -> R<ExprKind> {
        loop {
            if self.take_key("others") {
                self.expect("=>")?;
                parts.push((vec![Choice::Others], self.component()?));
            } else {
                let first = self.expr()?;
                let range = self.take("..");
                if range || self.is("=>") || self.is("|") {
                    let mut choices = vec![if range { Choice::Range(first, self.simple()?) } else { choice(first) }];
                    if self.take("|") {
                        choices.extend(self.choices()?);
                    }
                    self.expect("=>")?;
                    parts.push((choices, self.component()?));
                } else {
                    parts.push((Vec::new(), first));
                }
            }
            if !self.take(",") {
                return Ok(ExprKind::Aggregate(parts));
            }
        }
    }
}

/// A choice: `A'Range` is what lies between `A'First` and `A'Last`.
fn choice(e: Expr) -> Choice {
    match e.kind {
        ExprKind::Attribute(of, name, args) if name.text == "range" => {
            let end = |which: &str| {
                let name = Name { text: which.to_owned(), span: name.span };
                Expr { kind: ExprKind::Attribute(of.clone(), name, args.clone()), span: e.span }
            };
            Choice::Range(end("first"), end("last"))
        }
        kind => Choice::Value(Expr { kind, ..e }),
    }
}

/// The name by which a character is known.
pub(crate) fn character(c: char) -> String {
    format!("'{c}'")
}

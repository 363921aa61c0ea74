//! Statements, pragmas among them, and annotations.

use super::decl::FLOW_PRAGMAS;
use super::{Parser, R};
use crate::lexer::Token;
use crate::syntax::*;
use base::Diagnostic;

impl Parser {
    /// Statements up to a keyword that ends them.
    pub(super) fn statements(&mut self) -> R<Vec<Stmt>> {
        let mut out = Vec::new();
        loop {
            match self.peek() {
                Token::Key("end" | "elsif" | "else" | "when") | Token::End => return Ok(out),
                Token::Key("exception") => return self.unsupported("exception handlers"),
                _ => {
                    let start = self.span();
                    if let Some(kind) = self.nest(Parser::statement)? {
                        out.push(Stmt { kind, span: self.since(start) });
                    }
                }
            }
        }
    }

    fn statement(&mut self) -> R<Option<StmtKind>> {
        if let (Token::Name(_), Token::Sign(":")) = (self.peek(), self.ahead(1)) {
            let name = self.name("a name")?;
            self.advance();
            return self.loop_or_block(Some(name)).map(Some);
        }
        let kind = match self.peek() {
            Token::Key("null") => {
                self.advance();
                StmtKind::Null
            }
            Token::Key("if") => return self.if_statement().map(Some),
            Token::Key("case") => return self.case_statement().map(Some),
            Token::Key("loop" | "while" | "for" | "declare" | "begin") => return self.loop_or_block(None).map(Some),
            Token::Key("exit") => {
                self.advance();
                let name = if let Token::Name(_) = self.peek() { Some(self.name("a loop")?) } else { None };
                let when = if self.take_key("when") { Some(self.expr()?) } else { None };
                StmtKind::Exit(name, when)
            }
            Token::Key("return") => {
                self.advance();
                if let (Token::Name(_), Token::Sign(":")) = (self.peek(), self.ahead(1)) {
                    return self.extended_return().map(Some);
                }
                StmtKind::Return(if self.is(";") { None } else { Some(self.expr()?) })
            }
            Token::Key("raise") => {
                self.advance();
                let name = self.dotted("an exception")?;
                if self.take_key("with") {
                    self.message()?;
                }
                StmtKind::Raise(name)
            }
            Token::Key("pragma") => return self.pragma(),
            Token::Annotation => self.annotation()?,
            Token::Name(_) => {
                let target = self.prefix()?;
                if self.take(":=") { StmtKind::Assign(target, self.expr()?) } else { StmtKind::Call(target) }
            }
            _ => return self.expected("a statement"),
        };
        self.expect(";")?;
        Ok(Some(kind))
    }

    /// `return R : T := e do … end return;` is a block that ends with `return R`.
    fn extended_return(&mut self) -> R<StmtKind> {
        let (start, mut items) = (self.span(), Vec::new());
        let name = self.name("a name")?;
        self.advance();
        self.take_key("constant");
        let ty = self.subtype()?;
        let value = if self.take(":=") { Some(self.expr()?) } else { None };
        items.push(Item::Object(Object { names: vec![name.clone()], constant: false, ty, value }));
        let mut body = Vec::new();
        if self.take_key("do") {
            body = self.statements()?;
            self.expect_key("end")?;
            self.expect_key("return")?;
        }
        self.expect(";")?;
        let result = Expr { kind: ExprKind::Name(name.text), span: name.span };
        body.push(Stmt { kind: StmtKind::Return(Some(result)), span: self.since(start) });
        Ok(StmtKind::Block(items, body))
    }

    /// The message of an exception or assertion, which must be a string as it stands: nobody computes it.
    fn message(&mut self) -> R<()> {
        match self.peek() {
            Token::Str(_) if matches!(self.ahead(1), Token::Sign(";" | ")")) => {
                self.advance();
                Ok(())
            }
            _ => self.no(self.span(), "a message that is computed"),
        }
    }

    fn if_statement(&mut self) -> R<StmtKind> {
        self.expect_key("if")?;
        let mut arms = Vec::new();
        loop {
            let cond = self.expr()?;
            self.expect_key("then")?;
            arms.push((cond, self.statements()?));
            if !self.take_key("elsif") {
                break;
            }
        }
        let otherwise = if self.take_key("else") { self.statements()? } else { Vec::new() };
        self.expect_key("end")?;
        self.expect_key("if")?;
        self.expect(";")?;
        Ok(StmtKind::If(arms, otherwise))
    }

    fn case_statement(&mut self) -> R<StmtKind> {
        self.expect_key("case")?;
        let of = self.expr()?;
        self.expect_key("is")?;
        let mut arms = Vec::new();
        while self.take_key("when") {
            let choices = self.choices()?;
            self.expect("=>")?;
            arms.push((choices, self.statements()?));
        }
        self.expect_key("end")?;
        self.expect_key("case")?;
        self.expect(";")?;
        Ok(StmtKind::Case(of, arms))
    }

    fn loop_or_block(&mut self, name: Option<Name>) -> R<StmtKind> {
        if self.is_key("declare") || self.is_key("begin") {
            let items = if self.take_key("declare") { self.items()? } else { Vec::new() };
            self.expect_key("begin")?;
            let statements = self.statements()?;
            self.end(name.as_ref())?;
            return Ok(StmtKind::Block(items, statements));
        }
        let scheme = if self.take_key("while") {
            Scheme::While(self.expr()?)
        } else if self.take_key("for") {
            let variable = self.name("a loop parameter")?;
            let elements = self.take_key("of");
            if !elements {
                self.expect_key("in")?;
            }
            let reverse = self.take_key("reverse");
            let over = if elements { Indices::Elements(self.prefix()?) } else { self.indices()? };
            Scheme::For(variable, reverse, over)
        } else {
            Scheme::Forever
        };
        self.expect_key("loop")?;
        let body = self.statements()?;
        self.expect_key("end")?;
        self.expect_key("loop")?;
        if let Token::Name(_) = self.peek() {
            self.advance();
        }
        self.expect(";")?;
        Ok(StmtKind::Loop(name, scheme, body))
    }

    fn pragma(&mut self) -> R<Option<StmtKind>> {
        self.expect_key("pragma")?;
        let name = self.name("the name of a pragma")?;
        let kind = match name.text.as_str() {
            "assert" | "assert_and_cut" => StmtKind::Assert("", self.pragma_condition()?),
            "loop_invariant" => StmtKind::Assert("loop invariant", self.pragma_condition()?),
            "check" => {
                self.expect("(")?;
                self.name("the kind of the check")?;
                self.expect(",")?;
                let cond = self.expr()?;
                if self.take(",") {
                    self.message()?;
                }
                self.expect(")")?;
                StmtKind::Assert("", cond)
            }
            "loop_variant" => StmtKind::Variant(self.variant()?),
            "assume" => StmtKind::Assume(self.pragma_condition()?),
            flow if FLOW_PRAGMAS.contains(&flow) => {
                self.skip_pragma()?;
                return Ok(None);
            }
            other => {
                let message = format!("pragma {other} is not in the subset of SPARK that is supported");
                return Err(Diagnostic::error("unsupported", name.span, message));
            }
        };
        self.expect(";")?;
        Ok(Some(kind))
    }

    fn pragma_condition(&mut self) -> R<Expr> {
        if self.conditional_ahead() {
            return self.primary();
        }
        self.expect("(")?;
        if let (Token::Name(word), Token::Sign("=>")) = (self.peek(), self.ahead(1))
            && word == "check"
        {
            self.advance();
            self.advance();
        }
        let cond = self.expr()?;
        if self.take(",") {
            if let (Token::Name(_), Token::Sign("=>")) = (self.peek(), self.ahead(1)) {
                self.advance();
                self.advance();
            }
            self.message()?;
        }
        self.expect(")")?;
        Ok(cond)
    }

    /// `(Increases => a, Decreases => b)`
    fn variant(&mut self) -> R<Vec<(bool, Expr)>> {
        let mut out = Vec::new();
        self.expect("(")?;
        loop {
            let word = self.name("`Increases` or `Decreases`")?;
            let increases = match word.text.as_str() {
                "increases" => true,
                "decreases" => false,
                _ => return self.no(word.span, &format!("the loop variant `{}`", word.text)),
            };
            self.expect("=>")?;
            out.push((increases, self.expr()?));
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(out)
    }

    fn annotation(&mut self) -> R<StmtKind> {
        self.advance();
        let word = self.name("`assert`, `assume` or `predicate`")?;
        Ok(match word.text.as_str() {
            "assert" => StmtKind::Assert("", self.expr()?),
            "assume" => StmtKind::Assume(self.expr()?),
            "predicate" => StmtKind::Predicate(self.expr()?),
            other => {
                let message = format!("`--% {other}` has no meaning; there are assert, assume and predicate");
                return Err(Diagnostic::error("annotation", word.span, message));
            }
        })
    }
}

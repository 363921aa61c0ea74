//! Text to tree: the grammar of TR00 fig 2 together with the forms that fig 1 uses and fig 2 lacks: `void` before a
//! procedure, declarations with a value and a label among statements, branches without braces or without `else`, `T` and
//! `F`, `...` for `skip`, calls without a `skip` behind them, and statements without a label.
//!
//! The parser stops at the first mistake: programs in X are a page long.

use crate::lexer::{Token, lex};
use crate::syntax::*;
use base::{Diagnostic, FileId, Span};

type R<T> = Result<T, Diagnostic>;

/// Statements and expressions may nest this deep.
const MAX_DEPTH: usize = 200;

/// Reads a program.
pub fn parse(file: FileId, text: &str) -> R<Program> {
    let mut p = Parser { tokens: lex(file, text)?, at: 0, depth: 0 };
    let mut program = Program::default();
    while *p.peek() != Token::End {
        p.item(&mut program)?;
    }
    Ok(program)
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn ahead(&self, n: usize) -> &Token {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn take(&mut self, sign: &'static str) -> bool {
        let found = *self.peek() == Token::Sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(w) if w == word);
        if found {
            self.advance();
        }
        found
    }

    fn expected<T>(&self, what: &str) -> R<T> {
        let found = match self.peek() {
            Token::Word(w) => format!("`{w}`"),
            Token::Number(n) => format!("`{n}`"),
            Token::Sign(s) => format!("`{s}`"),
            Token::End => "the end of the text".to_owned(),
        };
        Err(Diagnostic::error("syntax", self.span(), format!("expected {what}, found {found}")))
    }

    fn expect(&mut self, sign: &'static str) -> R<()> {
        if self.take(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    fn name(&mut self, what: &str) -> R<Name> {
        match self.peek() {
            Token::Word(w) if !is_keyword(w) => {
                let name = Name { text: w.clone(), span: self.span() };
                self.advance();
                Ok(name)
            }
            _ => self.expected(what),
        }
    }

    fn nest<T>(&mut self, inner: impl FnOnce(&mut Parser) -> R<T>) -> R<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Diagnostic::error("limit", self.span(), format!("this nests more than {MAX_DEPTH} deep")));
        }
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn item(&mut self, program: &mut Program) -> R<()> {
        if self.take_word("enum") {
            let name = self.name("the name of the enumeration")?;
            self.expect("{")?;
            let mut values = vec![self.name("a value of the enumeration")?];
            while self.take(",") {
                values.push(self.name("a value of the enumeration")?);
            }
            self.expect("}")?;
            self.take(";");
            program.enums.push(Enum { name, values });
            return Ok(());
        }
        let void = self.take_word("void");
        if void || *self.ahead(1) == Token::Sign("(") {
            program.procs.push(self.procedure()?);
            return Ok(());
        }
        program.globals.extend(self.declaration()?);
        self.expect(";")
    }

    /// `a, b : type`, without what follows.
    fn declaration(&mut self) -> R<Vec<Decl>> {
        let mut names = vec![self.name("a declaration or a procedure")?];
        while self.take(",") {
            names.push(self.name("the name of a variable")?);
        }
        self.expect(":")?;
        let ty = self.name("the name of a type")?;
        Ok(names.into_iter().map(|name| Decl { name, ty: ty.clone() }).collect())
    }

    fn procedure(&mut self) -> R<Proc> {
        let name = self.name("the name of a procedure")?;
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.take(")") {
            params.extend(self.declaration()?);
            // Fig 2 ends each declaration with a semicolon, also the last one.
            if !self.take(";") && !self.take(",") && *self.peek() != Token::Sign(")") {
                return self.expected("`;` or `)`");
            }
        }
        self.expect("{")?;
        let mut locals = Vec::new();
        let body = self.statements(Some(&mut locals))?;
        self.expect("}")?;
        Ok(Proc { name, params, locals, body })
    }

    /// Statements up to a closing brace. Declarations may stand among those of a procedure's own block.
    fn statements(&mut self, mut locals: Option<&mut Vec<Decl>>) -> R<Vec<Stmt>> {
        let mut out = Vec::new();
        while !matches!(self.peek(), Token::Sign("}") | Token::End) {
            self.statement(&mut out, locals.as_deref_mut())?;
        }
        Ok(out)
    }

    fn label(&mut self) -> R<Option<Name>> {
        if !self.take("[") {
            return Ok(None);
        }
        let span = self.span();
        let text = match self.peek() {
            Token::Word(w) => w.clone(),
            Token::Number(n) => n.to_string(),
            _ => return self.expected("a label"),
        };
        self.advance();
        self.expect("]")?;
        Ok(Some(Name { text, span }))
    }

    fn statement(&mut self, out: &mut Vec<Stmt>, locals: Option<&mut Vec<Decl>>) -> R<()> {
        let label = self.label()?;
        let start = self.span();
        if self.declares() {
            let Some(locals) = locals else {
                return Err(Diagnostic::error(
                    "syntax",
                    start,
                    "variables are declared at the beginning of a procedure",
                ));
            };
            let declared = self.declaration()?;
            if self.take(":=") {
                let values = self.expressions()?;
                let names = declared.iter().map(|d| d.name.clone()).collect();
                let span = start.to(self.last());
                out.push(Stmt { label, kind: StmtKind::Assign(names, values), span });
            } else if label.is_some() {
                out.push(Stmt { label, kind: StmtKind::Skip, span: start.to(self.last()) });
            }
            locals.extend(declared);
            return self.expect(";");
        }
        let kind = self.nest(Parser::command)?;
        out.push(Stmt { label, kind, span: start.to(self.last()) });
        Ok(())
    }

    /// Whether what comes is `a, b : …`.
    fn declares(&self) -> bool {
        let mut n = 0;
        while matches!(self.ahead(n), Token::Word(w) if !is_keyword(w)) {
            match self.ahead(n + 1) {
                Token::Sign(":") => return true,
                Token::Sign(",") => n += 2,
                _ => return false,
            }
        }
        false
    }

    fn command(&mut self) -> R<StmtKind> {
        if self.take_word("if") {
            let cond = self.condition()?;
            let yes = self.branch()?;
            let no = if self.take_word("else") { self.branch()? } else { Vec::new() };
            self.take(";");
            return Ok(StmtKind::If(cond, yes, no));
        }
        if self.take_word("while") {
            let cond = self.condition()?;
            let body = self.branch()?;
            self.take(";");
            return Ok(StmtKind::While(cond, body));
        }
        let kind = self.simple()?;
        // Fig 2 separates statements, fig 1 ends them.
        if !self.take(";") && !matches!(self.peek(), Token::Sign("}")) && !self.peek_else() {
            return self.expected("`;`");
        }
        Ok(kind)
    }

    fn peek_else(&self) -> bool {
        matches!(self.peek(), Token::Word(w) if w == "else")
    }

    fn simple(&mut self) -> R<StmtKind> {
        if self.take_word("skip") || self.take("...") {
            return Ok(StmtKind::Skip);
        }
        if self.take_word("return") {
            return Ok(StmtKind::Return);
        }
        if self.take_word("assert") {
            return Ok(StmtKind::Assert(self.condition()?));
        }
        if self.take_word("assume") {
            return Ok(StmtKind::Assume(self.condition()?));
        }
        let first = self.name("a statement")?;
        if self.take("(") {
            let args = if *self.peek() == Token::Sign(")") { Vec::new() } else { self.expressions()? };
            self.expect(")")?;
            return Ok(StmtKind::Call(first, args));
        }
        let mut names = vec![first];
        while self.take(",") {
            names.push(self.name("the name of a variable")?);
        }
        self.expect(":=")?;
        Ok(StmtKind::Assign(names, self.expressions()?))
    }

    /// A block, or one statement with its label.
    fn branch(&mut self) -> R<Vec<Stmt>> {
        if self.take("{") {
            let body = self.statements(None)?;
            self.expect("}")?;
            return Ok(body);
        }
        let mut out = Vec::new();
        self.statement(&mut out, None)?;
        Ok(out)
    }

    fn condition(&mut self) -> R<Expr> {
        self.expect("(")?;
        let e = self.expr(0)?;
        self.expect(")")?;
        Ok(e)
    }

    fn expressions(&mut self) -> R<Vec<Expr>> {
        let mut out = vec![self.expr(0)?];
        while self.take(",") {
            out.push(self.expr(0)?);
        }
        Ok(out)
    }

    /// An expression whose operators bind at least as tightly as `level`. Comparisons do not chain.
    fn expr(&mut self, level: u8) -> R<Expr> {
        self.nest(|p| {
            let mut left = p.unary()?;
            while let Some(op) = p.operator().filter(|op| op.level() >= level) {
                p.advance();
                let right = p.expr(op.level() + 1)?;
                let span = left.span.to(right.span);
                left = Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), span);
                if op.level() == 2 && p.operator().is_some_and(|next| next.level() == 2) {
                    return p.expected("an operand that is no comparison (comparisons do not chain)");
                }
            }
            Ok(left)
        })
    }

    fn operator(&self) -> Option<Op> {
        let Token::Sign(sign) = self.peek() else { return None };
        let all = [Op::Or, Op::And, Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Add, Op::Sub, Op::Mul];
        all.into_iter().chain([Op::Div, Op::Rem]).find(|op| op.text() == *sign)
    }

    fn unary(&mut self) -> R<Expr> {
        let start = self.span();
        if self.take("!") {
            let e = self.nest(Parser::unary)?;
            return Ok(Expr::new(ExprKind::Not(Box::new(e)), start.to(self.last())));
        }
        if self.take("-") {
            let e = self.nest(Parser::unary)?;
            return Ok(Expr::new(ExprKind::Neg(Box::new(e)), start.to(self.last())));
        }
        if self.take("(") {
            let e = self.expr(0)?;
            self.expect(")")?;
            return Ok(Expr::new(e.kind, start.to(self.last())));
        }
        if self.take("?") {
            return Ok(Expr::new(ExprKind::Unknown, start));
        }
        let kind = match self.peek() {
            Token::Number(n) => ExprKind::Int(*n),
            Token::Word(w) if w == "true" => ExprKind::Bool(true),
            Token::Word(w) if w == "false" => ExprKind::Bool(false),
            Token::Word(w) if !is_keyword(w) => ExprKind::Name(w.clone()),
            _ => return self.expected("an expression"),
        };
        self.advance();
        Ok(Expr::new(kind, start))
    }
}

fn is_keyword(word: &str) -> bool {
    ["if", "else", "while", "assert", "assume", "skip", "return", "void", "enum", "true", "false"].contains(&word)
}

//! Expressions, in both precedences.

use super::super::lexer::Tok;
use super::{Dialect, ExprKind, ExprText, Name, Parse, Parser};

fn binary(make: fn(Box<ExprText>, Box<ExprText>) -> ExprKind, a: ExprText, b: ExprText) -> ExprText {
    let span = a.span.to(b.span);
    ExprText { kind: make(Box::new(a), Box::new(b)), span }
}

/// Joins a chain of operands of one operator.
fn chain(mut parts: Vec<ExprText>, and: bool) -> ExprText {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let (first, last) = (parts[0].span, parts[parts.len() - 1].span);
    ExprText { kind: if and { ExprKind::And(parts) } else { ExprKind::Or(parts) }, span: first.to(last) }
}

/// Tighter levels have higher numbers; `Unary` is the operand.
#[derive(Clone, Copy, PartialEq)]
enum Level {
    Or,
    Xor,
    And,
    Eq,
    Unary,
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parse<ExprText> {
        self.nested(|p| {
            let first = p.unary()?;
            p.expr_after(first)
        })
    }

    /// The rest of an expression whose first operand has been read.
    fn expr_after(&mut self, first: ExprText) -> Parse<ExprText> {
        let cond = self.lowest(first)?;
        if !self.eat(&Tok::Question)? {
            return Ok(cond);
        }
        let yes = self.expr()?;
        self.expect(&Tok::Colon)?;
        let no = self.expr()?;
        let span = cond.span.to(no.span);
        Ok(ExprText { kind: ExprKind::Ite(Box::new(cond), Box::new(yes), Box::new(no)), span })
    }

    fn lowest(&mut self, first: ExprText) -> Parse<ExprText> {
        let (left, equality) = match self.dialect {
            Dialect::Bebop => (self.level(Level::Or, first)?, false),
            Dialect::Boppo => (self.level(Level::Xor, first)?, true),
        };
        let make: fn(Box<ExprText>, Box<ExprText>) -> ExprKind = match self.tok {
            Tok::Implies => ExprKind::Implies,
            Tok::Eq | Tok::SingleEq if equality => ExprKind::Eq,
            Tok::Ne if equality => ExprKind::Xor,
            _ => return Ok(left),
        };
        self.advance()?;
        let right = self.nested(|p| {
            let first = p.unary()?;
            p.lowest(first)
        })?;
        Ok(binary(make, left, right))
    }

    fn tighter(&self, level: Level) -> Level {
        match (self.dialect, level) {
            (Dialect::Bebop, Level::Or) => Level::Xor,
            (Dialect::Bebop, Level::Xor) => Level::And,
            (Dialect::Bebop, Level::And) => Level::Eq,
            (Dialect::Boppo, Level::Xor) => Level::Or,
            (Dialect::Boppo, Level::Or) => Level::And,
            (_, Level::And | Level::Eq | Level::Unary) => Level::Unary,
        }
    }

    fn level(&mut self, level: Level, first: ExprText) -> Parse<ExprText> {
        if level == Level::Unary {
            return Ok(first);
        }
        let tighter = self.tighter(level);
        let mut left = self.level(tighter, first)?;
        match level {
            Level::Or | Level::And => {
                let op = if level == Level::Or { Tok::Or } else { Tok::And };
                let mut parts = vec![left];
                while self.eat(&op)? {
                    let first = self.unary()?;
                    parts.push(self.level(tighter, first)?);
                }
                Ok(chain(parts, level == Level::And))
            }
            Level::Xor => {
                let mut height = 0;
                while self.eat(&Tok::Xor)? {
                    height = self.limit_chain(height)?;
                    let first = self.unary()?;
                    let right = self.level(tighter, first)?;
                    left = binary(ExprKind::Xor, left, right);
                }
                Ok(left)
            }
            Level::Eq => {
                let mut height = 0;
                loop {
                    let make = match self.tok {
                        Tok::Eq | Tok::SingleEq => ExprKind::Eq,
                        Tok::Ne => ExprKind::Xor,
                        _ => return Ok(left),
                    };
                    height = self.limit_chain(height)?;
                    self.advance()?;
                    let right = self.unary()?;
                    left = binary(make, left, right);
                }
            }
            Level::Unary => Ok(left),
        }
    }

    /// A chain of `=` or `^` is a tree as high as it is long: it has the same limit as nesting.
    fn limit_chain(&self, height: usize) -> Parse<usize> {
        if height + self.depth >= super::MAX_DEPTH {
            return self.error(format!("nested deeper than {} levels", super::MAX_DEPTH));
        }
        Ok(height + 1)
    }

    fn unary(&mut self) -> Parse<ExprText> {
        let start = self.span;
        if self.eat(&Tok::Not)? {
            let e = self.nested(Self::unary)?;
            let span = start.to(e.span);
            return Ok(ExprText { kind: ExprKind::Not(Box::new(e)), span });
        }
        self.primary()
    }

    fn primary(&mut self) -> Parse<ExprText> {
        let span = self.span;
        match self.tok.clone() {
            Tok::Open => {
                self.advance()?;
                let e = self.expr()?;
                self.expect(&Tok::Close)?;
                Ok(ExprText { kind: e.kind, span: span.to(self.last) })
            }
            Tok::Star | Tok::Question => {
                self.advance()?;
                Ok(ExprText { kind: ExprKind::Nondet, span })
            }
            Tok::Num(n) if n == "0" || n == "1" => {
                self.advance()?;
                Ok(ExprText { kind: ExprKind::Const(n == "1"), span })
            }
            Tok::Quote => {
                self.advance()?;
                let name = self.name()?;
                Ok(ExprText { kind: ExprKind::Next(name.text), span: span.to(name.span) })
            }
            Tok::Id(word) => self.word(&word),
            Tok::OpenBrace => {
                let name = self.name()?;
                self.operand(name)
            }
            _ => self.expected("an expression"),
        }
    }

    fn word(&mut self, word: &str) -> Parse<ExprText> {
        let span = self.span;
        let constant = match word {
            "T" | "true" => Some(true),
            "F" | "false" => Some(false),
            _ => None,
        };
        if let Some(b) = constant {
            self.advance()?;
            return Ok(ExprText { kind: ExprKind::Const(b), span });
        }
        let reserved = ["then", "do", "od", "fi", "end", "else", "elsif", "begin", "decl", "constrain", "if", "while"];
        if reserved.contains(&word) {
            return self.expected("an expression");
        }
        let name = self.name()?;
        if matches!(word, "schoose" | "choose") && self.eat(&Tok::OpenBracket)? {
            let args = self.comma_list(Self::expr)?;
            self.expect(&Tok::CloseBracket)?;
            return self.choose(&name, args);
        }
        if self.tok == Tok::Open {
            return self.call_expr(name);
        }
        self.operand(name)
    }

    fn operand(&mut self, name: Name) -> Parse<ExprText> {
        // SABS13 writes the next state as `x'`: the quote touches the name.
        if self.tok == Tok::Quote && self.span.lo == name.span.hi {
            self.advance()?;
            return Ok(ExprText { kind: ExprKind::Next(name.text), span: name.span.to(self.last) });
        }
        Ok(ExprText { kind: ExprKind::Name(name.text), span: name.span })
    }

    /// `name(…)` in an expression, `(` being the current token.
    fn call_expr(&mut self, name: Name) -> Parse<ExprText> {
        let args = self.args()?;
        let span = name.span.to(self.last);
        match name.text.as_str() {
            "unknown" if args.is_empty() => Ok(ExprText { kind: ExprKind::Nondet, span }),
            "choose" | "schoose" => self.choose(&name, args),
            _ => Ok(ExprText { kind: ExprKind::Call(name, args), span }),
        }
    }

    fn choose(&mut self, name: &Name, mut args: Vec<ExprText>) -> Parse<ExprText> {
        if args.len() != 2 {
            let found = args.len();
            let message = format!("`{}` takes 2 expressions, found {found}", name.text);
            return Err(base::Diagnostic::error("syntax", name.span.to(self.last), message));
        }
        let (n, p) = (args.remove(1), args.remove(0));
        let span = name.span.to(self.last);
        Ok(ExprText { kind: ExprKind::Choose(Box::new(p), Box::new(n)), span })
    }
}

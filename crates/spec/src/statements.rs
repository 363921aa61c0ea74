//! Statements of a rule, and the words of its expressions.
//!
//! ```text
//! block     = "{" { statement } "}"
//! statement = ";"  |  block  |  "if" "(" expression ")" statement [ "else" statement ]
//!           | "abort" TEXT… ";"  |  "halt" ";"
//!           | name ("=" | "+=" | …) expression ";"  |  name ("++" | "--") ";"  |  ("++" | "--") name ";"
//! ```
//!
//! Where an expression ends is found by its brackets; what it means is found when the program is there
//! ([`crate::compile`]).

use crate::lexer::{Kind, Word};
use crate::parse::{Parser, R};
use crate::syntax::*;

/// How deeply statements nest.
const MAX_DEPTH: usize = 100;

/// Assignments and the operators in them.
const ASSIGNMENTS: [(&str, &str); 11] = [
    ("=", ""),
    ("+=", "+"),
    ("-=", "-"),
    ("*=", "*"),
    ("/=", "/"),
    ("%=", "%"),
    ("&=", "&"),
    ("|=", "|"),
    ("^=", "^"),
    ("<<=", "<<"),
    (">>=", ">>"),
];

impl Parser {
    pub(crate) fn block(&mut self) -> R<Vec<Statement>> {
        if !self.word().is("{") {
            return self.expected("`{` and what the rule does");
        }
        let mut body = Vec::new();
        self.statement(&mut body, 0)?;
        Ok(body)
    }

    /// Blocks are only brackets: what stands in them is put to what stands around them.
    fn statement(&mut self, body: &mut Vec<Statement>, depth: usize) -> R<()> {
        let start = self.word().clone();
        if depth > MAX_DEPTH {
            return self.error(start.span, "nested too deeply");
        }
        if self.take(";") {
            return Ok(());
        }
        if self.take("{") {
            while !self.take("}") {
                if self.word().kind == Kind::End {
                    return self.error(start.span, "this `{` has no `}`");
                }
                self.statement(body, depth + 1)?;
            }
            return Ok(());
        }
        let kind = match start.text.as_str() {
            "if" => self.condition(depth)?,
            "abort" => self.abort()?,
            "halt" => {
                self.next();
                self.expect(";", "behind `halt`")?;
                StatementKind::Halt
            }
            "else" => return self.error(start.span, "this `else` has no `if`"),
            "while" | "for" | "do" | "goto" | "switch" | "return" => {
                let message =
                    format!("`{}` is no statement of a rule: it has `if`, assignments, `abort` and `halt`", start.text);
                return self.error(start.span, message);
            }
            _ => self.assignment()?,
        };
        let end = self.last().span;
        body.push(Statement { kind, span: start.span.to(end) });
        Ok(())
    }

    fn condition(&mut self, depth: usize) -> R<StatementKind> {
        self.next();
        self.expect("(", "behind `if`")?;
        let condition = self.expression(&[")"], "a condition")?;
        self.expect(")", "behind the condition")?;
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        self.statement(&mut then, depth + 1)?;
        if self.take("else") {
            self.statement(&mut otherwise, depth + 1)?;
        }
        Ok(StatementKind::If { condition, then, otherwise })
    }

    fn abort(&mut self) -> R<StatementKind> {
        self.next();
        let message = self.text("a message in double quotes behind `abort`")?;
        self.expect(";", "behind the message")?;
        Ok(StatementKind::Abort(message))
    }

    fn assignment(&mut self) -> R<StatementKind> {
        let stepped = ["++", "--"].iter().find(|s| self.word().is(s)).copied();
        if stepped.is_some() {
            self.next();
        }
        if self.word().text.starts_with('$') || self.word().is("*") {
            return self.error(self.word().span, "a rule changes its own state only, nothing of the program");
        }
        let name = self.name("a statement")?;
        if self.word().is("(") {
            let message = format!("a rule calls no functions (`{}`)", name.text);
            return self.error(name.span, message);
        }
        self.changes(&name)?;
        let sign = self.word().clone();
        let step = stepped.or_else(|| ["++", "--"].iter().find(|s| sign.is(s)).copied());
        if let Some(step) = step {
            if stepped.is_none() {
                self.next();
            }
            self.expect(";", "behind the statement")?;
            return Ok(StatementKind::Assign { name: name.text, operator: step[..1].to_owned(), value: None });
        }
        let Some((_, operator)) = ASSIGNMENTS.iter().find(|(s, _)| sign.is(s)) else {
            return self.expected("`=` or another assignment");
        };
        self.next();
        let value = self.expression(&[";"], "a value")?;
        self.expect(";", "behind the value")?;
        Ok(StatementKind::Assign { name: name.text, operator: (*operator).to_owned(), value: Some(value) })
    }

    /// Only what the state declares can be changed.
    fn changes(&self, name: &Word) -> R<()> {
        if self.rule.state.iter().any(|d| d.name == name.text) {
            return Ok(());
        }
        let message = match self.rule.watches.iter().any(|w| w.name == name.text) {
            true => format!("`{}` is the watched object, which the rule does not choose itself", name.text),
            false => format!("`{}` is no variable of the rule's state, which stands before the events", name.text),
        };
        self.error(name.span, message)
    }

    /// An expression up to one of these words outside of all brackets.
    pub(crate) fn expression(&mut self, ends: &[&str], what: &str) -> R<Text> {
        let first = self.word().clone();
        let (mut words, mut last, mut open) = (Vec::new(), first.span, Vec::new());
        loop {
            let word = self.word().clone();
            if open.is_empty() && ends.iter().any(|e| word.is(e)) {
                break;
            }
            match (word.kind, word.text.as_str()) {
                (Kind::End, _) | (Kind::Sign, "{" | "}" | ";") => return self.expected(&format!("the rest of {what}")),
                (Kind::Text, _) => return self.error(word.span, "texts have no meaning in expressions"),
                (Kind::Sign, "=") => return self.error(word.span, "`=` assigns; `==` compares"),
                (Kind::Sign, "++" | "--") => return self.error(word.span, "an expression changes nothing"),
                (Kind::Sign, s) if s.len() > 1 && ASSIGNMENTS.iter().any(|(a, _)| *a == s) => {
                    return self.error(word.span, "an expression changes nothing");
                }
                (Kind::Sign, "(" | "[") => open.push(word.text.clone()),
                (Kind::Sign, sign @ (")" | "]")) => {
                    let fits = if sign == ")" { "(" } else { "[" };
                    if open.pop().as_deref() != Some(fits) {
                        return self.error(word.span, format!("this `{sign}` closes nothing"));
                    }
                }
                _ => {}
            }
            last = word.span;
            words.push(word.text);
            self.next();
        }
        if words.is_empty() {
            return self.expected(what);
        }
        Ok(Text { words: words.join(" "), span: first.span.to(last) })
    }
}

//! Predicate files: C expressions with scopes, as the papers print them.
//!
//! ```text
//! // A section is headed by a function's name or `global`; braces are allowed, as in PLDI01.
//! global: lock > 0, x == 0
//! main:   i < n; sum = 'sum + i      // `=` is `==`; 'sum is the value at entry
//! inc { x = 'x, x = 'x + 1 }
//! ```
//!
//! - Predicates are separated by `,`, `;` or line ends; inside parentheses and behind an operator a line end is a blank.
//! - A predicate is a C expression over scalar variables with C's promotions, conversions, literals and casts to integer
//!   types and `void *`. Names are those of the program as IR prints them (`x.2` is the second `x` of a function,
//!   `$result` a function's result, `f.x` the static `x` of `f`); `@x` is the global if a local hides it; other names
//!   stand in backquotes.
//! - `'x` is the value that the parameter or global `x` had when the function was entered (TOPLAS05 §4).
//! - Comments are C's.

mod ctype;
mod expr;
mod lexer;
mod operand;
mod path;
mod print;
mod print_memory;
#[cfg(test)]
mod tests;
mod types;
mod value;

pub use print::show;

use base::{Diagnostic, FileId, Span};
use expr::ExprParser;
use ir::Program;
use lexer::{Tok, Token, lex};
use vc::{Predicate, Predicates, Scope, canonical};

/// What a predicate file says.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The predicates in canonical form, each once, in order.
    pub predicates: Vec<Predicate>,
    /// What is wrong with the file: errors for predicates that cannot be used, warnings for those that say nothing.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a pointer plus an integer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// So many elements further on.
    Exact,
    /// The same pointer: PLDI01's logical memory, for programs that were lowered in the same way.
    Ignored,
}

/// Reads a predicate file. A predicate with an error is left out; reading goes on behind it.
pub fn parse(program: &Program, file: FileId, text: &str) -> Parsed {
    parse_with(program, file, text, Arithmetic::Exact)
}

/// As [`parse`], with another meaning of sums with pointers.
pub fn parse_with(program: &Program, file: FileId, text: &str, arithmetic: Arithmetic) -> Parsed {
    let mut parsed = Parsed::default();
    match lex(file, text) {
        Ok(tokens) => Reader { program, arithmetic, tokens: &tokens, pos: 0, scope: None, parsed: &mut parsed }.file(),
        Err(diagnostic) => parsed.diagnostics.push(diagnostic),
    }
    parsed
}

/// Reads one predicate.
pub fn parse_predicate(program: &Program, scope: Scope, file: FileId, text: &str) -> Result<Predicate, Diagnostic> {
    let tokens = lex(file, text)?;
    let mut parser = ExprParser::new(program, Arithmetic::Exact, scope, &tokens, 0);
    let expr = parser.predicate().map_err(|d| *d)?;
    match tokens[parser.pos].tok {
        Tok::End => Ok(Predicate { scope, expr: canonical(&expr).0 }),
        _ => Err(Diagnostic::error("syntax", parser.span(), "a predicate ends here, but its text does not")),
    }
}

/// The predicates as a file that [`parse`] reads back.
pub fn print(program: &Program, predicates: &Predicates) -> String {
    let mut out = String::new();
    let scopes = std::iter::once(Scope::Global).chain(program.functions.ids().map(Scope::Function));
    for scope in scopes {
        let own: Vec<&Predicate> = predicates.ids().map(|id| predicates.get(id)).filter(|p| p.scope == scope).collect();
        if own.is_empty() {
            continue;
        }
        let (head, func) = match scope {
            Scope::Global => ("global".to_owned(), program.entry),
            Scope::Function(f) => (show_name(&program.functions[f].name), f),
        };
        out.push_str(&format!("{head}:\n"));
        for p in own {
            // A global predicate sees no locals that could hide a global: `@` is not needed, and allowed.
            // What asks about objects has no spelling in C: a comment, so that the rest reads back.
            let comment = if asks(&p.expr) { "// " } else { "" };
            out.push_str(&format!("  {comment}{}\n", show(program, func, &p.expr)));
        }
    }
    out
}

/// Whether a predicate asks about a pointer's object.
fn asks(expr: &ir::Expr) -> bool {
    struct Asks(bool);
    impl ir::walk::Visitor for Asks {
        fn expr(&mut self, e: &ir::Expr) {
            self.0 |= matches!(e.kind, ir::ExprKind::Ask(..));
        }
    }
    let mut asks = Asks(false);
    ir::walk::walk_expr(expr, &mut asks);
    asks.0
}

/// Whether a predicate over memory has a formula: it may only speak of memory that the program itself accesses.
fn meaning(program: &Program, scope: Scope, expr: &ir::Expr) -> Result<(), vc::Unmodelled> {
    struct Memory(bool);
    impl ir::walk::Visitor for Memory {
        fn read(&mut self, place: &ir::Place) {
            self.0 |= place.as_var().is_none();
        }
        fn expr(&mut self, e: &ir::Expr) {
            self.0 |= matches!(e.kind, ir::ExprKind::Addr(_));
        }
    }
    let mut memory = Memory(false);
    ir::walk::walk_expr(expr, &mut memory);
    if !memory.0 {
        return Ok(());
    }
    let func = match scope {
        Scope::Global => program.entry,
        Scope::Function(f) => f,
    };
    let analysis = analysis::Analysis::new(program);
    let mut enc = vc::Encoder::for_proof(&analysis);
    let state = enc.arbitrary(func);
    enc.eval(&state, expr).map(|_| ())
}

/// A name as a predicate file writes it.
fn show_name(name: &str) -> String {
    if lexer::is_plain(name) && !types::begins_type(name) && !["NULL", "global"].contains(&name) {
        return name.to_owned();
    }
    let escaped: String =
        name.chars().flat_map(|c| matches!(c, '`' | '\\').then_some('\\').into_iter().chain([c])).collect();
    format!("`{escaped}`")
}

struct Reader<'a> {
    program: &'a Program,
    arithmetic: Arithmetic,
    tokens: &'a [Token],
    pos: usize,
    /// `None` before the first header, or behind one that is wrong (which was reported).
    scope: Option<Result<Scope, ()>>,
    parsed: &'a mut Parsed,
}

impl Reader<'_> {
    fn tok(&self, ahead: usize) -> &Tok {
        &self.tokens[(self.pos + ahead).min(self.tokens.len() - 1)].tok
    }

    fn span(&self) -> Span {
        self.tokens[self.pos].span
    }

    fn error(&mut self, id: &'static str, span: Span, message: impl Into<String>) {
        self.parsed.diagnostics.push(Diagnostic::error(id, span, message));
    }

    fn file(&mut self) {
        loop {
            match self.tok(0) {
                Tok::End => return,
                Tok::Newline | Tok::Sign("," | ";" | "}") => self.pos += 1,
                Tok::Name(_) if matches!(self.tok(1), Tok::Sign(":" | "{")) => self.header(),
                _ => self.predicate(),
            }
        }
    }

    fn header(&mut self) {
        let Tok::Name(name) = self.tok(0).clone() else { unreachable!("a header begins with a name") };
        let span = self.span();
        self.pos += 2;
        let quoted = self.tokens[self.pos - 2].span.hi - self.tokens[self.pos - 2].span.lo != name.len() as u32;
        self.scope = Some(match self.program.function(&name) {
            _ if name == "global" && !quoted => Ok(Scope::Global),
            Some(f) if self.program.functions[f].body.is_some() => Ok(Scope::Function(f)),
            Some(_) => {
                self.error("undefined", span, format!("`{name}` has no body that predicates could speak about"));
                Err(())
            }
            None => {
                self.error("undeclared", span, format!("there is no function `{name}`"));
                Err(())
            }
        });
    }

    fn predicate(&mut self) {
        let start = self.span();
        let scope = match self.scope {
            Some(Ok(scope)) => scope,
            Some(Err(())) => return self.recover(),
            None => {
                self.error(
                    "syntax",
                    start,
                    "a predicate needs a scope before it: `global:` or a function's name and `:`",
                );
                self.scope = Some(Err(()));
                return self.recover();
            }
        };
        let mut parser = ExprParser::new(self.program, self.arithmetic, scope, self.tokens, self.pos);
        let result = parser.predicate();
        self.pos = parser.pos;
        let ends = matches!(self.tok(0), Tok::End | Tok::Newline | Tok::Sign("," | ";" | "}"));
        match result {
            Ok(expr) if ends => self.add(scope, &expr, start),
            Ok(_) => {
                let span = self.span();
                self.error("syntax", span, "expected an operator, or `,`, `;` or a new line behind the predicate");
                self.recover();
            }
            Err(diagnostic) => {
                self.parsed.diagnostics.push(*diagnostic);
                self.recover();
            }
        }
    }

    fn add(&mut self, scope: Scope, expr: &ir::Expr, start: Span) {
        let (expr, sign) = canonical(expr);
        let end = self.tokens[self.pos.saturating_sub(1)].span;
        if expr.as_const().is_some() {
            let message = format!("the predicate is always {sign}");
            self.parsed.diagnostics.push(Diagnostic::warning("constant", start.to(end), message));
            return;
        }
        if let Err(what) = meaning(self.program, scope, &expr) {
            let message = format!("the predicate has no meaning in formulas: {}", what.0);
            self.error("memory", start.to(end), message);
            return;
        }
        let predicate = Predicate { scope, expr };
        if !self.parsed.predicates.contains(&predicate) {
            self.parsed.predicates.push(predicate);
        }
    }

    /// Goes to the end of a predicate that could not be read.
    fn recover(&mut self) {
        while !matches!(self.tok(0), Tok::End | Tok::Newline | Tok::Sign("," | ";" | "}")) {
            self.pos += 1;
        }
    }
}

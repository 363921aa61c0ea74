//! Recursive descent over all dialects at once: the common core, C braces (PLDI01, TOPLAS05), `do … while` and `[n]`
//! labels (TACAS01, TR00), next-state primes before and after the name. Depth is limited; the first error ends the parse.

use super::Dialect;
use super::lexer::{Lexer, Tok, continues_name, starts_name};
use super::syntax::{Decl, ExprKind, ExprText, File, Item, Name, ProcText, StmtText};
use base::{Diagnostic, Span};

type Parse<T> = Result<T, Diagnostic>;

/// Deepest nesting of statements and of expressions.
const MAX_DEPTH: usize = 400;

const THREAD_WORDS: &[&str] = &["start_thread", "end_thread", "atomic_begin", "atomic_end"];

/// Refuses a text that uses a word of the concurrent dialects, before anything else is said about it.
pub(super) fn concurrency(text: &str, whole: Span) -> Option<Diagnostic> {
    let mut lexer = Lexer::new(text, whole, Dialect::Bebop);
    let mut before = Tok::End;
    loop {
        let Ok((tok, span)) = lexer.next() else { return None };
        match &tok {
            Tok::End => return None,
            Tok::Id(w) if THREAD_WORDS.contains(&w.as_str()) => return Some(refusal(w, span)),
            // A label `ASYNC_n:` forks the call behind it.
            Tok::Colon => {
                if let Tok::Id(w) = &before
                    && w.strip_prefix("ASYNC_").is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()))
                {
                    return Some(refusal(w, span));
                }
            }
            Tok::OpenBrace => {
                // Whatever stands in a name is no program text; a block is read on.
                let pos = lexer.pos();
                if lexer.braced(span).is_some_and(|(name, _)| name.contains(';')) {
                    lexer.seek(pos);
                }
            }
            _ => {}
        }
        before = tok;
    }
}

/// The message that refuses a concurrent program.
pub(super) fn refusal(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("concurrent", span, format!("concurrent boolean programs are not supported: `{what}`"))
        .with_label("this makes the program concurrent")
}

pub(super) fn parse_file(text: &str, whole: Span, dialect: Dialect) -> Parse<File> {
    let mut lexer = Lexer::new(text, whole, dialect);
    let (tok, span) = lexer.next()?;
    let mut p = Parser { lexer, dialect, tok, span, last: span, depth: 0 };
    p.file(whole)
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    dialect: Dialect,
    tok: Tok,
    span: Span,
    /// The place of the token before `tok`.
    last: Span,
    depth: usize,
}

/// Words that begin or end statements and procedures: a variable called so would make the rest unreadable.
const STRUCTURE: [&str; 15] = [
    "begin", "end", "if", "then", "else", "elsif", "fi", "while", "do", "od", "goto", "return", "decl", "void", "bool",
];

impl Parser<'_> {
    fn advance(&mut self) -> Parse<()> {
        self.last = self.span;
        (self.tok, self.span) = self.lexer.next()?;
        Ok(())
    }

    fn error<T>(&self, message: impl Into<String>) -> Parse<T> {
        Err(Diagnostic::error("syntax", self.span, message))
    }

    fn expected<T>(&self, what: &str) -> Parse<T> {
        self.error(format!("expected {what}, found {}", self.tok.describe()))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.tok, Tok::Id(w) if w == word)
    }

    fn eat(&mut self, tok: &Tok) -> Parse<bool> {
        let found = self.tok == *tok;
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn eat_word(&mut self, word: &str) -> Parse<bool> {
        let found = self.is_word(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, tok: &Tok) -> Parse<()> {
        if self.eat(tok)? { Ok(()) } else { self.expected(&tok.describe()) }
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth == MAX_DEPTH {
            return self.error(format!("nested deeper than {MAX_DEPTH} levels"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Looks ahead without consuming.
    fn peek<T>(&mut self, look: impl FnOnce(&mut Self) -> Parse<T>) -> Option<T> {
        let saved = (self.lexer.pos(), self.tok.clone(), self.span, self.last, self.depth);
        let result = look(self).ok();
        let pos;
        (pos, self.tok, self.span, self.last, self.depth) = saved;
        self.lexer.seek(pos);
        result
    }

    fn file(&mut self, span: Span) -> Parse<File> {
        let mut file = File { globals: Vec::new(), procs: Vec::new(), span };
        loop {
            match &self.tok {
                Tok::End => return Ok(file),
                Tok::Semi => self.advance()?,
                _ => self.top_level(&mut file)?,
            }
        }
    }

    fn top_level(&mut self, file: &mut File) -> Parse<()> {
        if self.eat_word("thread_local")? || self.is_word("decl") {
            if !self.is_word("decl") {
                return self.expected("`decl`");
            }
            file.globals.extend(self.decl()?);
            return Ok(());
        }
        if let Some(()) = self.peek(|p| p.typed_names().map(|_| ())) {
            file.globals.extend(self.typed_names()?);
            return Ok(());
        }
        self.eat_word("dfs")?;
        let n_returns = self.return_type()?;
        let Some(n_returns) = n_returns else {
            return self.expected("a declaration (`decl`) or a procedure (`void` or `bool`)");
        };
        if n_returns == 1 && self.peek(Self::c_decl_ahead) == Some(true) {
            let names = self.comma_list(Self::declared)?;
            self.expect(&Tok::Semi)?;
            file.globals.extend(names);
            return Ok(());
        }
        file.procs.push(self.procedure(n_returns)?);
        Ok(())
    }

    /// After `bool`: whether a declaration follows in C's notation, rather than a procedure.
    fn c_decl_ahead(&mut self) -> Parse<bool> {
        self.name()?;
        Ok(self.tok != Tok::Open)
    }

    /// `void` gives 0, `bool` and `boolean` 1, `bool<n>` n.
    fn return_type(&mut self) -> Parse<Option<usize>> {
        if self.eat_word("void")? {
            return Ok(Some(0));
        }
        if !self.eat_word("bool")? && !self.eat_word("boolean")? {
            return Ok(None);
        }
        if !self.eat(&Tok::Lt)? {
            return Ok(Some(1));
        }
        let n = match &self.tok {
            Tok::Num(n) => n.parse::<usize>().ok().filter(|&n| n <= 4096),
            _ => None,
        };
        let Some(n) = n else { return self.expected("a number of return values") };
        self.advance()?;
        self.expect(&Tok::Gt)?;
        Ok(Some(n))
    }

    fn procedure(&mut self, n_returns: usize) -> Parse<ProcText> {
        let name = self.name()?;
        self.expect(&Tok::Open)?;
        let formals = if self.tok == Tok::Close { Vec::new() } else { self.comma_list(Self::formal)? };
        self.expect(&Tok::Close)?;
        let open = self.span;
        let closing = if self.eat_word("begin")? {
            "end"
        } else if self.eat(&Tok::OpenBrace)? {
            "}"
        } else {
            return self.expected("`begin`");
        };
        let body = self.items(&[closing])?;
        if !self.closes(closing) {
            return Err(self.unclosed(closing, open, &format!("the body of `{}`", name.text)));
        }
        self.advance()?;
        self.eat(&Tok::Semi)?;
        Ok(ProcText { name, n_returns, formals, body })
    }

    fn unclosed(&self, closing: &str, open: Span, what: &str) -> Diagnostic {
        let message = format!("expected a statement or `{closing}`, found {}", self.tok.describe());
        Diagnostic::error("syntax", self.span, message).with_note(format!("{what} starts here"), Some(open))
    }

    /// `bool x`, `x : bool` or `x`.
    fn formal(&mut self) -> Parse<Name> {
        if self.is_word("bool") || self.is_word("boolean") {
            self.advance()?;
        }
        let name = self.new_name()?;
        if self.eat(&Tok::Colon)? && !self.eat_word("bool")? && !self.eat_word("boolean")? {
            return self.expected("`bool`");
        }
        Ok(name)
    }

    fn comma_list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut list = vec![one(self)?];
        while self.eat(&Tok::Comma)? {
            list.push(one(self)?);
        }
        Ok(list)
    }

    /// `decl x, y := 0;`, the keyword not yet read.
    fn decl(&mut self) -> Parse<Vec<Decl>> {
        self.advance()?;
        let decls = self.comma_list(Self::declared)?;
        self.expect(&Tok::Semi)?;
        Ok(decls)
    }

    fn declared(&mut self) -> Parse<Decl> {
        let name = self.new_name()?;
        let mut init = None;
        if self.eat(&Tok::Assign)? {
            init = match &self.tok {
                Tok::Star => None,
                Tok::Num(n) if n == "0" => Some(false),
                Tok::Num(n) if n == "1" => Some(true),
                Tok::Id(w) if w == "F" => Some(false),
                Tok::Id(w) if w == "T" => Some(true),
                _ => return self.expected("an initial value `0`, `1`, `F`, `T` or `*`"),
            };
            self.advance()?;
        }
        Ok(Decl { name, init })
    }

    /// TR00's `x, y : bool;`.
    fn typed_names(&mut self) -> Parse<Vec<Decl>> {
        let names = self.comma_list(Self::name)?;
        self.expect(&Tok::Colon)?;
        if !self.eat_word("bool")? && !self.eat_word("boolean")? {
            return self.expected("`bool`");
        }
        self.expect(&Tok::Semi)?;
        Ok(names.into_iter().map(|name| Decl { name, init: None }).collect())
    }

    /// A plain or a braced name.
    fn name(&mut self) -> Parse<Name> {
        match &self.tok {
            Tok::Id(w) => {
                let name = Name { text: w.clone(), span: self.span };
                self.advance()?;
                Ok(name)
            }
            Tok::OpenBrace => match self.lexer.braced(self.span) {
                Some((text, span)) => {
                    self.span = span;
                    self.advance()?;
                    Ok(Name { text, span })
                }
                None => {
                    let message = "this `{` begins a name that does not end with `}` on its line";
                    Err(Diagnostic::error("syntax", self.span, message))
                }
            },
            _ => self.expected("a name"),
        }
    }

    /// The name of a new variable, which must not look like the beginning or end of something else.
    fn new_name(&mut self) -> Parse<Name> {
        let name = if let Tok::Id(w) = &self.tok { STRUCTURE.iter().find(|s| *s == w) } else { None };
        match name {
            Some(word) => {
                let message =
                    format!("`{word}` is a word of the language; a variable of this name is written `{{{word}}}`");
                Err(Diagnostic::error("reserved", self.span, message))
            }
            None => self.name(),
        }
    }

    fn closes(&self, closing: &str) -> bool {
        match closing {
            "}" => self.tok == Tok::CloseBrace,
            word => self.is_word(word),
        }
    }

    /// Whether no statement can start here because something ends, be it what is expected or not.
    fn closes_something(&self) -> bool {
        matches!(self.tok, Tok::End | Tok::CloseBrace)
            || ["end", "fi", "od", "else", "elsif"].iter().any(|w| self.is_word(w))
    }

    /// Statements up to (not including) one of the closing words.
    fn items(&mut self, closing: &[&str]) -> Parse<Vec<Item>> {
        let mut items = Vec::new();
        loop {
            while self.eat(&Tok::Semi)? {}
            let labels = self.labels()?;
            if closing.iter().any(|c| self.closes(c)) || self.closes_something() {
                if let Some(first) = labels.first() {
                    let span = first.span;
                    items.push(Item { labels, stmt: StmtText::Skip, constrain: None, span });
                }
                return Ok(items);
            }
            if self.tok == Tok::Semi && !labels.is_empty() {
                // TR00 writes an empty statement as a label alone.
                let span = labels[0].span;
                items.push(Item { labels, stmt: StmtText::Skip, constrain: None, span });
                continue;
            }
            let item = self.nested(|p| p.item(labels))?;
            self.separator(&item, closing)?;
            items.push(item);
        }
    }

    /// A `;` must follow a simple statement unless a closing word does; after a compound one it is free.
    fn separator(&mut self, item: &Item, closing: &[&str]) -> Parse<()> {
        let compound = item.constrain.is_none()
            && matches!(
                item.stmt,
                StmtText::If(..) | StmtText::While(..) | StmtText::DoWhile(..) | StmtText::Block(_) | StmtText::Decl(_)
            );
        let ends = self.tok == Tok::Semi || compound || closing.iter().any(|c| self.closes(c));
        if ends || self.closes_something() && self.tok != Tok::End {
            return Ok(());
        }
        let at = Span::new(self.last.file, self.last.hi, self.last.hi);
        let message = format!("expected `;` after this statement, found {}", self.tok.describe());
        Err(Diagnostic::error("syntax", at, message))
    }

    fn labels(&mut self) -> Parse<Vec<Name>> {
        let mut labels = Vec::new();
        while self.at_label() {
            labels.push(if self.eat(&Tok::OpenBracket)? {
                let label = self.label()?;
                self.expect(&Tok::CloseBracket)?;
                self.eat(&Tok::Colon)?;
                label
            } else {
                let label = self.label()?;
                self.expect(&Tok::Colon)?;
                label
            });
        }
        Ok(labels)
    }

    /// Whether a label stands here; words of the language may be labels too.
    fn at_label(&mut self) -> bool {
        let found = match &self.tok {
            Tok::Id(_) | Tok::Num(_) => self.peek(|p| {
                p.advance()?;
                p.expect(&Tok::Colon)?;
                Ok(!p.is_word("bool") && !p.is_word("boolean"))
            }),
            Tok::OpenBracket => Some(true),
            // A name that is no plain identifier here; no block is followed by a colon.
            Tok::OpenBrace => self.peek(|p| {
                p.name()?;
                p.expect(&Tok::Colon)?;
                Ok(!p.is_word("bool") && !p.is_word("boolean"))
            }),
            _ => None,
        };
        found == Some(true)
    }

    fn label(&mut self) -> Parse<Name> {
        match &self.tok {
            Tok::Id(w) | Tok::Num(w) => {
                let name = Name { text: w.clone(), span: self.span };
                self.advance()?;
                Ok(name)
            }
            Tok::OpenBrace => self.name(),
            _ => self.expected("a label"),
        }
    }

    fn item(&mut self, labels: Vec<Name>) -> Parse<Item> {
        let start = self.span;
        let stmt = self.statement()?;
        let mut constrain = None;
        let may = self.is_word("constrain") && !matches!(stmt, StmtText::Decl(_) | StmtText::Enforce(_));
        if may && !self.at_label() {
            self.advance()?;
            constrain = Some(self.expr()?);
        }
        Ok(Item { labels, stmt, constrain, span: start.to(self.last) })
    }

    fn statement(&mut self) -> Parse<StmtText> {
        if self.tok == Tok::OpenBrace {
            return if self.target_ahead() { self.assignment_or_call() } else { self.block("}") };
        }
        let Tok::Id(word) = self.tok.clone() else { return self.expected("a statement") };
        if self.target_ahead() {
            return self.assignment_or_call();
        }
        match word.as_str() {
            "skip" => self.advance().map(|()| StmtText::Skip),
            "goto" => {
                self.advance()?;
                Ok(StmtText::Goto(self.comma_list(Self::label)?))
            }
            "return" => self.return_stmt(),
            "if" => self.if_stmt(),
            "while" => self.while_stmt(),
            "do" => self.do_while(),
            "begin" => self.block("end"),
            "assume" | "assert" | "abortif" => {
                self.advance()?;
                let e = self.expr()?;
                Ok(match word.as_str() {
                    "assume" => StmtText::Assume(e),
                    "assert" => StmtText::Assert(e),
                    _ => StmtText::Assert(ExprText { span: e.span, kind: ExprKind::Not(Box::new(e)) }),
                })
            }
            // A statement of its own: the transition that changes nothing, constrained; `item` reads the rest.
            "constrain" => Ok(StmtText::Skip),
            "enforce" => {
                self.advance()?;
                Ok(StmtText::Enforce(self.expr()?))
            }
            "print" => {
                self.advance()?;
                self.expect(&Tok::Open)?;
                let list = self.comma_list(Self::expr)?;
                self.expect(&Tok::Close)?;
                Ok(StmtText::Print(list))
            }
            "dead" => {
                self.advance()?;
                Ok(StmtText::Dead(self.comma_list(Self::name)?))
            }
            "thread_local" | "decl" => {
                self.eat_word("thread_local")?;
                Ok(StmtText::Decl(self.decl()?))
            }
            "bool" | "boolean" => {
                self.advance()?;
                let decls = self.comma_list(Self::declared)?;
                self.expect(&Tok::Semi)?;
                Ok(StmtText::Decl(decls))
            }
            "sync" | "wait" | "broadcast" => Err(refusal(&word, self.span)),
            "then" | "void" | "dfs" => self.expected("a statement"),
            _ if self.peek(|p| p.typed_names().map(|_| ())).is_some() => Ok(StmtText::Decl(self.typed_names()?)),
            _ => self.assignment_or_call(),
        }
    }

    /// Whether an assignment starts here, whatever its first name is.
    fn target_ahead(&mut self) -> bool {
        let assigns = |p: &mut Self| {
            p.comma_list(Self::target)?;
            Ok(matches!(p.tok, Tok::Assign | Tok::SingleEq))
        };
        self.peek(assigns) == Some(true)
    }

    fn target(&mut self) -> Parse<Option<Name>> {
        self.eat(&Tok::Quote)?;
        let name = self.name()?;
        Ok(if name.text == "_" { None } else { Some(name) })
    }

    fn assignment_or_call(&mut self) -> Parse<StmtText> {
        if let Some(call) = self.call_ahead() {
            return Ok(StmtText::Call(Vec::new(), call, self.args()?));
        }
        let targets = self.comma_list(Self::target)?;
        if !self.eat(&Tok::Assign)? && !self.eat(&Tok::SingleEq)? {
            return self.expected("`:=` or a call");
        }
        let mut values = self.comma_list(Self::expr)?;
        if let [ExprText { kind: ExprKind::Call(..), .. }] = &values[..]
            && let ExprKind::Call(callee, args) = values.remove(0).kind
        {
            return Ok(StmtText::Call(targets, callee, args));
        }
        Ok(StmtText::Assign(targets, values))
    }

    /// Reads `name` when `name (` follows; the parenthesis is then the current token.
    fn call_ahead(&mut self) -> Option<Name> {
        let Tok::Id(_) = &self.tok else { return None };
        let name = self.peek(|p| {
            let name = p.name()?;
            if p.tok == Tok::Open { Ok(name) } else { p.expected("`(`") }
        })?;
        self.advance().ok()?;
        Some(name)
    }

    fn args(&mut self) -> Parse<Vec<ExprText>> {
        self.expect(&Tok::Open)?;
        let args = if self.tok == Tok::Close { Vec::new() } else { self.comma_list(Self::expr)? };
        self.expect(&Tok::Close)?;
        Ok(args)
    }

    fn return_stmt(&mut self) -> Parse<StmtText> {
        self.advance()?;
        let ends = matches!(self.tok, Tok::Semi | Tok::CloseBrace | Tok::End)
            || ["end", "fi", "od", "else", "elsif", "constrain"].iter().any(|w| self.is_word(w));
        if ends {
            return Ok(StmtText::Return(Vec::new()));
        }
        // `return (a, b)` is `return a, b`.
        let parenthesised = |p: &mut Self| {
            p.expect(&Tok::Open)?;
            let list = p.comma_list(Self::expr)?;
            p.expect(&Tok::Close)?;
            if list.len() > 1 { Ok(()) } else { p.expected("a list") }
        };
        if self.tok == Tok::Open && self.peek(parenthesised).is_some() {
            return Ok(StmtText::Return(self.args()?));
        }
        Ok(StmtText::Return(self.comma_list(Self::expr)?))
    }

    fn block(&mut self, closing: &str) -> Parse<StmtText> {
        let open = self.span;
        self.advance()?;
        let body = self.items(&[closing])?;
        if !self.closes(closing) {
            return Err(self.unclosed(closing, open, "the block"));
        }
        self.advance()?;
        Ok(StmtText::Block(body))
    }

    /// Reads a condition; says also whether it stands in parentheses, as C's notation wants it.
    fn condition(&mut self) -> Parse<(ExprText, bool)> {
        let opens = self.tok == Tok::Open;
        let cond = self.expr()?;
        let closes = self.lexer.closes_before(self.last.hi);
        Ok((cond, opens && closes))
    }

    fn if_stmt(&mut self) -> Parse<StmtText> {
        let open = self.span;
        self.advance()?;
        let (cond, in_parentheses) = self.condition()?;
        if !self.eat_word("then")? {
            // Without parentheses this is not C's notation: `then` is missing.
            if !in_parentheses {
                return self.expected("`then`");
            }
            let yes = self.single()?;
            let no = if self.eat_word("else")? { self.single()? } else { Vec::new() };
            return Ok(StmtText::If(vec![(cond, yes)], no));
        }
        let mut arms = vec![(cond, self.items(&["elsif", "else", "fi"])?)];
        while self.eat_word("elsif")? {
            let cond = self.expr()?;
            if !self.eat_word("then")? {
                return self.expected("`then`");
            }
            arms.push((cond, self.items(&["elsif", "else", "fi"])?));
        }
        let otherwise = if self.eat_word("else")? { self.items(&["fi"])? } else { Vec::new() };
        if !self.eat_word("fi")? {
            return Err(self.unclosed("fi", open, "the `if`"));
        }
        Ok(StmtText::If(arms, otherwise))
    }

    /// One statement as the body of an `if` or `while` in C's notation.
    fn single(&mut self) -> Parse<Vec<Item>> {
        let labels = self.labels()?;
        let item = self.nested(|p| p.item(labels))?;
        self.eat(&Tok::Semi)?;
        // A label between the statement and `else` belongs to nothing but that line.
        Ok(vec![item])
    }

    fn while_stmt(&mut self) -> Parse<StmtText> {
        let open = self.span;
        self.advance()?;
        let (cond, in_parentheses) = self.condition()?;
        if !self.eat_word("do")? {
            if !in_parentheses {
                return self.expected("`do`");
            }
            return Ok(StmtText::While(cond, self.single()?));
        }
        let body = self.items(&["od"])?;
        if !self.eat_word("od")? {
            return Err(self.unclosed("od", open, "the `while`"));
        }
        Ok(StmtText::While(cond, body))
    }

    fn do_while(&mut self) -> Parse<StmtText> {
        let open = self.span;
        self.advance()?;
        let body =
            if self.tok == Tok::OpenBrace && !self.target_ahead() { self.single()? } else { self.items(&["while"])? };
        if !self.eat_word("while")? {
            return Err(self.unclosed("while", open, "the `do`"));
        }
        Ok(StmtText::DoWhile(body, self.expr()?))
    }
}

mod expr;

/// Whether `name` prints without braces.
pub(super) fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(starts_name) && chars.all(|c| continues_name(c, Dialect::Bebop))
}

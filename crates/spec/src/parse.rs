//! Text to rule: everything but statements.
//!
//! ```text
//! rule        = { item }
//! item        = "title" TEXT… ";"  |  "doc" TEXT… ";"  |  "severity" ("error" | "warning") ";"
//!             | ("applies" | "quiet") pattern { "," pattern } ";"  |  "alias" name "=" pattern { "," pattern } ";"
//!             | "state" "{" { declaration ";" } "}"
//!             | "watch" [ name "=" ] event "." expression { "," event "." expression } ";"
//!             | event [ "[" "guard" expression [ "is" name ] "]" ] block
//! event       = target "." ("entry" | "exit")  |  "$end"
//! target      = pattern  |  "[" pattern { "," pattern } "]"  |  "$entry"
//! declaration = type name [ "=" constant ] { "," name [ "=" constant ] }
//! ```

use crate::lexer::{Kind, Word, words};
use crate::syntax::*;
use base::{Diagnostic, FileId, Span};

pub(crate) type R<T> = Result<T, Diagnostic>;

/// Words that begin an item.
const ITEMS: [&str; 8] = ["title", "doc", "severity", "applies", "quiet", "alias", "state", "watch"];

/// Reads a rule that is called `name`.
pub fn parse(name: &str, file: FileId, text: &str) -> Result<Rule, Diagnostic> {
    let mut p = Parser { words: words(file, text)?, at: 0, rule: Rule { name: name.to_owned(), ..Rule::default() } };
    while p.word().kind != Kind::End {
        p.item()?;
    }
    p.check()?;
    Ok(p.rule)
}

/// What is read of a rule so far.
pub(crate) struct Parser {
    words: Vec<Word>,
    at: usize,
    pub(crate) rule: Rule,
}

impl Parser {
    pub(crate) fn word(&self) -> &Word {
        &self.words[self.at]
    }

    pub(crate) fn ahead(&self, n: usize) -> &Word {
        &self.words[(self.at + n).min(self.words.len() - 1)]
    }

    /// The word that was taken last.
    pub(crate) fn last(&self) -> &Word {
        &self.words[self.at.saturating_sub(1)]
    }

    pub(crate) fn next(&mut self) -> Word {
        let word = self.words[self.at].clone();
        if word.kind != Kind::End {
            self.at += 1;
        }
        word
    }

    pub(crate) fn take(&mut self, text: &str) -> bool {
        let there = self.word().is(text);
        if there {
            self.at += 1;
        }
        there
    }

    pub(crate) fn error<T>(&self, span: Span, message: impl Into<String>) -> R<T> {
        Err(Diagnostic::error("syntax", span, message))
    }

    /// Something else should stand here.
    pub(crate) fn expected<T>(&self, what: &str) -> R<T> {
        let word = self.word();
        self.error(word.span, format!("expected {what}, found {}", word.shown()))
    }

    pub(crate) fn expect(&mut self, sign: &str, place: &str) -> R<Word> {
        if self.word().is(sign) { Ok(self.next()) } else { self.expected(&format!("`{sign}` {place}")) }
    }

    pub(crate) fn name(&mut self, what: &str) -> R<Word> {
        match self.word().kind {
            Kind::Name if !self.word().text.starts_with('$') => Ok(self.next()),
            _ => self.expected(what),
        }
    }

    /// One text, or several in a row.
    pub(crate) fn text(&mut self, what: &str) -> R<String> {
        if self.word().kind != Kind::Text {
            return self.expected(what);
        }
        let mut text = self.next().text;
        while self.word().kind == Kind::Text {
            text += &self.next().text;
        }
        Ok(text)
    }

    fn item(&mut self) -> R<()> {
        let word = self.word().clone();
        // A function may be called `state`: then an event follows.
        let item = ITEMS.contains(&word.text.as_str()) && word.kind == Kind::Name && !self.ahead(1).is(".");
        match word.text.as_str() {
            "title" if item => {
                self.next();
                self.rule.title = Some(self.text("the title, in double quotes")?);
                self.expect(";", "behind the title")?;
            }
            "doc" if item => {
                self.next();
                self.rule.doc = Some(self.text("the documentation, in double quotes")?);
                self.expect(";", "behind the documentation")?;
            }
            "severity" if item => self.severity()?,
            "applies" if item => {
                self.next();
                self.rule.applies = self.patterns()?;
                self.expect(";", "behind the functions")?;
            }
            "quiet" if item => {
                self.next();
                self.rule.quiet = self.patterns()?;
                self.expect(";", "behind the functions")?;
            }
            "alias" if item => self.alias()?,
            "state" if item => self.state()?,
            "watch" if item => self.watch()?,
            _ => self.handler()?,
        }
        Ok(())
    }

    fn severity(&mut self) -> R<()> {
        self.next();
        self.rule.severity = match self.word().text.as_str() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => return self.expected("`error` or `warning`"),
        };
        self.next();
        self.expect(";", "behind the severity")?;
        Ok(())
    }

    fn pattern(&mut self) -> R<Pattern> {
        let name = self.name("the name of a function")?;
        let (mut text, mut span) = (name.text, name.span);
        // `g*` is a pattern only where nothing stands between.
        if self.word().is("*") && self.word().span.lo == span.hi {
            span = span.to(self.next().span);
            text.push('*');
        }
        Ok(Pattern { text, span })
    }

    fn patterns(&mut self) -> R<Vec<Pattern>> {
        let mut all = vec![self.pattern()?];
        while self.take(",") {
            all.push(self.pattern()?);
        }
        Ok(all)
    }

    fn alias(&mut self) -> R<()> {
        self.next();
        let name = self.pattern()?;
        if name.text.ends_with('*') {
            return self.error(name.span, "one name of the rule has aliases, not a pattern");
        }
        self.expect("=", "behind the name")?;
        let others = self.patterns()?;
        self.expect(";", "behind the aliases")?;
        self.rule.aliases.push(Alias { name, others });
        Ok(())
    }

    fn state(&mut self) -> R<()> {
        self.next();
        self.expect("{", "behind `state`")?;
        while !self.take("}") {
            let ty = self.state_type()?;
            loop {
                let ty = if self.take("*") { StateType::Pointer } else { ty.clone() };
                self.declaration(ty)?;
                if !self.take(",") {
                    break;
                }
            }
            self.expect(";", "behind the declaration")?;
        }
        self.take(";");
        Ok(())
    }

    fn state_type(&mut self) -> R<StateType> {
        if self.take("enum") {
            if self.word().kind == Kind::Name {
                return self.error(self.word().span, "an enumeration of a rule has no tag: `enum { a, b } name = a;`");
            }
            self.expect("{", "behind `enum`")?;
            let mut names = Vec::new();
            while !self.take("}") {
                let name = self.name("the name of a value")?;
                self.unused(&name)?;
                names.push(name.text);
                if !self.take(",") {
                    self.expect("}", "behind the values")?;
                    break;
                }
            }
            return Ok(StateType::Enum(names));
        }
        let first = self.word().clone();
        let mut parts = Vec::new();
        while ["bool", "_Bool", "char", "short", "int", "long", "unsigned", "signed", "void"]
            .contains(&self.word().text.as_str())
        {
            parts.push(self.next().text);
        }
        let has = |word: &str| parts.iter().any(|p| p == word);
        let signed = !has("unsigned");
        if parts.is_empty() {
            return self.expected("a type: `int`, `bool`, `enum { … }`, `void *` or another integer type");
        }
        if has("void") {
            return match self.word().is("*") {
                true => Ok(StateType::Pointer),
                false => self.error(first.span, "`void` is no type of a variable; `void *` is"),
            };
        }
        Ok(StateType::Int(if has("bool") || has("_Bool") {
            IntType::Bool
        } else if has("char") {
            IntType::Char(signed)
        } else if has("short") {
            IntType::Short(signed)
        } else if parts.iter().filter(|p| *p == "long").count() > 1 {
            IntType::LongLong(signed)
        } else if has("long") {
            IntType::Long(signed)
        } else {
            IntType::Int(signed)
        }))
    }

    fn declaration(&mut self, ty: StateType) -> R<()> {
        let name = self.name("the name of a variable")?;
        self.unused(&name)?;
        if self.word().is("[") {
            return self.error(self.word().span, "the state has no arrays");
        }
        let (mut init, mut init_text) = (0, None);
        if self.take("=") {
            let start = self.word().clone();
            let negative = self.take("-");
            let word = self.next();
            let value = match (word.kind, &ty) {
                (Kind::Number, _) => number(&word.text),
                (_, StateType::Enum(names)) if names.contains(&word.text) => {
                    names.iter().position(|n| *n == word.text).map(|i| i as i128)
                }
                (Kind::Name, _) => self.constant(&word.text),
                _ => None,
            };
            let Some(value) = value else {
                let message = format!("a variable of the state starts with a constant, which {} is not", word.shown());
                return self.error(start.span, message);
            };
            if ty == StateType::Pointer && value != 0 {
                return self.error(start.span, "a pointer of the state starts as `NULL`");
            }
            init = if negative { -value } else { value };
            init_text = Some(format!("{}{}", if negative { "-" } else { "" }, word.text));
        }
        self.rule.state.push(Declaration { ty, name: name.text, init, init_text, span: name.span });
        Ok(())
    }

    /// A constant of the rule by name.
    fn constant(&self, name: &str) -> Option<i128> {
        let known = || constants(&self.rule).into_iter().find(|(n, _)| n == name).map(|(_, value)| value);
        match name {
            "true" => Some(1),
            "false" | "NULL" => Some(0),
            _ => known(),
        }
    }

    /// Every name of a rule means one thing.
    pub(crate) fn unused(&self, name: &Word) -> R<()> {
        let taken = self.rule.state.iter().any(|d| d.name == name.text)
            || constants(&self.rule).iter().any(|(n, _)| *n == name.text)
            || self.rule.watches.iter().any(|w| w.name == name.text);
        if taken { self.error(name.span, format!("`{}` is declared already", name.text)) } else { Ok(()) }
    }

    fn watch(&mut self) -> R<()> {
        let start = self.next();
        let named = self.word().kind == Kind::Name && self.ahead(1).is("=");
        let name = if named {
            let name = self.name("the name of the watched object")?;
            self.unused(&name)?;
            self.next();
            name.text
        } else {
            let word = Word { text: "object".to_owned(), ..start.clone() };
            self.unused(&word)?;
            word.text
        };
        let mut choices = Vec::new();
        loop {
            let event = self.event()?;
            if matches!(event.target, Target::Program) {
                return self.error(event.span, "the end of the program has no object that could be watched");
            }
            self.expect(".", "and an expression behind the event: `f.entry.$1`")?;
            let value = self.expression(&[",", ";"], "the object")?;
            choices.push(Choice { event, value });
            if !self.take(",") {
                break;
            }
        }
        let end = self.expect(";", "behind the watched object")?;
        self.rule.watches.push(Watch { name, named, choices, span: start.span.to(end.span) });
        Ok(())
    }

    fn event(&mut self) -> R<EventPattern> {
        let start = self.word().clone();
        let target = match start.text.as_str() {
            "$end" if start.kind == Kind::Name => {
                self.next();
                let event = EventPattern { target: Target::Program, moment: Moment::End, span: start.span };
                return Ok(event);
            }
            crate::names::KEPT if start.kind == Kind::Name => {
                self.next();
                let pattern = Pattern { text: start.text.clone(), span: start.span };
                let target = Target::Functions(vec![pattern]);
                return Ok(EventPattern { target, moment: Moment::Entry, span: start.span });
            }
            "$entry" if start.kind == Kind::Name => {
                self.next();
                Target::EntryPoint
            }
            "[" if start.kind == Kind::Sign => {
                self.next();
                let all = self.patterns()?;
                self.expect("]", "behind the functions")?;
                Target::Functions(all)
            }
            _ if start.kind == Kind::Name && !start.text.starts_with('$') => Target::Functions(vec![self.pattern()?]),
            _ => {
                return self
                    .expected("an event (`f.entry { … }`), or one of `state`, `watch`, `alias`, `title`, `doc`");
            }
        };
        self.expect(".", "and `entry` or `exit` behind the function")?;
        let moment = match self.word().text.as_str() {
            "entry" => Moment::Entry,
            "exit" => Moment::Exit,
            _ => return self.expected("`entry` or `exit`"),
        };
        let end = self.next();
        Ok(EventPattern { target, moment, span: start.span.to(end.span) })
    }

    fn handler(&mut self) -> R<()> {
        let event = self.event()?;
        let guard = if self.word().is("[") { Some(self.guard(&event)?) } else { None };
        let body = self.block()?;
        self.rule.handlers.push(Handler { event, guard, body });
        Ok(())
    }

    fn guard(&mut self, event: &EventPattern) -> R<Guard> {
        let start = self.next();
        if !self.take("guard") {
            return self.expected("`guard` and the object: `[guard $1]`");
        }
        let value = self.expression(&["]", "is"], "the object")?;
        let watch = if self.take("is") { Some(self.name("the name of a watched object")?.text) } else { None };
        let end = self.expect("]", "behind the guard")?;
        if matches!(event.target, Target::Program) {
            return self.error(start.span, "the end of the program has no arguments that could be guarded");
        }
        Ok(Guard { value, watch, span: start.span.to(end.span) })
    }

    /// What can be seen only when everything is read.
    fn check(&self) -> R<()> {
        for handler in &self.rule.handlers {
            self.check_values(&handler.event, handler)?;
        }
        if self.rule.handlers.is_empty() {
            return self.error(self.word().span, "the rule has no event: `f.entry { … }`");
        }
        Ok(())
    }

    fn check_values(&self, event: &EventPattern, handler: &Handler) -> R<()> {
        if let Some(guard) = &handler.guard {
            let known = |name: &String| self.rule.watches.iter().any(|w| w.name == *name);
            match &guard.watch {
                Some(name) if !known(name) => return self.error(guard.span, format!("no object `{name}` is watched")),
                None if self.rule.watches.is_empty() => {
                    let message =
                        "the rule watches no object: `watch f.entry.$1;` says which, or a condition stands in an `if`";
                    return self.error(guard.span, message);
                }
                None if self.rule.watches.len() > 1 => {
                    let message = "several objects are watched: `[guard $1 is name]` says which one is meant";
                    return self.error(guard.span, message);
                }
                _ => {}
            }
        }
        let guards = handler.guard.iter().map(|g| &g.value);
        let mut all: Vec<&Text> = guards.collect();
        collect(&handler.body, &mut all);
        for text in all {
            self.check_text(event, text)?;
        }
        Ok(())
    }

    /// `$return` has a meaning only where something returns.
    fn check_text(&self, event: &EventPattern, text: &Text) -> R<()> {
        for word in text.words.split(' ').filter(|w| w.starts_with('$')) {
            let number = word[1..].parse::<u32>().is_ok_and(|n| n > 0);
            let message = match word {
                "$return" if event.moment == Moment::Entry => {
                    "`$return` is known at the exit, not at the entry".to_owned()
                }
                "$return" if event.moment == Moment::Exit => continue,
                "$fname" => "`$fname` has a meaning in messages only".to_owned(),
                _ if event.moment == Moment::End => format!("the end of the program has no `{word}`"),
                _ if number => continue,
                _ => format!("`{word}` has no meaning: there are `$1`, `$2`, … and `$return`"),
            };
            return self.error(text.span, message);
        }
        Ok(())
    }
}

/// All expressions of some statements.
pub(crate) fn collect<'s>(body: &'s [Statement], all: &mut Vec<&'s Text>) {
    for statement in body {
        match &statement.kind {
            StatementKind::Assign { value, .. } => all.extend(value),
            StatementKind::If { condition, then, otherwise } => {
                all.push(condition);
                collect(then, all);
                collect(otherwise, all);
            }
            StatementKind::Abort(_) | StatementKind::Halt => {}
        }
    }
}

/// The enumerators of a rule.
pub(crate) fn constants(rule: &Rule) -> Vec<(String, i128)> {
    let enums = rule.state.iter().filter_map(|d| match &d.ty {
        StateType::Enum(names) => Some(names),
        StateType::Int(_) | StateType::Pointer => None,
    });
    enums.flat_map(|names| names.iter().enumerate().map(|(i, n)| (n.clone(), i as i128))).collect()
}

/// A number as C writes it.
fn number(text: &str) -> Option<i128> {
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => i128::from_str_radix(&text[1..], 8).ok(),
        None => text.parse().ok(),
    }
}

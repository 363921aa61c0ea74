//! What a rule does at one event, in the types of the program.
//!
//! Arguments are placeholders while expressions are read: the local `i` is the argument `$(i+1)`, the one behind them the
//! result. [`crate::weave()`] puts the values of the event in their place. Expressions are read and typed by the parser that
//! reads C ([`lower::annotation`]); they are total, and nothing is asked of the pointers that they follow.

use crate::nesting::Group;
use crate::syntax::*;
use base::{Diagnostic, FileId, Id, IndexVec, Span};
use ir::{BinOp, Expr, GlobalId, Local, LocalId, Program, Shape, Ty, Var};
use lower::annotation::{Form, Name, Names, expression};
use lower::events::Event;

/// A step of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Writes a variable of the state.
    Set(GlobalId, Expr, Span),
    /// Goes one of two ways.
    If(Expr, Vec<Step>, Vec<Step>, Span),
    /// Chooses the watched object, or not: the object, whether there is one, what is offered, and what must differ from it.
    Offer(Watched, Expr, Vec<Expr>, Span),
    /// The rule is broken.
    Abort(String, Span),
    /// The run is not followed.
    Halt(Span),
}

/// The globals of a watched object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched {
    /// The object.
    pub(crate) object: GlobalId,
    /// Whether it is chosen.
    pub(crate) chosen: GlobalId,
    /// The objects that were passed over last.
    pub(crate) passed: [GlobalId; PASSED],
    /// How many of those there are.
    pub(crate) n_passed: GlobalId,
}

/// How many objects that were offered and not chosen are remembered.
pub(crate) const PASSED: usize = 2;

/// What the names of a rule mean in a program.
pub(crate) struct Symbols<'r> {
    pub(crate) rule: &'r Rule,
    pub(crate) file: FileId,
    /// The text of the rule.
    pub(crate) text: &'r str,
    /// In the order of the rule's state.
    pub(crate) state: Vec<GlobalId>,
    /// In the order of its watches.
    pub(crate) watches: Vec<Watched>,
    /// Names whose aliases call each other.
    pub(crate) groups: Vec<Group>,
}

impl Symbols<'_> {
    /// Whether the first argument of an event has the type of the watched object that a guard means.
    pub(crate) fn is_like(&self, program: &Program, guard: &Guard, event: &Event) -> bool {
        let named = |name: &String| self.rule.watches.iter().position(|w| w.name == *name);
        let watched = self.watches[guard.watch.as_ref().and_then(named).unwrap_or(0)];
        let arg = event.args.first().and_then(Option::as_ref);
        arg.is_some_and(|a| global(program, watched.object).ty == a.value.ty)
    }
}

/// One event, about to be compiled.
pub(crate) struct Site<'s> {
    symbols: &'s Symbols<'s>,
    program: &'s Program,
    event: &'s Event,
    names: Names,
}

/// The value of a scalar global.
pub(crate) fn global(program: &Program, id: GlobalId) -> Expr {
    let ty = program.globals[id].shape.scalar().expect("the state of a rule is made of scalars");
    Expr::var(Var::Global(id), ty)
}

impl<'s> Site<'s> {
    pub(crate) fn new(symbols: &'s Symbols<'s>, program: &'s Program, event: &'s Event) -> Site<'s> {
        Site { symbols, program, event, names: names(symbols, event) }
    }

    /// What a handler does.
    pub(crate) fn handler(&self, handler: &Handler) -> Result<Vec<Step>, Diagnostic> {
        let body = self.statements(&handler.body)?;
        let Some(guard) = &handler.guard else { return Ok(body) };
        let rule = self.symbols.rule;
        let at = guard.watch.as_ref().and_then(|n| rule.watches.iter().position(|w| w.name == *n)).unwrap_or(0);
        let watched = self.symbols.watches[at];
        let same = self.same(self.value(&guard.value)?, watched.object, guard.span)?;
        let chosen = Expr::nonzero(global(self.program, watched.chosen));
        let both = Expr::binary(BinOp::And, chosen, same);
        Ok(vec![Step::If(both, body, Vec::new(), guard.span)])
    }

    /// The watched objects that this event offers to choose.
    pub(crate) fn offer(&self, watch: usize, choice: &Choice) -> Result<Step, Diagnostic> {
        let watched = self.symbols.watches[watch];
        let value = self.value(&choice.value)?;
        let ty = global(self.program, watched.object).ty;
        let value = converted(ty, value, choice.value.span)?;
        // Two watches never mean one object.
        let mut differs = Vec::new();
        for (i, other) in self.symbols.watches.iter().enumerate().filter(|(i, _)| *i != watch) {
            let same = self.same(value.clone(), other.object, self.symbols.rule.watches[i].span)?;
            let chosen = Expr::nonzero(global(self.program, other.chosen));
            differs.push(Expr::binary(BinOp::And, chosen, same).negate());
        }
        Ok(Step::Offer(watched, value, differs, self.symbols.rule.watches[watch].span))
    }

    /// Whether a value is the watched object.
    fn same(&self, value: Expr, object: GlobalId, span: Span) -> Result<Expr, Diagnostic> {
        let object = global(self.program, object);
        let value = converted(object.ty, value, span)?;
        Ok(Expr::binary(BinOp::Eq, value, object))
    }

    fn statements(&self, body: &[Statement]) -> Result<Vec<Step>, Diagnostic> {
        body.iter().map(|s| self.statement(s)).collect()
    }

    fn statement(&self, statement: &Statement) -> Result<Step, Diagnostic> {
        let span = statement.span;
        Ok(match &statement.kind {
            StatementKind::Assign { name, operator, value } => {
                let state = self.symbols.rule.state.iter().position(|d| d.name == *name);
                let id = self.symbols.state[state.expect("the parser knows the state")];
                let ty = global(self.program, id).ty;
                let text = self.assigned(statement, name, operator, value.as_ref());
                let form = if ty == Ty::Bool { Form::Condition } else { Form::Value };
                let value = self.read(&text, value.as_ref().map_or(span, |v| v.span), form)?;
                Step::Set(id, converted(ty, value, span)?, span)
            }
            StatementKind::If { condition, then, otherwise } => {
                let read = self.read(&self.placed(condition), condition.span, Form::Condition)?;
                Step::If(read, self.statements(then)?, self.statements(otherwise)?, condition.span)
            }
            StatementKind::Abort(message) => {
                let entry = &self.program.functions[self.program.entry].name;
                let entry = entry.strip_suffix(crate::WRAPPER).unwrap_or(entry);
                let message = message.replace("$fname", &self.event.function).replace("$entry", entry);
                Step::Abort(message, span)
            }
            StatementKind::Halt => Step::Halt(span),
        })
    }

    /// The value of an expression, of its own type.
    pub(crate) fn value(&self, text: &Text) -> Result<Expr, Diagnostic> {
        self.read(&self.placed(text), text.span, Form::Value)
    }

    /// An expression at its place: behind as many blanks as there are characters before it, so that places in messages fit.
    fn placed(&self, text: &Text) -> String {
        let written = &self.symbols.text[text.span.lo as usize..text.span.hi as usize];
        // The end of a line is no end of an expression here, but it is one of a comment.
        let written =
            if written.contains("//") { text.words.clone() } else { written.replace(['\n', '\r', '\t'], " ") };
        " ".repeat(text.span.lo as usize) + &written
    }

    /// The value that an assignment gives: `x += e` is `x +(e)`, which needs no more room.
    fn assigned(&self, statement: &Statement, name: &str, operator: &str, value: Option<&Text>) -> String {
        let start = " ".repeat(statement.span.lo as usize);
        match (operator, value) {
            (_, None) => format!("{start}{name}{operator}1"),
            ("", Some(value)) => self.placed(value),
            (_, Some(value)) => {
                let before = format!("{start}{name}{operator}(");
                let room = (value.span.lo as usize).saturating_sub(before.len());
                format!("{before}{}{})", " ".repeat(room), self.placed(value).trim_start())
            }
        }
    }

    fn read(&self, text: &str, span: Span, form: Form) -> Result<Expr, Diagnostic> {
        self.check_arguments(text, span)?;
        let read = expression(self.program, &self.names, self.symbols.file, text, form)?;
        let n = self.event.args.len() + 1;
        let mut whole = Whole { n, address: false };
        ir::walk::walk_expr(&read, &mut whole);
        if whole.address {
            return Err(Diagnostic::error("unsupported", span, "the address of an argument has no meaning"));
        }
        Ok(read)
    }

    /// What this event does not have.
    fn check_arguments(&self, text: &str, span: Span) -> Result<(), Diagnostic> {
        let (event, n) = (self.event, self.event.args.len());
        let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '$' && c != '_');
        for name in names.filter_map(|w| w.strip_prefix('$')) {
            let message = match name.parse::<usize>() {
                Ok(i) if i > n => {
                    let list = match n {
                        0 => "no arguments".to_owned(),
                        1 => "one argument".to_owned(),
                        n => format!("{n} arguments"),
                    };
                    format!("`{}` has {list} here: there is no `${i}`", event.function)
                }
                Ok(i) if i > 0 && event.args[i - 1].is_none() => {
                    format!("`${i}` of `{}` is a structure, of which rules cannot speak", event.function)
                }
                Err(_) if name == "return" && event.result.is_none() => {
                    format!("`{}` returns nothing: there is no `$return`", event.function)
                }
                _ => continue,
            };
            return Err(Diagnostic::error("undeclared", span, message));
        }
        Ok(())
    }
}

/// A value of another scalar type.
fn converted(ty: Ty, value: Expr, span: Span) -> Result<Expr, Diagnostic> {
    let floats = |t: Ty| matches!(t, Ty::Float(_));
    match (ty, value.ty) {
        (a, b) if floats(a) || floats(b) => {
            Err(Diagnostic::error("type", span, "floating-point values are not supported in rules"))
        }
        (Ty::Bool, _) => Ok(Expr::nonzero(value)),
        _ => Ok(Expr::convert(ty, value)),
    }
}

/// Looks for placeholders that are used otherwise than by their value.
struct Whole {
    n: usize,
    address: bool,
}

impl ir::walk::Visitor for Whole {
    fn expr(&mut self, e: &Expr) {
        let local = |a: &ir::Address| matches!(a.base, ir::Base::Var(Var::Local(l)) if l.index() < self.n);
        self.address |= match &e.kind {
            ir::ExprKind::Addr(a) => local(a),
            ir::ExprKind::Read(p) => p.as_var().is_none() && local(&p.addr),
            _ => false,
        };
    }
}

/// What expressions may name at an event.
fn names(symbols: &Symbols<'_>, event: &Event) -> Names {
    let mut locals: IndexVec<LocalId, Local> = IndexVec::new();
    let mut variables = Vec::new();
    let span = Span::new(symbols.file, 0, 0);
    let mut add = |name: String, arg: Option<&lower::events::Argument>| {
        let ty = arg.map_or(Ty::Ptr, |a| a.value.ty);
        let local = locals.push(Local { name: name.clone(), shape: Shape::Scalar(ty), constant: false, span });
        if let Some(arg) = arg {
            variables.push(Name { name, var: Var::Local(local), ty: arg.ty });
        }
    };
    for (i, arg) in event.args.iter().enumerate() {
        add(format!("${}", i + 1), arg.as_ref());
    }
    add("$return".to_owned(), event.result.as_ref());
    for (d, &id) in symbols.rule.state.iter().zip(&symbols.state) {
        variables.push(Name { name: d.name.clone(), var: Var::Global(id), ty: None });
    }
    for (w, watched) in symbols.rule.watches.iter().zip(&symbols.watches) {
        variables.push(Name { name: w.name.clone(), var: Var::Global(watched.object), ty: None });
    }
    let mut constants = vec![("true".to_owned(), 1), ("false".to_owned(), 0)];
    constants.extend(crate::parse::constants(symbols.rule));
    Names { variables, locals, constants }
}

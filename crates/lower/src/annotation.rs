//! Conditions about a program as C text: predicate files, and whatever else a user says about a program.
//!
//! `cfront` reads and types the text ([`cfront::annotation`]) against the program's own declarations, and what it means is
//! found by lowering it like any other expression. The program need not come from C: a scalar without a declaration has the
//! type that the IR gives it, an object without one is an array of bytes.
//!
//! Conditions are total, as the IR's expressions are: no guards are made, arithmetic wraps around. What cannot be
//! evaluated in one step is refused by name.
//!
//! Reasons of refusal: `syntax`, `undeclared`, `undefined`, `out-of-scope`, `local-in-global`, `symbolic-constant`, `call`,
//! `type`, `unsupported`.

mod declare;
mod evaluate;
#[cfg(test)]
mod tests;

use base::{Diagnostic, FileId};
use cfront::annotation::{Piece, Reader};
use declare::Scopes;
pub(crate) use evaluate::AtEntry;
use ir::annotation::Annotations;
use ir::{DataModel, Expr, FuncId, Program, Var};

/// What a pointer plus an integer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// So many elements further on.
    Exact,
    /// The same pointer: PLDI01's logical memory, for programs that were lowered in the same way.
    Ignored,
}

/// Reads sections of conditions, each headed by a function's name or `global`. A condition with an error is left out; reading
/// goes on behind it.
pub fn read(program: &Program, file: FileId, text: &str, arithmetic: Arithmetic) -> Annotations {
    let mut out = Annotations::default();
    let mut reader = Reader::new(file, text, target(program.model));
    let mut scopes = Scopes::declare(program, &mut reader);
    // `None` before the first heading or behind one that is wrong, which was reported.
    let mut scope: Option<Option<FuncId>> = None;
    let mut headed = false;
    let mut found = Vec::new();
    while let Some(piece) = reader.next() {
        match (piece, scope) {
            (Piece::Heading { name, quoted, span }, _) => {
                headed = true;
                scope = match heading(program, &name, quoted) {
                    Ok(scope) => Some(scope),
                    Err((id, message)) => {
                        out.diagnostics.push(Diagnostic::error(id, span, message));
                        None
                    }
                };
                scopes.enter(&mut reader, scope.flatten());
            }
            (Piece::Condition(Ok(e), span), Some(scope)) => found.push((scope, e, span)),
            (Piece::Condition(Err(d), _), Some(scope)) => {
                out.diagnostics.push(scopes.explain(*d, reader.unknown(), scope));
            }
            (Piece::Condition(_, span), None) if !headed => {
                let message = "a condition needs a scope before it: `global:` or a function's name and `:`";
                out.diagnostics.push(Diagnostic::error("syntax", span, message));
                headed = true;
            }
            (Piece::Condition(..), None) => {}
        }
    }
    evaluate::evaluate(program, &reader.finish(), &scopes, &found, arithmetic, &mut out);
    out
}

/// Reads one condition in a scope: that of a function, or of none.
pub fn condition(program: &Program, scope: Option<FuncId>, file: FileId, text: &str) -> Result<Expr, Diagnostic> {
    let mut out = Annotations::default();
    let mut reader = Reader::new(file, text, target(program.model));
    let mut scopes = Scopes::declare(program, &mut reader);
    scopes.enter(&mut reader, scope);
    let e = reader.only().map_err(|d| scopes.explain(*d, reader.unknown(), scope))?;
    let whole = base::Span::new(file, 0, text.len() as u32);
    evaluate::evaluate(program, &reader.finish(), &scopes, &[(scope, e, whole)], Arithmetic::Exact, &mut out);
    match (out.conditions.pop(), out.diagnostics.pop()) {
        (Some(a), _) => Ok(a.condition),
        (None, d) => Err(d.expect("a condition is evaluated or refused")),
    }
}

/// A name that is no name of the program, or hides one of those.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub name: String,
    /// The variable that it means; a local is one of the list that comes with the names.
    pub var: Var,
    /// Its C type, if the program's declarations have it.
    pub ty: Option<ir::declared::TypeId>,
}

/// What an expression may name besides what the program has outside of functions.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Variables.
    pub variables: Vec<Name>,
    /// What the locals among them are made of.
    pub locals: base::IndexVec<ir::LocalId, ir::Local>,
    /// Constants of type `int`.
    pub constants: Vec<(String, i128)>,
}

/// What an expression is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Its truth.
    Condition,
    /// Its truth, where C defines it whatever the variables hold: what others claim of a program is meant as C has it.
    DefinedCondition,
    /// Its value, of its own type.
    Value,
}

/// Reads one expression over some names and the program's globals, enumerators and types. It stands at the end of `text`, behind
/// blanks only.
pub fn expression(program: &Program, names: &Names, file: FileId, text: &str, form: Form) -> Result<Expr, Diagnostic> {
    let mut reader = Reader::new(file, text, target(program.model));
    let mut scopes = Scopes::declare(program, &mut reader);
    scopes.name(&mut reader, names);
    let read = match form {
        Form::Condition | Form::DefinedCondition => reader.only(),
        Form::Value => reader.only_value(),
    };
    let e = read.map_err(|d| scopes.explain(*d, None, None))?;
    let start = text.len() - text.trim_start().len();
    let whole = base::Span::new(file, start as u32, text.len() as u32);
    let (value, partial) = evaluate::one_expression(program, &reader.finish(), &scopes, &names.locals, e, whole)?;
    if partial && form == Form::DefinedCondition {
        let message = "C does not define a division or a shift in it for all values".to_owned();
        return Err(Diagnostic::error("unsupported", whole, message));
    }
    Ok(value)
}

fn heading(program: &Program, name: &str, quoted: bool) -> Result<Option<FuncId>, (&'static str, String)> {
    match program.function(name) {
        _ if name == "global" && !quoted => Ok(None),
        Some(f) if program.functions[f].body.is_some() => Ok(Some(f)),
        Some(_) => Err(("undefined", format!("`{name}` has no body that conditions could speak about"))),
        None => Err(("undeclared", format!("there is no function `{name}`"))),
    }
}

fn target(model: DataModel) -> cfront::Target {
    match model {
        DataModel::Ilp32 => cfront::Target::Ilp32,
        DataModel::Lp64 => cfront::Target::Lp64,
    }
}

//! What names of a program mean: types, variables, enumeration values, procedures.

use crate::syntax::{Decl, Name, Proc, Program, Stmt, StmtKind};
use base::Diagnostic;
use std::collections::BTreeMap;

/// A type of X.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// Integers.
    Int,
    /// Truth values.
    Bool,
    /// The enumeration with this index in [`Program::enums`].
    Enum(usize),
}

/// The names of a program.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Types of globals.
    pub globals: BTreeMap<String, Type>,
    /// Enumeration values: their type and number.
    pub values: BTreeMap<String, (Type, u64)>,
    types: BTreeMap<String, Type>,
}

impl Names {
    /// The names that are known everywhere, and complaints about what is declared twice or has no such type.
    pub fn new(program: &Program) -> Result<Names, Vec<Diagnostic>> {
        let mut names = Names::default();
        let mut errors = Vec::new();
        names.types.insert("int".to_owned(), Type::Int);
        names.types.insert("bool".to_owned(), Type::Bool);
        for (i, e) in program.enums.iter().enumerate() {
            if names.types.insert(e.name.text.clone(), Type::Enum(i)).is_some() {
                errors.push(twice(&e.name, "type"));
            }
            for (n, value) in e.values.iter().enumerate() {
                if names.values.insert(value.text.clone(), (Type::Enum(i), n as u64)).is_some() {
                    errors.push(twice(value, "value"));
                }
            }
        }
        for g in &program.globals {
            match names.type_of(g) {
                Ok(ty) if names.globals.insert(g.name.text.clone(), ty).is_some() => {
                    errors.push(twice(&g.name, "global"));
                }
                Ok(_) => {}
                Err(e) => errors.push(e),
            }
        }
        let mut procs = BTreeMap::new();
        for proc in &program.procs {
            if procs.insert(&proc.name.text, ()).is_some() {
                errors.push(twice(&proc.name, "procedure"));
            }
        }
        unique_labels(program, &mut errors);
        if errors.is_empty() { Ok(names) } else { Err(errors) }
    }

    /// The type that a declaration names.
    pub fn type_of(&self, d: &Decl) -> Result<Type, Diagnostic> {
        self.types.get(&d.ty.text).copied().ok_or_else(|| {
            let known: Vec<&str> = self.types.keys().map(String::as_str).collect();
            Diagnostic::error("unknown-type", d.ty.span, format!("there is no type `{}`", d.ty.text))
                .with_note(format!("known types: {}", known.join(", ")), None)
        })
    }

    /// The parameters and locals of a procedure with their types, in order.
    pub fn locals(&self, proc: &Proc) -> Result<Vec<(String, Type)>, Diagnostic> {
        let mut out: Vec<(String, Type)> = Vec::new();
        for d in proc.params.iter().chain(&proc.locals) {
            if out.iter().any(|(name, _)| *name == d.name.text) {
                return Err(twice(&d.name, "local"));
            }
            out.push((d.name.text.clone(), self.type_of(d)?));
        }
        Ok(out)
    }
}

fn twice(name: &Name, what: &str) -> Diagnostic {
    Diagnostic::error("declared-twice", name.span, format!("the {what} `{}` is declared twice", name.text))
}

fn unique_labels(program: &Program, errors: &mut Vec<Diagnostic>) {
    let mut seen = BTreeMap::new();
    let mut work: Vec<&Stmt> = program.procs.iter().flat_map(|p| &p.body).rev().collect();
    while let Some(stmt) = work.pop() {
        if let Some(label) = &stmt.label
            && let Some(first) = seen.insert(&label.text, label.span)
        {
            let error =
                Diagnostic::error("declared-twice", label.span, format!("the label [{}] stands twice", label.text));
            errors.push(error.with_note("it stands here first", Some(first)));
        }
        match &stmt.kind {
            StmtKind::If(_, yes, no) => work.extend(no.iter().rev().chain(yes.iter().rev())),
            StmtKind::While(_, body) => work.extend(body.iter().rev()),
            _ => {}
        }
    }
}

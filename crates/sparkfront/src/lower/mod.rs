//! Tree to IR: declarations first ([`names`]), then the bodies of subprograms ([`body`]), then the step before the first
//! one ([`start`]), and last what only the whole program shows ([`alias`]).

mod alias;
mod arrays;
mod body;
mod call;
mod composite;
mod condition;
mod contract;
mod expr;
mod names;
mod ops;
mod order;
mod place;
mod start;
mod stmt;
mod types;

use crate::syntax::{Expr, Name, Subprogram, Unit};
use base::{Diagnostic, Id, IndexVec, SourceMap, Span};
use ir::declared::{Declarations, Declared};
use ir::{Addresses, DataModel, Externs, FuncId, Function, Global, GlobalId, Program, UbTable};
use names::{Entity, Names};
use std::collections::BTreeMap;
use std::sync::Arc;
use types::{Sub, Types};

pub(crate) use crate::parser::R;

/// What is not in the text.
#[derive(Clone, Debug)]
pub struct Options {
    /// The subprogram where the run begins, as the text names it (`P.Proc`); `None`: the one that stands alone, or the only
    /// one that the packages show.
    pub entry: Option<String>,
    /// What variables of packages hold when the run begins.
    pub globals: Globals,
    /// For the program's heading.
    pub model: DataModel,
}

/// What variables of packages hold when the run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Globals {
    /// Their initial values for a subprogram that stands alone, anything of their subtypes for one of a package.
    ByEntry,
    /// Their initial values.
    Initial,
    /// Anything of their subtypes.
    Arbitrary,
}

/// `--% predicate e;`
#[derive(Clone, Debug)]
pub struct PredicateNote {
    /// Over the variables of this function; `None`: over globals.
    pub function: Option<FuncId>,
    /// The condition.
    pub expr: ir::Expr,
    /// Where it stands.
    pub span: Span,
}

/// What became of a text.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// The predicates that annotations ask for.
    pub predicates: Vec<PredicateNote>,
    /// How many errors there are in it.
    pub targets: u64,
}

/// A subprogram: its parts may come from a specification and a body.
pub(crate) struct Unitless<'a> {
    pub(crate) full: String,
    /// The name of its function.
    pub(crate) name: String,
    pub(crate) package: Option<String>,
    pub(crate) spec: &'a Subprogram,
    pub(crate) body: Option<&'a Subprogram>,
    pub(crate) params: Vec<(String, crate::syntax::Mode, Sub)>,
    pub(crate) result: Option<Sub>,
    /// For each scalar parameter that goes out, the variable through which it does.
    pub(crate) slots: Vec<Option<GlobalId>>,
}

/// The program on its way.
pub(crate) struct Context<'a> {
    pub(crate) map: &'a SourceMap,
    pub(crate) types: Types,
    pub(crate) names: Names,
    pub(crate) subprograms: Vec<Unitless<'a>>,
    pub(crate) globals: IndexVec<GlobalId, Global>,
    pub(crate) functions: IndexVec<FuncId, Function>,
    pub(crate) declared: Declared,
    /// Variables of packages in order, with their initial values.
    pub(crate) state: Vec<State<'a>>,
    pub(crate) predicates: Vec<PredicateNote>,
    /// Actual parameters that are globals: which callee must not touch which global.
    pub(crate) passed: Vec<(FuncId, GlobalId, Span)>,
    /// Functions in the sense of SPARK, which change nothing.
    pub(crate) pure: Vec<(FuncId, Span)>,
    /// Subprograms with others in them, whose objects exist once.
    pub(crate) outers: Vec<(FuncId, Span)>,
    /// What a subprogram with array parameters without bounds is for some bounds.
    pub(crate) instances: BTreeMap<(usize, Vec<types::TypeId>), usize>,
    /// What components of records begin with, where the type says so.
    pub(crate) defaults: BTreeMap<(types::TypeId, usize), Default>,
}

/// What a component of a record begins with: an expression, in the scopes of its type.
#[derive(Clone)]
pub(crate) struct Default {
    pub(crate) value: Expr,
    pub(crate) package: Option<String>,
    pub(crate) scopes: Vec<BTreeMap<String, Entity>>,
}

/// A function whose body comes later.
pub(crate) fn empty_function(name: String, span: Span) -> Function {
    Function {
        name,
        linkage: ir::Linkage::Internal,
        n_params: 0,
        variadic: false,
        locals: IndexVec::new(),
        ret: None,
        body: None,
        span,
    }
}

/// A variable or constant of a package.
pub(crate) struct State<'a> {
    pub(crate) global: GlobalId,
    pub(crate) sub: Sub,
    pub(crate) constant: bool,
    pub(crate) value: Option<&'a Expr>,
    pub(crate) package: Option<String>,
    pub(crate) span: Span,
}

pub(crate) fn lower(map: &SourceMap, units: &[Unit], options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    let mut context = Context {
        map,
        types: Types::new(),
        names: Names::default(),
        outers: Vec::new(),
        instances: BTreeMap::new(),
        defaults: BTreeMap::new(),
        subprograms: Vec::new(),
        globals: IndexVec::new(),
        functions: IndexVec::new(),
        declared: Declared::default(),
        state: Vec::new(),
        predicates: Vec::new(),
        passed: Vec::new(),
        pure: Vec::new(),
    };
    context.predefine();
    let statements = context.declare_units(units).map_err(|e| vec![e])?;
    let mut errors = Vec::new();
    let entry = context.entry(options).map_err(|e| errors.push(e)).ok();
    let mut i = 0;
    // Calls add subprograms: those with array parameters for the bounds that they are called with.
    while i < context.subprograms.len() {
        match context.subprogram(i) {
            Ok(function) => context.functions[FuncId::from_index(i)] = function,
            Err(e) => errors.push(e),
        }
        i += 1;
    }
    let Some(entry) = entry.filter(|_| errors.is_empty()) else { return Err(errors) };
    if context.is_template(entry) {
        let message = "a run cannot begin in a subprogram with an array parameter without bounds".to_owned();
        return Err(vec![Diagnostic::error("unsupported", context.subprograms[entry].spec.name.span, message)]);
    }
    let start = context.start(entry, options, &statements).map_err(|e| vec![e])?;
    let program = Program {
        model: options.model,
        ub: UbTable::default(),
        externs: Externs::Pure,
        addresses: Addresses::default(),
        globals: context.globals,
        functions: context.functions,
        sites: IndexVec::new(),
        entry: start,
        declared: Declarations(Arc::new(context.declared)),
    };
    alias::check(&program, &context.passed, &context.pure, &context.outers)?;
    let bodies = program.functions.iter().filter_map(|f| f.body.as_ref());
    let targets = bodies.flat_map(|b| &b.edges).filter(|e| matches!(e.op, ir::Op::Error(_))).count() as u64;
    Ok(Lowered { program, predicates: context.predicates, targets })
}

impl Context<'_> {
    /// The text of a span on one line.
    pub(crate) fn text(&self, span: Span) -> String {
        let text = &self.map.file(span.file).text[span.lo as usize..span.hi as usize];
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The subprogram where the run begins.
    fn entry(&self, options: &Options) -> R<usize> {
        let bodies = || self.subprograms.iter().enumerate().filter(|(_, s)| s.body.is_some());
        if let Some(wanted) = &options.entry {
            let wanted = wanted.to_lowercase();
            let is = |s: &Unitless<'_>| s.full == wanted || s.full.ends_with(&format!(".{wanted}"));
            return bodies().find(|(_, s)| is(s)).map(|(i, _)| i).ok_or_else(|| {
                Diagnostic::global("no-entry", format!("there is no subprogram `{wanted}` to begin with"))
            });
        }
        let alone = bodies().filter(|(_, s)| s.package.is_none() && !s.full.contains('.')).collect::<Vec<_>>();
        let shown = bodies().collect::<Vec<_>>();
        match (&alone[..], &shown[..]) {
            ([(i, _)], _) | ([], [(i, _)]) => Ok(*i),
            _ => {
                let all: Vec<&str> = shown.iter().map(|(_, s)| s.full.as_str()).collect();
                let message = format!("several subprograms could begin ({}): --entry says which", all.join(", "));
                Err(Diagnostic::global("no-entry", message))
            }
        }
    }

    /// Complains about a name.
    pub(crate) fn unknown<T>(&self, name: &Name) -> R<T> {
        Err(Diagnostic::error("undeclared", name.span, format!("there is no `{}`", name.text)))
    }

    /// The subtype with this name, seen from a package.
    pub(crate) fn subtype_named(
        &self,
        name: &Name,
        inside: Option<&str>,
        inner: &[BTreeMap<String, Entity>],
    ) -> R<Sub> {
        match self.names.find(&name.text, inside, inner) {
            Some(Entity::Subtype(sub)) => Ok(*sub),
            Some(_) => Err(types::mismatch(name.span, format!("`{}` is no type", name.text))),
            None if ["float", "long_float", "duration", "wide_string", "wide_character"]
                .contains(&name.text.as_str()) =>
            {
                let message = format!("the type {} is not in the subset of SPARK that is supported", name.text);
                Err(Diagnostic::error("unsupported", name.span, message))
            }
            None => self.unknown(name),
        }
    }
}

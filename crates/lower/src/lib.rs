//! Typed C tree to IR: control flow, sequencing, places and guards. The only place that knows what C's constructs mean.
//!
//! [`lower`] takes the trees of all translation units of a program, links them and lowers what the entry function can
//! reach over calls and addresses of functions. What cannot be lowered is an [`ir::Op::Unsupported`] edge at its place.
//!
//! How C appears in the IR, where the IR leaves a choice:
//! - **Order of evaluation** is left to right. A value is kept in a temporary only if something that is evaluated later
//!   may change it.
//! - **Guards** of an expression stand on the edge that evaluates it, on both edges of a branch. Where `&&`, `||` or `?:`
//!   stays an expression, a guard of the operand that may be skipped is weakened to "if it is evaluated".
//! - **Names.** Locals are `x`, a shadowing one `x.2`, temporaries `$t1`; static locals `f.x`; string literals `.str.N`.
//! - **Structure parameters** are pointers `$s` to an object of the caller, copied to the local `s` on entry.
//! - **Structure results** are written through a hidden first parameter `$dst`.
//! - **Variadic functions** with a body take a hidden last parameter `$va`: the address of an object of the caller in which
//!   the further arguments follow each other, each at a multiple of 8 bytes. A `va_list` holds the
//!   address of the next one in its first bytes. Direct calls of functions without a body pass further arguments plainly.
//! - **Variable length arrays** are pointers to a stack allocation; `&a` of one is the value of that pointer.
//! - **Results.** The local `$result` holds a function's value; falling off the end leaves it arbitrary (`main`: 0).
//! - **Locals** are written before they are read, on every path: [`definite`].

pub mod annotation;
mod arith;
mod asm;
mod assign;
mod atomics;
mod builtin;
mod call;
mod callbacks;
mod callees;
mod context;
mod conversion;
mod decays;
mod declared;
mod definite;
mod effects;
mod errno;
pub mod events;
mod exit;
mod exposure;
mod expr;
mod fold;
mod format;
mod function;
mod global;
mod graph;
mod grown;
mod identity;
mod init;
pub mod interrupts;
mod jumps;
mod known;
mod label;
mod learned;
mod libc;
mod lines;
mod link;
mod logical;
mod model;
mod modes;
mod moved;
mod nested;
mod number_text;
mod output;
mod outside;
mod padding;
mod place;
mod printed;
mod readable;
mod record;
mod rounding;
mod scanned;
mod scopes;
mod sorting;
mod spelt;
mod start;
mod stmt;
mod strings;
mod tables;
mod types;
mod volatile;
mod weak;

pub use callbacks::Callbacks;

use base::{Diagnostic, Span};
use cfront::tree::Unit;
use ir::{Externs, Program, UbTable};

/// What to lower and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function the run begins with.
    pub entry: String,
    /// What breaks the property.
    pub targets: Targets,
    /// What undefined functions may change.
    pub externs: Externs,
    /// When undefined functions call functions of the program. Those that change nothing ([`Externs::Pure`]) never do.
    pub callbacks: Callbacks,
    /// Where objects lie.
    pub addresses: ir::Addresses,
    /// What the pointers are that an entry other than `main` is given.
    pub params: Params,
    /// What globals hold when the run begins.
    pub globals: Globals,
    /// Whether `malloc` and its kin may give null.
    pub malloc_may_fail: bool,
    /// What each kind of undefined behaviour means.
    pub ub: UbTable,
    /// Whether every read of a volatile object gives an arbitrary value.
    pub volatile_nondet: bool,
    /// Whether stores and copies leave padding as it is. (Initialisers make it arbitrary all the same.)
    pub padding_kept: bool,
    /// PLDI01's logical memory: `p + i` is `p`, so that all elements of an array are one. The program that comes out is not the
    /// one that went in: for comparing counts with the paper's, never for a verdict.
    pub logical_memory: bool,
    /// Lower every function that is defined, and start with the first if the entry function is not: for units that are
    /// parts of a program.
    pub everything: bool,
    /// Make what the program prints to its standard output visible to an observer of its runs.
    pub output: bool,
    /// The functions whose calls and returns are steps of the program that an observer can find.
    pub watched: events::Watched,
    /// Functions without a body that write nothing that the program looks at, and call nothing back.
    pub quiet: events::Watched,
    /// A block of memory that is still allocated when the program ends is a defect.
    pub leaks: bool,
    /// The function that may run before any statement of others.
    pub interrupt: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            entry: "main".to_owned(),
            targets: Targets::default(),
            externs: Externs::Args,
            callbacks: Callbacks::During,
            addresses: ir::Addresses::User,
            params: Params::Any,
            globals: Globals::Initial,
            malloc_may_fail: true,
            ub: UbTable::default(),
            volatile_nondet: false,
            padding_kept: false,
            logical_memory: false,
            everything: false,
            output: false,
            watched: events::Watched::default(),
            quiet: events::Watched::default(),
            leaks: false,
            interrupt: None,
        }
    }
}

/// What the pointers are that are parameters of an entry other than `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Params {
    /// Anything: null, into objects that the outside knows, and outside.
    Any,
    /// The same, but not null.
    Nonnull,
    /// To the start of an object that is at least as large as their type, or an array of them: of a global that the outside
    /// knows, of what another parameter points to, or of one outside.
    Valid,
    /// To the start of such an object outside, each to another.
    Distinct,
    /// Each into an object of its own, and so do, or are null, all pointers in these and in globals: [`grown`].
    Tree,
}

/// What globals hold when the run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Globals {
    /// What their definitions say.
    Initial,
    /// Anything, but for constants.
    Arbitrary,
}

/// Whether a site or a source of arbitrary values, by its name, is there because the outside prepares the start of the program.
pub fn is_prepared(name: &str) -> bool {
    start::NAMES.iter().any(|begins| name.starts_with(begins))
}

/// What breaks the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Targets {
    /// Functions that must not be entered, with a body or without.
    pub functions: Vec<String>,
    /// Whether a failing assertion is an error; otherwise it ends the run.
    pub assertions: bool,
}

impl Default for Targets {
    /// `reach_error`, `__VERIFIER_error` and assertions.
    fn default() -> Targets {
        Targets { functions: vec!["reach_error".to_owned(), "__VERIFIER_error".to_owned()], assertions: true }
    }
}

impl Targets {
    /// Only `function` and the old name of such functions.
    pub fn only(function: &str) -> Targets {
        let mut functions = vec![function.to_owned()];
        if function != "__VERIFIER_error" {
            functions.push("__VERIFIER_error".to_owned());
        }
        Targets { functions, assertions: false }
    }

    fn contains(&self, name: &str) -> bool {
        self.functions.iter().any(|f| f == name)
    }
}

/// A lowered program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Where something was not lowered and why, in the order of functions and edges.
    pub unsupported: Vec<(Span, String)>,
    /// C statements in the functions that were lowered: blocks and labels do not count.
    pub statements: u64,
    /// Targets in the functions that were lowered, also in code that is never reached and has left the program.
    pub targets: u64,
    /// What was watched.
    pub events: events::Events,
}

/// Lowers a program made of these units, which all have the same data model.
pub fn lower(units: &[Unit], options: &Options) -> Result<Lowered, Vec<Diagnostic>> {
    let link = link::link(units)?;
    let found = link.entry(units, &options.entry).or_else(|| first_defined(units).filter(|_| options.everything));
    let Some(entry) = found else {
        return Err(vec![Diagnostic::global("no-entry", format!("no function `{}`", options.entry))]);
    };
    let (u, f) = (&units[entry.0 as usize], entry.1);
    if u.funcs[f].body.is_none() {
        let message = format!("function `{}` is declared but not defined", options.entry);
        return Err(vec![Diagnostic::error("no-entry", u.funcs[f].span, message)]);
    }
    let learned = learned::learn(units, options, entry)?;
    let interrupt = interrupts::handler(units, options, &link)?;
    let mut context = context::Context::new(units, options, link);
    context.interrupt = interrupt;
    let context::Made { mut program, statements, targets, mut events } = context.run(entry, &learned);
    let pure = options.externs == Externs::Pure;
    callees::resolve(&mut program, if pure { Callbacks::None } else { options.callbacks }, |program| {
        events::around_calls(program, &options.watched, &mut events);
        events::at_keeps(program, &options.watched, &options.quiet, &mut events);
        events::quieten(program, &options.quiet);
    });
    modes::follow(&mut program);
    if options.params == Params::Tree {
        grown::grow(&mut program);
    }
    if options.leaks {
        ir::leaks::track(&mut program, &|site| !is_prepared(&site.name));
    }
    ir::checks::expose(&mut program);
    let unsupported = program
        .functions
        .iter()
        .filter_map(|f| f.body.as_ref())
        .flat_map(|b| b.edges.iter())
        .filter_map(|e| match &e.op {
            ir::Op::Unsupported(why) if ir::calls::is_unsupported_construct(&e.op) => Some((e.span, why.clone())),
            _ => None,
        })
        .collect();
    Ok(Lowered { program, unsupported, statements, targets, events })
}

/// The first function with a body.
fn first_defined(units: &[Unit]) -> Option<link::Entity<cfront::tree::FuncId>> {
    let defined = |unit: &Unit| unit.funcs.iter_enumerated().find(|(_, f)| f.body.is_some()).map(|(id, _)| id);
    units.iter().enumerate().find_map(|(u, unit)| defined(unit).map(|id| (u as u32, id)))
}

//! The syntax tree of a boolean program as written: names unresolved, control structured. Lives between parser and
//! lowering only.

use base::Span;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Decl {
    pub(super) name: Name,
    pub(super) init: Option<bool>,
}

#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) globals: Vec<Decl>,
    pub(super) procs: Vec<ProcText>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct ProcText {
    pub(super) name: Name,
    pub(super) n_returns: usize,
    pub(super) formals: Vec<Name>,
    pub(super) body: Vec<Item>,
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) labels: Vec<Name>,
    pub(super) stmt: StmtText,
    pub(super) constrain: Option<ExprText>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum StmtText {
    Skip,
    Goto(Vec<Name>),
    Return(Vec<ExprText>),
    /// `None` is the target `_`.
    Assign(Vec<Option<Name>>, Vec<ExprText>),
    Call(Vec<Option<Name>>, Name, Vec<ExprText>),
    If(Vec<(ExprText, Vec<Item>)>, Vec<Item>),
    While(ExprText, Vec<Item>),
    DoWhile(Vec<Item>, ExprText),
    Block(Vec<Item>),
    Assume(ExprText),
    Assert(ExprText),
    Print(Vec<ExprText>),
    Dead(Vec<Name>),
    Decl(Vec<Decl>),
    Enforce(ExprText),
}

#[derive(Clone, Debug)]
pub(super) struct ExprText {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Const(bool),
    Nondet,
    Name(String),
    Next(String),
    Not(Box<ExprText>),
    And(Vec<ExprText>),
    Or(Vec<ExprText>),
    Xor(Box<ExprText>, Box<ExprText>),
    Eq(Box<ExprText>, Box<ExprText>),
    Implies(Box<ExprText>, Box<ExprText>),
    Ite(Box<ExprText>, Box<ExprText>, Box<ExprText>),
    Choose(Box<ExprText>, Box<ExprText>),
    /// `f(e, …)`: legal as a whole right-hand side only; `choose`-like functions are recognised when lowering.
    Call(Name, Vec<ExprText>),
}

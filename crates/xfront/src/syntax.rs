//! The data types of X (TR00 §2, fig 2), and nothing else.
//!
//! Names are kept as written: [`crate::resolve`](mod@crate::resolve) finds out what they mean. Labels are optional here although the paper gives
//! one to each statement; those that are there are unique in the program.

use base::Span;

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Program {
    /// Finite enumerations, in order.
    pub enums: Vec<Enum>,
    /// Global variables, in order.
    pub globals: Vec<Decl>,
    /// Procedures, in order.
    pub procs: Vec<Proc>,
}

/// `enum name { a, b, c };`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// The name of the type.
    pub name: Name,
    /// Its values, from 0.
    pub values: Vec<Name>,
}

/// `name : type ;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    /// The variable.
    pub name: Name,
    /// The name of its type: `int`, `bool` or an enumeration.
    pub ty: Name,
}

/// A word of the text.
#[derive(Clone, Debug, Eq)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Where it stands; takes no part in comparisons.
    pub span: Span,
}

/// A procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proc {
    /// Its name.
    pub name: Name,
    /// Formal parameters, passed by value.
    pub params: Vec<Decl>,
    /// Local variables; they start arbitrary.
    pub locals: Vec<Decl>,
    /// The statements.
    pub body: Vec<Stmt>,
}

/// A statement with its label.
#[derive(Clone, Debug, Eq)]
pub struct Stmt {
    /// What stands between the brackets.
    pub label: Option<Name>,
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands; takes no part in comparisons.
    pub span: Span,
}

/// The forms of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// Nothing.
    Skip,
    /// All expressions are evaluated, then all variables change.
    Assign(Vec<Name>, Vec<Expr>),
    /// A choice.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A loop.
    While(Expr, Vec<Stmt>),
    /// Goes to `err` if the expression is false.
    Assert(Expr),
    /// Goes on only if the expression is true: what TR00 §4 makes of conditions (there it is written `assert` too).
    Assume(Expr),
    /// Runs a procedure.
    Call(Name, Vec<Expr>),
    /// Ends the procedure.
    Return,
}

/// An expression.
#[derive(Clone, Debug, Eq)]
pub struct Expr {
    /// How its value comes about.
    pub kind: ExprKind,
    /// Where it stands; takes no part in comparisons.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number.
    Int(u64),
    /// A truth value.
    Bool(bool),
    /// `?`: either truth value, each time it is evaluated.
    Unknown,
    /// A variable or an enumeration's value.
    Name(String),
    /// `-e`
    Neg(Box<Expr>),
    /// `!e`
    Not(Box<Expr>),
    /// Two operands.
    Binary(Op, Box<Expr>, Box<Expr>),
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    /// `|`
    Or,
    /// `&`
    And,
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
}

impl Op {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Op::Or => "|",
            Op::And => "&",
            Op::Eq => "=",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Rem => "%",
        }
    }

    /// How tightly it binds.
    pub fn level(self) -> u8 {
        match self {
            Op::Or => 0,
            Op::And => 1,
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => 2,
            Op::Add | Op::Sub => 3,
            Op::Mul | Op::Div | Op::Rem => 4,
        }
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.text == other.text
    }
}

impl PartialEq for Stmt {
    fn eq(&self, other: &Stmt) -> bool {
        self.label == other.label && self.kind == other.kind
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

impl Stmt {
    /// A statement without a label.
    pub fn new(kind: StmtKind, span: Span) -> Stmt {
        Stmt { label: None, kind, span }
    }
}

impl Expr {
    /// An expression.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, span }
    }

    /// Its opposite.
    #[must_use]
    pub fn negated(self) -> Expr {
        let span = self.span;
        match self.kind {
            ExprKind::Bool(b) => Expr::new(ExprKind::Bool(!b), span),
            ExprKind::Not(e) => *e,
            kind => Expr::new(ExprKind::Not(Box::new(Expr::new(kind, span))), span),
        }
    }
}

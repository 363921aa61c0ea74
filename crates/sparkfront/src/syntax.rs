//! The tree of a SPARK text, and nothing else. Names are in lower case (Ada does not tell cases apart); spans point at
//! the text.

use base::Span;

/// A word with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// In lower case; with dots for a selected name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A compilation unit.
#[derive(Clone, Debug)]
pub enum Unit {
    /// `package P is … end P;`
    Spec(Package),
    /// `package body P is … end P;`
    Body(Package),
    /// A subprogram that stands alone.
    Subprogram(Subprogram),
}

/// A package's specification or body.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: Name,
    /// What it declares, the private part included.
    pub items: Vec<Item>,
    /// The statements that a body ends with.
    pub statements: Vec<Stmt>,
    /// The packages that it is `with`.
    pub withs: Vec<String>,
    /// Where its private part begins among the items, and where the visible part stands in the text.
    pub private: Option<(usize, Span)>,
    /// What the visible part declares and leaves to the private part: private types.
    pub partial: Vec<Name>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Item {
    /// A type or subtype.
    Type(Name, TypeDef),
    /// Variables or constants; a constant has a value.
    Object(Object),
    /// `N : constant := 5;`
    Number(Name, Expr),
    /// A subprogram, with or without its body.
    Subprogram(Subprogram),
    /// `--% predicate e;` among declarations: it is about globals.
    Predicate(Expr),
    /// A package, or a body of one, inside of something.
    Package(Package),
    /// `N : T renames e;`
    Renaming(Name, Name, Expr),
}

/// Variables or constants of one type.
#[derive(Clone, Debug)]
pub struct Object {
    /// Their names.
    pub names: Vec<Name>,
    /// Whether they cannot change.
    pub constant: bool,
    /// Their type.
    pub ty: Subtype,
    /// How they start.
    pub value: Option<Expr>,
}

/// A type's name, perhaps with a range, or with the indices of an array.
#[derive(Clone, Debug)]
pub struct Subtype {
    /// The type.
    pub name: Name,
    /// `range L .. H`
    pub range: Option<(Expr, Expr)>,
    /// `(L .. H)`
    pub index: Option<Box<Indices>>,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeDef {
    /// `subtype S is …`
    Subtype(Subtype),
    /// `range L .. H`
    Range(Expr, Expr),
    /// `mod N`
    Modular(Expr),
    /// `(A, B, C)`
    Enumeration(Vec<Name>),
    /// `array (I, J) of T`
    Array(Vec<Indices>, Subtype),
    /// `array (I range <>) of T`
    Unconstrained(Name, Subtype),
    /// `record … end record`; components may have values to begin with.
    Record(Vec<(Name, Subtype, Option<Expr>)>),
    /// `new T range …`
    Derived(Subtype),
}

/// The indices of one dimension, and what a loop or `in` goes over.
#[derive(Clone, Debug)]
pub enum Indices {
    /// `L .. H`
    Range(Expr, Expr),
    /// A discrete subtype.
    Subtype(Subtype),
    /// `A'Range` or `A'Range (n)`
    Of(Expr, Option<Box<Expr>>),
    /// `of A`: the elements of an array.
    Elements(Expr),
}

/// A procedure, or a function if it has a result.
#[derive(Clone, Debug)]
pub struct Subprogram {
    /// Its name.
    pub name: Name,
    /// Its parameters in order.
    pub params: Vec<Param>,
    /// The result's type.
    pub result: Option<Name>,
    /// `Pre`, in order.
    pub pre: Vec<Expr>,
    /// `Post`, in order.
    pub post: Vec<Expr>,
    /// `Contract_Cases`: conditions at the entry, no condition being `others`, and what then holds at the end.
    pub cases: Vec<(Option<Expr>, Expr)>,
    /// Defined elsewhere: `with Import`.
    pub imported: bool,
    /// Its body.
    pub body: Option<Body>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Which way values go.
    pub mode: Mode,
    /// Its type.
    pub ty: Name,
    /// What it is if a call does not say.
    pub default: Option<Expr>,
}

/// Which way the value of a parameter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To the subprogram.
    In,
    /// From it.
    Out,
    /// Both.
    InOut,
}

/// The body of a subprogram.
#[derive(Clone, Debug)]
pub enum Body {
    /// `is … begin … end`
    Statements(Vec<Item>, Vec<Stmt>),
    /// `is (expression)`
    Expression(Expr),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `null;`
    Null,
    /// `x := e;`
    Assign(Expr, Expr),
    /// A procedure call.
    Call(Expr),
    /// Conditions with what they lead to, and `else`.
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    /// `case`; choices are values, ranges and, as an empty list, `others`.
    Case(Expr, Vec<(Vec<Choice>, Vec<Stmt>)>),
    /// A loop with its name.
    Loop(Option<Name>, Scheme, Vec<Stmt>),
    /// `exit name when e;`
    Exit(Option<Name>, Option<Expr>),
    /// `return e;`
    Return(Option<Expr>),
    /// `declare … begin … end;`
    Block(Vec<Item>, Vec<Stmt>),
    /// Must hold: `pragma Assert`, `--% assert`, `pragma Loop_Invariant`, with the word for messages.
    Assert(&'static str, Expr),
    /// Taken for granted: `pragma Assume`, `--% assume`.
    Assume(Expr),
    /// `--% predicate e;`: tracked by the abstraction.
    Predicate(Expr),
    /// `raise E;`
    Raise(Name),
    /// `pragma Loop_Variant (Increases => a, Decreases => b)`: true for what increases.
    Variant(Vec<(bool, Expr)>),
}

/// What a loop goes on for.
#[derive(Clone, Debug)]
pub enum Scheme {
    /// Until an `exit`.
    Forever,
    /// While a condition holds.
    While(Expr),
    /// Over a range, perhaps backwards.
    For(Name, bool, Indices),
}

/// A choice of a `case`, an aggregate, or a membership test.
#[derive(Clone, Debug)]
pub enum Choice {
    /// One value, or the name of a component or subtype.
    Value(Expr),
    /// `L .. H`
    Range(Expr, Expr),
    /// `others`
    Others,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// How its value comes about.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number.
    Int(i128),
    /// A name without a dot.
    Name(String),
    /// `e.f`: a component, or something of a package.
    Select(Box<Expr>, Name),
    /// `f (a, b => c)`: a call, an indexed component or a conversion.
    Apply(Box<Expr>, Vec<(Option<Name>, Expr)>),
    /// `e'attr (args)`
    Attribute(Box<Expr>, Name, Vec<Expr>),
    /// `T'(e)`
    Qualified(Box<Expr>, Box<Expr>),
    /// One operand.
    Unary(UnOp, Box<Expr>),
    /// Two operands.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `e in choices`; negated for `not in`.
    In(Box<Expr>, Vec<Choice>, bool),
    /// `(if c then a elsif … else b)`; without `else` it is true.
    If(Vec<(Expr, Expr)>, Option<Box<Expr>>),
    /// `(case e is when … => …)`
    Case(Box<Expr>, Vec<(Vec<Choice>, Expr)>),
    /// `(for all i in r => e)`; or `for some`.
    Quantified(bool, Name, Box<Indices>, Box<Expr>),
    /// `(a, b, c => d, others => e)`; a string is one of characters.
    Aggregate(Vec<(Vec<Choice>, Expr)>),
    /// `(a with delta b => c)`
    Delta(Box<Expr>, Vec<(Vec<Choice>, Expr)>),
    /// `a (L .. H)`
    Slice(Box<Expr>, Box<(Expr, Expr)>),
    /// `<>` in an aggregate: what a component begins with.
    Default,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnOp {
    /// `-`
    Neg,
    /// `+`
    Plus,
    /// `abs`
    Abs,
    /// `not`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinOp {
    /// `and`
    And,
    /// `or`
    Or,
    /// `xor`
    Xor,
    /// `and then`
    AndThen,
    /// `or else`
    OrElse,
    /// `=`
    Eq,
    /// `/=`
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
    /// `mod`
    Mod,
    /// `rem`
    Rem,
    /// `**`
    Power,
}

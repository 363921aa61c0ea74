//! A rule as data. Expressions stay text: what they mean depends on the types of the program.

use base::Span;

/// A rule.
#[derive(Clone, Debug, Default)]
pub struct Rule {
    /// Its name, which is not part of its text: `linux/spinlock`.
    pub name: String,
    /// What it demands, in one line.
    pub title: Option<String>,
    /// How bad it is to break it.
    pub severity: Severity,
    /// What there is to know about it.
    pub doc: Option<String>,
    /// The functions that make the rule apply to a program; every function with an event if there are none.
    pub applies: Vec<Pattern>,
    /// Functions that, without a body, write nothing that the program looks at.
    pub quiet: Vec<Pattern>,
    /// Further names of functions.
    pub aliases: Vec<Alias>,
    /// What the rule remembers.
    pub state: Vec<Declaration>,
    /// The objects it is about.
    pub watches: Vec<Watch>,
    /// What it does when something happens, in order.
    pub handlers: Vec<Handler>,
}

/// How bad it is to break a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The program is wrong.
    #[default]
    Error,
    /// The program is probably wrong.
    Warning,
}

/// A name, or the beginning of names if it ends with `*`.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As it is written.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// `alias f = g, h;`: whatever the rule says of `f` it says of `g` and `h` too.
#[derive(Clone, Debug)]
pub struct Alias {
    /// The name in the rule.
    pub name: Pattern,
    /// The names in programs.
    pub others: Vec<Pattern>,
}

/// A declaration of the state.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its type.
    pub ty: StateType,
    /// Its name.
    pub name: String,
    /// How it starts.
    pub init: i128,
    /// How that is written, if it is.
    pub init_text: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// A type of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateType {
    /// An integer type of C, as it is written.
    Int(IntType),
    /// `void *`; starts as null.
    Pointer,
    /// `enum { a, b }`, which is an `int`.
    Enum(Vec<String>),
}

/// The integer types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntType {
    /// `bool`.
    Bool,
    /// `char`, signed or not.
    Char(bool),
    /// `short`.
    Short(bool),
    /// `int`.
    Int(bool),
    /// `long`.
    Long(bool),
    /// `long long`.
    LongLong(bool),
}

/// `watch name = f.entry.$1, g.exit.$return;`: one object, chosen when one of the events happens.
#[derive(Clone, Debug)]
pub struct Watch {
    /// What the rule calls it.
    pub name: String,
    /// Whether the rule says so itself.
    pub named: bool,
    /// The events that may choose it.
    pub choices: Vec<Choice>,
    /// Where it stands.
    pub span: Span,
}

/// An event that may choose an object.
#[derive(Clone, Debug)]
pub struct Choice {
    /// When.
    pub event: EventPattern,
    /// The object.
    pub value: Text,
}

/// Which events.
#[derive(Clone, Debug)]
pub struct EventPattern {
    /// Of which functions.
    pub target: Target,
    /// When.
    pub moment: Moment,
    /// Where it stands.
    pub span: Span,
}

/// Whose events.
#[derive(Clone, Debug)]
pub enum Target {
    /// Of the functions with these names.
    Functions(Vec<Pattern>),
    /// `$entry`: of the function the run begins with.
    EntryPoint,
    /// `$end`: the program's.
    Program,
}

/// When an event happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// At the call.
    Entry,
    /// At the return.
    Exit,
    /// At the end.
    End,
}

/// What a rule does at events.
#[derive(Clone, Debug)]
pub struct Handler {
    /// Which events.
    pub event: EventPattern,
    /// Only if this is the watched object.
    pub guard: Option<Guard>,
    /// What it does.
    pub body: Vec<Statement>,
}

/// `[guard $1]`, `[guard $1 is name]`.
#[derive(Clone, Debug)]
pub struct Guard {
    /// What is asked.
    pub value: Text,
    /// Which watched object is meant, if it is said.
    pub watch: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// A statement and where it stands.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `x = e;`, `x += e;`, `x++;`
    Assign {
        /// The variable of the state.
        name: String,
        /// The operator before `=`; empty for a plain assignment.
        operator: String,
        /// The value; none for `++` and `--`.
        value: Option<Text>,
    },
    /// `if (e) … else …`.
    If {
        /// The condition.
        condition: Text,
        /// What to do if it holds.
        then: Vec<Statement>,
        /// What to do if not.
        otherwise: Vec<Statement>,
    },
    /// `abort "message";`: the rule is broken.
    Abort(String),
    /// `halt;`: this run is not followed any further.
    Halt,
}

/// A C expression as it stands in the rule.
#[derive(Clone, Debug)]
pub struct Text {
    /// Its words, with one blank between each two.
    pub words: String,
    /// Where it stands.
    pub span: Span,
}

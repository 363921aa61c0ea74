//! Contracts of functions without a body: what their results are and what they write. A small file has a line for each:
//!
//! ```text
//! # what the platform promises
//! dev_get_drvdata   returns nonnull, writes nothing
//! read_status       returns 0..255, may fail
//! read_block        returns 0, may fail, writes $3 bytes at $2
//! pool_alloc        returns fresh $2 bytes zeroed if $3 & 0x100, may fail, writes nothing
//! ```
//!
//! What is only about results becomes what a rule can say ([`as_rule`]): `halt` at a return that does not happen, and `quiet`. A contract
//! that writes or allocates becomes a body in C ([`mod@body`]). Both need the types of the program ([`Signature`]). Without a
//! contract a function returns anything of its type.

mod body;
mod text;

pub use body::{DECLARATIONS, as_rule, body};
pub use text::parse;

/// A contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The function.
    pub function: String,
    /// Conditions on the result, each an operator of C and a number: all hold.
    pub returns: Vec<(&'static str, i128)>,
    /// It returns the address of memory that nobody else has.
    pub fresh: Option<Fresh>,
    /// It may give null or a negative number instead.
    pub may_fail: bool,
    /// What it writes.
    pub writes: Writes,
    /// In which line it stands, from 1.
    pub line: usize,
}

/// Memory that a function gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// How many bytes: an expression, or a product of two that does not overflow; empty for as many as the type of the result has.
    pub size: Vec<String>,
    /// Whether they are zero.
    pub zeroed: Zeroed,
}

/// Whether memory is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Zeroed {
    /// Its bytes are arbitrary.
    No,
    /// It is.
    Always,
    /// It is if this condition holds.
    If(String),
}

/// What a function writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Nothing is said: what undefined functions may write.
    Unsaid,
    /// Nothing that the program looks at.
    Nothing,
    /// Any bytes to these ranges, where the argument is not null: the number of the argument, from 1, and how many bytes; none for as many as
    /// the type that it points to has.
    Ranges(Vec<(usize, Option<String>)>),
}

impl Contract {
    /// Whether it does more than a rule can say.
    pub fn needs_body(&self) -> bool {
        self.fresh.is_some() || matches!(self.writes, Writes::Ranges(_))
    }
}

/// The types of a function, as far as calls depend on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// What it returns; nothing for `void`.
    pub result: Option<Value>,
    /// Its parameters.
    pub params: Vec<Value>,
    /// Whether more arguments may follow.
    pub variadic: bool,
}

/// A type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// A type of C that is passed in the same way.
    pub text: String,
    /// What kind of type.
    pub kind: Kind,
}

/// A kind of type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A pointer, and the size of what it points to; none where that has no size or one that says nothing (`void`, `char`).
    Pointer(Option<u64>),
    /// An integer with a sign.
    Signed,
    /// One without.
    Unsigned,
    /// Anything else.
    Other,
}

/// What is wrong, and where: line and column from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// What.
    pub message: String,
}

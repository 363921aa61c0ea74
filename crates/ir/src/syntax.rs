//! The data types of the program language, and nothing else. `docs/ir.md` is the manual, [`crate::validate`] the list
//! of invariants, [`crate::interp`] the meaning.
//!
//! A program is a set of globals and functions; a function is a graph of locations and edges. One edge is one step:
//! its guards are looked at first, then its operation happens. Expressions are pure, total and typed, and every
//! conversion is explicit. Partiality of C's operators lives in the guards alone.

use base::{IndexVec, Span, define_id};

define_id!(pub GlobalId, "@", "A global variable of a [`Program`].");
define_id!(pub FuncId, "f", "A function of a [`Program`].");
define_id!(pub LocalId, "%", "A local variable (parameters first) of a [`Function`].");
define_id!(pub Loc, "L", "A location of a [`Body`].");
define_id!(pub EdgeId, "e", "An edge of a [`Body`].");
define_id!(pub SiteId, "site", "An allocation site of a [`Program`].");

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Widths of pointers and `long`.
    pub model: DataModel,
    /// What each kind of undefined behaviour means for a verdict.
    pub ub: UbTable,
    /// What calls of functions without a body may change.
    pub externs: Externs,
    /// Where objects lie.
    pub addresses: Addresses,
    /// Variables that live as long as the program.
    pub globals: IndexVec<GlobalId, Global>,
    /// All functions, with and without body.
    pub functions: IndexVec<FuncId, Function>,
    /// Allocation sites, named for messages.
    pub sites: IndexVec<SiteId, Site>,
    /// Where the run begins. Its parameters start arbitrary.
    pub entry: FuncId,
    /// How the source declares it all, for people; equal to every other.
    pub declared: crate::declared::Declarations,
}

/// The two data models of the C ABIs for x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    Lp64,
}

/// The kinds of undefined behaviour that guards name. An interpreter detects all of them, whatever the table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ub {
    /// The result of a signed operation does not fit its type.
    SignedOverflow,
    /// Integer division or remainder by zero.
    DivByZero,
    /// The quotient does not fit: `INT_MIN / -1`, and the remainder of the same operands.
    DivOverflow,
    /// A shift count is negative or not below the width of the shifted operand.
    ShiftCount,
    /// A null pointer is dereferenced.
    NullDeref,
    /// An access lies (partly) outside the object that its pointer was made for.
    OutOfBounds,
    /// An object is accessed after its lifetime has ended.
    UseAfterFree,
    /// `free` of something that is not the start of a live heap object.
    BadFree,
    /// A call through a pointer that is not a function of the called type.
    BadCall,
    /// `memcpy` between overlapping ranges.
    Overlap,
    /// A floating value is converted to an integer type that cannot hold its integral part.
    FloatToInt,
    /// A write to a constant object.
    ConstWrite,
    /// `__builtin_unreachable()` is reached.
    Unreachable,
    /// Adding to a pointer leaves the address space at one end.
    PointerWrap,
    /// An object that cannot fail to be made (a local variable, a variable-length array) finds no room in memory. No
    /// guard says so: making the object does.
    NoRoom,
}

/// What a kind of undefined behaviour means for a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UbPolicy {
    /// The operation has its total meaning (wraps, for signed overflow); the guard says nothing.
    Ignored,
    /// Executions in which it happens do not count.
    AssumedAway,
    /// It is an error like a failed assertion. [`crate::checks::expose`] has added an edge to [`Op::Error`] for each
    /// guard of this kind; what remains on the edge itself is assumed.
    Checked,
}

/// One policy for each kind of undefined behaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UbTable {
    /// Indexed by `Ub as usize`.
    pub(crate) policies: [UbPolicy; crate::ub::N_UBS],
}

/// What a call of a function without body may change besides its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Externs {
    /// Nothing.
    Pure,
    /// What it can reach through its pointer arguments, what escaped to the outside earlier, and what the outside knows
    /// from the start ([`Exposure`]).
    Args,
    /// The same, where the outside knows every global with external linkage.
    Any,
}

/// The part of the address space in which objects and functions lie. What lies outside of the program may be anywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Addresses {
    /// Where a process of a user has them: above the first page and, with 64 bits, in the lower 2^47 bytes; with 32, below
    /// the last 64 KiB.
    #[default]
    User,
    /// In the upper half, but not in the last page.
    Kernel,
    /// Anywhere but at null.
    Anywhere,
}

/// A value type: what an expression has and what one access of memory moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ty {
    /// Truth values; in memory one byte, written as 0 or 1 and read as "not zero". C's `_Bool` is this type.
    Bool,
    /// Integers.
    Int(IntTy),
    /// IEEE 754 numbers.
    Float(FloatTy),
    /// Pointers to objects and functions: flat, as wide as the data model says.
    Ptr,
}

/// An integer type. In memory the width is 8, 16, 32, 64 or 128.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntTy {
    /// Number of bits, 1 to 128.
    pub width: u16,
    /// Two's complement if set.
    pub signed: bool,
}

/// A floating type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatTy {
    /// Binary16.
    F16,
    /// Binary32.
    F32,
    /// Binary64.
    F64,
    /// The x87 extended format: 80 bits, in 12 or 16 bytes of memory.
    F80,
    /// Binary128.
    F128,
}

/// What a variable is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// One value.
    Scalar(Ty),
    /// Bytes: a structure, a union or an array.
    Object {
        /// Size in bytes.
        size: u64,
        /// Alignment in bytes, a power of two.
        align: u32,
    },
}

/// Whether other translation units can name a global or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Linkage {
    /// They can.
    External,
    /// They cannot.
    Internal,
}

/// What the outside knows of a global when the run begins; of one with external linkage it is never less than what
/// [`Externs`] says ([`Program::known_outside`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exposure {
    /// Nothing.
    #[default]
    Hidden,
    /// What it holds, at any time: what it points to is known outside.
    Read,
    /// Its address: it has escaped before the run began.
    Known,
}

/// A variable that lives as long as the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Unique among globals. Static locals are `function.name`, string literals `.str.N`.
    pub name: String,
    /// What it is made of.
    pub shape: Shape,
    /// How it starts.
    pub init: Init,
    /// Who can name it.
    pub linkage: Linkage,
    /// What the outside knows of it from the start.
    pub exposure: Exposure,
    /// Writing to it is [`Ub::ConstWrite`].
    pub constant: bool,
    /// Its declaration.
    pub span: Span,
}

/// How a global starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Init {
    /// All bytes zero.
    Zero,
    /// The given values over zero bytes.
    Values(Vec<InitItem>),
    /// Arbitrary bytes, from outside: declared `extern` and defined nowhere, or the run does not begin with the program.
    Unknown,
}

/// One initialised scalar inside a global.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitItem {
    /// Byte offset from the start of the global.
    pub offset: u64,
    /// Which bits of the access, for a bit-field.
    pub bits: Option<BitRange>,
    /// The value: a constant, or the address of a global or function.
    pub value: Expr,
}

/// An allocation site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Unique; for people.
    pub name: String,
    /// The allocating call or declaration.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Unique among functions.
    pub name: String,
    /// Who can name it.
    pub linkage: Linkage,
    /// The first `n_params` locals are the parameters, in order.
    pub n_params: usize,
    /// Further arguments are allowed.
    pub variadic: bool,
    /// All locals. Each activation has its own, and each [`Op::Begin`] makes a new one.
    pub locals: IndexVec<LocalId, Local>,
    /// The local that holds the result once the exit is reached; `None` for `void`.
    pub ret: Option<LocalId>,
    /// The graph; `None` for a function that is declared but not defined.
    pub body: Option<Body>,
    /// Its declaration or definition.
    pub span: Span,
}

/// A parameter, local variable or temporary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Unique in its function. A shadowing variable is `x.2`; temporaries start with `$`.
    pub name: String,
    /// What it is made of.
    pub shape: Shape,
    /// No function without body writes it. (The program itself gives it its value.)
    pub constant: bool,
    /// Its declaration.
    pub span: Span,
}

/// The graph of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Where an activation begins. No edge leads here.
    pub entry: Loc,
    /// Where it ends. No edge leaves it.
    pub exit: Loc,
    /// The locations.
    pub locations: IndexVec<Loc, Location>,
    /// The edges, in an order in which those of one location stand as they are tried.
    pub edges: IndexVec<EdgeId, Edge>,
}

/// A location: a point between two steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The source's own label, if this point has one.
    pub label: Option<String>,
    /// The place in the source where execution stands here.
    pub span: Span,
}

/// One step from one location to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub from: Loc,
    /// Where it leads; `None` exactly if the operation ends the run ([`Op::ends_run`](Op)).
    pub to: Option<Loc>,
    /// Looked at in order before the operation; one that is false is the named event.
    pub guards: Vec<Guard>,
    /// What happens.
    pub op: Op,
    /// The source it comes from.
    pub span: Span,
}

/// "This must hold, or else `ub` has happened."
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// What it means if the condition is false.
    pub ub: Ub,
    /// Of type [`Ty::Bool`].
    pub cond: Expr,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Nothing.
    Skip,
    /// Goes on only if the condition holds.
    Assume(Expr),
    /// Writes a value.
    Assign(Place, Expr),
    /// Writes arbitrary bytes (an arbitrary value, for a scalar).
    Havoc(HavocDst, Source),
    /// Makes a new object and writes its address (or null, if it may fail) to a place.
    Alloc(Alloc),
    /// Ends the lifetime of a heap object; null is allowed and does nothing.
    Free(Expr),
    /// Begins the lifetime of a local: from here on it is a new object with arbitrary contents. A local that no operation
    /// begins lives as long as its activation.
    Begin(LocalId),
    /// Ends the lifetime of a local that was begun. What is alive at a return ends with the activation.
    End(LocalId),
    /// Ends the lifetime of a stack allocation before its activation does; null is allowed and does nothing.
    Release(Expr),
    /// Writes `len` copies of a byte.
    SetRange {
        /// Address of the first byte.
        dst: Expr,
        /// The byte, of type `u8`.
        value: Expr,
        /// How many, unsigned and as wide as a pointer.
        len: Expr,
    },
    /// Copies `len` bytes as if through a buffer.
    CopyRange {
        /// Address of the first byte written.
        dst: Expr,
        /// Address of the first byte read.
        src: Expr,
        /// How many, unsigned and as wide as a pointer.
        len: Expr,
    },
    /// Runs a function. A function without a body gives an arbitrary result and does what [`Externs`] allows.
    Call(Call),
    /// Sets the function's result and goes to the exit.
    Return(Option<Expr>),
    /// The run ends: the property is broken.
    Error(ErrorKind),
    /// The run ends: `abort`, `exit` and their like.
    Halt,
    /// The run ends for us: the source does something here that the tool cannot follow.
    Unsupported(String),
}

/// What [`Op::Havoc`] writes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HavocDst {
    /// One scalar.
    Place(Place),
    /// A range of bytes.
    Range {
        /// Address of the first byte.
        dst: Expr,
        /// How many, unsigned and as wide as a pointer.
        len: Expr,
    },
}

/// Where an arbitrary value comes from; for messages and replay.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// An input function such as `__VERIFIER_nondet_int`.
    Nondet(String),
    /// A declaration without initialiser was passed.
    Uninit,
    /// Bytes of a structure that belong to no member were left as they may be.
    Padding,
    /// The outputs of inline assembly, and other effects outside C.
    Outside(String),
}

impl Source {
    /// Nobody gives the bytes a value: they are drawn when they are first read, and are no pointer to anything.
    pub fn is_indeterminate(&self) -> bool {
        matches!(self, Source::Uninit | Source::Padding)
    }
}

/// [`Op::Alloc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alloc {
    /// Receives the address.
    pub dst: Place,
    /// Size in bytes, unsigned and as wide as a pointer.
    pub size: Expr,
    /// Alignment in bytes.
    pub align: u32,
    /// All bytes start as zero rather than arbitrary.
    pub zeroed: bool,
    /// May give null instead.
    pub may_fail: bool,
    /// Ends by [`Op::Release`] or with the activation (`alloca`, variable-length arrays) rather than by [`Op::Free`].
    pub stack: bool,
    /// Which allocation this is.
    pub site: SiteId,
}

/// [`Op::Call`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Receives the result: a whole scalar variable of the result's type.
    pub dst: Option<Var>,
    /// What is called.
    pub callee: Callee,
    /// One value per parameter; more if the function is variadic.
    pub args: Vec<Expr>,
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// This function.
    Direct(FuncId),
    /// The function whose address the expression has.
    Indirect(Expr),
}

/// How the property is broken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorKind {
    /// The named function, which must not be reached, is called.
    Reached(String),
    /// An assertion fails; its text.
    Assert(String),
    /// A rule about the program is broken; what the rule says.
    Rule(String),
    /// Undefined behaviour that the table says is checked.
    Ub(Ub),
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// A global.
    Global(GlobalId),
    /// A local of the function at hand.
    Local(LocalId),
}

/// An address: a base plus a constant plus a sum of scaled indices, modulo the width of a pointer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// What it is relative to.
    pub base: Base,
    /// Bytes from there.
    pub offset: i64,
    /// Further bytes.
    pub indices: Vec<Index>,
}

/// What an address is relative to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// The first byte of a variable.
    Var(Var),
    /// The value of a pointer.
    Ptr(Box<Expr>),
}

/// `value * stride` bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index {
    /// Signed and as wide as a pointer.
    pub value: Expr,
    /// Bytes per unit.
    pub stride: i64,
}

/// A scalar in memory: where, and as what it is read and written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Where.
    pub addr: Address,
    /// As what.
    pub ty: Ty,
    /// Only these bits of it: reading extends them to `ty` by its signedness, writing keeps the other bits.
    pub bits: Option<BitRange>,
    /// How the source names it (`s.next`), for people; equal to every other.
    pub label: Label,
}

/// Bits `lo..lo+width` of a little-endian access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitRange {
    /// Lowest bit.
    pub lo: u16,
    /// Number of bits, at least 1.
    pub width: u16,
}

/// A name for people that takes no part in comparisons.
#[derive(Clone, Default)]
pub struct Label(pub Option<Box<str>>);

/// A pure, total, typed expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr {
    /// The type of its value.
    pub ty: Ty,
    /// How the value comes about.
    pub kind: ExprKind,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExprKind {
    /// The value with this bit pattern (zero above the width): 0 and 1 for `Bool`, 0 for a null pointer.
    Const(u128),
    /// The value at a place of the same type.
    Read(Place),
    /// The address itself, of type `Ptr`.
    Addr(Address),
    /// The address of a function, of type `Ptr`.
    Func(FuncId),
    /// One operand.
    Unary(UnOp, Box<Expr>),
    /// Two operands of one type.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// The operand's value converted to this expression's type, as C does it between arithmetic and pointer types.
    Convert(Box<Expr>),
    /// The second if the first (of type `Bool`) is true, else the third.
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// What is known of a pointer's object; of type `Bool`.
    ObjectPredicate(ObjectPredicate, Box<Expr>),
    /// The operand's value in the state in which this activation began: TOPLAS05's symbolic constants, written `'x`.
    /// Only in predicates and invariants, and only over parameters and globals.
    Entry(Box<Expr>),
}

/// Operators with one operand; the result has the operand's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnOp {
    /// Negation, modulo 2^width; of floats, the sign changed.
    Neg,
    /// All bits flipped; of `Bool`, the other truth value.
    Not,
}

/// Operators with two operands of one type. Signedness comes from that type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinOp {
    /// Sum, modulo 2^width.
    Add,
    /// Difference, modulo 2^width.
    Sub,
    /// Product, modulo 2^width.
    Mul,
    /// Quotient rounded to zero; total as SMT-LIB's `bvudiv` and `bvsdiv`.
    Div,
    /// Remainder with the sign of the dividend; total as `bvurem` and `bvsrem`.
    Rem,
    /// Bitwise and; of `Bool`, both.
    And,
    /// Bitwise or; of `Bool`, one of them.
    Or,
    /// Bitwise exclusive or; of `Bool`, exactly one of them.
    Xor,
    /// Left shift; zero from the width on (the count is read as unsigned).
    Shl,
    /// Right shift, arithmetic for a signed type; total as `bvlshr` and `bvashr`.
    Shr,
    /// Equal; of type `Bool`, like all that follow.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// The mathematical sum does not fit the type.
    AddOverflows,
    /// The mathematical difference does not fit the type.
    SubOverflows,
    /// The mathematical product does not fit the type.
    MulOverflows,
}

/// What is asked of the object that a pointer points into; [`ObjectPredicate::FitsInt`] alone is about a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectPredicate {
    /// The bytes from the pointer on, so many, lie inside its object.
    InBounds(u64),
    /// Its object is alive.
    Alive,
    /// It is the start of a live heap object (or null).
    Freeable,
    /// It is a function that a call with so many arguments may call.
    Callable(u32),
    /// It is an address that the outside gave, at which nothing of the program lies: if anything is called there, it is a function of
    /// the outside. (What the program made of a number is none.)
    Foreign,
    /// A float operand converts to this integer type without loss of its integral part.
    FitsInt(IntTy),
}

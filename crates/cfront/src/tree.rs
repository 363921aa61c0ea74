//! The typed tree of one translation unit: data only.
//!
//! Expressions and statements live in arenas of the [`Unit`] and name each other by id, so the tree is compact, dropping
//! it does not recurse, and derived facts go into maps keyed by id.
//!
//! Conventions, which are what `lower` relies on:
//! - **Types.** Every expression has its C type. Values have unqualified types; places keep the qualifiers of the object.
//! - **Places and values.** [`ExprKind::is_place`] kinds denote objects (lvalues). A place in a position that wants a value
//!   is a read of it; there is no node for that. Positions that want a place: left side of [`Assign`](ExprKind::Assign),
//!   [`AssignOp`](ExprKind::AssignOp), operand of [`IncDec`](ExprKind::IncDec), of [`AddrOf`](ExprKind::AddrOf), of
//!   `ArrayDecay` and `FunctionDecay` casts, base of [`Member`](ExprKind::Member) when it is a place itself, outputs of
//!   `asm`, the list of `va_*`. Everywhere else a place is read. A [`Member`](ExprKind::Member) of a record *value* (a call's
//!   result) is a value.
//! - **Conversions.** Every implicit conversion is a [`Cast`](ExprKind::Cast): promotions, usual arithmetic conversions,
//!   assignment, argument, return, decay of arrays and functions, and the test of a condition (`ToBool`, type `_Bool`).
//!   A cast that would change nothing but qualifiers is left out where it is implicit.
//! - **Sugar is gone.** `a[i]` is `Deref(PtrAdd(a, i))`, `p->f` is `Member(Deref(p), f)`, `sizeof`, `_Alignof`, `offsetof`,
//!   `_Generic`, `__builtin_choose_expr` and enumerators are what they mean. The second operand of `PtrAdd`/`PtrSub` counts
//!   elements and has the type `ptrdiff_t`, or `size_t` if it was of an unsigned type of that size, or a wider type of its own. The order of `i[a]` is normalised (pointer first).
//! - **Unsupported.** What the tree cannot express is an `Unsupported` node with a reason and, where known, a type. It
//!   stands for "this program point cannot be analysed".
//! - **Depth.** Expression height and statement nesting are bounded by [`crate::MAX_DEPTH`]; the `els` chain of `if` is not
//!   counted and must be walked with a loop.

use crate::symbol::{Symbol, Symbols};
use crate::types::{BitRange, TypeId, Types};
use base::{Diagnostic, FileId, IndexVec, Span, define_id};

define_id!(pub ExprId, "x", "An expression.");
define_id!(pub StmtId, "st", "A statement.");
define_id!(pub VarId, "v", "A variable: global, static local, local, parameter or hidden temporary.");
define_id!(pub FuncId, "fn", "A function, defined or only declared.");
define_id!(pub LabelId, "l", "A label of a function.");
define_id!(pub SwitchId, "sw", "A `switch`.");
define_id!(pub CaseId, "c", "A `case` label.");
define_id!(pub StrId, "str", "A string literal.");
define_id!(pub FloatId, "fl", "A floating literal.");
define_id!(pub InitId, "in", "An initialiser.");
define_id!(pub AsmId, "asm", "An inline assembly statement.");
define_id!(pub ReasonId, "why", "Why something is unsupported.");

/// Operators with two value operands of converted types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
    /// Both operands and the result have the same arithmetic type.
    Add,
    /// As [`BinOp::Add`].
    Sub,
    /// As [`BinOp::Add`].
    Mul,
    /// As [`BinOp::Add`].
    Div,
    /// Integers of one type.
    Rem,
    /// Each operand promoted by itself; the result has the left one's type. The count may have any integer type.
    Shl,
    /// As [`BinOp::Shl`]; arithmetic for signed types.
    Shr,
    /// Integers of one type.
    BitAnd,
    /// Integers of one type.
    BitXor,
    /// Integers of one type.
    BitOr,
    /// Both operands have one arithmetic type, or are pointers; the result is `int`.
    Lt,
    /// As [`BinOp::Lt`].
    Gt,
    /// As [`BinOp::Lt`].
    Le,
    /// As [`BinOp::Lt`].
    Ge,
    /// As [`BinOp::Lt`].
    Eq,
    /// As [`BinOp::Lt`].
    Ne,
    /// Pointer plus a number of elements; on `void *` and function pointers elements have one byte.
    PtrAdd,
    /// Pointer minus a number of elements.
    PtrSub,
    /// Difference of two pointers in elements, of type `ptrdiff_t`.
    PtrDiff,
}

/// Operators with one value operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    /// `+x`: the promoted value.
    Plus,
    /// `-x`.
    Neg,
    /// `~x`.
    BitNot,
    /// `!x`: the operand is a `_Bool`, the result an `int`.
    Not,
}

/// The four increments and decrements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named after what they do")]
pub enum IncDec {
    PreInc,
    PreDec,
    PostInc,
    PostDec,
}

/// What a conversion does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastKind {
    /// Between integer types (enumerations included) other than to `_Bool`: extend as the source's sign says, or truncate.
    Int,
    /// From any scalar: 0 or 1, whether it compares unequal to 0. Conditions and conversions to `_Bool`.
    ToBool,
    /// Integer to floating.
    IntToFloat,
    /// Floating to integer other than `_Bool`, towards zero.
    FloatToInt,
    /// Between floating types.
    Float,
    /// Pointer to integer other than `_Bool`; extends with the sign (as gcc does), or truncates.
    PtrToInt,
    /// Integer to pointer; extends as the source's sign says, or truncates.
    IntToPtr,
    /// Between pointers.
    Ptr,
    /// An array place to the pointer to its first element.
    ArrayDecay,
    /// A function designator to the pointer to it.
    FunctionDecay,
    /// The value is dropped.
    ToVoid,
    /// The value stays as it is: the same type but for qualifiers, or an explicit cast of a record to its own type.
    Same,
    /// GNU cast of a value to a union with a member of its type; the member has this index in the union.
    ToUnion,
}

/// Built-in operations whose types depend on their operands or that need not be functions. Built-ins with a fixed
/// signature are ordinary functions named as in the source (`__builtin_memcpy`, `__builtin_popcount`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `va_start(list, …)`: one argument, the list as a place.
    VaStart,
    /// `va_end(list)`.
    VaEnd,
    /// `va_copy(dst, src)`: two places.
    VaCopy,
    /// `va_arg(list, T)`: one argument, the list as a place; the node's type is `T`.
    VaArg,
    /// `__builtin_expect(x, y)`, also `__builtin_expect_with_probability`: the value is the first argument.
    Expect,
    /// `__builtin_unreachable()`.
    Unreachable,
    /// `__builtin_trap()`.
    Trap,
    /// `__builtin_add_overflow(a, b, p)`: the exact sum is converted to `*p`'s type and stored; the value (`_Bool`) says
    /// whether it did not fit. Operands keep their own integer types (promoted).
    AddOverflow,
    /// `__builtin_sub_overflow(a, b, p)`.
    SubOverflow,
    /// `__builtin_mul_overflow(a, b, p)`.
    MulOverflow,
    /// `__builtin_add_overflow_p(a, b, c)` and its kin: as above for the type of the third argument, nothing stored.
    AddOverflowP,
    /// As [`Builtin::AddOverflowP`].
    SubOverflowP,
    /// As [`Builtin::AddOverflowP`].
    MulOverflowP,
    /// `__sync_fetch_and_add(p, v)` and kin: `(p, v)`, `v` converted to the pointee; the old value.
    FetchAdd,
    /// As [`Builtin::FetchAdd`].
    FetchSub,
    /// As [`Builtin::FetchAdd`].
    FetchOr,
    /// As [`Builtin::FetchAdd`].
    FetchAnd,
    /// As [`Builtin::FetchAdd`].
    FetchXor,
    /// As [`Builtin::FetchAdd`].
    FetchNand,
    /// `__sync_add_and_fetch(p, v)` and kin: `(p, v)`; the new value.
    AddFetch,
    /// As [`Builtin::AddFetch`].
    SubFetch,
    /// As [`Builtin::AddFetch`].
    OrFetch,
    /// As [`Builtin::AddFetch`].
    AndFetch,
    /// As [`Builtin::AddFetch`].
    XorFetch,
    /// As [`Builtin::AddFetch`].
    NandFetch,
    /// `__sync_bool_compare_and_swap(p, old, new)`: whether it stored.
    BoolCas,
    /// `__sync_val_compare_and_swap(p, old, new)`: the value before.
    ValCas,
    /// `__sync_lock_test_and_set(p, v)`, `__atomic_exchange_n(p, v, order)`: stores, the value before. `(p, v)`.
    Exchange,
    /// `__sync_lock_release(p)`: stores 0. `(p)`.
    LockRelease,
    /// `__atomic_load_n(p, order)`: `(p)`.
    AtomicLoad,
    /// `__atomic_store_n(p, v, order)`: `(p, v)`.
    AtomicStore,
    /// `__atomic_compare_exchange_n(p, expected, desired, …)`: `(p, expected, desired)`; `_Bool`.
    AtomicCas,
    /// `__sync_synchronize()`, `__atomic_thread_fence(order)`: nothing, in a sequential program.
    Fence,
    /// `'e`: the value that the argument had when the function was entered. Only in [annotations](crate::annotation).
    AtEntry,
}

/// A run of expressions in [`Unit::lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExprList {
    /// First entry in [`Unit::lists`].
    pub start: u32,
    /// Number of entries.
    pub len: u32,
}

/// What an expression does; see the module's conventions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExprKind {
    /// Place: a variable.
    Var(VarId),
    /// Function designator; only below `FunctionDecay` or `AddrOf`.
    Func(FuncId),
    /// Place (or function designator): what a pointer value points to.
    Deref(ExprId),
    /// A field, by its index, of the record the operand denotes; a place if the operand is one. Of a complex number, 0 is the
    /// real and 1 the imaginary part; of a vector, the index is that of an element.
    Member(ExprId, u32),
    /// Place: the array of a string literal.
    Str(StrId),
    /// Place: a compound literal. The hidden variable's initialiser runs each time this is evaluated (once, before the
    /// program starts, where the variable is static).
    CompoundLiteral(VarId),
    /// An integer constant (also characters and enumerators): the value modulo 2^64, sign-extended from the node's type if
    /// that is signed. (There are no 128-bit literals in C.)
    Int(u64),
    /// A floating constant.
    Float(FloatId),
    /// `&place` or `&function`.
    AddrOf(ExprId),
    /// GNU `&&label`, of type `void *`.
    LabelAddr(LabelId),
    /// A unary operator.
    Unary(UnOp, ExprId),
    /// A binary operator on values.
    Binary(BinOp, ExprId, ExprId),
    /// `a && b`: both of type `_Bool`, result `int`.
    LogAnd(ExprId, ExprId),
    /// `a || b`.
    LogOr(ExprId, ExprId),
    /// `c ? a : b`: `c` of type `_Bool`; `a` and `b` of the node's type.
    Cond(ExprId, ExprId, ExprId),
    /// `place = value`, value of the place's unqualified type (arithmetic, pointer or record); the result is the value
    /// stored (after narrowing to the bits, for a bit-field).
    Assign(ExprId, ExprId),
    /// `place op= value`: the place is read and converted to `comp`, the operator applied to it and `rhs` (already
    /// converted), the result converted to the place's type and stored. [`Types::cast_kind`] names both conversions.
    AssignOp {
        /// The operator.
        op: BinOp,
        /// The place.
        lhs: ExprId,
        /// The right operand.
        rhs: ExprId,
        /// The type to compute in.
        comp: TypeId,
    },
    /// `++`/`--` on an arithmetic or pointer place, computed in `comp` as `place += 1`; `_Bool` becomes 1 or is inverted.
    IncDec {
        /// Which of the four.
        op: IncDec,
        /// The place.
        place: ExprId,
        /// The type to compute in.
        comp: TypeId,
    },
    /// A call. The callee is a value of pointer-to-function type ([`Unit::direct_callee`]); the arguments are converted.
    Call(ExprId, ExprList),
    /// A built-in operation.
    Builtin(Builtin, ExprList),
    /// `(a, b)`: `a` for its effects, then `b`.
    Comma(ExprId, ExprId),
    /// A conversion to the node's type; the flag says that the user wrote it.
    Cast(CastKind, ExprId, bool),
    /// GNU statement expression: a [`StmtKind::Block`], then the value, evaluated in the block's scope.
    StmtExpr(StmtId, Option<ExprId>),
    /// Declares a hidden variable, initialises it with the first expression, then is the second. From `a ?: b` (the middle
    /// is read once) and from variable length array types within expressions. The variable lives until the function ends,
    /// since the type of a later expression may mention it.
    Let(VarId, ExprId, ExprId),
    /// Something the tree cannot express.
    Unsupported(ReasonId),
}

impl ExprKind {
    /// Whether the kind by itself denotes an object. For a member: if its operand is a place ([`Unit::is_place`]).
    pub fn is_place(&self) -> bool {
        matches!(self, ExprKind::Var(_) | ExprKind::Deref(_) | ExprKind::Str(_) | ExprKind::CompoundLiteral(_))
    }
}

/// An expression.
#[derive(Clone, Copy, Debug)]
pub struct Expr {
    /// What it does.
    pub kind: ExprKind,
    /// Its C type.
    pub ty: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Evaluates an expression and drops its value.
    Expr(ExprId),
    /// A local variable comes into being: fresh contents, then its initialiser ([`Var::init`]). Variables of static
    /// storage, and `extern` ones, have no such statement.
    Decl(VarId),
    /// Statements in a scope of their own: the variables declared in it end with it.
    Block(Box<[StmtId]>),
    /// `if`; the `els` chain may be long.
    If(ExprId, StmtId, Option<StmtId>),
    /// `while`.
    While(ExprId, StmtId),
    /// `do body while (cond)`.
    DoWhile(StmtId, ExprId),
    /// `for`; the scope of `init` is the whole statement. `init` is an `Expr`, or a `Block` whose declarations live as long
    /// as the loop.
    For(Box<ForStmt>),
    /// `switch`.
    Switch(SwitchId),
    /// `case` label: control comes here from its switch. A marker in front of the statement it labels.
    Case(CaseId),
    /// `default` label of a switch.
    Default(SwitchId),
    /// A label: a marker in front of the statement it labels.
    Label(LabelId),
    /// `goto label`.
    Goto(LabelId),
    /// GNU `goto *expr`.
    GotoComputed(ExprId),
    /// `break` of the innermost loop or switch.
    Break,
    /// `continue` of the innermost loop.
    Continue,
    /// `return`, the value converted to the function's type. In a `void` function the expression, if there is one, has type
    /// `void` and is evaluated; in any other function a missing value is C's business at the caller.
    Return(Option<ExprId>),
    /// Inline assembly.
    Asm(AsmId),
    /// Nothing.
    Empty,
    /// Something the tree cannot express.
    Unsupported(ReasonId),
}

/// The parts of a `for`.
#[derive(Clone, Debug)]
pub struct ForStmt {
    /// What runs first.
    pub init: Option<StmtId>,
    /// The condition (`_Bool`); absent means true.
    pub cond: Option<ExprId>,
    /// What runs after each turn.
    pub step: Option<ExprId>,
    /// The body.
    pub body: StmtId,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// A `switch`.
#[derive(Clone, Debug)]
pub struct Switch {
    /// The promoted controlling value.
    pub value: ExprId,
    /// The body, in which the `Case` and `Default` markers stand.
    pub body: StmtId,
    /// Its cases in source order; their ranges do not overlap.
    pub cases: Vec<CaseId>,
    /// Whether there is a `default`.
    pub has_default: bool,
}

/// A `case lo ... hi` label.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Smallest value, as a number of the controlling value's type.
    pub lo: i128,
    /// Largest value; below `lo` for an empty range.
    pub hi: i128,
    /// The switch it belongs to.
    pub switch: SwitchId,
    /// Where it stands.
    pub span: Span,
}

/// How long an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// As long as the program: globals, `static` locals, file-scope compound literals.
    Static,
    /// One per thread (`_Thread_local`).
    Thread,
    /// Until its block ends.
    Auto,
    /// A parameter: until its function ends.
    Param,
}

/// Who can name an object or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Other translation units too.
    External,
    /// This translation unit.
    Internal,
    /// Its scope.
    None,
}

/// Whether this unit defines an object of static storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// Only declared (`extern int x;`).
    Declared,
    /// `int x;` at file scope: zero, unless defined elsewhere.
    Tentative,
    /// Defined here; always so for locals and parameters.
    Defined,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name; `None` for hidden variables (`ExprKind::Let`, compound literals, array lengths).
    pub name: Option<Symbol>,
    /// Its type, the composite of all its declarations.
    pub ty: TypeId,
    /// How long it lives.
    pub storage: Storage,
    /// Who can name it.
    pub linkage: Linkage,
    /// Whether it is defined here.
    pub definition: Definition,
    /// Its initialiser.
    pub init: Option<InitId>,
    /// The function in whose body it was declared; `None` at file scope.
    pub owner: Option<FuncId>,
    /// Where its name was (first) declared.
    pub span: Span,
    /// What the attributes said.
    pub attrs: DeclAttrs,
}

/// Attributes of a variable or function that some later stage may care about.
#[derive(Clone, Debug, Default)]
pub struct DeclAttrs {
    /// `_Noreturn`, `__attribute__((noreturn))`.
    pub noreturn: bool,
    /// `returns_twice`, as `setjmp` and `vfork` do.
    pub returns_twice: bool,
    /// `weak`.
    pub weak: bool,
    /// `destructor`, or `constructor` with a priority: runs outside `main`.
    pub startup: bool,
    /// `constructor`: runs before `main`, in the order of definitions.
    pub constructor: bool,
    /// Alignment asked for (`aligned`, `_Alignas`), in bytes.
    pub align: Option<u64>,
    /// `cleanup(f)`: `f(&x)` runs when the variable's scope is left.
    pub cleanup: Option<Symbol>,
    /// `alias("f")`.
    pub alias: Option<Box<str>>,
    /// `section("s")`.
    pub section: Option<Box<str>>,
    /// The name for the assembler (`__asm__("name")`), or the register of a register variable.
    pub asm_name: Option<Box<str>>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Symbol,
    /// Its type, the composite of all its declarations.
    pub ty: TypeId,
    /// Its parameters, if it is defined. Without a prototype (K&R, [`Signature::prototype`](crate::types::Signature)) a
    /// caller passes default-promoted arguments: a parameter may then have a narrower type than its argument, and the
    /// function converts it ([`Types::cast_kind`]); number and types of arguments need not match at all.
    pub params: Vec<VarId>,
    /// Its body, a `Block`, if it is defined.
    pub body: Option<StmtId>,
    /// Who can name it.
    pub linkage: Linkage,
    /// Defined or declared `inline`.
    pub inline: bool,
    /// Called without a declaration (C89), or a built-in that the source did not declare.
    pub implicit: bool,
    /// Not of the source: what the compiler's runtime library does.
    pub runtime: bool,
    /// The function it is nested in (GNU).
    pub parent: Option<FuncId>,
    /// The expressions that its definition made: their first index in [`Unit::exprs`], and one past the last.
    pub exprs: (u32, u32),
    /// Why the body cannot be analysed as it stands, if so.
    pub unsupported: Option<ReasonId>,
    /// Where its name stands: in the definition if there is one, else in the first declaration.
    pub span: Span,
    /// What the attributes said.
    pub attrs: DeclAttrs,
}

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: Symbol,
    /// The function it belongs to.
    pub func: FuncId,
    /// Whether `&&label` occurs.
    pub address_taken: bool,
    /// Where it is defined.
    pub span: Span,
}

/// A string literal, encoded for the target, without the final zero (which its type counts).
#[derive(Clone, Debug)]
pub struct StrLit {
    /// The bytes; wide elements little-endian.
    pub bytes: Box<[u8]>,
    /// The array type, final zero included.
    pub ty: TypeId,
}

/// A floating literal.
#[derive(Clone, Debug)]
pub struct FloatLit {
    /// The number as written, without its suffix.
    pub text: Box<str>,
    /// The value rounded once to `double`.
    pub double: f64,
    /// The value rounded once to `float`.
    pub single: f32,
}

/// What goes into one place of an initialised object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InitValue {
    /// A value of the entry's type (or a record value).
    Expr(ExprId),
    /// The characters of a string literal, cut or filled with zeroes to the entry's array type.
    Str(StrId),
}

/// One store of an initialiser.
#[derive(Clone, Copy, Debug)]
pub struct InitEntry {
    /// Byte offset in the object.
    pub offset: u64,
    /// Type of the sub-object.
    pub ty: TypeId,
    /// Its bits, for a bit-field.
    pub bits: Option<BitRange>,
    /// What is stored.
    pub value: InitValue,
    /// How many times it is stored, `stride` bytes apart (1 but for `[a ... b] = x`). The value is evaluated once.
    pub repeat: u64,
    /// See `repeat`.
    pub stride: u64,
}

/// A union inside an initialised object, and which of its members the initialiser is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnionMember {
    /// Where the union lies in the object.
    pub offset: u64,
    /// The union's unqualified type.
    pub ty: TypeId,
    /// The index of the member.
    pub member: u32,
}

/// An initialiser: zero the object if `zero` says so, then perform the stores in order . Stores that overlap are those of a
/// string and, behind it, of characters that replace some of its own; those of one value stand together, and the value is
/// evaluated once.
#[derive(Clone, Debug)]
pub struct Init {
    /// Whether bytes that no entry covers are zero: true for every braced list and for objects of static storage. Also
    /// covers the case that the entries leave nothing out.
    pub zero: bool,
    /// The stores. Those of a flexible array member lie beyond the size of the object's type: the object is larger.
    pub entries: Vec<InitEntry>,
    /// Which members of unions the list initialises; of any other union in the object it is the first.
    pub members: Vec<UnionMember>,
    /// The initialiser cannot be expressed (then the entries are incomplete).
    pub unsupported: Option<ReasonId>,
}

/// An operand of inline assembly.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// The constraint, such as `=r`.
    pub constraint: Box<str>,
    /// A place for outputs; a value or (for memory constraints) a place for inputs.
    pub expr: ExprId,
}

/// Inline assembly.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The template.
    pub template: Box<str>,
    /// What it writes (and reads, where the constraint has `+`).
    pub outputs: Vec<AsmOperand>,
    /// What it reads.
    pub inputs: Vec<AsmOperand>,
    /// Registers, `memory`, `cc`.
    pub clobbers: Vec<Box<str>>,
    /// Where `asm goto` may go.
    pub labels: Vec<LabelId>,
    /// `volatile`, or without outputs.
    pub volatile: bool,
}

/// A whole translation unit.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The file it was read from.
    pub file: FileId,
    /// Names.
    pub symbols: Symbols,
    /// Types, records, enumerations; the data model.
    pub types: Types,
    /// Expressions. Some belong to unevaluated operands and are named by nothing.
    pub exprs: IndexVec<ExprId, Expr>,
    /// Arguments of calls.
    pub lists: Vec<ExprId>,
    /// Statements.
    pub stmts: IndexVec<StmtId, Stmt>,
    /// Variables.
    pub vars: IndexVec<VarId, Var>,
    /// Functions, in order of first declaration.
    pub funcs: IndexVec<FuncId, Function>,
    /// Labels.
    pub labels: IndexVec<LabelId, Label>,
    /// Switches.
    pub switches: IndexVec<SwitchId, Switch>,
    /// Case labels.
    pub cases: IndexVec<CaseId, Case>,
    /// String literals.
    pub strings: IndexVec<StrId, StrLit>,
    /// Floating literals.
    pub floats: IndexVec<FloatId, FloatLit>,
    /// Initialisers.
    pub inits: IndexVec<InitId, Init>,
    /// Inline assembly.
    pub asms: IndexVec<AsmId, Asm>,
    /// Reasons of `Unsupported` nodes.
    pub reasons: IndexVec<ReasonId, Box<str>>,
    /// What is accepted but probably not meant.
    pub warnings: Vec<Diagnostic>,
    /// What stands outside of functions and gives the whole unit a meaning that is not followed: assembly that can define and
    /// rename symbols, pragmas that change layouts or names.
    pub unsupported: Vec<String>,
}

impl Unit {
    /// The expressions of a list.
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        &self.lists[list.start as usize..][..list.len as usize]
    }

    /// The text of a name.
    pub fn name(&self, s: Symbol) -> &str {
        self.symbols.name(s)
    }

    /// Whether the expression denotes an object (an lvalue).
    pub fn is_place(&self, mut e: ExprId) -> bool {
        while let ExprKind::Member(base, _) = self.exprs[e].kind {
            e = base;
        }
        self.exprs[e].kind.is_place() && !self.types.is_function(self.exprs[e].ty)
    }

    /// The function called, if the callee names one.
    pub fn direct_callee(&self, callee: ExprId) -> Option<FuncId> {
        match self.exprs[callee].kind {
            ExprKind::Cast(CastKind::FunctionDecay, f, _) | ExprKind::AddrOf(f) => match self.exprs[f].kind {
                ExprKind::Func(id) => Some(id),
                ExprKind::Deref(p) => self.direct_callee(p),
                _ => None,
            },
            ExprKind::Cast(CastKind::Same, e, _) => self.direct_callee(e),
            _ => None,
        }
    }

    /// The function with this name, if it is declared at file scope.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        let s = self.symbols.get(name)?;
        self.funcs.iter_enumerated().find(|(_, f)| f.name == s && f.parent.is_none()).map(|(id, _)| id)
    }
}

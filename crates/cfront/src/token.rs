//! Tokens and keywords. A token is a kind, a range of bytes and, for names, the symbol.

use crate::symbol::{Symbol, Symbols};
use base::Id;

/// Kinds of tokens; keywords with several spellings (`const`, `__const`, `__const__`) are one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[rustfmt::skip]
pub(crate) enum T {
    Eof, Error, Ident, Number, Char, Str,
    // Punctuation.
    LParen, RParen, LBracket, RBracket, LBrace, RBrace, Dot, Arrow, PlusPlus, MinusMinus, Amp, Star, Plus, Minus, Tilde,
    Bang, Slash, Percent, Shl, Shr, Lt, Gt, Le, Ge, EqEq, Ne, Caret, Pipe, AmpAmp, PipePipe, Question, Colon, Semi,
    Ellipsis, At, Tick, Eq, StarEq, SlashEq, PercentEq, PlusEq, MinusEq, ShlEq, ShrEq, AmpEq, CaretEq, PipeEq, Comma, Hash,
    // Keywords.
    Auto, Break, Case, CharKw, Const, Continue, Default, Do, Double, Else, Enum, Extern, Float, For, Goto, If, Inline,
    Int, Long, Register, Restrict, Return, Short, Signed, Sizeof, Static, Struct, Switch, Typedef, Union, Unsigned, Void,
    Volatile, While, Alignas, Alignof, GnuAlignof, Atomic, Bool, Complex, Generic, Noreturn, StaticAssert, ThreadLocal,
    Asm, Attribute, Extension, Typeof, AutoType, Label, Real, Imag, Int128, Float128, Float16, Float32, Float64,
    Float32x, Float64x, Decimal32, Decimal64, Decimal128, BuiltinVaList, BuiltinVaArg, BuiltinOffsetof, BuiltinTypesCompatible, BuiltinChooseExpr, FuncName,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: T,
    /// First byte.
    pub(crate) lo: u32,
    /// One past the last byte.
    pub(crate) hi: u32,
    /// For `Ident` and keywords the name, else meaningless.
    pub(crate) sym: Symbol,
    /// A line ends before it, other than in a comment.
    pub(crate) new_line: bool,
}

/// All keywords; their symbols are the first of every table, in this order.
#[rustfmt::skip]
const KEYWORDS: &[(&str, T)] = &[
    ("auto", T::Auto), ("break", T::Break), ("case", T::Case), ("char", T::CharKw), ("const", T::Const),
    ("__const", T::Const), ("__const__", T::Const), ("continue", T::Continue), ("default", T::Default), ("do", T::Do),
    ("double", T::Double), ("else", T::Else), ("enum", T::Enum), ("extern", T::Extern), ("float", T::Float),
    ("for", T::For), ("goto", T::Goto), ("if", T::If), ("inline", T::Inline), ("__inline", T::Inline),
    ("__inline__", T::Inline), ("int", T::Int), ("long", T::Long), ("register", T::Register), ("restrict", T::Restrict),
    ("__restrict", T::Restrict), ("__restrict__", T::Restrict), ("return", T::Return), ("short", T::Short),
    ("signed", T::Signed), ("__signed", T::Signed), ("__signed__", T::Signed), ("sizeof", T::Sizeof),
    ("static", T::Static), ("struct", T::Struct), ("switch", T::Switch), ("typedef", T::Typedef), ("union", T::Union),
    ("unsigned", T::Unsigned), ("void", T::Void), ("volatile", T::Volatile), ("__volatile", T::Volatile),
    ("__volatile__", T::Volatile), ("while", T::While), ("_Alignas", T::Alignas), ("_Alignof", T::Alignof),
    ("__alignof", T::GnuAlignof), ("__alignof__", T::GnuAlignof), ("_Atomic", T::Atomic), ("_Bool", T::Bool),
    ("_Complex", T::Complex), ("__complex", T::Complex), ("__complex__", T::Complex), ("_Generic", T::Generic),
    ("_Noreturn", T::Noreturn), ("_Static_assert", T::StaticAssert), ("_Thread_local", T::ThreadLocal),
    ("__thread", T::ThreadLocal), ("asm", T::Asm), ("__asm", T::Asm), ("__asm__", T::Asm),
    ("__attribute", T::Attribute), ("__attribute__", T::Attribute), ("__extension__", T::Extension),
    ("typeof", T::Typeof), ("__typeof", T::Typeof), ("__typeof__", T::Typeof), ("__auto_type", T::AutoType),
    ("__label__", T::Label), ("__real", T::Real), ("__real__", T::Real), ("__imag", T::Imag), ("__imag__", T::Imag),
    ("__int128", T::Int128), ("__int128_t", T::Ident), ("__uint128_t", T::Ident), ("_Float128", T::Float128),
    ("__float128", T::Float128), ("__float80", T::Float64x), ("_Float16", T::Float16), ("_Float32", T::Float32), ("_Float64", T::Float64),
    ("_Float32x", T::Float32x), ("_Float64x", T::Float64x), ("_Decimal32", T::Decimal32),
    ("_Decimal64", T::Decimal64), ("_Decimal128", T::Decimal128), ("__builtin_va_list", T::BuiltinVaList), ("__builtin_sysv_va_list", T::BuiltinVaList),
    ("__builtin_va_arg", T::BuiltinVaArg), ("__builtin_offsetof", T::BuiltinOffsetof),
    ("__builtin_types_compatible_p", T::BuiltinTypesCompatible), ("__builtin_choose_expr", T::BuiltinChooseExpr),
    ("__func__", T::FuncName), ("__FUNCTION__", T::FuncName), ("__PRETTY_FUNCTION__", T::FuncName),
];

/// A table that knows the keywords.
pub(crate) fn symbols() -> Symbols {
    let mut symbols = Symbols::default();
    for (name, _) in KEYWORDS {
        symbols.intern(name);
    }
    symbols
}

/// All words that are no names.
pub(crate) fn keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|(name, _)| *name)
}

/// The kind of a word.
pub(crate) fn word(sym: Symbol) -> T {
    KEYWORDS.get(sym.index()).map_or(T::Ident, |k| k.1)
}

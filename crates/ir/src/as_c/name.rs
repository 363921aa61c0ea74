//! Names as C text has them: those that C could not read stand in backquotes.

/// A name as it stands in a C expression about a program; in backquotes where it could be taken for something else.
pub fn show_name(name: &str) -> String {
    if is_plain(name) && !is_integer_type(name) && !RESERVED.contains(&name) {
        return name.to_owned();
    }
    let escaped: String =
        name.chars().flat_map(|c| matches!(c, '`' | '\\').then_some('\\').into_iter().chain([c])).collect();
    format!("`{escaped}`")
}

/// Whether a name is made of the characters that names in C are made of, and dots behind its beginning: one that begins with
/// a dot could be a member of what stands before it.
fn is_plain(name: &str) -> bool {
    let begins = |c: char| c.is_alphabetic() || matches!(c, '_' | '$');
    name.chars().next().is_some_and(begins) && name.chars().all(|c| begins(c) || c == '.' || c.is_ascii_digit())
}

/// Whether a name is one of the IR's for an integer type: `i33`, `u7`.
fn is_integer_type(name: &str) -> bool {
    let digits = name.strip_prefix(['i', 'u']).unwrap_or("");
    !digits.starts_with(['0', '+']) && digits.parse::<u16>().is_ok_and(|width| (1..=128).contains(&width))
}

/// What means something else in an expression, or heads a section of them: the keywords of C and its usual extensions, and
/// the words that are no keywords but read as if they were.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "NULL", "global", "bool", "auto", "break", "case", "char", "const", "__const", "__const__", "continue", "default", "do",
    "double", "else", "enum", "extern", "float", "for", "goto", "if", "inline", "__inline", "__inline__", "int", "long",
    "register", "restrict", "__restrict", "__restrict__", "return", "short", "signed", "__signed", "__signed__", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "__volatile", "__volatile__", "while",
    "_Alignas", "_Alignof", "__alignof", "__alignof__", "_Atomic", "_Bool", "_Complex", "__complex", "__complex__",
    "_Generic", "_Noreturn", "_Static_assert", "_Thread_local", "__thread", "asm", "__asm", "__asm__", "__attribute",
    "__attribute__", "__extension__", "typeof", "__typeof", "__typeof__", "__auto_type", "__label__", "__real", "__real__",
    "__imag", "__imag__", "__int128", "__int128_t", "__uint128_t", "_Float128", "__float128", "__float80", "_Float16",
    "_Float32", "_Float64", "_Float32x", "_Float64x", "_Decimal32", "_Decimal64", "_Decimal128", "__builtin_va_list",
    "__builtin_ms_va_list", "__builtin_sysv_va_list", "__builtin_va_arg", "__builtin_offsetof", "__builtin_types_compatible_p",
    "__builtin_choose_expr", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "_Pragma",
];

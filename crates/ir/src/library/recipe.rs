//! The recipes by which functions are followed where a row of the table ([`super::c`]) cannot say what they do, and the rows of
//! these functions. Here a recipe is a name; what it does is in `lower`.

use super::Library;
use super::c::{Calls, Errno, Gives, Most, Row, f, write};
use crate::syntax::BinOp;

/// How the result and the effects of a function come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// Goes on only if the argument is not zero.
    Assume,
    /// An error if the argument is zero.
    Assert,
    /// An error; the argument with this index is the text.
    AssertFail(usize),
    /// The run ends.
    Halt,
    /// `__builtin_unreachable`.
    Unreachable,
    /// Nothing, and no result.
    Nothing,
    /// Prints by a format, the argument with this index.
    Format(usize),
    /// `vprintf` and the like: as before, with a list of arguments.
    FormatList(usize),
    /// `malloc`.
    Malloc,
    /// `calloc`.
    Calloc,
    /// `free`.
    Free,
    /// `alloca`.
    Alloca,
    /// `memset`.
    Memset,
    /// `bzero`.
    Bzero,
    /// `memmove` with its first two arguments in the other order.
    Bcopy,
    /// `memcpy`.
    Memcpy,
    /// `memmove`.
    Memmove,
    /// `mempcpy`.
    Mempcpy,
    /// `abs` and its kin.
    Abs,
    /// `ffs` and its kin.
    Ffs,
    /// Number of ones.
    Popcount,
    /// Number of ones modulo two.
    Parity,
    /// Leading zeroes.
    Clz,
    /// Trailing zeroes.
    Ctz,
    /// Bytes reversed.
    Bswap,
    /// `isnan`.
    IsNan,
    /// `isinf`.
    IsInf,
    /// `isfinite`.
    IsFinite,
    /// `fabs` and its kin.
    Fabs,
    /// `signbit`.
    SignBit,
    /// The first argument with the sign of the second.
    CopySign,
    /// `__builtin_object_size`: nothing is known.
    ObjectSize,
    /// Infinity.
    Infinity,
    /// A library function that only reads and gives a value.
    Lib(Library),
    /// `strcpy`.
    Strcpy,
    /// `stpcpy`.
    Stpcpy,
    /// `strncpy`.
    Strncpy,
    /// `stpncpy`.
    Stpncpy,
    /// `strcat`.
    Strcat,
    /// `strncat`.
    Strncat,
    /// `strdup` and `strndup`.
    Strdup,
    /// `realloc`.
    Realloc,
    /// `strtol` and its kin.
    Strtol,
    /// `atoi` and its kin.
    Atoi,
    /// `strtod` and its kin, `atof`.
    Strtod,
    /// `sprintf` (the second flag unset) and `vsprintf`; the first flag says that a size is given.
    PrintTo(bool, bool),
    /// The address of `errno` or of a table behind a macro.
    Object,
    /// A function on floats that is a few operations.
    Float(FloatOp),
    /// `lround` and its kin: the rounding, then a conversion.
    RoundToInt(FloatOp),
    /// A comparison of floats that raises nothing.
    Compare(BinOp),
    /// `isunordered`.
    IsUnordered,
    /// `islessgreater`.
    IsLessGreater,
    /// `isnormal`.
    IsNormal,
    /// `__builtin_fpclassify`.
    FpClassify,
    /// The same with the answers of `math.h`.
    FpClass,
    /// Redundant sign bits.
    Clrsb,
    /// `isinf` with a sign.
    IsInfSign,
    /// Not a number.
    Nan,
    /// The first argument.
    First,
    /// `signal` and `sigaction`.
    Signal,
    /// `fesetround`.
    RoundingMode,
    /// `fegetround`.
    RoundingModeNow,
    /// A part of a complex number.
    ComplexPart(u32),
    /// Its conjugate.
    Conjugate,
    /// `qsort`.
    Sort,
    /// `bsearch`.
    Search,
    /// `atexit`.
    AtExit,
    /// `setjmp` and its kin.
    SetJmp,
    /// `longjmp` and its kin.
    LongJmp,
    /// `exit`, which runs what `atexit` was told.
    Exit,
    /// `setbuf` and `setvbuf`.
    StreamBuffer,
    /// `scanf` and `fscanf`, with the index of the format.
    Scan(usize),
    /// `getline` and `getdelim`.
    Line,
    /// `aligned_alloc` and `memalign`.
    AlignedAlloc,
    /// `posix_memalign`.
    PosixMemalign,
    /// `reallocarray`.
    ReallocArray,
    /// `scalbln`.
    ScaleLong,
    /// `frexp`: a fraction, and an exponent that is stored.
    Frexp,
    /// `modf`: a fraction, and a whole number that is stored.
    Modf,
    /// Not followed, for this reason.
    Refused(&'static str),
}

/// A function from floats of one type to that type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatOp {
    /// Down.
    Floor,
    /// Up.
    Ceil,
    /// Towards zero.
    Trunc,
    /// To nearest, halves away from zero.
    Round,
    /// To nearest, halves to even.
    Rint,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// The positive difference.
    Dim,
}

impl FloatOp {
    /// How many numbers it takes.
    pub fn arguments(self) -> usize {
        if matches!(self, FloatOp::Min | FloatOp::Max | FloatOp::Dim) { 2 } else { 1 }
    }
}

use Recipe as R;

const fn by(name: &'static str, signature: &'static str, recipe: Recipe) -> Row {
    f(name, signature, Gives::By(recipe)).errno(Errno::Keeps)
}

/// The rows of functions that have a recipe.
#[rustfmt::skip]
pub const RECIPES: &[Row] = &[
    // stdio.h, and who else prints
    by("printf", "it.", R::Format(0)).standard().errno(Errno::May),
    by("fprintf", "ist.", R::Format(1)).errno(Errno::May),
    by("dprintf", "iit.", R::Format(1)).errno(Errno::May),
    by("vprintf", "it?", R::FormatList(0)).standard().errno(Errno::May),
    by("vfprintf", "ist?", R::FormatList(1)).errno(Errno::May),
    by("vdprintf", "iit?", R::FormatList(1)).errno(Errno::May),
    by("printk", "it.", R::Format(0)),
    by("syslog", "vit.", R::Format(1)),
    by("sprintf", "itt.", R::PrintTo(false, false)).errno(Errno::May),
    by("snprintf", "itit.", R::PrintTo(true, false)).errno(Errno::May),
    by("vsprintf", "itt?", R::PrintTo(false, true)).errno(Errno::May),
    by("vsnprintf", "itit?", R::PrintTo(true, true)).errno(Errno::May),
    by("scanf", "it.", R::Scan(0)).standard().errno(Errno::May),
    by("fscanf", "ist.", R::Scan(1)).errno(Errno::May),
    by("getline", "ipps", R::Line).errno(Errno::May),
    by("__getline", "ipps", R::Line),
    by("getdelim", "ippis", R::Line).errno(Errno::May),
    by("__getdelim", "ippis", R::Line),
    by("setbuf", "vsp", R::StreamBuffer),
    by("setvbuf", "ispii", R::StreamBuffer),
    by("setbuffer", "vspi", R::StreamBuffer),
    // stdlib.h
    by("malloc", "pi", R::Malloc).errno(Errno::Memory(&[0])),
    by("calloc", "pii", R::Calloc).errno(Errno::Memory(&[0, 1])),
    by("realloc", "ppi", R::Realloc).errno(Errno::Memory(&[1])),
    by("aligned_alloc", "pii", R::AlignedAlloc).errno(Errno::Memory(&[1])),
    by("memalign", "pii", R::AlignedAlloc).errno(Errno::Memory(&[1])),
    by("reallocarray", "ppii", R::ReallocArray).errno(Errno::Memory(&[1, 2])),
    by("posix_memalign", "ipii", R::PosixMemalign).errno(Errno::May),
    by("free", "vp", R::Free),
    by("cfree", "vp", R::Free),
    by("alloca", "pi", R::Alloca),
    by("__alloca", "pi", R::Alloca),
    by("abs", "ii", R::Abs),
    by("labs", "ii", R::Abs),
    by("llabs", "ii", R::Abs),
    by("imaxabs", "ii", R::Abs),
    by("strtod", "dtp", R::Strtod).errno(Errno::Exact),
    by("strtof", "dtp", R::Strtod).errno(Errno::Exact),
    by("strtold", "dtp", R::Strtod).errno(Errno::Exact),
    by("atof", "dt", R::Strtod).errno(Errno::Exact),
    by("strtol", "itpi", R::Strtol).errno(Errno::Exact),
    by("strtoul", "itpi", R::Strtol).errno(Errno::Exact),
    by("strtoll", "itpi", R::Strtol).errno(Errno::Exact),
    by("strtoull", "itpi", R::Strtol).errno(Errno::Exact),
    by("strtoimax", "itpi", R::Strtol).errno(Errno::Exact),
    by("strtoumax", "itpi", R::Strtol).errno(Errno::Exact),
    by("atoi", "it", R::Atoi).errno(Errno::May),
    by("atol", "it", R::Atoi).errno(Errno::May),
    by("atoll", "it", R::Atoi).errno(Errno::May),
    by("qsort", "vpiip", R::Sort).writes(&[write(0, Most::Product(1, 2))]).errno(Errno::May).calls(Calls::Comparison(3)),
    by("bsearch", "pppiip", R::Search).errno(Errno::May).calls(Calls::Comparison(4)),
    by("atexit", "ip", R::AtExit).errno(Errno::May).calls(Calls::AtExit(0)),
    by("setjmp", "ip", R::SetJmp),
    by("_setjmp", "ip", R::SetJmp),
    by("sigsetjmp", "ipi", R::SetJmp),
    by("__sigsetjmp", "ipi", R::SetJmp),
    by("longjmp", "vpi", R::LongJmp),
    by("_longjmp", "vpi", R::LongJmp),
    by("siglongjmp", "vpi", R::LongJmp),
    by("exit", "?i", R::Exit).calls(Calls::Registered),
    by("abort", "?", R::Halt),
    by("_exit", "?i", R::Halt),
    by("_Exit", "?i", R::Halt),
    by("quick_exit", "?i", R::Halt),
    by("__VERIFIER_exit", "?i", R::Halt),
    // string.h, strings.h
    by("memset", "ppii", R::Memset),
    by("bzero", "vpi", R::Bzero),
    by("bcopy", "vppi", R::Bcopy),
    by("memcpy", "pppi", R::Memcpy),
    by("memmove", "pppi", R::Memmove),
    by("mempcpy", "pppi", R::Mempcpy),
    by("strcpy", "ttt", R::Strcpy),
    by("stpcpy", "ttt", R::Stpcpy),
    by("strcat", "ttt", R::Strcat),
    by("strncpy", "ttti", R::Strncpy),
    by("stpncpy", "ttti", R::Stpncpy),
    by("strncat", "ttti", R::Strncat),
    by("strdup", "tt", R::Strdup).errno(Errno::Memory(&[])),
    by("strndup", "tti", R::Strdup).errno(Errno::Memory(&[])),
    by("strlen", "it", R::Lib(Library::Strlen)),
    by("strnlen", "iti", R::Lib(Library::Strnlen)),
    by("strcmp", "itt", R::Lib(Library::Strcmp)),
    by("strcoll", "itt", R::Lib(Library::Strcmp)).errno(Errno::May),
    by("strncmp", "itti", R::Lib(Library::Strncmp)),
    by("strcasecmp", "itt", R::Lib(Library::Strcasecmp)),
    by("strncasecmp", "itti", R::Lib(Library::Strncasecmp)),
    by("memcmp", "ippi", R::Lib(Library::Memcmp)),
    by("bcmp", "ippi", R::Lib(Library::Memcmp)),
    by("__memcmpeq", "ippi", R::Lib(Library::Memcmp)),
    by("memchr", "ppii", R::Lib(Library::Memchr)),
    by("strchr", "tti", R::Lib(Library::Strchr)),
    by("index", "tti", R::Lib(Library::Strchr)),
    by("strrchr", "tti", R::Lib(Library::Strrchr)),
    by("rindex", "tti", R::Lib(Library::Strrchr)),
    by("strstr", "ttt", R::Lib(Library::Strstr)),
    by("strpbrk", "ttt", R::Lib(Library::Strpbrk)),
    by("strspn", "itt", R::Lib(Library::Strspn)),
    by("strcspn", "itt", R::Lib(Library::Strcspn)),
    by("ffs", "ii", R::Ffs),
    by("ffsl", "ii", R::Ffs),
    by("ffsll", "ii", R::Ffs),
    // ctype.h, errno.h
    by("toupper", "ii", R::Lib(Library::Toupper)),
    by("tolower", "ii", R::Lib(Library::Tolower)),
    by("isalpha", "ii", R::Lib(Library::Isalpha)),
    by("isdigit", "ii", R::Lib(Library::Isdigit)),
    by("isspace", "ii", R::Lib(Library::Isspace)),
    by("isupper", "ii", R::Lib(Library::Isupper)),
    by("islower", "ii", R::Lib(Library::Islower)),
    by("isalnum", "ii", R::Lib(Library::Isalnum)),
    by("isxdigit", "ii", R::Lib(Library::Isxdigit)),
    by("isprint", "ii", R::Lib(Library::Isprint)),
    by("ispunct", "ii", R::Lib(Library::Ispunct)),
    by("iscntrl", "ii", R::Lib(Library::Iscntrl)),
    by("isgraph", "ii", R::Lib(Library::Isgraph)),
    by("isblank", "ii", R::Lib(Library::Isblank)),
    by("__errno_location", "p", R::Object),
    by("__ctype_b_loc", "p", R::Object),
    by("__ctype_toupper_loc", "p", R::Object),
    by("__ctype_tolower_loc", "p", R::Object),
    // math.h, fenv.h, complex.h
    by("isnan", "id", R::IsNan),
    by("isnanf", "id", R::IsNan),
    by("isnanl", "id", R::IsNan),
    by("__isnan", "id", R::IsNan),
    by("__isnanf", "id", R::IsNan),
    by("__isnanl", "id", R::IsNan),
    by("isinf", "id", R::IsInf),
    by("isinff", "id", R::IsInf),
    by("isinfl", "id", R::IsInf),
    by("__isinf", "id", R::IsInf),
    by("__isinff", "id", R::IsInf),
    by("__isinfl", "id", R::IsInf),
    by("finite", "id", R::IsFinite),
    by("finitef", "id", R::IsFinite),
    by("finitel", "id", R::IsFinite),
    by("__finite", "id", R::IsFinite),
    by("__finitef", "id", R::IsFinite),
    by("__finitel", "id", R::IsFinite),
    by("signbit", "id", R::SignBit),
    by("signbitf", "id", R::SignBit),
    by("signbitl", "id", R::SignBit),
    by("__signbit", "id", R::SignBit),
    by("__signbitf", "id", R::SignBit),
    by("__signbitl", "id", R::SignBit),
    by("isfinite", "id", R::IsFinite),
    by("isnormal", "id", R::IsNormal),
    by("__fpclassify", "id", R::FpClass),
    by("__fpclassifyf", "id", R::FpClass),
    by("__fpclassifyl", "id", R::FpClass),
    by("isgreater", "idd", R::Compare(BinOp::Gt)),
    by("isgreaterequal", "idd", R::Compare(BinOp::Ge)),
    by("isless", "idd", R::Compare(BinOp::Lt)),
    by("islessequal", "idd", R::Compare(BinOp::Le)),
    by("isunordered", "idd", R::IsUnordered),
    by("islessgreater", "idd", R::IsLessGreater),
    by("fabs", "dd", R::Fabs),
    by("fabsf", "dd", R::Fabs),
    by("fabsl", "dd", R::Fabs),
    by("copysign", "ddd", R::CopySign),
    by("copysignf", "ddd", R::CopySign),
    by("copysignl", "ddd", R::CopySign),
    by("nan", "dt", R::Nan),
    by("nanf", "dt", R::Nan),
    by("nanl", "dt", R::Nan),
    by("sqrt", "dd", R::Lib(Library::Sqrt)).errno(Errno::May),
    by("sqrtf", "dd", R::Lib(Library::Sqrtf)).errno(Errno::May),
    by("fmod", "ddd", R::Lib(Library::Fmod)).errno(Errno::May),
    by("fmodf", "ddd", R::Lib(Library::Fmodf)).errno(Errno::May),
    by("sqrtl", "dd", R::Lib(Library::Sqrtl)).errno(Errno::May),
    by("fmodl", "ddd", R::Lib(Library::Fmodl)).errno(Errno::May),
    by("fma", "dddd", R::Lib(Library::Fma)).errno(Errno::May),
    by("fmaf", "dddd", R::Lib(Library::Fmaf)).errno(Errno::May),
    by("fmal", "dddd", R::Lib(Library::Fmal)).errno(Errno::May),
    by("remainder", "ddd", R::Lib(Library::Remainder)).errno(Errno::May),
    by("remainderf", "ddd", R::Lib(Library::Remainderf)).errno(Errno::May),
    by("remainderl", "ddd", R::Lib(Library::Remainderl)).errno(Errno::May),
    by("drem", "ddd", R::Lib(Library::Remainder)).errno(Errno::May),
    by("dremf", "ddd", R::Lib(Library::Remainderf)).errno(Errno::May),
    by("dreml", "ddd", R::Lib(Library::Remainderl)).errno(Errno::May),
    by("ldexp", "ddi", R::Lib(Library::Ldexp)).errno(Errno::May),
    by("ldexpf", "ddi", R::Lib(Library::Ldexpf)).errno(Errno::May),
    by("ldexpl", "ddi", R::Lib(Library::Ldexpl)).errno(Errno::May),
    by("scalbn", "ddi", R::Lib(Library::Ldexp)).errno(Errno::May),
    by("scalbnf", "ddi", R::Lib(Library::Ldexpf)).errno(Errno::May),
    by("scalbnl", "ddi", R::Lib(Library::Ldexpl)).errno(Errno::May),
    by("scalbln", "ddi", R::ScaleLong).errno(Errno::May),
    by("frexp", "ddp", R::Frexp),
    by("modf", "ddp", R::Modf),
    by("scalblnf", "ddi", R::ScaleLong).errno(Errno::May),
    by("frexpf", "ddp", R::Frexp),
    by("modff", "ddp", R::Modf),
    by("scalblnl", "ddi", R::ScaleLong).errno(Errno::May),
    by("frexpl", "ddp", R::Frexp),
    by("modfl", "ddp", R::Modf),
    by("sin", "dd", R::Lib(Library::Sin)).errno(Errno::May),
    by("sinf", "dd", R::Lib(Library::Sinf)).errno(Errno::May),
    by("cos", "dd", R::Lib(Library::Cos)).errno(Errno::May),
    by("cosf", "dd", R::Lib(Library::Cosf)).errno(Errno::May),
    by("tan", "dd", R::Lib(Library::Tan)).errno(Errno::May),
    by("tanf", "dd", R::Lib(Library::Tanf)).errno(Errno::May),
    by("asin", "dd", R::Lib(Library::Asin)).errno(Errno::May),
    by("asinf", "dd", R::Lib(Library::Asinf)).errno(Errno::May),
    by("acos", "dd", R::Lib(Library::Acos)).errno(Errno::May),
    by("acosf", "dd", R::Lib(Library::Acosf)).errno(Errno::May),
    by("atan", "dd", R::Lib(Library::Atan)).errno(Errno::May),
    by("atanf", "dd", R::Lib(Library::Atanf)).errno(Errno::May),
    by("sinh", "dd", R::Lib(Library::Sinh)).errno(Errno::May),
    by("sinhf", "dd", R::Lib(Library::Sinhf)).errno(Errno::May),
    by("cosh", "dd", R::Lib(Library::Cosh)).errno(Errno::May),
    by("coshf", "dd", R::Lib(Library::Coshf)).errno(Errno::May),
    by("tanh", "dd", R::Lib(Library::Tanh)).errno(Errno::May),
    by("tanhf", "dd", R::Lib(Library::Tanhf)).errno(Errno::May),
    by("exp", "dd", R::Lib(Library::Exp)).errno(Errno::May),
    by("expf", "dd", R::Lib(Library::Expf)).errno(Errno::May),
    by("exp2", "dd", R::Lib(Library::Exp2)).errno(Errno::May),
    by("exp2f", "dd", R::Lib(Library::Exp2f)).errno(Errno::May),
    by("expm1", "dd", R::Lib(Library::Expm1)).errno(Errno::May),
    by("expm1f", "dd", R::Lib(Library::Expm1f)).errno(Errno::May),
    by("log", "dd", R::Lib(Library::Log)).errno(Errno::May),
    by("logf", "dd", R::Lib(Library::Logf)).errno(Errno::May),
    by("log2", "dd", R::Lib(Library::Log2)).errno(Errno::May),
    by("log2f", "dd", R::Lib(Library::Log2f)).errno(Errno::May),
    by("log10", "dd", R::Lib(Library::Log10)).errno(Errno::May),
    by("log10f", "dd", R::Lib(Library::Log10f)).errno(Errno::May),
    by("log1p", "dd", R::Lib(Library::Log1p)).errno(Errno::May),
    by("log1pf", "dd", R::Lib(Library::Log1pf)).errno(Errno::May),
    by("cbrt", "dd", R::Lib(Library::Cbrt)).errno(Errno::May),
    by("cbrtf", "dd", R::Lib(Library::Cbrtf)).errno(Errno::May),
    by("atan2", "ddd", R::Lib(Library::Atan2)).errno(Errno::May),
    by("atan2f", "ddd", R::Lib(Library::Atan2f)).errno(Errno::May),
    by("pow", "ddd", R::Lib(Library::Pow)).errno(Errno::May),
    by("powf", "ddd", R::Lib(Library::Powf)).errno(Errno::May),
    by("hypot", "ddd", R::Lib(Library::Hypot)).errno(Errno::May),
    by("hypotf", "ddd", R::Lib(Library::Hypotf)).errno(Errno::May),
    by("floor", "dd", R::Float(FloatOp::Floor)),
    by("floorf", "dd", R::Float(FloatOp::Floor)),
    by("floorl", "dd", R::Float(FloatOp::Floor)),
    by("ceil", "dd", R::Float(FloatOp::Ceil)),
    by("ceilf", "dd", R::Float(FloatOp::Ceil)),
    by("ceill", "dd", R::Float(FloatOp::Ceil)),
    by("trunc", "dd", R::Float(FloatOp::Trunc)),
    by("truncf", "dd", R::Float(FloatOp::Trunc)),
    by("truncl", "dd", R::Float(FloatOp::Trunc)),
    by("round", "dd", R::Float(FloatOp::Round)),
    by("roundf", "dd", R::Float(FloatOp::Round)),
    by("roundl", "dd", R::Float(FloatOp::Round)),
    by("rint", "dd", R::Float(FloatOp::Rint)),
    by("rintf", "dd", R::Float(FloatOp::Rint)),
    by("rintl", "dd", R::Float(FloatOp::Rint)),
    by("nearbyint", "dd", R::Float(FloatOp::Rint)),
    by("nearbyintf", "dd", R::Float(FloatOp::Rint)),
    by("nearbyintl", "dd", R::Float(FloatOp::Rint)),
    by("roundeven", "dd", R::Float(FloatOp::Rint)),
    by("roundevenf", "dd", R::Float(FloatOp::Rint)),
    by("roundevenl", "dd", R::Float(FloatOp::Rint)),
    by("fmin", "ddd", R::Float(FloatOp::Min)),
    by("fminf", "ddd", R::Float(FloatOp::Min)),
    by("fminl", "ddd", R::Float(FloatOp::Min)),
    by("fmax", "ddd", R::Float(FloatOp::Max)),
    by("fmaxf", "ddd", R::Float(FloatOp::Max)),
    by("fmaxl", "ddd", R::Float(FloatOp::Max)),
    by("fdim", "ddd", R::Float(FloatOp::Dim)).errno(Errno::May),
    by("fdimf", "ddd", R::Float(FloatOp::Dim)).errno(Errno::May),
    by("fdiml", "ddd", R::Float(FloatOp::Dim)).errno(Errno::May),
    by("lround", "id", R::RoundToInt(FloatOp::Round)).errno(Errno::May),
    by("lroundf", "id", R::RoundToInt(FloatOp::Round)).errno(Errno::May),
    by("lroundl", "id", R::RoundToInt(FloatOp::Round)).errno(Errno::May),
    by("llround", "id", R::RoundToInt(FloatOp::Round)).errno(Errno::May),
    by("llroundf", "id", R::RoundToInt(FloatOp::Round)).errno(Errno::May),
    by("llroundl", "id", R::RoundToInt(FloatOp::Round)).errno(Errno::May),
    by("lrint", "id", R::RoundToInt(FloatOp::Rint)).errno(Errno::May),
    by("lrintf", "id", R::RoundToInt(FloatOp::Rint)).errno(Errno::May),
    by("lrintl", "id", R::RoundToInt(FloatOp::Rint)).errno(Errno::May),
    by("llrint", "id", R::RoundToInt(FloatOp::Rint)).errno(Errno::May),
    by("llrintf", "id", R::RoundToInt(FloatOp::Rint)).errno(Errno::May),
    by("llrintl", "id", R::RoundToInt(FloatOp::Rint)).errno(Errno::May),
    by("creal", "d?", R::ComplexPart(0)),
    by("crealf", "d?", R::ComplexPart(0)),
    by("creall", "d?", R::ComplexPart(0)),
    by("cimag", "d?", R::ComplexPart(1)),
    by("cimagf", "d?", R::ComplexPart(1)),
    by("cimagl", "d?", R::ComplexPart(1)),
    by("conj", "??", R::Conjugate),
    by("conjf", "??", R::Conjugate),
    by("conjl", "??", R::Conjugate),
    by("fesetround", "ii", R::RoundingMode),
    by("fegetround", "i", R::RoundingModeNow),
    // signal.h
    by("signal", "", R::Signal).errno(Errno::May),
    by("sigaction", "", R::Signal).errno(Errno::May),
    by("__sysv_signal", "", R::Signal),
    by("bsd_signal", "", R::Signal),
    by("sigset", "", R::Signal),
    // assert.h, and what verifiers add to C
    by("assert", "", R::Assert),
    by("__VERIFIER_assert", "", R::Assert),
    by("__VERIFIER_assume", "", R::Assume),
    by("__CPROVER_assume", "", R::Assume),
    by("__assert_fail", "", R::AssertFail(0)),
    by("__assert", "", R::AssertFail(0)),
    by("__assert2", "", R::AssertFail(0)),
    by("_assert", "", R::AssertFail(0)),
    by("__assert_perror_fail", "", R::AssertFail(0)),
    by("__assertfail", "", R::AssertFail(0)),
    by("__assert_rtn", "", R::AssertFail(3)),
    by("__assert_func", "", R::AssertFail(3)),
    by("__assert13", "", R::AssertFail(3)),
    by("__VERIFIER_atomic_begin", "v", R::Nothing),
    by("__VERIFIER_atomic_end", "v", R::Nothing),
];

/// What the compiler means by names that begin with `__builtin_`, besides functions of the library; without that beginning the names
/// are free.
#[rustfmt::skip]
const BUILTINS: &[(&[&str], Recipe)] = &[
    (&["unreachable"], R::Unreachable),
    (&["trap"], R::Halt),
    (&["prefetch"], R::Nothing),
    (&["popcount", "popcountl", "popcountll"], R::Popcount),
    (&["parity", "parityl", "parityll"], R::Parity),
    (&["clz", "clzl", "clzll"], R::Clz),
    (&["ctz", "ctzl", "ctzll"], R::Ctz),
    (&["clrsb", "clrsbl", "clrsbll"], R::Clrsb),
    (&["bswap16", "bswap32", "bswap64", "bswap128"], R::Bswap),
    (&["object_size", "dynamic_object_size"], R::ObjectSize),
    (&["inf", "inff", "infl", "huge_val", "huge_valf", "huge_vall"], R::Infinity),
    (&["nans", "nansf", "nansl"], R::Nan),
    (&["isinf_sign"], R::IsInfSign),
    (&["fpclassify"], R::FpClassify),
    (&["assume_aligned", "extract_return_addr"], R::First),
    (&["ifloor", "ifloorf", "ifloorl", "lfloor", "lfloorf", "lfloorl", "llfloor", "llfloorf", "llfloorl"], R::RoundToInt(FloatOp::Floor)),
    (&["iceil", "iceilf", "iceill", "lceil", "lceilf", "lceill", "llceil", "llceilf", "llceill"], R::RoundToInt(FloatOp::Ceil)),
    (&["iround", "iroundf", "iroundl"], R::RoundToInt(FloatOp::Round)),
    (&["irint", "irintf", "irintl"], R::RoundToInt(FloatOp::Rint)),
];

/// The recipe of a built-in function of the compiler that is none of the library; the name is what follows `__builtin_`.
pub fn builtin(name: &str) -> Option<Recipe> {
    let own = BUILTINS.iter().find(|(names, _)| names.contains(&name)).map(|(_, recipe)| *recipe);
    let leaves = ["setjmp_setup", "setjmp_receiver", "eh_return", "nonlocal_goto", "unwind_init"].contains(&name);
    own.or_else(|| leaves.then_some(R::Refused(JUMPS)))
}

const JUMPS: &str = "setjmp or longjmp";
const MATHEMATICAL: &str = "mathematical function";

/// Functions that are not followed: the reason, what they take (as in [`Row::signature`]), and their names. Their results are determined by
/// their arguments, or they write through them in ways that matter, or they do what no function can do: as undefined functions they would
/// have results that no real run has, or not all that one has.
#[rustfmt::skip]
const REFUSED: &[(&str, &str, &[&str])] = &[
    (JUMPS, "", &[
        "__setjmp", "___setjmp", "__longjmp", "__longjmp_chk", "longjmp_chk", "savectx",
    ]),
    ("contexts of execution", "", &[
        "getcontext", "setcontext", "makecontext", "swapcontext", "__getcontext", "__setcontext", "__makecontext", "__swapcontext",
    ]),
    ("signals", "", &["raise", "kill", "killpg", "sigqueue"]),
    ("rounding modes", "", &["fesetenv", "feupdateenv"]),
    ("atexit", "", &["on_exit", "at_quick_exit"]),
    ("processes", "", &[
        "fork", "vfork", "_Fork", "__fork", "__vfork", "__libc_fork", "clone", "__clone", "clone3", "forkpty",
    ]),
    ("valloc", "pi", &["valloc", "pvalloc"]),
    // What they give is determined by their text.
    ("sscanf", "", &["sscanf", "vsscanf", "swscanf", "vswscanf"]),
    ("string function", "", &["strtok", "strtok_r", "strsep", "strxfrm", "memmem", "strverscmp"]),
    (MATHEMATICAL, "dd", &[
        "acos", "asin", "atan", "cos", "sin", "tan", "acosh", "asinh", "atanh", "cosh", "sinh", "tanh", "exp", "exp2", "exp10",
        "pow10", "expm1", "log", "log2", "log10", "log1p", "logb", "cbrt", "erf", "erfc", "tgamma", "lgamma", "gamma", "j0", "j1",
        "y0", "y1", "significand",
    ]),
    (MATHEMATICAL, "ddd", &["pow", "atan2", "hypot", "nextafter", "nexttoward", "scalb"]),
    (MATHEMATICAL, "ddi", &["powi"]),
    (MATHEMATICAL, "id", &["ilogb"]),
    (MATHEMATICAL, "vdpp", &["sincos"]),
    (MATHEMATICAL, "?ii", &["div", "ldiv", "lldiv"]),
];

/// Why a function is not followed, and what it takes.
pub fn refused(name: &str) -> Option<(&'static str, &'static str)> {
    if ["pthread_", "thrd_", "mtx_"].iter().any(|family| name.starts_with(family)) {
        return Some(("threads", ""));
    }
    let group =
        |name: &str| REFUSED.iter().find(|(.., names)| names.contains(&name)).map(|&(why, takes, _)| (why, takes));
    // Those of `math.h` come in three types.
    let other_type = || group(name.strip_suffix(['f', 'l'])?).filter(|(why, _)| *why == MATHEMATICAL);
    group(name).or_else(other_type)
}

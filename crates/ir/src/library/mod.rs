//! Functions of the C library that have a meaning without a body.
//!
//! Each only reads memory and gives one scalar; what a C function does besides - `strcpy` writes, `strdup` allocates,
//! `sprintf` does both - is said by ordinary operations around such calls (`SetRange`, `CopyRange`, `Alloc`), so no stage needs
//! to know more than that a call without a body gives some value. A function of this list is an [`ir::Function`](Function)
//! without body whose name is the C name after a dot, with the signature given here ([`Library::of`], [`Library::declare`]).
//!
//! A model has two halves. The exact one is in the interpreter ([`crate::interp`]). The other, [`Library::contract`], is a
//! formula over arguments and result without loops and without memory, which `lower` assumes right after the call; it
//! must hold for whatever the exact half gives, which the tests show for random arguments.
//!
//! What is known of functions under their C names - what they write, give, do to `errno` and call - is the table in [`c`].

pub mod c;
pub mod math;
pub mod recipe;

use crate::syntax::*;
use base::{IndexVec, Span};

macro_rules! library {
    ($($variant:ident = $name:literal, $signature:literal;)+) => {
        /// A library function. The comment of the table in this file explains the signatures.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "named after the functions of C")]
        pub enum Library { $($variant),+ }

        impl Library {
            /// All of them.
            pub const ALL: &'static [Library] = &[$(Library::$variant),+];

            /// The name in a program.
            pub fn name(self) -> &'static str {
                match self { $(Library::$variant => $name),+ }
            }

            /// Result and parameters, one letter each.
            fn letters(self) -> &'static str {
                match self { $(Library::$variant => $signature),+ }
            }
        }
    };
}

// The result, then the parameters: p pointer, z size, i int, l 64 bits signed, L 64 bits unsigned, w 32 bits signed, W 32 bits
// unsigned, f float, d double, e long double, q binary128, `.` any further arguments.
library! {
    Strlen = ".strlen", "zp";
    Strnlen = ".strnlen", "zpz";
    Strcmp = ".strcmp", "ipp";
    Strncmp = ".strncmp", "ippz";
    Strcasecmp = ".strcasecmp", "ipp";
    Strncasecmp = ".strncasecmp", "ippz";
    Memcmp = ".memcmp", "ippz";
    Sign = ".sign", "ii";
    Memchr = ".memchr", "ppiz";
    Strchr = ".strchr", "ppi";
    Strrchr = ".strrchr", "ppi";
    Strstr = ".strstr", "ppp";
    Strpbrk = ".strpbrk", "ppp";
    Strspn = ".strspn", "zpp";
    Strcspn = ".strcspn", "zpp";
    Toupper = ".toupper", "ii";
    Tolower = ".tolower", "ii";
    Isalpha = ".isalpha", "ii";
    Isdigit = ".isdigit", "ii";
    Isspace = ".isspace", "ii";
    Isupper = ".isupper", "ii";
    Islower = ".islower", "ii";
    Isalnum = ".isalnum", "ii";
    Isxdigit = ".isxdigit", "ii";
    Isprint = ".isprint", "ii";
    Ispunct = ".ispunct", "ii";
    Iscntrl = ".iscntrl", "ii";
    Isgraph = ".isgraph", "ii";
    Isblank = ".isblank", "ii";
    Strtol32 = ".strtol32", "wpi";
    Strtoul32 = ".strtoul32", "Wpi";
    Strtol64 = ".strtol64", "lpi";
    Strtoul64 = ".strtoul64", "Lpi";
    StrtolEnd = ".strtol.end", "ppi";
    StrtolError32 = ".strtol32.error", "ipi";
    StrtoulError32 = ".strtoul32.error", "ipi";
    StrtolError64 = ".strtol64.error", "ipi";
    StrtoulError64 = ".strtoul64.error", "ipi";
    Strtod = ".strtod", "dp";
    Strtof = ".strtof", "fp";
    Strtold = ".strtold", "ep";
    StrtodEnd = ".strtod.end", "pp";
    StrtodError = ".strtod.error", "ip";
    StrtofError = ".strtof.error", "ip";
    StrtoldError = ".strtold.error", "ip";
    Size = ".size", "zp";
    Format = ".format", "pp.";
    FormatLength = ".format.length", "ip.";
    Vformat = ".vformat", "ppp";
    VformatLength = ".vformat.length", "ipp";
    Sqrt = ".sqrt", "dd";
    Sqrtf = ".sqrtf", "ff";
    Fmod = ".fmod", "ddd";
    Fmodf = ".fmodf", "fff";
    Floor = ".floor", "dd";
    Floorf = ".floorf", "ff";
    Floorl = ".floorl", "ee";
    Ceil = ".ceil", "dd";
    Ceilf = ".ceilf", "ff";
    Ceill = ".ceill", "ee";
    Trunc = ".trunc", "dd";
    Truncf = ".truncf", "ff";
    Truncl = ".truncl", "ee";
    Round = ".round", "dd";
    Roundf = ".roundf", "ff";
    Roundl = ".roundl", "ee";
    Rint = ".rint", "dd";
    Rintf = ".rintf", "ff";
    Rintl = ".rintl", "ee";
    Sqrtl = ".sqrtl", "ee";
    Fmodl = ".fmodl", "eee";
    Fma = ".fma", "dddd";
    Fmaf = ".fmaf", "ffff";
    Fmal = ".fmal", "eeee";
    Remainder = ".remainder", "ddd";
    Remainderf = ".remainderf", "fff";
    Remainderl = ".remainderl", "eee";
    Ldexp = ".ldexp", "ddw";
    Ldexpf = ".ldexpf", "ffw";
    Ldexpl = ".ldexpl", "eew";
    Frexp = ".frexp", "dd";
    Frexpf = ".frexpf", "ff";
    Frexpl = ".frexpl", "ee";
    Exponent = ".exponent", "wd";
    Exponentf = ".exponentf", "wf";
    Exponentl = ".exponentl", "we";
    AddIn = ".in.add", "dddw";
    AddInf = ".in.addf", "fffw";
    AddInl = ".in.addl", "eeew";
    AddInq = ".in.addq", "qqqw";
    MulIn = ".in.mul", "dddw";
    MulInf = ".in.mulf", "fffw";
    MulInl = ".in.mull", "eeew";
    MulInq = ".in.mulq", "qqqw";
    DivIn = ".in.div", "dddw";
    DivInf = ".in.divf", "fffw";
    DivInl = ".in.divl", "eeew";
    DivInq = ".in.divq", "qqqw";
    SqrtIn = ".in.sqrt", "ddw";
    SqrtInf = ".in.sqrtf", "ffw";
    SqrtInl = ".in.sqrtl", "eew";
    FmaIn = ".in.fma", "ddddw";
    FmaInf = ".in.fmaf", "ffffw";
    FmaInl = ".in.fmal", "eeeew";
    RintIn = ".in.rint", "ddw";
    RintInf = ".in.rintf", "ffw";
    RintInl = ".in.rintl", "eew";
    LdexpIn = ".in.ldexp", "ddww";
    LdexpInf = ".in.ldexpf", "ffww";
    LdexpInl = ".in.ldexpl", "eeww";
    NarrowIn = ".in.narrow", "dqw";
    NarrowInh = ".in.narrowh", "hqw";
    NarrowInf = ".in.narrowf", "fqw";
    NarrowInl = ".in.narrowl", "eqw";
    Sin = ".sin", "dd";
    Sinf = ".sinf", "ff";
    Cos = ".cos", "dd";
    Cosf = ".cosf", "ff";
    Tan = ".tan", "dd";
    Tanf = ".tanf", "ff";
    Asin = ".asin", "dd";
    Asinf = ".asinf", "ff";
    Acos = ".acos", "dd";
    Acosf = ".acosf", "ff";
    Atan = ".atan", "dd";
    Atanf = ".atanf", "ff";
    Sinh = ".sinh", "dd";
    Sinhf = ".sinhf", "ff";
    Cosh = ".cosh", "dd";
    Coshf = ".coshf", "ff";
    Tanh = ".tanh", "dd";
    Tanhf = ".tanhf", "ff";
    Exp = ".exp", "dd";
    Expf = ".expf", "ff";
    Exp2 = ".exp2", "dd";
    Exp2f = ".exp2f", "ff";
    Expm1 = ".expm1", "dd";
    Expm1f = ".expm1f", "ff";
    Log = ".log", "dd";
    Logf = ".logf", "ff";
    Log2 = ".log2", "dd";
    Log2f = ".log2f", "ff";
    Log10 = ".log10", "dd";
    Log10f = ".log10f", "ff";
    Log1p = ".log1p", "dd";
    Log1pf = ".log1pf", "ff";
    Cbrt = ".cbrt", "dd";
    Cbrtf = ".cbrtf", "ff";
    Atan2 = ".atan2", "ddd";
    Atan2f = ".atan2f", "fff";
    Pow = ".pow", "ddd";
    Powf = ".powf", "fff";
    Hypot = ".hypot", "ddd";
    Hypotf = ".hypotf", "fff";
}

impl Library {
    /// The library function that `f` is.
    pub fn of(f: &Function) -> Option<Library> {
        if f.body.is_some() || !f.name.starts_with('.') {
            return None;
        }
        Library::ALL.iter().copied().find(|l| l.name() == f.name)
    }

    /// Whether further arguments are allowed.
    pub fn is_variadic(self) -> bool {
        self.letters().ends_with('.')
    }

    /// The types of the fixed parameters.
    pub fn params(self, model: DataModel) -> Vec<Ty> {
        self.letters().bytes().skip(1).filter(|&b| b != b'.').map(|b| letter(b, model)).collect()
    }

    /// The type of the result.
    pub fn result(self, model: DataModel) -> Ty {
        letter(self.letters().as_bytes()[0], model)
    }

    /// The function as a program declares it.
    pub fn declare(self, model: DataModel, span: Span) -> Function {
        let mut locals = IndexVec::new();
        for (i, ty) in self.params(model).into_iter().enumerate() {
            locals.push(Local { name: format!("$p{}", i + 1), shape: Shape::Scalar(ty), constant: false, span });
        }
        let n_params = locals.len();
        let ret = locals.push(Local {
            name: "$result".to_owned(),
            shape: Shape::Scalar(self.result(model)),
            constant: false,
            span,
        });
        Function {
            name: self.name().to_owned(),
            linkage: Linkage::External,
            n_params,
            variadic: self.is_variadic(),
            locals,
            ret: Some(ret),
            body: None,
            span,
        }
    }

    /// What always holds of the result for these arguments; `None` if nothing is said.
    pub fn contract(self, args: &[Expr], result: &Expr, model: DataModel) -> Option<Expr> {
        use Library::*;
        let at_most = |e: &Expr| Expr::binary(BinOp::Le, result.clone(), e.clone());
        match self {
            // An object is no larger than half of the memory.
            Strlen | Strspn | Strcspn | Size => {
                let most = (1i128 << (model.ptr_width() - 1)) - 1;
                Some(at_most(&Expr::int(model.size_ty(), most)))
            }
            Strnlen => Some(at_most(&args[1])),
            Memchr | Strchr | Strrchr | Strstr | Strpbrk => {
                let none = Expr::binary(BinOp::Eq, result.clone(), Expr::null());
                let behind = Expr::binary(BinOp::Ge, result.clone(), args[0].clone());
                Some(Expr::binary(BinOp::Or, none, behind))
            }
            StrtolEnd | StrtodEnd => Some(Expr::binary(BinOp::Ge, result.clone(), args[0].clone())),
            StrtolError32 | StrtoulError32 | StrtolError64 | StrtoulError64 => {
                let is = |n: i128| Expr::binary(BinOp::Eq, result.clone(), Expr::int(result.ty, n));
                let all = [0, NO_NUMBER, EINVAL, ERANGE];
                all.into_iter().map(is).reduce(|a, b| Expr::binary(BinOp::Or, a, b))
            }
            Strtod | Strtof | Strtold => None,
            StrtodError | StrtofError | StrtoldError => {
                let is = |n: i128| Expr::binary(BinOp::Eq, result.clone(), Expr::int(result.ty, n));
                let either = Expr::binary(BinOp::Or, is(ERANGE), is(MAYBE_RANGE));
                Some(Expr::binary(BinOp::Or, is(0), either))
            }
            FormatLength | VformatLength => Some(within(result, 0, i32::MAX.into())),
            Sign => {
                let zero = Expr::int(result.ty, 0);
                let same = |op: BinOp| {
                    let of = |e: &Expr| Expr::binary(op, e.clone(), zero.clone());
                    Expr::binary(BinOp::Eq, of(result), of(&args[0]))
                };
                Some(Expr::binary(BinOp::And, same(BinOp::Lt), same(BinOp::Gt)))
            }
            Toupper | Tolower => {
                let (letter, by) = if self == Toupper { (LOWER, -32) } else { (UPPER, 32) };
                let moved = Expr::binary(BinOp::Add, args[0].clone(), Expr::int(args[0].ty, by));
                let to = Expr::ite(in_ranges(&args[0], &[letter]), moved, args[0].clone());
                Some(Expr::binary(BinOp::Eq, result.clone(), to))
            }
            _ if self.math().is_some() => math::contract(self.math()?, args, result),
            _ => {
                let is_none = Expr::binary(BinOp::Eq, result.clone(), Expr::int(result.ty, 0));
                let inside = in_ranges(&args[0], self.class()?);
                Some(Expr::binary(BinOp::Eq, is_none.negate(), inside))
            }
        }
    }

    /// How many of the first arguments are strings whose bytes the result depends on, and nothing else in memory.
    pub fn string_arguments(self) -> usize {
        use Library::*;
        match self {
            Strlen | Strnlen | Memchr | Strchr | Strrchr => 1,
            Strcmp | Strncmp | Memcmp => 2,
            _ => 0,
        }
    }

    /// Whether the result, if it is not null, points into what the first argument points into.
    pub fn gives_argument(self) -> bool {
        use Library::*;
        matches!(self, Memchr | Strchr | Strrchr | Strstr | Strpbrk | StrtolEnd | StrtodEnd)
    }

    /// Whether the contract says all that C does (in the C locale).
    pub fn is_exact(self) -> bool {
        matches!(self, Library::Sign | Library::Toupper | Library::Tolower) || self.class().is_some()
    }

    /// The characters of a class of `ctype.h` in the C locale, as ranges.
    fn class(self) -> Option<&'static [(u8, u8)]> {
        use Library::*;
        Some(match self {
            Isalpha => &[UPPER, LOWER],
            Isdigit => &[DIGIT],
            Isspace => &[(9, 13), (b' ', b' ')],
            Isupper => &[UPPER],
            Islower => &[LOWER],
            Isalnum => &[DIGIT, UPPER, LOWER],
            Isxdigit => &[DIGIT, (b'A', b'F'), (b'a', b'f')],
            Isprint => &[(b' ', b'~')],
            Ispunct => &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
            Iscntrl => &[(0, 31), (127, 127)],
            Isgraph => &[(b'!', b'~')],
            Isblank => &[(9, 9), (b' ', b' ')],
            _ => return None,
        })
    }
}

/// What the functions `.strtol….error` give besides 0: there is no number in the text.
pub const NO_NUMBER: i128 = 1;
/// What the functions `.strto….error` give where a number is rounded to the least normal one: whether it counts as too small, depends on
/// how it would be rounded with more exponents.
pub const MAYBE_RANGE: i128 = 1;
/// The base is none.
pub const EINVAL: i128 = 22;
/// The number does not fit.
pub const ERANGE: i128 = 34;
/// `errno` where there is no memory.
pub const ENOMEM: i128 = 12;

const UPPER: (u8, u8) = (b'A', b'Z');
const LOWER: (u8, u8) = (b'a', b'z');
const DIGIT: (u8, u8) = (b'0', b'9');

fn in_ranges(e: &Expr, ranges: &[(u8, u8)]) -> Expr {
    let inside = ranges.iter().map(|&(lo, hi)| within(e, lo.into(), hi.into()));
    inside.reduce(|a, b| Expr::binary(BinOp::Or, a, b)).unwrap_or(Expr::bool(false))
}

fn within(e: &Expr, lo: i128, hi: i128) -> Expr {
    let above = Expr::binary(BinOp::Ge, e.clone(), Expr::int(e.ty, lo));
    let below = Expr::binary(BinOp::Le, e.clone(), Expr::int(e.ty, hi));
    Expr::binary(BinOp::And, above, below)
}

fn letter(b: u8, model: DataModel) -> Ty {
    match b {
        b'p' => Ty::Ptr,
        b'z' => model.size_ty(),
        b'l' => Ty::int(64, true),
        b'L' => Ty::int(64, false),
        b'W' => Ty::int(32, false),
        b'h' => Ty::Float(FloatTy::F16),
        b'f' => Ty::Float(FloatTy::F32),
        b'd' => Ty::Float(FloatTy::F64),
        b'e' => Ty::Float(FloatTy::F80),
        b'q' => Ty::Float(FloatTy::F128),
        _ => Ty::int(32, true),
    }
}

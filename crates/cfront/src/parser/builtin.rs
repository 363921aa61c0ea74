//! Built-in functions: a table of those with a fixed signature, and the operations typed by their operands.

use super::{Parser, R};
use crate::abi::VaList;
use crate::symbol::Symbol;
use crate::token::T;
use crate::tree::{Builtin, CastKind, ExprId, ExprKind, FuncId};
use crate::types::{
    ArrayLen, Field, IntKind, Lengths, Quals, RecordDef, RecordKind, Signature, Type, TypeId, Types, basic,
};
use base::Span;

/// Whether a built-in has a fixed signature.
fn is_known(plain: &str) -> bool {
    TABLE.iter().chain(PREFIXED).any(|(name, _)| *name == plain) || mathematical(plain).is_some()
}

/// The signature of a function of `math.h`, plain or with the suffix of its type.
fn mathematical(name: &str) -> Option<String> {
    let (name, real) = ["f16", "f32", "f64", "f128", "f32x", "f64x"]
        .into_iter()
        .find_map(|s| Some((name.strip_suffix(s)?, s)))
        .map_or((name, None), |(stem, suffix)| (stem, Some(suffix)));
    let find = |stem: &str| MATH.iter().find(|(_, names)| names.contains(&stem)).map(|(signature, _)| *signature);
    let shorter = |suffix: char| find(name.strip_suffix(suffix)?);
    let (signature, real) = match (find(name), shorter('f'), shorter('l')) {
        (Some(s), ..) => {
            let letters = [("f16", "h"), ("f32", "f"), ("f64x", "D"), ("f128", "q")];
            (s, letters.iter().find(|(suffix, _)| Some(*suffix) == real).map_or("d", |(_, letter)| letter))
        }
        _ if real.is_some() => return None,
        (_, Some(s), _) => (s, "f"),
        (.., Some(s)) => (s, "D"),
        (None, None, None) => return None,
    };
    Some(signature.replace('#', real))
}

/// Functions on floating-point numbers by signature, `#` being the type of the numbers.
#[rustfmt::skip]
const MATH: &[(&str, &[&str])] = &[
    ("##", &[
        "acos", "asin", "atan", "cos", "sin", "tan", "acosh", "asinh", "atanh", "cosh", "sinh", "tanh", "exp", "exp2", "exp10",
        "pow10", "expm1", "log", "log2", "log10", "log1p", "logb", "cbrt", "sqrt", "floor", "ceil", "round", "trunc", "rint",
        "nearbyint", "roundeven", "fabs", "erf", "erfc", "tgamma", "lgamma", "gamma", "j0", "j1", "y0", "y1", "significand",
    ]),
    ("###", &[
        "pow", "atan2", "fmod", "fmin", "fmax", "fdim", "hypot", "copysign", "remainder", "drem", "nextafter", "scalb",
    ]),
    ("####", &["fma"]),
    ("##i", &["ldexp", "scalbn", "powi"]),
    ("##l", &["scalbln"]),
    ("##p", &["modf", "frexp"]),
    ("i#", &["iround", "irint", "ifloor", "iceil", "ilogb"]),
    ("l#", &["lround", "lrint", "lfloor", "lceil"]),
    ("x#", &["llround", "llrint", "llfloor", "llceil"]),
    ("v#pp", &["sincos"]),
    ("#", &["inf", "huge_val"]),
    ("#C", &["nan", "nans"]),
];

/// How a built-in that is no plain function is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// `va_start`, `va_end`, `va_copy`.
    VaList(Builtin),
    Expect,
    ConstantP,
    /// `__builtin_classify_type`.
    ClassifyType,
    /// No arguments, no value.
    Plain(Builtin),
    /// `a, b, pointer to the result`, for operands of this type, if it is fixed.
    Overflow(Builtin, Option<IntKind>),
    /// `a, b, value of the result's type`.
    OverflowP(Builtin),
    /// A pointer and so many values of the type it points to; further arguments are memory orders.
    Atomic(Builtin, usize),
    /// `p, expected pointer, desired, weak, orders`.
    AtomicCas,
    /// `__atomic_load` and its kin: so many pointers to objects, further arguments are memory orders.
    AtomicMemory(Builtin, usize),
    /// A memory fence.
    Fence,
    /// The first argument.
    Itself,
    /// `__builtin_shuffle`.
    Shuffle,
    /// `__builtin_shufflevector`.
    ShuffleConstant,
    /// `__builtin_convertvector`.
    ConvertVector,
    /// A complex number from its parts.
    Complex,
    /// A part of a complex number with parts of this type, or its conjugate.
    OfComplex(TypeId, Option<u32>),
    /// Understood, but not represented.
    Opaque,
}

/// Built-ins with a fixed signature, as in C or with the prefix `__builtin_`. The signature is the result and then the
/// parameters, one letter each: v void, b bool, i int, u unsigned, l long, L unsigned long, x long long, X unsigned long
/// long, Q unsigned __int128, z size_t, w unsigned short, p `void *`, P `const void *`, c `char *`, C `const char *`, f float, d double,
/// D long double, V `va_list`, `.` more.
#[rustfmt::skip]
const TABLE: &[(&str, &str)] = &[
    ("abort", "v"), ("exit", "vi"), ("_exit", "vi"), ("_Exit", "vi"), ("malloc", "pz"), ("calloc", "pzz"),
    ("realloc", "ppz"), ("free", "vp"), ("alloca", "pz"), ("alloca_with_align", "pzz"), ("aligned_alloc", "pzz"),
    ("memcpy", "ppPz"), ("memmove", "ppPz"), ("memset", "ppiz"), ("memcmp", "iPPz"), ("memchr", "pPiz"),
    ("mempcpy", "ppPz"), ("bcopy", "vPpz"), ("bzero", "vpz"), ("strlen", "zC"), ("strnlen", "zCz"), ("strcpy", "ccC"),
    ("strncpy", "ccCz"), ("stpcpy", "ccC"), ("stpncpy", "ccCz"), ("strcat", "ccC"), ("strncat", "ccCz"), ("strcmp", "iCC"),
    ("strncmp", "iCCz"), ("strcasecmp", "iCC"), ("strncasecmp", "iCCz"), ("strchr", "cCi"), ("strrchr", "cCi"),
    ("index", "cCi"), ("rindex", "cCi"), ("strstr", "cCC"), ("strpbrk", "cCC"), ("strspn", "zCC"), ("strcspn", "zCC"),
    ("strdup", "cC"), ("strndup", "cCz"), ("printf", "iC."), ("fprintf", "ipC."), ("sprintf", "icC."),
    ("snprintf", "iczC."), ("puts", "iC"), ("putchar", "ii"), ("scanf", "iC."), ("sscanf", "iCC."), ("fputs", "iCp"),
    ("fputc", "iip"), ("fwrite", "zPzzp"), ("abs", "ii"), ("labs", "ll"), ("llabs", "xx"), ("imaxabs", "xx"), ("isalpha", "ii"),
    ("isdigit", "ii"), ("isspace", "ii"), ("isalnum", "ii"), ("isupper", "ii"), ("islower", "ii"), ("isprint", "ii"),
    ("ispunct", "ii"), ("isxdigit", "ii"), ("iscntrl", "ii"), ("isgraph", "ii"), ("toupper", "ii"), ("tolower", "ii"),
];

/// Built-ins that exist only with the prefix `__builtin_`.
#[rustfmt::skip]
const PREFIXED: &[(&str, &str)] = &[
    ("popcount", "iu"), ("popcountl", "iL"), ("popcountll", "iX"), ("clz", "iu"), ("clzl", "iL"), ("clzll", "iX"),
    ("ctz", "iu"), ("ctzl", "iL"), ("ctzll", "iX"), ("ffs", "ii"), ("ffsl", "il"), ("ffsll", "ix"), ("parity", "iu"),
    ("parityl", "iL"), ("parityll", "iX"), ("clrsb", "ii"), ("clrsbl", "il"), ("clrsbll", "ix"), ("bswap16", "ww"),
    ("bswap32", "uu"), ("bswap64", "XX"), ("bswap128", "QQ"), ("object_size", "zPi"), ("dynamic_object_size", "zPi"), ("prefetch", "vP."),
    ("return_address", "pu"), ("extract_return_addr", "pp"), ("frame_address", "pu"), ("huge_val", "d"),
    ("huge_valf", "f"), ("huge_vall", "D"), ("inf", "d"), ("inff", "f"), ("infl", "D"), ("nan", "dC"), ("nanf", "fC"),
    ("nanl", "DC"), ("nans", "dC"), ("nansf", "fC"), ("isnan", "i."), ("isnanf", "if"), ("isnanl", "iD"), ("isinf", "i."),
    ("isinff", "if"), ("isinfl", "iD"), ("finitef", "if"), ("finitel", "iD"), 
    ("isinf_sign", "i."), ("isfinite", "i."), ("finite", "id"), ("isnormal", "i."), ("signbit", "i."),
    ("signbitf", "if"), ("signbitl", "iD"), ("isgreater", "i."), ("isgreaterequal", "i."), ("isless", "i."),
    ("islessequal", "i."), ("islessgreater", "i."), ("isunordered", "i."), ("fpclassify", "iiiiii."),
    ("assume_aligned", "pPz."), ("cpu_init", "v"), ("cpu_supports", "iC"), ("cpu_is", "iC"),
    ("__clear_cache", "vpp"), ("ia32_pause", "v"), ("setjmp", "ip"), ("longjmp", "vpi"), ("stack_save", "p"),
    ("stack_restore", "vp"), ("__memcpy_chk", "ppPzz"), ("__memmove_chk", "ppPzz"), ("__memset_chk", "ppizz"),
    ("__strcpy_chk", "ccCz"), ("__strncpy_chk", "ccCzz"), ("__strcat_chk", "ccCz"), ("__strncat_chk", "ccCzz"),
    ("__stpcpy_chk", "ccCz"), ("__stpncpy_chk", "ccCzz"), ("__mempcpy_chk", "ppPzz"), ("__sprintf_chk", "icizC."), ("__snprintf_chk", "iczizC."), ("__printf_chk", "iiC."), ("vprintf", "iCV"), ("vfprintf", "ipCV"), ("vsprintf", "icCV"), ("vsnprintf", "iczCV"),
    ("__vsprintf_chk", "icizCV"), ("__vsnprintf_chk", "iczizCV"), ("__vprintf_chk", "iiCV"), ("__vfprintf_chk", "ipiCV"),
    ("__fprintf_chk", "ipiC."),
    ("va_arg_pack", "i"), ("va_arg_pack_len", "i"), ("LINE", "i"), ("FILE", "C"), ("FUNCTION", "C"),
];

impl Parser<'_> {
    /// The function behind `__builtin_name`, or behind a library function called without declaration.
    pub(super) fn known_builtin(&mut self, name: Symbol, span: Span) -> Option<FuncId> {
        let text = self.name(name);
        let find = |table: &[(&str, &str)], n: &str| table.iter().find(|(t, _)| *t == n).map(|(_, s)| (*s).to_owned());
        let signature = match text.strip_prefix("__builtin_") {
            Some(plain) => find(TABLE, plain).or_else(|| find(PREFIXED, plain)).or_else(|| mathematical(plain)),
            None if self.at(T::LParen) => find(TABLE, text).or_else(|| mathematical(text)),
            None => None,
        }?;
        let ty = self.signature_type(&signature);
        self.warn_of_implicit(name, span);
        let f = self.declare_implicitly(name, ty, span);
        let ends = matches!(self.name(name).trim_start_matches("__builtin_"), "abort" | "exit" | "_exit" | "_Exit");
        self.u.funcs[f].attrs.noreturn |= ends;
        Some(f)
    }

    fn signature_type(&mut self, letters: &str) -> TypeId {
        let mut types = letters.chars().filter(|&c| c != '.').map(|c| self.letter(c)).collect::<Vec<_>>();
        let ret = types.remove(0);
        let variadic = letters.ends_with('.');
        let sig = Signature { ret, params: types.into(), variadic, prototype: true };
        self.u.types.intern(Type::Function(sig))
    }

    fn letter(&mut self, c: char) -> TypeId {
        let constant = |p: &mut Self, t: TypeId| p.u.types.qualified(t, Quals::CONST);
        match c {
            'v' => basic::VOID,
            'b' => basic::BOOL,
            'u' => basic::UINT,
            'l' => basic::LONG,
            'L' => basic::ULONG,
            'x' => basic::LONGLONG,
            // `uint64_t`, as `__builtin_bswap64` has it, is `unsigned long` in LP64; the width is the same.
            'X' => basic::ULONGLONG,
            'w' => basic::USHORT,
            'Q' => basic::UINT128,
            'V' => {
                let list = self.va_list_type();
                self.adjusted(list)
            }
            'z' => self.u.types.size_t(),
            'f' => basic::FLOAT,
            'd' => basic::DOUBLE,
            'D' => basic::LONGDOUBLE,
            'h' => basic::FLOAT16,
            'q' => basic::FLOAT128,
            'p' => self.u.types.pointer(basic::VOID),
            'P' => {
                let t = constant(self, basic::VOID);
                self.u.types.pointer(t)
            }
            'c' => self.u.types.pointer(basic::CHAR),
            'C' => {
                let t = constant(self, basic::CHAR);
                self.u.types.pointer(t)
            }
            _ => basic::INT,
        }
    }

    /// Whether a name is a built-in with rules of its own.
    #[rustfmt::skip]
    pub(super) fn special_builtin(&self, name: Symbol) -> Option<Special> {
        use Special::*;
        if self.is_object(name) {
            return None;
        }
        let text = self.name(name);
        if let Some(special) = fixed_overflow(text) {
            return Some(special);
        }
        Some(match text {
            "__builtin_va_start" => VaList(Builtin::VaStart),
            "__builtin_stdarg_start" | "__builtin_next_arg" => VaList(Builtin::VaStart),
            "__builtin_va_end" => VaList(Builtin::VaEnd),
            "__builtin_va_copy" => VaList(Builtin::VaCopy),
            "__builtin_expect" | "__builtin_expect_with_probability" => Expect,
            "__builtin_constant_p" => ConstantP,
            "__builtin_classify_type" => ClassifyType,
            "__builtin_unreachable" => Plain(Builtin::Unreachable),
            "__builtin_trap" => Plain(Builtin::Trap),
            "__builtin_add_overflow" => Overflow(Builtin::AddOverflow, None),
            "__builtin_sub_overflow" => Overflow(Builtin::SubOverflow, None),
            "__builtin_mul_overflow" => Overflow(Builtin::MulOverflow, None),
            "__builtin_add_overflow_p" => OverflowP(Builtin::AddOverflowP),
            "__builtin_sub_overflow_p" => OverflowP(Builtin::SubOverflowP),
            "__builtin_mul_overflow_p" => OverflowP(Builtin::MulOverflowP),
            "__sync_fetch_and_add" | "__atomic_fetch_add" => Atomic(Builtin::FetchAdd, 1),
            "__sync_fetch_and_sub" | "__atomic_fetch_sub" => Atomic(Builtin::FetchSub, 1),
            "__sync_fetch_and_or" | "__atomic_fetch_or" => Atomic(Builtin::FetchOr, 1),
            "__sync_fetch_and_and" | "__atomic_fetch_and" => Atomic(Builtin::FetchAnd, 1),
            "__sync_fetch_and_xor" | "__atomic_fetch_xor" => Atomic(Builtin::FetchXor, 1),
            "__sync_fetch_and_nand" | "__atomic_fetch_nand" => Atomic(Builtin::FetchNand, 1),
            "__sync_add_and_fetch" | "__atomic_add_fetch" => Atomic(Builtin::AddFetch, 1),
            "__sync_sub_and_fetch" | "__atomic_sub_fetch" => Atomic(Builtin::SubFetch, 1),
            "__sync_or_and_fetch" | "__atomic_or_fetch" => Atomic(Builtin::OrFetch, 1),
            "__sync_and_and_fetch" | "__atomic_and_fetch" => Atomic(Builtin::AndFetch, 1),
            "__sync_xor_and_fetch" | "__atomic_xor_fetch" => Atomic(Builtin::XorFetch, 1),
            "__sync_nand_and_fetch" | "__atomic_nand_fetch" => Atomic(Builtin::NandFetch, 1),
            "__sync_bool_compare_and_swap" => Atomic(Builtin::BoolCas, 2),
            "__sync_val_compare_and_swap" => Atomic(Builtin::ValCas, 2),
            "__sync_lock_test_and_set" | "__atomic_exchange_n" => Atomic(Builtin::Exchange, 1),
            "__sync_lock_release" => Atomic(Builtin::LockRelease, 0),
            "__atomic_load_n" => Atomic(Builtin::AtomicLoad, 0),
            "__atomic_store_n" => Atomic(Builtin::AtomicStore, 1),
            "__atomic_compare_exchange_n" => AtomicCas,
            "__sync_synchronize" | "__atomic_thread_fence" | "__atomic_signal_fence" => Fence,
            "__atomic_load" => AtomicMemory(Builtin::AtomicLoad, 2),
            "__atomic_store" => AtomicMemory(Builtin::AtomicStore, 2),
            "__atomic_exchange" => AtomicMemory(Builtin::Exchange, 3),
            "__atomic_compare_exchange" => AtomicMemory(Builtin::AtomicCas, 3),
            "__builtin_speculation_safe_value" | "__builtin_assoc_barrier" => Itself,
            "__builtin_apply" | "__builtin_apply_args" | "__builtin_return" | "__builtin_tgmath"
            | "__builtin_va_arg_pack" | "__builtin_va_arg_pack_len" => Opaque,
            "__builtin_shuffle" => Shuffle,
            "__builtin_shufflevector" => ShuffleConstant,
            "__builtin_convertvector" => ConvertVector,
            "__builtin_complex" => Complex,
            "__builtin_conj" => OfComplex(basic::DOUBLE, None),
            "__builtin_conjf" => OfComplex(basic::FLOAT, None),
            "__builtin_conjl" => OfComplex(basic::LONGDOUBLE, None),
            "__builtin_creal" => OfComplex(basic::DOUBLE, Some(0)),
            "__builtin_crealf" => OfComplex(basic::FLOAT, Some(0)),
            "__builtin_creall" => OfComplex(basic::LONGDOUBLE, Some(0)),
            "__builtin_cimag" => OfComplex(basic::DOUBLE, Some(1)),
            "__builtin_cimagf" => OfComplex(basic::FLOAT, Some(1)),
            "__builtin_cimagl" => OfComplex(basic::LONGDOUBLE, Some(1)),
            // One that is not known would be taken for a function that returns an `int`.
            _ if text.strip_prefix("__builtin_").is_some_and(|plain| !is_known(plain)) => Opaque,
            _ => return None,
        })
    }

    /// Reads the call of such a built-in, at its name.
    pub(super) fn builtin_call(&mut self, special: Special) -> R<ExprId> {
        let name = self.bump();
        let open = self.bump();
        let mut args = Vec::new();
        let mut ty = None;
        while !self.at(T::RParen) {
            if special == Special::ConvertVector && args.len() == 1 {
                ty = Some(self.nested(Self::type_name)?);
                break;
            }
            let e = self.assign_expr()?;
            args.push(e);
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.close(T::RParen, "')'", open)?;
        let span = self.since(name.lo);
        let least = match special {
            Special::VaList(Builtin::VaCopy) | Special::Expect => 2,
            Special::VaList(_)
            | Special::ConstantP
            | Special::ClassifyType
            | Special::OfComplex(..)
            | Special::ConvertVector => 1,
            Special::Shuffle | Special::ShuffleConstant | Special::Complex => 2,
            Special::Overflow(..) | Special::OverflowP(_) | Special::AtomicCas => 3,
            Special::Atomic(_, n) => n + 1,
            Special::AtomicMemory(_, n) => n,
            Special::Itself => 1,
            Special::Plain(_) | Special::Fence | Special::Opaque => 0,
        };
        if args.len() < least {
            let text = self.name(name.sym).to_owned();
            return self.error(
                "arguments",
                span,
                format!("too few arguments to function '{text}': expected {least}, have {}", args.len()),
            );
        }
        match special {
            Special::VaList(op) => self.va_list_operation(op, &args, span),
            Special::Expect => {
                for a in &mut args {
                    let v = self.value(*a)?;
                    *a = self.cast(v, basic::LONG)?;
                }
                args.truncate(2);
                Ok(self.builtin(Builtin::Expect, &args, basic::LONG, span))
            }
            Special::ConstantP => {
                let constant = self.is_constant(args[0])?;
                Ok(self.int(u64::from(constant), basic::INT, span))
            }
            Special::ClassifyType => {
                let e = self.value(args[0])?;
                let class = self.type_class(self.ty(e));
                Ok(self.int(class, basic::INT, span))
            }
            Special::Plain(op) => Ok(self.builtin(op, &[], basic::VOID, span)),
            Special::AtomicMemory(op, _) => self.atomic_memory(op, &args, span),
            Special::Itself => self.value(args[0]),
            Special::Fence => Ok(self.builtin(Builtin::Fence, &[], basic::VOID, span)),
            Special::Overflow(op, fixed) => self.overflow(op, fixed, &args, span),
            Special::OverflowP(op) => {
                for a in &mut args {
                    *a = self.integer_operand(*a)?;
                }
                Ok(self.builtin(op, &args[..3], basic::BOOL, span))
            }
            Special::Atomic(op, n) => self.atomic(op, n, &args, span),
            Special::AtomicCas => {
                let (p, expected) = (self.value(args[0])?, self.value(args[1])?);
                let target = self.scalar_target(p, span)?;
                let desired = self.value(args[2])?;
                let desired = self.cast(desired, target)?;
                Ok(self.builtin(Builtin::AtomicCas, &[p, expected, desired], basic::BOOL, span))
            }
            Special::Shuffle => self.shuffle(&args, span),
            Special::ShuffleConstant => self.shuffle_constant(&args, span),
            Special::ConvertVector => match ty {
                Some(ty) => self.convert_vector(args[0], ty, span),
                None => self.error("arguments", span, "'__builtin_convertvector' needs a type"),
            },
            Special::Complex => {
                let (re, im) = (self.value(args[0])?, self.value(args[1])?);
                let part = self.usual_type(re, im);
                self.complex(part, re, im, span)
            }
            Special::OfComplex(part, index) => {
                let e = self.value(args[0])?;
                let ty = self.u.types.intern(Type::Complex(part));
                let e = self.cast(e, ty)?;
                match index {
                    Some(index) => self.part(e, index, span),
                    None => self.unary(crate::tree::UnOp::BitNot, e, span),
                }
            }
            Special::Opaque => {
                let text = self.name(name.sym).to_owned();
                Ok(self.unsupported_expr(format!("built-in function {text}"), basic::INT, span))
            }
        }
    }

    pub(super) fn builtin(&mut self, op: Builtin, args: &[ExprId], ty: TypeId, span: Span) -> ExprId {
        let args = self.list(args);
        self.expr(ExprKind::Builtin(op, args), ty, span)
    }

    /// gcc's number for a kind of type, after default promotions.
    fn type_class(&self, ty: TypeId) -> u64 {
        match self.u.types.get(ty) {
            Type::Void => 0,
            Type::Int(_) | Type::Enum(_) => 1,
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => 5,
            Type::Float(_) => 8,
            Type::Complex(_) => 9,
            Type::Record(r) if self.u.types.records[*r].kind == crate::types::RecordKind::Struct => 12,
            Type::Record(_) => 13,
            Type::Vector(..) => -1i64 as u64,
        }
    }

    /// `__builtin_constant_p` as gcc answers it without optimisation: literals, strings and what folds.
    fn is_constant(&mut self, e: ExprId) -> R<bool> {
        let direct = match self.u.exprs[e].kind {
            ExprKind::Str(_) | ExprKind::Float(_) => true,
            ExprKind::Cast(CastKind::ArrayDecay, inner, _) => matches!(self.u.exprs[inner].kind, ExprKind::Str(_)),
            _ => false,
        };
        Ok(direct || crate::const_eval(&self.u, e).is_some())
    }

    fn integer_operand(&mut self, e: ExprId) -> R<ExprId> {
        let e = self.value(e)?;
        let span = self.span_at(e);
        if self.u.types.int_kind(self.ty(e)).is_none() {
            return self.error("type", span, "argument of an overflow built-in is not an integer");
        }
        Ok(e)
    }

    fn overflow(&mut self, op: Builtin, fixed: Option<IntKind>, args: &[ExprId], span: Span) -> R<ExprId> {
        let (mut a, mut b) = (self.integer_operand(args[0])?, self.integer_operand(args[1])?);
        let p = self.value(args[2])?;
        let target = self.scalar_target(p, span)?;
        if self.u.types.int_kind(target).is_none() {
            return self.error("type", span, "result of an overflow built-in is not an integer");
        }
        if let Some(kind) = fixed {
            let ty = Types::int(kind);
            (a, b) = (self.cast(a, ty)?, self.cast(b, ty)?);
        }
        Ok(self.builtin(op, &[a, b, p], basic::BOOL, span))
    }

    /// The scalar type a pointer argument points to.
    fn scalar_target(&mut self, p: ExprId, span: Span) -> R<TypeId> {
        match self.u.types.pointee(self.ty(p)).filter(|&t| self.u.types.is_scalar(t)) {
            Some(t) => Ok(self.u.types.unqualified(t)),
            None => self.error("type", span, "argument of an atomic or overflow built-in is not a pointer to a scalar"),
        }
    }

    fn atomic(&mut self, op: Builtin, n: usize, args: &[ExprId], span: Span) -> R<ExprId> {
        let p = self.value(args[0])?;
        let target = self.scalar_target(p, span)?;
        let mut list = vec![p];
        for &a in &args[1..=n] {
            let v = self.value(a)?;
            list.push(self.cast(v, target)?);
        }
        let ty = match op {
            Builtin::BoolCas => basic::BOOL,
            Builtin::LockRelease | Builtin::AtomicStore => basic::VOID,
            _ => target,
        };
        let arithmetic = !matches!(
            op,
            Builtin::BoolCas
                | Builtin::ValCas
                | Builtin::Exchange
                | Builtin::LockRelease
                | Builtin::AtomicLoad
                | Builtin::AtomicStore
        );
        if arithmetic && self.u.types.int_kind(target).is_none() {
            return Ok(self.unsupported_expr("atomic arithmetic on a pointer", ty, span));
        }
        Ok(self.builtin(op, &list, ty, span))
    }

    /// `__atomic_load(p, result)`, `__atomic_store(p, value)`, `__atomic_exchange(p, value, result)` and
    /// `__atomic_compare_exchange(p, expected, desired)`: values are behind pointers.
    fn atomic_memory(&mut self, op: Builtin, args: &[ExprId], span: Span) -> R<ExprId> {
        let mut places = Vec::with_capacity(3);
        for &a in args.iter().take(3) {
            let p = self.value(a)?;
            places.push(p);
        }
        let target = self.u.types.pointee(self.ty(places[0])).map(|t| self.u.types.unqualified(t));
        let scalar = target.is_some_and(|t| self.u.types.is_scalar(t));
        let ty = if op == Builtin::AtomicCas { basic::BOOL } else { basic::VOID };
        let copies = matches!(op, Builtin::AtomicLoad | Builtin::AtomicStore);
        if !scalar && !copies {
            return Ok(self.unsupported_expr("atomic operation on a structure", ty, span));
        }
        let (Some(target), p) = (target, places[0]) else {
            return self.error("type", span, "argument of an atomic built-in is not a pointer");
        };
        if copies {
            let (to, from) = if op == Builtin::AtomicLoad { (places[1], p) } else { (p, places[1]) };
            let (to, from) = (self.deref(to, span)?, self.deref(from, span)?);
            let from = self.value(from)?;
            let from = if scalar { self.cast(from, target)? } else { from };
            let stored = self.expr(ExprKind::Assign(to, from), target, span);
            return self.cast(stored, basic::VOID);
        }
        let operand = if op == Builtin::AtomicCas { places[2] } else { places[1] };
        let operand = self.deref(operand, span)?;
        let operand = self.value(operand)?;
        let operand = self.cast(operand, target)?;
        if op == Builtin::AtomicCas {
            return Ok(self.builtin(op, &[p, places[1], operand], ty, span));
        }
        let old = self.builtin(op, &[p, operand], target, span);
        let to = self.deref(places[2], span)?;
        let stored = self.expr(ExprKind::Assign(to, old), target, span);
        self.cast(stored, basic::VOID)
    }

    // ---- Variable arguments.

    /// `__builtin_va_list`: `char *` on i386, an array of one structure on x86-64, as [`VaList`] says elsewhere.
    pub(super) fn va_list_type(&mut self) -> TypeId {
        if let Some(ty) = self.va_list {
            return ty;
        }
        let void = self.u.types.pointer(basic::VOID);
        let ty = match self.u.types.target.abi().va_list {
            VaList::CharPointer => self.u.types.pointer(basic::CHAR),
            VaList::Pointer => void,
            VaList::Array => {
                let unsigned = basic::UINT;
                let members = [
                    ("gp_offset", unsigned),
                    ("fp_offset", unsigned),
                    ("overflow_arg_area", void),
                    ("reg_save_area", void),
                ];
                let elem = self.va_list_record("__va_list_tag", &members);
                self.u.types.intern(Type::Array(elem, ArrayLen::Fixed(1)))
            }
            VaList::Record => self.va_list_record("__va_list", &[("__ap", void)]),
            VaList::Registers => {
                let int = basic::INT;
                let members =
                    [("__stack", void), ("__gr_top", void), ("__vr_top", void), ("__gr_offs", int), ("__vr_offs", int)];
                self.va_list_record("__va_list", &members)
            }
        };
        self.va_list = Some(ty);
        ty
    }

    /// A structure with these members, which need no padding between them.
    fn va_list_record(&mut self, tag: &str, members: &[(&str, TypeId)]) -> TypeId {
        let span = self.span(0, 0);
        let (mut fields, mut offset) = (Vec::new(), 0);
        for &(name, ty) in members {
            let name = Some(self.lex.symbols.intern(name));
            fields.push(Field { align: 1, name, ty, offset, bits: None, span });
            offset += self.u.types.size(ty).unwrap_or(0);
        }
        let tag = Some(self.lex.symbols.intern(tag));
        let align = self.u.types.pointer_size();
        let record = self.u.types.records.push(RecordDef {
            kind: RecordKind::Struct,
            tag,
            complete: true,
            fields,
            size: offset,
            align,
            transparent: false,
            lengths: Lengths::Fixed,
            span,
        });
        self.u.types.intern(Type::Record(record))
    }

    /// A `va_list` operand as a place: the structure in an array, the structure, or the pointer.
    fn va_list_place(&mut self, e: ExprId) -> R<Option<ExprId>> {
        let list = self.va_list_type();
        let span = self.span_at(e);
        match *self.u.types.get(list) {
            Type::Array(elem, _) => {
                let v = self.value(e)?;
                let target = self.u.types.pointee(self.ty(v)).map(|t| self.u.types.unqualified(t));
                Ok(if target == Some(elem) { Some(self.deref(v, span)?) } else { None })
            }
            Type::Record(_) => {
                let same = self.u.types.unqualified(self.ty(e)) == list;
                Ok((self.u.is_place(e) && same).then_some(e))
            }
            _ => Ok((self.u.is_place(e) && self.u.types.pointee(self.ty(e)).is_some()).then_some(e)),
        }
    }

    fn va_list_operation(&mut self, op: Builtin, args: &[ExprId], span: Span) -> R<ExprId> {
        let n = if op == Builtin::VaCopy { 2 } else { 1 };
        let mut places = Vec::new();
        for &a in &args[..n] {
            match self.va_list_place(a)? {
                Some(p) => places.push(p),
                // `va_copy` may read from a value in ILP32.
                None if op == Builtin::VaCopy && !places.is_empty() => places.push(self.value(a)?),
                None => {
                    return Ok(self.unsupported_expr("variable argument list of an unusual type", basic::VOID, span));
                }
            }
        }
        Ok(self.builtin(op, &places, basic::VOID, span))
    }

    /// `__builtin_va_arg(list, type)`.
    pub(super) fn va_arg(&mut self) -> R<ExprId> {
        let t = self.bump();
        let open = self.expect(T::LParen, "'('")?;
        let list = self.assign_expr()?;
        self.expect(T::Comma, "','")?;
        let mark = self.pending.len();
        let ty = self.type_name()?;
        self.pending.truncate(mark);
        self.close(T::RParen, "')'", open)?;
        let span = self.since(t.lo);
        if !self.u.types.is_complete(ty) {
            let what = self.show(ty);
            return self.error("type", span, format!("second argument to 'va_arg' is of incomplete type '{what}'"));
        }
        let ty = self.u.types.unqualified(ty);
        match self.va_list_place(list)? {
            Some(p) => Ok(self.builtin(Builtin::VaArg, &[p], ty, span)),
            None => Ok(self.unsupported_expr("variable argument list of an unusual type", ty, span)),
        }
    }

    // ---- Operators that look like functions and take types.

    /// `__builtin_offsetof(type, member)`, with any designator behind the member.
    pub(super) fn offsetof(&mut self) -> R<ExprId> {
        let t = self.bump();
        let open = self.expect(T::LParen, "'('")?;
        let ty = self.type_name()?;
        self.expect(T::Comma, "','")?;
        let lo = self.tok.lo;
        let span = self.span_of(self.tok);
        let size_t = self.u.types.size_t();
        let pointer = self.u.types.pointer(ty);
        let zero = self.int(0, size_t, span);
        let null = self.cast(zero, pointer)?;
        let mut place = self.deref(null, span)?;
        place = self.offsetof_member(place, lo)?;
        loop {
            if self.eat(T::Dot) {
                place = self.offsetof_member(place, lo)?;
            } else if self.eat(T::Arrow) {
                // `member->x` is `member[0].x`.
                let base = self.value(place)?;
                place = self.deref(base, span)?;
                place = self.offsetof_member(place, lo)?;
            } else if self.at(T::LBracket) {
                let open = self.bump();
                let index = self.expression()?;
                self.close(T::RBracket, "']'", open)?;
                let span = self.since(lo);
                let base = self.value(place)?;
                let sum = self.binary(crate::tree::BinOp::Add, base, index, span)?;
                place = self.deref(sum, span)?;
            } else {
                break;
            }
            self.check_height(place)?;
        }
        self.close(T::RParen, "')'", open)?;
        let span = self.since(t.lo);
        if self.bit_field_width(place).is_some() {
            return self.error("type", span, "attempt to take address of bit-field");
        }
        let p = self.u.types.pointer(self.ty(place));
        let address = self.expr(ExprKind::AddrOf(place), p, span);
        match crate::const_eval(&self.u, address) {
            Some(n) => Ok(self.int(n as u64, size_t, span)),
            None => self.cast(address, size_t),
        }
    }

    fn offsetof_member(&mut self, base: ExprId, lo: u32) -> R<ExprId> {
        let name = self.expect(T::Ident, "a member name")?;
        let span = self.since(lo);
        let ty = self.ty(base);
        let text = self.name(name.sym).to_owned();
        let way = self.u.types.record(ty).and_then(|r| self.find_field(r, name.sym));
        match way {
            Some(way) => Ok(self.walk(base, &way, span)),
            None => {
                let (what, at) = (self.show(ty), self.span_of(name));
                self.error("member", at, format!("'{what}' has no member named '{text}'"))
            }
        }
    }

    /// `__builtin_types_compatible_p(a, b)`.
    pub(super) fn types_compatible(&mut self) -> R<ExprId> {
        let t = self.bump();
        let open = self.expect(T::LParen, "'('")?;
        let mark = self.pending.len();
        let a = self.type_name()?;
        self.expect(T::Comma, "','")?;
        let b = self.type_name()?;
        self.pending.truncate(mark);
        self.close(T::RParen, "')'", open)?;
        let span = self.since(t.lo);
        let same = self.u.types.compatible_unqualified(a, b);
        Ok(self.int(u64::from(same), basic::INT, span))
    }

    /// `__builtin_choose_expr(c, a, b)`.
    pub(super) fn choose_expr(&mut self) -> R<ExprId> {
        self.bump();
        let open = self.expect(T::LParen, "'('")?;
        let c = self.assign_expr()?;
        self.expect(T::Comma, "','")?;
        let a = self.assign_expr()?;
        self.expect(T::Comma, "','")?;
        let b = self.assign_expr()?;
        self.close(T::RParen, "')'", open)?;
        let which = self.constant(c, "first argument to '__builtin_choose_expr'")?;
        Ok(if which != 0 { a } else { b })
    }
}

/// `__builtin_sadd_overflow` and its kin.
fn fixed_overflow(name: &str) -> Option<Special> {
    let rest = name.strip_prefix("__builtin_")?.strip_suffix("_overflow")?;
    let (unsigned, rest) = match rest.as_bytes().first()? {
        b's' => (false, &rest[1..]),
        b'u' => (true, &rest[1..]),
        _ => return None,
    };
    let (op, size) = if let Some(size) = rest.strip_prefix("add") {
        (Builtin::AddOverflow, size)
    } else if let Some(size) = rest.strip_prefix("sub") {
        (Builtin::SubOverflow, size)
    } else {
        (Builtin::MulOverflow, rest.strip_prefix("mul")?)
    };
    let kind = match size {
        "" => IntKind::Int,
        "l" => IntKind::Long,
        "ll" => IntKind::LongLong,
        _ => return None,
    };
    Some(Special::Overflow(op, Some(Types::with_sign(kind, !unsigned))))
}

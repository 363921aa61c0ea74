//! Functions that have no body in the program but are known by name: which they are.
//!
//! A function with a body is never replaced. A known function whose address is taken gets a body made from its model, so
//! that calls through pointers mean the same as direct ones. What the models do is in [`crate::libc`].

use crate::context::{Context, Convention, Passing};
use crate::conversion;
use crate::expr::Want;
use crate::fold;
use crate::function::Fun;
use crate::known;
use crate::libc::checking;
use crate::link::Entity;
use crate::rounding::FloatModel;
use base::Span;
use cfront::tree::{self, CastKind, ExprId, ExprKind, UnOp};
use ir::library::Library;
use ir::library::c::{self, Errno, Gives, Row};
use ir::{ErrorKind, Expr, Externs, Op, Source, Ty, Ub, UbPolicy, Var};

/// What is known about a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    /// An arbitrary value of the declared type.
    Nondet,
    /// Arbitrary bytes: `(ptr, size)`.
    NondetMemory,
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
    /// Prints, or otherwise touches nothing of the program; an arbitrary result.
    Output,
    /// An arbitrary number that is not negative.
    Random,
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
    /// `sprintf` (the second flag unset) and `vsprintf`; the first flag says that a size is given.
    PrintTo(bool, bool),
    /// The address of `errno` or of a table behind a macro.
    Object,
    /// A function on floats that is a few operations.
    Float(FloatModel),
    /// `lround` and its kin: the rounding, then a conversion.
    RoundToInt(FloatModel),
    /// A comparison of floats that raises nothing.
    Compare(ir::BinOp),
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
    /// A part of a complex number.
    ComplexPart(u32),
    /// Its conjugate.
    Conjugate,
    /// What the library's table says of it, and nothing else.
    Row(&'static Row),
    /// `qsort`.
    Sort,
    /// `bsearch`.
    Search,
    /// `atexit`.
    AtExit,
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
    /// Not followed, for this reason.
    Refused(&'static str),
    /// It accesses memory through its arguments, which has to be asked for, and nobody knows how.
    Unchecked,
}

/// Prefixes and suffixes that make a built-in of a plain function.
pub(crate) fn plain_name(name: &str) -> &str {
    if let Some(rest) = name.strip_prefix("__builtin___") {
        return rest.strip_suffix("_chk").unwrap_or(rest);
    }
    // glibc's own checking versions.
    if let Some(rest) = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
        return rest;
    }
    // Names that headers give to functions which are another one in another version of C.
    let name = name.strip_prefix("__builtin_").or(name.strip_prefix("__isoc99_")).unwrap_or(name);
    let name = name.strip_prefix("__isoc23_").filter(|n| n.ends_with("scanf")).unwrap_or(name);
    // Functions of `math.h` are also named after the types that are `float` and `double` here.
    match (name.strip_suffix("f32"), name.strip_suffix("f64").or_else(|| name.strip_suffix("f32x"))) {
        (Some(_), _) => &name[..name.len() - 2],
        (_, Some(stem)) => stem,
        (None, None) => name,
    }
}

/// The model of a function without body.
// tidy: flat match: one row for each name
pub(crate) fn named(name: &str) -> Option<Model> {
    if name == "__VERIFIER_nondet_memory" {
        return Some(Model::NondetMemory);
    }
    if name.starts_with("__VERIFIER_nondet_") {
        return Some(Model::Nondet);
    }
    if name.starts_with("pthread_") || name.starts_with("thrd_") || name.starts_with("mtx_") {
        return Some(Model::Refused("threads"));
    }
    Some(match plain_name(name) {
        "__VERIFIER_assume" | "__CPROVER_assume" => Model::Assume,
        "assert" | "__VERIFIER_assert" => Model::Assert,
        "__assert_fail" | "__assert" | "__assert2" | "_assert" | "__assert_perror_fail" | "__assertfail" => {
            Model::AssertFail(0)
        }
        "__assert_rtn" | "__assert_func" | "__assert13" => Model::AssertFail(3),
        "exit" => Model::Exit,
        "abort" | "_exit" | "_Exit" | "quick_exit" | "trap" | "__VERIFIER_exit" => Model::Halt,
        "unreachable" => Model::Unreachable,
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" | "prefetch" | "__builtin_prefetch" => Model::Nothing,
        "srand" | "srandom" => Model::Nothing,
        "setbuf" | "setvbuf" | "setbuffer" => Model::StreamBuffer,
        "printf" | "printk" => Model::Format(0),
        "fprintf" | "dprintf" | "syslog" => Model::Format(1),
        "vprintf" => Model::FormatList(0),
        "vfprintf" | "vdprintf" => Model::FormatList(1),
        "puts" | "putchar" | "fputs" | "fputc" | "putc" | "fflush" | "perror" => Model::Output,
        "rand" | "random" => Model::Random,
        "malloc" => Model::Malloc,
        "calloc" => Model::Calloc,
        "free" | "cfree" => Model::Free,
        "alloca" | "__alloca" => Model::Alloca,
        "memset" => Model::Memset,
        "bzero" => Model::Bzero,
        "bcopy" => Model::Bcopy,
        "memcpy" => Model::Memcpy,
        "memmove" => Model::Memmove,
        "mempcpy" => Model::Mempcpy,
        "abs" | "labs" | "llabs" | "imaxabs" => Model::Abs,
        "ffs" | "ffsl" | "ffsll" => Model::Ffs,
        "popcount" | "popcountl" | "popcountll" => Model::Popcount,
        "parity" | "parityl" | "parityll" => Model::Parity,
        "clz" | "clzl" | "clzll" => Model::Clz,
        "ctz" | "ctzl" | "ctzll" => Model::Ctz,
        "bswap16" | "bswap32" | "bswap64" | "bswap128" => Model::Bswap,
        "isnan" | "isnanf" | "isnanl" | "__isnan" | "__isnanf" | "__isnanl" => Model::IsNan,
        "isinf" | "isinff" | "isinfl" | "__isinf" | "__isinff" | "__isinfl" => Model::IsInf,
        "isfinite" | "finite" | "finitef" | "finitel" | "__finite" | "__finitef" | "__finitel" => Model::IsFinite,
        "fabs" | "fabsf" | "fabsl" => Model::Fabs,
        "copysign" | "copysignf" | "copysignl" => Model::CopySign,
        "signbit" | "signbitf" | "signbitl" | "__signbit" | "__signbitf" | "__signbitl" => Model::SignBit,
        "object_size" | "dynamic_object_size" => Model::ObjectSize,
        "inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall" => Model::Infinity,
        "setjmp" | "_setjmp" | "__setjmp" | "___setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "siglongjmp"
        | "_longjmp" | "__longjmp" | "__longjmp_chk" | "longjmp_chk" | "savectx" | "setjmp_setup"
        | "setjmp_receiver" | "eh_return" | "nonlocal_goto" | "unwind_init" => Model::Refused("setjmp or longjmp"),
        "getcontext" | "setcontext" | "makecontext" | "swapcontext" | "__getcontext" | "__setcontext"
        | "__makecontext" | "__swapcontext" => Model::Refused("contexts of execution"),
        "signal" | "sigaction" | "__sysv_signal" | "bsd_signal" | "sigset" => Model::Signal,
        "raise" | "kill" | "killpg" | "sigqueue" => Model::Refused("signals"),
        "fesetround" => Model::RoundingMode,
        "fesetenv" | "feupdateenv" => Model::Refused("rounding modes"),
        "atexit" => Model::AtExit,
        "on_exit" | "at_quick_exit" => Model::Refused("atexit"),
        "fork" | "vfork" | "_Fork" | "__fork" | "__vfork" | "__libc_fork" | "clone" | "__clone" | "clone3"
        | "forkpty" => Model::Refused("processes"),
        "qsort" => Model::Sort,
        "bsearch" => Model::Search,
        "realloc" => Model::Realloc,
        "reallocarray" => Model::ReallocArray,
        "aligned_alloc" | "memalign" => Model::AlignedAlloc,
        "posix_memalign" => Model::PosixMemalign,
        "valloc" | "pvalloc" => Model::Refused("valloc"),
        "getline" | "getdelim" | "__getdelim" | "__getline" => Model::Line,
        "scanf" => Model::Scan(0),
        "fscanf" => Model::Scan(1),
        // What they give is determined by their text.
        "sscanf" | "vsscanf" | "swscanf" | "vswscanf" => Model::Refused("sscanf"),
        "strcpy" => Model::Strcpy,
        "stpcpy" => Model::Stpcpy,
        "strncpy" => Model::Strncpy,
        "stpncpy" => Model::Stpncpy,
        "strcat" => Model::Strcat,
        "strncat" => Model::Strncat,
        "strdup" | "strndup" => Model::Strdup,
        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtoimax" | "strtoumax" => Model::Strtol,
        "atoi" | "atol" | "atoll" => Model::Atoi,
        "sprintf" => Model::PrintTo(false, false),
        "snprintf" => Model::PrintTo(true, false),
        "vsprintf" => Model::PrintTo(false, true),
        "vsnprintf" => Model::PrintTo(true, true),
        "isgreater" => Model::Compare(ir::BinOp::Gt),
        "isgreaterequal" => Model::Compare(ir::BinOp::Ge),
        "isless" => Model::Compare(ir::BinOp::Lt),
        "islessequal" => Model::Compare(ir::BinOp::Le),
        "isunordered" => Model::IsUnordered,
        "islessgreater" => Model::IsLessGreater,
        "isnormal" => Model::IsNormal,
        "fpclassify" => Model::FpClassify,
        "__fpclassify" | "__fpclassifyf" | "__fpclassifyl" => Model::FpClass,
        "clrsb" | "clrsbl" | "clrsbll" => Model::Clrsb,
        "isinf_sign" => Model::IsInfSign,
        "nan" | "nanf" | "nanl" | "nans" | "nansf" | "nansl" => Model::Nan,
        "creal" | "crealf" | "creall" => Model::ComplexPart(0),
        "cimag" | "cimagf" | "cimagl" => Model::ComplexPart(1),
        "conj" | "conjf" | "conjl" => Model::Conjugate,
        "assume_aligned" | "extract_return_addr" => Model::First,
        other if crate::tables::is_object_function(other) => Model::Object,
        other => match (
            reading(other),
            FloatModel::named(other),
            FloatModel::to_integer(other, name.starts_with("__builtin_")),
        ) {
            (Some(lib), ..) => Model::Lib(lib),
            (_, Some(model), _) => Model::Float(model),
            (.., Some(model)) => Model::RoundToInt(model),
            (None, None, None) => return library(other).map(Model::Refused),
        },
    })
}

impl Context<'_> {
    /// The model of a function without body.
    pub(crate) fn model_of(&self, entity: Entity<tree::FuncId>) -> Option<Model> {
        let unit = &self.units[entity.0 as usize];
        let f = &unit.funcs[entity.1];
        if f.attrs.returns_twice {
            return Some(Model::Refused("function that returns twice"));
        }
        let (name, convention) = (unit.name(f.name), self.convention(entity));
        let (plain, row) = (plain_name(name), c::row(plain_name(name)));
        let fitting = row.filter(|r| r.gives != Gives::Model && known::fits(r, &convention));
        let open = self.streams == Streams::Open && row.is_some_and(Row::has_stream);
        let model = if open { None } else { fitting.map(Model::Row).or_else(|| named(name)) };
        // A stream that is closed is one no more, which nobody remembers.
        let closes = row.is_some_and(|r| r.closes) && self.checks(&[Ub::UseAfterFree, Ub::BadFree]);
        match model {
            _ if closes => Some(Model::Unchecked),
            // A function of another form than the one that the row is about: nobody knows what it accesses.
            Some(Model::Output | Model::Random) | None if self.checks_memory() && c::accesses_memory(plain) => {
                Some(Model::Unchecked)
            }
            None if open && self.opts.externs == Externs::Pure => Some(Model::Refused("streams that lie in memory")),
            model => model,
        }
    }

    /// Whether an access that is not fine is a defect.
    pub(crate) fn checks_memory(&self) -> bool {
        self.checks(&[Ub::NullDeref, Ub::UseAfterFree, Ub::OutOfBounds, Ub::BadFree])
    }

    fn checks(&self, kinds: &[Ub]) -> bool {
        kinds.iter().any(|ub| self.opts.ub.get(*ub) == UbPolicy::Checked)
    }
}

/// Whether the program can see what streams do: it looks into the objects that `FILE *` points to, or has streams that lie in its own
/// memory or call its functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Streams {
    /// It cannot.
    Closed,
    /// It can: the functions that change them are undefined functions.
    Open,
}

/// The library function that a C function is, where it does nothing but read and give a value.
fn reading(name: &str) -> Option<Library> {
    let name = match name {
        "bcmp" | "__memcmpeq" => "memcmp",
        "index" => "strchr",
        "rindex" => "strrchr",
        "strcoll" => "strcmp",
        "__isoc23_strtol" => return None,
        "size" | "format" | "vformat" | "sign" => return None,
        other => other,
    };
    Library::ALL.iter().copied().find(|l| l.name().strip_prefix('.') == Some(name))
}

/// Library functions whose results are determined by their arguments or that write through them in ways that matter: as
/// undefined functions they would have results that no real run has.
#[rustfmt::skip]
const KNOWN: &[(&str, &[&str])] = &[
    ("string function", &["strtok", "strtok_r", "strsep", "strxfrm", "memmem", "strverscmp"]),
    (MATHEMATICAL, &[
        "acos", "asin", "atan", "cos", "sin", "tan", "acosh", "asinh", "atanh", "cosh", "sinh", "tanh", "exp", "exp2", "exp10",
        "pow10", "expm1", "log", "log2", "log10", "log1p", "logb", "cbrt", "erf", "erfc", "tgamma", "lgamma", "gamma", "j0", "j1",
        "y0", "y1", "significand", "pow", "atan2", "hypot", "remainder", "drem", "nextafter", "nexttoward", "scalb", "fma",
        "ldexp", "scalbn", "scalbln", "powi", "modf", "frexp", "ilogb", "sincos", "sqrt", "fmod", "div", "ldiv", "lldiv",
    ]),
    ("conversion function", &["atof", "strtod", "strtof", "strtold"]),
];

/// The group of known library functions that `name` belongs to.
fn library(name: &str) -> Option<&'static str> {
    let group = |name: &str| KNOWN.iter().find(|(_, names)| names.contains(&name)).map(|(group, _)| *group);
    // Those of `math.h` come in three types.
    let other_type = || group(name.strip_suffix(['f', 'l'])?).filter(|g| *g == MATHEMATICAL);
    group(name).or_else(other_type)
}

const MATHEMATICAL: &str = "mathematical function";

/// Functions that write through their arguments: not what `--externs pure` means by an undefined function.
fn writes_arguments(name: &str) -> bool {
    matches!(
        plain_name(name),
        "scanf" | "sscanf" | "fscanf" | "fgets" | "gets" | "fread" | "read" | "getline" | "getcwd" | "gettimeofday"
    ) || name.starts_with("__isoc99_")
        || name.starts_with("__isoc23_")
}

impl Context<'_> {
    /// Whether the function gets a body made from its model when its address is taken.
    pub(crate) fn has_wrapper(&self, entity: Entity<tree::FuncId>) -> bool {
        let convention = self.convention(entity);
        let kept = |m: Model| m != Model::Alloca && !matches!(m, Model::FormatList(_));
        !convention.variadic && convention.trouble.is_none() && self.model_of(entity).is_some_and(kept)
    }
}

impl Fun<'_, '_> {
    /// A call of a known function; `None` if it is not known.
    pub(crate) fn model_call(
        &mut self,
        name: &str,
        entity: Entity<tree::FuncId>,
        e: ExprId,
        args: &[ExprId],
        want: Want,
    ) -> Option<Option<Expr>> {
        let unit = self.unit;
        let span = unit.exprs[e].span;
        let Some(model) = self.cx.model_of(entity) else {
            if self.cx.opts.externs == Externs::Pure && writes_arguments(name) {
                return Some(Some(self.refuse(e, "input function")));
            }
            return None;
        };
        match (model, args) {
            (Model::Assume, &[c]) => {
                self.assume(c, span);
                return Some(self.deliver_zero(entity, want, span));
            }
            (Model::Assert, &[c]) => {
                self.assert(c, span);
                return Some(self.deliver_zero(entity, want, span));
            }
            (Model::AssertFail(text), _) => {
                let text = args.get(text).and_then(|&a| self.literal(a)).unwrap_or_default();
                for &a in args {
                    self.effect(a);
                }
                self.assertion_failed(text, span);
                return Some(Some(self.dummy(e)));
            }
            (Model::Format(at), _) => {
                let format = args.get(at + checking(name)).and_then(|&a| self.literal(a));
                // `%n` writes; a format that is not known may contain it. Where a run is shown, the run will know.
                let known = format.is_some_and(|f| conversion::all(f.as_bytes(), self.model()).is_some());
                if !known && !self.cx.opts.output {
                    if self.cx.checks_memory() {
                        let format = args.get(at + checking(name)).copied();
                        return Some(self.unknown_format(e, format, args, span));
                    }
                    return None;
                }
            }
            (Model::Scan(at), _) => {
                let format = args.get(at).and_then(|&a| self.literal(a));
                return self.scan(name, e, entity, format.as_deref(), at, args, want);
            }
            (Model::ComplexPart(i), &[z]) => return Some(self.complex_part(z, i, want, span)),
            (Model::Conjugate, &[z]) => return Some(self.conjugate(z, want, span)),
            (Model::FormatList(at), _) => {
                let format = args.get(at + checking(name)).and_then(|&a| self.literal(a));
                if format.is_none_or(|f| writes_count(&f)) && !self.cx.opts.output && !self.cx.checks_memory() {
                    return None;
                }
                return Some(self.print_list_out(at, at + checking(name), entity, args, want, span));
            }
            (Model::PrintTo(bounded, list), _) => {
                let at = 1 + usize::from(bounded) + if name.ends_with("_chk") { 2 } else { 0 };
                if list {
                    let format = args.get(at).and_then(|&a| self.literal(a));
                    if format.is_some_and(|f| writes_count(&f)) {
                        return Some(Some(self.refuse(e, "format that writes a count")));
                    }
                    return Some(self.print_list(bounded, at, entity, args, want, span));
                }
            }
            _ => {}
        }
        let convention = self.cx.convention(entity);
        let args = self.arguments(args, false, span);
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            match arg {
                crate::call::Arg::Scalar(value) => values.push(value),
                crate::call::Arg::Record(..) => {
                    return Some(Some(self.refuse(e, "structure passed to a library function")));
                }
            }
        }
        let ret = match convention.ret {
            Passing::Scalar(ty) => Some(ty),
            Passing::Void => None,
            Passing::Record(size, align) => {
                let var = match want {
                    Want::Into(var) => var,
                    Want::Value | Want::Nothing => self.temp_object(size, align, span),
                };
                let addr = ir::Address::var(var);
                if model != Model::Nondet {
                    // No other model gives a structure.
                    self.refuse_model(model, name, span);
                }
                self.havoc_object(&addr, size, Source::Nondet(name.to_owned()), span);
                return Some(Some(Expr::addr(addr)));
            }
        };
        Some(self.apply(model, name, &values, ret, want, span))
    }

    /// `vsprintf` and `vsnprintf`: the list is a place that holds the address of the next argument.
    fn print_list(
        &mut self,
        bounded: bool,
        at: usize,
        entity: Entity<tree::FuncId>,
        args: &[ExprId],
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let ret = self.cx.convention(entity).ret.scalar();
        if args.len() < at + 2 {
            self.unsupported("call of a printing function with too few arguments", span);
            return ret.map(|ty| Expr::constant(ty, 0));
        }
        let mut values = Vec::new();
        for &a in &args[..=at] {
            let value = self.value(a);
            values.push(self.keep_if_memory(value, span));
        }
        values.drain(1 + usize::from(bounded)..at);
        let list = self.list_place(args[at + 1], span);
        let next = self.read(list, span);
        let format = values.pop()?;
        self.list_leaves(&format, &next, span);
        match self.listed(&format, &next, span) {
            Some(arguments) => {
                values.extend(arguments);
                self.print_to_memory(bounded, false, &values, ret, want, span)
            }
            None => {
                self.list_readable(&format, span);
                values.extend([format, next]);
                self.print_to_memory(bounded, true, &values, ret, want, span)
            }
        }
    }

    /// `vprintf` and `vfprintf`: the length of the text. The format is argument `at`, behind a stream if `stream` is 1.
    fn print_list_out(
        &mut self,
        stream: usize,
        at: usize,
        entity: Entity<tree::FuncId>,
        args: &[ExprId],
        want: Want,
        span: Span,
    ) -> Option<Expr> {
        let ret = self.cx.convention(entity).ret.scalar();
        if args.len() < at + 2 {
            self.unsupported("call of a printing function with too few arguments", span);
            return ret.map(|ty| Expr::constant(ty, 0));
        }
        let mut values = Vec::new();
        let mut shown = stream == 0;
        for (i, &a) in args[..=at].iter().enumerate() {
            let value = self.value(a);
            shown |= i == 0 && self.is_standard_output(&value);
            if i < stream {
                self.streams_there(self.cx.func_name(entity), std::slice::from_ref(&value), span);
            }
            values.push(self.keep_if_memory(value, span));
        }
        let list = self.list_place(args[at + 1], span);
        let next = self.read(list, span);
        self.list_leaves(&values[at], &next, span);
        let call = [values[at].clone(), next];
        if self.cx.opts.output && shown {
            self.print_formatted(Library::VformatLength, &call, span);
        }
        if want == Want::Nothing && !self.checks_memory() {
            self.flush(span);
            self.errno_after(Errno::May, Expr::bool(true), None, span);
            return None;
        }
        let [format, next] = &call;
        let exact = self.listed(format, next, span).and_then(|all| self.printed_length(&all, span));
        if exact.is_none() {
            self.list_readable(format, span);
        }
        let n = exact.unwrap_or_else(|| self.library_call(Library::VformatLength, &call, span));
        let n = self.or_failed(n, span);
        let result = self.finish_pure(n, ret, want, span);
        self.errno_after(Errno::May, Expr::bool(true), None, span);
        result
    }

    /// The body of a known function whose address is taken.
    pub(crate) fn wrapper(&mut self, name: &str, entity: Entity<tree::FuncId>, convention: &Convention, span: Span) {
        let exit = self.graph.exit;
        let Some(model) = self.cx.model_of(entity) else {
            return self.unsupported("function without a body", span);
        };
        let params: Vec<Expr> = self
            .locals
            .iter_enumerated()
            .take(convention.params.len())
            .map(|(id, l)| Expr::var(Var::Local(id), l.shape.scalar().unwrap_or(Ty::Ptr)))
            .collect();
        match (model, convention.ret, &params[..]) {
            (_, Passing::Record(..), _) => self.unsupported("library function that returns a structure", span),
            (Model::Assume, _, [c]) => {
                let c = fold::truth(c.clone());
                self.emit(Op::Assume(c), span);
                self.return_result(None, exit, span);
            }
            (Model::Assert, _, [c]) => {
                let (good, bad) = (self.graph.loc(), self.graph.loc());
                let c = fold::truth(c.clone());
                self.split(c, good, bad, span);
                self.at(bad);
                self.assertion_failed(String::new(), span);
                self.at(good);
                self.return_result(None, exit, span);
            }
            (Model::AssertFail(_), ..) => self.assertion_failed(String::new(), span),
            (Model::Format(_) | Model::FormatList(_) | Model::PrintTo(..), ..) => {
                self.unsupported("printing function called through a pointer", span);
            }
            (_, ret, _) => {
                let ret = ret.scalar();
                let want = self.ret.map_or(Want::Nothing, |r| Want::Into(Var::Local(r)));
                let value = self.apply(model, name, &params, ret, want, span);
                self.return_result(value, exit, span);
            }
        }
    }

    fn return_result(&mut self, value: Option<Expr>, exit: ir::Loc, span: Span) {
        let value = self.ret.map(|r| {
            let ty = self.scalar_of(Var::Local(r));
            value.map_or(Expr::constant(ty, 0), |v| fold::convert(ty, v, self.model()))
        });
        self.emit_to(Op::Return(value), exit, span);
    }

    fn deliver_zero(&mut self, entity: Entity<tree::FuncId>, want: Want, span: Span) -> Option<Expr> {
        let ty = self.cx.convention(entity).ret.scalar()?;
        self.deliver(Expr::constant(ty, 0), want, span)
    }

    fn assume(&mut self, cond: ExprId, span: Span) {
        if !self.effects(cond).edges {
            let cond = fold::truth(self.value(cond));
            return self.emit(Op::Assume(cond), span);
        }
        let (go_on, stop) = (self.graph.loc(), self.graph.loc());
        self.branch(cond, go_on, stop);
        self.at(stop);
        self.finish_with(Op::Halt, span);
        self.at(go_on);
    }

    fn assert(&mut self, cond: ExprId, span: Span) {
        let (good, bad) = (self.graph.loc(), self.graph.loc());
        self.branch(cond, good, bad);
        self.at(bad);
        self.assertion_failed(String::new(), span);
        self.at(good);
    }

    fn assertion_failed(&mut self, text: String, span: Span) {
        let error = self.cx.opts.targets.assertions;
        self.finish_with(if error { Op::Error(ErrorKind::Assert(text)) } else { Op::Halt }, span);
    }

    /// The text of a string literal.
    fn literal(&self, mut e: ExprId) -> Option<String> {
        loop {
            match self.unit.exprs[e].kind {
                ExprKind::Cast(CastKind::ArrayDecay | CastKind::Ptr | CastKind::Same, a, _)
                | ExprKind::Unary(UnOp::Plus, a) => e = a,
                ExprKind::Str(s) => return Some(String::from_utf8_lossy(&self.unit.strings[s].bytes).into_owned()),
                _ => return None,
            }
        }
    }
}

/// Whether a format has a `%n`, possibly with a length modifier.
fn writes_count(format: &str) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = &rest[at + 1..];
        let conversion = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #.*hlqjzt$'L".contains(c));
        if conversion.starts_with('n') {
            return true;
        }
        // Also steps over `%%`.
        let mut chars = conversion.chars();
        chars.next();
        rest = chars.as_str();
    }
    false
}

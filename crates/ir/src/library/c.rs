//! What is known of functions of the C library and of POSIX: one row for each, which is all that any stage knows of it.
//!
//! A row says what the function takes and gives ([`Row::signature`]), how its result comes about ([`Gives`]), which bytes of
//! the program it may write ([`Write`]), what it does to `errno` ([`Errno`]) and which functions of the program it calls
//! ([`Calls`]). `lower` makes operations of the IR out of that, so that interpreter, `vc` and `pointsto` see nothing but
//! those; a function whose result is computed ([`Gives::Model`]) has its recipe in `lower`, and its exact half, where it
//! has one, in [`super::Library`].
//!
//! A function with a row keeps no pointer that it gets, writes nothing but what the row says, and changes no object of the
//! library that a program can see by name (so `getopt`, `localtime` and their like have none: they are undefined functions).
//! A row holds for calls whose arguments fit its signature: another function that happens to have the name is an undefined one.
//! Adding a function means adding its row, which says what C11 and POSIX allow it to do.

/// What is known of one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name in C.
    pub name: &'static str,
    /// The result, then the parameters: `v` nothing, `p` a pointer, `s` a stream (`FILE *`), `i` an integer of any width, `d` a
    /// floating-point number, `.` any further arguments, `?` anything.
    pub signature: &'static str,
    /// Its result.
    pub gives: Gives,
    /// What it may write.
    pub writes: &'static [Write],
    /// What it does to `errno`.
    pub errno: Errno,
    /// What it calls.
    pub calls: Calls,
}

/// How a result comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// By a recipe of `lower`.
    Model,
    /// Any value of its type; a pointer of unknown origin, or null.
    Any,
    /// A number from the first to the second.
    Between(i64, i64),
    /// -1, or a number from 0 on.
    CountOrError,
    /// -1, or a number from 0 to this argument.
    AtMostOrError(usize),
    /// A number from 0 to this argument.
    AtMost(usize),
    /// This argument as an `unsigned char`, or -1.
    CharOrError(usize),
    /// This argument, or null.
    ArgumentOrNull(usize),
}

/// Bytes that a function may write: any part of them from the start on, with any values; nothing if the pointer is null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The argument that points to the first.
    pub to: usize,
    /// The most that are written.
    pub most: Most,
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Most {
    /// The value of an argument; none if it is negative.
    Argument(usize),
    /// Characters and a zero behind them, together no more than this argument, if the result is not null: `fgets`.
    Text(usize),
    /// The product of two.
    Product(usize, usize),
    /// So many `long`s.
    Longs(u64),
    /// So many bytes.
    Bytes(u64),
    /// As many as the result, which is a whole `long`, and that value: `time`.
    Result,
}

/// What a function does to `errno`. No function of the library sets it to zero (C11 7.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errno {
    /// It stays. (C lets almost every function change it; those that only look at bytes or compute do not, in any library.)
    Keeps,
    /// It stays or becomes anything but zero.
    May,
    /// It becomes `ENOMEM` if the result is null although none of these arguments is zero, and otherwise as with `May`:
    /// where nothing is asked for, null is no failure (`realloc(p, 0)`).
    Memory(&'static [usize]),
    /// As C and POSIX say; the recipe knows.
    Exact,
}

/// Which functions of the program it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// None.
    Nothing,
    /// The one that is this argument, with pointers to elements of an array: `qsort`, `bsearch`.
    Comparison(usize),
    /// The one that is this argument, when the program ends: `atexit`.
    AtExit(usize),
    /// Those that `atexit` was told.
    Registered,
}

/// The row of a function.
pub fn row(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|r| r.name == name)
}

impl Row {
    /// Whether it takes a stream: then it changes what lies behind that pointer, which no one looks at.
    pub fn has_stream(&self) -> bool {
        self.signature.contains('s')
    }
}

const fn write(to: usize, most: Most) -> Write {
    Write { to, most }
}

macro_rules! rows {
    ($($name:literal, $signature:literal, $gives:expr, $writes:expr, $errno:expr;)+ $(row $last:expr;)+) => {
        &[$(Row { name: $name, signature: $signature, gives: $gives, writes: $writes, errno: $errno, calls: Calls::Nothing }),+, $($last),+]
    };
}

use Errno::{Exact, Keeps, May, Memory};
use Gives::*;

/// 0, or -1 where it fails.
const DONE: Gives = Between(-1, 0);
/// A byte, or -1.
const BYTE: Gives = Between(-1, 255);
const NONE: &[Write] = &[];

/// All rows.
#[rustfmt::skip]
pub const ROWS: &[Row] = rows! {
    // stdio.h
    "fopen", "ppp", Any, NONE, May;
    "fdopen", "pip", Any, NONE, May;
    "tmpfile", "p", Any, NONE, May;
    "fclose", "is", DONE, NONE, May;
    "fflush", "is", DONE, NONE, May;
    "fgetc", "is", BYTE, NONE, May;
    "getc", "is", BYTE, NONE, May;
    "getchar", "i", BYTE, NONE, May;
    "fgets", "ppis", ArgumentOrNull(0), &[write(0, Most::Text(1))], May;
    "fputs", "ips", CountOrError, NONE, May;
    "puts", "ip", CountOrError, NONE, May;
    "fputc", "iis", CharOrError(0), NONE, May;
    "putc", "iis", CharOrError(0), NONE, May;
    "putchar", "ii", CharOrError(0), NONE, May;
    "ungetc", "iis", CharOrError(0), NONE, May;
    "fread", "ipiis", AtMost(2), &[write(0, Most::Product(1, 2))], May;
    "fwrite", "ipiis", AtMost(2), NONE, May;
    "fseek", "isii", DONE, NONE, May;
    "fseeko", "isii", DONE, NONE, May;
    "ftell", "is", CountOrError, NONE, May;
    "ftello", "is", CountOrError, NONE, May;
    "rewind", "vs", Any, NONE, May;
    "feof", "is", Any, NONE, May;
    "ferror", "is", Any, NONE, May;
    "clearerr", "vs", Any, NONE, May;
    "fileno", "is", CountOrError, NONE, May;
    "remove", "ip", DONE, NONE, May;
    "rename", "ipp", DONE, NONE, May;
    "perror", "vp", Any, NONE, May;
    // stdlib.h, string.h, time.h
    "rand", "i", Between(0, 0x7fff_ffff), NONE, May;
    "random", "i", Between(0, 0x7fff_ffff), NONE, May;
    "srand", "vi", Any, NONE, May;
    "srandom", "vi", Any, NONE, May;
    "getenv", "pp", Any, NONE, May;
    "system", "ip", Any, NONE, May;
    "strerror", "pi", Any, NONE, May;
    "clock", "i", Any, NONE, May;
    "time", "ip", Any, &[write(0, Most::Result)], May;
    "gettimeofday", "ipp", DONE, &[write(0, Most::Longs(2)), write(1, Most::Bytes(8))], May;
    "clock_gettime", "iip", DONE, &[write(1, Most::Longs(2))], May;
    "nanosleep", "ipp", DONE, &[write(1, Most::Longs(2))], May;
    // POSIX
    "read", "iipi", AtMostOrError(2), &[write(1, Most::Argument(2))], May;
    "recv", "iipii", AtMostOrError(2), &[write(1, Most::Argument(2))], May;
    "write", "iipi", AtMostOrError(2), NONE, May;
    "send", "iipii", AtMostOrError(2), NONE, May;
    "readlink", "ippi", AtMostOrError(2), &[write(1, Most::Argument(2))], May;
    "gethostname", "ipi", DONE, &[write(0, Most::Argument(1))], May;
    "pipe", "ip", DONE, &[write(0, Most::Bytes(8))], May;
    "open", "ipi.", CountOrError, NONE, May;
    "creat", "ipi", CountOrError, NONE, May;
    "close", "ii", DONE, NONE, May;
    "lseek", "iiii", CountOrError, NONE, May;
    "dup", "ii", CountOrError, NONE, May;
    "dup2", "iii", CountOrError, NONE, May;
    "access", "ipi", DONE, NONE, May;
    "unlink", "ip", DONE, NONE, May;
    "mkdir", "ipi", DONE, NONE, May;
    "rmdir", "ip", DONE, NONE, May;
    "chdir", "ip", DONE, NONE, May;
    "fsync", "ii", DONE, NONE, May;
    "ftruncate", "iii", DONE, NONE, May;
    "isatty", "ii", Between(0, 1), NONE, May;
    "getpid", "i", Between(1, 0x7fff_ffff), NONE, May;
    "sleep", "ii", AtMost(0), NONE, May;
    "usleep", "ii", DONE, NONE, May;
    // Those with a recipe: what it says nothing of.
    "printf", "ip.", Model, NONE, May;
    "fprintf", "isp.", Model, NONE, May;
    "dprintf", "iip.", Model, NONE, May;
    "vprintf", "ip?", Model, NONE, May;
    "vfprintf", "isp?", Model, NONE, May;
    "vdprintf", "iip?", Model, NONE, May;
    "sprintf", "ipp.", Model, NONE, May;
    "snprintf", "ipip.", Model, NONE, May;
    "vsprintf", "ipp?", Model, NONE, May;
    "vsnprintf", "ipip?", Model, NONE, May;
    "malloc", "pi", Model, NONE, Memory(&[0]);
    "calloc", "pii", Model, NONE, Memory(&[0, 1]);
    "realloc", "ppi", Model, NONE, Memory(&[1]);
    "strdup", "pp", Model, NONE, Memory(&[]);
    "strndup", "ppi", Model, NONE, Memory(&[]);
    "strtol", "ippi", Model, NONE, Exact;
    "strtoul", "ippi", Model, NONE, Exact;
    "strtoll", "ippi", Model, NONE, Exact;
    "strtoull", "ippi", Model, NONE, Exact;
    "strtoimax", "ippi", Model, NONE, Exact;
    "strtoumax", "ippi", Model, NONE, Exact;
    "atoi", "ip", Model, NONE, May;
    "atol", "ip", Model, NONE, May;
    "atoll", "ip", Model, NONE, May;
    "sqrt", "dd", Model, NONE, May;
    "sqrtf", "dd", Model, NONE, May;
    "sqrtl", "dd", Model, NONE, May;
    "fmod", "ddd", Model, NONE, May;
    "fmodf", "ddd", Model, NONE, May;
    "fmodl", "ddd", Model, NONE, May;
    "fdim", "ddd", Model, NONE, May;
    "fdimf", "ddd", Model, NONE, May;
    "fdiml", "ddd", Model, NONE, May;
    "lround", "id", Model, NONE, May;
    "lroundf", "id", Model, NONE, May;
    "lroundl", "id", Model, NONE, May;
    "llround", "id", Model, NONE, May;
    "llroundf", "id", Model, NONE, May;
    "llroundl", "id", Model, NONE, May;
    "lrint", "id", Model, NONE, May;
    "lrintf", "id", Model, NONE, May;
    "lrintl", "id", Model, NONE, May;
    "llrint", "id", Model, NONE, May;
    "llrintf", "id", Model, NONE, May;
    "llrintl", "id", Model, NONE, May;
    "signal", "?i?", Model, NONE, May;
    "sigaction", "i???", Model, NONE, May;
    "fesetround", "ii", Model, NONE, Keeps;
    "strcoll", "ipp", Model, NONE, May;
    // Those that call functions of the program.
    row Row { name: "qsort", signature: "vpiip", gives: Model, writes: &[write(0, Most::Product(1, 2))], errno: May, calls: Calls::Comparison(3) };
    row Row { name: "bsearch", signature: "pppiip", gives: Model, writes: NONE, errno: May, calls: Calls::Comparison(4) };
    row Row { name: "atexit", signature: "ip", gives: Model, writes: NONE, errno: May, calls: Calls::AtExit(0) };
    row Row { name: "exit", signature: "vi", gives: Model, writes: NONE, errno: Keeps, calls: Calls::Registered };
};

//! What is known of functions of the C library and of POSIX: one row for each, which is all that any stage knows of it.
//!
//! A row says what the function takes and gives ([`Row::signature`]), how its result comes about ([`Gives`]), which bytes of
//! the program it reads ([`Read`]) and may write ([`Write`]), which of its pointers may be null, what it does to `errno`
//! ([`Errno`]) and which functions of the program it calls ([`Calls`]). `lower` makes operations of the IR out of that, so
//! that interpreter, `vc` and `pointsto` see nothing but those; what a row cannot say is done by
//! a recipe ([`Gives::By`]), whose exact half, where it has one, is in [`super::Library`]. Rows with a recipe are in [`super::recipe`].
//!
//! Where an access that is not fine is a defect, what a function reads and writes is asked for by its row; functions that access
//! memory and have no row ([`UNCHECKED`]) are not followed there.
//!
//! A function with a row keeps no pointer that it gets, writes nothing but what the row says, and changes no object of the
//! library that a program can see by name (so `getopt`, `localtime` and their like have none: they are undefined functions).
//! A row holds for calls whose arguments fit its signature: another function that happens to have the name is an undefined one.
//! Adding a function means adding its row, which says what C11 and POSIX allow it to do.

use super::recipe::{RECIPES, Recipe};

/// What is known of one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name in C.
    pub name: &'static str,
    /// The result, then the parameters: `v` nothing, `p` a pointer, `t` one to characters or to
    /// anything (`void *`), `s` a stream (`FILE *`), `i` an integer of any width, `d` a
    /// floating-point number, `.` any further arguments, `?` anything. Empty: whatever it takes, it is this function.
    pub signature: &'static str,
    /// Its result.
    pub gives: Gives,
    /// What it reads.
    pub reads: &'static [Read],
    /// What it may write.
    pub writes: &'static [Write],
    /// The pointers among its arguments that may be null: then nothing is read or written there.
    pub nullable: &'static [usize],
    /// Whether it uses one of the standard streams, which no argument names.
    pub standard: bool,
    /// Whether it ends the lifetime of its stream.
    pub closes: bool,
    /// What it does to `errno`.
    pub errno: Errno,
    /// What it calls.
    pub calls: Calls,
}

/// How a result comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// By a recipe.
    By(Recipe),
    /// Any value of its type; a pointer of unknown origin, or null.
    Any,
    /// A number from the first to the second.
    Between(i64, i64),
    /// -1, or a number from 0 on.
    CountOrError,
    /// -1, or a number from 0 to this argument.
    AtMostOrError(usize),
    /// -1, or a number from 0 to the first of these arguments, or to anything if the other has one of these bits.
    AtMostUnless(usize, usize, u32),
    /// A number from 0 to this argument.
    AtMost(usize),
    /// A number of elements: from 0 to the second of these arguments; 0 if the first, their size, is 0.
    Elements(usize, usize),
    /// This argument as an `unsigned char`, or -1.
    CharOrError(usize),
    /// This argument, or null.
    ArgumentOrNull(usize),
}

/// What a function reads behind an argument. The pointer is a valid one in any case, unless there are no bytes to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// A text with the zero at its end: the name of a file, a mode, a message.
    Text(usize),
    /// The same; its characters leave the program, and input may bring them back.
    Printed(usize),
    /// As many bytes as the second argument says, which leave the program.
    Sent(usize, usize),
    /// As many bytes as the product of the others, which leave the program.
    SentProduct(usize, usize, usize),
    /// So many `long`s.
    Longs(usize, u64),
}

impl Read {
    /// The argument that points to what is read.
    pub fn from(self) -> usize {
        match self {
            Read::Text(i) | Read::Printed(i) | Read::Sent(i, _) | Read::SentProduct(i, ..) | Read::Longs(i, _) => i,
        }
    }
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
    all().find(|r| r.name == name)
}

fn all() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().chain(RECIPES)
}

impl Row {
    /// Whether it uses a stream: then it changes what lies behind that pointer, which no one looks at.
    pub fn has_stream(&self) -> bool {
        self.standard || self.signature.contains('s')
    }

    /// The arguments that are streams and must not be null.
    pub fn streams(&self) -> impl Iterator<Item = usize> + '_ {
        let params = self.signature.bytes().skip(1).enumerate();
        params.filter(|(i, b)| *b == b's' && !self.nullable.contains(i)).map(|(i, _)| i)
    }

    pub(super) const fn reads(self, reads: &'static [Read]) -> Row {
        Row { reads, ..self }
    }

    pub(super) const fn writes(self, writes: &'static [Write]) -> Row {
        Row { writes, ..self }
    }

    const fn nullable(self, nullable: &'static [usize]) -> Row {
        Row { nullable, ..self }
    }

    pub(super) const fn standard(self) -> Row {
        Row { standard: true, ..self }
    }

    const fn closes(self) -> Row {
        Row { closes: true, ..self }
    }

    pub(super) const fn errno(self, errno: Errno) -> Row {
        Row { errno, ..self }
    }

    pub(super) const fn calls(self, calls: Calls) -> Row {
        Row { calls, ..self }
    }
}

/// Whether a function accesses memory through its arguments: where that is a defect if it is not fine, a call of such a function
/// is followed or refused, never left to itself.
pub fn accesses_memory(name: &str) -> bool {
    let family = name.starts_with("__isoc23_") || name.starts_with("wcs") || name.starts_with("wmem");
    let by_row = row(name).is_some_and(|r| r.signature.bytes().skip(1).any(|b| matches!(b, b'p' | b't' | b's' | b'?')));
    family || by_row || UNCHECKED.contains(&name)
}

pub(super) const fn f(name: &'static str, signature: &'static str, gives: Gives) -> Row {
    let (errno, calls) = (Errno::May, Calls::Nothing);
    Row { name, signature, gives, reads: &[], writes: &[], nullable: &[], standard: false, closes: false, errno, calls }
}

pub(super) const fn write(to: usize, most: Most) -> Write {
    Write { to, most }
}

use Gives::*;
use Read::{Longs, Printed, Sent, SentProduct, Text};

/// 0, or -1 where it fails.
const DONE: Gives = Between(-1, 0);
/// A byte, or -1.
const BYTE: Gives = Between(-1, 255);
/// The first argument is a text.
const NAME: &[Read] = &[Text(0)];

/// All rows without a recipe.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    // stdio.h
    f("fopen", "ppp", Any).reads(&[Text(0), Text(1)]),
    f("fdopen", "pip", Any).reads(&[Text(1)]),
    f("tmpfile", "p", Any),
    f("fclose", "is", DONE).closes(),
    f("fflush", "is", DONE).nullable(&[0]),
    f("fgetc", "is", BYTE),
    f("getc", "is", BYTE),
    f("getchar", "i", BYTE).standard(),
    f("fgets", "ppis", ArgumentOrNull(0)).writes(&[write(0, Most::Text(1))]),
    f("fputs", "ips", CountOrError).reads(&[Printed(0)]),
    f("puts", "ip", CountOrError).reads(&[Printed(0)]).standard(),
    f("fputc", "iis", CharOrError(0)),
    f("putc", "iis", CharOrError(0)),
    f("putchar", "ii", CharOrError(0)).standard(),
    f("ungetc", "iis", CharOrError(0)),
    f("fread", "ipiis", Elements(1, 2)).writes(&[write(0, Most::Product(1, 2))]),
    f("fwrite", "ipiis", Elements(1, 2)).reads(&[SentProduct(0, 1, 2)]),
    f("fseek", "isii", DONE),
    f("fseeko", "isii", DONE),
    f("ftell", "is", CountOrError),
    f("ftello", "is", CountOrError),
    f("rewind", "vs", Any),
    f("feof", "is", Any),
    f("ferror", "is", Any),
    f("clearerr", "vs", Any),
    f("fileno", "is", CountOrError),
    f("remove", "ip", DONE).reads(NAME),
    f("rename", "ipp", DONE).reads(&[Text(0), Text(1)]),
    f("perror", "vp", Any).reads(&[Printed(0)]).nullable(&[0]).standard(),
    // stdlib.h, string.h, time.h
    f("rand", "i", Between(0, 0x7fff_ffff)),
    f("random", "i", Between(0, 0x7fff_ffff)),
    f("srand", "vi", Any),
    f("srandom", "vi", Any),
    f("getenv", "pp", Any).reads(NAME),
    f("system", "ip", Any).reads(NAME).nullable(&[0]),
    f("clock", "i", Any),
    f("time", "ip", Any).writes(&[write(0, Most::Result)]).nullable(&[0]),
    f("gettimeofday", "ipp", DONE).writes(&[write(0, Most::Longs(2)), write(1, Most::Bytes(8))]).nullable(&[0, 1]),
    f("clock_gettime", "iip", DONE).writes(&[write(1, Most::Longs(2))]),
    f("nanosleep", "ipp", DONE).reads(&[Longs(0, 2)]).writes(&[write(1, Most::Longs(2))]).nullable(&[1]),
    // POSIX
    f("read", "iipi", AtMostOrError(2)).writes(&[write(1, Most::Argument(2))]),
    // With `MSG_TRUNC` the result is the length of the message, however little of it was wanted.
    f("recv", "iipii", AtMostUnless(2, 3, 0x20)).writes(&[write(1, Most::Argument(2))]),
    f("write", "iipi", AtMostOrError(2)).reads(&[Sent(1, 2)]),
    f("send", "iipii", AtMostOrError(2)).reads(&[Sent(1, 2)]),
    f("readlink", "ippi", AtMostOrError(2)).reads(NAME).writes(&[write(1, Most::Argument(2))]),
    f("gethostname", "ipi", DONE).writes(&[write(0, Most::Argument(1))]),
    f("pipe", "ip", DONE).writes(&[write(0, Most::Bytes(8))]),
    f("open", "ipi.", CountOrError).reads(NAME),
    f("creat", "ipi", CountOrError).reads(NAME),
    f("close", "ii", DONE),
    f("lseek", "iiii", CountOrError),
    f("dup", "ii", CountOrError),
    f("dup2", "iii", CountOrError),
    f("access", "ipi", DONE).reads(NAME),
    f("unlink", "ip", DONE).reads(NAME),
    f("mkdir", "ipi", DONE).reads(NAME),
    f("rmdir", "ip", DONE).reads(NAME),
    f("chdir", "ip", DONE).reads(NAME),
    f("fsync", "ii", DONE),
    f("ftruncate", "iii", DONE),
    f("isatty", "ii", Between(0, 1)),
    f("getpid", "i", Between(1, 0x7fff_ffff)),
    f("sleep", "ii", AtMost(0)),
    f("usleep", "ii", DONE),
];

/// Functions of C11, POSIX and glibc that access memory through their arguments and have no row. (Those about wide characters are known
/// by how their names begin.)
#[rustfmt::skip]
pub(crate) const UNCHECKED: &[&str] = &[
    // stdio.h, wchar.h
    "scanf", "fscanf", "sscanf", "vscanf", "vfscanf", "vsscanf", "gets", "getline", "getdelim", "getw", "putw", "freopen", "freopen64",
    "fopen64", "tmpfile64", "fgetpos", "fsetpos", "fgetpos64", "fsetpos64", "fseeko64", "ftello64", "setvbuf", "setbuf", "setbuffer",
    "setlinebuf", "tmpnam", "tmpnam_r", "tempnam", "ctermid", "cuserid", "popen", "pclose", "open_memstream", "open_wmemstream",
    "fmemopen", "fopencookie", "flockfile", "ftrylockfile", "funlockfile", "getc_unlocked", "putc_unlocked", "fgetc_unlocked",
    "fputc_unlocked", "fgets_unlocked", "fputs_unlocked", "puts_unlocked", "fread_unlocked", "fwrite_unlocked", "fflush_unlocked",
    "feof_unlocked", "ferror_unlocked", "clearerr_unlocked", "fileno_unlocked", "fcloseall", "asprintf", "vasprintf", "obstack_printf",
    "renameat", "renameat2", "printf_unlocked", "fwide", "fgetwc", "fgetws", "fputwc", "fputws", "getwc", "putwc", "ungetwc", "wprintf",
    "fwprintf", "swprintf", "vwprintf", "vfwprintf", "vswprintf", "wscanf", "fwscanf", "swscanf", "vwscanf", "vfwscanf", "vswscanf",
    "btowc", "mbrlen", "mbrtowc", "wcrtomb", "mbsinit", "mbsrtowcs", "wcsrtombs", "mbsnrtowcs", "mbrtoc16", "mbrtoc32", "c16rtomb",
    "c32rtomb", "wctype", "towctrans", "wctrans",
    // stdlib.h
    "mblen", "mbtowc", "wctomb", "mbstowcs", "wcstombs", "qsort_r", "lfind", "lsearch", "tsearch", "tfind", "tdelete", "twalk", "tdestroy",
    "hcreate", "hsearch", "hcreate_r", "hsearch_r", "hdestroy_r", "setenv", "unsetenv", "putenv", "clearenv", "secure_getenv", "mkstemp",
    "mkostemp", "mkstemps", "mkdtemp", "mktemp", "realpath", "canonicalize_file_name", "ptsname", "ptsname_r", "getsubopt", "a64l", "l64a",
    "erand48", "nrand48", "jrand48", "seed48", "lcong48", "drand48_r", "erand48_r", "lrand48_r", "nrand48_r", "mrand48_r", "jrand48_r",
    "srand48_r", "seed48_r", "lcong48_r", "random_r", "srandom_r", "initstate", "setstate", "initstate_r", "setstate_r", "rand_r", "ecvt",
    "fcvt", "gcvt", "qecvt", "qfcvt", "qgcvt", "ecvt_r", "fcvt_r", "getloadavg", "posix_memalign", "reallocarray", "reallocf",
    "malloc_usable_size", "insque", "remque", "strtod", "strtof", "strtold", "atof", "strtoq", "strtouq", "strfromd", "strfromf",
    "getopt", "getopt_long", "getopt_long_only", "rpmatch", "cfree", "valloc", "pvalloc",
    // string.h, strings.h
    "memccpy", "memmem", "memrchr", "rawmemchr", "memfrob", "strfry", "strtok", "strtok_r", "strsep", "strxfrm", "strxfrm_l", "strcoll_l",
    "strerror_r", "__xpg_strerror_r", "strsignal", "strlcpy", "strlcat", "strchrnul", "strcasestr", "strverscmp", "strcasecmp_l",
    "strncasecmp_l", "basename", "dirname", "__xpg_basename", "explicit_bzero", "swab", "ffsptr", "argz_create", "argz_add", "argz_next",
    "envz_add", "envz_get", "stpecpy", "memset_explicit", "memset_s", "strtol_l", "strtoul_l", "strtod_l",
    // time.h, sys/time.h
    "strftime", "strftime_l", "strptime", "asctime", "asctime_r", "ctime", "ctime_r", "gmtime", "gmtime_r", "localtime", "localtime_r",
    "mktime", "timegm", "timelocal", "timespec_get", "timespec_getres", "clock_getres", "clock_settime", "clock_nanosleep", "clock_getcpuclockid",
    "timer_create", "timer_settime", "timer_gettime", "getitimer", "setitimer", "settimeofday", "adjtime", "adjtimex", "utime", "utimes",
    "futimes", "lutimes", "utimensat", "futimens", "ftime", "stime", "getdate", "getdate_r", "times", "getrusage", "getrlimit", "setrlimit",
    "prlimit",
    // unistd.h, fcntl.h, dirent.h, sys/*
    "pread", "pwrite", "pread64", "pwrite64", "readv", "writev", "preadv", "pwritev", "getcwd", "getwd", "get_current_dir_name", "getlogin",
    "getlogin_r", "ttyname", "ttyname_r", "confstr", "pathconf", "link", "linkat", "symlink", "symlinkat", "readlinkat", "unlinkat", "faccessat",
    "eaccess", "euidaccess", "chown", "lchown", "fchownat", "chmod", "fchmodat", "lchmod", "truncate", "truncate64", "mkdirat", "mkfifo",
    "mkfifoat", "mknod", "mknodat", "openat", "open64", "openat64", "creat64", "execl", "execle", "execlp", "execv", "execve", "execvp",
    "execvpe", "fexecve", "posix_spawn", "posix_spawnp", "pipe2", "getgroups", "setgroups", "sethostname", "getdomainname", "setdomainname",
    "crypt", "encrypt", "chroot", "acct", "swapon", "lockf", "nice", "fcntl", "ioctl", "stat", "lstat", "fstat", "fstatat", "stat64", "lstat64",
    "fstat64", "__xstat", "__fxstat", "__lxstat", "statx", "statfs", "fstatfs", "statvfs", "fstatvfs", "mount", "umount", "umount2",
    "opendir", "fdopendir", "readdir", "readdir64", "readdir_r", "closedir", "rewinddir", "seekdir", "telldir", "dirfd", "scandir", "alphasort",
    "getdents64", "nftw", "ftw", "glob", "globfree", "fnmatch", "wordexp", "wordfree", "regcomp", "regexec", "regerror", "regfree",
    "wait", "waitpid", "waitid", "wait3", "wait4", "uname", "sysinfo", "select", "pselect", "poll", "ppoll", "epoll_ctl", "epoll_wait",
    "epoll_pwait", "sigemptyset", "sigfillset", "sigaddset", "sigdelset", "sigismember", "sigprocmask", "sigpending", "sigsuspend",
    "sigwait", "sigwaitinfo", "sigtimedwait", "sigaltstack", "sigstack", "shmat", "shmdt", "shmctl", "msgsnd", "msgrcv", "msgctl", "semop",
    "semctl", "semtimedop", "sem_init", "sem_open", "sem_close", "sem_wait", "sem_trywait", "sem_timedwait", "sem_post", "sem_getvalue",
    "sem_destroy", "sem_unlink", "mq_open", "mq_send", "mq_receive", "mq_getattr", "mq_setattr", "shm_open", "shm_unlink", "mmap", "mmap64",
    "munmap", "mremap", "msync", "mprotect", "mlock", "munlock", "madvise", "posix_madvise", "mincore", "sendfile", "splice", "tee",
    "vmsplice", "copy_file_range", "getrandom", "getentropy", "memfd_create", "syscall", "ptrace", "prctl", "process_vm_readv",
    "process_vm_writev",
    // sys/socket.h, netdb.h, arpa/inet.h
    "socketpair", "bind", "connect", "accept", "accept4", "getsockname", "getpeername", "getsockopt", "setsockopt", "sendto", "recvfrom",
    "sendmsg", "recvmsg", "sendmmsg", "recvmmsg", "inet_addr", "inet_aton", "inet_ntoa", "inet_network", "inet_pton", "inet_ntop",
    "inet_lnaof", "gethostbyname", "gethostbyaddr", "gethostbyname_r", "getaddrinfo", "freeaddrinfo", "getnameinfo", "getservbyname",
    "getservbyport", "getprotobyname", "if_nametoindex", "if_indextoname", "ether_ntoa", "ether_aton",
    // pwd.h, grp.h, termios.h, locale.h, langinfo.h, iconv.h, dlfcn.h, syslog.h, fenv.h, math.h, utmp.h, others
    "getpwnam", "getpwuid_r", "getpwnam_r", "getpwent_r", "getgrnam", "getgrgid_r", "getgrnam_r", "getgrouplist", "initgroups",
    "tcgetattr", "tcsetattr", "cfsetispeed", "cfsetospeed", "cfgetispeed", "cfgetospeed", "cfmakeraw", "openpty", "forkpty", "setlocale",
    "newlocale", "localeconv", "strfmon", "iconv", "iconv_open", "iconv_close", "catopen", "catgets", "gettext", "dgettext", "dcgettext",
    "ngettext", "textdomain", "bindtextdomain", "dlopen", "dlsym", "dlclose", "dladdr", "openlog", "syslog", "vsyslog", "fegetenv", "feholdexcept",
    "fegetexceptflag", "fesetexceptflag", "frexp", "frexpf", "frexpl", "modf", "modff", "modfl", "remquo", "remquof", "remquol", "lgamma_r",
    "nan_payload", "sincos", "getpass", "backtrace", "backtrace_symbols", "error", "warn", "warnx", "err", "errx", "verr", "vwarn", "getauxval",
    "sched_setaffinity", "sched_getaffinity", "sched_setparam", "sched_getparam", "ulimit", "fts_open", "fts_read", "fts_close",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pointer_of_a_row_is_read_or_written() {
        for row in ROWS {
            let params = row.signature.bytes().skip(1).enumerate();
            for (i, _) in params.filter(|(_, b)| *b == b'p') {
                let read = row.reads.iter().any(|r| r.from() == i);
                assert!(read || row.writes.iter().any(|w| w.to == i), "argument {i} of {}", row.name);
            }
        }
    }

    #[test]
    fn a_name_has_one_row() {
        for (i, row) in all().enumerate() {
            assert!(all().skip(i + 1).all(|r| r.name != row.name), "{}", row.name);
        }
    }
}

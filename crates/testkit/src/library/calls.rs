//! Calls of library functions, as templates in C.
//!
//! A template works on two buffers of bytes, `b0` and `b1`, and leaves a number in `r`. `$A` and `$B` are pointers to short
//! texts in the buffers, at least [`ROOM`] bytes before their ends; `$N` is a number up to [`ROOM`], `$C` a character as an
//! `int`, `$c` one that `ctype.h` takes, `$I` an `int`, `$X` a base for numbers, `$Z` a size that may be too large for any
//! object, `$P` a path that may be opened in any mode, `$Q` one that cannot be removed, `$D` a file descriptor, `$F` a `double`, `$f` one that fits every integer, `$M` a mode of `fopen`.
//! What a template does before it sets `r` are calls of the library too.

/// Pointers have so many bytes behind them.
pub(super) const ROOM: u64 = 8;

/// How much of what a call does is the same every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exact {
    /// Everything.
    All,
    /// Everything but `errno`.
    NotErrno,
    /// Bytes and the sign of the result.
    Sign,
    /// Bytes and whether the result is zero.
    Truth,
    /// Nothing is promised: only what was seen must be possible.
    Open,
}

/// What the bytes of the buffers look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bytes {
    /// Few letters, so that texts often are alike.
    Letters,
    /// Signs, digits and blanks.
    Digits,
}

/// One kind of call.
pub(super) struct Call {
    /// The function of the library that it is about.
    pub(super) name: &'static str,
    pub(super) bytes: Bytes,
    pub(super) exact: Exact,
    pub(super) text: &'static str,
}

macro_rules! calls {
    ($($bytes:ident $exact:ident $($name:ident $text:literal)+;)+) => {
        &[$($(Call { name: stringify!($name), bytes: Bytes::$bytes, exact: Exact::$exact, text: $text }),+),+]
    };
}

/// All kinds.
pub(super) const CALLS: &[Call] = calls! {
    Letters All
        strlen "r = strlen($A);"
        strnlen "r = strnlen($A, $N);"
        memchr "p = memchr($A, $C, $N); r = p ? p - b0 : -1;"
        strchr "p = strchr($A, $C); r = p ? p - b0 : -1;"
        strrchr "p = strrchr($A, $C); r = p ? p - b0 : -1;"
        strstr "p = strstr($A, $B); r = p ? p - b0 : -1;"
        strpbrk "p = strpbrk($A, $B); r = p ? p - b0 : -1;"
        strspn "r = strspn($A, $B);"
        strcspn "r = strcspn($A, $B);"
        memset "p = memset($A, $C, $N); r = p - b0;"
        memcpy "p = memcpy($A, $B, $N); r = p - b0;"
        memmove "p = memmove($A, $A, $N); r = p - b0;"
        mempcpy "p = mempcpy($A, $B, $N); r = p - b0;"
        strcpy "p = strcpy($A, $B); r = p - b0;"
        stpcpy "p = stpcpy($A, $B); r = p - b0;"
        strncpy "p = strncpy($A, $B, $N); r = p - b0;"
        stpncpy "p = stpncpy($A, $B, $N); r = p - b0;"
        strcat "p = strcat($A, $B); r = p - b0;"
        strncat "p = strncat($A, $B, $N); r = p - b0;"
        bzero "bzero($A, $N);"
        bcopy "bcopy($A, $A, $N);"
        abs "r = abs($I);"
        toupper "r = toupper($c);"
        tolower "r = tolower($c);";
    Letters Sign
        strcmp "r = strcmp($A, $B);"
        strncmp "r = strncmp($A, $B, $N);"
        strcasecmp "r = strcasecmp($A, $B);"
        strncasecmp "r = strncasecmp($A, $B, $N);"
        memcmp "r = memcmp($A, $B, $N);"
        strcoll "r = strcoll($A, $B);";
    Letters Truth
        isalpha "r = isalpha($c);"
        isdigit "r = isdigit($c);"
        isspace "r = isspace($c);"
        isupper "r = isupper($c);"
        islower "r = islower($c);"
        isalnum "r = isalnum($c);"
        isxdigit "r = isxdigit($c);"
        isprint "r = isprint($c);"
        ispunct "r = ispunct($c);"
        iscntrl "r = iscntrl($c);"
        isgraph "r = isgraph($c);"
        isblank "r = isblank($c);";
    Digits All
        strtoul "r = strtoul(\"-99999999999999999999999\", 0, 10);"
        strtol "r = strtol(\" -99999999999999999999999x\", &p, 10); l[0] = *p;"
        strtoll "p = b0; r = strtoll(\"9223372036854775808\", &p, 10); l[0] = *p;";
    Digits NotErrno
        strtol "p = b0; r = strtol($A, &p, $X); l[0] = p - b0;"
        strtoul "p = b0; r = strtoul($A, &p, $X); l[0] = p - b0;"
        strtoll "p = b0; r = strtoll($A, &p, $X); l[0] = p - b0;"
        strtoull "p = b0; r = strtoull($A, &p, $X); l[0] = p - b0;"
        strtoimax "p = b0; r = strtoimax($A, &p, $X); l[0] = p - b0;"
        strtoumax "p = b0; r = strtoumax($A, &p, $X); l[0] = p - b0;"
        strtol "r = strtol($A, 0, $X);"
        atoi "r = atoi($A);"
        atol "r = atol($A);"
        atoll "r = atoll($A);"
        atoi "r = atoi(\"-12345678901\");";
    Letters NotErrno
        strdup "p = strdup($A); r = p != 0; if (p) strcpy(b1, p);"
        strndup "p = strndup($A, $N); r = p != 0; if (p) strcpy(b1, p);"
        malloc "p = malloc(8); r = p != 0; if (p) { memset(p, 7, 8); memcpy(b1, p, 8); }"
        calloc "p = calloc(3, 4); r = p != 0; if (p) memcpy(b1, p, 8);"
        realloc "p = malloc(8); if (!p) return 0; memcpy(p, $A, 8); p = realloc(p, 12); r = p != 0; if (p) memcpy(b1, p, 8);"
        realloc "p = malloc(8); if (!p) return 0; memcpy(p, $A, 8); p = realloc(p, 4); r = p != 0; if (p) memcpy(b1, p, 4);"
        realloc "p = realloc(0, 8); r = p != 0; if (p) { memcpy(p, $A, 8); memcpy(b1, p, 8); }"
        qsort "qsort($A, $N, 1, compare);"
        qsort "qsort(b0, $N / 2, 2, compare2);"
        bsearch "qsort(b0, 5, 1, compare); p = bsearch(\"q\", b0, 5, 1, compare); r = p ? *p : -1;"
        sprintf "r = sprintf(b0, \"%d|\", $I);"
        sprintf "r = sprintf(b0, \"%-4x%c\", $I & 255, 'a' + $N);"
        sprintf "r = sprintf(b0, \"%s\", $B);"
        sprintf "r = sprintf(b0, \"<%.2s>\", $B);"
        snprintf "r = snprintf($A, $N, \"%s\", $B);"
        snprintf "r = snprintf($A, $N, \"%05i\", $I);"
        snprintf "r = snprintf($A, $N, \"%u%%\", $I);"
        snprintf "r = snprintf($A, $N, \"%+d\", $I);"
        snprintf "r = snprintf($A, $N, \"% d\", $I);"
        snprintf "r = snprintf($A, $N, \"%#o,%#x\", $I, $I);"
        snprintf "r = snprintf($A, $N, \"%lld\", (long long)$I * 1000003);"
        snprintf "r = snprintf($A, $N, \"%hhd %hu\", $I, $I);"
        snprintf "r = snprintf($A, $N, \"%*d\", $N - 4, $I);"
        snprintf "r = snprintf($A, $N, \"%.*s!\", $N - 1, $B);"
        snprintf "r = snprintf($A, $N, \"%6.3d%ld\", $I, (long)$N);"
        snprintf "r = snprintf(0, 0, \"%s%d\", $B, $I);"
        sqrt "r = bits(sqrt($F));"
        sqrtf "r = bits(sqrtf($F));"
        fmod "r = bits(fmod($F, $F));"
        fmodf "r = bits(fmodf($F, $F));"
        fdim "r = bits(fdim($F, $F));"
        fdimf "r = bits(fdimf($F, $F));"
        lround "r = lround($f);"
        llround "r = llround($f);"
        lroundf "r = lroundf($f);"
        lrint "r = lrint($f);"
        llrint "r = llrint($f);"
        lrintf "r = lrintf($f);";
    Letters Open
        malloc "p = malloc($Z); r = p != 0;"
        calloc "p = calloc($Z, $N); r = p != 0;"
        calloc "p = calloc(3, $Z); r = p != 0;"
        realloc "p = malloc(8); if (!p) return 0; p = realloc(p, $Z); r = p != 0;"
        realloc "p = malloc(8); if (!p) return 0; p = realloc(p, 0); r = p != 0;"
        realloc "p = realloc(0, $Z); r = p != 0;"
        bsearch "qsort(b0, 6, 1, compare); p = bsearch($B, b0, 6, 1, compare); r = p ? p - b0 : -1;"
        atexit "r = atexit(nothing);"
        rand "srand($I); r = rand();"
        random "srandom($I); r = random();"
        srand "srand($I);"
        srandom "srandom($I);"
        getenv "r = getenv($A) != 0;"
        getenv "r = getenv(\"PATH\") != 0;"
        system "r = system(0);"
        strerror "r = strerror($I) != 0;"
        clock "r = clock();"
        time "r = time(0) != 5;"
        time "time((void *)b0);"
        time "r = time((void *)b0) == *(long *)b0;"
        gettimeofday "r = gettimeofday((void *)b0, 0);"
        gettimeofday "r = gettimeofday((void *)b0, (void *)$B);"
        clock_gettime "r = clock_gettime($N, (void *)b0);"
        clock_gettime "r = clock_gettime(999, (void *)b0);"
        nanosleep "((long *)b1)[0] = 0; ((long *)b1)[1] = $I & 1023; r = nanosleep((void *)b1, (void *)b0);"
        nanosleep "((long *)b1)[0] = 0; ((long *)b1)[1] = -1; r = nanosleep((void *)b1, (void *)b0);"
        nanosleep "((long *)b1)[0] = 0; ((long *)b1)[1] = 9; r = nanosleep((void *)b1, 0);"
        printf "r = printf(\"%d %s\\n\", $I, $B);"
        printf "r = printf(\"\");"
        printf "r = printf(\"%s\", $B);"
        fprintf "r = fprintf(stdout, \"%c%u\", $C, $I);"
        fprintf "f = fopen($P, $M); if (!f) return 0; r = fprintf(f, \"%s\", $B);"
        dprintf "r = dprintf($D, \"%d\", $I);"
        puts "r = puts($A);"
        fputs "r = fputs($A, stdout);"
        fputs "f = fopen($P, $M); if (!f) return 0; r = fputs($A, f);"
        fputc "r = fputc($C, stdout);"
        putc "r = putc($C, stdout);"
        putchar "r = putchar($C);"
        fputc "f = fopen($P, $M); if (!f) return 0; r = fputc($C, f);"
        fwrite "r = fwrite($A, 1, $N, stdout);"
        fwrite "r = fwrite($A, 2, $N / 2, stdout);"
        fwrite "f = fopen($P, $M); if (!f) return 0; r = fwrite($A, 1, $N, f);"
        fwrite "r = fwrite($A, 0, $N, stdout);"
        fflush "printf(\"%s\", $A); r = fflush(stdout);"
        fflush "r = fflush(0);"
        perror "perror($A);"
        fopen "r = fopen($P, $M) != 0;"
        fopen "r = fopen(\"/nowhere/x\", $B) != 0;"
        fdopen "r = fdopen($D, $M) != 0;"
        tmpfile "r = tmpfile() != 0;"
        fclose "f = fopen($P, $M); if (!f) return 0; fputs($A, f); r = fclose(f);"
        fgetc "f = fopen($P, $M); if (!f) return 0; r = fgetc(f);"
        getc "f = full(b1, 8); if (!f) return 0; r = getc(f);"
        fgetc "f = full(b1, 8); if (!f) return 0; fseek(f, $N, 0); r = fgetc(f);"
        getchar "r = getchar();"
        fgets "f = full(\"ab\\ncdefgh\", 9); if (!f) return 0; p = fgets($A, $N, f); r = p ? p - b0 : -1;"
        fgets "f = full(\"ab\\ncdefgh\", 9); if (!f) return 0; fseek(f, 3, 0); p = fgets($A, $N, f); r = p ? p - b0 : -1;"
        fgets "f = full(\"a\\0b\\0\\nxy\", 7); if (!f) return 0; p = fgets($A, $N, f); r = p ? p - b0 : -1;"
        fgets "f = fopen($P, $M); if (!f) return 0; p = fgets($A, $N, f); r = p ? p - b0 : -1;"
        fgets "p = fgets($A, $N - 1, stdin); r = p ? p - b0 : -1;"
        fread "f = full(b1, 7); if (!f) return 0; r = fread($A, 1, $N, f);"
        fread "f = full(b1, 7); if (!f) return 0; r = fread($A, 3, 2, f);"
        fread "f = full(b1, 7); if (!f) return 0; r = fread($A, 4, 2, f);"
        fread "f = full(b1, 7); if (!f) return 0; r = fread($A, $N, 0, f);"
        fread "f = fopen($P, $M); if (!f) return 0; r = fread($A, 2, $N / 2, f);"
        ungetc "f = full(b1, 7); if (!f) return 0; r = ungetc($C, f);"
        ungetc "f = fopen($P, $M); if (!f) return 0; ungetc('x', f); r = ungetc($C, f);"
        fseek "f = full(b1, 7); if (!f) return 0; r = fseek(f, $I, $N & 3);"
        fseek "f = fopen($P, $M); if (!f) return 0; r = fseek(f, $I, $N & 3);"
        fseeko "f = full(b1, 7); if (!f) return 0; r = fseeko(f, $I, $N & 3);"
        ftell "f = full(b1, 7); if (!f) return 0; fseek(f, $N, 0); r = ftell(f);"
        ftell "r = ftell(stdin);"
        ftello "f = full(b1, 7); if (!f) return 0; r = ftello(f);"
        ftell "f = fopen($P, $M); if (!f) return 0; r = ftell(f);"
        rewind "f = full(b1, 7); if (!f) return 0; rewind(f);"
        rewind "rewind(stdin);"
        feof "f = full(b1, 3); if (!f) return 0; fread($A, 1, $N, f); r = feof(f);"
        ferror "f = fopen($P, $M); if (!f) return 0; fgetc(f); r = ferror(f);"
        clearerr "f = fopen($P, $M); if (!f) return 0; fgetc(f); clearerr(f);"
        fileno "f = fopen($P, $M); if (!f) return 0; r = fileno(f);"
        remove "r = remove($Q);"
        rename "r = rename(\"/nowhere/x\", $A);"
        rename "r = rename($Q, \"/proc/x\");"
        read "if (pipe(q)) return 0; write(q[1], b1, 5); r = read(q[0], $A, $N);"
        read "if (pipe(q)) return 0; close(q[1]); r = read(q[0], $A, $N);"
        read "r = read($D, $A, $N);"
        read "r = read(open($P, 0), $A, $N);"
        read "r = read(open(\"/dev/zero\", 0), 0, $N);"
        recv "r = recv($D, $A, $N, 0);"
        write "r = write($D, $A, $N);"
        write "r = write(open($P, 1), $A, $N);"
        send "r = send($D, $A, $N, 0);"
        readlink "r = readlink(\"/proc/self/exe\", $A, $N);"
        readlink "r = readlink($P, $A, $N);"
        readlink "r = readlink($A, $B, $N);"
        gethostname "r = gethostname($A, $N);"
        pipe "r = pipe((void *)$A);"
        open "r = open($P, $N & 3);"
        open "r = open($A, 0);"
        creat "r = creat(\"/nowhere/x\", 0600);"
        close "r = close($D);"
        lseek "r = lseek($D, $I, $N & 3);"
        lseek "r = lseek(open($P, 0), $I, $N & 3);"
        dup "r = dup($D);"
        dup2 "r = dup2($D, 20 + $N);"
        dup2 "r = dup2($D, -$N);"
        access "r = access($P, $N & 7);"
        unlink "r = unlink($Q);"
        mkdir "r = mkdir($Q, 0700);"
        rmdir "r = rmdir($Q);"
        chdir "r = chdir($Q);"
        fsync "r = fsync($D);"
        ftruncate "r = ftruncate($D, $I);"
        isatty "r = isatty($D);"
        getpid "r = getpid();"
        sleep "r = sleep(0);"
        usleep "r = usleep($N);"
        usleep "r = usleep(1000000 + $N);"
        fesetround "r = fesetround(0);";
};

//! The two forms of a case: many in one C text that reports what the calls did, and one alone with a question.

use super::cases::{Case, SIZES, listed};
use ir::DataModel;
use std::fmt::Write;

/// What cases use besides the library.
const SHARED: &str = "
static char g[8] = { 11, 22, 33, 44, 55, 66, 77, 88 };
static double zero = 0;
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int compare2(const void *a, const void *b) {
  const char *x = a, *y = b;
  return x[0] != y[0] ? x[0] - y[0] : x[1] - y[1];
}
static void nothing(void) { }
static long long bits(double d) {
  long long r = 1;
  if (d == d) memcpy(&r, &d, 8);
  return r;
}
static FILE *full(const char *text, int n) {
  FILE *f = tmpfile();
  if (f) { fwrite(text, 1, n, f); rewind(f); }
  return f;
}
";

/// One text with all cases; it prints a row for each that comes to its end: its number, the result, `errno`, and all bytes.
pub(super) fn text(cases: &[Case]) -> String {
    let mut text = format!("{HEADERS}{SHARED}{REPORT}");
    for (i, case) in cases.iter().enumerate() {
        let body = &case.body;
        writeln!(text, "static int case_{i}(void) {{\n{body}  report({i}, r, e, b0, b1, (char *)l);\n  return 0;\n}}")
            .expect("a string takes everything");
    }
    text.push_str("static struct { int (*run)(void); int streams; } all[] = {");
    for (i, case) in cases.iter().enumerate() {
        write!(text, "{{ case_{i}, {} }}, ", case.streams).expect("a string takes everything");
    }
    write!(text, "}};\nenum {{ CASES = {} }};\n{DRIVER}", cases.len()).expect("a string takes everything");
    text.replace("(SIZE)", "(size_t)")
}

/// The case alone, with an error where `question` holds.
pub(super) fn alone(case: &Case, model: DataModel, question: &str) -> String {
    let (size, signed) = match model {
        DataModel::Lp64 => ("unsigned long", "long"),
        DataModel::Ilp32 => ("unsigned int", "int"),
    };
    let wide = if model == DataModel::Lp64 { "long" } else { "long long" };
    let declared = DECLARATIONS.replace("SSIZE", signed).replace("SIZE", size).replace("INTMAX", wide);
    let body = case.body.replace("(SIZE)", &format!("({size})"));
    format!("{declared}{SHARED}int main(void) {{\n{body}  if ({question}) reach_error();\n  return 0;\n}}\n")
}

/// That all objects have these bytes.
pub(super) fn same_bytes(bytes: &[u64]) -> String {
    let names = ["b0", "b1", "g", "l"];
    let each = names.iter().zip(SIZES).flat_map(|(name, size)| (0..size).map(move |i| (name, i)));
    each.zip(bytes).map(|((name, i), &b)| format!(" & ({name}[{i}] == {})", listed(&[b as u8 as i8]))).collect()
}

const HEADERS: &str = "#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
";

const REPORT: &str = "
static int out;
static void report(int i, long long r, int e, char *b0, char *b1, char *l) {
  char line[1024], *at = line;
  at += sprintf(at, \"%d %llu %u\", i, (unsigned long long)r, (unsigned)e);
  for (int k = 0; k < 24; k++) at += sprintf(at, \" %u\", (unsigned char)b0[k]);
  for (int k = 0; k < 24; k++) at += sprintf(at, \" %u\", (unsigned char)b1[k]);
  for (int k = 0; k < 8; k++) at += sprintf(at, \" %u\", (unsigned char)g[k]);
  for (int k = 0; k < 4; k++) at += sprintf(at, \" %u\", (unsigned char)l[k]);
  *at++ = '\\n';
  write(out, line, at - line);
}
";

/// Every case has a process of its own, with streams that work or do not.
const DRIVER: &str = "
int main(void) {
  out = fcntl(1, F_DUPFD, 60);
  for (int i = 0; i < CASES; i++) {
    int child = fork(), s = all[i].streams;
    if (child == 0) {
      alarm(5);
      if (s & 4) {
        FILE *t = full(\"line\\nmore\", 9);
        dup2(fileno(t), 0);
      }
      dup2(open(\"/dev/null\", O_WRONLY), 2);
      dup2(open((s & 3) == 1 ? \"/dev/full\" : \"/dev/null\", O_WRONLY), 1);
      if ((s & 3) == 2) close(1);
      if (s & 3) setvbuf(stdout, 0, _IONBF, 0);
      all[i].run();
      _exit(0);
    }
    waitpid(child, 0, 0);
  }
  return 0;
}
";

const DECLARATIONS: &str = "typedef struct library_file FILE;
extern FILE *stdin, *stdout;
extern int *__errno_location(void);
extern void reach_error(void);
SIZE strlen(const char *); SIZE strnlen(const char *, SIZE);
void *memchr(const void *, int, SIZE); char *strchr(const char *, int); char *strrchr(const char *, int);
char *strstr(const char *, const char *); char *strpbrk(const char *, const char *);
SIZE strspn(const char *, const char *); SIZE strcspn(const char *, const char *);
void *memset(void *, int, SIZE); void *memcpy(void *, const void *, SIZE); void *memmove(void *, const void *, SIZE);
void *mempcpy(void *, const void *, SIZE); char *strcpy(char *, const char *); char *stpcpy(char *, const char *);
char *strncpy(char *, const char *, SIZE); char *stpncpy(char *, const char *, SIZE);
char *strcat(char *, const char *); char *strncat(char *, const char *, SIZE);
void bzero(void *, SIZE); void bcopy(const void *, void *, SIZE); int abs(int); int toupper(int); int tolower(int);
int strcmp(const char *, const char *); int strncmp(const char *, const char *, SIZE);
int strcasecmp(const char *, const char *); int strncasecmp(const char *, const char *, SIZE);
int memcmp(const void *, const void *, SIZE); int strcoll(const char *, const char *);
int isalpha(int); int isdigit(int); int isspace(int); int isupper(int); int islower(int); int isalnum(int);
int isxdigit(int); int isprint(int); int ispunct(int); int iscntrl(int); int isgraph(int); int isblank(int);
long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int); unsigned long long strtoull(const char *, char **, int);
INTMAX strtoimax(const char *, char **, int); unsigned INTMAX strtoumax(const char *, char **, int);
int atoi(const char *); long atol(const char *); long long atoll(const char *);
char *strdup(const char *); char *strndup(const char *, SIZE); void *malloc(SIZE); void *calloc(SIZE, SIZE);
void *realloc(void *, SIZE); void qsort(void *, SIZE, SIZE, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, SIZE, SIZE, int (*)(const void *, const void *));
double strtod(const char *, char **); float strtof(const char *, char **); long double strtold(const char *, char **);
double atof(const char *); int sprintf(char *, const char *, ...); int snprintf(char *, SIZE, const char *, ...);
double sqrt(double); float sqrtf(float); double fmod(double, double); float fmodf(float, float);
double floor(double); float floorf(float); double ceil(double); float ceilf(float); double trunc(double);
float truncf(float); double round(double); float roundf(float); double rint(double); float rintf(float);
double nearbyint(double); double fma(double, double, double); float fmaf(float, float, float);
double remainder(double, double); float remainderf(float, float); double ldexp(double, int);
float ldexpf(float, int); double scalbn(double, int); double scalbln(double, long);
double frexp(double, int *); float frexpf(float, int *); double modf(double, double *);
float modff(float, float *); long double sqrtl(long double); long double floorl(long double);
long double fmal(long double, long double, long double); long double fmodl(long double, long double);
double sin(double); float sinf(float); double cos(double); float cosf(float); double tan(double);
float tanf(float); double asin(double); float asinf(float); double acos(double); float acosf(float);
double atan(double); float atanf(float); double sinh(double); float sinhf(float); double cosh(double);
float coshf(float); double tanh(double); float tanhf(float); double exp(double); float expf(float);
double exp2(double); float exp2f(float); double expm1(double); float expm1f(float); double log(double);
float logf(float); double log2(double); float log2f(float); double log10(double); float log10f(float);
double log1p(double); float log1pf(float); double cbrt(double); float cbrtf(float);
double atan2(double, double); float atan2f(float, float); double pow(double, double); float powf(float, float);
double hypot(double, double); float hypotf(float, float);
double fmin(double, double); float fminf(float, float); double fmax(double, double); float fmaxf(float, float);
double fdim(double, double); float fdimf(float, float); long lround(double); long long llround(double);
long lroundf(float); long lrint(double); long long llrint(double); long lrintf(float);
int atexit(void (*)(void)); int rand(void); long random(void); void srand(unsigned); void srandom(unsigned);
char *getenv(const char *); int system(const char *); char *strerror(int); long clock(void); long time(long *);
struct timeval; struct timespec; int gettimeofday(struct timeval *, void *);
int clock_gettime(int, struct timespec *); int nanosleep(const struct timespec *, struct timespec *);
int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int dprintf(int, const char *, ...);
int puts(const char *); int fputs(const char *, FILE *); int fputc(int, FILE *); int putc(int, FILE *);
int putchar(int); SIZE fwrite(const void *, SIZE, SIZE, FILE *); int fflush(FILE *); void perror(const char *);
FILE *fopen(const char *, const char *); FILE *fdopen(int, const char *); FILE *tmpfile(void); int fclose(FILE *);
int fgetc(FILE *); int getc(FILE *); int getchar(void); char *fgets(char *, int, FILE *);
SIZE fread(void *, SIZE, SIZE, FILE *); int ungetc(int, FILE *); int fseek(FILE *, long, int);
int fseeko(FILE *, long, int); long ftell(FILE *); long ftello(FILE *); void rewind(FILE *); int feof(FILE *);
int ferror(FILE *); void clearerr(FILE *); int fileno(FILE *); int remove(const char *);
int rename(const char *, const char *); SSIZE read(int, void *, SIZE); SSIZE recv(int, void *, SIZE, int);
SSIZE write(int, const void *, SIZE); SSIZE send(int, const void *, SIZE, int);
SSIZE readlink(const char *, char *, SIZE); int gethostname(char *, SIZE); int pipe(int *);
int open(const char *, int, ...); int creat(const char *, unsigned); int close(int); long lseek(int, long, int);
int dup(int); int dup2(int, int); int access(const char *, int); int unlink(const char *);
int mkdir(const char *, unsigned); int rmdir(const char *); int chdir(const char *); int fsync(int);
int ftruncate(int, long); int isatty(int); int getpid(void); unsigned sleep(unsigned); int usleep(unsigned);
int fesetround(int);
";

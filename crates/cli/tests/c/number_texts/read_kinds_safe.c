// expect: SAFE
// unknown: abstraction, which does not run what takes no input
// All forms of numbers.
#include <stdlib.h>
#include <errno.h>
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    char *end;
    CHECK(strtod("  -1.5e2x", &end) == -150.0 && *end == 'x');
    CHECK(strtof("0x1.8p1", &end) == 3.0f && *end == 0);
    CHECK(strtold("1e-4950", 0) > 0.0L);
    CHECK(isinf(strtod("-inf", &end)) && *end == 0);
    CHECK(isnan(strtod("nan(12)x", &end)) && *end == 'x');
    errno = 0;
    CHECK(strtod("1e999", 0) == HUGE_VAL && errno == ERANGE);
    errno = 0;
    CHECK(strtod("0.1", &end) == 0.1 && errno == 0);
    CHECK(strtof("16777217", 0) == 16777216.0f && strtod("9007199254740993", 0) == 9007199254740992.0);
    const char *none = "  +x";
    CHECK(strtod(none, &end) == 0.0 && end == none);
    return 0;
}

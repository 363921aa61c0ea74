// expect: SAFE
// without: abstraction, which has no use for texts
// Texts of constants.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    char text[64];
    volatile double x = 2.5, y = -0.0, third = 1.0 / 3.0;
    sprintf(text, "%.0f|%5.1f|%-6.2f|%+.1f", x, third, x, y);
    CHECK(strcmp(text, "2|  0.3|2.50  |-0.0") == 0);
    sprintf(text, "%e %g %06.1f", x, 1e10 * x, y);
    CHECK(strcmp(text, "2.500000e+00 2.5e+10 -000.0") == 0);
    CHECK(snprintf(text, 4, "%f", x) == 8 && strcmp(text, "2.5") == 0);
    return 0;
}

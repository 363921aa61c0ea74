// expect: SAFE
// How long the texts of numbers are.
#include <stdio.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    char text[400];
    double x = __VERIFIER_nondet_double();
    int n = sprintf(text, "%.3e", x);
    CHECK(n >= 3 && n <= 11);
    n = sprintf(text, "%10.1f", x);
    CHECK(n >= 10 && n <= 312);
    n = sprintf(text, "%g", x);
    CHECK(n <= 15);
    return 0;
}

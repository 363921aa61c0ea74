// expect: UNSAFE
// unknown: abstraction, which finds no more predicates about the length
// A number of any size may not fit twelve bytes.
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
    int k = __VERIFIER_nondet_int();
    __VERIFIER_assume(k >= 0 && k <= 2000000000);
    double x = k;
    int n = sprintf(text, "%.1f", x);
    CHECK(n < 12);
    return 0;
}

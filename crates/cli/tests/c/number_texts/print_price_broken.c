// expect: UNSAFE
// A price of a hundred and more has three digits before the point.
#include <stdio.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    char text[16];
    double price = __VERIFIER_nondet_double();
    __VERIFIER_assume(price >= 0.0 && price < 100.0);
    int n = sprintf(text, "%.2f", price);
    CHECK(n <= 5);
    return 0;
}

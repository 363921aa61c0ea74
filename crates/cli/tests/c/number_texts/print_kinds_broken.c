// expect: UNSAFE
// Ties go to even, of the number itself and not of its decimal text.
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
    volatile double x = 0.125, y = 0.145;
    sprintf(text, "%.2f %.2f", x, y);
    CHECK(strcmp(text, "0.13 0.15") == 0);
    return 0;
}

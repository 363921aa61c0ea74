// expect: UNSAFE
// Rounded once it differs from two roundings.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= 2);
    CHECK(fmaf(x, x, -1.0f) == x * x - 1.0f);
    return 0;
}

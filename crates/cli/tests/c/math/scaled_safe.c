// expect: SAFE
// A number taken apart and put together.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float x = __VERIFIER_nondet_float();
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 1 && x <= 8 && n >= 0 && n <= 4);
    int e;
    float m = frexpf(x, &e);
    CHECK(m >= 0.5f && m < 1 && e >= 1 && e <= 4);
    CHECK(ldexpf(m, e) == x);
    CHECK(ldexpf(x, n) >= x);
    return 0;
}

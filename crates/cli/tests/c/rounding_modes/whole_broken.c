// expect: UNSAFE
// A root that is rounded up is not always the one to nearest.
#include <fenv.h>
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 5);
    volatile double x = n;
    double near = sqrt(x);
    fesetround(FE_UPWARD);
    CHECK(sqrt(x) == near);
    return 0;
}

// expect: UNSAFE
// The mode is not put back.
#include <fenv.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static double add(double a, double b, int mode) {
    fesetround(mode);
    return a + b;
}

int main(void) {
    double a = __VERIFIER_nondet_double();
    __VERIFIER_assume(a >= 0.0 && a <= 1000.0);
    double high = add(a, 0.1, FE_UPWARD);
    double near = a + 0.1;
    double third = 1.0;
    third /= 3.0;
    CHECK(third * 3.0 == 1.0);
    CHECK(near <= high);
    return 0;
}

// expect: SAFE
// unknown: abstraction, which has no predicates about what rounds in other modes
// A sum in interval arithmetic contains the sum to nearest, whichever mode the caller had.
#include <fenv.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static double add(double a, double b, int mode) {
    int old = fegetround();
    fesetround(mode);
    double sum = a + b;
    fesetround(old);
    return sum;
}

int main(void) {
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
    __VERIFIER_assume(a >= -1000.0 && a <= 1000.0 && b >= -1000.0 && b <= 1000.0);
    double low = add(a, b, FE_DOWNWARD), high = add(a, b, FE_UPWARD);
    CHECK(fegetround() == FE_TONEAREST);
    CHECK(low <= high);
    CHECK(low >= -2000.0 && high <= 2000.0);
    return 0;
}

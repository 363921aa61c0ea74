// expect: UNSAFE
// The quotient is not always exact.
#include <fenv.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1.0f && x <= 2.0f);
    fesetround(FE_DOWNWARD);
    float low = x / 3.0f;
    fesetround(FE_UPWARD);
    float high = x / 3.0f;
    CHECK(low == high);
    return 0;
}

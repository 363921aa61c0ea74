// expect: SAFE
// A quotient rounded down and up lies between, and the two are equal or neighbours.
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
    CHECK(fesetround(FE_DOWNWARD) == 0);
    float low = x / 3.0f;
    CHECK(fesetround(FE_UPWARD) == 0);
    float high = x / 3.0f;
    CHECK(fegetround() == FE_UPWARD);
    fesetround(FE_TONEAREST);
    float near = x / 3.0f;
    CHECK(low <= high && low <= near && near <= high);
    CHECK(near == low || near == high);
    return 0;
}

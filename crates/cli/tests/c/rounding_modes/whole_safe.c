// expect: SAFE
// rint follows the mode, floor and conversions do not; a sum that is zero has the sign of the mode.
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
    int mode = __VERIFIER_nondet_int();
    if (fesetround(mode) != 0) {
        CHECK(fegetround() == FE_TONEAREST);
        CHECK(mode != FE_TOWARDZERO);
        return 0;
    }
    volatile double x = 2.5, y = -2.5;
    CHECK(floor(x) == 2.0 && ceil(y) == -2.0 && round(x) == 3.0 && (int)y == -2);
    if (mode == FE_UPWARD) CHECK(rint(x) == 3.0 && nearbyint(y) == -2.0 && lrint(x) == 3);
    if (mode == FE_DOWNWARD) CHECK(rint(x) == 2.0 && rint(y) == -3.0);
    if (mode == FE_TOWARDZERO) CHECK(rint(x) == 2.0 && rint(y) == -2.0);
    double zero = x + y;
    CHECK(signbit(zero) == 0 || mode == FE_DOWNWARD);
    volatile int odd = 16777217;
    float f = odd;
    CHECK(f == 16777216.0f || (mode == FE_UPWARD && f == 16777218.0f));
    return 0;
}

// expect: SAFE
// A remainder is smaller than the divisor, and exact.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0 && x <= 1000);
    float y = fmodf(x, 360.0f);
    CHECK(y >= 0 && y < 360.0f);
    if (x >= 360.0f && x < 720.0f) CHECK(y == x - 360.0f);
    return 0;
}

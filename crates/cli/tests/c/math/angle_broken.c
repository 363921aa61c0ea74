// expect: UNSAFE
// The remainder has the sign of the dividend.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= -1000 && x <= 1000);
    float y = fmodf(x, 360.0f);
    CHECK(y >= 0);
    return 0;
}

// expect: SAFE
// Whole numbers below and above.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= -100 && x <= 100);
    double f = floor(x), c = ceil(x);
    CHECK(f <= x && x <= c);
    CHECK(f >= -100 && c <= 100);
    int i = (int)round(x);
    CHECK(i >= -100 && i <= 100);
    return 0;
}

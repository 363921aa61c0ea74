// expect: UNSAFE
// The logarithm of a negative number is none.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x <= 100);
    double y = log(x);
    CHECK(y == y);
    return 0;
}

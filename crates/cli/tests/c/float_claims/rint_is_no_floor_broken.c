// expect: UNSAFE
// Ties go to even.
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x==x)) return 0;
    if (!(rint(x)==floor(x+0.5))) reach_error();
    return 0;
}

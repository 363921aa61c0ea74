// expect: UNSAFE
// A reciprocal is rounded.
#include <math.h>
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x!=0 && fabsf(x)>1e-30f&&fabsf(x)<1e30f)) return 0;
    if (!(x*(1.0f/x)==1.0f)) reach_error();
    return 0;
}

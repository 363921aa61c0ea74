// expect: SAFE
/* The comparison macros compare values in the format of their type. */
#include <math.h>
extern void reach_error(void);
float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float(), y = x * 0.1f;
    if (!isunordered(x, y) && !!isless(x, y) != (x < y)) reach_error();
    return 0;
}

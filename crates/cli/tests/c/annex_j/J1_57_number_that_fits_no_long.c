// expect: UNSAFE
/* What `lrint` gives for a number that does not fit is any integer; the run goes on. */
#include <math.h>
extern void reach_error(void);
double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    long n = lrint(x);
    if (x > 1e19 && n == 7) reach_error();
    return 0;
}

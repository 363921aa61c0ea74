// expect: SAFE
/* The exponent that `frexp` stores for an infinity is that of glibc. */
#include <math.h>
extern void reach_error(void);
int main(void) {
    int e = 5;
    double m = frexp(INFINITY, &e);
    if (m != INFINITY || e != 0) reach_error();
    return 0;
}

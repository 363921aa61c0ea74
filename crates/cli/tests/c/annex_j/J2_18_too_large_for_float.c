// expect: SAFE
/* A number that is too large for the narrower type becomes infinite. */
#include <math.h>
extern void reach_error(void);
int main(void) {
    double x = 1e300;
    float f = (float)x;
    if (f != INFINITY) reach_error();
    return 0;
}

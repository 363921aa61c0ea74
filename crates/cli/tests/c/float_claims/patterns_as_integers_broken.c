// expect: UNSAFE
// Patterns of negative numbers are in the other order.
#include <string.h>
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    if (!(x==x&&y==y)) return 0;
    int m,k; memcpy(&m,&x,4); memcpy(&k,&y,4);
    if (!((x<y)==(m<k))) reach_error();
    return 0;
}

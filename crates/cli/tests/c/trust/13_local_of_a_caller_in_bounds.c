// expect: SAFE
// options: --check bounds
// unknown: abstraction (by contract, nothing is known of where the caller's local lies)
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static void copy(const unsigned char *from, unsigned char *to) { memcpy(to, from, 1); }
static unsigned first(const unsigned char *text) { unsigned char byte; copy(text, &byte); return byte; }
int main(void) {
    unsigned char d[2];
    d[0] = __VERIFIER_nondet_uchar();
    d[1] = 0;
    if (first(d) != d[0])
        reach_error();
    return 0;
}

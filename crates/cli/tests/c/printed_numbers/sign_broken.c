// expect: UNSAFE
// There is no room for the sign.
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < -9 || x > 9) return 0;
    char text[4];
    if (snprintf(text, sizeof text, "%.1f", (double)x) >= (int)sizeof text) reach_error();
    return 0;
}

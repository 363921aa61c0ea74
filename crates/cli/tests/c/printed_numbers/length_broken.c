// expect: UNSAFE
// Ten has two digits.
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 20) return 0;
    char text[40];
    sprintf(text, "%.2f", x / 2.0);
    if (strlen(text) != 4) reach_error();
    return 0;
}

// expect: SAFE
// A sign is printed where the number has one, also if all digits are zero.
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < -3 || x > 3) return 0;
    char text[16];
    snprintf(text, sizeof text, "%-7.1f", x / 100.0);
    if ((text[0] == '-') != (x < 0) || text[x < 0 ? 1 : 0] != '0' || text[6] != ' ') reach_error();
    return 0;
}

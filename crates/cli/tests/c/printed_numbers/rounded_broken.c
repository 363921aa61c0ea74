// expect: UNSAFE
// 2.675 and 9.995 lie below the middle, whatever their decimals seem to say.
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    char text[64];
    double x = __VERIFIER_nondet_int() ? 2.675 : 9.995;
    int n = sprintf(text, "%6.2f|", x);
    if (n != 7 || strcmp(text, "  9.99|") == 0 || strcmp(text, "  2.67|") == 0) reach_error();
    return 0;
}

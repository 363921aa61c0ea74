// expect: SAFE
// Halves below ten have one digit before the point.
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 19) return 0;
    char text[40];
    if (sprintf(text, "%.2f", x / 2.0) != 4 || strlen(text) != 4) reach_error();
    return 0;
}

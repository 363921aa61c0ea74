// expect: SAFE
// The number is rounded, not its product with ten: 0.15 lies below the middle, 0.25 in the middle goes to the even digit, 0.35 lies below.
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    char text[64];
    sprintf(text, "%.1f %.1f %.1f %.0f %.0f %.3f", 0.15, 0.25, 0.35, 0.5, 1.5, 1.0005);
    if (strcmp(text, "0.1 0.2 0.3 0 2 1.000") != 0) reach_error();
    return 0;
}

// expect: UNSAFE
// One digit can be a seven.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    char text[4] = "  ";
    text[0] = __VERIFIER_nondet_char();
    text[1] = __VERIFIER_nondet_char();
    text[2] = 0;
    double x = strtod(text, 0);
    if (text[1] == 0 && text[0] >= '0' && text[0] <= '9') CHECK(x * x != 49.0);
    return 0;
}

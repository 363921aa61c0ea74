// expect: UNSAFE
// Two digits are more than one.
#include <stdlib.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    char text[3];
    text[0] = __VERIFIER_nondet_char();
    text[1] = __VERIFIER_nondet_char();
    text[2] = 0;
    __VERIFIER_assume(text[0] >= '0' && text[0] <= '9');
    __VERIFIER_assume(text[1] == 0 || (text[1] >= '0' && text[1] <= '9'));
    CHECK(atof(text) < 99.0);
    return 0;
}

// expect: SAFE
// A minus makes no positive number, and no text is zero.
#include <stdlib.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    char text[8];
    for (int i = 0; i < 7; i++) text[i] = __VERIFIER_nondet_char();
    text[7] = 0;
    float x = strtof(text, 0);
    if (text[0] == '-') CHECK(!(x > 0.0f));
    if (text[0] == 0) CHECK(x == 0.0f);
    if (text[0] == '7') CHECK(x >= 0.0f);
    return 0;
}

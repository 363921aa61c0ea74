// expect: UNSAFE
// A number is rounded once, to float, and not to double first.
#include <stdlib.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    const char *text = "1.00000017881393432617187499";
    CHECK(strtof(text, 0) == (float)strtod(text, 0));
    return 0;
}

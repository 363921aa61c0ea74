// expect: SAFE
// without: abstraction, which has no use for texts
// Prices, rounded: a tie to the even digit, and one that gets a digit more.
#include <stdio.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
    char text[16];
    int kind = __VERIFIER_nondet_int();
    if (kind) {
        int n = sprintf(text, "%.2f", 12.375);
        CHECK(n == 5 && text[5] == 0 && text[2] == '.' && text[4] == '8');
    } else {
        int n = sprintf(text, "%5.1f|", 9.96);
        CHECK(n == 6 && text[0] == ' ' && text[1] == '1' && text[4] == '0' && text[5] == '|');
    }
    return 0;
}

// expect: UNSAFE
// inputs: 97 0 1 97 0 2
// data-model: LP64
// Texts that compare equal are equal up to their end, and not beyond.
int strcmp(const char *, const char *);
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
static char text[70];
static char other[70];
static void fill(char *p) {
    p[0] = __VERIFIER_nondet_char();
    p[1] = __VERIFIER_nondet_char();
    p[2] = __VERIFIER_nondet_char();
    p[3] = 0;
}
int main(void) {
    char *p = text, *q = other;
    fill(p);
    fill(q);
    int same = strcmp(p, q) == 0;
    if (same && p[0] != 0 && p[2] != q[2]) reach_error();
    return 0;
}

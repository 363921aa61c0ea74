// expect: UNSAFE
// inputs: 97 255 0 97 1 0
// data-model: LP64
// Bytes compare without a sign; only so many of them.
int strncmp(const char *, const char *, unsigned long);
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
    unsigned long n = 2;
    fill(p);
    fill(q);
    int order = strncmp(p, q, n);
    if (p[0] == 'a' && q[0] == 'a' && p[1] == -1 && q[1] == 1 && order > 0) reach_error();
    return 0;
}

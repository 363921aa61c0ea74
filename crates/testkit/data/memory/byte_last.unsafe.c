// expect: UNSAFE
// inputs: 120 120 7
// data-model: LP64
// The last of a byte in a text.
char *strrchr(const char *, int);
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
static char text[70];
static void fill(char *p) {
    p[0] = __VERIFIER_nondet_char();
    p[1] = __VERIFIER_nondet_char();
    p[2] = __VERIFIER_nondet_char();
    p[3] = 0;
}
int main(void) {
    char *p = text;
    fill(p);
    char *at = strrchr(p, 120);
    if (at == p + 1 && p[0] == 120 && p[2] == 7) reach_error();
    return 0;
}

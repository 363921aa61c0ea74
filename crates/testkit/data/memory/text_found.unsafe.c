// expect: UNSAFE
// inputs: 97 120 120
// data-model: LP64
// The first of a character, or nothing: none is missed.
char *strchr(const char *, int);
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
    char *p = text;
    fill(p);
    char *at = strchr(p, 'x');
    if (at == p + 1 && p[2] == 'x') reach_error();
    return 0;
}

// expect: SAFE
// data-model: LP64
// Two lengths of one text are equal, but not after it was written to.
unsigned long strlen(const char *);
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
    unsigned long n = strlen(p);
    unsigned long m = strlen(p);
    if (n != m) reach_error();
    return 0;
}

// expect: SAFE
// data-model: LP64
// The length of a text: no byte before its end is zero, and it ends.
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
    if (n > 3 || p[n] != 0 || (n > 1 && p[1] == 0)) reach_error();
    return 0;
}

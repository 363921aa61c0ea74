// expect: UNSAFE
// inputs: 120 97 0
// data-model: LP64
// The first of a byte among so many, zero bytes included.
void *memchr(const void *, int, unsigned long);
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
    unsigned long n = 3;
    fill(p);
    char *at = memchr(p, 0, n);
    if (at == p + 2 && p[0] == 'x') reach_error();
    return 0;
}

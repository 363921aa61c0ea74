// expect: SAFE
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
    if ((at && at >= p + 3) || (!at && p[1] == 0)) reach_error();
    return 0;
}

// expect: UNSAFE
extern void reach_error(void);
extern int nd(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    char *p = 0;
    if (nd())
        p = malloc(n);
    if (!p && n == ~0ul)
        reach_error();
    return 0;
}

// expect: SAFE
extern void reach_error(void);
extern int nd(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
char a[8];
int main(void) {
    unsigned n = __VERIFIER_nondet_uint() & 15;
    char *p = malloc(n);
    a[3] = 7;
    if (p && n > 3)
        p[3] = 1;
    if (a[3] != 7)
        reach_error();
    return 0;
}

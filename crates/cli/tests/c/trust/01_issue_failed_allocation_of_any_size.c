// expect: UNSAFE
extern void reach_error(void);
extern int nd(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
char buf[4];
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong(), i = __VERIFIER_nondet_ulong() & 3;
    char *p = malloc(n);
    if (!p)
        p = buf;
    p[i] = 1;
    if (n == 0xfffffffffffffff3ul && buf[i] == 1)
        reach_error();
    return 0;
}
